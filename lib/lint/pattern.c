/*
 * Rules about the text of a pattern: a glob where a regular expression belongs, and repetitions of
 * repetitions. Both read the pattern as PCRE2 does, and only patterns that compile get here.
 */
#include "lint/run.h"

/* ---- a glob, or a regular expression ---- */

/* Whether the character stands for itself in the names of packages and files. */
static bool lint_is_name_char(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '_' || c == '/' || c == '@' || c == ':';
}

/*
 * A star behind a plain character repeats that character, which no name of a package or file needs:
 * "@evil" with a slash and a star means any number of slashes. Returns the offset of the star, or
 * SIZE_MAX.
 */
static size_t lint_glob_star(struct str re)
{
	bool class = false;

	for (size_t i = 0; i < re.n; i++) {
		if (re.p[i] == '\\')
			i++;
		else if (re.p[i] == '[')
			class = true;
		else if (re.p[i] == ']')
			class = false;
		else if (!class && re.p[i] == '*' && i && lint_is_name_char(re.p[i - 1]) &&
			 !(i > 1 && re.p[i - 2] == '\\'))
			return i;
	}
	return SIZE_MAX;
}

/* The glob as a regular expression: each such star with a dot before it. */
static struct str lint_star_to_regex(struct arena *a, struct str glob)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < glob.n; i++) {
		if (glob.p[i] == '*' && i && lint_is_name_char(glob.p[i - 1]))
			buf_putc(&b, '.');
		buf_putc(&b, glob.p[i]);
	}
	return buf_str(&b);
}

/* The sign that a glob is a regular expression; NULL: it looks like a glob. */
static const char *lint_regex_part(struct str glob)
{
	static const char *const parts[] = {".*", ".+", "\\.", "(", "|", NULL};

	for (size_t i = 0; parts[i]; i++)
		if (str_find(glob, str_of(parts[i]), 0) != SIZE_MAX)
			return parts[i];
	if (str_starts(glob, STR("^")))
		return "^";
	return str_ends(glob, STR("$")) ? "$" : NULL;
}

/* ".*" is also a glob for hidden files: there it begins a part of the path. */
static bool lint_is_regex(struct str glob, const char **part)
{
	*part = lint_regex_part(glob);
	if (!*part || strcmp(*part, ".*"))
		return *part != NULL;
	for (size_t at = 0; (at = str_find(glob, STR(".*"), at)) != SIZE_MAX; at++)
		if ((at == 0 && at + 2 < glob.n) || (at && glob.p[at - 1] == '/'))
			return true;
	*part = NULL;
	return false;
}

static void lint_language(struct lint *l, const struct lint_file *f, const struct kn_constraint *c)
{
	bool whole = c->target == KN_TARGET_DEPENDENCY || c->target == KN_TARGET_IMPORT;
	const char *part;

	if (c->glob && lint_is_regex(c->pattern, &part))
		lint_say(
			l, f, LINT_PATTERN_LANGUAGE, c->place,
			"constraint %u: pattern '%.*s' has '%s', but with target file and %s it is "
			"a glob: write it as a glob, or use must_not_match",
			c->index, STR_ARG(c->pattern), part, kn_operators[c->op]);
	if ((whole || (c->target == KN_TARGET_FILE && c->re)) &&
	    lint_glob_star(c->pattern) != SIZE_MAX)
		lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
			 "constraint %u: pattern '%.*s' looks like a glob, and it is a regular "
			 "expression, where * repeats the character before it: write '%.*s'",
			 c->index, STR_ARG(c->pattern),
			 STR_ARG(lint_star_to_regex(l->a, c->pattern)));
	for (size_t i = 0; i < c->applies_to.n; i++)
		if (lint_is_regex(c->applies_to.p[i], &part))
			lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
				 "constraint %u: appliesTo '%.*s' has '%s', but it is a glob",
				 c->index, STR_ARG(c->applies_to.p[i]), part);
}

/* ---- repeated repetitions ---- */

#define LINT_DEPTH 100

/*
 * Reads a pattern from left to right. A sequence is "loose" when one of its parts repeats without
 * end and all its other parts may be empty: "a+", "a+b?", "(a+)?". A loose group that repeats
 * without end again can split a text in exponentially many ways: "(a+)+". "(a+b)+" cannot, for each
 * round needs its b.
 */
struct lint_regex {
	struct str re;
	size_t at;
	struct span found; /* the first loose group that repeats; to 0: none */
};

struct lint_part {
	bool empty; /* it may match nothing */
	bool loose;
};

static struct lint_part lint_regex_alternatives(struct lint_regex *r, unsigned depth);

static char lint_regex_peek(const struct lint_regex *r)
{
	return r->at < r->re.n ? r->re.p[r->at] : '\0';
}

/* Behind "[": skips the class. A "]" at its begin is a member. */
static void lint_regex_class(struct lint_regex *r)
{
	if (lint_regex_peek(r) == '^')
		r->at++;
	if (lint_regex_peek(r) == ']')
		r->at++;
	while (r->at < r->re.n && r->re.p[r->at] != ']') {
		if (r->re.p[r->at] == '\\') {
			r->at++;
		} else if (str_starts(str_sub(r->re, r->at, r->re.n), STR("[:"))) {
			size_t end = str_find(r->re, STR(":]"), r->at);

			r->at = end == SIZE_MAX ? r->at : end + 1;
		}
		r->at++;
	}
	r->at++;
}

