#include "out/out.h"
#include "os/os.h"
#include <pthread.h>
#include <unistd.h>

#define SECOND 1000000000u

/* There is one line, and one may wait for another: the newest call has it. */
static bool line_shown;
static bool progress_off;
/* Guards both, and the output: one thread may start a pager while another works. */
static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
/* Works that follow each other at once count as one, so that ten short ones are shown too. */
static uint64_t begun, active;
static uint64_t told; /* when progress_at() was called last */

bool progress_possible(void)
{
	const char *term = os_env("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
}

static void progress_erase(void)
{
	if (line_shown)
		fputs("\r\033[K", stderr);
	line_shown = false;
}

void progress_clear(bool off)
{
	pthread_mutex_lock(&progress_lock);
	progress_erase();
	progress_off = off;
	pthread_mutex_unlock(&progress_lock);
}

struct progress progress_start(const char *what, uint64_t total)
{
	struct progress p = {.what = what, .total = total, .on = progress_possible()};

	if (!p.on)
		return p;
	p.shown = os_ticks();
	if (p.shown - active > SECOND / 2)
		begun = p.shown;
	p.start = begun;
	active = p.shown;
	return p;
}

void progress_at(struct progress *p, uint64_t done)
{
	uint64_t now;

	if (!p->on)
		return;
	now = active = told = os_ticks();
	if (now - p->start < SECOND || now - p->shown < SECOND / 10)
		return;
	p->shown = now;
	pthread_mutex_lock(&progress_lock);
	if (!progress_off) {
		line_shown = true;
		if (p->total)
			fprintf(stderr, "\r%s: %llu of %llu\033[K", p->what,
				(unsigned long long)done, (unsigned long long)p->total);
		else
			fprintf(stderr, "\r%s: %llu\033[K", p->what, (unsigned long long)done);
		fflush(stderr);
	}
	pthread_mutex_unlock(&progress_lock);
}

void progress_end(struct progress *p)
{
	if (!p->on)
		return;
	p->on = false;
	pthread_mutex_lock(&progress_lock);
	progress_erase();
	pthread_mutex_unlock(&progress_lock);
}

void progress_show_seconds(const char *what)
{
	static struct progress work;
	uint64_t now = os_ticks();

	if (now - told < SECOND)
		return;
	if (now - active > SECOND / 2 || !work.on)
		work = progress_start(what, 0);
	progress_at(&work, (now - work.start) / SECOND);
	told = 0;
}
