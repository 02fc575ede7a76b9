/* client: facts about a server's client. struct call points to it while the server makes a call for
 * the client. NULL there: the person or the program that started ikm makes the call. */
#ifndef IKM_APP_CLIENT_H
#define IKM_APP_CLIENT_H

#include "app.h"

struct fit;
struct tool;

struct client {
	/* The client names the folders that tools may use, as absolute paths. */
	bool has_roots;
	struct strs roots;
	/* Settings and roots of an earlier call of this process that are still valid; or NULL. */
	const struct session_cache *cache;
	/* The server's process; the denials of a rule are counted in it. */
	struct str session;
	/* The limit of an answer's length; NULL: none. */
	const struct fit *fit;
	/* Whether this tool can be called here: ikm's own, or a program. */
	bool (*offers)(const void *offer, const struct cmd *own, const struct tool *program);
	/* Whether this tool is not listed, and called through another tool. NULL: all are listed.
	 */
	bool (*reaches)(const void *offer, const struct cmd *own);
	const void *offer;
};

#endif
