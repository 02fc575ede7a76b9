/*
 * Reads what git's configuration says of hooks: their folder, and hooks of its own. Says which
 * hooks apply in a repository.
 */
#include "hook/internal.h"
#include "history/gardens.h"

/* Reads a key of one scope ("--global") and expands `~`. p is NULL when the key is unset. */
static struct err *config_of(struct arena *a, const char *scope, const char *key, struct str *out)
{
	const char *const args[] = {"config", scope, "--type=path", "--get", key, NULL};
	struct git_said r;

	TRY(git_ask(NULL, a, &(struct git_ask){.args = args}, &r));
	if (r.status > 1)
		return err_new(E_GIT_FAILED, "git config %s --get %s: %.*s", scope, key,
			       STR_ARG(str_trim(r.err)));
	/* git ends a value with one LF; the folder's name itself may end with another. */
	*out = r.status                     ? (struct str){0}
	       : str_ends(r.out, STR("\n")) ? str_sub(r.out, 0, r.out.n - 1)
					    : r.out;
	return NULL;
}

static struct err *find_global(struct arena *a, struct hook_place *p)
{
	const char *home = os_home(), *xdg = os_env("XDG_CONFIG_HOME");
	struct str ours, system;

	p->global = true;
	p->origin = STR("global");
	TRY(config_of(a, "--global", "core.hooksPath", &p->value));
	if (p->value.p) {
		TRY(config_of(a, "--global", SET_BY_US, &ours));
		p->is_set = true;
		p->is_made = str_eq(ours, p->value);
		p->dir = str_c(a, p->value);
		if (p->dir[0] == '/')
			return NULL;
		return err_help(err_new(E_HOOKS_ELSEWHERE,
					"the global core.hooksPath is '%s', a folder of each "
					"repository",
					p->dir),
				"run 'ikm hook install' in each repository instead");
	}
	TRY(config_of(a, "--system", "core.hooksPath", &system));
	if (system.p) {
		p->value = system;
		p->origin = STR("system");
		p->scope = SCOPE_ELSEWHERE;
	}
	/* A relative path would name another folder in each place where git runs. */
	if (xdg && xdg[0] != '/')
		xdg = NULL;
	if (!home && !xdg)
		return err_help(err_new(E_NOT_CONFIGURED, "there is no home folder for hooks"),
				"set HOME, or: git config --global core.hooksPath DIR");
	p->dir = xdg ? os_join(a, xdg, "git/hooks") : os_join(a, home, ".config/git/hooks");
	return NULL;
}

struct err *hook_place_find(struct arena *a, struct git *g, bool global, struct hook_place *out)
{
	static const char *const args[] = {
		"config", "-z", "--show-scope", "--type=path", "--get", "core.hooksPath", NULL};
	const char *value;
	struct str said;

	*out = (struct hook_place){0};
	if (global)
		return find_global(a, out);
	if (!g)
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
				"run ikm inside a repository, or use -C DIR");
	out->top = git_top(g);
	TRY(git_setting(g, a, "core.hooksPath", &value));
	if (value) {
		TRY(git_run(g, a, args, (struct str){0}, &said)); /* "scope NUL value NUL" */
		if (!str_next_part(&said, 0, &out->origin) || !str_next_part(&said, 0, &out->value))
			return err_new(E_GIT_FAILED,
				       "git config did not give the value of core.hooksPath");
		out->scope = str_is(out->origin, "local") || str_is(out->origin, "worktree")
				     ? SCOPE_LOCAL
				     : SCOPE_ELSEWHERE;
		/* Relative to the folder where hooks run. rev-parse gets that wrong outside the
		 * tree. */
		out->dir = str_c(a, out->value);
		if (out->dir[0] != '/')
			out->dir = os_join(a, out->top ? out->top : git_dir(g), out->dir);
		return NULL;
	}
	out->dir = os_join(a, git_common_dir(g), "hooks");
	return NULL;
}

struct err *hook_choose_names(struct arena *a, struct git *g, const struct hook_options *o,
			      unsigned *names)
{
	const unsigned push = 1 << HOOK_PRE_PUSH, receive = 1 << HOOK_PRE_RECEIVE;
	const unsigned message = 1 << HOOK_COMMIT_MSG;
	bool bare = !o->global && g && git_is_bare(g);
	struct strs tops = {0};

	if (o->global && (o->server || o->names & receive))
		return err_help(err_new(E_BAD_ARGUMENT,
					"pre-receive is installed in each repository, not with "
					"--global"),
				"ikm hook install --server DIR");
	if (o->global && o->names & message)
		return err_help(err_new(E_BAD_ARGUMENT,
					"commit-msg is installed in the repository of the garden, "
					"not with --global"),
				"ikm hook install --hook commit-msg");
	if (!o->global && !o->names && !o->server && !bare && g)
		TRY(gardens_here(a, g, NULL, &tops));
	*names = o->names    ? o->names
		 : o->server ? receive
		 : bare      ? push
			     : HOOK_CLIENT | (tops.n ? message : 0);
	if (o->server && *names & ~receive)
		return err_help(err_new(E_BAD_ARGUMENT, "--server is about pre-receive alone"),
				"leave out --hook, or --server");
	if (bare && *names & ~(push | receive))
		return err_help(err_new(E_BAD_ARGUMENT,
					"nothing is committed in a bare repository: only pre-push "
					"and pre-receive apply"),
				"use --hook pre-push, or --server for pre-receive");
	return NULL;
}

