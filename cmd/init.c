/* init: makes the home, the store, the garden, and the settings of a repository with decisions. */
#include "reply/ask_person.h"
#include "paths/open_files_for_call.h"
#include "decisions/know.h"
#include "garden/section_edit.h"
#include "hook/hook.h"
#include "knowledge/rule_compare.h"
#include "os/os.h"
#include "setup/setup.h"

static struct err *garden_first_write(struct call *c, struct str path, const struct garden_new *n,
				      struct file_done *done)
{
	struct file_write w = {.op = "write", .flags = OS_PARENTS, .if_match = STR("none")};
	struct file_ref ref;
	struct files *f;
	struct str text;

	TRY(garden_text_new(c->a, n, &text));
	TRY(files_open(c, &f));
	TRY(file_ref_resolve(f, path, &ref));
	return file_put(f, &ref, &w, text, done);
}

/* Commits what waits, such as an overview from before Git knew the name of the user. */
static void garden_first_settle(struct call *c, struct setup *s)
{
	struct saga_report report = {0};
	size_t committed = 0;
	struct files *f;
	struct err *e = files_open(c, &f);

	if (!e)
		e = saga_reconcile(files_garden_saga_new(c, f), false, &report);
	if (e) {
		setup_fail(s, SETUP_GARDEN, NULL, err_add_context(e, "settling the garden"));
		return;
	}
	VEC_EACH(const struct saga_settled, one, &report) {
		committed += one->outcome == SAGA_COMMITTED;
		if (!one->why.n)
			continue;
		setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, str_c(c->a, one->path), "%s: %.*s",
			       saga_outcomes[one->outcome], STR_ARG(one->why));
		setup_set_remedy(s, "mend that, then run 'ikm events reconcile'");
	}
	if (committed)
		setup_add_step(s, SETUP_DONE, SETUP_GARDEN, NULL, "settled %zu earlier %s",
			       committed, committed == 1 ? "change" : "changes");
}

/*
 * Makes the overview of the user in the garden at c->conf, as `ikm md new overview` does: recorded,
 * and committed when garden.commit is on. Tells the step; one that is there stays.
 */
static void garden_first(struct call *c, struct setup *s)
{
	struct garden_new n = {
		.kind = GARDEN_OVERVIEW,
		.user = c->conf->user.n ? c->conf->user : os_user(c->a),
		.now = os_now(),
	};
	const char *top = conf_garden_folder(c->a, c->conf), *path = top;
	struct file_done done = {0};
	struct os_stat st = {0};
	struct str name;
	struct err *e;

	e = garden_new_file_path(c->a, n.kind, n.kind, n.user, n.id, &name);
	if (!e) {
		path = os_join(c->a, top, str_c(c->a, name));
		e = os_stat(path, true, &st);
	}
	if (!e && st.kind == OS_NONE && !s->dry)
		e = garden_first_write(c, str_of(path), &n, &done);
	if (e) {
		setup_fail(s, SETUP_GARDEN, path, e);
		return;
	}
	if (st.kind != OS_NONE)
		setup_add_step(s, SETUP_FOUND, SETUP_GARDEN, path, "your overview");
	else
		setup_add_step(s, SETUP_DONE, SETUP_GARDEN, path, "your overview, the first file%s",
			       done.committed.b ? ", committed" : "");
	for (size_t i = 0; i < done.warnings.n; i++)
		setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, path, "%.*s",
			       STR_ARG(done.warnings.p[i]));
	if (st.kind != OS_NONE && !s->dry)
		garden_first_settle(c, s);
	if (!done.uncommitted.n)
		return;
	setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, path, "no commit of it: %.*s",
		       STR_ARG(done.uncommitted));
	setup_set_remedy(
		s,
		"mend that, then run 'ikm init' again; the next write in the garden commits it too");
}

struct args {
	struct str garden;
	bool dry_run, home_only, repo_only;
};

static const struct param params[] = {
	PARAM(garden, .flags = PATHS | BARE, .meta = "DIR",
	      .help = "make a garden too: this folder, or without it the folder garden in the home"),
	PARAM(dry_run, .letter = 'n', .help = "show what would be made, and make nothing"),
	PARAM(home_only, .help = "only the home, not the repository"),
	PARAM(repo_only, .help = "only the repository, not the home"),
	{0},
};

struct init_next {
	struct str command;
	const char *about;
};
struct result {
	bool success, changed;
	struct setup setup;
	struct VEC(struct init_next) next;
	struct maybe_int rules;
};

