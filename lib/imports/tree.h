/* tree: the settings of a tree that give modules other names. Private to this module. */
#ifndef IKM_IMPORTS_TREE_H
#define IKM_IMPORTS_TREE_H

#include "imports/lexer.h"

/* A name of a module, perhaps with one "*", and what it stands for. */
struct imports_alias {
	struct str from;
	struct strs to; /* paths from the top, perhaps with one "*" */
};
struct imports_aliases {
	struct imports_alias *p;
	size_t n, cap;
};

/* The settings that hold for the files of one folder: those of it, or of the nearest above. */
struct imports_settings {
	struct imports_aliases paths; /* of tsconfig.json or jsconfig.json */
	bool has_base;
	struct str base;                /* their baseUrl, as a path from the top */
	struct imports_aliases imports; /* "#name" in package.json */
	bool has_module;
	struct str module, module_folder; /* of go.mod */
	struct imports_aliases psr4;      /* of composer.json, with slashes */
};

enum imports_settings_of { IMPORTS_OF_NODE, IMPORTS_OF_GO, IMPORTS_OF_PHP };
/* The settings for the files of a folder. NULL: no other file is known. */
const struct imports_settings *imports_settings(struct imports_tree *t,
						enum imports_settings_of which, struct str folder);
/* Whether the tree has this file. The arena is the caller's own: threads share the tree. */
bool imports_has_file(struct arena *a, struct imports_tree *t, struct str path);
/* Adds what the aliases make of a module. */
void imports_add_aliases(struct arena *a, const struct imports_aliases *list, struct str module,
			 struct imports_names *out);

#endif
