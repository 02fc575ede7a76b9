/* know suggest: shows rules that the prose of decisions names, with proof; a person accepts one. */
#include "decisions/know_write_common.h"
#include "judge/examples.h"
#include "suggest/suggest.h"

struct args {
	struct strs ids;
	int64_t apply, commits;
	bool no_stage;
	struct strs knowledge;
};

static const struct param suggest_params[] = {
	PARAM(ids, .flags = ARG, .meta = "ID", .min = 1, .max = 4096, .complete = know_complete,
	      .help = "only these decisions: id, path, number, or the start of an id; default: "
		      "all drafts, proposals and accepted ones"),
	PARAM(apply, .letter = 'a', .meta = "N", .min = 0, .max = 100000, .def = "0",
	      .help = "write suggestion N into its decision, as 'ikm know rule' does"),
	PARAM(commits, .meta = "N", .min = 0, .max = 1000000, .def = "50",
	      .help = "judge the last N commits by them, each against its first parent"),
	PARAM(no_stage, .help = "with --apply: leave the index of Git as it is"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct suggested {
	struct suggestion s;
	struct ruletest_found found; /* in the tree */
	size_t commits;              /* that it would have stopped */
};
struct result {
	bool success;
	struct {
		struct suggested *p;
		size_t n, cap;
	} suggestions;
	struct {
		struct unknown {
			struct suggest_unknown s;
			struct str command;
		} * p;
		size_t n, cap;
	} unknown;
	int64_t decisions;
	struct maybe_int judged;
	struct rule_result *applied;
	bool noKnowledge;
};

#define S struct suggested
static const struct field suggested_fields[] = {
	FIELD_AS(S, s.rule.index, "number", "for --apply"),
	FIELD_OF(struct kn_item, id, "the decision", FIELD_VIA(S, s.item)),
	FIELD_AS(struct kn_item, shown_path, "path", "its file", FIELD_VIA(S, s.item)),
	FIELD_AS(S, s.line, "line", "of the sentence in that file, from 1"),
	FIELD_AS(S, s.sentence, "sentence", "what it comes from"),
	FIELD_NAMED(S, s.sign, "sign", suggest_signs,
		    "what tells the name: a manifest of the tree, a link to it, backticks, a term "
		    "that ikm knows, or a guess"),
	KN_CONSTRAINT_FIELDS(S, s.rule.),
	FIELD_AS(S, s.rule.use_instead, "useInstead", "what was chosen", .flags = IF_ANY),
	FIELD_AS(S, s.rule.examples.stops, "stops", "examples that it stops; all hold"),
	FIELD_AS(S, s.rule.examples.passes, "passes", "examples that it lets pass; all hold"),
	FIELD_AS(S, found.total, "total", "the number of violations in the tree now"),
	FIELD_OF(S, commits, "the number of commits that it would have stopped"),
	{0},
};
#undef S
#define U struct unknown
static const struct field unknown_fields[] = {
	FIELD_AS(U, s.name, "name", "in backticks"),
	FIELD_OF(struct kn_item, id, "the decision", FIELD_VIA(U, s.item)),
	FIELD_AS(struct kn_item, shown_path, "path", "its file", FIELD_VIA(U, s.item)),
	FIELD_AS(U, s.line, "line", "of the sentence in that file, from 1"),
	FIELD_AS(U, s.sentence, "sentence", "what bans it"),
	FIELD_OF(U, command, "writes the rule that forbids it as a package"),
	{0},
};
#undef U
static const struct field suggest_result[] = {
	FIELD(success, "the decisions were read"),
	FIELD_RECORDS(struct result, suggestions, "suggestions", suggested_fields,
		      "by decision; none is a rule"),
	FIELD_RECORDS(struct result, unknown, "unknown", unknown_fields,
		      "names that a sentence bans and no manifest of the tree has"),
	FIELD(decisions, "the number of decisions that were read"),
	FIELD_AS(struct result, judged, "judgedCommits", "commits that were judged",
		 .flags = OPTIONAL),
	FIELD_RECORD_AT(struct result, applied, "applied", rule_result,
			"with --apply: the rule, as of know rule", .flags = OPTIONAL),
	FIELD(noKnowledge, "no source is configured", .flags = IF_ANY),
	{0},
};

/* ---- what the decisions suggest ---- */

static struct err *suggest_read(struct call *c, const struct suggest_names *names,
				const struct kn_item *item, struct suggestions *out)
{
	const char *path;
	struct str text;

	TRY(knowledge_file(c->a, item, &path));
	TRY(os_read_path(c->a, path, FILE_BYTES_MAX, &text));
	return suggest_from_item(c->a, names, item, text, out);
}

/*
 * Takes the suggestions whose examples hold, and numbers them. A suggestion that is a rule already
 * counts too, so the numbers of the others stay.
 */
static struct err *suggest_proven(struct call *c, const struct suggestions *all, struct result *r)
{
	for (size_t i = 0; i < all->n; i++) {
		struct suggested x = {.s = all->p[i]};
		struct check_examples tried = {0};
		bool holds = true;

		TRY(check_examples(c->a, x.s.item, &x.s.rule, &tried));
		for (size_t k = 0; k < tried.n; k++)
			holds &= !tried.p[k].failed.n;
		if (!holds)
			continue;
		x.s.rule.index = (unsigned)r->suggestions.n + 1;
		*VEC_PUSH(c->a, &r->suggestions) = x;
	}
	return NULL;
}

/* All at once: one pass over the tree, and one over each commit. */
static struct err *suggest_hits(struct call *c, const struct knowledge *k, struct tree *tree,
				int64_t commits, struct result *r)
{
	const size_t n = r->suggestions.n;
	struct kn_constraint *rules = arena_array(c->a, n + 1, sizeof(*rules));
	struct ruletest t = {.git = c->git,
			     .knowledge = k,
			     .rules = rules,
			     .rules_n = n,
			     .max_file = (size_t)c->conf->check_max_file_size};
	struct ruletest_history history = {0};
	struct ruletest_all all;

	if (!n || !tree)
		return NULL;
	for (size_t i = 0; i < n; i++)
		rules[i] = r->suggestions.p[i].s.rule;
	t.item = r->suggestions.p[0].s.item;
	TRY(ruletest_run_on_tree(c->a, &t, tree, &all));
	for (size_t i = 0; i < n; i++)
		r->suggestions.p[i].found = all.p[i];
	TRY(ruletest_commits(c->a, &t, (size_t)commits, &history));
	r->judged = (struct maybe_int){(int64_t)history.judged, true};
	for (size_t i = 0; i < history.commits.n; i++)
		for (size_t j = 0; j < history.commits.p[i].found.n; j++)
			r->suggestions.p[history.commits.p[i].found.p[j].rule - 1].commits++;
	return NULL;
}

static struct err *suggest_apply(struct call *c, const struct args *args, struct result *r)
{
	const struct suggestion *s;
	struct rules rules = {0};

	if ((size_t)args->apply > r->suggestions.n)
		return r->suggestions.n
			       ? err_help(
					 err_for_param(E_OUT_OF_RANGE, STR("apply"),
						       "there is no suggestion %jd",
						       (intmax_t)args->apply),
					 "'ikm know suggest' with the same decisions lists them with "
					 "their numbers")
			       : err_help(err_for_param(E_OUT_OF_RANGE, STR("apply"),
							"there is no suggestion to apply"),
					  "write the rule: ikm know rule ITEM --forbid-dependency "
					  "NAME");
	s = &r->suggestions.p[args->apply - 1].s;
	if (s->is_rule)
		return err_help(err_for_param(E_EXISTS, STR("apply"),
					      "suggestion %jd is a rule of '%.*s' already",
					      (intmax_t)args->apply, STR_ARG(s->item->id)),
				"'ikm know suggest' with the same decisions lists the others");
	*VEC_PUSH(c->a, &rules) = s->rule;
	r->applied = ARENA_NEW(c->a, struct rule_result);
	return know_edit_item_rules(c, &args->knowledge, s->item->id, &rules, 0, !args->no_stage,
				    r->applied);
}

static struct err *know_suggest_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct suggestions all = {0};
	struct suggest_names *names;
	struct tree *tree = NULL;
	struct knowledge *k;
	size_t kept = 0;

	TRY(know_load(c, &args->knowledge, &k));
	if (c->git && !git_is_bare(c->git))
		TRY(git_tree_worktree(c->git, &tree));
	TRY(suggest_load_names(c->a, tree, (size_t)c->conf->check_max_file_size, &names));
	r->success = true;
	r->noKnowledge = !k->sources;
	for (size_t i = 0; i < args->ids.n; i++) {
		const struct kn_item *item;

		TRY(knowledge_resolve_item_name(c->a, k, args->ids.p[i], -1, &item));
		TRY(suggest_read(c, names, item, &all));
		r->decisions++;
	}
	for (size_t i = 0; !args->ids.n && i < k->items.n; i++) {
		const struct kn_item *item = &k->items.p[i];

		/* Many collections write no status, which reads as a draft. */
		if (item->status > KN_STATUS_ACCEPTED || !item->source->folder || item->broken)
			continue;
		TRY(suggest_read(c, names, item, &all));
		r->decisions++;
	}
	TRY(suggest_proven(c, &all, r));
	if (args->apply)
		return suggest_apply(c, args, r);
	TRY(suggest_hits(c, k, tree, args->commits, r));
	for (size_t i = 0; i < r->suggestions.n; i++)
		if (!r->suggestions.p[i].s.is_rule)
			r->suggestions.p[kept++] = r->suggestions.p[i];
	r->suggestions.n = kept;
	VEC_EACH(const struct suggest_unknown, x, &all.unknown)
		*VEC_PUSH(c->a, &r->unknown) = (struct unknown){
			*x, str_fmt(c->a, "ikm know rule %.*s --forbid-dependency %.*s",
				    STR_ARG(str_shell_word(c->a, x->item->id)), STR_ARG(x->name))};
	return NULL;
}

/* ---- text ---- */

static void suggest_one(struct call *c, const struct result *r, const struct suggested *x)
{
	static const char *const known[] = {
		[SUGGEST_TREE] = "a manifest of the tree has it",
		[SUGGEST_LINK] = "a link names it",
		[SUGGEST_CODE] = "it stands in backticks",
		[SUGGEST_TERM] = "ikm knows the term",
		[SUGGEST_GUESS] = "a guess: compare it with the registry",
	};
	const struct kn_constraint *rule = &x->s.rule;

	out_fmt(c->out, "%u  ", rule->index);
	out_styled(c->out, OUT_BOLD, x->s.item->shown_path);
	out_fmt(c->out, ":%zu\n  ", x->s.line);
	out_safe_line(c->out, x->s.sentence);
	out_fmt(c->out, "  %s %s ", kn_operators[rule->op], kn_targets[rule->target]);
	out_safe(c->out, rule->pattern, false);
	for (size_t i = 0; i < rule->applies_to.n; i++)
		out_fmt(c->out, "%s%.*s", i ? ", " : " in ", STR_ARG(rule->applies_to.p[i]));
	out_fmt(c->out, "  (%s)\n  ", known[x->s.sign]);
	out_safe_line(c->out, str_fmt(c->a, "stops %.*s; passes %.*s",
				      STR_ARG(str_join(c->a, &rule->examples.stops, ", ")),
				      STR_ARG(str_join(c->a, &rule->examples.passes, ", "))));
	know_test_print_now(c->out, &x->found, 1);
	if (r->judged.n)
		out_fmt(c->out, "  last %jd commit%s: violations in %zu\n", (intmax_t)r->judged.n,
			PLURAL(r->judged.n), x->commits);
}

#define UNKNOWN_SHOWN 10

static void suggest_text(struct call *c, const void *p, const void *result)
{
	const struct args *args = p;
	const struct result *r = result;
	struct buf ids = buf_in(c->a);

	if (r->noKnowledge) {
		out_puts(c->err, KNOWLEDGE_NONE "\n");
		return;
	}
	if (r->applied) {
		know_rules_change_print(c, NULL, r->applied);
		return;
	}
	for (size_t i = 0; i < r->suggestions.n; i++)
		suggest_one(c, r, &r->suggestions.p[i]);
	for (size_t i = 0; i < r->unknown.n && i < UNKNOWN_SHOWN; i++) {
		const struct unknown *x = &r->unknown.p[i];

		out_safe_line(c->out,
			      str_fmt(c->a,
				      "%.*s:%zu bans '%.*s', which no manifest here has: %.*s",
				      STR_ARG(x->s.item->shown_path), x->s.line, STR_ARG(x->s.name),
				      STR_ARG(x->command)));
	}
	if (r->unknown.n > UNKNOWN_SHOWN)
		out_fmt(c->out, "and %zu more; --json lists all\n", r->unknown.n - UNKNOWN_SHOWN);
	for (size_t i = 0; i < args->ids.n; i++)
		buf_fmt(&ids, " %.*s", STR_ARG(str_shell_word(c->a, args->ids.p[i])));
	out_fmt(c->err, "%zu suggestion%s from %jd decision%s", r->suggestions.n,
		PLURAL(r->suggestions.n), (intmax_t)r->decisions, PLURAL(r->decisions));
	if (r->unknown.n)
		out_fmt(c->err, ", %zu banned name%s that no manifest here has", r->unknown.n,
			PLURAL(r->unknown.n));
	if (r->suggestions.n)
		out_fmt(c->err,
			"; none is a rule yet. To accept one: ikm know suggest%.*s --apply N",
			STR_ARG(ids.n ? buf_as_str(&ids) : STR("")));
	out_puts(c->err, "\n");
}

const struct cmd cmd_know_suggest = {
	.name = "know suggest",
	.summary = "show rules that the prose of decisions names",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, suggest_params),
	CMD_RESULT(struct result, suggest_result),
	.run = know_suggest_run,
	.text = suggest_text,
};
