/*
 * recall: how well memories are found, on LoCoMo (see t/perf/recall.sh), and the weights fitted.
 *
 *	recall sql DATA                 for sqlite3: the same with FTS5; prints a run
 *	recall ours DATA STORES         makes stores in this folder, asks; prints a run
 *	recall strangers DATA STORES    questions to conversations that they are not about
 *	recall score DATA OURS THEIRS   compares two runs: `name ours theirs ratio`
 *	recall fit DATA STORES          the weights of lib/memory/rank.h, from the turns of the
 *	                                first two conversations
 *
 * A run has lines "UNIT TAB question TAB found TAB score", best first; UNIT is s for sessions of
 *all conversations in one store, t for turns within a conversation; numbers are places in the
 *files.
 */
#include "base/base.h"
#include "memory/rank.h"
#include "index/index.h"
#include "locomo.h"
#include <math.h>

enum { FITTED = 2, FIRST = 5, SHOWN = 100 };

/* ---- FTS5 ---- */

static void print_quoted(struct str s)
{
	putchar('\'');
	for (size_t i = 0; i < s.n; i++)
		s.p[i] == '\'' ? (void)fputs("''", stdout) : (void)putchar(s.p[i]);
	putchar('\'');
}

static void sql(struct data *d)
{
	printf(".mode tabs\n");
	for (size_t k = 0; k < 2; k++) {
		for (int c = 0; c < (k ? CONVERSATIONS : 1); c++)
			printf("create virtual table u%zu_%d using fts5(t, tokenize='porter');\n",
			       k, c);
		printf("begin;\n");
		for (size_t i = 0; i < d->units[k].n; i++) {
			const struct unit *u = &d->units[k].p[i];

			printf("insert into u%zu_%d (rowid, t) values (%zu, ", k,
			       k ? u->conversation : 0, i + 1);
			print_quoted(u->text);
			printf(");\n");
		}
		printf("commit;\n");
		for (size_t i = 0; i < d->questions.n; i++) {
			const struct question *q = &d->questions.p[i];
			struct word_list words = {0};
			bool any = false;

			words_read(d->words, d->a, q->text, &words);
			for (size_t w = 0; w < words.n; w++) {
				if (words.p[w].stop || words.p[w].extra)
					continue;
				if (!any)
					printf("select '%c', %zu, rowid - 1, -bm25(u%zu_%d) from "
					       "u%zu_%d "
					       "where u%zu_%d match '",
					       "st"[k], i, k, k ? q->conversation : 0, k,
					       k ? q->conversation : 0, k, k ? q->conversation : 0);
				printf("%s\"%.*s\"", any ? " OR " : "", STR_ARG(words.p[w].text));
				any = true;
			}
			if (any)
				printf("' order by rank limit %d;\n", SHOWN);
		}
	}
}

/* ---- ours ---- */

static struct memories *store(struct data *d, const char *dir, size_t kind, int c)
{
	struct memories *m = ARENA_NEW(d->a, struct memories);
	const char *path = os_join(d->a, dir, str_c(d->a, str_fmt(d->a, "%c%d.db", "st"[kind], c)));

	*m = (struct memories){.db = db_new(d->a, path), .who = {.user = STR("ada")}};
	return m;
}

struct fill {
	struct data *d;
	struct memories *m;
	size_t kind;
	int conversation;
};

/* One after the other, so that places are numbers of documents. */
static struct err *fill(void *ctx)
{
	struct fill *f = ctx;
	const struct units *units = &f->d->units[f->kind];

	for (size_t i = 0; i < units->n; i++) {
		const struct unit *u = &units->p[i];
		struct memory in = {
			.layer = MEMORY_USER,
			.kind = f->kind == TURNS ? MEMORY_CONVERSATION : MEMORY_EPISODIC,
			.content = u->text,
			.importance = 0.5,
			.confidence = 0.5,
			.redaction = MEMORY_INTERNAL,
			.source = str_fmt(f->d->a, "%zu", i),
			.speaker = u->speaker,
			.turn = f->kind == TURNS ? u->turn : 0,
			.happened = u->time,
		};
		struct memory out;
		struct memory_told told;

		if (f->kind == TURNS && u->conversation != f->conversation)
			continue;
		f->m->who.session = f->kind == TURNS ? u->session : STR("");
		TRY(memory_add(f->m, f->d->a, &in, &out, &told));
	}
	f->m->who.session = STR("");
	return NULL;
}

