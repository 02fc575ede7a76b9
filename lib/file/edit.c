/* What an edit or an append makes of a text. */
#include "file/file.h"

#define PLACES_MAX 20  /* that a message names */
#define SHOWN_MAX  120 /* bytes of a line in a message */

/* ---- the nearest line, for a text that is not there ---- */

/* How often a pair of bytes is in the line that is wanted, and was met in the one looked at. */
struct pair {
	size_t want, met, line;
};

static struct pair *pair_at(struct pair *pairs, struct str s, size_t i)
{
	return &pairs[(size_t)(unsigned char)s.p[i] << 8 | (unsigned char)s.p[i + 1]];
}

/* Dice's coefficient over pairs of bytes, in thousandths: the time grows with the line alone. */
static size_t similarity(struct pair *pairs, struct str want, struct str line, size_t number)
{
	size_t common = 0;

	for (size_t i = 0; i + 1 < line.n; i++) {
		struct pair *p = pair_at(pairs, line, i);

		if (p->line != number) {
			p->line = number;
			p->met = 0;
		}
		common += p->met++ < p->want;
	}
	return 2000 * common / (want.n + line.n - 2);
}

struct near_line {
	struct str text;
	size_t number, score;
};

/* The line most like the first of `old` that is not blank; number 0: none is. */
static struct near_line nearest(struct arena *a, struct str content, struct str old)
{
	struct near_line best = {.score = 300};
	struct str want = {0}, line;
	struct pair *pairs;

	while (!want.n && str_line(&old, &line))
		want = str_trim(line);
	if (want.n < 2)
		return best;
	pairs = arena_array(a, 65536, sizeof(*pairs));
	for (size_t i = 0; i + 1 < want.n; i++)
		pair_at(pairs, want, i)->want++;
	for (size_t number = 1; str_line(&content, &line); number++) {
		struct str text = str_trim(line);
		size_t score = text.n < 2 ? 0 : similarity(pairs, want, text, number);

		if (score > best.score)
			best = (struct near_line){text, number, score};
	}
	return best;
}

static bool has_crlf(struct str s)
{
	return str_find(s, STR("\r\n"), 0) != SIZE_MAX;
}

static struct err *no_such_text(struct arena *a, struct str content, struct str old)
{
	struct near_line near = nearest(a, content, old);
	struct str blanks = str_trim(old), shown;
	struct err *e;
	size_t at;

	if (!near.number)
		return err_new(E_NO_SUCH_TEXT, "the old text is not there, nor a line like it");
	shown = str_utf8(a, str_sub(near.text, 0, SHOWN_MAX));
	e = err_new(E_NO_SUCH_TEXT, "the old text is not there; the nearest line is %zu: %.*s",
		    near.number, STR_ARG(shown));
	err_detail_int(e, "nearestLine", (int64_t)near.number);
	err_detail(e, "nearest", shown);
	at = blanks.n ? str_find(content, blanks, 0) : SIZE_MAX;
	if (at != SIZE_MAX)
		return err_help(e, "without the blanks and newlines around it, it is in line %zu",
				str_place(content, at).line);
	if (has_crlf(content) && !has_crlf(old) && str_find_char(old, '\n', 0) != SIZE_MAX)
		return err_help(e, "lines of the file end with CR and LF, those of the old text "
				   "with LF");
	return err_help(e, "read the file again, and copy the text exactly, with its blanks");
}

/* ---- edit ---- */

static struct err *not_unique(struct arena *a, struct str content, struct str old, size_t at)
{
	struct strs lines = {0};
	size_t line = 1, counted = 0;
	bool more;
	struct err *e;

	while (at != SIZE_MAX && lines.n < PLACES_MAX) {
		for (; counted < at; counted++)
			line += content.p[counted] == '\n';
		strs_push(a, &lines, str_fmt(a, "%zu", line));
		at = str_find(content, old, at + 1);
	}
	more = at != SIZE_MAX;
	e = err_new(E_NOT_UNIQUE, "the old text is there %s%zu times, in the lines %.*s%s",
		    more ? "over " : "", lines.n, STR_ARG(str_join(a, &lines, ", ")),
		    more ? " and later" : "");
	err_detail_list(e, "lines", &lines);
	return err_help(e, "give more of what is around the right one, or replace every one: all "
			   "(--all)");
}

/* Without overlaps: how many, and whether the result stays in bounds. */
static struct err *count_all(struct str content, const struct file_edit *edit, size_t *count)
{
	size_t at = 0, grows = edit->new.n > edit->old.n ? edit->new.n - edit->old.n : 0;

	for (*count = 0; (at = str_find(content, edit->old, at)) != SIZE_MAX; ++*count)
		at += edit->old.n;
	if (content.n > FILE_BYTES_MAX || (grows && *count > (FILE_BYTES_MAX - content.n) / grows))
		return err_detail_int(err_new(E_TOO_BIG, "the result would be over the limit of "
							 "%zu bytes", FILE_BYTES_MAX),
				      "limit", (int64_t)FILE_BYTES_MAX);
	return NULL;
}

struct err *file_edit_text(struct arena *a, struct str content, const struct file_edit *edit,
			   struct str *out, size_t *count)
{
	struct buf b = buf_in(a);
	size_t at, next;

	if (!edit->old.n)
		return err_help(err_new(E_BAD_ARGUMENT, "the old text is empty"),
				"use write for a new file, and append to add to one");
	if (str_eq(edit->old, edit->new))
		return err_new(E_BAD_ARGUMENT, "the new text is the old text");
	at = str_find(content, edit->old, 0);
	if (at == SIZE_MAX)
		return no_such_text(a, content, edit->old);
	if (!edit->all && str_find(content, edit->old, at + 1) != SIZE_MAX)
		return not_unique(a, content, edit->old, at);
	TRY(count_all(content, edit, count));
	/* At once, so that nothing is copied twice; one more, because there is no room of nothing. */
	buf_room(&b, content.n - *count * edit->old.n + *count * edit->new.n + 1);
	buf_put(&b, str_sub(content, 0, at));
	for (; at != SIZE_MAX; at = next) {
		size_t end = at + edit->old.n;

		next = str_find(content, edit->old, end);
		buf_put(&b, edit->new);
		buf_put(&b, str_sub(content, end, size_min(next, content.n)));
	}
	*out = buf_str(&b);
	return NULL;
}

/* ---- append ---- */

struct str file_append_text(struct arena *a, struct str content, struct str text)
{
	struct buf b = buf_in(a);

	buf_room(&b, content.n + text.n + 1);
	buf_put(&b, content);
	if (content.n && text.n && content.p[content.n - 1] != '\n')
		buf_putc(&b, '\n');
	buf_put(&b, text);
	return buf_str(&b);
}
