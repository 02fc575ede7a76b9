/* Swift: "import", perhaps the kind of what is imported, and a name with dots. */
#include "imports/lexer.h"
#include "lexer/lexeme.h"

static bool swift_next(struct lexemes *t)
{
	while (lexeme_next(t) && t->now.kind == LEX_LINE)
		;
	return t->now.kind != LEX_END;
}

static bool swift_is_kind(const struct lexemes *t)
{
	static const char *const kinds[] = {"struct", "class",     "enum", "protocol", "func",
					    "var",    "typealias", "let",  NULL};

	for (size_t i = 0; kinds[i]; i++)
		if (lexeme_is(t, kinds[i]))
			return true;
	return false;
}

/* Behind "import". */
static void swift_import(struct lexemes *t)
{
	struct lexeme_name n = {.at = {0, 0}};
	struct str module;
	bool dot = true;

	swift_next(t);
	if (swift_is_kind(t))
		swift_next(t);
	while (t->now.kind == LEX_WORD ? dot : !dot && lexeme_mark(t, '.')) {
		dot = !dot;
		lexeme_name_add(t, &n);
		lexeme_next(t);
	}
	/* "f(import: 1)" and "import x: Int" are labels of that name. */
	if (lexeme_mark(t, ':'))
		return;
	/* "import func A.+": an operator is no name, and its module is "A". */
	module = lexeme_name_text(t, &n);
	if (str_ends(module, STR("."))) {
		module.n--;
		n.at.to--;
	}
	imports_add(t->r, IMPORTS_STATIC, module, n.at);
}

void imports_read_swift(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);
	bool member = false; /* behind a dot any word is a name */

	lexeme_next(&t);
	while (t.now.kind != LEX_END) {
		if (!member && lexeme_is(&t, "import")) {
			swift_import(&t);
		} else {
			member = lexeme_mark(&t, '.');
			lexeme_next(&t);
		}
	}
}
