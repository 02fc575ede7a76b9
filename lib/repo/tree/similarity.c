#include "tree/similarity.h"

#define CHUNK_MAX 64
#define PROBE     8000 /* git calls a file binary when its first bytes have a NUL */
#define FEW       256

ORDER_OF(chunk_cmp, struct chunk, ORDER_UP(hash))

static void sort_and_merge(struct chunks *c)
{
	size_t kept = 0;

	if (!c->n)
		return;
	qsort(c->p, c->n, sizeof(*c->p), chunk_cmp);
	for (size_t i = 1; i < c->n; i++) {
		if (c->p[i].hash == c->p[kept].hash)
			c->p[kept].bytes += c->p[i].bytes;
		else
			c->p[++kept] = c->p[i];
	}
	c->n = kept + 1;
}

static void chunks_add(struct arena *a, struct chunks *c, uint64_t hash, size_t bytes)
{
	/* Grows only with distinct chunks: a file may have eight million empty lines. */
	if (c->n == c->cap && c->n >= FEW) {
		sort_and_merge(c);
		if (c->n > c->cap / 2)
			c->p = arena_array_grow(a, c->p, &c->cap, c->cap + 1, sizeof(*c->p));
	}
	*VEC_PUSH(a, c) = (struct chunk){hash, bytes};
}

struct chunks similarity_split(struct arena *a, struct str content)
{
	bool text = !str_has_nul(str_sub(content, 0, PROBE));
	struct chunks c = {.size = content.n};
	const uint64_t start = 0xcbf29ce484222325u; /* FNV-1a */
	uint64_t hash = start;
	size_t bytes = 0;

	for (size_t i = 0; i < content.n; i++) {
		unsigned char byte = (unsigned char)content.p[i];

		if (text && byte == '\r' && i + 1 < content.n && content.p[i + 1] == '\n')
			continue;
		hash = (hash ^ byte) * 0x100000001b3u;
		if (++bytes < CHUNK_MAX && byte != '\n')
			continue;
		chunks_add(a, &c, hash, bytes);
		hash = start;
		bytes = 0;
	}
	if (bytes)
		chunks_add(a, &c, hash, bytes);
	sort_and_merge(&c);
	return c;
}

unsigned similarity_of_chunks(const struct chunks *a, const struct chunks *b)
{
	size_t larger = size_max(a->size, b->size), common = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->p[i].hash < b->p[k].hash)
			i++;
		else if (a->p[i].hash > b->p[k].hash)
			k++;
		else
			common += size_min(a->p[i++].bytes, b->p[k++].bytes);
	}
	return larger ? (unsigned)((uint64_t)common * ALIKE_MAX / larger) : 0;
}
