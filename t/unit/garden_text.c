#include "tap.h"
#include "garden/section_edit.h"
#include "md/md.h"

static struct arena *a;
#define NOW ((int64_t)1769860800000) /* 2026-01-31T12:00:00Z */

/* ---- patch ---- */

struct patch_row {
	const char *what, *text, *section;
	char how; /* r: replace, a: append, t: tombstone */
	const char *given, *want;
	enum err_reason refused; /* when want is NULL */
};

static const struct patch_row patches[] = {
	{"the body", "# T\n\n## A\n<!-- @anchor: a v1 -->\n\nold\n\n## B\nb\n", "a v1", 'r', "new",
	 "# T\n\n## A\n<!-- @anchor: a v1 -->\n\nnew\n\n## B\nb\n"},
	{"no blank lines in the file", "## A\nold\n## B\n", "a", 'r', "new\n",
	 "## A\nnew\n\n## B\n"},
	{"an empty section", "## A\n<!-- @anchor: a v1 -->\n## B\n", "a v1", 'r', "\n\n  new\n\n",
	 "## A\n<!-- @anchor: a v1 -->\n\n  new\n\n## B\n"},
	{"an empty text", "## A\n\nold\n\n\n## B\n", "a", 'r', "\n", "## A\n\n## B\n"},
	{"the last heading without a line end", "# T\n## A", "a", 'r', "x", "# T\n## A\n\nx\n"},
	{"setext", "A\n-\n[//]: # (anchor: a v1)\n\nold\n\nB\n---\nb\n", "a v1", 'r', "x\n",
	 "A\n-\n[//]: # (anchor: a v1)\n\nx\n\nB\n---\nb\n"},
	{"an anchor behind blank lines", "## A\n\n\n<!-- @anchor: a v1 -->\nold\n", "a", 'r', "x",
	 "## A\n\n\n<!-- @anchor: a v1 -->\nx\n"},
	{"two anchors", "## A\n<!-- @anchor: a v1 -->\n<!-- @anchor: a v2 -->\nold\n", "a v1", 'r',
	 "x", "## A\n<!-- @anchor: a v1 -->\n<!-- @anchor: a v2 -->\nx\n"},
	{"a heading in a fence", "## A\n```\n## B\n```\n## B\nb\n", "b", 'r', "x",
	 "## A\n```\n## B\n```\n## B\nx\n"},
	{"CR LF", "## A\r\n\r\nold\r\n\r\n## B\r\n", "a", 'r', "x\ny",
	 "## A\r\n\r\nx\r\ny\r\n\r\n## B\r\n"},
	{"CR", "## A\r\rold\r\r## B\r", "a", 'r', "x\r\ny", "## A\r\rx\ry\r\r## B\r"},
	{"mixed line ends", "## A\n\nold\n\n## B\r\nb\r\n", "b", 'r', "x\ny\n",
	 "## A\n\nold\n\n## B\r\nx\r\ny\r\n"},
	{"a BOM and frontmatter", "\xef\xbb\xbf---\nx: 1\n## A\n---\n## A\n\told\n", "a", 'r',
	 "\xef\xbb\xbf\ttab", "\xef\xbb\xbf---\nx: 1\n## A\n---\n## A\n\ttab\n"},
	{"sections below it", "## A\na\n### A1\na1\n## B\n", "a", 'r', "x", "## A\nx\n\n## B\n"},
	{"a section below another", "## A\na\n### A1\na1\n## B\n", "a1", 'r', "x",
	 "## A\na\n### A1\nx\n\n## B\n"},
	{"a new heading", "## A\na\n## B\n", "a", 'r', "x\n\n### New\ny",
	 "## A\nx\n\n### New\ny\n\n## B\n"},
	{"nothing new", "## A\n\na\n\n## B\n", "a", 'r', "a", "## A\n\na\n\n## B\n"},
	{"appended", "## A\n\nold\n\n## B\n", "a", 'a', "new\n", "## A\n\nold\n\nnew\n\n## B\n"},
	{"appended without a line end", "## A\nold", "a", 'a', "new", "## A\nold\n\nnew\n"},
	{"appended to an empty section", "## A\n\n## B\n", "a", 'a', "new",
	 "## A\n\nnew\n\n## B\n"},
	{"an appended item", "## A\n- x\n- y\n\n## B\n", "a", 'a', "- z",
	 "## A\n- x\n- y\n- z\n\n## B\n"},
	{"an appended text", "## A\n- x\n\n## B\n", "a", 'a', "z", "## A\n- x\n\nz\n\n## B\n"},
	{"nothing appended", "## A\nold", "a", 'a', "", "## A\nold"},
	{"a tombstone", "## A\n\nold\n\n## B\n", "a", 't', "merged",
	 "## A\n\n*Given up 2026-01-31T12:00:00Z: merged*\n\n## B\n"},
	{"life after a tombstone", "## A\n\n*Given up 2026-01-31T12:00:00Z: x*\n", "a", 'a', "new",
	 "## A\n\nnew\n"},

	{"a fence left open", "## A\na\n\n## B\n", "a", 'r', "```\nx", NULL, E_BAD_MARKDOWN},
	{"a fence left open at the end", "## A\na\n", "a", 'r', "~~~~\nx\n~~~", NULL,
	 E_BAD_MARKDOWN},
	{"a comment left open", "## A\na\n## B\n", "a", 'a', "<!-- x", NULL, E_BAD_MARKDOWN},
	{"a script left open", "## A\na\n## B\n", "a", 'r', "<script>\n", NULL, E_BAD_MARKDOWN},
	{"behind an open fence", "## A\n```\nx\n", "a", 'a', "y", NULL, E_BAD_MARKDOWN},
	{"a line that ends frontmatter", "---\n## A\na\n## B\n", "a", 'r', "x\n\n---\n", NULL,
	 E_BAD_MARKDOWN},
	{"its own heading", "## A\na\n", "a", 'r', "## A\nb\n", NULL, E_BAD_ARGUMENT},
	{"its own anchor", "## A\n<!-- @anchor: a v1 -->\na\n", "a", 'r',
	 "<!-- @anchor: a v1 -->\nb\n", NULL, E_BAD_ARGUMENT},
	{"another's anchor", "## A\na\n## B\n[//]: # (anchor: b v1)\n", "a", 'r',
	 "<!-- @anchor: b v1 -->", NULL, E_BAD_ARGUMENT},
	{"no such section", "## A\n", "b", 'r', "x", NULL, E_NO_SUCH_SECTION},
	{"two such headings", "## A\n## A\n", "a", 'r', "x", NULL, E_NOT_UNIQUE},
	{"two such anchors", "## A\n<!-- @anchor: a v1 -->\n## B\nx <!-- @anchor: a v1 -->\n",
	 "a v1", 'r', "x", NULL, E_NOT_UNIQUE},
	{"a quoted heading", "> ## A\n", "a", 'r', "x", NULL, E_NO_SUCH_SECTION},
	{"no text", "## A\n\xff\n", "a", 'r', "x", NULL, E_NOT_TEXT},
	{"no text to put in", "## A\n", "a", 'r', "\xff", NULL, E_BAD_UTF8},
	{"a tombstone of two lines", "## A\n", "a", 't', "x\ny", NULL, E_BAD_ARGUMENT},
	{"a tombstone with an anchor", "## A\n", "a", 't', "<!-- @anchor: b -->", NULL,
	 E_BAD_ARGUMENT},
};

