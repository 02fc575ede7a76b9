/* ikm bench: runs questions with known answers against the caller's memories. It reports how many
 * answers the searches find (recall, MRR, nDCG) and their latency, and prints no texts. */
#include "memories/memories.h"
#include "json/json.h"
#include "recall/search.h"

#define EXPECTED_MAX 1000

struct args {
	struct str file;
	int64_t limit, repeat;
	double threshold;
	bool explain;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | PATHS, .max = OS_PATH_MAX,
	      .help = "a file of questions as JSON lines; default, or -: standard input"),
	PARAM(limit, .letter = 'n', .def = "10", .min = 10, .max = 1000,
	      .help = "the number of results to search for each question"),
	PARAM(threshold, .def = "0.7", .min = 0, .max = 1, .help = "the lowest score of a result"),
	PARAM(repeat, .letter = 'r', .meta = "N", .def = "1", .min = 1, .max = 1000,
	      .help = "how often to run each search, for the times"),
	PARAM(explain, .help = "tell for each question where the expected memory stands and why, "
			       "and the parts of the one before it"),
	{0},
};

/* A memory in the order that a search gives, without its text. */
struct placed {
	struct str id;
	double score;
	struct memory_parts parts;
};
static const struct field placed[] = {
	FIELD_AS(struct placed, id, "memoryId", "the memory"),
	FIELD_OF(struct placed, score, "its score"),
	FIELD_RECORD(struct placed, parts, "parts", mem_parts,
		     "points; the score follows from their sum"),
	{0},
};
struct each {
	size_t line, rank;
	const struct placed *expected, *before;
};
static const struct field each[] = {
	FIELD_OF(struct each, line, "the line of the question"),
	FIELD_OF(struct each, rank,
		 "the place of the first expected memory, whatever its score; "
		 "0: it is not among the first thousand"),
	FIELD_RECORD_AT(struct each, expected, "expected", placed, "that memory",
			.flags = OPTIONAL),
	FIELD_RECORD_AT(struct each, before, "before", placed,
			"the memory that stands before it; with rank 0, the first one",
			.flags = OPTIONAL),
	{0},
};

struct result {
	bool success;
	size_t questions;
	int64_t measured, unknownExpected;
	double recallAt1, recallAt5, recallAt10, mrr, ndcgAt10;
	int64_t belowThreshold, withoutVectors;
	double latencyP50, latencyP95, latencyMax;
	struct {
		struct each *p;
		size_t n, cap;
	} each;
};

static const struct field result[] = {
	FIELD(success, "true"),
	FIELD(questions, "the number of questions"),
	FIELD(measured, "questions with at least one expected memory that exists"),
	FIELD(unknownExpected, "expected ids without a memory"),
	FIELD(recallAt1, "mean share of the expected memories in the first place"),
	FIELD(recallAt5, "mean share in the first five"),
	FIELD(recallAt10, "mean share in the first ten"),
	FIELD(mrr, "mean of 1 / rank of the first expected memory"),
	FIELD(ndcgAt10, "normalised discounted cumulative gain of the first ten, mean"),
	FIELD(belowThreshold, "questions without a result above the threshold"),
	FIELD(withoutVectors, "searches for which embeddings failed or are missing"),
	FIELD(latencyP50, "median time of a search in ms, within one process"),
	FIELD(latencyP95, "95 % of the searches took at most this"),
	FIELD(latencyMax, "the slowest search"),
	FIELD_RECORDS(struct result, each, "each", each, "with --explain: each question",
		      .flags = IF_ANY),
	{0},
};

/* ---- questions: JSON lines, and the memories that answer each ---- */

struct question {
	size_t line;
	struct str query;
	struct strs expected; /* ids of memories */
	struct cmd_bits layers, kind;
	struct strs tags; /* memories with any of these tags */
};
struct questions VEC(struct question);
static const struct param question_members[] = {
	PARAM_OF(struct question, query, .flags = REQUIRED, .min = 1, .max = MEMORY_QUERY_MAX,
		 .help = "the question"),
	PARAM_OF(struct question, expected, .flags = REQUIRED, .min = 1, .max = 256,
		 .help = "ids of the memories that answer it"),
	PARAM_OF(struct question, layers, .choices = memory_layers, .help = "only these layers"),
	PARAM_OF(struct question, kind, .choices = memory_kinds, .also = "kinds",
		 .help = "only these kinds"),
	PARAM_OF(struct question, tags, .min = 1, .max = MEMORY_TAG_MAX,
		 .help = "only with one of these tags"),
	{0},
};
static const struct cmd question_line = {
	.name = "a question", .params = question_members, .args_size = sizeof(struct question)};

static struct err *questions_read_line(struct arena *a, struct str line, struct question *out)
{
	struct val *v;

