/* Line ends: an edit and an append give a text the line ends that the file has. */
#include "file/backend.h"

static bool ends_has_lf(struct str s)
{
	return str_find_char(s, '\n', 0) != SIZE_MAX;
}

static bool ends_has_crlf(struct str s)
{
	return str_holds(s, "\r\n");
}

enum file_ends file_ends(struct str text)
{
	bool lf = false, crlf = false;

	/* UTF-16 and other binary content: LF and CR are no line ends there. */
	if (str_has_nul(text))
		return FILE_ENDS_NONE;
	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++) {
		if (at && text.p[at - 1] == '\r')
			crlf = true;
		else
			lf = true;
		if (lf && crlf)
			return FILE_ENDS_MIXED;
	}
	return lf ? FILE_ENDS_LF : crlf ? FILE_ENDS_CRLF : FILE_ENDS_NONE;
}

struct str file_ends_convert(struct arena *a, struct str text, bool crlf, enum file_ends *ends)
{
	struct str given = match_convert_line_ends(a, text, crlf);

	*ends = str_eq(given, text) ? FILE_ENDS_NONE : crlf ? FILE_ENDS_CRLF : FILE_ENDS_LF;
	return given;
}

/* Lines of the content that end with LF, or those with CR LF. */
static size_t ends_count(struct str s, bool crlf)
{
	size_t n = 0;

	for (size_t at = 0; (at = str_find_char(s, '\n', at)) != SIZE_MAX; at++)
		n += (at && s.p[at - 1] == '\r') == crlf;
	return n;
}

struct str file_content_keep_line_ends(struct arena *a, struct str old, struct str text, bool keep,
				       struct file_replaced *done)
{
	enum file_ends was = file_ends(old), is = file_ends(text);
	bool marked = str_starts(old, STR(FILE_BOM));

	*done = (struct file_replaced){0};
	if (!text.p || str_has_nul(text) || str_has_nul(old))
		return text;
	/* A text with CR LF shows that its author knows line ends, and means them. */
	if (keep && was == FILE_ENDS_CRLF && is == FILE_ENDS_LF) {
		text = match_convert_line_ends(a, text, true);
		done->ends = FILE_ENDS_CRLF;
	} else if (was != FILE_ENDS_NONE && is != FILE_ENDS_NONE && was != is) {
		done->to_crlf = is != FILE_ENDS_LF;
		done->turned = ends_count(old, !done->to_crlf);
	}
	if (marked && text.n && !str_starts(text, STR(FILE_BOM))) {
		done->mark_kept = keep;
		done->mark_lost = !keep;
		if (keep)
			text = str_fmt(a, FILE_BOM "%.*s", STR_ARG(text));
	}
	return text;
}

bool file_edit_match_line_ends(struct arena *a, struct str content, struct file_edit *edit,
			       struct file_edited *done)
{
	struct str old = edit->old, new = edit->new;
	enum file_ends ends;
	bool crlf;

	if (edit->exact || (!ends_has_lf(old) && !ends_has_lf(new)))
		return false;
	ends = file_ends(content);
	crlf = ends == FILE_ENDS_CRLF;
	if (!crlf && ends != FILE_ENDS_LF)
		return ends == FILE_ENDS_MIXED;
	/*
	 * An old text with the file's line ends shows that its author knows them, so the new text's
	 * line ends are meant too. But nobody means to begin between CR and LF: "\nb" is "\r\nb".
	 */
	if ((crlf ? ends_has_crlf(old) : ends_has_lf(old)) && str_find(content, old, 0) != SIZE_MAX)
		return false;
	edit->old = match_convert_line_ends(a, old, crlf);
	edit->new = match_convert_line_ends(a, new, crlf);
	if (!str_eq(edit->old, old) || !str_eq(edit->new, new))
		done->ends = ends;
	return false;
}

void file_check_mixed(struct str content, struct str out, struct str new, bool exact,
		      struct file_edited *done)
{
	/* A lone CR of the file may become CR LF by what an edit puts in or takes away. */
	done->mixed = !exact && file_ends(out) == FILE_ENDS_MIXED &&
		      (ends_has_lf(new) || file_ends(content) != FILE_ENDS_MIXED);
}

/* ---- append ---- */

struct str file_content_append(struct arena *a, struct str content, struct str text, bool exact,
			       struct file_edited *done)
{
	enum file_ends ends = file_ends(content);
	bool half = content.n && content.p[content.n - 1] == '\r';
	struct buf b = buf_in(a);
	struct str given = text;

	*done = (struct file_edited){.count = text.n > 0};
	if (!exact && (ends == FILE_ENDS_CRLF || ends == FILE_ENDS_LF))
		text = match_convert_line_ends(a, given, ends == FILE_ENDS_CRLF);
	if (!str_eq(text, given))
		done->ends = ends;
	buf_room(&b, content.n + text.n + 2);
	buf_put(&b, content);
	/* A byte order mark is no line. */
	if (content.n && !str_is(content, FILE_BOM) && text.n && content.p[content.n - 1] != '\n')
		buf_puts(&b, ends == FILE_ENDS_CRLF && !half ? "\r\n" : "\n");
	buf_put(&b, text);
	file_check_mixed(content, buf_as_str(&b), given, exact, done);
	return buf_as_str(&b);
}
