/*
 * The backend of stored assets. Reading, the event and the write are one transaction, so any error
 * leaves everything as it was.
 */
#include "file/backend.h"
#include <sys/stat.h>

static struct err *store_stat(struct files *f, struct str path, struct file_stat *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct asset_list below = {0};
	struct asset asset;
	bool found;

	*out = (struct file_stat){.kind = OS_NONE};
	TRY(asset_get(f->assets, a, path, false, &asset, &found));
	if (found) {
		*out = (struct file_stat){OS_FILE, (uint64_t)asset.size, 0};
		return NULL;
	}
	/* A folder exists as long as an asset is in it. */
	TRY(asset_list_by_prefix(f->assets, a, path, &below));
	if (below.n || !path.n)
		out->kind = OS_DIR;
	return NULL;
}

static struct err *get_content(struct files *f, struct arena *a, struct str path, size_t max,
			       struct str *out)
{
	struct file_stat st;
	struct asset asset;
	struct str uri, other;
	struct err *e;
	bool found;

	TRY(asset_get(f->assets, a, path, true, &asset, &found));
	if (!found) {
		TRY(store_stat(f, path, &st));
		uri = asset_uri(a, path);
		if (st.kind == OS_DIR)
			return os_want_file(S_IFDIR, str_c(a, uri));
		/* Names the nearest asset, or the one that differs by ".md". */
		TRY(asset_resolve(f->assets, a, path, &other));
		e = err_new(E_NO_SUCH_ASSET, "there is no stored asset '%.*s'", STR_ARG(uri));
		err_add_detail(e, "path", uri);
		if (str_eq(other, path))
			return e;
		return err_help(e, "did you mean '%.*s'?", STR_ARG(asset_uri(a, other)));
	}
	if (asset.content.n > max)
		return err_detail_int(err_new(E_TOO_BIG, "'%.*s' is over the limit of %zu bytes",
					      STR_ARG(asset_uri(a, path)), max),
				      "limit", (int64_t)size_min(max, PTRDIFF_MAX));
	*out = asset.content;
	return NULL;
}

/* ---- changing ---- */

/* If a transaction is open already, the change becomes a part of it. */
static struct err *store_lock(struct file_change *c)
{
	struct db *db = c->f->assets->db;

	return db_is_writing(db) ? NULL : db_begin(&c->txn, db);
}

static struct err *store_item_look(struct file_change *c, struct file_item *it)
{
	struct asset *asset = ARENA_NEW(c->a, struct asset);

	TRY(asset_get(c->f->assets, c->a, it->ref.path, !it->unread, asset, &it->there));
	it->content = asset->content;
	it->hash = it->there ? str_dup(c->f->a, asset->hash) : STR("");
	it->where = asset_uri(c->a, it->ref.path);
	it->place = asset;
	return NULL;
}

/* A name is either a file or a folder, as on a disk: lists and walks must not meet both. */
static struct err *store_check(struct file_change *c, const struct file_step *s)
{
	struct assets *assets = c->f->assets;
	struct str path = s->at->ref.path;
	struct asset_list below = {0};
	struct asset above;
	bool there;

	if (s->at->there)
		return NULL;
	TRY(asset_list_by_prefix(assets, c->a, path, &below));
	if (below.n)
		return os_want_file(S_IFDIR, str_c(c->a, s->at->where));
	for (size_t i = 0; (i = str_find_char(path, '/', i)) != SIZE_MAX; i++) {
		struct str folder = str_sub(path, 0, i);

		TRY(asset_get(assets, c->a, folder, false, &above, &there));
		if (there)
			return err_new(E_EXISTS,
				       "cannot make the folder '%.*s': a file has this "
				       "name",
				       STR_ARG(asset_uri(c->a, folder)));
	}
	return NULL;
}

static struct err *store_put(struct file_change *c, struct file_step *s, enum file_outcome *out)
{
	struct assets *assets = c->f->assets;
	struct str path = s->at->ref.path;
	struct asset old = *(struct asset *)(s->from ? s->from : s->at)->place;

