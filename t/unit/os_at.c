/* Names in folders that are open, and folders made inside the roots. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <errno.h>
#include <sys/xattr.h>

#define MIB ((size_t)1 << 20)

static struct str names(struct arena *a, const char *path)
{
	struct strs v;

	if (os_list(a, path, &v))
		return STR("(none)");
	return str_join(a, &v, " ");
}

static int folder(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		BUG("no folder %s", path);
	return fd;
}

static void reading(struct arena *a, const char *dir)
{
	const char *path;
	struct os_stat st;
	struct str s;
	int fd;

	mkdir("d", 0755);
	mkdir("d/sub", 0755);
	mkfifo("d/fifo", 0644);
	dir_put("d/f", "text");
	ok(!symlink("f", "d/link"), "a link");
	fd = folder("d");
	works(os_fd_path(a, fd, &path), "the path of a folder");
	is_str(str_of(path), str_fmt(a, "%s/d", dir), "is physical");
	works(os_read_at(a, fd, "f", "shown", MIB, &s), "a file");
	is_str(s, STR("text"), "is read");
	fails(os_read_at(a, fd, "f", "shown", 3, &s), E_TOO_BIG, "too big");
	fails(os_read_at(a, fd, "link", "shown", MIB, &s), E_NOT_A_FILE, "a link");
	fails(os_read_at(a, fd, "sub", "shown", MIB, &s), E_NOT_A_FILE, "a folder");
	fails(os_read_at(a, fd, "fifo", "shown", MIB, &s), E_NOT_A_FILE, "a FIFO");
	fails(os_read_at(a, fd, "none", "shown", MIB, &s), E_FILE_NOT_FOUND, "nothing");
	works(os_stat_at(fd, "link", "shown", &st), "a link");
	is_int(st.kind, OS_LINK, "is one");
	works(os_stat_at(fd, "none", "shown", &st), "nothing");
	is_int(st.kind, OS_NONE, "is nothing");
	close(fd);
}

static void moving(struct arena *a)
{
	int x, y;

	mkdir("x", 0755);
	mkdir("y", 0755);
	x = folder("x");
	y = folder("y");
	dir_put("x/f", "1");
	dir_put("y/g", "2");
	fails(os_move_at(x, "f", y, "g", "x/f"), E_EXISTS, "over another");
	works(os_move_at(x, "f", y, "f", "x/f"), "to another folder");
	works(os_move_at(y, "f", y, "h", "y/f"), "in the same one");
	fails(os_move_at(x, "f", y, "i", "x/f"), E_FILE_NOT_FOUND, "what is gone");
	is_str(names(a, "y"), STR("g h"), "as it should be");
	works(os_remove_at(y, "h", "y/h"), "to remove");
	fails(os_remove_at(y, "h", "y/h"), E_FILE_NOT_FOUND, "twice");
	close(x);
	close(y);
}

static void locks(struct arena *a)
{
	struct os_lock *one, *two;
	int fd = folder("x");

	works(os_lock_fd(a, fd, "x", 0, &one), "a lock");
	fails(os_lock_fd(a, fd, "x", 20, &two), E_LOCKED, "a second");
	fails(os_lock_dir(a, "x", 0, &two), E_LOCKED, "the same by its path");
	os_unlock(one);
	works(os_lock_fd(a, fd, "x", 0, &two), "and again");
	os_unlock(two);
	close(fd);
}

/* No error is reported for properties that some file systems do not keep. */
static void attributes(void)
{
	unsigned lost = 99;
	char value[8] = "";
	int fd = folder("x");

	dir_put("x/attr", "old");
	works(os_write_at(fd, "attr", "x/attr", STR("new"), 0, &lost), "a write");
	is_int(lost, 0, "loses nothing");
	if (setxattr("x/attr", "user.origin", "a\0b", 3, 0))
		printf("# no extended attributes here: %s\n", strerror(errno));
	else {
		works(os_write_at(fd, "attr", "x/attr", STR("newer"), 0, &lost), "a write");
		is_int(lost, 0, "loses nothing");
		is_int(getxattr("x/attr", "user.origin", value, sizeof(value)), 3, "and keeps");
		ok(!memcmp(value, "a\0b", 3), "extended attributes");
	}
	close(fd);
}

