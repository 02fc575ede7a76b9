/* For an edit whose old text does not occur: finds the nearest line, and the difference in it. */
#include "match/internal.h"

#define SHOWN_MAX   120               /* bytes of a line in a message */
#define ALIGN_MAX   ((size_t)1 << 20) /* lines to compare when several are equally near */
#define ALIGN_BYTES 4096              /* of a line: where an old text may begin */
#define OTHERS_MAX  8                 /* lines that a message names */

/* Counts of a pair of bytes: in the wanted line, and so far in the line at hand. */
struct pair {
	size_t want, met, line;
};

static struct pair *near_pair_at(struct pair *pairs, struct str s, size_t i)
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
		struct pair *p = near_pair_at(pairs, line, i);

		if (p->line != number) {
			p->line = number;
			p->met = 0;
		}
		common += p->met++ < p->want;
	}
	return 2000 * common / (want.n + line.n - 2);
}

/*
 * A line of the content and the line of the old text to compare; number 0: no line is near the
 * first wanted line that is not blank.
 */
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
		if (!str_next_part(&n->rest, '\n', &n->text)) {
			n->ended = true;
			n->text = STR("");
		}
		str_next_part(&n->want_rest, '\n', &n->want);
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

	while (!want.n && str_next_part(&rest, '\n', &line)) {
		want = str_trim(line);
		want_number++;
	}
	if (!want.n)
		return best;
	best.want = line;
	pairs = arena_array(a, 65536, sizeof(*pairs));
	for (size_t i = 0; i + 1 < want.n; i++)
		near_pair_at(pairs, want, i)->want++;
	n = (struct near_line){.rest = content, .open = !str_ends(old, STR("\n")), .lines = lines};
	while (str_next_part(&n.rest, '\n', &n.text)) {
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

enum near_fold { NEAR_BLANKS = 1, NEAR_LETTERS = 2, NEAR_CASE = 4, NEAR_SPACES = 8 };

static bool near_is_invisible(uint32_t code)
{
	return (code >= 0x200b && code <= 0x200d) || code == 0x2060 || code == 0xfeff ||
	       code == 0xad;
}

/* s without the differences that `folds` names. */
static struct str near_folded(struct arena *a, struct str s, unsigned folds)
{
	struct buf b = buf_in(a);

	if (folds & NEAR_LETTERS)
		s = match_fold_letters(a, s);
	for (size_t i = 0, n; i < s.n; i += n) {
		uint32_t code = 0;
		bool blank = strchr(" \t\r", s.p[i]) && s.p[i];

		n = size_max(str_utf8_char(s.p + i, s.n - i, &code), 1);
		if ((blank && folds & NEAR_BLANKS) ||
		    (folds & NEAR_SPACES &&
		     (near_is_invisible(code) || match_is_non_ascii_space(code))))
			continue;
		buf_put(&b, str_sub(s, i, i + n));
	}
	return folds & NEAR_CASE ? str_lower(a, buf_as_str(&b)) : buf_as_str(&b);
}

/* "2 tabs", "1 tab and 4 blanks", "nothing" */
struct str match_describe_blanks(struct arena *a, struct str s)
{
	size_t tabs = 0, blanks;

	for (size_t i = 0; i < s.n; i++)
		tabs += s.p[i] == '\t';
	blanks = s.n - tabs;
	if (!s.n)
		return STR("nothing");
	if (!tabs || !blanks)
		return str_fmt(a, "%zu %s%s", s.n, tabs ? "tab" : "blank", PLURAL(s.n));
	return str_fmt(a, "%zu tab%s and %zu blank%s", tabs, PLURAL(tabs), blanks, PLURAL(blanks));
}

/* part: the wanted text may be a part of the line. */
static bool near_same_if(struct arena *a, struct str line, struct str want, unsigned folds,
			 bool part)
{
	line = near_folded(a, line, folds);
	want = near_folded(a, want, folds);
	return part && want.n ? str_find(line, want, 0) != SIZE_MAX : str_eq(line, want);
}

/* Where in the line the most of the wanted text begins. */
static size_t near_offset(struct str line, struct str want)
{
	size_t best = 0, most = 0;

	for (size_t at = 0; at < line.n && at < ALIGN_BYTES; at++) {
		size_t n = 0;

		while (at + n < line.n && n < want.n && line.p[at + n] == want.p[n])
			n++;
		if (n > most) {
			most = n;
			best = at;
		}
	}
	return best;
}

/* The beginning of the text from the first difference, for people. */
static struct str near_piece(struct arena *a, struct str s, size_t at)
{
	while (at && at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80)
		at--;
	s = str_utf8(a, str_sub(s, at, size_min(s.n, at + 20)));
	return s.n ? str_fmt(a, "'%.*s'", STR_ARG(s)) : STR("the end of the line");
}

/*
 * What differs. where: what the wanted line stands in, such as "the old text". part: it may begin
 * inside the line, and end there.
 */
static struct str near_cause(struct arena *a, struct str line, struct str want, const char *where,
			     bool part)
{
	static const struct {
		unsigned folds;
		const char *what;
	} causes[] = {
		{NEAR_BLANKS, "only blanks and tabs differ"},
		{NEAR_BLANKS | NEAR_SPACES, "only no-break spaces or invisible characters differ"},
		{NEAR_LETTERS, "only quotes, dashes, spaces or Unicode forms differ"},
		{NEAR_BLANKS | NEAR_SPACES | NEAR_LETTERS,
		 "only quotes differ: straight and typographic; and blanks, or Unicode forms"},
		{NEAR_BLANKS | NEAR_SPACES | NEAR_CASE, "only upper and lower case differ"},
	};
	struct str in_file = match_line_indent(line), in_old = match_line_indent(want);
	size_t from = 0, at = 0;

	/* Where it may begin inside the line, it may leave out the indentation. */
	if ((in_old.n || !part) && str_eq(str_trim(line), str_trim(want)) &&
	    !str_eq(in_file, in_old))
		return str_fmt(a, "the line is indented by %.*s in the file and by %.*s in %s",
			       STR_ARG(match_describe_blanks(a, in_file)),
			       STR_ARG(match_describe_blanks(a, in_old)), where);
	if (part) {
		from = near_offset(line, want);
		line = str_sub(line, from, line.n);
	}
	if (str_ends(line, STR("\r")) != str_ends(want, STR("\r")) &&
	    str_eq(match_trim_right(line), match_trim_right(want)))
		return str_fmt(a, "the line ends with %s in the file and with %s in %s",
			       str_ends(line, STR("\r")) ? "CR LF" : "LF",
			       str_ends(want, STR("\r")) ? "CR LF" : "LF", where);
	if (str_eq(match_trim_right(line), match_trim_right(want)))
		return str_fmt(a,
			       "blanks at the end of the line differ: %.*s in the file, %.*s in %s",
			       STR_ARG(match_describe_blanks(
				       a, str_sub(line, match_trim_right(line).n, line.n))),
			       STR_ARG(match_describe_blanks(
				       a, str_sub(want, match_trim_right(want).n, want.n))),
			       where);
	for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
		if (near_same_if(a, line, want, causes[i].folds, part))
			return str_of(causes[i].what);
	while (at < line.n && at < want.n && line.p[at] == want.p[at])
		at++;
	return str_fmt(a, "from byte %zu of the line the file has %.*s, %s %.*s", from + at + 1,
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
		err_add_detail(e, "nearest", shown);
	}
	err_detail_int(e, "oldLine", (int64_t)near->want_number);
	return err_add_detail(e, "wanted", str_utf8(a, str_sub(near->want, 0, SHOWN_MAX)));
}

static struct err *near_differs(struct err *e, struct str cause)
{
	err_add_detail(e, "differs", cause);
	return err_help(e, "%.*s", STR_ARG(cause));
}

static struct str near_replaced(struct arena *a, struct str s, const char *const pairs[][2],
				size_t n)
{
	struct buf b = buf_in(a);

	for (size_t i = 0, k; i < s.n; i += k < n ? strlen(pairs[k][0]) : 1) {
		for (k = 0; k < n && !str_starts(str_sub(s, i, s.n), str_of(pairs[k][0]));)
			k++;
		if (k < n)
			buf_puts(&b, pairs[k][1]);
		else
			buf_putc(&b, s.p[i]);
	}
	return buf_as_str(&b);
}

/* Whether the whole old text was written for another reader; empty: no. */
static struct str near_written(struct arena *a, struct str content, struct str old)
{
	static const char *const ends[][2] = {{"\r\n", "\r"}, {"\n", "\r"}};
	static const char *const escapes[][2] = {
		{"\\n", "\n"}, {"\\t", "\t"}, {"\\r", "\r"}, {"\\\"", "\""}, {"\\\\", "\\"}};
	static const char *const entities[][2] = {
		{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
	static const struct {
		const char *const (*pairs)[2];
		size_t n;
		const char *what;
	} forms[] = {
		{ends, ARRAY_SIZE(ends), "the lines of the file end with CR alone"},
		{escapes, ARRAY_SIZE(escapes),
		 "the old text has '\\n', '\\t' or the like as two characters, and the file has the "
		 "characters that they stand for"},
		{entities, ARRAY_SIZE(entities),
		 "the old text has HTML's '&lt;', '&amp;' or the like, and the file has the "
		 "characters that they stand for"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct str plain = near_replaced(a, old, forms[i].pairs, forms[i].n);

		if (!str_eq(plain, old) && str_find(content, plain, 0) != SIZE_MAX)
			return str_of(forms[i].what);
	}
	return STR("");
}

struct err *match_no_such_text(struct arena *a, struct str content, struct str old)
{
	struct str written = near_written(a, content, old);
	struct near_line near = near_find(a, content, old, false);
	struct str bare = str_trim(old);
	struct err *e;
	size_t at;

	if (written.n) {
		e = err_new(E_NO_SUCH_TEXT, "the old text is not there: %.*s", STR_ARG(written));
		err_add_detail(e, "differs", written);
		return err_help(e, "give the old text with the characters that the file has");
	}
	if (!near.number)
		return err_help(
			err_new(E_NO_SUCH_TEXT, "the old text is not there, nor a line like it"),
			"read the file again: it may have been changed");
	e = near_error(a, &near, E_NO_SUCH_TEXT, "the old text");
	at = bare.n ? str_find(content, bare, 0) : SIZE_MAX;
	if (at != SIZE_MAX)
		err_help(e, "without the blanks and newlines around it, it is in line %zu",
			 str_place_of_offset(content, at).line);
	if (!near.ended)
		near_differs(e, near.same ? STR("the line is the same; the text before or behind "
						"it differs")
					  : near_cause(a, near.text, near.want, "the old text",
						       near.want_number == 1));
	return err_help(e, "read the file again, and copy the text exactly, with its blanks");
}

/* ---- the lines of a patch ---- */

struct err *match_no_such_lines(struct arena *a, struct str content, struct str lines)
{
	struct near_line near = near_find(a, content, lines, true);
	struct buf others = buf_in(a);
	struct err *e;

	if (!near.number && !near.want.n)
		return err_help(err_new(E_HUNK_FAILED, "the file has no such blank lines together"),
				"read the file again: it may have been changed");
	if (!near.number)
		return err_help(err_new(E_HUNK_FAILED,
					"the file has no such lines, nor one like '%.*s'",
					STR_ARG(str_utf8(a, str_sub(near.want, 0, SHOWN_MAX)))),
				"read the file again: it may have been changed");
	e = near_error(a, &near, E_HUNK_FAILED, "what it expects");
	if (!near.ended)
		near_differs(e, near_cause(a, near.text, near.want, "the patch", false));
	/* The lines behind it that differ only in blanks, quotes and the like. */
	for (size_t k = 0; !near.ended && k < OTHERS_MAX &&
			   str_next_part(&near.rest, '\n', &near.text) &&
			   str_next_part(&near.want_rest, '\n', &near.want);) {
		near.number++;
		if (str_eq(near.text, near.want))
			continue;
		if (!near_same_if(a, near.text, near.want, NEAR_BLANKS | NEAR_SPACES | NEAR_LETTERS,
				  false))
			break;
		buf_fmt(&others, "%s%zu", k++ ? ", " : "", near.number);
	}
	if (others.n)
		err_help(e, "lines of the file that differ like this: %.*s",
			 STR_ARG(buf_as_str(&others)));
	return err_help(e, "read the file again, and copy the lines exactly, with their blanks");
}
