/* know: functions that the commands which read knowledge share. */
#include "know.h"
#include "history/gardens.h"
#include "knowledge/load.h"
#include "knowledge/rule_compare.h"
#include "paths/open_files_for_call.h"

static const struct field rule_fields[] = {
	FIELD_OF(struct know_rule, item, "the item that has the rule"),
	FIELD_AS(struct know_rule, rule.index, "constraint", "its number in the item, from 1"),
	FIELD_NAMED(struct know_rule, rule.severity, "severity", kn_severities,
		    "after the status is applied: info for a proposed item"),
	KN_CONSTRAINT_FIELDS(struct know_rule, rule.),
	FIELD_NAMED(struct know_rule, layer, "layer", kn_layers, "the item's layer"),
	FIELD_OF(struct know_rule, path, "the item's file"),
	{0},
};

static const struct field passed_fields[] = {
	FIELD_AS(struct kn_passed, path, "file", "the file or source"),
	FIELD_NAMED(struct kn_passed, why, "reason", kn_reasons, "why the file is not an item"),
	FIELD_OF(struct kn_passed, message, "the next step"),
	{0},
};

const struct field know_broken_fields[] = {
	FIELD_AS(struct kn_note, path, "file", "the file of an item with an error"),
	FIELD_OF(struct kn_note, line, "from 1", .flags = IF_ANY),
	FIELD_OF(struct kn_note, message, "what is wrong"),
	{0},
};

static const struct field active_fields[] = {
	FIELD_OF(struct kn_item, id, "the item's id, for knowledge_show"),
	FIELD_OF(struct kn_item, title, "its title"),
	FIELD_NAMED(struct kn_item, type, "type", kn_types, "its type"),
	FIELD_NAMED(struct kn_item, layer, "layer", kn_layers, "its layer"),
	{0},
};

#define R struct know_folder
static const struct field folder_fields[] = {
	FIELD_OF(R, root, "the folder"),
	FIELD_OF(R, repository, "its repository: the origin, else the folder", .flags = IF_ANY),
	FIELD_OF(R, decisions, "accepted decisions"),
	FIELD_OF(R, memories, "memories that the caller may read", .flags = OPTIONAL),
	{0},
};
#undef R

#define R struct know_result
const struct field know_query_result[] = {
	FIELD_AS(R, nothing, "nothingRead", "why no decision was read", .flags = IF_ANY),
	FIELD_RECORDS(R, folders, "folders", folder_fields,
		      "over MCP, without any filter: the open folders", .flags = IF_ANY),
	FIELD_OF(R, success, "the query ran"),
	FIELD_RECORDS(R, items, "items", knowledge_summary_fields,
		      "the items that match, best first"),
	FIELD_OF(R, totalCount, "the number of all matches"),
	FIELD_RECORDS(R, active, "active", active_fields,
		      "when nothing matches: accepted items that may still apply", .flags = IF_ANY),
	FIELD_OF(R, activeCount, "the number of all accepted items, when nothing matches",
		 .flags = IF_ANY),
	FIELD_RECORDS(R, rules, "rules", rule_fields, "the active rules, with active",
		      .flags = OPTIONAL),
	FIELD_RECORDS(R, waivers, "waivers", waive_listed_fields,
		      "exceptions from rules, with waivers", .flags = OPTIONAL),
	FIELD_RECORDS(R, waivers.unread, "unread", waive_unread_fields,
		      "with waivers: files that were not searched for ikm:allow", .flags = IF_ANY),
	FIELD_RECORDS(R, broken, "broken", know_broken_fields, "errors in knowledge files",
		      .flags = IF_ANY),
	FIELD_RECORDS(R, passed, "passed", passed_fields,
		      "without a query: files that look like items but are none", .flags = IF_ANY),
	FIELD_OF(R, noKnowledge, "no knowledge is configured", .flags = IF_ANY),
	{0},
};
#undef R

struct err *know_load_list_missing(struct call *c, const struct strs *given, struct strs *missing,
				   struct knowledge **out)
{
	struct knowledge_place p = {.git = c->git, .given = *given, .missing = missing};
	struct conf *conf;

