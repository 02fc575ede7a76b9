/*
 * Globs. A pattern becomes a row of tokens for each brace alternative. Matching backtracks only to
 * the last "*" and to the last "**". A "*" ends with its part of the path, so an earlier "*" cannot
 * help. The last "**" can match everything that an earlier "**" would match. So the time is bounded
 * by the product of the two lengths.
 */
#include "re/internal.h"

#define BYTES_MAX ((size_t)256 << 10) /* of all expanded patterns together */

enum token_kind {
	T_BYTE, /* one byte; "/" too */
	T_ANY,  /* ? */
	T_SET,  /* [...] */
	T_STAR, /* * */
	T_DIRS, /* "**" at the start or in the middle: any number of whole parts with their "/" */
	T_REST, /* "**" at the end: the rest of the path */
};

struct token {
	enum token_kind kind;
	unsigned char byte;
	const uint8_t *set; /* 256 bits */
};

struct row {
	const struct token *p;
	size_t n;
	bool folder_only;
	struct str tail; /* the plain bytes at the end, and "/": a path without them cannot match */
	bool suffix;     /* the row is "*" and the tail: a path with this end matches */
};

struct glob {
	struct VEC(struct row) rows;
	bool negated; /* "!" precedes it in a list */
};

/* ---- reading a pattern ---- */

struct tokens VEC(struct token);

struct globber {
	struct arena *arena;
	struct str s;
	size_t at;
	struct tokens tokens;
	bool plain;        /* only plain bytes so far */
	const char *wrong; /* the error in the pattern, or NULL */
};

static void glob_add(struct globber *g, enum token_kind kind, char byte)
{
	*VEC_PUSH(g->arena, &g->tokens) = (struct token){.kind = kind, .byte = (unsigned char)byte};
}

static bool at_char(const struct globber *g, size_t at, char c)
{
	return at < g->s.n && g->s.p[at] == c;
}

static void set_range(uint8_t *set, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		set[c >> 3] |= (uint8_t)(1u << (c & 7));
}

/* Adds [:name:] of the C locale; false when there is no such class. */
static bool set_class(uint8_t *set, struct str name)
{
	static const struct {
		const char *name, *ranges; /* pairs: first and last character */
	} classes[] = {{"alnum", "09AZaz"},   {"alpha", "AZaz"},
		       {"blank", "\t\t  "},   {"cntrl", "\001\037\177\177"},
		       {"digit", "09"},       {"graph", "!~"},
		       {"lower", "az"},       {"print", " ~"},
		       {"punct", "!/:@[`{~"}, {"space", "\t\r  "},
		       {"upper", "AZ"},       {"xdigit", "09AFaf"}};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!str_is(name, classes[i].name))
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2)
			set_range(set, (unsigned char)r[0], (unsigned char)r[1]);
		return true;
	}
	return false;
}

/* Reads one byte of a class, with or without a backslash; false at the end of the pattern. */
static bool class_byte(struct globber *g, unsigned char *c)
{
	if (at_char(g, g->at, '\\'))
		g->at++;
	if (g->at >= g->s.n)
		return false;
	*c = (unsigned char)g->s.p[g->at++];
	return true;
}

/* Reads a class; g->at is after "[". */
static void glob_read_class(struct globber *g)
{
	uint8_t *set = arena_alloc(g->arena, 32);
	bool negated = at_char(g, g->at, '!') || at_char(g, g->at, '^'), first = true;
	struct token *t;

	g->at += negated;
	for (; g->at < g->s.n && (first || g->s.p[g->at] != ']'); first = false) {
		unsigned char from, to;

		if (at_char(g, g->at, '[') && at_char(g, g->at + 1, ':')) {
			size_t end = str_find(g->s, STR("]"), g->at + 2);

			if (end != SIZE_MAX && end > g->at + 2 && g->s.p[end - 1] == ':') {
				if (!set_class(set, str_sub(g->s, g->at + 2, end - 1)))
					g->wrong =
						"has an unknown character class between [: and :]";
				g->at = end + 1;
				continue;
			}
		}
		if (!class_byte(g, &from))
			break;
		to = from;
		if (at_char(g, g->at, '-') && g->at + 1 < g->s.n && g->s.p[g->at + 1] != ']') {
			g->at++;
			if (!class_byte(g, &to))
				break;
		}
		/* For Git a range in the wrong order is its first byte. */
		set_range(set, from, (unsigned)size_max(from, to));
	}
	if (g->at >= g->s.n)
		g->wrong = "has a [ without a ]";
	g->at++;
	for (size_t i = 0; negated && i < 32; i++)
		set[i] = (uint8_t)~set[i];
	set['/' >> 3] &= (uint8_t) ~(1u << ('/' & 7));
	t = VEC_PUSH(g->arena, &g->tokens);
	t->kind = T_SET;
	t->set = set;
}

