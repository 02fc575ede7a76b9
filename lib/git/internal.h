/*
 * What the files of lib/git share. Everything above objects.c works on raw objects, so it is the
 * same whether libgit2 or the program git reads them, and whether ids have 20 or 32 bytes.
 */
#ifndef IKM_GIT_INTERNAL_H
#define IKM_GIT_INTERNAL_H

#include "git/git.h"

#define ID_MAX     32
#define HEX_MAX    (2 * ID_MAX + 1)
#define DEPTH_MAX  2048               /* folders within folders; git's own default limit */
#define OBJECT_MAX ((size_t)64 << 20) /* a tree or commit; about a million entries */
#define INDEX_MAX  ((size_t)UINT32_MAX)
#define CONFIG_MAX ((size_t)16 << 20) /* gitfiles, exclude files */

/* TRY, with what only the caller knows. */
#define TRY_IN(expr, ...)                                                                          \
	do {                                                                                       \
		struct err *try_in_err_ = (expr);                                                  \
		if (try_in_err_)                                                                   \
			return err_in(try_in_err_, __VA_ARGS__);                                   \
	} while (0)

struct libgit2;
struct packs;
struct cli;

struct git {
	struct arena *arena;
	const char *dir;    /* HEAD and index; absolute */
	const char *common; /* config, objects and refs: dir, but for a linked worktree */
	const char *named, *named_common; /* both by the paths that led there, maybe by links */
	const char *top;                  /* NULL: bare */
	const char *cwd;                  /* where prefix is counted from, and children run */
	const char *holder; /* the folder with the ".git" that was found; NULL: there is none */
	const char *place;  /* where git finds this one without looking upwards: holder, or dir */
	const char *index;
	struct str prefix;
	bool env;     /* the GIT_* of our environment count */
	bool pinned;  /* opened by the path of its git folder */
	bool chosen;  /* core.worktree names a top that is neither holder nor below it */
	bool guarded; /* guard_for_git() found nothing */
	bool guessed; /* found by looking upwards, so the owner counts */
	unsigned char id_len;
	struct strs objects;        /* folders of objects: the own one, then alternates */
	struct libgit2 *libgit2;    /* NULL: libgit2 cannot read this one */
	const char *why_no_libgit2; /* why */
	struct packs *packs;
	struct cli *cli;
	struct folders *folders; /* tree objects that were read: diff and find ask for the same */
};

/* ---- repo.c ---- */

/* Only what is there: no looking upwards. Environment is ignored. */
struct err *git_open_exact(struct arena *a, const char *top, const char *dir,
			   struct git **out) MUST_USE;
/* Whether the file or folder itself is the user's, as git sees it. */
bool repo_is_ours(const char *path);
/* GIT_NAME as git sees it in this repository; NULL when unset or not ours to heed. */
const char *repo_env(const struct git *g, const char *name);

/* ---- map.c, inflate.c ---- */

/* Borrowed from the arena, which unmaps it. *there false: no such file. NOT_A_FILE, TOO_BIG. */
struct err *map_file(struct arena *a, const char *path, size_t max, struct str *out,
		     bool *there) MUST_USE;

/* The only place of zlib.h. */
#define INFLATE_RATIO 1100 /* nothing deflates to less than a thousandth */
struct inflate *inflate_new(struct arena *a);
void inflate_start(struct inflate *f, struct str in);
/* Up to *n bytes; *n becomes how many, fewer at the end. False: damaged, or cut short. */
bool inflate_next(struct inflate *f, void *to, size_t *n);
/* Exactly n bytes, and then the end. */
bool inflate_whole(struct inflate *f, void *to, size_t n);
/* Bytes of the input that are beyond the end. */
size_t inflate_left(const struct inflate *f);

/* ---- loose.c, pack.c: objects as they are stored; safe to call from several threads ---- */

enum object_type { OBJECT_ANY, OBJECT_COMMIT, OBJECT_TREE, OBJECT_BLOB, OBJECT_TAG };

/* Fills in g->objects. */
void objects_find(struct git *g);
void packs_new(struct git *g);
/* out NULL: only type and size. *found false: it is not there. */
struct err *loose_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		       enum object_type *type, size_t *size, struct str *out, bool *found) MUST_USE;
struct err *pack_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		      enum object_type *type, size_t *size, struct str *out, bool *found) MUST_USE;
/* The same from a loose object's bytes; path is for messages. */
struct err *loose_parse(struct arena *a, const char *path, struct str file, size_t max,
			enum object_type *type, size_t *size, struct str *out) MUST_USE;
/* Counts objects whose id starts so (two digits or more) on from n; id becomes the last of them. */
unsigned loose_match(const struct git *g, struct str start, unsigned char *id, unsigned n);
unsigned pack_match(const struct git *g, struct str start, unsigned char *id, unsigned n);

