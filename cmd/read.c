/* read: bytes of files and stored assets, whole or in part (seed 000, "Unified File Operations"). */
#include "files.h"
#include "read_slices.h"
#include "crypt/crypt.h"
#include <unistd.h>

struct args {
	struct str path;
	struct strs paths, lines, ranges;
	struct str section;
	bool number;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(paths, .flags = ARG | PATHS, .meta = "path", .min = 1, .max = OS_PATH_MAX,
	      .help = "more of them, in order"),
	PARAM(lines, .letter = 'l', .meta = "A:B",
	      .help = "only lines A to B, from 1; either may be left out; may be repeated"),
	PARAM_SECTION,
	PARAM(number, .letter = 'n', .help = "put its number before each line"),
	/* As seed 001 has it: the answer has rangeSlices then. */
	PARAM(ranges, .flags = JSON_ONLY | HIDDEN, .meta = "A:B",
	      .help = "lines A to B, each as a member of rangeSlices"),
	{0},
};

#define FIELDS_READ(optional)                                                                      \
	{"path", "the file, as it was named", F_STR, optional},                                    \
	{"content", "the bytes, or what was asked for; not with ranges", F_STR, OPTIONAL},         \
	{"encoding", "base64, when the content is not UTF-8 text", F_STR, OPTIONAL},               \
	{"hash", "sha256 of the whole file; not of a part of one over 64 MiB", F_STR, OPTIONAL},   \
	{"size", "bytes in the whole file", F_INT, optional},                                      \
	{"lines", "lines in the whole file, where hash is given", F_INT, OPTIONAL},                \
	{"tokens", "about how many tokens the content is", F_INT, optional},                       \
	{"rangeSlices", "each of the ranges", F_LIST, OPTIONAL, .sub = read_slice_fields}

static const struct field one[] = {
	FIELDS_READ(0),
	{0},
};

static const struct field result[] = {
	FIELDS_READ(OPTIONAL),
	{"files", "these for each, when several were named", F_LIST, OPTIONAL, .sub = one},
	{0},
};

struct job {
	struct call *c;
	const struct args *args;
	struct files *f;
	struct lines lines;
};

static struct err *start(struct call *c, const struct args *args, struct job *j)
{
	*j = (struct job){.c = c, .args = args};
	if ((args->section.p != NULL) + (args->lines.n > 0) + (args->ranges.n > 0) > 1)
		return err_help(err_new(E_BAD_ARGUMENT,
					"more than one of lines, ranges and section were asked for"),
				"give one of them");
	TRY(lines_ranges(c->a, args->ranges.n ? &args->ranges : &args->lines, &j->lines));
	j->lines.number = args->number;
	return NULL;
}

/* The section, and how many lines are before it. */
static struct err *section(struct job *j, struct str path, struct str text, struct str *out,
			   size_t *before)
{
	struct err *e;

	*before = 0;
	*out = text;
	if (!j->args->section.p)
		return NULL;
	e = file_section(j->c->a, text, j->args->section, out);
	if (e)
		return err_in(e, "'%.*s'", STR_ARG(path));
	*before = lines_count(str_sub(text, 0, (size_t)(out->p - text.p)));
	return NULL;
}

/* ---- JSON ---- */

/* What was asked for, as the members content and encoding, or rangeSlices; its tokens. */
static struct err *put_content(struct job *j, const struct read_source *s, const struct lines *l,
			       struct str content, struct val *v)
{
	struct arena *a = j->c->a;
	enum token_model model = j->f->assets->model;
	size_t tokens;

	if (j->args->ranges.n) {
		struct val *slices;

		TRY(read_source_slices(j->c, s, l, model, &slices, &tokens));
		val_set(a, v, "tokens", val_int(a, (int64_t)tokens));
		val_set(a, v, "rangeSlices", slices);
		return NULL;
	}
	if (l->n || l->number || s->fd >= 0)
		TRY(read_source_lines(j->c, s, l, &content));
	if (str_is_text(content)) {
		val_set(a, v, "content", val_str(a, content));
	} else {
		content = crypt_base64(a, content);
		val_set(a, v, "content", val_str(a, content));
		val_set(a, v, "encoding", val_str(a, STR("base64")));
	}
	val_set(a, v, "tokens", val_int(a, (int64_t)token_estimate(content, model)));
	return NULL;
}

