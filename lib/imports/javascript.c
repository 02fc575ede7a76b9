/*
 * JavaScript and TypeScript, with JSX. The reader tells division from regular expressions, and
 * operators from elements, by the token before. Open brackets, templates and elements stand on one
 * stack of bytes, so depth costs memory and no recursion.
 */
#include "imports/javascript.h"

/* ---- tokens ---- */

/* Words behind which an expression begins, so that "/" begins a regular expression. */
static bool js_is_operator(struct str word)
{
	static const char *const words[] = {"return",     "typeof", "case",  "in",      "of",
					    "delete",     "void",   "throw", "new",     "else",
					    "do",         "await",  "yield", "default", "extends",
					    "instanceof", NULL};

	for (size_t i = 0; words[i]; i++)
		if (imports_same(word, words[i]))
			return true;
	return false;
}

static bool js_is_control(struct str word)
{
	return imports_same(word, "if") || imports_same(word, "while") ||
	       imports_same(word, "for") || imports_same(word, "with");
}

static bool js_is_word(char c)
{
	return imports_is_word(c) || c == '$' || c == '#' || c == '\\';
}

static void js_after(struct js *j, bool operand)
{
	j->operand = operand;
	j->dot = false;
	j->words = true;
	j->last = 0;
	j->word = STR("");
}

static void js_word(struct js *j)
{
	struct imports_reader *r = j->r;
	size_t at = r->at;
	struct str word;
	uint32_t digit;

	while (r->at < r->text.n && js_is_word(r->text.p[r->at])) {
		/* \u{72} is one letter. */
		if (r->text.p[r->at] == '\\' && imports_is(r, r->at + 1, "u{"))
			for (r->at += 3; str_hex(imports_slice(r, r->at, r->at + 1), &digit);)
				r->at++;
		r->at = size_min(r->at + 1, r->text.n);
	}
	word = imports_slice(r, at, r->at);
	if (word.n < 100 && str_find_char(word, '\\', 0) != SIZE_MAX)
		word = imports_unescape(r->a, word);
	if (j->ended.to)
		js_settle(j, 'a');
	if (j->state == JS_ARGUMENT || j->state == JS_LITERAL)
		js_program(j);
	js_word_state(j, word, at);
	j->operand = j->dot || !js_is_operator(word);
	j->owner = j->dot ? STR("") : word;
	j->dot = false;
	j->words = true;
	j->last = 0;
	j->word = word;
}

/* A number, a regular expression, a template with ${}: no module. */
static void js_other(struct js *j)
{
	if (j->ended.to)
		js_settle(j, 'a');
	if (j->state == JS_ARGUMENT || j->state == JS_LITERAL)
		js_program(j);
	j->state = JS_NONE;
	js_after(j, true);
}

static void js_quoted(struct js *j)
{
	struct imports_reader *r = j->r;
	size_t at = r->at, stop, end = imports_string_end(r, at, false, &stop);

	if (j->ended.to)
		js_settle(j, 'a');
	if (end == SIZE_MAX) {
		imports_add_unended(r, at, "the string that begins here does not end");
		r->at = stop;
		j->state = JS_NONE;
	} else {
		js_string(j, (struct span){at + 1, end - 1});
		r->at = end;
	}
	js_after(j, true);
}

/* The text of a template, up to its end or the next ${. */
static bool js_template_text(struct js *j)
{
	struct imports_reader *r = j->r;

	for (; r->at < r->text.n; r->at++) {
		char c = r->text.p[r->at];

		if (c == '\\')
			r->at++;
		else if (c == '`')
			return true;
		else if (c == '$' && imports_char(r, r->at + 1) == '{')
			return false;
	}
	r->at = r->text.n;
	return false;
}

static void js_template_begin(struct js *j)
{
	struct imports_reader *r = j->r;
	size_t at = r->at++;
	bool tagged = j->operand;

	if (j->ended.to)
		js_settle(j, 'a');
	if (js_template_text(j) && !tagged) {
		js_string(j, (struct span){at + 1, r->at++});
		js_after(j, true);
		return;
	}
	js_other(j);
	js_push(j, JS_TEMPLATE);
	if (r->at == r->text.n)
		imports_add_unended(r, at, "the template that begins here does not end");
}

