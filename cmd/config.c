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
	{"allowed", "what its value may be", F_STR},
	{"default", "its value where nothing sets it, as -c would have it", F_STR},
	{"repository", "whether a repository may set it too", F_BOOL},
	{"origin", "built in, system, user, repository, environment or command line", F_STR},
	{"where", "the file, variable or option", F_STR},
	{"help", "what it does", F_STR},
	{0},
};

static const struct field result[] = {
	{"settings", "every setting; a list's parts one by one", F_LIST, .sub = setting},
	{0},
};

static void config_set(struct call *c, struct val *v, const struct conf_setting *s,
		       const struct val *value, const struct conf_part *set_by)
{
	val_set(c->a, v, "key", val_str(c->a, str_of(s->key)));
	val_set(c->a, v, "value", val_copy(c->a, value));
	val_set(c->a, v, "origin", val_str(c->a, str_of(conf_origin_name(set_by->origin))));
	val_set(c->a, v, "where", val_str(c->a, set_by->where));
}

static void config_add(struct call *c, struct val *list, const struct conf_setting *s,
		       const struct conf_part *part)
{
	struct val *v = val_add(list, val_map(c->a));

	config_set(c, v, s, part->value, part);
	val_set(c->a, v, "type", val_str(c->a, str_of(conf_type_name(s))));
	val_set(c->a, v, "allowed", val_str(c->a, conf_allowed(c->a, s)));
	val_set(c->a, v, "default", val_str(c->a, str_of(s->def)));
	val_set(c->a, v, "repository", val_bool(c->a, s->repo));
	val_set(c->a, v, "help", val_str(c->a, str_of(s->help)));
}

static struct err *config_run(struct call *c, const void *args, struct val **out)
{
	struct val *list = val_list(c->a);

	(void)args;
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		struct conf_parts parts;

		conf_parts(c->conf, c->a, s, &parts);
		for (size_t k = 0; k < parts.n; k++)
			config_add(c, list, s, &parts.p[k]);
		if (!parts.n)
			config_add(c, list, s, conf_last(c->conf, s));
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
	.more_help = cmd_print_settings,
	.run_val = config_run,
	.text_val = config_cmd_text,
};

/* ---- config get ---- */

struct get_args {
	struct str key;
};

static const struct param get_params[] = {
	PARAM_OF(struct get_args, key, .flags = ARG | REQUIRED, .complete = cmd_complete_key,
		 .help = "the setting"),
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
	const struct conf_setting *s;

	TRY(conf_find(c->a, args->key, &s));
	*out = val_map(c->a);
	config_set(c, *out, s, conf_value(c->conf, c->a, s), conf_last(c->conf, s));
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
	.more_help = cmd_print_settings,
	.run_val = get_run,
	.text_val = get_text,
};
