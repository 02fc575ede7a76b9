/* Sources: which files of a tree are items, and of what layer, owner and type. */
#include "knowledge/read.h"

#define FILE_MAX ((size_t)1 << 20)

/* A Markdown file of the tree, and what its folders say. */
struct found {
	struct tree_file file;
	bool placed;  /* it is in adrs/, policies/, patterns/ or specs/ */
	bool layered; /* and that in the folder of a layer */
	enum kn_layer layer;
	enum kn_type type;
	struct str owner;
};

struct listing {
	struct arena *a;
	struct found *p;
	size_t n, cap;
	bool layout; /* some file is placed, so those that are not are no items */
};

static const struct {
	const char *name;
	enum kn_type type;
} type_folders[] = {
	{"adrs", KN_TYPE_ADR},
	{"policies", KN_TYPE_POLICY},
	{"patterns", KN_TYPE_PATTERN},
	{"specs", KN_TYPE_SPEC},
};

static const struct {
	const char *name;
	enum kn_layer layer;
	bool owned; /* a folder {id} follows */
} layer_folders[] = {
	{"company", KN_LAYER_COMPANY, false},
	{"orgs", KN_LAYER_ORG, true},
	{"teams", KN_LAYER_TEAM, true},
	{"projects", KN_LAYER_PROJECT, true},
};

/* Takes a folder off the path; false when only a name is left. */
static bool take_folder(struct str *path, struct str *folder)
{
	size_t slash = str_find_char(*path, '/', 0);

	if (slash == SIZE_MAX)
		return false;
	*folder = str_sub(*path, 0, slash);
	*path = str_sub(*path, slash + 1, path->n);
	return true;
}

static void place(struct found *f)
{
	struct str rest = f->file.path, folder = {"", 0};

	f->owner = (struct str){"", 0};
	if (!take_folder(&rest, &folder))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(layer_folders) && !f->layered; i++)
		if (str_is(folder, layer_folders[i].name)) {
			f->layered = true;
			f->layer = layer_folders[i].layer;
			if (layer_folders[i].owned && !take_folder(&rest, &f->owner))
				return;
			if (!take_folder(&rest, &folder))
				return;
		}
	for (size_t i = 0; i < ARRAY_SIZE(type_folders); i++)
		if (str_is(folder, type_folders[i].name)) {
			f->placed = true;
			f->type = type_folders[i].type;
		}
}

static struct err *list_file(void *ctx, const struct tree_file *file)
{
	struct listing *l = ctx;
	struct str path = file->path;
	struct found *f;

	if (path.n <= 3 || !str_ieq(str_sub(path, path.n - 3, path.n), STR(".md")) ||
	    file->kind == TREE_SUBMODULE)
		return NULL;
	f = VEC_PUSH(l->a, l);
	f->file = *file;
	place(f);
	l->layout = l->layout || f->placed;
	return NULL;
}

static struct err *read_found(struct arena *a, const struct kn_source *s, struct tree *t,
			      const struct found *f, const struct listing *l, enum kn_type type,
			      bool in_tree, struct knowledge *k)
{
	struct kn_reading r = {.a = a, .k = k, .in_tree = in_tree};
	struct str shown = kn_shown_path(a, s, f->file.path), owner = f->owner;
	enum kn_layer layer = s->layer;
	struct err *e;
	bool is_item;

	if (kn_is_no_item(a, f->file.path))
		return NULL;
	if (l->layout && !f->placed) {
		kn_note_file(
			a, k, KN_WARNING, shown, in_tree,
			"it is not read: it is in none of the folders adrs, policies, patterns "
			"and specs");
		return NULL;
	}
	if (f->file.kind == TREE_LINK) {
		kn_note_file(a, k, KN_WARNING, shown, in_tree,
			     "it is not read: it is a symbolic link");
		return NULL;
	}
	e = tree_read(t, a, &f->file, FILE_MAX, &r.text);
	if (e && err_reason(e) == E_TOO_BIG) {
		/* Nothing of it is seen, so nobody knows whether it has rules. */
		kn_note_file(a, k, KN_BROKEN, shown, in_tree,
			     "the file is too big: over %zu bytes cannot be knowledge", FILE_MAX);
		return NULL;
	}
	TRY(e);
	if (l->layout) {
		r.type_fixed = true;
		type = f->type;
	}
	if (l->layout && f->layered) {
		r.layer_fixed = true;
		layer = f->layer;
	} else {
		owner = (struct str){"", 0};
	}
	return kn_read(&r, s, str_dup(a, f->file.path), layer, str_dup(a, owner), type, &is_item);
}

struct err *knowledge_read_tree(struct arena *a, const struct kn_source *s, struct tree *t,
				enum kn_type type, bool in_tree, struct knowledge *k)
{
	struct listing l = {.a = a};

	TRY(tree_each(t, STR(""), list_file, &l));
	for (size_t i = 0; i < l.n; i++)
		TRY(read_found(a, s, t, &l.p[i], &l, type, in_tree, k));
	return NULL;
}
