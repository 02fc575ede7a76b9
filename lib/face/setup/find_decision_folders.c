/* Finds the folders of decisions of a repository, and names them in its settings. */
#include "conf/edit.h"
#include "json/json.h"
#include "knowledge/load.h"
#include "os/os.h"
#include "setup/setup.h"
#include "yaml/yaml.h"

#define CONF_NAME ".ikm/config.json"
#define TEXT_MAX  ((size_t)1 << 20)
/* The command that adds a source; for its JSON. */
#define SETUP_NAME "ikm config set --repo --add knowledge.sources '%.*s'"

/* The folders that adr-tools, log4brains, MADR and their users have. */
static const char *const usual[] = {
	"docs/adr",
	"docs/adrs",
	"doc/adr",
	"doc/adrs",
	"docs/decisions",
	"doc/decisions",
	"docs/architecture/decisions",
	"doc/architecture/decisions",
	"adr",
	"adrs",
};

struct setup_folder {
	struct str path; /* from the top */
	const char *by;  /* the file that names it; NULL: its name is usual */
	size_t items, rules;
	size_t sure;    /* items with a number in the name, or a status */
	size_t others;  /* decisions in another format than Markdown */
	bool own_files; /* of those in the folder itself only; it is a guess by its files */
};

struct setup_repo {
	struct setup *s;
	struct arena *a;
	const char *top, *conf; /* conf: the absolute path of its settings */
	struct tree *tree;      /* the working tree without ignored files */
	struct VEC(struct setup_folder) found;
};

/* ---- what is there ---- */

static struct str setup_json_source(struct arena *a, struct str path)
{
	struct val *v = val_map(a);

	val_set(a, v, "path", val_str(a, path));
	return json_text(a, v);
}

/* Counts the decisions of a folder as `ikm know` will read them. */
static struct err *setup_count_decisions(struct setup_repo *r, struct setup_folder *f)
{
	struct knowledge *k = ARENA_NEW(r->a, struct knowledge);
	struct kn_source *source = ARENA_NEW(r->a, struct kn_source);
	struct glob *own;

	source->layer = KN_LAYER_PROJECT;
	source->name = f->path;
	source->prefix = str_fmt(r->a, "%.*s/", STR_ARG(f->path));
	source->repo = r->top;
	source->own = true;
	if (f->own_files) {
		TRY(glob_new(r->a, STR("[!.]*.md"), &own));
		source->files = own;
	}
	TRY(knowledge_read_tree(r->a, source, tree_sub(r->a, r->tree, f->path), KN_TYPE_ADR, true,
				k));
	f->items = k->items.n;
	VEC_EACH(const struct kn_item, item, &k->items) {
		f->rules += item->constraints_n > 0;
		f->sure += item->status != KN_STATUS_DRAFT || kn_is_numbered(item->path);
	}
	VEC_EACH(const struct kn_passed, p, &k->passed) {
		f->others += p->why == KN_PASSED_DOCUMENT;
		/* It may have rules. */
		if (p->why == KN_PASSED_UNREADABLE)
			return err_new(E_PERMISSION, "cannot read '%s'",
				       os_join(r->a, r->top, str_c(r->a, p->path)));
	}
	return NULL;
}

static struct str setup_describe_count(struct arena *a, const struct setup_folder *f)
{
	if (!f->items && f->others)
		return str_fmt(a, "%zu decision%s in another format than Markdown", f->others,
			       PLURAL(f->others));
	if (!f->items)
		return STR("no decision yet");
	return str_fmt(a, "%zu decision%s, %zu of them with rules", f->items, PLURAL(f->items),
		       f->rules);
}

/* "./docs/adr/" is docs/adr. False: the path is not one below the top. */
static bool setup_inner(struct arena *a, struct str path, struct str *out)
{
	struct strs parts = {0};
	struct str rest = str_trim(path), part;

	if (!rest.n || rest.p[0] == '/' || rest.p[0] == '~' || !str_is_text(rest))
		return false;
	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, ".."))
			return false;
		if (part.n && !str_is(part, "."))
			strs_push(a, &parts, part);
	}
	*out = str_join(a, &parts, "/");
	return out->n;
}

static bool setup_has(const struct setup_repo *r, struct str path)
{
	for (size_t i = 0; i < r->found.n; i++)
		if (str_eq(r->found.p[i].path, path))
			return true;
	return false;
}

static void setup_candidate(struct setup_repo *r, struct str path, const char *by)
{
	struct str inner;

	if (!setup_inner(r->a, path, &inner))
		setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, by,
			       "it names '%.*s', which is no folder of this repository",
			       STR_ARG(path));
	else if (!setup_has(r, inner))
		*VEC_PUSH(r->a, &r->found) = (struct setup_folder){.path = inner, .by = by};
}

