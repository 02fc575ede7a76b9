/* Stored assets (ikigai:///PATH), decisions (knowledge:///ID), files of the garden
 * (garden:///PATH) and the pinned assets (context:///pinned) as resources. */
#include "internal.h"
#include "asset/asset.h"
#include "assets/asset_common.h"
#include "garden/path.h"
#include "reply/result_fit.h"
#include "toolbox/all_tools.h"

/* Milliseconds that a client may cache a resource. Another process may change it at any time. */
#define STALE 0

/*
 * ---- the garden ----
 *
 * Files of the garden as resources: garden:///parts/p1/profile.md is the file of that path below
 * the folder of the person who runs the server. No other person's folder has such a URI.
 */

/* The caller's folder in the garden. *dir is empty when the garden cannot have one. */
static struct err *server_garden_dir(const struct server_offer *offer, struct mcp_call *m,
				     struct str *user, struct str *dir)
{
	struct server_call call;
	struct garden_path path;
	const char *top;

	*dir = STR("");
	TRY(server_call_begin(offer, m, NULL, &call));
	TRY(app_load_conf(&call.c));
	*user = app_user(&call.c);
	top = app_garden_path(&call.c);
	if (!top ||
	    !garden_path_read(str_fmt(m->a, "users/%.*s/overview.md", STR_ARG(*user)), &path))
		return NULL;
	*dir = str_fmt(m->a, "%s/users/%.*s", top, STR_ARG(*user));
	return NULL;
}

/* Reads "parts/p1/profile.md" by the grammar, which has no "..". */
static bool server_garden_has(struct arena *a, struct str user, struct str rest,
			      struct garden_path *out)
{
	return garden_path_read(str_fmt(a, "users/%.*s/%.*s", STR_ARG(user), STR_ARG(rest)), out) &&
	       str_eq(out->user, user);
}

struct err *server_garden_list(const struct server_offer *offer, struct mcp_call *m,
			       struct strs *paths, struct strs *kinds)
{
	struct val *input = val_map(m->a), *found;
	struct garden_path at;
	struct str user, dir;
	struct err *e;

	*paths = *kinds = (struct strs){0};
	TRY(server_garden_dir(offer, m, &user, &dir));
	if (!dir.n)
		return NULL;
	val_set(m->a, input, "path", val_str(m->a, dir));
	val_set(m->a, input, "all", val_bool(m->a, true));
	e = server_run_command(offer, m, "list", input, &found);
	/* There is no garden yet, or --root does not open it. */
	if (e && (err_code(e) == CODE_NOT_FOUND || err_code(e) == CODE_BLOCKED))
		return NULL;
	TRY(e);
	VAL_EACH(val_get(found, "paths"), path) {
		struct str rest = str_sub(path->s, dir.n + 1, path->s.n);

		if (server_garden_has(m->a, user, rest, &at) && at.kind != GARDEN_HISTORY) {
			strs_push(m->a, paths, rest);
			strs_push(m->a, kinds, str_of(garden_kinds[at.kind]));
		}
	}
	return NULL;
}

/*
 * ---- pinned assets ----
 *
 * The pinned assets of the agent: in the instructions, as a prompt, and as a resource. A resource
 * tells a client that subscribed to it when a pin or a pinned text changes.
 */

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

/* ---- all resources ---- */

static void server_resources_set(struct mcp_call *m, struct val *v, const char *name,
				 struct str text)
{
	val_set(m->a, v, name, val_str(m->a, text));
}

/* Runs the command with one parameter. */
static struct err *server_resources_query(void *ctx, struct mcp_call *m, const char *cmd,
					  const char *name, struct str value, struct val **out)
{
	struct val *input = val_map(m->a);

	server_resources_set(m, input, name, value);
	return server_run_command(ctx, m, cmd, input, out);
}

static const char *server_resources_mime(struct str uri, bool decision)
{
	return decision || str_is(uri, MCP_PINS) || str_ends(uri, STR(".md")) ? "text/markdown"
									      : "text/plain";
}

/* title, description: with p NULL the member is left out. */
static struct val *server_resources_add(struct mcp_call *m, struct val *list, struct str uri,
					struct str name, struct str title, struct str description,
					const char *mime)
{
	struct val *v = val_add(list, val_map(m->a));

	server_resources_set(m, v, "uri", uri);
	server_resources_set(m, v, "name", name);
	if (title.p)
		server_resources_set(m, v, "title", title);
	if (description.p)
		server_resources_set(m, v, "description", description);
	server_resources_set(m, v, "mimeType", str_of(mime));
	return v;
}

