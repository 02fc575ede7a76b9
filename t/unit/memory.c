/* Memories: owners, refusals, repeats, limits, superseding, deletion, listing. */
#include "memory/memory.h"
#include "dir.h"
#include "index/index.h"
#include "os/os.h"
#include "tap.h"

static struct memories store(struct arena *a, const char *name, const char *user, const char *agent)
{
	return (struct memories){
		.db = db_new(a, name),
		.who = {.user = str_of(user), .agent = str_of(agent), .session = STR("")},
	};
}

static struct memory fact(const char *content)
{
	return (struct memory){.layer = MEMORY_USER,
			       .kind = MEMORY_FACT,
			       .content = str_of(content),
			       .importance = -1,
			       .confidence = -1,
			       .redaction = MEMORY_INTERNAL};
}

static struct memory add(struct memories *m, struct arena *a, struct memory in)
{
	struct memory out = {0};
	struct memory_told told;

	works(memory_add(m, a, &in, &out, &told), str_c(a, in.content));
	return out;
}

/* How many documents the index finds with this mark. */
static size_t marked(struct memories *m, struct arena *a, uint64_t mark)
{
	struct index_clause g = {.marks = &mark, .n = 1};
	struct index_query q = {.groups = &g, .n_groups = 1, .limit = 1000};
	struct index_hits hits = {0};

	works(index_search(m->db, a, &q, &hits), "the index answers");
	return hits.n;
}

static struct memory get(struct memories *m, struct arena *a, struct str id)
{
	struct memory out = {0};

	works(memory_get(m, a, id, false, &out), "it is there");
	return out;
}

/* ---- owners ---- */

static void test_scopes(struct arena *a)
{
	struct memories m = store(a, "scopes.db", "ada", "one");
	struct memory_scopes s;
	int64_t scope;
	struct err *e;

	works(memory_scopes(&m, a, 0, &s), "all that are known");
	is_int(s.layers, 1 << MEMORY_AGENT | 1 << MEMORY_USER, "user and agent");
	is_int(s.n, 0, "nobody has stored anything");
	for (unsigned i = MEMORY_SESSION; i < MEMORY_LAYERS_END; i++) {
		struct memory in = fact("x"), out;
		struct memory_told told;

		in.layer = (enum memory_layer)i;
		e = memory_add(&m, a, &in, &out, &told);
		fails(e, E_MISSING_PARAMETER, "an identifier is missing");
		ok(val_get(val_get(err_envelope(a, e), "details"), "missing")->n == 1,
		   "it is named");
		fails(memory_scopes(&m, a, 1u << i, &s), E_MISSING_PARAMETER, "asked by name too");
	}
	m.who = (struct memory_who){STR("a"), STR("u"), STR("s"), STR("p"),
				    STR("t"), STR("o"), STR("c")};
	for (unsigned i = 0; i < MEMORY_LAYERS_END; i++) {
		struct memory in = fact("x");

		in.layer = (enum memory_layer)i;
		ok(add(&m, a, in).layer == i, "its layer is %u", i);
	}
	works(memory_scopes(&m, a, 0, &s), "all");
	is_int(s.n, MEMORY_LAYERS_END, "seven scopes");
	m.who.user = STR("other");
	works(memory_scopes(&m, a, 0, &s), "another user's");
	is_int(s.n, 4, "agent, user and session need the user");
	m.who = (struct memory_who){.user = STR("u\",\"s"), .session = STR("")};
	works(memory_scope_of_layer(&m, a, MEMORY_USER, false, &scope),
	      "a name that looks like two");
	is_int(scope, 0, "is one");
}

