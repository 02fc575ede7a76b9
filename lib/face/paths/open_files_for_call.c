#include "open_files_for_call.h"
#include "agent/agent.h"
#include "app/client_info.h"
#include "event/idempotency.h"
#include "file/undo.h"
#include "json/json.h"

struct err *complete_word(struct call *c, struct str typed, unsigned need,
			  struct err *(*run)(struct call *c, const void *args, void *result))
{
	struct cmd *cmd = ARENA_NEW(c->a, struct cmd);
	struct cmd_common common = {0};
	struct val *none = NULL;

	*cmd = (struct cmd){.name = "--complete", .need = need, .run = run};
	c->cmd = cmd;
	return app_run_command(c, &common, &typed, &none);
}

struct events *files_event_recorder_new(struct call *c, const struct files *f)
{
	return audit_events_new(c, f->assets->db);
}

/* ikm judges the changes of agents, not those of a person's command line. */
static struct file_policy *files_policy(struct call *c)
{
	struct agent_writes *w = ARENA_NEW(c->a, struct agent_writes);
	struct file_policy *policy = ARENA_NEW(c->a, struct file_policy);
	const char *top = app_garden_path(c);

	*w = (struct agent_writes){.set = c->set, .cwd = c->cwd, .session = client_session(c)};
	/* An error leaves it NULL: then nothing of ikm's home is open. */
	if (top && os_realpath(c->a, os_join(c->a, top, "users"), &w->garden))
		w->garden = NULL;
	*policy = agent_write_policy_new(w);
	return policy;
}

struct saga *files_garden_saga_new(struct call *c, const struct files *f)
{
	struct saga *s = ARENA_NEW(c->a, struct saga);

	*s = (struct saga){
		.a = c->a,
		.top = app_garden_path(c),
		.commits = c->conf->garden_commit == CONF_SWITCH_ON,
		.maintainer = c->maintainer,
		.log = files_event_recorder_new(c, f),
	};
	s->log->keyed = true;
	return s;
}

static struct err *files_named(void *ctx, struct str name, struct str *out)
{
	return app_garden_file_resolve(ctx, name, out);
}

/* audit NULL: the command has no such parameters. */
static struct err *files_make(struct call *c, const struct audit *audit, struct files **out,
			      struct saga **saga)
{
	struct files *f = ARENA_NEW(c->a, struct files);
	struct assets *s = ARENA_NEW(c->a, struct assets);
	struct event_ids ids = {0};
	struct file_policy *agent = NULL, *garden = ARENA_NEW(c->a, struct file_policy);

	TRY(app_load_conf(c));
	if (audit)
		TRY(audit_ids_for_event(c->a, audit, &ids));
	*s = (struct assets){
		.db = app_store(c),
		.agent = c->conf->agent_id,
		.budget = c->conf->assets_budget,
		.keep_versions = c->conf->assets_keep_versions,
		.keep_days = c->conf->assets_keep_days,
		.model = c->conf->tokens_model,
		.summarizer = {.noun = "summarizer",
			       .setting = "asset.summarizer",
			       .command = c->conf->asset_summarizer,
			       .timeout_ms = (unsigned)c->conf->asset_summarizer_timeout,
			       .answer_max = ASSET_BYTES_MAX},
	};
	*f = (struct files){.a = c->a,
			    .roots = c->roots,
			    .cwd = c->cwd,
			    .assets = s,
			    .named = files_named,
			    .named_ctx = c,
			    .notes = &c->notes,
			    .notes_a = c->a,
			    .garden = app_garden_path(c)};
	*saga = files_garden_saga_new(c, f);
	(*saga)->log->ids = ids;
	if (c->proposed) {
		f->proposed = &c->proposed->files;
		c->proposed->saga = *saga;
	}
	*out = f;
	if (c->cmd->traits & TOOL_READS && !c->proposed)
		return NULL;
	*garden = saga_garden_write_policy(*saga);
	f->policy = garden;
	if (!client_is_agent(c))
		return NULL;
	agent = files_policy(c);
	agent->next = garden;
	f->policy = agent;
	if (c->conf->undo_days) {
		f->events = files_event_recorder_new(c, f);
		f->events->ids = ids;
	}
	return NULL;
}

struct err *files_open(struct call *c, struct files **out)
{
	struct saga *saga;

