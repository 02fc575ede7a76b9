/* Finds the folder in which a new item can be made. */
#include "knowledge/item_edit.h"
#include "knowledge/read.h"
#include "os/os.h"

struct folder_search {
	struct arena *a;
	const struct knowledge *k;
	enum kn_type type;
	int layer;
	struct knowledge_folders found;
};

static bool folder_is(struct arena *a, const char *path, const char *name)
{
	struct os_stat st;

	return !os_stat(os_join(a, path, name), true, &st) && st.kind == OS_DIR;
}

static void folder_add(struct folder_search *s, const struct kn_source *source, struct str name,
		       enum kn_layer layer, struct str owner)
{
	if (s->layer >= 0 && s->layer != (int)layer)
		return;
	*VEC_PUSH(s->a, &s->found) = (struct knowledge_folder){
		.source = source,
		.path = name.n ? os_join(s->a, source->folder, str_c(s->a, name)) : source->folder,
		.name = name,
		.layer = layer,
		.owner = owner,
	};
}

/* Whether the source has items of its own type that no folder gives a type. */
static bool folder_is_flat(const struct folder_search *s, const struct kn_source *source)
{
	VEC_EACH(const struct kn_item, it, &s->k->items)
		if (it->source == source && !str_holds(it->path, "/"))
			return true;
	return false;
}

static struct err *folder_candidates(struct folder_search *s, const struct kn_source *source)
{
	size_t before = s->found.n;
	bool typed = false;
	const char *type = kn_type_folders[s->type];
	struct strs owners = {0};

	if (!source->folder)
		return NULL;
	/* company/adrs, teams/{id}/adrs; of each layer whose folder is there. */
	for (int l = 0; kn_layer_folders[l]; l++) {
		const char *layer = kn_layer_folders[l];

		if (!folder_is(s->a, source->folder, layer))
			continue;
		owners.n = 0;
		if (l == KN_LAYER_COMPANY) {
			folder_add(s, source, str_fmt(s->a, "%s/%s", layer, type), (enum kn_layer)l,
				   STR(""));
			continue;
		}
		TRY(os_list(s->a, os_join(s->a, source->folder, layer), &owners));
		for (size_t i = 0; i < owners.n; i++)
			if (folder_is(s->a, os_join(s->a, source->folder, layer),
				      str_c(s->a, owners.p[i])))
				folder_add(s, source,
					   str_fmt(s->a, "%s/%.*s/%s", layer, STR_ARG(owners.p[i]),
						   type),
					   (enum kn_layer)l, owners.p[i]);
	}
	if (s->found.n > before)
		return NULL;
	for (int t = 0; kn_type_folders[t]; t++)
		typed = typed || folder_is(s->a, source->folder, kn_type_folders[t]);
	if (folder_is(s->a, source->folder, type) ||
	    (typed && !(source->type == s->type && folder_is_flat(s, source))))
		folder_add(s, source, str_of(type), source->layer, STR(""));
	else if (source->type == s->type)
		folder_add(s, source, STR(""), source->layer, STR(""));
	return NULL;
}

/* ---- a folder that the person names ---- */

/* The path of a folder below another one; p NULL: it is elsewhere. */
static struct str folder_below(const char *top, const char *path)
{
	size_t n = strlen(top);

	if (strncmp(top, path, n) || (path[n] && path[n] != '/'))
		return (struct str){NULL, 0};
	return path[n] ? str_of(path + n + 1) : STR("");
}

static bool folder_is_source(const char *have, const char *given)
{
	const char *real = have;
	struct arena *a ARENA_LOCAL = arena_new();
	struct err *e = os_realpath(a, have, &real);

	return !strcmp(have, given) || (!e && !strcmp(real, given));
}

static struct err *folder_given(struct folder_search *s, const char *given)
{
	const struct knowledge *k = s->k;

	for (size_t i = 0; i < k->configured.n; i++) {
		const struct kn_source *source = k->configured.p[i];
		size_t before = s->found.n, kept = before;
		struct str name;

		TRY(folder_candidates(s, source));
		if (!source->folder || folder_is_source(source->folder, given))
			continue;
		/* Not the whole source: a folder in it, or the one that holds a candidate. */
		for (size_t j = before; j < s->found.n; j++)
			if (folder_below(given, s->found.p[j].path).p)
				s->found.p[kept++] = s->found.p[j];
		s->found.n = kept;
		name = folder_below(source->folder, given);
		if (kept == before && name.p)
			folder_add(s, source, str_dup(s->a, name), source->layer, STR(""));
	}
	return NULL;
}

/* ---- errors ---- */

