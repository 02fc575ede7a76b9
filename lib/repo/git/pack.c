/*
 * Packs (gitformat-pack(5)): finds objects in them, reads the objects, and joins small packs.
 * libgit2 1.5 trusts the offsets in a pack's index, and a damaged index makes it read beyond the
 * pack. So ikm reads packs itself, also for libgit2. Threads share the mapped files and the cache
 * of delta bases; the lock covers listing, mapping and the cache.
 */
#include "git/pack.h"
#include "git/commit_paths.h"
#include "os/os.h"
#include <pthread.h>
#include <unistd.h>

#define FANOUT     256
#define PACK_SLOTS 1024

struct slot {
	const struct pack *pack;
	size_t offset;
	enum object_type type;
	char *p;
	size_t n;
};

struct packs {
	pthread_mutex_t lock; /* of all members below */
	struct arena *arena;
	bool listed;
	struct pack **p; /* newest first */
	size_t n;
	struct slot cache[PACK_SLOTS];
	size_t cached;
};

static struct err *pack_damaged(const struct pack *p, const char *what)
{
	return err_new(E_GIT_CORRUPT, "pack '%s.pack' is damaged: %s", p->name, what);
}

/* ---- the files ---- */

static void close_packs(void *p)
{
	struct packs *k = p;

	for (size_t i = 0; i < PACK_SLOTS; i++)
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

void packs_mark_changed(const struct git *g)
{
	pthread_mutex_lock(&g->packs->lock);
	g->packs->listed = false;
	pthread_mutex_unlock(&g->packs->lock);
}

void git_packs_replace_for_test(const struct git *g, struct pack **packs, size_t n)
{
	g->packs->p = packs;
	g->packs->n = n;
	g->packs->listed = true;
}

struct found {
	struct pack *pack;
	int64_t time;
};

ORDER_OF(newest_first, struct found, ORDER_DOWN(time) || (c = strcmp(a->pack->name, b->pack->name)))

/* The one that was listed before, with what is mapped of it; else a new one. */
static struct pack *pack_named(struct packs *k, const char *name)
{
	struct pack *p;

	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->p[i]->name, name))
			return k->p[i];
	p = ARENA_NEW(k->arena, struct pack);
	p->name = name;
	return p;
}

static struct err *list_packs(const struct git *g, struct packs *k)
{
	struct VEC(struct found) all = {0};

	for (size_t i = 0; i < g->objects.n; i++) {
		const char *dir = os_join(k->arena, str_c(k->arena, g->objects.p[i]), "pack");
		struct strs names = {0};
		struct err *e = os_list(k->arena, dir, &names);

		if (e && err_reason(e) != E_FILE_NOT_FOUND)
			return e;
		for (size_t j = 0; j < names.n; j++) {
			struct str name = names.p[j];
			struct os_stat st;
			struct found *f;

			if (!str_ends(name, STR(".idx")))
				continue;
			name = str_sub(name, 0, name.n - 4);
			f = VEC_PUSH(k->arena, &all);
			f->pack = pack_named(k, os_join(k->arena, dir, str_c(k->arena, name)));
			if (!os_stat(str_c(k->arena, str_fmt(k->arena, "%s.pack", f->pack->name)),
				     true, &st))
				f->time = st.mtime_ns;
		}
	}
	VEC_SORT(&all, newest_first);
	k->p = arena_array(k->arena, all.n, sizeof(*k->p));
	for (size_t i = 0; i < all.n; i++)
		k->p[i] = all.p[i].pack;
	k->n = all.n;
	k->listed = true;
	return NULL;
}

bool pack_parse_idx(struct pack *p, unsigned char id_len)
{
	const unsigned char *at = (const unsigned char *)p->idx.p;
	size_t left = p->idx.n, tail = 2u * id_len;
	size_t each = id_len + 8u;

	p->version = 1;
	if (left < 8 + FANOUT * 4 + tail)
		return false;
	if (!memcmp(at, "\377tOc", 4)) {
		p->version = git_be32(at + 4);
		if (p->version != 2)
			return false;
		at += 8;
		left -= 8;
	} else {
		each = id_len + 4u;
	}
	p->fanout = at;
	p->names = at + FANOUT * 4;
	p->n = git_be32(p->names - 4);
	left -= FANOUT * 4 + tail;
	if (p->n > left / each)
		return false;
	p->offsets = p->names + (size_t)p->n * (id_len + 4u);
	p->far = p->offsets + (size_t)p->n * 4;
	p->far_n = (left - p->n * each) / 8;
	return true;
}

