/* The index and commits as trees (tree.h), and the differences of two of them. */
#include "git/internal.h"
#include "os/os.h"

#define FILES_MAX   ((size_t)16 << 20) /* shared folders can make a tiny repository look endless */
#define PATH_LIMIT  ((size_t)4096)
#define CHANGES_MAX ((size_t)16 << 20)
#define NAMED_MAX   5 /* conflicts that a message names */

/* ---- tree objects, cached ---- */

#define FOLDER_SLOTS ((size_t)2048)
#define FOLDERS_MAX  ((size_t)16 << 20) /* bytes in the cache */

struct folders {
	struct {
		unsigned char id[ID_MAX];
		char *p;
		size_t n; /* 0: free */
	} slot[FOLDER_SLOTS];
	size_t bytes;
};

static void folders_free(void *p)
{
	for (size_t i = 0; i < FOLDER_SLOTS; i++)
		free(((struct folders *)p)->slot[i].p);
}

/*
 * Reads a tree object, from the cache when it was read before; it lives as long as a. One thread
 * only. A history goes on, so the newest tree takes the slot. Ids are digests: any bits are even.
 */
static struct err *object_read_tree(struct git *g, struct arena *a, const unsigned char *id,
				    struct str *out)
{
	size_t at = ((size_t)id[0] << 8 | id[1]) % FOLDER_SLOTS;
	struct folders *f = g->folders;
	struct str tree;

	if (!f) {
		f = g->folders = ARENA_NEW(g->arena, struct folders);
		arena_defer(g->arena, folders_free, f);
	}
	if (f->slot[at].n && !memcmp(f->slot[at].id, id, g->id_len)) {
		*out = str_dup(a, (struct str){f->slot[at].p, f->slot[at].n});
		return NULL;
	}
	TRY(object_read(g, a, id, OBJECT_TREE, OBJECT_MAX, &tree));
	*out = tree;
	if (f->bytes - f->slot[at].n + tree.n > FOLDERS_MAX)
		return NULL;
	f->bytes += tree.n - f->slot[at].n;
	f->slot[at].n = tree.n;
	f->slot[at].p = mem_resized(f->slot[at].p, tree.n);
	memcpy(f->slot[at].p, tree.p, tree.n);
	memcpy(f->slot[at].id, id, g->id_len);
	return NULL;
}

/* ---- folders that repeat ---- */

/*
 * Counts how often a walk enters the same folders again. A tree of thirty levels, each with the
 * same folder twice, has a billion files in thirty objects; real trees repeat few folders.
 */
#define REPEATED_MAX ((size_t)512 << 10) /* entries of a diff; a diff of so many takes 150 MB */

/* Half of each id is enough: a false match only makes the count higher. Both 0: free slot. */
struct repeat_key {
	uint64_t one, two;
};

struct repeats {
	struct arena *a;
	struct repeat_key *slot;
	size_t n, cap;
	size_t walked; /* entries below folders that were entered before */
};

static struct repeats *repeats_new(struct arena *a)
{
	struct repeats *r = ARENA_NEW(a, struct repeats);

	r->a = a;
	return r;
}

static uint64_t repeat_half(const unsigned char *id)
{
	uint64_t half = 0;

	if (id)
		memcpy(&half, id, sizeof(half));
	return half;
}

static struct repeat_key *repeat_slot(const struct repeats *r, struct repeat_key k)
{
	size_t at = (size_t)(k.one ^ k.two * 0x9e3779b97f4a7c15u) & (r->cap - 1);

	while ((r->slot[at].one || r->slot[at].two) &&
	       (r->slot[at].one != k.one || r->slot[at].two != k.two))
		at = (at + 1) & (r->cap - 1);
	return &r->slot[at];
}

