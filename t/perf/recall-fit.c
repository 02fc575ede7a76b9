/*
 * recall-fit: fits the numbers of lib/memory/recall/rank.h. It only reads questions that are not
 *held out.
 *
 *	recall-fit weights SHAPES MADE LOCOMO STORES    the weights, from LoCoMo's turns
 *	recall-fit answers SHAPES MADE LOCOMO STORES    struct rank_answer, from all shapes
 *	recall-fit sure SHAPES MADE LOCOMO STORES       its last two numbers, likewise
 *
 * STORES is a folder that `recall ours` has filled. `make perf` does not build it:
 *
 *	make build/recall-fit
 */
#include "base/base.h"
#include "shapes.h"
#include "index/index.h"
#include "recall/rank.h"
#include "recall/search.h"
#include <math.h>

enum { ROUNDS = 25, FEATURES_MOST = 10 };

static struct memories *fit_store(struct shapes *all, const struct shape *s, unsigned store,
				  const char *dir)
{
	struct memories *m = ARENA_NEW(all->a, struct memories);
	const char *name = str_c(all->a, str_fmt(all->a, "%s%u.db", s->name, store));

	*m = (struct memories){.db = db_new(all->a, os_join(all->a, dir, name)),
			       .who = {.user = STR("ada")}};
	return m;
}

/* Steps are divided by how far a weight went (Adagrad). */
static void fit_step(double *w, double *went, const double *gradient, size_t n, double rate)
{
	for (size_t k = 0; k < n; k++) {
		went[k] += gradient[k] * gradient[k];
		w[k] += went[k] > 0 ? rate * gradient[k] / sqrt(went[k]) : 0;
	}
}

static double fit_sum(const double *w, const double *x, size_t n)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += w[k] * x[k];
	return sum;
}

/* ---- weights: a turn of the answer is the most likely of the turns of its conversation ---- */

static const char *const features[] = {"WORDS",  "COVERAGE", "PHRASE",  "BEFORE", "BEFORE2",
				       "ANSWER", "SESSION",  "SPEAKER", "DATE",   "WHEN"};
static const double weights[FEATURES_MOST] = {
	RANK_WORDS,  RANK_COVERAGE, RANK_PHRASE,  RANK_BEFORE, RANK_BEFORE2,
	RANK_ANSWER, RANK_SESSION,  RANK_SPEAKER, RANK_DATE,   RANK_WHEN};

/* A question, with the features of each turn of its conversation. */
struct example {
	double (*x)[FEATURES_MOST];
	bool *gold;
	size_t n;
};
struct exampling {
	struct shapes *all;
	const struct ask *q;
	struct memories *m;
	struct arena *scratch;
	struct example *out;
};

static void example_set(struct example *out, size_t i, const struct plan *p,
			const struct ranked_list *all, const struct ask *q)
{
	const struct ranked *r = &all->p[i];
	const struct ranked *b = r->before != RANK_NONE ? &all->p[r->before] : NULL;
	const struct ranked *bb = b && b->before != RANK_NONE ? &all->p[b->before] : NULL;
	double gate =
		fmin((r->parts.words + r->parts.phrase + r->parts.neighbours + r->parts.session) /
			     RANK_GATE,
		     1);
	int64_t unit;

	memcpy(out->x[i],
	       (double[FEATURES_MOST]){r->words, r->coverage, r->phrase, b ? b->words : 0,
				       bb ? bb->words : 0, b && b->asks ? b->words : 0,
				       r->parts.session / RANK_SESSION, gate * r->speaks,
				       gate * dates_match_score(&p->dates, r->memory->happened),
				       gate * r->tells_time},
	       sizeof(out->x[i]));
	if (!str_int(r->memory->source, &unit))
		BUG("a source is no unit");
	for (size_t g = 0; g < q->n_gold; g++)
		out->gold[i] = out->gold[i] || q->gold[g] == (size_t)unit;
}

