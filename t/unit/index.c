/* The index: the same exact answers wherever a document is stored, and no trace of removed ones. */
#include "index/index.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"
#include <math.h>

enum { TERMS = 60, MARKS = 12, DOC_TERMS = 12, DOC_MARKS = 4 };

/* ---- documents that are there, in plain arrays: the referee ---- */

struct known {
	struct index_doc doc;
	struct index_term terms[DOC_TERMS];
	uint64_t marks[DOC_MARKS];
	bool there;
};

struct world {
	struct arena *a;
	struct db *db;
	uint64_t seed;
	struct known *p;
	size_t n, cap;
};

static uint64_t dice(struct world *w, uint64_t n)
{
	w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (w->seed >> 33) % n;
}

/* Far apart, some of them negative in the store; low ones are frequent. */
static uint64_t term(uint64_t n)
{
	return n * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t mark(uint64_t n)
{
	return term(1000 + n);
}

static uint64_t some_term(struct world *w)
{
	return term(dice(w, dice(w, TERMS) + 1));
}

static uint64_t some_mark(struct world *w)
{
	return mark(dice(w, dice(w, MARKS) + 1));
}

static int term_order(const void *x, const void *y)
{
	const struct index_term *a = x, *b = y;

	return (a->term > b->term) - (a->term < b->term);
}

static void invent(struct world *w, struct known *k)
{
	size_t n = dice(w, DOC_TERMS + 1);

	*k = (struct known){0};
	for (size_t i = 0; i < n; i++) {
		struct index_term one = {some_term(w), 1};
		size_t j = 0;

		while (dice(w, 3) == 0)
			one.count *= 3;
		while (j < k->doc.n_terms && k->terms[j].term != one.term)
			j++;
		if (j == k->doc.n_terms)
			k->terms[k->doc.n_terms++] = one;
		k->doc.length += one.count;
	}
	for (size_t i = dice(w, DOC_MARKS + 1); i--;) {
		uint64_t one = some_mark(w);
		size_t j = 0;

		while (j < k->doc.n_marks && k->marks[j] != one)
			j++;
		if (j == k->doc.n_marks)
			k->marks[k->doc.n_marks++] = one;
	}
	qsort(k->terms, k->doc.n_terms, sizeof(*k->terms), term_order);
	k->doc.happened = (int64_t)dice(w, 2000) - 1000;
	k->doc.recorded = (int64_t)w->n * 10;
	k->doc.importance = (double)dice(w, 256) / 255;
}

static struct index_doc *doc_of(struct known *k)
{
	k->doc.terms = k->terms;
	k->doc.marks = k->marks;
	return &k->doc;
}

static bool has_mark(const struct known *k, uint64_t m)
{
	for (size_t i = 0; i < k->doc.n_marks; i++)
		if (k->marks[i] == m)
			return true;
	return false;
}

static uint32_t count_of(const struct known *k, uint64_t t)
{
	for (size_t i = 0; i < k->doc.n_terms; i++)
		if (k->terms[i].term == t)
			return k->terms[i].count;
	return 0;
}

static struct index_stats real_stats(const struct world *w)
{
	struct index_stats s = {0};

	for (size_t i = 0; i < w->n; i++)
		if (w->p[i].there) {
			s.docs++;
			s.length += w->p[i].doc.length;
		}
	if (s.docs)
		s.length /= (double)s.docs;
	return s;
}

static int64_t real_count(const struct world *w, uint64_t key)
{
	int64_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += w->p[i].there && (count_of(&w->p[i], key) || has_mark(&w->p[i], key));
	return n;
}

static bool is_meant(const struct known *k, const struct index_query *q)
{
	if (!k->there || k->doc.importance < q->importance_min ||
	    (q->happened_from && k->doc.happened < q->happened_from) ||
	    (q->happened_to && k->doc.happened >= q->happened_to) ||
	    (q->recorded_to && k->doc.recorded >= q->recorded_to))
		return false;
	for (size_t i = 0; i < q->n_groups; i++) {
		bool any = false;

		for (size_t j = 0; j < q->groups[i].n; j++)
			any |= has_mark(k, q->groups[i].marks[j]);
		if (any == q->groups[i].not )
			return false;
	}
	return true;
}

/* Below 0: it is not found. */
static double real_score(const struct world *w, const struct known *k, const struct index_query *q,
			 struct index_stats stats, const int64_t *with)
{
	double score = 0;
	bool any = !q->n_terms;

	(void)w;
	if (!is_meant(k, q))
		return -1;
	for (size_t i = 0; i < q->n_terms; i++) {
		uint32_t count = count_of(k, q->terms[i].term);

		if (count)
			score += q->terms[i].weight * index_idf(stats.docs, with[i]) *
				 index_weight(count, k->doc.length, stats.length);
		any |= count > 0;
	}
	return any ? score : -1;
}

/* ---- the two compared ---- */

static bool about(double x, double y, double within)
{
	return fabs(x - y) <= within * fmax(fabs(x), fabs(y));
}

/* One long document has a length that is kept within 3 %. */
#define NEAR 0.03

static bool same_answer(struct world *w, struct arena *a, const struct index_query *q)
{
	struct index_stats stats = real_stats(w);
	int64_t *with = arena_array(a, q->n_terms, sizeof(*with)), matched = 0;
	double least = HUGE_VAL;
	struct index_hits hits;
	size_t in = 0;

	if (!works(index_search(w->db, a, q, &hits), "search"))
		return false;
	for (size_t i = 0; i < q->n_terms; i++)
		with[i] = real_count(w, q->terms[i].term);
	for (size_t i = 1; i < hits.n; i++)
		if (hits.p[i].score > hits.p[i - 1].score ||
		    (hits.p[i].score == hits.p[i - 1].score && hits.p[i].doc > hits.p[i - 1].doc))
			return ok(false, "the %zuth is not in order", i);
	if (hits.n)
		least = hits.p[hits.n - 1].score;
	for (size_t i = 0; i < w->n; i++) {
		double score = real_score(w, &w->p[i], q, stats, with);
		double within = w->p[i].doc.length < 96 ? 1e-5 : NEAR;
		size_t j = 0;

		matched += score >= 0;
		while (j < hits.n && hits.p[j].doc != w->p[i].doc.doc)
			j++;
		in += j < hits.n;
		if (j < hits.n && !about(hits.p[j].score, score, within))
			return ok(false, "document %jd has %g, not %g", (intmax_t)hits.p[j].doc,
				  hits.p[j].score, score);
		if (j == hits.n && score > least && !about(score, least, within))
			return ok(false, "document %jd with %g is missing",
				  (intmax_t)w->p[i].doc.doc, score);
	}
	if (hits.matched != matched)
		return ok(false, "%jd matched, not %jd", (intmax_t)hits.matched, (intmax_t)matched);
	if (in != hits.n || hits.n != size_min(q->limit, (size_t)matched))
		return ok(false, "%zu hits, %zu of them are there", hits.n, in);
	return true;
}

/* A query, with the arrays that it points to. */
struct question {
	struct index_query q;
	struct index_clause groups[3];
	uint64_t marks[3][2];
};

static void ask_some(struct world *w, struct arena *a, struct question *x)
{
	*x = (struct question){.q.limit = 1 + dice(w, 30)};
	x->q.n_terms = dice(w, 6);
	x->q.terms = arena_array(a, x->q.n_terms, sizeof(*x->q.terms));
	for (size_t i = 0; i < x->q.n_terms; i++) {
		x->q.terms[i].term = some_term(w);
		x->q.terms[i].weight = dice(w, 2) ? 1 : 0.3;
	}
	x->q.groups = x->groups;
	if (dice(w, 2))
		x->q.n_groups = dice(w, 4);
	for (size_t i = 0; i < x->q.n_groups; i++) {
		x->groups[i] = (struct index_clause){x->marks[i], 1 + dice(w, 2), dice(w, 3) == 0};
		x->marks[i][0] = some_mark(w);
		x->marks[i][1] = some_mark(w);
	}
	if (dice(w, 4) == 0)
		x->q.happened_from = (int64_t)dice(w, 2000) - 1000;
	if (dice(w, 4) == 0)
		x->q.happened_to = (int64_t)dice(w, 2000) - 1000;
	if (dice(w, 5) == 0)
		x->q.recorded_to = 1 + (int64_t)dice(w, w->n * 10 + 1);
	if (dice(w, 5) == 0)
		x->q.importance_min = (double)dice(w, 256) / 255;
	if (dice(w, 20) == 0)
		x->q.limit = SIZE_MAX;
}

static void compare(struct world *w, const char *when)
{
	struct arena *a = arena_new();
	struct index_stats stats, real = real_stats(w);
	uint64_t keys[TERMS + MARKS];
	int64_t counts[TERMS + MARKS];
	bool good = true;

	works(index_stats(w->db, a, (const int64_t[]){0}, 1, &stats), when);
	good &= stats.docs == real.docs && about(stats.length, real.length, 1e-12);
	ok(good, "documents: %jd of %g words", (intmax_t)real.docs, real.length);
	for (uint64_t i = 0; i < TERMS; i++)
		keys[i] = term(i);
	for (uint64_t i = 0; i < MARKS; i++)
		keys[TERMS + i] = mark(i);
	works(index_count_matches(w->db, a, keys, TERMS + MARKS, counts), "count");
	for (size_t i = 0; i < TERMS + MARKS; i++)
		good &= counts[i] == real_count(w, keys[i]);
	ok(good, "each term and mark is in as many as there are");
	good = true;
	for (int i = 0; i < 40 && good; i++) {
		struct question x;

		ask_some(w, a, &x);
		good = same_answer(w, a, &x.q);
	}
	ok(good, "answers are those of an exhaustive search");
	arena_free(a);
}

/* ---- what is done to both ---- */

struct change {
	struct world *w;
	struct arena *a;
	size_t n;
};

static struct err *add_some(void *ctx)
{
	struct change *c = ctx;

	for (size_t i = 0; i < c->n; i++) {
		struct known *k = VEC_PUSH(c->w->a, c->w);

		invent(c->w, k);
		TRY(index_next_doc_number(c->w->db, &k->doc.doc));
		TRY(index_add(c->w->db, c->a, doc_of(k)));
		k->there = true;
	}
	return NULL;
}

static struct err *remove_some(void *ctx)
{
	struct change *c = ctx;

	for (size_t i = 0; i < c->n; i++) {
		struct known *k = &c->w->p[dice(c->w, c->w->n)];

		if (k->there)
			TRY(index_remove(c->w->db, c->a, doc_of(k)));
		k->there = false;
	}
	return NULL;
}

static struct err *add_many(void *ctx)
{
	struct change *c = ctx;
	struct index_bulk *b;
	int64_t first;

	TRY(index_bulk_begin(c->w->db, c->a, c->n, &b, &first));
	for (size_t i = 0; i < c->n; i++) {
		struct known *k = VEC_PUSH(c->w->a, c->w);

		invent(c->w, k);
		k->doc.doc = first + (int64_t)i;
		index_bulk_add(b, doc_of(k));
		k->there = true;
	}
	return index_bulk_end(b);
}

static struct err *change_in(struct change *c, struct err *(*fn)(void *))
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, c->w->db));
	TRY(fn(c));
	return db_commit(&t);
}

