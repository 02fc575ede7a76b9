#include "judge/internal.h"
#include "base/sort.h"

/* Appends the elements of a list to another. */
#define MERGE(a, to, from)                                                                         \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (from)->n; i_++)                                          \
			*VEC_PUSH((a), (to)) = (from)->p[i_];                                      \
	} while (0)

const char *const check_note_kinds[] = {CHECK_NOTES(ENUM_NAME) NULL};

void check_warn(struct arena *a, struct check_report *r, bool blocks, struct str path,
		struct str message)
{
	*VEC_PUSH(a, &r->notes) = (struct check_note){
		.kind = CHECK_WARNING, .blocks = blocks, .path = path, .message = message};
}

/* Total orders, so that neither threads nor qsort decide. */
ORDER_OF(by_violation, struct check_violation,
	 ORDER_DOWN(severity) || ORDER_STR(file) || ORDER_UP(line) || ORDER_UP(column) ||
		 ORDER_STR(item->id) || ORDER_UP(item->layer) || ORDER_UP(constraint->index) ||
		 ORDER_UP(from_base) || ORDER_UP(existing) || ORDER_STR(fingerprint) ||
		 ORDER_STR(found) || ORDER_STR(message))

ORDER_OF(by_note, struct check_note,
	 ORDER_DOWN(blocks) || ORDER_UP(kind) || ORDER_STR(path) || ORDER_UP(line) ||
		 ORDER_STR(message))

static int by_unjudged(const void *x, const void *y)
{
	const struct check_unjudged *a = x, *b = y;

	ORDER_BY(b->named, a->named);
	if (a->named)
		ORDER_BY(b->severity, a->severity);
	ORDER_BY_STR(a->path, b->path);
	ORDER_BY(a->line, b->line);
	ORDER_BY(a->column, b->column);
	ORDER_BY(a->reason, b->reason);
	ORDER_BY_STR(a->name, b->name);
	ORDER_BY_STR(a->detail, b->detail);
	for (size_t i = 0; i < a->rules.n && i < b->rules.n; i++) {
		ORDER_BY_STR(a->rules.p[i].item->id, b->rules.p[i].item->id);
		ORDER_BY(a->rules.p[i].constraint->index, b->rules.p[i].constraint->index);
	}
	ORDER_BY(a->rules.n, b->rules.n);
	return 0;
}

/* Equal for a rule of the base and the edited rule; the new one comes first, then the stricter. */
ORDER_OF(by_match, struct check_violation,
	 ORDER_STR(item->id) || ORDER_UP(constraint->target) || ORDER_STR(file) || ORDER_UP(line) ||
		 ORDER_UP(column) || ORDER_STR(found))

/*
 * An edited constraint judges twice, in its old and its new form. A finding of both is listed once,
 * under the new rule unless the old rule is stricter. Findings without a match (something is
 * missing) stay, because the two rules may ask for different things.
 */
static void drop_duplicates(struct arena *a, struct check_violations *list)
{
	size_t n = list->n, kept = 0, first = 0;
	struct check_violation **p = sort_into_pointers(a, list->p, n, sizeof(*list->p), by_match);
	bool *drop = arena_array(a, n, sizeof(*drop));

	for (size_t i = 0; i < n; i++) {
		if (by_match(p[first], p[i]))
			first = i;
		for (size_t j = first; j < n && p[i]->from_base && !by_match(p[first], p[j]); j++)
			if (!p[j]->from_base && p[j]->found.n && p[j]->severity >= p[i]->severity &&
			    p[j]->existing <= p[i]->existing)
				drop[p[i] - list->p] = true;
	}
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			list->p[kept++] = list->p[i];
	list->n = kept;
}

void check_arrange(struct arena *a, struct check_report *out)
{
	drop_duplicates(a, &out->violations);
	drop_duplicates(a, &out->waived);
	VEC_SORT(&out->violations, by_violation);
	VEC_SORT(&out->waived, by_violation);
}

void report_finish(struct run *run)
{
	struct check_report *out = run->out;

	for (unsigned t = 0; t < run->threads; t++) {
		const struct worker *w = &run->workers[t];

		MERGE(run->a, &out->violations, &w->violations);
		MERGE(run->a, &out->waived, &w->waived);
		MERGE(run->a, &out->notes, &w->notes);
		MERGE(run->a, &out->unjudged, &w->unjudged);
		out->waived_count += w->waived_count;
		out->existing += w->existing;
		out->files += w->files;
		out->manifests += w->manifests;
		out->unresolved += w->unresolved;
	}
	check_arrange(run->a, out);
	rules_note_superseded_in_force(run);
	VEC_SORT(&out->notes, by_note);
	VEC_SORT(&out->unjudged, by_unjudged);
	report_count_findings(out);
}

