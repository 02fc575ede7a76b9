#include "line_ranges.h"

static struct err *lines_bad_range(struct str s, const char *what)
{
	return err_help(err_for_param(E_BAD_ARGUMENT, str_of(what), "'%.*s' is not a range of %s",
				      STR_ARG(s), what[0] == 'r' ? "lines" : what),
			"write A:B, A:, :B or A, counted from 1, with A not above B");
}

/* The number of a line: "12", or "L12" as in links to code. */
static bool lines_number(struct str s, int64_t *n)
{
	if (s.n > 1 && (s.p[0] == 'L' || s.p[0] == 'l'))
		s = str_sub(s, 1, s.n);
	return str_int(s, n);
}

struct err *lines_range_read(struct str s, const char *what, struct lines_range *r)
{
	static const char *const marks[] = {":", "..", "-"};
	struct str from = s, to = s;
	int64_t a = 1, b = INT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		struct str mark = str_of(marks[i]);
		size_t at = str_find(s, mark, 0);

		/* "-1" is a negative number. */
		if (at == SIZE_MAX || (!at && mark.p[0] == '-'))
			continue;
		from = str_trim(str_sub(s, 0, at));
		to = str_trim(str_sub(s, at + mark.n, s.n));
		break;
	}
	if ((!from.n && !to.n) || (from.n && !lines_number(from, &a)) ||
	    (to.n && !lines_number(to, &b)))
		return lines_bad_range(s, what);
	/* Some tools write the end of the file so. */
	if (b == -1 && from.p != to.p)
		b = INT64_MAX;
	if (a < 1 || b < a)
		return lines_bad_range(s, what);
	*r = (struct lines_range){(size_t)a, (size_t)b};
	return NULL;
}

struct err *lines_ranges_read(struct arena *a, const struct strs *texts, const char *what,
			      struct lines *out)
{
	struct lines_range *range = arena_array(a, texts->n + 1, sizeof(*range));

	for (size_t i = 0; i < texts->n; i++)
		TRY(lines_range_read(texts->p[i], what, &range[i]));
	out->range = range;
	out->n = texts->n;
	return NULL;
}

bool lines_is_selected(const struct lines *l, size_t line)
{
	for (size_t i = 0; i < l->n; i++)
		if (line >= l->range[i].from && line <= l->range[i].to)
			return true;
	return !l->n;
}

void lines_copy_selected(struct lines *l, struct str s)
{
	if (!l->n && !l->number) {
		l->put(l->to, s);
		return;
	}
	while (s.n) {
		struct str part = str_line_from(s, 0);

		if (!l->inside)
			l->line++;
		if (lines_is_selected(l, l->line)) {
			char number[32];
			int n = snprintf(number, sizeof(number), "%6zu\t", l->line);

			if (l->number && !l->inside)
				l->put(l->to, (struct str){number, (size_t)n});
			l->put(l->to, part);
		}
		l->inside = !str_ends(part, STR("\n"));
		s = str_sub(s, part.n, s.n);
	}
}

void lines_to_buf(void *to, struct str s)
{
	buf_put(to, s);
}

void lines_to_out(void *to, struct str s)
{
	out_bytes_unchanged(to, s);
}

struct err *lines_check_ranges(const struct lines *l, size_t count, struct str name)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < l->n; i++)
		least = size_min(least, l->range[i].from);
	if (!l->n || least <= size_max(count, 1))
		return NULL;
	return err_for_param(E_OUT_OF_RANGE, STR("lines"),
			     "line %zu is past the end: '%.*s' has %zu line%s", least,
			     STR_ARG(name), count, PLURAL(count));
}

struct err *lines_print(struct lines *l, struct out *o, struct arena *a, int fd, struct str name)
{
	size_t size = (size_t)128 << 10, last = l->n ? 0 : SIZE_MAX;
	char *piece = arena_alloc(a, size);
	const char *shown = str_c(a, name);

	l->put = lines_to_out;
	l->to = o;
	for (size_t i = 0; i < l->n; i++)
		last = size_max(last, l->range[i].to);
	while (l->line <= last && !out_failed(o)) {
		size_t n;

		TRY(os_read_some(fd, shown, piece, size, &n));
		if (!n)
			return lines_check_ranges(l, l->line, name);
		lines_copy_selected(l, (struct str){piece, n});
	}
	return NULL;
}
