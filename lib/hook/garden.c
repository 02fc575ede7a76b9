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

/* In a merge, what the other side has was judged when it was committed there. */
static struct err *hook_garden_merged(struct arena *a, struct git *g, struct tree_changes *changes)
{
	struct tree_changes kept = {0};
	struct tree *other;
	struct os_stat st;

	TRY(os_stat(os_join(a, git_dir(g), "MERGE_HEAD"), true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(git_tree_at(g, "MERGE_HEAD", &other));
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

static struct err *hook_garden_judge(struct arena *a, struct git *g, const struct hook_call *c,
				     struct str top, struct garden_judged *out)
{
	struct garden_trees q = {.top = top, .person = true};
	struct tree_changes changes = {0};
	struct err *e;

	TRY(git_tree_head(g, &q.before));
	TRY(git_tree_index(g, &q.now));
	TRY(tree_diff(a, q.before, q.now, &changes));
	TRY(hook_garden_merged(a, g, &changes));
	q.changes = &changes;
	if (!changes.n)
		return NULL;
	TRY(hook_garden_read(a, g, c, &q.rationale));
	e = garden_judge_trees(a, &q, out);
	return e && q.rationale.n ? err_in(e, "judge the garden with the trailer Ikm-Rationale")
				  : e;
}

struct err *hook_garden(struct arena *a, const struct hook_call *c, struct out *err,
			struct hook_outcome *out)
{
	struct garden_judged judged = {0};
	struct str top = STR("");
	struct git *g;
	bool held;

	TRY(git_open(a, NULL, &g));
	TRY(hook_garden_find(a, g, &c->set, &top, &held));
	if (!held)
		return NULL;
	TRY(hook_garden_judge(a, g, c, top, &judged));
	out->judged = true;
	out->passed = !judged.blocked;
	garden_judged_text(err, &judged);
	if (judged.blocked)
		out_puts(err, "ikm: the commit was stopped; your message is kept: git commit -e -F "
			      "\"$(git rev-parse --git-path COMMIT_EDITMSG)\"\n"
			      "  --no-verify skips this hook, and IKM_HOOKS=0 all hooks of ikm\n");
	return NULL;
}
