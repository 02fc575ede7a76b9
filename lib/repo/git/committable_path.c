/* Whether a path can be committed alone: what git allows, what is in the way, what is staged. */
#include "git/commit_paths.h"
#include "os/os.h"

/* ---- the path ---- */

static struct err *path_bad(struct str path, const char *why)
{
	return err_new(E_BAD_PATH, "'%.*s' cannot be committed: %s", STR_ARG(path), why);
}

struct err *path_relative_to_top(struct git *g, struct arena *a, struct str path, struct str *out)
{
	struct str rest, part, top = str_of(g->top);
	const char *real;
	size_t slash;

	if (str_has_nul(path) || path.n > OS_PATH_MAX)
		return path_bad(path, "it has a NUL byte, or more than 4096 bytes");
	if (path.n && path.p[0] == '/') {
		slash = str_rfind_char(path, '/');
		if (!str_starts(path, top) &&
		    !os_realpath(a, str_c(a, str_sub(path, 0, size_max(1, slash))), &real))
			path = str_of(os_join(a, real, str_c(a, str_sub(path, slash + 1, path.n))));
		if (!str_starts(path, top) ||
		    (top.n > 1 && (path.n <= top.n || path.p[top.n] != '/')))
			return err_new(E_OUTSIDE_ROOTS,
				       "'%.*s' is not below '%s', the top of the repository",
				       STR_ARG(path), g->top);
		path = str_sub(path, top.n > 1 ? top.n + 1 : 1, path.n);
	}
	rest = path;
	if (!path.n || path.p[path.n - 1] == '/')
		return path_bad(path, "it names no file");
	while (str_next_part(&rest, '/', &part)) {
		if (!part.n || str_is(part, ".") || str_is(part, ".."))
			return path_bad(path, "a part is empty, '.' or '..'");
		/* Also as file systems of others write the name. */
		if (str_ieq(part, STR(".git")) || str_ieq(part, STR("git~1")))
			return path_bad(path, "git never commits '.git'");
	}
	*out = path;
	return NULL;
}

struct err *path_check_trackable(struct git *g, struct arena *a, struct str path)
{
	struct os_stat st;
	const char *at;

	for (size_t end = str_find_char(path, '/', 0); end != SIZE_MAX;
	     end = str_find_char(path, '/', end + 1)) {
		struct str folder = str_sub(path, 0, end);

		at = os_join(a, g->top, str_c(a, folder));
		TRY(os_stat(at, false, &st));
		if (st.kind == OS_NONE)
			return NULL;
		if (st.kind != OS_DIR)
			return err_new(E_NOT_A_FILE,
				       "'%.*s' is behind '%.*s', which is %s: git does not track "
				       "files there",
				       STR_ARG(path), STR_ARG(folder),
				       st.kind == OS_LINK ? "a symbolic link" : "no folder");
		TRY(os_stat(os_join(a, at, ".git"), false, &st));
		if (st.kind != OS_NONE)
			return err_new(E_NOT_A_FILE,
				       "'%.*s' is in another repository, '%.*s' (a submodule?)",
				       STR_ARG(path), STR_ARG(folder));
	}
	TRY(os_stat(os_join(a, g->top, str_c(a, path)), false, &st));
	if (st.kind == OS_NONE || st.kind == OS_FILE)
		return NULL;
	return err_new(E_NOT_A_FILE, "'%.*s' is %s, not a regular file", STR_ARG(path),
		       st.kind == OS_LINK  ? "a symbolic link"
		       : st.kind == OS_DIR ? "a folder"
					   : "a device, FIFO or socket");
}

/* ---- what git has under way ---- */

struct err *under_way_check(struct git *g, struct arena *a)
{
	static const struct {
		const char *file, *what, *end;
	} states[] = {
		{"rebase-merge", "a rebase", "git rebase --continue, or git rebase --abort"},
		{"rebase-apply/applying", "an am", "git am --continue, or git am --abort"},
		{"rebase-apply", "a rebase", "git rebase --continue, or git rebase --abort"},
		{"MERGE_HEAD", "a merge", "git merge --continue, or git merge --abort"},
		{"CHERRY_PICK_HEAD", "a cherry-pick",
		 "git cherry-pick --continue, or git cherry-pick --abort"},
		{"REVERT_HEAD", "a revert", "git revert --continue, or git revert --abort"},
		{"sequencer", "a cherry-pick or revert of several commits",
		 "git cherry-pick --continue, or git cherry-pick --abort"},
		{"BISECT_LOG", "a bisect", "git bisect reset"},
	};
	struct os_stat st;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		struct err *e;

