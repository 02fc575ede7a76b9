/* internal: what the files of asset share with each other and with nobody else. */
#ifndef IKM_ASSET_INTERNAL_H
#define IKM_ASSET_INTERNAL_H

#include "asset/asset.h"

#define ASSET_BYTES_MAX ((size_t)8 << 20)

enum asset_category asset_category_cell(struct db_cells *c, int column);
/* The family of tokenizers by name, as the store keeps it. */
struct str asset_model(const struct assets *s);
/*
 * A row of one of the three statements that give assets, checked: DB_CORRUPT for a damaged row,
 * which db_pass_over() may take.
 */
struct err *asset_row(struct assets *s, struct db_rows *rows, struct arena *a, bool content,
		      struct asset *out) MUST_USE;
/*
 * The one rule of the budget, asked within the transaction of every change: what this agent has
 * pinned may not grow above the limit by it. tokens: of the content that path will have; pinning:
 * that it shall be pinned too.
 */
struct err *asset_check_budget(struct assets *s, struct str path, int64_t tokens,
			       bool pinning) MUST_USE;
/* Keeps the present content as a version, before op replaces it. */
struct err *asset_keep(struct assets *s, struct str path, const char *op) MUST_USE;
/* Versions that are too many of this path, or too old. */
struct err *asset_prune(struct assets *s, struct str path) MUST_USE;
/* The versions go to another path. */
struct err *asset_move_versions(struct assets *s, struct str from, struct str to) MUST_USE;

#endif
