/* Several children at once, the kept part of their output, and that no child stays. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define MIB ((size_t)1 << 20)

struct seen {
	struct arena *a;
	struct {
		enum err_reason reason;
		bool failed;
		int status;
		struct str out;
	} of[400];
	size_t order[400], n;
};

static void done(void *ctx, size_t i, struct err *e, const struct os_result *r)
{
	struct seen *s = ctx;

	s->of[i].failed = e != NULL;
	s->of[i].reason = e ? err_reason(e) : 0;
	s->of[i].status = r->status;
	s->of[i].out = str_dup(s->a, r->out);
	s->order[s->n++] = i;
}

static size_t open_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) != -1;
	return n;
}

static bool no_children(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0;
}

static void together(struct arena *a)
{
	struct seen *seen = ARENA_NEW(a, struct seen);
	const char *script[] = {
		"echo 0; while ! [ -e two ]; do sleep 0.01; done",
		"exit 7",
		"echo 2; >two; kill -9 $$",
		"sleep 1000",
		"yes",
		"head -c 100000 /dev/zero; exit 1",
	};
	const char *argv[ARRAY_SIZE(script) + 1][4], *none[] = {"./no-such-program", NULL};
	struct os_spawn s[ARRAY_SIZE(script) + 1];
	size_t n = ARRAY_SIZE(script), files = open_files();

	seen->a = a;
	for (size_t i = 0; i <= n; i++) {
		argv[i][0] = "sh";
		argv[i][1] = "-c";
		argv[i][2] = i < n ? script[i] : NULL;
		argv[i][3] = NULL;
		s[i] = (struct os_spawn){.argv = i < n ? argv[i] : none,
					 .timeout_ms = i == 3 ? 200 : 60000,
					 .out_max = 65536};
	}
	s[0].contain = true;
	works(os_spawn_many(s, n + 1, 2, done, seen), "seven, two at once");
	is_int((long long)seen->n, (long long)n + 1, "each is told of once");
	ok(!seen->of[0].failed, "one that waits for the third");
	is_str(seen->of[0].out, STR("0\n"), "has its own output");
	is_int(seen->of[1].status, 7, "a status");
	is_int(seen->of[2].status, 137, "a signal");
	is_str(seen->of[2].out, STR("2\n"), "and what came before it");
	ok(seen->of[3].reason == E_TOOK_TOO_LONG, "one that takes too long");
	ok(seen->of[4].reason == E_TOO_BIG, "one that writes too much for ever");
	ok(seen->of[5].reason == E_TOO_BIG, "and once");
	ok(seen->of[6].reason == E_NO_PROGRAM, "one that is not there");
	is_int((long long)seen->order[0], 1, "told as they end");
	ok(open_files() == files, "no descriptor is left");
	ok(no_children(), "no zombie either");
	works(os_spawn_many(s, 0, 4, done, seen), "none at all");
}

/* Too few descriptors for all of them: they take turns. */
static int few_descriptors(void *ctx)
{
	struct arena *a = arena_new();
	struct seen *seen = ARENA_NEW(a, struct seen);
	const char *argv[] = {"sh", "-c", "sleep 0.05; echo x", NULL};
	struct os_spawn s[20];
	struct rlimit limit = {24, 24};
	size_t good = 0;

	(void)ctx;
	seen->a = a;
	for (size_t i = 0; i < 20; i++)
		s[i] = (struct os_spawn){.argv = argv, .timeout_ms = 60000};
	if (setrlimit(RLIMIT_NOFILE, &limit) || os_spawn_many(s, 20, 20, done, seen))
		return 50;
	for (size_t i = 0; i < 20; i++)
		good += !seen->of[i].failed && str_is(seen->of[i].out, "x\n");
	arena_free(a);
	return (int)(20 - good);
}

/* A signal that would end us ends the children too, and no more are started. */
static int stopped(void *ctx)
{
	struct arena *a = arena_new();
	struct seen *seen = ARENA_NEW(a, struct seen);
	const char *argv[] = {"sh", "-c", "echo $$ >>pids; >ready; exec sleep 1000", NULL};
	struct os_spawn s[10];

	(void)ctx;
	seen->a = a;
	for (size_t i = 0; i < 10; i++)
		s[i] = (struct os_spawn){.argv = argv};
	if (os_spawn_many(s, 10, 1, done, seen))
		return 50;
	return 51; /* the signal should have ended us before */
}

static void signals(struct arena *a)
{
	struct str pids, line;
	struct os_stat st = {0};
	int status = 0;
	int64_t one = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(stopped(NULL));
	for (int i = 0; i < 3000 && st.kind == OS_NONE; i++) {
		usleep(10000);
		if (os_stat("ready", true, &st))
			break;
	}
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "a signal ends us");
	works(os_read_path(a, "pids", 1000, &pids), "those that had begun");
	ok(str_next_line(&pids, &line) && str_int(line, &one), "are one");
	ok(!pids.n, "and no more");
	ok(kill((pid_t)one, 0), "which is gone");
}

