/* A server of lines and its workers, talked to over two pipes as a client would. */
#include "tap.h"
#include "os/os.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_MAX ((size_t)1 << 20)
#define MIB      ((size_t)1 << 20)
/* Sanitizers keep what was freed. */
#ifdef __SANITIZE_ADDRESS__
#define SLACK (256 * MIB)
#else
#define SLACK MIB
#endif

/* ---- the server: does what lines say ---- */

struct server {
	struct os_task *last; /* the task that "cancel" is about */
};

static bool is(struct str line, const char *word, struct str *rest)
{
	*rest = str_sub(line, strlen(word), line.n);
	return str_starts(line, str_of(word));
}

static int64_t number(struct str s)
{
	int64_t n = 0;

	return str_int(str_trim(s), &n) ? n : 0;
}

PRINTF(2, 3) static void put(struct os_serve *s, const char *fmt, ...)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	os_serve_write_line(s, buf_as_str(&b));
	arena_free(a);
}

static void flood(struct os_serve *s, size_t bytes)
{
	static char x[64 * 1024];

	memset(x, 'x', sizeof(x));
	for (size_t i = 0; i < bytes; i += sizeof(x))
		os_serve_write_line(s, (struct str){x, sizeof(x) - 1});
}

/* No more descriptors than there are; on false as many as before. */
static void limit(bool on)
{
	struct rlimit r;
	int next = dup(STDIN_FILENO);

	close(next);
	getrlimit(RLIMIT_NOFILE, &r);
	r.rlim_cur = on ? (rlim_t)next : r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

static void on_long_line(struct os_serve *s, void *ctx, struct str piece, bool end)
{
	(void)ctx, (void)piece;
	if (end)
		put(s, "over");
}

static void on_line(struct os_serve *s, void *ctx, struct str line)
{
	struct server *my = ctx;
	struct str rest;

	if (is(line, "keep ", &rest) || is(line, "once ", &rest))
		my->last = os_serve_add_job(s, rest, my, OS_POOL_READ, line.p[0] == 'k');
	else if (is(line, "cancel", &rest))
		os_serve_cancel(s, my->last);
	else if (is(line, "renew", &rest))
		os_serve_renew_workers(s);
	else if (is(line, "hold ", &rest))
		os_serve_pause_jobs(s, (unsigned)number(rest));
	else if (is(line, "wake ", &rest))
		os_serve_tick_after(s, (unsigned)number(rest));
	else if (is(line, "limit", &rest) || is(line, "unlimit", &rest))
		limit(line.p[0] == 'l');
	else if (is(line, "flood ", &rest))
		flood(s, (size_t)number(rest));
	else
		put(s, "line %zu %.*s", line.n, (int)size_min(line.n, 20), line.p);
}

static struct str links(struct arena *a)
{
	struct buf b = buf_in(a);

	for (int fd = 0; fd < 64; fd++) {
		struct str to;

		if (!os_readlink(a, str_fmt(a, "/proc/self/fd/%d", fd).p, &to))
			buf_fmt(&b, "%d=%.*s ", fd, STR_ARG(to));
	}
	return buf_as_str(&b);
}

static struct str on_work(void *ctx, struct arena *a, struct str request, uint64_t since)
{
	struct str rest;

	(void)ctx, (void)since;
	if (is(request, "pid", &rest))
		return str_fmt(a, "%d", (int)getpid());
	if (is(request, "links", &rest))
		return links(a);
	if (is(request, "kill ", &rest))
		kill(getpid(), (int)number(rest));
	if (is(request, "exit ", &rest))
		_exit((int)number(rest));
	if (is(request, "nap ", &rest))
		poll(NULL, 0, (int)number(rest));
	if (is(request, "big ", &rest))
		return (struct str){
			memset(arena_alloc(a, (size_t)number(rest)), 'b', (size_t)number(rest)),
			(size_t)number(rest)};
	return request;
}

static void on_done(struct os_serve *s, void *ctx, void *what, struct str answer, int status)
{
	if (what != ctx)
		put(s, "what?");
	else if (!answer.p)
		put(s, "! %d", status);
	else if (answer.n > 4096)
		put(s, "= %zu bytes", answer.n);
	else
		put(s, "= %.*s", STR_ARG(answer));
}

static void on_tick(struct os_serve *s, void *ctx, bool behind)
{
	(void)ctx;
	put(s, behind ? "tick behind" : "tick");
}

static void on_waited(struct os_serve *s, void *ctx)
{
	(void)ctx;
	put(s, "waited");
}

static void on_ended(struct os_serve *s, void *ctx)
{
	(void)ctx;
	put(s, "ended");
}

/* ---- the client ---- */

struct client {
	pid_t pid;
	int to, from;
	struct arena *a;
	struct buf in;
	size_t taken;
};

static noreturn void serve(int in, int out)
{
	const struct os_serve_ops ops = {LINE_MAX, {2, 2, 2}, on_line,   on_long_line, on_work,
					 on_done,  on_tick,   on_waited, on_ended};
	struct server my = {0};

	_exit(os_serve_run(in, out, &ops, &my) ? 1 : 0);
}

static struct client begin(void)
{
	struct client c = {.a = arena_new()};
	int in[2], out[2];

	if (pipe(in) || pipe(out))
		BUG("no pipes");
	fflush(stdout);
	c.pid = fork();
	if (!c.pid) {
		close(in[1]);
		close(out[0]);
		serve(in[0], out[1]);
	}
	close(in[0]);
	close(out[1]);
	c.to = in[1];
	c.from = out[0];
	c.in = buf_in(c.a);
	return c;
}

static void say(struct client *c, const char *text)
{
	if (os_write_fd(c->to, "the server", str_of(text)))
		printf("# the server does not listen\n");
}

/* The next line; empty at the end, or when there is none for ten seconds. */
static struct str hear(struct client *c)
{
	for (;;) {
		struct str came = str_sub(buf_as_str(&c->in), c->taken, c->in.n);
		size_t end = str_find_char(came, '\n', 0);
		struct pollfd p = {.fd = c->from, .events = POLLIN};
		ssize_t got;

		if (end != SIZE_MAX) {
			c->taken += end + 1;
			return str_dup(c->a, str_sub(came, 0, end));
		}
		if (poll(&p, 1, 10000) != 1)
			return STR("");
		if (c->taken == c->in.n)
			c->taken = c->in.n = 0;
		got = read(c->from, buf_room(&c->in, 65536), 65536);
		if (got <= 0)
			return STR("");
		c->in.n += (size_t)got;
	}
}

static void hears(struct client *c, const char *want, const char *what)
{
	is_str(hear(c), str_of(want), what);
}

/* Its exit status; -1: it had to be killed. */
static int end(struct client *c)
{
	int status = 0, tries = 0;

	if (c->to >= 0)
		close(c->to);
	if (c->from >= 0)
		close(c->from);
	while (!waitpid(c->pid, &status, WNOHANG) && ++tries < 1000)
		poll(NULL, 0, 10);
	if (tries == 1000) {
		kill(c->pid, SIGKILL);
		waitpid(c->pid, &status, 0);
	}
	arena_free(c->a);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- what it looks like from outside ---- */

static size_t open_files(pid_t pid)
{
	struct arena *a = arena_new();
	struct strs names;
	size_t n = os_list(a, str_fmt(a, "/proc/%d/fd", (int)pid).p, &names) ? 0 : names.n;

	arena_free(a);
	return n;
}

/* A file of /proc, which has no size; empty when it is gone. */
static struct str proc(struct arena *a, const char *path)
{
	struct str text = {0};
	int fd = open(path, O_RDONLY);

	if (fd >= 0 && os_read_fd(a, fd, path, 4096, &text))
		text = STR("");
	close(fd);
	return text;
}

static size_t resident(pid_t pid)
{
	struct arena *a = arena_new();
	struct str text = proc(a, str_fmt(a, "/proc/%d/statm", (int)pid).p), part;
	size_t n = 0;

	if (str_next_part(&text, ' ', &part) && str_next_part(&text, ' ', &part))
		n = (size_t)number(part) * (size_t)sysconf(_SC_PAGESIZE);
	arena_free(a);
	return n;
}

/* How many children it has, dead or alive; each gets the signal, if it is not 0. */
static size_t each_child(pid_t of, int sig)
{
	struct arena *a = arena_new();
	struct strs pids;
	size_t n = 0;

	if (os_list(a, "/proc", &pids))
		BUG("no /proc");
	for (size_t i = 0; i < pids.n; i++) {
		struct str part,
			text = proc(a, str_fmt(a, "/proc/%.*s/stat", STR_ARG(pids.p[i])).p);

		/* "pid (name) state parent": a name may have blanks. */
		text = str_sub(text, str_rfind_char(text, ')') + 2, text.n);
		if (!str_next_part(&text, ' ', &part) || !str_next_part(&text, ' ', &part) ||
		    number(part) != of)
			continue;
		n++;
		if (sig)
			kill((pid_t)number(pids.p[i]), sig);
	}
	arena_free(a);
	return n;
}

static void has_children(pid_t pid, size_t want, const char *what)
{
	for (int i = 0; i < 500 && each_child(pid, 0) != want; i++)
		poll(NULL, 0, 10);
	is_int((long long)each_child(pid, 0), (long long)want, what);
}

/* ---- tests ---- */

static void lines_of_all_kinds(void)
{
	struct client c = begin();
	char *long_line = arena_alloc(c.a, 3 * MIB + 1);

	say(&c, "one\n\n \t\r\ntwo\r\nthr");
	hears(&c, "line 3 one", "a line");
	hears(&c, "line 3 two", "blank ones are passed over, and CRs at the end");
	say(&c, "ee\nlast");
	hears(&c, "line 5 three", "a line in two pieces");
	memset(long_line, 'l', 3 * MIB);
	long_line[LINE_MAX] = '\n';
	long_line[LINE_MAX + 1] = 0;
	say(&c, "\n");
	hears(&c, "line 4 last", "a line whose end comes alone");
	say(&c, long_line);
	hears(&c, "line 1048576 llllllllllllllllllll", "a line of just the limit");
	long_line[LINE_MAX] = 'l';
	long_line[LINE_MAX + 1] = '\n';
	long_line[LINE_MAX + 2] = 0;
	say(&c, long_line);
	hears(&c, "over", "one byte more");
	memset(long_line, 'l', 3 * MIB);
	say(&c, long_line);
	say(&c, "l\nnext\nhalf");
	hears(&c, "over", "much more comes in pieces, and ends once");
	hears(&c, "line 4 next", "the line after it");
	close(c.to);
	c.to = -1;
	hears(&c, "line 4 half", "the end of the input ends a line");
	hears(&c, "ended", "and is told after it");
	hears(&c, "", "that is all");
	is_int(end(&c), 0, "success");
}

static void workers(void)
{
	struct client c = begin();
	struct str one, two;

	say(&c, "keep hello\n");
	hears(&c, "= hello", "a job");
	say(&c, "keep pid\n");
	one = hear(&c);
	say(&c, "keep pid\n");
	is_str(hear(&c), one, "the same worker does the next one");
	say(&c, "once pid\n");
	is_str(hear(&c), one, "and one that leaves something behind");
	say(&c, "keep pid\n");
	two = hear(&c);
	ok(!str_eq(one, two), "after which there is another");
	say(&c, "renew\nkeep pid\n");
	one = hear(&c);
	ok(!str_eq(one, two), "as when what it knows has changed");
	kill((pid_t)number(str_sub(one, 2, one.n)), SIGKILL);
	has_children(c.pid, 0, "one that is killed while it is idle is buried");
	say(&c, "keep hello\n");
	hears(&c, "= hello", "and harms no job");
	say(&c, "keep kill 9\n");
	hears(&c, "! 137", "one that is killed at its job");
	say(&c, "keep kill 6\n");
	hears(&c, "! 134", "or aborts");
	say(&c, "keep exit 3\n");
	hears(&c, "! 3", "or ends");
	say(&c, "keep exit 0\n");
	hears(&c, "! 0", "as if all were well");
	say(&c, "keep big 9000000\n");
	hears(&c, "= 9000000 bytes", "a long answer");
	say(&c, "renew\n");
	has_children(c.pid, 0, "no worker is left");
	say(&c, "limit\nkeep x\n");
	hears(&c, "! -1", "none can be had");
	say(&c, "unlimit\nkeep x\n");
	hears(&c, "= x", "and one can again");
	say(&c, "keep\n");
	hears(&c, "line 4 keep", "no job");
	say(&c, "keep pid\n");
	one = hear(&c);
	close(c.to);
	c.to = -1;
	hears(&c, "ended", "the end");
	hears(&c, "", "of all");
	ok(kill((pid_t)number(str_sub(one, 2, one.n)), 0) != 0, "no worker outlives the server");
	is_int(end(&c), 0, "success");
}

static void what_a_worker_has(void)
{
	struct client c = begin();
	struct str has, in, out;
	size_t own;

	if (os_readlink(c.a, str_fmt(c.a, "/proc/self/fd/%d", c.to).p, &in) ||
	    os_readlink(c.a, str_fmt(c.a, "/proc/self/fd/%d", c.from).p, &out))
		BUG("no /proc/self/fd");
	/* The second one is forked when the first is there. */
	say(&c, "keep nap 200\nkeep links\n");
	has = hear(&c);
	ok(str_find(has, STR("0=/dev/null "), 0) != SIZE_MAX, "standard input leads nowhere");
	ok(str_find(has, in, 0) == SIZE_MAX && str_find(has, out, 0) == SIZE_MAX,
	   "the protocol is out of reach");
	own = str_find(has, STR("socket:"), 0);
	ok(own != SIZE_MAX && str_find(has, STR("socket:"), own + 1) == SIZE_MAX,
	   "of the workers' sockets it has its own alone");
	hears(&c, "= nap 200", "the first");
	is_int(end(&c), 0, "success");
}

static void cancelled(void)
{
	struct client c = begin();

	say(&c, "keep nap 60000\ncancel\nkeep x\n");
	hears(&c, "= x", "a cancelled job has no answer and is in nobody's way");
	has_children(c.pid, 1, "its worker is gone");
	say(&c, "keep nap 60000\nkeep nap 60000\nkeep never\ncancel\nkeep nap 1\n");
	say(&c, "wake 1\n");
	hears(&c, "tick", "two are running, one waits, one that waited is cancelled");
	kill(c.pid, SIGTERM);
	hears(&c, "ended", "a signal ends all, and that is told");
	hears(&c, "", "before the output ends");
	has_children(c.pid, 0, "no worker is left");
	is_int(end(&c), 0, "success");
}

/* All workers have got TERM, and are still busy with it. */
static void none_is_left(void)
{
	struct client c;

	signal(SIGTERM, SIG_IGN); /* theirs, too */
	c = begin();
	signal(SIGTERM, SIG_DFL);
	for (size_t n = 1; n <= 64; n++) {
		say(&c, "keep nap 60000\n");
		for (int i = 0; i < 10000 && each_child(c.pid, 0) < n; i++)
			poll(NULL, 0, 1);
		/* The first ones were killed meanwhile: this machine is too slow. */
		if (each_child(c.pid, 0) < n)
			break;
		say(&c, "cancel\n");
	}
	say(&c, "keep x\nput\n");
	hears(&c, "line 3 put", "as many workers as there may be, and none ends");
	is_int((long long)each_child(c.pid, SIGKILL), 64, "are killed");
	hears(&c, "= x", "and the job has waited for one to go");
	is_int(end(&c), 0, "success");
}

static void time_passes(void)
{
	struct client c = begin();

	say(&c, "hold 50\nkeep x\nput\n");
	hears(&c, "line 3 put", "lines are heard while jobs are held");
	hears(&c, "waited", "until the time is over");
	hears(&c, "= x", "then the job is done");
	say(&c, "hold 60000\nkeep y\nhold 0\n");
	hears(&c, "= y", "or until they go on");
	say(&c, "wake 60000\nwake 20\nwake 60000\nput\n");
	hears(&c, "line 3 put", "nothing yet");
	hears(&c, "tick", "the earliest of the times counts");
	is_int(end(&c), 0, "success");
}

static void end_of_input(void)
{
	struct client c = begin();

	say(&c, "keep nap 100\nkeep nap 400\nkeep late");
	close(c.to);
	c.to = -1;
	hears(&c, "ended", "the input ends while jobs run");
	hears(&c, "= nap 100", "the first is answered");
	hears(&c, "= late", "one that waited");
	hears(&c, "= nap 400", "and the other that ran");
	hears(&c, "", "then the output ends");
	is_int(end(&c), 0, "success");
	c = begin();
	say(&c, "keep nap 60000\nput\n");
	hears(&c, "line 3 put", "a job runs");
	close(c.from);
	c.from = -1;
	is_int(end(&c), 0, "nobody reads, and nothing is to come: the job is ended");
}

static void nobody_reads(void)
{
	struct client c = begin();
	size_t lines = 0, accepted = 0;
	struct str line;
	char x[4096];

	memset(x, '\n', sizeof(x));
	/* More than the pipe holds, but less than the limit at which the server stops reading. */
	say(&c, "flood 2000000\nkeep nap 60000\n");
	has_children(c.pid, 1, "a job is begun though nobody reads");
	say(&c, "cancel\nwake 1\n");
	has_children(c.pid, 0, "and is cancelled");
	while (str_starts(line = hear(&c), STR("xxx")))
		lines++;
	is_int((long long)lines, (2000000 + 65535) / 65536, "all of it comes");
	is_str(line, STR("tick behind"), "and what is told behind it says so");
	say(&c, "flood 70000000\nput\n");
	fcntl(c.to, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 100 && accepted < 4 * MIB; i++) {
		ssize_t put = write(c.to, x, sizeof(x));

		if (put > 0)
			accepted += (size_t)put;
		else
			poll(NULL, 0, 2);
	}
	ok(accepted <= MIB / 4, "with 64 MiB unread it listens no more (%zu bytes)", accepted);
	fcntl(c.to, F_SETFL, 0);
	for (lines = 0; str_starts(line = hear(&c), STR("xxx")); lines++)
		;
	is_int((long long)lines, (70000000 + 65535) / 65536, "all of it comes");
	is_str(line, STR("line 3 put"), "then it listens again");
	is_int(end(&c), 0, "success");
}

/* Five hundred requests at a time, as many answers. */
static void burst(struct client *c, size_t *wrong)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);

	for (int i = 0; i < 500; i++)
		buf_fmt(&b, i % 50 ? "keep hello\n" : "once hello\n");
	say(c, buf_as_cstr(&b));
	for (int i = 0; i < 500; i++)
		*wrong += !str_eq(hear(c), STR("= hello"));
	arena_free(a);
}

static void ten_thousand(void)
{
	struct client c = begin();
	size_t files, before, after, wrong = 0;

	burst(&c, &wrong);
	has_children(c.pid, 2, "two workers");
	files = open_files(c.pid);
	before = resident(c.pid);
	for (int i = 0; i < 20; i++)
		burst(&c, &wrong);
	is_int((long long)wrong, 0, "ten thousand answers");
	has_children(c.pid, 2, "still two workers, and no dead one");
	is_int((long long)open_files(c.pid), (long long)files, "as many descriptors as before");
	after = resident(c.pid);
	ok(after < before + SLACK, "and as much memory (%zu, %zu)", before, after);
	is_int(end(&c), 0, "success");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	lines_of_all_kinds();
	workers();
	what_a_worker_has();
	cancelled();
	none_is_left();
	time_passes();
	end_of_input();
	nobody_reads();
	ten_thousand();
	return tap_done();
}
