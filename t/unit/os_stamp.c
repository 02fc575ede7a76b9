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

static struct os_stamps stamp(struct arena *a, const char *path, enum os_stamp_of of)
{
	struct os_stamps s = {0};

	os_stamps_add(a, &s, path, of);
	return s;
}

static void contents(struct arena *a, const char *dir)
{
	const char *file = os_join(a, dir, "file"), *link = os_join(a, dir, "link");
	struct os_stamps s = stamp(a, file, OS_STAMP_TEXT), of_link;

	ok(os_stamps_hold(&s), "what is not there is not there");
	ok(!s.unsure, "and has not changed lately");
	write_file(file, "one");
	ok(!os_stamps_hold(&s), "until it is");
	/* On a busy machine "just now" may be long ago. */
	for (int i = 0; i < 100 && !s.unsure; i++) {
		write_file(file, "one");
		s = stamp(a, file, OS_STAMP_TEXT);
	}
	ok(s.unsure, "what was written just now may change unseen");
	poll(NULL, 0, 30);
	s = stamp(a, file, OS_STAMP_TEXT);
	ok(!s.unsure && os_stamps_hold(&s), "a little later it holds");
	if (symlink("file", link))
		BUG("no link");
	of_link = stamp(a, link, OS_STAMP_TEXT);
	write_file(file, "two");
	ok(!os_stamps_hold(&s), "another text of the same size");
	ok(!os_stamps_hold(&of_link), "a link is what it leads to");
	s = stamp(a, file, OS_STAMP_TEXT);
	chmod(file, 0600);
	ok(!os_stamps_hold(&s), "another mode");
	s = stamp(a, file, OS_STAMP_TEXT);
	unlink(file);
	ok(!os_stamps_hold(&s), "it is gone");
}

static void places(struct arena *a, const char *dir)
{
	const char *place = os_join(a, dir, "place"), *other = os_join(a, dir, "other");
	struct os_stamps s, two;

	if (mkdir(place, 0755))
		BUG("no folder");
	s = stamp(a, place, OS_STAMP_PLACE);
	ok(!s.unsure, "a place is not held by times");
	write_file(os_join(a, place, "file"), "x");
	ok(os_stamps_hold(&s), "nor by what is in it");
	two = stamp(a, place, OS_STAMP_PLACE);
	ok(os_stamps_same(&s, &two), "two stamps of it are the same");
	two = stamp(a, dir, OS_STAMP_PLACE);
	ok(!os_stamps_same(&s, &two), "those of two places are not");
	if (rename(place, other) || mkdir(place, 0755))
		BUG("no folder");
	ok(!os_stamps_hold(&s), "another folder of the same name");
	two = stamp(a, place, OS_STAMP_PLACE);
	ok(!os_stamps_same(&s, &two), "which has another stamp");
	os_stamps_add(a, &two, other, OS_STAMP_PLACE);
	s = stamp(a, place, OS_STAMP_PLACE);
	ok(!os_stamps_same(&s, &two), "one is not the same as two");
	s = stamp(a, place, OS_STAMP_PLACE);
	two = stamp(a, place, OS_STAMP_NAME);
	ok(os_stamps_hold(&two) && !two.unsure, "what has a name");
	if (rename(place, os_join(a, dir, "moved")) || symlink("moved", place))
		BUG("no link");
	ok(!os_stamps_hold(&s), "the same folder, which lies elsewhere now");
	ok(!os_stamps_hold(&two), "a link has the name now");
	ok(stamp(a, place, OS_STAMP_NAME).unsure, "and a link may lead elsewhere unseen");
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
