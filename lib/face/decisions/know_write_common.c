#include "know_write_common.h"
#include "hook/hook.h"
#include "judge/examples.h"

#define RULE_COMMITS 50

struct str know_path_for_shell(struct call *c, const char *path)
{
	struct str p = str_of(path), cwd = str_of(c->cwd);

	if (cwd.n > 1 && str_starts(p, cwd) && p.n > cwd.n && p.p[cwd.n] == '/')
		p = str_sub(p, cwd.n + 1, p.n);
	return str_shell_word(c->a, p);
}

struct str know_commit_alone_advice(struct call *c, const struct kn_item *item, struct str message,
				    const char *const *paths, size_t n)
{
	struct buf b = buf_in(c->a), files = buf_in(c->a);

	for (size_t i = 0; i < n; i++)
		buf_fmt(&files, " %.*s", STR_ARG(know_path_for_shell(c, paths[i])));
	buf_fmt(&b,
		"%s of '%.*s' end%s with this change; commit it by itself, before what the rule%s "
		"forbade: ",
		item->constraints_n == 1 ? "the rule" : "the rules", STR_ARG(item->id),
		item->constraints_n == 1 ? "s" : "", PLURAL(item->constraints_n));
	/* A new successor is no file of Git yet. */
	if (n > 1)
		buf_fmt(&b, "git add%.*s && ", STR_ARG(buf_as_str(&files)));
	buf_fmt(&b, "git commit -m %.*s --%.*s", STR_ARG(str_shell_word(c->a, message)),
		STR_ARG(buf_as_str(&files)));
	return buf_as_str(&b);
}

struct str know_rules_take_effect_advice(struct call *c, const struct kn_item *item)
{
	return str_fmt(c->a,
		       "%s of '%.*s' judge%s from now on; 'ikm check --all --item %.*s' lists what "
		       "breaks %s already",
		       item->constraints_n == 1 ? "the rule" : "the rules", STR_ARG(item->id),
		       item->constraints_n == 1 ? "s" : "", STR_ARG(str_shell_word(c->a, item->id)),
		       item->constraints_n == 1 ? "it" : "them");
}

void know_print_notes(struct call *c, const struct strs *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		out_safe_line(c->err, notes->p[i]);
}

struct err *know_file_ref(struct call *c, struct files *f, const char *path, struct file_ref *out)
{
	const char *top = c->git ? git_top(c->git) : NULL;
	struct str prefix = top ? str_fmt(c->a, "%s/", top) : STR("");
	struct tree *skipped = NULL;
	struct tree_file file;
	struct os_stat st;
	bool left_out = false;

	TRY(os_stat(path, false, &st));
	if (st.kind == OS_NONE && top && str_starts(str_of(path), prefix))
		TRY(git_tree_of_sparse_excluded(c->git, &skipped));
	if (skipped)
		TRY(tree_find(skipped, str_of(path + prefix.n), &file, &left_out));
	if (left_out) {
		struct str inner = str_of(path + prefix.n);
		size_t slash = str_rfind_char(inner, '/');

		return err_help(
			err_new(E_FILE_NOT_FOUND,
				"'%.*s' is not checked out: a sparse checkout leaves it out",
				STR_ARG(inner)),
			"git sparse-checkout add '%.*s'",
			STR_ARG(str_sub(inner, 0, slash == SIZE_MAX ? inner.n : slash)));
	}
	return file_ref_resolve(f, str_of(path), out);
}

const struct field rule_result[] = {
	KNOW_TEST_FIELDS(struct rule_result, tested.),
	FIELD_OF(struct rule_result, removed, "the rule that was removed", .flags = IF_ANY),
	FIELD_OF(struct rule_result, staged, "files that the next commit records", .flags = IF_ANY),
	FIELD_OF(struct rule_result, notes, "the next steps", .flags = IF_ANY),
	{0},
};

/* ---- rules of a decision: the file ---- */

static struct err *rules_prove(struct call *c, const struct kn_item *item, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++) {
		struct check_examples x = {0};

