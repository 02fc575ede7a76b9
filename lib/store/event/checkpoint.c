#include "event/checkpoint.h"
#include "event/keys.h"
#include "event/row.h"
#include "event/verify.h"
#include "os/os.h"

#define FIRST_LINE           "ikm checkpoint 1"
#define SIGNATURE            "signature "
#define HANDOVER_LINE        "ikm checkpoint key 1"
#define HANDOVER_NAME        "checkpoint-%jd.handover"
#define HANDOVER_MOST        ((size_t)4096)
#define CHECKPOINT_NEXT      "checkpoint.next"
#define OP_ROTATE_CHECKPOINT "rotate_checkpoint_key"
#define TURN_LOCK_MS         10000
#define PEM_BEGIN            "-----BEGIN PUBLIC KEY-----\n"
#define PEM_END              "-----END PUBLIC KEY-----"

/* RFC 8410: the DER form of an Ed25519 public key is these bytes and the key. */
static const unsigned char der[] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
				    0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

struct stamp {
	struct str machine;
	struct event_head head;
	struct event_tail tail;
};

static struct err *checkpoint_read_end(struct events *log, struct arena *a, struct stamp *s)
{
	struct db_txn t DB_TXN = {0};

	*s = (struct stamp){.machine = STR("")};
	TRY(db_begin_read(&t, log->db));
	TRY(event_machine_id(log, a, &s->machine));
	TRY(event_head_read(log->db, a, &s->head));
	return event_chain_last_mac_read(log->db, a, &s->tail);
}

/* The text with a line more, that has its signature. */
static struct str checkpoint_signed(struct arena *a, const unsigned char seed[ED25519_KEY_BYTES],
				    struct str text)
{
	unsigned char signature[ED25519_SIGNATURE_BYTES];

	ed25519_sign(seed, text, signature);
	return str_fmt(
		a, "%.*s" SIGNATURE "%.*s\n", STR_ARG(text),
		STR_ARG(crypt_base64(a, (struct str){(char *)signature, sizeof(signature)})));
}

struct err *event_checkpoint_sign(struct events *log, struct arena *a, struct str *text)
{
	unsigned char seed[ED25519_KEY_BYTES];
	struct stamp s;
	struct event_verdict verdict;
	struct str signed_part;
	struct event_key k;
	int64_t version;
	bool holds;

	TRY(checkpoint_read_end(log, a, &s));
	if (!s.head.there)
		return err_help(
			err_new(E_NOT_CONFIGURED,
				"the record of changes has no chain that a checkpoint could "
				"sign"),
			"make the keys: ikm init");
	TRY(event_key_current_version(log, a, &s.head, &version, &holds));
	TRY(event_key_load(log, a, version, &k));
	/* A signature must not make a cut tail look whole. */
	if (!holds || s.head.seq != s.tail.seq || !str_eq(s.head.chain, s.tail.chain))
		return err_help(
			err_new(E_DB_CORRUPT,
				"the end of the record was changed, so ikm does not sign it"),
			"'ikm events verify' says what was changed");
	/* Nor a forged row, or one that is missing in the middle. */
	TRY(event_verify(log, a, NULL, &verdict));
	if (verdict.breaks)
		return err_help(err_new(E_DB_CORRUPT,
					"the record is not intact and complete, so ikm does not "
					"sign it: %.*s",
					STR_ARG(verdict.first.what)),
				"'ikm events verify' says what was changed");
	TRY(event_key_bytes(log, a, CHECKPOINT_KEY, seed));
	signed_part = str_fmt(a, FIRST_LINE "\nmachine %.*s\ntime %.*s\nseq %jd\nchain %.*s\n",
			      STR_ARG(s.machine), STR_ARG(os_time_text(a, os_now(), false)),
			      (intmax_t)s.head.seq, STR_ARG(s.head.chain));
	*text = checkpoint_signed(a, seed, signed_part);
	crypt_wipe(seed, sizeof(seed));
	return NULL;
}

static struct str checkpoint_pem(struct arena *a, const unsigned char key[ED25519_KEY_BYTES])
{
	unsigned char bytes[sizeof(der) + ED25519_KEY_BYTES];

