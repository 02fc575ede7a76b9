/*
 * Notes about what a change does to the sources of knowledge: a source without items, a file that
 * is skipped, a tree without any knowledge. Only the change that does it reports it, not every
 * later change.
 */
#include "git/bases.h"
#include "history/sides.h"

#define NAMED_FILES 3 /* files of one reason that --all names */

/* Looks a file up among those that a tree's sources passed over, which are sorted by tree_path. */
static bool was_passed(const struct knowledge *k, const struct kn_passed *p)
{
	size_t low = 0, high = k->passed.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (str_cmp(k->passed.p[mid].tree_path, p->tree_path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < k->passed.n && str_eq(k->passed.p[low].tree_path, p->tree_path); low++)
		if (k->passed.p[low].why == p->why && k->passed.p[low].in_tree == p->in_tree)
			return true;
	return false;
}

/*
 * The files that the change itself adds. Links, submodules and broken files have their own notes.
 */
static void note_passed(const struct sides *s)
{
	const struct knowledge *now = s->now.knowledge, *base = s->base[0].knowledge;
	const struct tree_changes *changes = &s->base[0].changes;
	/*
	 * Sorted, because a change may pass over a hundred thousand files: the files of items by
	 * their paths now, and those for which loading has reported why their rules do not apply.
	 */
	struct strs items = {0}, noted = {0};

	for (size_t i = 0; i < base->items.n; i++)
		if (base->items.p[i].in_tree)
			strs_push(s->a, &items, base->items.p[i].tree_path);
	strs_sort(&items);
	for (size_t i = 0, n = items.n; i < changes->n; i++) {
		const struct tree_change *c = &changes->p[i];
		struct strs was = {.p = items.p, .n = n};

		if (c->has_old && c->has_new && strs_sorted_has(&was, c->old.path))
			strs_push(s->a, &items, c->new.path);
	}
	strs_sort(&items);
	for (size_t i = 0; i < s->out->notes.n; i++)
		strs_push(s->a, &noted, s->out->notes.p[i].path);
	strs_sort(&noted);
	for (size_t i = 0; i < now->passed.n; i++) {
		const struct kn_passed *p = &now->passed.p[i];
		bool other = p->why == KN_PASSED_NOT_MARKDOWN;

		if (was_passed(base, p) || strs_sorted_has(&noted, p->path))
			continue;
		if (p->why == KN_PASSED_NO_ITEM)
			check_warn(s->a, s->out, false, p->path, p->message);
		else if (p->why == KN_PASSED_DOCUMENT ||
			 ((p->why == KN_PASSED_NAME || other || p->why == KN_PASSED_NOT_NAMED) &&
			  p->in_tree && strs_sorted_has(&items, p->tree_path)))
			check_warn(s->a, s->out, false, p->path,
				   str_fmt(s->a, "it is not read: %.*s", STR_ARG(p->message)));
	}
}

/* For --all: how many files each reason skips, with the first names. */
static void note_all_passed(const struct sides *s)
{
	const struct knowledge *k = s->now.knowledge;
	struct check_report *out = s->out;
	struct arena *a = s->a;
	static const enum kn_reason reasons[] = {KN_PASSED_NAME, KN_PASSED_NOT_NAMED};

	for (size_t r = 0; r < ARRAY_SIZE(reasons); r++) {
		const struct kn_passed *first = NULL;
		struct strs names = {0};
		size_t n = 0;

		for (size_t i = 0; i < k->passed.n; i++) {
			const struct kn_passed *p = &k->passed.p[i];

			if (p->why != reasons[r])
				continue;
			first = first ? first : p;
			if (n++ < NAMED_FILES)
				strs_push(a, &names, p->path);
		}
		if (n == 1)
			check_warn(a, out, false, first->path,
				   str_fmt(a, "it is not read: %.*s", STR_ARG(first->message)));
		else if (n)
			check_warn(
				a, out, false, first->path,
				str_fmt(a,
					"%zu files below the sources are not read: %.*s (%.*s%s)",
					n, STR_ARG(first->message),
					STR_ARG(str_join(a, &names, ", ")),
					n > NAMED_FILES ? ", ..." : ""));
	}
}

/*
 * Nothing judges here, although the default branch has rules: an orphan branch, or a branch of
 * another kind.
 */
static struct err *note_default_branch(const struct sides *s)
{
	struct remote_state remote = {0};
	struct strs names = {0};
	struct side other = {0};
	struct str branch;
	struct err *e;
	unsigned n;

	TRY(bases_remotes(s->a, s->judge->git, &names, &branch));
	TRY(remote_state_of(s->a, s->judge->git, &names, &remote));
	if (!remote.default_id.n)
		return NULL;
	other.ref = str_c(s->a, remote.default_id);
	TRY(git_tree_at(s->judge->git, other.ref, &other.tree));
	e = side_load(s->a, s->judge, &other, NULL);
	if (e) /* The judge reports a branch that it cannot read. */
		return err_code(e) == CODE_INVALID_INPUT || err_code(e) == CODE_NOT_FOUND ? NULL
											  : e;
	n = rulechange_count(other.knowledge);
	if (n)
		check_warn(s->a, s->out, false, remote.default_ref,
			   str_fmt(s->a,
				   "it has %u rule%s, and here is no knowledge at all: nothing is "
				   "judged",
				   n, n == 1 ? "" : "s"));
	return NULL;
}

struct err *note_sources(struct sides *s)
{
	const struct knowledge *now = s->now.knowledge;
	const struct knowledge *base = s->base_n ? s->base[0].knowledge : NULL;

	if (s->everything)
		note_all_passed(s);
	if (base && base != now)
		note_passed(s);
	if (base && base->items.n && !now->items.n)
		check_warn(s->a, s->out, false, STR("knowledge"),
			   str_fmt(s->a, "this change takes away all of it: %zu item%s",
				   base->items.n, base->items.n == 1 ? "" : "s"));
	/* Later commits of the branch have this commit as their base, so the note appears once. */
	return s->first_of_branch && !now->sources ? note_default_branch(s) : NULL;
}
