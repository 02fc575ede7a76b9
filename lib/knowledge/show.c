#include "knowledge/show.h"
#include "git/git.h"
#include "os/os.h"

static struct val *knowledge_show_text(struct arena *a, struct str s)
{
	return val_str(a, str_utf8(a, s));
}

static void knowledge_show_head(struct arena *a, struct val *v, const struct kn_item *i)
{
	val_set(a, v, "id", knowledge_show_text(a, i->id));
	val_set(a, v, "type", val_str(a, str_of(kn_types[i->type])));
	val_set(a, v, "layer", val_str(a, str_of(kn_layers[i->layer])));
	val_set(a, v, "title", knowledge_show_text(a, i->title));
	val_set(a, v, "summary", knowledge_show_text(a, i->summary));
}

static struct val *tags(struct arena *a, const struct kn_item *i)
{
	struct val *list = val_list(a);

	for (size_t k = 0; k < i->tags.n; k++)
		val_add(list, knowledge_show_text(a, i->tags.p[k]));
	return list;
}

struct val *knowledge_summary_val(struct arena *a, const struct kn_item *i)
{
	struct val *v = val_map(a);

	knowledge_show_head(a, v, i);
	val_set(a, v, "status", val_str(a, str_of(kn_statuses[i->status])));
	val_set(a, v, "tags", tags(a, i));
	val_set(a, v, "hasConstraints", val_bool(a, i->constraints_n > 0));
	val_set(a, v, "createdAt", knowledge_show_text(a, i->created_at));
	val_set(a, v, "path", knowledge_show_text(a, i->shown_path));
	if (i->broken)
		val_set(a, v, "broken", val_bool(a, true));
	return v;
}

struct val *knowledge_constraint_val(struct arena *a, const struct kn_constraint *c)
{
	struct val *v = val_map(a);

	val_set(a, v, "operator", val_str(a, str_of(kn_operators[c->op])));
	val_set(a, v, "target", val_str(a, str_of(kn_targets[c->target])));
	val_set(a, v, "pattern", knowledge_show_text(a, c->pattern));
	if (c->applies_to.n)
		val_set(a, v, "appliesTo", val_strs(a, &c->applies_to));
	if (c->version.n)
		val_set(a, v, "version", knowledge_show_text(a, c->version));
	return v;
}

static struct val *constraints(struct arena *a, const struct kn_item *i)
{
	struct val *list = val_list(a);

	for (size_t k = 0; k < i->constraints_n; k++) {
		const struct kn_constraint *c = &i->constraints[k];
		struct val *v = val_add(list, knowledge_constraint_val(a, c));

		val_set(a, v, "severity", val_str(a, str_of(kn_severities[c->severity])));
		if (c->message.n)
			val_set(a, v, "message", knowledge_show_text(a, c->message));
		if (c->use_instead.n)
			val_set(a, v, "useInstead", knowledge_show_text(a, c->use_instead));
	}
	return list;
}

struct val *knowledge_item_val(struct arena *a, const struct kn_item *i, bool with_constraints)
{
	struct val *v = val_map(a), *list;

	knowledge_show_head(a, v, i);
	val_set(a, v, "content", knowledge_show_text(a, i->content));
	val_set(a, v, "status", val_str(a, str_of(kn_statuses[i->status])));
	val_set(a, v, "severity", val_str(a, str_of(kn_severities[i->severity])));
	val_set(a, v, "tags", tags(a, i));
	if (with_constraints)
		val_set(a, v, "constraints", constraints(a, i));
	val_set(a, v, "metadata", val_copy(a, i->metadata));
	val_set(a, v, "createdAt", knowledge_show_text(a, i->created_at));
	val_set(a, v, "updatedAt",
		knowledge_show_text(a, i->updated_at.n ? i->updated_at : i->created_at));
	if (i->supersedes.n)
		val_set(a, v, "supersedes", knowledge_show_text(a, i->supersedes.p[0]));
	if (i->supersedes.n > 1) {
		list = val_set(a, v, "supersedesAll", val_list(a));
		for (size_t k = 0; k < i->supersedes.n; k++)
			val_add(list, knowledge_show_text(a, i->supersedes.p[k]));
	}
	if (i->superseded_by.n) {
		list = val_set(a, v, "supersededBy", val_list(a));
		for (size_t k = 0; k < i->superseded_by.n; k++)
			val_add(list, knowledge_show_text(a, i->superseded_by.p[k]));
	}
	val_set(a, v, "path", knowledge_show_text(a, i->shown_path));
	return v;
}

struct err *knowledge_history(struct arena *a, const struct kn_item *i, struct val **out)
{
	struct git_log log = {0};
	struct tree *head_tree;
	struct git *g;
	struct str path = str_fmt(a, "%.*s%.*s", STR_ARG(i->source->prefix), STR_ARG(i->path));

	*out = val_list(a);
	if (!i->source->repo)
		return NULL;
	TRY(git_open(a, i->source->repo, &g));
	/* Before the first commit there is no history, and that is no error. */
	if (!i->source->ref || !strcmp(i->source->ref, "HEAD")) {
		TRY(git_tree_head(g, &head_tree));
		if (!head_tree)
			return NULL;
	}
	TRY(git_file_log(g, a, i->source->ref ? i->source->ref : "HEAD", path, 0, &log));
	for (size_t k = 0; k < log.n; k++) {
		struct val *v = val_add(*out, val_map(a));

		val_set(a, v, "version", knowledge_show_text(a, log.p[k].id));
		val_set(a, v, "timestamp", val_str(a, os_time_text(a, log.p[k].time, false)));
		val_set(a, v, "author", knowledge_show_text(a, log.p[k].author));
		val_set(a, v, "message", knowledge_show_text(a, log.p[k].message));
	}
	return NULL;
}
