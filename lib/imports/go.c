/* Go: "import" is a reserved word, and only strings name packages. */
#include "imports/lexer.h"
#include "imports/tree.h"

static void go_import(struct lexer *l)
{
	imports_add(l, IMPORTS_STATIC,
		    l->text.p[l->now.at.from - 1] == '`'
			    ? lexer_slice(l, l->now.at.from, l->now.at.to)
			    : lexer_unescape(l->a, lexer_slice(l, l->now.at.from, l->now.at.to)),
		    l->now.at);
}

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
			go_import(l);
			import = list;
		} else if (lexer_is_mark(l, '(') && !list) {
			list = true;
		} else if (l->now.kind != LEX_WORD && !lexer_is_mark(l, '.') &&
			   !lexer_is_mark(l, ';')) {
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
