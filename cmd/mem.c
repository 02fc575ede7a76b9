/* mem: who asks, and how memories are shown. */
#include "mem.h"

const char *const mem_layers[] = MEMORY_LAYERS;
const char *const mem_kinds[] = MEMORY_KINDS;
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

/* user@ before, :port behind. */
static struct str host_of(struct str s)
{
	size_t at = str_rfind_char(s, '@'), port;

	if (at != SIZE_MAX)
		s = str_sub(s, at + 1, s.n);
	port = str_rfind_char(s, ':');
	return port != SIZE_MAX && str_find_char(s, ']', port) == SIZE_MAX ? str_sub(s, 0, port) : s;
}

struct str mem_remote_id(struct arena *a, struct str url)
{
	size_t scheme = str_find(url, STR("://"), 0), colon, slash;
	struct str host = {0}, path = url;

	while (str_ends(path, STR("/")))
		path.n--;
	if (str_ends(path, STR(".git")))
		path.n -= strlen(".git");
	while (str_ends(path, STR("/")))
		path.n--;
	if (scheme != SIZE_MAX && scheme < path.n) {
		path = str_sub(path, scheme + strlen("://"), path.n);
		slash = size_min(str_find_char(path, '/', 0), path.n);
		host = host_of(str_sub(path, 0, slash));
		path = str_sub(path, slash, path.n);
	} else {
		/* git's short form: HOST:PATH, unless a slash comes first. */
		colon = str_find_char(path, ':', 0);
		slash = str_find_char(path, '/', 0);
		if (colon != SIZE_MAX && colon < slash) {
			host = str_sub(path, 0, colon);
			if (str_rfind_char(host, '@') != SIZE_MAX)
				host = str_sub(host, str_rfind_char(host, '@') + 1, host.n);
			path = str_sub(path, colon + 1, path.n);
		} else if (slash) {
			return STR("");
		}
	}
	while (host.n && str_starts(path, STR("/")))
		path = str_sub(path, 1, path.n);
	if (!host.n)
		return str_dup(a, path);
	return str_fmt(a, "%.*s/%.*s", STR_ARG(str_lower(a, host)), STR_ARG(path));
}

/* The last of them: merged histories of others come before it. */
static struct err *root_commit(struct call *c, struct str *out)
{
	const char *const args[] = {"rev-list", "--max-parents=0", "HEAD", NULL};
	struct str text, line;
	struct err *e = git_run(c->git, c->a, args, STR(""), &text);

	*out = STR("");
	/* Before the first commit there is none. */
	if (e)
		return err_reason(e) == E_GIT_FAILED ? NULL : e;
	while (str_line(&text, &line))
		*out = line;
	return NULL;
}

struct err *mem_need_project(struct call *c, struct memories *m)
{
	return m->who.project.n || !c->git ? NULL : root_commit(c, &m->who.project);
}

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
	const char *home = os_ikigai_home(c->a);
	struct str user;

	TRY(app_conf(c));
	user = conf_str(c->conf, "user");
	m->db = db_new(c->a, home ? os_join(c->a, home, "ikm.db") : NULL);
	m->who = (struct memory_who){
		.agent = conf_str(c->conf, "agent.id"),
		.user = user.n ? user : os_user(c->a),
		.session = conf_str(c->conf, "session"),
		.team = conf_str(c->conf, "memory.team"),
		.org = conf_str(c->conf, "memory.org"),
		.company = conf_str(c->conf, "memory.company"),
	};
	TRY(token_model_of(conf_str(c->conf, "tokens.model"), &m->model));
	v->db = m->db;
	v->timeout_ms = (unsigned)conf_int(c->conf, "memory.embedderTimeout");
	VAL_EACH(conf_get(c->conf, "memory.embedder"), word)
		strs_push(c->a, &v->command, word->s);
	if (v->command.n)
		m->vectors = v;
	*out = m;
	return project(c, m);
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
