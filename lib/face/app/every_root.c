/*
 * A person or a client may open several folders, and a model rarely says which one it means. So the
 * tool runs in each of them as if ikm had started there, and this file makes one answer of theirs.
 * It works on values, so that no command needs to know of it.
 */
#include "client_info.h"
#include "base/sort.h"
#include "json/json.h"
#include <unistd.h>

/* One open folder. */
struct every_root_part {
	struct str name; /* as it was named, which paths of the input may begin with */
	struct str path; /* without links */
	struct str top;  /* of its repository; empty: it is in none */
	struct val *input;
	struct strs inside; /* other open folders below it, which have answers of their own */
	bool asked;
};

struct every_root {
	struct call *c;
	const struct cmd_common *common;
	struct strs names; /* of the folders that somebody opens */
	struct every_root_part *p;
	size_t n;
	bool placed; /* the input says where to look */
	struct strs warnings;
};

/* Decisions are those of a repository: two folders of it would give each of them twice. */
static bool every_root_is_new(const struct every_root *r, const struct every_root_part *part)
{
	bool knowledge = r->c->cmd->toolset == SET_KNOWLEDGE;

	for (size_t i = 0; i < r->n; i++)
		if (str_eq(part->path, r->p[i].path) ||
		    (knowledge && (part->top.n ? str_eq(part->top, r->p[i].top)
					       : str_is_below(part->path, r->p[i].path))))
			return false;
	return true;
}

static struct err *every_root_open(struct every_root *r)
{
	struct call probe = *r->c;
	struct arena *a = r->c->a;
	struct strs open = {0}, names = r->names;

	TRY(app_call_open_with_roots(&probe, r->common));
	os_roots_paths(probe.roots, a, &open);
	r->p = arena_array(a, names.n, sizeof(*r->p));
	for (size_t i = 0; i < names.n; i++) {
		struct every_root_part part = {.name = names.p[i]};
		struct git *git = NULL;
		const char *real;

		if (os_realpath(a, str_c(a, part.name), &real) || !strs_has(&open, str_of(real)))
			continue;
		part.path = str_of(real);
		if (!git_open(a, real, &git) && git && git_top(git))
			part.top = str_of(git_top(git));
		if (every_root_is_new(r, &part))
			r->p[r->n++] = part;
	}
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->n; k++)
			if (i != k && str_is_below(r->p[k].path, r->p[i].path))
				strs_push(a, &r->p[i].inside, r->p[k].path);
	for (size_t i = 0; i < probe.refused_roots.n; i++)
		strs_push(a, &r->warnings,
			  str_fmt(a, "not looked at: %.*s", STR_ARG(probe.refused_roots.p[i])));
	if (!r->n && names.n)
		strs_push(a, &r->warnings,
			  str_fmt(a, "no named folder is open: this is about '%s', where ikm runs",
				  r->c->cwd));
	return NULL;
}

/* ---- the input of each root ---- */

/* Whether the key is the parameter of this name, or another name of it. */
static bool every_root_is(const struct cmd *cmd, struct str key, const char *name)
{
	for (const struct param *p = cmd->params; p && p->name; p++) {
		struct str all = str_of(p->also), one = str_of(p->name);

		if (strcmp(p->name, name) != 0)
			continue;
		do
			if (str_eq(key, one))
				return true;
		while (str_next_part(&all, ' ', &one));
	}
	return false;
}

/* Hosts send lists as texts. */
static const struct val *every_root_list(struct arena *a, const struct val *v)
{
	struct val *list;

	if (v->type == VAL_STR && str_starts(v->s, STR("[")) && !json_read(a, v->s, NULL, &list))
		return list;
	return v;
}

/* The root that a path of the input lies in. */
static struct every_root_part *every_root_of(const struct every_root *r, struct str path)
{
	struct every_root_part *best = &r->p[0];
	size_t most = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct str dirs[] = {r->p[i].name, r->p[i].path, r->p[i].top};

		for (size_t k = 0; k < ARRAY_SIZE(dirs); k++)
			if (dirs[k].n > most && str_is_below(path, dirs[k])) {
				best = &r->p[i];
				most = dirs[k].n;
			}
	}
	return best;
}

