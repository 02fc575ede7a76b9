/* The files that may be opened: the whole table, once with openat2, and once where a filter answers
 * ENOSYS, and while another process swaps folders for links. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#define MIB ((size_t)1 << 20)

/* ok with a content, or a reason */
struct row {
	const char *path;
	const char *content; /* NULL: an error */
	enum err_reason reason;
};

/*
 * root/           f, link -> f, a/f, a/b/, up -> a/.., dirlink -> a, abslink -> /…/root/a/f,
 *                 absdir -> /…/root/a, out -> ../secret, outdir -> .., outabs -> /…/secret,
 *                 dangling -> none, danglingout -> ../created, loop -> loop, fifo, socket, .git/x,
 *                 a/.git/x, gitlink -> .git/x, gitdir -> a/.git, state/x (denied), statelink
 * rootish/f       outside: its name only begins like the root's
 * secret          outside
 * second/f        another root
 */
static const struct row reading[] = {
	{"f", "f", 0},
	{"./a/./f", "a/f", 0},
	{"a//f", "a/f", 0},
	{"a/../f", "f", 0},
	{"a/b/../../f", "f", 0},
	{"link", "f", 0},
	{"dirlink/f", "a/f", 0},
	{"dirlink/../f", "f", 0},
	{"up/f", "f", 0},
	{"abslink", "a/f", 0},
	{"absdir/f", "a/f", 0},
	{"absdir/../f", "f", 0},
	{"@/root/f", "f", 0},
	{"@/root/a/../f", "f", 0},
	{"@/root/abslink", "a/f", 0},
	{"@/alias/f", "f", 0},
	{"@/alias/a/f", "a/f", 0},
	{"@//root/./f", "f", 0},
	{"../root/f", "f", 0},
	{"../second/f", "second/f", 0},
	{"@/second/f", "second/f", 0},
	{"@/root/../second/f", "second/f", 0},
	{"tosecond", "second/f", 0},
	{"a/.git/../f", "a/f", 0},
	{"state/garden/f", "garden", 0},
	{"@/root/state/garden/f", "garden", 0},
	{"a/../state/garden/f", "garden", 0},
	{".gitignore", "ignore", 0},

	{"../secret", NULL, E_OUTSIDE_ROOTS},
	{"../none", NULL, E_OUTSIDE_ROOTS},
	{"..", NULL, E_OUTSIDE_ROOTS},
	{"../../../../../../../../etc/passwd", NULL, E_OUTSIDE_ROOTS},
	{"a/../../secret", NULL, E_OUTSIDE_ROOTS},
	{"/etc/passwd", NULL, E_OUTSIDE_ROOTS},
	{"/etc/no-such-file", NULL, E_OUTSIDE_ROOTS},
	{"/", NULL, E_OUTSIDE_ROOTS},
	{"@/rootish/f", NULL, E_OUTSIDE_ROOTS},
	{"@/secret", NULL, E_OUTSIDE_ROOTS},
	{"@/root/../secret", NULL, E_OUTSIDE_ROOTS},
	{"out", NULL, E_OUTSIDE_ROOTS},
	{"outdir/secret", NULL, E_OUTSIDE_ROOTS},
	{"outabs", NULL, E_OUTSIDE_ROOTS},
	{"danglingout", NULL, E_OUTSIDE_ROOTS},
	{"procexe", NULL, E_OUTSIDE_ROOTS},
	{"proccwd/f", NULL, E_OUTSIDE_ROOTS},
	{"procfd", NULL, E_OUTSIDE_ROOTS},
	{"/proc/self/cwd/f", NULL, E_OUTSIDE_ROOTS},
	{"/proc/self/exe", NULL, E_OUTSIDE_ROOTS},
	{".git/x", NULL, E_OUTSIDE_ROOTS},
	{".git", NULL, E_OUTSIDE_ROOTS},
	{".git/none", NULL, E_OUTSIDE_ROOTS},
	{".GIT/x", NULL, E_OUTSIDE_ROOTS},
	{"a/.git/x", NULL, E_OUTSIDE_ROOTS},
	{"a/.git/../.git/x", NULL, E_OUTSIDE_ROOTS},
	{"a/.git/../../.git/x", NULL, E_OUTSIDE_ROOTS},
	{"a/b/.git", NULL, E_OUTSIDE_ROOTS},
	{"gitlink", NULL, E_OUTSIDE_ROOTS},
	{"gitdir/x", NULL, E_OUTSIDE_ROOTS},
	{"c/.git/x", NULL, E_OUTSIDE_ROOTS},
	{"state/x", NULL, E_OUTSIDE_ROOTS},
	{"state/none", NULL, E_OUTSIDE_ROOTS},
	{"statelink", NULL, E_OUTSIDE_ROOTS},
	{"@/root/state/x", NULL, E_OUTSIDE_ROOTS},
	{"@/alias/state/x", NULL, E_OUTSIDE_ROOTS},
	{"state/garden/../x", NULL, E_OUTSIDE_ROOTS},
	{"moved/x", NULL, E_OUTSIDE_ROOTS},
	{"later/x", NULL, E_OUTSIDE_ROOTS},

	{"none", NULL, E_FILE_NOT_FOUND},
	{"none/f", NULL, E_FILE_NOT_FOUND},
	{"f/g", NULL, E_FILE_NOT_FOUND},
	{"f/", NULL, E_FILE_NOT_FOUND},
	{"link/", NULL, E_FILE_NOT_FOUND},
	{"dangling", NULL, E_FILE_NOT_FOUND},
	{"a", NULL, E_NOT_A_FILE},
	{"a/", NULL, E_NOT_A_FILE},
	{".", NULL, E_NOT_A_FILE},
	{"a/..", NULL, E_NOT_A_FILE},
	{"dirlink", NULL, E_NOT_A_FILE},
	{"@/root", NULL, E_NOT_A_FILE},
	{"fifo", NULL, E_NOT_A_FILE},
	{"socket", NULL, E_NOT_A_FILE},
	{"loop", NULL, E_BAD_PATH},
	{"", NULL, E_BAD_PATH},
};

