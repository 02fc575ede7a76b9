/*
 * The line server. One thread and one poll() handle standard input and output, the workers and the
 * signals; long jobs run in workers that are forked from here. There is never a second thread, so
 * fork() is safe, and a worker that aborts or is killed affects nothing else.
 */
#include "os/internal.h"
#include <errno.h>
#include <poll.h>
#ifndef IKM_POSIX
#include <sys/prctl.h>
#endif
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define PREFORK_MAX 64
#define PIECE       ((size_t)64 * 1024)
#define KEPT        ((size_t)1 << 20) /* a larger buffer is freed when it is empty */
/* A worker needs a second to end its own children; with sanitizers, several. */
#ifdef __SANITIZE_ADDRESS__
#define GRACE_S 8
#else
#define GRACE_S 3
#endif
#define GRACE ((uint64_t)GRACE_S * 1000 * 1000 * 1000)
#define ATOMIC                                                                                     \
	((size_t)4096) /* PIPE_BUF: a pipe that poll() calls writable accepts so many bytes at     \
			  once */
#define BEHIND     ((size_t)1 << 20)
#define OUT_FULL   ((size_t)8 << 20)
#define QUEUE_FULL ((size_t)128 << 20)
#define QUEUE_MANY 1024
#define MS         ((uint64_t)1000 * 1000)
#define NEVER      UINT64_MAX

/* A buffer that lives as long as the server. */
struct pipe_buf {
	struct arena *a;
	struct buf b;
	size_t taken;
};

struct os_task {
	struct arena *a;
	struct os_task *next;
	struct str request;
	uint64_t since; /* when it was added, in os_ticks() */
	void *what;
	enum os_pool pool;
	bool keep;
};

/* A forked child that does one job after another. */
struct prefork_worker {
	pid_t pid; /* 0: this place is free */
	int fd;
	struct os_task *job; /* NULL: idle, or its job was cancelled */
	struct pipe_buf in;
	uint64_t killed; /* when it gets KILL, after TERM */
	bool dying, old;
};

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
	pid_t pid; /* of the server */
	bool held; /* no job may start */
	struct os_queue {
		struct os_task *first, **last;
		size_t running;
	} queue[OS_POOLS];
	size_t queued, queued_bytes, running; /* of all queues */
	struct prefork_worker w[PREFORK_MAX];
};

/* ---- buffers ---- */

/* The bytes that were not consumed yet. */
static struct str pipe_buf_unconsumed(const struct pipe_buf *p)
{
	return str_sub(buf_as_str(&p->b), p->taken, p->b.n);
}

static void pipe_buf_clear(struct pipe_buf *p)
{
	if (p->a && p->b.cap > KEPT) {
		arena_free(p->a);
		p->a = NULL;
	}
	if (!p->a) {
		p->a = arena_new();
		p->b = buf_in(p->a);
	}
	p->b.n = p->taken = 0;
}

static void pipe_buf_consume(struct pipe_buf *p, size_t n)
{
	p->taken += n;
	if (p->taken == p->b.n) {
		pipe_buf_clear(p);
	} else if (p->taken > p->b.n / 2) {
		memmove(p->b.p, p->b.p + p->taken, p->b.n - p->taken);
		p->b.n -= p->taken;
		p->taken = 0;
	}
}

/* Reads once. Returns the number of bytes; 0: the end, or an error, with errno; -1: none now. */
static ssize_t pipe_buf_fill(struct pipe_buf *p, int fd, bool is_socket)
{
	char *room = buf_room(&p->b, PIECE);
	ssize_t got = is_socket ? recv(fd, room, PIECE, MSG_DONTWAIT) : read(fd, room, PIECE);

	if (got > 0)
		p->b.n += (size_t)got;
	if (got < 0)
		return errno == EINTR || errno == EAGAIN ? -1 : 0;
	return got;
}

/* ---- frames: a head and so many bytes ---- */

struct frame_head {
	uint64_t n, since; /* since: of a request */
};

