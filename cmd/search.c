/* search and grep: find the lines that match, in files and assets (requirement: garden,
 * fs.search). */
#include "paths/open_files_for_call.h"
#include "app/client_info.h"
#include "app/print_warnings.h"
#include "reply/plain_for_model.h"
#include "reply/result_fit.h"
#include "file/search.h"
#include "git/git.h"

struct search_match {
	struct str path, match, text;
	size_t line, column;
	struct maybe_int end; /* of a match of several lines: the last */
	bool cut;
	struct strs before, after;
};
struct search_count {
	struct str path;
	size_t count;
};
struct search_skipped {
	size_t binary, unreadable, gave_up, copies;
};
struct search_change {
	struct str path, diff;
	size_t replaced;
};
struct search_result {
	struct VEC(struct search_change) changes;
	struct str apply; /* how to make the changes */
	struct VEC(struct search_match) matches;
	struct strs paths;
	struct VEC(struct search_count) counts;
	struct VEC(const struct file_type) types;
	struct maybe_int total, files, from;
	bool truncated;
	const struct search_skipped *skipped;
	struct strs warnings;
};

/* Collects lines and their context for JSON. It has its own arena: see struct search. */
struct matches {
	struct arena *a;
	struct search_result *out;
	size_t around, behind; /* lines before a match, and after it */
	size_t skip;           /* so many matches or files are still to be left out */
	bool skipping;         /* the last match was left out */
	/* Limits of what can be in the answer: its texts in bytes, and its matches or files. */
	size_t texts, rows;
	bool counts;
	bool each;                            /* a row shows the match only */
	struct buf joined_match, joined_text; /* of the last match, from its second line on */
	/* The last lines of the current file, for `before`, and the matches whose `after` is not
	 * complete. */
	struct str path;
	struct strs recent;
	struct open_match {
		size_t line, at; /* at: index in out->matches */
	} * open;
	size_t opened;
	size_t bytes; /* size of all texts; context lines of several matches count several times */
	bool full;    /* the limit is reached, and lines were left out */
};

/* Print the search as text: path:line:text for matches, path-line-text for context. ctx is struct
 * print. */
struct print {
	struct out *out;
	bool counts;
	bool each;    /* print the match only */
	bool zero;    /* end each path with a NUL */
	bool context; /* separate groups of lines by "--" */
	bool any;
	struct buf last; /* the path of the last line */
};

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
	FIELD_OF(struct search_skipped, binary, "files that are no text"),
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
static const struct field search_result[] = {
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
	RESULT(from, "with offset: the place of the first one, from 1", .flags = OPTIONAL),
	RESULT(files, "files that were searched", .flags = OPTIONAL),
	RESULT(truncated, "true: some matches are left out; narrow the search or raise limit"),
	FIELD_RECORD_AT(struct search_result, skipped, "skipped", skipped_fields,
			"the files that were not searched", .flags = OPTIONAL),
	RESULT(warnings,
	       "files that could not be read or took too long (the first few), and what was left out"),
	{0},
};

