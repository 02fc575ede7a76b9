#include "os/internal.h"
#include "os/prefork.h"
#include <errno.h>
#include <pthread.h>
#ifndef IKM_POSIX
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define PIECE ((size_t)64 * 1024)
#define KEPT  ((size_t)1 << 20) /* a larger buffer is freed when it is empty */
/* A worker needs a second to end its own children; with sanitizers, several. */
#ifdef __SANITIZE_ADDRESS__
#define GRACE_S 8
#else
#define GRACE_S 3
#endif
#define GRACE ((uint64_t)GRACE_S * 1000 * 1000 * 1000)
#define NEVER UINT64_MAX

struct os_task {
	struct arena *a;
	struct os_task *next;
	struct str request;
	uint64_t since; /* when it was added, in os_ticks() */
	void *what;
	enum os_pool pool;
	bool keep;
};

/* ---- buffers ---- */

struct str pipe_buf_unconsumed(const struct pipe_buf *p)
{
	return str_sub(buf_as_str(&p->b), p->taken, p->b.n);
}

void pipe_buf_clear(struct pipe_buf *p)
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

void pipe_buf_consume(struct pipe_buf *p, size_t n)
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

ssize_t pipe_buf_fill(struct pipe_buf *p, int fd, bool is_socket)
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

static noreturn void prefork_work(struct prefork *ws, int fd)
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
		if (!send_frame(fd, ws->ops->work(ws->ctx, a, request, since), 0))
			_exit(1);
		arena_free(a);
		pipe_buf_clear(&in);
	}
}

/* A worker keeps only standard error: its output must not reach the protocol. */
static noreturn void become_worker(struct prefork *ws, int fd)
{
	int null = open("/dev/null", O_RDONLY);

#ifndef IKM_POSIX
	/* Without it the worker ends when it next reads. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != ws->pid)
		_exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(ws->server_fds); i++)
		if (ws->server_fds[i] > STDERR_FILENO)
			close(ws->server_fds[i]);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(1);
	if (null > STDERR_FILENO)
		close(null);
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid)
			close(ws->w[i].fd);
	pthread_sigmask(SIG_SETMASK, &ws->mask, NULL);
	prefork_work(ws, fd);
}

/* ---- in the server ---- */

static bool prefork_start(struct prefork *ws, struct prefork_worker *w)
{
	int fd[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
		return false;
	pid = fork();
	if (!pid) {
		close(fd[0]);
		become_worker(ws, fd[1]);
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

static void job_begun(struct prefork *ws, const struct os_task *job)
{
	ws->running++;
	ws->queue[job->pool].running++;
}

static void job_ended(struct prefork *ws, const struct os_task *job)
{
	ws->running--;
	ws->queue[job->pool].running--;
}

static void end_worker(struct prefork *ws, struct prefork_worker *w)
{
	if (w->job) {
		job_ended(ws, w->job);
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
static struct prefork_worker *free_worker(struct prefork *ws, bool *fresh)
{
	struct prefork_worker *unused = NULL;

	*fresh = false;
	for (size_t i = 0; i < PREFORK_MAX; i++) {
		struct prefork_worker *w = &ws->w[i];

		if (w->pid && !w->job && !w->dying && !w->old)
			return w;
		if (!w->pid && !unused)
			unused = w;
	}
	*fresh = true;
	return unused && prefork_start(ws, unused) ? unused : NULL;
}

void prefork_init(struct prefork *ws)
{
	for (size_t i = 0; i < OS_POOLS; i++)
		ws->queue[i].last = &ws->queue[i].first;
}

struct os_task *prefork_add_job(struct prefork *ws, struct str request, void *what,
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
	*ws->queue[pool].last = job;
	ws->queue[pool].last = &job->next;
	ws->queued++;
	ws->queued_bytes += request.n;
	return job;
}

static void unqueue(struct prefork *ws, struct os_task **at)
{
	struct os_task *job = *at;

	*at = job->next;
	if (!job->next)
		ws->queue[job->pool].last = at;
	ws->queued--;
	ws->queued_bytes -= job->request.n;
}

void prefork_cancel_job(struct prefork *ws, const struct os_task *job)
{
	struct os_task **at = &ws->queue[job->pool].first;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid && ws->w[i].job == job) {
			end_worker(ws, &ws->w[i]);
			return;
		}
	while (*at && *at != job)
		at = &(*at)->next;
	if (!*at)
		return;
	unqueue(ws, at);
	arena_free(job->a);
}

/* When no process can start, the job fails; otherwise it waits for a worker that is ending. */
static void queue_begin(struct prefork *ws, struct os_queue *q, size_t at_once)
{
	while (q->first && !ws->held && q->running < at_once) {
		struct os_task *job = q->first;
		bool fresh;
		struct prefork_worker *w = free_worker(ws, &fresh);
		int status = -1;

		if (!w && (ws->running || prefork_has_dying_worker(ws)))
			return;
		if (w && send_frame(w->fd, job->request, job->since)) {
			unqueue(ws, &q->first);
			w->job = job;
			job_begun(ws, job);
			continue;
		}
		if (w)
			status = prefork_reap(w);
		/* A worker that was killed while idle says nothing about this job. */
		if (!fresh)
			continue;
		unqueue(ws, &q->first);
		ws->ops->done(ws->serve, ws->ctx, job->what, (struct str){0}, status);
		arena_free(job->a);
	}
}

void prefork_start_jobs(struct prefork *ws)
{
	for (size_t i = 0; i < OS_POOLS; i++)
		queue_begin(ws, &ws->queue[i], ws->ops->at_once[i]);
}

/* The worker sees the end of its requests, and ends. */
static void prefork_retire(struct prefork_worker *w)
{
	w->old = true;
	if (!w->job)
		shutdown(w->fd, SHUT_WR);
}

void prefork_renew(struct prefork *ws)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid)
			prefork_retire(&ws->w[i]);
}

void prefork_end(struct prefork *ws)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid)
			end_worker(ws, &ws->w[i]);
}

bool prefork_has_dying_worker(const struct prefork *ws)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid && ws->w[i].dying)
			return true;
	return false;
}

