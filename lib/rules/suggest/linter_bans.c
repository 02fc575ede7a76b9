/*
 * Bans of other tools as rules, a reader for each tool, and rules as bans of ESLint and pnpm. What
 * one side has and the other cannot say is named, never left out in silence.
 */
#include "suggest/linter_bans.h"
#include "json/json.h"
#include "keyval/keyval.h"
#include "knowledge/rule_compare.h"
#include "os/os.h"
#include "toml/toml.h"
#include "yaml/yaml.h"

/* A ban as bans_add() takes it: members that are not given are those of a rule without them. */
#define BAN(on, text, ...)                                                                         \
	&(struct kn_constraint)                                                                    \
	{                                                                                          \
		.target = KN_TARGET_##on, .pattern = text, __VA_ARGS__                             \
	}

PRINTF(3, 4) static void bans_leave(struct bans *x, const struct val *at, const char *fmt, ...)
{
	struct buf b = buf_in(x->a);

	buf_fmt(&b, "%.*s:%zu: not carried over: ", STR_ARG(x->file),
		str_place_of_offset(x->text, at->at.from).line);
	BUF_ARGS(&b, fmt);
	strs_push(x->a, &x->left, buf_as_str(&b));
}

/* Names the members of a table that no rule can say; false is as if it were not there. */
static bool bans_rest(struct bans *x, const struct val *v, const char *known, const char *why)
{
	size_t before = x->left.n;

	VAL_EACH(v, m)
		if (m->key.n && (m->type != VAL_BOOL || m->b || str_is(m->key, "as_packages")) &&
		    str_find(str_of(known), str_fmt(x->a, "|%.*s|", STR_ARG(m->key)), 0) ==
			    SIZE_MAX)
			bans_leave(x, m, "%.*s: %s", STR_ARG(m->key), why);
	return x->left.n > before;
}

/* example: a name that the rule must stop, or empty. */
static void bans_add(struct bans *x, const struct val *at, struct str example,
		     const struct kn_constraint *ban)
{
	struct kn_constraint r = *ban;
	struct str *const texts[] = {&r.message, &r.version, &r.use_instead};
	struct err *e;

	if (!r.pattern.n) {
		bans_leave(x, at, "it names nothing");
		return;
	}
	r.op = KN_OP_MUST_NOT_USE;
	if (r.severity != KN_SEVERITY_WARN)
		r.severity = KN_SEVERITY_BLOCK;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!texts[i]->p)
			*texts[i] = STR("");
	r.applies_to = knowledge_globs_prefix_folder(x->a, x->folder, &r.applies_to);
	e = knowledge_compile_pattern(x->a, &r);
	if (!e)
		e = globs_new(x->a, &r.applies_to, &r.applies);
	if (e) {
		bans_leave(x, at, "%s", err_message(e));
		return;
	}
	for (size_t i = 0; i < x->rules.n; i++)
		if (rule_same(&x->rules.p[i], r.severity, &r, r.severity))
			return;
	if (example.n)
		strs_push(x->a, &r.examples.stops, example);
	*VEC_PUSH(x->a, &x->rules) = r;
}

/* The strings of a list, or one string. */
static struct strs bans_strings(struct arena *a, const struct val *v)
{
	struct strs out = {0};

	if (v && v->type == VAL_STR)
		strs_push(a, &out, v->s);
	for (const struct val *m = v && v->type == VAL_LIST ? v->first : NULL; m; m = m->next)
		if (m->type == VAL_STR)
			strs_push(a, &out, m->s);
	return out;
}

/* ---- ESLint ---- */

static const char *const bans_js[] = {"*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}", NULL};

/*
 * A glob of names, as .gitignore has them, as a pattern for a leading part of a name. "foo/" is
 * what stands in foo: "$" matches at the end of a whole name only, see import_match().
 */
static struct str bans_glob(struct arena *a, struct str glob)
{
	bool in = str_ends(glob, STR("/"));
	struct buf b = buf_in(a);
	size_t i = str_starts(glob, STR("/")), end;

