/* know: what the commands that read knowledge share. */
#ifndef IKM_COMMON_KNOW_H
#define IKM_COMMON_KNOW_H

#include "app/app.h"
#include "knowledge/knowledge.h"

/* The members of KnowledgeQueryOutput and its items, and of KnowledgeShowOutput's item. */
extern const struct field know_query_result[], know_summary_fields[], know_item_fields[],
	know_broken_fields[], know_rule_fields[];

/* What know query and know list ask for. */
struct know_query_args {
	struct str query;
	int type, layer;
	struct strs tags;
	struct cmd_bits status;
	int64_t limit, offset;
	struct strs knowledge;
	bool active;
};

/* All knowledge of where we stand: the working tree's settings and files, and the user's. */
struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out) MUST_USE;
/* layer -1: any. Error: NO_SUCH_ITEM (requirement: memory and knowledge, "Error Responses"). */
struct err *know_find(struct call *c, const struct knowledge *k, struct str id, int layer,
		      const struct kn_item **out) MUST_USE;
/* What matches, of these statuses (bits), as know_query_result. */
struct err *know_search(struct call *c, const struct know_query_args *args, unsigned statuses,
			struct val **out) MUST_USE;
/* The rules that judge, of the items that match, as know_query_result. */
struct err *know_active(struct call *c, const struct know_query_args *args,
			struct val **out) MUST_USE;
void know_print_active(struct out *o, const struct val *result);
/* Behind the items: how many more there are, or why there are none, and what is broken. */
void know_print_rest(struct call *c, const struct val *result);
/* Adds "broken" where some knowledge does not parse: of the item's file, or NULL: of all. */
void know_add_broken(struct call *c, struct val *out, const struct knowledge *k,
		     const struct kn_item *item);
/* That list, for people. */
void know_print_broken(struct call *c, const struct val *result);
/* The item for people: title, facts, text. */
void know_print_item(struct out *o, const struct val *item, const struct val *history);

#endif
