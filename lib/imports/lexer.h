/* lexer: what the readers of the languages share. Private to this module. */
#ifndef IKM_IMPORTS_LEXER_H
#define IKM_IMPORTS_LEXER_H

#include "imports/imports.h"
#include "lexer/lexer.h"

/* What imports_read() found so far. */
static inline struct imports *imports_of(const struct lexer *l)
{
	return l->ctx;
}

struct imports_language {
	const char *name;       /* of its form (lib/lexer/forms.c) */
	const char *separators; /* characters between the parts of a module's name */
	/* NULL: ikm does not read its imports. */
	void (*read)(struct lexer *r);
	/* Adds the paths that a module may mean; NULL: its names are no paths. */
	void (*resolve)(struct arena *a, struct imports_tree *t, struct str path,
			const struct import *m, struct imports_names *out);
};
/* languages.c: the table; a row without a name ends it. */
extern const struct imports_language imports_languages[];

/* The readers of the languages. */
void imports_read_javascript(struct lexer *r);
void imports_read_python(struct lexer *r);
void imports_read_go(struct lexer *r);
void imports_read_rust(struct lexer *r);
void imports_read_java(struct lexer *r);
void imports_read_kotlin(struct lexer *r);
void imports_read_c(struct lexer *r);
void imports_read_shell(struct lexer *r);
void imports_read_csharp(struct lexer *r);
void imports_read_php(struct lexer *r);
void imports_read_ruby(struct lexer *r);
void imports_read_importmap(struct lexer *l);
void imports_read_markup(struct lexer *l);
void imports_read_scala(struct lexer *r);
void imports_read_swift(struct lexer *r);

/* The paths that the modules of a language mean. */
void imports_resolve_javascript(struct arena *a, struct imports_tree *t, struct str path,
				const struct import *m, struct imports_names *out);
void imports_resolve_python(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out);
void imports_resolve_go(struct arena *a, struct imports_tree *t, struct str path,
			const struct import *m, struct imports_names *out);
void imports_resolve_rust(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out);
void imports_resolve_c(struct arena *a, struct imports_tree *t, struct str path,
		       const struct import *m, struct imports_names *out);
void imports_resolve_shell(struct arena *a, struct imports_tree *t, struct str path,
			   const struct import *m, struct imports_names *out);
void imports_resolve_csharp(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out);
void imports_resolve_php(struct arena *a, struct imports_tree *t, struct str path,
			 const struct import *m, struct imports_names *out);
void imports_resolve_ruby(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out);
/* What stands behind "$(dirname $0)/" and its like; empty: no such beginning. */
struct str imports_shell_beside(struct str text);

/* ---- what is found ---- */

/* The entry's index. An empty module is left out: SIZE_MAX. */
size_t imports_add(struct lexer *r, enum imports_kind kind, struct str module, struct span at);
/* A member of the last entry that is none. */
void imports_add_member(struct lexer *r, size_t of, struct str name, const char *between,
			struct span at);

/* ---- paths ---- */

/* The folder of a path, without its slash; empty for the top. */
struct str imports_folder(struct str path);
/*
 * "src/ui" and "../db/x" give "src/db/x". False: it leaves the top, or is the top itself.
 */
bool imports_join(struct arena *a, struct str folder, struct str rest, struct str *out);
/* "a\b" gives "a/b". */
struct str imports_slashes(struct arena *a, struct str s);
/* Adds a name that the list does not have yet. */
void imports_name_add(struct imports_names *out, struct str name, bool path);

#endif
