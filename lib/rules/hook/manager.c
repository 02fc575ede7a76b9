/*
 * Other managers of hooks write the files in the hooks' folder themselves. ikm recognizes them by
 * their configuration or by the files that they wrote. It does not replace those files: it prints
 * the lines with which the manager calls ikm.
 */
#include "hook/internal.h"
#include "json/json.h"

#define CONFIG_MAX ((size_t)4 << 20)

#define NO_MERGE (1u << HOOK_PRE_MERGE_COMMIT)
#define HOOK_NIX                                                                                   \
	"  ikm-@HOOK@ = {\n    enable = true;\n    name = \"ikm\";\n"                              \
	"    entry = \"ikm hook run @HOOK@\";\n    language = \"system\";\n"                       \
	"    always_run = true;\n    pass_filenames = false;\n    stages = [ \"@HOOK@\" ];\n  };\n"

/* In the order in which they are looked for: hooks of others have the name of husky too. */
/* clang-format off */
#define MANAGERS(X) \
	X(MANAGER_NONE, "none") X(MANAGER_CARGO_HUSKY, "cargo-husky") X(MANAGER_HUSKY_4, "husky 4") \
	X(MANAGER_HUSKY, "husky") \
	X(MANAGER_LEFTHOOK, "lefthook") X(MANAGER_GIT_HOOKS_NIX, "git-hooks.nix") \
	X(MANAGER_PRE_COMMIT, "pre-commit") X(MANAGER_PREK, "prek") \
	X(MANAGER_SIMPLE_GIT_HOOKS, "simple-git-hooks") X(MANAGER_OVERCOMMIT, "overcommit") \
	X(MANAGER_CAPTAINHOOK, "captainhook") X(MANAGER_HK, "hk") X(MANAGER_YORKIE, "yorkie")
/* clang-format on */
enum manager_name { MANAGERS(ENUM_MEMBER) };
const char *const hook_managers[] = {MANAGERS(ENUM_NAME) NULL};

#define LEFTHOOK_OF(local, end)                                                                    \
	"lefthook" local end, ".lefthook" local end, ".config/lefthook" local end
#define LEFTHOOK(local)                                                                            \
	LEFTHOOK_OF(local, ".yml"), LEFTHOOK_OF(local, ".yaml"), LEFTHOOK_OF(local, ".toml"),      \
		LEFTHOOK_OF(local, ".json"), LEFTHOOK_OF(local, ".jsonc")

/*
 * In `lines` and `missing`, @HOOK@ is the hook's name, @CAMEL@ the same as PreCommit, @FILE@ the
 * configuration, and @ARGS@ the arguments that the hook needs: `push` or `message`.
 */
