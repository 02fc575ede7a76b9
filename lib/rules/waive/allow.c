/* The comment ikm:allow. */
#include "waive/waive.h"

static size_t allow_line_end(struct str text, size_t at)
{
	return size_min(str_find_char(text, '\n', at), text.n);
}

static struct str allow_word(struct str *rest)
{
	size_t n = 0;
	struct str word;

	*rest = str_trim(*rest);
	while (n < rest->n && !ascii_is_any_space(rest->p[n]))
		n++;
	word = str_sub(*rest, 0, n);
	*rest = str_trim(str_sub(*rest, n, rest->n));
	return word;
}

/* ITEM or ITEM#N. */
static bool allow_read_item(struct str word, struct waiver *w)
{
	size_t hash = str_rfind_char(word, '#');

	w->item = word;
	if (hash == SIZE_MAX || hash + 1 == word.n)
		return word.n > 0 && hash == SIZE_MAX;
	w->item = str_sub(word, 0, hash);
	return w->item.n && str_int(str_sub(word, hash + 1, word.n), &w->constraint) &&
	       w->constraint > 0 && w->constraint <= INT32_MAX;
}

/* "DATE: reason", "DATE reason" or "DATE by NAME: reason". */
static const char *allow_read_end(struct str rest, struct waiver *w)
{
	struct str date = str_sub(rest, 0, 10), after = str_sub(rest, 10, rest.n);
	size_t colon;

	if (!waive_day_read(date, &w->ends) ||
	    (after.n && after.p[0] != ':' && !ascii_is_any_space(after.p[0])))
		return "the end must be a date such as 2026-12-31";
	w->expires = date;
	if (after.n && after.p[0] == ':') {
		w->reason = str_trim(str_sub(after, 1, after.n));
	} else {
		after = str_trim(after);
		w->reason = after;
		if (str_starts(after, STR("by "))) {
			colon = str_find(after, STR(": "), 0);
			if (colon == SIZE_MAX)
				return "behind 'by NAME' a colon and the reason must follow";
			w->owner = str_trim(str_sub(after, 3, colon));
			w->reason = str_trim(str_sub(after, colon + 1, after.n));
		}
	}
	return w->reason.n ? NULL : "the reason is missing";
}

/* The text of the line behind the word, when the word is the first of its line in the comment. */
static bool allow_text(struct str line, struct str *rest)
{
	line = str_trim(line);
	while (line.n && memchr("*/#-;%!", line.p[0], 7))
		line = str_sub(line, 1, line.n);
	line = str_trim(line);
	if (!str_starts(line, STR(WAIVE_WORD)))
		return false;
	*rest = str_sub(line, sizeof(WAIVE_WORD) - 1, line.n);
	return !rest->n || ascii_is_any_space(rest->p[0]);
}

static void allow_add(struct arena *a, struct str path, struct str text, int64_t today,
		      const struct lexer_comment *c, struct place at, size_t offset,
		      struct str rest, struct allows *out)
{
	/* The code before the comment and behind it. */
	size_t nl = str_rfind_char(str_sub(text, 0, c->at.from), '\n');
	struct str before = str_sub(text, nl == SIZE_MAX ? 0 : nl + 1, c->at.from);
	struct str behind = str_sub(text, c->at.to, allow_line_end(text, c->at.to));
	struct allow *x = VEC_PUSH(a, out);
	const char *wrong;

	x->w.file = str_dup(a, path);
	x->w.line = at.line;
	x->w.in_comment = true;
	/* Behind it: in a notebook the text has other lines than the file. */
	for (size_t i = offset; i < c->below; i++)
		x->next += text.p[i] == '\n';
	if (x->next)
		x->next += at.line;
	else
		x->covered = str_dup(a, str_trim(str_fmt(a, "%.*s %.*s", STR_ARG(str_trim(before)),
							 STR_ARG(str_trim(behind)))));
	if (!allow_read_item(allow_word(&rest), &x->w))
		wrong = "the item is missing or wrong";
	else if (!str_is(allow_word(&rest), "until"))
		wrong = "'until' and the end are missing";
	else
		wrong = allow_read_end(rest, &x->w);
	if (wrong)
		x->w.problem = str_fmt(a,
				       "this " WAIVE_WORD " does not count: %s; write '" WAIVE_WORD
				       " ITEM until YYYY-MM-DD: reason'",
				       wrong);
	else if (waive_days_left(&x->w, today) > WAIVE_DAYS_MAX)
		x->w.problem =
			str_fmt(a,
				"this " WAIVE_WORD
				" does not count: its end is %lld days ahead, and it may last "
				"%d days from today",
				(long long)waive_days_left(&x->w, today), WAIVE_DAYS_MAX);
	/* Nothing is borrowed from the text. */
	x->w.item = str_utf8(a, str_dup(a, x->w.item));
	x->w.reason = str_utf8(a, str_dup(a, x->w.reason));
	x->w.owner = str_utf8(a, str_dup(a, x->w.owner));
	x->w.expires = str_dup(a, x->w.expires);
	strs_push(a, &x->w.paths, x->w.file);
}

