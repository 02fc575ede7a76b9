/*
 * patch: lib/text/patch and git_diff_contents() for shell tests.
 *
 *   diff OLD NEW CONTEXT    as `diff -u`
 *   apply DIFF FILE FUZZ [-R]   the diff's only file; prints the new content, and each hunk's
 *                           place as GNU patch tells it on standard error
 */
#include "base/base.h"
#include "git/git.h"
#include "os/os.h"
#include "match/match.h"

#define READ_MAX ((size_t)1 << 30)

static struct err *run_diff(struct arena *a, char **argv, struct str *out)
{
	struct str old, new;

	TRY(os_read_path(a, argv[2], READ_MAX, &old));
	TRY(os_read_path(a, argv[3], READ_MAX, &new));
	return git_diff_contents(a, argv[2], old, argv[3], new,
				 (unsigned)strtoul(argv[4], NULL, 10), out);
}

static struct err *run_apply(struct arena *a, char **argv, bool reverse, struct str *out)
{
	struct patch_options options = {(unsigned)strtoul(argv[4], NULL, 10), reverse};
	struct patch_hunk_done *done;
	struct patch p;
	struct str diff, old;

	TRY(os_read_path(a, argv[2], READ_MAX, &diff));
	TRY(os_read_path(a, argv[3], READ_MAX, &old));
	TRY(patch_read(a, diff, &p));
	done = arena_array(a, p.p[0].n, sizeof(*done));
	TRY(patch_apply(a, &p.p[0], old, &options, out, done));
	for (size_t i = 0; i < p.p[0].n; i++)
		if (done[i].offset || done[i].fuzz)
			fprintf(stderr, "%zu offset %lld fuzz %u\n", i + 1,
				(long long)done[i].offset, done[i].fuzz);
	for (size_t i = 0; i < p.p[0].n; i++)
		if (done[i].tolerated)
			fprintf(stderr, "%zu tolerated %u\n", i + 1, done[i].tolerated);
	return NULL;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct str out = {0};
	struct err *e = NULL;
	int status = 0;

	if (argc == 5 && !strcmp(argv[1], "diff"))
		e = run_diff(a, argv, &out);
	else if ((argc == 5 || argc == 6) && !strcmp(argv[1], "apply"))
		e = run_apply(a, argv, argc == 6, &out);
	else
		e = err_new(E_BAD_ARGUMENT, "see the head of the source");
	if (e) {
		fprintf(stderr, "%s: %s\n", err_reason_name(err_reason(e)), err_message(e));
		status = err_exit(err_code(e));
	} else {
		fwrite(out.p, 1, out.n, stdout);
	}
	arena_free(a);
	return status;
}
