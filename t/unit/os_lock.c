/* Locks between processes, and work shared between threads. */
#include "tap.h"
#include "dir.h"
#include "base/val.h"
#include "os/os.h"
#include <signal.h>
#include <stdatomic.h>

/* ---- locks ---- */

static int add_lines(void *ctx)
{
	int bad = 0;

	for (int i = 0; i < 25; i++) {
		struct arena *a = arena_new();
		struct os_lock *l;
		struct str s = {0};

		if (os_lock_dir(a, "d", 60000, &l) || os_read_path(a, "d/f", 1 << 20, &s) ||
		    os_write("d/f", str_fmt(a, "%.*s%d\n", STR_ARG(s), (int)(intptr_t)ctx), 0))
			bad = 1;
		arena_free(a);
	}
	return bad;
}

static void contention(struct arena *a)
{
	pid_t pid[4];
	int status, bad = 0;
	struct str s = {0}, line;
	size_t lines = 0;

	mkdir("d", 0755);
	dir_put("d/f", "");
	fflush(stdout);
	for (int i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(add_lines((void *)(intptr_t)i));
	}
	for (int i = 0; i < 4; i++)
		bad |= waitpid(pid[i], &status, 0) != pid[i] || status;
	ok(!bad, "four processes take turns");
	works(os_read_path(a, "d/f", 1 << 20, &s), "what they wrote");
	while (str_next_line(&s, &line))
		lines++;
	is_int((long long)lines, 100, "is all there");
}