	if (c->git && !git_is_bare(c->git))
		TRY(git_tree_worktree(c->git, &p.tree));
	else if (c->git)
		TRY(git_tree_head(c->git, &p.tree));
	TRY(knowledge_tree_conf(c->a, p.tree, &c->set, &conf));
	p.conf = conf;
	return knowledge_load(c->a, &p, out);
}

struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out)
{
	return know_load_list_missing(c, given, NULL, out);
}

struct err *know_load_skip_missing(struct call *c, const struct strs *given, struct knowledge **out)
{
	struct strs missing = {0};

	return know_load_list_missing(c, given, &missing, out);
}

struct str know_first_rule_command(struct call *c, const struct knowledge *k)
{
	const struct kn_item *item = NULL;

	for (size_t i = 0; i < k->items.n; i++)
		if (!item || (k->items.p[i].status == KN_STATUS_ACCEPTED &&
			      item->status != KN_STATUS_ACCEPTED))
			item = &k->items.p[i];
	return item ? str_fmt(c->a, "ikm know rule %.*s --forbid-dependency NAME",
			      STR_ARG(item->id))
		    : STR("ikm know new adr 'TITLE' --status accepted");
}

struct err *know_note_none(struct call *c, struct strs *notes)
{
	struct strs none = {0}, gardens = {0};
	struct knowledge *k;
	struct err *e = know_load(c, &none, &k);

	if (e) {
		strs_push(c->a, notes,
			  str_fmt(c->a, "ikm cannot read the decisions: %s", err_message(e)));
		return NULL;
	}
	if (k->sources && rulechange_count_judging_rules(k))
		return NULL;
	TRY(gardens_here(c->a, c->git, &c->set, &gardens));
	if (!gardens.n)
		strs_push(c->a, notes,
			  k->sources ? str_fmt(c->a, KNOW_NO_RULES "; write the first: %.*s",
					       STR_ARG(know_first_rule_command(c, k)))
				     : STR(KNOWLEDGE_NONE));
	return NULL;
}

void know_add_broken_notes(struct call *c, const struct knowledge *k, const struct kn_item *item,
			   struct know_notes *out)
{
	for (size_t i = 0; i < k->notes.n; i++)
		if (k->notes.p[i].kind == KN_BROKEN &&
		    (!item || str_eq(k->notes.p[i].path, item->shown_path)))
			*VEC_PUSH(c->a, out) = k->notes.p[i];
}

struct err *know_items(struct call *c, const struct know_query_args *args, unsigned statuses,
		       struct knowledge **k, const struct kn_item ***items, size_t *n)
{
	struct knowledge_filter f = {.query = args->query,
				     .type = args->type,
				     .layer = args->layer,
				     .tags = args->tags,
				     .statuses = statuses};

	TRY(know_load(c, &args->knowledge, k));
	return knowledge_query(c->a, *k, &f, items, n);
}

/* Folders in which projects keep decisions. */
static const char *const know_usual[] = {"docs/adr",
					 "docs/adrs",
					 "docs/decisions",
					 "doc/adr",
					 "adr",
					 "decisions",
					 "docs/architecture/decisions",
					 "doc/architecture/decisions"};

struct str know_why_nothing_to_judge(struct call *c, bool configured, unsigned items,
				     unsigned rules)
{
	const char *top = c->git ? git_top(c->git) : NULL;
	struct os_stat st;

	if (rules)
		return STR("");
	if (configured)
		return str_fmt(
			c->a,
			items == 1 ? "the decision that was read has no active rule"
				   : "none of the %u decisions that were read has an active rule",
			items);
	if (!top)
		return str_fmt(c->a, "'%s' is in no repository, so it has no decisions",
			       c->cwd ? c->cwd : ".");
	for (size_t i = 0; i < ARRAY_SIZE(know_usual); i++)
		if (!os_stat(os_join(c->a, top, know_usual[i]), true, &st) && st.kind == OS_DIR)
			return str_fmt(c->a,
				       "no knowledge is configured, and '%s' may hold decisions: a "
				       "person runs 'ikm init'",
				       know_usual[i]);
	return STR("no knowledge is configured: nothing to judge by (see ikm-knowledge(5))");
}

