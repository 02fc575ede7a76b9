/*
 * Loose objects, and the folders that hold objects. libgit2 1.5 inflates a loose object that was cut
 * short for ever, so these are read here, for libgit2 too.
 */
#include "base/base.h"
#include "git/internal.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define ALTERNATES_DEPTH 5 /* as git */
#define ALTERNATES_MAX   100
#define HEAD_MAX         64   /* "commit 1234567890" and a NUL */
#define RATIO_MAX        1100 /* deflate makes nothing smaller than a thousandth */

/* ---- which folders ---- */

static void add_folder(struct git *g, const char *dir, unsigned depth);

static void add_alternates(struct git *g, const char *dir, unsigned depth)
{
	const char *file = os_join(g->arena, dir, "info/alternates");
	struct str text, line;
	struct os_stat st;

	if (os_stat(file, true, &st) || st.kind != OS_FILE ||
	    os_read(g->arena, file, CONFIG_MAX, &text))
		return;
	while (str_line(&text, &line)) {
		const char *path = str_c(g->arena, line);

		/* Quoted ones are left to git, which is asked for what is not found. */
		if (line.n && path[0] != '#' && path[0] != '"')
			add_folder(g, path[0] == '/' ? path : os_join(g->arena, dir, path),
				   depth + 1);
	}
}

/* A folder that is not there any more is no error for git either. */
static void add_folder(struct git *g, const char *dir, unsigned depth)
{
	struct os_stat st;
	const char *real;

	if (depth > ALTERNATES_DEPTH || g->objects.n == ALTERNATES_MAX ||
	    os_stat(dir, true, &st) || st.kind != OS_DIR || os_realpath(g->arena, dir, &real) ||
	    strs_has(&g->objects, str_of(real)))
		return;
	strs_push(g->arena, &g->objects, str_of(real));
	add_alternates(g, real, depth);
}

void objects_find(struct git *g)
{
	const char *own = repo_env(g, "GIT_OBJECT_DIRECTORY");
	const char *more = repo_env(g, "GIT_ALTERNATE_OBJECT_DIRECTORIES");
	struct str rest = str_of(more), part;

	if (own && own[0] != '/')
		own = os_join(g->arena, g->cwd, own);
	add_folder(g, own ? own : os_join(g->arena, g->common, "objects"), 0);
	while (str_split(&rest, ':', &part)) {
		const char *path = str_c(g->arena, part);

		if (part.n && path[0] != '"')
			add_folder(g, path[0] == '/' ? path : os_join(g->arena, g->cwd, path), 0);
	}
}

/* ---- reading ---- */

struct inflater {
	z_stream z;
	int fd, state; /* zlib's last answer */
	bool ended;    /* of the file */
	const char *path;
	unsigned char in[16384];
};

static struct err *damaged(struct inflater *f, const char *what)
{
	return err_help(err_new(E_GIT_CORRUPT, "loose object '%s' is damaged: %s", f->path, what),
			"see what else is: git fsck");
}

/* Until n bytes are there, or the stream ends; *n becomes how many there are. */
static struct err *inflate_some(struct inflater *f, void *to, size_t *n)
{
	size_t done = 0;

	while (done < *n && f->state != Z_STREAM_END) {
		size_t before;

		if (!f->z.avail_in && !f->ended) {
			ssize_t got = read(f->fd, f->in, sizeof(f->in));

			if (got < 0 && errno == EINTR)
				continue;
			if (got < 0)
				return err_errno(errno, "read '%s'", f->path);
			f->ended = got == 0;
			f->z.next_in = f->in;
			f->z.avail_in = (uInt)got;
		}
		f->z.next_out = (unsigned char *)to + done;
		f->z.avail_out = (uInt)size_min(*n - done, 1 << 30);
		before = f->z.avail_out;
		f->state = inflate(&f->z, Z_NO_FLUSH);
		done += before - f->z.avail_out;
		if (f->state != Z_OK && f->state != Z_STREAM_END && f->state != Z_BUF_ERROR)
			return damaged(f, f->z.msg ? f->z.msg : "it cannot be inflated");
		if (f->ended && f->state != Z_STREAM_END && before == f->z.avail_out)
			return damaged(f, "it ends early");
	}
	*n = done;
	return NULL;
}

