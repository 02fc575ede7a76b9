#include "tap.h"
#include "expand/expand.h"

static struct arena *a;

/* Names and their contents; "dir/" is a listing, "binary" is not text, "big" is over the limit. */
static const struct {
	bool asset;
	const char *name, *content;
} things[] = {{false, "a.c", "[A]"},
	      {false, "src/auth.c", "[AUTH]"},
	      {false, "src", "[LIST]"},
	      {false, "odd name.c", "[ODD]"},
	      {false, "dots...", "[DOTS]"},
	      {false, "q\"uote\\.c", "[QUOTE]"},
	      {false, "two\nlines", "[TWO]"},
	      {false, "@at", "[AT]"},
	      {false, "recursive", "@a.c"},
	      {false, "app/(x)/[id].c", "[PAREN]"},
	      {false, "caf\xc3\xa9", "[CAFE]"},
	      {false, "---", "[DASHES]"},
	      {false, "a,b", "[COMMA]"},
	      {false, "x\xe2\x80\x99s", "[CURLY]"},
	      {false, "\xe6\x96\x87.c", "[WEN]"},
	      {false, "..", "[UP]"},
	      {true, "auth-patterns", "[PATTERNS]"},
	      {true, "a.c", "[ASSET A]"}};

static struct err *find(void *ctx, struct arena *to, bool asset, struct str name, size_t max,
			struct expand_target *out)
{
	(void)ctx;
	(void)to;
	out->why = asset ? E_NO_SUCH_ASSET : E_FILE_NOT_FOUND;
	if (str_is(name, "big"))
		return err_new(E_TOO_BIG, "'big' is over %zu bytes", max);
	if (str_is(name, "binary"))
		out->why = E_NOT_TEXT;
	for (size_t i = 0; i < ARRAY_SIZE(things); i++)
		if (things[i].asset == asset && str_is(name, things[i].name)) {
			out->found = true;
			out->content = str_of(things[i].content);
			return NULL;
		}
	return NULL;
}

static const struct expand_options options = {.max_bytes = 1000, .max_total = 8 << 20};

static struct str expanded(struct str text, struct expand_references *refs)
{
	struct str out = {0};

	*refs = (struct expand_references){0};
	works(expand_markers(a, text, &options, find, NULL, &out, refs), "expand");
	return out;
}

