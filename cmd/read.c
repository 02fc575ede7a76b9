/* read: prints files and stored assets, completely or in part (requirement: assets, "Unified File
 * Operations"). */
#include "reply/plain_for_model.h"
#include "paths/change_common.h"
#include "paths/read_parts.h"
#include "crypt/crypt.h"
#include "file/charset.h"
#include <unistd.h>

struct read_answer {
	struct call *c;
	const struct fit *fit;
	enum token_model model;
	struct lines lines; /* as requested */
	bool slices;        /* the lines come from the member ranges */
	struct str bytes;   /* the parameter; .p is NULL when it is absent */
	bool several;       /* the answer has several files */
	bool base64;        /* text too */
	size_t room;        /* the tokens that are left, with fit */
};

/* Lines of a file, of the parameter ranges. */
struct read_slice {
	size_t startLine, endLine;
	struct str content;
	const char *encoding; /* "base64"; NULL: the content is text */
};
/* A file, or the requested parts of it. */
struct read_result {
	struct str path, content;
	const char *encoding;
	struct maybe_int tokens, size, lines;
	bool truncated;
	struct str more, hash;
	struct {
		struct read_slice *p;
		size_t n;
	} rangeSlices;
};

static const struct field read_slice_fields[] = {
	FIELD_OF(struct read_slice, startLine, "the first line of the slice, from 1"),
	FIELD_OF(struct read_slice, endLine,
		 "the last line of the slice; startLine - 1 if it is empty"),
	FIELD_OF(struct read_slice, content, "its bytes"),
	FIELD_OF(struct read_slice, encoding, "base64, when the content is not UTF-8 text",
		 .flags = OPTIONAL),
	{0},
};

/* Cuts the text of a part to the room, or encodes bytes as base64. */
static struct err *read_answer_fit(struct read_answer *an, struct read_part *p,
				   const char **encoding, struct read_rest *rest)
{
	size_t cost;

	*rest = (struct read_rest){0};
	*encoding = NULL;
	if (!an->base64 && str_is_text(p->content))
		return an->fit ? read_cut(an->fit, p, &an->room, rest) : NULL;
	*encoding = "base64";
	p->content = crypt_base64(an->c->a, p->content);
	/* A part of a picture or program is useless. A picture alone is returned as a picture. */
	if (!an->fit || (!an->several && !an->slices && read_image_type(an->c->a, p->content)))
		return NULL;
	cost = fit_str_cost(an->fit, p->content);
	rest->cut = cost > an->room;
	if (rest->cut)
		p->content = STR("");
	else
		an->room -= cost;
	return NULL;
}

/* ---- rangeSlices ---- */

/* left gets the ranges that have to be asked for again. */
static struct err *read_slice_set(struct read_answer *an, struct read_part *p,
				  struct read_slice *to, struct strs *left)
{
	const struct lines_range *range = p->lines.range;
	struct arena *a = an->c->a;
	size_t had = p->content.n;
	struct read_rest rest;

	to->startLine = range->from;
	to->endLine = size_max(p->end, range->from - 1);
	TRY(read_answer_fit(an, p, &to->encoding, &rest));
	to->content = p->content;
	if (rest.cut && !to->encoding) {
		to->endLine = size_max(rest.line, range->from) - (rest.offset ? 0 : 1);
		strs_push(a, left,
			  rest.offset ? str_fmt(a, "bytes %.*s",
						STR_ARG(read_rest_range_text(a, &rest)))
				      : read_rest_range_text(a, &rest));
	} else if (rest.cut && had) {
		strs_push(a, left, str_fmt(a, "%zu:%zu", range->from, to->endLine));
		to->endLine = range->from - 1;
	}
	return NULL;
}

static struct err *read_answer_slices(struct read_answer *an, const struct read_source *s,
				      struct str slice, struct read_result *r)
{
	struct arena *a = an->c->a;
	size_t n = an->lines.n, tokens = 0, end;
	struct read_lines *part = arena_array(a, n, sizeof(*part));
	struct strs left = {0};

