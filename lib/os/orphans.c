/*
 * Kills the processes that a child leaves behind. A daemon leaves its group and session. But when
 * its parent ends, its new parent is the nearest ancestor that asked for orphans (a child
 * subreaper).
 */
#include "os/os.h"
#include "os/private.h"
#include <sys/prctl.h>
#include <sys/wait.h>

/* Ends the loop when processes fork as fast as they are killed. */
#define GIVE_UP_NS ((uint64_t)2000 * 1000 * 1000)

static bool have_children(void)
{
	siginfo_t info;

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
}

/* Orphans become children of the first thread of a process, whose id is the process id. */
static void list_children(struct arena *a, struct os_pids *out)
{
	struct str name = str_fmt(a, "/proc/self/task/%d/children", (int)getpid()), text, part;
	int64_t pid;

	out->n = 0;
	if (!have_children() || os_read(a, name.p, (size_t)1 << 20, &text))
		return;
	while (str_split(&text, ' ', &part))
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

void os_orphans_take(struct arena *a, struct os_orphans *o)
{
	int was = 0;

	o->was = !prctl(PR_GET_CHILD_SUBREAPER, &was) && was;
	o->on = !prctl(PR_SET_CHILD_SUBREAPER, 1);
	list_children(a, &o->before);
}

/*
 * Killing a process makes its children orphans of this process, so each generation needs one pass.
 */
static bool end_some(struct arena *a, const struct os_orphans *o, bool *reaped)
{
	struct os_pids now = {0};
	bool left = false;

	*reaped = false;
	list_children(a, &now);
	for (size_t i = 0; i < now.n; i++) {
		if (orphans_has(&o->before, now.p[i]))
			continue;
		/* A process of another user cannot be killed, so do not wait for it. */
		if (kill(now.p[i], SIGKILL))
			continue;
		left = true;
		if (waitpid(now.p[i], NULL, WNOHANG) > 0)
			*reaped = true;
	}
	return left;
}

void os_orphans_end(struct os_orphans *o)
{
	const struct timespec moment = {.tv_nsec = 500 * 1000};
	uint64_t until = os_ticks() + GIVE_UP_NS;
	bool left = o->on, reaped;

	while (left && os_ticks() < until) {
		struct arena *a ARENA_LOCAL = arena_new();

		left = end_some(a, o, &reaped);
		if (left && !reaped)
			nanosleep(&moment, NULL);
	}
	if (o->on && !o->was)
		prctl(PR_SET_CHILD_SUBREAPER, 0);
}
