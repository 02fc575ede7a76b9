/*
 * similarity: compares the contents of two files as git does, so that both find the same renames.
 * It splits a file into its lines; long lines and binary content into runs of 64 bytes. Each part
 * becomes a hash with the sum of its bytes.
 */
#pragma once

#include "base/base.h"

struct chunk {
	uint64_t hash;
	size_t bytes;
};
struct chunks {
	struct chunk *p; /* by hash, no hash twice */
	size_t n, cap;
	size_t size; /* of the file */
};

struct chunks similarity_split(struct arena *a, struct str content);

#define ALIKE_MAX 60000 /* git's unit: 100 % */
/* Common bytes, as a share of the larger file. */
unsigned similarity_of_chunks(const struct chunks *a, const struct chunks *b);
