/*
 * index: measures lib/index alone, over documents of 30 words that come from a seed.
 *
 *	index build STORE DOCS [same]   adds them in bulk; same: all have the same words
 *	index ask STORE QUESTIONS       searches it
 *	index exact STORE QUESTIONS     compares the first ten with an exhaustive search
 *	index ops STORE                 adds, removes and merges, one transaction each
 *
 * Words are drawn after Zipf and Mandelbrot out of 80,000; the 100 most frequent ones, which are no
 * words to search for, are left out of the questions of 1 to 8 words. A question also asks for one
 * of two scopes, and that a mark is not there.
 */
#include "base/base.h"
#include "index/index.h"
#include "os/os.h"
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WORDS = 80000, LENGTH = 30, STOP = 100, TERMS = 8 };

struct source {
	double *up_to; /* cumulated */
	uint64_t state;
};

static uint64_t dice(struct source *s)
{
	uint64_t x = s->state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static struct source source_new(struct arena *a, uint64_t seed)
{
	struct source s = {arena_array(a, WORDS, sizeof(double)), seed};
	double sum = 0;

	for (int i = 0; i < WORDS; i++)
		s.up_to[i] = sum += 1 / pow(i + 2.7, 1.05);
	for (int i = 0; i < WORDS; i++)
		s.up_to[i] /= sum;
	return s;
}

static unsigned word(struct source *s)
{
	double x = (double)(dice(s) >> 11) / 9007199254740992.0;
	unsigned from = 0, to = WORDS - 1;

	while (from < to) {
		unsigned mid = (from + to) / 2;

		if (s->up_to[mid] < x)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static uint64_t term(unsigned w)
{
	return (w + 1) * UINT64_C(0xd1342543de82ef95);
}

static uint64_t mark(unsigned m)
{
	return term(1000000 + m);
}

static double seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void must(struct err *e)
{
	if (!e)
		return;
	fprintf(stderr, "index: %s\n", err_message(e));
	_exit(1);
}

/* ---- documents: the same for a number, whoever asks ---- */

struct one {
	struct index_doc doc;
	struct index_term terms[LENGTH];
	uint64_t marks[4];
};

static int by_term(const void *x, const void *y)
{
	const struct index_term *a = x, *b = y;

	return (a->term > b->term) - (a->term < b->term);
}

static void invent(struct source *s, uint64_t number, bool same, struct one *out)
{
	size_t n = 0;

	s->state = number * 977;
	for (int i = 0; i < LENGTH; i++)
		out->terms[i] = (struct index_term){term(same ? (unsigned)i + STOP : word(s)), 1};
	qsort(out->terms, LENGTH, sizeof(*out->terms), by_term);
	for (int i = 0; i < LENGTH; i++)
		if (n && out->terms[n - 1].term == out->terms[i].term)
			out->terms[n - 1].count++;
		else
			out->terms[n++] = out->terms[i];
	out->marks[0] = mark((unsigned)(number % 2)); /* scope */
	out->marks[1] = mark(2 + (unsigned)(dice(s) % 7)); /* kind */
	out->marks[2] = mark(10 + (unsigned)(number / 40)); /* session */
	out->marks[3] = mark(9);
	out->doc = (struct index_doc){
		.length = LENGTH, .terms = out->terms, .n_terms = n, .marks = out->marks,
		.n_marks = dice(s) % 50 ? 3 : 4, .happened = (int64_t)number * 60000 + 1000,
		.recorded = (int64_t)number * 60000 + 2000, .importance = 0.5,
	};
}

/* ---- building ---- */

struct building {
	struct db *db;
	struct source *s;
	uint64_t from;
	size_t n;
	bool same;
};

static struct err *build_some(void *ctx)
{
	struct building *b = ctx;
	struct arena *a = arena_new();
	struct index_bulk *bulk;
	struct err *e;
	int64_t first;
	struct one one;

	e = index_bulk_begin(b->db, a, b->n, &bulk, &first);
	for (size_t i = 0; !e && i < b->n; i++) {
		invent(b->s, b->from + i, b->same, &one);
		index_bulk_add(bulk, &one.doc);
	}
	if (!e)
		e = index_bulk_end(bulk);
	arena_free(a);
	return e;
}

static void build(struct arena *a, struct db *db, uint64_t docs, bool same)
{
	struct source s = source_new(a, 1);
	double words = seconds(), from;
	struct one one;

	for (uint64_t i = 0; i < docs; i++)
		invent(&s, i, same, &one);
	from = seconds();
	words = from - words;
	for (uint64_t i = 0; i < docs; i += INDEX_BULK) {
		struct building b = {db, &s, i, size_min(INDEX_BULK, docs - i), same};

		must(db_write(db, build_some, &b));
		must(index_tend(db, a));
	}
	printf("index-build-cpu-s %.2f 12.00 %.2f\n", seconds() - from - words,
	       (seconds() - from - words) / 12);
}

/* ---- asking ---- */

struct ask {
	struct index_query q;
	struct index_group groups[2];
	uint64_t scope, not_this;
};

static void ask(struct arena *a, struct source *s, unsigned number, struct ask *out)
{
	s->state = number * UINT64_C(7919) + 12345;
	*out = (struct ask){.q.limit = 10};
	out->q.n_terms = 1 + dice(s) % TERMS;
	out->q.terms = arena_array(a, TERMS, sizeof(*out->q.terms));
	for (size_t i = 0; i < out->q.n_terms; i++) {
		unsigned w = word(s);

		while (w < STOP)
			w = word(s);
		out->q.terms[i].term = term(w);
		out->q.terms[i].weight = 1;
	}
	out->scope = mark((unsigned)(dice(s) % 2));
	out->not_this = mark(9);
	out->groups[0] = (struct index_group){&out->scope, 1, false};
	out->groups[1] = (struct index_group){&out->not_this, 1, true};
	out->q.groups = out->groups;
	out->q.n_groups = number % 2 ? 2 : 0;
}

static int by_size(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static long resident_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static void ask_all(struct arena *a, struct db *db, unsigned n)
{
	struct source s = source_new(a, 1);
	double *ms = arena_array(a, n, sizeof(*ms));

	for (unsigned i = 0; i < n; i++) {
		struct arena *mine = arena_new();
		struct index_hits hits;
		struct ask x;
		uint64_t from;

		ask(mine, &s, i, &x);
		from = cpu_ns();
		must(index_search(db, mine, &x.q, &hits));
		ms[i] = (double)(cpu_ns() - from) / 1e6;
		arena_free(mine);
	}
	qsort(ms, n, sizeof(*ms), by_size);
	printf("index-p50-ms %.2f 6.00 %.2f\n", ms[n / 2], ms[n / 2] / 6);
	printf("index-p95-ms %.2f 6.00 %.2f\n", ms[n * 95 / 100], ms[n * 95 / 100] / 6);
	printf("index-resident-mb %.1f 25.0 %.2f\n", (double)resident_kb() / 1024,
	       (double)resident_kb() / 1024 / 25);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct db *db = argc > 3 ? db_new(a, argv[2]) : NULL;
	int64_t n;

	if (!db || !str_int(str_of(argv[3]), &n) || n < 1)
		return 2;
	if (!strcmp(argv[1], "build"))
		build(a, db, (uint64_t)n, argc > 4);
	else if (!strcmp(argv[1], "ask"))
		ask_all(a, db, (unsigned)n);
	else
		return 2;
	arena_free(a);
	return 0;
}
