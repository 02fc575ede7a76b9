/* C#: "using" where it is a directive, "extern alias", and the lines #r, #load and #: of scripts.
 */
#include "imports/internal.h"

/* ---- lines of scripts ---- */

/* #r "nuget: Name, 1.0" and #:package Name@1.0 name a package. */
static void cs_package(struct lexer *l, struct span at, char end)
{
	struct str name = lexer_slice(l, at.from, at.to);

	name = str_trim(str_sub(name, 0, str_find_char(name, end, 0)));
	if (!name.n)
		return;
	at.from = (size_t)(name.p - l->text.p);
	imports_add(l, IMPORTS_REFERENCE, name, (struct span){at.from, at.from + name.n});
}

/* The line of a directive, with its "#". */
static void cs_line(struct lexer *l, struct span line)
{
	struct str rest = str_trim(lexer_slice(l, line.from + 1, line.to)), word;
	bool packaged;
	size_t from = 0, to;

	while (from < rest.n && (ascii_is_alnum(rest.p[from]) || rest.p[from] == ':'))
		from++;
	word = str_sub(rest, 0, from);
	rest = str_trim(str_sub(rest, from, rest.n));
	if (!rest.n)
		return;
	from = (size_t)(rest.p - l->text.p);
	if (lexer_same(word, "r") || lexer_same(word, "load")) {
		to = *rest.p == '"' ? str_find_char(rest, '"', 1) : SIZE_MAX;
		if (to == SIZE_MAX)
			return;
		rest = str_sub(rest, 1, to);
		packaged = lexer_same(word, "r") && str_starts(rest, STR("nuget:"));
		if (packaged)
			cs_package(l, (struct span){from + 7, from + to}, ',');
		else
			imports_add(l, IMPORTS_INCLUDE, rest, (struct span){from + 1, from + to});
	} else if (lexer_same(word, ":package") || lexer_same(word, ":sdk")) {
		cs_package(l, (struct span){from, from + rest.n}, '@');
	} else if (lexer_same(word, ":project")) {
		imports_add(l, IMPORTS_INCLUDE, rest, (struct span){from, from + rest.n});
	}
}

/* The next token; lines of directives may stand between any two. */
static bool cs_next(struct lexer *l)
{
	bool more;

	while ((more = lexer_next(l)) && lexer_is_mark(l, '#') && l->now.at.to > l->now.at.from + 1)
		cs_line(l, l->now.at);
	return more;
}

/* ---- using ---- */

/* Reads A.B, A::B, @A or \u0041 from the token that is read. False: none begins here. */
static bool cs_name(struct lexer *l, struct lexer_name *n)
{
	bool word = false; /* the last part was a word */

	*n = (struct lexer_name){.at = {0, 0}};
	for (;; cs_next(l)) {
		if (lexer_is_mark(l, '@'))
			continue;
		if (lexer_is_mark(l, '\\'))
			word = false; /* the word behind it belongs to the one before */
		else if (l->now.kind == LEX_WORD ? word
						 : !lexer_is_mark(l, '.') && !lexer_is_mark(l, ':'))
			break;
		else
			word = l->now.kind == LEX_WORD;
		lexer_name_append(l, n);
	}
	return n->at.to > n->at.from;
}

static struct str cs_text(struct lexer *l, const struct lexer_name *n)
{
	return lexer_unescape(l->a, lexer_name_text(l, n));
}

static void cs_emit(struct lexer *l, const struct lexer_name *n)
{
	imports_add(l, IMPORTS_STATIC, cs_text(l, n), n->at);
}

/* The type that an alias or "using static" names: of its parts those with a dot are imports too. */
static void cs_type(struct lexer *l)
{
	static const char types[] =
		"bool byte sbyte short ushort int uint long ulong nint nuint char float double "
		"object decimal string dynamic unsafe delegate";
	struct lexer_name n;
	bool all = true; /* no part was an import yet */

	while (l->now.kind != LEX_END && !lexer_is_mark(l, ';') && !lexer_is_mark(l, '{') &&
	       !lexer_is_mark(l, '}')) {
		struct str name;

		if (!cs_name(l, &n)) {
			cs_next(l);
			continue;
		}
		name = cs_text(l, &n);
		if (!lexer_word_is_one_of(name, types) &&
		    (all || str_find_char(name, '.', 0) != SIZE_MAX)) {
			cs_emit(l, &n);
			all = false;
		}
	}
}

/*
 * Behind "using". A directive is "A.B;", "A = B;" or "static A;". A statement has a parenthesis, or
 * a type and the name of a variable.
 */
static void cs_using(struct lexer *l)
{
	size_t from = l->now.at.from, found = imports_of_lexer(l)->n;
	struct lexer_name n;

	while (lexer_is_named(l, "unsafe"))
		cs_next(l);
	if (lexer_is_named(l, "static")) {
		cs_next(l);
		while (lexer_is_named(l, "unsafe"))
			cs_next(l);
		cs_type(l);
	} else if (cs_name(l, &n)) {
		if (lexer_is_mark(l, ';')) {
			cs_emit(l, &n);
		} else if (lexer_is_mark(l, '=')) {
			cs_next(l);
			cs_type(l);
		}
	}
	/* Behind #else a name stands alone. */
	if (imports_of_lexer(l)->n > found &&
	    str_holds(lexer_slice(l, from, l->now.at.from), "#if"))
		lexer_note_unknown(l, (struct span){from, l->now.at.from},
				   "a condition stands within this directive");
}

void imports_read_csharp(struct lexer *l)
{
	struct lexer_name n;
	bool at = false; /* "@using" is a name */

	cs_next(l);
	while (l->now.kind != LEX_END) {
		bool using = !at && lexer_is_named(l, "using"),
		     external = !at && lexer_is_named(l, "extern");

		at = lexer_is_mark(l, '@');
		cs_next(l);
		if (using) {
			cs_using(l);
		} else if (external && lexer_is_named(l, "alias")) {
			cs_next(l);
			if (cs_name(l, &n) && lexer_is_mark(l, ';'))
				cs_emit(l, &n);
		}
	}
}
