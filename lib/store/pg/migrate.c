/* The schema on the server, and its migrations. */
#include "pg/internal.h"
#include "pg/migrations.h"

int64_t pg_schema_known_version(void)
{
	return (int64_t)ARRAY_SIZE(migrations);
}

static struct err *migrate_newer(int64_t version)
{
	struct err *e = err_new(E_SERVER_NEWER,
				"the server's schema is version %jd; this ikm knows up to %jd",
				(intmax_t)version, (intmax_t)pg_schema_known_version());

	return err_help(e, "install a newer ikm on this machine; nothing was changed");
}

static struct err *migrate_read(struct pg *pg, struct arena *a, struct pg_schema *out)
{
	struct pg_rows rows;

	*out = (struct pg_schema){.version = 0};
	TRY(pg_ask(pg, a, PG_SCHEMA_THERE, &rows));
	if (!pg_cell_bool(&rows, 0, 0))
		return NULL;
	TRY(pg_ask(pg, a, PG_SCHEMA_VERSION, &rows));
	if (!rows.n)
		return NULL;
	out->version = pg_cell_int(&rows, 0, 0);
	out->incarnation = str_dup(a, pg_cell_str(&rows, 0, 1));
	return NULL;
}

struct err *pg_schema_fits(int64_t version)
{
	if (version > pg_schema_known_version())
		return migrate_newer(version);
	if (version == pg_schema_known_version())
		return NULL;
	return err_help(err_new(E_SERVER_OLD,
				version ? "the server's schema is version %jd; this ikm needs %jd"
					: "the server has no schema of ikm (%jd of %jd)",
				(intmax_t)version, (intmax_t)pg_schema_known_version()),
			"as the service role: ikm -c sync.url=postgresql://SERVICE@HOST/DATABASE "
			"sync migrate");
}

struct err *pg_schema_check(struct pg *pg, struct arena *a, struct pg_schema *out)
{
	TRY(migrate_read(pg, a, out));
	return pg_schema_fits(out->version);
}

struct migrating {
	struct pg *pg;
	struct arena *a;
	int64_t from;
	bool first; /* there was no schema */
};

static struct err *migrate_all(void *ctx)
{
	struct migrating *m = ctx;
	struct pg_schema now;
	struct str version = str_fmt(m->a, "%jd", (intmax_t)pg_schema_known_version());

	TRY(migrate_read(m->pg, m->a, &now));
	m->first = !now.version;
	if (!m->first) {
		TRY(pg_do(m->pg, m->a, PG_MIGRATE_LOCK, NULL));
		TRY(migrate_read(m->pg, m->a, &now));
	}
	m->from = now.version;
	if (now.version > pg_schema_known_version())
		return migrate_newer(now.version);
	if (now.version == pg_schema_known_version())
		return NULL;
	if (!now.version) {
		struct pg_rows rows;
		struct str role;

		TRY(pg_ask(m->pg, m->a, PG_MAY_CREATE, &rows));
		role = pg_cell_str(&rows, 0, 2);
		if (!pg_cell_bool(&rows, 0, 0))
			return err_help(err_new(E_NOT_ALLOWED,
						"the role '%.*s' may not make a schema",
						STR_ARG(role)),
					"as an administrator of the server: grant create on "
					"database \"%.*s\" to \"%.*s\"",
					STR_ARG(pg_cell_str(&rows, 0, 1)), STR_ARG(role));
	}
	for (int64_t i = now.version; i < pg_schema_known_version(); i++)
		TRY(pg_run_script(m->pg, m->a, migrations[i], "migrate the server's schema"));
	return pg_do(m->pg, m->a, now.version ? PG_SCHEMA_SET : PG_SCHEMA_FIRST, NULL, version);
}

struct err *pg_migrate(struct pg *pg, struct arena *a, int64_t *from)
{
	struct migrating m = {.pg = pg, .a = a};
	struct err *e = pg_transaction_run(pg, a, migrate_all, &m);

	/* Another one has made the schema meanwhile. */
	if (e && m.first && err_reason(e) == E_EXISTS)
		e = pg_transaction_run(pg, a, migrate_all, &m);
	TRY(e);
	*from = m.from;
	return NULL;
}

struct err *pg_schema_make_temporary(struct pg *pg, struct arena *a)
{
	const char *what = "make a copy of the schema";
	struct pg_rows rows;

	for (int64_t i = 0; i < pg_schema_known_version(); i++) {
		TRY(pg_ask(pg, a, PG_DOCTOR_COPY, &rows, str_of(migrations[i])));
		TRY(pg_run_statements(pg, a, &rows, what));
	}
	TRY(pg_ask(pg, a, PG_DOCTOR_COPY_GRANTS, &rows));
	return pg_run_statements(pg, a, &rows, what);
}