	glob.n -= in;
	if (!str_holds(glob, "/"))
		buf_puts(&b, "(?:.*/)?");
	for (; i < glob.n; i++) {
		struct str rest = str_sub(glob, i, glob.n);

		if (str_starts(rest, STR("**/"))) {
			buf_puts(&b, "(?:.*/)?");
			i += 2;
		} else if (str_starts(rest, STR("**"))) {
			buf_puts(&b, ".*");
			i++;
		} else if (rest.p[0] == '[' && (end = str_find_char(rest, ']', 2)) < rest.n) {
			bool not = rest.p[1] == '!';

			buf_fmt(&b, "[%s%.*s", not ? "^" : "",
				STR_ARG(str_sub(rest, 1 + not, end + 1)));
			i += end;
		} else if (rest.p[0] == '*' || rest.p[0] == '?') {
			buf_puts(&b, rest.p[0] == '*' ? "[^/]*" : "[^/]");
		} else {
			i += rest.p[0] == '\\' && rest.n > 1;
			buf_put(&b, re_quote(a, str_sub(glob, i, i + 1)));
		}
	}
	if (in)
		buf_puts(&b, "(?!$)");
	return buf_as_str(&b);
}

/* Of globs the last that fits a leading part of the name decides, and "!" takes it out. */
static struct str bans_group(struct arena *a, const struct strs *globs)
{
	struct str out = STR("");

	for (size_t i = 0; i < globs->n; i++) {
		bool negated = str_starts(globs->p[i], STR("!"));
		struct str s = str_sub(globs->p[i], negated, globs->p[i].n);

		if (!s.n || globs->p[i].p[0] == '#' || (negated && !out.n))
			continue;
		s = bans_glob(a, s);
		out = negated ? str_fmt(a, "(?!(?:%.*s)(?!.))(?:%.*s)", STR_ARG(s), STR_ARG(out))
		      : out.n ? str_fmt(a, "%.*s|%.*s", STR_ARG(out), STR_ARG(s))
			      : s;
	}
	return out;
}

static void eslint_ban(struct bans *x, const struct val *v, struct strs group,
		       const struct kn_constraint *like)
{
	struct str name = v->type == VAL_STR ? v->s : val_get_str(v, "name");
	struct str regex = val_get_str(v, "regex");
	struct kn_constraint r = *like;

	if (bans_rest(x, v, "|name|message|group|regex|caseSensitive|",
		      "ikm forbids a module, not some of its names"))
		return;
	r.message = val_get_str(v, "message");
	r.pattern = regex.n   ? str_fmt(x->a, ".*(?:%.*s).*$", STR_ARG(regex))
		    : group.n ? bans_group(x->a, &group)
		    : name.n  ? str_fmt(x->a, "%.*s$", STR_ARG(re_quote(x->a, name)))
			      : STR("");
	if (r.pattern.n && val_get(v, "caseSensitive") && val_get(v, "caseSensitive")->b)
		r.pattern = str_fmt(x->a, "(?-i:%.*s)", STR_ARG(r.pattern));
	bans_add(x, v, group.n || regex.n ? (struct str){0} : name, &r);
}

/* Globs, which ESLint may also have as lists all of which must fit, and may take back. */
static bool eslint_globs(struct bans *x, const struct val *in, const char *key, const char *mark,
			 struct strs *out)
{
	const struct val *v = val_get(in, key);
	struct strs globs = bans_strings(x->a, v);
	bool all = !v || v->type == VAL_STR || globs.n == v->n;

	for (size_t i = 0; i < globs.n; i++) {
		all &= !str_starts(globs.p[i], STR("!"));
		strs_push(
			x->a, out,
			str_fmt(x->a, "%s%s%.*s", mark,
				x->flat && str_find_char(globs.p[i], '/', 0) == SIZE_MAX ? "/" : "",
				STR_ARG(globs.p[i])));
	}
	if (!all)
		bans_leave(x, v, "%s: lists in a list, and globs with '!'", key);
	return all;
}

/* in: the object that has the rules, and may say for which files. */
static void bans_eslint(struct bans *x, const struct val *v, const struct val *in)
{
	struct str level = v->type == VAL_LIST && v->first ? v->first->s : v->s;
	struct kn_constraint like = {.target = KN_TARGET_IMPORT};

	if (x->rules.n && val_get(in, "files"))
		bans_leave(x, v, "for its files ESLint drops the bans above, and ikm does not");
	if (str_is(level, "off") || str_is(level, "0"))
		return;
	if (str_is(level, "warn") || str_is(level, "1"))
		like.severity = KN_SEVERITY_WARN;
	if (!eslint_globs(x, in, "files", "", &like.applies_to))
		return;
	if (!like.applies_to.n)
		like.applies_to = strs_of(x->a, bans_js);
	if (!eslint_globs(x, in, "ignores", "!", &like.applies_to) ||
	    !eslint_globs(x, in, "excludedFiles", "!", &like.applies_to))
		return;
	for (const struct val *o = v->type == VAL_LIST && v->first ? v->first->next : NULL; o;
	     o = o->next) {
		/* Strings are one group. */
		struct strs group = bans_strings(x->a, val_get(o, "patterns"));

		if (!val_get(o, "paths") && !val_get(o, "patterns"))
			eslint_ban(x, o, group, &like);
		else
			bans_rest(x, o, "|paths|patterns|", "no member of ESLint's rule");
		VAL_EACH(val_get(o, "paths"), m)
			eslint_ban(x, m, (struct strs){0}, &like);
		if (group.n)
			eslint_ban(x, val_get(o, "patterns"), group, &like);
		VAL_EACH(val_get(o, "patterns"), m)
			if (m->type == VAL_MAP)
				eslint_ban(x, m, bans_strings(x->a, val_get(m, "group")), &like);
	}
}

