/*
 * Both schema documents: JSON Schema, and the output of --schema (requirements: memory and
 * knowledge, "Tool Schemas"; external tools, "Schema Protocol").
 */
#include "cmd/cmd.h"

/* True for a list of objects with the rows `sub`. */
static bool is_list(const struct param *p)
{
	return (p->type == P_LIST && !(p->flags & ONE)) || (p->type == P_JSON && p->sub);
}

/* No model asks for more than this many of anything, so it needs no limit beyond. A limit of a
 * length helps no model either: it does not count bytes. A call that exceeds one is refused. */
#define LIMIT_MET 1000

static struct val *strings(struct arena *a, const char *const *s)
{
	struct strs all = strs_of(a, s);

	return val_list_of_strs(a, &all);
}

static struct val *cmd_schema_text(struct arena *a, const char *s)
{
	return val_str(a, str_of(s));
}

static struct val *properties(struct arena *a, const struct param *params, bool shorter);
static bool in_schema(const struct param *p)
{
	return !(p->flags & (CLI_ONLY | HIDDEN));
}

static struct val *default_of(struct arena *a, const struct param *p)
{
	struct val *list;
	struct str rest = str_of(p->def), part;

	switch (p->type) {
	case P_INT:
	case P_NUM: {
		struct val *v = val_null(a);

		v->type = VAL_NUM;
		v->s = rest;
		return v;
	}
	case P_BOOL: return val_bool(a, str_is(rest, "true"));
	case P_STRS:
	case P_CHOICES:
		list = val_list(a);
		while (str_next_part(&rest, ',', &part))
			val_add(list, val_str(a, part));
		return list;
	default: return val_str(a, rest);
	}
}

static void set_members(struct arena *a, struct val *v, const struct param *sub, bool shorter)
{
	struct val *need = val_list(a);

	for (const struct param *p = sub; p && p->name; p++)
		if (in_schema(p) && p->flags & REQUIRED)
			val_add(need, cmd_schema_text(a, p->name));
	val_set(a, v, "properties", properties(a, sub, shorter));
	if (need->n)
		val_set(a, v, "required", need);
	/* Unknown members are refused, unless a parameter receives their names. */
	for (const struct param *p = sub; p && p->name; p++)
		if (p->flags & REST)
			return;
	val_set(a, v, "additionalProperties", val_bool(a, false));
}

/*
 * Sets the limits of a length. They count bytes, and a schema counts characters, so the schema may
 * allow too much, but never too little.
 */
static void set_lengths(struct arena *a, struct val *v, const struct param *p, const char *least,
			const char *most)
{
	if (p->min >= p->max)
		return;
	/*
	 * Each word of a schema costs tokens. So leave out that a name is not empty, and the
	 * system's limit of a path.
	 */
	if (p->min > 1)
		val_set(a, v, least, val_int(a, p->min));
	if (!(p->flags & PATHS))
		val_set(a, v, most, val_int(a, p->max));
}

/* A list in JSON has several values, and no option is repeated. */
static struct str cmd_schema_help(struct arena *a, const struct param *p)
{
	static const struct cmd none;
	const struct str repeated = STR("; may be repeated");
	struct str help = str_of(p->tool_help && *p->tool_help ? p->tool_help : p->help);
	size_t at = str_find(help, repeated, 0);

	if (at != SIZE_MAX)
		help = str_fmt(a, "%.*s%s", STR_ARG(str_sub(help, 0, at)),
			       help.p + at + repeated.n);
	return cmd_text_for_tools(a, &none, NULL, help);
}

static struct val *property(struct arena *a, const struct param *p, bool shorter)
{
	static const char *const types[] = {
		[P_STR] = "string",    [P_CHOICE] = "string", [P_INT] = "integer",
		[P_NUM] = "number",    [P_BOOL] = "boolean",  [P_STRS] = "array",
		[P_CHOICES] = "array", [P_LIST] = "object",   [P_JSON] = "object",
	};
	struct val *v = val_map(a), *one = v;

	val_set(a, v, "type", cmd_schema_text(a, is_list(p) ? "array" : types[p->type]));
	if (p->type == P_STRS || p->type == P_CHOICES || is_list(p)) {
		one = val_set(a, v, "items", val_map(a));
		val_set(a, one, "type", cmd_schema_text(a, p->sub ? "object" : "string"));
	}
	if (p->sub)
		set_members(a, one, p->sub, shorter);
	else if (p->choices)
		val_set(a, one, "enum", strings(a, p->choices));
	else if (p->type == P_STRS && !shorter)
		set_lengths(a, one, p, "minLength", "maxLength");
	if (p->type == P_JSON && !p->sub)
		val_set(a, v, "additionalProperties", val_bool(a, true));
	if (p->min < p->max && (p->type == P_INT || p->type == P_NUM) &&
	    !(shorter && p->max > LIMIT_MET)) {
		val_set(a, v, "minimum", val_int(a, p->min));
		val_set(a, v, "maximum", val_int(a, p->max));
	}
	if (p->type == P_STR && !p->choices && !shorter)
		set_lengths(a, v, p, "minLength", "maxLength");
	if (is_list(p) && !shorter)
		set_lengths(a, v, p, "minItems", "maxItems");
	if (p->def)
		val_set(a, v, "default", default_of(a, p));
	if (!shorter || !p->tool_help || *p->tool_help)
		val_set(a, v, "description", val_str(a, cmd_schema_help(a, p)));
	return v;
}

