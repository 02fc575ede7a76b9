/*
 * Packed objects (gitformat-pack(5)). libgit2 1.5 trusts the offsets in a pack's index, and a damaged
 * one makes it read beyond the pack; so packs are read here, for libgit2 too. Threads share the
 * mapped files, and wait for each other only to look into the cache of delta bases.
 */
#include "base/base.h"
#include "git/internal.h"
#include "os/os.h"
#include <pthread.h>

#define FANOUT     256
#define CHAIN_MAX  4200 /* git makes none longer than 4095 */
#define SLOTS      1024
#define CACHED_MAX ((size_t)256 << 10) /* of one object */
#define CACHE_MAX  ((size_t)64 << 20)
#define ON_THE_WAY_MAX ((size_t)512 << 20) /* bases and deltas, unless the object may be larger */
#define OFS_DELTA  6
#define REF_DELTA  7

struct pack {
	const char *name; /* without ".pack" */
	bool tried;       /* to map its index */
	unsigned version;
	struct str idx, pack;
	uint32_t n;
	const unsigned char *fanout, *names, *offsets, *far; /* far: offsets of 64 bits */
	size_t far_n;
};

struct slot {
	const struct pack *pack;
	size_t offset;
	enum object_type type;
	char *p;
	size_t n;
};

struct packs {
	pthread_mutex_t lock; /* of all below */
	struct arena *arena;
	bool listed;
	struct pack **p; /* newest first */
	size_t n;
	struct slot cache[SLOTS];
	size_t cached;
};

static uint32_t be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static struct err *damaged(const struct pack *p, const char *what)
{
	return err_help(err_new(E_GIT_CORRUPT, "pack '%s.pack' is damaged: %s", p->name, what),
			"see what else is: git fsck");
}

/* ---- the files ---- */

static void close_packs(void *p)
{
	struct packs *k = p;

	for (size_t i = 0; i < SLOTS; i++)
		free(k->cache[i].p);
	arena_free(k->arena);
	pthread_mutex_destroy(&k->lock);
}

void packs_new(struct git *g)
{
	g->packs = ARENA_NEW(g->arena, struct packs);
	pthread_mutex_init(&g->packs->lock, NULL);
	g->packs->arena = arena_new();
	arena_defer(g->arena, close_packs, g->packs);
}

struct found {
	struct pack *pack;
	int64_t time;
};

static int newest_first(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return strcmp(a->pack->name, b->pack->name);
}

static void list_packs(const struct git *g, struct packs *k)
{
	struct {
		struct found *p;
		size_t n, cap;
	} all = {0};

	for (size_t i = 0; i < g->objects.n; i++) {
		const char *dir = os_join(k->arena, str_c(k->arena, g->objects.p[i]), "pack");
		struct strs names = {0};

		if (os_list(k->arena, dir, &names))
			continue;
		for (size_t j = 0; j < names.n; j++) {
			struct str name = names.p[j];
			struct os_stat st;
			struct found *f;

			if (!str_ends(name, STR(".idx")))
				continue;
			name = str_sub(name, 0, name.n - 4);
			f = VEC_PUSH(k->arena, &all);
			f->pack = ARENA_NEW(k->arena, struct pack);
			f->pack->name = os_join(k->arena, dir, str_c(k->arena, name));
			if (!os_stat(str_c(k->arena, str_fmt(k->arena, "%s.pack", f->pack->name)),
				     true, &st))
				f->time = st.mtime_ns;
		}
	}
	if (all.n)
		qsort(all.p, all.n, sizeof(*all.p), newest_first);
	k->p = arena_array(k->arena, all.n, sizeof(*k->p));
	for (size_t i = 0; i < all.n; i++)
		k->p[i] = all.p[i].pack;
	k->n = all.n;
	k->listed = true;
}

/* Where the tables of the index are; false when they cannot all be in it. */
static bool parse_idx(struct pack *p, unsigned char id_len)
{
	const unsigned char *at = (const unsigned char *)p->idx.p;
	size_t left = p->idx.n, tail = 2u * id_len;
	size_t each = id_len + 8u;

	p->version = 1;
	if (left < 8 + FANOUT * 4 + tail)
		return false;
	if (!memcmp(at, "\377tOc", 4)) {
		p->version = be32(at + 4);
		if (p->version != 2)
			return false;
		at += 8;
		left -= 8;
	} else {
		each = id_len + 4u;
	}
	p->fanout = at;
	p->names = at + FANOUT * 4;
	p->n = be32(p->names - 4);
	left -= FANOUT * 4 + tail;
	if (p->n > left / each)
		return false;
	p->offsets = p->names + (size_t)p->n * (id_len + 4u);
	p->far = p->offsets + (size_t)p->n * 4;
	p->far_n = (left - p->n * each) / 8;
	return true;
}

/* Under the lock. A pack that a repack just removed is left out; git will know where to look. */
static struct err *map_idx(const struct git *g, struct packs *k, struct pack *p)
{
	bool there;

