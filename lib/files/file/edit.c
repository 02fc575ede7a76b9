/* Replaces text in a content, for edit. */
#include "file/backend.h"

#define LINES_MAX 20 /* most lines that a message names */
/* most places that are counted; counting each may cost the length of the old text */
#define PLACES_MAX 100

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
