/*
 * Sources: which files of a tree are items, and of what layer, owner and type. Each file is looked
 * at alone: that one lies in a folder of the layout changes nothing about the others, so a new
 * folder never takes rules away.
 */
#include "knowledge/read.h"

#define FILE_MAX ((size_t)1 << 20)

/* A file of the tree that may be an item, and what its folders say. */
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
	struct knowledge *k;
	const struct kn_source *source;
	struct tree *tree;
	enum kn_type type;
	bool in_tree;
	bool layers; /* some file is placed in the folder of a layer */
	struct found *p;
	size_t n, cap;
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

static void listing_pass(struct listing *l, struct str path, enum kn_reason why)
{
	kn_pass(l->a, l->k, l->source, path, l->in_tree, why, 0, NULL);
}

static bool is_markdown(struct str path)
{
	return path.n > 3 && str_ieq(str_sub(path, path.n - 3, path.n), STR(".md"));
}

/* A link that has no extension may be a folder of decisions. */
static bool is_candidate(const struct tree_file *file)
{
	struct str path = file->path;
	size_t slash = str_rfind_char(path, '/');

	if (file->kind == TREE_SUBMODULE || is_markdown(path))
		return true;
	path = str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n);
	return file->kind == TREE_LINK && str_find_char(path, '.', 0) == SIZE_MAX;
}

static struct err *list_file(void *ctx, const struct tree_file *file)
{
	struct listing *l = ctx;
	struct found *f;

	if (l->source->files ? !glob_match(l->source->files, file->path)
			     : !is_candidate(file)) {
		listing_pass(l, file->path, l->source->files ? KN_PASSED_NOT_NAMED : KN_PASSED_NOT_MARKDOWN);
		return NULL;
	}
	if (file->kind == TREE_SUBMODULE || file->kind == TREE_LINK) {
		listing_pass(l, file->path, file->kind == TREE_LINK ? KN_PASSED_LINK : KN_PASSED_SUBMODULE);
		return NULL;
	}
	f = VEC_PUSH(l->a, l);
	f->file = *file;
	place(f);
	l->layers = l->layers || (f->placed && f->layered);
	return NULL;
}

static const char *const name_words[] = {
	[KN_NAME_README] = "README", [KN_NAME_INDEX] = "index", [KN_NAME_TEMPLATE] = "template",
};

/* *text is empty for a file that cannot be read, and told is true. */
static struct err *read_text(struct listing *l, const struct found *f, struct str *text, bool *told)
{
	struct err *e = tree_read(l->tree, l->a, &f->file, FILE_MAX, text);

	*told = true;
	if (e && err_reason(e) == E_TOO_BIG)
		/* Nothing of it is seen, so nobody knows whether it has rules. */
		kn_pass(l->a, l->k, l->source, f->file.path, l->in_tree, KN_PASSED_TOO_BIG, 0,
			"it is too big: knowledge has at most %zu bytes", FILE_MAX);
	else if (e && err_reason(e) == E_PERMISSION)
		kn_pass(l->a, l->k, l->source, f->file.path, l->in_tree, KN_PASSED_UNREADABLE, 0,
			"%s", err_message(e));
	else if (e)
		return e;
	else
		*told = false;
	return NULL;
}

static struct err *read_found(struct listing *l, const struct found *f)
{
	struct kn_reading r = {.a = l->a, .k = l->k, .in_tree = l->in_tree,
			       .named = l->source->files != NULL};
	enum kn_name name = kn_name_of(l->a, f->file.path, r.named);
	struct str owner = {"", 0};
	enum kn_layer layer = l->source->layer;
	enum kn_type type = l->type;
	bool told, is_item;

	if (name) {
		kn_pass(l->a, l->k, l->source, f->file.path, l->in_tree, KN_PASSED_NAME, 0,
			"%s files are no items: give it another name", name_words[name]);
		return NULL;
	}
	TRY(read_text(l, f, &r.text, &told));
	if (told)
		return NULL;
	if (f->placed) {
		r.type_fixed = true;
		type = f->type;
	}
	if (f->placed && f->layered) {
		r.layer_fixed = true;
		layer = f->layer;
		owner = str_dup(l->a, f->owner);
	}
	if (f->layered && !f->placed && l->layers)
		kn_note_file(l->a, l->k, KN_WARNING, kn_shown_path(l->a, l->source, f->file.path),
			     l->in_tree,
			     "it is read as %s of layer %s: only in the folders adrs, policies, "
			     "patterns and specs does a file get its type and layer from its folders",
			     kn_types[type], kn_layers[layer]);
	return kn_read(&r, l->source, str_dup(l->a, f->file.path), layer, owner, type, &is_item);
}

struct err *knowledge_read_tree(struct arena *a, const struct kn_source *s, struct tree *t,
				enum kn_type type, bool in_tree, struct knowledge *k)
{
	struct listing l = {.a = a, .k = k, .source = s, .tree = t, .type = type,
			    .in_tree = in_tree};

	TRY(tree_each(t, STR(""), list_file, &l));
	for (size_t i = 0; i < l.n; i++)
		TRY(read_found(&l, &l.p[i]));
	return NULL;
}
