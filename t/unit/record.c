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
	return buf_str(&b);
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
	struct val *own = record_val_copy(a, place_fields, &place);

	bytes[0] = 'x';
	is_str(val_get_str(borrowed, "path"), STR("xbc"), "record_val borrows");
	is_str(val_get_str(own, "path"), STR("abc"), "record_val_copy does not");
}

int main(void)
{
	a = arena_new();
	given();
	absent();
	copied();
	arena_free(a);
	return tap_done();
}
