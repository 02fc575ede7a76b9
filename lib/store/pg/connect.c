/* Connects: the parameters, the wait, the retries. */
#include "conf/conf.h"
#include "os/os.h"
#include "pg/internal.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/auxv.h>

#define LIBRARY "libpq.so.5"

static struct libpq libpq_functions;
static const char *libpq_why; /* why it cannot be used */
static pthread_once_t libpq_once = PTHREAD_ONCE_INIT;

/* ISO C has no conversion between pointers to objects and to functions; POSIX has. */
static void libpq_find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	if (!found)
		libpq_why = name;
	memcpy(function, &found, sizeof(found));
}

bool pg_is_possible(void)
{
	return getauxval(AT_BASE) != 0;
}

static void libpq_open(void)
{
	void *library;

	if (!pg_is_possible()) {
		libpq_why = "this ikm is a static program, which cannot load libraries";
		return;
	}
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		libpq_why = dlerror();
		return;
	}
#define LIBPQ_FIND(type, name, args) libpq_find(library, #name, &libpq_functions.name);
	LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
}

/* The first wait between two attempts; each is twice the one before, with half of it random. */
#define WAIT_MS      ((unsigned)100)
#define WAIT_MOST_MS ((unsigned)5000)

/* ---- the parameters ---- */

static struct str conninfo_get(const PQconninfoOption *options, const char *key)
{
	for (; options->keyword; options++)
		if (str_is(str_of(options->keyword), key))
			return str_of(options->val);
	return STR("");
}

struct conninfo {
	struct str host, sslmode;
	bool password, service;
};

static struct err *conninfo_read(const struct libpq *lib, struct arena *a, struct str url,
				 struct conninfo *out)
{
	char *why = NULL;
	PQconninfoOption *options;

	*out = (struct conninfo){.password = false};
	if (str_has_nul(url) || !(options = lib->PQconninfoParse(str_c(a, url), &why))) {
		/* The text may have a password. */
		lib->PQfreemem(why);
		return err_help(err_new(E_BAD_CONFIG, "sync.url is no URL of a PostgreSQL server"),
				"write it as postgresql://ROLE@HOST/DATABASE");
	}
	out->host = str_dup(a, conninfo_get(options, "host"));
	if (conninfo_get(options, "hostaddr").n)
		out->host = str_dup(a, conninfo_get(options, "hostaddr"));
	out->sslmode = str_dup(a, conninfo_get(options, "sslmode"));
	out->password = conninfo_get(options, "password").n != 0 ||
			conninfo_get(options, "sslpassword").n != 0;
	out->service = conninfo_get(options, "service").n != 0;
	lib->PQconninfoFree(options);
	if (!out->password)
		return NULL;
	return err_help(err_new(E_NOT_ALLOWED, "sync.url has a password, which lists of processes "
					       "and settings would show"),
			CONF_PASSWORD_HELP);
}

/* Whether the server must prove its name. */
static bool conninfo_verifies(const struct conninfo *info)
{
	static const char *const local[] = {"localhost", "127.0.0.1", "::1", NULL};
	struct str hosts = info->host, host;

	if (info->sslmode.n || os_env("PGSSLMODE"))
		return false;
	if (!hosts.n)
		hosts = str_of(os_env("PGHOSTADDR") ? os_env("PGHOSTADDR") : os_env("PGHOST"));
	if (info->service || os_env("PGSERVICE"))
		return true;
	while (str_next_part(&hosts, ',', &host))
		if (host.n && host.p[0] != '/' && host.p[0] != '@' && !str_is_any(host, local))
			return true;
	return false;
}

/* ---- one attempt ---- */

/* FATAL:  53300: sorry, too many clients already */
static struct str connect_state(struct str message)
{
	for (size_t at = str_find_char(message, ':', 0); at != SIZE_MAX;
	     at = str_find_char(message, ':', at + 1)) {
		struct str state = str_sub(message, at + 3, at + 8);
		bool is = state.n == 5 && at + 8 < message.n && message.p[at + 1] == ' ' &&
			  message.p[at + 2] == ' ' && message.p[at + 8] == ':';

		for (size_t i = 0; i < state.n && is; i++)
			is = ascii_is_digit(state.p[i]) || ascii_is_upper(state.p[i]);
		if (is)
			return state;
	}
	return STR("");
}

