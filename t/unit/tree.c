#include "base/base.h"
#include "tap.h"
#include "dir.h"
#include "tree/tree.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

static struct arena *a;

static struct err *collect(void *ctx, const struct tree_file *f)
{
	static const char kind[] = "fxls";
	struct buf *b = ctx;

	buf_putc(b, kind[f->kind]);
	buf_putc(b, ':');
	buf_put(b, f->path);
	buf_putc(b, ' ');
	return NULL;
}

/* "f:a l:b ", or the error. */
static struct str listed(struct tree *t, const char *prefix)
{
	struct buf b = buf_in(a);
	struct err *e = tree_foreach(t, str_of(prefix), collect, &b);

	return e ? str_fmt(a, "error: %s", err_message(e)) : buf_as_str(&b);
}

/* The kind's letter; 0 when it is not found. */
static char found(struct tree *t, struct str path)
{
	struct tree_file f;
	bool has = false;

	if (tree_find(t, path, &f, &has))
		return 'E';
	return has && str_eq(f.path, path) ? "fxls"[f.kind] : 0;
}

static struct str content(struct tree *t, const char *path, enum tree_kind kind, size_t max)
{
	struct tree_file f = {.path = str_of(path), .kind = kind};
	struct str s = {"", 0};
	struct err *e = tree_read(t, a, &f, max, &s);

	return e ? str_of(err_reason_name(err_reason(e))) : s;
}

static struct tree *folder(const char *path, bool ignore)
{
	struct tree_dir_options o = {.ignore = ignore};
	struct tree *t = NULL;

	works(tree_of_folder(a, path, &o, &t), path);
	return t;
}

static struct str changed(struct tree *base, struct tree *now, size_t limit, bool renames)
{
	struct buf b = buf_in(a);
	struct tree_changes changes;
	struct err *e = tree_diff(a, base, now, &changes);

	if (!e && renames)
		e = tree_find_renames(base, now, limit, &changes);
	if (e)
		return str_fmt(a, "error: %s", err_message(e));
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.p[i];

		if (c->renamed)
			buf_fmt(&b, "R %.*s ", STR_ARG(c->old.path));
		else
			buf_puts(&b, !c->has_old ? "A " : !c->has_new ? "D " : "M ");
		buf_fmt(&b, "%.*s ", STR_ARG(c->has_new ? c->new.path : c->old.path));
	}
	return buf_as_str(&b);
}

static struct err *stop(void *ctx, const struct tree_file *f)
{
	++*(int *)ctx;
	return err_new(E_CHANGED, "stopped at %.*s", STR_ARG(f->path));
}

/* clang-format off */
#define FILE_OF(path, text) {STR_INIT(path), STR_INIT(text), TREE_FILE}
/* clang-format on */
#define MEM(name, ...)                                                                             \
	tree_mem(a, STR(name), (const struct tree_mem_file[]){__VA_ARGS__},                        \
		 ARRAY_SIZE(((const struct tree_mem_file[]){__VA_ARGS__})))

static void test_mem(void)
{
	struct tree *t = MEM("the input", FILE_OF("b", "first"), FILE_OF("a/x", "ax"),
			     FILE_OF("a.b", "ab"), FILE_OF("b", "last"), FILE_OF("a\0z", "nul"),
			     {STR_INIT("sub"), STR_INIT(""), TREE_SUBMODULE});
	struct tree_file none = {.path = STR("none")};
	struct str out;
	int calls = 0;

	is_str(listed(t, ""), STR("f:a\0z f:a.b f:a/x f:b s:sub "), "byte order, no path twice");
	is_str(listed(t, "a"), STR("f:a/x "), "below a folder");
	is_str(listed(t, "a//"), STR("f:a/x "), "slashes after a folder mean nothing");
	is_str(listed(t, "b"), STR(""), "a file is no folder");
	is_str(listed(t, "nowhere"), STR(""), "no such folder");
	ok(found(t, STR("a\0z")) == 'f' && !found(t, STR("a")), "find: bytes, and no folders");
	is_str(content(t, "b", TREE_FILE, 4), STR("last"), "the last of one path wins");
	is_str(content(t, "b", TREE_FILE, 3), STR("TOO_BIG"), "over max");
	is_str(content(t, "sub", TREE_SUBMODULE, 9), STR("NOT_A_FILE"), "a submodule has no text");
	fails(tree_read(t, a, &none, 9, &out), E_FILE_NOT_FOUND, "no such file");
	fails(tree_foreach(t, STR(""), stop, &calls), E_CHANGED, "an error of fn is handed on");
	is_int(calls, 1, "and ends the walk");
	is_str(listed(tree_mem(a, STR("nothing"), NULL, 0), ""), STR(""), "an empty tree");
	is_str(listed(NULL, ""), STR(""), "HEAD of an unborn branch");
	ok(!found(NULL, STR("a")), "which has no file");
}

