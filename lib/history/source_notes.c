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

/* The base's notes on paths, sorted: a change may pass over a hundred thousand files. */
struct source_past {
	struct strs items;                  /* files of items, at their paths in the base */
	const struct tree_change **renamed; /* by new path */
	size_t renamed_n;
	struct strs noted; /* files for which loading has reported why their rules do not apply */
};

static int source_by_new_path(const void *x, const void *y)
{
	const struct tree_change *a = *(const struct tree_change *const *)x;
	const struct tree_change *b = *(const struct tree_change *const *)y;

	return str_cmp(a->new.path, b->new.path);
}

static void source_past_load(struct arena *a, const struct knowledge *base,
			     const struct tree_changes *changes, const struct check_report *out,
			     struct source_past *past)
{
	past->renamed = arena_array(a, changes->n, sizeof(*past->renamed));
	for (size_t i = 0; i < changes->n; i++)
		if (changes->p[i].has_old && changes->p[i].has_new)
			past->renamed[past->renamed_n++] = &changes->p[i];
	if (past->renamed_n)
		qsort(past->renamed, past->renamed_n, sizeof(*past->renamed), source_by_new_path);
	for (size_t i = 0; i < base->items.n; i++)
		if (base->items.p[i].in_tree)
			strs_push(a, &past->items, base->items.p[i].tree_path);
	strs_sort(&past->items);
	for (size_t i = 0; i < out->notes.n; i++)
		strs_push(a, &past->noted, out->notes.p[i].path);
	strs_sort(&past->noted);
}

static bool was_item(const struct source_past *past, struct str path)
{
	const struct tree_change key = {.new.path = path}, *one = &key, **found = NULL;

	if (past->renamed_n)
		found = bsearch(&one, past->renamed, past->renamed_n, sizeof(*past->renamed),
				source_by_new_path);
	return strs_sorted_has(&past->items, found ? (*found)->old.path : path);
}

/* Whether the name is that of a text that may be meant as a decision, unlike a picture. */
static bool is_document(struct str path)
{
	static const char *const ends[] = {".mdx",  ".markdown", ".mdown", ".mkd", ".rst",
					   ".adoc", ".asciidoc", ".org",   ".txt"};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);

		if (path.n > n && str_ieq(str_sub(path, path.n - n, path.n), str_of(ends[i])))
			return true;
	}
	return false;
}

/*
 * The files that the change itself adds. Links, submodules and broken files have their own notes.
 */
static void note_passed(struct arena *a, const struct sides *s, const struct tree_changes *changes,
			struct check_report *out)
{
	const struct knowledge *now = s->now.knowledge, *base = s->base[0].knowledge;
	struct source_past past = {0};

	source_past_load(a, base, changes, out, &past);
	for (size_t i = 0; i < now->passed.n; i++) {
		const struct kn_passed *p = &now->passed.p[i];
		bool meant;

		if (was_passed(base, p))
			continue;
		meant = p->why == KN_PASSED_NO_ITEM ||
			(p->why == KN_PASSED_NOT_MARKDOWN && is_document(p->path)) ||
			((p->why == KN_PASSED_NAME || p->why == KN_PASSED_NOT_MARKDOWN ||
			  p->why == KN_PASSED_NOT_NAMED) &&
			 p->in_tree && was_item(&past, p->tree_path));
		if (meant && !strs_sorted_has(&past.noted, p->path))
			check_warn(a, out, false, p->path,
				   p->why == KN_PASSED_NO_ITEM ? p->message
							       : str_fmt(a, "it is not read: %.*s",
									 STR_ARG(p->message)));
	}
}

/* For --all: how many files each reason skips, with the first names. */
static void note_all_passed(struct arena *a, const struct knowledge *k, struct check_report *out)
{
	static const enum kn_reason reasons[] = {KN_PASSED_NAME, KN_PASSED_NOT_NAMED,
						 KN_PASSED_NOT_MARKDOWN};

	for (size_t r = 0; r < ARRAY_SIZE(reasons); r++) {
		const struct kn_passed *first = NULL;
		struct strs names = {0};
		size_t n = 0;

		for (size_t i = 0; i < k->passed.n; i++) {
			const struct kn_passed *p = &k->passed.p[i];

			if (p->why != reasons[r] ||
			    (p->why == KN_PASSED_NOT_MARKDOWN && !is_document(p->path)))
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
static struct err *note_default_branch(struct arena *a, const struct judge *j,
				       struct check_report *out)
{
	struct remote_state remote = {0};
	struct strs names = {0};
	struct str branch;
	struct side other = {0};
	struct err *e;

	TRY(bases_remotes(a, j->git, &names, &branch));
	TRY(remote_state_of(a, j->git, &names, &remote));
	if (!remote.default_id.n)
		return NULL;
	other.ref = str_c(a, remote.default_id);
	TRY(git_tree_at(j->git, other.ref, &other.tree));
	e = side_load(a, j, &other);
	if (e) /* The judge reports a branch that it cannot read. */
		return err_code(e) == CODE_INVALID_INPUT || err_code(e) == CODE_NOT_FOUND ? NULL
											  : e;
	if (rulechange_count(other.knowledge))
		check_warn(
			a, out, false, remote.default_ref,
			str_fmt(a,
				"it has %u rule%s, and here is no knowledge at all: nothing is judged",
				rulechange_count(other.knowledge),
				rulechange_count(other.knowledge) == 1 ? "" : "s"));
	return NULL;
}

struct err *note_sources(struct arena *a, const struct judge *j, const struct sides *s,
			 const struct tree_changes *changes, struct check_report *out)
{
	const struct knowledge *now = s->now.knowledge;
	const struct knowledge *base = s->base_n ? s->base[0].knowledge : NULL;

	if (s->everything)
		note_all_passed(a, now, out);
	if (base && base != now)
		note_passed(a, s, &changes[0], out);
	if (base && base->items.n && !now->items.n)
		check_warn(a, out, false, STR("knowledge"),
			   str_fmt(a, "this change takes away all of it: %zu item%s", base->items.n,
				   base->items.n == 1 ? "" : "s"));
	/* Later commits of the branch have this commit as their base, so the note appears once. */
	if (s->first_of_branch && !now->sources)
		TRY(note_default_branch(a, j, out));
	return NULL;
}
