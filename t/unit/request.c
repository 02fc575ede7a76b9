/* Ranking, packing to the token, and the cache. */
#include "os/os.h"
#include "request/internal.h"
#include "dir.h"
#include "tap.h"
#include <math.h>

#define DAY INT64_C(86400000)

static struct arena *a;
static struct words *words;
static const int64_t now = 1000 * DAY;

static struct candidate one(const char *id, const char *content, int64_t tokens, double relevance,
			    double importance, int64_t days)
{
	return (struct candidate){.relevance = relevance,
				  .memory = {.id = str_of(id),
					     .content = str_of(content),
					     .tokens = tokens,
					     .importance = importance,
					     .happened = now - days * DAY}};
}

static struct packing run(const struct candidate *c, size_t n, size_t limit, int64_t budget)
{
	struct packing p = {.limit = limit, .budget = budget, .now = now, .tau_days = 30};

	pack_into_budget(&p, a, words, c, n);
	return p;
}

/* The ids in order: "a b | c" where c was dropped. */
static struct str told(const struct packing *p, const struct candidate *c)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < p->picked.n; i++)
		buf_fmt(&b, "%.*s ", STR_ARG(c[p->picked.p[i].i].memory.id));
	buf_puts(&b, "|");
	for (size_t i = 0; i < p->dropped.n; i++)
		buf_fmt(&b, " %.*s", STR_ARG(c[p->dropped.p[i].i].memory.id));
	return buf_as_str(&b);
}

static bool near(double x, double y)
{
	return fabs(x - y) < 1e-9;
}

static void ranks(void)
{
	const struct candidate c[] = {one("a", "one two three four", 1, 1, 1, 0),
				      one("b", "five six seven eight", 1, 0.5, 0.5, 30),
				      one("c", "nine ten eleven twelve", 1, 0, 0, -900)};
	struct packing p = run(c, 3, 10, 100);

	ok(near(pack_recency_weight(30 * DAY, 30), exp(-1)), "tau days old: a third");
	ok(near(pack_recency_weight(0, 30), 1) && near(pack_recency_weight(-DAY, 30), 1),
	   "what is to come is as new as now");
	ok(near(pack_recency_weight(DAY, 0), 0), "tau 0: only now counts");
	ok(pack_recency_weight(INT64_MAX, 1) >= 0, "any age is one");
	is_str(told(&p, c), STR("a b c |"), "by rank");
	ok(near(p.picked.p[0].score, 0.9), "0.40 + 0.25 + 0.25");
	ok(near(p.picked.p[1].score, 0.2 + 0.25 * exp(-1) + 0.125), "each part counts its share");
	ok(near(p.picked.p[2].score, 0.25), "the future is no more than now");
}

static void repeats(void)
{
	const char *text = "the cat sat on the mat near the door of the old house";
	const struct candidate c[] = {
		one("a", text, 1, 1, 0.5, 0), one("b", text, 1, 0.95, 0.5, 0),
		one("c", "a dog ran over the long bridge to the other side at night", 1, 0.9, 0.5,
		    0)};
	struct packing p = run(c, 3, 10, 100);

	is_str(told(&p, c), STR("a c b |"), "what repeats what was picked goes behind");
	ok(near(p.picked.p[2].score, 0.38 + 0.25 + 0.125 - 0.1), "by 0.10 when it is the same");
	words = NULL;
	p = run(c, 3, 10, 100);
	is_str(told(&p, c), STR("a b c |"), "without words nothing repeats anything");
	works(words_new(a, &words), "words");
}

static void packs(void)
{
	const struct candidate c[] = {one("a", "one two three", 60, 1, 0.5, 0),
				      one("b", "four five six", 50, 0.9, 0.5, 0),
				      one("c", "seven eight nine", 40, 0.8, 0.5, 0),
				      one("d", "ten eleven twelve", 1, 0.7, 0.5, 0)};
	struct packing p = run(c, 4, 10, 100);

	is_str(told(&p, c), STR("a c | b d"), "what does not fit is skipped, the next is tried");
	is_int(p.tokens, 100, "to the token");
	p = run(c, 4, 10, 99);
	is_str(told(&p, c), STR("a d | b c"), "one token less");
	is_int(p.tokens, 61, "nothing is cut in half");
	p = run(c, 4, 2, 50);
	is_str(told(&p, c), STR("b | a"), "dropped: what the limit would have let in");
	p = run(c, 4, 2, 110);
	is_str(told(&p, c), STR("a b |"), "the limit");
	p = run(c, 4, 10, 0);
	is_str(told(&p, c), STR("| a b c d"), "a budget of 0: nothing");
	p = run(c, 0, 10, 100);
	is_str(told(&p, c), STR("|"), "no candidates");
}

