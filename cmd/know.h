/* know: what the commands that read knowledge share. For cmd/ only. */
#ifndef IKM_CMD_KNOW_H
#define IKM_CMD_KNOW_H

#include "app.h"
#include "knowledge/knowledge.h"

/* The members of KnowledgeQueryOutput's items, and of KnowledgeShowOutput's item. */
extern const struct field know_summary_fields[], know_item_fields[];

/* All knowledge of where we stand: the working tree's settings and files, and the user's. */
struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out) MUST_USE;
/* NO_SUCH_ITEM, as seed 003's error example has it. layer -1: any. */
struct err *know_find(struct call *c, const struct knowledge *k, struct str id, int layer,
		      const struct kn_item **out) MUST_USE;
/* The item for people: title, facts, text. */
void know_print_item(struct out *o, const struct val *item, const struct val *history);

#endif
