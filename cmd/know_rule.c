/* know rule: writes rules into the file of a decision, proves them, and stages the file; or takes
 * one back. */
#include "common/know_test.h"
#include "common/know_write.h"
#include "hook/hook.h"
#include "judge/examples.h"

#define RULE_COMMITS 50

struct rule_args {
	struct str id;
	struct strs forbid_dependency, forbid_import, forbid_code, forbid_file, require_file;
	struct strs in, stops, passes;
	struct str instead, message;
	int64_t remove;
	bool warn, no_stage;
	struct strs knowledge;
};

#define RULE(member, ...) PARAM_OF(struct rule_args, member, __VA_ARGS__)
#define RULE_NAME(member, placeholder, what)                                                       \
	RULE(member, .meta = placeholder, .min = 1, .max = RE_PATTERN_MAX, .help = what)
static const struct param rule_params[] = {
	PARAM_KNOW_ITEM(struct rule_args, id, "the item"),
	RULE_NAME(forbid_dependency, "PACKAGE",
		  "no manifest may name this package: its name, or a pattern for whole names; may "
		  "be repeated"),
	RULE_NAME(forbid_import, "MODULE",
		  "no source file may import this module: its name, or a pattern for whole names; "
		  "may be repeated"),
	RULE_NAME(forbid_code, "PATTERN",
		  "no file may have a text that matches this pattern; may be repeated"),
	RULE_NAME(forbid_file, "GLOB", "no file may have such a path; may be repeated"),
	RULE_NAME(require_file, "GLOB", "a file with such a path must exist; may be repeated"),
	RULE(remove, .meta = "N", .min = 0, .max = INT32_MAX, .def = "0",
	     .help = "take the rule with this number back, as 'ikm know test' counts them; 0: none"),
	RULE(instead, .letter = 'i', .meta = "NAME", .min = 1, .max = 4096,
	     .help = "what to use instead"),
	RULE(message, .letter = 'm', .meta = "TEXT", .min = 1, .max = 4096,
	     .help = "why, as the person reads it whose commit is stopped"),
	RULE(in, .letter = 'p', .meta = "PATH", .min = 1, .max = 4096,
	     .help = "only in these files: paths or globs, as in .gitignore; may be repeated"),
	RULE(warn, .letter = 'w', .help = "only warn, and let the commit pass"),
	RULE(stops, .meta = "TEXT", .min = 1, .max = 4096,
	     .help = "an example that the rule must stop; may be repeated"),
	RULE(passes, .meta = "TEXT", .min = 1, .max = 4096,
	     .help = "an example that the rule must let pass; may be repeated"),
	RULE(no_stage, .help = "leave the index of Git as it is"),
	PARAM_KNOWLEDGE(struct rule_args),
	{0},
};

struct rule_result {
	struct know_test_result tested;
	struct kn_constraint rule; /* that was removed */
	struct str removed;
	struct strs staged, notes;
};
static const struct field rule_result[] = {
	KNOW_TEST_FIELDS(struct rule_result, tested.),
	FIELD_OF(struct rule_result, removed, "the rule that was removed", .flags = IF_ANY),
	FIELD_OF(struct rule_result, staged, "files that the next commit records", .flags = IF_ANY),
	FIELD_OF(struct rule_result, notes, "the next steps", .flags = IF_ANY),
	{0},
};

struct rules VEC(struct kn_constraint);

/* ---- what was asked for ---- */

/* A name without any sign of a pattern: '.' stands in many names. */
static bool rule_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && !strchr("-_./@:~", s.p[i]))
			return false;
	return s.n > 0;
}

/* A pattern that matches the text itself. */
static struct str rule_quote(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] && strchr("\\.^$*+?()[]{}|", text.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, text.p[i]);
	}
	return buf_str(&b);
}

/* A pattern that cannot be compiled was often meant as the text itself. */
static struct err *rule_compile(struct call *c, struct kn_constraint *r, const char *option)
{
	struct err *e = knowledge_compile(c->a, r);
	if (!e || r->target == KN_TARGET_FILE)
		return e;
	return err_help(err_in(e, "--%s", option), "to mean the text itself: --%s %.*s", option,
			STR_ARG(know_shell_word(c->a, rule_quote(c->a, r->pattern))));
}