/* fit: the limit of the answer, or NULL. skip: so many first matches or files are left out. */
static struct matches *matches_new(struct arena *a, const struct search *s, const struct fit *fit,
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
	/* A list that is present but empty. */
	one->before = one->after = (struct strs){.p = arena_alloc(m->a, 1)};
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
	return buf_as_str(to);
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

static bool matches_enough(void *ctx)
{
	const struct matches *m = ctx;
	size_t n = m->out->matches.n + m->out->paths.n + m->out->counts.n;

	return m->bytes > m->texts || n >= m->rows;
}

/* Callbacks for struct search; ctx is struct matches. */
static void matches_line(void *ctx, const struct search_line *line)
{
	struct matches *m = ctx;
	struct str text;
	bool cut;

	m->full = m->full || (!line->context && !line->joined && matches_enough(m));
	if (m->full)
		return;
	if (!m->path.p || !str_eq(m->path, line->path)) {
		m->path = str_dup(m->a, line->path);
		m->recent.n = m->opened = 0;
	}
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
	text = line->text;
	text.n -= str_ends(text, STR("\r"));
	text = excerpt(m->a, text, line->match, &cut);
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

static void matches_file(void *ctx, struct str path, size_t lines)
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

/* Completes the result: the totals, the skipped files, and the warnings. */
static void matches_done(struct matches *m, const struct search *s, const struct search_done *d)
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

struct preview {
	struct call *c;
	struct files *f;
	struct re *re;
	struct re_template *with;
	struct search_result *out;
};

/*
 * The file's name in the diff. A diff names files below the current folder only, because it may
 * come from others.
 */
static struct str preview_name(struct preview *p, struct str path)
{
	struct str cwd = str_fmt(p->c->a, "%s/", p->c->cwd);

	if (str_starts(path, cwd))
		return str_sub(path, cwd.n, path.n);
	if (str_starts(path, STR("/")) || str_starts(path, STR("../")))
		strs_push(p->c->a, &p->out->warnings,
			  str_fmt(p->c->a,
				  "'%.*s' is not below the current folder: apply its diff alone, "
				  "and name the file",
				  STR_ARG(str_utf8(p->c->a, path))));
	return path;
}

/* A diff in JSON is text. */
static bool preview_is_shown(struct preview *p, struct str path, struct str old, struct str new)
{
	if (cmd_emits_text(p->c) || (str_is_utf8(old) && str_is_utf8(new)))
		return true;
	strs_push(p->c->a, &p->out->warnings,
		  str_fmt(p->c->a,
			  "'%.*s' is not in the preview: it is no UTF-8, so a diff in JSON would "
			  "not apply",
			  STR_ARG(str_utf8(p->c->a, path))));
	return false;
}

static struct err *preview_file(struct preview *p, struct arena *a, struct str path)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	struct search_change change = {.path = path};
	struct str old, text, new, diff, name;
	struct file_ref ref;
	struct buf b = buf_in(a);
	enum re_answer r;

	TRY(file_ref_resolve(p->f, path, &ref));
	TRY(file_read(p->f, a, &ref, FILE_BYTES_MAX, &old));
	text = str_starts(old, bom) ? str_sub(old, bom.n, old.n) : old;
	r = re_replace(a, p->with, text, &new, &change.replaced);
	if (r == RE_LIMIT)
		return err_new(E_MATCH_LIMIT,
			       "'%.*s' is not in the preview: the pattern takes too "
			       "long in it",
			       STR_ARG(path));
	/* Somebody may have changed the file since the search. */
	if (r == RE_NO)
		return NULL;
	buf_put(&b, str_sub(old, 0, old.n - text.n));
	buf_put(&b, new);
	new = buf_as_str(&b);
	if (str_eq(old, new) || !preview_is_shown(p, path, old, new))
		return NULL;
	name = preview_name(p, path);
	TRY(git_diff_contents(a, str_c(a, name), old, str_c(a, name), new, 3, &diff));
	change.diff = str_dup(p->c->a, diff);
	*VEC_PUSH(p->c->a, &p->out->changes) = change;
	return NULL;
}

/* NULL: this face has no tool that applies a diff. */
static const char *preview_apply(const struct call *c)
{
	const struct cmd *patch = cmd_find(STR("patch"));

	if (c->face == FACE_ARGV)
		return "'ikm patch' applies this diff from its standard input";
	if (c->client && !c->client->offers(c->client->offer, patch, NULL))
		return NULL;
	return "fs_patch with this diff as diffText applies it";
}

/*
 * What a replacement would change in the files of out->paths, which become out->changes. Writes
 * nothing. s has one pattern. Errors: those of the template.
 */
static struct err *search_preview(struct call *c, struct files *f, const struct search *s,
				  struct str with, struct search_result *out)
{
	struct preview p = {.c = c, .f = f, .out = out};
	struct strs paths = out->paths;
	const char *apply = preview_apply(c);

	TRY(re_new(c->a, s->patterns.p[0],
		   s->flags | RE_CRLF | (s->across ? RE_MULTILINE : RE_LINES), &p.re));
	TRY(re_template_new(c->a, p.re, with, &p.with));
	out->paths = (struct strs){0};
	out->changes.p = arena_alloc(c->a, 1);
	for (size_t i = 0; i < paths.n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct err *e = preview_file(&p, a, paths.p[i]);

		if (e)
			strs_push(c->a, &out->warnings, str_dup(c->a, str_of(err_message(e))));
	}
	if (paths.n && !out->changes.n && !out->warnings.n)
		strs_push(c->a, &out->warnings,
			  STR("the replacement leaves each matching file as it is"));
	if (out->changes.n && apply)
		out->apply = str_of(apply);
	return NULL;
}

/* Refuses what contradicts each other: BAD_ARGUMENT. */
static struct err *search_check(const struct search *s, bool replace)
{
	bool around = s->before || s->after;
	const struct {
		const char *one, *two;
		bool both;
	} pairs[] = {
		{"onlyMatching", "files", s->each && s->want == SEARCH_FILES && !replace},
		{"onlyMatching", "count", s->each && s->want == SEARCH_COUNTS},
		{"onlyMatching", "invert", s->each && s->invert},
		{"onlyMatching", "context", s->each && around},
		{"replace", "count", replace && s->want == SEARCH_COUNTS},
		{"replace", "onlyMatching", replace && s->each},
		{"replace", "invert", replace && s->invert},
		{"replace", "context", replace && around},
		{"replace", "patterns", replace && s->patterns.n > 1},
		{"multiline", "invert", s->across && s->invert},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].both)
			return ERR_EXCLUSIVE(pairs[i].one, pairs[i].two);
	return NULL;
}

