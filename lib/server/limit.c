/*
 * The limit of one answer. A model that needs more of a file, or less of a search, says so in its
 * call. The limit is about the answer over MCP only, so no command has this parameter.
 */
#include "internal.h"
#include "common/result_fit.h"

#define NAME "maxTokens"

void server_limit_schema(struct arena *a, const struct cmd *cmd, struct val *input)
{
	struct val *properties = val_get(input, "properties"), *p;

	if (!(cmd->traits & TOOL_LONG) || !properties)
		return;
	p = val_set(a, properties, NAME, val_map(a));
	val_set(a, p, "type", val_str(a, STR("integer")));
	val_set(a, p, "minimum", val_int(a, FIT_LEAST));
	val_set(a, p, "maximum", val_int(a, FIT_MOST));
	val_set(a, p, "description", val_str(a, STR("limit of the answer")));
}

static void server_limit_remove(struct val *map, const struct val *member)
{
	struct val *last = NULL;

	VAL_EACH(map, m) {
		if (m != member) {
			last = m;
			continue;
		}
		if (last)
			last->next = m->next;
		else
			map->first = m->next;
		if (map->last == m)
			map->last = last;
		map->n--;
		return;
	}
}

struct err *server_limit_take(struct val *input, struct fit *fit)
{
	const struct val *v = val_get(input, NAME);
	int64_t n;

	if (!v)
		return NULL;
	/* Hosts send null for what the model left out, and numbers as texts. */
	if (v->type == VAL_NULL) {
		server_limit_remove(input, v);
		return NULL;
	}
	if ((v->type != VAL_NUM && v->type != VAL_STR) || !str_int(v->s, &n) || n < FIT_LEAST ||
	    n > FIT_MOST)
		return err_param(E_BAD_ARGUMENT, STR(NAME),
				 NAME " must be a whole number from %d to %d", FIT_LEAST, FIT_MOST);
	fit->tokens = (size_t)n;
	server_limit_remove(input, v);
	return NULL;
}
