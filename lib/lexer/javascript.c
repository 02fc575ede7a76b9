/*
 * JavaScript and TypeScript, with JSX. The reader tells division from regular expressions, and
 * operators from elements, by the lexeme before. Open brackets, templates and elements stand on one
 * stack of bytes, so depth costs memory and no recursion.
 */
#include "lexer/javascript.h"

static char js_top(const struct js *j)
{
	return j->open.n ? j->open.p[j->open.n - 1] : JS_BLOCK;
}

static void js_push(struct js *j, char what)
{
	*VEC_PUSH(j->r->a, &j->open) = what;
}

/* ---- tokens ---- */

/* Words behind which an expression begins, so that "/" begins a regular expression. */
static bool js_is_operator(struct str word)
{
	static const char *const words[] = {"return",     "typeof", "case",  "in",      "of",
					    "delete",     "void",   "throw", "new",     "else",
					    "do",         "await",  "yield", "default", "extends",
					    "instanceof", NULL};

	for (size_t i = 0; words[i]; i++)
		if (lexer_same(word, words[i]))
			return true;
	return false;
}

static bool js_is_control(struct str word)
{
	return lexer_same(word, "if") || lexer_same(word, "while") || lexer_same(word, "for") ||
	       lexer_same(word, "with");
}

static bool js_is_word(char c)
{
	return lexer_is_word(c) || c == '$' || c == '#' || c == '\\';
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
	struct lexer *r = j->r;
	size_t at = r->at;
	struct str word;
	uint32_t digit;

	while (r->at < r->text.n && js_is_word(r->text.p[r->at])) {
		/* \u{72} is one letter. */
		if (r->text.p[r->at] == '\\' && lexer_is(r, r->at + 1, "u{"))
			for (r->at += 3; str_hex(lexer_slice(r, r->at, r->at + 1), &digit);)
				r->at++;
		r->at = size_min(r->at + 1, r->text.n);
	}
	word = lexer_slice(r, at, r->at);
	if (word.n < 100 && str_find_char(word, '\\', 0) != SIZE_MAX)
		word = lexer_unescape(r->a, word);
	j->now = (struct lexeme){.kind = LEX_WORD, .word = word, .at = {at, r->at}, .dot = j->dot};
	j->operand = j->dot || !js_is_operator(word);
	j->dot = false;
	j->words = true;
	j->last = 0;
	j->word = word;
}

/* What begins at `from` and ends an expression. */
static void js_operand(struct js *j, enum lexeme_kind kind, struct span at)
{
	j->now = (struct lexeme){.kind = kind, .word = {"", 0}, .at = at};
	js_after(j, true);
}

static void js_other(struct js *j, size_t from)
{
	js_operand(j, LEX_OTHER, (struct span){from, from});
}

static void js_quoted(struct js *j)
{
	struct lexer *r = j->r;
	size_t at = r->at, stop, end = lexer_string_end(r, at, false, &stop);

	if (end == SIZE_MAX) {
		lexer_unended(r, at, "the string that begins here does not end");
		r->at = stop;
		js_other(j, at);
	} else {
		r->at = end;
		js_operand(j, LEX_STRING, (struct span){at + 1, end - 1});
	}
}

/* The text of a template, up to its end or the next ${. */
static bool js_template_text(struct js *j)
{
	struct lexer *r = j->r;

	for (; r->at < r->text.n; r->at++) {
		char c = r->text.p[r->at];

		if (c == '\\')
			r->at++;
		else if (c == '`')
			return true;
		else if (c == '$' && lexer_char(r, r->at + 1) == '{')
			return false;
	}
	r->at = r->text.n;
	return false;
}

static void js_template_begin(struct js *j)
{
	struct lexer *r = j->r;
	size_t at = r->at++;
	bool tagged = j->operand;

	if (js_template_text(j) && !tagged) {
		js_operand(j, LEX_STRING, (struct span){at + 1, r->at++});
		return;
	}
	js_other(j, at);
	js_push(j, JS_TEMPLATE);
	if (r->at == r->text.n)
		lexer_unended(r, at, "the template that begins here does not end");
}

