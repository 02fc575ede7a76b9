/*
 * keys: the secret keys of the record, in the folder "keys" beside the store (mode 0700, files
 * 0600). "event-N.key" is version N of the HMAC key: 64 hexadecimal digits and a newline. There is
 * no default key. Nothing here prints a key, and no error holds one. In chain.c.
 */
#pragma once

#include "crypt/crypt.h"
#include "event/event.h"

/*
 * For `ikm init`: makes the folder, the first key (32 bytes of getrandom) and the key of
 * checkpoints, where they are missing; starts the chain of the record with a checkpoint row over
 * what came before. Durable; repeatable; two at once make one key.
 */
struct event_keys_made {
	const char *folder;
	struct strs made;    /* the files that were missing, by name; empty: all were there */
	int64_t key_version; /* the version in use */
	bool chain_started;
	int64_t covered; /* rows that the first checkpoint covers */
};
struct err *event_keys_create(struct events *log, struct arena *a,
			      struct event_keys_made *out) MUST_USE;
/*
 * Success when event_begin() can use the key that the record needs. Errors (MISSING_CREDENTIALS),
 * each with the steps: NOT_CONFIGURED for a key that is missing; BAD_KEY for one that is short, no
 * key, no regular file, of another owner, or readable by others, and for such a folder.
 */
struct err *event_keys_need(struct events *log, struct arena *a) MUST_USE;
/*
 * Makes the next version and records it: a row under the former key that names the fingerprint of
 * the new key and has a MAC by it too. A process that died in between left an unused key; it is
 * used. lost: the former key is gone, so the row is under the new key alone, and says so; without
 * it that is BAD_KEY.
 */
struct event_rotated {
	int64_t from, to;
	struct str event;
	bool lost;
};
struct err *event_rotate(struct events *log, struct arena *a, bool lost,
			 struct event_rotated *out) MUST_USE;

/* Finds what is wrong with a file of the folder of keys: NOT_CONFIGURED (it is missing), BAD_KEY.
 */
#define CHECKPOINT_KEY "checkpoint.key"
struct err *event_key_check(const struct events *log, struct arena *a, const char *name) MUST_USE;
/* The traces of earlier keys, by which a key that is missing is one that was lost. */
struct event_keys_traces {
	bool any;
	/* The file of the chain's beginning, when the first key can make it again; or NULL. */
	const char *begun;
	bool damaged; /* begun is not in its form; false: it is missing */
};
struct err *event_keys_find_traces(const struct events *log, struct arena *a,
				   struct event_keys_traces *out) MUST_USE;

/* Whether line_hash of the event is the HMAC of this content. False without the event's key. */
bool event_content_holds(const struct events *log, struct arena *a, const struct event *e,
			 struct str content);

/*
 * The canonical content of an integrity_line_hash (requirement: garden, "Integrity (HMAC)"): CRLF
 * and CR become LF, spaces and tabs at the ends of lines go, and so do empty lines at the end; one
 * final newline. Empty content stays empty.
 */
struct str event_content_canonical(struct arena *a, struct str content);
