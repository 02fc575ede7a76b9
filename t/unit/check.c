#include "tap.h"
#include "check/check.h"
#include "re/re.h"

/*
 * Each case is a base, a change and rules, and what the report says, one line for each thing:
 *
 *   block adr.1 src/a.js:3:5 'eval('       a violation; " existing", " base" behind it
 *   skip a.png binary                      " blocking", " added" behind it
 *   broken docs/adr.md blocks              a note
 *   judged 2, not judged 1, existing 3     what differs from "all judged, nothing else"
 */
enum { NONE, FILE_, LINK, SUB };

struct file {
	const char *path, *text;
	enum tree_kind kind;
	size_t n; /* of text, when it has NULs */
};

struct con {
	const char *item; /* NULL: "adr" */
	enum kn_operator op;
	enum kn_target target;
	const char *pattern; /* NULL ends a list */
	enum kn_severity severity;
	const char *in, *version, *message;
	enum kn_status status; /* of the item */
	bool draft;            /* status is DRAFT, which is 0 */
};

#define FILES 8
#define CONS  5

struct test {
	const char *what;
	bool no_base, own_base_rules, existing, json;
	enum kn_severity min;
	const char *only, *ids;
	struct file base[FILES], now[FILES];
	struct con rules[CONS], base_rules[CONS];
	struct check_dep deps[4];
	bool incomplete;
	size_t max_file;
	struct kn_note note;
	bool all; /* broken_blocks */
	const char *want;
};

#define BLOCK KN_SEVERITY_BLOCK
#define WARN  KN_SEVERITY_WARN
#define INFO  KN_SEVERITY_INFO
#define DEP(o, p)  .op = KN_OP_##o, .target = KN_TARGET_DEPENDENCY, .pattern = p
#define CODE(o, p) .op = KN_OP_##o, .target = KN_TARGET_CODE, .pattern = p
#define PATH(o, p) .op = KN_OP_##o, .target = KN_TARGET_FILE, .pattern = p
#define B          .severity = BLOCK
#define W          .severity = WARN

static struct strs words(struct arena *a, const char *text)
{
	struct str rest = str_of(text), part;
	struct strs v = {0};

	while (text && str_split(&rest, ' ', &part))
		strs_push(a, &v, part);
	return v;
}

/* As the reader of knowledge does it. */
static void compile(struct arena *a, struct kn_constraint *c)
{
	bool match = c->op == KN_OP_MUST_MATCH || c->op == KN_OP_MUST_NOT_MATCH;
	unsigned flags = c->target == KN_TARGET_DEPENDENCY ? RE_ICASE | RE_WHOLE
			 : c->target == KN_TARGET_CODE	   ? RE_MULTILINE
							   : 0;
	struct err *e = globs_new(a, &c->applies_to, &c->applies);

	if (!e && c->target == KN_TARGET_FILE && !match)
		e = glob_new(a, c->pattern, &c->glob);
	else if (!e)
		e = re_new(a, c->pattern, flags, &c->re);
	if (e)
		BUG("%s", err_message(e));
}

static struct knowledge *knowledge_of(struct arena *a, const struct con *c)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);

	k->sources = 1;
	for (; c->pattern; c++) {
		struct str id = str_of(c->item ? c->item : "adr");
		struct kn_item *i = NULL;
		struct kn_constraint one;
		size_t cap;

		for (size_t n = 0; n < k->items.n; n++)
			if (str_eq(k->items.p[n].id, id))
				i = &k->items.p[n];
		if (!i) {
			i = VEC_PUSH(a, &k->items);
			i->id = i->title = id;
			i->layer = KN_LAYER_PROJECT;
			i->status = c->draft ? KN_STATUS_DRAFT : c->status ? c->status : KN_STATUS_ACCEPTED;
			i->path = str_fmt(a, "%.*s.md", STR_ARG(id));
			i->shown_path = str_fmt(a, "docs/%.*s.md", STR_ARG(id));
			i->metadata = val_map(a);
			i->in_tree = true;
		}
		cap = i->constraints_n;
		one = (struct kn_constraint){
			.index = (unsigned)++i->constraints_n,
			.op = c->op,
			.target = c->target,
			.pattern = str_of(c->pattern),
			.applies_to = words(a, c->in),
			.severity = c->severity,
			.message = str_of(c->message),
			.version = str_of(c->version),
		};
		i->constraints = arena_grow(a, i->constraints, &cap, i->constraints_n,
					    sizeof(one));
		i->constraints[i->constraints_n - 1] = one;
		compile(a, &i->constraints[i->constraints_n - 1]);
	}
	knowledge_finish(a, k);
	return k;
}

static struct tree *tree_of(struct arena *a, const char *name, const struct file *f)
{
	struct tree_mem_file *files = arena_array(a, FILES, sizeof(*files));
	size_t n = 0;

	for (; f->path && n < FILES; f++, n++) {
		files[n].path = str_of(f->path);
		files[n].kind = f->kind;
		files[n].content = f->n ? (struct str){f->text, f->n} : str_of(f->text);
	}
	return tree_mem(a, str_of(name), files, n);
}

static struct str text_of(struct arena *a, const struct check_report *r)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *v = &r->violations.p[i];

		buf_fmt(&b, "%s %.*s.%u", kn_severities[v->severity], STR_ARG(v->item->id),
			v->constraint->index);
		if (v->file.n)
			buf_fmt(&b, " %.*s", STR_ARG(v->file));
		if (v->line)
			buf_fmt(&b, ":%zu:%zu", v->line, v->column);
		if (v->found.n && !str_eq(v->found, v->file))
			buf_fmt(&b, " '%.*s'", STR_ARG(v->found));
		buf_fmt(&b, "%s%s\n", v->existing ? " existing" : "", v->from_base ? " base" : "");
	}
	for (size_t i = 0; i < r->skipped.n; i++) {
		const struct check_skipped *s = &r->skipped.p[i];

		buf_fmt(&b, "skip %.*s %s%s%s\n", STR_ARG(s->path), check_skip_name(s->why),
			s->blocking ? " blocking" : "", s->added ? " added" : "");
	}
	for (size_t i = 0; i < r->notes.n; i++)
		buf_fmt(&b, "%s %.*s%s\n", check_note_name(r->notes.p[i].kind),
			STR_ARG(r->notes.p[i].path), r->notes.p[i].blocks ? " blocks" : "");
	if (r->not_judged)
		buf_fmt(&b, "not judged %u\n", r->not_judged);
	if (r->existing)
		buf_fmt(&b, "existing %u\n", r->existing);
	if (!r->passed)
		buf_puts(&b, "blocked\n");
	return buf_str(&b);
}

static struct check_input input_of(struct arena *a, const struct test *t)
{
	struct check_input in = {
		.now = t->json && !t->now[0].path ? NULL : tree_of(a, "now", t->now),
		.base = t->no_base || t->json ? NULL : tree_of(a, "base", t->base),
		.only = words(a, t->only),
		.item_ids = words(a, t->ids),
		.min_severity = t->min,
		.complete = !t->incomplete,
		.want_existing = t->existing,
		.broken_blocks = t->all,
		.max_file = t->max_file,
		.threads = 1,
	};
	struct knowledge *k = knowledge_of(a, t->rules);

	if (t->note.path.n)
		*VEC_PUSH(a, &k->notes) = t->note;
	in.rules = k;
	in.base_rules = t->own_base_rules ? knowledge_of(a, t->base_rules) : NULL;
	in.deps = t->deps;
	while (in.deps_n < ARRAY_SIZE(t->deps) && t->deps[in.deps_n].name.n)
		in.deps_n++;
	return in;
}