/*
 * Makes the input of each root: the lists of paths are shared out, all else is the same. The first
 * `limit` rows of the whole are among the first `limit` rows of each root.
 */
static void every_root_inputs(struct every_root *r, const struct val *input, int64_t offset,
			      int64_t limit)
{
	bool everywhere = false;

	for (size_t i = 0; i < r->n; i++)
		r->p[i].input = val_map(r->c->a);
	VAL_EACH(input, m) {
		bool place = every_root_is(r->c->cmd, m->key, "paths") ||
			     every_root_is(r->c->cmd, m->key, "files");
		const struct val *rows = NULL;

		if (m->type == VAL_NULL)
			continue;
		everywhere = everywhere || every_root_is(r->c->cmd, m->key, "dependencies");
		/* An empty list is about no root: each of them says what is missing. */
		if (place) {
			rows = every_root_list(r->c->a, m);
			place = rows->type != VAL_LIST || rows->n;
		}
		r->placed = r->placed || place;
		if (place) {
			struct val *one = val_list(r->c->a);

			if (rows->type != VAL_LIST) {
				val_add(one, val_copy_shallow(r->c->a, rows));
				rows = one;
			}
			/* Gives each row of a list with paths to the root that holds it. */
			VAL_EACH(rows, row) {
				struct str path =
					row->type == VAL_STR ? row->s : val_get_str(row, "path");
				struct every_root_part *part = every_root_of(r, path);
				struct val *list = val_get_key(part->input, m->key);

				if (!list)
					list = val_set_key(part->input, m->key, val_list(r->c->a));
				val_add(list, val_copy_shallow(r->c->a, row));
				part->asked = true;
			}
		} else if (!offset || (!str_is(m->key, "limit") && !str_is(m->key, "offset")))
			for (size_t i = 0; i < r->n; i++)
				val_set_key(r->p[i].input, m->key, val_copy_shallow(r->c->a, m));
	}
	for (size_t i = 0; i < r->n; i++) {
		if (offset && limit)
			val_set(r->c->a, r->p[i].input, "limit", val_int(r->c->a, offset + limit));
		r->p[i].asked = r->p[i].asked || everywhere || !r->placed;
	}
}

/* ---- one answer ---- */

static struct str every_root_path(struct arena *a, struct str root, struct str path)
{
	if (str_starts(path, STR("/")) || str_holds(path, "://"))
		return path;
	return str_fmt(a, "%.*s/%.*s", STR_ARG(root), STR_ARG(path));
}

/* Makes an answer clear without the root that it is about. */
static void every_root_name(const struct every_root *r, struct str root, struct val *v)
{
	static const char *const paths[] = {"path", "from"};
	bool knowledge = r->c->cmd->toolset == SET_KNOWLEDGE;
	struct arena *a = r->c->a;

	VAL_EACH(v, m) {
		if (m->type == VAL_STR && str_starts(m->key, STR("nothing")))
			m->s = str_fmt(a, "%.*s: %.*s", STR_ARG(root), STR_ARG(m->s));
		if (m->type == VAL_MAP && str_is(m->key, "item"))
			val_set(a, m, "root", val_str(a, root));
		if (m->type != VAL_LIST)
			continue;
		VAL_EACH(m, row) {
			bool warning = str_is(m->key, "warnings");

			if (row->type == VAL_STR && str_is(m->key, "paths"))
				row->s = every_root_path(a, root, row->s);
			else if (row->type == VAL_STR && warning)
				row->s = str_fmt(a, "%.*s: %.*s", STR_ARG(root), STR_ARG(row->s));
			if (row->type != VAL_MAP)
				continue;
			if (knowledge && !val_get(row, "root"))
				val_set(a, row, "root", val_str(a, root));
			for (size_t i = 0; !knowledge && i < ARRAY_SIZE(paths); i++) {
				struct val *path = val_get(row, paths[i]);

				if (path && path->type == VAL_STR)
					path->s = every_root_path(a, root, path->s);
			}
		}
	}
}