static void ask(struct memories *m, struct arena *a, struct str question, double threshold,
		struct memory_found *out)
{
	struct memory_search q = {.query = question,
				  .status = -1,
				  .threshold = threshold,
				  .limit = SHOWN,
				  .best_anyway = true};

	must(memory_search(m, a, &q, out));
}

static void each_store(struct data *d, const char *dir,
		       void (*fn)(struct data *d, struct memories *m, size_t kind, int c))
{
	for (size_t kind = 0; kind < 2; kind++)
		for (int c = 0;
		     c < (kind ? d->questions.p[d->questions.n - 1].conversation + 1 : 1); c++) {
			struct memories *m = store(d, dir, kind, c);
			struct fill f = {d, m, kind, c};
			struct index_stats stats;

			must(index_stats(m->db, d->a, &stats));
			if (!stats.docs)
				must(db_write(m->db, fill, &f));
			fn(d, m, kind, c);
		}
}

static void print_run(struct data *d, struct memories *m, size_t kind, int c)
{
	for (size_t i = 0; i < d->questions.n; i++) {
		struct arena *a = arena_new();
		struct memory_found found;

		if (kind == SESSIONS || d->questions.p[i].conversation == c) {
			ask(m, a, d->questions.p[i].text, 0, &found);
			for (size_t k = 0; k < found.n; k++)
				printf("%c\t%zu\t%.*s\t%.6f\n", "st"[kind], i,
				       STR_ARG(found.p[k].memory.source), found.p[k].score);
		}
		m->words = NULL;
		arena_free(a);
	}
}

/* Every seventh question of the others. */
static void print_strangers(struct data *d, struct memories *m, size_t kind, int c)
{
	int asked = 0, below = 0;

	for (size_t i = 0; kind == TURNS && i < d->questions.n; i += 7) {
		struct arena *a = arena_new();
		struct memory_found found;

		if (d->questions.p[i].conversation != c) {
			ask(m, a, d->questions.p[i].text, 0.7, &found);
			asked++;
			below += found.below_threshold || !found.n;
		}
		m->words = NULL;
		arena_free(a);
	}
	if (asked)
		printf("strangers-below-threshold-%d %.3f\n", c, (double)below / asked);
}

/* ---- fitting ---- */

/* In the order of lib/memory/rank.h. */
static const char *const features[] = {"WORDS",  "COVERAGE", "PHRASE",  "BEFORE", "BEFORE2",
				       "ANSWER", "SESSION",  "SPEAKER", "DATE",   "WHEN"};
enum { FEATURES = ARRAY_SIZE(features), ROUNDS = 25 };
static const double weights[FEATURES] = {RANK_WORDS,   RANK_COVERAGE, RANK_PHRASE,  RANK_BEFORE,
					 RANK_BEFORE2, RANK_ANSWER,   RANK_SESSION, RANK_SPEAKER,
					 RANK_DATE,    RANK_WHEN};

/* A question, with the features of each turn of its conversation. */
struct example {
	double (*x)[FEATURES];
	bool *gold;
	size_t n;
};
struct examples {
	struct example *p;
	size_t n, cap;
};
struct exampling {
	struct data *d;
	struct memories *m;
	const struct question *q;
	struct arena *scratch;
	struct example *out;
};

static struct err *example(void *ctx)
{
	struct exampling *e = ctx;
	struct arena *a = e->scratch;
	struct ranked_list all = {0};
	struct ranking *ranking;
	struct index_stats stats;
	struct plan p;
	double gate;