static void run_case(const struct test *t)
{
	struct arena *a = arena_new();
	struct check_input in = input_of(a, t);
	struct check_report one = {0}, two = {0};
	struct err *e = check_run(a, &in, &one);

	if (e) {
		works(e, t->what);
	} else {
		is_str(text_of(a, &one), str_of(t->want), t->what);
		in.threads = 3;
		e = check_run(a, &in, &two);
		if (e || !str_eq(text_of(a, &one), text_of(a, &two)))
			ok(false, "%s: the same with three threads", t->what);
	}
	arena_free(a);
}

#define PKG(deps) "{\n  \"dependencies\": {" deps "}\n}\n"
#define LFS "version https://git-lfs.github.com/spec/v1\n"                                        \
	    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"        \
	    "size 12345\n"

static const struct test tests[] = {
	/* ---- dependency ---- */
	{"dependency must_not_use: the seed's example, as input", .json = true,
	 .deps = {{STR_INIT("mysql2"), STR_INIT("3.0.0"), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql|mysql2|mariadb"), B}},
	 .want = "block adr.1 'mysql2 3.0.0'\nblocked\n"},
	{"dependency: the whole name must match", .json = true,
	 .deps = {{STR_INIT("mysql2x"), STR_INIT(""), STR_INIT("")},
		  {STR_INIT("xmysql"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql|mysql2|mariadb"), B}}, .want = ""},
	{"dependency: case is ignored", .json = true,
	 .deps = {{STR_INIT("MySQL2"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), W}}, .want = "warn adr.1 'MySQL2'\n"},
	{"dependency: an unknown ecosystem also gets PyPI's normal name", .json = true,
	 .deps = {{STR_INIT("Mysql_Client.x"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql-client-x"), W}}, .want = "warn adr.1 'Mysql_Client.x'\n"},
	{"dependency: input has no path, so appliesTo does not hold it back", .json = true,
	 .deps = {{STR_INIT("mysql"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql"), B, .in = "web/"}},
	 .want = "block adr.1 'mysql'\nblocked\n"},
	{"dependency: twice in the input is one finding", .json = true,
	 .deps = {{STR_INIT("mysql"), STR_INIT("1.0.0"), STR_INIT("")},
		  {STR_INIT("mysql"), STR_INIT("2.0.0"), STR_INIT("")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql"), B}}, .want = "block adr.1 'mysql 1.0.0'\nblocked\n"},
	{"dependency version: inside the range", .json = true,
	 .deps = {{STR_INIT("lodash"), STR_INIT("4.17.5"), STR_INIT("npm")}},
	 .rules = {{DEP(MUST_NOT_USE, "lodash"), B, .version = "<4.17.21"}},
	 .want = "block adr.1 'lodash 4.17.5'\nblocked\n"},
	{"dependency version: outside the range", .json = true,
	 .deps = {{STR_INIT("lodash"), STR_INIT("4.17.21"), STR_INIT("npm")}},
	 .rules = {{DEP(MUST_NOT_USE, "lodash"), B, .version = "<4.17.21"}}, .want = ""},
	{"dependency version: none given excludes nothing", .json = true,
	 .deps = {{STR_INIT("lodash"), STR_INIT(""), STR_INIT("npm")}},
	 .rules = {{DEP(MUST_NOT_USE, "lodash"), B, .version = "<4.17.21"}},
	 .want = "block adr.1 'lodash'\nblocked\n"},
	{"dependency version: a range in PyPI's syntax", .json = true,
	 .deps = {{STR_INIT("requests"), STR_INIT("2.5.0"), STR_INIT("pypi")}},
	 .rules = {{DEP(MUST_NOT_USE, "requests"), B, .version = ">=2,!=2.5.0"}}, .want = ""},
	{"dependency version: a range nobody can read is broken knowledge", .json = true,
	 .deps = {{STR_INIT("lodash"), STR_INIT(""), STR_INIT("npm")}},
	 .rules = {{DEP(MUST_NOT_USE, "lodash"), B, .version = "<<nine lives"}},
	 .want = "broken docs/adr.md\n"},
	{"dependency must_match: each name that does not", .json = true,
	 .deps = {{STR_INIT("@acme/a"), STR_INIT(""), STR_INIT("")},
		  {STR_INIT("left-pad"), STR_INIT("1.0.0"), STR_INIT("")}},
	 .rules = {{DEP(MUST_MATCH, "@acme/.*"), B}}, .want = "block adr.1 'left-pad 1.0.0'\nblocked\n"},
	{"dependency must_use: there", .json = true,
	 .deps = {{STR_INIT("pg"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_USE, "pg|postgres"), B}}, .want = ""},
	{"dependency must_use: not there", .json = true,
	 .deps = {{STR_INIT("mongodb"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_USE, "pg|postgres"), B}}, .want = "block adr.1\nblocked\n"},
	{"dependency must_use: not judged when the input is not complete", .json = true,
	 .incomplete = true, .deps = {{STR_INIT("mongodb"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{DEP(MUST_USE, "pg|postgres"), B}}, .want = "not judged 1\n"},
	{"nothing but dependencies: rules on files are not judged", .json = true,
	 .deps = {{STR_INIT("a"), STR_INIT(""), STR_INIT("")}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}, {PATH(MUST_NOT_EXIST, "*.pem"), B},
		   {DEP(MUST_NOT_USE, "b"), B}},
	 .want = "not judged 2\n"},
	{"manifest: introduced, with its place",
	 .base = {{"package.json", PKG("\"pg\": \"8\"")}},
	 .now = {{"package.json", PKG("\"pg\": \"8\",\n    \"mysql2\": \"^3.0.0\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B}},
	 .want = "block adr.1 package.json:3:6 'mysql2 ^3.0.0'\nblocked\n"},
	{"manifest: what was there before is existing",
	 .base = {{"package.json", PKG("\"mysql2\": \"2\"")}},
	 .now = {{"package.json", PKG("\"mysql2\": \"3\", \"pg\": \"8\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B}}, .want = "existing 1\n"},
	{"manifest: and listed when asked for", .existing = true,
	 .base = {{"package.json", PKG("\"mysql2\": \"2\"")}},
	 .now = {{"package.json", PKG("\"mysql2\": \"3\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B}},
	 .want = "block adr.1 package.json:2:21 'mysql2 3' existing\nexisting 1\n"},
	{"manifest: a rename carries what was there along",
	 .base = {{"a/package.json", PKG("\"mysql2\": \"2\"")}},
	 .now = {{"b/package.json", PKG("\"mysql2\": \"2\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B}}, .want = "existing 1\n"},
	{"manifest: renamed into the rule's reach counts",
	 .base = {{"a/package.json", PKG("\"mysql2\": \"2\"")}},
	 .now = {{"b/package.json", PKG("\"mysql2\": \"2\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B, .in = "b/"}},
	 .want = "block adr.1 b/package.json:2:21 'mysql2 2'\nblocked\n"},
	{"manifest: appliesTo selects by path",
	 .base = {{NULL}},
	 .now = {{"api/package.json", PKG("\"mysql2\": \"2\"")},
		 {"web/package.json", PKG("\"mysql2\": \"2\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?"), B, .in = "web/"}},
	 .want = "block adr.1 web/package.json:2:21 'mysql2 2'\nblocked\n"},
	{"manifest: an alias does not hide the package",
	 .now = {{"package.json", PKG("\"db\": \"npm:mysql2@3.1.0\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}},
	 .want = "block adr.1 package.json:2:31 'mysql2 3.1.0 (as db)'\nblocked\n"},
	{"manifest: and the alias itself is a name that can be forbidden",
	 .now = {{"package.json", PKG("\"mysql2\": \"npm:pg@8.0.0\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}},
	 .want = "block adr.1 package.json:2:35 'pg 8.0.0 (as mysql2)'\nblocked\n"},
	{"manifest: but an alias is not the real thing",
	 .base = {{"package.json", PKG("\"pg\": \"8.0.0\"")}},
	 .now = {{"package.json", PKG("\"pg\": \"npm:mysql2@3.0.0\"")}},
	 .rules = {{DEP(MUST_USE, "pg"), B}}, .want = "block adr.1\nblocked\n"},
	{"manifest: normalised names",
	 .now = {{"requirements.txt", "# db\nMySQL_Client==2.0\n"}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql-client"), B}},
	 .want = "block adr.1 requirements.txt:2:1 'MySQL_Client ==2.0'\nblocked\n"},
	{"manifest: one finding for a package in many places",
	 .now = {{"package.json", "{\"dependencies\": {\"a\": \"1\"}, \"devDependencies\": {\"a\": \"2\"}}"}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}},
	 .want = "block adr.1 package.json:1:20 'a 1'\nblocked\n"},
	{"manifest: one more place counts, at that place",
	 .base = {{"package.json", "{\"dependencies\": {\"a\": \"1\"}}"}},
	 .now = {{"package.json", "{\"dependencies\": {\"a\": \"1\"}, \"devDependencies\": {\"a\": \"2\"}}"}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}},
	 .want = "block adr.1 package.json:1:51 'a 2'\nblocked\n"},
	{"manifest: that does not parse, touched, blocking rule",
	 .base = {{"package.json", PKG("")}}, .now = {{"package.json", "{\"dependencies\": {"}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}},
	 .want = "skip package.json unreadable blocking\nunreadable package.json blocks\nblocked\n"},
	{"manifest: that does not parse, touched, rule that warns",
	 .base = {{"package.json", PKG("")}}, .now = {{"package.json", "{\"dependencies\": {"}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), W}},
	 .want = "skip package.json unreadable\nunreadable package.json\n"},
	{"manifest: that does not parse and is not touched", .existing = true,
	 .base = {{"package.json", "{"}}, .now = {{"package.json", "{"}, {"a.txt", ""}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}},
	 .want = "skip package.json unreadable blocking\nunreadable package.json\n"},
	{"manifest: that does not parse and no rule applies to",
	 .now = {{"fixtures/package.json", "{"}}, .rules = {{DEP(MUST_NOT_USE, "a"), B, .in = "/src/"}},
	 .want = ""},
	{"manifest: a link is not read, and that is told",
	 .now = {{"package.json", "real.json", TREE_LINK}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}}, .want = "skip package.json link blocking\n"},
	{"dependency must_use: the change drops the last one",
	 .base = {{"package.json", PKG("\"pg\": \"8\"")}}, .now = {{"package.json", PKG("")}},
	 .rules = {{DEP(MUST_USE, "pg"), B}}, .want = "block adr.1\nblocked\n"},
	{"dependency must_use: another manifest still has it",
	 .base = {{"package.json", PKG("\"pg\": \"8\"")}, {"x/package.json", PKG("\"pg\": \"8\"")}},
	 .now = {{"package.json", PKG("")}, {"x/package.json", PKG("\"pg\": \"8\"")}},
	 .rules = {{DEP(MUST_USE, "pg"), B}}, .want = ""},
	{"dependency must_use: nobody had it before either",
	 .base = {{"package.json", PKG("")}}, .now = {{"package.json", PKG("\"a\": \"1\"")}},
	 .rules = {{DEP(MUST_USE, "pg"), B}}, .want = ""},

	/* ---- code ---- */
	{"code must_not_use: each occurrence with line and column",
	 .base = {{"a.js", "x\n"}}, .now = {{"a.js", "x\n  eval(1); eval(2)\neval(3)\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval\\("), B}},
	 .want = "block adr.1 a.js:2:3 'eval('\nblock adr.1 a.js:2:12 'eval('\n"
		 "block adr.1 a.js:3:1 'eval('\nblocked\n"},
	{"code must_not_match: the same", .now = {{"a.js", "eval("}},
	 .rules = {{CODE(MUST_NOT_MATCH, "eval\\("), W}}, .want = "warn adr.1 a.js:1:1 'eval('\n"},
	{"code: case counts, and ^ is each line", .now = {{"a", "Eval\neval\n eval\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "^eval$"), W}}, .want = "warn adr.1 a:2:1 'eval'\n"},
	{"code: only the line that is new counts, wherever it stands",
	 .base = {{"a.js", "eval(old)\n"}},
	 .now = {{"a.js", "// moved\neval(new)\n  eval(old)\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval\\("), B}},
	 .want = "block adr.1 a.js:2:1 'eval('\nexisting 1\nblocked\n"},
	{"code: a line that changed around its match is existing",
	 .base = {{"a.js", "eval(old)\n"}}, .now = {{"a.js", "eval(new)\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval\\("), B}}, .want = "existing 1\n"},
	{"code: another matched text counts", .base = {{"a.js", "eval(1)\n"}},
	 .now = {{"a.js", "exec(1)\n"}}, .rules = {{CODE(MUST_NOT_USE, "eval|exec"), B}},
	 .want = "block adr.1 a.js:1:1 'exec'\nblocked\n"},
	{"code: the same line twice, once before", .base = {{"a.js", "eval(1)\n"}},
	 .now = {{"a.js", "eval(1)\neval(1)\n"}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 a.js:2:1 'eval'\nexisting 1\nblocked\n"},
	{"code: fewer than before is existing", .base = {{"a.js", "eval(1)\neval(2)\n"}},
	 .now = {{"a.js", "eval(3)\n"}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "existing 1\n"},
	{"code: files that did not change are not looked at",
	 .base = {{"a.js", "eval\n"}, {"b.js", "x\n"}}, .now = {{"a.js", "eval\n"}, {"b.js", "y\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = ""},
	{"code: unless asked for", .existing = true,
	 .base = {{"a.js", "eval\n"}, {"b.js", "x\n"}}, .now = {{"a.js", "eval\n"}, {"b.js", "y\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 a.js:1:1 'eval' existing\nexisting 1\n"},
	{"code: a rename with an edit", .base = {{"a.js", "1\n2\n3\n4\neval(1)\n"}},
	 .now = {{"b.js", "1\n2\n3\n4\neval(1)\neval(2)\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 b.js:6:1 'eval'\nexisting 1\nblocked\n"},
	{"code: without a base all counts", .no_base = true, .now = {{"a.js", "eval\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "block adr.1 a.js:1:1 'eval'\nblocked\n"},
	{"code: appliesTo with a folder and an exception", .no_base = true,
	 .now = {{"src/a.js", "eval"}, {"src/t/a.js", "eval"}, {"web/a.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B, .in = "src/ !src/t/"}},
	 .want = "block adr.1 src/a.js:1:1 'eval'\nblocked\n"},
	{"code must_match: files that lack it", .no_base = true,
	 .now = {{"a.c", "/* SPDX-License */\n"}, {"b.c", "int x;\n"}, {"c.h", ""}},
	 .rules = {{CODE(MUST_MATCH, "SPDX"), B, .in = "*.c"}}, .want = "block adr.1 b.c\nblocked\n"},
	{"code must_match: introduced by taking it out",
	 .base = {{"a.c", "SPDX\n"}, {"b.c", "x\n"}}, .now = {{"a.c", "-\n"}, {"b.c", "y\n"}},
	 .rules = {{CODE(MUST_MATCH, "SPDX"), B}}, .want = "block adr.1 a.c\nexisting 1\nblocked\n"},
	{"code must_match: a new file lacks it", .base = {{"a.c", "SPDX\n"}},
	 .now = {{"a.c", "SPDX\n"}, {"b.c", "int b;\n"}}, .rules = {{CODE(MUST_MATCH, "SPDX"), B}},
	 .want = "block adr.1 b.c\nblocked\n"},
	{"code must_use: some file has it", .no_base = true, .now = {{"a", "x"}, {"b", "helmet()"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = ""},
	{"code must_use: no file has it", .no_base = true, .now = {{"a", "x"}, {"b", "y"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "block adr.1\nblocked\n"},
	{"code must_use: only where it applies", .no_base = true, .now = {{"a", "helmet()"}, {"b.js", "y"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B, .in = "*.js"}}, .want = "block adr.1\nblocked\n"},
	{"code must_use: the change takes the last one away",
	 .base = {{"a", "helmet()"}, {"b", "y"}}, .now = {{"a", "x"}, {"b", "y"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "block adr.1\nblocked\n"},
	{"code must_use: by deleting the file", .base = {{"a", "helmet()"}, {"b", "y"}},
	 .now = {{"b", "y"}}, .rules = {{CODE(MUST_USE, "helmet\\("), B}},
	 .want = "block adr.1\nblocked\n"},
	{"code must_use: a file that did not change still has it",
	 .base = {{"a", "helmet()"}, {"b", "helmet()"}}, .now = {{"a", "x"}, {"b", "helmet()"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = ""},
	{"code must_use: moved to another file", .base = {{"a", "helmet()"}, {"b", "y"}},
	 .now = {{"a", "x"}, {"b", "helmet()"}}, .rules = {{CODE(MUST_USE, "helmet\\("), B}},
	 .want = ""},
	{"code must_use: an item that was renamed never had it",
	 .own_base_rules = true, .base = {{"docs/old.md", "use helmet( always, 0123456789"}},
	 .now = {{"docs/adr.md", "use helmet( always, 012345678"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}},
	 .base_rules = {{CODE(MUST_USE, "helmet\\("), B, .item = "old"}},
	 .want = "skip docs/adr.md knowledge\n"},
	{"code must_use: nor had a generated file",
	 .base = {{".gitattributes", "a linguist-generated\n"}, {"a", "helmet("}},
	 .now = {{".gitattributes", "a linguist-generated\n"}, {"a", "x"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "skip a generated blocking\n"},
	{"code must_use: never there is existing, seen when asked for", .existing = true,
	 .base = {{"a", "1"}, {"b", "2"}}, .now = {{"a", "x"}, {"b", "2"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "block adr.1 existing\nexisting 1\n"},
	{"code must_use: needs all files", .incomplete = true, .json = true, .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "not judged 1\n"},
	{"code must_use: PATH leaves it open", .no_base = true, .only = "a", .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_USE, "helmet\\("), B}}, .want = "not judged 1\n"},
	{"code: an empty match is found once a place and ends", .no_base = true, .now = {{"a", "b\n\nc\xc3\xa4\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "^$"), W, .in = "a"}},
	 .want = "warn adr.1 a:2:1\n"},
	{"code: found is the first line of what matched", .no_base = true,
	 .now = {{"a", "begin\nx\nend\n"}}, .rules = {{CODE(MUST_NOT_USE, "(?s)begin.*end"), W}},
	 .want = "warn adr.1 a:1:1 'begin'\n"},
	{"code: CRLF and bytes that are no UTF-8 are data", .no_base = true,
	 .now = {{"a", "\xff\xfe\r\n eval\r\n"}}, .rules = {{CODE(MUST_NOT_USE, "eval"), W}},
	 .want = "warn adr.1 a:2:2 'eval'\n"},

	/* ---- what is no code ---- */
	{"skip: a NUL in the first 8000 bytes", .no_base = true, .now = {{"a", "eval\0", .n = 5}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "skip a binary\n"},
	{"skip: a blocking rule that names the file expects text", .no_base = true,
	 .now = {{"a", "eval\0", .n = 5}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B, .in = "a"}},
	 .want = "skip a binary blocking\n"},
	{"skip: a rule that does not apply does not name it", .no_base = true,
	 .now = {{"a", "eval\0", .n = 5}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B, .in = "*.c"}},
	 .want = ""},
	{"skip: over the limit", .no_base = true, .max_file = 8, .now = {{"a", "eval(1234)"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), W}}, .want = "skip a too_big\n"},
	{"skip: the limit is for code, not for manifests", .no_base = true, .max_file = 8,
	 .now = {{"package.json", PKG("\"mysql\": \"1\"")}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), W}, {DEP(MUST_NOT_USE, "mysql"), B}},
	 .want = "block adr.2 package.json:2:21 'mysql 1'\nskip package.json too_big\nblocked\n"},
	{"skip: links and submodules; their paths are judged", .no_base = true,
	 .now = {{"l", "eval", TREE_LINK}, {"s", "", TREE_SUBMODULE}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}, {PATH(MUST_NOT_EXIST, "l"), W},
		   {PATH(MUST_NOT_EXIST, "s"), W}},
	 .want = "warn adr.2 l\nwarn adr.3 s\nskip l link\nskip s submodule\n"},
	{"skip: a Git LFS pointer", .no_base = true, .now = {{"a", LFS}},
	 .rules = {{CODE(MUST_NOT_USE, "oid"), B}}, .want = "skip a binary\n"},
	{"skip: code behind a pointer's first lines is code", .no_base = true,
	 .now = {{"a", LFS "eval\n"}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 a:4:1 'eval'\nblocked\n"},
	{"skip: generated and vendored", .no_base = true,
	 .now = {{".gitattributes", "*.pb.go linguist-generated=true\nlib/** linguist-vendored\n"
				    "lib/own.js -linguist-vendored\n"},
		 {"a.pb.go", "eval"}, {"lib/own.js", "eval"}, {"lib/x/a.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 lib/own.js:1:1 'eval'\nskip a.pb.go generated blocking\n"
		 "skip lib/x/a.js generated blocking\nblocked\n"},
	{"skip: a folder's name exempts nothing in it, as in git", .no_base = true,
	 .now = {{".gitattributes", "lib linguist-vendored\nlib/ linguist-vendored\n"},
		 {"lib/a.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), W}}, .want = "warn adr.1 lib/a.js:1:1 'eval'\n"},
	{"skip: the nearest .gitattributes wins", .no_base = true,
	 .now = {{".gitattributes", "*.js linguist-generated\n"},
		 {"a/.gitattributes", "*.js linguist-generated=false\n"},
		 {"a/b/.gitattributes", "\"c\\057d.js\" !linguist-generated\n/e.js linguist-generated\n"},
		 {"a/x.js", "eval"}, {"a/b/e.js", "eval"}, {"a/b/c/e.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), W}},
	 .want = "warn adr.1 a/b/c/e.js:1:1 'eval'\nwarn adr.1 a/x.js:1:1 'eval'\n"
		 "skip a/b/e.js generated\n"},
	{"skip: an exemption of the base counts",
	 .base = {{".gitattributes", "*.js linguist-generated\n"}, {"a.js", "x"}},
	 .now = {{".gitattributes", "*.js linguist-generated\n"}, {"a.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "skip a.js generated blocking\n"},
	{"skip: one that the change adds is told as such", .base = {{"a.js", "x"}},
	 .now = {{".gitattributes", "*.js linguist-generated\n"}, {"a.js", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "skip a.js generated blocking added\n"},
	{"skip: one that the change removes is gone",
	 .base = {{".gitattributes", "*.js linguist-generated\n"}, {"a.js", "x"}},
	 .now = {{".gitattributes", "\n"}, {"a.js", "eval"}}, .rules = {{CODE(MUST_NOT_USE, "eval"), B}},
	 .want = "block adr.1 a.js:1:1 'eval'\nblocked\n"},
	{"skip: attributes hold no dependency or path rule back", .no_base = true,
	 .now = {{".gitattributes", "** linguist-generated\n"}, {"requirements.txt", "mysql\n"}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql"), W}, {PATH(MUST_NOT_EXIST, "*.txt"), W}},
	 .want = "warn adr.2 requirements.txt\nwarn adr.1 requirements.txt:1:1 'mysql'\n"},
	{"skip: an item may quote what it forbids, and does not do what it asks for", .no_base = true,
	 .now = {{"docs/adr.md", "never eval(, always helmet("}},
	 .rules = {{CODE(MUST_NOT_USE, "eval\\("), B}, {CODE(MUST_USE, "helmet\\("), W}},
	 .want = "warn adr.2\nskip docs/adr.md knowledge\n"},
	{"existing: what was no code before is new",
	 .base = {{"a", "eval\0", .n = 5}}, .now = {{"a", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "block adr.1 a:1:1 'eval'\nblocked\n"},
	{"existing: a link that becomes a file", .base = {{"a", "eval", TREE_LINK}}, .now = {{"a", "eval"}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "block adr.1 a:1:1 'eval'\nblocked\n"},
	{"existing: a change of mode alone", .base = {{"a", "eval"}}, .now = {{"a", "eval", TREE_EXEC}},
	 .rules = {{CODE(MUST_NOT_USE, "eval"), B}}, .want = "existing 1\n"},

	/* ---- file ---- */
	{"file must_not_exist: a path that the change adds", .base = {{"a", ""}},
	 .now = {{"a", ""}, {"x/.env", ""}}, .rules = {{PATH(MUST_NOT_EXIST, ".env"), B}},
	 .want = "block adr.1 x/.env\nblocked\n"},
	{"file must_not_use: the same; one that was there is existing", .base = {{".env", "1"}},
	 .now = {{".env", "2"}}, .rules = {{PATH(MUST_NOT_USE, ".env"), B}}, .want = "existing 1\n"},
	{"file must_not_use: a folder is all below it", .no_base = true, .now = {{"a/b/c", ""}},
	 .rules = {{PATH(MUST_NOT_USE, "/a/"), W}}, .want = "warn adr.1 a/b/c\n"},
	{"file must_not_exist: renamed within is existing", .base = {{"a.pem", "0123456789"}},
	 .now = {{"b.pem", "0123456789"}}, .rules = {{PATH(MUST_NOT_EXIST, "*.pem"), B}},
	 .want = "existing 1\n"},
	{"file must_not_exist: renamed to it counts", .base = {{"a.txt", "0123456789"}},
	 .now = {{"a.pem", "0123456789"}}, .rules = {{PATH(MUST_NOT_EXIST, "*.pem"), B}},
	 .want = "block adr.1 a.pem\nblocked\n"},
	{"file must_not_match: a regular expression, anywhere in the path", .no_base = true,
	 .now = {{"src/Foo Bar.c", ""}, {"src/ok.c", ""}}, .rules = {{PATH(MUST_NOT_MATCH, "\\s|[A-Z]{9}"), B}},
	 .want = "block adr.1 src/Foo Bar.c\nblocked\n"},
	{"file must_match: each path it applies to", .no_base = true,
	 .now = {{"t/0001-a.t", ""}, {"t/bad.t", ""}, {"x", ""}},
	 .rules = {{PATH(MUST_MATCH, "/[0-9]{4}-[^/]+\\.t$"), B, .in = "*.t"}},
	 .want = "block adr.1 t/bad.t\nblocked\n"},
	{"file must_exist: there and not there", .no_base = true, .now = {{"LICENSE", ""}},
	 .rules = {{PATH(MUST_EXIST, "LICENSE"), B}, {PATH(MUST_EXIST, "README.md"), W}},
	 .want = "warn adr.2\n"},
	{"file must_use: as must_exist", .no_base = true, .now = {{"a", ""}},
	 .rules = {{PATH(MUST_USE, "LICENSE"), B}}, .want = "block adr.1\nblocked\n"},
	{"file must_exist: deleted by the change", .base = {{"LICENSE", ""}, {"a", ""}},
	 .now = {{"a", ""}}, .rules = {{PATH(MUST_EXIST, "LICENSE"), B}}, .want = "block adr.1\nblocked\n"},
	{"file must_exist: another one is left", .base = {{"LICENSE", "1"}, {"x/LICENSE", "2"}},
	 .now = {{"x/LICENSE", "2"}}, .rules = {{PATH(MUST_EXIST, "LICENSE"), B}}, .want = ""},
	{"file must_exist: never was there", .base = {{"a", "1"}}, .now = {{"a", "2"}},
	 .rules = {{PATH(MUST_EXIST, "LICENSE"), B}}, .want = ""},

	/* ---- severities and statuses ---- */
	{"severity: below the minimum is neither said nor counted", .no_base = true, .min = WARN,
	 .now = {{"a", "x y"}}, .rules = {{CODE(MUST_NOT_USE, "x"), .severity = INFO}, {CODE(MUST_NOT_USE, "y"), W}},
	 .want = "warn adr.2 a:1:3 'y'\n"},
	{"severity: block comes first", .no_base = true, .now = {{"a", "x"}, {"b", "y"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), .severity = INFO}, {CODE(MUST_NOT_USE, "y"), B}},
	 .want = "block adr.2 b:1:1 'y'\ninfo adr.1 a:1:1 'x'\nblocked\n"},
	{"status: proposed informs", .no_base = true, .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B, .status = KN_STATUS_PROPOSED}},
	 .want = "info adr.1 a:1:1 'x'\n"},
	{"status: draft, rejected and deprecated judge nothing", .no_base = true, .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B, .draft = true},
		   {CODE(MUST_NOT_USE, "x"), B, .item = "b", .status = KN_STATUS_REJECTED},
		   {CODE(MUST_NOT_USE, "x"), B, .item = "c", .status = KN_STATUS_DEPRECATED}},
	 .want = ""},
	{"unsupported targets are named", .no_base = true, .now = {{"a", "x"}},
	 .rules = {{.op = KN_OP_MUST_NOT_USE, .target = KN_TARGET_IMPORT, .pattern = "x", B},
		   {.op = KN_OP_MUST_EXIST, .target = KN_TARGET_CONFIG, .pattern = "x", B}},
	 .want = "not_judged docs/adr.md\nnot_judged docs/adr.md\nnot judged 2\n"},
	{"ids: only those", .no_base = true, .ids = "b", .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B}, {CODE(MUST_NOT_USE, "x"), W, .item = "b"}},
	 .want = "warn b.1 a:1:1 'x'\n"},
	{"ids: an item that judges nothing says so", .no_base = true, .ids = "adr", .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B, .draft = true}}, .want = "warning docs/adr.md\n"},
	{"only: a folder, a file with a bracket, a glob", .no_base = true, .only = "src ./[id.js *.md",
	 .now = {{"src/a", "x"}, {"srcs/a", "x"}, {"[id.js", "x"}, {"q/r.md", "x"}, {"i.js", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), W}},
	 .want = "warn adr.1 [id.js:1:1 'x'\nwarn adr.1 q/r.md:1:1 'x'\nwarn adr.1 src/a:1:1 'x'\n"},

	/* ---- no change switches off its own judge ---- */
	{"judge: superseded in the same change", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B, .status = KN_STATUS_SUPERSEDED}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nblocked\n"},
	{"judge: deleted in the same change", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}}, .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nblocked\n"},
	{"judge: pattern weakened in the same change", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}}, .rules = {{CODE(MUST_NOT_USE, "xx"), B}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nblocked\n"},
	{"judge: severity lowered in the same change", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}}, .rules = {{CODE(MUST_NOT_USE, "x"), W}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nwarn adr.1 a:1:1 'x'\nblocked\n"},
	{"judge: appliesTo narrowed in the same change", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}}, .rules = {{CODE(MUST_NOT_USE, "x"), B, .in = "src/"}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nblocked\n"},
	{"judge: version narrowed in the same change", .own_base_rules = true,
	 .base = {{"package.json", PKG("")}}, .now = {{"package.json", PKG("\"a\": \"2.0.0\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B, .version = "<2"}},
	 .base_rules = {{DEP(MUST_NOT_USE, "a"), B, .version = "<3"}},
	 .want = "block adr.1 package.json:2:21 'a 2.0.0' base\nblocked\n"},
	{"judge: an added rule about paths counts for files it touches", .own_base_rules = true,
	 .base = {{"a.pem", "1"}, {"b.pem", "1"}}, .now = {{"a.pem", "2"}, {"b.pem", "1"}},
	 .rules = {{PATH(MUST_NOT_EXIST, "*.pem"), B}}, .want = "block adr.1 a.pem\nblocked\n"},
	{"judge: an added rule about dependencies, too", .own_base_rules = true,
	 .base = {{"package.json", PKG("\"a\": \"1\"")}}, .now = {{"package.json", PKG("\"a\": \"2\"")}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), B}},
	 .want = "block adr.1 package.json:2:21 'a 2'\nblocked\n"},
	{"judge: what two versions of a rule ask for is told twice", .own_base_rules = true,
	 .base = {{"a", "x y"}}, .now = {{"a", "z"}}, .rules = {{CODE(MUST_MATCH, "y"), B}},
	 .base_rules = {{CODE(MUST_MATCH, "x"), B}},
	 .want = "block adr.1 a\nblock adr.1 a base\nblocked\n"},
	{"judge: a presence rule deleted with what it asks for", .own_base_rules = true,
	 .base = {{"LICENSE", "1"}}, .now = {{NULL}}, .base_rules = {{PATH(MUST_EXIST, "LICENSE"), B}},
	 .want = "block adr.1 base\nblocked\n"},
	{"judge: broken now, valid before", .own_base_rules = true, .base = {{"a", "1"}, {"docs/adr.md", "1"}},
	 .now = {{"a", "x"}, {"docs/adr.md", "2"}},
	 .note = {KN_BROKEN, STR_INIT("docs/adr.md"), true, 3, STR_INIT("bad")},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x' base\nskip docs/adr.md knowledge\nbroken docs/adr.md blocks\nblocked\n"},
	{"judge: reworded and moved within the item is the same rule", .own_base_rules = true,
	 .base = {{"a", "x"}}, .now = {{"a", "x\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "y"), B}, {CODE(MUST_NOT_USE, "x"), B, .message = "new"}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B, .message = "old"}}, .want = "existing 1\n"},
	{"judge: an item that is renamed has the same rules", .own_base_rules = true,
	 .base = {{"a", "x"}, {"b", "1"}}, .now = {{"a", "x\n"}, {"b", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B, .item = "new"}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B, .item = "old"}},
	 .want = "block new.1 b:1:1 'x'\nexisting 1\nblocked\n"},
	{"judge: two decisions that say the same are both told", .no_base = true, .now = {{"a", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B}, {CODE(MUST_NOT_USE, "x"), B, .item = "b"}},
	 .want = "block adr.1 a:1:1 'x'\nblock b.1 a:1:1 'x'\nblocked\n"},
	{"judge: a rule that the change adds: all counts in files it touches",
	 .own_base_rules = true, .base = {{"a", "x"}, {"b", "x"}}, .now = {{"a", "x\n"}, {"b", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B}}, .want = "block adr.1 a:1:1 'x'\nblocked\n"},
	{"judge: and what it says of the others is existing", .existing = true,
	 .own_base_rules = true, .base = {{"a", "x"}, {"b", "x"}}, .now = {{"a", "x\n"}, {"b", "x"}},
	 .rules = {{CODE(MUST_NOT_USE, "x"), B}},
	 .want = "block adr.1 a:1:1 'x'\nblock adr.1 b:1:1 'x' existing\nexisting 1\nblocked\n"},
	{"judge: a presence rule that the change adds is existing debt", .own_base_rules = true,
	 .base = {{"a", "1"}}, .now = {{"a", "2"}}, .rules = {{PATH(MUST_EXIST, "LICENSE"), B}}, .want = ""},
	{"judge: an edited rule says the same thing once", .own_base_rules = true, .base = {{"a", "1"}},
	 .now = {{"a", "x"}}, .rules = {{CODE(MUST_NOT_USE, "x|y"), B}},
	 .base_rules = {{CODE(MUST_NOT_USE, "x"), B}}, .want = "block adr.1 a:1:1 'x'\nblocked\n"},

	/* ---- broken knowledge ---- */
	{"broken: in a file that the change touches", .base = {{"docs/b.md", "1"}}, .now = {{"docs/b.md", "2"}},
	 .note = {KN_BROKEN, STR_INIT("docs/b.md"), true, 3, STR_INIT("bad")},
	 .want = "broken docs/b.md blocks\nblocked\n"},
	{"broken: elsewhere is a warning", .base = {{"docs/b.md", "1"}, {"a", "1"}},
	 .now = {{"docs/b.md", "1"}, {"a", "2"}},
	 .note = {KN_BROKEN, STR_INIT("docs/b.md"), true, 3, STR_INIT("bad")}, .want = "broken docs/b.md\n"},
	{"broken: in another repository is a warning", .base = {{"docs/b.md", "1"}}, .now = {{"docs/b.md", "2"}},
	 .note = {KN_BROKEN, STR_INIT("docs/b.md"), false, 3, STR_INIT("bad")}, .want = "broken docs/b.md\n"},
	{"broken: without a base all of the tree counts", .no_base = true, .now = {{"docs/b.md", "1"}},
	 .note = {KN_BROKEN, STR_INIT("docs/b.md"), true, 3, STR_INIT("bad")},
	 .want = "broken docs/b.md blocks\nblocked\n"},
	{"broken: --all blocks wherever it lies", .no_base = true, .all = true, .now = {{"a", "1"}},
	 .note = {KN_BROKEN, STR_INIT("/srv/org/b.md"), false, 3, STR_INIT("bad")},
	 .want = "broken /srv/org/b.md blocks\nblocked\n"},
	{"broken: a range, in an item that the change touches", .base = {{"docs/adr.md", "1"}},
	 .now = {{"docs/adr.md", "2"}}, .rules = {{DEP(MUST_NOT_USE, "x"), B, .version = "<<nine"}},
	 .want = "broken docs/adr.md blocks\nblocked\n"},
	{"broken: however the source's path is written", .no_base = true, .now = {{"docs/b.md", "1"}},
	 .note = {KN_BROKEN, STR_INIT("./x//../docs/b.md"), true, 3, STR_INIT("bad")},
	 .want = "broken ./x//../docs/b.md blocks\nblocked\n"},
	{"broken: a warning of the reader stays one", .no_base = true, .now = {{"docs/b.md", "1"}},
	 .note = {KN_WARNING, STR_INIT("docs/b.md"), true, 0, STR_INIT("odd")}, .want = "warning docs/b.md\n"},

	/* ---- patterns that give up ---- */
	{"limit: is a violation that names the file", .base = {{"a", ""}},
	 .now = {{"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}},
	 .rules = {{CODE(MUST_NOT_USE, "^(a+)+$"), B}}, .want = "block adr.1 a\nblocked\n"},
	{"limit: existing when the base hits it too", .base = {{"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}},
	 .now = {{"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"}},
	 .rules = {{CODE(MUST_NOT_USE, "^(a+)+$"), B}}, .want = "existing 1\n"},
	{"limit: in a path", .base = {{NULL}},
	 .now = {{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", ""}},
	 .rules = {{PATH(MUST_NOT_MATCH, "^(a+)+$"), W}},
	 .want = "warn adr.1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n"},
	{"limit: of what every file must have", .no_base = true,
	 .now = {{"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}},
	 .rules = {{CODE(MUST_MATCH, "^(a+)+$"), W}}, .want = "warn adr.1 a\n"},
	{"limit: of what some file must have", .no_base = true,
	 .now = {{"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}},
	 .rules = {{CODE(MUST_USE, "^(a+)+$"), W}}, .want = "warn adr.1\n"},
};

/* ---- what needs more than a line ---- */

#define F(p, t) {.path = p, .text = t}

static struct check_report run(struct arena *a, struct check_input in)
{
	struct check_report r = {0};

	works(check_run(a, &in, &r), "runs");
	return r;
}

static struct check_report run_on(struct arena *a, const struct con *c, const struct file *base,
				  const struct file *now)
{
	return run(a, (struct check_input){.now = tree_of(a, "now", now),
					   .base = base ? tree_of(a, "base", base) : NULL,
					   .rules = knowledge_of(a, c), .complete = true});
}

static void message(const struct con *con, const struct file *now, const char *want)
{
	struct arena *a = arena_new();
	struct check_report r = run_on(a, (struct con[]){*con, {0}}, NULL,
				       (struct file[]){*now, {0}});

	if (ok(r.violations.n == 1, "one violation"))
		is_str(r.violations.p[0].message, str_of(want), want);
	arena_free(a);
}

static void messages(void)
{
	struct file req = F("requirements.txt", "mysql\nmysql\n"), code = F("a.c", "eval(x");

	message(&(struct con){DEP(MUST_NOT_USE, "mysql|maria"), B, .version = "<9"}, &req,
		"must not use dependency 'mysql' (pattern mysql|maria, version <9) (in 2 places)");
	message(&(struct con){DEP(MUST_NOT_USE, "mysql"), B, .message = "No MySQL."}, &req,
		"No MySQL. (in 2 places)");
	message(&(struct con){DEP(MUST_MATCH, "pg"), B}, &(struct file)F("requirements.txt", "my\n"),
		"must use allowed dependencies only, not 'my' (pattern pg)");
	message(&(struct con){CODE(MUST_NOT_USE, "eval\\("), B, .in = "*.c *.h"}, &code,
		"must not contain 'eval(' (pattern eval\\(, in *.c, *.h)");
	message(&(struct con){CODE(MUST_MATCH, "SPDX"), B}, &code,
		"must contain what it does not (pattern SPDX)");
	message(&(struct con){CODE(MUST_USE, "SPDX"), B}, &code,
		"no file contains it, and one must (pattern SPDX)");
	message(&(struct con){PATH(MUST_EXIST, "LICENSE"), B}, &code,
		"no path matches, and one must (pattern LICENSE)");
	message(&(struct con){PATH(MUST_NOT_EXIST, "*.c"), B}, &code,
		"must not have the file 'a.c' (pattern *.c)");
	message(&(struct con){PATH(MUST_MATCH, "^src/"), B}, &code,
		"must use allowed names only, not 'a.c' (pattern ^src/)");
}

static void fingerprints(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct con d[] = {{CODE(MUST_NOT_USE, "eval"), W, .message = "m", .in = "*.js"}, {0}};
	struct file now[] = {F("a.js", "\n\n eval(1)"), {0}}, moved[] = {F("a.js", "eval(2)"), {0}};
	struct file other[] = {F("b.js", "eval(2)"), {0}};
	struct str one = run_on(a, c, NULL, now).violations.p[0].fingerprint;

	is_int((long long)one.n, 12, "a fingerprint has twelve digits");
	is_str(run_on(a, d, NULL, moved).violations.p[0].fingerprint, one,
	       "the same for another line, severity, message, appliesTo");
	ok(!str_eq(run_on(a, c, NULL, other).violations.p[0].fingerprint, one),
	   "another one for another file");
	c[0].pattern = "eva.";
	ok(!str_eq(run_on(a, c, NULL, now).violations.p[0].fingerprint, one),
	   "another one for another pattern");
	arena_free(a);
}

static void caps(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "x"), B}, {0}};
	struct con s[] = {{CODE(MUST_NOT_USE, "y+"), B}, {0}};
	struct buf many = buf_in(a), longer = buf_in(a);
	struct check_report r = {0};

	for (int i = 0; i < 250; i++)
		buf_puts(&many, "x\n");
	for (int i = 0; i < 100; i++)
		buf_puts(&longer, "y\xc3\xa4");
	r = run_on(a, c, NULL, (struct file[]){F("a", buf_c(&many)), {0}});
	is_int(r.block, 100, "a hundred of one rule in one file are listed");
	ok(str_ends(r.violations.p[99].message, STR("(and 150 more in this file)")),
	   "and the last says how many more");
	ok(!str_ends(r.violations.p[98].message, STR("in this file)")), "only the last");
	s[0].pattern = "(?s).+";
	r = run_on(a, s, NULL, (struct file[]){F("a", buf_c(&longer)), {0}});
	ok(r.violations.p[0].found.n <= CHECK_FOUND_MAX && str_is_utf8(r.violations.p[0].found),
	   "found is cut where a character ends");
	longer.n = 0;
	for (int i = 0; i < 8000; i++)
		buf_putc(&longer, ' ');
	buf_put(&longer, (struct str){"x\0", 2});
	r = run(a, (struct check_input){
			.now = tree_of(a, "now", (struct file[]){{"a", buf_c(&longer), TREE_FILE,
								  longer.n}, {0}}),
			.rules = knowledge_of(a, c)});
	is_int(r.block, 1, "a NUL that git does not see either makes no binary");
	buf_puts(&many, "x");
	r = run_on(a, c, (struct file[]){F("a", "x\n"), {0}}, (struct file[]){F("a", buf_c(&many)), {0}});
	is_int(r.block, 100, "the same with a base");
	arena_free(a);
}

/* 600,000 matches in one line of one file: bounded, and not quadratic in the line. */
static void minified(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "x"), B}, {0}};
	char *text = arena_alloc(a, 600001), *more = arena_alloc(a, 600002);
	struct check_report r = {0};

	memset(text, 'x', 600000);
	memset(more, 'x', 600001);
	r = run_on(a, c, NULL, (struct file[]){F("a", text), {0}});
	is_int(r.block, 101, "more matches than are looked at: the pattern has given up");
	r = run_on(a, c, (struct file[]){F("a", text), {0}}, (struct file[]){F("a", more), {0}});
	is_int(r.block, 0, "existing when it did before");
	arena_free(a);
}

static void counts(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "x"), B}, {DEP(MUST_NOT_USE, "x"), W},
			  {CODE(MUST_NOT_USE, "x"), B}, {CODE(MUST_NOT_USE, "x"), B, .item = "b", .draft = true},
			  {0}};
	struct check_report r = run_on(a, c, NULL,
				       (struct file[]){F("a", "1"), F("package.json", "{}"), {0}});

	is_int(r.items, 2, "items read");
	is_int(r.active, 1, "items that judge");
	is_int(r.constraints, 2, "constraints, identical ones once");
	is_int(r.files, 2, "files");
	is_int(r.manifests, 1, "manifests");
	ok(r.passed && !r.no_knowledge, "passed, by knowledge");
	r = run_on(a, c, (struct file[]){F("a", "1"), {0}}, (struct file[]){{0}});
	is_int(r.files, 0, "a deleted file is not judged");
	r = run(a, (struct check_input){.now = tree_of(a, "now", (struct file[]){{0}}),
					.rules = ARENA_NEW(a, struct knowledge)});
	ok(r.passed && r.no_knowledge && !r.files, "no knowledge is a pass that says so");
	arena_free(a);
}

static struct knowledge *read_items(struct arena *a, const char *path, const char *text)
{
	static const struct kn_source source = {.layer = KN_LAYER_ORG, .name = STR_INIT("docs/adr")};
	struct knowledge *k = ARENA_NEW(a, struct knowledge);
	bool is_item;

	works(knowledge_read_item(a, &source, str_of(path), KN_LAYER_ORG, STR(""), KN_TYPE_ADR,
				  str_of(text), k, &is_item),
	      "an item is read");
	k->sources = 1;
	knowledge_finish(a, k);
	return k;
}

/* Seed 003's example of knowledge_check, from the decision's own text. */
static void from_text(void)
{
	static const char head[] = "---\ntitle: Database Selection for New Services\nstatus: ",
			  tail[] = "\nseverity: block\nconstraints:\n  - operator: must_not_use\n"
				   "    target: dependency\n    pattern: mysql|mysql2|mariadb\n"
				   "    message: MySQL not allowed for new services per ADR-042. Use "
				   "PostgreSQL instead.\n---\n# Database\n";
	static const char path[] = "adr-042-database-selection.md";
	static const struct check_dep dep = {STR_INIT("mysql2"), STR_INIT("3.0.0"), STR_INIT("")};
	struct arena *a = arena_new();
	const char *accepted = str_c(a, str_fmt(a, "%saccepted%s", head, tail));
	const char *superseded = str_c(a, str_fmt(a, "%ssuperseded%s", head, tail));
	struct file before[] = {F("package.json", PKG("")), {0}};
	struct file after[] = {F("package.json", PKG("\"mysql2\": \"3.0.0\"")), {0}};
	struct check_report r = run(a, (struct check_input){
						.deps = &dep, .deps_n = 1,
						.rules = read_items(a, path, accepted)});

	if (ok(!r.passed && r.block == 1 && r.violations.n == 1, "one violation that blocks")) {
		is_str(r.violations.p[0].item->id, STR("adr-042-database-selection"), "its item");
		is_str(r.violations.p[0].message,
		       STR("MySQL not allowed for new services per ADR-042. Use PostgreSQL instead."),
		       "its message");
	}
	r = run(a, (struct check_input){.now = tree_of(a, "now", after),
					.base = tree_of(a, "base", before),
					.rules = read_items(a, path, superseded),
					.base_rules = read_items(a, path, accepted)});
	ok(!r.passed && r.violations.n == 1 && r.violations.p[0].from_base,
	   "superseding the decision does not let the same change break it");
	r = run(a, (struct check_input){.now = tree_of(a, "now", after),
					.base = tree_of(a, "base", before),
					.rules = read_items(a, path, superseded)});
	ok(r.passed && !r.constraints, "the next change is free");
	arena_free(a);
}

static void unknown_id(void)
{
	struct arena *a = arena_new();
	struct check_input in = {.rules = knowledge_of(a, (struct con[]){{0}}),
				 .item_ids = words(a, "adr-999")};
	struct check_report r = {0};
	struct err *e = check_run(a, &in, &r);

	if (fails(e, E_NO_SUCH_ITEM, "an unknown id"))
		is_str(str_of(err_message(e)), STR("Knowledge item 'adr-999' not found"),
		       "in the words of seed 003");
	arena_free(a);
}

/* A tree that counts what is asked of it, to hold the promise that a commit costs its own files. */
struct counted {
	struct tree tree;
	struct tree *real;
	unsigned reads, lists;
	bool fail;
};

static struct err *counted_each(struct tree *t, struct str prefix, tree_fn *fn, void *ctx)
{
	struct counted *c = (struct counted *)t;

	c->lists++;
	return tree_each(c->real, prefix, fn, ctx);
}

static struct err *counted_find(struct tree *t, struct str path, struct tree_file *out, bool *found)
{
	return tree_find(((struct counted *)t)->real, path, out, found);
}

static struct err *counted_read(struct tree *t, struct arena *a, const struct tree_file *f,
				size_t max, struct str *out)
{
	struct counted *c = (struct counted *)t;

	c->reads++;
	if (c->fail && str_ends(f->path, STR(".bad")))
		return err_new(E_IO_ERROR, "cannot read '%.*s'", STR_ARG(f->path));
	return tree_read(c->real, a, f, max, out);
}

static struct err *counted_diff(struct arena *a, struct tree *base, struct tree *now,
				struct tree_changes *out, bool *known)
{
	*known = true;
	return tree_diff(a, ((struct counted *)base)->real, ((struct counted *)now)->real, out);
}

static const struct tree_ops counted_ops = {counted_each, counted_find, counted_read, counted_diff};

static struct counted counted(struct arena *a, const struct file *f)
{
	return (struct counted){.tree = {&counted_ops, STR_INIT("a tree")},
				.real = tree_of(a, "real", f)};
}

static void costs(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_USE, "helmet"), B}, {PATH(MUST_EXIST, "LICENSE"), B},
			  {DEP(MUST_USE, "pg"), B}, {CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct counted base = counted(a, (struct file[]){F("a", "1"), F("b", "2"), F("c", "3"), {0}});
	struct counted now = counted(a, (struct file[]){F("a", "x"), F("b", "2"), F("c", "3"), {0}});
	struct check_report r = run(a, (struct check_input){.now = &now.tree, .base = &base.tree,
							    .rules = knowledge_of(a, c),
							    .complete = true, .threads = 1});

	ok(r.passed && r.files == 1, "a change of one file of three");
	is_int(now.lists + base.lists, 0, "lists nothing, presence rules or not");
	is_int(now.reads, 1, "reads that one file");
	is_int(base.reads, 1, "and what it was");
	now = counted(a, (struct file[]){F("a", "1"), F("x.bad", "2"), F("y.bad", ""), F("z", "3"), {0}});
	now.fail = true;
	for (unsigned threads = 1; threads < 4; threads++) {
		struct check_input in = {.now = &now.tree, .rules = knowledge_of(a, c),
					 .threads = threads};
		struct err *e = check_run(a, &in, &r);

		if (fails(e, E_IO_ERROR, "a file that cannot be read is trouble"))
			is_str(str_of(err_message(e)), STR("cannot read 'x.bad'"),
			       "the first one is named, whatever the threads");
	}
	arena_free(a);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
		run_case(&tests[i]);
	messages();
	fingerprints();
	caps();
	minified();
	counts();
	from_text();
	unknown_id();
	costs();
	return tap_done();
}