static struct err *packidx_damaged(const struct pack *p)
{
	return err_help(err_new(E_GIT_CORRUPT, "the index of pack '%s.pack' is damaged", p->name),
			"rebuild it: git index-pack '%s.pack'", p->name);
}

/* Called under the lock. Skips a pack that a repack just removed; git still finds the object. */
static struct err *map_idx(const struct git *g, struct packs *k, struct pack *p)
{
	bool there;

	if (p->damaged)
		return packidx_damaged(p);
	if (p->tried)
		return NULL;
	TRY(map_file(k->arena, str_c(k->arena, str_fmt(k->arena, "%s.idx", p->name)), SIZE_MAX,
		     &p->idx, &there));
	p->tried = true;
	if (there && !pack_parse_idx(p, g->id_len)) {
		p->n = 0;
		p->damaged = true;
		return packidx_damaged(p);
	}
	return NULL;
}

/* The nth pack with its index; *out is NULL beyond the last. */
static struct err *packs_get_nth_pack(const struct git *g, size_t i, struct pack **out)
{
	struct packs *k = g->packs;
	struct err *e = NULL;

	pthread_mutex_lock(&k->lock);
	if (!k->listed)
		e = list_packs(g, k);
	*out = !e && i < k->n ? k->p[i] : NULL;
	if (*out)
		e = map_idx(g, k, *out);
	pthread_mutex_unlock(&k->lock);
	return e;
}

/* ---- looking up ---- */

static const unsigned char *name_at(const struct pack *p, unsigned char id_len, size_t i)
{
	return p->version == 1 ? p->names + i * (id_len + 4u) + 4 : p->names + i * id_len;
}

/* The first object whose id is not less. */
static size_t packidx_lower(const struct pack *p, unsigned char id_len, const unsigned char *id)
{
	size_t lo = id[0] ? git_be32(p->fanout + 4 * (id[0] - 1)) : 0,
	       hi = git_be32(p->fanout + 4 * id[0]);

	BISECT(lo, mid, size_min(hi, p->n), memcmp(name_at(p, id_len, mid), id, id_len) < 0);
	return lo;
}

/* *found is also false when the index names the object, but the pack is gone. */
static struct err *pack_lookup(const struct git *g, struct pack *p, const unsigned char *id,
			       size_t *offset, bool *found)
{
	size_t i = p->n ? packidx_lower(p, g->id_len, id) : 0;
	struct packs *k = g->packs;
	struct err *e = NULL;
	uint64_t at;

	*found = i < p->n && id_eq(name_at(p, g->id_len, i), id, g->id_len);
	if (!*found)
		return NULL;
	pthread_mutex_lock(&k->lock);
	if (!p->pack.p)
		e = map_file(k->arena, str_c(k->arena, str_fmt(k->arena, "%s.pack", p->name)),
			     SIZE_MAX, &p->pack, found);
	*found = p->pack.p;
	pthread_mutex_unlock(&k->lock);
	if (e || !*found)
		return e;
	if (p->pack.n < 12u + g->id_len || memcmp(p->pack.p, "PACK", 4) != 0)
		return pack_damaged(p, "it is too short, or does not begin with PACK");
	if (p->version == 1) {
		at = git_be32(p->names + i * (g->id_len + 4u));
	} else {
		at = git_be32(p->offsets + 4 * i);
		if (at & 0x80000000u) {
			at &= 0x7fffffffu;
			if (at >= p->far_n)
				return pack_damaged(p, "its index has too many large offsets");
			at = (uint64_t)git_be32(p->far + 8 * at) << 32 |
			     git_be32(p->far + 8 * at + 4);
		}
	}
	if (at < 12 || at >= p->pack.n - g->id_len)
		return pack_damaged(p, "its index has an offset beyond its end");
	*offset = (size_t)at;
	return NULL;
}

struct err *pack_count_prefix(const struct git *g, struct str start, unsigned char *id, unsigned *n)
{
	char hex[HEX_MAX];
	unsigned char first[ID_MAX];
	struct pack *p;

