/* Finds the repository as git finds it, and refuses it by git's rules. */
#include "git/internal.h"
#include "os/os.h"
#include <sys/stat.h>
#include <unistd.h>

const char *repo_env_get(const struct git *g, const char *name)
{
	return g->env ? os_env(name) : NULL;
}

static const char *repo_absolute(struct arena *a, const char *from, const char *path)
{
	return path[0] == '/' ? path : os_join(a, from, path);
}

/*
 * Below a folder that the user may not enter, and where a path is no path, git finds nothing and
 * searches on. Whatever else fails is an error: a search that goes on would find another
 * repository, with other rules.
 */
static struct err *repo_look(const char *path, bool follow, struct os_stat *st)
{
	struct err *e = os_stat(path, follow, st);

	return e && (err_reason(e) == E_PERMISSION || err_reason(e) == E_BAD_PATH) ? NULL : e;
}

static struct err *repo_is_kind(const char *path, enum os_kind kind, bool *yes)
{
	struct os_stat st;

	TRY(repo_look(path, true, &st));
	*yes = st.kind == kind;
	return NULL;
}

/* ---- finding ---- */

/* The content of a .git file, "gitdir: PATH", or the path in a commondir file. */
static struct err *read_pointer(struct arena *a, const char *file, struct str word,
				const char **out)
{
	struct str text;

	*out = NULL;
	TRY(os_read_path(a, file, CONFIG_MAX, &text));
	if (!str_starts(text, word))
		return NULL;
	text = str_sub(text, word.n, text.n);
	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
		text.n--;
	if (text.n && !str_has_nul(text))
		*out = str_c(a, text);
	return NULL;
}

/* Whether HEAD, objects and refs exist; the latter two in the common folder. */
static struct err *is_git_dir(struct git *g, const char *dir, bool *yes)
{
	struct arena *a = g->arena;
	const char *common = dir, *file = os_join(a, dir, "commondir");
	const char *objects = repo_env_get(g, "GIT_OBJECT_DIRECTORY");
	const char *given = repo_env_get(g, "GIT_COMMON_DIR");
	struct os_stat st;
	bool is;

	*yes = false;
	/* HEAD may be a dangling link: old git wrote an unborn branch so. */
	TRY(repo_look(os_join(a, dir, "HEAD"), false, &st));
	if (st.kind != OS_FILE && st.kind != OS_LINK)
		return NULL;
	TRY(repo_is_kind(file, OS_FILE, &is));
	if (is) {
		TRY(read_pointer(a, file, STR(""), &common));
		if (!common)
			return NULL;
		common = repo_absolute(a, dir, common);
	}
	if (given)
		common = repo_absolute(a, g->cwd, given);
	objects = objects ? repo_absolute(a, g->cwd, objects) : os_join(a, common, "objects");
	TRY(repo_is_kind(objects, OS_DIR, &is));
	if (is)
		TRY(repo_is_kind(os_join(a, common, "refs"), OS_DIR, &is));
	if (!is)
		return NULL;
	g->named = dir;
	g->named_common = common;
	TRY(os_realpath(a, dir, &g->dir));
	TRY(os_realpath(a, common, &g->common));
	*yes = true;
	return NULL;
}

/* A file .git names the repository's folder; otherwise .git is the folder. */
static struct err *try_dot_git(struct git *g, const char *path, bool *yes)
{
	const char *to;
	struct os_stat st, head;
	struct err *e;

