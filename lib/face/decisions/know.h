/* know: functions and fields that the commands which read knowledge share. */
#pragma once

#include "app/app.h"
#include "waive/waive.h"
#include "knowledge/knowledge.h"
#include "knowledge/show.h"

/* A rule of an active item. */
struct know_rule {
	struct str item, path;
	enum kn_layer layer;
	struct kn_constraint rule; /* severity: after the item's status is applied */
};
struct know_notes VEC(struct kn_note);
#define KNOW_ACTIVE_MAX 20

/* An open folder, for a model that begins. */
struct know_folder {
	struct str root, repository;
	int64_t decisions;
	struct maybe_int memories;
};

/* KnowledgeQueryOutput. */
struct know_result {
	struct VEC(struct know_folder) folders;
	bool success;
	struct knowledge_shown_list items;
	int64_t totalCount;
	struct VEC(struct kn_item) active; /* only when no item matches; at most KNOW_ACTIVE_MAX */
	int64_t activeCount;
	struct VEC(struct know_rule) rules; /* NULL: the caller did not ask for rules */
	struct know_notes broken;
	struct VEC(struct kn_passed) passed;
	struct waive_list waivers; /* p NULL: the caller did not ask for exceptions */
	bool noKnowledge;
	struct str nothing;
};
extern const struct field know_query_result[], know_broken_fields[];

/* The arguments of know query and know list. */
struct know_query_args {
	struct str query;
	int type, layer;
	struct strs tags;
	struct cmd_bits status;
	int64_t limit, offset;
	struct strs knowledge;
	bool active, waivers;
};

/* Rows of params; the object has these members. */
#define PARAM_KNOW_LAYER(object)                                                                   \
	PARAM_OF(object, layer, .letter = 'l', .choices = kn_layers,                               \
		 .help = "the item of this layer; default: the most specific one")
#define PARAM_KNOWLEDGE(object)                                                                    \
	PARAM_OF(object, knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",              \
		 .help = "a further source of knowledge; may be repeated")

/* Loads all knowledge for the current folder: from the working tree's settings and files, and the
 * user's. */
struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out) MUST_USE;
/* know_load() for a command that makes items: sources that cannot be read are left out. */
struct err *know_load_skip_missing(struct call *c, const struct strs *given,
				   struct knowledge **out) MUST_USE;
/* The same, and adds a message for each such source to *missing. */
struct err *know_load_list_missing(struct call *c, const struct strs *given, struct strs *missing,
				   struct knowledge **out) MUST_USE;
#define KNOW_NO_RULES "0 rules: every commit will pass"
/* The command that writes the first rule into one of these decisions, or begins the first one. */
struct str know_first_rule_command(struct call *c, const struct knowledge *k);
/* Adds a note when the hooks of c->git have nothing to judge by: no rule and no garden, or the
 * knowledge cannot be read. */
struct err *know_note_none(struct call *c, struct strs *notes) MUST_USE;
/* Completes the ids of items in the shell. */
struct err *know_complete(struct call *c, struct str typed) MUST_USE;
/* The same for a range of commits, A..B. */
struct err *commit_range_complete(struct call *c, struct str typed) MUST_USE;
/* The items that match, of these statuses (bits). */
struct err *know_items(struct call *c, const struct know_query_args *args, unsigned statuses,
		       struct knowledge **k, const struct kn_item ***items, size_t *n) MUST_USE;
/* Gives the items of know_items() as a result. */
struct err *know_search(struct call *c, const struct know_query_args *args, unsigned statuses,
			struct know_result *out) MUST_USE;
/*
 * Why nothing can be judged, or read: no source is configured, or its items have no active rule.
 * Empty: there are rules.
 */
struct str know_why_nothing_to_judge(struct call *c, bool configured, unsigned items,
				     unsigned rules);
/* What people read of a list of items, behind its rows. */
void know_none_text(struct call *c, const void *args, const void *result);
#define TEMPLATE_BROKEN "{/broken:{2:{~'broken knowledge'} {file}{?line::{line}}: {message}\n}}"
#define TEMPLATE_REST                                                                              \
	"{?totalCount>#items:{#items} of {totalCount}; --limit shows more\n|"                      \
	"{?!noKnowledge&!items:{2:no item matches{?active:; {activeCount} active decision"         \
	"{?!activeCount=1:s} may still apply:}\n{/active:  {id}  {title}\n}"                       \
	"{?activeCount>#active:  {activeCount-#active} more: run 'ikm know list'\n"                \
	"}}}}" TEMPLATE_BROKEN "{/passed:{2:{~'not read'} {file}: {message}\n}}"
/* An item: title, facts, rules. */
#define TEMPLATE_ITEM                                                                              \
	"{*title}\n{?id:{_'id'%-12}{id}\n}{?type:{_'type'%-12}{type}\n}"                           \
	"{?layer:{_'layer'%-12}{layer}\n}{?status:{_'status'%-12}{status}\n}"                      \
	"{?createdAt:{_'date'%-12}{createdAt}\n}"                                                  \
	"{?supersedesAll:{/supersedesAll:{_'supersedes'%-12}{.}\n}"                                \
	"|{?supersedes:{_'supersedes'%-12}{supersedes}\n}}{/supersededBy:{_'replaced by'%-12}"     \
	"{.}\n"                                                                                    \
	"}{?path:{_'file'%-12}{path}\n}{/constraints:{~severity}  {operator} {target} {pattern}"   \
	"{?appliesTo: in {appliesTo}}\n}"
/* Adds the errors of the item's file; item NULL: of all files. */
void know_add_broken_notes(struct call *c, const struct knowledge *k, const struct kn_item *item,
			   struct know_notes *out);
