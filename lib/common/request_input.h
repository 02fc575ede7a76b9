/* request_input: what the commands over tools' requests work with. */
#ifndef IKM_COMMON_REQUEST_INPUT_H
#define IKM_COMMON_REQUEST_INPUT_H

#include "memories.h"
#include "request/request.h"

/* As mem_open(). */
struct err *requests_open(struct call *c, struct requests **out) MUST_USE;
/*
 * On a command line the object is in a file ("-" or none: standard input): its members by the
 * command's own table into args, in which the defaults are set.
 */
struct err *request_from_file(struct call *c, struct str file, void *args) MUST_USE;

/* agent_context in requests and responses (requirement: memory queries). */
struct agent_context {
	struct str agent_id, task_id, plan_id;
	struct strs rest; /* names of members that it should not have */
};
extern const struct param agent_context_params[];
/* As it was given. */
extern const struct field agent_context_fields[];

#endif
