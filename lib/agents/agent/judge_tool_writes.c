/* How strict the settings are, and changes by ikm's own tools, judged under the lock of the files.
 */
#include "agent/internal.h"
#include "knowledge/load.h"

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

/* ---- the change ---- */

static struct err *writes_read(struct agent *g, const struct file_proposal *p, size_t n)
{
	struct str none = {NULL, 0};

	for (size_t i = 0; i < n; i++) {
		if (p[i].asset)
			continue;
		if (!p[i].path_to.n) {
			TRY(agent_edits_add_file(g, p[i].path, p[i].named, p[i].before,
						 p[i].after));
			continue;
		}
		/* The link itself moves, so it has no other name. */
		TRY(agent_edits_add_file(g, p[i].path, none, p[i].before, none));
		TRY(agent_edits_add_file(g, p[i].path_to, none, none, p[i].after));
	}
	return NULL;
}

static void writes_warn(struct agent *g, struct strs *warnings, const char *what, struct str text)
{
	strs_push(g->a, warnings,
		  agent_text_shorten(g->a, str_fmt(g->a, "%s%.*s", what, STR_ARG(text))));
}

/* Names the first finding, for programs; the message names them all. */
static struct err *writes_detail(struct err *e, const struct check_report *r)
{
	VEC_EACH(const struct check_violation, v, &r->violations) {
		if (v->existing || v->severity != KN_SEVERITY_BLOCK)
			continue;
		err_add_detail(e, "item", v->item->id);
		if (v->file.n)
			err_add_detail(e, "path", v->file);
		if (v->line)
			err_detail_int(e, "line", (int64_t)v->line);
		if (v->constraint->use_instead.n)
			err_add_detail(e, "useInstead", v->constraint->use_instead);
		return err_add_detail(e, "fingerprint", v->fingerprint);
	}
	return e;
}

static struct err *writes_answer(struct agent *g, const struct agent_writes *w,
				 struct strs *warnings)
{
	/* Each finding is on a line of its own. */
	struct buf denied = buf_in(g->a), told = buf_in(g->a);
	const struct check_report *first = NULL;
	struct str ask = {"", 0}, text;

	for (size_t i = 0; i < g->repos.n; i++) {
		struct agent_repo *r = g->repos.p[i];
		unsigned set =
			agent_strictest_setting(g, r, offsetof(struct conf, check_agent_writes));
		struct str stops = agent_findings(g->a, &r->report, true, true);
		struct str again, warns = agent_findings(g->a, &r->report, false, true);

		if (set == CONF_AGENT_OFF)
			continue;
		if (stops.n)
			buf_fmt(set == CONF_AGENT_DENY ? &denied : &told, "\n%.*s", STR_ARG(stops));
		if (warns.n)
			buf_fmt(&told, "\n%.*s", STR_ARG(warns));
		if (!stops.n || set != CONF_AGENT_DENY)
			continue;
		first = first ? first : &r->report;
		again = w->session.n ? agent_advise_after_denials(g, r) : STR("");
		ask = again.n ? again : ask;
	}
	if (denied.n) {
		if (w->session.n)
			agent_state_save(g);
		text = agent_text_shorten(
			g->a, agent_denial_reason(g->a, "was written", buf_as_str(&denied), ask));
		return writes_detail(err_new(E_BREAKS_RULE, "%.*s", STR_ARG(text)), first);
	}
	if (g->protected.n && agent_protected_is_denied(g))
		return err_new(E_PERSON_DECIDES, "%.*s",
			       STR_ARG(agent_text_shorten(g->a, agent_protection_reason(g))));
	if (g->protected.n)
		writes_warn(g, warnings, "", agent_protection_reason(g));
	if (told.n)
		writes_warn(g, warnings, "a warning about this change:", buf_as_str(&told));
	return NULL;
}

static struct err *writes_judge(void *ctx, struct arena *a, const struct file_proposal *p, size_t n,
				bool dry, struct strs *warnings)
{
	struct agent_writes asked = *(const struct agent_writes *)ctx, *w = &asked;
	const struct agent_call call = {.set = w->set, .cwd = w->cwd};
	struct agent g = {.a = a,
			  .call = &call,
			  .cwd = w->cwd,
			  .garden = w->garden,
			  .e = {.host = HOST_UNKNOWN, .kind = HOST_WRITE}};
	struct err *e = writes_read(&g, p, n);

	/* A proposal is no attempt, so it does not count as one of the session. */
	if (dry)
		w->session = (struct str){0};
	g.e.session = w->session;
	if (!e)
		e = agent_judge(&g);
	if (e) {
		/* ikm allows a change that it cannot judge: else no tool could mend broken
		 * settings. */
		strs_push(a, warnings,
			  str_fmt(a, "ikm could not judge this change, and made it: %s",
				  err_message(e)));
		return NULL;
	}
	return writes_answer(&g, w, warnings);
}

struct file_policy agent_write_policy_new(struct agent_writes *w)
{
	return (struct file_policy){.judge = writes_judge, .ctx = w};
}