/* Whether a walk entered this folder, or this pair of folders, before; either id may be NULL. */
static bool repeats_enter_folder(struct repeats *r, const unsigned char *one,
				 const unsigned char *two)
{
	struct repeat_key k = {repeat_half(one), repeat_half(two)}, *slot;

	if (!k.one && !k.two)
		return false;
	if (2 * r->n >= r->cap) {
		struct repeats old = *r;

		r->cap = old.cap ? 2 * old.cap : 256;
		r->slot = arena_array(r->a, r->cap, sizeof(*r->slot));
		for (size_t i = 0; i < old.cap; i++)
			if (old.slot[i].one || old.slot[i].two)
				*repeat_slot(r, old.slot[i]) = old.slot[i];
	}
	slot = repeat_slot(r, k);
	if (slot->one || slot->two)
		return true;
	*slot = k;
	r->n++;
	return false;
}

/* Counts one entry below a folder that was entered before: TOO_BIG above the limit. */
static struct err *repeats_count_entry(struct repeats *r, struct str path, struct str tree)
{
	if (++r->walked <= REPEATED_MAX)
		return NULL;
	return err_help(
		err_add_detail(err_new(E_TOO_BIG,
				       "%.*s repeats the same folders more than %zu times, also "
				       "in '%.*s'",
				       STR_ARG(tree), REPEATED_MAX, STR_ARG(path)),
			       "path", path),
		"such a tree is not made by accident; see it: git ls-tree");
}

static struct tree_file item_as_file(const struct git *g, const struct item *i, struct str path)
{
	struct tree_file f = {.path = path, .kind = i->kind, .id_len = g->id_len};

	memcpy(f.id, i->id, f.id_len);
	return f;
}

/* ---- differences ---- */

/*
 * Walks two trees of the repository side by side, folder by folder, and skips folders with equal
 * ids. For the index, the cache tree gives the ids of folders; ikm never reads the tree objects
 * behind them, because `git commit` may not have written them yet.
 */

/* One folder of one side: a raw tree, a run of index entries, or nothing. */
struct side {
	struct str raw;
	const struct index *ix;
	size_t lo, hi;                 /* entries not read yet */
	const struct cache_node *node; /* of this folder; NULL: unknown */
	/* The next entry. */
	bool has;
	struct item item;
	size_t first, end; /* its entries */
	const struct cache_node *sub;
};

struct diff_walk {
	struct git *g;
	struct arena *arena;
	struct tree *base, *now;
	struct tree_changes *out;
	char path[PATH_LIMIT];
	size_t n;
	struct repeats *repeats;
	unsigned again; /* folders above that were entered before */
};

static const struct cache_node *find_node(const struct cache_node *n, struct str name)
{
	size_t i = 0;

	if (!n)
		return NULL;
	BISECT(i, mid, n->subs, str_cmp(n->sub[mid]->name, name) < 0);
	return i < n->subs && str_eq(n->sub[i]->name, name) ? n->sub[i] : NULL;
}

/* A node that does not fit the entries is ignored; that costs only time. */
static bool diff_fits(const struct index *ix, const struct cache_node *n, size_t lo, size_t hi,
		      struct str folder)
{
	if (!n->id || !n->entries || n->entries > hi - lo)
		return false;
	return str_starts(index_entry_path(ix, lo + n->entries - 1), folder) &&
	       (n->entries == hi - lo ||
		!str_starts(index_entry_path(ix, lo + n->entries), folder));
}

static void next_entry(struct side *s, size_t skip)
{
	const struct index_entry *e = &s->ix->p[s->lo];
	struct str path = {e->name, e->len}, rest = str_sub(path, skip, path.n), folder;
	size_t slash = str_find_char(rest, '/', 0);

	s->has = true;
	s->first = s->lo;
	if (slash == SIZE_MAX) {
		s->item = (struct item){.name = rest, .kind = (enum tree_kind)e->kind, .id = e->id};
		s->end = ++s->lo;
		return;
	}
	s->item = (struct item){.name = str_sub(rest, 0, slash), .is_dir = true};
	folder = str_sub(path, 0, skip + slash + 1);
	s->sub = find_node(s->node, s->item.name);
	if (s->sub && diff_fits(s->ix, s->sub, s->lo, s->hi, folder)) {
		s->item.id = s->sub->id;
		s->end = s->lo + s->sub->entries;
	} else {
		s->end = index_prefix_end(s->ix, s->lo, s->hi, folder);
	}
	s->lo = s->end;
}

