/* find_names: the names that the finder ranks, for the command and for the shell's completion. */
#ifndef IKM_COMMON_FIND_NAMES_H
#define IKM_COMMON_FIND_NAMES_H

#include "files.h"

#define FIND_NEED (NEED_ROOTS | NEED_CONF | MAY_GIT)

/* Takes @ or @@, and a quote behind it, off the query; true: it is for stored assets. */
bool find_is_asset(struct str *query);
/*
 * Files below the current folder, or of the `whole` repository from its top: tracked ones though
 * they are ignored, and those that could be. Without a repository what is below and not ignored. In
 * byte order. What may not be read is a warning. OUTSIDE_ROOTS when the current folder is outside.
 */
struct err *find_files(struct call *c, struct files *f, bool whole, struct strs *names,
		       struct strs *warnings) MUST_USE;
/* The same, or the paths of all assets. */
struct err *find_names(struct call *c, bool asset, struct strs *names,
		       struct strs *warnings) MUST_USE;
/*
 * Prints candidates for a word whose end begins a marker ("@que", "text @@blo"), each as the whole
 * word: what begins so, up to the next slash as paths are completed; else what the finder finds.
 * Nothing when there is no such marker. c needs a, out and err.
 */
struct err *find_complete(struct call *c, struct str typed) MUST_USE;

#endif
