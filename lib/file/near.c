/* For an edit whose old text does not occur: finds the nearest line, and the difference in it. */
#include "file/backend.h"

#define SHOWN_MAX  120               /* bytes of a line in a message */
#define ALIGN_MAX  ((size_t)1 << 20) /* lines to compare when several are equally near */
#define OTHERS_MAX 8                 /* lines that a message names */

/* Counts of a pair of bytes: in the wanted line, and so far in the line at hand. */
struct pair {
	size_t want, met, line;
};

static struct pair *file_near_pair_at(struct pair *pairs, struct str s, size_t i)
{
	return &pairs[(size_t)(unsigned char)s.p[i] << 8 | (unsigned char)s.p[i + 1]];
}

/*
 * Dice's coefficient over pairs of bytes, in thousandths. The time depends only on the line's
 * length.
 */
static size_t similarity(struct pair *pairs, struct str want, struct str line, size_t number)
{
	size_t common = 0;

	for (size_t i = 0; i + 1 < line.n; i++) {
		struct pair *p = file_near_pair_at(pairs, line, i);

		if (p->line != number) {
			p->line = number;
			p->met = 0;
		}
		common += p->met++ < p->want;
	}
	return 2000 * common / (want.n + line.n - 2);
}

/* A line of the content and the line of the old text to compare; number 0: no line is near. */
struct near_line {
	struct str text, want; /* both without LF */
	struct str rest;       /* the content behind text */
	struct str want_rest;  /* the old text behind want */
	size_t number, want_number;
	size_t score, equal; /* equal: number of equal lines from there */
	bool open;           /* the old text ends without a line end */
	bool lines;          /* the old text is whole lines: it begins where a line does */
	bool ended;          /* the content has no more lines, but the old text has */
	bool same;           /* no line differs; the difference is before or behind them */
};

/* The old text may begin inside its first line, and end inside its last one. */
static bool near_is_same(struct str line, struct str want, bool first, bool last)
{
	if (first && last)
		return str_find(line, want, 0) != SIZE_MAX;
	return first ? str_ends(line, want) : last ? str_starts(line, want) : str_eq(line, want);
}

/* Moves n to the first line that differs. *budget: how many lines may still be compared. */
static void near_align(struct near_line *n, size_t *budget)
{
	bool first = n->want_number == 1 && !n->lines;

	for (n->equal = 0;
	     *budget && near_is_same(n->text, n->want, first, n->open && !n->want_rest.n);
	     n->equal++, first = false) {
		--*budget;
		n->same = !n->want_rest.n;
		if (n->same)
			return;
		if (!str_split(&n->rest, '\n', &n->text)) {
			n->ended = true;
			n->text = STR("");
		}
		str_split(&n->want_rest, '\n', &n->want);
		n->number++;
		n->want_number++;
		if (n->ended)
			return;
	}
}

/*
 * Finds the line most like the first line of `old` that is not blank, and from there the first line
 * that differs.
 */
static struct near_line near_find(struct arena *a, struct str content, struct str old, bool lines)
{
	struct near_line best = {.score = 300}, n;
	struct str want = {0}, rest = old, line = {0};
	size_t budget = ALIGN_MAX, want_number = 0;
	struct pair *pairs;

	while (!want.n && str_split(&rest, '\n', &line)) {
		want = str_trim(line);
		want_number++;
	}
	if (!want.n)
		return best;
	pairs = arena_array(a, 65536, sizeof(*pairs));
	for (size_t i = 0; i + 1 < want.n; i++)
		file_near_pair_at(pairs, want, i)->want++;
	n = (struct near_line){.rest = content, .open = !str_ends(old, STR("\n")), .lines = lines};
	while (str_split(&n.rest, '\n', &n.text)) {
		struct str text = str_trim(n.text);
		struct near_line at = n;

		at.number = ++n.number;
		at.score = str_eq(text, want)         ? 1000
			   : text.n < 2 || want.n < 2 ? 0
						      : similarity(pairs, want, text, n.number);
		if (at.score < best.score || (at.score == 300 && !best.number))
			continue;
		at.want = line;
		at.want_rest = rest;
		at.want_number = want_number;
		near_align(&at, &budget);
		if (at.score > best.score || at.equal > best.equal)
			best = at;
	}
	return best;
}

/* ---- what differs ---- */

enum near_fold { NEAR_BLANKS = 1, NEAR_QUOTES = 2, NEAR_CASE = 4, NEAR_SPACES = 8 };

/*
 * The plain form of a typographic quote or an unusual blank; '\t' for an invisible character; 0:
 * another character.
 */
