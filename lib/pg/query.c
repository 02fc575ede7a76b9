/* Runs statements by name, in transactions. */
#include "pg/internal.h"
#include "pg/query_text.h"

struct clearing {
	const struct libpq *lib;
	PGresult *result;
};

static void query_clear(void *p)
{
	struct clearing *c = p;

	c->lib->PQclear(c->result);
}

struct str pg_str(const struct pg_rows *rows, size_t row, int column)
{
	const struct clearing *c = rows->result;
	struct str s = {NULL, 0};

	if (c->lib->PQgetisnull(c->result, (int)row, column))
		return s;
	s.p = c->lib->PQgetvalue(c->result, (int)row, column);
	s.n = (size_t)c->lib->PQgetlength(c->result, (int)row, column);
	return s;
}

int64_t pg_int(const struct pg_rows *rows, size_t row, int column)
{
	int64_t n = 0;

	return str_int(pg_str(rows, row, column), &n) ? n : 0;
}

bool pg_bool(const struct pg_rows *rows, size_t row, int column)
{
	return str_is(pg_str(rows, row, column), "t");
}

/* The server would refuse it too, but in the middle of a batch. */
static struct err *query_check(struct str s, size_t number)
{
	if (str_is_text(s))
		return NULL;
	return err_new(E_BAD_UTF8,
		       "a value for the server is no UTF-8, or has a NUL (parameter %zu)", number);
}

static struct err *query_took(struct pg *pg, struct arena *a, PGresult *result, const char *what,
			      struct pg_rows *rows, int64_t *changed)
{
	int status = result ? pg->lib->PQresultStatus(result) : -1;
	struct clearing *c;

	if (status != LIBPQ_COMMAND_OK && status != LIBPQ_TUPLES_OK)
		return pg_failed(pg, result, what);
	c = ARENA_NEW(a, struct clearing);
	*c = (struct clearing){pg->lib, result};
	arena_defer(a, query_clear, c);
	if (rows)
		*rows = (struct pg_rows){c, (size_t)pg->lib->PQntuples(result)};
	if (changed)
		*changed = 0;
	if (changed && !str_int(str_of(pg->lib->PQcmdTuples(result)), changed))
		*changed = 0;
	return NULL;
}

struct err *pg_ask_args(struct pg *pg, struct arena *a, enum pg_query query, struct pg_rows *rows,
			int64_t *changed, const struct str *args, size_t n)
{
	const char **values = arena_array(a, n + 1, sizeof(*values));
	const char *what;

	/* The first element is there only because C has no empty list. */
	for (size_t i = 0; i < n; i++) {
		TRY(query_check(args[i + 1], i + 1));
		values[i] = args[i + 1].p ? str_c(a, args[i + 1]) : NULL;
	}
	what = str_fmt(a, "run '%s' on the server", queries[query].name).p;
	return query_took(pg, a,
			  pg->lib->PQexecParams(pg->conn, queries[query].text, (int)n, NULL, values,
						NULL, NULL, 0),
			  what, rows, changed);
}

struct err *pg_run_rows(struct pg *pg, struct arena *a, const struct pg_rows *statements)
{
	for (size_t i = 0; i < statements->n; i++)
		TRY(query_took(pg, a, pg->lib->PQexec(pg->conn, pg_str(statements, i, 0).p),
			       "change what a role may", NULL, NULL));
	return NULL;
}

struct err *pg_write(struct pg *pg, struct arena *a, struct err *(*fn)(void *ctx), void *ctx)
{
	struct err *e, *undo;

	TRY(pg_do(pg, a, PG_BEGIN, NULL));
	e = fn(ctx);
	if (!e)
		return pg_do(pg, a, PG_COMMIT, NULL);
	/* After a lost connection the server rolls back by itself. */
	undo = pg_do(pg, a, PG_ROLLBACK, NULL);
	(void)undo;
	return e;
}