/* ---- libgit2.c: the only place of git2.h ---- */

/* g->libgit2 stays NULL and g->why_no_libgit2 says why when libgit2 cannot read it. */
void libgit2_open(struct git *g);

/* Tags are peeled. *found false: libgit2 does not know such a revision. GIT_CORRUPT. */
struct err *libgit2_revision(struct git *g, const char *rev, unsigned char *id,
			     enum object_type *type, bool *found) MUST_USE;
enum libgit2_head { LIBGIT2_HEAD_COMMIT, LIBGIT2_HEAD_UNBORN, LIBGIT2_HEAD_UNKNOWN };
enum libgit2_head libgit2_head(struct git *g, unsigned char *id);
enum libgit2_base { LIBGIT2_BASE_FOUND, LIBGIT2_BASE_NONE, LIBGIT2_BASE_UNKNOWN };
struct err *libgit2_merge_base(struct git *g, const unsigned char *one, const unsigned char *two,
			       unsigned char *id, enum libgit2_base *out) MUST_USE;
/* The full names of all references. */
void libgit2_refs(struct git *g, struct arena *a, struct strs *out);

/* Which file a value comes from: only some are trusted to say some things. */
enum config_from { CONFIG_UNSET, CONFIG_USER, CONFIG_COMMON, CONFIG_WORKTREE };
struct err *libgit2_config(struct git *g, struct arena *a, const char *key, const char **out,
			   enum config_from *from) MUST_USE;
/* Every value of a key in the system's and the user's files, never the repository's. */
struct err *libgit2_config_protected(struct git *g, struct arena *a, const char *key,
				     struct strs *out) MUST_USE;
/* Every key of the repository's own file that starts and ends so. */
struct err *libgit2_config_like(struct git *g, struct arena *a, const char *start, const char *end,
				struct strs *values) MUST_USE;

/* ---- config.c ---- */

/* Values of `git -c` and GIT_CONFIG_COUNT, which beat every file, in order. */
struct err *config_env(const struct git *g, struct arena *a, const char *key,
		       struct strs *out) MUST_USE;
/* The paths that a configuration file includes, under any condition, as they are written there. */
void config_includes(struct arena *a, struct str text, struct strs *paths);
/* As git reads a boolean; anything else is `otherwise`. */
bool config_bool(const char *value, bool otherwise);
/* A leading "~/" is the home. */
const char *config_path(struct arena *a, const char *value);

/* ---- command.c: the one place that starts the program git ---- */

struct os_spawn;
struct os_coprocess;
/* How git_ask() would start it. args[0] must be in the table: else a BUG. */
struct os_spawn git_command_spawn(struct git *g, struct arena *a, const struct git_ask *q);
/* A git to talk to, until the arena's end. NO_PROGRAM. */
struct err *git_coprocess(struct git *g, struct arena *a, const char *const *args,
			  struct os_coprocess **out) MUST_USE;

/* ---- guard.c: files that would hold a reader up for ever, or fill the memory ---- */

/*
 * A regular file of at most max bytes, or nothing. NOT_A_FILE and TOO_BIG name the file. For what
 * libgit2 and git open by themselves: both wait for a FIFO, and read a device to its end.
 */
struct err *guard_file(const char *path, uint64_t max) MUST_USE;
/* HEAD, packed-refs, the configuration and what it includes, and the like: all that opening
 * reads. */
struct err *guard_open(struct git *g) MUST_USE;
/* The files of the references that a revision may begin with. */
struct err *guard_revision(struct git *g, const char *rev) MUST_USE;
/* Every reference. */
struct err *guard_refs(struct git *g) MUST_USE;
/* Once for each repository: all that git may open by itself. */
struct err *guard_for_git(struct git *g) MUST_USE;

/* ---- cli.c: the program git ---- */

/* Once, at the start: nothing is run yet. */
void cli_new(struct git *g);
/* Fills in what libgit2 would have told; git's own words when it refuses too. */
struct err *cli_open(struct git *g) MUST_USE;
struct err *cli_read(struct git *g, struct arena *a, const unsigned char *id, size_t max,
		     enum object_type *type, struct str *out, bool *found) MUST_USE;
/* Like git_run, but a status other than 0 is success. */
struct err *cli_try(struct git *g, struct arena *a, const char *const *args, struct str in,
		    struct str *out, int *status) MUST_USE;

/* ---- objects.c ---- */

/*
 * NO_SUCH_OBJECT, GIT_CORRUPT, TOO_BIG (before anything is read), or one of another type than
 * wanted. Safe to call from several threads.
 */
struct err *object_read(struct git *g, struct arena *a, const unsigned char *id,
			enum object_type want, size_t max, struct str *out) MUST_USE;