static void test_sub(void)
{
	struct tree *t = MEM("the input", FILE_OF("d/a", "1"), FILE_OF("d/e/b", "2"),
			     FILE_OF("d.x", "3"), FILE_OF("z", "4"));
	struct tree *sub = tree_sub(a, t, STR("d/")), *deep = tree_sub(a, sub, STR("e"));

	ok(tree_sub(a, t, STR("")) == t, "the top's folder is the tree itself");
	is_str(listed(sub, ""), STR("f:a f:e/b "), "paths are relative");
	is_str(listed(sub, "e/"), STR("f:e/b "), "a folder of a folder");
	is_str(listed(deep, ""), STR("f:b "), "a tree of a tree of a tree");
	ok(found(sub, STR("e/b")) == 'f' && !found(sub, STR("z")) && !found(sub, STR("")),
	   "find in a folder");
	is_str(content(deep, "b", TREE_FILE, 9), STR("2"), "read in a folder");
	is_str(deep->name, STR("e of d of the input"), "its name");
	is_str(listed(tree_sub(a, t, STR("none")), ""), STR(""), "a folder that is not there");
	is_str(changed(sub, deep, 0, false), STR("D a A b D e/b "), "folders are trees");
}

/* The first bytes of what is open; the reason of the error; "none" where there is no file. */
static struct str opened(struct tree *t, const char *path)
{
	struct tree_file f = {.path = str_of(path)};
	char *p = arena_alloc(a, 9);
	struct err *e;
	uint64_t size;
	ssize_t n;
	int fd;

	e = tree_open_file(t, &f, &fd, &size);
	if (e)
		return str_of(err_reason_name(err_reason(e)));
	if (fd < 0)
		return STR("none");
	n = read(fd, p, 8);
	close(fd);
	return (struct str){p, n > 0 ? (size_t)n : 0};
}

static void test_open(void)
{
	struct tree *t;

	if (mkdir("opening", 0755) || mkdir("opening/d", 0755) || mkfifo("opening/fifo", 0644) ||
	    symlink("f", "opening/link"))
		BUG("cannot make files");
	dir_put("opening/f", "one");
	dir_put("opening/d/g", "two");
	t = folder("opening", false);
	is_str(opened(t, "f"), STR("one"), "a file is open for reading");
	is_str(opened(tree_sub(a, t, STR("d")), "g"), STR("two"), "in a folder of a tree too");
	is_str(opened(t, "fifo"), STR("NOT_A_FILE"), "a FIFO is not");
	is_str(opened(t, "link"), STR("NOT_A_FILE"), "nor is a link");
	is_str(opened(t, "../tree"), STR("BAD_PATH"), "nor what is outside");
	is_str(opened(t, "gone"), STR("FILE_NOT_FOUND"), "nor what is not there");
	is_str(opened(MEM("the input", FILE_OF("f", "x")), "f"), STR("none"),
	       "content that is no file has to be read");
}

