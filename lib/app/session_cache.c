/*
 * Opening the repository, settings and roots takes a hundred system calls, and reading a file takes
 * ten. So a server's worker keeps them, with stamps of all that decides what they are. What was
 * read between two equal stamps is what they stand for; so the first time it is opened twice.
 */
#include "session_cache.h"
#include "roots.h"

static void stamp_root(struct ground *g, struct str dir)
{
	const char *path = str_c(g->a, dir);

	os_stamp(g->a, &g->stamps, path, OS_STAMP_PLACE);
	os_stamp(g->a, &g->stamps, os_join(g->a, path, ".git"), OS_STAMP_PLACE);
	os_stamp(g->a, &g->stamps, os_join(g->a, path, "HEAD"), OS_STAMP_NAME);
}

/* What is not there yet counts by the folder where it will be. */
static void stamp_home(struct ground *g, const char *home)
{
	struct str path = str_of(home);

	while (!os_stamp(g->a, &g->stamps, str_c(g->a, path), OS_STAMP_PLACE) && path.n > 1)
		path = str_sub(path, 0, size_max(1, str_rfind_char(path, '/')));
}

static void stamp_repo_conf(struct ground *g, struct git *git)
{
	struct str prefix = git_prefix(git);

	for (;;) {
		struct str name = str_fmt(g->a, "%.*s" APP_CONF_NAME, STR_ARG(prefix));
		size_t slash;

		os_stamp(g->a, &g->stamps, os_join(g->a, git_top(git), name.p), OS_STAMP_TEXT);
		if (!prefix.n)
			return;
		slash = str_rfind_char(str_sub(prefix, 0, prefix.n - 1), '/');
		prefix = str_sub(prefix, 0, slash == SIZE_MAX ? 0 : slash + 1);
	}
}

/* False: what decides it is too much, or too new, to be held. */
static bool stamp(struct ground *g, const struct call *c, const struct cmd_common *common)
{
	const char *home = os_ikigai_home(g->a), *own = os_home();
	struct conf_parts parts = {0};

	if (!git_stamp(c->git, g->a, g->cwd, &g->stamps))
		return false;
	conf_stamp(g->a, &g->stamps);
	if (c->git)
		stamp_repo_conf(g, c->git);
	conf_each(g->conf, g->a, "files.roots", &parts);
	for (size_t i = 0; i < parts.n; i++)
		stamp_root(g, parts.p[i].value->s);
	for (size_t i = 0; i < common->root.n; i++)
		stamp_root(g, common->root.p[i]);
	for (size_t i = 0; i < c->client_roots.n; i++)
		stamp_root(g, c->client_roots.p[i]);
	if (c->git)
		stamp_root(g, str_of(git_top(c->git)));
	if (own)
		os_stamp(g->a, &g->stamps, str_c(g->a, str_of(own)), OS_STAMP_PLACE);
	if (home)
		stamp_home(g, home);
	return !g->stamps.unsure;
}

static struct err *open_ground(struct ground *g, const struct call *c,
			       const struct cmd_common *common)
{
	/* The roots are the same for all commands of which ground_has() is true. */
	static const struct cmd any = {.need = NEED_ROOTS};
	struct call sub = *c;
	struct conf_input in = {0};

	sub.cmd = &any;
	sub.a = g->a;
	sub.conf = NULL;
	app_settings(&sub, common);
	in.args = sub.set;
	TRY(os_cwd(g->a, &g->cwd));
	sub.cwd = g->cwd;
	TRY(conf_load(g->a, &in, &g->person));
	TRY(app_open_limited(&sub, common));
	g->conf = sub.conf;
	g->roots = sub.roots;
	g->warnings = sub.warnings;
	g->refused_roots = sub.refused_roots;
	if (sub.rootless)
		return app_rootless(&sub);
	g->sure = stamp(g, &sub, common);
	return NULL;
}

bool ground_has(const struct cmd *cmd)
{
	return !(cmd->need & (NEED_GIT | MAY_GIT)) && cmd->need & (NEED_ROOTS | NEED_CONFINED);
}

void ground_take(struct ground *g, struct call *c, const struct cmd_common *common)
{
	struct ground new = {0};

	if (g->firm && !strcmp(g->cwd, c->cwd) && os_stamps_hold(&g->stamps)) {
		c->ground = g;
		return;
	}
	new.a = arena_new();
	if (open_ground(&new, c, common)) {
		/* Who needs it will find the same error, and tell it. */
		arena_free(new.a);
		return;
	}
	new.firm = g->sure &&new.sure &&os_stamps_same(&g->stamps, &new.stamps);
	arena_free(g->a);
	*g = new;
	c->ground = g;
}

void ground_use(const struct ground *g, struct call *c)
{
	c->conf = g->conf;
	c->roots = g->roots;
	c->warnings = g->warnings;
	c->refused_roots = g->refused_roots;
}