/* A quantifier. *endless: no upper limit. *none: it may be zero times. False: there is none. */
static bool lint_regex_quantifier(struct lint_regex *r, bool *endless, bool *none, bool *possessive)
{
	struct str rest = str_sub(r->re, r->at, r->re.n);
	char c = lint_regex_peek(r);
	size_t end = str_find_char(rest, '}', 0), i = 1, digits = 0;

	*endless = c == '*' || c == '+';
	*none = c == '*' || c == '?';
	*possessive = false;
	if (c == '{' && end != SIZE_MAX) {
		for (; i < end && ascii_is_digit(rest.p[i]); i++)
			digits++;
		*none = digits && rest.p[1] == '0';
		*endless = digits && rest.p[i] == ',' && i + 1 == end;
		for (i += rest.p[i] == ','; i < end && ascii_is_digit(rest.p[i]);)
			i++;
		/* "{x}" stands for itself. */
		if (!digits || i != end)
			return false;
		r->at += end + 1;
	} else if (*endless || *none) {
		r->at++;
	} else {
		return false;
	}
	*possessive = lint_regex_peek(r) == '+';
	if (*possessive || lint_regex_peek(r) == '?')
		r->at++;
	return true;
}

/* Behind "(": a group. Atomic groups and assertions do not give back what they took. */
static struct lint_part lint_regex_group(struct lint_regex *r, unsigned depth)
{
	static const char *const closed[] = {"?>", "?=", "?!", "?<=", "?<!", "*", "?#", NULL};
	struct str rest = str_sub(r->re, r->at, r->re.n);
	struct lint_part p;
	bool tight = false, looks = false;

	for (size_t i = 0; closed[i]; i++)
		tight = tight || str_starts(rest, str_of(closed[i]));
	looks = tight && !str_starts(rest, STR("?>"));
	if (str_starts(rest, STR("?#"))) {
		size_t end = str_find_char(r->re, ')', r->at);

		r->at = end == SIZE_MAX ? r->re.n : end + 1;
		return (struct lint_part){true, false};
	}
	/* "?:", "?<name>", "?i" and the like: what follows them up to ":" or ">" is no text. */
	if (str_starts(rest, STR("?")))
		while (r->at < r->re.n && !strchr(":>=!)", r->re.p[r->at]))
			r->at++;
	if (str_starts(rest, STR("?")) && lint_regex_peek(r) != ')')
		r->at++;
	p = lint_regex_alternatives(r, depth + 1);
	if (lint_regex_peek(r) == ')')
		r->at++;
	p.loose = p.loose && !tight;
	p.empty = p.empty || looks;
	return p;
}

/* One part with its quantifier. */
static struct lint_part lint_regex_part_read(struct lint_regex *r, unsigned depth)
{
	struct lint_part p = {false, false};
	size_t from = r->at;
	char c = r->re.p[r->at++];
	bool group = c == '(' && depth < LINT_DEPTH, endless, none, possessive;

	if (group)
		p = lint_regex_group(r, depth);
	else if (c == '[')
		lint_regex_class(r);
	else if (c == '\\' && lint_regex_peek(r) == 'Q') {
		size_t end = str_find(r->re, STR("\\E"), r->at);

		r->at = end == SIZE_MAX ? r->re.n : end + 2;
	} else if (c == '\\') {
		p.empty = strchr("bBAZzGK", lint_regex_peek(r)) && lint_regex_peek(r);
		r->at++;
	} else if (c == '^' || c == '$')
		p.empty = true;
	if (!lint_regex_quantifier(r, &endless, &none, &possessive))
		return p;
	if (group && p.loose && endless && !possessive && !r->found.to)
		r->found = (struct span){from, r->at};
	p.loose = !possessive && (p.loose || endless);
	p.empty = p.empty || none;
	return p;
}

static struct lint_part lint_regex_sequence(struct lint_regex *r, unsigned depth)
{
	size_t full = 0, loose_full = 0, loose_empty = 0;

	while (r->at < r->re.n && r->re.p[r->at] != '|' && r->re.p[r->at] != ')') {
		struct lint_part p = lint_regex_part_read(r, depth);

		full += !p.empty;
		loose_full += p.loose && !p.empty;
		loose_empty += p.loose && p.empty;
	}
	return (struct lint_part){
		.empty = !full,
		.loose = (loose_empty && !full) || (loose_full && full == 1),
	};
}

static struct lint_part lint_regex_alternatives(struct lint_regex *r, unsigned depth)
{
	struct lint_part all = {false, false};

	for (;;) {
		struct lint_part p = lint_regex_sequence(r, depth);

		all.empty = all.empty || p.empty;
		all.loose = all.loose || p.loose;
		/* A ")" without a group: only a pattern that does not compile has it. */
		if (!depth && lint_regex_peek(r) == ')')
			r->at++;
		else if (lint_regex_peek(r) == '|')
			r->at++;
		else
			return all;
	}
}

static void lint_backtracks(struct lint *l, const struct lint_file *f,
			    const struct kn_constraint *c)
{
	struct lint_regex r = {.re = c->pattern};
	struct str part;

	if (!c->re)
		return;
	lint_regex_alternatives(&r, 0);
	part = str_sub(c->pattern, r.found.from, r.found.to);
	if (r.found.to)
		lint_say(l, f, LINT_PATTERN_BACKTRACKS, c->place,
			 "constraint %u: '%.*s' repeats a repetition: a text that almost matches "
			 "can take very long; let each round need a character that the inner "
			 "repetition cannot take, or write it as '%.*s+'",
			 c->index, STR_ARG(part), STR_ARG(part));
}

void lint_pattern(struct lint *l, const struct lint_file *f, const struct kn_constraint *c)
{
	lint_language(l, f, c);
	lint_backtracks(l, f, c);
}
