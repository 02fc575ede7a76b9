/* Who asks, and how memories are shown. */
#include "memories.h"

const char *const mem_layers[] = MEMORY_LAYERS;
const char *const mem_kinds[] = MEMORY_KINDS;
const char *const mem_kinds_added[] = {MEMORY_KINDS_ADDED, NULL};
const char *const mem_statuses[] = MEMORY_STATUSES;
const char *const mem_states[] = MEMORY_STATES;
const char *const mem_provenances[] = MEMORY_PROVENANCES;
const char *const mem_redactions[] = MEMORY_REDACTIONS;

const struct param mem_params[] = {
	PARAM_MEMORY(struct mem_args),
	{0},
};

const struct field mem_fields[] = {
	{"memoryId", "its id", F_STR},
	{"layer", "who it belongs to", F_STR, .choices = mem_layers},
	{"kind", "what kind of memory it is", F_STR, .choices = mem_kinds},
	{"type", "observation, user_preference, goal and the like", F_STR, OPTIONAL},
	{"content", "what is remembered", F_STR},
	{"tags", "sorted", F_STRS},
	{"metadata", "as it was given", F_ANY, OPTIONAL},
	{"source", "where it is from", F_STR, OPTIONAL},
	{"importance", "0 to 1", F_NUM},
	{"confidence", "0 to 1", F_NUM},
	{"provenance", "who said it", F_STR, .choices = mem_provenances},
	{"redaction", "who may see it", F_STR, .choices = mem_redactions},
	{"status", "of a scratch note", F_STR, OPTIONAL, .choices = mem_statuses},
	{"state", "whether it still holds", F_STR, .choices = mem_states},
	{"userId", "who made it", F_STR, OPTIONAL},
	{"agentId", "with which agent", F_STR, OPTIONAL},
	{"sessionId", "in which conversation", F_STR, OPTIONAL},
	{"speaker", "whose turn it is", F_STR, OPTIONAL},
	{"turn", "the turn's number, from 1", F_INT, OPTIONAL},
	{"supersedes", "the memory that it replaced", F_STR, OPTIONAL},
	{"supersededBy", "the memory that replaced it", F_STR, OPTIONAL},
	{"supersededAt", "when", F_STR, OPTIONAL},
	{"happenedAt", "when what it tells of was", F_STR},
	{"createdAt", "when it was stored", F_STR},
	{"updatedAt", "when it was last changed", F_STR},
	{"expiresAt", "until when it holds", F_STR, OPTIONAL},
	{"deletedAt", "when it was deleted", F_STR, OPTIONAL},
	{"tokens", "estimated, of the content", F_INT},
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

struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out)
{
	TRY(mem_open(c, out));
	return layers & 1u << MEMORY_PROJECT ? mem_need_project(c, *out) : NULL;
}

/* ---- for people ---- */

void mem_print(struct out *o, const struct val *v)
{
	struct str content = val_get_str(v, "content"), line = {0};

	out_fmt(o, "%.*s  %.10s  %-7.*s  %-12.*s  ", STR_ARG(val_get_str(v, "memoryId")),
		val_get_str(v, "createdAt").p, STR_ARG(val_get_str(v, "layer")),
		STR_ARG(val_get_str(v, "kind")));
	if (!str_is(val_get_str(v, "state"), "active"))
		out_fmt(o, "(%.*s) ", STR_ARG(val_get_str(v, "state")));
	if (val_get(v, "status") && !str_is(val_get_str(v, "status"), "active"))
		out_fmt(o, "(%.*s) ", STR_ARG(val_get_str(v, "status")));
	str_line(&content, &line);
	out_styled(o, OUT_BOLD, line);
	if (content.n)
		out_puts(o, " ...");
	VAL_EACH(val_get(v, "tags"), tag) {
		out_puts(o, " #");
		out_safe(o, tag->s, false);
	}
	out_puts(o, "\n");
}

void mem_print_all(struct out *o, const struct val *v)
{
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
	out_safe(o, val_get_str(v, "content"), true);
	if (!str_ends(val_get_str(v, "content"), STR("\n")))
		out_puts(o, "\n");
}
