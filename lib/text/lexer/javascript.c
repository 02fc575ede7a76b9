/*
 * JavaScript and TypeScript, with JSX. The reader tells division from regular expressions, and
 * operators from elements, by the lexeme before. Open brackets, templates and elements stand on one
 * stack of bytes, so depth costs memory and no recursion.
 */
#include "lexer/lexer.h"

static char js_top(const struct lexer *l)
{
	return l->open.n ? l->open.p[l->open.n - 1] : JS_BLOCK;
}

/* ---- tokens ---- */

/* Words behind which an expression begins, so that "/" begins a regular expression. */
static bool js_is_operator(struct str word)
{
	static const char *const words[] = {
		[2] = "in of do",
		[3] = "new",
		[4] = "case void else",
		[5] = "throw await yield",
		[6] = "return typeof delete",
		[7] = "default extends",
		[10] = "instanceof",
	};

	return word.n < ARRAY_SIZE(words) && words[word.n] &&
	       lexer_word_is_one_of(word, words[word.n]);
}

static bool js_is_word(char c)
{
	return lexer_is_word_byte(c) || c == '$' || c == '#' || c == '\\';
}

static void js_after(struct lexer *l, bool operand)
{
	l->js.operand = operand;
	l->js.dot = false;
	l->js.words = true;
	l->js.last = 0;
	l->js.word = STR("");
}

static void js_word(struct lexer *l)
{
	size_t at = l->at;
	struct str word;
	uint32_t digit;

	while (l->at < l->text.n && js_is_word(l->text.p[l->at])) {
		/* \u{72} is one letter. */
		if (l->text.p[l->at] == '\\' && lexer_is(l, l->at + 1, "u{"))
			for (l->at += 3; str_parse_hex(lexer_slice(l, l->at, l->at + 1), &digit);)
				l->at++;
		l->at = size_min(l->at + 1, l->text.n);
	}
	word = lexer_slice(l, at, l->at);
	if (word.n < 100 && str_find_char(word, '\\', 0) != SIZE_MAX)
		word = lexer_unescape(l->a, word);
	l->now = (struct lexeme){
		.kind = LEX_WORD, .word = word, .at = {at, l->at}, .dot = l->js.dot};
	js_after(l, l->js.dot || !js_is_operator(word));
	l->js.word = word;
}

/* What begins at `from` and ends an expression. */
static void js_operand(struct lexer *l, enum lexeme_kind kind, struct span at)
{
	lexer_set_lexeme(l, kind, at.from, at.to);
	js_after(l, true);
}

static void js_other(struct lexer *l, size_t from)
{
	js_operand(l, LEX_OTHER, (struct span){from, from});
}

/* The text of a template, up to its end or the next ${. */
static bool js_template_text(struct lexer *l)
{
	for (; l->at < l->text.n; l->at++) {
		char c = l->text.p[l->at];

		if (c == '\\')
			l->at++;
		else if (c == '`')
			return true;
		else if (c == '$' && lexer_char_at(l, l->at + 1) == '{')
			return false;
	}
	l->at = l->text.n;
	return false;
}

static void js_template_begin(struct lexer *l)
{
	size_t at = l->at++;
	bool tagged = l->js.operand;

	if (js_template_text(l) && !tagged) {
		js_operand(l, LEX_STRING, (struct span){at + 1, l->at++});
		return;
	}
	js_other(l, at);
	lexer_push_bracket(l, JS_TEMPLATE);
	if (l->at == l->text.n)
		lexer_unended(l, at, "the template that begins here does not end");
}

/* "/": a regular expression or a division. */
static void js_slash(struct lexer *l)
{
	size_t from = l->at, at = from + 1;
	bool class = false, ends = false;

	if (!l->js.operand && from >= l->js.no_regex) {
		for (; at < l->text.n && l->text.p[at] != '\n' && !ends; at++) {
			char c = l->text.p[at];

			if (c == '\\' && lexer_char_at(l, at + 1) != '\n')
				at++;
			else if (c == '[')
				class = true;
			else if (c == ']')
				class = false;
			else
				ends = c == '/' && !class;
		}
		/* The rest of the line stands in a class without end: none ends there. */
		if (!ends)
			l->js.no_regex = at;
	}
	js_other(l, from);
	l->js.operand = ends;
	l->at = ends ? at : from + 1;
}

