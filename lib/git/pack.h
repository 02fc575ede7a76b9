/* Packs: what packidx.c finds, and pack.c reads. */
#ifndef IKM_GIT_PACK_H
#define IKM_GIT_PACK_H

#include "git/internal.h"
#include <pthread.h>

#define PACK_SLOTS 1024

struct pack {
	const char *name; /* without ".pack" */
	bool tried;       /* to map its index */
	unsigned version;
	struct str idx, pack;
	uint32_t n;
	const unsigned char *fanout, *names, *offsets, *far; /* far: offsets of 64 bits */
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
	pthread_mutex_t lock; /* of all below */
	struct arena *arena;
	bool listed;
	struct pack **p; /* newest first */
	size_t n;
	struct slot cache[PACK_SLOTS];
	size_t cached;
};

/* Finds the tables in p->idx; false when they cannot all be in it. */
bool pack_parse_idx(struct pack *p, unsigned char id_len);
/* Instead of those in the object folders: for tests. */
void pack_set(const struct git *g, struct pack **packs, size_t n);
/* The nth, with its index; *out NULL beyond the last. */
struct err *pack_get(const struct git *g, size_t i, struct pack **out) MUST_USE;
/* *found false also when the index names it, but the pack is gone. */
struct err *pack_lookup(const struct git *g, struct pack *p, const unsigned char *id,
			size_t *offset, bool *found) MUST_USE;
struct err *pack_damaged(const struct pack *p, const char *what) MUST_USE;

#endif
