/* The result of a search in JSON. */
#include "search_result.h"

#define SHOWN  ((size_t)2000)     /* bytes of one line in JSON */
#define JOINED ((size_t)16000)    /* bytes of a match of several lines */
#define BEFORE ((size_t)500)      /* bytes to show before the match in a longer line */
#define TEXTS  ((size_t)16 << 20) /* bytes of all lines and their context */

#define MATCH(...) FIELD_OF(struct search_match, __VA_ARGS__)
static const struct field match_fields[] = {
	MATCH(path, "the file, below the path that you gave"),
	MATCH(line, "its line number, from 1"),
	MATCH(end, "the last line, of a match of several lines", .flags = OPTIONAL),
	MATCH(column, "the column of the first match, in bytes from 1"),
	MATCH(match, "the bytes of the first match"),
	MATCH(text, "the whole line; with onlyMatching the match"),
	MATCH(cut,
	      "true: the line is over 2000 bytes, and text is the part around the match; or the "
	      "match has several lines and is over 16000 bytes",
	      .flags = IF_ANY),
	MATCH(before, "lines before it", .flags = OPTIONAL),
	MATCH(after, "lines after it", .flags = OPTIONAL),
	{0},
};
static const struct field count_fields[] = {
	FIELD_OF(struct search_count, path, "the file"),
	FIELD_OF(struct search_count, count, "lines that match"),
	{0},
};
static const struct field change_fields[] = {
	FIELD_OF(struct search_change, path, "the file"),
	FIELD_OF(struct search_change, replaced, "the matches that would be replaced"),
	FIELD_OF(struct search_change, diff, "a unified diff"),
	{0},
};
static const struct field skipped_fields[] = {
	FIELD_OF(struct search_skipped, binary, "files with a NUL in their first 8000 bytes"),
	FIELD_OF(struct search_skipped, unreadable, "files and folders that could not be read"),
	FIELD_AS(struct search_skipped, gave_up, "gaveUp",
		 "files in which a pattern took too long"),
	FIELD_OF(struct search_skipped, copies,
		 "folders of the garden's history copies; all searches them", .flags = IF_ANY),
	{0},
};
static const struct field type_fields[] = {
	FIELD_OF(struct file_type, name, "for --type"),
	FIELD_OF(struct file_type, files, "extensions and names"),
	{0},
};
#define RESULT(...)  FIELD_OF(struct search_result, __VA_ARGS__)
#define RESULTS(...) FIELD_RECORDS(struct search_result, __VA_ARGS__, .flags = OPTIONAL)
const struct field search_result[] = {
	RESULTS(matches, "matches", match_fields, "lines that match, by path and line"),
	RESULT(paths, "with files: the files that have a match", .flags = OPTIONAL),
	RESULTS(counts, "counts", count_fields, "with count: the number of matching lines"),
	RESULTS(changes, "changes", change_fields, "with replace: what would change, by path"),
	RESULT(apply, "with replace: how to make the changes; nothing was written",
	       .flags = IF_ANY),
	RESULTS(types, "types", type_fields, "with the type list: the types"),
	RESULT(total,
	       "all matching lines (with files or replace: all files; with onlyMatching: all matches)",
	       .flags = OPTIONAL),
	RESULT(files, "files that were searched", .flags = OPTIONAL),
	RESULT(truncated, "true: some matches are left out; narrow the search or raise limit"),
	FIELD_RECORD_AT(struct search_result, skipped, "skipped", skipped_fields,
			"the files that were not searched", .flags = OPTIONAL),
	RESULT(warnings,
	       "files that could not be read or took too long (the first few), and what was left out"),
	{0},
};

struct matches *matches_new(struct arena *a, const struct search *s, const struct fit *fit,
			    size_t skip, struct search_result *out)
{
	struct matches *m = ARENA_NEW(a, struct matches);

	m->a = arena_child(a);
	m->around = s->before;
	m->behind = s->after;
	m->counts = s->want == SEARCH_COUNTS;
	m->each = s->each;
	m->out = out;
	m->skip = skip;
	m->texts = fit ? FIT_BYTES : TEXTS;
	/* Each costs a token at least. */
	m->rows = fit ? fit->tokens : SIZE_MAX;
	m->open = arena_array(a, s->after + 1, sizeof(*m->open));
	/* A list that the caller requested is present, even if it is empty. */
	if (s->want == SEARCH_LINES)
		out->matches.p = arena_alloc(m->a, 1);
	else if (s->want == SEARCH_FILES)
		out->paths.p = arena_alloc(m->a, 1);
	else
		out->counts.p = arena_alloc(m->a, 1);
	return m;
}

/* The part of a long line to show. *cut: parts are left out. */
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
		if (line->line > m->open[i].line + m->behind)
			continue;
		strs_push(m->a, &m->out->matches.p[m->open[i].at].after, text);
		m->bytes += text.n;
		m->open[kept++] = m->open[i];
	}
	m->opened = kept;
}

/* A list that is present but empty. */
static struct strs no_lines(struct arena *a)
{
	return (struct strs){.p = arena_alloc(a, 1)};
}

