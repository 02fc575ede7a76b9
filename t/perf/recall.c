/*
 * recall: how well memories are found, on texts of many shapes (see t/perf/recall.sh and shapes.h).
 *
 *	recall sql SHAPES MADE LOCOMO            for sqlite3: the same with FTS5; prints a run
 *	recall ours SHAPES MADE LOCOMO STORES    makes stores in this folder, asks; prints a run
 *	recall table SHAPES MADE LOCOMO OURS THEIRS    compares two runs
 *	recall curve SHAPES MADE LOCOMO OURS     thresholds: what each costs, what each rejects
 *	recall lost SHAPES MADE LOCOMO OURS THEIRS     questions whose R@10 is below that of FTS5
 *
 * A run has a line "SHAPE TAB question TAB unit TAB score TAB shown" for each text found, best
 * first. Numbers are places in the shape. shown: 1 if the answer at the default threshold has it, 2
 * if it is told as an answer there.
 */
#include "base/base.h"
#include "shapes.h"
#include "recall/search.h"
#include "index/index.h"
#include "token/token.h"
#include <math.h>
#include <unistd.h>

enum { SHOWN = 100, SAMPLES = 2000 };
#define THRESHOLD 0.7

/* ---- FTS5: porter, stop words dropped, the words joined by OR, bm25 ---- */

static void print_quoted(struct str s)
{
	putchar('\'');
	for (size_t i = 0; i < s.n; i++)
		s.p[i] == '\'' ? (void)fputs("''", stdout) : (void)putchar(s.p[i]);
	putchar('\'');
}

static void print_question(struct shapes *all, size_t shape, size_t question)
{
	const struct shape *s = &all->p[shape];
	const struct ask *q = &s->asks.p[question];
	struct word_list words = {0};
	bool any = false;

	words_read(all->words, all->a, q->text, &words);
	for (size_t w = 0; w < words.n; w++) {
		if (words.p[w].stop || words.p[w].extra)
			continue;
		if (!any)
			printf("select '%s', %zu, unit, -bm25(u%zu_%u), 1 from u%zu_%u "
			       "where u%zu_%u match '",
			       s->name, question, shape, q->store, shape, q->store, shape,
			       q->store);
		printf("%s\"%.*s\"", any ? " OR " : "", STR_ARG(words.p[w].text));
		any = true;
	}
	if (any)
		printf("' order by rank limit %d;\n", SHOWN);
}

static void sql(struct shapes *all)
{
	printf(".mode tabs\n");
	for (size_t i = 0; i < all->n; i++) {
		const struct shape *s = &all->p[i];

		for (unsigned c = 0; c < s->stores; c++)
			printf("create virtual table u%zu_%u using fts5(t, unit unindexed, "
			       "tokenize='porter');\n",
			       i, c);
		printf("begin;\n");
		for (size_t k = 0; k < s->notes.n; k++) {
			printf("insert into u%zu_%u (unit, t) values (%zu, ", i,
			       s->notes.p[k].store, s->notes.p[k].unit);
			print_quoted(s->notes.p[k].text);
			printf(");\n");
		}
		printf("commit;\n");
		for (size_t k = 0; k < s->asks.n; k++)
			print_question(all, i, k);
	}
}

/* ---- ours ---- */

struct fill {
	const struct shape *shape;
	struct memories *m;
	struct arena *a;
	unsigned store;
};

static struct err *fill(struct fill *f)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, f->m->db));
	for (size_t i = 0; i < f->shape->notes.n; i++) {
		const struct note *n = &f->shape->notes.p[i];
		struct memory in = {.layer = MEMORY_USER,
				    .kind = n->kind,
				    .content = n->text,
				    .tags = n->tags,
				    .importance = 0.5,
				    .confidence = 0.5,
				    .redaction = MEMORY_INTERNAL,
				    .source = str_fmt(f->a, "%zu", n->unit),
				    .speaker = n->speaker,
				    .turn = n->turn,
				    .happened = n->time};
		struct memory out;
		struct memory_told told;

		if (n->store != f->store)
			continue;
		f->m->who.session = n->session;
		TRY(memory_add(f->m, f->a, &in, &out, &told));
	}
	f->m->who.session = STR("");
	return db_commit(&txn);
}

