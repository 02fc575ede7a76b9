/* Runs statements by name, in transactions. */
#include "os/os.h"
#include "pg/internal.h"
#include "pg/query_text.h"
#include <poll.h>

/* How much longer than its statement_timeout the server may be silent. */
#define PATIENCE_MS 5000

struct clearing {
	const struct libpq *lib;
	PGresult *result;
};

static void query_clear(void *p)
{
	struct clearing *c = p;

	c->lib->PQclear(c->result);
}

struct str pg_cell_str(const struct pg_rows *rows, size_t row, int column)
{
	const struct clearing *c = rows->result;
	struct str s = {NULL, 0};

	if (c->lib->PQgetisnull(c->result, (int)row, column))
		return s;
	s.p = c->lib->PQgetvalue(c->result, (int)row, column);
	s.n = (size_t)c->lib->PQgetlength(c->result, (int)row, column);
	return s;
}

int64_t pg_cell_int(const struct pg_rows *rows, size_t row, int column)
{
	int64_t n = 0;

	return str_int(pg_cell_str(rows, row, column), &n) ? n : 0;
}

bool pg_cell_bool(const struct pg_rows *rows, size_t row, int column)
{
	return str_is(pg_cell_str(rows, row, column), "t");
}

/* ---- errors of the server, by their SQLSTATE (PostgreSQL manual, "Error Codes") ---- */

static const struct {
	const char *state; /* or the beginning of it */
	enum err_reason reason;
	const char *help;
} states[] = {
	{"53300", E_SERVER_BUSY, "the server has no free connection: try again later"},
	{"57P03", E_SERVER_BUSY, "the server is starting or stopping: try again later"},
	{"53100", E_NO_SPACE, "free space on the server's disk; changes wait until then"},
	{"53", E_SERVER_BUSY, "the server lacks memory or another resource: try again later"},
	{"28P01", E_SERVER_REFUSED, "check the password in ~/.pgpass"},
	{"28", E_SERVER_REFUSED, "check the role, and the server's pg_hba.conf"},
	{"3D000", E_SERVER_REFUSED, "check the name of the database"},
	{"42501", E_NOT_ALLOWED,
	 "the service role adds members ('ikm sync member add ROLE') and migrates"},
	{"23505", E_EXISTS, NULL},
	{"42P06", E_EXISTS, NULL},
	{"22008", E_OUT_OF_RANGE, "set the clock of this machine right"},
	{"22", E_BAD_ARGUMENT, NULL},
	{"23", E_BAD_ARGUMENT, NULL},
	{"57014", E_TOOK_TOO_LONG, NULL},
	{"55P03", E_TOOK_TOO_LONG, NULL},
	{"40", E_CHANGED, NULL},
	{"08P01", E_SERVER_FAILED, NULL},
	{"08", E_SERVER_DOWN, NULL},
	{"57P", E_SERVER_DOWN, NULL},
	{"25006", E_READ_ONLY, "the server is a standby, or read-only: name the primary"},
};

bool pg_is_lost(const struct err *e)
{
	return err_reason(e) == E_SERVER_DOWN || err_reason(e) == E_SERVER_BUSY;
}

struct err *pg_state_error(struct str state, const char *what, struct str message)
{
	enum err_reason reason = E_SERVER_FAILED;
	const char *help = NULL;
	struct err *e;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (str_starts(state, str_of(states[i].state))) {
			reason = states[i].reason;
			help = states[i].help;
			break;
		}
	e = err_new(reason, "cannot %s: %.*s", what, STR_ARG(str_trim(message)));
	if (state.n)
		err_add_detail(e, "sqlstate", state);
	return help ? err_help(e, "%s", help) : e;
}

/* ---- waiting for an answer ---- */

/* A server that works ends a statement that takes too long. A frozen server does not. */
static uint64_t query_deadline(const struct pg *pg)
{
	return pg->until ? pg->until
			 : os_ticks() + (uint64_t)(pg->statement_ms + PATIENCE_MS) * 1000000;
}

/* Waits for the server until the deadline, and reads what it sends. False: it is lost. */
static bool query_poll(struct pg *pg, short events, uint64_t end)
{
	struct pollfd p = {.fd = pg->lib->PQsocket(pg->conn), .events = events};
	uint64_t now = os_ticks();
	int ms = pg->statement_ms ? (int)((end - now) / 1000000 + 1) : -1;

	pg->silent = pg->statement_ms && now >= end;
	if (pg->silent)
		return false;
	return poll(&p, 1, ms) <= 0 || !(p.revents & ~POLLOUT) || pg->lib->PQconsumeInput(pg->conn);
}

