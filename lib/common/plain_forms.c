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
	if (val_get_str(v, "encoding").n)
		buf_fmt(b, ", %jd bytes that are no text, here as base64",
			(intmax_t)val_get_int(v, "size"));
	else if (lines)
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
	.shown = "path tokens hash size lines more truncated files rangeSlices image encoding",
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
	/* Several matches of one line stand below each other. */
	if (line < at->line || (line == at->line && mark == '-'))
		return;
	if (at->line && line > at->line + 1 && mark == '-')
		buf_puts(b, "--\n");
	buf_fmt(b, "%jd%c%.*s\n", (intmax_t)line, mark, STR_ARG(text));
	at->line = line;
}

/* Returns the number of the last line. */
static int64_t plain_put_match_lines(struct buf *b, struct plain_at *at, int64_t line,
				     struct str text)
{
	for (;; line++) {
		size_t lf = str_find_char(text, '\n', 0);

		plain_put_line(b, at, line, ':', str_sub(text, 0, size_min(lf, text.n)));
		if (lf == SIZE_MAX)
			return line;
		text = str_sub(text, lf + 1, text.n);
	}
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
	line = plain_put_match_lines(b, at, line, val_get_str(m, "text"));
	if (val_get_int(m, "end") > line)
		line = val_get_int(m, "end");
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
	const struct val *counts = val_get(v, "counts"), *changes = val_get(v, "changes");
	struct plain_at at = {0};
	size_t n = (matches ? matches->n : 0) + (paths ? paths->n : 0) + (counts ? counts->n : 0) +
		   (changes ? changes->n : 0);

	(void)a;
	VAL_EACH(matches, m)
		plain_put_match(b, &at, m);
	plain_lines(b, paths);
	VAL_EACH(changes, c)
		plain_put_text(b, val_get_str(c, "diff"));
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
	if (val_get_str(v, "apply").n)
		buf_fmt(b, "[nothing was written; %.*s]\n", STR_ARG(val_get_str(v, "apply")));
}

const struct plain plain_search = {
	.print = plain_search_print,
	.shown = "matches paths counts changes apply types total files truncated skipped",
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

/* ---- memories: "[id, layer, kind, day, tags; score]", and the content below it ---- */

static void plain_put_memory(struct buf *b, const struct val *m)
{
	static const char *const words[] = {"layer", "kind", "state"};
	struct str happened = val_get_str(m, "happenedAt");
	const struct val *tags = val_get(m, "tags"), *score = val_get(m, "score");

	buf_fmt(b, "[%.*s", STR_ARG(val_get_str(m, "memoryId")));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct str word = val_get_str(m, words[i]);

		/* What most memories are need not be read each time. */
		if (word.n && !str_is(word, "active") && !str_is(word, "fact"))
			buf_fmt(b, ", %.*s", STR_ARG(word));
	}
	buf_fmt(b, ", %.*s", STR_ARG(str_sub(happened, 0, size_min(10, happened.n))));
	if (val_get_str(m, "supersededBy").n)
		buf_fmt(b, ", superseded by %.*s", STR_ARG(val_get_str(m, "supersededBy")));
	VAL_EACH(tags, tag)
		buf_fmt(b, " #%.*s", STR_ARG(tag->s));
	if (score)
		buf_fmt(b, ", score %.*s", STR_ARG(score->s));
	buf_puts(b, "]\n");
	plain_put_text(b, val_get_str(m, "content"));
}

static void plain_memories_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *list =
		val_get(v, "results") ? val_get(v, "results") : val_get(v, "memories");

	(void)a;
	VAL_EACH(list, m)
		plain_put_memory(b, m);
	if (!list || !list->n)
		buf_puts(b, "no memories\n");
	else if (plain_is_on(v, "belowThreshold"))
		buf_puts(b, "[no memory reaches the threshold; this is the best one]\n");
	else if (str_is(val_get_str(v, "relevance"), "weak"))
		buf_puts(b, "[the scores are low: these may be about something else]\n");
	else if (list->n < (size_t)val_get_int(v, "totalCount"))
		buf_fmt(b, "[%zu of %jd memories]\n", list->n,
			(intmax_t)val_get_int(v, "totalCount"));
}

