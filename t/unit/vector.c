/* Embeddings: what a program may answer, what is kept, the nearest ones. */
#include "vector/vector.h"
#include "dir.h"
#include "os/os.h"
#include "tap.h"

/* A program of the user's. */
static struct vectors embedder(struct arena *a, struct db *db, const char *script)
{
	struct vectors v = {.db = db, .timeout_ms = 5000};

	strs_push(a, &v.command, STR("sh"));
	strs_push(a, &v.command, STR("-c"));
	strs_push(a, &v.command, str_of(script));
	return v;
}

static struct err *embed(struct vectors *v, struct arena *a, const char *one, const char *two,
			 struct vector_list *out)
{
	struct strs texts = {0};

	strs_push(a, &texts, str_of(one));
	if (two)
		strs_push(a, &texts, str_of(two));
	return vector_embed(v, a, &texts, out);
}

static bool says(struct err *e, const char *text)
{
	bool found = e && str_find(str_of(err_message(e)), str_of(text), 0) != SIZE_MAX;

	if (!found)
		printf("# %s\n", e ? err_message(e) : "success");
	return found;
}

/* ---- answers ---- */

static void test_good(struct arena *a)
{
	/* clang-format off */
	static const char *const good[] = {
		"{\"model\":\"m\",\"version\":\"1\",\"vectors\":[[3,4],[0,-1]]}",
		("\n{\"vectors\":[[3e200,4e200],[-0.0,-1e-300]],\"version\":\"1\",\"model\":\"m\","
		 "\"x\":1}\n"),
		("{\"tool_success\":true,\"result\":{\"model\":\"m\",\"version\":\"1\","
		 "\"vectors\":[[6,8],[0,-9]]}}"),
	};
	/* clang-format on */
	struct vector_list out;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		works(vector_answer_read(a, str_of(good[i]), 2, &out), "a good answer");
		is_str(out.name, STR("m"), "its model");
		is_str(out.version, STR("1"), "its version");
		ok(out.n == 2 && out.dimension == 2 && out.p[0].n == 2, "two vectors of two");
		is_int(out.p[0].p[0], 76, "0.6 of 127");
		is_int(out.p[0].p[1], 102, "0.8 of 127");
		is_int(out.p[1].p[0], 0, "nothing");
		is_int(out.p[1].p[1], -127, "all of it");
	}
	works(vector_answer_read(a, STR("{\"model\":\"m\",\"vectors\":[[1]]}"), 1, &out),
	      "no version");
	is_str(out.version, STR(""), "is an empty one");
}

static void test_bad(struct arena *a)
{
	/* clang-format off */
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", "printed nothing"},
		{" \t", "printed nothing"},
		{"hello", "not JSON"},
		{"{\"model\":\"m\",\"vectors\":[[1],[NaN]]}", "not JSON"},
		{"{\"model\":\"m\",\"vectors\":[[1],[2]]} x", "not JSON"},
		{"[[1],[2]]", "a list, not an object"},
		{"{\"vectors\":[[1],[2]]}", "model is missing"},
		{"{\"model\":7,\"vectors\":[[1],[2]]}", "model is a number"},
		{"{\"model\":\"\",\"vectors\":[[1],[2]]}", "model must have 1 to 256 bytes"},
		{"{\"model\":\"a\\u0000b\",\"vectors\":[[1],[2]]}", "without NUL"},
		{"{\"model\":\"m\",\"version\":1,\"vectors\":[[1],[2]]}", "version is a number"},
		{"{\"model\":\"m\"}", "vectors is missing"},
		{"{\"model\":\"m\",\"vectors\":{}}", "vectors is an object"},
		{"{\"model\":\"m\",\"vectors\":[]}", "0 vectors for 2 texts"},
		{"{\"model\":\"m\",\"vectors\":[[1]]}", "1 vectors for 2 texts"},
		{"{\"model\":\"m\",\"vectors\":[[1],[2],[3]]}", "3 vectors for 2 texts"},
		{"{\"model\":\"m\",\"vectors\":[[],[]]}", "has 0 numbers"},
		{"{\"model\":\"m\",\"vectors\":[[1,2],[1]]}", "vectors[1] has 1 numbers"},
		{"{\"model\":\"m\",\"vectors\":[[1],2]}", "vectors[1] is a number"},
		{"{\"model\":\"m\",\"vectors\":[[1],[null]]}", "vectors[1][0] is null"},
		{"{\"model\":\"m\",\"vectors\":[[1],[\"1\"]]}", "vectors[1][0] is a string"},
		{"{\"model\":\"m\",\"vectors\":[[1],[1e999]]}", "too large"},
		{"{\"model\":\"m\",\"vectors\":[[1,0],[0,0]]}", "vectors[1] has only zeros"},
		{"{\"tool_success\":false,\"error\":\"no model file\"}", "it says: no model file"},
		{"{\"tool_success\":false}", "it says: it failed"},
		{"{\"tool_success\":1}", "tool_success is a number"},
		{"{\"tool_success\":true,\"result\":[]}", "result is a list"},
		{"{\"tool_success\":true}", "result is missing"},
	};
	/* clang-format on */
	struct buf deep = buf_in(a), wide = buf_in(a);
	struct vector_list out;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err *e = vector_answer_read(a, str_of(bad[i].text), 2, &out);

		ok(e && err_reason(e) == E_PROGRAM_FAILED && says(e, bad[i].says), "%s",
		   bad[i].text);
	}
	for (int i = 0; i < 1000; i++)
		buf_putc(&deep, '[');
	fails(vector_answer_read(a, buf_as_str(&deep), 1, &out), E_PROGRAM_FAILED,
	      "a thousand levels");
	buf_puts(&wide, "{\"model\":\"m\",\"vectors\":[[1");
	for (int i = 0; i < VECTOR_DIMENSION_MAX; i++)
		buf_puts(&wide, ",1");
	buf_puts(&wide, "]]}");
	ok(says(vector_answer_read(a, buf_as_str(&wide), 1, &out), "1 to 8192"),
	   "a number too many");
}

