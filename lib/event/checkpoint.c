#include "event/checkpoint.h"
#include "event/keys.h"
#include "event/row.h"
#include "event/verify.h"
#include "os/os.h"

#define FIRST_LINE "ikm checkpoint 1"
#define SIGNATURE  "signature "
#define PEM_BEGIN  "-----BEGIN PUBLIC KEY-----\n"
#define PEM_END    "-----END PUBLIC KEY-----"

/* RFC 8410: the DER form of an Ed25519 public key is these bytes and the key. */
static const unsigned char der[] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
				    0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

struct stamp {
	struct events *log;
	struct arena *a;
	struct str machine;
	struct event_head head;
	struct event_tail tail;
};

static struct err *checkpoint_read_end(void *ctx)
{
	struct stamp *s = ctx;

	DB_EACH(rows, s->log->db, Q_META_GET, DB_S(STR("machine"))) {
		s->machine = db_str(rows, s->a, 0);
		break;
	}
	TRY(event_head_read(s->log->db, s->a, &s->head));
	return event_tail_read(s->log->db, s->a, &s->tail);
}

struct err *event_checkpoint_sign(struct events *log, struct arena *a, struct str *text)
{
	unsigned char seed[ED25519_KEY_BYTES], signature[ED25519_SIGNATURE_BYTES];
	struct stamp s = {.log = log, .a = a, .machine = STR("")};
	struct event_verdict verdict;
	struct str signed_part;
	struct event_key k;
	int64_t version;
	bool holds;

	TRY(db_read(log->db, checkpoint_read_end, &s));
	if (!s.head.there)
		return err_help(
			err_new(E_NOT_CONFIGURED,
				"the record of changes has no chain that a checkpoint could "
				"sign"),
			"make the keys: ikm init");
	TRY(event_key_in_use(log, a, &s.head, &version, &holds));
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
	ed25519_sign(seed, signed_part, signature);
	crypt_wipe(seed, sizeof(seed));
	*text = str_fmt(
		a, "%.*s" SIGNATURE "%.*s\n", STR_ARG(signed_part),
		STR_ARG(crypt_base64(a, (struct str){(char *)signature, sizeof(signature)})));
	return NULL;
}

struct err *event_checkpoint_public(struct events *log, struct arena *a, struct str *pem)
{
	unsigned char seed[ED25519_KEY_BYTES], bytes[sizeof(der) + ED25519_KEY_BYTES];

	TRY(event_key_bytes(log, a, CHECKPOINT_KEY, seed));
	memcpy(bytes, der, sizeof(der));
	ed25519_public(seed, bytes + sizeof(der));
	crypt_wipe(seed, sizeof(seed));
	*pem = str_fmt(a, PEM_BEGIN "%.*s\n" PEM_END "\n",
		       STR_ARG(crypt_base64(a, (struct str){(char *)bytes, sizeof(bytes)})));
	return NULL;
}

/* ---- reading ---- */

static struct err *checkpoint_bad(const char *what, const char *why)
{
	return err_new(E_BAD_CHECKPOINT, "the %s %s", what, why);
}

static struct err *checkpoint_read_key(struct arena *a, struct str pem,
				       unsigned char out[ED25519_KEY_BYTES])
{
	struct str bytes, end;

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
	memcpy(out, bytes.p + sizeof(der), ED25519_KEY_BYTES);
	return NULL;
}

/* Takes the line "NAME VALUE" off the text. */
static bool checkpoint_line(struct str *rest, const char *name, struct str *value)
{
	struct str line;

	if (!str_line(rest, &line) || !str_starts(line, str_of(name)))
		return false;
	*value = str_sub(line, strlen(name), line.n);
	return str_is_text(*value);
}

static bool checkpoint_lines(struct str text, struct event_checkpoint *out)
{
	struct str value;

	if (!checkpoint_line(&text, FIRST_LINE, &value) || value.n ||
	    !checkpoint_line(&text, "machine ", &out->machine) ||
	    !checkpoint_line(&text, "time ", &value) || !os_time_read(value, &out->time) ||
	    !checkpoint_line(&text, "seq ", &value) || !str_int(value, &out->seq) || out->seq < 1 ||
	    !checkpoint_line(&text, "chain ", &out->chain))
		return false;
	return str_starts(out->chain, STR(HMAC_PREFIX)) && !text.n;
}

struct err *event_checkpoint_read(struct arena *a, struct str text, struct str pem,
				  struct event_checkpoint *out)
{
	unsigned char key[ED25519_KEY_BYTES];
	size_t at = str_find(text, STR("\n" SIGNATURE), 0);
	struct str signed_part, rest, signature;

	*out = (struct event_checkpoint){0};
	TRY(checkpoint_read_key(a, pem, key));
	if (at == SIZE_MAX)
		return checkpoint_bad("checkpoint", "has no signature");
	signed_part = str_sub(text, 0, at + 1);
	rest = str_sub(text, at + 1, text.n);
	if (!checkpoint_line(&rest, SIGNATURE, &signature) || rest.n ||
	    !crypt_base64_decode(a, signature, &signature) ||
	    signature.n != ED25519_SIGNATURE_BYTES)
		return checkpoint_bad("checkpoint", "has a malformed signature");
	if (!checkpoint_lines(signed_part, out))
		return checkpoint_bad("checkpoint", "is not in the form of ikm-formats(5)");
	if (!ed25519_verify(key, signed_part, (const unsigned char *)signature.p))
		return err_help(err_new(E_NOT_ALLOWED,
					"the signature of the checkpoint does not hold: the file "
					"was changed, or another key signed it"),
				"ask whoever keeps the record for the public key: ikm events "
				"checkpoint --public-key");
	return NULL;
}
