/* Reads the lines of the MCP reference memory server, and what mem0's get_all() returns. */
#include "json/json.h"
#include "memory/foreign.h"
#include "memory/line.h"
#include "os/os.h"

struct graph {
	struct memory_foreign *f;
	size_t at; /* of the line */
};

static struct str foreign_text(const struct val *v)
{
	return v && v->type == VAL_STR ? v->s : (struct str){0};
}

/* Tells of each member that no reader knows. known ends with NULL. */
static void foreign_others(struct memory_foreign *f, size_t at, const struct val *v,
			   const char *const *known)
{
	VAL_EACH(v, m) {
		bool is_known = m->type == VAL_NULL;

		for (size_t i = 0; known[i] && !is_known; i++)
			is_known = str_is(m->key, known[i]);
		if (!is_known)
			foreign_leave(f, at + m->key_at.from, false,
				      "the member '%.*s' is not kept",
				      STR_ARG(foreign_name(f->a, m->key)));
	}
}

/* ---- mcp: one JSON object a line ---- */

static void mcp_observation(const struct graph *g, const struct val *v, const struct val *said,
			    size_t i)
{
	struct memory_foreign *f = g->f;
	struct str name = val_get_str(v, "name"),
		   type = foreign_name(f->a, val_get_str(v, "entityType"));
	struct memory one = foreign_memory(f);
	struct val *meta = val_map(f->a);

	if (said && said->type != VAL_STR) {
		foreign_leave(f, g->at + said->at.from, true, "observation %zu is %s, not a text",
			      i + 1, val_type_name(said->type));
		return;
	}
	val_set(f->a, meta, "entity", val_str(f->a, name));
	if (type.n) {
		val_set(f->a, meta, "entityType", val_str(f->a, type));
		strs_push(f->a, &one.tags, type);
	}
	/* An observation names its entity seldom, and nobody finds it without. */
	one.content = said ? str_find(said->s, name, 0) != SIZE_MAX
				      ? said->s
				      : str_fmt(f->a, "%.*s: %.*s", STR_ARG(name), STR_ARG(said->s))
			   : str_fmt(f->a, "%.*s is a %.*s", STR_ARG(name), STR_ARG(type));
	one.type = STR("observation");
	one.metadata = json_text(f->a, meta);
	one.source = str_fmt(f->a, "mcp:%.*s", STR_ARG(foreign_name(f->a, name)));
	foreign_add(f, g->at, one.source, &one);
}

static void mcp_entity(const struct graph *g, const struct val *v)
{
	static const char *const known[] = {"type", "name", "entityType", "observations", NULL};
	const struct val *all = val_get(v, "observations");
	size_t i = 0;

	if (!str_trim(val_get_str(v, "name")).n) {
		foreign_leave(g->f, g->at, true, "the entity has no name");
		return;
	}
	foreign_others(g->f, g->at, v, known);
	if (all && all->type != VAL_LIST) {
		foreign_leave(g->f, g->at + all->at.from, true, "observations is %s, not a list",
			      val_type_name(all->type));
		return;
	}
	VAL_EACH(all, said)
		mcp_observation(g, v, said, i++);
	if (i)
		return;
	if (val_get_str(v, "entityType").n)
		mcp_observation(g, v, NULL, 0);
	else
		foreign_leave(g->f, g->at, true, "the entity has no observation and no type");
}

static void mcp_relation(const struct graph *g, const struct val *v)
{
	static const char *const known[] = {"type", "from", "to", "relationType", NULL};
	struct memory_foreign *f = g->f;
	struct str from = val_get_str(v, "from"), to = val_get_str(v, "to");
	struct str how = str_dup(f->a, val_get_str(v, "relationType"));
	struct memory one = foreign_memory(f);
	struct val *meta = val_map(f->a);
	struct buf b = buf_in(f->a);

	if (!str_trim(from).n || !str_trim(to).n || !str_trim(how).n) {
		foreign_leave(f, g->at, true, "the relation needs from, to and relationType");
		return;
	}
	foreign_others(f, g->at, v, known);
	val_set(f->a, meta, "from", val_str(f->a, from));
	val_set(f->a, meta, "to", val_str(f->a, to));
	val_set(f->a, meta, "relationType", val_str(f->a, how));
	buf_fmt(&b, "%.*s ", STR_ARG(from));
	for (size_t i = 0; i < how.n; i++)
		buf_putc(&b, how.p[i] == '_' ? ' ' : how.p[i]);
	buf_fmt(&b, " %.*s", STR_ARG(to));
	one.content = buf_str(&b);
	one.type = STR("relation");
	one.metadata = json_text(f->a, meta);
	one.source = str_fmt(f->a, "mcp:%.*s", STR_ARG(foreign_name(f->a, from)));
	foreign_add(f, g->at, one.source, &one);
}

static void mcp_line(struct memory_foreign *f, struct str line, size_t at)
{
	const struct json_limits limits = {.bytes = MEMORY_LINE_MAX};
	struct graph g = {f, at};
	struct val *v;
	struct err *e = json_read(f->a, line, &limits, &v);
	struct str type;

	if (e) {
		const char *why = err_message(e);

		/* json counts the lines of its own text. */
		if (str_starts(str_of(why), STR("line 1, ")))
			why += strlen("line 1, ");
		foreign_leave(f, at, true, "%s", why);
		return;
	}
	type = val_get_str(v, "type");
	if (v->type == VAL_MAP && str_is(type, "entity"))
		mcp_entity(&g, v);
	else if (v->type == VAL_MAP && str_is(type, "relation"))
		mcp_relation(&g, v);
	else
		foreign_leave(f, at, true, "it is no object with the type entity or relation");
}