static const struct manager {
	/*
	 * Its configurations, of which it reads the first that is there; "hk|.toml|.yaml" has
	 * endings, and "?" begins a file that other tools have too.
	 */
	const char *files[15];
	const char *local[15]; /* of these it merges the first that is there */
	/* What such a file must have. In JSON a member, which may name the configuration. */
	const char *key;
	const char *wrote[3]; /* what its own files of hooks have */
	const char *language; /* of `lines`, and its endings; NULL: all of `files` have it */
	const char *lines;    /* for each hook; NULL: it leaves hooks of others in place */
	const char *push, *message;
	const char *under;   /* where in the configuration the lines go; NULL: anywhere */
	const char *missing; /* what makes git call it in this clone */
	const char *then;    /* after the lines; NULL: `missing` */
	bool folder;         /* the configuration is a folder, with a file for each hook */
	bool types;          /* `then` names each hook: --hook-type */
	bool hidden;         /* git may call it from its configuration, without a file */
	bool legacy;         /* it moves a hook that it finds to NAME.legacy, and runs that first */
	unsigned never;      /* hooks that it does not run */
} managers[] = {
	[MANAGER_CARGO_HUSKY] = {.files = {"?Cargo.toml"},
				 .key = "cargo-husky",
				 .wrote = {"set by cargo-husky"},
				 .missing = "cargo test"},
	[MANAGER_HUSKY_4] = {.files = {"?package.json", ".huskyrc",
				       ".huskyrc|.json|.yaml|.yml|.js|.cjs",
				       "husky.config|.js|.cjs"},
			     .key = "husky.hooks",
			     .wrote = {"Hook created by Husky"},
			     .lines = "\"@HOOK@\": \"@ARGS@\",\n",
			     .language = "JSON|package.json|.huskyrc|.json|.js|.cjs",
			     .push = "echo \\\"$HUSKY_GIT_STDIN\\\" | ikm hook run pre-push -- "
				     "$HUSKY_GIT_PARAMS",
			     .message = "ikm hook run commit-msg -- $HUSKY_GIT_PARAMS",
			     .under = "the hooks of husky",
			     .missing = "npm rebuild husky"},
	[MANAGER_HUSKY] =
		{.files = {".husky"},
		 .folder = true,
		 .wrote = {"husky"},
		 /* husky runs the file with sh -e, which would only say that ikm is not found. */
		 .lines =
			 "echo 'command -v ikm >/dev/null || { echo \"ikm: not found; install it (its "
			 "README says how), or skip this once: --no-verify\" >&2; exit 1; }' "
			 /* The mode is for husky before 9: git itself runs the file. */
			 ">>@FILE@/@HOOK@ && chmod +x @FILE@/@HOOK@\n"
			 "echo 'ikm hook run @HOOK@@ARGS@' >>@FILE@/@HOOK@\n",
		 .push = " -- \"$@\"",
		 .message = " -- \"$@\"",
		 .missing = "npx husky",
		 .then = ""},
	[MANAGER_LEFTHOOK] =
		{.files = {LEFTHOOK("")},
		 .local = {LEFTHOOK("-local")},
		 .wrote = {"lefthook"},
		 .lines = "@HOOK@:\n  commands:\n    ikm:\n      run: ikm hook run @HOOK@@ARGS@\n",
		 .language = "YAML|.yml|.yaml",
		 /* Without use_stdin lefthook does not pass on the refs that git pushes. */
		 .push = " -- {1} {2}\n      use_stdin: true",
		 .message = " -- {1}",
		 .missing = "lefthook install"},
	/* It makes a configuration for pre-commit or prek, which write the files of the hooks. */
	[MANAGER_GIT_HOOKS_NIX] =
		{.files = {"?devenv.nix", "?flake.nix", "?shell.nix", "?default.nix"},
		 .key = "git-hooks|pre-commit-hooks",
		 .wrote = {"File generated by pre-commit", "File generated by prek"},
		 .lines = HOOK_NIX,
		 .under = "the hooks of git-hooks.nix",
		 .missing = "nix develop",
		 .legacy = true,
		 .then = "nix develop, or devenv shell: it writes the hooks anew"},
	/* pre_commit_lines() has its lines. */
	[MANAGER_PRE_COMMIT] = {.files = {".pre-commit-config.yaml"},
				.wrote = {"File generated by pre-commit"},
				.lines = "",
				.missing = "pre-commit install --hook-type @HOOK@",
				.then = "pre-commit install",
				.types = true,
				.legacy = true},
	[MANAGER_PREK] = {.files = {"prek.toml", ".pre-commit-config.yaml",
				    ".pre-commit-config.yml"},
			  .wrote = {"File generated by prek"},
			  .lines = "",
			  .missing = "prek install --hook-type @HOOK@",
			  .then = "prek install",
			  .types = true,
			  .legacy = true},
	[MANAGER_SIMPLE_GIT_HOOKS] = {.files = {".simple-git-hooks|.cjs|.js|.mjs",
						"simple-git-hooks|.cjs|.js|.mjs",
						".simple-git-hooks.json", "simple-git-hooks.json",
						"?package.json"},
				      .key = "simple-git-hooks",
				      .wrote = {"SIMPLE_GIT_HOOKS"},
				      .lines = "\"@HOOK@\": \"ikm hook run @HOOK@@ARGS@\",\n",
				      .push = " -- \\\"$@\\\"",
				      .message = " -- \\\"$@\\\"",
				      .under = "simple-git-hooks",
				      .missing = "npx simple-git-hooks"},
	[MANAGER_OVERCOMMIT] =
		{.files = {".overcommit.yml"},
		 .local = {".local-overcommit.yml"},
		 .wrote = {"Entrypoint for Overcommit"},
		 .lines = "@CAMEL@:\n  Ikm:\n    enabled: true\n    required_executable: ikm\n"
			  "    command: ['ikm', 'hook', 'run', '@HOOK@'@ARGS@]\n",
		 .push = ", '--'",
		 .message = ", '--'",
		 .missing = "overcommit --install",
		 .then = "overcommit --install && overcommit --sign",
		 .never = NO_MERGE},
	[MANAGER_CAPTAINHOOK] =
		{.files = {"?composer.json", "captainhook.json"},
		 .key = "extra.captainhook.config",
		 .wrote = {"installed by CaptainHook"},
		 .lines =
			 "\"@HOOK@\": {\"enabled\": true, \"actions\": [{\"action\": \"@ARGS@\"}]},\n",
		 .push = "printf '%s' {$STDIN} | ikm hook run pre-push -- {$ARG|value-of:target}",
		 .message = "ikm hook run commit-msg -- {$ARG|value-of:message-file}",
		 .missing = "vendor/bin/captainhook install",
		 .never = NO_MERGE},
	[MANAGER_HK] = {.files = {"hk.pkl", ".config/hk.pkl", "hk|.toml|.yaml|.yml|.json"},
			/* It reads this one alone, which amends hk.pkl. */
			.local = {"hk.local.pkl", ".config/hk.local.pkl"},
			.wrote = {" hk run "},
			.language = "Pkl|.pkl",
			/* Its templates put what is pushed into a command without quotes. */
			.lines = "[\"@HOOK@\"] { steps { [\"ikm\"] { check = \"@ARGS@\" } } }\n",
			.push = "ikm hook run",
			.message = "ikm hook run commit-msg -- {{commit_msg_file}}",
			.under = "hooks",
			.never = 1u << HOOK_PRE_PUSH,
			.missing = "hk install",
			.hidden = true},
	[MANAGER_YORKIE] = {.files = {"?package.json"},
			    .key = "gitHooks",
			    .wrote = {"#yorkie"},
			    .missing = "npm install"},
};

