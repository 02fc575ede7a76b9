/*
 * Any bytes as a call of the memory tool: an accepted call has the members of its command. As a
 * path: an accepted path names a stored asset in memories/. And as a text whose part is inserted
 * into another: the result has both texts, and otherwise only newlines.
 */
#include "base/base.h"
#include "json/json.h"
#include "memtool/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(struct arena *a, struct str text)
{
	struct str shown, path, rest, part;
	struct err *e = memtool_path(a, text, &shown);

	if (e)
		return;
	if (shown.n > text.n || !str_starts(text, shown))
		BUG("a path is shown otherwise than it was given");
	if (str_is(shown, "/memories"))
		return;
	/* JSON gives nothing but UTF-8, and assets have no other names. */
	if (str_is_utf8(text) &&
	    asset_path_read(a, str_fmt(a, ASSET_SCHEME "%.*s", STR_ARG(shown)), false, &path))
		BUG("a path that is taken is no asset's");
	for (rest = shown; str_next_part(&rest, '/', &part);)
		if (str_is(part, "..") || str_is(part, "."))
			BUG("a path leads elsewhere");
	if (!str_starts(shown, STR("/memories/")))
		BUG("a path begins elsewhere");
}

static void check_member(const struct field *f, const struct memtool_asked *asked)
{
	const struct str *text = (const void *)((const char *)asked + f->offset);

	if (f->kind == K_STR && !text->p)
		BUG("%s is missing", f->name);
	if (str_ends(str_of(f->name), STR("path")) && !str_starts(*text, STR(MEMTOOL_ROOT)))
		BUG("%s is no path", f->name);
}

static void check_call(struct arena *a, struct str text)
{
	const struct memtool_command *command;
	struct memtool_asked asked;
	struct val *input;

	if (json_read(a, text, NULL, &input) || memtool_input(a, input, &asked, &command))
		return;
	for (const struct field *f = command->members; f->name; f++)
		check_member(f, &asked);
}

static struct str without_cr(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '\r')
			buf_putc(&b, s.p[i]);
	return buf_as_str(&b);
}

/* The content is the begin and the end of what it became. */
static bool is_around(struct str content, struct str out)
{
	size_t head = 0, tail = 0;

	while (head < content.n && head < out.n && content.p[head] == out.p[head])
		head++;
	while (tail < content.n && tail < out.n &&
	       content.p[content.n - 1 - tail] == out.p[out.n - 1 - tail])
		tail++;
	return out.n >= content.n && head + tail >= content.n;
}

static void check_insert(struct arena *a, struct str content, struct str text, int64_t line)
{
	size_t lines = str_line_count(content);
	struct buf b = buf_in(a);
	struct str out;

	memtool_number_lines(&b, content, 1, lines);
	if (memtool_insert(a, content, line, text, &out) != (line <= (int64_t)lines))
		BUG("line %jd of %zu", (intmax_t)line, lines);
	if (line > (int64_t)lines)
		return;
	if (str_find(without_cr(a, out), without_cr(a, text), 0) == SIZE_MAX)
		BUG("what was inserted is not there");
	if (!is_around(content, out))
		BUG("the content around it is another");
	if (str_line_count(out) < lines)
		BUG("a line was lost");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	size_t cut = size ? data[0] % size : 0;
	struct arena *a = arena_new();

	check_call(a, text);
	check_path(a, text);
	check_insert(a, str_sub(text, cut, size), str_sub(text, 0, cut),
		     size ? data[size - 1] % 8 : 0);
	arena_free(a);
	return 0;
}
