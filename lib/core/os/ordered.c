#include "os/os.h"
#include <pthread.h>

#define WAITING_MAX ((size_t)16 << 20)

struct slot {
	void *item, *result;
	size_t bytes;
	bool done;
};

/* All under the lock, except delivering: its slot is the head, and only one thread is there. */
struct os_ordered {
	const struct os_ordered_ops *ops;
	void *ctx;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct arena *arena;
	struct VEC(struct slot) slots;
	size_t next;    /* the next item to start */
	size_t head;    /* the next result to deliver */
	size_t waiting; /* bytes of results behind the head */
	bool telling, found;
	struct err *error; /* of find() */
};

void os_ordered_pool_add(struct os_ordered *t, void *item)
{
	pthread_mutex_lock(&t->lock);
	VEC_PUSH(t->arena, &t->slots)->item = item;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

void os_ordered_turn(struct os_job *job)
{
	struct os_ordered *t = job->pool;

	pthread_mutex_lock(&t->lock);
	while (t->head != job->i || t->telling)
		pthread_cond_wait(&t->changed, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

/* The thread that finishes the head's work delivers it, and the finished results behind it. */
static void ordered_end(struct os_ordered *t, const struct os_job *job)
{
	struct slot *slot = &t->slots.p[job->i];

	slot->result = job->result;
	slot->bytes = job->bytes;
	slot->done = true;
	t->waiting += job->bytes;
	if (t->telling)
		return;
	t->telling = true;
	while (t->head < t->slots.n && t->slots.p[t->head].done) {
		struct slot told = t->slots.p[t->head];

		if (told.result) {
			pthread_mutex_unlock(&t->lock);
			t->ops->tell(t->ctx, told.result);
			pthread_mutex_lock(&t->lock);
		}
		t->waiting -= told.bytes;
		t->head++;
	}
	t->telling = false;
	pthread_cond_broadcast(&t->changed);
}

/* Each thread stays in its first call until all is found, and returns at once from others. */
static void ordered_take_part(void *ctx, unsigned thread, size_t i)
{
	struct os_ordered *t = ctx;

	(void)i;
	if (!thread && !t->found) {
		t->error = t->ops->find(t->ctx, t);
		pthread_mutex_lock(&t->lock);
		t->found = true;
		/* More work in this thread could overwrite the error. */
		if (t->error)
			t->next = t->slots.n;
		pthread_cond_broadcast(&t->changed);
		pthread_mutex_unlock(&t->lock);
	}
	pthread_mutex_lock(&t->lock);
	for (;;) {
		struct os_job job = {.pool = t, .thread = thread};

		/* The head is always in work or being delivered, so the wait ends. */
		while ((t->next == t->slots.n && !t->found) || t->waiting > WAITING_MAX)
			pthread_cond_wait(&t->changed, &t->lock);
		if (t->next == t->slots.n)
			break;
		job.i = t->next++;
		job.item = t->slots.p[job.i].item;
		pthread_mutex_unlock(&t->lock);
		t->ops->work(t->ctx, &job);
		pthread_mutex_lock(&t->lock);
		ordered_end(t, &job);
	}
	pthread_mutex_unlock(&t->lock);
}

struct err *os_ordered_run(const struct os_ordered_ops *ops, unsigned threads, void *ctx)
{
	struct os_ordered t = {.ops = ops, .ctx = ctx, .arena = arena_new()};

	pthread_mutex_init(&t.lock, NULL);
	pthread_cond_init(&t.changed, NULL);
	os_parallel_for(OS_THREADS_MAX, threads, ordered_take_part, &t);
	pthread_cond_destroy(&t.changed);
	pthread_mutex_destroy(&t.lock);
	arena_free(t.arena);
	return t.error;
}
