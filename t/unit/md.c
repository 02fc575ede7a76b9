#include "tap.h"
#include "md/md.h"

static struct arena *a;

static struct md read(const char *text)
{
	struct md md = {0};

	works(md_read(a, str_of(text), 0, &md), "read");
	return md;
}

static struct str source(const char *text, const struct md_block *b)
{
	return str_sub(str_of(text), b->at.from, b->at.to);
}

static void blocks(void)
{
	static const char text[] =
		"\xef\xbb\xbf# A *title* with `code` &amp; [link](x.md) #\n"
		"Setext\nheading\n===\n\n"
		"- one **bold**\n\n  second\n- Status: [x](y.md)\n  more\n  1. deep\n\n\n"
		"> quoted <!-- not --> text<br>end\n\n"
		"***\n<div>\nhtml\n</div>\n\n"
		"    indented\n\n    code\n\n\n"
		"last ![alt *text*](i.png) <https://x.org>  \nline";
	struct md md = read(text);
	static const struct {
		enum md_type type;
		unsigned level, depth;
		const char *text, *link, *source;
	} want[] = {
		{MD_HEADING, 1, 0, "A title with code & link", "x.md",
		 "\xef\xbb\xbf# A *title* with `code` &amp; [link](x.md) #"},
		{MD_HEADING, 1, 0, "Setext\nheading", "", "Setext\nheading\n==="},
		{MD_ITEM, 0, 0, "one bold", "", "- one **bold**\n\n  second"},
		{MD_PARAGRAPH, 0, 1, "one bold", "", "- one **bold**"},
		{MD_PARAGRAPH, 0, 1, "second", "", "  second"},
		{MD_ITEM, 0, 0, "Status: x\nmore", "y.md",
		 "- Status: [x](y.md)\n  more\n  1. deep"},
		{MD_PARAGRAPH, 0, 1, "Status: x\nmore", "y.md", "- Status: [x](y.md)\n  more"},
		{MD_ITEM, 0, 1, "deep", "", "  1. deep"},
		{MD_PARAGRAPH, 0, 2, "deep", "", "  1. deep"},
		{MD_PARAGRAPH, 0, 1, "quoted  text\nend", "", "> quoted <!-- not --> text<br>end"},
		{MD_BREAK, 0, 0, "", "", "***"},
		{MD_HTML, 0, 0, "<div>\nhtml\n</div>\n", "", "<div>\nhtml\n</div>"},
		{MD_CODE, 0, 0, "indented\n\ncode\n", "", "    indented\n\n    code"},
		{MD_PARAGRAPH, 0, 0, "last alt text https://x.org\nline", "https://x.org",
		 "last ![alt *text*](i.png) <https://x.org>  \nline"},
	};

	is_int((long long)md.n, ARRAY_SIZE(want), "every block is there");
	for (size_t i = 0; i < md.n && i < ARRAY_SIZE(want); i++) {
		const struct md_block *b = &md.p[i];

		ok(b->type == want[i].type && b->level == want[i].level &&
			   b->depth == want[i].depth,
		   "block %zu: type %d, level %u, depth %u", i, (int)b->type, b->level, b->depth);
		is_str(b->text, str_of(want[i].text), "its text");
		is_str(b->link, str_of(want[i].link), "its link");
		is_str(source(text, b), str_of(want[i].source), "its place");
	}
}

static void code(void)
{
	static const char text[] = "```yaml title=x\na: 1\r\n\r\n  b: 2\r\n```\r\n"
				   "~~~\n```\n~~~~\n"
				   "- ```yml\n  in: list\n  ```\n"
				   "  ```\n  shifted\n  ```\n"
				   "```\n```\n"
				   "````\nopen\n```\n";
	struct md md = read(text);
	struct str from = {text, sizeof(text)};

	is_int((long long)md.n, 7, "five blocks, one of them in an item with another");
	is_str(md.p[0].info, STR("yaml title=x"), "the info string");
	is_str(md.p[0].body, STR("a: 1\r\n\r\n  b: 2\r\n"), "the body is the source");
	ok(md.p[0].body.p == text + 16, "and lies in it");
	is_str(md.p[1].body, STR("```\n"), "another fence inside");
	is_str(md.p[3].text, STR("in: list\n"), "a fence in a list has its content");
	is_int((long long)md.p[3].body.n, 0, "but no body");
	is_str(md.p[5].body, STR(""), "an empty fence");
	is_str(md.p[6].body, STR("open\n```\n"), "a fence that the text's end closes");
	ok(md.p[6].body.p > from.p, "lies in the source too");
	md = read("> ```\n> a\n```\nb\n");
	is_str(source("> ```\n> a\n```\nb\n", &md.p[0]), STR("> ```\n> a"),
	       "the end of a quote ends a fence in it");
	md = read("x\r# CR alone\ry\r");
	is_int((long long)md.n, 3, "CR ends lines too");
	is_str(source("x\r# CR alone\ry\r", &md.p[1]), STR("# CR alone"), "and places know it");
	md = read("  ```yaml\n  a: 1\n  ```\n");
	is_str(md.p[0].text, STR("a: 1\n"), "an indented fence");
	is_int((long long)md.p[0].body.n, 0, "has no body");
}