static bool manager_wrote(const struct manager *by, const struct hook_file *f)
{
	for (size_t i = 0; f->owner == OWNER_OTHER && i < ARRAY_SIZE(by->wrote) && by->wrote[i];
	     i++)
		if (str_holds(f->text, by->wrote[i]))
			return true;
	return false;
}

/* Whether the manager's own file is where git looks for the hook; a configuration alone runs
 * nothing. husky's files do not name husky, so the folder decides. */
static bool manager_owns(struct arena *a, const struct hook_place *p, const struct hook_file *f,
			 const struct hook_managed *m)
{
	if (m->by->hidden)
		return true;
	if (f->owner != OWNER_OTHER)
		return false;
	if (m->by->folder && p->top &&
	    str_starts(str_of(p->dir), str_of(os_join(a, p->top, m->by->files[0]))))
		return true;
	return manager_wrote(m->by, f);
}

/* An unreadable file counts as a configuration that does not call ikm. */
static struct str config_text(struct arena *a, const struct hook_place *p, const char *file)
{
	struct str text;

	if (!p->top || os_read_path(a, os_join(a, p->top, file), CONFIG_MAX, &text))
		return STR("");
	return text;
}

/* Whether a file that other tools have too configures the manager, or names its configuration. */
static bool manager_has_key(struct arena *a, const struct manager *by, struct str text,
			    struct str *file)
{
	struct str rest = str_of(by->key), word;
	struct val *v;

	if (str_ends(*file, STR(".json"))) {
		if (json_read(a, text, NULL, &v))
			return false;
		while (v && str_next_part(&rest, '.', &word))
			v = val_get(v, str_c(a, word));
		if (v && v->type == VAL_STR)
			*file = str_dup(a,
					str_sub(v->s, str_starts(v->s, STR("./")) ? 2 : 0, v->s.n));
		return v && (v->type == VAL_MAP || v->type == VAL_STR);
	}
	while (str_next_part(&rest, '|', &word))
		if (str_find(text, word, 0) != SIZE_MAX)
			return true;
	return false;
}

