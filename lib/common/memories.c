/* The identity of the caller, and the text form of memories. */
#include "memories.h"

const struct param mem_params[] = {
	PARAM_MEMORY(struct mem_args),
	{0},
};

/* ---- the caller ---- */

/* Finding the root commit starts a process, which is slow in a long history. As long as nobody has
 * stored a project memory, the id is not needed. */
static struct err *project(struct call *c, struct memories *m)
{
	const char *url;
	bool any;

	m->who.project = c->conf->memory_project;
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
	const struct conf *conf;

	TRY(app_conf(c));
	conf = c->conf;
	m->db = app_store(c);
	m->who = (struct memory_who){
		.agent = conf->agent_id,
		.user = conf->user.n ? conf->user : os_user(c->a),
		.session = conf->session,
		.team = conf->memory_team,
		.org = conf->memory_org,
		.company = conf->memory_company,
	};
	m->content_most = (size_t)conf->memory_max_bytes;
	m->model = conf->tokens_model;
	v->db = m->db;
	v->timeout_ms = (unsigned)conf->memory_embedder_timeout;
	v->command = conf->memory_embedder;
	if (v->command.n)
		m->vectors = v;
	*out = m;
	return project(c, m);
}

bool mem_offers_layer(const struct conf *conf, size_t layer)
{
	switch ((enum memory_layer)layer) {
	case MEMORY_SESSION: return conf->session.n;
	case MEMORY_TEAM: return conf->memory_team.n;
	case MEMORY_ORG: return conf->memory_org.n;
	case MEMORY_COMPANY: return conf->memory_company.n;
	default: return true;
	}
}

struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out)
{
	TRY(mem_open(c, out));
	return layers & 1u << MEMORY_PROJECT ? mem_need_project(c, *out) : NULL;
}

/* ---- text for people ---- */

void mem_print(struct call *c, const struct memory *one)
{
	struct str content = one->content, line = {0};
	struct out *o = c->out;

	out_fmt(o, "%.*s  %.10s  %-7s  %-12s  ", STR_ARG(one->id),
		os_time_text(c->a, one->created, true).p, memory_layers[one->layer],
		memory_kinds[one->kind]);
	if (one->state != MEMORY_CURRENT)
		out_fmt(o, "(%s) ", memory_states[one->state]);
	if (memory_kind_rules[one->kind].has_status && one->status != MEMORY_ACTIVE)
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
