#include "knowledge/load.h"
#include "knowledge/read.h"
#include "os/os.h"

#define CONF_NAME ".ikm/config.json"
#define CONF_MAX  ((size_t)1 << 20)
#define FOLDER    ".knowledge"
#define GIVEN     "--knowledge"

struct loading {
	struct arena *a;
	const struct knowledge_place *place;
	struct knowledge *k;
	const struct conf_part *part; /* the configured source that is being read */
	unsigned layers;              /* layers that have a source, as bits */
};

/* One configured source: {layer, path, ref, type, files}. */
struct named {
	struct str path, ref, where, pattern;
	struct glob *files; /* the pattern; NULL: none */
	int layer, type;    /* layer -1: the folders of the layout decide */
	enum conf_origin origin;
};

struct err *knowledge_tree_conf(struct arena *a, struct tree *t, const struct strs *args,
				struct conf **out)
{
	struct conf_input in = {0};
	struct tree_file f;
	bool found = false;

	if (args)
		in.args = *args;
	if (t)
		TRY(tree_find(t, STR(CONF_NAME), &f, &found));
	if (found && (f.kind == TREE_FILE || f.kind == TREE_EXEC)) {
		TRY(tree_read(t, a, &f, CONF_MAX, &in.repo_text));
		if (!in.repo_text.p)
			in.repo_text.p = "";
		in.repo_name = str_fmt(a, CONF_NAME " in %.*s", STR_ARG(t->name));
	} else if (found) {
		return err_new(E_BAD_CONFIG, CONF_NAME " in %.*s is no file", STR_ARG(t->name));
	}
	return conf_load(a, &in, out);
}

static struct err *knowledge_load_missing(const struct named *n, const char *why)
{
	struct err *e =
		err_new(E_NO_SUCH_SOURCE, "the knowledge source '%.*s' (%.*s) cannot be read: %s",
			STR_ARG(n->path), STR_ARG(n->where), why);

	return n->origin == CONF_ARG
		       ? err_help(e, "correct what %.*s gives, or leave it out", STR_ARG(n->where))
		       : err_help(e, "make it available, or take it out of knowledge.sources");
}

static struct kn_source *source_new(struct loading *l, const struct named *n, struct str prefix,
				    bool in_tree, const char *folder)
{
	struct kn_source *s = ARENA_NEW(l->a, struct kn_source);

	s->layer = n->layer >= 0 ? (enum kn_layer)n->layer : KN_LAYER_PROJECT;
	s->type = n->type >= 0 ? (enum kn_type)n->type : KN_TYPE_ADR;
	s->name = n->ref.n ? str_fmt(l->a, "%.*s at %.*s", STR_ARG(n->path), STR_ARG(n->ref))
			   : n->path;
	s->prefix = prefix;
	s->files = n->files;
	s->given = str_is(n->where, GIVEN);
	s->folder = folder;
	s->in_tree = in_tree;
	*VEC_PUSH(l->a, &l->k->configured) = s;
	return s;
}

static struct err *read_source(struct loading *l, const struct named *n, struct tree *t,
			       struct kn_source *s)
{
	if (n->layer >= 0)
		l->layers |= 1u << n->layer;
	l->k->sources++;
	if (s->in_tree)
		strs_push(l->a, &l->k->folders,
			  s->prefix.n ? str_sub(s->prefix, 0, s->prefix.n - 1) : s->prefix);
	return knowledge_read_tree(l->a, s, t, s->type, s->in_tree, l->k);
}

static struct err *marker_is_there(struct tree *t, const char *marker, bool *has)
{
	struct tree_file f;

	return str_eq(str_of(marker), STR(FOLDER)) ? tree_has_files(t, STR(FOLDER), has)
						   : tree_find(t, str_of(marker), &f, has);
}

struct err *knowledge_unstaged_config(struct tree *disk, struct tree *index, const char **name)
{
	static const char *const markers[] = {CONF_NAME, FOLDER};
	bool here, there;

	*name = NULL;
	for (size_t i = 0; !*name && i < ARRAY_SIZE(markers); i++) {
		TRY(marker_is_there(disk, markers[i], &here));
		TRY(marker_is_there(index, markers[i], &there));
		if (here && !there)
			*name = markers[i];
	}
	return NULL;
}

/* Finds the leading part of the path that is a submodule in the tree. */
static struct err *submodule_of(struct tree *t, struct str path, struct tree_file *sub, bool *found)
{
	*found = false;
	for (size_t i = 0; i <= path.n && !*found; i++) {
		if (i < path.n && path.p[i] != '/')
			continue;
		TRY(tree_find(t, str_sub(path, 0, i), sub, found));
		*found = *found && sub->kind == TREE_SUBMODULE;
	}
	return NULL;
}

