#include "base/base.h"
#include <unistd.h>

#define CHUNK   ((size_t)4 * 1024)
#define ALIGN   ((size_t)16)
#define CAP_MIN ((size_t)8)
#ifdef __SANITIZE_ADDRESS__
/* Each value has a chunk of its own, and the sanitizer sees a write behind it. */
#define LARGE ((size_t)1)
#else
/* From this size on, malloc() asks the kernel, which zeroes pages when they are first used. */
#define LARGE ((size_t)128 * 1024)
#endif

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(16) char data[];
};

struct defer {
	struct defer *next;
	void (*fn)(void *);
	void *p;
};

struct arena {
	struct chunk *chunks;
	struct defer *defers;
	size_t next_size;
};

void (*out_of_memory_first)(void);
_Thread_local void (*out_of_memory_undo)(void);

noreturn void out_of_memory(size_t n)
{
	void (*first)(void) = __atomic_exchange_n(&out_of_memory_first, NULL, __ATOMIC_SEQ_CST);

	if (out_of_memory_undo)
		out_of_memory_undo();
	if (first)
		first();
	fprintf(stderr, "ikm: out of memory (%zu bytes more were needed)\n", n);
	_exit(8);
}

void *mem_zeroed(size_t n, size_t size)
{
	void *p;

	if (!n || !size)
		n = size = 1;
	p = calloc(n, size);
	if (!p)
		out_of_memory(n > SIZE_MAX / size ? SIZE_MAX : n * size);
	return p;
}

void *mem_resized(void *p, size_t n)
{
	p = realloc(p, size_max(n, 1));
	if (!p)
		out_of_memory(n);
	return p;
}

struct arena *arena_new(void)
{
	struct arena *a = mem_zeroed(1, sizeof(*a));

	a->next_size = CHUNK;
	return a;
}

static void arena_run_deferred(struct arena *a)
{
	/* A deferred function may call arena_defer(), so each round takes the head of the list. */
	while (a->defers) {
		struct defer *d = a->defers;

		a->defers = d->next;
		d->fn(d->p);
	}
}

static void arena_free_chunks(struct chunk *c)
{
	for (struct chunk *next; c; c = next) {
		next = c->next;
		free(c);
	}
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	arena_run_deferred(a);
	arena_free_chunks(a->chunks);
	free(a);
}

void arena_reset(struct arena *a)
{
	struct chunk *c;

	arena_run_deferred(a);
	c = a->chunks;
	if (!c)
		return;
	arena_free_chunks(c->next);
	c->next = NULL;
	c->used = 0;
}

void arena_leave(struct arena **a)
{
	arena_free(*a);
}

static size_t arena_rounded(size_t n)
{
	if (n > SIZE_MAX / 2)
		out_of_memory(n);
	return (n + ALIGN - 1) & ~(ALIGN - 1);
}

/* Chunks double up to 1 MiB, so a million small values cost few calls to malloc. */
static void arena_next_doubles(struct arena *a)
{
	if (a->next_size < (size_t)1 << 20)
		a->next_size *= 2;
}

/* A chunk of its own for something large. calloc() knows which memory the kernel has zeroed. */
static void *arena_alloc_large(struct arena *a, size_t n)
{
	struct chunk *c = mem_zeroed(1, sizeof(*c) + n);

	c->used = c->size = n;
	if (a->chunks) {
		/* Put it second: the free rest of the current chunk stays in use. */
		c->next = a->chunks->next;
		a->chunks->next = c;
	} else {
		a->chunks = c;
	}
	arena_next_doubles(a);
	return c->data;
}

/*
 * Zeroes what it gives out, and not the whole chunk: a page that is never used costs nothing, and
 * the kernel takes 2 microseconds for the first write to a page.
 */
void *arena_alloc(struct arena *a, size_t n)
{
	struct chunk *c = a->chunks;
	size_t want = arena_rounded(n);

	if (want + 1 >= LARGE)
		return arena_alloc_large(a, n);
	if (!c || c->size - c->used < want) {
		if (want > a->next_size)
			return arena_alloc_large(a, want);
		c = mem_resized(NULL, sizeof(*c) + a->next_size);
		c->size = a->next_size;
		c->used = 0;
		c->next = a->chunks;
		a->chunks = c;
		arena_next_doubles(a);
	}
	void *p = c->data + c->used;

	c->used += want;
	return memset(p, 0, want);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return arena_alloc(a, n * size);
}

/* Whether the chunk has room to make its last allocation larger. */
static bool arena_extend(struct arena *a, const void *p, size_t was, size_t want)
{
	struct chunk *c = a->chunks;
	char *end;

	if (!c || !was || want >= LARGE || c->used < was || p != c->data + c->used - was ||
	    c->size - c->used < want - was)
		return false;
	end = c->data + c->used;
	memset(end, 0, want - was);
	c->used += want - was;
	return true;
}

void *arena_array_grow(struct arena *a, void *p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : size_max(CAP_MIN, need);
	void *q;

	while (n < need)
		n *= 2;
	if (size && n > SIZE_MAX / 2 / size)
		out_of_memory(SIZE_MAX);
	if (arena_extend(a, p, arena_rounded(*cap * size), arena_rounded(n * size))) {
		*cap = n;
		return p;
	}
	q = arena_array(a, n, size);
	if (*cap)
		memcpy(q, p, *cap * size);
	*cap = n;
	return q;
}

void arena_defer(struct arena *a, void (*fn)(void *), void *p)
{
	struct defer *d = ARENA_NEW(a, struct defer);

	d->fn = fn;
	d->p = p;
	d->next = a->defers;
	a->defers = d;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "ikm: BUG at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

static void arena_free_child(void *p)
{
	arena_free(p);
}

struct arena *arena_child(struct arena *parent)
{
	struct arena *a = arena_new();

	arena_defer(parent, arena_free_child, a);
	return a;
}
