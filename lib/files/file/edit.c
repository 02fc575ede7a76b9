/* Edits of a text in memory: line ends, append, and the replacement of a part. */
#include "file/backend.h"

#define LINES_MAX 20 /* most lines that a message names */
/* most places that are counted; counting each may cost the length of the old text */
#define PLACES_MAX 100

/* ---- line ends ---- */

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
		for (size_t at = 0; (at = str_find_char(old, '\n', at)) != SIZE_MAX; at++)
			done->turned += (at && old.p[at - 1] == '\r') != done->to_crlf;
	}
	if (marked && text.n && !str_starts(text, STR(FILE_BOM))) {
		done->mark_kept = keep;
		done->mark_lost = !keep;
		if (keep)
			text = str_fmt(a, FILE_BOM "%.*s", STR_ARG(text));
	}
	return text;
}

/*
 * Converts the line ends of both texts to those of the content, unless edit->exact is set or the
 * old text matches with its own. True: the content has both line ends.
 */
static bool file_edit_match_line_ends(struct arena *a, struct str content, struct file_edit *edit,
				      struct file_edited *done)
{
	struct str old = edit->old, new = edit->new;
	enum file_ends ends;
	bool crlf;

	if (edit->exact || (!str_holds(old, "\n") && !str_holds(new, "\n")))
		return false;
	ends = file_ends(content);
	crlf = ends == FILE_ENDS_CRLF;
	if (!crlf && ends != FILE_ENDS_LF)
		return ends == FILE_ENDS_MIXED;
	/*
	 * An old text with the file's line ends shows that its author knows them, so the new text's
	 * line ends are meant too. But nobody means to begin between CR and LF: "\nb" is "\r\nb".
	 */
	if ((crlf ? str_holds(old, "\r\n") : str_holds(old, "\n")) &&
	    str_find(content, old, 0) != SIZE_MAX)
		return false;
	edit->old = match_convert_line_ends(a, old, crlf);
	edit->new = match_convert_line_ends(a, new, crlf);
	if (!str_eq(edit->old, old) || !str_eq(edit->new, new))
		done->ends = ends;
	return false;
}

/* Sets done->mixed for the result `out` of putting `new` into the content. */
static void file_check_mixed(struct str content, struct str out, struct str new, bool exact,
			     struct file_edited *done)
{
	/* A lone CR of the file may become CR LF by what an edit puts in or takes away. */
	done->mixed = !exact && file_ends(out) == FILE_ENDS_MIXED &&
		      (str_holds(new, "\n") || file_ends(content) != FILE_ENDS_MIXED);
}

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

/* ---- replacing ---- */

/* Makes the error NOT_UNIQUE. A line with several places is named once, but each place counts. */
static struct err *edit_not_unique(struct arena *a, struct str content, struct str old, size_t at)
{
	int64_t lines[LINES_MAX];
	struct strs names = {0};
	size_t line = 1, counted = 0, places = 0, n = 0;
	bool more, other;
	struct err *e;

	for (; at != SIZE_MAX; at = str_find(content, old, at + 1)) {
		for (; counted < at; counted++)
			line += content.p[counted] == '\n';
		other = !n || lines[n - 1] != (int64_t)line;
		if (places == PLACES_MAX || (other && n == LINES_MAX))
			break;
		places++;
		if (!other)
			continue;
		lines[n++] = (int64_t)line;
		strs_push(a, &names, str_fmt(a, "%zu", line));
	}
	more = at != SIZE_MAX;
	e = err_new(E_NOT_UNIQUE, "the old text is there %s%zu times, in the line%s %.*s%s",
		    more ? "over " : "", places, PLURAL(n), STR_ARG(str_join(a, &names, ", ")),
		    more ? " and later" : "");
	err_detail_ints(e, "lines", lines, n);
	err_detail_int(e, "count", (int64_t)places);
	err_detail_bool(e, "more", more);
	return err_help(e, "give more text around the right place, or replace every place "
			   "with --all");
}

static struct err *edit_too_big(void)
{
	return err_detail_int(err_new(E_TOO_BIG, "the result would be over the limit of %zu bytes",
				      FILE_BYTES_MAX),
			      "limit", (int64_t)FILE_BYTES_MAX);
}

/* Counts the places without overlaps, and checks the size of the result. */
static struct err *count_all(struct str content, struct str old, struct str new, size_t *count)
{
	size_t at = 0, grows = new.n > old.n ? new.n - old.n : 0;