/* Version 2, then tag, permissions and id of the user, another, the group, the mask, the others. */
static const unsigned char acl[] = {
	2, 0,  0,   0,   1,   0,   7,    0, 255, 255, 255, 255, 2,   0,    7,
	0, 57, 48,  0,   0,   4,   0,    5, 0,   255, 255, 255, 255, 0x10, 0,
	7, 0,  255, 255, 255, 255, 0x20, 0, 0,   0,   255, 255, 255, 255,
};

/* New files of this folder shall be open to somebody; ours was there before. */
static void default_acl(void)
{
	unsigned char got[sizeof(acl) + 1];
	struct stat st;
	int fd;

	mkdir("acl", 0755);
	fd = folder("acl");
	dir_put("acl/f", "old");
	ok(!chmod("acl/f", 0640), "closed to him");
	if (setxattr("acl", "system.posix_acl_default", acl, sizeof(acl), 0)) {
		printf("# no ACLs here: %s\n", strerror(errno));
	} else {
		works(os_write_at(fd, "f", "acl/f", STR("new"), 0, NULL), "a write");
		is_int(getxattr("acl/f", "system.posix_acl_access", got, sizeof(got)), -1,
		       "gives no more rights than there were");
		ok(!stat("acl/f", &st) && (st.st_mode & 07777) == 0640, "and keeps the mode");
		ok(!setxattr("acl/f", "system.posix_acl_access", acl, sizeof(acl), 0), "an ACL");
		works(os_write_at(fd, "f", "acl/f", STR("newer"), 0, NULL), "a write");
		is_int(getxattr("acl/f", "system.posix_acl_access", got, sizeof(got)),
		       (long long)sizeof(acl), "keeps an ACL that it had");
		ok(!memcmp(got, acl, sizeof(acl)), "as it was");
	}
	close(fd);
}

static int strangers(void *ctx)
{
	unsigned lost = 0;
	int fd = folder("open");

	(void)ctx;
	return os_write_at(fd, "f", "open/f", STR("mine"), 0, &lost) || lost != OS_LOST_OWNER;
}

/* A file of somebody else in a folder that we may write. */
static void owner(void)
{
	mkdir("open", 0755);
	dir_put("open/f", "theirs");
	if (geteuid() || chmod("open", 0777) || chmod("open/f", 0666))
		return;
	is_int(dir_fork(strangers, NULL, true), 0, "the owner that could not be kept is told");
}

/* ---- inside roots ---- */

static void make(struct arena *a, const struct os_roots *r, const char *dir)
{
	const struct {
		const char *path;
		enum err_reason reason;
	} bad[] = {{"../up", E_OUTSIDE_ROOTS},
		   {"out/x", E_OUTSIDE_ROOTS},
		   {".git/x", E_OUTSIDE_ROOTS},
		   {"n/.git/x", E_OUTSIDE_ROOTS},
		   {"/etc/x", E_OUTSIDE_ROOTS},
		   {"state/x", E_OUTSIDE_ROOTS},
		   {"absent/x", E_OUTSIDE_ROOTS},
		   {"n/../../up", E_OUTSIDE_ROOTS},
		   {"proc/x", E_OUTSIDE_ROOTS},
		   {"f", E_EXISTS},
		   {"f/x", E_EXISTS},
		   {"n/m/../../f/x", E_EXISTS},
		   {"", E_BAD_PATH},
		   {"dangling/x", E_OUTSIDE_ROOTS}};
	const char *cwd = os_join(a, dir, "root");
	struct os_made *made;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		fails(os_roots_mkdirs(r, a, cwd, str_of(bad[i].path), 0777, &made), bad[i].reason,
		      bad[i].path);
		is_str(names(a, "root"), STR(".git dangling f inside out proc real state"),
		       "what was made is taken back");
	}
	is_str(names(a, "outside"), STR(""), "nothing outside");
	works(os_roots_mkdirs(r, a, cwd, STR("a/b/c"), 0755, &made), "three");
	ok(made != NULL, "were made");
	works(os_roots_mkdirs(r, a, cwd, STR("a/b/c/"), 0755, &made), "again");
	ok(!made, "none was");
	works(os_roots_mkdirs(r, a, cwd, STR("a/./b/../d"), 0755, &made), "one");
	os_unmake(made);
	is_str(names(a, "root/a"), STR("b"), "and taken back");
	works(os_roots_mkdirs(r, a, cwd, STR("inside/x"), 0755, &made), "through a link");
	is_str(names(a, "root/real"), STR("x"), "that stays inside");
	works(os_roots_mkdirs(r, a, cwd, str_fmt(a, "%s/root/abs", dir), 0755, &made), "absolute");
	dir_put("root/abs/f", "x");
	os_unmake(made);
	is_str(names(a, "root/abs"), STR("f"), "what is used is not taken back");
	works(os_roots_mkdirs(NULL, a, dir, STR("free/x"), 0755, &made), "without roots");
	os_unmake(made);
	is_str(names(a, "free"), STR("(none)"), "and taken back");
	os_unmake(NULL);
}

