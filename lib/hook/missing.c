/* Hooks that the repository's configuration expects and that this clone lacks. */
#include "hook/internal.h"

struct err *hook_missing(struct arena *a, struct git *g, struct strs *out)
{
	struct hook_file file[HOOK_COUNT];
	struct hook_managed m;
	struct hook_place p;

	TRY(hook_place_find(a, g, false, &p));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		TRY(hook_file_read(a, p.dir, hook_names[i], &file[i]));
	TRY(hook_manager_find(a, &p, file, &m));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (m.runs_ikm[i] && !m.installed[i] && file[i].owner != OWNER_OURS)
			strs_push(a, out, hook_manager_missing(a, &m, (enum hook_name)i));
	return NULL;
}
