/* hook: installs ikm in hooks of Git or of an agents' host, removes it, shows whether they call it.
 */
#include "agent/agent.h"
#include "app/app.h"
#include "decisions/know.h"
#include "hook/hook.h"
#include "os/os.h"
#include <unistd.h>

/* clang-format off */
#define PREVIOUS(object)                                                                           \
	FIELD_AS(object, previous.path, "previous",                                                \
		 "the path of the earlier hook", .flags = OPTIONAL),                               \
	FIELD_AS(object, previous.runs, "previousRuns", "whether the earlier hook is " \
					"executable, " \
							"and so runs first",                       \
		 .flags = OPTIONAL)
/* clang-format on */

#define R struct hook_change
static const struct field hook_change_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "its file, or its section of git's configuration"),
	FIELD_OF(R, configuration,
		 "the scope of git's configuration, local or global; absent: it is a file",
		 .flags = OPTIONAL),
	FIELD_NAMED(R, action, "action", hook_actions, "the action"),
	FIELD_OF(R, why, "why ikm did not change it, or git does not run it", .flags = OPTIONAL),
	PREVIOUS(R),
	{0},
};
#undef R
#define R struct hook_found
static const struct field hook_found_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "the path where git looks for it"),
	FIELD_NAMED(R, state, "state", hook_states, "the file at this path"),
	FIELD_OF(R, executable, "whether git would run it"),
	PREVIOUS(R),
	FIELD_OF(R, configured, "the scope of git's configuration that calls ikm",
		 .flags = OPTIONAL),
	FIELD_OF(R, program, "the ikm that answered", .flags = OPTIONAL),
	FIELD_OF(R, why, "why git does not call ikm, or why this is not proven", .flags = OPTIONAL),
	FIELD_NAMED(R, fires, "fires", hook_proofs, "whether git got an answer from ikm"),
	{0},
};
#undef R
#define R struct agent_change
static const struct field agent_change_fields[] = {
	FIELD_OF(R, host, "the host"),
	FIELD_OF(R, path, "its file"),
	FIELD_NAMED(R, action, "action", agent_actions, "what was done"),
	FIELD_OF(R, text, "what is in the file for ikm", .flags = IF_ANY),
	{0},
};
#undef R
#define R struct agent_found
static const struct field agent_found_fields[] = {
	FIELD_OF(R, host, "the host"),
	FIELD_OF(R, path, "its file"),
	FIELD_NAMED(
		R, fires, "fires", agent_proofs,
		"whether an event that must be denied was denied, and the host trusts the hook"),
	FIELD_OF(R, why, "why it does not fire, or is not proven to", .flags = OPTIONAL),
	{0},
};
#undef R

static const char *const agent_choices[] = {HOSTS_INSTALLED(ENUM_NAME) "all", NULL};

/* The hook's command lets everything pass where the host does not find ikm. */
static void agent_change_prove(struct call *c, const struct agent_change *change)
{
	const char *self = os_self(c->a);
	struct str path = str_of(os_env("PATH")), dir, own = str_of(self);

	while (str_next_part(&path, ':', &dir))
		if (!access(os_join(c->a, str_c(c->a, dir), "ikm"), X_OK))
			return;
	own = str_sub(own, 0, size_max(str_rfind_char(own, '/') + 1, 1) - 1);
	strs_push(c->a, &c->notes,
		  str_fmt(c->a,
			  "PATH has no ikm, so the hook of %s lets everything pass; put this line "
			  "into ~/.profile, and start %s anew: export PATH=\"$PATH:%.*s\"",
			  change->host, change->host, STR_ARG(own)));
}

struct args {
	struct cmd_bits hook;
	int agent;
	bool force, global, fail_closed, server, git_config, accept_first, npm;
	struct str dir;
};

/* clang-format off */
#define HOOK                                                                                       \
	PARAM(hook, .choices = hook_names, .meta = "NAME",                                         \
	      .help = "only this hook; may be repeated")
#define GLOBAL                                                                                     \
	PARAM(global, .help = "for all your repositories, with the global core.hooksPath; with "     \
			      "--agent in your own settings")
