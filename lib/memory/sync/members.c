#include "sync/members.h"
#include "json/json.h"
#include "memory/memory.h"

/* ---- layers ---- */

/* The layers that several people share. */
static const char *const shared[] = {"project", "team", "org", "company", NULL};

struct err *sync_layer_parse(struct arena *a, const char *parameter, const char *const *layers,
			     struct str given, struct str *layer, struct str *whose)
{
	size_t colon = size_min(str_find_char(given, ':', 0), given.n);
	struct val *list = val_list(a), *read;

	*layer = str_sub(given, 0, colon);
	*whose = str_sub(given, colon + 1, given.n);
	if (record_choice_index(layers, *layer) < 0)
		return err_not_in_enum(a, str_of(parameter), *layer, layers);
	if (colon < given.n && !whose->n)
		return err_for_param(E_BAD_ARGUMENT, str_of(parameter),
				     "the layer '%.*s' names nothing behind the colon",
				     STR_ARG(given));
	if (!whose->n)
		return NULL;
	val_add(list, val_str(a, *whose));
	if (whose->p[0] == '[' && !json_read(a, *whose, NULL, &read) && read->type == VAL_LIST)
		list = read;
	*whose = json_text(a, list);
	return NULL;
}

struct str sync_layer_shown(struct arena *a, struct str layer, struct str whose)
{
	struct val *list;

	if (!whose.n)
		return layer;
	if (!json_read(a, whose, NULL, &list) && list->type == VAL_LIST && list->n == 1 &&
	    list->first->type == VAL_STR && !str_starts(list->first->s, STR("[")))
		whose = list->first->s;
	return str_fmt(a, "%.*s:%.*s", STR_ARG(layer), STR_ARG(whose));
}

/* ---- adding and removing ---- */

struct membership {
	struct pg *pg;
	struct arena *a;
	struct str tenant, login, layers;
	bool done;
	struct sync_purged purged;
};

static struct err *member_add(void *ctx)
{
	struct membership *m = ctx;
	struct pg_rows rows;
	const char *why = NULL;

	TRY(pg_ask(m->pg, m->a, PG_ROLE_THERE, &rows, m->login));
	if (!rows.n)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("login"),
					      "the server has no role '%.*s'", STR_ARG(m->login)),
				"as an administrator of the server: create role \"%.*s\" login",
				STR_ARG(m->login));
	if (!pg_cell_bool(&rows, 0, 0))
		why = "may not log in";
	else if (pg_cell_bool(&rows, 0, 1))
		why = "is not bound by row level security, so it would read everything";
	else if (pg_cell_bool(&rows, 0, 2))
		why = "is the service role, which maintains the server and is no person";
	if (why)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("login"), "the role '%.*s' %s",
					      STR_ARG(m->login), why),
				"give each person a login role of their own");
	TRY(pg_do(m->pg, m->a, PG_TENANT_PUT, NULL, m->tenant));
	TRY(pg_ask(m->pg, m->a, PG_MEMBER_PUT, &rows, m->tenant, m->login, m->layers));
	m->done = rows.n && pg_cell_bool(&rows, 0, 0);
	TRY(pg_ask(m->pg, m->a, PG_GRANTS, &rows, m->login));
	return pg_run_statements(m->pg, m->a, &rows, "change what a role may");
}

struct err *sync_member_add(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			    const struct strs *layers, bool *added)
{
	struct membership m = {.pg = pg, .a = a, .tenant = tenant, .login = login};
	struct strs given = {0};
	struct str layer, whose;
	struct buf b;

	for (size_t i = 0; i < layers->n; i++) {
		TRY(sync_layer_parse(a, "layers", shared, layers->p[i], &layer, &whose));
		/* "team:web" becomes team:["web"], as rows name their owner. */
		if (whose.n)
			layer = str_fmt(a, "%.*s:%.*s", STR_ARG(layer), STR_ARG(whose));
		if (!strs_has(&given, layer))
			strs_push(a, &given, layer);
	}
	/* A list as PostgreSQL reads it: {"team","team:[\"web\"]"}. */
	b = buf_in(a);
	buf_putc(&b, '{');
	for (size_t i = 0; i < given.n; i++) {
		buf_puts(&b, i ? ",\"" : "\"");
		for (size_t j = 0; j < given.p[i].n; j++) {
			if (given.p[i].p[j] == '"' || given.p[i].p[j] == '\\')
				buf_putc(&b, '\\');
			buf_putc(&b, given.p[i].p[j]);
		}
		buf_putc(&b, '"');
	}
	buf_putc(&b, '}');
	m.layers = buf_as_str(&b);
	TRY(pg_transaction_run(pg, a, member_add, &m));
	*added = m.done;
	return NULL;
}

