/* The lines of a content, places of a hunk among them, and the changes of its lines there. */
#include "match/internal.h"

/* Steps of comparison for all hunks: some seconds. */
#define MATCH_WORK ((size_t)1 << 30)
#define FITS_WORK  ((size_t)32) /* steps of the search that comparing one line costs */
/* Bytes of a line that are compared letter by letter. */
#define INSIDE_MAX  4096
#define LETTER_MAX  128         /* bytes of a letter with its marks */
#define LETTER_WORK ((size_t)8) /* steps of the search that a byte of such a line costs */

/* ---- lines ---- */

struct err *lines_split(struct arena *a, struct str text, struct lines *out)
{
	size_t n = 0, cap = 1;

	if (text.n >= UINT32_MAX)
		return err_new(
			E_TOO_BIG,
			"a content of %zu bytes is too large for a patch; the limit is 4 GiB",
			text.n);
	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++)
		cap++;
	out->text = text;
	out->at = arena_array(a, cap + 1, sizeof(*out->at));
	for (size_t at = 0; at < text.n; at += str_line_from(text, at).n)
		out->at[n++] = (uint32_t)at;
	out->at[n] = (uint32_t)text.n;
	out->n = n;
	return NULL;
}

struct str lines_get(const struct lines *l, size_t i)
{
	return str_sub(l->text, l->at[i], l->at[i + 1]);
}

/* Without a byte order mark. */
static struct str match_without_bom(struct str line)
{
	return str_sub(line, str_starts(line, STR(MATCH_BOM)) ? strlen(MATCH_BOM) : 0, line.n);
}

struct str match_line_key(struct arena *a, struct str line, enum match_pass pass)
{
	if (pass == MATCH_EXACT)
		return line;
	line = match_without_line_ending(line);
	line.n -= str_ends(line, STR("\r"));
	line = match_without_bom(line);
	if (pass == MATCH_LETTERS)
		line = match_fold_letters(a, line);
	if (pass >= MATCH_BLANKS)
		line = match_trim_right(line);
	return pass >= MATCH_INDENT ? str_sub(line, match_line_indent(line).n, line.n) : line;
}

struct err *match_init(struct arena *a, struct str content, struct match *out)
{
	*out = (struct match){.a = a, .work = MATCH_WORK};
	TRY(lines_split(a, content, &out->lines));
	out->gone = arena_array(a, out->lines.n, sizeof(bool));
	out->bom = str_starts(content, STR(MATCH_BOM)) ? strlen(MATCH_BOM) : 0;
	return NULL;
}

void match_hunk_init(struct arena *a, const struct patch_line *p, size_t n, struct match_hunk *out)
{
	*out = (struct match_hunk){
		.p = p, .n = n, .want = arena_array(a, n, sizeof(struct str)), .named_ends = true};
	for (size_t i = 0, news = 0; i < n; i++) {
		bool first = (p[i].kind != '+' && !out->wants) || (p[i].kind != '-' && !news);

		out->bom = out->bom || (first && str_starts(p[i].text, STR(MATCH_BOM)));
		news += p[i].kind != '-';
		if (p[i].kind != '+')
			out->want[out->wants++] = p[i].text;
	}
}

/* ---- the index ---- */

#define NO_ID UINT32_MAX

/* An index of lines: equal lines get the same number, and each number has a list of its places. */
struct line_index {
	struct str *key; /* of each line */
	uint32_t *id;    /* number of each line */
	uint32_t *first; /* a line with each number */
	uint32_t *start,
		*places; /* the lines with number i are places[start[i]] to places[start[i + 1]] */
	uint32_t *table; /* hash table of numbers; NO_ID: free */
	size_t ids, mask;
	const struct str *sought; /* the pattern of the last search */
	uint32_t *pattern;        /* its lines as numbers; NO_ID: the line does not occur */
	size_t pattern_cap;
};

/* The slot of the key in the hash table: its number, or the free slot for it. */
static uint32_t *line_index_slot(const struct line_index *f, struct str key)
{
	size_t i = (size_t)str_hash(key) & f->mask;

	while (f->table[i] != NO_ID && !str_eq(f->key[f->first[f->table[i]]], key))
		i = (i + 1) & f->mask;
	return &f->table[i];
}

