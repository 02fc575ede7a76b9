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

#include "judge/internal.h"

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

static void pattern_limit_destroy(void *p)
{
	pthread_mutex_destroy(&((struct giveup *)p)->lock);
}

struct giveup *pattern_limit_new(struct arena *a, size_t rules)
{
	struct giveup *g = ARENA_NEW(a, struct giveup);

	pthread_mutex_init(&g->lock, NULL);
	arena_defer(a, pattern_limit_destroy, g);
	g->rules = arena_array(a, rules, sizeof(*g->rules));
	for (size_t i = 0; i < rules; i++)
		atomic_init(&g->rules[i].last, SIZE_MAX);
	return g;
}

static struct giveup_rule *pattern_limit_entry(const struct worker *w, const struct rule *r)
{
	return &w->run->giveup->rules[r - w->run->rules.p];
}

bool pattern_limit_reached(const struct worker *w, const struct rule *r)
{
	return w->at > atomic_load_explicit(&pattern_limit_entry(w, r)->last, memory_order_relaxed);
}

/* Keeps the lowest GIVEUP_FILES files. */
static void pattern_limit_count(struct giveup_rule *g, size_t at)
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

enum re_answer pattern_find(struct worker *w, const struct rule *r, struct str text, size_t from,
			    struct span *m)
{
	enum re_answer answer = re_find(r->c->re, w->re, text, from, m);

	if (answer == RE_LIMIT) {
		pthread_mutex_lock(&w->run->giveup->lock);
		pattern_limit_count(pattern_limit_entry(w, r), w->at);
		pthread_mutex_unlock(&w->run->giveup->lock);
	}
	return answer;
}

/* ---- after all files ---- */

/* Keeps what is not dropped. */
#define GIVEUP_KEEP(list, dropped)                                                                 \
	do {                                                                                       \
		size_t kept_ = 0;                                                                  \
                                                                                                   \
		for (size_t i_ = 0; i_ < (list)->n; i_++)                                          \
			if (!(dropped)[i_])                                                        \
				(list)->p[kept_++] = (list)->p[i_];                                \
		(list)->n = kept_;                                                                 \
	} while (0)

/* Takes what the worker reported of files behind the last one out of its lists. */
static void pattern_limit_drop(struct worker *w)
{
	const struct giveup_rule *rules = w->run->giveup->rules;
	struct arena *scratch ARENA_LOCAL = arena_new();
	bool *violation = arena_array(scratch, w->violations.n, sizeof(*violation));
	bool *waived = arena_array(scratch, w->waived.n, sizeof(*waived));
	bool *unjudged = arena_array(scratch, w->unjudged.n, sizeof(*unjudged));

	for (size_t i = 0; i < w->outcomes.n; i++) {
		const struct outcome *o = &w->outcomes.p[i];

		if (o->at <= rules[o->rule].last)
			continue;
		memset(violation + o->from, true, o->n);
		memset(waived + o->waived_from, true, o->waived_n);
		memset(unjudged + o->unjudged, true, o->unjudged_n);
		w->existing -= o->existing;
		w->waived_count -= o->waived;
	}
	GIVEUP_KEEP(&w->violations, violation);
	GIVEUP_KEEP(&w->waived, waived);
	GIVEUP_KEEP(&w->unjudged, unjudged);
	for (size_t i = 0; i < w->run->rules.n; i++)
		if (w->present[i] && w->present_at[i] > rules[i].last)
			w->present[i] = false;
}

static bool pattern_limit_applies(const struct run *run, const struct rule *r,
				  const struct subject *s)
{
	const struct target *t = targets[r->c->target];

	if (!s->has_now || (t->names && !t->names(s->now.path)))
		return false;
	if (t->reads == READS_TEXT &&
	    (!tree_file_is_regular(&s->now) || s->exempt.n || skip_path_is_data(s->now.path)))
		return false;
	return !(t->spares && t->spares(run, r, s, false));
}

/* Counts the files behind the last one that the rule is for. */
static void pattern_limit_warn(struct run *run, size_t rule)
{
	struct check_rule *one = ARENA_NEW(run->a, struct check_rule);
	const struct rule *r = &run->rules.p[rule];
	size_t n = 0, last = run->giveup->rules[rule].last;
	bool touched = false;

	for (size_t i = last + 1; i < run->subjects.n; i++) {
		const struct subject *s = &run->subjects.p[i];

		if (!pattern_limit_applies(run, r, s) ||
		    !rules_scope_holds(run, r->scope, s->now_glob))
			continue;
		n++;
		touched |= s->touched;
	}
	if (!n)
		return;
	*one = (struct check_rule){r->item, r->c};
	*VEC_PUSH(run->a, &run->out->unjudged) = (struct check_unjudged){
		.reason = CHECK_GIVEN_UP,
		.path = r->item->shown_path,
		.detail = str_fmt(run->a, "%zu file%s after it reached its match limit in %u", n,
				  PLURAL(n), GIVEUP_FILES),
		.severity = r->severity,
		.named = true,
		.rules = {one, 1},
		.blocks = touched && r->severity == KN_SEVERITY_BLOCK && run->in->unjudged_blocks,
	};
}

void pattern_limit_report(struct run *run)
{
	bool any = false;

	for (size_t i = 0; i < run->rules.n; i++)
		any |= run->giveup->rules[i].last != SIZE_MAX;
	if (!any)
		return;
	for (unsigned t = 0; t < run->threads; t++)
		pattern_limit_drop(&run->workers[t]);
	for (size_t i = 0; i < run->rules.n; i++)
		if (run->giveup->rules[i].last != SIZE_MAX)
			pattern_limit_warn(run, i);
}
