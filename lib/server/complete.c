/* Completes variables of templates and arguments of prompts, ranked as `ikm find` ranks. */
#include "internal.h"
#include "fuzzy/fuzzy.h"

#define SHOWN 100 /* the protocol's limit */

/* The command whose result has the candidates. */
struct wanted {
	const char *list;          /* the command */
	const char *member, *name; /* the list in its result, and the member to offer */
	struct str before;         /* is put before each value */
	bool garden;               /* no command: the files of the garden */
};

static const struct wanted decision = {"know list", "items", "id", {0}};
static const struct wanted asset = {"asset list", "assets", "path", {0}};
static const struct wanted garden = {.garden = true};

static bool server_complete_wrong(struct mcp_call *m, const char *of, struct str name,
				  const char *want)
{
	mcp_refuse(m, "%s has no argument '%.*s'%s%s", of, STR_ARG(name), want ? "; it has " : "",
		   want ? want : "");
	return false;
}

static bool server_complete_prompt(struct mcp_call *m, struct str name, struct str argument,
				   struct str *value, struct wanted *out)
{
	const char *has;

	if (!server_prompt_argument(name, &has)) {
		mcp_refuse(m, "unknown prompt '%.*s'; prompts/list names all prompts",
			   STR_ARG(name));
		return false;
	}
	if (!has || !str_is(argument, has))
		return server_complete_wrong(m, str_c(m->a, name), argument, has);
	*out = asset;
	/* The prompt takes URIs, too. */
	if (str_starts(*value, STR(MCP_ASSET))) {
		out->before = STR(MCP_ASSET);
		*value = str_sub(*value, out->before.n, value->n);
	}
	return true;
}

static bool server_complete_template(struct mcp_call *m, struct str uri, struct str argument,
				     struct wanted *out)
{
	bool is_asset = str_is(uri, MCP_ASSET_TEMPLATE);
	bool is_garden = str_is(uri, MCP_GARDEN_TEMPLATE);
	const char *has = is_asset || is_garden ? "path" : "id";

	if (!is_asset && !is_garden && !str_is(uri, MCP_DECISION_TEMPLATE)) {
		mcp_refuse(m,
			   "no resource template '%.*s'; there are " MCP_ASSET_TEMPLATE
			   ", " MCP_DECISION_TEMPLATE " and " MCP_GARDEN_TEMPLATE,
			   STR_ARG(uri));
		return false;
	}
	if (!str_is(argument, has))
		return server_complete_wrong(m, str_c(m->a, uri), argument, has);
	*out = is_asset ? asset : is_garden ? garden : decision;
	return true;
}

/* Gives each name once: a decision's id may occur in several layers. */
static struct err *server_complete_names(void *ctx, struct mcp_call *m, const struct wanted *w,
					 struct strs *out)
{
	struct strs all = {0}, kinds;
	struct val *r;

	if (w->garden)
		return server_garden_list(ctx, m, out, &kinds);
	TRY(server_query(ctx, m, w->list, val_map(m->a), &r));
	VAL_EACH(val_get(r, w->member), v)
		strs_push(m->a, &all, val_get_str(v, w->name));
	strs_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!i || !str_eq(all.p[i], all.p[i - 1]))
			strs_push(m->a, out, all.p[i]);
	return NULL;
}

static struct err *server_complete_value(void *ctx, struct mcp_call *m, const struct wanted *w,
					 struct str value)
{
	struct val *values = val_list(m->a), *completion = val_map(m->a);
	struct strs names = {0};
	struct fuzzy_hits hits;

	TRY(server_complete_names(ctx, m, w, &names));
	TRY(fuzzy_rank(m->a, value, &names, 0, &hits));
	for (size_t i = 0; i < hits.n && i < SHOWN; i++)
		val_add(values, val_str(m->a, str_fmt(m->a, "%.*s%.*s", STR_ARG(w->before),
						      STR_ARG(names.p[hits.p[i].index]))));
	val_set(m->a, completion, "values", values);
	val_set(m->a, completion, "total", val_int(m->a, (int64_t)hits.n));
	val_set(m->a, completion, "hasMore", val_bool(m->a, hits.n > SHOWN));
	m->result = val_map(m->a);
	val_set(m->a, m->result, "completion", completion);
	return NULL;
}

void server_completion(void *ctx, struct mcp_call *m)
{
	const struct val *ref = val_get(m->params, "ref"),
			 *argument = val_get(m->params, "argument");
	const struct val *given = val_get(argument, "value");
	struct str type = val_get_str(ref, "type"), name = val_get_str(argument, "name"), value;
	struct wanted w = {0};
	struct err *e;

	if (!given || given->type != VAL_STR ||
	    (!str_is(type, "ref/resource") && !str_is(type, "ref/prompt"))) {
		mcp_refuse(m, "completion/complete needs ref, a ref/prompt or ref/resource, and "
			      "argument, with name and value");
		return;
	}
	value = given->s;
	if (str_is(type, "ref/prompt")
		    ? !server_complete_prompt(m, val_get_str(ref, "name"), name, &value, &w)
		    : !server_complete_template(m, val_get_str(ref, "uri"), name, &w))
		return;
	e = server_complete_value(ctx, m, &w, value);
	if (e && err_code(e) == CODE_INVALID_INPUT)
		mcp_refuse(m, "%s", err_message(e));
	else if (e)
		mcp_failed(m, e);
}
