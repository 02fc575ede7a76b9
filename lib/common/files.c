#include "files.h"
#include "agent/agent.h"
#include "app/client.h"

struct events *files_events(struct call *c, const struct files *f)
{
	struct events *e = ARENA_NEW(c->a, struct events);
	struct str user = c->conf->user;

	*e = (struct events){
		.db = f->assets->db,
		.user = user.n ? user : os_user(c->a),
		.agent = f->assets->agent,
		.session = c->conf->session,
		.tool = str_of(c->cmd->tool),
		.keep_ms = c->conf->undo_days * DAY_MS,
		.keep_bytes = c->conf->undo_bytes,
	};
	return e;
}

/* ikm judges the changes of agents, not those of a person's command line. */
static const struct file_policy *files_policy(struct call *c)
{
	struct agent_writes *w = ARENA_NEW(c->a, struct agent_writes);
	struct file_policy *policy = ARENA_NEW(c->a, struct file_policy);

	*w = (struct agent_writes){.set = c->set, .cwd = c->cwd, .session = c->conf->session};
	if (!w->session.n && c->client)
		w->session = c->client->session;
	*policy = agent_policy(w);
	return policy;
}

struct err *files_open(struct call *c, struct files **out)
{
	struct files *f = ARENA_NEW(c->a, struct files);
	struct assets *s = ARENA_NEW(c->a, struct assets);

	TRY(app_conf(c));
	*s = (struct assets){
		.db = app_store(c),
		.agent = c->conf->agent_id,
		.budget = c->conf->assets_budget,
		.keep_versions = c->conf->assets_keep_versions,
		.keep_days = c->conf->assets_keep_days,
		.model = c->conf->tokens_model,
	};
	*f = (struct files){.a = c->a, .roots = c->roots, .cwd = c->cwd, .assets = s};
	if (c->face != FACE_ARGV && !(c->cmd->traits & TOOL_READS)) {
		f->policy = files_policy(c);
		if (c->conf->undo_days)
			f->events = files_events(c, f);
	}
	*out = f;
	return NULL;
}
