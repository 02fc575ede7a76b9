#include "event/row.h"
#include "crypt/crypt.h"
#include "event/idempotency.h"
#include "os/os.h"
#include <errno.h>
#include <sys/stat.h>

const char *const event_statuses[] = {EVENT_STATUSES(ENUM_NAME) NULL};
const char *const event_types[] = {EVENT_TYPES(ENUM_NAME) NULL};
const char *const event_faces[] = {EVENT_FACES(ENUM_NAME) NULL};
const char *const event_entities[] = {EVENT_ENTITIES(ENUM_NAME) NULL};

static struct err *ids_long(struct str id, const char *name)
{
	if (id.n <= EVENT_ID_MOST)
		return NULL;
	return err_for_param(E_TOO_LONG, str_of(name),
			     "'%s' has %zu bytes; at most %zu are allowed", name, id.n,
			     EVENT_ID_MOST);
}

struct err *event_caller_ids_check(const struct event_ids *ids)
{
	TRY(ids_long(ids->transaction, "transaction_id"));
	TRY(ids_long(ids->tool_call, "tool_call_id"));
	TRY(ids_long(ids->agent_action, "agent_action_id"));
	TRY(ids_long(ids->idempotency_key, "idempotencyKey"));
	if (ids->rationale.n > EVENT_RATIONALE_MOST)
		return err_for_param(E_TOO_LONG, STR("rationale"),
				     "'rationale' has %zu bytes; at most %zu are allowed",
				     ids->rationale.n, EVENT_RATIONALE_MOST);
	/* It becomes a line of a Change Log, where a second line could be a heading. */
	if (str_find_char(ids->rationale, '\n', 0) == SIZE_MAX &&
	    str_find_char(ids->rationale, '\r', 0) == SIZE_MAX)
		return NULL;
	return err_for_param(E_BAD_ARGUMENT, STR("rationale"),
			     "'rationale' has a line break; it must be one line");
}

/* ---- numbered files, of keys and of checkpoints ---- */

struct err *event_greatest_number(struct arena *a, const char *folder, const char *start,
				  const char *end, int64_t *out)
{
	struct strs names = {0};

	*out = 0;
	TRY(os_list(a, folder, &names));
	VEC_EACH(const struct str, name, &names) {
		struct str digits = str_sub(*name, strlen(start), name->n - strlen(end));
		int64_t n;

		if (!str_starts(*name, str_of(start)) || !str_ends(*name, str_of(end)) ||
		    name->n <= strlen(start) + strlen(end))
			continue;
		/* A leading zero would be a second name for a number. */
		if (digits.p[0] != '0' && str_int(digits, &n) && n > *out && n < INT32_MAX)
			*out = n;
	}
	return NULL;
}

/* ---- idempotency ---- */

/* Calls with different keys may share a lock; then one waits for the other, and nothing else. */
#define LOCKS_FOLDER "locks"
#define LOCK_WAIT_MS 60000

static struct str replay_hash(struct arena *a, const struct str *parts, size_t n)
{
	unsigned char digest[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	for (size_t i = 0; i < n; i++)
		sha256_add_part(&h, parts[i]);
	sha256_end(&h, digest);
	return str_fmt(a, "sha256:%s", crypt_hex(a, digest, sizeof(digest)).p);
}

struct replay_record {
	bool there;
	struct str payload, event, result;
};

static struct err *replay_record(struct events *log, struct arena *a, struct str key,
				 struct replay_record *out)
{
	*out = (struct replay_record){0};
	DB_EACH(rows, log->db, Q_REPLAY_GET, DB_S(key), DB_I(os_now() - EVENT_REPLAY_MS)) {
		*out = (struct replay_record){
			.there = true,
			.payload = db_column_str(rows, a, 0),
			.event = db_column_str(rows, a, 1),
			.result = db_column_str(rows, a, 2),
		};
		break;
	}
	return NULL;
}

/* *there false: the event was damaged or is gone, so it proves nothing. */
static struct err *replay_event(struct events *log, struct arena *a, struct str id, struct event *e,
				bool *there)
{
	*there = false;
	DB_EACH(rows, log->db, Q_EVENT_REPLAYED, DB_S(id)) {
		DB_ROW(log->db, event_row_read(rows, a, true, e), return NULL);
		*there = true;
		break;
	}
	return NULL;
}

/* A purge of memories removes the hash of the payload: it could be guessed. */
static struct err *replay_reused(struct events *log, struct str event, bool erased)
{
	struct err *e = err_for_param(
		E_KEY_REUSED, STR("idempotencyKey"),
		erased ? "the idempotency key '%.*s' was used before a purge of memories, so ikm "
			 "cannot tell whether this is the same call"
		       : "the idempotency key '%.*s' was used for another call",
		STR_ARG(log->ids.idempotency_key));