/* A tree object, from memory when it was read before; it lives as long as a. One thread only. */
struct err *object_folder(struct git *g, struct arena *a, const unsigned char *id,
			  struct str *out) MUST_USE;
/* The same as object_read, by loose and packed files only; out NULL: only type and size. */
struct err *object_stored(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
			  enum object_type *type, size_t *size, struct str *out,
			  bool *found) MUST_USE;
struct err *object_too_big(const char *what, size_t size, size_t max) MUST_USE;
enum object_type object_type_of(struct str name); /* "blob"; OBJECT_ANY: none */
const char *id_hex(const unsigned char *id, size_t id_len, char hex[HEX_MAX]);
bool id_parse(struct str hex, unsigned char *id, unsigned char id_len);
bool id_eq(const unsigned char *a, const unsigned char *b, size_t id_len);

/* One entry of a raw tree object, or of a folder of the index. */
struct item {
	struct str name; /* one part, borrowed */
	bool is_dir;
	enum tree_kind kind;     /* when it is no folder */
	const unsigned char *id; /* NULL: not known, for a folder of the index */
};
/* Takes the next entry off *rest; *more false at the end. GIT_CORRUPT. */
struct err *item_next(struct str *rest, unsigned char id_len, struct item *out,
		      bool *more) MUST_USE;
/* The order of Git's trees: a folder's name counts with a slash at its end. */
int item_cmp(const struct item *a, const struct item *b);
bool mode_kind(uint32_t mode, bool *is_dir, enum tree_kind *kind);

struct commit {
	unsigned char tree[ID_MAX];
	const unsigned char *parents; /* id_len bytes each */
	size_t parents_n;
	struct str author, email, message;
	int64_t time;      /* of the author, s */
	int64_t committed; /* s */
};
/* False: it is damaged. Borrows the text. */
bool commit_parse(struct arena *a, struct str text, unsigned char id_len, struct commit *c);
struct err *commit_read(struct git *g, struct arena *a, const unsigned char *id,
			struct commit *out) MUST_USE;

/* ---- index.c ---- */

struct index_entry {
	const char *name;
	const unsigned char *id;
	uint32_t len;
	unsigned char kind;
};
/* A folder of the cache tree: what git knew the folder's tree to be when it was last written. */
struct cache_node {
	struct str name;
	const unsigned char *id; /* NULL: not valid any more */
	size_t entries;
	struct cache_node **sub;
	size_t subs;
};
struct index {
	struct index_entry *p; /* in byte order; without intent-to-add */
	size_t n;
	struct strs conflicts;   /* paths with stages above 0, each once */
	struct cache_node *root; /* NULL: none */
	unsigned char id_len;
	bool foreign; /* well-formed as far as read, but only git knows how to read all of it */
};
/* Borrows the bytes. name is for messages. GIT_CORRUPT. */
struct err *index_parse(struct arena *a, struct str bytes, const char *name, unsigned char id_len,
			struct index *out) MUST_USE;
/* The first entry in [lo, hi) that is not before the path. */
size_t index_lower(const struct index *ix, size_t lo, size_t hi, struct str path);
/* Where the entries that start with `prefix` end; entries [0, lo) are before or in it. */
size_t index_prefix_end(const struct index *ix, size_t lo, size_t hi, struct str prefix);
/* The one Git names, by whichever way reads it; conflicts are no error here. */
struct err *index_read(struct git *g, struct index *out) MUST_USE;

/* ---- trees.c, diff.c ---- */

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
	struct {
		struct tree_file *p;
		size_t n, cap;
	} list; /* all files, once they were asked for */
	bool listed;
	struct arena *folder_arena; /* NULL: none is kept */
	struct str folder, raw;
};
struct tree *commit_tree_new(struct git *g, const unsigned char *tree_id, struct str name);
/* The file of that path below a tree object; *found false when there is none. */
struct err *object_at(struct git *g, struct arena *a, const unsigned char *root, struct str path,
		      struct item *out, bool *found) MUST_USE;
struct err *diff_trees(struct arena *a, struct tree *base, struct tree *now,
		       struct tree_changes *out, bool *known) MUST_USE;

/* ---- repeat.c ---- */

struct repeats *repeats_new(struct arena *a);
/* Whether a walk entered this folder before, or this pair of folders; either id may be NULL. */
bool repeats_enter(struct repeats *r, const unsigned char *one, const unsigned char *two);
/* One more entry below a folder that was entered before: TOO_BIG when they are too many. */
struct err *repeats_count(struct repeats *r, struct str path, struct str tree) MUST_USE;

/* ---- rev.c ---- */

struct err *rev_resolve(struct git *g, const char *rev, unsigned char *id,
			enum object_type *type) MUST_USE;

#endif