static void patch(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(patches); i++) {
		const struct patch_row *r = &patches[i];
		struct garden_patch p = {.section = str_of(r->section), .now = NOW};
		struct garden_text_done done;
		struct err *e;

		*(r->how == 'r'   ? &p.replace
		  : r->how == 'a' ? &p.append
				  : &p.tombstone) = str_of(r->given);
		e = garden_text_update_section(a, str_of(r->text), &p, &done);
		if (!r->want)
			fails(e, r->refused, r->what);
		else if (works(e, r->what))
			is_str(done.text, str_of(r->want), r->what);
	}
}

/* ---- curate ---- */

#define EV(c) "ev:20260131T120000Z-0123456789ABCDEFGHJKMNPQR" c
struct curate_row {
	const char *what, *list;
	const char *ops, *items; /* "|" separates */
	const char *reason, *want;
	enum err_reason refused;
};

static const struct curate_row curates[] = {
	{"append", "- x\n- y\n", "append", "z", NULL, "- x\n- y\n- z\n"},
	{"append with a marker", "* x\n", "append", "- z", NULL, "* x\n* z\n"},
	{"append to an empty section", "", "append", "z", NULL, "- z\n"},
	{"append behind text", "text\n", "append", "z", NULL, "text\n\n- z\n"},
	{"append between text", "- x\n\ntext\n", "append", "z", NULL, "- x\n- z\n\ntext\n"},
	{"append behind inner items", "- x\n  - y\n", "append", "z", NULL, "- x\n  - y\n- z\n"},
	{"append to numbers", "1. x\n2. y\n", "append", "z", NULL, "1. x\n2. y\n3. z\n"},
	{"append to a loose list", "- x\n\n- y\n", "append", "z", NULL, "- x\n\n- y\n\n- z\n"},
	{"append to an indented list", "  - x\n", "append", "z", NULL, "  - x\n  - z\n"},
	{"append two", "- x\n", "append", "y|z", NULL, "- x\n- y\n- z\n"},
	{"append to a tombstone", "*Given up 2026-01-31T12:00:00Z: r*\n", "append", "z", NULL,
	 "- z\n"},
	{"prune by token", "- x " EV("S") "\n- y " EV("T") "\n", "prune", EV("S"), "r",
	 "- y " EV("T") "\n"},
	{"prune by text", "- x *one*\n  two\n- y\n", "prune", "- x *one* two", "r", "- y\n"},
	{"prune in the middle", "- x\n\n- y\n\n- z\n", "prune", "y", "r", "- x\n\n- z\n"},
	{"prune an inner item", "- x\n  - y\n", "prune", "y", "r", "- x\n"},
	{"prune the last", "- x\n", "prune", "x", "r", "*Given up 2026-01-31T12:00:00Z: r*\n"},
	{"prune the last below a text", "text\n\n- x\n", "prune", "x", "r", "text\n"},
	{"merge by tokens", "- x (" EV("S") ")\n- y " EV("T") "\n- z\n", "merge",
	 EV("S") "|" EV("T"), "r", "- x; y " EV("S") " " EV("T") "\n- z\n"},
	{"merge to a text", "- x " EV("S") "\n- y " EV("T") "\n", "merge",
	 "both " EV("S") " " EV("T"), "r", "- both " EV("S") " " EV("T") "\n"},
	{"merge keeps tokens", "- x " EV("S") "\n- y\n", "merge", EV("S") "|y|both", "r",
	 "- both " EV("S") "\n"},
	{"several ops", "- x\n- y " EV("S") "\n", "append|prune", "z|" EV("S"), "r", "- x\n- z\n"},

	{"an item of two lines", "- x\n", "append", "y\n## B", NULL, NULL, E_BAD_ARGUMENT},
	{"an empty item", "- x\n", "append", "- ", NULL, NULL, E_BAD_ARGUMENT},
	{"an item that is there", "- x\n", "append", "x", NULL, NULL, E_EXISTS},
	{"a token that is there", "- x " EV("S") "\n", "append", "y " EV("S"), NULL, NULL,
	 E_EXISTS},
	{"no reason", "- x\n", "prune", "x", NULL, NULL, E_BAD_ARGUMENT},
	{"a reason of two lines", "- x\n", "prune", "x", "a\nb", NULL, E_BAD_ARGUMENT},
	{"no such item", "- x\n", "prune", "z", "r", NULL, E_NO_SUCH_TEXT},
	{"no such token", "- x " EV("S") "\n", "prune", EV("S") " " EV("T"), "r", NULL,
	 E_NO_SUCH_TEXT},
	{"two such items", "- x\n- x\n", "prune", "x", "r", NULL, E_NOT_UNIQUE},
	{"an item with items below", "- x\n  - y\n", "prune", "x", "r", NULL, E_BAD_ARGUMENT},
	{"one item to merge", "- x\n- y\n", "merge", "x|both", "r", NULL, E_BAD_ARGUMENT},
	{"two new texts", "- x\n- y\n", "merge", "x|y|one|two", "r", NULL, E_BAD_ARGUMENT},
	{"ops without items", "- x\n", "append|append", "z", NULL, NULL, E_BAD_ARGUMENT},
	{"another section's item", "- z\n", "prune", "b", "r", NULL, E_NO_SUCH_TEXT},
};