	TRY(json_read(a, line, NULL, &v));
	TRY(cmd_parse_json(a, &question_line, v, out));
	if (!out->expected.n || out->expected.n > EXPECTED_MAX)
		return err_new(E_OUT_OF_RANGE, "expected has %zu ids; allowed: 1 to %d",
			       out->expected.n, EXPECTED_MAX);
	return NULL;
}

/* path "-" or empty: standard input. A wrong line is an error that names the line's number and the
 * member. Blank lines are skipped. */
static struct err *questions_read(struct call *c, struct str path, struct questions *out)
{
	bool input = !path.n || str_is(path, "-");
	const char *name = input ? "standard input" : str_c(c->a, path);
	struct str text, line;
	size_t at = 0;

	*out = (struct questions){0};
	if (input)
		TRY(cmd_stdin(c->a, "questions, one JSON object a line", &text));
	else
		TRY(os_read_path(c->a, name, JSON_BYTES_MAX, &text));
	while (str_next_line(&text, &line)) {
		struct err *e;

		at++;
		if (!str_trim(line).n)
			continue;
		e = questions_read_line(c->a, line, VEC_PUSH(c->a, out));
		out->p[out->n - 1].line = at;
		if (e)
			return err_help(err_add_context(err_detail_int(e, "line", (int64_t)at),
							"'%s', line %zu", name, at),
					"write {\"query\": \"…\", \"expected\": [\"mem_…\"]}; "
					"layers, kind and tags are optional");
	}
	if (!out->n)
		return err_help(err_new(E_BAD_ARGUMENT, "'%s' has no questions", name),
				"write one a line: {\"query\": \"…\", \"expected\": [\"mem_…\"]}");
	return NULL;
}

/* ---- measures, summed over the questions ---- */

struct measured {
	struct arena *arena; /* for the times in ms */
	struct result sums;  /* the sums over all questions */
	struct VEC(double) ms;
};

static const size_t depths[] = {1, 5, 10};

static double gain(size_t rank)
{
	return 1 / log2((double)rank + 1);
}

/* Adds the measures of one question that expects at least one memory. */
static void measure(struct measured *s, const struct strs *expected,
		    const struct memory_found *found)
{
	size_t hits[ARRAY_SIZE(depths)] = {0}, first = 0;
	double *const recall[] = {&s->sums.recallAt1, &s->sums.recallAt5, &s->sums.recallAt10};
	double dcg = 0, best = 0;

	for (size_t rank = 1; rank <= found->n; rank++) {
		if (!strs_has(expected, found->p[rank - 1].memory.id))
			continue;
		first = first ? first : rank;
		dcg += rank <= 10 ? gain(rank) : 0;
		for (size_t k = 0; k < ARRAY_SIZE(depths); k++)
			hits[k] += rank <= depths[k];
	}
	for (size_t rank = 1; rank <= size_min(expected->n, 10); rank++)
		best += gain(rank);
	for (size_t k = 0; k < ARRAY_SIZE(depths); k++)
		*recall[k] += (double)hits[k] / (double)expected->n;
	s->sums.mrr += first ? 1 / (double)first : 0;
	s->sums.ndcgAt10 += dcg / best;
	s->sums.measured++;
}

static int measure_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The shortest time that `part` of the searches do not exceed. */
static double measured_ms(const struct measured *s, double part)
{
	size_t rank = (size_t)ceil(part * (double)s->ms.n);

	return s->ms.n ? s->ms.p[rank ? rank - 1 : 0] : 0;
}

/* ---- running the searches ---- */

/* Keeps the ids of memories that exist. A memory that nobody can find must not count as missed. */
static struct err *bench_known(struct memories *m, struct arena *a, const struct strs *expected,
			       struct strs *out, int64_t *unknown)
{
	for (size_t i = 0; i < expected->n; i++) {
		struct strs before = {expected->p, i, i};
		struct memory one;
		struct err *e;

		if (strs_has(&before, expected->p[i]))
			continue;
		e = memory_get(m, a, expected->p[i], false, &one);
		if (e && err_reason(e) != E_NO_SUCH_MEMORY && err_reason(e) != E_NOT_UNIQUE)
			return e;
		/* The id may be a prefix of another one, which the question does not mean. */
		if (!e && str_eq(one.id, expected->p[i]))
			strs_push(a, out, one.id);
		else
			++*unknown;
	}
	return NULL;
}

/* Measures the results in the first run only, and the time in each run. */
static struct err *bench_ask(struct memories *m, const struct memory_search *search,
			     const struct strs *gold, bool first, struct measured *s)
{
	struct arena *a ARENA_LOCAL = arena_new();
	uint64_t start = os_ticks();
	struct memory_found found;
	struct err *e = memory_search(m, a, search, &found);

	if (!e) {
		*VEC_PUSH(s->arena, &s->ms) = (double)(os_ticks() - start) / 1e6;
		s->sums.withoutVectors += found.note.n > 0;
		s->sums.belowThreshold += first && (found.below_threshold || !found.n);
		if (first && gold->n)
			measure(s, gold, &found);
	}
	return e;
}

