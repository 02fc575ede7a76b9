/* Collects the findings, checks the home and the garden, and salvages the store. */
#include "doctor/doctor.h"
#include "backup/backup.h"
#include "event/keys.h"
#include "git/git.h"
#include "os/os.h"
#include "saga/saga.h"
#include "tree/tree.h"
#include <errno.h>
#include <sys/vfs.h>
#include <unistd.h>

#define HOME_FREE_LEAST  ((uint64_t)4 << 20)
#define HOME_FILES_LEAST 64

const char *const doctor_levels[] = {DOCTOR_LEVELS(ENUM_NAME) NULL};

/* ---- findings ---- */

void doctor_say(struct doctor *d, enum doctor_level level, const char *area, const char *fmt, ...)
{
	struct buf b = buf_in(d->a);

	BUF_ARGS(&b, fmt);
	*VEC_PUSH(d->a, d) = (struct doctor_finding){.level = level,
						     .area = area,
						     .what = str_utf8(d->a, buf_as_str(&b)),
						     .step = STR("")};
	d->problems += level == DOCTOR_PROBLEM;
}

void doctor_set_remedy(struct doctor *d, const char *fmt, ...)
{
	struct buf b = buf_in(d->a);

	BUF_ARGS(&b, fmt);
	d->p[d->n - 1].step = str_utf8(d->a, buf_as_str(&b));
}

/* Errors send people to doctor, who are here already. */
void doctor_error(struct doctor *d, const char *area, const struct err *e)
{
	const struct val *help = val_get(err_envelope(d->a, e), "help");
	struct strs steps = {0};

	VAL_EACH(val_get(help, "steps"), step)
		if (!str_starts(step->s, STR("'ikm doctor'")))
			strs_push(d->a, &steps, step->s);
	doctor_problem(d, area, "%s", err_message(e));
	doctor_set_remedy(d, "%.*s", STR_ARG(str_join(d->a, &steps, "; ")));
}

/* ---- what the user cannot use ---- */

struct shut {
	struct doctor *d;
	const char *top;
	const char *first; /* the first file or folder that is shut, or NULL */
	struct os_stat st; /* of first */
	size_t n;
	int errnum; /* why first is shut */
};

/* Whether the user can use it; *errnum says why not. Git and ikm replace most files. */
static bool shut_is(struct shut *s, const char *path, struct str name, const struct os_stat *st)
{
	static const char *const written[] = {"config.json", "ikm.db", "ikm.db-wal", "ikm.db-shm",
					      NULL};
	int mode = st->kind == OS_DIR ? R_OK | W_OK | X_OK : R_OK;

	if (!access(path, str_is_any(name, written) ? mode | W_OK : mode))
		return false;
	/* A foreign owner matters more than a mode: one command gives everything back. */
	if (!s->n++ || (st->uid != os_uid() && s->st.uid == os_uid())) {
		s->first = str_c(s->d->a, str_dup(s->d->a, str_of(path)));
		s->st = *st;
		s->errnum = errno;
	}
	return true;
}

/* What a process of ikm that was killed leaves, and what a salvage keeps. */
static void shut_leftover(struct doctor *d, const char *path, struct str name, bool folder)
{
	struct str below = str_of(path + strlen(d->home));
	bool killed = backup_is_leftover(str_sub(below, str_starts(below, STR("/")), below.n));

	if (str_is(name, "ikm.db.salvaged")) {
		doctor_problem(d, "files", "'%s': a salvage was interrupted before its last step",
			       path);
		doctor_set_remedy(d, "ikm doctor --salvage");
	} else if (killed || str_starts(name, STR("ikm.db.damaged-"))) {
		doctor_note(d, "files", "'%s' is a %s", path,
			    killed ? "temporary file of a process that runs or was killed"
				   : "copy of the store from before a salvage");
		doctor_set_remedy(d, "%s: rm %s'%s'",
				  killed ? "when no ikm runs" : "when you no longer need it",
				  folder ? "-r " : "", path);
	}
}

static void shut_look(struct shut *s, struct arena *a, const char *path, struct str name)
{
	struct strs names = {0};
	struct os_stat st;

	if (os_stat(path, path == s->top, &st) || (st.kind != OS_FILE && st.kind != OS_DIR))
		return;
	/* The garden, which may be in the home, is looked at again. */
	if (s->top == s->d->home)
		shut_leftover(s->d, path, name, st.kind == OS_DIR);
	if (shut_is(s, path, name, &st) || st.kind != OS_DIR || os_list(a, path, &names))
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct arena *each ARENA_LOCAL = arena_new();

		shut_look(s, each, os_join(each, path, str_c(each, names.p[i])), names.p[i]);
	}
}

/*
 * Whether the user may use the folder and all files in it. False: the finding names the first one
 * that is shut, its owner and mode, and one command that opens all of them.
 */
