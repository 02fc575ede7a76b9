/* Checks the home: its permissions, leftover files, and its file system. */
#include "backup/backup.h"
#include "doctor/doctor.h"
#include "event/keys.h"
#include "os/os.h"
#include <sys/vfs.h>
#include <unistd.h>

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
		doctor_set_remedy(d, "make room: df -h '%s'; df -i '%s'", d->home, d->home);
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
		doctor_set_remedy(d, "point IKIGAI_HOME to a folder on a local file system");
	}
}

/* Reports a file or folder of the home that other users may read or write. */
static void home_private(struct doctor *d, const char *path, uint32_t want)
{
	struct os_stat st;

	if (os_stat(path, true, &st) || st.kind == OS_NONE || !(st.mode & 077))
		return;
	doctor_problem(d, "home", "others may %s '%s' (mode %04o)",
		       st.mode & 022 ? "read or change" : "read", path, (unsigned)st.mode & 07777);
	doctor_set_remedy(d, "chmod %04o '%s'", (unsigned)want, path);
}

/* A key that is short or no key makes each garden write fail. Nothing here prints its content. */
static void home_keys(struct doctor *d)
{
	const struct events log = {.db = d->m->db};
	const char *keys = os_join(d->a, d->home, "keys");
	struct strs names = {0};
	struct os_stat st;

	if (os_stat(keys, true, &st) || st.kind != OS_DIR)
		return;
	home_private(d, keys, 0700);
	if (os_list(d->a, keys, &names))
		return;
	for (size_t i = 0; i < names.n; i++) {
		const char *name = str_c(d->a, names.p[i]);
		size_t before = d->problems;
		struct err *e;

		home_private(d, os_join(d->a, keys, name), 0600);
		if (st.mode & 077 || d->problems > before || !str_ends(names.p[i], STR(".key")))
			continue;
		e = event_key_check(&log, d->a, name);
		if (e)
			doctor_error(d, "home", e);
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

		if (!os_stat(path, true, &st) && st.kind == OS_FILE && (open.n || st.mode & 077))
			strs_push(d->a, &open, str_fmt(d->a, "'%s'", path));
	}
	if (!open.n)
		return;
	doctor_problem(d, "home", "others may read or change %.*s",
		       STR_ARG(str_join(d->a, &open, ", ")));
	doctor_set_remedy(d, "chmod 0600 %.*s", STR_ARG(str_join(d->a, &open, " ")));
}

/* A folder above the home is shut. */
static void home_above(struct doctor *d)
{
	const char *own = os_home_of(d->a, os_uid());
	size_t slash = 0;

	while ((slash = str_find_char(str_of(d->home), '/', slash + 1)) != SIZE_MAX) {
		const char *path = str_c(d->a, str_sub(str_of(d->home), 0, slash));
		struct os_stat st;

		if (!access(path, X_OK) || os_stat(path, true, &st))
			continue;
		doctor_problem(d, "home",
			       "you cannot search '%s', which has the home: it belongs to %.*s and "
			       "has the mode %04o",
			       path, STR_ARG(os_user_of_uid(d->a, st.uid)), (unsigned)st.mode);
		if (st.uid == os_uid())
			doctor_set_remedy(d, "chmod u+x '%s'", path);
		else if (own && !access(own, X_OK))
			doctor_set_remedy(
				d, "use your own home: export HOME='%s'; unset IKIGAI_HOME", own);
		else
			doctor_set_remedy(d, "point IKIGAI_HOME to a folder of your own");
		return;
	}
	doctor_problem(d, "home", "'%s' cannot be looked at", d->home);
}

/* Whether it is missing, or of the kind that it must be. */
static bool home_kind(struct doctor *d, const char *name, enum os_kind want)
{
	const char *path = *name ? os_join(d->a, d->home, name) : d->home;
	struct os_stat st, is;

	if (os_stat(path, true, &st) || os_stat(path, false, &is)) {
		home_above(d);
		return false;
	}
	if (is.kind == OS_NONE || st.kind == want)
		return true;
	if (st.kind == OS_NONE) {
		doctor_problem(d, "home", "'%s' is a link to nothing", path);
		doctor_set_remedy(d, "make or mount what it leads to, or remove the link: rm '%s'",
				  path);
	} else {
		doctor_problem(d, "home", "'%s' is not a %s", path,
			       want == OS_DIR ? "folder" : "regular file");
		doctor_set_remedy(d, "move it away: mv '%s' '%s.old'", path, path);
	}
	return false;
}

bool doctor_home(struct doctor *d)
{
	const char *restored = backup_restoring(d->a, d->home);
	struct os_stat st;
	bool good;

	if (!os_stat(restored, false, &st) && st.kind == OS_DIR) {
		doctor_note(d, "files", "'%s' is what a killed restore left", restored);
		doctor_set_remedy(d, "if you do not restore again: rm -r '%s'", restored);
	}
	if (!home_kind(d, "", OS_DIR) || os_stat(d->home, true, &st))
		return false;
	if (st.kind == OS_NONE) {
		doctor_note(d, "home",
			    "'%s' does not exist yet; the first command that writes creates it",
			    d->home);
		return true;
	}
	home_place(d);
	if (!doctor_check_access(d, "home", d->home))
		return false;
	/* Each file, so that a person mends all at once. */
	good = home_kind(d, "config.json", OS_FILE);
	good &= home_kind(d, "keys", OS_DIR);
	good &= home_kind(d, "ikm.db", OS_FILE);
	if (!good)
		return false;
	home_private(d, d->home, 0700);
	home_store(d);
	home_keys(d);
	return true;
}
