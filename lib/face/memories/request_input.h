/* request_input: opens struct requests, and reads a request's object from a file. */
#pragma once

#include "memories.h"
#include "request/request.h"

/* As mem_open(). */
struct err *requests_open_memories(struct call *c, struct requests **out) MUST_USE;
/* Reads the object from a file ("-" or empty: standard input) into args, by the table of the
 * command. args must hold the defaults. */
struct err *request_from_file(struct call *c, struct str file, void *args) MUST_USE;

/* agent_context in requests and responses (requirement: memory queries). */
struct agent_context {
	struct str agent_id, task_id, plan_id;
	struct strs rest; /* names of unknown members */
};
extern const struct param agent_context_params[];
/* The fields that repeat the context in an answer. */
extern const struct field agent_context_fields[];
