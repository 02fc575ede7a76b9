/*
 * The script of a package.json that installs the hooks. Package managers run "prepare" after an
 * install in a clone. Yarn 2 and newer run only "postinstall", which also runs where the package is
 * a dependency: https://yarnpkg.com/advanced/lifecycle-scripts.
 */
#include "hook/internal.h"
#include "json/edit_text.h"

#define MANIFEST_MAX ((size_t)4 << 20)
#define SCRIPT       "ikm hook install"
#define SCRIPT_AFTER " && " SCRIPT /* an earlier command */

static bool npm_is_newer_yarn(struct arena *a, const char *folder, const struct val *root)
{
	struct str manager = val_get_str(root, "packageManager");
	struct os_stat st;

	if (manager.n)
		return str_starts(manager, STR("yarn@")) && !str_starts(manager, STR("yarn@1."));
	return !os_stat(os_join(a, folder, ".yarnrc.yml"), true, &st) && st.kind != OS_NONE;
}

static struct err *npm_read(struct arena *a, const char *top, const char *cwd, const char **folder,
			    struct hook_npm *out)
{
	struct err *e;

	*folder = cwd;
	out->path = os_join(a, cwd, "package.json");
	e = os_read_path(a, out->path, MANIFEST_MAX, &out->text);
	if (!e || err_reason(e) != E_FILE_NOT_FOUND)
		return e;
	*folder = top;
	out->path = os_join(a, top, "package.json");
	return err_help(os_read_path(a, out->path, MANIFEST_MAX, &out->text),
			"run it in the folder that has the package.json, or leave out --npm");
}

static struct err *npm_in_the_way(const struct hook_npm *n, const struct val *v, const char *name,
				  const char *want)
{
	return err_new(E_BAD_JSON, "'%s': '%s' is %s, not %s", n->path, name,
		       val_type_name(v->type), want);
}

/* Without the package the script would fail in each clone, and the install with it. */
static struct err *npm_check_depends(struct arena *a, const struct val *root, struct hook_npm *n)
{
	const char *agent = os_env("npm_config_user_agent");
	struct str manager = str_of(agent ? agent : "npm/");

	n->add = str_fmt(a, "%.*s add -D ikm",
			 STR_ARG(str_sub(manager, 0, str_find_char(manager, '/', 0))));
	if (val_get(val_get(root, "devDependencies"), "ikm") ||
	    val_get(val_get(root, "dependencies"), "ikm"))
		return NULL;
	return err_help(
		err_new(E_NOT_CONFIGURED, "'%s' does not depend on the package ikm", n->path), "%s",
		n->add.p);
}

static struct err *npm_parse(struct arena *a, const struct hook_npm *n, struct val **root)
{
	struct err *e = json_read(a, n->text, NULL, root);

	if (e)
		return err_add_context(e, "'%s'", n->path);
	return (*root)->type == VAL_MAP ? NULL : npm_in_the_way(n, *root, "package", "an object");
}

struct err *hook_npm_plan(struct arena *a, struct git *g, const char *cwd, struct hook_npm *out)
{
	const char *name = "prepare", *folder;
	const struct val *scripts, *script;
	struct val *root, *fresh, *wrapped;
	struct str command = STR(SCRIPT);

	TRY(npm_read(a, git_top(g), cwd, &folder, out));
	TRY(npm_parse(a, out, &root));
	TRY(npm_check_depends(a, root, out));
	if (npm_is_newer_yarn(a, folder, root)) {
		const struct val *private = val_get(root, "private");

		name = "postinstall";
		if (!private || private->type != VAL_BOOL || !private->b)
			return err_help(
				err_new(E_NOT_ALLOWED,
					"'%s' is a public package, and Yarn would run the script "
					"wherever the package is installed",
					out->path),
				"add \"private\": true, or let each person run 'yarn " SCRIPT "'");
	}
	scripts = val_get(root, "scripts");
	script = val_get(scripts, name);
	if (scripts && scripts->type != VAL_MAP)
		return npm_in_the_way(out, scripts, "scripts", "an object");
	if (script && script->type != VAL_STR)
		return npm_in_the_way(out, script, name, "a string");
	out->changed = !script || str_find(script->s, command, 0) == SIZE_MAX;
	if (!out->changed) {
		out->note = str_fmt(a, "'%s' installs the hooks already, by its script %s",
				    out->path, name);
		return NULL;
	}
	if (script && str_trim(script->s).n)
		command = str_fmt(a, "%.*s" SCRIPT_AFTER, STR_ARG(script->s));
	fresh = val_str(a, command);
	if (script) {
		out->text = json_edit_replace(
			a, out->text, script,
			json_edit_format_value(a, out->text, root, script, fresh));
	} else {
		wrapped = val_map(a);
		if (!scripts)
			fresh = (val_set(a, wrapped, name, fresh), wrapped);
		out->text = json_edit_insert(
			a, out->text, root, scripts ? scripts : root,
			json_edit_format_member(a, out->text, root, scripts ? scripts : root,
						scripts ? str_of(name) : STR("scripts"), fresh));
	}
	out->note = str_fmt(a,
			    "'%s' has the script %s now, '%.*s': commit it, and an install puts "
			    "the hooks into each clone",
			    out->path, name, STR_ARG(command));
	return NULL;
}

/* Takes out of one script what hook_npm_plan() wrote. A script in another form stays. */
static struct err *npm_take(struct arena *a, const char *name, struct hook_npm *n)
{
	const struct val *scripts, *script;
	struct val *root;
	struct str was;

	TRY(npm_parse(a, n, &root));
	scripts = val_get(root, "scripts");
	script = val_get(scripts, name);
	if (!script || script->type != VAL_STR || str_find(script->s, STR(SCRIPT), 0) == SIZE_MAX)
		return NULL;
	was = str_sub(script->s, 0, script->s.n - size_min(script->s.n, strlen(SCRIPT_AFTER)));
	if (str_is(script->s, SCRIPT)) {
		n->text = scripts->n == 1 ? json_edit_cut(a, n->text, root, scripts)
					  : json_edit_cut(a, n->text, scripts, script);
		n->note = str_fmt(a, "'%s' has no script %s any more: commit it", n->path, name);
	} else if (str_ends(script->s, STR(SCRIPT_AFTER))) {
		n->text = json_edit_replace(
			a, n->text, script,
			json_edit_format_value(a, n->text, root, script, val_str(a, was)));
		n->note = str_fmt(a, "'%s' has the script %s now, '%.*s': commit it", n->path, name,
				  STR_ARG(was));
	} else {
		n->left = true;
		n->note = str_fmt(a,
				  "'%s' keeps its script %s, '%.*s', which ikm did not write: take "
				  "'" SCRIPT "' out of it yourself",
				  n->path, name, STR_ARG(script->s));
		return NULL;
	}
	n->changed = true;
	return NULL;
}

struct err *hook_npm_remove(struct arena *a, struct git *g, const char *cwd, struct hook_npm *out)
{
	/* The package may have had another package manager at that time. */
	static const char *const names[] = {"prepare", "postinstall"};
	struct strs notes = {0};
	const char *folder;

	TRY(npm_read(a, git_top(g), cwd, &folder, out));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		out->note = STR("");
		TRY(npm_take(a, names[i], out));
		if (out->note.n)
			strs_push(a, &notes, out->note);
	}
	out->note = notes.n ? str_join(a, &notes, "; ")
			    : str_fmt(a, "'%s' has no script that installs the hooks", out->path);
	return NULL;
}
