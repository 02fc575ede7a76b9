#include "base/base.h"
#include "token/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any bytes: some tokens when there are any, never more than bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (enum token_model m = TOKEN_O200K; m <= TOKEN_CL100K; m++) {
		size_t n = token_estimate((struct str){(const char *)data, size}, m);

		if (n > size || (size && !n))
			BUG("%zu tokens of %zu bytes", n, size);
	}
	return 0;
}
