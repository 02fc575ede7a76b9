/* name_sources_for_sync: what a sync of knowledge needs to know about the caller's sources. */
#pragma once

#include "app/app.h"
#include "sync/knowledge_pointers.h"

/*
 * Loads the knowledge of the current folder, opens the memories, and names the sources. Sources
 * that cannot be read are in out->missing. Errors: those of the settings and of Git.
 */
struct err *sync_open_sources(struct call *c, struct sync_ask *out) MUST_USE;

/* Rows of a list of failures, and its text. */
extern const struct field sync_failure_fields[];
#define TEMPLATE_FAILURES                                                                          \
	"{2:{/failed%10:{~'failed'}{?!file=message: {file}:} {message}\n}"                         \
	"{?#failed>10:{#failed-10} more failed; --json lists all\n}}"