/* How well an answer begins the whole: best, one of a root that has what was asked for. */
static int every_root_rank(const struct val *v)
{
	const struct val *items = val_get(v, "items");

	return (!val_get(v, "nothingJudged") && !val_get(v, "nothingRead")) +
	       (items && items->n > 0);
}

/* Adds the answer of one more root. An object that only one root can have goes to `others`. */
static void every_root_join(struct every_root *r, struct val *into, const struct val *from)
{
	struct arena *a = r->c->a;

	VAL_EACH(from, m) {
		const struct val *items = val_get(into, "items");
		struct val *old = val_get_key(into, m->key);
		bool nothing = m->type == VAL_STR && str_starts(m->key, STR("nothing"));

		/* What a root has not, while the answer has it from another one. */
		if (items && items->n &&
		    (str_is(m->key, "active") || str_is(m->key, "activeCount")))
			continue;
		if (!old && nothing)
			strs_push(a, &r->warnings,
				  str_fmt(a, "nothing was looked up in %.*s", STR_ARG(m->s)));
		else if (!old && (m->type != VAL_BOOL || str_is(m->key, "truncated")))
			val_set_key(into, m->key, val_copy_shallow(a, m));
		else if (!old || old->type != m->type)
			continue;
		else if (m->type == VAL_LIST)
			VAL_EACH(m, row)
				val_add(old, val_copy_shallow(a, row));
		else if (m->type == VAL_MAP && str_is(m->key, "item"))
			val_add(val_get(into, "others") ? val_get(into, "others")
							: val_set(a, into, "others", val_list(a)),
				val_copy_shallow(a, m));
		else if (m->type == VAL_MAP)
			every_root_join(r, old, m);
		else if (m->type == VAL_BOOL)
			old->b = str_is(m->key, "truncated") ? old->b || m->b : old->b && m->b;
		else if (m->type == VAL_NUM)
			old->s = val_int(a, val_get_int(into, str_c(a, m->key)) +
						    val_get_int(from, str_c(a, m->key)))
					 ->s;
		else if (nothing)
			old->s = str_fmt(a, "%.*s; %.*s", STR_ARG(old->s), STR_ARG(m->s));
	}
}

static int every_root_by_score(const void *x, const void *y)
{
	double p = 0, q = 0;

	val_as_double(val_get(x, "score"), &p);
	val_as_double(val_get(y, "score"), &q);
	return (p < q) - (p > q);
}

/* The rows that the caller asked for: the best first, if they have a score. */
static void every_root_page(struct every_root *r, struct val *v, int64_t offset, int64_t limit)
{
	struct val *list = v->first, *rows, **order, *cut;
	size_t n = 0;

	while (list && list->type != VAL_LIST)
		list = list->next;
	if (!list || !list->n)
		return;
	rows = arena_array(r->c->a, list->n, sizeof(*rows));
	VAL_EACH(list, row)
		rows[n++] = *row;
	order = sort_into_pointers(r->c->a, rows, n, sizeof(*rows), every_root_by_score);
	list->first = list->last = NULL;
	list->n = 0;
	for (size_t i = (size_t)offset; i < n && (!limit || list->n < (size_t)limit); i++)
		val_add(list, val_copy_shallow(r->c->a, order[i]));
	cut = val_get(v, "truncated");
	if (cut && (size_t)offset + list->n < n)
		cut->b = true;
}

/* ---- running ---- */

/* The number that the input or the table gives for a parameter; 0: none. */
static int64_t every_root_number(const struct cmd *cmd, const struct val *input, const char *name)
{
	const struct val *v = val_get(input, name);
	int64_t n;

	if (v && (v->type == VAL_NUM || v->type == VAL_STR))
		return str_int(v->s, &n) && n > 0 ? n : 0;
	for (const struct param *p = cmd->params; p && p->name; p++)
		if (!strcmp(p->name, name) && p->def && str_int(str_of(p->def), &n))
			return n;
	return 0;
}

static struct err *every_root_one(const struct every_root *r, const struct every_root_part *part,
				  struct val **result)
{
	struct cmd_common common = *r->common;
	struct client client;
	struct call c = *r->c;
	void *args;

