/*
 * Checks the document that a tool prints for --schema, and converts it to one form. Authors write
 * "parameters" as a flat map or as JSON Schema, and "returns" likewise. Inside ikm both are JSON
 * Schema (requirement: external tools, "Schema Protocol").
 */
#include "tool/tool.h"
#include "cmd/cmd.h"
#include "json/json.h"

const char *const tool_formats[] = {TOOL_FORMATS(ENUM_NAME) NULL};

static const char *const types[] = {"string", "number", "integer", "boolean",
				    "array",  "object", "null",    NULL};

/* ---- checking ---- */

static struct err *tool_schema_bad(struct str at, const char *member, const char *want,
				   const struct val *v)
{
	return err_new(E_BAD_TOOL, "'%.*s%s%s' must be %s, not %s", STR_ARG(at), at.n ? "." : "",
		       member, want, v ? val_type_name(v->type) : "missing");
}

static struct err *check_type(struct str at, const struct val *v)
{
	if (v->type == VAL_LIST && v->n) {
		VAL_EACH(v, one)
			TRY(one->type == VAL_STR
				    ? check_type(at, one)
				    : tool_schema_bad(at, "type", "a list of strings", one));
		return NULL;
	}
	if (v->type != VAL_STR)
		return tool_schema_bad(at, "type", "a string", v);
	if (str_is_any(v->s, types))
		return NULL;
	return err_new(E_BAD_TOOL,
		       "'%.*s.type' must be string, number, integer, boolean, array, object or "
		       "null, not '%.*s'",
		       STR_ARG(at), STR_ARG(v->s));
}

static struct err *check_required(struct str at, const struct val *v)
{
	if (v->type == VAL_BOOL) /* of the parameter itself: a flat map */
		return NULL;
	if (v->type != VAL_LIST)
		return tool_schema_bad(at, "required", "true, false or a list of names", v);
	VAL_EACH(v, one)
		if (one->type != VAL_STR)
			return tool_schema_bad(at, "required", "a list of names", one);
	return NULL;
}

static struct err *check_schema(struct arena *a, struct str at, const struct val *v);

/* The recursion is limited, because json_read() limits the depth. */
static struct err *check_each(struct arena *a, struct str at, const struct val *map)
{
	VAL_EACH(map, v)
		TRY(check_schema(a, str_fmt(a, "%.*s.%.*s", STR_ARG(at), STR_ARG(v->key)), v));
	return NULL;
}

static struct err *check_schema(struct arena *a, struct str at, const struct val *v)
{
	if (v->type == VAL_BOOL) /* in JSON Schema, true allows any value and false none */
		return NULL;
	if (v->type != VAL_MAP)
		return err_new(E_BAD_TOOL, "'%.*s' must be an object, not %s", STR_ARG(at),
			       val_type_name(v->type));
	VAL_EACH(v, m) {
		if (str_is(m->key, "type"))
			TRY(check_type(at, m));
		else if (str_is(m->key, "required"))
			TRY(check_required(at, m));
		else if (str_is(m->key, "description") && m->type != VAL_STR)
			return tool_schema_bad(at, "description", "a string", m);
		else if (str_is(m->key, "enum") && m->type != VAL_LIST)
			return tool_schema_bad(at, "enum", "a list", m);
		else if (str_is(m->key, "properties") && m->type != VAL_MAP)
			return tool_schema_bad(at, "properties", "an object", m);
		else if (str_is(m->key, "properties"))
			TRY(check_each(a, at, m));
		else if (str_is(m->key, "items") && m->type != VAL_LIST)
			TRY(check_schema(a, str_fmt(a, "%.*s.items", STR_ARG(at)), m));
	}
	return NULL;
}

/* ---- converting to one form ---- */

static bool lists(const struct val *list, struct str name)
{
	VAL_EACH(list, v)
		if (str_eq(v->s, name))
			return true;
	return false;
}

/* A flat map has "required" in each parameter; JSON Schema lists the names beside "properties". The
 * caller has checked v. */
static struct val *normal(struct arena *a, const struct val *v)
{
	struct val *out, *need = NULL;

