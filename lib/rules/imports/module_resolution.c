/*
 * The names that a module has besides the one that is written: paths of the repository. Settings of
 * a tree give modules other names: tsconfig.json, package.json, deno.json, go.mod and composer.json
 * are read once for all files below them.
 */
#include <pthread.h>

#include "imports/internal.h"
#include "json/json.h"
#include "re/re.h"
#include "yaml/yaml.h"

#define TSCONFIG_MAX 32 /* files that one tsconfig.json extends or refers to */
#define SLOTS_MIN    64
#define ALIASES_MAX  1000 /* of one file */

/* A name of a module, perhaps with one "*", and what it stands for. */
struct alias {
	struct str from;
	struct strs to; /* paths from the top, perhaps with one "*" */
};
struct aliases VEC(struct alias);

/* The settings that hold for the files of one folder: those of it, or of the nearest above. */
struct settings {
	struct aliases paths; /* of tsconfig.json or jsconfig.json */
	bool has_base;
	struct str base;        /* their baseUrl, as a path from the top */
	struct strs roots;      /* their rootDirs: one folder for the compiler */
	struct aliases imports; /* "#name" in package.json */
	struct aliases maps;    /* of deno.json or import_map.json */
	struct aliases program; /* of programs of settings */
	struct aliases members; /* the packages of the workspace */
	struct aliases self;    /* the package itself, when it has exports */
	struct strs packages;   /* that package.json of this folder names */
	const struct settings *above;
	/* Clauses: what may give more names, and is not in the tree. */
	struct str lost;   /* by tsconfig.json or jsconfig.json */
	struct str unread; /* by the other files */
	bool has_module;
	struct str module, module_folder; /* of go.mod */
	struct aliases psr4;              /* of composer.json, with slashes */
};
enum settings_of { SETTINGS_OF_NODE, SETTINGS_OF_GO, SETTINGS_OF_PHP };

struct imports_tree {
	struct arena *a;
	const struct deps_files *files;
	pthread_mutex_t lock;
	struct str unread; /* a clause: what was lost since the last tree_unread() */
	/* By folder and kind; open addressing. */
	struct slot {
		struct str folder;
		enum settings_of which;
		struct settings *settings; /* NULL: free */
	} * slots;
	size_t n, slots_n;
};

/* ---- paths ---- */

/*
 * "src/ui" and "../db/x" give "src/db/x". False: it leaves the top, or is the top itself.
 */
static bool name_join(struct arena *a, struct str folder, struct str rest, struct str *out)
{
	struct buf b = buf_in(a);
	struct str part;

	buf_put(&b, folder);
	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, "..")) {
			size_t slash = str_rfind_char(buf_as_str(&b), '/');

			if (!b.n)
				return false;
			b.n = slash == SIZE_MAX ? 0 : slash;
		} else if (part.n && !str_is(part, ".")) {
			if (b.n)
				buf_putc(&b, '/');
			buf_put(&b, part);
		}
	}
	*out = buf_as_str(&b);
	return out->n > 0;
}

/* "a\b" gives "a/b". */
static struct str name_slashes(struct arena *a, struct str s, char from)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		buf_putc(&b, s.p[i] == from ? '/' : s.p[i]);
	return buf_as_str(&b);
}

static bool node_is_relative(struct str m)
{
	return str_is(m, ".") || str_is(m, "..") || str_starts(m, STR("./")) ||
	       str_starts(m, STR("../"));
}

/* ---- the tree ---- */

static void tree_free(void *p)
{
	struct imports_tree *t = p;

	pthread_mutex_destroy(&t->lock);
	arena_free(t->a);
}

struct imports_tree *imports_tree_new(struct arena *a, const struct deps_files *files)
{
	struct imports_tree *t = ARENA_NEW(a, struct imports_tree);

	t->files = files;
	t->a = arena_new();
	if (pthread_mutex_init(&t->lock, NULL))
		BUG("a lock cannot be made");
	arena_defer(a, tree_free, t);
	return t;
}

/* ---- the table ---- */

static struct slot *tree_slot(struct imports_tree *t, enum settings_of which, struct str folder)
{
	size_t i = ((size_t)str_hash(folder) + (size_t)which) & (t->slots_n - 1);

	while (t->slots[i].settings &&
	       !(t->slots[i].which == which && str_eq(t->slots[i].folder, folder)))
		i = (i + 1) & (t->slots_n - 1);
	return &t->slots[i];
}

/* ---- files ---- */

/* Keeps what was told before, unless there is more to tell. */
static void tree_tell(struct str *told, struct str more)
{
	if (more.n)
		*told = more;
}

/* A file that cannot be read counts as missing, and is told: a partial clone may lack it. */
static bool tree_text(struct imports_tree *t, struct str folder, const char *name, struct str *text)
{
	struct str path = folder.n ? str_fmt(t->a, "%.*s/%s", STR_ARG(folder), name) : str_of(name);
	bool found = false;
	struct err *e = t->files->read(t->files->ctx, t->a, path, text, &found);

	if (!e)
		return found;
	t->unread = str_fmt(t->a, "ikm cannot read '%.*s' here, which may give it a path: %s",
			    STR_ARG(path), err_message(e));
	return false;
}

/* The value in a file. A file that does not parse is told; an empty one gives no names. */
static const struct val *tree_value(struct imports_tree *t, struct str folder, const char *name)
{
	struct str text;
	struct val *top = NULL;
	struct err *e;

	if (!tree_text(t, folder, name, &text) || !str_trim(text).n)
		return NULL;
	e = str_ends(str_of(name), STR(".yaml"))
		    ? yaml_read(t->a, text, text, 0, &top)
		    : json_read(t->a, json_uncommented(t->a, text), NULL, &top);
	if (e)
		t->unread = str_fmt(t->a, "'%.*s%s%s' does not parse and may give it a path: %s",
				    STR_ARG(folder), folder.n ? "/" : "", name, err_message(e));
	return !e && top->type == VAL_MAP ? top : NULL;
}

/* ---- aliases ---- */

/* Whether the alias names the module; *rest is what stands for its "*". */
static bool alias_fits(struct str from, struct str module, struct str *rest)
{
	size_t star = str_find_char(from, '*', 0);
	struct str head = str_sub(from, 0, star), tail;

	*rest = STR("");
	if (star == SIZE_MAX)
		return str_eq(from, module);
	tail = str_sub(from, star + 1, from.n);
	if (module.n < head.n + tail.n || !str_starts(module, head) || !str_ends(module, tail))
		return false;
	*rest = str_sub(module, head.n, module.n - tail.n);
	return true;
}

/*
 * What the alias that fits a module best makes of it. True: that is "*", which fits every package
 * too.
 */
static bool alias_targets(struct arena *a, const struct aliases *list, struct str module,
			  struct strs *out)
{
	const struct alias *best = NULL;
	struct str rest, best_rest = {"", 0};
	size_t best_n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct str from = list->p[i].from;
		size_t n = size_min(str_find_char(from, '*', 0), from.n + 1);