/* The scope of the index that the first scope of a store has. */
static const int64_t one_scope[] = {2};

static struct err *example_read(struct exampling *e)
{
	struct db_txn txn DB_TXN = {0};
	struct arena *a = e->scratch;
	struct ranked_list all = {0};
	struct ranking *ranking;
	struct index_stats stats;
	struct plan p;

	TRY(db_begin_read(&txn, e->m->db));
	TRY(search_plan_make(e->m, a, e->q->text, 0, one_scope, 1, &p));
	ranking = ranking_new(a, e->m->words, &p);
	TRY(index_stats(e->m->db, a, one_scope, 1, &stats));
	e->out->x = arena_array(e->all->a, (size_t)stats.docs, sizeof(*e->out->x));
	e->out->gold = arena_array(e->all->a, (size_t)stats.docs, sizeof(bool));
	for (int64_t doc = 1; doc <= stats.docs; doc++) {
		struct ranked r = {.before = RANK_NONE, .meant = MEANT_HIT, .place = doc};
		struct memory_list rows;

		TRY(memory_get_by_numbers(e->m, a, &doc, 1, &rows));
		r.memory = rows.p;
		rank_set_features(ranking, &r);
		if (all.n && str_eq(all.p[all.n - 1].memory->session, r.memory->session) &&
		    !str_eq(all.p[all.n - 1].memory->speaker, r.memory->speaker))
			r.before = all.n - 1;
		*VEC_PUSH(a, &all) = r;
	}
	rank_all(&p, a, &all);
	for (e->out->n = 0; e->out->n < all.n; e->out->n++)
		example_set(e->out, e->out->n, &p, &all, e->q);
	return NULL;
}

/* One step up the likelihood that a turn drawn by exp(points) is one of the answer's. */
static void example_climb(const struct example *e, double *w, double *went)
{
	double gradient[FEATURES_MOST] = {0}, top = -INFINITY, sum = 0, gold = 0;

	for (size_t i = 0; i < e->n; i++)
		top = fmax(top, fit_sum(w, e->x[i], FEATURES_MOST));
	for (size_t i = 0; i < e->n; i++) {
		double likely = exp(fit_sum(w, e->x[i], FEATURES_MOST) - top);

		sum += likely;
		gold += e->gold[i] ? likely : 0;
	}
	if (!(gold > 0))
		return;
	for (size_t i = 0; i < e->n; i++) {
		double likely = exp(fit_sum(w, e->x[i], FEATURES_MOST) - top);
		double s = (e->gold[i] ? likely / gold : 0) - likely / sum;

		for (size_t k = 0; k < FEATURES_MOST; k++)
			gradient[k] += s * e->x[i][k];
	}
	fit_step(w, went, gradient, FEATURES_MOST, 0.5);
}

static void fit_weights(struct shapes *all, const char *dir)
{
	const struct shape *s = &all->p[0];
	struct {
		struct example *p;
		size_t n, cap;
	} examples = {0};
	double w[FEATURES_MOST], went[FEATURES_MOST] = {0};
	struct memories *m[STORES];

	if (!all->n || strcmp(s->name, "turns"))
		must(err_new(E_BAD_ARGUMENT, "LoCoMo is not there"));
	for (unsigned c = 0; c < s->stores; c++)
		m[c] = fit_store(all, s, c, dir);
	for (size_t i = 0; i < s->asks.n; i++) {
		struct exampling e = {all, &s->asks.p[i], m[s->asks.p[i].store], arena_new(), NULL};

		if (!e.q->held && !e.q->stranger) {
			e.out = VEC_PUSH(all->a, &examples);
			must(example_read(&e));
		}
		e.m->words = NULL;
		arena_free(e.scratch);
	}
	memcpy(w, weights, sizeof(w));
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < examples.n; i++)
			example_climb(&examples.p[(i * 7919 + round) % examples.n], w, went);
	for (size_t k = 0; k < FEATURES_MOST; k++)
		printf("RANK_%-8s  %6.2f  is %6.2f\n", features[k], w[k], weights[k]);
}

