#include "import_from.h"
#include "os/os.h"
#include <unistd.h>

#define DEPTH_MOST 32 /* folders below each other */
#define HEAD       ((size_t)16 * 1024)

struct from {
	struct call *c;
	struct memory_foreign *f;
	const char *top;
	size_t files; /* that were read or left out */
};

static bool from_is_note(struct str name)
{
	return str_ends(name, STR(".md")) || str_ends(name, STR(".markdown"));
}

static void from_leave(struct from *w, struct str name, const char *why)
{
	w->files++;
	w->f->file = name;
	w->f->text = STR("");
	foreign_leave(w->f, 0, true, "%s", why);
}

/* A link may lead in a circle. */
static void from_link(struct from *w, struct str name)
{
	struct os_stat st = {.kind = OS_NONE};
	struct err *e = os_stat(os_join(w->c->a, w->top, str_c(w->c->a, name)), true, &st);

	if (e || st.kind == OS_DIR || from_is_note(name))
		from_leave(w, name, "a symbolic link, which is not followed");
}

static void from_read_note(struct from *w, struct str name, const struct os_stat *st)
{
	struct str text;
	struct err *e = os_read(w->c->a, os_join(w->c->a, w->top, str_c(w->c->a, name)),
				MEMORY_FOREIGN_MAX, &text);

	if (e) {
		from_leave(w, name, err_message(e));
		return;
	}
	w->files++;
	memory_foreign_read(w->f, MEMORY_NOTES, name, text, st->mtime_ns / 1000000);
}

static struct err *from_folder(struct from *w, struct str below, unsigned depth)
{
	struct arena *a = w->c->a;
	struct strs names = {0};
	struct err *e = os_list(a, os_join(a, w->top, str_c(a, below)), &names);

	if (e && !depth)
		return e;
	if (e)
		from_leave(w, below, err_message(e));
	for (size_t i = 0; i < names.n; i++) {
		struct str name =
			below.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(below), STR_ARG(names.p[i]))
				: names.p[i];
		struct os_stat st;

		if (names.p[i].p[0] == '.')
			continue;
		e = os_stat(os_join(a, w->top, str_c(a, name)), false, &st);
		if (e)
			from_leave(w, name, err_message(e));
		else if (st.kind == OS_DIR && depth < DEPTH_MOST)
			TRY(from_folder(w, name, depth + 1));
		else if (st.kind == OS_FILE && from_is_note(name))
			from_read_note(w, name, &st);
		else if (st.kind == OS_DIR)
			from_leave(w, name, "the folder is too deep");
		else if (st.kind == OS_LINK)
			from_link(w, name);
		else if (from_is_note(name))
			from_leave(w, name, "no regular file");
	}
	return NULL;
}

/* The first bytes tell most of ikm's own files. They may be huge, and are read in batches later. */
static struct err *from_begins_own(struct call *c, struct str path, struct str name, bool *own)
{
	char *head = arena_alloc(c->a, HEAD);
	struct err *e;
	size_t n = 0;
	int fd;

	TRY(os_roots_open(NULL, c->cwd, path, &fd));
	e = os_read_some(fd, str_c(c->a, path), head, HEAD, &n);
	close(fd);
	*own = !e && memory_foreign_begins_own(c->a, name, (struct str){head, n});
	return e;
}

static struct err *from_file(struct call *c, struct str path, int format, const struct os_stat *st,
			     struct memory_foreign *f, bool *own)
{
	size_t slash = str_rfind_char(path, '/');
	struct str name = slash == SIZE_MAX ? path : str_sub(path, slash + 1, path.n), text;
	struct err *e;

	if (format < 0) {
		TRY(from_begins_own(c, path, name, own));
		if (*own)
			return NULL;
	}
	e = os_roots_read(NULL, c->a, c->cwd, path, MEMORY_FOREIGN_MAX, &text);
	/* ikm's own lines have no limit. */
	if (e && err_reason(e) == E_TOO_BIG && format < 0) {
		*own = true;
		return NULL;
	}
	TRY(e);
	if (format < 0)
		format = (int)memory_foreign_guess(c->a, name, text);
	*own = format == MEMORY_OWN;
	if (!*own)
		memory_foreign_read(f, (enum memory_format)format, name, text,
				    st->mtime_ns / 1000000);
	return NULL;
}

struct err *import_from(struct call *c, struct str path, int format, struct memory_foreign *f,
			bool *own)
{
	struct from w = {.c = c, .f = f};
	struct os_stat st = {.kind = OS_NONE};

	*own = format == MEMORY_OWN || !path.p || str_is(path, "-");
	if (*own && format > MEMORY_OWN)
		return err_help(err_param(E_MISSING_PARAMETER, STR("path"),
					  "path is required with --from %s",
					  memory_formats[format]),
				"name the file or the folder");
	if (*own)
		return NULL;
	TRY(os_roots_stat(NULL, c->cwd, path, &st));
	if (st.kind == OS_FILE)
		return from_file(c, path, format, &st, f, own);
	*own = st.kind != OS_DIR;
	if (*own)
		return NULL;
	if (format > 0 && format != MEMORY_NOTES)
		return err_param(E_BAD_ARGUMENT, STR("path"),
				 "'%.*s' is a folder; only notes are in a folder", STR_ARG(path));
	w.top = str_starts(path, STR("/")) ? str_c(c->a, path)
					   : os_join(c->a, c->cwd, str_c(c->a, path));
	TRY(from_folder(&w, STR(""), 0));
	return w.files ? NULL
		       : err_param(E_BAD_ARGUMENT, STR("path"),
				   "the folder '%.*s' has no file *.md or *.markdown",
				   STR_ARG(path));
}