	return files_make(c, NULL, out, &saga);
}

struct err *files_record_refusal(struct call *c, const struct audit *audit,
				 const struct saga_attempt *q, struct err *why)
{
	struct files *f;
	struct saga *s;

	if (c->proposed || files_make(c, audit, &f, &s))
		return why;
	return saga_record_refusal(s, c->a, c->cwd, q, why);
}

struct err *files_record_on_every_face(struct call *c, struct files *f, const struct audit *audit)
{
	if (f->events || !c->conf->undo_days)
		return NULL;
	f->events = files_event_recorder_new(c, f);
	return audit_ids_for_event(c->a, audit, &f->events->ids);
}

bool files_globs_want_history(const struct strs *globs)
{
	for (size_t i = 0; i < globs->n; i++)
		if (!str_starts(globs->p[i], STR("!")) && str_holds(globs->p[i], "history"))
			return true;
	return false;
}

/* what: the paths' kind, in the singular. why: follows its plural */
static void files_left_warn_paths(struct call *c, const struct strs *paths, const char *what,
				  const char *why, struct strs *warnings)
{
	if (paths->n)
		strs_push(c->a, warnings,
			  str_fmt(c->a,
				  "left out %zu %s%s %s, such as '%.*s'; to see %s, name one, or "
				  "give %s",
				  paths->n, what, PLURAL(paths->n), why, STR_ARG(paths->p[0]),
				  paths->n == 1 ? "it" : "them",
				  c->face == FACE_ARGV ? "--all" : "all: true"));
}

void files_warn_left_out(struct call *c, const struct file_left *left, struct strs *warnings)
{
	size_t copies = left->copies;

	if (copies)
		strs_push(
			c->a, warnings,
			str_fmt(c->a,
				"%zu %s of history copies %s left out; to see %s, name one, or give %s",
				copies, copies == 1 ? "folder" : "folders",
				copies == 1 ? "is" : "are", copies == 1 ? "it" : "them",
				c->face == FACE_ARGV ? "--all" : "all: true"));
	files_left_warn_paths(c, &left->worktrees, "linked working tree", "of this repository",
			      warnings);
	if (left->closed.n)
		strs_push(c->a, warnings,
			  str_fmt(c->a,
				  "left out %zu folder%s of other users in the garden, such as "
				  "'%.*s', which tools do not read; a person can set "
				  "garden.readers to all",
				  left->closed.n, PLURAL(left->closed.n),
				  STR_ARG(left->closed.p[0])));
	files_left_warn_paths(c, &left->tracked, "tracked file", "that .gitignore names", warnings);
}

/* ---- repeats ---- */

struct files_repeat {
	struct files *f;
	struct saga *saga;
	bool inside; /* the garden */
};

static struct err *files_holds(void *ctx, struct arena *a, const struct event *e, bool *holds)
{
	const struct files_repeat *r = ctx;

	return saga_event_still_holds(r->saga, a, e, holds);
}

static struct err *files_settle(void *ctx, struct arena *a, const struct event *e)
{
	const struct files_repeat *r = ctx;
	struct event one = *e;
	struct saga_report report;

	(void)a;
	return r->inside ? saga_reconcile(r->saga, false, &report) : file_settle_event(r->f, &one);
}

/* The first call had no commit; its answer said so. Now there is one. */
static void files_told_commit(struct arena *a, const struct event *e, struct val *v)
{
	const struct val *was = val_get(v, "committed"), *list = val_get(v, "warnings");
	const struct val *why = val_get(v, "reason");
	struct val *kept = val_list(a);

	if (!e->commit.n || !was || was->type != VAL_BOOL || was->b)
		return;
	val_set(a, v, "committed", val_bool(a, true));
	val_set(a, v, "commit", val_str(a, e->commit));
	if (!why || why->type != VAL_STR)
		return;
	/* The warnings tell the same reason. */
	if (list && list->type == VAL_LIST)
		VAL_EACH(list, m)
			if (m->type == VAL_STR && str_find(m->s, why->s, 0) == SIZE_MAX)
				val_add(kept, val_str(a, m->s));
	val_set(a, v, "warnings", kept);
	val_set(a, v, "reason", val_str(a, STR("")));
}

static const struct record_reader files_answer = {
	.what = "the stored answer", .unknown = RECORD_IGNORED, .partial = true};

