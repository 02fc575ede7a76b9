/*
 * imports: lists the modules that a source file imports, with the place of each. Every language has
 * a matcher over what lib/text/lexer reads. Knows languages; judges nothing.
 */
#pragma once

#include "deps/deps.h"
#include "lexer/lexer.h"

/* clang-format off */
#define IMPORTS_KINDS(X) \
	X(IMPORTS_STATIC, "import") X(IMPORTS_TYPE, "type") X(IMPORTS_EXPORT, "export") \
	X(IMPORTS_REQUIRE, "require") X(IMPORTS_DYNAMIC, "dynamic") \
	X(IMPORTS_REFERENCE, "reference") X(IMPORTS_INCLUDE, "include") \
	X(IMPORTS_RELATIVE, "relative") X(IMPORTS_MEMBER, "member")
/* clang-format on */
enum imports_kind { IMPORTS_KINDS(ENUM_MEMBER) };
extern const char *const imports_kinds[];

struct import {
	enum imports_kind kind;
	struct str module; /* as written, escapes decoded; borrows from the text or the arena */
	struct span at;    /* in the text, without quotes */
	/*
	 * The number of entries behind this one that are its members: "from a import b" is the
	 * module "a" with the member "a.b", for b may be a module too.
	 */
	size_t members;
};

struct imports {
	struct import *p;
	size_t n, cap;
	struct lexer_unknowns unknown;
};

/*
 * The language of a source file: by its name, and without a suffix by the program in its first
 * line. NULL: no programming language that ikm knows. text may be empty: then only the name counts.
 */
const struct lexer_form *imports_language(struct str path, struct str text);
/* A file without a suffix, whose first line may name a language. */
bool imports_may_be_script(struct str path);
/* Whether ikm reads its imports; imports_read() must not be called for the others. */
bool imports_is_read(const struct lexer_form *l);
/* Writes the languages for the manual, as mdoc. */
struct out;
void imports_print_languages_mdoc(struct out *o);

void imports_read(struct arena *a, const struct lexer_form *l, struct str path, struct str text,
		  struct imports *out);

/* ---- names ---- */

/*
 * The settings of a tree for modules: tsconfig.json, package.json, go.mod,
 * composer.json. Threads may share it. files NULL: only the file itself is known.
 */
struct imports_tree;
struct imports_tree *imports_tree_new(struct arena *a, const struct deps_files *files);

#define IMPORTS_NAMES 8
struct imports_names {
	struct imports_name {
		struct str name;
		bool path;  /* a path from the top of the repository */
		size_t end; /* of the module: a suffix and "/index" may stand behind it */
	} p[IMPORTS_NAMES];
	size_t n;
	struct str lost; /* a clause: why it may have a path that ikm does not know; or empty */
};
/*
 * The names of one import of the file `path`: as written first, then without a scheme as "node:",
 * then the paths of the repository that it may mean. Strings live in the arena.
 */
void imports_names_of_module(struct arena *a, struct imports_tree *tree, const struct lexer_form *l,
			     struct str path, const struct import *m, struct imports_names *out);

/* Calls fn for each name that settings give a path to, as "@/" followed by "*". */
void imports_aliases(struct imports_tree *tree, struct str path,
		     void (*fn)(void *ctx, struct str from, struct str to), void *ctx);

/*
 * What stays the same when the import is written in another way: the path of the module that it
 * resolves to. Without a path that is sure, the name.
 */
struct str imports_identity_of_import(const struct lexer_form *l,
				      const struct imports_names *names);
/*
 * The next leading part of a name, up to a separator of the language: "a", then "a/b", then
 * "a/b/c". *end is 0 before the first call. False: there is none. l NULL: any language.
 */
bool imports_next_leading_part(const struct lexer_form *l, const struct imports_name *name,
			       size_t *end);