struct str knowledge_inner_path(struct arena *a, struct str path, bool *outside)
{
	struct strs parts = {0};
	struct str rest = path, part;

	*outside = (path.n && (path.p[0] == '/' || path.p[0] == '~')) || str_has_nul(path);
	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, "..") && !parts.n)
			*outside = true;
		else if (str_is(part, ".."))
			parts.n--;
		else if (part.n && !str_is(part, "."))
			strs_push(a, &parts, part);
	}
	return str_join(a, &parts, "/");
}

bool knowledge_path_is_in_source(const struct conf *conf, struct str path)
{
	const struct conf_parts *parts = &conf->knowledge_sources;
	struct arena *a ARENA_LOCAL = arena_new();
	bool named = false, in = false, outside;

	for (size_t i = 0; i < parts->n && !in; i++) {
		struct str at;

		if (parts->p[i].origin != CONF_REPO)
			continue;
		named = true;
		at = knowledge_inner_path(a, val_get_str(parts->p[i].value, "path"), &outside);
		in = !outside && at.n && str_starts(path, str_fmt(a, "%.*s/", STR_ARG(at)));
	}
	return in || (!named && str_starts(path, STR(FOLDER "/")));
}

static struct err *repo_source(struct loading *l, const struct named *n)
{
	const struct knowledge_place *p = l->place;
	struct tree *t = p->tree;
	struct tree_file sub;
	bool outside, has, in_tree = !n->ref.n;
	struct str path = knowledge_inner_path(l->a, n->path, &outside);
	struct str prefix = path.n ? str_fmt(l->a, "%.*s/", STR_ARG(path)) : path;
	const char *ref = p->ref, *top = git_top(p->git), *folder = NULL;
	struct kn_source *s;

	if (n->ref.n) {
		struct err *e;

		ref = str_c(l->a, n->ref);
		e = git_tree_at(p->git, ref, &t);
		if (e)
			return knowledge_load_missing(n, err_message(e));
	}
	TRY(submodule_of(t, path, &sub, &has));
	if (has) {
		struct err *e = git_tree_of_submodule(p->git, &sub, &t);

		if (e)
			return err_add_context(e, "the knowledge source '%.*s' (%.*s)",
					       STR_ARG(n->path), STR_ARG(n->where));
		top = NULL;
		path = str_sub(path, sub.path.n + (path.n > sub.path.n), path.n);
		in_tree = false;
	}
	if (top && in_tree && !ref)
		folder = path.n ? os_join(l->a, top, str_c(l->a, path)) : top;
	s = source_new(l, n, prefix, in_tree, folder);
	s->repo = top ? top : git_dir(p->git);
	s->ref = ref;
	s->own = true;
	TRY(tree_has_files(t, path, &has));
	if (!has && p->emptied && in_tree && path.n) {
		strs_push(l->a, p->emptied, path);
		return NULL;
	}
	if (!has)
		return knowledge_load_missing(
			n, str_c(l->a, str_fmt(l->a, "%.*s has no such folder", STR_ARG(t->name))));
	if (path.n)
		t = tree_sub(l->a, t, path);
	return read_source(l, n, t, s);
}

/*
 * Opens the repository of a folder that may lack on the disk, because another commit is checked out
 * or because the repository is bare. *folder: the folder from the top of the repository. Errors:
 * those of the folder itself.
 */
static struct err *open_folder(struct arena *a, const char *path, struct git **g, const char **repo,
			       struct str *folder)
{
	struct str at = str_of(path), rest = {"", 0}, prefix = {"", 0};
	const char *why = NULL;

	for (;;) {
		struct err *e = os_realpath(a, str_c(a, at), repo);
		bool lacks = e && err_code(e) == CODE_NOT_FOUND;
		size_t slash;

		if (!e)
			e = git_open(a, *repo, g);
		if (!e)
			break;
		if (!why)
			why = str_dup(a, str_of(err_message(e))).p;
		slash = str_rfind_char(at, '/');
		if (!lacks || slash == SIZE_MAX || !slash)
			return err_new(E_NO_SUCH_SOURCE, "%s", why);
		rest = str_fmt(a, "%.*s%s%.*s", STR_ARG(str_sub(at, slash + 1, at.n)),
			       rest.n && slash + 1 < at.n ? "/" : "", STR_ARG(rest));
		at = str_sub(at, 0, slash);
	}
	if (!git_is_bare(*g))
		prefix = git_prefix(*g);
	*folder = str_fmt(a, "%.*s%.*s", STR_ARG(prefix), STR_ARG(rest));
	while (folder->n && folder->p[folder->n - 1] == '/')
		folder->n--;
	return NULL;
}

