/* JavaScript and TypeScript: the statements and calls that name a module. */
#include "imports/lexer.h"

/* How far a statement or call that may name a module was read. */
enum js_state {
	JS_NONE,
	JS_IMPORT,   /* import */
	JS_META,     /* import. */
	JS_GLOB,     /* import.meta */
	JS_PATTERN,  /* import.meta.glob, require.context: folders and patterns follow */
	JS_CLAUSE,   /* import a, {b as c */
	JS_LISTED,   /* import {a} */
	JS_FROM,     /* import a from */
	JS_EXPORT,   /* export */
	JS_EQUAL,    /* import a = */
	JS_CALLEE,   /* require */
	JS_RESOLVE,  /* require. */
	JS_ARGUMENT, /* require( */
	JS_LITERAL,  /* require("a" */
};

/* A call whose module a program decides, until its parenthesis is closed. */
struct js_call {
	size_t from, depth; /* its parenthesis is the one of this number */
};

struct js_imports {
	struct lexer *l;
	enum js_state state;
	enum imports_kind kind;
	size_t call, depth;  /* where the call begins; how much is open in its parentheses */
	struct span literal; /* its argument */
	bool braces;         /* within the braces of JS_CLAUSE */
	struct {
		struct js_call *p;
		size_t n, cap;
	} calls;
	struct span ended;      /* a call of these has just ended; to 0: none */
	bool typed;             /* ":" in its arguments: a declaration */
	unsigned choices;       /* "?" in them that wait for their ":" */
	struct str word, owner; /* the last lexeme when it is a word; the word before the dot */
};

static void js_emit(struct js_imports *j, enum imports_kind kind, struct span literal)
{
	/* In a string U+2028 is a character. */
	struct str name = str_sub(j->l->source, literal.from, literal.to);

	imports_add(j->l, kind, lexer_unescape(j->l->a, name), literal);
	j->state = JS_NONE;
}

/*
 * A call whose argument is no literal has ended, and the lexeme that begins at `at` with `next`
 * follows. Its declaration, as a method, is no call.
 */
static void js_settle(struct js_imports *j, char next, size_t at)
{
	struct str between = lexer_slice(j->l, j->ended.to, at);
	bool body = next == '{' && str_find_char(between, '\n', 0) == SIZE_MAX;

	if (j->ended.to && !body && !j->typed)
		lexer_unknown(j->l, j->ended, "a program decides which module this is");
	j->ended = (struct span){0, 0};
	j->typed = false;
}

/*
 * import.meta.glob("./a/b*.js") and require.context("./a") import what a pattern fits. The folder
 * counts as imported, and the place is told.
 */
static void js_pattern_begin(struct js_imports *j)
{
	struct span at = {j->call, size_min(j->call + 60, j->l->text.n)};

	lexer_unknown(j->l, at, "a pattern decides which modules these are");
	j->state = JS_PATTERN;
}

static void js_pattern(struct js_imports *j, struct span s)
{
	struct str text = lexer_slice(j->l, s.from, s.to);
	size_t n = 0;

	if (str_starts(text, STR("!")))
		return;
	while (n < text.n && !memchr("*?[{(", text.p[n], 5))
		n++;
	if (n < text.n)
		n = str_rfind_char(str_sub(text, 0, n), '/');
	text = str_sub(text, 0, n == SIZE_MAX ? 0 : n);
	imports_add(j->l, IMPORTS_DYNAMIC, lexer_unescape(j->l->a, text),
		    (struct span){s.from, s.from + text.n});
}

/* The argument is not known: what follows the closing parenthesis tells a call. */
static void js_program(struct js_imports *j)
{
	*VEC_PUSH(j->l->a, &j->calls) = (struct js_call){j->call, j->depth};
	j->typed = false;
	j->choices = 0;
	j->state = JS_NONE;
}

static void js_string(struct js_imports *j, struct span s)
{
	switch (j->state) {
	case JS_IMPORT:
	case JS_FROM: js_emit(j, j->kind, s); break;
	case JS_ARGUMENT:
		j->literal = s;
		j->state = JS_LITERAL;
		break;
	case JS_CLAUSE: break; /* import {"a b" as c} */
	case JS_PATTERN: js_pattern(j, s); break;
	case JS_LITERAL: js_program(j); break;
	default: j->state = JS_NONE;
	}
}

