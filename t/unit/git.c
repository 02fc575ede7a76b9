/* lib/repo/git without a repository: the index's bytes, cache trees, trees, commits' order,
 * settings. */
#include "tap.h"
#include "git/internal.h"

struct entry {
	const char *path;
	unsigned mode, stage, extended;
	char id; /* every byte of it */
};

static struct arena *a;

static void put32(struct buf *b, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_putc(b, (char)(n >> shift));
}

static void put_entry(struct buf *b, unsigned version, unsigned char id_len, const struct entry *e,
		      const char *before)
{
	size_t n = strlen(e->path), at = b->n, same = 0;
	unsigned flags = (unsigned)size_min(n, 0xfff) | e->stage << 12 | (e->extended ? 0x4000 : 0);

	for (int i = 0; i < 6; i++)
		put32(b, 0);
	put32(b, e->mode ? e->mode : 0100644);
	for (int i = 0; i < 3; i++)
		put32(b, 0);
	for (int i = 0; i < id_len; i++)
		buf_putc(b, e->id);
	buf_putc(b, (char)(flags >> 8));
	buf_putc(b, (char)flags);
	if (e->extended) {
		buf_putc(b, (char)(e->extended >> 8));
		buf_putc(b, (char)e->extended);
	}
	if (version == 4) {
		while (before[same] && before[same] == e->path[same])
			same++;
		/* No path here is so long that a second byte is needed. */
		buf_putc(b, (char)(strlen(before) - same));
		buf_puts(b, e->path + same);
		buf_putc(b, 0);
		return;
	}
	buf_puts(b, e->path);
	do
		buf_putc(b, 0);
	while ((b->n - at) % 8);
}

static struct str make(unsigned version, unsigned char id_len, const struct entry *e, size_t n,
		       struct str extensions)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "DIRC");
	put32(&b, version);
	put32(&b, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		put_entry(&b, version, id_len, &e[i], i ? e[i - 1].path : "");
	buf_put(&b, extensions);
	for (int i = 0; i < id_len; i++)
		buf_putc(&b, 0);
	/* A copy of its exact size, so that reading beyond it is seen. */
	return str_dup(a, buf_as_str(&b));
}

static struct str extension(const char *sign, struct str body)
{
	struct buf b = buf_in(a);

	buf_puts(&b, sign);
	put32(&b, (uint32_t)body.n);
	buf_put(&b, body);
	return buf_as_str(&b);
}

static struct err *parse(const struct entry *e, size_t n, unsigned version, struct str extensions,
			 struct index *ix)
{
	return index_parse(a, make(version, 20, e, n, extensions), "x", 20, ix);
}

static void test_versions(void)
{
	static const struct entry e[] = {{"a", 0, 0, 0, 1},
					 {"a-b", 0100755, 0, 0, 2},
					 {"a/b/c", 0120000, 0, 0, 3},
					 {"a/b/d", 0160000, 0, 0, 4},
					 {"a0", 0100664, 0, 0, 5}};
	static const unsigned char kinds[] = {TREE_FILE, TREE_EXEC, TREE_LINK, TREE_SUBMODULE,
					      TREE_FILE};
	struct index ix;

	for (unsigned version = 2; version <= 4; version++) {
		for (unsigned char id_len = 20; id_len <= 32;
		     id_len = (unsigned char)(id_len + 12)) {
			bool good = true;

			works(index_parse(a, make(version, id_len, e, 5, STR("")), "x", id_len,
					  &ix),
			      "reads it");
			is_int((long long)ix.n, 5, "has all entries");
			for (size_t i = 0; i < ix.n; i++)
				good = good && ix.p[i].kind == kinds[i] &&
				       ix.p[i].id[id_len - 1] == e[i].id &&
				       str_is((struct str){ix.p[i].name, ix.p[i].len}, e[i].path);
			ok(good && !ix.foreign, "version %u with ids of %u bytes", version, id_len);
		}
	}
	works(parse(e, 5, 5, STR(""), &ix), "a later version is not damage");
	ok(ix.foreign, "but only git knows");
}