static struct val *properties(struct arena *a, const struct param *params, bool shorter)
{
	struct val *v = val_map(a);

	for (const struct param *p = params; p && p->name; p++)
		if (in_schema(p) && !(shorter && p->flags & RARE)) {
			struct param one = *p;

			/* Models write one range as a text. */
			if (shorter && p->flags & RANGES)
				one.type = P_STR;
			val_set(a, v, p->name, property(a, &one, shorter));
		}
	return v;
}

static struct val *field_schema(struct arena *a, const struct field *f);

static struct val *returns(struct arena *a, const struct field *fields, unsigned without)
{
	struct val *v = val_map(a), *props = val_map(a), *need = val_list(a);

	val_set(a, v, "type", cmd_schema_text(a, "object"));
	for (const struct field *f = fields; f && f->name; f++) {
		if (f->flags & without)
			continue;
		val_set(a, props, f->name, field_schema(a, f));
		if (!(f->flags & OPTIONAL))
			val_add(need, cmd_schema_text(a, f->name));
	}
	val_set(a, v, "properties", props);
	if (need->n)
		val_set(a, v, "required", need);
	return v;
}

static struct val *field_schema(struct arena *a, const struct field *f)
{
	static const char *const types[] = {
		[F_STR] = "string", [F_INT] = "integer", [F_NUM] = "number", [F_BOOL] = "boolean",
		[F_STRS] = "array", [F_OBJ] = "object",  [F_LIST] = "array", [F_ANY] = NULL,
	};
	const char *or_null[] = {types[f->type], "null", NULL};
	struct val *v, *one;

	if (f->type == F_OBJ && f->sub) {
		v = returns(a, f->sub, 0);
	} else {
		v = val_map(a);
		if (f->type != F_ANY && !(f->flags & NULLABLE)) {
			val_set(a, v, "type", cmd_schema_text(a, types[f->type]));
		} else if (f->type != F_ANY) {
			val_set(a, v, "type", strings(a, or_null));
		}
	}
	if (f->flags & NULLABLE && f->type == F_OBJ && f->sub) {
		struct val *type = val_get(v, "type"), *two = strings(a, or_null);

		type->type = VAL_LIST;
		type->first = two->first;
		type->last = two->last;
		type->n = two->n;
	}
	one = v;
	if (f->type == F_STRS) {
		one = val_set(a, v, "items", val_map(a));
		val_set(a, one, "type", cmd_schema_text(a, "string"));
	} else if (f->type == F_LIST && f->sub) {
		val_set(a, v, "items", returns(a, f->sub, 0));
	}
	if (f->choices)
		val_set(a, one, "enum", strings(a, f->choices));
	if (f->help)
		val_set(a, v, "description", cmd_schema_text(a, f->help));
	return v;
}

struct val *cmd_result_schema(struct arena *a, const struct cmd *c)
{
	return returns(a, c->result, COPY);
}

struct val *cmd_schema(struct arena *a, const struct cmd *c, enum schema_format format)
{
	struct val *v = val_map(a), *props;

	if (format != SCHEMA_IKIGAI) {
		if (format == SCHEMA_JSON_SCHEMA)
			val_set(a, v, "$schema",
				cmd_schema_text(a, "https://json-schema.org/draft/2020-12/schema"));
		val_set(a, v, "type", cmd_schema_text(a, "object"));
		set_members(a, v, c->params, format == SCHEMA_SHORT);
		return v;
	}
	props = properties(a, c->params, false);
	/* In the flat map of --schema, each parameter has "required". */
	VAL_EACH(props, p) {
		const struct param *row = c->params;

		while (!in_schema(row) || !str_is(p->key, row->name))
			row++;
		val_set(a, p, "required", val_bool(a, row->flags & REQUIRED));
	}
	val_set(a, v, "name", cmd_schema_text(a, c->tool));
	val_set(a, v, "description", val_str(a, cmd_description(a, c)));
	val_set(a, v, "parameters", props);
	val_set(a, v, "returns", returns(a, c->result, 0));
	return v;
}