	r->rangeSlices.p = arena_array(a, n, sizeof(*r->rangeSlices.p));
	r->rangeSlices.n = n;
	for (size_t i = 0; i < n; i++)
		part[i].lines = (struct lines){
			.range = &an->lines.range[i], .n = 1, .number = an->lines.number};
	TRY(read_source_lines(s, an->fit, slice, part, n, &end));
	for (size_t i = 0; i < n; i++) {
		struct read_part p = {
			.from = s,
			.content = part[i].content,
			.lines = {.range = part[i].lines.range, .n = 1, .number = an->lines.number},
			.end = size_min(part[i].lines.range->to, end),
			.count = end,
		};

		TRY(read_slice_set(an, &p, &r->rangeSlices.p[i], &left));
		tokens += token_estimate(p.content, an->model);
	}
	r->tokens = (struct maybe_int){(int64_t)tokens, true};
	r->truncated = left.n;
	if (left.n)
		r->more = str_fmt(
			a, "these ranges are left out: %.*s; request fewer lines in one call",
			STR_ARG(str_join(a, &left, ", ")));
	return NULL;
}

/* ---- content ---- */

/*
 * Sets content and encoding, or rangeSlices; tokens, truncated and more. slice is the part of
 * s->text that the request may read; `before` lines come before it.
 */
static struct err *read_answer_set(struct read_answer *an, const struct read_source *s,
				   struct str slice, size_t before, struct read_result *r)
{
	struct read_part p = {.from = s, .lines = an->lines, .before = before};
	struct arena *a = an->c->a;
	struct read_lines one = {.lines = an->lines};
	struct read_rest rest;
	size_t size;

	if (an->slices)
		return read_answer_slices(an, s, slice, r);
	one.lines.line = before;
	p.content = slice;
	p.count = s->fd < 0 ? str_line_count(s->text) : SIZE_MAX;
	if (an->bytes.p) {
		p.is_bytes = !an->lines.number;
		TRY(read_source_bytes(s, an->fit, an->bytes, &p.content, &p.span));
		TRY(read_source_count_lines(s, p.span.from, &p.before));
		one.lines.line = p.before;
	}
	p.end = s->fd < 0 ? p.before + str_line_count(p.content) : SIZE_MAX;
	if (an->bytes.p && an->lines.number) {
		struct read_source part = {.a = s->a, .fd = -1, .name = s->name};
		size_t end;

		TRY(read_source_lines(&part, an->fit, p.content, &one, 1, &end));
		p.content = one.content;
	} else if (!an->bytes.p && (an->lines.n || an->lines.number || s->fd >= 0)) {
		TRY(read_source_lines(s, an->fit, slice, &one, 1, &p.count));
		p.content = one.content;
		p.end = size_min(p.end, p.count);
	}
	TRY(lines_check_ranges(&p.lines, p.count, p.from->name));
	size = p.content.n;
	TRY(read_answer_fit(an, &p, &r->encoding, &rest));
	r->content = p.content.n ? p.content : STR("");
	r->tokens = (struct maybe_int){(int64_t)token_estimate(p.content, an->model), true};
	r->truncated = rest.cut;
	if (rest.cut && !r->encoding)
		r->more = read_rest_more_text(a, &rest);
	else if (rest.cut)
		r->more = str_fmt(a,
				  "these %zu bytes are not text, and do not fit as base64; request "
				  "fewer with bytes",
				  size);
	return NULL;
}

struct args {
	struct str path;
	struct strs paths, lines, ranges;
	struct str section, bytes, encoding;
	int64_t offset, limit, end;
	bool number;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(paths, .flags = ARG | RARE | PATHS | GARDEN_NAMES, .meta = "path", .min = 1,
	      .max = OS_PATH_MAX, .complete = uri_complete, .help = "further files, in order"),
	PARAM(lines, .letter = 'l', .meta = "A:B", .flags = RANGES, .also = "view_range",
	      .help = "only lines A:B, such as 10:20 or 50:"),
	PARAM_SECTION,
	PARAM(bytes, .letter = 'b', .flags = RARE, .meta = "A:B", .min = 1, .max = 64,
	      .help = "only bytes A:B, counted from 1; A or B may be omitted"),
	PARAM(number, .letter = 'n', .help = "print line numbers"),
	PARAM(encoding, .flags = RARE, .meta = "name", .max = 64,
	      .help = "the encoding of the file, or base64 for its bytes; default: as the file "
		      "shows it"),
	/* The form of fs.read (requirement: garden). The answer then has rangeSlices. */
	PARAM(ranges, .flags = JSON_ONLY | HIDDEN | RANGES, .meta = "A:B",
	      .help = "lines A to B, each as a member of rangeSlices"),
	/* Names that other tools for models use. */
	PARAM(offset, .flags = JSON_ONLY | HIDDEN, .also = "start_line startLine start", .min = 1,
	      .max = CMD_INT_MAX, .help = "the first line"),
	PARAM(limit, .flags = JSON_ONLY | HIDDEN, .min = 1, .max = CMD_INT_MAX,
	      .help = "the number of lines"),
	PARAM(end, .flags = JSON_ONLY | HIDDEN, .also = "end_line endLine", .min = 1,
	      .max = CMD_INT_MAX, .help = "the last line"),
	{0},
};

