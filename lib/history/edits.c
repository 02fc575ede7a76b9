/* Judges what an edit would introduce, before it is made. */
#include "history/sides.h"

struct err *judge_disk(struct arena *a, struct git *g, struct tree **out)
{
	struct tree_dir_options o = {.ignore = true};

	TRY(git_excludes(g, &o.excludes, &o.excludes));
	return tree_dir(a, git_top(g), &o, out);
}

/* The edit's files alone, before or after. */
static struct tree *edit_files(struct arena *a, const struct judge_edits *edits, bool after,
			       struct strs *gone)
{
	struct tree_mem_file *files = arena_array(a, edits->n, sizeof(*files));
	size_t n = 0;

	for (size_t i = 0; i < edits->n; i++) {
		const struct judge_edit *e = &edits->p[i];
		struct str content = after ? e->now : e->was;

		if (content.p)
			files[n++] = (struct tree_mem_file){e->path, content, e->kind};
		else
			strs_push(a, gone, e->path);
	}
	return tree_mem(a, STR("the working tree"), files, n);
}

struct err *judge_edits(struct arena *a, const struct judge *j, const struct judge_edits *edits,
			struct check_report *out)
{
	/* One file is judged sooner than a thread starts. */
	struct check_input in = {.deps = edits->deps, .deps_n = edits->deps_n, .threads = 1};
	struct side base[2] = {{.decides = true}, {.ref = "HEAD"}};
	struct sides s = {.base = base, .base_n = 1};
	struct strs was_gone = {0}, now_gone = {0};
	struct tree_changes changes = {0};
	struct tree *disk, *was, *now;

	TRY(judge_disk(a, j->git, &disk));
	was = edit_files(a, edits, false, &was_gone);
	now = edit_files(a, edits, true, &now_gone);
	TRY(tree_diff(a, was, now, &changes));
	TRY(tree_find_renames(a, was, now, 0, &changes));
	base[0].tree = in.base = tree_overlay(a, disk, was, &was_gone);
	s.now.tree = in.now = tree_overlay(a, disk, now, &now_gone);
	in.changes = &changes;
	TRY(git_tree_head(j->git, &base[1].tree));
	s.base_n += base[1].tree != NULL;
	return sides_judge_edit(a, j, &s, &changes, &in, out);
}
