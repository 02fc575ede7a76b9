/*
 * Gives up patterns that reach their match limit again and again. One search ends after some tenths
 * of a second, but a tree may have a million files for it.
 *
 * A pattern is tried in every file up to the GIVEUP_FILES-th file, in order, in which it reaches
 * the limit. Threads do not know that file while they work, so some try the pattern in later files.
 * Their results are dropped at the end: the report does not depend on threads.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "judge/engine.h"

#define GIVEUP_FILES 8

struct giveup_rule {
	size_t at[GIVEUP_FILES]; /* lowest files in which the pattern reached its limit, ascending
				  */
	unsigned n;
	_Atomic size_t last; /* the last of them; SIZE_MAX: still tried everywhere */
};

struct giveup {
	pthread_mutex_t lock;
	struct giveup_rule *rules;
};

static void giveup_destroy(void *p)
{
	pthread_mutex_destroy(&((struct giveup *)p)->lock);
}

struct giveup *giveup_new(struct arena *a, size_t rules)
{
	struct giveup *g = ARENA_NEW(a, struct giveup);

	pthread_mutex_init(&g->lock, NULL);
	arena_defer(a, giveup_destroy, g);
	g->rules = arena_array(a, rules, sizeof(*g->rules));
	for (size_t i = 0; i < rules; i++)
		atomic_init(&g->rules[i].last, SIZE_MAX);
	return g;
}

static struct giveup_rule *giveup_of(const struct worker *w, const struct rule *r)
{
	return &w->run->giveup->rules[r - w->run->rules.p];
}

bool giveup_is(const struct worker *w, const struct rule *r)
{
	return w->at > atomic_load_explicit(&giveup_of(w, r)->last, memory_order_relaxed);
}

/* Keeps the lowest GIVEUP_FILES files. */
static void giveup_add(struct giveup_rule *g, size_t at)
{
	unsigned i = g->n;

	for (unsigned j = 0; j < g->n; j++)
		if (g->at[j] == at)
			return;
	if (i == GIVEUP_FILES) {
		if (at > g->at[--i])
			return;
	} else {
		g->n++;
	}
	for (; i && g->at[i - 1] > at; i--)
		g->at[i] = g->at[i - 1];
	g->at[i] = at;
	if (g->n == GIVEUP_FILES)
		atomic_store_explicit(&g->last, g->at[GIVEUP_FILES - 1], memory_order_relaxed);
}

enum re_answer giveup_find(struct worker *w, const struct rule *r, struct str text, size_t from,
			   struct span *m)
{
	enum re_answer answer = re_find(r->c->re, w->re, text, from, m);

	if (answer == RE_LIMIT) {
		pthread_mutex_lock(&w->run->giveup->lock);
		giveup_add(giveup_of(w, r), w->at);
		pthread_mutex_unlock(&w->run->giveup->lock);
	}
	return answer;
}

void giveup_told(struct worker *w, const struct rule *r, size_t violations, unsigned existing)
{
	*VEC_PUSH(w->a, &w->outcomes) = (struct outcome){
		.rule = (size_t)(r - w->run->rules.p),
		.at = w->at,
		.from = violations,
		.n = w->violations.n - violations,
		.existing = w->existing - existing,
		.unjudged = SIZE_MAX,
	};
}

void giveup_told_waived(struct worker *w, size_t waived, unsigned count)
{
	struct outcome *o = &w->outcomes.p[w->outcomes.n - 1];

	o->waived_from = waived;
	o->waived_n = w->waived.n - waived;
	o->waived = w->waived_count - count;
}

void giveup_told_unjudged(struct worker *w, const struct rule *r)
{
	*VEC_PUSH(w->a, &w->outcomes) = (struct outcome){
		.rule = (size_t)(r - w->run->rules.p), .at = w->at, .unjudged = w->unjudged.n - 1};
}

/* ---- after all files ---- */

/* Takes what the worker reported of files behind the last one out of its lists. */
static void giveup_drop(struct worker *w)
{
	const struct giveup_rule *rules = w->run->giveup->rules;
	struct arena *scratch = arena_new();
	bool *violation = arena_array(scratch, w->violations.n, sizeof(*violation));
	bool *waived = arena_array(scratch, w->waived.n, sizeof(*waived));
	bool *unjudged = arena_array(scratch, w->unjudged.n, sizeof(*unjudged));
	size_t kept = 0;

	for (size_t i = 0; i < w->outcomes.n; i++) {
		const struct outcome *o = &w->outcomes.p[i];

		if (o->at <= rules[o->rule].last)
			continue;
		for (size_t j = 0; j < o->n; j++)
			violation[o->from + j] = true;
		for (size_t j = 0; j < o->waived_n; j++)
			waived[o->waived_from + j] = true;
		if (o->unjudged != SIZE_MAX)
			unjudged[o->unjudged] = true;
		w->existing -= o->existing;
		w->waived_count -= o->waived;
	}
	for (size_t i = 0; i < w->violations.n; i++)
		if (!violation[i])
			w->violations.p[kept++] = w->violations.p[i];
	w->violations.n = kept;
	kept = 0;
	for (size_t i = 0; i < w->waived.n; i++)
		if (!waived[i])
			w->waived.p[kept++] = w->waived.p[i];
	w->waived.n = kept;
	kept = 0;
	for (size_t i = 0; i < w->unjudged.n; i++)
		if (!unjudged[i])
			w->unjudged.p[kept++] = w->unjudged.p[i];
	w->unjudged.n = kept;
	for (size_t i = 0; i < w->run->rules.n; i++)
		if (w->present[i] && w->present_at[i] > rules[i].last)
			w->present[i] = false;
	arena_free(scratch);
}

static bool giveup_applies(const struct run *run, const struct rule *r, const struct subject *s)
{
	const struct target *t = targets[r->c->target];

	if (t->names && !t->names(s->now.path))
		return false;
	if (t->reads == READS_TEXT &&
	    (!tree_file_has_text(&s->now) || s->exempt.n || skip_is_data(s->now.path)))
		return false;
	return !(t->spares && t->spares(run, r, s, false));
}

/* Counts the files behind the last one that the rule is for. */
static void giveup_report(struct run *run, size_t rule, bool *scoped)
{
	const struct rule *r = &run->rules.p[rule];
	size_t n = 0, last = run->giveup->rules[rule].last;
	bool touched = false;

	for (size_t i = last + 1; i < run->subjects.n; i++) {
		const struct subject *s = &run->subjects.p[i];

		if (!s->has_now || !giveup_applies(run, r, s))
			continue;
		rules_scope(run, s->now_glob, scoped);
		n += scoped[r->scope];
		touched |= scoped[r->scope] && s->touched;
	}
	if (n)
		unjudged_given_up(run, r, GIVEUP_FILES, n, touched);
}

void giveup_settle(struct run *run)
{
	bool any = false, *scoped;

	for (size_t i = 0; i < run->rules.n; i++)
		any |= run->giveup->rules[i].last != SIZE_MAX;
	if (!any)
		return;
	for (unsigned t = 0; t < run->threads; t++)
		giveup_drop(&run->workers[t]);
	scoped = arena_array(run->a, run->rules.scopes.n, sizeof(*scoped));
	for (size_t i = 0; i < run->rules.n; i++)
		if (run->giveup->rules[i].last != SIZE_MAX)
			giveup_report(run, i, scoped);
}
