/*
 * chunks: splits files for measuring similarity: a file's lines, with long lines and binary content
 * in runs of 64 bytes, each as a hash with the sum of its bytes. Measures as git does, so that both
 * find the same renames.
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

struct chunks chunks_of(struct arena *a, struct str content);

#define ALIKE_MAX 60000 /* git's unit: 100 % */
/* Common bytes, as a share of the larger file. */
unsigned chunks_similarity(const struct chunks *a, const struct chunks *b);