		/* An exact name has more bytes than one with a star, so it wins. */
		if ((!best || n > best_n) && alias_fits(from, module, &rest)) {
			best = &list->p[i];
			best_rest = rest;
			best_n = n;
		}
	}
	for (size_t i = 0; best && i < best->to.n; i++) {
		struct str to = best->to.p[i];
		size_t star = str_find_char(to, '*', 0);

		strs_push(a, out,
			  star == SIZE_MAX
				  ? to
				  : str_fmt(a, "%.*s%.*s%.*s", STR_ARG(str_sub(to, 0, star)),
					    STR_ARG(best_rest),
					    STR_ARG(str_sub(to, star + 1, to.n))));
	}
	return best && str_is(best->from, "*");
}

/* A path of settings; "${configDir}" is the folder of the file that the compiler is given. */
static bool tree_join(struct imports_tree *t, struct str config, struct str folder, struct str rest,
		      struct str *out)
{
	const struct str dir = STR("${configDir}");

	if (!str_starts(rest, dir))
		return name_join(t->a, folder, rest, out);
	return name_join(t->a, config, str_sub(rest, dir.n, rest.n), out);
}

/* Every text in a value: conditions and lists of package.json name several files. */
static void tree_targets(struct imports_tree *t, struct str config, struct str folder,
			 const struct val *v, struct strs *out)
{
	struct str path;

	if (v->type == VAL_STR && tree_join(t, config, folder, v->s, &path))
		strs_push(t->a, out, path);
	if (v->type == VAL_LIST || v->type == VAL_MAP)
		VAL_EACH(v, m) /* the reader of JSON limits the depth */
			tree_targets(t, config, folder, m, out);
}

static void tree_alias(struct imports_tree *t, struct alias one, struct aliases *out)
{
	if (one.to.n && out->n < ALIASES_MAX)
		*VEC_PUSH(t->a, out) = one;
	else if (one.to.n)
		t->unread = str_fmt(t->a,
				    "ikm reads %d names of settings, and '%.*s' behind them may "
				    "give it a path",
				    ALIASES_MAX, STR_ARG(one.from));
}

static void tree_aliases(struct imports_tree *t, struct str config, struct str folder,
			 const struct val *map, struct aliases *out)
{
	VAL_EACH(map && map->type == VAL_MAP ? map : NULL, m) {
		struct alias one = {.from = m->key};

		tree_targets(t, config, folder, m, &one.to);
		tree_alias(t, one, out);
	}
}

/* Adds what another file gives: an equal name then has the targets of both. */
static void tree_merge(struct imports_tree *t, const struct aliases *from, struct aliases *out)
{
	for (size_t i = 0; i < from->n; i++) {
		size_t j = 0;

		while (j < out->n && !str_eq(out->p[j].from, from->p[i].from))
			j++;
		if (j == out->n)
			tree_alias(t, from->p[i], out);
		else
			strs_add_all(t->a, &out->p[j].to, &from->p[i].to);
	}
}

/* ---- tsconfig.json ---- */

/* A tsconfig.json that a compiler is given, with those that it extends. */
struct tsconfig {
	struct imports_tree *t;
	struct str folder;
	unsigned left;    /* files that may still be read */
	struct strs open; /* that are being read: one that leads back to itself adds nothing */
};

/* One tsconfig.json; what it sets wins over what it extends. */
static void tsconfig_options(struct tsconfig *c, struct str folder, const struct val *top,
			     struct settings *s)
{
	const struct val *options = val_get(top, "compilerOptions");
	struct str base = val_get_str(options, "baseUrl"), at = folder;
	const struct val *roots = val_get(options, "rootDirs");

	if (base.n && !tree_join(c->t, c->folder, folder, base, &at))
		at = STR("");
	if (base.n && !s->has_base) {
		s->has_base = true;
		s->base = at;
	}
	if (!s->paths.n)
		tree_aliases(c->t, c->folder, at, val_get(options, "paths"), &s->paths);
	if (!s->roots.n && roots)
		tree_targets(c->t, c->folder, folder, roots, &s->roots);
}

/*
 * ---- programs of settings, as vite.config.ts. ikm does not run them: it reads what they write as
 * literals, and says when there is more ----
 */

enum program_setting_of { PROGRAM_ALIAS, PROGRAM_SRC_DIR, PROGRAM_LIB };
struct program_settings {
	struct program_setting {
		enum program_setting_of of;
		struct str from; /* of an alias */
		struct str to;
	} * p;
	size_t n, cap;
	bool computed; /* there is more, which a program decides */
};
struct program {
	struct lexer *l;
	struct program_settings *out;
	bool kept; /* a literal was given to a variable named alias */
};

/* Up to the comma or the bracket that ends the value that began at this depth. */
static bool program_in_value(const struct program *p, size_t depth)
{
	return p->l->now.kind != LEX_END && p->l->open.n >= depth &&
	       !(p->l->open.n == depth && (lexer_is_mark(p->l, ',') || lexer_is_mark(p->l, ';')));
}

/*
 * "path.resolve(__dirname, 'src', 'db')" gives "./src/db"; "false" gives nothing. False: a program
 * decides.
 */
static bool program_value(struct program *p, size_t depth, struct str *out)
{
	static const char here[] = "__dirname cwd import";
	static const char known[] = "path resolve join fileURLToPath new URL meta url dirname "
				    "pathname process require as string false null undefined";
	struct lexer *l = p->l;
	struct buf b = buf_in(l->a);
	bool known_all = lexer_is_mark(l, ':'), at_here = false;
	size_t lexemes = 0;

	for (; lexer_next(l) && program_in_value(p, depth); lexemes++) {
		struct str text = lexer_slice(l, l->now.at.from, l->now.at.to);

		if (l->now.kind == LEX_STRING) {
			buf_fmt(&b, "%s%.*s", b.n ? "/" : "", STR_ARG(lexer_unescape(l->a, text)));
		} else if (l->now.kind == LEX_WORD) {
			at_here |= lexer_word_is_one_of(text, here);
			known_all &= lexer_word_is_one_of(text, here) ||
				     lexer_word_is_one_of(text, known);
		} else {
			known_all &= l->now.kind == LEX_MARK && strchr("(),.+", l->now.mark);
		}
	}
	*out = !known_all ? STR("")
	       : at_here  ? str_fmt(l->a, "./%.*s", STR_ARG(buf_as_str(&b)))
			  : buf_as_str(&b);
	return known_all && lexemes;
}

static void program_add(struct program *p, enum program_setting_of of, struct str from,
			struct str to)
{
	if (to.n)
		*VEC_PUSH(p->l->a, p->out) = (struct program_setting){of, from, to};
}

/* At "{": "{'@': 'src', db: resolve('src/db')}". */
static void program_map(struct program *p)
{
	struct lexer *l = p->l;
	size_t depth = l->open.n;

	while (l->open.n >= depth && lexer_next(l) && l->open.n >= depth) {
		struct lexeme key = l->now;
		struct str to;

		if (lexer_is_mark(l, ','))
			continue;
		lexer_next(l);
		if (!lexer_is_mark(l, ':') || !program_value(p, depth, &to)) {
			p->out->computed = true; /* "...more", "db," */
			while (program_in_value(p, depth))
				lexer_next(l);
		} else {
			program_add(p, PROGRAM_ALIAS,
				    lexer_unescape(l->a, lexer_slice(l, key.at.from, key.at.to)),
				    to);
		}
	}
}