static struct err *files_warn(struct call *c, void *result, struct str warning)
{
	struct val *v = record_val(c->a, c->cmd->result, result), *list = val_get(v, "warnings");

	if (!list)
		list = val_set(c->a, v, "warnings", val_list(c->a));
	val_add(list, val_str(c->a, warning));
	return record_from_val(c->a, &files_answer, c->cmd->result, v, result);
}

static struct err *files_replayed(struct call *c, const struct event_replay *r, void *result)
{
	const struct event *e = &r->e;
	struct val *v = NULL;

	if (r->result.p) {
		TRY(json_read(c->a, r->result, NULL, &v));
	} else {
		/* The process died before it could store an answer: what its event tells. */
		v = val_map(c->a);
		val_set(c->a, v, "path", val_str(c->a, e->path));
		val_set(c->a, v, "newHash", val_str(c->a, e->after));
		val_set(c->a, v, "ok", val_bool(c->a, true));
		val_set(c->a, v, "changed", val_bool(c->a, true));
		val_set(c->a, v, "created", val_bool(c->a, !e->before.n));
		val_set(c->a, v, "event", val_str(c->a, e->id));
		if (e->commit.n) {
			val_set(c->a, v, "committed", val_bool(c->a, true));
			val_set(c->a, v, "commit", val_str(c->a, e->commit));
		}
	}
	files_told_commit(c->a, e, v);
	return audit_answer_replay(c, r, v, result);
}

struct err *files_run_write_tool(struct call *c, const struct files_write *w, const void *args,
				 void *result)
{
	struct files_repeat r = {0};
	struct event_replay_ask ask = {.holds = files_holds, .settle = files_settle, .ctx = &r};
	struct event_replay replay;
	struct events *log;
	struct str real = w->path, answer = {0};
	struct err *e;

	TRY(files_make(c, w->audit, &r.f, &r.saga));
	if (w->dry)
		return w->run(c, r.f, args, result);
	if (w->path.p)
		TRY(saga_garden_has_path(r.saga, c->a, c->cwd, w->path, &r.inside, &real));
	if (((!r.inside || w->by_key) && !w->audit->idempotencyKey.n))
		return w->run(c, r.f, args, result);
	if (!r.inside)
		TRY(files_record_on_every_face(c, r.f, w->audit));
	if (!r.inside && !r.f->events)
		return audit_no_record_error();
	ask.dry = c->proposed;
	log = r.inside ? r.saga->log : r.f->events;
	ask.entity =
		w->anchor.n ? str_fmt(c->a, "%.*s#%.*s", STR_ARG(real), STR_ARG(w->anchor)) : real;
	ask.payload = json_text(c->a, cmd_params_to_compare_calls(c->a, c->cmd->params, args));
	TRY(event_idempotent_begin(log, c->a, &ask, &replay));
	if (c->proposed) {
		if (!replay.replayed)
			return w->run(c, r.f, args, result);
		c->proposed->repeats_key = !replay.e.id.n;
		c->proposed->repeats = replay.e.id.n ? replay.e.id : w->audit->idempotencyKey;
		return files_replayed(c, &replay, result);
	}
	if (replay.replayed)
		e = files_replayed(c, &replay, result);
	else
		e = w->run(c, r.f, args, result);
	if (!e && !replay.replayed)
		answer = json_text(c->a, record_val(c->a, c->cmd->result, result));
	if (e) {
		/* The failure is the answer; that the lock is not released early does not matter.
		 */
		(void)!event_idempotent_end(log, &replay, answer);
		return e;
	}
	e = event_idempotent_end(log, &replay, answer);
	/* The change stays. A repeat of the call finds its event, and gets an answer made from it.
	 */
	return e ? files_warn(c, result,
			      str_fmt(c->a, "the change is done, but its answer is not kept: %s",
				      err_message(e)))
		 : NULL;
}

struct str files_glob_list_warning(struct call *c, struct str glob)
{
	struct val *v;

	if (!str_starts(glob, STR("[")) || json_read(c->a, glob, NULL, &v) || v->type != VAL_LIST)
		return (struct str){0};
	return str_fmt(
		c->a,
		"glob is the text '%.*s', and no list: give one glob as a text, or a list as "
		"globs",
		STR_ARG(glob));
}
