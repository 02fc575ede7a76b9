/* internal: shared by the files of tree only. */
#pragma once

#include "tree/tree.h"

/* The path relative to a folder (empty: the top); empty when it is not below it. */
struct str tree_path_below(struct str path, struct str folder);
/* A regular file, executable or not. */
bool kind_is_plain_file(enum tree_kind k);
/* TOO_BIG for this file of the named tree. */
struct err *too_big_error(struct str name, struct str path, size_t max) MUST_USE;

/* ---- .gitignore ---- */

#define IGNORE_MAX ((size_t)1 << 20) /* bytes of a file */

/* The patterns of one file, in their order; paths are relative to the file's folder. */
struct ignore_rule;
struct ignore VEC(struct ignore_rule);
enum ignore_answer { IGNORE_UNSAID, IGNORE_NO, IGNORE_YES };

/* Adds one line. Empty lines, comments and patterns that can never match add nothing. Copies. */
void ignore_line(struct arena *a, struct ignore *ig, struct str line);
/* The content of a file, with or without CR and a byte order mark. */
void ignore_add_text(struct arena *a, struct ignore *ig, struct str text);
/* The answer of the last matching pattern. Does not check the folders above the path. */
enum ignore_answer ignore_ask(const struct ignore *ig, struct str path, bool is_dir);
