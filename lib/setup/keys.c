/* Makes the keys of the record of changes. */
#include "event/keys.h"
#include "setup/setup.h"

static void setup_keys_tell(struct setup *s, const struct event_keys_made *made)
{
	struct str names = str_join(s->a, &made->made, ", ");

	if (made->made.n)
		setup_say(s, SETUP_DONE, SETUP_KEYS, made->folder, "%.*s, for you alone",
			  STR_ARG(names));
	else
		setup_say(s, SETUP_FOUND, SETUP_KEYS, made->folder, "version %jd is in use",
			  (intmax_t)made->key_version);
	if (made->chain_started && made->covered)
		setup_say(s, SETUP_DONE, SETUP_KEYS, NULL,
			  "the record of changes is protected from now on; %jd older %s stand "
			  "before the first signature",
			  (intmax_t)made->covered, made->covered == 1 ? "row" : "rows");
	else if (made->chain_started)
		setup_say(s, SETUP_DONE, SETUP_KEYS, NULL,
			  "the record of changes is protected from its beginning");
}

bool setup_keys(struct setup *s, struct events *log)
{
	struct event_keys_made made;
	struct err *e;

	if (!s->dry) {
		e = event_keys_create(log, s->a, &made);
		if (e)
			setup_fail(s, SETUP_KEYS, NULL, e);
		else
			setup_keys_tell(s, &made);
		return !e;
	}
	e = event_keys_need(log, s->a);
	if (!e)
		setup_say(s, SETUP_FOUND, SETUP_KEYS, NULL, "the keys of the record of changes");
	else if (err_reason(e) == E_NOT_CONFIGURED)
		setup_say(s, SETUP_DONE, SETUP_KEYS, NULL,
			  "the keys of the record of changes, for you alone");
	else
		setup_fail(s, SETUP_KEYS, NULL, e);
	return !e || err_reason(e) == E_NOT_CONFIGURED;
}