/* ---- what readers see ---- */

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
	VEC_SORT(&r->notes, by_note);
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
	VEC_SORT(&r->all_notes, by_note);
}

/*
 * Merging two reports. For two pushed tips the result has the findings of both. For two bases of
 * one tip only findings that both reports have are new.
 */

/* ---- several tips ---- */

ORDER_OF(by_place_of_finding, struct check_violation,
	 ORDER_STR(fingerprint) || ORDER_STR(file) || ORDER_UP(line) || ORDER_STR(item->id))

ORDER_OF(by_strict_finding, struct check_violation,
	 (c = by_place_of_finding(a, b)) || ORDER_UP(existing) || ORDER_DOWN(severity))

ORDER_OF(by_place_of_note, struct check_note,
	 ORDER_UP(kind) || ORDER_UP(line) || ORDER_STR(path) || ORDER_STR(commit) ||
		 ORDER_STR(message))

ORDER_OF(by_strict_note, struct check_note, (c = by_place_of_note(a, b)) || ORDER_DOWN(blocks))

/*
 * Keeps the strictest of equal elements, in their order, and returns how many stay. `strict` orders
 * elements by the same members as `same`, then by strictness.
 */
static size_t drop_equal(void *list, size_t n, size_t size, sort_order_fn *same,
			 sort_order_fn *strict)
{
	struct arena *a ARENA_LOCAL = arena_new();
	char *from = list, **p = sort_into_pointers(a, list, n, size, strict);
	bool *drop = arena_array(a, n, sizeof(*drop));
	size_t kept = 0;

	for (size_t i = 1; i < n; i++)
		drop[(size_t)(p[i] - from) / size] = !same(p[i - 1], p[i]);
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			memmove(from + kept++ * size, from + i * size, size);
	return kept;
}
#define DROP_EQUAL(v, same, strict)                                                                \
	((v)->n = drop_equal((v)->p, (v)->n, sizeof(*(v)->p), (same), (strict)))

static void merge_unjudged(struct arena *a, struct check_unjudged_list *list,
			   const struct check_unjudged_list *more)
{
	size_t kept = 0;

	MERGE(a, list, more);
	VEC_SORT(list, by_unjudged);
	for (size_t i = 0; i < list->n; i++) {
		/*
		 * Rules of two commits are different objects in memory, so compare by value, not by
		 * address.
		 */
		if (kept && !by_unjudged(&list->p[kept - 1], &list->p[i]))
			list->p[kept - 1].blocks |= list->p[i].blocks;
		else
			list->p[kept++] = list->p[i];
	}
	list->n = kept;
}

void reports_merge(struct arena *a, struct check_report *to, const struct check_report *from)
{
	bool passed = to->passed && from->passed;

	MERGE(a, &to->violations, &from->violations);
	DROP_EQUAL(&to->violations, by_place_of_finding, by_strict_finding);
	MERGE(a, &to->waived, &from->waived);
	DROP_EQUAL(&to->waived, by_place_of_finding, by_strict_finding);
	to->waived_count += from->waived_count;
	to->waivers_first |= from->waivers_first;
	for (size_t i = 0; i < from->rule_changes.n; i++)
		if (!rule_changes_has(&to->rule_changes, &from->rule_changes.p[i]))
			*VEC_PUSH(a, &to->rule_changes) = from->rule_changes.p[i];
	to->existing += from->existing;
	merge_unjudged(a, &to->unjudged, &from->unjudged);
	MERGE(a, &to->notes, &from->notes);
	DROP_EQUAL(&to->notes, by_place_of_note, by_strict_note);
	report_count_findings(to);
	to->passed = passed;
	to->no_knowledge = to->no_knowledge && from->no_knowledge;
	to->items = (unsigned)size_max(to->items, from->items);
	to->active = (unsigned)size_max(to->active, from->active);
	to->constraints = (unsigned)size_max(to->constraints, from->constraints);
	to->broken = (unsigned)size_max(to->broken, from->broken);
	to->not_judged = (unsigned)size_max(to->not_judged, from->not_judged);
	to->files += from->files;
	to->manifests += from->manifests;
	to->garden += from->garden;
	to->unresolved += from->unresolved;
	/* The counts of rules are those of the tip with the fewest rules. */
	if (from->compared && (!to->compared || from->rules < to->rules)) {
		to->rules = from->rules;
		to->rules_before = from->rules_before;
	} else if (!to->compared) {
		to->rules = (unsigned)size_max(to->rules, from->rules);
	}
	to->compared = to->compared || from->compared;
}

