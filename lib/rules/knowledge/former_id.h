/*
 * former_id: finds items by the ids that they had before their files were renamed (ikm-check(1),
 * "The set of rules"). Reads the history of the judged repository. For commands and waivers that
 * name an item.
 */
#pragma once

#include "git/git.h"
#include "knowledge/knowledge.h"

/*
 * The item of k whose file was once named id.md. tip: the commit whose history is read; NULL:
 * HEAD. now: the tree that k was read from, so that a
 * rename which is not committed counts too. Follows up to 16 renames, the newest commit of each
 * name. *out is NULL when no item had the id, without a repository, and before the first commit.
 */
struct err *former_id_find_item(struct arena *a, struct git *g, const char *tip, struct tree *now,
				const struct knowledge *k, struct str id,
				const struct kn_item **out) MUST_USE;