static struct placed *bench_place(struct arena *a, struct memory_hit *hit)
{
	struct placed *one = ARENA_NEW(a, struct placed);

	mem_score_round(hit);
	*one = (struct placed){hit->memory.id, hit->score, hit->parts};
	return one;
}

/* Searches as deep as it can, to tell where the first expected memory stands. */
static struct err *bench_explain(struct memories *m, struct measured *s, size_t line,
				 const struct memory_search *asked, const struct strs *gold)
{
	struct memory_search search = *asked;
	struct memory_found found;
	struct each one = {.line = line};
	size_t at = 0;

	search.threshold = 0;
	search.limit = 1000;
	TRY(memory_search(m, s->arena, &search, &found));
	while (at < found.n && !strs_has(gold, found.p[at].memory.id))
		at++;
	if (at < found.n) {
		one.rank = at + 1;
		one.expected = bench_place(s->arena, &found.p[at]);
	}
	if (at && found.n)
		one.before = bench_place(s->arena, &found.p[at < found.n ? at - 1 : 0]);
	*VEC_PUSH(s->arena, &s->sums.each) = one;
	return NULL;
}

static double rounded(double x)
{
	return round(x * 10000) / 10000;
}

static struct err *bench_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	double *const means[] = {&r->recallAt1, &r->recallAt5, &r->recallAt10, &r->mrr,
				 &r->ndcgAt10};
	struct progress shown PROGRESS = {0};
	struct measured s = {.arena = c->a};
	struct questions all;
	struct words *words;
	struct memories *m;

	TRY(questions_read(c, args->file, &all));
	TRY(mem_open(c, &m));
	/* The words live in the call's arena, because an arena of one question ends too early. */
	TRY(memory_word_splitter(m, c->a, &words));
	shown = progress_start("asking", all.n);
	for (size_t i = 0; i < all.n; i++) {
		const struct question *q = &all.p[i];
		struct memory_search search = {
			.query = q->query,
			.layers = q->layers.bits,
			.kinds = q->kind.bits,
			.tags = q->tags,
			.status = -1,
			.threshold = args->threshold,
			.limit = (size_t)args->limit,
			.best_anyway = true,
		};
		struct strs gold = {0};

		TRY(bench_known(m, c->a, &q->expected, &gold, &s.sums.unknownExpected));
		for (int64_t k = 0; k < args->repeat; k++)
			TRY(bench_ask(m, &search, &gold, !k, &s));
		if (args->explain && gold.n)
			TRY(bench_explain(m, &s, q->line, &search, &gold));
		progress_at(&shown, i + 1);
	}
	VEC_SORT(&s.ms, measure_by_value);
	*r = s.sums;
	r->success = true;
	r->questions = all.n;
	for (size_t i = 0; i < ARRAY_SIZE(means); i++)
		*means[i] = rounded(*means[i] / (double)(r->measured ? r->measured : 1));
	r->latencyP50 = rounded(measured_ms(&s, 0.5));
	r->latencyP95 = rounded(measured_ms(&s, 0.95));
	r->latencyMax = rounded(measured_ms(&s, 1));
	return NULL;
}

static void bench_text_placed(struct call *c, const char *what, const struct placed *p)
{
	const char *sep = "";

	if (!p)
		return;
	out_fmt(c->out, "  %-11s  %.*s  score %.*s: ", what, STR_ARG(p->id),
		STR_ARG(mem_score_text(c->a, p->score)));
	for (const struct field *f = mem_parts; f->name; f++) {
		double points =
			*(const double *)(const void *)((const char *)&p->parts + f->offset);

		if (points < 0 || points > 0) {
			out_fmt(c->out, "%s%s %+.2f", sep, f->name, points);
			sep = ", ";
		}
	}
	out_puts(c->out, *sep ? "\n" : "no points\n");
}

static void bench_text(struct call *c, const void *args, const void *result_)
{
	const struct result *r = result_;
	const struct val *v = record_val(c->a, result + 1, r)->first;

	(void)args;
	for (const struct field *f = result + 1; f->kind != K_RECORDS; f++, v = v->next) {
		out_fmt(c->out, "%-16s", f->name);
		out_styled(c->out, OUT_BOLD, v->s);
		out_fmt(c->out, "%*s  %s\n", (int)size_max(8, v->s.n) - (int)v->s.n, "", f->help);
	}
	VEC_EACH(const struct each, one, &r->each) {
		if (one->rank)
			out_fmt(c->out, "line %zu: rank %zu\n", one->line, one->rank);
		else
			out_fmt(c->out, "line %zu: not found in the first thousand results\n",
				one->line);
		bench_text_placed(c, "expected", one->expected);
		bench_text_placed(c, one->rank ? "before it" : "first", one->before);
	}
}

const struct cmd cmd_bench = {
	.name = "bench",
	.summary = "measure how well and how fast a search finds memories",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = bench_run,
	.text = bench_text,
};
