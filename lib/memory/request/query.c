/* Reads one memory query by the table of its members, and applies the tool's manifest. */
#include "request/internal.h"
#include "os/os.h"

#define NAMES_MAX 64 /* tags or types in one query */

/* ---- the tables ---- */

struct time_range {
	struct str start, end;
};
static const struct param time_range_params[] = {
	PARAM_OF(struct time_range, start, .min = 1, .max = 64,
		 .help = "the earliest time or date, ISO 8601"),
	PARAM_OF(struct time_range, end, .min = 1, .max = 64,
		 .help = "the latest time or date, ISO 8601; a date includes the whole day"),
	{0},
};

struct filters {
	struct strs tags, types;
	struct cmd_list time_range;
	double importance_min;
	struct str source;
	int status;
};
static const struct param filter_params[] = {
	PARAM_OF(struct filters, tags, .min = 1, .max = MEMORY_TAG_MAX,
		 .help = "tags that it must have, all of them"),
	PARAM_OF(struct filters, types, .min = 1, .max = MEMORY_TAG_MAX,
		 .help = "the types that are allowed"),
	PARAM_OF(struct filters, time_range, .flags = ONE, .sub = time_range_params,
		 .sub_size = sizeof(struct time_range), .help = "when it happened"),
	PARAM_OF(struct filters, importance_min, .min = 0, .max = 1,
		 .help = "the lowest importance"),
	PARAM_OF(struct filters, source, .flags = RARE, .min = 1, .max = 4096,
		 .help = "its source"),
	PARAM_OF(struct filters, status, .choices = memory_statuses,
		 .help = "only for scratch_page; default: active"),
	{0},
};

struct members {
	struct str query_id;
	int memory_type;
	struct str query_text;
	struct cmd_list filters;
	int64_t limit, budget_tokens;
};
const struct param request_query_params[] = {
	PARAM_OF(struct members, query_id, .flags = REQUIRED, .min = 1, .max = 256,
		 .help = "the id of the query, repeated in its answer"),
	PARAM_OF(struct members, memory_type, .flags = REQUIRED, .choices = access_types,
		 .help = "the memory type"),
	PARAM_OF(struct members, query_text, .flags = REQUIRED, .min = 0, .max = MEMORY_QUERY_MAX,
		 .help = "a question in any words; empty: the newest"),
	PARAM_OF(struct members, filters, .flags = ONE, .sub = filter_params,
		 .sub_size = sizeof(struct filters), .help = "conditions on the results"),
	PARAM_OF(struct members, limit, .def = "10", .min = 1, .max = REQUEST_LIMIT_MAX,
		 .help = "maximum number of results"),
	PARAM_OF(struct members, budget_tokens, .def = "500", .min = 1, .max = ACCESS_BUDGET_MAX,
		 .help = "maximum tokens of their contents"),
	{0},
};

/* ---- outcomes ---- */

void query_raise_outcome(struct query *q, struct arena *a, enum trace_outcome outcome,
			 const char *fmt, ...)
{
	struct buf b = buf_in(a);

	BUF_ARGS(&b, fmt);
	/* For a query that does not run, the earlier cuts are of no interest. */
	if (outcome > q->outcome && outcome >= TRACE_DENIED)
		q->reasons.n = 0;
	if (outcome > q->outcome)
		q->outcome = outcome;
	strs_push(a, &q->reasons, str_utf8(a, buf_as_str(&b)));
}

/* ---- reading ---- */

PRINTF(2, 3)
static struct err *request_query_wrong(const char *parameter, const char *fmt, ...)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	BUF_ARGS(&b, fmt);
	return err_for_param(E_BAD_ARGUMENT, str_of(parameter), "%s %.*s", parameter,
			     STR_ARG(buf_as_str(&b)));
}

static struct err *request_query_time_of(const char *name, struct str text, int64_t *out)
{
	if (os_time_read(text, out))
		return NULL;
	return request_query_wrong(
		name, "is '%.*s', which is not a time; write 2025-01-31 or 2025-01-31T12:00:00Z",
		STR_ARG(text));
}

