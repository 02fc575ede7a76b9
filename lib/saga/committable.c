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
				    const struct garden_diagnostics *found)
{
	const struct garden_diagnostic *first = NULL;
	struct err *e;

	for (size_t i = found->n; i--;)
		if (found->p[i].blocks)
			first = &found->p[i];
	e = err_new(
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
	return garden_blocks(&found) ? saga_uncommitted(a, q, &found) : NULL;
}

struct err *saga_committable(struct saga *s, struct arena *a, const struct garden_ask *q)
{
	struct str path = str_of(os_join(a, s->own->real, str_c(a, q->path)));
	struct str stored, copy;

	TRY(saga_git(s));
	TRY(git_path_is_free(s->own->git, a, path));
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