/* The folder and name that a write gets, as "dir/name" below the test's folder. */
static const struct row writing[] = {
	{"f", "root/f", 0},
	{"new", "root/new", 0},
	{"a/new", "root/a/new", 0},
	{"dirlink/new", "root/a/new", 0},
	{"abslink", "root/a/f", 0},
	{"dangling", "root/none", 0},
	{"a/../new", "root/new", 0},
	{"@/second/new", "second/new", 0},
	{"state/garden/new", "root/state/garden/new", 0},
	{"danglingout", NULL, E_OUTSIDE_ROOTS},
	{"out", NULL, E_OUTSIDE_ROOTS},
	{"../created", NULL, E_OUTSIDE_ROOTS},
	{"outdir/created", NULL, E_OUTSIDE_ROOTS},
	{"@/created", NULL, E_OUTSIDE_ROOTS},
	{".git", NULL, E_OUTSIDE_ROOTS},
	{".git/hooks", NULL, E_OUTSIDE_ROOTS},
	{"a/b/.git", NULL, E_OUTSIDE_ROOTS},
	{"a/b/.Git", NULL, E_OUTSIDE_ROOTS},
	{"later", NULL, E_OUTSIDE_ROOTS},
	{"state/new", NULL, E_OUTSIDE_ROOTS},
	{"none/new", NULL, E_FILE_NOT_FOUND},
	{"f/new", NULL, E_FILE_NOT_FOUND},
	{"a", NULL, E_NOT_A_FILE},
	{"new/", NULL, E_FILE_NOT_FOUND},
	{"a/..", NULL, E_NOT_A_FILE},
	{"", NULL, E_BAD_PATH},
};

static void at(const char *target, const char *path)
{
	if (symlink(target, path))
		BUG("cannot link %s", path);
}

