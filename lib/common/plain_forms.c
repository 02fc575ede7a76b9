/* The results of tools as text for a model, tool by tool. */
#include "plain.h"
#include "json/json.h"

static bool plain_is_on(const struct val *v, const char *name)
{
	const struct val *m = val_get(v, name);

	return m && m->b;
}

/* ---- file_read ---- */

/* Text without a final newline gets one, so that the next line stands alone. */
static void plain_put_text(struct buf *b, struct str text)
{
	buf_put(b, text);
	if (text.n && text.p[text.n - 1] != '\n')
		buf_putc(b, '\n');
}

static void plain_read_end(struct buf *b, const struct val *v)
{
	struct str hash = val_get_str(v, "hash"), more = val_get_str(v, "more");
	const struct val *lines = val_get(v, "lines");

	if (val_get_str(v, "image").n)
		return;
	if (hash.n)
		buf_fmt(b, "[%.*s", STR_ARG(plain_hash(hash)));
	else
		buf_puts(b, "[a part: do not write it back as the whole");
	if (lines)
		buf_fmt(b, ", the file has %.*s line%s", STR_ARG(lines->s),
			str_is(lines->s, "1") ? "" : "s");
	if (more.n)
		buf_fmt(b, "; %.*s", STR_ARG(more));
	buf_puts(b, "]\n");
}

static void plain_read_slices(struct buf *b, const struct val *v)
{
	VAL_EACH(val_get(v, "rangeSlices"), s) {
		buf_fmt(b, "lines %jd to %jd:\n", (intmax_t)val_get_int(s, "startLine"),
			(intmax_t)val_get_int(s, "endLine"));
		plain_put_text(b, val_get_str(s, "content"));
	}
}

static void plain_read_print(struct arena *a, struct buf *b, const struct val *v)
{
	(void)a;
	VAL_EACH(val_get(v, "files"), f) {
		buf_fmt(b, "==> %.*s <==\n", STR_ARG(val_get_str(f, "path")));
		plain_put_text(b, val_get_str(f, "content"));
		plain_read_slices(b, f);
		plain_read_end(b, f);
	}
	plain_read_slices(b, v);
	if (!val_get(v, "files"))
		plain_read_end(b, v);
}

const struct plain plain_read = {
	.body = "content",
	.print = plain_read_print,
	.shown = "path tokens hash size lines more truncated files rangeSlices image",
};

/* ---- lists of paths ---- */

static void plain_paths_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *paths = val_get(v, "paths");

	(void)a;
	plain_lines(b, paths);
	if (!paths || !paths->n)
		buf_puts(b, "no files\n");
	else if (plain_is_on(v, "truncated"))
		buf_fmt(b, "[%zu of %jd paths]\n", paths->n, (intmax_t)val_get_int(v, "total"));
}

const struct plain plain_paths = {.print = plain_paths_print, .shown = "paths total truncated"};

static void plain_find_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *matches = val_get(v, "matches");

	(void)a;
	VAL_EACH(matches, m)
		buf_fmt(b, "%.*s\n", STR_ARG(val_get_str(m, "path")));
	if (!matches || !matches->n)
		buf_puts(b, "nothing matches\n");
}

const struct plain plain_find = {.print = plain_find_print, .shown = "matches"};

/* ---- search: the lines of a file stand below its name; "12:" begins a match, "11-" a neighbour
 * ----
 */

struct plain_at {
	struct str path;
	int64_t line; /* the last line that was printed */
};

static void plain_put_line(struct buf *b, struct plain_at *at, int64_t line, char mark,
			   struct str text)
{
	if (line <= at->line)
		return;
	if (at->line && line > at->line + 1 && mark == '-')
		buf_puts(b, "--\n");
	buf_fmt(b, "%jd%c%.*s\n", (intmax_t)line, mark, STR_ARG(text));
	at->line = line;
}

static void plain_put_match(struct buf *b, struct plain_at *at, const struct val *m)
{
	const struct val *before = val_get(m, "before"), *next = m->next;
	int64_t line = val_get_int(m, "line"), from = line - (int64_t)(before ? before->n : 0);
	struct str path = val_get_str(m, "path");

	if (!str_eq(path, at->path)) {
		buf_fmt(b, "%s%.*s\n", at->path.n ? "\n" : "", STR_ARG(path));
		*at = (struct plain_at){.path = path};
	}
	VAL_EACH(before, one)
		plain_put_line(b, at, from++, '-', one->s);
	plain_put_line(b, at, line, ':', val_get_str(m, "text"));
	if (next && !str_eq(val_get_str(next, "path"), path))
		next = NULL;
	VAL_EACH(val_get(m, "after"), one) {
		if (next && line + 1 >= val_get_int(next, "line"))
			break;
		plain_put_line(b, at, ++line, '-', one->s);
	}
}

