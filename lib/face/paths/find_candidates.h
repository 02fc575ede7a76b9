/* find_candidates: the names that the finder ranks, for ikm find and for the shell's completion. */
#pragma once

#include "open_files_for_call.h"
#include "fuzzy/fuzzy.h"

#define FIND_NEED (NEED_ROOTS | NEED_CONF | MAY_GIT)

/* Removes @ or @@, and a quote behind it, from the query. True when the query is for stored
 * assets. */
bool find_query_strip_marker(struct str *query);
/* Which names. */
struct find_where {
	bool asset;  /* of all stored assets */
	bool whole;  /* of the repository from its top, if that is open */
	bool all;    /* also what .gitignore names, history copies and linked working trees */
	bool copies; /* also the garden's history copies */
};
/*
 * The files below the current folder, or, with whole, of the repository, relative to its top. They
 * are those that list has, and tracked files that are ignored. In byte order. An unreadable folder,
 * and what is left out, is a warning. OUTSIDE_ROOTS when the current folder is outside the roots.
 */
struct err *find_candidate_files(struct call *c, struct files *f, const struct find_where *where,
				 struct strs *names, struct strs *warnings) MUST_USE;
/* The names of find_candidate_files(), or, with asset, the paths of all assets. */
struct err *find_list_names_to_rank(struct call *c, const struct find_where *where,
				    struct strs *names, struct strs *warnings) MUST_USE;
/* fuzzy_rank(), where a letter without marks also stands for the letter with marks. */
struct err *find_rank(struct call *c, struct str query, const struct strs *names, size_t limit,
		      struct fuzzy_hits *out) MUST_USE;
/*
 * Prints candidates for a word that ends with a marker ("@que", "text @@blo"), each as the whole
 * word. It offers the names that begin so, up to the next slash; if there are none, the names that
 * the finder finds. It prints nothing without a marker. c needs a, out and err.
 */
struct err *find_print_completions(struct call *c, struct str typed) MUST_USE;