static struct err *diff_next(struct diff_walk *w, struct side *s, struct tree *t)
{
	struct item last = s->item;
	bool had = s->has;

	if (s->ix) {
		if (s->lo < s->hi)
			next_entry(s, w->n);
		else
			s->has = false;
		return NULL;
	}
	TRY(tree_object_entry_next(&s->raw, w->g->id_len, &s->item, &s->has));
	if (had && s->has && tree_object_entry_cmp(&last, &s->item) >= 0)
		return err_new(E_GIT_CORRUPT, "the folder '%.*s' in %.*s is not in order",
			       STR_ARG(((struct str){w->path, w->n})), STR_ARG(t->name));
	return NULL;
}

/* The folder that the side's next entry names. */
static struct err *open_folder(struct diff_walk *w, struct arena *a, const struct side *s,
			       struct tree *t, struct side *out)
{
	*out = (struct side){.ix = s->ix};
	if (s->ix) {
		out->lo = s->first;
		out->hi = s->end;
		out->node = s->sub;
		return NULL;
	}
	TRY_IN(object_read_tree(w->g, a, s->item.id, &out->raw), "read the folder '%.*s' in %.*s",
	       STR_ARG(((struct str){w->path, w->n})), STR_ARG(t->name));
	return NULL;
}

static struct err *diff_add_change(struct diff_walk *w, const struct item *old,
				   const struct item *new)
{
	struct tree_change *c;
	/* Copied into the repository's arena: changes must live as long as the trees. */
	struct str path = str_dup(w->g->arena, (struct str){w->path, w->n});

	if (w->out->n == CHANGES_MAX)
		return err_new(E_TOO_BIG, "more than %zu files differ between %.*s and %.*s",
			       CHANGES_MAX, STR_ARG(w->base->name), STR_ARG(w->now->name));
	c = VEC_PUSH(w->arena, w->out);
	c->has_old = old;
	c->has_new = new;
	if (old)
		c->old = item_as_file(w->g, old, path);
	if (new)
		c->new = item_as_file(w->g, new, path);
	return NULL;
}

static bool same_id(struct diff_walk *w, const struct item *x, const struct item *y)
{
	return x->id && y->id && id_eq(x->id, y->id, w->g->id_len);
}

static struct err *diff_folder(struct diff_walk *w, struct side *old, struct side *new,
			       unsigned depth);

/* Either entry may be NULL, not both. */
static struct err *diff_item(struct diff_walk *w, const struct side *old, const struct side *new,
			     unsigned depth)
{
	const struct item *i = old ? &old->item : &new->item;
	size_t before = w->n;
	struct side below_old = {0}, below_new = {0};
	bool both = old && new, again;
	struct arena *a ARENA_LOCAL = NULL;
	struct err *e;

	if (both && same_id(w, &old->item, &new->item) &&
	    (i->is_dir || old->item.kind == new->item.kind))
		return NULL;
	if (w->n + i->name.n + 1 >= PATH_LIMIT || depth >= DEPTH_MAX)
		return err_new(E_GIT_UNSUPPORTED, "a path in %.*s is longer than 4095 bytes",
			       STR_ARG((old ? w->base : w->now)->name));
	memcpy(w->path + w->n, i->name.p, i->name.n);
	w->n += i->name.n;
	if (w->again)
		TRY(repeats_count_entry(w->repeats, (struct str){w->path, w->n},
					(new ? w->now : w->base)->name));
	if (!i->is_dir) {
		e = diff_add_change(w, old ? &old->item : NULL, new ? &new->item : NULL);
	} else {
		w->path[w->n++] = '/';
		/* A side without an id comes from an index, which lists every file. */
		again = (!old || old->item.id) && (!new || new->item.id) &&
			repeats_enter_folder(w->repeats, old ? old->item.id : NULL,
					     new ? new->item.id : NULL);
		w->again += again;
		a = arena_new();
		e = old ? open_folder(w, a, old, w->base, &below_old) : NULL;
		if (!e && new)
			e = open_folder(w, a, new, w->now, &below_new);
		if (!e)
			e = diff_folder(w, &below_old, &below_new, depth + 1);
		w->again -= again;
	}
	w->n = before;
	return e;
}

