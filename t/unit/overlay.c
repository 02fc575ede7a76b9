/* Trees of an edit: files above other files, and names that would be ignored. */
#include "base/base.h"
#include "tap.h"
#include "dir.h"
#include "tree/tree.h"

static struct arena *a;

static struct err *overlay_show(void *ctx, const struct tree_file *f)
{
	buf_fmt(ctx, "%c:%.*s ", "fxls"[f->kind], STR_ARG(f->path));
	return NULL;
}

static struct str overlay_listed(struct tree *t, const char *prefix)
{
	struct buf b = buf_in(a);

	works(tree_foreach(t, str_of(prefix), overlay_show, &b), "it can be listed");
	return buf_as_str(&b);
}

static struct str overlay_content(struct tree *t, const char *path)
{
	struct str s = {"", 0};
	struct tree_file f;
	bool found;

	works(tree_find(t, str_of(path), &f, &found), "it can be searched");
	if (!found)
		return STR("(none)");
	works(tree_read(t, a, &f, 99, &s), "it can be read");
	return s;
}

static void test_overlay(void)
{
	static const struct tree_mem_file under[] = {{STR_INIT("a"), STR_INIT("1"), TREE_FILE},
						     {STR_INIT("d/b"), STR_INIT("2"), TREE_FILE},
						     {STR_INIT("d/c"), STR_INIT("3"), TREE_FILE}};
	static const struct tree_mem_file over[] = {
		{STR_INIT("d/b"), STR_INIT("new"), TREE_EXEC},
		{STR_INIT("d/bb"), STR_INIT("more"), TREE_FILE}};
	struct strs gone = {0};
	struct tree *t;

	strs_push(a, &gone, STR("d/c"));
	t = tree_overlay(a, tree_mem(a, STR("below"), under, 3), tree_mem(a, STR("above"), over, 2),
			 &gone);
	is_str(overlay_listed(t, ""), STR("f:a x:d/b f:d/bb "), "both trees, in order");
	is_str(overlay_listed(t, "d"), STR("x:d/b f:d/bb "), "a folder of both");
	is_str(overlay_content(t, "d/b"), STR("new"), "a file above hides the one below");
	is_str(overlay_content(t, "d/bb"), STR("more"), "a file that is only above");
	is_str(overlay_content(t, "a"), STR("1"), "a file that is only below");
	is_str(overlay_content(t, "d/c"), STR("(none)"), "a file that is gone");
	is_str(t->name, STR("below"), "it has the name of the tree below");
}

/* The same answers for files that do not exist. */
static void test_ignores(void)
{
	static const struct {
		const char *path;
		bool ignored;
	} paths[] = {{"new.tmp", true},      {"new.c", false},         {"out/x/y.c", true},
		     {"deep/new.tmp", true}, {"deep/er/new.c", false}, {"sub/new.tmp", false}};
	struct tree_dir_options o = {.ignore = true};
	struct tree *t;

	dir_put(".gitignore", "*.tmp\n/out/\n");
	if (mkdir("sub", 0755))
		BUG("cannot make a folder");
	dir_put("sub/.gitignore", "!new.tmp\n");
	works(tree_of_folder(a, ".", &o, &t), "a folder");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		bool ignored = !paths[i].ignored;

		works(tree_folder_ignores_path(t, str_of(paths[i].path), &ignored), paths[i].path);
		ok(ignored == paths[i].ignored, "ignored or not: %s", paths[i].path);
	}
}

int main(void)
{
	a = arena_new();
	dir_fresh(a);
	test_overlay();
	test_ignores();
	arena_free(a);
	return tap_done();
}