/* ---- programs ---- */

static void test_programs(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "none.db"));
	/* clang-format off */
	static const struct {
		const char *script, *says;
		enum err_reason reason;
	} bad[] = {
		{"cat >/dev/null; echo 'no model file' >&2; exit 3", "status 3: no model file",
		 E_PROGRAM_FAILED},
		{"exit 4", "status 4", E_PROGRAM_FAILED},
		{"kill -9 $$", "status 137", E_PROGRAM_FAILED},
		{"cat >/dev/null", "printed nothing", E_PROGRAM_FAILED},
		{"cat", "model is missing", E_PROGRAM_FAILED},
		{"yes", "more than", E_PROGRAM_FAILED},
		{"sleep 60", "memory.embedder", E_TOOK_TOO_LONG},
	};
	/* clang-format on */
	struct vectors v, none = {.db = db};
	struct vector_list out;
	struct os_stat st;

	/* The program returns its argument as its version. */
	v = embedder(a, db,
		     "printf '{\"model\":\"m\",\"version\":\"%s\",\"vectors\":[[1]]}' "
		     "\"$(tr -d '\\\\\"{}[]')\"");
	works(embed(&v, a, "say \"x\"\n\xff", NULL, &out), "a program");
	is_str(out.version, STR("texts:say xn\xef\xbf\xbd"), "gets the texts as JSON");
	is_int(out.model, 0, "nothing was kept of its model");
	works(os_stat(os_join(a, dir, "none.db"), true, &st), "stat");
	ok(st.kind == OS_NONE, "and no store was made");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err *e;

		v = embedder(a, db, bad[i].script);
		if (bad[i].reason == E_TOOK_TOO_LONG)
			v.timeout_ms = 100;
		e = embed(&v, a, "x", NULL, &out);
		ok(e && err_reason(e) == bad[i].reason && says(e, bad[i].says) &&
			   says(e, "(memory.embedder)"),
		   "%s", bad[i].script);
	}
	v.command.p[0] = STR("there-is-no-such-program");
	fails(embed(&v, a, "x", NULL, &out), E_NO_PROGRAM, "no such program");
	fails(embed(&none, a, "x", NULL, &out), E_NOT_CONFIGURED, "none");
}

/* ---- what is kept ---- */

static struct db *db;
static const char *path;

static void sql(struct arena *a, const char *text)
{
	const char *argv[] = {"sqlite3", path, NULL};
	struct os_spawn s = {.argv = argv, .in = str_fmt(a, "pragma foreign_keys = on; %s", text)};
	struct os_result r;

	works(os_run(a, &s, &r), "sqlite3 runs");
	if (r.status)
		printf("# %.*s\n", STR_ARG(r.err));
	is_int(r.status, 0, "sqlite3 does it");
}

