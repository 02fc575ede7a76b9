/*
 * The columns of characters on a terminal. libc's tables know wide and combining characters, in
 * whichever locale the user has set: the sources name C.UTF-8, which every Debian has. Where it is
 * missing, each character counts as one column.
 */
#include "out/out.h"
#include <locale.h>
#include <wchar.h>

unsigned out_char_columns(uint32_t c)
{
	static _Thread_local locale_t utf8;
	static _Thread_local bool asked;
	locale_t before;
	int n;

	if (!asked)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	asked = true;
	if (c < 0x7f || !utf8)
		return 1;
	before = uselocale(utf8);
	n = wcwidth((wchar_t)c);
	uselocale(before);
	/* A character that libc does not know is likely newer than its tables. */
	return n < 0 ? 1 : (unsigned)n;
}

size_t out_text_width(struct str s)
{
	size_t columns = 0;

	while (s.n) {
		uint32_t c = 0;
		size_t n = str_utf8_char(s.p, s.n, &c);

		/* out_safe() prints four characters for each byte that it hides. */
		columns += out_hides_char(s, &n) ? 4 * n : out_char_columns(c);
		s = str_sub(s, n, s.n);
	}
	return columns;
}
