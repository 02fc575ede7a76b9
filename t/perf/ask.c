/*
 * ask: one question after another, each as a whole process of either side in turn, and prints
 *
 *	NAME-median ours theirs ratio     milliseconds
 *	NAME-p95 ours theirs ratio
 *	NAME-memory ours theirs ratio     MB resident, the largest
 *	NAME-gold ours theirs ratio       share of questions whose memory is among the first ten
 *
 * Reads lines of number, id and question. Ours: the words with each % replaced by the question;
 *theirs: the same with the question's words joined by OR. A last word that begins with < is no
 *argument: what follows is the standard input. The answer has the id somewhere. Usage: ask NAME
 *OURS… -- THEIRS… <QUESTIONS
 */
#include "base/base.h"
#include <errno.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 10000, WORDS_MOST = 32 };

struct side {
	char **argv;
	double ms[MOST];
	long kib;
	size_t n, gold;
};

static const char *const stops[] = {
	"about", "account", "an",     "and", "decided", "did", "do", "done", "how",  "is",  "of",
	"or",    "say",     "talked", "the", "thing",   "was", "we", "what", "when", "who", "you"};

static struct str joined(struct arena *a, struct str question)
{
	struct buf b = buf_in(a);
	struct str word;

	while (str_next_part(&question, ' ', &word)) {
		bool stop = false;

		while (word.n && strchr("?,.", word.p[word.n - 1]))
			word.n--;
		for (size_t i = 0; i < ARRAY_SIZE(stops); i++)
			stop = stop || str_is(word, stops[i]);
		if (word.n && !stop)
			buf_fmt(&b, "%s\"%.*s\"", b.n ? " OR " : "", STR_ARG(word));
	}
	return buf_as_str(&b);
}

static char *filled(struct arena *a, const char *word, struct str with)
{
	struct buf b = buf_in(a);

	for (; *word; word++)
		if (*word == '%')
			buf_put(&b, with);
		else
			buf_putc(&b, *word);
	return buf_as_cstr(&b);
}

/* A descriptor to read it from; it fits into a pipe. */
static int input(const char *text)
{
	int ends[2];
	size_t n = strlen(text);

	if (pipe(ends) || write(ends[1], text, n) != (ssize_t)n)
		BUG("no pipe");
	close(ends[1]);
	return ends[0];
}

static void run(struct arena *a, struct side *s, struct str with, struct str id)
{
	posix_spawn_file_actions_t actions;
	struct timespec from, to;
	struct rusage used;
	struct buf out = buf_in(a);
	char *argv[WORDS_MOST] = {0};
	int ends[2], in = -1, status;
	ssize_t got;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	for (size_t i = 0; s->argv[i] && i + 1 < WORDS_MOST; i++)
		if (*s->argv[i] == '<')
			in = input(filled(a, s->argv[i] + 1, with));
		else
			argv[i] = filled(a, s->argv[i], with);
	if (in >= 0) {
		posix_spawn_file_actions_adddup2(&actions, in, 0);
		posix_spawn_file_actions_addclose(&actions, in);
	}
	if (pipe(ends))
		BUG("no pipe");
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ))
		BUG("cannot run %s", argv[0]);
	close(ends[1]);
	if (in >= 0)
		close(in);
	while ((got = read(ends[0], buf_room(&out, 65536), 65536)) > 0)
		out.n += (size_t)got;
	close(ends[0]);
	wait4(pid, &status, 0, &used);
	clock_gettime(CLOCK_MONOTONIC, &to);
	posix_spawn_file_actions_destroy(&actions);
	if (status)
		BUG("%s failed with %d", argv[0], status);
	s->ms[s->n++] =
		(double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
	s->kib = used.ru_maxrss > s->kib ? used.ru_maxrss : s->kib;
	s->gold += str_find(buf_as_str(&out), id, 0) != SIZE_MAX;
}

static int order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print(const char *name, const char *what, double ours, double theirs)
{
	printf("%s-%s %.3g %.3g %.2f\n", name, what, ours, theirs, ours / theirs);
}

int main(int argc, char **argv)
{
	static struct side ours, theirs;
	static char line[4096];

	for (int i = 2; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			argv[i] = NULL;
			theirs.argv = argv + i + 1;
			break;
		}
	if (argc < 5 || !theirs.argv)
		return 2;
	ours.argv = argv + 2;
	while (ours.n < MOST && fgets(line, sizeof(line), stdin)) {
		struct arena *a = arena_new();
		struct str rest = str_trim(str_of(line)), number, id;

		str_next_part(&rest, '\t', &number);
		str_next_part(&rest, '\t', &id);
		run(a, &ours, rest, id);
		run(a, &theirs, joined(a, rest), id);
		arena_free(a);
	}
	if (!ours.n)
		return 2;
	qsort(ours.ms, ours.n, sizeof(double), order);
	qsort(theirs.ms, theirs.n, sizeof(double), order);
	print(argv[1], "median", ours.ms[ours.n / 2], theirs.ms[theirs.n / 2]);
	print(argv[1], "p95", ours.ms[ours.n * 95 / 100], theirs.ms[theirs.n * 95 / 100]);
	print(argv[1], "memory", (double)ours.kib / 1024, (double)theirs.kib / 1024);
	print(argv[1], "gold", (double)ours.gold / (double)ours.n,
	      (double)theirs.gold / (double)theirs.n);
	return 0;
}