/* ---- answers: does the best memory answer? ---- */

static const char *const terms[RANK_ANSWER_TERMS] = {"constant", "points", "found", "missing",
						     "coverage"};
static const char *const groups[RANK_GROUPS] = {"turns", "facts", "texts"};

struct best {
	double x[RANK_ANSWER_TERMS], weight;
	double hidden;            /* R@10 that a wrong "no" loses */
	double score, has, share; /* by which it is told as an answer; its weight there */
	bool found;               /* the gold is among the first ten */
	double sum;               /* by numbers that are fitted on the other half */
	bool answers;
	enum rank_group group;
	unsigned half; /* of two: by conversation, or every other question */
};
struct besting {
	struct memories *m;
	struct arena *scratch;
	const struct ask *q;
	struct memory_hit hit;
	struct best *out;
};

static struct err *best_read(struct besting *b)
{
	struct db_txn txn DB_TXN = {0};
	struct ranked r = {.before = RANK_NONE, .meant = MEANT_HIT, .memory = &b->hit.memory};
	const struct memory_parts *parts = &b->hit.parts;
	struct plan p;

	TRY(db_begin_read(&txn, b->m->db));
	TRY(search_plan_make(b->m, b->scratch, b->q->text, 0, one_scope, 1, &p));
	rank_set_features(ranking_new(b->scratch, b->m->words, &p), &r);
	r.points = parts->words + parts->phrase + parts->neighbours + parts->session +
		   parts->speaker + parts->date + parts->vector + parts->state;
	rank_answer_features(&p, &r, b->out->x);
	b->out->group = rank_group_of(&r);
	b->out->score = b->hit.score;
	return NULL;
}

/* What part of the gold is among the ten first, but not the first: a wrong "no" hides it. */
static double best_hidden(const struct ask *q, const struct memory_found *found, size_t from)
{
	double hidden = 0;

	for (size_t i = from; i < found->n && i < 10; i++) {
		int64_t unit;

		if (!str_int(found->p[i].memory.source, &unit))
			BUG("a source is no unit");
		for (size_t g = 0; g < q->n_gold; g++)
			hidden += q->gold[g] == (size_t)unit;
	}
	return q->n_gold ? hidden / (double)q->n_gold : 0;
}

/*
 * Each shape weighs the same, and so do its answerable questions and its strangers. A shape with
 * few strangers weighs less.
 */
static double best_weight(const struct shape *s, bool stranger)
{
	size_t n[2] = {0};

	for (size_t i = 0; i < s->asks.n; i++)
		if (!s->asks.p[i].held)
			n[s->asks.p[i].stranger]++;
	return n[true] ? fmin(1, (double)n[true] / 30 + 0.15) * 30 / (double)n[stranger] : 0;
}

struct bests {
	struct best *p;
	size_t n, cap;
};

static void best_add(struct shapes *all, size_t shape, const struct ask *q, struct memories *m,
		     struct bests *out)
{
	const struct shape *s = &all->p[shape];
	struct memory_search ask = {.query = q->text, .status = -1, .limit = 10};
	struct besting b = {.m = m, .scratch = arena_new(), .q = q};
	struct memory_found found;

	must(memory_search(m, b.scratch, &ask, &found));
	if (found.n) {
		b.out = VEC_PUSH(all->a, out);
		b.out->weight = b.out->share = best_weight(s, q->stranger);
		b.out->hidden = best_hidden(q, &found, 1);
		b.out->found = best_hidden(q, &found, 0) > 0;
		b.out->half = s->stores > 1 ? q->store % 2 : (unsigned)(q - s->asks.p) / 2 % 2;
		if (!q->stranger)
			b.out->weight *= 0.5 + 2 * b.out->hidden;
		b.out->answers = !q->stranger;
		b.hit = found.p[0];
		b.out->has = found.has;
		must(best_read(&b));
	}
	m->words = NULL;
	arena_free(b.scratch);
}