static void read_tokens(struct globber *g, bool has_slash)
{
	/* A glob without a slash matches in any folder. */
	if (!has_slash)
		glob_add(g, T_DIRS, 0);
	while (g->at < g->s.n && !g->wrong) {
		char c = g->s.p[g->at];

		if (c == '*') {
			size_t start = g->at;
			bool begins = start == 0 || g->s.p[start - 1] == '/' || g->plain, ends;

			/*
			 * Reads one or more stars. Two stars between slashes or ends match folders.
			 * For Git plain text at the start of the pattern also counts as such an
			 * end, and its manual does not say so: a**[/]b matches ax/y/b.
			 */
			g->plain = false;
			while (at_char(g, g->at, '*'))
				g->at++;
			ends = g->at == g->s.n || g->s.p[g->at] == '/';
			if (g->at - start < 2 || !begins || !ends || !has_slash) {
				glob_add(g, T_STAR, 0);
			} else if (g->at == g->s.n) {
				glob_add(g, T_REST, 0);
			} else {
				g->at++;
				glob_add(g, T_DIRS, 0);
			}
			continue;
		}
		g->at++;
		g->plain = g->plain && c != '?' && c != '[' && c != '\\';
		if (c == '?') {
			glob_add(g, T_ANY, 0);
		} else if (c == '[') {
			glob_read_class(g);
		} else if (c != '\\') {
			glob_add(g, T_BYTE, c);
		} else if (g->at < g->s.n) {
			glob_add(g, T_BYTE, g->s.p[g->at++]);
		} else {
			g->wrong = "ends with a backslash, which needs a character after it";
		}
	}
}

/* Adds a row for a pattern without braces. Returns NULL, or the error in the pattern. */
static const char *glob_add_row(struct arena *a, struct glob *glob, struct str s)
{
	struct globber g = {.arena = a, .plain = true};
	struct row *row;
	bool folder_only, has_slash;
	size_t plain;
	char *tail;

	folder_only = str_ends(s, STR("/"));
	if (folder_only)
		s.n--;
	has_slash = str_find_char(s, '/', 0) != SIZE_MAX;
	if (str_starts(s, STR("/")))
		s = str_sub(s, 1, s.n);
	if (!s.n)
		return "names no file or folder";
	g.s = s;
	read_tokens(&g, has_slash);
	if (g.wrong)
		return g.wrong;
	row = VEC_PUSH(a, &glob->rows);
	row->p = g.tokens.p;
	row->n = g.tokens.n;
	row->folder_only = folder_only;
	for (plain = 0; plain < row->n && row->p[row->n - 1 - plain].kind == T_BYTE; plain++)
		;
	tail = arena_alloc(a, plain + 1);
	tail[plain] = '/';
	for (size_t i = 0; i < plain; i++)
		tail[i] = (char)row->p[row->n - plain + i].byte;
	row->tail = (struct str){tail, plain + 1};
	row->suffix = plain + 2 == row->n && row->p[0].kind == T_DIRS && row->p[1].kind == T_STAR &&
		      str_find_char(row->tail, '/', 0) == plain;
	return NULL;
}

/* ---- braces ---- */

/*
 * The place of the "}" that closes the "{" at `at`, or SIZE_MAX. *comma: the braces have
 * alternatives. "{a}" and "{}" are plain text, as in shells.
 */