/* Memories 1 to n, whose content is their number. */
static void store(struct arena *a, const char *dir, int n)
{
	path = os_join(a, dir, "ikm.db");
	db = db_new(a, path);
	works(db_open_for_writing(db), "a store");
	sql(a,
	    str_c(a,
		  str_fmt(a,
			  "insert into scopes values (1, 'user', '[\"u\"]');"
			  "with recursive n(i) as (select 1 union all select i + 1 from n where i < %d) "
			  "insert into memories (doc, id, scope, kind, type, tags, source, importance, "
			  "confidence, provenance, redaction, state, user_id, agent_id, session_id, speaker, "
			  "turn, happened_at, created_at, updated_at, tokens, token_model, content_hash, "
			  "metadata, content) select i, printf('mem_%%026d', i), 1, 'fact', '', '[]', '', 0.5, 1, "
			  "'user', 'internal', 'active', 'u', '', '', '', 0, 0, 0, 0, 1, 'o200k', i, '', i "
			  "from n;",
			  n)));
}

struct put {
	struct vectors *v;
	struct vector_list list;
	const int64_t *docs;
};

static struct err *put(struct put *p)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, p->v->db));
	TRY(vector_record_model(p->v, &p->list));
	for (size_t i = 0; i < p->list.n; i++)
		TRY(vector_put(p->v, p->list.model, p->docs[i], p->list.p[i]));
	return db_commit(&txn);
}

static bool odd(void *ctx, int64_t doc)
{
	++*(int *)ctx;
	return doc % 2;
}

static uint32_t seed = 1;

static signed char any_byte(void)
{
	seed = seed * 1664525 + 1013904223;
	return (signed char)((int)(seed >> 24) % 128 - (int)(seed >> 16 & 1) * 127);
}

/* Against a plain scan, for lengths around what the loop takes at once. */
static void test_search(struct arena *a, size_t dimension)
{
	struct vectors v = {.db = db};
	struct put p = {.v = &v,
			.list = {.name = STR("m"), .version = STR(""), .dimension = dimension}};
	int64_t docs[60];
	struct vector query = {.p = arena_alloc(a, dimension), .n = dimension};
	struct vector_hits hits;
	bool right = true;
	int asked = 0;

	for (size_t i = 0; i < dimension; i++)
		query.p[i] = any_byte();
	for (int i = 0; i < 60; i++) {
		struct vector *x = VEC_PUSH(a, &p.list);

		docs[i] = i + 1;
		*x = (struct vector){.p = arena_alloc(a, dimension), .n = dimension};
		for (size_t k = 0; k < dimension; k++)
			x->p[k] = i % 10 == 9 ? p.list.p[i - 1].p[k] : any_byte();
	}
	p.docs = docs;
	works(put(&p), "kept");
	works(vector_search(&v, a, p.list.model, query, odd, &asked, 7, &hits), "searched");
	is_int((long long)hits.n, 7, "as many as were asked for");
	ok(asked < 60, "not all were asked about: %d", asked);
	for (int i = 0; i < 60; i++) {
		int better = 0, at = -1;
		long mine = 0;

		for (size_t k = 0; k < dimension; k++)
			mine += query.p[k] * p.list.p[i].p[k];
		for (int j = 0; j < 60; j++) {
			long theirs = 0;

			for (size_t k = 0; k < dimension; k++)
				theirs += query.p[k] * p.list.p[j].p[k];
			better += docs[j] % 2 && (theirs > mine || (theirs == mine && j > i));
		}
		for (size_t k = 0; k < hits.n; k++)
			if (hits.p[k].doc == docs[i])
				at = (int)k;
		right = right && at == (docs[i] % 2 && better < 7 ? better : -1);
	}
	ok(right, "the same as by hand, %zu numbers", dimension);
	works(vector_search(&v, a, p.list.model, query, NULL, NULL, 1000, &hits), "all");
	is_int((long long)hits.n, 60, "are found");
	works(vector_search(&v, a, p.list.model + 1, query, NULL, NULL, 10, &hits),
	      "another model");
	is_int((long long)hits.n, 0, "has none");
	works(vector_search(&v, a, 0, query, NULL, NULL, 10, &hits), "no model");
	is_int((long long)hits.n, 0, "has none");
	query.n--;
	works(vector_search(&v, a, p.list.model, query, NULL, NULL, 10, &hits),
	      "too short a query");
	is_int((long long)hits.n, 0, "finds nothing");
}

static int64_t number(struct arena *a, const char *text)
{
	const char *argv[] = {"sqlite3", path, text, NULL};
	struct os_spawn s = {.argv = argv};
	struct os_result r;
	int64_t n = -1;

	works(os_run(a, &s, &r), "sqlite3 runs");
	str_int(str_trim(r.out), &n);
	return n;
}

/* ---- filling in ---- */

