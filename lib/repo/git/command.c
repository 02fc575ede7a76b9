/*
 * Starts the program git, and nothing else does. A repository's configuration, attributes and hooks
 * can name programs, so every command runs with those settings switched off, and only commands of
 * the table run. Each command gets its repository from ikm, because git's own search could take a
 * folder of committed files for a bare repository.
 *
 * git also reads for ikm what libgit2 cannot: sha256, reftable, unknown extensions, split and
 * sparse indexes. For that only plumbing commands run, whose output is made for programs.
 */
#include "git/internal.h"
#include "os/os.h"
#include <pthread.h>

#define TIME_LIMIT_MS 600000 /* no command takes so long, but a FIFO would block forever */

enum keep {
	KEEP_SETTINGS = 1, /* the command reports settings, so it must see the real ones */
	KEEP_HOOKS = 2,    /* the command runs a hook, or tells the hooks folder */
};

/* In byte order. `add` is put before the caller's arguments. */
static const struct git_command {
	const char *name;
	const char *add[3];
	unsigned keep; /* enum keep */
} git_command_table[] = {
	{"cat-file", {0}, 0},
	{"check-attr", {0}, 0},
	{"commit-tree", {0}, 0},
	{"config", {0}, KEEP_SETTINGS},
	{"diff-index", {"--no-ext-diff", "--no-textconv"}, 0},
	{"for-each-ref", {0}, 0},
	{"hash-object", {"--no-filters"}, 0},
	{"hook", {0}, KEEP_HOOKS},
	{"ls-files", {0}, 0},
	{"merge-base", {0}, 0},
	{"notes", {0}, 0},
	{"read-tree", {0}, 0},
	{"remote", {0}, 0},
	{"rev-list", {0}, 0},
	{"rev-parse", {0}, KEEP_HOOKS},
	{"show-ref", {0}, 0},
	{"symbolic-ref", {0}, 0},
	{"update-index", {0}, 0},
	{"update-ref", {0}, 0},
	{"version", {0}, 0},
	{"write-tree", {0}, 0},
};

/*
 * Every setting that can name a program which git starts by itself. Settings with a name inside
 * (filter.*, diff.*, merge.*, remote.*) cannot be switched off without knowing the name. No command
 * of the table uses filters or drivers, and a command that needs a remote has no protocol left.
 * update-index would use filters for files as new as the index; see commit_paths.c.
 */
static const char *const settings_off[] = {
	"core.fsmonitor=false",
	"core.pager=cat",
	"core.editor=false",
	"core.askPass=false",
	"core.sshCommand=false",
	"core.gitProxy=false",
	"core.alternateRefsCommand=false",
	"core.attributesFile=/dev/null",
	"credential.helper=",
	"diff.external=false",
	"fetch.recurseSubmodules=false",
	"gc.auto=0",
	"gpg.openpgp.program=false",
	"gpg.program=false",
	"gpg.ssh.defaultKeyCommand=false",
	"gpg.ssh.program=false",
	"gpg.x509.program=false",
	"interactive.diffFilter=cat",
	"log.showSignature=false",
	"maintenance.auto=false",
	"protocol.allow=never",
	"sequence.editor=false",
	"submodule.recurse=false",
	"uploadpack.packObjectsHook=false",
};

/*
 * No lazy fetch for a partial clone and no index refresh: a check writes nothing. git before 2.44
 * does not know GIT_NO_LAZY_FETCH, but without protocols it cannot fetch either. No replacements of
 * objects: a push can bring refs/replace/, and libgit2 does not obey them.
 */
static const char *const quiet[] = {"GIT_OPTIONAL_LOCKS=0",  "GIT_ALLOW_PROTOCOL=none",
				    "GIT_NO_LAZY_FETCH=1",   "GIT_NO_REPLACE_OBJECTS=1",
				    "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat",
				    "GIT_EXTERNAL_DIFF",     "LC_ALL=C"};

size_t git_runnable_command_count(void)
{
	return ARRAY_SIZE(git_command_table);
}

const char *git_runnable_command_at(size_t i)
{
	return git_command_table[i].name;
}

static const struct git_command *git_command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(git_command_table); i++)
		if (!strcmp(git_command_table[i].name, name))
			return &git_command_table[i];
	BUG("git %s is not in the table of commands", name);
}

struct git_words VEC(const char *);

static void add_setting(struct arena *a, struct git_words *argv, const char *setting)
{
	*VEC_PUSH(a, argv) = "-c";
	*VEC_PUSH(a, argv) = setting;
}

/* The child that git_ask() would start. args[0] must be in the table; otherwise it is a BUG. */
static struct os_spawn git_command_spawn(struct git *g, struct arena *a, const struct git_ask *q)
{
	const struct git_command *c = git_command_find(q->args[0]);
	struct git_words argv = {0}, env = {0};
	struct os_spawn s = {.in = q->in, .timeout_ms = TIME_LIMIT_MS};

