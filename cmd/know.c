/* know: what the commands that read knowledge share. */
#include "know.h"
#include "knowledge/load.h"

struct err *know_load(struct call *c, const struct strs *given, struct knowledge **out)
{
	struct knowledge_place p = {.git = c->git, .given = *given};
	struct conf *conf;

	if (c->git && !git_is_bare(c->git))
		TRY(git_tree_worktree(c->git, &p.tree));
	else if (c->git)
		TRY(git_tree_head(c->git, &p.tree));
	TRY(knowledge_tree_conf(c->a, p.tree, &c->set, &conf));
	p.conf = conf;
	return knowledge_load(c->a, &p, out);
}

struct err *know_find(struct call *c, const struct knowledge *k, struct str id, int layer,
		      const struct kn_item **out)
{
	struct strs ids = {0}, layers = {0};
	struct str near;
	struct err *e;

	*out = knowledge_find(k, id, layer);
	if (*out)
		return NULL;
	for (size_t i = 0; i < k->items.n; i++) {
		struct str l = str_of(kn_layers[k->items.p[i].layer]);

		strs_push(c->a, &ids, k->items.p[i].id);
		if (!strs_has(&layers, l))
			strs_push(c->a, &layers, l);
	}
	near = str_nearest(id, &ids);
	e = err_new(E_NO_SUCH_ITEM, "Knowledge item '%.*s' not found%s%.*s%s", STR_ARG(id),
		    near.n ? "; did you mean '" : "", STR_ARG(near), near.n ? "'?" : "");
	err_detail(e, "requestedId", id);
	err_detail_list(e, "searchedLayers", &layers);
	return err_help(e, "run 'ikm know list' for all items");
}
