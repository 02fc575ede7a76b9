/*
 * Checks the files of a repository before libgit2 or git open them. Both block forever on a FIFO in
 * the place of a file, and read a device until the memory is full.
 */
#include "git/internal.h"
#include "os/os.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct config_text {
	struct arena *a;
	struct str rest;
	bool including; /* in [include] or [includeIf "…"] */
};

/* The next character; config_next() also removes it. -1 at the end. */
static int config_peek(const struct config_text *t)
{
	return t->rest.n ? (unsigned char)t->rest.p[0] : -1;
}

static int config_next(struct config_text *t)
{
	int c = config_peek(t);

	if (c >= 0)
		t->rest = str_sub(t->rest, 1, t->rest.n);
	return c;
}

static bool config_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void config_skip_line(struct config_text *t)
{
	int c;

	do
		c = config_next(t);
	while (c >= 0 && c != '\n');
}

static struct str config_word(struct config_text *t)
{
	size_t n = 0;

	while (n < t->rest.n &&
	       (ascii_is_alnum(t->rest.p[n]) || t->rest.p[n] == '-' || t->rest.p[n] == '.'))
		n++;
	t->rest = str_sub(t->rest, n, t->rest.n);
	return (struct str){t->rest.p - n, n};
}

/* After the "[": a name, and optionally a quoted name. */
static void config_section(struct config_text *t)
{
	struct str name = config_word(t);
	bool quoted = false;
	int c;

	t->including = str_ieq(name, STR("include")) || str_ieq(name, STR("includeif"));
	while ((c = config_next(t)) >= 0 && c != '\n' && (quoted || c != ']')) {
		if (c == '"')
			quoted = !quoted;
		else if (c == '\\')
			config_next(t);
	}
}

/* After the "=". Trailing blanks count only within quotes. */
static struct str config_value(struct config_text *t)
{
	struct buf b = buf_in(t->a);
	bool quoted = false;
	size_t end = 0;
	int c;

	while (config_is_blank(config_peek(t)))
		config_next(t);
	while ((c = config_next(t)) >= 0 && c != '\n') {
		if (!quoted && (c == '#' || c == ';')) {
			config_skip_line(t);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			end = b.n;
			continue;
		}
		if (c == '\\') {
			c = config_next(t);
			if (c == '\r' && config_peek(t) == '\n')
				c = config_next(t);
			if (c == '\n')
				continue;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'b' ? '\b' : c;
			if (c < 0)
				break;
			buf_putc(&b, (char)c);
			end = b.n;
			continue;
		}
		buf_putc(&b, (char)c);
		if (quoted || !config_is_blank(c))
			end = b.n;
	}
	return str_sub(buf_as_str(&b), 0, end);
}

/* The paths that a configuration file includes under any condition, as written. */
static void config_includes(struct arena *a, struct str text, struct strs *paths)
{
	struct config_text t = {a, text, false};
	struct str key, value;
	int c;

	if (str_starts(text, STR("\xef\xbb\xbf")))
		t.rest = str_sub(text, 3, text.n);
	while ((c = config_peek(&t)) >= 0) {
		if (c == '\n' || config_is_blank(c)) {
			config_next(&t);
			continue;
		}
		if (c == '[') {
			config_next(&t);
			config_section(&t);
			continue;
		}
		key = config_word(&t);
		while (config_is_blank(config_peek(&t)))
			config_next(&t);
		/* A comment, a key without a value, or text that is no configuration. */
		if (!key.n || config_peek(&t) != '=') {
			config_skip_line(&t);
			continue;
		}
		config_next(&t);
		value = config_value(&t);
		if (t.including && str_ieq(key, STR("path")) && value.n && !str_has_nul(value))
			strs_push(a, paths, value);
	}
}

#define REF_MAX     ((uint64_t)64 << 10)  /* an id, or "ref: " and a name */
#define PACKED_MAX  ((uint64_t)256 << 20) /* about three million references */
#define SYMREFS_MAX 10                    /* as libgit2 */
#define INCLUDE_MAX 10                    /* nested includes, as in git */
#define WALK_DEPTH  16
#define WALK_MAX    ((size_t)4 << 20)
#define NO_MAX      UINT64_MAX

