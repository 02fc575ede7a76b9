/* mem search: finds the memories that answer a question (requirement: memory and knowledge,
 * memory_search). */
#include "memories/memories.h"
#include "reply/time_param.h"
#include "recall/search.h"

struct args {
	struct str query, type, session, since, until, as_of;
	struct cmd_bits layers, kind;
	struct strs tags;
	struct cmd_list filter;
	int64_t limit;
	double threshold;
	bool strict, explain;
};

/* The requirement has "tags" in its schema, but {"filter": {"tags": […]}} in an example. */
struct filter {
	struct strs tags;
};
static const struct param filter[] = {
	PARAM_OF(struct filter, tags, .max = MEMORY_TAG_MAX, .help = "with any of these tags"),
	{0},
};

static const struct param params[] = {
	PARAM(query, .flags = ARG | REQUIRED | STDIN | WORDS, .max = MEMORY_QUERY_MAX,
	      .help = "Search query: a question, or some words"),
	PARAM(layers, .also = "scope", .letter = 'l', .option = "layer", .choices = memory_layers,
	      .offers = mem_offers_layer, .help = "Layers to search; default: all that are known"),
	PARAM(limit, .letter = 'n', .min = 1, .max = 100, .def = "10", .help = "Maximum results"),
	PARAM(threshold, .flags = RARE, .min = 0, .max = 1, .def = "0.7",
	      .help = "Minimum similarity threshold"),
	PARAM(tags, .letter = 't', .option = "tag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .help = "Filter by tags: with any of these"),
	PARAM(filter, .flags = JSON_ONLY | HIDDEN | ONE, .sub = filter,
	      .sub_size = sizeof(struct filter), .help = "another way to give tags"),
	PARAM(kind, .flags = RARE, .letter = 'k', .choices = memory_kinds,
	      .help = "only these kinds; default: all except working and scratch"),
	PARAM(type, .flags = RARE, .meta = "word", .min = 1, .max = MEMORY_NAME_MAX,
	      .help = "only this type"),
	PARAM(session, .flags = RARE, .option = "in-session", .meta = "id", .min = 1, .max = 256,
	      .help = "only this conversation"),
	PARAM(since, .meta = "time", .min = 1, .max = 64,
	      .help = "the earliest time: a date, a time, or 30m, 2h30m, 7d, 1w ago"),
	PARAM(until, .flags = RARE, .meta = "time", .min = 1, .max = 64,
	      .help = "only memories from before this time"),
	PARAM(as_of, .flags = RARE, .option = "as-of", .meta = "time", .min = 1, .max = 64,
	      .also = "asOf", .help = "search the memories as they were at this time"),
	PARAM(strict, .flags = RARE,
	      .help = "leave out superseded, expired and conflicting memories, and those that "
		      "speak "
		      "of a file that has changed since"),
	PARAM(explain, .flags = RARE,
	      .help = "tell for each result which words of the query it has, and its points"),
	{0},
};

struct hit {
	struct memory memory;
	double score;
	struct str doubted_by, pairs;
	struct strs has, lacks;
	bool beside;
	const struct memory_parts *parts;
};

/* clang-format off */
static const struct field hit[] = {
	MEMORY_ROW_CONTENT(struct hit, memory.),
	FIELD_NAMED(struct hit, memory.layer, "layer", memory_layers, "the layer it came from"),
	MEMORY_ROW_ID(struct hit, memory.),
	MEMORY_ROW_TAGS(struct hit, memory.),
	MEMORY_ROW_KIND(struct hit, memory.),
	MEMORY_ROW_TYPE(struct hit, memory.),
	MEMORY_ROW_OWNER(struct hit, memory.),
	MEMORY_ROW_SPEAKER(struct hit, memory.),
	FIELD_NAMED(struct hit, memory.state, "state", memory_states,
		    "active, or why it no longer holds: such memories rank lower, and strict "
		    "leaves them out"),
	MEMORY_ROW_SUPERSEDED_BY(struct hit, memory.),
	FIELD_AS(struct hit, doubted_by, "maybeSupersededBy",
		 "a newer memory that may give another value of the same thing; nobody said so",
		 .flags = IF_ANY),
	MEMORY_ROW_HAPPENED(struct hit, memory.),
	MEMORY_ROW_CREATED(struct hit, memory.),
	MEMORY_ROWS_TIES(struct hit, memory.ties),
	FIELD_OF(struct hit, score, "0 to 1, best first"),
	FIELD_OF(struct hit, pairs,
		 "words of the query and words of the memory that are like them, when no memory "
		 "has much of the query",
		 .flags = IF_ANY),
	FIELD_OF(struct hit, has, "with explain: words of the query that it has", .flags = IF_ANY),
	FIELD_OF(struct hit, lacks, "with explain: words of the query that it lacks",
		 .flags = IF_ANY),
	FIELD_OF(struct hit, beside,
		 "with explain: it is here only because it stands beside a memory that has words of "
		 "the query",
		 .flags = IF_ANY),
	FIELD_RECORD_AT(struct hit, parts, "parts", mem_parts, "points; the score follows from their "
							   "sum",
			.flags = OPTIONAL),
	{0},
};
/* clang-format on */

struct result {
	bool success;
	struct {
		struct hit *p;
		size_t n;
	} results;
	int64_t totalCount;
	unsigned searched;
	bool belowThreshold, only_time;
	enum memory_relevance relevance;
	struct strs words;
	struct str note;
};

static bool mem_search_has_results(const void *r)
{
	return ((const struct result *)r)->results.n;
}

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD_RECORDS(struct result, results, "results", hit, "the best first"),
	FIELD(totalCount, "the results above the threshold, before the limit; with "
			  "belowThreshold, the results"),
	FIELD_SET(struct result, searched, "searchedLayers", memory_layers,
		  "the layers that were searched"),
	FIELD(belowThreshold, "no result reaches the threshold", .flags = IF_ANY),
	FIELD_NAMED(
		struct result, relevance, "relevance", memory_relevances,
		"answers: the best one answers the query; dated: it is of the time that the query "
		"names; weak: it shares words with the query, but may be about something else; "
		"related: it has no word of the query, only words that are like them",
		.flags = OPTIONAL, .given = mem_search_has_results),
	FIELD(words, "the query's words, and the words that replaced them", .flags = OPTIONAL),
	FIELD(note,
	      "why the search used words only, what strict left out, or which layers were not searched",
	      .flags = IF_ANY),
	{0},
};