/* The index of the content's lines, which are equal when their keys in this pass are. */
static struct line_index *line_index_of(struct match *m, enum match_pass pass)
{
	struct line_index *f = m->index[pass];
	const struct lines *l = &m->lines;
	struct arena *a = m->a;
	size_t size = 16;

	if (f)
		return f;
	f = m->index[pass] = ARENA_NEW(a, struct line_index);
	while (size < l->n * 2)
		size *= 2;
	f->mask = size - 1;
	f->table = arena_array(a, size, sizeof(*f->table));
	memset(f->table, 0xff, size * sizeof(*f->table));
	f->key = arena_array(a, l->n, sizeof(*f->key));
	f->id = arena_array(a, l->n, sizeof(*f->id));
	f->first = arena_array(a, l->n, sizeof(*f->first));
	f->places = arena_array(a, l->n, sizeof(*f->places));
	for (size_t i = 0; i < l->n; i++) {
		uint32_t *at;

		f->key[i] = match_line_key(a, lines_get(l, i), pass);
		at = line_index_slot(f, f->key[i]);
		if (*at == NO_ID) {
			*at = (uint32_t)f->ids++;
			f->first[*at] = (uint32_t)i;
		}
		f->id[i] = *at;
	}
	/* A counting sort: the places of each number come in ascending order. */
	f->start = arena_array(a, f->ids + 1, sizeof(*f->start));
	for (size_t i = 0; i < l->n; i++)
		f->start[f->id[i]]++;
	for (size_t i = 1; i <= f->ids; i++)
		f->start[i] += f->start[i - 1];
	for (size_t i = l->n; i--;)
		f->places[--f->start[f->id[i]]] = (uint32_t)i;
	return f;
}

static size_t occurrences(const struct line_index *f, uint32_t id)
{
	return id == NO_ID ? 0 : f->start[id + 1] - f->start[id];
}

/* The first place of this number that is not before `line`. */
static size_t line_index_from(const struct line_index *f, uint32_t id, int64_t line)
{
	size_t low = f->start[id];

	BISECT(low, mid, f->start[id + 1], (int64_t)f->places[mid] < line);
	return low;
}

/* The index of this pass, with the pattern's lines as its numbers. */
static struct line_index *line_index_load(struct match *m, enum match_pass pass,
					  const struct sought *s)
{
	struct line_index *f = line_index_of(m, pass);

	if (f->sought == s->p)
		return f;
	if (f->pattern_cap < s->n)
		f->pattern = arena_array_grow(m->a, f->pattern, &f->pattern_cap, s->n,
					      sizeof(*f->pattern));
	for (size_t i = 0; i < s->n; i++)
		f->pattern[i] = *line_index_slot(f, match_line_key(m->a, s->p[i], pass));
	f->sought = s->p;
	return f;
}

static bool line_index_matches(struct match *m, const struct line_index *f, const struct sought *s,
			       int64_t where)
{
	if (where + (int64_t)s->to > (int64_t)m->lines.n)
		return false;
	for (size_t i = s->from; i < s->to; i++) {
		if (!m->work)
			return false;
		m->work--;
		if (f->pattern[i] != f->id[(size_t)where + i])
			return false;
	}
	return true;
}

/*
 * Searches from the rarest line of the pattern: the pattern can only be where that line is. The
 * search gives up when it takes too many steps (an almost repeating pattern in an almost repeating
 * content).
 */
