/* know: what the commands that read knowledge share. */
#include "know.h"
#include "knowledge/load.h"
#include "knowledge/show.h"

const struct field know_summary_fields[] = {
	{"id", "the item", F_STR},
	{"type", "what it is", F_STR, .choices = kn_types},
	{"layer", "who it binds", F_STR, .choices = kn_layers},
	{"title", "its title", F_STR},
	{"summary", "the decision in short", F_STR},
	{"status", "whether it holds", F_STR, .choices = kn_statuses},
	{"tags", "its tags", F_STRS},
	{"hasConstraints", "it has rules that check can judge", F_BOOL},
	{"createdAt", "date, or empty", F_STR},
	{"path", "its file", F_STR},
	{"broken", "some of it does not parse", F_BOOL, OPTIONAL},
	{0},
};

static const struct field constraint[] = {
	{"operator", "what is asked", F_STR, .choices = kn_operators},
	{"target", "of what", F_STR, .choices = kn_targets},
	{"pattern", "the pattern", F_STR},
	{"appliesTo", "globs of the files it is about", F_STRS, OPTIONAL},
	{"severity", "how severe it is", F_STR, .choices = kn_severities},
	{"message", "why, for people", F_STR, OPTIONAL},
	{"version", "the versions it is about", F_STR, OPTIONAL},
	{"useInstead", "what to use instead", F_STR, OPTIONAL},
	{0},
};

const struct field know_item_fields[] = {
	{"id", "the item", F_STR},
	{"type", "what it is", F_STR, .choices = kn_types},
	{"layer", "who it binds", F_STR, .choices = kn_layers},
	{"title", "its title", F_STR},
	{"summary", "the decision in short", F_STR},
	{"content", "the whole Markdown text", F_STR},
	{"status", "whether it holds", F_STR, .choices = kn_statuses},
	{"severity", "of its rules", F_STR, .choices = kn_severities},
	{"tags", "its tags", F_STRS},
	{"constraints", "its rules", F_LIST, OPTIONAL, .sub = constraint},
	{"metadata", "authors, reviewers, related items, references", F_OBJ},
	{"createdAt", "date, or empty", F_STR},
	{"updatedAt", "date, or empty", F_STR},
	{"supersedes", "the item that it replaced", F_STR, OPTIONAL},
	{"supersedesAll", "the items that it replaced, when there are several", F_STRS, OPTIONAL},
	{"supersededBy", "the items that replaced it", F_STRS, OPTIONAL},
	{"path", "its file", F_STR},
	{0},
};

static const struct field passed_fields[] = {
	{"file", "a file, or a source", F_STR},
	{"reason", "why it is no item", F_STR, .choices = kn_reasons},
	{"message", "what to do", F_STR},
	{0},
};

const struct field know_broken_fields[] = {
	{"file", "an item that could not be read as it was meant", F_STR},
	{"line", "from 1", F_INT, OPTIONAL},
	{"message", "what is wrong", F_STR},
	{0},
};

const struct field know_query_result[] = {
	{"success", "the query ran", F_BOOL},
	{"items", "what matches, best first", F_LIST, .sub = know_summary_fields},
	{"totalCount", "how many match in all", F_INT},
	{"rules", "the rules that judge, when they are asked for", F_LIST, OPTIONAL,
	 .sub = know_rule_fields},
	{"broken", "knowledge that does not parse, if any", F_LIST, OPTIONAL,
	 .sub = know_broken_fields},
	{"passed", "without a query: what looks like an item and is none", F_LIST, OPTIONAL,
	 .sub = passed_fields},
	{"noKnowledge", "no knowledge is configured", F_BOOL, OPTIONAL},
	{0},
};

struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out)
{
	struct knowledge_place p = {.git = c->git, .given = *given};
	struct conf *conf;

	if (c->git && !git_is_bare(c->git))
		TRY(git_tree_worktree(c->git, &p.tree));
	else if (c->git)
		TRY(git_tree_head(c->git, &p.tree));
	TRY(knowledge_tree_conf(c->a, p.tree, &c->set, &conf));
	p.conf = conf;
	return knowledge_load(c->a, &p, out);
}

