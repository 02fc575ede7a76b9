/* Opens what a command needs, runs it, and completes its answer. */
#include "app.h"
#include "client_info.h"
#include "host/host.h"
#include "print_warnings.h"
#include "session_cache.h"
#include <fcntl.h>
#include <unistd.h>

#define CONF_MAX     ((size_t)1 << 20)
#define NEW_STORE_MS 10000 /* another process may be making it */

/* ---- settings: it warns when those of the repository are broken ---- */

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

/* Reads the repository's settings again after a tool wrote files: it may have broken or repaired
 * them. */
static void app_conf_again(struct call *c)
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

/* ---- a call ---- */

static struct err *app_open_git(struct call *c)
{
	struct err *e = git_open(c->a, NULL, &c->git);

	if (e && err_reason(e) == E_NO_REPOSITORY && !(c->cmd->need & NEED_GIT))
		return NULL;
	return e;
}

static struct err *app_check_enabled(struct call *c)
{
	struct conf *conf;

	if (c->cmd->expose == EXPOSE_MAINTAINER && !c->maintainer)
		return err_help(err_new(E_NOT_ALLOWED, "'ikm %s' is for maintainers", c->cmd->name),
				"to run it as one, add --maintainer");
	if (!c->cmd->setting || c->face == FACE_ARGV)
		return NULL;
	TRY(app_person_conf(c, &conf));
	if (conf_is_on(conf, c->cmd->setting))
		return NULL;
	return err_help(err_new(E_NOT_ALLOWED, "the tool '%s' is switched off", c->cmd->tool),
			"a person can set %s to true in ~/.ikigai/config.json",
			c->cmd->setting->key);
}

struct err *app_call_open_with_roots(struct call *c, const struct cmd_common *common)
{
	TRY(app_open_git(c));
	TRY(app_load_conf(c));
	return roots_open(c, common);
}

/* In test builds: writes a line to the file that the variable names. Tests run at the same time, so
 * it is one write. */
static void app_log_for_tests(const char *variable, int flags, const char *line)
{
#ifdef IKM_TEST
	const char *file = os_env(variable);
	int fd = file && *file ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%s\n", line);
	close(fd);
#else
	(void)variable;
	(void)flags;
	(void)line;
#endif
}

void app_test_note_command(const struct cmd *cmd)
{
	app_log_for_tests("IKM_RAN", O_APPEND, cmd->name);
}

void app_test_note_error(const struct err *e)
{
	app_log_for_tests("IKM_REFUSED", O_TRUNC, err_reason_name(err_reason(e)));
}

const char *app_absolute_path(const struct call *c, struct str path)
{
	const char *given = str_c(c->a, path);

	return *given == '/' ? given : os_join(c->a, c->cwd, given);
}

struct db *app_store(struct call *c)
{
	const char *home = os_ikigai_home(c->a);
	const char *path = home ? os_join(c->a, home, "ikm.db") : NULL;
	struct os_stat st;

	if (c->store)
		return c->store;
	c->store = c->client ? c->client->store : NULL;
	if (c->store)
		db_close_if_stale(c->store);
	else
		c->store = db_new(c->a, path);
	/* A full disk or a failed copy has emptied it. */
	if (path && !os_stat(path, true, &st) && st.kind == OS_FILE && !st.size &&
	    st.mtime_ns < (os_now() - NEW_STORE_MS) * 1000000)
		strs_push(c->a, &c->notes,
			  str_fmt(c->a, "the store '%s' is an empty file, so nothing is stored yet",
				  path));
	return c->store;
}

/*
 * Reports the damaged rows that an answer leaves out: in the result of every command, and on
 * standard error. result: NULL when there is none.
 */
static void app_report_damage(struct call *c, const struct db_damage *d, struct val *result)
{
	struct strs lines = {0}, rows;
	struct val *v;

	if (!d->n)
		return;
	/* The handle forgets its rows at the end of the call, before a server writes the result. */
	for (size_t i = 0; i < d->rows.n; i++)
		strs_push(c->a, &lines, str_dup(c->a, d->rows.p[i]));
	rows = lines;
	if (d->n > d->rows.n)
		strs_push(c->a, &lines, str_fmt(c->a, "and %zu more", d->n - d->rows.n));
	strs_push(c->a, &lines,
		  str_fmt(c->a, "%s skipped; 'ikm doctor' lists all damage",
			  d->n == 1 ? "a damaged row was" : "damaged rows were"));
	warnings_print(c, &lines);
	if (!result || result->type != VAL_MAP)
		return;
	v = val_set(c->a, result, "damaged", val_map(c->a));
	val_set(c->a, v, "count", val_int(c->a, (int64_t)d->n));
	val_set(c->a, v, "rows", val_list_of_strs(c->a, &rows));
}

