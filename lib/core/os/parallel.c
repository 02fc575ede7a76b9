#include "os/internal.h"
#include <pthread.h>
#include <stdatomic.h>

struct work {
	atomic_size_t next;
	size_t n;
	void (*fn)(void *ctx, unsigned thread, size_t i);
	void *ctx;
};

struct prefork_worker {
	struct work *work;
	unsigned number;
	pthread_t thread;
};

static void *parallel_work(void *ctx)
{
	struct prefork_worker *w = ctx;
	size_t i;

	while ((i = atomic_fetch_add(&w->work->next, 1)) < w->work->n)
		w->work->fn(w->work->ctx, w->number, i);
	return NULL;
}

void os_parallel_for(size_t n, unsigned threads, void (*fn)(void *ctx, unsigned thread, size_t i),
		     void *ctx)
{
	struct work work = {.n = n, .fn = fn, .ctx = ctx};
	struct prefork_worker workers[OS_THREADS_MAX];
	unsigned count =
		(unsigned)size_min(size_min(n, threads ? threads : os_cores()), OS_THREADS_MAX);
	unsigned started = 1;
	sigset_t old;

	os_block_signals(&old);
	for (; started < count; started++) {
		workers[started] = (struct prefork_worker){.work = &work, .number = started};
		/* Without more threads the existing ones do all the work. */
		if (pthread_create(&workers[started].thread, NULL, parallel_work,
				   &workers[started]))
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	workers[0] = (struct prefork_worker){.work = &work};
	parallel_work(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
}
