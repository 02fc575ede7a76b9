/*
 * Python. "import" and "from" are reserved words, so a token tells a statement. A format string has
 * expressions with strings of their own: what is open stands on one stack of bytes.
 */
#include "imports/lexer.h"

/* An open construct, one character each. */
enum py_open {
	PY_BRACKET = '(',
	PY_FORMAT = 'f',     /* the text of a format string */
	PY_EXPRESSION = '{', /* {expression} in it */
	PY_SPEC = ':',       /* the text behind {expression: */
};

enum py_state {
	PY_NONE,
	PY_IMPORT, /* import, or a comma in it: a module's name follows */
	PY_MODULE, /* import a.b */
	PY_AS,     /* import a as; from a import b as */
	PY_AFTER,  /* import a as b */
	PY_FROM,   /* from */
	PY_NAMES,  /* from a import: names follow */
	PY_NAME,   /* from a import b */
	PY_CALLEE, /* __import__ */
	PY_ARGUMENT,
	PY_LITERAL,
};

/* A format string. */
struct py_format {
	char quote;
	bool three, raw;
	size_t at;
};

struct py {
	struct lexer *r;
	struct {
		char *p;
		size_t n, cap;
	} open;
	struct {
		struct py_format *p;
		size_t n, cap;
	} formats;
	enum py_state state;
	struct span name;    /* the module's name that is read */
	bool parts;          /* the name has blanks or a new line in it */
	struct buf joined;   /* then the name without them */
	size_t module;       /* the entry of "from a" */
	bool from;           /* names of "from a import" are read */
	size_t call;         /* where a call begins */
	struct span literal; /* its argument */
	bool begins;         /* a statement may begin here */
	struct str word;     /* the last token when it is a word */
};

static void py_push(struct py *y, char what)
{
	*VEC_PUSH(y->r->a, &y->open) = what;
}

static char py_top(const struct py *y)
{
	return y->open.n ? y->open.p[y->open.n - 1] : 0;
}

/* ---- modules ---- */

static void py_name_add(struct py *y, size_t from, size_t to)
{
	struct lexer *r = y->r;

	if (y->name.to == y->name.from) {
		y->name = (struct span){from, to};
		y->parts = false;
		return;
	}
	if (from != y->name.to && !y->parts) {
		y->parts = true;
		y->joined = buf_in(r->a);
		buf_put(&y->joined, lexer_slice(r, y->name.from, y->name.to));
	}
	if (y->parts)
		buf_put(&y->joined, lexer_slice(r, from, to));
	y->name.to = to;
}

static struct str py_name(const struct py *y)
{
	return y->parts ? buf_str(&y->joined) : lexer_slice(y->r, y->name.from, y->name.to);
}

static enum imports_kind py_kind(struct str module)
{
	return str_starts(module, STR(".")) ? IMPORTS_RELATIVE : IMPORTS_STATIC;
}

static void py_emit(struct py *y)
{
	if (y->name.to > y->name.from)
		y->module = imports_add(y->r, py_kind(py_name(y)), py_name(y), y->name);
	y->name = (struct span){0, 0};
}

static void py_emit_member(struct py *y)
{
	struct str module;

	if (y->name.to == y->name.from || y->module == SIZE_MAX)
		return;
	module = imports_of(y->r)->out->p[y->module].module;
	imports_add_member(y->r, y->module, py_name(y), str_ends(module, STR(".")) ? "" : ".",
			   y->name);
	y->name = (struct span){0, 0};
}

/* The statement or call ends here. */
static void py_end(struct py *y)
{
	if (y->state == PY_IMPORT || y->state == PY_MODULE)
		py_emit(y);
	else if (y->state == PY_NAME)
		py_emit_member(y);
	y->state = PY_NONE;
}

static void py_program(struct py *y)
{
	struct lexer *r = y->r;

	lexer_unknown(r, (struct span){y->call, size_min(r->at + 40, r->text.n)},
		      "a program decides which module this is");
	y->state = PY_NONE;
}

/* ---- tokens ---- */

static void py_begin(struct py *y, enum py_state state)
{
	y->state = state;
	y->name = (struct span){0, 0};
	y->from = false;
}

/* Whether a dot ends what was read of the name, or nothing was read. */
static bool py_name_goes_on(const struct py *y)
{
	return y->name.to == y->name.from || y->r->text.p[y->name.to - 1] == '.';
}

