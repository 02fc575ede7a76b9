/* mem search: the memories that answer a question (requirement: memory and knowledge,
 * memory_search). */
#include "common/memories.h"
#include "common/time_param.h"
#include "memory/search.h"

struct args {
	struct str query, type, session, since, until, as_of;
	struct cmd_bits layers, kind;
	struct strs tags;
	struct cmd_list filter;
	int64_t limit;
	double threshold;
	bool strict, explain;
};

/* An example of the requirement has {"filter": {"tags": […]}}, its schema has "tags". */
struct filter {
	struct strs tags;
};
static const struct param filter[] = {
	PARAM_OF(struct filter, tags, .max = MEMORY_TAG_MAX, .help = "with any of these"),
	{0},
};

static const struct param params[] = {
	PARAM(query, .flags = ARG | REQUIRED | STDIN | WORDS, .max = MEMORY_QUERY_MAX,
	      .help = "Search query: a question, or some words"),
	PARAM(layers, .letter = 'l', .option = "layer", .choices = mem_layers,
	      .help = "Layers to search; else all that are known"),
	PARAM(limit, .letter = 'n', .min = 1, .max = 100, .def = "10", .help = "Maximum results"),
	PARAM(threshold, .min = 0, .max = 1, .def = "0.7", .help = "Minimum similarity threshold"),
	PARAM(tags, .letter = 't', .option = "tag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .help = "Filter by tags: with any of these"),
	PARAM(filter, .flags = JSON_ONLY | HIDDEN | ONE, .sub = filter,
	      .sub_size = sizeof(struct filter), .help = "another place for tags"),
	PARAM(kind, .letter = 'k', .choices = mem_kinds,
	      .help = "of these kinds; else all but working and scratch"),
	PARAM(type, .meta = "word", .min = 1, .max = MEMORY_NAME_MAX, .help = "of this type"),
	PARAM(session, .option = "in-session", .meta = "id", .min = 1, .max = 256,
	      .help = "of this conversation"),
	PARAM(since, .meta = "time", .min = 1, .max = 64,
	      .help = "what happened not before: a date, a time, or 30m, 12h, 7d ago"),
	PARAM(until, .meta = "time", .min = 1, .max = 64, .help = "what happened before"),
	PARAM(as_of, .option = "as-of", .meta = "time", .min = 1, .max = 64, .also = "asOf",
	      .help = "as it was at this time"),
	PARAM(strict, .help = "leave out what is superseded, expired or in conflict"),
	PARAM(explain, .help = "tell each part of a score"),
	{0},
};

static const struct field parts[] = {
	{"words", "the query's words, by how rare they are", F_NUM},
	{"phrase", "words that stand together in both", F_NUM},
	{"neighbours", "the turns before it", F_NUM},
	{"session", "the best turn of its conversation; its own words alone", F_NUM},
	{"speaker", "who says it is named in the query", F_NUM},
	{"date", "it happened when the query says, or tells a time that is asked for", F_NUM},
	{"vector", "how near its meaning is", F_NUM},
	{"state", "for what is superseded, expired, in conflict, or replaces another", F_NUM},
	{0},
};

static const struct field hit[] = {
	{"content", "what is remembered", F_STR},
	{"layer", "the layer it came from", F_STR, .choices = mem_layers},
	{"score", "0 to 1, best first", F_NUM},
	{"memoryId", "its id", F_STR},
	{"tags", "sorted", F_STRS},
	{"kind", "what kind of memory it is", F_STR, .choices = mem_kinds},
	{"type", "observation, user_preference, goal and the like", F_STR, OPTIONAL},
	{"speaker", "whose turn it is", F_STR, OPTIONAL},
	{"state",
	 "whether it still holds: others than active rank behind, and strict leaves them out",
	 F_STR, .choices = mem_states},
	{"supersededBy", "the memory that replaced it", F_STR, OPTIONAL},
	{"happenedAt", "when what it tells of was", F_STR},
	{"createdAt", "when it was stored", F_STR},
	{"parts", "points; their sum decides the score", F_OBJ, OPTIONAL, .sub = parts},
	{0},
};

static const struct field result[] = {
	{"success", "always true", F_BOOL},
	{"results", "the best first", F_LIST, .sub = hit},
	{"totalCount", "how many reach the threshold, before the limit; with belowThreshold 1",
	 F_INT},
	{"searchedLayers", "whose memories were searched", F_STRS},
	{"belowThreshold", "the one result does not reach the threshold", F_BOOL, OPTIONAL},
	{"words", "what was looked for, and stood in for it", F_STRS, OPTIONAL},
	{"note", "why it was found by words alone", F_STR, OPTIONAL},
	{0},
};

static double mem_search_shown(double x)
{
	return (double)(int64_t)(x * 10000 + (x < 0 ? -0.5 : 0.5)) / 10000;
}

static struct val *parts_val(struct arena *a, const struct memory_parts *p)
{
	const double of[] = {p->words,   p->phrase, p->neighbours, p->session,
			     p->speaker, p->date,   p->vector,     p->state};
	struct val *v = val_map(a);

	for (size_t i = 0; i < ARRAY_SIZE(of); i++)
		val_set(a, v, parts[i].name, val_double(a, mem_search_shown(of[i])));
	return v;
}

/* Members of memory_val(), and the score. */
static struct val *hit_val(struct arena *a, const struct memory_hit *h, bool explain)
{
	const struct val *all = memory_val(a, &h->memory);
	struct val *v = val_map(a);

	for (size_t i = 0; hit[i].name; i++)
		if (val_get(all, hit[i].name))
			val_set(a, v, hit[i].name, val_copy(a, val_get(all, hit[i].name)));
	val_set(a, v, "score", val_double(a, mem_search_shown(h->score)));
	if (explain)
		val_set(a, v, "parts", parts_val(a, &h->parts));
	return v;
}

static struct err *mem_search_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	const struct filter *more = args->filter.p;
	struct memory_search q = {
		.query = args->query,
		.layers = args->layers.bits,
		.kinds = args->kind.bits,
		.tags = args->tags,
		.session = args->session,
		.status = -1,
		.strict = args->strict,
		.threshold = args->threshold,
		.limit = (size_t)args->limit,
		.best_anyway = true,
	};
	struct memory_found found;
	struct memories *m;
	struct val *list;

	for (size_t i = 0; more && i < more->tags.n; i++)
		strs_push(c->a, &q.tags, more->tags.p[i]);
	if (args->type.n)
		strs_push(c->a, &q.types, args->type);
	TRY(when_read(args->since, "since", &q.happened_from));
	TRY(when_read(args->until, "until", &q.happened_to));
	TRY(when_read(args->as_of, "as_of", &q.as_of));
	TRY(mem_open_layers(c, args->layers.bits, &m));
	TRY(memory_search(m, c->a, &q, &found));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	list = val_set(c->a, *out, "results", val_list(c->a));
	for (size_t i = 0; i < found.n; i++)
		val_add(list, hit_val(c->a, &found.p[i], args->explain));
	val_set(c->a, *out, "totalCount", val_int(c->a, found.below_threshold ? 1 : found.total));
	list = val_set(c->a, *out, "searchedLayers", val_list(c->a));
	for (size_t i = 0; mem_layers[i]; i++)
		if (found.searched & 1u << i)
			val_add(list, val_str(c->a, str_of(mem_layers[i])));
	c->negative = !found.n;
	if (found.below_threshold)
		val_set(c->a, *out, "belowThreshold", val_bool(c->a, true));
	if (args->explain)
		val_set(c->a, *out, "words", val_strs(c->a, &found.words));
	if (found.note.n)
		val_set(c->a, *out, "note", val_str(c->a, found.note));
	return NULL;
}

static void mem_search_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "results"), v) {
		out_fmt(c->out, "%-4.4s  ", str_c(c->a, val_get(v, "score")->s));
		mem_print(c->out, v);
		VAL_EACH(val_get(v, "parts"), part)
			if (!str_is(part->s, "0"))
				out_fmt(c->out, "      %-10.*s  %.*s\n", STR_ARG(part->key),
					STR_ARG(part->s));
	}
	if (val_get(r, "note"))
		out_fmt(c->err, "%.*s\n", STR_ARG(val_get_str(r, "note")));
	if (!val_get(r, "results")->n)
		out_puts(c->err, "none of the memories searched has a word of the query\n");
	else if (val_get(r, "belowThreshold"))
		out_puts(c->err, "none reaches the threshold; this is the best\n");
}

const struct cmd cmd_mem_search = {
	.name = "mem search",
	.tool = "memory_search",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "find the memories that answer a question",
	.description = "Search your memory for relevant past information: user preferences, "
		       "project context, previous decisions, or any stored knowledge.",
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = mem_search_run,
	.text_val = mem_search_text,
};
