/* Settings: the first byte picks the file's name. Every line has a path, and lies in the file. */
#include "keyval/keyval.h"

static void fuzz_line(void *ctx, const struct keyval *k)
{
	const struct str *text = ctx;

	if (k->at > text->n)
		BUG("a setting outside the file");
	if (k->key > k->line.n || k->key > KEYVAL_PATH_MAX + 1)
		BUG("a path that is longer than its line");
	if (k->inner ? k->key != k->line.n : k->key == k->line.n || k->line.p[k->key] != '=')
		BUG("a value that does not stand behind its path");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a.json",     "a.yaml", "a.toml",      "a.ini",
					    ".gitconfig", ".env",   "a.properties"};
	struct str text;
	struct arena *a;
	struct err *e;

	if (!size)
		return 0;
	a = arena_new();
	text = (struct str){(const char *)data + 1, size - 1};
	e = keyval_read(a, str_of(names[data[0] % ARRAY_SIZE(names)]), text, fuzz_line, &text);
	if (e && !*err_message(e))
		BUG("an error without a message");
	arena_free(a);
	return 0;
}
