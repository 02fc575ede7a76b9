/* The tokens of PHP. Text outside of <?php ?> is passed over; strings and heredocs have code. */
#include "lexer/php.h"

static void php_push(struct php *p, char what)
{
	*VEC_PUSH(p->r->a, &p->open) = what;
}

/* ---- literals ---- */

/* "\u{41}", "\x41", "\101"; the offset behind it, or 0 when it is none. */
static size_t php_code_point(struct str s, size_t i, struct buf *b)
{
	uint32_t code = 0, digit;
	size_t from;

	if (s.p[i] == 'u' && i + 1 < s.n && s.p[i + 1] == '{') {
		for (from = i += 2; i < s.n && str_hex(str_sub(s, i, i + 1), &digit); i++)
			code = code < 0x1000000 ? code << 4 | digit : code;
		if (i == from || i >= s.n || s.p[i] != '}')
			return 0;
		buf_utf8(b, code);
		return i + 1;
	}
	if (s.p[i] == 'x') {
		for (from = ++i; i < s.n && i < from + 2 && str_hex(str_sub(s, i, i + 1), &digit);)
			code = code << 4 | digit, i++;
	} else {
		for (from = i; i < s.n && i < from + 3 && s.p[i] >= '0' && s.p[i] <= '7'; i++)
			code = code * 8 + (uint32_t)(s.p[i] - '0');
	}
	if (i == from)
		return 0;
	buf_putc(b, (char)code);
	return i;
}

struct str php_text(struct php *p)
{
	static const char from[] = "nrtvef\\$\"", to[] = "\n\r\t\v\033\f\\$\"";
	struct str s = lexer_slice(p->r, p->now.at.from, p->now.at.to);
	struct buf b;

	if (str_find_char(s, '\\', 0) == SIZE_MAX)
		return s;
	b = buf_in(p->r->a);
	for (size_t i = 0; i < s.n;) {
		char next = i + 1 < s.n ? s.p[i + 1] : 0;
		const char *known = !p->now.raw && next ? strchr(from, next) : NULL;
		size_t end;

		if (s.p[i] != '\\') {
			buf_putc(&b, s.p[i++]);
		} else if (p->now.raw && (next == '\\' || next == '\'')) {
			buf_putc(&b, next);
			i += 2;
		} else if (known) {
			buf_putc(&b, to[known - from]);
			i += 2;
		} else if (!p->now.raw && next && (end = php_code_point(s, i + 1, &b))) {
			i = end;
		} else {
			buf_putc(&b, s.p[i++]);
		}
	}
	return buf_str(&b);
}

static void php_unended(struct php *p, size_t at)
{
	lexer_unended(p->r, at, "the string that begins here does not end");
}

/* Whether the line at `at` is the end of a heredoc; *end is behind its label. */
static bool php_label(const struct lexer *r, struct str label, size_t at, size_t *end)
{
	while (lexer_char(r, at) == ' ' || lexer_char(r, at) == '\t')
		at++;
	*end = at + label.n;
	return str_eq(lexer_slice(r, at, at + label.n), label) &&
	       !lexer_is_word(lexer_char(r, *end));
}

static bool php_begins_name(char c)
{
	return lexer_is_word(c) && !ascii_is_digit(c);
}

/*
 * Reads the text of the string on top from r->at, to its end or to code in it. *end is the end of
 * the text. False: code follows.
 */
static bool php_string_text(struct php *p, bool *program, size_t *end)
{
	struct lexer *r = p->r;
	char what = php_top(p);
	const struct php_heredoc *h =
		what == PHP_HEREDOC ? &p->heredocs.p[p->heredocs.n - 1] : NULL;

	for (; r->at < r->text.n; r->at++) {
		char c = r->text.p[r->at], next = lexer_char(r, r->at + 1);

		if (c == what && !h) {
			*end = r->at++;
			p->open.n--;
			return true;
		}
		if (c == '\n' && h) {
			size_t behind;

			if (!php_label(r, h->label, r->at + 1, &behind))
				continue;
			*end = r->at;
			r->at = behind;
			p->open.n--;
			p->heredocs.n--;
			return true;
		}
		if (c == '\\' && next != '\n') {
			r->at++;
		} else if ((c == '{' && next == '$') || (c == '$' && next == '{')) {
			*program = true;
			*end = r->at;
			r->at += c == '{' ? 1 : 2;
			php_push(p, PHP_CODE);
			return false;
		} else if (c == '$' && php_begins_name(next)) {
			*program = true;
		}
	}
	r->at = *end = r->text.n;
	php_unended(p, h ? h->at : p->opened);
	p->open.n--;
	p->heredocs.n -= h != NULL;
	return true;
}

