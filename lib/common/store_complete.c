/* Completes names of stored assets in the shell. */
#include "asset_result.h"
#include "find_names.h"

/* Each candidate is one line, and a tab ends its word. */
static void store_complete_offer(struct call *c, struct str typed, struct str word, struct str what)
{
	if (str_find_char(word, '\n', 0) == SIZE_MAX && str_find_char(word, '\t', 0) == SIZE_MAX)
		cmd_candidate(c->out, typed, word, what);
}

static struct err *store_complete_assets(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct strs names = {0}, warnings = {0};

	(void)result;
	TRY(find_names(c, true, &names, &warnings, NULL));
	for (size_t i = 0; i < names.n; i++)
		store_complete_offer(c, typed,
				     str_starts(typed, STR(ASSET_SCHEME))
					     ? asset_uri(c->a, names.p[i])
					     : names.p[i],
				     STR(""));
	return NULL;
}

static struct err *store_complete(struct call *c, struct str typed,
				  struct err *(*run)(struct call *c, const void *word,
						     void *result))
{
	struct cmd *cmd = ARENA_NEW(c->a, struct cmd);
	struct cmd_common common = {0};
	struct val *none = NULL;

	*cmd = (struct cmd){.name = "--complete", .need = FIND_NEED, .run = run};
	c->cmd = cmd;
	return app_run(c, &common, &typed, &none);
}

struct err *asset_complete(struct call *c, struct str typed)
{
	return store_complete(c, typed, store_complete_assets);
}
