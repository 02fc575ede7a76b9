/*
 * A folder on disk. Listings are cached folder by folder. A listing needs no stat, because the
 * kernel gives the kind with the name; so executables appear as files in it.
 */
#include "os/os.h"
#include "tree/internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Files below a folder are opened from one descriptor of it, without following a link on the way.
 * Paths are those of the tree: no dots, no NUL, no final slash; empty is the top.
 */
struct disk {
	int fd;
	const char *path; /* as named by the caller, for messages */
	struct str name;  /* of the tree */
};

/* The path with the top's path before it. */
static const char *disk_shown(struct arena *a, const struct disk *d, struct str path)
{
	return path.n ? os_join(a, d->path, str_c(a, path)) : d->path;
}

/* "cannot DOING 'PATH': …" */
static struct err *disk_failed(const struct disk *d, int errnum, const char *doing, struct str path)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return err_errno(errnum, "%s '%s'", doing, disk_shown(a, d, path));
}

/* For kernels without openat2, and sandboxes that refuse it. */
static int open_by_parts(int top, struct str path, int flags)
{
	int fd = top, next;
	struct str part;

	while (str_next_part(&path, '/', &part)) {
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

/* Close-on-exec; -1 with errno. A final link is ELOOP, except with O_PATH. */
static int disk_open(const struct disk *d, struct str path, int flags)
{
	char name[OS_PATH_MAX];
	int fd;

	if (!path.n)
		return openat(d->fd, ".", flags | O_CLOEXEC);
	if (path.n >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(name, path.p, path.n);
	name[path.n] = 0;
	fd = os_open_beneath(d->fd, name, flags | O_NOFOLLOW, false);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_parts(d->fd, path, flags);
	return fd;
}

/*
 * stat of a file in a folder (name empty: of the path itself). *there is false when nothing is
 * there, or nothing that the user may look at.
 */
static struct err *disk_look(const struct disk *d, struct str path, const char *name, bool follow,
			     struct stat *st, bool *there)
{
	char whole[2 * OS_PATH_MAX];

	snprintf(whole, sizeof(whole), "%.*s%s%s", STR_ARG(path), path.n && name[0] ? "/" : "",
		 name);
	*there = !fstatat(d->fd, whole, st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
	if (*there || errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ||
	    errno == ENAMETOOLONG)
		return NULL;
	return disk_failed(d, errno, "look at", str_of(whole));
}

/* Opens a regular file for reading; never blocks. Errors as in disk_read(), without TOO_BIG. */
static struct err *disk_open_file(const struct disk *d, struct str path, int *fd, uint64_t *size)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct err *e;
	struct stat st;
	bool known;

	*fd = disk_open(d, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	known = *fd >= 0 && !fstat(*fd, &st);
	if (known && S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		return NULL;
	}
	a = arena_new();
	if (known)
		e = err_new(E_NOT_A_FILE, "'%s' is not a regular file", disk_shown(a, d, path));
	else if (errno == ELOOP)
		e = err_new(E_NOT_A_FILE, "'%s' is a symbolic link, or behind one",
			    disk_shown(a, d, path));
	else
		e = disk_failed(d, errno, "read", path);
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return e;
}

static struct err *read_fd(struct arena *a, const struct disk *d, int fd, struct str path,
			   uint64_t size, size_t max, struct str *out)
{
	struct buf b;
	ssize_t got;

	if (size > max)
		return too_big_error(d->name, path, max);
	/* Doubling would waste half of the room. One more byte shows whether the file has grown. */
	b = buf_with_max(a, size_min(max, SIZE_MAX / 4) + 1);
	b.cap = (size_t)size + 1;
	b.p = arena_alloc(a, b.cap);
	do {
		if (b.n == b.cap && !buf_room(&b, size_min(b.n, b.max - b.n)))
			return too_big_error(d->name, path, max);
		got = read(fd, b.p + b.n, b.cap - b.n);
		if (got < 0 && errno != EINTR)
			return disk_failed(d, errno, "read", path);
		b.n += (size_t)(got > 0 ? got : 0);
	} while (got < 0 || (got && b.n != size));
	if (b.n > max)
		return too_big_error(d->name, path, max);
	*out = buf_as_str(&b);
	return NULL;
}

/*
 * Reads a regular file; never blocks. Errors: NOT_A_FILE also for a link and for a file behind a
 * link; FILE_NOT_FOUND, TOO_BIG, PERMISSION, IO_ERROR.
 */
static struct err *disk_read(struct arena *a, const struct disk *d, struct str path, size_t max,
			     struct str *out)
{
	struct err *e;
	uint64_t size;
	int fd;

	TRY(disk_open_file(d, path, &fd, &size));
	e = read_fd(a, d, fd, path, size, max, out);
	close(fd);
	return e;
}

/* The target of a link; NOT_A_FILE for any other file. */
static struct err *disk_read_link(struct arena *a, const struct disk *d, struct str path,
				  size_t max, struct str *out)
{
	int fd = disk_open(d, path, O_PATH);
	char target[OS_PATH_MAX];
	ssize_t n = -1;

	if (fd >= 0) {
		int errnum;

		n = readlinkat(fd, "", target, sizeof(target));
		errnum = errno;
		close(fd);
		errno = errnum;
		if (n < 0 && errno == ENOENT) /* not a link */
			return err_new(E_NOT_A_FILE, "'%s' is not a link any more",
				       disk_shown(a, d, path));
	}
	if (n < 0)
		return disk_failed(d, errno, "read the link", path);
	if ((size_t)n > max)
		return too_big_error(d->name, path, max);
	*out = str_dup(a, (struct str){target, (size_t)n});
	return NULL;
}

#define FILES_MAX ((size_t)16 << 20)
#define BUCKETS   1024

struct entry {
	struct tree_file file;
	struct folder *folder; /* NULL: not entered */
};

struct folder {
	struct str path; /* empty for the top */
	struct folder *up, *next;
	unsigned depth;  /* 1 at the top */
	bool there;      /* false: missing, or not part of the tree */
	bool repository; /* nested: only its own rules apply in it */
	bool has_rules, listed;
	struct ignore rules;              /* of its .gitignore */
	struct ignore exclude;            /* of a nested repository's .git/info/exclude */
	struct VEC(struct entry) entries; /* in byte order of their paths */
};

struct above {
	struct ignore rules;
	struct str at;
	bool user;
};

struct dir_tree {
	struct tree t;
	struct arena *arena;
	struct disk disk;
	struct tree_dir_options o; /* except excludes and above: */
	struct ignore excludes;
	struct VEC(struct above) above;
	struct folder top;
	struct folder *bucket[BUCKETS];
	size_t files;
};

/* Whether the path could belong to a tree; checked for every path from outside. */
static bool is_path(struct str path)
{
	struct str rest = path, part;

	if (!path.n || path.n >= OS_PATH_MAX || path.p[path.n - 1] == '/' || str_has_nul(path))
		return false;
	while (str_next_part(&rest, '/', &part))
		if (!part.n || str_is(part, ".") || str_is(part, ".."))
			return false;
	return true;
}

/* ---- what is ignored ---- */

/* Reports the error to the caller's trouble(), if set. */
static struct err *dir_report(const struct dir_tree *d, struct str path, struct err *e)
{
	if (!e || !d->o.trouble)
		return e;
	d->o.trouble(d->o.ctx, path, e);
	return NULL;
}

static struct err *read_into(struct dir_tree *d, struct str folder, const char *name,
			     struct ignore *rules)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct str path, text = {0};
	struct err *e;

	path = str_fmt(scratch, "%.*s%s%s", STR_ARG(folder), folder.n ? "/" : "", name);
	e = disk_read(scratch, &d->disk, path, IGNORE_MAX, &text);
	/* Git does not follow a .gitignore that is a link either. */
	if (e && (err_reason(e) == E_FILE_NOT_FOUND || err_reason(e) == E_NOT_A_FILE))
		e = NULL;
	else if (e)
		e = dir_report(d, path, e);
	else
		ignore_add_text(d->arena, rules, text);
	return e;
}

static struct err *read_rules(struct dir_tree *d, struct folder *f)
{
	if (f->has_rules || !d->o.ignore)
		return NULL;
	f->has_rules = true;
	if (f->repository)
		TRY(read_into(d, f->path, ".git/info/exclude", &f->exclude));
	return read_into(d, f->path, ".gitignore", &f->rules);
}

/* Matches the path with the patterns of a folder above it, as a path from that folder. */
static enum ignore_answer ignored_above(const struct above *above, struct str path, bool is_dir)
{
	char whole[2 * OS_PATH_MAX];

	if (above->at.n && above->at.n + path.n + 1 < sizeof(whole)) {
		memcpy(whole, above->at.p, above->at.n);
		whole[above->at.n] = '/';
		memcpy(whole + above->at.n + 1, path.p, path.n);
		path = (struct str){whole, above->at.n + 1 + path.n};
	}
	return ignore_ask(&above->rules, path, is_dir);
}

/* The nearest .gitignore takes precedence; the folders above the path are not ignored. */
static bool is_ignored(const struct dir_tree *d, const struct folder *in, struct str path,
		       bool is_dir)
{
	enum ignore_answer answer = IGNORE_UNSAID;
	const struct folder *f = in, *top = NULL;

	for (; f && !top && answer == IGNORE_UNSAID; f = f->up) {
		if (f->rules.n)
			answer = ignore_ask(&f->rules, tree_path_below(path, f->path), is_dir);
		if (f->repository)
			top = f;
	}
	if (top && top->exclude.n && answer == IGNORE_UNSAID)
		answer = ignore_ask(&top->exclude, tree_path_below(path, top->path), is_dir);
	for (size_t i = d->above.n; i-- > 0 && answer == IGNORE_UNSAID;) {
		const struct above *above = &d->above.p[i];

		if (!top)
			answer = ignored_above(above, path, is_dir);
		else if (above->user)
			answer =
				ignore_ask(&above->rules, tree_path_below(path, top->path), is_dir);
	}
	if (answer == IGNORE_UNSAID)
		answer = ignore_ask(&d->excludes, path, is_dir);
	return answer == IGNORE_YES;
}

/* ---- folders ---- */

/* An empty ".git" folder does not make a repository: Git would add the files beside it. */
static struct err *is_repository(const struct dir_tree *d, struct str path, bool *yes)
{
	struct stat st;

	TRY(disk_look(&d->disk, path, ".git", true, &st, yes));
	if (!*yes || S_ISREG(st.st_mode))
		return NULL;
	*yes = false;
	return S_ISDIR(st.st_mode) ? disk_look(&d->disk, path, ".git/HEAD", false, &st, yes) : NULL;
}

static struct folder *known_folder(struct dir_tree *d, struct str path, struct folder ***slot)
{
	*slot = &d->bucket[str_hash(path) % BUCKETS];
	for (struct folder *f = **slot; f; f = f->next)
		if (str_eq(f->path, path))
			return f;
	return NULL;
}

/* path must live as long as the tree. */
static struct folder *dir_add_folder(struct dir_tree *d, struct folder *up, struct str path,
				     bool there)
{
	struct folder **slot, *f = known_folder(d, path, &slot);

	if (f)
		return f;
	f = ARENA_NEW(d->arena, struct folder);
	f->path = path;
	f->up = up;
	f->depth = up->depth + 1;
	f->there = there;
	f->next = *slot;
	*slot = f;
	return f;
}

/* The folder with that path if it belongs to the tree, otherwise NULL. Reads the rules above it. */
static struct err *dir_enter(struct dir_tree *d, struct str path, struct folder **out)
{
	struct folder *in = !path.n || is_path(path) ? &d->top : NULL, **slot, *f;
	size_t from = 0;

	while (in && from < path.n) {
		size_t end = size_min(str_find_char(path, '/', from), path.n);
		struct str part = str_sub(path, from, end), whole = str_sub(path, 0, end);

		from = end + 1;
		f = known_folder(d, whole, &slot);
		if (!f) {
			bool repository, entered;
			struct stat st;

			TRY(is_repository(d, whole, &repository));
			TRY(read_rules(d, in));
			whole = str_dup(d->arena, whole);
			TRY(disk_look(&d->disk, whole, "", false, &st, &entered));
			entered = entered && S_ISDIR(st.st_mode) && (d->o.nested || !repository) &&
				  !is_ignored(d, in, whole, true);
			f = dir_add_folder(d, in, whole, entered && !str_is(part, ".git"));
			f->repository = repository;
		}
		in = f->there ? f : NULL;
	}
	*out = in;
	return NULL;
}

/* Byte i of the entry's path; the name of a folder ends with a slash. */
static int byte_at(const struct entry *e, size_t i)
{
	if (i < e->file.path.n)
		return (unsigned char)e->file.path.p[i];
	return e->folder ? '/' : 0;
}

static int entry_cmp(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	size_t n = size_min(a->file.path.n, b->file.path.n);
	int c = memcmp(a->file.path.p, b->file.path.p, n);

	return c ? c : byte_at(a, n) - byte_at(b, n);
}

struct name {
	struct str path;
	mode_t mode;
};
struct names VEC(struct name);

/* Paths go into the tree's memory; the list itself, which ignored files may make long, into a. */
static struct err *list_names(struct dir_tree *d, struct folder *f, struct arena *a, DIR *stream,
			      struct names *out, bool *has_ignore)
{
	struct dirent *entry;
	struct stat st;
	bool there;

	for (errno = 0; (entry = readdir(stream)); errno = 0) {
		struct buf path = buf_in(a);
		struct name n;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    !strcmp(entry->d_name, ".git"))
			continue;
		n.mode = (mode_t)DTTOIF(entry->d_type);
		/* Some file systems do not give the kind. A file that vanished has no mode. */
		if (entry->d_type == DT_UNKNOWN) {
			TRY(disk_look(&d->disk, f->path, entry->d_name, false, &st, &there));
			n.mode = there ? st.st_mode & S_IFMT : 0;
		}
		if (!S_ISREG(n.mode) && !S_ISDIR(n.mode) && !S_ISLNK(n.mode))
			continue;
		if (!strcmp(entry->d_name, ".gitignore"))
			*has_ignore = true;
		if (f->path.n) {
			buf_put(&path, f->path);
			buf_putc(&path, '/');
		}
		buf_puts(&path, entry->d_name);
		n.path = buf_as_str(&path);
		if (n.path.n >= OS_PATH_MAX && d->o.too_long) {
			strs_push(d->arena, d->o.too_long, str_dup(d->arena, n.path));
			continue;
		}
		if (n.path.n >= OS_PATH_MAX)
			return err_new(E_TOO_LONG, "a path in '%s' is longer than %d bytes",
				       d->disk.path, OS_PATH_MAX - 1);
		*VEC_PUSH(a, out) = n;
	}
	return errno ? disk_failed(&d->disk, errno, "list", f->path) : NULL;
}

static struct err *dir_add_entry(struct dir_tree *d, struct folder *f, const struct name *n)
{
	bool is_dir = S_ISDIR(n->mode), repository = false;
	struct entry *entry;
	struct str path;

	if (is_ignored(d, f, n->path, is_dir)) {
		/* The nested repository that the folder is in, or the top. */
		while (f->up && !f->repository)
			f = f->up;
		if (d->o.ignored)
			d->o.ignored(d->o.ctx, n->path, is_dir, f->path);
		return NULL;
	}
	if (++d->files > FILES_MAX)
		return err_new(E_TOO_BIG, "'%s' has more than %zu files", d->disk.path, FILES_MAX);
	path = str_dup(d->arena, n->path);
	if (is_dir)
		TRY(is_repository(d, path, &repository));
	entry = VEC_PUSH(d->arena, &f->entries);
	entry->file.path = path;
	if (is_dir && (!repository || d->o.nested)) {
		entry->folder = dir_add_folder(d, f, path, true);
		entry->folder->repository = repository;
	}
	entry->file.kind = entry->folder      ? TREE_FOLDER
			   : is_dir           ? TREE_SUBMODULE
			   : S_ISLNK(n->mode) ? TREE_LINK
					      : TREE_FILE;
	return NULL;
}

static struct err *list_stream(struct dir_tree *d, struct folder *f, DIR *stream)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct names names = {0};
	bool has_ignore = false;
	struct err *e =
		dir_report(d, f->path, list_names(d, f, scratch, stream, &names, &has_ignore));

	if (!e && (has_ignore || f->repository))
		e = read_rules(d, f);
	f->has_rules = true;
	VEC_ROOM(d->arena, &f->entries, names.n);
	for (size_t i = 0; i < names.n && !e; i++)
		e = dir_add_entry(d, f, &names.p[i]);
	VEC_SORT(&f->entries, entry_cmp);
	f->listed = !e;
	return e;
}

static struct err *dir_list(struct dir_tree *d, struct folder *f)
{
	bool left_out = false;
	struct err *e = NULL;
	DIR *stream;
	int fd;

	if (f->listed)
		return NULL;
	f->entries.n = 0;
	fd = disk_open(&d->disk, f->path, O_RDONLY | O_DIRECTORY);
	/* It vanished, or is no longer a folder. */
	if (fd < 0 && f->path.n && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) {
		f->there = false;
		return NULL;
	}
	if (fd < 0)
		return dir_report(d, f->path, disk_failed(&d->disk, errno, "list", f->path));
	if (d->o.leave_out && f->path.n) {
		struct stat st;

		if (fstat(fd, &st))
			e = disk_failed(&d->disk, errno, "look at", f->path);
		left_out =
			!e && d->o.leave_out(d->o.ctx, &(struct tree_folder){f->path, f->repository,
									     st.st_dev, st.st_ino});
	}
	if (e || left_out) {
		f->there = !left_out;
		close(fd);
		return e;
	}
	stream = fdopendir(fd);
	if (!stream) {
		e = disk_failed(&d->disk, errno, "list", f->path);
		close(fd);
		return e;
	}
	e = list_stream(d, f, stream);
	closedir(stream);
	return e;
}

/* Recursion is limited: list_names() limits the parts of a path. */
static struct err *dir_walk(struct dir_tree *d, struct folder *f, tree_fn *fn, void *ctx)
{
	for (size_t i = 0; i < f->entries.n; i++) {
		const struct entry *entry = &f->entries.p[i];
		struct folder *folder = entry->folder;

		if (!folder) {
			TRY(fn(ctx, &entry->file));
			continue;
		}
		if (!d->o.depth || folder->depth <= d->o.depth)
			TRY(dir_list(d, folder));
		if (d->o.folders && folder->there)
			TRY(fn(ctx, &entry->file));
		TRY(dir_walk(d, folder, fn, ctx));
	}
	return NULL;
}

/* ---- the tree ---- */

static struct err *dir_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct dir_tree *d = (struct dir_tree *)t;
	struct folder *f;

	TRY(dir_enter(d, prefix, &f));
	if (!f)
		return NULL;
	TRY(dir_list(d, f));
	return dir_walk(d, f, fn, ctx);
}

