#include "repo_relative_paths.h"

static struct err *paths_bad_path(size_t i, struct str path, const char *what)
{
	struct err *e =
		err_for_param(E_BAD_PATH, STR("files"), "files[%zu].path is '%.*s', which %s", i,
			      STR_ARG(path), what);

	return err_help(e, "write the path relative to the top of the repository");
}

struct err *path_of_input(struct call *c, size_t i, struct str path, struct str *out)
{
	const char *top = c->git ? git_top(c->git) : NULL;
	struct str rest = path, part;
	struct strs parts = {0};

	if (str_has_nul(path))
		return paths_bad_path(i, path, "holds a NUL byte");
	/* Git has such names, and hardly anybody means one: the file would be none that rules know.
	 */
	if (str_trim(path).n != path.n)
		return paths_bad_path(i, path, "begins or ends with a blank");
	if (str_find_char(path, '\\', 0) != SIZE_MAX)
		return paths_bad_path(i, path, "has a backslash: folders end with '/'");
	if (str_starts(path, STR("/"))) {
		if (!top || !str_starts(path, str_fmt(c->a, "%s/", top)))
			return paths_bad_path(i, path, "is not in the repository");
		rest = str_sub(path, strlen(top), path.n);
	}
	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, "..") && !parts.n)
			return paths_bad_path(i, path, "is not in the repository");
		if (str_is(part, ".."))
			parts.n--;
		else if (part.n && !str_is(part, "."))
			strs_push(c->a, &parts, part);
	}
	if (!parts.n)
		return paths_bad_path(i, path, "does not name a file");
	*out = str_join(c->a, &parts, "/");
	return NULL;
}

struct err *paths_check_unique(struct strs *paths)
{
	strs_sort(paths);
	for (size_t i = 1; i < paths->n; i++)
		if (str_eq(paths->p[i - 1], paths->p[i]))
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("files"),
						      "files has '%.*s' more than once",
						      STR_ARG(paths->p[i])),
					"give each path once");
	return NULL;
}

/*
 * Whether the working tree has the file or folder although the disk has not: a sparse checkout
 * leaves it out. *out: its path from the top.
 */
static struct err *paths_skipped(struct call *c, struct str path, struct str *out, bool *is)
{
	struct str rest = str_starts(path, STR("/"))
				  ? path
				  : str_fmt(c->a, "%s/%.*s%.*s", git_top(c->git),
					    STR_ARG(git_prefix(c->git)), STR_ARG(path));
	struct tree_file f;
	struct tree *t;

	*is = false;
	if (path_of_input(c, 0, rest, out))
		return NULL;
	TRY(git_tree_of_sparse_excluded(c->git, &t));
	if (t)
		TRY(tree_find(t, *out, &f, is));
	return t && !*is ? tree_has_files(t, *out, is) : NULL;
}

struct err *paths_from_top(struct call *c, const struct strs *paths, struct strs *out)
{
	const char *top = c->git ? git_top(c->git) : NULL, *real;

	for (size_t i = 0; i < paths->n; i++) {
		struct err *e = os_realpath(c->a, str_c(c->a, paths->p[i]), &real);
		struct str rest;
		bool skipped = false;

		if (e && top)
			TRY(paths_skipped(c, paths->p[i], &rest, &skipped));
		if (!skipped) {
			TRY(e);
			rest = str_of(real);
			if (top && str_is(rest, top)) {
				out->n = 0;
				return NULL;
			}
			if (!top || !str_starts(rest, str_fmt(c->a, "%s/", top)))
				return err_new(E_BAD_PATH, "'%.*s' is not in the repository",
					       STR_ARG(paths->p[i]));
			rest = str_sub(rest, strlen(top) + 1, rest.n);
		}
		if (!strs_has(out, rest))
			strs_push(c->a, out, rest);
	}
	return NULL;
}