struct result {
	struct read_result one;
	struct VEC(struct read_result) files;
};

/* clang-format off */
#define READ_ROWS(object, at, optional)                                                            \
	FIELD_AS(object, at path, "path", "the file, as it was named", .flags = optional),         \
	FIELD_AS(object, at content, "content",                                                    \
		 "the requested content; not with ranges", .flags = OPTIONAL),                     \
	FIELD_AS(object, at encoding, "encoding",                                                  \
		 "base64, when the content is no text; else the file's encoding, if not UTF-8",    \
		 .flags = OPTIONAL),                                                               \
	FIELD_AS(object, at tokens, "tokens", "the tokens of the content, estimated",              \
		 .flags = optional),                                                               \
	FIELD_AS(object, at truncated, "truncated",                                                \
		 "true: a part of the requested content is left out", .flags = IF_ANY),            \
	FIELD_AS(object, at more, "more", "how to get the rest", .flags = OPTIONAL),               \
	FIELD_RECORDS(object, at rangeSlices, "rangeSlices", read_slice_fields,                    \
		      "each of the ranges", .flags = OPTIONAL),                                    \
	FIELD_AS(object, at hash, "hash",                                                          \
		 "sha256 of the whole file; not if truncated or over 64 MiB", .flags = OPTIONAL),  \
	FIELD_AS(object, at size, "size", "bytes in the whole file", .flags = optional),           \
	FIELD_AS(object, at lines, "lines", "lines in the whole file; not if over 64 MiB",         \
		 .flags = OPTIONAL)
/* clang-format on */

static const struct field one[] = {
	READ_ROWS(struct read_result, , 0),
	{0},
};

static const struct field result[] = {
	READ_ROWS(struct result, one., OPTIONAL),
	FIELD_RECORDS(struct result, files, "files", one,
		      "these members for each file, if several were named", .flags = OPTIONAL),
	{0},
};

struct job {
	const struct args *args;
	struct files *f;
	struct read_answer answer;
};

/* The range that offset, limit and end describe. */
static struct err *read_span(struct arena *a, const struct args *args, struct strs *lines)
{
	int64_t from = args->offset ? args->offset : 1, to = args->end;

	if (!args->offset && !args->limit && !args->end)
		return NULL;
	if (args->limit && args->end)
		return ERR_EXCLUSIVE("limit", "end");
	if (args->limit)
		to = from - 1 + args->limit;
	strs_push(a, lines,
		  to ? str_fmt(a, "%jd:%jd", (intmax_t)from, (intmax_t)to)
		     : str_fmt(a, "%jd:", (intmax_t)from));
	return NULL;
}

/* A file too large to be in memory stays as it is. */
static struct err *read_decode(struct job *j, struct read_source *s, struct charset *out)
{
	struct str said = j->args->encoding;

	*out = (struct charset){.name = STR("")};
	if (j->answer.base64 || (s->fd >= 0 && !said.p))
		return NULL;
	if (s->fd < 0)
		return charset_decode_file(j->f->a, s->path, s->text, said, &s->text, out);
	return err_help(err_new(E_TOO_BIG, "'%.*s' is over 64 MiB, and so is not decoded",
				STR_ARG(s->name)),
			"read its bytes with encoding base64, or convert it: iconv -f %.*s",
			STR_ARG(said));
}

static struct err *read_answer_file(struct job *j, struct str path, struct read_result *r)
{
	struct charset charset;
	struct read_source s;
	struct str slice, raw;
	size_t before;

	r->path = path;
	TRY(read_source_open(j->f, path, &s));
	raw = s.text;
	TRY(read_decode(j, &s, &charset));
	TRY(read_source_section(&s, j->args->section, &slice, &before));
	TRY(read_answer_set(&j->answer, &s, slice, before, r));
	r->size = (struct maybe_int){(int64_t)s.size, true};
	if (charset.name.n)
		r->encoding = str_c(j->f->a, charset_shown(j->f->a, &charset));
	if (s.fd >= 0)
		return NULL;
	r->lines = (struct maybe_int){(int64_t)str_line_count(s.text), true};
	/* A reader who has seen only a part gets no hash, and so cannot replace the file. */
	if (!r->truncated)
		r->hash = crypt_content_hash(j->f->a, raw);
	return NULL;
}

