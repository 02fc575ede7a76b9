/*
 * Matches .gitignore patterns as gitignore(5) and git itself do. The globs of lib/text/re differ:
 * here braces have no meaning, "a/" names only folders, a pattern ends at blanks, and a malformed
 * pattern matches nothing and is no error.
 */
#include "tree/internal.h"

#define PATTERN_MAX ((size_t)4096) /* no path is longer; a longer pattern is dropped */

enum how { LITERAL, SUFFIX, GLOB };

struct ignore_rule {
	struct str text; /* without "!", a leading "/" and a trailing "/" */
	enum how how;    /* SUFFIX: text follows a "*" */
	bool negative, dirs_only;
	bool base_only; /* compared with the last part of the path */
};

/* ---- one part of a path ---- */

/* [:name:] in ASCII, in any locale. *known is false for an unknown name. */
static bool in_named(struct str name, unsigned char c, bool *known)
{
	static const struct {
		const char *name, *ranges; /* pairs: first and last character */
	} classes[] = {{"alnum", "09AZaz"},   {"alpha", "AZaz"},
		       {"blank", "\t\t  "},   {"cntrl", "\001\037\177\177"},
		       {"digit", "09"},       {"graph", "!~"},
		       {"lower", "az"},       {"print", " ~"},
		       {"punct", "!/:@[`{~"}, {"space", "\t\n\r\r  "},
		       {"upper", "AZ"},       {"xdigit", "09AFaf"}};
	bool has = false;

	*known = false;
	for (size_t i = 0; i < ARRAY_SIZE(classes) && !*known; i++) {
		*known = str_is(name, classes[i].name);
		for (const char *r = classes[i].ranges; *known && *r; r += 2)
			has |= c >= (unsigned char)r[0] && c <= (unsigned char)r[1];
	}
	return has;
}

/* Parses one member of a bracket, optionally after a backslash. */
static bool ignore_member(struct str p, size_t *i, unsigned char *c)
{
	if (*i < p.n && p.p[*i] == '\\')
		++*i;
	if (*i >= p.n)
		return false;
	*c = (unsigned char)p.p[(*i)++];
	return true;
}

/*
 * A bracket expression; *i is after its "[", and on return after its "]". False when it is
 * malformed. A leading "]" is a member.
 */
static bool ignore_bracket(struct str p, size_t *i, unsigned char c, bool *match)
{
	bool negative = *i < p.n && (p.p[*i] == '!' || p.p[*i] == '^'), has = false, known;
	size_t first = *i += negative, end;
	unsigned char from, to;

	while (*i < p.n && (p.p[*i] != ']' || *i == first)) {
		if (p.p[*i] == '[' && *i + 1 < p.n && p.p[*i + 1] == ':') {
			end = str_find_char(p, ']', *i + 2);
			if (end == SIZE_MAX)
				return false;
			if (end > *i + 2 && p.p[end - 1] == ':') {
				has |= in_named(str_sub(p, *i + 2, end - 1), c, &known);
				if (!known)
					return false;
				*i = end + 1;
				continue;
			}
		}
		if (!ignore_member(p, i, &from))
			return false;
		has |= c == from;
		if (*i + 1 < p.n && p.p[*i] == '-' && p.p[*i + 1] != ']') {
			++*i;
			if (!ignore_member(p, i, &to))
				return false;
			has |= c >= from && c <= to;
		}
	}
	if (*i >= p.n)
		return false;
	++*i;
	*match = has != negative;
	return true;
}

/*
 * Matches the element at p[*i], which is no "*", against one byte; moves *i past it. False:
 * malformed.
 */
static bool ignore_one(struct str p, size_t *i, unsigned char c, bool *match)
{
	char what = p.p[(*i)++];

	if (what == '?') {
		*match = true;
		return true;
	}
	if (what == '[')
		return ignore_bracket(p, i, c, match);
	if (what == '\\') {
		if (*i == p.n)
			return false;
		what = p.p[(*i)++];
	}
	*match = (unsigned char)what == c;
	return true;
}

/* A "*" matches as little as possible; only the last "*" ever has to match more. */
static bool part_matches(struct str p, struct str text)
{
	size_t i = 0, k = 0, star = SIZE_MAX, took = 0;

	while (k < text.n) {
		bool match = false;

		if (i < p.n && p.p[i] == '*') {
			star = ++i;
			took = k;
			continue;
		}
		if (i < p.n && !ignore_one(p, &i, (unsigned char)text.p[k], &match))
			return false;
		if (match) {
			k++;
		} else if (star != SIZE_MAX) {
			i = star;
			k = ++took;
		} else {
			return false;
		}
	}
	while (i < p.n && p.p[i] == '*')
		i++;
	return i == p.n;
}

/* ---- paths ---- */

/* Where the part that begins at i ends, and where the next one begins (or SIZE_MAX). */
static size_t pattern_part(struct str p, size_t i, size_t *next)
{
	while (i < p.n && p.p[i] != '/') {
		bool match;

		if (p.p[i] == '\\' && i + 1 < p.n && p.p[i + 1] == '/') {
			*next = i + 2;
			return i;
		}
		if (p.p[i] == '*')
			i++;
		else if (!ignore_one(p, &i, 0, &match))
			break;
	}
	*next = i < p.n ? i + 1 : SIZE_MAX;
	return size_min(i, p.n);
}

static bool is_double_star(struct str part)
{
	for (size_t i = 0; i < part.n; i++)
		if (part.p[i] != '*')
			return false;
	return part.n > 1;
}