static void mem_search_hits(struct arena *a, const struct memory_found *found, bool explain,
			    struct result *r)
{
	r->results.p = arena_array(a, size_max(found->n, 1), sizeof(*r->results.p));
	r->results.n = found->n;
	for (size_t i = 0; i < found->n; i++) {
		struct memory_hit *h = &found->p[i];

		mem_score_round(h);
		r->results.p[i] = (struct hit){
			.memory = h->memory,
			.score = h->score,
			.beside = explain && !h->relates && h->parts.session > 0,
			.doubted_by = h->doubted_by,
			.pairs = str_join(a, &h->pairs, ", "),
			.has = h->has,
			.lacks = h->lacks,
			.parts = explain ? &h->parts : NULL,
		};
	}
}

/*
 * Leaves out layers whose identifiers are not known here, and says which. Errors: MISSING_PARAMETER
 * when none is left.
 */
static struct err *mem_search_known(struct call *c, struct memories *m, unsigned *layers,
				    struct str *note)
{
	struct strs unknown = {0};
	struct err *first = NULL;
	unsigned known = 0;
	int64_t scope;

	for (unsigned i = 0; i < MEMORY_LAYERS_END; i++) {
		struct err *e;

		if (!(*layers & 1u << i))
			continue;
		e = memory_scope_of_layer(m, c->a, (enum memory_layer)i, false, &scope);
		if (e && err_reason(e) != E_MISSING_PARAMETER)
			return e;
		first = first ? first : e;
		if (e)
			strs_push(c->a, &unknown, str_of(memory_layers[i]));
		else
			known |= 1u << i;
	}
	if (*layers && !known)
		return first;
	*layers = known;
	if (unknown.n)
		*note = str_fmt(c->a, "not searched: %.*s; %s",
				STR_ARG(str_join(c->a, &unknown, ", ")), err_message(first));
	return NULL;
}

