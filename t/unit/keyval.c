/* Settings of files as lines: JSON, YAML, TOML, INI, .env, properties. */
#include "tap.h"
#include "keyval/keyval.h"

/* Each line as "LINE:COLUMN key=value"; a map or list as "LINE:COLUMN key/". */
struct given {
	struct str text;
	struct buf out;
};

static void give(void *ctx, const struct keyval *k)
{
	struct given *g = ctx;
	struct place at = str_place_of_offset(g->text, k->at);

	if (k->inner != (k->key == k->line.n && k->inner))
		BUG("a map with a value");
	buf_fmt(&g->out, "%zu:%zu %.*s%s\n", at.line, at.column, STR_ARG(k->line),
		k->inner ? "/" : "");
}

/* clang-format off */
static const struct row {
	const char *what, *path, *text, *want;
} rows[] = {
	{"JSON with comments", "a/tsconfig.json",
	 "{ // why\n  \"a\": {\"b\": 1.50, \"c.d\": \"x=\\\"y\\\"\",},\n  \"l\": [true, null, {\"e\": []}, [1]], /* x */ \"m\": {}\n}",
	 "2:3 a/\n2:9 a.b=1.50\n2:20 a.c.d=x=\"y\"\n3:3 l/\n3:9 l[]=true\n3:15 l[]=null\n3:21 l[]/\n3:22 l[].e=[]\n3:32 l[]/\n3:33 l[][]=1\n3:46 m={}\n"},
	{"JSON that is one value", "a.json", "\"x\"", "1:1 =x\n"},
	{"JSON that is a list", "a.jsonc", "[1, {\"a\": 2}]", "1:2 []=1\n1:5 []/\n1:6 [].a=2\n"},
	{"YAML: several documents", "a.yaml",
	 "%YAML 1.1\n---\na: &x {b: yes, c: ~}\n---\n# nothing\n---\na: 1_000\nd: |\n  one\n  two\n",
	 "3:1 a/\n3:8 a.b=yes\n3:16 a.c=null\n7:1 a=1_000\n8:1 d=one\ntwo\n\n"},
	{"YAML: aliases and merges", ".github/x.yml",
	 "base: &b {u: 1, v: 2}\nmore: &m {v: 3, w: 4}\nprod:\n  <<: [*b, *m]\n  u: 5\nsame: *b\nlist: [*b]\n",
	 "1:1 base/\n1:11 base.u=1\n1:17 base.v=2\n2:1 more/\n2:11 more.v=3\n2:17 more.w=4\n3:1 prod/\n5:3 prod.u=5\n1:17 prod.v=2\n2:17 prod.w=4\n"
	 "6:1 same/\n1:11 same.u=1\n1:17 same.v=2\n7:1 list/\n7:8 list[]/\n1:11 list[].u=1\n1:17 list[].v=2\n"},
	{"YAML: a merge of a merge, and a key that only looks like one", "a.yml",
	 "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, x: 3}\nd: {<<: text}\n",
	 "1:1 a/\n1:8 a.x=1\n2:1 b/\n2:16 b.y=2\n1:8 b.x=1\n3:1 c/\n3:13 c.x=3\n2:16 c.y=2\n4:1 d/\n4:5 d.<<=text\n"},
	{"TOML", "x/Cargo.toml",
	 "a.b = 1_0\n[s.\"t.u\"]\nk = 'v' # why\nd = 2024-01-01\n[[l]]\nx = [1, 2]\n[[l]]\nf = inf\n",
	 "1:1 a/\n1:3 a.b=10\n2:2 s/\n2:4 s.t.u/\n3:1 s.t.u.k=v\n4:1 s.t.u.d=2024-01-01\n5:3 l/\n5:1 l[]/\n6:1 l[].x/\n6:6 l[].x[]=1\n6:9 l[].x[]=2\n7:1 l[]/\n8:1 l[].f=inf\n"},
	{"INI", "setup.CFG",
	 "\xef\xbb\xbfglobal: 1\n# no\n[a b] ; why\nk = v ; why\nq = \"x ; y\" # z\nlist =\n  one\n  # no\n  two = 2\nalone\nk=v#w\r\n[empty]\n[t:u]\nx=\n",
	 "1:4 global=1\n4:1 a b.k=v\n5:1 a b.q=x ; y\n6:1 a b.list=\none\ntwo = 2\n10:1 a b.alone=\n11:1 a b.k=v#w\n14:1 t:u.x=\n"},
	{"INI of Git", ".gitconfig",
	 "[core] bare = false\n[remote \"o.x\"]\n\turl = https://x:1 # why\n\tfetch\n[a]b]\n",
	 "1:8 core.bare=false\n3:2 remote.o.x.url=https://x:1\n4:2 remote.o.x.fetch=\n"},
	{"INI of Git: quotes, escapes, values of several lines", ".gitmodules",
	 "[a]\n\tu = one \\\n  two ; no\n\tv = \"x ; \"y \\\"z\\\\ # no\r\n\tw = a\\\r\nb\n\tx=a;no\n\ty = \n\tz = \" \"",
	 "2:2 a.u=one   two\n4:2 a.v=x ; y \"z\\\n5:2 a.w=ab\n7:2 a.x=a\n8:2 a.y=\n9:2 a.z= \n"},
	{"INI of Git: blanks before a value, and before a line that goes on", ".gitconfig",
	 "[a]\n\tu = \\\n\t  log \\\r\n\t-1\n\tv = \"\"  x\n\tw = x \\\n# no\n\ty = \" \"  # no\n",
	 "2:2 a.u=log \t-1\n5:2 a.v=x\n6:2 a.w=x \n8:2 a.y= \n"},
	{"INI of npm: a backslash is text", ".npmrc", "a=b\\\nc=d ; why\n", "1:1 a=b\\\n2:1 c=d\n"},
	{"YAML with a byte order mark", "a.yaml", "\xef\xbb\xbf" "a: 1\nb: {c: 2}\n", "1:4 a=1\n2:1 b/\n2:5 b.c=2\n"},
	{"JSON with a byte order mark", "a.json", "\xef\xbb\xbf{\"a\": 1}", "1:5 a=1\n"},
	{"EditorConfig", ".editorconfig", "root = true\n[*.{js,ts}]\nindent_size = 2\n", "1:1 root=true\n3:1 *.{js,ts}.indent_size=2\n"},
	{".env", "deploy/.env.production",
	 "# no\nexport A=1\nB = two words # why\nC='a # b'\nD=\"x\\ny\n z\" # why\nE=\nF=it's#x\nG\nH=`q`\n",
	 "2:8 A=1\n3:1 B=two words\n4:1 C=a # b\n5:1 D=x\ny\n z\n7:1 E=\n8:1 F=it's#x\n9:1 G=\n10:1 H=q\n"},
	{".env: carriage returns alone", ".env", "A=1\r# c\rDB=mysql\r\nC=\"x\ry\"\rD=2", "1:1 A=1\n1:9 DB=mysql\n2:1 C=x\ny\n2:9 D=2\n"},
	{"INI: carriage returns alone", "a.ini", "[s]\ra=1\r; c\rb=2\r", "1:5 s.a=1\n1:13 s.b=2\n"},
	{".env: text behind the quote", ".env", "A='my'\"sql\" # no\nB=\"x\"y\nC=\"z\"", "1:1 A=my\"sql\" # no\n2:1 B=xy\n3:1 C=z\n"},
	{"properties", "a.properties",
	 "# no\n! no\na.b = 1\nc:2\n d\\=e\\:f  3 \nlong = a, \\\n   b\\\\\n\\u00e9=\\t\\u20ac\nempty\nx==y\r\nz = 1\\\r\n  2",
	 "3:1 a.b=1\n4:1 c=2\n5:2 d=e:f=3 \n6:1 long=a, b\\\n8:1 \xc3\xa9=\t\xe2\x82\xac\n9:1 empty=\n10:1 x==y\n11:1 z=12\n"},
	{"properties: a character of two units of UTF-16, and half of one", "a.properties",
	 "a=\\ud83d\\ude00b\nc=\\ud83dx\n", "1:1 a=\xf0\x9f\x98\x80" "b\n2:1 c=\xef\xbf\xbdx\n"},
	{"a map that is merged twice", "a.yaml", "x: &x {k: 1, l: 2}\ny:\n  l: 3\n  <<: [*x, {m: 4, k: 5}, *x]\n",
	 "1:1 x/\n1:8 x.k=1\n1:14 x.l=2\n2:1 y/\n3:3 y.l=3\n1:8 y.k=1\n4:13 y.m=4\n"},
	{"a key that is given twice", "a.env", "A=1\nA=2\n", "1:1 A=1\n2:1 A=2\n"},
	{"nothing", "a.ini", "", ""},
	{"nothing but comments", "a.yaml", "# x\n", ""},
	{"no setting in TOML", "a.toml", "", ""},
};

