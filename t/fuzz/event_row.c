/* Any values in a row of the record: its readers give an event whose JSON can be written, or say
 * that the row is damaged; verify never calls the record whole. */
#include "event/row.h"
#include "event/verify.h"
#include "json/json.h"
#include "os/os.h"
#include <unistd.h>

static struct events ev;

/* The bytes as cells: a length, whose low bits pick the type, and the bytes. */
static struct db_arg row_take(const uint8_t **p, const uint8_t *end)
{
	unsigned head = *p < end ? *(*p)++ : 0;
	size_t n = size_min(head >> 2, (size_t)(end - *p));
	struct str s = {(const char *)*p, n};
	int64_t number = 0;

	*p += n;
	for (size_t i = 0; i < n && i < 8; i++)
		number = (int64_t)((uint64_t)number << 8 | (uint8_t)s.p[i]);
	return head & 2 ? DB_S(n ? s : STR("")) : head & 1 ? DB_I(number) : DB_N;
}

struct row_job {
	struct event_cells c;
	struct arena *a;
};

static struct err *row_read_all(struct row_job *j)
{
	struct db_txn txn DB_TXN = {0};
	const struct event_filter all = {.status = -1, .limit = 10};
	struct db_damaged_rows damaged = {0};
	struct event_step_rows steps;
	struct event_verdict verdict;
	struct event_list list;
	struct val *v;
	struct db_arg args[EVENT_COLUMN_COUNT + 1] = {0};

	TRY(db_begin(&txn, ev.db));
	memcpy(args + 1, j->c.v, sizeof(j->c.v));
	TRY(db_do_args(ev.db, Q_EVENT_APPEND, NULL, args, EVENT_COLUMN_COUNT));
	TRY(event_query(&ev, j->a, &all, &list));
	/* Results print these two as JSON, and abort when they are not. */
	for (size_t i = 0; i < list.n; i++)
		if ((list.p[i].lint.n && json_read(j->a, list.p[i].lint, NULL, &v)) ||
		    (list.p[i].evidence_refs.n &&
		     json_read(j->a, list.p[i].evidence_refs, NULL, &v)))
			BUG("the reader believes what is no JSON");
	if (j->c.v[COL_EVENT].type == DB_TEXT)
		TRY(event_list_steps(&ev, j->a, j->c.v[COL_EVENT].s, &steps));
	TRY(event_find_damaged_rows(ev.db, j->a, &damaged));
	TRY(event_verify(&ev, j->a, NULL, &verdict));
	/* There is no key, so nobody can have made a MAC. */
	if (!verdict.breaks || verdict.completeness == EVENT_COMPLETE)
		BUG("a row without a valid MAC is whole");
	return err_new(E_BAD_ARGUMENT, "roll back");
}

static struct arena *kept;
static char dir[] = "/tmp/ikm-fuzz.XXXXXX";

static void row_close(void)
{
	static const char *const files[] = {"ikm.db", "ikm.db-wal", "ikm.db-shm"};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(os_join(kept, dir, files[i]));
	rmdir(dir);
	arena_free(kept);
}

static void row_open(void)
{
	if (ev.db)
		return;
	kept = arena_new();
	if (!mkdtemp(dir) || atexit(row_close))
		BUG("no folder for the store");
	ev = (struct events){.db = db_new(kept, str_fmt(kept, "%s/ikm.db", dir).p),
			     .user = STR("u"),
			     .agent = STR("a"),
			     .tool = STR("t")};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	struct row_job j = {.a = arena_new()};
	struct err *rolled_back;

	row_open();
	for (size_t i = 0; i < EVENT_COLUMN_COUNT; i++)
		j.c.v[i] = row_take(&data, end);
	/* The table refuses these; the rest is as hostile as the bytes. */
	if (j.c.v[COL_SEQ].type != DB_INT || j.c.v[COL_SEQ].i < 1)
		j.c.v[COL_SEQ] = DB_I(1);
	if (j.c.v[COL_NUMBER].type != DB_INT)
		j.c.v[COL_NUMBER] = DB_I(0);
	j.c.v[COL_STEP] = DB_S(str_of(event_steps[size % (EVENT_STEP_CHECKPOINT + 1)]));
	rolled_back = row_read_all(&j);
	(void)rolled_back;
	arena_free(j.a);
	return 0;
}
