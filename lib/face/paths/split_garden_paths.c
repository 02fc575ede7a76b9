#include "split_garden_paths.h"

/* The path below a folder; "." for the folder itself. False: it lies elsewhere. */
static bool garden_paths_below(struct str path, struct str dir, struct str *rest)
{
	if (!str_is_below(path, dir))
		return false;
	*rest = path.n == dir.n ? STR(".") : str_sub(path, dir.n + 1, path.n);
	return true;
}

/* The garden's folder without links; NULL: there is none. */
static const char *garden_paths_top(struct call *c)
{
	const char *top = app_garden_path(c), *real;

	return top && !os_realpath(c->a, top, &real) ? real : NULL;
}

/* Opens the files of the garden: those of the repository's index or commit, else of the folder. */
static struct err *garden_paths_open(struct call *c, enum lint_of of, bool named,
				     struct lint_garden *g)
{
	static const struct tree_dir_options all = {0};
	const char *git_top_dir = c->git && !git_is_bare(c->git) ? git_top(c->git) : NULL;
	struct str rest;
	bool held = git_top_dir && garden_paths_below(str_of(g->top), str_of(git_top_dir), &rest);

	g->shown = str_fmt(c->a, "%s/", g->top);
	if (held)
		g->shown = str_is(rest, ".") ? STR("") : str_fmt(c->a, "%.*s/", STR_ARG(rest));
	if (of == LINT_WORKTREE)
		return tree_of_folder(c->a, g->top, &all, &g->tree);
	if (!held && named)
		return err_help(err_new(E_BAD_ARGUMENT,
					"the garden '%s' is not in this repository, so nothing of "
					"it is staged here",
					g->top),
				"cd '%s'", g->top);
	if (!held) {
		g->paths.n = 0;
		return NULL;
	}
	TRY(of == LINT_INDEX ? git_tree_index(c->git, &g->tree) : git_tree_head(c->git, &g->tree));
	if (!str_is(rest, "."))
		g->tree = tree_sub(c->a, g->tree, rest);
	return NULL;
}

/* Without PATHs. */
static struct err *garden_paths_all(struct call *c, enum lint_of of, struct lint_garden *g)
{
	const char *git_top_dir = c->git && !git_is_bare(c->git) ? git_top(c->git) : NULL, *cwd;
	struct str rest;
	bool here = git_top_dir && garden_paths_below(str_of(g->top), str_of(git_top_dir), &rest);

	if (!here && c->cwd && !os_realpath(c->a, c->cwd, &cwd))
		here = garden_paths_below(str_of(cwd), str_of(g->top), &rest);
	if (!here)
		return NULL;
	strs_push(c->a, &g->paths, STR("users"));
	return garden_paths_open(c, of, false, g);
}

struct err *garden_split_paths(struct call *c, const struct strs *paths, enum lint_of of,
			       struct lint_garden *g, struct strs *others)
{
	const char *git_top_dir = c->git ? git_top(c->git) : NULL, *real;
	struct str users, rest;

	*g = (struct lint_garden){.top = garden_paths_top(c)};
	*others = (struct strs){0};
	if (!g->top) {
		*others = *paths;
		return NULL;
	}
	if (!paths->n)
		return garden_paths_all(c, of, g);
	users = str_fmt(c->a, "%s/users", g->top);
	for (size_t i = 0; i < paths->n; i++) {
		bool below, above;

		TRY(os_realpath(c->a, str_c(c->a, paths->p[i]), &real));
		below = garden_paths_below(str_of(real), users, &rest);
		above = !below && garden_paths_below(users, str_of(real), &rest);
		if (below)
			strs_push(c->a, &g->paths,
				  str_is(rest, ".") ? STR("users")
						    : str_fmt(c->a, "users/%.*s", STR_ARG(rest)));
		if (above)
			strs_push(c->a, &g->paths, STR("users"));
		if (!below &&
		    (!above ||
		     (git_top_dir && garden_paths_below(str_of(real), str_of(git_top_dir), &rest))))
			strs_push(c->a, others, paths->p[i]);
	}
	return g->paths.n ? garden_paths_open(c, of, true, g) : NULL;
}

struct err *garden_path_of(struct call *c, struct str path, struct str *out, bool *inside)
{
	const char *top = garden_paths_top(c), *real;
	struct str full = path, folder, name;
	size_t slash;

	*inside = false;
	if (!top)
		return NULL;
	if (!str_starts(path, STR("/")) && c->cwd)
		full = str_fmt(c->a, "%s/%.*s", c->cwd, STR_ARG(path));
	slash = str_rfind_char(full, '/');
	if (slash == SIZE_MAX)
		return NULL;
	folder = str_sub(full, 0, size_max(slash, 1));
	name = str_sub(full, slash + 1, full.n);
	TRY(os_realpath(c->a, str_c(c->a, folder), &real));
	*inside = garden_paths_below(str_fmt(c->a, "%s/%.*s", real, STR_ARG(name)), str_of(top),
				     out) &&
		  str_starts(*out, STR("users/"));
	return NULL;
}