/* At "[": "[{find: '@', replacement: 'src'}]". */
static void program_list(struct program *p)
{
	struct lexer *l = p->l;
	size_t depth = l->open.n;
	struct str from = {"", 0}, to = {"", 0};

	while (lexer_next(l) && l->open.n >= depth) {
		bool find = lexer_is_named(l, "find");

		if (l->open.n == depth + 1 && (find || lexer_is_named(l, "replacement"))) {
			lexer_next(l);
			if (!program_value(p, depth + 1, find ? &from : &to))
				p->out->computed = true;
		}
		if (l->open.n != depth || lexer_is_mark(l, ','))
			continue;
		if (from.n && lexer_is_mark(l, '}'))
			program_add(p, PROGRAM_ALIAS, from, to);
		else
			p->out->computed = true;
		from = to = (struct str){"", 0};
	}
}

/* sets: beside aliases. */
static void program_read(struct arena *a, struct str path, struct str text,
			 enum program_setting_of sets, struct program_settings *out)
{
	static const char *const words[] = {"alias", "srcDir", "lib"};
	struct lexer lexer = {0};
	struct program p = {.l = &lexer, .out = out};
	bool more;

	*out = (struct program_settings){0};
	lexer_begin(&lexer, a, lexer_form(path, text), path, text);
	for (more = lexer_next(&lexer); more;) {
		struct str word = lexer_slice(&lexer, lexer.now.at.from, lexer.now.at.to), to;
		bool named = lexer.now.kind == LEX_WORD || lexer.now.kind == LEX_STRING;
		size_t depth = lexer.open.n;

		more = lexer_next(&lexer);
		if (named && lexer_same(word, words[PROGRAM_ALIAS])) {
			bool set = lexer_is_mark(&lexer, '=');

			if (set || lexer_is_mark(&lexer, ':')) {
				lexer_next(&lexer);
				p.kept |= set;
				if (lexer_is_mark(&lexer, '{'))
					program_map(&p);
				else if (lexer_is_mark(&lexer, '['))
					program_list(&p);
				else
					out->computed = true;
			} else {
				out->computed |= !p.kept || !(lexer_is_mark(&lexer, ',') ||
							      lexer_is_mark(&lexer, '}'));
			}
		} else if (named && lexer_same(word, words[sets]) && lexer_is_mark(&lexer, ':')) {
			out->computed |= !program_value(&p, depth, &to);
			program_add(&p, sets, STR(""), to);
		}
		more = lexer.now.kind != LEX_END;
	}
}

/*
 * Programs whose literals ikm reads. A framework gives names always, and writes a tsconfig.json to
 * a folder that Git ignores.
 */
static const struct framework {
	const char *program, *folder;
	struct {
		const char *from, *to[2];
	} names[6];
	enum program_setting_of sets; /* what replaces the first */
} frameworks[] = {
	{"svelte", ".svelte-kit", {{"$lib", {"src/lib"}}}, PROGRAM_LIB},
	{"nuxt",
	 ".nuxt",
	 {{"~", {"app", "."}},
	  {"@", {"app", "."}},
	  {"~~", {"."}},
	  {"@@", {"."}},
	  {"#shared", {"shared"}},
	  {"#server", {"server"}}},
	 PROGRAM_SRC_DIR},
	{"vite"},
	{"webpack"},
	{"astro"},
	{"vue", NULL, {{"@", {"src"}}}}, /* of Vue CLI */
	{"next"},
	{"vitest"},
	{"rspack"},
	{"rsbuild"},
};

/* "@" is also what stands below "@/"; "@/" is only that, and "a$" of webpack only the module. */
static void tree_prefix(struct imports_tree *t, struct str from, const struct strs *to,
			struct aliases *out)
{
	bool below = str_ends(from, STR("/*")), exact = str_ends(from, STR("$"));
	struct str name = str_sub(from, 0, from.n - exact - (below ? 2 : str_ends(from, STR("/"))));
	struct alias own = {.from = name}, all = {.from = str_fmt(t->a, "%.*s/*", STR_ARG(name))};
	struct aliases made = {0};
	struct str path;

	for (size_t i = 0; i < to->n; i++) {
		if (name_join(t->a, STR(""), to->p[i], &path))
			strs_push(t->a, &own.to, path);
		if (name_join(t->a, to->p[i], STR("*"), &path))
			strs_push(t->a, &all.to, path);
	}
	if (name.n == from.n - exact)
		tree_alias(t, own, &made);
	if (!exact)
		tree_alias(t, all, &made);
	tree_merge(t, &made, out);
}

/* Adds a path of a program; the top is empty. */
static void tree_path(struct imports_tree *t, struct str folder, struct str to, struct strs *out)
{
	struct str path = STR("..");

	if (str_ends(to, STR("/*")))
		to = str_sub(to, 0, to.n - 2);
	if (name_join(t->a, folder, to, &path) || !path.n)
		strs_push(t->a, out, path);
}

/* Adds the names of the framework in this folder. Returns a clause when there may be more. */
static struct str tree_program(struct imports_tree *t, struct str folder, const struct framework *f,
			       bool always, struct aliases *out)
{
	static const char *const ends[] = {"js", "ts", "mjs", "mts", "cjs"};
	struct program_settings program = {0};
	struct str name, text, set = {"", 0};
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(ends) && !found; i++) {
		name = str_fmt(t->a, "%s.config.%s", f->program, ends[i]);
		found = tree_text(t, folder, str_c(t->a, name), &text);
	}
	if (!found && !always)
		return (struct str){"", 0};
	if (found)
		program_read(t->a, name, text, f->sets, &program);
	for (size_t i = 0; i < program.n; i++)
		if (program.p[i].of != PROGRAM_ALIAS)
			set = program.p[i].to;
	for (size_t i = 0; i < ARRAY_SIZE(f->names) && f->names[i].from; i++) {
		const char *const *names = f->names[i].to;
		bool replaced = set.n && !strcmp(names[0], f->names[0].to[0]);
		struct strs to = {0};

		if (replaced)
			tree_path(t, folder, set, &to);
		for (size_t j = 0; j < ARRAY_SIZE(f->names[i].to) && names[j] && !replaced; j++)
			tree_path(t, folder, str_of(names[j]), &to);
		tree_prefix(t, str_of(f->names[i].from), &to, out);
	}
	for (size_t i = 0; i < program.n; i++) {
		struct strs to = {0};

		if (program.p[i].of != PROGRAM_ALIAS)
			continue;
		/* It may begin with a name that was made before. */
		alias_targets(t->a, out, program.p[i].to, &to);
		if (!to.n)
			tree_path(t, folder, program.p[i].to, &to);
		tree_prefix(t, program.p[i].from, &to, out);
	}
	return program.computed
		       ? str_fmt(t->a,
				 "a program decides some names in '%.*s%s%.*s', which may give it "
				 "a path",
				 STR_ARG(folder), folder.n ? "/" : "", STR_ARG(name))
		       : STR("");
}

