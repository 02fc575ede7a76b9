/* Scala 2 and 3: "import" and "export" with their clauses, wherever a statement may stand. */
#include "imports/token.h"

#define SCALA_ARROW "\xe2\x87\x92" /* the other way to write "=>" */

struct scala {
	struct tokens t;
	bool begins; /* a statement may begin with the token that is read */
};

/* Reads the next token that is no end of a line. */
static bool scala_next(struct scala *s)
{
	struct token *now = &s->t.now;

	s->begins = now->kind == TOKEN_MARK && strchr(";{}:", now->mark);
	while (token_next(&s->t) && now->kind == TOKEN_NEWLINE)
		s->begins = true;
	return now->kind != TOKEN_END;
}

/* In a clause "::" or "~>" is one word. */
static bool scala_next_name(struct scala *s)
{
	static const char operators[] = "!#%&*+-/:<=>?@\\^|~";
	struct imports_reader *r = s->t.r;
	struct token *now = &s->t.now;

	if (!scala_next(s))
		return false;
	if (now->kind != TOKEN_MARK || !now->mark || !strchr(operators, now->mark))
		return true;
	while (imports_char(r, r->at) && strchr(operators, r->text.p[r->at]) &&
	       !imports_is(r, r->at, "//") && !imports_is(r, r->at, "/*"))
		r->at++;
	now->kind = TOKEN_WORD;
	now->at.to = r->at;
	now->word = imports_slice(r, now->at.from, r->at);
	return true;
}

static bool scala_is_wildcard(const struct tokens *t)
{
	return token_is(t, "*") || token_is(t, "_") || token_is(t, "given");
}

static bool scala_is_rename(const struct tokens *t)
{
	return token_is(t, "=>") || token_is(t, "as") || token_is(t, SCALA_ARROW);
}

/* Passes over what is left of a selector, up to its comma or the brace that ends the list. */
static void scala_selector_rest(struct scala *s)
{
	size_t depth = 0;

	for (; s->t.now.kind != TOKEN_END && !token_is(&s->t, "import"); scala_next_name(s)) {
		if (!depth && (token_mark(&s->t, ',') || token_mark(&s->t, '}')))
			return;
		if (s->t.now.kind == TOKEN_MARK && strchr("([{", s->t.now.mark))
			depth++;
		else if (s->t.now.kind == TOKEN_MARK && strchr(")]}", s->t.now.mark))
			depth -= depth > 0;
	}
}

/* "{C, D => E, F as G, H => _, *, given T}" behind the module of the entry `of`. */
static void scala_selectors(struct scala *s, size_t of)
{
	struct tokens *t = &s->t;

	do {
		struct token name;
		size_t cut;

		scala_next_name(s);
		name = t->now;
		if (name.kind == TOKEN_WORD && !scala_is_wildcard(t)) {
			cut = str_find(name.word, STR(SCALA_ARROW), 0);
			name.word = str_sub(name.word, 0, name.quoted ? SIZE_MAX : cut);
			scala_next_name(s);
			if (scala_is_rename(t))
				scala_next_name(s);
			/* The name "_" excludes a member from the import. */
			if (!token_is(t, "_"))
				imports_add_member(t->r, of, name.word, ".", name.at);
		}
		scala_selector_rest(s);
	} while (token_mark(t, ','));
	if (token_mark(t, '}'))
		scala_next(s);
}

/* A module, and what of it is imported. */
static void scala_clause(struct scala *s, enum imports_kind kind)
{
	struct tokens *t = &s->t;
	struct token_name n = {.at = {0, 0}};
	struct span root;
	struct str module;
	bool dot = true, list = false;
	size_t of;

	while (scala_next_name(s)) {
		if (t->now.kind == TOKEN_WORD ? !dot : dot || !token_mark(t, '.'))
			break;
		if (n.at.to && scala_is_wildcard(t)) {
			dot = false;
			scala_next(s);
			break;
		}
		dot = token_mark(t, '.');
		token_name_add(t, &n);
	}
	list = dot && token_mark(t, '{');
	module = token_name_text(t, &n);
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
	else if (token_is(t, "as") && scala_next(s))
		scala_next(s);
}

/* Whether a name follows on the line of the token that is read. */
static bool scala_name_follows(const struct imports_reader *r)
{
	size_t at = r->at;

	while (imports_char(r, at) == ' ' || imports_char(r, at) == '\t')
		at++;
	return at > r->at && (imports_is_word(imports_char(r, at)) || imports_char(r, at) == '`');
}

/* A script's head: "#!/bin/sh", lines of the shell, "!#". */
static void scala_head(struct imports_reader *r)
{
	size_t end;

	if (!str_starts(r->text, STR("#!")) && !str_starts(r->text, STR("::#!")))
		return;
	end = str_find(r->text, STR("\n!#"), 0);
	r->at = end == SIZE_MAX ? imports_find(r, '\n', 0) : end + 3;
}

void imports_read_scala(struct imports_reader *r)
{
	struct scala s = {
		.t = {.r = r, .flags = T_NESTED | T_CHAR | T_TRIPLE | T_NAME | T_SCALA | T_NEWLINE},
		.begins = true};
	bool more;

	scala_head(r);
	s.t.now.kind = TOKEN_NEWLINE;
	more = scala_next(&s);
	s.begins = true;
	while (more) {
		/* "export" is a word of Scala 3 only: elsewhere it is a name. */
		bool export = s.begins && token_is(&s.t, "export") && scala_name_follows(r);

		if (!export && !token_is(&s.t, "import")) {
			more = scala_next(&s);
			continue;
		}
		do
			scala_clause(&s, export ? IMPORTS_EXPORT : IMPORTS_STATIC);
		while (token_mark(&s.t, ','));
		more = s.t.now.kind != TOKEN_END;
	}
}
