/* read: bytes of files and stored assets, whole or in part (seed 000, "Unified File Operations"). */
#include "files.h"
#include "read_part.h"
#include "crypt/crypt.h"
#include <unistd.h>

struct args {
	struct str path;
	struct strs paths, lines;
	struct str section, bytes;
	int64_t offset, limit, end;
	bool number;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM(paths, .flags = ARG | PATHS, .meta = "path", .min = 1, .max = OS_PATH_MAX,
	      .help = "more of them, in order"),
	PARAM(lines, .letter = 'l', .meta = "A:B", .flags = RANGES,
	      .help = "only lines A to B, from 1; either may be left out; may be repeated"),
	PARAM_SECTION,
	PARAM(bytes, .letter = 'b', .meta = "A:B", .min = 1, .max = 64,
	      .help = "only bytes A to B, from 1; either may be left out"),
	PARAM(number, .letter = 'n', .help = "put its number before each line"),
	/* As other tools for models have it. */
	PARAM(offset, .flags = JSON_ONLY | HIDDEN, .also = "start_line startLine start", .min = 1,
	      .max = CMD_INT_MAX, .help = "the first line"),
	PARAM(limit, .flags = JSON_ONLY | HIDDEN, .min = 1, .max = CMD_INT_MAX,
	      .help = "how many lines"),
	PARAM(end, .flags = JSON_ONLY | HIDDEN, .also = "end_line endLine", .min = 1,
	      .max = CMD_INT_MAX, .help = "the last line"),
	{0},
};

#define FIELDS_READ(optional)                                                                      \
	{"path", "the file, as it was named", F_STR, optional},                                    \
	{"content", "the bytes, or what was asked for", F_STR, optional},                          \
	{"encoding", "base64, when the content is not UTF-8 text", F_STR, OPTIONAL},               \
	{"hash", "sha256 of the whole file, unless truncated", F_STR, OPTIONAL},                   \
	{"size", "bytes in the whole file", F_INT, optional},                                      \
	{"lines", "lines in the whole file", F_INT, optional},                                     \
	{"tokens", "about how many tokens the content is", F_INT, optional},                       \
	{"truncated", "true when not all that was asked for is here", F_BOOL, OPTIONAL},           \
	{"more", "how to get the rest", F_STR, OPTIONAL}

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
	size_t room; /* tokens that are left, with c->fit */
};

static struct err *start(struct call *c, const struct args *args, struct job *j)
{
	*j = (struct job){.c = c, .args = args};
	struct strs lines = args->lines;

	if (args->offset || args->limit || args->end) {
		int64_t from = args->offset ? args->offset : 1;
		int64_t to = args->end ? args->end : args->limit ? from - 1 + args->limit : 0;

		strs_push(c->a, &lines, to ? str_fmt(c->a, "%jd:%jd", (intmax_t)from, (intmax_t)to)
					   : str_fmt(c->a, "%jd:", (intmax_t)from));
	}
	if ((args->section.p != NULL) + (args->bytes.p != NULL) + (lines.n > 0) > 1)
		return err_help(err_new(E_BAD_ARGUMENT,
					"more than one of lines, bytes and a section were asked for"),
				"give one of them");
	TRY(lines_ranges(c->a, &lines, &j->lines));
	if (c->fit)
		j->room = c->fit->tokens - c->fit->tokens / 20;
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

/* A part of a picture or a program is of no use; a picture by itself is shown as what it is. */
static bool no_room_for_bytes(struct job *j, struct str *base64, size_t size, struct str *more)
{
	const struct fit *fit = j->c->fit;
	size_t cost;

	if (!fit || (!j->args->paths.n && read_image(j->c->a, *base64)))
		return false;
	cost = fit_str_cost(fit, *base64);
	if (cost <= j->room) {
		j->room -= cost;
		return false;
	}
	*more = str_fmt(j->c->a,
			"these %zu bytes are not text and would be about %zu tokens as base64; "
			"bytes gives a part of them",
			size, cost);
	*base64 = STR("");
	return true;
}

static struct err *read_one(struct job *j, struct str path, struct val **out)
{
	struct arena *a = j->c->a;
	struct buf b = buf_in(a);
	struct read_part part = {.path = path, .lines = j->lines};
	struct lines l = j->lines;
	struct str content, more = {0};
	bool is_text, cut = false;
	struct file_ref r;
	struct val *v;

	TRY(file_ref(j->f, path, &r));
	TRY(file_read(j->f, a, &r, FILE_BYTES_MAX, &part.text));
	TRY(section(j, path, part.text, &content, &l.line));
	if (j->args->bytes.p)
		TRY(read_bytes(part.text, j->args->bytes, &content));
	part.before = l.line;
	part.end = l.line + lines_count(content);
	TRY(read_past(&part));
	if (l.n || l.number) {
		l.put = lines_to_buf;
		l.to = &b;
		lines_put(&l, content);
		content = buf_str(&b);
	}
	is_text = str_is_text(content);
	part.content = content;
	if (is_text && j->c->fit) {
		cut = read_cut(j->c->fit, &part, &j->room, &more);
		content = part.content;
	} else if (!is_text) {
		content = crypt_base64(a, content);
		cut = no_room_for_bytes(j, &content, part.text.n, &more);
	}
	*out = v = val_map(a);
	val_set(a, v, "path", val_str(a, str_utf8(a, path)));
	val_set(a, v, "content", val_str(a, content));
	if (!is_text)
		val_set(a, v, "encoding", val_str(a, STR("base64")));
	/* Who has not seen all of it must not replace it: there is nothing to give as ifMatch. */
	if (!cut)
		val_set(a, v, "hash", val_str(a, crypt_content_hash(a, part.text)));
	val_set(a, v, "size", val_int(a, (int64_t)part.text.n));
	val_set(a, v, "lines", val_int(a, (int64_t)lines_count(part.text)));
	val_set(a, v, "tokens",
		val_int(a, (int64_t)token_estimate(content, j->f->assets->model)));
	if (cut) {
		val_set(a, v, "truncated", val_bool(a, true));
		val_set(a, v, "more", val_str(a, more));
	}
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
	if (!j->args->section.p && !j->args->bytes.p)
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
	if (j->args->bytes.p)
		TRY(read_bytes(text, j->args->bytes, &content));
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
		       "hash of the whole. A long file comes in parts: more tells the next.",
	.need = NEED_ROOTS,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = run,
	.stream = stream,
};