/* Part by part. As in part_matches(), only the last double star met ever has to take more. */
bool tree_ignore_pattern_matches_path(struct str p, struct str path)
{
	size_t i = 0, k = 0, star = SIZE_MAX, took = 0, next = 0;

	while (k <= path.n) {
		size_t end = size_min(str_find_char(path, '/', k), path.n);

		if (i != SIZE_MAX) {
			struct str part = str_sub(p, i, pattern_part(p, i, &next));

			if (is_double_star(part)) {
				if (next == SIZE_MAX)
					return true;
				i = star = next;
				took = k;
				continue;
			}
			if (part_matches(part, str_sub(path, k, end))) {
				i = next;
				k = end + 1;
				continue;
			}
		}
		if (star == SIZE_MAX)
			return false;
		took = size_min(str_find_char(path, '/', took), path.n) + 1;
		i = star;
		k = took;
	}
	return i == SIZE_MAX;
}

enum ignore_answer ignore_ask(const struct ignore *ig, struct str path, bool is_dir)
{
	struct str base = str_base(path);

	for (size_t i = ig->n; i-- > 0;) {
		const struct ignore_rule *r = &ig->p[i];
		struct str text = r->base_only ? base : path;

		if (r->dirs_only && !is_dir)
			continue;
		if (r->how == LITERAL  ? str_eq(r->text, text)
		    : r->how == SUFFIX ? str_ends(text, r->text)
		    : r->base_only     ? part_matches(r->text, text)
				       : tree_ignore_pattern_matches_path(r->text, text))
			return r->negative ? IGNORE_NO : IGNORE_YES;
	}
	return IGNORE_UNSAID;
}

/* ---- reading ---- */

static bool is_plain_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[' || s.p[i] == '\\')
			return false;
	return true;
}

static bool is_well_formed(struct str p)
{
	for (size_t i = 0; i < p.n;) {
		bool match;

		if (p.p[i] == '*')
			i++;
		else if (!ignore_one(p, &i, 0, &match))
			return false;
	}
	return p.n;
}

/* A trailing blank counts only after a backslash. */
static struct str trim_blanks(struct str s)
{
	size_t end = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == ' ')
			continue;
		end = size_min(i + 1, s.n);
	}
	return str_sub(s, 0, end);
}

void ignore_line(struct arena *a, struct ignore *ig, struct str line)
{
	/* Git reads lines as C strings. */
	struct str s = trim_blanks(str_sub(line, 0, str_find_char(line, 0, 0)));
	struct ignore_rule r = {0};

	if (!s.n || s.p[0] == '#')
		return;
	r.negative = str_take_char(&s, '!');
	if (s.n && s.p[s.n - 1] == '/') {
		r.dirs_only = true;
		s.n--;
	}
	r.base_only = str_find_char(s, '/', 0) == SIZE_MAX;
	str_take_char(&s, '/');
	if (s.n > PATTERN_MAX || !is_well_formed(s))
		return;
	r.how = GLOB;
	if (is_plain_text(s)) {
		r.how = LITERAL;
	} else if (r.base_only && s.p[0] == '*' && is_plain_text(str_sub(s, 1, s.n))) {
		r.how = SUFFIX;
		s = str_sub(s, 1, s.n);
	}
	r.text = str_dup(a, s);
	*VEC_PUSH(a, ig) = r;
}

void ignore_add_text(struct arena *a, struct ignore *ig, struct str text)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	struct str line;

	if (str_starts(text, bom))
		text = str_sub(text, bom.n, text.n);
	while (str_next_line(&text, &line))
		ignore_line(a, ig, line);
}

/* ---- the files of a tree ---- */

struct err *tree_ignores(struct arena *a, struct tree *t, const struct strs *excludes,
			 struct str path, bool *ignored)
{
	struct ignore_level {
		struct str folder;
		struct ignore rules;
	};
	struct VEC(struct ignore_level) levels = {0};
	struct ignore outer = {0};
	struct str folder = STR(""), text;
	struct tree_file f;
	bool found;

	*ignored = false;
	for (size_t i = 0; i < excludes->n; i++)
		ignore_line(a, &outer, excludes->p[i]);
	while (folder.n < path.n && !*ignored) {
		size_t from = folder.n + (folder.n > 0);
		size_t end = size_min(str_find_char(path, '/', from), path.n);
		struct str whole = str_sub(path, 0, end);
		struct ignore_level *level = VEC_PUSH(a, &levels);
		enum ignore_answer answer = IGNORE_UNSAID;

		*level = (struct ignore_level){.folder = folder};
		TRY(tree_find(t,
			      str_fmt(a, "%.*s%s.gitignore", STR_ARG(folder), folder.n ? "/" : ""),
			      &f, &found));
		/* Git does not follow a .gitignore that is a link. */
		if (found && kind_is_plain_file(f.kind)) {
			TRY(tree_read(t, a, &f, IGNORE_MAX, &text));
			ignore_add_text(a, &level->rules, text);
		}
		for (size_t i = levels.n; i-- > 0 && answer == IGNORE_UNSAID;)
			answer = ignore_ask(&levels.p[i].rules,
					    tree_path_below(whole, levels.p[i].folder),
					    end < path.n);
		if (answer == IGNORE_UNSAID)
			answer = ignore_ask(&outer, whole, end < path.n);
		*ignored = answer == IGNORE_YES;
		folder = whole;
	}
	return NULL;
}
