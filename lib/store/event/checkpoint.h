/*
 * checkpoint: a signed statement of how long the record is and what its last MAC is. Others keep
 * it, so that a tail that was cut off shows. Ed25519; the secret key is "checkpoint.key" beside the
 * HMAC keys, the public key is a PEM file that openssl reads. The text is the same in a file and in
 * a Git note:
 *
 *   ikm checkpoint 1
 *   machine 01J…
 *   time 2026-11-23T07:00:00Z
 *   seq 123
 *   chain hmac:…
 *   signature BASE64
 *
 * The signature covers the bytes of the lines above it.
 */
#pragma once

#include "event/event.h"

struct event_checkpoint {
	struct str machine, chain;
	int64_t time, seq;
};
/*
 * Signs the end of the record. NOT_CONFIGURED without keys or without a chained row; DB_CORRUPT for
 * a record in which event_verify() finds a break.
 */
struct err *event_checkpoint_sign(struct events *log, struct arena *a, struct str *text) MUST_USE;
/* The public key as PEM. */
struct err *event_checkpoint_public_key(struct events *log, struct arena *a,
					struct str *pem) MUST_USE;
/*
 * Parses the text and checks the signature. Errors: BAD_CHECKPOINT for both files; a signature that
 * does not hold is NOT_ALLOWED.
 */
struct err *event_checkpoint_read(struct arena *a, struct str text, struct str pem,
				  struct event_checkpoint *out) MUST_USE;
/*
 * The same with the present key of this home, or a former one: each former key has signed the next
 * one.
 */
struct err *event_checkpoint_read_own(struct events *log, struct arena *a, struct str text,
				      struct event_checkpoint *out) MUST_USE;
/* Takes the next checkpoint off a text that has several, as a Git note may. */
bool event_checkpoint_next_of_text(struct str *rest, struct str *one);

/*
 * Replaces the key. The former key signs a statement that names the new one, for those who have
 * only the former public key:
 *
 *   ikm checkpoint key 1
 *   machine 01J…
 *   time 2026-11-23T07:00:00Z
 *   from BASE64
 *   to BASE64
 *   signature BASE64
 *
 * The statement stays in the file "checkpoint-N.handover" beside the keys, and is an event. A
 * process that died in between is completed. Errors: NOT_CONFIGURED when there is no key.
 */
struct event_handover {
	struct str text, event;
};
struct err *event_checkpoint_rotate_key(struct events *log, struct arena *a,
					struct event_handover *out) MUST_USE;