bool match_find_lines(struct match *m, enum match_pass pass, const struct sought *s, size_t *where)
{
	struct line_index *f;
	size_t rare = s->from, left, right;
	int64_t near = s->near < s->low ? s->low : s->near > s->high ? s->high : s->near;
	uint32_t id;

	if (s->low > s->high)
		return false;
	if (s->from >= s->to) {
		*where = (size_t)near;
		return true;
	}
	f = line_index_load(m, pass, s);
	m->work -= size_min(m->work, s->to - s->from);
	for (size_t i = s->from; i < s->to; i++)
		if (occurrences(f, f->pattern[i]) < occurrences(f, f->pattern[rare]))
			rare = i;
	id = f->pattern[rare];
	if (id == NO_ID)
		return false;
	left = right = line_index_from(f, id, near + (int64_t)rare);
	while (m->work) {
		int64_t before = INT64_MIN, after = INT64_MAX, at;

		if (left > f->start[id])
			before = (int64_t)f->places[left - 1] - (int64_t)rare;
		if (right < f->start[id + 1])
			after = (int64_t)f->places[right] - (int64_t)rare;
		if (before < s->low)
			before = INT64_MIN;
		if (after > s->high)
			after = INT64_MAX;
		if (before == INT64_MIN && after == INT64_MAX)
			return false;
		if (before == INT64_MIN ||
		    (after != INT64_MAX && after - s->near <= s->near - before)) {
			at = after;
			right++;
		} else {
			at = before;
			left--;
		}
		m->work--;
		if (at >= s->low && at <= s->high && line_index_matches(m, f, s, at)) {
			*where = (size_t)at;
			return true;
		}
	}
	return false;
}

/* ---- the nearest place, for messages ---- */

#define VOTERS 64   /* lines of the pattern that vote */
#define VOTES  1000 /* places for each line */

static int line_index_by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Each line of the pattern votes for the places where the pattern would begin. */
bool match_find_best_lines(struct match *m, const struct sought *s, size_t *where)
{
	struct line_index *f = line_index_load(m, MATCH_EXACT, s);
	int64_t *votes = arena_array(m->a, (size_t)VOTERS * VOTES, sizeof(*votes));
	size_t n = 0, most = 0;

	for (size_t i = s->from; i < s->to && i < s->from + VOTERS; i++) {
		uint32_t id = f->pattern[i];
		size_t k;

		if (id == NO_ID)
			continue;
		k = line_index_from(f, id, s->near + (int64_t)i);
		k = k - size_min(k - f->start[id], VOTES / 2);
		for (size_t end = size_min(k + VOTES, f->start[id + 1]); k < end; k++)
			votes[n++] = (int64_t)f->places[k] - (int64_t)i;
	}
	qsort(votes, n, sizeof(*votes), line_index_by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && votes[end] == votes[i];)
			end++;
		if (votes[i] >= 0 &&
		    (end - i > most ||
		     (end - i == most &&
		      llabs(votes[i] - s->near) < llabs((int64_t)*where - s->near)))) {
			most = end - i;
			*where = (size_t)votes[i];
		}
	}
	return most;
}

/* ---- one shift of indentation ---- */

static bool shift_is_all(struct str s, char c)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != c)
			return false;
	return true;
}

/* The shift that makes `from` the indentation `to`. */
static bool shift_between(struct match_shift *s, struct str from, struct str to)
{
	bool to_tabs = shift_is_all(from, ' ') && shift_is_all(to, '\t');
	bool to_blanks = shift_is_all(from, '\t') && shift_is_all(to, ' ');
	size_t tabs = to_tabs ? to.n : from.n, blanks = to_tabs ? from.n : to.n;

	if (str_ends(to, from))
		*s = (struct match_shift){.kind = SHIFT_ADD,
					  .blanks = str_sub(to, 0, to.n - from.n),
					  .bare = s->bare};
	else if (str_ends(from, to))
		*s = (struct match_shift){.kind = SHIFT_DROP,
					  .blanks = str_sub(from, 0, from.n - to.n),
					  .bare = s->bare};
	else if ((to_tabs || to_blanks) && blanks % tabs == 0)
		*s = (struct match_shift){.kind = to_tabs ? SHIFT_TO_TABS : SHIFT_TO_BLANKS,
					  .width = blanks / tabs};
	else
		return false;
	return true;
}

/* The indentation after the shift. */
static bool shift_indent(struct arena *a, const struct match_shift *s, struct str from,
			 struct str *out)
{
	struct buf b = buf_in(a);
	size_t blanks = 0;

