/*
 * The schema of the store. Migrations: SQL, with the additional line "-- copy: A B", which copies a
 * table row by row. The comparison of the tables, indexes, views and triggers of the store with
 * those that the migrations make: another program may drop or change them, and then the store
 * refuses statements, or accepts what it should refuse.
 */
#include "db/internal.h"
#include "db/migrations.h"
#include "db/new_store.h" /* the statements that make an empty store as all migrations would */
#include <sqlite3.h>

#define COPY "-- copy: "

struct migration {
	struct db *db;
	struct progress progress;
	uint64_t done;
};

int64_t db_schema_version_supported(void)
{
	return (int64_t)ARRAY_SIZE(migrations);
}

const char *db_sqlite_version(void)
{
	return sqlite3_libversion();
}

static struct err *migrate_read_number(struct db *db, enum db_query query, int64_t *out)
{
	struct db_rows *rows;
	bool more;

	TRY(db_query_start(db, query, &rows, NULL, 0));
	TRY(db_next(rows, &more));
	*out = db_column_int(rows, 0);
	db_reset(rows);
	return NULL;
}

/*
 * In one transaction, because another process may be creating the store. One statement with
 * SQLite's pragma functions would do, but to prepare it takes five times as long.
 */
struct err *db_read_schema_version(struct db *db, int64_t *version, bool *fresh)
{
	const bool alone = sqlite3_get_autocommit(db->h);
	int64_t id = 0, tables = 1;
	struct err *e;

	if (alone)
		TRY(db_run(db, Q_STORE_READ, NULL, 0));
	e = migrate_read_number(db, Q_STORE_APPLICATION, &id);
	if (!e)
		e = migrate_read_number(db, Q_STORE_SCHEMA, version);
	/* Only a file without both numbers may be empty. */
	if (!e && !id && !*version)
		e = migrate_read_number(db, Q_STORE_TABLES, &tables);
	if (alone)
		sqlite3_exec(db->h, db_query_text(Q_STORE_ROLLBACK), NULL, NULL, NULL);
	TRY(e);
	*fresh = !id && !*version && !tables;
	if (!*fresh && id != DB_APPLICATION)
		return db_corrupt(db->path, "it is a database of another program");
	if (*version < 0)
		return db_corrupt(db->path, "its schema has a version below 0");
	if (*version <= db_schema_version_supported())
		return NULL;
	return err_help(err_detail_int(err_new(E_DB_NEWER,
					       "the store '%s' was written by a newer ikm (schema "
					       "%jd; this one knows %jd)",
					       db->path, (intmax_t)*version,
					       (intmax_t)db_schema_version_supported()),
				       "schema", *version),
			"install a newer ikm, or point IKIGAI_HOME to another folder");
}

static int migrate_run(struct migration *m, struct str text)
{
	const char *end = text.p + text.n, *at = text.p;
	sqlite3_stmt *stmt;
	int rc = SQLITE_OK;

	while (at < end && !rc) {
		rc = sqlite3_prepare_v2(m->db->h, at, (int)(end - at), &stmt, &at);
		/* A comment at the end is no statement. */
		if (rc || !stmt)
			return rc;
		while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
			;
		rc = sqlite3_finalize(stmt);
	}
	return rc;
}

static int migrate_one(struct migration *m, struct arena *a, struct str text)
{
	size_t at = 0;
	int rc = SQLITE_OK;

	while (at < text.n && !rc) {
		size_t copy = str_find(text, STR("\n" COPY), at), end = text.n;
		struct db_copy c = {.from = m->db->h,
				    .to = m->db->h,
				    .progress = &m->progress,
				    .done = &m->done};
		struct str line, source;

		if (copy == SIZE_MAX)
			return migrate_run(m, str_sub(text, at, end));
		end = str_find_char(text, '\n', copy + 1);
		rc = migrate_run(m, str_sub(text, at, copy + 1));
		at = end;
		if (rc)
			break;
		/* The arguments of COPY: source and target. */
		line = str_sub(text, copy + strlen("\n" COPY), end);
		str_next_part(&line, ' ', &source);
		c.source = str_c(a, source);
		c.target = c.name = str_c(a, line);
		rc = db_copy_table(&c);
		if (!rc && c.refused)
			db_note_damage(m->db,
				       str_fmt(a,
					       "the migration moved %ju damaged %s of the table "
					       "'%s' aside: 'ikm doctor' lists them",
					       (uintmax_t)c.refused,
					       c.refused == 1 ? "row" : "rows", c.name));
	}
	return rc;
}

struct err *db_migrate(struct db *db, int64_t version)
{
	struct migration m = {.db = db};
	struct arena *a ARENA_LOCAL = arena_new();
	int rc = SQLITE_OK;

	if (!version) {
		rc = migrate_run(&m, str_of(new_store));
		version = db_schema_version_supported();
	}
	m.progress = progress_start("migrating the store, rows", 0);
	for (; version < db_schema_version_supported() && !rc; version++)
		rc = migrate_one(&m, a, str_of(migrations[version]));
	progress_end(&m.progress);
	return rc ? db_failed(db, rc, "migrate") : NULL;
}

/* ---- comparing, and mending ---- */

const char *const db_differs[] = {DB_DIFFERS(ENUM_NAME) NULL};

struct schema_column {
	struct str name, how; /* how: type, default and so on */
};
struct schema_columns VEC(struct schema_column);
struct schema_object {
	struct str type, name, table, sql;
};
struct schema VEC(struct schema_object);

static struct str schema_text(sqlite3_stmt *stmt, struct arena *a, int column)
{
	const char *p = (const char *)sqlite3_column_text(stmt, column);

	return p ? str_dup(a, (struct str){p, (size_t)sqlite3_column_bytes(stmt, column)})
		 : STR("");
}