static struct err *request_query_few(const char *name, const struct strs *v)
{
	if (v->n <= NAMES_MAX)
		return NULL;
	return request_query_wrong(name, "has %zu members; allowed: 0 to %d", v->n, NAMES_MAX);
}

static struct err *read_filters(const struct filters *in, enum access_type type,
				struct memory_search *s)
{
	TRY(request_query_few("filters.tags", &in->tags));
	TRY(request_query_few("filters.types", &in->types));
	if (in->status >= 0 && type != ACCESS_SCRATCH_PAGE)
		return request_query_wrong("filters.status",
					   "is for memory_type scratch_page only");
	if (in->time_range.n) {
		const struct time_range *range = in->time_range.p;
		bool fraction = str_find_char(range->end, '.', 0) != SIZE_MAX;
		int64_t start = 0, end = 0;

		if (range->start.p)
			TRY(request_query_time_of("filters.time_range.start", range->start,
						  &start));
		if (range->end.p)
			TRY(request_query_time_of("filters.time_range.end", range->end, &end));
		if (range->start.p && range->end.p && start > end)
			return request_query_wrong("filters.time_range.end", "is before the start");
		s->happened_from = start;
		/* A time that is written to the day or to the second includes all of it. */
		if (range->end.p)
			end += range->end.n <= strlen("2025-01-31") ? DAY_MS : fraction ? 1 : 1000;
		/* A search takes 0 as no limit; a millisecond earlier has the same effect. */
		s->happened_to = range->end.p && !end ? -1 : end;
	}
	/* An empty list is no filter. */
	if (in->tags.n)
		s->tags = in->tags;
	if (in->types.n)
		s->types = in->types;
	s->importance_min = isnan(in->importance_min) ? 0 : in->importance_min;
	s->source = in->source;
	if (in->status >= 0)
		s->status = in->status;
	return NULL;
}

static struct err *request_query_read_members(struct query *q, struct arena *a, const struct val *v)
{
	static const unsigned kinds[ACCESS_TYPES_END] = {
		[ACCESS_EPISODIC] = 1u << MEMORY_EPISODIC,
		[ACCESS_SEMANTIC] =
			1u << MEMORY_SEMANTIC | 1u << MEMORY_FACT | 1u << MEMORY_KNOWLEDGE_POINTER,
		[ACCESS_WORKING] = 1u << MEMORY_WORKING,
		[ACCESS_SCRATCH_PAGE] = 1u << MEMORY_SCRATCH,
		[ACCESS_CONVERSATION] = 1u << MEMORY_CONVERSATION,
	};
	const struct cmd shape = {.name = "a memory query", .params = request_query_params};
	struct members in = {0};

	TRY(cmd_defaults(a, shape.params, &in));
	TRY(cmd_parse_json(a, &shape, v, &in));
	q->type = (enum access_type)in.memory_type;
	q->limit = in.limit;
	q->budget = in.budget_tokens;
	q->search = (struct memory_search){
		.query = in.query_text,
		.kinds = kinds[q->type],
		.all_tags = true,
		.status = q->type == ACCESS_SCRATCH_PAGE ? MEMORY_ACTIVE : -1,
		.strict = true,
	};
	if (in.filters.n)
		TRY(read_filters(in.filters.p, q->type, &q->search));
	return NULL;
}

void query_read(struct query *q, struct arena *a, const struct val *v)
{
	struct err *e;

	/* Even a wrong query is answered under its name. */
	q->id = val_get_str(v, "query_id");
	q->type_text = val_get_str(v, "memory_type");
	q->text = val_get_str(v, "query_text");
	e = request_query_read_members(q, a, v);
	if (e)
		query_raise_outcome(q, a, TRACE_FAILED, "%s", err_message(e));
}

/* ---- the manifest ---- */

/* Limits the query to the declared types and names those that it removes. False when none is
 * left. */
