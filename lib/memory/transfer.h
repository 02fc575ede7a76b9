/*
 * transfer: memories as JSON lines, out and in, with nothing lost and nothing doubled.
 */
#ifndef IKM_MEMORY_TRANSFER_H
#define IKM_MEMORY_TRANSFER_H

#include "memory/memory.h"

struct memory_import {
	enum memory_layer layer; /* of lines that name none */
	enum memory_kind kind;   /* the same */
	bool dry_run;            /* only look whether every line can be read */
	/* bytes read of all (0: not known), memories stored */
	void (*progress)(void *ctx, uint64_t done, uint64_t all, int64_t stored);
	void *ctx;
};
struct memory_imported {
	int64_t added;
	int64_t existing;   /* ids that were there, or exact repeats */
	int64_t tombstones; /* deletions that were not known */
	int64_t pointers;   /* knowledge pointers, which only sync makes: left out */
	int64_t differing;  /* exact repeats of which some member did not change what was there */
	int64_t lines; /* that were read, but for blank ones; more than the others together when
			  not all could be stored */
};
/*
 * Every memory in the scopes of these layers (bits: 1 << layer; 0: all whose identifiers are known)
 * by id; then what was deleted, as memoryId, layer and deletedAt. The rows say what to show. All of
 * one state of the store; memory does not grow with the rows. fn's error ends it. Damaged rows and
 * pages are passed over: db_damaged() says which memories are missing.
 */
typedef struct err *memory_export_fn(void *ctx, struct arena *a, const struct field *rows,
				     const struct memory *one);
struct err *memory_export(struct memories *m, unsigned layers, memory_export_fn *fn,
			  void *ctx) MUST_USE;

/*
 * fd: JSON lines as memory_export() gives them; only content must be there. A line without an id
 * gets one made from its number and its bytes, so that the same input again adds nothing: whoever
 * was interrupted starts anew. What has an id that is there is passed over, also when that one was
 * deleted; an exact repeat of an active fact or semantic memory is added to it (memory_add()). The
 * scope is that which the line's layer has for who asks. Stored in batches, each all or none,
 * durable. A line that is wrong ends it; what was before it in earlier batches stays (the message
 * says how many).
 *
 * Errors: those of json and memory_add(), EXISTS for an id with another content, OUT_OF_RANGE for
 * times of making and changing that have not been yet; they begin with "line N", and name the
 * member.
 */
struct err *memory_import(struct memories *m, int fd, const char *name,
			  const struct memory_import *how, struct memory_imported *out) MUST_USE;

#endif
