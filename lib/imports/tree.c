/* Reads tsconfig.json, package.json, go.mod and composer.json, once for all files below them. */
#include <pthread.h>

#include "imports/tree.h"
#include "json/json.h"

#define EXTENDS_MAX 8 /* tsconfig.json that extends another one, and so on */
#define SLOTS_MIN   64
#define ALIASES_MAX 1000 /* of one file */

struct imports_tree {
	struct arena *a;
	const struct deps_files *files;
	pthread_mutex_t lock;
	/* By folder and kind; open addressing. */
	struct slot {
		struct str folder;
		enum imports_settings_of which;
		struct imports_settings *settings; /* NULL: free */
	} * slots;
	size_t n, slots_n;
};

static void tree_free(void *p)
{
	struct imports_tree *t = p;

	pthread_mutex_destroy(&t->lock);
	arena_free(t->a);
}

struct imports_tree *imports_tree_new(struct arena *a, const struct deps_files *files)
{
	struct imports_tree *t = ARENA_NEW(a, struct imports_tree);

	t->files = files;
	t->a = arena_new();
	if (pthread_mutex_init(&t->lock, NULL))
		BUG("a lock cannot be made");
	arena_defer(a, tree_free, t);
	return t;
}

/* ---- the table ---- */

static struct slot *tree_slot(struct imports_tree *t, enum imports_settings_of which,
			      struct str folder)
{
	size_t i = (str_hash(folder) + (size_t)which) & (t->slots_n - 1);

	while (t->slots[i].settings &&
	       !(t->slots[i].which == which && str_eq(t->slots[i].folder, folder)))
		i = (i + 1) & (t->slots_n - 1);
	return &t->slots[i];
}

static void tree_grow(struct imports_tree *t)
{
	struct slot *old = t->slots;
	size_t n = t->slots_n;

	if (t->n * 2 < t->slots_n)
		return;
	t->slots_n = size_max(SLOTS_MIN, n * 2);
	t->slots = arena_array(t->a, t->slots_n, sizeof(*t->slots));
	for (size_t i = 0; i < n; i++)
		if (old[i].settings)
			*tree_slot(t, old[i].which, old[i].folder) = old[i];
}

/* ---- files ---- */

/* A file that cannot be read counts as missing: its names stay as they are written. */
static bool tree_text(struct imports_tree *t, struct str folder, const char *name, struct str *text)
{
	struct str path = folder.n ? str_fmt(t->a, "%.*s/%s", STR_ARG(folder), name) : str_of(name);
	bool found = false;

	return !t->files->read(t->files->ctx, t->a, path, text, &found) && found;
}

static const struct val *tree_json(struct imports_tree *t, struct str folder, const char *name)
{
	struct str text;
	struct val *top;

	if (!tree_text(t, folder, name, &text) ||
	    json_read(t->a, json_uncommented(t->a, text), NULL, &top) || top->type != VAL_MAP)
		return NULL;
	return top;
}

/* ---- aliases ---- */

/* Every text in a value: conditions and lists of package.json name several files. */
static void tree_targets(struct imports_tree *t, struct str folder, const struct val *v,
			 struct strs *out)
{
	struct str path;

	if (v->type == VAL_STR && imports_join(t->a, folder, v->s, &path))
		strs_push(t->a, out, path);
	if (v->type == VAL_LIST || v->type == VAL_MAP)
		VAL_EACH(v, m) /* the reader of JSON limits the depth */
			tree_targets(t, folder, m, out);
}

static void tree_aliases(struct imports_tree *t, struct str folder, const struct val *map,
			 struct imports_aliases *out)
{
	if (!map || map->type != VAL_MAP)
		return;
	VAL_EACH(map, m) {
		struct imports_alias one = {.from = m->key};

		tree_targets(t, folder, m, &one.to);
		if (one.to.n && out->n < ALIASES_MAX)
			*VEC_PUSH(t->a, out) = one;
	}
}

