/* Records as value trees: each kind of member, present, empty and absent. */
#include "base/base.h"
#include "json/json.h"
#include "record/record.h"
#include "tap.h"

static const char *const colours[] = {"red", "green", "blue", NULL};
enum colour { RED, GREEN, BLUE };

struct spot {
	struct str path;
	size_t line;
};

struct all {
	struct str text;
	const char *chars;
	struct strs list;
	int64_t whole;
	size_t size;
	int index;
	enum colour colour;
	unsigned set;
	double number;
	bool yes;
	struct maybe_int maybe_whole;
	struct maybe_bool maybe_yes;
	int64_t time;
	struct val *tree;
	struct spot inside;
	const struct spot *beside;
	struct {
		struct spot *p;
		size_t n;
	} places;
};

static const struct field place_fields[] = {
	FIELD_OF(struct spot, path, "where"),
	FIELD_OF(struct spot, line, "from 1", .flags = IF_ANY),
	{0},
};

#define ALL(member, ...) FIELD_OF(struct all, member, "any", __VA_ARGS__)
#define ROWS(fl)                                                                                   \
	ALL(text, .flags = fl), ALL(chars, .flags = fl), ALL(list, .flags = fl),                   \
		ALL(whole, .flags = fl), ALL(size, .flags = fl),                                   \
		FIELD_NAMED(struct all, index, "index", colours, "any", .flags = fl),              \
		FIELD_NAMED(struct all, colour, "colour", colours, "any", .flags = fl),            \
		FIELD_SET(struct all, set, "set", colours, "any", .flags = fl),                    \
		ALL(number, .flags = fl), ALL(yes, .flags = fl), ALL(maybe_whole, .flags = fl),    \
		ALL(maybe_yes, .flags = fl),                                                       \
		FIELD_TIME(struct all, time, "time", "any", .flags = fl),                          \
		FIELD_TREE(struct all, tree, "tree", F_LIST, NULL, "any", .flags = fl),            \
		FIELD_RECORD(struct all, inside, "inside", place_fields, "any"),                   \
		FIELD_RECORD_AT(struct all, beside, "beside", place_fields, "any", .flags = fl),   \
		FIELD_RECORDS(struct all, places, "places", place_fields, "any", .flags = fl)

static const struct field plain[] = {ROWS(0), {0}};
static const struct field optional[] = {ROWS(OPTIONAL), {0}};
static const struct field nullable[] = {ROWS(NULLABLE), {0}};
static const struct field if_any[] = {ROWS(IF_ANY), {0}};

static struct arena *a;

static struct str shown(const struct field *fields, const struct all *all)
{
	struct buf b = buf_in(a);
	struct val *v = record_val(a, fields, all);

	record_check("the test", fields, v);
	json_write(&b, v, 0);
	return buf_as_str(&b);
}

static void given(void)
{
	static struct spot places[] = {{STR_INIT("a"), 1}, {STR_INIT("b"), 0}};
	struct all all = {
		.text = STR("t\xff"),
		.chars = "c",
		.whole = -5,
		.size = 7,
		.index = 0,
		.colour = BLUE,
		.set = 1u << RED | 1u << BLUE,
		.number = 0.5,
		.yes = true,
		.maybe_whole = {0, true},
		.maybe_yes = {false, true},
		.time = 1500,
		.tree = val_list(a),
		.inside = {STR("in"), 3},
		.beside = &places[0],
		.places = {places, 2},
	};
	static const char want[] =
		"{\"text\":\"t\xef\xbf\xbd\",\"chars\":\"c\",\"list\":[\"x\"],\"whole\":-5,"
		"\"size\":7,\"index\":\"red\",\"colour\":\"blue\",\"set\":[\"red\",\"blue\"],"
		"\"number\":0.5,\"yes\":true,\"maybe_whole\":0,\"maybe_yes\":false,"
		"\"time\":\"1970-01-01T00:00:01.500Z\",\"tree\":[1],"
		"\"inside\":{\"path\":\"in\",\"line\":3},\"beside\":{\"path\":\"a\",\"line\":1},"
		"\"places\":[{\"path\":\"a\",\"line\":1},{\"path\":\"b\"}]}";

	strs_push(a, &all.list, STR("x"));
	val_add(all.tree, val_int(a, 1));
	is_str(shown(plain, &all), str_of(want), "every kind of member");
	is_str(shown(optional, &all), str_of(want), "the same when it may be missing");
	is_str(shown(nullable, &all), str_of(want), "the same when it may be null");
}