static void add_match(struct matches *m, const struct search_line *line, struct str text, bool cut)
{
	struct str match = str_sub(line->text, line->match.from, line->match.to);
	struct search_match *one;
	bool short_of;

	if (m->each)
		text = excerpt(m->a, match, (struct span){0}, &cut);
	m->joined_match = m->joined_text = (struct buf){0};
	m->bytes += text.n;
	one = VEC_PUSH(m->a, &m->out->matches);
	*one = (struct search_match){
		.path = m->path,
		.line = line->line,
		.column = line->match.from + 1,
		.match = excerpt(m->a, match, (struct span){0}, &short_of),
		.text = text,
		.cut = cut,
	};
	if (!m->around && !m->behind)
		return;
	one->before = one->after = no_lines(m->a);
	for (size_t i = 0; i < m->recent.n; i++) {
		strs_push(m->a, &one->before, m->recent.p[i]);
		m->bytes += m->recent.p[i].n;
	}
	if (m->behind)
		m->open[m->opened++] = (struct open_match){line->line, m->out->matches.n - 1};
}

static struct search_match *matches_last(const struct matches *m)
{
	return &m->out->matches.p[m->out->matches.n - 1];
}

/* Puts a line behind those of the last match that `to` holds; `first` is the first one. */
static struct str matches_append(struct matches *m, struct buf *to, struct str first,
				 struct str line)
{
	if (!to->arena) {
		*to = buf_in(m->a);
		buf_put(to, first);
	}
	buf_putc(to, '\n');
	buf_put(to, line);
	return buf_str(to);
}

/* The next line of a match of several lines. It is no neighbour of its own match. */
static void add_joined(struct matches *m, const struct search_line *line, struct str text)
{
	struct search_match *one = matches_last(m);
	struct str match = str_sub(line->text, line->match.from, line->match.to);

	if (m->opened)
		m->opened--;
	add_around(m, line, text);
	if (m->behind)
		m->open[m->opened++] = (struct open_match){line->line, m->out->matches.n - 1};
	one->end = (struct maybe_int){(int64_t)line->line, true};
	if (one->text.n + text.n > JOINED) {
		one->cut = true;
		return;
	}
	match = str_utf8(m->a, str_dup(m->a, str_sub(match, 0, SHOWN)));
	one->match = matches_append(m, &m->joined_match, one->match, match);
	one->text = m->each ? one->match : matches_append(m, &m->joined_text, one->text, text);
	m->bytes += text.n;
}

/* Whether the next match or file is one of the first, which the caller has seen already. */
static bool matches_skip(struct matches *m)
{
	bool skip = m->skip > 0;

	m->skip -= skip;
	return skip;
}

bool matches_enough(void *ctx)
{
	const struct matches *m = ctx;
	size_t n = m->out->matches.n + m->out->paths.n + m->out->counts.n;

	return m->bytes > m->texts || n >= m->rows;
}

void matches_line(void *ctx, const struct search_line *line)
{
	struct matches *m = ctx;
	struct str text;
	bool cut;

	m->full = m->full || (!line->context && !line->joined && matches_enough(m));
	if (m->full)
		return;
	same_file(m, line->path);
	if (line->gap)
		m->recent.n = m->opened = 0;
	if (!line->context && !line->joined)
		m->skipping = matches_skip(m);
	if (m->skipping && !m->around && !m->behind)
		return;
	/* Nobody sees the rest of a match that was cut. */
	if (line->joined && !m->around && !m->behind && matches_last(m)->cut) {
		matches_last(m)->end = (struct maybe_int){(int64_t)line->line, true};
		return;
	}
	text = excerpt(m->a, line->text, line->match, &cut);
	if (line->joined && !m->skipping)
		add_joined(m, line, text);
	else
		add_around(m, line, text);
	if (!line->context && !line->joined && !m->skipping)
		add_match(m, line, text, cut);
	if (m->around && m->recent.n == m->around) {
		memmove(m->recent.p, m->recent.p + 1, (m->recent.n - 1) * sizeof(*m->recent.p));
		m->recent.n--;
	}
	if (m->around)
		strs_push(m->a, &m->recent, text);
}

void matches_file(void *ctx, struct str path, size_t lines)
{
	struct matches *m = ctx;
	struct str name = str_dup(m->a, path);

	if (matches_skip(m))
		return;
	if (m->counts)
		*VEC_PUSH(m->a, &m->out->counts) = (struct search_count){name, lines};
	else
		strs_push(m->a, &m->out->paths, name);
}

void matches_done(struct matches *m, const struct search *s, const struct search_done *d)
{
	struct search_skipped *skipped = ARENA_NEW(m->a, struct search_skipped);
	struct search_result *r = m->out;
	size_t matched = s->want == SEARCH_LINES ? d->lines : d->matched;

	*skipped = (struct search_skipped){d->binary, d->unreadable, d->gave_up, d->left.copies};
	r->skipped = skipped;
	r->warnings = d->warnings;
	r->total = (struct maybe_int){(int64_t)(s->want == SEARCH_FILES ? d->matched : d->lines),
				      true};
	r->files = (struct maybe_int){(int64_t)d->files, true};
	r->truncated = m->full || d->told < matched;
}

void matches_types(struct search_result *out)
{
	out->types.p = file_types;
	while (file_types[out->types.n].name)
		out->types.n++;
}
