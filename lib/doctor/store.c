/* Checks the store: with SQLite's own checks, by reading every row, and by comparing the index with
 * the rows. */
#include "asset/asset.h"
#include "crypt/crypt.h"
#include "doctor/doctor.h"
#include "event/event.h"
#include "event/schema.h"
#include "os/os.h"
#include "request/trace.h"

/* The maximum number of lines of integrity_check to report. */
#define LINES_MOST 10

#define SALVAGE "ikm doctor --salvage"
#define REBUILD "ikm doctor --rebuild"

/* Makes a finding of damage. Other errors say nothing about the store, so they are returned. */
static struct err *store_finding(struct doctor *d, const char *what, struct err *e)
{
	if (!e || err_reason(e) != E_DB_CORRUPT)
		return e;
	doctor_problem(d, "store", "%s: %s", what, err_message(e));
	doctor_step(d, d->mends ? REBUILD : SALVAGE);
	return NULL;
}

static struct err *store_integrity(struct doctor *d)
{
	size_t n = 0;

	DB_EACH(rows, d->m->db, Q_VERIFY_INTEGRITY) {
		struct str line = db_str(rows, d->a, 0);

		if (!str_is(line, "ok") && n++ < LINES_MOST) {
			doctor_problem(d, "store", "SQLite finds the file damaged: %.*s",
				       STR_ARG(line));
			/* A row is damaged, not the file. */
			doctor_step(d, "%s",
				    str_starts(line, STR("CHECK constraint failed")) ? REBUILD
										     : SALVAGE);
		}
	}
	if (n > LINES_MOST) {
		doctor_problem(d, "store", "and %zu more lines of the same kind", n - LINES_MOST);
		doctor_step(d, SALVAGE);
	}
	return NULL;
}

static struct err *store_references(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_REFERENCES) {
		doctor_problem(d, "rows",
			       "%jd rows of the table '%.*s' refer to missing rows of '%.*s'",
			       (intmax_t)db_int(rows, 2), STR_ARG(db_str(rows, d->a, 0)),
			       STR_ARG(db_str(rows, d->a, 1)));
		doctor_step(d, SALVAGE);
	}
	return NULL;
}

static struct err *store_aside(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_ASIDE) {
		doctor_note(d, "rows", "%jd damaged rows of the table '%.*s' were set aside: %.*s",
			    (intmax_t)db_int(rows, 2), STR_ARG(db_str(rows, d->a, 0)),
			    STR_ARG(db_str(rows, d->a, 1)));
		doctor_step(d,
			    "their values are in damaged_cells: sqlite3 '%s' 'select * from "
			    "damaged_cells'",
			    db_path(d->m->db));
	}
	return NULL;
}

struct err *doctor_verify(struct doctor *d, struct memory_verified *v,
			  struct db_damaged_rows *damaged)
{
	TRY(memory_verify(d->m, d->a, v, damaged));
	TRY(asset_verify(d->m->db, d->a, damaged));
	TRY(trace_verify(d->m->db, d->a, damaged));
	return event_check_rows(d->m->db, d->a, damaged);
}

bool doctor_is_movable(const struct db_damaged_row *row)
{
	return strcmp(row->table, "events") != 0;
}

static void store_damaged(struct doctor *d, const struct db_damaged_rows *damaged)
{
	size_t told = 0, kept = 0, more = 0;

	for (size_t i = 0; i < damaged->n; i++) {
		const struct db_damaged_row *row = &damaged->p[i];

		if (!doctor_is_movable(row) && ++kept <= LINES_MOST)
			doctor_note(d, "rows",
				    "%.*s; events are never deleted, so the row stays, and "
				    "commands skip it",
				    STR_ARG(row->why));
		if (!doctor_is_movable(row))
			continue;
		if (++told > LINES_MOST) {
			more++;
			continue;
		}
		doctor_problem(d, "rows", "%.*s", STR_ARG(row->why));
		doctor_step(d, REBUILD);
	}
	if (kept > LINES_MOST)
		doctor_note(d, "rows", "and %zu more damaged events", kept - LINES_MOST);
	if (!more)
		return;
	doctor_problem(d, "rows", "and %zu more damaged rows", more);
	doctor_step(d, REBUILD);
}

