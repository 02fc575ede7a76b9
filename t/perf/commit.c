/* commit: writes new contents into two files and commits them, durable. Usage: commit FILE COPY */
#include "base/base.h"
#include "git/git.h"
#include "os/os.h"

static bool perf_write(const char *path, struct str text)
{
	FILE *f = fopen(path, "w");
	bool done = f && fwrite(text.p, 1, text.n, f) == text.n;

	return f && !fclose(f) && done;
}

static struct err *run(struct arena *a, const char *file, const char *copy)
{
	struct str text = str_fmt(a, "# Profile\n\n%llu\n", (unsigned long long)os_ticks());
	const struct git_put puts[] = {{.path = str_of(file), .bytes = text},
				       {.path = str_of(copy), .bytes = text}};
	const struct git_trailer t = {STR("Ikm-Event"), STR("01J")};
	const struct git_commit_ask q = {
		.puts = puts, .n = 2, .message = STR("perf"), .trailers = &t, .trailers_n = 1};
	struct git_committed done;
	struct git *g;

	/* Not durable, as the shell writes them for git: the commit is measured. */
	if (!perf_write(file, text) || !perf_write(copy, text))
		return err_new(E_IO_ERROR, "cannot write the files");
	TRY(git_open(a, NULL, &g));
	TRY(git_commit_paths(g, a, &q, &done));
	return done.oid.n && !done.index_why.n ? NULL : err_new(E_GIT_FAILED, "no commit");
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err *e = argc == 3 ? run(a, argv[1], argv[2]) : err_new(E_BAD_ARGUMENT, "FILE COPY");

	if (e)
		fprintf(stderr, "commit: %s\n", err_message(e));
	arena_free(a);
	return !!e;
}