/*
 * Skips entries with the same bytes on both sides. Most entries of a changed folder are like that.
 * It still reads the entries of one side, so it finds damage and a wrong order.
 */
static struct err *diff_skip_equal(struct diff_walk *w, struct side *old, struct side *new)
{
	for (bool same = false; new->raw.n && old->raw.n && !old->ix && !new->ix; same = true) {
		struct side ahead = *old;
		size_t n;

		TRY(diff_next(w, &ahead, w->base));
		n = old->raw.n - ahead.raw.n;
		if (n > new->raw.n || memcmp(old->raw.p, new->raw.p, n) != 0)
			return NULL;
		/* The entry before on the new side may be another one, at first. */
		if (new->has && !same && tree_object_entry_cmp(&new->item, &ahead.item) >= 0)
			return NULL;
		*old = ahead;
		new->raw = str_sub(new->raw, n, new->raw.n);
		new->has = true;
		new->item = ahead.item;
	}
	return NULL;
}

/* Git's order of entries, which gives the order of whole paths. */
static struct err *diff_folder(struct diff_walk *w, struct side *old, struct side *new,
			       unsigned depth)
{
	TRY(diff_skip_equal(w, old, new));
	TRY(diff_next(w, old, w->base));
	TRY(diff_next(w, new, w->now));
	while (old->has || new->has) {
		int c = !old->has   ? 1
			: !new->has ? -1
				    : tree_object_entry_cmp(&old->item, &new->item);

		TRY(diff_item(w, c <= 0 ? old : NULL, c >= 0 ? new : NULL, depth));
		if (!c)
			TRY(diff_skip_equal(w, old, new));
		if (c <= 0)
			TRY(diff_next(w, old, w->base));
		if (c >= 0)
			TRY(diff_next(w, new, w->now));
	}
	return NULL;
}

/* Opens the root like any folder: as if it were the only entry of a parent folder. */
static bool open_root(struct tree *t, struct side *s, struct git **g)
{
	*s = (struct side){.has = true, .item = {.is_dir = true}};
	if (t->ops == &git_index_ops) {
		struct index_tree *i = (struct index_tree *)t;
		const struct cache_node *root = i->ix.root;

		*g = i->g;
		s->ix = &i->ix;
		s->end = i->ix.n;
		s->sub = root;
		if (root && root->id && root->entries == i->ix.n)
			s->item.id = root->id;
		return true;
	}
	if (t->ops == &git_commit_ops) {
		struct commit_tree *c = (struct commit_tree *)t;

		*g = c->g;
		s->item.id = c->id;
		return true;
	}
	return false;
}

struct err *diff_trees(struct arena *a, struct tree *base, struct tree *now,
		       struct tree_changes *out, bool *known)
{
	struct diff_walk w = {.arena = a, .base = base, .now = now, .out = out};
	struct side old, new, below_old, below_new;
	struct git *g = NULL;
	struct arena *roots ARENA_LOCAL = NULL;
	struct err *e;

	/* Ids of two repositories may differ in length; that case need not be fast. */
	*known = base && now && open_root(base, &old, &w.g) && open_root(now, &new, &g) && w.g == g;
	if (!*known || same_id(&w, &old.item, &new.item))
		return NULL;
	roots = arena_new();
	w.repeats = repeats_new(roots);
	e = open_folder(&w, roots, &old, base, &below_old);
	if (!e)
		e = open_folder(&w, roots, &new, now, &below_new);
	if (!e)
		e = diff_folder(&w, &below_old, &below_new, 0);
	return e;
}

/* ---- contents ---- */

static struct err *read_blob(struct git *g, struct arena *a, struct tree *t,
			     const struct tree_file *f, size_t max, struct str *out)
{
	if (f->kind == TREE_SUBMODULE)
		return err_new(E_NOT_A_FILE, "'%.*s' in %.*s is a submodule", STR_ARG(f->path),
			       STR_ARG(t->name));
	if (f->id_len != g->id_len)
		BUG("a file of another tree was given");
	TRY_IN(object_read(g, a, f->id, OBJECT_BLOB, max, out), "read '%.*s' in %.*s",
	       STR_ARG(f->path), STR_ARG(t->name));
	return NULL;
}

