/* C, C++ and Objective-C: what the preprocessor includes, and the imports of modules. */
#include "imports/lexer.h"
#include "imports/tree.h"

void imports_read_c(struct lexer *l)
{
	while (lexer_next(l)) {
		if (l->c.import == C_MACRO)
			lexer_unknown(l, l->now.at, "a macro decides which header this is");
		else if (l->c.import != C_NONE)
			imports_add(l, l->c.import == C_QUOTED ? IMPORTS_INCLUDE : IMPORTS_STATIC,
				    l->now.word, l->now.at);
	}
}

/* A header in quotes lies beside the file, when the tree has it there or its name is relative. */
void imports_resolve_c(struct arena *a, struct imports_tree *t, struct str path,
		       const struct import *m, struct imports_names *out)
{
	struct str to;

	if (!imports_join(a, imports_folder(path), m->module, &to))
		return;
	if (str_starts(m->module, STR(".")) ||
	    (m->kind == IMPORTS_INCLUDE && imports_has_file(a, t, to)))
		imports_name_add(out, to, true);
}
