/* The result of a search in JSON. */
#include "search_result.h"

#define SHOWN  ((size_t)2000)     /* bytes of one line in JSON */
#define BEFORE ((size_t)500)      /* of them before a match in a longer line */
#define TEXTS  ((size_t)16 << 20) /* bytes of all lines, with those around them */

static const struct field match_fields[] = {
	{"path", "the file, below the place that was named", F_STR},
	{"line", "its number, from 1", F_INT},
	{"column", "of the first match, in bytes from 1", F_INT},
	{"match", "the bytes of the first match", F_STR},
	{"text", "the whole line", F_STR},
	{"cut", "true: the line is over 2000 bytes, and text is what is around the match", F_BOOL,
	 OPTIONAL},
	{"before", "lines before it", F_STRS, OPTIONAL},
	{"after", "lines after it", F_STRS, OPTIONAL},
	{0},
};
static const struct field count_fields[] = {
	{"path", "the file", F_STR},
	{"count", "lines that match", F_INT},
	{0},
};
static const struct field skipped_fields[] = {
	{"binary", "files with a NUL in their first 8000 bytes", F_INT},
	{"unreadable", "files and folders that could not be read", F_INT},
	{"gaveUp", "files in which a pattern took too long", F_INT},
	{0},
};
static const struct field type_fields[] = {
	{"name", "for --type", F_STR},
	{"files", "endings and names", F_STR},
	{0},
};
const struct field matches_result[] = {
	{"matches", "lines that match, by path and line", F_LIST, OPTIONAL, .sub = match_fields},
	{"paths", "with files: those that have a match", F_STRS, OPTIONAL},
	{"counts", "with count: how many lines match", F_LIST, OPTIONAL, .sub = count_fields},
	{"types", "with the type list: what there is", F_LIST, OPTIONAL, .sub = type_fields},
	{"total", "lines that match in all (with files: files)", F_INT, OPTIONAL},
	{"files", "files that were searched", F_INT, OPTIONAL},
	{"truncated", "true: there is more than is told; narrow it down or raise limit", F_BOOL},
	{"skipped", "what was not searched", F_OBJ, OPTIONAL, .sub = skipped_fields},
	{"warnings", "what could not be read or took too long; of many the first", F_STRS},
	{0},
};

static void matches_free_arena(void *a)
{
	arena_free(a);
}

struct matches *matches_new(struct arena *a, size_t context, enum search_want want)
{
	struct matches *m = ARENA_NEW(a, struct matches);

	m->a = arena_new();
	arena_defer(a, matches_free_arena, m->a);
	m->context = context;
	m->counts = want == SEARCH_COUNTS;
	m->list = val_list(m->a);
	m->open = arena_array(a, context + 1, sizeof(*m->open));
	return m;
}

/* As much of a long line as is shown; *cut: it is not all. */
static struct str excerpt(struct arena *a, struct str text, struct span match, bool *cut)
{
	size_t from = 0, to = text.n;

	*cut = text.n > SHOWN;
	if (*cut) {
		from = match.from > BEFORE ? match.from - BEFORE : 0;
		to = size_min(from + SHOWN, text.n);
		while (from > 0 && from < to && (text.p[from] & 0xc0) == 0x80)
			from++;
		while (to > from && to < text.n && (text.p[to] & 0xc0) == 0x80)
			to--;
	}
	return str_utf8(a, str_dup(a, str_sub(text, from, to)));
}

static void same_file(struct matches *m, struct str path)
{
	if (m->path.p && str_eq(m->path, path))
		return;
	m->path = str_dup(m->a, path);
	m->recent.n = m->opened = 0;
}

static void add_around(struct matches *m, const struct search_line *line, struct str text)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->opened; i++) {
		if (line->line > m->open[i].line + m->context)
			continue;
		val_add(m->open[i].after, val_str(m->a, text));
		m->bytes += text.n;
		m->open[kept++] = m->open[i];
	}
	m->opened = kept;
}

void matches_line(void *ctx, const struct search_line *line)
{
	struct matches *m = ctx;
	struct val *v, *before;
	struct str text;
	bool cut;

	m->full = m->full || m->bytes > TEXTS;
	if (m->full)
		return;
	same_file(m, line->path);
	if (line->gap)
		m->recent.n = m->opened = 0;
	text = excerpt(m->a, line->text, line->match, &cut);
	add_around(m, line, text);
	if (!line->context) {
		struct str match = str_sub(line->text, line->match.from, line->match.to);
		bool short_of;

		m->bytes += text.n;
		v = val_add(m->list, val_map(m->a));
		val_set(m->a, v, "path", val_str(m->a, str_utf8(m->a, m->path)));
		val_set(m->a, v, "line", val_int(m->a, (int64_t)line->line));
		val_set(m->a, v, "column", val_int(m->a, (int64_t)line->match.from + 1));
		match = excerpt(m->a, match, (struct span){0}, &short_of);
		val_set(m->a, v, "match", val_str(m->a, match));
		val_set(m->a, v, "text", val_str(m->a, text));
		if (cut)
			val_set(m->a, v, "cut", val_bool(m->a, true));
		if (m->context) {
			before = val_set(m->a, v, "before", val_list(m->a));
			for (size_t i = 0; i < m->recent.n; i++) {
				val_add(before, val_str(m->a, m->recent.p[i]));
				m->bytes += m->recent.p[i].n;
			}
			m->open[m->opened++] = (struct open){
				line->line, val_set(m->a, v, "after", val_list(m->a))};
		}
	}
	if (m->context && m->recent.n == m->context) {
		memmove(m->recent.p, m->recent.p + 1, (m->recent.n - 1) * sizeof(*m->recent.p));
		m->recent.n--;
	}
	if (m->context)
		strs_push(m->a, &m->recent, text);
}

void matches_file(void *ctx, struct str path, size_t lines)
{
	struct matches *m = ctx;
	struct val *name = val_str(m->a, str_utf8(m->a, str_dup(m->a, path))), *v;

	if (!m->counts) {
		val_add(m->list, name);
		return;
	}
	v = val_add(m->list, val_map(m->a));
	val_set(m->a, v, "path", name);
	val_set(m->a, v, "count", val_int(m->a, (int64_t)lines));
}

void matches_skipped(struct arena *a, struct val *to, const struct search_done *d)
{
	struct val *skipped = val_set(a, to, "skipped", val_map(a));

	val_set(a, skipped, "binary", val_int(a, (int64_t)d->binary));
	val_set(a, skipped, "unreadable", val_int(a, (int64_t)d->unreadable));
	val_set(a, skipped, "gaveUp", val_int(a, (int64_t)d->gave_up));
	val_set(a, to, "warnings", val_strs(a, &d->warnings));
}

struct val *matches_types(struct arena *a)
{
	struct val *out = val_map(a), *list = val_set(a, out, "types", val_list(a)), *v;

	for (const struct file_type *t = file_types; t->name; t++) {
		v = val_add(list, val_map(a));
		val_set(a, v, "name", val_str(a, str_of(t->name)));
		val_set(a, v, "files", val_str(a, str_of(t->files)));
	}
	val_set(a, out, "truncated", val_bool(a, false));
	val_set(a, out, "warnings", val_list(a));
	return out;
}