	TRY(plan_make(e->m, a, e->q->text, 0, NULL, 0, &p));
	ranking = ranking_new(a, e->m->words, &p);
	TRY(index_stats(e->m->db, a, &stats));
	e->out->x = arena_array(e->d->a, (size_t)stats.docs, sizeof(*e->out->x));
	e->out->gold = arena_array(e->d->a, (size_t)stats.docs, sizeof(bool));
	for (int64_t doc = 1; doc <= stats.docs; doc++) {
		struct ranked r = {.before = RANK_NONE};
		struct memory_list rows;

		TRY(memory_rows(e->m, a, &doc, 1, &rows));
		r.memory = rows.p;
		rank_measure(ranking, &r);
		if (all.n && str_eq(all.p[all.n - 1].memory->session, r.memory->session))
			r.before = all.n - 1;
		*VEC_PUSH(a, &all) = r;
	}
	rank_all(&p, a, &all);
	for (size_t i = 0; i < all.n; i++) {
		const struct ranked *r = &all.p[i];
		const struct ranked *b = r->before != RANK_NONE ? &all.p[r->before] : NULL;
		const struct ranked *bb = b && b->before != RANK_NONE ? &all.p[b->before] : NULL;
		double best = r->parts.session / RANK_SESSION;
		int64_t place;

		gate = fmin((r->parts.words + r->parts.phrase + r->parts.neighbours +
			     r->parts.session) /
				    RANK_GATE,
			    1);
		memcpy(e->out->x[i],
		       (double[FEATURES]){r->words, r->coverage, r->phrase, b ? b->words : 0,
					  bb ? bb->words : 0, b && b->asks ? b->words : 0, best,
					  gate * r->speaks,
					  gate * dates_match(&p.dates, r->memory->happened),
					  gate * r->tells_time},
		       sizeof(e->out->x[i]));
		if (!str_int(r->memory->source, &place))
			BUG("a source is no place");
		for (size_t g = 0; g < e->q->n_gold[TURNS]; g++)
			e->out->gold[i] = e->out->gold[i] || e->q->gold[TURNS][g] == (size_t)place;
	}
	e->out->n = all.n;
	return NULL;
}

/*
 * One step up the likelihood that a turn drawn by exp(points) is one of the answer's; each weight's
 * steps are divided by how far it went (Adagrad).
 */
static void climb(const struct example *e, double *w, double *went)
{
	double gradient[FEATURES] = {0}, top = -INFINITY, sum = 0, gold = 0;

	for (size_t i = 0; i < e->n; i++) {
		double s = 0;

		for (size_t k = 0; k < FEATURES; k++)
			s += w[k] * e->x[i][k];
		top = fmax(top, s);
	}
	for (size_t i = 0; i < e->n; i++) {
		double s = -top;

		for (size_t k = 0; k < FEATURES; k++)
			s += w[k] * e->x[i][k];
		sum += exp(s);
		gold += e->gold[i] ? exp(s) : 0;
	}
	if (!(gold > 0))
		return;
	for (size_t i = 0; i < e->n; i++) {
		double s = -top;

		for (size_t k = 0; k < FEATURES; k++)
			s += w[k] * e->x[i][k];
		s = (e->gold[i] ? exp(s) / gold : 0) - exp(s) / sum;
		for (size_t k = 0; k < FEATURES; k++)
			gradient[k] += s * e->x[i][k];
	}
	for (size_t k = 0; k < FEATURES; k++) {
		went[k] += gradient[k] * gradient[k];
		w[k] += went[k] > 0 ? 0.5 * gradient[k] / sqrt(went[k]) : 0;
	}
}

static struct examples gathered;

static void gather(struct data *d, struct memories *m, size_t kind, int c)
{
	for (size_t i = 0; kind == TURNS && c < FITTED && i < d->questions.n; i++) {
		struct exampling e = {d, m, &d->questions.p[i], arena_new(), NULL};

		if (e.q->conversation == c) {
			e.out = VEC_PUSH(d->a, &gathered);
			must(db_read(m->db, example, &e));
		}
		m->words = NULL;
		arena_free(e.scratch);
	}
}

static void fit(struct data *d, const char *dir)
{
	double w[FEATURES], went[FEATURES] = {0};

	each_store(d, dir, gather);
	memcpy(w, weights, sizeof(w));
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < gathered.n; i++)
			climb(&gathered.p[(i * 7919 + round) % gathered.n], w, went);
	for (size_t k = 0; k < FEATURES; k++)
		printf("RANK_%-8s  %6.2f  is %6.2f\n", features[k], w[k], weights[k]);
}

/* ---- comparing ---- */

struct run {
	struct {
		size_t found;
		double score;
	} (*at)[SHOWN]; /* by question */
	size_t *n;
};

static void read_run(struct data *d, const char *path, char unit, struct run *out)
{
	struct str text, line;

	must(os_read(d->a, path, SIZE_MAX, &text));
	out->at = arena_array(d->a, d->questions.n, sizeof(*out->at));
	out->n = arena_array(d->a, d->questions.n, sizeof(size_t));
	while (str_line(&text, &line)) {
		struct str part[4] = {{0}};
		int64_t question = 0, found = 0;

		for (size_t i = 0; i < 4; i++)
			if (!str_split(&line, '\t', &part[i]))
				must(err_new(E_BAD_ARGUMENT, "%s is no run", path));
		if (part[0].p[0] != unit)
			continue;
		if (!str_int(part[1], &question) || !str_int(part[2], &found) ||
		    (size_t)question >= d->questions.n || out->n[question] == SHOWN)
			must(err_new(E_BAD_ARGUMENT, "%s is no run", path));
		out->at[question][out->n[question]].found = (size_t)found;
		out->at[question][out->n[question]++].score = strtod(str_c(d->a, part[3]), NULL);
	}
}

