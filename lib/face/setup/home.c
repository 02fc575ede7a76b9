/* Makes the home and the store in it. */
#include "os/os.h"
#include "setup/setup.h"

static bool setup_home_folder(struct setup *s, const char *home, bool *there)
{
	struct os_stat st;
	struct err *e = os_stat(home, true, &st);

	*there = !e && st.kind != OS_NONE;
	if (!e && st.kind != OS_NONE && st.kind != OS_DIR)
		e = err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", home),
			     "move it away, or set IKIGAI_HOME to another folder");
	if (!e && !*there && !s->dry)
		e = os_mkdirs(home, 0700);
	if (e) {
		setup_fail(s, SETUP_HOME, home, e);
		return false;
	}
	if (!*there) {
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
	bool there;

	if (!home) {
		setup_fail(s, SETUP_HOME, NULL,
			   err_help(err_new(E_NO_HOME, "there is no home folder"),
				    "set HOME, or set IKIGAI_HOME to the folder for ikm"));
		return false;
	}
	if (!setup_home_folder(s, home, &there))
		return false;
	e = os_stat(path, true, &st);
	if (!e && !s->dry)
		e = db_open_for_writing(store);
	if (e) {
		setup_fail(s, SETUP_STORE, path, e);
		return false;
	}
	if (st.kind == OS_NONE)
		setup_add_step(s, SETUP_DONE, SETUP_STORE, path,
			       "the store of memories, assets and events");
	else
		setup_add_step(s, SETUP_FOUND, SETUP_STORE, path,
			       "the store of memories, assets and events");
	return true;
}
