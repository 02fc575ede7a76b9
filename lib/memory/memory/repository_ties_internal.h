/* repository_ties_internal: what the files behind memory/repository_ties.h share: contents of
 * files, and their lines. */
#pragma once

#include "memory/repository_ties.h"

#define TIED_HASH "sha256:"
/* Lines that moved are looked for until so many bytes were hashed. */
#define TIED_HASHED_MAX ((size_t)8 << 20)

struct tied_range {
	size_t from, to; /* from 1, both included */
};
/* Reads "A:B". */
bool tied_range_read(struct str text, struct tied_range *out);

/* The content with LF as the end of each line. It may borrow. */
struct str tied_text_normalize(struct arena *a, struct str bytes);
struct str tied_file_content_hash(struct arena *a, struct str text);

/* Where each line begins, and then the length of the text. */
struct tied_starts {
	size_t *p, n, cap;
};
void tied_text_line_starts(struct arena *a, struct str text, struct tied_starts *out);
/* These lines, without the end of the last one. */
struct str tied_range_text(struct str text, const struct tied_starts *s,
			   const struct tied_range *r);

enum tied_found { TIED_SAME, TIED_MOVED, TIED_OTHER, TIED_TOO_LONG };
/*
 * Whether the bytes of a file have the kept content. TIED_MOVED: its lines are at *now.
 * TIED_TOO_LONG: too many lines are alike to look at all of them.
 */
enum tied_found tied_locate_kept_content(struct str bytes, const struct memory_file *kept,
					 struct tied_range *now);