struct err *know_find(struct call *c, const struct knowledge *k, struct str id, int layer,
		      const struct kn_item **out)
{
	struct strs ids = {0}, layers = {0};
	struct str near;
	struct err *e;

	*out = knowledge_find(k, id, layer);
	if (*out)
		return NULL;
	for (size_t i = 0; i < k->items.n; i++) {
		struct str l = str_of(kn_layers[k->items.p[i].layer]);

		strs_push(c->a, &ids, k->items.p[i].id);
		if (!strs_has(&layers, l))
			strs_push(c->a, &layers, l);
	}
	near = str_nearest(id, &ids);
	e = err_new(E_NO_SUCH_ITEM, "Knowledge item '%.*s' not found%s%.*s%s", STR_ARG(id),
		    near.n ? "; did you mean '" : "", STR_ARG(near), near.n ? "'?" : "");
	err_detail(e, "requestedId", id);
	err_detail_list(e, "searchedLayers", &layers);
	return err_help(e, "run 'ikm know list' for all items");
}

static struct val *broken_val(struct arena *a, const struct kn_note *n)
{
	struct val *v = val_map(a);

	val_set(a, v, "file", val_str(a, str_utf8(a, n->path)));
	if (n->line)
		val_set(a, v, "line", val_int(a, (int64_t)n->line));
	val_set(a, v, "message", val_str(a, str_utf8(a, n->message)));
	return v;
}

void know_add_broken(struct call *c, struct val *out, const struct knowledge *k,
		     const struct kn_item *item)
{
	struct val *list = val_list(c->a);

	for (size_t i = 0; i < k->notes.n; i++)
		if (k->notes.p[i].kind == KN_BROKEN &&
		    (!item || str_eq(k->notes.p[i].path, item->shown_path)))
			val_add(list, broken_val(c->a, &k->notes.p[i]));
	if (list->n)
		val_set(c->a, out, "broken", list);
}

/* Leaves broken files out: the member `broken` lists them. */
static void know_add_passed(struct call *c, struct val *out, const struct knowledge *k)
{
	struct val *list = val_list(c->a), *v;

	for (size_t i = 0; i < k->passed.n; i++) {
		const struct kn_passed *p = &k->passed.p[i];

		if (kn_reason_told(p->why) != KN_WARNING)
			continue;
		v = val_add(list, val_map(c->a));
		val_set(c->a, v, "file", val_str(c->a, str_utf8(c->a, p->path)));
		val_set(c->a, v, "reason", val_str(c->a, str_of(kn_reasons[p->why])));
		val_set(c->a, v, "message", val_str(c->a, str_utf8(c->a, p->message)));
	}
	if (list->n)
		val_set(c->a, out, "passed", list);
}

struct err *know_search(struct call *c, const struct know_query_args *args, unsigned statuses,
			struct val **out)
{
	struct knowledge_filter f = {.query = args->query,
				     .type = args->type,
				     .layer = args->layer,
				     .tags = args->tags,
				     .statuses = statuses};
	const struct kn_item **items;
	struct knowledge *k;
	struct val *list;
	size_t n;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_query(c->a, k, &f, &items, &n));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	list = val_set(c->a, *out, "items", val_list(c->a));
	for (size_t i = (size_t)args->offset; i < n && list->n < (size_t)args->limit; i++)
		val_add(list, knowledge_summary_val(c->a, items[i]));
	val_set(c->a, *out, "totalCount", val_int(c->a, (int64_t)n));
	know_add_broken(c, *out, k, NULL);
	if (!args->query.n)
		know_add_passed(c, *out, k);
	if (!k->sources)
		val_set(c->a, *out, "noKnowledge", val_bool(c->a, true));
	c->negative = !n;
	return NULL;
}