void foreign_read_mcp(struct memory_foreign *f, struct str text)
{
	struct str rest = text, line;

	while (str_line(&rest, &line))
		if (str_trim(line).n)
			mcp_line(f, line, (size_t)(line.p - text.p));
}

/* ---- mem0 ---- */

static int64_t mem0_time(struct memory_foreign *f, const struct val *v, const char *name)
{
	const struct val *t = val_get(v, name);
	int64_t ms = 0;

	if (!t || t->type == VAL_NULL)
		return 0;
	if (t->type == VAL_STR && os_time_read(t->s, &ms) && ms <= os_now())
		return ms;
	foreign_leave(f, t->at.from, false, "%s is no past time in ISO 8601", name);
	return 0;
}

static struct str mem0_metadata(struct memory_foreign *f, const struct val *v)
{
	static const char *const kept[] = {"id",     "user_id", "agent_id", "run_id",
					   "app_id", "hash",    "actor_id", "role"};
	const struct val *given = val_get(v, "metadata");
	struct val *meta = val_map(f->a), *own = val_map(f->a);

	if (given && given->type != VAL_MAP && given->type != VAL_NULL)
		foreign_leave(f, given->at.from, false, "metadata is %s, not an object",
			      val_type_name(given->type));
	else
		VAL_EACH(given, m)
			val_set_key(meta, m->key, val_copy(f->a, m));
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		const struct val *m = val_get(v, kept[i]);

		if (m && m->type != VAL_NULL)
			val_set(f->a, own, kept[i], val_copy(f->a, m));
	}
	if (val_get(meta, "mem0"))
		foreign_leave(f, v->at.from, false, "the metadata has a member 'mem0' already");
	else if (own->n)
		val_set(f->a, meta, "mem0", own);
	return meta->n ? json_text(f->a, meta) : STR("");
}

static void mem0_memory(struct memory_foreign *f, const struct val *v)
{
	static const char *const known[] = {
		"id",         "memory",     "user_id",    "agent_id", "run_id",
		"app_id",     "hash",       "actor_id",   "role",     "metadata",
		"created_at", "updated_at", "categories", "score",    "expiration_date",
		NULL};
	struct memory one = foreign_memory(f);
	const struct val *tags, *id = val_get(v, "id");
	struct str key;

	if (v->type != VAL_MAP || !str_trim(foreign_text(val_get(v, "memory"))).n) {
		foreign_leave(f, v->at.from, true, "it has no text in the member 'memory'");
		return;
	}
	foreign_others(f, 0, v, known);
	tags = val_get(v, "categories");
	one.content = val_get_str(v, "memory");
	one.created = mem0_time(f, v, "created_at");
	one.updated = mem0_time(f, v, "updated_at");
	one.metadata = mem0_metadata(f, v);
	one.expires = 0;
	if (foreign_text(val_get(v, "expiration_date")).n &&
	    !os_time_read(val_get_str(v, "expiration_date"), &one.expires))
		foreign_leave(f, v->at.from, false, "expiration_date is no date");
	VAL_EACH(tags, t)
		if (foreign_name(f->a, foreign_text(t)).n)
			strs_push(f->a, &one.tags, foreign_name(f->a, t->s));
	key = foreign_text(id);
	one.source =
		key.n ? str_fmt(f->a, "mem0:%.*s", STR_ARG(foreign_name(f->a, key))) : STR("mem0");
	foreign_add(f, v->at.from, one.source, &one);
}

static void mem0_relation(struct memory_foreign *f, const struct val *v)
{
	struct str from = foreign_text(val_get(v, "source")),
		   to = foreign_text(val_get(v, "target"));
	struct str how = foreign_text(val_get(v, "relationship"));
	struct memory one = foreign_memory(f);
	struct buf b = buf_in(f->a);

	if (!to.n)
		to = foreign_text(val_get(v, "destination"));
	if (!from.n || !to.n || !how.n) {
		foreign_leave(f, v->at.from, true,
			      "the relation needs source, relationship and target");
		return;
	}
	buf_fmt(&b, "%.*s ", STR_ARG(from));
	for (size_t i = 0; i < how.n; i++)
		buf_putc(&b, how.p[i] == '_' ? ' ' : how.p[i]);
	buf_fmt(&b, " %.*s", STR_ARG(to));
	one.content = buf_str(&b);
	one.type = STR("relation");
	one.source = STR("mem0");
	foreign_add(f, v->at.from, STR("mem0"), &one);
}

void foreign_read_mem0(struct memory_foreign *f, struct str text)
{
	static const char *const known[] = {"results", "relations", "count",
					    "next",    "previous",  NULL};
	const struct val *all;
	struct val *v;
	struct err *e = json_read(f->a, text, NULL, &v);

	if (e) {
		foreign_leave(f, 0, true, "%s", err_message(e));
		return;
	}
	all = v->type == VAL_LIST ? v : val_get(v, "results");
	if (!all || all->type != VAL_LIST) {
		foreign_leave(f, v->at.from, true, "it has no list 'results'");
		return;
	}
	VAL_EACH(all, one)
		mem0_memory(f, one);
	if (v->type != VAL_MAP)
		return;
	VAL_EACH(val_get(v, "relations"), one)
		mem0_relation(f, one);
	foreign_others(f, 0, v, known);
	if (foreign_text(val_get(v, "next")).n)
		foreign_leave(f, v->at.from, true, "there are more pages, at 'next'");
}
