/*
 * git-tree: shows what lib/repo/git sees, in the forms of git's own plumbing, so that shell tests
 * can compare the two.
 *
 *   list TREE [FOLDER]   "MODE ID TAB PATH NUL", as `git ls-files -s -z` without the stage
 *   find TREE PATH       the same for one
 *   diff TREE TREE       as `git diff-tree -r --raw -z --no-abbrev --no-renames`; "none" is no tree
 *   cat TREE PATH [MAX]  the content
 *   sum TREE THREADS     reads every file on so many threads; a digest of all contents
 *   sub TREE PATH        lists the submodule's tree
 *   log REV PATH [MAX]   "ID TAB PATH NUL"
 *   id REV, base REV REV, config KEY, where
 *   commands             every command of git that lib/repo/git can run
 *   git COMMAND ARG...   runs one of them as lib/repo/git does; its output, and its status as ours
 * TREE is "index", "worktree", "head" or any name that git knows. -C DIR first: git_open(DIR).
 */
#include "base/base.h"
#include "git/git.h"
#include "os/os.h"
#include <pthread.h>

static const char *const modes[] = {"100644", "100755", "120000", "160000"};

static void hex(const struct tree_file *f, char out[65])
{
	for (size_t i = 0; i < f->id_len; i++)
		snprintf(out + 2 * i, 3, "%02x", f->id[i]);
	out[2 * f->id_len] = 0;
}

static void put(struct str s)
{
	fwrite(s.p, 1, s.n, stdout);
}

static struct err *show(void *ctx, const struct tree_file *f)
{
	char id[65];

	(void)ctx;
	hex(f, id);
	printf("%s %s\t", modes[f->kind], id[0] ? id : "-");
	put(f->path);
	putchar(0);
	return NULL;
}

static struct err *tree_of(struct git *g, const char *name, struct tree **t)
{
	*t = NULL;
	if (!strcmp(name, "none"))
		return NULL;
	if (!strcmp(name, "index"))
		return git_tree_index(g, t);
	if (!strcmp(name, "worktree"))
		return git_tree_worktree(g, t);
	if (!strcmp(name, "head"))
		return git_tree_head(g, t);
	return git_tree_at(g, name, t);
}

static struct err *diff(struct arena *a, struct tree *base, struct tree *now)
{
	struct tree_changes changes = {0};

	TRY(tree_diff(a, base, now, &changes));
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.p[i];
		char old[65] = "", new[65] = "";
		bool kind = c->has_old && c->has_new && c->old.kind != c->new.kind &&
			    (c->old.kind > TREE_EXEC || c->new.kind > TREE_EXEC);

		hex(c->has_old ? &c->old : &c->new, old);
		hex(c->has_new ? &c->new : &c->old, new);
		if (!c->has_old)
			memset(old, '0', strlen(old));
		if (!c->has_new)
			memset(new, '0', strlen(new));
		printf(":%s %s %s %s %s%c", c->has_old ? modes[c->old.kind] : "000000",
		       c->has_new ? modes[c->new.kind] : "000000", old, new,
		       !c->has_old   ? "A"
		       : !c->has_new ? "D"
		       : kind        ? "T"
				     : "M",
		       0);
		put(c->has_new ? c->new.path : c->old.path);
		putchar(0);
	}
	return NULL;
}

/* ---- reading on several threads ---- */

struct sum {
	struct tree *t;
	struct {
		struct tree_file *p;
		size_t n, cap;
	} files;
	struct arena *a;
	pthread_mutex_t lock;
	size_t next, bytes;
	uint64_t digest;
	unsigned failed;
};

static struct err *collect(void *ctx, const struct tree_file *f)
{
	struct sum *s = ctx;

	if (f->kind != TREE_SUBMODULE)
		*VEC_PUSH(s->a, &s->files) = *f;
	return NULL;
}

static void *reader(void *p)
{
	struct sum *s = p;

	for (;;) {
		struct arena *a = arena_new();
		struct str text = STR("");
		struct err *e;
		size_t i;

		pthread_mutex_lock(&s->lock);
		i = s->next++;
		pthread_mutex_unlock(&s->lock);
		if (i >= s->files.n) {
			arena_free(a);
			return NULL;
		}
		e = tree_read(s->t, a, &s->files.p[i], SIZE_MAX, &text);
		pthread_mutex_lock(&s->lock);
		s->failed += !!e;
		s->bytes += text.n;
		s->digest += str_hash(text) ^ str_hash(s->files.p[i].path);
		pthread_mutex_unlock(&s->lock);
		arena_free(a);
	}
}

static struct err *sum(struct arena *a, struct tree *t, size_t threads)
{
	struct sum s = {.t = t, .a = a};
	pthread_t id[64];

	threads = size_min(threads, ARRAY_SIZE(id));
	pthread_mutex_init(&s.lock, NULL);
	TRY(tree_foreach(t, STR(""), collect, &s));
	for (size_t i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, reader, &s);
	for (size_t i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	printf("%zu files, %zu bytes, %u failed, %016llx\n", s.files.n, s.bytes, s.failed,
	       (unsigned long long)s.digest);
	return NULL;
}

/* ---- commands ---- */

static struct err *with_file(struct git *g, struct arena *a, struct tree *t, char **argv)
{
	struct tree_file f;
	struct str text;
	bool found;

