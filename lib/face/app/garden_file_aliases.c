/*
 * The short names of the garden's files (requirement: garden, "Allowed path roots"), for every
 * face: the only place that knows them.
 */
#include "app.h"
#include "garden/path.h"
#include "garden/section_edit.h"
#include "saga/saga.h"

static bool garden_name_in_grammar(struct str path)
{
	struct garden_path ignored;

	while (str_ends(path, STR("/")))
		path.n--;
	return garden_path_read(path, &ignored) ||
	       (str_find_char(path, '/', 0) != SIZE_MAX && garden_path_is_folder(path, &ignored));
}

/* A project may have users/ or garden/ of its own: then its files are meant. */
static bool garden_name_is_local(struct call *c, const char *folder)
{
	const char *cwd = c->cwd;
	struct os_stat st;

	if (!cwd && os_cwd(c->a, &cwd))
		return true;
	return os_stat(os_join(c->a, cwd, folder), true, &st) || st.kind == OS_DIR;
}

struct err *app_garden_file_resolve(struct call *c, struct str path, struct str *out)
{
	bool uri = str_starts(path, STR(GARDEN_URI));
	struct str name = path, rest;
	struct os_stat st = {0};
	const char *top;

	*out = path;
	if (!uri && (!str_starts(path, STR("users/")) || !garden_name_in_grammar(path)))
		return NULL;
	if (!uri && garden_name_is_local(c, "users"))
		return NULL;
	TRY(app_load_conf(c));
	if (uri) {
		rest = str_sub(path, strlen(GARDEN_URI), path.n);
		name = str_fmt(c->a, "users/%.*s%s%.*s", STR_ARG(app_user(c)), rest.n ? "/" : "",
			       STR_ARG(rest));
		if (!garden_name_in_grammar(name)) {
			struct err *e =
				err_new(E_BAD_PATH, "'%.*s' names no file or folder of the garden",
					STR_ARG(path));

			err_add_detail(e, "path", path);
			return err_help(e,
					"write " GARDEN_URI
					" and the path in your folder: " GARDEN_URI "notes.md, "
					"" GARDEN_URI
					"parts/ID/profile.md; a user's folder has %.*s",
					STR_ARG(garden_path_forms(c->a)));
		}
	}
	top = app_garden_path(c);
	if (top)
		TRY(os_stat(top, true, &st));
	if (st.kind == OS_DIR)
		*out = str_of(os_join(c->a, top, str_c(c->a, name)));
	else if (uri)
		return err_help(
			err_new(E_FILE_NOT_FOUND, "there is no garden for '%.*s'", STR_ARG(path)),
			"ikm init --garden makes it");
	return NULL;
}

struct err *app_garden_file_resolve_args(struct call *c, const struct cmd *cmd, const void **args)
{
	char *copy = NULL;

	for (const struct param *p = cmd->params; p && p->name; p++) {
		const void *at = (const char *)*args + p->offset;
		const struct strs *list = p->type == P_STRS ? at : NULL;
		const struct str *given = list ? list->p : at;
		struct strs names = {0};
		bool same = true;

		if (!(p->flags & GARDEN_NAMES))
			continue;
		for (size_t i = 0; i < (list ? list->n : 1); i++) {
			struct str name = given[i];

			if (name.p)
				TRY(app_garden_file_resolve(c, given[i], &name));
			same = same && name.p == given[i].p;
			strs_push(c->a, &names, name);
		}
		if (same)
			continue;
		if (!copy) {
			copy = arena_alloc(c->a, cmd->args_size);
			memcpy(copy, *args, cmd->args_size);
			*args = copy;
		}
		if (list)
			memcpy(copy + p->offset, &names, sizeof(names));
		else
			memcpy(copy + p->offset, names.p, sizeof(*names.p));
	}
	return NULL;
}

