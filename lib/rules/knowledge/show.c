#include "knowledge/show.h"
#include "git/git.h"
#include "os/os.h"

#define SHOWN(member, name, help, ...)                                                             \
	FIELD_AS(struct knowledge_shown, member, name, help, __VA_ARGS__)
#define WORD(member, name, words, help)                                                            \
	FIELD_NAMED(struct knowledge_shown, member, name, words, help)
/* clang-format off */
#define HEAD                                                                                       \
	SHOWN(item.id, "id", "the id of the item"),                                                          \
	WORD(item.type, "type", kn_types, "the kind of document"),                                           \
	WORD(item.layer, "layer", kn_layers, "the part of the organisation that it binds"),                                      \
	SHOWN(item.title, "title", "the title"),                                                   \
	SHOWN(item.summary, "summary", "the decision in short")
/* clang-format on */

const struct field knowledge_summary_fields[] = {
	HEAD,
	WORD(item.status, "status", kn_statuses, "whether its rules apply"),
	SHOWN(item.tags, "tags", "its tags"),
	SHOWN(has_constraints, "hasConstraints", "whether it has rules that check can apply"),
	SHOWN(item.created_at, "createdAt", "a date, or empty"),
	SHOWN(item.shown_path, "path", "its file"),
	SHOWN(item.broken, "broken", "a part of it could not be read", .flags = IF_ANY),
	{0},
};

const struct field knowledge_constraint_fields[] = {
	KN_CONSTRAINT_FIELDS(struct kn_constraint, ),
	{0},
};

static bool knowledge_rule_has_examples(const void *constraint)
{
	const struct kn_constraint *c = constraint;

	return c->examples.stops.n || c->examples.passes.n;
}

static const struct field knowledge_example_fields[] = {
	FIELD_AS(struct kn_constraint, examples.stops, "stops", "what the rule stops"),
	FIELD_AS(struct kn_constraint, examples.passes, "passes", "what it lets pass"),
	{0},
};

static const struct field rule_fields[] = {
	KN_CONSTRAINT_FIELDS(struct kn_constraint, ),
	FIELD_NAMED(struct kn_constraint, severity, "severity", kn_severities, "how severe it is"),
	FIELD_OF(struct kn_constraint, message, "the reason, for people", .flags = IF_ANY),
	FIELD_AS(struct kn_constraint, use_instead, "useInstead", "what to use instead",
		 .flags = IF_ANY),
	FIELD_GROUP("examples", knowledge_example_fields, "its examples", .flags = OPTIONAL,
		    .given = knowledge_rule_has_examples),
	{0},
};

const struct field knowledge_item_fields[] = {
	HEAD,
	SHOWN(item.content, "content", "the whole Markdown text"),
	WORD(item.status, "status", kn_statuses, "whether its rules apply"),
	WORD(item.severity, "severity", kn_severities,
	     "severity of its rules, unless a rule has its own"),
	SHOWN(item.tags, "tags", "its tags"),
	FIELD_RECORDS(struct knowledge_shown, constraints, "constraints", rule_fields, "its rules",
		      .flags = OPTIONAL),
	FIELD_TREE(struct knowledge_shown, item.metadata, "metadata", F_OBJ, NULL,
		   "authors, reviewers, related items, references"),
	SHOWN(item.created_at, "createdAt", "a date, or empty"),
	SHOWN(item.updated_at, "updatedAt", "a date, or empty"),
	SHOWN(supersedes, "supersedes", "the item that it replaced", .flags = OPTIONAL),
	SHOWN(supersedes_all, "supersedesAll", "the items that it replaced, when there are several",
	      .flags = IF_ANY),
	SHOWN(item.superseded_by, "supersededBy", "the items that replaced it", .flags = IF_ANY),
	SHOWN(item.shown_path, "path", "its file"),
	{0},
};

struct knowledge_shown knowledge_item_for_result(struct arena *a, const struct kn_item *i,
						 bool constraints)
{
	struct knowledge_shown out = {.item = *i, .has_constraints = i->constraints_n > 0};

	if (!i->updated_at.n)
		out.item.updated_at = i->created_at;
	if (i->supersedes.n)
		out.supersedes = i->supersedes.p[0];
	if (i->supersedes.n > 1)
		out.supersedes_all = i->supersedes;
	if (constraints) {
		out.constraints.p = i->constraints ? i->constraints : arena_alloc(a, 1);
		out.constraints.n = i->constraints_n;
	}
	return out;
}

const struct field knowledge_commit_fields[] = {
	FIELD_OF(struct knowledge_commit, version, "the id of the commit"),
	FIELD_OF(struct knowledge_commit, timestamp, "its time"),
	FIELD_OF(struct knowledge_commit, author, "its author"),
	FIELD_OF(struct knowledge_commit, message, "the commit's first line"),
	{0},
};

struct err *knowledge_history(struct arena *a, const struct kn_item *i, struct knowledge_log *out)
{
	struct git_log log = {0};
	struct tree *head_tree;
	struct git *g;

	*out = (struct knowledge_log){.p = arena_alloc(a, 1)};
	if (!i->source->repo)
		return NULL;
	TRY(git_open(a, i->source->repo, &g));
	/* Before the first commit there is no history, and that is no error. */
	if (!i->source->ref || !strcmp(i->source->ref, "HEAD")) {
		TRY(git_tree_head(g, &head_tree));
		if (!head_tree)
			return NULL;
	}
	TRY(git_file_log(g, a, i->source->ref ? i->source->ref : "HEAD", i->tree_path, 0, &log));
	for (size_t k = 0; k < log.n; k++)
		*VEC_PUSH(a, out) = (struct knowledge_commit){
			.version = log.p[k].id,
			.timestamp = os_time_text(a, log.p[k].time, false),
			.author = log.p[k].author,
			.message = log.p[k].message,
		};
	return NULL;
}
