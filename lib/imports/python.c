/* Python: "import" and "from" are reserved words, so a word tells a statement. */
#include "imports/lexer.h"

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

struct py_imports {
	struct lexer *l;
	enum py_state state;
	struct lexer_name name; /* the module's name that is read */
	size_t module;          /* the entry of "from a" */
	bool from;              /* names of "from a import" are read */
	size_t call;            /* where a call begins */
	struct span literal;    /* its argument */
	bool begins;            /* a statement may begin here */
	struct str word;        /* the last lexeme when it is a word */
};

/* ---- modules ---- */

static enum imports_kind py_kind(struct str module)
{
	return str_starts(module, STR(".")) ? IMPORTS_RELATIVE : IMPORTS_STATIC;
}

static void py_emit(struct py_imports *y)
{
	if (y->name.at.to > y->name.at.from)
		y->module = imports_add(y->l, py_kind(lexer_name_text(y->l, &y->name)),
					lexer_name_text(y->l, &y->name), y->name.at);
	y->name.at = (struct span){0, 0};
}

static void py_emit_member(struct py_imports *y)
{
	struct str module;

	if (y->name.at.to == y->name.at.from || y->module == SIZE_MAX)
		return;
	module = imports_of(y->l)->p[y->module].module;
	imports_add_member(y->l, y->module, lexer_name_text(y->l, &y->name),
			   str_ends(module, STR(".")) ? "" : ".", y->name.at);
	y->name.at = (struct span){0, 0};
}

/* The statement or call ends here. */
static void py_end(struct py_imports *y)
{
	if (y->state == PY_IMPORT || y->state == PY_MODULE)
		py_emit(y);
	else if (y->state == PY_NAME)
		py_emit_member(y);
	y->state = PY_NONE;
}

static void py_program(struct py_imports *y)
{
	struct lexer *l = y->l;

	lexer_unknown(l, (struct span){y->call, size_min(l->at + 40, l->text.n)},
		      "a program decides which module this is");
	y->state = PY_NONE;
}

/* ---- lexemes ---- */

static void py_begin(struct py_imports *y, enum py_state state)
{
	y->state = state;
	y->name.at = (struct span){0, 0};
	y->from = false;
}

/* Whether a dot ends what was read of the name, or nothing was read. */
static bool py_name_goes_on(const struct py_imports *y)
{
	return y->name.at.to == y->name.at.from || y->l->text.p[y->name.at.to - 1] == '.';
}

static void py_word_state(struct py_imports *y, struct str word, size_t from)
{
	switch (y->state) {
	case PY_IMPORT:
	case PY_MODULE:
		if (py_name_goes_on(y) && !lexer_same(word, "import")) {
			lexer_name_add(y->l, &y->name);
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
		lexer_name_add(y->l, &y->name);
		return;
	case PY_NAMES:
		lexer_name_add(y->l, &y->name);
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
static void py_mark_state(struct py_imports *y, char c)
{
	struct lexer *l = y->l;

	switch (y->state) {
	case PY_NONE: return;
	case PY_IMPORT:
	case PY_MODULE:
		if (c == '.') {
			lexer_name_add(y->l, &y->name);
			return;
		}
		py_end(y);
		if (c == ',')
			y->state = PY_IMPORT;
		return;
	case PY_FROM:
		if (c == '.')
			lexer_name_add(y->l, &y->name);
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
				l->a, lexer_slice(l, y->literal.from, y->literal.to));

			imports_add(l,
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

static void py_string_state(struct py_imports *y)
{
	const struct lexeme *now = &y->l->now;

	if (y->state == PY_ARGUMENT && !now->program) {
		y->literal = now->at;
		y->state = PY_LITERAL;
	} else if (y->state == PY_ARGUMENT || y->state == PY_LITERAL) {
		py_program(y);
	} else {
		py_end(y);
	}
}

/* The end of a line, outside of brackets, ends a statement. */
static void py_line(struct py_imports *y)
{
	if (y->state == PY_CALLEE)
		y->state = PY_NONE;
	py_end(y);
}

void imports_read_python(struct lexer *l)
{
	struct py_imports y = {.l = l, .begins = true, .module = SIZE_MAX, .word = {"", 0}};
	const struct lexeme *now = &l->now;

	while (lexer_next(l)) {
		switch (now->kind) {
		case LEX_WORD: py_word_state(&y, now->word, now->at.from); break;
		case LEX_STRING: py_string_state(&y); break;
		case LEX_LINE: py_line(&y); break;
		default: py_mark_state(&y, now->mark);
		}
		if (now->mark == ';' && !l->open.n)
			py_end(&y);
		y.begins = now->kind == LEX_LINE || now->mark == ';' || now->mark == ':';
		y.word = now->word;
	}
	py_end(&y);
}