static struct strs split(const char *s)
{
	struct str rest = str_of(s), part;
	struct strs out = {0};

	while (str_next_part(&rest, '|', &part))
		strs_push(a, &out, part);
	return out;
}

static void curate(void)
{
	static const char before[] = "# T\n\n## A\n<!-- @anchor: a v1 -->\n",
			  after[] = "\n## B\n\n- b\n";

	for (size_t i = 0; i < ARRAY_SIZE(curates); i++) {
		const struct curate_row *r = &curates[i];
		struct strs ops = split(r->ops);
		enum garden_text_op list[8];
		struct garden_curate c = {
			.section = STR("a"), .items = split(r->items), .now = NOW};
		struct garden_text_done done;
		struct err *e;

		for (size_t k = 0; k < ops.n; k++)
			list[k] = str_is(ops.p[k], "append")  ? GARDEN_TEXT_APPEND
				  : str_is(ops.p[k], "prune") ? GARDEN_TEXT_PRUNE
							      : GARDEN_TEXT_MERGE;
		c.ops = list;
		c.nops = ops.n;
		c.reason = r->reason ? str_of(r->reason) : (struct str){0};
		e = garden_text_curate_list(
			a, str_fmt(a, "%s%s%s%s", before, *r->list ? "\n" : "", r->list, after), &c,
			&done);
		if (!r->want)
			fails(e, r->refused, r->what);
		else if (works(e, r->what))
			is_str(done.text, str_fmt(a, "%s\n%s%s", before, r->want, after), r->what);
	}
}

