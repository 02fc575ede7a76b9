/* internal: declarations for the files of lib/memory/sync only. */
#pragma once

#include "sync/knowledge_pointers.h"

/* ---- make_knowledge_pointer.c ---- */

/* The id of the memory that points to an item: made of the source's key, layer, owner and id. */
struct str sync_knowledge_pointer_id(struct arena *a, struct str source,
				     const struct kn_item *item);
/*
 * The pointer of an item, without its scope. synced: when its content was last stored, ms. The text
 * is the title, the summary, what it is and whether it holds, and the reasons of at most
 * SYNC_REASONS blocking rules.
 */
#define SYNC_REASONS 3
struct memory sync_pointer_new(struct arena *a, struct str source, const struct kn_item *item,
			       int64_t synced);
/* The time in a pointer's metadata; 0: none. */
int64_t sync_knowledge_pointer_time(struct arena *a, const struct memory *pointer);
/* The metadata of a pointer whose item is gone. */
struct str sync_metadata_mark_orphaned(struct arena *a, const struct memory *pointer);

/* ---- knowledge_sync_state.c: the tables of sync; writing within a transaction ---- */

struct sync_item {
	struct str id; /* of its pointer */
	struct str item, path;
	enum kn_layer layer;
	enum kn_type type;
};
struct sync_items VEC(struct sync_item);
/* The items of a source that have a pointer. */
struct err *sync_items_with_pointer(struct db *db, struct arena *a, struct str source,
				    struct sync_items *out) MUST_USE;
/* Remembers what a sync of the place found out: failures, sources, totals. */
struct err *sync_record_outcome(struct arena *a, const struct sync_ask *ask,
				const struct sync_done *done) MUST_USE;
/* Whether an item of that layer and type is asked for; -1: it is no item, and always is. */
bool sync_wants(const struct sync_ask *ask, int layer, int type);
