/* repository_ties_internal: what the files behind memory/repository_ties.h share: the places
 * of kept contents. */
#pragma once

#include "memory/repository_ties.h"

struct tied_range {
	size_t from, to; /* from 1, both included */
};

enum tied_found { TIED_SAME, TIED_MOVED, TIED_OTHER, TIED_TOO_LONG };
/*
 * Whether the bytes of a file have the kept content. TIED_MOVED: its lines are at *now.
 * TIED_TOO_LONG: too many lines are alike to look at all of them.
 */
enum tied_found tied_locate_kept_content(struct str bytes, const struct memory_file *kept,
					 struct tied_range *now);

/* The i-th file; the value was checked. */
static inline void memory_file_from_val(struct arena *a, const struct val *files, size_t i,
					struct memory_file *out)
{
	static const struct record_reader how = {.what = "a file", .unknown = RECORD_IGNORED};
	struct err *e;

	*out = (struct memory_file){0};
	VAL_EACH(files, v)
		if (!i--) {
			e = record_from_val(a, &how, memory_file_record, v, out);
			if (e)
				BUG("files were not checked: %s", err_message(e));
			return;
		}
	BUG("a memory has fewer files");
}
