/* Reads the tables of sync: what failed, which sources are known, what earlier runs did. */
#include "os/os.h"
#include "sync/knowledge_pointers.h"

/* ---- reading ---- */

static int state_choice(struct db_cells *c, int column, const char *const *names)
{
	return db_column_bytes(c->rows, column).p ? (int)db_cell_choice(c, column, names) : -1;
}

struct err *sync_failures_of(struct db *db, struct arena *a, struct str place,
			     struct sync_failures *out)
{
	*out = (struct sync_failures){0};
	DB_EACH(rows, db, Q_SYNC_FAILURES_OF, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_failures", .key = 0};
		struct sync_failure one = {
			.path = db_cell_raw_text(&c, a, 0),
			.item = db_cell_text(&c, a, 1),
			.layer = state_choice(&c, 2, kn_layers),
			.type = state_choice(&c, 3, kn_types),
			.reason = db_cell_text(&c, a, 4),
			.message = db_cell_raw_text(&c, a, 5),
			.first = db_cell_int(&c, 6, DB_TIME_LEAST, DB_TIME_MOST),
			.tries = db_cell_int(&c, 7, 1, INT64_MAX),
		};

		DB_ROW(db, db_cells_check(&c), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

struct err *sync_known_sources(struct db *db, struct arena *a, struct str place,
			       struct sync_known_list *out)
{
	*out = (struct sync_known_list){0};
	DB_EACH(rows, db, Q_SYNC_SOURCES_OF, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_sources", .key = 0};
		struct sync_known one = {
			.source = db_cell_raw_text(&c, a, 0),
			.commit = db_cell_text_or_null(&c, a, 1),
		};

		DB_ROW(db, db_cells_check(&c), continue);
		*VEC_PUSH(a, out) = one;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct sync_known *known = &out->p[i];

		/* A repository that was moved or removed reads nothing any more. */
		DB_EACH(rows, db, Q_SYNC_SOURCE_PLACES, DB_S(known->source), DB_S(place)) {
			struct str other = db_column_str(rows, a, 0);
			struct os_stat there = {.kind = OS_DIR};

			if (other.n && os_stat(str_c(a, other), true, &there))
				continue;
			known->shared = known->shared || there.kind == OS_DIR;
		}
	}
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