static void print_path(struct print *p, struct str path, char sep)
{
	out_set_style(p->out, OUT_CYAN);
	out_path(p->out, path, p->zero ? 0 : sep);
	out_set_style(p->out, OUT_PLAIN);
}

/* Faster than printf, for millions of lines. */
static void print_number(struct out *o, size_t n)
{
	char digits[24];
	size_t i = sizeof(digits);

	do
		digits[--i] = (char)('0' + n % 10);
	while (n /= 10);
	out_bytes_unchanged(o, (struct str){digits + i, sizeof(digits) - i});
}

static void print_line(void *ctx, const struct search_line *line)
{
	struct print *p = ctx;
	struct out *o = p->out;
	const char *sep = line->context ? "-" : ":";
	bool new = p->any && (!p->last.arena || !str_eq(buf_as_str(&p->last), line->path));

	if (p->context && (new || line->gap))
		out_puts(o, "--\n");
	if (p->context && (new || !p->any)) {
		p->last.n = 0;
		buf_put(&p->last, line->path);
	}
	p->any = true;
	print_path(p, line->path, *sep);
	out_set_style(o, OUT_GREEN);
	print_number(o, line->line);
	out_set_style(o, OUT_PLAIN);
	out_puts(o, sep);
	if (p->each) {
		out_styled(o, OUT_RED, str_sub(line->text, line->match.from, line->match.to));
	} else if (line->context || !out_is_terminal(o)) {
		out_safe_if_terminal(o, line->text);
	} else {
		out_safe_if_terminal(o, str_sub(line->text, 0, line->match.from));
		out_styled(o, OUT_RED, str_sub(line->text, line->match.from, line->match.to));
		out_safe_if_terminal(o, str_sub(line->text, line->match.to, line->text.n));
	}
	out_puts(o, "\n");
}

static void print_file(void *ctx, struct str path, size_t lines)
{
	struct print *p = ctx;

	print_path(p, path, p->counts ? ':' : '\n');
	if (!p->counts)
		return;
	print_number(p->out, lines);
	out_puts(p->out, "\n");
}

/* The reader has closed the output. */
static bool print_enough(void *ctx)
{
	return out_failed(((const struct print *)ctx)->out);
}

#define LIMIT_MAX 1000000
#define MAX_JSON  ((size_t)1000) /* lines, in answers that are not streamed */

struct args {
	struct str pattern, root, glob, type, replace;
	struct strs patterns, paths, globs, types;
	bool ignoreCase, word, fixed, invert, files, count, all, zero, habit, onlyMatching,
		multiline;
	int64_t context, before, after, limit, head_limit, offset;
	int output_mode;
	bool numbers;
};

/* As Claude Code's Grep names them. */
enum { MODE_CONTENT, MODE_FILES, MODE_COUNT };
static const char *const search_modes[] = {"content", "files_with_matches", "count", NULL};

#define PATTERN_HELP "a regular expression (PCRE2)"
#define WHERE_HELP   "a file or folder, or ikigai:///FOLDER"
/* clang-format off */
/* Letters that users of grep type. search behaves that way without them. */
#define HABIT(c, name)                                                                             \
	PARAM(habit, .letter = c, .option = name, .flags = CLI_ONLY | HIDDEN)
