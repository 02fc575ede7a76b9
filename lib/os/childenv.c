#include "os/os.h"
#include "os/private.h"

/*
 * A variable of these prefixes with one of these words in its name is a secret, or may hold one (a
 * database's URL).
 */
static const char *const secret_prefixes[] = {"IKM_", "IKIGAI_"};
static const char *const secret_words[] = {"KEY",    "TOKEN",      "SECRET", "PASSWORD",
					   "PASSWD", "CREDENTIAL", "URL"};

/*
 * The variables that tie git to one repository: `git rev-parse --local-env-vars` of git 2.39, which
 * a test compares, and two that it does not list: the namespace of refs, and the folder that
 * receives a push. GIT_CEILING_DIRECTORIES stays, because it applies to any repository.
 */
static const char *const git_names[] = {
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_PARAMETERS",
	"GIT_DIR",
	"GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_NAMESPACE",
	"GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_QUARANTINE_PATH",
	"GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
};

static struct str childenv_name_of(const char *entry)
{
	struct str s = str_of(entry);

	return str_sub(s, 0, size_min(str_find_char(s, '=', 0), s.n));
}

static bool is_secret(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(secret_prefixes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(secret_words); j++)
			if (str_starts(name, str_of(secret_prefixes[i])) &&
			    str_find(name, str_of(secret_words[j]), 0) != SIZE_MAX)
				return true;
	return false;
}

static bool names_repository(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(git_names); i++)
		if (str_is(name, git_names[i]))
			return true;
	return false;
}

/* Whether changes[0] or a later change has this name. */
static bool is_changed(const char *const *changes, struct str name)
{
	for (; changes && *changes; changes++)
		if (str_eq(childenv_name_of(*changes), name))
			return true;
	return false;
}

char **os_child_env(struct arena *a, const struct os_spawn *s)
{
	struct {
		char **p;
		size_t n, cap;
	} v = {0};

	for (char **e = environ; e && *e; e++) {
		struct str name = childenv_name_of(*e);

		if (!is_secret(name) && !(s->clear_git && names_repository(name)) &&
		    !is_changed(s->env, name))
			*VEC_PUSH(a, &v) = *e;
	}
	for (const char *const *e = s->env; e && *e; e++)
		if (strchr(*e, '=') && !is_changed(e + 1, childenv_name_of(*e)))
			*VEC_PUSH(a, &v) = str_c(a, str_of(*e));
	*VEC_PUSH(a, &v) = NULL;
	return v.p;
}
