/*
 * Files of the garden as resources: garden:///parts/p1/profile.md is the file of that path below
 * the folder of the person who runs the server. No other person's folder has such a URI.
 */
#include "internal.h"
#include "app/app.h"
#include "garden/path.h"

/* The caller's folder in the garden. *dir is empty when the garden cannot have one. */
static struct err *server_garden_dir(const struct server_offer *offer, struct mcp_call *m,
				     struct str *user, struct str *dir)
{
	struct server_call call;
	struct garden_path path;
	const char *top;

	*dir = STR("");
	TRY(server_call_begin(offer, m, NULL, &call));
	TRY(app_load_conf(&call.c));
	*user = app_user(&call.c);
	top = app_garden_path(&call.c);
	if (!top ||
	    !garden_path_read(str_fmt(m->a, "users/%.*s/overview.md", STR_ARG(*user)), &path))
		return NULL;
	*dir = str_fmt(m->a, "%s/users/%.*s", top, STR_ARG(*user));
	return NULL;
}

/* Reads "parts/p1/profile.md" by the grammar, which has no "..". */
static bool server_garden_has(struct arena *a, struct str user, struct str rest,
			      struct garden_path *out)
{
	return garden_path_read(str_fmt(a, "users/%.*s/%.*s", STR_ARG(user), STR_ARG(rest)), out) &&
	       str_eq(out->user, user);
}

struct err *server_garden_list(const struct server_offer *offer, struct mcp_call *m,
			       struct strs *paths, struct strs *kinds)
{
	struct val *input = val_map(m->a), *found;
	struct garden_path at;
	struct str user, dir;
	struct err *e;

	*paths = *kinds = (struct strs){0};
	TRY(server_garden_dir(offer, m, &user, &dir));
	if (!dir.n)
		return NULL;
	val_set(m->a, input, "path", val_str(m->a, dir));
	val_set(m->a, input, "all", val_bool(m->a, true));
	e = server_run_command(offer, m, "list", input, &found);
	/* There is no garden yet, or --root does not open it. */
	if (e && (err_code(e) == CODE_NOT_FOUND || err_code(e) == CODE_BLOCKED))
		return NULL;
	TRY(e);
	VAL_EACH(val_get(found, "paths"), path) {
		struct str rest = str_sub(path->s, dir.n + 1, path->s.n);

		if (server_garden_has(m->a, user, rest, &at) && at.kind != GARDEN_HISTORY) {
			strs_push(m->a, paths, rest);
			strs_push(m->a, kinds, str_of(garden_kinds[at.kind]));
		}
	}
	return NULL;
}

struct err *server_garden_read(const struct server_offer *offer, struct mcp_call *m, struct str uri,
			       struct val **out)
{
	struct str rest = str_sub(uri, strlen(MCP_GARDEN), uri.n), user, dir;
	struct val *input = val_map(m->a);
	struct garden_path at;
	struct err *e;

	TRY(server_garden_dir(offer, m, &user, &dir));
	if (!dir.n || !server_garden_has(m->a, user, rest, &at))
		return err_new(E_FILE_NOT_FOUND, "your folder in the garden has no file '%.*s'",
			       STR_ARG(rest));
	val_set(m->a, input, "path",
		val_str(m->a, str_fmt(m->a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(rest))));
	e = server_run_command(offer, m, "read", input, out);
	if (e && err_code(e) == CODE_BLOCKED)
		return err_new(E_FILE_NOT_FOUND, "the garden is not open to this server: %s",
			       err_message(e));
	return e;
}
