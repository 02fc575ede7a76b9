/* Events: recorded before and after, queried, and undone while their contents are kept. */
#include "crypt/crypt.h"
#include "event/event.h"
#include "event/ulid.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"

static struct arena *a;
static struct events ev;

static void at(const char *now)
{
	setenv("IKM_NOW", now, 1);
}

static struct str change(const char *path, const char *op, const char *before, const char *after)
{
	struct event e = {.entity = STR("file"), .op = str_of(op), .path = str_of(path)};
	struct str id = STR(""), former = {0};

	if (before) {
		former = str_of(before);
		e.before = crypt_content_hash(a, former);
	}
	if (after)
		e.after = crypt_content_hash(a, str_of(after));
	works(event_begin(&ev, a, &e, former, &id), "begin");
	return id;
}

static bool kept(const char *content)
{
	struct str s;

	return !event_kept_content_by_hash(&ev, a, crypt_content_hash(a, str_of(content)), &s) &&
	       str_is(s, content);
}

static void ulids(void)
{
	struct str one = ulid_new(a, 1469918176385, STR("")), last = one, next;
	bool grow = true, valid = true;

	is_str(str_sub(one, 0, 10), STR("01ARYZ6S41"), "the time of the specification's example");
	is_int((long long)one.n, 26, "26 digits");
	for (int i = 0; i < 2000; i++) {
		next = ulid_new(a, 1469918176385 - i % 7, last);
		grow = grow && str_cmp(next, last) > 0;
		valid = valid && next.n == 26;
		last = next;
	}
	ok(grow && valid, "they grow within a millisecond and when the clock goes back");
	is_str(str_sub(ulid_new(a, 1469918176386, last), 0, 10), STR("01ARYZ6S42"),
	       "and take the time when it goes on");
	is_str(ulid_new(a, 1469918176385, STR("01ARYZ6S41ZZZZZZZZZZZZZZZZ")),
	       STR("01ARYZ6S420000000000000000"), "all bits full: the time carries");
	is_str(ulid_new(a, 1, STR("01ARYZ6S410000000000000001")), STR("01ARYZ6S410000000000000002"),
	       "one more");
	is_int((long long)ulid_new(a, 1, STR("no ulid")).n, 26, "what is none is as nothing");
}

static void life(void)
{
	struct event_filter all = {.status = -1, .limit = 100};
	struct event_list list;
	struct event e;
	struct str id, other;

	works(event_query(&ev, a, &all, &list), "no store has no events");
	is_int((long long)list.n, 0, "none");
	at("2026-01-01T00:00:00Z");
	id = change("/r/a", "write", "old", "new");
	works(event_get(&ev, a, id, &e), "get");
	is_int(e.status, EVENT_PENDING, "before the outcome it is pending");
	ok(e.kept && kept("old"), "and the former content is there");
	is_str(e.user, STR("ada"), "who");
	is_str(e.agent, STR("default"), "for whom");
	is_str(e.session, STR("s1"), "in what session");
	is_str(e.tool, STR("file_write"), "by what");
	is_str(e.entity, STR("file"), "to what");
	is_str(e.path, STR("/r/a"), "where");
	is_str(e.before, crypt_content_hash(a, STR("old")), "from what");
	is_int(e.time, 1767225600000, "when");
	works(event_end(&ev, id, NULL), "end");
	works(event_end(&ev, id, "too late"), "a second outcome");
	works(event_get(&ev, a, id, &e), "get");
	ok(e.status == EVENT_COMMITTED && !e.error.n, "changes nothing");
	other = change("/r/b", "write", NULL, "b");
	works(event_end(&ev, other, "disk full"), "a failure");
	works(event_get(&ev, a, str_lower(a, other), &e), "get by lower case");
	is_int(e.status, EVENT_FAILED, "failed");
	is_str(e.error, STR("disk full"), "says why");
	ok(!e.before.n && !e.kept, "there was nothing to keep");
	fails(event_get(&ev, a, str_sub(id, 0, 10), &e), E_NOT_UNIQUE, "a beginning of two");
	fails(event_get(&ev, a, STR("01"), &e), E_NOT_UNIQUE, "a short one");
	fails(event_get(&ev, a, STR("%"), &e), E_NO_SUCH_EVENT, "no pattern");
	fails(event_get(&ev, a, STR(""), &e), E_NO_SUCH_EVENT, "nothing");
	fails(event_get(&ev, a, STR("0\0"), &e), E_NO_SUCH_EVENT, "NUL");
	fails(event_get(&ev, a, STR("\xff"), &e), E_NO_SUCH_EVENT, "no UTF-8");
	fails(event_kept_content_by_hash(&ev, a, STR("sha256:00"), &other), E_NO_FORMER,
	      "what was never kept");
}