	*out = from;
	switch (s->kind) {
	case SHIFT_NONE: return true;
	case SHIFT_ADD:
		*out = str_fmt(a, "%.*s%.*s", STR_ARG(s->blanks), STR_ARG(from));
		return true;
	case SHIFT_DROP:
		*out = str_sub(from, size_min(s->blanks.n, from.n), from.n);
		return str_starts(from, s->blanks);
	case SHIFT_TO_TABS:
		if (!shift_is_all(from, ' '))
			return shift_is_all(from, '\t');
		for (size_t i = 0; i < from.n / s->width; i++)
			buf_putc(&b, '\t');
		*out = buf_as_str(&b);
		return from.n % s->width == 0;
	default:
		for (size_t i = 0; i < from.n; i++)
			if (from.p[i] == '\t')
				for (size_t k = 0; k < s->width; k++)
					buf_putc(&b, ' ');
			else
				blanks++;
		for (; blanks; blanks--)
			buf_putc(&b, ' ');
		*out = buf_as_str(&b);
		return true;
	}
}

/* Whether the file's line has the wanted line's indentation after the shift; the first line that
 * differs sets it. Both are lines without ends. */
static bool match_shift_fits(struct arena *a, struct match_shift *s, struct str line,
			     struct str want)
{
	struct str is = match_line_indent(line), from = match_line_indent(want), to;

	/* A line of blanks only has no indentation. */
	if (from.n >= match_trim_right(want).n)
		return true;
	if (s->kind == SHIFT_ADD)
		return is.n == s->blanks.n + from.n && str_starts(is, s->blanks) &&
		       str_ends(is, from);
	if (s->kind != SHIFT_NONE)
		return shift_indent(a, s, from, &to) && str_eq(is, to);
	if (str_eq(is, from)) {
		s->equal = s->equal || is.n;
		s->bare = s->bare || !is.n;
		return true;
	}
	/* Tabs for blanks leave a line without indentation as it is; any other shift moves it. */
	return !s->equal && shift_between(s, from, is) && (s->width || !s->bare);
}

/* The line after the shift; false when it has other blanks than the shift is about. */
static bool match_shift_indent(struct arena *a, const struct match_shift *s, struct str line,
			       struct str *out)
{
	struct str from = match_line_indent(line), to;

	*out = line;
	if (s->kind == SHIFT_NONE || from.n >= match_trim_right(line).n)
		return true;
	if (!shift_indent(a, s, from, &to))
		return false;
	*out = str_fmt(a, "%.*s%.*s", STR_ARG(to), STR_ARG(str_sub(line, from.n, line.n)));
	return true;
}

/* ---- places ---- */

/* Whether the lines of the hunk from `i` on may be a part of a line of the file. */
static bool match_is_open(const struct match_hunk *h, size_t i)
{
	return h->inside && (!i || (i + 1 == h->wants && !str_ends(h->want[i], STR("\n"))));
}

static struct str match_want_key(struct match *m, const struct match_hunk *given,
				 enum match_pass pass, size_t i)
{
	struct match_hunk *h = (struct match_hunk *)given;

	if (!h->keys[pass]) {
		h->keys[pass] = arena_array(m->a, h->wants, sizeof(struct str));
		for (size_t k = 0; k < h->wants; k++)
			h->keys[pass][k] = match_line_key(m->a, h->want[k], pass);
	}
	return h->keys[pass][i];
}

static bool match_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c > 0x7f;
}

/* A place inside a line does not begin or end inside a word. */
static bool match_cuts_word(struct str line, struct str want, size_t from, size_t to)
{
	return want.n &&
	       ((from && match_is_word(line.p[from - 1]) && match_is_word(want.p[0])) ||
		(to < line.n && match_is_word(line.p[to]) && match_is_word(want.p[want.n - 1])));
}

/* The length of the first letter and of what its Unicode form may be composed with. */
static size_t match_letter_size(struct arena *a, struct str s)
{
	uint32_t code;
	size_t n = size_max(str_utf8_char(s.p, s.n, &code), 1);

	for (size_t more; n < s.n && n < LETTER_MAX; n += more) {
		struct str letter, next, both;

		code = 0;
		more = size_max(str_utf8_char(s.p + n, s.n - n, &code), 1);
		if (code < 0x300) /* Nothing below is composed with what stands before it. */
			break;
		letter = match_fold_letters(a, str_sub(s, 0, n));
		next = match_fold_letters(a, str_sub(s, n, n + more));
		both = match_fold_letters(a, str_sub(s, 0, n + more));
		if (both.n == letter.n + next.n && str_starts(both, letter) && str_ends(both, next))
			break;
	}
	return n;
}

