/*
 * The line server. One thread and one poll() handle standard input and output, the workers and the
 * signals; long jobs run in workers that are forked from here. There is never a second thread, so
 * fork() is safe, and a worker that aborts or is killed affects nothing else.
 */
#include "os/internal.h"
#include "os/prefork.h"
#include <errno.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#define ATOMIC                                                                                     \
	((size_t)4096) /* PIPE_BUF: a pipe that poll() calls writable accepts so many bytes at     \
			  once */
#define BEHIND     ((size_t)1 << 20)
#define OUT_FULL   ((size_t)8 << 20)
#define QUEUE_FULL ((size_t)128 << 20)
#define QUEUE_MANY 1024
#define MS         ((uint64_t)1000 * 1000)
#define NEVER      UINT64_MAX

struct os_serve {
	const struct os_serve_ops *ops;
	void *ctx;
	int in, out, sigfd;
	bool out_is_socket;
	sigset_t mask;
	struct pipe_buf read, write;
	size_t searched; /* bytes of the input without a line end */
	bool over, eof, stop;
	int failed; /* the errno that ended the input; 0: its end did */
	uint64_t hold_until, tick;
	struct prefork workers;
};

/* ---- for the operations ---- */

void os_serve_write_line(struct os_serve *s, struct str line)
{
	buf_put(&s->write.b, line);
	buf_putc(&s->write.b, '\n');
}

struct os_task *os_serve_add_job(struct os_serve *s, struct str request, void *what,
				 enum os_pool pool, bool keep)
{
	return prefork_add_job(&s->workers, request, what, pool, keep);
}

void os_serve_cancel(struct os_serve *s, const struct os_task *job)
{
	prefork_cancel_job(&s->workers, job);
}

void os_serve_pause_jobs(struct os_serve *s, unsigned ms)
{
	s->workers.held = ms > 0;
	s->hold_until = os_ticks() + ms * MS;
}

void os_serve_renew_workers(struct os_serve *s)
{
	prefork_renew(&s->workers);
}

void os_serve_tick_after(struct os_serve *s, unsigned ms)
{
	uint64_t at = os_ticks() + ms * MS;

	if (at < s->tick)
		s->tick = at;
}

/* ---- standard input and output ---- */

static void serve_lines(struct os_serve *s)
{
	struct str rest = pipe_buf_unconsumed(&s->read);
	size_t from = 0, end;

	while (!s->stop && (end = str_find_char(rest, '\n', s->searched)) != SIZE_MAX) {
		struct str line = str_sub(rest, from, end);

		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		if (s->over || line.n > s->ops->line_max)
			s->ops->long_line(s, s->ctx, line, true);
		else if (str_trim(line).n)
			s->ops->line(s, s->ctx, line);
		s->over = false;
		from = s->searched = end + 1;
	}
	pipe_buf_consume(&s->read, from);
	rest = pipe_buf_unconsumed(&s->read);
	if (s->over || rest.n > s->ops->line_max) {
		s->ops->long_line(s, s->ctx, rest, false);
		s->over = true;
		pipe_buf_consume(&s->read, rest.n);
	}
	s->searched = pipe_buf_unconsumed(&s->read).n;
}

static void serve_read(struct os_serve *s)
{
	ssize_t got;

	errno = 0;
	got = pipe_buf_fill(&s->read, s->in, false);
	if (!got) {
		/* A client that was killed has ended, too. */
		s->failed = errno == ECONNRESET ? 0 : errno;
		/* The last line may lack its line end. */
		s->eof = true;
		if (pipe_buf_unconsumed(&s->read).n || s->over)
			buf_putc(&s->read.b, '\n');
	}
	if (got >= 0)
		serve_lines(s);
	if (s->eof)
		s->ops->ended(s, s->ctx);
}

/* Never waits: a slow client must not delay cancellations. */
static void serve_write(struct os_serve *s)
{
	struct str rest = pipe_buf_unconsumed(&s->write);
	ssize_t put = s->out_is_socket ? send(s->out, rest.p, rest.n, MSG_DONTWAIT | MSG_NOSIGNAL)
				       : write(s->out, rest.p, size_min(rest.n, ATOMIC));

	if (put < 0 && errno != EINTR && errno != EAGAIN)
		s->stop = true;
	if (put > 0)
		pipe_buf_consume(&s->write, (size_t)put);
}

/* Writes what can still be written before a signal ends the server. */
static void serve_write_rest(struct os_serve *s)
{
	struct pollfd out = {.fd = s->out, .events = POLLOUT};

	if (!s->eof)
		s->ops->ended(s, s->ctx);
	while (pipe_buf_unconsumed(&s->write).n && poll(&out, 1, 0) > 0 &&
	       !(out.revents & (POLLERR | POLLHUP | POLLNVAL)) && !s->stop)
		serve_write(s);
}

/* ---- the loop ---- */

