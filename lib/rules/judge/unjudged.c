/*
 * The files and names that rules could not read. Decides which rules apply to each, whether the
 * report names it, and its message.
 */
#include "judge/internal.h"
#include "os/os.h"
#include "base/sort.h"

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

static void unjudged_list_rules(struct worker *w, struct check_unjudged *u)
{
	const struct rules *rules = &w->run->rules;
	struct check_rule *list;
	size_t n = 0;

	for (size_t i = 0; i < rules->n; i++)
		n += w->blind[i];
	u->rules.p = list = arena_array(w->a, n, sizeof(*list));
	for (size_t i = 0; i < rules->n; i++)
		if (w->blind[i])
			list[u->rules.n++] = (struct check_rule){rules->p[i].item, rules->p[i].c};
	qsort(list, n, sizeof(*list), by_strictness);
}

struct check_unjudged *unjudged_add(struct worker *w, const struct subject *s,
				    enum check_reason why, struct str detail)
{
	const struct rules *rules = &w->run->rules;
	bool any = false, added = false, changed;
	enum kn_severity severity = KN_SEVERITY_INFO;
	struct check_unjudged *u;

	for (size_t i = 0; i < rules->n; i++) {
		if (!w->blind[i])
			continue;
		if (rules->p[i].severity > severity)
			severity = rules->p[i].severity;
		added |= rules->p[i].added;
		any = true;
	}
	if (!any)
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
	if (u->named)
		unjudged_list_rules(w, u);
	return u;
}

/* ---- what results show ---- */

/* "code rules", or "code and import rules". */
static struct str unjudged_targets(struct arena *a, const struct check_unjudged *u)
{
	bool has[TARGETS] = {false};
	struct buf b = buf_in(a);

	for (size_t i = 0; i < u->rules.n; i++)
		has[u->rules.p[i].constraint->target] = true;
	for (size_t i = 0; i < TARGETS; i++)
		if (has[i])
			buf_fmt(&b, "%s%s", b.n ? " and " : "", kn_targets[i]);
	buf_puts(&b, b.n ? " rules" : "rules");
	return buf_as_str(&b);
}

static struct str unjudged_message(struct arena *a, const struct check_unjudged *u)
{
	const struct check_rule *r = u->rules.p;
	struct str name = u->name, detail = u->detail;
	const struct target *t;

	switch (u->reason) {
	case CHECK_ATTRIBUTE:
		return str_fmt(a, "%.*s: %.*s do not look into it%s", STR_ARG(detail),
			       STR_ARG(unjudged_targets(a, u)),
			       u->added ? "; this change adds the attribute" : "");
	case CHECK_BINARY:
		return str_fmt(a, "it is no text, so %.*s do not look into it",
			       STR_ARG(unjudged_targets(a, u)));
	case CHECK_GIVEN_UP:
		return str_fmt(a, "the pattern was not tried in %.*s: %.*s", STR_ARG(detail),
			       STR_ARG(r->constraint->pattern));
	case CHECK_KNOWLEDGE_FILE:
		return name.n ? str_fmt(a,
					"'%.*s' stands in a decision, which may quote what the "
					"rule forbids",
					STR_ARG(name))
			      : STR("a decision may quote what a rule forbids");
	case CHECK_LFS_POINTER:
		return STR("it is a Git LFS pointer: its content is not in the repository");
	case CHECK_LINK:
		return name.n ? str_fmt(a,
					"it is a symbolic link to '%.*s', which ikm does not follow",
					STR_ARG(name))
			      : STR("it is a symbolic link, which ikm does not follow");
	case CHECK_MATCH_LIMIT:
		return str_fmt(a,
			       "the pattern reached its match limit here, before the change too, "
			       "so what is new here is not known: %.*s",
			       STR_ARG(r ? r->constraint->pattern : STR("")));
	case CHECK_SUBMODULE:
		return name.n ? str_fmt(a,
					"it is a submodule at commit %.*s: its files are not read",
					STR_ARG(name))
			      : STR("it is a repository of its own: its files are not read");
	case CHECK_TOO_BIG:
		return str_fmt(a, "it has %.*s (check.maxFileSize), so %.*s do not look into it",
			       STR_ARG(detail), STR_ARG(unjudged_targets(a, u)));
	case CHECK_UNREAD_LANGUAGE:
		return str_fmt(a, "ikm cannot read the imports of %.*s yet%s%.*s%s%s",
			       STR_ARG(detail), name.n ? ", and here stands '" : "", STR_ARG(name),
			       name.n ? "'" : "",
			       u->blocks ? "; a change of the rule's appliesTo can leave these "
					   "files out, as '!*.suffix' does"
					 : "");
	case CHECK_UNREAD_CONFIG: return STR("ikm cannot read the settings of this format");
	case CHECK_UNREADABLE_CONFIG:
		return str_fmt(a, "rules on settings cannot judge this file: %.*s",
			       STR_ARG(detail));
	case CHECK_UNREAD_MANIFEST:
		return str_fmt(
			a, "ikm cannot read this manifest: %.*s%s%.*s%s%s", STR_ARG(detail),
			name.n ? ", and here stands '" : "", STR_ARG(name), name.n ? "'" : "",
			u->blocks ? "; a change of the rule's appliesTo can leave it out" : "");
	case CHECK_UNREADABLE:
		return str_fmt(a, "dependency rules cannot judge this manifest: %.*s",
			       STR_ARG(detail));
	case CHECK_UNRESOLVED:
		t = targets[r ? r->constraint->target : KN_TARGET_DEPENDENCY];
		return name.n ? str_fmt(a, "%s '%.*s'%s: %.*s", t->words.unknown_of[0],
					STR_ARG(name), t->words.unknown_of[1], STR_ARG(detail))
			      : str_fmt(a, "%s: %.*s", t->words.unknown, STR_ARG(detail));
	}
	BUG("reason %d", (int)u->reason);
}

ORDER_OF(by_skipped, struct check_unjudged, ORDER_STR(path) || ORDER_UP(reason))

void check_report_finish(struct arena *a, struct check_report *r)
{
	const struct check_unjudged **p = sort_into_pointers(a, r->unjudged.p, r->unjudged.n,
							     sizeof(*r->unjudged.p), by_skipped);

	r->success = true;
	notes_sort(&r->notes);
	MERGE(a, &r->all_notes, &r->notes);
	r->named.p = r->unjudged.p;
	for (size_t i = 0; i < r->unjudged.n; i++) {
		struct check_unjudged *u = &r->unjudged.p[i];

		if (u->named) {
			u->message = unjudged_message(a, u);
			r->named.n++;
		}
		r->data += u->counted &&
			   (u->reason == CHECK_BINARY || u->reason == CHECK_LFS_POINTER ||
			    u->reason == CHECK_TOO_BIG);
		/* The notes that older readers expect for unjudged entries. */
		if (u->reason == CHECK_UNREADABLE)
			*VEC_PUSH(a, &r->all_notes) =
				(struct check_note){.kind = CHECK_NOTE_UNREADABLE,
						    .blocks = u->blocks,
						    .path = u->path,
						    .message = unjudged_message(a, u)};
		if (check_unjudged_is_skipped(p[i]))
			*VEC_PUSH(a, &r->skipped) = (struct check_skipped){
				.file = p[i]->path,
				.why = check_skipped_reason_name(p[i]->reason),
				.detail = p[i]->detail,
				.blocking = p[i]->severity == KN_SEVERITY_BLOCK && !p[i]->counted,
				.added = p[i]->added,
			};
	}
	notes_sort(&r->all_notes);
}
