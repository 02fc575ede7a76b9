/* Opens what a command needs, runs it, and completes its answer. */
#include "client_info.h"
#include "session_cache.h"
#include "print_warnings.h"
#include <fcntl.h>
#include <unistd.h>

#define NEW_STORE_MS 10000 /* another process may be making it */

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
		session_cache_apply_to_call(cache, c);
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

static enum cmd_reach app_reach(const void *p, const struct cmd *tool)
{
	return client_tool_availability(p, tool);
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

struct err *app_run_json(struct call *c, const struct cmd_common *common, const struct cmd *cmd,
			 const struct val *input, struct val **result)
{
	c->cmd = cmd;
	return every_root_run(c, common, input, result);
}