static void make_odd_files(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (mkdir("a", 0755) || mkdir("a/b", 0755) || mkdir("empty", 0755) || mkdir("sub", 0755) ||
	    mkdir("nested", 0755) || mkdir("nested/.git", 0755) || mkdir("half", 0755) ||
	    mkdir("half/.git", 0755) || mkdir(".git", 0755))
		BUG("cannot make folders");
	dir_put("a.b", "ab");
	dir_put("a/b/c", "abc");
	dir_put("a0", "");
	dir_put("run", "#!/bin/sh\n");
	dir_put("new\nline", "nl");
	dir_put("\xff\xfe", "bytes");
	dir_put(".git/config", "");
	dir_put("sub/.git", "gitdir: elsewhere\n");
	dir_put("sub/file", "");
	dir_put("nested/.git/HEAD", "ref: refs/heads/main\n");
	dir_put("nested/file", "");
	dir_put("half/file", "");
	if (chmod("run", 0755) || symlink("a", "link") || symlink("nowhere", "loose") ||
	    mkfifo("fifo", 0644) || bind(s, (struct sockaddr *)&at, sizeof(at)))
		BUG("cannot make odd files");
	close(s);
}

static void test_dir(const char *top)
{
	static const char *const no[] = {"a",         "a/b",      "fifo",   "socket",
					 "link/b",    "link/b/c", ".git",   ".git/config",
					 "",          "/a.b",     "a//b/c", "a/../a.b",
					 "./a.b",     "sub/file", "a.b/",   "sub/.git",
					 "half/.git", "a/b/c/d",  "none/x"};
	struct tree *t = folder(top, false);
	bool all = true;

	is_str(listed(t, ""),
	       STR("f:a.b f:a/b/c f:a0 f:half/file l:link l:loose s:nested f:new\nline f:run s:sub "
		   "f:\xff\xfe "),
	       "as git orders an index; no FIFO, no socket, nothing of .git");
	is_str(listed(t, "a"), STR("f:a/b/c "), "below a folder");
	is_str(listed(t, "a.b"), STR(""), "a file is no folder");
	is_str(listed(t, "link"), STR(""), "a link is no folder");
	is_str(listed(t, "sub"), STR(""), "a submodule is no folder");
	is_str(listed(t, ".git"), STR(""), "nor is .git");
	is_str(listed(t, "a/../a"), STR(""), "nor a path with dots");
	t = folder(top, false);
	ok(found(t, STR("run")) == 'x' && found(t, STR("a/b/c")) == 'f' &&
		   found(t, STR("link")) == 'l' && found(t, STR("sub")) == 's' &&
		   found(t, STR("nested")) == 's' && found(t, STR("\xff\xfe")) == 'f',
	   "find, with kinds");
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (found(t, str_of(no[i]))) {
			printf("# %s\n", no[i]);
			all = false;
		}
	ok(all && !found(t, STR("a.b\0c")), "what is not in the tree is not found");
	is_str(content(t, "a/b/c", TREE_FILE, 3), STR("abc"), "read");
	is_str(content(t, "a/b/c", TREE_FILE, 2), STR("TOO_BIG"), "over max");
	is_str(content(t, "a0", TREE_FILE, 0), STR(""), "nothing, of at most nothing");
	is_str(content(t, "loose", TREE_LINK, 100), STR("nowhere"), "a link's target");
	is_str(content(t, "loose", TREE_LINK, 6), STR("TOO_BIG"), "a target over max");
	is_str(content(t, "a.b", TREE_LINK, 100), STR("NOT_A_FILE"), "what was a link is a file");
	is_str(content(t, "link", TREE_FILE, 9), STR("NOT_A_FILE"), "what was a file is a link");
	is_str(content(t, "link/b/c", TREE_FILE, 9), STR("NOT_A_FILE"), "behind a link");
	is_str(content(t, "fifo", TREE_FILE, 9), STR("NOT_A_FILE"), "a FIFO does not block");
	is_str(content(t, "a", TREE_FILE, 9), STR("NOT_A_FILE"), "a folder");
	is_str(content(t, "none", TREE_FILE, 9), STR("FILE_NOT_FOUND"), "nothing there");
	is_str(content(t, "sub", TREE_SUBMODULE, 9), STR("NOT_A_FILE"), "a submodule");
	is_str(content(t, "../x", TREE_FILE, 9), STR("BAD_PATH"), "nothing outside");
	is_str(content(t, "/etc/passwd", TREE_FILE, 9), STR("BAD_PATH"), "nothing absolute");
	is_str(content(t, "a/", TREE_FILE, 9), STR("BAD_PATH"), "no folder");
	fails(tree_of_folder(a, "a.b", NULL, &t), E_NOT_A_FILE, "a file is no tree");
	fails(tree_of_folder(a, "none", NULL, &t), E_FILE_NOT_FOUND, "nothing is no tree");
}