/* ---- the index ---- */

static void index_file(const struct index *ix, size_t i, struct tree_file *out)
{
	const struct index_entry *e = &ix->p[i];

	*out = (struct tree_file){.path = index_entry_path(ix, i),
				  .kind = (enum tree_kind)e->kind,
				  .id_len = ix->id_len};
	memcpy(out->id, e->id, ix->id_len);
}

static struct err *index_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	const struct index *ix = &((struct index_tree *)t)->ix;
	size_t lo = 0, hi = ix->n;
	struct tree_file f;

	if (prefix.n) {
		struct arena *scratch ARENA_LOCAL = arena_new();
		struct str folder = str_fmt(scratch, "%.*s/", STR_ARG(prefix));

		lo = index_lower_bound(ix, 0, ix->n, folder);
		hi = index_prefix_end(ix, lo, ix->n, folder);
	}
	for (; lo < hi; lo++) {
		index_file(ix, lo, &f);
		TRY(fn(ctx, &f));
	}
	return NULL;
}

static struct err *index_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	const struct index *ix = &((struct index_tree *)t)->ix;
	size_t i = index_lower_bound(ix, 0, ix->n, path);

	*found = i < ix->n && str_eq(index_entry_path(ix, i), path);
	if (*found)
		index_file(ix, i, out);
	return NULL;
}

static struct err *index_blob(struct tree *t, struct arena *a, const struct tree_file *f,
			      size_t max, struct str *out)
{
	return read_blob(((struct index_tree *)t)->g, a, t, f, max, out);
}

const struct tree_ops git_index_ops = {
	.each = index_each, .find = index_find, .read = index_blob, .diff = diff_trees};

static struct err *conflicts(struct git *g, const struct strs *paths)
{
	struct buf names = buf_in(g->arena);
	struct err *e;

	for (size_t i = 0; i < size_min(paths->n, NAMED_MAX); i++)
		buf_fmt(&names, "%s'%.*s'", i ? ", " : "", STR_ARG(paths->p[i]));
	if (paths->n > NAMED_MAX)
		buf_fmt(&names, " and %zu more", paths->n - NAMED_MAX);
	e = err_new(E_GIT_FAILED, "the index has conflicts that are not resolved: %.*s",
		    STR_ARG(buf_as_str(&names)));
	e = err_detail_list(e, "paths", paths);
	return err_help(e, "resolve them, then: git add PATH");
}

struct err *git_tree_index_skip_conflicts(struct git *g, struct tree **out)
{
	struct index_tree *t = ARENA_NEW(g->arena, struct index_tree);

	*t = (struct index_tree){.t = {&git_index_ops, STR("the index")}, .g = g};
	*out = &t->t;
	return index_file_read(g, &t->ix);
}

struct err *git_tree_index(struct git *g, struct tree **out)
{
	const struct strs *paths;

	TRY(git_tree_index_skip_conflicts(g, out));
	paths = &((struct index_tree *)*out)->ix.conflicts;
	return paths->n ? conflicts(g, paths) : NULL;
}

struct err *git_tree_of_sparse_excluded(struct git *g, struct tree **out)
{
	struct index_tree *t;
	struct os_stat st;
	struct tree *all;
	size_t kept = 0;

