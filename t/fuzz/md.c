/* Any bytes as Markdown: blocks whose places lie in the text, and text that is UTF-8. */
#include "base/base.h"
#include "md/md.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str text = {(const char *)data, size}, yaml, body = text;
	bool unclosed;
	struct md md;

	if (md_frontmatter(text, &yaml, &body, &unclosed) && yaml.n + body.n > size)
		BUG("frontmatter outside the text");
	if (!md_read(a, body, 0, &md))
		for (size_t i = 0; i < md.n; i++) {
			const struct md_block *b = &md.p[i];

			if (b->at.from > b->at.to || b->at.to > body.n || !str_is_utf8(b->text))
				BUG("block %zu is wrong", i);
			if (b->body.n &&
			    (b->body.p < body.p || b->body.p + b->body.n > body.p + body.n))
				BUG("the body of block %zu is outside the text", i);
		}
	arena_free(a);
	return 0;
}
