#include "deps/reader.h"

#define BYTES_MAX ((size_t)64 << 20)

/* npm, pip and cargo all skip a byte order mark. Blanks in its place keep every offset. */
static struct str without_bom(struct arena *a, struct str text)
{
	char *p;

	if (!str_starts(text, STR("\xef\xbb\xbf")))
		return text;
	p = str_c(a, text);
	memset(p, ' ', 3);
	return (struct str){p, text.n};
}

static int unresolved_cmp(const void *a, const void *b)
{
	const struct deps_unresolved *x = a, *y = b;
	int c = (x->at.from > y->at.from) - (x->at.from < y->at.from);

	return c ? c : str_cmp(x->name, y->name);
}

/* In the order of the file, each with its line and column. */
static void unresolved_settle(struct deps *out, struct str text)
{
	struct places w = {.text = text};

	if (out->unresolved.n)
		qsort(out->unresolved.p, out->unresolved.n, sizeof(*out->unresolved.p),
		      unresolved_cmp);
	for (size_t i = 0; i < out->unresolved.n; i++)
		out->unresolved.p[i].place = str_places(&w, out->unresolved.p[i].at.from);
}

/* Other texts have such names too, so a text that does not parse is unresolved and no error. */
static void unresolved_text(struct reader *r, size_t max)
{
	struct str rest = r->text, line;
	size_t at;

	for (size_t n = r->bad.line; n > 1 && str_line(&rest, &line);)
		n--;
	at = size_min((size_t)(rest.p - r->text.p) + r->bad.column - 1, max);
	*r->out = (struct deps){0};
	reader_unresolved(r, STR(""), (struct span){at, at},
			  "the file does not read as its name says: %.*s", STR_ARG(r->why));
}

struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out)
{
	struct reader r = {.a = a, .path = path, .out = out, .files = files};
	struct err *e;
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
	r.text = without_bom(a, text);
	r.begin = r.text.p == text.p ? 0 : 3;
	/* Growing copies, and what is not used costs nothing: few packages take fewer bytes. */
	out->cap = size_min(text.n / 24, (size_t)1 << 20) + 1;
	out->p = arena_array(a, out->cap, sizeof(*out->p));
	e = read(&r);
	if (e && !sure && r.bad.line) {
		unresolved_text(&r, text.n);
		e = NULL;
	}
	if (e)
		*out = (struct deps){0}; /* do not return half of the list */
	unresolved_settle(out, text);
	return e;
}