	*VEC_PUSH(a, &argv) = "git";
	*VEC_PUSH(a, &argv) = "--no-pager";
	/* A git without this command would look for an alias of this name. */
	add_setting(a, &argv, str_fmt(a, "alias.%s=no-such-command", c->name).p);
	for (size_t i = 0; !(c->keep & KEEP_SETTINGS) && i < ARRAY_SIZE(settings_off); i++)
		add_setting(a, &argv, settings_off[i]);
	if (!(c->keep & (KEEP_SETTINGS | KEEP_HOOKS)))
		add_setting(a, &argv, "core.hooksPath=/dev/null");
	for (const char *const *k = q->settings; k && *k; k++)
		add_setting(a, &argv, *k);
	*VEC_PUSH(a, &argv) = c->name;
	for (size_t i = 0; i < ARRAY_SIZE(c->add) && c->add[i]; i++)
		*VEC_PUSH(a, &argv) = c->add[i];
	for (const char *const *w = q->args + 1; *w; w++)
		*VEC_PUSH(a, &argv) = *w;
	*VEC_PUSH(a, &argv) = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(quiet); i++)
		*VEC_PUSH(a, &env) = quiet[i];
	if (g && !q->find) {
		/* Name the working tree too: the configuration may name any folder. */
		*VEC_PUSH(a, &env) = str_c(a, str_fmt(a, "GIT_DIR=%s", g->dir));
		*VEC_PUSH(a, &env) =
			str_c(a, str_fmt(a, "GIT_WORK_TREE=%s", g->top ? g->top : g->dir));
	}
	/* Without g, hide every repository: ikm refused the one that git would find. */
	if (!g)
		*VEC_PUSH(a, &env) = "GIT_DIR=/dev/null";
	for (const char *const *e = q->env; e && *e; e++)
		*VEC_PUSH(a, &env) = *e;
	*VEC_PUSH(a, &env) = NULL;
	s.argv = argv.p;
	s.env = env.p;
	if (q->timeout_ms)
		s.timeout_ms = q->timeout_ms;
	if (g && !g->env) {
		s.clear_git = true;
		s.cwd = g->cwd;
	}
	if (g && q->find && !(g->env && os_env("GIT_DIR")))
		s.cwd = g->place;
	s.out_max = INDEX_MAX;
	return s;
}

static struct err *no_git(const struct git *g, struct err *e)
{
	if (err_reason(e) != E_NO_PROGRAM)
		return err_add_context(e, "run git");
	if (g && g->why_no_libgit2)
		e = err_new(E_NO_PROGRAM,
			    "only the program git can read '%s' (%s), and PATH has no "
			    "git",
			    g->dir, g->why_no_libgit2);
	else
		e = err_new(E_NO_PROGRAM, "ikm needs the program git, and PATH has no git");
	return err_help(e, "install git, or add its folder to PATH");
}

struct err *git_ask(struct git *g, struct arena *a, const struct git_ask *q, struct git_said *out)
{
	struct os_spawn s;
	struct os_result r;
	struct err *e;

	*out = (struct git_said){0};
	if (g)
		TRY(git_files_check_regular(g));
	s = git_command_spawn(g, a, q);
	e = os_run(a, &s, &r);
	if (e)
		return no_git(g, e);
	*out = (struct git_said){r.status, r.out, r.err};
	return NULL;
}

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

struct err *put_by_git(struct git *g, struct arena *a, const char *const *args,
		       const char *const *env, struct str in, struct str *out)
{
	/* The second is for git before 2.36. */
	static const char *const durable[] = {"core.fsync=all", "core.fsyncObjectFiles=true", NULL};
	const struct git_ask q = {.args = args, .in = in, .env = env, .settings = durable};
	struct git_said said;
	struct str words;

	if (!os_fault(args[0]))
		return err_new(E_GIT_FAILED, "git %s did not run", args[0]);
	TRY(git_ask(g, a, &q, &said));
	*out = said.out;
	if (!said.status)
		return NULL;
	words = cli_git_message_line(a, said.err);
	return err_new(E_GIT_FAILED, "git %s: %.*s", args[0], STR_ARG(words));
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
	const struct git_ask q = {.args = args};
	char line[HEX_MAX + 1], answer[256];
	int n = snprintf(line, sizeof(line), "%s\n", hex);
	struct str rest, id, name, bytes = STR("");
	struct os_spawn s;
	int64_t number;
	struct err *e;
	size_t i = 0;

	if (!k->peer) {
		/* An arena of its own: threads must not allocate in the repository's arena. */
		k->arena = arena_new();
		s = git_command_spawn(g, k->arena, &q);
		e = os_coprocess_new(k->arena, &s, &k->peer);
		if (e) {
			e = no_git(g, e);
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

/* ---- a new repository ---- */

#define INIT_LIMIT_MS 60000

/* The program git knows the user's templates and default branch. */
struct err *git_init_repository(struct arena *a, const char *path)
{
	const char *const argv[] = {"git", "-c", "core.hooksPath=/dev/null", "init", "--quiet",
				    path,  NULL};
	const char *const env[] = {"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL};
	struct os_spawn s = {
		.argv = argv, .env = env, .clear_git = true, .timeout_ms = INIT_LIMIT_MS};
	struct os_result r;
	struct err *e = os_run(a, &s, &r);
	struct str said;

	if (e && err_reason(e) == E_NO_PROGRAM)
		return no_git(NULL, e);
	if (e || !r.status)
		return e;
	said = str_utf8(a, str_trim(r.err));
	e = err_new(E_GIT_FAILED, "git init failed in '%s': %.*s", path,
		    STR_ARG(str_sub(said, 0, str_find_char(said, '\n', 0))));
	if (str_holds(said, "could not lock"))
		err_help(e, "when no git writes there any more: rm '%s'/.git/*.lock", path);
	return e;
}
