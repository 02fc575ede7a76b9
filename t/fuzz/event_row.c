/* Any values in a row of the record, also below a MAC that fits, and in the mark of its end: the
 * readers give an event whose JSON can be written, or say that the row is damaged; verify never
 * calls a record whole that has a row without a valid MAC. */
#include "event/checkpoint.h"
#include "event/keys.h"
#include "event/row.h"
#include "event/verify.h"
#include "json/json.h"
#include "os/os.h"
#include <sys/stat.h>
#include <unistd.h>

/* Keys and the mark of a beginning are beside the store, or one of them, or none. */
enum { NO_KEY, BEGUN, NO_ROWS, NO_MARK, RECORDS };
static struct events records[RECORDS];
static struct event_key keys[2];

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
	struct events *log;
	unsigned how, end; /* bits: how the row, and the mark of the end, are written */
};
/* The lowest two bits of `how` choose the record, the highest two how many rows are missing. */
#define HOW_MAC    4u
#define HOW_KEY    8u
#define HOW_NEXT   16u
#define HOW_LINK   32u
#define END_SEQ    1u
#define END_CHAIN  2u
#define END_KEY    4u
#define END_ANY    7u
#define END_MAC    8u  /* that does not fit */
#define END_TURN   16u /* the text of a rotation */
#define END_BEGIN  32u /* a checkpoint over the rows before */
#define END_SIGNED 64u
#define END_OTHER  128u

static struct err *row_insert_raw(const struct row_job *j)
{
	struct db_arg args[EVENT_COLUMN_COUNT + 1] = {0};

	memcpy(args + 1, j->c.v, sizeof(j->c.v));
	return db_do_args(j->log->db, Q_EVENT_APPEND, NULL, args, EVENT_COLUMN_COUNT);
}

static struct err *row_insert_with_mac(struct row_job *j)
{
	struct event_tail tail;
	struct str prev;
	int64_t seq;

	TRY(event_chain_last_mac_read(j->log->db, j->a, &tail));
	prev = j->how & HOW_LINK ? STR("x") : tail.chain;
	seq = tail.seq + 1 + (j->how >> 6);
	if (j->end & END_TURN)
		j->c.v[COL_CHANGE] = DB_S(
			event_rotation_text(j->a, 1, &keys[1], (j->how & HOW_KEY) != 0, prev, seq));
	return event_row_put(j->log, j->a, &j->c, &keys[(j->how & HOW_KEY) != 0],
			     &keys[(j->how & HOW_NEXT) != 0], prev, seq);
}

static struct err *row_mark_end(const struct row_job *j)
{
	struct event_head head;
	struct str mac;

	TRY(event_head_read(j->log->db, j->a, &head));
	head.seq += (j->end & END_SEQ) != 0;
	head.chain = j->end & END_CHAIN ? STR("x") : head.chain;
	head.key_version += (j->end & END_KEY) != 0;
	mac = event_head_expected_mac(&keys[head.key_version > 1], j->a, &head);
	return db_do(j->log->db, Q_EVENT_HEAD_PUT, NULL, DB_I(head.seq), DB_S(head.chain),
		     DB_I(head.key_version), DB_S(j->end & END_MAC ? STR("x") : mac));
}

static struct err *row_verify(const struct row_job *j)
{
	struct event_checkpoint signed_end = {.seq = 1 + (j->how >> 6), .chain = STR("x")};
	struct event_verdict verdict;

	TRY(event_machine_id(j->log, j->a, &signed_end.machine));
	if (j->end & END_OTHER)
		signed_end.machine = STR("other");
	TRY(event_verify(j->log, j->a, j->end & END_SIGNED ? &signed_end : NULL, &verdict));
	/* A person with the key can do anything. */
	if (!(j->how & HOW_MAC) && (!(j->end & END_ANY) || j->end & END_MAC) && !verdict.breaks)
		BUG("a row without a valid MAC is whole");
	if (j->log == &records[NO_KEY] && verdict.completeness == EVENT_COMPLETE)
		BUG("a record without a key is complete");
	return NULL;
}

static struct err *row_read_all(struct row_job *j)
{
	struct db_txn txn DB_TXN = {0};
	const struct event_filter all = {.status = -1, .limit = 10};
	struct db_damaged_rows damaged = {0};
	struct event_step_rows steps;
	struct event_list list;
	struct val *v;
	int64_t covered;

