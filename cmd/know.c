/* know: the decisions, for reading (seed 003, "knowledge_query", "knowledge_show"). */
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

static void print_summary(struct out *o, const struct val *i)
{
	struct str summary = val_get_str(i, "summary");

	out_styled(o, OUT_BOLD, val_get_str(i, "id"));
	out_puts(o, "  ");
	out_safe(o, val_get_str(i, "title"), false);
	out_puts(o, "\n  ");
	out_style(o, OUT_DIM);
	out_fmt(o, "%.*s %.*s, ", STR_ARG(val_get_str(i, "layer")), STR_ARG(val_get_str(i, "type")));
	out_safe(o, val_get_str(i, "status"), false);
	if (val_get_str(i, "createdAt").n) {
		out_puts(o, ", ");
		out_safe(o, val_get_str(i, "createdAt"), false);
	}
	if (val_get(i, "hasConstraints")->b)
		out_puts(o, ", has rules");
	VAL_EACH(val_get(i, "tags"), t) {
		out_puts(o, " #");
		out_safe(o, t->s, false);
	}
	out_style(o, OUT_PLAIN);
	out_puts(o, "\n");
	if (summary.n)
		out_wrapped(o, 2, summary);
}

static void items_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *items = val_get(r, "items");
	int64_t total = 0;
	size_t shown = 0;

	(void)args;
	val_as_int(val_get(r, "totalCount"), &total);
	VAL_EACH(items, i) {
		print_summary(c->out, i);
		shown++;
	}
	if ((uint64_t)total > shown)
		out_fmt(c->out, "%zu of %lld; --limit shows more\n", shown, (long long)total);
	else if (!shown)
		out_puts(c->err, "no item matches\n");
}

/* ---- know query ---- */

struct query_args {
	struct str query;
	int type, layer;
	struct strs tags;
	struct cmd_bits status;
	int64_t limit;
	struct strs knowledge;
};

/* The seed's statuses: rejected ones are for know list. */
static const char *const query_statuses[] = {
	"draft", "proposed", "accepted", "deprecated", "superseded", NULL,
};

#define QUERY(member, ...) PARAM_OF(struct query_args, member, __VA_ARGS__)
static const struct param query_params[] = {
	QUERY(query, .flags = ARG, .max = 4096, .help = "what to look for, in plain words"),
	QUERY(type, .letter = 't', .choices = kn_types, .help = "only this type"),
	QUERY(layer, .letter = 'l', .choices = kn_layers, .help = "only this layer"),
	QUERY(tags, .option = "tag", .help = "only items with this tag; may be repeated"),
	QUERY(status, .letter = 's', .choices = query_statuses, .def = "accepted",
	      .help = "only items of these statuses"),
	QUERY(limit, .letter = 'n', .min = 1, .max = 100, .def = "10",
	      .help = "how many at the most"),
	QUERY(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "one more source of knowledge; may be repeated"),
	{0},
};

static const struct field query_result[] = {
	{"success", "the query ran", F_BOOL},
	{"items", "what matches, best first", F_LIST, .sub = know_summary_fields},
	{"totalCount", "how many match in all", F_INT},
	{0},
};

static struct err *find(struct call *c, const struct query_args *args, unsigned statuses,
			struct val **out)
{
	struct knowledge_filter f = {.query = args->query, .type = args->type,
				     .layer = args->layer, .tags = args->tags,
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
	for (size_t i = 0; i < n && (int64_t)i < args->limit; i++)
		val_add(list, knowledge_summary_val(c->a, items[i]));
	val_set(c->a, *out, "totalCount", val_int(c->a, (int64_t)n));
	c->negative = !n && c->face == FACE_ARGV;
	return NULL;
}

static struct err *query_run(struct call *c, const void *p, struct val **out)
{
	const struct query_args *args = p;
	unsigned statuses = 0;

	for (unsigned i = 0; query_statuses[i]; i++)
		if (args->status.bits & 1u << i)
			statuses |= 1u << kn_word(kn_statuses, str_of(query_statuses[i]));
	return find(c, args, statuses, out);
}

const struct cmd cmd_know_query = {
	.name = "know query",
	.tool = "knowledge_query",
	.summary = "find decisions",
	.description = "Find what the organisation has decided: ADRs, policies, patterns and specs. "
		       "Use it for guidance before choosing a technology, a structure or a style.",
	.need = MAY_GIT,
	.args_size = sizeof(struct query_args),
	.params = query_params,
	.result = query_result,
	.run = query_run,
	.text = items_text,
};

/* ---- know list ---- */

static const struct param list_params[] = {
	QUERY(type, .letter = 't', .choices = kn_types, .help = "only this type"),
	QUERY(layer, .letter = 'l', .choices = kn_layers, .help = "only this layer"),
	QUERY(tags, .option = "tag", .help = "only items with this tag; may be repeated"),
	QUERY(status, .letter = 's', .choices = kn_statuses,
	      .help = "only items of these statuses; without it, all"),
	QUERY(limit, .letter = 'n', .min = 1, .max = 100000, .def = "1000",
	      .help = "how many at the most"),
	QUERY(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	      .help = "one more source of knowledge; may be repeated"),
	{0},
};

static struct err *list_run(struct call *c, const void *p, struct val **out)
{
	const struct query_args *args = p;

