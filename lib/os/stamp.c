#include "base/base.h"
#include "os/private.h"

#define MS     ((int64_t)1000 * 1000)
#define SECOND (1000 * MS)
/* Times of files are those of the clock's last tick, which is at most this long ago. */
#define TICK   (20 * MS)
/* FAT counts in two seconds. */
#define COARSE (2 * SECOND + TICK)

static int64_t ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static struct os_stamp look(const char *path, bool place)
{
	struct os_stamp s = {.path = path, .place = place};
	struct stat st;

	if (stat(path, &st))
		return s;
	s.dev = st.st_dev;
	s.ino = st.st_ino;
	s.mode = st.st_mode;
	s.uid = st.st_uid;
	if (place)
		return s;
	s.size = (uint64_t)st.st_size;
	s.mtime_ns = ns_of(st.st_mtim);
	s.ctime_ns = ns_of(st.st_ctim);
	return s;
}

static bool same(const struct os_stamp *a, const struct os_stamp *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mode == b->mode &&
	       a->uid == b->uid && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

void os_stamp(struct arena *a, struct os_stamps *s, const char *path, bool place)
{
	struct os_stamp *new = VEC_PUSH(a, s);
	struct timespec now;
	int64_t age;

	*new = look(path, place);
	if (place || !new->ino)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	age = ns_of(now) - new->ctime_ns;
	/* Where times are whole seconds, that is all the file system can tell. */
	if (age < (new->ctime_ns % SECOND ? TICK : COARSE))
		s->fresh = true;
}

bool os_stamps_hold(const struct os_stamps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct os_stamp now = look(s->p[i].path, s->p[i].place);

		if (!same(&s->p[i], &now))
			return false;
	}
	return true;
}

bool os_stamps_same(const struct os_stamps *one, const struct os_stamps *two)
{
	if (one->n != two->n)
		return false;
	for (size_t i = 0; i < one->n; i++)
		if (one->p[i].place != two->p[i].place ||
		    strcmp(one->p[i].path, two->p[i].path) || !same(&one->p[i], &two->p[i]))
			return false;
	return true;
}
