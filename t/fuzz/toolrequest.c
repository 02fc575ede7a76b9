/* Any bytes as a ToolRequest's queries: each query is refused with a reason, or stays within the
 * declared limits. */
#include "json/json.h"
#include "request/internal.h"

/* lib/core/cmd reads the queries by their table. The table of commands belongs to cmd/. */
const struct cmd *const cmd_table[] = {NULL};

static void one(struct arena *a, const struct val *v, const struct manifest *m)
{
	static const struct memories from = {
		.who = {.agent = STR_INIT("a"), .user = STR_INIT("u")}};
	struct answer answer = {.left = 400, .tau_days = 30};
	struct query q = {0};
	struct found found = {.done = true};
	struct request_context said;

	query_read(&q, a, v);
	if (q.outcome < TRACE_DENIED)
		query_limit_to_tool_access(&q, a, m);
	if (q.outcome < TRACE_DENIED) {
		const struct access *access = &m->access[q.type];

		if (!access->enabled || q.budget < 1 || q.budget > ACCESS_BUDGET_MAX ||
		    (access->max_budget_tokens.given && q.budget > access->max_budget_tokens.n) ||
		    q.limit < 1 || q.limit > REQUEST_LIMIT_MAX)
			BUG("more than is declared");
		if (!query_cache_key(&q, a, &from, m).n)
			BUG("no key");
		q.found = &found;
	} else if (!q.reasons.n) {
		BUG("refused without a reason");
	}
	said = query_build_context(&q, a, &answer);
	if (said.results.n || answer.tokens || answer.budget > 400)
		BUG("something out of nothing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char text[] = "tool: {id: t, memory_access: {semantic: {enabled: true}, "
				   "episodic: {enabled: true, query_types: [a, b], tags: [c], "
				   "max_budget_tokens: 300}}}";
	struct arena *a = arena_new();
	struct manifest_problems problems;
	struct manifest m;
	struct val *v;

	if (!manifest_validate(a, str_of(text), STR("t.yaml"), &m, &problems))
		BUG("the manifest is wrong");
	if (!json_read(a, (struct str){(const char *)data, size}, NULL, &v) && v->type == VAL_LIST)
		VAL_EACH(v, it)
			one(a, it, &m);
	arena_free(a);
	return 0;
}
