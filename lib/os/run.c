/*
 * A child from its start to its end. One poll() serves its three pipes, its death, the signals that
 * come to us, and the deadline; nothing here can wait for one of them alone.
 */
#include "base/base.h"
#include "os/os.h"
#include "os/private.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PIECE    ((size_t)64 * 1024)
#define OUT_MAX  ((size_t)64 << 20) /* os.h says so */
#define GRACE_NS ((uint64_t)1000 * 1000 * 1000)
#define NEVER    UINT64_MAX

enum why { WENT_ON, TIMED_OUT, TOO_MUCH, FAILED };

struct run {
	const struct os_spawn *s;
	pid_t pid;
	pid_t target; /* of our signals: the child's group, or in the foreground itself */
	int pidfd;  /* -1 where the kernel has none: then it is asked every few milliseconds */
	int sigfd;  /* readable when a signal waits that would end us; -1 once it was passed on */
	int fd[3];  /* our ends, -1 when closed */
	size_t sent;
	struct buf out[2];
	sigset_t passed;   /* the signals that are passed on */
	sigset_t own;      /* those that are the child's alone */
	uint64_t deadline; /* os_ticks() when the next step is due */
	bool asked;        /* it got TERM, or our signal; KILL is next */
	bool ended;
	enum why why;
	int errnum;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- signals that come to us ---- */

/*
 * While the child runs they are blocked, so that they stay pending: the group gets a copy, and when
 * all is cleaned up and the old mask is back, they do to us what they would have done. No handler,
 * so no global state, and what the program's own handlers do is kept.
 */
static struct err *block_signals(struct run *r, sigset_t *old)
{
	static const int ends_us[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t blocked;

	sigemptyset(&r->passed);
	sigemptyset(&r->own);
	if (r->s->interactive) {
		sigaddset(&r->own, SIGINT);
		sigaddset(&r->own, SIGQUIT);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends_us); i++) {
		struct sigaction sa;

		if (sigismember(&r->own, ends_us[i]) > 0)
			continue;

		if (!sigaction(ends_us[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(&r->passed, ends_us[i]);
	}
	r->sigfd = signalfd(-1, &r->passed, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->sigfd < 0)
		return err_errno(errno, "run '%s'", r->s->argv[0]);
	sigorset(&blocked, &r->passed, &r->own);
	sigaddset(&blocked, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &blocked, old);
	return NULL;
}

static void unblock_signals(const struct run *r, const sigset_t *old, bool had_sigpipe)
{
	struct timespec none = {0};
	sigset_t gone = r->own;

	/* Ours, from a child that did not read all of its input; and what was meant for it. */
	if (!had_sigpipe)
		sigaddset(&gone, SIGPIPE);
	while (sigtimedwait(&gone, NULL, &none) > 0)
		;
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

static void pass_signals(struct run *r)
{
	sigset_t pending;

	sigpending(&pending);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&pending, sig) > 0 && sigismember(&r->passed, sig) > 0)
			kill(r->target, sig);
	close_fd(&r->sigfd);
	r->asked = true;
	r->deadline = os_ticks() + GRACE_NS;
}

/* ---- the pipes ---- */

static void give_up(struct run *r, enum why why, int errnum)
{
	if (r->why == WENT_ON) {
		r->why = why;
		r->errnum = errnum;
	}
	for (int i = 0; i < 3; i++)
		close_fd(&r->fd[i]);
	kill(r->target, SIGKILL);
}

static void send_input(struct run *r)
{
	struct str rest = str_sub(r->s->in, r->sent, r->s->in.n);
	ssize_t put = rest.n ? write(r->fd[0], rest.p, rest.n) : 0;

	if (put < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (put < 0 && errno != EPIPE)
		give_up(r, FAILED, errno);
	if (put > 0)
		r->sent += (size_t)put;
	/* What it does not want to read is its own affair. */
	if (put < 0 || r->sent == r->s->in.n)
		close_fd(&r->fd[0]);
}

/* At most `most` bytes; how many came. */
static size_t take_output(struct run *r, int i, size_t most)
{
	struct buf *b = &r->out[i - 1];
	size_t want = size_min(size_min(PIECE, most), b->max - b->n);
	ssize_t got = read(r->fd[i], buf_room(b, want), want);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (got < 0)
		give_up(r, FAILED, errno);
	if (got <= 0) {
		close_fd(&r->fd[i]);
		return 0;
	}
	b->n += (size_t)got;
	if (b->n == b->max)
		give_up(r, TOO_MUCH, 0);
	return (size_t)got;
}

/*
 * After its end: what is in the pipes now, and not until they are closed, because a daemon that it
 * left behind may hold them open for ever.
 */
static void drain(struct run *r)
{
	for (int i = 1; i < 3; i++) {
		int left = 0;
		size_t got = 1;

		if (r->fd[i] >= 0 && ioctl(r->fd[i], FIONREAD, &left))
			left = 0;
		for (size_t n = (size_t)left; n && got && r->fd[i] >= 0; n -= got)
			got = take_output(r, i, n);
	}
}

/* ---- its life ---- */

static void check_ended(struct run *r)
{
	siginfo_t info = {0};

	/* It stays a zombie, so that its number, and its group's, cannot become another's. */
	if (!waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
		r->ended = true;
}

static void check_deadline(struct run *r)
{
	if (os_ticks() < r->deadline)
		return;
	if (!r->asked) {
		r->why = r->why == WENT_ON ? TIMED_OUT : r->why;
		kill(r->target, SIGTERM);
		r->asked = true;
		r->deadline = os_ticks() + GRACE_NS;
		return;
	}
	kill(r->target, SIGKILL);
	r->deadline = NEVER;
}

/* Milliseconds for poll(), rounded up so that it does not spin before the deadline. */
static int wait_ms(const struct run *r)
{
	const int tick = 10;
	uint64_t now = os_ticks(), ms;

	if (r->deadline == NEVER)
		return r->pidfd < 0 ? tick : -1;
	ms = now >= r->deadline ? 0 : (r->deadline - now) / 1000000 + 1;
	return (int)size_min(ms, r->pidfd < 0 ? (size_t)tick : INT32_MAX);
}

static void serve(struct run *r)
{
	while (!r->ended) {
		struct pollfd p[5] = {
			{.fd = r->fd[0], .events = POLLOUT}, {.fd = r->fd[1], .events = POLLIN},
			{.fd = r->fd[2], .events = POLLIN},  {.fd = r->pidfd, .events = POLLIN},
			{.fd = r->sigfd, .events = POLLIN},
		};

		if (poll(p, ARRAY_SIZE(p), wait_ms(r)) < 0 && errno != EINTR)
			give_up(r, FAILED, errno);
		else if (p[0].revents && r->fd[0] >= 0)
			send_input(r);
		for (int i = 1; i < 3; i++)
			if (p[i].revents && r->fd[i] >= 0)
				take_output(r, i, PIECE);
		if (p[4].revents)
			pass_signals(r);
		check_deadline(r);
		if (p[3].revents || r->pidfd < 0 || r->why == FAILED)
			check_ended(r);
	}
}

static int finish(struct run *r)
{
	int status = 0;

	kill(r->target, SIGKILL);
	drain(r);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Makes the pipes and starts it; theirs are closed here again, ours stay in r->fd. */
static struct err *start(struct arena *a, struct run *r, const sigset_t *mask)
{
	const struct os_spawn *s = r->s;
	int theirs[3] = {-1, -1, -1}, ends[2];
	struct err *e = NULL;

	for (int i = 0; i < 3 && !e; i++) {
		if (i ? s->inherit_out : s->in_fd > 0) {
			theirs[i] = i ? -1 : s->in_fd;
			continue;
		}
		e = os_child_pipe(s->argv[0], ends);
		if (e)
			break;
		theirs[i] = ends[i > 0];
		r->fd[i] = ends[i == 0];
		if (fcntl(r->fd[i], F_SETFL, O_NONBLOCK))
			e = err_errno(errno, "run '%s'", s->argv[0]);
	}
	if (!e)
		e = os_child_start(a, s, theirs, mask, &r->pid);
	if (!e)
		r->target = s->foreground ? r->pid : -r->pid;
	for (int i = s->in_fd > 0; i < 3; i++)
		close_fd(&theirs[i]);
	return e;
}

static struct err *result(const struct run *r, size_t max)
{
	const char *name = r->s->argv[0];

	switch (r->why) {
	case WENT_ON:
		break;
	case TIMED_OUT:
		return err_detail_int(err_new(E_TOOK_TOO_LONG,
					      "'%s' did not end within %u ms and was stopped", name,
					      r->s->timeout_ms),
				      "timeout_ms", r->s->timeout_ms);
	case TOO_MUCH:
		return err_detail_int(err_new(E_TOO_BIG, "'%s' wrote more than %zu bytes", name,
					      max),
				      "limit", (int64_t)max);
	case FAILED:
		return err_errno(r->errnum, "talk to '%s'", name);
	}
	return NULL;
}

static struct err *run(struct arena *a, struct run *r, struct os_result *out, sigset_t *old)
{
	sigset_t pending;
	struct err *e;
	int status;

	sigpending(&pending);
	TRY(block_signals(r, old));
	e = start(a, r, old);
	if (!e) {
		r->pidfd = (int)syscall(SYS_pidfd_open, r->pid, 0);
		if (r->s->timeout_ms)
			r->deadline = os_ticks() + (uint64_t)r->s->timeout_ms * 1000000;
		serve(r);
		status = finish(r);
		*out = (struct os_result){status, buf_str(&r->out[0]), buf_str(&r->out[1])};
	}
	unblock_signals(r, old, sigismember(&pending, SIGPIPE) > 0);
	return e;
}

struct err *os_run(struct arena *a, const struct os_spawn *s, struct os_result *out)
{
	size_t max = s->out_max ? size_min(s->out_max, SIZE_MAX / 4) : OUT_MAX;
	struct run r = {
		.s = s,
		.pidfd = -1,
		.sigfd = -1,
		.fd = {-1, -1, -1},
		.out = {buf_max(a, max + 1), buf_max(a, max + 1)},
		.deadline = NEVER,
	};
	sigset_t old;
	struct err *e = run(a, &r, out, &old);

	for (int i = 0; i < 3; i++)
		close_fd(&r.fd[i]);
	close_fd(&r.pidfd);
	close_fd(&r.sigfd);
	TRY(e);
	return result(&r, max);
}

/* ---- a child to talk to ---- */

static void end_peer(void *ctx)
{
	struct os_peer *p = ctx;

	close_fd(&p->to);
	close_fd(&p->from);
	kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static struct err *start_peer(struct arena *a, const struct os_spawn *s, struct os_peer *p,
			      int theirs[3])
{
	struct os_spawn own = *s;
	int in[2], from[2];
	sigset_t mask;

	own.foreground = false; /* it is ended as a group */
	TRY(os_child_pipe(s->argv[0], in));
	p->to = in[1];
	theirs[0] = in[0];
	TRY(os_child_pipe(s->argv[0], from));
	p->from = from[0];
	theirs[1] = from[1];
	if (!s->inherit_out) {
		theirs[2] = os_openat(AT_FDCWD, "/dev/null", O_WRONLY, 0);
		if (theirs[2] < 0)
			return err_errno(errno, "open '/dev/null'");
	}
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return os_child_start(a, &own, theirs, &mask, &p->pid);
}

struct err *os_peer_new(struct arena *a, const struct os_spawn *s, struct os_peer **out)
{
	struct os_peer *p = ARENA_NEW(a, struct os_peer);
	int theirs[3] = {-1, -1, -1};
	struct err *e;

	*p = (struct os_peer){.to = -1, .from = -1};
	e = start_peer(a, s, p, theirs);
	for (int i = 0; i < 3; i++)
		close_fd(&theirs[i]);
	if (e) {
		close_fd(&p->to);
		close_fd(&p->from);
		return e;
	}
	arena_defer(a, end_peer, p);
	*out = p;
	return NULL;
}
