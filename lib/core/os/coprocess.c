/* A coprocess that lives as long as an arena. */
#include "os/internal.h"
#include <errno.h>
#include <sys/wait.h>

static void coprocess_end(void *ctx)
{
	struct os_coprocess *p = ctx;

	os_close_fd(&p->to);
	os_close_fd(&p->from);
	if (!p->foreground)
		kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static struct err *coprocess_start(struct arena *a, const struct os_spawn *s,
				   struct os_coprocess *p, int theirs[3])
{
	int in[2], from[2];
	sigset_t mask;

	TRY(os_child_pipe(s->argv[0], in));
	p->to = in[1];
	theirs[0] = in[0];
	if (!s->foreground) {
		TRY(os_child_pipe(s->argv[0], from));
		p->from = from[0];
		theirs[1] = from[1];
	}
	if (!s->inherit_out) {
		theirs[2] = os_openat(AT_FDCWD, "/dev/null", O_WRONLY, 0);
		if (theirs[2] < 0)
			return err_errno(errno, "open '/dev/null'");
	}
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return os_child_start(a, s, theirs, &mask, &p->pid);
}

struct err *os_coprocess_new(struct arena *a, const struct os_spawn *s, struct os_coprocess **out)
{
	struct os_coprocess *p = ARENA_NEW(a, struct os_coprocess);
	int theirs[3] = {-1, -1, -1};
	struct err *e;

	os_critical_check_wait("running a program");
	*p = (struct os_coprocess){.to = -1, .from = -1, .foreground = s->foreground};
	e = coprocess_start(a, s, p, theirs);
	for (int i = 0; i < 3; i++)
		os_close_fd(&theirs[i]);
	if (e) {
		os_close_fd(&p->to);
		os_close_fd(&p->from);
		return e;
	}
	arena_defer(a, coprocess_end, p);
	*out = p;
	return NULL;
}