/* In a template: its end, or an expression in it. */
static void js_template(struct js *j)
{
	struct imports_reader *r = j->r;

	if (js_template_text(j)) {
		r->at++;
		j->open.n--;
		js_after(j, true);
	} else if (r->at < r->text.n) {
		r->at += 2;
		js_push(j, JS_IN_TEMPLATE);
		js_after(j, false);
	}
}

/* The offset behind the regular expression, or SIZE_MAX. */
static size_t js_regex_end(struct js *j)
{
	struct imports_reader *r = j->r;
	bool class = false;
	size_t at = r->at + 1;

	for (; at < r->text.n && r->text.p[at] != '\n'; at++) {
		char c = r->text.p[at];

		if (c == '\\' && imports_char(r, at + 1) != '\n')
			at++;
		else if (c == '[')
			class = true;
		else if (c == ']')
			class = false;
		else if (c == '/' && !class)
			return at + 1;
	}
	/* What follows on the line stands in a class without end: no other one ends there. */
	j->no_regex = at;
	return SIZE_MAX;
}

/* /// <reference path="a" />, before any other token. */
static void js_reference(struct js *j, size_t end)
{
	struct imports_reader *r = j->r;
	struct str line = imports_slice(r, r->at, end), rest;
	size_t tag = str_find(line, STR("<reference"), 0), from, to;

	if (j->words || tag == SIZE_MAX || str_trim(str_sub(line, 3, tag)).n)
		return;
	rest = str_sub(line, tag, line.n);
	for (const char *const *a = (const char *const[]){"path", "types", NULL}; *a; a++) {
		size_t at = str_find(rest, str_of(*a), 0);

		if (at == SIZE_MAX)
			continue;
		for (at += strlen(*a); at < rest.n && memchr(" \t=", rest.p[at], 3);)
			at++;
		if (at >= rest.n || (rest.p[at] != '"' && rest.p[at] != '\''))
			continue;
		from = tag + at + 1;
		to = str_find_char(line, rest.p[at], from);
		if (to != SIZE_MAX)
			imports_add(r, IMPORTS_REFERENCE, str_sub(line, from, to),
				    (struct span){r->at + from, r->at + to});
	}
}

/* "/": a comment, a regular expression or a division. */
static void js_slash(struct js *j)
{
	struct imports_reader *r = j->r;
	char next = imports_char(r, r->at + 1);
	size_t end;

	if (next == '/') {
		end = imports_find(r, '\n', r->at);
		if (imports_char(r, r->at + 2) == '/')
			js_reference(j, end);
		r->at = end;
		return;
	}
	if (next == '*') {
		r->at = imports_comment_end(r, r->at, "/*", "*/", false);
		return;
	}
	end = j->operand || r->at < j->no_regex ? SIZE_MAX : js_regex_end(j);
	js_other(j);
	j->operand = end != SIZE_MAX;
	r->at = end == SIZE_MAX ? r->at + 1 : end;
}

/* ---- brackets ---- */

/* Whether "{" begins an object: where an expression is expected. */
static bool js_is_object(const struct js *j)
{
	char before = j->last;

	if (!j->words || j->operand || js_is_operator(j->word))
		return imports_same(j->word, "return") || imports_same(j->word, "typeof") ||
		       imports_same(j->word, "default") || imports_same(j->word, "case") ||
		       imports_same(j->word, "await") || imports_same(j->word, "yield");
	if (before == ':')
		return js_top(j) != JS_BLOCK;
	return before != ';' && before != '{' && before != '}' && before != '>' && before != ')';
}

static bool js_is_paren(char c)
{
	return c == JS_PAREN || c == JS_CONTROL || c == JS_PROGRAM;
}

/* Takes what stands on top off the stack. */
static char js_pop(struct js *j, size_t end)
{
	char c = js_top(j);

	if (!j->open.n)
		return 0;
	j->open.n--;
	if (c == JS_PROGRAM)
		j->ended = (struct span){j->calls.p[--j->calls.n], end};
	return c;
}

static void js_close_paren(struct js *j)
{
	char c = js_is_paren(js_top(j)) && j->open.n ? js_pop(j, j->r->at + 1) : 0;

	js_after(j, c != JS_CONTROL);
}

