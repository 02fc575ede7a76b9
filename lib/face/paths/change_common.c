#include "change_common.h"
#include "app/print_warnings.h"
#include "crypt/crypt.h"

bool written_is_base64(struct str encoding)
{
	return str_is(encoding, "base64");
}

struct err *written_decode_old_content(struct arena *a, const struct file_ref *r,
				       struct str encoding, struct str content, struct str *text,
				       struct charset *out)
{
	*text = content;
	*out = (struct charset){.name = STR("")};
	return written_is_base64(encoding)
		       ? NULL
		       : charset_decode_file(a, file_disk_path(r), content, encoding, text, out);
}

void written_note_guessed_charset(struct call *c, struct written *w, const struct charset *charset)
{
	if (charset->guessed && charset->name.n && w->done.changed)
		strs_push(c->a, &w->done.warnings,
			  str_fmt(c->a, "'%.*s' is not UTF-8; its encoding is guessed as %.*s",
				  STR_ARG(str_utf8(c->a, w->path)), STR_ARG(charset->name)));
}

struct err *written_decode_param(struct call *c, struct str encoding, const char *param,
				 struct str given, struct str *out)
{
	*out = given;
	if (!written_is_base64(encoding) || crypt_base64_decode(c->a, given, out))
		return NULL;
	return err_for_param(E_WRONG_TYPE, str_of(param),
			     "%s must be base64 with padding, as 'encoding' says", param);
}

const char *const written_ends[] = {"lf", "crlf", NULL};

void written_note_line_ends(struct call *c, struct written *w, const struct file_edited *edited)
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