static void test_flags(void)
{
	static const struct entry e[] = {{"a", 0, 0, 0x2000, 1}, {"b", 0, 0, 0x4000, 1},
					 {"c", 0, 1, 0, 1},      {"c", 0, 2, 0, 1},
					 {"c", 0, 3, 0, 1},      {"d", 0, 0, 0, 1}};
	static const struct entry empty[] = {{"", 0, 0, 0, 0}, {"", 0, 0, 0, 0}, {"z", 0, 0, 0, 1}};
	static const struct entry dir[] = {{"a/", 040000, 0, 0, 1}};
	struct index ix;

	works(parse(e, 6, 3, STR(""), &ix), "flags");
	is_int((long long)ix.n, 2, "intent to add and conflicts are no entries");
	is_int((long long)ix.conflicts.n, 1, "a conflict is named once");
	is_str(ix.conflicts.p[0], STR("c"), "by its path");
	fails(parse(e, 6, 2, STR(""), &ix), E_GIT_CORRUPT, "version 2 has no such flags");
	fails(parse(empty, 3, 2, STR(""), &ix), E_GIT_CORRUPT, "entries without names");
	works(parse(empty, 3, 2, extension("link", STR("")), &ix), "but in a split index");
	ok(ix.foreign, "which only git knows");
	fails(parse(dir, 1, 2, STR(""), &ix), E_GIT_CORRUPT, "a folder");
	works(parse(dir, 1, 2, extension("sdir", STR("")), &ix), "but in a sparse index");
	ok(ix.foreign, "which only git knows");
}

