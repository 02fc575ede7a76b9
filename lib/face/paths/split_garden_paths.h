/* split_garden_paths: which files of the garden a command line names, and which are others. */
#pragma once

#include "app/app.h"
#include "lint/lint.h"

/*
 * Splits PATHs, relative to the current folder. A PATH in the garden's users/ gives a path of
 * `out`. A folder above gives all of users/, and stays in `others` when it is in the repository.
 * Without any PATH the garden counts when it lies in the repository's working tree, or the current
 * folder lies in it. out->paths is empty when no file of the garden is meant.
 *
 * Errors: FILE_NOT_FOUND; BAD_ARGUMENT when the index is to be read, and a PATH names a garden that
 * is not in the repository.
 */
struct err *garden_split_paths(struct call *c, const struct strs *paths, enum lint_of of,
			       struct lint_garden *out, struct strs *others) MUST_USE;
/*
 * The path below the top of the garden of a file, which need not exist: "users/ada/notes.md".
 * False: the file lies outside. Errors: those of resolving its folder.
 */
struct err *garden_path_of(struct call *c, struct str path, struct str *out, bool *inside) MUST_USE;