/* The string that was just opened; its text begins at r->at. */
static bool php_string(struct php *p)
{
	size_t from = p->r->at, end = from;
	bool program = false;

	php_string_text(p, &program, &end);
	p->now = (struct lexeme){.kind = LEX_STRING,
				 .word = {"", 0},
				 .program = program,
				 .at = {size_min(from, end), end}};
	return true;
}

static bool php_raw_string(struct php *p)
{
	struct lexer *r = p->r;
	size_t at = r->at, stop, end = lexer_string_end(r, at, true, &stop);

	if (end == SIZE_MAX)
		php_unended(p, at);
	r->at = end == SIZE_MAX ? stop : end;
	p->now = (struct lexeme){.kind = LEX_STRING,
				 .word = {"", 0},
				 .raw = true,
				 .at = {size_min(at + 1, r->at), end == SIZE_MAX ? stop : end - 1}};
	return true;
}

/* The text of <<<'X' has no code: from r->at, which is at a new line or the end. */
static bool php_nowdoc(struct php *p, struct str label, size_t at)
{
	struct lexer *r = p->r;
	size_t from = size_min(r->at + 1, r->text.n), line = from, behind;

	for (; line < r->text.n; line = lexer_find(r, '\n', line) + 1) {
		if (!php_label(r, label, line, &behind))
			continue;
		r->at = behind;
		p->now = (struct lexeme){.kind = LEX_STRING,
					 .word = {"", 0},
					 .program = true,
					 .at = {from, size_max(from, line)}};
		return true;
	}
	php_unended(p, at);
	r->at = r->text.n;
	return false;
}

/* At "<<<". False: no heredoc begins here, or it does not end. */
static bool php_heredoc(struct php *p)
{
	struct lexer *r = p->r;
	size_t at = r->at, from = at + 3, to;
	char quote;
	struct str label;

	while (lexer_char(r, from) == ' ' || lexer_char(r, from) == '\t')
		from++;
	quote = lexer_char(r, from);
	if (quote == '\'' || quote == '"')
		from++;
	else
		quote = 0;
	for (to = from; lexer_is_word(lexer_char(r, to));)
		to++;
	label = lexer_slice(r, from, to);
	if (quote && lexer_char(r, to++) != quote)
		label.n = 0;
	if (lexer_char(r, to) == '\r')
		to++;
	if (!label.n || ascii_is_digit(label.p[0]) || lexer_char(r, to) != '\n') {
		r->at += 3;
		return false;
	}
	r->at = to;
	if (quote == '\'')
		return php_nowdoc(p, label, at);
	*VEC_PUSH(r->a, &p->heredocs) = (struct php_heredoc){label, at};
	php_push(p, PHP_HEREDOC);
	return php_string(p);
}

/* ---- words and marks ---- */

/* Text outside of <?php ?>. "<?xml" opens no code. */
static void php_html(struct php *p)
{
	struct lexer *r = p->r;

	for (;; r->at += 2) {
		size_t at = str_find(r->text, STR("<?"), r->at);
		char after;

		if (at == SIZE_MAX) {
			r->at = r->text.n;
			return;
		}
		r->at = at;
		after = lexer_char(r, at + 5);
		if (lexer_char(r, at + 2) == '=') {
			r->at += 3;
			break;
		}
		if (str_ieq(lexer_slice(r, at + 2, at + 5), STR("php")) &&
		    (!after || ascii_is_blank(after))) {
			r->at += 5;
			break;
		}
		/* The short tag. */
		if (ascii_is_blank(lexer_char(r, at + 2))) {
			r->at += 2;
			break;
		}
	}
	r->at = size_min(r->at, r->text.n);
	p->html = false;
}

/* A comment of one line ends before "?>" too. */
static void php_line_comment(struct lexer *r, size_t open)
{
	size_t end = r->at;

	while (end < r->text.n && r->text.p[end] != '\n' && !lexer_is(r, end, "?>"))
		end++;
	lexer_comment_to(r, open, end);
}

/* Passes over blanks and comments. */
static void php_blanks(struct lexer *r)
{
	while (r->at < r->text.n) {
		char c = r->text.p[r->at], next = lexer_char(r, r->at + 1);

		if ((c == '#' && next != '[') || (c == '/' && next == '/'))
			php_line_comment(r, c == '#' ? 1 : 2);
		else if (c == '/' && next == '*')
			lexer_block_comment(r, "/*", "*/", false);
		else if (ascii_is_blank(c) || !c)
			r->at++;
		else
			return;
	}
}

static bool php_word(struct php *p, enum lexeme_kind kind)
{
	struct lexer *r = p->r;
	size_t from = r->at;

	r->at += kind == LEX_VARIABLE;
	while (r->at < r->text.n &&
	       (lexer_is_word(r->text.p[r->at]) || (r->text.p[r->at] == '\\' && kind == LEX_WORD)))
		r->at++;
	p->now = (struct lexeme){
		.kind = kind, .word = lexer_slice(r, from, r->at), .at = {from, r->at}};
	return true;
}