/* Adds the first of the files that is there and configures the manager. */
static struct err *config_first(struct arena *a, const struct hook_place *p,
				const struct manager *by, const char *const files[15],
				struct strs *out)
{
	for (size_t i = 0; p->top && i < ARRAY_SIZE(by->files) && files[i]; i++) {
		struct str rest = str_of(files[i]), stem = {0}, end = STR("");

		str_next_part(&rest, '|', &stem);
		str_next_part(&rest, '|', &end);
		do {
			struct str file = str_fmt(a, "%.*s%.*s", STR_ARG(stem), STR_ARG(end));
			bool shared = file.p[0] == '?';
			struct os_stat st;

			file = str_sub(file, shared, file.n);
			if (shared && !manager_has_key(a, by, config_text(a, p, file.p), &file))
				continue;
			TRY(os_stat(os_join(a, p->top, file.p), true, &st));
			if (st.kind == (by->folder ? OS_DIR : OS_FILE)) {
				strs_push(a, out, file);
				return NULL;
			}
		} while (str_next_part(&rest, '|', &end));
	}
	return NULL;
}

static void find_calls(struct arena *a, const struct hook_place *p, struct hook_managed *m,
		       const char *file)
{
	struct str text = config_text(a, p, file);
	/* One entry serves both kinds of commit. .pre-commit-hooks.yaml has the ids. */
	bool commit = m->by->types && (str_holds(text, "id: ikm-check") ||
				       str_holds(text, "ikm hook run pre-commit"));
	bool push = m->by->types && str_holds(text, "id: ikm-push");

	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct str call = str_fmt(a, "ikm hook run %s", hook_names[i]);
		struct str list = str_fmt(a, "'hook', 'run', '%s'", hook_names[i]);

		if (m->by->folder)
			text = config_text(a, p, str_fmt(a, "%s/%s", file, hook_names[i]).p);
		if (m->runs_ikm[i] ||
		    !(str_holds(text, call.p) || str_holds(text, list.p) ||
		      (commit && i == HOOK_PRE_COMMIT) || (commit && i == HOOK_PRE_MERGE_COMMIT) ||
		      (push && i == HOOK_PRE_PUSH)))
			continue;
		m->runs_ikm[i] = true;
		m->from[i] = file;
	}
}

/*
 * The first manager that has written a hook and has a configuration, or else has written a hook by
 * its own name, or else has a configuration: that may be gone, or have an unknown name, and hooks
 * may not be installed in this clone.
 */
struct err *hook_manager_find(struct arena *a, const struct hook_place *p,
			      const struct hook_file files[HOOK_COUNT], struct hook_managed *out)
{
	const struct manager *wrote = NULL, *configured = NULL;
	struct strs first = {0};

	*out = (struct hook_managed){0};
	if (p->global)
		return NULL;
	for (size_t i = MANAGER_NONE + 1; i < ARRAY_SIZE(managers) && !out->by; i++) {
		const struct manager *by = &managers[i];
		struct strs config = {0}; /* the local one last */
		bool here = false;

		for (size_t k = 0; k < HOOK_COUNT; k++)
			here |= manager_wrote(by, &files[k]);
		TRY(config_first(a, p, by, by->files, &config));
		TRY(config_first(a, p, by, by->local, &config));
		if (here && config.n)
			out->by = by;
		if (here && !by->wrote[1] && !wrote)
			wrote = by;
		if (out->by || (config.n && !configured)) {
			configured = by;
			first = config;
		}
	}
	if (!out->by && wrote)
		first = (struct strs){0};
	out->by = out->by ? out->by : wrote ? wrote : configured;
	if (!out->by)
		return NULL;
	out->file = first.n ? first.p[0].p : NULL;
	out->name = hook_managers[out->by - managers];
	out->in_front = !out->by->lines;
	out->never = out->by->never;
	out->runs_legacy = out->by->legacy;
	for (size_t i = 0; i < first.n; i++)
		find_calls(a, p, out, first.p[i].p);
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		bool own = manager_owns(a, p, &files[i], out);

		out->installed[i] = own && (files[i].executable || out->by->hidden);
		out->ignored[i] = own && !out->installed[i] ? files[i].path : NULL;
		if (out->runs_legacy && out->installed[i] && files[i].legacy && !out->runs_ikm[i]) {
			out->runs_ikm[i] = true;
			out->from[i] = files[i].legacy;
		}
	}
	return NULL;
}

