/*
 * Derives from a pattern's text the literals that every match must contain. For a part of the
 * pattern, all strings that it can match may be known, and few. Otherwise, the best set of literals
 * is known: every match contains a literal of that set. Unknown syntax ends the analysis: see
 * required_of_pattern().
 *
 * These are traps. (?i) lasts to the end of its group, across "|". K and S have partners above
 * ASCII when case does not count. "{" may be plain text. \Q..\E and (?#..) may stand between an
 * item and its quantifier. After (*ACCEPT) everything is optional.
 */
#include "re/internal.h"

#define DEPTH_MAX 32
#define UTF8_MAX  ((size_t)4)
#define FEW       8 /* a class of more characters gives no literals */

/* ---- parts of a pattern ---- */

struct part {
	bool exact; /* `all` has all strings that the part matches */
	struct literals all;
	struct literals
		best;  /* not exact: every match has one of these; n is 0 when none is known */
	size_t before; /* limit of the part's bytes before `best` */
	size_t max;    /* length of the longest match in bytes, or SIZE_MAX */
	bool newline;  /* the part may match a "\n" */
};

/* A sequence of parts. */
struct seq {
	struct part part;
	struct literals
		run;   /* the strings that the last parts together match, while they are known */
	size_t run_at; /* limit of the bytes before the run */
};

static bool usable(const struct literals *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->p[i].n < LIT_MIN)
			return false;
	return l->n > 0;
}

/* How often one of the literals occurs by chance, about. */
static double cost_of(const struct literals *l)
{
	double cost = 0;

	for (size_t i = 0; i < l->n; i++) {
		unsigned bits = 0;

		for (size_t k = 0; k < l->p[i].n; k++)
			bits += byte_information_bits((unsigned char)l->p[i].b[k]);
		cost += 1 / (double)((uint64_t)1 << size_min(bits, 60));
	}
	return cost;
}

static size_t sum(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static void part_set_empty(struct part *p)
{
	p->exact = true;
	p->all.n = 1;
	p->all.p[0].n = 0;
	p->all.p[0].icase = false;
	p->best.n = 0;
	p->before = 0;
	p->max = 0;
	p->newline = false;
}

static void part_set_unknown(struct part *p, size_t max, bool newline)
{
	part_set_empty(p);
	p->exact = false;
	p->max = max;
	p->newline = newline;
}

/* Makes the literals p's best if they are better than its present best. */
static void required_offer(struct part *p, const struct literals *l, size_t before)
{
	if (!usable(l) || (p->best.n && cost_of(&p->best) <= cost_of(l)))
		return;
	p->best = *l;
	p->before = before;
}

/* Appends each string of b to each string of a. False when there are too many, or too long ones. */
static bool cross(struct literals *a, const struct literals *b)
{
	struct literals out;

	if (a->n * b->n > LITS_MAX)
		return false;
	out.n = 0;
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++) {
			struct literal *l = &out.p[out.n++];
			const struct literal *x = &a->p[i], *y = &b->p[k];

			if (x->n + y->n > LIT_MAX)
				return false;
			*l = *x;
			memcpy(l->b + l->n, y->b, y->n);
			l->n = (unsigned char)(l->n + y->n);
			l->icase = x->icase || y->icase;
			/* Folding the case of the whole string only weakens the literal. */
			for (size_t c = 0; l->icase && c < l->n; c++)
				if (l->b[c] >= 'A' && l->b[c] <= 'Z')
					l->b[c] |= 0x20;
		}
	}
	*a = out;
	return true;
}

/* Ends the run of known strings at the end of s. */
static void required_flush(struct seq *s)
{
	required_offer(&s->part, &s->run, s->run_at);
	s->run.n = 1;
	s->run.p[0].n = 0;
	s->run.p[0].icase = false;
	s->run_at = s->part.max;
}

static void pattern_seq_start(struct seq *s)
{
	part_set_empty(&s->part);
	s->run = s->part.all;
	s->run_at = 0;
}

static void pattern_seq_add(struct seq *s, const struct part *p)
{
	struct part *to = &s->part;
	size_t max = sum(to->max, p->max);

	if (p->exact) {
		if (!cross(&s->run, &p->all)) {
			to->exact = false;
			required_flush(s);
			s->run = p->all;
		}
	} else {
		to->exact = false;
		required_flush(s);
		required_offer(to, &p->best, sum(to->max, p->before));
		s->run_at = max;
	}
	to->max = max;
	to->newline = to->newline || p->newline;
}

static void pattern_seq_finish(struct seq *s, struct part *out)
{
	if (s->part.exact)
		s->part.all = s->run;
	else
		required_flush(s);
	*out = s->part;
}

/* The literals of the part; each match contains one of them, whether the part is exact or not. */
static const struct literals *required_best(const struct part *p)
{
	return p->exact ? &p->all : &p->best;
}

