/* read: a file's bytes, whole or by lines (seed 000, "Unified File Operations"). */
#include "app.h"
#include "crypt/crypt.h"
#include <errno.h>
#include <unistd.h>

struct args {
	struct str path;
	struct strs lines;
	bool number;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the file to read", .also = "file_path"),
	PARAM(lines, .letter = 'l', .meta = "A:B",
	      .help = "only lines A to B, from 1; either may be left out; may be repeated"),
	PARAM(number, .letter = 'n', .help = "put its number before each line"),
	{0},
};

static const struct field result[] = {
	{"path", "the file, as it was named", F_STR},
	{"content", "the bytes, or the lines that were asked for", F_STR},
	{"encoding", "base64, when the content is not UTF-8 text", F_STR, OPTIONAL},
	{"hash", "sha256 of the whole file", F_STR},
	{"size", "bytes in the whole file", F_INT},
	{"lines", "lines in the whole file", F_INT},
	{0},
};

#define READ_MAX ((size_t)64 << 20)

struct range {
	size_t from, to; /* 1-based, both included */
};

static struct err *bad_range(struct str s)
{
	return err_help(err_detail(err_new(E_BAD_ARGUMENT, "'%.*s' is no range of lines",
					   STR_ARG(s)),
				   "parameter", STR("lines")),
			"write A:B, A:, :B or A, counted from 1, with A not above B");
}

static struct err *range_of(struct str s, struct range *r)
{
	size_t colon = str_find_char(s, ':', 0);
	struct str from = str_sub(s, 0, colon);
	struct str to = colon == SIZE_MAX ? from : str_sub(s, colon + 1, s.n);
	int64_t a = 1, b = INT64_MAX;

	if (str_is(s, ":") || !s.n)
		return bad_range(s);
	if ((from.n && !str_int(from, &a)) || (to.n && !str_int(to, &b)) || a < 1 || b < a)
		return bad_range(s);
	*r = (struct range){(size_t)a, (size_t)b};
	return NULL;
}

static struct err *ranges_of(struct arena *a, const struct strs *lines, struct range **out)
{
	*out = arena_array(a, lines->n + 1, sizeof(**out));
	for (size_t i = 0; i < lines->n; i++)
		TRY(range_of(lines->p[i], &(*out)[i]));
	return NULL;
}

static bool wanted(const struct range *r, size_t n, size_t line)
{
	for (size_t i = 0; i < n; i++)
		if (line >= r[i].from && line <= r[i].to)
			return true;
	return !n;
}

/* Where a run of bytes goes: the lines that are wanted, with their numbers. */
struct filter {
	const struct range *ranges;
	size_t n, line;
	bool number, inside; /* inside: the current line has begun */
	void (*put)(void *to, struct str s);
	void *to;
};

static void filter_put(struct filter *f, struct str s)
{
	if (!f->n && !f->number) {
		f->put(f->to, s);
		return;
	}
	while (s.n) {
		size_t nl = str_find_char(s, '\n', 0);
		struct str part = str_sub(s, 0, nl == SIZE_MAX ? s.n : nl + 1);

		if (!f->inside)
			f->line++;
		if (wanted(f->ranges, f->n, f->line)) {
			char number[32];
			int n = snprintf(number, sizeof(number), "%6zu\t", f->line);

			if (f->number && !f->inside)
				f->put(f->to, (struct str){number, (size_t)n});
			f->put(f->to, part);
		}
		f->inside = nl == SIZE_MAX;
		s = str_sub(s, part.n, s.n);
	}
}

static void put_buf(void *to, struct str s)
{
	buf_put(to, s);
}

static void put_out(void *to, struct str s)
{
	out_bytes(to, s);
}

static struct err *run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct buf b = buf_in(c->a);
	struct filter f = {.n = args->lines.n, .number = args->number, .put = put_buf, .to = &b};
	struct range *ranges;
	struct str text, content;
	size_t lines = 0;

	TRY(ranges_of(c->a, &args->lines, &ranges));
	f.ranges = ranges;
	TRY(os_roots_read(c->roots, c->a, c->cwd, args->path, READ_MAX, &text));
	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++)
		lines++;
	lines += text.n && text.p[text.n - 1] != '\n';
	content = text;
	if (f.n || f.number) {
		filter_put(&f, text);
		content = buf_str(&b);
	}
	*out = val_map(c->a);
	val_set(c->a, *out, "path", val_str(c->a, str_utf8(c->a, args->path)));
	if (str_is_utf8(content) && !str_has_nul(content)) {
		val_set(c->a, *out, "content", val_str(c->a, content));
	} else {
		val_set(c->a, *out, "content", val_str(c->a, crypt_base64(c->a, content)));
		val_set(c->a, *out, "encoding", val_str(c->a, STR("base64")));
	}
	val_set(c->a, *out, "hash", val_str(c->a, crypt_content_hash(c->a, text)));
	val_set(c->a, *out, "size", val_int(c->a, (int64_t)text.n));
	val_set(c->a, *out, "lines", val_int(c->a, (int64_t)lines));
	return NULL;
}

/* A file may be larger than memory: it passes through in pieces. */
static struct err *stream(struct call *c, const void *p)
{
	const struct args *args = p;
	struct filter f = {.n = args->lines.n, .number = args->number, .put = put_out, .to = c->out};
	size_t size = (size_t)128 << 10, last = SIZE_MAX;
	struct range *ranges;
	struct err *e = NULL;
	char *piece;
	int fd;

	TRY(ranges_of(c->a, &args->lines, &ranges));
	f.ranges = ranges;
	TRY(os_roots_open(c->roots, c->cwd, args->path, &fd));
	piece = arena_alloc(c->a, size);
	for (size_t i = 0; i < f.n; i++)
		last = i ? size_max(last, ranges[i].to) : ranges[i].to;
	/* Lines behind the last one that is wanted need not be read. */
	while (f.line <= last) {
		ssize_t n = read(fd, piece, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			e = err_errno(errno, "read '%.*s'", STR_ARG(args->path));
		if (n <= 0)
			break;
		filter_put(&f, (struct str){piece, (size_t)n});
	}
	close(fd);
	return e;
}

const struct cmd cmd_read = {
	.name = "read",
	.tool = "file_read",
	.tool_also = "fs_read",
	.summary = "print a file, or some of its lines",
	.description = "Read a file. Gives its content, or only the lines that are asked for, with "
		       "the hash of the whole file.",
	.need = NEED_ROOTS,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = run,
	.stream = stream,
};