static void kept(struct arena *a)
{
	const char *argv[] = {"sh", "-c", "head -c 300000 /dev/zero; echo end >&2; exit 3", NULL};
	struct os_spawn s = {.argv = argv, .out_keep = 1000, .err_keep = 2, .both = true};
	struct os_result r;

	works(os_run(a, &s, &r), "more than is kept");
	is_int(r.status, 3, "does not disturb it");
	is_int((long long)r.out.n, 1000, "what is kept");
	is_int((long long)r.out_lost, 299000, "what is lost");
	is_str(r.err, STR("en"), "of the errors too");
	is_int((long long)r.err_lost, 2, "is counted");
	is_int((long long)r.both.n, 1002, "both together");
	argv[2] = "echo 1 >&2; echo 2; echo 3 >&2; echo 4 >&2; echo 5; echo 6; echo 7 >&2";
	s.out_keep = s.err_keep = 100;
	for (int i = 0; i < 20; i++) {
		works(os_run(a, &s, &r), "in turns");
		is_str(r.both, STR("1\n2\n3\n4\n5\n6\n7\n"), "in their order");
	}
	argv[2] = "head -c 200000 /dev/zero; head -c 200000 /dev/zero | tr '\\0' x >&2; echo end";
	s.out_keep = s.err_keep = MIB;
	works(os_run(a, &s, &r), "more than a pipe holds, one after the other");
	is_int((long long)r.both.n, 400004, "is whole");
	ok(str_find_char(r.both, 'x', 0) == 200000 && str_ends(r.both, STR("xend\n")),
	   "and in order");
	s = (struct os_spawn){.argv = argv, .timeout_ms = 300};
	argv[2] = "echo before; echo err >&2; exec sleep 1000";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that takes too long");
	is_str(r.out, STR("before\n"), "what it wrote before is there");
	is_str(r.err, STR("err\n"), "its errors too");
}

static bool reached(struct arena *a, const char *file, int signal)
{
	struct str text;
	int64_t pid = 0;

	if (os_read_path(a, file, 100, &text) || !str_int(str_trim(text), &pid))
		BUG("no process number in %s", file);
	return !kill((pid_t)pid, signal);
}

/* The daemon that a call has left, as only a call without /proc may do. Then it is ended here. */
static void is_over(struct arena *a, const char *what)
{
	struct os_stat proc;

	works(os_stat(OS_PROC_SELF, true, &proc), "whether /proc is there");
	ok(reached(a, "pid", 0) == (proc.kind == OS_NONE), "%s", what);
	if (proc.kind == OS_NONE)
		reached(a, "pid", SIGKILL);
}

/* A daemon by the textbook: two forks and a session, with or without open pipes. */
static void contained(struct arena *a)
{
	const char *argv[] = {"sh", "-c", NULL, NULL}, *cat[] = {"cat", NULL};
	struct os_spawn s = {.argv = argv, .contain = true}, peer = {.argv = cat};
	struct os_result r;
	struct arena *b = arena_new();
	struct os_coprocess *p;
	size_t files = open_files();
	char c = 0;
	int was = -1;

#define DAEMON                                                                                     \
	"(setsid sh -c 'echo $$ >pid; >up; exec sleep 1000' & ) ; "                                \
	"while ! [ -e up ]; do sleep 0.01; done; "
	argv[2] = DAEMON "echo out";
	works(os_run(a, &s, &r), "one that leaves a daemon");
	is_str(r.out, STR("out\n"), "is not waited for, though it holds the pipe");
	is_over(a, "and is gone when the call is over");
	ok(no_children(), "without a zombie");
	unlink("up");
	s.timeout_ms = 300;
	argv[2] = DAEMON "sleep 1000";
	fails(os_run(a, &s, &r), E_TOOK_TOO_LONG, "one that takes too long with a daemon");
	is_over(a, "leaves none");
	argv[2] = "for i in 1 2 3 4 5 6 7 8; do (setsid sh -c '"
		  "setsid sh -c \"setsid sleep 100 & sleep 100\" & sleep 100' & ); done; "
		  "echo $$ >pid; sleep 0.2";
	s.timeout_ms = 0;
	works(os_run(a, &s, &r), "daemons of daemons");
	ok(no_children(), "none is left");
	works(os_coprocess_new(b, &peer, &p), "a peer from before");
	argv[2] = "true";
	works(os_run(a, &s, &r), "a call beside it");
	works(os_write_fd(p->to, "cat", STR("x")), "the peer still hears");
	ok(read(p->from, &c, 1) == 1 && c == 'x', "and answers");
	arena_free(b);
	ok(open_files() == files, "no descriptor is left");
	ok(!prctl(PR_GET_CHILD_SUBREAPER, &was) && !was, "orphans go where they went before");
	unlink("up");
	s.contain = false;
	argv[2] = DAEMON "true";
	works(os_run(a, &s, &r), "without containing");
	ok(reached(a, "pid", 0), "a daemon lives on");
	argv[2] = "kill -9 $(cat pid)";
	works(os_run(a, &s, &r), "until somebody ends it");
}

int main(void)
{
	struct arena *a = arena_new();

	signal(SIGPIPE, SIG_IGN);
	dir_fresh(a);
	together(a);
	is_int(dir_fork(few_descriptors, NULL, false), 0, "twenty with descriptors for few");
	signals(a);
	kept(a);
	contained(a);
	arena_free(a);
	return tap_done();
}
