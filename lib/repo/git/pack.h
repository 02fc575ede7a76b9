/* What pack.c shares with its fuzz target. */
#pragma once

#include "git/internal.h"

struct pack {
	const char *name; /* without ".pack" */
	bool tried;       /* its index was mapped, or is gone */
	bool damaged;     /* its index */
	unsigned version;
	struct str idx, pack;
	uint32_t n;
	const unsigned char *fanout, *names, *offsets, *far; /* far: 64-bit offsets */
	size_t far_n;
};

/* Finds the tables in p->idx; false when the file is too small for them. */
bool pack_parse_idx(struct pack *p, unsigned char id_len);
/* For tests: replaces the packs of the object folders. */
void git_packs_replace_for_test(const struct git *g, struct pack **packs, size_t n);