	if (p->tried)
		return NULL;
	p->tried = true;
	TRY(map_file(k->arena, str_c(k->arena, str_fmt(k->arena, "%s.idx", p->name)), SIZE_MAX,
		     &p->idx, &there));
	if (there && !parse_idx(p, g->id_len)) {
		p->n = 0;
		return err_help(err_new(E_GIT_CORRUPT, "the index of pack '%s.pack' is damaged",
					p->name),
				"make it anew: git index-pack '%s.pack'", p->name);
	}
	return NULL;
}

/* The nth of them, with its index; *out NULL beyond the last. */
static struct err *get_pack(const struct git *g, size_t i, struct pack **out)
{
	struct packs *k = g->packs;
	struct err *e = NULL;

	pthread_mutex_lock(&k->lock);
	if (!k->listed)
		list_packs(g, k);
	*out = i < k->n ? k->p[i] : NULL;
	if (*out)
		e = map_idx(g, k, *out);
	pthread_mutex_unlock(&k->lock);
	return e;
}

static struct err *map_pack(const struct git *g, struct pack *p, bool *there)
{
	struct packs *k = g->packs;
	struct err *e = NULL;

	pthread_mutex_lock(&k->lock);
	if (!p->pack.p)
		e = map_file(k->arena, str_c(k->arena, str_fmt(k->arena, "%s.pack", p->name)),
			     SIZE_MAX, &p->pack, there);
	*there = p->pack.p;
	pthread_mutex_unlock(&k->lock);
	if (e || !*there)
		return e;
	if (p->pack.n < 12u + g->id_len || memcmp(p->pack.p, "PACK", 4) != 0)
		return damaged(p, "it is too short, or does not begin with PACK");
	return NULL;
}

/* ---- looking up ---- */

static const unsigned char *name_at(const struct pack *p, unsigned char id_len, size_t i)
{
	return p->version == 1 ? p->names + i * (id_len + 4u) + 4 : p->names + i * id_len;
}