static bool js_is_required(const struct js_imports *j, struct str word)
{
	static const char *const owners[] = {"module", "globalThis", "window",
					     "global", "self",       NULL};

	if (!lexer_same(word, "require") || lexer_same(j->word, "function"))
		return false;
	for (size_t i = 0; j->l->now.dot && owners[i]; i++)
		if (lexer_same(j->owner, owners[i]))
			return true;
	return !j->l->now.dot;
}

static void js_begin(struct js_imports *j, enum js_state state, enum imports_kind kind, size_t at)
{
	j->state = state;
	j->kind = kind;
	j->call = at;
	j->braces = false;
}

static void js_word_state(struct js_imports *j, struct str word, size_t at)
{
	enum js_state was = j->state;
	bool dot = j->l->now.dot;

	/* import {import as a, from, require} */
	if (was == JS_CLAUSE && j->braces)
		return;
	if (was == JS_CLAUSE && (lexer_same(word, "import") || lexer_same(word, "export")))
		was = JS_NONE;
	if (was == JS_RESOLVE && lexer_same(word, "context")) {
		js_pattern_begin(j);
		return;
	}
	if (was == JS_GLOB && dot && (lexer_same(word, "glob") || lexer_same(word, "globEager"))) {
		js_pattern_begin(j);
		return;
	}
	if (was == JS_RESOLVE) {
		j->state = lexer_same(word, "resolve") || lexer_same(word, "resolveWeak")
				   ? JS_CALLEE
				   : JS_NONE;
	} else if (was == JS_META) {
		j->state = lexer_same(word, "defer") || lexer_same(word, "source") ? JS_IMPORT
			   : lexer_same(word, "meta")                              ? JS_GLOB
										   : JS_NONE;
	} else if (was == JS_CLAUSE || was == JS_LISTED || was == JS_FROM) {
		if (lexer_same(word, "from"))
			j->state = JS_FROM;
		else if (was == JS_LISTED)
			j->state = JS_NONE;
		else
			j->state = JS_CLAUSE;
		if (j->state != JS_NONE)
			return;
	} else if (was == JS_IMPORT && !dot) {
		if (lexer_same(word, "type") || lexer_same(word, "typeof"))
			j->kind = IMPORTS_TYPE;
		j->state = lexer_same(word, "from") ? JS_FROM : JS_CLAUSE;
		return;
	} else if (was == JS_EXPORT && lexer_same(word, "type")) {
		j->kind = IMPORTS_TYPE;
		return;
	} else if (was != JS_EQUAL || !lexer_same(word, "require")) {
		j->state = JS_NONE;
	}
	if (j->state == JS_CALLEE || j->state == JS_IMPORT || j->state == JS_GLOB)
		return;
	if (js_is_required(j, word))
		js_begin(j, JS_CALLEE, IMPORTS_REQUIRE, at);
	else if (dot)
		j->state = JS_NONE;
	else if (lexer_same(word, "import"))
		js_begin(j, JS_IMPORT, IMPORTS_STATIC, at);
	else if (lexer_same(word, "export"))
		js_begin(j, JS_EXPORT, IMPORTS_EXPORT, at);
}

static void js_mark_state(struct js_imports *j, char c)
{
	switch (j->state) {
	case JS_NONE: return;
	case JS_IMPORT:
		if (c == '{' || c == '*') {
			j->state = JS_CLAUSE;
			j->braces = c == '{';
		} else if (c == '(') {
			j->kind = IMPORTS_DYNAMIC;
			j->state = JS_ARGUMENT;
		} else {
			j->state = c == '.' ? JS_META : JS_NONE;
		}
		return;
	case JS_EXPORT:
		j->state = c == '{' || c == '*' ? JS_CLAUSE : JS_NONE;
		j->braces = c == '{';
		return;
	case JS_CLAUSE:
		j->braces = c == '{' || (j->braces && c != '}');
		if (c == '}')
			j->state = JS_LISTED;
		else if (c == '=')
			j->state = JS_EQUAL;
		else if (c != '{' && c != ',' && c != '*')
			j->state = JS_NONE;
		return;
	case JS_FROM: j->state = c == ',' ? JS_CLAUSE : c == '=' ? JS_EQUAL : JS_NONE; return;
	case JS_GLOB: j->state = c == '.' ? JS_GLOB : JS_NONE; return;
	case JS_PATTERN: j->state = c && strchr("([,", c) ? JS_PATTERN : JS_NONE; return;
	case JS_CALLEE: j->state = c == '(' ? JS_ARGUMENT : c == '.' ? JS_RESOLVE : JS_NONE; return;
	case JS_RESOLVE: j->state = c == '(' ? JS_ARGUMENT : JS_NONE; return;
	case JS_ARGUMENT:
		if (c == ')')
			j->state = JS_NONE;
		else
			js_program(j);
		return;
	case JS_LITERAL:
		if (c == ')' || c == ',')
			js_emit(j, j->kind, j->literal);
		else
			js_program(j);
		return;
	default: j->state = JS_NONE;
	}
}