static int serve_timeout(const struct os_serve *s)
{
	uint64_t now = os_ticks(), due = prefork_next_kill_time(&s->workers);

	if (s->workers.held && s->hold_until < due)
		due = s->hold_until;
	if (s->tick < due)
		due = s->tick;
	if (due == NEVER)
		return -1;
	due = due <= now ? 0 : (due - now) / MS + 1;
	return due > INT32_MAX ? INT32_MAX : (int)due;
}

static void serve_timers(struct os_serve *s)
{
	uint64_t now = os_ticks();

	if (s->workers.held && now >= s->hold_until) {
		s->workers.held = false;
		s->ops->waited(s, s->ctx);
	}
	prefork_kill_late(&s->workers, now);
	if (now < s->tick)
		return;
	s->tick = NEVER;
	/* A client that does not read gets no further news. */
	s->ops->tick(s, s->ctx, pipe_buf_unconsumed(&s->write).n > BEHIND);
}

/* Consumes the signal, which was handled by ending the jobs. */
static void serve_signals(const struct os_serve *s)
{
	struct signalfd_siginfo info;

	while (read(s->sigfd, &info, sizeof(info)) > 0)
		;
}

static bool serve_once(struct os_serve *s)
{
	struct prefork *ws = &s->workers;
	bool full = ws->queued > QUEUE_MANY || ws->queued_bytes > QUEUE_FULL ||
		    pipe_buf_unconsumed(&s->write).n > OUT_FULL;
	bool listening = !s->eof && !s->stop && !full;
	struct pollfd p[3 + PREFORK_MAX] = {
		{.fd = listening ? s->in : -1, .events = POLLIN},
		{.fd = s->stop ? -1 : s->out,
		 .events = pipe_buf_unconsumed(&s->write).n ? POLLOUT : 0},
		{.fd = s->sigfd, .events = POLLIN},
	};
	size_t n = prefork_poll_fill(ws, p + 3);

	if (poll(p, 3 + n, serve_timeout(s)) < 0)
		return errno == EINTR;
	/* A second signal changes nothing: jobs still have their time to end. */
	if (p[2].revents && s->stop) {
		serve_signals(s);
		prefork_end(ws);
	} else if (p[2].revents) {
		serve_write_rest(s);
		s->stop = true;
	}
	prefork_poll_handle(ws, p + 3, n);
	if (p[1].revents & (POLLERR | POLLHUP | POLLNVAL))
		s->stop = true;
	else if (p[1].revents & POLLOUT)
		serve_write(s);
	if (p[0].revents && !s->stop)
		serve_read(s);
	serve_timers(s);
	return true;
}

static bool serve_is_busy(const struct os_serve *s)
{
	const struct prefork *ws = &s->workers;

	if (!s->stop && (!s->eof || ws->running || ws->queued || pipe_buf_unconsumed(&s->write).n))
		return true;
	return prefork_has_dying_worker(ws);
}

struct err *os_serve_run(int in, int out, const struct os_serve_ops *ops, void *ctx)
{
	static const int ends_us[] = {SIGINT, SIGTERM, SIGHUP};
	struct os_serve s = {.ops = ops, .ctx = ctx, .in = in, .out = out, .tick = NEVER};
	bool ending = false, well = true;
	struct stat st;
	sigset_t ours;
	int failed = 0;

	sigemptyset(&ours);
	for (size_t i = 0; i < ARRAY_SIZE(ends_us); i++)
		sigaddset(&ours, ends_us[i]);
	s.sigfd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s.sigfd < 0)
		return err_errno(errno, "wait for signals");
	pthread_sigmask(SIG_BLOCK, &ours, &s.mask);
	s.out_is_socket = !fstat(out, &st) && S_ISSOCK(st.st_mode);
	s.workers = (struct prefork){
		.serve = &s,
		.ops = ops,
		.ctx = ctx,
		.pid = getpid(),
		.server_fds = {in, out, s.sigfd},
		.mask = s.mask,
	};
	prefork_init(&s.workers);
	pipe_buf_clear(&s.read);
	pipe_buf_clear(&s.write);
	while (well) {
		if (s.stop && !ending) {
			serve_signals(&s);
			prefork_end(&s.workers);
		}
		ending = s.stop;
		/* Each answer has a limit, so unread output has one too. */
		if (!s.stop && pipe_buf_unconsumed(&s.write).n < OUT_FULL)
			prefork_start_jobs(&s.workers);
		if (!serve_is_busy(&s))
			break;
		well = serve_once(&s);
		failed = errno;
	}
	if (!well)
		prefork_end(&s.workers);
	prefork_release(&s.workers);
	arena_free(s.read.a);
	arena_free(s.write.a);
	close(s.sigfd);
	pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
	if (!well)
		return err_errno(failed, "wait for input");
	return s.failed ? err_errno(s.failed, "read 'standard input'") : NULL;
}
