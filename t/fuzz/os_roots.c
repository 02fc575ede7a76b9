/*
 * Any path, in folders full of links that lead out: what opens is inside. The input's first byte
 * says whether it is taken as absolute, below the folder. The path is also a root, and a denied
 * folder, of its own.
 */
#include "base/base.h"
#include "os/os.h"
#include <unistd.h>

/* In memory, if that can be: new folders are synced. */
static char dir[] = "/dev/shm/ikm-fuzz.XXXXXX";
static struct os_roots *roots, *plain; /* plain: nothing is denied but .git */

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
	static const char *const texts[] = {"out", "in", "in", "out", "denied"};
	static struct arena *a; /* for as long as we run */
	struct strs in = {0}, not = {0};

	a = arena_new();
	if (access("/dev/shm", W_OK))
		memcpy(dir, "/tmp/ikm-fuzz.XXXXXX", sizeof("/tmp/ikm-fuzz.XXXXXX"));
	if (!mkdtemp(dir) || atexit(clean))
		BUG("no folder");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (os_write(os_join(a, dir, files[i]), str_of(texts[i]), OS_PARENTS))
			BUG("no file");
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlink(links[i][0], os_join(a, dir, links[i][1])))
			BUG("no link");
	strs_push(a, &in, str_fmt(a, "%s/root", dir));
	strs_push(a, &not, str_fmt(a, "%s/root/state", dir));
	if (os_roots_new(a, &in, &not, &roots) || os_roots_new(a, &in, NULL, &plain))
		BUG("no roots");
}

/* Whether the open folder is the root, or below it. */
static bool is_inside(struct arena *a, int fd)
{
	struct str got;

	return !os_readlink(a, str_c(a, str_fmt(a, "/proc/self/fd/%d", fd)), &got) &&
	       str_starts(got, str_fmt(a, "%s/root", dir));
}

/* The path as a root, and as what is denied. */
static void own_roots(struct arena *a, struct str path)
{
	struct strs one = {&path, 1, 1}, paths = {0};
	struct os_roots *r;

	if (!os_roots_new(a, &one, &one, &r)) {
		os_roots_paths(r, a, &paths);
		if (paths.n != 1 || !str_starts(paths.p[0], STR("/")))
			abort();
	}
}

/* What only looks, with a root or without any. */
static void look(const struct os_roots *r, struct arena *a, const char *cwd, struct str path)
{
	struct os_stat st, again;
	struct str got;
	const char *name;
	int fd;

	if (!os_roots_open_dir(r, a, cwd, path, &fd)) {
		if (r && !is_inside(a, fd))
			abort();
		if (os_roots_stat(r, cwd, path, &st) || st.kind != OS_DIR)
			abort();
	}
	if (!os_roots_parent_nofollow(r, a, cwd, path, &fd, &name) &&
	    ((r && !is_inside(a, fd)) || strchr(name, '/') || !*name))
		abort();
	if (!os_roots_stat(r, cwd, path, &st) && st.kind == OS_FILE &&
	    !os_roots_read(r, a, cwd, path, 1 << 20, &got) &&
	    (os_roots_stat(r, cwd, path, &again) || again.kind != OS_FILE))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str path = {(const char *)data, size}, got;
	const char *name, *cwd;
	struct os_made *made;
	struct strs names;
	int fd;

	if (!roots)
		build();
	cwd = str_c(a, str_fmt(a, "%s/root", dir));
	if (size && data[0] == '/')
		path = str_fmt(a, "%s%.*s", dir, STR_ARG(path));
	own_roots(a, path);
	look(roots, a, cwd, path);
	look(plain, a, cwd, path);
	look(roots, a, NULL, path);
	look(NULL, a, cwd, path);
	if (!os_roots_read(roots, a, cwd, path, 1 << 20, &got) && !str_is(got, "in"))
		abort();
	if (!os_roots_read(plain, a, cwd, path, 1 << 20, &got) && !str_is(got, "in") &&
	    !str_is(got, "denied"))
		abort();
	if (!os_roots_parent(roots, a, dir, path, &fd, &name) &&
	    (!is_inside(a, fd) || strchr(name, '/') || !*name))
		abort();
	if (!os_roots_mkdirs(roots, a, cwd, path, 0777, &made)) {
		if (os_list(a, dir, &names) || names.n != 2)
			abort();
		os_unmake(made);
	}
	arena_free(a);
	return 0;
}