/* Strangers among facts are few: their numbers are fitted on turns, too. */
static bool best_fits(const struct best *b, enum rank_group group)
{
	return b->group == group || (group == RANK_FACTS && b->group == RANK_TURNS);
}

/* The mean and the standard deviation of each term of a group of memories; of the constant 0, 1.
 */
static void bests_spread(const struct bests *v, enum rank_group group, double *mean, double *spread)
{
	double n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += best_fits(&v->p[i], group);
	for (size_t k = 0; k < RANK_ANSWER_TERMS; k++) {
		mean[k] = spread[k] = 0;
		for (size_t i = 0; i < v->n; i++)
			if (best_fits(&v->p[i], group)) {
				mean[k] += v->p[i].x[k] / n;
				spread[k] += v->p[i].x[k] * v->p[i].x[k] / n;
			}
		spread[k] = sqrt(spread[k] - mean[k] * mean[k]);
	}
	mean[0] = 0;
	spread[0] = 1;
}

/*
 * Logistic regression over the terms in units of their spread. skip: the half that is left out, or
 * NO_HALF.
 */
#define NO_HALF 2u
static void bests_fit(const struct bests *v, enum rank_group group, unsigned skip, double *w)
{
	double went[RANK_ANSWER_TERMS] = {0}, mean[RANK_ANSWER_TERMS], spread[RANK_ANSWER_TERMS];

	bests_spread(v, group, mean, spread);
	memset(w, 0, RANK_ANSWER_TERMS * sizeof(*w));
	for (size_t round = 0; round < 400; round++)
		for (size_t i = 0; i < v->n; i++) {
			const struct best *b = &v->p[(i * 7919 + round) % v->n];
			double x[RANK_ANSWER_TERMS], gradient[RANK_ANSWER_TERMS], s;

			if (!best_fits(b, group) || b->half == skip)
				continue;
			for (size_t k = 0; k < RANK_ANSWER_TERMS; k++)
				x[k] = (b->x[k] - mean[k]) / spread[k];
			s = 1 / (1 + exp(-fit_sum(w, x, RANK_ANSWER_TERMS)));
			for (size_t k = 0; k < RANK_ANSWER_TERMS; k++)
				gradient[k] = b->weight * ((b->answers ? 1 : 0) - s) * x[k];
			fit_step(w, went, gradient, RANK_ANSWER_TERMS, 0.3);
		}
	for (size_t k = 1; k < RANK_ANSWER_TERMS; k++) {
		w[k] /= spread[k];
		w[0] -= w[k] * mean[k];
	}
}

/* What a place of "at" costs in R@10, and the part of the strangers that it silences. */
static void bests_tell(const struct bests *v, enum rank_group group, double at)
{
	double answers = 0, strangers = 0, hidden = 0, silent = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct best *b = &v->p[i];

		if (b->group != group)
			continue;
		answers += b->answers;
		strangers += !b->answers;
		hidden += b->answers && b->sum < at ? b->hidden : 0;
		silent += !b->answers && b->sum < at;
	}
	printf("%s at %5.2f  costs %.4f  silent %.2f\n", groups[group], at, hidden / answers,
	       silent / strangers);
}

static void bests_table(struct bests *v, enum rank_group group)
{
	const struct rank_answer *now = &rank_answer[group];
	double w[RANK_ANSWER_TERMS];

	for (unsigned half = 0; half < NO_HALF; half++) {
		bests_fit(v, group, half, w);
		for (size_t i = 0; i < v->n; i++)
			if (v->p[i].group == group && v->p[i].half == half)
				v->p[i].sum = fit_sum(w, v->p[i].x, RANK_ANSWER_TERMS);
	}
	for (int at = -16; at <= 8; at++)
		bests_tell(v, group, at / 4.0);
	bests_fit(v, group, NO_HALF, w);
	for (size_t k = 0; k < RANK_ANSWER_TERMS; k++)
		printf("%s %-9s  %6.2f  is %6.2f\n", groups[group], terms[k], w[k], now->terms[k]);
}

