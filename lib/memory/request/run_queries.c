/*
 * Runs a request's queries. ikm reads each query, applies the manifest, and runs the searches in
 * parallel. Then it packs the answers in order, because each answer uses part of the budget. At
 * last it writes the trace.
 */
#include "request/internal.h"
#include "os/os.h"
#include "words/words.h"

/* How many candidates are ranked. More than the limit, because relevance alone would leave out new
 * or important memories. */
#define CANDIDATES(limit) ((limit)*2 + 40)

/*
 * How long writing the trace waits for other writers, in ms. A denial must be recorded, so it waits
 * as long as other writes, and for the disk. Without a denial the wait is shorter and the disk may
 * be slow, because the tool is waiting.
 */
#define TRACE_DENIED_MS 10000
#define TRACE_MS        3000

struct run {
	struct requests *r;
	struct arena *a;
	const struct request *request;
	const struct manifest *manifest; /* NULL: no usable manifest; why_not says why */
	struct str why_not;
	struct request_cache *cache;
	struct query *queries;
	size_t n, executed;
	int64_t started[ACCESS_TYPES_END]; /* allowed queries of each type */
	int64_t now;
	struct memory_scopes *scopes; /* one for each type, by the layers of its access */
	struct found **todo;
	const struct query **todo_of;
	size_t n_todo;
	struct memories *threads; /* one handle for each */
	struct trace_list trace;
};

/* ---- running ---- */

/* The working memory and the scratch page: their questions name types, as in "any active alerts?".
 */
static bool request_is_small(const struct query *q)
{
	return q->type == ACCESS_WORKING || q->type == ACCESS_SCRATCH_PAGE;
}

/* Whether the query has a word of the type: "risk_alert" and "are there alerts?". */
static bool request_names_type(struct words *w, struct arena *a, const struct word_list *asked,
			       struct str type)
{
	struct word_list of = {0};
	char *text = str_c(a, type);

	for (char *p = text; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	words_read(w, a, str_of(text), &of);
	for (size_t i = 0; i < asked->n; i++)
		for (size_t k = 0; k < of.n && !asked->p[i].stop; k++)
			if (asked->p[i].term == of.p[k].term)
				return true;
	return false;
}

/*
 * Drops the hits that have nothing to do with the query. A memory that only stands beside another
 * one in time does not, unless both are turns of a conversation: what one program stores has one
 * session, whatever it is about. The words of a query that names nothing relate nothing.
 */
static struct err *request_drop_unrelated(struct memories *m, struct arena *a,
					  const struct query *q, struct memory_found *all)
{
	size_t n = 0, read = all->n;
	struct word_list asked = {0};
	struct words *w;
	bool names = false;

	TRY(memory_word_splitter(m, a, &w));
	words_read(w, a, q->search.query, &asked);
	/* "What is it?" names nothing: any memory has such words. */
	for (size_t i = 0; i < asked.n && !names; i++)
		names = !asked.p[i].stop;
	for (size_t i = 0; i < read; i++) {
		struct memory_hit *hit = &all->p[i];
		bool relates =
			names && (hit->relates || (memory_kind_rules[hit->memory.kind].has_turns &&
						   hit->memory.session.n));

		if (hit->relevance == MEMORY_RECENT) {
			hit->relevance = MEMORY_WEAK;
			relates = hit->memory.type.n &&
				  request_names_type(w, a, &asked, hit->memory.type);
		}
		if (relates)
			all->p[n++] = *hit;
	}
	all->n = n;
	/* Behind the limit of a search that browsed nothing is known to have to do with it. */
	all->total = request_is_small(q) ? (int64_t)n : all->total - (int64_t)(read - n);
	return NULL;
}

static struct err *request_search(struct memories *m, struct arena *a, const struct query *q,
				  const struct memory_scopes *scopes, struct memory_found *out)
{
	struct memory_search s = q->search;
	/* Whether only memories that have to do with the query's text are results. */
	bool related = q->access->fallback == ACCESS_FALLBACK_NONE && str_trim(q->search.query).n;

	*out = (struct memory_found){0};
	/* Nobody has stored anything in these scopes. */
	if (!scopes->n)
		return NULL;
	s.scopes = scopes;
	s.limit = CANDIDATES((size_t)q->limit);
	s.browse = request_is_small(q) || (!related && (s.tags.n || s.types.n)) ? MEMORY_BROWSE_TOO
		   : related ? MEMORY_BROWSE_NEVER
			     : MEMORY_BROWSE_IF_NONE;
	TRY(memory_search(m, a, &s, out));
	return related ? request_drop_unrelated(m, a, q, out) : NULL;
}

static void execute(void *ctx, unsigned thread, size_t i)
{
	struct run *run = ctx;
	struct found *f = run->todo[i];
	const struct query *q = run->todo_of[i];
	struct arena *a ARENA_LOCAL = arena_new();
	struct memory_found all;
	uint64_t from = os_ticks();
	struct err *e = request_search(&run->threads[thread], a, q, &run->scopes[q->type], &all);

	if (e)
		f->failed = str_utf8(f->a, str_dup(f->a, str_of(err_message(e))));
	if (!e && all.n)
		f->p = arena_array(f->a, f->cap = all.n, sizeof(*f->p));
	for (size_t k = 0; !e && k < all.n; k++) {
		const struct memory_hit *hit = &all.p[k];
		struct memory m = hit->memory;

		/* Copies the parts of a hit that an answer needs; the search's memory is freed. */
		m.ties = NULL;
		m.user = m.agent = m.session = m.supersedes = m.superseded_by = (struct str){"", 0};
		*VEC_PUSH(f->a, f) = (struct candidate){.memory = memory_copy(f->a, &m),
							.relevance = hit->points,
							.says = hit->relevance};
	}
	f->total = e ? 0 : all.total;
	f->note = e ? STR("") : str_dup(f->a, all.note);
	f->done = true;
	f->ticks = os_ticks() - from;
}

/* The caller's handle, and one more handle for each further thread. */
static struct err *make_handles(struct run *run, unsigned n)
{
	const struct memories *m = run->r->memories;
	struct words *words;

