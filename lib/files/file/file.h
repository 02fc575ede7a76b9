/*
 * file: one set of operations for files and stored assets (requirement: assets, "Unified File
 * Operations"). Only a path's scheme decides which backend is used. Changes by tools are recorded
 * and can be undone. The module uses names of options and commands only in messages.
 */
#pragma once

#include "asset/asset.h"
#include "event/event.h"
#include "os/os.h"
#include "record/record.h"
#include "tree/tree.h"

/* Limit of one content. A larger content is read in pieces, or not at all. */
#define FILE_BYTES_MAX ((size_t)64 << 20)

struct files {
	struct arena *a;
	const struct os_roots *roots; /* NULL: no limit */
	const char *cwd;
	struct assets *assets;
	struct events *events; /* NULL: changes are not recorded (a person's command line) */
	const struct file_policy *policy; /* the first of a list; NULL: no policy */
	/* Not NULL: no change is made; each is added here, as it would be made. */
	struct file_proposals *proposed;
	/* The file that a name in a text means: a short name of the garden's files. NULL: none. */
	struct err *(*named)(void *ctx, struct str name, struct str *out);
	void *named_ctx;
	/*
	 * Not NULL: gets a sentence for each name that stands for one that is not quite equal, in
	 * notes_a, because `a` may end before they are told.
	 */
	struct strs *notes;
	struct arena *notes_a;
	/* The garden's folder, which need not exist: for file_walk.left. NULL: none. */
	const char *garden;
};

struct backend;
struct file_ref {
	const struct backend *backend;
	struct str path;  /* as the backend names it */
	struct str shown; /* as the user wrote it */
};
/*
 * Parses "src/x.c", "/abs/x.c" or "ikigai:///blocks/x.md". Errors: BAD_PATH for an empty path, "-",
 * a NUL byte, a ".." part of an asset, another scheme ("http://"); TOO_LONG.
 *
 * Where no file has the name, it stands for the one file whose name differs only in Unicode's form
 * or in kinds of space: programs and people cannot tell such names apart.
 */
struct err *file_ref_resolve(struct files *f, struct str text, struct file_ref *out) MUST_USE;
/* Whether no other name can differ from this one only in Unicode's form or in kinds of space. */
bool file_name_has_no_lookalike(struct str path);
/* Tells the user that such a name was taken. */
void file_tell_alike_name_used(struct files *f, struct str taken, struct str given);
/* file_ref_resolve() for a name that stands in a diff or a prompt; out->shown is that name. */
struct err *file_ref_named(struct files *f, struct str name, struct file_ref *out) MUST_USE;
/* The reference to a stored asset, by a path of asset_path_read(). */
struct file_ref file_ref_of_asset(struct files *f, struct str path);

struct file_stat {
	enum os_kind kind;
	uint64_t size;
	uint32_t mode; /* its nine bits; 0: the backend has none */
};
struct err *file_stat(struct files *f, const struct file_ref *r, struct file_stat *out) MUST_USE;
/* Errors: FILE_NOT_FOUND and NO_SUCH_ASSET name the nearest path; NOT_A_FILE; TOO_BIG over max. */
struct err *file_read(struct files *f, struct arena *a, const struct file_ref *r, size_t max,
		      struct str *out) MUST_USE;

/*
 * Opens a file to read it in pieces; it may be larger than memory. The caller closes *fd. *fd is -1
 * if the backend reads only whole contents.
 */
struct err *file_open(struct files *f, const struct file_ref *r, int *fd) MUST_USE;

/* ---- hashes (ikm-design(7), "Two hashes") ---- */

/* "sha256:" or "text:sha256:" and 64 hexadecimal digits in lower case. */
bool file_hash_is_valid(struct str s);

/*
 * The hash "text:sha256:…" of the canonical text: LF, no blanks at line ends, one final newline.
 * Errors: NOT_TEXT.
 */
struct err *file_text_hash(struct arena *a, struct str content, struct str *out) MUST_USE;
/*
 * Finds a section as md_section_find() does; *out is a slice of content, heading included. Errors:
 * NO_SUCH_SECTION lists the names; NOT_TEXT; those of md_sections().
 */
struct err *file_section(struct arena *a, struct str content, struct str anchor,
			 struct str *out) MUST_USE;

/* ---- edits of a text in memory ---- */

enum file_ends { FILE_ENDS_NONE, FILE_ENDS_LF, FILE_ENDS_CRLF, FILE_ENDS_MIXED };
/* NONE: the text has a NUL, or no line end. */
enum file_ends file_ends(struct str text);
/* The text with these line ends; *ends is NONE when it has them already. */
struct str file_ends_convert(struct arena *a, struct str text, bool crlf, enum file_ends *ends);