static size_t asked(struct event_filter f, const char *first, const char *what)
{
	struct event_list list = {0};

	f.limit = f.limit ? f.limit : 100;
	works(event_query(&ev, a, &f, &list), what);
	is_str(list.n ? list.p[0].path : STR(""), str_of(first), what);
	return list.n;
}

static void filters(void)
{
	struct event_filter any = {.status = -1}, f;
	struct event_list page;
	struct str id, undo;

	at("2026-01-02T00:00:00Z");
	ev.agent = STR("other");
	ev.tool = STR("file_edit");
	change("/r/sub/c", "edit", "c1", "c2");
	id = change("/r/subject", "remove", "x", NULL);
	is_int((long long)asked(any, "/r/subject", "newest first"), 4, "all");
	f = (struct event_filter){.status = -1, .path = STR("/r/sub")};
	is_int((long long)asked(f, "/r/sub/c", "a folder"), 1, "not what begins like it");
	f.path = STR("/r/subject");
	is_int((long long)asked(f, "/r/subject", "a file"), 1, "one");
	f = (struct event_filter){.status = -1, .op = STR("edit"), .agent = STR("other")};
	is_int((long long)asked(f, "/r/sub/c", "by op and agent"), 1, "one");
	f = (struct event_filter){.status = EVENT_PENDING};
	is_int((long long)asked(f, "/r/subject", "pending"), 2, "two");
	f = (struct event_filter){.status = EVENT_FAILED, .text = STR("DISK")};
	is_int((long long)asked(f, "/r/b", "text of the error"), 1, "one");
	f = (struct event_filter){.status = -1, .text = STR("%")};
	is_int((long long)asked(f, "", "text is no pattern"), 0, "none");
	f = (struct event_filter){.status = -1, .until = 1767312000000};
	is_int((long long)asked(f, "/r/b", "until, without"), 2, "two");
	f = (struct event_filter){.status = -1,
				  .since = 1767312000000,
				  .tool = STR("file_edit"),
				  .user = STR("ada"),
				  .session = STR("s1")};
	is_int((long long)asked(f, "/r/subject", "since, with"), 2, "two");
	any.limit = 3;
	works(event_query(&ev, a, &any, &page), "a page");
	is_int((long long)page.n, 3, "of three");
	any.before_id = page.p[2].id;
	is_int((long long)asked(any, "/r/a", "the next page"), 1, "has the rest");
	any.before_id = STR("01ARYZ6S410000000000000002");
	fails(event_query(&ev, a, &any, &page), E_NO_SUCH_EVENT, "a page before what is not there");
	works(event_undone_by(&ev, a, id, &undo), "was it put back?");
	is_int((long long)undo.n, 0, "no");
	{
		struct event e = {.entity = STR("file"),
				  .op = STR("undo"),
				  .path = STR("/r/subject"),
				  .undoes = id};
		struct str by;

		works(event_begin(&ev, a, &e, (struct str){0}, &by), "undo");
		works(event_undone_by(&ev, a, id, &undo), "now?");
		is_str(undo, by, "by this one");
		works(event_end(&ev, by, "no"), "which fails");
		works(event_undone_by(&ev, a, id, &undo), "then?");
		is_int((long long)undo.n, 0, "nothing did");
	}
}

static void bounds(void)
{
	struct event e;
	struct str id;

	ev.keep_bytes = 10;
	at("2026-01-03T00:00:00Z");
	change("/r/a", "write", "aaaa", "b");
	at("2026-01-03T00:00:01Z");
	change("/r/a", "write", "bbbb", "c");
	ok(kept("aaaa") && kept("bbbb") && !kept("old"), "what is too much goes, the oldest first");
	at("2026-01-03T00:00:02Z");
	change("/r/a", "write", "aaaa", "d");
	at("2026-01-03T00:00:03Z");
	change("/r/a", "write", "cccc", "d");
	ok(kept("aaaa") && kept("cccc") && !kept("bbbb"), "kept again is kept anew");
	id = change("/r/a", "write", "larger than ten", "d");
	works(event_get(&ev, a, id, &e), "one that is larger than all");
	ok(!e.kept && kept("aaaa") && kept("cccc"), "is not kept, and pushes nothing out");
	at("2026-02-02T00:00:02.500Z");
	change("/r/b", "write", NULL, "d");
	ok(kept("aaaa"), "what is too old is kept for a day more");
	at("2026-02-03T00:00:02.500Z");
	change("/r/b", "write", NULL, "d");
	ok(!kept("aaaa") && kept("cccc"), "what is too old goes");
	change("/r/b", "write", "", "d");
	ok(kept(""), "an empty content is a content");
}

