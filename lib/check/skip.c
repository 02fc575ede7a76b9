#include "base/base.h"
#include "check/engine.h"

const char *check_skip_name(enum check_skip s)
{
	static const char *const names[] = {
		[SKIP_BINARY] = "binary",       [SKIP_TOO_BIG] = "too_big",
		[SKIP_GENERATED] = "generated", [SKIP_LINK] = "link",
		[SKIP_SUBMODULE] = "submodule", [SKIP_UNREADABLE] = "unreadable",
		[SKIP_KNOWLEDGE] = "knowledge",
	};

	return names[s];
}

/* As git decides it, so that what git shows as text is judged as text. */
bool skip_is_binary(struct str text)
{
	return text.n && memchr(text.p, 0, size_min(text.n, 8000));
}

static bool is_digest(struct str s)
{
	struct str hex = str_sub(s, 7, s.n);

	if (!str_starts(s, STR("sha256:")) || hex.n != 64)
		return false;
	for (size_t i = 0; i < hex.n; i++)
		if (!memchr("0123456789abcdef", hex.p[i], 16))
			return false;
	return true;
}

/*
 * Git LFS: at most 1,024 bytes, and each line of the one form, for whatever passes here is not
 * judged as code.
 */
bool skip_is_lfs(struct str text)
{
	bool oid = false, size = false;
	struct str line;

	if (text.n > 1024 || !str_line(&text, &line) ||
	    !str_is(line, "version https://git-lfs.github.com/spec/v1"))
		return false;
	while (str_line(&text, &line)) {
		struct str value = line, key = {"", 0}; /* an empty line has none */
		int64_t n;

		str_split(&value, ' ', &key);
		if (str_is(key, "oid") && is_digest(value))
			oid = true;
		else if (str_is(key, "size") && str_int(value, &n) && n >= 0)
			size = true;
		else if (!str_starts(key, STR("ext-")) || key.n > 64 || !is_digest(value))
			return false;
	}
	return oid && size;
}
