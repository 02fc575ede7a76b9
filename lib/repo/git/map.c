/* Maps files into memory: Git replaces files whole, so a mapped file does not change. */
#include "git/internal.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL ((size_t)16 << 10) /* to read so few bytes costs less than to map them */

struct mapping {
	void *p;
	size_t n;
};

static void unmap(void *p)
{
	struct mapping *m = p;

	munmap(m->p, m->n);
}

static struct err *map(struct arena *a, int fd, const char *path, size_t max, struct str *out)
{
	struct mapping *m = ARENA_NEW(a, struct mapping);
	struct stat st;

	if (fstat(fd, &st))
		return err_errno(errno, "examine '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_new(E_NOT_A_FILE, "'%s' is not a regular file", path);
	if ((uint64_t)st.st_size > max)
		return err_new(E_TOO_BIG, "'%s' is too big: over %zu bytes", path, max);
	*out = (struct str){"", 0};
	m->n = (size_t)st.st_size;
	if (m->n <= SMALL) {
		m->p = arena_alloc(a, m->n);
		out->p = m->p;
		for (size_t got = 1; got && out->n < m->n; out->n += got)
			TRY(os_read_some(fd, path, (char *)m->p + out->n, m->n - out->n, &got));
		return NULL;
	}
	m->p = mmap(NULL, m->n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (m->p == MAP_FAILED)
		return err_errno(errno, "map '%s'", path);
	arena_defer(a, unmap, m);
	*out = (struct str){m->p, m->n};
	return NULL;
}

struct err *map_file(struct arena *a, const char *path, size_t max, struct str *out, bool *there)
{
	/* O_NONBLOCK: open() must not block on a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct err *e;

	*there = fd >= 0;
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? NULL
							   : err_errno(errno, "open '%s'", path);
	e = map(a, fd, path, max, out);
	close(fd);
	return e;
}