/* Steps, annotations and refusals, without a key. */
static void steps(void)
{
	const struct event_outcome written = {.status = EVENT_WRITTEN, .after = STR("sha256:77")};
	const struct event_outcome committed = {.status = EVENT_COMMITTED, .commit = STR("abc")};
	const struct event said = {.rationale = STR("why"), .evidence_refs = STR("[\"ev:1\"]")};
	struct event e = {.entity = STR("part"), .entity_id = STR("p1"), .op = STR("append_item")};
	struct event_step_rows rows;
	struct str id = change("/steps/a", "edit", "x", "y"), refused = STR(""), found;
	struct event_list open;
	struct event got;

	works(event_unsettled(&ev, a, STR("/steps"), &open), "unsettled");
	is_int((long long)open.n, 1, "a pending event is unsettled");
	works(event_append_step(&ev, id, &written), "written");
	works(event_append_step(&ev, id, &written), "twice");
	works(event_get(&ev, a, id, &got), "get");
	ok(got.status == EVENT_WRITTEN && event_is_done(&got), "written is done");
	is_str(got.after, STR("sha256:77"), "with the hash that the step gave");
	works(event_unsettled(&ev, a, STR("/steps/"), &open), "unsettled");
	is_int((long long)open.n, 1, "a written event is unsettled too");
	works(event_append_step(&ev, id, &committed), "committed");
	works(event_end(&ev, id, "too late"), "a second outcome");
	works(event_annotate(&ev, id, &said), "annotate");
	works(event_unsettled(&ev, a, STR("/steps"), &open), "unsettled");
	is_int((long long)open.n, 0, "a committed one is not");
	works(event_list_steps(&ev, a, id, &rows), "history");
	is_int((long long)rows.n, 4, "each step is a row, and what changes nothing is none");
	works(event_get(&ev, a, id, &got), "get");
	is_str(got.rationale, STR("why"), "the annotation's rationale");
	is_str(got.commit, STR("abc"), "the commit");
	ok(!got.chain.n && !got.key_version, "no key, no MAC");
	works(event_find_recent_write(&ev, a, STR("/steps/a"), STR("sha256:77"), &found), "find");
	is_str(found, id, "the write is found by path and hash");
	e.path = STR("/steps/b");
	works(event_refused(&ev, a, &e, err_new(E_BREAKS_RULE, "no"), &refused), "refused");
	works(event_get(&ev, a, refused, &got), "get");
	ok(got.type == EVENT_AUDIT && got.status == EVENT_FAILED, "an audit row that failed");
	is_str(got.error, STR("BREAKS_RULE: no"), "with the reason");
	fails(event_append_step(&ev, STR("01ARZ3NDEKTSV4RRFFQ69G5FAV"), &committed),
	      E_NO_SUCH_EVENT, "a step of no event");
	ev.keyed = true;
	fails(event_begin(&ev, a, &e, (struct str){0}, &id), E_NOT_CONFIGURED, "no key");
	ev.keyed = false;
	refused = STR("");
	setenv("IKM_FAULT", "1", 1);
	fails(event_refused(&ev, a, &e, err_new(E_BREAKS_RULE, "no"), &refused), E_IO_ERROR,
	      "the commit fails");
	unsetenv("IKM_FAULT");
	ok(!refused.n, "no id of an event that is not stored");
}

int main(void)
{
	const char *dir;

	a = arena_new();
	dir = dir_fresh(a);
	ev = (struct events){
		.db = db_new(a, os_join(a, dir, "home/ikm.db")),
		.user = STR("ada"),
		.agent = STR("default"),
		.session = STR("s1"),
		.tool = STR("file_write"),
		.keep_ms = (int64_t)30 * 24 * 3600 * 1000,
		.keep_bytes = 1 << 20,
	};
	ulids();
	life();
	filters();
	bounds();
	steps();
	arena_free(a);
	return tap_done();
}
