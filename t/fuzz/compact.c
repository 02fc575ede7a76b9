/* Any bytes as Markdown: never longer, the same when asked again, anchors and meaning kept. */
#include "compact/compact.h"
#include "md/md.h"
#include "../unit/meaning.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size}, once, twice;
	struct arena *a = arena_new();
	struct md_anchors old, new;
	size_t body = md_body_offset(text), after;

	if (!compact_text(a, text, &once)) {
		if (once.n > size || compact_text(a, once, &twice) || !str_eq(once, twice))
			BUG("longer, or not done");
		after = md_body_offset(once);
		if (!str_eq(str_sub(once, 0, after), str_sub(text, 0, body)))
			BUG("another front matter");
		if (md_hidden_anchors(a, text, &old) || md_hidden_anchors(a, once, &new) ||
		    old.n != new.n)
			BUG("an anchor was lost");
		if (!str_eq(meaning_of(a, str_sub(text, body, size)),
			    meaning_of(a, str_sub(once, after, once.n))))
			BUG("it says something else");
	}
	arena_free(a);
	return 0;
}
