/*
 * agent: answers the hook events of agents' hosts. Before an edit it judges the file as it would
 * be; after shell commands and at the end of a turn, the working tree; at the start of a session
 * it tells the decisions. Which hosts there are, and how each reads an answer, is lib/host's; how a
 * rule is judged is check's.
 *
 * It guards against mistakes and is no sandbox: a program that an agent starts can write anything.
 * So what cannot be understood is not denied, and what passes here is judged again by Git's hooks.
 */
#ifndef IKM_AGENT_H
#define IKM_AGENT_H

#include "check/judge.h"
#include "host/host.h"

struct agent_call {
	struct str input;     /* the event, as the host wrote it */
	enum host by_default; /* --host; HOST_UNKNOWN: none */
	struct str event;     /* --event, or empty */
	struct strs set;      /* -c key=value */
	const char *cwd;      /* where the host started ikm */
	/* The text of `ikm context`, asked at the start of a session; may be empty. */
	struct err *(*pinned)(void *ctx, struct arena *a, struct str *out);
	void *ctx;
};
/*
 * Never fails: trouble is told as context where the host has a place for it, and the tool runs.
 */
void agent_run(struct arena *a, const struct agent_call *c, struct host_answer *out);

#endif
