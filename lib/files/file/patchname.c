/* Finds the files that a section of a diff names. */
#include "file/backend.h"
#include "garden/path.h"

static bool patchname_below(struct str name, struct str dir)
{
	return str_is(dir, "/") || str_is_below(name, dir);
}

/* An absolute name, also by links, is below the current folder or a root. */
static struct err *patchname_absolute(struct files *f, struct str name)
{
	const char *cwd = f->cwd, *real = NULL;
	struct strs dirs = {0};
	struct err *e;

	if (f->roots)
		os_roots_paths(f->roots, f->a, &dirs);
	if (cwd || !os_cwd(f->a, &cwd))
		strs_push(f->a, &dirs, str_of(cwd));
	if (!os_realpath(f->a,
			 str_c(f->a, str_sub(name, 0, size_max(str_rfind_char(name, '/'), 1))),
			 &real))
		real = os_join(f->a, real, "x");
	for (size_t i = 0; i < dirs.n; i++)
		if (real ? patchname_below(str_of(real), dirs.p[i])
			 : patchname_below(name, dirs.p[i]))
			return NULL;
	e = err_new(E_OUTSIDE_ROOTS, "the diff names '%.*s', which is not below the current folder",
		    STR_ARG(name));
	return err_help(
		e,
		"write a name that is relative to the current folder '%s', or give the path of the file with the diff",
		cwd ? cwd : ".");
}

/* The names come from outside: they must not leave the folder, nor lead into .git. */
static struct err *patchname_check(struct files *f, struct str name)
{
	struct str rest = name, part;

	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, ".."))
			return err_new(E_OUTSIDE_ROOTS,
				       "the diff names '%.*s', which may be outside "
				       "of the current folder",
				       STR_ARG(name));
		if (str_ieq(part, STR(".git")))
			return err_help(
				err_new(E_OUTSIDE_ROOTS,
					"the diff names '%.*s', which is in a folder .git",
					STR_ARG(name)),
				"leave that file out of the diff: git changes its own files");
	}
	return name.p[0] == '/' ? patchname_absolute(f, name) : NULL;
}

/* Turns "./a//b" into "a/b", so that a file has one name in a diff. */
static struct str patchname_plain(struct arena *a, struct str name)
{
	bool absolute = name.p[0] == '/';
	struct buf b = buf_in(a);
	struct str part;

	while (str_next_part(&name, '/', &part)) {
		if (!part.n || str_is(part, "."))
			continue;
		if (b.n || absolute)
			buf_putc(&b, '/');
		buf_put(&b, part);
	}
	return buf_as_str(&b);
}

static struct err *clean(struct files *f, struct str name, unsigned strip, struct str *out)
{
	struct str rest = patch_strip(name, strip);

	*out = (struct str){0};
	if (!name.p)
		return NULL;
	if (str_starts(rest, STR(ASSET_SCHEME)) || str_starts(rest, STR(GARDEN_URI))) {
		*out = rest;
		return NULL;
	}
	if (rest.p) {
		TRY(patchname_check(f, rest));
		*out = patchname_plain(f->a, rest);
	}
	if (out->n)
		return NULL;
	return err_help(err_new(E_BAD_PATCH,
				"nothing is left of the name '%.*s' without its first "
				"%u parts",
				STR_ARG(name), strip),
			"remove fewer parts with -p, or name the file");
}

/* Whether the names are a/x and b/x, as git and agents write them. */
static bool is_prefixed(const struct patch_file *s)
{
	struct str old = s->old_path, new = s->new_path;

	if ((old.p && !str_starts(old, STR("a/"))) || (new.p && !str_starts(new, STR("b/"))))
		return false;
	return !old.p || !new.p || str_eq(str_sub(old, 2, old.n), str_sub(new, 2, new.n));
}

static size_t parts(struct str name)
{
	size_t n = 1;

	for (size_t i = 0; i < name.n; i++)
		n += name.p[i] == '/';
	return n;
}

static struct err *patchname_exists(struct files *f, struct str name, bool *out)
{
	struct file_ref r;
	struct file_stat st;

	TRY(file_ref_named(f, name, &r));
	TRY(file_stat(f, &r, &st));
	*out = st.kind != OS_NONE;
	return NULL;
}

/* Picks one of two names, as for `diff -u x.orig x`. */
static struct err *choose(struct files *f, struct str one, struct str two, struct str *out)
{
	bool has_one, has_two;

	TRY(patchname_exists(f, one, &has_one));
	TRY(patchname_exists(f, two, &has_two));
	if (has_one != has_two)
		*out = has_one ? one : two;
	else if (parts(one) != parts(two))
		*out = parts(one) < parts(two) ? one : two;
	else
		*out = one.n < two.n ? one : two;
	return NULL;
}

struct err *file_patch_names(struct files *f, const struct patch_file *s, int strip, bool reverse,
			     struct str *from, struct str *to)
{
	unsigned n = strip >= 0 ? (unsigned)strip : s->git || is_prefixed(s) ? 1 : 0;
	struct str old, new;

	TRY(clean(f, s->old_path, n, &old));
	TRY(clean(f, s->new_path, n, &new));
	if (!old.p && !new.p)
		return err_help(err_new(E_BAD_PATCH, "the diff names no file"),
				"give the path of the file with the diff");
	if (!old.p || !new.p)
		*from = *to = old.p ? old : new;
	else if (s->renames || s->copies)
		*from = reverse ? new : old, *to = reverse ? old : new;
	else if (str_eq(old, new) || s->creates || s->removes)
		*from = *to = s->creates ? new : old;
	else
		TRY(choose(f, old, new, from));
	if (!to->p)
		*to = *from;
	/* The reverse of a copy concerns only the copy. */
	if (s->copies && reverse)
		*to = *from;
	return NULL;
}