/* /// <reference path="a" />, before any lexeme. */
static void js_reference(struct lexer *l, struct span at)
{
	struct str line = lexer_slice(l, at.from, at.to), rest;
	size_t tag = str_find(line, STR("<reference"), 0), from, to;

	if (!str_starts(line, STR("///")) || str_trim(str_sub(line, 3, tag)).n)
		return;
	rest = str_sub(line, tag, line.n);
	for (const char *const *a = (const char *const[]){"path", "types", NULL}; *a; a++) {
		size_t i = str_find(rest, str_of(*a), 0);

		if (i == SIZE_MAX)
			continue;
		for (i += strlen(*a); i < rest.n && memchr(" \t=", rest.p[i], 3);)
			i++;
		if (i >= rest.n || (rest.p[i] != '"' && rest.p[i] != '\''))
			continue;
		from = tag + i + 1;
		to = str_find_char(line, rest.p[i], from);
		if (to != SIZE_MAX)
			imports_add(l, IMPORTS_REFERENCE, str_sub(line, from, to),
				    (struct span){at.from + from, at.from + to});
	}
}

/* Reads the first lexeme, and the references before it. */
static bool js_first(struct js_imports *j)
{
	struct lexer *l = j->l;
	struct lexer_comments comments = {0};
	bool more;

	l->comments = &comments;
	l->want = STR("<reference");
	more = lexer_next(j->l);
	l->comments = NULL;
	for (size_t i = 0; i < comments.n; i++)
		js_reference(l, comments.p[i].at);
	return more;
}

/* The calls end whose parentheses are no longer open. */
static void js_close(struct js_imports *j)
{
	const struct lexeme *now = &j->l->now;
	bool paren = lexer_is_mark(j->l, ')');

	while (j->calls.n && j->l->open.n < j->calls.p[j->calls.n - 1].depth) {
		j->ended = (struct span){j->calls.p[--j->calls.n].from,
					 paren ? now->at.to : now->at.from};
		if (!paren)
			js_settle(j, ';', now->at.from);
	}
}

static void js_lexeme(struct js_imports *j)
{
	const struct lexeme *now = &j->l->now;
	bool word = now->kind == LEX_WORD, dot = lexer_is_mark(j->l, '.');
	char next = lexer_char(j->l, now->at.to);

	if (j->ended.to)
		js_settle(j, now->kind == LEX_MARK ? now->mark : 'a',
			  now->at.from - (now->kind == LEX_STRING));
	if (word) {
		if (j->state == JS_ARGUMENT || j->state == JS_LITERAL)
			js_program(j);
		js_word_state(j, now->word, now->at.from);
	} else if (now->kind == LEX_STRING) {
		js_string(j, now->at);
	} else if (now->kind == LEX_MARK) {
		js_mark_state(j, now->mark);
		if (now->mark == '?' && next != ':')
			j->choices++;
		else if (now->mark == ':' && j->choices)
			j->choices--;
		else if (now->mark == ':' && j->calls.n &&
			 j->l->open.n == j->calls.p[j->calls.n - 1].depth)
			j->typed = true;
	} else {
		if (j->state == JS_ARGUMENT || j->state == JS_LITERAL)
			js_program(j);
		j->state = JS_NONE;
	}
	js_close(j);
	if (j->state == JS_ARGUMENT && lexer_is_mark(j->l, '('))
		j->depth = j->l->open.n;
	if (dot)
		j->owner = j->word;
	else
		j->word = word ? now->word : STR("");
	if (word)
		j->owner = now->dot ? STR("") : now->word;
}

void imports_read_javascript(struct lexer *l)
{
	struct js_imports j = {.l = l, .word = {"", 0}, .owner = {"", 0}};

	for (bool more = js_first(&j); more; more = lexer_next(l))
		js_lexeme(&j);
	js_settle(&j, ';', l->at);
	js_close(&j);
}
