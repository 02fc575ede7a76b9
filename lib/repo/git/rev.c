/*
 * Reads HEAD, resolves names of commits, opens trees by name, and moves the branch of HEAD: a
 * compare-and-swap under git's own lock files, with lines in the reflogs. libgit2 could do that
 * too, but its lock file would stay after a kill, and then nobody could commit any more.
 */
#include "git/commit_paths.h"
#include "os/os.h"

#define SHORT_ID       7
#define SHALLOW_MAX    ((size_t)64 << 20)
#define HEAD_LINKS     5 /* symbolic references in a row, as in git */
#define REF_PACKED_MAX ((size_t)256 << 20)

/* HEAD itself and references of one worktree lie in the worktree's own folder. */
static const char *ref_folder(const struct git *g, const char *name)
{
	static const struct str own[] = {STR_INIT("refs/worktree/"), STR_INIT("refs/bisect/"),
					 STR_INIT("refs/rewritten/")};
	bool mine = str_find_char(str_of(name), '/', 0) == SIZE_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		mine = mine || str_starts(str_of(name), own[i]);
	return mine ? g->dir : g->common;
}

/* ---- HEAD ---- */

static struct err *ref_appeared(const char *name)
{
	return err_new(E_CHANGED, "the reference '%s' was not found, and now it is there", name);
}

struct err *ref_confirm_missing(struct git *g, const char *name)
{
	struct arena *a ARENA_LOCAL = arena_new();
	const char *loose = os_join(a, ref_folder(g, name), name);
	struct os_stat st;
	struct str text;
	struct err *e;

	TRY(os_stat(loose, false, &st));
	if (st.kind == OS_FILE) {
		TRY(os_read_path(a, loose, OS_PATH_MAX, &text));
		/* It names another, which is missing. */
		return str_starts(text, STR("ref:")) ? NULL : ref_appeared(name);
	}
	e = os_read_path(a, os_join(a, g->common, "packed-refs"), REF_PACKED_MAX, &text);
	if (e)
		return err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
	return str_find(text, str_fmt(a, " %s\n", name), 0) == SIZE_MAX ? NULL : ref_appeared(name);
}

static struct err *head_by_git(struct git *g, struct arena *a, struct head *out)
{
	static const char *const symbolic[] = {"symbolic-ref", "--quiet", "HEAD", NULL};
	const char *verify[] = {"rev-parse", "--verify", "--quiet", NULL, NULL};
	struct str text;
	int status;

	out->name = "HEAD";
	TRY(cli_git_try(g, a, symbolic, STR(""), &text, &status));
	if (!status)
		out->name = str_c(a, str_trim(text));
	verify[3] = out->name;
	TRY(cli_git_try(g, a, verify, STR(""), &text, &status));
	out->unborn = status;
	if (status > 1 || (!status && !id_parse(str_trim(text), out->id, g->id_len)))
		return err_new(E_GIT_FAILED, "git rev-parse %s: %s", out->name,
			       str_c(a, cli_git_message_line(a, text)));
	return NULL;
}

static struct err *head_native(struct git *g, struct arena *a, struct head *out)
{
	const char *target = "HEAD";
	bool found;

	for (int i = 0; target; i++) {
		if (i > HEAD_LINKS)
			return err_new(E_GIT_CORRUPT, "HEAD of '%s' leads in a circle", g->dir);
		out->name = target;
		TRY(libgit2_ref_target(g, a, out->name, &target));
	}
	TRY(libgit2_ref_id(g, out->name, out->id, &found));
	out->unborn = !found;
	return NULL;
}

/* GIT_CORRUPT: HEAD names neither a commit nor a branch. */
static struct err *head_broken_error(const struct git *g)
{
	return err_help(err_help(err_new(E_GIT_CORRUPT, "HEAD of '%s' names no commit", g->dir),
				 "see why: git fsck; git log -1"),
			"to put it on a branch that exists: git symbolic-ref HEAD "
			"refs/heads/BRANCH; 'git branch -a' lists the branches");
}

struct err *head_read(struct git *g, struct arena *a, struct head *out)
{
	struct commit c;