static struct err *guard_mode(const char *path, const struct stat *st, uint64_t max)
{
	if (!S_ISREG(st->st_mode))
		return err_help(err_new(E_NOT_A_FILE,
					"'%s' is %s, where a repository has a regular file", path,
					S_ISFIFO(st->st_mode) ? "a FIFO"
					: S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)
						? "a device"
						: "no regular file"),
				"see what it is: ls -lL '%s'", path);
	if ((uint64_t)st->st_size > max)
		return err_new(E_TOO_BIG, "'%s' has %llu bytes, more than %llu", path,
			       (unsigned long long)st->st_size, (unsigned long long)max);
	return NULL;
}

/*
 * The reader reports a missing file, a file without permission, and a folder. Any other file that
 * cannot be examined is an error here, because readers take that for a missing file.
 */
static struct err *guard_look(const char *path, struct stat *st, bool *there)
{
	*there = !stat(path, st);
	if (!*there && errno != ENOENT && errno != ENOTDIR && errno != EACCES &&
	    errno != ENAMETOOLONG)
		return err_errno(errno, "look at '%s'", path);
	*there = *there && !S_ISSOCK(st->st_mode);
	return NULL;
}

/* What remains of an error, when the reader reports the rest. */
static struct err *guard_unreported(struct err *e)
{
	return e && (err_reason(e) == E_PERMISSION || err_reason(e) == E_FILE_NOT_FOUND) ? NULL : e;
}

struct err *git_disk_file_check_regular(const char *path, uint64_t max)
{
	struct stat st;
	bool there;

	TRY(guard_look(path, &st, &there));
	return there && !S_ISDIR(st.st_mode) ? guard_mode(path, &st, max) : NULL;
}

/* ---- configuration ---- */

static struct err *guard_config(struct git *g, struct arena *a, const char *path, unsigned depth)
{
	struct strs paths = {0};
	struct str text = STR("");
	struct os_stat st;

	TRY(git_disk_file_check_regular(path, CONFIG_MAX));
	TRY(guard_unreported(os_stat(path, true, &st)));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(guard_unreported(os_read_path(a, path, CONFIG_MAX, &text)));
	if (!str_holds(str_lower(a, text), "[include"))
		return NULL;
	if (depth == INCLUDE_MAX)
		return err_new(E_BAD_CONFIG, "'%s' is included by more than %d files", path,
			       INCLUDE_MAX);
	config_includes(a, text, &paths);
	for (size_t i = 0; i < paths.n; i++) {
		const char *to = config_expand_home(a, str_c(a, paths.p[i]));

		if (to[0] != '/')
			to = os_join(a, str_parent(a, path), to);
		TRY(guard_config(g, a, to, depth + 1));
	}
	return NULL;
}

struct err *git_opening_files_check_regular(struct git *g)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *objects = os_join(a, g->common, "objects/info");

	TRY(git_disk_file_check_regular(os_join(a, g->dir, "HEAD"), REF_MAX));
	TRY(git_disk_file_check_regular(os_join(a, g->common, "packed-refs"), PACKED_MAX));
	TRY(git_disk_file_check_regular(os_join(a, objects, "commit-graph"), NO_MAX));
	TRY(git_disk_file_check_regular(os_join(a, objects, "commit-graphs/commit-graph-chain"),
					CONFIG_MAX));
	TRY(guard_config(g, a, os_join(a, g->common, "config"), 0));
	return guard_config(g, a, os_join(a, g->dir, "config.worktree"), 0);
}

/* ---- all files below a folder ---- */

struct guard_walk {
	size_t seen;
	uint64_t max;
};

static struct err *guard_folder(struct guard_walk *w, const char *path, unsigned depth);

/* readdir() gives the kind, so a regular file needs no stat unless its size counts. */
static struct err *guard_entry(struct guard_walk *w, const char *path, unsigned char type,
			       unsigned depth)
{
	struct stat st;
	bool there;

	if (++w->seen > WALK_MAX)
		return err_new(E_TOO_BIG, "'%s' has more than %zu files below it", path, WALK_MAX);
	if ((type == DT_REG && w->max == NO_MAX) || type == DT_SOCK)
		return NULL;
	if (type != DT_DIR) {
		TRY(guard_look(path, &st, &there));
		if (!there)
			return NULL;
		if (!S_ISDIR(st.st_mode))
			return guard_mode(path, &st, w->max);
	}
	return depth < WALK_DEPTH ? guard_folder(w, path, depth + 1) : NULL;
}