/* ---- depguard ---- */

static struct strs depguard_files(struct arena *a, const struct val *v)
{
	struct strs globs = bans_strings(a, v), out = {0};
	bool only = false;

	for (size_t i = 0; i < globs.n; i++)
		only |= !str_starts(globs.p[i], STR("!"));
	if (!only)
		strs_push(a, &out, STR("*.go"));
	for (size_t i = 0; i < globs.n; i++) {
		bool negated = str_starts(globs.p[i], STR("!"));
		struct str s = str_sub(globs.p[i], negated, globs.p[i].n);

		s = str_is(s, "$all") ? STR("*.go") : str_is(s, "$test") ? STR("*_test.go") : s;
		strs_push(a, &out, str_fmt(a, "%s%.*s", negated ? "!" : "", STR_ARG(s)));
	}
	return out;
}

static void depguard_deny(struct bans *x, const struct val *at, struct str pkg, struct str why,
			  const struct strs *files)
{
	bool whole = str_ends(pkg, STR("$"));
	struct str name = pkg;

	while (str_ends(name, STR("$")) || str_ends(name, STR("/")))
		name.n--;
	if (!name.n || name.p[0] == '$' || strpbrk(str_c(x->a, name), "*?[{"))
		bans_leave(x, at, "'%.*s' stands for a set of packages", STR_ARG(pkg));
	else
		bans_add(x, at, name,
			 BAN(IMPORT,
			     str_fmt(x->a, "%.*s%s", STR_ARG(re_quote(x->a, name)),
				     whole ? "$" : ""),
			     .message = why, .applies_to = *files));
}

static void bans_depguard(struct bans *x, const struct val *v)
{
	const struct val *rules = val_get(v, "rules");

	if (rules)
		bans_rest(x, v, "|rules|", "a setting of an older depguard");
	VAL_EACH(rules ? rules : v, rule) {
		struct strs files = depguard_files(x->a, val_get(rule, "files"));
		const struct val *deny = val_get(rule, "deny");

		if (rule->type != VAL_MAP)
			bans_leave(x, rule, "'%.*s': no rule of depguard 2", STR_ARG(rule->key));
		bans_rest(x, rule, "|files|deny|", "ikm has what is denied only");
		VAL_EACH(deny, m) {
			if (deny->type == VAL_MAP)
				depguard_deny(x, m, m->key, m->s, &files);
			else
				depguard_deny(x, m,
					      m->type == VAL_STR ? m->s : val_get_str(m, "pkg"),
					      val_get_str(m, "desc"), &files);
		}
	}
}

/* ---- import-linter ---- */

/* Its members are lists, or lines. */
static struct strs importlinter_list(struct arena *a, const struct val *v)
{
	struct strs in = bans_strings(a, v), out = {0};

	for (size_t i = 0; i < in.n; i++)
		for (struct str rest = in.p[i], line; str_next_line(&rest, &line);)
			if (str_trim(line).n)
				strs_push(a, &out, str_trim(line));
	return out;
}

/* A layer may have several modules, and marks those that may be missing with brackets. */
static struct strs importlinter_layer(struct arena *a, struct str layer, struct str in)
{
	struct strs out = {0};
	size_t end;

	for (; layer.n; layer = str_sub(layer, end + 1, layer.n)) {
		struct str part;

		for (end = 0; end < layer.n && layer.p[end] != '|' && layer.p[end] != ':';)
			end++;
		part = str_trim(str_sub(layer, 0, end));
		if (part.n > 1 && part.p[0] == '(')
			part = str_sub(part, 1, part.n - 1);
		if (part.n)
			strs_push(a, &out,
				  in.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(in), STR_ARG(part))
				       : part);
		end = size_min(end, layer.n - 1);
	}
	return out;
}

