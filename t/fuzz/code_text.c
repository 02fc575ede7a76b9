#include "base/base.h"
#include "judge/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every offset of a view lies in the file, later ones behind earlier ones, and has a place. */
static void code_text_walk(const struct code_text *t, unsigned view)
{
	struct code_places places = {.raw = t->raw, .encoding = t->encoding};
	struct code_cursor cursor = {0};
	struct place last = {1, 1};
	size_t before = 0;

	for (size_t at = 0; at <= t->view[view].text.n; at++) {
		size_t raw = code_text_raw_offset(t, view, &cursor, at);
		struct place p = code_place_of_offset(&places, raw);

		if (raw > t->raw.n || raw < before)
			BUG("offset %zu of view %u is at %zu, after %zu", at, view, raw, before);
		if (p.line < last.line || (p.line == last.line && p.column < last.column))
			BUG("place %zu:%zu after %zu:%zu", p.line, p.column, last.line,
			    last.column);
		before = raw;
		last = p;
	}
}

/* A path up to a NUL, then the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str raw = {(const char *)data, size}, path = {"", 0};
	struct arena *a = arena_new();
	struct code_text t;

	str_next_part(&raw, 0, &path);
	if (code_text_decode(a, path, raw, &t)) {
		if (!t.n || t.n > CODE_VIEWS)
			BUG("%u views", t.n);
		for (unsigned i = 0; i < t.n; i++)
			code_text_walk(&t, i);
	} else if (!str_has_nul(raw)) {
		BUG("text without NUL bytes is no data");
	} else if (skip_path_is_source(path)) {
		BUG("source code is no data");
	}
	arena_free(a);
	return 0;
}
