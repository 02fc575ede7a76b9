/*
 * A folder on disk. Everything is opened from one descriptor of the top, without following a link
 * on the way; what was listed once is kept, folder by folder. No file is looked at for a listing:
 * the kernel gives its kind with its name, so executables show as files there.
 */
#include "base/base.h"
#include "os/os.h"
#include "tree/internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MAX  ((size_t)16 << 20)
#define IGNORE_MAX ((size_t)16 << 20) /* bytes of one .gitignore */
#define BUCKETS    1024

struct entry {
	struct tree_file file;
	struct folder *folder; /* NULL for what is not entered */
};

struct folder {
	struct str path; /* empty for the top */
	struct folder *up, *next;
	bool there; /* false: no such folder, or one that does not belong to the tree */
	bool has_rules, listed;
	struct ignore rules; /* of its .gitignore */
	struct {
		struct entry *p;
		size_t n, cap;
	} entries; /* in byte order of the paths they lead to */
};

struct dir_tree {
	struct tree t;
	struct arena *arena;
	const char *path;
	int fd;
	bool ignore;
	struct ignore excludes;
	struct folder top;
	struct folder *bucket[BUCKETS];
	size_t files;
};

/* ---- opening ---- */

static const char *shown(struct arena *a, const struct dir_tree *d, struct str path)
{
	return path.n ? os_join(a, d->path, str_c(a, path)) : d->path;
}

/* e names the file in memory that goes away; err_errno() has copied it. */
static struct err *failed(const struct dir_tree *d, int errnum, const char *doing, struct str path)
{
	struct arena *a = arena_new();
	struct err *e = err_errno(errnum, "%s '%s'", doing, shown(a, d, path));

	arena_free(a);
	return e;
}

/* What shows that the name is not there, or no longer what it was when it was listed. */
static bool is_gone(int errnum)
{
	return errnum == ENOENT || errnum == ENOTDIR || errnum == ELOOP;
}

static bool has_dots(struct str path)
{
	struct str part;

	while (str_split(&path, '/', &part))
		if (str_is(part, ".."))
			return true;
	return false;
}

/* For kernels without openat2, and sandboxes that refuse it. */
static int open_by_parts(int top, struct str path, int flags)
{
	int fd = top, next;
	struct str part;

	if (has_dots(path)) {
		errno = EXDEV;
		return -1;
	}
	while (str_split(&path, '/', &part)) {
		char name[OS_PATH_MAX];

		memcpy(name, part.p, part.n);
		name[part.n] = 0;
		next = openat(fd, name,
			      (path.n ? O_PATH | O_DIRECTORY : flags) | O_NOFOLLOW | O_CLOEXEC);
		if (fd != top) {
			int errnum = errno;

			close(fd);
			errno = errnum;
		}
		if (next < 0)
			return -1;
		fd = next;
	}
	return fd;
}

