/* C#: "using" where it is a directive, "extern alias", and the lines #r, #load and #: of scripts.
 */
#include "imports/token.h"

/* ---- lines of scripts ---- */

/* #r "nuget: Name, 1.0" and #:package Name@1.0 name a package. */
static void cs_package(struct imports_reader *r, struct span at, char end)
{
	struct str name = imports_slice(r, at.from, at.to);

	name = str_trim(str_sub(name, 0, str_find_char(name, end, 0)));
	if (!name.n)
		return;
	at.from = (size_t)(name.p - r->text.p);
	imports_add(r, IMPORTS_REFERENCE, name, (struct span){at.from, at.from + name.n});
}

/* The line of a directive, with its "#". */
static void cs_line(struct imports_reader *r, struct span line)
{
	struct str rest = str_trim(imports_slice(r, line.from + 1, line.to)), word;
	bool packaged;
	size_t from = 0, to;

	while (from < rest.n && (ascii_is_alnum(rest.p[from]) || rest.p[from] == ':'))
		from++;
	word = str_sub(rest, 0, from);
	rest = str_trim(str_sub(rest, from, rest.n));
	if (!rest.n)
		return;
	from = (size_t)(rest.p - r->text.p);
	if (imports_same(word, "r") || imports_same(word, "load")) {
		to = *rest.p == '"' ? str_find_char(rest, '"', 1) : SIZE_MAX;
		if (to == SIZE_MAX)
			return;
		rest = str_sub(rest, 1, to);
		packaged = imports_same(word, "r") && str_starts(rest, STR("nuget:"));
		if (packaged)
			cs_package(r, (struct span){from + 7, from + to}, ',');
		else
			imports_add(r, IMPORTS_INCLUDE, rest, (struct span){from + 1, from + to});
	} else if (imports_same(word, ":package") || imports_same(word, ":sdk")) {
		cs_package(r, (struct span){from, from + rest.n}, '@');
	} else if (imports_same(word, ":project")) {
		imports_add(r, IMPORTS_INCLUDE, rest, (struct span){from, from + rest.n});
	}
}

/* The next token; lines of directives may stand between any two. */
static bool cs_next(struct tokens *t)
{
	bool more;

	while ((more = token_next(t)) && token_mark(t, '#') && t->now.at.to > t->now.at.from + 1)
		cs_line(t->r, t->now.at);
	return more;
}

/* ---- using ---- */

/* Reads A.B, A::B, @A or \u0041 from the token that is read. False: none begins here. */
static bool cs_name(struct tokens *t, struct token_name *n)
{
	bool word = false; /* the last part was a word */

	*n = (struct token_name){.at = {0, 0}};
	for (;; cs_next(t)) {
		if (token_mark(t, '@'))
			continue;
		if (token_mark(t, '\\'))
			word = false; /* the word behind it belongs to the one before */
		else if (t->now.kind == TOKEN_WORD ? word
						   : !token_mark(t, '.') && !token_mark(t, ':'))
			break;
		else
			word = t->now.kind == TOKEN_WORD;
		token_name_add(t, n);
	}
	return n->at.to > n->at.from;
}

static struct str cs_text(struct tokens *t, const struct token_name *n)
{
	return imports_unescape(t->r->a, token_name_text(t, n));
}

static void cs_emit(struct tokens *t, const struct token_name *n)
{
	imports_add(t->r, IMPORTS_STATIC, cs_text(t, n), n->at);
}

/* The type that an alias or "using static" names: of its parts those with a dot are imports too. */
static void cs_type(struct tokens *t, bool all)
{
	static const char *const types[] = {"bool",    "byte",   "sbyte",   "short",  "ushort",
					    "int",     "uint",   "long",    "ulong",  "nint",
					    "nuint",   "char",   "float",   "double", "object",
					    "decimal", "string", "dynamic", "unsafe", "delegate"};
	struct token_name n;

	while (t->now.kind != TOKEN_END && !token_mark(t, ';') && !token_mark(t, '{') &&
	       !token_mark(t, '}')) {
		bool known = false;
		struct str name;

		if (!cs_name(t, &n)) {
			cs_next(t);
			continue;
		}
		name = cs_text(t, &n);
		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			known |= imports_same(name, types[i]);
		if (!known && (all || str_find_char(name, '.', 0) != SIZE_MAX)) {
			cs_emit(t, &n);
			all = false;
		}
	}
}

/*
 * Behind "using". A directive is "A.B;", "A = B;" or "static A;". A statement has a parenthesis, or
 * a type and the name of a variable.
 */
static void cs_using(struct tokens *t)
{
	size_t from = t->now.at.from, found = t->r->out->n;
	struct token_name n;

	while (token_is(t, "unsafe"))
		cs_next(t);
	if (token_is(t, "static")) {
		cs_next(t);
		while (token_is(t, "unsafe"))
			cs_next(t);
		cs_type(t, true);
	} else if (cs_name(t, &n)) {
		if (token_mark(t, ';')) {
			cs_emit(t, &n);
		} else if (token_mark(t, '=')) {
			cs_next(t);
			cs_type(t, true);
		}
	}
	/* Behind #else a name stands alone. */
	if (t->r->out->n > found &&
	    str_find(imports_slice(t->r, from, t->now.at.from), STR("#if"), 0) != SIZE_MAX)
		imports_add_unknown(t->r, (struct span){from, t->now.at.from},
				    "a condition stands within this directive");
}

void imports_read_csharp(struct imports_reader *r)
{
	struct tokens t = {.r = r, .flags = T_CHAR | T_TRIPLE | T_CSHARP};
	struct token_name n;
	bool at = false; /* "@using" is a name */

	cs_next(&t);
	while (t.now.kind != TOKEN_END) {
		bool using = !at && token_is(&t, "using"), external = !at && token_is(&t, "extern");

		at = token_mark(&t, '@');
		cs_next(&t);
		if (using) {
			cs_using(&t);
		} else if (external && token_is(&t, "alias")) {
			cs_next(&t);
			if (cs_name(&t, &n) && token_mark(&t, ';'))
				cs_emit(&t, &n);
		}
	}
}

/*
 * "global::A.B" is A.B, and so is "X::A.B" of an external alias. The file of "#load" lies beside
 * the script.
 */
void imports_resolve_csharp(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out)
{
	size_t colons = str_find(m->module, STR("::"), 0);
	struct str to;

	(void)t;
	if (m->kind == IMPORTS_INCLUDE) {
		if (imports_join(a, imports_folder(path), m->module, &to))
			imports_name_add(out, to, true);
	} else if (colons != SIZE_MAX) {
		imports_name_add(out, str_sub(m->module, colons + 2, m->module.n), false);
	}
}
