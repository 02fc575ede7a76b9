/* session_cache: settings and roots that calls of one process share, as long as they are valid. */
#ifndef IKM_APP_SESSION_CACHE_H
#define IKM_APP_SESSION_CACHE_H

#include "app.h"

/* All zero at first; it lives as long as the process, and each has its own. */
struct ground {
	struct arena *a;
	struct os_stamps stamps;
	bool sure; /* what the stamps say is all that decides it */
	bool firm; /* and nothing of it had changed while it was opened */
	const char *cwd;
	struct conf *person; /* without the repository's configuration */
	struct conf *conf;
	struct os_roots *roots;
	struct strs warnings; /* of the repository's configuration */
	struct strs refused_roots;
};

/* Whether the ground is all that this command needs to be opened. */
bool ground_has(const struct cmd *cmd);
/* c->ground: what is there now, opened anew if anything has changed; NULL when it cannot be
 * opened. */
void ground_take(struct ground *g, struct call *c, const struct cmd_common *common);
/* c->conf and roots. */
void ground_use(const struct ground *g, struct call *c);

#endif
