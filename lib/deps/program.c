#include "deps/program.h"

struct program_lexer {
	struct reader *r;
	struct str s;
	size_t i;
	enum program_language language;
	struct tokens *out;
	unsigned depth;
	bool spaced;
	size_t no_regex;  /* no regular expression ends before this offset */
	bool no_template; /* one did not end, or is too deep: no further one is looked for */
	struct {
		size_t *p;
		size_t n, cap;
	} open; /* indices of brackets that are open */
	struct {
		struct str *p;
		size_t n, cap;
	} heredocs; /* Ruby: the words that end the here-documents of this line */
};

static char program_char(const struct program_lexer *x, size_t k)
{
	return x->i + k < x->s.n ? x->s.p[x->i + k] : 0;
}

static bool program_starts(const struct program_lexer *x, const char *s)
{
	/* Mostly the first byte differs. */
	for (size_t i = x->i; *s; s++, i++)
		if (i >= x->s.n || x->s.p[i] != *s)
			return false;
	return true;
}

static struct token *program_add(struct program_lexer *x, enum token_type type, size_t from,
				 size_t to)
{
	struct token *t = VEC_PUSH(x->r->a, x->out);

	*t = (struct token){.type = (uint8_t)type,
			    .s = str_sub(x->s, from, to),
			    .at = {(uint32_t)from, (uint32_t)to},
			    .plain = true,
			    .spaced = x->spaced,
			    .depth = x->depth};
	x->spaced = false;
	return t;
}

static void program_skip_line(struct program_lexer *x)
{
	x->i = size_min(str_find_char(x->s, '\n', x->i), x->s.n);
}

/* Moves behind the end of a comment or a string; *ends is false when it has no end. */
static bool program_skip_to(struct program_lexer *x, const char *end)
{
	size_t at = str_find(x->s, str_of(end), x->i);

	x->i = at == SIZE_MAX ? x->s.n : at + strlen(end);
	return at != SIZE_MAX;
}

static void program_broken(struct program_lexer *x, size_t from)
{
	program_add(x, TOKEN_BROKEN, from, size_min(from + 1, x->s.n));
}

/* ---- comments ---- */

/* Comments of Kotlin and Swift nest. */
static bool program_block_comment(struct program_lexer *x)
{
	bool nests = x->language == PROGRAM_KOTLIN || x->language == PROGRAM_SWIFT;
	unsigned nested = 0;

	do {
		if (program_starts(x, "/*") && (!nested || nests)) {
			nested++;
			x->i += 2;
		} else if (program_starts(x, "*/")) {
			nested--;
			x->i += 2;
		} else {
			x->i++;
		}
	} while (nested && x->i < x->s.n);
	return !nested;
}

static bool program_line_begins(const struct program_lexer *x)
{
	return !x->i || x->s.p[x->i - 1] == '\n';
}

static bool program_comment(struct program_lexer *x)
{
	size_t from = x->i;
	bool hash = x->language == PROGRAM_RUBY || x->language == PROGRAM_PYTHON ||
		    x->language == PROGRAM_ELIXIR;
	bool ends = true;

	if ((hash || x->language == PROGRAM_HCL) && program_char(x, 0) == '#') {
		program_skip_line(x);
	} else if (x->language == PROGRAM_RUBY && program_line_begins(x) &&
		   program_starts(x, "=begin")) {
		ends = program_skip_to(x, "\n=end");
		program_skip_line(x);
	} else if (x->language == PROGRAM_RUBY && program_line_begins(x) &&
		   (program_starts(x, "__END__\n") || program_starts(x, "__END__\r"))) {
		x->i = x->s.n;
	} else if (!hash && program_starts(x, "//")) {
		program_skip_line(x);
	} else if (!hash && program_starts(x, "/*")) {
		ends = program_block_comment(x);
	} else if (!hash && !x->i && program_starts(x, "#!")) {
		program_skip_line(x);
	} else {
		return false;
	}
	x->spaced = true;
	if (!ends)
		program_broken(x, from);
	return true;
}

/* ---- strings ---- */