static void build(struct arena *a, const char *dir)
{
	static const char *const dirs[] = {
		"root",      "root/a",     "root/a/b",          "root/a/.git",
		"root/.git", "root/state", "root/state/garden", "rootish",
		"second",    "root/c",     "root/moved"};
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "root/socket"};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		mkdir(dirs[i], 0755);
	dir_put("root/f", "f");
	dir_put("root/a/f", "a/f");
	dir_put("root/.git/x", "git");
	dir_put("root/.gitignore", "ignore");
	dir_put("root/a/.git/x", "git");
	dir_put("root/state/x", "state");
	dir_put("root/state/garden/f", "garden");
	dir_put("root/moved/x", "moved");
	dir_put("rootish/f", "outside");
	dir_put("secret", "outside");
	dir_put("second/f", "second/f");
	at("f", "root/link");
	at("a", "root/dirlink");
	at("a/..", "root/up");
	at("../secret", "root/out");
	at("..", "root/outdir");
	at("none", "root/dangling");
	at("../created", "root/danglingout");
	at("loop", "root/loop");
	at("../second/f", "root/tosecond");
	at("/proc/self/exe", "root/procexe");
	at("/proc/self/cwd", "root/proccwd");
	at("/proc/self/fd/0", "root/procfd");
	at(".git/x", "root/gitlink");
	at("a/.git", "root/gitdir");
	at("../a", "root/c/.git");
	at("state/x", "root/statelink");
	at("root", "alias");
	at(str_c(a, str_fmt(a, "%s/root/a/f", dir)), "root/abslink");
	at(str_c(a, str_fmt(a, "%s/root/a", dir)), "root/absdir");
	at(str_c(a, str_fmt(a, "%s/secret", dir)), "root/outabs");
	mkfifo("root/fifo", 0644);
	if (bind(s, (struct sockaddr *)&name, sizeof(name)))
		BUG("no socket");
	close(s);
}

static struct str path_of(struct arena *a, const char *dir, const char *path)
{
	return path[0] == '@' ? str_fmt(a, "%s%s", dir, path + 1) : str_of(path);
}

static struct os_roots *roots_of(struct arena *a, const char *dir, const char *const *in,
				 const char *const * not )
{
	struct strs dirs = {0}, denied = {0};
	struct os_roots *r;

	for (; *in; in++)
		strs_push(a, &dirs, str_fmt(a, "%s%s", dir, *in));
	for (; *not ; not ++)
		strs_push(a, &denied, str_fmt(a, "%s%s", dir, *not ));
	if (os_roots_new(a, &dirs, &denied, &r))
		BUG("no roots");
	return r;
}

static const char *const all_roots[] = {"/root", "/second", "/root/state/garden", NULL};
static const char *const all_denied[] = {"/root/state", "/root/moved", "/root/later/deep", NULL};

static void read_table(struct arena *a, const char *dir, const struct os_roots *r, bool all)
{
	const char *cwd = os_join(a, dir, "root");

	for (size_t i = 0; i < ARRAY_SIZE(reading); i++) {
		const struct row *row = &reading[i];
		struct str path = path_of(a, dir, row->path), got;
		struct err *e = os_roots_read(r, a, cwd, path, MIB, &got);

		/* The plain roots know nothing of the folders that only the others deny. */
		if (!all && (strstr(row->path, "state") || strstr(row->path, "moved") ||
			     strstr(row->path, "later") || strstr(row->path, "second")))
			continue;
		if (!row->content)
			fails(e, row->reason, row->path);
		else if (works(e, row->path))
			is_str(got, str_of(row->content), row->path);
	}
}

static void write_table(struct arena *a, const char *dir, const struct os_roots *r)
{
	const char *cwd = os_join(a, dir, "root");

	for (size_t i = 0; i < ARRAY_SIZE(writing); i++) {
		const struct row *row = &writing[i];
		struct str path = path_of(a, dir, row->path), folder;
		const char *name;
		int fd;
		struct err *e = os_roots_parent(r, a, cwd, path, &fd, &name);

		if (!row->content) {
			fails(e, row->reason, row->path);
			continue;
		}
		if (!works(e, row->path))
			continue;
		if (os_readlink(a, str_c(a, str_fmt(a, "/proc/self/fd/%d", fd)), &folder))
			BUG("no /proc");
		is_str(str_fmt(a, "%.*s/%s", STR_ARG(folder), name),
		       str_fmt(a, "%s/%s", dir, row->content), row->path);
	}
}

