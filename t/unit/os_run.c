/* Children: their input, their result, and that no child hangs or stays. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#define MIB ((size_t)1 << 20)

static struct err *sh(struct arena *a, const char *script, struct str in, struct os_result *out)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct os_spawn s = {.argv = argv, .in = in};

	return os_run(a, &s, out);
}

static struct str pattern(struct arena *a, size_t n)
{
	char *p = arena_alloc(a, n);

	for (size_t i = 0; i < n; i++)
		p[i] = (char)(i * 31 + (i >> 10));
	return (struct str){p, n};
}

static void results(struct arena *a)
{
	struct os_result r;

	works(sh(a, "echo out; echo err >&2; exit 3", STR(""), &r), "a child");
	is_int(r.status, 3, "its status");
	is_str(r.out, STR("out\n"), "its output");
	is_str(r.err, STR("err\n"), "its errors");
	works(sh(a, "kill -9 $$", STR(""), &r), "a child that is killed");
	is_int(r.status, 137, "128 and the signal");
	works(sh(a, "trap - PIPE; kill -PIPE $$", STR(""), &r), "a child that gets SIGPIPE");
	is_int(r.status, 141, "which we do not make it ignore");
	works(sh(a, "cat; printf x", STR("a\0b"), &r), "a NUL is data");
	is_str(r.out, STR("a\0bx"), "both ways");
	works(sh(a, "cat", STR(""), &r), "no input");
	is_int(r.status, 0, "is its end at once");
}

static void all_at_once(struct arena *a)
{
	struct os_result r;
	struct str in = pattern(a, 4 * MIB), zeros;

	zeros = (struct str){arena_alloc(a, 3 * MIB), 3 * MIB};
	works(sh(a, "head -c 3145728 /dev/zero >&2; head -c 3145728 /dev/zero; cat", in, &r),
	      "errors, output and input, each more than a pipe holds");
	ok(str_eq(r.err, zeros), "the errors are whole");
	ok(r.out.n == 7 * MIB && str_eq(str_sub(r.out, 0, 3 * MIB), zeros) &&
		   str_eq(str_sub(r.out, 3 * MIB, r.out.n), in),
	   "the output is whole");
	works(sh(a, "cat >&2 & cat <&0; wait", in, &r), "cat to both");
	works(sh(a, "exec 0<&-; echo done", in, &r), "a child that closes its input");
	is_str(r.out, STR("done\n"), "does not end us");
	works(sh(a, "head -c 10 >&2", in, &r), "a child that reads a part");
	is_str(r.err, str_sub(in, 0, 10), "got it");
}

static void limits(struct arena *a)
{
	const char *argv[] = {"sh", "-c", "printf 12345; printf 1234 >&2", NULL};
	struct os_spawn s = {.argv = argv, .out_max = 5};
	struct os_result r;

	works(os_run(a, &s, &r), "exactly the limit");
	is_str(r.out, STR("12345"), "is whole");
	s.out_max = 4;
	fails(os_run(a, &s, &r), E_TOO_BIG, "one byte more");
	argv[2] = "yes";
	s.out_max = MIB;
	fails(os_run(a, &s, &r), E_TOO_BIG, "a child that writes for ever");
	argv[2] = "yes >&2";
	fails(os_run(a, &s, &r), E_TOO_BIG, "to its errors");
}

/* Does the process whose number is in the file still live (a zombie does not)? */
static bool lives(struct arena *a, const char *file)
{
	struct str text, stat;
	int64_t pid = 0;

	if (os_read_path(a, file, 100, &text) || !str_int(str_trim(text), &pid))
		BUG("no process number in %s", file);
	/* A killed process may not have ended yet. */
	for (int i = 0; i < 500; i++) {
		const char *path = str_c(a, str_fmt(a, "/proc/%lld/stat", (long long)pid));

		if (os_read_path(a, path, MIB, &stat) || str_find(stat, STR(") Z "), 0) != SIZE_MAX)
			return false;
		usleep(10000);
	}
	return true;
}