	*yes = false;
	TRY(repo_look(path, true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	if (st.kind == OS_DIR) {
		/* An unreadable .git is an error; a search above it would miss its rules. */
		e = os_stat(os_join(g->arena, path, "HEAD"), true, &head);
		if (!e && head.kind == OS_OTHER)
			TRY(git_disk_file_check_regular(os_join(g->arena, path, "HEAD"),
							UINT64_MAX));
		return e ? err_add_context(e, "the repository '%s' cannot be read", path)
			 : is_git_dir(g, path, yes);
	}
	if (st.kind != OS_FILE)
		return NULL;
	TRY(read_pointer(g->arena, path, STR("gitdir: "), &to));
	if (!to)
		return err_new(E_NO_REPOSITORY, "'%s' is a file, but does not say 'gitdir: …'",
			       path);
	to = repo_absolute(
		g->arena,
		str_c(g->arena, str_sub(str_of(path), 0, str_rfind_char(str_of(path), '/'))), to);
	TRY(is_git_dir(g, to, yes));
	if (!*yes)
		return err_new(E_NO_REPOSITORY, "'%s' names '%s', which is no repository", path,
			       to);
	return NULL;
}

/* GIT_CEILING_DIRECTORIES: folders where an upward search stops. */
static bool is_ceiling(struct arena *a, const char *dir)
{
	struct str rest = str_of(os_env("GIT_CEILING_DIRECTORIES")), part;
	bool resolve = true;

	while (str_next_part(&rest, ':', &part)) {
		const char *path = str_c(a, part);

		/* After an empty entry, links are not resolved, which may be slow. */
		if (!part.n)
			resolve = false;
		else if (path[0] == '/' && (!resolve || !os_realpath(a, path, &path)) &&
			 !strcmp(path, dir))
			return true;
	}
	return false;
}

/* passed: a folder on the way that looks like a bare repository; NULL: none. */
static struct err *no_repository(const char *start, const char *passed)
{
	struct err *e = err_new(E_NO_REPOSITORY, "'%s' is not in a Git repository", start);

	if (passed)
		return err_help(e,
				"'%s' looks like a bare repository: go into that folder itself, or "
				"name it: GIT_DIR='%s'",
				passed, passed);
	return err_help(e, "go into a repository, or make one: git init");
}

/* Whether a part of the path is ".git": no commit can hold such a folder. */
static bool is_in_git_folder(const char *dir)
{
	struct str rest = str_of(dir), part;

	while (str_next_part(&rest, '/', &part))
		if (str_is(part, ".git"))
			return true;
	return false;
}

/* The next folder of the search; NULL: the search ends, with the reason in *e. */
static const char *repo_go_up(struct git *g, const char *dir, uint64_t dev, const char *passed,
			      struct err **e)
{
	bool across = config_bool(os_env("GIT_DISCOVERY_ACROSS_FILESYSTEM"), false);
	struct arena *a = g->arena;
	const char *up;
	struct os_stat st;

	*e = NULL;
	if (dir[1]) {
		up = str_parent(a, dir);
		*e = os_stat(up, true, &st);
		if (*e)
			return NULL;
		if (!is_ceiling(a, up)) {
			if (st.dev == dev || across)
				return up;
			*e = err_help(no_repository(g->cwd, passed),
				      "the search stopped at the file system's border below '%s'; "
				      "GIT_DISCOVERY_ACROSS_FILESYSTEM=1 goes on",
				      up);
			return NULL;
		}
	}
	*e = no_repository(g->cwd, passed);
	return NULL;
}

/*
 * Searches as git does, with one difference. A folder without ".git" that looks like a bare
 * repository may consist of committed files, so a stranger may have written its configuration. ikm
 * accepts it only as the current folder, and only outside any working tree.
 */
static struct err *find_upwards(struct git *g)
{
	struct arena *a = g->arena;
	const char *dir = g->cwd, *bare = NULL;
	struct os_stat st;
	struct err *e;
	bool yes;

	TRY(os_stat(dir, true, &st));
	do {
		TRY(try_dot_git(g, os_join(a, dir, ".git"), &yes));
		if (yes) {
			g->top = g->holder = g->place = dir;
			return NULL;
		}
		TRY(is_git_dir(g, dir, &yes));
		if (yes && is_in_git_folder(dir)) {
			g->place = dir;
			return NULL;
		}
		if (yes && !bare)
			bare = dir;
		dir = repo_go_up(g, dir, st.dev, bare, &e);
	} while (dir);
	if (!bare || strcmp(bare, g->cwd) != 0)
		return e;
	g->place = bare;
	TRY(is_git_dir(g, bare, &yes));
	return yes ? NULL : no_repository(g->cwd, NULL);
}

static struct err *repo_find(struct git *g)
{
	const char *given = repo_env_get(g, "GIT_DIR");
	bool yes = false, is;

	if (!given) {
		g->guessed = true;
		return find_upwards(g);
	}
	given = repo_absolute(g->arena, g->cwd, given);
	TRY(repo_is_kind(given, OS_FILE, &is));
	if (is)
		TRY(try_dot_git(g, given, &yes));
	else
		TRY(is_git_dir(g, given, &yes));
	if (!yes)
		return err_new(E_NO_REPOSITORY, "GIT_DIR names '%s', which is no repository",
			       given);
	g->top = g->cwd;
	g->place = given;
	return NULL;
}

/* ---- the working tree ---- */

/* A setting of this working tree; a linked working tree ignores the common file's value. */
static struct err *own_setting(struct git *g, const char *key, const char **out)
{
	bool linked = strcmp(g->dir, g->common) != 0;
	enum config_from from;

	TRY(libgit2_config(g, g->arena, key, out, &from));
	if (from == CONFIG_USER || (from == CONFIG_COMMON && linked))
		*out = NULL;
	return NULL;
}

static struct err *find_top(struct git *g)
{
	const char *env = repo_env_get(g, "GIT_WORK_TREE"), *tree, *bare;

	if (env) {
		g->top = repo_absolute(g->arena, g->cwd, env);
	} else {
		TRY(own_setting(g, "core.worktree", &tree));
		TRY(own_setting(g, "core.bare", &bare));
		if (tree)
			g->top = repo_absolute(g->arena, g->dir, tree);
		else if (config_bool(bare, false))
			g->top = NULL;
	}
	if (g->top)
		TRY(os_realpath(g->arena, g->top, &g->top));
	/* Hooks of a push run inside the git folder, which is no working tree. */
	if (g->top && !strcmp(g->top, g->dir))
		g->top = NULL;
	return NULL;
}

/* Detects a top that core.worktree chose: a repository can name any folder as its working tree. */
static void find_chosen(struct git *g)
{
	struct git other = {.arena = g->arena, .cwd = g->top};
	const char *holder;
	bool yes = false;

	if (!g->top || repo_env_get(g, "GIT_WORK_TREE"))
		return;
	/* With GIT_DIR alone, the current folder is the working tree. */
	holder = g->holder ? g->holder : g->guessed ? NULL : g->cwd;
	if (holder && !os_realpath(g->arena, holder, &holder) &&
	    (!holder[1] || str_is_below(str_of(g->top), str_of(holder))))
		return;
	/* A submodule's repository names its working tree so, whose ".git" leads back here. */
	g->chosen = try_dot_git(&other, os_join(g->arena, g->top, ".git"), &yes) || !yes ||
		    strcmp(other.dir, g->dir);
}

/* ---- trust ---- */

/* Whether the user owns the file or folder itself, by git's rule. */
static bool repo_path_is_owned_by_user(const char *path)
{
	const char *sudo = os_env("SUDO_UID");
	int64_t id;
	struct stat st;

#ifdef IKM_TEST
	/* git's own switch, for tests that run as one user. */
	if (config_bool(os_env("GIT_TEST_ASSUME_DIFFERENT_OWNER"), false))
		return false;
#endif
	if (lstat(path, &st))
		return false;
	if (st.st_uid == geteuid())
		return true;
	/* After sudo, the folders of the calling user are still their own. */
	return geteuid() == 0 && sudo && str_int(str_of(sudo), &id) && id == (int64_t)st.st_uid;
}

/* The rule of git 2.35.2 and later, against configuration that another user wrote. */
static struct err *repo_check_owner(struct git *g)
{
	const char *place = g->top ? g->top : g->dir;
	const char *file = g->top ? os_join(g->arena, g->top, ".git") : g->dir;
	struct os_stat st;
	struct arena *a = g->arena;
	struct strs values = {0};
	bool safe = false;

	TRY(os_stat(file, false, &st));
	if (repo_path_is_owned_by_user(g->dir) && (!g->top || repo_path_is_owned_by_user(g->top)) &&
	    (st.kind == OS_NONE || repo_path_is_owned_by_user(file)))
		return NULL;
	/* safe.directory: an empty value clears the list, "*" means every folder. */
	TRY(libgit2_config_protected(g, a, "safe.directory", &values));
	TRY(config_env(g, a, "safe.directory", &values));
	for (size_t i = 0; i < values.n; i++) {
		const char *v = config_expand_home(a, str_c(a, values.p[i])), *real;
		size_t n = strlen(v);

		if (!n)
			safe = false;
		else if (!strcmp(v, "*"))
			safe = true;
		else if (n > 2 && !strcmp(v + n - 2, "/*"))
			safe = safe || !strncmp(v, place, n - 1);
		else if (!strcmp(v, place) ||
			 (v[0] == '/' && !os_realpath(a, v, &real) && !strcmp(real, place)))
			safe = true;
	}
	if (safe)
		return NULL;
	return err_help(err_new(E_GIT_FAILED,
				"detected dubious ownership in repository at '%s': it belongs to "
				"someone else",
				place),
			"if you trust its owner: git config --global --add safe.directory '%s'",
			place);
}

/* safe.bareRepository=explicit: a bare repository must be named by GIT_DIR. */
static struct err *check_bare(struct git *g)
{
	struct strs values = {0};

	TRY(libgit2_config_protected(g, g->arena, "safe.barerepository", &values));
	TRY(config_env(g, g->arena, "safe.bareRepository", &values));
	if (!values.n || !str_is(values.p[values.n - 1], "explicit"))
		return NULL;
	return err_help(
		err_new(E_GIT_FAILED,
			"cannot use bare repository '%s': safe.bareRepository is 'explicit'",
			g->dir),
		"name it: GIT_DIR='%s'", g->dir);
}

/* ---- folders of objects ---- */

#define ALTERNATES_DEPTH 5 /* as git */
#define ALTERNATES_MAX   100

static struct err *objects_add_folder(struct git *g, const char *dir, unsigned depth);

/*
 * Other people's folders: git goes on without one that it cannot look at, and so does ikm. But then
 * an object that is found nowhere may be there.
 */
static void objects_add_alternate(struct git *g, const char *from, struct str path, unsigned depth)
{
	const char *dir = str_c(g->arena, path);
	struct err *e;

	/* Quoted paths are left to git, which gets the questions that ikm cannot answer. */
	if (!path.n || dir[0] == '"')
		return;
	e = objects_add_folder(g, repo_absolute(g->arena, from, dir), depth);
	if (e && !g->unseen)
		g->unseen = str_c(g->arena, str_of(err_message(e)));
}

/* A missing folder is no error for git either. */
static struct err *objects_add_folder(struct git *g, const char *dir, unsigned depth)
{
	struct os_stat st;
	const char *real, *file;
	struct str text, line;

	if (depth > ALTERNATES_DEPTH || g->objects.n == ALTERNATES_MAX)
		return NULL;
	TRY(os_stat(dir, true, &st));
	if (st.kind != OS_DIR)
		return NULL;
	TRY(os_realpath(g->arena, dir, &real));
	if (strs_has(&g->objects, str_of(real)))
		return NULL;
	strs_push(g->arena, &g->objects, str_of(real));
	file = os_join(g->arena, real, "info/alternates");
	TRY(os_stat(file, true, &st));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(os_read_path(g->arena, file, CONFIG_MAX, &text));
	while (str_next_line(&text, &line))
		if (line.n && line.p[0] != '#')
			objects_add_alternate(g, real, line, depth + 1);
	return NULL;
}

/* Fills g->objects. */
static struct err *objects_find_folders(struct git *g)
{
	const char *own = repo_env_get(g, "GIT_OBJECT_DIRECTORY");
	const char *more = repo_env_get(g, "GIT_ALTERNATE_OBJECT_DIRECTORIES");
	struct str rest = str_of(more), part;

	own = own ? repo_absolute(g->arena, g->cwd, own) : os_join(g->arena, g->common, "objects");
	TRY(objects_add_folder(g, own, 0));
	while (str_next_part(&rest, ':', &part))
		objects_add_alternate(g, g->cwd, part, 0);
	return NULL;
}

/* ---- opening ---- */

static struct err *repo_finish(struct git *g)
{
	const char *index = repo_env_get(g, "GIT_INDEX_FILE");
	struct str cwd, top;

	cli_object_reader_new(g);
	packs_new(g);
	TRY(objects_find_folders(g));
	TRY(git_opening_files_check_regular(g));
	libgit2_open(g);
	if (g->libgit2) {
		bool found_bare = g->guessed && !g->top;

		g->id_len = 20;
		if (!g->pinned)
			TRY(find_top(g));
		if (g->guessed)
			TRY(repo_check_owner(g));
		if (found_bare && !g->top)
			TRY(check_bare(g));
	} else {
		TRY(cli_open_repository(g));
	}
	/* Git enters the top before it resolves a relative index path. */
	g->index = index ? repo_absolute(g->arena, g->top ? g->top : g->cwd, index)
			 : os_join(g->arena, g->dir, "index");
	find_chosen(g);
	cwd = str_of(g->cwd);
	top = str_of(g->top);
	if (top.n == 1)
		top.n = 0;
	g->prefix = STR("");
	if (g->top && cwd.n > top.n + 1 && str_starts(cwd, top) && cwd.p[top.n] == '/')
		g->prefix = str_fmt(g->arena, "%s/", g->cwd + top.n + 1);
	return NULL;
}

struct err *git_open(struct arena *a, const char *dir, struct git **out)
{
	struct git *g = ARENA_NEW(a, struct git);

	g->arena = a;
	g->env = !dir;
	if (dir)
		TRY(os_realpath(a, dir, &g->cwd));
	else
		TRY(os_cwd(a, &g->cwd));
	TRY(repo_find(g));
	TRY(repo_finish(g));
	*out = g;
	return NULL;
}

struct err *git_open_exact(struct arena *a, const char *top, const char *dir, struct git **out)
{
	struct git *g = ARENA_NEW(a, struct git);
	bool yes;

	*out = NULL;
	g->arena = a;
	g->guessed = true;
	g->cwd = top ? top : dir;
	if (top) {
		TRY(try_dot_git(g, os_join(a, top, ".git"), &yes));
		g->top = g->holder = g->place = top;
	} else {
		TRY(is_git_dir(g, dir, &yes));
		g->place = dir;
		g->pinned = true;
	}
	if (!yes)
		return NULL;
	TRY(repo_finish(g));
	*out = g;
	return NULL;
}

/* ---- a caller sees when the search would find another repository ---- */

/*
 * Stamps the folders from cwd up to `until`, the folder with ".git" (NULL: to the top). False when
 * git might stop on the way: a file called HEAD may be a source file, or half of a bare repository.
 */
static bool stamp_way(struct arena *a, const char *cwd, const char *until, struct os_stamps *s)
{
	static const char *const names[] = {".git", "HEAD"};

	for (const char *dir = cwd; !until || strcmp(dir, until); dir = str_parent(a, dir)) {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (os_stamps_add(a, s, os_join(a, dir, names[i]), OS_STAMP_NAME))
				return false;
		if (!dir[1])
			return !until;
	}
	return true;
}

/* The nearest folder upwards with ".git"; NULL: none. */
static const char *found_at(struct arena *a, const char *cwd)
{
	struct os_stat st;

	for (const char *dir = cwd;; dir = str_parent(a, dir)) {
		if (os_stat(os_join(a, dir, ".git"), false, &st))
			return NULL;
		if (st.kind != OS_NONE)
			return st.kind == OS_LINK ? NULL : dir;
		if (!dir[1])
			return NULL;
	}
}

/* False for a configuration with includes: the included files would need stamps, too. */
static bool stamp_config(struct arena *a, const char *path, struct os_stamps *s)
{
	struct str text;
	struct err *e = os_read_path(a, path, CONFIG_MAX, &text);

	if (e && err_reason(e) != E_FILE_NOT_FOUND)
		return false;
	os_stamps_add(a, s, path, OS_STAMP_TEXT);
	return e || !str_holds(str_lower(a, text), "[include");
}

bool git_discovery_stamp(const struct git *g, struct arena *a, const char *cwd, struct os_stamps *s)
{
	const char *at, *dot_git;
	struct os_stat st;

	if (os_env("GIT_DIR") || os_env("GIT_CEILING_DIRECTORIES") ||
	    os_env("GIT_OBJECT_DIRECTORY"))
		return false;
	if (!g)
		return stamp_way(a, cwd, NULL, s);
	at = found_at(a, cwd);
	/* core.worktree may name the top by a link. */
	if (!at || !g->libgit2 || !g->top || strcmp(g->top, at) || !stamp_way(a, cwd, at, s))
		return false;
	dot_git = os_join(a, at, ".git");
	if (!repo_path_is_owned_by_user(g->dir) || !repo_path_is_owned_by_user(g->top) ||
	    !repo_path_is_owned_by_user(dot_git) || os_stat(dot_git, false, &st))
		return false;
	if (st.kind != OS_DIR)
		os_stamps_add(a, s, dot_git, OS_STAMP_TEXT);
	os_stamps_add(a, s, g->top, OS_STAMP_PLACE);
	os_stamps_add(a, s, g->named, OS_STAMP_PLACE);
	os_stamps_add(a, s, g->named_common, OS_STAMP_PLACE);
	os_stamps_add(a, s, os_join(a, g->dir, "commondir"), OS_STAMP_TEXT);
	os_stamps_add(a, s, os_join(a, g->dir, "HEAD"), OS_STAMP_NAME);
	os_stamps_add(a, s, os_join(a, g->common, "objects"), OS_STAMP_NAME);
	os_stamps_add(a, s, os_join(a, g->common, "refs"), OS_STAMP_NAME);
	return stamp_config(a, os_join(a, g->common, "config"), s) &&
	       stamp_config(a, os_join(a, g->dir, "config.worktree"), s);
}

/* ---- what is known of it ---- */

const char *git_top(const struct git *g)
{
	return g->top;
}

const char *git_dir(const struct git *g)
{
	return g->dir;
}

const char *git_common_dir(const struct git *g)
{
	return g->common;
}

bool git_top_is_configured(const struct git *g)
{
	return g->chosen;
}

bool git_is_bare(const struct git *g)
{
	return !g->top;
}

struct str git_prefix(const struct git *g)
{
	return g->prefix;
}

struct err *repo_require_worktree(const struct git *g)
{
	return g->top ? NULL
		      : err_help(err_new(E_GIT_FAILED,
					 "'%s' is a bare repository: it has no working tree",
					 g->dir),
				 "run it in a clone: git clone '%s'", g->dir);
}
