/*
 * The list of packs, and the place of an object in them (gitformat-pack(5)). Threads share the
 * mapped files; the lock covers listing and mapping.
 */
#include "git/pack.h"
#include "os/os.h"

#define FANOUT 256

struct err *pack_damaged(const struct pack *p, const char *what)
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

struct err *packs_get_nth_pack(const struct git *g, size_t i, struct pack **out)
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

struct err *pack_lookup(const struct git *g, struct pack *p, const unsigned char *id,
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