#define PARAMS(root_name, root_also)                                                                          \
	PARAM(pattern, .flags = ARG | CLI_ONLY, .min = 1, .max = RE_PATTERN_MAX,                   \
	      .help = PATTERN_HELP "; with -e it is the first place to search"),                   \
	{.name = root_name, .type = P_STR, .offset = offsetof(struct args, root),                  \
	 .flags = JSON_ONLY | GARDEN_NAMES, .also = root_also, .min = 1, .max = OS_PATH_MAX,                      \
	 .help = WHERE_HELP "; default: the current folder"},                                      \
	PARAM(paths, .flags = RARE | ARG | PATHS | GARDEN_NAMES, .meta = "PATH", .min = 1, .max = OS_PATH_MAX,           \
	      .complete = uri_complete,                                                            \
	      .help = WHERE_HELP "; may be repeated; default: the current folder"),                \
	PARAM(patterns, .flags = RARE, .letter = 'e', .option = "regexp", .meta = "PATTERN", .min = 1,            \
	      .max = RE_PATTERN_MAX, .help = "another pattern; may be repeated"),                  \
	PARAM(ignoreCase, .letter = 'i', .also = "-i ignore_case case_insensitive", .help = "ignore case"),                                   \
	PARAM(word, .flags = RARE, .letter = 'w', .help = "find whole words only"),                               \
	PARAM(fixed, .flags = RARE, .letter = 'F', .help = "treat patterns as plain text"),                       \
	PARAM(invert, .flags = RARE, .letter = 'v', .help = "find the lines that do not match"),                  \
	PARAM(files, .letter = 'l', .help = "only the names of files that have a match"),         \
	PARAM(count, .flags = RARE, .letter = 'c', .help = "print the number of matching lines for each file"),   \
	PARAM(onlyMatching, .flags = RARE, .letter = 'o', .help = "print only the matches, each on a line of its own"),   \
	PARAM(multiline, .flags = RARE, .letter = 'U', .help = "a match may have several lines; . matches no line end, (?s). does"),   \
	PARAM(replace, .flags = RARE, .meta = "TEXT", .max = RE_PATTERN_MAX,                       \
	      .help = "show as a diff what replacing each match would change, and write nothing; " \
		      "$1 is a group, $0 the match, $$ a dollar sign"),                            \
	PARAM(context, .letter = 'C', .also = "-C", .meta = "N", .def = "0", .min = 0, .max = SEARCH_CONTEXT,    \
	      .help = "also print this many lines before and after"),                              \
	PARAM(before, .flags = RARE, .letter = 'B', .also = "-B", .option = "before-context", .meta = "N",       \
	      .def = "-1", .min = -1, .max = SEARCH_CONTEXT,                                       \
	      .help = "the lines before a match; -1: as context says"),                            \
	PARAM(after, .flags = RARE, .letter = 'A', .also = "-A", .option = "after-context", .meta = "N",         \
	      .def = "-1", .min = -1, .max = SEARCH_CONTEXT,                                       \
	      .help = "the lines after a match; -1: as context says"),                             \
	PARAM(limit, .letter = 'm', .also = "max_results maxResults", .meta = "N", .min = 1, .max = LIMIT_MAX,                         \
	      .tool_help = "at most so many lines or files; default: 1000",                        \
	      .help = "at most so many lines or files; default: 1000 in JSON, all in text"),       \
	PARAM(offset, .flags = RARE | JSON_ONLY, .min = 0, .max = 1000000, .page = "",                    \
	      .help = "skip this many lines or files"),                                            \
	PARAM(glob, .flags = JSON_ONLY | LIST_OR_ONE, .also = "include", .min = 1, .max = RE_PATTERN_MAX,                           \
	      .help = "only files whose path in the folder matches; ! excludes"),                  \
	PARAM(globs, .flags = RARE, .letter = 'g', .option = "glob", .meta = "GLOB", .min = 1,                    \
	      .max = RE_PATTERN_MAX,                                                               \
	      .help = "only files whose path matches; ! excludes; may be repeated"),               \
	PARAM(type, .flags = RARE | JSON_ONLY,                                          \
	      .help = "only files of this type, such as c, py or md"),                             \
	PARAM(types, .flags = RARE, .letter = 't', .option = "type", .meta = "TYPE",                              \
	      .help = "only files of this type; may be repeated; list shows the types"),           \
	PARAM(all, .flags = RARE, .letter = 'a', .help = "also search files that .gitignore excludes, and history copies of the garden"),           \
	PARAM(output_mode, .flags = JSON_ONLY | HIDDEN, .choices = search_modes,                   \
	      .def = "content", .help = "content, files_with_matches or count"),                   \
	PARAM(head_limit, .flags = JSON_ONLY | HIDDEN, .min = -1, .max = LIMIT_MAX, .def = "-1",   \
	      .help = "the same as limit; 0: no limit; -1: as limit says"),                        \
	PARAM(numbers, .flags = JSON_ONLY | HIDDEN, .also = "-n",                                  \
	      .help = "taken, since lines always have their numbers"),                             \
	PARAM(zero, .letter = 'z', .flags = CLI_ONLY, .help = "end each path with a NUL"),         \
	HABIT('n', "line-number"), HABIT('r', "recursive"), HABIT('E', "extended-regexp"),         \
	HABIT('P', "perl-regexp"), HABIT('H', "with-filename"),                                    \
	{0}