		TRY(check_examples(c->a, item, &item->constraints[i], &x));
		for (size_t k = 0; k < x.n; k++)
			if (x.p[k].failed.n)
				return err_help(
					err_new(E_BAD_ARGUMENT, "'%.*s' was not changed: %.*s",
						STR_ARG(item->shown_path), STR_ARG(x.p[k].failed)),
					"correct the pattern or the example; 'ikm know test' "
					"tries a pattern");
	}
	return NULL;
}

struct rule_file {
	const char *path;
	struct str was, now;
	size_t first; /* the index of the first new rule */
};

/* Without rules the one of the number `remove` is removed. */
static struct err *rules_write(struct call *c, const struct knowledge *k,
			       const struct kn_item *item, const struct rules *rules,
			       int64_t remove, struct rule_result *r, struct rule_file *out)
{
	struct file_write w = {.op = "know rule", .existing = true};
	struct file_change *change;
	struct file_done done;
	struct files *f;
	struct file_ref ref;
	struct kn_item now;
	struct err *e;

	TRY(knowledge_file(c->a, item, &out->path));
	TRY(files_open(c, &f));
	TRY(know_file_ref(c, f, out->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	out->was = str_dup(c->a, change->old);
	e = remove ? knowledge_remove_rule(c->a, k, item, out->was, (unsigned)remove, &r->rule,
					   &out->now)
		   : knowledge_add_rules(c->a, k, item, out->was, rules->p, rules->n, &out->now,
					 &now, &out->first);
	if (!e && !remove)
		e = rules_prove(c, &now, out->first, rules->n);
	return e ? file_abort(change, e) : file_commit(change, out->now, &done);
}

/* ---- rules of a decision: Git's index ---- */

static void rule_note(struct call *c, struct rule_result *r, struct err *e, const char *path)
{
	strs_push(c->a, &r->notes, str_fmt(c->a, "'%s' is not staged: %s", path, err_message(e)));
}

/* A rule counts only where Git has the settings that name the folder of its decision. */
static struct err *rule_stage_settings(struct call *c, struct rule_result *r)
{
	const struct str name = STR(".ikm/config.json");
	const char *path = os_join(c->a, git_top(c->git), name.p);
	struct str text;
	struct tree_file f;
	struct tree *t;
	bool there, staged;

	TRY(git_tree_index(c->git, &t));
	TRY(tree_find(t, name, &f, &there));
	if (there)
		return NULL;
	TRY(git_tree_worktree(c->git, &t));
	TRY(tree_find(t, name, &f, &there));
	if (!there)
		return NULL;
	TRY(os_read_path(c->a, path, FILE_BYTES_MAX, &text));
	TRY(git_stage(c->git, c->a, name, (struct str){0}, text, &staged));
	if (staged)
		strs_push(c->a, &r->staged, name);
	return NULL;
}

static void rule_stage(struct call *c, const struct kn_item *item, const struct rule_file *f,
		       struct rule_result *r)
{
	bool staged;
	struct err *e = git_stage(c->git, c->a, str_of(f->path), f->was, f->now, &staged);

	if (e)
		rule_note(c, r, e, f->path);
	else if (staged)
		strs_push(c->a, &r->staged, item->tree_path);
	else
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "'%.*s' is not staged, because it has other changes too: "
				  "git add %.*s",
				  STR_ARG(item->shown_path),
				  STR_ARG(know_path_for_shell(c, f->path))));
	e = staged || e ? rule_stage_settings(c, r) : NULL;
	if (e)
		rule_note(c, r, e, ".ikm/config.json");
}

/* ---- rules of a decision: writing and taking back ---- */

