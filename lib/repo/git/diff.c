/*
 * The differences of two trees of the repository. Walks both side by side, folder by folder, and
 * skips folders with equal ids. For the index, the cache tree gives the ids of folders; ikm never
 * reads the tree objects behind them, because `git commit` may not have written them yet.
 */
#include "git/internal.h"

#define PATH_LIMIT  ((size_t)4096)
#define CHANGES_MAX ((size_t)16 << 20)

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

struct walk {
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

static struct err *diff_next(struct walk *w, struct side *s, struct tree *t)
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
static struct err *open_folder(struct walk *w, struct arena *a, const struct side *s,
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

static struct tree_file diff_as_file(struct walk *w, const struct item *i, struct str path)
{
	struct tree_file f = {.path = path, .kind = i->kind, .id_len = w->g->id_len};

	memcpy(f.id, i->id, f.id_len);
	return f;
}

static struct err *diff_add_change(struct walk *w, const struct item *old, const struct item *new)
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
		c->old = diff_as_file(w, old, path);
	if (new)
		c->new = diff_as_file(w, new, path);
	return NULL;
}

static bool same_id(struct walk *w, const struct item *x, const struct item *y)
{
	return x->id && y->id && id_eq(x->id, y->id, w->g->id_len);
}

static struct err *diff_folder(struct walk *w, struct side *old, struct side *new, unsigned depth);

/* Either entry may be NULL, not both. */
static struct err *diff_item(struct walk *w, const struct side *old, const struct side *new,
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
static struct err *diff_skip_equal(struct walk *w, struct side *old, struct side *new)
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
static struct err *diff_folder(struct walk *w, struct side *old, struct side *new, unsigned depth)
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
	struct walk w = {.arena = a, .base = base, .now = now, .out = out};
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