static void change(struct world *w, struct err *(*fn)(void *), size_t n, const char *what)
{
	struct arena *a = arena_new();

	works(change_in(&(struct change){w, a, n}, fn), what);
	arena_free(a);
}

static void tend(struct world *w)
{
	struct arena *a = arena_new();

	works(index_maintain(w->db, a), "tend");
	arena_free(a);
}

static void sweep(struct world *w)
{
	struct arena *a = arena_new();

	works(index_gc(w->db, a), "sweep");
	arena_free(a);
}

/* Small blocks: 64 and 1,024 numbers. */
static void test_random(struct arena *a, const char *dir, uint64_t seed)
{
	struct world w = {.a = a, .seed = seed};

	w.db = db_new(a, str_fmt(a, "%s/random-%ju.db", dir, (uintmax_t)seed).p);
	compare(&w, "where there is no store");
	for (int round = 0; round < 30; round++) {
		switch (dice(&w, 6)) {
		case 0: change(&w, add_some, 1, "one more"); break;
		case 1: change(&w, add_some, dice(&w, 300), "some more"); break;
		case 2: change(&w, add_many, dice(&w, 900), "many more"); break;
		case 3:
			if (w.n)
				change(&w, remove_some, dice(&w, 200), "less");
			break;
		case 4:
			for (int i = 0; i < 10; i++) {
				change(&w, add_some, 20, "some more");
				tend(&w);
			}
			break;
		default:
			if (dice(&w, 4) == 0)
				sweep(&w);
		}
		tend(&w);
		if (round % 6 == 5)
			compare(&w, "in between");
	}
	change(&w, remove_some, w.n, "most of them");
	compare(&w, "removed");
	sweep(&w);
	compare(&w, "swept");
}