/* No rule: one is to be removed. */
static struct err *rules_asked(struct call *c, const struct rule_args *args, struct rules *out)
{
	const struct {
		const char *option;
		const struct strs *given;
		enum kn_operator op;
		enum kn_target target;
	} rows[] = {
		{"forbid-dependency", &args->forbid_dependency, KN_OP_MUST_NOT_USE,
		 KN_TARGET_DEPENDENCY},
		{"forbid-import", &args->forbid_import, KN_OP_MUST_NOT_USE, KN_TARGET_IMPORT},
		{"forbid-code", &args->forbid_code, KN_OP_MUST_NOT_USE, KN_TARGET_CODE},
		{"forbid-file", &args->forbid_file, KN_OP_MUST_NOT_EXIST, KN_TARGET_FILE},
		{"require-file", &args->require_file, KN_OP_MUST_EXIST, KN_TARGET_FILE},
	};

	for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
		for (size_t i = 0; i < rows[k].given->n; i++) {
			struct str text = rows[k].given->p[i];
			bool named = rows[k].target == KN_TARGET_DEPENDENCY ||
				     rows[k].target == KN_TARGET_IMPORT;
			struct kn_constraint r = {
				.op = rows[k].op,
				.target = rows[k].target,
				.pattern = text,
				.applies_to = args->in,
				.severity = args->warn ? KN_SEVERITY_WARN : KN_SEVERITY_BLOCK,
				.message = args->message.n ? args->message : STR(""),
				.version = STR(""),
				.use_instead = args->instead.n ? args->instead : STR(""),
				.examples = {.stops = args->stops, .passes = args->passes},
			};

			named = named && rule_is_name(text);
			if (named)
				r.pattern = rule_quote(c->a, text);
			TRY(rule_compile(c, &r, rows[k].option));
			/* A name proves itself. */
			if (named && !args->stops.n)
				strs_push(c->a, &r.examples.stops, text);
			if (named && !args->passes.n && rule_is_name(args->instead))
				strs_push(c->a, &r.examples.passes, args->instead);
			*VEC_PUSH(c->a, out) = r;
		}
	if (out->n && args->remove)
		return err_new(E_BAD_ARGUMENT,
			       "--remove takes a rule back, and %s adds one: give "
			       "one of them",
			       out->n == 1 ? "the other option" : "each of the other options");
	if (!out->n && !args->remove)
		return err_help(err_param(E_MISSING_PARAMETER, STR("forbid_dependency"),
					  "no rule is given"),
				"ikm know rule %.*s --forbid-dependency NAME; see 'ikm know rule "
				"--help' for code, imports and files",
				STR_ARG(know_shell_word(c->a, args->id)));
	if (out->n > 1 && (args->stops.n || args->passes.n))
		return err_new(E_BAD_ARGUMENT,
			       "examples are of one rule, and %zu are given: add "
			       "the rules one by one",
			       out->n);
	return NULL;
}

/* ---- the file ---- */

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
					"try a pattern: ikm know test --help");
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
		   : knowledge_write_rules(c->a, k, item, out->was, rules->p, rules->n, &out->now,
					   &now, &out->first);
	if (!e && !remove)
		e = rules_prove(c, &now, out->first, rules->n);
	return e ? file_drop(change, e) : file_commit(change, out->now, &done);
}

/* ---- the index ---- */

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
	TRY(os_read(c->a, path, FILE_BYTES_MAX, &text));
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
				  STR_ARG(item->shown_path), STR_ARG(know_shell_path(c, f->path))));
	e = staged || e ? rule_stage_settings(c, r) : NULL;
	if (e)
		rule_note(c, r, e, ".ikm/config.json");
}

/* ---- the command ---- */

