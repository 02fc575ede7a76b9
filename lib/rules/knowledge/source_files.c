/*
 * Decides which files of a source are items, and the layer, owner and type of each. Each file is
 * classified by its own path alone, so a new folder never takes rules away from other files.
 */
#include "knowledge/read.h"

#define FILE_MAX ((size_t)1 << 20)
/* Files of YAML of a source that are read for rules; a source with more has other things than
 * decisions. */
#define YAML_MAX 200

/* A file of the tree that may be an item, and what its folders say. */
struct found {
	struct tree_file file;
	enum kn_name name;
	bool placed;  /* it is in adrs/, policies/, patterns/ or specs/ */
	bool layered; /* it is in the folder of a layer */
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
	size_t passed; /* index of this source's first entry in k->passed */
	size_t items;  /* index of this source's first item in k->items */
	size_t yaml;   /* files of YAML */
	bool layers;   /* some file is both placed and layered */
	struct found *p;
	size_t n, cap;
};

const char *const kn_type_folders[] = {
	[KN_TYPE_ADR] = "adrs",
	[KN_TYPE_POLICY] = "policies",
	[KN_TYPE_PATTERN] = "patterns",
	[KN_TYPE_SPEC] = "specs",
	NULL,
};

const char *const kn_layer_folders[] = {
	[KN_LAYER_COMPANY] = "company",
	[KN_LAYER_ORG] = "orgs",
	[KN_LAYER_TEAM] = "teams",
	[KN_LAYER_PROJECT] = "projects",
	NULL,
};

/* Removes the first folder from the path; false when only a name is left. */
static bool take_folder(struct str *path, struct str *folder)
{
	size_t slash = str_find_char(*path, '/', 0);

	if (slash == SIZE_MAX)
		return false;
	*folder = str_sub(*path, 0, slash);
	*path = str_sub(*path, slash + 1, path->n);
	return true;
}

static void knowledge_source_place(struct found *f)
{
	struct str rest = f->file.path, folder = {"", 0};

	f->owner = (struct str){"", 0};
	if (!take_folder(&rest, &folder))
		return;
	for (int i = 0; kn_layer_folders[i] && !f->layered; i++)
		if (str_is(folder, kn_layer_folders[i])) {
			f->layered = true;
			f->layer = (enum kn_layer)i;
			if (f->layer != KN_LAYER_COMPANY && !take_folder(&rest, &f->owner))
				return;
			if (!take_folder(&rest, &folder))
				return;
		}
	for (int i = 0; kn_type_folders[i]; i++)
		if (str_is(folder, kn_type_folders[i])) {
			f->placed = true;
			f->type = (enum kn_type)i;
		}
}

/* Passes over a file. The last arguments are those of kn_add_skipped_file(). */
#define listing_skip(l, path, ...)                                                                 \
	kn_add_skipped_file((l)->a, (l)->k, (l)->source, path, (l)->in_tree, __VA_ARGS__)
#define listing_pass(l, path, why) listing_skip(l, path, why, NULL)

/* Passes over a file that is no item by its suffix, and that may be meant as a decision. */
static void listing_pass_other(struct listing *l, struct str path)
{
	static const char *const markup[] = {"adoc",     "asciidoc", "rst", "org", "mdx",
					     "markdown", "mdown",    "mkd", NULL};
	static const char *const other[] = {"yaml", "yml", "json", "toml", "txt", "html", NULL};
	size_t dot = str_rfind_char(path, '.');
	struct str end = dot == SIZE_MAX ? STR("") : str_sub(path, dot + 1, path.n);
	bool document = kn_word_index(other, end) >= 0
				? kn_is_numbered(path)
				: kn_word_index(markup, end) >= 0 &&
					  !kn_file_kind_by_name(l->a, str_sub(path, 0, dot), false);

	if (!document)
		listing_pass(l, path, KN_PASSED_NOT_MARKDOWN);
	else if (kn_is_markdown(path, true))
		listing_skip(l, path, KN_PASSED_DOCUMENT,
			     "only files named *.md are items: rename it");
	else
		listing_pass(l, path, KN_PASSED_DOCUMENT);
}

/* Some write rules in YAML beside their decisions. */
static bool source_may_have_rules(struct str path)
{
	return str_ends(path, STR(".yaml")) || str_ends(path, STR(".yml"));
}

static struct err *list_file(void *ctx, const struct tree_file *file)
{
	struct listing *l = ctx;
	struct found *f;
	/* A link that has no extension may be a folder of decisions. */
	bool folder = file->kind == TREE_LINK && !str_holds(str_base(file->path), ".");

