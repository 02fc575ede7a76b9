/* The output of an embedder for one, two or three texts: refused, or vectors of equal length. */
#include "vector/vector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct vector_list out;

	for (size_t texts = 1; texts <= 3; texts++) {
		if (vector_answer_read(a, text, texts, &out))
			continue;
		if (out.n != texts || !out.name.n)
			BUG("not what was asked for");
		for (size_t i = 0; i < out.n; i++)
			if (out.p[i].n != out.dimension || !out.dimension)
				BUG("another length");
	}
	arena_free(a);
	return 0;
}
