/*
 * The program git, for repositories that libgit2 cannot read: sha256, reftable, unknown extensions,
 * split and sparse indexes. Runs only plumbing commands, whose output is made for programs.
 */
#include "git/internal.h"
#include "os/os.h"
#include <pthread.h>

/* One `git cat-file` coprocess: one request per line, the answers in the same order. */
struct asker {
	struct os_coprocess *peer; /* NULL: not started */
	struct arena *arena;
	size_t at, n;
	char ahead[8192]; /* read, and not parsed yet */
};

struct cli {
	pthread_mutex_t lock;
	struct asker sizes, contents;
};

struct err *cli_git_try(struct git *g, struct arena *a, const char *const *args, struct str in,
			struct str *out, int *status)
{
	const struct git_ask q = {.args = args, .in = in};
	struct git_said said;

	TRY(git_ask(g, a, &q, &said));
	*status = said.status;
	*out = said.status ? said.err : said.out;
	return NULL;
}

struct str cli_git_message_line(struct arena *a, struct str said)
{
	static const struct str words[] = {STR_INIT("fatal: "), STR_INIT("error: ")};
	struct buf b = buf_with_max(a, 1000);
	struct str line;

	while (str_next_line(&said, &line)) {
		line = str_trim(line);
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (str_starts(line, words[i]))
				line = str_sub(line, words[i].n, line.n);
		if (b.n && line.n)
			buf_putc(&b, ' ');
		buf_put(&b, line);
	}
	return buf_as_str(&b);
}

struct err *git_run(struct git *g, struct arena *a, const char *const *args, struct str in,
		    struct str *out)
{
	struct str line;
	int status;

	TRY(cli_git_try(g, a, args, in, out, &status));
	if (!status)
		return NULL;
	line = cli_git_message_line(a, *out);
	*out = STR("");
	if (!line.n)
		return err_new(E_GIT_FAILED, "git %s exited with %d", args[0], status);
	return err_new(E_GIT_FAILED, "git %s: %.*s", args[0], STR_ARG(line));
}

/* ---- opening ---- */

static struct err *cli_error(struct git *g, struct str said)
{
	struct str line = cli_git_message_line(g->arena, said);
	struct err *e =
		err_new(E_GIT_FAILED, "open the repository '%s': %.*s", g->dir, STR_ARG(line));

	if (str_holds(said, "dubious ownership"))
		err_help(e, "if you trust its owner: git config --global --add safe.directory '%s'",
			 g->top ? g->top : g->dir);
	return e;
}

struct err *cli_open_repository(struct git *g)
{
	static const char *const what[] = {"rev-parse",
					   "--show-object-format",
					   "--is-bare-repository",
					   "--is-inside-work-tree",
					   "--git-common-dir",
					   NULL};
	static const char *const top[] = {"rev-parse", "--show-toplevel", NULL};
	/*
	 * git itself searches from the folder where ikm found the repository, so that git checks
	 * the owner.
	 */
	struct git_ask q = {.args = what, .find = !g->pinned};
	struct str rest, format, bare, inside, common;
	struct git_said said;

	TRY(git_ask(g, g->arena, &q, &said));
	rest = said.out;
	if (said.status || !str_next_line(&rest, &format) || !str_next_line(&rest, &bare) ||
	    !str_next_line(&rest, &inside) || !str_next_line(&rest, &common))
		return cli_error(g, said.err);
	if (str_is(format, "sha1"))
		g->id_len = 20;
	else if (str_is(format, "sha256"))
		g->id_len = 32;
	else
		return err_new(E_GIT_UNSUPPORTED, "'%s' has objects of the format '%.*s'", g->dir,
			       STR_ARG(format));
	if (common.n && common.p[0] == '/')
		g->common = str_c(g->arena, common);
	g->top = NULL;
	if (g->pinned || !str_is(inside, "true"))
		return NULL;
	q.args = top;
	TRY(git_ask(g, g->arena, &q, &said));
	if (said.status)
		return cli_error(g, said.err);
	/* The name of a folder may end with a line break; git adds another. */
	g->top = str_c(g->arena, str_sub(said.out, 0, said.out.n ? said.out.n - 1 : 0));
	return NULL;
}

/* ---- objects ---- */

static void cli_stop(struct asker *k)
{
	arena_free(k->arena);
	k->arena = NULL;
	k->peer = NULL;
	k->at = k->n = 0;
}

