/* The only user of zlib.h. */
#include "git/internal.h"
#include <zlib.h>

#define STEP ((size_t)1 << 30) /* zlib counts in unsigned int */

struct inflate {
	z_stream z;
	const unsigned char *in;
	size_t left; /* input that the stream has not been given yet */
	bool end;
};

/* An error of zlib for want of memory would be taken for damage. */
static void *inflate_alloc(void *ctx, unsigned n, unsigned size)
{
	(void)ctx;
	return mem_resized(NULL, (size_t)n * size);
}

static void inflate_free(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

static void inflate_release(void *p)
{
	inflateEnd(&((struct inflate *)p)->z);
}

struct inflate *inflate_new(struct arena *a)
{
	struct inflate *f = ARENA_NEW(a, struct inflate);

	f->z.zalloc = inflate_alloc;
	f->z.zfree = inflate_free;
	if (inflateInit(&f->z) != Z_OK)
		BUG("zlib does not start");
	arena_defer(a, inflate_release, f);
	return f;
}

void inflate_start(struct inflate *f, struct str in)
{
	inflateReset(&f->z);
	f->in = (const unsigned char *)in.p;
	f->left = in.n;
	f->z.avail_in = 0;
	f->end = false;
}

bool inflate_next(struct inflate *f, void *to, size_t *n)
{
	size_t done = 0;

	while (done < *n && !f->end) {
		unsigned before;
		int rc;

		if (!f->z.avail_in) {
			f->z.next_in = (unsigned char *)(uintptr_t)f->in;
			f->z.avail_in = (uInt)size_min(f->left, STEP);
			f->in += f->z.avail_in;
			f->left -= f->z.avail_in;
		}
		f->z.next_out = (unsigned char *)to + done;
		f->z.avail_out = before = (uInt)size_min(*n - done, STEP);
		/* It makes no window when all of the output has room. */
		rc = inflate(&f->z, Z_FINISH);
		done += before - f->z.avail_out;
		f->end = rc == Z_STREAM_END;
		if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
			return false;
		/*
		 * Neither input nor output moved: the stream is truncated. (libgit2 1.5 loops
		 * forever here.)
		 */
		if (!f->end && !f->z.avail_in && !f->left && before == f->z.avail_out)
			return false;
	}
	*n = done;
	return true;
}

size_t inflate_trailing_bytes(const struct inflate *f)
{
	return f->left + f->z.avail_in;
}