const struct plain plain_memories = {
	.print = plain_memories_print,
	.shown = "success results memories totalCount searchedLayers relevance belowThreshold",
};

/* ---- events: a line each ---- */

static void plain_put_word(struct buf *b, struct str word, bool given)
{
	if (word.n && given)
		buf_fmt(b, " %.*s", STR_ARG(word));
}

static void plain_events_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *rows = val_get(v, "rows");

	(void)a;
	VAL_EACH(rows, e) {
		struct str path = val_get_str(e, "path"), status = val_get_str(e, "status");
		struct str id = path.n ? path : val_get_str(e, "entity_id");

		buf_fmt(b, "%.*s %.*s %.*s %.*s %.*s", STR_ARG(val_get_str(e, "event_id")),
			STR_ARG(val_get_str(e, "ts")), STR_ARG(val_get_str(e, "agent_id")),
			STR_ARG(val_get_str(e, "tool")), STR_ARG(id));
		if (val_get_str(e, "path_to").n)
			buf_fmt(b, " to %.*s", STR_ARG(val_get_str(e, "path_to")));
		plain_put_word(b, status, !str_is(status, "committed"));
		if (val_get_str(e, "session_id").n)
			buf_fmt(b, " session %.*s", STR_ARG(val_get_str(e, "session_id")));
		if (val_get_str(e, "rationale").n)
			buf_fmt(b, " (%.*s)", STR_ARG(val_get_str(e, "rationale")));
		buf_putc(b, '\n');
	}
	if (!rows || !rows->n)
		buf_puts(b, "no changes\n");
}

const struct plain plain_events = {.print = plain_events_print, .shown = "rows"};

/* ---- stored assets: a line each ---- */

static void plain_assets_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *list = val_get(v, "assets");

	(void)a;
	VAL_EACH(list, one) {
		buf_fmt(b, "%.*s %jd tokens", STR_ARG(val_get_str(one, "uri")),
			(intmax_t)val_get_int(one, "tokens"));
		plain_put_word(b, STR("pinned"), plain_is_on(one, "pinned"));
		plain_put_word(b, STR("read-only"), plain_is_on(one, "readOnly"));
		if (val_get_str(one, "description").n)
			buf_fmt(b, ": %.*s", STR_ARG(val_get_str(one, "description")));
		buf_putc(b, '\n');
	}
	if (!list || !list->n)
		buf_puts(b, "no stored assets\n");
	else if ((size_t)val_get_int(v, "total") > list->n)
		buf_fmt(b, "[%zu of %jd]\n", list->n, (intmax_t)val_get_int(v, "total"));
}

const struct plain plain_assets = {.print = plain_assets_print, .shown = "assets total truncated"};

/* ---- events_undo ---- */

static void plain_put_undone(struct buf *b, const struct val *e)
{
	struct str path = val_get_str(e, "path");

	buf_fmt(b, "undid %.*s of %.*s\n", STR_ARG(val_get_str(e, "op")),
		STR_ARG(path.n ? path : val_get_str(e, "entity_id")));
}

void plain_others(struct buf *b, const struct val *v)
{
	if (val_get(v, "others"))
		buf_puts(b, "changes of others are left out\n");
}

static void plain_undone_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *kept = val_get(v, "kept"), *undone = val_get(v, "undone");

	(void)a;
	if (undone && plain_is_on(v, "changed"))
		plain_put_undone(b, undone);
	VAL_EACH(val_get(v, "events"), e)
		plain_put_undone(b, e);
	if (!plain_is_on(v, "changed"))
		buf_puts(b, undone ? "undone already\n" : "nothing was undone\n");
	plain_others(b, v);
	VAL_EACH(kept, k) {
		buf_fmt(b, "kept: %.*s: %.*s\n", STR_ARG(val_get_str(k, "path")),
			STR_ARG(val_get_str(k, "reason")));
		buf_put(b, val_get_str(k, "diff"));
	}
	if (val_get_str(v, "newHash").n)
		buf_fmt(b, "it has %.*s now\n", STR_ARG(plain_hash(val_get_str(v, "newHash"))));
}

const struct plain plain_undone = {
	.print = plain_undone_print,
	.shown = "undone events kept changed path memoryId newHash others",
};
