/* Any bytes as a page of posting lists: numbers in order, counts above 0, and an end. */
#include "base/base.h"
#include "index/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t numbers = size ? UINT32_C(64) << data[0] % 11 : 64;
	struct str bytes = {(const char *)data + (size > 0), size - (size > 0)};
	struct page page = index_page_parse(INT64_MIN, bytes, numbers);
	struct posting some[POSTINGS_SOME];
	struct entry e;

	while (index_page_next_list(&page, &e)) {
		struct postings r = postings_read(&e, numbers);
		uint32_t next = 0;

		for (size_t n; (n = postings_read_some(&r, some));)
			for (size_t i = 0; i < n; i++) {
				if (some[i].at < next || some[i].at >= numbers || !some[i].count)
					BUG("document %u", some[i].at);
				next = some[i].at + 1;
			}
	}
	return 0;
}
