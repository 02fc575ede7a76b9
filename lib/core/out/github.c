/* Prints GitHub annotations, which are workflow commands. */
#include "out/out.h"

/*
 * GitHub's percent-encoding for characters that would end a property or the command. The log keeps
 * other control characters as they are, so out_safe() hides them.
 */
static void escaped(struct out *o, struct str s, bool property)
{
	size_t n;

	for (; s.n; s = str_sub(s, n, s.n)) {
		char c = s.p[0];

		out_hides_char(s, &n);
		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			out_fmt(o, "%%%02X", (unsigned char)c);
		else
			out_safe(o, str_sub(s, 0, n), true);
	}
}

void out_github(struct out *o, enum out_level level, struct str file, size_t line, size_t column,
		struct str title, struct str message)
{
	static const char *const names[] = {"error", "warning", "notice"};
	struct arena *a ARENA_LOCAL = arena_new();

	out_fmt(o, "::%s", names[level]);
	if (file.n) {
		out_puts(o, " file=");
		escaped(o, str_utf8(a, file), true);
		if (line)
			out_fmt(o, ",line=%zu", line);
		if (line && column)
			out_fmt(o, ",col=%zu", column);
	}
	if (title.n) {
		out_fmt(o, "%stitle=", file.n ? "," : " ");
		escaped(o, str_utf8(a, title), true);
	}
	out_puts(o, "::");
	escaped(o, str_utf8(a, message), false);
	out_puts(o, "\n");
}
