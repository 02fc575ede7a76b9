#include "lines.h"
#include <errno.h>
#include <unistd.h>

static struct err *bad_range(struct str s)
{
	return err_help(err_detail(err_new(E_BAD_ARGUMENT, "'%.*s' is no range of lines",
					   STR_ARG(s)),
				   "parameter", STR("lines")),
			"write A:B, A:, :B or A, counted from 1, with A not above B");
}

static struct err *range_of(struct str s, struct lines_range *r)
{
	size_t colon = str_find_char(s, ':', 0);
	struct str from = str_sub(s, 0, colon);
	struct str to = colon == SIZE_MAX ? from : str_sub(s, colon + 1, s.n);
	int64_t a = 1, b = INT64_MAX;

	if (str_is(s, ":") || !s.n)
		return bad_range(s);
	if ((from.n && !str_int(from, &a)) || (to.n && !str_int(to, &b)) || a < 1 || b < a)
		return bad_range(s);
	*r = (struct lines_range){(size_t)a, (size_t)b};
	return NULL;
}

struct err *lines_ranges(struct arena *a, const struct strs *texts, struct lines *out)
{
	struct lines_range *range = arena_array(a, texts->n + 1, sizeof(*range));

	for (size_t i = 0; i < texts->n; i++)
		TRY(range_of(texts->p[i], &range[i]));
	out->range = range;
	out->n = texts->n;
	return NULL;
}

static bool wanted(const struct lines *l, size_t line)
{
	for (size_t i = 0; i < l->n; i++)
		if (line >= l->range[i].from && line <= l->range[i].to)
			return true;
	return !l->n;
}

void lines_put(struct lines *l, struct str s)
{
	if (!l->n && !l->number) {
		l->put(l->to, s);
		return;
	}
	while (s.n) {
		size_t nl = str_find_char(s, '\n', 0);
		struct str part = str_sub(s, 0, nl == SIZE_MAX ? s.n : nl + 1);

		if (!l->inside)
			l->line++;
		if (wanted(l, l->line)) {
			char number[32];
			int n = snprintf(number, sizeof(number), "%6zu\t", l->line);

			if (l->number && !l->inside)
				l->put(l->to, (struct str){number, (size_t)n});
			l->put(l->to, part);
		}
		l->inside = nl == SIZE_MAX;
		s = str_sub(s, part.n, s.n);
	}
}

void lines_to_buf(void *to, struct str s)
{
	buf_put(to, s);
}

void lines_to_out(void *to, struct str s)
{
	out_bytes(to, s);
}

struct err *lines_read(struct lines *l, struct arena *a, int fd, struct str name)
{
	size_t size = (size_t)128 << 10, last = l->n ? 0 : SIZE_MAX;
	char *piece = arena_alloc(a, size);

	for (size_t i = 0; i < l->n; i++)
		last = size_max(last, l->range[i].to);
	while (l->line <= last) {
		ssize_t n = read(fd, piece, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(errno, "read '%.*s'", STR_ARG(name));
		if (!n)
			break;
		lines_put(l, (struct str){piece, (size_t)n});
	}
	return NULL;
}

size_t lines_count(struct str text)
{
	size_t lines = 0;

	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++)
		lines++;
	return lines + (text.n && text.p[text.n - 1] != '\n');
}
