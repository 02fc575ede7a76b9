/* The block of decisions in the files that agents read. */
#include "lint/run.h"
#include "knowledge/agentsmd.h"

#define AGENTS_MAX ((size_t)64 << 20)

static bool lint_wants_path(const struct lint *l, struct str path)
{
	for (size_t i = 0; i < l->o->paths.n; i++)
		if (lint_is_below(path, l->o->paths.p[i]))
			return true;
	return !l->o->paths.n;
}

static void lint_agents_text(struct lint *l, struct str path, struct str text)
{
	struct agentsmd m;
	struct err *e = agentsmd_read(l->a, l->k, text, &m);

	if (!e && !m.there)
		return;
	strs_push(l->a, &l->others, path);
	if (e) {
		const struct val *details = val_get(err_envelope(l->a, e), "details");

		lint_say_of(l, LINT_AGENTS_MD, path,
			    (struct place){.line = (size_t)val_get_int(details, "line")}, "%s",
			    err_message(e));
	} else if (m.stale) {
		lint_say_of(l, LINT_AGENTS_MD, path, (struct place){.line = m.line},
			    "the block differs from the decisions: 'ikm know export --agents-md' "
			    "writes it anew");
	}
}

struct err *lint_agents(struct lint *l)
{
	/* A source of the command line would be in the block. */
	if (!l->tree || l->o->given.n)
		return NULL;
	for (size_t i = 0; agentsmd_names[i]; i++) {
		struct str path = str_of(agentsmd_names[i]), text = {NULL, 0};
		struct tree_file f;
		bool found;

		if (!lint_wants_path(l, path))
			continue;
		TRY(tree_find(l->tree, path, &f, &found));
		if (!found || (f.kind != TREE_FILE && f.kind != TREE_EXEC))
			continue;
		TRY(tree_read(l->tree, l->a, &f, AGENTS_MAX, &text));
		lint_agents_text(l, path, text.p ? text : STR(""));
	}
	return NULL;
}
