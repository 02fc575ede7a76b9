/*
 * pair: times two commands as whole processes, in turn, and prints one line:
 *
 *	name ours theirs ratio
 *
 * medians in milliseconds over RUNS pairs after a warm-up, and the median of the ratios of the
 *pairs. Usage: pair NAME RUNS OURS… -- THEIRS…   Their output is thrown away; any exit status
 *counts. PERF_IN in the environment is a file for their standard input. PERF_RUNS is the most runs
 *there may be, for who wants to see that all of them work rather than a figure.
 */
#include "base/base.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double run(char **argv)
{
	const char *in = getenv("PERF_IN");
	posix_spawn_file_actions_t actions;
	struct timespec from, to;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, in ? in : "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ)) {
		fprintf(stderr, "pair: cannot run %s\n", argv[0]);
		_exit(2);
	}
	waitpid(pid, &status, 0);
	clock_gettime(CLOCK_MONOTONIC, &to);
	posix_spawn_file_actions_destroy(&actions);
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static int order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), order);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	const char *most = getenv("PERF_RUNS");
	int64_t runs, limit;
	double *ours, *theirs, *ratio;
	char **other = argv;

	if (argc < 6 || !str_int(str_of(argv[2]), &runs) || runs < 1 || runs > 10000)
		return 2;
	if (most && str_int(str_of(most), &limit) && limit >= 1 && limit < runs)
		runs = limit;
	for (int i = 3; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			argv[i] = NULL;
			other = argv + i + 1;
			break;
		}
	ours = calloc((size_t)runs * 3, sizeof(*ours));
	if (!ours || other == argv)
		return 2;
	theirs = ours + runs;
	ratio = theirs + runs;
	run(argv + 3);
	run(other);
	for (int64_t i = 0; i < runs; i++) {
		/* In turns, because the processors take turns too, and one may be slower. */
		if (i % 2)
			theirs[i] = run(other);
		ours[i] = run(argv + 3);
		if (i % 2 == 0)
			theirs[i] = run(other);
		ratio[i] = ours[i] / theirs[i];
	}
	printf("%s %.2f %.2f %.2f\n", argv[1], median(ours, (size_t)runs),
	       median(theirs, (size_t)runs), median(ratio, (size_t)runs));
	free(ours);
	return 0;
}