/* For cmark they end a line earlier. */
static void comments(void)
{
	static const char text[] =
		"<!-- one -->\n<!-- two\r\n\r\nthree -->\r\n> <!-- four\n> -->\nx\n"
		"<!-- open\n\n";
	struct md md = read(text);

	is_str(source(text, &md.p[0]), STR("<!-- one -->"), "a comment");
	is_str(source(text, &md.p[1]), STR("<!-- two\r\n\r\nthree -->"), "one of several lines");
	is_str(source(text, &md.p[2]), STR("> <!-- four\n> -->"), "one in a quote");
	is_str(source(text, &md.p[4]), STR("<!-- open"), "one that the text's end closes");
	md = read("<!-- one -->\rx");
	is_str(source("<!-- one -->\rx", &md.p[0]), STR("<!-- one -->"), "one that CR ends");
	md = read("a <!-- b --> `<!-- c -->`");
	is_int((long long)md.p[0].comments, 1, "a comment in a paragraph is counted");
}

static void struck(void)
{
	static const struct {
		const char *text, *left, *struck;
	} rows[] = {
		{"~~Proposed~~ Accepted", "Accepted", "Proposed"},
		{"a ~~b *c* d~~ e ~~f~~", "a  e", "b c d f"},
		{"~~open", "~~open", ""},
		{"a ~~ b ~~ c", "a ~~ b ~~ c", ""},
		{"`~~x~~` ~~y~~", "~~x~~", "y"},
		{"~x~ ~~~y~~~", "~x~ ~~~y~~~", ""},
		{"~~x ~~y~~", "", "x ~~y"},
		{"~~one\ntwo~~ three", "three", "one\ntwo"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct md md = read(rows[i].text);

		is_str(md.p[0].text, str_of(rows[i].left),
		       str_fmt(a, "what is left of row %zu", i).p);
		is_str(md.p[0].struck, str_of(rows[i].struck), "what was struck");
	}
}

static void frontmatter(void)
{
	static const struct {
		const char *text, *yaml, *body;
		bool found, unclosed;
	} rows[] = {
		{"---\na: 1\n---\nbody", "a: 1\n", "body", true, false},
		{"\xef\xbb\xbf---  \r\na: 1\r\n---\r\nbody", "a: 1\r\n", "body", true, false},
		{"---\na: 1\n...\n# x\n", "a: 1\n", "# x\n", true, false},
		{"---\n---\n", "", "", true, false},
		{"---\na: 1\n", "a: 1\n", "", true, true},
		{"---", "", "", true, true},
		{"--- \n ---\n---x\n----\n---", " ---\n---x\n----\n", "", true, false},
		{"----\na: 1\n---\n", NULL, NULL, false, false},
		{"\n---\na: 1\n---\n", NULL, NULL, false, false},
		{" ---\na: 1\n---\n", NULL, NULL, false, false},
		{"", NULL, NULL, false, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str yaml, body;
		bool unclosed,
			found = md_frontmatter(str_of(rows[i].text), &yaml, &body, &unclosed);

		ok(found == rows[i].found && unclosed == rows[i].unclosed, "frontmatter %zu", i);
		if (!found)
			continue;
		is_str(yaml, str_of(rows[i].yaml), "its yaml");
		is_str(body, str_of(rows[i].body), "and the body");
	}
}

static struct str repeat(const char *s, size_t n, const char *end)
{
	struct buf b = buf_in(a);

	while (n--)
		buf_puts(&b, s);
	buf_puts(&b, end);
	return buf_as_str(&b);
}

static void hostile(void)
{
	struct md md;

	works(md_read(a, STR("a\0b \xff\xc3 c"), 0, &md), "NUL and invalid UTF-8 are read");
	is_str(md.p[0].text,
	       STR("a\xef\xbf\xbd"
		   "b \xef\xbf\xbd\xef\xbf\xbd c"),
	       "and replaced in text");
	works(md_read(a, STR(""), 0, &md), "an empty text");
	is_int((long long)md.n, 0, "has no blocks");
	works(md_read(a, STR("  \n\r\n\t"), 0, &md), "blank lines");
	is_int((long long)md.n, 0, "have none");
	/* Each of these took cmark a minute or more. */
	fails(md_read(a, repeat("- ", 65536, "x\n\n\n\n"), 0, &md), E_TOO_DEEP, "deep lists");
	fails(md_read(a, repeat("1. ", 65536, "x\n"), 0, &md), E_TOO_DEEP, "deep numbered lists");
	fails(md_read(a, repeat(">", 65536, "x"), 0, &md), E_TOO_DEEP, "deep quotes");
	fails(md_read(a, repeat("  ", 200, "- x\n"), 0, &md), E_TOO_DEEP,
	      "an item far to the right");
	fails(md_read(a, repeat("![[]()", 65536, "x"), 0, &md), E_BAD_MARKDOWN, "open images");
	works(md_read(a, repeat("* ", 500, "\n"), 0, &md),
	      "a long thematic break is none of these");
	is_int(md.p[0].type, MD_BREAK, "but a break");
	fails(md_read(a, repeat("* ", 500, "+ x\n"), 0, &md), E_TOO_DEEP, "that one is");
	works(md_read(a, repeat("> ", 100, "x\n"), 0, &md), "a hundred quotes are fine");
	is_int(md.p[0].depth, 100, "and counted");
	works(md_read(a, repeat("*a **b ", 20000, "x"), 0, &md), "emphasis nested without end");
	works(md_read(a, repeat("~~a ", 100000, "x"), 0, &md), "tildes without end");
}

int main(void)
{
	a = arena_new();
	blocks();
	code();
	comments();
	struck();
	frontmatter();
	hostile();
	arena_free(a);
	return tap_done();
}
