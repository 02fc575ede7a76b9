/* git's configuration: the command line of an outer git first, then the files. */
#include "git/internal.h"
#include "os/os.h"

#define COUNT_MAX 10000

bool config_bool(const char *value, bool otherwise)
{
	struct str v = str_of(value);
	int64_t n;

	if (!value)
		return otherwise;
	if (str_ieq(v, STR("true")) || str_ieq(v, STR("yes")) || str_ieq(v, STR("on")))
		return true;
	if (!v.n || str_ieq(v, STR("false")) || str_ieq(v, STR("no")) || str_ieq(v, STR("off")))
		return false;
	return str_int(v, &n) ? n != 0 : otherwise;
}

const char *config_expand_home(struct arena *a, const char *value)
{
	const char *home = os_env("HOME");

	if (value[0] == '~' && value[1] == '/' && home)
		return os_join(a, home, value + 2);
	return value;
}

/* Section and name ignore case; the part between the first and the last dot does not. */
static bool same_key(struct str a, struct str b)
{
	size_t first = str_find_char(a, '.', 0), last = str_rfind_char(a, '.');

	if (a.n != b.n || first == SIZE_MAX)
		return false;
	return str_ieq(str_sub(a, 0, first), str_sub(b, 0, first)) &&
	       str_eq(str_sub(a, first, last), str_sub(b, first, last)) &&
	       str_ieq(str_sub(a, last, a.n), str_sub(b, last, b.n));
}

/* Removes one word in the shell's single quotes from *rest: 'it'\''s'. */
static bool config_unquote(struct arena *a, struct str *rest, struct str *word)
{
	struct buf b = buf_in(a);
	size_t i = 1;

	if (!rest->n || rest->p[0] != '\'')
		return false;
	for (;; i++) {
		if (i == rest->n)
			return false;
		if (rest->p[i] != '\'') {
			buf_putc(&b, rest->p[i]);
			continue;
		}
		/* Git also writes ! outside the quotes. */
		if (i + 3 >= rest->n || rest->p[i + 1] != '\\' || rest->p[i + 3] != '\'' ||
		    (rest->p[i + 2] != '\'' && rest->p[i + 2] != '!'))
			break;
		buf_putc(&b, rest->p[i + 2]);
		i += 3;
	}
	*rest = str_sub(*rest, i + 1, rest->n);
	*word = buf_as_str(&b);
	return true;
}

struct err *config_env(const struct git *g, struct arena *a, const char *key, struct strs *out)
{
	const char *count = repo_env_get(g, "GIT_CONFIG_COUNT");
	const char *more = repo_env_get(g, "GIT_CONFIG_PARAMETERS");
	struct str wanted = str_of(key), rest, word, value;
	int64_t n = 0;

	if (count && (!str_int(str_of(count), &n) || n < 0 || n > COUNT_MAX))
		return err_new(E_BAD_CONFIG,
			       "GIT_CONFIG_COUNT is '%s'; allowed: a number of settings", count);
	for (int64_t i = 0; i < n; i++) {
		char name[40];
		const char *k, *v;

		snprintf(name, sizeof(name), "GIT_CONFIG_KEY_%d", (int)i);
		k = os_env(name);
		snprintf(name, sizeof(name), "GIT_CONFIG_VALUE_%d", (int)i);
		v = os_env(name);
		if (k && same_key(wanted, str_of(k)))
			strs_push(a, out, str_of(v ? v : ""));
	}
	/*
	 * GIT_CONFIG_PARAMETERS: words 'key=value', or 'key'='value' since git 2.31, separated by
	 * blanks.
	 */
	for (rest = str_trim(str_of(more)); rest.n; rest = str_trim(rest)) {
		if (!config_unquote(a, &rest, &word))
			return err_new(E_BAD_CONFIG,
				       "GIT_CONFIG_PARAMETERS has a word that is not quoted as "
				       "git quotes it");
		value = STR("true");
		if (str_take_char(&rest, '=')) {
			if (!config_unquote(a, &rest, &value))
				value = STR("true");
		} else {
			size_t is = str_find_char(word, '=', 0);

			if (is != SIZE_MAX) {
				value = str_sub(word, is + 1, word.n);
				word = str_sub(word, 0, is);
			}
		}
		if (same_key(wanted, word))
			strs_push(a, out, value);
	}
	return NULL;
}

struct err *git_setting(struct git *g, struct arena *a, const char *key, const char **out)
{
	const char *args[] = {"config", "-z", "--get", key, NULL};
	struct strs over = {0};
	enum config_from from;
	struct str text;
	int status;

	*out = NULL;
	TRY(config_env(g, a, key, &over));
	if (over.n) {
		*out = str_c(a, over.p[over.n - 1]);
		return NULL;
	}
	if (g->libgit2)
		return libgit2_config(g, a, key, out, &from);
	TRY(cli_git_try(g, a, args, STR(""), &text, &status));
	if (status > 1)
		return err_new(E_BAD_CONFIG, "git config %s: %.*s", key, STR_ARG(str_trim(text)));
	if (!status)
		*out = str_c(a, text); /* ends at the NUL that -z adds */
	return NULL;
}

struct err *git_setting_bool(struct git *g, const char *key, bool *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *value = NULL;
	struct err *e = git_setting(g, a, key, &value);

	*out = !e && config_bool(value, false);
	return e;
}
