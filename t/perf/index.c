/*
 * index: measures lib/store/index alone, over documents of 30 words that come from a seed.
 *
 *	index build STORE DOCS [same]     adds them in bulk; same: all have the same words
 *	index ask STORE QUESTIONS [same]  searches it; same: for words that all have
 *	index exact STORE QUESTIONS       compares the first ten with those of an exhaustive search
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
	out->marks[0] = mark((unsigned)(number % 2));       /* scope */
	out->marks[1] = mark(2 + (unsigned)(dice(s) % 7));  /* kind */
	out->marks[2] = mark(10 + (unsigned)(number / 40)); /* session */
	out->marks[3] = mark(9);
	out->doc = (struct index_doc){
		.length = LENGTH,
		.terms = out->terms,
		.n_terms = n,
		.marks = out->marks,
		.n_marks = dice(s) % 50 ? 3 : 4,
		.happened = (int64_t)number * 60000 + 1000,
		.recorded = (int64_t)number * 60000 + 2000,
		.importance = 0.5,
	};
}

/* ---- building ---- */

struct building {
	struct db *db;
	struct source *s;
	uint64_t from;
	size_t n;
	bool same;
	uint64_t ns; /* of CPU, for the index alone */
};

static struct err *build_some(struct building *b)
{
	struct db_txn txn DB_TXN = {0};
	struct arena *a = arena_new();
	struct index_bulk *bulk;
	uint64_t from = cpu_ns();
	struct err *e;
	int64_t first;
	struct one one;

	TRY(db_begin(&txn, b->db));
	e = index_bulk_begin(b->db, a, b->n, &bulk, &first);
	for (size_t i = 0; !e && i < b->n; i++) {
		uint64_t pause = cpu_ns();

		invent(b->s, b->from + i, b->same, &one);
		from += cpu_ns() - pause;
		index_bulk_add(bulk, &one.doc);
	}
	if (!e)
		e = index_bulk_end(bulk);
	arena_free(a);
	b->ns += cpu_ns() - from;
	TRY(e);
	return db_commit(&txn);
}

static void build(struct arena *a, struct db *db, uint64_t docs, bool same)
{
	struct source s = source_new(a, 1);
	struct building b = {db, &s, .same = same};

	for (; b.from < docs; b.from += b.n) {
		b.n = size_min(INDEX_BULK, docs - b.from);
		must(build_some(&b));
		must(index_maintain(db, a));
	}
	must(db_vacuum(db));
	/* Twelve seconds for a million. */
	printf("index-build-cpu-s %.2f %.2f %.2f\n", (double)b.ns / 1e9, 12e-6 * (double)docs,
	       (double)b.ns / 12e3 / (double)docs);
}

/* ---- asking ---- */

struct ask {
	struct index_query q;
	struct index_clause groups[2];
	uint64_t scope, not_this;
};

