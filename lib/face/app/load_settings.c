/* Reads the settings for a call. Warns when the settings of the repository are broken. */
#include "app.h"
#include "client_info.h"
#include "session_cache.h"
#include "host/host.h"

#define CONF_MAX ((size_t)1 << 20)

struct strs app_conf_paths(struct arena *a, struct git *g)
{
	struct str prefix = git_prefix(g);
	struct strs names = {0};

	for (;;) {
		size_t slash;

		strs_push(a, &names, str_fmt(a, "%.*s.ikm/config.json", STR_ARG(prefix)));
		if (!prefix.n)
			return names;
		slash = str_rfind_char(str_sub(prefix, 0, prefix.n - 1), '/');
		prefix = str_sub(prefix, 0, slash == SIZE_MAX ? 0 : slash + 1);
	}
}

/* Reads the repository's nearest .ikm/config.json, from the current folder up to the top. */
static struct err *app_repo_conf(struct arena *a, struct git *g, struct conf_input *in)
{
	struct strs names = app_conf_paths(a, g);
	struct tree *skipped = NULL;

	if (!git_is_bare(g))
		TRY(git_tree_of_sparse_excluded(g, &skipped));
	for (size_t i = 0; !git_is_bare(g) && i < names.n; i++) {
		struct err *e = os_read_path(a, os_join(a, git_top(g), names.p[i].p), CONF_MAX,
					     &in->repo_text);

		if (e && err_reason(e) == E_FILE_NOT_FOUND && skipped) {
			struct str name = names.p[i];
			struct tree_file f;
			bool found;

			/* A sparse checkout may leave the settings out; for Git they are unchanged
			 * then. */
			e = tree_find(skipped, name, &f, &found);
			if (!e)
				e = found ? tree_read(skipped, a, &f, CONF_MAX, &in->repo_text)
					  : err_new(E_FILE_NOT_FOUND, "'%.*s' is not there",
						    STR_ARG(name));
		}
		if (!e)
			in->repo_name = names.p[i];
		if (!e || err_reason(e) != E_FILE_NOT_FOUND)
			return e;
	}
	return NULL;
}

/* Takes the settings from -c, and from the options --agent, --user and --session. */
void app_settings_from_options(struct call *c, const struct cmd_common *common)
{
	const struct {
		enum conf_id id;
		struct str value;
	} named[] = {{CONF_ID_agent_id, common->agent},
		     {CONF_ID_user, common->user},
		     {CONF_ID_session, common->session}};

	c->set = common->set;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (named[i].value.p)
			strs_push(c->a, &c->set,
				  str_fmt(c->a, "%s=%.*s", conf_settings[named[i].id].key,
					  STR_ARG(named[i].value)));
}

enum cmd_reach client_tool_availability(const struct client *client, const struct cmd *tool)
{
	if (client->reaches && client->reaches(client->offer, tool))
		return CMD_REACHED;
	return client->offers(client->offer, tool, NULL) ? CMD_LISTED : CMD_NOT_OFFERED;
}

struct str client_session(const struct call *c)
{
	struct str session;

	if (c->conf->session.n)
		return c->conf->session;
	if (c->client)
		return c->client->session;
	host_running(&session);
	return session.p && str_is_text(session) ? str_utf8_head(session, 256) : STR("");
}

bool client_is_agent(const struct call *c)
{
	struct str session;

	return c->face != FACE_ARGV || host_running(&session) != HOST_UNKNOWN;
}

/* Finds errors in the repository's configuration alone. *out: the settings without that file. */
static struct err *app_conf_load(struct call *c, struct conf **out, struct err **repo)
{
	struct conf_input in = {.args = c->set};
	struct err *e = NULL;

	*repo = NULL;
	if (c->git)
		*repo = app_repo_conf(c->a, c->git, &in);
	if (!*repo) {
		e = conf_load(c->a, &in, out);
		if (!e || !in.repo_text.p)
			return e;
	}
	in.repo_text = (struct str){0};
	*repo = *repo ? *repo : e;
	return conf_load(c->a, &in, out);
}

static void app_conf_broken(struct call *c, const struct err *repo)
{
	strs_push(
		c->a, &c->warnings,
		str_fmt(c->a,
			"ikm ignores the repository's settings, and knowledge and checks are off: "
			"%s",
			err_message(repo)));
}

struct str app_user(struct call *c)
{
	return c->conf->user.n ? c->conf->user : os_user(c->a);
}

struct err *app_person_conf(struct call *c, struct conf **out)
{
	struct conf_input in = {.args = c->set};

	*out = c->conf;
	if (!*out && c->client && c->client->cache)
		*out = c->client->cache->person;
	return *out ? NULL : conf_load(c->a, &in, out);
}

struct err *app_load_conf(struct call *c)
{
	struct err *repo, *e;

	if (c->conf)
		return NULL;
	e = app_conf_load(c, &c->conf, &repo);
	if (e || !repo)
		return e;
	/* A person repairs the file first. A tool that can repair it must still be able to run. */
	if (c->face == FACE_ARGV) {
		c->conf = NULL;
		return repo;
	}
	app_conf_broken(c, repo);
	return NULL;
}

void app_conf_again(struct call *c)
{
	struct err *repo = NULL;
	struct conf *conf;

	if (c->face == FACE_ARGV || c->cmd->traits & TOOL_READS || !c->git ||
	    !(c->cmd->need & NEED_ROOTS))
		return;
	c->warnings = (struct strs){0};
	if (!app_conf_load(c, &conf, &repo) && repo)
		app_conf_broken(c, repo);
}

static void app_conf_warn_of(struct call *c, const struct strs *warnings, struct val *result)
{
	struct val *list = val_get(result, "warnings");

	if (!warnings->n || result->type != VAL_MAP)
		return;
	if (!list)
		list = val_set(c->a, result, "warnings", val_list(c->a));
	for (size_t i = 0; list->type == VAL_LIST && i < warnings->n; i++)
		val_add(list, val_str(c->a, warnings->p[i]));
}

void app_result_add_warnings(struct call *c, struct val *result)
{
	app_conf_warn_of(c, &c->notes, result);
	app_conf_warn_of(c, &c->warnings, result);
}
