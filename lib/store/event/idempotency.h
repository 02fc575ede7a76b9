/*
 * idempotency: idempotency (requirement: garden, "Idempotency"). A repeated call of a writing tool
 * gets the stored answer, and nothing is done twice. In event.c.
 *
 * The key is the caller's, else the hash of user, tool, entity and payload. Records live for 48
 * hours, in the store only. Only successes are stored. A key of the caller names one call: its
 * repeat gets the first answer, whatever was changed since, and also when the first call changed
 * nothing and so made no event. The lock of a key is a flock: a second call
 * with the same key waits for the first, and a crash releases it.
 */
#pragma once

#include "event/event.h"

#define EVENT_REPLAY_MS ((int64_t)48 * 60 * 60 * 1000)

struct event_replay_ask {
	struct str entity;  /* what is written: the absolute path, with "#" and the anchor */
	struct str payload; /* canonical JSON of the parameters that decide the outcome */
	/*
	 * Whether the file, or the section that e names, still has e->after. Without a key of the
	 * caller a repeat after another change runs anew: A, B, A must write A.
	 */
	struct err *(*holds)(void *ctx, struct arena *a, const struct event *e, bool *holds);
	/* Settles an event whose process died (lib/files/saga). */
	struct err *(*settle)(void *ctx, struct arena *a, const struct event *e);
	void *ctx;
	bool dry; /* only asks: takes no lock, settles nothing, and event_begin() stores nothing */
};
/*
 * The state of a call. It holds the key's lock until event_idempotent_end() or the end of the
 * arena. Take it before every other lock.
 */
struct event_replay {
	bool replayed;     /* answer with `result`, do nothing */
	struct event e;    /* replayed: the event of the first call; no id: it made none */
	struct str result; /* replayed: its answer as JSON; p NULL when its process died too early:
			      make the answer from e */
	/* Private. */
	struct str key, payload;
	bool caller, stored;
	struct os_lock *lock;
};
/*
 * Call it before the write, with log->ids.idempotency_key as the caller gave it. When the call is
 * not a repeat, it sets log->ids.idempotency_key and log->replay, and event_begin() stores the
 * record in its transaction; event_append_step() and event_end() drop it when the event fails.
 * Errors: KEY_REUSED (CONFLICT), LOCKED, and those of the functions of `ask`.
 */
struct err *event_idempotent_begin(struct events *log, struct arena *a,
				   const struct event_replay_ask *ask,
				   struct event_replay *out) MUST_USE;
/*
 * Stores the answer (JSON; empty: none) unless event_outcome.result did, and releases the lock.
 * After a replay, and after a failure (result empty), it only releases.
 */
struct err *event_idempotent_end(struct events *log, struct event_replay *r,
				 struct str result) MUST_USE;
