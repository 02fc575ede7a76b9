/*
 * tree: shows what lib/repo/tree sees of folders.
 *
 *   tree FOLDER [-i] [-x PATTERN]… [-p PREFIX]   its files, each ended by a NUL; -i: .gitignore
 *                                                counts, -x: and this
 *   tree -d BASE NOW [-r]                        what differs, as `git diff --name-status -z`; -r:
 *                                                with renames
 */
#include "base/base.h"
#include "tree/tree.h"

static void print_path(struct str path)
{
	fwrite(path.p, 1, path.n, stdout);
	putchar(0);
}

static struct err *print(void *ctx, const struct tree_file *f)
{
	(void)ctx;
	print_path(f->path);
	return NULL;
}

static struct err *diff(struct arena *a, char **argv, bool renames)
{
	struct tree_changes changes;
	struct tree *base, *now;

	TRY(tree_of_folder(a, argv[0], NULL, &base));
	TRY(tree_of_folder(a, argv[1], NULL, &now));
	TRY(tree_diff(a, base, now, &changes));
	if (renames)
		TRY(tree_find_renames(base, now, 0, &changes));
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.p[i];

		print_path(c->renamed    ? STR("R")
			   : !c->has_old ? STR("A")
			   : !c->has_new ? STR("D")
					 : STR("M"));
		if (c->has_old)
			print_path(c->old.path);
		if (c->has_new && (!c->has_old || c->renamed))
			print_path(c->new.path);
	}
	return NULL;
}

static struct err *list(struct arena *a, int argc, char **argv)
{
	struct tree_dir_options o = {0};
	struct str prefix = STR("");
	struct tree *t;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-i"))
			o.ignore = true;
		else if (!strcmp(argv[i], "-x") && i + 1 < argc)
			strs_push(a, &o.excludes, str_of(argv[++i]));
		else if (!strcmp(argv[i], "-p") && i + 1 < argc)
			prefix = str_of(argv[++i]);
		else
			return err_new(E_UNKNOWN_PARAMETER, "'%s'", argv[i]);
	}
	TRY(tree_of_folder(a, argv[0], &o, &t));
	return tree_foreach(t, prefix, print, NULL);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err *e;

	if (argc >= 4 && !strcmp(argv[1], "-d"))
		e = diff(a, argv + 2, argc > 4 && !strcmp(argv[4], "-r"));
	else if (argc >= 2)
		e = list(a, argc - 1, argv + 1);
	else
		e = err_new(E_MISSING_PARAMETER, "which folder?");
	if (e)
		fprintf(stderr, "tree: %s\n", err_message(e));
	arena_free(a);
	return e ? 2 : 0;
}
