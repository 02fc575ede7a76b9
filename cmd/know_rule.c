/* know rule: writes rules into the file of a decision, proves them, and stages the file; or takes
 * one back. */
#include "decisions/know_write_common.h"

struct args {
	struct str id;
	struct strs forbid_dependency, forbid_import, forbid_code, forbid_file, require_file;
	struct strs not_shrink, change_with;
	struct strs in, stops, passes;
	struct str instead, message;
	int64_t remove;
	bool warn, no_stage;
	struct strs knowledge;
};

#define RULE_NAME(member, placeholder, what)                                                       \
	PARAM(member, .meta = placeholder, .min = 1, .max = RE_PATTERN_MAX, .help = what)
static const struct param rule_params[] = {
	PARAM_KNOW_ITEM(struct args, id, "the item"),
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
	RULE_NAME(not_shrink, "PATTERN",
		  "no change may leave fewer matches of this pattern; may be repeated"),
	RULE_NAME(change_with, "GLOB",
		  "a change of the files of --in must change such a file too; may be repeated"),
	PARAM(remove, .meta = "N", .min = 0, .max = INT32_MAX, .def = "0",
	      .help = "take the rule with this number back, as 'ikm know test' counts them; 0: none"),
	PARAM(instead, .letter = 'i', .meta = "NAME", .min = 1, .max = 4096,
	      .help = "what to use instead"),
	PARAM(message, .letter = 'm', .meta = "TEXT", .min = 1, .max = 4096,
	      .help = "why, as the person reads it whose commit is stopped"),
	PARAM(in, .letter = 'p', .meta = "PATH", .min = 1, .max = 4096,
	      .help = "only in these files: paths or globs, as in .gitignore; may be repeated"),
	PARAM(warn, .letter = 'w', .help = "only warn, and let the commit pass"),
	PARAM(stops, .meta = "TEXT", .min = 1, .max = 4096,
	      .help = "an example that the rule must stop; may be repeated"),
	PARAM(passes, .meta = "TEXT", .min = 1, .max = 4096,
	      .help = "an example that the rule must let pass; may be repeated"),
	PARAM(no_stage, .help = "leave the index of Git as it is"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

/* ---- what was asked for ---- */

/* A name without any sign of a pattern: '.' stands in many names. */
static bool rule_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && !strchr("-_./@:~", s.p[i]))
			return false;
	return s.n > 0;
}

/* A pattern that cannot be compiled was often meant as the text itself. */
static struct err *rule_compile(struct call *c, struct kn_constraint *r, const char *option)
{
	struct err *e = knowledge_compile_pattern(c->a, r);
	if (!e || r->target == KN_TARGET_FILE)
		return e;
	return err_help(err_add_context(e, "--%s", option), "to mean the text itself: --%s %.*s",
			option, STR_ARG(str_shell_word(c->a, re_quote(c->a, r->pattern))));
}

/* No rule: one is to be removed. */
static struct err *rules_asked(struct call *c, const struct args *args, struct rules *out)
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
		{"not-shrink", &args->not_shrink, KN_OP_MUST_NOT_SHRINK, KN_TARGET_CODE},
		{"change-with", &args->change_with, KN_OP_MUST_CHANGE_TOGETHER, KN_TARGET_FILE},
	};
	const struct {
		const char *option;
		bool given;
	} others[] = {
		{"--in", args->in.n},           {"--instead", args->instead.n},
		{"--message", args->message.n}, {"--warn", args->warn},
		{"--stops", args->stops.n},     {"--passes", args->passes.n},
	};
	const char *other = NULL;

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

			if (r.op == KN_OP_MUST_CHANGE_TOGETHER && !args->in.n)
				return err_help(
					err_new(E_BAD_ARGUMENT,
						"--change-with needs --in: without it every "
						"change must change '%.*s' too",
						STR_ARG(text)),
					"add --in PATH, the files that change with it");
			named = named && rule_is_name(text);
			if (named)
				r.pattern = re_quote(c->a, text);
			TRY(rule_compile(c, &r, rows[k].option));
			/* A name proves itself. */
			if (named && !args->stops.n)
				strs_push(c->a, &r.examples.stops, text);
			if (named && !args->passes.n && rule_is_name(args->instead))
				strs_push(c->a, &r.examples.passes, args->instead);
			*VEC_PUSH(c->a, out) = r;
			other = str_fmt(c->a, "--%s", rows[k].option).p;
		}
	for (size_t i = 0; i < ARRAY_SIZE(others) && !other; i++)
		other = others[i].given ? others[i].option : NULL;
	if (args->remove)
		TRY(ERR_EXCLUSIVE("--remove", other));
	if (!out->n && !args->remove)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("forbid_dependency"),
					      "no rule is given"),
				"ikm know rule %.*s --forbid-dependency NAME; see 'ikm know rule "
				"--help' for code, imports and files",
				STR_ARG(str_shell_word(c->a, args->id)));
	if (out->n > 1 && (args->stops.n || args->passes.n))
		return err_help(err_new(E_BAD_ARGUMENT,
					"examples are of one rule, and %zu rules are given",
					out->n),
				"add the rules one by one, each with its examples");
	return NULL;
}

static struct err *know_rule_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct rules rules = {0};

	TRY(rules_asked(c, args, &rules));
	return know_edit_item_rules(c, &args->knowledge, args->id, &rules, args->remove,
				    !args->no_stage, out);
}

const struct cmd cmd_know_rule = {
	.name = "know rule",
	.surplus = "say what the rule forbids: --forbid-dependency NAME; or take a rule back: "
		   "--remove N",
	.summary = "write a rule into a decision, or take one back",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, rule_params),
	CMD_RESULT(struct rule_result, rule_result),
	.run = know_rule_run,
	.text = know_rules_change_print,
};