/* A tsconfig.json that a framework writes and Git ignores gives its names. */
static bool tsconfig_generated(struct tsconfig *c, struct str path, struct settings *s)
{
	struct str at = str_dir(path), above = str_dir(at);
	struct aliases made = {0};

	for (size_t i = 0; i < ARRAY_SIZE(frameworks); i++)
		if (frameworks[i].folder && str_is(str_base(at), frameworks[i].folder))
			tree_tell(&s->lost, tree_program(c->t, above, &frameworks[i], true, &made));
	tree_merge(c->t, &made, &s->paths);
	return made.n > 0;
}

static bool tsconfig_read(struct tsconfig *c, struct str path, struct settings *s);

/* The first of these files that is there: another one extends or refers to it. */
static void tsconfig_other(struct tsconfig *c, struct str from, const struct strs *paths,
			   const char *verb, struct settings *s)
{
	for (size_t i = 0; i < paths->n; i++)
		if (tsconfig_read(c, paths->p[i], s) || tsconfig_generated(c, paths->p[i], s))
			return;
	if (paths->n)
		s->lost = str_fmt(c->t->a,
				  "'%.*s' %s '%.*s', which ikm cannot read here and which may give "
				  "it a path",
				  STR_ARG(from), verb, STR_ARG(paths->p[0]));
}

/* A package from elsewhere gives no names here. */
static void tsconfig_extend(struct tsconfig *c, struct str from, struct str next,
			    struct settings *s)
{
	struct strs names = {0}, paths = {0};
	bool relative = node_is_relative(next);
	struct str path;

	if (!relative)
		alias_targets(c->t->a, &s->members, next, &names);
	else if (name_join(c->t->a, str_dir(from), next, &path))
		strs_push(c->t->a, &names, path);
	/* The first name is the path in the folder; what the package exports comes before it. */
	for (size_t i = 1; i <= names.n; i++) {
		struct str name = names.p[i % names.n];

		strs_push(c->t->a, &paths,
			  str_ends(name, STR(".json"))
				  ? name
				  : str_fmt(c->t->a, "%.*s.json", STR_ARG(name)));
		if (!relative && !str_ends(name, STR(".json")))
			strs_push(c->t->a, &paths,
				  str_fmt(c->t->a, "%.*s/tsconfig.json", STR_ARG(name)));
	}
	tsconfig_other(c, from, &paths, "extends", s);
}

/*
 * A file that only refers to others gives the names of all of them: more names hide nothing. A
 * folder that is referred to has its own tsconfig.json for the files in it.
 */
static void tsconfig_references(struct tsconfig *c, struct str from, const struct val *list,
				struct settings *s)
{
	struct str path;

	if (s->paths.n || !list || list->type != VAL_LIST)
		return;
	VAL_EACH(list, m) {
		struct settings other = {.members = s->members};
		struct strs paths = {0};

		if (!str_ends(val_get_str(m, "path"), STR(".json")) ||
		    !name_join(c->t->a, str_dir(from), val_get_str(m, "path"), &path))
			continue;
		strs_push(c->t->a, &paths, path);
		tsconfig_other(c, from, &paths, "refers to", &other);
		tree_tell(&s->lost, other.lost);
		tree_merge(c->t, &other.paths, &s->paths);
		if (!s->has_base) {
			s->has_base = other.has_base;
			s->base = other.base;
		}
		if (!s->roots.n)
			s->roots = other.roots;
	}
}

/* False: there is no such file, or it does not parse. */
static bool tsconfig_read(struct tsconfig *c, struct str path, struct settings *s)
{
	const struct val *top, *extends;
	struct str folder = str_dir(path);
	struct strs all = {0};

	if (strs_has(&c->open, path))
		return true;
	top = tree_value(c->t, STR(""), str_c(c->t->a, path));
	if (!top)
		return false;
	if (!c->left) {
		s->lost = str_fmt(c->t->a,
				  "ikm reads %d files for a tsconfig.json, and '%.*s' behind them "
				  "may give it a path",
				  TSCONFIG_MAX, STR_ARG(path));
		return true;
	}
	c->left--;
	strs_push(c->t->a, &c->open, path);
	tsconfig_options(c, folder, top, s);
	extends = val_get(top, "extends");
	if (extends && extends->type == VAL_STR)
		strs_push(c->t->a, &all, extends->s);
	if (extends && extends->type == VAL_LIST)
		VAL_EACH(extends, m)
			if (m->type == VAL_STR)
				strs_push(c->t->a, &all, m->s);
	while (all.n) /* of several the last one wins */
		tsconfig_extend(c, path, all.p[--all.n], s);
	tsconfig_references(c, path, val_get(top, "references"), s);
	c->open.n--;
	return true;
}

/* Takes the clause that tells which settings could not be read since the last call; or empty. */
static struct str tree_unread(struct imports_tree *t)
{
	struct str unread = t->unread;

	t->unread = STR("");
	return unread;
}

/* A file that is there replaces what the folders above have. False: there is none. */
static bool tree_tsconfig(struct imports_tree *t, struct str folder, const char *name,
			  struct settings *s)
{
	struct tsconfig c = {.t = t, .folder = folder, .left = TSCONFIG_MAX};
	struct settings ts = {.members = s->members};
	struct str path, unread;
	bool is = name_join(t->a, folder, str_of(name), &path) && tsconfig_read(&c, path, &ts);

	unread = tree_unread(t);
	if (is) {
		s->paths = ts.paths;
		s->has_base = ts.has_base;
		s->base = ts.base;
		s->roots = ts.roots;
		s->lost = ts.lost;
	}
	tree_tell(&s->lost, unread);
	return is || unread.n;
}

/* ---- import maps ---- */

/* "db/": "./src/db/" names all below that folder. Other places, as "npm:x", are no paths. */
static void tree_import_map(struct imports_tree *t, struct str folder, const struct val *map,
			    struct aliases *out)
{
	VAL_EACH(map && map->type == VAL_MAP ? map : NULL, m) {
		struct alias one = {.from = m->key};
		struct str to = m->type == VAL_STR ? m->s : STR("");

		if (m->type == VAL_MAP) /* of "scopes" */
			tree_import_map(t, folder, m, out);
		if (!node_is_relative(to) && !str_starts(to, STR("/")))
			continue;
		if (str_ends(one.from, STR("/"))) {
			one.from = str_fmt(t->a, "%.*s*", STR_ARG(one.from));
			to = str_fmt(t->a, "%.*s/*", STR_ARG(to));
		}
		if (name_join(t->a, folder, to, &to))
			strs_push(t->a, &one.to, to);
		tree_alias(t, one, out);
	}
}

static void tree_deno(struct imports_tree *t, struct str folder, const struct val *deno,
		      struct settings *s)
{
	const struct val *const files[] = {deno, tree_value(t, folder, "deno.jsonc"),
					   tree_value(t, folder, "import_map.json")};
	struct aliases found = {0};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct str at = folder, other;
		const struct val *top = files[i];

		for (size_t n = 0; top && n < 2; n++) {
			tree_import_map(t, at, val_get(top, "imports"), &found);
			tree_import_map(t, at, val_get(top, "scopes"), &found);
			if (!name_join(t->a, at, val_get_str(top, "importMap"), &other) ||
			    !str_ends(other, STR(".json")))
				break;
			at = str_dir(other);
			top = tree_value(t, STR(""), str_c(t->a, other));
		}
	}
	if (found.n)
		s->maps = found;
}