	return find(c, args, args->status.given ? args->status.bits : ~0u, out);
}

static void list_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *items = val_get(r, "items");

	(void)args;
	/* What has a fixed width first: ids and titles are as long as people make them. */
	VAL_EACH(items, i) {
		out_fmt(c->out, "%-10.*s  %-10.*s  ", STR_ARG(val_get_str(i, "status")),
			STR_ARG(str_sub(val_get_str(i, "createdAt"), 0, 10)));
		out_styled(c->out, OUT_BOLD, val_get_str(i, "id"));
		out_puts(c->out, "  ");
		out_safe(c->out, val_get_str(i, "title"), false);
		out_puts(c->out, "\n");
	}
	if (!items || !items->n)
		out_puts(c->err, "no item matches\n");
}

const struct cmd cmd_know_list = {
	.name = "know list",
	.tool = "knowledge_list",
	.summary = "list decisions, rejected ones too",
	.need = MAY_GIT,
	.args_size = sizeof(struct query_args),
	.params = list_params,
	.result = query_result,
	.run = list_run,
	.text = list_text,
};

/* ---- know show ---- */

struct show_args {
	struct str id;
	int layer;
	bool includeConstraints, includeHistory;
	struct strs knowledge;
};

#define SHOW(member, ...) PARAM_OF(struct show_args, member, __VA_ARGS__)
static const struct param show_params[] = {
	SHOW(id, .flags = ARG | REQUIRED, .min = 1, .max = 4096, .help = "the item"),
	SHOW(layer, .letter = 'l', .choices = kn_layers,
	     .help = "the item of this layer; without it, the most specific"),
	SHOW(includeConstraints, .option = "constraints", .def = "true", .help = "show its rules"),
	SHOW(includeHistory, .option = "history", .def = "false",
	     .help = "show the commits that changed it"),
	SHOW(knowledge, .flags = CLI_ONLY | PATHS, .meta = "[LAYER=]DIR",
	     .help = "one more source of knowledge; may be repeated"),
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
	{"supersededBy", "the items that replaced it", F_STRS, OPTIONAL},
	{"path", "its file", F_STR},
	{0},
};

static const struct field history[] = {
	{"version", "the commit", F_STR},
	{"timestamp", "when", F_STR},
	{"author", "who", F_STR},
	{"message", "the commit's first line", F_STR},
	{0},
};

static const struct field show_result[] = {
	{"success", "it was found", F_BOOL},
	{"item", "the item", F_OBJ, NULLABLE, .sub = know_item_fields},
	{"history", "newest first", F_LIST, OPTIONAL, .sub = history},
	{0},
};

static struct err *show_run(struct call *c, const void *p, struct val **out)
{
	const struct show_args *args = p;
	const struct kn_item *item;
	struct knowledge *k;
	struct val *log;
	struct err *e;

	TRY(know_load(c, &args->knowledge, &k));
	e = know_find(c, k, args->id, args->layer, &item);
	if (e)
		return err_null(e, "item");
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "item", knowledge_item_val(c->a, item, args->includeConstraints));
	if (args->includeHistory) {
		TRY(knowledge_history(c->a, item, &log));
		val_set(c->a, *out, "history", log);
	}
	return NULL;
}

static void line(struct out *o, const char *label, struct str s)
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
	line(o, "id", val_get_str(item, "id"));
	line(o, "type", val_get_str(item, "type"));
	line(o, "layer", val_get_str(item, "layer"));
	line(o, "status", val_get_str(item, "status"));
	line(o, "date", val_get_str(item, "createdAt"));
	line(o, "supersedes", val_get_str(item, "supersedes"));
	VAL_EACH(val_get(item, "supersededBy"), s)
		line(o, "replaced by", s->s);
	line(o, "file", val_get_str(item, "path"));
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

static void show_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *item = val_get(r, "item");

	(void)args;
	know_print_item(c->out, item, val_get(r, "history"));
	out_puts(c->out, "\n");
	out_safe(c->out, str_trim(val_get_str(item, "content")), true);
	out_puts(c->out, "\n");
}

const struct cmd cmd_know_show = {
	.name = "know show",
	.tool = "knowledge_show",
	.summary = "show one decision whole",
	.description = "Show one knowledge item: its whole text, its rules and its metadata. Use it "
		       "for the details of a decision, policy, pattern or spec.",
	.need = MAY_GIT,
	.args_size = sizeof(struct show_args),
	.params = show_params,
	.result = show_result,
	.run = show_run,
	.text = show_text,
};