static void ties(void)
{
	const struct candidate c[] = {one("b", "x", 1, 0.5, 0.5, 1), one("a", "y", 1, 0.5, 0.5, 1),
				      one("c", "z", 1, 0.5, 0.5, 1)};
	struct packing p = run(c, 3, 10, 100);

	is_str(told(&p, c), STR("a b c |"), "always the same order");
}

static struct found *get(struct request_cache *c, const char *key, int64_t at, bool *cached)
{
	struct found *f = cache_find(c, str_of(key), at, cached);

	f->done = true;
	return f;
}

static void caches(void)
{
	struct arena *own = arena_new();
	struct request_cache *c = request_result_cache_new(own);
	struct found *f;
	bool cached;

	cache_expire(c, 1, 1000);
	f = get(c, "a", 1000, &cached);
	ok(!cached, "not there at first");
	ok(get(c, "a", 1000, &cached) == f && cached, "then it is");
	get(c, "b", 1000, &cached);
	ok(!cached, "another key is another");
	cache_expire(c, 1, 1000 + 299999);
	get(c, "a", 1000 + 299999, &cached);
	ok(cached, "for five minutes");
	cache_expire(c, 1, 1000 + 300000);
	get(c, "a", 1000 + 300000, &cached);
	ok(!cached, "and no longer");
	cache_expire(c, 2, 1000 + 300000);
	get(c, "a", 1000 + 300000, &cached);
	ok(!cached, "until anybody changes the store");
	cache_expire(c, 2, 1000);
	get(c, "a", 1000, &cached);
	ok(!cached, "a clock that went back");
	get(c, "bad", 1000, &cached)->failed = STR("why");
	cache_expire(c, 2, 1000);
	get(c, "bad", 1000, &cached);
	ok(!cached, "what failed is tried again");
	for (int i = 0; i < 1000; i++)
		get(c, str_c(own, str_fmt(own, "k%d", i)), 1000, &cached);
	cache_expire(c, 2, 1000);
	get(c, "k0", 1000, &cached);
	ok(!cached, "the oldest go when there are too many");
	get(c, "k999", 1000, &cached);
	ok(cached, "the newest stay");
	arena_free(own);
}

/* ---- whole requests in one process, as in a server ---- */

static struct requests make(struct arena *own, struct request_cache *cache)
{
	struct memories *m = ARENA_NEW(own, struct memories);
	struct requests r = {.memories = m, .home = ".", .trace_keep_ms = DAY, .cache = cache};

	*m = (struct memories){.db = db_new(own, "ikm.db"),
			       .who = {.agent = STR("a"), .user = STR("u")}};
	for (size_t i = 0; i < ACCESS_TYPES_END; i++)
		r.recency_days[i] = 30;
	return r;
}

static void remember(struct requests *r, const char *content)
{
	struct memory in = {.layer = MEMORY_AGENT,
			    .kind = MEMORY_EPISODIC,
			    .confidence = -1,
			    .content = str_of(content),
			    .type = STR(""),
			    .source = STR(""),
			    .metadata = STR(""),
			    .speaker = STR(""),
			    .supersedes = STR(""),
			    .importance = 0.5};
	struct memory out;
	struct memory_told told;

	works(memory_add(r->memories, a, &in, &out, &told), "add");
}

/* "returned/cached" of one query. */
static struct str ask(struct requests *r)
{
	struct request q = {.request_id = STR("r"), .tool_id = STR("t"), .budget_tokens = 1000};
	struct val *list = val_list(a), *v = val_add(list, val_map(a));
	struct request_contexts context;
	struct trace_filter all = {.user = r->memories->who.user, .outcome = -1, .limit = 1};
	struct trace_list rows;
	struct strs warnings;

