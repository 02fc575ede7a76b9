/*
 * A server of lines. One thread and one poll() for standard input and output, the workers and the
 * signals; what takes time is done by workers, which are forked from here. There is never a second
 * thread here, so a fork is sound, and a worker that aborts or is killed takes nothing with it.
 */
#include "base/base.h"
#include "os/os.h"
#include "os/private.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define PIECE       ((size_t)64 * 1024)
#define ATOMIC      ((size_t)4096) /* PIPE_BUF: what a pipe that poll() calls ready takes at once */
#define KEPT        ((size_t)1 << 20) /* a buffer that grew beyond is given back when empty */
#define OUT_FULL    ((size_t)64 << 20)
#define QUEUE_FULL  ((size_t)128 << 20)
#define QUEUE_MANY  1024
#define WORKERS_MAX 32
#define MS          ((uint64_t)1000 * 1000)
#define GRACE       (3000 * MS) /* a worker needs a second to end what it started */
#define NEVER       UINT64_MAX

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
	void *what;
	bool keep;
};

struct worker {
	pid_t pid; /* 0: there is none in this place */
	int fd;
	struct os_task *job; /* NULL: idle, or its job was cancelled */
	struct pipe_buf in;
	uint64_t killed; /* when it gets KILL, if it had TERM */
	bool dying, old;
};

struct os_serve {
	const struct os_serve_ops *ops;
	void *ctx;
	int in, out, sigfd;
	pid_t pid;
	sigset_t mask;
	struct pipe_buf read, write;
	bool over, eof, stop, held;
	uint64_t hold_until, tick;
	struct os_task *first, **last;
	size_t queued, queued_bytes, running;
	struct worker w[WORKERS_MAX];
};

/* ---- buffers ---- */

static struct str waiting(const struct pipe_buf *p)
{
	return str_sub(buf_str(&p->b), p->taken, p->b.n);
}

static void empty(struct pipe_buf *p)
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

static void take(struct pipe_buf *p, size_t n)
{
	p->taken += n;
	if (p->taken == p->b.n) {
		empty(p);
	} else if (p->taken > p->b.n / 2) {
		memmove(p->b.p, p->b.p + p->taken, p->b.n - p->taken);
		p->b.n -= p->taken;
		p->taken = 0;
	}
}

/* How many bytes came; 0: the end; -1: none now. */
static ssize_t fill(struct pipe_buf *p, int fd, bool is_socket)
{
	char *room = buf_room(&p->b, PIECE);
	ssize_t got = is_socket ? recv(fd, room, PIECE, MSG_DONTWAIT) : read(fd, room, PIECE);

	if (got > 0)
		p->b.n += (size_t)got;
	if (got < 0)
		return errno == EINTR || errno == EAGAIN ? -1 : 0;
	return got;
}

/* ---- workers ---- */

static bool read_all(int fd, void *p, size_t n)
{
	char *at = p;

	while (n) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

/* A length and so many bytes. */
static bool send_frame(int fd, struct str s)
{
	uint64_t n = s.n;

	return !os_write_fd(fd, "a worker", (struct str){(const char *)&n, sizeof(n)}) &&
	       !os_write_fd(fd, "a worker", s);
}

static noreturn void work(struct os_serve *s, int fd)
{
	for (;;) {
		struct arena *a = arena_new();
		struct str request;
		uint64_t n;
		char *p;

		if (!read_all(fd, &n, sizeof(n)))
			_exit(0);
		p = arena_alloc(a, n);
		request = (struct str){p, n};
		if (!read_all(fd, p, n) || !send_frame(fd, s->ops->work(s->ctx, a, request)))
			_exit(1);
		arena_free(a);
	}
}

/* Of the server it keeps standard error; nothing that it prints may reach the protocol. */
static noreturn void become_worker(struct os_serve *s, int fd)
{
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != s->pid)
		_exit(1);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(1);
	if (null != STDIN_FILENO)
		close(null);
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid)
			close(s->w[i].fd);
	close(s->sigfd);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
	work(s, fd);
}

static bool start(struct os_serve *s, struct worker *w)
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
	empty(&w->in);
	return true;
}

