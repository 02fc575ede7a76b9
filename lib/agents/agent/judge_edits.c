/* The repositories that an edit is about, and what their judges say of it. */
#include "agent/internal.h"
#include "knowledge/load.h"

struct err *agent_repo_of_folder(struct agent *g, const char *folder, struct agent_repo **out)
{
	struct agent_repo *one = ARENA_NEW(g->a, struct agent_repo);
	struct err *e;

	for (size_t i = 0; i < g->folders.n; i++)
		if (!strcmp(g->folders.p[i].path, folder)) {
			*out = g->folders.p[i].repo;
			return NULL;
		}
	*out = NULL;
	e = git_open(g->a, folder, &one->git);
	if (e && err_reason(e) != E_NO_REPOSITORY)
		return e;
	if (e || !git_top(one->git))
		one->git = NULL;
	if (one->git) {
		TRY(judge_disk_tree_open(g->a, one->git, &one->disk));
		TRY(judge_disk_tree_open_whole(g->a, one->git, one->disk, &one->whole));
		TRY(knowledge_tree_conf(g->a, one->whole, &g->call->set, &one->conf));
	}
	for (size_t i = 0; i < g->repos.n && one->git; i++)
		if (!strcmp(git_top(g->repos.p[i]->git), git_top(one->git)))
			*out = g->repos.p[i];
	if (one->git && !*out)
		*VEC_PUSH(g->a, &g->repos) = *out = one;
	*VEC_PUSH(g->a, &g->folders) = (struct agent_folder){folder, *out};
	return NULL;
}

/* ---- judging ---- */

/*
 * Notes what the judge saw of the rules. An agent may write drafts and proposals, which only
 * inform. A setting of the judge has been noted with its file.
 */
static void note_rule_edits(struct agent *g, const struct check_report *r)
{
	VEC_EACH(const struct rule_change, c, &r->rule_changes) {
		struct str what;

		if (c->kind == RULE_SETTING ||
		    (c->kind == RULE_ADDED && c->severity == KN_SEVERITY_INFO))
			continue;
		what = str_fmt(g->a, "'%.*s' has rule %u of %.*s, which would be %s%s%.*s",
			       STR_ARG(c->path), c->constraint, STR_ARG(c->item),
			       rule_change_kinds[c->kind], c->why.n ? ": " : "", STR_ARG(c->why));
		if (!strs_has(&g->protected, what))
			strs_push(g->a, &g->protected, what);
	}
}

struct err *agent_judge(struct agent *g)
{
	for (size_t i = 0; i < g->repos.n; i++) {
		struct agent_repo *r = g->repos.p[i];
		struct judge j = {.asker = JUDGE_AGENT,
				  .git = r->git,
				  .args = g->call->set,
				  .min_severity = -1};
		struct err *e;

		if (!r->edits.n && !r->edits.deps_n)
			continue;
		e = judge_edits(g->a, &j, &r->edits, &r->report);
		if (!e) {
			check_report_finish(g->a, &r->report);
			note_rule_edits(g, &r->report);
		} else if (!g->protected.n) {
			/* With an edit of what judges, the edit may have broken the settings. */
			return e;
		}
	}
	return NULL;
}
