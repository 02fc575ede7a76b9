#include "deps/reader.h"

#define BYTES_MAX ((size_t)64 << 20)

ORDER_OF(unresolved_cmp, struct deps_unresolved, ORDER_UP(at.from) || ORDER_STR(name))

struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out)
{
	struct reader r = {.a = a, .path = path, .out = out, .files = files};
	struct places places = {.text = text};
	struct str rest, line;
	struct err *e;
	size_t at;
	bool sure;
	reader_fn *read = format_reader(path, &r.ecosystem, &sure);

	*out = (struct deps){0};
	if (!read)
		return err_new(E_BAD_MANIFEST,
			       "'%.*s' is no manifest or lockfile that ikm can read: %s",
			       STR_ARG(path), deps_manifests());
	if (!deps_fits(path, text))
		return NULL;
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_BIG, "'%.*s' has %zu bytes; a manifest may have at most %zu",
			       STR_ARG(path), text.n, BYTES_MAX);
	r.text = text;
	r.begin = reader_head(text, "\xef\xbb\xbf");
	/* npm, pip and cargo all skip a byte order mark. Blanks in its place keep every offset. */
	if (r.begin) {
		char *copy = str_c(a, text);

		memset(copy, ' ', r.begin);
		r.text.p = copy;
	}
	/* Growing copies, and what is not used costs nothing: few packages take fewer bytes. */
	out->cap = size_min(text.n / 24, (size_t)1 << 20) + 1;
	out->p = arena_array(a, out->cap, sizeof(*out->p));
	e = read(&r);
	rest = r.text;
	if (e)
		*out = (struct deps){0}; /* do not return half of the list */
	/* Other texts have such names too: one that does not parse is unresolved, and no error. */
	if (e && !sure && r.bad.line) {
		for (size_t n = r.bad.line; n > 1 && str_line(&rest, &line);)
			n--;
		at = size_min((size_t)(rest.p - r.text.p) + r.bad.column - 1, text.n);
		e = reader_unresolved(&r, STR(""), (struct span){at, at},
				      "the file does not read as its name says: %.*s",
				      STR_ARG(r.why));
	}
	/* In the order of the file, each with its line and column. */
	if (out->unresolved.n)
		qsort(out->unresolved.p, out->unresolved.n, sizeof(*out->unresolved.p),
		      unresolved_cmp);
	for (size_t i = 0; i < out->unresolved.n; i++)
		out->unresolved.p[i].place = str_places(&places, out->unresolved.p[i].at.from);
	return e;
}