	run->threads = arena_array(run->a, n, sizeof(*run->threads));
	run->threads[0] = *m;
	/* A repository is for one thread. */
	run->threads[0].ground = NULL;
	for (unsigned i = 1; i < n; i++) {
		struct memories *t = &run->threads[i];
		/* An arena is for one thread, and this handle has its own. */
		struct arena *a = arena_child(run->a);

		*t = *m;
		t->ground = NULL;
		t->db = db_new(a, db_path(m->db));
		t->words = NULL;
		TRY(memory_word_splitter(t, a, &words));
		if (m->vectors) {
			t->vectors = ARENA_NEW(a, struct vectors);
			*t->vectors = *m->vectors;
			t->vectors->db = t->db;
		}
	}
	return NULL;
}

/* ---- permission ---- */

ORDER_OF_POINTERS(request_by_id, struct query, ORDER_STR(id) || ORDER_PLACE)

static void allow(struct run *run, struct query *q)
{
	const struct str me = run->r->memories->who.agent, agent = run->request->agent_id;
	struct arena *a = run->a;

	if (agent.p && !str_eq(agent, me))
		query_raise_outcome(
			q, a, TRACE_DENIED,
			"Policy deny: the request names agent '%.*s', but the caller is agent "
			"'%.*s'",
			STR_ARG(agent), STR_ARG(me));
	else if (!run->manifest)
		query_raise_outcome(q, a, TRACE_DENIED, "Policy deny: %.*s", STR_ARG(run->why_not));
	else
		query_limit_to_tool_access(q, a, run->manifest);
	if (q->outcome >= TRACE_DENIED)
		return;
	if (q->access->max_queries.given && run->started[q->type] >= q->access->max_queries.n)
		query_raise_outcome(q, a, TRACE_DENIED, "Policy deny: max_queries of %s is %jd",
				    access_types[q->type], (intmax_t)q->access->max_queries.n);
	else if (run->executed == REQUEST_EXECUTED_MAX)
		query_raise_outcome(q, a, TRACE_DENIED,
				    "Policy deny: at most %d queries of a request run",
				    REQUEST_EXECUTED_MAX);
	if (q->outcome >= TRACE_DENIED)
		return;
	run->started[q->type]++;
	run->executed++;
}

static void request_prepare(struct run *run)
{
	size_t read = 0;
	struct query **sorted;

	VAL_EACH(run->request->queries, v)
		query_read(&run->queries[read++], run->a, v);
	/* Answers to two queries with one id could not be told apart: refuse the later ones. */
	sorted = arena_array(run->a, run->n + 1, sizeof(*sorted));
	for (size_t i = 0; i < run->n; i++)
		sorted[i] = &run->queries[i];
	if (run->n > 1)
		qsort(sorted, run->n, sizeof(*sorted), request_by_id);
	for (size_t i = 1; i < run->n; i++)
		if (sorted[i]->id.n && str_eq(sorted[i]->id, sorted[i - 1]->id))
			query_raise_outcome(
				sorted[i], run->a, TRACE_FAILED,
				"query_id '%.*s' is used by an earlier query; use each id once",
				STR_ARG(sorted[i]->id));
	for (size_t i = 0; i < run->n; i++) {
		struct query *q = &run->queries[i];

		if (q->outcome < TRACE_DENIED)
			allow(run, q);
		if (q->outcome >= TRACE_DENIED)
			continue;
		q->found = cache_find(run->cache,
				      query_cache_key(q, run->a, run->r->memories, run->manifest),
				      run->now, &q->cached);
		if (q->cached)
			continue;
		run->todo[run->n_todo] = q->found;
		run->todo_of[run->n_todo++] = q;
	}
}

/* An error here concerns all queries: the store cannot be read. */
static struct err *request_find(struct run *run)
{
	unsigned n = (unsigned)size_min(size_min(run->n_todo, os_cores()), OS_THREADS_MAX);
	struct memories *m = run->r->memories;
	struct memory_scopes known = {0};
	struct words *words;

