/* Runs a fuzz target over files, as libFuzzer would over one: `make check` replays the corpus. */
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		size_t n = 0, cap = 1 << 16;
		uint8_t *data = malloc(cap);

		if (!f || !data)
			return 1;
		for (size_t got; (got = fread(data + n, 1, cap - n, f)) > 0;) {
			n += got;
			if (n == cap && !(data = realloc(data, cap *= 2)))
				return 1;
		}
		fclose(f);
		/* A block of the exact size, so that reading past it is seen. */
		data = realloc(data, n ? n : 1);
		LLVMFuzzerTestOneInput(data, n);
		free(data);
	}
	return 0;
}