static void absent(void)
{
	struct spot none = {0};
	struct all all = {.index = 0, .number = NAN, .beside = &none};

	is_str(shown(plain, &all),
	       STR("{\"text\":\"\",\"chars\":\"\",\"list\":[],\"whole\":0,\"size\":0,"
		   "\"index\":\"red\",\"colour\":\"red\",\"set\":[],\"number\":0,\"yes\":false,"
		   "\"maybe_whole\":0,\"maybe_yes\":false,\"time\":\"\",\"tree\":[],"
		   "\"inside\":{\"path\":\"\"},\"beside\":{\"path\":\"\"},\"places\":[]}"),
	       "what must be there is empty");
	all.index = -1;
	all.beside = NULL;
	is_str(shown(optional, &all),
	       STR("{\"whole\":0,\"size\":0,\"colour\":\"red\",\"set\":[],\"yes\":false,"
		   "\"inside\":{\"path\":\"\"}}"),
	       "what may be missing is missing");
	is_str(shown(nullable, &all),
	       STR("{\"text\":null,\"chars\":null,\"list\":null,\"whole\":0,\"size\":0,"
		   "\"index\":null,\"colour\":\"red\",\"set\":[],\"number\":null,\"yes\":false,"
		   "\"maybe_whole\":null,\"maybe_yes\":null,\"time\":null,\"tree\":null,"
		   "\"inside\":{\"path\":\"\"},\"beside\":null,\"places\":[]}"),
	       "what may be null is null");
	all.text = STR("");
	all.chars = "";
	all.list.p = &all.text;
	all.number = 0;
	all.places.p = &none;
	is_str(shown(if_any, &all), STR("{\"colour\":\"red\",\"inside\":{\"path\":\"\"}}"),
	       "and so is what is empty, where that counts");
	is_str(shown(optional, &all),
	       STR("{\"text\":\"\",\"chars\":\"\",\"list\":[],\"whole\":0,\"size\":0,"
		   "\"colour\":\"red\",\"set\":[],\"number\":0,\"yes\":false,"
		   "\"inside\":{\"path\":\"\"},\"places\":[]}"),
	       "where it does not, what is empty is there");
}

/* The tree outlives the strings. */
static void copied(void)
{
	static char bytes[] = "abc";
	struct spot place = {{bytes, 3}, 1};
	struct val *borrowed = record_val(a, place_fields, &place);
	struct val *own = record_val_with_copies(a, place_fields, &place);

	bytes[0] = 'x';
	is_str(val_get_str(borrowed, "path"), STR("xbc"), "record_val borrows");
	is_str(val_get_str(own, "path"), STR("abc"), "record_val_copy does not");
}

/* The record outlives the strings. */
static void owned(void)
{
	static const struct field rows[] = {
		ALL(text),
		ALL(chars),
		ALL(list),
		FIELD_TREE(struct all, tree, "tree", F_LIST, NULL, "any"),
		FIELD_RECORD(struct all, inside, "inside", place_fields, "any"),
		{0},
	};
	char bytes[] = "abc";
	struct str text = {bytes, 3};
	struct all all = {.text = text, .chars = bytes, .tree = val_list(a), .inside = {text, 3}};

	strs_push(a, &all.list, text);
	val_add(all.tree, val_str(a, text));
	record_deep_copy_in_place(a, rows, &all);
	memcpy(bytes, "xyz", 3);
	is_str(shown(rows, &all),
	       STR("{\"text\":\"abc\",\"chars\":\"abc\",\"list\":[\"abc\"],\"tree\":[\"abc\"],"
		   "\"inside\":{\"path\":\"abc\",\"line\":3}}"),
	       "record_copy_members copies strings, trees and structs inside");
}

