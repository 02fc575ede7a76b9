/* The identity of the caller, and the text form of memories. */
#include "memories.h"
#include "cmd/result_template.h"
#include "app/client_info.h"

const struct param mem_params[] = {
	PARAM_MEMORY(struct mem_args),
	{0},
};

/* ---- the caller ---- */

/*
 * Finding the root commit starts a process, which is slow in a long history. As long as nobody has
 * stored a project memory, the id is not needed.
 */
static struct err *project(struct call *c, struct memories *m)
{
	struct str root = {0};
	const char *url;
	bool any = true;

	m->who.project = c->conf->memory_project;
	if (m->who.project.n || !c->git)
		return NULL;
	TRY(git_setting(c->git, c->a, "remote.origin.url", &url));
	if (url)
		m->who.project = mem_repo_id_of_remote_url(c->a, str_of(url));
	if (m->who.project.n) {
		/* What it had before it got an origin stays, where its root can be found. */
		if (!memory_root_commit_is_used(m, &any) && any &&
		    !mem_root_commit(c->a, c->git, m->db, &root))
			m->who.former = m->ground->former = root;
		return NULL;
	}
	/* A broken store does not decide who asks. The commands that need the store tell its error.
	 */
	return memory_layer_is_used(m, MEMORY_PROJECT, &any) || any ? mem_find_current_project(c, m)
								    : NULL;
}

/* How many commits one command reads at most to find out what became of memories. */
#define COMMITS_MOST 2000

/* For struct memory_ground: the identity of the call's repository. */
static struct err *mem_repository_id(void *call, struct str *out)
{
	struct call *c = call;

	return mem_git_repository_id(c->a, c->git, app_store(c), out);
}

/* More would hide the answer. */
#define MEM_SECRETS_MOST 5

static void mem_secret(void *ctx, struct str id, const char *what)
{
	struct call *c = ctx;
	struct str more = STR("more memories seem to hold keys or passwords");
	struct strs *notes = &c->notes;

	if (notes->n < MEM_SECRETS_MOST)
		strs_push(c->a, notes,
			  str_fmt(c->a,
				  "the memory %.*s seems to hold %s; if it does, replace that key "
				  "where it is valid, and erase the memory: ikm mem delete %.*s; "
				  "ikm mem purge %.*s (earlier backups and exports keep it)",
				  STR_ARG(id), what, STR_ARG(id), STR_ARG(id)));
	else if (!strs_has(notes, more))
		strs_push(c->a, notes, more);
}

struct err *mem_open(struct call *c, struct memories **out)
{
	struct memories *m = ARENA_NEW(c->a, struct memories);
	struct vectors *v = ARENA_NEW(c->a, struct vectors);
	const struct conf *conf;

	TRY(app_load_conf(c));
	conf = c->conf;
	m->db = app_store(c);
	m->who = (struct memory_who){
		.agent = conf->agent_id,
		.user = conf->user.n ? conf->user : os_user(c->a),
		.session = client_session(c),
		.team = conf->memory_team,
		.org = conf->memory_org,
		.company = conf->memory_company,
	};
	m->content_most = (size_t)conf->memory_max_bytes;
	m->model = conf->tokens_model;
	v->db = m->db;
	v->timeout_ms = (unsigned)conf->memory_embedder_timeout;
	v->command = conf->memory_embedder;
	m->vectors = v->command.n ? v : NULL;
	m->secret = mem_secret;
	m->secret_ctx = c;
	m->ground = ARENA_NEW(c->a, struct memory_ground);
	*m->ground = (struct memory_ground){.a = c->a,
					    .g = c->git,
					    .most = COMMITS_MOST,
					    .identify = mem_repository_id,
					    .ctx = c};
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
	return layers & 1u << MEMORY_PROJECT ? mem_find_current_project(c, *out) : NULL;
}

struct err *mem_open_change(struct call *c, unsigned layers, struct memories **out)
{
	TRY(mem_open_layers(c, layers, out));
	if (!c->conf->undo_days)
		return NULL;
	(*out)->events = audit_events_new(c, (*out)->db);
	/* The undo by a person finds a memory of the layer session by its event. */
	if ((*out)->who.session.n)
		(*out)->events->session = (*out)->who.session;
	/* So that a history tells what people did from what tools did. */
	if (c->face == FACE_ARGV)
		(*out)->events->tool = str_of(c->cmd->name);
	return NULL;
}

#define MEM_SHOWN 200 /* bytes of the content in an error */

struct err *mem_get_for_change(struct call *c, struct memories *m, struct str id, bool deleted,
			       struct memory *out)
{
	struct err *e;

