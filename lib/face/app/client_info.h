/* client_info: facts about a server's client. struct call points to it while the server makes a
 * call for the client. NULL there: the person or the program that started ikm makes the call. */
#pragma once

#include "app.h"

struct fit;
struct request_cache;
struct tool;

struct client {
	/* The client names the folders that tools may use, as absolute paths. */
	bool has_roots;
	struct strs roots;
	/* Settings and roots of an earlier call of this process that are still valid; or NULL. */
	const struct session_cache *cache;
	/* The store, which stays open from one call of this process to the next; or NULL. */
	struct db *store;
	/*
	 * Names the client's connection, which is a conversation: the session of its memories, and
	 * of the count of a rule's denials, unless the setting session names one.
	 */
	struct str session;
	/* The client's name, as it says itself. */
	struct str name;
	/* Results of earlier memory queries; or NULL. */
	struct request_cache *queries;
	/* The limit of an answer's length; NULL: none. */
	const struct fit *fit;
	/* Whether this tool can be called here: ikm's own, or a program. */
	bool (*offers)(const void *offer, const struct cmd *own, const struct tool *program);
	/* Whether this tool is not listed, and called through another tool. NULL: all are listed.
	 */
	bool (*reaches)(const void *offer, const struct cmd *own);
	const void *offer;
};

/* The conversation of a call: the setting session, else that of the host or of the client. Needs
 * c->conf. */
struct str client_session(const struct call *c);
/* Whether an agent makes the call: it calls a tool, or gives a command in the shell of its host. */
bool client_is_agent(const struct call *c);
