/* context_text: the pinned assets as quoted data, for a system prompt. */
#pragma once

#include "asset_common.h"

/* Appends the assets in their order, each with its URI and tokens. Equal assets give equal bytes.
 */
void context_put_assets(struct arena *a, struct buf *b, const struct asset_list *all);