	if (s->from)
		TRY(asset_rename(assets, &old, path));
	else if (!s->new.p)
		TRY(asset_remove(assets, &old, s->w.op));
	old.path = path;
	if (s->full.p)
		TRY(asset_put_summarized_content(assets, c->a, path, &old, s->w.op, s->full, s->new,
						 s->done.hash));
	else if (s->new.p)
		TRY(asset_put(assets, c->a, path, s->was.p ? &old : NULL, s->w.op, s->new,
			      s->done.hash));
	*out = FILE_DONE;
	return NULL;
}

static struct err *store_finish(struct file_change *c)
{
	return db_commit(&c->txn);
}

/* Folders exist only through the assets in them. */
static struct err *store_mkdir(struct files *f, struct str path, bool *made)
{
	struct file_stat st;

	*made = false;
	TRY(store_stat(f, path, &st));
	if (st.kind == OS_FILE)
		return err_new(E_EXISTS,
			       "cannot make the folder '" ASSET_SCHEME "/%.*s': a file "
			       "has this name",
			       STR_ARG(path));
	return NULL;
}

/* ---- the tree ---- */

struct asset_tree {
	struct tree t;
	struct files *f;
	struct str folder; /* the folder of the assets, with a slash at its end; or empty */
	struct asset_list list;
	bool folders;
	unsigned depth;
};

/* The end of the first `depth` folders in the path; its length if it has fewer. */
static size_t folder_end(struct str path, unsigned depth)
{
	size_t at = SIZE_MAX;

	for (unsigned i = 0; i < depth; i++) {
		at = str_find_char(path, '/', i ? at + 1 : 0);
		if (at == SIZE_MAX)
			return path.n;
	}
	return at;
}

static struct err *assets_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	const struct asset_tree *s = (struct asset_tree *)t;
	struct str before = STR("");

	for (size_t i = 0; i < s->list.n; i++) {
		struct tree_file f = {.path = s->list.p[i].path};

		f.path = str_sub(f.path, s->folder.n, f.path.n);
		if (prefix.n && (!str_starts(f.path, prefix) || f.path.n <= prefix.n ||
				 f.path.p[prefix.n] != '/'))
			continue;
		if (s->folders) {
			size_t at = SIZE_MAX,
			       last = folder_end(f.path, s->depth ? s->depth : OS_PATH_MAX);

			/* Reports the folders of the path that the path before it does not have. */
			while ((at = str_find_char(f.path, '/', at + 1)) != SIZE_MAX &&
			       at <= last) {
				struct tree_file folder = {
					str_sub(f.path, 0, at), TREE_FOLDER, {0}, 0};

				if (!str_starts(before, str_sub(f.path, 0, at + 1)))
					TRY(fn(ctx, &folder));
			}
		}
		before = f.path;
		if (!s->depth || folder_end(f.path, s->depth) == f.path.n)
			TRY(fn(ctx, &f));
	}
	return NULL;
}

static struct err *assets_read(struct tree *t, struct arena *a, const struct tree_file *f,
			       size_t max, struct str *out)
{
	const struct asset_tree *s = (struct asset_tree *)t;
	struct str path = str_fmt(a, "%.*s%.*s", STR_ARG(s->folder), STR_ARG(f->path));

	return get_content(s->f, a, path, max, out);
}

static const struct tree_ops asset_ops = {.each = assets_each, .read = assets_read};

ORDER_OF(asset_cmp, struct asset, ORDER_STR(path))

static struct err *store_tree(struct files *f, struct str path, const struct file_walk *w,
			      struct tree **out)
{
	struct asset_tree *s = ARENA_NEW(f->a, struct asset_tree);

	s->t = (struct tree){&asset_ops, STR("the stored assets")};
	s->f = f;
	s->folders = w->folders;
	s->depth = w->depth;
	if (path.n)
		s->folder = str_fmt(f->a, "%.*s/", STR_ARG(path));
	TRY(asset_list_by_prefix(f->assets, f->a, path, &s->list));
	VEC_SORT(&s->list, asset_cmp);
	*out = &s->t;
	return NULL;
}

/* ---- the backend ---- */

const struct backend backend_asset = {
	.name = "asset",
	.stat = store_stat,
	.read = get_content,
	.lock = store_lock,
	.look = store_item_look,
	.check = store_check,
	.put = store_put,
	.finish = store_finish,
	.tree = store_tree,
	.mkdir = store_mkdir,
};
