/* Resolves names of commits, and opens trees by name. */
#include "git/commit_paths.h"
#include "os/os.h"

#define SHORT_ID    7
#define SHALLOW_MAX ((size_t)64 << 20)

/* For forms that libgit2 does not know, and references in formats that it cannot read. */
static struct err *rev_ask_git(struct git *g, const char *rev, unsigned char *id,
			       enum object_type *type, bool *found)
{
	struct arena *a = g->arena;
	const char *parse[] = {"rev-parse", "--verify", "--quiet", rev, NULL};
	const char *kind[] = {"cat-file", "-t", NULL, NULL};
	struct str out;
	int status;

	*found = false;
	/* Two calls, because ":/text^{}" would search for that text. */
	for (int i = 0; i < 2; i++) {
		TRY(cli_git_try(g, a, parse, STR(""), &out, &status));
		if (status || !id_parse(str_trim(out), id, g->id_len))
			return NULL;
		parse[3] = str_c(a, str_fmt(a, "%.*s^{}", STR_ARG(str_trim(out))));
	}
	kind[2] = str_c(a, str_trim(out));
	TRY(cli_git_try(g, a, kind, STR(""), &out, &status));
	*type = object_type_by_name(str_trim(out));
	*found = !status;
	return NULL;
}

const char git_shallow_help[] = "to get the history of a shallow clone: git fetch --unshallow, or "
				"fetch-depth: 0 in a GitHub workflow, GIT_DEPTH: 0 in GitLab CI";

struct err *git_help_shallow(struct err *e)
{
	return err_help(e, "%s", git_shallow_help);
}

struct err *git_shallow_commits(struct git *g, struct arena *a, struct strs *out)
{
	struct str text = STR(""), line;
	struct err *e = os_read_path(a, os_join(a, g->common, "shallow"), SHALLOW_MAX, &text);

	if (e && err_reason(e) != E_FILE_NOT_FOUND)
		return e;
	while (!e && str_next_line(&text, &line))
		strs_push(a, out, str_trim(line));
	strs_sort(out);
	return NULL;
}

bool git_list_ref_names(struct git *g, struct arena *a, struct strs *out)
{
	static const char *const args[] = {"for-each-ref", "--format=%(refname)", NULL};
	static const struct str starts[] = {STR_INIT("refs/heads/"), STR_INIT("refs/tags/"),
					    STR_INIT("refs/remotes/"), STR_INIT("refs/")};
	struct str text = STR(""), line;
	int status = 1;

	if (g->libgit2) {
		if (git_ref_files_check_regular(g) || libgit2_refs(g, a, out))
			return false;
	} else if (cli_git_try(g, a, args, STR(""), &text, &status) || status) {
		return false;
	}
	while (str_next_line(&text, &line))
		strs_push(a, out, line);
	/* People type "main" for "refs/heads/main". */
	for (size_t i = 0; i < out->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(starts); k++)
			if (str_starts(out->p[i], starts[k])) {
				out->p[i] = str_sub(out->p[i], starts[k].n, out->p[i].n);
				break;
			}
	return true;
}

static struct err *bad_revision(struct git *g, const char *rev)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct strs names = {0};
	struct str near;
	struct err *e;

	/* No suggestion when the references cannot be listed. */
	if (git_list_ref_names(g, scratch, &names) && !names.n) {
		e = err_new(E_BAD_REVISION, "'%s' is no commit in '%s': there is no commit yet",
			    rev, g->dir);
		return err_help(err_add_detail(e, "revision", str_of(rev)),
				"make the first commit: git commit");
	}
	strs_push(scratch, &names, STR("HEAD"));
	near = str_nearest(str_of(rev), &names);
	if (near.n && !str_eq(near, str_of(rev)))
		e = err_new(E_BAD_REVISION, "'%s' is no commit in '%s'; did you mean '%.*s'?", rev,
			    g->dir, STR_ARG(near));
	else
		e = err_new(E_BAD_REVISION, "'%s' is no commit in '%s'", rev, g->dir);
	e = err_add_detail(e, "revision", str_of(rev));
	if (str_is_zeros(str_of(rev)))
		return err_help(e, "zeros stand for a branch that is new: name the branch that it "
				   "left, such as origin/main");
	err_help(e, "%s", err_reason_help_step(E_BAD_REVISION));
	err_help(e, "to get what only a remote has: git fetch, or in GitLab CI git fetch origin "
		    "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME, which makes it FETCH_HEAD");
	return git_help_shallow(e);
}