static bool doctor_check_access(struct doctor *d, const char *area, const char *top)
{
	struct shut s = {.d = d, .top = top};
	struct str more = STR(""), user = os_user_of_uid(d->a, os_uid());
	uint32_t own; /* the bits of the mode that its owner needs */

	shut_look(&s, d->a, top, STR(""));
	if (!s.n)
		return true;
	if (s.n > 1)
		more = str_fmt(d->a, "; so it is with %zu more", s.n - 1);
	if (s.errnum == EROFS) {
		doctor_problem(d, area, "the file system of '%s' is read-only", top);
		doctor_set_remedy(d, "sudo mount -o remount,rw \"$(stat -c %%m '%s')\"", top);
		return true;
	}
	doctor_problem(d, area, "you cannot use '%s': it belongs to %.*s and has the mode %04o%.*s",
		       s.first, STR_ARG(os_user_of_uid(d->a, s.st.uid)), (unsigned)s.st.mode,
		       STR_ARG(more));
	own = s.st.kind == OS_DIR ? 0700 : 0600;
	if (s.st.uid != os_uid() && (s.st.mode & own) == own)
		doctor_set_remedy(d, "sudo chown -R %.*s '%s'", STR_ARG(user), top);
	else if (s.st.uid != os_uid())
		doctor_set_remedy(d, "sudo chown -R %.*s '%s' && chmod -R u+rwX '%s'",
				  STR_ARG(user), top, top);
	else if (s.n > 1 || s.st.kind == OS_DIR)
		doctor_set_remedy(d, "chmod -R u+rwX '%s'", s.n > 1 ? top : s.first);
	else
		doctor_set_remedy(d, "chmod u+rw '%s'", s.first);
	return false;
}

/* ---- the home: its permissions, leftover files, and its file system ---- */

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

/* st: what path leads to. */
static void doctor_wrong_kind(struct doctor *d, const char *area, const char *path,
			      const struct os_stat *st, const char *want)
{
	if (st->kind == OS_NONE) {
		doctor_problem(d, area, "'%s' is a link to nothing", path);
		doctor_set_remedy(d, "make or mount what it leads to, or remove the link: rm '%s'",
				  path);
	} else {
		doctor_problem(d, area, "'%s' is not a %s", path, want);
		doctor_set_remedy(d, "move it away: mv '%s' '%s.old'", path, path);
	}
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
	doctor_wrong_kind(d, "home", path, &st, want == OS_DIR ? "folder" : "regular file");
	return false;
}

/* False: the home is shut, which is said with the way out, so nothing in it can be looked at. */
static bool doctor_home(struct doctor *d)
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

/* ---- the garden: its folder, its repository, and who may read it ---- */

static struct err *garden_read_file(void *tree, const struct tree_file *f)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str text;

	return f->kind == TREE_SUBMODULE ? NULL : tree_read(tree, a, f, SIZE_MAX, &text);
}

/* A commit may name objects that were lost: every later commit would keep them. */
static void garden_head(struct doctor *d, struct git *g, const char *path)
{
	struct tree *head = NULL;
	struct err *e = git_tree_head(g, &head);
	struct os_stat st;

	if (!e)
		e = tree_foreach(head, git_prefix(g), garden_read_file, head);
	if (!e)
		return;
	doctor_problem(d, "garden", "HEAD of '%s' cannot be read: %s", path, err_message(e));
	/* The .git of a larger repository is not ours to set aside. */
	if (os_stat(os_join(d->a, path, ".git"), false, &st) || st.kind != OS_DIR)
		doctor_set_remedy(
			d,
			"put the objects back from a copy of the repository; to see which: git "
			"-C '%s' fsck",
			path);
	else
		doctor_set_remedy(
			d,
			"put the objects back from a copy of the repository; without one, begin "
			"a new one of the files: mv '%s/.git' '%s.git.broken' && ikm init "
			"--home-only",
			path, path);
}

/* What a git leaves that is killed: nothing that needs the lock works, not even git init. */
bool doctor_check_locks(struct doctor *d, const char *area, const char *git)
{
	size_t before = d->problems;
	struct strs names = {0};

	if (os_list(d->a, git, &names))
		return false;
	for (size_t i = 0; i < names.n; i++) {
		if (!str_ends(names.p[i], STR(".lock")))
			continue;
		doctor_problem(
			d, area,
			"'%s/%.*s' exists: git or another program writes there, or was killed", git,
			STR_ARG(names.p[i]));
		doctor_set_remedy(d, "when no program writes there any more: rm '%s/%.*s'", git,
				  STR_ARG(names.p[i]));
	}
	return d->problems > before;
}

