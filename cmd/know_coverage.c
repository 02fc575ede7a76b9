/* know coverage: how each active decision holds: by rules that stop, by advice, or by prose alone.
 */
#include "decisions/know.h"
#include "history/last_stops_by_rule.h"
#include "judge/rules_for_path.h"
#include "knowledge/rule_compare.h"
#include "out/table.h"

static const char *const coverage_formats[] = {"text", "markdown", NULL};
enum { COVERAGE_TEXT, COVERAGE_MARKDOWN };

struct args {
	int format, only;
	struct strs knowledge;
};

static const struct param coverage_params[] = {
	PARAM(format, .flags = CLI_ONLY, .choices = coverage_formats, .def = "text",
	      .help = "the output format"),
	PARAM(only, .choices = check_coverages,
	      .help = "list only these decisions; all are counted"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct covered {
	const struct kn_item *item;
	int coverage;
	int64_t stopping, other; /* rules that stop, and those that warn or inform */
	int64_t stopped, times;
	struct str why;
};
struct coverage_result {
	bool success;
	struct {
		struct covered *p;
		size_t n, cap;
	} decisions;
	int64_t counts[COVERAGE_PROSE + 1];
	struct str not_counted;
	bool noKnowledge;
};

#define VIA(member, ...)                                                                           \
	FIELD_OF(struct kn_item, member, __VA_ARGS__, FIELD_VIA(struct covered, item))
static const struct field covered_fields[] = {
	VIA(id, "the decision"),
	VIA(title, "its title"),
	FIELD_NAMED(struct covered, coverage, "coverage", check_coverages,
		    "enforced: a rule stops what breaks it; advised: rules only warn, or it names "
		    "files of the tree, so 'ikm know for' tells it; prose: neither"),
	FIELD_OF(struct covered, stopping, "rules that stop a commit"),
	FIELD_OF(struct covered, other, "rules that warn or inform"),
	FIELD_TIME(struct covered, stopped, "lastStopped",
		   "when a rule last stopped a commit, a push or an agent's edit in this clone",
		   .flags = OPTIONAL),
	FIELD_OF(struct covered, times, "how often its rules did", .flags = IF_ANY),
	FIELD_OF(struct covered, why, "advised: the file or folder that it names", .flags = IF_ANY),
	FIELD_AS(struct kn_item, shown_path, "path", "its file", FIELD_VIA(struct covered, item)),
	{0},
};
#define R struct coverage_result
static const struct field coverage_counts[] = {
	FIELD_AS(R, counts[COVERAGE_ENFORCED], "enforced", "decisions with a rule that stops"),
	FIELD_AS(R, counts[COVERAGE_ADVISED], "advised", "decisions that are only told"),
	FIELD_AS(R, counts[COVERAGE_PROSE], "prose", "decisions that nothing tells"),
	{0},
};
static const struct field coverage_result[] = {
	FIELD_OF(R, success, "the decisions were read"),
	FIELD_RECORDS(R, decisions, "decisions", covered_fields, "the active decisions"),
	FIELD_GROUP("summary", coverage_counts, "how many of all active decisions"),
	FIELD_AS(R, not_counted, "notCounted", "why nothing counts here what the rules stop",
		 .flags = IF_ANY),
	FIELD_OF(R, noKnowledge, "no source is configured", .flags = IF_ANY),
	{0},
};

/* ---- the facts ---- */

static struct covered coverage_of(struct arena *a, const struct strs *paths,
				  const struct stops *stops, const struct kn_item *item)
{
	struct covered out = {.item = item};

	for (size_t i = 0; i < item->constraints_n; i++) {
		const struct kn_constraint *rule = &item->constraints[i];
		const struct stop *stop = stops_find_by_rule(a, stops, item, rule);

		if (rule_severity(item, rule) == KN_SEVERITY_BLOCK)
			out.stopping++;
		else
			out.other++;
		if (stop) {
			out.stopped = stop->at > out.stopped ? stop->at : out.stopped;
			out.times += stop->times;
		}
	}
	out.coverage = (int)check_how_item_covers_paths(item, paths, &out.why);
	return out;
}

ORDER_OF(coverage_cmp, struct covered,
	 ORDER_UP(coverage) || ORDER_STR(item->id) || ORDER_STR(item->shown_path))

static struct err *know_coverage_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct coverage_result *r = out;
	struct stops stops = {0};
	struct strs paths = {0};
	struct knowledge *k;
	struct tree *tree;

	TRY(know_load(c, &args->knowledge, &k));
	r->not_counted = STR("ikm counts stops of a clone, and this is no Git repository");
	if (c->git) {
		TRY(git_is_bare(c->git) ? git_tree_head(c->git, &tree)
					: git_tree_worktree(c->git, &tree));
		TRY(check_list_tree_paths(c->a, tree, &paths));
		r->not_counted = stops_read_blocked_rules(c->a, c->git, &stops);
	}
	r->success = true;
	r->noKnowledge = !k->sources;
	for (size_t i = 0; i < k->items.n; i++) {
		struct covered one;

		if (!knowledge_is_active(k, &k->items.p[i]))
			continue;
		one = coverage_of(c->a, &paths, &stops, &k->items.p[i]);
		r->counts[one.coverage]++;
		if (args->only < 0 || args->only == one.coverage)
			*VEC_PUSH(c->a, &r->decisions) = one;
	}
	VEC_SORT(&r->decisions, coverage_cmp);
	return NULL;
}

/* ---- text ---- */

/* "2 rules, last stopped 2026-11-29", "a rule only warns", "names src/pay/". */
static struct str coverage_how(struct arena *a, const struct coverage_result *r,
			       const struct covered *x)
{
	if (x->stopping && x->stopped)
		return str_fmt(a, "last stopped %.*s, %jd in all",
			       STR_ARG(os_day_text(a, x->stopped)), (intmax_t)x->times);
	if (x->stopping)
		return r->not_counted.n ? STR("its stops are not counted")
					: STR("no stop is noted in this clone");
	if (x->other)
		return STR("its rules only warn or inform");
	return x->why.n ? str_fmt(a, "'ikm know for' tells it: it names %.*s", STR_ARG(x->why))
			: STR("nothing tells it");
}

/* A cell of a table in Markdown. */
static struct str coverage_cell(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '|')
			buf_putc(&b, '\\');
		buf_putc(&b, s.p[i]);
	}
	return b.n ? buf_as_str(&b) : STR("");
}