static size_t brace_end(struct str s, size_t at, bool *comma)
{
	size_t depth = 0;
	bool in_class = false;

	*comma = false;
	for (; at < s.n; at++) {
		char c = s.p[at];

		if (c == '\\') {
			at++;
		} else if (in_class) {
			in_class = c != ']';
		} else if (c == '[') {
			/* A "[" without "]" is reported later. Here it must not hide a "}". */
			in_class = str_find_char(s, ']', at + 2) != SIZE_MAX;
			at += in_class;
		} else if (c == '{') {
			depth++;
		} else if (c == ',' && depth == 1) {
			*comma = true;
		} else if (c == '}' && --depth == 0) {
			return at;
		}
	}
	return SIZE_MAX;
}

/* The place of the first "{" outside of classes at or after `at`. */
static size_t brace_start(struct str s, size_t at)
{
	for (; at < s.n; at++) {
		if (s.p[at] == '\\') {
			at++;
		} else if (s.p[at] == '[') {
			size_t end = str_find_char(s, ']', at + 2);

			at = end == SIZE_MAX ? at : end;
		} else if (s.p[at] == '{') {
			return at;
		}
	}
	return SIZE_MAX;
}

struct pending VEC(struct str);

/* Pushes a pattern for each alternative of the first braces onto the stack `todo`. */
static void glob_expand(struct arena *a, struct str s, size_t start, size_t end,
			struct pending *todo)
{
	size_t from = start + 1, depth = 0, first = todo->n;

	for (size_t i = from; i <= end; i++) {
		char c = s.p[i];

		if (c == '\\') {
			i++;
		} else if (c == '[' && str_find_char(str_sub(s, 0, end), ']', i + 2) != SIZE_MAX) {
			i = str_find_char(s, ']', i + 2);
		} else if (c == '{') {
			depth++;
		} else if (c == '}' && i < end) {
			depth--;
		} else if (i == end || (c == ',' && !depth)) {
			struct buf b = buf_in(a);

			buf_put(&b, str_sub(s, 0, start));
			buf_put(&b, str_sub(s, from, i));
			buf_put(&b, str_sub(s, end + 1, s.n));
			*VEC_PUSH(a, todo) = buf_as_str(&b);
			from = i + 1;
		}
	}
	/* Reverse them: the last pushed pattern is expanded first. */
	for (size_t i = first, k = todo->n; i + 1 < k; i++) {
		struct str swap = todo->p[i];

		todo->p[i] = todo->p[--k];
		todo->p[k] = swap;
	}
}

static struct err *bad_glob(struct str pattern, const char *what)
{
	return err_add_detail(err_new(E_BAD_PATTERN, "glob '%.*s' %s",
				      (int)size_min(pattern.n, 200), pattern.p ? pattern.p : "",
				      what),
			      "pattern", pattern);
}

static bool has_part(struct str s, struct str part)
{
	struct str p;

	while (str_next_part(&s, '/', &p))
		if (str_eq(p, part))
			return true;
	return false;
}

struct err *glob_new(struct arena *a, struct str pattern, struct glob **out)
{
	struct glob *g = ARENA_NEW(a, struct glob);
	struct pending todo = {0};
	size_t bytes = 0;

	if (pattern.n > RE_PATTERN_MAX)
		return err_new(E_TOO_LONG,
			       "a glob of %zu bytes is too long; at most %zu are allowed",
			       pattern.n, RE_PATTERN_MAX);
	*VEC_PUSH(a, &todo) = pattern;
	while (todo.n) {
		struct str s = todo.p[--todo.n];
		size_t start = brace_start(s, 0), end = SIZE_MAX;
		const char *wrong;
		bool comma;

		while (start != SIZE_MAX) {
			end = brace_end(s, start, &comma);
			if (end == SIZE_MAX)
				return bad_glob(pattern,
						"has a { without a }; write \\{ for a plain {");
			if (comma)
				break;
			start = brace_start(s, start + 1);
		}
		bytes += s.n;
		if (todo.n + g->rows.n >= GLOB_BRACES_MAX || bytes > BYTES_MAX)
			return bad_glob(pattern,
					"expands to more than 1024 patterns, or more than 256 KiB");
		if (start != SIZE_MAX) {
			glob_expand(a, s, start, end, &todo);
			continue;
		}
		if (str_starts(s, STR("./")))
			s = str_sub(s, 1, s.n);
		if (has_part(s, STR(".")) || has_part(s, STR("..")))
			return bad_glob(pattern,
					"has . or .. as a part, and no path has such a part");
		wrong = glob_add_row(a, g, s);
		if (wrong)
			return bad_glob(pattern, wrong);
	}
	*out = g;
	return NULL;
}

