/*
 * Any bytes as the front matter of a profile, and as a path of the garden. A front matter that the
 * policy lets in at creation has the id and the user of the path.
 */
#include "garden/garden.h"
#include "md/md.h"
#include "yaml/yaml.h"

static void path_check(struct str s)
{
	struct garden_path p;

	if (!garden_path_read(s, &p))
		return;
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

	path_check(yaml);
	path_check(str_fmt(a, "users/%.*s/notes.md", STR_ARG(yaml)));
	path_check(str_fmt(a, "users/ada/history/%.*s", STR_ARG(yaml)));
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
