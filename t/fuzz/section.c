/* Any bytes as Markdown: sections and anchors that lie in the text, in order, under unique
 * slugs. */
#include "base/base.h"
#include "md/md.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct md_sections v = {0};
	struct md_anchors anchors = {0};
	size_t last = 0;

	if (!md_sections(a, text, &v))
		for (size_t i = 0; i < v.n; i++) {
			const struct md_section *s = &v.p[i];

			if (s->at.from < last || s->at.from > s->at.to || s->at.to > size ||
			    s->body.from < s->at.from || s->body.from > s->body.to ||
			    s->body.to != s->at.to || !str_is_utf8(s->slug))
				BUG("section %zu is wrong", i);
			last = s->at.from;
			for (size_t j = 0; j < i && i < 64; j++)
				if (str_eq(v.p[j].slug, s->slug))
					BUG("two slugs '%.*s'", STR_ARG(s->slug));
		}
	last = 0;
	if (!md_hidden_anchors(a, text, &anchors))
		for (size_t i = 0; i < anchors.n; i++) {
			struct span at = anchors.p[i].at;

			if (at.from < last || at.from >= at.to || at.to > size)
				BUG("anchor %zu is wrong", i);
			last = at.to;
		}
	arena_free(a);
	return 0;
}