/* ---- brackets ---- */

/* Whether "{" begins an object: where an expression is expected. */
static bool js_is_object(const struct lexer *l)
{
	char before = l->js.last;

	if (!l->js.words || l->js.operand || js_is_operator(l->js.word))
		return lexer_word_is_one_of(l->js.word, "return typeof default case await yield");
	if (before == ':')
		return js_top(l) != JS_BLOCK;
	return before != ';' && before != '{' && before != '}' && before != '>' && before != ')';
}

static bool js_is_paren(char c)
{
	return c == JS_PAREN || c == JS_CONTROL;
}

/* Takes what stands on top off the stack. */
static char js_pop(struct lexer *l)
{
	return l->open.n ? l->open.p[--l->open.n] : 0;
}

/* ---- elements ---- */

/*
 * Whether "<" begins an element. In TypeScript "<T,>(a)", "<T extends U>(a)" and "<T>(a)" are
 * generic functions, if no </T> follows soon.
 */
static bool js_is_element(struct lexer *l)
{
	size_t at = l->at + 1, from = at, soon;
	struct str name;

	/* "<T>a" is a type in *.ts, and an element in every other file. */
	if (l->js.operand || str_ends(l->path, STR(".ts")) || str_ends(l->path, STR(".mts")) ||
	    str_ends(l->path, STR(".cts")))
		return false;
	if (lexer_char_at(l, at) == '>')
		return true;
	if (!js_is_word(lexer_char_at(l, at)) || ascii_is_digit(l->text.p[at]))
		return false;
	while (at < l->text.n && (js_is_word(l->text.p[at]) || memchr(".-:", l->text.p[at], 3)))
		at++;
	name = lexer_slice(l, from, at);
	while (ascii_is_any_space(lexer_char_at(l, at)))
		at++;
	if (lexer_char_at(l, at) == ',' || lexer_is(l, at, "extends "))
		return false;
	if (lexer_char_at(l, at) != '>' || lexer_char_at(l, at + 1) != '(' || name.n > 100)
		return true;
	soon = size_min(at + 2000, l->text.n);
	/* The offset of the next "</" never goes back. */
	if (l->js.closing < at)
		l->js.closing = size_min(str_find(l->text, STR("</"), at), l->text.n);
	for (at = l->js.closing; at < soon;
	     at = str_find(str_sub(l->text, 0, soon), STR("</"), at + 2))
		if (str_starts(str_sub(l->text, at + 2, soon), name))
			return true;
	return false;
}

/* In a tag: attributes up to ">" or "/>". */
static void js_tag(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t end;

	if (c == '"' || c == '\'') {
		end = lexer_find_byte(l, c, l->at + 1);
		if (end == l->text.n)
			lexer_unended(l, l->at, "the attribute that begins here does not end");
		l->at = size_min(end + 1, l->text.n);
	} else if (c == '{') {
		l->at++;
		lexer_push_bracket(l, JS_IN_ELEMENT);
		js_after(l, false);
	} else if (c == '/' && lexer_char_at(l, l->at + 1) == '>') {
		l->at += 2;
		l->open.n--;
		js_after(l, true);
	} else if (c == '/' && (lexer_is(l, l->at, "/*") || lexer_is(l, l->at, "//"))) {
		if (l->text.p[l->at + 1] == '*')
			lexer_block_comment(l, "/*", "*/", false);
		else
			lexer_line_comment(l, 2);
	} else if (c == '<' || (c == '>' && l->js.angles)) {
		l->js.angles += c == '<' ? 1U : -1U;
		l->at++;
	} else if (c == '>') {
		l->at++;
		l->open.p[l->open.n - 1] = JS_CHILDREN;
	} else {
		l->at++;
	}
}

