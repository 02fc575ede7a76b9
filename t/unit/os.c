/* Clock, environment, reading. Writing, roots and processes have files of their own. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <sys/socket.h>
#include <sys/un.h>

#define MIB ((size_t)1 << 20)

static void clock_and_random(struct arena *a)
{
	unsigned char one[32] = {0}, two[32] = {0};
	int64_t now = os_now();

	ok(now > 1700000000000, "the clock runs");
	is_str(os_time_text(a, 0, false), STR("1970-01-01T00:00:00Z"), "the epoch");
	is_str(os_time_text(a, 1700000000123, true), STR("2023-11-14T22:13:20.123Z"),
	       "with millis");
	is_str(os_time_text(a, -1, true), STR("1969-12-31T23:59:59.999Z"), "before the epoch");
	is_str(os_time_text(a, INT64_MAX, false), STR("9999-12-31T23:59:59Z"), "the last second");
	is_str(os_time_text(a, INT64_MIN, false), STR("0000-01-01T00:00:00Z"), "the first second");
	setenv("IKM_NOW", "2026-11-21T22:33:29Z", 1);
	is_str(os_time_text(a, os_now(), true), STR("2026-11-21T22:33:29.000Z"), "IKM_NOW sets it");
	setenv("IKM_NOW", "2024-02-29t00:15:00.25+01:30", 1);
	is_str(os_time_text(a, os_now(), true), STR("2024-02-28T22:45:00.250Z"), "with a zone");
	unsetenv("IKM_NOW");
	ok(os_ticks() <= os_ticks(), "ticks do not go back");
	os_random(one, sizeof(one));
	os_random(two, sizeof(two));
	ok(memcmp(one, two, sizeof(one)), "random bytes differ");
}

static int bad_now(void *now)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(null, 2);
	setenv("IKM_NOW", now, 1);
	return (int)(os_now() & 1);
}

static void bad_clock(void)
{
	static const char *const bad[] = {"now", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00",
					  "2026-01-01T24:00:00Z", "2026-01-01T00:00:00Zx"};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ok(WIFSIGNALED(dir_fork(bad_now, (void *)bad[i], false)), "IKM_NOW=%s is a BUG",
		   bad[i]);
}

static void environment(struct arena *a, const char *dir)
{
	const char *self = os_self(a), *cwd, *home = str_c(a, str_of(os_home()));

	setenv("IKM_X", "", 1);
	ok(!os_env("IKM_X") && !os_env("IKM_UNSET"), "empty is unset");
	setenv("IKM_X", "y", 1);
	is_str(str_of(os_env("IKM_X")), STR("y"), "a variable");
	setenv("HOME", "/h", 1);
	unsetenv("IKIGAI_HOME");
	is_str(str_of(os_home()), STR("/h"), "HOME counts");
	is_str(str_of(os_ikigai_home(a)), STR("/h/.ikigai"), "the home of ikigai");
	setenv("IKIGAI_HOME", "/i", 1);
	is_str(str_of(os_ikigai_home(a)), STR("/i"), "IKIGAI_HOME counts");
	unsetenv("HOME");
	ok(!os_home() || os_home()[0] == '/', "without HOME the password database is asked");
	setenv("HOME", home, 1);
	ok(self && str_ends(str_of(self), STR("/os")), "the running binary is known");
	works(os_cwd(a, &cwd), "the current folder");
	is_str(str_of(cwd), str_of(dir), "and it is this");
	ok(os_cores() >= 1, "there is a core");
	is_str(str_of(os_join(a, "a", "b")), STR("a/b"), "join");
	is_str(str_of(os_join(a, "a/", "b")), STR("a/b"), "join with a slash there");
	is_str(str_of(os_join(a, "", "b")), STR("b"), "join to nothing");
	is_str(str_of(os_join(a, "a", "")), STR("a"), "join nothing");
}

static int lost_cwd(void *ctx)
{
	struct arena *a = arena_new();
	const char *cwd;
	struct err *e;

	(void)ctx;
	mkdir("lost", 0755);
	if (chdir("lost") || rmdir("../lost"))
		return 2;
	e = os_cwd(a, &cwd);
	arena_free(a);
	return e && err_reason(e) == E_FILE_NOT_FOUND ? 0 : 1;
}

static void special_files(struct arena *a)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct str got;

	mkfifo("fifo", 0644);
	mkdir("folder", 0755);
	ok(!bind(s, (struct sockaddr *)&at, sizeof(at)), "a socket to try");
	fails(os_read_path(a, "fifo", MIB, &got), E_NOT_A_FILE,
	      "a FIFO is refused and does not block");
	fails(os_read_path(a, "socket", MIB, &got), E_NOT_A_FILE, "so is a socket");
	fails(os_read_path(a, "/dev/zero", MIB, &got), E_NOT_A_FILE, "so is a device");
	fails(os_read_path(a, "folder", MIB, &got), E_NOT_A_FILE, "so is a folder");
	fails(os_read_path(a, "", MIB, &got), E_BAD_PATH, "and an empty path");
	close(s);
}

static void reading(struct arena *a)
{
	struct err *e;
	struct str got;
	char *big = arena_alloc(a, 3 * MIB);

	memset(big, 'x', 3 * MIB - 1);
	dir_put("empty", "");
	dir_put("small", "one\n");
	dir_put("big", big);
	works(os_read_path(a, "empty", MIB, &got), "an empty file");
	is_int((long long)got.n, 0, "is empty");
	works(os_read_path(a, "small", 4, &got), "exactly the limit");
	is_str(got, STR("one\n"), "is whole");
	fails(os_read_path(a, "small", 3, &got), E_TOO_BIG, "one byte over the limit");
	fails(os_read_path(a, "big", MIB, &got), E_TOO_BIG, "far over it");
	works(os_read_path(a, "big", SIZE_MAX, &got), "no limit");
	ok(str_eq(got, (struct str){big, 3 * MIB - 1}), "is whole too");
	works(os_read_path(a, "/proc/self/status", MIB, &got), "a file that says it has 0 bytes");
	ok(str_starts(got, STR("Name:")), "has some");
	fails(os_read_path(a, "/proc/self/status", 10, &got), E_TOO_BIG, "and a limit");
	fails(e = os_read_path(a, "none", MIB, &got), E_FILE_NOT_FOUND, "a missing file");
	is_str(str_of(err_message(e)), STR("cannot read 'none': No such file or directory"),
	       "is named");
	fails(os_read_path(a, "small/x", MIB, &got), E_FILE_NOT_FOUND, "a file is no folder");
	ok(!symlink("loop", "loop"), "a loop of links");
	fails(os_read_path(a, "loop", MIB, &got), E_BAD_PATH, "ends");
}

static void descriptors(struct arena *a)
{
	struct str got;
	int fds[2];

	ok(!pipe2(fds, O_CLOEXEC | O_NONBLOCK), "a pipe");
	works(os_write_fd(fds[1], "pipe", STR("a\0b")), "a NUL is data");
	close(fds[1]);
	works(os_read_fd(a, fds[0], "pipe", MIB, &got), "a pipe is read to its end");
	is_str(got, STR("a\0b"), "whole");
	close(fds[0]);
	ok(!pipe2(fds, O_CLOEXEC), "a pipe");
	close(fds[0]);
	fails(os_write_fd(fds[1], "pipe", STR("x")), E_CLOSED_PIPE,
	      "a reader that left is an error");
	close(fds[1]);
	fds[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
	fails(os_write_fd(fds[1], "full", STR("x")), E_NO_SPACE, "so is a full disk");
	close(fds[1]);
	fds[0] = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	fails(os_read_fd(a, fds[0], "zero", MIB, &got), E_TOO_BIG, "what never ends has a limit");
	close(fds[0]);
}

static int slow_writer(void *fd)
{
	struct str all = {calloc(1, 5 * MIB), 5 * MIB};

	return os_write_fd(*(int *)fd, "pipe", all) != NULL;
}

/* More than a pipe holds, through a descriptor that somebody made non-blocking. */
static int non_blocking(void *ctx)
{
	struct arena *a = arena_new();
	struct str got = {0};
	int fds[2], bad = pipe2(fds, O_CLOEXEC | O_NONBLOCK);
	pid_t pid = fork();

	(void)ctx;
	if (!pid)
		_exit(slow_writer(&fds[1]));
	close(fds[1]);
	bad |= os_read_fd(a, fds[0], "pipe", 8 * MIB, &got) != NULL;
	bad |= got.n != 5 * MIB;
	arena_free(a);
	return bad;
}

