/*
 * The folders that are open to tools. A person may open any folder except the protected ones: a
 * repository's own folder, and ikm's. A repository, or the client of an MCP server, cannot open a
 * folder that would surprise a person: the home, a folder that holds a home, and folders of the
 * system.
 */
#include "client_info.h"

/* Closed unless a person names them. Folders below them may be open. */
static const char *const system_folders[] = {
	"/",       "/bin",  "/boot", "/dev", "/etc",  "/home", "/lib", "/lib32", "/lib64",
	"/libx32", "/proc", "/root", "/run", "/sbin", "/sys",  "/usr", "/var",   "/usr/local"};

static bool roots_same(const char *one, const char *two)
{
	struct os_stat x, y;

	return !os_stat(one, true, &x) && !os_stat(two, true, &y) && x.kind != OS_NONE &&
	       x.dev == y.dev && x.ino == y.ino;
}

/* ---- protected folders: nobody opens them ---- */

static bool roots_has(struct arena *a, const char *dir, const char *name)
{
	struct os_stat st;

	return !os_stat(os_join(a, dir, name), false, &st) && st.kind != OS_NONE;
}

static bool roots_in_home_of_ikm(struct arena *a, const char *real, const char *home)
{
	const char *path;

	return home && !os_realpath(a, home, &path) &&
	       (!strcmp(path, "/") || str_is_below(str_of(real), str_of(path)));
}

/* The reason why real (a path without links) is protected. NULL: it is not protected. */
static const char *roots_protected(struct arena *a, const char *real)
{
	struct str rest = str_of(real), part;
	const char *home = os_home();

	while (str_next_part(&rest, '/', &part))
		if (str_ieq(part, STR(".git")))
			return "it is in a '.git' folder, which is always outside";
	/* A bare repository, or one not named ".git"; the search ends at a working tree above. */
	for (const char *dir = real; !roots_has(a, dir, ".git"); dir = str_parent(a, dir)) {
		if (roots_has(a, dir, "HEAD") && roots_has(a, dir, "objects") &&
		    roots_has(a, dir, "refs"))
			return "it is in the own folder of a repository, which is always outside";
		if (!dir[1])
			break;
	}
	if (roots_in_home_of_ikm(a, real, os_ikigai_home(a)) ||
	    (home && roots_in_home_of_ikm(a, real, os_join(a, home, ".ikigai"))))
		return "it is in ikm's own folder, which is always outside";
	return NULL;
}

/* ---- folders that only a person opens ---- */

/* Compares the folder itself, not its name, with the home and each folder above it. */
static bool roots_holds(struct arena *a, const char *dir, const char *home)
{
	const char *at;

	if (!home || os_realpath(a, home, &at))
		return false;
	for (;; at = str_parent(a, at)) {
		if (roots_same(dir, at))
			return true;
		if (!at[1])
			return false;
	}
}

/*
 * The reason why a folder cannot be a root unless a person names it; NULL: it can. whole: also
 * refuse a folder that holds the home. Clients get that rule, repositories do not, because some set
 * HOME to a folder of the project.
 */
static const char *roots_unnamed(struct arena *a, const char *real, bool whole)
{
	const char *home = os_home();
	const char *never = roots_protected(a, real);
	struct os_stat st;

	if (never)
		return never;
	for (size_t i = 0; i < ARRAY_SIZE(system_folders); i++)
		if (!strcmp(real, system_folders[i]))
			return "it is a folder of the system";
	if (whole ? roots_holds(a, real, home) : home && roots_same(real, home))
		return whole ? "it is the home, or holds it" : "it is the home";
	if (os_stat(real, true, &st) || st.kind != OS_DIR)
		return "it is not a folder";
	/* The login home, if HOME is set to another folder, and the home of the folder's owner. */
	if (roots_holds(a, real, os_home_of(a, os_uid())) ||
	    (st.uid != os_uid() && roots_holds(a, real, os_home_of(a, st.uid))))
		return "it is a user's home, or holds one";
	return NULL;
}

/* ---- opening ---- */

