/*
 * charset: text that is not UTF-8. Tools read, search and edit it as text; the file keeps its
 * encoding, and each byte that an edit does not replace.
 */
#pragma once

#include "file/file.h"

struct charset {
	struct str name; /* as "iso-8859-1"; empty: UTF-8, or bytes that are no text */
	bool guessed;    /* neither a byte order mark nor the caller says it */
};
/*
 * The content as UTF-8. name: the encoding that the caller knows, or p NULL: by a byte order mark,
 * else guessed: UTF-16, UTF-32, ISO 8859-1 or Windows-1252. Content that is UTF-8, or no text at
 * all, stays as it is. Errors: NOT_TEXT when the content is not in the named encoding; BAD_ARGUMENT
 * when ikm and iconv do not know it.
 */
struct err *charset_decode(struct arena *a, struct str content, struct str name, struct str *text,
			   struct charset *out) MUST_USE;
/*
 * The same for the content of a file. Where `said` has p NULL, working-tree-encoding of
 * .gitattributes and charset of .editorconfig decide; the nearest of these files counts. What they
 * say of a content that is not so is ignored.
 */
struct err *charset_decode_file(struct arena *a, struct str path, struct str content,
				struct str said, struct str *text, struct charset *out) MUST_USE;
/*
 * The content of a file that does not exist: the text in the encoding and with the line ends that
 * these files say. Where `said` has p, it is the encoding. *ends: what the text was converted to.
 * A stored asset, and what is no text, stays as it is. Errors: BAD_ARGUMENT as charset_encode().
 */
struct err *charset_encode_new_file(struct arena *a, const struct file_item *to, struct str said,
				    struct str text, enum file_ends *ends,
				    struct str *out) MUST_USE;
/*
 * The new text in the encoding of the old one. Errors: BAD_ARGUMENT for a letter that the encoding
 * does not have; and where it is only guessed, for a letter beyond ASCII that the old text has not,
 * and for a change that cuts a letter of two bytes in case that the guess is wrong.
 */
struct err *charset_encode(struct arena *a, const struct charset *c, struct str old, struct str new,
			   struct str *out) MUST_USE;
/* The path of a file; empty for a stored asset, of which no file says anything. */
struct str file_disk_path(const struct file_ref *r);
/*
 * Whether a file is in another encoding than UTF-8: the beginning of its content shows it, or
 * .gitattributes or .editorconfig says it of a content that is not UTF-8 (utf8 false) or has a NUL.
 */
bool charset_is_other(struct str path, struct str head, bool utf8);
/* "utf-16le (guessed)" */
struct str charset_shown(struct arena *a, const struct charset *c);
