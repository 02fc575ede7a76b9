/*
 * The shared declarations of lib/repo/git. Everything above objects.c works on raw objects, so it
 * is the same for libgit2 and the program git, and for ids of 20 and 32 bytes.
 */
#pragma once

#include "git/git.h"

#define ID_MAX     32
#define HEX_MAX    (2 * ID_MAX + 1)
#define DEPTH_MAX  2048               /* nested folders; git's own default limit */
#define OBJECT_MAX ((size_t)64 << 20) /* a tree or commit; about a million entries */
#define INDEX_MAX  ((size_t)UINT32_MAX)
#define CONFIG_MAX ((size_t)16 << 20) /* gitfiles, exclude files */

/* TRY, with context that only the caller knows. */
#define TRY_IN(expr, ...)                                                                          \
	do {                                                                                       \
		struct err *try_in_err_ = (expr);                                                  \
		if (try_in_err_)                                                                   \
			return err_add_context(try_in_err_, __VA_ARGS__);                          \
	} while (0)

struct libgit2;
struct packs;
struct cli;

enum object_type { OBJECT_ANY, OBJECT_COMMIT, OBJECT_TREE, OBJECT_BLOB, OBJECT_TAG };

/* An object of a commit that is being made, which no file has yet. */
struct object_new {
	unsigned char id[ID_MAX];
	enum object_type type;
	struct str bytes;
};

struct object_ids {
	unsigned char (*p)[ID_MAX];
	size_t n, cap;
};

struct git {
	struct arena *arena;
	const char *dir;    /* holds HEAD and the index; absolute */
	const char *common; /* holds config, objects and refs: dir, except in a linked worktree */
	const char *named, *named_common; /* both as the path that led there, maybe through links */
	const char *top;                  /* NULL: bare */
	const char *cwd;                  /* prefix is relative to it, and children run in it */
	const char *holder;               /* the folder with the ".git"; NULL: none */
	const char *place; /* where git finds this repository without searching upwards: holder or
			      dir */
	const char *index;
	struct str prefix;
	bool env;     /* the GIT_* variables of the environment count */
	bool pinned;  /* opened by the path of its git folder */
	bool chosen;  /* core.worktree names a top that is neither holder nor below it */
	bool guarded; /* git_files_check_regular() found no problem */
	bool guessed; /* found by searching upwards, so the owner counts */
	unsigned char id_len;
	struct strs objects;       /* object folders: the own folder, then alternates */
	const char *unseen;        /* why a folder of alternates was left out; NULL: none was */
	struct object_ids written; /* objects of a commit that is being made; see commit_paths.c */
	struct VEC(struct object_new) unwritten;
	bool packing;               /* new objects go there */
	struct libgit2 *libgit2;    /* NULL: libgit2 cannot read this repository */
	const char *why_no_libgit2; /* the reason */
	struct packs *packs;
	struct cli *cli;
	struct folders *folders; /* cache of tree objects: diff and find read the same ones */
};

/* ---- repo.c ---- */

/* Opens exactly these folders: no search upwards. Ignores the environment. */
struct err *git_open_exact(struct arena *a, const char *top, const char *dir,
			   struct git **out) MUST_USE;
/* GIT_FAILED for a bare repository. */
struct err *repo_require_worktree(const struct git *g) MUST_USE;
/* GIT_NAME as git sees it in this repository; NULL when unset or not to be used. */
const char *repo_env_get(const struct git *g, const char *name);

/* ---- map.c, inflate.c ---- */

/*
 * Borrowed from the arena, which unmaps it. *there is false when the file is missing. NOT_A_FILE,
 * TOO_BIG.
 */
struct err *map_file(struct arena *a, const char *path, size_t max, struct str *out,
		     bool *there) MUST_USE;

/* The only users of zlib.h. */
#define INFLATE_RATIO 1100 /* deflate cannot shrink data to less than a thousandth */
struct inflate *inflate_new(struct arena *a);
void inflate_start(struct inflate *f, struct str in);
/*
 * Inflates up to *n bytes and sets *n, which is smaller at the end. False: damaged or truncated.
 * Ask for INFLATE_ROOM more than is expected: zlib is fast with it, and the end is seen.
 */
#define INFLATE_ROOM 258
bool inflate_next(struct inflate *f, void *to, size_t *n);
/* Input bytes after the end of the stream. */
size_t inflate_trailing_bytes(const struct inflate *f);

