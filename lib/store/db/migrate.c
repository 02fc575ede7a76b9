/* Migrations: SQL, with the additional line "-- copy: A B", which copies a table row by row. */
#include "db/internal.h"
#include "db/migrations.h"
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
		rc = migrate_run(&m, str_of(db_new_store_sql()));
		version = db_schema_version_supported();
	}
	m.progress = progress_start("migrating the store, rows", 0);
	for (; version < db_schema_version_supported() && !rc; version++)
		rc = migrate_one(&m, a, str_of(migrations[version]));
	progress_end(&m.progress);
	return rc ? db_failed(db, rc, "migrate") : NULL;
}