struct err *hook_clone_read(struct arena *a, struct git *g, struct hook_clone *out)
{
	TRY(hook_place_find(a, g, false, &out->place));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		TRY(hook_file_read(a, out->place.dir, hook_names[i], &out->file[i]));
	return hook_manager_find(a, &out->place, out->file, &out->managed);
}

unsigned hook_manager_optional_hooks(const struct hook_managed *m, const struct hook_options *o,
				     const struct hook_file *f)
{
	bool there =
		m->runs_ikm[HOOK_POST_COMMIT] || f->owner == OWNER_OURS || f->owner == OWNER_EDITED;

	return m->by && !m->in_front && !o->names && !there ? 1u << HOOK_POST_COMMIT : 0;
}

/* ---- the lines to add ---- */

static struct str manager_camel(struct arena *a, const char *name)
{
	struct buf b = buf_in(a);
	bool up = true;

	for (; *name; name++) {
		if (*name == '-') {
			up = true;
			continue;
		}
		buf_putc(&b, up ? (char)(*name - 'a' + 'A') : *name);
		up = false;
	}
	return buf_as_str(&b);
}

static const char *manager_arguments(const struct manager *by, enum hook_name name)
{
	/* The file with the message; the remote. */
	const char *args = name == HOOK_COMMIT_MSG ? by->message
			   : name == HOOK_PRE_PUSH ? by->push
						   : NULL;
	/* These lines are a whole command. */
	bool whole = by->push && strstr(by->push, "ikm hook run");

	return args ? args : whole ? "ikm hook run @HOOK@" : "";
}

static struct str manager_fill(struct arena *a, const struct hook_managed *m, const char *text,
			       enum hook_name name)
{
	const struct {
		const char *blank;
		struct str value;
	} blanks[] = {
		{"@ARGS@", str_of(manager_arguments(m->by, name))},
		{"@HOOK@", str_of(hook_names[name])},
		{"@CAMEL@", manager_camel(a, hook_names[name])},
		{"@FILE@", str_of(m->file ? m->file : m->by->files[0])},
	};
	struct str rest = str_of(text);

	for (size_t i = 0; i < ARRAY_SIZE(blanks); i++) {
		struct buf b = buf_in(a);
		size_t at;

		while ((at = str_find(rest, str_of(blanks[i].blank), 0)) != SIZE_MAX) {
			buf_put(&b, str_sub(rest, 0, at));
			buf_put(&b, blanks[i].value);
			rest = str_sub(rest, at + strlen(blanks[i].blank), rest.n);
		}
		buf_put(&b, rest);
		rest = buf_as_str(&b);
	}
	return rest;
}

struct str hook_manager_not_installed_text(struct arena *a, const struct hook_managed *m,
					   enum hook_name name)
{
	if (m->ignored[name])
		return str_fmt(a,
			       "%s should call ikm, according to %s, but git ignores a hook that "
			       "is not executable: chmod +x %.*s",
			       m->name, m->from[name],
			       STR_ARG(str_shell_word(a, str_of(m->ignored[name]))));
	return str_fmt(
		a,
		"%s should call ikm, according to %s, but git does not run %s in this clone; run "
		"'%.*s'",
		m->name, m->from[name], m->name, STR_ARG(manager_fill(a, m, m->by->missing, name)));
}

static void pre_commit_hook(struct buf *b, const char *id, enum hook_name name, const char *stages)
{
	buf_fmt(b,
		"      - id: %s\n        name: ikm\n        entry: ikm hook run %s\n"
		"        language: system\n        always_run: true\n"
		"        pass_filenames: false\n        stages: [%s]\n",
		id, hook_names[name], stages);
}