	if (chdir(str_c(c.a, part->path)))
		return err_new(E_FILE_NOT_FOUND, "'%.*s' cannot be entered", STR_ARG(part->path));
	c.cwd = str_c(c.a, part->path);
	if (!r->placed)
		c.closed = part->inside;
	if (c.client) {
		client = *c.client;
		/* They are those of the first root. */
		client.cache = NULL;
		c.client = &client;
	}
	/* Those that are relative begin in the folder that ikm was started in. */
	common.root = (struct strs){0};
	for (size_t i = 0; r->common->root.n && i < r->n; i++)
		strs_push(c.a, &common.root, r->p[i].path);
	TRY(cmd_parse_json_new_args(c.a, c.cmd, part->input, &args));
	return app_run_command(&c, &common, args, result);
}

/* Whether a root that was asked has the folder inside. */
static bool every_root_is_inside(const struct every_root *r, struct str path)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->p[i].asked && strs_has(&r->p[i].inside, path))
			return true;
	return false;
}

static struct err *every_root_each(struct every_root *r, struct val **result)
{
	struct val **answers = arena_array(r->c->a, r->n, sizeof(*answers));
	struct err *first = NULL, *e;
	struct strs left = {0};
	size_t best = r->n;

	for (size_t i = 0; i < r->n; i++) {
		answers[i] = NULL;
		if (!r->p[i].asked) {
			if (!every_root_is_inside(r, r->p[i].path))
				strs_push(r->c->a, &left, r->p[i].path);
			continue;
		}
		e = every_root_one(r, &r->p[i], &answers[i]);
		if (e) {
			strs_push(r->c->a, &r->warnings,
				  str_fmt(r->c->a, "%.*s: %s", STR_ARG(r->p[i].path),
					  err_message(e)));
			if (!first)
				first = err_add_context(err_copy(r->c->a, e), "%.*s",
							STR_ARG(r->p[i].path));
			else
				err_help(first, "%.*s", STR_ARG(r->warnings.p[r->warnings.n - 1]));
			answers[i] = NULL;
			continue;
		}
		every_root_name(r, r->p[i].path, answers[i]);
		if (best == r->n || every_root_rank(answers[i]) > every_root_rank(answers[best]))
			best = i;
	}
	if (chdir(r->c->cwd))
		return err_new(E_FILE_NOT_FOUND, "'%s' cannot be entered", r->c->cwd);
	if (best == r->n)
		return first;
	for (size_t i = 0; i < r->n; i++)
		if (i != best && answers[i])
			every_root_join(r, answers[best], answers[i]);
	if (left.n)
		strs_push(r->c->a, &r->warnings,
			  str_fmt(r->c->a,
				  "not looked at: %.*s; a path without a folder in front is in "
				  "%.*s",
				  STR_ARG(str_join(r->c->a, &left, ", ")), STR_ARG(r->p[0].path)));
	*result = answers[best];
	return NULL;
}

/*
 * A tool that takes several folders makes one answer of them itself. Of folders inside each other
 * it would give some files twice.
 */
static bool every_root_is_native(const struct every_root *r)
{
	const struct cmd *cmd = r->c->cmd;

	for (size_t i = 0; i < r->n; i++)
		if (r->p[i].inside.n)
			return false;
	for (const struct param *p = cmd->params; cmd->toolset == SET_FILES && p && p->name; p++)
		if (!strcmp(p->name, "paths"))
			return true;
	return false;
}

static struct err *every_root_native(struct every_root *r, const struct val *input,
				     struct val **result)
{
	struct arena *a = r->c->a;
	struct val *all = val_map(a), *paths = val_list(a);
	void *args;

	VAL_EACH(input, m)
		if (m->type != VAL_NULL || !str_is(m->key, "paths"))
			val_set_key(all, m->key, val_copy_shallow(a, m));
	for (size_t i = 0; i < r->n; i++)
		val_add(paths, val_str(a, r->p[i].path));
	if (!val_get(all, "paths"))
		val_set(a, all, "paths", paths);
	TRY(cmd_parse_json_new_args(a, r->c->cmd, all, &args));
	return app_run_command(r->c, r->common, args, result);
}

