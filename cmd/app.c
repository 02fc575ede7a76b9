#include "ground.h"
#include "tools.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

const struct cmd *const cmd_table[] = {
#define CMD(name) &cmd_##name,
#include "list.h"
#undef CMD
	NULL,
};

#define CONF_MAX ((size_t)1 << 20)

/* The nearest one upwards from where we stand, never above the top of the working tree. */
struct err *app_repo_conf(struct arena *a, struct git *g, struct conf_input *in)
{
	struct str prefix = git_prefix(g);

	if (git_is_bare(g))
		return NULL;
	for (;;) {
		struct str name = str_fmt(a, "%.*s" APP_CONF_NAME, STR_ARG(prefix));
		struct err *e = os_read(a, os_join(a, git_top(g), name.p), CONF_MAX,
					&in->repo_text);
		size_t slash;

		if (!e) {
			in->repo_name = name;
			return NULL;
		}
		if (err_reason(e) != E_FILE_NOT_FOUND)
			return e;
		if (!prefix.n)
			return NULL;
		slash = str_rfind_char(str_sub(prefix, 0, prefix.n - 1), '/');
		prefix = slash == SIZE_MAX ? (struct str){"", 0} : str_sub(prefix, 0, slash + 1);
	}
}

static struct err *open_git(struct call *c)
{
	struct err *e = git_open(c->a, NULL, &c->git);

	if (e && err_reason(e) == E_NO_REPOSITORY && !(c->cmd->need & NEED_GIT))
		return NULL;
	return e;
}

/* The folder, unless that would open the home, by whatever name, or everything. */
static const char *safe(const char *dir)
{
	const char *never[] = {"/", os_home()};
	struct os_stat it, other;

	if (!dir || os_stat(dir, true, &it) || it.kind != OS_DIR)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(never); i++)
		if (never[i] && !os_stat(never[i], true, &other) && other.kind != OS_NONE &&
		    it.dev == other.dev && it.ino == other.ino)
			return NULL;
	return dir;
}

struct err *app_rootless(const struct call *c)
{
	struct err *e = err_new(E_NO_ROOTS, "no folder is open to tools here: %s",
				c->client_told
					? "of the client's roots none is a folder below the home"
				: c->git && git_top(c->git)
					? "the repository's top is the home or '/'"
					: "this is no Git repository");

	if (!c->client_told)
		e = err_help(e, "start ikm in the project's repository, or with -C DIR");
	return err_help(e, "open folders: \"files\": {\"roots\": [\"DIR\"]} in "
			   "~/.ikigai/config.json, or --root DIR");
}

/*
 * Tool faces are limited to roots: --root, else the configuration, else what an MCP client says, else
 * the repository.
 */
static struct err *open_roots(struct call *c, const struct cmd_common *common)
{
	bool confined = c->cmd->need & NEED_CONFINED;
	struct strs dirs = {0}, denied = {0};
	const char *top = safe(c->git ? git_top(c->git) : NULL), *ours = os_ikigai_home(c->a);
	struct conf_parts parts = {0};

	conf_each(c->conf, c->a, "files.roots", &parts);
	/* A server has many calls with these options, and each has its own memory. */
	for (size_t i = 0; i < common->root.n; i++)
		strs_push(c->a, &dirs, common->root.p[i]);
	for (size_t i = 0; !common->root.n && i < parts.n; i++)
		strs_push(c->a, &dirs, parts.p[i].value->s);
	for (size_t i = 0; c->client_told && i < c->client_roots.n; i++)
		if (!common->root.n && !parts.n && safe(str_c(c->a, c->client_roots.p[i])))
			strs_push(c->a, &dirs, c->client_roots.p[i]);
	if (top && ((!dirs.n && !c->client_told) || (confined && c->face == FACE_ARGV && !common->root.n)))
		strs_push(c->a, &dirs, str_of(top));
	c->rootless = !dirs.n;
	for (size_t i = 0; i < dirs.n; i++) {
		const char *real;

		TRY(os_realpath(c->a, str_c(c->a, dirs.p[i]), &real));
		dirs.p[i] = str_of(real);
	}
	if (ours)
		strs_push(c->a, &denied, str_of(ours));
	return os_roots_new(c->a, &dirs, &denied, &c->roots);
}

/* -c, and the options that are short for one. */
void app_settings(struct call *c, const struct cmd_common *common)
{
	const struct {
		const char *key;
		struct str value;
	} named[] = {
		{"agent.id", common->agent}, {"user", common->user}, {"session", common->session}};

	c->set = common->set;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (named[i].value.p)
			strs_push(c->a, &c->set, str_fmt(c->a, "%s=%.*s", named[i].key,
							 STR_ARG(named[i].value)));
}

