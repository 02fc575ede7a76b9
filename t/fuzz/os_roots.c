/*
 * Any path, in folders full of links that lead out: what opens is inside. The input's first byte
 * says whether it is taken as absolute, below the folder.
 */
#include "base/base.h"
#include "os/os.h"
#include <unistd.h>

static char dir[] = "/tmp/ikm-fuzz.XXXXXX";
static struct os_roots *roots;

static void clean(void)
{
	struct arena *a = arena_new();
	const char *argv[] = {"rm", "-rf", dir, NULL};
	struct os_spawn rm = {.argv = argv};
	struct os_result r;

	if (os_run(a, &rm, &r))
		fprintf(stderr, "cannot remove %s\n", dir);
	arena_free(a);
}

static void build(void)
{
	static const char *const links[][2] = {
		{"f", "root/l"},          {"a", "root/d"},       {"..", "root/up"},
		{"../secret", "root/o"},  {"a/..", "root/u"},    {".git", "root/g"},
		{"/proc/self", "root/p"}, {"state/x", "root/s"}, {"../root/a", "root/a/again"},
		{"/", "root/top"},
	};
	static const char *const files[] = {"secret", "root/f", "root/a/f", "root/.git/x",
					    "root/state/x"};
	static struct arena *a; /* for as long as we run */
	struct strs in = {0}, not = {0};

	a = arena_new();
	if (!mkdtemp(dir) || atexit(clean))
		BUG("no folder");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (os_write(os_join(a, dir, files[i]), str_of(i == 1 || i == 2 ? "in" : "out"),
			     OS_PARENTS))
			BUG("no file");
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlink(links[i][0], os_join(a, dir, links[i][1])))
			BUG("no link");
	strs_push(a, &in, str_fmt(a, "%s/root", dir));
	strs_push(a, &not, str_fmt(a, "%s/root/state", dir));
	if (os_roots_new(a, &in, &not, &roots))
		BUG("no roots");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str path = {(const char *)data, size}, got;
	const char *name;
	struct os_made *made;
	struct strs names;
	int fd;

	if (!roots)
		build();
	if (size && data[0] == '/')
		path = str_fmt(a, "%s%.*s", dir, STR_ARG(path));
	if (!os_roots_read(roots, a, str_c(a, str_fmt(a, "%s/root", dir)), path, 1 << 20, &got) &&
	    !str_is(got, "in"))
		abort();
	if (!os_roots_parent(roots, a, dir, path, &fd, &name)) {
		if (os_readlink(a, str_c(a, str_fmt(a, "/proc/self/fd/%d", fd)), &got) ||
		    !str_starts(got, str_fmt(a, "%s/root", dir)) || strchr(name, '/') || !*name)
			abort();
	}
	if (!os_roots_mkdirs(roots, a, str_c(a, str_fmt(a, "%s/root", dir)), path, 0777, &made)) {
		if (os_list(a, dir, &names) || names.n != 2)
			abort();
		os_unmake(made);
	}
	arena_free(a);
	return 0;
}
