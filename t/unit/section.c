#include "tap.h"
#include "md/md.h"

static struct arena *a;

static struct md_sections read(struct str text)
{
	struct md_sections s = {0};

	works(md_sections(a, text, &s), "read the sections");
	return s;
}

static struct str at(struct str text, struct span span)
{
	return str_sub(text, span.from, span.to);
}

static void garden(void)
{
	static const char text[] = "---\nid: x\n# no heading: 1\n---\n"
				   "# Overview\n\nintro\n"
				   "## Concerns\n<!-- @anchor: concerns v1 -->\n\none\n\n"
				   "### Deep `code`\ntwo\n"
				   "## Evidence (curated)\n[//]: # (anchor: evidence v1)\nthree\n"
				   "```\n## no heading\n<!-- @anchor: fenced v1 -->\n```\n"
				   "Needs\n-----\n\n  <!--@anchor:needs v1-->\n";
	struct str s = str_of(text);
	struct md_sections v = read(s);
	static const struct {
		const char *anchor, *slug, *heading, *body;
		unsigned level;
		size_t line;
	} want[] = {
		{"", "overview", "Overview", NULL, 1, 5},
		{"concerns v1", "concerns", "Concerns", "\none\n\n### Deep `code`\ntwo\n", 2, 8},
		{"", "deep-code", "Deep code", "two\n", 3, 13},
		{"evidence v1", "evidence-curated", "Evidence (curated)",
		 "three\n```\n## no heading\n<!-- @anchor: fenced v1 -->\n```\n", 2, 15},
		{"needs v1", "needs", "Needs", "", 2, 22},
	};

	is_int((long long)v.n, ARRAY_SIZE(want),
	       "every section, and none in fence and front matter");
	for (size_t i = 0; i < v.n && i < ARRAY_SIZE(want); i++) {
		is_str(v.p[i].anchor, str_of(want[i].anchor), "its anchor");
		is_str(v.p[i].slug, str_of(want[i].slug), "its slug");
		is_str(v.p[i].heading, str_of(want[i].heading), "its heading");
		is_int((long long)v.p[i].line, (long long)want[i].line, "its line");
		is_int(v.p[i].level, want[i].level, "its level");
		if (want[i].body)
			is_str(at(s, v.p[i].body), str_of(want[i].body), "its body");
	}
	is_int((long long)v.p[0].at.to, (long long)s.n, "the title's section is all the rest");
	is_int((long long)v.p[1].at.to, (long long)v.p[3].at.from, "a section ends with its level");
	is_str(at(s, v.p[2].at), STR("### Deep `code`\ntwo\n"), "or with one above");
}

/* cmark counts the line behind the underline to the heading. */
static void underlined(void)
{
	static const struct {
		const char *text, *heading, *body, *anchor;
	} rows[] = {
		{"A\n---\n<!-- @anchor: a v1 -->\nx\n", "A\n---", "x\n", "a v1"},
		{"A\n---\nx\n", "A\n---", "x\n", ""},
		{"A\n===\n---\nx\n", "A\n===", "---\nx\n", ""},
		{"A\nb\n  -  \r\nx", "A\nb\n  -", "x", ""},
		{"A\n    ---\n---\nx\n", "A\n    ---\n---", "x\n", ""},
		{"A\n---", "A\n---", "", ""},
		{"A\n---\n\n", "A\n---", "\n", ""},
		{"> A\n> ---\n> x\n", "> A\n> ---", NULL, ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str s = str_of(rows[i].text);
		struct md_sections v = read(s);

		if (!ok(v.n == 1, "one heading"))
			continue;
		is_str(at(s, v.p[0].heading_at), str_of(rows[i].heading), "its lines");
		is_str(v.p[0].anchor, str_of(rows[i].anchor), "its anchor");
		if (rows[i].body)
			is_str(at(s, v.p[0].body), str_of(rows[i].body), "its body");
	}
}

/* As github-slugger has them in its tests. */
static void slugs(void)
{
	static const struct {
		const char *text, *slug;
	} rows[] = {
		{"# Hello, World!", "hello-world"},
		{"# a  b", "a--b"},
		{"# `x_y` and *z-1*", "x_y-and-z-1"},
		{"# Привет ЁЖ", "привет-ёж"},
		{"# ÄÖÜ Żółć Ÿ", "äöü-żółć-ÿ"},
		{"# I ♥ “quotes” — and 中文，標點", "i--quotes--and-中文標點"},
		{"# 😄 emoji", "-emoji"},
		{"#", ""},
		{"# ΣΟΦΙΑ", "σοφια"},
	};
	struct md_sections v;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		v = read(str_of(rows[i].text));
		is_str(v.p[0].slug, str_of(rows[i].slug), rows[i].slug);
	}
	v = read(STR("# a\n# a\n# a-1\n> # a\n\n# a\n#\n#\n"));
	is_str(v.p[1].slug, STR("a-1"), "the second");
	is_str(v.p[2].slug, STR("a-1-1"), "one that would be the second");
	is_str(v.p[3].slug, STR("a-2"), "one in a quote has a slug");
	is_str(v.p[4].slug, STR("a-3"), "the fourth");
	is_str(v.p[6].slug, STR("-1"), "an empty one");
}

