/* Scala 2 and 3: "import" and "export" with their clauses, wherever a statement may stand. */
#include "imports/internal.h"

#define SCALA_ARROW "\xe2\x87\x92" /* the other way to write "=>" */

struct scala {
	struct lexer *l;
	bool begins; /* a statement may begin with the token that is read */
};

/* Reads the next token that is no end of a line. */
static bool scala_next(struct scala *s)
{
	struct lexeme *now = &s->l->now;

	s->begins = now->kind == LEX_MARK && strchr(";{}:", now->mark);
	while (lexer_next(s->l) && now->kind == LEX_LINE)
		s->begins = true;
	return now->kind != LEX_END;
}

/* In a clause "::" or "~>" is one word. */
static bool scala_next_name(struct scala *s)
{
	static const char operators[] = "!#%&*+-/:<=>?@\\^|~";
	struct lexer *l = s->l;
	struct lexeme *now = &s->l->now;

	if (!scala_next(s))
		return false;
	if (now->kind != LEX_MARK || !now->mark || !strchr(operators, now->mark))
		return true;
	while (lexer_char_at(l, l->at) && strchr(operators, l->text.p[l->at]) &&
	       !lexer_is(l, l->at, "//") && !lexer_is(l, l->at, "/*"))
		l->at++;
	now->kind = LEX_WORD;
	now->at.to = l->at;
	now->word = lexer_slice(l, now->at.from, l->at);
	return true;
}

static bool scala_is_wildcard(const struct lexer *l)
{
	return lexer_is_named(l, "*") || lexer_is_named(l, "_") || lexer_is_named(l, "given");
}

/* "{C, D => E, F as G, H => _, *, given T}" behind the module of the entry `of`. */
static void scala_selectors(struct scala *s, size_t of)
{
	struct lexer *l = s->l;

	do {
		struct lexeme name;
		size_t cut, depth = 0;

		scala_next_name(s);
		name = l->now;
		if (name.kind == LEX_WORD && !scala_is_wildcard(l)) {
			cut = str_find(name.word, STR(SCALA_ARROW), 0);
			name.word = str_sub(name.word, 0, name.quoted ? SIZE_MAX : cut);
			scala_next_name(s);
			if (lexer_is_named(l, "=>") || lexer_is_named(l, "as") ||
			    lexer_is_named(l, SCALA_ARROW))
				scala_next_name(s);
			/* The name "_" excludes a member from the import. */
			if (!lexer_is_named(l, "_"))
				imports_add_imported_name(l, of, name.word, ".", name.at);
		}
		/* Reads the rest of the selector, up to its comma or the closing brace. */
		for (; l->now.kind != LEX_END && !lexer_is_named(l, "import"); scala_next_name(s)) {
			if (!depth && (lexer_is_mark(l, ',') || lexer_is_mark(l, '}')))
				break;
			if (l->now.kind == LEX_MARK && strchr("([{", l->now.mark))
				depth++;
			else if (l->now.kind == LEX_MARK && strchr(")]}", l->now.mark))
				depth -= depth > 0;
		}
	} while (lexer_is_mark(l, ','));
	if (lexer_is_mark(l, '}'))
		scala_next(s);
}

/* A module, and what of it is imported. */
static void scala_clause(struct scala *s, enum imports_kind kind)
{
	struct lexer *l = s->l;
	struct lexer_name n = {.at = {0, 0}};
	struct span root;
	struct str module;
	bool dot = true, list = false;
	size_t of;

	while (scala_next_name(s)) {
		if (l->now.kind == LEX_WORD ? !dot : dot || !lexer_is_mark(l, '.'))
			break;
		if (n.at.to && scala_is_wildcard(l)) {
			dot = false;
			scala_next(s);
			break;
		}
		dot = lexer_is_mark(l, '.');
		lexer_name_append(l, &n);
	}
	list = dot && lexer_is_mark(l, '{');
	module = imports_dotted_text(l, &n);
	/* "_root_.a" is the package "a" whatever is named "a" nearby. */
	root = (struct span){n.at.from + 7, n.at.to};
	if (str_starts(module, STR("_root_.")) && root.from < root.to) {
		module = str_sub(module, 7, module.n);
		n.at = root;
	}
	of = imports_add(l, kind, module, n.at);
	if (list)
		scala_selectors(s, of);
	else if (lexer_is_named(l, "as") && scala_next(s))
		scala_next(s);
}

/* Whether a name follows on the line of the token that is read. */
static bool scala_name_follows(const struct lexer *l)
{
	size_t at = l->at;

	while (lexer_char_at(l, at) == ' ' || lexer_char_at(l, at) == '\t')
		at++;
	return at > l->at &&
	       (lexer_is_word_byte(lexer_char_at(l, at)) || lexer_char_at(l, at) == '`');
}

void imports_read_scala(struct lexer *l)
{
	struct scala s = {.l = l, .begins = true};
	size_t end;
	bool more;

	/* A script's head: "#!/bin/sh", lines of the shell, "!#". */
	if (str_starts(l->text, STR("#!")) || str_starts(l->text, STR("::#!"))) {
		end = str_find(l->text, STR("\n!#"), 0);
		l->at = end == SIZE_MAX ? lexer_find_byte(l, '\n', 0) : end + 3;
	}
	l->now.kind = LEX_LINE;
	more = scala_next(&s);
	s.begins = true;
	while (more) {
		/* "export" is a word of Scala 3 only: elsewhere it is a name. */
		bool export = s.begins && lexer_is_named(l, "export") && scala_name_follows(l);

		if (!export && !lexer_is_named(l, "import")) {
			more = scala_next(&s);
			continue;
		}
		do
			scala_clause(&s, export ? IMPORTS_EXPORT : IMPORTS_STATIC);
		while (lexer_is_mark(l, ','));
		more = l->now.kind != LEX_END;
	}
}