#define SERVER                                                                                     \
	PARAM(server, .help = "the hook pre-receive, in a repository that receives pushes"),       \
		PARAM(dir, .flags = ARG | PATHS, .meta = "DIR",                                    \
		      .help = "with --server: that repository, instead of the current one")
#define CONFIG                                                                                     \
	PARAM(git_config, .help = "in git's configuration, not in files; git 2.54 and newer run that")
#define FORCE(what) PARAM(force, .help = what)
#define AGENT(names)                                                                               \
	PARAM(agent, .choices = names, .meta = "HOST",                                             \
	      .help = "in the settings of this agents' host, instead of Git's hooks")
/* clang-format on */

static const struct param install_params[] = {
	HOOK,
	FORCE("also replace edited hooks, and hooks of other tools or configurations"),
	GLOBAL,
	CONFIG,
	SERVER,
	AGENT(host_choices),
	PARAM(fail_closed,
	      .help = "with --agent: a hook that breaks stops the tool; claude, cursor"),
	PARAM(accept_first, .help = "with --server: the first push into an empty repository is let "
				    "in, whatever it breaks"),
	PARAM(npm, .help = "also in each clone: as a script of package.json, run by npm install"),
	{0},
};
static const struct param uninstall_params[] = {
	HOOK,
	FORCE("also remove edited hooks"),
	GLOBAL,
	CONFIG,
	SERVER,
	AGENT(host_choices),
	PARAM(npm, .help = "also the script that 'install --npm' has put into package.json"),
	{0},
};
static const struct param status_params[] = {HOOK, GLOBAL, SERVER, AGENT(agent_choices), {0}};

struct changed {
	struct hook_changes git;
	const struct agent_change *agent;
};
#define R struct changed
static const struct field changed[] = {
	FIELD_AS(R, git.changed, "changed", "whether anything changed"),
	FIELD_AS(R, git.directory, "directory", "where git looks for hooks", .flags = OPTIONAL),
	FIELD_RECORDS(R, git.hooks, "hooks", hook_change_fields, "the hooks"),
	FIELD_AS(R, git.notes, "notes", "further information"),
	FIELD_RECORD_AT(R, agent, "agent", agent_change_fields, "with --agent: the host's settings",
			.flags = OPTIONAL),
	{0},
};
#undef R

static struct hook_options hook_cmd_options(const struct args *args)
{
	return (struct hook_options){args->hook.bits, args->force, args->global, args->server,
				     args->git_config};
}

/* The repository: the current one, or the one that DIR names. */
static struct err *hook_cmd_git(struct call *c, const struct args *args, struct git **g)
{
	*g = c->git;
	if (!args->dir.p)
		return NULL;
	if (!args->server)
		return err_help(err_new(E_BAD_ARGUMENT, "DIR goes with --server"),
				"for a repository elsewhere: ikm -C DIR hook ...");
	return git_open(c->a, str_c(c->a, args->dir), g);
}

/* An option for Git's hooks does not go with a host, nor the other way round. */
static struct err *hook_cmd_agent(struct call *c, const struct args *args, bool in,
				  struct changed *out)
{
	struct agent_options o = {(enum host)args->agent, args->global, args->fail_closed};
	const char *top = c->git ? git_top(c->git) : NULL;
	struct agent_change *change;

	if (args->agent < 0 && args->fail_closed)
		return err_help(err_new(E_BAD_ARGUMENT, "--fail-closed goes with --agent"),
				"ikm hook install --agent claude --fail-closed");
	if (args->agent < 0)
		return NULL;
	if (args->hook.given || args->force || args->server || args->git_config)
		return ERR_EXCLUSIVE(args->force        ? "--force"
				     : args->server     ? "--server"
				     : args->git_config ? "--git-config"
							: "--hook",
				     "--agent");
	out->agent = change = ARENA_NEW(c->a, struct agent_change);
	TRY((in ? agent_hook_install : agent_hook_uninstall)(c->a, top, &o, change));
	if (in)
		agent_change_prove(c, change);
	out->git.notes = change->notes;
	out->git.changed = change->action != AGENT_UNCHANGED && change->action != AGENT_ABSENT;
	return NULL;
}

/* Hooks of one working tree that would judge nothing: their user believes that they guard it. */
static struct err *hook_cmd_note(struct call *c, const struct args *args, struct strs *notes)
{
	return args->global || args->server ? NULL : know_note_none(c, notes);
}

