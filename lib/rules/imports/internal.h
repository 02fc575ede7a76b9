/* internal: what the readers of the languages share. Private to this module. */
#pragma once

#include "imports/imports.h"
#include "lexer/lexer.h"

/* What imports_read() found so far. */
static inline struct imports *imports_of_lexer(const struct lexer *l)
{
	return l->ctx;
}

/* One import whose names are asked. */
struct imports_asked {
	struct arena *a; /* not the tree's, which other threads use */
	struct imports_tree *tree;
	struct str path, folder; /* of the file */
	const struct import *m;
	struct imports_names *out;
};

typedef void imports_read_fn(struct lexer *l);
/* Adds the paths that a module may mean. */
typedef void imports_resolve_fn(const struct imports_asked *q);
/* A language whose imports ikm reads. */
struct imports_language {
	const char *name;       /* of its form (lib/text/lexer/forms.c) */
	const char *separators; /* characters between the parts of a module's name */
	imports_read_fn *read;
	imports_resolve_fn *resolve; /* NULL: its names are no paths */
	bool index;                  /* a folder stands for its file index */
};
imports_read_fn imports_read_c, imports_read_csharp, imports_read_css, imports_read_go,
	imports_read_importmap, imports_read_java, imports_read_javascript, imports_read_kotlin,
	imports_read_markup, imports_read_php, imports_read_python, imports_read_ruby,
	imports_read_rust, imports_read_scala, imports_read_shell, imports_read_swift;
imports_resolve_fn imports_resolve_c, imports_resolve_csharp, imports_resolve_go,
	imports_resolve_javascript, imports_resolve_php, imports_resolve_python,
	imports_resolve_ruby, imports_resolve_rust, imports_resolve_shell;

/* How Ruby writes the folder of the file, with which a path may begin. */
#define IMPORTS_RUBY_BESIDE "__dir__"
/* What stands behind "$(dirname $0)/" and its like; empty: no such beginning. */
struct str imports_shell_after_dirname(struct str text);

/* ---- what is found ---- */

/* The entry's index. An empty module is left out: SIZE_MAX. */
size_t imports_add(struct lexer *r, enum imports_kind kind, struct str module, struct span at);
/* A member of the last entry that is none. */
void imports_add_imported_name(struct lexer *r, size_t of, struct str name, const char *between,
			       struct span at);

/* The text of a name; of "a.b." it is "a.b". */
struct str imports_dotted_text(struct lexer *l, struct lexer_name *n);