/* A file of the caller's own that the garden does not have yet. */
static void garden_name_make(struct call *c, struct str name, struct err *e)
{
	const char *top = app_garden_path(c);
	struct garden_path at;
	struct str was = {0};
	struct git *g;

	if (!garden_path_read(name, &at) || !str_eq(at.user, app_user(c)) ||
	    at.kind == GARDEN_HISTORY)
		return;
	if (top && !git_open(c->a, top, &g) &&
	    !git_read_file_at_head(g, c->a, str_of(os_join(c->a, top, str_c(c->a, name))), &was) &&
	    was.p)
		err_help(e, "Git has it: git -C '%s' restore '%.*s'", top, STR_ARG(name));
	else if (at.kind == GARDEN_PART || at.kind == GARDEN_RELATIONSHIP)
		err_help(e, "ikm md new %s '%.*s' makes it", garden_new_kinds[at.kind],
			 STR_ARG(at.id));
	else if (!str_is(at.entity_type, "note") || str_eq(at.id, at.user))
		err_help(e, "ikm md new %s makes it", garden_new_kinds[at.kind]);
}

static void garden_name_hint(struct call *c, struct str name, struct err *e)
{
	struct saga_name q = {.cwd = c->cwd, .name = name};
	struct saga_stray stray;
	struct strs names = {0};
	struct str top, near;

	if (app_load_conf(c))
		return;
	q.top = app_garden_path(c);
	q.user = app_user(c);
	if (!q.top)
		return;
	top = str_fmt(c->a, "%s/", q.top);
	if (str_starts(name, top))
		garden_name_make(c, str_sub(name, top.n, name.n), e);
	else if (saga_cwd_is_garden_folder(&q))
		garden_name_make(c, name, e);
	else if (str_starts(name, STR("users/")) && saga_name_is_meant_for_garden(c->a, &q, &stray))
		err_help(e, "%.*s", STR_ARG(stray.why));
	else if (str_starts(name, STR("garden/")) && !err_has_help(e) &&
		 !garden_name_is_local(c, "garden")) {
		/* The current folder has no garden/: the nearest file of the caller's own. */
		top = str_fmt(c->a, "users/%.*s", STR_ARG(app_user(c)));
		if (os_list(c->a, os_join(c->a, q.top, top.p), &names))
			return;
		near = str_nearest(str_base(name), &names);
		if (!near.n && strs_has(&names, str_base(name)))
			near = str_base(name);
		if (near.n)
			err_help(e, "the garden has '" GARDEN_URI "%.*s'", STR_ARG(near));
		else
			err_help(e, "'ikm list " GARDEN_URI "' lists your files in the garden");
	}
}

void app_error_add_garden_hint(struct call *c, const void *args, struct err *e)
{
	for (const struct param *p = c->cmd->params; p && p->name; p++) {
		const void *at = (const char *)args + p->offset;
		const struct strs *list = p->type == P_STRS ? at : NULL;
		const struct str *given = list ? list->p : at;

		if (!(p->flags & GARDEN_NAMES))
			continue;
		for (size_t i = 0; i < (list ? list->n : 1); i++)
			garden_name_hint(c, given[i], e);
	}
}

struct err *app_garden_user_name_check(struct call *c, struct str key, const struct strs *values)
{
	struct str why = STR("cannot be the name of a folder of the garden"), fix = STR("");
	struct garden_path at;

	for (size_t i = 0; i < values->n && str_is(key, conf_settings[CONF_ID_user].key); i++) {
		struct str user = values->p[i];

		if (!user.n ||
		    (garden_path_read(str_fmt(c->a, "users/%.*s/notes.md", STR_ARG(user)), &at) &&
		     garden_id_check(c->a, user, &why, &fix)))
			continue;
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("value"), "the user '%.*s' %.*s",
					      STR_ARG(user), STR_ARG(why)),
				"%.*s", STR_ARG(fix.n ? fix : STR(GARDEN_ID_FORM)));
	}
	return NULL;
}