struct file_edit {
	struct str old, new;
	bool all;   /* replace every place; else there must be only one */
	bool exact; /* all bytes are meant: line ends stay, and no looser pass follows */
};
struct file_edited {
	size_t count; /* number of places */
	/* LF, CRLF: the given texts were converted to these ends of the file */
	enum file_ends ends;
	/* the edit made or kept both line ends: the result has both, and what was put in has one */
	bool mixed;
	struct str tolerated; /* what differed in the old text; empty: nothing */
	size_t at, end;       /* the replaced bytes of the content; of the first place */
};
/*
 * Replaces edit->old by edit->new. If the file has only CR LF or only LF, both texts are converted
 * to it. If the old text is not there, the looser passes of match_edit() follow, but not for `all`.
 * Errors: NO_SUCH_TEXT with the nearest line and its difference; NOT_UNIQUE with the line numbers
 * of the places, which may overlap; BAD_ARGUMENT when old is empty or equals new; TOO_BIG over
 * FILE_BYTES_MAX.
 */
struct err *file_edit_text(struct arena *a, struct str content, const struct file_edit *edit,
			   struct str *out, struct file_edited *done) MUST_USE;
/*
 * Appends text to the content, on a new line, and converts it to the content's line ends; not with
 * exact. An empty text changes nothing. The result's p is never NULL.
 */
struct str file_content_append(struct arena *a, struct str content, struct str text, bool exact,
			       struct file_edited *done);

#define FILE_BOM "\xEF\xBB\xBF"

struct file_replaced {
	enum file_ends ends;       /* CRLF: the text got the line ends of the old one */
	size_t turned;             /* lines of the old text whose line ends the new one has not */
	bool to_crlf;              /* they ended with LF */
	bool mark_kept, mark_lost; /* the byte order mark of the old text */
};
/*
 * A whole new text for the old one. keep: where all lines of the old text end with CR LF and those
 * of the new one with LF, these get CR LF, and a byte order mark stays. done says what was kept, or
 * what is lost.
 */
struct str file_content_keep_line_ends(struct arena *a, struct str old, struct str text, bool keep,
				       struct file_replaced *done);

/* ---- changes ---- */

/*
 * A change is a value: begin locks and reads, the caller computes, commit writes.
 *    TRY(file_begin(f, &ref, &w, &c));
 *    e = compute(c->a, c->old, &new);
 *    return e ? file_abort(c, e) : file_commit(c, new, &done);
 * Commit and drop end the change. A change that is still open is dropped when f->a ends.
 *
 * Begin locks the folders of files (flock), and opens the store's write transaction for assets. So
 * nothing may wait for the outside before commit. In test builds, running a program, reading
 * standard input and another begin are a BUG. Changing a file within an open transaction of the
 * store is a BUG too, because the event would not be durable before the file changes.
 *
 * Locks are taken in this order: the garden's, folders by device and inode, the store, Git's index.
 */
struct file_write {
	const char *op;    /* "write", "edit": for the event and the former version */
	struct str anchor; /* the section that the caller changes, for the event; empty: none */
	/* p NULL: no condition; "none": it must not exist; else one of its hashes */
	struct str if_match;
	unsigned flags;    /* enum os_write_flag */
	struct str undoes; /* an event's id, or empty */
	bool existing;     /* the file must exist; if not, the error is that of reading it */
	bool verbatim;     /* the summarizer of assets may not shorten the content */
};
struct file_done {
	struct str hash; /* after the change; empty: removed */
	struct str before;
	size_t size;
	bool created, changed;
	struct str event; /* its id, or empty */
	/* A policy that keeps changes in Git (see struct file_policy) sets these. */
	struct maybe_bool committed; /* not given: no such policy */
	struct str commit;           /* the commit's id */
	struct str uncommitted;      /* why there is no commit */
	struct str history;          /* the path of the copy of the former content */
	struct strs warnings;
};

/* One file or asset of a change. The caller sets the first members, begin sets the others. */
struct file_item {
	struct file_ref ref;
	bool parents;  /* make missing folders; drop removes them again */
	bool optional; /* if its folder is missing, the item is missing, and nothing is locked */
	bool itself;   /* do not follow a final symbolic link: for moves */
	bool unread;   /* read only whether it exists */
	/* Policies set it: a diff must find a line of each hunk, see struct patch_options. */
	bool held;

	bool there;
	struct str content; /* p NULL: it does not exist, or is unread */
	struct str hash;    /* file_item_content_hash() fills it in */
	uint32_t mode;      /* its nine bits; 0: the backend has none */
	struct str where;   /* the absolute path, or the URI: as events name it */
	void *place;        /* private to the backend */
};
struct file_change {
	struct files *f;
	struct arena *a; /* ends with the change */
	struct file_item *p;
	size_t n;
	struct file_write w; /* for a change of one file */
	struct str old;      /* the content of the first item */
	struct db_txn txn;   /* of assets; not begun: none, or part of an open one */
	/*
	 * NULL, or the caller's own refusal of what it has computed. It is asked after the
	 * policies, so that theirs is the answer, and is recorded.
	 */
	struct err *(*allow)(void *ctx);
	void *allow_ctx;
	bool judged; /* private: the policies have judged it */
};

