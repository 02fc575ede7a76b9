/* Starts the server, makes calls for its client, and answers what is no tool: resources, prompts
 * and completions. */
#include "server.h"
#include "asset/asset.h"
#include "assets/asset_common.h"
#include "base/build.h"
#include "event/ulid.h"
#include "fuzzy/fuzzy.h"
#include "garden/path.h"
#include "host/host.h"
#include "internal.h"
#include "reply/prompts.h"
#include "reply/result_fit.h"
#include "request/request.h"
#include "toolbox/all_tools.h"
#include <unistd.h>

#define SHOWN 100 /* values of a completion: the protocol's limit */
#define MISSING                                                                                      \
	"The stored asset %s does not exist: %s.\n\n"                                                \
	"Find the intended asset with fs_list on ikigai:///, or ask the user. Then make that asset " \
	"smaller."

/* Milliseconds that a client may cache a resource. Another process may change it at any time. */
#define STALE 0

/* Stored assets, decisions and the garden's files, which a client reads by their URI. */
#define MCP_ASSET             "ikigai:///"
#define MCP_ASSET_TEMPLATE    MCP_ASSET "{+path}"
#define MCP_DECISION          "knowledge:///"
#define MCP_DECISION_TEMPLATE MCP_DECISION "{id}"
#define MCP_GARDEN            GARDEN_URI
#define MCP_GARDEN_TEMPLATE   MCP_GARDEN "{+path}"

#define MCP_PINS "context:///pinned"
struct pins {
	size_t n;
	struct str text; /* all of them, quoted */
	struct strs uris;
	bool fits; /* the text is short enough for an answer */
};

/* ---- calls for the client ---- */

/*
 * Hosts start servers in any folder. The paths that a client sends are relative to its project: the
 * first of its folders that is open, which becomes the first of the roots.
 */
static bool server_enter(struct client *client, struct arena *a, bool refused)
{
	const struct strs roots = client->roots;
	const char *real;

	for (size_t i = 0; i < roots.n; i++) {
		if (!str_starts(roots.p[i], STR("/")) ||
		    (!refused && roots_refusal_reason(a, roots.p[i], &real)) ||
		    chdir(str_c(a, roots.p[i])))
			continue;
		client->roots = (struct strs){0};
		strs_push(a, &client->roots, roots.p[i]);
		for (size_t k = 0; k < roots.n; k++)
			if (k != i)
				strs_push(a, &client->roots, roots.p[k]);
		return true;
	}
	return false;
}

struct err *server_call_begin(const struct server_offer *offer, const struct mcp_call *m,
			      struct db *store, struct server_call *call)
{
	struct call *c = &call->c;

	if (offer->store && !store)
		db_close(offer->store);
	*call = (struct server_call){
		.c = {.a = m->a,
		      .face = FACE_CALL,
		      .json = true,
		      .out = out_new_in_memory(m->a),
		      .err = out_new(m->a, STDERR_FILENO, OUT_COLOR_NEVER),
		      .client = &call->client},
		.client = {.has_roots = m->roots_told,
			   .roots = m->roots,
			   .store = store,
			   .queries = offer->queries,
			   .session = offer->session,
			   .name = m->client,
			   .offers = server_has_tool,
			   .reaches = server_meta_tool_at(offer, 0) ? server_relay_may_call : NULL,
			   .offer = offer},
	};
	app_settings_from_options(c, offer->common);
	if (m->roots_told && !server_enter(&call->client, m->a, false))
		(void)server_enter(&call->client, m->a, true);
	return os_cwd(m->a, &c->cwd);
}

/* Runs the command of this name, even if the server does not offer it. */
static struct err *server_run_command(const struct server_offer *offer, const struct mcp_call *m,
				      const char *name, struct val *input, struct val **out)
{
	const struct cmd *cmd = cmd_find(str_of(name));
	struct server_call call;

	/* The server lists everything: set the limit to its maximum. */
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, "limit"))
			val_set(m->a, input, "limit", val_int(m->a, p->max));
	TRY(server_call_begin(offer, m, NULL, &call));
	return app_run_json(&call.c, offer->common, cmd, input, out);
}

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

/*
 * The files of the caller's folder in the garden, without history copies: paths below the folder,
 * and what each is ("part profile"). Empty when there is no garden.
 */