struct err *rev_resolve(struct git *g, const char *rev, unsigned char *id, enum object_type *type)
{
	bool found = false;
	struct err *e;
	size_t size;

	/* Never pass an option to git. */
	if (!rev[0] || rev[0] == '-')
		return bad_revision(g, rev);
	/* A full id is no name: git looks for no reference that is called so. */
	if (id_parse(str_of(rev), id, g->id_len))
		TRY(object_load(g, g->arena, id, SIZE_MAX, type, &size, NULL, &found));
	found = found && *type != OBJECT_TAG;
	/* libgit2 leaks memory for every commit whose message does not match. */
	if (!found && g->libgit2 && !strstr(rev, ":/") && !strstr(rev, "{/"))
		TRY(libgit2_revision(g, rev, id, type, &found));
	if (found)
		return NULL;
	e = rev_ask_git(g, rev, id, type, &found);
	if (e && !(g->libgit2 && err_reason(e) == E_NO_PROGRAM))
		return e;
	return !e && found ? NULL : bad_revision(g, rev);
}

struct err *git_rev_id(struct git *g, struct arena *a, const char *rev, struct str *out)
{
	unsigned char id[ID_MAX];
	enum object_type type;
	char hex[HEX_MAX];

	TRY(rev_resolve(g, rev, id, &type));
	if (type != OBJECT_COMMIT)
		return err_new(E_BAD_REVISION, "'%s' in '%s' is no commit", rev, g->dir);
	*out = str_dup(a, str_of(id_hex(id, g->id_len, hex)));
	return NULL;
}

struct err *git_rev_merge_base(struct git *g, struct arena *a, const char *one, const char *two,
			       struct str *out)
{
	unsigned char x[ID_MAX], y[ID_MAX], base[ID_MAX];
	const char *args[] = {"merge-base", NULL, NULL, NULL};
	struct str first, second, text, line;
	enum libgit2_base known = LIBGIT2_BASE_UNKNOWN;
	struct os_stat st;
	char hex[HEX_MAX];
	int status;

	*out = STR("");
	TRY(git_rev_id(g, a, one, &first));
	TRY(git_rev_id(g, a, two, &second));
	if (!id_parse(first, x, g->id_len) || !id_parse(second, y, g->id_len))
		BUG("a commit's id is not %u bytes", g->id_len);
	/* In a shallow clone libgit2 leaks memory when it misses the parents of a commit. */
	if (g->libgit2 && !os_stat(os_join(a, g->common, "shallow"), true, &st) &&
	    st.kind == OS_NONE)
		TRY(libgit2_merge_base(g, x, y, base, &known));
	switch (known) {
	case LIBGIT2_BASE_FOUND:
		*out = str_dup(a, str_of(id_hex(base, g->id_len, hex)));
		return NULL;
	case LIBGIT2_BASE_NONE: return NULL;
	case LIBGIT2_BASE_UNKNOWN: break;
	}
	args[1] = str_c(a, first);
	args[2] = str_c(a, second);
	TRY(cli_git_try(g, a, args, STR(""), &text, &status));
	if (status > 1)
		return err_new(E_GIT_FAILED, "find where '%s' and '%s' parted: %.*s", one, two,
			       STR_ARG(str_trim(text)));
	if (!status && str_next_line(&text, &line))
		*out = line;
	return NULL;
}

/* ---- trees ---- */

static struct err *tree_of_commit(struct git *g, const unsigned char *id, struct tree **out)
{
	char hex[HEX_MAX];
	struct commit c;

	TRY(commit_read(g, g->arena, id, &c));
	id_hex(id, g->id_len, hex);
	hex[SHORT_ID] = 0;
	*out = commit_tree_new(g, c.tree, str_fmt(g->arena, "commit %s", hex));
	return NULL;
}