/*
 * ---- hooks in git's configuration ----
 *
 * git 2.54 and newer run hook.NAME.command for each hook.NAME.event, before the file in the hooks
 * folder. Then they run the file too, whatever the result was. So nothing of other tools moves, and
 * core.hooksPath does not matter. ikm's NAME is "ikm-" and the event, because git refuses the name
 * of an event.
 */
struct err *hook_git_supports_config_hooks(struct arena *a, bool *runs, struct str *version)
{
	static const char *const ask[] = {"version", NULL};
	static const struct str before = STR_INIT("git version ");
	int64_t major, minor;
	struct str rest, part;

	TRY(git_run(NULL, a, ask, (struct str){0}, version));
	*version = str_trim(*version);
	if (str_starts(*version, before))
		*version = str_sub(*version, before.n, version->n);
	/* "2.54.0", "2.55.GIT", "2.39.5 (Apple Git-154)" */
	rest = *version;
	*runs = str_next_part(&rest, '.', &part) && str_int(part, &major) &&
		str_next_part(&rest, '.', &part) && str_int(part, &minor) &&
		(major > 2 || (major == 2 && minor >= 54));
	return NULL;
}

/* git's words for false; an empty value is one of them. */
static bool configured_is_false(struct str v)
{
	return !v.n || str_ieq(v, STR("false")) || str_ieq(v, STR("no")) ||
	       str_ieq(v, STR("off")) || str_is(v, "0");
}

/* hook.NAME.VARIABLE = value. git has the variable in lower case. */
static void configured_take(struct arena *a, struct hook_configuration *out, struct str scope,
			    struct str name, struct str variable, struct str value)
{
	bool ours = false;

	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct hook_configured *h = &out->hook[i];

		if (str_is(variable, "enabled") && str_is(name, hook_names[i]))
			h->event_off = configured_is_false(value);
		if (!str_eq(name, str_fmt(a, "ikm-%s", hook_names[i])))
			continue;
		ours = true;
		if (str_is(variable, "command")) {
			h->command = value;
			h->owner = hook_text_owner(a, value, hook_names[i]);
			h->scope = scope;
		} else if (str_is(variable, "enabled")) {
			h->off = configured_is_false(value);
		} else if (str_is(variable, "event") &&
			   (!value.n || str_is(value, hook_names[i]))) {
			h->event = value.n != 0;
		}
	}
	if (!ours && str_is(variable, "event"))
		strs_push(a, &out->others, name);
}

struct err *hook_configured_read(struct arena *a, struct git *g, const char *scope,
				 struct hook_configuration *out)
{
	const char *const args[] = {"config",
				    scope ? scope : "--includes",
				    "-z",
				    "--show-scope",
				    "--get-regexp",
				    "^hook\\.",
				    NULL};
	struct git_said r;
	struct str from, entry;

	*out = (struct hook_configuration){0};
	TRY(git_ask(g, a, &(struct git_ask){.args = args}, &r));
	if (r.status > 1)
		return err_new(E_GIT_FAILED, "git config --get-regexp ^hook: %.*s",
			       STR_ARG(str_trim(r.err)));
	/* "scope NUL key LF value NUL"; a key without a value has no LF, and means true. */
	while (str_next_part(&r.out, 0, &from) && str_next_part(&r.out, 0, &entry)) {
		size_t lf = str_find_char(entry, '\n', 0);
		struct str key = lf == SIZE_MAX ? entry : str_sub(entry, 0, lf);
		size_t first = str_find_char(key, '.', 0), last = str_rfind_char(key, '.');

		if (last == first)
			continue; /* hook.jobs */
		configured_take(a, out, from, str_sub(key, first + 1, last),
				str_sub(key, last + 1, key.n),
				lf == SIZE_MAX ? STR("true") : str_sub(entry, lf + 1, entry.n));
	}
	return NULL;
}

struct str hook_configured_why_off(struct arena *a, const struct hook_configured *h,
				   enum hook_name name)
{
	if (!h->off && !h->event_off)
		return (struct str){0};
	return str_fmt(a, "git does not run it while hook.%s%s.enabled is false",
		       h->off ? "ikm-" : "", hook_names[name]);
}
