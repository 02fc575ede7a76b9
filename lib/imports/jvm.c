/* Java and Kotlin: a name with dots behind "import". */
#include "imports/lexer.h"
#include "lexer/lexeme.h"

/* Reads "a.b.C" from the token that is read, up to one that is no part of it. */
static void jvm_name(struct lexemes *t, struct lexeme_name *n)
{
	bool dot = true;

	*n = (struct lexeme_name){.at = {0, 0}};
	do {
		if (t->now.kind == LEX_WORD ? !dot : !lexeme_mark(t, '.') || dot)
			break;
		dot = lexeme_mark(t, '.');
		lexeme_name_add(t, n);
	} while (lexeme_next(t));
}

/* "a.b.*" imports from a.b. */
static void jvm_emit(struct lexemes *t, const struct lexeme_name *n)
{
	struct str module = lexeme_name_text(t, n);
	struct span at = n->at;

	if (str_ends(module, STR("."))) {
		module.n--;
		at.to--;
	}
	imports_add(t->r, IMPORTS_STATIC, module, at);
}

/* Behind "import" or "requires": words that may stand before the name. */
static void jvm_java_import(struct lexemes *t, const char *const *words)
{
	struct lexeme_name n;

	while (t->now.kind == LEX_WORD) {
		bool word = false;

		for (size_t i = 0; words[i]; i++)
			word |= lexeme_is(t, words[i]);
		jvm_name(t, &n);
		/* A word is one before the name when another one follows. */
		if (!word || t->now.kind != LEX_WORD) {
			jvm_emit(t, &n);
			return;
		}
	}
}

void imports_read_java(struct lexer *r)
{
	static const char *const imported[] = {"static", "module", NULL};
	static const char *const required[] = {"transitive", "static", NULL};
	struct lexemes t = lexemes_of(r);
	bool modules = str_ends(r->path, STR("module-info.java"));

	lexeme_next(&t);
	while (t.now.kind != LEX_END) {
		bool requires = modules && lexeme_is(&t, "requires");

		if (!requires && !lexeme_is(&t, "import")) {
			lexeme_next(&t);
			continue;
		}
		lexeme_next(&t);
		jvm_java_import(&t, requires ? required : imported);
	}
}

/* In Kotlin the word may also be a name: a statement begins with it, and a name follows it. */
void imports_read_kotlin(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);
	struct lexeme_name n;
	bool begins = true;

	lexeme_next(&t);
	while (t.now.kind != LEX_END) {
		bool import = begins && lexeme_is(&t, "import");

		begins = t.now.kind == LEX_LINE || lexeme_mark(&t, ';');
		lexeme_next(&t);
		if (!import || t.now.kind != LEX_WORD)
			continue;
		jvm_name(&t, &n);
		jvm_emit(&t, &n);
	}
}