static void js_close_brace(struct js *j)
{
	char c;

	/* Parentheses that are not closed belong to a mistake: a brace ends them. */
	while (j->open.n && (js_is_paren(js_top(j)) || js_top(j) == JS_BRACKET)) {
		js_pop(j, j->r->at);
		js_settle(j, ';');
	}
	c = js_pop(j, j->r->at);
	js_after(j, c == JS_OBJECT);
}

/* ---- elements ---- */

/* The offset of the next "</" at or behind `at`, which never goes back. */
static size_t js_closing_tag(struct js *j, size_t at)
{
	if (j->closing < at)
		j->closing = size_min(str_find(j->r->text, STR("</"), at), j->r->text.n);
	return j->closing;
}

/*
 * Whether "<" begins an element. In TypeScript "<T,>(a)", "<T extends U>(a)" and "<T>(a)" are
 * generic functions, if no </T> follows soon.
 */
static bool js_is_element(struct js *j)
{
	const struct imports_reader *r = j->r;
	size_t at = r->at + 1, from = at, soon;
	struct str name;

	if (!j->jsx || j->operand)
		return false;
	if (imports_char(r, at) == '>')
		return true;
	if (!js_is_word(imports_char(r, at)) || ascii_is_digit(r->text.p[at]))
		return false;
	while (at < r->text.n && (js_is_word(r->text.p[at]) || memchr(".-:", r->text.p[at], 3)))
		at++;
	name = imports_slice(r, from, at);
	while (ascii_is_blank(imports_char(r, at)))
		at++;
	if (imports_char(r, at) == ',' || imports_is(r, at, "extends "))
		return false;
	if (imports_char(r, at) != '>' || imports_char(r, at + 1) != '(' || name.n > 100)
		return true;
	soon = size_min(at + 2000, r->text.n);
	for (at = js_closing_tag(j, at); at < soon;
	     at = str_find(str_sub(r->text, 0, soon), STR("</"), at + 2))
		if (str_starts(str_sub(r->text, at + 2, soon), name))
			return true;
	return false;
}

/* In a tag: attributes up to ">" or "/>". */
static void js_tag(struct js *j)
{
	struct imports_reader *r = j->r;
	char c = r->text.p[r->at];
	size_t end;

	if (c == '"' || c == '\'') {
		end = imports_find(r, c, r->at + 1);
		if (end == r->text.n)
			imports_add_unended(r, r->at,
					    "the attribute that begins here does not end");
		r->at = size_min(end + 1, r->text.n);
	} else if (c == '{') {
		r->at++;
		js_push(j, JS_IN_ELEMENT);
		js_after(j, false);
	} else if (c == '/' && imports_char(r, r->at + 1) == '>') {
		r->at += 2;
		j->open.n--;
		js_after(j, true);
	} else if (c == '/' && (imports_is(r, r->at, "/*") || imports_is(r, r->at, "//"))) {
		r->at = r->text.p[r->at + 1] == '*'
				? imports_comment_end(r, r->at, "/*", "*/", false)
				: imports_find(r, '\n', r->at);
	} else if (c == '<' || (c == '>' && j->angles)) {
		j->angles += c == '<' ? 1U : -1U;
		r->at++;
	} else if (c == '>') {
		r->at++;
		j->open.p[j->open.n - 1] = JS_CHILDREN;
	} else {
		r->at++;
	}
}

/* Between tags: text, which has no strings and no comments. */
static void js_children(struct js *j)
{
	struct imports_reader *r = j->r;

	while (r->at < r->text.n && r->text.p[r->at] != '<' && r->text.p[r->at] != '{')
		r->at++;
	if (r->at == r->text.n) {
		imports_add_unended(r, r->at, "an element before the end of the file does not end");
	} else if (r->text.p[r->at] == '{') {
		r->at++;
		js_push(j, JS_IN_ELEMENT);
		js_after(j, false);
	} else if (imports_char(r, r->at + 1) == '/') {
		r->at = size_min(imports_find(r, '>', r->at) + 1, r->text.n);
		j->open.n--;
		js_after(j, true);
	} else {
		r->at++;
		j->angles = 0;
		js_push(j, JS_TAG);
	}
}

/* ---- the loop ---- */

