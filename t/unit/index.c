/* The index: exact answers wherever a document is, and nothing of what was removed. */
#include "index/index.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"

struct step {
	struct db *db;
	struct arena *a;
	struct index_doc doc;
	bool remove;
};

static struct err *step(void *ctx)
{
	struct step *s = ctx;

	if (s->remove)
		return index_remove(s->db, s->a, &s->doc);
	TRY(index_next(s->db, &s->doc.doc));
	return index_add(s->db, s->a, &s->doc);
}

static void test_few(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "few.db"));
	struct index_term one[] = {{1, 1}, {2, 3}}, two[] = {{2, 9}};
	uint64_t mark = 77;
	struct step first = {db, a, {.length = 4, .terms = one, .n_terms = 2}};
	struct step second = {db, a, {.length = 200, .terms = two, .n_terms = 1, .marks = &mark,
				      .n_marks = 1}};
	struct index_query q = {.limit = 10};
	struct index_hits hits;

	works(index_search(db, a, &q, &hits), "search where there is no store");
	is_int(hits.n, 0, "finds nothing");
	works(db_write(db, step, &first), "one");
	works(db_write(db, step, &second), "two");
	works(index_search(db, a, &q, &hits), "no terms");
	is_int(hits.matched, 2, "all");
	is_int(hits.p[0].doc, second.doc.doc, "newest first");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	test_few(a, dir);
	arena_free(a);
	return tap_done();
}
