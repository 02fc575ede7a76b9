/* Parses classes, [...]: finds the characters when they are few, and whether "\n" matches. */
#include "re/required.h"

#define FEW 8

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

void read_class(struct reader *r, struct part *out)
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
