/*
 * ikm in the settings of hosts: put there and taken out, so that everything else stays as the
 * person wrote it; and whether it is live there.
 */
#include "agent/internal.h"
#include "crypt/crypt.h"
#include "json/edit_text.h"
#include "json/json.h"
#include "toml/toml.h"

#define AGENT_CALL   "ikm hook run agent"
#define SETTINGS_MAX ((size_t)16 << 20)
#define PROOF_MS     10000

const char *const agent_actions[] = {AGENT_ACTIONS(ENUM_NAME) NULL};
const char *const agent_proofs[] = {AGENT_PROOFS(ENUM_NAME) NULL};

/* ---- what is written ---- */

/* The template with "$" and the name replaced by the value. */
static struct str settings_fill_template(struct arena *a, const char *form, char name,
					 struct str value)
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
static struct str settings_hook_command(struct arena *a, const struct host_install *in,
					bool fail_closed)
{
	struct str call = str_fmt(a, AGENT_CALL " --host %s", host_names[in->host]);

	if (fail_closed)
		return call;
	if (in->allow)
		return str_fmt(a, "command -v ikm >/dev/null || { echo '%s'; exit 0; }; exec %.*s",
			       in->allow, STR_ARG(call));
	return str_fmt(a, "command -v ikm >/dev/null || exit 0; exec %.*s", STR_ARG(call));
}

