/* Edits of a host's settings, so that everything else stays as the person wrote it. */
#include "agent/internal.h"
#include "json/edit_text.h"

/* ---- what is written ---- */

struct str settings_fill_template(struct arena *a, const char *form, char name, struct str value)
{
	struct buf b = buf_in(a);

	for (const char *p = form; *p; p++) {
		if (p[0] == '$' && p[1] == name) {
			buf_put(&b, value);
			p++;
		} else {
			buf_putc(&b, *p);
		}
	}
	return str_of(buf_as_cstr(&b));
}

static struct str settings_quoted(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	json_write_str(&b, s);
	return buf_as_str(&b);
}

/* A hook that lacks its program must not stop every tool of every contributor. */
struct str settings_hook_command(struct arena *a, const struct host_install *in, bool fail_closed)
{
	struct str call = str_fmt(a, AGENT_CALL " --host %s", host_names[in->host]);

	if (fail_closed)
		return call;
	if (in->allow)
		return str_fmt(a, "command -v ikm >/dev/null || { echo '%s'; exit 0; }; exec %.*s",
			       in->allow, STR_ARG(call));
	return str_fmt(a, "command -v ikm >/dev/null || exit 0; exec %.*s", STR_ARG(call));
}

struct str settings_hook_entry(struct arena *a, const struct host_install *in,
			       const struct host_hook *h, bool fail_closed)
{
	struct str matcher = {"", 0}, entry, command;

	if (h->matcher)
		matcher = settings_fill_template(a, in->matcher, 'V',
						 settings_quoted(a, str_of(h->matcher)));
	entry = settings_fill_template(a, in->entry, 'M', matcher);
	entry = settings_fill_template(a, entry.p, 'T', str_fmt(a, "%u", h->seconds * in->units));
	entry = settings_fill_template(a, entry.p, 'F',
				       fail_closed && in->fail_closed ? str_of(in->fail_closed)
								      : STR(""));
	command = settings_quoted(a, settings_hook_command(a, in, fail_closed));
	return settings_fill_template(a, entry.p, 'C', command);
}

/* ---- adding ---- */

static struct err *settings_read(struct arena *a, struct str text, struct val **out)
{
	TRY(json_read(a, text, NULL, out));
	if ((*out)->type != VAL_MAP)
		return err_new(E_BAD_JSON, "it is %s, not an object", val_type_name((*out)->type));
	return NULL;
}

/* The member, made when it is missing: "[]" or "{}". Reads the text again after a change. */
static struct err *settings_member(struct arena *a, struct str *text, const char *outer,
				   const char *name, const char *empty, struct val **root,
				   struct val **out)
{
	enum val_type type = empty[0] == '[' ? VAL_LIST : VAL_MAP;
	struct val *in = outer ? val_get(*root, outer) : *root;

	*out = val_get(in, name);
	if (!*out) {
		*text = json_edit_insert(a, *text, *root, in,
					 str_fmt(a, "\"%s\": %s", name, empty));
		TRY(settings_read(a, *text, root));
		*out = val_get(outer ? val_get(*root, outer) : *root, name);
	}
	if ((*out)->type != type)
		return err_new(E_BAD_JSON, "'%s' is %s", name, val_type_name((*out)->type));
	return NULL;
}

static struct str settings_text(struct str text, const struct val *v)
{
	return str_sub(text, v->at.from, v->at.to);
}

static bool settings_calls(struct str text, const struct val *v)
{
	return str_find(settings_text(text, v), STR(AGENT_CALL), 0) != SIZE_MAX;
}

struct err *agent_settings_add_hook(struct arena *a, struct str *text, const struct host_hook *h,
				    struct str entry, bool *did)
{
	struct val *root, *hooks, *list;

	*did = false;
	TRY(settings_read(a, *text, &root));
	TRY(settings_member(a, text, NULL, "hooks", "{}", &root, &hooks));
	TRY(settings_member(a, text, "hooks", h->event, "[]", &root, &list));
	VAL_EACH(list, m) {
		if (!settings_calls(*text, m))
			continue;
		*did = !str_eq(settings_text(*text, m), entry);
		*text = json_edit_replace(a, *text, m, entry);
		return NULL;
	}
	*did = true;
	*text = json_edit_insert(a, *text, root, list, entry);
	return NULL;
}

/* ---- taking out ---- */

/* Cuts one of ikm's entries; a group of several commands loses one. */
static bool settings_cut_one(struct arena *a, struct str *text, const struct val *root)
{
	const struct val *hooks = val_get(root, "hooks");

	VAL_EACH(hooks, event) {
		const struct val *list = event->type == VAL_LIST ? event : NULL;

		VAL_EACH(list, group) {
			const struct val *in = list, *what = group,
					 *inner = val_get(group, "hooks");

			if (!settings_calls(*text, group))
				continue;
			for (const struct val *m = inner ? inner->first : NULL; m; m = m->next)
				if (inner->n > 1 && settings_calls(*text, m)) {
					in = inner;
					what = m;
				}
			if (in == list && list->n == 1) {
				in = hooks->n == 1 ? root : hooks;
				what = hooks->n == 1 ? hooks : event;
			}
			*text = json_edit_cut(a, *text, in, what);
			return true;
		}
	}
	return false;
}

struct err *agent_settings_remove_hooks(struct arena *a, struct str *text, bool *did)
{
	struct val *root;
	bool more = true;

	*did = false;
	while (more) {
		TRY(settings_read(a, *text, &root));
		more = settings_cut_one(a, text, root);
		*did |= more;
	}
	return NULL;
}

/* ---- what is there ---- */

static void settings_collect_commands(struct arena *a, const struct val *v, struct strs *out)
{
	if (v->type == VAL_STR && str_find(v->s, STR(AGENT_CALL), 0) != SIZE_MAX)
		strs_push(a, out, v->s);
	if (v->type == VAL_LIST || v->type == VAL_MAP)
		VAL_EACH(v, m)
			settings_collect_commands(a, m, out);
}

struct err *settings_find_commands(struct arena *a, struct str text, const char *event,
				   struct strs *out)
{
	struct val *root;
	const struct val *list;

	TRY(settings_read(a, text, &root));
	list = val_get(val_get(root, "hooks"), event);
	if (list)
		settings_collect_commands(a, list, out);
	return NULL;
}

struct err *settings_path_of_host(struct arena *a, const char *top, enum host host, bool user,
				  const char **out)
{
	const struct host_file *f = host_settings_file(host, user);
	const char *env = user && f->env ? os_env(f->env) : NULL;
	const char *path = f->path, *star;

	if (user && !env)
		top = os_home();
	if (!user && !top)
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
				"run it inside one, or add --global for your own settings");
	if (!top && !env)
		return err_new(E_NO_HOME, "there is no home folder for your settings");
	star = strchr(path, '*');
	if (star)
		path = str_fmt(a, "%.*sikm%s", (int)(star - path), path, star + 1).p;
	/* The variable names the folder that is the first part of the path. */
	*out = env ? os_join(a, env, strchr(path, '/') + 1) : os_join(a, top, path);
	return NULL;
}
