/*
 * deps FILE…: the packages that deps_read() finds, without runtimes, one line each: file, name,
 * version, line, column, and the name it goes by when that hides the real one. "?" stands for what
 * is unresolved. deps -t FILE: reads it ten times and prints megabytes per second of the
 * processor's time. deps -k FILE: the same for its settings, as lib/text/keyval reads them.
 */
#include "base/base.h"
#include "deps/deps.h"
#include "keyval/keyval.h"

static struct str slurp(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);
	FILE *f = fopen(path, "rb");
	char chunk[65536];
	size_t n;

	if (!f) {
		perror(path);
		exit(2);
	}
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_put(&b, (struct str){chunk, n});
	fclose(f);
	return buf_as_str(&b);
}

/* As str_place_of_offset(); most places come in ascending order, and then each byte is read once.
 */
static struct place place_in(struct places *w, size_t at)
{
	if (at < w->at)
		*w = (struct places){.text = w->text};
	return str_place_of_next_offset(w, at);
}

static void line(const char *path, struct places *w, struct str name, struct str version,
		 struct span at, struct str written)
{
	struct place p = place_in(w, at.from);

	printf("%s\t%.*s\t%.*s\t%zu\t%zu\t%.*s\n", path, STR_ARG(name), STR_ARG(version), p.line,
	       p.column, STR_ARG(written));
}

static bool show(const char *path)
{
	struct arena *a = arena_new();
	struct str text = slurp(a, path);
	struct deps d;
	struct err *e = deps_read(a, str_of(path), text, NULL, &d);
	struct places w = {.text = text};

	if (e)
		fprintf(stderr, "%s\n", err_message(e));
	for (size_t i = 0; !e && i < d.n; i++)
		if (d.p[i].kind == DEPS_PACKAGE)
			line(path, &w, d.p[i].name, d.p[i].version, d.p[i].at, d.p[i].written);
	for (size_t i = 0; !e && i < d.unresolved.n; i++)
		line(path, &w, STR("?"), d.unresolved.p[i].name, d.unresolved.p[i].at, STR(""));
	arena_free(a);
	return !e;
}

static void count_line(void *ctx, const struct keyval *k)
{
	(void)k;
	++*(size_t *)ctx;
}

static bool read_once(const char *path, struct str text, bool settings, size_t *n)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct deps d;
	struct err *e;

	*n = 0;
	if (settings)
		return !keyval_read(a, str_of(path), text, count_line, n);
	e = deps_read(a, str_of(path), text, NULL, &d);
	*n = d.n;
	return !e;
}

static bool measure(const char *path, bool settings)
{
	struct arena *file = arena_new();
	struct str text = slurp(file, path);
	struct timespec t0, t1;
	size_t n = 0;
	bool works = true;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
	for (int i = 0; i < 10 && works; i++)
		works = read_once(path, text, settings, &n);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
	printf("%zu bytes, %zu entries, %.0f MB/s\n", text.n, n,
	       (double)text.n * 10 / 1e6 /
		       ((double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9));
	arena_free(file);
	return works;
}

int main(int argc, char **argv)
{
	bool settings = argc > 1 && !strcmp(argv[1], "-k");
	bool timed = settings || (argc > 1 && !strcmp(argv[1], "-t")), works = true;

	for (int i = timed ? 2 : 1; i < argc; i++)
		works = (timed ? measure(argv[i], settings) : show(argv[i])) && works;
	return !works;
}
