/* Picks the backend of a path, and has the operations that only call the backend: trees as well. */
#include "file/backend.h"
#include "words/words.h"

/* The scheme of a URI (RFC 3986), such as "http" of "http://x"; empty: none. */
static struct str ref_scheme_of(struct str text)
{
	size_t n = str_find(text, STR("://"), 0);

	if (n == SIZE_MAX || !n || !ascii_is_letter(text.p[0]))
		return (struct str){"", 0};
	for (size_t i = 0; i < n; i++)
		if (!ascii_is_alnum(text.p[i]) && !strchr("+-.", text.p[i]))
			return (struct str){"", 0};
	return str_sub(text, 0, n);
}

/* ---- names that look equal ---- */

/* Nothing is known about a folder above the roots, so it counts as there. */
static bool ref_is_there(const struct files *f, struct str path)
{
	struct os_stat st;

	return os_roots_stat(f->roots, f->cwd, path, &st) || st.kind != OS_NONE;
}

/* The one name in the folder that looks like `name`; empty: none, or several. */
static struct str ref_alike(const struct files *f, struct arena *a, struct str folder,
			    struct str name)
{
	struct str key = words_normalize_file_name(a, name), found = {"", 0};
	struct strs names = {0};
	size_t n = 0;
	int fd;

	if (os_roots_open_dir(f->roots, a, f->cwd, folder, &fd) || os_list_at(a, fd, ".", &names))
		return found;
	for (size_t i = 0; i < names.n; i++)
		if (str_eq(words_normalize_file_name(a, names.p[i]), key)) {
			found = names.p[i];
			n++;
		}
	return n == 1 ? found : (struct str){"", 0};
}

/* Part by part. What follows a part that nothing looks like may be a file that is to be made. */
static struct str ref_path_alike(const struct files *f, struct arena *a, struct str path)
{
	struct buf b = buf_in(a);
	struct str rest = path, part;

	while (str_next_part(&rest, '/', &part)) {
		struct str folder = b.n ? str_dup(a, buf_as_str(&b)) : STR(".");
		size_t before = b.n;

		buf_put(&b, part);
		if (part.n && !ref_is_there(f, buf_as_str(&b))) {
			struct str alike = ref_alike(f, a, folder, part);

			if (!alike.n) {
				b.n = before;
				buf_put(&b, str_sub(path, (size_t)(part.p - path.p), path.n));
				return buf_as_str(&b);
			}
			b.n = before;
			buf_put(&b, alike);
		}
		if (part.p + part.n < path.p + path.n)
			buf_putc(&b, '/');
	}
	return buf_as_str(&b);
}

/* The path with its letters beyond ASCII as numbers: else nobody sees a difference. */
static struct str ref_spelled(struct arena *a, struct str path)
{
	struct buf b = buf_in(a);

	for (size_t i = 0, n; i < path.n; i += n) {
		uint32_t c = 0;

		n = str_utf8_char(path.p + i, path.n - i, &c);
		if (n > 1)
			buf_fmt(&b, "\\u{%x}", (unsigned)c);
		else
			buf_putc(&b, path.p[i]);
		n = size_max(n, 1);
	}
	return buf_as_str(&b);
}

bool file_name_has_no_lookalike(struct str path)
{
	for (size_t i = 0; i < path.n; i++)
		if ((unsigned char)path.p[i] >= 0x80 || path.p[i] == ' ')
			return false;
	return true;
}

void file_tell_alike_name_used(struct files *f, struct str taken, struct str given)
{
	struct str note =
		str_fmt(f->a,
			"took '%.*s' for '%.*s', which differs only in Unicode's form or "
			"in kinds of space",
			STR_ARG(ref_spelled(f->a, taken)), STR_ARG(ref_spelled(f->a, given)));

	if (f->notes && !strs_has(f->notes, note))
		strs_push(f->notes_a, f->notes, str_dup(f->notes_a, note));
}

static void ref_find_alike(struct files *f, struct file_ref *r)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct str alike;

	if (file_name_has_no_lookalike(r->path) || ref_is_there(f, r->path))
		return;
	a = arena_new();
	alike = ref_path_alike(f, a, r->path);
	if (str_eq(alike, r->path))
		return;
	file_tell_alike_name_used(f, alike, r->path);
	r->path = r->shown = str_dup(f->a, alike);
}

struct err *file_ref_resolve(struct files *f, struct str text, struct file_ref *out)
{
	struct str scheme = ref_scheme_of(text);
	struct err *e;

