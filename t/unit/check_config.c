#include "check.h"

/* Rules on settings: lines "key.path=value" of files, on both sides of a change. */
static const struct test tests[] = {
	/* ---- operators ---- */
	{"must_not_use: each line that matches", .no_base = true,
	 .now = {{"a.json", "{\"debug\": true,\n\"x\": {\"debug\": true}, \"debugger\": true}"},
		 {"b.yaml", "debug: true\n"},
		 {"c.txt", "debug=true"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "(^|\\.)debug=true$"), B}},
	 .want = "block adr.1 a.json:1:2 'debug=true'\nblock adr.1 a.json:2:7 'x.debug=true'\n"
		 "block adr.1 b.yaml:1:1 'debug=true'\nblocked\n"},
	{"must_not_match is the same", .no_base = true, .now = {{"a.ini", "[s]\nk = v\n"}},
	 .rules = {{CONFIG(MUST_NOT_MATCH, "^s\\.k=v$"), W}},
	 .want = "warn adr.1 a.ini:2:1 's.k=v'\n"},
	{"must_match: every file that it applies to has such a line", .no_base = true,
	 .now = {{"a.env", "TLS=on\n"}, {"b.env", "TLS=off\n"}, {"c.env", ""}, {"d.ini", ""}},
	 .rules = {{CONFIG(MUST_MATCH, "^TLS=on$"), B, .in = "*.env"}},
	 .want = "block adr.1 b.env\nblock adr.1 c.env\nblocked\n"},
	{"must_use: some file has such a line", .no_base = true,
	 .now = {{"a.toml", "x = 1\n"}, {"b.toml", "[y]\nx = 2\n"}},
	 .rules = {{CONFIG(MUST_USE, "^y\\.x=2$"), B}, {CONFIG(MUST_USE, "^y\\.x=1$"), B}},
	 .want = "block adr.2\nblocked\n"},
	{"must_exist: the path, or one below it", .no_base = true,
	 .now = {{"a.yaml", "server: {port: 1}\nlist: [{k: 1}]\n"},
		 {"b.properties", "log.level.x=1\n"}},
	 .rules = {{CONFIG(MUST_EXIST, "server"), B},
		   {CONFIG(MUST_EXIST, "server.port"), B},
		   {CONFIG(MUST_EXIST, "list[].k"), B},
		   {CONFIG(MUST_EXIST, "log.level"), B}},
	 .want = ""},
	{"must_exist: no part of a key, and no value", .no_base = true,
	 .now = {{"a.yaml", "server: {portable: server.port}\nerver: 1\n"}},
	 .rules = {{CONFIG(MUST_EXIST, "server.port"), B}, {CONFIG(MUST_EXIST, "serve"), W}},
	 .want = "block adr.1\nwarn adr.2\nblocked\n"},
	{"must_not_exist: a map is one finding, at its key", .no_base = true,
	 .now = {{"a.json", "{\"x\": 1,\n \"debug\": {\"a\": 1, \"b\": [2]}, \"debugs\": 1}"},
		 {"b.yaml", "debug:\n---\ndebug: [1, 2]\n---\ndebug: {}\n"},
		 {"c.properties", "debug.a=1\ndebug.b=2\n"}},
	 .rules = {{CONFIG(MUST_NOT_EXIST, "debug"), B}},
	 .want = "block adr.1 a.json:2:2 'debug'\nblock adr.1 b.yaml:1:1 'debug=null'\n"
		 "block adr.1 b.yaml:3:1 'debug'\nblock adr.1 b.yaml:5:1 'debug={}'\n"
		 "block adr.1 c.properties:1:1 'debug.a=1'\nblock adr.1 c.properties:2:1 'debug.b=2'\nblocked\n"},
	{"a value of several lines, an alias, a merge", .no_base = true,
	 .now = {{"a.yml", "base: &b {img: mysql}\nprod: {<<: *b}\ntext: |\n  a\n  mysql\n"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "=(.*\\n)?mysql"), W}},
	 .want = "warn adr.1 a.yml:1:11 'base.img=mysql'\nwarn adr.1 a.yml:1:11 'prod.img=mysql'\n"
		 "warn adr.1 a.yml:3:1 'text=a'\n"},

	/* ---- a change ---- */
	{"what the base has is existing, whatever its line", .base = {{"a.yaml", "debug: true\n"}},
	 .now = {{"a.yaml", "# more\nx: 1\ndebug: true\n"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^debug=true"), B}}, .want = "existing 1\n"},
	{"another value is new; once more in a list is new", .base = {{"a.yaml", "d: 1\nl: [x]\n"}},
	 .now = {{"a.yaml", "d: 2\nl:\n- x\n- x\n"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^(d|l\\[\\])="), B}},
	 .want = "block adr.1 a.yaml:1:1 'd=2'\nblock adr.1 a.yaml:4:3 'l[]=x'\nexisting 1\nblocked\n"},
	{"a file that is not touched is not read", .base = {{"a.json", "{\"d\": 1}"}, {"b", "x"}},
	 .now = {{"a.json", "{\"d\": 1}"}, {"b", "y"}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}},
	 .want = ""},
	{"must_match: lacking before, too", .base = {{"a.env", "A=1\n"}, {"b.env", "T=1\n"}},
	 .now = {{"a.env", "A=2\n"}, {"b.env", "A=1\n"}}, .rules = {{CONFIG(MUST_MATCH, "^T="), B}},
	 .want = "block adr.1 b.env\nexisting 1\nblocked\n"},
	{"must_exist: the last one goes", .base = {{"a.json", "{\"x\": 1}"}, {"b.json", "{}"}},
	 .now = {{"a.json", "{}"}, {"b.json", "{}"}}, .rules = {{CONFIG(MUST_EXIST, "x"), B}},
	 .want = "block adr.1\nblocked\n"},
	{"must_exist: another file has it",
	 .base = {{"a.json", "{\"x\": 1}"}, {"b.json", "{\"x\": 2}"}},
	 .now = {{"a.json", "{}"}, {"b.json", "{\"x\": 2}"}},
	 .rules = {{CONFIG(MUST_EXIST, "x"), B}}, .want = ""},
	{"a base that does not parse has nothing", .base = {{"a.json", "{"}},
	 .now = {{"a.json", "{\"d\": 1}"}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}},
	 .want = "block adr.1 a.json:1:2 'd=1'\nblocked\n"},

	/* ---- what cannot be read ---- */
	{"a file that does not parse is told", .base = {{"a.json", "{}"}},
	 .now = {{"a.json", "{\"d\": "}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}},
	 .want = "unjudged a.json unreadable_config\n"},
	{"and blocks where that is asked for", .strict = true, .base = {{"x.yaml", "a: 1\n"}},
	 .now = {{"x.yaml", "a: {{ b }}: {{\n"}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}},
	 .want = "unjudged x.yaml unreadable_config blocks\nblocked\n"},
	{"not outside appliesTo", .base = {{"a.json", "{}"}}, .now = {{"a.json", "{"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^d="), B, .in = "*.yaml"}}, .want = ""},
	{"a format without a reader, which the rule names",
	 .base = {{"a.conf", ""}, {"b.conf", ""}},
	 .now = {{"a.conf", "d = 1"}, {"b.conf", "d = 1"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^d="), B, .in = "a.conf"}},
	 .want = "unjudged a.conf unread_config\n"},
	{"a format without a reader, which no rule names", .base = {{"a.conf", ""}},
	 .now = {{"a.conf", "d = 1"}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}}, .want = ""},
	{"a link", .base = {{"x", ""}}, .now = {{"x", ""}, {"a.json", "x", TREE_LINK}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^d="), B}}, .want = "skip a.json link blocking\n"},
	{"the size limit is for code", .no_base = true, .max_file = 4,
	 .now = {{"a.json", "{\"d\": 1}"}}, .rules = {{CONFIG(MUST_NOT_USE, "^d="), W}},
	 .want = "warn adr.1 a.json:1:2 'd=1'\n"},
	{"an attribute is for code", .no_base = true,
	 .now = {{".gitattributes", "*.json linguist-generated"}, {"a.json", "{\"d\": 1}"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^d="), W}}, .want = "warn adr.1 a.json:1:2 'd=1'\n"},
	{"a pattern that gives up", .base = {{"a.env", ""}},
	 .now = {{"a.env", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=b\n"}},
	 .rules = {{CONFIG(MUST_NOT_USE, "^(a+)+$"), B}}, .want = "block adr.1 a.env\nblocked\n"},
};

/* 200,000 bytes of lines: a map goes on where one part ends, and the last line counts. */
static void config_long(void)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);
	struct test t = {
		.what = "a file of many lines",
		.no_base = true,
		.rules = {{CONFIG(MUST_NOT_EXIST, "map"), B},
			  {CONFIG(MUST_NOT_USE, "^last=1$"), B},
			  {CONFIG(MUST_MATCH, "^map\\.key9999="), B},
			  {CONFIG(MUST_NOT_USE, "=none$"), B}},
		.want = "block adr.1 a.yaml:1:1 'map'\nblock adr.2 a.yaml:10002:1 'last=1'\nblocked\n"};

	buf_puts(&b, "map:\n");
	for (unsigned i = 0; i < 10000; i++)
		buf_fmt(&b, "  key%u: value\n", i);
	buf_puts(&b, "last: 1\n");
	t.now[0].path = "a.yaml";
	t.now[0].text = buf_as_cstr(&b);
	run_case(&t);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
		run_case(&tests[i]);
	config_long();
	return tap_done();
}