static struct err *roots_add_named(struct call *c, struct strs *dirs, struct str dir,
				   const char *by)
{
	const char *real, *why;

	TRY(os_realpath(c->a, str_c(c->a, dir), &real));
	why = roots_protected(c->a, real);
	if (why)
		return err_add_detail(err_new(E_OUTSIDE_ROOTS, "'%.*s' of %s cannot be a root: %s",
					      STR_ARG(dir), by, why),
				      "root", str_of(real));
	strs_push(c->a, dirs, str_of(real));
	return NULL;
}

static void roots_refuse(struct call *c, const char *by, struct str dir, const char *why)
{
	strs_push(c->a, &c->refused_roots, str_fmt(c->a, "%s '%.*s': %s", by, STR_ARG(dir), why));
}

/* The client of a server names the folders that tools may use. */
static bool roots_has_client(const struct call *c)
{
	return c->client && c->client->has_roots;
}

const char *roots_refusal_reason(struct arena *a, struct str root, const char **real)
{
	if (!str_starts(root, STR("/")))
		return "it is no file:// URI of a folder on this machine";
	if (os_realpath(a, str_c(a, root), real))
		return "it does not exist";
	return roots_unnamed(a, *real, true);
}

static void roots_add_top(struct call *c, struct strs *dirs)
{
	const char *top = c->git ? git_top(c->git) : NULL, *why;

	if (!top)
		return;
	if (git_top_is_configured(c->git))
		why = "the repository's core.worktree points there, outside the repository";
	else
		why = roots_unnamed(c->a, top, false);
	if (why)
		roots_refuse(c, "the working tree", str_of(top), why);
	else
		strs_push(c->a, dirs, str_of(top));
}

/* A repository's own folder may have another name than ".git", and lie in a root. */
static void roots_deny_git(struct call *c, struct strs *denied)
{
	const char *dirs[] = {git_dir(c->git), git_common_dir(c->git)};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		struct str rest = str_of(dirs[i]), part;
		bool by_name = false;

		while (str_next_part(&rest, '/', &part))
			by_name = by_name || str_ieq(part, STR(".git"));
		if (!by_name)
			strs_push(c->a, denied, str_of(dirs[i]));
	}
}

const char *app_garden_path(const struct call *c)
{
	return conf_garden_folder(c->a, c->conf);
}

/*
 * Tools and prompts may use the files of the person's garden wherever they run, unless --root names
 * their folders. Only its users/ is open: the garden's policy knows all files in it.
 */
static void roots_add_garden(struct call *c, const struct cmd_common *common, struct strs *dirs)
{
	bool confined = c->cmd->need & NEED_CONFINED || c->face != FACE_ARGV;
	const char *top = app_garden_path(c), *real;
	struct os_stat st;

	if (!top || common->root.n || !confined)
		return;
	top = os_join(c->a, top, "users");
	if (!os_stat(top, true, &st) && st.kind == OS_DIR && !os_realpath(c->a, top, &real))
		strs_push(c->a, dirs, str_of(real));
}

/*
 * The folders of other users in the garden, which tools do not read. One folder alone is open: its
 * user may have another name on this machine.
 */
static struct strs roots_closed(struct call *c)
{
	struct strs names = {0}, closed = {0};
	const char *top = app_garden_path(c);
	struct os_stat st;
	size_t folders = 0;

	if (!top || c->face == FACE_ARGV || c->conf->garden_readers == CONF_READERS_ALL)
		return closed;
	top = os_join(c->a, top, "users");
	if (os_list(c->a, top, &names))
		return closed;
	for (size_t i = 0; i < names.n; i++) {
		const char *path = os_join(c->a, top, str_c(c->a, names.p[i]));

		if (os_stat(path, true, &st) || st.kind != OS_DIR)
			continue;
		folders++;
		if (!str_eq(names.p[i], app_user(c)))
			strs_push(c->a, &closed, str_of(path));
	}
	return folders > 1 ? closed : (struct strs){0};
}

struct err *roots_open(struct call *c, const struct cmd_common *common)
{
	bool confined = c->cmd->need & NEED_CONFINED && c->face == FACE_ARGV;
	const char *ours = os_ikigai_home(c->a), *home = os_home();
	struct strs dirs = {0}, denied = roots_closed(c);
	const struct conf_parts *named = &c->conf->files_roots;
	struct os_stat st;