struct err *know_search(struct call *c, const struct know_query_args *args, unsigned statuses,
			struct know_result *out)
{
	const struct kn_item **items;
	struct knowledge *k;
	size_t n;

	TRY(know_items(c, args, statuses, &k, &items, &n));
	out->success = true;
	for (size_t i = (size_t)args->offset; i < n && out->items.n < (size_t)args->limit; i++)
		*VEC_PUSH(c->a, &out->items) = knowledge_item_for_result(c->a, items[i], false);
	out->totalCount = (int64_t)n;
	if (!n && args->query.n) {
		struct knowledge_filter f = {.type = args->type,
					     .layer = args->layer,
					     .tags = args->tags,
					     .statuses = 1u << KN_STATUS_ACCEPTED};
		const struct kn_item **accepted;
		size_t all;

		/* Nothing matches the question: an agent must still see that decisions exist. */
		TRY(knowledge_query(c->a, k, &f, &accepted, &all));
		for (size_t i = 0; i < all && i < KNOW_ACTIVE_MAX; i++)
			*VEC_PUSH(c->a, &out->active) = *accepted[i];
		out->activeCount = (int64_t)all;
	}
	know_add_broken_notes(c, k, NULL, &out->broken);
	/* Broken files are in `broken`, not here. */
	for (size_t i = 0; !args->query.n && i < k->passed.n; i++)
		if (kn_note_kind_of_reason(k->passed.p[i].why) == KN_WARNING)
			*VEC_PUSH(c->a, &out->passed) = k->passed.p[i];
	out->noKnowledge = !k->sources;
	if (out->noKnowledge)
		out->nothing = know_why_nothing_to_judge(c, false, 0, 0);
	c->negative = args->query.n && !n;
	return NULL;
}

/* It has braces, so it stands in no template. */
void know_none_text(struct call *c, const void *args, const void *p)
{
	const struct know_result *r = p;

	(void)args;
	if (r->noKnowledge)
		out_puts(c->err, KNOWLEDGE_NONE "\n");
}

/* ---- the shell completes ids of items, and ranges of commits ---- */

static struct err *know_complete_run(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct strs none = {0}, told = {0};
	struct knowledge *k;

	(void)result;
	TRY(know_load(c, &none, &k));
	/* The most specific item of an id comes last. */
	for (size_t i = k->items.n; i-- > 0;) {
		const struct kn_item *item = &k->items.p[i];

		/* Each candidate is one line, and a tab ends its word. An id has no blanks. */
		if (strs_has(&told, item->id) || !str_is_text(item->id) ||
		    str_find_char(item->id, '\n', 0) != SIZE_MAX ||
		    str_find_char(item->id, '\t', 0) != SIZE_MAX)
			continue;
		strs_push(c->a, &told, item->id);
		cmd_candidate(c->out, typed, item->id, item->title);
	}
	return NULL;
}

/* "main..fea" becomes "main..feature". */
static struct err *know_complete_range(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	size_t dots = str_find(typed, STR(".."), 0);
	struct str begin = str_sub(typed, 0, dots == SIZE_MAX ? 0 : dots + 2);
	struct strs names = {0};

	(void)result;
	strs_push(c->a, &names, STR("HEAD"));
	if (c->git)
		git_list_ref_names(c->git, c->a, &names);
	for (size_t i = 0; i < names.n; i++)
		cmd_candidate(c->out, typed,
			      str_fmt(c->a, "%.*s%.*s%s", STR_ARG(begin), STR_ARG(names.p[i]),
				      begin.n ? "" : ".."),
			      STR("a commit"));
	return NULL;
}

struct err *know_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, MAY_GIT, know_complete_run);
}

struct err *commit_range_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, MAY_GIT, know_complete_range);
}
