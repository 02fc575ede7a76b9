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

static const struct field setting[] = {
	{"key", "the setting", F_STR},
	{"value", "its value", F_ANY},
	{"type", "integer, string, boolean, list or object list", F_STR},
	{"origin", "built in, system, user, repository, environment or command line", F_STR},
	{"where", "the file, variable or option", F_STR},
	{"help", "what it does", F_STR},
	{0},
};

static const struct field result[] = {
	{"settings", "every setting; a list's parts one by one", F_LIST, .sub = setting},
	{0},
};

static void config_add(struct call *c, struct val *list, size_t i, const struct val *value,
		       enum conf_origin origin, struct str where)
{
	struct val *v = val_add(list, val_map(c->a));

	val_set(c->a, v, "key", val_str(c->a, str_of(conf_key(i))));
	val_set(c->a, v, "value", val_copy(c->a, value));
	val_set(c->a, v, "type", val_str(c->a, str_of(conf_type(i))));
	val_set(c->a, v, "origin", val_str(c->a, str_of(conf_origin_name(origin))));
	val_set(c->a, v, "where", val_str(c->a, where));
	val_set(c->a, v, "help", val_str(c->a, str_of(conf_help(i))));
}

static struct err *config_run(struct call *c, const void *args, struct val **out)
{
	struct val *list = val_list(c->a);

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
			config_add(c, list, i, parts.p[k].value, parts.p[k].origin,
				   parts.p[k].where);
		if (!parts.n)
			config_add(c, list, i, value, origin, where);
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "settings", list);
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

static void config_cmd_text(struct call *c, const void *p, const struct val *r)
{
	const struct args *args = p;

	VAL_EACH(val_get(r, "settings"), v) {
		if (args->show_origin)
			out_fmt(c->out, "%.*s (%.*s)\t", STR_ARG(val_get_str(v, "origin")),
				STR_ARG(val_get_str(v, "where")));
		out_fmt(c->out, "%.*s=", STR_ARG(val_get_str(v, "key")));
		value_text(c, val_get(v, "value"));
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
	.run_val = config_run,
	.text_val = config_cmd_text,
};

/* ---- config get ---- */

struct get_args {
	struct str key;
};

static const struct param get_params[] = {
	PARAM_OF(struct get_args, key, .flags = ARG | REQUIRED, .help = "the setting"),
	{0},
};

static const struct field get_result[] = {
	{"key", "the setting", F_STR},
	{"value", "its value", F_ANY},
	{"origin", "where it was said", F_STR},
	{"where", "the file, variable or option", F_STR},
	{0},
};

static struct err *get_run(struct call *c, const void *p, struct val **out)
{
	const struct get_args *args = p;
	const struct val *value;
	enum conf_origin origin;
	struct str where;

	TRY(conf_find(c->a, c->conf, args->key, &value, &origin, &where));
	*out = val_map(c->a);
	val_set(c->a, *out, "key", val_str(c->a, args->key));
	val_set(c->a, *out, "value", val_copy(c->a, value));
	val_set(c->a, *out, "origin", val_str(c->a, str_of(conf_origin_name(origin))));
	val_set(c->a, *out, "where", val_str(c->a, where));
	return NULL;
}

static void get_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	value_text(c, val_get(r, "value"));
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
	.run_val = get_run,
	.text_val = get_text,
};