static struct err *member_remove(void *ctx)
{
	struct membership *m = ctx;
	struct pg_rows rows;
	int64_t n;

	TRY(pg_do(m->pg, m->a, PG_MEMBER_REMOVE, &n, m->tenant, m->login));
	m->done = n > 0;
	TRY(pg_ask(m->pg, m->a, PG_MEMBER_ELSEWHERE, &rows, m->login));
	if (!m->done || rows.n)
		return NULL;
	TRY(pg_ask(m->pg, m->a, PG_REVOKES, &rows, m->login));
	return pg_run_statements(m->pg, m->a, &rows, "change what a role may");
}

struct err *sync_member_remove(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			       bool *removed)
{
	struct membership m = {.pg = pg, .a = a, .tenant = tenant, .login = login};

	TRY(pg_transaction_run(pg, a, member_remove, &m));
	*removed = m.done;
	return NULL;
}

struct err *sync_members(struct pg *pg, struct arena *a, struct str tenant,
			 struct sync_member_list *out)
{
	struct pg_rows rows;

	*out = (struct sync_member_list){0};
	TRY(pg_ask(pg, a, PG_MEMBERS, &rows, tenant));
	for (size_t i = 0; i < rows.n; i++) {
		struct sync_member *m = VEC_PUSH(a, out);
		struct val *list;

		*m = (struct sync_member){
			.login = pg_cell_str(&rows, i, 0),
			.since = pg_cell_int(&rows, i, 2),
			.gone = !pg_cell_bool(&rows, i, 3),
		};
		TRY(json_read(a, pg_cell_str(&rows, i, 1), NULL, &list));
		VAL_EACH(list, v) {
			size_t colon = size_min(str_find_char(v->s, ':', 0), v->s.n);

			strs_push(a, &m->layers,
				  sync_layer_shown(a, str_sub(v->s, 0, colon),
						   str_sub(v->s, colon + 1, v->s.n)));
		}
	}
	return NULL;
}

/* ---- erasing ---- */

/* At once; the server lets nobody raise the number of a tenant by more than ten times that. */
#define PURGE_ROWS 100000

static struct err *purge_open(struct membership *m, const char *how)
{
	struct pg_rows rows;

	TRY(pg_ask(m->pg, m->a, PG_PURGE_TABLES, &rows, str_of(how)));
	return pg_run_statements(m->pg, m->a, &rows, "erase rows");
}

static struct err *member_purge(void *ctx)
{
	struct membership *m = ctx;
	struct str most = str_fmt(m->a, "%d", PURGE_ROWS);
	struct pg_rows rows;
	int64_t n;

	TRY(purge_open(m, "no force row level security, disable trigger user"));
	do {
		TRY(pg_ask(m->pg, m->a, PG_PUSH_BEGIN, &rows, m->tenant, most));
		if (!rows.n)
			break;
		TRY(pg_do(m->pg, m->a, PG_PURGE_MEMORIES, &n, m->tenant, m->login,
			  str_fmt(m->a, "%jd", (intmax_t)(pg_cell_int(&rows, 0, 0) - PURGE_ROWS)),
			  most));
		m->purged.memories += n;
	} while (n == PURGE_ROWS);
	TRY(pg_ask(m->pg, m->a, PG_PURGE_REST, &rows, m->tenant, m->login));
	m->purged.assets = pg_cell_int(&rows, 0, 0);
	m->purged.events = pg_cell_int(&rows, 0, 1);
	m->purged.machines = pg_cell_int(&rows, 0, 2);
	return purge_open(m, "force row level security, enable trigger user");
}

struct err *sync_member_purge(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			      bool dry, struct sync_purged *out)
{
	struct membership m = {.pg = pg, .a = a, .tenant = tenant, .login = login};
	struct sync_member_list members;

	TRY(sync_members(pg, a, tenant, &members));
	for (size_t i = 0; i < members.n; i++)
		if (str_eq(members.p[i].login, login))
			return err_help(
				err_for_param(E_BAD_ARGUMENT, STR("login"),
					      "'%.*s' belongs to '%.*s', and could store it again",
					      STR_ARG(login), STR_ARG(tenant)),
				"first: ikm sync member remove %.*s", STR_ARG(login));
	TRY(dry ? pg_transaction_dry_run(pg, a, member_purge, &m)
		: pg_transaction_run(pg, a, member_purge, &m));
	*out = m.purged;
	return NULL;
}
