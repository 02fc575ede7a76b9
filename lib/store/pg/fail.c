/* Errors of the server, by their SQLSTATE (PostgreSQL manual, "Error Codes"). */
#include "pg/internal.h"

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

struct err *pg_failed(struct pg *pg, PGresult *result, const char *what)
{
	const char *state = result ? pg->lib->PQresultErrorField(result, LIBPQ_FIELD_STATE) : NULL;
	const char *text = result ? pg->lib->PQresultErrorField(result, LIBPQ_FIELD_MESSAGE) : NULL;
	struct arena *a ARENA_LOCAL = arena_new();
	struct err *e;

	/* libpq's own errors have no state: the connection is lost. */
	if (!state)
		state = pg->lib->PQstatus(pg->conn) == LIBPQ_OK ? "" : "08006";
	if (!text)
		text = pg->lib->PQerrorMessage(pg->conn);
	e = pg_state_error(str_of(state), what, str_utf8(a, str_of(text)));
	pg->locked = str_is(str_of(state), "55P03");
	if (result)
		pg->lib->PQclear(result);
	return e;
}
