/* An edit by lines: a hunk of those that it changes. */
#include "match/internal.h"

#define CELLS_MAX  ((size_t)1 << 22) /* of the table that finds the lines that both texts have */
#define PLACES_MAX 20                /* lines that a message names */
#define EDIT_WORK  ((size_t)1 << 28) /* steps of the search; the file is locked meanwhile */

struct edit_lines VEC(struct patch_line);

static struct strs edit_split(struct arena *a, struct str text)
{
	struct strs out = {0};

	for (size_t at = 0; at < text.n; at += out.p[out.n - 1].n)
		strs_push(a, &out, str_line_from(text, at));
	return out;
}

static void edit_put(struct arena *a, struct edit_lines *out, char kind, const struct strs *from,
		     size_t at, size_t end)
{
	for (; at < end; at++)
		*VEC_PUSH(a, out) = (struct patch_line){kind, from->p[at]};
}

/* The last line of a text may have no newline, and be in the middle of the other text. */
static bool edit_same(struct str old, struct str new)
{
	return str_eq(match_without_line_ending(old), match_without_line_ending(new));
}

/*
 * The lines between those that both texts begin and end with: the longest common ones are kept.
 * False: they are too many to compare.
 */
static bool edit_middle(struct arena *a, const struct strs *old, size_t i, size_t old_end,
			const struct strs *new, size_t k, size_t new_end, struct edit_lines *out)
{
	size_t rows = old_end - i + 1, columns = new_end - k + 1, from = i, to = k;
	uint32_t *common; /* the number of lines that both have from here on */

	if (rows > CELLS_MAX / columns)
		return false;
	common = arena_array(a, rows * columns, sizeof(*common));
	for (size_t r = rows - 1; r-- > 0;)
		for (size_t c = columns - 1; c-- > 0;) {
			uint32_t down = common[(r + 1) * columns + c];
			uint32_t right = common[r * columns + c + 1];

			common[r * columns + c] = edit_same(old->p[from + r], new->p[to + c])
							  ? common[(r + 1) * columns + c + 1] + 1
						  : down > right ? down
								 : right;
		}
	while (i < old_end || k < new_end) {
		size_t r = i - from, c = k - to;

		if (i < old_end && k < new_end && edit_same(old->p[i], new->p[k])) {
			bool was = match_line_ending_of(old->p[i]).n;
			bool is = match_line_ending_of(new->p[k]).n;

			*VEC_PUSH(a, out) = (struct patch_line){was == is ? ' '
								: is      ? MATCH_KIND_ENDED
									  : MATCH_KIND_JOINED,
								old->p[i]};
			i++;
			k++;
		} else if (i < old_end && (k == new_end || common[(r + 1) * columns + c] >=
								   common[r * columns + c + 1])) {
			edit_put(a, out, '-', old, i, i + 1);
			i++;
		} else {
			edit_put(a, out, '+', new, k, k + 1);
			k++;
		}
	}
	return true;
}

static bool edit_hunk(struct arena *a, struct str old_text, struct str new_text,
		      struct edit_lines *out)
{
	struct strs old = edit_split(a, old_text), new = edit_split(a, new_text);
	size_t head = 0, old_end = old.n, new_end = new.n;

	while (head < old_end && head < new_end && str_eq(old.p[head], new.p[head]))
		head++;
	while (old_end > head && new_end > head && str_eq(old.p[old_end - 1], new.p[new_end - 1])) {
		old_end--;
		new_end--;
	}
	edit_put(a, out, ' ', &old, 0, head);
	if (!edit_middle(a, &old, head, old_end, &new, head, new_end, out))
		return false;
	edit_put(a, out, ' ', &old, old_end, old.n);
	return true;
}

static struct err *edit_places(struct match *m, const struct match_hunk *h,
			       const struct match_place *first)
{
	struct str words = match_tolerated_text(m->a, match_hunk_differences(m, h, first));
	int64_t lines[PLACES_MAX];
	struct strs names = {0};
	struct match_place at = *first;
	size_t n = 0;
	bool more;
	struct err *e;

	do {
		lines[n++] = (int64_t)at.line + 1;
		strs_push(m->a, &names, str_fmt(m->a, "%zu", at.line + 1));
		more = match_find_from_line(m, h, first->pass, at.line + 1, &at);
	} while (more && n < PLACES_MAX);
	e = err_new(E_NOT_UNIQUE,
		    "the old text is there only with other %.*s, and so %s%zu times, in the lines "
		    "%.*s",
		    STR_ARG(words.n ? words : STR("byte order mark")), more ? "over " : "", n,
		    STR_ARG(str_join(m->a, &names, ", ")));
	err_detail_ints(e, "lines", lines, n);
	err_detail_int(e, "count", (int64_t)n);
	err_detail_bool(e, "more", more);
	return err_help(e, "give more text around the right place, as the file has it");
}

