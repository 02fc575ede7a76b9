/*
 * Checks the store with SQLite's own checks, by reading every row, and by comparing the index with
 * the rows; repairs it; finds memories of files that have changed.
 */
#include "asset/asset.h"
#include "crypt/crypt.h"
#include "doctor/doctor.h"
#include "event/event.h"
#include "event/keys.h"
#include "event/schema_compare.h"
#include "event/verify.h"
#include "memory/repository_ties.h"
#include "os/os.h"
#include "request/query_log.h"

/* The maximum number of damaged rows to report. */
#define LINES_MOST 10

#define SALVAGE "ikm doctor --salvage"
#define REBUILD "ikm doctor --rebuild"
#define INIT    "ikm init --home-only"

static struct err *store_integrity(struct doctor *d)
{
	struct str first = {0};
	bool rows = true; /* rows are damaged, not the file */
	size_t n = 0;

	DB_EACH(rows_of, d->m->db, Q_VERIFY_INTEGRITY) {
		struct str line = db_column_str(rows_of, d->a, 0);

		if (str_is(line, "ok"))
			continue;
		first = n++ ? first : line;
		rows &= str_starts(line, STR("CHECK constraint failed"));
	}
	if (!n)
		return NULL;
	doctor_problem(d, "store", "SQLite finds the file damaged: %.*s", STR_ARG(first));
	if (n > 1)
		doctor_problem(d, "store", "and %zu more line%s of the same kind", n - 1,
			       PLURAL(n - 1));
	doctor_set_remedy(d, rows ? REBUILD : SALVAGE);
	return NULL;
}

static struct err *store_references(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_REFERENCES) {
		doctor_problem(d, "rows", "the table '%.*s' has %jd %s to missing rows of '%.*s'",
			       STR_ARG(db_column_str(rows, d->a, 0)),
			       (intmax_t)db_column_int(rows, 2),
			       db_column_int(rows, 2) == 1 ? "row that refers" : "rows that refer",
			       STR_ARG(db_column_str(rows, d->a, 1)));
		doctor_set_remedy(d, SALVAGE);
	}
	return NULL;
}

static struct err *store_aside(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_ASIDE) {
		doctor_note(d, "rows", "ikm has set aside %jd damaged %s of the table '%.*s': %.*s",
			    (intmax_t)db_column_int(rows, 2),
			    db_column_int(rows, 2) == 1 ? "row" : "rows",
			    STR_ARG(db_column_str(rows, d->a, 0)),
			    STR_ARG(db_column_str(rows, d->a, 1)));
		doctor_set_remedy(d,
				  "their values are in damaged_cells: sqlite3 '%s' 'select * from "
				  "damaged_cells'",
				  db_path(d->m->db));
	}
	return NULL;
}

/* Reads every row that a command may read, and collects the damaged ones. */
static struct err *doctor_verify(struct doctor *d, struct memory_verified *v,
				 struct db_damaged_rows *damaged)
{
	TRY(memory_verify_all(d->m, d->a, v, damaged));
	TRY(asset_verify_all(d->m->db, d->a, damaged));
	TRY(trace_verify(d->m->db, d->a, damaged));
	return event_find_damaged_rows(d->m->db, d->a, damaged);
}

/* Whether --rebuild may move this damaged row out of its table. */
static bool doctor_can_set_aside_row(const struct db_damaged_row *row)
{
	return strcmp(row->table, "events") != 0;
}

static void store_damaged(struct doctor *d, const struct db_damaged_rows *damaged)
{
	size_t told = 0, kept = 0;

	VEC_EACH(const struct db_damaged_row, row, damaged)
		if (doctor_can_set_aside_row(row) && ++told <= LINES_MOST) {
			doctor_problem(d, "rows", "%.*s", STR_ARG(row->why));
			doctor_set_remedy(d, REBUILD);
		} else if (!doctor_can_set_aside_row(row) && ++kept <= LINES_MOST) {
			doctor_note(d, "rows",
				    "%.*s; events are never deleted, so the row stays, and "
				    "commands skip it",
				    STR_ARG(row->why));
		}
	if (kept > LINES_MOST)
		doctor_note(d, "rows", "and %zu more damaged event%s", kept - LINES_MOST,
			    PLURAL(kept - LINES_MOST));
	if (told > LINES_MOST) {
		doctor_problem(d, "rows", "and %zu more damaged row%s", told - LINES_MOST,
			       PLURAL(told - LINES_MOST));
		doctor_set_remedy(d, REBUILD);
	}
}

static struct err *store_rows(struct doctor *d)
{
	struct memory_verified v;
	struct db_damaged_rows damaged = {0};
	struct str me;

