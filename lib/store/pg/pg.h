/*
 * pg: one connection to a PostgreSQL server, over libpq. libpq is loaded when the first connection
 * is made and not before, so ikm starts as fast without it, and runs where it is not installed. No
 * other module uses libpq. Statements are in sql/postgres-query.sql, migrations in sql/postgres/.
 *
 * A connection belongs to one thread.
 */
#pragma once

#include "base/base.h"
#include "pg/query.h" /* generated from sql/postgres-query.sql: enum pg_query, PG_BEGIN and so on */

struct pg;

/* Where the server is, and how long it may take. */
struct pg_server {
	struct str url;       /* postgresql://… or key=value …; empty: PG* and files of libpq */
	int64_t connect_ms;   /* for one attempt to connect */
	int64_t statement_ms; /* for one statement */
	int64_t total_ms;     /* for all that is done with the connection; 0: no limit */
	unsigned tries;       /* attempts to connect, with growing and random waits; 0: one */
};

/*
 * Connects. A server that is not on this machine must prove its name (sslmode verify-full), unless
 * the URL or PGSSLMODE says otherwise. The arena closes the connection. Errors: NOT_CONFIGURED when
 * no server is named, or a password is missing; BAD_CONFIG; NOT_ALLOWED for a URL with a password,
 * which lists of processes and settings would show; NO_LIBRARY without libpq; SERVER_DOWN and
 * SERVER_BUSY after the last attempt; SERVER_REFUSED; TOOK_TOO_LONG. A server that says nothing for
 * statement_ms and some seconds more counts as lost: the statement, and all after it, get
 * SERVER_DOWN.
 */
struct err *pg_open(struct arena *a, const struct pg_server *s, struct pg **out) MUST_USE;
/* Waits after the attempt of that number, from 1: each time longer, and half of it at random. */
void pg_pause(unsigned try);
/* Whether the connection was lost, or the server has none to give: another attempt may succeed. */
bool pg_is_lost(const struct err *e);
/* The role and the database, for messages: "'ada' in the database 'ikm'". */
struct str pg_role_and_database(const struct pg *pg);

/* The rows of an answer, all in memory; text of the server. Freed with the arena of the call. */
struct pg_rows {
	void *result;
	size_t n;
};
struct str pg_cell_str(const struct pg_rows *rows, size_t row, int column);
int64_t pg_cell_int(const struct pg_rows *rows, size_t row, int column);
bool pg_cell_bool(const struct pg_rows *rows, size_t row, int column);

/*
 * Runs a named statement. Parameters are text; one with p NULL is null. rows may be NULL. *changed
 * (may be NULL): number of rows. Errors: BAD_UTF8 for a parameter that is no UTF-8 or has a NUL,
 * before anything is sent; NOT_ALLOWED when the role may not; EXISTS for a key that is there;
 * NO_SPACE, TOOK_TOO_LONG, SERVER_BUSY, SERVER_DOWN (the connection is lost), SERVER_FAILED.
 */
#define pg_ask(pg, a, query, rows, ...)                                                            \
	pg_ask_args(pg, a, query, rows, NULL, (const struct str[]){{0}, ##__VA_ARGS__},            \
		    sizeof((const struct str[]){{0}, ##__VA_ARGS__}) / sizeof(struct str) - 1)
#define pg_do(pg, a, query, changed, ...)                                                          \
	pg_ask_args(pg, a, query, NULL, changed, (const struct str[]){{0}, ##__VA_ARGS__},         \
		    sizeof((const struct str[]){{0}, ##__VA_ARGS__}) / sizeof(struct str) - 1)
struct err *pg_ask_args(struct pg *pg, struct arena *a, enum pg_query query, struct pg_rows *rows,
			int64_t *changed, const struct str *args, size_t n) MUST_USE;
/*
 * pg_ask() in two steps: the server works while the caller does something else, and nothing else
 * is asked between them. The caller calls pg_consume_input() now and then, which does not wait:
 * without it the server stops when the buffers of the connection are full. Errors: as pg_ask(); a
 * lost connection may show in either step.
 */
#define pg_send(pg, a, query, ...)                                                                 \
	pg_send_args(pg, a, query, (const struct str[]){{0}, ##__VA_ARGS__},                       \
		     sizeof((const struct str[]){{0}, ##__VA_ARGS__}) / sizeof(struct str) - 1)
struct err *pg_send_args(struct pg *pg, struct arena *a, enum pg_query query,
			 const struct str *args, size_t n) MUST_USE;
void pg_consume_input(struct pg *pg);
/* The rows are freed with that arena. */
struct err *pg_answer(struct pg *pg, struct arena *a, struct pg_rows *rows) MUST_USE;
/* Instead of pg_answer(), after an error of the caller's own. pg_transaction_run() does it before
 * it undoes.
 */
void pg_drop_answer(struct pg *pg);
/*
 * Copies rows into a table: the statement is "copy … from stdin". rows: in COPY's text format, each
 * with a newline; pg_copy_append_value() writes a value. Errors: as pg_do(); a value that the
 * server refuses is BAD_ARGUMENT or OUT_OF_RANGE.
 */
struct err *pg_copy(struct pg *pg, struct arena *a, enum pg_query query, struct str rows) MUST_USE;
/* Appends a value of a row; p NULL is null. The caller writes tabs and newlines between values. */
void pg_copy_append_value(struct buf *b, struct str value);
/* Runs statements that the server made with quote_ident(), one after another; what: for errors. */
struct err *pg_run_statements(struct pg *pg, struct arena *a, const struct pg_rows *statements,
			      const char *what) MUST_USE;

/*
 * Runs fn in one transaction: committed when fn succeeds, else rolled back. An error of the commit
 * leaves it open whether it was committed.
 */
struct err *pg_transaction_run(struct pg *pg, struct arena *a, struct err *(*fn)(void *ctx),
			       void *ctx) MUST_USE;
/* The same, and rolls back in any case. */
struct err *pg_transaction_dry_run(struct pg *pg, struct arena *a, struct err *(*fn)(void *ctx),
				   void *ctx) MUST_USE;

/* ---- the schema ---- */

/* The version of the schema that this ikm knows. */
int64_t pg_schema_known_version(void);
struct pg_schema {
	int64_t version;        /* 0: there is none */
	struct str incarnation; /* another one after the schema was made anew */
};
/*
 * The server's schema, for a member: SERVER_OLD when it is older than this ikm's or missing,
 * SERVER_NEWER when it is newer. Both say what to do.
 */
struct err *pg_schema_check(struct pg *pg, struct arena *a, struct pg_schema *out) MUST_USE;
/* The same for a version that a statement has read along with something else. */
struct err *pg_schema_fits(int64_t version) MUST_USE;
/*
 * Brings the schema up to date, in one transaction and under a lock; from: the version before. Call
 * it with the service role. Errors: NOT_ALLOWED says what to grant; SERVER_NEWER.
 */
struct err *pg_migrate(struct pg *pg, struct arena *a, int64_t *from) MUST_USE;
/*
 * Makes the tables and functions of this ikm's schema again, as temporary ones, with the rights
 * that a member has given to the role pg_monitor. Call it within pg_transaction_dry_run(): to
 * compare with the schema.
 */
struct err *pg_schema_make_temporary(struct pg *pg, struct arena *a) MUST_USE;

/* A static program has no loader, so it has no libpq: what it loads would bring a second libc. */
bool pg_is_possible(void);
