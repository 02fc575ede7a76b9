/*
 * The pinned assets of the agent: in the instructions, as a prompt, and as a resource. A resource
 * tells a client that subscribed to it when a pin or a pinned text changes.
 */
#include "internal.h"
#include "assets/context_text.h"
#include "reply/result_fit.h"

struct err *server_pinned_assets(const struct server_offer *offer, const struct mcp_call *m,
				 struct pins *out)
{
	struct server_call call;
	struct call *c = &call.c;
	struct asset_list all = {0};
	struct buf b = buf_in(m->a);
	struct files *f;
	struct fit fit;

	*out = (struct pins){0};
	TRY(server_call_begin(offer, m, NULL, &call));
	c->cmd = cmd_find(STR("context"));
	TRY(app_load_conf(c));
	TRY(files_open(c, &f));
	TRY(asset_list_pinned(f->assets, m->a, true, &all));
	out->n = all.n;
	context_put_assets(m->a, &b, &all);
	out->text = buf_as_str(&b);
	for (size_t i = 0; i < all.n; i++)
		strs_push(m->a, &out->uris, all.p[i].uri);
	fit = fit_from_settings(m->a, c->conf);
	out->fits = fit_has_room(&fit, out->text);
	return NULL;
}

/* Text that does not fit into an answer does not fit into instructions either. */
struct str server_pinned_assets_text(struct arena *a, const struct pins *p)
{
	if (p->fits)
		return p->text;
	return str_fmt(a,
		       "The text of the pinned assets, %zu, is too long for one answer. "
		       "Read what you need: %.*s\n",
		       p->n, STR_ARG(str_join(a, &p->uris, ", ")));
}

const char *server_pinned_asset_instructions(const struct server_offer *offer, struct arena *a)
{
	struct mcp_call m = {.a = arena_new()};
	struct str said = STR("");
	struct pins p;
	struct err *e = server_pinned_assets(offer, &m, &p);

	/* A broken store is reported by each call that uses it. */
	if (!e && p.n)
		said = str_dup(a, str_fmt(m.a, "\n\nPinned assets, from " MCP_PINS ":\n%.*s",
					  STR_ARG(server_pinned_assets_text(m.a, &p))));
	arena_free(m.a);
	return str_c(a, said);
}
