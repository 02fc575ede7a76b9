#include "knowledge/show.h"
#include "git/git.h"
#include "os/os.h"

static struct val *text(struct arena *a, struct str s)
{
	return val_str(a, str_utf8(a, s));
}

static void head(struct arena *a, struct val *v, const struct kn_item *i)
{
	val_set(a, v, "id", text(a, i->id));
	val_set(a, v, "type", val_str(a, str_of(kn_types[i->type])));
	val_set(a, v, "layer", val_str(a, str_of(kn_layers[i->layer])));
	val_set(a, v, "title", text(a, i->title));
	val_set(a, v, "summary", text(a, i->summary));
}

static struct val *tags(struct arena *a, const struct kn_item *i)
{
	struct val *list = val_list(a);

	for (size_t k = 0; k < i->tags.n; k++)
		val_add(list, text(a, i->tags.p[k]));
	return list;
}

struct val *knowledge_summary_val(struct arena *a, const struct kn_item *i)
{
	struct val *v = val_map(a);

	head(a, v, i);
	val_set(a, v, "status", val_str(a, str_of(kn_statuses[i->status])));
	val_set(a, v, "tags", tags(a, i));
	val_set(a, v, "hasConstraints", val_bool(a, i->constraints_n > 0));
	val_set(a, v, "createdAt", text(a, i->created_at));
	val_set(a, v, "path", text(a, i->shown_path));
	return v;
}

struct val *knowledge_constraint_val(struct arena *a, const struct kn_constraint *c)
{
	struct val *v = val_map(a);

	val_set(a, v, "operator", val_str(a, str_of(kn_operators[c->op])));
	val_set(a, v, "target", val_str(a, str_of(kn_targets[c->target])));
	val_set(a, v, "pattern", text(a, c->pattern));
	if (c->applies_to.n)
		val_set(a, v, "appliesTo", val_strs(a, &c->applies_to));
	if (c->version.n)
		val_set(a, v, "version", text(a, c->version));
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
			val_set(a, v, "message", text(a, c->message));
		if (c->use_instead.n)
			val_set(a, v, "useInstead", text(a, c->use_instead));
	}
	return list;
}

struct val *knowledge_item_val(struct arena *a, const struct kn_item *i, bool with_constraints)
{
	struct val *v = val_map(a), *list;

	head(a, v, i);
	val_set(a, v, "content", text(a, i->content));
	val_set(a, v, "status", val_str(a, str_of(kn_statuses[i->status])));
	val_set(a, v, "severity", val_str(a, str_of(kn_severities[i->severity])));
	val_set(a, v, "tags", tags(a, i));
	if (with_constraints)
		val_set(a, v, "constraints", constraints(a, i));
	val_set(a, v, "metadata", val_copy(a, i->metadata));
	val_set(a, v, "createdAt", text(a, i->created_at));
	val_set(a, v, "updatedAt", text(a, i->updated_at.n ? i->updated_at : i->created_at));
	if (i->supersedes.n)
		val_set(a, v, "supersedes", text(a, i->supersedes.p[0]));
	if (i->supersedes.n > 1) {
		list = val_set(a, v, "supersedesAll", val_list(a));
		for (size_t k = 0; k < i->supersedes.n; k++)
			val_add(list, text(a, i->supersedes.p[k]));
	}
	if (i->superseded_by.n) {
		list = val_set(a, v, "supersededBy", val_list(a));
		for (size_t k = 0; k < i->superseded_by.n; k++)
			val_add(list, text(a, i->superseded_by.p[k]));
	}
	val_set(a, v, "path", text(a, i->shown_path));
	return v;
}

struct err *knowledge_history(struct arena *a, const struct kn_item *i, struct val **out)
{
	struct git_log log = {0};
	struct git *g;
	struct str path = str_fmt(a, "%.*s%.*s", STR_ARG(i->source->prefix), STR_ARG(i->path));

	*out = val_list(a);
	if (!i->source->repo)
		return NULL;
	TRY(git_open(a, i->source->repo, &g));
	TRY(git_file_log(g, a, i->source->ref ? i->source->ref : "HEAD", path, 0, &log));
	for (size_t k = 0; k < log.n; k++) {
		struct val *v = val_add(*out, val_map(a));

		val_set(a, v, "version", text(a, log.p[k].id));
		val_set(a, v, "timestamp", val_str(a, os_time_text(a, log.p[k].time, false)));
		val_set(a, v, "author", text(a, log.p[k].author));
		val_set(a, v, "message", text(a, log.p[k].message));
	}
	return NULL;
}
