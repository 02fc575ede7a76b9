/* know import: turns the bans of linters and package managers into rules of a decision. */
#include "decisions/know_write_common.h"
#include "suggest/linter_bans.h"

struct args {
	struct str file, id;
	bool no_stage;
	struct strs knowledge;
};

static const struct param import_params[] = {
	PARAM(file, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "a file with bans in JSON, YAML, TOML or INI"),
	PARAM_KNOW_ITEM(struct args, id, "the decision that gets the rules"),
	PARAM(no_stage, .help = "leave the index of Git as it is"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

/* What the decision says already is no error: a file is imported again when it has more. */
static struct err *import_new_rules(struct call *c, const struct args *args, const struct bans *x,
				    struct rules *out)
{
	const struct kn_item *item;
	struct knowledge *k;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve_item_name(c->a, k, args->id, -1, &item));
	for (size_t i = 0; i < x->rules.n; i++) {
		const struct kn_constraint *r = &x->rules.p[i];
		bool had = false;

		for (size_t j = 0; j < item->constraints_n; j++)
			had |= rule_same(&item->constraints[j], r->severity, r, r->severity);
		if (!had)
			*VEC_PUSH(c->a, out) = *r;
	}
	if (!out->n)
		return err_help(err_new(E_EXISTS, "'%.*s' has each of the %zu rules already",
					STR_ARG(item->id), x->rules.n),
				"nothing is to be done; 'ikm know test %.*s' shows its rules",
				STR_ARG(item->id));
	return NULL;
}

/* The folder of the file below the top of the repository; empty: the top, or another place. */
static struct err *import_folder(struct call *c, const char *path, struct str *out)
{
	const char *top = c->git ? git_top(c->git) : NULL, *real;
	struct str s;

	*out = STR("");
	if (!top)
		return NULL;
	TRY(os_realpath(c->a, path, &real));
	TRY(os_realpath(c->a, top, &top));
	s = str_of(real);
	if (!str_is_below(s, str_of(top)))
		return NULL;
	s = str_sub(s, strlen(top) + 1, s.n);
	*out = str_dir(s);
	return NULL;
}

static struct err *know_import_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct rule_result *r = out;
	const char *path = app_absolute_path(c, args->file);
	struct rules rules = {0};
	struct str text, folder;
	struct os_stat st;
	struct bans x;
	struct err *e;

	e = os_read_path(c->a, path, FILE_BYTES_MAX, &text);
	if (e && !os_stat(os_join(c->a, c->cwd, str_c(c->a, args->id)), true, &st) &&
	    st.kind == OS_FILE)
		err_help(e, "the file comes first: ikm know import %.*s %.*s",
			 STR_ARG(str_shell_word(c->a, args->id)),
			 STR_ARG(str_shell_word(c->a, args->file)));
	TRY(e);
	TRY(import_folder(c, path, &folder));
	path = str_c(c->a, args->file);
	e = bans_read(c->a, args->file, folder, text, &x);
	if (e)
		return err_add_context(e, "'%s'", path);
	if (!x.rules.n) {
		e = err_new(E_NO_SUCH_TEXT, "'%s' has no ban that can be a rule%s%.*s", path,
			    x.left.n ? ": " : "",
			    STR_ARG(x.left.n ? str_join(c->a, &x.left, "; ") : STR("")));
		return x.known ? e
			       : err_help(e, "ikm reads no-restricted-imports, depguard, "
					     "importlinter, bans, banned-api and overrides: "
					     "man ikm-know");
	}
	TRY(import_new_rules(c, args, &x, &rules));
	TRY(know_edit_item_rules(c, &args->knowledge, args->id, &rules, 0, !args->no_stage, r));
	for (size_t i = 0; i < x.left.n; i++)
		strs_push(c->a, &r->notes, x.left.p[i]);
	return NULL;
}

const struct cmd cmd_know_import = {
	.name = "know import",
	.summary = "turn the bans of a linter or a package manager into rules",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, import_params),
	CMD_RESULT(struct rule_result, rule_result),
	.run = know_import_run,
	.text = know_rules_change_print,
};
