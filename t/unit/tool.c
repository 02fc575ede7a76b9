/* The document of a tool in both forms, the schemas made from it, and the wrapper. */
#include "tap.h"
#include "json/json.h"
#include "tool/tool.h"

static struct str json(struct arena *a, const struct val *v)
{
	struct buf b = buf_in(a);

	json_write(&b, v, 0);
	return buf_as_str(&b);
}

static struct err *read(struct arena *a, const char *text, struct tool *t)
{
	return tool_read(a, STR("it"), str_of(text), t, NULL);
}

static void is_input(struct arena *a, const char *parameters, const char *want)
{
	struct str text = str_fmt(a, "{\"description\":\"d\",\"parameters\":%s}", parameters);
	struct tool t;

	works(tool_read(a, STR("it"), text, &t, NULL), parameters);
	is_str(json(a, t.input), str_of(want), "is this JSON Schema");
}

static void forms(struct arena *a)
{
	is_input(a, "{}", "{\"type\":\"object\",\"properties\":{}}");
	is_input(a, "{\"a\":{\"type\":\"string\",\"required\":true},\"b\":{\"required\":false}}",
		 "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{}},"
		 "\"required\":[\"a\"]}");
	is_input(a, "{\"type\":\"object\"}", "{\"type\":\"object\",\"properties\":{}}");
	is_input(a, "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"],\"x\":1}",
		 "{\"type\":\"object\",\"properties\":{\"a\":{}},\"x\":1,\"required\":[\"a\"]}");
	is_input(a, "{\"properties\":{\"a\":{\"required\":true}},\"required\":[\"a\"]}",
		 "{\"properties\":{\"a\":{}},\"required\":[\"a\"],\"type\":\"object\"}");
	is_input(a, "{\"properties\":{\"a\":{\"type\":\"string\",\"required\":true},\"b\":{}}}",
		 "{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{}},\"required\":[\"a\"],"
		 "\"type\":\"object\"}");
	is_input(a, "{\"properties\":{}}", "{\"properties\":{},\"type\":\"object\"}");
	is_input(a, "{\"properties\":{\"description\":\"of it\",\"items\":{}}}",
		 "{\"type\":\"object\",\"properties\":{\"properties\":{\"description\":\"of it\","
		 "\"items\":{}}}}");
	/* Parameters may have the names that JSON Schema uses. */
	is_input(a,
		 "{\"type\":{\"type\":\"string\"},\"properties\":{\"type\":\"object\"},"
		 "\"required\":{\"type\":\"boolean\",\"required\":true}}",
		 "{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\"},"
		 "\"properties\":{\"type\":\"object\"},\"required\":{\"type\":\"boolean\"}},"
		 "\"required\":[\"required\"]}");
	is_input(a,
		 "{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":"
		 "{\"b\":{\"required\":true}}}}}",
		 "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
		 "{\"type\":\"object\",\"properties\":{\"b\":{}},\"required\":[\"b\"]}}}}");
	is_input(a, "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":{\"enum\":[1]}}}",
		 "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":{\"enum\":[1]}}}");
}

static void is_refused(struct arena *a, const char *text, const char *want)
{
	struct tool t;
	struct err *e = read(a, text, &t);

	fails(e, E_BAD_TOOL, text);
	is_str(str_of(e ? err_message(e) : ""), str_of(want), "says what is wrong");
}

#define D "{\"description\":\"d\","

static void refused(struct arena *a)
{
	struct tool t;

	is_refused(a, "[]", "the document must be an object, not a list");
	is_refused(a, "{}", "'description' must be a string that says what it is for, not missing");
	is_refused(a, "{\"description\":\" \"}",
		   "'description' is empty: it must say what the tool is for");
	is_refused(a, D "\"name\":1}", "'name' must be a string, not a number");
	is_refused(a, D "\"parameters\":[]}", "'parameters' must be an object, not a list");
	is_refused(a, D "\"parameters\":{\"a\":\"string\"}}",
		   "'parameters.a' must be an object, not a string");
	is_refused(a, D "\"parameters\":{\"type\":\"array\"}}",
		   "'parameters.type' must be 'object'");
	is_refused(a, D "\"parameters\":{\"a\":{\"type\":1}}}",
		   "'parameters.a.type' must be a string, not a number");
	is_refused(a, D "\"parameters\":{\"a\":{\"type\":[\"string\",1]}}}",
		   "'parameters.a.type' must be a list of strings, not a number");
	is_refused(a, D "\"parameters\":{\"a\":{\"type\":[]}}}",
		   "'parameters.a.type' must be a string, not a list");
	is_refused(a, D "\"parameters\":{\"a\":{\"required\":\"yes\"}}}",
		   "'parameters.a.required' must be true, false or a list of names, not a string");
	is_refused(a, D "\"parameters\":{\"type\":\"object\",\"required\":[1]}}",
		   "'parameters.required' must be a list of names, not a number");
	is_refused(a, D "\"parameters\":{\"a\":{\"enum\":1}}}",
		   "'parameters.a.enum' must be a list, not a number");
	is_refused(a, D "\"parameters\":{\"a\":{\"items\":1}}}",
		   "'parameters.a.items' must be an object, not a number");
	is_refused(a, D "\"parameters\":{\"a\":{\"properties\":{\"b\":{\"description\":1}}}}}",
		   "'parameters.a.b.description' must be a string, not a number");
	is_refused(a, D "\"returns\":7}", "'returns' must be an object, not a number");
	fails(read(a, "{", &t), E_BAD_JSON, "half of it");
	fails(read(a, "\xff", &t), E_BAD_UTF8, "no UTF-8");
}

static void given(struct arena *a)
{
	struct str differs;
	struct tool t;

	works(tool_read(a, STR("a_b"), STR(D "\"name\":\"a-b\",\"x\":1,\"returns\":{\"r\":{}}}"),
			&t, &differs),
	      "a name with a hyphen");
	ok(!differs.p, "is the same");
	is_str(json(a, t.document),
	       STR("{\"name\":\"a_b\",\"description\":\"d\",\"x\":1,\"returns\":{\"r\":{}}}"),
	       "the document is as it was, with its name");
	is_str(json(a, t.output), STR("{\"type\":\"object\",\"properties\":{\"r\":{}}}"),
	       "what it returns may be a map too");
	is_str(json(a, tool_schema(a, &t, TOOL_MCP, false)),
	       STR("{\"name\":\"a_b\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\","
		   "\"properties\":{}}}"),
	       "for MCP: nobody vouches for what a program gives");
	works(tool_read(a, STR("a"), STR(D "\"name\":\"b\",\"returns\":{\"type\":\"array\"}}"), &t,
			&differs),
	      "another name, and a list");
	is_str(differs, STR("b"), "is told");
	ok(!val_get(tool_schema(a, &t, TOOL_MCP, false), "outputSchema"),
	   "MCP has no schemas of lists");
}

static void wrapped(struct arena *a)
{
	struct tool_outcome o = {.code = TOOL_CRASHED, .error = STR("e"), .ran = true};
	struct val *v;
	char *long_text = arena_alloc(a, 20000);

	memset(long_text, 'x', 20000);
	memcpy(long_text + 16383, "\xc3\xa4", 2);
	o.err = (struct str){long_text, 20000};
	o.out = STR("a\0\xff");
	v = tool_outcome_wrap(a, &o);
	is_int((long long)val_get_str(val_get(v, "details"), "stderr").n, 16383,
	       "cut between characters");
	is_int(val_get_int(val_get(v, "details"), "stderr_bytes"), 20000, "and told so");
	is_str(val_get_str(val_get(v, "details"), "stdout"), STR("a\0\xef\xbf\xbd"),
	       "bytes that are no text are replaced");
	ok(!val_get(val_get(v, "details"), "stdout_bytes"), "what is whole is not counted");
	fails(tool_outcome_as_error(a, &o), E_PROGRAM_FAILED, "as an error");
	ok(tool_input_parse(a, STR("{\"a\":1}"), &v, &o) && v->n == 1, "an object");
	ok(!tool_input_parse(a, STR("[1]"), &v, &o) && o.code == INVALID_PARAMS,
	   "is all that is taken");
	is_str(json(a, tool_outcome_wrap(a, &o)),
	       STR("{\"tool_success\":false,\"error\":\"The parameters must be a JSON object, not a "
		   "list\",\"error_code\":\"INVALID_PARAMS\"}"),
	       "what did not run has no details");
}

int main(void)
{
	struct arena *a = arena_new();

	forms(a);
	refused(a);
	given(a);
	wrapped(a);
	arena_free(a);
	return tap_done();
}
