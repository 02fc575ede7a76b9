/*
 * Reads HEAD, and moves its branch: a compare-and-swap under git's own lock files, with lines in
 * the reflogs. libgit2 could do that too, but its lock file would stay after a kill, and then
 * nobody could commit any more.
 */
#include "git/commit_paths.h"
#include "os/os.h"

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

/* ---- reading ---- */

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

struct err *head_is_unborn(struct git *g, struct arena *a)
{
	struct head now;

	TRY(head_native(g, a, &now));
	return now.unborn ? NULL : ref_appeared(now.name);
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

/* ---- moving ---- */

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
		TRY(git_ref_files_check_regular(g));
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
