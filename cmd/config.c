#include "app/app.h"
#include "json/json.h"

/* ---- config list ---- */

struct args {
	bool show_origin;
};

static const struct param params[] = {
	PARAM(show_origin, .help = "show where each value comes from"),
	{0},
};

struct setting {
	const struct val *value;
	const char *key, *type, *def, *origin, *help;
	struct str allowed, where;
	bool repo;
};

#define SET_AS(...) FIELD_AS(struct setting, __VA_ARGS__)
#define SET_OF(...) FIELD_OF(struct setting, __VA_ARGS__)
static const struct field setting[] = {
	SET_OF(key, "the setting"),
	SET_OF(value, "its value"),
	SET_OF(type, "integer, string, boolean, list or object list"),
	SET_OF(allowed, "the allowed values"),
	SET_AS(def, "default", "its default, in the form of -c"),
	SET_AS(repo, "repository", "whether a repository may set it"),
	SET_OF(origin, "built in, system, user, repository, environment or command line"),
	SET_OF(where, "the file, variable or option"),
	SET_OF(help, "its effect"),
	{0},
};

struct result {
	struct VEC(struct setting) settings;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, settings, "settings", setting,
		      "every setting, with one entry for each part of a list"),
	{0},
};

static struct setting config_setting(struct arena *a, const struct conf_setting *s,
				     const struct val *value, const struct conf_part *set_by)
{
	return (struct setting){
		.value = value,
		.key = s->key,
		.type = conf_type_name(s),
		.def = s->def,
		.origin = conf_origin_name(set_by->origin),
		.help = s->help,
		.allowed = conf_allowed_values_text(a, s),
		.where = set_by->where,
		.repo = s->repo,
	};
}

static struct err *config_list_run(struct call *c, const void *args, void *out)
{
	struct result *r = out;

	(void)args;
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		const struct conf_part *last = conf_highest_value(c->conf, s);
		struct conf_parts parts;

		conf_value_parts(c->conf, c->a, s, &parts);
		for (size_t k = 0; k < parts.n; k++)
			*VEC_PUSH(c->a, &r->settings) =
				config_setting(c->a, s, parts.p[k].value, &parts.p[k]);
		if (!parts.n)
			*VEC_PUSH(c->a, &r->settings) = config_setting(c->a, s, last->value, last);
	}
	return NULL;
}

const struct cmd cmd_config_list = {
	.name = "config list",
	.summary = "list every setting and its value",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.more_help = cmd_print_settings,
	.run = config_list_run,
	.template = "{/settings:{?@show_origin:{origin} ({where})\t}{key}={value}\n}",
};

/* ---- config get ---- */

struct get_args {
	struct str key;
};

static const struct param get_params[] = {
	PARAM_OF(struct get_args, key, .flags = ARG | REQUIRED,
		 .complete = cmd_complete_setting_key, .help = "the setting"),
	{0},
};

static const struct field get_result[] = {
	SET_OF(key, "the setting"),
	SET_OF(value, "its value"),
	SET_OF(origin, "its origin"),
	SET_OF(where, "the file, variable or option"),
	{0},
};

static struct err *config_get_run(struct call *c, const void *p, void *out)
{
	const struct get_args *args = p;
	const struct conf_setting *s;

	TRY(conf_find(c->a, args->key, &s));
	*(struct setting *)out = config_setting(c->a, s, conf_value(c->conf, c->a, s),
						conf_highest_value(c->conf, s));
	return NULL;
}

const struct cmd cmd_config_get = {
	.name = "config get",
	.summary = "print one setting",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct get_args, get_params),
	CMD_RESULT(struct setting, get_result),
	.more_help = cmd_print_settings,
	.run = config_get_run,
	.template = "{value}\n",
};