static void look(struct arena *a, const struct os_roots *r, const char *dir)
{
	const char *cwd = os_join(a, dir, "root"), *name, *path;
	struct os_stat st;
	int fd;

	works(os_roots_stat(r, cwd, STR("f"), &st), "a file");
	is_int(st.kind, OS_FILE, "is one");
	works(os_roots_stat(r, cwd, STR("inside"), &st), "a link to a folder");
	is_int(st.kind, OS_DIR, "is a folder");
	works(os_roots_stat(r, cwd, STR("none/x"), &st), "nothing");
	is_int(st.kind, OS_NONE, "is nothing");
	works(os_roots_stat(r, cwd, STR("."), &st), "the root");
	is_int(st.kind, OS_DIR, "is a folder");
	fails(os_roots_stat(r, cwd, STR("out"), &st), E_OUTSIDE_ROOTS, "a link out");
	fails(os_roots_stat(r, cwd, STR("../none"), &st), E_OUTSIDE_ROOTS, "nothing outside");
	works(os_roots_open_dir(r, a, cwd, STR("inside"), &fd), "a folder");
	works(os_fd_path(a, fd, &path), "it is");
	is_str(str_of(path), str_fmt(a, "%s/root/real", dir), "the one behind the link");
	fails(os_roots_open_dir(r, a, cwd, STR("f"), &fd), E_NOT_A_FILE, "a file is none");
	fails(os_roots_open_dir(r, a, cwd, STR("none"), &fd), E_FILE_NOT_FOUND, "nothing is none");
	fails(os_roots_open_dir(NULL, a, cwd, STR("f"), &fd), E_NOT_A_FILE, "nor without roots");
	works(os_roots_parent_nofollow(r, a, cwd, STR("out"), &fd, &name), "a link itself");
	works(os_stat_at(fd, name, "out", &st), "may lead out");
	is_int(st.kind, OS_LINK, "and is not followed");
	works(os_roots_parent_nofollow(NULL, a, cwd, STR("out"), &fd, &name), "without roots");
	is_str(str_of(name), STR("out"), "the same");
	fails(os_roots_parent_nofollow(r, a, cwd, STR("out/x"), &fd, &name), E_OUTSIDE_ROOTS,
	      "one on the way");
}

int main(void)
{
	struct arena *a = arena_new();
	struct strs in = {0}, not = {0};
	const char *dir;
	struct os_roots *r;

	umask(022);
	setenv("TMPDIR", "/var/tmp", 1); /* a folder in memory has no extended attributes */
	dir = dir_fresh(a);
	reading(a, dir);
	moving(a);
	locks(a);
	attributes();
	default_acl();
	owner();
	mkdir("root", 0755);
	mkdir("root/.git", 0755);
	mkdir("root/state", 0755);
	mkdir("root/real", 0755);
	mkdir("outside", 0755);
	dir_put("root/f", "x");
	ok(!symlink("real", "root/inside") && !symlink("../outside", "root/out") &&
		   !symlink("/proc/self/cwd", "root/proc") &&
		   !symlink("../outside/new", "root/dangling"),
	   "links");
	strs_push(a, &in, str_fmt(a, "%s/root", dir));
	strs_push(a, &not, str_fmt(a, "%s/root/state", dir));
	strs_push(a, &not, str_fmt(a, "%s/root/absent", dir));
	works(os_roots_new(a, &in, &not, &r), "roots");
	make(a, r, dir);
	look(a, r, dir);
	arena_free(a);
	return tap_done();
}