	if (event.n)
		err_add_detail(e, "event", event);
	return err_help(e, erased ? "if it is a new call, use a new key"
				  : "use a new key for each call that differs");
}

/* Decides whether the call is a repeat: out->replayed. */
static struct err *replay_find(struct events *log, struct arena *a,
			       const struct event_replay_ask *ask, bool caller,
			       struct event_replay *out)
{
	struct replay_record record;
	bool there, holds = false;

	TRY(replay_record(log, a, out->key, &record));
	if (!record.there)
		return NULL;
	out->result = record.result;
	if (!record.event.n) {
		out->replayed = str_eq(record.payload, out->payload);
		return out->replayed ? NULL : replay_reused(log, record.event, !record.payload.n);
	}
	TRY(replay_event(log, a, record.event, &out->e, &there));
	if (there && ask->dry && !event_is_done(&out->e))
		return NULL;
	/* The lock is ours, so the process that wrote the event is gone. What Git
	 * could not commit then, it may commit now. */
	if (there && !ask->dry &&
	    (out->e.status == EVENT_PENDING || out->e.status == EVENT_WRITTEN)) {
		TRY(ask->settle(ask->ctx, a, &out->e));
		TRY(replay_event(log, a, record.event, &out->e, &there));
	}
	if (!there || !event_is_done(&out->e))
		return NULL;
	if (caller && !str_eq(record.payload, out->payload))
		return replay_reused(log, record.event, !record.payload.n);
	/* A key of the caller names one call. Without one, A, B, A must write A. */
	holds = caller;
	if (!caller)
		TRY(ask->holds(ask->ctx, a, &out->e, &holds));
	out->replayed = holds;
	return NULL;
}

struct err *event_idempotent_begin(struct events *log, struct arena *a,
				   const struct event_replay_ask *ask, struct event_replay *out)
{
	const struct str payload[] = {log->tool, ask->entity, ask->payload};
	bool caller = log->ids.idempotency_key.n > 0;
	const char *keys, *dir;
	struct str key[3];
	struct err *e;

	*out = (struct event_replay){
		.payload = replay_hash(a, payload, ARRAY_SIZE(payload)),
		.caller = caller,
	};
	key[0] = caller ? STR("key") : STR("call");
	key[1] = log->user;
	key[2] = caller ? log->ids.idempotency_key : out->payload;
	out->key = replay_hash(a, key, ARRAY_SIZE(key));
	if (ask->dry)
		return replay_find(log, a, ask, caller, out);
	TRY(event_key_folder(log, a, &keys));
	dir = os_join(a, str_c(a, str_sub(str_of(keys), 0, str_rfind_char(str_of(keys), '/'))),
		      LOCKS_FOLDER);
	TRY(os_mkdirs(dir, 0700));
	/* The first two digits behind "sha256:". A lock need not survive a power cut. */
	dir = os_join(a, dir, str_c(a, str_sub(out->key, 7, 9)));
	if (mkdir(dir, 0700) && errno != EEXIST)
		TRY(os_mkdirs(dir, 0700));
	TRY(os_lock_dir(a, dir, LOCK_WAIT_MS, &out->lock));
	e = replay_find(log, a, ask, caller, out);
	if (e) {
		os_unlock(out->lock);
		return e;
	}
	if (out->replayed)
		return NULL;
	if (!caller)
		log->ids.idempotency_key = out->key;
	log->replay = out;
	return NULL;
}

/* Stores the record of log->replay, within the transaction of event_begin(). */
static struct err *event_idempotent_store(struct events *log, struct str id)
{
	struct event_replay *r = log->replay;
	int64_t now = os_now();

