/* Finds the folder where git looks for hooks, and the configuration that sets it. */
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