/* One tsconfig.json; what it sets wins over what it extends. */
static void tree_tsconfig_options(struct imports_tree *t, struct str folder, const struct val *top,
				  struct imports_settings *s)
{
	const struct val *options = val_get(top, "compilerOptions");
	struct str base = val_get_str(options, "baseUrl"), at = folder;

	if (base.n && !s->has_base) {
		s->has_base = true;
		if (!imports_join(t->a, folder, base, &s->base))
			s->base = STR("");
	}
	if (base.n && !imports_join(t->a, folder, base, &at))
		at = STR("");
	if (!s->paths.n)
		tree_aliases(t, at, val_get(options, "paths"), &s->paths);
}

/* A list of several files: the last one wins, and the first of them is read here only. */
static struct str tree_extends(const struct val *top)
{
	const struct val *v = val_get(top, "extends");

	if (v && v->type == VAL_LIST)
		v = v->last;
	return v && v->type == VAL_STR ? v->s : STR("");
}

static bool tree_tsconfig(struct imports_tree *t, struct str folder, const char *name,
			  struct imports_settings *s)
{
	const struct val *top = tree_json(t, folder, name);
	struct str next, path;

	if (!top)
		return false;
	tree_tsconfig_options(t, folder, top, s);
	for (int i = 0; i < EXTENDS_MAX; i++) {
		next = tree_extends(top);
		/* A package that is extended is not in the tree. */
		if (!str_starts(next, STR(".")) || !imports_join(t->a, folder, next, &path))
			break;
		if (!str_ends(path, STR(".json")))
			path = str_fmt(t->a, "%.*s.json", STR_ARG(path));
		top = tree_json(t, STR(""), str_c(t->a, path));
		if (!top)
			break;
		folder = imports_folder(path);
		tree_tsconfig_options(t, folder, top, s);
	}
	return true;
}

static void tree_node(struct imports_tree *t, struct str folder, struct imports_settings *s)
{
	struct imports_settings ts = {0};
	const struct val *package;

	if (tree_tsconfig(t, folder, "tsconfig.json", &ts) ||
	    tree_tsconfig(t, folder, "jsconfig.json", &ts)) {
		s->paths = ts.paths;
		s->has_base = ts.has_base;
		s->base = ts.base;
	}
	package = tree_json(t, folder, "package.json");
	if (package) {
		s->imports = (struct imports_aliases){0};
		tree_aliases(t, folder, val_get(package, "imports"), &s->imports);
	}
}

static void tree_go(struct imports_tree *t, struct str folder, struct imports_settings *s)
{
	struct str text, line;

	if (!tree_text(t, folder, "go.mod", &text))
		return;
	while (str_line(&text, &line)) {
		line = str_trim(str_sub(line, 0, str_find(line, STR("//"), 0)));
		if (!str_starts(line, STR("module")) || line.n < 8 || !ascii_is_blank(line.p[6]))
			continue;
		line = str_trim(str_sub(line, 7, line.n));
		if (line.n > 2 && (line.p[0] == '"' || line.p[0] == '`'))
			line = str_sub(line, 1, line.n - 1);
		s->has_module = true;
		s->module = line;
		s->module_folder = folder;
		return;
	}
}

/* "Acme\\": "src/" of PSR-4: the names below Acme are files below src. */
static void tree_psr4(struct imports_tree *t, struct str folder, const struct val *map,
		      struct imports_aliases *out)
{
	if (!map || map->type != VAL_MAP)
		return;
	VAL_EACH(map, m) {
		struct imports_alias one = {.from = imports_slashes(t->a, m->key)};
		struct strs folders = {0};

		if (m->type == VAL_STR)
			strs_push(t->a, &folders, m->s);
		if (m->type == VAL_LIST)
			VAL_EACH(m, v)
				if (v->type == VAL_STR)
					strs_push(t->a, &folders, v->s);
		one.from = str_fmt(t->a, "%.*s*", STR_ARG(one.from));
		for (size_t i = 0; i < folders.n; i++) {
			struct str to = folders.p[i];

			to = str_fmt(t->a, "%.*s/*", STR_ARG(to));
			if (imports_join(t->a, folder, to, &to))
				strs_push(t->a, &one.to, to);
		}
		if (one.to.n && out->n < ALIASES_MAX)
			*VEC_PUSH(t->a, out) = one;
	}
}