	TRY(db_begin(&txn, j->log->db));
	if (!(j->how & HOW_MAC))
		TRY(row_insert_raw(j));
	if (j->end & END_BEGIN)
		TRY(event_chain_create(j->log, j->a, &keys[0], &covered));
	if (j->how & HOW_MAC)
		TRY(row_insert_with_mac(j));
	if (j->end & (END_ANY | END_MAC))
		TRY(row_mark_end(j));
	TRY(event_query(j->log, j->a, &all, &list));
	/* Results print these two as JSON, and abort when they are not. */
	for (size_t i = 0; i < list.n; i++)
		if ((list.p[i].lint.n && json_read(j->a, list.p[i].lint, NULL, &v)) ||
		    (list.p[i].evidence_refs.n &&
		     json_read(j->a, list.p[i].evidence_refs, NULL, &v)))
			BUG("the reader believes what is no JSON");
	if (j->c.v[COL_EVENT].type == DB_TEXT)
		TRY(event_list_steps(j->log, j->a, j->c.v[COL_EVENT].s, &steps));
	TRY(event_find_damaged_rows(j->log->db, j->a, &damaged));
	TRY(row_verify(j));
	return err_new(E_BAD_ARGUMENT, "roll back");
}

static struct arena *kept;
static char dir[] = "/tmp/ikm-fuzz.XXXXXX";

static void row_close(void)
{
	const char *argv[] = {"rm", "-rf", dir, NULL};
	struct os_spawn rm = {.argv = argv};
	struct os_result r;

	if (os_run(kept, &rm, &r))
		fprintf(stderr, "cannot remove %s\n", dir);
	arena_free(kept);
}

static struct events row_store(const char *folder, const char *name)
{
	const char *path = os_join(kept, dir, folder);

	if (mkdir(path, 0700) && access(path, X_OK))
		BUG("no folder for a store");
	return (struct events){.db = db_new(kept, os_join(kept, path, name)),
			       .user = STR("u"),
			       .agent = STR("a"),
			       .tool = STR("t")};
}

/* A key is the same in each run. */
static void row_key(const char *folder, char version)
{
	const char *keys_folder = os_join(kept, os_join(kept, dir, folder), "keys");
	const char *path = str_fmt(kept, "%s/event-%c.key", keys_folder, version).p;
	struct str key = str_fmt(kept, "%c%063d\n", version, 7);

	if ((mkdir(keys_folder, 0700) && access(keys_folder, X_OK)) || os_write(path, key, 0) ||
	    chmod(path, 0600))
		BUG("no key");
}

static void row_open(void)
{
	struct events begun;
	struct event_keys_made made;
	struct err *e;

	if (kept)
		return;
	kept = arena_new();
	if (!mkdtemp(dir) || atexit(row_close))
		BUG("no folder for the stores");
	records[NO_KEY] = row_store("none", "ikm.db");
	records[BEGUN] = row_store("keyed", "ikm.db");
	records[NO_ROWS] = row_store("keyed", "other.db");
	records[NO_MARK] = row_store("unmarked", "ikm.db");
	begun = row_store("unmarked", "begun.db");
	row_key("keyed", '1');
	row_key("unmarked", '1');
	e = event_keys_create(&begun, kept, &made);
	if (!e && unlink(os_join(kept, made.folder, BEGUN_FILE)))
		BUG("no mark of the beginning");
	e = e ? e : event_keys_create(&records[BEGUN], kept, &made);
	/* The chain begins under the newest key. */
	row_key("keyed", '2');
	row_key("unmarked", '2');
	for (size_t i = 0; !e && i < ARRAY_SIZE(keys); i++)
		e = event_key_load(&records[BEGUN], kept, (int64_t)i + 1, &keys[i]);
	if (e)
		BUG("no chain: %s", err_message(e));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	struct row_job j = {.a = arena_new()};
	struct err *rolled_back;

	row_open();
	j.how = data < end ? *data++ : 0;
	j.end = data < end ? *data++ : 0;
	j.log = &records[j.how % RECORDS];
	size = (size_t)(end - data);
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
