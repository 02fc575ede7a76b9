/* The policies of a change: when each function is asked, and what its answer does. */
#include "tap.h"
#include "dir.h"
#include "file_changes.h"

struct watch {
	struct arena *a;
	struct str refuse; /* the content that the policy refuses */
	struct str before, after;
	unsigned kept;
	size_t judged;
	bool asset, named, dry;
};

static struct err *watch_judge(void *ctx, struct arena *a, const struct file_proposal *p, size_t n,
			       bool dry, struct strs *warnings)
{
	const char *const argv[] = {"true", NULL};
	const struct os_spawn child = {.argv = argv};
	struct watch *w = ctx;
	struct os_result r;

	w->judged = n;
	w->dry = dry;
	w->asset = p->asset;
	w->named = p->named.n > 0;
	for (size_t i = 0; i < n; i++)
		if (str_eq(p[i].after, w->refuse))
			return err_new(E_NOT_ALLOWED, "refused");
	strs_push(a, warnings, str_fmt(a, "judged %zu", n));
	return os_run(a, &child, &r);
}

static struct err *watch_keep(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct watch *w = ctx;

	(void)a;
	w->before = p->before.p ? str_dup(w->a, p->before) : p->before;
	w->after = str_dup(w->a, p->after);
	return w->kept++ ? err_new(E_IO_ERROR, "no room") : NULL;
}

static void policy(struct files *f, const char *path)
{
	struct watch watch = {.a = f->a, .refuse = STR("bad")};
	const struct file_policy p = {.judge = watch_judge, .keep = watch_keep, .ctx = &watch};
	const struct file_write w = {.op = "write"};
	struct files judged = *f;
	struct file_done done;

	judged.policy = &p;
	works(change(&judged, path, &w, STR("good"), &done), "what is allowed");
	is_int(watch.kept, 1, "is kept");
	ok(watch.asset == str_starts(str_of(path), STR(ASSET_SCHEME)),
	   "told whether it is an asset");
	ok(watch.named == !watch.asset, "and for a file by which name it was asked");
	is_str(done.warnings.p[0], STR("judged 1"), "a warning of the judge, which may run git");
	ok(!watch.before.p, "there was nothing");
	is_str(watch.after, STR("good"), "and this is there now");
	fails(change(&judged, path, &w, STR("bad"), &done), E_NOT_ALLOWED, "what is not");
	is_str(now(f, path), STR("good"), "is not written");
	is_int(watch.kept, 1, "and not kept");
	works(change(&judged, path, &w, STR("good"), &done), "the same");
	is_int(watch.kept, 1, "is no change to judge");
	works(change(&judged, path, &w, STR("better"), &done), "what cannot be kept");
	is_str(watch.before, STR("good"), "is told with what was before");
	is_int(done.warnings.n, 2, "is written with a warning");
	works(change(f, path, &w, (struct str){0}, &done), "removed");
}

/* Writes down the order of the calls, and what each sees. */
struct steps {
	struct files *f;
	struct buf said;
	struct events *log; /* the log that record() names; NULL: none */
	bool refuse_save;
};

static struct err *steps_enter(void *ctx, struct arena *a, const struct files *f,
			       struct file_item *items, size_t n, bool dry)
{
	struct steps *s = ctx;

	(void)a;
	(void)f;
	buf_fmt(&s->said, "enter %.*s %zu%s", STR_ARG(items->ref.path), n, dry ? " dry" : "");
	return NULL;
}

static struct err *steps_complete(void *ctx, struct arena *a, struct file_proposal *p)
{
	struct steps *s = ctx;

	buf_fmt(&s->said, ", complete %.*s", STR_ARG(p->after));
	p->after = str_fmt(a, "%.*s!", STR_ARG(p->after));
	return NULL;
}

static struct err *steps_judge(void *ctx, struct arena *a, const struct file_proposal *p, size_t n,
			       bool dry, struct strs *warnings)
{
	struct steps *s = ctx;

	(void)a;
	(void)n;
	(void)warnings;
	buf_fmt(&s->said, ", judge %.*s%s", STR_ARG(p->after), dry ? " dry" : "");
	return NULL;
}

static struct err *steps_record(void *ctx, struct arena *a, const struct file_proposal *p,
				struct event *e, struct events **log)
{
	struct steps *s = ctx;

