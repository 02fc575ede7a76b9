/* Any bytes as a prompt: text that is no marker stays byte for byte, in order; markers lie in the
 * text; the found contents replace their markers. The same bytes as a text with references. */
#include "base/base.h"
#include "expand/expand.h"
#include "expand/resolve_refs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names with an even sum exist: some of every kind, without a table. */
static struct err *find(void *ctx, struct arena *a, bool asset, struct str name, size_t max,
			struct expand_target *out)
{
	unsigned sum = asset;

	(void)max;
	++*(size_t *)ctx;
	for (size_t i = 0; i < name.n; i++)
		sum += (unsigned char)name.p[i];
	out->found = sum % 2 == 0;
	out->why = E_FILE_NOT_FOUND;
	out->content = str_fmt(a, "[%.*s]", STR_ARG(name));
	return NULL;
}

/* The prompt put together again from the references: only backslashes before @ may be gone. */
static void check(struct str text, struct str out, const struct expand_references *refs)
{
	size_t i = 0, k = 0;

	for (size_t r = 0; r <= refs->n; r++) {
		bool last = r == refs->n;
		size_t end = last ? text.n : refs->p[r].at.from;

		if (!last && (refs->p[r].missing || end < i))
			continue;
		for (; i < end; i++, k++) {
			if (k < out.n && text.p[i] == '\\' && i + 1 < text.n &&
			    text.p[i + 1] == '@' && out.p[k] == '@')
				i++;
			if (k >= out.n || text.p[i] != out.p[k])
				BUG("byte %zu of the prompt is not at %zu of the result", i, k);
		}
		if (last)
			break;
		i = refs->p[r].at.to;
		k += refs->p[r].size;
	}
	if (k != out.n)
		BUG("the result has %zu bytes, not %zu", out.n, k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct expand_options o = {.max_bytes = 1 << 20, .max_total = 64 << 20};
	struct str text = {(const char *)data, size}, out;
	struct arena *a = arena_new();
	struct expand_references refs = {0};
	struct refs_links links = {0};
	size_t asked = 0, from = 0;

	if (!expand_markers(a, text, &o, find, &asked, &out, &refs))
		check(text, out, &refs);
	if (asked > 12 * (size + 1))
		BUG("%zu bytes asked for %zu names", size, asked);
	refs_find_in_text(a, text, size % 2, &links);
	for (size_t i = 0; i < links.n; i++) {
		if (links.p[i].at.from < from || links.p[i].at.from > links.p[i].at.to ||
		    links.p[i].at.to > size)
			BUG("reference %zu is not where it should be", i);
		from = links.p[i].at.from;
	}
	arena_free(a);
	return 0;
}