/* Opens what the command needs. */
static struct err *app_open(struct call *c, const struct cmd_common *common)
{
	const struct session_cache *cache = c->client ? c->client->cache : NULL;
	unsigned need = c->cmd->need;

	/* A person's command line has no limit unless one is set, and reads no settings for it. */
	if (need & NEED_CONFINED ||
	    (need & NEED_ROOTS && (c->face != FACE_ARGV || common->root.n))) {
		if (!cache || !session_cache_suffices(c->cmd))
			return app_call_open_with_roots(c, common);
		c->conf = cache->conf;
		c->roots = cache->roots;
		strs_add_all(c->a, &c->warnings, &cache->warnings);
		c->refused_roots = cache->refused_roots;
		return NULL;
	}
	if (need & (NEED_GIT | MAY_GIT))
		TRY(app_open_git(c));
	return need & NEED_CONF ? app_load_conf(c) : NULL;
}

/* Lets the command record the attempt. What cannot be opened says nothing better than `why`. */
static struct err *app_not_enabled(struct call *c, const struct cmd_common *common,
				   const void *args, struct err *why)
{
	if (!c->cmd->refused || app_open(c, common) ||
	    app_garden_file_resolve_args(c, c->cmd, &args))
		return why;
	return c->cmd->refused(c, args, why);
}

/* How the client of the server calls a tool. */
static enum cmd_reach app_reach(const void *p, const struct cmd *tool)
{
	const struct client *client = p;

	if (client->reaches && client->reaches(client->offer, tool))
		return CMD_REACHED;
	return client->offers(client->offer, tool, NULL) ? CMD_LISTED : CMD_NOT_OFFERED;
}

static void app_other_folders(const struct call *c, struct err *e)
{
	const struct strs *roots = &c->client->roots;
	struct strs open = {0};
	const char *real;

	os_roots_paths(c->roots, c->a, &open);
	for (size_t i = 1; i < roots->n; i++)
		if (!os_realpath(c->a, str_c(c->a, roots->p[i]), &real) &&
		    strs_has(&open, str_of(real)))
			err_help(e, "paths begin in %.*s; another open folder is %.*s",
				 STR_ARG(roots->p[0]), STR_ARG(roots->p[i]));
}

static struct err *app_run_open(struct call *c, const struct cmd_common *common, const void *args,
				struct val **result)
{
	const struct cmd_reaches how = {app_reach, c->client};
	struct err *e;

	TRY(os_check_home_absolute());
	app_settings_from_options(c, common);
	TRY(conf_check_override_args(c->a, &c->set));
	c->maintainer = common->maintainer;
	if (!c->cwd)
		TRY(os_cwd(c->a, &c->cwd));
	e = app_check_enabled(c);
	if (e)
		return app_not_enabled(c, common, args, e);
	TRY(app_open(c, common));
	TRY(app_garden_file_resolve_args(c, c->cmd, &args));
	e = cmd_run(c, args, result);
	/* When no folder is open, "outside the roots" would not help. app_open() does not refuse
	 * such a call, because stored assets need no root. */
	if (e && c->rootless && err_reason(e) == E_OUTSIDE_ROOTS)
		return app_no_roots_error(c);
	if (e && err_reason(e) == E_OUTSIDE_ROOTS && !err_has_help(e))
		roots_help(c, e);
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		app_error_add_garden_hint(c, args, e);
	e = warnings_add_step_to_error(c, e);
	if (e && c->client && err_reason(e) == E_FILE_NOT_FOUND)
		app_other_folders(c, e);
	if (e && c->face == FACE_ARGV)
		cmd_error_params_to_options(c->a, c->cmd, e);
	else if (e)
		cmd_error_name_tools(c->a, c->cmd, c->client ? &how : NULL, e);
	for (size_t i = 0; e && i < c->notes.n; i++)
		err_help(e, "%.*s", STR_ARG(c->notes.p[i]));
	if (!e)
		app_test_note_command(c->cmd);
	if (c->store)
		app_report_damage(c, db_damage_so_far(c->store), e ? NULL : *result);
	if (e)
		return c->warnings.n ? err_add_detail(e, "settings", c->warnings.p[0]) : e;
	app_conf_again(c);
	if (*result)
		app_result_add_warnings(c, *result);
	if (c->face == FACE_ARGV && !c->json)
		warnings_print(c, &c->notes);
	return NULL;
}

struct err *app_run_command(struct call *c, const struct cmd_common *common, const void *args,
			    struct val **result)
{
	struct err *e = app_run_open(c, common, args, result);
	bool helps = e && err_has_help(e);

	e = warnings_add_step_to_error(c, e);
	if (e && !helps && err_has_help(e) && c->face != FACE_ARGV)
		cmd_error_name_tools(c->a, c->cmd, NULL, e);
	return e;
}
