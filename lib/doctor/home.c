/* Checks the home: its permissions, leftover files, and its file system. */
#include "doctor/doctor.h"
#include "event/keys.h"
#include "os/os.h"
#include <sys/vfs.h>
#include <unistd.h>

#define KEY_FILE_MAX     ((size_t)4096)
#define HOME_FREE_LEAST  ((uint64_t)4 << 20)
#define HOME_FILES_LEAST 64

/* File systems that several machines share. SQLite's locks and shared memory do not work on
 * them. */
static const struct {
	uint32_t magic;
	const char *name;
	bool certain; /* false: it may also be a local one */
} network[] = {{0x6969, "NFS", true},      {0xFF534D42, "CIFS", true}, {0xFE534D42, "SMB", true},
	       {0x517B, "SMB", true},      {0x01021997, "9P", true},   {0x5346414F, "AFS", true},
	       {0x73757245, "Coda", true}, {0x00C36400, "Ceph", true}, {0x65735546, "FUSE", false}};

static void home_place(struct doctor *d)
{
	struct statfs fs;

	if (statfs(d->home, &fs))
		return;
	if ((uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < HOME_FREE_LEAST ||
	    (fs.f_files && fs.f_ffree < HOME_FILES_LEAST)) {
		doctor_problem(d, "home",
			       "the file system of '%s' is full: %ju KiB and %ju files are free",
			       d->home, (uintmax_t)fs.f_bavail * (uintmax_t)fs.f_bsize / 1024,
			       (uintmax_t)fs.f_ffree);
		doctor_step(d, "make room: df -h '%s'; df -i '%s'", d->home, d->home);
	}
	for (size_t i = 0; i < ARRAY_SIZE(network); i++) {
		if ((uint32_t)fs.f_type != network[i].magic)
			continue;
		if (network[i].certain)
			doctor_problem(d, "home",
				       "'%s' is on a network file system (%s): the store may "
				       "be damaged when two machines use it",
				       d->home, network[i].name);
		else
			doctor_note(d, "home",
				    "'%s' is on a file system of kind %s: the store needs a file "
				    "system that no other machine uses",
				    d->home, network[i].name);
		doctor_step(d, "point IKIGAI_HOME to a folder on a local file system");
	}
}

/* Reports a file or folder of the home that other users may read or write. */
static void home_private(struct doctor *d, const char *path, uint32_t want)
{
	struct os_stat st;
	uint32_t open;

	if (os_stat(path, true, &st) || st.kind == OS_NONE)
		return;
	open = st.mode & 077;
	if (!open)
		return;
	doctor_problem(d, "home", "others may %s '%s' (mode %04o)",
		       open & 022 ? "read or change" : "read", path, (unsigned)st.mode & 07777);
	doctor_step(d, "chmod %04o '%s'", (unsigned)want, path);
}

/* A key that is short or no key makes each garden write fail. Nothing here prints its content. */
static void home_key(struct doctor *d, const char *path)
{
	unsigned char key[HMAC_BYTES];
	struct os_stat st;
	struct str text;
	bool good;

	home_private(d, path, 0600);
	if (!str_ends(str_of(path), STR(".key")) || os_stat(path, false, &st))
		return;
	if (st.kind != OS_FILE || os_read(d->a, path, KEY_FILE_MAX, &text)) {
		doctor_problem(d, "home", "the key '%s' cannot be read", path);
		return;
	}
	good = event_key_read(text, key);
	crypt_wipe(key, sizeof(key));
	if (good)
		return;
	doctor_problem(d, "home",
		       "'%s' is no key: it must have 64 hexadecimal digits, and has %zu bytes",
		       path, text.n);
	doctor_step(d, "take it from a backup; without one see 'ikm events rotate-key --help'");
}

static void home_keys(struct doctor *d)
{
	const char *keys = os_join(d->a, d->home, "keys");
	struct strs names = {0};
	struct os_stat st;

	if (os_stat(keys, true, &st) || st.kind != OS_DIR)
		return;
	home_private(d, keys, 0700);
	if (os_list(d->a, keys, &names)) {
		doctor_problem(d, "home", "the folder '%s' cannot be read", keys);
		doctor_step(d, "chmod 0700 '%s'", keys);
		return;
	}
	for (size_t i = 0; i < names.n; i++)
		home_key(d, os_join(d->a, keys, str_c(d->a, names.p[i])));
}

static void home_leftover(struct doctor *d, struct str name)
{
	const char *path = os_join(d->a, d->home, str_c(d->a, name));

	if (str_starts(name, STR(".ikm-tmp-")) || str_starts(name, STR("ikm.db.salvage-new"))) {
		doctor_note(d, "files", "'%s' is a temporary file of a process that was killed",
			    path);
		doctor_step(d, "rm '%s'", path);
	} else if (str_is(name, "ikm.db.salvaged")) {
		doctor_problem(d, "files", "'%s': a salvage was interrupted before its last step",
			       path);
		doctor_step(d, "ikm doctor --salvage");
	} else if (str_starts(name, STR("ikm.db.damaged-"))) {
		doctor_note(d, "files", "'%s' is a copy of the store from before a salvage", path);
		doctor_step(d, "when you no longer need it: rm '%s'", path);
	}
}

/* SQLite gives the files beside the store the mode of the store, so one command repairs all. */
static void home_store(struct doctor *d)
{
	static const char *const files[] = {"ikm.db", "ikm.db-wal", "ikm.db-shm"};
	struct strs open = {0};
	struct os_stat st;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = os_join(d->a, d->home, files[i]);

		if (os_stat(path, true, &st) || st.kind != OS_FILE)
			continue;
		if (open.n || st.mode & 077)
			strs_push(d->a, &open, str_fmt(d->a, "'%s'", path));
		if (!access(path, R_OK | W_OK))
			continue;
		doctor_problem(d, "home", "you cannot read and write '%s'", path);
		doctor_step(d, "chmod u+rw '%s'", path);
	}
	if (!open.n)
		return;
	doctor_problem(d, "home", "others may read or change %.*s",
		       STR_ARG(str_join(d->a, &open, ", ")));
	doctor_step(d, "chmod 0600 %.*s", STR_ARG(str_join(d->a, &open, " ")));
}