static void ends(struct arena *a)
{
	const char *argv[] = {"sh", "-c", "echo $$ >pid; exec sleep 1000", NULL};
	struct os_spawn s = {.argv = argv, .timeout_ms = 200};
	struct os_result r;

	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "a child that takes too long");
	ok(!lives(a, "pid"), "is ended");
	argv[2] = "trap '' TERM; sleep 1000 & echo $! >pid; while :; do wait; done";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that ignores TERM");
	ok(!lives(a, "pid"), "is ended with its children");
	argv[2] = "trap 'echo bye; exit 7' TERM; sleep 1000 & wait";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that ends well at TERM took too long too");
	s.timeout_ms = 600; /* a busy machine needs a while to start it */
	argv[2] = "trap 'exit 7' TERM; kill -STOP $$; while :; do :; done";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that stopped itself");
	is_int(r.status, 7, "hears of it");
	argv[2] = "exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 10; open(F, \">outlived\")'";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that would join another group");
	ok(access("outlived", F_OK), "is ended all the same");
	s.timeout_ms = 60000;
	argv[2] = "ls >/dev/null; true </dev/tty";
	works(os_run(a, &s, &r), "one that asks at the terminal");
	ok(r.status && str_find(r.err, STR("/dev/tty"), 0) != SIZE_MAX, "has none, and goes on");
	s.timeout_ms = 60000;
	argv[2] = "exit 5";
	works(os_run(a, &s, &r), "one that is in time");
	is_int(r.status, 5, "is not disturbed");
	works(sh(a, "sleep 1000 & echo $! >pid; echo out", STR(""), &r), "one that leaves a child");
	is_str(r.out, STR("out\n"), "which holds the pipe");
	ok(!lives(a, "pid"), "and is ended");
	/* pid is there from the test before. */
	works(sh(a,
		 "rm -f pid; setsid sh -c 'echo $$ >pid; echo daemon; exec sleep 1000' & "
		 "while ! [ -s pid2 ]; do cp pid pid2; done 2>/dev/null; echo out",
		 STR(""), &r),
	      "a daemon with a session of its own does not hold us");
	ok(str_find(r.out, STR("out\n"), 0) != SIZE_MAX, "what was written is there");
	works(sh(a, "kill -9 $(cat pid2)", STR(""), &r), "nor is it ours to end");
}

/* The error for an executable file with this text. */
static void not_run(struct arena *a, const char *dir, const char *text, const char *why)
{
	const char *script = str_fmt(a, "%s/script", dir).p;
	const char *argv[] = {script, NULL};
	struct os_spawn s = {.argv = argv};
	struct os_result r;
	struct err *e;

	dir_put("script", text);
	fails(e = os_run(a, &s, &r), E_NO_PROGRAM, why);
	is_str(str_of(e ? err_message(e) : ""), str_fmt(a, "cannot run '%s': %s", script, why),
	       "is told");
}

static void programs(struct arena *a, const char *dir)
{
	const char *none[] = {"ikm-no-such-program", NULL}, *here[] = {"./script", NULL};
	struct os_spawn s = {.argv = none};
	struct os_result r;
	struct err *e;
	const char *env[] = {"PATH=.::none", NULL}, *why;

	fails(e = os_run(a, &s, &r), E_NO_PROGRAM, "a program that is not there");
	is_str(str_of(err_message(e)),
	       STR("cannot run 'ikm-no-such-program': there is no such program in PATH"),
	       "is named");
	s.argv = here;
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "nor by its path");
	dir_put("script", "#!/bin/sh\necho \"$0\"; pwd\n");
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "not executable");
	ok(!chmod("script", 0755), "make it so");
	works(os_run(a, &s, &r), "a script by its path");
	here[0] = "script";
	s.env = env;
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "relative entries of PATH do not count");
	here[0] = "./script";
	why = str_fmt(a, "its first line names '%s/none', which does not exist", dir).p;
	not_run(a, dir, str_fmt(a, "#! %s/none -x\n", dir).p, why);
	not_run(a, dir, str_fmt(a, "#!%s/none\t-x\n", dir).p, why);
	not_run(a, dir, "#!/bin/sh\r\necho\r\n",
		"its first line ends with a carriage return: give it the line ends of Unix");
	not_run(a, dir, "echo\n",
		"it is no program for this machine, and no script that begins with '#!'");
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "nor by a relative path");
	here[0] = "";
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "no name");
	here[0] = "/";
	fails(os_run(a, &s, &r), E_NO_PROGRAM, "a folder");
}