	c->refused_roots = (struct strs){0};
	for (size_t i = 0; i < common->root.n; i++)
		TRY(roots_add_named(c, &dirs, common->root.p[i], "--root"));
	for (size_t i = 0; !common->root.n && i < named->n; i++)
		TRY(roots_add_named(c, &dirs, named->p[i].value->s, "files.roots"));
	if (roots_has_client(c) && !common->root.n && !named->n) {
		for (size_t i = 0; i < c->client->roots.n; i++) {
			const char *real = NULL;
			const char *why = roots_refusal_reason(c->a, c->client->roots.p[i], &real);

			if (why)
				roots_refuse(c, "the client's root", c->client->roots.p[i], why);
			else
				strs_push(c->a, &dirs, str_of(real));
		}
	}
	/* A prompt on the command line may name files of the repository, too. */
	if ((!dirs.n && !roots_has_client(c)) || (confined && !common->root.n))
		roots_add_top(c, &dirs);
	roots_add_garden(c, common, &dirs);
	c->rootless = !dirs.n;
	if (ours)
		strs_push(c->a, &denied, str_of(ours));
	/* The usual place has keys too when IKIGAI_HOME names another. An error: nobody gets in. */
	if (home && !os_stat(os_join(c->a, home, ".ikigai"), true, &st))
		strs_push(c->a, &denied, str_of(os_join(c->a, home, ".ikigai")));
	strs_add_all(c->a, &denied, &c->closed);
	if (c->git)
		roots_deny_git(c, &denied);
	return os_roots_new(c->a, &dirs, &denied, &c->roots);
}

/* ---- the help for refusals ---- */

#define ROOTS_SHOWN 5

static void roots_help_open(const struct call *c, struct err *e, const char *doing)
{
	bool person = c->face == FACE_ARGV;

	err_help(e,
		 "%s%s: \"files\": {\"roots\": [\"%s\"]} in ~/.ikigai/config.json, or --root DIR%s",
		 person ? "" : "a person can ", doing,
		 c->git && git_top(c->git) && git_top_is_configured(c->git) ? git_top(c->git)
									    : "DIR",
		 person ? "" : " where ikm is started");
}

struct err *app_no_roots_error(const struct call *c)
{
	struct err *e = err_new(E_NO_ROOTS, "no folder is open to tools here: %s",
				c->refused_roots.n    ? str_c(c->a, c->refused_roots.p[0])
				: roots_has_client(c) ? "the client has no root"
				: c->git              ? "this is a bare repository"
						      : "this is not a Git repository");

	if (c->refused_roots.n)
		err_detail_list(e, "refusedRoots", &c->refused_roots);
	if (!roots_has_client(c) && !c->git)
		err_help(e, "start ikm in the project's repository, or with -C DIR");
	roots_help_open(c, e, "open folders");
	return e;
}

void roots_help(struct call *c, struct err *e)
{
	struct strs open = {0}, closed;
	struct buf b = buf_in(c->a);
	bool others = false;

	if (!c->roots)
		return;
	os_roots_paths(c->roots, c->a, &open);
	for (size_t i = 0; i < size_min(open.n, ROOTS_SHOWN); i++)
		buf_fmt(&b, "%s'%.*s'", i ? ", " : "", STR_ARG(open.p[i]));
	if (open.n > ROOTS_SHOWN)
		buf_fmt(&b, " and %zu more", open.n - ROOTS_SHOWN);
	if (open.n)
		err_help(e, "open to tools: %.*s", STR_ARG(buf_as_str(&b)));
	if (c->refused_roots.n)
		err_detail_list(e, "refusedRoots", &c->refused_roots);
	for (size_t i = 0; i < size_min(c->refused_roots.n, ROOTS_SHOWN); i++)
		err_help(e, "not open: %.*s", STR_ARG(c->refused_roots.p[i]));
	closed = roots_closed(c);
	/* The error quotes the path as it was given, which may be a short one. */
	for (size_t i = 0; i < closed.n; i++) {
		size_t users = str_rfind_char(
			str_sub(closed.p[i], 0, str_rfind_char(closed.p[i], '/')), '/');

		others = others ||
			 str_find(str_of(err_message(e)),
				  str_sub(closed.p[i], users + 1, closed.p[i].n), 0) != SIZE_MAX;
	}
	if (others)
		err_help(e, "this is the folder of another user in the garden; a person can set "
			    "garden.readers to all");
	else
		roots_help_open(c, e, "open another folder");
}
