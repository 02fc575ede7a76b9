/* Swift: "import", perhaps the kind of what is imported, and a name with dots. */
#include "imports/lexer.h"

static bool swift_next(struct lexer *l)
{
	while (lexer_next(l) && l->now.kind == LEX_LINE)
		;
	return l->now.kind != LEX_END;
}

static bool swift_is_kind(const struct lexer *l)
{
	static const char *const kinds[] = {"struct", "class",     "enum", "protocol", "func",
					    "var",    "typealias", "let",  NULL};

	for (size_t i = 0; kinds[i]; i++)
		if (lexer_is_named(l, kinds[i]))
			return true;
	return false;
}

/* Behind "import". */
static void swift_import(struct lexer *l)
{
	struct lexer_name n = {.at = {0, 0}};
	struct str module;
	bool dot = true;

	swift_next(l);
	if (swift_is_kind(l))
		swift_next(l);
	while (l->now.kind == LEX_WORD ? dot : !dot && lexer_is_mark(l, '.')) {
		dot = !dot;
		lexer_name_add(l, &n);
		lexer_next(l);
	}
	/* "f(import: 1)" and "import x: Int" are labels of that name. */
	if (lexer_is_mark(l, ':'))
		return;
	/* "import func A.+": an operator is no name, and its module is "A". */
	module = lexer_name_text(l, &n);
	if (str_ends(module, STR("."))) {
		module.n--;
		n.at.to--;
	}
	imports_add(l, IMPORTS_STATIC, module, n.at);
}

void imports_read_swift(struct lexer *l)
{
	bool member = false; /* behind a dot any word is a name */

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		if (!member && lexer_is_named(l, "import")) {
			swift_import(l);
		} else {
			member = lexer_is_mark(l, '.');
			lexer_next(l);
		}
	}
}
