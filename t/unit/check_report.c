#include "check.h"
#include "judge/judge.h"

/* Tests that need more than a line: messages, fingerprints, limits, counts, and cost. */

static void message(const struct con *con, const struct file *now, const char *want)
{
	struct arena *a = arena_new();
	struct check_report r =
		run_on(a, (struct con[]){*con, {0}}, NULL, (struct file[]){*now, {0}});

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
	message(&(struct con){DEP(MUST_MATCH, "pg"), B},
		&(struct file)F("requirements.txt", "my\n"),
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
	r = run_on(a, c, NULL, (struct file[]){F("a", buf_as_cstr(&many)), {0}});
	is_int(r.block, 100, "a hundred of one rule in one file are listed");
	ok(str_ends(r.violations.p[99].message, STR("(and 150 more in this file)")),
	   "and the last says how many more");
	ok(!str_ends(r.violations.p[98].message, STR("in this file)")), "only the last");
	s[0].pattern = "(?s).+";
	r = run_on(a, s, NULL, (struct file[]){F("a", buf_as_cstr(&longer)), {0}});
	ok(r.violations.p[0].found.n <= CHECK_FOUND_MAX && str_is_utf8(r.violations.p[0].found),
	   "found is cut where a character ends");
	longer.n = 0;
	for (int i = 0; i < 8000; i++)
		buf_putc(&longer, ' ');
	buf_put(&longer, (struct str){"x\0", 2});
	r = run(a, (struct check_input){.now = tree_of(a, "now",
						       (struct file[]){{"a", buf_as_cstr(&longer),
									TREE_FILE, longer.n},
								       {0}}),
					.rules = knowledge_of(a, c)});
	is_int(r.block, 1, "a NUL that git does not see either makes no binary");
	buf_puts(&many, "x");
	r = run_on(a, c, (struct file[]){F("a", "x\n"), {0}},
		   (struct file[]){F("a", buf_as_cstr(&many)), {0}});
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
	struct con c[] = {{CODE(MUST_NOT_USE, "x"), B},
			  {DEP(MUST_NOT_USE, "x"), W},
			  {CODE(MUST_NOT_USE, "x"), B},
			  {CODE(MUST_NOT_USE, "x"), B, .item = "b", .draft = true},
			  {0}};
	struct check_report r =
		run_on(a, c, NULL, (struct file[]){F("a", "1"), F("package.json", "{}"), {0}});

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
	static const struct kn_source source = {.layer = KN_LAYER_ORG,
						.name = STR_INIT("docs/adr")};
	struct knowledge *k = ARENA_NEW(a, struct knowledge);
	bool is_item;

	works(knowledge_parse_item(a, &source, str_of(path), KN_LAYER_ORG, STR(""), KN_TYPE_ADR,
				   str_of(text), k, &is_item),
	      "an item is read");
	k->sources = 1;
	knowledge_finish(a, k);
	return k;
}

/* The requirement's example of knowledge_check, from the decision's own text. */
static void from_text(void)
{
	static const char
		head[] = "---\ntitle: Database Selection for New Services\nstatus: ",
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
	struct check_report r =
		run(a, (struct check_input){
			       .deps = &dep, .deps_n = 1, .rules = read_items(a, path, accepted)});

	if (ok(!r.passed && r.block == 1 && r.violations.n == 1, "one violation that blocks")) {
		is_str(r.violations.p[0].item->id, STR("adr-042-database-selection"), "its item");
		is_str(r.violations.p[0].message,
		       STR("MySQL not allowed for new services per ADR-042. Use PostgreSQL "
			   "instead."),
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
				 .items = words(a, "adr-999")};
	struct check_report r = {0};
	struct err *e = check_run(a, &in, &r);

	if (fails(e, E_NO_SUCH_ITEM, "an unknown id"))
		is_str(str_of(err_message(e)), STR("Knowledge item 'adr-999' not found"),
		       "in the required words");
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
	return tree_foreach(c->real, prefix, fn, ctx);
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

static const struct tree_ops counted_ops = {
	.each = counted_each, .find = counted_find, .read = counted_read, .diff = counted_diff};

static struct counted counted(struct arena *a, const struct file *f)
{
	return (struct counted){.tree = {&counted_ops, STR_INIT("a tree")},
				.real = tree_of(a, "real", f)};
}

/* A change of mode alone, as Git tells it: one content, two kinds. */
static struct err *mode_diff(struct arena *a, struct tree *base, struct tree *now,
			     struct tree_changes *out, bool *known)
{
	struct tree_change *c = VEC_PUSH(a, out);

	(void)base;
	(void)now;
	*known = c->has_old = c->has_new = true;
	c->old = (struct tree_file){.path = STR("a"), .kind = TREE_FILE, .id_len = 20};
	c->new = (struct tree_file){.path = STR("a"), .kind = TREE_EXEC, .id_len = 20};
	return NULL;
}

static void mode_change(void)
{
	static const struct tree_ops ops = {.each = counted_each,
					    .find = counted_find,
					    .read = counted_read,
					    .diff = mode_diff};
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct counted base = counted(a, (struct file[]){F("a", "eval"), {0}});
	struct counted now = counted(a, (struct file[]){F("a", "eval"), {0}});
	struct check_report r;

	base.tree.ops = now.tree.ops = &ops;
	r = run(a, (struct check_input){
			   .now = &now.tree, .base = &base.tree, .rules = knowledge_of(a, c)});
	ok(r.passed && r.existing == 1, "what a file had before its mode changed is existing");
	is_int(base.reads, 0, "content that did not change is not read twice");
	arena_free(a);
}

static void costs(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_USE, "helmet"), B},
			  {PATH(MUST_EXIST, "LICENSE"), B},
			  {DEP(MUST_USE, "pg"), B},
			  {CODE(MUST_NOT_USE, "eval"), B},
			  {0}};
	struct counted base =
		counted(a, (struct file[]){F("a", "1"), F("b", "2"), F("c", "3"), {0}});
	struct counted now =
		counted(a, (struct file[]){F("a", "x"), F("b", "2"), F("c", "3"), {0}});
	struct check_report r = run(a, (struct check_input){.now = &now.tree,
							    .base = &base.tree,
							    .rules = knowledge_of(a, c),
							    .complete = true,
							    .threads = 1});

	ok(r.passed && r.files == 1, "a change of one file of three");
	is_int(now.lists + base.lists, 0, "lists nothing, presence rules or not");
	is_int(now.reads, 1, "reads that one file");
	is_int(base.reads, 1, "and what it was");
	now = counted(
		a, (struct file[]){F("a", "1"), F("x.bad", "2"), F("y.bad", ""), F("z", "3"), {0}});
	now.fail = true;
	for (unsigned threads = 1; threads < 4; threads++) {
		struct check_input in = {.now = &now.tree,
					 .rules = knowledge_of(a, c),
					 .threads = threads,
					 .max_file = FILE_MOST};
		struct err *e = check_run(a, &in, &r);

		if (fails(e, E_IO_ERROR, "a file that cannot be read is trouble"))
			is_str(str_of(err_message(e)), STR("cannot read 'x.bad'"),
			       "the first one is named, whatever the threads");
	}
	arena_free(a);
}

