/* The owners of layers: their identifiers, and the numbers of their scopes. */
#include "json/json.h"
#include "memory/storage_internal.h"

/* The identifiers that name a layer's owner, in this order; the second may be NULL. */
static const struct {
	const char *first, *second;
} owners[MEMORY_LAYERS_END] = {
	[MEMORY_AGENT] = {"user", "agent"},     [MEMORY_USER] = {"user", NULL},
	[MEMORY_SESSION] = {"user", "session"}, [MEMORY_PROJECT] = {"project", NULL},
	[MEMORY_TEAM] = {"team", NULL},         [MEMORY_ORG] = {"org", NULL},
	[MEMORY_COMPANY] = {"company", NULL},
};

static const struct {
	const char *name;
	size_t offset;
	const char *how; /* how the user gives it */
} identifiers[] = {
	{"user", offsetof(struct memory_who, user),
	 "gives --user ID, or runs: ikm config set user ID"},
	{"agent", offsetof(struct memory_who, agent),
	 "gives --agent ID, or runs: ikm config set agent.id ID"},
	{"session", offsetof(struct memory_who, session), "gives --session ID or IKM_SESSION"},
	{"project", offsetof(struct memory_who, project),
	 "works in a repository with a commit or an origin, or runs: ikm config set memory.project "
	 "NAME"},
	{"team", offsetof(struct memory_who, team), "runs: ikm config set memory.team NAME"},
	{"org", offsetof(struct memory_who, org), "runs: ikm config set memory.org NAME"},
	{"company", offsetof(struct memory_who, company),
	 "runs: ikm config set memory.company NAME"},
};

static struct str identifier(const struct memory_who *who, const char *name, const char **how)
{
	for (size_t i = 0; i < ARRAY_SIZE(identifiers); i++)
		if (str_is(str_of(name), identifiers[i].name)) {
			*how = identifiers[i].how;
			return *(const struct str *)((const char *)who + identifiers[i].offset);
		}
	BUG("no identifier '%s'", name);
}

/* The owner as a JSON list. missing and how: the unknown identifiers, and how to give them. */
static struct str scope_owner_of(struct memories *m, struct arena *a, enum memory_layer layer,
				 struct strs *missing, struct strs *how)
{
	const char *names[] = {owners[layer].first, owners[layer].second};
	struct val *list = val_list(a);

	for (size_t i = 0; i < ARRAY_SIZE(names) && names[i]; i++) {
		const char *say;
		struct str is = identifier(&m->who, names[i], &say);

		if (!is.n) {
			strs_push(a, missing, str_of(names[i]));
			strs_push(a, how, str_of(say));
		}
		val_add(list, val_str(a, is));
	}
	return json_text(a, list);
}

struct str memory_layer_owner(struct memories *m, struct arena *a, enum memory_layer layer)
{
	struct strs missing = {0}, how = {0};

	return scope_owner_of(m, a, layer, &missing, &how);
}

struct err *memory_scope_of_layer(struct memories *m, struct arena *a, enum memory_layer layer,
				  bool make, int64_t *scope)
{
	struct str name = str_of(memory_layers[layer]), owner;
	struct strs missing = {0}, how = {0};

	owner = scope_owner_of(m, a, layer, &missing, &how);
	if (missing.n) {
		struct err *e = err_new(E_MISSING_PARAMETER,
					"the layer '%s' needs identifiers that are not known: %.*s",
					memory_layers[layer], STR_ARG(str_join(a, &missing, ", ")));

		err_add_detail(e, "layer", str_of(memory_layers[layer]));
		err_detail_list(e, "missing", &missing);
		for (size_t i = 0; i < how.n; i++)
			err_help(e, "a person %.*s", STR_ARG(how.p[i]));
		return e;
	}
	TRY(db_number(m->db, Q_SCOPE_GET, scope, DB_S(name), DB_S(owner)));
	if (*scope || !make)
		return NULL;
	return db_number(m->db, Q_SCOPE_PUT, scope, DB_S(name), DB_S(owner));
}

struct err *memory_layer_is_used(struct memories *m, enum memory_layer layer, bool *out)
{
	*out = false;
	DB_EACH(rows, m->db, Q_SCOPE_LAYER, DB_S(str_of(memory_layers[layer])))
		*out = true;
	return NULL;
}

struct err *memory_root_commit_is_used(struct memories *m, bool *out)
{
	*out = false;
	DB_EACH(rows, m->db, Q_SCOPE_ROOT_COMMIT)
		*out = true;
	return NULL;
}

struct err *memory_scopes(struct memories *m, struct arena *a, unsigned layers,
			  struct memory_scopes *out)
{
	struct db_txn t DB_TXN = {0};

	*out = (struct memory_scopes){0};
	TRY(db_begin_read(&t, m->db));
	for (unsigned i = 0; i < MEMORY_LAYERS_END; i++) {
		struct strs missing = {0}, how = {0};
		struct memories before;
		int64_t scope;

		if (layers && !(layers & 1u << i))
			continue;
		scope_owner_of(m, a, (enum memory_layer)i, &missing, &how);
		if (missing.n && !layers)
			continue;
		TRY(memory_scope_of_layer(m, a, (enum memory_layer)i, false, &scope));
		out->layers |= 1u << i;
		if (scope)
			*VEC_PUSH(a, out) = (struct memory_scope){scope, (enum memory_layer)i};
		if (i != MEMORY_PROJECT || !m->who.former.n)
			continue;
		/* The scope of its former name, if there is one. */
		before = *m;
		before.who.project = m->who.former;
		TRY(memory_scope_of_layer(&before, a, MEMORY_PROJECT, false, &scope));
		if (scope)
			*VEC_PUSH(a, out) = (struct memory_scope){scope, MEMORY_PROJECT};
	}
	return NULL;
}