static void js_mark(struct js *j)
{
	struct imports_reader *r = j->r;
	char c = r->text.p[r->at], next = imports_char(r, r->at + 1);
	bool object;

	if (j->ended.to)
		js_settle(j, c);
	/* "a << b" is a shift. */
	if (c == '<' && next == '<') {
		js_mark_state(j, c);
		js_after(j, false);
		r->at += 2;
		return;
	}
	if (c == '<' && js_is_element(j)) {
		js_other(j);
		r->at++;
		j->angles = 0;
		js_push(j, JS_TAG);
		return;
	}
	/* "a++ / b" and "a! / b": behind an operand these leave an operand. */
	if ((c == '+' || c == '-') && next == c) {
		js_mark_state(j, c);
		r->at += 2;
		js_after(j, j->operand);
		return;
	}
	if (c == '!' && j->operand && next != '=') {
		r->at++;
		return;
	}
	if (c == '?' && next == '.' && !ascii_is_digit(imports_char(r, r->at + 2))) {
		js_mark_state(j, '.');
		r->at += 2;
		j->dot = true;
		return;
	}
	if (c == '.' && next != '.') {
		js_mark_state(j, c);
		r->at++;
		j->owner = j->word;
		j->dot = true;
		j->operand = true;
		return;
	}
	while (c == '.' && imports_char(r, r->at + 1) == '.')
		r->at++;
	switch (c) {
	case '(':
		js_push(j, js_is_control(j->word) ? JS_CONTROL : JS_PAREN);
		js_mark_state(j, c);
		js_after(j, false);
		break;
	case '[':
		js_mark_state(j, c);
		js_push(j, JS_BRACKET);
		js_after(j, false);
		break;
	case '{':
		object = js_is_object(j);
		js_mark_state(j, c);
		js_push(j, object ? JS_OBJECT : JS_BLOCK);
		js_after(j, false);
		break;
	case ')':
		js_mark_state(j, c);
		js_close_paren(j);
		break;
	case ']':
		js_mark_state(j, c);
		if (js_top(j) == JS_BRACKET)
			j->open.n--;
		js_after(j, true);
		break;
	case '}':
		js_mark_state(j, c);
		js_close_brace(j);
		break;
	default:
		js_mark_state(j, c);
		if (c == '?' && next != ':')
			j->choices++;
		else if (c == ':' && js_top(j) == JS_PROGRAM && !j->choices)
			j->typed = true;
		else if (c == ':' && j->choices)
			j->choices--;
		js_after(j, false);
	}
	j->last = c;
	r->at++;
}

static void js_code(struct js *j)
{
	struct imports_reader *r = j->r;
	char c = r->text.p[r->at];

	if (ascii_is_blank(c) || !c)
		r->at++;
	else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(imports_char(r, r->at + 1)))) {
		js_other(j);
		while (r->at < r->text.n &&
		       (imports_is_word(r->text.p[r->at]) || r->text.p[r->at] == '.'))
			r->at++;
	} else if (js_is_word(c))
		js_word(j);
	else if (c == '"' || c == '\'')
		js_quoted(j);
	else if (c == '`')
		js_template_begin(j);
	else if (c == '/')
		js_slash(j);
	else
		js_mark(j);
}

void imports_read_script(struct imports_reader *r, bool jsx)
{
	struct js j = {.r = r, .jsx = jsx, .word = {"", 0}, .owner = {"", 0}};

	while (r->at < r->text.n) {
		if (js_top(&j) == JS_TEMPLATE)
			js_template(&j);
		else if (js_top(&j) == JS_TAG)
			js_tag(&j);
		else if (js_top(&j) == JS_CHILDREN)
			js_children(&j);
		else
			js_code(&j);
	}
	js_settle(&j, ';');
	for (; j.open.n; js_settle(&j, ';')) {
		if (js_top(&j) == JS_TEMPLATE || js_top(&j) == JS_TAG)
			imports_add_unended(r, r->text.n,
					    "a template or element is still open at the "
					    "end of the file");
		js_pop(&j, r->text.n);
	}
}

void imports_read_javascript(struct imports_reader *r)
{
	/* "<T>a" is a type in *.ts, and an element in every other file. */
	bool types = str_ends(r->path, STR(".ts")) || str_ends(r->path, STR(".mts")) ||
		     str_ends(r->path, STR(".cts"));

	if (str_starts(r->text, STR("#!")))
		r->at = imports_find(r, '\n', 0);
	imports_read_script(r, !types);
}