void know_print_broken(struct call *c, const struct val *r)
{
	int64_t line;

	VAL_EACH(val_get(r, "broken"), n) {
		out_styled(c->err, OUT_YELLOW, STR("broken knowledge"));
		out_puts(c->err, " ");
		out_safe(c->err, val_get_str(n, "file"), false);
		if (val_as_int(val_get(n, "line"), &line))
			out_fmt(c->err, ":%lld", (long long)line);
		out_puts(c->err, ": ");
		out_safe(c->err, val_get_str(n, "message"), false);
		out_puts(c->err, "\n");
	}
}

void know_print_rest(struct call *c, const struct val *r)
{
	const struct val *items = val_get(r, "items");
	int64_t total = val_get_int(r, "totalCount");

	if ((uint64_t)total > items->n)
		out_fmt(c->out, "%zu of %lld; --limit shows more\n", items->n, (long long)total);
	else if (val_get(r, "noKnowledge"))
		out_puts(c->err, "no knowledge is configured: see ikm-knowledge(5)\n");
	else if (!items->n)
		out_puts(c->err, "no item matches\n");
	know_print_broken(c, r);
	VAL_EACH(val_get(r, "passed"), n) {
		out_styled(c->err, OUT_YELLOW, STR("not read"));
		out_puts(c->err, " ");
		out_safe(c->err, val_get_str(n, "file"), false);
		out_puts(c->err, ": ");
		out_safe(c->err, val_get_str(n, "message"), false);
		out_puts(c->err, "\n");
	}
}

static void know_show_line(struct out *o, const char *label, struct str s)
{
	if (!s.n)
		return;
	out_style(o, OUT_DIM);
	out_fmt(o, "%-12s", label);
	out_style(o, OUT_PLAIN);
	out_safe(o, s, false);
	out_puts(o, "\n");
}

void know_print_item(struct out *o, const struct val *item, const struct val *log)
{
	out_styled(o, OUT_BOLD, val_get_str(item, "title"));
	out_puts(o, "\n");
	know_show_line(o, "id", val_get_str(item, "id"));
	know_show_line(o, "type", val_get_str(item, "type"));
	know_show_line(o, "layer", val_get_str(item, "layer"));
	know_show_line(o, "status", val_get_str(item, "status"));
	know_show_line(o, "date", val_get_str(item, "createdAt"));
	if (val_get(item, "supersedesAll"))
		VAL_EACH(val_get(item, "supersedesAll"), s)
			know_show_line(o, "supersedes", s->s);
	else
		know_show_line(o, "supersedes", val_get_str(item, "supersedes"));
	VAL_EACH(val_get(item, "supersededBy"), s)
		know_show_line(o, "replaced by", s->s);
	know_show_line(o, "file", val_get_str(item, "path"));
	VAL_EACH(val_get(item, "constraints"), r) {
		out_styled(o, OUT_YELLOW, val_get_str(r, "severity"));
		out_fmt(o, "  %.*s %.*s ", STR_ARG(val_get_str(r, "operator")),
			STR_ARG(val_get_str(r, "target")));
		out_safe(o, val_get_str(r, "pattern"), false);
		VAL_EACH(val_get(r, "appliesTo"), g) {
			out_puts(o, g == val_get(r, "appliesTo")->first ? " in " : ", ");
			out_safe(o, g->s, false);
		}
		out_puts(o, "\n");
	}
	VAL_EACH(log, h) {
		out_style(o, OUT_DIM);
		out_fmt(o, "%.*s %.*s ", STR_ARG(str_sub(val_get_str(h, "version"), 0, 12)),
			STR_ARG(str_sub(val_get_str(h, "timestamp"), 0, 10)));
		out_style(o, OUT_PLAIN);
		out_safe(o, val_get_str(h, "author"), false);
		out_puts(o, ": ");
		out_safe(o, val_get_str(h, "message"), false);
		out_puts(o, "\n");
	}
}