	if (l->source->files && !glob_match(l->source->files, file->path)) {
		listing_pass(l, file->path, KN_PASSED_NOT_NAMED);
	} else if (file->kind == TREE_SUBMODULE) {
		listing_pass(l, file->path, KN_PASSED_SUBMODULE);
	} else if (!kn_is_markdown(file->path, true) && !folder &&
		   (!source_may_have_rules(file->path) || l->yaml++ >= YAML_MAX)) {
		listing_pass_other(l, file->path);
	} else if (file->kind == TREE_LINK) {
		listing_pass(l, file->path, KN_PASSED_LINK);
	} else {
		f = VEC_PUSH(l->a, l);
		f->file = *file;
		f->name = kn_file_kind_by_name(l->a, file->path, l->source->files != NULL);
		knowledge_source_place(f);
		l->layers = l->layers || (f->placed && f->layered);
	}
	return NULL;
}

static const char *const name_words[] = {
	[KN_NAME_README] = "README",
	[KN_NAME_INDEX] = "index",
	[KN_NAME_TEMPLATE] = "template",
};

/* Reads a file. *told: it cannot be read, and k->passed says why. */
static struct err *knowledge_source_read_text(struct listing *l, const struct found *f,
					      struct str *text, bool *told)
{
	struct err *e = tree_read(l->tree, l->a, &f->file, FILE_MAX, text);

	*told = true;
	if (e && err_reason(e) == E_TOO_BIG)
		/* ikm cannot know whether the file has rules. */
		listing_skip(l, f->file.path, KN_PASSED_TOO_BIG,
			     "it is too big: knowledge has at most %zu bytes", FILE_MAX);
	else if (e && err_reason(e) == E_PERMISSION)
		listing_skip(l, f->file.path, KN_PASSED_UNREADABLE, "%s", err_message(e));
	else if (e)
		return e;
	else
		*told = false;
	return NULL;
}

/*
 * Passes over a file whose name says that it is no item. If it has rules, its author meant an item,
 * so ikm warns. Templates only have samples.
 */
static struct err *pass_by_name(struct listing *l, const struct found *f)
{
	struct knowledge k = {0};
	struct kn_reading r = {.a = l->a, .k = &k, .named = true};
	const char *what = f->name ? name_words[f->name] : "other";
	bool told, ruled = false, yaml = source_may_have_rules(f->file.path);

	if (yaml && f->file.kind != TREE_LINK) {
		TRY(knowledge_source_read_text(l, f, &r.text, &told));
		if (!told && kn_looks_like_rules(r.text))
			listing_pass(l, f->file.path, KN_PASSED_DOCUMENT);
		else if (!told)
			listing_pass_other(l, f->file.path);
		return NULL;
	}
	if (f->name == KN_NAME_TEMPLATE)
		told = true;
	else
		TRY(knowledge_source_read_text(l, f, &r.text, &told));
	if (!told && kn_looks_like_rules(r.text))
		ruled = kn_read(&r, l->source, f->file.path, l->source->layer, STR(""), l->type) &&
			(k.items.p[0].constraints_n || k.items.p[0].broken);
	if (f->name)
		listing_skip(l, f->file.path, KN_PASSED_NAME,
			     "%s files are no items: give it another name", what);
	else if (ruled)
		listing_pass(l, f->file.path, KN_PASSED_NOT_MARKDOWN);
	else
		listing_pass_other(l, f->file.path);
	if (ruled)
		kn_note_file(
			l->a, l->k, KN_WARNING, KN_RULE_FILE_NAME,
			kn_shown_path(l->a, l->source, f->file.path), l->in_tree,
			f->name ? "it has rules, and %s files are no items: give it another name"
				: "it has rules, and only *.md files are items, no %s: rename it",
			what);
	return NULL;
}

static struct err *read_found(struct listing *l, const struct found *f)
{
	struct kn_reading r = {
		.a = l->a, .k = l->k, .in_tree = l->in_tree, .named = l->source->files != NULL};
	struct str owner = {"", 0};
	enum kn_layer layer = l->source->layer;
	enum kn_type type = l->type;
	bool told;

	if (f->name || !kn_is_markdown(f->file.path, r.named))
		return pass_by_name(l, f);
	TRY(knowledge_source_read_text(l, f, &r.text, &told));
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
		kn_note_file(l->a, l->k, KN_WARNING, KN_RULE_FOLDER,
			     kn_shown_path(l->a, l->source, f->file.path), l->in_tree,
			     "it is read as %s of layer %s: a file gets its type and layer from "
			     "its folders only in adrs, policies, patterns and specs",
			     kn_types[type], kn_layers[layer]);
	kn_read(&r, l->source, str_dup(l->a, f->file.path), layer, owner, type);
	return NULL;
}

/* ---- notes on a source ---- */

#define DEPTHS 8

/* README and index files in folders without an item: the folder itself may be meant as an item. */
struct alone {
	size_t n, depths[DEPTHS]; /* number of such files, by depth of folders */
	struct str name[DEPTHS];  /* of the first such file */
};