/* Whether the string is computed here: ${x}, $x, #{x} or \(x). */
static bool program_computes(const struct program_lexer *x, char c, char next)
{
	if (x->language == PROGRAM_RUBY)
		return c == '#' && (next == '{' || next == '@' || next == '$');
	if (x->language == PROGRAM_ELIXIR)
		return c == '#' && next == '{';
	if (x->language == PROGRAM_SWIFT)
		return c == '\\' && next == '(';
	if (x->language == PROGRAM_HCL)
		return (c == '$' || c == '%') && next == '{';
	return x->language != PROGRAM_PYTHON && c == '$' &&
	       (next == '{' || next == '_' || ascii_is_letter(next));
}

/* Whether the character begins a string inside of a template. */
static bool program_is_quote(const struct program_lexer *x, char c)
{
	return c == '"' || (c == '\'' && x->language != PROGRAM_SWIFT &&
			    x->language != PROGRAM_HCL && x->language != PROGRAM_KOTLIN);
}

/*
 * Behind the opening bracket of a template in a string, which may hold strings with templates.
 * Moves behind its end. False when it has none: then nothing moves.
 */
static bool program_template(struct program_lexer *x, char close)
{
	char open[64] = {close};
	size_t n = 1, from = x->i;

	while (n && n < sizeof(open) && x->i < x->s.n && !x->no_template) {
		char c = program_char(x, 0), next = program_char(x, 1), top = open[n - 1];
		bool quoted = top == '"' || top == '\'';

		x->i++;
		if (c == top) {
			n--;
		} else if (quoted && program_computes(x, c, next) && (next == '{' || next == '(')) {
			open[n++] = (char)(next == '{' ? '}' : ')');
			x->i++;
		} else if (c == '\\') {
			x->i++;
		} else if (!quoted && program_is_quote(x, c)) {
			open[n++] = c;
		} else if (!quoted && (c == '{' || c == '(' || c == '[')) {
			open[n++] = (char)(c == '{' ? '}' : c == '(' ? ')' : ']');
		}
	}
	if (!n)
		return true;
	x->no_template = true;
	x->i = from;
	return false;
}

/* Whether the byte of a string cannot end it, and begins nothing in it. */
static bool program_is_plain(char c, char end)
{
	return c != end && c != '\\' && c != '\n' && c != '$' && c != '#' && c != '%';
}

/* Behind the opening quote. A raw string keeps its backslashes; `one`: it must end on its line. */
static void program_string(struct program_lexer *x, const char *end, bool raw, bool computes,
			   bool one)
{
	size_t from = x->i, to;
	struct buf b = buf_in(x->r->a);
	bool escaped = false, computed = false, ends = false;
	struct token *t;

	while (x->i < x->s.n && !ends) {
		char c = program_char(x, 0);

		if (c == end[0] && program_starts(x, end)) {
			ends = true;
		} else if (one && c == '\n') {
			break;
		} else if (computes && (c == '$' || c == '#' || c == '%' || c == '\\') &&
			   program_computes(x, c, program_char(x, 1))) {
			char open = program_char(x, 1);

			computed = true;
			x->i += open == '{' || open == '(' ? 2 : 1;
			if (open == '{' || open == '(')
				program_template(x, (char)(open == '{' ? '}' : ')'));
		} else if (c == '\\' && !raw && x->i + 1 < x->s.n) {
			if (!escaped)
				buf_put(&b, str_sub(x->s, from, x->i));
			escaped = true;
			/* Only escapes of punctuation; a name has no others. */
			computed |= ascii_is_alnum(program_char(x, 1));
			buf_putc(&b, program_char(x, 1));
			x->i += 2;
		} else {
			size_t run = x->i++;

			while (x->i < x->s.n && program_is_plain(x->s.p[x->i], end[0]))
				x->i++;
			if (escaped)
				buf_put(&b, str_sub(x->s, run, x->i));
		}
	}
	to = x->i;
	if (!ends) {
		program_broken(x, from);
		return;
	}
	x->i += strlen(end);
	t = program_add(x, TOKEN_STRING, from, to);
	t->plain = !computed;
	if (escaped)
		t->s = buf_str(&b);
}

