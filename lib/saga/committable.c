/* What the commit of a write would take along, looked at before anything is written. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "garden/text.h"

/* An earlier write of ikm left the content, and Git could not commit it: no edit of a person. */
static struct err *saga_is_own(struct saga *s, struct arena *a, struct str path, struct str content,
			       bool *own)
{
	struct str hash = crypt_content_hash(a, content);
	struct event_list list = {0};

	*own = false;
	TRY(event_unsettled(s->log, a, path, &list));
	for (size_t i = 0; i < list.n && !*own; i++)
		*own = str_eq(list.p[i].after, hash);
	return NULL;
}

static struct err *saga_uncommitted(struct arena *a, const struct garden_ask *q,
				    const struct garden_diagnostic *first)
{
	struct err *e = err_new(
		E_UNCOMMITTED,
		"'%.*s' has an edit that is not committed, and a commit of this change would take "
		"it along though the policy does not allow it: %.*s",
		STR_ARG(q->path), STR_ARG(garden_diagnostic_text(a, first)));
	err_detail(e, "path", q->path);
	err_detail(e, "rule", str_of(garden_rules[first->rule].id));
	if (first->line)
		err_detail_int(e, "line", (int64_t)first->line);
	return err_help(
		e,
		"a person decides: git diff HEAD -- '%.*s' shows it; take it back in the "
		"file%s",
		STR_ARG(q->path),
		garden_rules[first->rule].force == GARDEN_FORCE_NEVER
			? ""
			: ", or commit it with a line 'Ikm-Rationale: WHY' at the end of the "
			  "message");
}

/*
 * The commit goes from HEAD to the new content, and the policy has judged the step from the file
 * alone. So what a person has edited since is judged as a commit of that person.
 */
static struct err *saga_judge_head(struct saga *s, struct arena *a, const struct garden_ask *q,
				   struct str path, struct str stored)
{
	struct garden_ask person = {.path = q->path, .after = stored, .person = true};
	struct garden_diagnostics found;
	struct str was;
	bool own;

	if (!q->before.p || s->maintainer)
		return NULL;
	TRY(git_stored(s->own->git, a, path, q->before, &was));
	TRY(git_head_file(s->own->git, a, path, &person.before));
	if (person.before.p && str_eq(person.before, was))
		return NULL;
	TRY(saga_is_own(s, a, path, q->before, &own));
	if (own)
		return NULL;
	TRY(garden_policy(a, &person, &found));
	for (size_t i = 0; i < found.n; i++)
		if (found.p[i].blocks)
			return saga_uncommitted(a, q, &found.p[i]);
	return NULL;
}

/* The file is what HEAD has. */
static struct err *saga_is_head(struct saga *s, struct arena *a, const struct garden_ask *q,
				struct str path, bool *is)
{
	struct str stored = {0}, head;

	if (q->before.p)
		TRY(git_stored(s->own->git, a, path, q->before, &stored));
	TRY(git_head_file(s->own->git, a, path, &head));
	*is = stored.p && head.p && str_eq(stored, head);
	return NULL;
}

/* What a commit changed, from the top of the repository. */
static struct err *saga_commit_paths(struct saga *s, struct arena *a, struct str commit,
				     struct strs *paths)
{
	struct str parent = str_fmt(a, "%.*s^", STR_ARG(commit)), id;
	struct tree *before = NULL, *after;
	struct tree_changes changes;

	TRY(git_tree_at(s->own->git, str_c(a, commit), &after));
	/* The first commit has none. */
	if (!git_rev_id(s->own->git, a, str_c(a, parent), &id))
		TRY(git_tree_at(s->own->git, str_c(a, id), &before));
	TRY(tree_diff(a, before, after, &changes));
	for (size_t i = 0; i < changes.n; i++)
		strs_push(a, paths,
			  changes.p[i].has_new ? changes.p[i].new.path : changes.p[i].old.path);
	return NULL;
}

/*
 * A `git commit` at the same moment can write back the index entry that an earlier write had moved.
 * That is no content which somebody staged: the file is what HEAD has, the entry what it was before
 * ikm's commit. The history copy of that commit moves with it.
 */
static struct err *saga_is_free(struct saga *s, struct arena *a, const struct garden_ask *q,
				struct str path)
{
	struct err *e = git_path_is_free(s->own->git, a, path);
	struct strs paths = {0};
	bool is, behind;
	struct str commit;
	size_t moved;

	if (!e || err_reason(e) != E_STAGED)
		return e;
	TRY(saga_is_head(s, a, q, path, &is));
	if (!is)
		return git_path_is_free(s->own->git, a, path);
	TRY(git_index_is_behind(s->own->git, a, path, STR("Ikm-Event"), &behind, &commit));
	if (!behind)
		return git_path_is_free(s->own->git, a, path);
	if (s->own->dry)
		return NULL;
	TRY(saga_commit_paths(s, a, commit, &paths));
	TRY(git_commit_index_again(s->own->git, a, str_c(a, commit), paths.p, paths.n, &moved));
	return git_path_is_free(s->own->git, a, path);
}

struct err *saga_committable(struct saga *s, struct arena *a, const struct garden_ask *q)
{
	struct str path = str_of(os_join(a, s->own->real, str_c(a, q->path)));
	struct str stored, copy;

	TRY(saga_git(s));
	TRY(saga_is_free(s, a, q, path));
	/* A file that goes needs no conversion. */
	if (!q->after.p)
		return NULL;
	TRY(git_stored(s->own->git, a, path, q->after, &stored));
	if (q->before.p && saga_copies(q->path)) {
		copy = garden_text_history(a, path, q->before, os_now());
		TRY(git_stored(s->own->git, a, copy, q->before, &copy));
	}
	return saga_judge_head(s, a, q, path, stored);
}
