/* Writing: old content or new content, whatever fails and wherever it is killed. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#define MIB   ((size_t)1 << 20)
#define STALE ".ikm-tmp-0123456789abcdef"

static struct str content(struct arena *a, const char *path)
{
	struct str s = STR("(none)");

	if (os_read_path(a, path, MIB, &s))
		s = STR("(none)");
	return s;
}

/* The contents of a folder in one line. */
static struct str names(struct arena *a, const char *path)
{
	struct strs v;

	if (os_list(a, path, &v))
		return STR("(none)");
	return str_join(a, &v, " ");
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

static void plain(struct arena *a)
{
	mkdir("p", 0755);
	works(os_write("p/f", STR("a\0b"), 0), "a new file");
	is_str(content(a, "p/f"), STR("a\0b"), "has it all");
	is_int(mode_of("p/f"), 0644, "and the usual mode");
	works(os_write("p/f", STR(""), 0), "replaced by nothing");
	is_str(content(a, "p/f"), STR(""), "is empty");
	works(os_write("p/x", STR("#!"), OS_EXECUTABLE), "an executable");
	is_int(mode_of("p/x"), 0755, "is one");
	ok(!chmod("p/f", 0640) && !chmod("p/x", 06711), "other modes");
	works(os_write("p/f", STR("1"), OS_EXECUTABLE), "replaced");
	works(os_write("p/x", STR("2"), 0), "both");
	is_int(mode_of("p/f"), 0640, "a mode is kept");
	is_int(mode_of("p/x"), 0711, "but setuid and setgid");
	is_str(names(a, "p"), STR("f x"), "nothing else is there");
	ok(!chdir("p"), "in that folder");
	works(os_write("f", STR("here"), 0), "a bare name");
	ok(!chdir(".."), "and back");
	is_str(content(a, "p/f"), STR("here"), "is in the current folder");
}

static void refusals(struct arena *a)
{
	char longname[300];
	struct err *e;

	memset(longname, 'n', sizeof(longname) - 1);
	longname[sizeof(longname) - 1] = 0;
	mkdir("r", 0755);
	mkfifo("r/fifo", 0644);
	mkdir("r/dir", 0755);
	dir_put("r/one", "old");
	ok(!link("r/one", "r/two") && !symlink("loop", "r/loop"), "links");
	fails(os_write("r/fifo", STR("x"), 0), E_NOT_A_FILE, "a FIFO");
	fails(os_write("/dev/null", STR("x"), 0), E_NOT_A_FILE, "a device");
	fails(os_write("r/dir", STR("x"), 0), E_NOT_A_FILE, "a folder");
	fails(os_write("r/dir/", STR("x"), 0), E_NOT_A_FILE, "with a slash");
	fails(os_write("r/..", STR("x"), 0), E_NOT_A_FILE, "the one above");
	fails(os_write("", STR("x"), 0), E_BAD_PATH, "nothing");
	fails(os_write("", STR("x"), OS_PARENTS), E_BAD_PATH, "nothing with parents");
	fails(os_write("none/f", STR("x"), 0), E_FILE_NOT_FOUND, "no such folder");
	fails(os_write("r/one/f", STR("x"), 0), E_FILE_NOT_FOUND, "a file is no folder");
	fails(os_write("r/loop", STR("x"), 0), E_BAD_PATH, "a loop of links");
	fails(os_write(longname, STR("x"), 0), E_BAD_PATH, "a name that is too long");
	fails(os_write("r/one", STR("x"), OS_EXCLUSIVE), E_EXISTS, "exclusive, and it exists");
	fails(os_write("r/loop", STR("x"), OS_EXCLUSIVE), E_EXISTS, "exclusive, and a link exists");
	fails(e = os_write("r/one", STR("x"), 0), E_HARD_LINKED, "one of two hard links");
	is_int(err_code(e), CODE_CONFLICT, "is a conflict");
	is_str(content(a, "r/one"), STR("old"), "nothing was written");
	works(os_write("r/one", STR("new"), OS_BREAK_LINKS), "unless it may be parted");
	is_str(content(a, "r/one"), STR("new"), "this is new");
	is_str(content(a, "r/two"), STR("old"), "the other is not");
	works(os_write("r/three", STR("new"), OS_EXCLUSIVE), "exclusive, and not there");
	is_str(content(a, "r/three"), STR("new"), "is written");
	is_str(names(a, "r"), STR("dir fifo loop one three two"), "nothing else is there");
}

static void links(struct arena *a)
{
	mkdir("l", 0755);
	mkdir("l/sub", 0755);
	dir_put("l/sub/f", "old");
	ok(!symlink("sub/f", "l/one") && !symlink("one", "l/two") &&
		   !symlink("sub/g", "l/dangling") &&
		   !symlink(str_c(a, str_fmt(a, "%s/l/sub/f", getcwd(arena_alloc(a, 4096), 4096))),
			    "l/abs"),
	   "links");
	works(os_write("l/two", STR("new"), 0), "through two links");
	is_str(content(a, "l/sub/f"), STR("new"), "the target is written");
	works(os_write("l/abs", STR("newer"), 0), "through an absolute one");
	is_str(content(a, "l/sub/f"), STR("newer"), "too");
	works(os_write("l/dangling", STR("g"), 0), "through a dangling one");
	is_str(content(a, "l/sub/g"), STR("g"), "makes it");
	is_str(names(a, "l"), STR("abs dangling one sub two"), "the links are still there");
	is_str(names(a, "l/sub"), STR("f g"), "and nothing else");
}

static void stale(struct arena *a)
{
	mkdir("s", 0755);
	dir_put("s/" STALE, "half");
	dir_put("s/.ikm-tmp-0123456789abcdeg", "not ours");
	mkdir("s/.ikm-tmp-0000000000000000", 0755);
	ok(!symlink("f", "s/.ikm-tmp-1111111111111111"), "a link of such a name");
	works(os_write("s/f", STR("x"), 0), "a write");
	is_str(names(a, "s"),
	       STR(".ikm-tmp-0000000000000000 .ikm-tmp-0123456789abcdeg "
		   ".ikm-tmp-1111111111111111 f"),
	       "removes what a killed writer left, and only that");
	ok(!link("s/f", "s/" STALE), "what one left that was killed with both names");
	works(os_write("s/f", STR("y"), 0), "is no reason to refuse");
}

static void folders(struct arena *a)
{
	struct err *e;

	works(os_mkdirs("d/e//f/", 0750), "folders");
	is_int(mode_of("d/e"), 0750, "get the mode");
	works(os_mkdirs("d/e/f", 0700), "again");
	is_int(mode_of("d/e/f"), 0750, "is nothing to do");
	fails(os_mkdirs("", 0700), E_BAD_PATH, "an empty path");
	dir_put("d/file", "");
	fails(os_mkdirs("d/file", 0700), E_EXISTS, "a file is in the way");
	fails(e = os_mkdirs("d/file/x", 0700), E_EXISTS, "of its parent");
	ok(strstr(err_message(e), "'d/file'") != NULL, "which is named");
	works(os_write("d/new/deep/f", STR("x"), OS_PARENTS), "a file with its folders");
	is_str(content(a, "d/new/deep/f"), STR("x"), "is there");
	fails(os_write("d/no/no/..", STR("x"), OS_PARENTS), E_NOT_A_FILE, "what cannot be written");
	is_str(names(a, "d"), STR("e file new"), "leaves no folders");
	works(os_rename("d/new/deep/f", "d/g"), "rename");
	is_str(content(a, "d/g"), STR("x"), "moves");
	fails(os_rename("d/none", "d/g"), E_FILE_NOT_FOUND, "rename what is not there");
	works(os_remove("d/g"), "remove");
	works(os_remove("d/g"), "twice");
	works(os_remove("d/file/x"), "below a file");
	works(os_remove("d/new/deep"), "an empty folder");
	fails(os_remove("d"), E_EXISTS, "a full folder");
	ok(!symlink("e", "d/link"), "a link");
	works(os_remove("d/link"), "is removed");
	is_str(names(a, "d"), STR("e file new"), "not what it leads to");
}

/* ---- as a plain user ---- */

static int user(void *ctx)
{
	struct err *e;
	int bad = 0;

	(void)ctx;
	e = os_write("u/readonly", STR("x"), 0);
	bad |= !e || err_reason(e) != E_PERMISSION;
	e = os_write("closed/f", STR("x"), 0);
	bad |= !e || err_reason(e) != E_PERMISSION ? 2 : 0;
	/* Writing needs no permission to list the folder or to read the old content. */
	bad |= os_write("blind/f", STR("x"), 0) ? 4 : 0;
	bad |= os_write("u/writeonly", STR("x"), 0) ? 8 : 0;
	e = os_mkdirs("closed/d/e", 0755);
	bad |= !e || err_reason(e) != E_PERMISSION ? 16 : 0;
	return bad;
}

static void permissions(void)
{
	mkdir("u", 0777);
	mkdir("closed", 0555);
	mkdir("blind", 0333);
	dir_put("u/readonly", "old");
	dir_put("u/writeonly", "old");
	ok(!chmod("u", 0777) && !chmod("closed", 0555) && !chmod("blind", 0333) &&
		   !chmod("u/readonly", 0444) && !chmod("u/writeonly", 0222),
	   "modes");
	is_int(dir_fork(user, NULL, true), 0, "permissions count");
	is_int(mode_of("u/readonly"), 0444, "what is read-only stays");
	/* So that it can be removed at the end. */
	ok(!chmod("blind", 0755), "as before");
}

static int owned(void *ctx)
{
	struct stat st;

	(void)ctx;
	if (geteuid())
		return 0;
	dir_put("owned", "old");
	if (chown("owned", 1234, 2345) || chmod("owned", 0606) ||
	    os_write("owned", STR("new"), 0) || stat("owned", &st))
		return 1;
	return st.st_uid != 1234 || st.st_gid != 2345 || (st.st_mode & 07777) != 0606;
}

/* ---- what fails, and kills ---- */

struct effect {
	const char *what;
	struct err *(*fn)(void);
	const char *dir;        /* everything happens below it */
	const char *old, *new_; /* the results of describe() before and after */
};

static struct err *effect_replace(void)
{
	return os_write("fault/f", STR("new"), 0);
}

static struct err *effect_make(void)
{
	return os_write("fault/sub/deep/f", STR("new"), OS_PARENTS | OS_EXCLUSIVE);
}

static struct err *effect_sweep(void)
{
	dir_put("fault/" STALE, "half");
	return os_write("fault/f", STR("new"), 0);
}

static struct err *effect_rename(void)
{
	return os_rename("fault/f", "fault/g");
}

static struct err *effect_remove(void)
{
	return os_remove("fault/f");
}

static struct err *effect_mkdirs(void)
{
	return os_mkdirs("fault/a/b/c", 0755);
}

static const struct effect effects[] = {
	{"replace", effect_replace, "fault", "f=old ", "f=new "},
	{"make with parents", effect_make, "fault", "f=old ", "f=old sub/ deep/ f=new "},
	{"replace where litter is", effect_sweep, "fault", "f=old ", "f=new "},
	{"rename", effect_rename, "fault", "f=old ", "g=old "},
	{"remove", effect_remove, "fault", "f=old ", ""},
	{"mkdirs", effect_mkdirs, "fault", "f=old ", "a/ b/ c/ f=old "},
};

static void describe(struct arena *a, const char *dir, bool litter, struct buf *out)
{
	struct strs v;

	if (os_list(a, dir, &v))
		BUG("cannot list %s", dir);
	for (size_t i = 0; i < v.n; i++) {
		const char *path = os_join(a, dir, str_c(a, v.p[i]));
		struct os_stat st;

		if (litter && str_starts(v.p[i], STR(".ikm-tmp-")))
			continue;
		if (os_stat(path, false, &st))
			BUG("cannot look at %s", path);
		if (st.kind == OS_DIR) {
			buf_fmt(out, "%.*s/ ", STR_ARG(v.p[i]));
			describe(a, path, litter, out);
		} else {
			buf_fmt(out, "%.*s=%.*s ", STR_ARG(v.p[i]), STR_ARG(content(a, path)));
		}
	}
}

static struct str described(struct arena *a, bool litter)
{
	struct buf b = buf_in(a);

