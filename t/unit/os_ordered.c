/* os_ordered: work runs while it is found, and its results are emitted in order. */
#include "base/base.h"
#include "os/os.h"
#include "tap.h"
#include <sched.h>
#include <stdatomic.h>

#define ITEMS 5000

struct state {
	size_t items, fail_at;
	size_t heavy; /* bytes that each result claims to have */
	bool turns;
	struct {
		size_t p[ITEMS], n;
	} told;
	atomic_size_t worked, inside;
	atomic_bool twice; /* two results were emitted at the same time */
	int numbers[ITEMS];
};

static struct err *find(void *ctx, struct os_ordered *team)
{
	struct state *s = ctx;

	for (size_t i = 0; i < s->items; i++) {
		if (i == s->fail_at)
			return err_new(E_CHANGED, "stopped at %zu", i);
		s->numbers[i] = (int)i;
		os_ordered_pool_add(team, &s->numbers[i]);
	}
	return NULL;
}

static void tell(void *ctx, void *result)
{
	struct state *s = ctx;

	if (atomic_fetch_add(&s->inside, 1))
		atomic_store(&s->twice, true);
	s->told.p[s->told.n++] = (size_t) * (int *)result;
	atomic_fetch_sub(&s->inside, 1);
}

static void work(void *ctx, struct os_job *job)
{
	struct state *s = ctx;
	int n = *(int *)job->item;

	atomic_fetch_add(&s->worked, 1);
	for (int i = n % 7; i > 0; i--)
		sched_yield();
	if (n % 3 == 0)
		return;
	if (s->turns && n % 10 == 1) {
		os_ordered_turn(job);
		tell(s, job->item);
		return;
	}
	job->result = job->item;
	job->bytes = s->heavy;
}

static const struct os_ordered_ops ops = {find, work, tell};

static bool in_order(const struct state *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->items; i++)
		if (i % 3 && (k == s->told.n || s->told.p[k++] != i))
			return false;
	return k == s->told.n;
}

static void runs(const char *name, size_t items, unsigned threads, size_t heavy, bool turns)
{
	static struct state s;

	memset(&s, 0, sizeof(s));
	s.items = items;
	s.fail_at = SIZE_MAX;
	s.heavy = heavy;
	s.turns = turns;
	works(os_ordered_run(&ops, threads, &s), name);
	ok(in_order(&s) && !s.twice, "%s: all told, in order, one at a time", name);
	is_int((int64_t)s.worked, (int64_t)items, name);
}

int main(void)
{
	static struct state s;

	runs("nothing to do", 0, 2, 0, false);
	runs("one thread", ITEMS, 1, 0, true);
	runs("two threads", ITEMS, 2, 1, false);
	runs("eight threads", ITEMS, 8, 1, true);
	runs("a hundred threads", ITEMS, 100, 1, true);
	runs("results over the limit", ITEMS, 8, (size_t)32 << 20, false);
	runs("and turns", ITEMS, 4, (size_t)15 << 20, true);
	s.items = ITEMS;
	s.fail_at = 100;
	fails(os_ordered_run(&ops, 4, &s), E_CHANGED, "an error of find() is handed on");
	ok(s.worked <= 100, "what comes after it is not done");
	return tap_done();
}