/* p becomes p | other; with `first`, p becomes other. */
static void part_add_alternative(struct part *p, const struct part *other, bool first)
{
	struct literals all;
	bool both;

	if (first) {
		*p = *other;
		return;
	}
	all = *required_best(p);
	both = usable(&all) && usable(required_best(other));
	if (p->exact && other->exact)
		both = true;
	if (both && all.n + required_best(other)->n <= LITS_MAX) {
		memcpy(all.p + all.n, required_best(other)->p,
		       required_best(other)->n * sizeof(all.p[0]));
		all.n += required_best(other)->n;
	} else {
		both = false;
		all.n = 0;
	}
	p->before = size_max(p->exact ? 0 : p->before, other->exact ? 0 : other->before);
	p->exact = p->exact && other->exact && both;
	if (p->exact)
		p->all = all;
	else
		p->best = all;
	if (!p->exact && !usable(&p->best))
		p->best.n = 0;
	p->max = size_max(p->max, other->max);
	p->newline = p->newline || other->newline;
}

/* Adds p{least,most}; most is SIZE_MAX when there is no upper limit. */
static void pattern_seq_add_repeated(struct seq *s, const struct part *p, size_t least, size_t most)
{
	struct part rest;
	size_t n = 0, more;

	if (least == 0 && most == 1 && p->exact) {
		part_set_empty(&rest);
		part_add_alternative(&rest, p, false);
		if (rest.exact) {
			pattern_seq_add(s, &rest);
			return;
		}
	}
	/* LIT_MAX copies are enough, because a literal has at most LIT_MAX bytes. */
	for (; n < least && n < LIT_MAX && (n == 0 || p->exact); n++)
		pattern_seq_add(s, p);
	more = most == SIZE_MAX ? most : most - n;
	part_set_unknown(&rest, more && p->max > SIZE_MAX / more ? SIZE_MAX : p->max * more,
			 p->newline);
	if (n < most && rest.max)
		pattern_seq_add(s, &rest);
}

/* ---- reading: it knows only a part of the syntax, and sets `unknown` at everything else ---- */

struct reader {
	const char *p;
	size_t n, at;
	bool icase, dotall, extended; /* the options in force at this place */
	bool quote;                   /* the place is inside \Q..\E */
	bool moves;                   /* \G or \K was seen */
	bool looks;                   /* see struct required */
	bool breaks;                  /* see struct required */
	bool unknown;                 /* unknown syntax was seen: claim nothing */
	unsigned depth;
};

/* Ends the reading: what follows is not known. */
static void re_reader_unknown(struct reader *r)
{
	r->unknown = true;
	r->at = r->n;
}

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

static uint32_t read_utf8(struct reader *r)
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

/* The part for one character, under the options in force. */
static void part_from_char(const struct reader *r, uint32_t code, struct part *out)
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

/*
 * Reads an escape that is valid both inside and outside a class; r->at is after the backslash.
 * Returns true and the code when the escape is one known character. Otherwise r->at has not moved,
 * or r->unknown is set.
 */
static bool read_escaped_char(struct reader *r, uint32_t *code)
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

/* ---- classes: their characters when they are few, and whether "\n" matches ---- */

struct set {
	bool has[128];
	bool beyond; /* it has, or may have, characters above ASCII */
	bool negated;
	unsigned classes; /* a bit for each letter of \d, \D, \s, \S, \w, \W that it has */
};

static void class_add_range(struct set *s, uint32_t from, uint32_t to)
{
	for (uint32_t c = from; c <= to && c < 128; c++)
		s->has[c] = true;
	if (to >= 128)
		s->beyond = true;
}

/*
 * Adds \d, \w and similar; r->at is after the backslash. The added set may be larger than the
 * escape's real set.
 */
static void add_escape(struct reader *r, struct set *s)
{
	static const struct {
		const char *names, *ranges; /* ranges: pairs of the first and last character */
		bool beyond;
	} sets[] = {{"d", "09", false},
		    {"w", "09AZaz__", false},
		    {"s", "\t\r  ", false},
		    {"b", "\b\b", false},
		    {"v", "\n\r", true},
		    {"h", "\t\t  ", true},
		    {"SV", "!\177", true},
		    /* These include "\n". The other characters are too many to matter. */
		    {"DWH", "\1\177", true}};
	static const char pairs[] = "dDsSwW";
	char c = r->at < r->n ? r->p[r->at++] : 0;
	const char *known = c ? strchr(pairs, c) : NULL;

	if (known)
		s->classes |= 1u << (known - pairs);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		if (!c || !strchr(sets[i].names, c))
			continue;
		for (const char *range = sets[i].ranges; *range; range += 2)
			class_add_range(s, (unsigned char)range[0], (unsigned char)range[1]);
		s->beyond |= sets[i].beyond;
		return;
	}
	re_reader_unknown(r);
}