/* Reads a folder of some repository at a ref, without looking at what is checked out. */
static struct err *source_at_ref(struct loading *l, const struct named *n, const char *path)
{
	const char *ref = str_c(l->a, n->ref), *repo;
	struct str folder, prefix = {"", 0};
	struct kn_source *s;
	struct tree *t;
	struct git *g;
	bool has;
	struct err *e = open_folder(l->a, path, &g, &repo, &folder);

	if (!e)
		e = git_tree_at(g, ref, &t);
	if (e)
		return knowledge_load_missing(n, err_message(e));
	TRY(tree_has_files(t, folder, &has));
	if (!has)
		return knowledge_load_missing(
			n, str_fmt(l->a, "%.*s has no such folder", STR_ARG(t->name)).p);
	if (folder.n) {
		prefix = str_fmt(l->a, "%.*s/", STR_ARG(folder));
		t = tree_sub(l->a, t, folder);
	}
	s = source_new(l, n, prefix, false, NULL);
	s->repo = repo;
	s->ref = ref;
	return read_source(l, n, t, s);
}

/* Reads a source that the user named: a folder, or a folder of some repository at a ref. */
static struct err *outer_source(struct loading *l, const struct named *n)
{
	struct tree_dir_options o = {0};
	const char *path = str_c(l->a, n->path), *home = os_home(), *real, *top = NULL;
	struct str prefix = {"", 0};
	struct kn_source *s;
	struct tree *t;
	struct git *g;
	struct err *e;

	if (home && (str_is(n->path, "~") || str_starts(n->path, STR("~/"))))
		path = str_fmt(l->a, "%s%s", home, path + 1).p;
	if (n->ref.n)
		return source_at_ref(l, n, path);
	e = os_realpath(l->a, path, &real);
	if (e)
		return knowledge_load_missing(n, err_message(e));
	if (!git_open(l->a, real, &g))
		top = git_top(g);
	if (top)
		prefix = git_prefix(g);
	e = tree_of_folder(l->a, real, &o, &t);
	if (e)
		return knowledge_load_missing(n, err_message(e));
	s = source_new(l, n, prefix, false, real);
	s->repo = top;
	return read_source(l, n, t, s);
}

static const struct field source_rows[] = {
	FIELD_NAMED(struct named, layer, "layer", kn_layers, "the layer of its items",
		    .flags = OPTIONAL | ANY_CASE),
	FIELD_OF(struct named, path, "a folder"),
	FIELD_OF(struct named, ref, "a revision of its repository", .flags = OPTIONAL),
	FIELD_NAMED(struct named, type, "type", kn_types, "the type of its items",
		    .flags = OPTIONAL | ANY_CASE),
	FIELD_AS(struct named, pattern, "files", "a glob of its items", .flags = OPTIONAL),
	{0},
};

static struct err *source_wrong(void *ctx, const struct record_problem *p)
{
	const struct loading *l = ctx;
	const struct str where = l->part->where;

	switch (p->reason) {
	case E_MISSING_PARAMETER:
		return err_help(err_new(E_BAD_CONFIG, "%.*s: a source has no path", STR_ARG(where)),
				"write the folder of its files: {\"path\": \"docs/adr\"}");
	case E_NOT_IN_ENUM:
		return err_new(E_BAD_CONFIG, "%.*s: a source's %s is '%.*s'; allowed: %.*s",
			       STR_ARG(where), p->field->name, STR_ARG(p->at->s),
			       STR_ARG(kn_choices(l->a, p->field->choices)));
	default:
		return err_new(E_BAD_CONFIG,
			       "%.*s: a source's '%.*s' is %s; a source has layer, path, "
			       "ref, type and files, all strings",
			       STR_ARG(where), STR_ARG(p->at->key),
			       p->field ? val_type_name(p->at->type) : "unknown");
	}
}

/* Reads one member of knowledge.sources. */
static struct err *configured_read(struct loading *l, const struct conf_part *part, struct named *n)
{
	const struct record_reader how = {
		.unknown = RECORD_REFUSED, .wrong = source_wrong, .ctx = l};
	bool outside = false;
	struct err *e;