static struct err *server_resources_fill(void *ctx, struct mcp_call *m, struct val *list)
{
	const struct str none = {NULL, 0};
	struct val *assets, *items;
	struct strs paths, kinds;
	struct pins pins;

	TRY(server_run_command(ctx, m, "asset list", val_map(m->a), &assets));
	VAL_EACH(val_get(assets, "assets"), asset) {
		struct str path = val_get_str(asset, "path");
		struct str description = val_get_str(asset, "description");
		struct val *v = server_resources_add(m, list, val_get_str(asset, "uri"), path, none,
						     description.n ? description : none,
						     server_resources_mime(path, false));

		val_set(m->a, v, "size", val_int(m->a, val_get_int(asset, "size")));
	}
	TRY(server_run_command(ctx, m, "know list", val_map(m->a), &items));
	VAL_EACH(val_get(items, "items"), item) {
		struct str id = val_get_str(item, "id"), title = val_get_str(item, "title");
		struct str summary = val_get_str(item, "summary");

		server_resources_add(m, list, str_fmt(m->a, MCP_DECISION "%.*s", STR_ARG(id)), id,
				     m->revision >= MCP_2025_06_18 ? title : none, summary,
				     "text/markdown");
	}
	TRY(server_garden_list(ctx, m, &paths, &kinds));
	for (size_t i = 0; i < paths.n; i++)
		server_resources_add(m, list, str_fmt(m->a, MCP_GARDEN "%.*s", STR_ARG(paths.p[i])),
				     paths.p[i], none, kinds.p[i], "text/markdown");
	TRY(server_pinned_assets(ctx, m, &pins));
	if (pins.n)
		server_resources_add(m, list, STR(MCP_PINS), STR("pinned"), none,
				     STR("your pinned assets"), "text/markdown");
	return NULL;
}

void server_resources_list(void *ctx, struct mcp_call *m)
{
	struct val *list = val_list(m->a);
	struct err *e = server_resources_fill(ctx, m, list);

	if (e) {
		mcp_answer_server_error(m, e);
		return;
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "resources", list);
}

void server_resources_templates(void *ctx, struct mcp_call *m)
{
	static const struct {
		const char *uri, *name, *description;
	} all[] = {
		{MCP_ASSET_TEMPLATE, "asset", "a stored asset: text that outlives projects"},
		{MCP_DECISION_TEMPLATE, "decision",
		 "a decision of the project, its team or its organisation"},
		{MCP_GARDEN_TEMPLATE, "garden",
		 "a file of your garden: overview, part or relationship profile, notes"},
	};
	struct val *list = val_list(m->a);

	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct val *v = val_add(list, val_map(m->a));

		server_resources_set(m, v, "uriTemplate", str_of(all[i].uri));
		server_resources_set(m, v, "name", str_of(all[i].name));
		server_resources_set(m, v, "description", str_of(all[i].description));
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "resourceTemplates", list);
}

/* Refuses a long text with TOO_BIG: a client would take a part for the whole. */
static struct err *server_resources_too_long(void *ctx, struct mcp_call *m, struct str uri,
					     struct str text)
{
	struct tool_settings set;
	struct server_call call;
	struct fit fit;
	size_t cost;

	TRY(server_call_begin(ctx, m, NULL, &call));
	TRY(tools_settings(&call.c, &set));
	fit = fit_from_settings(m->a, set.conf);
	cost = fit_cost(&fit, text);
	if (cost <= fit.tokens)
		return NULL;
	return err_new(
		E_TOO_BIG,
		"'%.*s' has %zu bytes, about %zu tokens; a resource may have at most %zu: read it "
		"in parts with the tool file_read and its parameter lines",
		STR_ARG(uri), text.n, cost, fit.tokens);
}

