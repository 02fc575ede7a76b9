/* Hooks that this clone should have, and lacks. */
#include "hook/internal.h"

#define MARK_MAX 1024

struct missing {
	struct hook_place place;
	struct hook_file file[HOOK_COUNT];
	struct hook_managed managed;
};

static struct err *missing_read(struct arena *a, struct git *g, struct missing *m)
{
	TRY(hook_place_find(a, g, false, &m->place));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		TRY(hook_file_read(a, m->place.dir, hook_names[i], &m->file[i]));
	return hook_manager_find(a, &m->place, m->file, &m->managed);
}

struct err *hook_missing(struct arena *a, struct git *g, struct strs *out)
{
	struct missing m;

	TRY(missing_read(a, g, &m));
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
	struct missing m;

	if (os_read_path(a, os_join(a, git_common_dir(g), HOOK_MARK), MARK_MAX, &text) ||
	    missing_read(a, g, &m))
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