	memcpy(bytes, der, sizeof(der));
	memcpy(bytes + sizeof(der), key, ED25519_KEY_BYTES);
	return str_fmt(a, PEM_BEGIN "%.*s\n" PEM_END "\n",
		       STR_ARG(crypt_base64(a, (struct str){(char *)bytes, sizeof(bytes)})));
}

struct err *event_checkpoint_public_key(struct events *log, struct arena *a, struct str *pem)
{
	unsigned char seed[ED25519_KEY_BYTES], key[ED25519_KEY_BYTES];

	TRY(event_key_bytes(log, a, CHECKPOINT_KEY, seed));
	ed25519_public(seed, key);
	crypt_wipe(seed, sizeof(seed));
	*pem = checkpoint_pem(a, key);
	return NULL;
}

/* ---- reading ---- */

static struct err *checkpoint_bad(const char *what, const char *why)
{
	struct err *e = err_new(E_BAD_CHECKPOINT, "the %s %s", what, why);

	return *what == 'p' ? err_help(e, "give what 'ikm events checkpoint --public-key' printed, "
					  "unchanged")
			    : e;
}

static bool checkpoint_lines(struct str text, struct event_checkpoint *out)
{
	struct str value;

	if (!event_take_named_line(&text, FIRST_LINE, &value) || value.n ||
	    !event_take_named_line(&text, "machine ", &out->machine) ||
	    !event_take_named_line(&text, "time ", &value) || !os_time_read(value, &out->time) ||
	    !event_take_named_line(&text, "seq ", &value) || !str_int(value, &out->seq) ||
	    out->seq < 1 || !event_take_named_line(&text, "chain ", &out->chain))
		return false;
	return str_starts(out->chain, STR(HMAC_PREFIX)) && !text.n;
}

/* Splits a signed text, and checks its signature. *holds false: the key did not sign it. */
static struct err *checkpoint_open(struct arena *a, const unsigned char key[ED25519_KEY_BYTES],
				   struct str text, struct str *signed_part, bool *holds)
{
	size_t at = str_find(text, STR("\n" SIGNATURE), 0);
	struct str rest, signature;

	if (at == SIZE_MAX)
		return checkpoint_bad("checkpoint", "has no signature");
	*signed_part = str_sub(text, 0, at + 1);
	rest = str_sub(text, at + 1, text.n);
	if (!event_take_named_line(&rest, SIGNATURE, &signature) || rest.n ||
	    !crypt_base64_decode(a, signature, &signature) ||
	    signature.n != ED25519_SIGNATURE_BYTES)
		return checkpoint_bad("checkpoint", "has a malformed signature");
	*holds = ed25519_verify(key, *signed_part, (const unsigned char *)signature.p);
	return NULL;
}

struct err *event_checkpoint_read(struct arena *a, struct str text, struct str pem,
				  struct event_checkpoint *out)
{
	unsigned char key[ED25519_KEY_BYTES];
	struct str bytes, end, signed_part;
	bool holds;

	*out = (struct event_checkpoint){0};
	if (!str_starts(pem, STR(PEM_BEGIN)))
		return checkpoint_bad("public key", "does not begin with a line BEGIN PUBLIC KEY");
	pem = str_sub(pem, strlen(PEM_BEGIN), pem.n);
	end = str_sub(pem, size_min(str_find_char(pem, '\n', 0), pem.n), pem.n);
	pem.n -= end.n;
	if (str_ends(end, STR("\n")) && end.n > 1)
		end.n--;
	if (!str_is(end, "\n" PEM_END))
		return checkpoint_bad("public key", "does not end with a line END PUBLIC KEY");
	if (!crypt_base64_decode(a, pem, &bytes) || bytes.n != sizeof(der) + ED25519_KEY_BYTES ||
	    memcmp(bytes.p, der, sizeof(der)) != 0)
		return checkpoint_bad("public key", "is no Ed25519 key");
	memcpy(key, bytes.p + sizeof(der), ED25519_KEY_BYTES);
	TRY(checkpoint_open(a, key, text, &signed_part, &holds));
	if (!checkpoint_lines(signed_part, out))
		return checkpoint_bad("checkpoint", "is not in the form of ikm-formats(5)");
	if (!holds)
		return err_help(err_help(err_new(E_NOT_ALLOWED,
						 "the signature of the checkpoint does not hold: "
						 "the file was changed, or another key signed it"),
					 "get the public key where the record is: ikm events "
					 "checkpoint --public-key >KEY; then verify with it: ikm "
					 "events verify --checkpoint FILE --public-key KEY"),
				"if this fails too, the file was changed: get another copy of it");
	return NULL;
}