	if (run->executed)
		TRY(memory_word_splitter(m, run->a, &words));
	if (!n)
		return NULL;
	run->scopes = arena_array(run->a, ACCESS_TYPES_END, sizeof(*run->scopes));
	TRY(memory_scopes(m, run->a, 0, &known));
	for (size_t i = 0; run->manifest && i < ACCESS_TYPES_END; i++) {
		/* A layer is permitted, not required: without its identifiers there is nothing to
		 * see. */
		unsigned layers = 1u << MEMORY_AGENT | run->manifest->access[i].layers;

		if (run->manifest->access[i].enabled && layers & known.layers)
			TRY(memory_scopes(m, run->a, layers & known.layers, &run->scopes[i]));
	}
	TRY(make_handles(run, n));
	os_parallel_for(run->n_todo, n, execute, run);
	for (unsigned i = 1; i < n; i++)
		db_damage_merge(m->db, run->threads[i].db);
	return NULL;
}

/* ---- the answers and the trace ---- */

static void trace(struct run *run, const struct query *q, const struct answer *answer)
{
	const struct str me = run->r->memories->who.agent;
	const struct request *r = run->request;

	*VEC_PUSH(run->a, &run->trace) = (struct trace_row){
		.time = run->now,
		.request = r->request_id,
		.tool = r->tool_id,
		.user = run->r->memories->who.user,
		/* A request may name any agent, but that agent did not send it. */
		.agent = me,
		.named_agent = r->agent_id.p && !str_eq(r->agent_id, me) ? r->agent_id : STR(""),
		.task = r->task_id,
		.query = q->id,
		.memory_type = q->type_text,
		.text = q->text,
		.outcome = q->outcome,
		.reason = str_join(run->a, &q->reasons, "; "),
		.total = answer->total,
		.returned = answer->returned,
		.budget = answer->budget,
		.tokens = answer->tokens,
		.time_ms = (double)(answer->ticks / 1000) / 1000,
		.cached = q->cached,
	};
}

struct err *request_answer_queries(struct requests *r, struct arena *a,
				   const struct request *request, struct request_contexts *contexts,
				   struct strs *warnings)
{
	struct run run = {.r = r, .a = a, .request = request, .now = os_now()};
	int64_t left = request->budget_tokens, version = 0;
	struct err *e;
	struct db_write how = {.sync = DB_LATER, .wait_ms = TRACE_MS};

	*contexts = (struct request_contexts){0};
	*warnings = (struct strs){0};
	run.n = request->queries ? request->queries->n : 0;
	if (!run.n)
		return NULL;
	run.queries = arena_array(a, run.n, sizeof(*run.queries));
	run.todo = arena_array(a, REQUEST_EXECUTED_MAX, sizeof(struct found *));
	run.todo_of = arena_array(a, REQUEST_EXECUTED_MAX, sizeof(const struct query *));
	run.cache = r->cache ? r->cache : request_result_cache_new(a);
	TRY(manifest_of_tool(a, r->home, request->tool_id, &run.manifest, &run.why_not));
	/* If it fails, so does the trace, and the warning says why. */
	if (r->trace_keep_ms > 0)
		(void)!db_open_for_writing(r->memories->db);
	/* Before the search: later changes may be missing in the answer. */
	e = memory_store_change_number(r->memories, &version);
	cache_expire(run.cache, e ? -1 : version, run.now);
	request_prepare(&run);
	e = request_find(&run);
	for (size_t i = 0; i < run.n; i++) {
		struct query *q = &run.queries[i];
		struct answer answer = {.now = run.now,
					.left = left,
					.tau_days = r->recency_days[q->type],
					.words = r->memories->words};

		if (e && q->found && !q->found->done)
			query_raise_outcome(q, a, TRACE_FAILED, "%s", err_message(e));
		*VEC_PUSH(a, contexts) = query_build_context(q, a, &answer);
		left -= answer.tokens;
		trace(&run, q, &answer);
	}
	if (r->trace_keep_ms <= 0)
		return NULL;
	for (size_t i = 0; i < run.trace.n; i++)
		if (run.trace.p[i].outcome == TRACE_DENIED)
			how = (struct db_write){.wait_ms = TRACE_DENIED_MS};
	e = trace_put(run.r->memories->db, &run.trace, run.r->trace_keep_ms, &how);
	if (e)
		strs_push(a, warnings,
			  str_fmt(a, "the turn trace was not written: %s", err_message(e)));
	return NULL;
}