/* ---- objects.c, pack.c: objects as they are stored; safe to call from several threads ---- */

void packs_new(struct git *g);
/* A pack is new, or gone: they are listed again when the next object is looked for. */
void packs_mark_changed(const struct git *g);
/* out NULL: reads only type and size. *found is false when the object is missing. */
struct err *pack_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		      enum object_type *type, size_t *size, struct str *out, bool *found) MUST_USE;
/* Reads an object from the bytes of its loose file; path is for messages. */
struct err *loose_parse(struct arena *a, const char *path, struct str file, size_t max,
			enum object_type *type, size_t *size, struct str *out) MUST_USE;
/* Adds to n the objects whose id starts so (two digits or more); id becomes the last of them. */
struct err *loose_count_prefix(const struct git *g, struct str start, unsigned char *id,
			       unsigned *n) MUST_USE;
struct err *pack_count_prefix(const struct git *g, struct str start, unsigned char *id,
			      unsigned *n) MUST_USE;

/* ---- libgit2.c and libgit2_write.c: the only places of git2.h ---- */

/* When libgit2 cannot read the repository, g->libgit2 stays NULL; g->why_no_libgit2 says why. */
void libgit2_open(struct git *g);

/* Peels tags. *found is false when libgit2 does not know the revision. GIT_CORRUPT. */
struct err *libgit2_revision(struct git *g, const char *rev, unsigned char *id,
			     enum object_type *type, bool *found) MUST_USE;
enum libgit2_head { LIBGIT2_HEAD_COMMIT, LIBGIT2_HEAD_UNBORN, LIBGIT2_HEAD_UNKNOWN };
enum libgit2_head libgit2_head(struct git *g, unsigned char *id);
enum libgit2_base { LIBGIT2_BASE_FOUND, LIBGIT2_BASE_NONE, LIBGIT2_BASE_UNKNOWN };
struct err *libgit2_merge_base(struct git *g, const unsigned char *one, const unsigned char *two,
			       unsigned char *id, enum libgit2_base *out) MUST_USE;
/* The full names of all references. */
struct err *libgit2_refs(struct git *g, struct arena *a, struct strs *out) MUST_USE;

/* The file that a value comes from: only some files are trusted for some keys. */
enum config_from { CONFIG_UNSET, CONFIG_USER, CONFIG_COMMON, CONFIG_WORKTREE };
struct err *libgit2_config(struct git *g, struct arena *a, const char *key, const char **out,
			   enum config_from *from) MUST_USE;
/* Every value of a key in the files of the system and the user, never of the repository. */
struct err *libgit2_config_protected(struct git *g, struct arena *a, const char *key,
				     struct strs *out) MUST_USE;
/* Every key of the repository's own file with this start and end. */
struct err *libgit2_config_find_keys(struct git *g, struct arena *a, const char *start,
				     const char *end, struct strs *values) MUST_USE;

/*
 * What only git_commit_paths() and git_packs_merge() call. A failure of libgit2 is GIT_FAILED with
 * its words. While g->packing, new objects and trees go to g->unwritten; else they are written, not
 * durable.
 */

/* Makes one durable pack of these objects, wherever they are. *name: its path without ".pack". */
struct err *libgit2_pack_put(struct git *g, struct arena *a, const struct object_ids *ids,
			     const char **name) MUST_USE;
struct err *libgit2_object_write(struct git *g, enum object_type type, struct str bytes,
				 unsigned char *id) MUST_USE;
struct change;
/* The tree `base` (NULL: empty) with the changes. */
struct err *libgit2_tree_write(struct git *g, struct arena *a, const unsigned char *base,
			       const struct change *changes, size_t n, unsigned char *id) MUST_USE;
/*
 * Replaces the entries of the changes in the index at this path, and keeps the others with their
 * flags, but of the extensions only the cache tree. False: libgit2 cannot.
 */
bool libgit2_index_write(const struct git *g, struct arena *a, const char *path,
			 const struct change *changes, size_t n) MUST_USE;
/* The id of a direct reference; *found is false when it does not exist. */
struct err *libgit2_ref_id(struct git *g, const char *name, unsigned char *id,
			   bool *found) MUST_USE;
