/* tree_ignores(), asked of one path, answers as a tree_of_folder() that leaves files out. */
#include "base/base.h"
#include "tap.h"
#include "dir.h"
#include "tree/tree.h"

static const struct {
	const char *path, *text; /* text NULL: no such file */
} files[] = {
	{".gitignore", "# text\r\n*.o\r\nout/\n!keep.o\n\\#x\nend\\ \n{a,b}\n[z\n"},
	{"src/.gitignore", "!x.o\n/gen/*\n!gen/y\n"},
	{"x.o", ""},
	{"keep.o", ""},
	{"#x", ""},
	{"end ", ""},
	{"a", ""},
	{"[z", ""},
	{"out/keep.o", ""},
	{"out/deep/z", ""},
	{"src/x.o", ""},
	{"src/z.o", ""},
	{"src/gen/y", ""},
	{"src/gen/z", ""},
	{"src/none.o", NULL},
	{"none", NULL},
	{"none.o", NULL},
};

int main(void)
{
	static const char *const folders[] = {"out", "out/deep", "src", "src/gen"};
	struct arena *a = arena_new();
	struct tree_dir_options o = {.ignore = true}, plain = {.ignore = false};
	struct tree *all, *t;
	unsigned left_out = 0;

	dir_fresh(a);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (mkdir(folders[i], 0755))
			BUG("cannot make %s", folders[i]);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].text)
			dir_put(files[i].path, files[i].text);
	works(tree_of_folder(a, ".", &plain, &all), "a tree of all files");
	for (int with = 0; with < 2; with++) {
		if (with) {
			strs_push(a, &o.excludes, STR("/a"));
			strs_push(a, &o.excludes, STR("!z.o"));
		}
		works(tree_of_folder(a, ".", &o, &t), "a tree that leaves out");
		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			struct str path = str_of(files[i].path);
			bool want = false, got = false;

			works(tree_folder_ignores_path(t, path, &want), "the tree answers");
			works(tree_ignores(a, all, &o.excludes, path, &got),
			      "the function answers");
			ok(want == got, files[i].path);
			left_out += got;
		}
	}
	ok(left_out > 10, "many of them are ignored");
	arena_free(a);
	return tap_done();
}