	for (size_t i = 0; i < 2u * g->id_len; i++)
		hex[i] = i < start.n ? start.p[i] : '0';
	if (!id_parse((struct str){hex, 2u * g->id_len}, first, g->id_len))
		return NULL;
	for (size_t k = 0;; k++) {
		TRY(packs_get_nth_pack(g, k, &p));
		if (!p)
			return NULL;
		for (size_t i = p->n ? packidx_lower(p, g->id_len, first) : 0; i < p->n; i++) {
			const unsigned char *one = name_at(p, g->id_len, i);

			if (!str_starts(str_of(id_hex(one, g->id_len, hex)), start))
				break;
			if (*n && id_eq(one, id, g->id_len))
				continue;
			memcpy(id, one, g->id_len);
			++*n;
		}
	}
}

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

/* ---- joining ---- */

/*
 * Each commit of ikm leaves a small pack. git joins them in `git gc --auto` from 50 packs on, but
 * nobody may ever call git in a garden.
 */
#define JOIN_PACKS   16   /* from so many small packs on */
#define JOIN_OBJECTS 2000 /* a pack with more objects stays as it is */

static const char *const join_suffixes[] = {".idx", ".pack", ".rev"};

struct join {
	const char *dir;
	struct strs files;  /* in dir */
	struct strs joined; /* the names of packs, without a suffix */
	struct object_ids ids;
};

/* Nothing else belongs to the pack: a .keep, a .promisor, a .bitmap. */
static bool join_is_plain(const struct join *j, struct str name)
{
	for (size_t i = 0; i < j->files.n; i++) {
		bool known = false;

		if (!str_starts(j->files.p[i], name))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(join_suffixes); k++)
			known |= str_is(str_sub(j->files.p[i], name.n, SIZE_MAX), join_suffixes[k]);
		if (!known)
			return false;
	}
	return true;
}

static struct err *join_find(const struct git *g, struct arena *a, struct join *j)
{
	struct str start = str_fmt(a, "%s/", j->dir);
	struct pack *p;

	TRY(os_list(a, j->dir, &j->files));
	/* It names packs, and would miss them. */
	if (strs_has(&j->files, STR("multi-pack-index")))
		return NULL;
	for (size_t i = 0;; i++) {
		struct str name;

		TRY(packs_get_nth_pack(g, i, &p));
		if (!p)
			return NULL;
		name = str_of(p->name);
		if (p->version != 2 || p->n >= JOIN_OBJECTS || !str_starts(name, start) ||
		    !join_is_plain(j, str_sub(name, start.n, name.n)))
			continue;
		strs_push(a, &j->joined, str_dup(a, name));
		for (size_t k = 0; k < p->n; k++)
			memcpy(*VEC_PUSH(a, &j->ids), p->names + k * g->id_len, g->id_len);
	}
}

/* Whether the new pack, and not an old one, has each object. */
static struct err *join_holds(const struct git *g, const struct join *j, const char *name,
			      bool *holds)
{
	struct pack *p = NULL;

	*holds = false;
	for (size_t i = 0; !p || strcmp(p->name, name); i++) {
		TRY(packs_get_nth_pack(g, i, &p));
		if (!p)
			return NULL;
	}
	for (size_t i = 0; i < j->ids.n; i++) {
		size_t offset;

		TRY(pack_lookup(g, p, j->ids.p[i], &offset, holds));
		if (!*holds)
			return NULL;
	}
	return NULL;
}

struct err *git_packs_merge(struct git *g, struct arena *a)
{
	struct join j = {.dir = os_join(a, g->objects.p[0].p, "pack")};
	const char *name;
	bool holds;

	if (!put_can_use_libgit2(g, a))
		return NULL;
	TRY(join_find(g, a, &j));
	if (j.joined.n < JOIN_PACKS)
		return NULL;
	TRY(libgit2_pack_put(g, a, &j.ids, &name));
	TRY(join_holds(g, &j, name, &holds));
	for (size_t i = 0; holds && i < j.joined.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(join_suffixes); k++)
			if (!str_is(j.joined.p[i], name) && os_fault("removal of a joined pack"))
				unlink(str_fmt(a, "%.*s%s", STR_ARG(j.joined.p[i]),
					       join_suffixes[k])
					       .p);
	packs_mark_changed(g);
	return NULL;
}