static struct err *mem_search_run(struct call *c, const void *p, void *out)
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
		.explain = args->explain,
	};
	struct result *r = out;
	struct memory_found found;
	struct str unknown = {0};
	struct memories *m;

	if (!str_trim(args->query).n)
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("query"), "the query is empty"),
			"'ikm mem list' lists memories without a query");
	if (more)
		strs_add_all(c->a, &q.tags, &more->tags);
	if (args->type.n)
		strs_push(c->a, &q.types, args->type);
	TRY(when_read_since_until(args->since, args->until, &q.happened_from, &q.happened_to));
	TRY(when_read_nonzero(args->as_of, "as_of", &q.as_of));
	TRY(mem_open_layers(c, args->layers.bits, &m));
	TRY(mem_search_known(c, m, &q.layers, &unknown));
	TRY(memory_search(m, c->a, &q, &found));
	r->success = true;
	mem_search_hits(c->a, &found, args->explain, r);
	r->totalCount = found.below_threshold ? (int64_t)found.n : found.total;
	r->searched = found.searched;
	r->belowThreshold = found.below_threshold;
	r->only_time = found.only_time;
	r->relevance = found.n ? found.p[0].relevance : MEMORY_RECENT;
	r->note = unknown.n && found.note.n
			  ? str_fmt(c->a, "%.*s; %.*s", STR_ARG(unknown), STR_ARG(found.note))
		  : unknown.n ? unknown
			      : found.note;
	if (args->explain) {
		r->words = found.words;
		r->words.p = r->words.p ? r->words.p : arena_alloc(c->a, 1);
	}
	c->negative = !found.n;
	return NULL;
}

static void mem_search_words(struct call *c, const char *name, struct str words)
{
	if (words.n)
		out_fmt(c->out, "      %-10s  %.*s\n", name, STR_ARG(words));
}

static void mem_search_text(struct call *c, const void *p, const void *out)
{
	const struct args *args = p;
	const struct result *r = out;

	VEC_EACH(const struct hit, h, &r->results) {
		out_fmt(c->out, "%.*s  ", STR_ARG(mem_score_text(c->a, h->score)));
		mem_print(c, &h->memory);
		if (h->doubted_by.n)
			out_fmt(c->out, "      maybe superseded by %.*s\n", STR_ARG(h->doubted_by));
		if (h->parts) {
			/* Why this is a result. */
			mem_search_words(c, "has", str_join(c->a, &h->has, ", "));
			mem_search_words(c, "meaning", h->pairs);
			mem_search_words(c, "lacks", str_join(c->a, &h->lacks, ", "));
			if (h->beside)
				mem_search_words(c, "beside",
						 STR("a memory that has words of the query"));
			for (const struct field *f = mem_parts; f->name; f++) {
				double points =
					*(const double *)(const void *)((const char *)h->parts +
									f->offset);

				if (points < 0 || points > 0)
					out_fmt(c->out, "      %-10s  %+5.2f  %s\n", f->name,
						points, f->help);
			}
		}
	}
	if (r->note.n)
		out_fmt(c->err, "%.*s\n", STR_ARG(r->note));
	if (!r->results.n)
		out_fmt(c->err, "no %smemory in this search %s\n", args->strict ? "current " : "",
			r->only_time ? "is of the time that the query names"
				     : "has a word of the query");
	else if (r->relevance == MEMORY_RELATED)
		out_puts(c->err, "no memory has words that answer; these are about like things\n");
	else if (r->belowThreshold)
		out_puts(c->err,
			 r->results.n > 1
				 ? "no memory reaches the threshold; these come nearest\n"
				 : "no memory reaches the threshold; this is the best one\n");
	else if (r->relevance == MEMORY_DATED)
		out_puts(c->err, "the query names only a time: this is what happened then\n");
	else if (r->relevance == MEMORY_WEAK)
		out_puts(c->err, "these share words with the query, but may be about something "
				 "else\n");
}

static const struct plain mem_search_plain = {
	.template = PLAIN_MEMORIES(
		"results",
		"{?maybeSupersededBy:, maybe superseded by {maybeSupersededBy}}"
		"{?^score:, score {score}}") "{?results:{?relevance='related':[no memory has words that "
					     "answer: these are about like things, and state no "
					     "answer]\n|{?belowThreshold:{?#results>1:[no memory "
					     "reaches the threshold: these come nearest, and may "
					     "be about something else]\n|[no memory reaches the "
					     "threshold; this is the best one]\n}|"
					     "{?relevance='weak':[these share words with the "
					     "query, but may be about something else]\n}"
					     "{?totalCount>#results:[{#results} of {totalCount} "
					     "memories]\n}}}}",
	.hidden = "success searchedLayers",
};

const struct cmd cmd_mem_search = {
	.name = "mem search",
	.tool = "memory_search",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "find the memories that answer a question",
	.description = "Search your memory for relevant past information: user preferences, "
		       "project context, previous decisions, or any stored knowledge.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_search_run,
	.text = mem_search_text,
	.plain = &mem_search_plain,
};