/* --npm goes with no other place for hooks, and needs a working tree. */
static struct err *hook_cmd_npm(const struct args *args, const struct git *g)
{
	if (!args->npm)
		return NULL;
	if (args->global || args->server || args->git_config || args->agent >= 0)
		return err_help(err_new(E_BAD_ARGUMENT,
					"--npm does not go with --global, --server, --git-config "
					"and --agent: it is for each clone"),
				"leave out --npm, or the other option");
	if (!g || git_is_bare(g))
		return err_new(E_NO_REPOSITORY, "--npm needs a Git repository with files");
	return NULL;
}

static struct err *hook_cmd_npm_write(struct call *c, const struct hook_npm *script,
				      struct hook_changes *out)
{
	if (script->changed)
		TRY(os_write(script->path, script->text, 0));
	if (script->path)
		strs_push(c->a, &out->notes, script->note);
	out->changed |= script->changed;
	return NULL;
}

static struct err *hook_cmd_install(struct call *c, const void *args, void *p)
{
	struct hook_options o = hook_cmd_options(args);
	bool first = ((const struct args *)args)->accept_first;
	struct hook_npm script = {0};
	struct changed *out = p;
	struct git *g;

	if (first && !((const struct args *)args)->server)
		return err_help(err_new(E_BAD_ARGUMENT, "--accept-first goes with --server"),
				"ikm hook install --server --accept-first");
	TRY(hook_cmd_git(c, args, &g));
	TRY(hook_cmd_npm(args, g));
	TRY(hook_cmd_agent(c, args, true, out));
	if (out->agent)
		return NULL;
	/* Both are refused before one is written. */
	if (((const struct args *)args)->npm)
		TRY(hook_npm_plan(c->a, g, c->cwd, &script));
	/* No mark without hooks: it would count once they are there. */
	if (first)
		TRY(hook_first_push_set_allowed(c->a, g, true));
	TRY(hook_install(c->a, g, &o, &out->git, &c->negative));
	TRY(hook_cmd_npm_write(c, &script, &out->git));
	if (first)
		TRY(hook_first_push_set_allowed(c->a, g, false));
	return hook_cmd_note(c, args, &out->git.notes);
}

static struct err *hook_cmd_uninstall(struct call *c, const void *args, void *p)
{
	struct hook_options o = hook_cmd_options(args);
	struct hook_npm script = {0};
	struct changed *out = p;
	struct git *g;

	TRY(hook_cmd_git(c, args, &g));
	TRY(hook_cmd_npm(args, g));
	TRY(hook_cmd_agent(c, args, false, out));
	if (out->agent)
		return NULL;
	if (((const struct args *)args)->npm)
		TRY(hook_npm_remove(c->a, g, c->cwd, &script));
	TRY(hook_uninstall(c->a, g, &o, &out->git, &c->negative));
	c->negative |= script.left;
	return hook_cmd_npm_write(c, &script, &out->git);
}

#define TEMPLATE_WHY "{?^why:\n  {why%t}}"
#define TEMPLATE_PREVIOUS                                                                          \
	"{?^previous:\n  the earlier hook is kept as {previous}"                                   \
	"{?previousRuns:, and runs first|, and does not run: it is not executable}}"
#define TEMPLATE_CHANGED                                                                           \
	"{?!^agent:{/hooks:{*name}: {action}"                                                      \
	"{?^configuration:, as {path} in git's {configuration} configuration}" TEMPLATE_PREVIOUS   \
		TEMPLATE_WHY "\n}{/notes:{.}\n}{?!changed:nothing to do}"                          \
	"{?^directory:{?changed:in | in }{directory}\n|{?!changed:\n}}}"
#define TEMPLATE_FIRES "{?fires='yes':{+'fires'}|{?fires='no':{~'does not fire'}|{~'not proven'}}}"

