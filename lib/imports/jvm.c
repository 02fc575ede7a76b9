/* Java and Kotlin: a name with dots behind "import". */
#include "imports/lexer.h"

/* Reads "a.b.C" from the token that is read, up to one that is no part of it. */
static void jvm_name(struct lexer *l, struct lexer_name *n)
{
	bool dot = true;

	*n = (struct lexer_name){.at = {0, 0}};
	do {
		if (l->now.kind == LEX_WORD ? !dot : !lexer_is_mark(l, '.') || dot)
			break;
		dot = lexer_is_mark(l, '.');
		lexer_name_add(l, n);
	} while (lexer_next(l));
}

/* "a.b.*" imports from a.b. */
static void jvm_emit(struct lexer *l, const struct lexer_name *n)
{
	struct str module = lexer_name_text(l, n);
	struct span at = n->at;

	if (str_ends(module, STR("."))) {
		module.n--;
		at.to--;
	}
	imports_add(l, IMPORTS_STATIC, module, at);
}

/* Behind "import" or "requires": words that may stand before the name. */
static void jvm_java_import(struct lexer *l, const char *const *words)
{
	struct lexer_name n;

	while (l->now.kind == LEX_WORD) {
		bool word = false;

		for (size_t i = 0; words[i]; i++)
			word |= lexer_is_named(l, words[i]);
		jvm_name(l, &n);
		/* A word is one before the name when another one follows. */
		if (!word || l->now.kind != LEX_WORD) {
			jvm_emit(l, &n);
			return;
		}
	}
}

void imports_read_java(struct lexer *l)
{
	static const char *const imported[] = {"static", "module", NULL};
	static const char *const required[] = {"transitive", "static", NULL};
	bool modules = str_ends(l->path, STR("module-info.java"));

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool requires = modules && lexer_is_named(l, "requires");

		if (!requires && !lexer_is_named(l, "import")) {
			lexer_next(l);
			continue;
		}
		lexer_next(l);
		jvm_java_import(l, requires ? required : imported);
	}
}

/* In Kotlin the word may also be a name: a statement begins with it, and a name follows it. */
void imports_read_kotlin(struct lexer *l)
{
	struct lexer_name n;
	bool begins = true;

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool import = begins && lexer_is_named(l, "import");

		begins = l->now.kind == LEX_LINE || lexer_is_mark(l, ';');
		lexer_next(l);
		if (!import || l->now.kind != LEX_WORD)
			continue;
		jvm_name(l, &n);
		jvm_emit(l, &n);
	}
}