/* ---- workspaces ---- */

/* A package of the workspace: its package.json or deno.json in the folder. */
static void tree_member(struct imports_tree *t, struct str folder, const struct val *top,
			struct aliases *out)
{
	const struct val *exports = val_get(top, "exports");
	struct str name = val_get_str(top, "name");
	struct alias all = {.from = str_fmt(t->a, "%.*s/*", STR_ARG(name))}, own = {.from = name};

	strs_push(t->a, &own.to, folder);
	/* A tsconfig.json that extends the package by its name reads this file. */
	if (val_get(top, "tsconfig"))
		tree_targets(t, folder, folder, val_get(top, "tsconfig"), &own.to);
	strs_push(t->a, &all.to, str_fmt(t->a, "%.*s/*", STR_ARG(folder)));
	if (!name.n)
		return;
	if (exports && exports->type == VAL_STR)
		tree_targets(t, folder, folder, exports, &own.to);
	if (exports && exports->type == VAL_MAP)
		VAL_EACH(exports, m) {
			struct str rest = str_sub(m->key, 1, m->key.n);
			struct alias one = {
				.from = str_fmt(t->a, "%.*s%.*s", STR_ARG(name), STR_ARG(rest))};
			/* "./a" and "./b/" + "*"; conditions without names are those of ".". */
			struct alias *of = str_starts(m->key, STR("./")) ? &one : &own;

			if (of == &one)
				strs_push(
					t->a, &one.to,
					str_fmt(t->a, "%.*s%.*s", STR_ARG(folder), STR_ARG(rest)));
			tree_targets(t, folder, folder, m, &of->to);
			if (of == &one)
				*VEC_PUSH(t->a, out) = one;
		}
	*VEC_PUSH(t->a, out) = own;
	*VEC_PUSH(t->a, out) = all;
}

/* Each folder once: those below another one of the list are left out. */
static void tree_list(struct imports_tree *t, struct strs *folders, const char *name,
		      struct strs *out)
{
	struct str last = {"", 0};
	struct err *e;

	strs_sort(folders);
	for (size_t i = 0; i < folders->n; i++) {
		struct str next = folders->p[i];

		if (i && str_starts(next, last))
			continue;
		last = next;
		next = str_sub(next, 0, next.n - (next.n > 0));
		e = t->files->list(t->files->ctx, t->a, next, name, out);
		if (e && err_reason(e) != E_FILE_NOT_FOUND)
			t->unread = str_fmt(t->a,
					    "ikm cannot list '%.*s' here, which may give it a "
					    "path: %s",
					    STR_ARG(next), err_message(e));
	}
}

static void tree_members(struct imports_tree *t, struct str folder, const struct val *list,
			 struct aliases *out)
{
	static const char *const names[] = {"package.json", "deno.json"};
	struct strs patterns = {0}, folders = {0}, found = {0};
	struct str top = folder.n ? str_fmt(t->a, "%.*s/", STR_ARG(folder)) : folder;
	struct globs globs;

	if (!t->files->list || !list || list->type != VAL_LIST)
		return;
	VAL_EACH(list, m) {
		struct str glob = m->type == VAL_STR ? m->s : STR("");
		bool left_out = str_starts(glob, STR("!"));
		size_t i = 0;

		if (!name_join(t->a, STR(""), str_sub(glob, left_out, glob.n), &glob))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			strs_push(t->a, &patterns,
				  str_fmt(t->a, "%s/%.*s/%s", left_out ? "!" : "", STR_ARG(glob),
					  names[k]));
		while (i < glob.n && !strchr("*?[{", glob.p[i]))
			i++;
		if (i < glob.n)
			glob = str_sub(glob, 0, str_rfind_char(str_sub(glob, 0, i), '/') + 1);
		if (!left_out)
			strs_push(t->a, &folders,
				  str_fmt(t->a, "%.*s%.*s%s", STR_ARG(top), STR_ARG(glob),
					  str_ends(glob, STR("/")) || !glob.n ? "" : "/"));
	}
	if (!folders.n || globs_new(t->a, &patterns, &globs))
		return;
	for (size_t k = 0; k < ARRAY_SIZE(names); k++)
		tree_list(t, &folders, names[k], &found);
	for (size_t i = 0; i < found.n; i++)
		if (str_starts(found.p[i], top) &&
		    globs_match(&globs, str_sub(found.p[i], top.n, found.p[i].n)))
			tree_member(t, str_dir(found.p[i]),
				    tree_value(t, STR(""), str_c(t->a, found.p[i])), out);
}

/* The packages that package.json names; some lie in folders. */
static void tree_packages(struct imports_tree *t, struct str folder, const struct val *package,
			  struct settings *s)
{
	static const char *const names[] = {"dependencies", "devDependencies", "peerDependencies",
					    "optionalDependencies"};
	struct str path;

	s->members.cap = s->members.n; /* shared with the folders above: the first push copies */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		VAL_EACH(val_get(package, names[i]), m) {
			struct str to = m->type == VAL_STR ? m->s : STR("");

			strs_push(t->a, &s->packages, m->key);
			if ((str_starts(to, STR("file:")) || str_starts(to, STR("link:"))) &&
			    name_join(t->a, folder, str_sub(to, 5, to.n), &path)) {
				struct alias all = {.from = str_fmt(t->a, "%.*s/*",
								    STR_ARG(m->key))},
					     own = {.from = m->key};

				/* A package in a folder: the folder, and what is below. */
				strs_push(t->a, &own.to, path);
				strs_push(t->a, &all.to, str_fmt(t->a, "%.*s/*", STR_ARG(path)));
				*VEC_PUSH(t->a, &s->members) = own;
				*VEC_PUSH(t->a, &s->members) = all;
			}
		}
}

static void tree_node(struct imports_tree *t, struct str folder, struct settings *s)
{
	const struct val *package = tree_value(t, folder, "package.json");
	const struct val *deno = tree_value(t, folder, "deno.json");
	const struct val *list = val_get(package, "workspaces");
	struct aliases members = {0};

	/* Workspaces of npm, yarn and bun, then of pnpm, then of deno. */
	if (list && list->type == VAL_MAP)
		list = val_get(list, "packages");
	tree_members(t, folder, list, &members);
	tree_members(t, folder, val_get(tree_value(t, folder, "pnpm-workspace.yaml"), "packages"),
		     &members);
	list = val_get(deno, "workspace");
	if (list && list->type == VAL_MAP)
		list = val_get(list, "members");
	tree_members(t, folder, list, &members);
	if (members.n)
		s->members = members;
	if (package) {
		struct aliases found = {0};

		tree_packages(t, folder, package, s);
		s->self = (struct aliases){0};
		if (val_get(package, "exports"))
			tree_member(t, folder, package, &s->self);
		s->imports = (struct aliases){0};
		tree_aliases(t, folder, folder, val_get(package, "imports"), &s->imports);
		for (size_t i = 0; i < ARRAY_SIZE(frameworks); i++)
			tree_tell(&s->unread,
				  tree_program(t, folder, &frameworks[i], false, &found));
		if (found.n)
			s->program = found;
	}
	tree_deno(t, folder, deno, s);
}

