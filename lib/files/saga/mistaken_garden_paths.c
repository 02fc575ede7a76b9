/* Names that look like the garden's, but name a file of another folder. */
#include "saga/internal.h"

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

struct err *saga_refuse_misplaced_file(struct saga *s, struct arena *a, const char *cwd,
				       const struct file_item *it)
{
	struct saga_name q = {
		.top = s->top, .user = s->log->user, .cwd = cwd, .name = it->ref.path};
	struct saga_stray stray;
	struct os_stat st;
	struct err *e;

	/* A file that exists is not mistyped, and a name with "./" in front means the current
	 * folder. */
	if ((it->optional && !it->parents) || !str_starts(q.name, STR("users/")))
		return NULL;
	if (!cwd)
		TRY(os_cwd(a, &q.cwd));
	if (os_stat(os_join(a, q.cwd, str_c(a, q.name)), false, &st) || st.kind != OS_NONE ||
	    !saga_name_is_meant_for_garden(a, &q, &stray))
		return NULL;
	/* Without its folder the change fails anyway. */
	if (stray.sure && it->parents) {
		e = err_new(E_BAD_PATH, "%.*s", STR_ARG(stray.why));
		err_add_detail(e, "path", q.name);
		err_help(e, "the garden has %.*s", STR_ARG(garden_path_forms(a)));
		return err_help(e, "for a file of this folder write './%.*s'", STR_ARG(q.name));
	}
	strs_push(s->a, &s->own->strays, str_dup(s->a, stray.why));
	return NULL;
}