/* ---- a merger that dies or fails before any step, while others add and remove ---- */

static int merge_and_die(void *path)
{
	struct arena *a = arena_new();
	struct db *db = db_new(a, path);
	struct err *e = index_maintain(db, a);

	/* Without an error, so far: the rest as well. */
	if (!e)
		e = index_gc(db, a);
	return e ? 1 : 0;
}

static void few_questions(struct world *w)
{
	struct arena *a = arena_new();
	bool good = true;

	for (int i = 0; i < 4 && good; i++) {
		struct question x;

		ask_some(w, a, &x);
		good = same_answer(w, a, &x.q);
	}
	ok(good, "answers are right");
	arena_free(a);
}

/* The third effect is where it ends, behind one for the log, so each run is one step further. */
static void test_faults(struct arena *a, const char *dir, const char *fault)
{
	struct world w = {.a = a, .seed = 99};
	const char *path = str_fmt(a, "%s/faults%s.db", dir, fault).p;
	int status, runs = 0;

	w.db = db_new(a, path);
	change(&w, add_some, 1100, "documents");
	change(&w, remove_some, 60, "some less");
	do {
		setenv("IKM_FAULT", fault, 1);
		status = dir_fork(merge_and_die, (void *)(uintptr_t)path, false);
		unsetenv("IKM_FAULT");
		few_questions(&w);
		if (runs++ % 3 == 0) {
			change(&w, add_some, 2, "two more");
			change(&w, remove_some, 2, "two less");
		}
	} while (status && runs < 200);
	ok(runs > 30, "it ended in %d steps", runs);
	is_int(status, 0, "and came to an end");
	compare(&w, "after all");
}