	r->stored = true;
	TRY(db_do(log->db, Q_REPLAY_EXPIRE, NULL, DB_I(now - EVENT_REPLAY_MS)));
	return db_do(log->db, Q_REPLAY_PUT, NULL, DB_S(r->key), DB_S(r->payload), DB_S(id),
		     DB_I(now));
}

/* It does not wait for the disk: without the stored answer a repeat is answered from the event. */
static struct err *replay_put_answer(struct events *log, const struct event_replay *r,
				     struct str result)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	struct replay_record record;

	TRY(db_begin(&t, log->db, .sync = DB_LATER));
	TRY(replay_record(log, a, r->key, &record));
	if (r->caller && !r->stored) {
		int64_t now = os_now();

		/* The call made no event, yet its answer belongs to the key all the same. */
		TRY(db_do(log->db, Q_REPLAY_EXPIRE, NULL, DB_I(now - EVENT_REPLAY_MS)));
		TRY(db_do(log->db, Q_REPLAY_ANSWER, NULL, DB_S(r->key), DB_S(r->payload), DB_I(now),
			  DB_S(result)));
	} else if (record.there && !record.result.p) {
		TRY(db_do(log->db, Q_REPLAY_RESULT, NULL, DB_S(record.event), DB_S(result)));
	}
	return db_commit(&t);
}

struct err *event_idempotent_end(struct events *log, struct event_replay *r, struct str result)
{
	struct err *e = !r->replayed && result.n ? replay_put_answer(log, r, result) : NULL;

	if (log->replay == r)
		log->replay = NULL;
	os_unlock(r->lock);
	return e;
}

/* ---- recording ---- */

struct begin {
	struct events *log;
	struct arena *a;
	const struct event *e;
	struct str former;
};

static struct err *keep_former(struct begin *b, int64_t now)
{
	struct events *log = b->log;
	int64_t total, looked, dropped = 1;

	TRY(db_once_a_day(log->db, STR("looked: former_contents"), now, &looked));
	if (looked)
		TRY(db_do(log->db, Q_FORMER_EXPIRE, NULL, DB_I(looked - log->keep_ms)));
	/* A content above the limit would only push out all others. */
	if (b->former.p && log->keep_ms > 0 && b->former.n <= (uint64_t)log->keep_bytes)
		TRY(db_do(log->db, Q_FORMER_PUT, NULL, DB_S(b->e->before), DB_B(b->former),
			  DB_I((int64_t)b->former.n), DB_I(now)));
	TRY(db_number(log->db, Q_FORMER_TOTAL, &total));
	while (total > log->keep_bytes && dropped) {
		TRY(db_do(log->db, Q_FORMER_DROP_OLDEST, &dropped));
		TRY(db_number(log->db, Q_FORMER_TOTAL, &total));
	}
	return NULL;
}

static struct str begin_or(struct str first, struct str other)
{
	return first.n ? first : other;
}

/* The columns of an event's first row. */
static void begin_cells(struct begin *b, struct event_cells *c)
{
	const struct event_ids *ids = &b->log->ids;
	const struct event *e = b->e;
	struct str path = e->path.p ? e->path : STR(""), change = e->change, head;

	/* A text of a store that may be JSON or prose; a longer one is cut, and says so. */
	if (change.n > EVENT_CHANGE_MOST) {
		head = str_utf8_head(change, EVENT_CHANGE_MOST - 64);
		change = str_fmt(b->a, "%.*s\n[cut: %zu more bytes]\n", STR_ARG(head),
				 change.n - head.n);
	}

	c->v[COL_ENTITY_TYPE] = DB_S(e->entity);
	c->v[COL_ENTITY_ID] = DB_S(begin_or(e->entity_id, path));
	c->v[COL_TYPE] = DB_S(str_of(event_types[e->type]));
	c->v[COL_OP] = DB_S(e->op.p ? e->op : STR(""));
	c->v[COL_ANCHOR] = db_text_or_null(e->section_anchor);
	c->v[COL_PATH] = db_text_or_null(e->path);
	c->v[COL_PATH_TO] = db_text_or_null(e->path_to);
	c->v[COL_RATIONALE] = db_text_or_null(begin_or(e->rationale, ids->rationale));
	c->v[COL_BEFORE] = db_text_or_null(e->before);
	c->v[COL_AFTER] = db_text_or_null(e->after);
	c->v[COL_BEFORE_MODE] = db_int_or_null(e->before_mode);
	c->v[COL_AFTER_MODE] = db_int_or_null(e->after_mode);
	c->v[COL_EVIDENCE] = db_text_or_null(begin_or(e->evidence_refs, ids->evidence_refs));
	c->v[COL_LINT] = db_text_or_null(e->lint);
	c->v[COL_CHANGE] = db_text_or_null(change);
	c->v[COL_UNDOES] = db_text_or_null(e->undoes);
	c->v[COL_IDEMPOTENCY] = db_text_or_null(ids->idempotency_key);
	c->v[COL_TRANSACTION] = db_text_or_null(ids->transaction);
	c->v[COL_TOOL_CALL] = db_text_or_null(ids->tool_call);
	c->v[COL_ACTION] = db_text_or_null(ids->agent_action);
}