static const struct row bad[] = {
	{"JSON that is cut", "a.json", "{\"a\": 1", "line 1, column 8"},
	{"a key given twice in JSON", "a.json", "{\"a\": 1,\n\"a\": 2}", "line 2, column 1"},
	{"a template of YAML", "a.yaml", "a: 1\n{{ x }}: {{\n", "line 2, column "},
	{"TOML", "a.toml", "a =", "line 1, column 4"},
	{"an open section", "a.ini", "a=1\n[b\n", "line 2, column 1: a section begins with [ and must end with ]"},
	{"an open quote", ".env", "A=1\nB=\"x\n", "line 2, column 3: a quote begins here and does not end"},
	{"an open quote of Git", ".gitconfig", "[a]\nb = x \"y\n", "line 2, column 5: a value begins here whose quote does not end"},
	{"YAML behind a byte order mark", "a.yaml", "\xef\xbb\xbf" "a: 1\n\tb: 2\n", "line 2, column 1"},
	{"a wrong escape", "a.properties", "a=1\nb=\\u12\n", "line 2, column 3: \\u must have four hexadecimal digits"},
	{"another format", "a.txt", "", "ikm reads settings of *.json, "},
	{"UTF-16", "a.json", "\xff\xfe{", "it is UTF-16"},
};
/* clang-format on */

