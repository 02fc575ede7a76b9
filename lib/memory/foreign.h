/*
 * foreign: reads the memories of other programs, and writes them as lines for memory_import(). The
 * same input gives the same ids, so a second import adds nothing. It knows no file and no store.
 */
#ifndef IKM_MEMORY_FOREIGN_H
#define IKM_MEMORY_FOREIGN_H

#include "memory/transfer.h"

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

/* What could not be taken over. */
struct memory_left {
	struct str file;
	int64_t line; /* from 1; 0: the whole file */
	struct str what;
};
extern const struct field memory_left_record[];
#define MEMORY_LEFT_MOST ((size_t)1000) /* are listed; others are only counted */

struct memory_foreign {
	struct arena *a;
	const struct memory_import *how; /* layer and kind of the memories */
	struct buf lines;                /* for memory_import() */
	struct {
		struct memory_left *p;
		size_t n, cap;
	} left;
	size_t all, whole; /* how many there are; of these, memories and not only a member of one */

	struct str file, text; /* which is being read */
	int64_t created;       /* ms: its time, for what tells no time */
};
void memory_foreign_start(struct memory_foreign *f, struct arena *a,
			  const struct memory_import *how);
/* The format of a file, by its name and content; OWN when it is none of the others. */
enum memory_format memory_foreign_guess(struct arena *a, struct str name, struct str text);
/* True when the first line, with its end in `head`, says OWN: the rest need not be read. */
bool memory_foreign_begins_own(struct arena *a, struct str name, struct str head);
/*
 * Adds the memories of a file. name: as the memories' source has it; it has the folder's names
 * below the folder that is imported. created: ms, the file's time, for what tells no time. Nothing
 * is an error: what cannot be read is in f->left.
 */
void memory_foreign_read(struct memory_foreign *f, enum memory_format format, struct str name,
			 struct str text, int64_t created);

/* ---- for the files of this part ---- */

/* Notes that something at this offset of the file was left out. */
PRINTF(4, 5)
void foreign_leave(struct memory_foreign *f, size_t at, bool whole, const char *fmt, ...);
/* A memory with the defaults of the import. */
struct memory foreign_memory(const struct memory_foreign *f);
/* Adds a memory. key: what it has in the other program, and has again the next time. */
void foreign_add(struct memory_foreign *f, size_t at, struct str key, struct memory *one);
/* The text without line breaks, as a tag or a name may have it. */
struct str foreign_name(struct arena *a, struct str text);
void foreign_read_mcp(struct memory_foreign *f, struct str text);
void foreign_read_mem0(struct memory_foreign *f, struct str text);
void foreign_read_notes(struct memory_foreign *f, struct str text);

#endif