static void places(struct arena *a, const char *dir)
{
	const char *argv[] = {"sh", "-c", "pwd -P; cat", NULL};
	struct os_spawn s = {.argv = argv, .cwd = "sub"};
	struct os_result r;
	int more = 0;

	mkdir("sub", 0755);
	dir_put("input", "from a file\n");
	s.in_fd = open("input", O_RDONLY | O_CLOEXEC);
	works(os_run(a, &s, &r), "in another folder, from a descriptor");
	is_str(r.out, str_fmt(a, "%s/sub\nfrom a file\n", dir), "it is there and reads that");
	ok(fcntl(s.in_fd, F_GETFD) == FD_CLOEXEC, "the descriptor stays ours");
	close(s.in_fd);
	s.in_fd = 0;
	s.cwd = "input";
	fails(os_run(a, &s, &r), E_FILE_NOT_FOUND, "a file is no folder to run in");
	s.cwd = "gone";
	fails(os_run(a, &s, &r), E_FILE_NOT_FOUND, "nor is nothing");
	works(sh(a, "ls /proc/self/fd | wc -l", STR(""), &r), "what a child has open");
	/* Our parent may have left us more descriptors. */
	for (int fd = 3; fd < 1024; fd++)
		more += fcntl(fd, F_GETFD) == 0;
	is_str(str_trim(r.out), str_fmt(a, "%d", 4 + more), "is 0, 1, 2 and what ls opens");
}

static void environment(struct arena *a)
{
	const char *argv[] = {"env", NULL};
	const char *env[] = {"ADDED=1", "CHANGED=old", "CHANGED=new", "REMOVED", "ALSO=", NULL};
	struct os_spawn s = {.argv = argv, .env = env};
	struct os_result r;
	struct str line, rest, seen = {0};
	struct strs all = {0};

	setenv("REMOVED", "x", 1);
	setenv("CHANGED", "x", 1);
	setenv("IKM_MCP_TOKEN", "secret", 1);
	setenv("IKM_DATABASE_URL", "secret", 1);
	setenv("IKM_SIGNING_KEY_FILE", "secret", 1);
	setenv("IKM_USER", "ada", 1);
	setenv("GIT_DIR", "/x", 1);
	works(os_run(a, &s, &r), "with changes");
	for (rest = r.out; str_next_line(&rest, &line);)
		strs_push(a, &all, line);
	ok(strs_has(&all, STR("ADDED=1")) && strs_has(&all, STR("ALSO=")), "added");
	ok(strs_has(&all, STR("CHANGED=new")), "changed");
	ok(!strs_has(&all, STR("CHANGED=old")) && !strs_has(&all, STR("CHANGED=x")), "once");
	ok(str_find(r.out, STR("REMOVED"), 0) == SIZE_MAX, "removed");
	ok(str_find(r.out, STR("secret"), 0) == SIZE_MAX, "no secret of ours");
	ok(strs_has(&all, STR("IKM_USER=ada")), "what is none stays");
	ok(strs_has(&all, STR("GIT_DIR=/x")), "the repository stays");
	unsetenv("GIT_DIR");
	works(sh(a, "git rev-parse --local-env-vars", STR(""), &r), "git's list");
	ok(r.status || r.out.n > 100, "is one");
	for (rest = str_dup(a, r.out); str_next_line(&rest, &line);)
		setenv(str_c(a, line), "local", 1);
	setenv("GIT_CEILING_DIRECTORIES", "/y", 1);
	s.clear_git = true;
	works(os_run(a, &s, &r), "without a repository");
	ok(str_find(r.out, STR("local\n"), 0) == SIZE_MAX, "no variable of git's list is left");
	ok(str_find(r.out, STR("GIT_CEILING_DIRECTORIES=/y\n"), 0) != SIZE_MAX, "others are");
	works(sh(a, "git rev-parse --local-env-vars", STR(""), &r), "once more");
	for (rest = str_dup(a, r.out); str_next_line(&rest, &seen);)
		unsetenv(str_c(a, seen));
}