static struct err *rule_removed(struct call *c, const struct kn_item *was,
				const struct rule_file *file, struct rule_result *r)
{
	const struct kn_constraint *x = &r->rule;
	struct str message = str_fmt(c->a, "Take back a rule of %.*s", STR_ARG(was->id));
	struct kn_item item = *was;
	struct tree_file f;
	struct tree *head;
	struct str text;
	bool there;

	r->tested.success = r->tested.passed = true;
	r->removed = str_fmt(c->a, "rule %u  %s %s %s %.*s", x->index, kn_severities[x->severity],
			     kn_operators[x->op], kn_targets[x->target], STR_ARG(x->pattern));
	item.constraints_n = 1;
	if (x->index < was->constraints_n)
		strs_push(
			c->a, &r->notes,
			str_fmt(c->a,
				"the rules behind it have new numbers: correct the exceptions that "
				"name %.*s#%u or a later one; 'ikm know list --waivers' lists them",
				STR_ARG(was->id), x->index));
	if (!c->git || git_is_bare(c->git) || !was->in_tree)
		return NULL;
	TRY(git_tree_head(c->git, &head));
	TRY(tree_find(head, was->tree_path, &f, &there));
	if (there && (f.kind == TREE_FILE || f.kind == TREE_EXEC)) {
		TRY(tree_read(head, c->a, &f, FILE_BYTES_MAX, &text));
		/* The last commit has the file as it is now, so there is nothing to commit. */
		if (str_eq(text, file->now))
			return NULL;
	}
	strs_push(c->a, &r->notes, know_commit_alone_advice(c, &item, message, &file->path, 1));
	return NULL;
}

/* Tests the rules that were written, as others will read them. */
static struct err *rule_tested(struct call *c, const struct strs *given, const struct kn_item *item,
			       size_t first, size_t n, struct rule_result *r)
{
	const struct strs none = {0};
	struct knowledge *k;
	const struct hook_options o = {0};
	struct hook_report report;
	bool silent = false;
	struct str needs;

	TRY(know_load(c, given, &k));
	TRY(knowledge_resolve_item_name(c->a, k, item->id, (int)item->layer, &item));
	r->tested.item = *item;
	for (size_t i = first; i < size_min(first + n, item->constraints_n); i++)
		*VEC_PUSH(c->a, &r->tested.rules) =
			(struct know_tested){.rule = item->constraints[i]};
	TRY(know_test_rules(c, k, item, &none, RULE_COMMITS, &r->tested));
	needs = knowledge_required_features(c->a, item);
	if (needs.n)
		strs_push(c->a, &r->notes, needs);
	if (item->status == KN_STATUS_DRAFT)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "next: ikm know status %.*s proposed, and then accepted: rules "
				  "of a draft do not judge",
				  STR_ARG(str_shell_word(c->a, item->id))));
	else if (item->status == KN_STATUS_PROPOSED)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "next: ikm know status %.*s accepted: rules of a proposal stop "
				  "nothing",
				  STR_ARG(str_shell_word(c->a, item->id))));
	if (c->git && !git_is_bare(c->git) && !hook_status(c->a, c->git, &o, &report, &silent) &&
	    silent)
		strs_push(c->a, &r->notes,
			  STR("next: ikm hook install: no hook of this repository calls ikm yet"));
	return NULL;
}

struct err *know_edit_item_rules(struct call *c, const struct strs *given, struct str id,
				 const struct rules *rules, int64_t remove, bool stage,
				 struct rule_result *r)
{
	const struct kn_item *item;
	struct rule_file file = {0};
	struct knowledge *k;
	struct err *e;

	TRY(know_load(c, given, &k));
	TRY(knowledge_resolve_item_name(c->a, k, id, -1, &item));
	TRY(rules_write(c, k, item, rules, remove, r, &file));
	if (c->git && !git_is_bare(c->git) && item->in_tree && stage)
		rule_stage(c, item, &file, r);
	r->tested.item = *item;
	e = remove ? rule_removed(c, item, &file, r)
		   : rule_tested(c, given, item, file.first, rules->n, r);
	return e ? err_add_context(e, "'%s' is written", file.path) : NULL;
}

void know_rules_change_print(struct call *c, const void *args, const void *p)
{
	const struct rule_result *r = p;
	size_t now = 0;

	(void)args;
	for (size_t i = 0; i < r->tested.rules.n; i++)
		now += r->tested.rules.p[i].found.total;
	if (r->removed.n) {
		out_puts(c->out, "removed: ");
		out_safe_line(c->out, r->removed);
	} else {
		know_test_print(c->out, &r->tested, false);
	}
	if (now)
		out_fmt(c->out, "%s there already: only what a change adds is judged\n",
			now == 1 ? "this violation is" : "these violations are");
	if (r->staged.n) {
		out_puts(c->out, "staged: ");
		out_safe_line(c->out, str_join(c->a, &r->staged, ", "));
	}
	know_print_notes(c, &r->notes);
}