static void tree_go(struct imports_tree *t, struct str folder, struct settings *s)
{
	struct str text, line;

	if (!tree_text(t, folder, "go.mod", &text))
		return;
	while (str_next_line(&text, &line)) {
		line = str_trim(str_sub(line, 0, str_find(line, STR("//"), 0)));
		if (!str_starts(line, STR("module")) || line.n < 8 ||
		    !ascii_is_any_space(line.p[6]))
			continue;
		line = str_trim(str_sub(line, 7, line.n));
		if (line.n > 2 && (line.p[0] == '"' || line.p[0] == '`'))
			line = str_sub(line, 1, line.n - 1);
		s->unread = STR("");
		s->has_module = true;
		s->module = line;
		s->module_folder = folder;
		return;
	}
}

/* "Acme\\": "src/" of PSR-4: the names below Acme are files below src. */
static void tree_psr4(struct imports_tree *t, struct str folder, const struct val *map,
		      struct aliases *out)
{
	VAL_EACH(map && map->type == VAL_MAP ? map : NULL, m) {
		struct alias one = {.from = name_slashes(t->a, m->key, '\\')};
		struct strs folders = {0};

		if (m->type == VAL_STR)
			strs_push(t->a, &folders, m->s);
		if (m->type == VAL_LIST)
			VAL_EACH(m, v)
				if (v->type == VAL_STR)
					strs_push(t->a, &folders, v->s);
		one.from = str_fmt(t->a, "%.*s*", STR_ARG(one.from));
		for (size_t i = 0; i < folders.n; i++) {
			struct str to = str_fmt(t->a, "%.*s/*", STR_ARG(folders.p[i]));

			if (name_join(t->a, folder, to, &to))
				strs_push(t->a, &one.to, to);
		}
		tree_alias(t, one, out);
	}
}

static void tree_php(struct imports_tree *t, struct str folder, struct settings *s)
{
	const struct val *top = tree_value(t, folder, "composer.json");

	if (!top)
		return;
	s->unread = STR("");
	s->psr4 = (struct aliases){0};
	tree_psr4(t, folder, val_get(val_get(top, "autoload"), "psr-4"), &s->psr4);
	tree_psr4(t, folder, val_get(val_get(top, "autoload-dev"), "psr-4"), &s->psr4);
}

static struct settings *tree_folder(struct imports_tree *t, enum settings_of which,
				    struct str folder, const struct settings *above)
{
	struct slot *slot, *old = t->slots;
	size_t n = t->slots_n;
	struct settings *s;

	if (t->n * 2 >= n) {
		t->slots_n = size_max(SLOTS_MIN, n * 2);
		t->slots = arena_array(t->a, t->slots_n, sizeof(*t->slots));
		for (size_t i = 0; i < n; i++)
			if (old[i].settings)
				*tree_slot(t, old[i].which, old[i].folder) = old[i];
	}
	slot = tree_slot(t, which, folder);
	if (slot->settings)
		return slot->settings;
	s = ARENA_NEW(t->a, struct settings);
	if (above)
		*s = *above;
	s->packages = (struct strs){0};
	s->above = above;
	folder = str_dup(t->a, folder);
	if (which == SETTINGS_OF_NODE)
		tree_node(t, folder, s);
	else if (which == SETTINGS_OF_GO)
		tree_go(t, folder, s);
	else
		tree_php(t, folder, s);
	tree_tell(&s->unread, tree_unread(t));
	if (which == SETTINGS_OF_NODE && !tree_tsconfig(t, folder, "tsconfig.json", s))
		(void)tree_tsconfig(t, folder, "jsconfig.json", s);
	*slot = (struct slot){folder, which, s};
	t->n++;
	return s;
}

/* The settings for the files of a folder. NULL: no other file is known. */
static const struct settings *tree_settings(struct imports_tree *t, enum settings_of which,
					    struct str folder)
{
	const struct settings *s = NULL;
	size_t at = 0;

	if (!t || !t->files)
		return NULL;
	pthread_mutex_lock(&t->lock);
	/* From the top down, so that each folder begins with what holds above it. */
	for (;;) {
		s = tree_folder(t, which, str_sub(folder, 0, at), s);
		if (at == folder.n)
			break;
		at = size_min(str_find_char(folder, '/', at + 1), folder.n);
	}
	pthread_mutex_unlock(&t->lock);
	return s;
}

/* ---- what is added ---- */

/* Adds a name that the list does not have yet. */
static void name_add(const struct imports_asked *q, struct str name, bool path)
{
	struct imports_names *out = q->out;

	if (!name.n)
		return;
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i].name, name) && out->p[i].path == path)
			return;
	if (out->n < IMPORTS_NAMES)
		out->p[out->n++] = (struct imports_name){.name = name, .path = path};
	else
		out->lost = str_fmt(q->a, "it may mean '%.*s' too: ikm compares %d names of it",
				    STR_ARG(name), IMPORTS_NAMES);
}

/* Adds the path that begins in the folder, unless it leaves the top. */
static void name_path(const struct imports_asked *q, struct str folder, struct str rest)
{
	struct str to;

	if (name_join(q->a, folder, rest, &to))
		name_add(q, to, true);
}

static bool name_has_file(const struct imports_asked *q, struct str path, const char *end)
{
	const struct deps_files *f = q->tree ? q->tree->files : NULL;
	bool found = false;

	path = str_fmt(q->a, "%.*s%s", STR_ARG(path), end);
	return f && !f->read(f->ctx, q->a, path, NULL, &found) && found;
}

static bool name_is_file(const struct imports_asked *q, struct str path, const char *const *ends)
{
	while (*ends && !name_has_file(q, path, *ends))
		ends++;
	return *ends;
}

/* Adds the path below the folder of the file, or below the nearest one above, that is a file. */
static void name_above(const struct imports_asked *q, struct str rest, const char *const *ends)
{
	struct str folder = q->path, to;

	do {
		folder = str_dir(folder);
		if (name_join(q->a, folder, rest, &to) && name_is_file(q, to, ends)) {
			name_add(q, to, true);
			return;
		}
	} while (folder.n);
}

/* Adds what the aliases make of a module; what "*" makes of it must be a file. */
static void name_aliases(const struct imports_asked *q, const struct aliases *list,
			 struct str module, const char *const *ends)
{
	struct strs to = {0};
	bool any = alias_targets(q->a, list, module, &to);

	for (size_t i = 0; i < to.n; i++)
		if (!any || name_is_file(q, to.p[i], ends))
			name_path(q, STR(""), to.p[i]);
}

/* ---- JavaScript and TypeScript ---- */

static const char *const node_ends[] = {"",          ".ts",       ".tsx",       ".js", ".jsx",
					"/index.ts", "/index.js", "/index.tsx", NULL};