	*n = (struct named){.origin = part->origin, .where = part->where, .layer = -1, .type = -1};
	l->part = part;
	TRY(record_from_val(l->a, &how, source_rows, part->value, n));
	if (str_has_nul(n->path) || str_has_nul(n->ref))
		return err_new(E_BAD_CONFIG, "%.*s: a source has no path", STR_ARG(part->where));
	if (n->pattern.n && (e = glob_new(l->a, n->pattern, &n->files)))
		return err_add_context(e, "%.*s: a source's files", STR_ARG(part->where));
	if (n->origin == CONF_REPO)
		knowledge_inner_path(l->a, n->path, &outside);
	if (!outside)
		return NULL;
	return err_help(err_new(E_UNTRUSTED_CONFIG,
				"%.*s: the source '%.*s' is outside the repository",
				STR_ARG(n->where), STR_ARG(n->path)),
			"a repository may only name sources in itself; name this source in "
			"~/.ikigai/config.json");
}

static struct err *configured(struct loading *l, const struct conf_part *part)
{
	struct named n;

	TRY(configured_read(l, part, &n));
	if (n.origin != CONF_REPO)
		return outer_source(l, &n);
	/* A source of the repository needs the repository's tree; without a tree it is skipped. */
	return l->place->git && l->place->tree ? repo_source(l, &n) : NULL;
}

struct err *knowledge_check_sources(struct arena *a, const struct conf *conf)
{
	struct loading l = {.a = a};
	struct named n;

	for (size_t i = 0; i < conf->knowledge_sources.n; i++)
		TRY(configured_read(&l, &conf->knowledge_sources.p[i], &n));
	return NULL;
}

/*
 * Records the error of a bad source in place->missing, if the caller gave that list. Other failures
 * stay errors.
 */
static struct err *or_missing(struct loading *l, struct err *e)
{
	struct strs *missing = l->place->missing;

	if (!e || !missing || (err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND))
		return e;
	strs_push(l->a, missing, str_dup(l->a, str_of(err_message(e))));
	return NULL;
}

/* Reads a source [LAYER=]PATH of --knowledge or IKM_KNOWLEDGE. */
static struct err *knowledge_load_given(struct loading *l, struct str text, struct str where)
{
	struct named n = {
		.origin = CONF_ARG, .where = where, .layer = -1, .type = -1, .path = text};
	size_t eq = str_find_char(text, '=', 0);

	if (eq != SIZE_MAX)
		n.layer = kn_word_index(kn_layers, str_sub(text, 0, eq));
	if (n.layer >= 0)
		n.path = str_sub(text, eq + 1, text.n);
	if (!n.path.n)
		return err_help(err_new(E_BAD_ARGUMENT, "%.*s: '%.*s' names no folder",
					STR_ARG(where), STR_ARG(text)),
				"write a folder, or LAYER=FOLDER, such as org=../org");
	return outer_source(l, &n);
}

static struct err *knowledge_load_required(struct loading *l)
{
	const struct conf_parts *parts = &l->place->conf->knowledge_requires;

	for (size_t i = 0; i < l->k->items.n; i++)
		l->layers |= 1u << l->k->items.p[i].layer;
	for (size_t i = 0; i < parts->n; i++) {
		int layer = kn_word_index(kn_layers, parts->p[i].value->s);

		if (!(l->layers & 1u << layer))
			return err_help(
				err_new(E_NO_SUCH_SOURCE,
					"%.*s requires %s knowledge, and no source has it",
					STR_ARG(parts->p[i].where), kn_layers[layer]),
				"name a source in knowledge.sources of ~/.ikigai/config.json, in "
				"IKM_KNOWLEDGE or with --knowledge %s=DIR",
				kn_layers[layer]);
	}
	return NULL;
}

struct err *knowledge_load(struct arena *a, const struct knowledge_place *p, struct knowledge **out)
{
	struct loading l = {.a = a, .place = p, .k = ARENA_NEW(a, struct knowledge)};
	const struct conf_parts *parts = &p->conf->knowledge_sources;
	struct str env = str_of(os_env("IKM_KNOWLEDGE")), part;
	bool repo = false;

	for (size_t i = 0; i < parts->n; i++) {
		repo = repo || parts->p[i].origin == CONF_REPO;
		TRY(or_missing(&l, configured(&l, &parts->p[i])));
	}
	if (!repo && p->git && p->tree) {
		struct named n = {.path = STR(FOLDER),
				  .where = STR("built in"),
				  .layer = -1,
				  .type = -1,
				  .origin = CONF_REPO};
		bool has;

		TRY(tree_has_files(p->tree, n.path, &has));
		if (has)
			TRY(repo_source(&l, &n));
	}
	while (str_next_part(&env, ':', &part))
		if (part.n)
			TRY(knowledge_load_given(&l, part, STR("IKM_KNOWLEDGE")));
	for (size_t i = 0; i < p->given.n; i++)
		TRY(knowledge_load_given(&l, p->given.p[i], STR(GIVEN)));
	knowledge_finish(a, l.k);
	TRY(knowledge_load_required(&l));
	*out = l.k;
	return NULL;
}
