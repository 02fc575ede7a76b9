/*
 * Proves that a host's hook is live: runs what is registered with an event that must be denied, and
 * looks whether the host would run it.
 */
#include "agent/internal.h"
#include "crypt/crypt.h"
#include "json/json.h"
#include "toml/toml.h"

#define PROOF_MS        10000
#define STATUS_FILE_MAX ((size_t)16 << 20)

const char *const agent_proofs[] = {AGENT_PROOFS(ENUM_NAME) NULL};

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

	return os_read_path(a, path, STATUS_FILE_MAX, &text) || !text.p ? STR("") : text;
}

/* ---- the command ---- */

static struct str status_event(struct status *s)
{
	struct buf folder = buf_in(s->a);

	json_write_str(&folder, str_of(s->top ? s->top : "/"));
	return settings_fill_template(s->a, s->in->must_deny, 'D', buf_as_str(&folder));
}

static struct err *status_run(struct status *s, const char *const *argv)
{
	static const char *const env[] = {"IKM_HOOKS", NULL};
	const struct os_spawn spawn = {.argv = argv,
				       .cwd = s->top,
				       .env = env,
				       .in = status_event(s),
				       .timeout_ms = PROOF_MS,
				       .err_keep = 4096,
				       .clear_git = true};
	struct os_result r = {0};
	struct err *e = os_run(s->a, &spawn, &r);

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
	struct strs commands = {0};
	struct str open = settings_hook_command(s->a, s->in, false);
	struct str closed = settings_hook_command(s->a, s->in, true);
	const char *const argv[] = {"sh", "-c", open.p, NULL};
	const char *const argv_closed[] = {"sh", "-c", closed.p, NULL};
	struct err *e = settings_find_commands(s->a, s->text, s->in->hooks[0].event, &commands);

	if (e) {
		status_not(s, AGENT_FIRES_NOT,
			   str_fmt(s->a, "the file cannot be read: %s", err_message(e)));
		return NULL;
	}
	if (commands.n && str_eq(commands.p[0], open))
		return status_run(s, argv);
	if (commands.n && str_eq(commands.p[0], closed))
		return status_run(s, argv_closed);
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
		if (f->type == VAL_STR &&
		    (str_is(f->s, s->top) || agent_path_relative_to(str_c(s->a, f->s), s->top).p))
			return;
	status_not(s, AGENT_FIRES_NOT,
		   STR("installed, not trusted: start copilot in this folder, and trust it"));
}

/* ---- all hosts ---- */

static struct err *status_one(struct status *s)
{
	TRY(s->in->entry ? status_command(s) : status_plugin(s));
	if (s->found->fires == AGENT_FIRES && s->in->host == HOST_CODEX)
		status_codex(s);
	if (s->found->fires == AGENT_FIRES && s->in->host == HOST_COPILOT)
		status_copilot(s);
	if (s->found->fires == AGENT_FIRES)
		status_disabled(s);
	return NULL;
}

static struct err *status_host(struct arena *a, const char *top, enum host host, bool all,
			       struct agent_founds *out)
{
	const struct host_install *in = host_hook_settings(host);
	size_t n = out->n;
	const char *path = NULL, *first = NULL;

	for (int user = 0; user < 2; user++) {
		struct status s = {.a = a, .top = top, .in = in, .user = user};
		struct err *e = settings_path_of_host(a, top, host, user, &path);

		if (e)
			continue;
		first = first ? first : path;
		s.path = path;
		s.text = status_file(a, path);
		if (str_find(s.text, STR(AGENT_CALL), 0) == SIZE_MAX && (in->entry || !s.text.n))
			continue;
		s.found = VEC_PUSH(a, out);
		*s.found = (struct agent_found){.host = host_names[host], .path = path};
		TRY(status_one(&s));
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