static void importlinter_each(struct bans *x, const struct val *v, const struct strs *from,
			      const struct strs *to)
{
	for (size_t i = 0; i < from->n; i++)
		for (size_t k = 0; k < to->n; k++) {
			struct str in = from->p[i], module = to->p[k];
			struct buf path = buf_in(x->a);
			struct strs files = {0};

			if (!in.n || !module.n || str_eq(in, module))
				continue;
			if (str_holds(in, "*") || str_holds(module, "*")) {
				bans_leave(x, v, "%.*s to %.*s: a wildcard", STR_ARG(in),
					   STR_ARG(module));
				continue;
			}
			for (size_t c = 0; c < in.n; c++)
				buf_putc(&path, in.p[c] == '.' ? '/' : in.p[c]);
			strs_push(x->a, &files,
				  str_fmt(x->a, "**/%.*s/**/*.py", STR_ARG(buf_as_str(&path))));
			strs_push(x->a, &files,
				  str_fmt(x->a, "**/%.*s.py", STR_ARG(buf_as_str(&path))));
			bans_add(x, v, module,
				 BAN(IMPORT, re_quote(x->a, module),
				     .message = val_get_str(v, "name"), .applies_to = files));
		}
}

static void importlinter_contract(struct bans *x, const struct val *v)
{
	struct str type = val_get_str(v, "type");
	struct strs layers = importlinter_list(x->a, val_get(v, "layers"));
	struct strs in = importlinter_list(x->a, val_get(v, "containers"));
	struct strs from = importlinter_list(x->a, val_get(v, "source_modules"));
	struct strs to = importlinter_list(x->a, val_get(v, "forbidden_modules"));

	if (str_is(type, "independence"))
		from = to = importlinter_list(x->a, val_get(v, "modules"));
	else if (!str_is(type, "forbidden") && !str_is(type, "layers"))
		bans_leave(x, v, "a contract of type '%.*s'", STR_ARG(type));
	if (val_get(v, "ignore_imports")) {
		bans_leave(x, v, "'%.*s' has ignore_imports, which ikm would stop",
			   STR_ARG(val_get_str(v, "name")));
		return;
	}
	bans_rest(x, v,
		  "|name|type|id|layers|containers|source_modules|forbidden_modules|modules|"
		  "allow_indirect_imports|unmatched_ignore_imports_alerting|",
		  "ikm has imports of modules and what is in them");
	importlinter_each(x, v, &from, &to);
	if (!in.n)
		strs_push(x->a, &in, STR(""));
	for (size_t c = 0; c < in.n; c++)
		for (size_t i = 0; i < layers.n; i++) {
			/* A bar, and no colon, keeps the modules of a layer apart. */
			to = importlinter_layer(x->a, layers.p[i], in.p[c]);
			if (str_holds(layers.p[i], "|"))
				importlinter_each(x, v, &to, &to);
			for (size_t k = i + 1; k < layers.n; k++) {
				from = importlinter_layer(x->a, layers.p[k], in.p[c]);
				importlinter_each(x, v, &from, &to);
			}
		}
}

static void bans_importlinter(struct bans *x, const struct val *v)
{
	VAL_EACH(val_get(v, "contracts"), m)
		importlinter_contract(x, m);
}

/* ---- package managers ---- */

static void bans_cargo(struct bans *x, const struct val *v)
{
	VAL_EACH(val_get(v, "deny"), m) {
		static const char *const files[] = {"Cargo.toml", "Cargo.lock", NULL};
		struct str name = m->type == VAL_STR    ? m->s
				  : val_get(m, "crate") ? val_get_str(m, "crate")
							: val_get_str(m, "name");
		struct str version = val_get_str(m, "version");
		size_t at;

		/* "name@1.2" is that version, "name:<2" a range; an entry may be a table. */
		for (at = 0; at < name.n && name.p[at] != '@' && name.p[at] != ':';)
			at++;
		if (at < name.n)
			version = str_fmt(x->a, "%s%.*s", name.p[at] == '@' ? "=" : "",
					  STR_ARG(str_sub(name, at + 1, name.n)));
		name = str_sub(name, 0, at);
		if (!bans_rest(x, m, "|crate|name|version|reason|use-instead|",
			       "ikm forbids a crate, and has no exceptions"))
			bans_add(x, m, version.n ? (struct str){0} : name,
				 BAN(DEPENDENCY, re_quote(x->a, name), .version = version,
				     .message = val_get_str(m, "reason"),
				     .use_instead = val_get_str(m, "use-instead"),
				     .applies_to = strs_of(x->a, files)));
	}
	bans_rest(x, v, "|deny|", "ikm has what is denied only");
}