static void nested(void)
{
	struct str s = STR("# a\n> # q\n> text\n\n- # i\n\nend\n# b\n");
	struct md_sections v = read(s);

	is_int((long long)v.n, 4, "nested headings are listed");
	is_str(at(s, v.p[0].at), STR("# a\n> # q\n> text\n\n- # i\n\nend\n"), "and end no section");
	is_str(at(s, v.p[1].at), STR("> # q"), "they are their own line");
	is_int((long long)(v.p[1].body.to - v.p[1].body.from), 0, "and no more");
}

/* cmark takes the line behind a heading with an underline for a part of it. */
static void underlined_others(void)
{
	struct str s =
		STR("A\nb\n---\ntext\n# c\nB\n==\n[//]: # (anchor: b v1)\nb\n> Q\n> -\n> x\n");
	struct md_sections v = read(s);

	is_str(at(s, v.p[0].body), STR("text\n"), "the text below an underlined heading");
	is_str(v.p[2].anchor, STR("b v1"), "the anchor below one");
	is_str(at(s, v.p[2].body), STR("b\n> Q\n> -\n> x\n"), "and the text below both");
	is_str(at(s, v.p[3].at), STR("> Q\n> -"), "one in a quote");
}

static void anchors(void)
{
	static const struct {
		const char *text, *names;
	} rows[] = {
		{"<!--\n@anchor: a b\n-->\n<!--@anchor:c--> <!-- @anchor: d -->\n", "a b,c,d"},
		{"x <!-- @anchor: a --> y <!-- no --> z", "a"},
		{"x <!-- @anchor: a --> `<!-- @anchor: b -->`", ""},
		{"<div>\n<!-- @anchor: a -->\n</div>", ""},
		{"    <!-- @anchor: a -->", ""},
		{"<!-- @anchor: -->", ""},
		{"<!-- @anchor: open", ""},
		{"[//]: # (anchor: a)\n[//]: # (anchor: b)\ntext\n[//]: # (anchor: c)", "a,b"},
		{"    [//]: # (anchor: a)", ""},
		{"[//]: # (anchor: a) x", ""},
		{"[//]: # (anchor: a(b))", ""},
		{"[//]: # (anchor: a)\r\n\r\n~~~\r\n[//]: # (anchor: b)\r\n~~~\r\n", "a"},
		{"---\nx: <!-- @anchor: a -->\n---\n<!-- @anchor: b -->", "b"},
		{"---\n<!-- @anchor: a -->\n", "a"},
		{"> <!-- @anchor: a -->", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct md_anchors v = {0};
		struct strs names = {0};

		works(md_hidden_anchors(a, str_of(rows[i].text), &v), "anchors");
		for (size_t j = 0; j < v.n; j++) {
			strs_push(a, &names, v.p[j].name);
			ok(str_find(at(str_of(rows[i].text), v.p[j].at), v.p[j].name, 0) !=
				   SIZE_MAX,
			   "it is where it says");
		}
		is_str(str_join(a, &names, ","), str_of(rows[i].names), "its anchors");
	}
}

/* What md_section_pick() and md_section_find() make of a name, as the line of the heading. */
static void names(void)
{
	static const char text[] = "# Top\n"                                /* 1 */
				   "## Needs\n<!-- @anchor: needs v1 -->\n" /* 2 */
				   "<!-- @anchor: wants v1 -->\nx\n"        /* 4 */
				   "## Open Questions\n\n"                  /* 6 */
				   "## Open questions\n\n"                  /* 8 */
				   "> # Quoted\n\n"                         /* 10 */
				   "## A\n\n[//]: # (anchor: a v1)\n"       /* 12 */
				   "## B\n[//]: # (anchor: a v1)\n"         /* 15 */
				   "## needs\n";                            /* 17 */
	static const struct {
		const char *name;
		size_t pick; /* the line; 0: it is not unique, 1000: there is none */
		size_t find;
	} rows[] = {
		{"needs v1", 2, 2},
		{"needs", 2, 2},
		{"open-questions", 0, 6},
		{"open-questions-1", 8, 8},
		{"open-questions-1:8", 8, 1000},
		{"open-questions:8", 8, 1000},
		{"open-questions:6", 6, 1000},
		{"open-questions:7", 1000, 1000},
		{"Open questions", 8, 8},
		{"OPEN QUESTIONS", 0, 6},
		{"a v1", 0, 12},
		{"a v1:15", 15, 1000},
		{"b", 15, 15},
		{"quoted", 1000, 10},
		{"needs-1", 17, 17},
		{"", 1000, 1000},
	};
	struct md_sections v = read(str_of(text));
	const struct md_section *s;
	struct strs all;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err *e = md_section_pick(a, &v, str_of(rows[i].name), &s);

		if (!rows[i].pick || rows[i].pick == 1000)
			fails(e, rows[i].pick ? E_NO_SUCH_SECTION : E_NOT_UNIQUE, rows[i].name);
		else if (works(e, rows[i].name))
			is_int((long long)s->line, (long long)rows[i].pick, "picks the line");
		e = md_section_find(a, &v, str_of(rows[i].name), &s);
		if (rows[i].find == 1000)
			fails(e, E_NO_SUCH_SECTION, rows[i].name);
		else if (works(e, rows[i].name))
			is_int((long long)s->line, (long long)rows[i].find, "finds the line");
	}
	is_str(at(str_of(text), v.p[1].body), STR("x\n"),
	       "all anchors below a heading belong to it");
	md_section_names(a, &v, &all);
	for (size_t i = 0; i < v.n; i++)
		if (!v.p[i].nested && works(md_section_pick(a, &v, all.p[i], &s), "its name"))
			is_int((long long)(s - v.p), (long long)i, "picks the section");
	is_str(all.p[1], STR("needs v1"), "the anchor is a name");
	is_str(all.p[3], STR("open-questions-1:8"), "a name with a line");
}