static bool send_frame(int fd, struct str s, uint64_t since)
{
	struct frame_head head = {.n = s.n, .since = since};
	struct iovec parts[] = {{&head, sizeof(head)}, {(void *)s.p, s.n}}, *at = parts;
	uint8_t left = ARRAY_SIZE(parts); /* msg_iovlen is an int with musl */

	while (left) {
		struct msghdr m = {.msg_iov = at, .msg_iovlen = left};
		ssize_t put = sendmsg(fd, &m, MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		for (; left && (size_t)put >= at->iov_len; at++, left--)
			put -= (ssize_t)at->iov_len;
		if (left) {
			at->iov_base = (char *)at->iov_base + put;
			at->iov_len -= (size_t)put;
		}
	}
	return true;
}

/* False until the frame is complete. */
static bool whole_frame(const struct pipe_buf *p, struct str *out, uint64_t *since)
{
	struct str came = pipe_buf_unconsumed(p);
	struct frame_head head;

	if (came.n < sizeof(head))
		return false;
	memcpy(&head, came.p, sizeof(head));
	*out = str_sub(came, sizeof(head), came.n);
	*since = head.since;
	return out->n >= head.n;
}

/* ---- in a worker ---- */

static noreturn void prefork_work(struct os_serve *s, int fd)
{
	struct pipe_buf in = {0};
	struct str request;
	uint64_t since;

	pipe_buf_clear(&in);
	for (;;) {
		struct arena *a;
		ssize_t got;

		while (!whole_frame(&in, &request, &since)) {
			got = read(fd, buf_room(&in.b, PIECE), PIECE);
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				_exit(got < 0 || pipe_buf_unconsumed(&in).n);
			in.b.n += (size_t)got;
		}
		a = arena_new();
		if (!send_frame(fd, s->ops->work(s->ctx, a, request, since), 0))
			_exit(1);
		arena_free(a);
		pipe_buf_clear(&in);
	}
}

/* A worker keeps only standard error: its output must not reach the protocol. */
static noreturn void become_worker(struct os_serve *s, int fd)
{
	const int own[] = {s->in, s->out, s->sigfd};
	int null = open("/dev/null", O_RDONLY);

#ifndef IKM_POSIX
	/* Without it the worker ends when it next reads. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != s->pid)
		_exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i] > STDERR_FILENO)
			close(own[i]);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(1);
	if (null > STDERR_FILENO)
		close(null);
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid)
			close(s->w[i].fd);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
	prefork_work(s, fd);
}

/* ---- in the server ---- */

static bool prefork_start(struct os_serve *s, struct prefork_worker *w)
{
	int fd[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return false;
	pid = fork();
	if (!pid) {
		close(fd[0]);
		become_worker(s, fd[1]);
	}
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return false;
	}
	w->pid = pid;
	w->fd = fd[0];
	w->job = NULL;
	w->dying = w->old = false;
	pipe_buf_clear(&w->in);
	return true;
}

/* Waits for a worker that has ended, is ending, or was killed. Returns its exit status. */
static int prefork_reap(struct prefork_worker *w)
{
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	pipe_buf_clear(&w->in);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void job_ended(struct os_serve *s, const struct os_task *job)
{
	s->running--;
	s->queue[job->pool].running--;
}

static void end_worker(struct os_serve *s, struct prefork_worker *w)
{
	if (w->job) {
		job_ended(s, w->job);
		arena_free(w->job->a);
		w->job = NULL;
	}
	if (!w->dying) {
		kill(w->pid, SIGTERM);
		w->dying = true;
		w->killed = os_ticks() + GRACE;
	}
}

/* An idle worker, or a new one; NULL: neither is possible. */
static struct prefork_worker *free_worker(struct os_serve *s, bool *fresh)
{
	struct prefork_worker *unused = NULL;

	*fresh = false;
	for (size_t i = 0; i < PREFORK_MAX; i++) {
		struct prefork_worker *w = &s->w[i];

		if (w->pid && !w->job && !w->dying && !w->old)
			return w;
		if (!w->pid && !unused)
			unused = w;
	}
	*fresh = true;
	return unused && prefork_start(s, unused) ? unused : NULL;
}

static void unqueue(struct os_serve *s, struct os_task **at)
{
	struct os_task *job = *at;

	*at = job->next;
	if (!job->next)
		s->queue[job->pool].last = at;
	s->queued--;
	s->queued_bytes -= job->request.n;
}

void os_serve_cancel(struct os_serve *s, const struct os_task *job)
{
	struct os_task **at = &s->queue[job->pool].first;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid && s->w[i].job == job) {
			end_worker(s, &s->w[i]);
			return;
		}
	while (*at && *at != job)
		at = &(*at)->next;
	if (!*at)
		return;
	unqueue(s, at);
	arena_free(job->a);
}

/* Whether a worker that got TERM is still alive. */
static bool prefork_has_dying_worker(const struct os_serve *s)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid && s->w[i].dying)
			return true;
	return false;
}

