/* Picks the backend of a path, and has the operations that only call the backend. */
#include "file/backend.h"

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

struct err *file_ref(struct files *f, struct str text, struct file_ref *out)
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
			err_detail(err_new(E_BAD_PATH, "'-' cannot name a file here"), "path",
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
		return asset_path(f->a, text, false, &out->path);
	}
	if (scheme.n || str_starts(text, STR("ikigai:"))) {
		e = err_new(E_BAD_PATH, "'%.*s' is neither a file's path nor " ASSET_SCHEME "/NAME",
			    STR_ARG(text));
		err_detail(e, "path", text);
		return err_help(
			e,
			"write a file's path without a scheme, and a stored asset as " ASSET_SCHEME
			"/blocks/name.md");
	}
	out->backend = &backend_fs;
	out->path = text;
	return NULL;
}

struct err *file_ref_named(struct files *f, struct str name, struct file_ref *out)
{
	struct str path = name;

	if (f->named)
		TRY(f->named(f->named_ctx, name, &path));
	TRY(file_ref(f, path, out));
	out->shown = name;
	return NULL;
}

struct file_ref file_asset(struct files *f, struct str path)
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