/*
 * Where in the line each byte of its letters comes from; SIZE_MAX: from inside of a letter. NULL:
 * the letters of the whole line are not those of its parts.
 */
static size_t *match_letters_from(struct arena *a, struct str line, struct str all)
{
	size_t *from = arena_array(a, all.n + 1, sizeof(*from)), at = 0;

	memset(from, 0xff, (all.n + 1) * sizeof(*from));
	for (size_t i = 0, n; i < line.n; i += n) {
		struct str letter;

		n = match_letter_size(a, str_sub(line, i, line.n));
		letter = match_fold_letters(a, str_sub(line, i, i + n));
		if (!str_starts(str_sub(all, at, all.n), letter))
			return NULL;
		from[at] = i;
		at += letter.n;
	}
	from[at] = line.n;
	return at == all.n ? from : NULL;
}

/* Finds the letters of `want` in the line; false also when they are there twice. */
static bool match_letters_at(struct match *m, struct str line, struct str want, bool begins,
			     bool ends, size_t *from, size_t *to)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct str all, letters;
	size_t found = 0, *at;

	if (line.n > INSIDE_MAX)
		return false;
	all = match_fold_letters(scratch, line);
	letters = match_fold_letters(scratch, want);
	if (!letters.n || str_find(all, letters, 0) == SIZE_MAX)
		return false;
	m->work -= size_min(m->work, line.n * LETTER_WORK);
	at = match_letters_from(scratch, line, all);
	for (size_t i = 0; at && found < 2 && (i = str_find(all, letters, i)) != SIZE_MAX; i++) {
		size_t s = at[i], e = at[i + letters.n];

		m->work -= size_min(m->work, letters.n);
		if (s == SIZE_MAX || e == SIZE_MAX || (begins && s) || (ends && e != line.n) ||
		    match_cuts_word(line, want, s, e))
			continue;
		*from = s;
		*to = e;
		found++;
	}
	return found == 1;
}

/*
 * The part of the line where the wanted line is, which may begin and end inside of it. But where
 * blanks at the end are tolerated the end is the line's.
 */
static bool match_inside(struct match *m, const struct match_hunk *h, enum match_pass pass,
			 size_t i, size_t line, struct match_place *out)
{
	struct str is = match_without_line_ending(lines_get(&m->lines, line)),
		   want = match_without_line_ending(h->want[i]);
	bool begins = i > 0, ends = str_ends(h->want[i], STR("\n"));
	size_t from = 0, to = is.n;

	if (pass == MATCH_LETTERS) {
		struct str bare = ends ? match_trim_right(is) : is;

		if (!match_letters_at(m, bare, ends ? match_trim_right(want) : want, begins, ends,
				      &from, &to))
			return false;
		to = ends ? is.n : to;
	} else if (pass == MATCH_ENDS) {
		if (begins ? !str_starts(is, want) : !str_ends(is, want))
			return false;
		from = begins ? 0 : is.n - want.n;
		to = begins ? want.n : is.n;
	} else {
		struct str bare = match_trim_right(is);

		bool part = begins && match_trim_right(want).n == want.n;

		want = match_trim_right(want);
		if (!want.n || (part     ? !str_starts(bare, want)
				: begins ? !str_eq(bare, want)
					 : !str_ends(bare, want)))
			return false;
		from = begins ? 0 : bare.n - want.n;
		to = part && want.n < bare.n ? want.n : is.n;
		if (match_cuts_word(is, want, from, to))
			return false;
	}
	if (!i)
		out->first = from;
	if (i + 1 == h->wants)
		out->last = to;
	return true;
}

bool match_fits(struct match *m, const struct match_hunk *h, enum match_pass pass, size_t line,
		struct match_place *out)
{
	const struct line_index *index = line_index_of(m, pass);
	bool inside = false;

