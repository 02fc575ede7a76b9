/* Python: "import" and "from" are reserved words, so a word tells a statement. */
#include "imports/internal.h"

struct py_imports {
	struct lexer *l;
	bool begins;       /* a statement may begin with the lexeme */
	struct str before; /* the lexeme before when it is a word */
};

static bool py_next(struct py_imports *y)
{
	const struct lexeme *now = &y->l->now;

	y->begins = now->kind == LEX_LINE || now->mark == ';' || now->mark == ':';
	y->before = now->word;
	return lexer_next(y->l);
}

/* The entry's index; SIZE_MAX: there is no name. */
static size_t py_add(struct lexer *l, const struct lexer_name *n)
{
	struct str module = lexer_name_text(l, n);

	return imports_add(l, str_starts(module, STR(".")) ? IMPORTS_RELATIVE : IMPORTS_STATIC,
			   module, n->at);
}

/* Whether the lexeme is no part of the module's name; else adds it. */
static bool py_name_ends(struct lexer *l, struct lexer_name *n)
{
	bool dot = n->at.to == n->at.from || l->text.p[n->at.to - 1] == '.';

	if (!lexer_is_mark(l, '.') &&
	    (l->now.kind != LEX_WORD || !dot || lexer_is_named(l, "import")))
		return true;
	lexer_name_append(l, n);
	return false;
}

/* "as a": passes over it. False: no comma may follow. */
static bool py_alias(struct py_imports *y)
{
	if (!lexer_is_named(y->l, "as"))
		return true;
	py_next(y);
	return y->l->now.kind == LEX_WORD && py_next(y);
}

/* Behind "import": a.b, c as d */
static void py_import(struct py_imports *y)
{
	struct lexer *l = y->l;

	do {
		struct lexer_name n = {.at = {0, 0}};

		do
			py_next(y);
		while (!py_name_ends(l, &n));
		py_add(l, &n);
	} while (py_alias(y) && lexer_is_mark(l, ','));
}

/* Behind "from": a import b, c as d */
static void py_from(struct py_imports *y)
{
	struct lexer *l = y->l;
	struct lexer_name n = {.at = {0, 0}};
	size_t module;

	do
		py_next(y);
	while (!py_name_ends(l, &n));
	if (!lexer_is_named(l, "import")) {
		/* What follows a name is none, and begins no statement. */
		if (l->now.kind == LEX_WORD)
			py_next(y);
		return;
	}
	module = py_add(l, &n);
	do {
		struct span at;

		do
			py_next(y);
		while (lexer_is_mark(l, '(') || lexer_is_mark(l, ',') || lexer_is_mark(l, ')'));
		if (l->now.kind != LEX_WORD)
			return;
		at = l->now.at;
		imports_add_imported_name(
			l, module, l->now.word,
			module != SIZE_MAX &&
					str_ends(imports_of_lexer(l)->p[module].module, STR("."))
				? ""
				: ".",
			at);
		py_next(y);
		if (l->now.kind == LEX_WORD && !lexer_is_named(l, "as")) {
			py_next(y);
			return;
		}
	} while (py_alias(y) && lexer_is_mark(l, ','));
}

/*
 * Behind the comma after a name with dots: the package that they begin at, empty for that of the
 * file. False: a program decides.
 */
static bool py_anchor(struct py_imports *y, struct str *package)
{
	struct lexer *l = y->l;

	py_next(y);
	if (lexer_is_named(l, "package") && py_next(y) && lexer_is_mark(l, '='))
		py_next(y);
	if (lexer_is_mark(l, ')'))
		return true;
	if (l->now.kind == LEX_STRING && !l->now.program)
		*package = lexer_unescape(l->a, lexer_slice(l, l->now.at.from, l->now.at.to));
	else if (lexer_is_named(l, "__spec__") && py_next(y) && lexer_is_mark(l, '.'))
		py_next(y);
	else if (!lexer_is_named(l, "__package__") && !lexer_is_named(l, "__name__"))
		return false;
	py_next(y);
	return lexer_is_mark(l, ')') || lexer_is_mark(l, ',');
}

/* "..c" in the package "a.b" is "a.c". False: it leaves the package, and Python refuses it. */
static bool py_absolute(struct arena *a, struct str package, struct str *module)
{
	struct str name = *module;

	for (name = str_sub(name, 1, name.n); str_starts(name, STR(".")); name.p++, name.n--) {
		size_t dot = str_rfind_char(package, '.');

		if (dot == SIZE_MAX)
			return false;
		package = str_sub(package, 0, dot);
	}
	*module = name.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(package), STR_ARG(name)) : package;
	return true;
}

/* Behind "__import__" or "import_module", which begins at `from`. */
static void py_call(struct py_imports *y, size_t from)
{
	struct lexer *l = y->l;
	struct span literal = {0, 0};
	struct str module = {"", 0}, package = {"", 0};
	bool known, anchored = lexer_is_named(l, "import_module");

	py_next(y);
	if (!lexer_is_mark(l, '(') || !py_next(y) || lexer_is_mark(l, ')'))
		return;
	if (l->now.kind == LEX_STRING && !l->now.program) {
		literal = l->now.at;
		py_next(y);
	}
	known = literal.from && (lexer_is_mark(l, ')') || lexer_is_mark(l, ','));
	if (known)
		module = lexer_unescape(l->a, lexer_slice(l, literal.from, literal.to));
	if (anchored && str_starts(module, STR(".")) && lexer_is_mark(l, ','))
		known = py_anchor(y, &package) &&
			(!package.n || py_absolute(l->a, package, &module));
	if (known)
		imports_add(l, str_starts(module, STR(".")) ? IMPORTS_RELATIVE : IMPORTS_DYNAMIC,
			    module, literal);
	else if (l->now.kind != LEX_LINE && l->now.kind != LEX_END)
		lexer_note_unknown(l, (struct span){from, size_min(l->at + 40, l->text.n)},
				   "a program decides which module this is");
}

void imports_read_python(struct lexer *l)
{
	struct py_imports y = {.l = l, .begins = true, .before = {"", 0}};

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		if (lexer_is_named(l, "import"))
			py_import(&y);
		else if (lexer_is_named(l, "from") && (y.begins || lexer_same(y.before, "lazy")))
			py_from(&y);
		else if ((lexer_is_named(l, "__import__") || lexer_is_named(l, "import_module")) &&
			 !lexer_same(y.before, "def"))
			py_call(&y, l->now.at.from);
		else
			py_next(&y);
	}
}
