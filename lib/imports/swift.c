/* Swift: "import", perhaps the kind of what is imported, and a name with dots. */
#include "imports/token.h"

static bool swift_next(struct tokens *t)
{
	while (token_next(t) && t->now.kind == TOKEN_NEWLINE)
		;
	return t->now.kind != TOKEN_END;
}

static bool swift_is_kind(const struct tokens *t)
{
	static const char *const kinds[] = {"struct", "class",     "enum", "protocol", "func",
					    "var",    "typealias", "let",  NULL};

	for (size_t i = 0; kinds[i]; i++)
		if (token_is(t, kinds[i]))
			return true;
	return false;
}

/* Behind "import". */
static void swift_import(struct tokens *t)
{
	struct token_name n = {.at = {0, 0}};
	struct str module;
	bool dot = true;

	swift_next(t);
	if (swift_is_kind(t))
		swift_next(t);
	while (t->now.kind == TOKEN_WORD ? dot : !dot && token_mark(t, '.')) {
		dot = !dot;
		token_name_add(t, &n);
		token_next(t);
	}
	/* "f(import: 1)" and "import x: Int" are labels of that name. */
	if (token_mark(t, ':'))
		return;
	/* "import func A.+": an operator is no name, and its module is "A". */
	module = token_name_text(t, &n);
	if (str_ends(module, STR("."))) {
		module.n--;
		n.at.to--;
	}
	imports_add(t->r, IMPORTS_STATIC, module, n.at);
}

void imports_read_swift(struct imports_reader *r)
{
	struct tokens t = {.r = r,
			   .flags = T_NESTED | T_TRIPLE | T_ESCAPES | T_NAME | T_SWIFT | T_NEWLINE};
	bool member = false; /* behind a dot any word is a name */

	if (str_starts(r->text, STR("#!")))
		r->at = imports_find(r, '\n', 0);
	token_next(&t);
	while (t.now.kind != TOKEN_END) {
		if (!member && token_is(&t, "import")) {
			swift_import(&t);
		} else {
			member = token_mark(&t, '.');
			token_next(&t);
		}
	}
}