/* pnpm takes a package out of the tree whose override is "-". */
static void bans_pnpm(struct bans *x, const struct val *v)
{
	static const char *const files[] = {"package.json", "pnpm-lock.yaml", NULL};

	VAL_EACH(v, m) {
		size_t at = str_find_char(m->key, '@', 1), in = str_rfind_char(m->key, '>');
		struct str name = str_sub(m->key, 0, at);

		if (m->type != VAL_STR || !str_is(m->s, "-"))
			continue;
		/* "a>b" and "a@1>b" are b as a needs it; "a@>1" is a range. */
		if (in != SIZE_MAX && in + 1 < m->key.n &&
		    (ascii_is_letter(m->key.p[in + 1]) || m->key.p[in + 1] == '@'))
			bans_leave(x, m, "'%.*s' is about one package that needs it",
				   STR_ARG(m->key));
		else
			bans_add(x, m, at == SIZE_MAX ? name : (struct str){0},
				 BAN(DEPENDENCY, re_quote(x->a, name),
				     .version = at == SIZE_MAX ? STR("")
							       : str_sub(m->key, at + 1, m->key.n),
				     .applies_to = strs_of(x->a, files)));
	}
}

/* ---- Ruff, deptry ---- */

static void bans_ruff(struct bans *x, const struct val *v)
{
	static const char *const files[] = {"*.py", "*.pyi", NULL};

	VAL_EACH(v, m)
		bans_add(x, m, m->key,
			 BAN(IMPORT, re_quote(x->a, m->key), .message = val_get_str(m, "msg"),
			     .applies_to = strs_of(x->a, files)));
}

static void bans_deptry(struct bans *x, const struct val *v)
{
	VAL_EACH(v, m)
		bans_leave(x, m, "deptry's %.*s: it compares imports with manifests, and bans none",
			   STR_ARG(m->key));
}

/* ---- the file ---- */

/* A member that forbids, or that says which files the rules of others are not for. */
static bool bans_is_other(const struct bans *x, const struct val *m, const struct val *in)
{
	return str_starts(m->key, STR("banned-")) || str_starts(m->key, STR("ban-")) ||
	       str_find(m->key, STR("no-restricted-"), 0) < m->key.n ||
	       str_is(m->key, "ignorePatterns") ||
	       (x->flat && str_is(m->key, "ignores") && !val_get(in, "rules"));
}

/* The members that have bans, wherever they stand. */
static void bans_find(struct bans *x, const struct val *v, const struct val *parent)
{
	static const struct {
		const char *key;
		void (*read)(struct bans *x, const struct val *v);
	} rows[] = {
		{"depguard", bans_depguard}, {"importlinter", bans_importlinter},
		{"bans", bans_cargo},        {"banned-api", bans_ruff},
		{"deptry", bans_deptry},     {"overrides", bans_pnpm},
	};

	VAL_EACH(v, m) {
		bool read = str_ends(m->key, STR("no-restricted-imports")) ||
			    str_ends(m->key, STR("no-restricted-modules"));

		if (read)
			bans_eslint(x, m, parent);
		for (size_t i = 0; i < ARRAY_SIZE(rows) && m->type == VAL_MAP && !read; i++)
			if (str_is(m->key, rows[i].key)) {
				rows[i].read(x, m);
				read = true;
			}
		if (!read && bans_is_other(x, m, v)) {
			bans_leave(x, m, "%.*s: ikm does not read it", STR_ARG(m->key));
			read = true;
		}
		x->known |= read;
		if (!read && (m->type == VAL_MAP || m->type == VAL_LIST))
			bans_find(x, m, v);
	}
}

/* An INI file as import-linter's TOML: {importlinter: {contracts: [{}]}}. */
struct bans_ini {
	struct arena *a;
	struct val *contracts;
	struct str section;
};

static void bans_ini_line(void *ctx, const struct keyval *k)
{
	struct bans_ini *x = ctx;
	struct str path = str_sub(k->line, 0, k->key), section;
	size_t dot = str_rfind_char(path, '.');
	struct val *v;

	if (!str_starts(path, STR("importlinter:contract:")) || k->inner || dot == SIZE_MAX)
		return;
	section = str_sub(path, 0, dot);
	if (!x->contracts->last || !str_eq(x->section, section)) {
		x->section = str_dup(x->a, section);
		val_add(x->contracts, val_map(x->a))->at.from = k->at;
	}
	v = val_set_key(x->contracts->last, str_dup(x->a, str_sub(path, dot + 1, path.n)),
			val_str(x->a, str_dup(x->a, str_sub(k->line, k->key + 1, k->line.n))));
	v->at.from = k->at;
}