static char near_plain(uint32_t code)
{
	/* clang-format off */
	switch (code) {
	case 0x2018: case 0x2019: case 0x201a: case 0x201b: case 0x2032:
		return '\'';
	case 0x201c: case 0x201d: case 0x201e: case 0x201f: case 0x2033: case 0xab: case 0xbb:
		return '"';
	case 0xa0: case 0x2007: case 0x202f: case 0x2009: case 0x200a: case 0x2002: case 0x2003:
	case 0x3000:
		return ' ';
	case 0x200b: case 0x200c: case 0x200d: case 0x2060: case 0xfeff: case 0xad:
		return '\t'; /* dropped, as blanks are */
	}
	/* clang-format on */
	return 0;
}

/* s without the differences that `folds` names. */
static struct str near_folded(struct arena *a, struct str s, unsigned folds)
{
	struct buf b = buf_in(a);

	for (size_t i = 0, n; i < s.n; i += n) {
		uint32_t code = 0;
		char c = s.p[i], plain = 0;

		n = size_max(str_utf8_char(s.p + i, s.n - i, &code), 1);
		if (n > 1)
			plain = near_plain(code);
		if (plain && folds & (plain == '\'' || plain == '"' ? NEAR_QUOTES : NEAR_SPACES)) {
			c = plain == '\t' ? 0 : plain;
		} else if (n > 1) {
			buf_put(&b, str_sub(s, i, i + n));
			continue;
		}
		if (!c || (folds & NEAR_BLANKS && (c == ' ' || c == '\t' || c == '\r')))
			continue;
		buf_putc(&b, c);
	}
	return folds & NEAR_CASE ? str_lower(a, buf_str(&b)) : buf_str(&b);
}

static struct str near_indent(struct str s)
{
	size_t n = 0;

	while (n < s.n && (s.p[n] == ' ' || s.p[n] == '\t'))
		n++;
	return str_sub(s, 0, n);
}

static struct str near_without_end(struct str s)
{
	while (s.n && strchr(" \t\r", s.p[s.n - 1]) && s.p[s.n - 1])
		s.n--;
	return s;
}

/* "2 tabs", "1 tab and 4 blanks", "nothing" */
static struct str near_blanks(struct arena *a, struct str s)
{
	size_t tabs = 0, blanks;

	for (size_t i = 0; i < s.n; i++)
		tabs += s.p[i] == '\t';
	blanks = s.n - tabs;
	if (!s.n)
		return STR("nothing");
	if (!tabs || !blanks)
		return str_fmt(a, "%zu %s%s", s.n, tabs ? "tab" : "blank", s.n == 1 ? "" : "s");
	return str_fmt(a, "%zu tab%s and %zu blank%s", tabs, tabs == 1 ? "" : "s", blanks,
		       blanks == 1 ? "" : "s");
}

static bool near_same_if(struct arena *a, struct str one, struct str other, unsigned folds)
{
	return str_eq(near_folded(a, one, folds), near_folded(a, other, folds));
}

/* The beginning of the text from the first difference, for people. */
static struct str near_piece(struct arena *a, struct str s, size_t at)
{
	while (at && at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80)
		at--;
	s = str_utf8(a, str_sub(s, at, size_min(s.n, at + 20)));
	return s.n ? str_fmt(a, "'%.*s'", STR_ARG(s)) : STR("the end of the line");
}

/* What differs. where: what the wanted line stands in, such as "the old text". */
static struct str near_cause(struct arena *a, struct str line, struct str want, const char *where)
{
	struct str in_file = near_indent(line), in_old = near_indent(want);
	size_t at = 0;

	if (str_ends(line, STR("\r")) != str_ends(want, STR("\r")) &&
	    str_eq(near_without_end(line), near_without_end(want)))
		return str_fmt(a, "the line ends with %s in the file and with %s in %s",
			       str_ends(line, STR("\r")) ? "CR LF" : "LF",
			       str_ends(want, STR("\r")) ? "CR LF" : "LF", where);
	if (str_eq(near_without_end(line), near_without_end(want)))
		return str_fmt(
			a, "blanks at the end of the line differ: %.*s in the file, %.*s in %s",
			STR_ARG(near_blanks(a, str_sub(line, near_without_end(line).n, line.n))),
			STR_ARG(near_blanks(a, str_sub(want, near_without_end(want).n, want.n))),
			where);
	if (str_eq(str_trim(line), str_trim(want)))
		return str_fmt(a, "the line is indented by %.*s in the file and by %.*s in %s",
			       STR_ARG(near_blanks(a, in_file)), STR_ARG(near_blanks(a, in_old)),
			       where);
	if (near_same_if(a, line, want, NEAR_BLANKS))
		return STR("only blanks and tabs differ");
	if (near_same_if(a, line, want, NEAR_BLANKS | NEAR_SPACES))
		return STR("only no-break spaces or invisible characters differ");
	if (near_same_if(a, line, want, NEAR_BLANKS | NEAR_SPACES | NEAR_QUOTES))
		return STR("only quotes differ: straight and typographic");
	if (near_same_if(a, line, want, NEAR_BLANKS | NEAR_SPACES | NEAR_CASE))
		return STR("only upper and lower case differ");
	while (at < line.n && at < want.n && line.p[at] == want.p[at])
		at++;
	return str_fmt(a, "from byte %zu of the line the file has %.*s, %s %.*s", at + 1,
		       STR_ARG(near_piece(a, line, at)), where, STR_ARG(near_piece(a, want, at)));
}