	(void)a;
	(void)p;
	e->entity = STR("part");
	*log = s->log;
	buf_puts(&s->said, ", record");
	return NULL;
}

static struct err *steps_save(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct steps *s = ctx;
	struct event e;

	buf_puts(&s->said, ", save");
	if (s->log) {
		TRY(event_get(s->log, a, p->event, &e));
		buf_fmt(&s->said, " %s %.*s", event_statuses[e.status], STR_ARG(e.entity));
	}
	return s->refuse_save ? err_new(E_NO_SPACE, "no room for a copy") : NULL;
}

static struct err *steps_keep(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct steps *s = ctx;

	(void)a;
	buf_fmt(&s->said, ", keep %.*s", STR_ARG(now(s->f, "f")));
	p->done->commit = STR("c0ffee");
	return s->log ? event_end(s->log, p->event, NULL) : NULL;
}

static struct str steps_said(struct steps *s)
{
	struct str said = str_dup(s->f->a, buf_as_str(&s->said));

	s->said = buf_in(s->f->a);
	return said;
}

static void policy_steps(struct files *f)
{
	struct events log = {.db = f->assets->db,
			     .user = STR_INIT("ada"),
			     .agent = STR_INIT("a"),
			     .tool = STR_INIT("file_write"),
			     .keep_ms = DAY_MS,
			     .keep_bytes = 1000};
	struct steps s = {.f = f, .said = buf_in(f->a), .log = &log};
	const struct file_policy all = {.enter = steps_enter,
					.complete = steps_complete,
					.judge = steps_judge,
					.record = steps_record,
					.save = steps_save,
					.keep = steps_keep,
					.ctx = &s};
	struct watch watch = {.a = f->a, .refuse = STR_INIT("bad!")};
	struct file_policy first = {.judge = watch_judge, .ctx = &watch, .next = &all};
	const struct file_write w = {.op = "write"};
	struct files judged = *f;
	struct file_proposals proposed = {0};
	struct file_done done;
	struct event e;

	judged.policy = &first;
	works(change(&judged, "f", &w, STR("one"), &done), "two policies");
	is_str(steps_said(&s),
	       STR("enter f 1, complete one, judge one!, record, save pending part, keep one!"),
	       "are asked in order, around a durable event");
	is_int(watch.judged, 1, "both judge");
	is_str(done.commit, STR("c0ffee"), "keep adds to the answer");
	works(event_get(&log, f->a, done.event, &e), "the log that the policy names");
	ok(e.status == EVENT_COMMITTED, "has the event, which keep ends");
	fails(change(&judged, "f", &w, STR("bad"), &done), E_NOT_ALLOWED, "the first to refuse");
	is_str(steps_said(&s), STR("enter f 1, complete bad"), "ends the change");

	s.refuse_save = true;
	fails(change(&judged, "f", &w, STR("two"), &done), E_NO_SPACE, "what cannot be saved");
	is_str(now(f, "f"), STR("one!"), "is not written");
	works(event_get(&log, f->a, done.event, &e), "its event");
	ok(e.status == EVENT_FAILED, "has failed");
	s.refuse_save = false;
	steps_said(&s);

	judged.proposed = &proposed;
	works(change(&judged, "f", &w, STR("two"), &done), "a proposal");
	is_str(steps_said(&s), STR("enter f 1 dry, complete two, judge two! dry"), "is judged");
	ok(watch.dry, "as a proposal");
	is_str(now(f, "f"), STR("one!"), "and changes nothing");
	ok(proposed.n == 1 && done.changed && !done.event.n, "it is one change without an event");
	is_str(proposed.p[0].before, STR("one!"), "from what is there");
	is_str(proposed.p[0].after, STR("two!"), "to the completed content");
	is_str(proposed.p[0].after_hash, done.hash, "with its hash");
	works(change(f, "f", &w, (struct str){0}, &done), "removed");
}

int main(void)
{
	struct arena *a = arena_new();
	struct assets s = {
		.agent = STR_INIT("default"), .budget = 1000, .keep_versions = 10, .keep_days = 10};
	struct files f = {.a = a, .assets = &s};
	const char *dir = dir_fresh(a);

	s.db = db_new(a, os_join(a, dir, "ikm.db"));
	policy(&f, "f");
	policy(&f, "ikigai:///t/f");
	policy_steps(&f);
	arena_free(a);
	return tap_done();
}
