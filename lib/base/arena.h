/*
 * arena: memory that is given back all at once. One per call (in a server, per request); loops
 * over unbounded input take a child per batch. Running out of memory ends the program with a
 * message, so no function that only allocates returns an error.
 */
#ifndef IKM_ARENA_H
#define IKM_ARENA_H

struct arena;

struct arena *arena_new(void);
/* Runs what was deferred, last registered first, then gives all memory back. NULL is fine. */
void arena_free(struct arena *a);
/* Freed with its parent, whose thread need not be the one that uses it. */
struct arena *arena_child(struct arena *parent);
/* struct arena *a ARENA_LOCAL = arena_new(): freed where its block ends, also by TRY(). */
#define ARENA_LOCAL __attribute__((cleanup(arena_leave)))
void arena_leave(struct arena **a);

/* Zeroed, aligned for any type, valid until the arena is freed. n may be 0. */
void *arena_alloc(struct arena *a, size_t n) __attribute__((malloc, returns_nonnull));
/* n * size bytes, zeroed; an overflow ends the program. */
void *arena_array(struct arena *a, size_t n, size_t size) __attribute__((returns_nonnull));
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

/*
 * Grows an array of `size`-byte elements so that it can hold `need`: doubles *cap, copies, leaves
 * the old block to the arena. For arrays that grow by push; see VEC_PUSH.
 */
void *arena_grow(struct arena *a, void *p, size_t *cap, size_t need, size_t size);

/* A vector is any struct with members p, n, cap. Gives a pointer to the new, zeroed element. */
#define VEC_PUSH(a, v)                                                                             \
	((v)->n < (v)->cap ? (void)0                                                               \
			   : (void)((v)->p = arena_grow((a), (v)->p, &(v)->cap, (v)->n + 1,        \
							sizeof(*(v)->p))),                         \
	 &(v)->p[(v)->n++])

/* Calls fn(p) when the arena is freed: how foreign handles are released. */
void arena_defer(struct arena *a, void (*fn)(void *), void *p);

#endif
