/*
 * file: one set of operations over files and stored assets (requirement: assets, "Unified File
 * Operations"). A path's scheme picks the backend, and nothing else differs. What a tool
 * changes is recorded and can be undone. Knows of the command line only the names of options and
 * commands in messages.
 */
#ifndef IKM_FILE_H
#define IKM_FILE_H

#include "asset/asset.h"
#include "event/event.h"
#include "os/os.h"
#include "tree/tree.h"

/* One content: what is larger is read in pieces, or not at all. */
#define FILE_BYTES_MAX ((size_t)64 << 20)

struct files {
	struct arena *a;
	const struct os_roots *roots; /* NULL: no limit */
	const char *cwd;
	struct assets *assets;
	struct events *events; /* NULL: changes are not recorded (a person's command line) */
};

struct backend;
struct file_ref {
	const struct backend *backend;
	struct str path;  /* as the backend names it */
	struct str shown; /* as the user wrote it */
};
/*
 * "src/x.c", "/abs/x.c" or "ikigai:///blocks/x.md". Errors: BAD_PATH for an empty path, a NUL byte,
 * a ".." part of an asset, another scheme ("http://"); TOO_LONG.
 */
struct err *file_ref(struct files *f, struct str text, struct file_ref *out) MUST_USE;

struct file_stat {
	enum os_kind kind;
	uint64_t size;
	uint32_t mode; /* its nine bits; 0: the backend has none */
};
struct err *file_stat(struct files *f, const struct file_ref *r, struct file_stat *out) MUST_USE;
/* FILE_NOT_FOUND, NO_SUCH_ASSET with the nearest names; NOT_A_FILE; TOO_BIG over max. */
struct err *file_read(struct files *f, struct arena *a, const struct file_ref *r, size_t max,
		      struct str *out) MUST_USE;

/*
 * To read in pieces what may be larger than memory: the caller closes it. -1 when the backend has
 * only whole contents.
 */
struct err *file_open(struct files *f, const struct file_ref *r, int *fd) MUST_USE;

/* ---- hashes (ikm-design(7), "Two hashes") ---- */

/* "text:sha256:…" over the canonical text: LF, no trailing blanks, one final newline. NOT_TEXT. */
struct err *file_text_hash(struct arena *a, struct str content, struct str *out) MUST_USE;
/*
 * A section's bytes, a slice of content, heading included: by its anchor ("concerns v1"), the
 * anchor without its version, its heading's slug, or its heading's text in any case of ASCII
 * letters; the first of several. NO_SUCH_SECTION with the names that there are; NOT_TEXT; errors of
 * md_sections().
 */
struct err *file_section(struct arena *a, struct str content, struct str anchor,
			 struct str *out) MUST_USE;

/* ---- what a change makes of a text; these touch no file ---- */

enum file_ends { FILE_ENDS_NONE, FILE_ENDS_LF, FILE_ENDS_CRLF, FILE_ENDS_MIXED };
/* NONE: it has a NUL, or no line end. */
enum file_ends file_ends(struct str text);

struct file_edit {
	struct str old, new;
	bool all;   /* every place, not the only one */
	bool exact; /* the bytes as they are given: no line ends are adapted */
};
struct file_edited {
	size_t count;        /* places */
	enum file_ends ends; /* LF, CRLF: the given texts had others, and got these of the file */
	bool mixed;          /* the result has both, and line ends were put in as they were given */
};
/*
 * Exact bytes; but lines typed with LF match the lines of a file that has only CR LF, and the new
 * text gets these ends, and the other way around. Errors: NO_SUCH_TEXT with the nearest line and
 * what differs in it; NOT_UNIQUE with the line numbers of the places, which may overlap;
 * BAD_ARGUMENT when old is empty or is new; TOO_BIG over FILE_BYTES_MAX.
 */
struct err *file_edit_text(struct arena *a, struct str content, const struct file_edit *edit,
			   struct str *out, struct file_edited *done) MUST_USE;
/*
 * Behind the content, on a line of its own, with the line ends of the content; exact: as it is.
 * Nothing changes nothing. Never p NULL.
 */
struct str file_append_text(struct arena *a, struct str content, struct str text, bool exact,
			    struct file_edited *done);

/* ---- changes ---- */

struct file_write {
	const char *op;      /* "write", "edit": for the event and the former version */
	struct str if_match; /* p NULL: none; "none": it must not exist; else either hash */
	unsigned flags;      /* enum os_write_flag */
	struct str undoes;   /* an event's id, or empty */
};
struct file_done {
	struct str hash; /* after; empty: it is gone */
	struct str before;
	size_t size;
	bool created, changed;
	struct str event; /* its id, or empty */
	struct strs warnings;
};
typedef struct err *file_fn(void *ctx, struct arena *a, const struct str *old, struct str *new);
/* ctx is a struct str: it takes the place of whatever is there. */
file_fn file_replace;
/*
 * The one way to change a content: under the backend's lock it is read, compared with if_match,
 * given to fn (old NULL: there is none), recorded, written. new->p NULL removes it. What stays the
 * same is not written and not recorded. Errors: CHANGED with the current hash in the details; those
 * of fn, of the backend and of the record: then nothing was changed.
 */
struct err *file_change(struct files *f, const struct file_ref *r, const struct file_write *w,
			file_fn *fn, void *ctx, struct file_done *out) MUST_USE;
struct err *file_mkdir(struct files *f, const struct file_ref *r, bool *made) MUST_USE;
/* Both of one backend. */
struct err *file_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
		      unsigned flags) MUST_USE;

/*
 * The same as what w says: its op and what it undoes are recorded, and if_match is for `from`. Of
 * out counts the event, and what the content is when there is one or if_match was given.
 */
struct err *file_move_as(struct files *f, const struct file_ref *from, const struct file_ref *to,
			 const struct file_write *w, struct file_done *out) MUST_USE;
/*
 * The same, and fn gives the content that it is to have under the new name, recorded as one event:
 * undoing that restores name and text. w->flags may hold OS_MODE(). A process that dies in between
 * may leave the former content under the new name, with an open event that can be undone.
 */
struct err *file_move_change(struct files *f, const struct file_ref *from,
			     const struct file_ref *to, const struct file_write *w, file_fn *fn,
			     void *ctx, struct file_done *out) MUST_USE;

/* ---- walking: list, glob, search ---- */

struct file_walk {
	bool all;       /* also what .gitignore names */
	bool folders;   /* tell of folders too, as TREE_FOLDER */
	unsigned depth; /* 1: only what is in the folder itself; 0: no limit */
	/* What may not be read is told here and left out; NULL: it is an error. */
	void (*trouble)(void *ctx, struct str path, const struct err *e);
	void *ctx;
};
/* file_ref() of what may be a folder: the top of the store ("ikigai:///") too. */
struct err *file_place(struct files *f, struct str text, struct file_ref *out) MUST_USE;
/*
 * What is below a folder of either backend, inside the roots. A file: a tree of that one file, and
 * *file is true. Submodules and nested repositories are entered, ".git" is not; links are entries,
 * and only r itself may be one that is followed. What Git ignores is left out, by the rules of
 * folders above r too; r itself may be ignored. Trees of assets are read by one thread at a time.
 * Errors: FILE_NOT_FOUND, NO_SUCH_ASSET, NOT_A_FILE, OUTSIDE_ROOTS, PERMISSION.
 */
struct err *file_tree(struct files *f, const struct file_ref *r, const struct file_walk *w,
		      struct tree **out, bool *file) MUST_USE;
/* A path of that tree as the user would name it. */
struct str file_shown(struct arena *a, const struct file_ref *r, bool file, struct str path);

#endif