static void test_access(struct arena *a)
{
	static const char *const users[] = {"ada", "bob"}, *const agents[] = {"one", "two"};
	struct memory mine[4], out;
	struct memories m;

	for (int i = 0; i < 4; i++) {
		struct memory in = fact("same");

		m = store(a, "access.db", users[i / 2], agents[i % 2]);
		in.layer = MEMORY_AGENT;
		mine[i] = add(&m, a, in);
	}
	for (int i = 0; i < 4; i++) {
		m = store(a, "access.db", users[i / 2], agents[i % 2]);
		for (int k = 0; k < 4; k++) {
			struct memory in = fact("new");
			struct memory_told told;

			if (i == k) {
				get(&m, a, mine[k].id);
				continue;
			}
			fails(memory_get(&m, a, mine[k].id, true, &out), E_NO_SUCH_MEMORY, "get");
			fails(memory_delete(&m, a, mine[k].id), E_NO_SUCH_MEMORY, "delete");
			fails(memory_restore_deleted(&m, a, mine[k].id, &out), E_NO_SUCH_MEMORY,
			      "restore");
			fails(memory_set_status(&m, a, mine[k].id, MEMORY_RESOLVED, &out),
			      E_NO_SUCH_MEMORY, "mark");
			in.supersedes = mine[k].id;
			fails(memory_add(&m, a, &in, &out, &told), E_NO_SUCH_MEMORY, "supersede");
		}
	}
	m = store(a, "access.db", "ada", "one");
	works(memory_delete(&m, a, mine[0].id), "deleted");
	m = store(a, "access.db", "bob", "one");
	fails(memory_restore_deleted(&m, a, mine[0].id, &out), E_NO_SUCH_MEMORY,
	      "another's deleted one");
}

/* ---- refusals ---- */

static struct err *try_add(struct memories *m, struct arena *a, struct memory in)
{
	struct memory out;
	struct memory_told told;

	return memory_add(m, a, &in, &out, &told);
}

