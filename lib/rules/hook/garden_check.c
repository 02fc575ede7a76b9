/*
 * Judges the files of the garden in a commit, when git has the message: the trailer Ikm-Rationale
 * opens what a person may do, so the judgement cannot be made before. A repository that does not
 * hold the garden costs one reading of the configuration.
 */
#include "hook/internal.h"
#include "history/gardens.h"

#define MESSAGE_MAX ((size_t)1 << 20)

/* ---- the message ---- */

/* The message without comments, and without the diff of `git commit -v` below the scissors. */
static struct str hook_garden_message(struct arena *a, struct str text, struct str comment)
{
	struct buf b = buf_in(a);
	struct str line;

	while (str_next_line(&text, &line)) {
		if (str_starts(line, comment)) {
			if (str_holds(line, "------------------------ >8 -------"))
				break;
			continue;
		}
		buf_put(&b, line);
		buf_putc(&b, '\n');
	}
	return str_trim(buf_as_str(&b));
}

/* ---- the change ---- */

/* The commit that the hook is asked about. */
struct hook_garden {
	struct git *g;
	const struct hook_call *call;
	struct strs tops;
	struct str rationale;
	bool read; /* the rationale was read */
};

/* Judges the index against a commit and, for a merge, its other sides. */
static struct err *hook_garden_judge(struct arena *a, struct hook_garden *h, struct tree *before,
				     const struct strs *sides, struct garden_judged *out)
{
	struct garden_trees q = {.tops = h->tops, .person = true};
	struct err *e;

	TRY(git_tree_index(h->g, &q.now));
	*VEC_PUSH(a, &q.sides) = before;
	for (size_t i = 0; i < sides->n; i++)
		TRY(git_tree_at(h->g, str_c(a, sides->p[i]), VEC_PUSH(a, &q.sides)));
	TRY(garden_judge_trees(a, &q, out));
	if (!out->files && !out->n)
		return NULL;
	if (!h->read) {
		const char *file = h->call->args.n ? str_c(a, h->call->args.p[0])
						   : os_join(a, git_dir(h->g), "COMMIT_EDITMSG");
		const char *set = NULL;
		struct str text, comment;

		/* What begins a comment: of both names git takes the newer one, if it has it. */
		TRY(git_setting(h->g, a, "core.commentString", &set));
		if (!set)
			TRY(git_setting(h->g, a, "core.commentChar", &set));
		comment = set && *set && strcmp(set, "auto") != 0 ? str_of(set) : STR("#");
		TRY(os_read_path(a, file, MESSAGE_MAX, &text));
		h->rationale =
			gardens_rationale_of_message(a, hook_garden_message(a, text, comment));
		h->read = true;
	}
	q.rationale = h->rationale;
	e = q.rationale.n ? garden_judge_trees(a, &q, out) : NULL;
	return e ? err_add_context(e, "judge the garden with the trailer Ikm-Rationale") : NULL;
}

/* *amended: HEAD passes, and what the commit makes of HEAD's parent does not. */
static struct err *hook_garden_change(struct arena *a, struct hook_garden *h,
				      struct garden_judged *out, bool *amended)
{
	struct strs merged = {0}, sides = {0};
	struct garden_judged whole;
	struct tree *before;
	size_t parents;
	bool sure;

	*amended = false;
	TRY(bases_merge_parents(a, h->g, &merged));
	TRY(git_tree_head(h->g, &before));
	TRY(hook_garden_judge(a, h, before, &merged, out));
	if (out->blocked || !before)
		return NULL;
	TRY(bases_is_amend(a, h->g, amended, &sure, &parents));
	*amended = *amended && parents;
	if (!*amended)
		return NULL;
	TRY(git_tree_at(h->g, "HEAD^", &before));
	for (size_t i = 2; i <= parents; i++)
		strs_push(a, &sides, str_fmt(a, "HEAD^%zu", i));
	TRY(hook_garden_judge(a, h, before, &sides, &whole));
	*amended = whole.blocked > 0;
	if (*amended)
		*out = whole;
	return NULL;
}

/* ---- the answer ---- */

struct err *hook_garden(struct arena *a, const struct hook_call *c, struct out *err,
			struct hook_outcome *out)
{
	const char *index = os_env("GIT_INDEX_FILE");
	struct hook_garden h = {.call = c};
	struct garden_judged judged = {0};
	bool amended, plain;

	TRY(git_open(a, NULL, &h.g));
	TRY(gardens_here(a, h.g, &c->set, &h.tops));
	if (!h.tops.n)
		return NULL;
	TRY(hook_garden_change(a, &h, &judged, &amended));
	out->judged = true;
	out->passed = !judged.blocked;
	garden_judged_print(err, &judged);
	if (!judged.blocked)
		return NULL;
	/*
	 * `git commit -a` and `git commit PATH` commit an index of their own, which goes when the
	 * commit is stopped; then only the same command commits the same.
	 */
	plain = !index || str_is(str_base(str_of(index)), "index");
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
	return NULL;
}
