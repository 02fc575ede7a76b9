/* internal: declarations for the .c files of this module only. */
#pragma once

#include "asset/asset.h"

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