static const struct field next_fields[] = {
	FIELD_OF(struct init_next, command, "a command line"),
	FIELD_OF(struct init_next, about, "its effect"),
	{0},
};
static const struct field result[] = {
	FIELD(success, "false: a part failed"),
	FIELD(changed, "whether something was made, or would be"),
	FIELD_AS(struct result, setup.dry, "dryRun", "nothing was written"),
	FIELD_RECORDS(struct result, setup, "steps", setup_step_fields, "the parts, in order"),
	FIELD(rules, "the rules that judge commits of the repository", .flags = OPTIONAL),
	FIELD_RECORDS(struct result, next, "next", next_fields, "what to do next"),
	{0},
};

/* ---- the next steps ---- */

/* Programs that npm, pnpm or Yarn run see it, and PATH may lack ikm then. */
static bool init_by_npm(void)
{
	return os_env("npm_config_user_agent") != NULL;
}

static void init_next(struct call *c, struct result *r, struct str command, const char *about)
{
	if (init_by_npm() && str_starts(command, STR("ikm ")))
		command = str_fmt(c->a, "npx %.*s", STR_ARG(command));
	*VEC_PUSH(c->a, &r->next) = (struct init_next){command, about};
}

/* A garden is often part of a larger repository, so its hooks are left to a person. */
static void init_next_garden(struct call *c, struct result *r)
{
	const struct hook_options o = {0};
	struct hook_report report;
	struct str top = {0};
	bool silent = true;
	struct git *g;

	VEC_EACH(const struct setup_step, s, &r->setup) {
		if (s->area == SETUP_GARDEN && s->state == SETUP_FAILED)
			return;
		if (s->area == SETUP_GARDEN && c->conf)
			top = str_of(conf_garden_folder(c->a, c->conf));
	}
	if (!top.n)
		return;
	/* What cannot be looked at does not call ikm. */
	if (git_open(c->a, top.p, &g) || git_is_bare(g) ||
	    hook_status(c->a, g, &o, &report, &silent) || silent)
		init_next(c, r,
			  str_fmt(c->a, "ikm -C %.*s hook install", STR_ARG(str_quoted(c->a, top))),
			  "judge your own commits in the garden too");
}

static void init_next_steps(struct call *c, struct result *r)
{
	bool wrote = false, sources = false, adds, npm_runs;
	struct buf add = buf_in(c->a);
	const struct strs none = {0};
	struct hook_npm npm = {0};
	struct knowledge *k;
	struct err *e;

	buf_puts(&add, "git add .ikm");
	VEC_EACH(const struct setup_step, s, &r->setup) {
		if (s->area != SETUP_REPOSITORY)
			continue;
		wrote |= s->state == SETUP_DONE || s->state == SETUP_WOULD;
		sources |= s->state == SETUP_FOUND;
		if (s->state == SETUP_FOUND)
			buf_fmt(&add, " %.*s", STR_ARG(str_quoted(c->a, s->path)));
	}
	if (!sources)
		return;
	/* How many rules judge, and the command that writes the first one. */
	if (!r->setup.dry && !know_load(c, &none, &k) && k->sources) {
		r->rules = (struct maybe_int){rulechange_count_judging_rules(k), true};
		if (!r->rules.n)
			init_next(c, r, know_first_rule_command(c, k),
				  "write the first rule, and prove it");
	}
	e = init_by_npm() ? hook_npm_plan(c->a, c->git, c->cwd, &npm) : NULL;
	adds = e && err_reason(e) == E_NOT_CONFIGURED;
	if (adds)
		init_next(c, r, npm.add, "give ikm to everybody who installs the packages");
	npm_runs = adds || npm.changed;
	init_next(c, r, npm_runs ? STR("ikm hook install --npm") : STR("ikm hook install"),
		  npm_runs ? "check every commit by the rules, in each clone"
			   : "check every commit by the rules");
	if (wrote)
		init_next(c, r, buf_as_str(&add), "settings and decisions count once Git has them");
	init_next(c, r, STR("ikm know list"), "the decisions that ikm reads");
	init_next(c, r, STR("ikm know new adr 'TITLE'"), "begin a new decision");
}

/* ---- the command ---- */

/*
 * A garden is for those who have agents that edit Markdown, so nobody gets one unasked. One that
 * exists, or that the settings name, is looked after.
 */