/* ---- files that name folders ---- */

/* A file of the repository; p NULL: there is none, or a step tells why ikm cannot read it. */
static struct str setup_read(struct setup_repo *r, const char *name)
{
	struct str text = {NULL, 0};
	struct tree_file f;
	bool there;
	struct err *e = tree_find(r->tree, str_of(name), &f, &there);

	if (!e && there)
		e = tree_read(r->tree, r->a, &f, TEXT_MAX, &text);
	if (e)
		setup_fail(r->s, SETUP_REPOSITORY, name, e);
	if (!e && there && !text.p)
		text = STR("");
	return e ? (struct str){NULL, 0} : text;
}

/* log4brains: project.adrFolder, and adrFolder of each package. */
static void setup_log4brains(struct setup_repo *r)
{
	static const char name[] = ".log4brains.yml";
	struct str text = setup_read(r, name);
	const struct val *project;
	struct val *root;
	struct err *e;

	if (!text.p)
		return;
	e = yaml_read(r->a, text, STR(""), 0, &root);
	if (e) {
		setup_fail(r->s, SETUP_REPOSITORY, name, err_add_context(e, "%s", name));
		return;
	}
	project = val_get(root, "project");
	if (val_get_str(project, "adrFolder").n)
		setup_candidate(r, val_get_str(project, "adrFolder"), name);
	VAL_EACH(val_get(project, "packages"), package)
		if (val_get_str(package, "adrFolder").n)
			setup_candidate(r, val_get_str(package, "adrFolder"), name);
}

/* ---- folders that no file names ---- */

#define SURE_LEAST 3    /* decisions that make a folder of any name one of decisions */
#define READ_MOST  5000 /* files that are read to find a folder by its statuses */

struct setup_walk {
	struct setup_repo *r;
	struct strs numbered, all; /* the folder of each Markdown file */
};

/* Whether a folder of this path may have decisions of this repository: "integration-tests" has not.
 */
static bool setup_is_own(struct str path)
{
	static const char *const foreign[] = {"node_modules", "vendor",   "third_party", "testdata",
					      "fixture",      "fixtures", "example",     "examples",
					      "test",         "tests",    NULL};
	struct str rest = path, part, word;

	while (str_next_part(&rest, '/', &part)) {
		if (kn_word_index(foreign, part) >= 0)
			return false;
		while (str_next_part(&part, '-', &word))
			if (kn_word_index(foreign, word) >= 0)
				return false;
	}
	return true;
}

static bool setup_is_usual(struct str folder)
{
	static const char *const names[] = {"adr",
					    "adrs",
					    "decisions",
					    "architecture-decisions",
					    "architecture_decisions",
					    "decision-records",
					    "architecture-decision-records",
					    "decision-log",
					    NULL};
	struct str name = str_base(folder);

	str_take_char(&name, '.');
	return kn_word_index(names, name) >= 0;
}

static struct err *setup_walk_file(void *ctx, const struct tree_file *file)
{
	struct setup_walk *w = ctx;
	struct str dir = str_dir(file->path);

	if (!str_ends(file->path, STR(".md")) || !dir.n || !setup_is_own(dir))
		return NULL;
	strs_push(w->r->a, &w->all, dir);
	if (kn_is_numbered(file->path))
		strs_push(w->r->a, &w->numbered, dir);
	return NULL;
}

static bool setup_is_below(const struct setup_repo *r, struct str path)
{
	for (size_t i = 0; i < r->found.n; i++)
		if (str_is_below(path, r->found.p[i].path))
			return true;
	return false;
}

/* The folder with the most entries in the sorted list that has enough of them; empty: none. */
static struct str setup_most(const struct strs *dirs, size_t least)
{
	struct str best = {"", 0};

	for (size_t i = 0, n; i < dirs->n; i += n) {
		for (n = 1; i + n < dirs->n && str_eq(dirs->p[i], dirs->p[i + n]); n++)
			;
		if (n < least)
			continue;
		least = n + 1;
		best = dirs->p[i];
	}
	return best;
}

/* Of the folders with Markdown the one whose own files have the most statuses. */
static struct err *setup_by_status(struct setup_repo *r, const struct strs *all, struct str *best)
{
	size_t most = SURE_LEAST, read = 0;

	for (size_t i = 0, n; i < all->n; i += n) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct setup_repo one = {.a = a, .top = r->top, .tree = r->tree};
		struct setup_folder f = {.path = all->p[i], .own_files = true};