static struct str repeat(const char *s, size_t n, const char *end)
{
	struct buf b = buf_in(a);

	while (n--)
		buf_puts(&b, s);
	buf_puts(&b, end);
	return buf_as_str(&b);
}

/* Each took minutes when something was looked for anew from every heading. */
static void long_texts(void)
{
	struct str text = repeat("# a\n", 300000, repeat("\n", 1000000, "<!-- @anchor: x -->").p);
	struct md_sections v = read(text);

	is_str(v.p[299999].slug, STR("a-299999"), "many headings of one name");
	is_str(v.p[299999].anchor, STR("x"), "an anchor far away");
	is_str(v.p[0].anchor, STR(""), "belongs to the last");
	v = read(repeat("[//]: # (anchor: x)\n", 100000, "text"));
	is_int((long long)v.n, 0, "many definitions");
	v = read(repeat("[//]: # (anchor: ", 100000, ")"));
	is_int((long long)v.n, 0, "many beginnings in one line");
}

int main(void)
{
	struct md_sections v;

	a = arena_new();
	garden();
	underlined();
	slugs();
	nested();
	underlined_others();
	anchors();
	names();
	long_texts();
	v = read(STR("a\0# b\n# c\0\xff\n"));
	is_str(v.p[0].slug, STR("c"), "NUL and invalid UTF-8 are data");
	v = read(STR(""));
	is_int((long long)v.n, 0, "an empty text");
	arena_free(a);
	return tap_done();
}