static void keyval_bombs(struct arena *a)
{
	struct buf b = buf_in(a);
	struct given g = {.out = buf_in(a)};

	for (unsigned i = 0; i < 100000; i++)
		buf_puts(&b, "[");
	fails(keyval_read(a, STR("a.json"), buf_as_str(&b), give, &g), E_TOO_DEEP, "100,000 lists");
	b = buf_in(a);
	for (unsigned i = 0; i < 300; i++)
		buf_puts(&b, "aaaaaaaaaaaaaaaaaaaa");
	fails(keyval_read(a, STR("a.json"), str_fmt(a, "{\"%.*s\": 1}", STR_ARG(buf_as_str(&b))),
			  give, &g),
	      E_TOO_LONG, "a key of 6,000 bytes");
	fails(keyval_read(a, STR("a.ini"), str_fmt(a, "[%.*s]\na=1\n", STR_ARG(buf_as_str(&b))),
			  give, &g),
	      E_TOO_LONG, "a section of 6,000 bytes");
	b = buf_in(a);
	buf_puts(&b, "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
	for (unsigned i = 1; i < 9; i++)
		buf_fmt(&b,
			"a%u: &a%u [*a%u, *a%u, *a%u, *a%u, *a%u, *a%u, *a%u, *a%u, *a%u, *a%u]\n",
			i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	fails(keyval_read(a, STR("a.yaml"), buf_as_str(&b), give, &g), E_TOO_LONG,
	      "a bomb of aliases");
}

static void keyval_count(void *ctx, const struct keyval *k)
{
	*(size_t *)ctx += !k->inner;
}

/* The time grows with the text, and not with the square of the maps that are merged. */
static void keyval_merges(struct arena *a)
{
	struct buf b = buf_in(a);
	size_t n = 0;

	buf_puts(&b, "a: {<<: [{k: 1}");
	for (unsigned i = 0; i < 100000; i++)
		buf_fmt(&b, ", {k%u: 1}", i);
	buf_puts(&b, "]}\n");
	works(keyval_read(a, STR("a.yaml"), buf_as_str(&b), keyval_count, &n),
	      "100,000 merged maps");
	is_int((int64_t)n, 100001, "all of them are read");
}

int main(void)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct given g = {str_of(rows[i].text), buf_in(a)};

		if (works(keyval_read(a, str_of(rows[i].path), g.text, give, &g), rows[i].what))
			is_str(buf_as_str(&g.out), str_of(rows[i].want), rows[i].what);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct given g = {str_of(bad[i].text), buf_in(a)};
		struct err *e = keyval_read(a, str_of(bad[i].path), g.text, give, &g);

		ok(e && strstr(err_message(e), bad[i].want), "%s: '%s' says '%s'", bad[i].what,
		   e ? err_message(e) : "success", bad[i].want);
	}
	ok(keyval_kind(STR("x/app.CONF")) == KEYVAL_UNREAD, "a format without a reader");
	ok(keyval_kind(STR("x/main.c")) == KEYVAL_NONE, "no settings");
	ok(keyval_kind(STR("env")) == KEYVAL_NONE, "a name must have more than the star's rest");
	keyval_bombs(a);
	keyval_merges(a);
	arena_free(a);
	return tap_done();
}
