/* input_paths: what somebody wrote into a path as rules speak of it: "src/a.js", from the top. */
#ifndef IKM_COMMON_INPUT_PATHS_H
#define IKM_COMMON_INPUT_PATHS_H

#include "app/app.h"

/*
 * files[i].path of an input: no other way to write it may get around a rule. An absolute one must
 * be in the repository. Errors: BAD_PATH.
 */
struct err *path_of_input(struct call *c, size_t i, struct str path, struct str *out) MUST_USE;
/* Sorts them; BAD_ARGUMENT when one is there twice, for a tree has one file of a name. */
struct err *paths_once(struct strs *paths) MUST_USE;
/* PATHs of a command line, which are typed from where we stand; empty: all, for one is the top. */
struct err *paths_from_top(struct call *c, const struct strs *paths, struct strs *out) MUST_USE;

#endif