static bool allow_types(struct query *q, struct arena *a, const struct strs *declared)
{
	struct strs *asked = &q->search.types, left = {0}, lost = {0};

	if (!declared->n)
		return true;
	if (!asked->n) {
		*asked = *declared;
		return true;
	}
	for (size_t i = 0; i < asked->n; i++)
		strs_push(a, strs_has(declared, asked->p[i]) ? &left : &lost, asked->p[i]);
	if (!left.n)
		query_raise_outcome(
			q, a, TRACE_DENIED,
			"Policy deny: the manifest declares none of the requested types; "
			"declared: %.*s",
			STR_ARG(str_join(a, declared, ", ")));
	else if (lost.n)
		query_raise_outcome(
			q, a, TRACE_CUT,
			"types removed, because the manifest does not declare them: %.*s",
			STR_ARG(str_join(a, &lost, ", ")));
	*asked = left;
	return left.n;
}

/*
 * A memory must have all tags of the query and one of the declared tags. A query that has a
 * declared tag meets both conditions. So no tag of the query is removed: the search would find more
 * than the tool asked for.
 */
static bool allow_tags(struct query *q, struct arena *a, const struct strs *declared)
{
	struct strs *asked = &q->search.tags;

	if (!declared->n)
		return true;
	if (!asked->n) {
		*asked = *declared;
		q->search.all_tags = false;
		return true;
	}
	for (size_t i = 0; i < asked->n; i++)
		if (strs_has(declared, asked->p[i]))
			return true;
	query_raise_outcome(
		q, a, TRACE_DENIED,
		"Policy deny: the manifest declares none of the requested tags; declared: %.*s",
		STR_ARG(str_join(a, declared, ", ")));
	return false;
}

void query_limit_to_tool_access(struct query *q, struct arena *a, const struct manifest *m)
{
	const struct access *access = &m->access[q->type];

	if (!access->enabled) {
		query_raise_outcome(q, a, TRACE_DENIED,
				    "Policy deny: tool '%.*s' does not declare access to %s",
				    STR_ARG(m->tool_id), access_types[q->type]);
		return;
	}
	q->access = access;
	if (!allow_types(q, a, &access->query_types) || !allow_tags(q, a, &access->tags))
		return;
	if (access->max_budget_tokens.given && q->budget > access->max_budget_tokens.n) {
		query_raise_outcome(q, a, TRACE_CUT,
				    "budget_tokens cut from %jd to %jd: max_budget_tokens",
				    (intmax_t)q->budget, (intmax_t)access->max_budget_tokens.n);
		q->budget = access->max_budget_tokens.n;
	}
	q->search.no_sensitive = !access->sensitive;
	q->search.provenances = access->provenances;
	q->search.layers = 1u << MEMORY_AGENT | access->layers;
}

/* ---- the cache key ---- */

static void put_part(struct buf *b, struct str s)
{
	buf_fmt(b, "%zu:", s.n);
	buf_put(b, s);
}

static void put_list(struct buf *b, const struct strs *v)
{
	buf_fmt(b, "%zu[", v->n);
	for (size_t i = 0; i < v->n; i++)
		put_part(b, v->p[i]);
}

struct str query_cache_key(const struct query *q, struct arena *a, const struct memories *from,
			   const struct manifest *m)
{
	const struct memory_who *who = &from->who;
	const struct str scopes[] = {who->agent, who->user, who->session, who->project,
				     who->team,  who->org,  who->company};
	const struct memory_search *s = &q->search;
	struct buf b = buf_in(a);

	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		put_part(&b, scopes[i]);
	if (from->vectors)
		put_list(&b, &from->vectors->command);
	put_part(&b, m->digest);
	put_part(&b, s->query);
	put_list(&b, &s->tags);
	put_list(&b, &s->types);
	put_part(&b, s->source);
	buf_fmt(&b, "%d %d %d %jd %jd %.17g %u %u %d %jd %jd", q->type, s->all_tags, s->status,
		(intmax_t)s->happened_from, (intmax_t)s->happened_to, s->importance_min, s->layers,
		s->provenances, s->no_sensitive, (intmax_t)q->limit, (intmax_t)q->budget);
	return buf_as_str(&b);
}
