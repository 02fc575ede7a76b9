/* sync_common: what the sync commands share: the server of a call, by the person's settings, and
 * the caller's sources of knowledge. */
#pragma once

#include "app/app.h"
#include "memory/memory.h"
#include "pg/pg.h"
#include "sync/knowledge_pointers.h"
#include "sync/sync_with_server.h"

/*
 * Connects to the server that the settings sync.* name; a repository cannot set them. Errors: those
 * of pg_open().
 */
struct err *sync_connect(struct call *c, struct pg **out) MUST_USE;
/* Whether the settings name a server, or an organisation on one. libpq's own variables do not
 * count: they are for other programs, too. */
bool sync_is_set_up(const struct call *c);
/* The setting sync.tenant. Errors: NOT_CONFIGURED. */
struct err *sync_tenant(struct call *c, struct str *out) MUST_USE;
/* What the settings sync.* let leave the machine. The tenant is empty when none is named. */
struct remote_share sync_share_settings(struct call *c, struct str user);
extern const struct field sync_what_fields[];
/* What waits, the question, and the command that answers it. */
struct str sync_tenant_question_text(struct arena *a, struct str tenant,
				     const struct remote_whats *what);
/*
 * With sync.events = auto, sends what the call has added to the record of changes, within 200 ms. A
 * failure is remembered for the status, and told nowhere else. After the answer of the call.
 */
void sync_send_events(struct call *c);
/*
 * Connects, and exchanges everything with the server. A lost connection is made again, a few times
 * and with growing waits; progress tells it as the phase "reconnect". Syncs of one home wait for
 * each other: LOCKED after sync.timeout. Errors: those of sync_connect() and remote_sync(), which
 * the store remembers for the status.
 */
struct err *sync_exchange(struct call *c, struct memories *m,
			  void (*progress)(void *ctx, const char *phase, uint64_t done,
					   uint64_t all),
			  void *ctx, struct remote_done *out) MUST_USE;

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
