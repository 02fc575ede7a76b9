#include "history/ruletest.h"
#include "judge/rules_for_path.h"
#include "os/os.h"
#include "out/out.h"

/*
 * Judges by knowledge with these rules only, in force. Its other items stay: their files may quote.
 */
static struct err *ruletest_run(struct arena *a, const struct ruletest *t, struct tree *now,
				struct tree *base, struct check_report *out)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);
	struct check_input in = {.now = now,
				 .base = base,
				 .complete = true,
				 .list_all = true,
				 .list_unjudged = true,
				 .rules = k,
				 .max_file = t->max_file};

	k->sources = 1;
	for (size_t i = 0; i < t->knowledge->items.n; i++) {
		struct kn_item *item = VEC_PUSH(a, &k->items);

		*item = t->knowledge->items.p[i];
		item->constraints = NULL;
		item->constraints_n = 0;
		if (&t->knowledge->items.p[i] != t->item)
			continue;
		item->constraints = arena_array(a, t->rules_n + 1, sizeof(*item->constraints));
		memcpy(item->constraints, t->rules, t->rules_n * sizeof(*item->constraints));
		item->constraints_n = t->rules_n;
		item->status = KN_STATUS_ACCEPTED;
		item->overridable = false;
	}
	if (t->git)
		TRY(git_setting_bool(t->git, "core.ignorecase", &in.ignore_case));
	return check_run(a, &in, out);
}

/* Adds the findings of one rule. a keeps the strings, which may live in a shorter arena. */
static void ruletest_collect(struct arena *a, const struct check_report *r, unsigned rule,
			     struct ruletest_found *out)
{
	VEC_EACH(const struct check_violation, v, &r->violations) {
		if (v->constraint->index != rule || v->existing)
			continue;
		out->severity = v->severity;
		if (out->total++ >= RULETEST_PLACES)
			continue;
		*VEC_PUSH(a, &out->places) = (struct ruletest_place){
			.file = str_dup(a, v->file),
			.found = str_dup(a, v->found),
			.message = str_dup(a, v->message),
			.line = v->line,
			.column = v->column,
		};
	}
}

struct err *ruletest_run_on_tree(struct arena *a, const struct ruletest *t, struct tree *tree,
				 struct ruletest_all *out)
{
	struct check_report r = {0};
	struct strs paths;

	TRY(ruletest_run(a, t, tree, NULL, &r));
	TRY(check_list_tree_paths(a, tree, &paths));
	out->paths = paths.n;
	out->p = arena_array(a, t->rules_n + 1, sizeof(*out->p));
	out->n = t->rules_n;
	out->files = r.files;
	out->unjudged = r.unjudged.n;
	for (size_t i = 0; i < t->rules_n; i++) {
		out->p[i].rule = t->rules[i].index;
		out->p[i].severity = t->rules[i].severity;
		for (size_t j = 0; j < paths.n; j++)
			out->p[i].looks += check_rule_can_judge_path(&t->rules[i], paths.p[j]);
		if (!check_pattern_path_missing(a, &t->rules[i], &paths, &out->p[i].lacks,
						&out->p[i].other))
			out->p[i].lacks = (struct str){0};
		ruletest_collect(a, &r, t->rules[i].index, &out->p[i]);
	}
	return NULL;
}

/* ---- past commits ---- */

static struct err *ruletest_commit(struct arena *a, const struct ruletest *t, struct str id,
				   struct str parent, struct str subject,
				   struct ruletest_history *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct ruletest_commit c = {0};
	struct check_report r = {0};
	struct tree *now, *base = tree_mem(a, STR("an empty tree"), NULL, 0);

	TRY(git_tree_at(t->git, str_c(scratch, id), &now));
	if (parent.n)
		TRY(git_tree_at(t->git, str_c(scratch, parent), &base));
	TRY(ruletest_run(scratch, t, now, base, &r));
	out->judged++;
	for (size_t i = 0; i < t->rules_n; i++) {
		struct ruletest_found found = {.rule = t->rules[i].index};

		ruletest_collect(a, &r, found.rule, &found);
		if (!found.total)
			continue;
		*VEC_PUSH(a, &c.found) = found;
		c.blocks = c.blocks || found.severity == KN_SEVERITY_BLOCK;
	}
	if (!c.found.n)
		return NULL;
	c.id = str_dup(a, id);
	c.subject = str_utf8(a, str_dup(a, subject));
	*VEC_PUSH(a, &out->commits) = c;
	return NULL;
}

struct err *ruletest_commits(struct arena *a, const struct ruletest *t, size_t max,
			     struct ruletest_history *out)
{
	const char *args[] = {"rev-list",  "--first-parent", str_fmt(a, "--max-count=%zu", max).p,
			      "--parents", "--format=%s",    "HEAD",
			      NULL};
	struct progress progress PROGRESS = {0};
	struct str list, line, head;
	size_t n = 0;
	struct os_stat st;

	if (!max || git_rev_id(t->git, a, "HEAD", &head))
		return NULL;
	TRY(os_stat(str_fmt(a, "%s/shallow", git_common_dir(t->git)).p, true, &st));
	TRY(git_run(t->git, a, args, (struct str){0}, &list));
	progress = progress_start("commits judged", max);
	/* For each commit a line "commit ID PARENT…", and one with its subject. */
	while (str_next_line(&list, &line)) {
		struct str word = {"", 0}, id = {"", 0}, parent = {"", 0}, subject = {"", 0};
		struct err *e;

		str_next_part(&line, ' ', &word);
		str_next_part(&line, ' ', &id);
		str_next_part(&line, ' ', &parent);
		str_next_line(&list, &subject);
		/* Git hides the parents of the commit where a shallow clone ends. */
		if (!parent.n && st.kind != OS_NONE) {
			out->cut = id;
			continue;
		}
		e = ruletest_commit(a, t, id, parent, subject, out);
		progress_at(&progress, ++n);
		if (e)
			return err_add_context(e, "commit %.*s", STR_ARG(id));
	}
	return NULL;
}