static struct err *server_garden_list(const struct server_offer *offer, struct mcp_call *m,
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

static struct err *server_pinned_assets(const struct server_offer *offer, const struct mcp_call *m,
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

/*
 * The text, or where to find it when it is too long: what does not fit into an answer does not fit
 * into instructions either.
 */
static struct str server_pinned_assets_text(struct arena *a, const struct pins *p)
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

static void server_resources_list(void *ctx, struct mcp_call *m)
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

static void server_resources_templates(void *ctx, struct mcp_call *m)
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

		/* History copies can be read, too. A path that the grammar lacks names no file. */
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

static void server_resources_read(void *ctx, struct mcp_call *m)
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

/* ---- prompts: one explains when to use stored assets or files, one makes an asset smaller ---- */

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

/* Whether this prompt exists. *argument is the name of its argument, or NULL. */
static bool server_prompt_argument(struct str name, const char **argument)
{
	size_t i = server_prompts_find(name);

	*argument = i < ARRAY_SIZE(prompts) ? prompts[i].argument : NULL;
	return i < ARRAY_SIZE(prompts);
}

static void server_prompts_list(void *ctx, struct mcp_call *m)
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

static void server_prompts_get(void *ctx, struct mcp_call *m)
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

/* ---- completion ---- */

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

static struct err *server_complete_value(void *ctx, struct mcp_call *m, const struct wanted *w,
					 struct str value)
{
	struct val *values = val_list(m->a), *completion = val_map(m->a);
	struct strs names = {0}, all = {0}, kinds;
	struct fuzzy_hits hits;
	struct val *r;

	if (w->garden) {
		TRY(server_garden_list(ctx, m, &names, &kinds));
	} else {
		TRY(server_run_command(ctx, m, w->list, val_map(m->a), &r));
		VAL_EACH(val_get(r, w->member), v)
			strs_push(m->a, &all, val_get_str(v, w->name));
		strs_sort(&all);
	}
	/* Each name once: a decision's id may occur in several layers. */
	for (size_t i = 0; i < all.n; i++)
		if (!i || !str_eq(all.p[i], all.p[i - 1]))
			strs_push(m->a, &names, all.p[i]);
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

static void server_completion(void *ctx, struct mcp_call *m)
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
		mcp_answer_server_error(m, e);
}

/* ---- the server ---- */

static const struct mcp_method methods[] = {
	{"tools/list", server_tools_list, .list = true, .cached = true},
	{"tools/call", server_tools_call},
	{"resources/list", server_resources_list, .list = true, .cached = true},
	{"resources/templates/list", server_resources_templates, .list = true, .cached = true},
	{"resources/read", server_resources_read, .cached = true},
	{"prompts/list", server_prompts_list, .list = true, .cached = true},
	{"prompts/get", server_prompts_get},
	{"completion/complete", server_completion},
	{0},
};

static const char *server_instructions(struct arena *a, const struct server_offer *offer)
{
	struct arena *own ARENA_LOCAL = arena_new();
	struct mcp_call m = {.a = own};
	struct buf b = buf_in(a);
	struct pins pins;

	server_put_guidance(offer, &b);
	/* A broken store is reported by each call that uses it. */
	if (!server_pinned_assets(offer, &m, &pins) && pins.n)
		buf_fmt(&b, "\n\nPinned assets, from " MCP_PINS ":\n%.*s",
			STR_ARG(server_pinned_assets_text(own, &pins)));
	return buf_as_cstr(&b);
}

struct err *server_run(struct call *c, const struct cmd_common *common, struct cmd_bits toolsets,
		       bool read_only, bool structured)
{
	const char *home = os_ikigai_home(c->a);
	struct session_cache cache = {0};
	struct server_offer offer = {
		.common = common,
		.sets = toolsets,
		.read_only = read_only,
		.structured = structured,
		.cache = &cache,
		.queries = request_result_cache_new(c->a),
		.store = home ? db_new(c->a, os_join(c->a, home, "ikm.db")) : NULL,
		/* Unique on all machines: the store has it, and a store may be synchronized. */
		.session = str_fmt(c->a, "mcp_%.*s", STR_ARG(ulid_new(c->a, os_now(), STR(""))))};
	struct str session;
	struct mcp_server server = {
		.name = "ikm",
		.version = IKM_VERSION,
		.instructions = server_instructions(c->a, &offer),
		.methods = methods,
		.work = server_work_kind,
		.roots = !common->root.n,
		.ctx = &offer,
	};

	host_running(&session);
	if (session.n && session.n <= 256 && str_is_text(session))
		offer.session = session;
	if (isatty(STDIN_FILENO))
		out_puts(c->err, "ikm: waits for a client's JSON-RPC on standard input; see 'man 7 "
				 "ikm-mcp' for how to configure a host\n");
	TRY(out_flush(c->err));
	return mcp_serve(STDIN_FILENO, STDOUT_FILENO, &server);
}