static void hook_cmd_changed_text(struct call *c, const void *args, const void *p)
{
	const struct agent_change *x = ((const struct changed *)p)->agent;
	struct str rest, line;

	(void)args;
	if (!x)
		return;
	rest = x->text;
	out_styled(c->out, OUT_BOLD, str_of(x->host));
	out_fmt(c->out, ": %s in ", agent_actions[x->action]);
	out_safe_line(c->out, str_of(x->path));
	while (x->action != AGENT_UNCHANGED && str_next_line(&rest, &line)) {
		out_puts(c->out, "  ");
		out_safe_line(c->out, line);
	}
	for (size_t i = 0; i < x->notes.n; i++)
		out_safe_line(c->out, x->notes.p[i]);
}

const struct cmd cmd_hook_install = {
	.name = "hook install",
	.summary = "make git run ikm before each commit and push, or a host before edits",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, install_params),
	CMD_RESULT(struct changed, changed),
	.run = hook_cmd_install,
	.template = TEMPLATE_CHANGED,
	.text = hook_cmd_changed_text,
};

const struct cmd cmd_hook_uninstall = {
	.name = "hook uninstall",
	.summary = "remove ikm from hooks of git or a host, and restore what was there",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, uninstall_params),
	CMD_RESULT(struct changed, changed),
	.run = hook_cmd_uninstall,
	.template = TEMPLATE_CHANGED,
	.text = hook_cmd_changed_text,
};

struct found {
	struct hook_report git;
	struct agent_founds agents;
};
#define R struct found
static const struct field status_result[] = {
	FIELD_AS(R, git.directory, "directory", "where git looks for hooks", .flags = OPTIONAL),
	FIELD_AS(R, git.hooks_path, "hooksPath", "core.hooksPath", .flags = OPTIONAL),
	FIELD_AS(R, git.scope, "scope", "the scope of core.hooksPath", .flags = OPTIONAL),
	FIELD_NAMED(R, git.manager, "manager", hook_managers,
		    "the tool that manages the hooks here", .flags = OPTIONAL),
	FIELD_AS(R, git.skipped, "skipped", "IKM_HOOKS=0 is set: the hooks skip ikm"),
	FIELD_RECORDS(R, git.hooks, "hooks", hook_found_fields, "the hooks"),
	FIELD_AS(R, git.notes, "notes", "further information"),
	FIELD_RECORDS(R, agents, "agents", agent_found_fields, "with --agent: each host's settings",
		      .flags = OPTIONAL),
	{0},
};
#undef R

static struct err *hook_cmd_status(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct hook_options o = hook_cmd_options(args);
	bool all = args->agent >= HOST_VSCODE;
	struct found *found = out;
	struct agent_founds *agents = &found->agents;
	struct git *g;

	TRY(hook_cmd_git(c, args, &g));
	if (args->agent < 0) {
		TRY(hook_status(c->a, g, &o, &found->git, &c->negative));
		return hook_cmd_note(c, args, &found->git.notes);
	}
	TRY(agent_hook_probe(c->a, c->git ? git_top(c->git) : NULL, all ? ~0u : 1u << args->agent,
			     all, agents));
	/* One does not fire, or none is there. */
	c->negative = !agents->n;
	for (size_t i = 0; i < agents->n; i++)
		c->negative |= agents->p[i].fires == AGENT_FIRES_NOT;
	if (!agents->p)
		agents->p = arena_alloc(c->a, sizeof(*agents->p));
	return NULL;
}

const struct cmd cmd_hook_status = {
	.name = "hook status",
	.summary = "test whether git's hooks, or an agents' host, call ikm",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, status_params),
	CMD_RESULT(struct found, status_result),
	.run = hook_cmd_status,
	.template =
		"{?!^agents:{/hooks:{*name}: " TEMPLATE_FIRES "{?^program:, runs {program}}"
		"{?^configured:{?state='ours':\n |, in} git's {configured} configuration"
		"{?state='ours': calls ikm too, and leaves it to the file}}" TEMPLATE_WHY
			TEMPLATE_PREVIOUS "\n}in {directory}{?^scope: (core.hooksPath, {scope})}\n"
		"{?skipped:IKM_HOOKS=0 is set here: hooks are skipped\n}{/notes:{.}\n}"
		"|{/agents:{*host}: " TEMPLATE_FIRES ", in {path}" TEMPLATE_WHY "\n}"
		"{?!agents:no host's settings call ikm: ikm hook install --agent HOST\n}}",
};