static void timeouts(struct arena *parent)
{
	struct arena *a = arena_new();
	struct os_lock *one, *two, *three;
	struct str step;
	struct err *e;
	int fds[2];
	pid_t pid;
	char c;

	works(os_lock_dir(parent, "d", 0, &one), "a free folder");
	fails(e = os_lock_dir(parent, "d", 0, &two), E_LOCKED, "is locked at once");
	is_int(err_code(e), CODE_TIMEOUT, "which is a time-out");
	ok(err_retryable(e), "and trying again may help");
	step = val_get(val_get(err_envelope(a, e), "help"), "steps")->first->s;
	ok(str_find(step, STR("fuser -v 'd'"), 0) != SIZE_MAX, "with what to do");
	fails(os_lock_dir(parent, "d", 30, &two), E_LOCKED, "nor after some time");
	os_unlock(one);
	os_unlock(one);
	works(os_lock_dir(a, "d", 0, &two), "unlocked, it is free");
	arena_free(a);
	works(os_lock_dir(parent, "d", 0, &three), "the arena gives it back too");
	os_unlock(three);
	if (pipe2(fds, O_CLOEXEC))
		BUG("no pipe");
	pid = fork();
	if (!pid) {
		if (!os_lock_dir(parent, "d", 0, &one) && write(fds[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	ok(read(fds[0], &c, 1) == 1, "another process has it");
	fails(os_lock_dir(parent, "d", 0, &one), E_LOCKED, "so we cannot");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	works(os_lock_dir(parent, "d", 0, &one), "a killed one loses it");
	os_unlock(one);
	fails(os_lock_dir(parent, "none", 0, &one), E_FILE_NOT_FOUND, "no such folder");
	fails(os_lock_dir(parent, "d/f", 0, &one), E_FILE_NOT_FOUND, "a file is no folder");
}

/* How a process ends that holds two of Git's locks, and what it leaves. */
static void lock_files(struct arena *a)
{
	struct os_lock_file *one, *two;
	struct str said;
	int status;
	pid_t pid;

	for (int killed = 0; killed < 2; killed++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			if (!freopen("said", "w", stderr) || setvbuf(stderr, NULL, _IONBF, 0) ||
			    os_git_lock_file(a, "d/one", NULL, 0, &one) ||
			    os_git_lock_file(a, "d/two", NULL, 0, &two))
				_exit(1);
			kill(getpid(), killed ? SIGKILL : SIGTERM);
			out_of_memory(7);
		}
		waitpid(pid, &status, 0);
		is_int(status, killed ? SIGKILL : 8 << 8, "it ends with both locks");
		is_int(!access("d/one.lock", F_OK) + !access("d/two.lock", F_OK), 2 * killed,
		       killed ? "a kill leaves them" : "the end of memory leaves none");
		works(os_read_path(a, "said", 1 << 20, &said), "what it said");
		is_str(said,
		       killed ? STR("") : STR("ikm: out of memory (7 bytes more were needed)\n"),
		       killed ? "a kill leaves no word"
			      : "memory that ends is told, though a signal waits");
		works(os_git_lock_file(a, "d/one", NULL, 0, &one), "the next one has the lock");
		os_unlock_file(one);
		ok(access("d/one.lock", F_OK), "and gives it back");
	}
}

/* Waits for a folder that is replaced by another of the same name: it must lock the new one. */
static void replaced(struct arena *a)
{
	struct os_lock *old, *new;
	int status;
	pid_t pid;

	mkdir("r", 0755);
	works(os_lock_dir(a, "r", 0, &old), "a folder");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct os_lock *l;

		if (os_lock_dir(a, "r", 60000, &l) || os_write("r/got", STR(""), 0))
			_exit(1);
		_exit(0);
	}
	/* In one step, because a waiting process may look up the name at any moment. */
	ok(!mkdir("r2", 0755) && !renameat2(AT_FDCWD, "r2", AT_FDCWD, "r", RENAME_EXCHANGE),
	   "is replaced while one waits");
	os_unlock(old);
	waitpid(pid, &status, 0);
	ok(!status && !access("r/got", F_OK), "who waited has the new one");
	works(os_lock_dir(a, "r", 0, &new), "which is free again");
	os_unlock(new);
}

/* ---- threads ---- */

#define MANY 10000

struct counts {
	atomic_int seen[MANY];
	size_t per_thread[OS_THREADS_MAX]; /* no lock: a number is one thread */
	atomic_uint highest;
};

static void count(void *ctx, unsigned thread, size_t i)
{
	struct counts *c = ctx;

	c->seen[i]++;
	c->per_thread[thread]++;
	if (thread > c->highest)
		c->highest = thread;
}

static void parallel(struct arena *a)
{
	static const unsigned threads[] = {0, 1, 2, 7, OS_THREADS_MAX, 1000};

	for (size_t t = 0; t < ARRAY_SIZE(threads); t++) {
		struct counts *c = ARENA_NEW(a, struct counts);
		size_t total = 0;
		bool once = true;

		os_parallel_for(MANY, threads[t], count, c);
		for (size_t i = 0; i < MANY; i++)
			once = once && c->seen[i] == 1;
		for (size_t i = 0; i < OS_THREADS_MAX; i++)
			total += c->per_thread[i];
		ok(once && total == MANY, "everything is done once (%u threads wanted)",
		   threads[t]);
		ok(c->highest < (threads[t] ? threads[t] : os_cores()), "by no more threads");
	}
	os_parallel_for(0, 4, count, NULL);
	ok(true, "nothing to do is done");
}

static void serve_child(void *ctx, unsigned thread, size_t i)
{
	struct arena *a = arena_new();
	const char *argv[] = {"cat", NULL};
	struct str in = str_fmt(a, "%zu", i);
	struct os_spawn s = {.argv = argv, .in = in};
	struct os_result r;
	atomic_int *good = ctx;

	(void)thread;
	if (!os_run(a, &s, &r) && str_eq(r.out, in))
		++*good;
	arena_free(a);
}

int main(void)
{
	struct arena *a = arena_new();
	atomic_int good = 0;

	dir_fresh(a);
	contention(a);
	timeouts(a);
	lock_files(a);
	replaced(a);
	parallel(a);
	os_parallel_for(40, 4, serve_child, &good);
	is_int(good, 40, "threads may each have children");
	arena_free(a);
	return tap_done();
}
