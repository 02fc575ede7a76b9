/* The cache of results. It keeps an entry for five minutes, or until somebody changes the store
 * (requirement: memory queries, "Query Caching"). */
#include "request/internal.h"

#define LIVES_MS INT64_C(300000)
#define KEPT     REQUEST_EXECUTED_MAX

struct request_cache {
	struct arena *a;
	struct found *first; /* newest first */
	int64_t version;     /* the version of the store that the entries belong to */
};

static void forget_all(void *p)
{
	struct request_cache *c = p;

	while (c->first) {
		struct found *f = c->first;

		c->first = f->next;
		arena_free(f->a);
	}
}

struct request_cache *request_result_cache_new(struct arena *a)
{
	struct request_cache *c = ARENA_NEW(a, struct request_cache);

	c->a = a;
	arena_defer(a, forget_all, c);
	return c;
}

/* A memory that expires changes nothing in the store. */
static bool found_holds(const struct found *f, int64_t now)
{
	/* If the clock went back, do not keep the entry longer. */
	if (!f->done || f->failed.n || now < f->time || now - f->time >= LIVES_MS)
		return false;
	for (size_t i = 0; i < f->n; i++) {
		int64_t expires = f->p[i].memory.expires;

		if (expires > f->time && expires <= now)
			return false;
	}
	return true;
}

void cache_expire(struct request_cache *c, int64_t version, int64_t now)
{
	size_t n = 0;

	if (version < 0 || version != c->version)
		forget_all(c);
	c->version = version;
	for (struct found **at = &c->first; *at;) {
		struct found *f = *at;

		if (found_holds(f, now) && n++ < KEPT) {
			at = &f->next;
			continue;
		}
		*at = f->next;
		arena_free(f->a);
	}
}

struct found *cache_find(struct request_cache *c, struct str key, int64_t now, bool *cached)
{
	struct arena *a;
	struct found *f = c->first;

	while (f && !str_eq(f->key, key))
		f = f->next;
	*cached = f;
	if (f)
		return f;
	a = arena_new();
	f = ARENA_NEW(a, struct found);
	*f = (struct found){.a = a, .key = str_dup(a, key), .time = now, .next = c->first};
	c->first = f;
	return f;
}