	*out = (struct match_place){.line = line, .pass = pass};
	if (line + h->wants > m->lines.n)
		return false;
	for (size_t i = 0; i < h->wants; i++) {
		struct str is = lines_get(&m->lines, line + i), want = h->want[i];
		bool equal = str_eq(index->key[line + i], match_want_key(m, h, pass, i));

		if (m->work)
			m->work--;
		if (!m->work || m->gone[line + i])
			return false;
		/* "\ No newline at end of file" is obeyed, and so is its absence. */
		if (h->named_ends && str_ends(want, STR("\n")) != str_ends(is, STR("\n")))
			return false;
		if (match_is_open(h, i) && !(pass >= MATCH_INDENT && equal)) {
			if (pass == MATCH_INDENT || !match_inside(m, h, pass, i, line + i, out))
				return false;
			inside = inside || pass == MATCH_LETTERS;
			continue;
		}
		if (!equal)
			return false;
		out->last = match_without_line_ending(is).n;
		is = match_without_bom(is);
		want = match_without_bom(want);
		if (pass == MATCH_LETTERS) {
			is = match_fold_letters(m->a, is);
			want = match_fold_letters(m->a, want);
		}
		if (pass >= MATCH_INDENT && !match_shift_fits(m->a, &out->shift, is, want))
			return false;
	}
	return !inside || out->shift.kind == SHIFT_NONE;
}

bool match_find_from_line(struct match *m, const struct match_hunk *h, enum match_pass pass,
			  size_t from, struct match_place *out)
{
	struct sought s = {.p = h->want, .n = h->wants, .to = h->wants};

	s.high = (int64_t)m->lines.n - (int64_t)h->wants;
	while (s.from < s.to && match_is_open(h, s.from))
		s.from++;
	while (s.to > s.from && match_is_open(h, s.to - 1))
		s.to--;
	for (size_t line = from; (int64_t)line <= s.high; line++) {
		s.near = s.low = (int64_t)line;
		if (s.from < s.to && !match_find_lines(m, pass, &s, &line))
			return false;
		if (match_fits(m, h, pass, line, out))
			return true;
		/* Looser forms make texts of each line to compare it. */
		m->work -= size_min(m->work, h->wants * FITS_WORK);
		if (!m->work)
			return false;
	}
	return false;
}

/* ---- what differs ---- */

static match_set match_lines_differ(struct arena *a, struct str is, struct str want)
{
	match_set all = 0;

	is = match_without_bom(is);
	want = match_without_bom(want);
	if (str_eq(is, want))
		return all;
	if (!str_eq(match_line_key(a, is, MATCH_INDENT), match_line_key(a, want, MATCH_INDENT))) {
		all |= 1U << MATCH_LETTERS;
		is = match_fold_letters(a, is);
		want = match_fold_letters(a, want);
	}
	if (is.n - match_trim_right(is).n != want.n - match_trim_right(want).n)
		all |= 1U << MATCH_BLANKS;
	if (match_trim_right(want).n && !str_eq(match_line_indent(is), match_line_indent(want)))
		all |= 1U << MATCH_INDENT;
	return all ? all : 1U << MATCH_BLANKS;
}

match_set match_hunk_differences(const struct match *m, const struct match_hunk *h,
				 const struct match_place *at)
{
	match_set all = 0;

	for (size_t i = 0; at->pass != MATCH_EXACT && i < h->wants; i++) {
		struct str line = lines_get(&m->lines, at->line + i),
			   is = match_without_line_ending(line);
		bool last = i + 1 == h->wants && match_is_open(h, i);

		if (h->inside)
			is = str_sub(is, i ? 0 : at->first, last ? at->last : is.n);
		all |= match_lines_differ(m->a, is, match_without_line_ending(h->want[i]));
		if ((h->named_ends || h->inside) && !last &&
		    !str_eq(match_line_ending_of(line), match_line_ending_of(h->want[i])))
			all |= 1U << MATCH_ENDS;
	}
	return all;
}

/* ---- the change ---- */

/* The line end at a line of the file: that of the line before, or of the nearest one. */
static struct str match_end_near(const struct match *m, size_t line)
{
	for (size_t i = line; i-- > 0;)
		if (match_line_ending_of(lines_get(&m->lines, i)).n)
			return match_line_ending_of(lines_get(&m->lines, i));
	for (size_t i = line; i < m->lines.n; i++)
		if (match_line_ending_of(lines_get(&m->lines, i)).n)
			return match_line_ending_of(lines_get(&m->lines, i));
	return STR("\n");
}