static struct err *dir_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	struct dir_tree *d = (struct dir_tree *)t;
	struct folder *in;
	struct stat st;
	bool is_dir, is;

	*found = false;
	if (!is_path(path) || str_is(str_base(path), ".git"))
		return NULL;
	TRY(dir_enter(d, str_dir(path), &in));
	if (!in)
		return NULL;
	TRY(disk_look(&d->disk, path, "", false, &st, &is));
	if (!is)
		return NULL;
	is_dir = S_ISDIR(st.st_mode);
	is = S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
	if (is_dir)
		TRY(is_repository(d, path, &is));
	if (!is)
		return NULL;
	TRY(read_rules(d, in));
	if (is_ignored(d, in, path, is_dir))
		return NULL;
	*found = true;
	*out = (struct tree_file){.path = str_dup(d->arena, path),
				  .kind = is_dir                ? TREE_SUBMODULE
					  : S_ISLNK(st.st_mode) ? TREE_LINK
					  : st.st_mode & 0100   ? TREE_EXEC
								: TREE_FILE};
	return NULL;
}

static struct err *dir_read(struct tree *t, struct arena *a, const struct tree_file *f, size_t max,
			    struct str *out)
{
	const struct disk *disk = &((struct dir_tree *)t)->disk;

	if (!is_path(f->path))
		return err_new(E_BAD_PATH, "'%.*s' is no path of a file in '%s'", STR_ARG(f->path),
			       disk->path);
	if (f->kind == TREE_SUBMODULE)
		return err_new(E_NOT_A_FILE, "'%s' is a submodule", disk_shown(a, disk, f->path));
	if (f->kind == TREE_LINK)
		return disk_read_link(a, disk, f->path, max, out);
	return disk_read(a, disk, f->path, max, out);
}

