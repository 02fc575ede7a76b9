/* server_answer: a tool's result as the answer to tools/call. */
#ifndef IKM_SERVER_ANSWER_H
#define IKM_SERVER_ANSWER_H

#include "common/result_fit.h"
#include "internal.h"

struct server_answer {
	const struct fit *fit;
	const struct cmd *cmd;    /* NULL: the answer is a program's */
	const struct val *schema; /* of a program's parameters; may be NULL */
	const struct val *input;  /* the arguments of the call */
	bool failed;              /* it is an error's envelope */
};
/* Sets m->result. Cuts v in place. */
void server_answer_set(struct mcp_call *m, const struct server_answer *an, struct val *v);

#endif