static void tree_php(struct imports_tree *t, struct str folder, struct imports_settings *s)
{
	const struct val *top = tree_json(t, folder, "composer.json");

	if (!top)
		return;
	s->psr4 = (struct imports_aliases){0};
	tree_psr4(t, folder, val_get(val_get(top, "autoload"), "psr-4"), &s->psr4);
	tree_psr4(t, folder, val_get(val_get(top, "autoload-dev"), "psr-4"), &s->psr4);
}

static struct imports_settings *tree_folder(struct imports_tree *t, enum imports_settings_of which,
					    struct str folder, const struct imports_settings *above)
{
	struct imports_settings *s;
	struct slot *slot;

	tree_grow(t);
	slot = tree_slot(t, which, folder);
	if (slot->settings)
		return slot->settings;
	s = ARENA_NEW(t->a, struct imports_settings);
	if (above)
		*s = *above;
	folder = str_dup(t->a, folder);
	if (which == IMPORTS_OF_NODE)
		tree_node(t, folder, s);
	else if (which == IMPORTS_OF_GO)
		tree_go(t, folder, s);
	else
		tree_php(t, folder, s);
	*slot = (struct slot){folder, which, s};
	t->n++;
	return s;
}

const struct imports_settings *imports_settings(struct imports_tree *t,
						enum imports_settings_of which, struct str folder)
{
	const struct imports_settings *s = NULL;
	size_t at = 0;

	if (!t || !t->files)
		return NULL;
	pthread_mutex_lock(&t->lock);
	/* From the top down, so that each folder begins with what holds above it. */
	for (;;) {
		s = tree_folder(t, which, str_sub(folder, 0, at), s);
		if (at == folder.n)
			break;
		at = size_min(str_find_char(folder, '/', at + 1), folder.n);
	}
	pthread_mutex_unlock(&t->lock);
	return s;
}

/* The caller's arena, since this takes no lock: other threads use the tree's own. */
bool imports_has_file(struct arena *a, struct imports_tree *t, struct str path)
{
	bool found = false;

	return t && t->files && !t->files->read(t->files->ctx, a, path, NULL, &found) && found;
}

/* Whether the alias names the module; *rest is what stands for its "*". */
static bool alias_fits(struct str from, struct str module, struct str *rest)
{
	size_t star = str_find_char(from, '*', 0);
	struct str head = str_sub(from, 0, star), tail;

	*rest = STR("");
	if (star == SIZE_MAX)
		return str_eq(from, module);
	tail = str_sub(from, star + 1, from.n);
	if (module.n < head.n + tail.n || !str_starts(module, head) || !str_ends(module, tail))
		return false;
	*rest = str_sub(module, head.n, module.n - tail.n);
	return true;
}

void imports_add_aliases(struct arena *a, const struct imports_aliases *list, struct str module,
			 struct imports_names *out)
{
	const struct imports_alias *best = NULL;
	struct str rest, best_rest = {"", 0};
	size_t best_n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct str from = list->p[i].from;
		size_t n = size_min(str_find_char(from, '*', 0), from.n + 1);

		/* An exact name has more bytes than one with a star, so it wins. */
		if (n > best_n && alias_fits(from, module, &rest)) {
			best = &list->p[i];
			best_rest = rest;
			best_n = n;
		}
	}
	for (size_t i = 0; best && i < best->to.n; i++) {
		struct str to = best->to.p[i], path;
		size_t star = str_find_char(to, '*', 0);

		path = star == SIZE_MAX
			       ? to
			       : str_fmt(a, "%.*s%.*s%.*s", STR_ARG(str_sub(to, 0, star)),
					 STR_ARG(best_rest), STR_ARG(str_sub(to, star + 1, to.n)));
		if (imports_join(a, STR(""), path, &path))
			imports_name_add(out, path, true);
	}
}
