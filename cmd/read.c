/* read: prints files and stored assets, completely or in part (requirement: assets, "Unified File
 * Operations"). */
#include "common/plain.h"
#include "common/read_answer.h"
#include "file/charset.h"
#include "crypt/crypt.h"
#include <unistd.h>

struct args {
	struct str path;
	struct strs paths, lines, ranges;
	struct str section, bytes;
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
	struct {
		struct read_result *p;
		size_t n, cap;
	} files;
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
		return err_help(err_new(E_BAD_ARGUMENT, "limit and end exclude each other"),
				"give one of them");
	if (args->limit)
		to = from - 1 + args->limit;
	strs_push(a, lines,
		  to ? str_fmt(a, "%jd:%jd", (intmax_t)from, (intmax_t)to)
		     : str_fmt(a, "%jd:", (intmax_t)from));
	return NULL;
}

static struct err *read_cmd_start(struct call *c, const struct args *args, struct job *j)
{
	struct strs lines = args->lines;
	struct read_answer *an = &j->answer;

	*j = (struct job){.args = args};
	TRY(read_span(c->a, args, &lines));
	if ((args->section.p != NULL) + (args->bytes.p != NULL) + (lines.n > 0) +
		    (args->ranges.n > 0) >
	    1)
		return err_help(err_new(E_BAD_ARGUMENT, "lines, ranges, bytes and section exclude "
							"each other"),
				"give one of them");
	*an = (struct read_answer){
		.c = c, .slices = args->ranges.n, .bytes = args->bytes, .several = args->paths.n};
	TRY(lines_ranges(c->a, an->slices ? &args->ranges : &lines, an->slices ? "ranges" : "lines",
			 &an->lines));
	an->lines.number = args->number;
	an->fit = fit_of_call(c);
	an->room = fit_room(an->fit);
	return NULL;
}

static struct err *read_answer_file(struct job *j, struct str path, struct read_result *r)
{
	struct charset charset = {.name = STR("")};
	struct read_source s;
	struct str slice, raw;
	size_t before;

	r->path = path;
	TRY(read_source_open(j->f, path, &s));
	raw = s.text;
	if (s.fd < 0)
		TRY(charset_open(j->f->a, s.path, raw, (struct str){0}, &s.text, &charset));
	TRY(read_source_section(&s, j->args->section, &slice, &before));
	TRY(read_answer_set(&j->answer, &s, slice, before, r));
	r->size = (struct maybe_int){(int64_t)s.size, true};
	if (charset.name.n)
		r->encoding = str_c(j->f->a, charset_said(j->f->a, &charset));
	if (s.fd >= 0)
		return NULL;
	r->lines = (struct maybe_int){(int64_t)lines_count(s.text), true};
	/* A reader who has seen only a part gets no hash, and so cannot replace the file. */
	if (!r->truncated)
		r->hash = crypt_content_hash(j->f->a, raw);
	return NULL;
}

/* ---- bytes ---- */

/* Prints a part that needs the whole content, or the store. */
static struct err *read_print_part(struct job *j, struct lines *l, struct str path)
{
	struct read_source s;
	struct read_span span;
	struct str part;

	if (!j->f)
		TRY(files_open(j->answer.c, &j->f));
	TRY(read_source_open(j->f, path, &s));
	TRY(read_source_section(&s, j->args->section, &part, &l->line));
	if (j->args->bytes.p) {
		TRY(read_source_bytes(&s, NULL, j->args->bytes, &part, &span));
		TRY(read_source_line_at(&s, span.from, &l->line));
	}
	l->put = lines_to_out;
	l->to = j->answer.c->out;
	lines_put(l, part);
	return lines_past(l, l->line, path);
}

static struct err *read_print_file(struct job *j, struct str path)
{
	struct call *c = j->answer.c;
	/* A plain file needs no settings and no store; without them ikm starts faster. */
	struct files plain = {.a = c->a, .roots = c->roots, .cwd = c->cwd, .notes = &c->notes};
	struct lines l = j->answer.lines;
	struct file_ref r;
	struct err *e;
	int fd = -1;

	TRY(file_ref(&plain, path, &r));
	/* A file may be larger than memory, so it passes through in pieces. */
	if (!j->args->section.p && !j->args->bytes.p)
		TRY(file_open(&plain, &r, &fd));
	if (fd < 0)
		return read_print_part(j, &l, path);
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
	struct job j;

	TRY(read_cmd_start(c, args, &j));
	if (print) {
		c->result = NULL;
	} else {
		TRY(files_open(c, &j.f));
		j.answer.model = j.f->assets->model;
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