/* Older kernels do not have it, and some sandboxes answer EPERM. */
static bool forbid_openat2(unsigned errnum)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_SIZE(filter), filter};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) &&
	       syscall(SYS_openat2, -1, "", NULL, (size_t)0) < 0 && errno == (int)errnum;
}

/* The odd files as lib/repo/tree sees them, in one text. */
static struct str seen(void)
{
	struct buf b = buf_in(a);
	struct tree_dir_options o = {.ignore = true};
	struct tree *t;

	if (tree_of_folder(a, ".", &o, &t))
		return STR("error");
	buf_put(&b, listed(t, "a"));
	buf_put(&b, listed(t, ""));
	buf_put(&b, content(t, "a/b/c", TREE_FILE, 9));
	buf_put(&b, content(t, "a.b", TREE_FILE, 9));
	buf_put(&b, content(t, "loose", TREE_LINK, 9));
	buf_put(&b, content(t, "link", TREE_FILE, 9));
	buf_put(&b, content(t, "link/b/c", TREE_FILE, 9).n > 3 ? STR("no") : STR("yes"));
	buf_put(&b, content(t, "a/../a.b", TREE_FILE, 9));
	buf_put(&b, content(t, "a/b/none", TREE_FILE, 9));
	return buf_as_str(&b);
}

static int see_without_openat2(void *errnum)
{
	struct str want = seen();

	if (!forbid_openat2(*(unsigned *)errnum))
		return 2;
	return !str_eq(seen(), want);
}

static void test_without_openat2(void)
{
	unsigned missing = ENOSYS, refused = EPERM;

	is_int(dir_fork(see_without_openat2, &missing, false), 0, "the same on older kernels");
	is_int(dir_fork(see_without_openat2, &refused, false), 0, "and in sandboxes");
}

static void test_vanished(void)
{
	struct tree *t = folder(".", false);

	if (mkdir("v", 0755) || mkdir("v/w", 0755))
		BUG("cannot make folders");
	dir_put("v/w/x", "");
	is_str(listed(t, "v"), STR("f:v/w/x "), "there");
	t = folder(".", false);
	ok(found(t, STR("v/w/x")) == 'f', "found");
	if (remove("v/w/x") || remove("v/w"))
		BUG("cannot remove");
	is_str(listed(t, "v/w"), STR(""), "a folder that vanished is left out");
	if (symlink("../a", "v/w"))
		BUG("cannot link");
	is_str(listed(t, "v/w"), STR(""), "so is one that became a link");
	remove("v/w");
	remove("v");
}

static int list_forbidden(void *ctx)
{
	struct str got = listed(ctx, ""), want = STR("error: cannot list './shut/in': ");

	if (!str_starts(got, want))
		printf("#   %.*s\n", STR_ARG(got));
	fflush(stdout);
	return str_starts(got, want) ? 0 : 1;
}

