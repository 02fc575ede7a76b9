/* Finds the YAML frontmatter of a Markdown text. */
#include "md/md.h"

#define BOM "\xef\xbb\xbf"

/* Blanks may follow the marker, but not precede it: an indented "---" is a thematic break. */
static bool is_fence(struct str line, const char *marker)
{
	return str_starts(line, str_of(marker)) && str_trim(line).n == 3;
}

bool md_frontmatter(struct str text, struct str *yaml, struct str *body, bool *unclosed)
{
	struct str rest = text, line, start;

	*unclosed = false;
	if (str_starts(rest, STR(BOM)))
		rest = str_sub(rest, 3, rest.n);
	if (!str_next_line(&rest, &line) || !is_fence(line, "---"))
		return false;
	start = rest;
	while (str_next_line(&rest, &line))
		if (is_fence(line, "---") || is_fence(line, "...")) {
			*yaml = str_sub(start, 0, (size_t)(line.p - start.p));
			*body = rest;
			return true;
		}
	*yaml = start;
	*body = str_sub(text, text.n, text.n);
	*unclosed = true;
	return true;
}