		for (n = 1; i + n < all->n && str_eq(all->p[i], all->p[i + n]); n++)
			;
		if (n < most || (read += n) > READ_MOST)
			continue;
		TRY(setup_count_decisions(&one, &f));
		if (f.sure < most || f.sure * 2 < f.items)
			continue;
		most = f.sure + 1;
		*best = f.path;
	}
	return NULL;
}

/*
 * Folders with a usual last name, such as packages/web/docs/adr, that have decisions. Without any,
 * the best folder by its files, which only a person can tell from other texts.
 */
static struct err *setup_guess(struct setup_repo *r, bool named)
{
	struct setup_walk w = {.r = r};
	struct setup_folder f = {.own_files = true};
	bool found = named;

	TRY(tree_foreach(r->tree, STR(""), setup_walk_file, &w));
	strs_sort(&w.all);
	strs_sort(&w.numbered);
	for (size_t i = 0; i < w.all.n; i++) {
		struct setup_folder usually = {.path = w.all.p[i]};

		if (i && str_eq(w.all.p[i - 1], usually.path))
			continue;
		if (!setup_is_usual(usually.path) || setup_is_below(r, usually.path))
			continue;
		TRY(setup_count_decisions(r, &usually));
		if (usually.sure)
			*VEC_PUSH(r->a, &r->found) = usually;
	}
	for (size_t i = 0; i < r->found.n; i++)
		found = found || r->found.p[i].items || r->found.p[i].others;
	if (found)
		return NULL;
	f.path = setup_most(&w.numbered, SURE_LEAST);
	if (!f.path.n)
		TRY(setup_by_status(r, &w.all, &f.path));
	if (!f.path.n)
		return NULL;
	TRY(setup_count_decisions(r, &f));
	if (f.items)
		*VEC_PUSH(r->a, &r->found) = f;
	return NULL;
}

/* ---- the settings ---- */

/* *sources: the value of knowledge.sources in the file at the top; NULL: it has none. */
static struct err *setup_sources(struct setup_repo *r, const struct conf **out)
{
	struct conf_input in = {.no_user = true, .repo_name = str_of(CONF_NAME)};
	struct conf *conf;
	struct err *e = os_read_path(r->a, r->conf, TEXT_MAX, &in.repo_text);

	if (e && err_reason(e) != E_FILE_NOT_FOUND)
		return e;
	if (e || !str_trim(in.repo_text).n)
		in.repo_text = (struct str){NULL, 0};
	TRY(conf_load(r->a, &in, &conf));
	TRY(knowledge_check_sources(r->a, conf));
	*out = conf;
	return NULL;
}

static void setup_write(struct setup_repo *r)
{
	struct conf_edit q = {
		.op = CONF_ADD,
		.key = str_of(conf_settings[CONF_ID_knowledge_sources].key),
		.origin = CONF_REPO,
		.path = r->conf,
		.top = r->top,
		.folder_mode = 0777,
		.dry = r->s->dry,
	};
	struct conf_edited done;
	struct strs names = {0};
	struct err *e;

	VEC_EACH(struct setup_folder, f, &r->found) {
		if (!f->items || f->own_files)
			continue;
		strs_push(r->a, &names, f->path);
		strs_push(r->a, &q.values, setup_json_source(r->a, f->path));
	}
	if (!names.n)
		return;
	e = conf_edit_file(r->a, &q, &done);
	if (e) {
		setup_fail(r->s, SETUP_REPOSITORY, CONF_NAME, e);
		return;
	}
	setup_add_step(r->s, SETUP_DONE, SETUP_REPOSITORY, CONF_NAME, "%s has %.*s", q.key.p,
		       STR_ARG(str_join(r->a, &names, ", ")));
}

/* ---- the repository ---- */

static bool setup_is_source(struct arena *a, const struct conf *conf, struct str path)
{
	for (size_t i = 0; i < conf->knowledge_sources.n; i++) {
		struct str at;

		if (setup_inner(a, val_get_str(conf->knowledge_sources.p[i].value, "path"), &at) &&
		    str_eq(at, path))
			return true;
	}
	return false;
}