static struct err *server_resources_find(void *ctx, struct mcp_call *m, struct str uri,
					 bool decision, struct val **out)
{
	if (decision)
		return server_resources_query(ctx, m, "know show", "id",
					      str_sub(uri, strlen(MCP_DECISION), uri.n), out);
	if (str_is(uri, MCP_PINS)) {
		struct pins pins;

		TRY(server_pinned_assets(ctx, m, &pins));
		*out = val_map(m->a);
		server_resources_set(m, *out, "content", server_pinned_assets_text(m->a, &pins));
		return NULL;
	}
	if (str_starts(uri, STR(MCP_GARDEN))) {
		const struct server_offer *offer = ctx;
		struct str rest = str_sub(uri, strlen(MCP_GARDEN), uri.n), user, dir;
		struct val *input = val_map(m->a);
		struct garden_path at;
		struct err *e;

		/* The result of the command `read` for a garden URI, also of a history copy.
		 * FILE_NOT_FOUND for a path that the grammar does not have. */
		TRY(server_garden_dir(offer, m, &user, &dir));
		if (!dir.n || !server_garden_has(m->a, user, rest, &at))
			return err_new(E_FILE_NOT_FOUND,
				       "your folder in the garden has no file '%.*s'",
				       STR_ARG(rest));
		val_set(m->a, input, "path",
			val_str(m->a, str_fmt(m->a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(rest))));
		e = server_run_command(offer, m, "read", input, out);
		if (e && err_code(e) == CODE_BLOCKED)
			return err_new(E_FILE_NOT_FOUND,
				       "the garden is not open to this server: %s", err_message(e));
		return e;
	}
	return server_resources_query(ctx, m, "read", "path", uri, out);
}

/* Puts the status before the text. Without it a superseded decision would look valid. */
static struct str server_resources_decision(struct mcp_call *m, const struct val *item)
{
	struct buf b = buf_in(m->a);

	buf_fmt(&b, "> Status: %.*s", STR_ARG(val_get_str(item, "status")));
	VAL_EACH(val_get(item, "supersededBy"), by)
		buf_fmt(&b, "%s%.*s", by == val_get(item, "supersededBy")->first ? ", by " : ", ",
			STR_ARG(by->s));
	buf_puts(&b, "\n");
	VAL_EACH(val_get(item, "constraints"), rule)
		buf_fmt(&b, "> Rule (%.*s): %.*s %.*s %.*s\n",
			STR_ARG(val_get_str(rule, "severity")),
			STR_ARG(val_get_str(rule, "operator")),
			STR_ARG(val_get_str(rule, "target")),
			STR_ARG(val_get_str(rule, "pattern")));
	buf_puts(&b, "\n");
	buf_put(&b, val_get_str(item, "content"));
	return buf_as_str(&b);
}

void server_resources_read(void *ctx, struct mcp_call *m)
{
	struct str uri = val_get_str(m->params, "uri"), plain, text;
	bool decision = str_starts(uri, STR(MCP_DECISION));
	struct val *out = NULL, *contents = val_list(m->a), *v;
	struct err *e;

	if (!uri.n) {
		mcp_refuse(m, "resources/read needs uri, a string");
		return;
	}
	if (!decision && !str_is(uri, MCP_PINS) && !str_starts(uri, STR(ASSET_SCHEME)) &&
	    !str_starts(uri, STR(MCP_GARDEN))) {
		mcp_no_resource(m, uri,
				"resources are " MCP_ASSET "PATH, " MCP_DECISION "ID, " MCP_GARDEN
				"PATH and " MCP_PINS);
		return;
	}
	e = server_resources_find(ctx, m, uri, decision, &out);
	/* A client that fills in a template escapes characters as %XX. */
	if (e && err_code(e) == CODE_NOT_FOUND && mcp_unescape(m->a, uri, &plain) &&
	    !str_eq(plain, uri) && str_is_text(plain))
		e = server_resources_find(ctx, m, plain, decision, &out);
	if (e && (err_code(e) == CODE_NOT_FOUND || err_code(e) == CODE_INVALID_INPUT)) {
		mcp_no_resource(m, uri, err_message(e));
		return;
	}
	if (!e) {
		text = decision ? server_resources_decision(m, val_get(out, "item"))
				: val_get_str(out, "content");
		e = server_resources_too_long(ctx, m, uri, text);
	}
	if (e) {
		mcp_answer_server_error(m, e);
		return;
	}
	v = val_add(contents, val_map(m->a));
	server_resources_set(m, v, "uri", uri);
	server_resources_set(m, v, "mimeType", str_of(server_resources_mime(uri, decision)));
	server_resources_set(m, v, "text", text);
	m->result = val_map(m->a);
	val_set(m->a, m->result, "contents", contents);
	if (m->revision == MCP_2026_07_28)
		val_set(m->a, m->result, "ttlMs", val_int(m->a, STALE));
}