/* "blob 12" and a NUL. */
static bool parse_head(struct str head, enum object_type *type, size_t *size)
{
	static const char *const names[] = {"commit", "tree", "blob", "tag"};
	struct str name;
	int64_t n;

	*type = OBJECT_ANY;
	if (!str_split(&head, ' ', &name) || !head.n || head.p[0] == '-' || head.p[0] == '+' ||
	    !str_int(head, &n) || n < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_is(name, names[i]))
			*type = (enum object_type)(OBJECT_COMMIT + i);
	*size = (size_t)n;
	return *type != OBJECT_ANY;
}

static struct err *inflate_object(struct inflater *f, struct arena *a, uint64_t file_size,
				  size_t max, enum object_type *type, size_t *size, struct str *out)
{
	char head[HEAD_MAX], *to, extra;
	size_t n = HEAD_MAX, at, more = 1;

	TRY(inflate_some(f, head, &n));
	at = str_find_char((struct str){head, n}, 0, 0);
	if (at == SIZE_MAX || !parse_head((struct str){head, at}, type, size))
		return damaged(f, "it has no header");
	if (!out)
		return NULL;
	if (*size > max)
		return err_new(E_TOO_BIG, "object '%s' has %zu bytes, more than %zu", f->path, *size,
			       max);
	/* Before memory is asked for. */
	if (*size / RATIO_MAX > file_size || n - at - 1 > *size)
		return damaged(f, "it has another size than it says");
	to = arena_alloc(a, *size + 1);
	n -= at + 1;
	memcpy(to, head + at + 1, n);
	at = *size - n;
	TRY(inflate_some(f, to + n, &at));
	if (at != *size - n)
		return damaged(f, "it is shorter than it says");
	/* The end of the stream, with its checksum, comes after the last byte. */
	TRY(inflate_some(f, &extra, &more));
	if (more || f->state != Z_STREAM_END)
		return damaged(f, "it is longer than it says");
	if (f->z.avail_in || read(f->fd, &extra, 1) > 0)
		return damaged(f, "it has garbage at its end");
	*out = (struct str){to, *size};
	return NULL;
}

static struct err *read_file(struct inflater *f, struct arena *a, size_t max,
			     enum object_type *type, size_t *size, struct str *out)
{
	struct stat st;
	struct err *e;

	if (fstat(f->fd, &st))
		return err_errno(errno, "look at '%s'", f->path);
	if (!S_ISREG(st.st_mode))
		return damaged(f, "it is no regular file");
	if (inflateInit(&f->z) != Z_OK)
		return err_new(E_GIT_FAILED, "zlib does not start");
	e = inflate_object(f, a, (uint64_t)st.st_size, max, type, size, out);
	inflateEnd(&f->z);
	return e;
}

struct err *loose_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		       enum object_type *type, size_t *size, struct str *out, bool *found)
{
	char hex[HEX_MAX], path[OS_PATH_MAX];

	id_hex(id, g->id_len, hex);
	*found = false;
	for (size_t i = 0; i < g->objects.n; i++) {
		struct inflater f = {.path = path};
		struct err *e;
		int n = snprintf(path, sizeof(path), "%.*s/%.2s/%s", STR_ARG(g->objects.p[i]), hex,
				 hex + 2);

		if (n < 0 || (size_t)n >= sizeof(path))
			continue;
		f.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (f.fd < 0 && (errno == ENOENT || errno == ENOTDIR))
			continue;
		*found = true;
		if (f.fd < 0)
			return err_errno(errno, "open '%s'", path);
		e = read_file(&f, a, max, type, size, out);
		close(f.fd);
		return e;
	}
	return NULL;
}

unsigned loose_match(const struct git *g, struct str start, unsigned char *id)
{
	struct arena *a = arena_new();
	unsigned char one[ID_MAX];
	struct strs names;
	unsigned n = 0;

	for (size_t i = 0; i < g->objects.n && start.n >= 2; i++) {
		struct str dir = str_fmt(a, "%.*s/%.2s", STR_ARG(g->objects.p[i]), start.p);

		names = (struct strs){0};
		if (os_list(a, str_c(a, dir), &names))
			continue;
		for (size_t k = 0; k < names.n; k++) {
			struct str hex = str_fmt(a, "%.2s%.*s", start.p, STR_ARG(names.p[k]));

			if (!str_starts(hex, start) || !id_parse(hex, one, g->id_len) ||
			    (n && id_eq(one, id, g->id_len)))
				continue;
			memcpy(id, one, g->id_len);
			n++;
		}
	}
	arena_free(a);
	return n;
}
