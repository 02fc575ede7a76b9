/*
 * index: the index alone, for t/store/0650-index.t.
 *
 *	index fill STORE     adds documents of made-up words; prints SQL that gives FTS5 the same
 *	index ask STORE      the best ten for some questions: question, rank, document, score
 *	index race STORE     eight processes that add, remove and merge at once; is everything
 *there? index live STORE     one adds and removes while another one merges a large segment, some
 *steps at a time; is everything there in between?
 *
 * Documents are of words w0 to w39; question n asks for words n, n + 7 and n + 20.
 */
#include "base/base.h"
#include "index/internal.h"
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DOCS = 1500, WORDS = 40, QUESTIONS = 20, RACERS = 8, ROUNDS = 20, EACH = 6 };

struct filling {
	struct db *db;
	struct arena *a;
	uint32_t seed;
};

static uint32_t dice(struct filling *f, uint32_t n)
{
	f->seed = f->seed * 1664525 + 1013904223;
	return (f->seed >> 8) % n;
}

static struct err *fill(struct filling *f)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, f->db));
	for (int i = 0; i < 60; i++) {
		struct index_term terms[WORDS];
		struct index_doc doc = {.terms = terms, .length = 1 + dice(f, 60)};
		uint32_t counts[WORDS] = {0};

		TRY(index_next_doc_number(f->db, &doc.doc));
		printf("insert into f (rowid, t) values (%jd, '", (intmax_t)doc.doc);
		for (uint32_t k = 0; k < doc.length; k++) {
			uint32_t word = dice(f, 1 + dice(f, WORDS));

			counts[word]++;
			printf("w%u ", word);
		}
		printf("');\n");
		for (uint32_t k = 0; k < WORDS; k++)
			if (counts[k])
				terms[doc.n_terms++] = (struct index_term){k, counts[k]};
		TRY(index_add(f->db, f->a, &doc));
		/* A removed document must leave the statistics, too. */
		if (dice(f, 5) == 0) {
			TRY(index_remove(f->db, f->a, &doc));
			printf("delete from f where rowid = %jd;\n", (intmax_t)doc.doc);
		}
	}
	return db_commit(&txn);
}

static struct err *fill_all(struct arena *a, struct db *db)
{
	struct filling f = {db, a, 1};

	for (int i = 0; i < DOCS; i += 60) {
		TRY(fill(&f));
		TRY(index_maintain(db, a));
	}
	return NULL;
}

static struct err *ask_all(struct arena *a, struct db *db)
{
	for (uint64_t n = 0; n < QUESTIONS; n++) {
		struct index_query q = {.n_terms = 3, .limit = 10};
		struct index_hits hits;

		q.terms = arena_array(a, q.n_terms, sizeof(*q.terms));
		for (size_t i = 0; i < q.n_terms; i++)
			q.terms[i].weight = 1;
		q.terms[0].term = n;
		q.terms[1].term = n + 7;
		q.terms[2].term = n + 20;
		TRY(index_search(db, a, &q, &hits));
		for (size_t i = 0; i < hits.n; i++)
			printf("%ju %zu %jd %.4f\n", (uintmax_t)n, i + 1, (intmax_t)hits.p[i].doc,
			       hits.p[i].score);
	}
	return NULL;
}

/* ---- a race: each adds EACH documents a round, and removes one of them ---- */

struct racer {
	struct db *db;
	struct arena *a;
	uint64_t who;
};

static struct err *run_round(struct racer *r)
{
	struct db_txn txn DB_TXN = {0};
	struct index_term terms[2] = {{1000, 1}, {2000 + r->who, 2}};
	struct index_doc doc = {.length = 3, .terms = terms, .n_terms = 2};

	TRY(db_begin(&txn, r->db));
	for (int i = 0; i < EACH; i++) {
		TRY(index_next_doc_number(r->db, &doc.doc));
		TRY(index_add(r->db, r->a, &doc));
	}
	TRY(index_remove(r->db, r->a, &doc));
	return db_commit(&txn);
}

