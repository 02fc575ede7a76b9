/*
 * Two texts, split at the first 0xFF, as a change of a garden file, whose kind comes from the size.
 * An unchanged text never blocks, a change that does not block keeps every anchor, what --fix makes
 * does not block, and --fix makes no change, and no new file, worse than it was.
 */
#include "garden/garden.h"
#include "md/md.h"

static const char *const paths[] = {
	"users/ada/overview.md",
	"users/ada/parts/p1/profile.md",
	"users/ada/relationships/r1/profile.md",
	"users/ada/notes.md",
};

static void places_check(struct str text, const struct garden_diagnostics *d)
{
	size_t lines = 1;

	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n' || text.p[i] == '\r';
	for (size_t i = 0; i < d->n; i++)
		if (d->p[i].line > lines || !d->p[i].message.n || !str_is_utf8(d->p[i].message) ||
		    !str_is_utf8(d->p[i].fix))
			BUG("diagnostic %zu: line %zu of %zu", i, d->p[i].line, lines);
}

static struct garden_diagnostics judge(struct arena *a, const char *path, struct str before,
				       struct str after)
{
	const struct garden_ask q = {.path = str_of(path), .before = before, .after = after};
	struct garden_diagnostics d = {0};

	if (garden_judge_change(a, &q, &d))
		BUG("the policy fails");
	places_check(after, &d);
	return d;
}

static void anchors_check(struct arena *a, struct str before, struct str after)
{
	struct md_anchors old, new;

	if (!str_is_text(before) || !str_is_text(after) || md_hidden_anchors(a, before, &old) ||
	    md_hidden_anchors(a, after, &new))
		return;
	for (size_t i = 0; i < old.n && i < 64; i++) {
		bool kept = false;

		for (size_t k = 0; k < new.n && !kept; k++)
			kept = str_eq(old.p[i].name, new.p[k].name);
		if (!kept)
			BUG("the anchor '%.*s' was lost", STR_ARG(old.p[i].name));
	}
}

/* What the policy accepts without the fix, it accepts with it. before.p NULL: a new file. */
static void fixed_check(struct arena *a, const char *path, struct str before, struct str after,
			struct str fixed)
{
	struct garden_diagnostics d = judge(a, path, before, after);

	if (garden_diagnostics_any_blocks(&d))
		return;
	d = judge(a, path, before, fixed);
	for (size_t i = 0; i < d.n; i++)
		if (d.p[i].blocks)
			BUG("%s: a fix makes %s of what was accepted: %.*s", path,
			    before.p ? "a blocked change" : "a blocked file",
			    STR_ARG(d.p[i].message));
}

/* The texts in other places, for other people, and as new or removed files. */
static void others_check(struct arena *a, struct str before, struct str after, size_t bits)
{
	static const char *const places[] = {
		"users/ada/parts/p1/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md",
		"users/ada/parts/p1/history/x.md",
		"users/ada/parts/con/profile.md",
		"users/ada/parts/p1/profile.md",
	};
	const struct str none = {0};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct garden_ask q = {.path = str_of(places[i]),
					     .before = bits & 1 ? before : none,
					     .after = bits & 2 ? after : none,
					     .user = bits & 4 ? STR("bob") : STR("ada"),
					     .rationale = bits & 8 ? STR("why") : STR(""),
					     .person = bits & 16,
					     .maintainer = bits & 32};
		struct garden_diagnostics d;

		if (garden_judge_change(a, &q, &d))
			BUG("the policy fails");
		if (q.after.p)
			places_check(after, &d);
		garden_lint_text(a, q.path, after, &d);
		places_check(after, &d);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	size_t cut = str_find_char(text, '\xff', 0);
	struct str before = str_sub(text, 0, cut),
		   after = str_sub(text, size_min(cut + 1, size), size);
	struct arena *a = arena_new();
	struct garden_diagnostics d;
	const char *path = paths[size % ARRAY_SIZE(paths)];
	struct garden_edits edits;
	struct str fixed;

	if (cut == SIZE_MAX)
		after = before;
	before.p = before.n ? before.p : "";
	after.p = after.n ? after.p : "";
	d = judge(a, path, before, before);
	if (garden_diagnostics_any_blocks(&d))
		BUG("%s: nothing changes, and it blocks: %.*s", path, STR_ARG(d.p[0].message));
	d = judge(a, path, before, after);
	if (!garden_diagnostics_any_blocks(&d))
		anchors_check(a, before, after);
	garden_lint_text(a, str_of(path), after, &d);
	places_check(after, &d);
	garden_fix(a, str_of(path), after, &edits);
	fixed = garden_edits_apply(a, after, &edits);
	d = judge(a, path, after, fixed);
	if (garden_diagnostics_any_blocks(&d))
		BUG("%s: a fix blocks: %.*s", path, STR_ARG(d.p[0].message));
	fixed_check(a, path, before, after, fixed);
	fixed_check(a, path, (struct str){0}, after, fixed);
	garden_fix(a, str_of(path), fixed, &edits);
	others_check(a, before, after, size / ARRAY_SIZE(paths));
	if (edits.n)
		BUG("%s: a fix of a fixed text changes byte %zu", path, edits.p[0].at.from);
	arena_free(a);
	return 0;
}
