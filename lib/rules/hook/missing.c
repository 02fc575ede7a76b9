/* Hooks that this clone should have, and lacks. */
#include "hook/internal.h"

#define MARK_MAX 1024

struct err *hook_missing(struct arena *a, struct git *g, struct strs *out)
{
	struct hook_clone m;

	TRY(hook_clone_read(a, g, &m));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (m.managed.runs_ikm[i] && !m.managed.installed[i] &&
		    m.file[i].owner != OWNER_OURS)
			strs_push(
				a, out,
				hook_manager_not_installed_text(a, &m.managed, (enum hook_name)i));
	return NULL;
}

struct str hook_lost(struct arena *a, struct git *g)
{
	const struct hook_options all = {0};
	struct str text, line;
	struct strs lost = {0};
	struct hook_clone m;

	if (os_read_path(a, os_join(a, git_common_dir(g), HOOK_MARK), MARK_MAX, &text) ||
	    hook_clone_read(a, g, &m))
		return STR("");
	while (str_next_line(&text, &line))
		for (size_t i = 0; i < HOOK_COUNT; i++)
			if (str_is(line, hook_names[i]) &&
			    !((m.file[i].owner == OWNER_OURS || m.file[i].owner == OWNER_EDITED) &&
			      m.file[i].executable) &&
			    !(m.managed.runs_ikm[i] && m.managed.installed[i]) &&
			    !(hook_manager_optional_hooks(&m.managed, &all, &m.file[i]) & 1u << i))
				strs_push(a, &lost, line);
	if (!lost.n)
		return STR("");
	return str_fmt(a,
		       "this clone had ikm's hooks, and Git does not call ikm any more for "
		       "%.*s%s%s: run 'ikm hook install', or 'ikm hook uninstall' if that "
		       "is meant",
		       STR_ARG(str_join(a, &lost, ", ")), m.managed.name ? ", since " : "",
		       m.managed.name ? str_fmt(a, "%s is here", m.managed.name).p : "");
}
