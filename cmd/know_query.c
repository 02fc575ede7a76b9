/* know query, know list: which decisions there are (seed 003, "knowledge_query"). */
#include "know.h"
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