/* One entry serves both kinds of commit. */
static void pre_commit_lines(struct buf *b, unsigned names)
{
	const unsigned commit = 1 << HOOK_PRE_COMMIT, merge = 1 << HOOK_PRE_MERGE_COMMIT;

	buf_puts(b, "  # pre-commit before 3.2 calls the stages commit, merge-commit and push\n"
		    "  - repo: local\n    hooks:\n");
	if (names & (commit | merge))
		pre_commit_hook(b, "ikm-check", HOOK_PRE_COMMIT,
				!(names & merge)    ? "pre-commit"
				: !(names & commit) ? "pre-merge-commit"
						    : "pre-commit, pre-merge-commit");
	if (names & 1 << HOOK_PRE_PUSH)
		pre_commit_hook(b, "ikm-push", HOOK_PRE_PUSH, "pre-push");
	if (names & 1 << HOOK_COMMIT_MSG)
		pre_commit_hook(b, "ikm-commit-msg", HOOK_COMMIT_MSG, "commit-msg");
}

/* In prek's TOML; the names of stages are those of hooks. */
static void prek_lines(struct buf *b, unsigned names)
{
	buf_puts(b, "[[repos]]\nrepo = \"local\"\n");
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (names & 1u << i)
			buf_fmt(b,
				"\n[[repos.hooks]]\nid = \"ikm-%s\"\nname = \"ikm\"\n"
				"entry = \"ikm hook run %s\"\nlanguage = \"system\"\n"
				"always_run = true\npass_filenames = false\nstages = [\"%s\"]\n",
				hook_names[i], hook_names[i], hook_names[i]);
}

/* Whether the lines can stand in the configuration as they are. */
static bool manager_speaks(const struct hook_managed *m)
{
	struct str rest = str_of(m->by->language), end = {0};

	str_next_part(&rest, '|', &end);
	while (str_next_part(&rest, '|', &end))
		if (m->file && str_ends(str_of(m->file), end))
			return true;
	return !m->by->language || !m->file;
}

struct err *hook_manager_refuse(struct arena *a, const struct hook_managed *m, unsigned names)
{
	struct buf lines = buf_in(a), then = buf_in(a);
	const char *file = m->file ? m->file : "its configuration";
	unsigned direct = names & m->never;
	struct err *e;

	names &= ~m->never;
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		if (m->runs_ikm[i])
			names &= ~(1u << i);
		if (names & 1u << i)
			buf_put(&lines, manager_fill(a, m, m->by->lines, (enum hook_name)i));
	}
	if (m->by->types && m->file && str_ends(str_of(m->file), STR(".toml")))
		prek_lines(&lines, names);
	else if (m->by->types)
		pre_commit_lines(&lines, names);
	buf_puts(&then, m->by->then ? m->by->then : m->by->missing);
	for (size_t i = 0; m->by->types && i < HOOK_COUNT; i++)
		if (names & 1u << i)
			buf_fmt(&then, " --hook-type %s", hook_names[i]);
	e = err_new(E_HOOKS_ELSEWHERE,
		    "%s manages the hooks of this repository; %s %s%s%s:\n\n%.*s", m->name,
		    m->by->folder ? "run this to add ikm to" : "add this to", file,
		    m->by->under ? ", in " : "", m->by->under ? m->by->under : "",
		    STR_ARG(buf_as_str(&lines)));
	err_add_detail(e, "manager", str_of(m->name));
	err_add_detail(e, "file", str_of(file));
	err_add_detail(e, "lines", buf_as_str(&lines));
	if (!manager_speaks(m))
		err_help(e, "these lines are %.*s: write the same in the language of %s",
			 (int)strcspn(m->by->language, "|"), m->by->language, file);
	if (then.n)
		err_help(e, "then: %.*s", STR_ARG(buf_as_str(&then)));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (direct & 1u << i)
			err_help(
				e,
				"beside %s, which cannot call ikm there: ikm hook install --hook %s",
				m->name, hook_names[i]);
	return err_help(e, "or install ikm in front of it anyway, which its next install may undo: "
			   "add --force");
}
