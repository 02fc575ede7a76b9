/* Picks the backend of a path, and has the operations that only call the backend. */
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
