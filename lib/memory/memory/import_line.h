/* import_line: reads lines of JSON as memories, for an import. For lib/memory/memory and its fuzz
 * target.
 */
#pragma once

#include "memory/import_export.h"

/* Limit of a line in bytes: the largest content and metadata, with every byte escaped. */
#define MEMORY_LINE_MAX ((size_t)16 << 20)

struct memory_line {
	struct memory one;
	bool tombstone; /* only id, layer and deleted of `one` are set */
	/*
	 * Like `one`, but importance and confidence are -1 and happened is 0 when the line does not
	 * give them.
	 */
	struct memory said;
};
/*
 * Reads one line. Members that the line lacks come from `how` and `who`. A missing id is made from
 * the line's number (from 1) and its bytes. Strings borrow from text where they can. Errors: those
 * of json and memory_add(), and OUT_OF_RANGE for times in the future. They name the member, not the
 * line.
 */
struct err *memory_line_read(struct arena *a, struct str text, size_t number,
			     const struct memory_import *how, const struct memory_who *who,
			     struct memory_line *out) MUST_USE;
