/*
 * meaning: how long it takes to read all vectors, beside memchr() over the same bytes.
 *
 *	meaning table            the words near a word; prints "us of a scan, us of memchr"
 *	meaning vectors DB       the embeddings of a store, of its model 1; the same in ms
 *
 * Each is the least of RUNS runs: other work of the machine makes both longer.
 */
#include "meaning/meaning.h"
#include "os/os.h"
#include "vector/vector.h"
#include <stdlib.h>

enum { RUNS = 21, TABLE_WORDS = 30000 };

static void print_least(const uint64_t *ticks, double unit, const char *end)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < RUNS; i++)
		least = ticks[i] < least ? ticks[i] : least;
	printf("%.3f%s", (double)least / unit, end);
}

/* memchr() for a byte that is not there. */
static void scan(size_t n, double unit)
{
	char *bytes = malloc(n);
	uint64_t ticks[RUNS];
	const void *volatile found;

	memset(bytes, 'a', n);
	for (size_t i = 0; i < RUNS; i++) {
		ticks[i] = os_ticks();
		found = memchr(bytes, 'b', n);
		ticks[i] = os_ticks() - ticks[i];
	}
	(void)found;
	free(bytes);
	print_least(ticks, unit, "\n");
}

static void table(void)
{
	const signed char *vector = meaning_vector_of_word(STR("parcel"));
	uint64_t ticks[RUNS];

	for (size_t i = 0; i < RUNS; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct meaning_nears near;

		ticks[i] = os_ticks();
		meaning_nearest_words(a, vector, 0.4, 40, &near);
		ticks[i] = os_ticks() - ticks[i];
	}
	print_least(ticks, 1e3, " ");
	scan((size_t)TABLE_WORDS * MEANING_NUMBERS, 1e3);
}

static struct err *vectors(struct arena *a, const char *path)
{
	struct vectors v = {.db = db_new(a, path)};
	struct vector query = {.n = 512};
	struct vector_hits hits;
	uint64_t ticks[RUNS];
	int64_t all = 0;

	query.p = arena_alloc(a, query.n);
	memset(query.p, 5, query.n);
	TRY(db_number(v.db, Q_VECTOR_COUNT, &all, DB_I(1)));
	for (size_t i = 0; i < RUNS; i++) {
		ticks[i] = os_ticks();
		TRY(vector_search(&v, a, 1, query, NULL, NULL, 60, &hits));
		ticks[i] = os_ticks() - ticks[i];
		if (hits.n != 60)
			return err_new(E_BAD_ARGUMENT, "%zu hits", hits.n);
	}
	print_least(ticks, 1e6, " ");
	scan((size_t)all * query.n, 1e6);
	return NULL;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err *e = NULL;

	if (argc == 2 && !strcmp(argv[1], "table"))
		table();
	else if (argc == 3 && !strcmp(argv[1], "vectors"))
		e = vectors(a, argv[2]);
	else
		return 2;
	if (e)
		fprintf(stderr, "meaning: %s\n", err_message(e));
	arena_free(a);
	return e ? 1 : 0;
}
