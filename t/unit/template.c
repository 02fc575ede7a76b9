#include "tap.h"
#include "cmd/result_template.h"
#include "json/json.h"

struct toy {
	struct str name, text;
	int64_t size, total;
	bool pinned;
	struct strs tags;
	struct maybe_int limit;
	const struct toy *inside;
	struct {
		struct toy *p;
		size_t n;
	} parts;
};

#define TOY(member, ...) FIELD_OF(struct toy, member, "any", __VA_ARGS__)
static const struct field part_rows[] = {TOY(name), TOY(size), {0}};
static const struct field rows[] = {
	TOY(name),
	TOY(text),
	TOY(size, .flags = IF_ANY),
	TOY(total),
	TOY(pinned),
	TOY(tags),
	TOY(limit, .flags = OPTIONAL),
	FIELD_RECORD_AT(struct toy, inside, "inside", part_rows, "any", .flags = OPTIONAL),
	FIELD_RECORDS(struct toy, parts, "parts", part_rows, "any"),
	{0},
};

static struct arena *a;

int main(void)
{
	static const struct {
		const char *template, *want;
	} forms[] = {
		{"{name} is {size%4}|\n", "box is   12|\n"},
		{"[{name%-5}] [{name%.2}] {name|text}", "[box  ] [bo] box"},
		{"{inside.size|'none'} {inside.name|'none'}", "none none"},
		{"[{'\xc3\xa9t'%.1}] [{'\xc3\xa9t'%.2}]", "[] [\xc3\xa9]"},
		{"{?pinned:pinned|{?size>9:large|small}}", "large"},
		{"{?!pinned&name='box'&size=12:both}{?size<total:less}", "bothless"},
		{"{?^limit:{limit}|no limit}", "no limit"},
		{"{tags}; {/tags:{.}{,:+}}; {#tags}", "a, b; a+b; 2"},
		{"{/parts:{name} {size} of {total}\n}", "lid 1 of 20\npin 0 of 20\n"},
		{"{/parts%1:{name}}{?#parts>1: and {#parts-1} more}", "lid and 1 more"},
		{"{text%l}{?!text%l=text: ...}\n{text%n}", "one ...\none\ntwo\n"},
		{"{*name} {!'over'} {_:{name}}", "box over box"},
		{"{?total=20:yes: {total}}", "yes: 20"},
	};
	struct str tags[] = {STR("a"), STR("b")};
	struct toy parts[] = {{.name = STR("lid"), .size = 1}, {.name = STR("pin")}};
	struct toy toy = {.name = STR("box"),
			  .text = STR("one\ntwo"),
			  .size = 12,
			  .total = 20,
			  .tags = {tags, 2},
			  .parts = {parts, 2}};
	struct call c = {0};
	struct val *v;

	a = c.a = arena_new();
	v = record_val(a, rows, &toy);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		c.out = out_new_in_memory(a);
		template_print_record(&c, forms[i].template, rows, &toy);
		is_str(out_text_so_far(c.out), str_of(forms[i].want), "the form, from a struct");
		is_str(template_render_text(a, forms[i].template, rows, v), str_of(forms[i].want),
		       "the same from a value tree");
	}
	c.out = out_new_in_memory(a);
	c.err = out_new_in_memory(a);
	toy.name = STR("a\x1b");
	template_print_record(&c, "{2:{name}}{name%b}", rows, &toy);
	is_str(out_text_so_far(c.err), STR("a\\x1b"), "safe, and on standard error");
	is_str(out_text_so_far(c.out), toy.name, "unchanged");
	ok(template_used_fields(a, "{?size:{name}|{total}}", rows) == 13,
	   "the rows of all branches");
	arena_free(a);
	return tap_done();
}
