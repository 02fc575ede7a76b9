/* Packs: packidx.c finds objects in them, pack.c reads the objects. */
#pragma once

#include "git/internal.h"
#include <pthread.h>

#define PACK_SLOTS 1024

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

struct slot {
	const struct pack *pack;
	size_t offset;
	enum object_type type;
	char *p;
	size_t n;
};

struct packs {
	pthread_mutex_t lock; /* of all members below */
	struct arena *arena;
	bool listed;
	struct pack **p; /* newest first */
	size_t n;
	struct slot cache[PACK_SLOTS];
	size_t cached;
};

/* Finds the tables in p->idx; false when the file is too small for them. */
bool pack_parse_idx(struct pack *p, unsigned char id_len);
/* For tests: replaces the packs of the object folders. */
void git_packs_replace_for_test(const struct git *g, struct pack **packs, size_t n);
/* The nth pack with its index; *out is NULL beyond the last. */
struct err *packs_get_nth_pack(const struct git *g, size_t i, struct pack **out) MUST_USE;
/* *found is also false when the index names the object, but the pack is gone. */
struct err *pack_lookup(const struct git *g, struct pack *p, const unsigned char *id,
			size_t *offset, bool *found) MUST_USE;
struct err *pack_damaged(const struct pack *p, const char *what) MUST_USE;