/* clang-format on */

static const struct param search_params[] = {
	PARAM(pattern, .flags = JSON_ONLY, .also = "query", .min = 1, .max = RE_PATTERN_MAX,
	      .help = PATTERN_HELP "; without it: the names of all files"),
	PARAMS("path", "root"),
};
static const struct param grep_params[] = {
	PARAM(pattern, .flags = JSON_ONLY | REQUIRED, .also = "query", .min = 1,
	      .max = RE_PATTERN_MAX, .help = PATTERN_HELP),
	PARAMS("path", "root"),
};

/* Merges both ways to give a parameter, and the words of a command line. */
static struct err *search_wanted(struct call *c, const struct args *args, struct search *s,
				 struct strs *roots)
{
	struct strs globs = args->globs, types = args->types;
	bool shift = c->face == FACE_ARGV && args->patterns.n;

	*s = (struct search){
		.patterns = args->patterns,
		.flags = (args->ignoreCase ? RE_ICASE : 0) | (args->word ? RE_WORD : 0) |
			 (args->fixed ? RE_LITERAL : 0),
		.invert = args->invert,
		.want = args->count || args->output_mode == MODE_COUNT ? SEARCH_COUNTS
			: args->files || args->replace.p || args->output_mode == MODE_FILES
				? SEARCH_FILES
				: SEARCH_LINES,
		.each = args->onlyMatching,
		.across = args->multiline,
		.before = (size_t)(args->before >= 0 ? args->before : args->context),
		.after = (size_t)(args->after >= 0 ? args->after : args->context),
		.max = (size_t)(args->head_limit < 0 ? args->limit
				: args->head_limit   ? args->head_limit
						     : LIMIT_MAX),
	};
	if (shift && args->pattern.p)
		strs_push(c->a, roots, args->pattern);
	else if (args->pattern.p)
		strs_push(c->a, &s->patterns, args->pattern);
	s->names = !s->patterns.n && c->face != FACE_ARGV && !args->count;
	if (s->names)
		s->want = SEARCH_FILES;
	if (!s->patterns.n && (!s->names || args->replace.p || args->onlyMatching))
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("pattern"), "pattern is missing"),
			c->face == FACE_ARGV ? "ikm %s PATTERN [PATH...]"
					     : "give pattern, such as \"TODO|FIXME\"",
			c->cmd->name);
	TRY(args->files ? ERR_EXCLUSIVE("files", args->count       ? "count"
						 : args->replace.p ? "replace"
								   : NULL)
			: NULL);
	for (size_t i = 0; i < s->patterns.n && !s->across && !s->invert; i++)
		s->across = re_asks_line_break(s->patterns.p[i], s->flags);
	TRY(ERR_EXCLUSIVE(args->limit ? "limit" : NULL,
			  args->head_limit < 0 ? NULL : "head_limit"));
	TRY(search_check(s, args->replace.p));
	if (args->root.p)
		strs_push(c->a, roots, args->root);
	strs_add_all(c->a, roots, &args->paths);
	if (!roots->n)
		strs_push(c->a, roots, STR("."));
	if (args->glob.p)
		strs_push(c->a, &globs, args->glob);
	if (args->type.p)
		strs_push(c->a, &types, args->type);
	s->copies = args->all || files_globs_want_history(&globs);
	return file_filter_new(c->a, &globs, &types, args->all, &s->pick);
}

