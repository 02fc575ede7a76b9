/* line: one memory as a line of JSON, on its way in. For lib/memory and its fuzz target. */
#ifndef IKM_MEMORY_LINE_H
#define IKM_MEMORY_LINE_H

#include "memory/transfer.h"

/* Bytes of a line: content and metadata at their largest, with every byte escaped. */
#define MEMORY_LINE_MAX ((size_t)16 << 20)

struct memory_line {
	struct memory one;
	bool tombstone; /* of one, only id, layer and deleted are set */
};
/*
 * What the line does not say comes from `how` and `who`, and the id of a line that has none from
 * its number (from 1) and its bytes. Strings borrow from text where they can. Errors: those of json
 * and memory_add(), and OUT_OF_RANGE for times that have not been yet; they name the member, not
 * the line.
 */
struct err *memory_line_read(struct arena *a, struct str text, size_t number,
			     const struct memory_import *how, const struct memory_who *who,
			     struct memory_line *out) MUST_USE;

#endif
