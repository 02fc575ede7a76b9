/* Stamps: they hold as long as nothing has changed, and say when a change might not show. */
#include "tap.h"
#include "dir.h"
#include "os/os.h"
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
	if (os_write(path, str_of(text), 0))
		BUG("cannot write %s", path);
}

static struct os_stamps stamp(struct arena *a, const char *path, bool place)
{
	struct os_stamps s = {0};

	os_stamp(a, &s, path, place);
	return s;
}

static void contents(struct arena *a, const char *dir)
{
	const char *file = os_join(a, dir, "file"), *link = os_join(a, dir, "link");
	struct os_stamps s = stamp(a, file, false), of_link;

	ok(os_stamps_hold(&s), "what is not there is not there");
	ok(!s.fresh, "and has not changed lately");
	write_file(file, "one");
	ok(!os_stamps_hold(&s), "until it is");
	/* On a busy machine "just now" may be long ago. */
	for (int i = 0; i < 100 && !s.fresh; i++) {
		write_file(file, "one");
		s = stamp(a, file, false);
	}
	ok(s.fresh, "what was written just now may change unseen");
	poll(NULL, 0, 30);
	s = stamp(a, file, false);
	ok(!s.fresh && os_stamps_hold(&s), "a little later it holds");
	if (symlink("file", link))
		BUG("no link");
	of_link = stamp(a, link, false);
	write_file(file, "two");
	ok(!os_stamps_hold(&s), "another text of the same size");
	ok(!os_stamps_hold(&of_link), "a link is what it leads to");
	s = stamp(a, file, false);
	chmod(file, 0600);
	ok(!os_stamps_hold(&s), "another mode");
	s = stamp(a, file, false);
	unlink(file);
	ok(!os_stamps_hold(&s), "it is gone");
}

static void places(struct arena *a, const char *dir)
{
	const char *place = os_join(a, dir, "place"), *other = os_join(a, dir, "other");
	struct os_stamps s, two;

	if (mkdir(place, 0755))
		BUG("no folder");
	s = stamp(a, place, true);
	ok(!s.fresh, "a place is not held by times");
	write_file(os_join(a, place, "file"), "x");
	ok(os_stamps_hold(&s), "nor by what is in it");
	two = stamp(a, place, true);
	ok(os_stamps_same(&s, &two), "two stamps of it are the same");
	two = stamp(a, dir, true);
	ok(!os_stamps_same(&s, &two), "those of two places are not");
	if (rename(place, other) || mkdir(place, 0755))
		BUG("no folder");
	ok(!os_stamps_hold(&s), "another folder of the same name");
	two = stamp(a, place, true);
	ok(!os_stamps_same(&s, &two), "which has another stamp");
	os_stamp(a, &two, other, true);
	s = stamp(a, place, true);
	ok(!os_stamps_same(&s, &two), "one is not the same as two");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	contents(a, dir);
	places(a, dir);
	arena_free(a);
	return tap_done();
}
