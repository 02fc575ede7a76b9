/* Looks up the name of a marker: a file or folder inside the roots, or a stored asset. */
#include "expand/expand.h"
#include <unistd.h>

struct listing {
	struct buf out;
	const struct file_ref *folder;
};

static struct err *expand_lookup_list_one(void *ctx, const struct tree_file *file)
{
	struct listing *l = ctx;

	struct arena *a = l->out.arena;

	buf_put(&l->out, str_quoted(a, file_path_shown(a, l->folder, false, file->path)));
	buf_puts(&l->out, file->kind == TREE_FOLDER ? "/\n" : "\n");
	return NULL;
}

/*
 * Whether a file has a NUL near its start, by which Git detects binaries. The file is not read
 * whole.
 */
static bool expand_lookup_is_binary(struct files *f, struct str name)
{
	char start[8000];
	ssize_t n;
	int fd;

	if (str_starts(name, STR(ASSET_SCHEME)) ||
	    os_open_file_in_roots(f->roots, f->cwd, name, &fd))
		return false;
	n = read(fd, start, sizeof(start));
	close(fd);
	return n > 0 && str_has_nul((struct str){start, (size_t)n});
}

static struct err *expand_lookup_look(struct files *f, struct str name, bool folders, size_t max,
				      struct expand_target *out)
{
	const struct file_walk walk = {.folders = true, .depth = 1};
	struct file_stat st;
	struct file_ref r;
	struct listing l = {buf_with_max(f->a, max), &r};
	struct tree *t;
	bool file;

	TRY(file_ref_named(f, name, &r));
	TRY(file_stat(f, &r, &st));
	if (st.kind == OS_NONE || (st.kind == OS_DIR && !folders))
		return err_new(E_FILE_NOT_FOUND, "'%.*s' is not there", STR_ARG(name));
	out->target = name;
	if (st.kind == OS_DIR) {
		/*
		 * Lists a folder, one name a line, as people type it behind the @. Unusual names
		 * are quoted, and ignored files are left out.
		 */
		TRY(file_tree(f, &r, &walk, &t, &file));
		TRY(tree_foreach(t, STR(""), expand_lookup_list_one, &l));
		out->content = buf_as_str(&l.out);
		if (l.out.cut)
			return err_detail_int(err_new(E_TOO_BIG,
						      "the listing of '%.*s' is over the limit "
						      "of %zu bytes",
						      STR_ARG(r.shown), max),
					      "limit", (int64_t)max);
	} else {
		TRY(file_read(f, f->a, &r, max, &out->content));
	}
	if (!str_is_text(out->content))
		return err_new(E_NOT_TEXT, "'%.*s' is no text", STR_ARG(name));
	out->found = true;
	return NULL;
}

static struct err *expand_lookup_look_for(struct files *f, struct str name, bool folders,
					  size_t max, struct expand_target *out)
{
	struct err *e = expand_lookup_look(f, name, folders, max, out);

	if (!e)
		return NULL;
	out->why = err_reason(e);
	if (out->why == E_TOO_BIG && expand_lookup_is_binary(f, name))
		out->why = E_NOT_TEXT;
	if (out->why == E_TOO_BIG)
		return err_help(e, "refer to a smaller file, raise expand.maxBytes, or write \\@");
	/* These reasons leave the marker as it was typed: a prompt may quote any text. */
	return out->why == E_FILE_NOT_FOUND || out->why == E_NO_SUCH_ASSET ||
			       out->why == E_NOT_A_FILE || out->why == E_OUTSIDE_ROOTS ||
			       out->why == E_BAD_PATH || out->why == E_TOO_LONG ||
			       out->why == E_PERMISSION || out->why == E_NOT_TEXT
		       ? NULL
		       : e;
}

struct lookup {
	struct files *f;
	const struct strs *also;
};

static struct err *expand_lookup_find(void *ctx, struct arena *a, bool asset, struct str name,
				      size_t max, struct expand_target *out)
{
	const struct lookup *l = ctx;
	struct files f = *l->f;

	f.a = a;
	if (asset) {
		struct strs names = {0};

		/* Tries the paths of asset_candidates(), then the folder of this name. */
		if (str_starts(name, STR(ASSET_SCHEME)))
			name = str_sub(name, sizeof(ASSET_SCHEME) - 1, name.n);
		while (name.n && name.p[0] == '/')
			name = str_sub(name, 1, name.n);
		while (name.n && name.p[name.n - 1] == '/')
			name.n--;
		asset_candidates(f.a, name, &names);
		for (size_t i = 0; i < names.n && !out->found; i++)
			TRY(expand_lookup_look_for(
				&f, str_fmt(f.a, ASSET_SCHEME "/%.*s", STR_ARG(names.p[i])), false,
				max, out));
		if (!out->found)
			TRY(expand_lookup_look_for(
				&f, str_fmt(f.a, ASSET_SCHEME "/%.*s", STR_ARG(name)), true, max,
				out));
		if (!out->found && out->why == E_FILE_NOT_FOUND)
			out->why = E_NO_SUCH_ASSET;
		if (!out->found && out->why == E_NO_SUCH_ASSET)
			TRY(asset_nearest(f.assets, f.a, name, &out->near));
		return NULL;
	}
	TRY(expand_lookup_look_for(&f, name, true, max, out));
	if (str_starts(name, STR("/")) || !l->also)
		return NULL;
	/* Else the first other folder that has it. */
	for (size_t i = 0; i < l->also->n && !out->found && out->why == E_FILE_NOT_FOUND; i++)
		TRY(expand_lookup_look_for(
			&f, str_of(os_join(a, str_c(a, l->also->p[i]), str_c(a, name))), true, max,
			out));
	return NULL;
}

struct err *expand_text(struct files *f, struct str text, const struct expand_options *options,
			struct str *out, struct expand_references *references)
{
	struct lookup l = {f, options->also};

	return expand_markers(f->a, text, options, expand_lookup_find, &l, out, references);
}
