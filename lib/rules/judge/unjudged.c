/*
 * The files and names that rules could not read. Decides which rules apply to each, and whether the
 * report names it.
 */
#include "judge/internal.h"
#include "os/os.h"

static const struct {
	const char *skipped;
	bool may_block;
} reasons[] = {
#define X(c, name, skipped, may_block) {skipped, may_block},
	CHECK_REASONS(X)
#undef X
};

const char *const check_reasons[] = {CHECK_REASONS(ENUM_NAME) NULL};

const char *check_skipped_reason_name(enum check_reason r)
{
	return reasons[r].skipped;
}

bool check_unjudged_is_skipped(const struct check_unjudged *u)
{
	return !u->line && *check_skipped_reason_name(u->reason);
}

/* ---- which rules ---- */

void unjudged_clear_blind_rules(struct worker *w)
{
	memset(w->blind, 0, w->run->rules.n * sizeof(*w->blind));
}

bool unjudged_scope_names_suffix(const struct worker *w, size_t scope)
{
	const struct scope *s = &w->run->rules.scopes.p[scope];
	struct str path = w->subject->now_glob;
	size_t dot = str_rfind_char(path, '.'), slash = str_rfind_char(path, '/');
	char other[OS_PATH_MAX + 1];

	if (!s->names || dot == SIZE_MAX || (slash != SIZE_MAX && dot < slash) ||
	    dot + 2 > sizeof(other))
		return false;
	/* For each rule and file: memory of the run would grow with their product. */
	memcpy(other, path.p, dot + 1);
	other[dot + 1] = '\1';
	return !globs_match(s->globs, (struct str){other, dot + 2});
}

bool unjudged_mark_blind_rules(struct worker *w, enum kn_target target, unsigned only)
{
	const struct rules *rules = &w->run->rules;
	const struct rule_kind *k = &rules->kind[target];
	bool any = false;

	for (size_t i = 0; i < k->n; i++) {
		const struct rule *r = &rules->p[k->rule[i]];

		if (!w->scoped[r->scope] ||
		    ((only & BLIND_NAMED) && !rules->scopes.p[r->scope].names) ||
		    ((only & BLIND_ABSENCE) && r->presence) ||
		    ((only & BLIND_ADDED) && !r->added) ||
		    ((only & BLIND_SUFFIX) && !unjudged_scope_names_suffix(w, r->scope)))
			continue;
		w->blind[k->rule[i]] = any = true;
	}
	return any;
}

ORDER_OF(by_strictness, struct check_rule,
	 (c = (int)rule_severity(b->item, b->constraint) -
	      (int)rule_severity(a->item, a->constraint)) ||
		 ORDER_STR(item->id) || ORDER_UP(constraint->index))

struct check_unjudged *unjudged_add(struct worker *w, const struct subject *s,
				    enum check_reason why, struct str detail)
{
	const struct rules *rules = &w->run->rules;
	bool added = false, changed;
	size_t n = 0;
	struct check_rule *list;
	enum kn_severity severity = KN_SEVERITY_INFO;
	struct check_unjudged *u;

	for (size_t i = 0; i < rules->n; i++) {
		if (!w->blind[i])
			continue;
		if (rules->p[i].severity > severity)
			severity = rules->p[i].severity;
		added |= rules->p[i].added;
		n++;
	}
	if (!n)
		return NULL;
	/* One file with the same content: only the mode is new. */
	changed = s->touched &&
		  (added || !subject_sides_same_content(s) || !str_eq(s->now.path, s->old.path));
	u = VEC_PUSH(w->a, &w->unjudged);
	*u = (struct check_unjudged){
		.reason = why,
		.path = str_dup(w->a, s->now.path),
		.detail = str_dup(w->a, detail),
		.severity = severity,
		/* A manifest that does not parse is reported under any rule. */
		.named = why == CHECK_UNREADABLE || w->run->in->list_unjudged ||
			 (changed && severity == KN_SEVERITY_BLOCK),
	};
	u->blocks = changed && severity == KN_SEVERITY_BLOCK && reasons[why].may_block &&
		    w->run->in->unjudged_blocks;
	if (!u->named)
		return u;
	u->rules.p = list = arena_array(w->a, n, sizeof(*list));
	for (size_t i = 0; i < rules->n; i++)
		if (w->blind[i])
			list[u->rules.n++] = (struct check_rule){rules->p[i].item, rules->p[i].c};
	qsort(list, n, sizeof(*list), by_strictness);
	return u;
}