static void plain_put_skipped(struct buf *b, const struct val *skipped)
{
	static const char *const shown[][2] = {
		{"unreadable", "could not be read"},
		{"gaveUp", "took too long to search"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		if (val_get_int(skipped, shown[i][0]))
			buf_fmt(b, "[%jd files %s]\n", (intmax_t)val_get_int(skipped, shown[i][0]),
				shown[i][1]);
}

static void plain_search_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *matches = val_get(v, "matches"), *paths = val_get(v, "paths");
	const struct val *counts = val_get(v, "counts");
	struct plain_at at = {0};
	size_t n = (matches ? matches->n : 0) + (paths ? paths->n : 0) + (counts ? counts->n : 0);

	(void)a;
	VAL_EACH(matches, m)
		plain_put_match(b, &at, m);
	plain_lines(b, paths);
	VAL_EACH(counts, c)
		buf_fmt(b, "%.*s:%jd\n", STR_ARG(val_get_str(c, "path")),
			(intmax_t)val_get_int(c, "count"));
	VAL_EACH(val_get(v, "types"), t)
		buf_fmt(b, "%.*s: %.*s\n", STR_ARG(val_get_str(t, "name")),
			STR_ARG(val_get_str(t, "files")));
	if (!n && !val_get(v, "types"))
		buf_fmt(b, "nothing matches in %jd files\n", (intmax_t)val_get_int(v, "files"));
	else if (plain_is_on(v, "truncated") && !val_get(v, "more"))
		buf_fmt(b, "[the first %zu of %jd; narrow the search, or give offset or limit]\n",
			n, (intmax_t)val_get_int(v, "total"));
	plain_put_skipped(b, val_get(v, "skipped"));
}

const struct plain plain_search = {
	.print = plain_search_print,
	.shown = "matches paths counts types total files truncated skipped",
};

/* ---- programs ---- */

static void plain_bash_print(struct arena *a, struct buf *b, const struct val *v)
{
	int64_t code = val_get_int(v, "exit_code");

	(void)a;
	plain_put_text(b, val_get_str(v, "output"));
	if (plain_is_on(v, "timed_out"))
		buf_puts(b, "[stopped at the time limit]\n");
	else if (code || !val_get_str(v, "output").n)
		buf_fmt(b, "[exit code %jd]\n", (intmax_t)code);
}

const struct plain plain_bash = {
	.print = plain_bash_print,
	.shown = "stdout stderr output exit_code timed_out truncated",
};

/* ---- fs_patch ---- */

static void plain_patch_print(struct arena *a, struct buf *b, const struct val *v)
{
	(void)a;
	VAL_EACH(val_get(v, "files"), f) {
		struct str from = val_get_str(f, "from"), hash = val_get_str(f, "newHash");

		buf_fmt(b, "%.*s: %.*s", STR_ARG(val_get_str(f, "path")),
			STR_ARG(val_get_str(f, "status")));
		if (from.n)
			buf_fmt(b, " from %.*s", STR_ARG(from));
		if (hash.n)
			buf_fmt(b, ", %.*s", STR_ARG(plain_hash(hash)));
		if (val_get_int(f, "offset"))
			buf_fmt(b, ", moved by %jd lines", (intmax_t)val_get_int(f, "offset"));
		if (val_get_int(f, "fuzz"))
			buf_fmt(b, ", fuzz %jd", (intmax_t)val_get_int(f, "fuzz"));
		buf_putc(b, '\n');
	}
}

const struct plain plain_patch = {.print = plain_patch_print, .shown = "newHash files"};

/* ---- tool_list ---- */

static void plain_tools_print(struct arena *a, struct buf *b, const struct val *v)
{
	VAL_EACH(val_get(v, "tools"), t) {
		const struct val *parameters = val_get(t, "parameters");

		buf_fmt(b, "%.*s: %.*s\n", STR_ARG(val_get_str(t, "name")),
			STR_ARG(val_get_str(t, "description")));
		if (parameters)
			buf_fmt(b, "arguments: %.*s\n", STR_ARG(json_text(a, parameters)));
	}
}

const struct plain plain_tools = {.print = plain_tools_print, .shown = "tools"};