	TRY(doctor_verify(d, &v, &damaged));
	d->memories = v.memories;
	d->deleted = v.deleted;
	store_damaged(d, &damaged);
	/* On a new machine the login name may be another one: then all memories seem to be gone. */
	me = d->conf->user.n ? d->conf->user : os_user(d->a);
	DB_EACH(rows, d->m->db, Q_MEMORY_MOST_USER, DB_S(me)) {
		struct str user = db_column_str(rows, d->a, 0);

		if (str_eq(user, me))
			continue;
		doctor_note(d, "memories", "you are '%.*s', and have no memory; '%.*s' has %jd",
			    STR_ARG(me), STR_ARG(user), (intmax_t)db_column_int(rows, 1));
		doctor_set_remedy(d, "if that is you: ikm config set user '%.*s'", STR_ARG(user));
	}
	if (v.stale) {
		doctor_note(d, "index",
			    "an older ikm made the index of memories; the next command that needs "
			    "it makes it anew");
		doctor_set_remedy(d, "ikm mem reindex");
	} else if (v.index) {
		doctor_problem(d, "index", "%s", err_message(v.index));
		doctor_set_remedy(d, REBUILD);
	} else if (v.indexed != v.memories) {
		doctor_problem(d, "index", "the index has %jd memories, the store %jd",
			       (intmax_t)v.indexed, (intmax_t)v.memories);
		doctor_set_remedy(d, REBUILD);
	} else if (!v.postings) {
		doctor_problem(d, "index",
			       "the posting lists do not count what the memories have, so "
			       "searches rank by wrong figures");
		doctor_set_remedy(d, "ikm mem reindex");
	} else if (v.miscounted) {
		doctor_problem(d, "index",
			       "the memories, words or lengths of %jd %s are miscounted, so "
			       "searches rank by wrong figures",
			       (intmax_t)v.miscounted, v.miscounted == 1 ? "scope" : "scopes");
		doctor_set_remedy(d, "ikm mem reindex");
	}
	return NULL;
}

/* Whether the column `hash` has the hash of the content in the column after it. */
static bool store_hash_holds(struct db_rows *rows, int hash)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return str_eq(db_column_bytes(rows, hash),
		      crypt_content_hash(a, db_column_bytes(rows, hash + 1)));
}

static struct err *store_contents(struct doctor *d)
{
	DB_EACH(rows, d->m->db, Q_VERIFY_ASSETS) {
		if (store_hash_holds(rows, 1))
			continue;
		doctor_problem(d, "rows",
			       "the stored asset '%.*s' has changed since it was written: its hash "
			       "differs",
			       STR_ARG(db_column_str(rows, d->a, 0)));
		doctor_set_remedy(d, "compare it with its versions: ikm asset history '%.*s'",
				  STR_ARG(db_column_str(rows, d->a, 0)));
	}
	DB_EACH(rows, d->m->db, Q_VERIFY_FORMER)
		if (!store_hash_holds(rows, 0))
			doctor_problem(d, "rows",
				       "the former content %.*s, which undo would restore, has "
				       "another hash",
				       STR_ARG(db_column_str(rows, d->a, 0)));
	return NULL;
}

static struct err *store_schema(struct doctor *d)
{
	return db_number(d->m->db, Q_VERIFY_SCHEMA, &d->schema);
}

static struct err *store_objects(struct doctor *d)
{
	struct db_differences found;

	TRY(db_schema_compare(d->m->db, d->a, &found));
	VEC_EACH(const struct db_difference, one, &found) {
		if (one->how == DB_IS_ADDED && str_is(one->type, "table")) {
			doctor_note(d, "store", "the table '%.*s' is not one of ikm",
				    STR_ARG(one->name));
			continue;
		}
		doctor_problem(d, "store", "%.*s",
			       STR_ARG(event_schema_difference_text(d->a, one)));
		doctor_set_remedy(d, event_schema_is_mendable(one) ? REBUILD : SALVAGE);
		d->mends |= event_schema_is_mendable(one);
	}
	return NULL;
}

/* ---- the record of changes ---- */

/* Breaks that nobody can repair are told as a note: 'ikm events verify' tells them for ever. */
static void record_breaks(struct doctor *d, const struct event_verdict *v, bool told)
{
	const struct event_break_found *first = NULL;
	size_t n = 0;

	VEC_EACH(const struct event_break_found, b, v)
		if (b->kind == EVENT_BREAK_DERIVED) {
			doctor_problem(d, "record", "%.*s", STR_ARG(b->what));
			doctor_set_remedy(d, REBUILD);
		} else if (b->kind != EVENT_BREAK_SCHEMA) {
			first = n++ ? first : b;
		}
	if (!n || told)
		return;
	doctor_note(d, "record", "the record of changes has %zu %s: %.*s", n,
		    n == 1 ? "break" : "breaks, the first", STR_ARG(first->what));
	doctor_set_remedy(d, "ikm events verify");
}

static struct err *record_find(struct doctor *d)
{
	struct events log = {.db = d->m->db, .keyed = true};
	struct event_keys_traces traces;
	size_t before = d->problems;
	struct event_verdict v;
	struct err *e;

