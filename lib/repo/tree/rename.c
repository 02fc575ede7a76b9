/*
 * Finds deleted and added files that are one file under two names. Equal content comes first, and
 * among those an equal name; then the most similar content. Like git, keeps few candidates for each
 * added file, so that memory does not grow with the pairs.
 */
#include "crypt/crypt.h"
#include "tree/similarity.h"
#include "tree/internal.h"

#define LIMIT       ((size_t)1000000) /* pairs */
#define ALIKE_MIN   (ALIKE_MAX / 2)
#define ALIKE_BYTES ((size_t)8 << 20)   /* larger files are only compared for equality */
#define WHOLE_BYTES ((size_t)256 << 20) /* and larger ones not at all */
#define BATCH_BYTES ((size_t)64 << 20)  /* of chunks in memory */
#define CHOICES     4

/* The kind of content, and its id or hash. */
struct key {
	bool known;
	unsigned char p[33];
};

/* One deleted or one added file. */
struct file {
	struct tree_change *change;
	const struct tree_file *file;
	struct str name; /* the last part of the path */
	struct key key;
	struct file *match;
};
struct files VEC(struct file *);

struct choice {
	struct file *old, *new;
	unsigned alike;
	bool same_name;
};

struct search {
	struct arena *arena;
	struct tree *base, *now;
	struct files old, new; /* in the order of the changes, and so of the paths */
	bool ids;              /* every file has an id, all of one length */
};

static struct err *make_key(struct tree *t, struct file *f, bool ids)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct sha256 h;
	struct str content;
	struct err *e;

	f->key.p[0] = kind_is_plain_file(f->file->kind) ? 0 : (unsigned char)f->file->kind;
	f->key.known = ids;
	if (ids) {
		memcpy(f->key.p + 1, f->file->id, f->file->id_len);
		return NULL;
	}
	if (f->file->kind == TREE_SUBMODULE)
		return NULL;
	a = arena_new();
	e = tree_read(t, a, f->file, WHOLE_BYTES, &content);
	if (!e) {
		sha256_init(&h);
		sha256_add(&h, content);
		sha256_end(&h, f->key.p + 1);
		f->key.known = true;
	} else if (err_reason(e) == E_TOO_BIG) {
		e = NULL;
	}
	return e;
}

/* ---- the same content ---- */

static int key_cmp(const struct file *a, const struct file *b)
{
	return memcmp(a->key.p, b->key.p, sizeof(a->key.p));
}

static int name_cmp(const struct file *a, const struct file *b)
{
	int c = key_cmp(a, b);

	return c ? c : str_cmp(a->name, b->name);
}

/* The changes are in the order of their paths. */
static int order_cmp(const struct file *a, const struct file *b)
{
	return a->change < b->change ? -1 : a->change > b->change;
}

ORDER_OF_POINTERS(rename_by_key, struct file, (c = key_cmp(a, b)) || (c = order_cmp(a, b)))

ORDER_OF_POINTERS(rename_by_name, struct file, (c = name_cmp(a, b)) || (c = order_cmp(a, b)))

static struct files rename_single(struct arena *a, const struct files *all,
				  int (*order)(const void *, const void *))
{
	struct files out = {0};

	for (size_t i = 0; i < all->n; i++)
		if (!all->p[i]->match && all->p[i]->key.known)
			*VEC_PUSH(a, &out) = all->p[i];
	VEC_SORT(&out, order);
	return out;
}

/* Among equal files, pairs the first with the first, the second with the second. */
static void pair_equal(struct search *s, int (*order)(const void *, const void *),
		       int (*cmp)(const struct file *, const struct file *))
{
	struct files old = rename_single(s->arena, &s->old, order);
	struct files new = rename_single(s->arena, &s->new, order);

	for (size_t i = 0, k = 0; i < old.n && k < new.n;) {
		int c = cmp(old.p[i], new.p[k]);

		if (!c) {
			old.p[i]->match = new.p[k];
			new.p[k]->match = old.p[i];
		}
		i += c <= 0;
		k += c >= 0;
	}
}

/* ---- the most alike ---- */

ORDER_OF(rename_best_first, struct choice,
	 ORDER_DOWN(alike) || ORDER_DOWN(same_name) || (c = order_cmp(a->new, b->new)) ||
		 (c = order_cmp(a->old, b->old)))

/* Skips files over the limit. */
static struct err *rename_load(struct tree *t, struct arena *a, const struct file *f,
			       struct chunks *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct str content;
	struct err *e = tree_read(t, scratch, f->file, ALIKE_BYTES, &content);

	*out = (struct chunks){0};
	if (!e)
		*out = similarity_split(a, content);
	else if (err_reason(e) == E_TOO_BIG)
		e = NULL;
	return e;
}