/* Waits: only for one that has ended, is about to, or was killed. Its exit status. */
static int bury(struct worker *w)
{
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	empty(&w->in);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void drop_job(struct os_task *job)
{
	arena_free(job->a);
}

static void end_worker(struct os_serve *s, struct worker *w)
{
	if (w->job) {
		drop_job(w->job);
		w->job = NULL;
		s->running--;
	}
	if (!w->dying) {
		kill(w->pid, SIGTERM);
		w->dying = true;
		w->killed = os_ticks() + GRACE;
	}
}

static struct worker *free_worker(struct os_serve *s)
{
	struct worker *unused = NULL;

	for (size_t i = 0; i < WORKERS_MAX; i++) {
		struct worker *w = &s->w[i];

		if (w->pid && !w->job && !w->dying && !w->old)
			return w;
		if (!w->pid && !unused)
			unused = w;
	}
	return unused && start(s, unused) ? unused : NULL;
}

/* Where no process can be had at all, the job has failed; else it waits for one. */
static void begin_jobs(struct os_serve *s)
{
	while (s->first && !s->held && s->running < size_min(s->ops->at_once, WORKERS_MAX)) {
		struct os_task *job = s->first;
		struct worker *w = free_worker(s);

		if (!w && s->running)
			return;
		s->first = job->next;
		if (!s->first)
			s->last = &s->first;
		s->queued--;
		s->queued_bytes -= job->request.n;
		if (!w || !send_frame(w->fd, job->request)) {
			s->ops->done(s, s->ctx, job->what, (struct str){0}, w ? bury(w) : -1);
			drop_job(job);
			continue;
		}
		w->job = job;
		s->running++;
	}
}

/* It sees the end of its requests, and ends. */
static void retire(struct worker *w)
{
	w->old = true;
	if (!w->job)
		shutdown(w->fd, SHUT_WR);
}

static void finish(struct os_serve *s, struct worker *w, struct str answer, int status)
{
	struct os_task *job = w->job;

	w->job = NULL;
	s->running--;
	if (w->pid && (w->old || !job->keep))
		retire(w);
	s->ops->done(s, s->ctx, job->what, answer, status);
	drop_job(job);
}

/* Something came from a worker, or its end. */
static void hear(struct os_serve *s, struct worker *w)
{
	ssize_t got = fill(&w->in, w->fd, true);
	struct str came = waiting(&w->in);
	uint64_t n;

	if (!got) {
		struct worker ended = *w;
		int status = bury(w);

		if (ended.job) {
			w->job = ended.job;
			finish(s, w, (struct str){0}, status);
		}
		return;
	}
	if (!w->job)
		empty(&w->in);
	if (came.n < sizeof(n) || !w->job)
		return;
	memcpy(&n, came.p, sizeof(n));
	if (came.n - sizeof(n) < n)
		return;
	finish(s, w, str_sub(came, sizeof(n), came.n), 0);
	empty(&w->in);
}

/* ---- for the operations ---- */

void os_serve_put(struct os_serve *s, struct str line)
{
	buf_put(&s->write.b, line);
	buf_putc(&s->write.b, '\n');
}

struct os_task *os_serve_work(struct os_serve *s, struct str request, void *what, bool keep)
{
	struct arena *a = arena_new();
	struct os_task *job = ARENA_NEW(a, struct os_task);

	*job = (struct os_task){.a = a, .request = str_dup(a, request), .what = what, .keep = keep};
	*s->last = job;
	s->last = &job->next;
	s->queued++;
	s->queued_bytes += request.n;
	return job;
}

void os_serve_cancel(struct os_serve *s, const struct os_task *job)
{
	struct os_task **at = &s->first;

	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid && s->w[i].job == job) {
			end_worker(s, &s->w[i]);
			return;
		}
	while (*at && *at != job)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = job->next;
	if (!job->next)
		s->last = at;
	s->queued--;
	s->queued_bytes -= job->request.n;
	arena_free(job->a);
}

void os_serve_hold(struct os_serve *s, unsigned ms)
{
	s->held = ms > 0;
	s->hold_until = os_ticks() + ms * MS;
}

void os_serve_renew(struct os_serve *s)
{
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid)
			retire(&s->w[i]);
}

/* ---- standard input and output ---- */

static void lines(struct os_serve *s)
{
	struct str rest = waiting(&s->read);
	size_t from = 0, end;

	while (!s->stop && (end = str_find_char(rest, '\n', from)) != SIZE_MAX) {
		struct str line = str_sub(rest, from, end);

		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		if (!s->over && str_trim(line).n)
			s->ops->line(s, s->ctx, line, line.n > s->ops->line_max);
		s->over = false;
		from = end + 1;
	}
	take(&s->read, from);
	rest = waiting(&s->read);
	/* Told once, then its rest is passed over. */
	if (rest.n > s->ops->line_max) {
		if (!s->over)
			s->ops->line(s, s->ctx, rest, true);
		s->over = true;
		take(&s->read, rest.n);
	}
}

static void hear_input(struct os_serve *s)
{
	ssize_t got = fill(&s->read, s->in, false);

	if (!got) {
		struct str rest = waiting(&s->read);

		/* A last line without its end is one all the same. */
		s->eof = true;
		if (rest.n)
			buf_putc(&s->read.b, '\n');
	}
	if (got >= 0)
		lines(s);
}