static void coverage_markdown(struct call *c, const struct coverage_result *r)
{
	out_puts(c->out, "| decision | title | held by | rules | |\n|---|---|---|---|---|\n");
	VEC_EACH(const struct covered, x, &r->decisions) {
		const struct str title = coverage_cell(c->a, x->item->title);

		out_safe(c->out,
			 str_fmt(c->a, "| %.*s | %.*s | %s | %jd | %.*s |", STR_ARG(x->item->id),
				 STR_ARG(title), check_coverages[x->coverage],
				 (intmax_t)(x->stopping + x->other),
				 STR_ARG(coverage_how(c->a, r, x))),
			 false);
		out_puts(c->out, "\n");
	}
	out_puts(c->out, "\n");
}

static void coverage_table(struct call *c, const struct coverage_result *r)
{
	static const struct out_column columns[] = {
		{"held by", 8, OUT_WHOLE, OUT_PLAIN}, {"rules", 2, OUT_WHOLE, OUT_PLAIN},
		{"id", 20, OUT_CUT_END, OUT_BOLD},    {"title", 12, OUT_CUT_END, OUT_PLAIN},
		{"how", 20, OUT_CUT_END, OUT_DIM},
	};
	struct out_table t = {.a = c->a, .columns = columns, .n = ARRAY_SIZE(columns)};

	VEC_EACH(const struct covered, x, &r->decisions) {
		int64_t rules = x->stopping + x->other;

		out_table_add(&t, (const struct str[]){
					  str_of(check_coverages[x->coverage]),
					  rules ? str_fmt(c->a, "%jd", (intmax_t)rules) : STR("-"),
					  x->item->id,
					  x->item->title,
					  coverage_how(c->a, r, x),
				  });
	}
	out_table_print(c->out, &t);
}

static void coverage_text(struct call *c, const void *p, const void *result)
{
	const struct args *args = p;
	const struct coverage_result *r = result;
	const int64_t *n = r->counts;

	if (r->noKnowledge) {
		out_puts(c->err, KNOWLEDGE_NONE "\n");
		return;
	}
	if (args->format == COVERAGE_MARKDOWN)
		coverage_markdown(c, r);
	else
		coverage_table(c, r);
	out_fmt(c->out, "active decisions: %jd; enforced %jd, advised %jd, prose %jd\n",
		(intmax_t)(n[COVERAGE_ENFORCED] + n[COVERAGE_ADVISED] + n[COVERAGE_PROSE]),
		(intmax_t)n[COVERAGE_ENFORCED], (intmax_t)n[COVERAGE_ADVISED],
		(intmax_t)n[COVERAGE_PROSE]);
	if (r->not_counted.n && n[COVERAGE_ENFORCED])
		out_safe_line(c->err, r->not_counted);
}

const struct cmd cmd_know_coverage = {
	.name = "know coverage",
	.summary = "show which decisions rules enforce, and which are prose",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, coverage_params),
	CMD_RESULT(struct coverage_result, coverage_result),
	.run = know_coverage_run,
	.text = coverage_text,
};