/* When no process can start, the job fails; otherwise it waits for a worker that is ending. */
static void queue_begin(struct os_serve *s, struct os_queue *q, size_t at_once)
{
	while (q->first && !s->held && q->running < at_once) {
		struct os_task *job = q->first;
		bool fresh;
		struct prefork_worker *w = free_worker(s, &fresh);
		int status = -1;

		if (!w && (s->running || prefork_has_dying_worker(s)))
			return;
		if (w && send_frame(w->fd, job->request, job->since)) {
			unqueue(s, &q->first);
			w->job = job;
			s->running++;
			s->queue[job->pool].running++;
			continue;
		}
		if (w)
			status = prefork_reap(w);
		/* A worker that was killed while idle says nothing about this job. */
		if (!fresh)
			continue;
		unqueue(s, &q->first);
		s->ops->done(s, s->ctx, job->what, (struct str){0}, status);
		arena_free(job->a);
	}
}

/* The worker sees the end of its requests, and ends. */
static void prefork_retire(struct prefork_worker *w)
{
	w->old = true;
	if (!w->job)
		shutdown(w->fd, SHUT_WR);
}

/* Sends TERM to all and drops their jobs. */
static void prefork_end(struct os_serve *s)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid)
			end_worker(s, &s->w[i]);
}

/* ---- answers ---- */

static void prefork_finish(struct os_serve *s, struct prefork_worker *w, struct str answer,
			   int status)
{
	struct os_task *job = w->job;

	w->job = NULL;
	job_ended(s, job);
	if (w->pid && (w->old || !job->keep))
		prefork_retire(w);
	s->ops->done(s, s->ctx, job->what, answer, status);
	arena_free(job->a);
}

static void prefork_poll_handle(struct os_serve *s, const struct pollfd *p, size_t n)
{
	size_t at = 0;

	/* In the order of serve_once(); one that has gone since is passed by. */
	for (size_t i = 0; i < PREFORK_MAX && at < n; i++) {
		struct prefork_worker *w = &s->w[i];
		struct str answer;
		uint64_t since;

		if (!w->pid || w->fd != p[at].fd || !p[at++].revents)
			continue;
		/* Bytes from a worker, or its end. */
		if (!pipe_buf_fill(&w->in, w->fd, true)) {
			int status = prefork_reap(w);

			if (w->job)
				prefork_finish(s, w, (struct str){0}, status);
		} else if (!w->job) {
			pipe_buf_clear(&w->in);
		} else if (whole_frame(&w->in, &answer, &since)) {
			prefork_finish(s, w, answer, 0);
			pipe_buf_clear(&w->in);
		}
	}
}

/* ---- for the operations ---- */

void os_serve_write_line(struct os_serve *s, struct str line)
{
	buf_put(&s->write.b, line);
	buf_putc(&s->write.b, '\n');
}

struct os_task *os_serve_add_job(struct os_serve *s, struct str request, void *what,
				 enum os_pool pool, bool keep)
{
	struct arena *a = arena_new();
	struct os_task *job = ARENA_NEW(a, struct os_task);

	*job = (struct os_task){.a = a,
				.request = str_dup(a, request),
				.since = os_ticks(),
				.what = what,
				.pool = pool,
				.keep = keep};
	*s->queue[pool].last = job;
	s->queue[pool].last = &job->next;
	s->queued++;
	s->queued_bytes += request.n;
	return job;
}

void os_serve_pause_jobs(struct os_serve *s, unsigned ms)
{
	s->held = ms > 0;
	s->hold_until = os_ticks() + ms * MS;
}