static bool php_punctuation(struct php *p, char c)
{
	struct lexer *r = p->r;
	size_t n = 1, from = r->at;

	if (lexer_is(r, from, "?>")) {
		p->html = true;
		c = ';';
		n = 2;
	} else if (lexer_is(r, from, "->") || lexer_is(r, from, "?->")) {
		n = c == '?' ? 3 : 2;
		c = PHP_ARROW;
	} else if (lexer_is(r, from, "::")) {
		n = 2;
		c = PHP_COLONS;
	} else if (lexer_is(r, from, "#[")) {
		n = 2;
		c = '[';
	}
	r->at += n;
	p->now = (struct lexeme){
		.kind = LEX_MARK, .mark = c, .word = {"", 0}, .at = {from, from + n}};
	return true;
}

/* The token at r->at, which is no blank. False: what stood there is no token. */
static bool php_read(struct php *p, char c)
{
	struct lexer *r = p->r;

	if (c == '$' && php_begins_name(lexer_char(r, r->at + 1)))
		return php_word(p, LEX_VARIABLE);
	if (lexer_is_word(c) || c == '\\')
		return php_word(p, LEX_WORD);
	if (c == '\'')
		return php_raw_string(p);
	if (c == '"' || c == '`') {
		p->opened = r->at++;
		php_push(p, c);
		return php_string(p);
	}
	if (c == '<' && lexer_is(r, r->at, "<<<"))
		return php_heredoc(p);
	return php_punctuation(p, c);
}

/* ---- what is open ---- */

static void php_bracket(struct php *p, char c)
{
	bool program;
	size_t end;

	if (c == '{') {
		php_push(p, p->class_waits ? PHP_CLASS : '{');
		p->class_waits = false;
	} else if (c == '(' || c == '[') {
		php_push(p, p->class_waits ? PHP_WAITS : c);
		p->class_waits = false;
	} else if ((c == ')' || c == ']') &&
		   (php_top(p) == (c == ')' ? '(' : '[') || php_top(p) == PHP_WAITS)) {
		p->class_waits = php_top(p) == PHP_WAITS;
		p->open.n--;
	} else if (c == '}') {
		while (php_top(p) == '(' || php_top(p) == '[' || php_top(p) == PHP_WAITS)
			p->open.n--;
		if (php_top(p) == PHP_CODE) {
			p->open.n--;
			php_string_text(p, &program, &end);
		} else {
			p->open.n -= p->open.n > 0;
		}
	} else if (c == ';') {
		p->class_waits = false;
	}
}

/* "class A", "new class", "enum A: string": not "A::class", nor an argument's name. */
static void php_class(struct php *p)
{
	bool word = p->now.kind == LEX_WORD;

	if (p->class_word &&
	    (word || (p->is_new && !p->only_named && (php_mark(p, '(') || php_mark(p, '{')))))
		p->class_waits = true;
	p->class_word = false;
	if (!word || p->member || str_ieq(p->before, STR("function")))
		return;
	p->only_named = php_is(p, "trait") || php_is(p, "interface") || php_is(p, "enum");
	p->class_word = p->only_named || php_is(p, "class");
	p->is_new = str_ieq(p->before, STR("new")) || str_ieq(p->before, STR("readonly")) ||
		    p->mark_before == ']';
}

bool php_next(struct php *p)
{
	struct lexer *r = p->r;

	p->before = p->now.kind == LEX_WORD ? p->now.word : STR("");
	p->mark_before = p->now.kind == LEX_MARK ? p->now.mark : 0;
	p->member = p->mark_before == PHP_ARROW || p->mark_before == PHP_COLONS;
	for (;;) {
		if (p->html)
			php_html(p);
		php_blanks(r);
		if (r->at >= r->text.n)
			break;
		if (!php_read(p, r->text.p[r->at]))
			continue;
		php_class(p);
		if (p->now.kind == LEX_MARK)
			php_bracket(p, p->now.mark);
		/* Behind "__halt_compiler(" stand data. */
		if (p->halts && php_mark(p, '(')) {
			r->at = r->text.n;
			p->open.n = 0;
		}
		p->halts = php_is(p, "__halt_compiler") && !p->member &&
			   !str_ieq(p->before, STR("function")) &&
			   !str_ieq(p->before, STR("const"));
		return true;
	}
	while (p->open.n && php_top(p) != PHP_CODE)
		p->open.n--;
	if (p->open.n)
		php_unended(p, p->opened);
	p->now = (struct lexeme){.kind = LEX_END, .word = {"", 0}, .at = {r->at, r->at}};
	return false;
}

void lexer_skim_php(struct lexer *r)
{
	struct php p = php_of(r);

	while (php_next(&p))
		;
}
