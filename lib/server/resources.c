/* mcp: stored assets (ikigai:///PATH) and decisions (knowledge:///ID) as resources. */
#include "common/result_fit.h"
#include "internal.h"
#include "common/tools.h"

#define DECISION MCP_DECISION
#define ASSET    MCP_ASSET
/* Both may change at any time, by another process. */
#define STALE 0

static void mcp_resources_set_text(struct mcp_call *m, struct val *v, const char *name,
				   struct str text)
{
	val_set(m->a, v, name, val_str(m->a, text));
}

/* What our tool says of the one thing that is named. */
static struct err *ask_of(void *ctx, struct mcp_call *m, const char *cmd, const char *name,
			  struct str value, struct val **out)
{
	struct val *input = val_map(m->a);

	mcp_resources_set_text(m, input, name, value);
	return mcp_ask(ctx, m, cmd, input, out);
}

static const char *mime_of(struct str uri, bool decision)
{
	return decision || str_ends(uri, STR(".md")) ? "text/markdown" : "text/plain";
}

static struct err *list_all(void *ctx, struct mcp_call *m, struct val *list)
{
	struct val *assets, *items;

	TRY(mcp_ask(ctx, m, "asset list", val_map(m->a), &assets));
	VAL_EACH(val_get(assets, "assets"), asset) {
		struct val *v = val_add(list, val_map(m->a));

		mcp_resources_set_text(m, v, "uri", val_get_str(asset, "uri"));
		mcp_resources_set_text(m, v, "name", val_get_str(asset, "path"));
		if (val_get_str(asset, "description").n)
			mcp_resources_set_text(m, v, "description",
					       val_get_str(asset, "description"));
		mcp_resources_set_text(m, v, "mimeType",
				       str_of(mime_of(val_get_str(asset, "path"), false)));
		val_set(m->a, v, "size", val_int(m->a, val_get_int(asset, "size")));
	}
	TRY(mcp_ask(ctx, m, "know list", val_map(m->a), &items));
	VAL_EACH(val_get(items, "items"), item) {
		struct val *v = val_add(list, val_map(m->a));
		struct str id = val_get_str(item, "id");

		mcp_resources_set_text(m, v, "uri", str_fmt(m->a, DECISION "%.*s", STR_ARG(id)));
		mcp_resources_set_text(m, v, "name", id);
		if (m->revision >= MCP_2025_06_18)
			mcp_resources_set_text(m, v, "title", val_get_str(item, "title"));
		mcp_resources_set_text(m, v, "description", val_get_str(item, "summary"));
		mcp_resources_set_text(m, v, "mimeType", STR("text/markdown"));
	}
	return NULL;
}

void mcp_resources_list(void *ctx, struct mcp_call *m)
{
	struct val *list = val_list(m->a);
	struct err *e = list_all(ctx, m, list);

	if (e) {
		mcp_failed(m, e);
		return;
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "resources", list);
}

void mcp_resources_templates(void *ctx, struct mcp_call *m)
{
	static const struct {
		const char *uri, *name, *description;
	} all[] = {
		{MCP_ASSET_TEMPLATE, "asset", "a stored asset: text that outlives projects"},
		{MCP_DECISION_TEMPLATE, "decision",
		 "a decision of the project, or of whom it belongs to"},
	};
	struct val *list = val_list(m->a);

	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct val *v = val_add(list, val_map(m->a));

		mcp_resources_set_text(m, v, "uriTemplate", str_of(all[i].uri));
		mcp_resources_set_text(m, v, "name", str_of(all[i].name));
		mcp_resources_set_text(m, v, "description", str_of(all[i].description));
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "resourceTemplates", list);
}

/* A part of it would be taken for the whole. */
static struct err *too_long(void *ctx, struct mcp_call *m, struct str uri, struct str text)
{
	struct tool_settings set;
	struct server_call call;
	struct fit fit;
	size_t cost;

	TRY(mcp_begin(ctx, m, &call));
	TRY(tools_settings(&call.c, &set));
	fit = fit_of(m->a, set.conf);
	cost = fit_cost(&fit, text);
	if (cost <= fit.tokens)
		return NULL;
	return err_new(
		E_TOO_BIG,
		"'%.*s' has %zu bytes, about %zu tokens, and a resource at most %zu: read it "
		"in parts with the tool file_read and its parameter lines",
		STR_ARG(uri), text.n, cost, fit.tokens);
}

static struct err *read_uri(void *ctx, struct mcp_call *m, struct str uri, bool decision,
			    struct val **out)
{
	if (decision)
		return ask_of(ctx, m, "know show", "id", str_sub(uri, strlen(DECISION), uri.n),
			      out);
	return ask_of(ctx, m, "read", "path", uri, out);
}

/* A quote before the text: without it, what was superseded reads as if it held. */
static struct str decision_text(struct mcp_call *m, const struct val *item)
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
	return buf_str(&b);
}

void mcp_resources_read(void *ctx, struct mcp_call *m)
{
	struct str uri = val_get_str(m->params, "uri"), plain, text;
	bool decision = str_starts(uri, STR(DECISION));
	struct val *out = NULL, *contents = val_list(m->a), *v;
	struct err *e;

	if (!uri.n) {
		mcp_refuse(m, "resources/read needs uri, a string");
		return;
	}
	if (!decision && !str_starts(uri, STR(ASSET))) {
		mcp_no_resource(m, uri, "resources are " ASSET "PATH and " DECISION "ID");
		return;
	}
	e = read_uri(ctx, m, uri, decision, &out);
	/* Whose client fills in the templates gets what is no letter of a URI as %XX. */
	if (e && err_code(e) == CODE_NOT_FOUND && mcp_unescape(m->a, uri, &plain) &&
	    !str_eq(plain, uri) && str_is_text(plain))
		e = read_uri(ctx, m, plain, decision, &out);
	if (e && (err_code(e) == CODE_NOT_FOUND || err_code(e) == CODE_INVALID_INPUT)) {
		mcp_no_resource(m, uri, err_message(e));
		return;
	}
	if (e) {
		mcp_failed(m, e);
		return;
	}
	text = decision ? decision_text(m, val_get(out, "item")) : val_get_str(out, "content");
	e = too_long(ctx, m, uri, text);
	if (e) {
		mcp_failed(m, e);
		return;
	}
	v = val_add(contents, val_map(m->a));
	mcp_resources_set_text(m, v, "uri", uri);
	mcp_resources_set_text(m, v, "mimeType", str_of(mime_of(uri, decision)));
	mcp_resources_set_text(m, v, "text", text);
	m->result = val_map(m->a);
	val_set(m->a, m->result, "contents", contents);
	if (m->revision == MCP_2026_07_28)
		val_set(m->a, m->result, "ttlMs", val_int(m->a, STALE));
}
