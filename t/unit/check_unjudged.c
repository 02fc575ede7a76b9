#include "check.h"

/* ikm reports a file that a rule applies to and that it cannot read; it still checks everything
 * that it can read. */
#define EVAL CODE(MUST_NOT_USE, "eval ?\\(")
#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define BYTES(p, t)                                                                                \
	{                                                                                          \
		.path = p, .text = t, .n = sizeof(t) - 1                                           \
	}

/* clang-format off */
static const struct test tests[] = {
	/* ---- text with NUL bytes, in UTF-16 and UTF-32 ---- */
	{"text: a NUL in a comment hides nothing", .base = {{"x", ""}},
	 .now = {BYTES("lib/x.js", "// \0\nmodule.exports = s => eval(s)\n")},
	 .rules = {{EVAL, B}}, .want = "block adr.1 lib/x.js:2:23 'eval('\nblocked\n"},
	{"text: nor in a script without a suffix, nor with an interpreter's line, nor in capitals",
	 .no_base = true,
	 .now = {BYTES("bin/run", "# a script of some length, with one byte \0\neval (1)\n"),
		 BYTES("b.xyz", "#!/bin/sh\n\0\1\2\3\4\5\6\neval (1)\n"), BYTES("C.JS", "\0eval(")},
	 .rules = {{EVAL, W}},
	 .want = "warn adr.1 C.JS:1:2 'eval('\nwarn adr.1 b.xyz:3:1 'eval ('\n"
		 "warn adr.1 bin/run:2:1 'eval ('\n"},
	{"text: a shell reads over NULs in a word", .no_base = true,
	 .now = {BYTES("a.sh", "x\ne\0v\0al (1)\n")}, .rules = {{EVAL, B}},
	 .want = "block adr.1 a.sh:2:1 'eval ('\nblocked\n"},
	{"text: found once, whatever the way to read it", .no_base = true,
	 .now = {BYTES("a.js", "\0eval(1)\n\0\0 eval(2)\n")}, .rules = {{EVAL, B}},
	 .want = "block adr.1 a.js:1:2 'eval('\nblock adr.1 a.js:2:4 'eval('\nblocked\n"},
	{"text: UTF-16 with a mark, either way", .no_base = true,
	 .now = {BYTES("a.ps1", "\xff\xfe\x0a\0\x2b\x20\xe9\0 \0e\0v\0a\0l\0(\0"),
		 BYTES("b.ps1", "\xfe\xff\0\x0a\0e\0v\0a\0l\0(")},
	 .rules = {{EVAL, B}},
	 .want = "block adr.1 a.ps1:2:7 'eval('\nblock adr.1 b.ps1:2:1 'eval('\nblocked\n"},
	{"text: and without one", .no_base = true,
	 .now = {BYTES("a.cs", "\x0a\0x\0 \0e\0v\0a\0l\0(\0"), BYTES("b.cs", "\0x\0\x0a\0e\0v\0a\0l\0(")},
	 .rules = {{EVAL, B}},
	 .want = "block adr.1 a.cs:2:3 'eval('\nblock adr.1 b.cs:2:1 'eval('\nblocked\n"},
	{"text: UTF-32", .no_base = true,
	 .now = {BYTES("a.sql", "\xff\xfe\0\0e\0\0\0v\0\0\0a\0\0\0l\0\0\0(\0\0\0"),
		 BYTES("b.sql", "\0\0\0e\0\0\0v\0\0\0a\0\0\0l\0\0\0(")},
	 .rules = {{EVAL, B}},
	 .want = "block adr.1 a.sql:1:1 'eval('\nblock adr.1 b.sql:1:1 'eval('\nblocked\n"},
	{"text: letters beyond ASCII, and half a pair of UTF-16", .no_base = true,
	 .now = {BYTES("a.cs", "\xff\xfe" "\x3d\xd8\0\xde" "\x00\xd8" "\x16\x04\n\0")},
	 .rules = {{CODE(MUST_NOT_USE, "\xf0\x9f\x98\x80\xef\xbf\xbd\xd0\x96$"), B}},
	 .want = "block adr.1 a.cs:1:1 '\xf0\x9f\x98\x80\xef\xbf\xbd\xd0\x96'\nblocked\n"},
	{"text: a mark does not hide what a shell runs", .no_base = true,
	 .now = {BYTES("a.sh", "\xff\xfe\neval (1)\n"), BYTES("b", "\xff\xfe\neval (1)\n")},
	 .rules = {{EVAL, B}},
	 .want = "block adr.1 a.sh:2:1 'eval ('\nblock adr.1 b:2:1 'eval ('\nblocked\n"},
	{"text: nor does one with NULs", .no_base = true,
	 .now = {BYTES("a.sh", "\xff\xfe\0\neval (1)\n")}, .rules = {{EVAL, B}},
	 .want = "block adr.1 a.sh:2:1 'eval ('\nblocked\n"},
	{"text: bytes of UTF-16 are no findings of their own", .no_base = true,
	 .now = {BYTES("a.rc", "\xff\xfe" "x\0\x14\x20\n\0")},
	 .rules = {{CODE(MUST_NOT_USE, "[ \\t]+$"), B}, {CODE(MUST_NOT_USE, "[\\x00-\\x08\\x14]"), B}},
	 .want = ""},
	{"text: the same text in UTF-16 is the same", .base = {{"a.cs", "eval(1)\neval(2)\n"}},
	 .now = {BYTES("a.cs", "\xff\xfe" "e\0v\0a\0l\0(\0""1\0)\0\n\0e\0v\0a\0l\0(\0""2\0)\0\n\0")},
	 .rules = {{EVAL, B}}, .want = "existing 2\n"},
	{"text: what every file must have is in UTF-16, too", .no_base = true,
	 .now = {BYTES("a.cs", "\xff\xfeO\0K\0"), BYTES("b.cs", "\xff\xfeN\0O\0")},
	 .rules = {{CODE(MUST_MATCH, "OK"), B}}, .want = "block adr.1 b.cs\nblocked\n"},
	{"text: a must_use is satisfied there", .no_base = true,
	 .now = {BYTES("a.cs", "\xff\xfeO\0K\0")}, .rules = {{CODE(MUST_USE, "OK"), B}}, .want = ""},
	{"text: data stays data", .no_base = true,
	 .now = {BYTES("a.png", "\x89PNG\0eval("), BYTES("b.bin", "eval(\0"),
		 BYTES("c", "\0\1\2\3\4\5\6\7\0\0\0\0\0\0eval("),
		 BYTES("d", "\0\x0e\x0f\x10\x11 eval(")},
	 .rules = {{EVAL, B}},
	 .want = "skip a.png binary\nskip b.bin binary\nskip c binary\nskip d binary\n"},
	{"text: a pointer instead of source code is told", .no_base = true,
	 .now = {{"a.js", LFS}, {"a.png", LFS}}, .rules = {{EVAL, B}},
	 .want = "skip a.js binary blocking\nskip a.png binary\n"},
	{"text: so is source code over the limit; a video is not", .no_base = true, .max_file = 4,
	 .now = {{"a.js", "12345"}, {"a.mp4", "12345"}, {"b.xyz", "12345"}}, .rules = {{EVAL, B}},
	 .want = "skip a.js too_big blocking\nskip a.mp4 too_big\nskip b.xyz too_big blocking\n"},

	/* ---- knowledge may quote ---- */
	{"quote: told with its place, and not stopped", .strict = true, .base = {{"docs/adr.md", ""}},
	 .now = {{"docs/adr.md", ""}, {"docs/b.md", "# x\n\neval (1) eval(2)\n"}},
	 .rules = {{EVAL, B}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}},
	 .want = "skip docs/b.md knowledge\nunjudged docs/b.md:3:1 knowledge_file 'eval ('\n"},
	{"quote: that it had before is no news", .base = {{"docs/b.md", "eval(1)\n"}},
	 .now = {{"docs/b.md", "more\neval(1)\n"}},
	 .rules = {{EVAL, B}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}},
	 .want = "skip docs/b.md knowledge\n"},
	{"quote: the rule's own item is for that", .base = {{"docs/adr.md", ""}},
	 .now = {{"docs/adr.md", "eval(1)\n"}}, .rules = {{EVAL, B}},
	 .want = "skip docs/adr.md knowledge\n"},
	{"quote: a warning's is not told", .base = {{"docs/b.md", ""}},
	 .now = {{"docs/b.md", "eval(1)\n"}},
	 .rules = {{EVAL, W}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}},
	 .want = "skip docs/b.md knowledge\n"},
	{"quote: a rule that names knowledge judges it", .base = {{"docs/b.md", ""}},
	 .now = {{"docs/b.md", "eval(1)\n"}},
	 .rules = {{EVAL, B, .in = "*.md"}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}},
	 .want = "block adr.1 docs/b.md:1:1 'eval('\nblocked\n"},
	{"quote: one that is about everything else does not", .base = {{"docs/b.md", ""}},
	 .now = {{"docs/b.md", "eval(1)\n"}},
	 .rules = {{EVAL, B, .in = "!legacy/"}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}},
	 .want = "skip docs/b.md knowledge\nunjudged docs/b.md:1:1 knowledge_file 'eval('\n"},

	/* ---- submodules, links, unread manifests ---- */
	{"link: told under a rule that is about everything", .base = {{"a.js", ""}},
	 .now = {{"a.js", ""}, {"lib/x.js", "/etc/passwd", TREE_LINK}}, .rules = {{EVAL, B}},
	 .want = "skip lib/x.js link blocking\n"},
	{"link: a common name, such as that of a script, stops only what asks for it",
	 .base = {{"a.js", ""}}, .now = {{"a.js", ""}, {"x.py", "/etc/passwd", TREE_LINK}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}}, .want = "skip x.py link blocking\n"},
	{"link: and then it does", .strict = true, .base = {{"a.js", ""}},
	 .now = {{"a.js", ""}, {"x.py", "/etc/passwd", TREE_LINK}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}}, .want = "skip x.py link blocking blocks\nblocked\n"},
	{"submodule: told under a rule on dependencies", .base = {{"a.js", ""}},
	 .now = {{"a.js", ""}, {"vendor/mysql2", "", TREE_SUBMODULE}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}},
	 .want = "skip vendor/mysql2 submodule blocking\n"},
	{"submodule: not under one on paths, nor outside appliesTo", .base = {{"a.js", ""}},
	 .now = {{"a.js", ""}, {"vendor/mysql2", "", TREE_SUBMODULE}},
	 .rules = {{PATH(MUST_NOT_USE, "x"), B}, {EVAL, B, .in = "src/"}}, .want = ""},
	{"unread: a manifest that the change touches", .base = {{"b/ivy.xml", "<a/>"}, {"x", ""}},
	 .now = {{"b/ivy.xml", "<a/>"}, {"jvm/ivy.xml", "<b>\nmySql2"}, {"x", "1"}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2"), B}}, .want = "unjudged jvm/ivy.xml:2:1 unread_manifest 'mySql2'\n"},
	{"unread: the name in capitals, too", .base = {{"x", ""}}, .now = {{"IVY.XML", "<b/>"}},
	 .rules = {{DEP(MUST_MATCH, "pg"), B}}, .want = "unjudged IVY.XML unread_manifest\n"},
	{"unread: not for a warning, for what must be there, nor outside appliesTo", .base = {{"x", ""}},
	 .now = {{"ivy.xml", "<b/>"}},
	 .rules = {{DEP(MUST_NOT_USE, "a"), W}, {DEP(MUST_NOT_USE, "b"), B, .in = "web/"}}, .want = ""},
	{"unread: not without what the rule forbids; a pattern with groups tells nothing",
	 .base = {{"x", ""}},
	 .now = {{"ivy.xml", "<pg/>"}, {"flake.nix", "a-b_C"}, {"Podfile", "\\x61"}},
	 .rules = {{DEP(MUST_NOT_USE, "mysql2?|abc|.*/b2+d"), B},
		   {DEP(MUST_NOT_USE, "(x|y)z"), B, .in = "ivy.xml"}},
	 .want = "unjudged Podfile unread_manifest\nunjudged flake.nix:1:1 unread_manifest 'a-b_C'\n"
		 "unjudged ivy.xml unread_manifest\n"},
	{"unread: with --all for a warning", .no_base = true, .all = true, .now = {{"ivy.xml", "<b/>"}},
	 .rules = {{DEP(MUST_MATCH, "a"), W}}, .want = "unjudged ivy.xml unread_manifest\n"},
	{"unread: blocks where that is asked for", .strict = true, .base = {{"x", ""}},
	 .now = {{"ivy.xml", "<b/>"}, {"l", "x", TREE_LINK}, {"m", "", TREE_SUBMODULE}},
	 .rules = {{DEP(MUST_MATCH, "mysql2"), B}, {EVAL, W}},
	 .want = "unjudged ivy.xml unread_manifest blocks\nskip l link\n"
		 "skip m submodule blocking blocks\nblocked\n"},

	/* ---- unresolved names ---- */
	{"unresolved: with its place", .base = {{"requirements.txt", "a\n"}},
	 .now = {{"requirements.txt", "a\n${DB}client\n"}}, .rules = {{DEP(MUST_NOT_USE, "b"), B}},
	 .want = "unjudged requirements.txt:2:1 unresolved '${DB}'\n"},
	{"unresolved: in an allow-list, too", .base = {{"requirements.txt", "a\n"}},
	 .now = {{"requirements.txt", "a\n${DB}client\n"}}, .rules = {{DEP(MUST_MATCH, "a"), B}},
	 .want = "unjudged requirements.txt:2:1 unresolved '${DB}'\n"},
	{"unresolved: what the base had is no news", .base = {{"requirements.txt", "${DB}client\n"}},
	 .now = {{"requirements.txt", "c\n${DB}client\n"}}, .rules = {{DEP(MUST_NOT_USE, "b"), B}},
	 .want = ""},
	{"unresolved: but once more is", .base = {{"requirements.txt", "${DB}client\n"}},
	 .now = {{"requirements.txt", "${DB}client\n${DB}client\n"}},
	 .rules = {{DEP(MUST_NOT_USE, "b"), B}},
	 .want = "unjudged requirements.txt:2:1 unresolved '${DB}'\n"},

	/* ---- limits ---- */
	{"limit: of the base, too: a dependency, a path", .strict = true,
	 .base = {{"package.json", PKG("\"" LONG "b\": \"1\"")}, {LONG "b", "1"}},
	 .now = {{"package.json", PKG("\"" LONG "c\": \"1\"")}, {LONG "b", "2"}},
	 .rules = {{PATH(MUST_NOT_MATCH, "^(a+)+$"), B}},
	 .want = "unjudged " LONG "b match_limit blocks\nexisting 1\nblocked\n"},

	/* ---- case ---- */
	{"case: as git does it", .base = {{"x", ""}}, .now = {{"Services/KEY.PEM", "eval("}},
	 .rules = {{EVAL, B, .in = "services/"}, {PATH(MUST_NOT_USE, "*.pem"), B}}, .want = ""},
	{"case: where git ignores it", .ignore_case = true, .base = {{"x", ""}},
	 .now = {{"Services/KEY.PEM", "eval("}},
	 .rules = {{EVAL, B, .in = "services/"}, {PATH(MUST_NOT_USE, "*.[p-q]em"), B}},
	 .want = "block adr.2 Services/KEY.PEM\nblock adr.1 Services/KEY.PEM:1:1 'eval('\nblocked\n"},
	{"case: a manifest's name in another case is one", .base = {{"x", ""}},
	 .now = {{"Package.json", PKG("\"mysql\": \"1\"")}}, .rules = {{DEP(MUST_NOT_USE, "mysql"), B}},
	 .want = "block adr.1 Package.json:2:21 'mysql 1'\nblocked\n"},

	/* ---- of equal lines the added ones are blamed ---- */
	{"blame: not the last of equal lines", .base = {{"a", "1\n2\np(e)\n3\np(e)\n"}},
	 .now = {{"a", "1\np(e)\n2\np(e)\n3\np(e)\n"}}, .rules = {{CODE(MUST_NOT_USE, "p\\(e\\)"), B}},
	 .want = "block adr.1 a:2:1 'p(e)'\nexisting 2\nblocked\n"},
	{"blame: two blocks of equal lines",
	 .base = {{"a", "f\n{\n\tp(e)\n}\ng\n{\n\tp(e)\n}\nz\n"}},
	 .now = {{"a", "f\n{\n\tp(e)\n}\nh\n{\n\tp(e)\n\tp(e)\n}\ng\n{\n\tp(e)\n}\nz\n"}},
	 .rules = {{CODE(MUST_NOT_USE, "p\\(e\\)"), B}},
	 .want = "block adr.1 a:7:2 'p(e)'\nblock adr.1 a:8:2 'p(e)'\nexisting 2\nblocked\n"},
	{"blame: one went, two came", .base = {{"a", "p(e)\n1\n2\n3\n4\n"}},
	 .now = {{"a", "1\n2\np(e) x\n3\np(e)\n4\n"}}, .rules = {{CODE(MUST_NOT_USE, "p\\(e\\)"), B}},
	 .want = "block adr.1 a:3:1 'p(e)'\nexisting 1\nblocked\n"},
	{"blame: in UTF-16", .base = {BYTES("a.cs", "\xff\xfe" "p\0\n\0""1\0\n\0p\0\n\0")},
	 .now = {BYTES("a.cs", "\xff\xfe" "p\0\n\0p\0\n\0""1\0\n\0p\0\n\0")},
	 .rules = {{CODE(MUST_NOT_USE, "p"), B}},
	 .want = "block adr.1 a.cs:2:1 'p'\nexisting 2\nblocked\n"},
};
/* clang-format on */

/* The base had no source in docs/: the change that makes a file knowledge does not exempt it. */
static void base_sources(void)
{
	static const struct con rule[] = {
		{EVAL, B}, {.item = "b", PATH(MUST_NOT_USE, "zz"), W}, {0}};
	struct arena *a = arena_new();
	struct knowledge *base = knowledge_of(a, rule);
	struct check_report r;

	base->folders.n = 0;
	r = run(a,
		(struct check_input){
			.now = tree_of(a, "now", (struct file[]){F("docs/b.md", "eval(1)\n"), {0}}),
			.base = tree_of(a, "base", (struct file[]){F("x", ""), {0}}),
			.rules = knowledge_of(a, rule),
			.base_rules = base,
			.complete = true});
	is_str(text_of(a, &r), STR("block adr.1 docs/b.md:1:1 'eval('\nblocked\n"),
	       "quote: only below the base's sources");
	arena_free(a);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
		run_case(&tests[i]);
	base_sources();
	return tap_done();
}
