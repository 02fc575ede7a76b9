/* Makes a waiver of what a person asks for. */
#include "history/judge_trees.h"
#include "knowledge/item_edit.h"

/* At least one of the rules must exist and allow exceptions. */
static struct err *waiver_check_rules(struct arena *a, const struct kn_item *item,
				      const struct waiver *w)
{
	size_t found = 0, fixed = 0;

	for (size_t i = 0; i < item->constraints_n; i++) {
		const struct kn_constraint *c = &item->constraints[i];

		if (w->constraint && w->constraint != (int64_t)c->index)
			continue;
		found++;
		fixed += !c->waivable;
	}
	if (!found && w->constraint)
		return knowledge_no_such_rule_error(a, item, "constraint", w->constraint);
	if (!found)
		return err_help(
			err_new(E_NO_SUCH_ITEM, "'%.*s' has no rules to waive", STR_ARG(item->id)),
			"'ikm know list' shows which items have rules");
	if (fixed == found)
		return err_help(err_new(E_NOT_ALLOWED,
					"the rules of '%.*s' cannot be waived: they say waivable: "
					"false",
					STR_ARG(item->id)),
				"ask its owners: %.*s", STR_ARG(item->shown_path));
	return NULL;
}

/* A path as a glob that matches this path only. */
static struct str waiver_glob(struct arena *a, struct str path)
{
	struct buf b = buf_in(a);

	if (!path.n)
		return STR("*");
	buf_putc(&b, '/');
	for (size_t i = 0; i < path.n; i++) {
		if (memchr("*?[]{}\\!,", path.p[i], 9))
			buf_putc(&b, '\\');
		buf_putc(&b, path.p[i]);
	}
	return buf_as_str(&b);
}

struct err *waiver_new(struct arena *a, const struct judge *j, const struct knowledge *k,
		       int64_t today, struct waiver *w, const struct kn_item **item)
{
	const struct check_violation *v = NULL;
	int64_t left;

	*item = knowledge_find(k, w->item, -1);
	if (!*item && judge_is_fingerprint(w->item)) {
		TRY(judge_find_fingerprint(a, j, w->item, &v));
		if (!v)
			return judge_fingerprint_missing_error(w->item);
		*item = v->item;
		if (!w->constraint)
			w->constraint = v->constraint->index;
		if (!w->paths.n)
			strs_push(a, &w->paths, waiver_glob(a, v->file));
		/* The package in "mysql2 ^3 (as db)"; a text of code may be long. */
		if ((v->constraint->target == KN_TARGET_DEPENDENCY ||
		     v->constraint->target == KN_TARGET_IMPORT) &&
		    v->found.n)
			strs_push(a, &w->found,
				  str_sub(v->found, 0, str_find_char(v->found, ' ', 0)));
	}
	if (!*item)
		TRY(knowledge_resolve_item_name(a, k, w->item, -1, item));
	w->item = (*item)->id;
	strs_push(a, &w->ids, w->item);
	if (!waive_day_read(w->expires, &w->ends))
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("until"), "'%.*s' is not a date",
					      STR_ARG(w->expires)),
				"write YYYY-MM-DD, at most %d days from now", WAIVE_DAYS_MAX);
	left = waive_days_left(w, today);
	if (left < 0)
		return err_for_param(E_OUT_OF_RANGE, STR("until"),
				     "%.*s is in the past; allowed: from today to %d days from now",
				     STR_ARG(w->expires), WAIVE_DAYS_MAX);
	if (left > WAIVE_DAYS_MAX)
		return err_help(
			err_for_param(E_OUT_OF_RANGE, STR("until"),
				      "%.*s is %lld days ahead; an exception may last %d days",
				      STR_ARG(w->expires), (long long)left, WAIVE_DAYS_MAX),
			"renew it then, or change the decision");
	TRY(waiver_check_rules(a, *item, w));
	if (!w->paths.n)
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("path"),
				      "path is missing: the files that the exception covers"),
			"--path 'legacy/', or --path '*' for every file");
	if (str_starts(w->paths.p[0], STR("!")))
		return err_help(
			err_for_param(E_BAD_PATTERN, STR("path"),
				      "the first path must include files, and '%.*s' excludes some",
				      STR_ARG(w->paths.p[0])),
			"give the files that the exception covers first, such as '*', then '%.*s'",
			STR_ARG(w->paths.p[0]));
	TRY(globs_new(a, &w->paths, &w->globs));
	w->everywhere = globs_match(&w->globs, STR("\1/\1"));
	return NULL;
}