/* ---- where a document is makes no difference ---- */

struct copying {
	struct world *from, *to;
	struct arena *a;
	size_t first, end;
};

/* The same documents with the same numbers. */
static struct err *copy(struct copying *c)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, c->to->db));
	for (size_t i = c->first; i < c->end; i++) {
		struct index_doc doc = *doc_of(&c->from->p[i]);

		do
			TRY(index_next_doc_number(c->to->db, &doc.doc));
		while (doc.doc < c->from->p[i].doc.doc);
		if (c->from->p[i].there)
			TRY(index_add(c->to->db, c->a, &doc));
	}
	return db_commit(&txn);
}

static void test_same(struct arena *a, const char *dir)
{
	struct world w = {.a = a, .seed = 7}, rows = {.a = a}, merged = {.a = a};
	bool same = true;

	w.db = db_new(a, os_join(a, dir, "same.db"));
	rows.db = db_new(a, os_join(a, dir, "rows.db"));
	merged.db = db_new(a, os_join(a, dir, "merged.db"));
	change(&w, add_some, 700, "documents");
	tend(&w);
	change(&w, add_many, 900, "a large segment");
	change(&w, remove_some, 300, "less");
	change(&w, add_some, 200, "more");
	tend(&w);
	for (size_t i = 0, end; i < w.n; i = end) {
		end = size_min(i + 130, w.n);
		works(copy(&(struct copying){&w, &rows, a, i, end}), "rows");
		works(copy(&(struct copying){&w, &merged, a, i, end}), "merged");
		tend(&merged);
	}
	for (int i = 0; i < 60 && same; i++) {
		struct index_hits x, y, z;
		struct question q;

		ask_some(&w, a, &q);
		same = !index_search(w.db, a, &q.q, &x) && !index_search(rows.db, a, &q.q, &y) &&
		       !index_search(merged.db, a, &q.q, &z) && x.n == y.n && x.n == z.n &&
		       x.matched == y.matched && x.matched == z.matched;
		for (size_t j = 0; j < x.n && same; j++)
			same = x.p[j].doc == y.p[j].doc && x.p[j].doc == z.p[j].doc &&
			       x.p[j].score == y.p[j].score && x.p[j].score == z.p[j].score;
	}
	ok(same, "rows, segments and what was removed from answer the same, to the bit");
}

static struct err *clear(struct world *w)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, w->db));
	TRY(index_clear(w->db));
	return db_commit(&txn);
}

static void test_clear(struct arena *a, const char *dir)
{
	struct world w = {.a = a, .seed = 5};
	int64_t last;

	w.db = db_new(a, os_join(a, dir, "clear.db"));
	change(&w, add_some, 1500, "documents");
	tend(&w);
	change(&w, remove_some, 50, "less");
	last = w.p[w.n - 1].doc.doc;
	works(clear(&w), "cleared");
	w.n = 0;
	compare(&w, "empty");
	change(&w, add_some, 100, "documents");
	ok(w.p[0].doc.doc > last, "numbers go on");
	compare(&w, "anew");
}

static void test_nothing(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "nothing.db"));
	struct index_query q = {.limit = 10};
	struct index_hits hits;
	struct os_stat st;

	works(index_search(db, a, &q, &hits), "search where there is no store");
	is_int(hits.n, 0, "finds nothing");
	works(os_stat(os_join(a, dir, "nothing.db"), true, &st), "stat");
	ok(st.kind == OS_NONE, "and makes nothing");
}

/* ---- two rebuilds at once: one process ends what another has ended, and a third began anew ----
 */

