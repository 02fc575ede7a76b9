#include "os/internal.h"

#define MS     ((int64_t)1000 * 1000)
#define SECOND (1000 * MS)
/* File times come from the clock's last tick, at most this long ago. */
#define TICK (20 * MS)

/* After a move, a link at the old path leads to the same folder, but at another place. */
static bool stat_place(const char *path, struct stat *st, char real[OS_PATH_MAX])
{
	int fd = os_openat(AT_FDCWD, path, O_PATH, 0);
	char name[32];
	ssize_t n;

	if (fd < 0)
		return false;
	snprintf(name, sizeof(name), OS_PROC_SELF "fd/%d", fd);
	n = fstat(fd, st) ? -1 : readlink(name, real, OS_PATH_MAX - 1);
	close(fd);
	/* Without /proc the folder may move in between, and the next look sees that. */
	if (n < 0 && realpath(path, real))
		n = (ssize_t)strlen(real);
	real[n > 0 ? n : 0] = 0;
	return true;
}

/* real, for a place: storage of the caller; empty when unknown. */
static struct os_stamp stamp_take(const char *path, enum os_stamp_of of, char real[OS_PATH_MAX])
{
	struct os_stamp s = {.path = path, .of = of, .real = ""};
	struct stat st = {0};

	if (of == OS_STAMP_PLACE  ? !stat_place(path, &st, real)
	    : of == OS_STAMP_NAME ? lstat(path, &st)
				  : stat(path, &st))
		return s;
	s.dev = st.st_dev;
	s.ino = st.st_ino;
	s.mode = st.st_mode;
	s.uid = st.st_uid;
	if (of == OS_STAMP_PLACE)
		s.real = real;
	if (of != OS_STAMP_TEXT)
		return s;
	s.size = (uint64_t)st.st_size;
	s.mtime_ns = os_timespec_ns(&st.st_mtim);
	s.ctime_ns = os_timespec_ns(&st.st_ctim);
	return s;
}

static bool os_stamp_same(const struct os_stamp *a, const struct os_stamp *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mode == b->mode &&
	       a->uid == b->uid && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
	       !strcmp(a->real, b->real);
}

/* Whether a later change might not show. */
static bool is_unsure(const struct os_stamp *s)
{
	struct timespec now;

	if (s->of == OS_STAMP_NAME)
		return S_ISLNK(s->mode);
	if (s->of == OS_STAMP_PLACE)
		return !*s->real;
	clock_gettime(CLOCK_REALTIME, &now);
	/* With whole-second times, a clock that is set back a little can repeat a time. */
	return os_timespec_ns(&now) - s->ctime_ns < TICK || !(s->ctime_ns % SECOND);
}

bool os_stamps_add(struct arena *a, struct os_stamps *s, const char *path, enum os_stamp_of of)
{
	char real[OS_PATH_MAX];
	struct os_stamp *new;

	for (size_t i = 0; i < s->n; i++)
		if (s->p[i].of == of && !strcmp(s->p[i].path, path))
			return s->p[i].ino;
	new = VEC_PUSH(a, s);
	*new = stamp_take(path, of, real);
	if (!new->ino)
		return false;
	new->real = str_c(a, str_of(new->real));
	s->unsure |= is_unsure(new);
	return true;
}

bool os_stamps_hold(const struct os_stamps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		char real[OS_PATH_MAX];
		struct os_stamp now = stamp_take(s->p[i].path, s->p[i].of, real);

		if (!os_stamp_same(&s->p[i], &now))
			return false;
	}
	return true;
}

bool os_stamps_same(const struct os_stamps *one, const struct os_stamps *two)
{
	if (one->n != two->n)
		return false;
	for (size_t i = 0; i < one->n; i++)
		if (one->p[i].of != two->p[i].of || strcmp(one->p[i].path, two->p[i].path) ||
		    !os_stamp_same(&one->p[i], &two->p[i]))
			return false;
	return true;
}