	TRY(event_keys_find_traces(&log, d->a, &traces));
	if (!traces.any && !d->garden) {
		TRY(event_verify(&log, d->a, NULL, &v));
		if (v.rows) {
			doctor_note(d, "record", "no change is signed, since there is no key");
			doctor_set_remedy(d, INIT);
		}
		return NULL;
	}
	e = event_keys_need(&log, d->a);
	if (e && err_reason(e) != E_NOT_CONFIGURED)
		return e;
	if (e)
		doctor_error(d, "record", e);
	e = traces.any ? event_key_check(&log, d->a, CHECKPOINT_KEY) : NULL;
	if (e && err_reason(e) == E_NOT_CONFIGURED)
		doctor_error(d, "record", e);
	if (traces.begun) {
		doctor_problem(d, "record", "'%s' is %s", traces.begun,
			       traces.damaged ? "damaged" : "missing");
		if (traces.damaged)
			doctor_set_remedy(d, "mv '%s' '%s.bad' && " INIT, traces.begun,
					  traces.begun);
		else
			doctor_set_remedy(d, INIT);
	}
	TRY(event_verify(&log, d->a, NULL, &v));
	record_breaks(d, &v, d->problems > before);
	return NULL;
}

static struct err *store_record(struct doctor *d)
{
	struct err *e = record_find(d);

	/* The checks of the home tell what is wrong with a key. */
	return e && err_reason(e) == E_BAD_KEY && d->problems ? NULL : e;
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
		{"the record of changes", store_record},
		{"rows, and the index of memories", store_rows},
		{"stored assets and former contents", store_contents},
	};
	struct str told = STR("");
	bool salvage = false;

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		struct db_txn t DB_TXN = {0};
		struct err *e = db_begin_read(&t, d->m->db);

		if (!e)
			e = checks[i].fn(d);
		/* Other programs that use the store say nothing about it. */
		if (e && err_reason(e) == E_LOCKED)
			return e;
		/* A file whose head is broken fails each check alike. */
		if (!e || str_eq(told, str_of(err_message(e))))
			continue;
		told = str_dup(d->a, str_of(err_message(e)));
		doctor_error(d, "store",
			     err_reason(e) == E_DB_CORRUPT
				     ? err_add_context(e, "%s", checks[i].what)
				     : e);
		if (str_holds(d->p[d->n - 1].step, SALVAGE))
			doctor_set_remedy(d, d->mends ? REBUILD : SALVAGE);
	}
	/* A salvage does what --rebuild does, which would fail before it. */
	for (size_t i = 0; i < d->n; i++)
		salvage |= str_is(d->p[i].step, SALVAGE);
	for (size_t i = 0; salvage && i < d->n; i++)
		if (str_is(d->p[i].step, REBUILD))
			d->p[i].step = STR(SALVAGE);
	return NULL;
}

/* ---- files of which memories speak, in the present repository ---- */

struct stale {
	struct memories *m;
	int64_t stale;
};

static struct err *stale_count(void *ctx, struct arena *a, const struct memory *one)
{
	struct stale *s = ctx;
	const struct memory_ties *t = memory_ties_now(s->m->ground, a, one);

	s->stale += t && t->stale;
	return NULL;
}

struct err *doctor_stale_memories(struct doctor *d, struct memories *own)
{
	struct memory_filter f = {.has_files = true, .status = -1, .state = -1};
	struct stale s = {.m = own};

	TRY(memory_each(own, &f, stale_count, &s));
	if (!s.stale)
		return NULL;
	doctor_note(d, "memories", "%jd %s of files that have changed since", (intmax_t)s.stale,
		    s.stale == 1 ? "memory speaks" : "memories speak");
	doctor_set_remedy(d, "ikm mem list --stale");
	return NULL;
}

/* ---- repair ---- */

static struct err *doctor_move(struct doctor *d, struct doctor_rebuilt *out)
{
	struct db_damaged_rows damaged = {0};
	struct db_txn t DB_TXN = {0};
	struct memory_verified v;

	TRY(db_begin(&t, d->m->db));
	TRY(doctor_verify(d, &v, &damaged));
	VEC_EACH(const struct db_damaged_row, row, &damaged) {
		if (!doctor_can_set_aside_row(row))
			continue;
		TRY(db_row_set_aside(d->m->db, row->table, row->key, row->is,
				     str_c(d->a, row->why)));
		out->moved++;
	}
	return db_commit(&t);
}

static struct err *doctor_mend(struct doctor *d, struct doctor_rebuilt *out)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, d->m->db));
	TRY(event_schema_mend(d->m->db, d->a, &out->mended));
	return db_commit(&t);
}

struct err *doctor_rebuild(struct doctor *d, struct doctor_rebuilt *out)
{
	*out = (struct doctor_rebuilt){0};
	TRY(doctor_mend(d, out));
	TRY(doctor_move(d, out));
	return memory_reindex(d->m, d->a, &out->indexed);
}