/* What libpq and OpenSSL say when the server's proof of its name fails. Trying again is no use. */
static const struct {
	const char *text, *help;
} connect_proofs[] = {
	{"does not match host name",
	 "write the name that the certificate has as the host of sync.url; hostaddr=ADDRESS says "
	 "where that is"},
	{"root certificate file",
	 "get the certificate of the authority that signed the server's, and put it into "
	 "~/.postgresql/root.crt, or name it in sync.url: sslrootcert=FILE"},
	{"certificate verify failed",
	 "sslrootcert (else ~/.postgresql/root.crt) must have the certificate of the authority "
	 "that signed the server's; ask its administrator. If it has, somebody else may be "
	 "answering"},
	{"certificate",
	 "check the files of certificates that sync.url, PGSSL* and ~/.postgresql name"},
	{"private key",
	 "check the files of certificates that sync.url, PGSSL* and ~/.postgresql name"},
	{"does not support SSL",
	 "the administrator turns TLS on at the server (ssl = on); only sslmode=disable in "
	 "sync.url goes on without, and others can read what is sent"},
};

static struct err *connect_failed(const struct libpq *lib, struct arena *a, PGconn *conn)
{
	struct str message = str_utf8(a, str_dup(a, str_of(lib->PQerrorMessage(conn))));
	struct str state = connect_state(message), all = message, line;
	bool needs = lib->PQconnectionNeedsPassword(conn);
	struct err *e;

	/* The other lines have the place in the server's sources. */
	str_next_line(&message, &line);
	if (needs)
		return err_help(err_new(E_NOT_CONFIGURED, "the server wants a password: %.*s",
					STR_ARG(line)),
				CONF_PASSWORD_HELP);
	for (size_t i = 0; !state.n && i < ARRAY_SIZE(connect_proofs); i++)
		if (str_holds(all, connect_proofs[i].text))
			return err_help(err_new(E_SERVER_REFUSED,
						"cannot connect to the server: %.*s",
						STR_ARG(line)),
					"%s", connect_proofs[i].help);
	e = pg_state_error(state.n ? state : STR("08001"), "connect to the server", line);
	if (!state.n)
		err_help(e, "is it running, and is sync.url right? Changes wait until it is there");
	return e;
}

static struct err *connect_wait(const struct libpq *lib, PGconn *conn, int64_t ms)
{
	uint64_t end = os_ticks() + (uint64_t)ms * 1000000;
	int step = LIBPQ_POLL_WRITING;

	while (step != LIBPQ_POLL_OK) {
		struct pollfd p = {.fd = lib->PQsocket(conn),
				   .events = step == LIBPQ_POLL_READING ? POLLIN : POLLOUT};
		uint64_t now = os_ticks();
		int rc;

		if (step == LIBPQ_POLL_FAILED)
			return NULL;
		rc = now < end ? poll(&p, 1, (int)((end - now) / 1000000 + 1)) : 0;
		if (rc < 0 && errno == EINTR)
			continue;
		if (!rc)
			return err_help(err_new(E_TOOK_TOO_LONG,
						"the server did not answer within %jd ms",
						(intmax_t)ms),
					"is sync.url right? The setting sync.timeout allows more");
		step = lib->PQconnectPoll(conn);
	}
	return NULL;
}

static void connect_close(void *p)
{
	struct pg *pg = p;

	pg->lib->PQfinish(pg->conn);
}

/* Notices of the server are for its administrators. */
static void connect_notice(void *arg, const PGresult *result)
{
	(void)arg;
	(void)result;
}

