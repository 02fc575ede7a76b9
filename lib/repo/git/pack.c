/*
 * Reads packed objects (gitformat-pack(5)). libgit2 1.5 trusts the offsets in a pack's index, and a
 * damaged index makes it read beyond the pack. So ikm reads packs itself, also for libgit2. Threads
 * share only the cache of delta bases, under a lock.
 */
#include "git/pack.h"
#include "os/os.h"

#define CHAIN_MAX  4200                /* git writes no chain longer than 4095 */
#define CACHED_MAX ((size_t)256 << 10) /* of one object */
#define CACHE_MAX  ((size_t)64 << 20)
#define ON_THE_WAY_MAX                                                                             \
	((size_t)96 << 20)          /* limit of a base or delta, unless the object may be larger */
#define WORK_MAX  ((size_t)4 << 30) /* limit of all bases of one object together */
#define OFS_DELTA 6
#define REF_DELTA 7

/* ---- the cache of delta bases ---- */

static struct slot *git_pack_slot_of(struct packs *k, const struct pack *p, size_t offset)
{
	return &k->cache[(offset * 2654435761u ^ (uintptr_t)p >> 6) % PACK_SLOTS];
}

static bool cache_get(const struct git *g, struct arena *a, const struct pack *p, size_t offset,
		      enum object_type *type, struct str *out)
{
	struct packs *k = g->packs;
	struct slot *s = git_pack_slot_of(k, p, offset);
	bool hit;

	pthread_mutex_lock(&k->lock);
	hit = s->pack == p && s->offset == offset;
	if (hit) {
		*type = s->type;
		*out = str_dup(a, (struct str){s->p, s->n});
	}
	pthread_mutex_unlock(&k->lock);
	return hit;
}

static void cache_put(const struct git *g, const struct pack *p, size_t offset,
		      enum object_type type, struct str text)
{
	struct packs *k = g->packs;
	struct slot *s = git_pack_slot_of(k, p, offset);
	char *copy;

	if (text.n > CACHED_MAX || !text.n)
		return;
	copy = malloc(text.n);
	if (!copy)
		return;
	memcpy(copy, text.p, text.n);
	pthread_mutex_lock(&k->lock);
	if (k->cached - s->n + text.n > CACHE_MAX) {
		pthread_mutex_unlock(&k->lock);
		free(copy);
		return;
	}
	k->cached += text.n - s->n;
	free(s->p);
	*s = (struct slot){p, offset, type, copy, text.n};
	pthread_mutex_unlock(&k->lock);
}

/* ---- one object ---- */

struct entry {
	size_t offset; /* of the entry */
	unsigned type;
	size_t size;     /* inflated size of the object, or of the delta */
	size_t base;     /* offset of the base, for a delta */
	struct str data; /* deflated; read_object() inflates it */
};

struct reading {
	const struct git *g;
	struct pack *p;
	size_t limit;    /* limit of intermediate results */
	struct arena *a; /* scratch */
	struct inflate *z;
	struct VEC(struct entry) chain; /* deltas; the delta of the object itself is first */
};

static bool read_base(struct reading *r, struct entry *e, size_t *at, size_t end, bool *elsewhere)
{
	const unsigned char *p = (const unsigned char *)r->p->pack.p;
	unsigned char id_len = r->g->id_len, c;
	uint64_t back;
	bool found;

	*elsewhere = false;
	if (e->type == REF_DELTA) {
		if (end - *at < id_len)
			return false;
		*at += id_len;
		if (pack_lookup(r->g, r->p, p + *at - id_len, &e->base, &found))
			return false;
		*elsewhere = !found;
		return true;
	}
	if (*at >= end)
		return false;
	c = p[(*at)++];
	for (back = c & 127; c & 128; back = (back + 1) << 7 | (c & 127)) {
		if (*at >= end || back >> 48)
			return false;
		c = p[(*at)++];
	}
	if (!back || back >= e->offset)
		return false;
	e->base = e->offset - (size_t)back;
	return e->base >= 12;
}

