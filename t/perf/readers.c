/*
 * readers: what reading a file costs, against a loop over its bytes that counts lines and brackets,
 * or, for YAML, against libyaml's own loop over events.
 *   readers <PATHS       a line for each language, syntax and manifest among the files:
 *                        its name, nanoseconds a byte of ours and of the other, files, bytes
 * Processor time, the best of some passes over all files of a kind.
 */
#include "deps/deps.h"
#include "imports/imports.h"
#include "json/json.h"
#include "os/os.h"
#include "toml/toml.h"
#include "xml/xml.h"
#include "yaml/yaml.h"
#include <malloc.h>
#include <time.h>
#include <yaml.h>

enum { PASSES = 5, KIND_BYTES = 4000000 };

struct file {
	struct str path, text;
};
struct kind {
	const char *name;
	bool (*reads)(struct arena *a, const struct file *f);
	struct {
		struct file *p;
		size_t n, cap;
	} files;
	size_t bytes;
};
static struct {
	struct kind *p;
	size_t n, cap;
} kinds;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- what reads ---- */

static bool by_imports(struct arena *a, const struct file *f)
{
	struct imports imports = {0};

	imports_read(a, imports_language(f->path, f->text), f->path, f->text, &imports);
	return true;
}

static bool by_deps(struct arena *a, const struct file *f)
{
	struct deps deps = {0};

	return !deps_read(a, f->path, f->text, NULL, &deps);
}

static bool by_json(struct arena *a, const struct file *f)
{
	struct val *v;

	return !json_read(a, f->text, NULL, &v);
}

static bool by_toml(struct arena *a, const struct file *f)
{
	struct val *v;

	return !toml_read(a, f->text, &v);
}

static bool by_xml(struct arena *a, const struct file *f)
{
	struct xml *x;

	return !xml_read(a, f->text, &x);
}

static bool by_yaml(struct arena *a, const struct file *f)
{
	struct val *v;

	return !yaml_read_all(a, f->text, &v);
}

static const struct {
	const char *name, *suffix;
	bool (*reads)(struct arena *a, const struct file *f);
} syntaxes[] = {
	{"json", ".json", by_json}, {"toml", ".toml", by_toml}, {"xml", ".xml", by_xml},
	{"yaml", ".yaml", by_yaml}, {"yaml", ".yml", by_yaml},
};

/* ---- the others ---- */

/* Not inlined: the compiler must not see that nobody needs the numbers. */
static __attribute__((noinline)) size_t count_brackets(struct str text)
{
	size_t lines = 0, brackets = 0;

	for (size_t i = 0; i < text.n; i++) {
		switch (text.p[i]) {
		case '\n': lines++; break;
		case '(':
		case ')':
		case '[':
		case ']':
		case '{':
		case '}': brackets++; break;
		}
	}
	return lines + brackets;
}

static size_t count_events(struct str text)
{
	yaml_parser_t parser;
	yaml_event_t event;
	size_t n = 0;

	if (!yaml_parser_initialize(&parser))
		BUG("no memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.p, text.n);
	for (bool end = false; !end && yaml_parser_parse(&parser, &event); n++) {
		end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return n;
}

/* ---- */

static void kind_add(struct arena *a, const char *name,
		     bool (*reads)(struct arena *a, const struct file *f), const struct file *f)
{
	struct arena *child = arena_new();
	bool good = reads(child, f);
	size_t i = 0;

	arena_free(child);
	if (!good)
		return;
	while (i < kinds.n && strcmp(kinds.p[i].name, name) != 0)
		i++;
	if (i == kinds.n)
		*VEC_PUSH(a, &kinds) = (struct kind){.name = name, .reads = reads};
	if (kinds.p[i].bytes > KIND_BYTES)
		return;
	*VEC_PUSH(a, &kinds.p[i].files) = *f;
	kinds.p[i].bytes += f->text.n;
}

static void measure(const struct kind *k)
{
	double ours = 1e9, theirs = 1e9;
	size_t sum = 0;

	for (int pass = 0; pass < PASSES; pass++) {
		struct arena *a = arena_new();
		double start = now(), middle;

		for (size_t i = 0; i < k->files.n; i++) {
			k->reads(a, &k->files.p[i]);
			arena_reset(a);
		}
		middle = now();
		for (size_t i = 0; i < k->files.n; i++)
			sum += k->reads == by_yaml ? count_events(k->files.p[i].text)
						   : count_brackets(k->files.p[i].text);
		theirs = now() - middle < theirs ? now() - middle : theirs;
		ours = middle - start < ours ? middle - start : ours;
		arena_free(a);
	}
	printf("%s\t%.2f\t%.2f\t%zu\t%zu%s\n", k->name, ours * 1e9 / (double)k->bytes,
	       theirs * 1e9 / (double)k->bytes, k->files.n, k->bytes, sum ? "" : " 0");
}

int main(void)
{
	struct arena *a = arena_new();
	char path[4096];

	/* The memory of one file serves the next, as in a check: else the kernel is measured. */
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
	while (fgets(path, sizeof(path), stdin)) {
		const struct lexer_form *l;
		struct file f = {.path = str_dup(a, str_trim(str_of(path)))};
		struct err *e = os_read_path(a, f.path.p, KIND_BYTES, &f.text);

		if (e) {
			fprintf(stderr, "readers: left out: %s\n", err_message(e));
			continue;
		}
		l = imports_language(f.path, f.text);
		if (l && imports_is_read(l))
			kind_add(a, l->name, by_imports, &f);
		if (deps_is_manifest(f.path) && deps_text_is_manifest(f.path, f.text))
			kind_add(a, strrchr(f.path.p, '/') + 1, by_deps, &f);
		for (size_t i = 0; i < ARRAY_SIZE(syntaxes); i++)
			if (str_ends(f.path, str_of(syntaxes[i].suffix)))
				kind_add(a, syntaxes[i].name, syntaxes[i].reads, &f);
	}
	for (size_t i = 0; i < kinds.n; i++)
		measure(&kinds.p[i]);
	arena_free(a);
	return 0;
}
