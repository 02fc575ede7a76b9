/*
 * foreign: the memories of other programs, as lines for memory_import(). foreign.py reads them; it
 * is a part of ikm, and python3 runs it.
 */
#pragma once

#include "memory/import_export.h"

/*
 * mcp: lines of the MCP reference memory server: entities and relations.
 * mem0: what mem0's get_all() returns, as JSON.
 * notes: Markdown with observations and relations, as basic-memory writes it, or plain sections, as
 * in a folder of an agent's memory.
 */
#define MEMORY_FORMATS(X)                                                                          \
	X(MEMORY_OWN, "ikm")                                                                       \
	X(MEMORY_MCP, "mcp")                                                                       \
	X(MEMORY_MEM0, "mem0")                                                                     \
	X(MEMORY_NOTES, "notes")
enum memory_format { MEMORY_FORMATS(ENUM_MEMBER) };
extern const char *const memory_formats[];

/* Limit of a foreign file in bytes: it is read as a whole. */
#define MEMORY_FOREIGN_MAX ((size_t)64 << 20)
/* What memory_foreign_format() looks at. */
#define MEMORY_FOREIGN_HEAD ((size_t)16 * 1024)

/* What could not be taken over. */
struct memory_left {
	struct str file;
	int64_t line; /* from 1; 0: the whole file */
	struct str what;
	bool whole; /* a memory, and not only a member of one */
};
extern const struct field memory_left_record[];
#define MEMORY_LEFT_MOST ((size_t)1000) /* are listed; others are only counted */

struct memory_foreign {
	struct str lines; /* for memory_import() */
	struct VEC(struct memory_left) left;
	size_t all, whole; /* how many there are; of these, memories */
};

/* The format of a file, by its name and its first bytes; OWN when it is none of the others. */
enum memory_format memory_foreign_format(struct str name, struct str head);
/*
 * Reads a file from its descriptor, or the folder `path` when fd is -1. name: as the memories'
 * source has it. The same input gives the same ids, so a second import adds nothing. What cannot be
 * taken over is in f->left. Errors: NO_PROGRAM without python3, PROGRAM_FAILED, BAD_ARGUMENT for a
 * folder without Markdown files.
 */
struct err *memory_foreign_format_read(struct arena *a, enum memory_format format, struct str path,
				       int fd, const struct memory_import *how,
				       struct memory_foreign *f) MUST_USE;
