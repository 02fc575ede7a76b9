#include "change_result.h"
#include "app/warnings.h"
#include "crypt/crypt.h"

const char *const encodings[] = {"utf-8", "base64", NULL};

struct err *written_bytes(struct call *c, int encoding, const char *param, struct str given,
			  struct str *out)
{
	struct err *e;

	*out = given;
	if (encoding != ENCODING_BASE64 || crypt_base64_decode(c->a, given, out))
		return NULL;
	e = err_new(E_WRONG_TYPE, "%s must be base64 with padding, as 'encoding' says", param);
	return err_detail(e, "parameter", str_of(param));
}

struct val *written_result(struct call *c, struct str path, const struct file_done *done)
{
	struct val *v = val_map(c->a);

	val_set(c->a, v, "path", val_str(c->a, str_utf8(c->a, path)));
	val_set(c->a, v, "newHash", val_str(c->a, done->hash));
	val_set(c->a, v, "bytes", val_int(c->a, (int64_t)done->size));
	val_set(c->a, v, "created", val_bool(c->a, done->created));
	val_set(c->a, v, "changed", val_bool(c->a, done->changed));
	if (done->event.n)
		val_set(c->a, v, "event", val_str(c->a, done->event));
	if (done->warnings.n)
		val_set(c->a, v, "warnings", val_strs(c->a, &done->warnings));
	return v;
}

const char *const written_ends[] = {"lf", "crlf", NULL};

void written_ended(struct call *c, struct str path, const struct file_edited *edited,
		   struct file_done *done)
{
	if (!edited->mixed || !done->changed)
		return;
	strs_push(c->a, &done->warnings,
		  str_fmt(c->a,
			  "some lines of '%.*s' end with LF and some with CR LF: the text "
			  "was put in with the line ends that it was given with",
			  STR_ARG(str_utf8(c->a, path))));
}

void written_put_ends(struct call *c, struct val *result, const struct file_edited *edited)
{
	if (edited->ends)
		val_set(c->a, result, "lineEnds",
			val_str(c->a, str_of(written_ends[edited->ends == FILE_ENDS_CRLF])));
}

void written_text(struct call *c, const void *args, const struct val *result)
{
	struct str ends = val_get_str(result, "lineEnds");

	(void)args;
	if (ends.n) {
		out_puts(c->err, "ikm: '");
		out_safe(c->err, val_get_str(result, "path"), false);
		out_fmt(c->err, "' has lines that end with %s, and the text got these line ends\n",
			str_is(ends, "crlf") ? "CR LF" : "LF");
	}
	warnings_of(c, result);
}