/* ---- signals ---- */

/* The parent's part: waits until the child is ready, sends, and gives our status. */
static int signalled(int (*fn)(void *), int sig)
{
	struct os_stat st = {0};
	int status = 0;
	pid_t pid;

	unlink("ready");
	unlink("go");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		/* A shell that starts us in the background makes us ignore some signals. */
		signal(sig, SIG_DFL);
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		_exit(fn(NULL));
	}
	for (int i = 0; i < 3000 && st.kind == OS_NONE; i++) {
		usleep(10000);
		if (os_stat("ready", true, &st))
			break;
	}
	kill(pid, sig);
	dir_put("go", "");
	waitpid(pid, &status, 0);
	return status;
}

static int run_trapper(void *ctx)
{
	struct arena *a = arena_new();
	struct os_result r;

	(void)ctx;
	if (sh(a,
	       "trap 'echo got >heard; exit' INT QUIT TERM HUP; sleep 1000 & echo $! >pid; >ready; wait",
	       STR(""), &r))
		return 50;
	return 51; /* the signal should have ended us before */
}

static int run_deaf(void *ctx)
{
	struct arena *a = arena_new();
	struct os_result r;

	(void)ctx;
	if (sh(a, "trap '' INT TERM HUP; echo $$ >pid; >ready; sleep 1000", STR(""), &r))
		return 50;
	return 51;
}

static int run_ignoring(void *ctx)
{
	struct arena *a = arena_new();
	struct os_result r;

	(void)ctx;
	signal(SIGHUP, SIG_IGN);
	if (sh(a, ">ready; while ! [ -e go ]; do sleep 0.01; done; kill -HUP $$; exit 9", STR(""),
	       &r))
		return 50;
	return r.status;
}

static int run_slow(void *ctx)
{
	struct arena *a = arena_new();
	/* It starts no second child, which would wait in another state. */
	const char *argv[] = {"sh", "-c",
			      "echo $$ >pid; >ready; until [ -e go-on ]; do :; done; exit 7", NULL};
	struct os_spawn s = {.argv = argv, .timeout_ms = 1500};
	struct os_result r;

	(void)ctx;
	return os_run(a, &s, &r) ? 50 : r.status;
}

/* The state of the process whose number is in the file "pid". */
static char state(struct arena *a)
{
	struct str text, stat;
	int64_t pid = 0;

	if (os_read_path(a, "pid", 100, &text) || !str_int(str_trim(text), &pid) ||
	    os_read_path(a, str_fmt(a, "/proc/%lld/stat", (long long)pid).p, MIB, &stat))
		return 0;
	return stat.p[str_rfind_char(stat, ')') + 2];
}

/* Ctrl-Z, for longer than the child may take, and fg. */
static void stopped(struct arena *a)
{
	int status = 0;
	pid_t pid;

	unlink("ready");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		signal(SIGTSTP, SIG_DFL);
		_exit(run_slow(NULL));
	}
	for (int i = 0; i < 3000 && access("ready", F_OK); i++)
		usleep(1000);
	kill(pid, SIGTSTP);
	ok(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status), "we stop");
	for (int i = 0; i < 3000 && state(a) != 'T'; i++)
		usleep(1000);
	is_int(state(a), 'T', "and the child with us");
	usleep(1600 * 1000);
	dir_put("go-on", "");
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 7, "it goes on, and has its time");
}