/* CR LF, or a CR that has no LF at the end of a patch's file. */
static bool match_has_cr(struct str line)
{
	line.n -= str_ends(line, STR("\n"));
	return str_ends(line, STR("\r"));
}

/* The hunk has CR LF where the file has it: its author sees line ends, and means those it adds. */
static bool match_ends_meant(const struct match *m, const struct match_hunk *h, size_t at)
{
	bool cr = false;

	for (size_t i = 0; i < h->wants && at + i < m->lines.n; i++) {
		bool has = match_has_cr(h->want[i]);

		if (has != match_has_cr(lines_get(&m->lines, at + i)))
			return false;
		cr = cr || has;
	}
	return cr;
}

/* A line of the hunk is there with its line end: the hunk has the line ends of the file. */
static bool match_ends_equal(const struct match *m, const struct match_hunk *h, size_t at)
{
	for (size_t i = 0; i < h->wants && at + i < m->lines.n; i++)
		if (match_line_ending_of(h->want[i]).n &&
		    str_eq(h->want[i], lines_get(&m->lines, at + i)))
			return true;
	return false;
}

/* Each line has CR LF: so the patch came, whatever the file has. */
static bool match_ends_carried(const struct match_hunk *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (!match_has_cr(h->p[i].text))
			return false;
	return h->wants > 0;
}

static struct err *match_unshifted(const struct match *m, const struct match_place *at,
				   struct str text)
{
	struct str is = match_without_line_ending(lines_get(&m->lines, at->line));

	return err_help(
		err_new(E_HUNK_FAILED,
			"the lines fit at line %zu with another indentation, but the new line '%.*s' "
			"is indented by %.*s, which that shift does not have",
			at->line + 1, STR_ARG(str_utf8(m->a, str_utf8_head(text, 80))),
			STR_ARG(match_describe_blanks(m->a, match_line_indent(text)))),
		"give the lines with the indentation of the file: its line %zu is indented by %.*s",
		at->line + 1, STR_ARG(match_describe_blanks(m->a, match_line_indent(is))));
}

/* The offset of the line; behind the last line, the end of the file. */
static size_t match_offset(const struct match *m, size_t line)
{
	return m->lines.at[size_min(line, m->lines.n)];
}

/* The length of the line end at this place, or 0. */
static size_t match_end_size(const struct match *m, size_t at)
{
	struct str rest = str_sub(m->lines.text, at, m->lines.text.n);

	return str_starts(rest, STR("\n")) ? 1 : str_starts(rest, STR("\r\n")) ? 2 : 0;
}

/*
 * An edit that removes the bytes from the end of a line to the end of a later line removes the
 * lines behind the first one, which keeps its own line end. The next place of the edit may follow.
 */
static struct match_piece *match_keep_end(const struct match *m, size_t *i)
{
	struct match_piece *p = &m->pieces.p[*i];
	size_t first, last;

	for (; *i + 1 < m->pieces.n && p[1].from == p->to && p[1].to > p->to; p++, ++*i)
		p[1].from = p->from;
	first = match_end_size(m, p->from);
	last = match_end_size(m, p->to);
	/* Half of a CR LF alone ends no later line. */
	if (first && last && p->to >= p->from + first) {
		p->from += first;
		p->to += last;
	}
	return p;
}