/* Ruby's %q(…), %w[…], %i(…): brackets nest; the content is one string. */
static bool program_percent(struct program_lexer *x)
{
	size_t k = 1, from;
	char open, close, kind = program_char(x, 1);
	unsigned nested = 1;
	struct token *t;

	if (kind && strchr("qQwWiI", kind))
		k = 2;
	else
		kind = 'Q';
	open = program_char(x, k);
	if (!open || !strchr("([{<|!/", open) || (k == 1 && !x->spaced && x->out->n))
		return false;
	close = open == '('   ? ')'
		: open == '[' ? ']'
		: open == '{' ? '}'
		: open == '<' ? '>'
			      : open;
	x->i += k + 1;
	from = x->i;
	while (x->i < x->s.n && nested) {
		char c = program_char(x, 0);

		if (c == close)
			nested--;
		else if (c == open)
			nested++;
		x->i++;
	}
	if (nested) {
		program_broken(x, from);
		return true;
	}
	t = program_add(x, TOKEN_STRING, from, x->i - 1);
	t->plain = (kind == 'q' || kind == 'Q') && str_find_char(t->s, '#', 0) == SIZE_MAX &&
		   str_find_char(t->s, '\\', 0) == SIZE_MAX;
	return true;
}

/* <<~WORD, <<-WORD, <<WORD: the text begins on the next line. */
static bool program_heredoc(struct program_lexer *x)
{
	size_t k = 2, from;
	char quote;

	if ((x->language != PROGRAM_RUBY && x->language != PROGRAM_HCL) || !program_starts(x, "<<"))
		return false;
	if (program_char(x, k) == '~' || program_char(x, k) == '-')
		k++;
	quote = program_char(x, k);
	if (quote == '"' || quote == '\'' || quote == '`')
		k++;
	else
		quote = 0;
	if (!ascii_is_letter(program_char(x, k)) && program_char(x, k) != '_')
		return false;
	if (k == 2 && !ascii_is_upper(program_char(x, k)) && x->language == PROGRAM_RUBY)
		return false; /* list <<item */
	from = x->i + k;
	while (ascii_is_alnum(program_char(x, k)) || program_char(x, k) == '_')
		k++;
	*VEC_PUSH(x->r->a, &x->heredocs) = str_sub(x->s, from, x->i + k);
	k += quote != 0;
	program_add(x, TOKEN_STRING, x->i, x->i + k)->plain = false;
	x->i += k;
	return true;
}

/* At the start of a line: skips the here-documents that the line before began. */
static void program_heredocs(struct program_lexer *x)
{
	for (size_t i = 0; i < x->heredocs.n; i++) {
		struct str line, rest = str_sub(x->s, x->i, x->s.n);
		bool found = false;

		while (!found && str_line(&rest, &line))
			found = str_eq(str_trim(line), x->heredocs.p[i]);
		x->i = x->s.n - rest.n;
		if (!found)
			program_broken(x, x->s.n);
	}
	x->heredocs.n = 0;
}

static bool program_quote(struct program_lexer *x)
{
	char c = program_char(x, 0);
	bool three = x->language != PROGRAM_RUBY && x->language != PROGRAM_HCL;

	if (three &&
	    (program_starts(x, "\"\"\"") || (program_starts(x, "'''") && program_is_quote(x, c)))) {
		bool raw = x->language == PROGRAM_KOTLIN;

		x->i += 3;
		program_string(x, c == '"' ? "\"\"\"" : "'''", raw, c == '"', false);
		return true;
	}
	if (c != '"' &&
	    !(c == '\'' && x->language != PROGRAM_SWIFT && x->language != PROGRAM_HCL) &&
	    !(c == '`' && x->language == PROGRAM_RUBY))
		return false;
	x->i++;
	if (c == '`') {
		program_string(x, "`", false, true, false);
		if (x->out->n)
			x->out->p[x->out->n - 1].plain = false;
		return true;
	}
	program_string(x, c == '"' ? "\"" : "'", false, c == '"' || x->language == PROGRAM_ELIXIR,
		       x->language != PROGRAM_RUBY && x->language != PROGRAM_ELIXIR);
	return true;
}