/* ---- handovers: one key signs the next ---- */

struct handover {
	struct str machine;
	unsigned char from[ED25519_KEY_BYTES], to[ED25519_KEY_BYTES];
	struct str text;
};

static bool handover_key(struct arena *a, struct str value, unsigned char out[ED25519_KEY_BYTES])
{
	struct str bytes;

	if (!crypt_base64_decode(a, value, &bytes) || bytes.n != ED25519_KEY_BYTES)
		return false;
	memcpy(out, bytes.p, ED25519_KEY_BYTES);
	return true;
}

/*
 * Reads the handover with this number. Its signature counts, so anybody may write the file. *valid
 * false: it is no handover, or the former key did not sign it.
 */
static struct err *handover_get(const struct events *log, struct arena *a, int64_t number,
				struct handover *out, bool *valid)
{
	struct str text, value, rest, signed_part;
	const char *folder;
	bool holds = false;

	TRY(event_key_folder(log, a, &folder));
	TRY(os_read_path(a, os_join(a, folder, str_fmt(a, HANDOVER_NAME, (intmax_t)number).p),
			 HANDOVER_MOST, &text));
	*out = (struct handover){.text = text};
	rest = text;
	*valid = event_take_named_line(&rest, HANDOVER_LINE, &value) && !value.n &&
		 event_take_named_line(&rest, "machine ", &out->machine) &&
		 event_take_named_line(&rest, "time ", &value) &&
		 event_take_named_line(&rest, "from ", &value) &&
		 handover_key(a, value, out->from) && event_take_named_line(&rest, "to ", &value) &&
		 handover_key(a, value, out->to) &&
		 !checkpoint_open(a, out->from, text, &signed_part, &holds) && holds;
	return NULL;
}

/* The highest number of a handover; 0: there is none. */
static struct err *handover_last(const struct events *log, struct arena *a, int64_t *last)
{
	const char *folder;

	*last = 0;
	TRY(event_key_folder(log, a, &folder));
	return event_greatest_number(a, folder, "checkpoint-", ".handover", last);
}

struct turn {
	struct events *log;
	struct arena *a;
	struct event_handover *out;
	const char *folder;
	unsigned char from[ED25519_KEY_BYTES], to[ED25519_KEY_BYTES]; /* seeds */
};

static struct str turn_key(struct arena *a, const unsigned char seed[ED25519_KEY_BYTES],
			   unsigned char public_key[ED25519_KEY_BYTES])
{
	ed25519_public(seed, public_key);
	return crypt_base64(a, (struct str){(char *)public_key, ED25519_KEY_BYTES});
}

/* The statement, in a file; a process that died may have written it. */
static struct err *turn_state(struct turn *t)
{
	unsigned char from[ED25519_KEY_BYTES], to[ED25519_KEY_BYTES];
	struct str from_text = turn_key(t->a, t->from, from), to_text = turn_key(t->a, t->to, to);
	struct stamp s;
	struct handover h;
	bool valid = false;
	int64_t last;

	TRY(handover_last(t->log, t->a, &last));
	if (last)
		TRY(handover_get(t->log, t->a, last, &h, &valid));
	if (valid && !memcmp(h.to, to, sizeof(to))) {
		t->out->text = h.text;
		return NULL;
	}
	TRY(checkpoint_read_end(t->log, t->a, &s));
	t->out->text = checkpoint_signed(
		t->a, t->from,
		str_fmt(t->a, HANDOVER_LINE "\nmachine %.*s\ntime %.*s\nfrom %.*s\nto %.*s\n",
			STR_ARG(s.machine), STR_ARG(os_time_text(t->a, os_now(), false)),
			STR_ARG(from_text), STR_ARG(to_text)));
	return os_write(
		os_join(t->a, t->folder, str_fmt(t->a, HANDOVER_NAME, (intmax_t)last + 1).p),
		t->out->text, OS_EXCLUSIVE | OS_MODE(0600));
}

