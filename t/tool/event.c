/*
 * event STORE COMMAND …: lib/store/event for shell tests, as a garden write uses it.
 *   init                      makes the keys; prints what was made, and the rows that are covered
 *   write PATH FILE [STEPS]   an event of a part that needs a key; STEPS: w written, c committed,
 *                             f failed (default wc); prints its id
 *   many PATH FILE N          N such events in one transaction
 *   hmac FILE                 prints an HMAC of the bytes, under a key of zeros
 *   refuse PATH               an audit row
 *   unsettled PATH            prints id and status of each
 *   canonical FILE            prints the canonical content
 *   replay KEY PATH FILE      writes the content into PATH as one idempotent call, waits PAUSE ms
 *                             in the middle, dies there when DIE is set; prints what happened
 */
#include "base/base.h"
#include "event/event.h"
#include "event/keys.h"
#include "event/idempotency.h"
#include "os/os.h"
#include <unistd.h>

static struct arena *a;
static struct events ev;

static void must(struct err *e)
{
	if (!e)
		return;
	printf("%s %s: %s\n", err_code_name(err_code(e)), err_reason_name(err_reason(e)),
	       err_message(e));
	exit(1);
}

static struct str content(const char *path)
{
	struct str s;

	must(os_read_path(a, path, 1 << 20, &s));
	return s;
}

static void print(struct str s)
{
	printf("%.*s\n", STR_ARG(s));
}

static void init(void)
{
	struct event_keys_made made;

	must(event_keys_create(&ev, a, &made));
	printf("key %jd, made %.*s, chain %s, covered %jd\n", (intmax_t)made.key_version,
	       STR_ARG(str_join(a, &made.made, " ")), made.chain_started ? "started" : "there",
	       (intmax_t)made.covered);
}

static struct event part(const char *path, struct str text)
{
	struct event e = {
		.entity = STR("part"),
		.entity_id = STR("p1"),
		.type = EVENT_PROFILE_UPDATE,
		.op = STR("replace_section"),
		.section_anchor = STR("concerns v1"),
		.path = str_of(path),
		.rationale = STR("a reason"),
		.change = STR("-old\n+new\n"),
		.content = text,
	};

	if (text.p)
		e.after = crypt_content_hash(a, text);
	return e;
}

static void steps(struct str id, const char *how)
{
	for (; *how; how++) {
		struct event_outcome o = {
			.status = *how == 'w'   ? EVENT_WRITTEN
				  : *how == 'c' ? EVENT_COMMITTED
						: EVENT_FAILED,
			.error = *how == 'f' ? STR("no room") : STR(""),
			.commit = *how == 'c' ? STR("0123456789abcdef0123456789abcdef01234567")
					      : STR(""),
		};

		must(event_append_step(&ev, id, &o));
	}
}

static void record(const char *path, const char *file, const char *how)
{
	struct event e = part(path, content(file));
	struct str id;

	must(event_begin(&ev, a, &e, (struct str){0}, &id));
	steps(id, how ? how : "wc");
	print(id);
}

static void refuse(const char *path)
{
	struct event e = part(path, STR("text"));
	struct str id;

	must(event_refused(&ev, a, &e, err_new(E_BREAKS_RULE, "an anchor was removed"), &id));
	print(id);
}

static void unsettled(const char *path)
{
	struct event_list list;

	must(event_unsettled(&ev, a, str_of(path), &list));
	for (size_t i = 0; i < list.n; i++)
		printf("%.*s %s\n", STR_ARG(list.p[i].id), event_statuses[list.p[i].status]);
}

/* In one transaction, since each write alone waits for the disk. */
static struct err *record_many(char **args)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, ev.db));
	for (unsigned long n = strtoul(args[2], NULL, 10); n; n--) {
		struct event e = part(args[0], content(args[1]));
		struct str id;

		TRY(event_begin(&ev, a, &e, (struct str){0}, &id));
		steps(id, "wc");
	}
	return db_commit(&txn);
}

static void hmac(const char *file)
{
	unsigned char key[HMAC_BYTES] = {0}, mac[HMAC_BYTES];
	struct str bytes;
	struct hmac h;

	must(os_read_path(a, file, 1 << 30, &bytes));
	hmac_init(&h, key);
	hmac_add(&h, bytes);
	hmac_end(&h, mac);
	print(hmac_to_text(a, mac));
}

/* ---- one idempotent write ---- */

static struct err *holds(void *ctx, struct arena *b, const struct event *e, bool *out)
{
	(void)ctx;
	*out = str_eq(crypt_content_hash(b, content(str_c(b, e->path))), e->after);
	return NULL;
}

static struct err *settle(void *ctx, struct arena *b, const struct event *e)
{
	bool done;

	puts("settled");
	TRY(holds(ctx, b, e, &done));
	return event_settle(&ev, e->id, done);
}

static void replay(const char *key, const char *path, const char *file)
{
	struct event_replay_ask ask = {.entity = str_of(path), .holds = holds, .settle = settle};
	struct event_replay r;
	const char *pause = os_env("PAUSE");
	struct event e;
	struct str id;

	ask.payload = content(file);
	e = part(path, ask.payload);
	ev.ids.idempotency_key = str_of(key);
	must(event_idempotent_begin(&ev, a, &ask, &r));
	if (r.replayed) {
		printf("replayed %.*s %.*s\n", STR_ARG(r.e.id), STR_ARG(r.result));
		must(event_idempotent_end(&ev, &r, STR("")));
		return;
	}
	must(event_begin(&ev, a, &e, (struct str){0}, &id));
	if (pause)
		os_sleep((unsigned)strtoul(pause, NULL, 10));
	must(os_write(path, ask.payload, 0));
	if (os_env("DIE"))
		_exit(9);
	if (os_env("FAIL")) {
		must(event_end(&ev, id, "no room"));
		must(event_idempotent_end(&ev, &r, STR("")));
		puts("failed");
		return;
	}
	must(event_end(&ev, id, NULL));
	must(event_idempotent_end(&ev, &r, STR("{\"done\":true}")));
	printf("done %.*s\n", STR_ARG(id));
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "", *one = argc > 3 ? argv[3] : NULL;
	const char *two = argc > 4 ? argv[4] : NULL, *three = argc > 5 ? argv[5] : NULL;

	a = arena_new();
	ev = (struct events){.db = db_new(a, argc > 1 ? argv[1] : NULL),
			     .user = STR("ada"),
			     .agent = STR("bot"),
			     .tool = STR("md_patch"),
			     .keyed = true};
	if (!strcmp(what, "init"))
		init();
	else if (!strcmp(what, "write") && two)
		record(one, two, three);
	else if (!strcmp(what, "many") && three)
		must(record_many(argv + 3));
	else if (!strcmp(what, "hmac") && one)
		hmac(one);
	else if (!strcmp(what, "refuse") && one)
		refuse(one);
	else if (!strcmp(what, "unsettled") && one)
		unsettled(one);
	else if (!strcmp(what, "canonical") && one)
		printf("%.*s", STR_ARG(event_content_canonical(a, content(one))));
	else if (!strcmp(what, "replay") && three)
		replay(one, two, three);
	else
		return 2;
	arena_free(a);
	return 0;
}
