/*
 * Judges the files of the garden in a commit, when git has the message: the trailer Ikm-Rationale
 * opens what a person may do, so the judgement cannot be made before. A repository that does not
 * hold the garden costs one reading of the configuration.
 */
#include "hook/internal.h"
#include "lint/garden_trees.h"

#define RATIONALE   STR("Ikm-Rationale:")
#define MESSAGE_MAX ((size_t)1 << 20)

/* ---- where the garden is ---- */

/* Whether the place is the folder or below it; then *top is the rest of its path. */
static bool hook_garden_below(struct str place, struct str folder, struct str *top)
{
	*top = str_sub(place, size_min(place.n, folder.n + (folder.n > 1)), place.n);
	return str_eq(place, folder) ||
	       (str_starts(place, folder) && (folder.n == 1 || place.p[folder.n] == '/'));
}

/*
 * The garden may stand in another working tree of the same repository (git worktree): its files
 * have the same paths here, and the commits of each tree reach the others.
 */
static struct err *hook_garden_linked(struct arena *a, const struct git *g, struct str place,
				      struct str *top, bool *held)
{
	const char *mine, *other;
	struct str folder = place;
	struct os_stat st;
	struct git *garden;
	struct err *e;

	/* Only a repository with linked working trees has this folder. */
	TRY(os_stat(os_join(a, git_common_dir(g), "worktrees"), true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	/* The folder of the garden goes with its last file. */
	for (;;) {
		size_t slash = str_rfind_char(folder, '/');

		TRY(os_stat(str_c(a, folder), true, &st));
		if (st.kind == OS_DIR || slash == SIZE_MAX || !slash)
			break;
		folder = str_sub(folder, 0, slash);
	}
	e = git_open(a, str_c(a, folder), &garden);
	if (e && err_reason(e) == E_NO_REPOSITORY)
		return NULL;
	TRY(e);
	TRY(os_realpath(a, git_common_dir(g), &mine));
	TRY(os_realpath(a, git_common_dir(garden), &other));
	if (git_is_bare(garden) || strcmp(mine, other) != 0)
		return NULL;
	*held = hook_garden_below(place, str_of(git_top(garden)), top);
	return NULL;
}

struct err *hook_garden_find(struct arena *a, const struct git *g, const struct strs *set,
			     struct str *top, bool *held)
{
	struct conf_input in = {.args = set ? *set : (struct strs){0}};
	const char *home = os_ikigai_home(a), *path, *real;
	struct str place, repo = str_of(git_top(g));
	struct conf *conf;

	*held = false;
	if (git_is_bare(g))
		return NULL;
	TRY(conf_load(a, &in, &conf));
	path = conf->garden_path.n ? str_c(a, conf->garden_path)
	       : home              ? os_join(a, home, "garden")
				   : NULL;
	if (!path)
		return NULL;
	/* `git rm` of its last file takes the folder away too. */
	place = str_of(os_realpath(a, path, &real) ? path : real);
	*held = hook_garden_below(place, repo, top);
	return *held ? NULL : hook_garden_linked(a, g, place, top, held);
}

/* ---- the message ---- */

/* The message without comments, and without the diff of `git commit -v` below the scissors. */
static struct str hook_garden_message(struct arena *a, struct str text, char comment)
{
	struct buf b = buf_in(a);
	struct str line;

	while (str_line(&text, &line)) {
		if (line.n && line.p[0] == comment) {
			if (str_find(line, STR("------------------------ >8 -------"), 0) !=
			    SIZE_MAX)
				break;
			continue;
		}
		buf_put(&b, str_trim(line));
		buf_putc(&b, '\n');
	}
	return str_trim(buf_str(&b));
}

/* The last trailer of the last paragraph; empty: none. A message has a subject before it. */
static struct str hook_garden_rationale(struct str message)
{
	struct str line, found = STR("");
	size_t at = SIZE_MAX, next = 0;

	while ((next = str_find(message, STR("\n\n"), next)) != SIZE_MAX)
		at = next += 2;
	message = at == SIZE_MAX ? STR("") : str_sub(message, at, message.n);
	while (str_line(&message, &line))
		if (str_ieq(str_sub(line, 0, RATIONALE.n), RATIONALE))
			found = str_trim(str_sub(line, RATIONALE.n, line.n));
	return found;
}

static struct err *hook_garden_read(struct arena *a, struct git *g, const struct hook_call *c,
				    struct str *rationale)
{
	const char *file =
		c->args.n ? str_c(a, c->args.p[0]) : os_join(a, git_dir(g), "COMMIT_EDITMSG");
	const char *comment = NULL;
	struct str text;

	TRY(git_setting(g, a, "core.commentChar", &comment));
	TRY(os_read(a, file, MESSAGE_MAX, &text));
	text = hook_garden_message(a, text,
				   comment && comment[0] && !comment[1] ? comment[0] : '#');
	*rationale = hook_garden_rationale(text);
	return NULL;
}

/* ---- the change ---- */

/* What the other side of a merge has was judged when it was committed there. */
static struct err *hook_garden_merged(struct arena *a, struct git *g, const char *side,
				      struct tree_changes *changes)
{
	struct tree_changes kept = {0};
	struct tree *other;

	TRY(git_tree_at(g, side, &other));
	for (size_t i = 0; i < changes->n; i++) {
		const struct tree_change *c = &changes->p[i];
		struct tree_file f;
		bool there;

		TRY(tree_find(other, c->has_new ? c->new.path : c->old.path, &f, &there));
		if (there != c->has_new ||
		    (there && (f.kind != c->new.kind || f.id_len != c->new.id_len ||
			       memcmp(f.id, c->new.id, f.id_len) != 0)))
			*VEC_PUSH(a, &kept) = *c;
	}
	*changes = kept;
	return NULL;
}

static struct err *hook_garden_has(struct arena *a, const struct git *g, const char *file,
				   bool *out)
{
	struct os_stat st;

	TRY(os_stat(os_join(a, git_dir(g), file), true, &st));
	*out = st.kind != OS_NONE;
	return NULL;
}

/*
 * git tells no hook that a commit replaces HEAD. It gives the hooks the author, with a time of one
 * second: `git commit --amend` takes both from HEAD. So do two commits in one second, and then both
 * are judged; --reset-author and --date hide an amend. *parents: the number of HEAD's parents.
 */
static struct err *hook_garden_amends(struct arena *a, struct git *g, bool *out, size_t *parents)
{
	static const char *const args[] = {"cat-file", "commit", "HEAD", NULL};
	const char *name = os_env("GIT_AUTHOR_NAME"), *email = os_env("GIT_AUTHOR_EMAIL"),
		   *date = os_env("GIT_AUTHOR_DATE");
	struct str text, line, author;
	bool merge, pick;

	*out = false;
	*parents = 0;
	TRY(hook_garden_has(a, g, "MERGE_HEAD", &merge));
	TRY(hook_garden_has(a, g, "CHERRY_PICK_HEAD", &pick));
	/* git amends nothing then. */
	if (merge || pick || !name || !email || !date)
		return NULL;
	author = str_fmt(a, "author %s <%s> %s", name, email, date + (date[0] == '@'));
	TRY(git_run(g, a, args, STR(""), &text));
	while (str_line(&text, &line) && line.n) {
		*parents += str_starts(line, STR("parent "));
		*out = *out || str_eq(line, author);
	}
	return NULL;
}

/* Judges the index against a commit. side: the other side of the merge that the change is part of,
 * or NULL. */
static struct err *hook_garden_judge(struct arena *a, struct git *g, const struct hook_call *c,
				     struct garden_trees *q, const char *side,
				     struct garden_judged *out)
{
	struct tree_changes changes = {0};
	struct err *e;

	*out = (struct garden_judged){0};
	TRY(tree_diff(a, q->before, q->now, &changes));
	if (side)
		TRY(hook_garden_merged(a, g, side, &changes));
	if (!changes.n)
		return NULL;
	TRY(hook_garden_read(a, g, c, &q->rationale));
	q->changes = &changes;
	e = garden_judge_trees(a, q, out);
	return e && q->rationale.n ? err_in(e, "judge the garden with the trailer Ikm-Rationale")
				   : e;
}

/* *amended: HEAD passes, and what the commit makes of HEAD's parent does not. */
static struct err *hook_garden_change(struct arena *a, struct git *g, const struct hook_call *c,
				      struct str top, struct garden_judged *out, bool *amended)
{
	struct garden_trees q = {.top = top, .person = true};
	struct garden_judged whole;
	size_t parents;
	bool merge;

	*amended = false;
	TRY(hook_garden_has(a, g, "MERGE_HEAD", &merge));
	TRY(git_tree_head(g, &q.before));
	TRY(git_tree_index(g, &q.now));
	TRY(hook_garden_judge(a, g, c, &q, merge ? "MERGE_HEAD" : NULL, out));
	if (out->blocked || !q.before)
		return NULL;
	TRY(hook_garden_amends(a, g, amended, &parents));
	*amended = *amended && parents;
	if (!*amended)
		return NULL;
	TRY(git_tree_at(g, "HEAD^", &q.before));
	TRY(hook_garden_judge(a, g, c, &q, parents > 1 ? "HEAD^2" : NULL, &whole));
	*amended = whole.blocked > 0;
	if (*amended)
		*out = whole;
	return NULL;
}

/* ---- the answer ---- */

/*
 * `git commit -a` and `git commit PATH` commit an index of their own, which goes when the commit is
 * stopped; then only the same command commits the same.
 */
static void hook_garden_next(struct out *err, bool amended)
{
	const char *index = os_env("GIT_INDEX_FILE");
	struct str name = str_of(index ? index : "index");
	size_t slash = str_rfind_char(name, '/');
	bool plain = str_is(slash == SIZE_MAX ? name : str_sub(name, slash + 1, name.n), "index");

	if (amended)
		out_puts(err, "ikm: author and time are those of HEAD, so this is judged as git "
			      "commit --amend: what HEAD changed counts too;\n"
			      "  if it is a new commit, wait a second and run it again\n");
	out_puts(err, "ikm: the commit was stopped; your message is kept: ");
	out_puts(err,
		 plain && !amended
			 ? "git commit -v -e -F "
			 : "run the same git commit again, in place of -m or -F with\n  -v -e -F ");
	out_puts(err, "\"$(git rev-parse --git-path COMMIT_EDITMSG)\"\n"
		      "  --no-verify skips this hook, and IKM_HOOKS=0 all hooks of ikm\n");
}

struct err *hook_garden(struct arena *a, const struct hook_call *c, struct out *err,
			struct hook_outcome *out)
{
	struct garden_judged judged = {0};
	struct str top = STR("");
	bool held, amended;
	struct git *g;

	TRY(git_open(a, NULL, &g));
	TRY(hook_garden_find(a, g, &c->set, &top, &held));
	if (!held)
		return NULL;
	TRY(hook_garden_change(a, g, c, top, &judged, &amended));
	out->judged = true;
	out->passed = !judged.blocked;
	garden_judged_text(err, &judged);
	if (judged.blocked)
		hook_garden_next(err, amended);
	return NULL;
}