/* Each number n gives [1, n]; the model is `name`. It notes how many it was given. */
static const char *counting(struct arena *a, const char *name)
{
	return str_c(
		a,
		str_fmt(a,
			"awk -v RS='[],[]+' -v name=%s '\n"
			"/^[{]/ { next }\n"
			"/^\"/ { gsub(/\"/, \"\"); n++; list = list (n > 1 ? \",\" : \"\") \"[1,\" $0 + 0 \"]\" }\n"
			"END { print n >>\"runs\"; printf \"{\\\"model\\\":\\\"%%s\\\",\\\"vectors\\\":[%%s]}\", "
			"name, list }'",
			name));
}

static void test_fill(struct arena *a)
{
	struct vectors v = embedder(a, db, counting(a, "one"));
	struct vector_filled out;
	struct vector_hits hits;
	struct vector query = {.p = (signed char[]){0, 127}, .n = 2};

	sql(a, "delete from vectors; delete from vector_models;");
	works(vector_fill(&v, a, 25, &out), "filled in");
	is_int(out.embedded, 60, "all");
	is_int(out.all, 60, "have one");
	is_str(out.model, STR("one"), "of its model");
	is_int(number(a, "select count(*) from vectors v, vector_models m where v.model = m.model "
			 "and m.name = 'one' and m.dimension = 2"),
	       60, "kept");
	is_int(number(a, "select hex(data) = '5A5A' from vectors where doc = 1"), 1, "unit length");
	works(vector_search(&v, a, 1, query, NULL, NULL, 1, &hits), "searched");
	ok(hits.n == 1 && hits.p[0].cosine > 0.99, "a cosine");
	ok(hits.p[0].near > .99, "of one alone no deviation: its cosine counts");
	works(vector_fill(&v, a, 25, &out), "again");
	is_int(out.embedded, 0, "nothing is missing");
	is_int(out.all, 60, "all have one");

	sql(a, "update memories set doc = 100 where doc = 1; delete from memories where doc = 2;");
	is_int(number(a, "select count(*) from vectors where doc in (1, 2, 100)"), 1,
	       "a vector follows its memory");
	v = embedder(a, db, counting(a, "two"));
	works(vector_fill(&v, a, 25, &out), "another model");
	is_int(out.embedded, 59, "all anew");
	is_int(number(a, "select count(distinct model) from vectors"), 1, "in place of the others");
}

/* Embeddings from before a failure stay, and the next run continues. */
static void test_resume(struct arena *a)
{
	const char *thrice = str_c(
		a, str_fmt(a, "[ \"$(wc -l <runs)\" -lt 3 ] || exit 9; %s", counting(a, "three")));
	struct vectors v = embedder(a, db, thrice);
	struct vector_filled out;
	struct err *e;

	sql(a, "delete from vectors;");
	dir_put("runs", "");
	e = vector_fill(&v, a, 25, &out);
	ok(says(e,
		"9 memories, the first is mem_00000000000000000000000053: the embedder 'sh' (memory.embedder): it ended with "
		"status 9"),
	   "the third batch fails, and it is told which");
	is_int(number(a, "select count(*) from vectors"), 50, "the others stay");
	dir_put("runs", "");
	works(vector_fill(&v, a, 25, &out), "on");
	is_int(out.embedded, 9, "only what was missing");
	is_int(out.all, 59, "all have one");
	v = embedder(a, db, counting(a, "\"four$(wc -l <runs)\""));
	sql(a, "delete from vectors;");
	ok(says(vector_fill(&v, a, 25, &out), "has changed from 'four2' (2 numbers) to 'four3'"),
	   "a model that changes in between");
	is_int(number(a, "select count(*) from vectors"), 0, "nothing of it is kept");
}

static void test_empty(struct arena *a, const char *dir)
{
	struct vectors v = embedder(a, db_new(a, os_join(a, dir, "no.db")), counting(a, "one"));
	struct vector_filled out;
	struct os_stat st;

	works(vector_fill(&v, a, 25, &out), "no store");
	is_int(out.embedded, 0, "nothing to do");
	works(os_stat(os_join(a, dir, "no.db"), true, &st), "stat");
	ok(st.kind == OS_NONE, "and none is made");
}

int main(void)
{
	static const size_t dimensions[] = {2, 15, 16, 17, 384, 1000};
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	test_good(a);
	test_bad(a);
	test_programs(a, dir);
	store(a, dir, 60);
	for (size_t i = 0; i < ARRAY_SIZE(dimensions); i++)
		test_search(a, dimensions[i]);
	test_fill(a);
	test_resume(a);
	test_empty(a, dir);
	arena_free(a);
	return tap_done();
}