static struct err *bans_parse(struct bans *x, struct val **out)
{
	static const char *const suffixes[] = {".json", ".jsonc", ".yaml", ".yml", ".toml", NULL};
	struct str name = str_base(x->file);
	struct bans_ini ini = {.a = x->a, .contracts = val_list(x->a)};
	struct val *inner;
	int kind = 0;

	while (suffixes[kind] && !str_ends(name, str_of(suffixes[kind])))
		kind++;
	if (str_is(name, ".eslintrc") || kind < 2)
		return json_read(x->a, json_uncommented(x->a, x->text), NULL, out);
	if (kind < 4)
		return yaml_read(x->a, x->text, STR(""), 0, out);
	if (kind == 4)
		return toml_read(x->a, x->text, out);
	if (!str_is(name, ".importlinter") && !str_ends(name, STR(".cfg")) &&
	    !str_ends(name, STR(".ini")))
		return err_help(err_new(E_BAD_ARGUMENT,
					"ikm reads JSON, YAML, TOML and INI, and not this file"),
				"a configuration that is a program can often be printed as JSON: "
				"npx eslint --print-config FILE >eslint.json");
	TRY(keyval_read(x->a, STR("a.ini"), x->text, bans_ini_line, &ini));
	*out = val_map(x->a);
	inner = val_set(x->a, *out, "importlinter", val_map(x->a));
	val_set(x->a, inner, "contracts", ini.contracts);
	return NULL;
}

struct err *bans_read(struct arena *a, struct str file, struct str folder, struct str text,
		      struct bans *out)
{
	struct val *v;

	*out = (struct bans){.a = a, .file = file, .folder = folder, .text = text};
	TRY(bans_parse(out, &v));
	out->flat = v->type == VAL_LIST;
	/* depguard's own file is a map of its rules. */
	if (str_holds(file, "depguard") && v->type == VAL_MAP) {
		out->known = true;
		bans_depguard(out, v);
	} else {
		bans_find(out, v, NULL);
	}
	return NULL;
}

/* ---- out of the house ---- */

struct bans_out {
	struct arena *a;
	const char *top;
	struct strs *left;
};

static void bans_keep(const struct bans_out *x, const struct rule_at *r, const char *why)
{
	strs_push(x->a, x->left,
		  str_fmt(x->a, "%.*s#%u is not carried over: %s", STR_ARG(r->item->id),
			  r->c->index, why));
}

/* The pattern for JavaScript with the flag u; false: it has what JavaScript does not. */
static bool bans_regex_js(struct arena *a, struct str re, struct str *out)
{
	struct buf b = buf_in(a);
	bool class = false;

	for (size_t i = 0; i < re.n; i++) {
		char c = re.p[i], next = i + 1 < re.n ? re.p[i + 1] : 0;

		if (c == '\\') {
			i++;
			if (ascii_is_alnum(next) ? !strchr("dDwWsSbBnrtfv", next) : !next)
				return false;
			if (ascii_is_alnum(next) || strchr("^$\\.*+?()[]{}|/", next) ||
			    (class && next == '-'))
				buf_putc(&b, '\\');
			buf_putc(&b, next);
			continue;
		}
		/* The end of a leading part of a name, in the whole name. */
		if (str_starts(str_sub(re, i, re.n), STR("(?!.)"))) {
			buf_puts(&b, "(?![^/])");
			i += 4;
			continue;
		}
		if (!class &&
		    ((c == '(' && next == '*') ||
		     (c == '(' && next == '?' && !(i + 2 < re.n && strchr(":=!", re.p[i + 2]))) ||
		     (strchr("*+?}", c) && next == '+') || (c == '{' && !ascii_is_digit(next))))
			return false;
		/* A bracket that begins a class stands for itself in PCRE, as one inside does. */
		if (c == '[' &&
		    (class || next == ']' || str_starts(str_sub(re, i, re.n), STR("[^]"))))
			return false;
		class = class ? c != ']' : c == '[';
		buf_putc(&b, c);
	}
	*out = str_fmt(a, "^(?:%.*s)", STR_ARG(buf_as_str(&b)));
	return true;
}