/* ---- matching ---- */

static bool byte_matches(const struct token *t, unsigned char c)
{
	switch (t->kind) {
	case T_BYTE: return t->byte == c;
	case T_ANY: return c != '/';
	case T_SET: return t->set[c >> 3] >> (c & 7) & 1;
	default: return false;
	}
}

static bool row_match(const struct row *r, struct str path)
{
	/*
	 * Where to continue after a failure: with the token after the last "*" or "**", one byte or
	 * one part further on.
	 */
	size_t star = SIZE_MAX, star_at = 0, dirs = SIZE_MAX, dirs_at = 0;
	size_t t = 0, at = 0;

	/* This rejects most paths: neither they nor a folder above them ends with the tail. */
	if (str_ends(path, str_sub(r->tail, 0, r->tail.n - 1))) {
		if (r->suffix && !r->folder_only)
			return true;
	} else if (!path.n || !memmem(path.p, path.n, r->tail.p, r->tail.n)) {
		return false;
	}
	for (;;) {
		if (t == r->n) {
			/* It may have matched a folder above the path. */
			if (at < path.n ? path.p[at] == '/' : !r->folder_only)
				return true;
		} else if (r->p[t].kind == T_STAR) {
			star = ++t;
			star_at = at;
			continue;
		} else if (r->p[t].kind == T_DIRS) {
			dirs = ++t;
			dirs_at = at;
			star = SIZE_MAX;
			continue;
		} else if (r->p[t].kind == T_REST) {
			if (!r->folder_only || str_find_char(path, '/', at) != SIZE_MAX)
				return true;
		} else if (at < path.n && byte_matches(&r->p[t], (unsigned char)path.p[at])) {
			t++;
			at++;
			continue;
		}
		if (star != SIZE_MAX && star_at < path.n && path.p[star_at] != '/') {
			at = ++star_at;
			t = star;
		} else if (dirs != SIZE_MAX) {
			dirs_at = str_find_char(path, '/', dirs_at);
			if (dirs_at == SIZE_MAX)
				return false;
			at = ++dirs_at;
			t = dirs;
			star = SIZE_MAX;
		} else {
			return false;
		}
	}
}

bool glob_match(const struct glob *g, struct str path)
{
	for (size_t i = 0; i < g->rows.n; i++)
		if (row_match(&g->rows.p[i], path))
			return true;
	return false;
}

/* ---- lists ---- */

struct err *globs_new(struct arena *a, const struct strs *patterns, struct globs *out)
{
	*out = (struct globs){0};
	for (size_t i = 0; i < patterns->n; i++) {
		struct str s = patterns->p[i];
		bool negated = str_starts(s, STR("!"));
		struct glob *g;

		TRY(glob_new(a, negated ? str_sub(s, 1, s.n) : s, &g));
		g->negated = negated;
		*VEC_PUSH(a, out) = g;
	}
	return NULL;
}

bool globs_match(const struct globs *g, struct str path)
{
	bool only_negated = true;

	for (size_t i = g->n; i-- > 0;) {
		if (glob_match(g->p[i], path))
			return !g->p[i]->negated;
		only_negated = only_negated && g->p[i]->negated;
	}
	return only_negated;
}

bool globs_literal_paths(struct arena *a, const struct globs *g, struct strs *out)
{
	bool fixed = g->n > 0;

	for (size_t i = 0; i < g->n; i++)
		VEC_EACH(const struct row, r, &g->p[i]->rows) {
			fixed = fixed && !g->p[i]->negated && r->tail.n == r->n + 1;
			if (fixed)
				strs_push(a, out, str_sub(r->tail, 0, r->n));
		}
	if (!fixed)
		out->n = 0;
	return fixed;
}
