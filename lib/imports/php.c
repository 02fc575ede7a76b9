/* PHP: "use" outside of classes, and the files of "require" and "include". */
#include "lexer/php.h"
#include "imports/tree.h"

/* ---- use ---- */

/* "use function A\b": a word that stands before another one. */
static void php_use_kind(struct php *p)
{
	if (!php_is(p, "function") && !php_is(p, "const"))
		return;
	php_next(p);
}

/* "as B" */
static void php_alias(struct php *p)
{
	if (!php_is(p, "as"))
		return;
	php_next(p);
	if (p->now.kind == LEX_WORD)
		php_next(p);
}

/* A name without the backslashes at its ends. */
static struct str php_name(const struct php *p, struct span *at)
{
	struct str name = p->now.word;

	*at = p->now.at;
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
static void php_group(struct php *p, size_t module)
{
	struct span at;
	struct str name;

	while (php_next(p) && !php_mark(p, '}')) {
		php_use_kind(p);
		if (p->now.kind == LEX_WORD) {
			name = php_name(p, &at);
			imports_add_member(p->r, module, name, "\\", at);
			php_next(p);
		}
		php_alias(p);
		if (!php_mark(p, ','))
			break;
	}
	if (php_mark(p, '}'))
		php_next(p);
}

/* Behind "use": A, B as C; or A\{B, C as D}; */
static void php_use(struct php *p)
{
	struct span at;
	struct str name;
	size_t module;
	bool group;

	php_use_kind(p);
	while (p->now.kind == LEX_WORD) {
		name = php_name(p, &at);
		group = str_ends(p->now.word, STR("\\"));
		module = imports_add(p->r, IMPORTS_STATIC, name, at);
		php_next(p);
		if (group && php_mark(p, '{'))
			php_group(p, module);
		php_alias(p);
		if (!php_mark(p, ','))
			return;
		php_next(p);
		php_use_kind(p);
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

static void php_path_span(const struct php *p, struct php_path *e)
{
	if (!e->at.to)
		e->at.from = p->now.at.from;
	e->at.to = p->now.at.to;
}

static bool php_path_open(struct php *p, struct php_path *e, bool dirname)
{
	if (!php_mark(p, '(') || e->depth == PHP_CALLS_MAX)
		return false;
	e->calls = e->calls << 1 | dirname;
	e->depth++;
	php_next(p);
	return true;
}

/* A word of the expression. False: a program decides. */
static bool php_path_word(struct php *p, struct php_path *e, bool *opened)
{
	struct span at;
	struct str name = php_name(p, &at);
	bool dir = php_is(p, "__DIR__"), up = str_ieq(name, STR("dirname"));

	php_path_span(p, e);
	if (dir || php_is(p, "__FILE__")) {
		if (e->file || e->text.n)
			return false;
		e->file = true;
		e->up = dir;
	} else if (str_is(name, "DIRECTORY_SEPARATOR")) {
		buf_putc(&e->text, '/');
	} else if (up || str_ieq(name, STR("realpath"))) {
		php_next(p);
		*opened = true;
		return php_path_open(p, e, up);
	} else {
		return false;
	}
	php_next(p);
	return true;
}

/* A literal or word. opened: a parenthesis that another operand follows. */
static bool php_operand(struct php *p, struct php_path *e, bool *opened)
{
	*opened = false;
	if (php_mark(p, '(')) {
		*opened = true;
		return php_path_open(p, e, false);
	}
	if (p->now.kind == LEX_WORD)
		return php_path_word(p, e, opened);
	if (p->now.kind != LEX_STRING || p->now.program)
		return false;
	php_path_span(p, e);
	buf_put(&e->text, php_text(p));
	php_next(p);
	return true;
}

/* ")" or ", 2)" of dirname(). */
static bool php_path_close(struct php *p, struct php_path *e)
{
	uint32_t levels = 1;

	if (php_mark(p, ',')) {
		if (!(e->calls & 1) || !php_next(p) || p->now.kind != LEX_WORD ||
		    p->now.word.n != 1 || !ascii_is_digit(p->now.word.p[0]))
			return false;
		levels = (uint32_t)(p->now.word.p[0] - '0');
		php_path_span(p, e);
		php_next(p);
	}
	if (!php_mark(p, ')'))
		return false;
	if (e->calls & 1) {
		if (!e->file || e->text.n)
			return false;
		e->up += levels;
	}
	e->calls >>= 1;
	e->depth--;
	php_next(p);
	return true;
}

static bool php_ends(const struct php *p)
{
	return p->now.kind == LEX_END || (p->now.kind == LEX_MARK && strchr(";),]}:", p->now.mark));
}

static bool php_path_read(struct php *p, struct php_path *e)
{
	bool opened;

	for (;;) {
		do
			if (!php_operand(p, e, &opened))
				return false;
		while (opened);
		while (e->depth && (php_mark(p, ')') || php_mark(p, ',')))
			if (!php_path_close(p, e))
				return false;
		if (!php_mark(p, '.'))
			return !e->depth && php_ends(p);
		php_next(p);
	}
}

/* Behind "require", which begins at `from`. */
static void php_require(struct php *p, size_t from)
{
	struct lexer *r = p->r;
	struct php_path e = {.text = buf_in(r->a)};
	struct buf module = buf_in(r->a);
	struct str rest;

	/* The name of a constant or an argument, or a method's in "use A { include as b; }". */
	if (php_ends(p) || php_mark(p, '=') || php_is(p, "as") || php_is(p, "insteadof"))
		return;
	if (php_path_read(p, &e) && (!e.file || (e.up && e.text.n))) {
		if (e.file)
			buf_puts(&module, "__DIR__");
		for (size_t i = 1; i < e.up; i++)
			buf_puts(&module, "/..");
		buf_put(&module, buf_str(&e.text));
		imports_add(r, IMPORTS_INCLUDE, buf_str(&module), e.at);
		return;
	}
	rest = lexer_slice(r, p->now.at.from, size_min(p->now.at.to + 40, r->text.n));
	rest = str_sub(rest, 0, str_find_char(rest, ';', 0));
	lexer_unknown(r, (struct span){from, p->now.at.from + rest.n},
		      "a program decides which file this is");
}

static bool php_is_require(const struct php *p)
{
	return php_is(p, "require") || php_is(p, "require_once") || php_is(p, "include") ||
	       php_is(p, "include_once");
}

void imports_read_php(struct lexer *r)
{
	struct php p = php_of(r);

	php_next(&p);
	while (p.now.kind != LEX_END) {
		bool name = p.now.kind == LEX_WORD && !p.member &&
			    !str_ieq(p.before, STR("function")) && !str_ieq(p.before, STR("const"));
		bool use = name && php_is(&p, "use") && php_top(&p) != PHP_CLASS;
		bool require = name && php_is_require(&p);
		size_t from = p.now.at.from;

		php_next(&p);
		if (use)
			php_use(&p);
		else if (require)
			php_require(&p, from);
	}
}

/* ---- paths ---- */

/* A file of the repository: beside the file, or from the folder where the program was started. */
static void php_resolve_file(struct arena *a, struct str path, struct str module,
			     struct imports_names *out)
{
	struct str folder = imports_folder(path), to;

	if (str_starts(module, STR("__DIR__"))) {
		module = str_fmt(a, "%.*s%.*s", STR_ARG(folder),
				 STR_ARG(str_sub(module, 7, module.n)));
		if (imports_join(a, STR(""), module, &to))
			imports_name_add(out, to, true);
		return;
	}
	if (str_starts(module, STR("/")) || str_find(module, STR("://"), 0) != SIZE_MAX)
		return;
	if (imports_join(a, folder, module, &to))
		imports_name_add(out, to, true);
	if (imports_join(a, STR(""), module, &to))
		imports_name_add(out, to, true);
}

void imports_resolve_php(struct arena *a, struct imports_tree *t, struct str path,
			 const struct import *m, struct imports_names *out)
{
	const struct imports_settings *s;

	if (m->kind == IMPORTS_INCLUDE) {
		php_resolve_file(a, path, imports_slashes(a, m->module), out);
		return;
	}
	s = imports_settings(t, IMPORTS_OF_PHP, imports_folder(path));
	if (s)
		imports_add_aliases(a, &s->psr4, imports_slashes(a, m->module), out);
}