static void tables(struct arena *a, const char *dir)
{
	static const char *const one[] = {"/root", NULL}, *const none[] = {NULL};
	struct os_roots *r = roots_of(a, dir, all_roots, all_denied);

	read_table(a, dir, r, true);
	write_table(a, dir, r);
	/* Without denied folders the kernel may answer alone. */
	read_table(a, dir, roots_of(a, dir, one, none), false);
}

/* A filter that says that this system call does not exist, or is forbidden. */
static bool without_openat2(int errnum)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {ARRAY_SIZE(code), code};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) &&
	       syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno == errnum;
}

static int old_kernel(void *ctx)
{
	int *errnum = ctx, null = open("/dev/null", O_WRONLY | O_CLOEXEC), out = dup(1);
	struct arena *a = arena_new();
	const char *dir;

	if (!without_openat2(*errnum))
		return 77;
	fflush(stdout);
	dup2(null, 1);
	tap_failed = 0;
	if (os_cwd(a, &dir))
		return 78;
	tables(a, dir);
	fflush(stdout);
	dup2(out, 1);
	arena_free(a);
	return tap_failed ? 1 : 0;
}

static void old_kernels(void)
{
	static const int errnums[] = {ENOSYS, EPERM};

	for (size_t i = 0; i < ARRAY_SIZE(errnums); i++) {
		int status = dir_fork(old_kernel, (void *)&errnums[i], false);

		if (WEXITSTATUS(status) == 77)
			ok(true, "no filters here # SKIP");
		else
			is_int(status, 0, "the same without openat2");
	}
}

/* ---- what is not in the tables ---- */

static void moved_and_made(struct arena *a, const char *dir)
{
	struct os_roots *r = roots_of(a, dir, all_roots, all_denied);
	const char *cwd = os_join(a, dir, "root");
	struct str got;

	ok(!rename("root/moved", "root/innocent"), "a denied folder under another name");
	fails(os_roots_read(r, a, cwd, STR("innocent/x"), MIB, &got), E_OUTSIDE_ROOTS, "is denied");
	works(os_mkdirs("root/later/deep", 0755), "one that did not exist");
	dir_put("root/later/deep/x", "later");
	fails(os_roots_read(r, a, cwd, STR("later/deep/x"), MIB, &got), E_OUTSIDE_ROOTS, "is too");
	ok(!rename("root/innocent", "root/moved") && !unlink("root/later/deep/x") &&
		   !rmdir("root/later/deep") && !rmdir("root/later"),
	   "as before");
}

static void odd_roots(struct arena *a, const char *dir)
{
	static const char *const alias[] = {"/alias", NULL}, *const none[] = {NULL};
	static const char *const gone[] = {"/alias/state", NULL};
	static const char *const git[] = {"/g", NULL};
	struct strs v = {0};
	struct os_roots *r;
	struct str got;

	r = roots_of(a, dir, alias, gone);
	works(os_roots_read(r, a, os_join(a, dir, "alias"), STR("f"), MIB, &got), "through a link");
	works(os_roots_read(r, a, dir, STR("root/f"), MIB, &got), "by its own name");
	fails(os_roots_read(r, a, dir, STR("root/state/x"), MIB, &got), E_OUTSIDE_ROOTS,
	      "denied through a link");
	r = roots_of(a, dir, none, none);
	fails(os_roots_read(r, a, dir, STR("root/f"), MIB, &got), E_OUTSIDE_ROOTS,
	      "no roots at all");
	works(os_roots_read(NULL, a, dir, STR("root/outdir/secret"), MIB, &got), "no limit");
	is_str(got, STR("outside"), "reads anything");
	fails(os_roots_read(NULL, a, dir, STR("root/fifo"), MIB, &got), E_NOT_A_FILE,
	      "but no FIFO");
	fails(os_roots_read(NULL, a, NULL, STR("a\0b"), MIB, &got), E_BAD_PATH, "nor with a NUL");
	mkdir("g", 0755);
	mkdir("g/real", 0755);
	dir_put("g/real/x", "git");
	at("real", "g/.git");
	r = roots_of(a, dir, git, none);
	fails(os_roots_read(r, a, dir, STR("g/real/x"), MIB, &got), E_OUTSIDE_ROOTS,
	      "what .git leads to");
	strs_push(a, &v, STR("relative"));
	fails(os_roots_new(a, &v, NULL, &r), E_BAD_PATH, "a relative root");
	v.p[0] = str_fmt(a, "%s/none", dir);
	fails(os_roots_new(a, &v, NULL, &r), E_FILE_NOT_FOUND, "a root that is not there");
	v.p[0] = str_fmt(a, "%s/secret", dir);
	fails(os_roots_new(a, &v, NULL, &r), E_NOT_A_FILE, "a root that is a file");
	v.p[0] = STR("/");
	works(os_roots_new(a, &v, NULL, &r), "the root of all");
	works(os_roots_read(r, a, dir, STR("secret"), MIB, &got), "has everything in it");
	fails(os_roots_read(r, a, dir, STR("root/.git/x"), MIB, &got), E_OUTSIDE_ROOTS, "but .git");
	fails(os_roots_read(r, a, dir, STR("/proc/self/exe"), SIZE_MAX, &got), E_OUTSIDE_ROOTS,
	      "and links of /proc");
	fails(os_roots_read(r, a, dir, STR("/dev/null"), MIB, &got), E_NOT_A_FILE, "and devices");
}