/* "node:fs" is "fs"; "npm:react@18/jsx" is "react/jsx". */
static void node_scheme(const struct imports_asked *q, struct str m)
{
	size_t at, end;

	if (str_starts(m, STR("node:")))
		name_add(q, str_sub(m, 5, m.n), false);
	if (!str_starts(m, STR("npm:")) && !str_starts(m, STR("jsr:")))
		return;
	m = str_sub(m, 4, m.n);
	str_take_char(&m, '/');
	at = str_find_char(m, '@', 1);
	end = at == SIZE_MAX ? SIZE_MAX : str_find_char(m, '/', at);
	name_add(q,
		 str_fmt(q->a, "%.*s%.*s", STR_ARG(str_sub(m, 0, at)),
			 STR_ARG(str_sub(m, end, m.n))),
		 false);
}

/* Whether it surely comes with Node, a framework or a package, and has no other name. */
static bool node_is_package(const struct settings *s, struct str module)
{
	static const char builtin[] =
		"assert async_hooks buffer child_process cluster console constants crypto dgram "
		"dns domain events fs http http2 https inspector module net os path perf_hooks "
		"process punycode querystring readline stream string_decoder sys timers tls "
		"tty url util v8 vm wasi worker_threads zlib";
	/* Modules that SvelteKit and Nuxt make. */
	static const char made[] = "$app $env $service-worker #app #build #components #head "
				   "#imports #internal #unhead #vue-router";
	size_t slash = str_find_char(module, '/', 0);
	struct str first = str_sub(module, 0, slash);

	if (str_find_char(module, ':', 0) != SIZE_MAX || lexer_word_is_one_of(first, builtin) ||
	    lexer_word_is_one_of(first, made))
		return true;
	if (str_starts(module, STR("@")) && slash != SIZE_MAX)
		slash = str_find_char(module, '/', slash + 1);
	module = str_sub(module, 0, slash);
	while (s && !strs_has(&s->packages, module))
		s = s->above;
	return s;
}

/* A path below one of rootDirs may lie below each other one. */
static void node_roots(const struct imports_asked *q, const struct strs *roots, struct str path)
{
	for (size_t i = 0; i < roots->n; i++) {
		struct str rest = str_sub(path, roots->p[i].n, path.n);

		if (!str_starts(path, roots->p[i]) || !str_starts(rest, STR("/")))
			continue;
		for (size_t j = 0; j < roots->n; j++)
			name_path(q, roots->p[j], rest);
	}
}

/*
 * A sheet of CSS, Sass or Less. The file of "db/user" is db/user.scss or db/_user.scss: a rule may
 * name either. sure: the name is that of a file, whether the tree has it or not.
 */
static bool name_sheet(const struct imports_asked *q, struct str folder, struct str module,
		       bool sure)
{
	static const char *const ends[] = {
		".scss",       ".sass",        ".less",       ".css", "/_index.scss",
		"/index.scss", "/_index.sass", "/index.sass", "",     NULL};
	struct str path, base, names[2];
	bool found[2] = {false, false};

	if (!name_join(q->a, folder, module, &path))
		return false;
	base = str_base(path);
	folder = str_sub(path, 0, path.n - base.n);
	found[1] = str_starts(base, STR("_"));
	base = str_sub(base, found[1], base.n);
	for (size_t i = 0; i < 2; i++) {
		names[i] =
			str_fmt(q->a, "%.*s%s%.*s", STR_ARG(folder), i ? "_" : "", STR_ARG(base));
		found[i] = found[i] || name_is_file(q, names[i], ends);
	}
	if (!sure && !found[0] && !found[1])
		return false;
	name_add(q, names[0], true);
	if (found[1])
		name_add(q, names[1], true);
	return true;
}

void imports_resolve_javascript(const struct imports_asked *q)
{
	struct str module = q->m->module, path;
	bool sheet = q->m->kind == IMPORTS_INCLUDE;
	const struct settings *s;

	if (sheet && (str_starts(module, STR("//")) || str_find(module, STR("://"), 0) != SIZE_MAX))
		return;
	if (sheet && str_starts(module, STR("~")) && !str_starts(module, STR("~/")))
		module = str_sub(module, 1, module.n); /* sass-loader, less-loader */
	if (sheet && str_starts(module, STR("pkg:")))
		module = str_sub(module, 4, module.n);
	if (str_starts(module, STR(".")))
		module = name_slashes(q->a, module, '\\'); /* Node on Windows */
	/* Bundlers: "./a.svg?url", "!!raw-loader!./a". */
	module = str_sub(module, 0, str_find_char(module, '?', 0));
	if (str_rfind_char(module, '!') != SIZE_MAX)
		module = str_sub(module, str_rfind_char(module, '!') + 1, module.n);
	if (!str_eq(module, q->m->module))
		name_add(q, module, false);
	s = tree_settings(q->tree, SETTINGS_OF_NODE, q->folder);
	/* Without dots a sheet lies beside the file, at the top, or in a package. */
	if (sheet && !name_sheet(q, q->folder, module, node_is_relative(module)))
		name_sheet(q, STR(""), module, false);
	if (node_is_relative(module) || q->m->kind == IMPORTS_REFERENCE) {
		name_path(q, q->folder, module);
		if (s && name_join(q->a, q->folder, module, &path))
			node_roots(q, &s->roots, path);
		return;
	}
	node_scheme(q, module);
	if (!s)
		return;
	if (str_starts(module, STR("#")))
		name_aliases(q, &s->imports, module, node_ends);
	name_aliases(q, &s->paths, module, node_ends);
	name_aliases(q, &s->maps, module, node_ends);
	name_aliases(q, &s->program, module, node_ends);
	name_aliases(q, &s->members, module, node_ends);
	name_aliases(q, &s->self, module, node_ends);
	if (str_starts(module, STR("/")) && !str_starts(module, STR("//")))
		name_above(q, module, node_ends); /* of Vite */
	/* With baseUrl, a name may be a file below it: only when the tree has that file. */
	if (s->has_base && name_join(q->a, s->base, module, &path) &&
	    name_is_file(q, path, node_ends))
		name_add(q, path, true);
	if (!q->out->p[q->out->n - 1].path && !node_is_package(s, module))
		q->out->lost = s->lost.n ? s->lost : s->unread;
}

void imports_aliases(struct imports_tree *tree, struct str path,
		     void (*fn)(void *ctx, struct str from, struct str to), void *ctx)
{
	const struct settings *s = tree_settings(tree, SETTINGS_OF_NODE, str_dir(path));
	const struct aliases *lists[] = {s ? &s->paths : NULL, s ? &s->imports : NULL,
					 s ? &s->maps : NULL, s ? &s->members : NULL,
					 s ? &s->program : NULL};

	for (size_t i = 0; s && i < ARRAY_SIZE(lists); i++)
		for (size_t j = 0; j < lists[i]->n; j++)
			for (size_t k = 0; k < lists[i]->p[j].to.n; k++)
				fn(ctx, lists[i]->p[j].from, lists[i]->p[j].to.p[k]);
}

/* ---- Python ---- */

/*
 * "..db.user" in src/ui/a.py is src/db/user. "app.db" is app/db from the top, and src/app/db in a
 * file of src/app: a module's first part is often a folder that the file lies in.
 */