/* The last answer to what was sent; libpq wants all to be read. NULL: the connection is lost. */
static PGresult *query_last(struct pg *pg)
{
	PGresult *last = NULL, *next;

	for (;;) {
		uint64_t end = query_deadline(pg);

		while (!pg->silent && pg->lib->PQisBusy(pg->conn) && query_poll(pg, POLLIN, end))
			;
		next = pg->silent ? NULL : pg->lib->PQgetResult(pg->conn);
		if (!next)
			break;
		pg->lib->PQclear(last);
		last = next;
		/* COPY waits for rows, and has no more to say before them. */
		if (pg->lib->PQresultStatus(last) == LIBPQ_COPY_IN)
			break;
	}
	pg->sent = NULL;
	return last;
}

/* The error of a statement that failed; it clears the result. */
static struct err *query_lost(struct pg *pg, PGresult *result, const char *what)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *state = NULL, *text = NULL;
	struct err *e;

	if (pg->silent && pg->until) {
		e = err_new(E_SERVER_DOWN, "cannot %s: the time for the server is over", what);
	} else if (pg->silent) {
		e = err_new(E_SERVER_DOWN, "cannot %s: the server has said nothing for %jd ms",
			    what, (intmax_t)(pg->statement_ms + PATIENCE_MS));
	} else {
		if (result) {
			state = pg->lib->PQresultErrorField(result, LIBPQ_FIELD_STATE);
			text = pg->lib->PQresultErrorField(result, LIBPQ_FIELD_MESSAGE);
		}
		/* libpq's own errors have no state: the connection is lost. */
		if (!state)
			state = pg->lib->PQstatus(pg->conn) == LIBPQ_OK ? "" : "08006";
		if (!text)
			text = pg->lib->PQerrorMessage(pg->conn);
		e = pg_state_error(str_of(state), what, str_utf8(a, str_of(text)));
		pg->locked = str_is(str_of(state), "55P03");
	}
	pg->lib->PQclear(result);
	return e;
}

static struct err *query_took(struct pg *pg, struct arena *a, PGresult *result, const char *what,
			      struct pg_rows *rows, int64_t *changed)
{
	int status = result ? pg->lib->PQresultStatus(result) : -1;
	struct clearing *c;

	if (status != LIBPQ_COMMAND_OK && status != LIBPQ_TUPLES_OK)
		return query_lost(pg, result, what);
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

static const char *query_what(struct arena *a, enum pg_query query)
{
	return str_fmt(a, "run '%s' on the server", queries[query].name).p;
}

struct err *pg_ask_args(struct pg *pg, struct arena *a, enum pg_query query, struct pg_rows *rows,
			int64_t *changed, const struct str *args, size_t n)
{
	TRY(pg_send_args(pg, a, query, args, n));
	return query_took(pg, a, query_last(pg), query_what(a, query), rows, changed);
}

/* ---- without waiting ---- */

struct err *pg_send_args(struct pg *pg, struct arena *a, enum pg_query query,
			 const struct str *args, size_t n)
{
	const char **values = arena_array(a, n + 1, sizeof(*values));

	if (pg->sent)
		BUG("%s: there is an answer to read first", queries[query].name);
	/* The first element of args is there only because C has no empty list. */
	for (size_t i = 0; i < n; i++) {
		/* The server would refuse it too, but in the middle of a batch. */
		if (!str_is_text(args[i + 1]))
			return err_new(E_BAD_UTF8,
				       "a value for the server is no UTF-8, or has a NUL "
				       "(parameter %zu)",
				       i + 1);
		values[i] = args[i + 1].p ? str_c(a, args[i + 1]) : NULL;
	}
	if (pg->silent || !pg->lib->PQsendQueryParams(pg->conn, queries[query].text, (int)n, NULL,
						      values, NULL, NULL, 0))
		return query_lost(pg, NULL, query_what(a, query));
	pg->sent = queries[query].name;
	return NULL;
}

void pg_consume_input(struct pg *pg)
{
	/* When the connection is lost, pg_answer() tells. */
	if (pg->sent)
		pg->lib->PQconsumeInput(pg->conn);
}

struct err *pg_answer(struct pg *pg, struct arena *a, struct pg_rows *rows)
{
	const char *what;

