/* Who asks, and how memories are shown. */
#include "memories.h"

const char *const mem_kinds_added[] = {MEMORY_KINDS_ADDED, NULL};

const struct param mem_params[] = {
	PARAM_MEMORY(struct mem_args),
	{0},
};

/* ---- whose ---- */

/*
 * Finding the root commit takes another process, and a long time in a long history. It names
 * nothing as long as nobody has stored a memory of any project.
 */
static struct err *project(struct call *c, struct memories *m)
{
	const char *url;
	bool any;

	m->who.project = conf_str(c->conf, "memory.project");
	if (m->who.project.n || !c->git)
		return NULL;
	TRY(git_setting(c->git, c->a, "remote.origin.url", &url));
	if (url)
		m->who.project = mem_remote_id(c->a, str_of(url));
	if (m->who.project.n)
		return NULL;
	TRY(memory_layer_used(m, MEMORY_PROJECT, &any));
	return any ? mem_need_project(c, m) : NULL;
}

struct err *mem_open(struct call *c, struct memories **out)
{
	struct memories *m = ARENA_NEW(c->a, struct memories);
	struct vectors *v = ARENA_NEW(c->a, struct vectors);
	int64_t most, timeout;
	struct str user, agent, session;

	TRY(app_conf(c));
	TRY(conf_int_within(c->conf, "memory.maxBytes", 1, (int64_t)MEMORY_CONTENT_MAX, &most));
	TRY(conf_int_within(c->conf, "memory.embedderTimeout", 1, INT32_MAX, &timeout));
	TRY(conf_id(c->conf, "user", &user));
	TRY(conf_id(c->conf, "agent.id", &agent));
	TRY(conf_id(c->conf, "session", &session));
	m->db = app_store(c);
	m->who = (struct memory_who){
		.agent = agent,
		.user = user.n ? user : os_user(c->a),
		.session = session,
		.team = conf_str(c->conf, "memory.team"),
		.org = conf_str(c->conf, "memory.org"),
		.company = conf_str(c->conf, "memory.company"),
	};
	m->content_most = (size_t)most;
	TRY(token_model_of(conf_str(c->conf, "tokens.model"), &m->model));
	v->db = m->db;
	v->timeout_ms = (unsigned)timeout;
	VAL_EACH(conf_get(c->conf, "memory.embedder"), word)
		strs_push(c->a, &v->command, word->s);
	if (v->command.n)
		m->vectors = v;
	*out = m;
	return project(c, m);
}

struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out)
{
	TRY(mem_open(c, out));
	return layers & 1u << MEMORY_PROJECT ? mem_need_project(c, *out) : NULL;
}

/* ---- for people ---- */

void mem_print(struct call *c, const struct memory *one)
{
	struct str content = one->content, line = {0};
	struct out *o = c->out;

	out_fmt(o, "%.*s  %.10s  %-7s  %-12s  ", STR_ARG(one->id),
		os_time_text(c->a, one->created, true).p, memory_layers[one->layer],
		memory_kind_names[one->kind]);
	if (one->state != MEMORY_CURRENT)
		out_fmt(o, "(%s) ", memory_states[one->state]);
	if (memory_kinds[one->kind].has_status && one->status != MEMORY_ACTIVE)
		out_fmt(o, "(%s) ", memory_statuses[one->status]);
	str_line(&content, &line);
	out_styled(o, OUT_BOLD, line);
	if (content.n)
		out_puts(o, " ...");
	for (size_t i = 0; i < one->tags.n; i++) {
		out_puts(o, " #");
		out_safe(o, one->tags.p[i], false);
	}
	out_puts(o, "\n");
}

void mem_print_all(struct call *c, const struct memory *one)
{
	const struct val *v = record_val(c->a, memory_record, one);
	struct out *o = c->out;

	VAL_EACH(v, it) {
		if (str_is(it->key, "content") || (it->type == VAL_LIST && !it->n))
			continue;
		out_fmt(o, "%-12.*s  ", STR_ARG(it->key));
		if (it->type == VAL_STR || it->type == VAL_NUM)
			out_safe(o, it->s, false);
		else
			out_json(o, it);
		if (it->type == VAL_STR || it->type == VAL_NUM)
			out_puts(o, "\n");
	}
	out_puts(o, "\n");
	out_safe(o, one->content, true);
	if (!str_ends(one->content, STR("\n")))
		out_puts(o, "\n");
}