static void find_alone(struct listing *l, struct alone *out)
{
	struct strs folders = {0};

	for (size_t i = 0; i < l->n; i++)
		if (!l->p[i].name && kn_is_markdown(l->p[i].file.path, true))
			strs_push(l->a, &folders, str_dir(l->p[i].file.path));
	strs_sort(&folders);
	for (size_t i = 0; i < l->n; i++) {
		struct str path = l->p[i].file.path, folder = str_dir(path);
		size_t depth = 1;

		if (l->p[i].name != KN_NAME_README && l->p[i].name != KN_NAME_INDEX)
			continue;
		if (!folder.n || strs_sorted_has(&folders, folder))
			continue;
		for (size_t j = 0; j < folder.n; j++)
			depth += folder.p[j] == '/';
		out->n++;
		if (depth < DEPTHS && !out->depths[depth]++)
			out->name[depth] = str_sub(path, folder.n + 1, path.n);
	}
}

/* A glob for the most frequent depth: a star for each folder, then the file's name. */
static struct str glob_of(struct arena *a, const struct alone *w)
{
	struct buf b = buf_in(a);
	size_t best = 1;

	for (size_t i = 1; i < DEPTHS; i++)
		if (w->depths[i] > w->depths[best])
			best = i;
	for (size_t i = 0; i < best; i++)
		buf_puts(&b, "*/");
	buf_put(&b, w->name[best].n ? w->name[best] : STR("README.md"));
	return buf_as_str(&b);
}

/* The skipped files: "656 README, index or template, 3 not named *.md". */
static struct str counts(const struct listing *l)
{
	static const struct {
		enum kn_reason why;
		const char *what;
	} rows[] = {
		{KN_PASSED_NAME, "README, index or template"},
		{KN_PASSED_NOT_MARKDOWN, "not named *.md"},
		{KN_PASSED_NOT_NAMED, "not matched by its \"files\""},
	};
	struct buf b = buf_in(l->a);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t n = 0;

		for (size_t j = l->passed; j < l->k->passed.n; j++)
			n += l->k->passed.p[j].why == rows[i].why ||
			     (rows[i].why == KN_PASSED_NOT_MARKDOWN &&
			      l->k->passed.p[j].why == KN_PASSED_DOCUMENT);
		if (n)
			buf_fmt(&b, "%s%zu %s", b.n ? ", " : "", n, rows[i].what);
	}
	return buf_as_str(&b);
}

#define NAMED_FILES 3 /* files that one note names */

#define ALONE_MIN 3

static void tell_source(struct listing *l)
{
	size_t files = l->k->passed.n - l->passed;
	bool none = l->k->items.n == l->items;
	struct alone w = {0};
	struct str help = {"", 0}, passed = counts(l);
	struct strs names = {0};
	size_t n;

	if (!l->source->files)
		find_alone(l, &w);
	if (w.n)
		help = str_fmt(l->a,
			       "; to read a folder as an item, give the source \"files\": "
			       "\"%.*s\"",
			       STR_ARG(glob_of(l->a, &w)));
	/* Decisions beside Markdown in another format, which nobody would miss. */
	for (size_t i = l->passed; i < l->k->passed.n; i++) {
		const struct kn_passed *p = &l->k->passed.p[i];

		if (p->why == KN_PASSED_DOCUMENT)
			strs_push(l->a, &names, p->path);
	}
	strs_sort(&names);
	n = names.n;
	names.n = size_min(n, NAMED_FILES);
	if (n)
		listing_skip(
			l, STR(""), KN_PASSED_DOCUMENTS,
			"%zu file%s that may be %s not read, because only Markdown in files named "
			"*.md is: %.*s%s",
			n, PLURAL(n), n == 1 ? "a decision is" : "decisions are",
			STR_ARG(str_join(l->a, &names, ", ")), n > NAMED_FILES ? ", ..." : "");
	/* Unreadable files, links and submodules are reported one by one. */
	if (none && (passed.n || !files))
		listing_skip(l, STR(""), KN_PASSED_NO_ITEM,
			     "no item is in this source: %s%.*s%s%.*s",
			     files ? "its files are passed over (" : "it has no files",
			     STR_ARG(passed), files ? ")" : "", STR_ARG(help));
	else if (w.n >= ALONE_MIN)
		listing_skip(l, STR(""), KN_PASSED_FOLDERS,
			     "%zu README or index files are no items%.*s", w.n, STR_ARG(help));
}

struct err *knowledge_read_tree(struct arena *a, const struct kn_source *s, struct tree *t,
				enum kn_type type, bool in_tree, struct knowledge *k)
{
	struct listing l = {.a = a,
			    .k = k,
			    .source = s,
			    .tree = t,
			    .type = type,
			    .in_tree = in_tree,
			    .passed = k->passed.n,
			    .items = k->items.n};

	TRY(tree_foreach(t, STR(""), list_file, &l));
	for (size_t i = 0; i < l.n; i++)
		TRY(read_found(&l, &l.p[i]));
	tell_source(&l);
	return NULL;
}
