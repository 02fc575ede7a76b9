/*
 * sync_with_server: exchanges memories, assets and events with a server, where the machines of a
 * person and the members of a tenant meet. ikm-sync(7) describes the protocol. The store stays the
 * place that all commands read and write.
 */
#pragma once

#include "asset/asset.h"
#include "memory/memory.h"
#include "pg/pg.h"

/* What leaves the machine. */
struct remote_share {
	struct str tenant;
	unsigned layers; /* bits of enum memory_layer: sync.layers */
	bool assets;     /* sync.assets */
	/* the user, and sync.users: memories that were made here under these names are the person's
	 */
	struct strs users;
};

struct remote_ask {
	struct memories *m;
	struct assets *assets;
	struct events *events;
	struct pg *pg;
	struct remote_share share;
	/* done: rows of the phase so far; all: at most so many, 0: not known */
	void (*progress)(void *ctx, const char *phase, uint64_t done, uint64_t all);
	void *ctx;
};

#define REMOTE_COUNTS(X)                                                                           \
	X(pushed, "memories that went to the server")                                              \
	X(withdrawn, "memories that the server no longer has")                                     \
	X(pulled, "memories of other machines that were stored here")                              \
	X(removed, "memories that other machines removed")                                         \
	X(erased, "memories that their owner withdrew or purged, and that were erased here")       \
	X(hidden,                                                                                  \
	  "memories that you made private on another machine, and that are sensitive here")        \
	X(conflicts, "versions that lost; 'ikm sync conflicts' lists them")                        \
	X(waiting, "rows that could not be exchanged; the next sync tries again")                  \
	X(eventsPushed, "rows of the record that went to the server")                              \
	X(eventsPulled, "rows of the records of your other machines")                              \
	X(assetsPushed, "assets that went to the server")                                          \
	X(assetsPulled, "assets of your other machines that were stored here")                     \
	X(unwritable, "memories that were looked at now, and whose layer the role may not write")  \
	X(undecided, "memories that wait until somebody says which organisation they belong to")   \
	X(otherTenants, "memories that stay here, because another organisation has them")          \
	X(reconnected, "how often the connection was lost and made again")
struct remote_done {
#define REMOTE_COUNT(name, help) int64_t name;
	REMOTE_COUNTS(REMOTE_COUNT)
#undef REMOTE_COUNT
	bool restarted; /* the server was restored, or is another one: all was offered again */
	bool renamed;   /* this home is a copy of another one, and got a name of its own */
};
/*
 * Pulls what others changed, then pushes what changed here. Each batch is one transaction on the
 * server and one here, so an interrupted sync goes on where it was. Sending twice changes nothing.
 * An error is remembered for the status. Counts are added to *out, so a second call with the same
 * one continues after a lost connection. Errors: those of pg; NOT_ALLOWED for somebody who is no
 * member; OUT_OF_RANGE when the clock of this machine is a day or more behind that of others; those
 * of the store.
 */
struct err *remote_sync(struct arena *a, const struct remote_ask *ask,
			struct remote_done *out) MUST_USE;

/* Whether a tenant that was synced with lacks rows of the record. */
struct err *remote_has_unsent_events(struct db *db, struct arena *a, struct str tenant,
				     bool *out) MUST_USE;
/*
 * Pushes these rows alone. Does nothing when the server is not as the last sync left it: that is
 * for remote_sync() to tell. Needs m, events, pg and share of ask. Errors: as remote_sync().
 */
struct err *remote_push_events(struct arena *a, const struct remote_ask *ask) MUST_USE;
/* Remembers that it failed, for the status. */
struct err *remote_note_events_failure(struct db *db, struct arena *a, struct str tenant,
				       const struct err *e) MUST_USE;

