/* The prompts: one explains when to use stored assets or files, one makes an asset smaller. */
#include "internal.h"
#include "assets/asset_common.h"
#include "reply/shorten_text_prompt.h"
#include "reply/assets_vs_files_prompt.h"

#define MISSING                                                                                      \
	"The stored asset %s does not exist: %s.\n\n"                                                \
	"Find the intended asset with fs_list on ikigai:///, or ask the user. Then make that asset " \
	"smaller."

static const struct {
	const char *name, *description, *argument;
} prompts[] = {
	{"assets", "when to use stored assets or files, and how the budget works", NULL},
	{"pinned", "the text of your pinned assets", NULL},
	{"compact", "shorten a stored asset without losing anything important", "asset"},
};

/* The index of the prompt, or the number of prompts. */
static size_t server_prompts_find(struct str name)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(prompts) && !str_is(name, prompts[i].name))
		i++;
	return i;
}

bool server_prompt_argument(struct str name, const char **argument)
{
	size_t i = server_prompts_find(name);

	*argument = i < ARRAY_SIZE(prompts) ? prompts[i].argument : NULL;
	return i < ARRAY_SIZE(prompts);
}

void server_prompts_list(void *ctx, struct mcp_call *m)
{
	struct val *list = val_list(m->a);

	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(prompts); i++) {
		struct val *v = val_add(list, val_map(m->a)), *arguments, *one;

		val_set(m->a, v, "name", val_str(m->a, str_of(prompts[i].name)));
		val_set(m->a, v, "description", val_str(m->a, str_of(prompts[i].description)));
		if (!prompts[i].argument)
			continue;
		arguments = val_set(m->a, v, "arguments", val_list(m->a));
		one = val_add(arguments, val_map(m->a));
		val_set(m->a, one, "name", val_str(m->a, str_of(prompts[i].argument)));
		val_set(m->a, one, "description",
			val_str(m->a, STR("its path, such as blocks/decisions.md")));
		val_set(m->a, one, "required", val_bool(m->a, true));
	}
	m->result = val_map(m->a);
	val_set(m->a, m->result, "prompts", list);
}

static struct err *server_prompts_text(const struct server_offer *o, struct mcp_call *m,
				       bool compact, bool pinned, struct str *out)
{
	struct str asset = val_get_str(val_get(m->params, "arguments"), "asset"), path;
	struct files *f;
	struct err *e;
	struct server_call call;
	struct pins pins;

	*out = STR(GUIDANCE);
	if (pinned) {
		TRY(server_pinned_assets(o, m, &pins));
		*out = server_pinned_assets_text(m->a, &pins);
	}
	if (!compact)
		return NULL;
	TRY(server_call_begin(o, m, NULL, &call));
	call.c.cmd = cmd_find(STR("asset show"));
	TRY(app_load_conf(&call.c));
	e = asset_open_store(&call.c, asset, &f, &path);
	/* A model can correct a mistyped name; an error would only end the prompt. */
	if (e && err_reason(e) == E_NO_SUCH_ASSET) {
		path = str_starts(asset, STR("ikigai:"))
			       ? asset
			       : str_fmt(m->a, "ikigai:///%.*s", STR_ARG(asset));
		*out = str_fmt(m->a, MISSING, str_c(m->a, path), err_message(e));
		return NULL;
	}
	TRY(e);
	*out = str_fmt(m->a, COMPACT_PROMPT,
		       str_fmt(m->a, "the stored asset %s", asset_uri(m->a, path).p).p);
	return NULL;
}

void server_prompts_get(void *ctx, struct mcp_call *m)
{
	struct str name = val_get_str(m->params, "name"), text;
	struct val *messages = val_list(m->a), *one, *content;
	size_t i = server_prompts_find(name);
	const char *takes;
	struct err *e;

	if (i == ARRAY_SIZE(prompts)) {
		mcp_refuse(m, "unknown prompt '%.*s'; prompts/list names all prompts",
			   STR_ARG(name));
		return;
	}
	takes = prompts[i].argument;
	if (takes && !val_get_str(val_get(m->params, "arguments"), takes).n) {
		mcp_refuse(m, "the prompt '%.*s' needs the argument %s, a string", STR_ARG(name),
			   takes);
		return;
	}
	e = server_prompts_text(ctx, m, takes != NULL, !strcmp(prompts[i].name, "pinned"), &text);
	if (e) {
		mcp_refuse(m, "asset: %s", err_message(e));
		return;
	}
	one = val_add(messages, val_map(m->a));
	val_set(m->a, one, "role", val_str(m->a, STR("user")));
	content = val_set(m->a, one, "content", val_map(m->a));
	val_set(m->a, content, "type", val_str(m->a, STR("text")));
	val_set(m->a, content, "text", val_str(m->a, text));
	m->result = val_map(m->a);
	val_set(m->a, m->result, "description", val_str(m->a, str_of(prompts[i].description)));
	val_set(m->a, m->result, "messages", messages);
}