static void markers(void)
{
	static const struct {
		const char *text, *want, *why;
	} rows[] = {
		{"see @a.c", "see [A]", "a file"},
		{"@a.c", "[A]", "at the very start"},
		{"see @@auth-patterns and @src/auth.c", "see [PATTERNS] and [AUTH]", "an example"},
		{"@@a.c @a.c", "[ASSET A] [A]", "assets have names of their own"},
		{"@a.c, @a.c; @a.c. @a.c: @a.c! @a.c? (@a.c) [@a.c] **@a.c** '@a.c' \"@a.c\" <@a.c>",
		 "[A], [A]; [A]. [A]: [A]! [A]? ([A]) [[A]] **[A]** '[A]' \"[A]\" <[A]>",
		 "punctuation is the sentence's"},
		{"@a.c...", "[A]...", "all of it"},
		{"@dots... @dots....", "[DOTS] [DOTS].",
		 "but the longest name that is there counts"},
		{"@a.c,@a.c @a.c's @a.c|x", "[A],[A] [A]'s [A]|x", "what never is in a bare name"},
		{"user@a.c x.@a.c _@a.c /@a.c -@a.c @@@a.c @a.c@a.c",
		 "user@a.c x.@a.c _@a.c /@a.c -@a.c @@@a.c @a.c@a.c", "in a word it is text"},
		{"\xc3\xa9@a.c", "\xc3\xa9@a.c", "a letter beyond ASCII is a word's"},
		{"\xe7\x9c\x8b@a.c\xe7\x9a\x84\xe4\xbb\xa3",
		 "\xe7\x9c\x8b[A]\xe7\x9a\x84\xe4\xbb\xa3", "Chinese has no blanks"},
		{"@\xe6\x96\x87.c", "[WEN]", "and names"},
		{"\xe2\x80\x9c@a.c\xe2\x80\x9d \xc2\xab@a.c\xc2\xbb \xef\xbc\x88@a.c\xef\xbc\x89",
		 "\xe2\x80\x9c[A]\xe2\x80\x9d \xc2\xab[A]\xc2\xbb \xef\xbc\x88[A]\xef\xbc\x89",
		 "quotes and brackets of other scripts"},
		{"@caf\xc3\xa9.", "[CAFE].", "a name beyond ASCII"},
		{"\\@a.c \\@@auth-patterns x\\@a.c \\\\@a.c",
		 "@a.c @@auth-patterns x\\@a.c \\\\@a.c",
		 "a backslash before a marker goes away, another stays"},
		{"@\"odd name.c\" @@\"auth-patterns\"", "[ODD] [PATTERNS]", "quotes"},
		{"@\"q\\\"uote\\\\.c\" @\"two\\\nlines\"", "[QUOTE] [TWO]", "escapes in them"},
		{"@\"odd name.c @\"\n\" @\"\"", "@\"odd name.c @\"\n\" @\"\"", "unclosed or empty"},
		{"@app/(x)/[id].c)", "[PAREN])", "brackets of a name"},
		{"@src", "[LIST]", "a folder"},
		{"@recursive", "@a.c", "what is put in is not looked at again"},
		{"`@a.c` ``x ` @a.c`` @a.c", "`@a.c` ``x ` @a.c`` [A]", "code spans"},
		{"` @a.c", "` [A]", "one that never ends is none"},
		{"` @a.c\n\n`", "` [A]\n\n`", "nor one over a blank line"},
		{"\\` @a.c `", "\\` [A] `", "nor an escaped one"},
		{"```\n@a.c\n```\n@a.c", "```\n@a.c\n```\n[A]", "a fence"},
		{"~~~~ x\n@a.c\n~~~\n```\n~~~~~\n@a.c", "~~~~ x\n@a.c\n~~~\n```\n~~~~~\n[A]",
		 "is closed by its like"},
		{"- ```\n  @a.c\n  ```\n- @a.c", "- ```\n  @a.c\n  ```\n- [A]", "in a list"},
		{"> ```\n> @a.c\n@a.c", "> ```\n> @a.c\n[A]", "in a quote, and not behind it"},
		{"```x``` @a.c", "```x``` [A]", "a code span at a line's start is none"},
		{"```\n@a.c", "```\n@a.c", "without an end"},
		{"@ @. @.. @- @( @@ @@@ @", "@ @. @.. @- @( @@ @@@ @",
		 "punctuation alone is no name"},
		{"@\"---\" @\"..\"", "[DASHES] [UP]", "but for quotes"},
		{"@nope @no/pe @binary", "@nope @no/pe @binary", "what is missing stays"},
		{"@nope(@a.c)", "@nope([A])", "and hides nothing"},
		{"a\r\n@a.c\r\n", "a\r\n[A]\r\n", "line ends stay"},
	};
	static const struct str nul = STR_INIT("\0@a.c\0 @a.c\xff");
	struct expand_references refs;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		is_str(expanded(str_of(rows[i].text), &refs), str_of(rows[i].want), rows[i].why);
	is_str(expanded(nul, &refs), nul, "NUL and bytes that are no UTF-8 are data");
}