uint64_t prefork_next_kill_time(const struct prefork *ws)
{
	uint64_t due = NEVER;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid && ws->w[i].dying && ws->w[i].killed < due)
			due = ws->w[i].killed;
	return due;
}

void prefork_kill_late(struct prefork *ws, uint64_t now)
{
	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid && ws->w[i].dying && now >= ws->w[i].killed) {
			kill(ws->w[i].pid, SIGKILL);
			ws->w[i].killed = NEVER;
		}
}

/* ---- answers ---- */

static void prefork_finish(struct prefork *ws, struct prefork_worker *w, struct str answer,
			   int status)
{
	struct os_task *job = w->job;

	w->job = NULL;
	job_ended(ws, job);
	if (w->pid && (w->old || !job->keep))
		prefork_retire(w);
	ws->ops->done(ws->serve, ws->ctx, job->what, answer, status);
	arena_free(job->a);
}

/* Handles bytes from a worker, or its end. */
static void prefork_read_answer(struct prefork *ws, struct prefork_worker *w)
{
	ssize_t got = pipe_buf_fill(&w->in, w->fd, true);
	struct str answer;
	uint64_t since;

	if (!got) {
		int status = prefork_reap(w);

		if (w->job)
			prefork_finish(ws, w, (struct str){0}, status);
		return;
	}
	if (!w->job) {
		pipe_buf_clear(&w->in);
	} else if (whole_frame(&w->in, &answer, &since)) {
		prefork_finish(ws, w, answer, 0);
		pipe_buf_clear(&w->in);
	}
}

size_t prefork_poll_fill(const struct prefork *ws, struct pollfd p[PREFORK_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < PREFORK_MAX; i++)
		if (ws->w[i].pid)
			p[n++] = (struct pollfd){.fd = ws->w[i].fd, .events = POLLIN};
	return n;
}

void prefork_poll_handle(struct prefork *ws, const struct pollfd *p, size_t n)
{
	size_t at = 0;

	/* In the order of prefork_poll_fill(); one that has gone since is passed by. */
	for (size_t i = 0; i < PREFORK_MAX && at < n; i++)
		if (ws->w[i].pid && ws->w[i].fd == p[at].fd && p[at++].revents)
			prefork_read_answer(ws, &ws->w[i]);
}

void prefork_release(struct prefork *ws)
{
	for (size_t i = 0; i < PREFORK_MAX; i++) {
		if (ws->w[i].pid)
			prefork_reap(&ws->w[i]);
		arena_free(ws->w[i].in.a);
	}
	for (size_t i = 0; i < OS_POOLS; i++)
		while (ws->queue[i].first)
			prefork_cancel_job(ws, ws->queue[i].first);
}