/*
 * Begins a change of one file. Errors: CHANGED with the current hash in the details, BAD_ARGUMENT
 * for an if_match that is no hash, EXISTS with OS_EXCLUSIVE; those of the backend.
 */
struct err *file_begin(struct files *f, const struct file_ref *r, const struct file_write *w,
		       struct file_change **out) MUST_USE;
/*
 * Begins a move of one file within its backend. if_match applies to `from`. keeps: the content will
 * stay. Errors: FILE_NOT_FOUND, NO_SUCH_ASSET when `from` does not exist; those of file_begin().
 */
struct err *file_begin_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
			    const struct file_write *w, bool keeps,
			    struct file_change **out) MUST_USE;
/*
 * Judges, records and writes the change. new: the content afterwards; p NULL: remove the file, or
 * move it with its content. A state that stays the same is neither written nor recorded. A move
 * that changes the content is one event. Errors: those of the policy, the record and the backend;
 * EXISTS for a move to an existing name. Then nothing was changed, except that a failed fsync may
 * leave the change in place.
 */
struct err *file_commit(struct file_change *c, struct str new, struct file_done *out) MUST_USE;
/* Ends the change without changing anything. Returns e. */
struct err *file_abort(struct file_change *c, struct err *e);
/* file_begin() and file_commit() in one call, for a content that does not depend on the old one. */
struct err *file_put(struct files *f, const struct file_ref *r, const struct file_write *w,
		     struct str new, struct file_done *out) MUST_USE;
/* file_begin_move() and file_commit() in one call. */
struct err *file_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
		      const struct file_write *w, struct file_done *out) MUST_USE;

/*
 * Begins a change of several files and assets, each with one item. The items must live until the
 * change has ended.
 */
struct err *file_begin_all(struct files *f, struct file_item *items, size_t n,
			   struct file_change **out) MUST_USE;
/* The hash of the item's content; empty: it does not exist, or is unread. */
struct str file_item_content_hash(const struct file_change *c, struct file_item *it);
/* Compares an item with if_match. Errors: CHANGED, BAD_ARGUMENT. */
struct err *file_check_if_match(struct files *f, const struct file_item *it,
				struct str if_match) MUST_USE;

struct file_step {
	struct file_item *at, *from; /* from: the old place of a move; NULL: no move */
	struct file_write w;         /* only op, flags, undoes, verbatim are read */
	struct str new;              /* see file_commit() */
	struct str full;             /* private: the text that `new` is a summary of */
	struct file_done done;       /* commit sets this and all members below */
	struct str was;              /* the content that the step replaced or moved */
	uint32_t was_mode;
	bool changes; /* the content or the mode changes */
	/* private: the log of its event, and whether a policy ends that event */
	struct events *log;
	bool kept_by_policy;
};
/*
 * Does all steps in their order: first those of assets, in one transaction that ends before a file
 * changes, then those of files. Each step is one event. When a step fails, the steps before it are
 * undone, each with an event "undo". The error names the file of the failed step; its details list
 * files that could not be restored. A process that dies in between leaves the steps that it has
 * done.
 *
 * When assets alone are written and would exceed the budget of pinned assets, the program of the
 * setting asset.summarizer may shorten the largest one. It runs without locks, and its text is a
 * part of the change; the first step's warnings say so.
 */
struct err *file_commit_all(struct file_change *c, struct file_step *steps, size_t n) MUST_USE;