static bool js_is_blank_line(const struct lexer *l, size_t at)
{
	while (lexer_char_at(l, at) == ' ' || lexer_char_at(l, at) == '\t' ||
	       lexer_char_at(l, at) == '\r')
		at++;
	return at >= l->text.n || l->text.p[at] == '\n';
}

#define JS_SPAN_MAX 10000 /* bytes of `code` in Markdown */

/*
 * In MDX. True: it was passed over, or statements begin. These stand behind a blank line, and
 * outside of all tags.
 */
static bool js_markdown(struct lexer *l, char c)
{
	size_t line = l->at;
	char next = lexer_char_at(l, l->at + 1);

	if (c == '\\') {
		l->at = size_min(l->at + 2, l->text.n);
	} else if (c == '`') {
		size_t n = lexer_run_length(l, l->at, '`'), run = 0, at, most;

		/* To as many of them in the same paragraph. Else they are text. */
		most = size_min(l->at + n + JS_SPAN_MAX, l->text.n);
		for (at = l->at + n; at < most && run != n; at++) {
			run = lexer_run_length(l, at, '`');
			if (!run && l->text.p[at] == '\n' && js_is_blank_line(l, at + 1))
				break;
			at += run > 1 ? run - 1 : 0;
		}
		l->at = run == n ? at : l->at + n;
	} else if (c == '<' && !js_is_word(next) && !memchr(">/", next, 2)) {
		if (lexer_is(l, l->at, "<!--"))
			lexer_block_comment(l, "<!--", "-->", false);
		else
			l->at++;
	} else if (l->open.n == 1 &&
		   (lexer_is(l, l->at, "import") || lexer_is(l, l->at, "export")) &&
		   !lexer_is_word_byte(lexer_char_at(l, l->at + 6)) &&
		   (!line || l->text.p[line - 1] == '\n')) {
		for (line -= line > 0; line && l->text.p[line - 1] != '\n';)
			line--;
		if (line && !js_is_blank_line(l, line))
			return false;
		lexer_push_bracket(l, JS_ESM);
		js_after(l, false);
	} else {
		return false;
	}
	return true;
}

/* Between tags: text, which has no strings and no comments. */
static void js_children(struct lexer *l)
{
	bool whole = l->js.markdown && l->open.n == 1; /* the text of a file of MDX */

	for (; l->at < l->text.n; l->at++) {
		char c = l->text.p[l->at];

		if (l->js.markdown && js_markdown(l, c))
			return;
		if (c == '<' || c == '{')
			break;
	}
	if (l->at == l->text.n) {
		if (!whole)
			lexer_unended(l, l->at,
				      "an element before the end of the file does not end");
	} else if (l->text.p[l->at] == '{') {
		l->at++;
		lexer_push_bracket(l, JS_IN_ELEMENT);
		js_after(l, false);
	} else if (lexer_char_at(l, l->at + 1) == '/') {
		l->at = size_min(lexer_find_byte(l, '>', l->at) + 1, l->text.n);
		l->open.n -= !whole;
		js_after(l, true);
	} else {
		l->at++;
		l->js.angles = 0;
		lexer_push_bracket(l, JS_TAG);
	}
}

/* ---- marks ---- */

/* "a.b", "a?.b" */
static bool js_dot(struct lexer *l, size_t n)
{
	l->js.operand |= n == 1;
	l->js.dot = true;
	lexer_take_bytes(l, LEX_MARK, n);
	l->now.mark = '.';
	return true;
}