static void py_word_state(struct py *y, struct str word, size_t from, size_t to)
{
	switch (y->state) {
	case PY_IMPORT:
	case PY_MODULE:
		if (py_name_goes_on(y) && !lexer_same(word, "import")) {
			py_name_add(y, from, to);
			y->state = PY_MODULE;
			return;
		}
		py_emit(y);
		y->state = lexer_same(word, "as") ? PY_AS : PY_NONE;
		if (y->state == PY_AS)
			return;
		break;
	case PY_FROM:
		if (lexer_same(word, "import")) {
			py_emit(y);
			y->state = PY_NAMES;
			return;
		}
		y->state = py_name_goes_on(y) ? PY_FROM : PY_NONE;
		py_name_add(y, from, to);
		return;
	case PY_NAMES:
		py_name_add(y, from, to);
		y->state = PY_NAME;
		return;
	case PY_NAME:
		py_emit_member(y);
		y->state = lexer_same(word, "as") ? PY_AS : PY_NONE;
		y->from = true;
		return;
	case PY_AS: y->state = PY_AFTER; return;
	case PY_ARGUMENT:
	case PY_LITERAL: py_program(y); break;
	default: y->state = PY_NONE;
	}
	if (lexer_same(word, "import")) {
		/* No bracket is open where a statement begins: one before it is a mistake. */
		if (!y->formats.n)
			y->open.n = 0;
		py_begin(y, PY_IMPORT);
	} else if (lexer_same(word, "from") && (y->begins || lexer_same(y->word, "lazy"))) {
		py_begin(y, PY_FROM);
		y->module = SIZE_MAX;
	} else if ((lexer_same(word, "__import__") || lexer_same(word, "import_module")) &&
		   !lexer_same(y->word, "def")) {
		py_begin(y, PY_CALLEE);
		y->call = from;
	}
}

/* An operator or bracket. */
static void py_mark_state(struct py *y, char c)
{
	struct lexer *r = y->r;

	switch (y->state) {
	case PY_NONE: return;
	case PY_IMPORT:
	case PY_MODULE:
		if (c == '.') {
			py_name_add(y, r->at, r->at + 1);
			return;
		}
		py_end(y);
		if (c == ',')
			y->state = PY_IMPORT;
		return;
	case PY_FROM:
		if (c == '.')
			py_name_add(y, r->at, r->at + 1);
		else
			y->state = PY_NONE;
		return;
	case PY_NAMES:
		if (c != '(' && c != ',' && c != ')')
			y->state = PY_NONE;
		return;
	case PY_NAME:
		py_emit_member(y);
		y->state = c == ',' ? PY_NAMES : PY_NONE;
		return;
	case PY_AFTER: y->state = c != ',' ? PY_NONE : y->from ? PY_NAMES : PY_IMPORT; return;
	case PY_CALLEE: y->state = c == '(' ? PY_ARGUMENT : PY_NONE; return;
	case PY_ARGUMENT:
		if (c == ')')
			y->state = PY_NONE;
		else
			py_program(y);
		return;
	case PY_LITERAL:
		if (c == ')' || c == ',') {
			struct str module = lexer_unescape(
				r->a, lexer_slice(r, y->literal.from, y->literal.to));

			imports_add(r,
				    py_kind(module) == IMPORTS_RELATIVE ? IMPORTS_RELATIVE
									: IMPORTS_DYNAMIC,
				    module, y->literal);
			y->state = PY_NONE;
		} else {
			py_program(y);
		}
		return;
	default: y->state = PY_NONE;
	}
}

/* ---- strings ---- */

static bool py_three(const struct lexer *r, size_t at)
{
	char c = lexer_char(r, at);

	return lexer_char(r, at + 1) == c && lexer_char(r, at + 2) == c;
}

/* The offset behind a string without expressions; its quote stands at `at`. */
static size_t py_string_end(struct lexer *r, size_t at, bool three)
{
	char quote = r->text.p[at];
	size_t i = at + 1, stop;

	if (!three) {
		i = lexer_string_end(r, at, false, &stop);
		if (i != SIZE_MAX)
			return i;
		lexer_unended(r, at, "the string that begins here does not end");
		return stop;
	}
	for (i = at + 3; i < r->text.n; i++) {
		if (r->text.p[i] == '\\')
			i++;
		else if (r->text.p[i] == quote && py_three(r, i))
			return i + 3;
	}
	lexer_unended(r, at, "the string that begins here does not end");
	return r->text.n;
}

/* A string with its prefix, which begins at `from`; its quote stands at r->at. */
static void py_string(struct py *y, size_t from)
{
	struct lexer *r = y->r;
	bool three = py_three(r, r->at), format = false, bytes = false, raw = false;
	size_t at = r->at;

	for (size_t i = from; i < at; i++) {
		char c = ascii_lower(r->text.p[i]);

		format |= c == 'f' || c == 't';
		bytes |= c == 'b';
		raw |= c == 'r';
	}
	if (format) {
		if (y->state == PY_ARGUMENT || y->state == PY_LITERAL)
			py_program(y);
		else
			py_end(y);
		py_push(y, PY_FORMAT);
		*VEC_PUSH(r->a, &y->formats) = (struct py_format){
			.quote = r->text.p[at], .three = three, .raw = raw, .at = from};
		r->at += three ? 3 : 1;
		return;
	}
	r->at = py_string_end(r, at, three);
	if (y->state == PY_ARGUMENT && !bytes) {
		size_t n = three ? 3 : 1;

		y->literal = (struct span){size_min(at + n, r->at), size_max(r->at - n, at + n)};
		y->literal.to = size_min(y->literal.to, r->at);
		y->state = PY_LITERAL;
	} else if (y->state == PY_ARGUMENT || y->state == PY_LITERAL) {
		py_program(y);
	} else {
		py_end(y);
	}
}

