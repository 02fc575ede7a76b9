/* PHP: "use" outside of classes, and the files of "require" and "include". */
#include "imports/internal.h"

/* ---- use ---- */

/* "use function A\b": a word that stands before another one. */
static void php_use_kind(struct lexer *l)
{
	if (php_token_is(l, "function") || php_token_is(l, "const"))
		lexer_next(l);
}

/* "as B" */
static void php_alias(struct lexer *l)
{
	if (!php_token_is(l, "as"))
		return;
	lexer_next(l);
	if (l->now.kind == LEX_WORD)
		lexer_next(l);
}

/* A name without the backslashes at its ends. */
static struct str php_name(const struct lexer *l, struct span *at)
{
	struct str name = l->now.word;

	*at = l->now.at;
	while (str_starts(name, STR("\\"))) {
		name = str_sub(name, 1, name.n);
		at->from++;
	}
	while (str_ends(name, STR("\\"))) {
		name.n--;
		at->to--;
	}
	return name;
}

/* Behind "A\{". */
static void php_group(struct lexer *l, size_t module)
{
	struct span at;
	struct str name;

	while (lexer_next(l) && !lexer_is_mark(l, '}')) {
		php_use_kind(l);
		if (l->now.kind == LEX_WORD) {
			name = php_name(l, &at);
			imports_add_imported_name(l, module, name, "\\", at);
			lexer_next(l);
		}
		php_alias(l);
		if (!lexer_is_mark(l, ','))
			break;
	}
	if (lexer_is_mark(l, '}'))
		lexer_next(l);
}

/* Behind "use": A, B as C; or A\{B, C as D}; */
static void php_use(struct lexer *l)
{
	struct span at;
	struct str name;
	size_t module;
	bool group;

	for (php_use_kind(l); l->now.kind == LEX_WORD; php_use_kind(l)) {
		name = php_name(l, &at);
		group = str_ends(l->now.word, STR("\\"));
		module = imports_add(l, IMPORTS_STATIC, name, at);
		lexer_next(l);
		if (group && lexer_is_mark(l, '{'))
			php_group(l, module);
		php_alias(l);
		if (!lexer_is_mark(l, ','))
			return;
		lexer_next(l);
	}
}

/* ---- require, include ---- */

#define PHP_CALLS_MAX 60

/* An expression of literals, __DIR__ and dirname(), joined by dots. */
struct php_path {
	struct buf text;
	bool file;      /* it begins with __FILE__ or __DIR__ */
	size_t up;      /* ... so many folders above the file */
	struct span at; /* from its first literal or word to its last */
	uint64_t calls; /* open parentheses: a bit of 1 is that of dirname() */
	unsigned depth;
};

static void php_path_span(const struct lexer *l, struct php_path *e)
{
	if (!e->at.to)
		e->at.from = l->now.at.from;
	e->at.to = l->now.at.to;
}

static bool php_path_open(struct lexer *l, struct php_path *e, bool dirname)
{
	if (!lexer_is_mark(l, '(') || e->depth == PHP_CALLS_MAX)
		return false;
	e->calls = e->calls << 1 | dirname;
	e->depth++;
	lexer_next(l);
	return true;
}

/* A literal or word; false: a program decides. opened: a "(" that another operand follows. */
static bool php_operand(struct lexer *l, struct php_path *e, bool *opened)
{
	*opened = false;
	if (lexer_is_mark(l, '(')) {
		*opened = true;
		return php_path_open(l, e, false);
	}
	if (l->now.kind == LEX_WORD) {
		struct span at;
		struct str name = php_name(l, &at);
		bool dir = php_token_is(l, "__DIR__"), up = str_ieq(name, STR("dirname"));

		php_path_span(l, e);
		if (dir || php_token_is(l, "__FILE__")) {
			if (e->file || e->text.n)
				return false;
			e->file = true;
			e->up = dir;
		} else if (str_is(name, "DIRECTORY_SEPARATOR")) {
			buf_putc(&e->text, '/');
		} else if (up || str_ieq(name, STR("realpath"))) {
			lexer_next(l);
			*opened = true;
			return php_path_open(l, e, up);
		} else {
			return false;
		}
		lexer_next(l);
		return true;
	}
	if (l->now.kind != LEX_STRING || l->now.program)
		return false;
	php_path_span(l, e);
	buf_put(&e->text, php_string_content(l));
	lexer_next(l);
	return true;
}

/* ")" or ", 2)" of dirname(). */
static bool php_path_close(struct lexer *l, struct php_path *e)
{
	uint32_t levels = 1;

	if (lexer_is_mark(l, ',')) {
		if (!(e->calls & 1) || !lexer_next(l) || l->now.kind != LEX_WORD ||
		    l->now.word.n != 1 || !ascii_is_digit(l->now.word.p[0]))
			return false;
		levels = (uint32_t)(l->now.word.p[0] - '0');
		php_path_span(l, e);
		lexer_next(l);
	}
	if (!lexer_is_mark(l, ')'))
		return false;
	if (e->calls & 1) {
		if (!e->file || e->text.n)
			return false;
		e->up += levels;
	}
	e->calls >>= 1;
	e->depth--;
	lexer_next(l);
	return true;
}

static bool php_ends(const struct lexer *l)
{
	return l->now.kind == LEX_END || (l->now.kind == LEX_MARK && strchr(";),]}:", l->now.mark));
}

static bool php_path_read(struct lexer *l, struct php_path *e)
{
	bool opened;

	for (;;) {
		do
			if (!php_operand(l, e, &opened))
				return false;
		while (opened);
		while (e->depth && (lexer_is_mark(l, ')') || lexer_is_mark(l, ',')))
			if (!php_path_close(l, e))
				return false;
		if (!lexer_is_mark(l, '.'))
			return !e->depth && php_ends(l);
		lexer_next(l);
	}
}

/* Behind "require", which begins at `from`. */
static void php_require(struct lexer *l, size_t from)
{
	struct php_path e = {.text = buf_in(l->a)};
	struct buf module = buf_in(l->a);
	struct str rest;

	/* The name of a constant or an argument, or a method's in "use A { include as b; }". */
	if (php_ends(l) || lexer_is_mark(l, '=') || php_token_is(l, "as") ||
	    php_token_is(l, "insteadof"))
		return;
	if (php_path_read(l, &e) && (!e.file || (e.up && e.text.n))) {
		if (e.file)
			buf_puts(&module, "__DIR__");
		for (size_t i = 1; i < e.up; i++)
			buf_puts(&module, "/..");
		buf_put(&module, buf_as_str(&e.text));
		imports_add(l, IMPORTS_INCLUDE, buf_as_str(&module), e.at);
		return;
	}
	rest = lexer_slice(l, l->now.at.from, size_min(l->now.at.to + 40, l->text.n));
	rest = str_sub(rest, 0, str_find_char(rest, ';', 0));
	lexer_note_unknown(l, (struct span){from, l->now.at.from + rest.n},
			   "a program decides which file this is");
}

void imports_read_php(struct lexer *l)
{
	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool name = l->now.kind == LEX_WORD && !l->php.member &&
			    !str_ieq(l->php.before, STR("function")) &&
			    !str_ieq(l->php.before, STR("const"));
		bool use = name && php_token_is(l, "use") && lexer_top_bracket(l) != PHP_CLASS;
		bool require =
			name && (php_token_is(l, "require") || php_token_is(l, "require_once") ||
				 php_token_is(l, "include") || php_token_is(l, "include_once"));
		size_t from = l->now.at.from;

		lexer_next(l);
		if (use)
			php_use(l);
		else if (require)
			php_require(l, from);
	}
}