static void ask(struct arena *a, struct source *s, unsigned number, bool same, struct ask *out)
{
	s->state = number * UINT64_C(7919) + 12345;
	*out = (struct ask){.q.limit = 10};
	out->q.n_terms = 1 + dice(s) % TERMS;
	out->q.terms = arena_array(a, TERMS, sizeof(*out->q.terms));
	for (size_t i = 0; i < out->q.n_terms; i++) {
		unsigned w = word(s);

		while (w < STOP)
			w = word(s);
		if (same)
			w = STOP + (unsigned)i;
		out->q.terms[i].term = term(w);
		out->q.terms[i].weight = 1;
	}
	out->scope = mark((unsigned)(dice(s) % 2));
	out->not_this = mark(9);
	out->groups[0] = (struct index_clause){&out->scope, 1, false};
	out->groups[1] = (struct index_clause){&out->not_this, 1, true};
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

static void ask_all(struct arena *a, struct db *db, unsigned n, bool same)
{
	struct source s = source_new(a, 1);
	double *ms = arena_array(a, n, sizeof(*ms)), bar = same ? 20 : 6;

	for (unsigned i = 0; i < n; i++) {
		struct arena *mine = arena_new();
		struct index_hits hits;
		struct ask x;
		uint64_t from;

		ask(mine, &s, i, same, &x);
		from = cpu_ns();
		must(index_search(db, mine, &x.q, &hits));
		ms[i] = (double)(cpu_ns() - from) / 1e6;
		arena_free(mine);
	}
	qsort(ms, n, sizeof(*ms), by_size);
	printf("index-p50-ms %.2f %.2f %.2f\n", ms[n / 2], bar, ms[n / 2] / bar);
	printf("index-p95-ms %.2f %.2f %.2f\n", ms[n * 95 / 100], bar, ms[n * 95 / 100] / bar);
	printf("index-resident-mb %.1f 25.0 %.2f\n", (double)resident_kb() / 1024,
	       (double)resident_kb() / 1024 / 25);
}

/* ---- the first ten, against a search that looks at every document ---- */

struct best {
	struct index_hit p[10];
};

static void offer(struct best *b, struct index_hit one)
{
	for (size_t i = 0; i < ARRAY_SIZE(b->p); i++)
		if (one.score > b->p[i].score ||
		    (one.score == b->p[i].score && one.doc > b->p[i].doc)) {
			struct index_hit worse = b->p[i];

			b->p[i] = one;
			one = worse;
		}
}

static bool is_meant(const struct ask *x, const struct one *one)
{
	return !x->q.n_groups || (one->marks[0] == x->scope && one->doc.n_marks == 3);
}

static double score(const struct ask *x, const struct one *one, struct index_stats stats,
		    const int64_t *with)
{
	double sum = 0;

	for (size_t i = 0; i < x->q.n_terms; i++)
		for (size_t k = 0; k < one->doc.n_terms; k++)
			if (one->terms[k].term == x->q.terms[i].term)
				sum += index_idf(stats.docs, with[i]) *
				       index_weight(one->terms[k].count, LENGTH, stats.length);
	return sum;
}

static void compare(struct arena *a, struct db *db, unsigned n)
{
	struct source s = source_new(a, 1);
	struct best *best = arena_array(a, n, sizeof(*best));
	struct ask *asked = arena_array(a, n, sizeof(*asked));
	int64_t(*with)[TERMS] = arena_array(a, n, sizeof(*with)), same = 0, all = 0;
	struct index_stats stats;
	struct one one;

	must(index_stats(db, a, (const int64_t[]){0}, 1, &stats));
	for (unsigned i = 0; i < n; i++) {
		uint64_t terms[TERMS];

		ask(a, &s, i, false, &asked[i]);
		asked[i].groups[0].marks = &asked[i].scope;
		for (size_t k = 0; k < asked[i].q.n_terms; k++)
			terms[k] = asked[i].q.terms[k].term;
		must(index_count_matches(db, a, terms, asked[i].q.n_terms, with[i]));
	}
	for (int64_t d = 0; d < stats.docs; d++) {
		invent(&s, (uint64_t)d, false, &one);
		for (unsigned i = 0; i < n; i++)
			if (is_meant(&asked[i], &one))
				offer(&best[i],
				      (struct index_hit){INDEX_BULK + d,
							 score(&asked[i], &one, stats, with[i])});
	}
	for (unsigned i = 0; i < n; i++) {
		struct index_hits hits;
		struct ask x;

		ask(a, &s, i, false, &x);
		must(index_search(db, a, &x.q, &hits));
		for (size_t k = 0; k < hits.n; k++)
			for (size_t j = 0; j < ARRAY_SIZE(best[i].p); j++)
				same += best[i].p[j].doc == hits.p[k].doc;
		all += (int64_t)hits.n;
	}
	printf("index-overlap-at-10 %jd %jd %.4f\n", (intmax_t)same, (intmax_t)all,
	       (double)same / (double)all);
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
		ask_all(a, db, (unsigned)n, argc > 4);
	else if (!strcmp(argv[1], "exact"))
		compare(a, db, (unsigned)n);
	else
		return 2;
	arena_free(a);
	return 0;
}
