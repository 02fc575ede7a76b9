/*
 * Runs a child from start to end. One poll() serves its three pipes, its end, the signals of the
 * caller, and the deadline; no call waits for one of them alone.
 */
#include "os/internal.h"
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#ifndef IKM_POSIX
#include <sys/prctl.h>
#endif
#include <sys/wait.h>

/* Ends the loop when processes fork as fast as they are killed. */
#define GIVE_UP_NS ((uint64_t)2000 * 1000 * 1000)

/* Orphans become children of the first thread of a process, whose id is the process id. */
static void list_children(struct arena *a, struct os_pids *out)
{
	struct str name = str_fmt(a, OS_PROC_SELF "task/%d/children", (int)getpid()), text, part;
	siginfo_t info;
	int64_t pid;

	out->n = 0;
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ||
	    os_read_path(a, name.p, (size_t)1 << 20, &text))
		return;
	while (str_next_part(&text, ' ', &part))
		if (str_int(part, &pid))
			*VEC_PUSH(a, out) = (pid_t)pid;
}

static bool orphans_has(const struct os_pids *v, pid_t pid)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->p[i] == pid)
			return true;
	return false;
}

#ifdef IKM_POSIX
static bool orphans_adopt(bool on, bool *was)
{
	(void)on;
	*was = false;
	return false;
}

static int run_pidfd(pid_t pid)
{
	(void)pid;
	return -1;
}
#else
/* Makes orphans children of this process, or no more. False: the kernel cannot. */
static bool orphans_adopt(bool on, bool *was)
{
	int now = 0;

	*was = !prctl(PR_GET_CHILD_SUBREAPER, &now) && now;
	return !prctl(PR_SET_CHILD_SUBREAPER, on);
}

static int run_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}
#endif

static void os_orphans_take(struct arena *a, struct os_orphans *o)
{
	o->on = orphans_adopt(true, &o->was);
	list_children(a, &o->before);
}

static void os_orphans_end(struct os_orphans *o)
{
	const struct timespec moment = {.tv_nsec = 500 * 1000};
	uint64_t until = os_ticks() + GIVE_UP_NS;
	bool left = o->on, was;

	/* Killing a process makes its children orphans of this process, so each generation needs
	 * one pass. */
	while (left && os_ticks() < until) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct os_pids now = {0};
		bool reaped = false;

		left = false;
		list_children(a, &now);
		for (size_t i = 0; i < now.n; i++) {
			/* A process of another user cannot be killed, so do not wait for it. */
			if (orphans_has(&o->before, now.p[i]) || kill(now.p[i], SIGKILL))
				continue;
			left = true;
			reaped |= waitpid(now.p[i], NULL, WNOHANG) > 0;
		}
		if (left && !reaped)
			nanosleep(&moment, NULL);
	}
	if (o->on && !o->was)
		orphans_adopt(false, &was);
}

#define PIECE    ((size_t)64 * 1024)
#define OUT_MAX  ((size_t)64 << 20) /* as os.h promises */
#define GRACE_NS ((uint64_t)1000 * 1000 * 1000)
#define NEVER    UINT64_MAX
#define EDGE_MS  ((size_t)100)

enum why { WENT_ON, TIMED_OUT, TOO_MUCH, FAILED };

struct run {
	const struct os_spawn *s;
	pid_t pid;
	pid_t target; /* receives passed-on signals: the child's group; in the foreground the child
			 itself */
	int pidfd;    /* -1 when the kernel has none: then ask every few milliseconds */
	int fd[3];    /* this side of the pipes, -1 when closed */
	int order;    /* epoll on stdout and stderr, to order them; -1 without `both` */
	size_t sent;
	struct buf out[2], both;
	size_t lost[2];
	uint64_t deadline; /* os_ticks() when the next step is due */
	bool asked;        /* got TERM or a passed-on signal; KILL is next */
	bool ended;
	enum why why;
	int errnum;
};

/* The running children. */
struct runs {
	struct run **p;
	size_t n;
	struct pollfd *polled; /* FDS for each child, and one more */
	int sigfd;             /* readable when a fatal signal waits; -1 once it was passed on */
	bool stopped;          /* a signal was passed on */
	sigset_t passed;       /* signals that are passed on */
	sigset_t own;          /* signals for the child alone */
	sigset_t old;          /* signals blocked before */
	bool had_sigpipe;
	struct os_orphans orphans;
};
#define FDS ((size_t)4)

