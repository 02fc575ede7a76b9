/*
 * Edits of a host's settings by the places of their members, so that everything else stays as the
 * person wrote it.
 */
#include "agent/internal.h"
#include "json/json.h"

/* ---- what is written ---- */

struct str settings_fill(struct arena *a, const char *form, char name, struct str value)
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
	return str_of(buf_c(&b));
}

static struct str settings_quoted(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	json_write_str(&b, s);
	return buf_str(&b);
}

/* A hook that lacks its program must not stop every tool of every contributor. */
struct str settings_command(struct arena *a, const struct host_install *in, bool fail_closed)
{
	struct str call = str_fmt(a, AGENT_CALL " --host %s", host_names[in->host]);

	if (fail_closed)
		return call;
	if (in->allow)
		return str_fmt(a, "command -v ikm >/dev/null || { echo '%s'; exit 0; }; exec %.*s",
			       in->allow, STR_ARG(call));
	return str_fmt(a, "command -v ikm >/dev/null || exit 0; exec %.*s", STR_ARG(call));
}

struct str settings_entry(struct arena *a, const struct host_install *in, const struct host_hook *h,
			  bool fail_closed)
{
	struct str matcher = {"", 0}, entry, command;

	if (h->matcher)
		matcher =
			settings_fill(a, in->matcher, 'V', settings_quoted(a, str_of(h->matcher)));
	entry = settings_fill(a, in->entry, 'M', matcher);
	entry = settings_fill(a, entry.p, 'T', str_fmt(a, "%u", h->seconds * in->units));
	entry = settings_fill(a, entry.p, 'F',
			      fail_closed && in->fail_closed ? str_of(in->fail_closed) : STR(""));
	command = settings_quoted(a, settings_command(a, in, fail_closed));
	return settings_fill(a, entry.p, 'C', command);
}

/* ---- places ---- */

static struct str settings_replace(struct arena *a, struct str text, size_t from, size_t to,
				   struct str by)
{
	struct buf b = buf_in(a);

	buf_put(&b, str_sub(text, 0, from));
	buf_put(&b, by);
	buf_put(&b, str_sub(text, to, text.n));
	return buf_str(&b);
}

static size_t settings_begin(const struct val *member)
{
	return member->key_at.to ? member->key_at.from : member->at.from;
}

/* The blanks at the begin of the line in which the place is. */
static struct str settings_indent(struct str text, size_t at)
{
	size_t line = str_rfind_char(str_sub(text, 0, at), '\n'), end;

	line = line == SIZE_MAX ? 0 : line + 1;
	for (end = line; end < at && (text.p[end] == ' ' || text.p[end] == '\t');)
		end++;
	return str_sub(text, line, end);
}

/* One step of indentation, as the text has it. */
static struct str settings_step(struct str text, const struct val *root)
{
	struct str step =
		root->first ? settings_indent(text, settings_begin(root->first)) : STR("");

	return step.n ? step : STR("  ");
}

/* The text with one more member behind the others. */
static struct str settings_insert(struct arena *a, struct str text, const struct val *root,
				  const struct val *in, struct str member)
{
	struct str indent = settings_indent(text, in->at.from), step;
	bool lines;

	if (in->last) {
		/* As the members before: on a line of its own, or not. */
		lines = memchr(text.p + in->at.from, '\n',
			       settings_begin(in->last) - in->at.from) != NULL;
		step = settings_indent(text, settings_begin(in->last));
		return settings_replace(
			a, text, in->last->at.to, in->last->at.to,
			lines ? str_fmt(a, ",\n%.*s%.*s", STR_ARG(step), STR_ARG(member))
			      : str_fmt(a, ", %.*s", STR_ARG(member)));
	}
	step = settings_step(text, root);
	return settings_replace(a, text, in->at.from + 1, in->at.to - 1,
				str_fmt(a, "\n%.*s%.*s%.*s\n%.*s", STR_ARG(indent), STR_ARG(step),
					STR_ARG(member), STR_ARG(indent)));
}

static struct str settings_cut(struct arena *a, struct str text, const struct val *in,
			       const struct val *member)
{
	const struct val *before = NULL;

	for (const struct val *m = in->first; m != member; m = m->next)
		before = m;
	if (before)
		return settings_replace(a, text, before->at.to, member->at.to, STR(""));
	if (member->next)
		return settings_replace(a, text, settings_begin(member),
					settings_begin(member->next), STR(""));
	return settings_replace(a, text, in->at.from + 1, in->at.to - 1, STR(""));
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
		*text = settings_insert(a, *text, *root, in, str_fmt(a, "\"%s\": %s", name, empty));
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

struct err *settings_add(struct arena *a, struct str *text, const struct host_install *in,
			 const struct host_hook *h, struct str entry, bool *did)
{
	struct val *root, *hooks, *list;

	*did = false;
	TRY(settings_read(a, *text, &root));
	TRY(settings_member(a, text, NULL, "hooks", "{}", &root, &hooks));
	TRY(settings_member(a, text, "hooks", h->event, "[]", &root, &list));
	(void)in;
	VAL_EACH(list, m) {
		if (!settings_calls(*text, m))
			continue;
		*did = !str_eq(settings_text(*text, m), entry);
		*text = settings_replace(a, *text, m->at.from, m->at.to, entry);
		return NULL;
	}
	*did = true;
	*text = settings_insert(a, *text, root, list, entry);
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
			*text = settings_cut(a, *text, in, what);
			return true;
		}
	}
	return false;
}

struct err *settings_remove(struct arena *a, struct str *text, bool *did)
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

static void settings_find(struct arena *a, const struct val *v, struct strs *out)
{
	if (v->type == VAL_STR && str_find(v->s, STR(AGENT_CALL), 0) != SIZE_MAX)
		strs_push(a, out, v->s);
	if (v->type == VAL_LIST || v->type == VAL_MAP)
		VAL_EACH(v, m)
			settings_find(a, m, out);
}

struct err *settings_commands(struct arena *a, struct str text, const char *event, struct strs *out)
{
	struct val *root;
	const struct val *list;

	TRY(settings_read(a, text, &root));
	list = val_get(val_get(root, "hooks"), event);
	if (list)
		settings_find(a, list, out);
	return NULL;
}

struct err *settings_path(struct arena *a, const char *top, enum host host, bool user,
			  const char **out)
{
	const struct host_file *f = host_install_file(host, user);
	const char *env = user && f->env ? os_env(f->env) : NULL;
	const char *path = f->path, *star;

	if (user && !env)
		top = os_home();
	if (!user && !top)
		return err_help(err_new(E_NO_REPOSITORY, "this is no Git repository"),
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
