/*
 * linter_bans: the bans that the configuration of a linter or a package manager has, as rules, and
 * back (ikm-know(1), know import, know export). A member counts by its name, wherever it stands in
 * the file.
 */
#pragma once

#include "knowledge/knowledge.h"

struct bans {
	struct arena *a;
	struct str file, text; /* as it was named; its content */
	struct str folder;     /* of the file, below the top; empty: the top, or outside */
	bool flat;             /* a list of ESLint's, whose globs begin at the top */
	bool known;            /* a member that may have bans was there */
	struct VEC(struct kn_constraint) rules; /* compiled */
	struct strs left; /* what cannot be a rule: "FILE:LINE: not carried over: why" */
};

/*
 * The name of the file tells its format, and its folder to which files the rules apply. Errors:
 * BAD_ARGUMENT for a format without a reader; those of the reader.
 */
struct err *bans_read(struct arena *a, struct str file, struct str folder, struct str text,
		      struct bans *out) MUST_USE;

/*
 * The bans of packages and modules that block, as a list of configurations in JSON for ESLint 9.15
 * and later, and as a .pnpmfile.cjs. top: of the repository, or NULL. *left names what they lack.
 */
struct str bans_to_eslint(struct arena *a, const struct knowledge *k, const char *top,
			  struct strs *left);
struct str bans_to_pnpm(struct arena *a, const struct knowledge *k, struct strs *left);
