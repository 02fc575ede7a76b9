#include "json/json.h"

struct str json_uncommented(struct arena *a, struct str text)
{
	char *p = str_c(a, text);
	size_t comma = SIZE_MAX;

	for (size_t i = 0; i < text.n; i++) {
		char c = p[i];

		if (c == '"') {
			for (i++; i < text.n && p[i] != '"'; i++)
				i += p[i] == '\\';
			comma = SIZE_MAX;
		} else if (c == '/' && i + 1 < text.n && p[i + 1] == '/') {
			while (i < text.n && p[i] != '\n')
				p[i++] = ' ';
		} else if (c == '/' && i + 1 < text.n && p[i + 1] == '*') {
			size_t end = str_find(text, STR("*/"), i + 2);

			for (end = end == SIZE_MAX ? text.n : end + 2; i < end; i++)
				p[i] = p[i] == '\n' ? '\n' : ' ';
			i--;
		} else if (c == ',') {
			comma = i;
		} else if ((c == ']' || c == '}') && comma != SIZE_MAX) {
			p[comma] = ' ';
			comma = SIZE_MAX;
		} else if (!ascii_is_space(c)) {
			comma = SIZE_MAX;
		}
	}
	return (struct str){p, text.n};
}