/* The error, with the nearest line and what differs in it. */
static struct err *near_error(struct arena *a, const struct near_line *near, enum err_reason reason,
			      const char *what)
{
	struct str shown = str_utf8(a, str_sub(near->text, 0, SHOWN_MAX));
	struct err *e;

	if (near->ended)
		e = err_new(reason, "%s is not there: the file ends before line %zu of it", what,
			    near->want_number);
	else
		e = err_new(reason, "%s is not there; the nearest line is %zu: %.*s", what,
			    near->number, STR_ARG(shown));
	if (!near->ended) {
		err_detail_int(e, "nearestLine", (int64_t)near->number);
		err_detail(e, "nearest", shown);
	}
	err_detail_int(e, "oldLine", (int64_t)near->want_number);
	return err_detail(e, "wanted", str_utf8(a, str_sub(near->want, 0, SHOWN_MAX)));
}

static struct err *near_differs(struct err *e, struct str cause)
{
	err_detail(e, "differs", cause);
	return err_help(e, "%.*s", STR_ARG(cause));
}

struct err *file_no_such_text(struct arena *a, struct str content, struct str old)
{
	struct near_line near = near_find(a, content, old, false);
	struct str bare = str_trim(old);
	struct err *e;
	size_t at;

	if (!near.number)
		return err_help(
			err_new(E_NO_SUCH_TEXT, "the old text is not there, nor a line like it"),
			"read the file again: it may have been changed");
	e = near_error(a, &near, E_NO_SUCH_TEXT, "the old text");
	at = bare.n ? str_find(content, bare, 0) : SIZE_MAX;
	if (at != SIZE_MAX)
		err_help(e, "without the blanks and newlines around it, it is in line %zu",
			 str_place(content, at).line);
	if (!near.ended)
		near_differs(e, near.same ? STR("the line is the same; the text before or behind "
						"it differs")
					  : near_cause(a, near.text, near.want, "the old text"));
	return err_help(e, "read the file again, and copy the text exactly, with its blanks");
}

/* ---- the lines of a patch ---- */

/* The numbers of the lines behind n that differ only in blanks, quotes and the like. */
static struct str near_others(struct arena *a, struct near_line n)
{
	struct buf b = buf_in(a);

	for (size_t k = 0; k < OTHERS_MAX && str_split(&n.rest, '\n', &n.text) &&
			   str_split(&n.want_rest, '\n', &n.want);) {
		n.number++;
		if (str_eq(n.text, n.want))
			continue;
		if (!near_same_if(a, n.text, n.want, NEAR_BLANKS | NEAR_SPACES | NEAR_QUOTES))
			break;
		buf_fmt(&b, "%s%zu", k++ ? ", " : "", n.number);
	}
	return buf_str(&b);
}

struct err *file_no_such_lines(struct arena *a, struct str content, struct str lines)
{
	struct near_line near = near_find(a, content, lines, true);
	struct str others;
	struct err *e;

	if (!near.number)
		return err_help(
			err_new(E_HUNK_FAILED, "the file has no such lines, nor one like '%.*s'",
				STR_ARG(str_utf8(
					a, str_sub(lines, 0,
						   size_min(SHOWN_MAX,
							    str_find_char(lines, '\n', 0)))))),
			"read the file again: it may have been changed");
	e = near_error(a, &near, E_HUNK_FAILED, "what it expects");
	if (!near.ended)
		near_differs(e, near_cause(a, near.text, near.want, "the patch"));
	others = near.ended ? STR("") : near_others(a, near);
	if (others.n)
		err_help(e, "lines of the file that differ like this: %.*s", STR_ARG(others));
	return err_help(e, "read the file again, and copy the lines exactly, with their blanks");
}
