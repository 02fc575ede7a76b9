/* internal: declarations for the files of lib/store/pg only. */
#pragma once

#include "pg/pg.h"

/*
 * The functions of libpq that ikm calls, with the types of libpq.so.5, whose interface has kept
 * them since 2006: a row has the result, the name and the parameters. So ikm is built without
 * the header of libpq, and t/memory/1010-sync-server.t runs it against the library itself.
 */
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct _PQconninfoOption {
	char *keyword, *envvar, *compiled, *val, *label, *dispchar;
	int dispsize;
} PQconninfoOption;
typedef void (*PQnoticeReceiver)(void *arg, const PGresult *res);
/* clang-format off */
#define LIBPQ_FUNCTIONS(X)                                                                         \
	X(PGconn *, PQconnectStartParams, (const char *const *keys, const char *const *vals, int)) \
	X(int, PQconnectPoll, (PGconn *))                                                          \
	X(int, PQstatus, (const PGconn *))                                                         \
	X(int, PQsocket, (const PGconn *))                                                         \
	X(int, PQsetErrorVerbosity, (PGconn *, int))                                               \
	X(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *, PQnoticeReceiver, void *))             \
	X(int, PQconnectionNeedsPassword, (const PGconn *))                                        \
	X(char *, PQerrorMessage, (const PGconn *))                                                \
	X(void, PQfinish, (PGconn *))                                                              \
	X(char *, PQuser, (const PGconn *))                                                        \
	X(char *, PQdb, (const PGconn *))                                                          \
	X(int, PQsendQuery, (PGconn *, const char *))                                              \
	X(int, PQsendQueryParams, (PGconn *, const char *, int, const unsigned *,                  \
				   const char *const *, const int *, const int *, int))            \
	X(int, PQconsumeInput, (PGconn *))                                                         \
	X(int, PQisBusy, (PGconn *))                                                               \
	X(int, PQsetnonblocking, (PGconn *, int))                                                  \
	X(int, PQflush, (PGconn *))                                                                \
	X(char *, PQcmdStatus, (PGresult *))                                                       \
	X(int, PQresultStatus, (const PGresult *))                                                 \
	X(char *, PQresultErrorField, (const PGresult *, int))                                     \
	X(char *, PQresultErrorMessage, (const PGresult *))                                        \
	X(int, PQntuples, (const PGresult *))                                                      \
	X(char *, PQgetvalue, (const PGresult *, int, int))                                        \
	X(int, PQgetlength, (const PGresult *, int, int))                                          \
	X(int, PQgetisnull, (const PGresult *, int, int))                                          \
	X(char *, PQcmdTuples, (PGresult *))                                                       \
	X(int, PQputCopyData, (PGconn *, const char *, int))                                       \
	X(int, PQputCopyEnd, (PGconn *, const char *))                                             \
	X(PGresult *, PQgetResult, (PGconn *))                                                     \
	X(void, PQclear, (PGresult *))                                                             \
	X(PQconninfoOption *, PQconninfoParse, (const char *, char **))                            \
	X(void, PQconninfoFree, (PQconninfoOption *))                                              \
	X(void, PQfreemem, (void *))
/* clang-format on */
struct libpq {
#define LIBPQ_POINTER(type, name, args) type(*name) args;
	LIBPQ_FUNCTIONS(LIBPQ_POINTER)
#undef LIBPQ_POINTER
};
enum { LIBPQ_OK, LIBPQ_BAD }; /* ConnStatusType */
enum { LIBPQ_POLL_FAILED, LIBPQ_POLL_READING, LIBPQ_POLL_WRITING, LIBPQ_POLL_OK };
enum { LIBPQ_COMMAND_OK = 1, LIBPQ_TUPLES_OK = 2, LIBPQ_COPY_IN = 4 }; /* ExecStatusType */
enum { LIBPQ_VERBOSE = 2 };                                            /* PGVerbosity */
enum { LIBPQ_FIELD_STATE = 'C', LIBPQ_FIELD_MESSAGE = 'M', LIBPQ_FIELD_DETAIL = 'D' };

struct pg {
	const struct libpq *lib;
	PGconn *conn;
	struct str shown;     /* for messages */
	int64_t statement_ms; /* 0: a statement may take as long as it wants */
	uint64_t until;       /* in os_ticks(): no answer is waited for after it; 0: no limit */
	/* The statement whose answer nobody has read yet, for messages; or NULL. */
	const char *sent;
	bool locked; /* the last statement that failed waited for a lock */
	bool silent; /* the server did not answer in time: nothing is asked any more */
};

/* The error of a five-character SQLSTATE. what: "connect to …", "run …". */
struct err *pg_state_error(struct str state, const char *what, struct str message);
/* Runs a text that may have several statements, without parameters. */
struct err *pg_run_script(struct pg *pg, struct arena *a, const char *text,
			  const char *what) MUST_USE;