/* No part of the path may be a link, but the last with O_PATH. -1 and errno; never blocks. */
static int open_in(const struct dir_tree *d, struct str path, int flags)
{
	struct open_how how = {.flags = (unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
			       .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
	char name[OS_PATH_MAX];
	long fd;

	if (!path.n)
		return openat(d->fd, ".", flags | O_CLOEXEC);
	if (path.n >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(name, path.p, path.n);
	name[path.n] = 0;
	do
		fd = syscall(SYS_openat2, d->fd, name, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_parts(d->fd, path, flags);
	return (int)fd;
}

/* The file of that name in a folder; name empty: the path itself. */
static bool look_at(const struct dir_tree *d, struct str path, const char *name, bool follow,
		    struct stat *st)
{
	char whole[2 * OS_PATH_MAX];

	snprintf(whole, sizeof(whole), "%.*s%s%s", STR_ARG(path), path.n && name[0] ? "/" : "",
		 name);
	return !fstatat(d->fd, whole, st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}

/* ---- reading ---- */

static struct err *read_open_file(struct arena *a, const struct dir_tree *d, int fd,
				  struct str path, size_t max, struct str *out)
{
	struct stat st;
	struct buf b;
	ssize_t got;

	if (fstat(fd, &st))
		return failed(d, errno, "read", path);
	if (!S_ISREG(st.st_mode))
		return err_new(E_NOT_A_FILE, "'%s' is not a regular file", shown(a, d, path));
	if ((uint64_t)st.st_size > max)
		return too_big(d->t.name, path, max);
	/* Exactly, as growing by doubling would waste half of it; one byte more shows the end. */
	b = buf_max(a, size_min(max, SIZE_MAX / 4) + 1);
	b.cap = (size_t)st.st_size + 1;
	b.p = arena_alloc(a, b.cap);
	for (;;) {
		if (b.n == b.cap && !buf_room(&b, size_min(b.n, b.max - b.n)))
			return too_big(d->t.name, path, max);
		got = read(fd, b.p + b.n, b.cap - b.n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return failed(d, errno, "read", path);
		if (!got)
			break;
		b.n += (size_t)got;
	}
	if (b.n > max)
		return too_big(d->t.name, path, max);
	*out = buf_str(&b);
	return NULL;
}

static struct err *read_link(struct arena *a, const struct dir_tree *d, struct str path, size_t max,
			     struct str *out)
{
	int fd = open_in(d, path, O_PATH);
	char target[OS_PATH_MAX];
	ssize_t n = -1;

	if (fd >= 0) {
		int errnum;

		n = readlinkat(fd, "", target, sizeof(target));
		errnum = errno;
		close(fd);
		errno = errnum;
		if (n < 0 && errno == ENOENT) /* what is not a link */
			return err_new(E_NOT_A_FILE, "'%s' is not a link any more",
				       shown(a, d, path));
	}
	if (n < 0)
		return failed(d, errno, "read the link", path);
	if ((size_t)n > max)
		return too_big(d->t.name, path, max);
	*out = str_dup(a, (struct str){target, (size_t)n});
	return NULL;
}

static struct err *dir_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	const struct dir_tree *d = (struct dir_tree *)t;
	struct err *e;
	int fd;

	if (!f->path.n || str_has_nul(f->path))
		return err_new(E_BAD_PATH, "'%.*s' is no path of a file", STR_ARG(f->path));
	if (f->kind == TREE_SUBMODULE)
		return err_new(E_NOT_A_FILE, "'%s' is a submodule", shown(a, d, f->path));
	if (f->kind == TREE_LINK)
		return read_link(a, d, f->path, max, out);
	fd = open_in(d, f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ELOOP)
		return err_new(E_NOT_A_FILE, "'%s' is a symbolic link, or behind one",
			       shown(a, d, f->path));
	if (fd < 0)
		return failed(d, errno, "read", f->path);
	e = read_open_file(a, d, fd, f->path, max, out);
	close(fd);
	return e;
}

/* ---- what is ignored ---- */

static struct err *read_rules(struct dir_tree *d, struct folder *f)
{
	struct arena *scratch;
	struct str path, text = {"", 0};
	struct err *e = NULL;
	int fd;

	if (f->has_rules || !d->ignore)
		return NULL;
	f->has_rules = true;
	scratch = arena_new();
	path = str_fmt(scratch, "%.*s%s.gitignore", STR_ARG(f->path), f->path.n ? "/" : "");
	fd = open_in(d, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0) {
		e = read_open_file(scratch, d, fd, path, IGNORE_MAX, &text);
		if (!e)
			ignore_text(d->arena, &f->rules, text);
		/* Something else of that name is no list of patterns, as a link is none. */
		if (e && err_reason(e) == E_NOT_A_FILE)
			e = NULL;
		close(fd);
	} else if (!is_gone(errno)) {
		e = failed(d, errno, "read", path);
	}
	arena_free(scratch);
	return e;
}

/* The nearest .gitignore counts most; the folders above path are known not to be ignored. */
static bool is_ignored(const struct dir_tree *d, const struct folder *in, struct str path,
		       bool is_dir)
{
	enum ignore_answer answer = IGNORE_UNSAID;

	for (const struct folder *f = in; f && answer == IGNORE_UNSAID; f = f->up)
		if (f->rules.n)
			answer = ignore_ask(&f->rules, below(path, f->path), is_dir);
	if (answer == IGNORE_UNSAID)
		answer = ignore_ask(&d->excludes, path, is_dir);
	return answer == IGNORE_YES;
}

/* ---- folders ---- */

/* An empty ".git" folder hides nothing: Git would take the files beside it. */
static bool is_repository(const struct dir_tree *d, struct str path)
{
	struct stat st;

	if (!look_at(d, path, ".git", true, &st))
		return false;
	return S_ISREG(st.st_mode) ||
	       (S_ISDIR(st.st_mode) && look_at(d, path, ".git/HEAD", false, &st));
}

static struct folder *known_folder(struct dir_tree *d, struct str path, struct folder ***slot)
{
	*slot = &d->bucket[str_hash(path) % BUCKETS];
	for (struct folder *f = **slot; f; f = f->next)
		if (str_eq(f->path, path))
			return f;
	return NULL;
}

/* path: lives as long as the tree. */
static struct folder *add_folder(struct dir_tree *d, struct folder *up, struct str path, bool there)
{
	struct folder **slot, *f = known_folder(d, path, &slot);

	if (f)
		return f;
	f = ARENA_NEW(d->arena, struct folder);
	f->path = path;
	f->up = up;
	f->there = there;
	f->next = *slot;
	*slot = f;
	return f;
}

/* The folder that a path names when it belongs to the tree, else *out NULL. */
static struct err *enter(struct dir_tree *d, struct str path, struct folder **out)
{
	struct folder *in = path.n < OS_PATH_MAX ? &d->top : NULL, **slot, *f;
	size_t from = 0;

	while (in && from < path.n) {
		size_t end = size_min(str_find_char(path, '/', from), path.n);
		struct str part = str_sub(path, from, end), whole = str_sub(path, 0, end);
		struct stat st;

		from = end + 1;
		f = known_folder(d, whole, &slot);
		if (!f) {
			if (!part.n || str_is(part, ".") || str_is(part, "..") ||
			    str_is(part, ".git") || str_has_nul(part)) {
				in = NULL;
				break;
			}
			TRY(read_rules(d, in));
			whole = str_dup(d->arena, whole);
			f = add_folder(d, in, whole,
				       look_at(d, whole, "", false, &st) &&
					       S_ISDIR(st.st_mode) && !is_repository(d, whole) &&
					       !is_ignored(d, in, whole, true));
		}
		in = f->there ? f : NULL;
	}
	*out = in;
	return NULL;
}

/* Bytes of the paths that they lead to: behind a folder's name comes a slash. */
static int entry_cmp(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	struct str p = a->file.path, q = b->file.path;
	size_t n = size_min(p.n, q.n);
	int c = memcmp(p.p, q.p, n);

	if (c)
		return c;
	return (p.n > n ? (unsigned char)p.p[n] : a->folder ? '/' : 0) -
	       (q.n > n ? (unsigned char)q.p[n] : b->folder ? '/' : 0);
}

static mode_t mode_of(const struct dir_tree *d, struct str folder, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return DTTOIF(entry->d_type);
	/* Some file systems do not tell. What is gone by now has no mode. */
	return look_at(d, folder, entry->d_name, false, &st) ? st.st_mode & S_IFMT : 0;
}

struct name {
	struct str path;
	mode_t mode;
};
struct names {
	struct name *p;
	size_t n, cap;
};

/* Paths into the tree's memory; the list itself, which ignored files may make long, into a. */
static struct err *list_names(struct dir_tree *d, struct folder *f, struct arena *a, DIR *stream,
			      struct names *out, bool *has_ignore)
{
	struct dirent *entry;

	for (errno = 0; (entry = readdir(stream)); errno = 0) {
		struct buf path = buf_in(a);
		struct name n = {.mode = mode_of(d, f->path, entry)};

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    !strcmp(entry->d_name, ".git"))
			continue;
		if (!S_ISREG(n.mode) && !S_ISDIR(n.mode) && !S_ISLNK(n.mode))
			continue;
		if (!strcmp(entry->d_name, ".gitignore"))
			*has_ignore = true;
		if (f->path.n) {
			buf_put(&path, f->path);
			buf_putc(&path, '/');
		}
		buf_puts(&path, entry->d_name);
		n.path = buf_str(&path);
		if (n.path.n >= OS_PATH_MAX)
			return err_new(E_TOO_LONG, "a path in '%s' is longer than %d bytes", d->path,
				       OS_PATH_MAX - 1);
		*VEC_PUSH(a, out) = n;
	}
	return errno ? failed(d, errno, "list", f->path) : NULL;
}

static struct err *keep(struct dir_tree *d, struct folder *f, const struct name *n)
{
	bool is_dir = S_ISDIR(n->mode);
	struct entry *entry;
	struct str path;

	if (is_ignored(d, f, n->path, is_dir))
		return NULL;
	if (++d->files > FILES_MAX)
		return err_new(E_TOO_BIG, "'%s' has more than %zu files", d->path, FILES_MAX);
	path = str_dup(d->arena, n->path);
	entry = VEC_PUSH(d->arena, &f->entries);
	entry->file.path = path;
	if (is_dir && !is_repository(d, path))
		entry->folder = add_folder(d, f, path, true);
	entry->file.kind = is_dir		? TREE_SUBMODULE
			   : S_ISLNK(n->mode) ? TREE_LINK
					      : TREE_FILE;
	return NULL;
}

static struct err *list_stream(struct dir_tree *d, struct folder *f, DIR *stream)
{
	struct arena *scratch = arena_new();
	struct names names = {0};
	bool has_ignore = false;
	struct err *e = list_names(d, f, scratch, stream, &names, &has_ignore);

	if (!e && has_ignore)
		e = read_rules(d, f);
	f->has_rules = true;
	for (size_t i = 0; i < names.n && !e; i++)
		e = keep(d, f, &names.p[i]);
	arena_free(scratch);
	if (f->entries.n)
		qsort(f->entries.p, f->entries.n, sizeof(*f->entries.p), entry_cmp);
	f->listed = !e;
	return e;
}

static struct err *list(struct dir_tree *d, struct folder *f)
{
	struct err *e;
	DIR *stream;
	int fd;

	if (f->listed)
		return NULL;
	f->entries.n = 0;
	fd = open_in(d, f->path, O_RDONLY | O_DIRECTORY);
	if (fd < 0 && f->path.n && is_gone(errno))
		return NULL;
	if (fd < 0)
		return failed(d, errno, "list", f->path);
	stream = fdopendir(fd);
	if (!stream) {
		e = failed(d, errno, "list", f->path);
		close(fd);
		return e;
	}
	e = list_stream(d, f, stream);
	closedir(stream);
	return e;
}

/* As deep as a path can have parts: list_names() limits them. */
static struct err *walk(struct dir_tree *d, struct folder *f, tree_fn *fn, void *ctx)
{
	TRY(list(d, f));
	for (size_t i = 0; i < f->entries.n; i++) {
		const struct entry *entry = &f->entries.p[i];

		if (entry->folder)
			TRY(walk(d, entry->folder, fn, ctx));
		else
			TRY(fn(ctx, &entry->file));
	}
	return NULL;
}

/* ---- the tree ---- */

static struct err *dir_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct dir_tree *d = (struct dir_tree *)t;
	struct folder *f;

	TRY(enter(d, prefix, &f));
	if (!f)
		return NULL;
	for (struct folder *up = f->up; up; up = up->up)
		TRY(read_rules(d, up));
	return walk(d, f, fn, ctx);
}

static struct err *dir_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	struct dir_tree *d = (struct dir_tree *)t;
	size_t slash = str_rfind_char(path, '/');
	struct str name = slash == SIZE_MAX ? path : str_sub(path, slash + 1, path.n);
	struct folder *in;
	struct stat st;
	bool is_dir;

	*found = false;
	if (!name.n || str_has_nul(path) || path.n >= OS_PATH_MAX || str_is(name, ".") ||
	    str_is(name, "..") || str_is(name, ".git"))
		return NULL;
	TRY(enter(d, slash == SIZE_MAX ? STR("") : str_sub(path, 0, slash), &in));
	if (!in || !look_at(d, path, "", false, &st))
		return NULL;
	is_dir = S_ISDIR(st.st_mode);
	if (is_dir ? !is_repository(d, path) : !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return NULL;
	TRY(read_rules(d, in));
	if (is_ignored(d, in, path, is_dir))
		return NULL;
	*found = true;
	*out = (struct tree_file){.path = str_dup(d->arena, path),
				  .kind = is_dir		? TREE_SUBMODULE
					  : S_ISLNK(st.st_mode) ? TREE_LINK
					  : st.st_mode & 0100	? TREE_EXEC
								: TREE_FILE};
	return NULL;
}

static const struct tree_ops dir_ops = {.each = dir_each, .find = dir_find, .read = dir_read};

static void close_top(void *p)
{
	close(((struct dir_tree *)p)->fd);
}

struct err *tree_dir(struct arena *a, const char *path, const struct tree_dir_options *o,
		     struct tree **out)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct dir_tree *d;
	struct stat st;

	if (fd < 0 && errno == ENOTDIR && !stat(path, &st))
		return err_new(E_NOT_A_FILE, "'%s' is not a folder", path);
	if (fd < 0)
		return err_errno(errno, "open '%s'", path);
	d = ARENA_NEW(a, struct dir_tree);
	d->fd = fd;
	arena_defer(a, close_top, d);
	d->arena = a;
	d->path = str_c(a, str_of(path));
	d->t = (struct tree){&dir_ops, str_fmt(a, "'%s'", path)};
	d->ignore = o && o->ignore;
	d->top.there = true;
	for (size_t i = 0; o && i < o->excludes.n; i++)
		ignore_line(a, &d->excludes, o->excludes.p[i]);
	*out = &d->t;
	return NULL;
}