static struct err *dir_open(struct tree *t, const struct tree_file *f, int *fd, uint64_t *size)
{
	const struct disk *disk = &((struct dir_tree *)t)->disk;

	if (!is_path(f->path))
		return err_new(E_BAD_PATH, "'%.*s' is no path of a file in '%s'", STR_ARG(f->path),
			       disk->path);
	return disk_open_file(disk, f->path, fd, size);
}

static const struct tree_ops dir_ops = {
	.each = dir_each, .find = dir_find, .read = dir_read, .open = dir_open};

static void close_top(void *p)
{
	close(((struct dir_tree *)p)->disk.fd);
}

struct err *tree_folder_ignores_path(struct tree *t, struct str path, bool *ignored)
{
	struct dir_tree *d = (struct dir_tree *)t;
	struct folder *in = &d->top, *next;
	size_t from = 0;

	*ignored = false;
	while (from < path.n && !*ignored) {
		size_t end = size_min(str_find_char(path, '/', from), path.n);
		struct str whole = str_sub(path, 0, end);

		from = end + 1;
		TRY(read_rules(d, in));
		*ignored = is_ignored(d, in, whole, end < path.n);
		/* A folder that is missing has no rules of its own. */
		TRY(dir_enter(d, whole, &next));
		in = next ? next : in;
	}
	return NULL;
}