	*out = (struct file_ref){.shown = text};
	if (!text.n)
		return err_new(E_BAD_PATH, "the path is empty");
	/*
	 * Other programs take "-" as standard input. A user who expects that must not get a file of
	 * this name.
	 */
	if (str_is(text, "-"))
		return err_help(
			err_add_detail(err_new(E_BAD_PATH, "'-' cannot name a file here"), "path",
				       text),
			"write ./- for a file of this name; --help says which parameters read "
			"standard input");
	if (str_has_nul(text))
		return err_new(E_BAD_PATH, "the path '%.*s...' has a NUL in it", STR_ARG(text));
	if (text.n > OS_PATH_MAX)
		return err_detail_int(err_new(E_TOO_LONG, "the path '%.64s...' is over %d bytes",
					      text.p, OS_PATH_MAX),
				      "limit", OS_PATH_MAX);
	if (str_starts(text, STR(ASSET_SCHEME))) {
		out->backend = &backend_asset;
		return asset_path_read(f->a, text, false, &out->path);
	}
	if (scheme.n || str_starts(text, STR("ikigai:"))) {
		e = err_new(E_BAD_PATH, "'%.*s' is neither a file's path nor " ASSET_SCHEME "/NAME",
			    STR_ARG(text));
		err_add_detail(e, "path", text);
		return err_help(
			e,
			"write a file's path without a scheme, and a stored asset as " ASSET_SCHEME
			"/blocks/name.md");
	}
	out->backend = &backend_fs;
	out->path = text;
	ref_find_alike(f, out);
	return NULL;
}

struct err *file_ref_named(struct files *f, struct str name, struct file_ref *out)
{
	struct str path = name;

	if (f->named)
		TRY(f->named(f->named_ctx, name, &path));
	TRY(file_ref_resolve(f, path, out));
	out->shown = name;
	return NULL;
}

struct file_ref file_ref_of_asset(struct files *f, struct str path)
{
	return (struct file_ref){&backend_asset, path, asset_uri(f->a, path)};
}

struct err *file_stat(struct files *f, const struct file_ref *r, struct file_stat *out)
{
	return r->backend->stat(f, r->path, out);
}

struct err *file_read(struct files *f, struct arena *a, const struct file_ref *r, size_t max,
		      struct str *out)
{
	return r->backend->read(f, a, r->path, max, out);
}

struct err *file_open(struct files *f, const struct file_ref *r, int *fd)
{
	*fd = -1;
	return r->backend->open ? r->backend->open(f, r->path, fd) : NULL;
}

/* ---- trees for list, glob, search and finders: of a file here, of a folder by its backend ---- */

struct one_tree {
	struct tree t;
	struct files *f;
	struct file_ref ref;
	struct tree_file file;
};

static struct err *one_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	return prefix.n ? NULL : fn(ctx, &((struct one_tree *)t)->file);
}

static struct err *one_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	const struct one_tree *one = (struct one_tree *)t;

	(void)f;
	return file_read(one->f, a, &one->ref, max, out);
}

static struct err *one_open(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size)
{
	const struct one_tree *one = (struct one_tree *)t;

	(void)f, (void)size;
	return os_open_file_in_roots(one->f->roots, one->f->cwd, one->ref.path, fd);
}

static const struct tree_ops one_asset_ops = {.each = one_each, .read = one_read};
static const struct tree_ops one_file_ops = {.each = one_each, .read = one_read, .open = one_open};

static struct tree *one_tree(struct files *f, const struct file_ref *r)
{
	struct one_tree *one = ARENA_NEW(f->a, struct one_tree);

	one->t.ops = r->backend == &backend_fs ? &one_file_ops : &one_asset_ops;
	one->t.name = r->shown;
	one->f = f;
	one->ref = *r;
	one->file.path = str_base(r->path);
	return &one->t;
}

struct err *file_ref_or_folder(struct files *f, struct str text, struct file_ref *out)
{
	struct str scheme = STR(ASSET_SCHEME), folder = text;

	if (!str_starts(text, scheme))
		return file_ref_resolve(f, text, out);
	while (folder.n > scheme.n && folder.p[folder.n - 1] == '/')
		folder.n--;
	if (folder.n > scheme.n)
		TRY(file_ref_resolve(f, folder, out));
	else
		*out = (struct file_ref){.backend = &backend_asset, .path = STR("")};
	out->shown = text;
	return NULL;
}

struct err *file_tree(struct files *f, const struct file_ref *r, const struct file_walk *w,
		      struct tree **out, bool *file)
{
	struct file_stat st;
	struct str none;

	TRY(file_stat(f, r, &st));
	*file = st.kind == OS_FILE;
	switch (st.kind) {
	case OS_FILE: *out = one_tree(f, r); return NULL;
	case OS_DIR: return r->backend->tree(f, r->path, w, out);
	case OS_NONE:
		/* The backend's error says most. */
		TRY(file_read(f, f->a, r, 0, &none));
		return err_new(E_FILE_NOT_FOUND, "'%.*s' is not there", STR_ARG(r->shown));
	case OS_LINK:
	case OS_OTHER: break;
	}
	return err_help(
		err_new(E_NOT_A_FILE, "'%.*s' is neither a file nor a folder", STR_ARG(r->shown)),
		"name a file or a folder");
}

struct str file_path_shown(struct arena *a, const struct file_ref *r, bool file, struct str path)
{
	struct str folder = r->shown;
	struct buf b = buf_in(a);

	if (file)
		return r->shown;
	if (str_is(folder, "."))
		return path;
	/* str_fmt() cannot be used, because a name may have any bytes. */
	buf_put(&b, folder);
	if (folder.p[folder.n - 1] != '/')
		buf_putc(&b, '/');
	buf_put(&b, path);
	return buf_as_str(&b);
}