		TRY(os_stat(os_join(a, g->dir, states[i].file), false, &st));
		if (st.kind == OS_NONE)
			continue;
		e = err_new(E_UNDER_WAY, "%s is under way in '%s'", states[i].what, g->top);
		return err_help(e, "end it, then try again: %s", states[i].end);
	}
	return NULL;
}

/* ---- what is staged ---- */

struct err *tree_read_entry_state(struct git *g, struct arena *a, const unsigned char *tree,
				  struct str path, struct entry_state *out)
{
	static const uint32_t modes[] = {0100644, 0100755, 0120000, 0160000};
	struct items way = {0};
	struct str rest = path;
	struct item last;
	bool found = false;

	*out = (struct entry_state){0};
	if (tree)
		TRY(object_walk_tree_path(g, a, tree, &rest, &way, &found));
	/* An empty path leads to no entry, though nothing on its way is missing. */
	if (!found || !way.n)
		return NULL;
	last = way.p[way.n - 1];
	out->mode = last.is_dir ? 0040000 : modes[last.kind];
	out->there = !rest.n && !last.is_dir;
	if (rest.n || last.is_dir || last.kind == TREE_SUBMODULE)
		out->in_way = str_sub(path, 0, path.n - rest.n - (rest.n ? 1 : 0));
	memcpy(out->id, last.id, g->id_len);
	return NULL;
}

/*
 * Removes what a killed ikm left; LOCKED for a lock file of another that stays. `git status` takes
 * the lock for a moment, so this waits as the commit does.
 */
static struct err *index_is_unlocked(struct git *g)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct os_lock_file *l;
	struct os_stat st;
	struct err *e = os_stat(str_c(a, str_fmt(a, "%s.lock", g->index)), false, &st);

	if (!e && st.kind != OS_NONE)
		e = os_git_lock_file(a, g->index, NULL, LOCK_MS, &l);
	return e;
}

struct err *git_path_check_committable(struct git *g, struct arena *a, struct str path)
{
	struct entry_state head, staged;
	struct change c = {0};
	struct os_stat st;
	struct head h;

	TRY(repo_require_worktree(g));
	TRY(path_relative_to_top(g, a, path, &path));
	TRY(path_check_trackable(g, a, path));
	TRY(under_way_check(g, a));
	c.path = path;
	TRY(head_read(g, a, &h));
	TRY(tree_read_entry_state(g, a, h.unborn ? NULL : h.tree, path, &head));
	TRY(index_read_entry_states(g, a, &c, 1, &staged));
	if (staged.conflict || staged.in_way.p || !entry_same(g, &staged, &head))
		return entry_staged_error(&staged, path);
	if (head.there)
		TRY(os_stat(str_c(a, str_fmt(a, "%s/%.*s", g->top, STR_ARG(path))), false, &st));
	/* A file that only HEAD has is neither read nor copied: it would be lost. */
	if (head.there && st.kind == OS_NONE)
		return err_help(
			err_new(E_STAGED,
				"'%.*s' is in Git, but not in the working tree: the change would "
				"replace it unseen",
				STR_ARG(path)),
			"put it back: git -C '%s' restore '%.*s'; or commit that it is gone: git "
			"-C '%s' rm '%.*s' and git -C '%s' commit",
			g->top, STR_ARG(path), g->top, STR_ARG(path), g->top);
	return index_is_unlocked(g);
}

struct err *git_read_file_at_head(struct git *g, struct arena *a, struct str path, struct str *out)
{
	struct entry_state e;
	struct head h;

	*out = (struct str){0};
	TRY(path_relative_to_top(g, a, path, &path));
	TRY(head_read(g, a, &h));
	TRY(tree_read_entry_state(g, a, h.unborn ? NULL : h.tree, path, &e));
	if (!e.there || (e.mode & 0170000) != 0100000)
		return NULL;
	TRY(object_read(g, a, e.id, OBJECT_BLOB, OBJECT_MAX, out));
	out->p = out->p ? out->p : "";
	return NULL;
}