	TRY(tree_find(t, str_of(argv[2]), &f, &found));
	if (!found)
		return err_new(E_FILE_NOT_FOUND, "'%s' is not in %.*s", argv[2], STR_ARG(t->name));
	if (!strcmp(argv[0], "find"))
		return show(NULL, &f);
	if (!strcmp(argv[0], "sub")) {
		TRY(git_tree_of_submodule(g, &f, &t));
		return tree_foreach(t, STR(""), show, NULL);
	}
	TRY(tree_read(t, a, &f, argv[3] ? strtoul(argv[3], NULL, 10) : SIZE_MAX, &text));
	put(text);
	return NULL;
}

static struct err *with_tree(struct git *g, struct arena *a, char **argv, bool *known)
{
	struct tree *t, *u;

	*known = true;
	if (!strcmp(argv[0], "list") || !strcmp(argv[0], "diff") || !strcmp(argv[0], "cat") ||
	    !strcmp(argv[0], "find") || !strcmp(argv[0], "sum") || !strcmp(argv[0], "sub")) {
		TRY(tree_of(g, argv[1], &t));
		if (!strcmp(argv[0], "diff")) {
			TRY(tree_of(g, argv[2], &u));
			return diff(a, t, u);
		}
		if (!t)
			return NULL;
		if (!strcmp(argv[0], "list"))
			return tree_foreach(t, str_of(argv[2]), show, NULL);
		if (!strcmp(argv[0], "sum"))
			return sum(a, t, strtoul(argv[2], NULL, 10));
		return with_file(g, a, t, argv);
	}
	*known = false;
	return NULL;
}

static struct err *run(struct arena *a, const char *dir, char **argv, int *status)
{
	struct git_log log = {0};
	const char *value;
	struct git *g;
	struct str s;
	bool known;

	TRY(git_open(a, dir, &g));
	TRY(with_tree(g, a, argv, &known));
	if (known)
		return NULL;
	if (!strcmp(argv[0], "log")) {
		TRY(git_file_log(g, a, argv[1], str_of(argv[2]),
				 argv[3] ? strtoul(argv[3], NULL, 10) : 0, &log));
		for (size_t i = 0; i < log.n; i++) {
			put(log.p[i].id);
			putchar('\t');
			put(log.p[i].path);
			putchar(0);
		}
	} else if (!strcmp(argv[0], "reach")) {
		/* reach MOST CHANGE COMMIT...: one word for each commit */
		static const char *const words[] = {"reached", "rewritten", "not-reached", "cut"};
		struct git_sought sought[64] = {0};
		size_t n = 0, read;

		for (; argv[3 + n]; n++)
			sought[n] = (struct git_sought){.commit = str_of(argv[3 + n]),
							.change = str_of(argv[2]),
							.made = INT64_MAX};
		TRY(git_commits_are_reachable(g, sought, n, strtoul(argv[1], NULL, 10), &read));
		for (size_t i = 0; i < n; i++)
			puts(words[sought[i].reach]);
	} else if (!strcmp(argv[0], "head")) {
		struct git_head head;

		TRY(git_head(g, a, &head));
		printf("%.*s %.*s %.*s\n", STR_ARG(head.commit), STR_ARG(head.branch),
		       STR_ARG(head.change));
	} else if (!strcmp(argv[0], "changed")) {
		/* changed PATH SINCE MOST: the newest commits that changed the file */
		const struct git_log_ask q = {.rev = "HEAD",
					      .path = str_of(argv[1]),
					      .since = argv[2],
					      .most = strtoul(argv[3], NULL, 10)};

		TRY(git_file_log_limited(g, a, &q, &log));
		for (size_t i = 0; i < log.n; i++)
			puts(str_c(a, log.p[i].id));
		puts(log.cut ? "cut" : "all");
	} else if (!strcmp(argv[0], "id")) {
		TRY(git_rev_id(g, a, argv[1], &s));
		put(s);
		putchar('\n');
	} else if (!strcmp(argv[0], "base")) {
		TRY(git_rev_merge_base(g, a, argv[1], argv[2], &s));
		put(s);
		putchar('\n');
	} else if (!strcmp(argv[0], "commands")) {
		for (size_t i = 0; i < git_runnable_command_count(); i++)
			puts(git_runnable_command_at(i));
	} else if (!strcmp(argv[0], "git")) {
		struct git_said said;

		TRY(git_ask(g, a, &(struct git_ask){.args = (const char *const *)argv + 1}, &said));
		put(said.out);
		fwrite(said.err.p, 1, said.err.n, stderr);
		*status = said.status;
	} else if (!strcmp(argv[0], "config")) {
		TRY(git_setting(g, a, argv[1], &value));
		printf("%s\n", value ? value : "(unset)");
	} else {
		printf("dir %s\ntop %s\nprefix ", git_dir(g), git_is_bare(g) ? "-" : git_top(g));
		put(git_prefix(g));
		printf("\nchosen %s\n", git_top_is_configured(g) ? "yes" : "no");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	bool at = argc > 2 && !strcmp(argv[1], "-C");
	struct arena *a = arena_new();
	struct err *e;
	int rc = 0;

	if (argc < (at ? 4 : 2))
		return 64;
	e = run(a, at ? argv[2] : NULL, argv + (at ? 3 : 1), &rc);
	if (e) {
		const struct val *help = val_get(err_envelope(a, e), "help");

		fprintf(stderr, "%s: %s\n", err_reason_name(err_reason(e)), err_message(e));
		VAL_EACH(val_get(help, "steps"), step)
			fprintf(stderr, "help: %.*s\n", STR_ARG(step->s));
		rc = err_exit(err_code(e));
	}
	arena_free(a);
	return rc;
}