void imports_resolve_python(const struct imports_asked *q)
{
	struct str m = q->m->module, folder = q->folder, rest = folder, part, first, to;
	size_t dots = 0;

	while (dots < m.n && m.p[dots] == '.')
		dots++;
	to = name_slashes(q->a, str_sub(m, dots, m.n), '.');
	if (dots) {
		for (size_t i = 1; i < dots; i++) {
			if (!folder.n)
				return; /* above the top */
			folder = str_dir(folder);
		}
		name_path(q, folder, to);
		return;
	}
	first = str_sub(m, 0, str_find_char(m, '.', 0));
	name_add(q, to, true);
	while (str_next_part(&rest, '/', &part)) {
		size_t at = (size_t)(part.p - folder.p);

		if (at && str_eq(part, first))
			name_add(q,
				 str_fmt(q->a, "%.*s%.*s", STR_ARG(str_sub(folder, 0, at)),
					 STR_ARG(to)),
				 true);
	}
}

/* ---- Go ---- */

/* "example.org/app/db" is the folder db beside the go.mod of the module example.org/app. */
void imports_resolve_go(const struct imports_asked *q)
{
	struct str m = q->m->module;
	const struct settings *s;

	if (str_starts(m, STR("."))) {
		name_path(q, q->folder, m);
		return;
	}
	s = tree_settings(q->tree, SETTINGS_OF_GO, q->folder);
	/* A package of the compiler has no dot in its first part. */
	if (s && str_find_char(str_sub(m, 0, str_find_char(m, '/', 0)), '.', 0) != SIZE_MAX)
		q->out->lost = s->unread;
	if (s && s->has_module && str_is_below(m, s->module))
		name_path(q, s->module_folder, str_sub(m, s->module.n, m.n));
}

/* ---- C ---- */

/* A header in quotes lies beside the file, when the tree has it there or its name is relative. */
void imports_resolve_c(const struct imports_asked *q)
{
	/* The compilers of Windows take "..\\db\\user.h". */
	struct str module = name_slashes(q->a, q->m->module, '\\'), to;

	if (name_join(q->a, q->folder, module, &to) &&
	    (str_starts(q->m->module, STR(".")) ||
	     (q->m->kind == IMPORTS_INCLUDE && name_has_file(q, to, ""))))
		name_add(q, to, true);
}

/* ---- Rust ---- */

/*
 * The folder where the crate of the file begins: src beside the nearest Cargo.toml. Without one it
 * is the innermost folder of that name; or empty.
 */
static struct str rust_source(const struct imports_asked *q)
{
	struct str folder = q->path, inner = {"", 0}, below;
	bool crate;

	do {
		below = folder;
		folder = str_dir(folder);
		if (!inner.n && str_is(str_base(folder), "src"))
			inner = folder;
		crate = name_has_file(q, folder, folder.n ? "/Cargo.toml" : "Cargo.toml");
	} while (!crate && folder.n);
	return crate && str_is(str_base(below), "src") ? below : inner;
}

/*
 * "crate::db" below src/ is src/db. "self" is the module of the file, and "super" the one above:
 * src/ui/page.rs is the module crate::ui::page, and src/ui/mod.rs is crate::ui.
 */
void imports_resolve_rust(const struct imports_asked *q)
{
	struct str rest = q->m->module, folder = q->folder, file = str_base(q->path), part;
	struct buf b = buf_in(q->a);

	if (q->m->kind == IMPORTS_INCLUDE) {
		name_path(q, folder, rest);
		return;
	}
	if (str_starts(rest, STR("crate::"))) {
		folder = rust_source(q);
		if (!folder.n) {
			q->out->lost = str_fmt(q->a,
					       "'%.*s' lies in no folder src of its crate, so ikm "
					       "does not know its path",
					       STR_ARG(q->path));
			return;
		}
		rest = str_sub(rest, 7, rest.n);
	} else if (str_starts(rest, STR("self::")) || str_starts(rest, STR("super::"))) {
		if (!str_is(file, "mod.rs") && !str_is(file, "lib.rs") && !str_is(file, "main.rs"))
			folder = str_sub(q->path, 0, q->path.n - 3);
		if (str_starts(rest, STR("self::")))
			rest = str_sub(rest, 6, rest.n);
		while (str_starts(rest, STR("super::"))) {
			folder = str_dir(folder);
			rest = str_sub(rest, 7, rest.n);
		}
	} else {
		return;
	}
	while (str_next_part(&rest, ':', &part)) {
		if (part.n && b.n)
			buf_putc(&b, '/');
		buf_put(&b, part);
	}
	name_path(q, folder, buf_as_str(&b));
}

/* ---- C# ---- */

/*
 * "global::A.B" is A.B, and so is "X::A.B" of an external alias. The file of "#load" lies beside
 * the script.
 */
void imports_resolve_csharp(const struct imports_asked *q)
{
	struct str m = q->m->module;
	size_t colons = str_find(m, STR("::"), 0);

	if (q->m->kind == IMPORTS_INCLUDE)
		name_path(q, q->folder, m);
	else if (colons != SIZE_MAX)
		name_add(q, str_sub(m, colons + 2, m.n), false);
}

/* ---- PHP, Ruby and the shells, whose paths begin in the folder where the program was started:
 * perhaps that of the file, perhaps the top. A word at the beginning stands for the folder of the
 * file ---- */

static bool name_beside(const struct imports_asked *q, struct str m, const char *beside)
{
	if (!str_starts(m, str_of(beside)))
		return false;
	name_path(q, STR(""),
		  str_fmt(q->a, "%.*s%.*s", STR_ARG(q->folder),
			  STR_ARG(str_sub(m, strlen(beside), m.n))));
	return true;
}

void imports_resolve_php(const struct imports_asked *q)
{
	struct str m = name_slashes(q->a, q->m->module, '\\');
	const struct settings *s;

	if (q->m->kind != IMPORTS_INCLUDE) {
		s = tree_settings(q->tree, SETTINGS_OF_PHP, q->folder);
		if (!s)
			return;
		name_aliases(q, &s->psr4, m, (const char *const[]){".php", NULL});
		if (q->out->n == 1)
			q->out->lost = s->unread;
	} else if (!name_beside(q, m, "__DIR__") && !str_starts(m, STR("/")) &&
		   str_find(m, STR("://"), 0) == SIZE_MAX) {
		name_path(q, q->folder, m);
		name_path(q, STR(""), m);
	}
}

void imports_resolve_ruby(const struct imports_asked *q)
{
	struct str m = q->m->module;
	bool relative = q->m->kind == IMPORTS_RELATIVE, include = q->m->kind == IMPORTS_INCLUDE;

	if (name_beside(q, m, IMPORTS_RUBY_BESIDE) || memchr("/~", m.p[0], 2))
		return;
	if (relative || include)
		name_path(q, q->folder, m);
	if (relative)
		return;
	if (include || str_starts(m, STR(".")))
		name_path(q, STR(""), m);
	name_above(q, str_fmt(q->a, "lib/%.*s", STR_ARG(m)),
		   (const char *const[]){str_ends(m, STR(".rb")) ? "" : ".rb", NULL});
}

void imports_resolve_shell(const struct imports_asked *q)
{
	struct str beside = imports_shell_after_dirname(q->m->module);
	struct str rest = beside.n ? beside : q->m->module;

	if (memchr("/~", rest.p[0], 2))
		return;
	name_path(q, q->folder, rest);
	if (!beside.n)
		name_path(q, STR(""), rest);
}
