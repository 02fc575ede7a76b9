/* Java and Kotlin: a name with dots behind "import". */
#include "imports/token.h"

/* Reads "a.b.C" from the token that is read, up to one that is no part of it. */
static void jvm_name(struct tokens *t, struct token_name *n)
{
	bool dot = true;

	*n = (struct token_name){.at = {0, 0}};
	do {
		if (t->now.kind == TOKEN_WORD ? !dot : !token_mark(t, '.') || dot)
			break;
		dot = token_mark(t, '.');
		token_name_add(t, n);
	} while (token_next(t));
}

/* "a.b.*" imports from a.b. */
static void jvm_emit(struct tokens *t, const struct token_name *n)
{
	struct str module = token_name_text(t, n);
	struct span at = n->at;

	if (str_ends(module, STR("."))) {
		module.n--;
		at.to--;
	}
	imports_add(t->r, IMPORTS_STATIC, module, at);
}

/* Behind "import" or "requires": words that may stand before the name. */
static void jvm_java_import(struct tokens *t, const char *const *words)
{
	struct token_name n;

	while (t->now.kind == TOKEN_WORD) {
		bool word = false;

		for (size_t i = 0; words[i]; i++)
			word |= token_is(t, words[i]);
		jvm_name(t, &n);
		/* A word is one before the name when another one follows. */
		if (!word || t->now.kind != TOKEN_WORD) {
			jvm_emit(t, &n);
			return;
		}
	}
}

void imports_read_java(struct imports_reader *r)
{
	static const char *const imported[] = {"static", "module", NULL};
	static const char *const required[] = {"transitive", "static", NULL};
	struct tokens t = {.r = r, .flags = T_CHAR | T_TRIPLE | T_ESCAPES};
	bool modules = str_ends(r->path, STR("module-info.java"));

	token_next(&t);
	while (t.now.kind != TOKEN_END) {
		bool requires = modules && token_is(&t, "requires");

		if (!requires && !token_is(&t, "import")) {
			token_next(&t);
			continue;
		}
		token_next(&t);
		jvm_java_import(&t, requires ? required : imported);
	}
}

/* In Kotlin the word may also be a name: a statement begins with it, and a name follows it. */
void imports_read_kotlin(struct imports_reader *r)
{
	struct tokens t = {.r = r,
			   .flags = T_NESTED | T_CHAR | T_TRIPLE | T_NAME | T_DOLLAR | T_NEWLINE};
	struct token_name n;
	bool begins = true;

	token_next(&t);
	while (t.now.kind != TOKEN_END) {
		bool import = begins && token_is(&t, "import");

		begins = t.now.kind == TOKEN_NEWLINE || token_mark(&t, ';');
		token_next(&t);
		if (!import || t.now.kind != TOKEN_WORD)
			continue;
		jvm_name(&t, &n);
		jvm_emit(&t, &n);
	}
}