/* Members of what a pointer leads to, and an object of the struct's own members. */
static void elsewhere(void)
{
	static const struct field own[] = {
		FIELD_OF(struct all, yes, "any"),
		FIELD_OF(struct all, size, "any", .flags = IF_ANY),
		{0},
	};
	static const struct field fields[] = {
		FIELD_AS(struct spot, path, "path", "any", FIELD_VIA(struct all, beside)),
		FIELD_AS(struct spot, line, "line", "any", FIELD_VIA(struct all, beside),
			 .flags = IF_ANY),
		FIELD_GROUP("own", own, "any"),
		{0},
	};
	struct spot place = {STR("p"), 4};
	struct all all = {.yes = true, .beside = &place};

	is_str(shown(fields, &all), STR("{\"path\":\"p\",\"line\":4,\"own\":{\"yes\":true}}"),
	       "members behind a pointer, and a group of members");
	all.beside = NULL;
	is_str(shown(fields, &all), STR("{\"path\":\"\",\"own\":{\"yes\":true}}"),
	       "behind NULL everything is absent");
	all.beside = &place;
	record_deep_copy_in_place(a, fields, &all);
	ok(all.beside->path.p == place.path.p,
	   "record_copy_members leaves what is behind a pointer");
}

/* ---- reading ---- */

static const struct field readable[] = {
	ALL(text, .flags = OPTIONAL),
	ALL(chars, .flags = OPTIONAL),
	ALL(list, .flags = OPTIONAL),
	ALL(whole),
	ALL(size, .flags = OPTIONAL),
	FIELD_NAMED(struct all, index, "index", colours, "any", .flags = OPTIONAL),
	FIELD_SET(struct all, set, "set", colours, "any", .flags = OPTIONAL),
	ALL(number, .flags = OPTIONAL),
	ALL(yes, .flags = OPTIONAL),
	ALL(maybe_whole, .flags = NULLABLE),
	ALL(maybe_yes, .flags = OPTIONAL),
	FIELD_TIME(struct all, time, "time", "any", .flags = OPTIONAL),
	FIELD_TREE(struct all, tree, "tree", F_LIST, NULL, "any", .flags = OPTIONAL),
	FIELD_RECORD(struct all, inside, "inside", place_fields, "any", .flags = OPTIONAL),
	FIELD_RECORDS(struct all, places, "places", place_fields, "any", .flags = OPTIONAL),
	{0},
};

static struct err *take(const struct record_reader *how, const char *text, struct all *out)
{
	struct val *v;

	works(json_read(a, str_of(text), NULL, &v), text);
	return record_from_val(a, how, readable, v, out);
}

static void round_trip(void)
{
	static const char text[] =
		"{\"text\":\"t\",\"chars\":\"c\",\"list\":[],\"whole\":-5,\"size\":7,"
		"\"index\":\"green\",\"set\":[\"red\",\"blue\"],\"number\":0.5,\"yes\":true,"
		"\"maybe_whole\":null,\"maybe_yes\":false,"
		"\"time\":\"1970-01-01T00:00:01.500Z\",\"tree\":[1,{}],"
		"\"inside\":{\"path\":\"in\",\"line\":3},"
		"\"places\":[{\"path\":\"a\"},{\"path\":\"b\",\"line\":2}]}";
	struct all all = {.index = -1, .number = NAN};

	works(take(&(struct record_reader){.what = "it"}, text, &all), "read");
	is_str(shown(readable, &all), str_of(text), "what was read is what was written");
	all = (struct all){.text = STR("was"), .index = -1, .number = NAN};
	works(take(&(struct record_reader){.what = "it", .partial = true, .nulls = true},
		   "{\"text\":null,\"yes\":true}", &all),
	      "read a part");
	is_str(shown(readable, &all),
	       STR("{\"text\":\"was\",\"whole\":0,\"size\":0,\"set\":[],\"yes\":true,"
		   "\"maybe_whole\":null,\"inside\":{\"path\":\"\"}}"),
	       "what is missing or null stays what it was");
}

