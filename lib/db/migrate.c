/* Migrations: SQL, with the additional line "-- copy: A B", which copies a table row by row. */
#include "db/copy.h"
#include "db/internal.h"
#include "db/migrations.h"
#include <sqlite3.h>

#define COPY "-- copy: "

struct migration {
	struct db *db;
	struct progress progress;
	uint64_t done;
};

int64_t db_schema(void)
{
	return (int64_t)ARRAY_SIZE(migrations);
}

const char *db_sqlite(void)
{
	return sqlite3_libversion();
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

/* The arguments of COPY: source and target. */
static int migrate_copy(struct migration *m, struct arena *a, struct str line)
{
	struct str source;
	struct db_copy c = {
		.from = m->db->h, .to = m->db->h, .progress = &m->progress, .done = &m->done};
	int rc;

	str_split(&line, ' ', &source);
	c.source = str_c(a, source);
	c.target = c.name = str_c(a, line);
	rc = db_copy_table(&c);
	if (!rc && c.refused)
		db_note_damage(m->db,
			       str_fmt(a,
				       "the migration moved %ju damaged %s of the table '%s' "
				       "aside: 'ikm doctor' lists them",
				       (uintmax_t)c.refused, c.refused == 1 ? "row" : "rows",
				       c.name));
	return rc;
}

static int migrate_one(struct migration *m, struct arena *a, struct str text)
{
	size_t at = 0;
	int rc = SQLITE_OK;

	while (at < text.n && !rc) {
		size_t copy = str_find(text, STR("\n" COPY), at), end = text.n;

		if (copy == SIZE_MAX)
			return migrate_run(m, str_sub(text, at, end));
		end = str_find_char(text, '\n', copy + 1);
		rc = migrate_run(m, str_sub(text, at, copy + 1));
		if (!rc)
			rc = migrate_copy(m, a, str_sub(text, copy + strlen("\n" COPY), end));
		at = end;
	}
	return rc;
}

struct err *db_migrate(struct db *db, int64_t version)
{
	struct migration m = {.db = db};
	struct arena *a = arena_new();
	int rc = SQLITE_OK;

	if (!version) {
		rc = migrate_run(&m, str_of(db_new_store()));
		version = db_schema();
	}
	progress_start(&m.progress, "migrating the store, rows", 0);
	for (; version < db_schema() && !rc; version++)
		rc = migrate_one(&m, a, str_of(migrations[version]));
	progress_end(&m.progress);
	arena_free(a);
	return rc ? db_failed(db, rc, "migrate") : NULL;
}