/* People read the lines as ikm finds them. JSON waits for the lines after a match. */
static struct err *search_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct search_result *r = out;
	struct search_done done;
	struct strs roots = {0};
	struct matches *m = NULL;
	struct print *print;
	struct search s;
	struct files *f;
	struct str odd;

	if (str_is(args->type, "list") || strs_has(&args->types, STR("list"))) {
		r->types.p = file_types;
		while (file_types[r->types.n].name)
			r->types.n++;
		return NULL;
	}
	TRY(search_wanted(c, args, &s, &roots));
	/* A preview needs all paths first. */
	if (cmd_emits_text(c) && !args->replace.p) {
		s.ctx = print = ARENA_NEW(c->a, struct print);
		*print = (struct print){.out = c->out,
					.counts = args->count,
					.zero = args->zero,
					.each = args->onlyMatching,
					.context = s.before || s.after,
					.last = buf_in(c->a)};
		s.line = print_line;
		s.file = print_file;
		s.enough = print_enough;
	} else {
		s.ctx = m = matches_new(c->a, &s, answer_limit_of_call(c), (size_t)args->offset, r);
		s.line = matches_line;
		s.file = matches_file;
		s.enough = matches_enough;
		s.max = s.max ? s.max : cmd_emits_text(c) ? 0 : MAX_JSON;
		s.max += s.max ? (size_t)args->offset : 0;
		s.count_on = true;
	}
	TRY(files_open(c, &f));
	TRY(search_run(f, &roots, &s, &done));
	if (!done.told)
		TRY(warnings_report_no_match(c, done.unreadable + done.gave_up,
					     done.gave_up ? E_MATCH_LIMIT : done.why,
					     &done.warnings));
	if (s.across && !args->multiline)
		strs_push(c->a, &done.warnings,
			  STR("the pattern asks for line ends, so a match may have several lines "
			      "(multiline)"));
	files_warn_left_out(c, &done.left, &done.warnings);
	odd = done.matched ? (struct str){0} : files_glob_list_warning(c, args->glob);
	if (odd.p)
		strs_push(c->a, &done.warnings, odd);
	if (args->offset)
		r->from = (struct maybe_int){args->offset + 1, true};
	if (m)
		matches_done(m, &s, &done);
	else
		r->warnings = done.warnings;
	return args->replace.p ? search_preview(c, f, &s, args->replace, r) : NULL;
}

static void search_cmd_text(struct call *c, const void *args, const void *p)
{
	const struct search_result *r = p;

	(void)args;
	for (size_t i = 0; i < r->types.n; i++)
		out_fmt(c->out, "%-10s %s\n", r->types.p[i].name, r->types.p[i].files);
	/* The changes as one diff, and on standard error how to make them. */
	for (size_t i = 0; i < r->changes.n; i++) {
		if (out_is_terminal(c->out))
			out_safe(c->out, r->changes.p[i].diff, true);
		else
			out_safe_if_terminal(c->out, r->changes.p[i].diff);
	}
	if (r->apply.n)
		out_fmt(c->err, "nothing was written; %.*s\n", STR_ARG(r->apply));
	warnings_print(c, &r->warnings);
}

#define SEARCH                                                                                     \
	.need = NEED_ROOTS | NEED_CONF, .args_size = sizeof(struct args), .result = search_result, \
	.result_size = sizeof(struct search_result), .run = search_cmd_run,                        \
	.text = search_cmd_text, .plain = &plain_search,                                           \
	.description =                                                                             \
		"Find the lines of files and stored assets that match a regular expression. "      \
		"Skips binary files and files that .gitignore excludes."

const struct cmd cmd_search = {
	.name = "search",
	.tool = "fs_search",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS | TOOL_CORE | TOOL_LONG | TOOL_EVERY_ROOT,
	.summary = "find lines that match a pattern",
	.params = search_params,
	SEARCH,
};

const struct cmd cmd_grep = {
	.name = "grep",
	.tool = "grep",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_SYNONYM,
	.summary = "find lines that match a pattern (same as search)",
	.params = grep_params,
	SEARCH,
};
