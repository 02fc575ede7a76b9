/*
 * The comments of a file: a byte chooses the language, the rest is the text. Then the allows in it,
 * and the same bytes as a waiver file.
 */
#include "base/base.h"
#include "waive/waive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data + 1, size - 1};
	struct arena *a = arena_new();
	struct lexer_comments found = {0};
	struct allows allows;
	size_t forms = 0, at = 0;
	const struct lexer_form *f;
	struct str path;

	if (!size) {
		arena_free(a);
		return 0;
	}
	while (lexer_forms[forms].suffixes)
		forms++;
	f = &lexer_forms[data[0] % forms];
	path = str_fmt(a, "a.%.*s", (int)strcspn(f->suffixes, " "), f->suffixes);
	lexer_comments(a, f, path, text, STR(""), &found);
	for (size_t i = 0; i < found.n; i++) {
		const struct lexer_comment *c = &found.p[i];

		if (c->unread)
			continue;
		if (c->at.from < at || c->at.to > text.n || c->text.from < c->at.from ||
		    c->text.to > c->at.to || c->text.from > c->text.to)
			BUG("a comment lies outside of its place");
		at = c->at.to;
	}
	allows_read_comments(a, data[0] & 1 ? STR("a.js") : STR("a.yml"), text, 20000, &allows);
	for (size_t i = 0; i < allows.n; i++)
		if (!allows.p[i].w.problem.n && !allows.p[i].w.reason.n)
			BUG("an allow without a reason counts");
	arena_free(a);
	return 0;
}