void os_serve_renew_workers(struct os_serve *s)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid)
			prefork_retire(&s->w[i]);
}

void os_serve_tick_after(struct os_serve *s, unsigned ms)
{
	uint64_t at = os_ticks() + ms * MS;

	if (at < s->tick)
		s->tick = at;
}

/* ---- standard input and output ---- */

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
	if (got >= 0) {
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

/* ---- the loop ---- */

static int serve_timeout(const struct os_serve *s)
{
	const struct prefork_worker *w = s->w;
	uint64_t now = os_ticks(), due = NEVER;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (w[i].pid && w[i].dying && w[i].killed < due)
			due = w[i].killed;
	if (s->held && s->hold_until < due)
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

	if (s->held && now >= s->hold_until) {
		s->held = false;
		if (s->ops->waited)
			s->ops->waited(s, s->ctx);
	}
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid && s->w[i].dying && now >= s->w[i].killed) {
			kill(s->w[i].pid, SIGKILL);
			s->w[i].killed = NEVER;
		}
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
	bool full = s->queued > QUEUE_MANY || s->queued_bytes > QUEUE_FULL ||
		    pipe_buf_unconsumed(&s->write).n > OUT_FULL;
	bool listening = !s->eof && !s->stop && !full;
	struct pollfd p[3 + PREFORK_MAX] = {
		{.fd = listening ? s->in : -1, .events = POLLIN},
		{.fd = s->stop ? -1 : s->out,
		 .events = pipe_buf_unconsumed(&s->write).n ? POLLOUT : 0},
		{.fd = s->sigfd, .events = POLLIN},
	};
	size_t n = 0;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (s->w[i].pid)
			p[3 + n++] = (struct pollfd){.fd = s->w[i].fd, .events = POLLIN};
	if (poll(p, 3 + n, serve_timeout(s)) < 0)
		return errno == EINTR;
	/* A second signal changes nothing: jobs still have their time to end. */
	if (p[2].revents && s->stop) {
		serve_signals(s);
		prefork_end(s);
	} else if (p[2].revents) {
		struct pollfd out = {.fd = s->out, .events = POLLOUT};

		/* Writes what can still be written before a signal ends the server. */
		if (!s->eof)
			s->ops->ended(s, s->ctx);
		while (pipe_buf_unconsumed(&s->write).n && poll(&out, 1, 0) > 0 &&
		       !(out.revents & (POLLERR | POLLHUP | POLLNVAL)) && !s->stop)
			serve_write(s);
		s->stop = true;
	}
	prefork_poll_handle(s, p + 3, n);
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
	if (!s->stop && (!s->eof || s->running || s->queued || pipe_buf_unconsumed(&s->write).n))
		return true;
	return prefork_has_dying_worker(s);
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
	s.pid = getpid();
	for (size_t i = 0; i < OS_POOLS; i++)
		s.queue[i].last = &s.queue[i].first;
	pipe_buf_clear(&s.read);
	pipe_buf_clear(&s.write);
	while (well) {
		if (s.stop && !ending) {
			serve_signals(&s);
			prefork_end(&s);
		}
		ending = s.stop;
		/* Each answer has a limit, so unread output has one too. */
		if (!s.stop && pipe_buf_unconsumed(&s.write).n < OUT_FULL)
			for (size_t i = 0; i < OS_POOLS; i++)
				queue_begin(&s, &s.queue[i], ops->at_once[i]);
		if (!serve_is_busy(&s))
			break;
		well = serve_once(&s);
		failed = errno;
	}
	if (!well)
		prefork_end(&s);
	/* Waits for the last worker. */
	for (size_t i = 0; i < PREFORK_MAX; i++) {
		if (s.w[i].pid)
			prefork_reap(&s.w[i]);
		arena_free(s.w[i].in.a);
	}
	for (size_t i = 0; i < OS_POOLS; i++)
		while (s.queue[i].first)
			os_serve_cancel(&s, s.queue[i].first);
	arena_free(s.read.a);
	arena_free(s.write.a);
	close(s.sigfd);
	pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
	if (!well)
		return err_errno(failed, "wait for input");
	return s.failed ? err_errno(s.failed, "read 'standard input'") : NULL;
}