static struct memories *recall_store(struct shapes *all, const struct shape *s, unsigned store,
				     const char *dir)
{
	struct memories *m = ARENA_NEW(all->a, struct memories);
	const char *name = str_c(all->a, str_fmt(all->a, "%s%u.db", s->name, store));
	struct fill f = {s, m, all->a, store};
	struct index_stats stats;

	*m = (struct memories){.db = db_new(all->a, os_join(all->a, dir, name)),
			       .who = {.user = STR("ada")}};
	must(index_stats(m->db, all->a, NULL, 0, &stats));
	if (!stats.all)
		must(fill(&f));
	return m;
}

static int recall_shown(const struct memory_found *found, const struct memory_hit *hit)
{
	for (size_t i = 0; i < found->n; i++)
		if (found->p[i].memory.doc == hit->memory.doc)
			return found->p[i].relevance == MEMORY_ANSWERS ? 2 : 1;
	return 0;
}

static void print_run(struct shapes *all, const char *dir)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct shape *s = &all->p[i];
		struct memories *m[STORES];

		for (unsigned c = 0; c < s->stores; c++)
			m[c] = recall_store(all, s, c, dir);
		for (size_t k = 0; k < s->asks.n; k++) {
			struct memories *of = m[s->asks.p[k].store];
			struct arena *a = arena_new();
			struct memory_found found, shown;
			struct memory_search q = {.query = s->asks.p[k].text,
						  .status = -1,
						  .limit = SHOWN,
						  .best_anyway = true};

			must(memory_search(of, a, &q, &found));
			q.threshold = THRESHOLD;
			must(memory_search(of, a, &q, &shown));
			for (size_t h = 0; h < found.n; h++)
				printf("%s\t%zu\t%.*s\t%.9f\t%d\n", s->name, k,
				       STR_ARG(found.p[h].memory.source), found.p[h].score,
				       recall_shown(&shown, &found.p[h]));
			of->words = NULL;
			arena_free(a);
		}
	}
}

/* ---- runs ---- */

struct run {
	struct found {
		size_t unit;
		double score;
		bool shown; /* in the answer at the default threshold */
		bool told;  /* as an answer */
	} (*at)[SHOWN];     /* by question; each unit once */
	size_t *n;
};

static void run_add(struct run *r, size_t question, struct found one)
{
	for (size_t i = 0; i < r->n[question]; i++)
		if (r->at[question][i].unit == one.unit)
			return;
	if (r->n[question] < SHOWN)
		r->at[question][r->n[question]++] = one;
}

/* Reads the lines of each shape. */
static struct run *runs_read(struct shapes *all, const char *path)
{
	struct run *runs = arena_array(all->a, all->n, sizeof(*runs));
	struct str text, line;

	for (size_t i = 0; i < all->n; i++) {
		runs[i].at = arena_array(all->a, all->p[i].asks.n, sizeof(*runs[i].at));
		runs[i].n = arena_array(all->a, all->p[i].asks.n, sizeof(size_t));
	}
	must(os_read_path(all->a, path, SIZE_MAX, &text));
	while (str_next_line(&text, &line)) {
		struct str part[5] = {{0}};
		int64_t question = 0, unit = 0;
		size_t i = 0;

		for (size_t k = 0; k < 5; k++)
			if (!str_next_part(&line, '\t', &part[k]))
				must(err_new(E_BAD_ARGUMENT, "%s is no run", path));
		while (i < all->n && !str_is(part[0], all->p[i].name))
			i++;
		if (i == all->n || !str_int(part[1], &question) || !str_int(part[2], &unit) ||
		    (size_t)question >= all->p[i].asks.n)
			must(err_new(E_BAD_ARGUMENT, "%s is no run", path));
		run_add(&runs[i], (size_t)question,
			(struct found){(size_t)unit, strtod(str_c(all->a, part[3]), NULL),
				       !str_is(part[4], "0"), str_is(part[4], "2")});
	}
	return runs;
}

/* ---- measures of one question ---- */

enum measure { R5, R10, MRR, MEASURES };

/* Whether an answer has this hit. At the default threshold `mem search` has told. */
static bool is_shown(const struct found *hit, double threshold)
{
	return threshold < THRESHOLD || threshold > THRESHOLD ? hit->score >= threshold
							      : hit->shown;
}