/* An allow above further allows covers the line below all of them. */
static void allows_join(struct arena *a, struct str text, struct allows *list)
{
	struct str line = {"", 0}, rest = text;
	size_t at = 0, i;

	for (i = list->n; i-- > 0;)
		for (size_t k = i + 1; k < list->n && list->p[i].next; k++)
			/* Behind code it covers only that line, which is the one below this. */
			if (list->p[k].next && list->p[k].w.line == list->p[i].next) {
				list->p[i].next = list->p[k].next;
				break;
			}
	/* The lines below ascend with the comments. */
	for (i = 0; i < list->n; i++) {
		struct allow *x = &list->p[i];

		while (x->next && at < x->next && str_next_line(&rest, &line))
			at++;
		if (x->next)
			x->covered = at == x->next ? str_dup(a, str_trim(line)) : STR("");
	}
}

#define ALLOWS_MAX 1000 /* in one file */

static struct str allow_elsewhere(struct arena *a, struct str where, const char *why)
{
	return str_fmt(a,
		       "this " WAIVE_WORD
		       " does not count: %.*s%s; write the exception into " WAIVE_FILE,
		       STR_ARG(where), why);
}

/*
 * In the part list->p[i], which ikm cannot read, the first text that is meant to be an exception:
 * "ikm:allow ITEM until". Other texts speak about the word, and comments of the list are known.
 */
static void allows_unread(struct arena *a, struct str path, struct str text,
			  const struct lexer_comments *list, size_t i, struct allows *out)
{
	const struct lexer_comment *c = &list->p[i];
	struct str part = str_sub(text, 0, c->at.to), rest, where = {"", 0};
	size_t at = c->at.from;

	for (; (at = str_find(part, STR(WAIVE_WORD), at)) != SIZE_MAX; at++) {
		rest = str_sub(text, at + sizeof(WAIVE_WORD) - 1, allow_line_end(text, at));
		while (i < list->n && (list->p[i].unread || list->p[i].at.to <= at))
			i++;
		allow_word(&rest);
		if (str_is(allow_word(&rest), "until") && (i == list->n || at < list->p[i].at.from))
			break;
	}
	if (at == SIZE_MAX)
		return;
	if (c->text.to)
		where = str_fmt(a, "line %zu: ", str_place_of_offset(text, c->text.from).line);
	*VEC_PUSH(a, out) = (struct allow){
		.w = {.file = str_dup(a, path),
		      .line = str_place_of_offset(text, at).line,
		      .in_comment = true,
		      .problem = allow_elsewhere(a, where, c->unread)},
	};
}

/* Whether an exception on this line of a notebook would cover several cells, which share it. */
static bool allow_is_shared(const struct lexer_form *form, struct str text, size_t start)
{
	struct str cell = STR("\"cell_type\""), line;
	size_t at;

	line = str_sub(text, start, allow_line_end(text, start));
	at = str_find(line, cell, 0);
	return form->cut == lexer_cut_notebook && at != SIZE_MAX &&
	       str_find(line, cell, at + 1) != SIZE_MAX;
}

void allows_read_comments(struct arena *a, struct str path, struct str text, int64_t today,
			  struct allows *out)
{
	const struct lexer_form *form;
	struct lexer_comments list = {0};
	struct arena *scratch ARENA_LOCAL = NULL;
	struct places places = {.text = text};
	size_t at = str_find(text, STR(WAIVE_WORD), 0), start = SIZE_MAX;
	bool shared = false;

	*out = (struct allows){0};
	if (at == SIZE_MAX)
		return;
	form = lexer_form(path, text);
	scratch = arena_new();
	if (form && lexer_has_comments(form))
		lexer_comments(scratch, form, path, text, STR(WAIVE_WORD), &list);
	else
		*VEC_PUSH(scratch, &list) = (struct lexer_comment){
			.at = {at, text.n}, .unread = "ikm knows no comments in such a file"};
	for (size_t i = 0; i < list.n && out->n < ALLOWS_MAX; i++) {
		const struct lexer_comment *c = &list.p[i];
		struct str rest = str_sub(text, c->text.from, c->text.to), line, words;

		if (c->unread) {
			allows_unread(a, path, text, &list, i, out);
			continue;
		}
		for (size_t from = c->text.from; out->n < ALLOWS_MAX && str_next_line(&rest, &line);
		     from = c->text.to - rest.n) {
			if (!allow_text(line, &words))
				continue;
			allow_add(a, path, text, today, c, str_place_of_next_offset(&places, from),
				  from, words, out);
			if (start != places.start)
				shared = allow_is_shared(form, text, places.start);
			start = places.start;
			if (shared)
				out->p[out->n - 1].w.problem = allow_elsewhere(
					a, STR(""), "several cells of the notebook share its line");
		}
	}
	allows_join(a, text, out);
}

bool allow_covers(const struct allow *x, size_t line)
{
	return !x->w.problem.n && line && (line == x->w.line || line == x->next);
}

bool allow_existed_before(const struct allow *x, const struct allow *was)
{
	return !was->w.problem.n && !was->taken && str_eq(x->w.item, was->w.item) &&
	       x->w.constraint == was->w.constraint && x->w.ends <= was->w.ends;
}
