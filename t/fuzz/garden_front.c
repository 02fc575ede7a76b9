/*
 * Any bytes as the front matter of a profile, as a text, and as a path of the garden. A front
 * matter that the policy lets in at creation has the id and the user of the path. What a path is
 * meant to be is one; an id that is refused says why.
 */
#include "garden/garden.h"
#include "md/md.h"
#include "yaml/yaml.h"

static void path_check(struct arena *a, struct str s)
{
	struct garden_path p, meant;
	struct str why = {"", 0}, fix, near = garden_path_meant(a, s);

	if (near.n && !garden_path_read(near, &meant))
		BUG("the path '%.*s' is meant as none", STR_ARG(s));
	if (garden_path_is_folder(s, &p) && garden_path_read(s, &p))
		BUG("the path '%.*s' is a file and a folder", STR_ARG(s));
	if (!garden_path_read(s, &p))
		return;
	if (!garden_id_check(a, p.id, &why, &fix) && (!why.n || !str_is_utf8(why)))
		BUG("the id '%.*s' is refused in silence", STR_ARG(p.id));
	if (!p.user.n || !p.id.n || !p.file.n || !str_starts(s, p.folder) || !str_ends(s, p.file) ||
	    str_find_char(p.user, '/', 0) != SIZE_MAX || str_find_char(p.id, '/', 0) != SIZE_MAX ||
	    p.user.p[0] == '.' || p.id.p[0] == '.')
		BUG("the path '%.*s' is wrong", STR_ARG(s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str yaml = {(const char *)data, size}, front, body;
	struct str text = str_fmt(a, "---\n%.*s\n---\n# T\n", STR_ARG(yaml));
	const struct garden_ask q = {.path = STR("users/ada/parts/p1/profile.md"), .after = text};
	struct garden_diagnostics d;
	struct val *v;
	bool unclosed;

	path_check(a, yaml);
	path_check(a, str_fmt(a, "users/%.*s/notes.md", STR_ARG(yaml)));
	path_check(a, str_fmt(a, "users/ada/history/%.*s", STR_ARG(yaml)));
	for (size_t i = 0; i < 2; i++) {
		const struct garden_ask raw = {
			.path = i ? STR("users/ada/notes.md") : q.path,
			.after = str_fmt(a, "%s%.*s", i ? "" : "---\n", STR_ARG(yaml))};

		if (garden_judge_change(a, &raw, &d))
			BUG("the policy fails");
	}
	if (garden_judge_change(a, &q, &d))
		BUG("the policy fails");
	if (!garden_diagnostics_any_blocks(&d)) {
		if (!md_frontmatter(text, &front, &body, &unclosed) || unclosed ||
		    yaml_read(a, front, text, 4, &v))
			BUG("a front matter that cannot be read does not block");
		if (!val_get(v, "id") || !str_is(val_get(v, "id")->s, "p1") ||
		    !val_get(v, "user_id") || !str_is(val_get(v, "user_id")->s, "ada"))
			BUG("another id does not block");
	}
	arena_free(a);
	return 0;
}