static struct err *connect_once(struct arena *a, const struct libpq *lib, const struct pg_server *s,
				const struct conninfo *info, struct pg **out)
{
	/* Later ones win, so the URL may say otherwise. */
	const char *keys[] = {"application_name",
			      "keepalives_idle",
			      "tcp_user_timeout",
			      "client_encoding",
			      "sslmode",
			      "dbname",
			      NULL};
	const char *values[] = {"ikm", "30", NULL, "UTF8", NULL, NULL, NULL};
	uint64_t until = os_ticks() + (uint64_t)s->total_ms * 1000000;
	PGconn *conn;
	struct err *e;

	values[2] = str_fmt(a, "%jd", (intmax_t)s->statement_ms).p;
	values[4] = conninfo_verifies(info) ? "verify-full" : NULL;
	values[5] = s->url.n ? str_c(a, s->url) : NULL;
	conn = lib->PQconnectStartParams(keys, values, s->url.n != 0);
	if (!conn)
		BUG("libpq has no memory");
	/* So that the message of a refused connection has its SQLSTATE. */
	lib->PQsetErrorVerbosity(conn, LIBPQ_VERBOSE);
	lib->PQsetNoticeReceiver(conn, connect_notice, NULL);
	e = lib->PQstatus(conn) == LIBPQ_BAD ? NULL : connect_wait(lib, conn, s->connect_ms);
	if (!e && lib->PQstatus(conn) != LIBPQ_OK)
		e = connect_failed(lib, a, conn);
	if (e) {
		lib->PQfinish(conn);
		return e;
	}
	*out = ARENA_NEW(a, struct pg);
	**out = (struct pg){.lib = lib,
			    .conn = conn,
			    .statement_ms = s->statement_ms,
			    .until = s->total_ms ? until : 0};
	(*out)->shown = str_fmt(a, "'%s' in the database '%s'", lib->PQuser(conn), lib->PQdb(conn));
	arena_defer(a, connect_close, *out);
	return NULL;
}

/* ---- all attempts ---- */

/* Machines that lost the same server must not come back all at once. */
void pg_pause(unsigned try)
{
	unsigned ms = WAIT_MS;
	uint32_t random;

	while (--try && ms < WAIT_MOST_MS)
		ms *= 2;
	ms = ms > WAIT_MOST_MS ? WAIT_MOST_MS : ms;
	os_random(&random, sizeof(random));
	os_sleep(ms / 2 + random % (ms / 2 + 1));
}

struct err *pg_open(struct arena *a, const struct pg_server *s, struct pg **out)
{
	static const char *const names[] = {"PGSERVICE", "PGHOST", "PGHOSTADDR", "PGDATABASE"};
	struct str statement = str_fmt(a, "%jd", (intmax_t)s->statement_ms);
	/* Shorter, so that a wait for a lock does not look like slow work. */
	struct str lock = str_fmt(a, "%jd", (intmax_t)(s->statement_ms - s->statement_ms / 10));
	struct conninfo info = {.password = false};
	const struct libpq *lib = &libpq_functions;
	bool named = s->url.n != 0;
	struct err *e;

	os_critical_check_wait("the server");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		named = named || os_env(names[i]);
	if (!named) {
		e = err_new(E_NOT_CONFIGURED, "no server is configured");
		err_help(e, "name it: ikm config set sync.url postgresql://ROLE@HOST/DATABASE");
		err_help(e, CONF_PASSWORD_HELP);
		return err_help(e, "name your organisation: ikm config set sync.tenant NAME");
	}
	pthread_once(&libpq_once, libpq_open);
	if (libpq_why)
		return err_help(err_new(E_NO_LIBRARY, "libpq is needed to talk to the server: %s",
					libpq_why),
				"install it: apt-get install libpq5");
	if (s->url.n)
		TRY(conninfo_read(lib, a, s->url, &info));
	for (unsigned try = 1;; try++) {
		e = connect_once(a, lib, s, &info, out);
		if (!e)
			break;
		if (try >= s->tries || !err_retryable(e))
			return e;
		pg_pause(try);
	}
	return pg_do(*out, a, PG_QUIET, NULL, statement, lock);
}

struct str pg_role_and_database(const struct pg *pg)
{
	return pg->shown;
}
