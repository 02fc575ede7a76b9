/* ikm in the settings of hosts: put there, taken out. */
#include "agent/internal.h"

#define SETTINGS_MAX ((size_t)16 << 20)

const char *const agent_actions[] = {AGENT_ACTIONS(ENUM_NAME) NULL};

/* *text p NULL: there is no file. */
static struct err *install_read(struct arena *a, const char *path, struct str *text)
{
	struct os_stat st;

	*text = (struct str){NULL, 0};
	TRY(os_stat(path, true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(os_read_path(a, path, SETTINGS_MAX, text));
	if (!text->p)
		*text = STR("");
	return NULL;
}

static struct err *install_write(const char *path, struct str was, struct str text)
{
	return os_write(path, text, was.p ? 0 : OS_PARENTS);
}

/* Removes the file, and its folder when that is empty now. */
static struct err *install_remove(struct arena *a, const char *path)
{
	size_t slash = str_rfind_char(str_of(path), '/');
	struct strs names = {0};
	const char *folder = str_c(a, str_sub(str_of(path), 0, slash));

	TRY(os_remove(path));
	return os_list(a, folder, &names) || names.n ? NULL : os_remove(folder);
}

static void install_notes(struct arena *a, const struct host_install *in, struct agent_change *out)
{
	if (in->then)
		strs_push(a, &out->notes, str_of(in->then));
}

/* ---- opencode's plugin ---- */

static bool install_is_plugin(struct str text)
{
	return str_holds(text, "\"hook\", \"run\", \"agent\"");
}

static struct err *install_plugin(struct arena *a, const struct host_install *in, struct str was,
				  struct agent_change *out)
{
	struct str text = str_of(host_plugin);

	if (was.p && !install_is_plugin(was))
		return err_help(err_new(E_EXISTS, "'%s' is another plugin", out->path),
				"move it to another name, and try again");
	out->text = text;
	out->action = !was.p              ? AGENT_INSTALLED
		      : str_eq(was, text) ? AGENT_UNCHANGED
					  : AGENT_RENEWED;
	install_notes(a, in, out);
	return out->action == AGENT_UNCHANGED ? NULL : install_write(out->path, was, text);
}

static struct err *uninstall_plugin(struct arena *a, struct str was, struct agent_change *out)
{
	if (!was.p || !install_is_plugin(was))
		return NULL;
	if (!str_eq(was, str_of(host_plugin)))
		return err_help(err_new(E_EXISTS, "'%s' was edited", out->path),
				"remove it yourself");
	out->action = AGENT_REMOVED;
	return install_remove(a, out->path);
}

/* ---- settings in JSON ---- */

static struct str install_empty(struct arena *a, const struct host_install *in)
{
	return in->version ? str_fmt(a, "{\n  %s\n}\n", in->version) : STR("{}\n");
}

/* Nothing is left but what a new file begins with. */
static bool install_is_empty(struct arena *a, const struct host_install *in, struct str text)
{
	return str_eq(str_trim(text), STR("{}")) || str_eq(text, install_empty(a, in));
}

static struct err *install_settings(struct arena *a, const struct agent_options *o,
				    const struct host_install *in, struct str was,
				    struct agent_change *out)
{
	struct str text = str_trim(was).n ? was : install_empty(a, in);
	struct buf added = buf_in(a);
	bool changed = false, had = str_find(was, STR(AGENT_CALL), 0) != SIZE_MAX;

	for (const struct host_hook *h = in->hooks; h->event; h++) {
		struct str entry = settings_hook_entry(a, in, h, o->fail_closed);
		bool did;
		struct err *e = agent_settings_add_hook(a, &text, h, entry, &did);

		if (e)
			return err_help(err_add_context(e, "'%s'", out->path),
					"correct the file first: ikm adds to it and does not "
					"replace it");
		changed |= did;
		buf_fmt(&added, "%s: %.*s\n", h->event, STR_ARG(entry));
	}
	out->text = buf_as_str(&added);
	out->action = !changed ? AGENT_UNCHANGED : had ? AGENT_RENEWED : AGENT_INSTALLED;
	install_notes(a, in, out);
	return changed ? install_write(out->path, was, text) : NULL;
}

static struct err *uninstall_settings(struct arena *a, const struct host_install *in,
				      struct str was, struct agent_change *out)
{
	struct str text = was;
	bool did = false;
	struct err *e = was.p ? agent_settings_remove_hooks(a, &text, &did) : NULL;

	if (e)
		return err_add_context(e, "'%s'", out->path);
	if (!did)
		return NULL;
	out->action = AGENT_REMOVED;
	return install_is_empty(a, in, text) ? install_remove(a, out->path)
					     : install_write(out->path, was, text);
}

/* ---- both ---- */

static struct err *install_begin(struct arena *a, const char *top, const struct agent_options *o,
				 struct agent_change *out, struct str *was)
{
	*out = (struct agent_change){.host = host_names[o->host], .action = AGENT_ABSENT};
	TRY(settings_path_of_host(a, top, o->host, o->user, &out->path));
	return install_read(a, out->path, was);
}

struct err *agent_hook_install(struct arena *a, const char *top, const struct agent_options *o,
			       struct agent_change *out)
{
	const struct host_install *in = host_hook_settings(o->host);
	struct str was;

	if (o->fail_closed && !in->fail_closed)
		return err_help(err_new(E_BAD_ARGUMENT,
					"%s cannot be told to stop a tool when a hook breaks",
					host_names[o->host]),
				"leave out --fail-closed; claude and cursor have it");
	TRY(install_begin(a, top, o, out, &was));
	return in->entry ? install_settings(a, o, in, was, out) : install_plugin(a, in, was, out);
}

struct err *agent_hook_uninstall(struct arena *a, const char *top, const struct agent_options *o,
				 struct agent_change *out)
{
	const struct host_install *in = host_hook_settings(o->host);
	struct str was;

	TRY(install_begin(a, top, o, out, &was));
	return in->entry ? uninstall_settings(a, in, was, out) : uninstall_plugin(a, was, out);
}
