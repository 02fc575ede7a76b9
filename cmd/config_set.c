/* config set, config unset: change one setting in the user's file, or in the repository's. */
#include "app/app.h"
#include "toolbox/all_tools.h"
#include "conf/edit.h"
#include "json/json.h"
#include "knowledge/load.h"
#include "lint/lint.h"

struct args {
	struct str key;
	struct strs value;
	bool global, repo, add, remove;
};

#define KEY(what)                                                                                  \
	PARAM(key, .flags = ARG | REQUIRED, .complete = cmd_complete_setting_key, .help = what)
#define GLOBAL PARAM(global, .help = "in your own ~/.ikigai/config.json; this is the default")
#define REPO   PARAM(repo, .help = "in the .ikm/config.json of the repository")

static const struct param set_params[] = {
	KEY("the setting"),
	PARAM(value, .flags = ARG | REQUIRED, .complete = cmd_complete_setting_value,
	      .help = "a value, such as 30; of a list each member, or one list as JSON"),
	GLOBAL,
	REPO,
	PARAM(add, .help = "add the values to the list that the file has, else to the default"),
	PARAM(remove, .help = "remove the values from the list that the file has"),
	{0},
};
static const struct param unset_params[] = {
	KEY("the setting; also an unknown key that the file has"), GLOBAL, REPO, {0}};

struct result {
	bool success, changed, overridden;
	struct str key;
	const char *file, *scope, *origin;
	const struct val *old, *value, *in_force;
	struct str where;
	struct strs notes;
};

static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(changed, "false: the file had this already, and was not written"),
	FIELD(key, "the setting"),
	FIELD(file, "the file"),
	FIELD(scope, "user or repository"),
	FIELD(old, "the value that the file had; absent: none", .flags = OPTIONAL),
	FIELD(value, "the value that the file has now; absent: none", .flags = OPTIONAL),
	FIELD_AS(struct result, in_force, "inForce",
		 "the value that counts in this folder; absent: the settings cannot be read",
		 .flags = OPTIONAL),
	FIELD(origin, "the place of that value, as in config get", .flags = OPTIONAL),
	FIELD(where, "its file, variable or option", .flags = IF_ANY),
	FIELD(overridden, "another place decides, not this file"),
	FIELD(notes, "what else to know", .flags = IF_ANY),
	{0},
};

#define NOTE(c, r, ...) strs_push((c)->a, &(r)->notes, str_fmt((c)->a, __VA_ARGS__))

/* ---- the file ---- */
static struct err *set_repo_path(struct call *c, struct result *r, const char **path)
{
	struct strs names;
	struct os_stat st;

	if (!c->git)
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
				"run it inside one, or leave out --repo for your own settings");
	if (git_is_bare(c->git))
		return err_help(err_new(E_NO_REPOSITORY,
					"'%s' is a bare repository: it has no working tree, so no "
					".ikm/config.json",
					git_dir(c->git)),
				"run it in a clone: git clone '%s'", git_dir(c->git));
	names = app_conf_paths(c->a, c->git);
	for (size_t i = 0; i < names.n; i++) {
		*path = os_join(c->a, git_top(c->git), names.p[i].p);
		if (!os_stat(*path, true, &st) && st.kind != OS_NONE && i + 1 < names.n)
			NOTE(c, r,
			     "'ikm check' and 'ikm know' read the .ikm/config.json at the top");
		if (!os_stat(*path, true, &st) && st.kind != OS_NONE)
			return NULL;
	}
	return NULL; /* the last name is the one at the top */
}

/* Refuses a value that the commands which use the setting would refuse. */
static struct err *set_check(struct call *c, const struct conf_edit *q, const struct val *now)
{
	struct strs names = {0};

	if (q->op == CONF_UNSET)
		return NULL;
	if (str_is(q->key, conf_settings[CONF_ID_knowledge_sources].key)) {
		struct conf conf = {0};

		/* The members of knowledge.sources have a form of their own. */
		VAL_EACH(now, m)
			*VEC_PUSH(c->a, &conf.knowledge_sources) =
				(struct conf_part){m, q->origin, str_of(q->path)};
		return knowledge_check_sources(c->a, &conf);
	}
	if (q->op == CONF_REMOVE) /* another hand wrote the rest */
		return NULL;
	if (str_is(q->key, conf_settings[CONF_ID_user].key))
		return app_garden_user_name_check(c, q->key, &q->values);
	if (now && now->type == VAL_LIST)
		VAL_EACH(now, m)
			strs_push(c->a, &names, m->s);
	if (str_is(q->key, conf_settings[CONF_ID_lint_disable].key))
		return lint_check_rule_ids(q->key, &names);
	if (str_is(q->key, conf_settings[CONF_ID_tools_override].key))
		return tools_check_override_names(c, &names);
	return NULL;
}

