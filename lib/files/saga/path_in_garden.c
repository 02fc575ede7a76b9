/* Finds out whether a path lies in the garden, by real paths and not by names; or is meant to. */
#include "saga/internal.h"
#include "asset/asset.h"

struct str saga_parent_folder(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return slash == SIZE_MAX ? STR(".") : str_sub(path, 0, size_max(slash, 1));
}

static bool saga_is_below(struct str path, struct str dir)
{
	return path.n > dir.n + 1 && str_starts(path, dir) && path.p[dir.n] == '/';
}

struct err *saga_find_garden(struct saga *s)
{
	struct saga_private *own = s->own;
	struct os_stat st = {0};
	const char *real;

	if (!own)
		s->own = own = ARENA_NEW(s->a, struct saga_private);
	if (own->looked)
		return NULL;
	if (s->top)
		TRY(os_stat(s->top, true, &st));
	if (!s->top || st.kind == OS_NONE) {
		own->looked = true;
		return NULL;
	}
	if (st.kind != OS_DIR)
		return err_help(err_new(E_NOT_A_FILE, "the garden '%s' is not a folder", s->top),
				"garden.path names it: 'ikm config garden.path' says where it is "
				"set");
	TRY(os_realpath(s->a, s->top, &own->real));
	own->users = os_join(s->a, own->real, "users");
	TRY(os_stat(own->users, false, &st));
	own->users_link = st.kind == OS_LINK;
	if (own->users_link) {
		struct err *e = os_realpath(s->a, own->users, &real);

		/* A link that leads nowhere has no files. */
		if (e && err_reason(e) != E_FILE_NOT_FOUND)
			return e;
		own->users_real = e ? STR("") : str_of(real);
	}
	own->looked = true;
	return NULL;
}

struct str saga_path_below_garden(const struct saga *s, struct str real)
{
	const struct saga_private *own = s->own;

	if (!own || !own->real || !saga_is_below(real, str_of(own->users)))
		return STR("");
	return str_sub(real, strlen(own->users) - strlen("users"), real.n);
}

/* The path without links; the part that does not exist stays as it is. */
static struct err *saga_real(struct arena *a, struct str path, struct str *out)
{
	struct str rest = STR("");
	const char *real;

	while (path.n > 1) {
		struct err *e = os_realpath(a, str_c(a, path), &real);

		if (!e) {
			*out = str_of(rest.n ? os_join(a, real, str_c(a, rest)) : real);
			return NULL;
		}
		/* A file of the garden must not pass for another file, which has no policy. */
		if (err_reason(e) == E_IO_ERROR || err_reason(e) == E_TOO_MANY_FILES)
			return e;
		rest = rest.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(str_base(path)), STR_ARG(rest))
			      : str_base(path);
		path = saga_parent_folder(path);
	}
	*out = str_fmt(a, "/%.*s", STR_ARG(rest));
	return NULL;
}

struct err *saga_garden_has_path(struct saga *s, struct arena *a, const char *cwd, struct str path,
				 bool *has, struct str *real)
{
	struct str at;

	*has = false;
	if (real)
		*real = path;
	if (!path.n || str_starts(path, STR(ASSET_SCHEME)))
		return NULL;
	if (!str_starts(path, STR("/"))) {
		if (!cwd)
			TRY(os_cwd(a, &cwd));
		path = str_of(os_join(a, cwd, str_c(a, path)));
	}
	TRY(saga_real(a, path, &at));
	if (real)
		*real = at;
	TRY(saga_find_garden(s));
	if (!s->own->real)
		return NULL;
	if (s->own->users_link && s->own->users_real.n && saga_is_below(at, s->own->users_real))
		return err_help(err_new(E_NOT_A_FILE,
					"'%s' is a symbolic link, and the garden's files must lie "
					"in the garden",
					s->own->users),
				"put the files in a folder of this name, or set garden.path to the "
				"folder that has them");
	*has = saga_path_below_garden(s, at).n > 0;
	return NULL;
}

struct err *saga_open_git(struct saga *s)
{
	struct err *e;

	if (s->own->git)
		return NULL;
	e = git_open(s->a, s->own->real, &s->own->git);
	if (e && err_reason(e) == E_NO_REPOSITORY)
		return err_help(
			err_add_context(e, "the garden '%s' is not in a Git working tree", s->top),
			"'ikm init --garden' makes it one; with garden.commit set to off, ikm makes "
			"no commits");
	return e;
}

/* ---- names that look like the garden's, but name a file of another folder ---- */

static bool saga_is_folder(const char *path)
{
	struct os_stat st;

	return !os_stat(path, true, &st) && st.kind == OS_DIR;
}

bool saga_cwd_is_garden_folder(const struct saga_name *q)
{
	struct os_stat x, y;

	return q->top && !os_stat(q->cwd, true, &x) && !os_stat(q->top, true, &y) &&
	       x.kind == OS_DIR && x.dev == y.dev && x.ino == y.ino;
}

/* The user of "users/ada/parts/p1/profil.md". */
static bool saga_name_user(struct str name, struct str *user)
{
	struct str part;

	return str_next_part(&name, '/', &part) && str_is(part, "users") &&
	       str_next_part(&name, '/', user) && user->n && user->p[0] != '.' && name.n;
}

bool saga_name_is_meant_for_garden(struct arena *a, const struct saga_name *q,
				   struct saga_stray *out)
{
	struct str user, meant, name = q->name;
	bool local, known, exact;

	*out = (struct saga_stray){.why = STR("")};
	if (!q->top || !saga_name_user(name, &user))
		return false;
	meant = garden_path_meant(a, name);
	exact = str_eq(meant, name);
	if (!saga_is_folder(q->top)) {
		out->why = str_fmt(a,
				   "'%.*s' has the form of a garden's path, and there is no "
				   "garden: 'ikm init --garden' makes it",
				   STR_ARG(name));
		return exact;
	}
	if (exact && saga_cwd_is_garden_folder(q))
		return false;
	local = saga_is_folder(os_join(a, q->cwd, "users"));
	known = str_eq(user, q->user) ||
		saga_is_folder(str_c(a, str_fmt(a, "%s/users/%.*s", q->top, STR_ARG(user))));
	out->sure = known && !local;
	if (exact)
		out->why = str_fmt(a,
				   "'%.*s' is a file of this folder, which has users/, and not of "
				   "the garden; there it is '%s/%.*s'",
				   STR_ARG(name), q->top, STR_ARG(name));
	else
		out->why = str_fmt(a, "'%.*s' is no path of the garden '%s'%.*s", STR_ARG(name),
				   q->top, STR_ARG(str_did_you_mean(a, meant)));
	return known || (meant.n && !local);
}
