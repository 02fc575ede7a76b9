#include "read_slices.h"
#include "crypt/crypt.h"
#include <errno.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

const struct field read_slice_fields[] = {
	{"startLine", "the first line of the slice, from 1", F_INT},
	{"endLine", "the last one that is there; startLine - 1 when none is", F_INT},
	{"content", "its bytes", F_STR},
	{"encoding", "base64, when the content is not UTF-8 text", F_STR, OPTIONAL},
	{0},
};

/* One slice on its way. */
struct slice {
	struct lines lines;
	struct lines_range range; /* when the slice is of one range */
	struct buf b;
};

static void read_source_close(void *p)
{
	close(((struct read_source *)p)->fd);
}

struct err *read_source_large(struct files *f, const struct file_ref *r, struct str name,
			      struct read_source *out)
{
	struct read_source *kept;
	struct file_stat st;

	*out = (struct read_source){.fd = -1, .name = name};
	TRY(file_stat(f, r, &st));
	if (st.kind != OS_FILE || st.size <= FILE_BYTES_MAX)
		return NULL;
	TRY(file_open(f, r, &out->fd));
	if (out->fd < 0)
		return NULL;
	out->size = st.size;
	kept = ARENA_NEW(f->a, struct read_source);
	*kept = *out;
	arena_defer(f->a, read_source_close, kept);
	return NULL;
}

static struct err *slice_too_big(const struct read_source *s, size_t asked)
{
	struct err *e = err_new(E_TOO_BIG, "what is asked for of '%.*s' is over the limit of %zu "
				"bytes", STR_ARG(s->name), FILE_BYTES_MAX);

	err_detail(e, "path", s->name);
	err_detail_int(e, "limit", (int64_t)FILE_BYTES_MAX);
	err_detail_int(e, "size", (int64_t)s->size);
	return err_help(e, asked ? "ask for fewer lines"
				 : "read it by parts: lines [\"1:1000\"], then [\"1001:2000\"]");
}

static bool slice_done(const struct slice *s)
{
	size_t last = s->lines.n ? 0 : SIZE_MAX;

	for (size_t i = 0; i < s->lines.n; i++)
		last = size_max(last, s->lines.range[i].to);
	return s->lines.line > last;
}

static struct err *slices_put(const struct read_source *s, struct slice *all, size_t n,
			      struct str piece, bool *done)
{
	*done = true;
	for (size_t i = 0; i < n; i++) {
		if (slice_done(&all[i]))
			continue;
		lines_put(&all[i].lines, piece);
		if (all[i].b.cut)
			return slice_too_big(s, all[i].lines.n);
		*done = *done && slice_done(&all[i]);
	}
	return NULL;
}

static struct err *slices_read(struct call *c, const struct read_source *s, struct slice *all,
			       size_t n)
{
	char *piece;
	bool done = false;

	for (size_t i = 0; i < n; i++) {
		all[i].b = buf_max(c->a, FILE_BYTES_MAX);
		all[i].lines.put = lines_to_buf;
		all[i].lines.to = &all[i].b;
	}
	if (s->fd < 0)
		return slices_put(s, all, n, s->text, &done);
	/* From the start: an earlier range list may have read on. */
	if (lseek(s->fd, 0, SEEK_SET) < 0)
		return err_errno(errno, "read '%.*s'", STR_ARG(s->name));
	piece = arena_alloc(c->a, PIECE);
	while (!done) {
		ssize_t got = read(s->fd, piece, PIECE);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(errno, "read '%.*s'", STR_ARG(s->name));
		if (!got)
			break;
		TRY(slices_put(s, all, n, (struct str){piece, (size_t)got}, &done));
	}
	return NULL;
}

struct err *read_source_lines(struct call *c, const struct read_source *s, const struct lines *l,
			      struct str *out)
{
	struct slice one = {.lines = *l};

	if (!l->n && s->fd >= 0)
		return slice_too_big(s, 0);
	TRY(slices_read(c, s, &one, 1));
	*out = buf_str(&one.b);
	return NULL;
}

static struct val *slice_val(struct call *c, const struct slice *s, size_t *tokens,
			     enum token_model model)
{
	struct str content = buf_str(&s->b);
	bool is_text = str_is_text(content);
	struct val *v = val_map(c->a);
	size_t end = size_min(s->range.to, s->lines.line);

	if (!is_text)
		content = crypt_base64(c->a, content);
	val_set(c->a, v, "startLine", val_int(c->a, (int64_t)s->range.from));
	val_set(c->a, v, "endLine", val_int(c->a, (int64_t)size_max(end, s->range.from - 1)));
	val_set(c->a, v, "content", val_str(c->a, content));
	if (!is_text)
		val_set(c->a, v, "encoding", val_str(c->a, STR("base64")));
	*tokens += token_estimate(content, model);
	return v;
}

struct err *read_source_slices(struct call *c, const struct read_source *s, const struct lines *l,
			       enum token_model model, struct val **out, size_t *tokens)
{
	struct slice *all = arena_array(c->a, size_max(l->n, 1), sizeof(*all));

	*tokens = 0;
	*out = val_list(c->a);
	for (size_t i = 0; i < l->n; i++) {
		all[i].range = l->range[i];
		all[i].lines = *l;
		all[i].lines.range = &all[i].range;
		all[i].lines.n = 1;
	}
	TRY(slices_read(c, s, all, l->n));
	for (size_t i = 0; i < l->n; i++)
		val_add(*out, slice_val(c, &all[i], tokens, model));
	return NULL;
}