/* Python: r'', b'', f'' and their mixtures, which no reader takes as names. */
static bool program_prefixed(struct program_lexer *x)
{
	size_t k = 0;
	bool computed = false;

	if (x->language != PROGRAM_PYTHON)
		return false;
	for (; k < 2 && program_char(x, k) && strchr("rRbBuUfF", program_char(x, k)); k++) {
		computed |= strchr("fFbBrR", program_char(x, k)) != NULL;
	}
	if (!k || (program_char(x, k) != '"' && program_char(x, k) != '\''))
		return false;
	x->i += k;
	program_quote(x);
	if (x->out->n && computed)
		x->out->p[x->out->n - 1].plain = false;
	return true;
}

/* Elixir: ~w(a b), ~s"x", and the characters ?" and ?\s. Swift: #"x"#. Not read as names. */
static bool program_special(struct program_lexer *x)
{
	static const char opens[] = "([{</|\"'", closes[] = ")]}>/|\"'";
	char c = program_char(x, 0);
	char end[8] = "\"";
	size_t k = 0;

	if (c == '?' && x->language == PROGRAM_ELIXIR &&
	    (x->spaced || !x->out->n || x->out->p[x->out->n - 1].type != TOKEN_WORD)) {
		x->i = size_min(x->i + 2 + (program_char(x, 1) == '\\'), x->s.n);
		return true;
	}
	if (c == '~' && x->language == PROGRAM_ELIXIR) {
		const char *open;

		for (k = 1; ascii_is_letter(program_char(x, k)); k++)
			;
		open = program_char(x, k) ? strchr(opens, program_char(x, k)) : NULL;
		if (k == 1 || !open)
			return false;
		end[0] = closes[open - opens];
		if (str_starts(str_sub(x->s, x->i + k, x->s.n), STR("\"\"\""))) {
			end[1] = end[2] = '"';
			k += 2;
		}
		x->i += k + 1;
	} else if (c == '#' && x->language == PROGRAM_SWIFT) {
		while (program_char(x, k) == '#')
			k++;
		if (program_char(x, k) != '"' || k > 5)
			return false;
		memset(end + 1, '#', k);
		x->i += k + 1;
	} else {
		return false;
	}
	program_string(x, end, c == '#', false, false);
	if (c == '~')
		x->out->p[x->out->n - 1].plain = false;
	return true;
}

/*
 * Ruby's /…/: a slash begins one where no operand stands before it, or a blank does and none
 * follows it. The content is no string that a reader may take.
 */
static bool program_regex(struct program_lexer *x)
{
	const struct token *last = x->out->n ? &x->out->p[x->out->n - 1] : NULL;
	bool operand = last && (last->type == TOKEN_WORD || last->type == TOKEN_STRING ||
				token_is(last, ")") || token_is(last, "]") || token_is(last, "}"));
	size_t from = x->i;

	if (x->language != PROGRAM_RUBY || program_char(x, 0) != '/' || x->i < x->no_regex ||
	    (operand &&
	     (!x->spaced || ascii_is_blank(program_char(x, 1)) || program_char(x, 1) == '=')))
		return false;
	for (x->i++; x->i < x->s.n && program_char(x, 0) != '\n'; x->i++) {
		if (program_char(x, 0) == '\\')
			x->i++;
		else if (program_char(x, 0) == '/') {
			x->i++;
			program_add(x, TOKEN_STRING, from, x->i)->plain = false;
			return true;
		}
	}
	x->no_regex = x->i;
	x->i = from;
	return false;
}

/* ---- all ---- */

static bool program_is_word(const struct program_lexer *x, char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80 ||
	       (c == '$' && x->language != PROGRAM_RUBY) ||
	       (c == '-' && x->language == PROGRAM_HCL);
}

static void program_word(struct program_lexer *x)
{
	size_t from = x->i;

	while (x->i < x->s.n && program_is_word(x, x->s.p[x->i]))
		x->i++;
	program_add(x, TOKEN_WORD, from, x->i);
}