/* A row that waits. */
struct remote_waiting {
	struct str id, reason, message;
	bool pulled;
	int64_t first, tries;
};
struct remote_waiting_list VEC(struct remote_waiting);
struct remote_layer {
	struct str layer; /* with a part that the role may not write: team:web */
	struct str why;   /* there, pending, and why they stay here */
	int64_t memories;
};
struct remote_what {
	struct str what, whose, tenant; /* tenant: only where it was said */
	int64_t memories;               /* that wait */
};
struct remote_whats VEC(struct remote_what);
struct remote_machine {
	struct str machine, name;
	int64_t synced; /* ms, when it had read and erased all; 0: not known */
	bool here;
};
/* What the store knows about the server, without asking it. */
struct remote_status {
	bool known;             /* there was a sync with a server of that tenant */
	int64_t synced, failed; /* ms; 0: never, not failed */
	struct str reason, message;
	int64_t pending; /* memories, deletions and rows of the record that wait for a push */
	int64_t sensitive, elsewhere,
		foreign;    /* memories that stay here: sensitive, of layers that
			       are not shared, changes of other people's memories */
	int64_t others;     /* memories of other people, which this server has not from here */
	int64_t elsewhose;  /* those of another tenant */
	int64_t unwritable; /* of layers that the member's role may not write */
	struct VEC(struct remote_layer) table;
	struct remote_whats unsaid; /* nobody said which tenant they belong to */
	int64_t conflicts;
	int64_t unpushed; /* times that sync.events could not push the record since the last sync */
	struct VEC(struct remote_machine) machines; /* of the person, as the last sync saw them */
	bool erasing; /* the log of the store still has something that was erased */
	struct remote_waiting_list waiting;
};
struct err *remote_status(struct db *db, struct arena *a, const struct remote_share *share,
			  struct remote_status *out) MUST_USE;
/* Remembers that a sync failed before it knew the server. */
struct err *remote_note_failure(struct db *db, struct str tenant, const struct err *e) MUST_USE;
/* The next sync offers and reads everything again. *found: there was a sync with that tenant. */
struct err *remote_reset(struct db *db, struct str tenant, bool *found) MUST_USE;

/* ---- which tenant may have what ---- */

/*
 * A push sends the memories of a layer and its identifiers, the record of changes, or the assets.
 * Each of these belongs to one tenant. While a home knows one tenant, all belong to it. When it
 * knows a second one, ikm asks once for each.
 */
#define REMOTE_RECORD "record"
#define REMOTE_ASSETS "assets"
/*
 * Assigns each; whose empty: the whole layer. tenant empty: no tenant may have it; NULL: takes the
 * answers back, so that ikm asks again.
 */
struct err *remote_assign_layers_to_tenant(struct db *db, const struct remote_whats *what,
					   const struct str *tenant) MUST_USE;
/*
 * Whether there can be an answer about that. *unknown: a sentence when its identifiers are those of
 * no memory and no answer here, which may be a slip; p NULL: they are known. Errors: BAD_ARGUMENT
 * for a part of the record or of the assets.
 */
struct err *remote_check_assignable(struct db *db, struct arena *a, const struct remote_what *one,
				    struct str *unknown) MUST_USE;
/* The answers that people gave, and those that follow from pushes to the first tenant. */
struct err *remote_list_tenant_assignments(struct db *db, struct arena *a,
					   struct remote_whats *out) MUST_USE;

/* ---- versions that lost ---- */

struct remote_lost {
	struct str member;
	const struct val *lost, *kept; /* NULL: it had none */
};
struct remote_conflict {
	int64_t number;
	struct str id, type, machine, winner;
	int64_t found;
	const struct val *lost;                 /* NULL: it was a deletion */
	struct str content;                     /* of the lost version */
	struct VEC(struct remote_lost) members; /* none: the whole version was lost */
};
struct remote_conflicts VEC(struct remote_conflict);
/* number 0: all. */
struct err *remote_conflicts(struct db *db, struct arena *a, int64_t number,
			     struct remote_conflicts *out) MUST_USE;
/*
 * Gives the memory the values that a conflict's members have lost. Errors: BAD_ARGUMENT for a whole
 * version; those of memory_edit_members() and memory_set_status().
 */
struct err *remote_conflict_take(struct memories *m, struct arena *a,
				 const struct remote_conflict *c, struct memory *out) MUST_USE;
struct err *remote_conflicts_drop(struct db *db, int64_t number, int64_t *dropped) MUST_USE;

/* ---- the records of one's other machines ---- */

struct remote_event {
	struct str machine;
	int64_t number;
	const struct val *event; /* the columns of its row */
};
struct remote_event_list VEC(struct remote_event);
/* The newest rows, at most so many. machine empty: of all. */
struct err *remote_list_received_events(struct db *db, struct arena *a, struct str machine,
					int64_t most, struct remote_event_list *out) MUST_USE;
