/*
 * transfer: memories as JSON lines, out and in, with nothing lost and nothing doubled (memory.md).
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
	int64_t tombstones; /* deletions */
};
/*
 * fd: JSON lines as memory_val() writes them; only content must be there. A line without an id gets one
 * made from its number and its bytes, so that the same input again adds nothing: whoever was
 * interrupted starts anew. Stored in batches, each all or none, durable. A line that is wrong ends it
 * with its number; what was before it in earlier batches stays (the message says how many).
 */
struct err *memory_import(struct memories *m, int fd, const char *name,
			  const struct memory_import *how, struct memory_imported *out) MUST_USE;

#endif
