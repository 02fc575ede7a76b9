/*
 * git-commit: calls the writing functions of lib/repo/git, for shell tests.
 *
 *   commit MESSAGE [NAME:VALUE...] -- PATH...   the files as they are; -PATH removes the path.
 *                         Prints "commit OID BRANCH", or "nothing BRANCH", then "why WORDS"
 *   free PATH             prints "free"
 *   again REV PATH...     prints the number of moved entries
 *   find NAME VALUE MAX   prints the id
 * -C DIR first: git_open(DIR). Paths are relative to the top, or absolute. GIT_COMMIT_MS is the
 * time to wait for locks.
 */
#include "base/base.h"
#include "git/git.h"
#include "os/os.h"

static struct err *put_of(struct git *g, struct arena *a, const char *arg, struct git_put *out)
{
	const char *path = arg[0] == '/' || !git_top(g) ? arg : os_join(a, git_top(g), arg);
	struct os_stat st;

	*out = (struct git_put){.path = str_of(arg)};
	if (arg[0] == '-') {
		out->path = str_of(arg + 1);
		return NULL;
	}
	TRY(os_stat(path, true, &st));
	out->executable = st.mode & 0100;
	return os_read_path(a, path, SIZE_MAX, &out->bytes);
}

static struct err *commit(struct git *g, struct arena *a, char **argv)
{
	const char *ms = os_env("GIT_COMMIT_MS");
	struct git_commit_ask q = {.message = str_of(argv[1]), .trailers = NULL};
	struct git_trailer trailers[16];
	struct git_put puts[64];
	struct git_committed done;

	q.trailers = trailers;
	q.puts = puts;
	q.timeout_ms = ms ? (unsigned)strtoul(ms, NULL, 10) : 0;
	for (argv += 2; *argv && strcmp(*argv, "--") && q.trailers_n < 16; argv++) {
		struct str s = str_of(*argv), name = s;

		str_next_part(&s, ':', &name);
		trailers[q.trailers_n++] = (struct git_trailer){name, s};
	}
	for (argv += *argv ? 1 : 0; *argv && q.n < 64; argv++)
		TRY(put_of(g, a, *argv, &puts[q.n++]));
	TRY(git_commit_paths(g, a, &q, &done));
	printf("%s%.*s %.*s\n", done.oid.n ? "commit " : "nothing", STR_ARG(done.oid),
	       STR_ARG(done.branch));
	if (done.index_why.n)
		printf("why %.*s\n", STR_ARG(done.index_why));
	return NULL;
}

static struct err *run(struct arena *a, const char *dir, int argc, char **argv)
{
	struct str paths[64], oid;
	size_t n = 0, moved;
	struct git *g;

	TRY(git_open(a, dir, &g));
	if (!strcmp(argv[0], "commit") && argc > 2)
		return commit(g, a, argv);
	if (!strcmp(argv[0], "free") && argc == 2) {
		TRY(git_path_check_committable(g, a, str_of(argv[1])));
		puts("free");
	} else if (!strcmp(argv[0], "again") && argc > 2) {
		for (char **p = argv + 2; *p && n < ARRAY_SIZE(paths); p++)
			paths[n++] = str_of(*p);
		TRY(git_index_move_to_head(g, a, argv[1], paths, n, &moved));
		printf("%zu\n", moved);
	} else if (!strcmp(argv[0], "find") && argc == 4) {
		const struct git_trailer t = {str_of(argv[1]), str_of(argv[2])};

		TRY(git_commit_find_by_trailer(g, a, &t, strtoul(argv[3], NULL, 10), &oid));
		printf("%.*s\n", STR_ARG(oid));
	} else {
		return err_new(E_BAD_ARGUMENT, "git-commit: no such call");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	bool at = argc > 2 && !strcmp(argv[1], "-C");
	const char *refused = os_env("IKM_REFUSED");
	struct arena *a = arena_new();
	struct err *e;
	int rc = 0;

	if (argc < (at ? 4 : 2))
		return 64;
	e = run(a, at ? argv[2] : NULL, argc - (at ? 3 : 1), argv + (at ? 3 : 1));
	if (e) {
		const char *reason = err_reason_name(err_reason(e));
		const struct val *help = val_get(err_envelope(a, e), "help");

		fprintf(stderr, "%s: %s\n", reason, err_message(e));
		VAL_EACH(val_get(help, "steps"), step)
			fprintf(stderr, "help: %.*s\n", STR_ARG(step->s));
		/* For t/lib.sh's fails_for. */
		if (refused && os_write(refused, str_of(reason), 0))
			fprintf(stderr, "cannot write '%s'\n", refused);
		rc = err_exit(err_code(e));
	}
	arena_free(a);
	return rc;
}