static void test_checks(struct arena *a)
{
	struct memories m = store(a, "checks.db", "ada", "one");
	char *big = arena_alloc(a, MEMORY_CONTENT_MAX + 2);
	struct memory in;

	memset(big, 'x', MEMORY_CONTENT_MAX + 1);
	fails(try_add(&m, a, fact("")), E_OUT_OF_RANGE, "nothing");
	fails(try_add(&m, a, fact(" \n\t")), E_OUT_OF_RANGE, "only blanks");
	fails(try_add(&m, a, fact("a\xff")), E_BAD_UTF8, "no UTF-8");
	fails(try_add(&m, a, fact(big)), E_TOO_LONG, "too long");
	big[MEMORY_CONTENT_MAX] = 0;
	works(try_add(&m, a, fact(big)), "as long as may be");
#define REFUSED(member, value, reason)                                                             \
	(in = fact("x"), in.member = (value),                                                      \
	 fails(try_add(&m, a, in), reason, #member " = " #value))
	REFUSED(importance, 1.01, E_OUT_OF_RANGE);
	REFUSED(confidence, 2, E_OUT_OF_RANGE);
	REFUSED(metadata, STR("[1]"), E_WRONG_TYPE);
	REFUSED(metadata, STR("{"), E_BAD_JSON);
	REFUSED(metadata, STR("{\"a\":1,\"a\":2}"), E_BAD_JSON);
	REFUSED(type, STR("\xff"), E_BAD_UTF8);
	REFUSED(source, str_sub(str_of(big), 0, MEMORY_NAME_MAX + 1), E_TOO_LONG);
	REFUSED(speaker, STR("Ada"), E_BAD_ARGUMENT);
	REFUSED(turn, 3, E_BAD_ARGUMENT);
	REFUSED(status, MEMORY_RESOLVED, E_BAD_ARGUMENT);
	REFUSED(happened, INT64_MAX, E_OUT_OF_RANGE);
	REFUSED(expires, INT64_MIN, E_OUT_OF_RANGE);
	REFUSED(supersedes, STR("mem_nosuch"), E_NO_SUCH_MEMORY);
	in = fact("x");
	for (int i = 0; i <= MEMORY_TAGS_MAX; i++)
		strs_push(a, &in.tags, str_fmt(a, "t%d", i));
	fails(try_add(&m, a, in), E_OUT_OF_RANGE, "too many tags");
	in.tags.n = MEMORY_TAGS_MAX;
	works(try_add(&m, a, in), "as many as may be");
	in = fact("x");
	strs_push(a, &in.tags, STR("one more"));
	fails(try_add(&m, a, in), E_OUT_OF_RANGE, "too many by a repeat");
	in = fact("y");
	strs_push(a, &in.tags, STR(""));
	fails(try_add(&m, a, in), E_OUT_OF_RANGE, "an empty tag");
	in = fact("a\0b");
	in.content = (struct str){"a\0b", 3};
	is_str(get(&m, a, add(&m, a, in).id).content, in.content, "NUL is data");
}

/* ---- repeats ---- */

static void test_repeats(struct arena *a)
{
	struct memories m = store(a, "repeats.db", "ada", "one");
	struct memory in = fact("User likes tea"), first, out;
	struct memory_told told;

	strs_push(a, &in.tags, STR("b"));
	strs_push(a, &in.tags, STR("a"));
	strs_push(a, &in.tags, STR("b"));
	first = add(&m, a, in);
	is_str(str_join(a, &first.tags, ","), STR("a,b"), "tags are sorted, each once");
	works(memory_add(&m, a, &in, &out, &told), "again");
	ok(told.existing && str_eq(out.id, first.id) && out.doc == first.doc,
	   "the same, untouched");
	in.tags = (struct strs){0};
	strs_push(a, &in.tags, STR("c"));
	works(memory_add(&m, a, &in, &out, &told), "with another tag");
	ok(told.existing && str_eq(out.id, first.id) && out.doc > first.doc,
	   "the same, indexed anew");
	is_str(str_join(a, &out.tags, ","), STR("a,b,c"), "its tags come together");
	is_int(marked(&m, a, memory_mark_of_text(MARK_TAG, STR("a"))), 1, "found by an old tag");
	is_int(marked(&m, a, memory_mark_of_text(MARK_TAG, STR("c"))), 1, "found by a new one");
	in.redaction = MEMORY_SENSITIVE;
	works(memory_add(&m, a, &in, &out, &told), "said to be sensitive now");
	ok(told.existing && get(&m, a, first.id).redaction == MEMORY_SENSITIVE, "so it is");
	is_int(marked(&m, a, memory_mark_of_text(MARK_REDACTION, STR("sensitive"))), 1,
	       "for searches too");
	in.redaction = MEMORY_PUBLIC;
	works(memory_add(&m, a, &in, &out, &told), "said to be public");
	ok(get(&m, a, first.id).redaction == MEMORY_SENSITIVE, "it stays sensitive");
	in.content = STR("Tea is served today");
	in.expires = os_now() + 60000;
	first = add(&m, a, in);
	in.expires += 60000;
	works(memory_add(&m, a, &in, &out, &told), "for longer");
	ok(told.existing && get(&m, a, first.id).expires == in.expires, "so it is");
	in.expires = 0;
	works(memory_add(&m, a, &in, &out, &told), "for ever");
	in.expires = os_now() + 60000;
	works(memory_add(&m, a, &in, &out, &told), "for a minute");
	ok(told.existing && !get(&m, a, first.id).expires, "the longest holds");
	in.expires = 0;
	in.type = STR("preference");
	works(memory_add(&m, a, &in, &out, &told), "another type");
	ok(!told.existing, "is another");
	in.layer = MEMORY_AGENT;
	works(memory_add(&m, a, &in, &out, &told), "another scope");
	ok(!told.existing, "is another");
	in.kind = MEMORY_EPISODIC;
	works(memory_add(&m, a, &in, &out, &told), "episodic");
	works(memory_add(&m, a, &in, &out, &told), "episodic again");
	ok(!told.existing, "other kinds never collapse");
}

/* ---- superseding ---- */

static void test_supersede(struct arena *a)
{
	struct memories m = store(a, "supersede.db", "ada", "one");
	struct memory in = fact("lives in Rome"), one = add(&m, a, in), two, three, out;
	struct err *e;

	in = fact("lives in Oslo");
	in.supersedes = one.id;
	two = add(&m, a, in);
	is_str(two.supersedes, one.id, "it names what it replaced");
	out = get(&m, a, one.id);
	ok(out.state == MEMORY_SUPERSEDED && str_eq(out.superseded_by, two.id) && out.superseded,
	   "which is marked");
	is_int(marked(&m, a, memory_mark_of_text(MARK_STATE, STR("superseded"))), 1,
	       "and found so");
	in = fact("lives in Bonn");
	in.supersedes = two.id;
	three = add(&m, a, in);
	in = fact("lives in Kiev");
	in.supersedes = one.id;
	e = try_add(&m, a, in);
	fails(e, E_SUPERSEDED, "what is superseded already");
	is_str(val_get_str(val_get(err_envelope(a, e), "details"), "newest"), three.id,
	       "the newest of the chain is named");
	works(memory_delete(&m, a, three.id), "the newest is deleted");
	ok(get(&m, a, two.id).state == MEMORY_CURRENT, "what it replaced holds again");
	works(memory_restore_deleted(&m, a, three.id, &out), "and comes back");
	ok(get(&m, a, two.id).state == MEMORY_SUPERSEDED, "it replaces again");
	is_int(marked(&m, a, memory_mark_of_text(MARK_STATE, STR("superseded"))), 2,
	       "two are superseded");
	in = fact("lives in Bonn");
	in.supersedes = three.id;
	ok(str_eq(add(&m, a, in).id, three.id), "an exact repeat of what it replaces is that one");
	ok(get(&m, a, three.id).state == MEMORY_CURRENT, "which still holds");
	in = fact("happened");
	in.kind = MEMORY_EPISODIC;
	one = add(&m, a, in);
	in = fact("did not happen");
	in.supersedes = one.id;
	fails(try_add(&m, a, in), E_BAD_ARGUMENT, "nothing supersedes what happened");
}

/* ---- deletion ---- */

static void test_delete(struct arena *a)
{
	struct memories m = store(a, "delete.db", "ada", "one");
	struct memory in = fact("caf\xc3\xa9 \xe2\x98\x95"), one, out, again;

	in.importance = 0.1 + 0.2;
	in.confidence = 1.0 / 3;
	in.metadata = STR("{\"a\": 1.50, \"b\": [null, \"\\u0000\"]}");
	in.content = (struct str){"nul \0 in it", 11};
	strs_push(a, &in.tags, STR("t\"1"));
	one = get(&m, a, add(&m, a, in).id);
	works(memory_delete(&m, a, one.id), "deleted");
	fails(memory_get(&m, a, one.id, false, &out), E_NO_SUCH_MEMORY, "gone at once");
	is_int(marked(&m, a, memory_index_mark_of_scope(one.scope)), 0, "from the index too");
	fails(memory_delete(&m, a, one.id), E_NO_SUCH_MEMORY, "not twice");
	works(memory_get(&m, a, one.id, true, &out), "asked as a deleted one");
	ok(out.deleted && str_eq(out.content, one.content), "it is still known");
	works(memory_restore_deleted(&m, a, one.id, &out), "it comes back");
	out = get(&m, a, one.id);
	is_str(out.content, one.content, "content");
	ok(val_eq(val_get(record_val(a, memory_record, &out), "metadata"),
		  val_get(record_val(a, memory_record, &one), "metadata")),
	   "metadata");
	is_str(str_join(a, &out.tags, ","), STR("t\"1"), "tags");
	ok(out.importance == one.importance && out.confidence == one.confidence, "exactly");
	ok(out.created == one.created && out.happened == one.happened && out.scope == one.scope &&
		   out.doc > one.doc,
	   "times and scope, with a new number");
	fails(memory_restore_deleted(&m, a, one.id, &out), E_EXISTS, "not twice");
	is_int(marked(&m, a, memory_index_mark_of_scope(one.scope)), 1, "in the index again");
	works(memory_delete(&m, a, one.id), "deleted again");
	again = fact("nothing");
	again.content = one.content;
	again.kind = one.kind;
	again.type = one.type;
	again = add(&m, a, again);
	fails(memory_restore_deleted(&m, a, one.id, &out), E_EXISTS,
	      "the same was added meanwhile");
	is_str(get(&m, a, again.id).content, one.content, "which stays");
	works(memory_delete(&m, a, again.id), "without it");
	works(memory_restore_deleted(&m, a, one.id, &out), "it comes back");
}

/* ---- scratch and working ---- */

static void test_scratch(struct arena *a)
{
	struct memories m = store(a, "scratch.db", "ada", "one");
	struct memory in = fact("look"), first = {0}, one, out;

	in.kind = MEMORY_SCRATCH;
	one = add(&m, a, in);
	ok(one.confidence == 0.5, "a scratch note is half sure");
	ok(one.expires - one.created > INT64_C(6) * 86400000, "and lives for a week");
	works(memory_set_status(&m, a, one.id, MEMORY_PENDING_REVIEW, &out), "to review");
	works(memory_set_status(&m, a, one.id, MEMORY_ACTIVE, &out), "and back");
	works(memory_set_status(&m, a, one.id, MEMORY_RESOLVED, &out), "resolved");
	is_int(marked(&m, a, memory_mark_of_text(MARK_STATUS, STR("resolved"))), 1, "found so");
	is_int(marked(&m, a, memory_mark_of_text(MARK_STATUS, STR("active"))), 0,
	       "and no more as it was");
	fails(memory_set_status(&m, a, one.id, MEMORY_PENDING_REVIEW, &out), E_BAD_ARGUMENT,
	      "what is resolved needs no review");
	works(memory_set_status(&m, a, one.id, MEMORY_ARCHIVED, &out), "archived");
	fails(memory_set_status(&m, a, one.id, MEMORY_ACTIVE, &out), E_BAD_ARGUMENT, "for good");
	for (int i = 0; i < 100; i++) {
		in.content = str_fmt(a, "note %d", i);
		one = add(&m, a, in);
		first = i ? first : one;
	}
	fails(try_add(&m, a, in), E_TOO_MANY_MEMORIES, "a hundred are enough");
	in.status = MEMORY_RESOLVED;
	works(try_add(&m, a, in), "but what is not active passes");
	in.status = MEMORY_ACTIVE;
	works(memory_set_status(&m, a, one.id, MEMORY_RESOLVED, &out), "one is resolved");
	works(try_add(&m, a, in), "so there is room");
	fails(memory_set_status(&m, a, one.id, MEMORY_ACTIVE, &out), E_TOO_MANY_MEMORIES,
	      "but not to take that back");
	works(memory_set_status(&m, a, first.id, MEMORY_RESOLVED, &out), "another one");
	works(memory_set_status(&m, a, one.id, MEMORY_ACTIVE, &out), "now there is");
	works(memory_delete(&m, a, one.id), "it is deleted");
	works(try_add(&m, a, in), "one takes its place");
	fails(memory_restore_deleted(&m, a, one.id, &out), E_TOO_MANY_MEMORIES,
	      "so it cannot come back");
	works(memory_get(&m, a, one.id, true, &out), "and stays among the deleted");
	ok(out.deleted, "as it was");
	m.who.agent = STR("two");
	works(try_add(&m, a, in), "another agent has its own");
	one = add(&m, a, fact("no note"));
	fails(memory_set_status(&m, a, one.id, MEMORY_RESOLVED, &out), E_BAD_ARGUMENT,
	      "only notes");
}

static struct err *count_one(void *ctx, struct arena *a, const struct memory *one)
{
	(void)a;
	(void)one;
	++*(size_t *)ctx;
	return NULL;
}

static size_t count(struct memories *m, struct memory_filter f)
{
	size_t n = 0;

	works(memory_each(m, &f, count_one, &n), "listed");
	return n;
}

static void test_working(struct arena *a)
{
	struct memories m = store(a, "working.db", "ada", "one");
	struct memory in = fact("step"), first, out;
	struct memory_filter all = {.status = -1, .state = -1};

	in.kind = MEMORY_WORKING;
	for (int i = 0; i < 25; i++) {
		in.content = str_fmt(a, "step %d", i);
		out = add(&m, a, in);
		if (!i)
			first = out;
	}
	is_int(count(&m, all), 20, "twenty steps");
	fails(memory_get(&m, a, first.id, true, &out), E_NO_SUCH_MEMORY, "the oldest gave way");
	setenv("IKM_NOW", "2090-01-01T00:00:00Z", 1);
	all.state = MEMORY_EXPIRED;
	is_int(count(&m, all), 20, "after an hour they are over");
	add(&m, a, fact("later"));
	is_int(count(&m, all), 12, "and go with what is added");
	setenv("IKM_NOW", "2000-01-01T00:00:00Z", 1);
	out = add(&m, a, fact("earlier"));
	unsetenv("IKM_NOW");
	ok(str_cmp(out.id, first.id) > 0, "ids grow though the clock went back");
}

/* ---- listing, turns ---- */

static struct err *take(void *ctx, struct arena *a, const struct memory *one)
{
	struct buf *b = ctx;

	(void)a;
	buf_put(b, one->content);
	buf_putc(b, ' ');
	return NULL;
}

static struct str listed(struct memories *m, struct arena *a, struct memory_filter f)
{
	struct buf b = buf_in(a);

	works(memory_each(m, &f, take, &b), "listed");
	return str_trim(buf_as_str(&b));
}

static void test_each(struct arena *a)
{
	struct memories m = store(a, "each.db", "ada", "one");
	struct memory_filter f = {.status = -1, .state = -1};
	struct memory all[150];

	for (int i = 0; i < 150; i++) {
		struct memory in = fact(str_c(a, str_fmt(a, "%03d", i)));

		in.layer = i % 2 ? MEMORY_AGENT : MEMORY_USER;
		in.kind = i % 3 ? MEMORY_FACT : MEMORY_EPISODIC;
		strs_push(a, &in.tags, i % 5 ? STR("other") : STR("five"));
		if (i % 10 == 0)
			strs_push(a, &in.tags, STR("ten"));
		all[i] = add(&m, a, in);
	}
	is_int(count(&m, f), 150, "all");
	f.limit = 3;
	is_str(listed(&m, a, f), STR("149 148 147"), "newest first");
	f.before = all[147].id;
	is_str(listed(&m, a, f), STR("146 145 144"), "the next page");
	f.layers = 1 << MEMORY_USER;
	is_str(listed(&m, a, f), STR("146 144 142"), "a layer");
	f.kinds = 1 << MEMORY_EPISODIC;
	is_str(listed(&m, a, f), STR("144 138 132"), "a kind");
	f = (struct memory_filter){.status = -1, .state = -1};
	strs_push(a, &f.tags, STR("five"));
	is_int(count(&m, f), 30, "a tag");
	strs_push(a, &f.tags, STR("ten"));
	is_int(count(&m, f), 15, "both tags");
	f.tags = (struct strs){0};
	strs_push(a, &f.tags, STR(","));
	is_int(count(&m, f), 0, "a tag that looks like what is between two");
	f = (struct memory_filter){.status = -1, .state = -1, .deleted = true};
	for (int i = 0; i < 6; i++)
		works(memory_delete(&m, a, all[i].id), "deleted");
	is_str(listed(&m, a, f), STR("005 004 003 002 001 000"), "deleted ones");
	f.kinds = 1 << MEMORY_EPISODIC;
	f.limit = 1;
	is_str(listed(&m, a, f), STR("003"), "of a kind");
	f.before = all[3].id;
	is_str(listed(&m, a, f), STR("000"), "before one");
	m.who.user = STR("bob");
	f.before = STR("");
	is_int(count(&m, f), 0, "another sees nothing");
	f.before = all[9].id;
	fails(memory_each(&m, &f, take, NULL), E_NO_SUCH_MEMORY, "and cannot ask by it");
}

static void test_json(struct arena *a)
{
	struct memories m = store(a, "json.db", "ada", "one");
	struct memory in = fact("a text"), one, out = {0}, copy;
	struct val *v;

	in.expires = INT64_C(4000000000123);
	in.metadata = STR("{\"n\":1.0}");
	one = add(&m, a, in);
	v = record_val(a, memory_record, &one);
	works(memory_from_json(a, v, &out), "what is written is read");
	ok(val_eq(v, record_val(a, memory_record, &out)), "and is the same");
	copy = memory_copy(a, &one);
	ok(val_eq(v, record_val(a, memory_record, &copy)) && copy.content.p != one.content.p,
	   "so is a copy");
	v = val_map(a);
	val_set(a, v, "contnt", val_null(a));
	fails(memory_from_json(a, v, &out), E_UNKNOWN_PARAMETER, "an unknown member");
	v = val_map(a);
	val_set(a, v, "kind", val_str(a, STR("fiction")));
	fails(memory_from_json(a, v, &out), E_NOT_IN_ENUM, "an unknown kind");
	v = val_map(a);
	val_set(a, v, "createdAt", val_str(a, STR("yesterday")));
	fails(memory_from_json(a, v, &out), E_WRONG_TYPE, "no time");
	fails(memory_from_json(a, val_list(a), &out), E_WRONG_TYPE, "no object");
}

static void test_reading(struct arena *a)
{
	struct memories m = store(a, "none.db", "ada", "one");
	struct memory_filter f = {.status = -1, .state = -1};
	struct memory out;
	struct os_stat st;

	is_int(count(&m, f), 0, "nothing");
	fails(memory_get(&m, a, STR("mem_01234567"), true, &out), E_NO_SUCH_MEMORY, "no such");
	fails(memory_get(&m, a, STR("mem_\0abcdef"), true, &out), E_NO_SUCH_MEMORY, "NUL");
	fails(memory_get(&m, a,
			 STR("mem_\xff"
			     "abcdef"),
			 true, &out),
	      E_NO_SUCH_MEMORY, "no UTF-8");
	works(os_stat("none.db", true, &st), "look");
	ok(st.kind == OS_NONE, "reading makes no store");
}

int main(void)
{
	struct arena *a = arena_new();

	dir_fresh(a);
	test_reading(a);
	test_scopes(a);
	test_access(a);
	test_checks(a);
	test_repeats(a);
	test_supersede(a);
	test_delete(a);
	test_scratch(a);
	test_working(a);
	test_each(a);
	test_json(a);
	arena_free(a);
	return tap_done();
}
