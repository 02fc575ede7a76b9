/*
 * import_export: exports memories as JSON lines, and imports them, without loss and without
 * duplicates.
 */
#pragma once

#include "event/ulid.h"
#include "memory/memory.h"

struct memory_import {
	enum memory_layer layer; /* of lines without a layer */
	enum memory_kind kind;   /* of lines without a kind */
	struct str text;         /* the lines; p NULL: they are read from the descriptor */
	bool dry_run;            /* only check that every line can be read */
};
struct memory_imported {
	int64_t added;
	int64_t existing;   /* lines whose id exists, and exact repeats */
	int64_t tombstones; /* new deletions */
	int64_t pointers;   /* knowledge pointers: skipped, because only sync makes them */
	int64_t rejected;   /* lines that repeat a rejected memory: skipped */
	int64_t differing;  /* exact repeats with a member that differs and was not taken */
	int64_t circular;   /* memories that supersede nothing, because it replaced them */
	int64_t others;     /* deletions of memories outside the caller's scopes: those stay */
	/* lines read, except blank ones; with dry_run only they and pointers are counted */
	int64_t lines;
	char event[ULID_LENGTH +
		   1]; /* of the import; empty: it stored nothing, or no record is kept */
};
/*
 * Calls fn for each memory in the scopes of these layers, by id, then for each tombstone. layers:
 * bits 1 << layer; 0: all whose identifiers are known. all: the scopes of every project, agent,
 * conversation and user; without it *others counts the memories in scopes that are not the
 * caller's. rows: the members to show; for a tombstone memoryId, layer and deletedAt. All of it is
 * one state of the store. The use of memory does not grow with the rows. An error of fn ends the
 * export. Damaged rows and pages are skipped; db_damage_so_far() says which memories are missing.
 */
typedef struct err *memory_export_fn(void *ctx, struct arena *a, const struct field *rows,
				     const struct memory *one);
struct err *memory_export(struct memories *m, unsigned layers, bool all, memory_export_fn *fn,
			  void *ctx, int64_t *others) MUST_USE;

/*
 * Imports JSON lines as memory_export() gives them; only content is required. A line without an id
 * gets an id made from its number and bytes, so the same input again adds nothing. After an
 * interruption, import the whole input again. A line whose id exists is skipped, also if that
 * memory was deleted. An exact repeat of an active fact or semantic memory is merged into it, as in
 * memory_add(). The scope is the caller's scope of the line's layer. Each batch is stored durably,
 * all or none. With m->events the import is one event, which memory_undo_event() takes back. A
 * memory that the undo of an import deleted is added again. A wrong line ends the import; earlier
 * batches stay, and the message counts them.
 *
 * Errors: those of json and memory_add(); EXISTS for an id with another content; OUT_OF_RANGE for
 * times of creation or change that lie in the future. They begin with "line N" and name the member.
 */
struct err *memory_import(struct memories *m, int fd, const char *name,
			  const struct memory_import *how, struct memory_imported *out) MUST_USE;