	if (v->type != VAL_MAP)
		return val_copy_shallow(a, v);
	out = val_map(a);
	VAL_EACH(v, m) {
		struct val *copy;

		if (str_is(m->key, "required")) {
			continue;
		} else if (str_is(m->key, "properties")) {
			copy = val_map(a);
			VAL_EACH(m, p)
				val_set_key(copy, p->key, normal(a, p));
		} else if (str_is(m->key, "items")) {
			copy = normal(a, m);
		} else {
			copy = val_copy_shallow(a, m);
		}
		val_set_key(out, m->key, copy);
	}
	VAL_EACH(val_get(v, "required"), name) {
		need = need ? need : val_list(a);
		val_add(need, val_copy_shallow(a, name));
	}
	VAL_EACH(val_get(v, "properties"), p) {
		const struct val *own = val_get(p, "required");

		if (!own || own->type != VAL_BOOL || !own->b || lists(need, p->key))
			continue;
		need = need ? need : val_list(a);
		val_add(need, val_str(a, p->key));
	}
	if (need)
		val_set(a, out, "required", need);
	return out;
}

/* A flat map has no string "type" and no list "required". A parameter with the name "properties"
 * has members of other types than objects. */
static bool is_json_schema(const struct val *v)
{
	const struct val *type = val_get(v, "type"), *need = val_get(v, "required");
	const struct val *properties = val_get(v, "properties");
	bool objects = properties && properties->type == VAL_MAP;

	VAL_EACH(objects ? properties : NULL, p)
		objects = objects && p->type == VAL_MAP;
	if (objects)
		return true;
	return (type && type->type != VAL_MAP) || (need && need->type == VAL_LIST) ||
	       (val_get(v, "$schema") && val_get(v, "$schema")->type == VAL_STR);
}

static struct err *read_schema(struct arena *a, const char *member, const struct val *v,
			       struct val **out)
{
	struct val *top = val_map(a);

	if (v->type != VAL_MAP)
		return tool_schema_bad(STR(""), member, "an object", v);
	if (is_json_schema(v)) {
		TRY(check_schema(a, str_of(member), v));
		*out = normal(a, v);
		return NULL;
	}
	VAL_EACH(v, p)
		if (p->type != VAL_MAP)
			return tool_schema_bad(str_of(member), str_c(a, p->key), "an object", p);
	TRY(check_each(a, str_of(member), v));
	val_set(a, top, "type", val_str(a, STR("object")));
	val_set(a, top, "properties", val_copy_shallow(a, v));
	*out = normal(a, top);
	return NULL;
}

static struct err *tool_schema_read_input(struct arena *a, const struct val *document,
					  struct val **out)
{
	const struct val *v = val_get(document, "parameters");

	if (!v)
		v = val_map(a);
	TRY(read_schema(a, "parameters", v, out));
	if (!val_get(*out, "type"))
		val_set(a, *out, "type", val_str(a, STR("object")));
	if (!str_is(val_get_str(*out, "type"), "object"))
		return err_new(E_BAD_TOOL, "'parameters.type' must be 'object'");
	if (!val_get(*out, "properties"))
		val_set(a, *out, "properties", val_map(a));
	return NULL;
}

/*
 * Reads what the program says of itself, in the words of MCP. The person who installed it trusts
 * it. A program that says nothing may do anything.
 */
static struct err *tool_schema_traits(const struct val *document, unsigned *out)
{
	static const struct {
		const char *name;
		bool value; /* the value that changes the trait */
		unsigned trait;
	} hints[] = {
		{"readOnlyHint", true, TOOL_READS},
		{"destructiveHint", false, TOOL_ADDS},
		{"idempotentHint", true, TOOL_IDEMPOTENT},
		{"openWorldHint", false, TOOL_OPEN},
	};
	const struct val *v = val_get(document, "annotations");

	*out = TOOL_OPEN;
	if (!v)
		return NULL;
	if (v->type != VAL_MAP)
		return tool_schema_bad(STR(""), "annotations", "an object", v);
	for (size_t i = 0; i < ARRAY_SIZE(hints); i++) {
		const struct val *hint = val_get(v, hints[i].name);

		if (hint && hint->type != VAL_BOOL)
			return tool_schema_bad(STR("annotations"), hints[i].name, "true or false",
					       hint);
		if (hint && hint->b == hints[i].value)
			*out ^= hints[i].trait;
	}
	return NULL;
}

struct err *tool_from_document(struct arena *a, struct str name, const struct val *v,
			       struct tool *out, struct str *differs)
{
	const struct val *own, *description, *returns;
	struct val *document;

