#include "change_result.h"
#include "app/warnings.h"
#include "crypt/crypt.h"

const char *const encodings[] = {"utf-8", "base64", NULL};

struct err *written_bytes(struct call *c, int encoding, const char *param, struct str given,
			  struct str *out)
{
	*out = given;
	if (encoding != ENCODING_BASE64 || crypt_base64_decode(c->a, given, out))
		return NULL;
	return err_param(E_WRONG_TYPE, str_of(param),
			 "%s must be base64 with padding, as 'encoding' says", param);
}

const char *const written_ends[] = {"lf", "crlf", NULL};

void written_set_ends(struct call *c, struct written *w, const struct file_edited *edited)
{
	if (edited->ends)
		w->ends = written_ends[edited->ends == FILE_ENDS_CRLF];
	if (!edited->mixed || !w->done.changed)
		return;
	strs_push(c->a, &w->done.warnings,
		  str_fmt(c->a,
			  "some lines of '%.*s' end with LF and some with CR LF: the text keeps "
			  "its own line ends",
			  STR_ARG(str_utf8(c->a, w->path))));
}