/* What a change does to one file or asset. */
struct file_proposal {
	const char *op;
	struct str anchor, undoes; /* as in struct file_write */
	bool asset;                /* path names a stored asset */
	struct str path, path_to;  /* as in events; path_to: only for a move */
	/* The absolute path that the caller named: it may be a link to `path`. Empty for assets. */
	struct str named;
	struct str before, after; /* p NULL: the file did not exist, or will not */
	/* Their sha256; empty: no file. complete() does not see them. */
	struct str before_hash, after_hash;
	struct str event;       /* for save and keep: the id of its event, or empty */
	struct file_done *done; /* for save and keep: the answer, to which they may add */
};
struct file_proposals VEC(struct file_proposal);
/*
 * A policy watches all changes of a struct files. Any function may be NULL. A change asks all
 * policies of the list, first to last; the first error ends it. `a` ends with the change.
 *
 *   enter     runs before any lock is taken, so it may take a lock that comes before those of the
 *             folders, run programs, and change files. Items have only what the caller has set.
 *             It clears `unread` where it needs the content, and may set `held`; a policy without
 *             enter reads all.
 *             dry: the change is only proposed, so enter repairs nothing.
 *   complete  may replace the content `after`, before anything looks at it. For each step.
 *   place     is asked about a change that could not begin or be computed, and about a folder that
 *             is to be made (op "mkdir"): its error takes the place of the change's own. It may
 *             record. Items have only what the caller has set.
 *   judge     runs before anything is recorded or written, and sees all that the change does to
 *             contents. Its warnings become those of the first step. It may run git, which reads a
 *             repository with a time limit; it must not change files.
 *   record    fills in more members of the event. A policy that sets *log names the log of this
 *             event, also where changes are not recorded otherwise. Then the step only records that
 *             the file is written, and the policy's keep() ends the event.
 *   save      runs when the event is durable and before the file is written, for what must be
 *             durable first. Its error ends the change, and fails the event.
 *   keep      runs for each file when all are written, and may run programs. Its error becomes a
 *             warning, because the files are changed already.
 *   undone    runs for each file that was put back because a later one failed, and for putting it
 *             back: what save() made is still there.
 *
 *   restore   is asked by an undo for the content to write: now is what the file has (p NULL: no
 *             file). *done false: it does not know, and the whole former content counts.
 *
 * All but enter run under the locks of the files.
 */
struct file_policy {
	struct err *(*enter)(void *ctx, struct arena *a, const struct files *f,
			     struct file_item *items, size_t n, bool dry);
	struct err *(*complete)(void *ctx, struct arena *a, struct file_proposal *p);
	struct err *(*place)(void *ctx, struct arena *a, const struct files *f,
			     const struct file_item *items, size_t n, const char *op);
	struct err *(*judge)(void *ctx, struct arena *a, const struct file_proposal *p, size_t n,
			     bool dry, struct strs *warnings);
	struct err *(*record)(void *ctx, struct arena *a, const struct file_proposal *p,
			      struct event *e, struct events **log);
	struct err *(*save)(void *ctx, struct arena *a, const struct file_proposal *p);
	struct err *(*keep)(void *ctx, struct arena *a, const struct file_proposal *p);
	void (*undone)(void *ctx, struct arena *a, const struct file_proposal *p);
	struct err *(*restore)(void *ctx, struct arena *a, const struct event *e, struct str now,
			       struct str *out, bool *done);
	void *ctx;
	const struct file_policy *next;
};

/*
 * Makes a folder and its parents, unless it exists. Errors: those of the policies' enter() and
 * place(); those of the backend.
 */
struct err *file_mkdir(struct files *f, const struct file_ref *r, bool *made) MUST_USE;

/* ---- walking: list, glob, search ---- */

/* What a walk did not enter or list, as paths below its start. */
struct file_left {
	size_t copies;         /* folders of the garden's history copies */
	struct strs worktrees; /* working trees that git-worktree(1) linked to its repository */
	struct strs tracked;   /* files that are ignored although Git tracks them */
	struct strs closed;    /* folders of other users in the garden, outside the roots */
};
struct file_walk {
	bool all;       /* include files that .gitignore names */
	bool folders;   /* list folders too, with the kind TREE_FOLDER */
	unsigned depth; /* 1: only entries of the folder itself; 0: no limit */
	/* Called for each path that cannot be read; the path is skipped. NULL: it is an error. */
	void (*trouble)(void *ctx, struct str path, const struct err *e);
	void *ctx;
	/*
	 * Not NULL: history copies and linked working trees are not entered, unless the walk begins
	 * in one, or `all` is set. The walk adds here what it leaves out.
	 */
	struct file_left *left;
	bool copies; /* enter history copies in any case */
};
/* Like file_ref_resolve(), for a path that may be a folder, such as the top of the store
 * ("ikigai:///"). */
struct err *file_ref_or_folder(struct files *f, struct str text, struct file_ref *out) MUST_USE;
/*
 * The tree below a folder of either backend, inside the roots. For a file it is a tree of that file
 * only, and *file is true. The walk enters submodules and nested repositories, but not ".git".
 * Links are entries; only r itself is followed. Files that Git ignores are left out, also by rules
 * of folders above r; r itself may be ignored. Only one thread at a time may read a tree of assets.
 * Errors: FILE_NOT_FOUND, NO_SUCH_ASSET, NOT_A_FILE, OUTSIDE_ROOTS, PERMISSION.
 */
struct err *file_tree(struct files *f, const struct file_ref *r, const struct file_walk *w,
		      struct tree **out, bool *file) MUST_USE;
/* The name of a path of that tree as the user would write it. */
struct str file_path_shown(struct arena *a, const struct file_ref *r, bool file, struct str path);