static void program_line(struct program_lexer *x)
{
	program_add(x, TOKEN_LINE, x->i, x->i);
	x->i++;
	x->spaced = true;
	program_heredocs(x);
}

static bool program_opens(char c)
{
	return c == '(' || c == '[' || c == '{';
}

static bool program_closes(char c)
{
	return c == ')' || c == ']' || c == '}';
}

static void program_mark(struct program_lexer *x)
{
	char c = program_char(x, 0);

	if (program_closes(c) && x->open.n) {
		x->out->p[x->open.p[--x->open.n]].close = (uint32_t)x->out->n + 1;
		x->depth--;
	}
	program_add(x, TOKEN_MARK, x->i, x->i + 1);
	if (program_opens(c)) {
		*VEC_PUSH(x->r->a, &x->open) = x->out->n - 1;
		x->depth++;
	}
	x->i++;
}

/* One token, a comment, or blanks. */
static void program_step(struct program_lexer *x)
{
	char c = program_char(x, 0);

	/* Most tokens are words. Python's may be prefixes of strings, and Ruby's __END__ a comment.
	 */
	if (ascii_is_letter(c) && x->language != PROGRAM_PYTHON) {
		program_word(x);
	} else if (program_opens(c) || program_closes(c) || c == ',' || c == '.') {
		program_mark(x); /* in no language do these begin anything else */
	} else if (c == '\n') {
		program_line(x);
	} else if (ascii_is_blank(c) || !c) {
		x->spaced = true;
		do
			x->i++;
		while (program_char(x, 0) == ' ');
	} else if (c == '\\' && (program_char(x, 1) == '\n' || program_starts(x, "\\\r\n"))) {
		x->i += program_char(x, 1) == '\n' ? 2 : 3;
		x->spaced = true;
	} else if (program_comment(x) || program_quote(x) || program_prefixed(x) ||
		   program_heredoc(x) || program_regex(x) || program_special(x) ||
		   (c == '%' && x->language == PROGRAM_RUBY && program_percent(x))) {
		return;
	} else if (program_is_word(x, c)) {
		program_word(x);
	} else {
		program_mark(x);
	}
}

void program_tokens(struct reader *r, enum program_language language, struct tokens *out)
{
	struct program_lexer x = {.r = r, .s = r->text, .language = language, .out = out};

	/* Growing copies, and what is not used costs nothing. Most tokens have three bytes or more.
	 */
	out->cap = size_min(r->text.n / 3, (size_t)1 << 20) + 16;
	out->p = arena_array(r->a, out->cap, sizeof(*out->p));
	while (x.i < x.s.n)
		program_step(&x);
	program_add(&x, TOKEN_END, x.s.n, x.s.n);
}

struct span token_at(const struct token *t)
{
	return (struct span){t->at.from, t->at.to};
}

size_t program_close(const struct tokens *v, size_t i)
{
	return v->p[i].close ? v->p[i].close : v->n - 1;
}

/* A line end inside of brackets, or behind a comma, does not end a statement. */
size_t program_statement_end(const struct tokens *v, size_t i)
{
	unsigned depth = v->p[i].depth;

	for (; i + 1 < v->n; i++) {
		const struct token *t = &v->p[i];

		if (t->depth < depth || t->type == TOKEN_BROKEN)
			return i;
		if (t->depth > depth)
			continue;
		if (token_is(t, ";"))
			return i;
		if (t->type == TOKEN_LINE && i && !token_is(&v->p[i - 1], ","))
			return i;
	}
	return i;
}

size_t program_near_end(const struct tokens *v, size_t i)
{
	struct tokens near = {.p = v->p, .n = size_min(v->n, i + 32)};

	return program_statement_end(&near, i);
}

struct str program_source(const struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	const struct token *first = &v->p[i], *last = end > i ? &v->p[end - 1] : first;
	size_t from = first->at.from, to = last->at.to;

	/* With the quotes of strings. */
	if (first->type == TOKEN_STRING && from)
		from--;
	if (last->type == TOKEN_STRING)
		to++;
	return str_utf8(r->a, str_trim(str_utf8_head(str_sub(r->text, from, to), 80)));
}