static void refused(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"[]", "it must be an object, not a list"},
		{"{}", "whole is missing: any"},
		{"{\"whole\":null}", "whole must be an integer, not null"},
		{"{\"whole\":1,\"maybe_whole\":\"1\"}",
		 "maybe_whole must be an integer, not a string"},
		{"{\"whole\":1.5}", "whole must be an integer, not a number"},
		{"{\"whole\":1,\"size\":-1}", "size is -1; allowed: 0 to 9223372036854775807"},
		{"{\"whole\":1,\"text\":null}", "text must be a string, not null"},
		{"{\"whole\":1,\"chars\":{}}", "chars must be a string, not an object"},
		{"{\"whole\":1,\"list\":[1]}", "list[0] must be a string, not a number"},
		{"{\"whole\":1,\"set\":[\"pink\"]}", "set[0] is 'pink'; allowed: red, green, blue"},
		{"{\"whole\":1,\"index\":\"pink\"}", "index is 'pink'; allowed: red, green, blue"},
		{"{\"whole\":1,\"index\":1}", "index must be a string, not a number"},
		{"{\"whole\":1,\"number\":\"1\"}", "number must be a number, not a string"},
		{"{\"whole\":1,\"yes\":1}", "yes must be a boolean, not a number"},
		{"{\"whole\":1,\"time\":\"soon\"}",
		 "time must be a time such as 2026-01-31T12:00:00Z, not 'soon'"},
		{"{\"whole\":1,\"time\":\"1970-01-01T00:00:00Z\"}",
		 "time must be a time other than 1970-01-01T00:00:00Z, which ikm takes for none, "
		 "not '1970-01-01T00:00:00Z'"},
		{"{\"whole\":1,\"time\":1}",
		 "time must be a time such as 2026-01-31T12:00:00Z, not a number"},
		{"{\"whole\":1,\"tree\":{}}", "tree must be a list, not an object"},
		{"{\"whole\":1,\"inside\":[]}", "inside must be an object, not a list"},
		{"{\"whole\":1,\"inside\":{\"line\":1}}", "inside.path is missing: where"},
		{"{\"whole\":1,\"places\":[{\"path\":\"a\"},{\"path\":2}]}",
		 "places[1].path must be a string, not a number"},
		{"{\"whole\":1,\"places\":[[]]}", "places[0] must be an object, not a list"},
		{"{\"whole\":1,\"wole\":1}", "it has no member 'wole'; did you mean 'whole'?"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct all all = {0};
		struct err *e = take(&(struct record_reader){.what = "it"}, cases[i].text, &all);

		is_str(str_of(e ? err_message(e) : "nothing"), str_of(cases[i].message),
		       cases[i].text);
	}
}

/* ---- all that is wrong ---- */

static struct err *note(void *ctx, const struct record_problem *p)
{
	strs_push(a, ctx,
		  str_fmt(a, "%zu %.*s: %s", p->at->at.from, STR_ARG(record_path_of_problem(a, p)),
			  err_message(record_error(a, "it", p))));
	return NULL;
}

