/*
 * Opening the repository, settings and roots takes a hundred system calls; reading a file takes
 * ten. So a server's worker keeps them, with stamps of all files that they depend on. A content
 * certainly belongs to its stamp when the stamps before and after reading are equal. So the cache
 * is filled twice before it is used.
 */
#include "session_cache.h"

static void session_cache_stamp_root(struct session_cache *cache, struct str dir)
{
	const char *path = str_c(cache->a, dir);

	os_stamps_add(cache->a, &cache->stamps, path, OS_STAMP_PLACE);
	os_stamps_add(cache->a, &cache->stamps, os_join(cache->a, path, ".git"), OS_STAMP_PLACE);
	os_stamps_add(cache->a, &cache->stamps, os_join(cache->a, path, "HEAD"), OS_STAMP_NAME);
}

/* Stamps all files that the session depends on. False: there are too many, or a file is so new that
 * its stamp cannot prove that it is unchanged. */
static bool session_cache_stamp(struct session_cache *cache, const struct call *c,
				const struct cmd_common *common)
{
	const char *home = os_ikigai_home(cache->a), *own = os_home();
	const struct conf_parts *roots = &cache->conf->files_roots;
	const struct call at = {.a = cache->a, .conf = cache->conf, .cwd = cache->cwd};
	const char *garden = app_garden_path(&at);
	struct strs confs = {0};

	if (!git_discovery_stamp(c->git, cache->a, cache->cwd, &cache->stamps))
		return false;
	conf_stamp(cache->a, &cache->stamps);
	if (c->git)
		confs = app_conf_paths(cache->a, c->git);
	for (size_t i = 0; i < confs.n; i++)
		os_stamps_add(cache->a, &cache->stamps,
			      os_join(cache->a, git_top(c->git), confs.p[i].p), OS_STAMP_TEXT);
	for (size_t i = 0; i < roots->n; i++)
		session_cache_stamp_root(cache, roots->p[i].value->s);
	for (size_t i = 0; i < common->root.n; i++)
		session_cache_stamp_root(cache, common->root.p[i]);
	for (size_t i = 0; c->client && i < c->client->roots.n; i++)
		session_cache_stamp_root(cache, c->client->roots.p[i]);
	if (c->git)
		session_cache_stamp_root(cache, str_of(git_top(c->git)));
	if (garden) {
		const char *users = os_join(cache->a, garden, "users");

		os_stamps_add(cache->a, &cache->stamps, users, OS_STAMP_PLACE);
		/* A folder of another user may be new. */
		os_stamps_add(cache->a, &cache->stamps, users, OS_STAMP_TEXT);
	}
	if (own)
		os_stamps_add(cache->a, &cache->stamps, str_c(cache->a, str_of(own)),
			      OS_STAMP_PLACE);
	if (home) {
		struct str path = str_of(home);

		/* A folder that does not exist yet is stamped by its nearest parent. */
		while (!os_stamps_add(cache->a, &cache->stamps, str_c(cache->a, path),
				      OS_STAMP_PLACE) &&
		       path.n > 1)
			path = str_sub(path, 0, size_max(1, str_rfind_char(path, '/')));
	}
	return !cache->stamps.unsure;
}

static struct err *session_cache_fill(struct session_cache *cache, const struct call *c,
				      const struct cmd_common *common)
{
	/* The roots are the same for all commands of which session_cache_suffices() is true. */
	static const struct cmd any = {.need = NEED_ROOTS};
	struct call sub = *c;
	struct conf_input in = {0};

	sub.cmd = &any;
	sub.a = cache->a;
	sub.conf = NULL;
	app_settings_from_options(&sub, common);
	in.args = sub.set;
	TRY(os_cwd(cache->a, &cache->cwd));
	sub.cwd = cache->cwd;
	TRY(conf_load(cache->a, &in, &cache->person));
	TRY(app_call_open_with_roots(&sub, common));
	cache->conf = sub.conf;
	cache->roots = sub.roots;
	cache->warnings = sub.warnings;
	cache->refused_roots = sub.refused_roots;
	if (sub.rootless)
		return app_no_roots_error(&sub);
	cache->complete = session_cache_stamp(cache, &sub, common);
	return NULL;
}

bool session_cache_suffices(const struct cmd *cmd)
{
	return !(cmd->need & (NEED_GIT | MAY_GIT)) && cmd->need & (NEED_ROOTS | NEED_CONFINED);
}

const struct session_cache *session_cache_refresh(struct session_cache *cache, const struct call *c,
						  const struct cmd_common *common, uint64_t since)
{
	struct session_cache fresh = {.looked = os_ticks()};

	if (cache->validated && !strcmp(cache->cwd, c->cwd) &&
	    (cache->looked > since || os_stamps_hold(&cache->stamps))) {
		if (cache->looked <= since)
			cache->looked = fresh.looked;
		return cache;
	}
	fresh.a = arena_new();
	if (session_cache_fill(&fresh, c, common)) {
		/* The command will find the same error, and report it. */
		arena_free(fresh.a);
		return NULL;
	}
	fresh.validated =
		cache->complete && fresh.complete && os_stamps_same(&cache->stamps, &fresh.stamps);
	arena_free(cache->a);
	*cache = fresh;
	return cache;
}