/* What ikm writes for the event. */
static struct str settings_hook_entry(struct arena *a, const struct host_install *in,
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

static bool settings_calls(struct str text, const struct val *v)
{
	return str_holds(str_sub(text, v->at.from, v->at.to), AGENT_CALL);
}

/* The text of settings with one more entry for the event; *did false: it has that entry already. */
static struct err *settings_add_hook(struct arena *a, struct str *text, const struct host_hook *h,
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
		*did = !str_eq(str_sub(*text, m->at.from, m->at.to), entry);
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

/* ---- what is there ---- */

static void settings_collect_commands(struct arena *a, const struct val *v, struct strs *out)
{
	if (v->type == VAL_STR && str_find(v->s, STR(AGENT_CALL), 0) != SIZE_MAX)
		strs_push(a, out, v->s);
	if (v->type == VAL_LIST || v->type == VAL_MAP)
		VAL_EACH(v, m)
			settings_collect_commands(a, m, out);
}

/* The file of the host that ikm adds to; an error without a home, or outside a project. */
static struct err *settings_path_of_host(struct arena *a, const char *top, enum host host,
					 bool user, const char **out)
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

/* ---- files ---- */

static struct err *install_write(const char *path, struct str was, struct str text)
{
	return os_write(path, text, was.p ? 0 : OS_PARENTS);
}

/* Removes the file, and its folder when that is empty now. */
static struct err *install_remove(struct arena *a, const char *path)
{
	const char *folder = str_parent(a, path);
	struct strs names = {0};

	TRY(os_remove(path));
	return os_list(a, folder, &names) || names.n ? NULL : os_remove(folder);
}

static bool install_is_plugin(struct str text)
{
	return str_holds(text, "\"hook\", \"run\", \"agent\"");
}

static struct str install_empty(struct arena *a, const struct host_install *in)
{
	return in->version ? str_fmt(a, "{\n  %s\n}\n", in->version) : STR("{}\n");
}

/* ---- both ---- */

/* was->p NULL: there is no file. */
static struct err *install_begin(struct arena *a, const char *top, const struct agent_options *o,
				 struct agent_change *out, struct str *was)
{
	struct os_stat st;

	*out = (struct agent_change){.host = host_names[o->host], .action = AGENT_ABSENT};
	TRY(settings_path_of_host(a, top, o->host, o->user, &out->path));
	*was = (struct str){NULL, 0};
	TRY(os_stat(out->path, true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	return os_read_path(a, out->path, SETTINGS_MAX, was);
}

struct err *agent_hook_install(struct arena *a, const char *top, const struct agent_options *o,
			       struct agent_change *out)
{
	const struct host_install *in = host_hook_settings(o->host);
	struct str was, text;
	struct buf added = buf_in(a);
	bool changed = false, had;

	if (o->fail_closed && !in->fail_closed)
		return err_help(err_new(E_BAD_ARGUMENT,
					"%s cannot be told to stop a tool when a hook breaks",
					host_names[o->host]),
				"leave out --fail-closed; claude and cursor have it");
	TRY(install_begin(a, top, o, out, &was));
	if (!in->entry && was.p && !install_is_plugin(was))
		return err_help(err_new(E_EXISTS, "'%s' is another plugin", out->path),
				"move it to another name, and try again");
	if (in->entry) {
		text = str_trim(was).n ? was : install_empty(a, in);
		had = str_holds(was, AGENT_CALL);
		for (const struct host_hook *h = in->hooks; h->event; h++) {
			struct str entry = settings_hook_entry(a, in, h, o->fail_closed);
			bool did;
			struct err *e = settings_add_hook(a, &text, h, entry, &did);

			if (e)
				return err_help(err_add_context(e, "'%s'", out->path),
						"correct the file first: ikm adds to it and does "
						"not replace it");
			changed |= did;
			buf_fmt(&added, "%s: %.*s\n", h->event, STR_ARG(entry));
		}
		out->text = buf_as_str(&added);
	} else {
		text = out->text = str_of(host_plugin);
		had = was.p;
		changed = !had || !str_eq(was, text);
	}
	out->action = !changed ? AGENT_UNCHANGED : had ? AGENT_RENEWED : AGENT_INSTALLED;
	if (in->then)
		strs_push(a, &out->notes, str_of(in->then));
	return changed ? install_write(out->path, was, text) : NULL;
}

struct err *agent_hook_uninstall(struct arena *a, const char *top, const struct agent_options *o,
				 struct agent_change *out)
{
	const struct host_install *in = host_hook_settings(o->host);
	struct str was, text;
	bool did = false, more;
	struct val *root;

	TRY(install_begin(a, top, o, out, &was));
	if (!in->entry) {
		if (!was.p || !install_is_plugin(was))
			return NULL;
		if (!str_eq(was, str_of(host_plugin)))
			return err_help(err_new(E_EXISTS, "'%s' was edited", out->path),
					"remove it yourself");
		out->action = AGENT_REMOVED;
		return install_remove(a, out->path);
	}
	text = was;
	more = was.p;
	while (more) {
		struct err *e = settings_read(a, text, &root);

		if (e)
			return err_add_context(e, "'%s'", out->path);
		more = settings_cut_one(a, &text, root);
		did |= more;
	}
	if (!did)
		return NULL;
	out->action = AGENT_REMOVED;
	/* Nothing is left but what a new file begins with. */
	return str_eq(str_trim(text), STR("{}")) || str_eq(text, install_empty(a, in))
		       ? install_remove(a, out->path)
		       : install_write(out->path, was, text);
}

/* ---- whether a hook is live: what is registered is run with an event that must be denied ---- */

struct status {
	struct arena *a;
	const char *top; /* NULL: outside a repository */
	const struct host_install *in;
	bool user;
	const char *path;
	struct str text;
	struct agent_found *found;
};

static void status_not(struct status *s, enum agent_proof proof, struct str why)
{
	s->found->fires = proof;
	s->found->why = why;
}

/* Empty: the file cannot be read, or is not there. */
static struct str status_file(struct arena *a, const char *path)
{
	struct str text;

	return os_read_path(a, path, SETTINGS_MAX, &text) ? STR("") : text;
}

static struct err *status_run(struct status *s, const char *const *argv)
{
	static const char *const env[] = {"IKM_HOOKS", NULL};
	struct os_spawn spawn = {.argv = argv,
				 .cwd = s->top,
				 .env = env,
				 .timeout_ms = PROOF_MS,
				 .err_keep = 4096,
				 .clear_git = true};
	struct str folder = settings_quoted(s->a, str_of(s->top ? s->top : "/"));
	struct os_result r = {0};
	struct err *e;

	spawn.in = settings_fill_template(s->a, s->in->must_deny, 'D', folder);
	e = os_run(s->a, &spawn, &r);
	if (e && err_reason(e) != E_TOOK_TOO_LONG && err_reason(e) != E_NO_PROGRAM)
		return e;
	if (!e && str_holds(r.out, s->in->denied)) {
		s->found->fires = AGENT_FIRES;
		return NULL;
	}
	if (e)
		status_not(s, AGENT_FIRES_NOT, str_dup(s->a, str_of(err_message(e))));
	else if (!str_trim(r.err).n && !r.status)
		status_not(s, AGENT_FIRES_NOT,
			   STR("it let a command through that must be denied: ikm is not in PATH, "
			       "or is another version"));
	else
		status_not(s, AGENT_FIRES_NOT,
			   str_fmt(s->a, "it ended with status %d: %.*s", r.status,
				   STR_ARG(str_utf8(s->a, str_trim(r.err)))));
	return NULL;
}

/* A repository may come with any command, so only one that ikm would write is run. */
static struct err *status_command(struct status *s)
{
	const char *argv[] = {"sh", "-c", NULL, NULL};
	struct strs commands = {0};
	const struct val *list;
	struct val *root;
	struct err *e = settings_read(s->a, s->text, &root);

	if (e) {
		status_not(s, AGENT_FIRES_NOT,
			   str_fmt(s->a, "the file cannot be read: %s", err_message(e)));
		return NULL;
	}
	list = val_get(val_get(root, "hooks"), s->in->hooks[0].event);
	if (list)
		settings_collect_commands(s->a, list, &commands);
	for (int closed = 0; commands.n && closed < 2; closed++) {
		struct str command = settings_hook_command(s->a, s->in, closed);

		argv[2] = command.p;
		if (str_eq(commands.p[0], command))
			return status_run(s, argv);
	}
	if (commands.n)
		status_not(s, AGENT_UNPROVEN,
			   str_fmt(s->a,
				   "its command is not one that ikm writes, so it is not run to "
				   "find out; 'ikm hook install --agent %s' renews it",
				   s->found->host));
	else
		status_not(s, AGENT_FIRES_NOT,
			   str_fmt(s->a, "%s does not call ikm: run 'ikm hook install --agent %s'",
				   s->in->hooks[0].event, s->found->host));
	return NULL;
}

static struct err *status_plugin(struct status *s)
{
	static const char *const argv[] = {"ikm",    "hook",     "run", "agent",
					   "--host", "opencode", NULL};

	if (str_eq(s->text, str_of(host_plugin)))
		return status_run(s, argv);
	status_not(s, AGENT_UNPROVEN,
		   STR("the plugin is not what ikm writes, and opencode skips one that does not "
		       "load; 'ikm hook install --agent opencode' renews it"));
	return NULL;
}

/* ---- whether the host runs it ---- */

static void status_disabled(struct status *s)
{
	for (const struct host_file *f = host_files; f->path; f++) {
		const char *base = f->user ? os_home() : s->top;
		struct str text;
		struct val *v, *off;

		if (f->host != s->in->host || f->form != HOST_JSON || !base || strchr(f->path, '*'))
			continue;
		text = status_file(s->a, os_join(s->a, base, f->path));
		if (!text.n || json_read(s->a, text, NULL, &v))
			continue;
		off = val_get(v, "disableAllHooks");
		if (off && off->type == VAL_BOOL && off->b)
			status_not(s, AGENT_FIRES_NOT,
				   str_fmt(s->a, "disableAllHooks is set in %s", f->path));
	}
}

/* What Codex hashes: the handler's members in order of their names. */
static struct str status_codex_hash(struct arena *a, const struct val *group,
				    const struct val *handler)
{
	struct val *v = val_map(a), *list, *one;
	struct val *timeout = val_get(handler, "timeout");

	val_set(a, v, "event_name", val_str(a, STR("pre_tool_use")));
	list = val_set(a, v, "hooks", val_list(a));
	one = val_add(list, val_map(a));
	val_set(a, one, "async", val_bool(a, false));
	val_set(a, one, "command", val_str(a, val_get_str(handler, "command")));
	if (timeout)
		val_set(a, one, "timeout", val_copy_shallow(a, timeout));
	val_set(a, one, "type", val_str(a, STR("command")));
	if (val_get(group, "matcher"))
		val_set(a, v, "matcher", val_str(a, val_get_str(group, "matcher")));
	return crypt_content_hash(a, json_text(a, v));
}

/* Whether the person has trusted the handlers of ikm as they are now. */
static bool status_codex_trusts(struct status *s, const struct val *config)
{
	const struct val *state = val_get(val_get(config, "hooks"), "state"), *list;
	struct val *settings;
	size_t group = 0;

	if (json_read(s->a, s->text, NULL, &settings))
		return false;
	list = val_get(val_get(settings, "hooks"), s->in->hooks[0].event);
	VAL_EACH(list, g) {
		const struct val *handlers = val_get(g, "hooks");
		size_t handler = 0;

		VAL_EACH(handlers, h) {
			struct str key =
				str_fmt(s->a, "%s:pre_tool_use:%zu:%zu", s->path, group, handler++);
			struct str hash = val_get_str(val_get_key(state, key), "trusted_hash");

			if (str_find(val_get_str(h, "command"), STR(AGENT_CALL), 0) != SIZE_MAX)
				return str_eq(hash, status_codex_hash(s->a, g, h));
		}
		group++;
	}
	return false;
}

static void status_codex(struct status *s)
{
	const char *home = os_env("CODEX_HOME"), *path;
	const struct val *features, *project;
	struct val *config = NULL;
	struct str text;

	if (!home && os_home())
		home = os_join(s->a, os_home(), ".codex");
	path = home ? os_join(s->a, home, "config.toml") : NULL;
	text = path ? status_file(s->a, path) : STR("");
	if (text.n && toml_read(s->a, text, &config))
		config = NULL;
	features = val_get(val_get(config, "features"), "hooks");
	project = s->user || !s->top ? NULL
				     : val_get_key(val_get(config, "projects"), str_of(s->top));
	if (features && features->type == VAL_BOOL && !features->b)
		status_not(s, AGENT_FIRES_NOT, STR("[features] hooks is false"));
	else if (!s->user && !str_is(val_get_str(project, "trust_level"), "trusted"))
		status_not(
			s, AGENT_FIRES_NOT,
			STR("installed, but Codex does not trust this folder: start codex in it"));
	else if (!status_codex_trusts(s, config))
		status_not(s, AGENT_FIRES_NOT,
			   STR("installed, not trusted: start codex here, and run /hooks"));
}

static void status_copilot(struct status *s)
{
	struct val *v = NULL, *folders;
	struct str text;

	if (s->user || !s->top || !os_home())
		return;
	text = status_file(s->a, os_join(s->a, os_home(), ".copilot/config.json"));
	if (text.n && json_read(s->a, text, NULL, &v))
		v = NULL;
	folders = val_get(v, "trusted_folders");
	for (const struct val *f = folders && folders->type == VAL_LIST ? folders->first : NULL; f;
	     f = f->next)
		if (f->type == VAL_STR && (str_is(f->s, "/") || str_is_below(str_of(s->top), f->s)))
			return;
	status_not(s, AGENT_FIRES_NOT,
		   STR("installed, not trusted: start copilot in this folder, and trust it"));
}

/* ---- all hosts ---- */

static struct err *status_host(struct arena *a, const char *top, enum host host, bool all,
			       struct agent_founds *out)
{
	const struct host_install *in = host_hook_settings(host);
	size_t n = out->n;
	const char *first = NULL;

	for (int user = 0; user < 2; user++) {
		struct status s = {.a = a, .top = top, .in = in, .user = user};
		struct err *e = settings_path_of_host(a, top, host, user, &s.path);

		if (e)
			continue;
		first = first ? first : s.path;
		s.text = status_file(a, s.path);
		if (str_find(s.text, STR(AGENT_CALL), 0) == SIZE_MAX && (in->entry || !s.text.n))
			continue;
		s.found = VEC_PUSH(a, out);
		*s.found = (struct agent_found){.host = host_names[host], .path = s.path};
		TRY(s.in->entry ? status_command(&s) : status_plugin(&s));
		if (s.found->fires == AGENT_FIRES && s.in->host == HOST_CODEX)
			status_codex(&s);
		if (s.found->fires == AGENT_FIRES && s.in->host == HOST_COPILOT)
			status_copilot(&s);
		if (s.found->fires == AGENT_FIRES)
			status_disabled(&s);
	}
	if (out->n == n && !all)
		*VEC_PUSH(a, out) = (struct agent_found){
			.host = host_names[host],
			.path = first ? first : "",
			.fires = AGENT_FIRES_NOT,
			.why = str_fmt(a, "not installed: ikm hook install --agent %s",
				       host_names[host]),
		};
	return NULL;
}

struct err *agent_hook_probe(struct arena *a, const char *top, unsigned hosts, bool all,
			     struct agent_founds *out)
{
	*out = (struct agent_founds){0};
	for (unsigned h = 0; h < HOST_UNKNOWN; h++)
		if (hosts & 1u << h && host_hook_settings((enum host)h))
			TRY(status_host(a, top, (enum host)h, all, out));
	return NULL;
}
