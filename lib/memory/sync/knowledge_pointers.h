/*
 * knowledge_pointers: keeps one pointer memory for each knowledge item, so that one search finds
 * decisions and memories together (requirement: memory and knowledge, "Sync Tools"). ikm-sync(1)
 * describes it.
 */
#pragma once

#include "knowledge/knowledge.h"
#include "memory/memory.h"

/* How long the note that a sync took place waits for another writer. */
#define SYNC_NOTE_MS 10000

/* A source of knowledge that was read. */
struct sync_source {
	const struct kn_source *source;
	/*
	 * Its repository (origin as HOST/PATH, else root commit, else "file:" and the path), a
	 * colon, and its folder: the same on every machine that has the repository.
	 */
	struct str key;
	struct str commit; /* of its repository; empty: unknown */
};

struct sync_ask {
	struct memories *m;
	const struct knowledge *k;
	struct VEC(struct sync_source) sources; /* every source of k->configured */
	struct strs missing;                    /* sources that cannot be read: a message each */
	struct str place;       /* the repository's folder on this machine; empty: no repository */
	unsigned types, layers; /* bits of enum kn_type and enum kn_layer; 0: all */
	bool force;             /* store every pointer again */
	bool dry;               /* only find out what is pending; nothing is stored */
	uint64_t began;         /* os_ticks() when the sync began */
	void (*progress)(void *ctx, uint64_t done, uint64_t all);
	void *ctx;
};

struct sync_counts {
	int64_t added, updated, deleted, unchanged, failures;
};

/* An item that could not be synced. The next sync tries again. */
struct sync_failure {
	struct str path; /* of the item's file, as shown; of a missing source the message */
	struct str item; /* its id, or empty: the file gave no item */
	int layer, type; /* -1: there is no item */
	struct str reason, message;
	int64_t first; /* when it failed first, ms */
	int64_t tries; /* how many syncs tried */
};
struct sync_failures VEC(struct sync_failure);

struct sync_done {
	struct sync_counts counts;
	int64_t duration_ms;
	struct sync_failures failed;
};

/*
 * Compares the items with their pointers, and stores the differences. All changes of one item are
 * one transaction. A bad item is a failure, and the others go on; its pointer stays as it is. What
 * lies outside the types and layers stays as it is, and so do pointers of sources that this place
 * does not read. Errors: those of the store, such as NO_SPACE and LOCKED; what was stored before
 * stays, and the next sync completes it.
 */
struct err *sync_knowledge_into_store(struct arena *a, const struct sync_ask *ask,
				      struct sync_done *out) MUST_USE;

/* What earlier syncs of a place did. */
struct sync_history {
	int64_t runs, changes, duration_ms;
	int64_t last; /* ms; 0: never */
};
struct err *sync_history_read(struct db *db, struct str place, struct sync_history *out) MUST_USE;
/* The failures of the last sync of that place. */
struct err *sync_failures_of(struct db *db, struct arena *a, struct str place,
			     struct sync_failures *out) MUST_USE;
/* A source that the place has synced, and the commit up to which no item failed. */
struct sync_known {
	struct str source, commit; /* commit empty: none yet */
	bool shared;               /* another place, whose folder is still there, reads it too */
};
struct sync_known_list VEC(struct sync_known);
struct err *sync_known_sources(struct db *db, struct arena *a, struct str place,
			       struct sync_known_list *out) MUST_USE;

/* How long ago that was, for people: "never", "just now" within a minute, "5 minutes", "3 days". */
struct str sync_time_ago(struct arena *a, int64_t then, int64_t now);
