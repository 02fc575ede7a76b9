/* Languages in which a statement imports: Go, C and its kin, Java, Kotlin and Swift. */
#include "imports/internal.h"

/* ---- Go: "import" is a reserved word, and only strings name packages ---- */

void imports_read_go(struct lexer *l)
{
	bool import = false, list = false;

	/* import "a"; import b "c"; import ( "d"; . "e"; _ "f" ) */
	while (lexer_next(l)) {
		if (lexer_is_named(l, "import")) {
			import = true;
			list = false;
		} else if (!import) {
			continue;
		} else if (l->now.kind == LEX_STRING) {
			imports_add(l, IMPORTS_STATIC,
				    l->text.p[l->now.at.from - 1] == '`'
					    ? lexer_slice(l, l->now.at.from, l->now.at.to)
					    : lexer_unescape(l->a, lexer_slice(l, l->now.at.from,
									       l->now.at.to)),
				    l->now.at);
			import = list;
		} else if (lexer_is_mark(l, '(') && !list) {
			list = true;
		} else if (l->now.kind != LEX_WORD && !lexer_is_mark(l, '.') &&
			   !lexer_is_mark(l, ';')) {
			import = false;
		}
	}
}

/* ---- C, C++ and Objective-C: what the preprocessor includes, and the imports of modules ---- */

/* Whether a "#" may begin a directive that imports: blanks, comments and joins may follow it. */
static bool c_may_import(struct str text, size_t at)
{
	while (at < text.n && text.p[at] != '\n' && (ascii_is_any_space(text.p[at]) || !text.p[at]))
		at++;
	return at + 1 < text.n && (text.p[at] == '/' || text.p[at] == '\\' ||
				   (text.p[at] == 'i' && memchr("nm\\", text.p[at + 1], 3)));
}

/*
 * Behind the last place that may import there is none: behind the last "#include", and the last
 * "%:", "import" and joined word behind it.
 */
static size_t c_imports_end(struct str text)
{
	static const char *const others[] = {"%:", "import", "\\\n", "\\\r\n"};
	size_t end = 0;

	for (size_t n = text.n; !end && (n = str_rfind_char(str_sub(text, 0, n), '#')) != SIZE_MAX;)
		if (c_may_import(text, n + 1))
			end = n + 1;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		for (size_t at = end; (at = str_find(text, str_of(others[i]), at)) != SIZE_MAX;
		     at++)
			if (i < 2 || (at && lexer_is_word_byte(text.p[at - 1])))
				end = at + 1;
	return end;
}

void imports_read_c(struct lexer *l)
{
	l->c.stop = c_imports_end(l->text);
	while (l->c.stop && lexer_next(l)) {
		if (l->c.import == C_MACRO)
			lexer_note_unknown(l, l->now.at, "a macro decides which header this is");
		else
			imports_add(l, l->c.import == C_QUOTED ? IMPORTS_INCLUDE : IMPORTS_STATIC,
				    l->now.word, l->now.at);
	}
}

/* ---- names with dots ---- */

/* Reads "a.b.C" from the token that is read, up to one that is no part of it. */
static struct str dotted_name(struct lexer *l, struct span *at)
{
	struct lexer_name n = {.at = {0, 0}};
	struct str name;

	for (bool dot = true; l->now.kind == LEX_WORD ? dot : !dot && lexer_is_mark(l, '.');
	     dot = !dot) {
		lexer_name_append(l, &n);
		lexer_next(l);
	}
	name = imports_dotted_text(l, &n);
	*at = n.at;
	return name;
}

/* ---- Java and Kotlin: a name with dots behind "import" ---- */

void imports_read_java(struct lexer *l)
{
	bool modules = str_ends(l->path, STR("module-info.java"));
	struct str module;
	struct span at;

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool requires = modules && lexer_is_named(l, "requires");

		if (!requires && !lexer_is_named(l, "import")) {
			lexer_next(l);
			continue;
		}
		lexer_next(l);
		/* A word is one before the name when another one follows. */
		for (bool word = true; word && l->now.kind == LEX_WORD;) {
			word = !l->now.quoted &&
			       lexer_word_is_one_of(l->now.word, requires ? "transitive static"
									  : "static module");
			module = dotted_name(l, &at);
			word = word && l->now.kind == LEX_WORD;
			if (!word)
				imports_add(l, IMPORTS_STATIC, module, at);
		}
	}
}

/* In Kotlin the word may also be a name: a statement begins with it, and a name follows it. */
void imports_read_kotlin(struct lexer *l)
{
	bool begins = true;
	struct str module;
	struct span at;

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool import = begins && lexer_is_named(l, "import");

		begins = l->now.kind == LEX_LINE || lexer_is_mark(l, ';');
		lexer_next(l);
		if (!import || l->now.kind != LEX_WORD)
			continue;
		module = dotted_name(l, &at);
		imports_add(l, IMPORTS_STATIC, module, at);
	}
}

/* ---- Swift: "import", perhaps the kind of what is imported, and a name with dots ---- */

static bool swift_next(struct lexer *l)
{
	while (lexer_next(l) && l->now.kind == LEX_LINE)
		;
	return l->now.kind != LEX_END;
}

void imports_read_swift(struct lexer *l)
{
	bool member = false; /* behind a dot any word is a name */

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		if (!member && lexer_is_named(l, "import")) {
			struct str module;
			struct span at;

			/* Behind "import". */
			swift_next(l);
			if (l->now.kind == LEX_WORD && !l->now.quoted &&
			    lexer_word_is_one_of(
				    l->now.word,
				    "struct class enum protocol func var typealias let"))
				swift_next(l);
			/* "import func A.+": an operator is no name, and its module is "A". */
			module = dotted_name(l, &at);
			/* "f(import: 1)" and "import x: Int" are labels of that name. */
			if (!lexer_is_mark(l, ':'))
				imports_add(l, IMPORTS_STATIC, module, at);
		} else {
			member = lexer_is_mark(l, '.');
			lexer_next(l);
		}
	}
}
