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
	const struct file_policy *policy; /* NULL: nobody judges */
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
/* The stored asset of a path that asset_path() gave. */
struct file_ref file_asset(struct files *f, struct str path);

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

/*
 * A change is a value: begin locks and reads, the caller computes, commit writes.
 *   TRY(file_begin(f, &ref, &w, &c));
 *   e = compute(c->a, c->old, &new);
 *   return e ? file_drop(c, e) : file_commit(c, new, &done);
 * Commit and drop end the change; a change that neither of them ended is dropped with f->a.
 *
 * Begin locks the folders of files (flock), and opens the store's write transaction for assets. So
 * nothing may wait for the outside before commit: in test builds, running a program, reading
 * standard input and another begin are a BUG. A file may not be changed within an open transaction
 * of the store, or its event would not be durable before it: a BUG too.
 *
 * Locks are taken in this order: the garden's, folders by device and inode, the store, Git's index.
 */
struct file_write {
	const char *op;      /* "write", "edit": for the event and the former version */
	struct str if_match; /* p NULL: none; "none": it must not exist; else either hash */
	unsigned flags;      /* enum os_write_flag */
	struct str undoes;   /* an event's id, or empty */
	bool existing;       /* something must be there: else the error that a read would give */
};
struct file_done {
	struct str hash; /* after; empty: it is gone */
	struct str before;
	size_t size;
	bool created, changed;
	struct str event; /* its id, or empty */
	struct strs warnings;
};

/* One file or asset of a change. The caller sets the first members, begin the others. */
struct file_item {
	struct file_ref ref;
	bool parents;  /* make the folders that are missing; drop removes them again */
	bool optional; /* where its folder is missing, nothing is there, and nothing is locked */
	bool itself;   /* of a final symbolic link that link: for moves */
	bool unread;   /* only whether something is there */

	bool there;
	struct str content; /* p NULL: nothing is there, or it is unread */
	struct str hash;    /* once file_item_hash() was asked */
	uint32_t mode;      /* its nine bits; 0: the backend has none */
	struct str where;   /* the absolute path, or the URI: as events name it */
	void *place;        /* the backend's */
};
struct file_change {
	struct files *f;
	struct arena *a; /* ends with the change */
	struct file_item *p;
	size_t n;
	struct file_write w; /* of one file */
	struct str old;      /* the content of the first item */
	struct db_txn *txn;  /* of assets; NULL: none, or it is a part of an open one */
};

/*
 * One file. Errors: CHANGED with the current hash in the details, BAD_ARGUMENT for an if_match that
 * is no hash, EXISTS with OS_EXCLUSIVE; those of the backend.
 */
struct err *file_begin(struct files *f, const struct file_ref *r, const struct file_write *w,
		       struct file_change **out) MUST_USE;
/* A move of one file within its backend; if_match is for `from`. `keeps` false: its content will be
 * another one. FILE_NOT_FOUND, NO_SUCH_ASSET when nothing is at `from`. */
struct err *file_begin_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
			    const struct file_write *w, bool keeps,
			    struct file_change **out) MUST_USE;
/*
 * new is what is there afterwards; p NULL: nothing, or of a move: what is there now. It is judged,
 * recorded, written. What stays the same is not written and not recorded. A move with its content
 * is one event. Errors: those of the policy, the record, the backend: then nothing was changed.
 * EXISTS for a move to a name that is taken.
 */
struct err *file_commit(struct file_change *c, struct str new, struct file_done *out) MUST_USE;
/* Nothing is changed. Gives e back. */
struct err *file_drop(struct file_change *c, struct err *e);
/* file_begin() and file_commit(), of a content that does not depend on what is there. */
struct err *file_put(struct files *f, const struct file_ref *r, const struct file_write *w,
		     struct str new, struct file_done *out) MUST_USE;
/* The same for a move. */
struct err *file_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
		      const struct file_write *w, struct file_done *out) MUST_USE;

/* Several files and assets, each named by one item. The items live until the change has ended. */
struct err *file_begin_all(struct files *f, struct file_item *items, size_t n,
			   struct file_change **out) MUST_USE;
/* The hash of what is there; empty: nothing is. */
struct str file_item_hash(const struct file_change *c, struct file_item *it);
/* Compares with if_match. f->a is used. */
struct err *file_match(struct files *f, const struct file_item *it, struct str if_match) MUST_USE;

struct file_step {
	struct file_item *at, *from; /* from: it is moved from there; NULL: it is not moved */
	struct file_write w;         /* op, flags, undoes count */
	struct str new;              /* see file_commit() */
	struct file_done done;       /* made by commit, as is all that follows */
	struct str was;              /* the content that the step replaced or moved */
	uint32_t was_mode;
	bool changes; /* the content or the mode */
};
/*
 * All steps in their order, but those of assets first: they are one transaction, which ends before
 * a file changes. Each step is one event. When one fails, those before it are put back, each with
 * an event "undo", and the error names its file; its details list what could not be put back. A
 * process that dies in between leaves the steps that it has done.
 */
struct err *file_commit_all(struct file_change *c, struct file_step *steps, size_t n) MUST_USE;

/* A change of one file that the policy judges before it happens. */
struct file_proposal {
	const char *op;
	struct str path, path_to; /* as events name them; path_to: of a move, else empty */
	struct str before, after; /* p NULL: there was, or will be, nothing */
	struct str event;         /* for keep: the id of its event, or empty */
};
/*
 * Called under the lock of the file. judge is asked before anything of the change is recorded or
 * written: its error is the answer, and nothing is done. keep is told what was written, when
 * all of the change is; its error is a warning, because the files are changed already.
 */
struct file_policy {
	struct err *(*judge)(void *ctx, struct arena *a, const struct file_proposal *p);
	struct err *(*keep)(void *ctx, struct arena *a, const struct file_proposal *p);
	void *ctx;
};

struct err *file_mkdir(struct files *f, const struct file_ref *r, bool *made) MUST_USE;

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