	*out = (struct head){0};
	TRY(put_can_use_libgit2(g, a) ? head_native(g, a, out) : head_by_git(g, a, out));
	if (out->unborn && !strcmp(out->name, "HEAD"))
		return head_broken_error(g);
	if (out->unborn)
		return NULL;
	TRY(commit_read(g, a, out->id, &c));
	memcpy(out->tree, c.tree, sizeof(out->tree));
	return NULL;
}

/* ---- revisions ---- */

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
		if (libgit2_refs(g, a, out))
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
	*out = commit_tree_new(
		g, c.tree, str_fmt(g->arena, "commit %.*s", SHORT_ID, id_hex(id, g->id_len, hex)));
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
	*out = commit_tree_new(
		g, id, str_fmt(g->arena, "tree %.*s", SHORT_ID, id_hex(id, g->id_len, hex)));
	return NULL;
}

struct err *git_tree_head(struct git *g, struct tree **out)
{
	static const char *const symbolic[] = {"symbolic-ref", "--quiet", "HEAD", NULL};
	static const char *const verify[] = {"rev-parse", "--verify", "--quiet", "HEAD", NULL};
	unsigned char id[ID_MAX];
	struct str text;
	struct head now;
	int status;

	*out = NULL;
	TRY(git_rev_ref_files_check_regular(g, "HEAD"));
	switch (g->libgit2 ? libgit2_head(g, id) : LIBGIT2_HEAD_UNKNOWN) {
	case LIBGIT2_HEAD_COMMIT: return tree_of_commit(g, id, out);
	case LIBGIT2_HEAD_UNBORN:
		TRY(head_native(g, g->arena, &now));
		return now.unborn ? NULL : ref_appeared(now.name);
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

/* ---- moving the branch ---- */

/* Is HEAD still what it was? */
static struct err *head_compare(const struct git *g, const struct head *h, const struct head *now)
{
	if (!strcmp(now->name, h->name) && now->unborn == h->unborn &&
	    (h->unborn || id_eq(now->id, h->id, g->id_len)))
		return NULL;
	return err_new(E_CHANGED, "somebody else moved '%s' at the same time", h->name);
}

struct ref_log {
	const char *path;
	int64_t size; /* before the line; -1: no line was written */
};

/* git writes a log that exists, and makes one unless core.logAllRefUpdates forbids it. */
static struct err *ref_log_add(struct git *g, struct arena *a, const char *name, struct str line,
			       struct ref_log *out)
{
	const char *all = NULL;
	bool make;

	out->path = os_join(a, os_join(a, ref_folder(g, name), "logs"), name);
	TRY(git_setting(g, a, "core.logAllRefUpdates", &all));
	make = !all || str_ieq(str_of(all), STR("always")) || config_bool(all, true);
	if (make)
		TRY(os_mkdirs(str_parent(a, out->path), 0777));
	return os_append(out->path, line, make, &out->size);
}

static struct err *head_put(struct git *g, struct arena *a, const struct head *h, struct str line,
			    struct os_lock_file *l, const char *hex)
{
	const char *const names[] = {"HEAD", h->name};
	struct ref_log logs[2] = {{.size = -1}, {.size = -1}};
	struct err *e = NULL;

	for (size_t i = 0; !e && i < (strcmp(h->name, "HEAD") ? 2u : 1u); i++)
		e = ref_log_add(g, a, names[i], line, &logs[i]);
	if (!e)
		e = os_lock_file_replace(l, str_fmt(a, "%s\n", hex), false);
	for (size_t i = 0; e && i < 2; i++)
		os_cut(logs[i].path, logs[i].size);
	return e;
}

static struct err *head_lock_branch(struct git *g, struct arena *a, const struct head *h,
				    unsigned timeout_ms, struct os_lock_file **out)
{
	const char *path = os_join(a, ref_folder(g, h->name), h->name);
	struct os_stat st;

	if (h->unborn) {
		struct strs refs = {0};

		/* A reference "a" excludes "a/b", and the other way round. */
		TRY(libgit2_refs(g, a, &refs));
		for (size_t i = 0; i < refs.n; i++) {
			struct str one = refs.p[i], two = str_of(h->name);
			struct str shorter = one.n < two.n ? one : two,
				   longer = one.n < two.n ? two : one;

			if (shorter.n < longer.n && longer.p[shorter.n] == '/' &&
			    str_starts(longer, shorter))
				return err_help(
					err_new(E_GIT_FAILED,
						"the branch '%s' cannot be made: '%.*s' exists",
						h->name, STR_ARG(one)),
					"git switch -c ANOTHER-NAME");
		}
	}
	TRY(os_mkdirs(str_parent(a, path), 0777));
	TRY(os_stat(path, false, &st));
	/* An empty folder, which a deleted branch below this name left. */
	if (st.kind == OS_DIR)
		TRY(os_remove(path));
	/* git takes every file below refs/ for a reference, so no temporary file there. */
	return os_git_lock_file(a, path, g->common, timeout_ms, out);
}

static struct err *head_move_native(struct git *g, struct arena *a, const struct head *h,
				    const char *hex, struct str line, unsigned timeout_ms)
{
	const char *head = os_join(a, g->dir, "HEAD");
	struct os_lock_file *own, *branch;
	struct err *e = NULL;
	struct head now;

	/* git too locks HEAD for a line in its log. */
	TRY(os_git_lock_file(a, head, NULL, timeout_ms, &own));
	branch = own;
	if (strcmp(h->name, "HEAD"))
		e = head_lock_branch(g, a, h, timeout_ms, &branch);
	if (!e)
		e = head_native(g, a, &now);
	if (!e)
		e = head_compare(g, h, &now);
	if (!e)
		e = head_put(g, a, h, line, branch, hex);
	os_unlock_file(branch);
	os_unlock_file(own);
	return e;
}

static struct err *head_move_by_git(struct git *g, struct arena *a, const struct head *h,
				    const char *hex, struct str who, struct str message)
{
	size_t open = str_rfind_char(who, '<'), close = str_rfind_char(who, '>');
	char old[HEX_MAX];
	const char *const args[] = {"update-ref", "-m", str_c(a, message),
				    "HEAD",       hex,  id_hex(h->id, g->id_len, old),
				    NULL};
	const char *const env[] = {
		str_fmt(a, "GIT_COMMITTER_NAME=%.*s", (int)open - 1, who.p).p,
		str_fmt(a, "GIT_COMMITTER_EMAIL=%.*s", (int)(close - open - 1), who.p + open + 1).p,
		str_fmt(a, "GIT_COMMITTER_DATE=%.*s", (int)(who.n - close - 2), who.p + close + 2)
			.p,
		NULL};
	struct head now;
	struct str out;
	struct err *e = put_by_git(g, a, args, env, STR(""), &out);

	if (!e)
		return NULL;
	TRY(head_read(g, a, &now));
	TRY(head_compare(g, h, &now));
	return e;
}

void head_remove_stale_locks(struct git *g, struct arena *a, const struct head *h)
{
	os_lock_file_remove_stale(os_join(a, g->dir, "HEAD"));
	os_lock_file_remove_stale(os_join(a, ref_folder(g, h->name), h->name));
}

struct err *head_update_branch(struct git *g, struct arena *a, const struct head *h,
			       const unsigned char *id, struct str who, struct str message,
			       unsigned timeout_ms)
{
	char old[HEX_MAX], new[HEX_MAX];
	struct os_stat st;
	struct str line;

	id_hex(h->id, g->id_len, old);
	id_hex(id, g->id_len, new);
	line = str_fmt(a, "%s %s %.*s\t%.*s\n", old, new, STR_ARG(who), STR_ARG(message));
	TRY(os_stat(os_join(a, g->dir, "HEAD"), false, &st));
	/* Old gits made HEAD a link to the branch. */
	return put_can_use_libgit2(g, a) && st.kind == OS_FILE
		       ? head_move_native(g, a, h, new, line, timeout_ms)
		       : head_move_by_git(g, a, h, new, who, message);
}