	if (!pg->sent)
		BUG("there is no answer to read");
	what = str_fmt(a, "run '%s' on the server", pg->sent).p;
	return query_took(pg, a, query_last(pg), what, rows, NULL);
}

void pg_drop_answer(struct pg *pg)
{
	if (pg->sent)
		pg->lib->PQclear(query_last(pg));
}

struct err *pg_run_script(struct pg *pg, struct arena *a, const char *text, const char *what)
{
	if (pg->silent || !pg->lib->PQsendQuery(pg->conn, text))
		return query_lost(pg, NULL, what);
	return query_took(pg, a, query_last(pg), what, NULL, NULL);
}

/* ---- COPY ---- */

void pg_copy_append_value(struct buf *b, struct str value)
{
	size_t from = 0;

	if (!value.p) {
		buf_puts(b, "\\N");
		return;
	}
	for (size_t i = 0; i < value.n; i++) {
		char c = value.p[i];
		const char *escape = c == '\\'   ? "\\\\"
				     : c == '\n' ? "\\n"
				     : c == '\r' ? "\\r"
				     : c == '\t' ? "\\t"
						 : NULL;

		if (!escape)
			continue;
		buf_put(b, str_sub(value, from, i));
		buf_puts(b, escape);
		from = i + 1;
	}
	buf_put(b, str_sub(value, from, value.n));
}

/* libpq takes at most INT_MAX bytes at once, and needs as much memory. */
#define COPY_PART ((size_t)1 << 20)

/* Sends what libpq keeps. A frozen server would hold libpq's own wait for ever. */
static bool copy_flush(struct pg *pg)
{
	uint64_t end = query_deadline(pg);
	int left;

	while ((left = pg->lib->PQflush(pg->conn)) > 0)
		if (!query_poll(pg, POLLIN | POLLOUT, end))
			return false;
	return left == 0;
}

static bool copy_send(struct pg *pg, struct str rows)
{
	bool sent = true;

	if (pg->lib->PQsetnonblocking(pg->conn, 1))
		return false;
	for (size_t at = 0; sent && at < rows.n; at += COPY_PART) {
		struct str part = str_sub(rows, at, size_min(at + COPY_PART, rows.n));

		sent = pg->lib->PQputCopyData(pg->conn, part.p, (int)part.n) == 1 && copy_flush(pg);
	}
	sent = sent && pg->lib->PQputCopyEnd(pg->conn, NULL) == 1 && copy_flush(pg);
	/* Closing the connection must not wait for a silent server, either. */
	if (!pg->silent)
		pg->lib->PQsetnonblocking(pg->conn, 0);
	return sent;
}

struct err *pg_copy(struct pg *pg, struct arena *a, enum pg_query query, struct str rows)
{
	const char *what = query_what(a, query);
	PGresult *result;

	if (pg->sent)
		BUG("%s: there is an answer to read first", queries[query].name);
	if (pg->silent || !pg->lib->PQsendQuery(pg->conn, queries[query].text))
		return query_lost(pg, NULL, what);
	result = query_last(pg);
	if (!result || pg->lib->PQresultStatus(result) != LIBPQ_COPY_IN)
		return query_lost(pg, result, what);
	pg->lib->PQclear(result);
	/* The server's answer tells why it takes no more. */
	if (!copy_send(pg, rows) && !pg->silent && pg->lib->PQstatus(pg->conn) == LIBPQ_OK)
		pg->lib->PQputCopyEnd(pg->conn, "the client has failed");
	return query_took(pg, a, query_last(pg), what, NULL, NULL);
}

struct err *pg_run_statements(struct pg *pg, struct arena *a, const struct pg_rows *statements,
			      const char *what)
{
	for (size_t i = 0; i < statements->n; i++)
		TRY(pg_run_script(pg, a, pg_cell_str(statements, i, 0).p, what));
	return NULL;
}

static struct err *query_in_transaction(struct pg *pg, struct arena *a,
					struct err *(*fn)(void *ctx), void *ctx, bool keep)
{
	const struct clearing *c;
	struct pg_rows rows;
	struct err *e, *undo;
	bool locked;

	TRY(pg_do(pg, a, PG_BEGIN, NULL));
	pg->locked = false;
	e = fn(ctx);
	if (!e && keep) {
		TRY(pg_ask(pg, a, PG_COMMIT, &rows));
		c = rows.result;
		/* COMMIT rolls a failed transaction back, which is no error to the server. */
		if (!str_is(str_of(pg->lib->PQcmdStatus(c->result)), "COMMIT"))
			BUG("a statement of a transaction failed, and its error was lost");
		return NULL;
	}
	locked = pg->locked;
	pg_drop_answer(pg);
	/* After a lost connection the server rolls back by itself. */
	undo = pg_do(pg, a, PG_ROLLBACK, NULL);
	if (!e)
		return undo;
	/* The help names who has locks. An error of this query does not count. */
	if (locked && !pg_ask(pg, a, PG_HOLDERS, &rows) && pg_cell_str(&rows, 0, 0).n)
		err_help(e,
			 "these roles have locks there: %.*s; an administrator ends a session with "
			 "pg_terminate_backend()",
			 STR_ARG(pg_cell_str(&rows, 0, 0)));
	return e;
}

struct err *pg_transaction_run(struct pg *pg, struct arena *a, struct err *(*fn)(void *ctx),
			       void *ctx)
{
	return query_in_transaction(pg, a, fn, ctx, true);
}

struct err *pg_transaction_dry_run(struct pg *pg, struct arena *a, struct err *(*fn)(void *ctx),
				   void *ctx)
{
	return query_in_transaction(pg, a, fn, ctx, false);
}