/* The name that a symbolic reference has; NULL: it is direct, or missing. */
struct err *libgit2_ref_target(struct git *g, struct arena *a, const char *name,
			       const char **out) MUST_USE;
/*
 * Attributes of a path as `git add` reads them; NULL: not set, "true" and "false" for set and
 * unset.
 */
struct index_entry;
struct err *libgit2_attributes(struct git *g, struct arena *a, const char *path,
			       const struct index_entry *staged, size_t staged_n,
			       const char *const *names, size_t n, const char **values) MUST_USE;
/* The bytes as the object has them: line ends and $Id$ by the attributes and the configuration. */
struct err *libgit2_to_object(struct git *g, struct arena *a, const char *path, struct str bytes,
			      struct str *out) MUST_USE;

/* ---- config.c ---- */

/* Values of `git -c` and GIT_CONFIG_COUNT, in order; they override every file. */
struct err *config_env(const struct git *g, struct arena *a, const char *key,
		       struct strs *out) MUST_USE;
/* Reads a boolean as git does; `otherwise` when it is no boolean. */
bool config_bool(const char *value, bool otherwise);
/* Replaces a leading "~/" by the home folder. */
const char *config_expand_home(struct arena *a, const char *value);

/* ---- git_special_files.c: rejects files that would block a reader or fill the memory ---- */

/*
 * Accepts a regular file of at most max bytes, or a missing file. NOT_A_FILE and TOO_BIG name the
 * file. For files that libgit2 and git open by themselves: both block on a FIFO, and read a device
 * to its end.
 */
struct err *git_disk_file_check_regular(const char *path, uint64_t max) MUST_USE;
/*
 * Checks every file that opening reads: HEAD, packed-refs, the configuration and its includes, and
 * the like.
 */
struct err *git_opening_files_check_regular(struct git *g) MUST_USE;
/* Checks the files of the references that a revision may begin with. */
struct err *git_rev_ref_files_check_regular(struct git *g, const char *rev) MUST_USE;
/* Checks every reference. */
struct err *git_ref_files_check_regular(struct git *g) MUST_USE;
/* Checks, once for each repository, all files that git may open by itself. */
struct err *git_files_check_regular(struct git *g) MUST_USE;

/* Of the index and of packs. */
static inline uint32_t git_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- command.c: the program git; nothing else starts it ---- */

/* Called once; starts no process yet. */
void cli_object_reader_new(struct git *g);
/*
 * Fills in the members that libgit2 would have given. When git refuses too, the error has git's
 * words.
 */
struct err *cli_open_repository(struct git *g) MUST_USE;
struct err *cli_read_git_object(struct git *g, struct arena *a, const unsigned char *id, size_t max,
				enum object_type *type, struct str *out, bool *found) MUST_USE;
/* The message of git in one line, without the word before the colon. */
struct str cli_git_message_line(struct arena *a, struct str said);
/* Like git_run, but a status other than 0 is no error. */
struct err *cli_git_try(struct git *g, struct arena *a, const char *const *args, struct str in,
			struct str *out, int *status) MUST_USE;
/* Runs a writing command of git, whose effects are durable. status 0 or GIT_FAILED. */
struct err *put_by_git(struct git *g, struct arena *a, const char *const *args,
		       const char *const *env, struct str in, struct str *out) MUST_USE;

/* ---- objects.c ---- */

/*
 * Errors: NO_SUCH_OBJECT, GIT_CORRUPT, TOO_BIG (before reading), and GIT_CORRUPT for another type
 * than wanted. Safe to call from several threads.
 */
struct err *object_read(struct git *g, struct arena *a, const unsigned char *id,
			enum object_type want, size_t max, struct str *out) MUST_USE;
/* Like object_read, but from loose and packed files only; out NULL: only type and size. */
struct err *object_load(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
			enum object_type *type, size_t *size, struct str *out,
			bool *found) MUST_USE;
struct err *object_too_big(const char *what, size_t size, size_t max) MUST_USE;
/* Reads an object again, and compares its hash: GIT_CORRUPT, and the errors of object_read(). */
struct err *object_verify(struct git *g, const unsigned char *id) MUST_USE;
enum object_type object_type_by_name(struct str name); /* "blob"; OBJECT_ANY: unknown */
const char *id_hex(const unsigned char *id, size_t id_len, char hex[HEX_MAX]);
bool id_parse(struct str hex, unsigned char *id, unsigned char id_len);
bool id_eq(const unsigned char *a, const unsigned char *b, size_t id_len);

