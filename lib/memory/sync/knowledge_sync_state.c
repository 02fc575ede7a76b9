/* The tables of sync: what has a pointer, what failed, what earlier runs did. */
#include "os/os.h"
#include "sync/internal.h"

bool sync_wants(const struct sync_ask *ask, int layer, int type)
{
	return (layer < 0 || !ask->layers || ask->layers & 1u << layer) &&
	       (type < 0 || !ask->types || ask->types & 1u << type);
}

/* ---- reading ---- */

static struct err *state_item(struct db_rows *rows, struct arena *a, struct sync_item *out)
{
	struct db_cells c = {.rows = rows, .table = "sync_items", .key = 0};

	*out = (struct sync_item){
		.id = db_cell_text(&c, a, 0),
		.layer = (enum kn_layer)db_cell_choice(&c, 1, kn_layers),
		.type = (enum kn_type)db_cell_choice(&c, 2, kn_types),
		.item = db_cell_text(&c, a, 3),
		.path = db_cell_raw_text(&c, a, 4),
	};
	return db_cells_check(&c);
}

struct err *sync_items_with_pointer(struct db *db, struct arena *a, struct str source,
				    struct sync_items *out)
{
	struct sync_item one;

	DB_EACH(rows, db, Q_SYNC_ITEMS_OF, DB_S(source)) {
		DB_ROW(db, state_item(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

static int state_choice(struct db_cells *c, int column, const char *const *names)
{
	return db_column_bytes(c->rows, column).p ? (int)db_cell_choice(c, column, names) : -1;
}

static struct err *state_failure(struct db_rows *rows, struct arena *a, struct sync_failure *out)
{
	struct db_cells c = {.rows = rows, .table = "sync_failures", .key = 0};

	*out = (struct sync_failure){
		.path = db_cell_raw_text(&c, a, 0),
		.item = db_cell_text(&c, a, 1),
		.layer = state_choice(&c, 2, kn_layers),
		.type = state_choice(&c, 3, kn_types),
		.reason = db_cell_text(&c, a, 4),
		.message = db_cell_raw_text(&c, a, 5),
		.first = db_cell_int(&c, 6, DB_TIME_LEAST, DB_TIME_MOST),
		.tries = db_cell_int(&c, 7, 1, INT64_MAX),
	};
	return db_cells_check(&c);
}

struct err *sync_failures_of(struct db *db, struct arena *a, struct str place,
			     struct sync_failures *out)
{
	struct sync_failure one;

	*out = (struct sync_failures){0};
	DB_EACH(rows, db, Q_SYNC_FAILURES_OF, DB_S(place)) {
		DB_ROW(db, state_failure(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

static struct err *state_known(struct db_rows *rows, struct arena *a, struct sync_known *out)
{
	struct db_cells c = {.rows = rows, .table = "sync_sources", .key = 0};

	*out = (struct sync_known){
		.source = db_cell_raw_text(&c, a, 0),
		.commit = db_cell_text_or_null(&c, a, 1),
	};
	return db_cells_check(&c);
}

/* A repository that was moved or removed reads nothing any more. */
static struct err *state_shared(struct db *db, struct arena *a, struct str place,
				struct sync_known *known)
{
	DB_EACH(rows, db, Q_SYNC_SOURCE_PLACES, DB_S(known->source), DB_S(place)) {
		struct str other = db_column_str(rows, a, 0);
		struct os_stat there = {.kind = OS_DIR};

		if (other.n && os_stat(str_c(a, other), true, &there))
			continue;
		known->shared = known->shared || there.kind == OS_DIR;
	}
	return NULL;
}

struct err *sync_known_sources(struct db *db, struct arena *a, struct str place,
			       struct sync_known_list *out)
{
	struct sync_known one;

	*out = (struct sync_known_list){0};
	DB_EACH(rows, db, Q_SYNC_SOURCES_OF, DB_S(place)) {
		DB_ROW(db, state_known(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	for (size_t i = 0; i < out->n; i++)
		TRY(state_shared(db, a, place, &out->p[i]));
	return NULL;
}

struct err *sync_history_read(struct db *db, struct str place, struct sync_history *out)
{
	*out = (struct sync_history){0};
	DB_EACH(rows, db, Q_SYNC_PLACE_GET, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_places", .key = 0};

		*out = (struct sync_history){
			.runs = db_cell_int(&c, 0, 1, INT64_MAX),
			.changes = db_cell_int(&c, 1, 0, INT64_MAX),
			.duration_ms = db_cell_int(&c, 2, 0, INT64_MAX),
			.last = db_cell_int(&c, 3, DB_TIME_LEAST, DB_TIME_MOST),
		};
		DB_ROW(db, db_cells_check(&c), continue);
	}
	return NULL;
}

/* ---- writing ---- */

static const struct sync_failure *state_find(const struct sync_failures *list,
					     const struct sync_failure *like)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->p[i].path, like->path) && str_eq(list->p[i].item, like->item))
			return &list->p[i];
	return NULL;
}

static struct db_arg state_name(const char *const *names, int i)
{
	return i < 0 ? DB_N : DB_S(str_of(names[i]));
}

static struct err *state_put_failures(struct arena *a, const struct sync_ask *ask,
				      const struct sync_done *done)
{
	struct db *db = ask->m->db;
	struct sync_failures old;

	TRY(sync_failures_of(db, a, ask->place, &old));
	for (size_t i = 0; i < old.n; i++)
		if (sync_wants(ask, old.p[i].layer, old.p[i].type))
			TRY(db_do(db, Q_SYNC_FAILURE_REMOVE, NULL, DB_S(ask->place),
				  DB_S(old.p[i].path), DB_S(old.p[i].item)));
	for (size_t i = 0; i < done->failed.n; i++) {
		const struct sync_failure *f = &done->failed.p[i], *was = state_find(&old, f);

		TRY(db_do(db, Q_SYNC_FAILURE_PUT, NULL, DB_S(ask->place), DB_S(f->path),
			  DB_S(f->item), state_name(kn_layers, f->layer),
			  state_name(kn_types, f->type), DB_S(f->reason), DB_S(f->message),
			  DB_I(was ? was->first : os_now()), DB_I(was ? was->tries + 1 : 1)));
	}
	return NULL;
}

/* A source's commit stays where it was when an item of it failed, or was not looked at. */
static struct err *state_put_sources(const struct sync_ask *ask, const struct sync_done *done)
{
	bool whole = !ask->types && !ask->layers && !done->failed.n;

	VEC_EACH(const struct sync_source, s, &ask->sources)
		TRY(db_do(ask->m->db, Q_SYNC_SOURCE_PUT, NULL, DB_S(ask->place), DB_S(s->key),
			  whole ? db_text_or_null(s->commit) : DB_N));
	return NULL;
}

struct err *sync_record_outcome(struct arena *a, const struct sync_ask *ask,
				const struct sync_done *done)
{
	const struct sync_counts *n = &done->counts;

	TRY(state_put_failures(a, ask, done));
	TRY(state_put_sources(ask, done));
	return db_do(ask->m->db, Q_SYNC_PLACE_RAN, NULL, DB_S(ask->place),
		     DB_I(n->added + n->updated + n->deleted), DB_I(done->duration_ms),
		     DB_I(os_now()));
}

/* ---- for people ---- */

struct str sync_time_ago(struct arena *a, int64_t then, int64_t now)
{
	static const struct {
		int64_t ms;
		const char *unit;
	} units[] = {{DAY_MS, "day"}, {HOUR_MS, "hour"}, {60 * 1000, "minute"}};
	int64_t age = now - then;

	if (!then)
		return STR("never");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		int64_t n = age / units[i].ms;

		if (n > 0)
			return str_fmt(a, "%jd %s%s", (intmax_t)n, units[i].unit, PLURAL(n));
	}
	return STR("just now");
}
