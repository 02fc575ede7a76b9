#include "asset/asset.h"
#include "os/os.h"

static struct err *asset_path_wrong(struct str text, const char *what)
{
	return err_help(err_add_detail(err_new(E_BAD_PATH, "'%.*s' cannot name an asset: %s",
					       STR_ARG(text), what),
				       "path", text),
			"an asset is named " ASSET_SCHEME "/FOLDER/NAME, such as " ASSET_SCHEME
			"/blocks/decisions.md");
}

struct err *asset_path_read(struct arena *a, struct str text, bool bare, struct str *out)
{
	struct str path = text, rest, part;

	if (text.n > OS_PATH_MAX)
		return err_detail_int(err_new(E_TOO_LONG,
					      "the path is %zu bytes long; at most %d "
					      "are allowed",
					      text.n, OS_PATH_MAX),
				      "limit", OS_PATH_MAX);
	if (str_has_nul(text))
		return asset_path_wrong(text, "it has a NUL byte");
	if (!str_is_utf8(text))
		return asset_path_wrong(str_utf8(a, text), "it is not UTF-8");
	if (str_starts(text, STR(ASSET_SCHEME))) {
		path = str_sub(text, sizeof(ASSET_SCHEME) - 1, text.n);
		/*
		 * In "ikigai:///a" the third slash belongs to the URI; a fourth would begin an
		 * empty part.
		 */
		str_take_char(&path, '/');
	} else if (!bare) {
		return asset_path_wrong(text, "it does not begin with " ASSET_SCHEME);
	} else if (str_holds(text, "://")) {
		return asset_path_wrong(text, "the scheme of assets is " ASSET_SCHEME);
	} else if (text.n && text.p[0] == '/') {
		return asset_path_wrong(text, "it is the path of a file");
	}
	if (!path.n)
		return asset_path_wrong(text, "it has no name");
	/* str_next_part() gives no empty part behind a slash at the end. */
	if (path.p[path.n - 1] == '/')
		return asset_path_wrong(text, "it ends with a slash");
	rest = path;
	while (str_next_part(&rest, '/', &part)) {
		if (!part.n)
			return asset_path_wrong(text, "one of its parts is empty");
		if (str_is(part, "."))
			return asset_path_wrong(text, "'.' is not allowed as a part");
		if (str_is(part, ".."))
			return asset_path_wrong(text, "'..' is not allowed as a part");
	}
	*out = str_dup(a, path);
	return NULL;
}

struct str asset_uri(struct arena *a, struct str path)
{
	return str_fmt(a, ASSET_SCHEME "/%.*s", STR_ARG(path));
}

static struct str asset_without_md(struct str path)
{
	return str_ends(path, STR(".md")) ? str_sub(path, 0, path.n - 3) : path;
}

struct err *asset_nearest(struct assets *s, struct arena *a, struct str path, struct str *out)
{
	struct strs all = {0}, plain = {0}, names = {0};
	struct str near, name;
	const struct strs only = {.p = &name, .n = 1};

	*out = (struct str){0};
	DB_EACH(rows, s->db, Q_ASSET_PATHS) {
		strs_push(a, &all, db_column_str(rows, a, 0));
		strs_push(a, &plain, asset_without_md(all.p[all.n - 1]));
		strs_push(a, &names, str_base(plain.p[all.n - 1]));
	}
	/* A path that differs by a typing error or by ".md". */
	near = str_nearest(asset_without_md(path), &plain);
	/* A common folder makes two paths alike, so the names themselves must be alike too. */
	name = str_base(asset_without_md(near));
	if (!str_nearest(str_base(asset_without_md(path)), &only).n)
		near = (struct str){0};
	for (size_t i = 0; near.n && i < all.n && !out->n; i++)
		if (str_eq(plain.p[i], near))
			*out = all.p[i];
	/* Else a path with a like name in another folder. */
	near = str_nearest(str_base(asset_without_md(path)), &names);
	for (size_t i = 0; near.n && i < all.n && !out->n; i++)
		if (str_eq(names.p[i], near))
			*out = all.p[i];
	return NULL;
}

void asset_candidates(struct arena *a, struct str bare, struct strs *out)
{
	strs_push(a, out, bare);
	strs_push(a, out, str_fmt(a, "%.*s.md", STR_ARG(bare)));
	strs_push(a, out, str_fmt(a, "blocks/%.*s", STR_ARG(bare)));
	strs_push(a, out, str_fmt(a, "blocks/%.*s.md", STR_ARG(bare)));
}

struct err *asset_find_removed(struct assets *s, struct arena *a, struct str path, struct str *as,
			       struct asset_versions *kept)
{
	*as = path;
	TRY(asset_history(s, a, path, kept));
	if (kept->n)
		return NULL;
	*as = str_fmt(a, "%.*s.md", STR_ARG(path));
	return asset_history(s, a, *as, kept);
}

struct err *asset_missing(struct assets *s, struct arena *a, struct str path)
{
	struct asset_versions kept = {0};
	struct str near, gone;
	struct err *e;

	TRY(asset_nearest(s, a, path, &near));
	TRY(asset_find_removed(s, a, path, &gone, &kept));
	e = err_add_detail(
		err_new(E_NO_SUCH_ASSET, "there is no stored asset '%.*s'", STR_ARG(path)), "path",
		path);
	if (kept.n)
		err_help(e, "it was removed; 'ikm asset restore %.*s' brings it back",
			 STR_ARG(gone));
	if (near.n)
		err_help(e, "did you mean '%.*s'?", STR_ARG(near));
	return err_help(e, "'ikm asset list' lists the assets");
}

struct err *asset_resolve(struct assets *s, struct arena *a, struct str text, struct str *path)
{
	struct strs names = {0};
	struct asset found;
	struct str named;
	bool there;

	TRY(asset_path_read(a, text, true, &named));
	asset_candidates(a, named, &names);
	for (size_t i = 0; i < names.n; i++) {
		*path = names.p[i];
		TRY(asset_get(s, a, *path, false, &found, &there));
		if (there)
			return NULL;
	}
	return asset_missing(s, a, named);
}