/* ---- Change Log, new files, history copies ---- */

static void change_log(void)
{
	static const struct {
		const char *text, *want; /* NULL: no Change Log */
	} rows[] = {
		{"# T\n\n## Change Log\n<!-- @anchor: change_log v1 -->\n\n## X\n",
		 "# T\n\n## Change Log\n<!-- @anchor: change_log v1 -->\n\n"
		 "- 2026-01-31T12:00:00Z: why\n\n## X\n"},
		{"## Change Log\n- 2025-01-01T00:00:00Z: a\n- 2025-02-01T00:00:00Z: b\n",
		 "## Change Log\n- 2025-01-01T00:00:00Z: a\n- 2025-02-01T00:00:00Z: b\n"
		 "- 2026-01-31T12:00:00Z: why\n"},
		{"## Change Log\r\n\r\nnewest first\r\n\r\n* 2025-02-01: b\r\n* 2025-01-01: a\r\n",
		 "## Change Log\r\n\r\nnewest first\r\n\r\n* 2026-01-31T12:00:00Z: why\r\n"
		 "* 2025-02-01: b\r\n* 2025-01-01: a\r\n"},
		{"## Renamed\n[//]: # (anchor: change_log v1)\n",
		 "## Renamed\n[//]: # (anchor: change_log v1)\n\n- 2026-01-31T12:00:00Z: why\n"},
		/* A section of that name elsewhere is not the log. */
		{"## A\n\n### Change Log\n\nx\n\n## Change Log\n",
		 "## A\n\n### Change Log\n\nx\n\n## Change Log\n\n"
		 "- 2026-01-31T12:00:00Z: why\n"},
		{"## Change Log\n\n## B\n<!-- @anchor: change_log v1 -->\n",
		 "## Change Log\n\n## B\n<!-- @anchor: change_log v1 -->\n\n"
		 "- 2026-01-31T12:00:00Z: why\n"},
		{"## A\n\n### Change Log\n\nx\n", NULL},
		{"## Other\n- x\n", NULL},
		{"", NULL},
	};
	struct str out;
	bool added;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str text = str_of(rows[i].text);

		works(garden_text_log_add(a, GARDEN_PART, text, NOW, STR("why"), &out, &added),
		      "a line is added");
		ok(added == !!rows[i].want, "where there is a Change Log");
		is_str(out, rows[i].want ? str_of(rows[i].want) : text, "in its place");
	}
	fails(garden_text_log_add(a, GARDEN_PART, STR("## Change Log\n"), NOW, STR("a\n## b"), &out,
				  &added),
	      E_BAD_ARGUMENT, "a line break");
	fails(garden_text_log_add(a, GARDEN_PART, STR("## Change Log\n"), NOW,
				  STR("<!-- @anchor: b -->"), &out, &added),
	      E_BAD_ARGUMENT, "a comment");
}