/* Candidates without an old file sort last. */
static void rename_offer(struct choice *choices, struct choice c)
{
	struct choice *worst = choices;

	for (size_t i = 1; i < CHOICES && worst->old; i++)
		if (!choices[i].old || rename_best_first(&choices[i], worst) > 0)
			worst = &choices[i];
	if (!worst->old || rename_best_first(&c, worst) < 0)
		*worst = c;
}

static struct err *compare_batch(struct search *s, struct file *const *old,
				 const struct chunks *chunks, size_t n, const struct files *news,
				 struct choice *choices)
{
	for (size_t i = 0; i < news->n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct file *new = news->p[i];
		struct chunks mine;
		struct err *e = rename_load(s->now, a, new, &mine);

		for (size_t k = 0; k < n && !e; k++) {
			struct choice c = {.old = old[k], .new = new};

			if (size_min(chunks[k].size, mine.size) <
			    size_max(chunks[k].size, mine.size) / 2)
				continue;
			c.alike = similarity_of_chunks(&chunks[k], &mine);
			c.same_name = str_eq(old[k]->name, new->name);
			if (c.alike >= ALIKE_MIN)
				rename_offer(&choices[i * CHOICES], c);
		}
		TRY(e);
	}
	return NULL;
}

static struct files plain_singles(struct arena *a, const struct files *all)
{
	struct files out = {0};

	for (size_t i = 0; i < all->n; i++)
		if (!all->p[i]->match && kind_is_plain_file(all->p[i]->file->kind))
			*VEC_PUSH(a, &out) = all->p[i];
	return out;
}

static struct err *pair_alike(struct search *s, size_t limit)
{
	struct files olds = plain_singles(s->arena, &s->old);
	struct files news = plain_singles(s->arena, &s->new);
	struct choice *choices;
	size_t n = 0;

	if (!olds.n || !news.n || olds.n > limit / news.n)
		return NULL;
	choices = arena_array(s->arena, news.n, CHOICES * sizeof(*choices));
	/* As many old files as fit into memory at a time; each batch reads the new files again. */
	for (size_t from = 0, i = 0; from < olds.n; from = i) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct chunks *chunks = arena_array(a, olds.n - from, sizeof(*chunks));
		struct err *e = NULL;
		size_t bytes = 0;

		for (; i < olds.n && bytes < BATCH_BYTES && !e; i++) {
			e = rename_load(s->base, a, olds.p[i], &chunks[i - from]);
			bytes += chunks[i - from].cap * sizeof(struct chunk);
		}
		if (!e)
			e = compare_batch(s, olds.p + from, chunks, i - from, &news, choices);
		TRY(e);
	}
	for (size_t i = 0; i < news.n * CHOICES; i++)
		if (choices[i].old)
			choices[n++] = choices[i];
	if (n)
		qsort(choices, n, sizeof(*choices), rename_best_first);
	for (size_t i = 0; i < n; i++) {
		struct choice *c = &choices[i];

		if (!c->old->match && !c->new->match) {
			c->old->match = c->new;
			c->new->match = c->old;
		}
	}
	return NULL;
}

struct err *tree_find_renames(struct tree *base, struct tree *now, size_t limit,
			      struct tree_changes *changes)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct search s = {.arena = a, .base = base, .now = now, .ids = true};
	const struct tree_file *any = NULL;
	struct file *one;
	size_t kept = 0;

	VEC_EACH(struct tree_change, c, changes) {
		const struct tree_file *f = c->has_old ? &c->old : &c->new;

		if (c->has_old == c->has_new)
			continue;
		one = ARENA_NEW(a, struct file);
		one->change = c;
		one->file = f;
		one->name = str_base(f->path);
		*VEC_PUSH(a, c->has_old ? &s.old : &s.new) = one;
		any = any ? any : f;
		s.ids = s.ids && f->id_len && f->id_len == any->id_len;
	}
	if (s.old.n && s.new.n) {
		for (size_t i = 0; i < s.old.n; i++)
			TRY(make_key(base, s.old.p[i], s.ids));
		for (size_t i = 0; i < s.new.n; i++)
			TRY(make_key(now, s.new.p[i], s.ids));
		pair_equal(&s, rename_by_name, name_cmp);
		pair_equal(&s, rename_by_key, key_cmp);
		TRY(pair_alike(&s, limit ? limit : LIMIT));
	}
	for (size_t i = 0; i < s.new.n; i++) {
		struct file *new = s.new.p[i], *old = new->match;

		if (!old)
			continue;
		new->change->has_old = true;
		new->change->renamed = true;
		new->change->old = old->change->old;
		old->change->has_old = false;
	}
	for (size_t i = 0; i < changes->n; i++)
		if (changes->p[i].has_old || changes->p[i].has_new)
			changes->p[kept++] = changes->p[i];
	changes->n = kept;
	return NULL;
}