static void test_forbidden(void)
{
	struct tree *t = folder(".", true);

	if (mkdir("shut", 0755) || mkdir("shut/in", 0))
		BUG("cannot make folders");
	is_int(dir_fork(list_forbidden, t, true), 0, "an unreadable folder is named");
	dir_put("shut/.gitignore", "in/\n");
	is_str(listed(folder(".", true), "shut"), STR("f:shut/.gitignore "),
	       "one that is ignored is not looked into");
	chmod("shut/in", 0755);
	remove("shut/.gitignore");
	remove("shut/in");
	remove("shut");
}

static void test_ignore(void)
{
	struct tree_dir_options o = {.ignore = true};
	struct tree *t;

	if (mkdir("i", 0755) || chdir("i") || mkdir("out", 0755) || mkdir("out/deep", 0755) ||
	    mkdir("src", 0755) || mkdir("src/gen", 0755) || mkdir("link.d", 0755))
		BUG("cannot make folders");
	dir_put(".gitignore",
		"\xef\xbb\xbf# text\r\n*.o\r\nout/\n!keep.o\n\\#x\nend\\ \n{a,b}\n[z\n");
	dir_put("src/.gitignore", "!x.o\n/gen/*\n!gen/y\n");
	dir_put("x.o", "");
	dir_put("keep.o", "");
	dir_put("#x", "");
	dir_put("end ", "");
	dir_put("a", "");
	dir_put("[z", "");
	dir_put("out/keep.o", "");
	dir_put("out/deep/z", "");
	dir_put("src/x.o", "");
	dir_put("src/z.o", "");
	dir_put("src/gen/y", "");
	dir_put("src/gen/z", "");
	dir_put("link.d/x", "");
	if (symlink("../.gitignore", "link.d/.gitignore"))
		BUG("cannot link");
	t = folder(".", true);
	is_str(listed(t, ""),
	       STR("f:.gitignore f:[z f:a f:keep.o l:link.d/.gitignore f:link.d/x f:src/.gitignore "
		   "f:src/gen/y f:src/x.o "),
	       "nested .gitignore files");
	t = folder(".", true);
	is_str(listed(t, "src/gen"), STR("f:src/gen/y "), "those above a prefix count");
	is_str(listed(t, "out"), STR(""), "an ignored folder is not there");
	is_str(listed(t, "out/deep"), STR(""), "nor what is in it");
	t = folder(".", true);
	ok(found(t, STR("src/x.o")) && !found(t, STR("src/z.o")) && !found(t, STR("out/keep.o")) &&
		   !found(t, STR("src/gen/z")) && found(t, STR("src/gen/y")) &&
		   !found(t, STR("x.o")),
	   "find agrees, without a listing");
	is_str(content(t, "x.o", TREE_FILE, 9), STR(""), "what is ignored may be read");
	ok(found(folder(".", false), STR("out/deep/z")) == 'f', "nothing is ignored unasked");
	strs_push(a, &o.excludes, STR("*.o"));
	strs_push(a, &o.excludes, STR("!z.o"));
	strs_push(a, &o.excludes, STR("/a"));
	o.ignore = false;
	works(tree_of_folder(a, ".", &o, &t), "excludes");
	ok(!found(t, STR("a")) && !found(t, STR("x.o")) && found(t, STR("src/z.o")),
	   "excludes hold");
	o.ignore = true;
	works(tree_of_folder(a, ".", &o, &t), "excludes and .gitignore");
	ok(!found(t, STR("a")) && found(t, STR("keep.o")) && !found(t, STR("src/z.o")),
	   ".gitignore counts more than excludes");
	if (chdir(".."))
		BUG("cannot go back");
}

