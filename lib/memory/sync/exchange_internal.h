/* exchange_internal: declarations for the files of lib/memory/sync that talk to the server. */
#pragma once

#include "sync/sync_with_server.h"
#include "sync/knowledge_pointers.h"

/* A hybrid logical clock: ms since 1970, and 16 bits that count. */
#define CLOCK_BITS 16
/* How far a clock may be ahead; the server's trigger has the same limit. */
#define CLOCK_AHEAD DAY_MS

/* The row of sync_remotes; the members are its columns. */
struct remote {
	int64_t id;
	struct str cluster, layers, shared, nonce, next_nonce;
	int64_t assets, pushed, pushed_events, pulled, pulled_assets, pulled_events, offer;
	int64_t synced, failed;
	struct str reason, message;
};

/* The machine's name for rows of its record from this one. */
struct machine_name {
	int64_t first;
	struct str machine;
};

/* Temporary tables of the server. */
enum exchange_table { TABLE_MEMORIES, TABLE_ASSETS, TABLE_EVENTS };

struct exchange {
	struct arena *a;
	const struct remote_ask *ask;
	struct remote_done *out;
	struct remote now;
	struct str machine, login;
	struct strs layers; /* of the member, as the server has them */
	int64_t last;       /* the number of the tenant when the sync began, and after each push */
	struct VEC(struct machine_name) names;
	struct str users;    /* of the share, as a JSON list */
	struct str label;    /* the name of the machine, for people */
	struct str machines; /* of the person, as the server has them: a JSON list */
	bool unseen;         /* the server has not heard of this machine for an hour */
	bool alone;          /* the home knows no other tenant */
	struct {
		struct str what, whose; /* what p NULL: none */
		enum tenant_right { TENANT_OURS, TENANT_OTHERS, TENANT_UNSAID } right;
		bool said;
	} right;         /* of the last row that was looked at */
	bool has_nonce;  /* next_nonce is stored here, so the server may have it */
	bool refused;    /* the server has newer rows: pull again */
	unsigned tables; /* bits of enum exchange_table: those that the connection has */
	const char *phase;
	uint64_t told; /* rows of the phase that progress has told */
};

/* ---- sync_with_server.c ---- */

/* Tells n more rows of the phase, of which at most `left` follow; -1: that is not known. */
void exchange_tell_progress(struct exchange *x, const char *phase, uint64_t n, int64_t left);
/* Stores x->now, within a transaction. */
struct err *exchange_save_state(struct exchange *x) MUST_USE;
/* The clock of a change at that time of a row whose former clock is known; 0: none. */
int64_t exchange_clock(int64_t ms, int64_t former);
/* A hash of a row's text, for the store. */
int64_t exchange_row_hash(struct str text);
/* Keeps a row for the next sync, within a transaction. */
struct err *exchange_postpone_row(struct exchange *x, struct str id, bool pulled,
				  enum err_reason reason, const char *message) MUST_USE;
/* Whether what waits is a memory, and not the path of an asset. */
bool exchange_id_is_memory(struct str id);
/* Keeps a version that lost, within a transaction. lost p NULL: it was a deletion. */
struct lost_version {
	struct str id, machine, winner, text;
	struct str members; /* JSON: the members that differ; empty: a whole version */
	const char *type;
	int64_t clock;
};
struct err *exchange_keep_lost_version(struct exchange *x,
				       const struct lost_version *lost) MUST_USE;
/* Whether the member may write rows of that layer and owner. */
bool exchange_may_write(const struct exchange *x, struct str layer, struct str whose);

/* Whether a memory that no server gave as another person's was made by this one. */
bool exchange_memory_is_own(const struct exchange *x, const struct memory *one);

/* Why a row of the server has no text; NULL there: deleted, by an older ikm. */
#define GONE_DELETED   "deleted"
#define GONE_WITHDRAWN "withdrawn"
#define GONE_PURGED    "purged"
/* In the table meta: 1 while the log of the store may still have what a pull has erased. */
#define ERASING "sync erasing"

/* ---- tenant_assignments.c ---- */

/* Whether that may go to the tenant of this sync. */
struct err *tenant_may_receive(struct exchange *x, struct str what, struct str whose,
			       enum tenant_right *out) MUST_USE;
/* Remembers that it did, within a transaction. While the home is alone nobody needs to say so. */
struct err *tenant_remember_sent(struct exchange *x, struct str what, struct str whose) MUST_USE;

/* ---- what a remote holds ---- */

/* What a remote holds of a memory. */
struct held {
	bool known;
	int64_t doc, clock, hash;
	struct str machine, owner;
};
/* With `added`, what is known already stays as it is, and *added is false. */
struct err *exchange_cached_remote_row_put(struct exchange *x, struct str id, const struct held *h,
					   bool *added) MUST_USE;

/* ---- push.c, pull.c, events.c, assets.c ---- */

struct err *push_memories(struct exchange *x) MUST_USE;
/* anyway: the server may have more rows than x->last says. */
struct err *pull_memories(struct exchange *x, bool anyway) MUST_USE;
struct err *push_events(struct exchange *x) MUST_USE;
struct err *pull_events(struct exchange *x) MUST_USE;
struct err *push_assets(struct exchange *x) MUST_USE;
struct err *pull_assets(struct exchange *x) MUST_USE;
/* Stores the nonce of this sync, before the server has it: its answer may be lost. */
struct err *push_store_nonce(struct exchange *x) MUST_USE;
/* The numbers behind `first` are this machine's own: what read up to `first` may skip them. */
void push_skip_own_numbers(struct exchange *x, int64_t first, size_t n);
/* Makes a temporary table, once. A sync that pushes nothing makes none. */
struct err *push_make_temp_table(struct exchange *x, enum exchange_table which) MUST_USE;
/* Begins a transaction that gives numbers to n rows: the first gets *first + 1. */
struct err *push_reserve_numbers(struct exchange *x, struct arena *a, size_t n,
				 int64_t *first) MUST_USE;