static double measure_of(const struct shape *s, const struct run *r, size_t question,
			 double threshold, enum measure what)
{
	const struct ask *q = &s->asks.p[question];
	size_t place = 0, got = 0;

	for (size_t i = 0; i < r->n[question]; i++) {
		bool gold = false;

		if (!is_shown(&r->at[question][i], threshold))
			continue;
		place++;
		for (size_t g = 0; g < q->n_gold; g++)
			gold = gold || q->gold[g] == r->at[question][i].unit;
		if (what == MRR && gold && place <= 20)
			return 1 / (double)place;
		got += gold && what != MRR && place <= (what == R5 ? 5 : 10);
	}
	return (double)got / (double)q->n_gold;
}

/* ---- means and intervals ---- */

struct part { /* the questions of a shape that a row is about */
	const struct shape *s;
	size_t *p, n;
};

static struct part part_of(struct shapes *all, const struct shape *s, bool held, bool stranger)
{
	struct part out = {s, arena_array(all->a, s->asks.n, sizeof(size_t)), 0};

	for (size_t i = 0; i < s->asks.n; i++)
		if (s->asks.p[i].held == held && s->asks.p[i].stranger == stranger)
			out.p[out.n++] = i;
	return out;
}

static double mean_of(const struct part *part, const struct run *r, double threshold,
		      enum measure what)
{
	double sum = 0;

	for (size_t i = 0; i < part->n; i++)
		sum += measure_of(part->s, r, part->p[i], threshold, what);
	return part->n ? sum / (double)part->n : 0;
}

