/*
 * The objects of a commit between their writing and the move of the reference: they are made
 * durable, and each is read again from its file or pack. A writer may have been wrong about an
 * object that it did not write because "it is there already", and git would then have a branch that
 * names missing objects.
 */
#include "git/commit.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

void written_add(struct git *g, const unsigned char *id)
{
	memcpy(*VEC_PUSH(g->arena, &g->written), id, g->id_len);
}

struct written_sync {
	struct strs paths;
	atomic_int errnum;
};

static void written_sync_one(void *ctx, unsigned thread, size_t i)
{
	struct written_sync *s = ctx;
	int fd = open(s->paths.p[i].p, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	(void)thread;
	/* The object lies in a pack: object_verify() reads it there. */
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || os_fsync(fd))
		s->errnum = errno;
	if (fd >= 0)
		close(fd);
}

/* At the same time, so that the file system can write them in one go. */
static struct err *written_sync(struct git *g, struct arena *a)
{
	const char *objects = g->objects.p[0].p;
	struct written_sync s = {0};
	char hex[HEX_MAX];

	for (size_t i = 0; i < g->written.n; i++) {
		struct str dir;

		id_hex(g->written.p[i], g->id_len, hex);
		dir = str_fmt(a, "%s/%.2s", objects, hex);
		strs_push(a, &s.paths, str_fmt(a, "%s/%s", dir.p, hex + 2));
		if (!strs_has(&s.paths, dir))
			strs_push(a, &s.paths, dir);
	}
	if (s.paths.n)
		strs_push(a, &s.paths, g->objects.p[0]);
	if (!os_fault("fsync of objects"))
		s.errnum = errno;
	else
		os_parallel_for(s.paths.n, 8, written_sync_one, &s);
	return s.errnum ? err_errno(s.errnum, "make the objects in '%s' durable", objects) : NULL;
}

struct err *written_settle(struct git *g, struct arena *a)
{
	/* What git wrote, git made durable. */
	if (put_natively(g, a))
		TRY(written_sync(g, a));
	for (size_t i = 0; i < g->written.n; i++)
		TRY(object_verify(g, g->written.p[i]));
	g->written.n = 0;
	return NULL;
}