/* ---- the effect ---- */

/* The setting in force now. When the settings are still broken, a note says where. */
static void set_effect(struct call *c, const struct conf_edit *q, struct result *r)
{
	const struct conf_setting *s;
	const struct conf_part *last;
	struct err *e = app_load_conf(c);

	if (e) {
		NOTE(c, r, "the settings still have a mistake: %s", err_message(e));
		return;
	}
	if (conf_find(c->a, q->key, &s))
		return;
	last = conf_highest_value(c->conf, s);
	r->in_force = conf_value(c->conf, c->a, s);
	r->origin = conf_origin_name(last->origin);
	r->where = last->where;
	r->overridden = r->value && last->origin > q->origin && s->type != CONF_PARTS;
	if (r->value && s->type == CONF_PARTS && r->in_force->n > r->value->n)
		NOTE(c, r,
		     "members of other places count too: see 'ikm config list "
		     "--show-origin'");
}

static struct err *set_edit(struct call *c, struct conf_edit *q, const struct args *args,
			    struct result *r)
{
	struct conf_edited done;

	q->key = args->key;
	q->origin = args->repo ? CONF_REPO : CONF_USER;
	q->folder_mode = args->repo ? 0777 : 0700;
	if (args->repo && args->global)
		return ERR_EXCLUSIVE("--global", "--repo");
	if (args->repo)
		TRY(set_repo_path(c, r, &q->path));
	else
		q->path = conf_user_path(c->a);
	if (!q->path)
		return err_new(E_NO_HOME, "there is no home folder for your settings");
	q->top = args->repo ? git_top(c->git) : NULL;
	q->dry = true;
	TRY(conf_edit_file(c->a, q, &done));
	TRY(set_check(c, q, done.now));
	q->dry = false;
	TRY(conf_edit_file(c->a, q, &done));
	r->success = true;
	r->key = q->key;
	r->file = q->path;
	r->scope = args->repo ? "repository" : "user";
	r->changed = done.changed;
	r->old = done.was;
	r->value = done.now;
	for (size_t i = 0; i < done.missing.n; i++)
		NOTE(c, r, "%.*s is not in the list of this file", STR_ARG(done.missing.p[i]));
	for (size_t i = 0; i < done.present.n; i++)
		NOTE(c, r, "%.*s is in the list already", STR_ARG(done.present.p[i]));
	set_effect(c, q, r);
	return NULL;
}

static struct err *config_set_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct conf_edit q = {.values = args->value};

	if (args->add && args->remove)
		return ERR_EXCLUSIVE("--add", "--remove");
	q.op = args->add ? CONF_ADD : args->remove ? CONF_REMOVE : CONF_SET;
	return set_edit(c, &q, args, out);
}

static struct err *config_unset_run(struct call *c, const void *p, void *out)
{
	struct conf_edit q = {.op = CONF_UNSET};

	return set_edit(c, &q, p, out);
}

/* ---- text for people ---- */

#define TEMPLATE_SET                                                                               \
	"{key}{?^value:={value}{?changed: in | is already in }|{?changed: is no longer in | is "   \
	"not in }}{file}{?changed:{?^old: (was {old})}|: nothing changed}\n"                       \
	"{?^inForce:{?overridden:not in force here: {key}={value}; in force: {inForce}, "          \
	"{origin} ("                                                                               \
	"{where})\n|{?!^value:in force here: {key}={inForce}, {origin} ({where})\n}}}{/notes:"     \
	"{.}\n"                                                                                    \
	"}"
const struct cmd cmd_config_set = {
	.name = "config set",
	.summary = "set a setting in your own file, or in the repository's",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, set_params),
	CMD_RESULT(struct result, result),
	.more_help = cmd_print_settings,
	.run = config_set_run,
	.template = TEMPLATE_SET,
};

const struct cmd cmd_config_unset = {
	.name = "config unset",
	.summary = "remove a setting from your own file, or from the repository's",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, unset_params),
	CMD_RESULT(struct result, result),
	.run = config_unset_run,
	.template = TEMPLATE_SET,
};