/* One entry of a raw tree object, or of a folder of the index. */
struct item {
	struct str name; /* one part of a path, borrowed */
	bool is_dir;
	enum tree_kind kind;     /* when it is a file */
	const unsigned char *id; /* NULL: unknown, for a folder of the index */
};
/* Removes the next entry from *rest; *more is false at the end. GIT_CORRUPT. */
struct err *tree_object_entry_next(struct str *rest, unsigned char id_len, struct item *out,
				   bool *more) MUST_USE;
/* The order of Git's trees: the name of a folder compares with a slash at its end. */
int tree_object_entry_cmp(const struct item *a, const struct item *b);
bool mode_kind(uint32_t mode, bool *is_dir, enum tree_kind *kind);

struct commit {
	unsigned char tree[ID_MAX];
	const unsigned char *parents; /* id_len bytes each */
	size_t parents_n;
	struct str author, email, message;
	int64_t time;      /* of the author, s */
	int64_t committed; /* s */
};
/* False: the commit is damaged. Borrows the text. */
bool commit_parse(struct arena *a, struct str text, unsigned char id_len, struct commit *c);
struct err *commit_read(struct git *g, struct arena *a, const unsigned char *id,
			struct commit *out) MUST_USE;

/* ---- index.c ---- */

struct index_entry {
	const char *name;
	const unsigned char *id;
	const unsigned char *stat; /* the file's state, as git recorded it; NULL: unknown */
	uint32_t len;
	unsigned char kind;
	bool skipped; /* skip-worktree: a missing file counts as unchanged */
};
/* A folder of the cache tree: the id of its tree when git last wrote it. */
struct cache_node {
	struct str name;
	const unsigned char *id; /* NULL: no longer valid */
	size_t entries;
	struct cache_node **sub;
	size_t subs;
};
struct index {
	struct index_entry *p; /* in byte order; without intent-to-add */
	size_t n;
	struct strs conflicts;   /* paths with a stage above 0, each once */
	struct cache_node *root; /* NULL: none */
	unsigned char id_len;
	bool foreign;  /* well-formed so far, but only git can read all of it */
	bool only_git; /* libgit2 would drop a part of it */
};
/* Borrows the bytes; name is for messages. GIT_CORRUPT. */
struct err *index_parse(struct arena *a, struct str bytes, const char *name, unsigned char id_len,
			struct index *out) MUST_USE;
struct str index_entry_path(const struct index *ix, size_t i);
/* The first entry in [lo, hi) whose path is not less. */
size_t index_lower_bound(const struct index *ix, size_t lo, size_t hi, struct str path);
/*
 * The first entry in [lo, hi) behind those whose paths start with `prefix`. The paths of the
 * entries before lo must sort before `prefix`, or start with it.
 */
size_t index_prefix_end(const struct index *ix, size_t lo, size_t hi, struct str prefix);
/* The index that Git names, read by ikm or by git; conflicts are no error here. */
struct err *index_file_read(struct git *g, struct index *out) MUST_USE;

/* ---- tree_adapters.c ---- */

extern const struct tree_ops git_index_ops, git_commit_ops;

struct index_tree {
	struct tree t;
	struct git *g;
	struct index ix;
};
struct commit_tree {
	struct tree t;
	struct git *g;
	unsigned char id[ID_MAX]; /* of the tree */
	struct tree_files list;   /* all files, once they were listed */
	bool listed;
	struct arena *folder_arena; /* NULL: no folder is cached */
	struct str folder, raw;
};
struct tree *commit_tree_new(struct git *g, const unsigned char *tree_id, struct str name);
/*
 * What a tree object has on the way to a path: folders, and at last the entry itself or the file
 * that ends the way early, and then *path is what was not looked for. *found: the last part that
 * was looked for is there.
 */
struct items VEC(struct item);
struct err *object_walk_tree_path(struct git *g, struct arena *a, const unsigned char *root,
				  struct str *path, struct items *out, bool *found) MUST_USE;
struct err *diff_trees(struct arena *a, struct tree *base, struct tree *now,
		       struct tree_changes *out, bool *known) MUST_USE;

/* ---- rev.c ---- */

struct err *rev_resolve(struct git *g, const char *rev, unsigned char *id,
			enum object_type *type) MUST_USE;