/* ---- several bases ---- */

ORDER_OF(by_fingerprint, struct check_violation, ORDER_STR(fingerprint) || ORDER_UP(severity))
ORDER_OF(by_fingerprint_and_place, struct check_violation,
	 ORDER_STR(fingerprint) || ORDER_UP(severity) || ORDER_UP(line) || ORDER_UP(column))

/*
 * Sets shared[i] for each new finding of r that the other report has too: each of the other's
 * findings once. Findings at the same place match first, because the bases may blame different ones
 * of several equal findings.
 */
static void mark_shared(struct arena *a, const struct check_report *r,
			const struct check_report *other, bool *shared)
{
	static sort_order_fn *const orders[] = {by_fingerprint_and_place, by_fingerprint};
	const struct check_violations *l = &r->violations, *m = &other->violations;
	struct check_violation **mine =
		sort_into_pointers(a, l->p, l->n, sizeof(*l->p), by_fingerprint_and_place);
	struct check_violation **theirs =
		sort_into_pointers(a, m->p, m->n, sizeof(*m->p), by_fingerprint_and_place);
	bool *used = arena_array(a, m->n, sizeof(*used));

	for (size_t pass = 0; pass < ARRAY_SIZE(orders); pass++)
		for (size_t i = 0, j = 0; i < l->n && j < m->n;) {
			bool *one = &shared[mine[i] - l->p];
			int c = mine[i]->existing || *one        ? -1
				: theirs[j]->existing || used[j] ? 1
								 : orders[pass](mine[i], theirs[j]);

			if (!c)
				*one = used[j] = true;
			i += c <= 0;
			j += c >= 0;
		}
}

static void keep_shared_notes(struct check_report *r, const struct check_report *other)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->notes.n; i++) {
		struct check_note *n = &r->notes.p[i];
		bool found = false, blocks = false;

		for (size_t j = 0; j < other->notes.n; j++) {
			const struct check_note *m = &other->notes.p[j];

			if (m->kind != n->kind || m->line != n->line || !str_eq(m->path, n->path) ||
			    !str_eq(m->message, n->message))
				continue;
			found = true;
			blocks = blocks || m->blocks;
		}
		/* Broken knowledge is always reported. */
		if (!found && n->kind != CHECK_BROKEN)
			continue;
		n->blocks = n->blocks && blocks;
		r->notes.p[kept++] = *n;
	}
	r->notes.n = kept;
}

/* Compares the file or name only, not the rules that could not read it. */
ORDER_OF(by_thing, struct check_unjudged,
	 ORDER_STR(path) || ORDER_UP(line) || ORDER_UP(column) || ORDER_UP(reason) ||
		 ORDER_STR(name))

void report_count_findings(struct check_report *r)
{
	r->info = r->warn = r->block = 0;
	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *v = &r->violations.p[i];

		r->info += !v->existing && v->severity == KN_SEVERITY_INFO;
		r->warn += !v->existing && v->severity == KN_SEVERITY_WARN;
		r->block += !v->existing && v->severity == KN_SEVERITY_BLOCK;
	}
	for (size_t i = 0; i < r->notes.n; i++)
		r->block += r->notes.p[i].blocks;
	for (size_t i = 0; i < r->rule_changes.n; i++)
		r->block += r->rule_changes.p[i].blocks;
	for (size_t i = 0; i < r->unjudged.n; i++)
		r->block += r->unjudged.p[i].blocks;
	r->passed = !r->block;
}

unsigned reports_mark_existing(struct arena *a, struct check_report *r,
			       const struct check_report *other, bool want_existing)
{
	bool *shared = arena_array(a, r->violations.n, sizeof(*shared));
	unsigned dropped = 0;
	size_t kept = 0;
	void *theirs;

	mark_shared(a, r, other, shared);
	for (size_t i = 0; i < r->violations.n; i++) {
		struct check_violation *v = &r->violations.p[i];

		if (!v->existing && !shared[i]) {
			v->existing = true;
			r->existing++;
			dropped++;
			if (!want_existing)
				continue;
		}
		r->violations.p[kept++] = *v;
	}
	r->violations.n = kept;
	keep_shared_notes(r, other);
	theirs = sort_into_pointers(a, other->unjudged.p, other->unjudged.n,
				    sizeof(*other->unjudged.p), by_thing);
	kept = 0;
	VEC_EACH(const struct check_unjudged, u, &r->unjudged)
		if (sort_pointers_find(theirs, other->unjudged.n, u, by_thing))
			r->unjudged.p[kept++] = *u;
	r->unjudged.n = kept;
	report_count_findings(r);
	return dropped;
}
