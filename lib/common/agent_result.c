#include "agent_result.h"
#include "os/os.h"
#include <unistd.h>

#define R struct agent_change
const struct field agent_change_fields[] = {
	FIELD_OF(R, host, "the host"),
	FIELD_OF(R, path, "its file"),
	FIELD_NAMED(R, action, "action", agent_actions, "what was done"),
	FIELD_OF(R, text, "what is in the file for ikm", .flags = IF_ANY),
	{0},
};
#undef R
#define R struct agent_found
const struct field agent_found_fields[] = {
	FIELD_OF(R, host, "the host"),
	FIELD_OF(R, path, "its file"),
	FIELD_NAMED(
		R, fires, "fires", agent_proofs,
		"whether an event that must be denied was denied, and the host trusts the hook"),
	FIELD_OF(R, why, "why it does not fire, or is not proven to", .flags = OPTIONAL),
	{0},
};
#undef R

const char *const agent_choices[] = {HOSTS_INSTALLED(ENUM_NAME) "all", NULL};

/* The hook's command lets everything pass where the host does not find ikm. */
static void agent_change_prove(struct call *c, const struct agent_change *change)
{
	const char *self = os_self(c->a);
	struct str path = str_of(os_env("PATH")), dir, own = str_of(self);

	while (str_split(&path, ':', &dir))
		if (!access(os_join(c->a, str_c(c->a, dir), "ikm"), X_OK))
			return;
	own = str_sub(own, 0, size_max(str_rfind_char(own, '/') + 1, 1) - 1);
	strs_push(c->a, &c->notes,
		  str_fmt(c->a,
			  "PATH has no ikm, so the hook of %s lets everything pass; put this line "
			  "into ~/.profile, and start %s anew: export PATH=\"$PATH:%.*s\"",
			  change->host, change->host, STR_ARG(own)));
}

struct err *agent_change_make(struct call *c, bool install, const struct agent_options *o,
			      const struct agent_change **out)
{
	struct agent_change *change = ARENA_NEW(c->a, struct agent_change);
	const char *top = c->git ? git_top(c->git) : NULL;

	*out = change;
	if (!install)
		return agent_uninstall(c->a, top, o, change);
	TRY(agent_install(c->a, top, o, change));
	agent_change_prove(c, change);
	return NULL;
}

void agent_change_print(struct out *o, const struct agent_change *x)
{
	struct str rest = x->text, line;

	out_styled(o, OUT_BOLD, str_of(x->host));
	out_fmt(o, ": %s in ", agent_actions[x->action]);
	out_safe(o, str_of(x->path), false);
	out_puts(o, "\n");
	while (x->action != AGENT_UNCHANGED && str_line(&rest, &line)) {
		out_puts(o, "  ");
		out_safe(o, line, false);
		out_puts(o, "\n");
	}
	for (size_t i = 0; i < x->notes.n; i++) {
		out_safe(o, x->notes.p[i], false);
		out_puts(o, "\n");
	}
}

/* Exit 1: one does not fire, or none is there. */
struct err *agent_found_make(struct call *c, int choice, struct agent_founds *out)
{
	bool all = choice >= HOST_VSCODE;
	unsigned hosts = all ? ~0u : 1u << choice;

	TRY(agent_status(c->a, c->git ? git_top(c->git) : NULL, hosts, all, out));
	c->negative = !out->n;
	for (size_t i = 0; i < out->n; i++)
		c->negative |= out->p[i].fires == AGENT_FIRES_NOT;
	if (!out->p)
		out->p = arena_alloc(c->a, sizeof(*out->p));
	return NULL;
}