static void signals(struct arena *a)
{
	static const int all[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		unlink("heard");
		status = signalled(run_trapper, all[i]);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == all[i], "signal %d ends us", all[i]);
		ok(!access("heard", F_OK), "and the child heard it");
		ok(!lives(a, "pid"), "and nothing is left");
	}
	status = signalled(run_deaf, SIGTERM);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "a deaf child does not hold us");
	ok(!lives(a, "pid"), "and is gone");
	status = signalled(run_ignoring, SIGHUP);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 9, "what we ignore, it ignores");
	stopped(a);
}

/* ---- peers, odd conditions ---- */

static void peers(struct arena *parent)
{
	struct arena *a = arena_new();
	const char *argv[] = {"sh", "-c", "echo $$ >pid; echo noise >&2; exec cat", NULL};
	const char *none[] = {"ikm-no-such-program", NULL};
	struct os_spawn s = {.argv = argv};
	struct os_coprocess *p;
	struct str big = pattern(parent, 3000), got = {0};
	char back[3000];
	size_t n = 0;
	ssize_t more = 1;

	works(os_coprocess_new(a, &s, &p), "a peer");
	for (int i = 0; i < 3; i++) {
		works(os_write_fd(p->to, "cat", big), "is told something");
		for (n = 0; n < big.n && more > 0; n += more > 0 ? (size_t)more : 0)
			more = read(p->from, back + n, big.n - n);
		ok(!memcmp(back, big.p, big.n), "and answers");
	}
	arena_free(a);
	ok(!lives(parent, "pid"), "it ends with the arena");
	a = arena_new();
	argv[2] = "exit 0";
	works(os_coprocess_new(a, &s, &p), "a peer that dies");
	works(os_read_fd(a, p->from, "peer", MIB, &got), "its output ends");
	fails(os_write_fd(p->to, "peer", pattern(a, MIB)), E_CLOSED_PIPE,
	      "and writing is an error");
	s.argv = none;
	fails(os_coprocess_new(a, &s, &p), E_NO_PROGRAM, "a peer that is not there");
	arena_free(a);
}