/* Two pushed tips: each fact once, in the order of the tips; of equal ones the strictest. */
static void merged(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct file one[] = {F("a.js", "eval(1)\n\neval(2)"), {0}};
	struct file two[] = {F("a.js", "eval(1)"), F("b.js", "eval(3)"), {0}};
	struct check_report r = run_on(a, c, NULL, one), other = run_on(a, c, NULL, two);
	struct check_note note = {.path = STR("docs/x.md"), .line = 1, .message = STR("odd")};

	*VEC_PUSH(a, &r.notes) = note;
	r.violations.p[0].existing = true;
	note.blocks = true;
	*VEC_PUSH(a, &other.notes) = note;
	reports_merge(a, &r, &other);
	if (ok(r.violations.n == 3, "the same finding of two tips is listed once")) {
		is_int((long long)r.violations.p[0].line, 3, "the first tip's own finding");
		ok(str_is(r.violations.p[1].file, "a.js") && !r.violations.p[1].existing,
		   "a finding that is new for one tip is new");
		is_str(r.violations.p[2].file, STR("b.js"), "and the second tip's own");
	}
	ok(r.notes.n == 1 && r.notes.p[0].blocks, "of equal notes the one that blocks");
	is_int((long long)r.block, 4, "all that blocks counts");
	arena_free(a);
}

int main(void)
{
	messages();
	merged();
	fingerprints();
	caps();
	minified();
	counts();
	from_text();
	unknown_id();
	costs();
	mode_change();
	return tap_done();
}
