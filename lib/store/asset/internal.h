/* internal: declarations for the .c files of this module only. */
#pragma once

#include "asset/asset.h"

enum asset_category asset_category_read_cell(struct db_cells *c, int column);
/* The name of the tokenizer's family, as the store has it. */
struct str asset_token_model(const struct assets *s);
/*
 * Reads and checks a row of asset_get, asset_list_by_prefix, asset_list_pinned or
 * verify_asset_rows. Errors: DB_CORRUPT for a damaged row; db_skip_damaged_row() may skip it.
 */
struct err *asset_row(struct assets *s, struct db_rows *rows, struct arena *a, bool content,
		      struct asset *out) MUST_USE;
/*
 * Checks the budget, within the transaction of a change: the change may not raise the tokens of the
 * agent's pins above the limit. tokens: those of path's new content. pinning: the change pins path.
 */
struct err *asset_check_budget(struct assets *s, struct str path, int64_t tokens,
			       bool pinning) MUST_USE;
/* Keeps the current content as a version, before op replaces it. */
struct err *asset_keep_version(struct assets *s, struct str path, const char *op) MUST_USE;
/* Deletes the oldest versions of this path above the limit keep_versions, and the versions of all
 * paths that are older than keep_days. */
struct err *asset_prune(struct assets *s, struct str path) MUST_USE;
/* Moves the versions of `from` to `to`, and renumbers them. */
struct err *asset_move_versions(struct assets *s, struct str from, struct str to) MUST_USE;