/*
 * The new key is a file of its own until the statement is durable, so a process that dies at any
 * point leaves what the next one completes.
 */
static struct err *turn_locked(struct turn *t)
{
	const char *next = os_join(t->a, t->folder, CHECKPOINT_NEXT);
	struct event e = {
		.type = EVENT_SYSTEM,
		.entity = str_of(event_entities[EVENT_USER]),
		.entity_id = t->log->user,
		.op = STR_INIT(OP_ROTATE_CHECKPOINT),
	};
	bool made;

	TRY(event_key_bytes(t->log, t->a, CHECKPOINT_KEY, t->from));
	TRY(event_key_make_file(t->log, t->a, CHECKPOINT_NEXT, &made));
	TRY(event_key_bytes(t->log, t->a, CHECKPOINT_NEXT, t->to));
	TRY(turn_state(t));
	TRY(os_write(os_join(t->a, t->folder, CHECKPOINT_KEY),
		     str_fmt(t->a, "%s\n", crypt_hex(t->a, t->to, sizeof(t->to)).p),
		     OS_MODE(0600)));
	e.change = t->out->text;
	TRY(event_note(t->log, t->a, &e, &t->out->event));
	return os_remove(next);
}

struct err *event_checkpoint_rotate_key(struct events *log, struct arena *a,
					struct event_handover *out)
{
	struct turn t = {.log = log, .a = a, .out = out};
	struct os_lock *lock;
	struct err *e;

	*out = (struct event_handover){0};
	TRY(event_key_folder(log, a, &t.folder));
	TRY(os_lock_dir(a, t.folder, TURN_LOCK_MS, &lock));
	e = turn_locked(&t);
	crypt_wipe(t.from, sizeof(t.from));
	crypt_wipe(t.to, sizeof(t.to));
	os_unlock(lock);
	return e;
}

/* ---- own keys, and notes ---- */

struct err *event_checkpoint_read_own(struct events *log, struct arena *a, struct str text,
				      struct event_checkpoint *out)
{
	struct strs keys = {0};
	unsigned char seed[ED25519_KEY_BYTES], to[ED25519_KEY_BYTES];
	struct err *e = NULL;
	struct str pem;
	int64_t last;

	TRY(event_checkpoint_public_key(log, a, &pem));
	strs_push(a, &keys, pem);
	/*
	 * The former keys, newest first. Each must have signed the next one, from the present key
	 * back: a file that somebody put there adds no key.
	 */
	TRY(event_key_bytes(log, a, CHECKPOINT_KEY, seed));
	ed25519_public(seed, to);
	crypt_wipe(seed, sizeof(seed));
	TRY(handover_last(log, a, &last));
	for (int64_t n = last; n > 0; n--) {
		struct handover h;
		bool valid;

		e = handover_get(log, a, n, &h, &valid);
		if (e && err_reason(e) == E_FILE_NOT_FOUND)
			continue;
		TRY(e);
		if (!valid || memcmp(h.to, to, sizeof(to)) != 0)
			continue;
		memcpy(to, h.from, sizeof(to));
		strs_push(a, &keys, checkpoint_pem(a, to));
	}
	for (size_t i = 0; i < keys.n; i++) {
		e = event_checkpoint_read(a, text, keys.p[i], out);
		if (!e || err_reason(e) != E_NOT_ALLOWED)
			break;
	}
	return e;
}

bool event_checkpoint_next_of_text(struct str *rest, struct str *one)
{
	size_t begin = str_find(*rest, STR(FIRST_LINE "\n"), 0), end;

	if (begin == SIZE_MAX)
		return false;
	end = str_find(*rest, STR("\n" SIGNATURE), begin);
	end = end == SIZE_MAX ? rest->n
			      : size_min(str_find_char(*rest, '\n', end + 1), rest->n - 1) + 1;
	*one = str_sub(*rest, begin, end);
	*rest = str_sub(*rest, end, rest->n);
	return true;
}