static void rule_notes(struct call *c, const struct kn_item *item, struct rule_result *r)
{
	const struct hook_options o = {0};
	struct hook_report report;
	bool silent = false;

	if (item->status == KN_STATUS_DRAFT)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "next: ikm know status %.*s proposed, and then accepted: rules "
				  "of a draft do not judge",
				  STR_ARG(know_shell_word(c->a, item->id))));
	else if (item->status == KN_STATUS_PROPOSED)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "next: ikm know status %.*s accepted: rules of a proposal stop "
				  "nothing",
				  STR_ARG(know_shell_word(c->a, item->id))));
	if (c->git && !git_is_bare(c->git) && !hook_status(c->a, c->git, &o, &report, &silent) &&
	    silent)
		strs_push(c->a, &r->notes,
			  STR("next: ikm hook install: no hook of this repository calls ikm yet"));
}

/* Whether the last commit has the file as it is now, so that there is nothing to commit. */
static struct err *rule_is_head(struct call *c, const struct kn_item *item, struct str now,
				bool *is)
{
	struct tree_file f;
	struct tree *head;
	struct str text;
	bool there;

	*is = false;
	TRY(git_tree_head(c->git, &head));
	TRY(tree_find(head, item->tree_path, &f, &there));
	if (!there || (f.kind != TREE_FILE && f.kind != TREE_EXEC))
		return NULL;
	TRY(tree_read(head, c->a, &f, FILE_BYTES_MAX, &text));
	*is = str_eq(text, now);
	return NULL;
}

static struct err *rule_removed(struct call *c, const struct kn_item *was,
				const struct rule_file *file, struct rule_result *r)
{
	const struct kn_constraint *x = &r->rule;
	struct str message = str_fmt(c->a, "Take back a rule of %.*s", STR_ARG(was->id));
	struct kn_item item = *was;
	bool is_head;

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
	TRY(rule_is_head(c, was, file->now, &is_head));
	if (!is_head)
		strs_push(c->a, &r->notes, know_commit_alone(c, &item, message, &file->path, 1));
	return NULL;
}

static struct err *rule_run(struct call *c, const void *p, void *out)
{
	const struct rule_args *args = p;
	struct rule_result *r = out;
	const struct strs none = {0};
	const struct kn_item *item;
	struct rule_file file = {0};
	struct rules rules = {0};
	struct knowledge *k;

	TRY(rules_asked(c, args, &rules));
	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve(c->a, k, args->id, -1, &item));
	TRY(rules_write(c, k, item, &rules, args->remove, r, &file));
	if (c->git && !git_is_bare(c->git) && item->in_tree && !args->no_stage)
		rule_stage(c, item, &file, r);
	r->tested.item = *item;
	if (args->remove)
		return rule_removed(c, item, &file, r);
	/* As others read it from now on. */
	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve(c->a, k, item->id, (int)item->layer, &item));
	r->tested.item = *item;
	for (size_t i = file.first; i < size_min(file.first + rules.n, item->constraints_n); i++)
		*VEC_PUSH(c->a, &r->tested.rules) =
			(struct know_tested){.rule = item->constraints[i]};
	TRY(know_test_rules(c, k, item, &none, RULE_COMMITS, &r->tested));
	rule_notes(c, item, r);
	return NULL;
}

static void rule_text(struct call *c, const void *args, const void *p)
{
	const struct rule_result *r = p;
	size_t now = 0;

	(void)args;
	for (size_t i = 0; i < r->tested.rules.n; i++)
		now += r->tested.rules.p[i].found.total;
	if (r->removed.n) {
		out_puts(c->out, "removed: ");
		out_safe(c->out, r->removed, false);
		out_puts(c->out, "\n");
	} else {
		know_test_print(c->out, &r->tested, false);
	}
	if (now)
		out_fmt(c->out, "%s there already: only what a change adds is judged\n",
			now == 1 ? "this violation is" : "these violations are");
	if (r->staged.n) {
		out_puts(c->out, "staged: ");
		out_safe(c->out, str_join(c->a, &r->staged, ", "), false);
		out_puts(c->out, "\n");
	}
	know_print_notes(c, &r->notes);
}

const struct cmd cmd_know_rule = {
	.name = "know rule",
	.surplus = "say what the rule forbids: --forbid-dependency NAME; or take a rule back: "
		   "--remove N",
	.summary = "write a rule into a decision, or take one back",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct rule_args, rule_params),
	CMD_RESULT(struct rule_result, rule_result),
	.run = rule_run,
	.text = rule_text,
};