struct tree *tree_of_folder_at(struct arena *a, int fd, const char *path,
			       const struct tree_dir_options *o)
{
	struct dir_tree *d = ARENA_NEW(a, struct dir_tree);

	d->arena = a;
	d->t = (struct tree){&dir_ops, str_fmt(a, "'%s'", path)};
	d->disk = (struct disk){fd, str_c(a, str_of(path)), d->t.name};
	d->top.there = true;
	d->top.depth = 1;
	if (!o)
		return &d->t;
	d->o = *o;
	for (size_t i = 0; i < o->excludes.n; i++)
		ignore_line(a, &d->excludes, o->excludes.p[i]);
	for (size_t i = 0; o->ignore && i < o->above_n; i++) {
		struct above *above = VEC_PUSH(a, &d->above);

		above->at = str_dup(a, o->above[i].at);
		above->user = o->above[i].user;
		for (size_t k = 0; k < o->above[i].lines.n; k++)
			ignore_line(a, &above->rules, o->above[i].lines.p[k]);
	}
	return &d->t;
}

struct err *tree_of_folder(struct arena *a, const char *path, const struct tree_dir_options *o,
			   struct tree **out)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOTDIR && !stat(path, &st))
		return err_new(E_NOT_A_FILE, "'%s' is not a folder", path);
	if (fd < 0)
		return err_errno(errno, "open '%s'", path);
	*out = tree_of_folder_at(a, fd, path, o);
	arena_defer(a, close_top, *out);
	return NULL;
}