struct err *event_begin(struct events *log, struct arena *a, const struct event *e,
			struct str former, struct str *id)
{
	struct begin b = {.log = log, .a = a, .e = e, .former = former};
	struct db_txn t DB_TXN = {0};
	bool done = false, not_done = false;
	struct event_cells c;
	struct str last = {0};

	TRY(db_begin(&t, log->db));
	DB_EACH(rows, log->db, Q_EVENT_OPEN, DB_S(e->path), db_text_or_null(e->before)) {
		last = db_column_str(rows, a, 0);
		done = db_column_int(rows, 1);
		not_done = db_column_int(rows, 2);
		break;
	}
	if (done || not_done)
		TRY(event_settle(log, last, done));
	TRY(event_row_new(log, a, STR(""), EVENT_STEP_PENDING, &c));
	begin_cells(&b, &c);
	TRY(event_row_append(log, a, &c, e->content));
	if (log->replay)
		TRY(event_idempotent_store(log, c.v[COL_EVENT].s));
	TRY(keep_former(&b, c.v[COL_TS].i));
	TRY(db_commit(&t));
	*id = c.v[COL_EVENT].s;
	return NULL;
}

/* ---- events of one row ---- */

/* error: of a refused attempt; empty: it was committed. */
static struct err *note_append(struct begin *b, struct str error, struct str *id)
{
	struct db_txn t DB_TXN = {0};
	struct event_cells c;

	TRY(db_begin(&t, b->log->db));
	TRY(event_row_new(b->log, b->a, STR(""), error.n ? EVENT_STEP_FAILED : EVENT_STEP_COMMITTED,
			  &c));
	begin_cells(b, &c);
	/* A refused attempt may be tried again: it is no outcome of its key. */
	if (error.n)
		c.v[COL_IDEMPOTENCY] = DB_N;
	c.v[COL_ERROR] = db_text_or_null(error);
	TRY(event_row_append(b->log, b->a, &c, b->e->content));
	if (b->log->replay && !error.n)
		TRY(event_idempotent_store(b->log, c.v[COL_EVENT].s));
	TRY(db_commit(&t));
	*id = c.v[COL_EVENT].s;
	return NULL;
}

struct err *event_note(struct events *log, struct arena *a, const struct event *e, struct str *id)
{
	struct begin b = {.log = log, .a = a, .e = e};

	return note_append(&b, STR(""), id);
}

struct err *event_record_change(struct events *log, struct arena *a, const struct event *e,
				struct str former, struct str *id)
{
	struct begin b = {.log = log, .a = a, .e = e, .former = former};

	if (!db_is_writing(log->db))
		BUG("a change is recorded outside its transaction");
	TRY(note_append(&b, STR(""), id));
	return former.p ? keep_former(&b, os_now()) : NULL;
}

struct err *event_refused(struct events *log, struct arena *a, const struct event *e,
			  const struct err *why, struct str *id)
{
	struct event refused = *e;
	struct begin b = {.log = log, .a = a, .e = &refused};

	refused.type = EVENT_AUDIT;
	refused.content = (struct str){0};
	return note_append(
		&b, str_fmt(a, "%s: %s", err_reason_name(err_reason(why)), err_message(why)), id);
}

/* ---- steps ---- */

struct step {
	struct events *log;
	struct arena *a;
	struct str id;
	enum event_step step;
	const struct event_outcome *o; /* of a status */
	const struct event *e;         /* of an annotation */
};

