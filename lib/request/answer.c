/* The answer to one query, with what was left out and why (requirement: memory queries, "Memory
 * Query Response"). */
#include "request/private.h"
#include "json/json.h"
#include "os/os.h"
#include <math.h>

static const char *const outcomes[] = TRACE_OUTCOMES;

static struct val *request_answer_time_val(struct arena *a, int64_t ms)
{
	return val_str(a, os_time_text(a, ms, true));
}

/* Four digits are more than a rank means. */
static struct val *score_val(struct arena *a, double score)
{
	return val_double(a, round(score * 1e4) / 1e4);
}

static struct val *result_val(struct arena *a, enum access_type type, const struct memory *m)
{
	struct val *v = val_map(a), *metadata = NULL;

	/* It was held to be an object when it was stored. */
	if (!m->metadata.n || json_read(a, m->metadata, NULL, &metadata))
		metadata = val_map(a);
	val_set(a, v, "id", val_str(a, m->id));
	val_set(a, v, "type", val_str(a, m->type.n ? m->type : str_of(memory_kind_names[m->kind])));
	val_set(a, v, "content", val_str(a, m->content));
	val_set(a, v, "source", val_str(a, m->source));
	val_set(a, v, "timestamp", request_answer_time_val(a, m->happened));
	val_set(a, v, "importance", val_double(a, m->importance));
	val_set(a, v, "tags", val_strs(a, &m->tags));
	val_set(a, v, "metadata", metadata);
	val_set(a, v, "provenance", val_str(a, str_of(memory_provenances[m->provenance])));
	if (type == ACCESS_SCRATCH_PAGE) {
		val_set(a, v, "status", val_str(a, str_of(memory_statuses[m->status])));
		val_set(a, v, "confidence", val_double(a, m->confidence));
	}
	if (type == ACCESS_CONVERSATION)
		val_set(a, v, "speaker", val_str(a, m->speaker));
	if (m->expires)
		val_set(a, v, "expires_at", request_answer_time_val(a, m->expires));
	return v;
}

/* Those of the found that have not expired since they were found. */
static size_t alive(struct arena *a, const struct found *f, int64_t now, struct candidate **out)
{
	size_t n = 0;

	*out = arena_array(a, size_max(f->n, 1), sizeof(**out));
	for (size_t i = 0; i < f->n; i++)
		if (!f->p[i].memory.expires || f->p[i].memory.expires > now)
			(*out)[n++] = f->p[i];
	return n;
}

static struct val *dropped_val(struct arena *a, const struct packing *p, const struct candidate *c)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < p->dropped.n; i++) {
		const struct packed *d = &p->dropped.p[i];
		struct val *v = val_add(list, val_map(a));

		val_set(a, v, "id", val_str(a, c[d->i].memory.id));
		val_set(a, v, "tokens", val_int(a, c[d->i].memory.tokens));
		val_set(a, v, "score", score_val(a, d->score));
	}
	return list;
}

struct val *query_answer(struct query *q, struct arena *a, struct answer *told)
{
	bool answered = q->found && q->outcome < TRACE_DENIED && !q->found->failed.n;
	struct packing p = {
		.limit = (size_t)q->limit, .now = told->now, .tau_days = told->tau_days};
	struct val *v = val_map(a), *results = val_list(a), *scores = val_list(a), *search;
	struct candidate *c = NULL;
	uint64_t from = os_ticks();

	if (q->found && q->found->failed.n)
		query_told(q, a, TRACE_FAILED, "%.*s", STR_ARG(q->found->failed));
	p.budget = told->budget = q->budget < told->left ? q->budget : told->left;
	if (answered) {
		size_t n = alive(a, q->found, told->now, &c);

		pack(&p, a, told->words, c, n);
		told->total = q->found->total - (int64_t)(q->found->n - n);
	}
	if (p.dropped.n)
		query_told(q, a, TRACE_CUT, "%zu did not fit into %jd tokens%s", p.dropped.n,
			   (intmax_t)p.budget,
			   p.budget < q->budget ? ", which the queries before it left" : "");
	for (size_t i = 0; i < p.picked.n; i++) {
		val_add(results, result_val(a, q->type, &c[p.picked.p[i].i].memory));
		val_add(scores, score_val(a, p.picked.p[i].score));
	}
	told->tokens = p.tokens;
	told->returned = (int64_t)p.picked.n;
	told->ticks = os_ticks() - from + (q->found && !q->cached ? q->found->ticks : 0);

	val_set(a, v, "query_id", val_str(a, q->id));
	val_set(a, v, "memory_type", val_str(a, q->type_text));
	val_set(a, v, "results", results);
	val_set(a, v, "total_results", val_int(a, told->total));
	val_set(a, v, "returned_results", val_int(a, told->returned));
	val_set(a, v, "tokens_used", val_int(a, told->tokens));
	search = val_set(a, v, "search_metadata", val_map(a));
	val_set(a, search, "query_time_ms", val_int(a, (int64_t)(told->ticks / 1000000)));
	val_set(a, search, "ranking_scores", scores);
	val_set(a, v, "dropped", dropped_val(a, &p, c));
	val_set(a, v, "budget_tokens", val_int(a, told->budget));
	val_set(a, v, "outcome", val_str(a, str_of(outcomes[q->outcome])));
	if (q->reasons.n)
		val_set(a, v, "reason", val_str(a, str_join(a, &q->reasons, "; ")));
	return v;
}
