/*
 * Any bytes as a record of every kind of member: the first problem is an error exactly when there
 * are problems; each has a place; and what is read is written as what is read as the same.
 */
#include "base/base.h"
#include "json/json.h"
#include "record/record.h"
#include "yaml/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const colours[] = {"red", "green", "blue", NULL};

struct node {
	struct str text, version, json;
	const char *chars;
	struct strs list, one;
	int64_t whole, time;
	size_t size;
	int index, small;
	unsigned set;
	double number;
	bool yes;
	struct maybe_int maybe_whole, limited;
	struct maybe_bool maybe_yes;
	const struct val *tree, *any;
	struct {
		struct node *p;
		size_t n;
	} in;
};

#define ROW(member, ...) FIELD_OF(struct node, member, "any", __VA_ARGS__)
static const struct field group_rows[] = {
	ROW(small, .flags = OPTIONAL),
	ROW(limited, .flags = OPTIONAL, .min = 1, .max = 9),
	{0},
};
extern const struct field node_rows[];
const struct field node_rows[] = {
	ROW(text, .flags = OPTIONAL, .min = 1, .max = 5),
	ROW(version, .flags = OPTIONAL | OR_NUMBER),
	FIELD_JSON(struct node, json, "json", "any", .flags = IF_ANY),
	ROW(chars, .flags = NULLABLE),
	ROW(list, .flags = OPTIONAL, .min = 1, .max = 3),
	ROW(one, .flags = OPTIONAL | OR_ONE | OR_NUMBER),
	ROW(whole),
	FIELD_TIME(struct node, time, "time", "any", .flags = OPTIONAL),
	ROW(size, .flags = OPTIONAL),
	FIELD_NAMED(struct node, index, "index", colours, "any", .flags = OPTIONAL | ANY_CASE),
	FIELD_SET(struct node, set, "set", colours, "any", .flags = OPTIONAL),
	ROW(number, .flags = OPTIONAL, .max = 1),
	ROW(yes, .flags = OPTIONAL),
	ROW(maybe_whole, .flags = OPTIONAL, .min = -3, .max = 3),
	ROW(maybe_yes, .flags = NULLABLE),
	FIELD_TREE(struct node, tree, "tree", F_LIST, NULL, "any", .flags = OPTIONAL),
	ROW(any, .flags = OPTIONAL),
	FIELD_GROUP("group", group_rows, "any", .flags = OPTIONAL),
	FIELD_RECORDS(struct node, in, "in", node_rows, "any", .flags = OPTIONAL, .max = 4),
	{0},
};

struct seen {
	struct arena *a;
	size_t n, size;
};

static struct err *count(void *ctx, const struct record_problem *p)
{
	struct seen *seen = ctx;

	seen->n++;
	if (p->at->at.to > seen->size || !record_error(seen->a, "it", p))
		BUG("a problem without a place or a message");
	if (p->in ? !p->field && !p->fields : p->field != NULL)
		BUG("a problem without rows");
	if (record_path_of_problem(seen->a, p).n > (seen->size + 40) * 4)
		BUG("a path longer than the input");
	return NULL;
}

static void check_node(const struct node *node)
{
	if (node->text.n > 5 || node->limited.n > 9 || node->list.n > 3 || node->in.n > 4 ||
	    node->number > 1 || node->maybe_whole.n > 3)
		BUG("more than a row allows");
	for (size_t i = 0; i < node->in.n; i++)
		check_node(&node->in.p[i]);
}

static struct str again(struct arena *a, const struct val *v)
{
	const struct record_reader how = {.what = "it"};
	struct node node = {.index = -1, .number = NAN};
	struct err *e = record_from_val(a, &how, node_rows, v, &node);

	if (e)
		BUG("what was written is refused: %s", err_message(e));
	return json_text(a, record_val(a, node_rows, &node));
}

static void check_value(struct arena *a, const struct val *v, size_t size)
{
	struct seen seen = {.a = a, .size = size};
	const struct record_reader all = {.wrong = count, .ctx = &seen};
	const struct record_reader first = {.what = "it"};
	struct node node = {.index = -1, .number = NAN}, other = node;
	struct val *out;

	if (record_from_val(a, &all, node_rows, v, &node))
		BUG("an error that nobody made");
	check_node(&node);
	if (!record_from_val(a, &first, node_rows, v, &other) != !seen.n)
		BUG("%zu problems, and the first is otherwise", seen.n);
	if (seen.n)
		return;
	out = record_val(a, node_rows, &node);
	if (!str_eq(json_text(a, out), again(a, out)))
		BUG("another record");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct val *v;

	if (!json_read(a, text, NULL, &v) || !yaml_read(a, text, STR(""), 0, &v))
		check_value(a, v, size);
	arena_free(a);
	return 0;
}