	TRY(memory_get(m, c->a, id, deleted, out));
	if (c->face == FACE_ARGV)
		return NULL;
	if (out->state == MEMORY_REJECTED)
		return memory_person_decides_error(out, "change the rejected");
	if (id.n == out->id.n)
		return NULL;
	e = err_for_param(
		E_BAD_ARGUMENT, STR("memoryId"),
		"'%.*s' is only the beginning of a memory's id; a tool must give the whole id",
		STR_ARG(id));
	return err_help(err_add_detail(e, "memoryId", out->id),
			"if you mean this memory, give memoryId '%.*s': %.*s", STR_ARG(out->id),
			STR_ARG(str_utf8_head(out->content, MEM_SHOWN)));
}

/* ---- filters ---- */

struct memory_filter mem_filter_of(const struct mem_filter *f)
{
	return (struct memory_filter){
		.layers = f->layer.bits,
		.kinds = f->kind.bits,
		.tags = f->tags,
		.type = f->type,
		.session = f->session,
		.agent = f->agent,
		.status = f->status,
		.state = f->state,
	};
}

bool mem_filter_is_given(const struct mem_filter *f)
{
	return f->layer.bits || f->kind.bits || f->tags.n || f->type.n || f->session.n ||
	       f->agent.n || f->status >= 0 || f->state >= 0;
}

/* ---- results ---- */

const struct field mem_changed_fields[] = {
	FIELD_OF(struct mem_changed, success, "the change is stored"),
	FIELD_RECORD(struct mem_changed, memory, "memory", memory_shown,
		     "the memory after the change"),
	FIELD_MEMORY_EVENT(struct mem_changed),
	FIELD_OF(struct mem_changed, replayed, REPLAYED_HELP, .flags = IF_ANY),
	{0},
};

void mem_changed_print(struct call *c, const void *args, const void *p)
{
	(void)args;
	mem_print(c, &((const struct mem_changed *)p)->memory);
}

/* ---- text for people ---- */

void mem_fill_ties_state(struct memories *m, struct call *c, struct memory *one)
{
	one->ties = memory_ties_now(m->ground, c->a, one);
}

void mem_fill_ties_state_all(struct memories *m, struct call *c, struct memory_list *all)
{
	const struct memory **each = arena_array(c->a, all->n + 1, sizeof(*each));

	for (size_t i = 0; i < all->n; i++)
		each[i] = &all->p[i];
	memory_ties_preload_history(m->ground, each, all->n);
	for (size_t i = 0; i < all->n; i++)
		mem_fill_ties_state(m, c, &all->p[i]);
}

#define PART(member, help) FIELD_OF(struct memory_parts, member, help)
const struct field mem_parts[] = {
	PART(words, "words of the query, a rare one more"),
	PART(phrase, "words that stand together in both"),
	PART(neighbours, "words of what was said before it"),
	PART(session, "words beside it or in its conversation; else its own again"),
	PART(speaker, "the query names its speaker"),
	PART(date, "its time matches the query, or it mentions the time that the query asks for"),
	PART(vector, "meaning, by the embedder"),
	PART(state, "less if it no longer holds, more if it replaces another"),
	{0},
};

void mem_score_round(struct memory_hit *hit)
{
	hit->score = round(hit->score * 10000) / 10000;
	for (const struct field *f = mem_parts; f->name; f++) {
		double *points = (double *)(void *)((char *)&hit->parts + f->offset);

		*points = round(*points * 10000) / 10000;
	}
}

struct str mem_score_text(struct arena *a, double score)
{
	return str_fmt(a, "%.2f", floor(score * 100 + 1e-6) / 100);
}

void mem_print(struct call *c, const struct memory *one)
{
	template_print_record(c, TEMPLATE_MEMORY, memory_shown, one);
}

void mem_print_details(struct call *c, const struct memory *one)
{
	const struct val *v = record_val(c->a, memory_shown, one);
	struct out *o = c->out;

	VAL_EACH(v, it) {
		if (str_is(it->key, "content") || (it->type == VAL_LIST && !it->n))
			continue;
		out_fmt(o, "%-12.*s  ", STR_ARG(it->key));
		if (it->type == VAL_STR || it->type == VAL_NUM)
			out_safe_line(o, it->s);
		else
			out_json(o, it);
	}
	out_puts(o, "\n");
	out_safe(o, one->content, true);
	if (!str_ends(one->content, STR("\n")))
		out_puts(o, "\n");
}

/* ---- what holds again ---- */

const struct field mem_revived_fields[] = {
	FIELD_AS(struct mem_revived, id, "memoryId", "its id"),
	FIELD_OF(struct mem_revived, content, "the beginning of its content"),
	{0},
};

struct err *mem_revived_add(struct call *c, struct memories *m, struct str id,
			    struct mem_revived_list *out)
{
	struct memory one;

	/* In a chain, those between may be gone already. */
	for (; id.n; id = one.supersedes) {
		struct err *e = memory_get(m, c->a, id, true, &one);

		if (e)
			return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
		if (one.deleted || one.state == MEMORY_REJECTED)
			continue;
		if (one.state != MEMORY_SUPERSEDED)
			*VEC_PUSH(c->a, out) =
				(struct mem_revived){one.id, str_utf8_head(one.content, 200)};
		return NULL;
	}
	return NULL;
}
