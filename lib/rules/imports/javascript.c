/* JavaScript and TypeScript: the statements and calls that name a module. */
#include "imports/internal.h"

/* A call whose module a program decides, until its parenthesis is closed. */
struct js_call {
	size_t from, depth; /* its parenthesis is the one of this number */
};

struct js_imports {
	struct lexer *l;
	struct VEC(struct js_call) calls;
	struct span ended;      /* a call of these has just ended; to 0: none */
	bool typed;             /* ":" in its arguments: a declaration */
	unsigned choices;       /* "?" in them that wait for their ":" */
	struct str word, owner; /* the lexeme before when it is a word; the word before the dot */
	struct str assigned;    /* the word before the last "=" */
	struct strs requires;   /* other names of require: const load = createRequire(...) */
};

/* ---- lexemes, and the calls that end with them ---- */

/*
 * A call whose argument is no literal has ended, and the lexeme that begins at `at` with `next`
 * follows. Its declaration, as a method, is no call.
 */
static void js_settle(struct js_imports *j, char next, size_t at)
{
	struct str between = lexer_slice(j->l, j->ended.to, at);
	bool body = next == '{' && str_find_char(between, '\n', 0) == SIZE_MAX;

	if (j->ended.to && !body && !j->typed)
		lexer_note_unknown(j->l, j->ended, "a program decides which module this is");
	j->ended = (struct span){0, 0};
	j->typed = false;
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

/* Leaves l->now, and reads the next lexeme. */
static bool js_next(struct js_imports *j)
{
	struct lexer *l = j->l;
	const struct lexeme *now = &l->now;

	if (lexer_is_mark(l, '?') && lexer_char_at(l, now->at.to) != ':')
		j->choices++;
	else if (lexer_is_mark(l, ':') && j->choices)
		j->choices--;
	else if (lexer_is_mark(l, ':') && j->calls.n &&
		 l->open.n == j->calls.p[j->calls.n - 1].depth)
		j->typed = true;
	js_close(j);
	if (now->kind == LEX_MARK && now->mark != '.')
		j->assigned = now->mark == '=' ? j->word : STR("");
	if (now->kind == LEX_WORD)
		j->owner = now->dot ? STR("") : now->word;
	else if (lexer_is_mark(l, '.'))
		j->owner = j->word;
	if (!lexer_is_mark(l, '.'))
		j->word = now->word;
	if (!lexer_next(l))
		return false;
	if (j->ended.to)
		js_settle(j, now->kind == LEX_MARK ? now->mark : 'a',
			  now->at.from - (now->kind == LEX_STRING));
	return true;
}

/* ---- what names a module ---- */

static void js_add(struct lexer *l, enum imports_kind kind, struct span literal)
{
	/* In a string U+2028 is a character. */
	struct str name = str_sub(l->source, literal.from, literal.to);

	imports_add(l, kind, lexer_unescape(l->a, name), literal);
}

/* At "(" of a call that begins at `from`. */
static void js_call(struct js_imports *j, enum imports_kind kind, size_t from)
{
	struct lexer *l = j->l;
	size_t depth = l->open.n;

	js_next(j);
	if (l->now.kind == LEX_STRING) {
		struct span literal = l->now.at;

		js_next(j);
		if (lexer_is_mark(l, ')') || lexer_is_mark(l, ',')) {
			js_add(l, kind, literal);
			return;
		}
	} else if (lexer_is_mark(l, ')')) {
		return;
	}
	if (l->now.kind == LEX_END)
		return;
	/* The argument is not known: what follows the closing parenthesis tells a call. */
	*VEC_PUSH(l->a, &j->calls) = (struct js_call){from, depth};
	j->typed = false;
	j->choices = 0;
}

/*
 * import.meta.glob("./a/b*.js") and require.context("./a") import what a pattern fits. The folder
 * counts as imported, and the place is told.
 */
static void js_pattern(struct js_imports *j, size_t from)
{
	struct lexer *l = j->l;

	lexer_note_unknown(l, (struct span){from, size_min(from + 60, l->text.n)},
			   "a pattern decides which modules these are");
	while (js_next(j)) {
		struct str text = lexer_slice(l, l->now.at.from, l->now.at.to);
		size_t n = 0;

		if (lexer_is_mark(l, '(') || lexer_is_mark(l, '[') || lexer_is_mark(l, ','))
			continue;
		if (l->now.kind != LEX_STRING)
			return;
		if (str_starts(text, STR("!")))
			continue;
		while (n < text.n && !memchr("*?[{(", text.p[n], 5))
			n++;
		if (n < text.n)
			n = str_rfind_char(str_sub(text, 0, n), '/');
		text = str_sub(text, 0, n == SIZE_MAX ? 0 : n);
		imports_add(l, IMPORTS_DYNAMIC, lexer_unescape(l->a, text),
			    (struct span){l->now.at.from, l->now.at.from + text.n});
	}
}

/* At a word that begins a call: behind <types> of TypeScript, at its "(". False: it is none. */
static bool js_at_call(struct js_imports *j)
{
	size_t open = 0;

	js_next(j);
	while (lexer_is_mark(j->l, '<') || open) {
		open += lexer_is_mark(j->l, '<');
		open -= lexer_is_mark(j->l, '>');
		if (lexer_is_mark(j->l, ';') || !js_next(j))
			return false;
	}
	return lexer_is_mark(j->l, '(');
}

/* importScripts("a.js", "b.js"), and new URL("a.js", import.meta.url): paths beside the file. */
static void js_beside(struct js_imports *j, bool url)
{
	struct lexer *l = j->l;

	if (!js_at_call(j))
		return;
	do {
		struct span literal;

		js_next(j);
		if (l->now.kind != LEX_STRING)
			return;
		literal = l->now.at;
		js_next(j);
		if (!url || (lexer_is_mark(l, ',') && js_next(j) && lexer_is_named(l, "import")))
			js_add(l, IMPORTS_REFERENCE, literal);
	} while (!url && lexer_is_mark(l, ','));
}

/* At a word of a call that imports in another way than import and require. False: it is none. */
static bool js_other(struct js_imports *j, size_t at)
{
	static const struct {
		const char *owners, *names;
		enum imports_kind kind;
	} calls[] = {
		{"vi vitest jest", "importActual importMock requireActual requireMock",
		 IMPORTS_REQUIRE},
		{"System SystemJS", "import", IMPORTS_DYNAMIC},
	};
	struct lexer *l = j->l;
	struct str word = l->now.word;

	if (l->now.kind != LEX_WORD)
		return false;
	/* Most words behind a dot begin with another letter. */
	for (size_t i = 0; i < ARRAY_SIZE(calls) && l->now.dot && strchr("ir", word.p[0]); i++)
		if (lexer_word_is_one_of(word, calls[i].names) &&
		    lexer_word_is_one_of(j->owner, calls[i].owners)) {
			if (js_at_call(j))
				js_call(j, calls[i].kind, at);
			return true;
		}
	if (lexer_same(word, "importScripts") && (!l->now.dot || lexer_same(j->owner, "self"))) {
		js_beside(j, false);
		return true;
	}
	if (lexer_same(word, "URL") && lexer_same(j->word, "new")) {
		js_beside(j, true);
		return true;
	}
	if (lexer_same(word, "createRequire") && j->assigned.n)
		strs_push(l->a, &j->requires, j->assigned);
	return false;
}

/* At "require", and then at "resolve" of "require.resolve". */
static void js_require(struct js_imports *j, size_t from)
{
	struct lexer *l = j->l;

	do {
		js_next(j);
		if (lexer_is_mark(l, '.'))
			js_next(j);
		else if (!lexer_is_mark(l, '('))
			return;
		if (lexer_is_mark(l, '(')) {
			js_call(j, IMPORTS_REQUIRE, from);
			return;
		}
		if (lexer_is_named(l, "context")) {
			js_pattern(j, from);
			return;
		}
	} while (lexer_is_named(l, "resolve") || lexer_is_named(l, "resolveWeak"));
}

/* At what stands between "import" or "export" and the module. from: "from" is the word before. */
static void js_clause(struct js_imports *j, enum imports_kind kind, bool from)
{
	struct lexer *l = j->l;
	bool braces = false, listed = false; /* within braces; behind them */

	for (; l->now.kind != LEX_END; js_next(j)) {
		char c = l->now.mark;

		if (l->now.kind == LEX_WORD) {
			/* import {import as a, from, require} */
			if (braces)
				continue;
			if (!from && (lexer_is_named(l, "import") || lexer_is_named(l, "export")))
				return;
			from = lexer_is_named(l, "from");
			if (listed && !from)
				return;
			listed = false;
		} else if (l->now.kind == LEX_STRING) {
			/* import {"a b" as c} */
			if (from)
				js_add(l, kind, l->now.at);
			if (from || listed)
				return;
		} else if (l->now.kind != LEX_MARK || listed || (from && c != ',') ||
			   !memchr("{},*", c, 4)) {
			return;
		} else if (!from) {
			braces = c == '{' || (braces && c != '}');
			listed = c == '}';
		} else {
			from = false;
		}
	}
}

static void js_import(struct js_imports *j, size_t at)
{
	struct lexer *l = j->l;
	enum imports_kind kind = IMPORTS_STATIC;
	bool from;

	/* import.defer("a"), import source a from "a" */
	while (js_next(j) && lexer_is_mark(l, '.')) {
		js_next(j);
		if (lexer_is_named(l, "meta")) {
			do
				js_next(j);
			while (lexer_is_mark(l, '.'));
			if (l->now.dot &&
			    (lexer_is_named(l, "glob") || lexer_is_named(l, "globEager")))
				js_pattern(j, at);
			return;
		}
		if (!lexer_is_named(l, "defer") && !lexer_is_named(l, "source"))
			return;
	}
	if (l->now.kind == LEX_STRING) {
		js_add(l, kind, l->now.at);
	} else if (lexer_is_mark(l, '(')) {
		js_call(j, IMPORTS_DYNAMIC, at);
	} else if (lexer_is_mark(l, '{') || lexer_is_mark(l, '*')) {
		js_clause(j, kind, false);
	} else if (l->now.kind == LEX_WORD) {
		if (lexer_is_named(l, "type") || lexer_is_named(l, "typeof"))
			kind = IMPORTS_TYPE;
		from = lexer_is_named(l, "from");
		js_next(j);
		js_clause(j, kind, from);
	}
}

static bool js_is_required(const struct js_imports *j)
{
	const struct lexer *l = j->l;

	if (l->now.kind == LEX_WORD && !l->now.dot && strs_has(&j->requires, l->now.word))
		return true;
	return lexer_is_named(l, "require") && !lexer_same(j->word, "function") &&
	       (!l->now.dot ||
		lexer_word_is_one_of(j->owner, "module globalThis window global self"));
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

void imports_read_javascript(struct lexer *l)
{
	struct js_imports j = {.l = l, .word = {"", 0}, .owner = {"", 0}};
	struct lexer_comments comments = {0};

	/* The references before the first lexeme. */
	l->comments = &comments;
	l->want = STR("<reference");
	lexer_next(l);
	l->comments = NULL;
	for (size_t i = 0; i < comments.n; i++)
		js_reference(l, comments.p[i].at);
	while (l->now.kind != LEX_END) {
		size_t at = l->now.at.from;

		if (js_is_required(&j))
			js_require(&j, at);
		else if (js_other(&j, at))
			continue;
		else if (!l->now.dot && lexer_is_named(l, "import"))
			js_import(&j, at);
		else if (!l->now.dot && lexer_is_named(l, "export")) {
			enum imports_kind kind = IMPORTS_EXPORT;

			while (js_next(&j) && lexer_is_named(l, "type"))
				kind = IMPORTS_TYPE;
			if (lexer_is_mark(l, '{') || lexer_is_mark(l, '*'))
				js_clause(&j, kind, false);
		} else {
			js_next(&j);
		}
	}
	js_settle(&j, ';', l->at);
	js_close(&j);
}