static void js_bracket(struct lexer *l, char c)
{
	switch (c) {
	case '(':
		lexer_push_bracket(l, lexer_word_is_one_of(l->js.word, "if while for with")
					      ? JS_CONTROL
					      : JS_PAREN);
		js_after(l, false);
		break;
	case '[':
		lexer_push_bracket(l, JS_BRACKET);
		js_after(l, false);
		break;
	case '{':
		lexer_push_bracket(l, js_is_object(l) ? JS_OBJECT : JS_BLOCK);
		js_after(l, false);
		break;
	case ')': js_after(l, !js_is_paren(js_top(l)) || js_pop(l) != JS_CONTROL); break;
	case ']':
		if (js_top(l) == JS_BRACKET)
			l->open.n--;
		js_after(l, true);
		break;
	case '}':
		/* Parentheses that are not closed belong to a mistake: a brace ends them. */
		while (js_is_paren(js_top(l)) || js_top(l) == JS_BRACKET)
			js_pop(l);
		js_after(l, js_pop(l) == JS_OBJECT);
		break;
	default: js_after(l, false);
	}
	l->js.last = c;
}

/* False: what stood here is no lexeme. */
static bool js_punctuation(struct lexer *l, char c)
{
	char next = lexer_char_at(l, l->at + 1);

	if (c == '<' && next != '<' && js_is_element(l)) {
		js_other(l, l->at++);
		l->js.angles = 0;
		lexer_push_bracket(l, JS_TAG);
		return true;
	}
	/* "a! / b": behind an operand it leaves an operand, as "a++" does. */
	if (c == '!' && l->js.operand && next != '=') {
		l->at++;
		return false;
	}
	if (c == '?' && next == '.' && !ascii_is_digit(lexer_char_at(l, l->at + 2)))
		return js_dot(l, 2);
	if (c == '.' && next != '.')
		return js_dot(l, 1);
	/* "a << b" is a shift. */
	if ((c == '+' || c == '-' || c == '<') && next == c) {
		js_after(l, c != '<' && l->js.operand);
		return lexer_take_bytes(l, LEX_MARK, 2);
	}
	js_bracket(l, c);
	return lexer_take_bytes(l, LEX_MARK, c == '.' ? lexer_run_length(l, l->at, c) : 1);
}

static bool js_code(struct lexer *l)
{
	char c = l->text.p[l->at], next = lexer_char_at(l, l->at + 1);
	size_t from = l->at;

	if (ascii_is_any_space(c) || !c) {
		l->at++;
		if (c == '\n' && js_top(l) == JS_ESM && js_is_blank_line(l, l->at))
			l->open.n--;
		return false;
	}
	if (c == '/' && next == '/') {
		lexer_line_comment(l, 2);
		return false;
	}
	if (c == '/' && next == '*') {
		lexer_block_comment(l, "/*", "*/", false);
		return false;
	}
	if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(next))) {
		while (l->at < l->text.n &&
		       (lexer_is_word_byte(l->text.p[l->at]) || l->text.p[l->at] == '.'))
			l->at++;
		js_other(l, from);
	} else if (js_is_word(c)) {
		js_word(l);
	} else if (c == '"' || c == '\'') {
		size_t at = l->at;

		if (lexer_pass_string(l, false)) {
			js_operand(l, LEX_STRING, (struct span){at + 1, l->at - 1});
		} else {
			lexer_unended_string(l, at);
			js_other(l, at);
		}
	} else if (c == '`') {
		js_template_begin(l);
	} else if (c == '/') {
		js_slash(l);
	} else {
		return js_punctuation(l, c);
	}
	return true;
}

bool lexer_next_javascript(struct lexer *l)
{
	while (l->at < l->text.n) {
		if (js_top(l) == JS_TEMPLATE) {
			/* In a template: its end, or an expression in it. */
			if (js_template_text(l)) {
				l->at++;
				l->open.n--;
				js_after(l, true);
			} else if (l->at < l->text.n) {
				l->at += 2;
				lexer_push_bracket(l, JS_IN_TEMPLATE);
				js_after(l, false);
			}
		} else if (js_top(l) == JS_TAG) {
			js_tag(l);
		} else if (js_top(l) == JS_CHILDREN) {
			js_children(l);
		} else if (js_code(l)) {
			return true;
		}
	}
	for (; l->open.n; js_pop(l))
		if (js_top(l) == JS_TEMPLATE || js_top(l) == JS_TAG)
			lexer_unended(l, l->text.n,
				      "a template or element is still open at the end of the file");
	return false;
}