	*out = NULL;
	TRY(os_stat(os_join(g->arena, g->dir, "info/sparse-checkout"), true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(git_tree_index_skip_conflicts(g, &all));
	t = (struct index_tree *)all;
	for (size_t i = 0; i < t->ix.n; i++)
		if (t->ix.p[i].skipped)
			t->ix.p[kept++] = t->ix.p[i];
	t->ix.n = kept;
	/* The cache tree counts the entries that were left out. */
	t->ix.root = NULL;
	if (kept)
		*out = all;
	return NULL;
}

/* ---- commits ---- */

struct walk {
	struct commit_tree *t;
	char path[PATH_LIMIT];
	size_t n, files;
	tree_fn *fn;
	void *ctx;
	struct repeats *repeats;
	unsigned again; /* folders above that were entered before */
};

static struct err *walk_folder(struct walk *w, const unsigned char *id, unsigned depth);

static struct err *walk_raw(struct walk *w, struct str raw, unsigned depth)
{
	struct git *g = w->t->g;
	struct item i, last = {0};
	struct tree_file f;
	size_t before = w->n;
	bool more;

	for (;; last = i, w->n = before) {
		TRY(tree_object_entry_next(&raw, g->id_len, &i, &more));
		if (!more)
			return NULL;
		if (last.name.n && tree_object_entry_cmp(&last, &i) >= 0)
			return err_new(E_GIT_CORRUPT, "the folder '%.*s' in %.*s is not in order",
				       STR_ARG(((struct str){w->path, w->n})),
				       STR_ARG(w->t->t.name));
		if (before + i.name.n + 1 >= PATH_LIMIT || depth > DEPTH_MAX)
			return err_new(E_GIT_UNSUPPORTED,
				       "a path in %.*s is longer than 4095 bytes",
				       STR_ARG(w->t->t.name));
		memcpy(w->path + before, i.name.p, i.name.n);
		w->n += i.name.n;
		if (w->again)
			TRY(repeats_count_entry(w->repeats, (struct str){w->path, w->n},
						w->t->t.name));
		if (i.is_dir) {
			w->path[w->n++] = '/';
			TRY(walk_folder(w, i.id, depth + 1));
			continue;
		}
		if (++w->files > FILES_MAX)
			return err_new(E_TOO_BIG, "%.*s has more than %zu files",
				       STR_ARG(w->t->t.name), FILES_MAX);
		f = item_as_file(g, &i, str_dup(g->arena, (struct str){w->path, w->n}));
		TRY(w->fn(w->ctx, &f));
	}
}

static struct err *walk_folder(struct walk *w, const unsigned char *id, unsigned depth)
{
	bool again = repeats_enter_folder(w->repeats, id, NULL);
	struct arena *a ARENA_LOCAL = arena_new();
	struct str raw;
	struct err *e;

	/* A repeated folder is cached. Other folders are not: there may be a million. */
	e = again ? object_read_tree(w->t->g, a, id, &raw)
		  : object_read(w->t->g, a, id, OBJECT_TREE, OBJECT_MAX, &raw);
	w->again += again;
	e = e ? err_add_context(e, "read the folder '%.*s' in %.*s",
				STR_ARG(((struct str){w->path, w->n})), STR_ARG(w->t->t.name))
	      : walk_raw(w, raw, depth);
	w->again -= again;
	return e;
}

/*
 * The entry with that name in a raw tree. Entries are in order, so the search ends, as git's does,
 * at the first entry that cannot come before the name.
 */
static struct err *find_item(struct git *g, struct str raw, struct str name, struct item *out,
			     bool *found)
{
	bool more;

	for (*found = false;;) {
		TRY(tree_object_entry_next(&raw, g->id_len, out, &more));
		if (!more || memcmp(out->name.p, name.p, size_min(out->name.n, name.n)) > 0)
			return NULL;
		*found = str_eq(out->name, name);
		if (*found)
			return NULL;
	}
}

struct err *object_walk_tree_path(struct git *g, struct arena *a, const unsigned char *root,
				  struct str *path, struct items *out, bool *found)
{
	struct item i = {.is_dir = true, .id = root};
	struct str part, raw;

	for (*found = true; *found && i.is_dir && str_next_part(path, '/', &part);) {
		TRY(object_read_tree(g, a, i.id, &raw));
		TRY(find_item(g, raw, part, &i, found));
		if (*found)
			*VEC_PUSH(a, out) = i;
	}
	return NULL;
}

/* Opens the folder with that path; *found is false when there is none. */
static struct err *open_folder_at(struct git *g, struct arena *a, const unsigned char *root,
				  struct str folder, struct str *raw, bool *found)
{
	struct item last = {.is_dir = true, .id = root};
	struct items way = {0};

	TRY(object_walk_tree_path(g, a, root, &folder, &way, found));
	if (way.n)
		last = way.p[way.n - 1];
	*found = *found && last.is_dir;
	return *found ? object_read_tree(g, a, last.id, raw) : NULL;
}

/* Callers often ask for paths in order, so the last folder is cached, and only that one. */
static struct err *git_trees_enter(struct commit_tree *t, struct str folder, struct str *raw,
				   bool *found)
{
	struct arena *a;
	struct err *e;

	*found = true;
	if (t->folder_arena && str_eq(t->folder, folder)) {
		*raw = t->raw;
		return NULL;
	}
	a = arena_new();
	e = open_folder_at(t->g, a, t->id, folder, raw, found);
	if (e || !*found) {
		arena_free(a);
		return e ? err_add_context(e, "read the folder '%.*s' in %.*s", STR_ARG(folder),
					   STR_ARG(t->t.name))
			 : NULL;
	}
	arena_free(t->folder_arena);
	t->folder_arena = a;
	t->folder = str_dup(a, folder);
	t->raw = *raw;
	return NULL;
}

static struct err *commit_each(struct tree *tree, struct str prefix, tree_fn *fn, void *ctx)
{
	struct commit_tree *t = (struct commit_tree *)tree;
	struct walk w = {.t = t, .fn = fn, .ctx = ctx};
	struct str raw;
	bool found;

	/* Lists all files and keeps the list: a caller that asks once asks again. */
	if (!prefix.n && !t->listed) {
		struct arena *a ARENA_LOCAL = arena_new();

		w.fn = tree_collect;
		w.ctx = &t->list;
		t->list.n = 0;
		w.repeats = repeats_new(a);
		TRY(walk_folder(&w, t->id, 0));
		t->listed = true;
	}
	if (!prefix.n) {
		for (size_t i = 0; i < t->list.n; i++)
			TRY(fn(ctx, &t->list.p[i]));
		return NULL;
	}
	TRY(git_trees_enter(t, prefix, &raw, &found));
	if (!found)
		return NULL;
	if (prefix.n + 1 >= PATH_LIMIT)
		return err_new(E_TOO_LONG, "a path has %zu bytes", prefix.n);
	memcpy(w.path, prefix.p, prefix.n);
	w.path[prefix.n] = '/';
	w.n = prefix.n + 1;
	/* fn may look up other paths, which replaces the cached folder. */
	struct arena *a ARENA_LOCAL = arena_new();

	w.repeats = repeats_new(a);
	return walk_raw(&w, str_dup(a, raw), 0);
}

static struct err *commit_find(struct tree *tree, struct str path, struct tree_file *out,
			       bool *found)
{
	struct commit_tree *t = (struct commit_tree *)tree;
	size_t at = 0;
	struct str raw = {0};
	struct item i;

	if (t->listed) {
		BISECT(at, mid, t->list.n, str_cmp(t->list.p[mid].path, path) < 0);
		*found = at < t->list.n && str_eq(t->list.p[at].path, path);
		if (*found)
			*out = t->list.p[at];
		return NULL;
	}
	TRY(git_trees_enter(t, str_dir(path), &raw, found));
	if (*found)
		TRY(find_item(t->g, raw, str_base(path), &i, found));
	*found = *found && !i.is_dir;
	if (*found)
		*out = item_as_file(t->g, &i, str_dup(t->g->arena, path));
	return NULL;
}

static struct err *commit_blob(struct tree *t, struct arena *a, const struct tree_file *f,
			       size_t max, struct str *out)
{
	return read_blob(((struct commit_tree *)t)->g, a, t, f, max, out);
}

const struct tree_ops git_commit_ops = {
	.each = commit_each, .find = commit_find, .read = commit_blob, .diff = diff_trees};

static void forget_folder(void *p)
{
	struct commit_tree *t = p;

	arena_free(t->folder_arena);
}

struct tree *commit_tree_new(struct git *g, const unsigned char *tree_id, struct str name)
{
	struct commit_tree *t = ARENA_NEW(g->arena, struct commit_tree);

	t->t = (struct tree){&git_commit_ops, name};
	t->g = g;
	t->list.a = g->arena;
	memcpy(t->id, tree_id, g->id_len);
	arena_defer(g->arena, forget_folder, t);
	return &t->t;
}