struct err *match_apply_hunk(struct match *m, const struct match_hunk *h,
			     const struct match_place *at)
{
	bool exact = at->pass == MATCH_EXACT, behind = !h->inside;
	/* The hunk has a newline that the last line of the file need not have. */
	bool follows = !exact && !h->named_ends &&
		       (!h->inside || str_ends(h->want[h->wants - 1], STR("\n")));
	bool meant = exact ? m->cr || match_ends_equal(m, h, at->line)
			   : match_ends_meant(m, h, at->line);
	bool carried = !meant && match_ends_carried(h);
	/* Only the hunk has a byte order mark, and keeps it. */
	bool marked = h->wants && str_starts(h->want[0], STR(MATCH_BOM)) && at->line < m->lines.n &&
		      !str_starts(lines_get(&m->lines, at->line), STR(MATCH_BOM));
	size_t line = at->line, want = 0;
	struct match_piece *cut = NULL; /* what the hunk removes right before `pos` */
	size_t pos = size_max(match_offset(m, line) + (h->inside ? at->first : 0),
			      exact || h->bom ? 0 : m->bom);

	for (size_t i = 0; i < h->n; i++) {
		struct str text = match_without_line_ending(h->p[i].text),
			   end = match_line_ending_of(h->p[i].text);
		size_t to, index = m->pieces.n;

		if (h->p[i].kind == '+') {
			text = marked ? match_without_bom(text) : text;
			if (!match_shift_indent(m->a, &at->shift, text, &text))
				return match_unshifted(m, at, text);
			if (end.n && (end.n == 1 || carried) && !meant)
				end = match_end_near(m, line);
			else if (!exact && !end.n && carried)
				text.n -= str_ends(text, STR("\r"));
			*VEC_PUSH(m->a, &m->pieces) = (struct match_piece){.from = pos,
									   .to = pos,
									   .index = index,
									   .text = text,
									   .end = end,
									   .line = behind,
									   .whole = !h->inside,
									   .follows = follows};
			behind = true;
			cut = NULL;
			continue;
		}
		to = h->inside && want + 1 == h->wants && !end.n ? match_offset(m, line) + at->last
								 : match_offset(m, line + 1);
		if (h->p[i].kind != '-')
			cut = NULL;
		if (h->p[i].kind == MATCH_KIND_JOINED)
			pos = to - match_line_ending_of(lines_get(&m->lines, line)).n;
		if (cut) {
			cut->to = to;
		} else if (h->p[i].kind == '-' || h->p[i].kind == MATCH_KIND_JOINED) {
			cut = VEC_PUSH(m->a, &m->pieces);
			*cut = (struct match_piece){.from = pos, .to = to, .index = index};
		}
		if (h->p[i].kind == MATCH_KIND_ENDED)
			*VEC_PUSH(m->a, &m->pieces) =
				(struct match_piece){.from = to,
						     .to = to,
						     .index = index,
						     .end = match_end_near(m, line + 1)};
		/* With fuzz, context may reach beyond the end of the file. */
		if (line < m->lines.n)
			m->gone[line++] = h->p[i].kind == '-';
		pos = to;
		behind = behind || h->p[i].kind != '-';
		want++;
	}
	if (cut)
		cut->inside = h->inside;
	return NULL;
}

/* Ends the line that the content has so far; a CR at its end is a half of CR LF. */
static void match_line_end(const struct match *m, struct buf *b)
{
	struct str end = match_end_near(m, m->lines.n);

	if (b->n > m->bom && b->p[b->n - 1] != '\n')
		buf_put(b, str_sub(end, b->p[b->n - 1] == '\r' ? end.n - 1 : 0, end.n));
}

ORDER_OF(match_by_place, struct match_piece, ORDER_UP(from) || ORDER_UP(index))

struct str match_new_content(struct match *m)
{
	struct str text = m->lines.text;
	bool open = text.n && !str_ends(text, STR("\n")), whole = false, follows = false;
	struct buf b = buf_in(m->a);
	size_t at = 0, end = 0;

	if (m->pieces.n)
		qsort(m->pieces.p, m->pieces.n, sizeof(*m->pieces.p), match_by_place);
	for (size_t i = 0; i <= m->pieces.n; i++) {
		const struct match_piece *p = i < m->pieces.n ? &m->pieces.p[i] : NULL;
		size_t to;

		if (p && p->inside)
			p = match_keep_end(m, &i);
		to = p ? p->from : text.n;
		if (to > at) {
			/* It is no longer the last line. */
			if (whole)
				match_line_end(m, &b);
			buf_put(&b, str_sub(text, at, to));
			whole = follows = false;
		}
		if (!p)
			break;
		at = size_max(size_max(at, to), p->to);
		if (p->to > p->from)
			continue;
		if (p->line)
			match_line_end(m, &b);
		buf_put(&b, p->text);
		buf_put(&b, p->end);
		whole = p->whole;
		follows = p->follows;
		end = p->end.n;
	}
	if (open && follows)
		b.n -= end;
	return buf_as_str(&b);
}