	val_set(a, v, "query_id", val_str(a, STR("q")));
	val_set(a, v, "memory_type", val_str(a, STR("episodic")));
	val_set(a, v, "query_text", val_str(a, STR("walrus")));
	q.queries = list;
	works(request_answer_queries(r, a, &q, &context, &warnings), "run");
	is_int((long long)warnings.n, 0, "no warnings");
	works(trace_list_requests(r->memories->db, a, &all, &rows), "trace");
	return str_fmt(a, "%jd/%d", (intmax_t)context.p->returned_results, rows.p[0].cached);
}

static void server(void)
{
	struct arena *own = arena_new(), *other = arena_new();
	struct requests r = make(own, request_result_cache_new(own)), elsewhere = make(other, NULL);

	dir_put("manifests/t.yaml", "tool: {id: t, memory_access: {episodic: {enabled: true}}}");
	setenv("IKM_NOW", "2026-01-01T00:00:00Z", 1);
	remember(&r, "a walrus on the ice");
	is_str(ask(&r), STR("1/0"), "searched");
	is_str(ask(&r), STR("1/1"), "then found before, though the trace was written");
	is_str(ask(&r), STR("1/1"), "and again");
	remember(&r, "another walrus in the water");
	is_str(ask(&r), STR("2/0"), "what we store ends it");
	is_str(ask(&r), STR("2/1"), "until then");
	remember(&elsewhere, "a third walrus elsewhere");
	is_str(ask(&r), STR("3/0"), "and what others store");
	dir_put("manifests/t.yaml",
		"tool: {id: t, memory_access: {episodic: {enabled: true, tags: [x]}}}");
	is_str(ask(&r), STR("0/0"), "another manifest is another question");
	dir_put("manifests/t.yaml", "tool: {id: t, memory_access: {episodic: {enabled: true}}}");
	setenv("IKM_NOW", "2026-01-01T00:05:00Z", 1);
	is_str(ask(&r), STR("3/0"), "five minutes are over");
	r.memories->who.user = STR("v");
	is_str(ask(&r), STR("0/0"), "of somebody else there is nothing");
	arena_free(other);
	arena_free(own);
}

/* ---- a response's writes ---- */

static struct err *ingest(struct requests *r, const char *request, const char *content)
{
	struct request_write w = {.content = str_of(content),
				  .importance = 0.5,
				  .redaction = MEMORY_INTERNAL,
				  .confidence = (double)NAN};
	struct response in = {.request_id = str_of(request),
			      .tool_id = STR("t"),
			      .memories = &w,
			      .n_memories = 1};
	struct request_written out;

	return request_store_items(r, a, &in, &out);
}

/* The number of vocabulary words that replace a mistyped word. */
static size_t stand_in(struct requests *r, const char *slip)
{
	static const int64_t scopes[] = {2, 3};
	struct vocab_nears near = {0};
	struct words *w;

	works(words_new(a, &w), "words");
	works(vocab_near(w, r->memories->db, a, scopes, ARRAY_SIZE(scopes), str_of(slip), 10,
			 &near),
	      "near");
	return near.n;
}

static void taken_back(void)
{
	struct arena *own = arena_new();
	struct requests r = make(own, NULL);

	works(ingest(&r, "r1", "an ordinary albatross"), "stored");
	is_int((long long)stand_in(&r, "albatros"), 1, "its words are learned");
	setenv("IKM_FAULT", "1", 1);
	fails(ingest(&r, "r2", "an unusual pelican"), E_IO_ERROR, "the commit fails");
	unsetenv("IKM_FAULT");
	works(ingest(&r, "r2", "an unusual pelican"), "again");
	is_int((long long)stand_in(&r, "pelicam"), 1, "words are learned that were taken back");
	arena_free(own);
}

int main(void)
{
	a = arena_new();
	dir_fresh(a);
	if (mkdir("manifests", 0700))
		BUG("no folder");
	works(words_new(a, &words), "words");
	ranks();
	repeats();
	packs();
	ties();
	caches();
	server();
	taken_back();
	arena_free(a);
	return tap_done();
}
