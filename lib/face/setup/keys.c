/* Makes the keys of the record of changes. */
#include "event/keys.h"
#include "os/os.h"
#include "setup/setup.h"

static void setup_keys_tell(struct setup *s, const char *folder, const struct event_keys_made *made)
{
	struct str names = str_join(s->a, &made->made, ", "), older = STR("");

	if (made->covered)
		older = str_fmt(s->a, "; %jd older %s before the first signature",
				(intmax_t)made->covered,
				made->covered == 1 ? "row stands" : "rows stand");
	if (made->made.n)
		setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
			       "%.*s, which protect the record of changes%.*s", STR_ARG(names),
			       STR_ARG(older));
	else if (made->chain_started)
		setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
			       "the record of changes is protected now%.*s", STR_ARG(older));
	else
		setup_add_step(s, SETUP_FOUND, SETUP_KEYS, folder,
			       "the keys of the record of changes, version %jd",
			       (intmax_t)made->key_version);
}

bool setup_keys(struct setup *s, struct events *log)
{
	const char *folder = os_join(s->a, os_ikigai_home(s->a), "keys");
	struct event_keys_made made;
	struct err *e = s->dry ? event_keys_need(log, s->a) : event_keys_create(log, s->a, &made);
	bool lacks = s->dry && e && err_reason(e) == E_NOT_CONFIGURED;

	if (lacks)
		setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
			       "the keys of the record of changes");
	else if (e)
		setup_fail(s, SETUP_KEYS, folder, e);
	else if (s->dry)
		setup_add_step(s, SETUP_FOUND, SETUP_KEYS, folder,
			       "the keys of the record of changes");
	else
		setup_keys_tell(s, folder, &made);
	return !e || lacks;
}
