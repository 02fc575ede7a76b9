/* Exports memories and tombstones, also from a store with damaged pages. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/import_export.h"
#include "os/os.h"

/* The number of rows after which the arena is freed. */
#define BATCH 64

/* The number of ids that are read at once when pages are damaged. */
#define EXPORT_IDS 512

struct export
{
	struct memories *m;
	struct str scopes; /* a JSON list */
	memory_export_fn *fn;
	void *ctx;
	char last[64]; /* the id of the last exported memory, NUL-terminated */
};

static struct err *export_memory(struct export *x, struct arena *a, struct db_rows *rows)
{
	struct memory one;

	DB_ROW(x->m->db, memory_row(x->m, a, rows, &one), return NULL);
	snprintf(x->last, sizeof(x->last), "%.*s", STR_ARG(one.id));
	return x->fn(x->ctx, a, memory_record, &one);
}

static const struct field tombstone_record[] = {
	MEMORY_ROW_ID(struct memory, ),
	FIELD_NAMED(struct memory, layer, "layer", memory_layers, "who it belonged to"),
	FIELD_TIME(struct memory, deleted, "deletedAt", "when it was deleted"),
	{0},
};

static struct err *export_tombstone(struct export *x, struct arena *a, struct db_rows *rows)
{
	struct db_cells c = {.rows = rows, .table = "deleted_memories", .key = 0};
	struct memory one = {
		.id = db_cell_text(&c, a, 0),
		.layer = (enum memory_layer)db_cell_choice(&c, 1, memory_layers),
		.deleted = db_cell_int(&c, 2, DB_TIME_LEAST, DB_TIME_MOST),
	};
	DB_ROW(x->m->db, db_cells_check(&c), return NULL);
	return x->fn(x->ctx, a, tombstone_record, &one);
}

static struct err *export_each(struct export *x, enum db_query query,
			       struct err *(*line)(struct export *, struct arena *,
						   struct db_rows *))
{
	struct arena *a ARENA_LOCAL = arena_new();
	size_t n = 0;

	DB_EACH(rows, x->m->db, query, DB_S(x->scopes)) {
		TRY(line(x, a, rows));
		if (++n % BATCH)
			continue;
		arena_free(a);
		a = arena_new();
	}
	return NULL;
}

/* ---- a store with damaged pages ---- */

static bool export_is_damage(const struct err *e)
{
	return e && err_reason(e) == E_DB_CORRUPT;
}

static void export_note(struct export *x, const char *what, const char *id)
{
	struct arena *a ARENA_LOCAL = arena_new();

	db_note_damage(x->m->db, str_fmt(a, what, id));
}

/* Exports a memory by its number, if its id is above the last one and its scope is wanted. */
static struct err *export_doc(struct export *x, int64_t doc)
{
	struct arena *a ARENA_LOCAL = arena_new();

	DB_EACH(rows, x->m->db, Q_EXPORT_DOC, DB_I(doc), DB_S(x->scopes), DB_S(str_of(x->last)))
		TRY(export_memory(x, a, rows));
	return NULL;
}

struct export_ids {
	struct {
		int64_t doc;
		char id[64];
	} p[EXPORT_IDS];
	size_t n;
};

static struct err *export_by_ids(struct export *x, struct export_ids *ids)
{
	do {
		/* SQLite's index has the ids, so damaged pages of the table do not matter. */
		ids->n = 0;
		DB_EACH(rows, x->m->db, Q_EXPORT_IDS, DB_S(str_of(x->last)), DB_I(EXPORT_IDS)) {
			struct str id = db_column_bytes(rows, 0);

			ids->p[ids->n].doc = db_column_int(rows, 1);
			snprintf(ids->p[ids->n++].id, sizeof(ids->p->id), "%.*s", STR_ARG(id));
		}
		for (size_t i = 0; i < ids->n; i++) {
			struct err *e = export_doc(x, ids->p[i].doc);

			if (export_is_damage(e))
				export_note(x, "the memory '%s' is on a damaged page",
					    ids->p[i].id);
			else
				TRY(e);
			memcpy(x->last, ids->p[i].id, sizeof(x->last));
		}
	} while (ids->n == EXPORT_IDS);
	return NULL;
}

/* Tries every number that was ever given, because the index on ids is damaged too. In no order. */
static struct err *export_by_numbers(struct export *x)
{
	char behind[sizeof(x->last)];
	int64_t last = 0;
	bool some = false;

	memcpy(behind, x->last, sizeof(behind));
	TRY(db_number(x->m->db, Q_INDEX_LAST, &last));
	for (int64_t doc = 1; doc <= last; doc++) {
		struct err *e;

		memcpy(x->last, behind, sizeof(behind));
		e = export_doc(x, doc);
		if (!export_is_damage(e))
			TRY(e);
		else
			some = true;
	}
	if (some)
		export_note(x, "damaged pages: an unknown number of memories cannot be read%s", "");
	return NULL;
}

struct err *memory_export(struct memories *m, unsigned layers, bool all, memory_export_fn *fn,
			  void *ctx, int64_t *others)
{
	struct export x = {.m = m, .fn = fn, .ctx = ctx};
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *named = val_list(a), *scopes = val_list(a);
	struct db_txn t DB_TXN = {0};
	struct str names;
	struct err *e;

	*others = 0;
	TRY(db_begin_read(&t, m->db));
	for (unsigned i = 0; i < MEMORY_LAYERS_END; i++)
		if (!layers || layers & 1u << i)
			val_add(named, val_str(a, str_of(memory_layers[i])));
	names = json_text(a, named);
	if (all) {
		DB_EACH(rows, m->db, Q_EXPORT_SCOPES, DB_S(names))
			val_add(scopes, val_int(a, db_column_int(rows, 0)));
		x.scopes = json_text(a, scopes);
	} else {
		TRY(memory_scopes_text(m, a, layers, &x.scopes));
		TRY(db_number(m->db, Q_EXPORT_OTHERS, others, DB_S(names), DB_S(x.scopes)));
	}
	e = export_each(&x, Q_EXPORT_EACH, export_memory);
	if (export_is_damage(e))
		e = export_by_ids(&x, ARENA_NEW(a, struct export_ids));
	if (export_is_damage(e))
		e = export_by_numbers(&x);
	TRY(e);
	e = export_each(&x, Q_EXPORT_TOMBSTONES, export_tombstone);
	if (!export_is_damage(e))
		return e;
	export_note(&x, "damaged pages: not all deleted memories can be read%s", "");
	return NULL;
}