/* Documents that another process has merged into a segment meanwhile can be removed as well. */
static struct err *remove_oldest(struct racer *r)
{
	struct db_txn txn DB_TXN = {0};
	struct index_term terms[2] = {{1000, 1}, {2000 + r->who, 2}};
	struct index_doc doc = {.length = 3, .terms = terms, .n_terms = 2};
	struct index_query q = {.n_terms = 1, .limit = SIZE_MAX};
	struct index_hits hits;

	TRY(db_begin(&txn, r->db));
	q.terms = arena_array(r->a, 1, sizeof(*q.terms));
	q.terms[0].term = terms[1].term;
	q.terms[0].weight = 1;
	TRY(index_search(r->db, r->a, &q, &hits));
	doc.doc = hits.p[hits.n - 1].doc;
	TRY(index_remove(r->db, r->a, &doc));
	return db_commit(&txn);
}

static struct err *run(struct racer *r)
{
	for (int i = 0; i < ROUNDS; i++) {
		TRY(run_round(r));
		TRY(index_maintain(r->db, r->a));
		if (i % 2) {
			TRY(remove_oldest(r));
			TRY(index_maintain(r->db, r->a));
		}
	}
	return NULL;
}

static int start(const char *path, uint64_t who)
{
	struct racer r = {.a = arena_new(), .who = who};
	struct err *e;

	r.db = db_new(r.a, path);
	e = run(&r);
	if (e)
		fprintf(stderr, "index: racer %ju: %s\n", (uintmax_t)who, err_message(e));
	arena_free(r.a);
	return e != NULL;
}

static struct err *race(struct arena *a, struct db *db, const char *path)
{
	const int64_t left = ROUNDS * (EACH - 1) - ROUNDS / 2;
	uint64_t terms[RACERS + 1] = {1000};
	int64_t counts[RACERS + 1];
	int bad = 0, status;

	for (uint64_t i = 0; i < RACERS; i++) {
		terms[i + 1] = 2000 + i;
		if (!fork())
			_exit(start(path, i));
	}
	for (int i = 0; i < RACERS; i++)
		bad += wait(&status) < 0 || status;
	TRY(index_count_matches(db, a, terms, RACERS + 1, counts));
	for (int i = 1; i <= RACERS; i++)
		bad += counts[i] != left;
	printf("%d went wrong; %jd of %jd documents\n", bad, (intmax_t)counts[0],
	       (intmax_t)left * RACERS);
	return NULL;
}

/* ---- a large segment is merged by somebody else ---- */

enum { LIVE = 1100, BEFORE = 100, RARE = 20, COMMON = 1000 };

struct live {
	struct db *db;
	struct arena *a;
	int64_t there, remove;
	int go[2], done[2]; /* pipes: a byte for each turn */
	intmax_t commits;   /* while a large segment was being built */
};

/* Each has one term that all have, and some that it alone has. */
static void live_doc(struct index_doc *doc, struct index_term *terms)
{
	terms[0] = (struct index_term){COMMON, 1};
	for (uint64_t i = 0; i < RARE; i++)
		terms[i + 1] = (struct index_term){COMMON + RARE * (uint64_t)doc->doc + i, 2};
	doc->terms = terms;
	doc->n_terms = RARE + 1;
	doc->length = 2 * RARE + 1;
}

static struct err *live_add(void *ctx)
{
	struct live *l = ctx;
	struct index_term terms[RARE + 1];
	struct index_doc doc = {0};

	TRY(index_next_doc_number(l->db, &doc.doc));
	live_doc(&doc, terms);
	l->there++;
	return index_add(l->db, l->a, &doc);
}

static struct err *live_fill(struct live *l)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, l->db));
	for (int i = 0; i < BEFORE; i++)
		TRY(live_add(l));
	return db_commit(&txn);
}

/* Adds a document, and removes one that is being merged. */
static struct err *live_change(struct live *l)
{
	struct db_txn txn DB_TXN = {0};
	struct index_term terms[RARE + 1];
	struct index_doc doc = {.doc = l->remove};

