/* Loose objects, and the folders that hold objects. */
#include "git/internal.h"
#include "os/os.h"

#define ALTERNATES_DEPTH 5 /* as git */
#define ALTERNATES_MAX   100
#define HEAD_MAX         64 /* "commit 1234567890" and a NUL */

/* ---- which folders ---- */

static struct err *loose_add_folder(struct git *g, const char *dir, unsigned depth);

/*
 * Other people's folders: git goes on without one that it cannot look at, and so does ikm. But then
 * an object that is found nowhere may be there.
 */
static void add_alternate(struct git *g, const char *from, struct str path, unsigned depth)
{
	const char *dir = str_c(g->arena, path);
	struct err *e;

	/* Quoted paths are left to git, which gets the questions that ikm cannot answer. */
	if (!path.n || dir[0] == '"')
		return;
	e = loose_add_folder(g, dir[0] == '/' ? dir : os_join(g->arena, from, dir), depth);
	if (e && !g->unseen)
		g->unseen = str_c(g->arena, str_of(err_message(e)));
}

/* A missing folder is no error for git either. */
static struct err *loose_add_folder(struct git *g, const char *dir, unsigned depth)
{
	struct os_stat st;
	const char *real, *file;
	struct str text, line;

	if (depth > ALTERNATES_DEPTH || g->objects.n == ALTERNATES_MAX)
		return NULL;
	TRY(os_stat(dir, true, &st));
	if (st.kind != OS_DIR)
		return NULL;
	TRY(os_realpath(g->arena, dir, &real));
	if (strs_has(&g->objects, str_of(real)))
		return NULL;
	strs_push(g->arena, &g->objects, str_of(real));
	file = os_join(g->arena, real, "info/alternates");
	TRY(os_stat(file, true, &st));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(os_read_path(g->arena, file, CONFIG_MAX, &text));
	while (str_next_line(&text, &line))
		if (line.n && line.p[0] != '#')
			add_alternate(g, real, line, depth + 1);
	return NULL;
}

struct err *objects_find_folders(struct git *g)
{
	const char *own = repo_env_get(g, "GIT_OBJECT_DIRECTORY");
	const char *more = repo_env_get(g, "GIT_ALTERNATE_OBJECT_DIRECTORIES");
	struct str rest = str_of(more), part;

	if (own && own[0] != '/')
		own = os_join(g->arena, g->cwd, own);
	TRY(loose_add_folder(g, own ? own : os_join(g->arena, g->common, "objects"), 0));
	while (str_next_part(&rest, ':', &part))
		add_alternate(g, g->cwd, part, 0);
	return NULL;
}

/* ---- reading ---- */

static struct err *damaged(const char *path, const char *what)
{
	return err_new(E_GIT_CORRUPT, "loose object '%s' is damaged: %s", path, what);
}

/* "blob 12" and a NUL. */
static bool parse_head(struct str head, enum object_type *type, size_t *size)
{
	struct str name;
	int64_t n;

	if (!str_next_part(&head, ' ', &name) || !head.n || head.p[0] == '-' || head.p[0] == '+' ||
	    !str_int(head, &n) || n < 0)
		return false;
	*size = (size_t)n;
	*type = object_type_by_name(name);
	return *type != OBJECT_ANY;
}

static struct err *inflate_file(struct arena *a, struct inflate *f, const char *path,
				struct str file, size_t max, enum object_type *type, size_t *size,
				struct str *out)
{
	char head[HEAD_MAX], *to;
	size_t n = HEAD_MAX, at;

	inflate_start(f, file);
	if (!inflate_next(f, head, &n))
		return damaged(path, "it cannot be inflated");
	at = str_find_char((struct str){head, n}, 0, 0);
	if (at == SIZE_MAX || !parse_head((struct str){head, at}, type, size))
		return damaged(path, "it has no header");
	if (!out)
		return NULL;
	if (*size > max)
		return object_too_big(path, *size, max);
	n -= ++at;
	/* Before allocating. */
	if (*size / INFLATE_RATIO > file.n || n > *size)
		return damaged(path, "its size differs from the size in its header");
	to = arena_alloc(a, *size + INFLATE_ROOM);
	memcpy(to, head + at, n);
	at = *size - n + INFLATE_ROOM;
	if (!inflate_next(f, to + n, &at) || at != *size - n)
		return damaged(path, "it cannot be inflated to the size in its header");
	if (inflate_trailing_bytes(f))
		return damaged(path, "it has garbage at its end");
	*out = (struct str){to, *size};
	return NULL;
}

struct err *loose_parse(struct arena *a, const char *path, struct str file, size_t max,
			enum object_type *type, size_t *size, struct str *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();

	return inflate_file(a, inflate_new(scratch), path, file, max, type, size, out);
}

struct err *loose_read(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
		       enum object_type *type, size_t *size, struct str *out, bool *found)
{
	char hex[HEX_MAX];

	id_hex(id, g->id_len, hex);
	*found = false;
	for (size_t i = 0; i < g->objects.n && !*found; i++) {
		struct arena *scratch ARENA_LOCAL = NULL;
		char path[OS_PATH_MAX];
		struct str file;
		int n = snprintf(path, sizeof(path), "%.*s/%.2s/%s", STR_ARG(g->objects.p[i]), hex,
				 hex + 2);

		if (n < 0 || (size_t)n >= sizeof(path))
			continue;
		scratch = arena_new();
		TRY(map_file(scratch, path, SIZE_MAX, &file, found));
		if (*found)
			TRY(inflate_file(a, inflate_new(scratch), path, file, max, type, size,
					 out));
	}
	return NULL;
}

struct err *loose_count_prefix(const struct git *g, struct str start, unsigned char *id,
			       unsigned *n)
{
	struct arena *a ARENA_LOCAL = arena_new();
	unsigned char one[ID_MAX];

	/* The only object so far might have a double in the folder that ikm did not see. */
	if (g->unseen)
		return err_new(E_IO_ERROR, "%s", g->unseen);
	for (size_t i = 0; i < g->objects.n && start.n >= 2; i++) {
		struct str dir = str_fmt(a, "%.*s/%.2s", STR_ARG(g->objects.p[i]), start.p);
		struct strs names = {0};
		struct err *e = os_list(a, str_c(a, dir), &names);

		if (e && err_reason(e) != E_FILE_NOT_FOUND)
			return e;
		for (size_t k = 0; k < names.n; k++) {
			struct str hex = str_fmt(a, "%.2s%.*s", start.p, STR_ARG(names.p[k]));

			if (!str_starts(hex, start) || !id_parse(hex, one, g->id_len) ||
			    (*n && id_eq(one, id, g->id_len)))
				continue;
			memcpy(id, one, g->id_len);
			++*n;
		}
	}
	return NULL;
}