static void references(void)
{
	static const char text[] = "x @a.c\n@nope @no.pe, @src/no @binary @@zz @@blocks/zz \\@a.b";
	struct expand_options strict = options;
	struct expand_references refs;
	struct str out;

	expanded(str_of(text), &refs);
	is_int((long long)refs.n, 6, "what is found, what looks like a path, what is no text");
	is_str(refs.p[0].marker, STR("@a.c"), "the marker as typed");
	is_int((long long)refs.p[0].at.from, 2, "its place");
	is_int((long long)refs.p[0].size, 3, "what it became");
	ok(!refs.p[0].missing, "is there");
	is_str(refs.p[1].marker, STR("@no.pe"), "without the comma");
	ok(refs.p[1].missing && refs.p[1].why == E_FILE_NOT_FOUND, "is missing");
	is_str(refs.p[3].target, STR("binary"), "what is there but no text");
	ok(refs.p[3].missing && refs.p[3].why == E_NOT_TEXT, "is missing too");
	ok(refs.p[4].asset && refs.p[4].why == E_NO_SUCH_ASSET, "an asset");
	strict.strict = true;
	refs.n = 0;
	fails(expand_markers(a, str_of(text), &strict, find, NULL, &out, &refs),
	      E_MISSING_REFERENCE, "strict");
	refs.n = 0;
	works(expand_markers(a, STR("@param @a.c `@x/y`"), &strict, find, NULL, &out, &refs),
	      "strict is about references only");
	fails(expand_markers(a, STR("@big"), &options, find, NULL, &out, &refs), E_TOO_BIG,
	      "one that is too big");
	strict.max_total = 10;
	works(expand_markers(a, STR("1234567@ x"), &strict, find, NULL, &out, &refs), "ten bytes");
	fails(expand_markers(a, STR("12345678 @x"), &strict, find, NULL, &out, &refs), E_TOO_BIG,
	      "eleven");
	fails(expand_markers(a, STR("@a.c @a.c @a.c"), &strict, find, NULL, &out, &refs), E_TOO_BIG,
	      "eleven put in");
}

/* A marker that the finder prints expands to the file that it found. */
static void round_trip(void)
{
	struct expand_references refs;

	is_str(expand_marker_for_path(a, false, STR("src/a.c")), STR("@src/a.c"), "a plain name");
	is_str(expand_marker_for_path(a, true, STR("blocks/a b.md")), STR("@@\"blocks/a b.md\""),
	       "an odd one");
	for (size_t i = 0; i < ARRAY_SIZE(things); i++) {
		struct str m = expand_marker_for_path(a, things[i].asset, str_of(things[i].name));
		struct str out = expanded(str_fmt(a, "x %.*s y", STR_ARG(m)), &refs);

		is_str(out, str_fmt(a, "x %s y", things[i].content), "back again");
	}
}

static struct str repeat(const char *s, size_t n)
{
	struct buf b = buf_in(a);

	while (n--)
		buf_puts(&b, s);
	return buf_as_str(&b);
}

/* Each of these would take minutes with a quadratic algorithm. */
static void hostile(void)
{
	static const char *const pieces[] = {"`",   "` ``",    "\\`",          "@\"",     "@(",
					     "> ",  "- ```\n", "@x.@",         "```\n\n", "1. ",
					     "@@@", "\\@",     "@\xe6\x96\x87"};
	struct expand_references refs;
	struct buf runs = buf_in(a);
	struct str text;

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		text = repeat(pieces[i], 200000);
		ok(expanded(text, &refs).n > 0, "many of piece %zu", i);
	}
	for (size_t i = 1; i < 2000; i++) {
		for (size_t k = 0; k < i; k++)
			buf_putc(&runs, '`');
		buf_putc(&runs, ' ');
	}
	is_str(str_sub(expanded(buf_as_str(&runs), &refs), 0, 4), STR("` ``"),
	       "runs of every length");
	text = str_fmt(a, "@%.*s", STR_ARG(repeat("x/", 5000)));
	is_str(expanded(text, &refs), text, "a name over the limit is text");
	is_int((long long)refs.n, 0, "and no reference");
}

int main(void)
{
	a = arena_new();
	markers();
	references();
	round_trip();
	hostile();
	arena_free(a);
	return tap_done();
}