static struct err *store_rows(struct doctor *d)
{
	struct memory_verified v;
	struct db_damaged_rows damaged = {0};

	TRY(doctor_verify(d, &v, &damaged));
	d->memories = v.memories;
	d->deleted = v.deleted;
	store_damaged(d, &damaged);
	if (v.stale) {
		doctor_note(d, "index",
			    "an older ikm made the index of memories; the next command that needs "
			    "it makes it anew");
		doctor_step(d, "ikm mem reindex");
	} else if (v.index) {
		doctor_problem(d, "index", "%s", err_message(v.index));
		doctor_step(d, REBUILD);
	} else if (v.indexed != v.memories) {
		doctor_problem(d, "index", "the index has %jd memories, the store %jd",
			       (intmax_t)v.indexed, (intmax_t)v.memories);
		doctor_step(d, REBUILD);
	} else if (!v.postings) {
		doctor_problem(d, "index",
			       "the posting lists do not count what the memories have, so "
			       "searches rank by wrong figures");
		doctor_step(d, "ikm mem reindex");
	} else if (v.miscounted) {
		doctor_problem(d, "index",
			       "the memories, words or lengths of %jd %s are miscounted, so "
			       "searches rank by wrong figures",
			       (intmax_t)v.miscounted, v.miscounted == 1 ? "scope" : "scopes");
		doctor_step(d, "ikm mem reindex");
	}
	return NULL;
}

/* Whether the column `hash` has the hash of the content in the column after it. */
static bool store_hash_holds(struct db_rows *rows, int hash)
{
	struct arena *a = arena_new();
	bool holds = str_eq(db_bytes(rows, hash), crypt_content_hash(a, db_bytes(rows, hash + 1)));

	arena_free(a);
	return holds;
}

static struct err *store_contents(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_ASSETS) {
		if (store_hash_holds(rows, 1))
			continue;
		doctor_problem(d, "rows",
			       "the stored asset '%.*s' has changed since it was written: its hash "
			       "differs",
			       STR_ARG(db_str(rows, d->a, 0)));
		doctor_step(d, "compare it with its versions: ikm asset history '%.*s'",
			    STR_ARG(db_str(rows, d->a, 0)));
	}
	DB_EACH(rows, d->m->db, Q_VERIFY_FORMER)
		if (!store_hash_holds(rows, 0))
			doctor_problem(d, "rows",
				       "the former content %.*s, which undo would restore, has "
				       "another hash",
				       STR_ARG(db_str(rows, d->a, 0)));
	return NULL;
}

static struct err *store_schema(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_SCHEMA)
		d->schema = db_int(rows, 0);
	return NULL;
}

static struct err *store_objects(struct doctor *d)
{
	struct db_differences found;

	TRY(db_compare(d->m->db, d->a, &found));
	for (size_t i = 0; i < found.n; i++) {
		const struct db_difference *one = &found.p[i];

		if (one->how == DB_IS_ADDED && str_is(one->type, "table")) {
			doctor_note(d, "store", "the table '%.*s' is not one of ikm",
				    STR_ARG(one->name));
			continue;
		}
		doctor_problem(d, "store", "%.*s", STR_ARG(event_schema_text(d->a, one)));
		doctor_step(d, event_schema_mends(one) ? REBUILD : SALVAGE);
		d->mends |= event_schema_mends(one);
	}
	return NULL;
}

struct err *doctor_store(struct doctor *d)
{
	static const struct {
		const char *what;
		struct err *(*fn)(struct doctor *d);
	} checks[] = {
		{"the schema", store_schema},
		{"tables, indexes and triggers", store_objects},
		{"the file", store_integrity},
		{"references between tables", store_references},
		{"rows that were set aside", store_aside},
		{"rows, and the index of memories", store_rows},
		{"stored assets and former contents", store_contents},
	};

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		struct db_txn t DB_TXN = {0};
		struct err *e = db_begin_read(&t, d->m->db);

		TRY(store_finding(d, checks[i].what, e ? e : checks[i].fn(d)));
	}
	return NULL;
}
