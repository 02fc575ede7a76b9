/*
 * Parses a pattern that PCRE2 has accepted, for required.c. It knows only a part of the syntax, and
 * it detects everything else. It then sets `unknown`, and required.c claims nothing.
 */
#include "re/required.h"

#define DEPTH_MAX 32
#define UTF8_MAX  ((size_t)4)

static void read_alternatives(struct reader *r, struct part *out);

static bool re_reader_more(const struct reader *r)
{
	return r->at < r->n;
}

static bool next_is(const struct reader *r, const char *s)
{
	return str_starts((struct str){r->p + r->at, r->n - r->at}, str_of(s));
}

static bool re_reader_accept(struct reader *r, const char *s)
{
	if (!next_is(r, s))
		return false;
	r->at += strlen(s);
	return true;
}

/* Skips behind the next `end`. When there is none, the pattern is unknown. */
static void skip_past(struct reader *r, char end)
{
	while (re_reader_more(r) && r->p[r->at] != end)
		r->at++;
	if (re_reader_more(r))
		r->at++;
	else
		re_reader_unknown(r);
}

/* ---- characters ---- */

uint32_t read_utf8(struct reader *r)
{
	uint32_t code = 0;
	size_t n = str_utf8_char(r->p + r->at, r->n - r->at, &code);

	if (!n)
		re_reader_unknown(r);
	r->at = size_min(r->at + n, r->n);
	return code;
}

static void add_lit(struct part *p, struct str s, bool icase)
{
	struct literal *l = &p->all.p[p->all.n++];

	l->n = (unsigned char)s.n;
	l->icase = icase;
	memcpy(l->b, s.p, s.n);
	p->max = size_max(p->max, s.n);
}

void part_from_char(const struct reader *r, uint32_t code, struct part *out)
{
	part_set_empty(out);
	out->newline = code == '\n';
	if (code < 0x80) {
		char c = (char)code;
		bool fold = r->icase && ascii_is_letter(c);

		if (fold)
			c |= 0x20;
		out->all.n = 0;
		add_lit(out, (struct str){&c, 1}, fold);
		/* Without case, KELVIN SIGN is k and LATIN SMALL LETTER LONG S is s. */
		if (fold && c == 'k')
			add_lit(out, STR("\xe2\x84\xaa"), true);
		if (fold && c == 's')
			add_lit(out, STR("\xc5\xbf"), true);
	} else if (r->icase) {
		part_set_unknown(out, UTF8_MAX, false);
	} else {
		char b[UTF8_MAX];
		size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

		for (size_t i = n - 1; i > 0; i--, code >>= 6)
			b[i] = (char)(0x80 | (code & 0x3f));
		b[0] = (char)((0xf00u >> n & 0xf0) | code);
		out->all.n = 0;
		add_lit(out, (struct str){b, n}, false);
	}
}