static void told(void)
{
	struct strs lines = {0};
	const struct record_reader how = {.what = "it", .wrong = note, .ctx = &lines};
	struct all all = {0};

	works(take(&how,
		   "{\"text\":1,\"wole\":2,\"yes\":true,\"size\":\"\",\"set\":[\"red\",1,\"pink\"],"
		   "\"places\":[1,{\"path\":\"p\"},{\"line\":0.5,\"x\":2}]}",
		   &all),
	      "told");
	is_str(str_join(a, &lines, "\n"),
	       STR("8 text: text must be a string, not a number\n"
		   "17 wole: it has no member 'wole'; did you mean 'whole'?\n"
		   "37 size: size must be an integer, not a string\n"
		   "53 set[1]: set[1] must be a string, not a number\n"
		   "55 set[2]: set[2] is 'pink'; allowed: red, green, blue\n"
		   "73 places[0]: places[0] must be an object, not a number\n"
		   "96 places[2].line: places[2].line must be an integer, not a number\n"
		   "104 places[2].x: it has no member 'x'; allowed: path, line\n"
		   "88 places[2].path: places[2].path is missing: where\n"
		   "0 whole: whole is missing: any"),
	       "every error with its place");
	ok(all.yes && !all.text.p && all.set == 1u << RED, "what is right is read");
	is_str(all.places.p[1].path, STR("p"), "in a list too");
	lines.n = 0;
	works(take(&how, "3", &all), "no object");
	is_str(str_join(a, &lines, "\n"), STR("0 : it must be an object, not a number"),
	       "the whole is named by what it is");
}

