#include "recall/search_filter.h"
#include "memory/storage_internal.h"

static uint64_t *group(struct meant *m, size_t n, bool negated)
{
	uint64_t *marks = arena_array(m->a, n, sizeof(uint64_t));

	*VEC_PUSH(m->a, &m->groups) = (struct index_clause){.marks = marks, .n = n, .not = negated};
	return marks;
}

static void group_of_strs(struct meant *m, const struct strs *v, enum memory_mark class, bool all)
{
	uint64_t *marks = NULL;

	for (size_t i = 0; i < v->n; i++) {
		if (all || !marks)
			marks = group(m, all ? 1 : v->n, false);
		marks[all ? 0 : i] = memory_mark_of_text(class, v->p[i]);
	}
}

static void group_of_bits(struct meant *m, unsigned bits, enum memory_mark class,
			  const char *const *names)
{
	struct strs v = {0};

	for (unsigned i = 0; names[i]; i++)
		if (bits & 1u << i)
			strs_push(m->a, &v, str_of(names[i]));
	group_of_strs(m, &v, class, false);
}

enum memory_layer recall_filter_layer_of_scope(const struct meant *m, int64_t scope)
{
	for (size_t i = 0; i < m->scopes.n; i++)
		if (m->scopes.p[i].scope == scope)
			return m->scopes.p[i].layer;
	return MEMORY_LAYERS_END;
}

void recall_filter_make(struct meant *m)
{
	const struct memory_search *q = m->q;
	const unsigned passing = 1u << MEMORY_WORKING | 1u << MEMORY_SCRATCH;
	uint64_t *marks = group(m, m->scopes.n, false);

	m->index_scopes = arena_array(m->a, 2 * m->scopes.n, sizeof(*m->index_scopes));
	for (size_t i = 0; i < m->scopes.n; i++) {
		const int64_t scope = m->scopes.p[i].scope;

		marks[i] = memory_index_mark_of_scope(scope);
		m->index_scopes[m->n_index_scopes++] = memory_index_scope(scope, false);
		if (!q->no_sensitive)
			m->index_scopes[m->n_index_scopes++] = memory_index_scope(scope, true);
	}
	group_of_bits(m, q->kinds ? q->kinds : passing, MARK_KIND, memory_kinds);
	m->groups.p[m->groups.n - 1].not = !q->kinds;
	group_of_strs(m, &q->tags, MARK_TAG, q->all_tags);
	group_of_strs(m, &q->types, MARK_TYPE, false);
	if (q->source.n)
		*group(m, 1, false) = memory_mark_of_text(MARK_SOURCE, q->source);
	if (q->session.n)
		*group(m, 1, false) = memory_mark_of_text(MARK_SESSION, q->session);
	if (q->status >= 0)
		*group(m, 1, false) =
			memory_mark_of_text(MARK_STATUS, str_of(memory_statuses[q->status]));
	if (q->provenances)
		group_of_bits(m, q->provenances, MARK_PROVENANCE, memory_provenances);
	if (q->no_sensitive)
		*group(m, 1, true) = memory_mark_of_text(
			MARK_REDACTION, str_of(memory_redactions[MEMORY_SENSITIVE]));
	*group(m, 1, true) =
		memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_REJECTED]));
	if (q->strict)
		*group(m, 1, true) =
			memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_CONFLICT]));
	m->n_always = m->groups.n;
	/* With as_of, a memory that was superseded later counts as active. */
	if (q->strict && !q->as_of)
		*group(m, 1, true) =
			memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_SUPERSEDED]));
}

static bool has_mark(const uint64_t *marks, size_t n, const struct index_clause *g)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < g->n; k++)
			if (marks[i] == g->marks[k])
				return true;
	return false;
}

bool recall_memory_is_replaced(const struct meant *m, const struct memory *one)
{
	return one->superseded && one->superseded <= m->now;
}

enum memory_state recall_filter_memory_state_at(const struct meant *m, const struct memory *one)
{
	if (one->state == MEMORY_REJECTED)
		return MEMORY_REJECTED;
	if (one->expires && one->expires <= m->now)
		return MEMORY_EXPIRED;
	if (recall_memory_is_replaced(m, one))
		return MEMORY_SUPERSEDED;
	return one->state == MEMORY_CONFLICT ? MEMORY_CONFLICT : MEMORY_CURRENT;
}

enum meant_answer recall_filter_passes(const struct meant *m, const struct memory *one,
				       enum memory_state state, bool marked)
{
	const struct memory_search *q = m->q;
	uint64_t marks[MEMORY_MARKS_MAX];
	size_t n = marked ? 0 : memory_marks(one, marks);

	for (size_t i = 0; i < m->n_always && !marked; i++)
		if (has_mark(marks, n, &m->groups.p[i]) == m->groups.p[i].not )
			return MEANT_NOT;
	if ((q->happened_from && one->happened < q->happened_from) ||
	    (q->happened_to && one->happened >= q->happened_to) || state == MEMORY_REJECTED ||
	    (q->as_of && one->created > q->as_of) || one->importance < q->importance_min)
		return MEANT_NOT;
	if (!q->strict || state == MEMORY_CURRENT)
		return MEANT_HIT;
	return recall_memory_is_replaced(m, one) ? MEANT_BY_REPLACEMENT : MEANT_NOT;
}