bool read_escaped_char(struct reader *r, uint32_t *code)
{
	static const char names[] = "nrtfae", codes[] = "\n\r\t\f\a\x1b";
	const char *name;
	uint32_t digit;

	if (!re_reader_more(r)) {
		re_reader_unknown(r);
		return false;
	}
	if (!ascii_is_digit(r->p[r->at]) && !ascii_is_letter(r->p[r->at])) {
		*code = read_utf8(r);
		return true;
	}
	if (re_reader_accept(r, "x")) {
		bool braces = re_reader_accept(r, "{");
		size_t digits = 0, most = braces ? 6 : 2;

		/* Fewer than two digits are legal but rare. */
		for (*code = 0; re_reader_more(r) && digits < most &&
				str_parse_hex((struct str){r->p + r->at, 1}, &digit);
		     digits++) {
			*code = *code << 4 | digit;
			r->at++;
		}
		if (braces ? !digits || !re_reader_accept(r, "}") : digits < 2)
			re_reader_unknown(r);
		if (*code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
			re_reader_unknown(r);
		return true;
	}
	name = memchr(names, r->p[r->at], sizeof(names) - 1);
	if (!name)
		return false;
	*code = (uint32_t)codes[name - names];
	r->at++;
	return true;
}

static void re_reader_char(struct reader *r, uint32_t code, struct part *out)
{
	r->breaks = r->breaks || code == '\n';
	part_from_char(r, code, out);
}

static void re_reader_read_escape(struct reader *r, struct part *out)
{
	static const struct {
		const char *names;
		size_t max; /* bytes */
		bool newline;
	} sets[] = {{"dw", 1, false},
		    {"s", 1, true},
		    {"hSVN", UTF8_MAX, false},
		    {"DWHvRpP", UTF8_MAX, true}};
	bool empty, known;
	uint32_t code;
	char c;

	if (read_escaped_char(r, &code)) {
		re_reader_char(r, code, out);
		return;
	}
	part_set_unknown(out, SIZE_MAX, true);
	if (r->unknown)
		return;
	c = r->p[r->at++];
	r->breaks = r->breaks || c == 'R';
	r->looks = r->looks || memchr("RXAZz", c, 5);
	r->moves = r->moves || memchr("GK", c, 2);
	/* \N{U+41} is a character, \N{3} is three: both are too rare to parse. */
	if (c == 'N' && next_is(r, "{"))
		re_reader_unknown(r);
	else if ((c == 'p' || c == 'P') && next_is(r, "{"))
		skip_past(r, '}');
	else if (c == 'p' || c == 'P')
		r->at++;
	empty = memchr("GKAZzbB", c, 7);
	known = empty || c == 'X';
	if (empty)
		part_set_empty(out);
	for (size_t i = 0; i < ARRAY_SIZE(sets) && !known; i++) {
		known = memchr(sets[i].names, c, strlen(sets[i].names));
		if (known)
			part_set_unknown(out, sets[i].max, sets[i].newline);
	}
	/* A back reference with one digit. More digits may be octal. */
	if (!known && (c < '1' || c > '9' || (re_reader_more(r) && ascii_is_digit(r->p[r->at]))))
		re_reader_unknown(r);
}

/* ---- groups ---- */

/* Skips elements that match nothing: \E, an empty or opening \Q, comments, blanks. */
static void re_reader_skip(struct reader *r)
{
	for (;;) {
		if (re_reader_accept(r, "\\E")) {
			r->quote = false;
		} else if (r->quote) {
			return;
		} else if (re_reader_accept(r, "\\Q")) {
			r->quote = true;
		} else if (re_reader_accept(r, "(?#")) {
			skip_past(r, ')');
		} else if (r->extended && re_reader_more(r) &&
			   (r->p[r->at] == ' ' || (r->p[r->at] >= '\t' && r->p[r->at] <= '\r'))) {
			r->at++;
		} else if (r->extended && next_is(r, "#")) {
			while (re_reader_more(r) && r->p[r->at] != '\n')
				r->at++;
		} else {
			/* PCRE2 also skips some blanks above ASCII. */
			if (r->extended && re_reader_more(r) && (signed char)r->p[r->at] < 0)
				re_reader_unknown(r);
			return;
		}
	}
}

static size_t re_reader_read_number(struct reader *r)
{
	size_t n = 0;

	while (re_reader_more(r) && ascii_is_digit(r->p[r->at]))
		n = size_min(n * 10 + (size_t)(r->p[r->at++] - '0'), 1 << 20);
	return n;
}

/*
 * Reads {n}, {n,} or {n,m}. In other forms "{" is plain text, and the result is false. PCRE2 10.43
 * also repeats by {,m}, and by forms with blanks: what these mean depends on the library.
 */
static bool read_braces(struct reader *r, size_t *least, size_t *most)
{
	size_t start = r->at++;

	if (re_reader_more(r) && ascii_is_digit(r->p[r->at])) {
		*least = *most = re_reader_read_number(r);
		if (re_reader_accept(r, ",")) {
			*most = SIZE_MAX;
			if (re_reader_more(r) && ascii_is_digit(r->p[r->at]))
				*most = re_reader_read_number(r);
		}
		if (re_reader_accept(r, "}"))
			return true;
	}
	for (r->at = start + 1; re_reader_more(r); r->at++) {
		char c = r->p[r->at];

		if (!ascii_is_digit(c) && c != ',' && c != ' ' && c != '\t')
			break;
	}
	if (next_is(r, "}"))
		re_reader_unknown(r);
	else
		r->at = start;
	return false;
}

static bool read_quantifier(struct reader *r, size_t *least, size_t *most)
{
	if (r->quote)
		return false;
	*least = 0;
	*most = SIZE_MAX;
	if (re_reader_accept(r, "?"))
		*most = 1;
	else if (re_reader_accept(r, "+"))
		*least = 1;
	else if (!re_reader_accept(r, "*") && !(next_is(r, "{") && read_braces(r, least, most)))
		return false;
	if (!re_reader_accept(r, "?") && re_reader_accept(r, "+"))
		r->looks = true;
	return true;
}

/* Reads (?i) or (?i: with r->at after "(?". Returns true when a group begins. */
static bool read_options(struct reader *r)
{
	bool on = true;
	char c = 0;

	if (re_reader_accept(r, "^")) {
		r->icase = r->dotall = r->extended = false;
		r->looks = true;
	}
	while (re_reader_more(r)) {
		char before = c;

		c = r->p[r->at++];
		switch (c) {
		case '-': on = false; break;
		case 'i': r->icase = on; break;
		case 's': r->dotall = on; break;
		case 'x':
			/* (?xx) changes the syntax of classes. */
			if (before == 'x')
				re_reader_unknown(r);
			r->extended = on;
			break;
		case 'm': r->looks = true; break;
		case 'n':
		case 'J':
		case 'U': break;
		case ':': return true;
		case ')': return false;
		default: re_reader_unknown(r);
		}
	}
	re_reader_unknown(r);
	return false;
}

static void read_group_end(struct reader *r, struct part *out)
{
	read_alternatives(r, out);
	if (!re_reader_accept(r, ")"))
		re_reader_unknown(r);
}

/* Reads a group; r->at is after "(". The caller restores the options. */
static void read_group(struct reader *r, struct part *out)
{
	part_set_empty(out);
	if (next_is(r, "*")) {
		/* Verbs, (*ACCEPT) most of all, and the long names of lookarounds. */
		re_reader_unknown(r);
	} else if (!re_reader_accept(r, "?") || re_reader_accept(r, ":") ||
		   re_reader_accept(r, "|")) {
		read_group_end(r, out);
	} else if (re_reader_accept(r, ">")) {
		r->looks = true;
		read_group_end(r, out);
	} else if (re_reader_accept(r, "=") || re_reader_accept(r, "!") ||
		   re_reader_accept(r, "<=") || re_reader_accept(r, "<!")) {
		r->looks = true;
		read_group_end(r, out);
		part_set_empty(out);
	} else if (re_reader_accept(r, "P<") || (next_is(r, "<") && !next_is(r, "<*"))) {
		skip_past(r, '>');
		read_group_end(r, out);
	} else if (re_reader_accept(r, "'")) {
		skip_past(r, '\'');
		read_group_end(r, out);
	} else if (re_reader_accept(r, "P>") || re_reader_accept(r, "P=") ||
		   re_reader_accept(r, "&") || re_reader_accept(r, "R") ||
		   re_reader_accept(r, "+") || (re_reader_more(r) && ascii_is_digit(r->p[r->at])) ||
		   (next_is(r, "-") && r->at + 1 < r->n && ascii_is_digit(r->p[r->at + 1]))) {
		skip_past(r, ')');
		part_set_unknown(out, SIZE_MAX, true);
	} else if (read_options(r)) {
		read_group_end(r, out);
	}
}

/* Reads "(?" with options only. They last to the end of the group that contains them. */
static bool read_bare_options(struct reader *r)
{
	struct reader ahead = *r;
	char c;

	if (!re_reader_accept(&ahead, "(?") || !re_reader_more(&ahead))
		return false;
	c = ahead.p[ahead.at];
	if (!(ascii_is_letter(c) || c == '-' || c == '^' || c == ')') || c == 'P' || c == 'R' ||
	    c == 'C' ||
	    (c == '-' && ahead.at + 1 < ahead.n && ascii_is_digit(ahead.p[ahead.at + 1])))
		return false;
	if (read_options(&ahead))
		return false;
	*r = ahead;
	return true;
}

static void read_atom(struct reader *r, struct part *out)
{
	part_set_empty(out);
	if (r->quote) {
		re_reader_char(r, read_utf8(r), out);
		return;
	}
	if (re_reader_accept(r, "(")) {
		bool icase = r->icase, dotall = r->dotall, extended = r->extended;

		if (++r->depth > DEPTH_MAX)
			re_reader_unknown(r);
		else
			read_group(r, out);
		r->depth--;
		r->icase = icase;
		r->dotall = dotall;
		r->extended = extended;
	} else if (re_reader_accept(r, "[")) {
		read_class(r, out);
	} else if (re_reader_accept(r, "\\")) {
		re_reader_read_escape(r, out);
	} else if (re_reader_accept(r, ".")) {
		r->breaks = r->breaks || r->dotall;
		part_set_unknown(out, UTF8_MAX, r->dotall);
	} else if (next_is(r, "*") || next_is(r, "+") || next_is(r, "?")) {
		re_reader_unknown(r);
	} else if (!re_reader_accept(r, "^") && !re_reader_accept(r, "$")) {
		re_reader_char(r, read_utf8(r), out);
	}
}

static void read_sequence(struct reader *r, struct part *out)
{
	struct seq s;
	struct part p;

	pattern_seq_start(&s);
	for (;;) {
		size_t least, most;

		re_reader_skip(r);
		if (!re_reader_more(r) || (!r->quote && (next_is(r, "|") || next_is(r, ")"))))
			break;
		if (!r->quote && read_bare_options(r))
			continue;
		read_atom(r, &p);
		re_reader_skip(r);
		if (read_quantifier(r, &least, &most))
			pattern_seq_add_repeated(&s, &p, least, most);
		else
			pattern_seq_add(&s, &p);
	}
	pattern_seq_finish(&s, out);
}

static void read_alternatives(struct reader *r, struct part *out)
{
	struct part p;
	bool first = true;

	do {
		read_sequence(r, &p);
		part_add_alternative(out, &p, first);
		first = false;
	} while (re_reader_accept(r, "|"));
}

void read_regex(struct reader *r, struct part *out)
{
	read_alternatives(r, out);
	if (re_reader_more(r))
		re_reader_unknown(r);
}

void read_pattern_as_literal(struct reader *r, struct part *out)
{
	struct seq s;
	struct part p;

	pattern_seq_start(&s);
	while (re_reader_more(r)) {
		re_reader_char(r, read_utf8(r), &p);
		pattern_seq_add(&s, &p);
	}
	pattern_seq_finish(&s, out);
}