/* Of a null and of what is missing: an error, or what the struct has already. */
static void missing(void)
{
	static const struct field rows[] = {
		ALL(whole),
		ALL(size, .flags = NULLABLE),
		ALL(yes, .flags = OPTIONAL),
		{0},
	};
	static const struct {
		struct record_reader how;
		const char *text, *message;
	} cases[] = {
		{{0}, "{\"whole\":1}", ""},
		{{0}, "{\"whole\":1,\"size\":null}", ""},
		{{0}, "{}", "whole is missing: any"},
		{{0}, "{\"whole\":null}", "whole must be an integer, not null"},
		{{0}, "{\"whole\":1,\"yes\":null}", "yes must be a boolean, not null"},
		{{.nulls = true}, "{\"whole\":1,\"yes\":null}", ""},
		{{.nulls = true}, "{\"whole\":null}", "whole is missing: any"},
		{{.partial = true}, "{}", ""},
		{{.partial = true}, "{\"whole\":null}", "whole must be an integer, not null"},
		{{.partial = true, .nulls = true}, "{\"whole\":null,\"yes\":null}", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct all all = {.whole = 1, .size = 2, .yes = true};
		struct val *v;
		struct err *e;

		works(json_read(a, str_of(cases[i].text), NULL, &v), cases[i].text);
		e = record_from_val(a, &cases[i].how, rows, v, &all);
		is_str(str_of(e ? err_message(e) : ""), str_of(cases[i].message), cases[i].text);
		ok(all.whole == 1 && all.size == 2 && all.yes, "and what was there stays");
	}
}

static void unknown(void)
{
	static const char text[] = "{\"whole\":1,\"a\":null,\"inside\":{\"path\":\"\",\"b\":2}}";
	struct strs rest = {0};
	struct record_reader how = {.what = "it"};
	struct all all = {0};
	struct err *e = take(&how, text, &all);

	fails(e, E_UNKNOWN_PARAMETER, "unknown names are refused, null or not");
	how.unknown = RECORD_IGNORED;
	works(take(&how, text, &all), "or ignored");
	how = (struct record_reader){.what = "it", .unknown = RECORD_KEPT, .rest = &rest};
	works(take(&how, text, &all), "or kept");
	is_str(str_join(a, &rest, " "), STR("a b"), "of objects in it too");
}

/* JSON, YAML and TOML refuse it; a tree that was made may have it. */
static void twice(void)
{
	struct val *v = val_map(a);
	struct all all = {0};

	val_set(a, v, "whole", val_int(a, 1));
	val_set(a, v, "whole", val_int(a, 2));
	works(record_from_val(a, &(struct record_reader){.what = "it"}, readable, v, &all),
	      "twice");
	is_int(all.whole, 2, "of a name that is there twice the last counts");
	val_set(a, v, "whole", val_str(a, STR("")));
	fails(record_from_val(a, &(struct record_reader){.what = "it"}, readable, v, &all),
	      E_WRONG_TYPE, "but each of them is checked");
}

static void ranges(void)
{
	static const struct field rows[] = {
		ALL(whole, .flags = OPTIONAL, .min = -2, .max = 3),
		ALL(size, .flags = OPTIONAL, .min = 1, .max = 2),
		ALL(maybe_whole, .flags = OPTIONAL, .max = 9),
		ALL(number, .flags = OPTIONAL, .max = 1),
		ALL(text, .flags = OPTIONAL | OR_NUMBER, .min = 1, .max = 3),
		ALL(list, .flags = OPTIONAL | OR_ONE, .min = 1, .max = 2),
		FIELD_SET(struct all, set, "set", colours, "any", .flags = OPTIONAL, .min = 1,
			  .max = 5),
		FIELD_NAMED(struct all, index, "index", colours, "any",
			    .flags = OPTIONAL | ANY_CASE),
		FIELD_RECORDS(struct all, places, "places", place_fields, "any", .flags = OPTIONAL,
			      .max = 1),
		{0},
	};
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"{\"whole\":-2}", ""},
		{"{\"whole\":3}", ""},
		{"{\"whole\":-3}", "whole is -3; allowed: -2 to 3"},
		{"{\"whole\":4}", "whole is 4; allowed: -2 to 3"},
		{"{\"size\":0}", "size is 0; allowed: 1 to 2"},
		{"{\"maybe_whole\":-1}", "maybe_whole is -1; allowed: 0 to 9"},
		{"{\"number\":1}", ""},
		{"{\"number\":1.01}", "number is 1.01; allowed: 0 to 1"},
		{"{\"number\":1e999}", "number must be a number, not a number"},
		{"{\"text\":\"abc\"}", ""},
		{"{\"text\":1.0}", ""},
		{"{\"text\":12.34}", "text has 5 bytes; allowed: 1 to 3"},
		{"{\"text\":\"\"}", "text has 0 bytes; allowed: 1 to 3"},
		{"{\"text\":true}", "text must be a string, not a boolean"},
		{"{\"list\":\"a\"}", ""},
		{"{\"list\":\"abc\"}", "list has 3 bytes; allowed: 1 to 2"},
		{"{\"list\":1}", "list must be a list of strings, not a number"},
		{"{\"list\":[]}", "list has 0 members; allowed: 1 to 2"},
		{"{\"list\":[\"a\",\"b\"]}", ""},
		{"{\"list\":[\"a\",\"b\",\"c\"]}", "list has 3 members; allowed: 1 to 2"},
		{"{\"list\":[\"a\",\"\"]}", "list[1] has 0 bytes; allowed: 1 to 2"},
		{"{\"set\":[]}", "set has 0 members; allowed: 1 to 5"},
		{"{\"set\":[\"red\"]}", ""},
		{"{\"index\":\"GREEN\"}", ""},
		{"{\"index\":\"Groen\"}", "index is 'Groen'; allowed: red, green, blue"},
		{"{\"places\":[{\"path\":\"\"},{\"path\":\"\"}]}",
		 "places has 2 members; allowed: 0 to 1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct all all = {0};
		struct val *v;
		struct err *e;

		works(json_read(a, str_of(cases[i].text), NULL, &v), cases[i].text);
		e = record_from_val(a, &(struct record_reader){.what = "it"}, rows, v, &all);
		is_str(str_of(e ? err_message(e) : ""), str_of(cases[i].message), cases[i].text);
		if (e)
			ok(err_reason(e) == E_OUT_OF_RANGE || !strstr(err_message(e), " to "),
			   "for that reason");
		ok(!str_is(str_of(cases[i].text), "{\"index\":\"GREEN\"}") || all.index == GREEN,
		   "a name in any case is its number");
	}
}