/* Adds [:alpha:] and similar; r->at is after "[:". */
static void add_posix(struct reader *r, struct set *s)
{
	static const struct {
		const char *name;
		bool newline;
	} names[] = {{"alpha", 0}, {"lower", 0}, {"upper", 0}, {"alnum", 0}, {"ascii", 1},
		     {"blank", 0}, {"cntrl", 1}, {"digit", 0}, {"graph", 0}, {"print", 0},
		     {"punct", 0}, {"space", 1}, {"word", 0},  {"xdigit", 0}};
	bool negated = r->at < r->n && r->p[r->at] == '^';
	struct str rest = {r->p + r->at + negated, r->n - r->at - negated};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct str name = str_of(names[i].name);

		if (!str_starts(rest, name) ||
		    !str_starts(str_sub(rest, name.n, rest.n), STR(":]")))
			continue;
		r->at += negated + name.n + 2;
		class_add_range(s, ' ', 128);
		if (names[i].newline != negated)
			class_add_range(s, '\n', '\n');
		return;
	}
	re_reader_unknown(r);
}

/*
 * Reads one character of the class. For any other element it adds the element's set and returns
 * false. Such a set may be too large, so a negated class may be too small: for a negated class only
 * "\n" is reliable.
 */
static bool class_read_member(struct reader *r, struct set *s, uint32_t *code)
{
	struct str rest = {r->p + r->at, r->n - r->at};

	if (str_starts(rest, STR("[:"))) {
		r->at += 2;
		add_posix(r, s);
		return false;
	}
	if (str_starts(rest, STR("[.")) || str_starts(rest, STR("[="))) {
		re_reader_unknown(r);
		return false;
	}
	if (str_starts(rest, STR("\\"))) {
		r->at++;
		if (read_escaped_char(r, code))
			return true;
		if (!r->unknown)
			add_escape(r, s);
		return false;
	}
	*code = read_utf8(r);
	return true;
}

/* Reads a class [...]; r->at is after the "[". */
static void read_class(struct reader *r, struct part *out)
{
	struct set s = {0};
	size_t members = 0, begin;
	bool first = true;

	if (r->at < r->n && r->p[r->at] == '^') {
		s.negated = true;
		r->at++;
	}
	begin = r->at;
	while (r->at < r->n && (r->at == begin || r->p[r->at] != ']')) {
		uint32_t from, to;

		if (!class_read_member(r, &s, &from))
			continue;
		to = from;
		if (r->at + 1 < r->n && r->p[r->at] == '-' && r->p[r->at + 1] != ']') {
			r->at++;
			if (!class_read_member(r, &s, &to)) {
				/* In [a-\d] the hyphen is a plain character. */
				class_add_range(&s, '-', '-');
				to = from;
			}
		}
		class_add_range(&s, from, to);
		r->breaks = r->breaks || (!s.negated && from == '\n');
	}
	if (r->at < r->n)
		r->at++;
	else
		re_reader_unknown(r);
	for (size_t c = 0; c < ARRAY_SIZE(s.has); c++)
		members += s.has[c];
	part_set_unknown(out, 4, s.has['\n'] != s.negated);
	/* [\s\S] is a way to write (?s). */
	r->breaks = r->breaks || (!s.negated && s.classes & s.classes >> 1 & 0x15);
	if (s.negated || s.beyond || members == 0 || members > FEW || r->unknown)
		return;
	for (uint32_t c = 0; c < ARRAY_SIZE(s.has); c++) {
		struct part one;

		if (!s.has[c])
			continue;
		/* [Aa] with RE_ICASE is one literal. */
		if (r->icase && c >= 'a' && c <= 'z' && s.has[c - 0x20])
			continue;
		part_from_char(r, c, &one);
		part_add_alternative(out, &one, first);
		first = false;
	}
}

/* ---- items ---- */

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

static void read_alternatives(struct reader *r, struct part *out);

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

/* ---- the whole pattern ---- */

void required_of_pattern(struct str pattern, unsigned flags, struct required *out)
{
	struct reader r = {.p = pattern.p, .n = pattern.n, .icase = flags & RE_ICASE};
	struct part p;
	struct seq s;

	*out = (struct required){.before = SIZE_MAX};
	if (flags & RE_LITERAL) {
		pattern_seq_start(&s);
		while (re_reader_more(&r)) {
			re_reader_char(&r, read_utf8(&r), &p);
			pattern_seq_add(&s, &p);
		}
		pattern_seq_finish(&s, &p);
	} else {
		read_alternatives(&r, &p);
		if (re_reader_more(&r))
			re_reader_unknown(&r);
	}
	if (r.unknown)
		return;
	out->understood = true;
	out->one_line = !p.newline;
	out->breaks = r.breaks;
	out->moves = r.moves;
	out->looks = r.looks || r.moves;
	out->in_quote = r.quote;
	out->extended = r.extended;
	if (!usable(required_best(&p)))
		return;
	out->lits = *required_best(&p);
	out->before = p.exact ? 0 : p.before;
}

bool re_asks_line_break(struct str pattern, unsigned flags)
{
	struct required needs;

	required_of_pattern(pattern, flags, &needs);
	return needs.breaks;
}