static int schema_read_columns(sqlite3 *h, struct arena *a, struct str table,
			       struct schema_columns *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(h, db_query_text(Q_SCHEMA_COLUMNS), -1, &stmt, NULL);

	if (!rc)
		rc = sqlite3_bind_text(stmt, 1, table.p, (int)table.n, SQLITE_STATIC);
	while (!rc && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		*VEC_PUSH(a, out) =
			(struct schema_column){schema_text(stmt, a, 0), schema_text(stmt, a, 1)};
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int schema_read(sqlite3 *h, struct arena *a, struct schema *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(h, db_query_text(Q_SCHEMA_OBJECTS), -1, &stmt, NULL);

	while (!rc && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		*VEC_PUSH(a, out) = (struct schema_object){
			.type = schema_text(stmt, a, 0),
			.name = schema_text(stmt, a, 1),
			.table = schema_text(stmt, a, 2),
			.sql = schema_text(stmt, a, 3),
		};
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void schema_of_new_store(struct arena *a, struct schema *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(new_objects); i++)
		*VEC_PUSH(a, out) = (struct schema_object){
			.type = str_of(new_objects[i].type),
			.name = str_of(new_objects[i].name),
			.table = str_of(new_objects[i].table),
			.sql = str_of(new_objects[i].sql),
		};
}

static const struct schema_object *schema_find(const struct schema *s,
					       const struct schema_object *o)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->p[i].type, o->type) && str_eq(s->p[i].name, o->name))
			return &s->p[i];
	return NULL;
}

static const struct schema_column *schema_column(const struct schema_columns *c, struct str name)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->p[i].name, name))
			return &c->p[i];
	return NULL;
}

/* Which columns of a changed table differ. SQLite reads both definitions. */
static struct err *schema_columns_differ(struct db *db, struct arena *a,
					 const struct schema_object *was, struct db_difference *d)
{
	struct db made = {.a = a, .path = ":memory:"};
	struct schema_columns is_columns = {0}, was_columns = {0};
	struct err *e;
	int rc = sqlite3_open_v2(made.path, &made.h, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 NULL);

	if (!rc)
		rc = sqlite3_exec(made.h, str_c(a, was->sql), NULL, NULL, NULL);
	if (!rc)
		rc = schema_read_columns(made.h, a, was->name, &was_columns);
	e = rc ? db_failed(&made, rc, "schema") : NULL;
	sqlite3_close(made.h);
	TRY(e);
	rc = schema_read_columns(db->h, a, was->name, &is_columns);
	if (rc)
		return db_failed(db, rc, "schema");
	for (size_t i = 0; i < was_columns.n; i++) {
		const struct schema_column *c = &was_columns.p[i],
					   *now = schema_column(&is_columns, c->name);

		if (!now)
			strs_push(a, &d->missing, c->name);
		else if (!str_eq(now->how, c->how))
			strs_push(a, &d->changed, c->name);
	}
	for (size_t i = 0; i < is_columns.n; i++)
		if (!schema_column(&was_columns, is_columns.p[i].name))
			strs_push(a, &d->added, is_columns.p[i].name);
	return NULL;
}

struct err *db_schema_compare(struct db *db, struct arena *a, struct db_differences *out)
{
	struct schema is = {0}, was = {0};
	struct db_txn t DB_TXN = {0};
	int rc;

	*out = (struct db_differences){0};
	TRY(db_begin_read(&t, db));
	if (db->mode == EMPTY)
		return NULL;
	schema_of_new_store(a, &was);
	rc = schema_read(db->h, a, &is);
	if (rc)
		return db_failed(db, rc, "schema");
	for (size_t i = 0; i < was.n; i++) {
		const struct schema_object *o = &was.p[i], *now = schema_find(&is, o);
		struct db_difference d = {now ? DB_IS_CHANGED : DB_IS_MISSING,
					  o->type,
					  o->name,
					  o->table,
					  o->sql,
					  now ? now->sql : STR(""),
					  {0},
					  {0},
					  {0}};

		if (now && str_eq(now->sql, o->sql))
			continue;
		if (now && str_is(o->type, "table"))
			TRY(schema_columns_differ(db, a, o, &d));
		*VEC_PUSH(a, out) = d;
	}
	for (size_t i = 0; i < is.n; i++)
		if (!schema_find(&was, &is.p[i]))
			*VEC_PUSH(a, out) = (struct db_difference){
				.how = DB_IS_ADDED,
				.type = is.p[i].type,
				.name = is.p[i].name,
				.table = is.p[i].table,
				.sql = STR(""),
				.now = is.p[i].sql,
			};
	return NULL;
}

struct err *db_schema_mend(struct db *db, const struct db_difference *d)
{
	struct arena *a ARENA_LOCAL = arena_new();
	char *drop = NULL;
	int rc = SQLITE_OK;

	if (!db->depth)
		BUG("db_schema_mend() outside a transaction");
	if (str_is(d->type, "table") && d->how != DB_IS_MISSING)
		BUG("db_schema_mend() of a table that is there");
	db_finish_all(db, db->depth);
	if (d->how != DB_IS_MISSING) {
		enum db_query query = str_is(d->type, "index")  ? Q_SCHEMA_DROP_INDEX
				      : str_is(d->type, "view") ? Q_SCHEMA_DROP_VIEW
								: Q_SCHEMA_DROP_TRIGGER;

		drop = sqlite3_mprintf(db_query_text(query), str_c(a, d->name));
		rc = sqlite3_exec(db->h, drop, NULL, NULL, NULL);
		sqlite3_free(drop);
	}
	if (!rc && d->sql.n)
		rc = sqlite3_exec(db->h, str_c(a, d->sql), NULL, NULL, NULL);
	return rc ? db_failed(db, rc, "mend") : NULL;
}