/* Lists of records in lists of records, as deep as JSON goes. */
struct nest {
	int64_t n;
	struct {
		struct nest *p;
		size_t n;
	} in;
};
extern const struct field nest_rows[];
const struct field nest_rows[] = {
	FIELD_OF(struct nest, n, "any", .flags = OPTIONAL),
	FIELD_RECORDS(struct nest, in, "in", nest_rows, "any", .flags = OPTIONAL),
	{0},
};

/* So many levels around what stands at the bottom. */
static struct val *nested(int levels, const char *bottom)
{
	struct buf b = buf_in(a);
	struct val *v;

	for (int i = 0; i < levels; i++)
		buf_puts(&b, "{\"in\":[{\"n\":7},{},");
	buf_puts(&b, bottom);
	for (int i = 0; i < levels; i++)
		buf_puts(&b, "]}");
	works(json_read(a, buf_as_str(&b), NULL, &v), "as deep as JSON may be");
	return v;
}

static void deep(void)
{
	const int levels = JSON_DEPTH_MAX / 2 - 1;
	const struct record_reader how = {.what = "it"};
	const struct nest *at;
	struct buf path = buf_in(a);
	struct nest nest = {0};
	struct err *e;
	int depth = 0;

	works(record_from_val(a, &how, nest_rows, nested(levels, "{\"n\":8}"), &nest), "deep");
	for (at = &nest; at->in.n == 3; at = &at->in.p[2])
		depth++;
	is_int(depth, levels, "every level is read");
	is_int(at->n, 8, "the last one too");
	is_int(nest.in.p[2].in.p[0].n, 7, "and what stands beside it");
	for (int i = 0; i < levels; i++)
		buf_puts(&path, "in[2].");
	buf_puts(&path, "n must be an integer, not an object");
	e = record_from_val(a, &how, nest_rows, nested(levels, "{\"n\":{}}"), &nest);
	is_str(str_of(e ? err_message(e) : ""), buf_as_str(&path), "an error there has its path");
}

/* JSON in a record, members that a function leaves out, and strings of its own. */
struct rich {
	struct str json, text;
	struct strs list;
	bool wanted;
};

static bool is_wanted(const void *record)
{
	return ((const struct rich *)record)->wanted;
}

static void rich(void)
{
	static const struct field rows[] = {
		FIELD_JSON(struct rich, json, "json", "any", .flags = IF_ANY),
		FIELD_OF(struct rich, text, "any", .flags = OPTIONAL, .given = is_wanted),
		{0},
	};
	char bytes[] = "abc";
	struct rich r = {.json = STR("{\"x\": [1, 2]}"), .text = {bytes, 3}};
	struct buf b = buf_in(a);
	struct val *v;

	json_write(&b, record_val(a, rows, &r), 0);
	is_str(buf_as_str(&b), STR("{\"json\":{\"x\":[1,2]}}"), "JSON is shown as what it is");
	r.wanted = true;
	ok(val_get(record_val(a, rows, &r), "text"), "a member that is wanted is there");
	record_deep_copy_in_place(a, rows, &r);
	bytes[0] = 'x';
	is_str(r.text, STR("abc"), "record_copy_members copies strings");
	works(json_read(a, STR("{\"json\":{\"y\":null},\"text\":\"t\"}"), NULL, &v), "json");
	works(record_from_val(a, &(struct record_reader){.what = "it"}, rows, v, &r), "read");
	is_str(r.json, STR("{\"y\":null}"), "and read as text");
}

int main(void)
{
	a = arena_new();
	given();
	absent();
	copied();
	owned();
	elsewhere();
	round_trip();
	refused();
	told();
	missing();
	unknown();
	twice();
	ranges();
	deep();
	rich();
	arena_free(a);
	return tap_done();
}