/* ESLint compares the text of an import, so a path of the tree is not what it sees. */
static bool bans_is_path(const struct bans_out *x, struct str pattern)
{
	struct str one;

	while (str_next_part(&pattern, '|', &one)) {
		struct str top = str_sub(one, 0, str_find_char(one, '/', 0));
		struct os_stat st;

		while (top.n && (top.p[0] == '^' || top.p[0] == '('))
			top = str_sub(top, 1, top.n);
		if (top.n < one.n && top.n && x->top &&
		    !os_stat(os_join(x->a, x->top, str_c(x->a, top)), true, &st) &&
		    st.kind == OS_DIR)
			return true;
	}
	return false;
}

/* Why, and what to use instead, and whose rule it is. */
static struct str bans_why(struct arena *a, const struct rule_at *r)
{
	const struct kn_constraint *c = r->c;
	struct str why = c->message.n ? c->message : r->item->title;

	if (c->use_instead.n)
		why = str_fmt(a, "%.*s; use instead: %.*s", STR_ARG(why), STR_ARG(c->use_instead));
	return str_fmt(a, "%.*s (%.*s)", STR_ARG(why), STR_ARG(r->item->id));
}

/* Whether each glob ends as "*.py" or "*.{py,pyi}" does, which no file of JavaScript matches. */
static bool bans_not_js(const struct bans_out *x, const struct kn_constraint *c)
{
	struct glob *js;
	bool other = c->applies_to.n && !glob_new(x->a, str_of(bans_js[0]), &js);

	for (size_t i = 0; other && i < c->applies_to.n; i++) {
		struct str g = c->applies_to.p[i], word;
		size_t dot = str_rfind_char(g, '.');

		if (str_starts(g, STR("!")))
			continue;
		other = dot && dot < g.n && g.p[dot - 1] == '*';
		g = str_sub(g, dot + 1, g.n);
		if (str_starts(g, STR("{")) && str_ends(g, STR("}")))
			g = str_sub(g, 1, g.n - 1);
		while (other && str_next_part(&g, ',', &word)) {
			for (size_t k = 0; k < word.n; k++)
				other &= ascii_is_alnum(word.p[k]);
			other &= !glob_match(js, str_fmt(x->a, "a.%.*s", STR_ARG(word)));
		}
	}
	return other;
}

/*
 * The next rule that is a ban for a package manager or ESLint, and its pattern for JavaScript.
 * Bans that cannot be carried over are named.
 */
static bool bans_next(const struct bans_out *x, bool eslint, struct rule_at *r, struct str *re)
{
	while (rule_next(r)) {
		const struct kn_constraint *c = r->c;
		bool dep = c->target == KN_TARGET_DEPENDENCY;

		if (!dep && !(eslint && c->target == KN_TARGET_IMPORT)) {
			if (r->severity == KN_SEVERITY_BLOCK)
				bans_keep(x, r,
					  eslint ? "it is for no import or package"
						 : "it is for no package");
		} else if (c->op != KN_OP_MUST_NOT_USE && c->op != KN_OP_MUST_NOT_MATCH)
			bans_keep(x, r, "it demands, and does not forbid");
		else if (r->severity != KN_SEVERITY_BLOCK)
			bans_keep(x, r, "it only warns");
		else if (c->version.n)
			bans_keep(x, r, "it is for some versions only");
		else if (dep && c->applies_to.n && !globs_match(&c->applies, STR("package.json")))
			bans_keep(x, r, "it is not for package.json");
		else if (!dep && bans_not_js(x, c))
			bans_keep(x, r, "its files are not of JavaScript");
		else if (!dep && bans_is_path(x, c->pattern))
			bans_keep(x, r, "it forbids a path, and ESLint sees the text of an import");
		else if (!bans_regex_js(x->a, c->pattern, re))
			bans_keep(x, r, "its pattern is none of JavaScript");
		else
			return true;
	}
	return false;
}

/* ---- to ESLint ---- */

/* A glob as .gitignore has it, for ESLint: a name alone is at any depth, and a folder is all. */
static void eslint_files(struct arena *a, struct val *list, struct str glob)
{
	size_t slash = str_find_char(glob, '/', 0);
	const char *any = slash == SIZE_MAX || slash + 1 == glob.n ? "**/" : "";

	str_take_char(&glob, '/');
	if (!str_ends(glob, STR("/")))
		val_add(list, val_str(a, str_fmt(a, "%s%.*s", any, STR_ARG(glob))));
	while (str_ends(glob, STR("/")))
		glob.n--;
	val_add(list, val_str(a, str_fmt(a, "%s%.*s/**", any, STR_ARG(glob))));
}