/* After one command as another user, mostly by sudo. False: something is shut. */
static bool home_is_own(struct doctor *d)
{
	static const char *const names[] = {"",       "config.json", "keys",
					    "ikm.db", "ikm.db-wal",  "ikm.db-shm"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *path = names[i][0] ? os_join(d->a, d->home, names[i]) : d->home;
		struct os_stat st;

		if (os_stat(path, true, &st) || st.kind == OS_NONE || st.uid == geteuid() ||
		    !access(path, R_OK | W_OK))
			continue;
		doctor_problem(d, "home", "'%s' belongs to the user %u, and you are the user %u",
			       path, (unsigned)st.uid, (unsigned)geteuid());
		doctor_step(d, "sudo chown -R %u '%s'", (unsigned)geteuid(), d->home);
		return false;
	}
	return true;
}

bool doctor_home(struct doctor *d)
{
	struct strs names = {0};
	struct os_stat st, is;

	if (os_stat(d->home, true, &st) || os_stat(d->home, false, &is)) {
		doctor_problem(d, "home", "'%s' cannot be read", d->home);
		return true;
	}
	if (is.kind != OS_NONE && st.kind != OS_DIR) {
		doctor_problem(d, "home", "'%s' is %s", d->home,
			       st.kind == OS_NONE ? "a link to nothing" : "not a folder");
		doctor_step(d,
			    st.kind == OS_NONE
				    ? "make or mount what it leads to, or remove the link: rm '%s'"
				    : "move it away: mv '%s' '%s.old'",
			    d->home, d->home);
		return false;
	}
	if (st.kind == OS_NONE) {
		doctor_note(d, "home",
			    "'%s' does not exist yet; the first command that writes creates it",
			    d->home);
		return true;
	}
	if (!home_is_own(d))
		return false;
	home_private(d, d->home, 0700);
	if (access(d->home, R_OK | W_OK | X_OK)) {
		doctor_problem(d, "home", "you cannot write to '%s'", d->home);
		doctor_step(d, "chmod u+rwx '%s', or point IKIGAI_HOME to another folder", d->home);
	}
	home_store(d);
	home_keys(d);
	home_place(d);
	if (os_list(d->a, d->home, &names))
		return true;
	for (size_t i = 0; i < names.n; i++)
		home_leftover(d, names.p[i]);
	return true;
}