	if (v->type != VAL_MAP)
		return err_new(E_BAD_TOOL, "the document must be an object, not %s",
			       val_type_name(v->type));
	own = val_get(v, "name");
	description = val_get(v, "description");
	returns = val_get(v, "returns");
	if (own && own->type != VAL_STR)
		return tool_schema_bad(STR(""), "name", "a string", own);
	if (description && description->type == VAL_STR && !str_trim(description->s).n)
		return err_new(E_BAD_TOOL,
			       "'description' is empty: it must say what the tool is for");
	if (!description || description->type != VAL_STR)
		return tool_schema_bad(STR(""), "description", "a string that says what it is for",
				       description);
	/* A copy of the document with the name of the file. */
	document = val_map(a);
	val_set(a, document, "name", val_str(a, name));
	VAL_EACH(v, m)
		if (!str_is(m->key, "name"))
			val_set_key(document, m->key, val_copy_shallow(a, m));
	*out = (struct tool){.name = name, .description = description->s, .document = document};
	TRY(tool_schema_read_input(a, v, &out->input));
	TRY(tool_schema_traits(v, &out->traits));
	if (returns)
		TRY(read_schema(a, "returns", returns, &out->output));
	if (differs)
		*differs = own && !str_eq(tool_name_of_file(a, own->s), name) ? own->s
									      : (struct str){0};
	return NULL;
}

struct err *tool_read(struct arena *a, struct str name, struct str text, struct tool *out,
		      struct str *differs)
{
	struct val *v;

	TRY(json_read(a, text, NULL, &v));
	return tool_from_document(a, name, v, out, differs);
}

/* ---- output ---- */

/* Keeps "$schema" for programs in MCP only. The tools of ikm use MCP's default draft, and naming
 * the draft in every list would cost an agent context. */
static struct val *tool_schema_plain(struct arena *a, const struct tool *t, enum tool_format f,
				     const struct val *schema)
{
	bool keep = f == TOOL_MCP && t->path;
	struct val *out = val_map(a);

	VAL_EACH(schema, m)
		if (keep || !str_is(m->key, "$schema"))
			val_set_key(out, m->key, val_copy_shallow(a, m));
	return out;
}

static struct val *described(struct arena *a, const char *type, const char *text)
{
	struct val *v = val_map(a);

	if (type)
		val_set(a, v, "type", val_str(a, str_of(type)));
	val_set(a, v, "description", val_str(a, str_of(text)));
	return v;
}

static struct val *wrapped_returns(struct arena *a, const struct val *output)
{
	struct val *v = val_map(a), *result;

	val_set(a, v, "tool_success",
		described(a, "boolean", "whether the tool ran; false: its answer is missing"));
	result = val_set(a, v, "result",
			 described(a, NULL, "the answer, when tool_success is true"));
	VAL_EACH(output, m)
		if (!str_is(m->key, "description"))
			val_set_key(result, m->key, val_copy_shallow(a, m));
	val_set(a, v, "error", described(a, "string", "what happened, when tool_success is false"));
	val_set(a, v, "error_code",
		described(a, "string",
			  "TOOL_TIMEOUT, TOOL_CRASHED, INVALID_OUTPUT, INVALID_PARAMS or "
			  "TOOL_NOT_FOUND, when tool_success is false"));
	return v;
}

struct val *tool_schema(struct arena *a, const struct tool *t, enum tool_format f, bool wrapped)
{
	struct val *v = val_map(a), *inner = v;

	if (f == TOOL_IKIGAI && !wrapped)
		return t->document;
	if (f == TOOL_IKIGAI) {
		VAL_EACH(t->document, m)
			if (!str_is(m->key, "returns"))
				val_set_key(v, m->key, val_copy_shallow(a, m));
		val_set(a, v, "returns", wrapped_returns(a, t->output));
		return v;
	}
	if (f == TOOL_JSON_SCHEMA)
		return t->input;
	if (f == TOOL_OPENAI) {
		val_set(a, v, "type", val_str(a, STR("function")));
		inner = val_set(a, v, "function", val_map(a));
	}
	val_set(a, inner, "name", val_str(a, t->name));
	val_set(a, inner, "description", val_str(a, t->description));
	val_set(a, inner,
		f == TOOL_OPENAI      ? "parameters"
		: f == TOOL_ANTHROPIC ? "input_schema"
				      : "inputSchema",
		tool_schema_plain(a, t, f, t->input));
	/* Clients refuse results that do not match outputSchema. ikm does not check the results of
	 * programs, so their schemas are left out. */
	if (f == TOOL_MCP && t->once)
		val_set(a, v, "outputSchema", tool_schema_plain(a, t, f, t->once));
	return v;
}
