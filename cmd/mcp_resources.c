/* mcp: stored assets (ikigai:///PATH) and decisions (knowledge:///ID) as resources. */
#include "mcp.h"

#define DECISION "knowledge:///"
#define ASSET    "ikigai:///"
/* Both may change at any time, by another process. */
#define STALE    0
#define SHOWN    100 /* what a completion may hold */

static void set_text(struct mcp_call *m, struct val *v, const char *name, struct str text)
{
	val_set(m->a, v, name, val_str(m->a, text));
}

/* What one of our tools says. */
static struct err *ask(void *ctx, struct mcp_call *m, const struct cmd *cmd, const char *name,
		       struct str value, struct val **out)
{
	struct val *input = val_map(m->a);
	struct call c;

	if (name)
		set_text(m, input, name, value);
	TRY(mcp_begin(ctx, m, &c));
	return mcp_own(ctx, &c, cmd, input, out);
}

static struct err *list_all(void *ctx, struct mcp_call *m, struct val *list)
{
	struct val *assets, *items;

	TRY(ask(ctx, m, &cmd_asset_list, NULL, (struct str){0}, &assets));
	VAL_EACH(val_get(assets, "assets"), asset) {
		struct val *v = val_add(list, val_map(m->a));

		set_text(m, v, "uri", val_get_str(asset, "uri"));
		set_text(m, v, "name", val_get_str(asset, "path"));
		if (val_get_str(asset, "description").n)
			set_text(m, v, "description", val_get_str(asset, "description"));
		val_set(m->a, v, "size", val_int(m->a, val_get_int(asset, "size")));
	}
	TRY(ask(ctx, m, &cmd_know_list, NULL, (struct str){0}, &items));
	VAL_EACH(val_get(items, "items"), item) {
		struct val *v = val_add(list, val_map(m->a));
		struct str id = val_get_str(item, "id");

		set_text(m, v, "uri", str_fmt(m->a, DECISION "%.*s", STR_ARG(id)));
		set_text(m, v, "name", id);
		if (m->revision >= MCP_2025_06_18)
			set_text(m, v, "title", val_get_str(item, "title"));
		set_text(m, v, "description", val_get_str(item, "summary"));
		set_text(m, v, "mimeType", STR("text/markdown"));
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
		{ASSET "{+path}", "asset", "a stored asset: text that outlives projects"},
		{DECISION "{id}", "decision", "a decision of the project, or of whom it belongs to"},
	};
	struct val *list = val_list(m->a);

	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct val *v = val_add(list, val_map(m->a));

		set_text(m, v, "uriTemplate", str_of(all[i].uri));
		set_text(m, v, "name", str_of(all[i].name));
		set_text(m, v, "description", str_of(all[i].description));
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "resourceTemplates", list);
}

void mcp_resources_read(void *ctx, struct mcp_call *m)
{
	struct str uri = val_get_str(m->params, "uri"), text;
	bool decision = str_starts(uri, STR(DECISION));
	struct val *out = NULL, *contents = val_list(m->a), *v;
	struct err *e;

	if (!decision && !str_starts(uri, STR(ASSET))) {
		mcp_no_resource(m, uri, "resources are " ASSET "PATH and " DECISION "ID");
		return;
	}
	if (decision)
		e = ask(ctx, m, &cmd_know_show, "id", str_sub(uri, strlen(DECISION), uri.n), &out);
	else
		e = ask(ctx, m, &cmd_read, "path", uri, &out);
	if (e && (err_code(e) == CODE_NOT_FOUND || err_code(e) == CODE_INVALID_INPUT)) {
		mcp_no_resource(m, uri, err_message(e));
		return;
	}
	if (e) {
		mcp_failed(m, e);
		return;
	}
	text = val_get_str(decision ? val_get(out, "item") : out, "content");
	v = val_add(contents, val_map(m->a));
	set_text(m, v, "uri", uri);
	set_text(m, v, "mimeType", decision ? STR("text/markdown") : STR("text/plain"));
	set_text(m, v, "text", text);
	m->result = val_map(m->a);
	val_set(m->a, m->result, "contents", contents);
	val_set(m->a, m->result, "ttlMs", val_int(m->a, STALE));
}

/* ---- completion of the templates' variables ---- */

static struct err *names(void *ctx, struct mcp_call *m, bool decision, struct strs *out)
{
	struct val *r;

	TRY(ask(ctx, m, decision ? &cmd_know_list : &cmd_asset_list, NULL, (struct str){0}, &r));
	VAL_EACH(val_get(r, decision ? "items" : "assets"), v)
		strs_push(m->a, out, val_get_str(v, decision ? "id" : "path"));
	return NULL;
}

static void tell(struct mcp_call *m, const struct strs *all, struct str begin)
{
	struct val *values = val_list(m->a), *completion = val_map(m->a);
	size_t total = 0;

	for (size_t i = 0; i < all->n; i++)
		if (str_find(all->p[i], begin, 0) != SIZE_MAX && ++total <= SHOWN)
			val_add(values, val_str(m->a, all->p[i]));
	val_set(m->a, completion, "values", values);
	val_set(m->a, completion, "total", val_int(m->a, (int64_t)total));
	val_set(m->a, completion, "hasMore", val_bool(m->a, total > SHOWN));
	m->result = val_map(m->a);
	val_set(m->a, m->result, "completion", completion);
}

/* What is completed: the name that it has in the template or prompt. False, refused: no such one. */
static bool variable(struct mcp_call *m, const struct val *ref, bool prompt, const char **out)
{
	struct str name = val_get_str(ref, prompt ? "name" : "uri");

	*out = str_starts(name, STR(ASSET)) ? "path" : str_starts(name, STR(DECISION)) ? "id" : NULL;
	if (prompt ? mcp_prompt(name, out) : *out != NULL)
		return true;
	mcp_refuse(m, "no %s '%.*s'", prompt ? "prompt" : "resource template", STR_ARG(name));
	return false;
}

void mcp_complete_name(void *ctx, struct mcp_call *m)
{
	const struct val *ref = val_get(m->params, "ref");
	const struct val *argument = val_get(m->params, "argument");
	const struct val *value = val_get(argument, "value");
	struct str name = val_get_str(argument, "name"), type = val_get_str(ref, "type");
	struct strs all = {0};
	const char *takes = NULL;
	struct err *e;

	if (!name.n || !value || value->type != VAL_STR ||
	    (!str_is(type, "ref/resource") && !str_is(type, "ref/prompt"))) {
		mcp_refuse(m, "completion/complete needs ref and argument, with name and value");
		return;
	}
	if (!variable(m, ref, str_is(type, "ref/prompt"), &takes))
		return;
	if (!takes || !str_is(name, takes)) {
		mcp_refuse(m, "there is no argument '%.*s'%s%s", STR_ARG(name),
			   takes ? "; it takes " : "", takes ? takes : "");
		return;
	}
	/* Of a prompt the argument is an asset. */
	e = names(ctx, m, str_starts(val_get_str(ref, "uri"), STR(DECISION)), &all);
	if (e)
		mcp_failed(m, e);
	else
		tell(m, &all, value->s);
}