	for (*count = 0; (at = str_find(content, old, at)) != SIZE_MAX; ++*count)
		at += old.n;
	if (content.n > FILE_BYTES_MAX || (grows && *count > (FILE_BYTES_MAX - content.n) / grows))
		return edit_too_big();
	return NULL;
}

static struct err *same_texts(const struct file_edit *edit, const struct file_edited *done)
{
	struct err *e = err_new(E_BAD_ARGUMENT, "the new text is the old text%s",
				done->ends ? ", but for its line ends" : "");

	if (!done->ends)
		return err_help(e, "nothing is to be changed; or give a new text that differs");
	return err_help(e,
			"both get the line ends of the file, %s; give both as base64 to change "
			"line ends",
			str_ends(edit->old, STR("\r\n")) ? "CR LF" : "LF");
}

static struct err *edit_matched(struct arena *a, const struct match_edited *edited, struct str out,
				struct file_edited *done)
{
	done->count = edited->count;
	done->at = edited->at;
	done->end = edited->end;
	done->tolerated = match_tolerated_text(a, edited->tolerated);
	return out.n <= FILE_BYTES_MAX ? NULL : edit_too_big();
}

/* The old text is not there as it is. */
static struct err *edit_loosely(struct arena *a, struct str content, const struct file_edit *edit,
				struct str *out, struct file_edited *done)
{
	struct match_edited edited;

	if (edit->exact || edit->all || str_has_nul(content))
		return match_no_such_text(a, content, edit->old);
	TRY(match_edit(a, content, edit->old, edit->new, out, &edited));
	return edit_matched(a, &edited, *out, done);
}

/* Replaces the places in a content with both line ends; the answer is false when there are none. */
static struct err *edit_mixed(struct arena *a, struct str content, const struct file_edit *edit,
			      struct str *out, struct file_edited *done)
{
	struct match_mixed mixed = {edit->old, edit->new, content, edit->old};
	struct match_edited edited;
	size_t count;

	/* A CR at the end of the old text may be half of a CR LF. */
	if (edit->all && !str_ends(edit->old, STR("\r"))) {
		mixed.in = match_convert_line_ends(a, content, false);
		mixed.sought = match_convert_line_ends(a, edit->old, false);
	}
	TRY(count_all(mixed.in, mixed.sought, edit->new, &count));
	TRY(match_edit_mixed(a, content, &mixed, out, &edited));
	if (!edited.count)
		return match_no_such_text(a, content, edit->old);
	return edit_matched(a, &edited, *out, done);
}

struct err *file_edit_text(struct arena *a, struct str content, const struct file_edit *given,
			   struct str *out, struct file_edited *done)
{
	struct file_edit in_kind = *given;
	const struct file_edit *edit = &in_kind;
	struct buf b = buf_in(a);
	size_t at, next;
	bool mixed;

	*done = (struct file_edited){0};
	if (!edit->old.n)
		return err_help(err_new(E_BAD_ARGUMENT, "the old text is empty"),
				"use 'ikm write' for a new file, and 'ikm append' to add text");
	if (str_eq(edit->old, edit->new))
		return same_texts(edit, done);
	mixed = file_edit_match_line_ends(a, content, &in_kind, done);
	at = str_find(content, edit->old, 0);
	if (at != SIZE_MAX && str_eq(edit->old, edit->new))
		return same_texts(edit, done);
	if (at != SIZE_MAX && !edit->all && str_find(content, edit->old, at + 1) != SIZE_MAX)
		return edit_not_unique(a, content, edit->old, at);
	if (at == SIZE_MAX || mixed) {
		TRY((mixed && (edit->all || at != SIZE_MAX) ? edit_mixed : edit_loosely)(
			a, content, edit, out, done));
		file_check_mixed(content, *out, edit->new, edit->exact, done);
		return NULL;
	}
	TRY(count_all(content, edit->old, edit->new, &done->count));
	done->at = at;
	done->end = at + edit->old.n;
	/*
	 * Reserve all bytes at once, so that nothing is copied twice; one more, because the size
	 * may be 0.
	 */
	buf_room(&b, content.n - done->count * edit->old.n + done->count * edit->new.n + 1);
	buf_put(&b, str_sub(content, 0, done->at));
	for (; at != SIZE_MAX; at = next) {
		size_t end = at + edit->old.n;

		next = str_find(content, edit->old, end);
		buf_put(&b, edit->new);
		buf_put(&b, str_sub(content, end, size_min(next, content.n)));
	}
	*out = buf_as_str(&b);
	file_check_mixed(content, *out, edit->new, edit->exact, done);
	return NULL;
}