/* Started with some of 0, 1 and 2 closed, as daemons are: pipes get these numbers. */
static int closed_standard(void *ctx)
{
	struct arena *a = arena_new();
	const char *argv[] = {"sh", "-c", "cat; echo err >&2", NULL}, *cat[] = {"cat", NULL};
	struct os_spawn s = {.argv = argv, .in = STR("in"), .timeout_ms = 20000},
			peer = {.argv = cat};
	struct os_result r;
	struct os_coprocess *p;
	char c = 0;
	int bad;

	for (int i = 0; i < 3; i++)
		if (*(int *)ctx & 1 << i)
			close(i);
	bad = os_run(a, &s, &r) || !str_is(r.out, "in") || !str_is(r.err, "err\n");
	s.in = STR("");
	/* 0 would mean no limit. */
	s.in_fd = fcntl(open("input", O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 1);
	bad |= os_run(a, &s, &r) || !str_is(r.out, "from a file\n") ? 2 : 0;
	bad |= os_coprocess_new(a, &peer, &p) || os_write_fd(p->to, "cat", STR("x")) ||
	       read(p->from, &c, 1) != 1 || c != 'x';
	arena_free(a);
	return bad;
}

/* With SIGPIPE blocked and pending, or ignored, by our caller: it stays so. */
static int sigpipe_kept(void *ctx)
{
	struct arena *a = arena_new();
	struct str in = pattern(a, MIB);
	struct os_result r;
	sigset_t set, after;
	int bad;

	(void)ctx;
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	bad = sh(a, "exit 0", in, &r) != NULL;
	sigpending(&after);
	bad |= sigismember(&after, SIGPIPE) ? 2 : 0;
	raise(SIGPIPE);
	bad |= sh(a, "exit 0", in, &r) ? 4 : 0;
	sigpending(&after);
	bad |= sigismember(&after, SIGPIPE) ? 0 : 8;
	arena_free(a);
	return bad;
}

/* Programs that ignore SIGPIPE must not make their children do so. */
static int sigpipe_ignored(void *ctx)
{
	struct arena *a = arena_new();
	struct os_result r;

	(void)ctx;
	signal(SIGPIPE, SIG_IGN);
	return sh(a, "kill -PIPE $$; exit 3", STR(""), &r) || r.status != 128 + SIGPIPE;
}

static int no_descriptors(void *ctx)
{
	struct arena *a = arena_new();
	struct os_result r;
	int fds[1024], n = 0, bad = 0;
	struct err *e;

	(void)ctx;
	while (n < 1024 && (fds[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		n++;
	/* With any number of descriptors left it works or gives the reason, and leaves none
	 * open. */
	for (int left = 0; left < 12 && left < n; left++) {
		int before = dup(0), after;

		if (before >= 0)
			close(before);
		e = sh(a, "echo x", STR(""), &r);
		bad |= e ? err_reason(e) != E_TOO_MANY_FILES : !str_is(r.out, "x\n");
		after = dup(0);
		if (after >= 0)
			close(after);
		bad |= after != before ? 2 : 0;
		close(fds[n - 1 - left]);
	}
	arena_free(a);
	return bad;
}

/* In the background a child cannot read the terminal, so a program that asks the user must stay
 * with us. */
static void foreground(struct arena *a)
{
	const char *argv[] = {"sh", "-c", "cut -d' ' -f5 /proc/$$/stat; sleep 1000 & echo $!",
			      NULL};
	struct os_spawn s = {.argv = argv, .timeout_ms = 300000};
	const char *end[] = {"sh", "-c", "kill $0", NULL, NULL};
	struct str group, child;
	struct os_result r;
	int64_t n = 0;

	works(os_run(a, &s, &r), "a child of its own group");
	ok(str_next_line(&r.out, &group) && str_int(group, &n) && n != getpgrp(), "is not in ours");
	s.foreground = true;
	works(os_run(a, &s, &r), "a child in the foreground");
	ok(str_next_line(&r.out, &group) && str_int(group, &n) && n == getpgrp(),
	   "is in our group");
	ok(str_next_line(&r.out, &child), "what it started");
	end[3] = str_c(a, child);
	works(os_run(a, &(struct os_spawn){.argv = end}, &r), "lives on");
	is_int(r.status, 0, "until it is ended");
	argv[2] = "exec sleep 1000";
	s.timeout_ms = 10;
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "a foreground child that takes too long");

	/* As the terminal does it: to the child and to us. A shell's children cannot trap a signal
	 * that was ignored at their start, and a background job ignores both. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	argv[2] =
		"trap 'echo asked' INT QUIT; kill -INT $PPID $$; kill -QUIT $PPID $$; echo goes on";
	s.timeout_ms = 300000;
	s.interactive = true;
	works(os_run(a, &s, &r), "an interrupted editor");
	is_str(r.out, STR("asked\nasked\ngoes on\n"), "has it to itself, and we live");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	results(a);
	all_at_once(a);
	limits(a);
	ends(a);
	programs(a, dir);
	places(a, dir);
	environment(a);
	signals(a);
	peers(a);
	foreground(a);
	for (int set = 0; set < 8; set++)
		is_int(dir_fork(closed_standard, &set, false), 0,
		       "with standard descriptors closed");
	is_int(dir_fork(sigpipe_kept, NULL, false), 0, "a caller's SIGPIPE is left alone");
	is_int(dir_fork(sigpipe_ignored, NULL, false), 0, "a child does not ignore SIGPIPE");
	is_int(dir_fork(no_descriptors, NULL, false), 0, "without descriptors it fails cleanly");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no zombie is left");
	arena_free(a);
	return tap_done();
}