enum measure { RECALL, RECALL_LIKELY, MRR, TOKENS };

/* One question; `k` is the number of results to use, or of tokens. */
static double measure(const struct data *d, const struct run *run, size_t unit, size_t question,
		      enum measure what, int64_t k)
{
	const struct question *q = &d->questions.p[question];
	size_t got = 0;

	for (size_t i = 0; i < run->n[question]; i++) {
		size_t found = run->at[question][i].found;
		bool gold = false;

		for (size_t g = 0; g < q->n_gold[unit]; g++)
			gold = gold || q->gold[unit][g] == found;
		if (what == MRR && gold)
			return 1 / (double)(i + 1);
		if (what == TOKENS) {
			int64_t tokens = d->units[unit].p[found].tokens;

			got += gold && tokens <= k;
			k -= tokens <= k ? tokens : 0;
		} else if (what != MRR && (int64_t)i < k) {
			got += gold && (what == RECALL || run->at[question][i].score >= 0.7);
		}
	}
	return what == MRR || !q->n_gold[unit] ? 0 : (double)got / (double)q->n_gold[unit];
}

/* Over conversations that the weights were not fitted on; `fitted`: over those that they were. */
static double mean(const struct data *d, const struct run *run, size_t unit, enum measure what,
		   int64_t k, bool fitted)
{
	double sum = 0;
	int n = 0;

	for (size_t i = 0; i < d->questions.n; i++)
		if ((d->questions.p[i].conversation < FITTED) == fitted) {
			sum += measure(d, run, unit, i, what, k);
			n++;
		}
	return sum / n;
}

static void score(struct data *d, const char *ours, const char *theirs)
{
	static const struct {
		const char *name;
		size_t unit;
		enum measure what;
		int64_t k;
	} lines[] = {
		{"sessions-R@5-threshold-0.7", SESSIONS, RECALL_LIKELY, 5},
		{"sessions-R@5", SESSIONS, RECALL, 5},
		{"sessions-R@10", SESSIONS, RECALL, 10},
		{"sessions-MRR", SESSIONS, MRR, 0},
		{"turns-R@5-threshold-0.7", TURNS, RECALL_LIKELY, 5},
		{"turns-R@5", TURNS, RECALL, 5},
		{"turns-R@10", TURNS, RECALL, 10},
		{"turns-MRR", TURNS, MRR, 0},
		{"turns-in-500-tokens", TURNS, TOKENS, 500},
		{"turns-in-1000-tokens", TURNS, TOKENS, 1000},
		{"turns-in-2000-tokens", TURNS, TOKENS, 2000},
	};
	struct run run[2][2];

	for (size_t unit = 0; unit < 2; unit++) {
		read_run(d, ours, "st"[unit], &run[unit][0]);
		read_run(d, theirs, "st"[unit], &run[unit][1]);
	}
	for (size_t fitted = 0; fitted < 2; fitted++)
		for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
			size_t unit = lines[i].unit;
			/* FTS5 has no threshold. */
			enum measure what = lines[i].what;
			double x = mean(d, &run[unit][0], unit, what, lines[i].k, fitted);
			double y = mean(d, &run[unit][1], unit,
					what == RECALL_LIKELY ? RECALL : what, lines[i].k, fitted);

			printf("%s%s %.4f %.4f %.3f\n", lines[i].name, fitted ? "-fitted" : "", x,
			       y, x / y);
		}
}

int main(int argc, char **argv)
{
	struct data d = {0};
	const char *what = argc > 1 ? argv[1] : "";

	if (argc < 3) {
		fprintf(stderr, "usage: recall sql|ours|strangers|fit|score DATA [FILE ...]\n");
		return 2;
	}
	read_data(&d, argv[2]);
	if (!strcmp(what, "sql"))
		sql(&d);
	else if (!strcmp(what, "ours"))
		each_store(&d, argv[3], print_run);
	else if (!strcmp(what, "strangers"))
		each_store(&d, argv[3], print_strangers);
	else if (!strcmp(what, "fit"))
		fit(&d, argv[3]);
	else
		score(&d, argv[3], argv[4]);
	arena_free(d.a);
	return 0;
}