static int by_number(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* The paired bootstrap interval of 95 % of ours minus theirs. */
static void interval_of(const struct part *part, const struct run *ours, double threshold,
			const struct run *theirs, enum measure what, double *low, double *high)
{
	double *differences = malloc(part->n * sizeof(double)), means[SAMPLES];
	uint64_t random = 1;

	for (size_t i = 0; i < part->n; i++)
		differences[i] = measure_of(part->s, ours, part->p[i], threshold, what) -
				 measure_of(part->s, theirs, part->p[i], 0, what);
	for (size_t k = 0; k < SAMPLES; k++) {
		means[k] = 0;
		for (size_t i = 0; i < part->n; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			means[k] += differences[(random >> 33) % part->n] / (double)part->n;
		}
	}
	qsort(means, SAMPLES, sizeof(*means), by_number);
	*low = means[SAMPLES * 25 / 1000];
	*high = means[SAMPLES * 975 / 1000];
	free(differences);
}

/* The share of questions that nothing here answers for which nothing reaches the threshold. */
static double silent_of(const struct part *part, const struct run *r, double threshold)
{
	size_t silent = 0;

	for (size_t i = 0; i < part->n; i++) {
		const size_t q = part->p[i];
		bool any = false;

		for (size_t k = 0; k < r->n[q]; k++)
			any = any || r->at[q][k].score >= threshold;
		silent += !any;
	}
	return part->n ? (double)silent / (double)part->n : NAN;
}

/*
 * Which part of the questions are told an answer: of those whose gold is among the first ten, or of
 * those that nothing here answers.
 */
static double told_of(const struct part *part, const struct run *r)
{
	size_t told = 0, n = 0;

	for (size_t i = 0; i < part->n; i++) {
		const size_t q = part->p[i];
		size_t first = 0;

		if (!part->s->asks.p[q].stranger && measure_of(part->s, r, q, THRESHOLD, R10) <= 0)
			continue;
		while (first < r->n[q] && !r->at[q][first].shown)
			first++;
		told += first < r->n[q] && r->at[q][first].told;
		n++;
	}
	return n ? (double)told / (double)n : NAN;
}

/* ---- gold within tokens ---- */

static size_t *unit_tokens(struct shapes *all, const struct shape *s)
{
	size_t *tokens = arena_array(all->a, s->units.n, sizeof(size_t));

	for (size_t i = 0; i < s->notes.n; i++)
		tokens[s->notes.p[i].unit] += token_estimate(s->notes.p[i].text, TOKEN_O200K);
	return tokens;
}

/*
 * The part of the gold that a reader gets who takes results in their order as long as they fit. A
 * text that does not fit is left out, and the next one is tried, as `mem query` does.
 */
static double packed_of(const struct part *part, const struct run *r, const size_t *tokens,
			double threshold, size_t budget)
{
	double sum = 0;

	for (size_t i = 0; i < part->n; i++) {
		const struct ask *q = &part->s->asks.p[part->p[i]];
		size_t used = 0, got = 0;

		for (size_t h = 0; h < r->n[part->p[i]]; h++) {
			size_t unit = r->at[part->p[i]][h].unit;

			if (!is_shown(&r->at[part->p[i]][h], threshold) ||
			    used + tokens[unit] > budget)
				continue;
			used += tokens[unit];
			for (size_t g = 0; g < q->n_gold; g++)
				got += q->gold[g] == unit;
		}
		sum += (double)got / (double)q->n_gold;
	}
	return sum / (double)part->n;
}

static void table_packed(struct shapes *all, const struct run *ours, const struct run *theirs)
{
	static const size_t budgets[] = {500, 1000, 2000};

	printf("\nHELD OUT: gold within tokens, at 0.7, at 0, FTS5, and 0.7 divided by FTS5\n%-22s",
	       "shape");
	for (size_t k = 0; k < ARRAY_SIZE(budgets); k++)
		printf("  %-25zu", budgets[k]);
	printf("\n");
	for (size_t i = 0; i < all->n; i++) {
		struct part asked = part_of(all, &all->p[i], true, false);
		const size_t *tokens = unit_tokens(all, &all->p[i]);

		printf("%-22s", all->p[i].name);
		for (size_t k = 0; k < ARRAY_SIZE(budgets) && asked.n; k++) {
			double at = packed_of(&asked, &ours[i], tokens, THRESHOLD, budgets[k]);
			double fts5 = packed_of(&asked, &theirs[i], tokens, 0, budgets[k]);

			printf("  %.3f %.3f %.3f %6.2fx", at,
			       packed_of(&asked, &ours[i], tokens, 0, budgets[k]), fts5, at / fts5);
		}
		printf("\n");
	}
}

/* ---- the table ---- */

static void table_row(struct shapes *all, size_t i, const struct run *ours,
		      const struct run *theirs, bool held)
{
	const struct shape *s = &all->p[i];
	struct part asked = part_of(all, s, held, false), others = part_of(all, s, held, true);
	double low, high;

	if (!asked.n && others.n)
		printf("%-22s   0  %.2f (%zu) find nothing, %.2f are told an answer\n", s->name,
		       silent_of(&others, &ours[i], THRESHOLD), others.n,
		       told_of(&others, &ours[i]));
	if (!asked.n)
		return;
	printf("%-22s%4zu ", s->name, asked.n);
	for (size_t k = 0; k < 2; k++)
		for (enum measure m = 0; m < MEASURES; m++)
			printf(" %.3f%s", mean_of(&asked, &ours[i], k ? 0 : THRESHOLD, m),
			       m + 1 == MEASURES ? " " : "");
	for (enum measure m = 0; m < MEASURES; m++)
		printf(" %.3f", mean_of(&asked, &theirs[i], 0, m));
	for (enum measure m = 0; m < MEASURES; m++) {
		interval_of(&asked, &ours[i], THRESHOLD, &theirs[i], m, &low, &high);
		printf("  %+.3f [%+.3f,%+.3f]",
		       mean_of(&asked, &ours[i], THRESHOLD, m) - mean_of(&asked, &theirs[i], 0, m),
		       low, high);
	}
	printf("  %+.3f",
	       mean_of(&asked, &ours[i], THRESHOLD, R10) - mean_of(&asked, &ours[i], 0, R10));
	printf("  %.2f", told_of(&asked, &ours[i]));
	if (others.n)
		printf(" %.2f  %.2f (%zu)", told_of(&others, &ours[i]),
		       silent_of(&others, &ours[i], THRESHOLD), others.n);
	printf("\n");
}

/* Of the questions about something that changed: how often the newer text comes first. */
static void table_updates(const struct shape *s, const struct run *ours, const struct run *theirs)
{
	size_t n = 0, first[2] = {0};

	for (size_t i = 0; i < s->asks.n; i++) {
		const struct ask *q = &s->asks.p[i];

		if (q->before == NO_UNIT)
			continue;
		n++;
		for (size_t k = 0; k < 2; k++) {
			const struct run *r = k ? theirs : ours;

			for (size_t h = 0; h < r->n[i]; h++) {
				first[k] += r->at[i][h].unit == q->gold[0];
				if (r->at[i][h].unit == q->gold[0] || r->at[i][h].unit == q->before)
					break;
			}
		}
	}
	if (n)
		printf("updates without a mark in %s: newer before older in %zu of %zu, FTS5 %zu\n",
		       s->name, first[0], n, first[1]);
}

static void table(struct shapes *all, const char *our_path, const char *their_path)
{
	struct run *ours = runs_read(all, our_path), *theirs = runs_read(all, their_path);

	for (int held = 1; held >= 0; held--) {
		printf("%s\n%-22s%4s  %-17s  %-17s  %-17s  %-22s  %-22s  %-22s  %-6s  %s  %s\n",
		       held ? "HELD OUT: no weight is chosen by these"
			    : "\nTUNED: weights are chosen by these",
		       "shape", "n", "at 0.7 R@5 10 MRR", "at 0 R@5 10 MRR", "FTS5 R@5 10 MRR",
		       "R@5 at 0.7 - FTS5", "R@10 at 0.7 - FTS5", "MRR at 0.7 - FTS5", "0.7-0",
		       "told: found, strangers", "strangers that find nothing");
		for (size_t i = 0; i < all->n; i++)
			table_row(all, i, ours, theirs, held);
	}
	for (size_t i = 0; i < all->n; i++)
		table_updates(&all->p[i], &ours[i], &theirs[i]);
	table_packed(all, ours, theirs);
}

/* For each shape and threshold: R@10 minus R@10 at 0, and the share of silent strangers. */
static void curve(struct shapes *all, const char *path)
{
	struct run *ours = runs_read(all, path);

	for (size_t i = 0; i < all->n; i++)
		for (int held = 0; held < 2; held++) {
			struct part asked = part_of(all, &all->p[i], held, false);
			struct part others = part_of(all, &all->p[i], held, true);

			printf("%-22s%s", all->p[i].name, held ? "held " : "tuned");
			for (int t = 40; t <= 90; t += 5)
				printf("  %.2f:%+.3f/%.2f", t / 100.0,
				       mean_of(&asked, &ours[i], t / 100.0, R10) -
					       mean_of(&asked, &ours[i], 0, R10),
				       silent_of(&others, &ours[i], t / 100.0));
			printf("\n");
		}
}

static void print_found(const struct shape *s, const struct run *r, size_t question, const char *of)
{
	const struct ask *q = &s->asks.p[question];

	for (size_t h = 0; h < r->n[question]; h++)
		for (size_t g = 0; g < q->n_gold; g++)
			if (q->gold[g] == r->at[question][h].unit)
				printf("  %s: place %zu, score %.3f, %.*s\n", of, h + 1,
				       r->at[question][h].score, STR_ARG(s->units.p[q->gold[g]]));
}

/* Questions of which ikm at the default threshold finds less than FTS5. */
static void lost(struct shapes *all, const char *our_path, const char *their_path)
{
	struct run *ours = runs_read(all, our_path), *theirs = runs_read(all, their_path);

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->p[i].asks.n; k++) {
			const struct ask *q = &all->p[i].asks.p[k];

			if (q->stranger || measure_of(&all->p[i], &ours[i], k, THRESHOLD, R10) >=
						   measure_of(&all->p[i], &theirs[i], k, 0, R10))
				continue;
			printf("%s, %s: %.*s\n", all->p[i].name, q->held ? "held out" : "tuned",
			       STR_ARG(q->text));
			print_found(&all->p[i], &ours[i], k, "ikm");
			print_found(&all->p[i], &theirs[i], k, "FTS5");
		}
}

int main(int argc, char **argv)
{
	struct shapes all = {0};
	const char *what = argc > 1 ? argv[1] : "";

	if (argc < 5 || (!strcmp(what, "ours") && argc < 6) ||
	    ((!strcmp(what, "table") || !strcmp(what, "lost")) && argc < 7) ||
	    (!strcmp(what, "curve") && argc < 6)) {
		fprintf(stderr,
			"usage: recall sql|ours|table|curve|lost SHAPES MADE LOCOMO [FILE ...]\n");
		return 2;
	}
	shapes_read(&all, argv[2], argv[3], argv[4]);
	if (!strcmp(what, "sql"))
		sql(&all);
	else if (!strcmp(what, "ours"))
		print_run(&all, argv[5]);
	else if (!strcmp(what, "table"))
		table(&all, argv[5], argv[6]);
	else if (!strcmp(what, "curve"))
		curve(&all, argv[5]);
	else if (!strcmp(what, "lost"))
		lost(&all, argv[5], argv[6]);
	arena_free(all.a);
	return 0;
}