static struct err *init_wants_garden(struct call *c, const struct args *args,
				     const struct conf *conf, bool *wants)
{
	const char *path = conf_garden_folder(c->a, conf);
	struct os_stat st = {.kind = OS_NONE};

	if (path)
		TRY(os_stat(path, false, &st));
	*wants = args->garden.p || conf->garden_path.n || st.kind != OS_NONE;
	if (*wants || args->dry_run || !confirm_can_ask(c))
		return NULL;
	return confirm(c,
		       "Make a garden too: a folder of Markdown that agents edit, with a record of "
		       "each change?",
		       wants);
}

static struct err *init_home(struct call *c, struct setup *s, const struct args *args)
{
	struct events log = {.db = app_store(c), .tool = STR("init"), .face = EVENT_FACE_COMMAND};
	struct setup_garden q = {0};
	struct conf *conf;
	struct err *e;
	bool keys, wants;

	if (args->garden.n)
		q.given = app_absolute_path(c, args->garden);
	if (!setup_home(s, app_store(c))) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_KEYS, NULL, "keys need the home");
		setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, NULL, "a garden needs the home");
		return NULL;
	}
	e = app_person_conf(c, &conf);
	log.user = e || !conf->user.n ? os_user(c->a) : conf->user;
	log.agent = e ? STR("default") : conf->agent_id;
	log.session = e ? STR("") : conf->session;
	keys = setup_keys(s, &log);
	if (e) {
		setup_fail(s, SETUP_GARDEN, q.given, e);
		setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, NULL,
			       "your overview: the settings say where the garden is");
		return NULL;
	}
	/* A mistake in the repository's settings does not concern the home. */
	q.conf = c->conf = conf;
	TRY(init_wants_garden(c, args, conf, &wants));
	if (!wants)
		return NULL;
	setup_garden(s, &q);
	if (!q.path || !keys) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_GARDEN, NULL, "your overview: %s",
			       q.path ? "nothing is written without a key" : "there is no garden");
		return NULL;
	}
	conf->garden_path = str_of(q.path);
	garden_first(c, s);
	return NULL;
}

static struct err *init_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct setup *s = &r->setup;

	if (args->home_only && args->repo_only)
		return ERR_EXCLUSIVE("--home-only", "--repo-only");
	if (args->repo_only && args->garden.p)
		return err_help(err_new(E_BAD_ARGUMENT, "--repo-only makes no garden"),
				"leave out --garden; or make the garden: ikm init --garden");
	if (args->repo_only && !c->git)
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
				"run it inside one, or leave out --repo-only");
	*s = (struct setup){.a = c->a, .dry = args->dry_run};
	if (!args->repo_only)
		TRY(init_home(c, s, args));
	if (!args->home_only)
		setup_repository(s, c->git);
	r->success = !s->failures;
	r->changed = s->changes;
	init_next_steps(c, r);
	if (!args->repo_only)
		init_next_garden(c, r);
	c->negative = s->failures;
	return NULL;
}

/* ---- text for people ---- */

static void init_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	bool skipped = false;
	size_t width = 0;

	(void)args;
	for (size_t i = 0; i < r->setup.n; i++)
		skipped = skipped || r->setup.p[i].state == SETUP_SKIPPED;
	if (r->setup.failures)
		out_fmt(c->out, "%zu %s failed\n", r->setup.failures,
			r->setup.failures == 1 ? "part" : "parts");
	else if (!r->changed)
		out_puts(c->out, skipped ? "nothing was changed\n" : "nothing to do\n");
	if (r->rules.given && !r->rules.n)
		out_puts(c->out, KNOW_NO_RULES "\n");
	for (size_t i = 0; i < r->next.n; i++)
		width = size_max(width, r->next.p[i].command.n);
	if (r->next.n)
		out_puts(c->out, "next:\n");
	for (size_t i = 0; i < r->next.n; i++) {
		out_puts(c->out, "  ");
		out_styled(c->out, OUT_BOLD, r->next.p[i].command);
		out_fmt(c->out, "%*s  %s\n", (int)(width - r->next.p[i].command.n), "",
			r->next.p[i].about);
	}
}

const struct cmd cmd_init = {
	.name = "init",
	.summary = "make the home, and find the decisions of a repository",
	.description = "Make what is missing: the home, the store, the keys, the settings of a "
		       "repository that has decisions, and a garden if you want one. Never replace "
		       "what is there.",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = init_run,
	.template = "{/steps:{?state='skipped':{~state%-8}|{?state='failed':{!state%-8}|"
		    "{?state='found':{state%-8}|{+state%-8}}}}{area%-11}{?path:{path}: }"
		    "{message}\n{?step:                   {step}\n}}",
	.text = init_text,
};