/* ---- sure: is the best memory told as an answer? ---- */

struct cut {
	double score, has;
};

/*
 * The part of the strangers that is told an answer, and the part of the answers found that is not.
 * half: as bests_fit().
 */
static void cut_errors(const struct bests *v, enum rank_group group, unsigned half, struct cut at,
		       double errors[2])
{
	double n[2] = {0};

	errors[0] = errors[1] = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct best *b = &v->p[i];
		const bool told = b->score >= at.score && b->has >= at.has;

		/* What the threshold hides is not told either. */
		if (b->group != group || b->half == half || b->answers != b->found ||
		    (b->found && b->score < RANK_REACHED))
			continue;
		n[b->found] += b->share;
		errors[b->found] += told != b->found ? b->share : 0;
	}
	for (size_t k = 0; k < 2; k++)
		errors[k] /= n[k] > 0 ? n[k] : 1;
}

/* A false answer costs as much as a lost one. */
static struct cut cut_best(const struct bests *v, enum rank_group group, unsigned skip)
{
	struct cut best = {0};
	double least = INFINITY, errors[2];

	for (int score = 70; score < 99; score++)
		for (int has = 0; has <= 20; has++) {
			const struct cut at = {score / 100.0, has / 20.0};

			cut_errors(v, group, skip, at, errors);
			if (errors[0] + errors[1] < least) {
				least = errors[0] + errors[1];
				best = at;
			}
		}
	return best;
}

static void cut_table(const struct bests *v, enum rank_group group)
{
	static const char *const halves[] = {"one half", "the other", "both"};
	double errors[2];

	for (unsigned half = 0; half <= NO_HALF; half++) {
		const struct cut at = cut_best(v, group, half);

		/* Of a half, by the numbers that are chosen on the other one. */
		cut_errors(v, group, half == NO_HALF ? half : !half, at, errors);
		printf("%s %-9s  score %.2f  has %.2f  false %.3f  lost %.3f\n", groups[group],
		       halves[half], at.score, at.has, errors[0], errors[1]);
	}
	cut_errors(v, group, NO_HALF, (struct cut){rank_answer[group].sure, rank_answer[group].has},
		   errors);
	printf("%s is         score %.2f  has %.2f  false %.3f  lost %.3f\n", groups[group],
	       rank_answer[group].sure, rank_answer[group].has, errors[0], errors[1]);
}

static void fit_answers(struct shapes *all, const char *dir, bool sure)
{
	struct bests bests = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct shape *s = &all->p[i];
		struct memories *m[STORES];

		for (unsigned c = 0; c < s->stores; c++)
			m[c] = fit_store(all, s, c, dir);
		for (size_t k = 0; k < s->asks.n; k++) {
			const struct ask *q = &s->asks.p[k];

			/* The mixed order would weigh plain turns twice. */
			if (!q->held && best_weight(s, q->stranger) > 0 &&
			    strcmp(s->name, "turns-mixed") != 0)
				best_add(all, i, q, m[q->store], &bests);
		}
	}
	for (enum rank_group group = 0; group < RANK_GROUPS; group++)
		sure ? cut_table(&bests, group) : bests_table(&bests, group);
}

int main(int argc, char **argv)
{
	struct shapes all = {0};

	if (argc != 6 ||
	    (strcmp(argv[1], "weights") && strcmp(argv[1], "answers") && strcmp(argv[1], "sure"))) {
		fprintf(stderr,
			"usage: recall-fit weights|answers|sure SHAPES MADE LOCOMO STORES\n");
		return 2;
	}
	shapes_read(&all, argv[2], argv[3], argv[4]);
	if (!strcmp(argv[1], "weights"))
		fit_weights(&all, argv[5]);
	else
		fit_answers(&all, argv[5], !strcmp(argv[1], "sure"));
	arena_free(all.a);
	return 0;
}