/* The reader reports a folder that is missing, or that the user may not list. */
static struct err *guard_folder(struct guard_walk *w, const char *path, unsigned depth)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	struct err *e = dir ? NULL : guard_unreported(err_errno(errno, "list '%s'", path));

	if (!dir && fd >= 0)
		close(fd);
	for (errno = 0; dir && !e && (d = readdir(dir)); errno = 0) {
		struct arena *a ARENA_LOCAL = NULL;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		a = arena_new();
		e = guard_entry(w, os_join(a, path, d->d_name), d->d_type, depth);
	}
	if (dir && !e && errno)
		e = err_errno(errno, "list '%s'", path);
	if (dir)
		closedir(dir);
	return e;
}

static struct err *guard_below(struct arena *a, const char *dir, const char *name, uint64_t max)
{
	struct guard_walk w = {.max = max};

	return guard_folder(&w, os_join(a, dir, name), 0);
}

struct err *git_ref_files_check_regular(struct git *g)
{
	struct arena *a ARENA_LOCAL = arena_new();

	TRY(guard_below(a, g->common, "refs", REF_MAX));
	return strcmp(g->dir, g->common) ? guard_below(a, g->dir, "refs", REF_MAX) : NULL;
}

struct err *git_files_check_regular(struct git *g)
{
	struct arena *a ARENA_LOCAL = NULL;
	static const char *const folders[] = {"info", "logs"};
	const char *const dirs[] = {g->dir, g->common};

	if (g->guarded)
		return NULL;
	a = arena_new();
	TRY(git_ref_files_check_regular(g));
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		struct strs names = {0};

		TRY(guard_unreported(os_list(a, dirs[i], &names)));
		for (size_t k = 0; k < names.n; k++)
			TRY(git_disk_file_check_regular(os_join(a, dirs[i], str_c(a, names.p[k])),
							NO_MAX));
		for (size_t k = 0; k < ARRAY_SIZE(folders); k++)
			TRY(guard_below(a, dirs[i], folders[k], NO_MAX));
	}
	for (size_t i = 0; i < g->objects.n; i++)
		TRY(guard_below(a, str_c(a, g->objects.p[i]), ".", NO_MAX));
	g->guarded = true;
	return NULL;
}

/* ---- one reference ---- */

/* Follows "ref: NAME", as the reader does. */
static struct err *guard_ref(struct git *g, struct arena *a, const char *name, unsigned depth)
{
	const char *const dirs[] = {g->dir, g->common};

	for (size_t i = 0; i < (strcmp(g->dir, g->common) ? 2u : 1u); i++) {
		const char *path = os_join(a, dirs[i], name);
		struct str text = STR("");
		struct stat st;
		bool there;

		TRY(guard_look(path, &st, &there));
		if (!there || S_ISDIR(st.st_mode))
			continue;
		TRY(guard_mode(path, &st, REF_MAX));
		if (depth < SYMREFS_MAX)
			TRY(guard_unreported(os_read_path(a, path, REF_MAX, &text)));
		if (str_starts(text, STR("ref:")))
			TRY(guard_ref(g, a, str_c(a, str_trim(str_sub(text, 4, text.n))),
				      depth + 1));
	}
	return NULL;
}

struct err *git_rev_ref_files_check_regular(struct git *g, const char *rev)
{
	/* The places where libgit2 and git search for a short name. */
	static const char *const starts[] = {"", "refs/", "refs/tags/", "refs/heads/",
					     "refs/remotes/"};
	struct arena *a ARENA_LOCAL = NULL;
	unsigned char id[ID_MAX];
	struct str name;

	if (id_parse(str_of(rev), id, g->id_len))
		return NULL;
	/* "@{1}" reads logs, and "@{upstream}" any reference. */
	if (strstr(rev, "@{"))
		TRY(git_files_check_regular(g));
	a = arena_new();
	name = (struct str){rev, strcspn(rev, "^~:@{")};
	if (!name.n || str_is(name, "@"))
		name = STR("HEAD");
	if (name.n > OS_PATH_MAX || str_starts(name, STR("/")))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		TRY(guard_ref(g, a, str_fmt(a, "%s%.*s", starts[i], STR_ARG(name)).p, 0));
	return guard_ref(g, a, str_fmt(a, "refs/remotes/%.*s/HEAD", STR_ARG(name)).p, 0);
}
