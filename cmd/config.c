#include "app/app.h"
#include "json/json.h"

/* ---- config list ---- */

struct args {
	bool show_origin;
};

static const struct param params[] = {
	PARAM(show_origin, .help = "tell where each value comes from"),
	{0},
};

struct setting {
	const char *key, *type, *origin, *help;
	const struct val *value;
	struct str where;
};

#define SETTING(member, help) FIELD_OF(struct setting, member, help)
static const struct field setting[] = {
	SETTING(key, "the setting"),
	SETTING(value, "its value"),
	SETTING(type, "integer, string, boolean, list or object list"),
	SETTING(origin, "built in, system, user, repository, environment or command line"),
	SETTING(where, "the file, variable or option"),
	SETTING(help, "what it does"),
	{0},
};

struct result {
	struct {
		struct setting *p;
		size_t n, cap;
	} settings;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, settings, "settings", setting,
		      "every setting; a list's parts one by one"),
	{0},
};

static void config_add(struct arena *a, struct result *r, size_t i, const struct val *value,
		       enum conf_origin origin, struct str where)
{
	*VEC_PUSH(a, &r->settings) = (struct setting){
		.key = conf_key(i),
		.value = value,
		.type = conf_type(i),
		.origin = conf_origin_name(origin),
		.where = where,
		.help = conf_help(i),
	};
}

static struct err *config_run(struct call *c, const void *args, void *out)
{
	(void)args;
	for (size_t i = 0; i < conf_settings(); i++) {
		struct conf_parts parts = {0};
		const struct val *value;
		enum conf_origin origin;
		struct str where;

		TRY(conf_find(c->a, c->conf, str_of(conf_key(i)), &value, &origin, &where));
		if (value->type == VAL_LIST)
			conf_each(c->conf, c->a, conf_key(i), &parts);
		for (size_t k = 0; k < parts.n; k++)
			config_add(c->a, out, i, parts.p[k].value, parts.p[k].origin,
				   parts.p[k].where);
		if (!parts.n)
			config_add(c->a, out, i, value, origin, where);
	}
	return NULL;
}

static void value_text(struct call *c, const struct val *v)
{
	struct buf b = buf_in(c->a);

	if (v->type == VAL_STR)
		buf_put(&b, v->s);
	else
		json_write(&b, v, 0);
	out_safe(c->out, buf_str(&b), false);
}

static void config_cmd_text(struct call *c, const void *args, const void *p)
{
	bool show_origin = ((const struct args *)args)->show_origin;
	const struct result *r = p;

	for (size_t i = 0; i < r->settings.n; i++) {
		const struct setting *s = &r->settings.p[i];

		if (show_origin)
			out_fmt(c->out, "%s (%.*s)\t", s->origin, STR_ARG(s->where));
		out_fmt(c->out, "%s=", s->key);
		value_text(c, s->value);
		out_puts(c->out, "\n");
	}
}

const struct cmd cmd_config_list = {
	.name = "config list",
	.summary = "list every setting and its value",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.result_size = sizeof(struct result),
	.run = config_run,
	.text = config_cmd_text,
};

/* ---- config get ---- */

struct get_args {
	struct str key;
};

static const struct param get_params[] = {
	PARAM_OF(struct get_args, key, .flags = ARG | REQUIRED, .help = "the setting"),
	{0},
};

struct get_result {
	struct str key;
	const struct val *value;
	const char *origin;
	struct str where;
};

#define GET(member, help) FIELD_OF(struct get_result, member, help)
static const struct field get_result[] = {
	GET(key, "the setting"),
	GET(value, "its value"),
	GET(origin, "where it was said"),
	GET(where, "the file, variable or option"),
	{0},
};

static struct err *get_run(struct call *c, const void *p, void *out)
{
	const struct get_args *args = p;
	struct get_result *r = out;
	enum conf_origin origin;

	r->key = args->key;
	TRY(conf_find(c->a, c->conf, args->key, &r->value, &origin, &r->where));
	r->origin = conf_origin_name(origin);
	return NULL;
}

static void get_text(struct call *c, const void *args, const void *r)
{
	(void)args;
	value_text(c, ((const struct get_result *)r)->value);
	out_puts(c->out, "\n");
}

const struct cmd cmd_config_get = {
	.name = "config get",
	.summary = "print one setting",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	.args_size = sizeof(struct get_args),
	.params = get_params,
	.result = get_result,
	.result_size = sizeof(struct get_result),
	.run = get_run,
	.text = get_text,
};
