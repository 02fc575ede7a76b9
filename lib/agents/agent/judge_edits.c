/* The repositories that an edit is about, and what their judges say of it. */
#include "agent/internal.h"
#include "history/last_stops_by_rule.h"
#include "knowledge/load.h"

#define STOP_AND_ASK 3 /* from so many denials of one rule on the agent is told to stop */

/* ---- repositories ---- */

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

/* ---- settings ---- */

/*
 * The stricter value of the working tree and of HEAD: an agent that can change the working tree
 * must not relax its judge. Settings of HEAD that cannot be read say nothing.
 */
static unsigned agent_strictest_setting(struct agent *g, struct agent_repo *r, size_t setting)
{
	unsigned now = *(const unsigned *)(const void *)((const char *)r->conf + setting), then;
	struct tree *head = NULL;

	if (now == CONF_AGENT_DENY)
		return now;
	if (!r->head && (git_tree_head(r->git, &head) || !head ||
			 knowledge_tree_conf(g->a, head, &g->call->set, &r->head)))
		r->head = r->conf;
	then = *(const unsigned *)(const void *)((const char *)r->head + setting);
	if (then < now)
		r->head_is_stricter = true;
	return then < now ? then : now;
}

enum conf_agent agent_writes_setting_get(struct agent *g, struct agent_repo *r)
{
	return (enum conf_agent)agent_strictest_setting(g, r,
							offsetof(struct conf, check_agent_writes));
}

/* Outside repositories nothing says otherwise. */
bool agent_protected_is_denied(struct agent *g)
{
	bool deny = !g->repos.n;

	for (size_t i = 0; i < g->repos.n; i++)
		deny |= agent_strictest_setting(g, g->repos.p[i],
						offsetof(struct conf, check_agent_protected)) ==
			CONF_AGENT_DENY;
	return deny;
}

/* ---- judging ---- */

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
			agent_protected_note_rule_edits(g, &r->report);
		} else if (!g->protected.n) {
			/* With an edit of what judges, the edit may have broken the settings. */
			return e;
		}
	}
	return NULL;
}

/* Counts each rule that stops once. Tells the agent to ask a person when one has stopped it often;
 * or empty. */
static struct str judging_count(struct agent *g, const struct check_report *r)
{
	struct strs seen = {0};
	struct str ask = {"", 0};

	VEC_EACH(const struct check_violation, v, &r->violations) {
		struct str rule =
			str_fmt(g->a, "%.*s#%u", STR_ARG(v->item->id), v->constraint->index);

		if (v->existing || v->severity != KN_SEVERITY_BLOCK || strs_has(&seen, rule))
			continue;
		strs_push(g->a, &seen, rule);
		if (agent_state_count_denial(g, rule) >= STOP_AND_ASK)
			ask = str_fmt(g->a,
				      "%.*s has stopped several changes in this session. Stop "
				      "here, and ask the person how to go on.",
				      STR_ARG(rule));
	}
	return ask;
}

struct str agent_advise_after_denials(struct agent *g, const struct agent_repo *repo)
{
	stops_note(g->a, repo->git, &repo->report);
	return judging_count(g, &repo->report);
}

struct str agent_advise_after_blocks(struct arena *a, const struct check_report *r)
{
	struct agent g = {.a = a};
	struct str ask;

	g.e.host = host_running(&g.e.session);
	if (!g.e.session.n)
		return STR("");
	ask = judging_count(&g, r);
	agent_state_save(&g);
	return ask;
}