/* ---- bytes ---- */

static struct err *read_print_file(struct job *j, struct str path)
{
	struct call *c = j->answer.c;
	/* A plain file needs no settings and no store; without them ikm starts faster. */
	struct files plain = {
		.a = c->a, .roots = c->roots, .cwd = c->cwd, .notes = &c->notes, .notes_a = c->a};
	struct lines l = j->answer.lines;
	struct file_ref r;
	struct err *e;
	int fd = -1;

	TRY(file_ref_resolve(&plain, path, &r));
	/* A file may be larger than memory, so it passes through in pieces. */
	if (!j->args->section.p && !j->args->bytes.p && !j->args->encoding.p)
		TRY(file_open(&plain, &r, &fd));
	if (fd < 0) {
		struct read_source s;
		struct charset charset;
		struct read_span span;
		struct str part;

		/* Prints a part that needs the whole content, or the store. */
		if (!j->f)
			TRY(files_open(c, &j->f));
		TRY(read_source_open(j->f, path, &s));
		if (j->args->encoding.p)
			TRY(read_decode(j, &s, &charset));
		TRY(read_source_section(&s, j->args->section, &part, &l.line));
		if (j->args->bytes.p) {
			TRY(read_source_bytes(&s, NULL, j->args->bytes, &part, &span));
			TRY(read_source_count_lines(&s, span.from, &l.line));
		}
		l.put = lines_to_out;
		l.to = c->out;
		lines_copy_selected(&l, part);
		return lines_check_ranges(&l, l.line, path);
	}
	e = lines_print(&l, c->out, c->a, fd, path);
	close(fd);
	return e;
}

/* People get the bytes of one file after the other, as they are read. */
static struct err *read_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const bool print = cmd_emits_text(c);
	struct result *r = out;
	struct job j = {.args = args};
	struct read_answer *an = &j.answer;
	struct strs lines = args->lines;

	TRY(read_span(c->a, args, &lines));
	TRY(ERR_EXCLUSIVE(lines.n ? "lines" : NULL, args->ranges.n ? "ranges" : NULL,
			  args->bytes.p ? "bytes" : NULL, args->section.p ? "section" : NULL));
	*an = (struct read_answer){.c = c,
				   .slices = args->ranges.n,
				   .bytes = args->bytes,
				   .several = args->paths.n,
				   .base64 = written_is_base64(args->encoding)};
	TRY(lines_ranges_read(c->a, an->slices ? &args->ranges : &lines,
			      an->slices ? "ranges" : "lines", &an->lines));
	an->lines.number = args->number;
	an->fit = answer_limit_of_call(c);
	an->room = fit_room(an->fit);
	if (print) {
		c->result = NULL;
	} else {
		TRY(files_open(c, &j.f));
		an->model = j.f->assets->model;
	}
	for (size_t i = 0; i <= args->paths.n; i++) {
		struct str path = i ? args->paths.p[i - 1] : args->path;

		if (print)
			TRY(read_print_file(&j, path));
		else if (args->paths.n)
			TRY(read_answer_file(&j, path, VEC_PUSH(c->a, &r->files)));
		else
			TRY(read_answer_file(&j, path, &r->one));
	}
	return NULL;
}

/* Text without a final newline gets one, so that the next line stands alone. */
#define PLAIN_SLICES "{/rangeSlices:lines {startLine} to {endLine}:\n{content%n}}"
#define PLAIN_END                                                                                  \
	"{?encoding&!content&!more:|[{?hash:{hash%h}|a part: do not write it back as the whole}"   \
	"{?encoding='base64':, {size} bytes that are no text, here as base64|"                     \
	"{?encoding:, its encoding is {encoding}}"                                                 \
	"{?^lines:, the file has {lines} line{?!lines=1:s}}}{?more:; {more}}]\n}"

static const struct plain read_plain = {
	.body = "content",
	.template = "{/files:==> {path} <==\n{content%n}" PLAIN_SLICES PLAIN_END "}" PLAIN_SLICES
		    "{?!^files:" PLAIN_END "}",
	.hidden = "path tokens truncated image",
};

const struct cmd cmd_read = {
	.name = "read",
	.tool = "file_read",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS | TOOL_CORE | TOOL_LONG,
	.tool_also = "fs_read",
	.summary = "print files and stored assets, or parts of them",
	.description = "Read a file or stored asset, or some of its lines. The hash at the end is "
		       "for ifMatch.",
	.need = NEED_ROOTS,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = read_run,
	.plain = &read_plain,
};
