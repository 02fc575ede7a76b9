/* session_cache: settings and roots that calls of one process share, as long as they are valid. */
#pragma once

#include "client_info.h"

/* All zero at first. It lives as long as the process. */
struct session_cache {
	struct arena *a;
	struct os_stamps stamps;
	bool complete;   /* the stamps cover all files that the rest depends on */
	bool validated;  /* no file changed while it was read */
	uint64_t looked; /* no file had changed at this time, in os_ticks() */
	const char *cwd;
	struct conf *person; /* without the repository's configuration */
	struct conf *conf;
	struct os_roots *roots;
	struct strs warnings; /* of the repository's configuration */
	struct strs refused_roots;
};

/* Whether this command needs nothing open but the contents of the cache. */
bool session_cache_suffices(const struct cmd *cmd);
/*
 * Fills the cache again if anything has changed. since: when the request came, in os_ticks(). Of a
 * hundred requests that came together, only the first one looks for changes. NULL when the cache
 * cannot be filled.
 */
const struct session_cache *session_cache_refresh(struct session_cache *cache, const struct call *c,
						  const struct cmd_common *common, uint64_t since);