/* Reads the head of an entry: type, size, and the base of a delta. */
static struct err *git_pack_read_head(struct reading *r, size_t offset, struct entry *e)
{
	const unsigned char *p = (const unsigned char *)r->p->pack.p;
	size_t at = offset, end = r->p->pack.n - r->g->id_len;
	unsigned shift = 4;
	bool elsewhere = false;
	unsigned char c;

	c = p[at++];
	*e = (struct entry){.offset = offset, .type = c >> 4 & 7, .size = c & 15};
	for (; c & 128; shift += 7) {
		if (at >= end || shift > 57)
			return pack_damaged(r->p, "an entry has no head");
		c = p[at++];
		e->size |= (size_t)(c & 127) << shift;
	}
	if (!e->type || e->type == 5 ||
	    (e->type >= OFS_DELTA && !read_base(r, e, &at, end, &elsewhere)))
		return pack_damaged(r->p, "an entry has no type, or no base");
	/* Only a pack on the wire may refer to objects outside. */
	if (elsewhere)
		return pack_damaged(r->p, "the base of an entry is not in it");
	e->data = (struct str){(const char *)p + at, end - at};
	if (e->size / INFLATE_RATIO > e->data.n)
		return pack_damaged(r->p, "the size of an entry differs from the size in its head");
	return NULL;
}

static struct err *inflate_entry(struct reading *r, struct arena *a, const struct entry *e,
				 struct str *out)
{
	size_t n = e->size + INFLATE_ROOM;
	char *to;

	if (e->size > r->limit)
		return object_too_big(r->p->name, e->size, r->limit);
	to = arena_alloc(a, n);
	inflate_start(r->z, e->data);
	if (!inflate_next(r->z, to, &n) || n != e->size)
		return pack_damaged(r->p, "an entry cannot be inflated to the size in its head");
	*out = (struct str){to, e->size};
	return NULL;
}

/* Seven bits a byte, lowest bits first. */
static bool delta_size(struct str *d, size_t *size)
{
	unsigned shift = 0;
	unsigned char c;

	*size = 0;
	do {
		if (!d->n || shift > 57)
			return false;
		c = (unsigned char)d->p[0];
		*d = str_sub(*d, 1, d->n);
		*size |= (size_t)(c & 127) << shift;
		shift += 7;
	} while (c & 128);
	return true;
}

static bool delta_number(struct str *d, unsigned char op, unsigned bits, unsigned n, size_t *out)
{
	*out = 0;
	for (unsigned i = 0; i < n; i++) {
		if (!(op & 1u << (bits + i)))
			continue;
		if (!d->n)
			return false;
		*out |= (size_t)(unsigned char)d->p[0] << (8 * i);
		*d = str_sub(*d, 1, d->n);
	}
	return true;
}

/* Copies runs of the base, and inserts runs of its own. */
static bool apply(struct arena *a, struct str base, struct str d, size_t limit, struct str *out)
{
	size_t from, n, size, done = 0;
	char *to;

	if (!delta_size(&d, &n) || n != base.n || !delta_size(&d, &size) || size > limit)
		return false;
	to = arena_alloc(a, size + 1);
	while (d.n) {
		unsigned char op = (unsigned char)d.p[0];

		d = str_sub(d, 1, d.n);
		if (op & 128) {
			if (!delta_number(&d, op, 0, 4, &from) || !delta_number(&d, op, 4, 3, &n))
				return false;
			n = n ? n : 0x10000;
			if (from > base.n || n > base.n - from || n > size - done)
				return false;
			memcpy(to + done, base.p + from, n);
		} else {
			n = op;
			if (!n || n > d.n || n > size - done)
				return false;
			memcpy(to + done, d.p, n);
			d = str_sub(d, n, d.n);
		}
		done += n;
	}
	*out = (struct str){to, size};
	return done == size;
}