static void cli_close(void *p)
{
	struct cli *pl = p;

	cli_stop(&pl->sizes);
	cli_stop(&pl->contents);
	pthread_mutex_destroy(&pl->lock);
}

void cli_object_reader_new(struct git *g)
{
	g->cli = ARENA_NEW(g->arena, struct cli);
	pthread_mutex_init(&g->cli->lock, NULL);
	arena_defer(g->arena, cli_close, g->cli);
}

static struct err *read_bytes(struct asker *k, char *to, size_t n)
{
	while (n) {
		size_t some;

		/* The end is an error, because git promised more. */
		if (k->at == k->n) {
			k->at = k->n = 0;
			if (os_read_some(k->peer->from, "git cat-file", k->ahead, sizeof(k->ahead),
					 &k->n) ||
			    !k->n)
				return err_new(E_GIT_FAILED, "git cat-file ended early");
		}
		some = size_min(n, k->n - k->at);
		memcpy(to, k->ahead + k->at, some);
		k->at += some;
		to += some;
		n -= some;
	}
	return NULL;
}

static struct err *cli_query(struct git *g, struct asker *k, const char *how, const char *hex,
			     enum object_type *type, size_t *size, bool *found)
{
	const char *const args[] = {"cat-file", how, NULL};
	char line[HEX_MAX + 1], answer[256];
	int n = snprintf(line, sizeof(line), "%s\n", hex);
	struct str rest, id, name, bytes = STR("");
	int64_t number;
	struct err *e;
	size_t i = 0;

	if (!k->peer) {
		/* An arena of its own: threads must not allocate in the repository's arena. */
		k->arena = arena_new();
		e = git_coprocess(g, k->arena, args, &k->peer);
		if (e) {
			cli_stop(k);
			return e;
		}
	}
	TRY(os_write_fd(k->peer->to, "git cat-file", (struct str){line, (size_t)n}));
	/* "ID TYPE SIZE", or "ID missing". */
	do {
		TRY(read_bytes(k, answer + i, 1));
	} while (answer[i] != '\n' && ++i < sizeof(answer));
	rest = (struct str){answer, i};
	if (!str_next_part(&rest, ' ', &id) || !str_next_part(&rest, ' ', &name))
		return err_new(E_GIT_FAILED, "git cat-file gave a line that ikm cannot parse");
	*found = !str_is(name, "missing");
	if (!*found)
		return NULL;
	str_next_part(&rest, ' ', &bytes);
	*type = object_type_by_name(name);
	if (!str_int(bytes, &number) || number < 0)
		return err_new(E_GIT_FAILED, "git cat-file gave no size");
	*size = (size_t)number;
	return NULL;
}

static struct err *read_locked(struct git *g, struct arena *a, const char *hex, size_t max,
			       enum object_type *type, struct str *out, bool *found)
{
	struct cli *p = g->cli;
	size_t size = 0;
	char *to, lf;

	TRY(cli_query(g, &p->sizes, "--batch-check", hex, type, &size, found));
	if (!*found)
		return NULL;
	if (size > max)
		return object_too_big(hex, size, max);
	TRY(cli_query(g, &p->contents, "--batch", hex, type, &size, found));
	if (!*found)
		return NULL;
	to = arena_alloc(a, size + 1);
	TRY(read_bytes(&p->contents, to, size));
	TRY(read_bytes(&p->contents, &lf, 1));
	*out = (struct str){to, size};
	return NULL;
}

struct err *cli_read_git_object(struct git *g, struct arena *a, const unsigned char *id, size_t max,
				enum object_type *type, struct str *out, bool *found)
{
	char hex[HEX_MAX];
	struct err *e;

	id_hex(id, g->id_len, hex);
	pthread_mutex_lock(&g->cli->lock);
	e = read_locked(g, a, hex, max, type, out, found);
	/*
	 * After a failure the position in git's output is unknown, so the next request starts a new
	 * git.
	 */
	if (e && err_reason(e) != E_TOO_BIG) {
		cli_stop(&g->cli->sizes);
		cli_stop(&g->cli->contents);
		if (err_reason(e) == E_GIT_FAILED)
			e = err_help(err_new(E_GIT_CORRUPT, "git cannot read object %s", hex),
				     "see why: git cat-file -p %s; git fsck", hex);
	}
	pthread_mutex_unlock(&g->cli->lock);
	return e;
}