/* *number -1: the step changes nothing, since the outcome is there. */
static struct err *step_number(const struct step *s, int64_t *number)
{
	*number = -1;
	DB_EACH(rows, s->log->db, Q_EVENT_STATE, DB_S(s->id)) {
		int64_t next = db_column_int(rows, 0), first = db_column_int(rows, 1);
		bool written = db_column_int(rows, 2), ended = db_column_int(rows, 3);

		if (!first || next < 1)
			break;
		if (s->step != EVENT_STEP_ANNOTATION &&
		    (ended || (written && s->step == EVENT_STEP_WRITTEN)))
			return NULL;
		*number = next;
		return NULL;
	}
	return err_add_detail(err_new(E_NO_SUCH_EVENT, "there is no event '%.*s'", STR_ARG(s->id)),
			      "requestedId", s->id);
}

static struct err *event_step_run(struct step *s)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	struct event_cells c;
	int64_t number;

	s->a = a;
	/* After a crash the hash of the file tells the outcome, but nothing tells a note. */
	TRY(db_begin(&t, s->log->db, .sync = s->o ? DB_LATER : DB_DURABLE));
	TRY(step_number(s, &number));
	if (number < 0)
		return NULL;
	TRY(event_row_new(s->log, s->a, s->id, s->step, &c));
	c.v[COL_NUMBER] = DB_I(number);
	if (s->o) {
		c.v[COL_AFTER] = db_text_or_null(s->o->after);
		c.v[COL_ERROR] = db_text_or_null(s->o->error);
		c.v[COL_COMMIT] = db_text_or_null(s->o->commit);
	} else {
		const struct event_ids *ids = &s->log->ids;

		c.v[COL_RATIONALE] = db_text_or_null(begin_or(s->e->rationale, ids->rationale));
		c.v[COL_EVIDENCE] =
			db_text_or_null(begin_or(s->e->evidence_refs, ids->evidence_refs));
		c.v[COL_LINT] = db_text_or_null(s->e->lint);
		c.v[COL_TRANSACTION] = db_text_or_null(ids->transaction);
		c.v[COL_TOOL_CALL] = db_text_or_null(ids->tool_call);
		c.v[COL_ACTION] = db_text_or_null(ids->agent_action);
	}
	TRY(event_row_append(s->log, a, &c, (struct str){0}));
	/* What belongs to the key of the call. */
	if (s->e && s->log->replay)
		TRY(event_idempotent_store(s->log, s->id));
	else if (s->step == EVENT_STEP_FAILED)
		TRY(db_do(s->log->db, Q_REPLAY_DROP, NULL, DB_S(s->id)));
	else if (s->o && s->o->result.n)
		TRY(db_do(s->log->db, Q_REPLAY_RESULT, NULL, DB_S(s->id), DB_S(s->o->result)));
	return db_commit(&t);
}

struct err *event_append_step(struct events *log, struct str id, const struct event_outcome *o)
{
	static const enum event_step steps[] = {
		[EVENT_WRITTEN] = EVENT_STEP_WRITTEN,
		[EVENT_COMMITTED] = EVENT_STEP_COMMITTED,
		[EVENT_FAILED] = EVENT_STEP_FAILED,
	};
	struct step s = {.log = log, .id = id, .o = o};

	if (o->status == EVENT_PENDING)
		BUG("an event is pending from its beginning");
	s.step = steps[o->status];
	return event_step_run(&s);
}

struct err *event_annotate(struct events *log, struct str id, const struct event *e)
{
	struct step s = {.log = log, .id = id, .step = EVENT_STEP_ANNOTATION, .e = e};

	return event_step_run(&s);
}

struct err *event_end(struct events *log, struct str id, const char *error)
{
	const struct event_outcome o = {
		.status = error ? EVENT_FAILED : EVENT_COMMITTED,
		.error = error ? str_of(error) : STR(""),
	};

	return event_append_step(log, id, &o);
}

struct err *event_settle(struct events *log, struct str id, bool done)
{
	return event_end(log, id, done ? NULL : "the process ended before the change was done");
}

struct err *event_kept_content_by_hash(struct events *log, struct arena *a, struct str hash,
				       struct str *content)
{
	DB_EACH(rows, log->db, Q_FORMER_GET, DB_S(hash)) {
		*content = db_column_str(rows, a, 0);
		return NULL;
	}
	return err_help(
		err_add_detail(err_new(E_NO_FORMER, "the content with the hash %.*s is not kept",
				       STR_ARG(hash)),
			       "hash", hash),
		"the settings undo.days and undo.bytes limit what is kept");
}