static int unreadable(void *ctx)
{
	struct arena *a = arena_new();
	struct str got;
	struct strs names;
	struct err *e = os_read_path(a, "secret", MIB, &got);
	int bad = !e || err_reason(e) != E_PERMISSION;

	(void)ctx;
	e = os_list(a, "closed", &names);
	bad |= !e || err_reason(e) != E_PERMISSION;
	arena_free(a);
	return bad;
}

static void looking(struct arena *a, const char *dir)
{
	struct strs names;
	struct os_stat st;
	struct str target;
	const char *real;

	works(os_stat("none", true, &st), "what is not there");
	is_int(st.kind, OS_NONE, "is nothing");
	works(os_stat("small/x", true, &st), "below a file");
	is_int(st.kind, OS_NONE, "is nothing either");
	works(os_stat("small", true, &st), "a file");
	ok(st.kind == OS_FILE && st.size == 4 && st.mode == 0644 && st.ino && st.mtime_ns,
	   "is told");
	ok(!symlink("folder", "link") && !symlink("gone", "dangling"), "links");
	works(os_stat("link", true, &st), "through a link");
	is_int(st.kind, OS_DIR, "is a folder");
	works(os_stat("link", false, &st), "not through it");
	is_int(st.kind, OS_LINK, "is a link");
	works(os_stat("dangling", true, &st), "a dangling link");
	is_int(st.kind, OS_NONE, "leads to nothing");
	works(os_stat("fifo", true, &st), "a FIFO");
	is_int(st.kind, OS_OTHER, "is something else");
	dir_put("folder/b", "");
	dir_put("folder/.a", "");
	dir_put("folder/\xff\n", "");
	works(os_list(a, "folder", &names), "a folder's names");
	is_str(str_join(a, &names, "|"), STR(".a|b|\xff\n"), "are sorted");
	fails(os_list(a, "none", &names), E_FILE_NOT_FOUND, "no folder");
	fails(os_list(a, "small", &names), E_NOT_A_FILE, "a file is no folder");
	works(os_readlink(a, "link", &target), "a link");
	is_str(target, STR("folder"), "has a target");
	fails(os_readlink(a, "small", &target), E_BAD_PATH, "a file has none");
	fails(os_readlink(a, "none", &target), E_FILE_NOT_FOUND, "nothing has none");
	works(os_realpath(a, "link/../link/b", &real), "the physical path");
	is_str(str_of(real), str_fmt(a, "%s/folder/b", dir), "is absolute, without links");
	fails(os_realpath(a, "dangling", &real), E_FILE_NOT_FOUND, "of what exists");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	clock_and_random(a);
	bad_clock();
	environment(a, dir);
	ok(!dir_fork(lost_cwd, NULL, false), "a removed current folder is an error");
	special_files(a);
	reading(a);
	descriptors(a);
	ok(!dir_fork(non_blocking, NULL, false), "non-blocking descriptors are waited for");
	looking(a, dir);
	dir_put("secret", "s");
	ok(!chmod("secret", 0) && !mkdir("closed", 0), "what others may not read");
	ok(!dir_fork(unreadable, NULL, true), "no permission is said so");
	arena_free(a);
	return tap_done();
}
