/* C#: "using" where it is a directive, "extern alias", and the lines #r, #load and #: of scripts.
 */
#include "imports/lexer.h"
#include "lexer/lexeme.h"

/* ---- lines of scripts ---- */

/* #r "nuget: Name, 1.0" and #:package Name@1.0 name a package. */
static void cs_package(struct lexer *r, struct span at, char end)
{
	struct str name = lexer_slice(r, at.from, at.to);

	name = str_trim(str_sub(name, 0, str_find_char(name, end, 0)));
	if (!name.n)
		return;
	at.from = (size_t)(name.p - r->text.p);
	imports_add(r, IMPORTS_REFERENCE, name, (struct span){at.from, at.from + name.n});
}

/* The line of a directive, with its "#". */
static void cs_line(struct lexer *r, struct span line)
{
	struct str rest = str_trim(lexer_slice(r, line.from + 1, line.to)), word;
	bool packaged;
	size_t from = 0, to;

	while (from < rest.n && (ascii_is_alnum(rest.p[from]) || rest.p[from] == ':'))
		from++;
	word = str_sub(rest, 0, from);
	rest = str_trim(str_sub(rest, from, rest.n));
	if (!rest.n)
		return;
	from = (size_t)(rest.p - r->text.p);
	if (lexer_same(word, "r") || lexer_same(word, "load")) {
		to = *rest.p == '"' ? str_find_char(rest, '"', 1) : SIZE_MAX;
		if (to == SIZE_MAX)
			return;
		rest = str_sub(rest, 1, to);
		packaged = lexer_same(word, "r") && str_starts(rest, STR("nuget:"));
		if (packaged)
			cs_package(r, (struct span){from + 7, from + to}, ',');
		else
			imports_add(r, IMPORTS_INCLUDE, rest, (struct span){from + 1, from + to});
	} else if (lexer_same(word, ":package") || lexer_same(word, ":sdk")) {
		cs_package(r, (struct span){from, from + rest.n}, '@');
	} else if (lexer_same(word, ":project")) {
		imports_add(r, IMPORTS_INCLUDE, rest, (struct span){from, from + rest.n});
	}
}

/* The next token; lines of directives may stand between any two. */
static bool cs_next(struct lexemes *t)
{
	bool more;

	while ((more = lexeme_next(t)) && lexeme_mark(t, '#') && t->now.at.to > t->now.at.from + 1)
		cs_line(t->r, t->now.at);
	return more;
}

/* ---- using ---- */

/* Reads A.B, A::B, @A or \u0041 from the token that is read. False: none begins here. */
static bool cs_name(struct lexemes *t, struct lexeme_name *n)
{
	bool word = false; /* the last part was a word */

	*n = (struct lexeme_name){.at = {0, 0}};
	for (;; cs_next(t)) {
		if (lexeme_mark(t, '@'))
			continue;
		if (lexeme_mark(t, '\\'))
			word = false; /* the word behind it belongs to the one before */
		else if (t->now.kind == LEX_WORD ? word
						 : !lexeme_mark(t, '.') && !lexeme_mark(t, ':'))
			break;
		else
			word = t->now.kind == LEX_WORD;
		lexeme_name_add(t, n);
	}
	return n->at.to > n->at.from;
}

static struct str cs_text(struct lexemes *t, const struct lexeme_name *n)
{
	return lexer_unescape(t->r->a, lexeme_name_text(t, n));
}

static void cs_emit(struct lexemes *t, const struct lexeme_name *n)
{
	imports_add(t->r, IMPORTS_STATIC, cs_text(t, n), n->at);
}

/* The type that an alias or "using static" names: of its parts those with a dot are imports too. */
static void cs_type(struct lexemes *t, bool all)
{
	static const char *const types[] = {"bool",    "byte",   "sbyte",   "short",  "ushort",
					    "int",     "uint",   "long",    "ulong",  "nint",
					    "nuint",   "char",   "float",   "double", "object",
					    "decimal", "string", "dynamic", "unsafe", "delegate"};
	struct lexeme_name n;

	while (t->now.kind != LEX_END && !lexeme_mark(t, ';') && !lexeme_mark(t, '{') &&
	       !lexeme_mark(t, '}')) {
		bool known = false;
		struct str name;

		if (!cs_name(t, &n)) {
			cs_next(t);
			continue;
		}
		name = cs_text(t, &n);
		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			known |= lexer_same(name, types[i]);
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
static void cs_using(struct lexemes *t)
{
	size_t from = t->now.at.from, found = imports_of(t->r)->out->n;
	struct lexeme_name n;

	while (lexeme_is(t, "unsafe"))
		cs_next(t);
	if (lexeme_is(t, "static")) {
		cs_next(t);
		while (lexeme_is(t, "unsafe"))
			cs_next(t);
		cs_type(t, true);
	} else if (cs_name(t, &n)) {
		if (lexeme_mark(t, ';')) {
			cs_emit(t, &n);
		} else if (lexeme_mark(t, '=')) {
			cs_next(t);
			cs_type(t, true);
		}
	}
	/* Behind #else a name stands alone. */
	if (imports_of(t->r)->out->n > found &&
	    str_find(lexer_slice(t->r, from, t->now.at.from), STR("#if"), 0) != SIZE_MAX)
		lexer_unknown(t->r, (struct span){from, t->now.at.from},
			      "a condition stands within this directive");
}

void imports_read_csharp(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);
	struct lexeme_name n;
	bool at = false; /* "@using" is a name */

	cs_next(&t);
	while (t.now.kind != LEX_END) {
		bool using = !at && lexeme_is(&t, "using"),
		     external = !at && lexeme_is(&t, "extern");

		at = lexeme_mark(&t, '@');
		cs_next(&t);
		if (using) {
			cs_using(&t);
		} else if (external && lexeme_is(&t, "alias")) {
			cs_next(&t);
			if (cs_name(&t, &n) && lexeme_mark(&t, ';'))
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