/* What is wrong with the repository's configuration and nothing else; *out: what holds without it. */
static struct err *load_conf(struct call *c, struct conf **out, struct err **repo)
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

static void warn_of_repo(struct call *c, const struct err *repo)
{
	strs_push(c->a, &c->warnings,
		  str_fmt(c->a,
			  "the repository's settings do not count, and knowledge and checks are off: "
			  "%s",
			  err_message(repo)));
}

struct err *app_conf(struct call *c)
{
	struct err *repo, *e;

	if (c->conf)
		return NULL;
	e = load_conf(c, &c->conf, &repo);
	if (e || !repo)
		return e;
	/* People mend it first; a tool must not be locked out by a file that it can mend. */
	if (c->face == FACE_ARGV) {
		c->conf = NULL;
		return repo;
	}
	warn_of_repo(c, repo);
	return NULL;
}

/* This call itself may have broken or mended it. */
static void look_at_repo_again(struct call *c)
{
	struct err *repo = NULL;
	struct conf *conf;

	if (c->face == FACE_ARGV || c->cmd->traits & TOOL_READS || !c->git ||
	    !(c->cmd->need & NEED_ROOTS))
		return;
	c->warnings = (struct strs){0};
	if (!load_conf(c, &conf, &repo) && repo)
		warn_of_repo(c, repo);
}

/* Behind what the command itself warns of. */
static void add_warnings(struct call *c, struct val *result)
{
	struct val *list = val_get(result, "warnings");

	if (!c->warnings.n || result->type != VAL_MAP)
		return;
	if (!list)
		list = val_set(c->a, result, "warnings", val_list(c->a));
	for (size_t i = 0; list->type == VAL_LIST && i < c->warnings.n; i++)
		val_add(list, val_str(c->a, c->warnings.p[i]));
}

static struct err *switched_on(struct call *c)
{
	struct tool_settings set;

	if (!c->cmd->setting || c->face == FACE_ARGV)
		return NULL;
	TRY(tools_settings(c, &set));
	if (conf_bool(set.conf, c->cmd->setting))
		return NULL;
	return err_help(err_new(E_NOT_ALLOWED, "the tool %s is switched off", c->cmd->tool),
			"a person can set %s to true in ~/.ikigai/config.json", c->cmd->setting);
}

struct err *app_open_limited(struct call *c, const struct cmd_common *common)
{
	TRY(open_git(c));
	TRY(app_conf(c));
	return open_roots(c, common);
}

void app_ran(const struct cmd *cmd)
{
#ifdef IKM_TEST
	const char *file = os_env("IKM_RAN");
	int fd = file && *file ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;

	if (fd < 0)
		return;
	/* One write a line: tests run side by side. */
	dprintf(fd, "%s\n", cmd->name);
	close(fd);
#else
	(void)cmd;
#endif
}

struct err *app_run(struct call *c, const struct cmd_common *common, const void *args,
		    struct val **result)
{
	unsigned need = c->cmd->need;
	/* A person's command line has no limit unless one is set, and reads no settings for it. */
	bool limited = need & NEED_CONFINED ||
		       (need & NEED_ROOTS && (c->face != FACE_ARGV || common->root.n));
	struct err *e;

	app_settings(c, common);
	c->maintainer = common->maintainer;
	if (!c->cwd)
		TRY(os_cwd(c->a, &c->cwd));
	if (c->cmd->expose == EXPOSE_MAINTAINER && !common->maintainer)
		return err_help(err_new(E_NOT_ALLOWED, "ikm %s is for maintainers", c->cmd->name),
				"add --maintainer if you are one");
	TRY(switched_on(c));
	if (limited && c->ground && ground_has(c->cmd)) {
		ground_use(c->ground, c);
	} else if (limited) {
		TRY(app_open_limited(c, common));
	} else {
		if (need & (NEED_GIT | MAY_GIT))
			TRY(open_git(c));
		if (need & NEED_CONF)
			TRY(app_conf(c));
	}
	if (c->face == FACE_ARGV && !c->json && c->cmd->stream)
		e = c->cmd->stream(c, args);
	else
		e = c->cmd->run(c, args, result);
	/* Where nothing is inside, "outside" would not tell what to do. Stored assets need no root. */
	if (e && c->rootless && err_reason(e) == E_OUTSIDE_ROOTS)
		return app_rootless(c);
	if (e && c->face == FACE_ARGV)
		cmd_name_options(c->a, c->cmd, e);
	if (!e)
		app_ran(c->cmd);
#ifdef IKM_TEST
	if (!e && c->cmd->result && *result)
		cmd_check_result(c->cmd->name, c->cmd->result, *result);
#endif
	if (e)
		return c->warnings.n ? err_detail(e, "settings", c->warnings.p[0]) : e;
	look_at_repo_again(c);
	if (*result)
		add_warnings(c, *result);
	return NULL;
}