static struct err *folder_none(const struct folder_search *s, const char *given)
{
	struct strs names = {0};
	struct buf b = buf_in(s->a);
	struct str all;
	struct err *e;

	/* "docs/adr (adr), docs/policies (policy)" */
	for (size_t i = 0; i < s->k->configured.n; i++) {
		const struct kn_source *one = s->k->configured.p[i];

		buf_fmt(&b, "%s%.*s (%s%s)", b.n ? ", " : "", STR_ARG(one->name),
			kn_types[one->type], one->folder ? "" : ", no folder on disk");
		strs_push(s->a, &names, one->name);
	}
	all = buf_as_str(&b);
	if (given)
		e = err_for_param(E_NO_SUCH_SOURCE, STR("source"),
				  "no source can take a new %s in '%s'; sources: %.*s",
				  kn_types[s->type], given, STR_ARG(all));
	else if (s->layer >= 0)
		e = err_for_param(E_NO_SUCH_SOURCE, STR("layer"),
				  "no source can take a new %s of the layer %s; sources: %.*s",
				  kn_types[s->type], kn_layers[s->layer], STR_ARG(all));
	else
		e = err_new(E_NO_SUCH_SOURCE,
			    "no source of this repository can take a new %s; sources: %.*s",
			    kn_types[s->type], STR_ARG(all));
	err_detail_list(e, "sources", &names);
	if (given)
		err_help(e, "name one of these sources, or a folder in one");
	else if (s->layer >= 0)
		err_help(e, "leave out the layer, to use a source of any layer");
	return err_help(e,
			"%sadd a source to .ikm/config.json: \"knowledge\": {\"sources\": "
			"[{\"path\": \"DIR\", \"type\": \"%s\", \"layer\": \"%s\"}]}",
			err_has_help(e) ? "or " : "", kn_types[s->type],
			kn_layers[s->layer >= 0 ? s->layer : KN_LAYER_PROJECT]);
}

/*
 * The reader follows no symbolic link within a tree or a source, so a file behind one would not be
 * read. A source elsewhere may itself be a link.
 */
static struct err *folder_no_link(struct arena *a, const struct knowledge_folder *f)
{
	struct str path = str_of(f->path), parts[] = {f->name, f->source->prefix};
	struct os_stat st;

	for (size_t i = 0; i < (f->source->in_tree ? 2 : 1); i++) {
		struct str rest = parts[i], part;

		while (str_next_part(&rest, '/', &part)) {
			if (!part.n)
				continue;
			TRY(os_stat(str_c(a, path), false, &st));
			if (st.kind == OS_LINK)
				return err_help(
					err_for_param(
						E_NO_SUCH_SOURCE, STR("source"),
						"'%.*s' is a symbolic link, which ikm does not "
						"follow: a new item behind it would not be read",
						STR_ARG(path)),
					"name the folder that it leads to with --source");
			path = str_dir(path);
		}
	}
	return NULL;
}

struct err *knowledge_new_folder(struct arena *a, const struct knowledge *k, enum kn_type type,
				 int layer, const char *folder, struct knowledge_folder *out)
{
	struct folder_search s = {.a = a, .k = k, .type = type, .layer = layer};

	if (!k->configured.n)
		return err_help(err_help(err_new(E_NOT_CONFIGURED,
						 "no knowledge is configured here, so ikm would "
						 "not read a new item"),
					 KNOWLEDGE_BEGIN),
				"ikm-knowledge(5), \"Sources\", has the other ways");
	if (folder) {
		TRY(folder_given(&s, folder));
	} else {
		/* Sources elsewhere only when nothing else has the layer that was asked for. */
		for (int outside = 0; outside <= (layer >= 0); outside++)
			for (size_t i = 0; i < k->configured.n && !s.found.n; i++)
				if (k->configured.p[i]->in_tree == !outside)
					TRY(folder_candidates(&s, k->configured.p[i]));
	}
	if (!s.found.n)
		return folder_none(&s, folder);
	if (s.found.n > 1) {
		struct strs names = {0};
		struct err *e;

		for (size_t i = 0; i < s.found.n; i++)
			strs_push(s.a, &names,
				  kn_shown_path(s.a, s.found.p[i].source, s.found.p[i].name));
		e = err_new(E_NOT_UNIQUE, "several folders can take a new %s: %.*s",
			    kn_types[s.type], STR_ARG(str_join(s.a, &names, ", ")));
		err_detail_list(e, "matches", &names);
		return err_help(e, "choose one with --source, or with --layer");
	}
	*out = s.found.p[0];
	return folder_no_link(a, out);
}
