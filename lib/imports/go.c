/* Go: "import" is a reserved word, and only strings name packages. */
#include "imports/lexer.h"
#include "lexer/lexeme.h"
#include "imports/tree.h"

static void go_import(struct lexemes *t)
{
	struct lexer *r = t->r;

	imports_add(r, IMPORTS_STATIC,
		    r->text.p[t->now.at.from - 1] == '`'
			    ? lexer_slice(r, t->now.at.from, t->now.at.to)
			    : lexer_unescape(r->a, lexer_slice(r, t->now.at.from, t->now.at.to)),
		    t->now.at);
}

void imports_read_go(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);
	bool import = false, list = false;

	/* import "a"; import b "c"; import ( "d"; . "e"; _ "f" ) */
	while (lexeme_next(&t)) {
		if (lexeme_is(&t, "import")) {
			import = true;
			list = false;
		} else if (!import) {
			continue;
		} else if (t.now.kind == LEX_STRING) {
			go_import(&t);
			import = list;
		} else if (lexeme_mark(&t, '(') && !list) {
			list = true;
		} else if (t.now.kind != LEX_WORD && !lexeme_mark(&t, '.') &&
			   !lexeme_mark(&t, ';')) {
			import = false;
		}
	}
}

/* "example.org/app/db" is the folder db beside the go.mod of the module example.org/app. */
void imports_resolve_go(struct arena *a, struct imports_tree *t, struct str path,
			const struct import *m, struct imports_names *out)
{
	struct str folder = imports_folder(path), to;
	const struct imports_settings *s;

	if (str_starts(m->module, STR("."))) {
		if (imports_join(a, folder, m->module, &to))
			imports_name_add(out, to, true);
		return;
	}
	s = imports_settings(t, IMPORTS_OF_GO, folder);
	if (s && s->has_module && str_starts(m->module, s->module) &&
	    (m->module.n == s->module.n || m->module.p[s->module.n] == '/') &&
	    imports_join(a, s->module_folder, str_sub(m->module, s->module.n, m->module.n), &to))
		imports_name_add(out, to, true);
}