static void new_files(void)
{
	struct str who[] = {STR("p1"), STR("p2: x")}, out, yaml, body;
	struct garden_new n = {.user = STR("ada"), .now = NOW};
	struct md_sections all;
	bool unclosed;

	n.participants = (struct strs){who, 2, 2};
	for (int kind = 0; kind < GARDEN_HISTORY; kind++) {
		const struct garden_form *form = &garden_grammar[kind];
		size_t i = 1;

		n.kind = (enum garden_kind)kind;
		n.id = kind == GARDEN_PART || kind == GARDEN_RELATIONSHIP ? STR("p1") : STR("");
		if (!works(garden_text_new(a, &n, &out), "a new file"))
			continue;
		ok(md_frontmatter(out, &yaml, &body, &unclosed) == !form->free, "its frontmatter");
		works(md_sections(a, out, &all), "its sections");
		is_int((long long)all.p[0].level, 1, "its title");
		for (const struct garden_section *s = form->sections; s->heading; s++, i++) {
			is_str(all.p[i].heading, str_of(s->heading), "its heading");
			is_str(all.p[i].anchor, garden_anchor(a, str_of(s->heading)), "its anchor");
		}
		is_int((long long)all.n, (long long)i, "and no other section");
	}
	n.kind = GARDEN_RELATIONSHIP;
	works(garden_text_new(a, &n, &out), "a relationship");
	ok(str_find(out, STR("participants: [p1, \"p2: x\"]\n"), 0) != SIZE_MAX, "a list is YAML");
	n.participants.n = 1;
	fails(garden_text_new(a, &n, &out), E_BAD_ARGUMENT, "one participant");
	n.participants.n = 2;
	n.title = STR("a\nb");
	fails(garden_text_new(a, &n, &out), E_BAD_ARGUMENT, "a title of two lines");
}

static void history(void)
{
	struct str text = STR("x\n"), path = STR("users/ada/parts/p1/profile.md"), copy;
	struct garden_path p;

	copy = garden_text_history_path(a, path, text, NOW + 123);
	is_str(copy, STR("users/ada/parts/p1/history/20260131T120000.123Z-73cb3858a687-profile.md"),
	       "the name of a copy");
	ok(garden_path_read(copy, &p) && p.kind == GARDEN_HISTORY, "the grammar has it");
	is_str(p.hash, STR("73cb3858a687"), "with the hash");
	copy = str_sub(copy, str_rfind_char(copy, '/') + 1, copy.n);
	ok(garden_text_is_history_path(copy, STR("profile.md"), text), "the copy of this content");
	ok(!garden_text_is_history_path(copy, STR("profile.md"), STR("y\n")),
	   "of no other content");
	ok(!garden_text_is_history_path(copy, STR("notes.md"), text), "of no other file");
	ok(!garden_text_is_history_path(STR("x"), STR("x"), text), "no copy");
	is_str(garden_text_history_path(a, STR("ikigai:///a.md"), text, NOW),
	       STR("ikigai:///history/20260131T120000.000Z-73cb3858a687-a.md"), "of an asset");
}

int main(void)
{
	a = arena_new();
	patch();
	curate();
	change_log();
	new_files();
	history();
	arena_free(a);
	return tap_done();
}