	TRY(db_begin(&txn, l->db));
	TRY(live_add(l));
	live_doc(&doc, terms);
	l->there--;
	TRY(index_remove(l->db, l->a, &doc));
	return db_commit(&txn);
}

static struct err *live_check(struct live *l)
{
	uint64_t terms[] = {COMMON, COMMON + RARE * (uint64_t)l->remove,
			    COMMON + RARE * (uint64_t)(l->remove + 1)};
	int64_t counts[ARRAY_SIZE(terms)];
	struct index_query q = {.n_terms = 1, .limit = 10};
	struct index_hits hits;

	TRY(index_count_matches(l->db, l->a, terms, ARRAY_SIZE(terms), counts));
	q.terms = arena_array(l->a, 1, sizeof(*q.terms));
	q.terms[0].term = COMMON;
	q.terms[0].weight = 1;
	TRY(index_search(l->db, l->a, &q, &hits));
	if (counts[0] != l->there || counts[1] || counts[2] != 1 || hits.matched != l->there)
		return err_new(E_DB_CORRUPT, "%jd and %jd of %jd; %jd of what was removed",
			       (intmax_t)counts[0], (intmax_t)hits.matched, (intmax_t)l->there,
			       (intmax_t)counts[1]);
	return NULL;
}

static void merge_in_turns(const char *path, struct live *l)
{
	struct arena *a = arena_new();
	struct db *db = db_new(a, path);
	struct err *e = NULL;
	char turn;

	while (!e && read(l->go[0], &turn, 1) == 1) {
		e = index_maintain(db, a);
		if (write(l->done[1], &turn, 1) != 1)
			break;
	}
	if (e)
		fprintf(stderr, "index: %s\n", err_message(e));
	_exit(e != NULL);
}

/* Until there is a large one and nothing is being built. */
static struct err *take_turns(struct live *l)
{
	for (bool large = false, building = false; !large || building;) {
		struct segments all;
		char turn = 0;

		if (write(l->go[1], &turn, 1) != 1 || read(l->done[0], &turn, 1) != 1)
			return err_new(E_DB_CORRUPT, "who merges has gone");
		TRY(segments_read(l->db, l->a, &all));
		large = building = false;
		for (size_t i = 0; i < all.n; i++) {
			large |= all.p[i].live && segment_is_large(all.p[i].segment);
			building |= all.p[i].building;
		}
		if (building) {
			/* From its first documents on, in every small one. */
			l->remove = 2 + l->commits * 34 % (LIVE - BEFORE);
			TRY(live_change(l));
			l->commits++;
			TRY(live_check(l));
		}
	}
	return live_check(l);
}

static struct err *live(struct arena *a, struct db *db, const char *path)
{
	struct live l = {.db = db, .a = a};
	struct err *e;
	int status;

	for (int i = 0; i < LIVE; i += BEFORE)
		TRY(live_fill(&l));
	if (pipe(l.go) || pipe(l.done))
		return err_errno(errno, "make a pipe");
	if (!fork()) {
		close(l.go[1]);
		merge_in_turns(path, &l);
	}
	close(l.done[1]);
	e = take_turns(&l);
	close(l.go[1]);
	TRY(e);
	if (wait(&status) < 0 || status)
		return err_new(E_DB_CORRUPT, "who merges has failed");
	printf("%jd documents, %jd commits while a large segment was made\n", (intmax_t)l.there,
	       l.commits);
	return NULL;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err *e = NULL;
	struct db *db;

	if (argc != 3)
		return 2;
	db = db_new(a, argv[2]);
	if (!strcmp(argv[1], "fill"))
		e = fill_all(a, db);
	else if (!strcmp(argv[1], "ask"))
		e = ask_all(a, db);
	else if (!strcmp(argv[1], "live"))
		e = live(a, db, argv[2]);
	else
		e = race(a, db, argv[2]);
	if (e)
		fprintf(stderr, "index: %s\n", err_message(e));
	arena_free(a);
	return e != NULL;
}