static void limits(struct arena *a, const char *dir)
{
	struct os_roots *r = roots_of(a, dir, all_roots, all_denied);
	const char *cwd = os_join(a, dir, "root");
	char *p = arena_alloc(a, OS_PATH_MAX + 2);
	struct buf b = buf_in(a);
	struct str got;
	int before, after;

	memset(p, 'x', OS_PATH_MAX + 1);
	fails(os_roots_read(r, a, cwd, str_of(p), MIB, &got), E_BAD_PATH,
	      "a path over 4,096 bytes");
	fails(os_roots_read(r, a, cwd, (struct str){p, 300}, MIB, &got), E_BAD_PATH, "a long name");
	fails(os_roots_read(r, a, cwd, STR("a\0b"), MIB, &got), E_BAD_PATH, "a NUL");
	while (b.n + 12 < OS_PATH_MAX)
		buf_puts(&b, "a/../");
	buf_puts(&b, "dirlink/f");
	works(os_roots_read(r, a, cwd, buf_as_str(&b), MIB, &got), "a path of many parts");
	for (int i = 0; i < 60; i++)
		at(i ? str_c(a, str_fmt(a, "chain%d", i - 1)) : "f",
		   str_c(a, str_fmt(a, "root/chain%d", i)));
	works(os_roots_read(r, a, cwd, STR("chain39"), MIB, &got), "40 links");
	fails(os_roots_read(r, a, cwd, STR("chain40"), MIB, &got), E_BAD_PATH, "41 links");
	before = dup(0);
	close(before);
	for (size_t i = 0; i < ARRAY_SIZE(reading); i++) {
		struct err *e =
			os_roots_read(r, a, cwd, path_of(a, dir, reading[i].path), MIB, &got);

		if ((e == NULL) != (reading[i].content != NULL))
			BUG("%s", reading[i].path);
	}
	after = dup(0);
	close(after);
	is_int(after, before, "no descriptor is left open");
}

static void write_there(struct arena *a, const char *dir)
{
	struct os_roots *r = roots_of(a, dir, all_roots, all_denied);
	const char *name;
	struct str got;
	int fd;

	works(os_roots_parent(r, a, os_join(a, dir, "root"), STR("dirlink/w"), &fd, &name),
	      "a place");
	works(os_write_at(fd, name, "dirlink/w", STR("one"), 0, NULL), "to write");
	works(os_write_at(fd, name, "dirlink/w", STR("two"), 0, NULL), "again");
	fails(os_write_at(fd, name, "dirlink/w", STR("x"), OS_EXCLUSIVE, NULL), E_EXISTS,
	      "exclusively");
	works(os_read_path(a, "root/a/w", MIB, &got), "it is there");
	is_str(got, STR("two"), "as written");
	/* A link that appears after the check is replaced or refused, and never followed. */
	ok(!unlink("root/a/w") && !symlink("../../secret", "root/a/w"), "a link comes");
	fails(os_write_at(fd, name, "dirlink/w", STR("x"), 0, NULL), E_NOT_A_FILE,
	      "and is refused");
	works(os_read_path(a, "secret", MIB, &got), "what it leads to");
	is_str(got, STR("outside"), "is as it was");
	works(os_roots_parent(NULL, a, dir, STR("root/outdir/w"), &fd, &name), "without limits");
	works(os_write_at(fd, name, "w", STR("x"), 0, NULL), "one may write");
	ok(!access("w", F_OK) && !unlink("w"), "anywhere");
}