/* Never waits: a client that does not read must not keep cancellations from being heard. */
static void tell(struct os_serve *s)
{
	struct str rest = waiting(&s->write);
	ssize_t put = send(s->out, rest.p, rest.n, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (put < 0 && errno == ENOTSOCK)
		put = write(s->out, rest.p, size_min(rest.n, ATOMIC));
	if (put < 0 && errno != EINTR && errno != EAGAIN)
		s->stop = true;
	if (put > 0)
		take(&s->write, (size_t)put);
}

/* ---- the loop ---- */

static int timeout_of(const struct os_serve *s, bool ticks)
{
	uint64_t now = os_ticks(), due = NEVER;

	if (s->held)
		due = s->hold_until;
	if (ticks && s->tick < due)
		due = s->tick;
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid && s->w[i].dying && s->w[i].killed < due)
			due = s->w[i].killed;
	if (due == NEVER)
		return -1;
	return due <= now ? 0 : (int)((due - now) / MS + 1);
}

static void passed(struct os_serve *s)
{
	uint64_t now = os_ticks();

	if (s->held && now >= s->hold_until) {
		s->held = false;
		s->ops->waited(s, s->ctx);
	}
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid && s->w[i].dying && now >= s->w[i].killed) {
			kill(s->w[i].pid, SIGKILL);
			s->w[i].killed = NEVER;
		}
	if (now >= s->tick) {
		s->tick = now + 1000 * MS;
		if (s->running)
			s->ops->tick(s, s->ctx);
	}
}

/* The signal was for all that is going on here, and is done with then. */
static void end_all(struct os_serve *s)
{
	struct signalfd_siginfo info;

	while (read(s->sigfd, &info, sizeof(info)) > 0)
		;
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid)
			end_worker(s, &s->w[i]);
}

static bool once(struct os_serve *s)
{
	bool full = s->queued > QUEUE_MANY || s->queued_bytes > QUEUE_FULL ||
		    waiting(&s->write).n > OUT_FULL;
	bool listening = !s->eof && !s->stop && !full;
	struct pollfd p[3 + WORKERS_MAX] = {
		{.fd = listening ? s->in : -1, .events = POLLIN},
		{.fd = s->out, .events = waiting(&s->write).n ? POLLOUT : 0},
		{.fd = s->sigfd, .events = POLLIN},
	};

	for (size_t i = 0; i < WORKERS_MAX; i++)
		p[3 + i] = (struct pollfd){.fd = s->w[i].pid ? s->w[i].fd : -1, .events = POLLIN};
	if (s->stop)
		p[1].fd = -1;
	if (poll(p, ARRAY_SIZE(p), timeout_of(s, s->running > 0)) < 0)
		return errno == EINTR;
	/* A second one changes nothing: those who have a second left use it. */
	if (p[2].revents && s->stop)
		end_all(s);
	else if (p[2].revents)
		s->stop = true;
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (p[3 + i].revents && s->w[i].pid)
			hear(s, &s->w[i]);
	if (p[1].revents & (POLLERR | POLLHUP | POLLNVAL))
		s->stop = true;
	else if (p[1].revents & POLLOUT)
		tell(s);
	if (p[0].revents)
		hear_input(s);
	passed(s);
	return true;
}

static bool busy(const struct os_serve *s)
{
	if (!s->stop && (!s->eof || s->running || s->queued || waiting(&s->write).n))
		return true;
	for (size_t i = 0; i < WORKERS_MAX; i++)
		if (s->w[i].pid && s->w[i].dying)
			return true;
	return false;
}

static void clean_up(struct os_serve *s)
{
	for (size_t i = 0; i < WORKERS_MAX; i++) {
		if (s->w[i].pid)
			bury(&s->w[i]);
		arena_free(s->w[i].in.a);
	}
	while (s->first)
		os_serve_cancel(s, s->first);
	arena_free(s->read.a);
	arena_free(s->write.a);
	os_close_fd(&s->sigfd);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

struct err *os_serve_run(int in, int out, const struct os_serve_ops *ops, void *ctx)
{
	static const int ends_us[] = {SIGINT, SIGTERM, SIGHUP};
	struct os_serve s = {.ops = ops, .ctx = ctx, .in = in, .out = out, .pid = getpid()};
	bool ending = false, well = true;
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < ARRAY_SIZE(ends_us); i++)
		sigaddset(&ours, ends_us[i]);
	s.sigfd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s.sigfd < 0)
		return err_errno(errno, "wait for signals");
	pthread_sigmask(SIG_BLOCK, &ours, &s.mask);
	s.last = &s.first;
	empty(&s.read);
	empty(&s.write);
	while (well) {
		if (s.stop && !ending)
			end_all(&s);
		ending = s.stop;
		if (!s.stop)
			begin_jobs(&s);
		if (!busy(&s))
			break;
		well = once(&s);
	}
	clean_up(&s);
	return well ? NULL : err_errno(errno, "wait for input");
}