/* Deeper than a stack of open folders could be, and a path as long as the system takes. */
static void test_deep(void)
{
	char name[201];
	struct buf path = buf_in(a);
	struct tree *t = folder(".", true);
	size_t levels = 0;
	int back = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), in;

	memset(name, 'd', 200);
	if (mkdir("deep", 0755) || chdir("deep"))
		BUG("cannot make folders");
	buf_puts(&path, "deep/");
	while (path.n + 2 < 2500) {
		if (mkdir("d", 0755) || chdir("d"))
			BUG("cannot make folders");
		buf_puts(&path, "d/");
		levels++;
	}
	dir_put("f", "x");
	buf_puts(&path, "f");
	ok(levels > 1100, "more levels than descriptors");
	is_str(listed(t, "deep"), str_fmt(a, "f:%s ", buf_as_cstr(&path)), "a deep folder");
	is_str(content(t, buf_as_cstr(&path), TREE_FILE, 9), STR("x"), "and its file");
	path.n -= strlen("/f");
	while (path.n < 4090) {
		name[size_min(200, 4089 - path.n)] = 0;
		buf_putc(&path, '/');
		buf_puts(&path, name);
		if (mkdir(name, 0755) || chdir(name))
			BUG("cannot make folders");
	}
	buf_puts(&path, "/f");
	dir_put("f", "x");
	dir_put("four", "x");
	in = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fchdir(back))
		BUG("cannot go back");
	t = folder(".", false);
	ok(found(t, buf_as_str(&path)) == 'f', "as long as a path can be");
	is_str(content(t, buf_as_cstr(&path), TREE_FILE, 9), STR("x"), "and read");
	ok(found(folder(".", true), buf_as_str(&path)) == 'E',
	   "its .gitignore cannot be looked for");
	buf_puts(&path, "our");
	is_int((long long)path.n, 4095, "the longest path");
	ok(found(t, buf_as_str(&path)) == 'f', "is found");
	buf_puts(&path, "s");
	ok(!found(t, buf_as_str(&path)), "a longer one is not");
	is_str(content(t, buf_as_cstr(&path), TREE_FILE, 9), STR("BAD_PATH"), "and not read");
	is_str(str_sub(listed(t, "deep"), 0, 7), STR("f:deep/"), "and listed");
	if (renameat(in, "four", in, "fours"))
		BUG("cannot rename");
	ok(str_starts(listed(folder(".", false), "deep"),
		      STR("error: a path in '.' is longer than 4095 bytes")),
	   "a path that no system call takes is an error");
	close(in);
	close(back);
	/* Too deep for nftw(). */
	if (system("rm -rf deep"))
		BUG("cannot remove");
}

static void test_diff(void)
{
	struct tree *base = MEM("base", FILE_OF("a", "1"), FILE_OF("b", "2"), FILE_OF("d", "4"),
				{STR_INIT("k"), STR_INIT("x"), TREE_FILE},
				{STR_INIT("m"), STR_INIT(""), TREE_SUBMODULE});
	struct tree *now = MEM("now", FILE_OF("a", "1"), FILE_OF("b", "3"), FILE_OF("c", "5"),
			       {STR_INIT("k"), STR_INIT("x"), TREE_LINK},
			       {STR_INIT("m"), STR_INIT(""), TREE_SUBMODULE});

	is_str(changed(base, now, 0, false), STR("M b A c D d M k "), "by content and kind");
	is_str(changed(base, base, 0, false), STR(""), "nothing differs from itself");
	is_str(changed(NULL, base, 0, true), STR("A a A b A d A k A m "), "from nothing");
	is_str(changed(folder(".", false), folder(".", false), 0, false), STR(""),
	       "two folders with the same files");
}

/* An edited copy: `edited` of its ten lines differ. Equal lines have equal lengths. */
static struct str lines(int edited)
{
	struct buf b = buf_in(a);

	for (int i = 0; i < 10; i++)
		buf_fmt(&b, "%s line number %d\n", i < edited ? "that" : "this", i);
	return buf_as_str(&b);
}

static struct tree *mem_of(const char *const *paths, const struct str *texts, size_t n)
{
	struct tree_mem_file *files = arena_array(a, n, sizeof(*files));

	for (size_t i = 0; i < n; i++)
		files[i] = (struct tree_mem_file){str_of(paths[i]), texts[i], TREE_FILE};
	return tree_mem(a, STR("mem"), files, n);
}