/* The format string ends here, whatever is open in it. */
static void py_format_end(struct py *y)
{
	while (py_top(y) != PY_FORMAT)
		y->open.n--;
	y->open.n--;
	y->formats.n--;
}

/* A backslash in a format string: "\N{DASH}" is a character, "\{" begins an expression. */
static void py_format_escape(struct py *y, const struct py_format *f)
{
	struct lexer *r = y->r;

	if (!f->raw && lexer_is(r, r->at, "\\N{"))
		r->at += 3;
	else
		r->at += lexer_char(r, r->at + 1) == '{' ? 1 : 2;
}

/* The text of a format string, or of a format behind ":": up to {, } or the end. */
static void py_format(struct py *y)
{
	struct lexer *r = y->r;
	const struct py_format *f = &y->formats.p[y->formats.n - 1];
	bool spec = py_top(y) == PY_SPEC;

	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c == '\\') {
			py_format_escape(y, f);
		} else if (c == '{' && !spec && lexer_char(r, r->at + 1) == '{') {
			r->at += 2;
		} else if (c == '{') {
			r->at++;
			py_push(y, PY_EXPRESSION);
			return;
		} else if (c == '}' && spec) {
			r->at++;
			y->open.n -= 2; /* the format and its expression */
			return;
		} else if (c == f->quote && (!f->three || py_three(r, r->at))) {
			r->at += f->three ? 3 : 1;
			py_format_end(y);
			return;
		} else if (c == '\n' && !f->three) {
			break;
		} else {
			r->at++;
		}
	}
	lexer_unended(r, f->at, "the string that begins here does not end");
	r->at = size_min(r->at, r->text.n);
	py_format_end(y);
}

/* ---- the loop ---- */

static bool py_is_prefix(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!memchr("rbuft", ascii_lower(word.p[i]), 5))
			return false;
	return word.n <= 2;
}

static void py_word(struct py *y)
{
	struct lexer *r = y->r;
	size_t from = r->at;
	struct str word;
	char c;

	while (r->at < r->text.n && lexer_is_word(r->text.p[r->at]))
		r->at++;
	word = lexer_slice(r, from, r->at);
	c = lexer_char(r, r->at);
	if ((c == '"' || c == '\'') && py_is_prefix(word)) {
		py_string(y, from);
		y->word = STR("");
	} else {
		py_word_state(y, word, from, r->at);
		y->word = word;
	}
	y->begins = false;
}

/* The end of a line, outside of brackets, ends a statement. */
static void py_line(struct py *y)
{
	if (y->open.n)
		return;
	if (y->state == PY_CALLEE)
		y->state = PY_NONE;
	py_end(y);
	y->begins = true;
	y->word = STR("");
}

static void py_mark(struct py *y, char c)
{
	struct lexer *r = y->r;

	/* "{a!r:>10}": behind the colon stands text. "a:=1" needs parentheses there. */
	if (c == ':' && py_top(y) == PY_EXPRESSION) {
		py_end(y);
		py_push(y, PY_SPEC);
		r->at++;
		return;
	}
	py_mark_state(y, c);
	if (c == '(' || c == '[' || c == '{')
		py_push(y, PY_BRACKET);
	else if ((c == ')' || c == ']' || c == '}') && y->open.n)
		y->open.n--;
	y->begins = c == ';' || c == ':';
	if (c == ';' && !y->open.n)
		py_end(y);
	y->word = STR("");
	r->at++;
}

static void py_code(struct py *y)
{
	struct lexer *r = y->r;
	char c = r->text.p[r->at];

	if (c == '\n') {
		py_line(y);
		r->at++;
	} else if (ascii_is_blank(c) || !c) {
		r->at++;
	} else if (c == '#') {
		r->at = lexer_find(r, '\n', r->at);
	} else if (c == '\\') {
		/* A line that goes on. */
		r->at += lexer_char(r, r->at + 1) == '\r' ? 3 : 2;
		r->at = size_min(r->at, r->text.n);
	} else if (c == '"' || c == '\'') {
		py_string(y, r->at);
		y->begins = false;
		y->word = STR("");
	} else if (ascii_is_digit(c)) {
		py_mark_state(y, '0');
		y->begins = false;
		/* "1if" and "0or" are a number and a word; what is read as one is no import. */
		while (r->at < r->text.n && lexer_is_word(r->text.p[r->at]))
			r->at++;
	} else if (lexer_is_word(c)) {
		py_word(y);
	} else {
		py_mark(y, c);
	}
}

void imports_read_python(struct lexer *r)
{
	struct py y = {.r = r, .begins = true, .module = SIZE_MAX, .word = {"", 0}};

	while (r->at < r->text.n) {
		if (py_top(&y) == PY_FORMAT || py_top(&y) == PY_SPEC)
			py_format(&y);
		else
			py_code(&y);
	}
	if (y.open.n)
		lexer_unended(r, r->text.n,
			      "a bracket or string is still open at the end of the file");
	py_end(&y);
}