	describe(a, "fault", litter, &b);
	return buf_as_str(&b);
}

static void reset(struct arena *a)
{
	struct os_stat st;

	if (!os_stat("fault", false, &st) && st.kind != OS_NONE &&
	    nftw("fault", dir_remove_one, 16, FTW_DEPTH | FTW_PHYS))
		BUG("cannot remove the folder");
	mkdir("fault", 0755);
	dir_put("fault/f", "old");
	(void)a;
}

static int run_effect(void *ctx)
{
	const struct effect *effect = ctx;
	struct err *e = effect->fn();

	return !e ? 0 : err_reason(e) == E_IO_ERROR ? 10 : err_reason(e) == E_NO_SPACE ? 11 : 12;
}

static bool is_old_or_new(struct str got, const struct effect *effect)
{
	return str_is(got, effect->old) || str_is(got, effect->new_);
}

/* Fails, or kills, every step in turn, until there are no more steps. */
static void fault_loop(struct arena *a, const struct effect *effect, const char *fmt, int want)
{
	bool all = true, again = true, saw_old = false;
	int status = -1, n, fine = 0;

	/* Errors of the cleanup may go unnoticed, so one success is not yet the end. */
	for (n = 1; n < 50 && fine < 2; n++) {
		struct str got;
		char set[32];

		reset(a);
		snprintf(set, sizeof(set), fmt, n);
		setenv("IKM_FAULT", set, 1);
		status = dir_fork(run_effect, (void *)effect, false);
		unsetenv("IKM_FAULT");
		if (!status) {
			all = all && str_is(described(a, true), effect->new_);
			fine++;
			continue;
		}
		fine = 0;
		all = all && (want ? WIFEXITED(status) && WEXITSTATUS(status) == want
				   : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		got = described(a, !want);
		saw_old = saw_old || str_is(got, effect->old);
		/* A kill may leave folders, because nobody can tell whose they are. */
		if (!is_old_or_new(got, effect) && (want || !strstr(effect->new_, "/"))) {
			all = false;
			printf("# step %d leaves '%.*s'\n", n, STR_ARG(got));
		}
		/* A step that is done already may be an error the second time; then it is done. */
		(void)dir_fork(run_effect, (void *)effect, false);
		again = again && str_is(described(a, false), effect->new_);
	}
	ok(fine == 2 && n > 4, "%s (%s): the loop came to its end after %d steps", effect->what,
	   fmt, n - 3);
	ok(all, "%s (%s): every failure was told and left the old or the new", effect->what, fmt);
	ok(again, "%s (%s): doing it again succeeds, without litter", effect->what, fmt);
	ok(saw_old, "%s (%s): the old was seen", effect->what, fmt);
}

static int over_limit(void *ctx)
{
	struct rlimit limit = {1000, 1000};
	struct arena *a = arena_new();
	struct err *e;

	(void)ctx;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	e = os_write("fault/f", (struct str){arena_alloc(a, 5000), 5000}, 0);
	arena_free(a);
	return !e || err_reason(e) != E_NO_SPACE;
}

static void faults(struct arena *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++) {
		fault_loop(a, &effects[i], "%d", 10);
		fault_loop(a, &effects[i], "%d:28", 11);
		fault_loop(a, &effects[i], "-%d", 0);
	}
	reset(a);
	is_int(dir_fork(over_limit, NULL, false), 0, "a write that the system cuts is an error");
	is_str(described(a, false), STR("f=old "), "and leaves the old");
}

/* ---- many at once ---- */

static int writer(void *ctx)
{
	struct arena *a = arena_new();
	char c = (char)(intptr_t)ctx;
	struct str mine = {memset(arena_alloc(a, 20000), c, 20000), 20000};
	int bad = 0;

	for (int i = 0; i < 40; i++)
		bad |= os_write("many/f", mine, 0) != NULL;
	arena_free(a);
	return bad;
}

/* Each process removes temporary files while the others write: none may remove another's file. */
static void many(struct arena *a)
{
	pid_t pid[4];
	int status, bad = 0;
	struct str s;
	bool whole = true;

	mkdir("many", 0755);
	fflush(stdout);
	for (int i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(writer((void *)(intptr_t)('a' + i)));
	}
	for (int i = 0; i < 200; i++) {
		s = content(a, "many/f");
		for (size_t j = 1; j < s.n && !str_is(s, "(none)"); j++)
			whole = whole && s.p[j] == s.p[0] && s.n == 20000;
	}
	for (int i = 0; i < 4; i++)
		bad |= waitpid(pid[i], &status, 0) != pid[i] || status;
	ok(!bad, "four writers at once all succeed");
	ok(whole, "and a reader never sees a part");
	is_str(names(a, "many"), STR("f"), "and nothing is left");
}

int main(void)
{
	struct arena *a = arena_new();

	umask(022);
	dir_fresh(a);
	plain(a);
	refusals(a);
	links(a);
	stale(a);
	folders(a);
	permissions();
	is_int(dir_fork(owned, NULL, false), 0, "root keeps the owner");
	faults(a);
	many(a);
	arena_free(a);
	return tap_done();
}