/* The scope of a rule: empty for the sources that every rule of the file is for. */
static struct str eslint_scope(struct arena *a, const struct kn_constraint *c)
{
	struct str all = str_join(a, &c->applies_to, "\n");

	return c->target == KN_TARGET_DEPENDENCY || str_is(all, bans_js[0]) ? STR("") : all;
}

/* One object of the list: the bans for all files, and those of one scope. */
static struct val *eslint_config(const struct bans_out *x, const struct knowledge *k,
				 struct str scope)
{
	struct val *config = val_map(x->a), *rule = val_list(x->a), *bans = val_list(x->a), *v;
	struct strs unsaid = {0};
	struct bans_out quiet = {x->a, x->top, &unsaid};
	struct str re, glob, rest = scope;
	struct val *files = val_list(x->a), *ignores = val_list(x->a);

	val_set(x->a, config, "name", val_str(x->a, STR("ikm")));
	while (str_next_part(&rest, '\n', &glob))
		eslint_files(x->a, str_starts(glob, STR("!")) ? ignores : files,
			     str_starts(glob, STR("!")) ? str_sub(glob, 1, glob.n) : glob);
	if (files->n)
		val_set(x->a, config, "files", files);
	if (ignores->n)
		val_set(x->a, config, "ignores", ignores);
	for (struct rule_at r = {.k = k}; bans_next(&quiet, true, &r, &re);) {
		struct str own = eslint_scope(x->a, r.c);

		if (own.n && !str_eq(own, scope))
			continue;
		v = val_add(bans, val_map(x->a));
		val_set(x->a, v, "regex",
			val_str(x->a, str_fmt(x->a, "%.*s(?:/.*)?$", STR_ARG(re))));
		val_set(x->a, v, "message", val_str(x->a, bans_why(x->a, &r)));
	}
	val_add(rule, val_str(x->a, STR("error")));
	val_set(x->a, val_add(rule, val_map(x->a)), "patterns", bans);
	val_set(x->a, val_set(x->a, config, "rules", val_map(x->a)), "no-restricted-imports", rule);
	return config;
}

struct str bans_to_eslint(struct arena *a, const struct knowledge *k, const char *top,
			  struct strs *left)
{
	const struct bans_out x = {a, top, left};
	struct val *list = val_list(a);
	struct buf b = buf_in(a);
	struct strs scopes = {0};
	struct str re;

	strs_push(a, &scopes, STR(""));
	for (struct rule_at r = {.k = k}; bans_next(&x, true, &r, &re);)
		if (!strs_has(&scopes, eslint_scope(a, r.c)))
			strs_push(a, &scopes, eslint_scope(a, r.c));
	for (size_t i = 0; i < scopes.n; i++)
		val_add(list, eslint_config(&x, k, scopes.p[i]));
	if (scopes.n > 2)
		strs_push(a, left,
			  STR("a file of several scopes gets the bans of the last object alone: "
			      "ESLint does not add them up"));
	json_write(&b, list, 2);
	buf_putc(&b, '\n');
	return buf_as_str(&b);
}

/* ---- to pnpm ---- */

struct str bans_to_pnpm(struct arena *a, const struct knowledge *k, struct strs *left)
{
	const struct bans_out x = {a, NULL, left};
	struct buf b = buf_in(a);
	struct str re;

	buf_puts(&b, "// .pnpmfile.cjs, written by 'ikm know export --format pnpm'\n"
		     "const bans = [\n");
	for (struct rule_at r = {.k = k}; bans_next(&x, false, &r, &re);) {
		buf_puts(&b, "  [");
		json_write_str(&b, str_fmt(a, "%.*s$", STR_ARG(re)));
		buf_puts(&b, ", ");
		json_write_str(&b, bans_why(a, &r));
		buf_puts(&b, "],\n");
	}
	buf_puts(&b, "].map(([re, why]) => [new RegExp(re, 'iu'), why]);\n"
		     "function readPackage(pkg) {\n"
		     "  const names = Object.keys({ ...pkg.dependencies, ...pkg.devDependencies,\n"
		     "    ...pkg.optionalDependencies, ...pkg.peerDependencies });\n"
		     "  for (const name of [pkg.name ?? '', ...names])\n"
		     "    for (const [re, why] of bans)\n"
		     "      if (re.test(name)) throw new Error(`${name}: ${why}`);\n"
		     "  return pkg;\n"
		     "}\n"
		     "module.exports = { hooks: { readPackage } };\n");
	return buf_as_str(&b);
}
