/*
 * Opening the repository, settings and roots takes a hundred system calls, and reading a file takes
 * ten. So a server's worker keeps them, with stamps of all that decides what they are. What was read
 * between two equal stamps is what they stand for; so the first time it is opened twice.
 */
#include "ground.h"

/* By the way that is named, and by the one that is meant: a folder can come to lie elsewhere. */
static void stamp_place(struct ground *g, const char *path)
{
	const char *real;

	os_stamp(g->a, &g->stamps, path, true);
	if (!os_realpath(g->a, path, &real) && strcmp(real, path))
		os_stamp(g->a, &g->stamps, real, true);
}

static void stamp_root(struct ground *g, struct str dir)
{
	stamp_place(g, str_c(g->a, dir));
	stamp_place(g, os_join(g->a, str_c(g->a, dir), ".git"));
}

/* What is not there yet counts by the folder where it will be. */
static void stamp_home(struct ground *g, const char *home)
{
	struct str path = str_of(home);

	for (;;) {
		stamp_place(g, str_c(g->a, path));
		if (g->stamps.p[g->stamps.n - 1].ino || path.n <= 1)
			return;
		path = str_sub(path, 0, size_max(1, str_rfind_char(path, '/')));
	}
}

static void stamp_repo_conf(struct ground *g, struct git *git)
{
	struct str prefix = git_prefix(git);

	for (;;) {
		struct str name = str_fmt(g->a, "%.*s" APP_CONF_NAME, STR_ARG(prefix));
		size_t slash;

		os_stamp(g->a, &g->stamps, os_join(g->a, git_top(git), name.p), false);
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
		stamp_place(g, str_c(g->a, str_of(own)));
	if (home)
		stamp_home(g, home);
	return !g->stamps.fresh;
}

/* *firm: as the stamps say, if they are those of before. */
static struct err *open_ground(struct ground *g, const struct call *c,
			       const struct cmd_common *common, bool *firm)
{
	struct call sub = *c;
	struct conf_input in = {0};

	/* Roots are the same for all that ground_has(), so any of them will do. */
	sub.cmd = &cmd_read;
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
	if (sub.rootless)
		return app_rootless(&sub);
	*firm = stamp(g, &sub, common);
	return NULL;
}

bool ground_has(const struct cmd *cmd)
{
	return !(cmd->need & (NEED_GIT | MAY_GIT)) && cmd->need & (NEED_ROOTS | NEED_CONFINED);
}

void ground_take(struct ground *g, struct call *c, const struct cmd_common *common)
{
	struct ground new = {0};
	bool firm = false;

	if (g->firm && !strcmp(g->cwd, c->cwd) && os_stamps_hold(&g->stamps)) {
		c->ground = g;
		return;
	}
	new.a = arena_new();
	if (open_ground(&new, c, common, &firm)) {
		/* Who needs it will find the same error, and tell it. */
		arena_free(new.a);
		return;
	}
	new.firm = firm && g->a && os_stamps_same(&g->stamps, &new.stamps);
	arena_free(g->a);
	*g = new;
	c->ground = g;
}

void ground_use(const struct ground *g, struct call *c)
{
	c->conf = g->conf;
	c->roots = g->roots;
}
