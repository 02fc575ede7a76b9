#include "event/idempotency.h"
#include "crypt/crypt.h"
#include "event/row.h"
#include "os/os.h"
#include <errno.h>
#include <sys/stat.h>

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

struct err *event_idempotent_store(struct events *log, struct str id)
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