static void test_damage(void)
{
	static const struct {
		struct entry e[2];
		const char *what;
	} cases[] = {
		{{{"b", 0, 0, 0, 1}, {"a", 0, 0, 0, 1}}, "not in order"},
		{{{"ab", 0, 0, 0, 1}, {"a", 0, 0, 0, 1}}, "a prefix after"},
		{{{"a", 0, 0, 0, 1}, {"a", 0, 0, 0, 1}}, "twice"},
		{{{"a", 0, 2, 0, 1}, {"a", 0, 1, 0, 1}}, "stages not in order"},
		{{{"\x7f", 0, 0, 0, 1}, {"\x01\xff", 0, 0, 0, 1}}, "bytes are not signed"},
		{{{"..", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, ".."},
		{{{"a/b", 0, 0, 0, 1}, {"a/b/..", 0, 0, 0, 1}}, ".. at the end"},
		{{{"a/.", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "."},
		{{{"a/./b", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, ". between"},
		{{{"a/.b/c", 0, 0, 0, 1}, {"a/.b/c/../d", 0, 0, 0, 1}}, ".. behind a common part"},
		{{{"/a", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "a slash in front"},
		{{{"a//b", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "two slashes"},
		{{{"a/", 0, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "a slash behind"},
		{{{"a", 0170000, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "a mode"},
		{{{"a", 0010644, 0, 0, 1}, {"z", 0, 0, 0, 1}}, "a FIFO"},
	};
	static const struct entry good[] = {{"..a", 0, 0, 0, 1}, {".a/..b/...", 0, 0, 0, 1}};
	struct str whole = make(2, 20, good, 2, STR("")), many;
	struct index ix;
	bool all = true;

	works(parse(good, 2, 4, STR(""), &ix), "dots are allowed in names");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (unsigned version = 2; version <= 4; version += 2)
			fails(parse(cases[i].e, 2, version, STR(""), &ix), E_GIT_CORRUPT,
			      cases[i].what);
	for (size_t n = 0; n < whole.n; n++) {
		struct err *e = index_parse(a, str_dup(a, str_sub(whole, 0, n)), "x", 20, &ix);

		all = all && e && err_reason(e) == E_GIT_CORRUPT;
	}
	ok(all, "cut short anywhere");
	many = str_dup(a, whole);
	memset((char *)(uintptr_t)many.p + 8, 0xff, 4);
	fails(index_parse(a, many, "x", 20, &ix), E_GIT_CORRUPT, "more entries than bytes");
	fails(parse(good, 2, 2, STR("TREE\0\0\0\1"), &ix), E_GIT_CORRUPT, "an extension cut short");
	fails(parse(good, 2, 2, STR("TRE"), &ix), E_GIT_CORRUPT, "less than an extension");
}

/* ---- cache trees ---- */

static struct index_tree *tree_with(struct git *g, const struct entry *e, size_t n, struct str tree)
{
	struct index_tree *t = ARENA_NEW(a, struct index_tree);

	*t = (struct index_tree){.t = {&git_index_ops, STR("an index")}, .g = g};
	works(parse(e, n, 2, tree.n ? extension("TREE", tree) : STR(""), &t->ix), "an index");
	return t;
}

static size_t differences(struct index_tree *x, struct index_tree *y, struct tree_changes *out)
{
	bool known;

	*out = (struct tree_changes){0};
	works(diff_trees(a, &x->t, &y->t, out, &known), "compares");
	ok(known, "knows how");
	return out->n;
}

#define ID(c) c c c c c c c c c c c c c c c c c c c c

static void test_cache_tree(void)
{
	static const struct entry one[] = {
		{"a/x", 0, 0, 0, 1}, {"a/y", 0, 0, 0, 1}, {"b/x", 0, 0, 0, 1}, {"c", 0, 0, 0, 1}};
	static const struct entry two[] = {
		{"a/x", 0, 0, 0, 1}, {"a/y", 0, 0, 0, 2}, {"b/x", 0, 0, 0, 2}, {"c", 0, 0, 0, 1}};
	struct git g = {.arena = a, .id_len = 20};
	struct index_tree *x = tree_with(&g, one, 4, STR("")), *y = tree_with(&g, two, 4, STR(""));
	struct str same_a = STR("\0-1 2\na\0002 0\n" ID("A") "b\0001 0\n" ID("B"));
	struct str other_b = STR("\0-1 2\na\0002 0\n" ID("A") "b\0001 0\n" ID("C"));
	struct str lie = STR("\0-1 1\na\0003 0\n" ID("A"));
	struct str root = STR("\0004 0\n" ID("R")), wrong_root = STR("\0003 0\n" ID("R"));
	struct tree_changes c;

	is_int((long long)differences(x, y, &c), 2, "without cache trees");
	is_str(c.p[0].new.path, STR("a/y"), "in order");
	is_str(c.p[1].new.path, STR("b/x"), "of paths");
	x = tree_with(&g, one, 4, same_a);
	y = tree_with(&g, two, 4, other_b);
	is_int((long long)differences(x, y, &c), 1, "a folder of the same id is not entered");
	is_str(c.p[0].new.path, STR("b/x"), "one of another id is");
	is_int((long long)differences(tree_with(&g, one, 4, lie), tree_with(&g, two, 4, lie), &c),
	       2, "a count that does not fit the entries is not believed");
	is_int((long long)differences(tree_with(&g, one, 4, root), tree_with(&g, two, 4, root), &c),
	       0, "the same root");
	is_int((long long)differences(tree_with(&g, one, 4, wrong_root),
				      tree_with(&g, two, 4, wrong_root), &c),
	       2, "a root with another count");
}

static void test_bad_cache_tree(void)
{
	static const struct entry e[] = {{"a", 0, 0, 0, 1}};
	static const struct str bad[] = {STR_INIT("\0"),
					 STR_INIT("\0001 0"),
					 STR_INIT("\0001 0\nshort"),
					 STR_INIT("\0-2 0\n"),
					 STR_INIT("\0x 0\n"),
					 STR_INIT("\0-1 -1\n"),
					 STR_INIT("\0-1 4000000000\n"),
					 STR_INIT("\0-1 99999999999\n"),
					 STR_INIT("\0-1 1\n")};
	struct buf deep = buf_in(a);
	struct index ix;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		works(parse(e, 1, 2, extension("TREE", bad[i]), &ix),
		      "a bad cache tree is no error");
		ok(!ix.root, "but is not used");
	}
	for (int i = 0; i < 100000; i++)
		buf_put(&deep, STR("a\0-1 1\n"));
	works(parse(e, 1, 2, extension("TREE", buf_as_str(&deep)), &ix), "one of 100,000 levels");
	ok(!ix.root, "is not used either");
}

static void test_lookup(void)
{
	static const struct entry e[] = {{"a", 0, 0, 0, 1},     {"b-", 0, 0, 0, 1},
					 {"b/a", 0, 0, 0, 1},   {"b/b/c", 0, 0, 0, 1},
					 {"b/b/d", 0, 0, 0, 1}, {"b/c", 0, 0, 0, 1},
					 {"b0", 0, 0, 0, 1}};
	struct index ix;

	works(parse(e, 7, 4, STR(""), &ix), "an index");
	is_int((long long)index_lower_bound(&ix, 0, 7, STR("b/")), 2, "where a folder begins");
	is_int((long long)index_prefix_end(&ix, 2, 7, STR("b/")), 6, "where it ends");
	is_int((long long)index_prefix_end(&ix, 3, 7, STR("b/b/")), 5, "one within");
	is_int((long long)index_prefix_end(&ix, 6, 7, STR("b/")), 6, "none");
	is_int((long long)index_prefix_end(&ix, 0, 7, STR("")), 7, "all");
	is_int((long long)index_lower_bound(&ix, 0, 7, STR("z")), 7, "after all");
	is_int((long long)index_lower_bound(&ix, 0, 7, STR("")), 0, "before all");
}

/* ---- objects ---- */

static void test_items(void)
{
	static const struct str bad[] = {STR_INIT("100644"),
					 STR_INIT("100644 "),
					 STR_INIT("100644 a"),
					 STR_INIT(" a\0"),
					 STR_INIT("100644 a\0"
						  "too short"),
					 STR_INIT("1006440 a\0" ID("x")),
					 STR_INIT("100648 a\0" ID("x")),
					 STR_INIT("100644 \0" ID("x")),
					 STR_INIT("100644 ..\0" ID("x")),
					 STR_INIT("100644 a/b\0" ID("x")),
					 STR_INIT("0 a\0" ID("x"))};
	struct str rest = STR("40000 a\0" ID("1") "100755 b\0" ID("2") "160000 c\0" ID("3"));
	struct item i;
	bool more;

	works(tree_object_entry_next(&rest, 20, &i, &more), "a folder");
	ok(more && i.is_dir && i.id[0] == '1', "is one");
	works(tree_object_entry_next(&rest, 20, &i, &more), "a file");
	ok(more && !i.is_dir && i.kind == TREE_EXEC, "is executable");
	works(tree_object_entry_next(&rest, 20, &i, &more), "a submodule");
	ok(more && !i.is_dir && i.kind == TREE_SUBMODULE, "is no folder");
	works(tree_object_entry_next(&rest, 20, &i, &more), "the end");
	ok(!more, "is one");
	for (size_t k = 0; k < ARRAY_SIZE(bad); k++) {
		rest = str_dup(a, bad[k]);
		fails(tree_object_entry_next(&rest, 20, &i, &more), E_GIT_CORRUPT, "a bad entry");
	}
}

static int order(const char *x, bool x_dir, const char *y, bool y_dir)
{
	struct item p = {.name = str_of(x), .is_dir = x_dir},
		    q = {.name = str_of(y), .is_dir = y_dir};
	int c = tree_object_entry_cmp(&p, &q);

	return c < 0 ? -1 : c > 0;
}

static void test_order(void)
{
	is_int(order("a", true, "a-b", false), 1, "a/ comes after a-b");
	is_int(order("a", false, "a-b", false), -1, "the file a before");
	is_int(order("a", true, "a0", false), -1, "a/ before a0");
	is_int(order("a", true, "a", false), 1, "the folder after the file");
	is_int(order("a", true, "a", true), 0, "the same");
	is_int(order("\xff", false, "a", false), 1, "bytes are not signed");
}

static void test_ids(void)
{
	unsigned char id[ID_MAX];
	char hex[HEX_MAX];
	struct str text = STR("00112233445566778899aabbccddeeff00112233");

	ok(id_parse(text, id, 20), "an id");
	is_str(str_of(id_hex(id, 20, hex)), text, "and back");
	ok(!id_parse(str_sub(text, 1, text.n), id, 20), "too short");
	ok(!id_parse(text, id, 32), "of another length");
	ok(id_parse(STR("00112233445566778899AABBCCDDEEFF00112233"), id, 20), "in capitals");
	is_str(str_of(id_hex(id, 20, hex)), text, "the same, as for git");
}

/* ---- settings ---- */

static void test_settings(void)
{
	struct git g = {.arena = a, .env = true};
	struct strs v = {0};

	ok(config_bool("true", false) && config_bool("Yes", false) && config_bool("1", false) &&
		   config_bool("on", false) && config_bool("-1", false),
	   "yes");
	ok(!config_bool("false", true) && !config_bool("no", true) && !config_bool("0", true) &&
		   !config_bool("", true) && !config_bool("OFF", true),
	   "no");
	ok(config_bool(NULL, true) && !config_bool("rubbish", false), "otherwise");
	setenv("GIT_CONFIG_PARAMETERS",
	       "'core.a=old form'  'core.A'='it'\\''s new'\\!'' 'x.B c.d' 'x.b c.d'='no'", 1);
	works(config_env(&g, a, "core.a", &v), "git -c");
	is_int((long long)v.n, 2, "both forms");
	is_str(v.p[0], STR("old form"), "the old one");
	is_str(v.p[1], STR("it's new!"), "the new one");
	v.n = 0;
	works(config_env(&g, a, "X.B c.D", &v), "in the middle case counts");
	is_int((long long)v.n, 1, "so it is one");
	is_str(v.p[0], STR("true"), "without a value it is true");
	g.env = false;
	v.n = 0;
	works(config_env(&g, a, "core.a", &v), "for another repository");
	is_int((long long)v.n, 0, "it does not count");
	g.env = true;
	setenv("GIT_CONFIG_PARAMETERS", "'core.a=not closed", 1);
	fails(config_env(&g, a, "core.a", &v), E_BAD_CONFIG, "not closed");
	setenv("GIT_CONFIG_PARAMETERS", "core.a=1", 1);
	fails(config_env(&g, a, "core.a", &v), E_BAD_CONFIG, "not quoted");
	unsetenv("GIT_CONFIG_PARAMETERS");
}

int main(void)
{
	a = arena_new();
	test_versions();
	test_flags();
	test_damage();
	test_cache_tree();
	test_bad_cache_tree();
	test_lookup();
	test_items();
	test_order();
	test_ids();
	test_settings();
	arena_free(a);
	return tap_done();
}
