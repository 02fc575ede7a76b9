/*
 * Stamps the files that decide which repository is found, so that a caller sees when one changes.
 */
#include "git/internal.h"
#include "os/os.h"

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
