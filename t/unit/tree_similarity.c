#include "base/base.h"
#include "tap.h"
#include "tree/similarity.h"

int main(void)
{
	struct arena *a = arena_new();
	struct chunks text = similarity_split(a, STR("a\nb\na\n")),
		      crlf = similarity_split(a, STR("a\r\nb\r\na\r\n"));
	struct chunks none = similarity_split(a, STR(""));

	is_int((long long)text.n, 2, "equal lines are one chunk");
	is_int(similarity_of_chunks(&text, &text), ALIKE_MAX, "all of it");
	is_int(similarity_of_chunks(&none, &none), 0, "nothing is like nothing");
	is_int(similarity_of_chunks(&text, &crlf), ALIKE_MAX * 6 / 9,
	       "the ends of lines do not count");
	text = similarity_split(a, str_fmt(a, "%064d%064d%02d", 1, 1, 1));
	is_int((long long)text.n, 2, "a long line is runs of 64 bytes");
	text = similarity_split(a, STR("a\r\nb\r\n\0"));
	crlf = similarity_split(a, STR("a\nb\n\0"));
	is_int(similarity_of_chunks(&text, &crlf), ALIKE_MAX / 7,
	       "in binary files every byte counts");
	arena_free(a);
	return tap_done();
}