static void garden_repository(struct doctor *d, const char *path)
{
	struct tree *index;
	const char *real;
	struct git *g;
	struct err *e = os_realpath(d->a, path, &real);

	if (doctor_check_locks(d, "garden", os_join(d->a, path, ".git")))
		return;
	if (!e)
		e = git_open(d->a, real, &g);
	if (e && err_reason(e) == E_GIT_FAILED)
		err_help(e,
			 "mend that file, or begin it anew: mv '%s/.git/config' "
			 "'%s/.git/config.broken' && git init '%s'",
			 path, path, path);
	if (e && err_reason(e) == E_NO_REPOSITORY) {
		doctor_problem(d, "garden", "'%s' is in no Git repository", path);
		doctor_set_remedy(d, "ikm init --home-only");
	} else if (e) {
		doctor_error(d, "garden", e);
	} else if (git_is_bare(g)) {
		doctor_problem(d, "garden",
			       "'%s' is in a bare repository, which has no working tree", path);
		doctor_set_remedy(d, "name another folder: ikm config set garden.path DIR");
	} else {
		garden_head(d, g, path);
		e = git_tree_index(g, &index);
		if (e) {
			doctor_problem(d, "garden", "%s", err_message(e));
			doctor_set_remedy(
				d, "make it anew from HEAD: rm '%s/index' && git -C '%s' reset",
				git_dir(g), path);
		}
	}
}

/* What a garden write leaves: no event that waits. */
static void garden_record(struct doctor *d, const char *path)
{
	struct events log = {.db = d->m->db};
	struct event_list list = {0};
	const char *real;
	struct err *e = os_realpath(d->a, path, &real);

	if (!e)
		e = event_unsettled(&log, d->a, str_of(real), &list);
	if (e || !list.n)
		return; /* the checks of the store tell an error */
	doctor_note(d, "garden", "%zu %s of the garden %s not settled, the first one of '%.*s'",
		    list.n, list.n == 1 ? "change" : "changes", list.n == 1 ? "is" : "are",
		    STR_ARG(list.p[0].path));
	doctor_set_remedy(d, "ikm events reconcile");
}

/* What commits and copies say of the record. Their own faults are told elsewhere. */
static void garden_proof(struct doctor *d, const char *path)
{
	struct events log = {.db = d->m->db};
	struct saga s = {.a = d->a, .top = path, .log = &log};
	struct saga_proof proof;
	int64_t n;

	if (saga_verify_commits(&s, d->a, &proof) || !proof.count[SAGA_CONTRADICTED])
		return;
	n = proof.count[SAGA_CONTRADICTED];
	doctor_note(d, "garden",
		    "%jd event%s of the garden %s a commit or a history copy that is gone or says "
		    "something else",
		    (intmax_t)n, PLURAL(n), n == 1 ? "has" : "have");
	doctor_set_remedy(d, "ikm events verify");
}

static void doctor_garden(struct doctor *d)
{
	const char *path = conf_garden_folder(d->a, d->conf);
	struct os_stat st, is = {.kind = OS_NONE};
	struct err *e;

	if (!path)
		return;
	e = os_stat(path, true, &st);
	if (e) {
		doctor_problem(d, "garden", "%s", err_message(e));
	} else if (st.kind == OS_NONE && !os_stat(path, false, &is) && is.kind != OS_NONE) {
		doctor_wrong_kind(d, "garden", path, &st, "folder");
	} else if (st.kind == OS_NONE && d->conf->garden_path.n) {
		/* Without the setting: many people use no garden. */
		doctor_problem(d, "garden", "garden.path names '%s', which does not exist", path);
		doctor_set_remedy(d, "make it: ikm init --home-only");
	} else if (st.kind != OS_NONE && st.kind != OS_DIR) {
		doctor_wrong_kind(d, "garden", path, &st, "folder");
	}
	if (e || st.kind != OS_DIR)
		return;
	d->garden = true;
	if (!doctor_check_access(d, "garden", path))
		return;
	if (st.mode & 022) {
		doctor_problem(d, "garden", "others may change '%s' (mode %04o)", path,
			       (unsigned)st.mode & 07777);
		doctor_set_remedy(d, "chmod 0700 '%s'", path);
	}
	garden_repository(d, path);
	garden_record(d, path);
	garden_proof(d, path);
}

/* ---- all checks ---- */

struct err *doctor_check_all(struct doctor *d)
{
	if (!d->home)
		return err_new(E_NO_HOME, "there is no home folder");
	if (!doctor_home(d)) {
		size_t kept = 0;

		/* Drops the problems of the settings, whose cause is told otherwise. */
		for (size_t i = 0; i < d->n; i++)
			if (strcmp(d->p[i].area, "settings") != 0)
				d->p[kept++] = d->p[i];
			else
				d->problems--;
		d->n = kept;
		doctor_note(d, "store",
			    "the settings, the garden and the store are checked when the home can "
			    "be used");
		return NULL;
	}
	doctor_garden(d);
	return doctor_store(d);
}

/* ---- salvage ---- */

static struct err *doctor_copy_rows(void *ctx, struct db *fresh)
{
	struct doctor *d = ctx;
	struct memories m = *d->m;
	struct arena *a ARENA_LOCAL = arena_new();
	int64_t indexed;

	m.db = fresh;
	m.words = NULL;
	m.vectors = NULL;
	return memory_reindex(&m, a, &indexed);
}

struct err *doctor_salvage(struct doctor *d, struct db_salvaged *out)
{
	return db_salvage(d->a, db_path(d->m->db), doctor_copy_rows, d, out);
}
