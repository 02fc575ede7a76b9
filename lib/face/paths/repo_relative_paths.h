/* repo_relative_paths: converts a path of an input to the form of rules: "src/a.js", relative to
 * the top. */
#pragma once

#include "app/app.h"

/* Normalizes files[i].path of an input, so that another spelling cannot avoid a rule. An absolute
 * path must be in the repository. Errors: BAD_PATH. */
struct err *path_of_input(struct call *c, size_t i, struct str path, struct str *out) MUST_USE;
/* Sorts the paths. BAD_ARGUMENT when a path occurs twice, because a tree has one file of a name. */
struct err *paths_check_unique(struct strs *paths) MUST_USE;
/* Converts the PATHs of a command line, which are relative to the current folder. *out is empty
 * when a path is the top, and means all files. */
struct err *paths_from_top(struct call *c, const struct strs *paths, struct strs *out) MUST_USE;
