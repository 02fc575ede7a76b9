/* Manifests: the first byte picks the file's name. Every place must lie in the file. */
#include "base/base.h"
#include "deps/deps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {
		"package.json", "package-lock.json", "requirements.txt", "pyproject.toml",
		"go.mod",       "Cargo.toml",        "Cargo.lock",       "yarn.lock",
		"pnpm-lock.yaml", "uv.lock",           "Gemfile.lock"};
	struct arena *a;
	struct str text;
	struct deps d;

	if (!size)
		return 0;
	a = arena_new();
	text = (struct str){(const char *)data + 1, size - 1};
	if (!deps_read(a, str_of(names[data[0] % ARRAY_SIZE(names)]), text, NULL, &d)) {
		for (size_t i = 0; i < d.n; i++)
			if (d.p[i].at.from > d.p[i].at.to || d.p[i].at.to > text.n)
				BUG("a name outside the file");
		for (size_t i = 0; i < d.unresolved.n; i++)
			if (d.unresolved.p[i].at.to > text.n)
				BUG("what is unresolved is outside the file");
	}
	arena_free(a);
	return 0;
}