/* Follows the chain to a whole object, or to one in the cache. */
static struct err *find_base(struct reading *r, size_t offset, enum object_type *type,
			     struct str *text, bool *cached)
{
	for (;;) {
		struct entry e;

		*cached = r->chain.n && cache_get(r->g, r->a, r->p, offset, type, text);
		if (*cached)
			return NULL;
		TRY(git_pack_read_head(r, offset, &e));
		if (r->chain.n == CHAIN_MAX)
			return pack_damaged(r->p, "a chain of deltas does not end");
		*VEC_PUSH(r->a, &r->chain) = e;
		if (e.type < OFS_DELTA) {
			*type = (enum object_type)e.type;
			return NULL;
		}
		offset = e.base;
	}
}

static struct err *git_pack_too_big(const struct reading *r, size_t size, size_t max)
{
	char name[OS_PATH_MAX];

	snprintf(name, sizeof(name), "%s.pack: one", r->p->name);
	return object_too_big(name, size, max);
}

/*
 * Applies the deltas of the chain, from the n-th to the object's own. Frees each base after use: a
 * chain may have thousands of them, and a hostile chain makes each one huge.
 */
static struct err *apply_chain(struct reading *r, struct arena *a, size_t n, enum object_type type,
			       struct str text, bool cached, struct str *out)
{
	struct arena *base = NULL;
	struct err *e = NULL;
	size_t work = 0;

	while (!e && n-- > 0) {
		struct arena *scratch = arena_new();
		const struct entry *d = &r->chain.p[n];
		struct str delta;

		/* A base is likely to be used again. */
		if (!cached)
			cache_put(r->g, r->p, d->base, type, text);
		cached = false;
		delta = d->data;
		e = n ? inflate_entry(r, scratch, d, &delta) : NULL;
		if (!e && !apply(n ? scratch : a, text, delta, r->limit, &text))
			e = pack_damaged(r->p, "a delta does not fit its base, or its result is "
					       "too large");
		work += text.n;
		if (!e && work > WORK_MAX)
			e = git_pack_too_big(r, work, WORK_MAX);
		arena_free(base);
		base = scratch;
	}
	arena_free(base);
	*out = text;
	return e;
}

static struct err *read_object(struct reading *r, struct arena *a, size_t offset, size_t max,
			       enum object_type *type, size_t *size, struct str *out)
{
	struct entry *own;
	struct str text;
	bool cached;
	size_t i;

	if (out && cache_get(r->g, a, r->p, offset, type, out)) {
		*size = out->n;
		return *size > max ? git_pack_too_big(r, *size, max) : NULL;
	}
	TRY(find_base(r, offset, type, &text, &cached));
	own = &r->chain.p[0];
	*size = own->size;
	/* The first bytes of the object's own delta give the size of the result. */
	if (own->type >= OFS_DELTA) {
		struct str delta;
		size_t old;

		TRY(inflate_entry(r, r->a, own, &own->data));
		delta = own->data;
		if (!delta_size(&delta, &old) || !delta_size(&delta, size))
			return pack_damaged(r->p, "a delta does not begin with a valid size");
	}
	if (!out)
		return NULL;
	if (*size > max)
		return git_pack_too_big(r, *size, max);
	i = r->chain.n;
	if (!cached) {
		i--;
		TRY(inflate_entry(r, i ? r->a : a, &r->chain.p[i], &text));
	}
	if (i)
		return apply_chain(r, a, i, *type, text, cached, out);
	*out = text;
	return NULL;
}

struct err *pack_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		      enum object_type *type, size_t *size, struct str *out, bool *found)
{
	struct pack *p;
	size_t offset;

	*found = false;
	for (size_t i = 0;; i++) {
		struct reading r = {.g = g, .limit = size_max(max, ON_THE_WAY_MAX)};
		struct err *e;

		TRY(packs_get_nth_pack(g, i, &p));
		if (!p)
			return NULL;
		TRY(pack_lookup(g, p, id, &offset, found));
		if (!*found)
			continue;
		r.p = p;
		r.a = arena_new();
		r.z = inflate_new(r.a);
		e = read_object(&r, a, offset, max, type, size, out);
		arena_free(r.a);
		return e;
	}
}