static struct err *read_one(struct job *j, struct str path, struct val **out)
{
	struct arena *a = j->c->a;
	struct lines l = j->lines;
	struct read_source s;
	struct file_ref r;
	struct str text;
	struct val *v;

	*out = v = val_map(a);
	val_set(a, v, "path", val_str(a, str_utf8(a, path)));
	TRY(file_ref(j->f, path, &r));
	TRY(read_source_large(j->f, &r, path, &s));
	if (s.fd >= 0) {
		if (j->args->section.p)
			return err_help(err_new(E_TOO_BIG, "'%.*s' is over the limit of %zu bytes, "
						"so its sections are not known", STR_ARG(path),
						FILE_BYTES_MAX),
					"search it for the heading, and read the lines from there");
		TRY(put_content(j, &s, &l, STR(""), v));
		val_set(a, v, "size", val_int(a, (int64_t)s.size));
		return NULL;
	}
	TRY(file_read(j->f, a, &r, FILE_BYTES_MAX, &text));
	TRY(section(j, path, text, &s.text, &l.line));
	TRY(put_content(j, &s, &l, s.text, v));
	val_set(a, v, "hash", val_str(a, crypt_content_hash(a, text)));
	val_set(a, v, "size", val_int(a, (int64_t)text.n));
	val_set(a, v, "lines", val_int(a, (int64_t)lines_count(text)));
	return NULL;
}

static struct err *run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct val *list = val_list(c->a), *v;
	struct job j;

	TRY(start(c, args, &j));
	TRY(files_open(c, &j.f));
	TRY(read_one(&j, args->path, &v));
	*out = v;
	if (!args->paths.n)
		return NULL;
	val_add(list, v);
	for (size_t i = 0; i < args->paths.n; i++) {
		TRY(read_one(&j, args->paths.p[i], &v));
		val_add(list, v);
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "files", list);
	return NULL;
}

/* ---- bytes ---- */

static struct err *stream_one(struct job *j, struct str path)
{
	/* Plain files need no settings and no store, and start-up is a feature. */
	struct files plain = {.a = j->c->a, .roots = j->c->roots, .cwd = j->c->cwd};
	struct lines l = j->lines;
	struct file_ref r;
	struct str text, content;
	struct err *e;
	int fd = -1;

	l.put = lines_to_out;
	l.to = j->c->out;
	TRY(file_ref(&plain, path, &r));
	/* A file may be larger than memory: it passes through in pieces. */
	if (!j->args->section.p)
		TRY(file_open(&plain, &r, &fd));
	if (fd >= 0) {
		e = lines_read(&l, j->c->a, fd, path);
		close(fd);
		return e;
	}
	if (!j->f)
		TRY(files_open(j->c, &j->f));
	TRY(file_read(j->f, j->c->a, &r, FILE_BYTES_MAX, &text));
	TRY(section(j, path, text, &content, &l.line));
	lines_put(&l, content);
	return NULL;
}

static struct err *stream(struct call *c, const void *p)
{
	const struct args *args = p;
	struct job j;

	TRY(start(c, args, &j));
	TRY(stream_one(&j, args->path));
	for (size_t i = 0; i < args->paths.n; i++)
		TRY(stream_one(&j, args->paths.p[i]));
	return NULL;
}

const struct cmd cmd_read = {
	.name = "read",
	.tool = "file_read",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_CORE,
	.tool_also = "fs_read",
	.summary = "print files and stored assets, or parts of them",
	.description = "Read a file, or a stored asset named by an ikigai:/// URI. Gives its "
		       "content, or only the lines or the section that are asked for, with the "
		       "hash of the whole.",
	.need = NEED_ROOTS,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = run,
	.stream = stream,
};