static void setup_tell(struct setup_repo *r, const struct conf *conf)
{
	bool named = conf->knowledge_sources.n > 0;

	VEC_EACH(const struct setup_folder, f, &r->found) {
		const char *path = str_c(r->a, f->path);
		struct str counted = setup_describe_count(r->a, f);
		const char *by = f->by ? str_fmt(r->a, ", named by %s", f->by).p : "";

		if (setup_is_source(r->a, conf, f->path)) {
			setup_add_step(r->s, SETUP_FOUND, SETUP_REPOSITORY, path,
				       "a source: %.*s%s", STR_ARG(counted), by);
		} else if (!f->items) {
			setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, path, "%.*s%s",
				       STR_ARG(counted), by);
			setup_set_remedy(r->s, f->others
						       ? "ikm reads Markdown in files named *.md: "
							 "convert them, then run 'ikm init' again"
						       : "write one, then run 'ikm init' again");
		} else if (named) {
			setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, path,
				       "%.*s%s, but " CONF_NAME " names other sources",
				       STR_ARG(counted), by);
			setup_set_remedy(r->s, SETUP_NAME,
					 STR_ARG(setup_json_source(r->a, f->path)));
		} else if (f->own_files) {
			setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, path,
				       "%.*s, it seems by their names or statuses",
				       STR_ARG(counted));
			setup_set_remedy(r->s, "if they are decisions: " SETUP_NAME,
					 STR_ARG(setup_json_source(r->a, f->path)));
		} else {
			setup_add_step(r->s, SETUP_FOUND, SETUP_REPOSITORY, path, "%.*s%s",
				       STR_ARG(counted), by);
		}
	}
}

/* Sources that the settings name, and that no usual name finds. */
static void setup_tell_named(struct setup_repo *r, const struct conf *conf)
{
	for (size_t i = 0; i < conf->knowledge_sources.n; i++) {
		struct str path = val_get_str(conf->knowledge_sources.p[i].value, "path"), at;

		if (setup_inner(r->a, path, &at) && setup_has(r, at))
			continue;
		setup_add_step(r->s, SETUP_FOUND, SETUP_REPOSITORY, str_c(r->a, path),
			       "a source that " CONF_NAME " names");
	}
}

static struct err *setup_look(struct setup_repo *r, const struct conf **conf)
{
	size_t kept = 0;
	struct str text, line = {"", 0}, rest;

	TRY(setup_sources(r, conf));
	/* adr-tools: the folder, in the first line. */
	text = setup_read(r, ".adr-dir");
	rest = text;
	str_next_line(&rest, &line);
	if (text.p)
		setup_candidate(r, line, ".adr-dir");
	setup_log4brains(r);
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		setup_candidate(r, str_of(usual[i]), NULL);
	for (size_t i = 0; i < r->found.n; i++) {
		struct setup_folder f = r->found.p[i];
		const char *path = os_join(r->a, r->top, str_c(r->a, f.path));
		struct os_stat st;

		TRY(os_stat(path, false, &st));
		if (st.kind == OS_DIR)
			TRY(setup_count_decisions(r, &f));
		else if (st.kind == OS_LINK)
			setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, str_c(r->a, f.path),
				       "a link: a source is a folder of the repository");
		else if (f.by)
			setup_add_step(r->s, SETUP_SKIPPED, SETUP_REPOSITORY, f.by,
				       "it names '%.*s', and there is no such folder",
				       STR_ARG(f.path));
		if (st.kind == OS_DIR)
			r->found.p[kept++] = f;
	}
	r->found.n = kept;
	return setup_guess(r, (*conf)->knowledge_sources.n > 0);
}

void setup_repository(struct setup *s, struct git *g)
{
	struct setup_repo r = {.s = s, .a = s->a};
	const struct conf *conf;
	struct err *e;

	if (!g) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_REPOSITORY, NULL,
			       "this is not a Git repository");
		setup_set_remedy(s, "run 'ikm init' in one that has decisions");
		return;
	}
	if (git_is_bare(g)) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_REPOSITORY, git_dir(g),
			       "a bare repository has no working tree, so no " CONF_NAME);
		setup_set_remedy(s, "run 'ikm init' in a clone, and push what it writes; 'ikm hook "
				    "install --server' makes this repository judge pushes");
		return;
	}
	r.top = git_top(g);
	r.conf = os_join(s->a, r.top, CONF_NAME);
	e = git_tree_worktree(g, &r.tree);
	if (!e)
		e = setup_look(&r, &conf);
	if (e) {
		setup_fail(s, SETUP_REPOSITORY, r.top, e);
		return;
	}
	setup_tell(&r, conf);
	setup_tell_named(&r, conf);
	if (!conf->knowledge_sources.n)
		setup_write(&r);
	if (!r.found.n && !conf->knowledge_sources.n) {
		setup_add_step(
			s, SETUP_SKIPPED, SETUP_REPOSITORY, r.top,
			"no folder of decisions; ikm looked for .adr-dir, .log4brains.yml, %s "
			"and others",
			usual[0]);
		setup_set_remedy(s,
				 "to name yours: " SETUP_NAME "; to begin one: " KNOWLEDGE_SETUP
				 " && ikm know new adr 'TITLE'",
				 STR_ARG(STR("{\"path\": \"FOLDER\"}")));
	}
}