struct err *match_edit_mixed(struct arena *a, struct str content, const struct match_mixed *edit,
			     struct str *out, struct match_edited *done)
{
	struct str old = edit->old, new = edit->new, sought = edit->sought;
	/* Only the line ends differ, so they are meant. */
	bool meant = str_eq(match_convert_line_ends(a, old, false),
			    match_convert_line_ends(a, new, false));
	struct edit_lines put = {0};
	struct match_hunk h;
	struct lines seen;
	struct match m;

	if (!edit_hunk(a, old, new, &put)) {
		struct strs olds = edit_split(a, old), news = edit_split(a, new);

		put.n = 0;
		edit_put(a, &put, '-', &olds, 0, olds.n);
		edit_put(a, &put, '+', &news, 0, news.n);
	}
	*done = (struct match_edited){0};
	TRY(match_init(a, content, &m));
	TRY(lines_split(a, edit->in, &seen));
	match_hunk_init(a, put.p, put.n, &h);
	h.inside = true;
	h.named_ends = false;
	for (size_t at = 0, before = 0, line = 0; (at = str_find(edit->in, sought, at)) != SIZE_MAX;
	     at = before = at + sought.n) {
		/* Nobody means the LF of a CR LF. */
		bool half =
			at > before && str_starts(str_sub(edit->in, at - 1, at + 1), STR("\r\n"));
		struct match_place place = {.pass = MATCH_EXACT};
		size_t first, last, behind;

		while (seen.at[line + 1] <= at)
			line++;
		/* Line for line both contents are equal but for their ends. */
		behind = line + h.wants - !str_ends(old, STR("\n"));
		place.line = line;
		place.first = at - half - seen.at[line];
		place.last = at + sought.n - seen.at[line + h.wants - 1];
		first = m.lines.at[line] + place.first;
		last = m.lines.at[behind] + (at + sought.n - seen.at[behind]);
		if (meant && str_eq(str_sub(content, first, last), new))
			continue;
		if (!str_eq(str_sub(content, first + half, last), old)) {
			place.pass = MATCH_ENDS;
			done->tolerated = 1U << MATCH_ENDS;
		}
		if (!done->count++) {
			done->at = first;
			done->end = last;
		}
		if (meant) {
			*VEC_PUSH(a, &m.pieces) = (struct match_piece){first, last, m.pieces.n};
			*VEC_PUSH(a, &m.pieces) = (struct match_piece){last, last, m.pieces.n, new};
		} else {
			TRY(match_apply_hunk(&m, &h, &place));
		}
	}
	*out = match_new_content(&m);
	return NULL;
}

struct err *match_edit(struct arena *a, struct str content, struct str old, struct str new,
		       struct str *out, struct match_edited *done)
{
	struct edit_lines lines = {0};
	struct match_place at, other;
	struct match_hunk h;
	struct match m;
	struct err *e;

	if (!edit_hunk(a, old, new, &lines))
		return err_help(match_no_such_text(a, content, old),
				"only an exact match counts for a change of so many lines; change "
				"fewer at a time");
	TRY(match_init(a, content, &m));
	m.work = EDIT_WORK;
	match_hunk_init(a, lines.p, lines.n, &h);
	h.inside = true;
	h.named_ends = false;
	for (int pass = MATCH_ENDS; pass < MATCH_PASSES; pass++) {
		struct str last = h.want[h.wants - 1];
		size_t line;

		if (!match_find_from_line(&m, &h, (enum match_pass)pass, 0, &at)) {
			if (!m.work)
				break;
			continue;
		}
		if (match_find_from_line(&m, &h, (enum match_pass)pass, at.line + 1, &other))
			return edit_places(&m, &h, &at);
		e = match_apply_hunk(&m, &h, &at);
		if (e)
			return err_help(match_no_such_text(a, content, old), "%s", err_message(e));
		line = at.line + h.wants - 1;
		*done = (struct match_edited){
			.tolerated = match_hunk_differences(&m, &h, &at),
			.count = 1,
			.at = m.lines.at[at.line] + at.first,
			.end = str_ends(last, STR("\n")) ? m.lines.at[line + 1]
							 : m.lines.at[line] + at.last,
		};
		*out = match_new_content(&m);
		return NULL;
	}
	e = match_no_such_text(a, content, old);
	return m.work ? e
		      : err_help(e, "ikm gave up looking for a place that differs in blanks or "
				    "letters alone: too many places are alike; give fewer lines");
}