/* The first object whose id is not before `id`. */
static size_t lower(const struct pack *p, unsigned char id_len, const unsigned char *id)
{
	size_t lo = id[0] ? be32(p->fanout + 4 * (id[0] - 1)) : 0, hi = be32(p->fanout + 4 * id[0]);

	hi = size_min(hi, p->n);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (memcmp(name_at(p, id_len, mid), id, id_len) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct err *offset_at(const struct pack *p, unsigned char id_len, size_t i, size_t *offset)
{
	uint64_t at;

	if (p->version == 1) {
		at = be32(p->names + i * (id_len + 4u));
	} else {
		at = be32(p->offsets + 4 * i);
		if (at & 0x80000000u) {
			at &= 0x7fffffffu;
			if (at >= p->far_n)
				return damaged(p, "its index has an offset too many");
			at = (uint64_t)be32(p->far + 8 * at) << 32 | be32(p->far + 8 * at + 4);
		}
	}
	if (at < 12 || at >= p->pack.n - id_len)
		return damaged(p, "its index has an offset beyond its end");
	*offset = (size_t)at;
	return NULL;
}

/* The index may name it while the pack is gone: then it is not found. */
static struct err *lookup(const struct git *g, struct pack *p, const unsigned char *id,
			  size_t *offset, bool *found)
{
	size_t i = p->n ? lower(p, g->id_len, id) : 0;

	*found = i < p->n && id_eq(name_at(p, g->id_len, i), id, g->id_len);
	if (*found)
		TRY(map_pack(g, p, found));
	return *found ? offset_at(p, g->id_len, i, offset) : NULL;
}

unsigned pack_match(const struct git *g, struct str start, unsigned char *id, unsigned n)
{
	char hex[HEX_MAX];
	unsigned char first[ID_MAX];
	struct pack *p;

	for (size_t i = 0; i < 2u * g->id_len; i++)
		hex[i] = i < start.n ? start.p[i] : '0';
	if (!id_parse((struct str){hex, 2u * g->id_len}, first, g->id_len))
		return n;
	for (size_t k = 0; !get_pack(g, k, &p) && p; k++) {
		for (size_t i = p->n ? lower(p, g->id_len, first) : 0; i < p->n; i++) {
			const unsigned char *one = name_at(p, g->id_len, i);

			if (!str_starts(str_of(id_hex(one, g->id_len, hex)), start))
				break;
			if (n && id_eq(one, id, g->id_len))
				continue;
			memcpy(id, one, g->id_len);
			n++;
		}
	}
	return n;
}

/* ---- the cache of delta bases ---- */

static struct slot *slot_of(struct packs *k, const struct pack *p, size_t offset)
{
	return &k->cache[(offset * 2654435761u ^ (uintptr_t)p >> 6) % SLOTS];
}

static bool cache_get(const struct git *g, struct arena *a, const struct pack *p, size_t offset,
		      enum object_type *type, struct str *out)
{
	struct packs *k = g->packs;
	struct slot *s = slot_of(k, p, offset);
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
	struct slot *s = slot_of(k, p, offset);
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
	size_t size;   /* inflated: of the object, or of the delta */
	size_t base;   /* offset of the base, for a delta */
	struct str data;
};

struct reading {
	const struct git *g;
	struct pack *p;
	size_t limit;    /* of what is only needed on the way */
	struct arena *a; /* scratch */
	struct inflate *z;
	struct {
		struct entry *p;
		size_t n, cap;
	} chain; /* deltas, the object's own first */
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
		if (lookup(r->g, r->p, p + *at - id_len, &e->base, &found))
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

/* The head of an entry: type, size, and what it is a delta of. */
static struct err *read_head(struct reading *r, size_t offset, struct entry *e)
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
			return damaged(r->p, "an entry has no head");
		c = p[at++];
		e->size |= (size_t)(c & 127) << shift;
	}
	if (!e->type || e->type == 5 ||
	    (e->type >= OFS_DELTA && !read_base(r, e, &at, end, &elsewhere)))
		return damaged(r->p, "an entry has no type, or no base");
	/* Only packs on the wire may lean on objects outside. */
	if (elsewhere)
		return damaged(r->p, "the base of an entry is not in it");
	e->data = (struct str){(const char *)p + at, end - at};
	if (e->size / INFLATE_RATIO > e->data.n)
		return damaged(r->p, "an entry has another size than it says");
	return NULL;
}

static struct err *inflate_entry(struct reading *r, struct arena *a, const struct entry *e,
				 struct str *out)
{
	char *to;

	if (e->size > r->limit)
		return object_too_big(r->p->name, e->size, r->limit);
	to = arena_alloc(a, e->size + 1);
	inflate_start(r->z, e->data);
	if (!inflate_whole(r->z, to, e->size))
		return damaged(r->p, "an entry cannot be inflated to the size that it says");
	*out = (struct str){to, e->size};
	return NULL;
}

/* Seven bits a byte, the lowest first. */
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

/* Runs of the base, and runs of its own. */
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

/* The size of the object that a delta makes: in its first bytes. */
static struct err *result_size(struct reading *r, const struct entry *e, size_t *size)
{
	char head[24];
	size_t n = size_min(sizeof(head), e->size), old;
	struct str d;

	inflate_start(r->z, e->data);
	if (!inflate_next(r->z, head, &n))
		return damaged(r->p, "a delta cannot be inflated");
	d = (struct str){head, n};
	if (!delta_size(&d, &old) || !delta_size(&d, size))
		return damaged(r->p, "a delta has no size");
	return NULL;
}

/* Down the chain to what is whole, or to what the cache has. */
static struct err *find_base(struct reading *r, size_t offset, enum object_type *type,
			     struct str *text, bool *cached)
{
	for (;;) {
		struct entry e;

		*cached = r->chain.n && cache_get(r->g, r->a, r->p, offset, type, text);
		if (*cached)
			return NULL;
		TRY(read_head(r, offset, &e));
		if (r->chain.n == CHAIN_MAX)
			return damaged(r->p, "a chain of deltas does not end");
		*VEC_PUSH(r->a, &r->chain) = e;
		if (e.type < OFS_DELTA) {
			*type = (enum object_type)e.type;
			return NULL;
		}
		offset = e.base;
	}
}

static struct err *too_big(const struct reading *r, size_t size, size_t max)
{
	char name[OS_PATH_MAX];

	snprintf(name, sizeof(name), "%s.pack: one", r->p->name);
	return object_too_big(name, size, max);
}

static struct err *read_object(struct reading *r, struct arena *a, size_t offset, size_t max,
			       enum object_type *type, size_t *size, struct str *out)
{
	struct str text, delta;
	bool cached;
	size_t i;

	if (out && cache_get(r->g, a, r->p, offset, type, out)) {
		*size = out->n;
		return *size > max ? too_big(r, *size, max) : NULL;
	}
	TRY(find_base(r, offset, type, &text, &cached));
	*size = r->chain.p[0].size;
	if (r->chain.p[0].type >= OFS_DELTA)
		TRY(result_size(r, &r->chain.p[0], size));
	if (!out)
		return NULL;
	if (*size > max)
		return too_big(r, *size, max);
	i = r->chain.n;
	if (!cached) {
		i--;
		TRY(inflate_entry(r, i ? r->a : a, &r->chain.p[i], &text));
	}
	while (i-- > 0) {
		struct entry *e = &r->chain.p[i];

		/* What is a base once is likely one again. */
		if (!cached)
			cache_put(r->g, r->p, e->base, *type, text);
		cached = false;
		TRY(inflate_entry(r, r->a, e, &delta));
		if (!apply(i ? r->a : a, text, delta, r->limit, &text))
			return damaged(r->p, "a delta does not fit its base");
	}
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

		TRY(get_pack(g, i, &p));
		if (!p)
			return NULL;
		TRY(lookup(g, p, id, &offset, found));
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