struct moving {
	struct world *w;
	struct arena *a;
	int64_t upto;
	size_t from, n; /* documents to move */
	bool fresh;
};

static struct err *rebuild_begin(struct moving *m)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, m->w->db));
	TRY(index_rebuild_begin(m->w->db, m->a, &m->upto, &m->fresh));
	return db_commit(&txn);
}

static struct err *rebuild_move(const struct moving *m)
{
	struct db_txn txn DB_TXN = {0};
	struct index_doc *old = arena_array(m->a, m->n, sizeof(*old));
	struct index_bulk *b;
	int64_t next;

	TRY(db_begin(&txn, m->w->db));
	TRY(index_bulk_begin(m->w->db, m->a, m->n, &b, &next));
	for (size_t i = 0; i < m->n; i++) {
		struct known *k = &m->w->p[m->from + i];

		old[i] = k->doc;
		k->doc.doc = next++;
		index_bulk_add(b, doc_of(k));
	}
	TRY(index_rebuild_hide_old_docs(m->w->db, m->a, old, m->n));
	TRY(index_bulk_end(b));
	return db_commit(&txn);
}

static void move(struct moving *m, size_t from, size_t end)
{
	for (m->from = from; m->from < end; m->from += m->n) {
		m->n = size_min(end - m->from, index_rebuild_batch_size());
		works(rebuild_move(m), "move");
	}
}

static void test_rebuilds(struct arena *a, const char *dir)
{
	struct world w = {.a = a, .seed = 11};
	struct moving one = {.w = &w, .a = a}, other = one, next = one;
	struct index_stats stats;
	bool stale;

	w.db = db_new(a, os_join(a, dir, "rebuilds.db"));
	change(&w, add_some, 500, "documents");
	tend(&w);
	works(rebuild_begin(&one), "one begins");
	works(rebuild_begin(&other), "the other joins");
	ok(one.fresh && !other.fresh && one.upto == other.upto, "it is one rebuild");
	move(&one, 0, 200);
	move(&other, 200, 500);
	works(index_rebuild_end(w.db, a, one.upto), "one ends it");
	compare(&w, "rebuilt");
	works(rebuild_begin(&next), "a third begins anew");
	ok(next.fresh && next.upto > one.upto, "it is another rebuild");
	move(&next, 0, 150);
	works(index_rebuild_end(w.db, a, other.upto), "the other ends what was over");
	works(index_stats(w.db, a, (const int64_t[]){0}, 1, &stats), "stats");
	is_int(stats.docs, 500, "in the middle of the third's, all documents count");
	works(rebuild_begin(&other), "the third's goes on");
	ok(!other.fresh && other.upto == next.upto, "nobody else has ended it");
	move(&next, 150, 500);
	works(index_rebuild_end(w.db, a, next.upto), "the third ends its own");
	compare(&w, "rebuilt again");
	works(index_stale(w.db, &stale), "stale");
	ok(!stale, "and nothing is to be made anew");
}

/* ---- counters that are damaged ---- */

static struct err *count_less(void *ctx)
{
	struct change *c = ctx;

	return db_do(c->w->db, Q_INDEX_SCOPE_ADD, NULL, DB_I(0), DB_I(-(int64_t)c->n), DB_I(0),
		     DB_I(1));
}

static void test_counters(struct arena *a, const char *dir)
{
	struct world w = {.a = a, .seed = 13};
	struct index_query q = {.limit = 1000, .n_terms = 1};
	struct index_hits hits;
	struct err *e;

	w.db = db_new(a, os_join(a, dir, "counters.db"));
	change(&w, add_some, 300, "documents");
	change(&w, count_less, 300, "the counter says that the scope is empty");
	q.terms = arena_array(a, 1, sizeof(*q.terms));
	q.terms[0].term = term(0);
	q.terms[0].weight = 1;
	works(index_search(w.db, a, &q, &hits), "search");
	is_int(hits.matched, real_count(&w, term(0)), "finds what the scope has");
	change(&w, count_less, 1, "the counter is impossible");
	e = index_search(w.db, a, &q, &hits);
	ok(e && err_reason(e) == E_DB_CORRUPT, "a search says so");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	setenv("IKM_INDEX_BITS", "6", 1);
	test_nothing(a, dir);
	for (uint64_t seed = 1; seed <= 2; seed++)
		test_random(a, dir, seed);
	test_same(a, dir);
	test_clear(a, dir);
	test_rebuilds(a, dir);
	test_counters(a, dir);
	test_faults(a, dir, "-3");
	test_faults(a, dir, "3");
	arena_free(a);
	return tap_done();
}
