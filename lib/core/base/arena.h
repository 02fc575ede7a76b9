/*
 * arena: memory that is freed all at once. Each call has an arena; in a server, each request has
 * its own. A loop over unbounded input uses a child arena for each batch. When memory runs out, the
 * program ends with a message, so a function that only allocates returns no error.
 */
#pragma once

struct arena;

struct arena *arena_new(void);
/* Runs the deferred functions, the last registered first, then frees all memory. NULL is fine. */
void arena_free(struct arena *a);
/*
 * The same, but the arena can be used again. It keeps its newest block, so that a loop does not ask
 * the system for the same pages again and again.
 */
void arena_reset(struct arena *a);
/* The parent frees the child. The child may be used by another thread than its parent. */
struct arena *arena_child(struct arena *parent);
/* struct arena *a ARENA_LOCAL = arena_new(): freed when its block ends, also through TRY(). */
#define ARENA_LOCAL __attribute__((cleanup(arena_leave)))
void arena_leave(struct arena **a);

/* Without memory the program ends, with a message and status 8, after these functions. */
noreturn void out_of_memory(size_t n);
extern void (*out_of_memory_first)(void);
extern _Thread_local void (*out_of_memory_undo)(void);
/* calloc() and realloc() that end so too: for libraries that would crash or abort instead. */
void *mem_zeroed(size_t n, size_t size);
void *mem_resized(void *p, size_t n);

/* Zeroed, aligned for any type, valid until the arena is freed. n may be 0. */
void *arena_alloc(struct arena *a, size_t n) __attribute__((malloc, returns_nonnull));
/* n * size bytes, zeroed; an overflow ends the program. */
void *arena_array(struct arena *a, size_t n, size_t size) __attribute__((returns_nonnull));
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

/*
 * Grows an array of `size`-byte elements so that it can hold `need` elements: an empty one to as
 * many, but at least eight; others by doubling *cap. What the arena gave out last grows where it
 * is. Otherwise this copies the elements, and the old block stays in the arena. VEC_PUSH uses this
 * function.
 */
void *arena_array_grow(struct arena *a, void *p, size_t *cap, size_t need, size_t size);

/*
 * A vector is a struct with members p, n and cap, {0} when empty:
 *   struct change_list VEC(struct change);
 *   struct VEC(const char *) names;
 */
#define VEC(type)                                                                                  \
	{                                                                                          \
		type *p;                                                                           \
		size_t n, cap;                                                                     \
	}
/* Adds to it. Returns a pointer to the new, zeroed element. */
#define VEC_PUSH(a, v)                                                                             \
	((v)->n < (v)->cap ? (void)0                                                               \
			   : (void)((v)->p = arena_array_grow((a), (v)->p, &(v)->cap, (v)->n + 1,  \
							      sizeof(*(v)->p))),                   \
	 &(v)->p[(v)->n++])
/* Makes room for so many elements more, where their number is known. */
#define VEC_ROOM(a, v, more)                                                                       \
	((v)->cap - (v)->n >= (more)                                                               \
		 ? (void)0                                                                         \
		 : (void)((v)->p = arena_array_grow((a), (v)->p, &(v)->cap, (v)->n + (more),       \
						    sizeof(*(v)->p))))
/*
 * The loop over the elements of a vector, or of another list with p and n, which must not grow in
 * the loop:
 *   VEC_EACH(const struct change, one, &list)
 */
#define VEC_EACH(type, one, v)                                                                     \
	for (type *one = (v)->p, *one##_end = one ? one + (v)->n : one; one < one##_end; one++)
/* qsort() of it; p of an empty list may be NULL, which qsort() must not get. */
#define VEC_SORT(v, order) ((v)->n ? qsort((v)->p, (v)->n, sizeof(*(v)->p), (order)) : (void)0)

/*
 * A binary search: lo becomes the first index from lo to n for which `before` is false. `before` is
 * an expression with the index mid.
 *   size_t at = 0;
 *   BISECT(at, mid, list->n, list->p[mid].from < offset);
 */
#define BISECT(lo, mid, n, before)                                                                 \
	do {                                                                                       \
		size_t hi_ = (n);                                                                  \
                                                                                                   \
		while ((lo) < hi_) {                                                               \
			size_t mid = (lo) + (hi_ - (lo)) / 2;                                      \
                                                                                                   \
			if (before)                                                                \
				(lo) = mid + 1;                                                    \
			else                                                                       \
				hi_ = mid;                                                         \
		}                                                                                  \
	} while (0)

/* Calls fn(p) when the arena is freed. This is how foreign handles are released. */
void arena_defer(struct arena *a, void (*fn)(void *), void *p);
