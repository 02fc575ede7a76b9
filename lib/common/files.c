#include "files.h"

struct events *files_events(struct call *c, const struct files *f)
{
	struct events *e = ARENA_NEW(c->a, struct events);
	struct str user = conf_str(c->conf, "user");

	*e = (struct events){
		.db = f->assets->db,
		.user = user.n ? user : os_user(c->a),
		.agent = f->assets->agent,
		.session = conf_str(c->conf, "session"),
		.tool = str_of(c->cmd->tool),
		.keep_ms = conf_int(c->conf, "undo.days") * DAY_MS,
		.keep_bytes = conf_int(c->conf, "undo.bytes"),
	};
	return e;
}

struct err *files_open(struct call *c, struct files **out)
{
	struct files *f = ARENA_NEW(c->a, struct files);
	struct assets *s = ARENA_NEW(c->a, struct assets);

	TRY(app_conf(c));
	*s = (struct assets){
		.db = app_store(c),
		.agent = conf_str(c->conf, "agent.id"),
		.budget = conf_int(c->conf, "assets.budget"),
		.keep_versions = conf_int(c->conf, "assets.keepVersions"),
		.keep_days = conf_int(c->conf, "assets.keepDays"),
	};
	TRY(token_model_of(conf_str(c->conf, "tokens.model"), &s->model));
	*f = (struct files){.a = c->a, .roots = c->roots, .cwd = c->cwd, .assets = s};
	if (c->face != FACE_ARGV && !(c->cmd->traits & TOOL_READS) &&
	    conf_int(c->conf, "undo.days"))
		f->events = files_events(c, f);
	*out = f;
	return NULL;
}