struct err *git_tree_at(struct git *g, const char *rev, struct tree **out)
{
	unsigned char id[ID_MAX];
	enum object_type type;
	char hex[HEX_MAX];

	TRY(rev_resolve(g, rev, id, &type));
	if (type == OBJECT_COMMIT)
		return tree_of_commit(g, id, out);
	if (type != OBJECT_TREE)
		return err_new(E_BAD_REVISION, "'%s' in '%s' is neither a commit nor a tree", rev,
			       g->dir);
	id_hex(id, g->id_len, hex);
	hex[SHORT_ID] = 0;
	*out = commit_tree_new(g, id, str_fmt(g->arena, "tree %s", hex));
	return NULL;
}

struct err *git_tree_head(struct git *g, struct tree **out)
{
	static const char *const symbolic[] = {"symbolic-ref", "--quiet", "HEAD", NULL};
	static const char *const verify[] = {"rev-parse", "--verify", "--quiet", "HEAD", NULL};
	unsigned char id[ID_MAX];
	struct str text;
	int status;

	*out = NULL;
	TRY(git_rev_ref_files_check_regular(g, "HEAD"));
	switch (g->libgit2 ? libgit2_head(g, id) : LIBGIT2_HEAD_UNKNOWN) {
	case LIBGIT2_HEAD_COMMIT: return tree_of_commit(g, id, out);
	case LIBGIT2_HEAD_UNBORN: return head_is_unborn(g, g->arena);
	case LIBGIT2_HEAD_UNKNOWN: break;
	}
	TRY(cli_git_try(g, g->arena, verify, STR(""), &text, &status));
	if (!status && id_parse(str_trim(text), id, g->id_len))
		return tree_of_commit(g, id, out);
	/*
	 * Unborn: HEAD names a branch that does not exist. Every other failure is damage, never "no
	 * base".
	 */
	TRY(cli_git_try(g, g->arena, symbolic, STR(""), &text, &status));
	if (!status) {
		const char *exists[] = {"show-ref", "--quiet", str_c(g->arena, str_trim(text)),
					NULL};

		TRY(cli_git_try(g, g->arena, exists, STR(""), &text, &status));
		if (status == 1)
			return NULL;
	}
	return head_broken_error(g);
}

/* ---- submodules ---- */

static struct err *submodule_missing(struct git *g, const struct tree_file *f)
{
	struct err *e = err_new(E_NO_REPOSITORY, "submodule '%.*s' of '%s' is not checked out",
				STR_ARG(f->path), g->top ? g->top : g->dir);

	return err_help(e, "git submodule update --init -- '%.*s'", STR_ARG(f->path));
}

struct err *git_tree_of_submodule(struct git *g, const struct tree_file *f, struct tree **out)
{
	struct git *sub = NULL;
	struct err *e;

	if (f->kind != TREE_SUBMODULE)
		return err_new(E_BAD_ARGUMENT, "'%.*s' is no submodule", STR_ARG(f->path));
	if (str_has_nul(f->path) || f->id_len != g->id_len)
		return submodule_missing(g, f);
	if (g->top)
		TRY(git_open_exact(
			g->arena,
			str_c(g->arena, str_fmt(g->arena, "%s/%.*s", g->top, STR_ARG(f->path))),
			NULL, &sub));
	/*
	 * Without a checked-out submodule, git keeps the repository here, under this name unless
	 * renamed.
	 */
	if (!sub)
		TRY(git_open_exact(g->arena, NULL,
				   str_c(g->arena, str_fmt(g->arena, "%s/modules/%.*s", g->common,
							   STR_ARG(f->path))),
				   &sub));
	if (!sub || sub->id_len != f->id_len)
		return submodule_missing(g, f);
	e = tree_of_commit(sub, f->id, out);
	if (e && err_reason(e) == E_NO_SUCH_OBJECT) {
		e = err_add_context(e, "submodule '%.*s'", STR_ARG(f->path));
		return err_help(e, "git submodule update --init -- '%.*s'", STR_ARG(f->path));
	}
	return e;
}