/* What a tool that is about one repository does not look at. */
static void every_root_note(struct call *c)
{
	const struct client *client = c->client;
	bool memory = c->cmd->toolset == SET_MEMORY;
	struct str first = STR(""), others;
	struct strs list = {0};

	if (c->cmd->traits & TOOL_EVERY_ROOT || (!memory && c->cmd->toolset != SET_KNOWLEDGE))
		return;
	for (size_t i = 0; i < client->roots.n; i++) {
		struct git *git = NULL;
		const char *real;
		bool own = roots_refusal_reason(c->a, client->roots.p[i], &real) == NULL &&
			   !git_open(c->a, real, &git) && git && git_top(git);

		if (!first.n)
			first = own ? str_of(git_top(git)) : client->roots.p[i];
		else if (!memory || (own && !str_is(first, git_top(git))))
			strs_push(c->a, &list, client->roots.p[i]);
	}
	others = str_join(c->a, &list, ", ");
	if (!list.n)
		return;
	strs_push(c->a, &c->notes,
		  memory ? str_fmt(c->a, "the layer 'project' is that of %.*s, not of %.*s",
				   STR_ARG(client->roots.p[0]), STR_ARG(others))
			 : str_fmt(c->a, "only %.*s was looked at, and not %.*s",
				   STR_ARG(client->roots.p[0]), STR_ARG(others)));
}

static struct err *every_root_all(struct every_root *r, const struct val *input,
				  struct val **result)
{
	struct call *c = r->c;
	int64_t offset, limit;

	if (!c->cwd)
		TRY(os_cwd(c->a, &c->cwd));
	TRY(every_root_open(r));
	if (r->n < 2 || every_root_is_native(r)) {
		strs_add_all(c->a, &c->warnings, &r->warnings);
		return r->n < 2 ? NULL : every_root_native(r, input, result);
	}
	offset = every_root_number(c->cmd, input, "offset");
	limit = every_root_number(c->cmd, input, "limit");
	every_root_inputs(r, input, offset, limit);
	TRY(every_root_each(r, result));
	every_root_page(r, *result, offset, limit);
	c->warnings = r->warnings;
	app_result_add_warnings(c, *result);
	return NULL;
}

struct err *app_run_json(struct call *c, const struct cmd_common *common, const struct cmd *cmd,
			 const struct val *input, struct val **result)
{
	struct every_root r = {.c = c, .common = common};
	bool placed = false; /* the input names a folder */
	struct conf *conf;
	const char *real;
	void *args;

	c->cmd = cmd;
	*result = NULL;
	TRY(cmd_parse_json_new_args(c->a, cmd, input, &args));
	VAL_EACH(input, m)
		placed = placed || (m->type != VAL_NULL && (every_root_is(cmd, m->key, "path") ||
							    every_root_is(cmd, m->key, "root")));
	if (placed)
		return app_run_command(c, common, args, result);
	if (c->client && c->client->has_roots && c->client->roots.n > 1 && !common->root.n)
		every_root_note(c);
	/* The folders that --root names, else the setting files.roots, else the client. */
	if (cmd->traits & TOOL_EVERY_ROOT && common->root.n) {
		r.names = common->root;
	} else if (cmd->traits & TOOL_EVERY_ROOT) {
		app_settings_from_options(c, common);
		/* The call itself tells what is wrong with the settings. */
		if (app_person_conf(c, &conf))
			conf = NULL;
		for (size_t i = 0; conf && i < conf->files_roots.n; i++)
			strs_push(c->a, &r.names, conf->files_roots.p[i].value->s);
		if (conf && !r.names.n && c->client && c->client->has_roots)
			r.names = c->client->roots;
	}
	/* Tools of files refuse to run without any folder. */
	if (r.names.n > 1 ||
	    (r.names.n == 1 && c->client && r.names.p == c->client->roots.p &&
	     cmd->toolset == SET_KNOWLEDGE && roots_refusal_reason(c->a, r.names.p[0], &real)))
		TRY(every_root_all(&r, input, result));
	return *result ? NULL : app_run_command(c, common, args, result);
}