/* ---- signals of the caller ---- */

/*
 * Blocks signals while a child runs, so that they stay pending. The group gets a copy; after the
 * clean-up the old mask returns, and the signals act on the caller as usual. No handler, so no
 * global state, and the program's own handlers still work.
 */
static struct err *block_signals(struct runs *rs, const struct os_spawn *s)
{
	static const int ends_us[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	sigset_t blocked, pending;
	struct sigaction sa;

	sigpending(&pending);
	rs->had_sigpipe = sigismember(&pending, SIGPIPE) > 0;
	sigemptyset(&rs->passed);
	sigemptyset(&rs->own);
	if (s->interactive) {
		sigaddset(&rs->own, SIGINT);
		sigaddset(&rs->own, SIGQUIT);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends_us); i++) {
		if (sigismember(&rs->own, ends_us[i]) > 0)
			continue;
		if (!sigaction(ends_us[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(&rs->passed, ends_us[i]);
	}
	/* In the foreground the terminal signals the child itself. */
	if (!s->foreground && !sigaction(SIGTSTP, NULL, &sa) && sa.sa_handler == SIG_DFL)
		sigaddset(&rs->passed, SIGTSTP);
	rs->sigfd = signalfd(-1, &rs->passed, SFD_CLOEXEC | SFD_NONBLOCK);
	if (rs->sigfd < 0)
		return err_errno(errno, "run '%s'", s->argv[0]);
	sigorset(&blocked, &rs->passed, &rs->own);
	sigaddset(&blocked, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &blocked, &rs->old);
	return NULL;
}

static void unblock_signals(struct runs *rs)
{
	struct timespec none = {0};
	sigset_t gone = rs->own;

	os_close_fd(&rs->sigfd);
	/*
	 * Consumes the SIGPIPE of a child that did not read all its input, and the signals meant
	 * for the child.
	 */
	if (!rs->had_sigpipe)
		sigaddset(&gone, SIGPIPE);
	while (sigtimedwait(&gone, NULL, &none) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &rs->old, NULL);
}

static void pass_signals(struct runs *rs)
{
	const struct timespec none = {0};
	sigset_t pending, stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigpending(&pending);
	sigandset(&stop, &stop, &rs->passed);
	if (sigtimedwait(&stop, NULL, &none) > 0) {
		uint64_t since = os_ticks();

		/* Stops the children while the caller is stopped, and stops their time too. */
		for (size_t i = 0; i < rs->n; i++)
			kill(rs->p[i]->target, SIGSTOP);
		raise(SIGSTOP);
		for (size_t i = 0; i < rs->n; i++) {
			if (rs->p[i]->deadline != NEVER)
				rs->p[i]->deadline += os_ticks() - since;
			kill(rs->p[i]->target, SIGCONT);
		}
		return;
	}
	for (size_t i = 0; i < rs->n; i++) {
		struct run *r = rs->p[i];

		for (int sig = 1; sig < NSIG; sig++)
			if (sigismember(&pending, sig) > 0 && sigismember(&rs->passed, sig) > 0)
				kill(r->target, sig);
		kill(r->target, SIGCONT);
		r->asked = true;
		r->deadline = os_ticks() + GRACE_NS;
	}
	os_close_fd(&rs->sigfd);
	rs->stopped = true;
}

/* ---- the pipes ---- */

static void os_run_give_up(struct run *r, enum why why, int errnum)
{
	if (r->why == WENT_ON) {
		r->why = why;
		r->errnum = errnum;
	}
	for (int i = 0; i < 3; i++)
		os_close_fd(&r->fd[i]);
	kill(r->target, SIGKILL);
}

static void send_input(struct run *r)
{
	struct str rest = str_sub(r->s->in, r->sent, r->s->in.n);
	ssize_t put = rest.n ? write(r->fd[0], rest.p, rest.n) : 0;

	if (put < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (put < 0 && errno != EPIPE)
		os_run_give_up(r, FAILED, errno);
	if (put > 0)
		r->sent += (size_t)put;
	/* A child may leave its input unread. */
	if (put < 0 || r->sent == r->s->in.n)
		os_close_fd(&r->fd[0]);
}

/* Reads at most `most` bytes; returns how many. */
static size_t read_output(struct run *r, int i, size_t most)
{
	char piece[PIECE];
	ssize_t got = read(r->fd[i], piece, size_min(sizeof(piece), most));
	struct buf *b = &r->out[i - 1];
	bool may_lose = i == 2 ? r->s->err_keep : r->s->out_keep;
	struct str kept;

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (got < 0)
		os_run_give_up(r, FAILED, errno);
	if (got <= 0) {
		os_close_fd(&r->fd[i]);
		return 0;
	}
	kept = str_sub((struct str){piece, (size_t)got}, 0, b->max - b->n);
	buf_put(b, kept);
	if (r->s->both)
		buf_put(&r->both, kept);
	r->lost[i - 1] += (size_t)got - kept.n;
	if (kept.n < (size_t)got && !may_lose)
		os_run_give_up(r, TOO_MUCH, 0);
	return (size_t)got;
}

/*
 * Only the kernel knows which of two pipes was written first: it reports them in that order by
 * edge-triggered epoll. Each pipe has room for one packet, so that it holds one write, and each
 * edge means one read.
 */
static struct err *watch_order(struct run *r)
{
	const char *name = r->s->argv[0];

	r->order = epoll_create1(EPOLL_CLOEXEC);
	for (uint32_t i = 1; i < 3 && r->order >= 0; i++) {
		struct epoll_event edge = {.events = EPOLLIN | EPOLLET, .data.u32 = i};

		if (epoll_ctl(r->order, EPOLL_CTL_ADD, r->fd[i], &edge))
			return err_errno(errno, "watch the output of '%s'", name);
	}
	return r->order < 0 ? err_errno(errno, "watch the output of '%s'", name) : NULL;
}

static void read_output_in_order(struct run *r)
{
	struct epoll_event edge[2];
	int n = epoll_wait(r->order, edge, 2, 0);

	for (int i = 0; i < n; i++)
		if (r->fd[edge[i].data.u32] >= 0)
			read_output(r, (int)edge[i].data.u32, PIECE);
}

/* ---- the end of a child ---- */

/* Milliseconds for poll(), rounded up so that poll() does not spin before the deadline. */
static int wait_ms(const struct runs *rs)
{
	uint64_t deadline = NEVER, now, ms, most = INT32_MAX;

	for (size_t i = 0; i < rs->n; i++) {
		if (rs->p[i]->deadline < deadline)
			deadline = rs->p[i]->deadline;
		if (rs->p[i]->pidfd < 0)
			most = 10;
		else if (rs->p[i]->order >= 0 && most > EDGE_MS)
			most = EDGE_MS;
	}
	if (deadline == NEVER)
		return most < INT32_MAX ? (int)most : -1;
	now = os_ticks();
	ms = now >= deadline ? 0 : (deadline - now) / 1000000 + 1;
	return (int)(ms < most ? ms : most);
}

static void serve_one(struct run *r, const struct pollfd *p, bool idle)
{
	bool late;

	if (p[0].revents && r->fd[0] >= 0)
		send_input(r);
	if (r->order >= 0 && p[1].revents)
		read_output_in_order(r);
	/* When a pipe holds several writes, one edge may mean all of them. */
	for (int i = 1; i < 3; i++)
		if ((r->order >= 0 ? idle : p[i].revents) && r->fd[i] >= 0)
			read_output(r, i, PIECE);
	late = os_ticks() >= r->deadline;
	if (late && !r->asked) {
		r->why = r->why == WENT_ON ? TIMED_OUT : r->why;
		kill(r->target, SIGTERM);
		kill(r->target, SIGCONT); /* a stopped process receives no other signal */
		r->asked = true;
		r->deadline = os_ticks() + GRACE_NS;
	} else if (late) {
		kill(r->target, SIGKILL);
		r->deadline = NEVER;
	}
	if (p[3].revents || r->pidfd < 0 || r->why == FAILED) {
		siginfo_t info = {0};

		/* It stays a zombie, so that its id and its group's id are not reused. */
		if (!waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
			r->ended = true;
	}
}

/* Waits for the next event and handles it. */
static void serve(struct runs *rs)
{
	struct pollfd *p = rs->polled;
	nfds_t n = rs->n * FDS;
	int ready;

	for (size_t i = 0; i < rs->n; i++) {
		const struct run *r = rs->p[i];

		p[i * FDS + 0] = (struct pollfd){.fd = r->fd[0], .events = POLLOUT};
		p[i * FDS + 1] = (struct pollfd){.events = POLLIN};
		p[i * FDS + 1].fd = r->order >= 0 ? r->order : r->fd[1];
		p[i * FDS + 2] = (struct pollfd){.events = POLLIN};
		p[i * FDS + 2].fd = r->order >= 0 ? -1 : r->fd[2];
		p[i * FDS + 3] = (struct pollfd){.fd = r->pidfd, .events = POLLIN};
	}
	p[n] = (struct pollfd){.fd = rs->sigfd, .events = POLLIN};
	ready = poll(p, n + 1, wait_ms(rs));
	if (ready < 0) {
		for (size_t i = 0; i < rs->n && errno != EINTR; i++)
			os_run_give_up(rs->p[i], FAILED, errno);
		for (nfds_t i = 0; i <= n; i++)
			p[i].revents = 0;
	}
	if (p[n].revents)
		pass_signals(rs);
	for (size_t i = 0; i < rs->n; i++)
		serve_one(rs->p[i], p + i * FDS, !ready);
}

static void run_close_fds(struct run *r)
{
	for (int i = 0; i < 3; i++)
		os_close_fd(&r->fd[i]);
	os_close_fd(&r->order);
	os_close_fd(&r->pidfd);
}

/* Makes the pipes and starts the child. Closes the child's ends; r->fd has the other ends. */
static struct err *os_run_start(struct arena *a, struct run *r, const sigset_t *mask)
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
		if (i && s->both && fcntl(ends[1], F_SETPIPE_SZ, 1) > 0)
			fcntl(ends[1], F_SETFL, O_DIRECT);
		if (fcntl(r->fd[i], F_SETFL, O_NONBLOCK))
			e = err_errno(errno, "run '%s'", s->argv[0]);
	}
	if (!e && s->both)
		e = watch_order(r);
	if (!e)
		e = os_child_start(a, s, theirs, mask, &r->pid);
	for (int i = s->in_fd > 0; i < 3; i++)
		os_close_fd(&theirs[i]);
	if (e)
		run_close_fds(r);
	return e;
}

/* *out is zero when the child did not start; otherwise call os_run_finish() once r->ended. */
static struct err *os_run_begin(struct arena *a, const struct os_spawn *s, const sigset_t *mask,
				struct run *r, struct os_result *out)
{
	size_t max = s->out_max ? size_min(s->out_max, SIZE_MAX / 4) : OUT_MAX;
	size_t out_max = s->out_keep ? s->out_keep : max, err_max = s->err_keep ? s->err_keep : max;

	*out = (struct os_result){0};
	*r = (struct run){
		.s = s,
		.pidfd = -1,
		.fd = {-1, -1, -1},
		.order = -1,
		.out = {buf_with_max(a, out_max), buf_with_max(a, err_max)},
		.both = buf_in(a),
		.deadline = NEVER,
	};
	TRY(os_run_start(a, r, mask));
	r->target = s->foreground ? r->pid : -r->pid;
	r->pidfd = run_pidfd(r->pid);
	if (s->timeout_ms)
		r->deadline = os_ticks() + (uint64_t)s->timeout_ms * 1000000;
	return NULL;
}

static struct err *run_error(const struct run *r)
{
	const char *name = r->s->argv[0];
	size_t max = r->s->out_max ? r->s->out_max : OUT_MAX;

	switch (r->why) {
	case WENT_ON: break;
	case TIMED_OUT:
		return err_detail_int(err_new(E_TOOK_TOO_LONG,
					      "'%s' did not end within %u ms and was stopped", name,
					      r->s->timeout_ms),
				      "timeout_ms", r->s->timeout_ms);
	case TOO_MUCH:
		return err_detail_int(
			err_new(E_TOO_BIG, "'%s' wrote more than %zu bytes", name, max), "limit",
			(int64_t)max);
	case FAILED: return err_errno(r->errnum, "talk to '%s'", name);
	}
	return NULL;
}

static void os_run_finish(struct run *r, struct os_result *out)
{
	int status = 0;

	kill(r->target, SIGKILL);
	if (r->order >= 0)
		read_output_in_order(r);
	/*
	 * After the child's end: reads what the pipes hold now. Does not wait until they close,
	 * because a daemon may hold them open forever.
	 */
	for (int i = 1; i < 3; i++) {
		int left = 0;
		size_t got = 1;

		if (r->fd[i] >= 0 && ioctl(r->fd[i], FIONREAD, &left))
			left = 0;
		for (size_t n = (size_t)left; n && got && r->fd[i] >= 0; n -= got)
			got = read_output(r, i, n);
	}
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	run_close_fds(r);
	*out = (struct os_result){
		.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		.out = buf_as_str(&r->out[0]),
		.err = buf_as_str(&r->out[1]),
		.out_lost = r->lost[0],
		.err_lost = r->lost[1],
		.both = buf_as_str(&r->both),
	};
}

struct err *os_run(struct arena *a, const struct os_spawn *s, struct os_result *out)
{
	struct pollfd polled[FDS + 1];
	struct run r, *one = &r;
	struct runs rs = {.p = &one, .n = 1, .polled = polled};
	struct err *e;

	os_critical_check_wait("running a program");
	*out = (struct os_result){0};
	TRY(block_signals(&rs, s));
	if (s->contain)
		os_orphans_take(a, &rs.orphans);
	e = os_run_begin(a, s, &rs.old, &r, out);
	if (!e) {
		while (!r.ended)
			serve(&rs);
		os_run_finish(&r, out);
	}
	os_orphans_end(&rs.orphans);
	unblock_signals(&rs);
	return e ? e : run_error(&r);
}

/* ---- several at once ---- */

struct slot {
	struct run run;  /* first, so that a pointer to one is a pointer to the other */
	struct arena *a; /* for its output */
	size_t i;
};

struct several {
	const struct os_spawn *s;
	size_t n, next;
	size_t at_once;
	struct runs rs; /* p: all slots; slots from rs.n on are free */
	void (*done)(void *ctx, size_t i, struct err *e, const struct os_result *r);
	void *ctx;
};

static void begin_next(struct several *v)
{
	struct slot *slot = (struct slot *)v->rs.p[v->rs.n];
	struct os_result none = {0};
	struct err *e;

	slot->i = v->next;
	slot->a = arena_new();
	if (v->rs.stopped)
		e = err_errno(EINTR, "run '%s'", v->s[slot->i].argv[0]);
	else
		e = os_run_begin(slot->a, &v->s[slot->i], &v->rs.old, &slot->run, &none);
	if (e && err_reason(e) == E_TOO_MANY_FILES && v->rs.n) {
		/* Running children return their descriptors when they end. */
		v->at_once = v->rs.n;
	} else if (e) {
		v->next++;
		v->done(v->ctx, slot->i, e, &none);
	} else {
		v->next++;
		v->rs.n++;
		return;
	}
	arena_free(slot->a);
}

static void end_one(struct several *v, size_t k)
{
	struct run *r = v->rs.p[k];
	struct slot *slot = (struct slot *)r;
	struct os_result result;

	os_run_finish(r, &result);
	v->rs.p[k] = v->rs.p[--v->rs.n];
	v->rs.p[v->rs.n] = r;
	v->done(v->ctx, slot->i, run_error(r), &result);
	arena_free(slot->a);
}

struct err *os_spawn_many(const struct os_spawn *s, size_t n, unsigned at_once,
			  void (*done)(void *ctx, size_t i, struct err *e,
				       const struct os_result *r),
			  void *ctx)
{
	struct several v = {
		.s = s,
		.n = n,
		.at_once = size_min(size_max(at_once, 1), n),
		.done = done,
		.ctx = ctx,
	};
	struct arena *a ARENA_LOCAL = NULL;
	struct slot *slots;

	os_critical_check_wait("running programs");
	if (!n)
		return NULL;
	a = arena_new();
	slots = arena_array(a, v.at_once, sizeof(*slots));
	v.rs.polled = arena_array(a, v.at_once * FDS + 1, sizeof(*v.rs.polled));
	v.rs.p = arena_array(a, v.at_once, sizeof(*v.rs.p));
	for (size_t i = 0; i < v.at_once; i++)
		v.rs.p[i] = &slots[i].run;
	TRY(block_signals(&v.rs, s));
	if (s->contain)
		os_orphans_take(a, &v.rs.orphans);
	while (v.next < n || v.rs.n) {
		while (v.next < n && v.rs.n < v.at_once)
			begin_next(&v);
		if (v.rs.n)
			serve(&v.rs);
		/* Backwards, so that the child that moves into a free place was handled already. */
		for (size_t k = v.rs.n; k--;)
			if (v.rs.p[k]->ended)
				end_one(&v, k);
	}
	os_orphans_end(&v.rs.orphans);
	unblock_signals(&v.rs);
	return NULL;
}
