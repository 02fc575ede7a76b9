/* The tokens of PHP. Text outside of <?php ?> is passed over; strings and heredocs have code. */
#include "lexer/lexer.h"

/* ---- literals ---- */

/* "\u{41}", "\x41", "\101"; the offset behind it, or 0 when it is none. */
static size_t php_code_point(struct str s, size_t i, struct buf *b)
{
	uint32_t code = 0, digit;
	size_t from;

	if (s.p[i] == 'u' && i + 1 < s.n && s.p[i + 1] == '{') {
		for (from = i += 2; i < s.n && str_parse_hex(str_sub(s, i, i + 1), &digit); i++)
			code = code < 0x1000000 ? code << 4 | digit : code;
		if (i == from || i >= s.n || s.p[i] != '}')
			return 0;
		buf_utf8(b, code);
		return i + 1;
	}
	if (s.p[i] == 'x') {
		for (from = ++i;
		     i < s.n && i < from + 2 && str_parse_hex(str_sub(s, i, i + 1), &digit);)
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

struct str php_string_content(struct lexer *l)
{
	static const char from[] = "nrtvef\\$\"", to[] = "\n\r\t\v\033\f\\$\"";
	struct str s = lexer_slice(l, l->now.at.from, l->now.at.to);
	struct buf b;

	if (str_find_char(s, '\\', 0) == SIZE_MAX)
		return s;
	b = buf_in(l->a);
	for (size_t i = 0; i < s.n;) {
		char next = i + 1 < s.n ? s.p[i + 1] : 0;
		const char *known = !l->now.raw && next ? strchr(from, next) : NULL;
		size_t end;

		if (s.p[i] != '\\') {
			buf_putc(&b, s.p[i++]);
		} else if (l->now.raw && (next == '\\' || next == '\'')) {
			buf_putc(&b, next);
			i += 2;
		} else if (known) {
			buf_putc(&b, to[known - from]);
			i += 2;
		} else if (!l->now.raw && next && (end = php_code_point(s, i + 1, &b))) {
			i = end;
		} else {
			buf_putc(&b, s.p[i++]);
		}
	}
	return buf_as_str(&b);
}

/* Whether the line at `at` is the end of a heredoc; *end is behind its label. */
static bool php_label(const struct lexer *l, struct str label, size_t at, size_t *end)
{
	at = lexer_behind_blanks(l, at);
	*end = at + label.n;
	return str_eq(lexer_slice(l, at, at + label.n), label) &&
	       !lexer_is_word_byte(lexer_char_at(l, *end));
}

/*
 * Reads the text of the string on top from l->at, to its end or to code in it. *end is the end of
 * the text. False: code follows.
 */
static bool php_string_text(struct lexer *l, bool *program, size_t *end)
{
	char what = lexer_top_bracket(l);
	const struct php_heredoc *h =
		what == PHP_HEREDOC ? &l->php.heredocs.p[l->php.heredocs.n - 1] : NULL;

	for (; l->at < l->text.n; l->at++) {
		char c = l->text.p[l->at], next = lexer_char_at(l, l->at + 1);

		if (c == what && !h) {
			*end = l->at++;
			l->open.n--;
			return true;
		}
		if (c == '\n' && h) {
			size_t behind;

			if (!php_label(l, h->label, l->at + 1, &behind))
				continue;
			*end = l->at;
			l->at = behind;
			l->open.n--;
			l->php.heredocs.n--;
			return true;
		}
		if (c == '\\' && next != '\n') {
			l->at++;
		} else if ((c == '{' && next == '$') || (c == '$' && next == '{')) {
			*program = true;
			*end = l->at;
			l->at += c == '{' ? 1 : 2;
			lexer_push_bracket(l, PHP_CODE);
			return false;
		} else if (c == '$' && lexer_begins_name(next)) {
			*program = true;
		}
	}
	l->at = *end = l->text.n;
	lexer_unended_string(l, h ? h->at : l->php.opened);
	l->open.n--;
	l->php.heredocs.n -= h != NULL;
	return true;
}

/* The string that was just opened; its text begins at l->at. */
static bool php_string(struct lexer *l)
{
	size_t from = l->at, end = from;
	bool program = false;

	php_string_text(l, &program, &end);
	lexer_set_lexeme(l, LEX_STRING, size_min(from, end), end);
	l->now.program = program;
	return true;
}

/* At "<<<". False: no heredoc begins here, or it does not end. */
static bool php_heredoc(struct lexer *l)
{
	size_t at = l->at, from = lexer_behind_blanks(l, at + 3), to;
	char quote;
	struct str label;

	quote = lexer_char_at(l, from);
	if (quote == '\'' || quote == '"')
		from++;
	else
		quote = 0;
	to = lexer_word_end(l, from);
	label = lexer_slice(l, from, to);
	if (quote && lexer_char_at(l, to++) != quote)
		label.n = 0;
	if (lexer_char_at(l, to) == '\r')
		to++;
	if (!label.n || ascii_is_digit(label.p[0]) || lexer_char_at(l, to) != '\n') {
		l->at += 3;
		return false;
	}
	l->at = to;
	if (quote == '\'') {
		size_t begin = size_min(l->at + 1, l->text.n), line = begin, behind;

		/* The text of <<<'X' has no code: from l->at, which is at a new line or the end. */
		for (; line < l->text.n; line = lexer_find_byte(l, '\n', line) + 1) {
			if (!php_label(l, label, line, &behind))
				continue;
			l->at = behind;
			lexer_set_lexeme(l, LEX_STRING, begin, size_max(begin, line));
			l->now.program = true;
			return true;
		}
		lexer_unended_string(l, at);
		l->at = l->text.n;
		return false;
	}
	*VEC_PUSH(l->a, &l->php.heredocs) = (struct php_heredoc){label, at};
	lexer_push_bracket(l, PHP_HEREDOC);
	return php_string(l);
}

/* ---- words and marks ---- */

/* Text outside of <?php ?>. "<?xml" opens no code. */
static void php_html(struct lexer *l)
{
	for (;; l->at += 2) {
		size_t at = str_find(l->text, STR("<?"), l->at);
		char after;

		if (at == SIZE_MAX) {
			l->at = l->text.n;
			return;
		}
		l->at = at;
		after = lexer_char_at(l, at + 5);
		if (lexer_char_at(l, at + 2) == '=') {
			l->at += 3;
			break;
		}
		if (str_ieq(lexer_slice(l, at + 2, at + 5), STR("php")) &&
		    (!after || ascii_is_any_space(after))) {
			l->at += 5;
			break;
		}
		/* The short tag. */
		if (ascii_is_any_space(lexer_char_at(l, at + 2))) {
			l->at += 2;
			break;
		}
	}
	l->at = size_min(l->at, l->text.n);
	l->php.code = true;
}

/* Passes over blanks and comments. */
static void php_blanks(struct lexer *l)
{
	while (l->at < l->text.n) {
		char c = l->text.p[l->at], next = lexer_char_at(l, l->at + 1);

		if ((c == '#' && next != '[') || (c == '/' && next == '/')) {
			size_t open = c == '#' ? 1 : 2;
			size_t end = l->at;

			/* A comment of one line ends before "?>" too. */
			while (end < l->text.n && l->text.p[end] != '\n' && !lexer_is(l, end, "?>"))
				end++;
			lexer_comment_to(l, open, end);
		} else if (c == '/' && next == '*') {
			lexer_block_comment(l, "/*", "*/", false);
		} else if (ascii_is_any_space(c) || !c) {
			l->at++;
		} else {
			return;
		}
	}
}

static bool php_word(struct lexer *l, enum lexeme_kind kind)
{
	size_t from = l->at;

	l->at += kind == LEX_VARIABLE;
	while (l->at < l->text.n && (lexer_is_word_byte(l->text.p[l->at]) ||
				     (l->text.p[l->at] == '\\' && kind == LEX_WORD)))
		l->at++;
	lexer_set_lexeme(l, kind, from, l->at);
	return true;
}

/* The token at l->at, which is no blank. False: what stood there is no token. */
static bool php_read(struct lexer *l, char c)
{
	size_t n = 1, from;

	if (c == '$' && lexer_begins_name(lexer_char_at(l, l->at + 1)))
		return php_word(l, LEX_VARIABLE);
	if (lexer_is_word_byte(c) || c == '\\')
		return php_word(l, LEX_WORD);
	if (c == '\'') {
		size_t at = l->at;
		bool ends = lexer_pass_string(l, true);

		if (!ends)
			lexer_unended_string(l, at);
		lexer_set_lexeme(l, LEX_STRING, size_min(at + 1, l->at), l->at - ends);
		l->now.raw = true;
		return true;
	}
	if (c == '"' || c == '`') {
		l->php.opened = l->at++;
		lexer_push_bracket(l, c);
		return php_string(l);
	}
	if (c == '<' && lexer_is(l, l->at, "<<<"))
		return php_heredoc(l);
	from = l->at;
	if (lexer_is(l, from, "?>")) {
		l->php.code = false;
		c = ';';
		n = 2;
	} else if (lexer_is(l, from, "->") || lexer_is(l, from, "?->")) {
		n = c == '?' ? 3 : 2;
		c = PHP_ARROW;
	} else if (lexer_is(l, from, "::")) {
		n = 2;
		c = PHP_COLONS;
	} else if (lexer_is(l, from, "#[")) {
		n = 2;
		c = '[';
	}
	lexer_take_bytes(l, LEX_MARK, n);
	l->now.mark = c;
	return true;
}

/* ---- what is open ---- */

static void php_bracket(struct lexer *l, char c)
{
	bool program;
	size_t end;

	if (c == '{') {
		lexer_push_bracket(l, l->php.class_waits ? PHP_CLASS : '{');
		l->php.class_waits = false;
	} else if (c == '(' || c == '[') {
		lexer_push_bracket(l, l->php.class_waits ? PHP_WAITS : c);
		l->php.class_waits = false;
	} else if ((c == ')' || c == ']') && (lexer_top_bracket(l) == (c == ')' ? '(' : '[') ||
					      lexer_top_bracket(l) == PHP_WAITS)) {
		l->php.class_waits = lexer_top_bracket(l) == PHP_WAITS;
		l->open.n--;
	} else if (c == '}') {
		while (lexer_top_bracket(l) == '(' || lexer_top_bracket(l) == '[' ||
		       lexer_top_bracket(l) == PHP_WAITS)
			l->open.n--;
		if (lexer_top_bracket(l) == PHP_CODE) {
			l->open.n--;
			php_string_text(l, &program, &end);
		} else {
			l->open.n -= l->open.n > 0;
		}
	} else if (c == ';') {
		l->php.class_waits = false;
	}
}

bool lexer_next_php(struct lexer *l)
{
	bool word;

	l->php.before = l->now.kind == LEX_WORD ? l->now.word : STR("");
	l->php.mark_before = l->now.kind == LEX_MARK ? l->now.mark : 0;
	l->php.member = l->php.mark_before == PHP_ARROW || l->php.mark_before == PHP_COLONS;
	for (;;) {
		if (!l->php.code)
			php_html(l);
		php_blanks(l);
		if (l->at >= l->text.n)
			break;
		if (!php_read(l, l->text.p[l->at]))
			continue;
		/* "class A", "new class", "enum A: string"; not "A::class", "class: 1". */
		word = l->now.kind == LEX_WORD;
		if (l->php.class_word &&
		    (word || (l->php.is_new && !l->php.only_named &&
			      (lexer_is_mark(l, '(') || lexer_is_mark(l, '{')))))
			l->php.class_waits = true;
		l->php.class_word = false;
		if (word && !l->php.member && !str_ieq(l->php.before, STR("function"))) {
			l->php.only_named = php_token_is(l, "trait") ||
					    php_token_is(l, "interface") || php_token_is(l, "enum");
			l->php.class_word = l->php.only_named || php_token_is(l, "class");
			l->php.is_new = str_ieq(l->php.before, STR("new")) ||
					str_ieq(l->php.before, STR("readonly")) ||
					l->php.mark_before == ']';
		}
		if (l->now.kind == LEX_MARK)
			php_bracket(l, l->now.mark);
		/* Behind "__halt_compiler(" stand data. */
		if (l->php.halts && lexer_is_mark(l, '(')) {
			l->at = l->text.n;
			l->open.n = 0;
		}
		l->php.halts = php_token_is(l, "__halt_compiler") && !l->php.member &&
			       !str_ieq(l->php.before, STR("function")) &&
			       !str_ieq(l->php.before, STR("const"));
		return true;
	}
	while (l->open.n && lexer_top_bracket(l) != PHP_CODE)
		l->open.n--;
	if (l->open.n)
		lexer_unended_string(l, l->php.opened);
	return false;
}