/* ---- races ---- */

struct race {
	atomic_bool stop;
	atomic_long swaps;
};

/*
 * root/swap is in turn a folder with a file of its own, and a link to where the secret is; so is
 * root/file; and root/way/sub is in turn in its place and beside the secret.
 */
static void *swapper(void *ctx)
{
	struct race *race = ctx;

	while (!race->stop) {
		if (renameat2(AT_FDCWD, "root/swap", AT_FDCWD, "root/other", RENAME_EXCHANGE) ||
		    renameat2(AT_FDCWD, "root/file", AT_FDCWD, "root/other2", RENAME_EXCHANGE) ||
		    rename("root/way/sub", "trap/sub2") || rename("trap/sub2", "root/way/sub"))
			break;
		race->swaps++;
	}
	return NULL;
}

static void races(struct arena *parent, const char *dir, const struct os_roots *r, const char *what)
{
	static const char *const paths[] = {"swap/f", "swap/../swap/f", "swap/sub/../f", "viaswap",
					    "file",   "./way/../file",  "way/sub/../f"};
	struct race race = {0};
	pthread_t thread;
	const char *cwd = os_join(parent, dir, "root");
	long opened = 0, refused = 0, escaped = 0, odd = 0;

	if (pthread_create(&thread, NULL, swapper, &race))
		BUG("no thread");
	for (size_t i = 0; i < 20000 || ((!opened || !refused) && i < 2000000); i++) {
		struct arena *a = arena_new();
		struct str path = str_of(paths[i % ARRAY_SIZE(paths)]), got;
		struct err *e = os_roots_read(r, a, cwd, path, MIB, &got);
		const char *name;
		struct str folder;
		int fd;

		if (!e && !str_is(got, "inside"))
			escaped++;
		opened += !e;
		refused += e != NULL;
		/* way/sub may be away just then. */
		odd += e && err_reason(e) != E_OUTSIDE_ROOTS && err_reason(e) != E_CHANGED &&
		       !(str_starts(path, STR("way")) && err_reason(e) == E_FILE_NOT_FOUND);
		if (!os_roots_parent(r, a, cwd, STR("swap/new"), &fd, &name) &&
		    !os_readlink(a, str_c(a, str_fmt(a, "/proc/self/fd/%d", fd)), &folder) &&
		    !str_starts(folder, str_of(cwd)))
			escaped++;
		arena_free(a);
	}
	race.stop = true;
	pthread_join(thread, NULL);
	printf("# %ld opened, %ld refused, %ld swaps\n", opened, refused, (long)race.swaps);
	ok(race.swaps > 0 && opened && refused, "%s: folders were swapped and both were seen",
	   what);
	is_int(escaped, 0, "nothing escaped");
	is_int(odd, 0, "what is refused is outside");
}

static void all_races(struct arena *a, const char *dir)
{
	static const char *const one[] = {"/root", NULL}, *const none[] = {NULL};

	mkdir("root/swap", 0755);
	mkdir("root/swap/sub", 0755);
	dir_put("root/swap/f", "inside");
	mkdir("trap", 0755);
	mkdir("trap/sub", 0755);
	dir_put("trap/f", "outside");
	at("../trap", "root/other");
	at("swap/f", "root/viaswap");
	dir_put("root/file", "inside");
	at("../trap/f", "root/other2");
	mkdir("root/way", 0755);
	mkdir("root/way/sub", 0755);
	dir_put("root/way/f", "inside");
	races(a, dir, roots_of(a, dir, one, none), "with openat2");
	races(a, dir, roots_of(a, dir, all_roots, all_denied), "walking");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	build(a, dir);
	tables(a, dir);
	old_kernels();
	moved_and_made(a, dir);
	odd_roots(a, dir);
	limits(a, dir);
	write_there(a, dir);
	all_races(a, dir);
	arena_free(a);
	return tap_done();
}