/* In a template: its end, or an expression in it. */
static void js_template(struct js *j)
{
	struct lexer *r = j->r;

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
	struct lexer *r = j->r;
	bool class = false;
	size_t at = r->at + 1;

	for (; at < r->text.n && r->text.p[at] != '\n'; at++) {
		char c = r->text.p[at];

		if (c == '\\' && lexer_char(r, at + 1) != '\n')
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

/* "/": a regular expression or a division. */
static void js_slash(struct js *j)
{
	struct lexer *r = j->r;
	size_t from = r->at;
	size_t end = j->operand || from < j->no_regex ? SIZE_MAX : js_regex_end(j);

	js_other(j, from);
	j->operand = end != SIZE_MAX;
	r->at = end == SIZE_MAX ? from + 1 : end;
}

/* ---- brackets ---- */

/* Whether "{" begins an object: where an expression is expected. */
static bool js_is_object(const struct js *j)
{
	char before = j->last;

	if (!j->words || j->operand || js_is_operator(j->word))
		return lexer_same(j->word, "return") || lexer_same(j->word, "typeof") ||
		       lexer_same(j->word, "default") || lexer_same(j->word, "case") ||
		       lexer_same(j->word, "await") || lexer_same(j->word, "yield");
	if (before == ':')
		return js_top(j) != JS_BLOCK;
	return before != ';' && before != '{' && before != '}' && before != '>' && before != ')';
}

static bool js_is_paren(char c)
{
	return c == JS_PAREN || c == JS_CONTROL;
}

/* Takes what stands on top off the stack. */
static char js_pop(struct js *j)
{
	return j->open.n ? j->open.p[--j->open.n] : 0;
}

static void js_close_paren(struct js *j)
{
	js_after(j, !js_is_paren(js_top(j)) || js_pop(j) != JS_CONTROL);
}

static void js_close_brace(struct js *j)
{
	/* Parentheses that are not closed belong to a mistake: a brace ends them. */
	while (js_is_paren(js_top(j)) || js_top(j) == JS_BRACKET)
		js_pop(j);
	js_after(j, js_pop(j) == JS_OBJECT);
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
	const struct lexer *r = j->r;
	size_t at = r->at + 1, from = at, soon;
	struct str name;

	if (!j->jsx || j->operand)
		return false;
	if (lexer_char(r, at) == '>')
		return true;
	if (!js_is_word(lexer_char(r, at)) || ascii_is_digit(r->text.p[at]))
		return false;
	while (at < r->text.n && (js_is_word(r->text.p[at]) || memchr(".-:", r->text.p[at], 3)))
		at++;
	name = lexer_slice(r, from, at);
	while (ascii_is_blank(lexer_char(r, at)))
		at++;
	if (lexer_char(r, at) == ',' || lexer_is(r, at, "extends "))
		return false;
	if (lexer_char(r, at) != '>' || lexer_char(r, at + 1) != '(' || name.n > 100)
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
	struct lexer *r = j->r;
	char c = r->text.p[r->at];
	size_t end;

	if (c == '"' || c == '\'') {
		end = lexer_find(r, c, r->at + 1);
		if (end == r->text.n)
			lexer_unended(r, r->at, "the attribute that begins here does not end");
		r->at = size_min(end + 1, r->text.n);
	} else if (c == '{') {
		r->at++;
		js_push(j, JS_IN_ELEMENT);
		js_after(j, false);
	} else if (c == '/' && lexer_char(r, r->at + 1) == '>') {
		r->at += 2;
		j->open.n--;
		js_after(j, true);
	} else if (c == '/' && (lexer_is(r, r->at, "/*") || lexer_is(r, r->at, "//"))) {
		if (r->text.p[r->at + 1] == '*')
			lexer_block_comment(r, "/*", "*/", false);
		else
			lexer_line_comment(r, 2);
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
	struct lexer *r = j->r;

	while (r->at < r->text.n && r->text.p[r->at] != '<' && r->text.p[r->at] != '{')
		r->at++;
	if (r->at == r->text.n) {
		lexer_unended(r, r->at, "an element before the end of the file does not end");
	} else if (r->text.p[r->at] == '{') {
		r->at++;
		js_push(j, JS_IN_ELEMENT);
		js_after(j, false);
	} else if (lexer_char(r, r->at + 1) == '/') {
		r->at = size_min(lexer_find(r, '>', r->at) + 1, r->text.n);
		j->open.n--;
		js_after(j, true);
	} else {
		r->at++;
		j->angles = 0;
		js_push(j, JS_TAG);
	}
}

/* ---- marks ---- */

static void js_mark_end(struct js *j, char c, size_t n)
{
	size_t from = j->r->at;

	j->now = (struct lexeme){
		.kind = LEX_MARK, .mark = c, .word = {"", 0}, .at = {from, from + n}};
	j->r->at = from + n;
}

/* "a.b", "a?.b" */
static bool js_dot(struct js *j, size_t n)
{
	j->operand |= n == 1;
	j->dot = true;
	js_mark_end(j, '.', n);
	return true;
}

static void js_bracket(struct js *j, char c)
{
	switch (c) {
	case '(':
		js_push(j, js_is_control(j->word) ? JS_CONTROL : JS_PAREN);
		js_after(j, false);
		break;
	case '[':
		js_push(j, JS_BRACKET);
		js_after(j, false);
		break;
	case '{':
		js_push(j, js_is_object(j) ? JS_OBJECT : JS_BLOCK);
		js_after(j, false);
		break;
	case ')': js_close_paren(j); break;
	case ']':
		if (js_top(j) == JS_BRACKET)
			j->open.n--;
		js_after(j, true);
		break;
	case '}': js_close_brace(j); break;
	default: js_after(j, false);
	}
	j->last = c;
}

/* False: what stood here is no lexeme. */
static bool js_punctuation(struct js *j, char c)
{
	struct lexer *r = j->r;
	char next = lexer_char(r, r->at + 1);
	size_t n = 1;

	if (c == '<' && next != '<' && js_is_element(j)) {
		js_other(j, r->at++);
		j->angles = 0;
		js_push(j, JS_TAG);
		return true;
	}
	/* "a! / b": behind an operand it leaves an operand, as "a++" does. */
	if (c == '!' && j->operand && next != '=') {
		r->at++;
		return false;
	}
	if (c == '?' && next == '.' && !ascii_is_digit(lexer_char(r, r->at + 2)))
		return js_dot(j, 2);
	if (c == '.' && next != '.')
		return js_dot(j, 1);
	/* "a << b" is a shift. */
	if ((c == '+' || c == '-' || c == '<') && next == c) {
		js_after(j, c != '<' && j->operand);
		js_mark_end(j, c, 2);
		return true;
	}
	while (c == '.' && lexer_char(r, r->at + n) == '.')
		n++;
	js_bracket(j, c);
	js_mark_end(j, c, n);
	return true;
}

static bool js_code(struct js *j)
{
	struct lexer *r = j->r;
	char c = r->text.p[r->at], next = lexer_char(r, r->at + 1);
	size_t from = r->at;

	if (ascii_is_blank(c) || !c) {
		r->at++;
		return false;
	}
	if (c == '/' && next == '/') {
		lexer_line_comment(r, 2);
		return false;
	}
	if (c == '/' && next == '*') {
		lexer_block_comment(r, "/*", "*/", false);
		return false;
	}
	if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(next))) {
		while (r->at < r->text.n &&
		       (lexer_is_word(r->text.p[r->at]) || r->text.p[r->at] == '.'))
			r->at++;
		js_other(j, from);
	} else if (js_is_word(c)) {
		js_word(j);
	} else if (c == '"' || c == '\'') {
		js_quoted(j);
	} else if (c == '`') {
		js_template_begin(j);
	} else if (c == '/') {
		js_slash(j);
	} else {
		return js_punctuation(j, c);
	}
	return true;
}

bool js_next(struct js *j)
{
	struct lexer *r = j->r;

	while (r->at < r->text.n) {
		if (js_top(j) == JS_TEMPLATE)
			js_template(j);
		else if (js_top(j) == JS_TAG)
			js_tag(j);
		else if (js_top(j) == JS_CHILDREN)
			js_children(j);
		else if (js_code(j))
			return true;
	}
	for (; j->open.n; js_pop(j))
		if (js_top(j) == JS_TEMPLATE || js_top(j) == JS_TAG)
			lexer_unended(r, r->text.n,
				      "a template or element is still open at the end of the file");
	j->now = (struct lexeme){.kind = LEX_END, .word = {"", 0}, .at = {r->at, r->at}};
	return false;
}

struct js js_of(struct lexer *r)
{
	/* "<T>a" is a type in *.ts, and an element in every other file. */
	bool types = str_ends(r->path, STR(".ts")) || str_ends(r->path, STR(".mts")) ||
		     str_ends(r->path, STR(".cts"));

	return (struct js){.r = r, .jsx = !types, .word = {"", 0}};
}

void lexer_skim_javascript(struct lexer *r)
{
	struct js j = js_of(r);

	while (js_next(&j))
		;
}
