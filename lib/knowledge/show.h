/* show: an item as the JSON of knowledge_query and knowledge_show, and its history. */
#ifndef IKM_KNOWLEDGE_SHOW_H
#define IKM_KNOWLEDGE_SHOW_H

#include "knowledge/knowledge.h"

/* id, type, layer, title, summary, status, tags, hasConstraints, and date and path. */
struct val *knowledge_summary_val(struct arena *a, const struct kn_item *i);
/* What a rule asks for: operator, target, pattern, and appliesTo and version where it has them. */
struct val *knowledge_constraint_val(struct arena *a, const struct kn_constraint *c);
/* KnowledgeShowOutput's item. */
struct val *knowledge_item_val(struct arena *a, const struct kn_item *i, bool constraints);
/*
 * [{version, timestamp, author, message}], newest first; empty for a file without history.
 * version is the commit's id. Errors: Git's.
 */
struct err *knowledge_history(struct arena *a, const struct kn_item *i, struct val **out) MUST_USE;

#endif
