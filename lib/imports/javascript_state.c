/* The statements and calls of JavaScript that name a module, token by token. */
#include "imports/javascript.h"

static void js_emit(struct js *j, enum imports_kind kind, struct span literal)
{
	imports_add(j->r, kind,
		    imports_unescape(j->r->a, imports_slice(j->r, literal.from, literal.to)),
		    literal);
	j->state = JS_NONE;
}

/* A call whose argument is no literal. Its declaration, as a method, is no call. */
void js_settle(struct js *j, char next)
{
	struct str between = imports_slice(j->r, j->ended.to, j->r->at);
	bool body = next == '{' && str_find_char(between, '\n', 0) == SIZE_MAX;

	if (j->ended.to && !body && !j->typed)
		imports_add_unknown(j->r, j->ended, "a program decides which module this is");
	j->ended = (struct span){0, 0};
	j->typed = false;
}

/*
 * import.meta.glob("./a/b*.js") and require.context("./a") import what a pattern fits. The folder
 * counts as imported, and the place is told.
 */
static void js_pattern_begin(struct js *j)
{
	struct span at = {j->call, size_min(j->call + 60, j->r->text.n)};

	imports_add_unknown(j->r, at, "a pattern decides which modules these are");
	j->state = JS_PATTERN;
}

static void js_pattern(struct js *j, struct span s)
{
	struct str text = imports_slice(j->r, s.from, s.to);
	size_t n = 0;

	if (str_starts(text, STR("!")))
		return;
	while (n < text.n && !memchr("*?[{(", text.p[n], 5))
		n++;
	if (n < text.n)
		n = str_rfind_char(str_sub(text, 0, n), '/');
	text = str_sub(text, 0, n == SIZE_MAX ? 0 : n);
	imports_add(j->r, IMPORTS_DYNAMIC, imports_unescape(j->r->a, text),
		    (struct span){s.from, s.from + text.n});
}

/* The argument is not known: what follows the closing parenthesis tells a call. */
void js_program(struct js *j)
{
	if (js_top(j) == JS_PAREN && j->open.n) {
		j->open.p[j->open.n - 1] = JS_PROGRAM;
		*VEC_PUSH(j->r->a, &j->calls) = j->call;
		j->typed = false;
		j->choices = 0;
	}
	j->state = JS_NONE;
}

void js_string(struct js *j, struct span s)
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

static bool js_is_required(const struct js *j, struct str word)
{
	static const char *const owners[] = {"module", "globalThis", "window",
					     "global", "self",       NULL};

	if (!imports_same(word, "require") || imports_same(j->word, "function"))
		return false;
	for (size_t i = 0; j->dot && owners[i]; i++)
		if (imports_same(j->owner, owners[i]))
			return true;
	return !j->dot;
}

static void js_begin(struct js *j, enum js_state state, enum imports_kind kind, size_t at)
{
	j->state = state;
	j->kind = kind;
	j->call = at;
	j->braces = false;
}

/* A word that is not the name of a member. */
void js_word_state(struct js *j, struct str word, size_t at)
{
	enum js_state was = j->state;

	/* import {import as a, from, require} */
	if (was == JS_CLAUSE && j->braces)
		return;
	if (was == JS_CLAUSE && (imports_same(word, "import") || imports_same(word, "export")))
		was = JS_NONE;
	if (was == JS_RESOLVE && imports_same(word, "context")) {
		js_pattern_begin(j);
		return;
	}
	if (was == JS_GLOB && j->dot &&
	    (imports_same(word, "glob") || imports_same(word, "globEager"))) {
		js_pattern_begin(j);
		return;
	}
	if (was == JS_RESOLVE) {
		j->state = imports_same(word, "resolve") || imports_same(word, "resolveWeak")
				   ? JS_CALLEE
				   : JS_NONE;
	} else if (was == JS_META) {
		j->state = imports_same(word, "defer") || imports_same(word, "source") ? JS_IMPORT
			   : imports_same(word, "meta")                                ? JS_GLOB
										       : JS_NONE;
	} else if (was == JS_CLAUSE || was == JS_LISTED || was == JS_FROM) {
		if (imports_same(word, "from"))
			j->state = JS_FROM;
		else if (was == JS_LISTED)
			j->state = JS_NONE;
		else
			j->state = JS_CLAUSE;
		if (j->state != JS_NONE)
			return;
	} else if (was == JS_IMPORT && !j->dot) {
		if (imports_same(word, "type") || imports_same(word, "typeof"))
			j->kind = IMPORTS_TYPE;
		j->state = imports_same(word, "from") ? JS_FROM : JS_CLAUSE;
		return;
	} else if (was == JS_EXPORT && imports_same(word, "type")) {
		j->kind = IMPORTS_TYPE;
		return;
	} else if (was != JS_EQUAL || !imports_same(word, "require")) {
		j->state = JS_NONE;
	}
	if (j->state == JS_CALLEE || j->state == JS_IMPORT || j->state == JS_GLOB)
		return;
	if (js_is_required(j, word))
		js_begin(j, JS_CALLEE, IMPORTS_REQUIRE, at);
	else if (j->dot)
		j->state = JS_NONE;
	else if (imports_same(word, "import"))
		js_begin(j, JS_IMPORT, IMPORTS_STATIC, at);
	else if (imports_same(word, "export"))
		js_begin(j, JS_EXPORT, IMPORTS_EXPORT, at);
}

void js_mark_state(struct js *j, char c)
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