#define OF(paths, ...)                                                                             \
	mem_of((const char *const[])paths, (struct str[])__VA_ARGS__,                              \
	       ARRAY_SIZE(((const char *const[])paths)))
/* clang-format off */
#define LIST(...) {__VA_ARGS__}
/* clang-format on */

static void test_renames(void)
{
	struct str big = {arena_alloc(a, ((size_t)8 << 20) + 1), ((size_t)8 << 20) + 1}, big2;
	struct tree *old, *new;

	old = OF(LIST("x/a", "x/b"), {lines(0), STR("same")});
	new = OF(LIST("y/b", "z"), {STR("same"), lines(5)});
	is_str(changed(old, new, 0, true), STR("R x/b y/b R x/a z "), "the same, and half alike");
	is_str(changed(old, new, 0, false), STR("D x/a D x/b A y/b A z "), "only when asked");
	new = OF(LIST("z"), {lines(6)});
	is_str(changed(old, new, 0, true), STR("D x/a D x/b A z "), "less than half alike");

	old = OF(LIST("a", "b"), {lines(0), lines(2)});
	new = OF(LIST("c", "d"), {lines(3), lines(1)});
	is_str(changed(old, new, 0, true), STR("R b c R a d "), "the best first");
	is_str(changed(old, new, 3, true), STR("D a D b A c A d "), "over the limit of pairs");
	is_str(changed(old, new, 4, true), STR("R b c R a d "), "at the limit");
	old = OF(LIST("a", "b", "q"), {lines(0), lines(2), STR("q")});
	new = OF(LIST("c", "d", "r"), {lines(3), lines(1), STR("q")});
	is_str(changed(old, new, 1, true), STR("D a D b A c A d R q r "),
	       "the same content has no limit");

	old = OF(LIST("old/x", "old/y"), {STR("one"), STR("one")});
	new = OF(LIST("new/a", "new/y"), {STR("one"), STR("one")});
	is_str(changed(old, new, 0, true), STR("R old/x new/a R old/y new/y "),
	       "of the same content, names that are kept");
	old = OF(LIST("old/x", "old/y"), {lines(1), lines(1)});
	new = OF(LIST("a/q", "b/y"), {lines(2), lines(2)});
	is_str(changed(old, new, 0, true), STR("R old/x a/q R old/y b/y "),
	       "of what is equally alike, names that are kept");
	old = OF(LIST("k", "l"), {STR(""), lines(0)});
	new = OF(LIST("e", "f"), {STR(""), STR("")});
	is_str(changed(old, new, 0, true), STR("R k e A f D l "), "empty files");

	memset((char *)big.p, '\n', big.n);
	big2 = str_dup(a, big);
	*(char *)big2.p = 'x';
	old = OF(LIST("big", "huge"), {str_sub(big, 1, big.n), big});
	new = OF(LIST("big2", "huge2"), {str_sub(big2, 0, big.n - 1), big2});
	is_str(changed(old, new, 0, true), STR("R big big2 D huge A huge2 "),
	       "over 8 MiB only the same content");
	old = tree_mem(a, STR("old"),
		       (struct tree_mem_file[]){{STR("l"), STR("to"), TREE_LINK},
						{STR("m"), STR(""), TREE_SUBMODULE}},
		       2);
	new = tree_mem(a, STR("new"),
		       (struct tree_mem_file[]){{STR("f"), STR("to"), TREE_FILE},
						{STR("n"), STR(""), TREE_SUBMODULE},
						{STR("o"), STR("to"), TREE_LINK}},
		       3);
	is_str(changed(old, new, 0, true), STR("A f D m A n R l o "), "a link stays a link");
}

int main(void)
{
	const char *top;

	a = arena_new();
	top = dir_fresh(a);
	test_mem();
	test_sub();
	make_odd_files();
	test_dir(top);
	test_open();
	test_without_openat2();
	test_vanished();
	test_forbidden();
	test_ignore();
	test_diff();
	test_renames();
	test_deep();
	arena_free(a);
	return tap_done();
}
