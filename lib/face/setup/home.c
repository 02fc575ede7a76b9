/* Makes the home, the store in it, and the keys of the record of changes. */
#include "event/keys.h"
#include "os/os.h"
#include "setup/setup.h"

static bool setup_home_folder(struct setup *s, const char *home)
{
	struct os_stat st;
	struct err *e = os_stat(home, true, &st);
	bool there = !e && st.kind != OS_NONE;

	if (there && st.kind != OS_DIR)
		e = err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", home),
			     "move it away, or set IKIGAI_HOME to another folder");
	if (!e && !there && !s->dry)
		e = os_mkdirs(home, 0700);
	if (e) {
		setup_fail(s, SETUP_HOME, home, e);
		return false;
	}
	if (!there) {
		setup_add_step(s, SETUP_DONE, SETUP_HOME, home, "the home of ikm, for you alone");
		return true;
	}
	setup_add_step(s, SETUP_FOUND, SETUP_HOME, home, "the home of ikm");
	if (st.mode & 077) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_HOME, home,
			       "others may %s it (mode %04o), and ikm does not change that",
			       st.mode & 022 ? "read or change" : "read",
			       (unsigned)st.mode & 07777);
		setup_set_remedy(s, "chmod 0700 '%s'", home);
	}
	return true;
}

/* Opening it for writing makes the store, or migrates an older one. */
bool setup_home(struct setup *s, struct db *store)
{
	const char *home = os_ikigai_home(s->a), *path = db_path(store);
	struct os_stat st;
	struct err *e;

	if (!home) {
		setup_fail(s, SETUP_HOME, NULL,
			   err_help(err_new(E_NO_HOME, "there is no home folder"),
				    "set HOME, or set IKIGAI_HOME to the folder for ikm"));
		return false;
	}
	if (!setup_home_folder(s, home))
		return false;
	e = os_stat(path, true, &st);
	if (!e && !s->dry)
		e = db_open_for_writing(store);
	if (e) {
		setup_fail(s, SETUP_STORE, path, e);
		return false;
	}
	setup_add_step(s, st.kind == OS_NONE ? SETUP_DONE : SETUP_FOUND, SETUP_STORE, path,
		       "the store of memories, assets and events");
	return true;
}

bool setup_keys(struct setup *s, struct events *log)
{
	const char *folder = os_join(s->a, os_ikigai_home(s->a), "keys");
	struct event_keys_made made = {0};
	struct err *e = s->dry ? event_keys_need(log, s->a) : event_keys_create(log, s->a, &made);
	bool lacks = s->dry && e && err_reason(e) == E_NOT_CONFIGURED;

	if (e && !lacks) {
		setup_fail(s, SETUP_KEYS, folder, e);
	} else if (s->dry) {
		setup_add_step(s, lacks ? SETUP_DONE : SETUP_FOUND, SETUP_KEYS, folder,
			       "the keys of the record of changes");
	} else {
		struct str names = str_join(s->a, &made.made, ", "), older = STR("");

		if (made.covered)
			older = str_fmt(s->a, "; %jd older %s before the first signature",
					(intmax_t)made.covered,
					made.covered == 1 ? "row stands" : "rows stand");
		if (made.made.n)
			setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
				       "%.*s, which protect the record of changes%.*s",
				       STR_ARG(names), STR_ARG(older));
		else if (made.chain_started)
			setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
				       "the record of changes is protected now%.*s",
				       STR_ARG(older));
		else
			setup_add_step(s, SETUP_FOUND, SETUP_KEYS, folder,
				       "the keys of the record of changes, version %jd",
				       (intmax_t)made.key_version);
	}
	return !e || lacks;
}
