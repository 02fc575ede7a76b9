/* Scala 2 and 3: "import" and "export" with their clauses, wherever a statement may stand. */
#include "imports/lexer.h"
#include "lexer/lexeme.h"

#define SCALA_ARROW "\xe2\x87\x92" /* the other way to write "=>" */

struct scala {
	struct lexemes t;
	bool begins; /* a statement may begin with the token that is read */
};

/* Reads the next token that is no end of a line. */
static bool scala_next(struct scala *s)
{
	struct lexeme *now = &s->t.now;

	s->begins = now->kind == LEX_MARK && strchr(";{}:", now->mark);
	while (lexeme_next(&s->t) && now->kind == LEX_LINE)
		s->begins = true;
	return now->kind != LEX_END;
}

/* In a clause "::" or "~>" is one word. */
static bool scala_next_name(struct scala *s)
{
	static const char operators[] = "!#%&*+-/:<=>?@\\^|~";
	struct lexer *r = s->t.r;
	struct lexeme *now = &s->t.now;

	if (!scala_next(s))
		return false;
	if (now->kind != LEX_MARK || !now->mark || !strchr(operators, now->mark))
		return true;
	while (lexer_char(r, r->at) && strchr(operators, r->text.p[r->at]) &&
	       !lexer_is(r, r->at, "//") && !lexer_is(r, r->at, "/*"))
		r->at++;
	now->kind = LEX_WORD;
	now->at.to = r->at;
	now->word = lexer_slice(r, now->at.from, r->at);
	return true;
}

static bool scala_is_wildcard(const struct lexemes *t)
{
	return lexeme_is(t, "*") || lexeme_is(t, "_") || lexeme_is(t, "given");
}

static bool scala_is_rename(const struct lexemes *t)
{
	return lexeme_is(t, "=>") || lexeme_is(t, "as") || lexeme_is(t, SCALA_ARROW);
}

/* Passes over what is left of a selector, up to its comma or the brace that ends the list. */
static void scala_selector_rest(struct scala *s)
{
	size_t depth = 0;

	for (; s->t.now.kind != LEX_END && !lexeme_is(&s->t, "import"); scala_next_name(s)) {
		if (!depth && (lexeme_mark(&s->t, ',') || lexeme_mark(&s->t, '}')))
			return;
		if (s->t.now.kind == LEX_MARK && strchr("([{", s->t.now.mark))
			depth++;
		else if (s->t.now.kind == LEX_MARK && strchr(")]}", s->t.now.mark))
			depth -= depth > 0;
	}
}

/* "{C, D => E, F as G, H => _, *, given T}" behind the module of the entry `of`. */
static void scala_selectors(struct scala *s, size_t of)
{
	struct lexemes *t = &s->t;

	do {
		struct lexeme name;
		size_t cut;

		scala_next_name(s);
		name = t->now;
		if (name.kind == LEX_WORD && !scala_is_wildcard(t)) {
			cut = str_find(name.word, STR(SCALA_ARROW), 0);
			name.word = str_sub(name.word, 0, name.quoted ? SIZE_MAX : cut);
			scala_next_name(s);
			if (scala_is_rename(t))
				scala_next_name(s);
			/* The name "_" excludes a member from the import. */
			if (!lexeme_is(t, "_"))
				imports_add_member(t->r, of, name.word, ".", name.at);
		}
		scala_selector_rest(s);
	} while (lexeme_mark(t, ','));
	if (lexeme_mark(t, '}'))
		scala_next(s);
}

/* A module, and what of it is imported. */
static void scala_clause(struct scala *s, enum imports_kind kind)
{
	struct lexemes *t = &s->t;
	struct lexeme_name n = {.at = {0, 0}};
	struct span root;
	struct str module;
	bool dot = true, list = false;
	size_t of;

	while (scala_next_name(s)) {
		if (t->now.kind == LEX_WORD ? !dot : dot || !lexeme_mark(t, '.'))
			break;
		if (n.at.to && scala_is_wildcard(t)) {
			dot = false;
			scala_next(s);
			break;
		}
		dot = lexeme_mark(t, '.');
		lexeme_name_add(t, &n);
	}
	list = dot && lexeme_mark(t, '{');
	module = lexeme_name_text(t, &n);
	if (str_ends(module, STR("."))) {
		module.n--;
		n.at.to--;
	}
	/* "_root_.a" is the package "a" whatever is named "a" nearby. */
	root = (struct span){n.at.from + 7, n.at.to};
	if (str_starts(module, STR("_root_.")) && root.from < root.to) {
		module = str_sub(module, 7, module.n);
		n.at = root;
	}
	of = imports_add(t->r, kind, module, n.at);
	if (list)
		scala_selectors(s, of);
	else if (lexeme_is(t, "as") && scala_next(s))
		scala_next(s);
}

/* Whether a name follows on the line of the token that is read. */
static bool scala_name_follows(const struct lexer *r)
{
	size_t at = r->at;

	while (lexer_char(r, at) == ' ' || lexer_char(r, at) == '\t')
		at++;
	return at > r->at && (lexer_is_word(lexer_char(r, at)) || lexer_char(r, at) == '`');
}

/* A script's head: "#!/bin/sh", lines of the shell, "!#". */
static void scala_head(struct lexer *r)
{
	size_t end;

	if (!str_starts(r->text, STR("#!")) && !str_starts(r->text, STR("::#!")))
		return;
	end = str_find(r->text, STR("\n!#"), 0);
	r->at = end == SIZE_MAX ? lexer_find(r, '\n', 0) : end + 3;
}

void imports_read_scala(struct lexer *r)
{
	struct scala s = {.t = lexemes_of(r), .begins = true};
	bool more;

	scala_head(r);
	s.t.now.kind = LEX_LINE;
	more = scala_next(&s);
	s.begins = true;
	while (more) {
		/* "export" is a word of Scala 3 only: elsewhere it is a name. */
		bool export = s.begins && lexeme_is(&s.t, "export") && scala_name_follows(r);

		if (!export && !lexeme_is(&s.t, "import")) {
			more = scala_next(&s);
			continue;
		}
		do
			scala_clause(&s, export ? IMPORTS_EXPORT : IMPORTS_STATIC);
		while (lexeme_mark(&s.t, ','));
		more = s.t.now.kind != LEX_END;
	}
}
