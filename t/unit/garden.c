#include "tap.h"
#include "garden/garden.h"

static struct arena *a;

/* ---- the policy ---- */

#define ADA_P1 "users/ada/parts/p1/profile.md"
#define FRONT                                                                                      \
	"---\nid: p1\nuser_id: ada\nname: Watcher\nschema: part/1\nstatus: active\n"               \
	"last_updated: 2026-01-31\n---\n"
#define SECTION(heading, anchor) "\n## " heading "\n<!-- @anchor: " anchor " v1 -->\n"
#define TOKEN                    "ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJKX"
#define ITEM                     "- \"I stop\" " TOKEN "\n"
#define LOG_LINE                 "- 2026-01-31T12:00:00Z: made\n"
/* a part's profile without a fault */
static const char profile[] = FRONT "# Watcher\n" SECTION(
	"Identity", "identity") "It watches.\n" SECTION("Role", "role")
	SECTION("Triggers", "triggers") SECTION("Needs", "needs") "Rest.\n" SECTION(
		"Concerns", "concerns") "Loud rooms.\n" SECTION("Allies", "allies")
		SECTION("Polarizations", "polarizations") SECTION("Evidence (curated)", "evidence")
			ITEM SECTION("Working Agreements", "working_agreements")
				SECTION("Evolution", "evolution") SECTION("Open Questions",
									  "open_questions")
					SECTION("Change Log", "change_log")
						LOG_LINE SECTION("Extensions", "extensions");

/* The text with the first place of `old` replaced; `old` NULL: the text as it is. */
static struct str replaced(struct str text, const char *old, const char *new)
{
	size_t at = old ? str_find(text, str_of(old), 0) : SIZE_MAX;

	if (old && at == SIZE_MAX)
		BUG("the text has no '%s'", old);
	if (!old)
		return text;
	return str_fmt(a, "%.*s%s%.*s", (int)at, text.p, new,
		       STR_ARG(str_sub(text, at + strlen(old), text.n)));
}

/* "rule", with ! behind it: it blocks; +: it is overridden; ~: it is old; hints are left out. */
static struct str summary(const struct garden_diagnostics *d)
{
	struct buf b = buf_in(a);

	for (int rule = 0; rule < GARDEN_RULE_COUNT; rule++)
		for (size_t i = 0; i < d->n; i++)
			if ((int)d->p[i].rule == rule && d->p[i].severity != GARDEN_INFO)
				buf_fmt(&b, "%s%s%s%s%s", b.n ? " " : "",
					garden_rules[rule].id + sizeof("garden-") - 1,
					d->p[i].blocks ? "!" : "", d->p[i].overridden ? "+" : "",
					d->p[i].old ? "~" : "");
	return buf_as_str(&b);
}

/* Every diagnostic says what is wrong and what to do. */
static bool seen[GARDEN_RULE_COUNT];

static void look(const struct garden_diagnostics *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (!d->p[i].message.n || (d->p[i].column && !d->p[i].line))
			BUG("a diagnostic without message or line");
		if (d->p[i].fix.n < 10 || str_eq(d->p[i].fix, d->p[i].message))
			BUG("'%.*s' does not say what to do", STR_ARG(d->p[i].message));
		seen[d->p[i].rule] = true;
	}
}

static void all_seen(void)
{
	for (int rule = 0; rule < GARDEN_RULE_COUNT; rule++)
		ok(seen[rule], "a change was judged by %s", garden_rules[rule].id);
}

static struct str policy(const struct garden_ask *q)
{
	struct garden_diagnostics d = {0};

	works(garden_judge_change(a, q, &d), "the policy judges");
	look(&d);
	return summary(&d);
}

static const char *repeat(const char *s, int n)
{
	struct buf b = buf_in(a);

	while (n--)
		buf_puts(&b, s);
	return buf_as_cstr(&b);
}

/* One edit of the profile, by a tool. */
static void edits(void)
{
	const char *six = repeat(ITEM, 6), *seven = repeat(ITEM, 7),
		   *long_text = repeat("word ", 401);
	const struct {
		const char *what, *old, *new, *tool, *person, *trusted;
	} rows[] = {
		{"nothing", NULL, NULL, "", "", ""},
		{"a log line", LOG_LINE, LOG_LINE "- 2026-02-01T00:00:00Z: more\n", "", "", ""},
		{"an anchor removed", "<!-- @anchor: needs v1 -->\n", "", "anchor! anchor-missing",
		 "anchor! anchor-missing", "anchor+ anchor-missing"},
		{"an anchor's version", "needs v1", "needs v2", "anchor! anchor-missing",
		 "anchor! anchor-missing", "anchor+ anchor-missing"},
		{"an anchor's form", "<!-- @anchor: needs v1 -->", "[//]: # (anchor: needs v1)",
		 "anchor!", "anchor!", "anchor+"},
		{"an anchor's blanks", "<!-- @anchor: needs v1 -->", "<!--@anchor: needs v1-->",
		 "anchor!", "anchor!", "anchor+"},
		{"an anchor in a fence", "<!-- @anchor: needs v1 -->",
		 "```\n<!-- @anchor: needs v1 -->\n```", "anchor! anchor-missing change-log-line",
		 "anchor! anchor-missing change-log-line",
		 "anchor+ anchor-missing change-log-line"},
		{"an anchor twice", "Rest.", "Rest.\n\n<!-- @anchor: needs v1 -->",
		 "anchor-moved! anchor-twice!", "anchor-moved! anchor-twice!",
		 "anchor-moved+ anchor-twice!"},
		{"an anchor inside a text", "Rest.", "Rest. <!-- @anchor: role v1 --> x",
		 "anchor-line! anchor-moved! anchor-twice! change-log-line",
		 "anchor-line anchor-moved! anchor-twice! change-log-line",
		 "anchor-line anchor-moved+ anchor-twice! change-log-line"},
		{"a heading behind an anchor", "needs v1 -->\n", "needs v1 --> ## Fake\n",
		 "anchor-line! change-log-line", "anchor-line change-log-line",
		 "anchor-line change-log-line"},
		{"a heading behind an anchor of two lines", "<!-- @anchor: needs v1 -->\n",
		 "<!-- @anchor:\nneeds v1 -->## Fake\n", "anchor! anchor-line! change-log-line",
		 "anchor! anchor-line change-log-line", "anchor+ anchor-line change-log-line"},
		{"blanks behind an anchor", "needs v1 -->\n", "needs v1 -->\t \r\n", "whitespace",
		 "whitespace", "whitespace"},
		{"blanks before an anchor", "<!-- @anchor: needs v1", "  <!-- @anchor: needs v1",
		 "whitespace", "whitespace", "whitespace"},
		{"a byte order mark", "---\nid", "\xef\xbb\xbf---\nid", "whitespace", "whitespace",
		 "whitespace"},
		{"an anchor on the line of its heading", "## Needs\n<", "## Needs <",
		 "anchor-line! anchor-missing anchor-moved! anchor-moved!",
		 "anchor-line anchor-missing anchor-moved! anchor-moved!",
		 "anchor-line anchor-missing anchor-moved+ anchor-moved+"},
		{"an anchor in a quotation", "Rest.", "> - <!-- @anchor: needs v1 -->",
		 "anchor-line! change-log-line", "anchor-line change-log-line",
		 "anchor-line change-log-line"},
		{"an anchor in a tag", "Rest.", "<div>\n<!-- @anchor: needs v1 -->\n</div>",
		 "anchor-line! change-log-line", "anchor-line change-log-line",
		 "anchor-line change-log-line"},
		{"an anchor in a comment", "Rest.", "<!--\n<!-- @anchor: needs v1 -->",
		 "anchor-line! change-log-line", "anchor-line change-log-line",
		 "anchor-line change-log-line"},
		{"an anchor as code, and a word", "Rest.",
		 "> `<!-- @anchor: needs v1 -->` @anchor: x", "change-log-line", "change-log-line",
		 "change-log-line"},
		{"an anchor that names nothing", "Rest.", "<!-- @anchor: zzz v1 -->",
		 "anchor-unknown! change-log-line", "anchor-unknown change-log-line",
		 "anchor-unknown change-log-line"},
		{"a second anchor on the line", "needs v1 -->\n",
		 "needs v1 --> <!-- @anchor: need v1 -->\n", "anchor-unknown!", "anchor-unknown",
		 "anchor-unknown"},
		{"an anchor of a free heading", "Rest.",
		 "Rest.\n\n### Naps\n<!-- @anchor: naps v1 -->\n", "change-log-line",
		 "change-log-line", "change-log-line"},
		{"anchors swapped",
		 "<!-- @anchor: needs v1 -->\nRest.\n\n## Concerns\n"
		 "<!-- @anchor: concerns v1 -->",
		 "<!-- @anchor: concerns v1 -->\nRest.\n\n## Concerns\n<!-- @anchor: needs v1 -->",
		 "anchor-moved! anchor-moved! anchor-moved! anchor-moved!",
		 "anchor-moved! anchor-moved! anchor-moved! anchor-moved!",
		 "anchor-moved+ anchor-moved+ anchor-moved+ anchor-moved+"},
		{"a heading between heading and anchor", "## Needs\n", "## Needs\n\n### More\n",
		 "anchor-missing anchor-moved! change-log-line",
		 "anchor-missing anchor-moved! change-log-line",
		 "anchor-missing anchor-moved+ change-log-line"},
		{"text between heading and anchor", "## Needs\n", "## Needs\nText.\n",
		 "anchor-missing anchor-moved! anchor-moved! change-log-line",
		 "anchor-missing anchor-moved! anchor-moved! change-log-line",
		 "anchor-missing anchor-moved+ anchor-moved+ change-log-line"},
		{"a section removed", SECTION("Needs", "needs") "Rest.\n", "",
		 "anchor! change-log-line", "anchor! change-log-line", "anchor+ change-log-line"},
		{"a heading demoted", "## Needs", "### Needs", "anchor-moved! change-log-line",
		 "anchor-moved! change-log-line", "anchor-moved+ change-log-line"},
		{"a heading renamed", "## Needs", "## Wants", "heading", "heading", "heading"},
		{"an anchor moved to a heading of the same words",
		 "<!-- @anchor: concerns v1 -->\nLoud rooms.\n",
		 "\nLoud rooms.\n\n## Concerns\n<!-- @anchor: concerns v1 -->\n\nNone.\n",
		 "anchor-missing anchor-moved! change-log-line heading",
		 "anchor-missing anchor-moved! change-log-line heading",
		 "anchor-missing anchor-moved+ change-log-line heading"},
		{"a section of the same heading below", "Loud rooms.\n",
		 "Loud rooms.\n\n## Concerns\n\nNone.\n", "change-log-line heading",
		 "change-log-line heading", "change-log-line heading"},
		{"a section of the same heading above", "## Concerns\n",
		 "## Concerns\n\nNone.\n\n## Concerns\n", "anchor-missing change-log-line heading",
		 "anchor-missing change-log-line heading",
		 "anchor-missing change-log-line heading"},
		{"a heading in another form", "## Needs\n", "Needs\n-----\n", "", "", ""},
		{"a blank line before an anchor", "## Needs\n", "## Needs\n\n", "", "", ""},
		{"blank lines before an anchor", "## Needs\n", "## Needs\n\n\n", "whitespace",
		 "whitespace", "whitespace"},
		{"a free heading", "Rest.\n", "Rest.\n\n## My own\n", "heading", "heading",
		 "heading"},
		{"a heading in a fence", "Rest.\n", "Rest.\n\n```\n## My own\n```\n",
		 "change-log-line", "change-log-line", "change-log-line"},
		{"a heading twice", "Rest.\n", "Rest.\n\n## Role\n", "heading", "heading",
		 "heading"},
		{"sections in another order",
		 SECTION("Allies", "allies") SECTION("Polarizations", "polarizations"),
		 SECTION("Polarizations", "polarizations") SECTION("Allies", "allies"),
		 "section-order", "section-order", "section-order"},
		{"the id", "id: p1", "id: p2", "change-log-line identity!",
		 "change-log-line identity!", "change-log-line identity+"},
		{"the user", "user_id: ada", "user_id: bob", "change-log-line identity!",
		 "change-log-line identity!", "change-log-line identity+"},
		{"the id removed", "id: p1\n", "", "change-log-line identity!",
		 "change-log-line identity!", "change-log-line identity+"},
		{"the schema", "schema: part/1", "schema: part/2", "change-log-line identity!",
		 "change-log-line identity!", "change-log-line identity+"},
		{"a quoted id", "id: p1", "id: \"p1\"", "", "", ""},
		{"the name", "Watcher\nschema", "Guard\nschema", "change-log-line",
		 "change-log-line", "change-log-line"},
		{"the date", "2026-01-31\n", "2026-02-01\n", "", "", ""},
		{"a date that is none", "2026-01-31\n", "today\n", "field", "field", "field"},
		{"no name", "name: Watcher\n", "", "change-log-line field", "change-log-line field",
		 "change-log-line field"},
		{"broken front matter", "id: p1", "id: [p1", "front-matter!", "front-matter!",
		 "front-matter!"},
		{"a key twice", "id: p1\n", "id: p1\nid: p1\n", "front-matter!", "front-matter!",
		 "front-matter!"},
		{"no front matter", FRONT, "", "front-matter!", "front-matter!", "front-matter!"},
		{"unclosed front matter", "2026-01-31\n---\n", "2026-01-31\n", "front-matter!",
		 "front-matter!", "front-matter!"},
		{"huge front matter", "id: p1\n",
		 str_fmt(a, "id: p1\nx: %s\n", repeat("word ", 4000)).p, "front-matter!",
		 "front-matter!", "front-matter!"},
		{"no title", "# Watcher\n", "", "change-log-line title!", "change-log-line title!",
		 "change-log-line title!"},
		{"the Change Log removed", SECTION("Change Log", "change_log") LOG_LINE, "",
		 "anchor! change-log-gone! section-missing",
		 "anchor! change-log-gone! section-missing",
		 "anchor+ change-log-gone+ section-missing"},
		{"the Change Log emptied", LOG_LINE, "", "change-log-gone!", "change-log-gone!",
		 "change-log-gone+"},
		{"the past changed", "Z: made", "Z: unmade", "change-log-past!", "change-log-past!",
		 "change-log-past+"},
		{"the past replaced", LOG_LINE, "- 2026-02-01T00:00:00Z: x\n", "change-log-past!",
		 "change-log-past!", "change-log-past+"},
		{"another line above the past", LOG_LINE, "- 2026-02-01T00:00:00Z: more\n" LOG_LINE,
		 "", "", ""},
		{"an older line above the past", LOG_LINE,
		 "- 2020-02-01T00:00:00Z: more\n" LOG_LINE, "change-log-form", "change-log-form",
		 "change-log-form"},
		{"an older line below the past", LOG_LINE,
		 LOG_LINE "- 2020-02-01T00:00:00Z: more\n", "change-log-form", "change-log-form",
		 "change-log-form"},
		{"the past in other blanks", "- 2026-01-31T12:00:00Z: made",
		 "-  2026-01-31T12:00:00Z:  made ", "whitespace", "whitespace", "whitespace"},
		{"a line without a time", LOG_LINE, LOG_LINE "- more\n", "change-log-form",
		 "change-log-form", "change-log-form"},
		{"an edit without a line", "Rest.", "Sleep.", "change-log-line", "change-log-line",
		 "change-log-line"},
		{"an edit with a line", "Rest.\n", "Rest.\n", "", "", ""},
		{"seven items", ITEM, seven, "change-log-line", "change-log-line",
		 "change-log-line"},
		{"eight items", ITEM, str_fmt(a, "%s%s", ITEM, seven).p,
		 "change-log-line evidence-cap!", "change-log-line evidence-cap",
		 "change-log-line evidence-cap+"},
		{"nested items are one", ITEM, str_fmt(a, "%s%s  - x\n  - y\n", ITEM, six).p,
		 "change-log-line", "change-log-line", "change-log-line"},
		{"eight items as paragraphs", ITEM, repeat(TOKEN "\n\n", 8),
		 "change-log-line evidence-cap!", "change-log-line evidence-cap",
		 "change-log-line evidence-cap+"},
		{"eight items as a quote", ITEM, repeat("> \"x\" " TOKEN "\n", 8),
		 "change-log-line evidence-cap!", "change-log-line evidence-cap",
		 "change-log-line evidence-cap+"},
		{"eight items in one", ITEM, str_fmt(a, "%s%s", ITEM, repeat("  " ITEM, 7)).p,
		 "change-log-line evidence-cap!", "change-log-line evidence-cap",
		 "change-log-line evidence-cap+"},
		{"eight items as HTML", ITEM,
		 str_fmt(a, "<ul>\n%s</ul>\n", repeat("<li>" TOKEN "\n", 8)).p,
		 "change-log-line evidence-cap!", "change-log-line evidence-cap",
		 "change-log-line evidence-cap+"},
		{"an item that was merged of eight", ITEM,
		 str_fmt(a, "- x %s\n", repeat(TOKEN " ", 7)).p, "change-log-line whitespace",
		 "change-log-line whitespace", "change-log-line whitespace"},
		{"an item without a token", ITEM, ITEM "- \"no\"\n",
		 "change-log-line evidence-token", "change-log-line evidence-token",
		 "change-log-line evidence-token"},
		{"a malformed token", "Rest.", "Rest. ev:2026-x", "change-log-line evidence-token",
		 "change-log-line evidence-token", "change-log-line evidence-token"},
		{"a long section", "Rest.", long_text, "change-log-line whitespace words-cap!",
		 "change-log-line whitespace words-cap", "change-log-line whitespace words-cap+"},
		{"a long section of HTML", "Rest.", str_fmt(a, "<div>\n%sx\n</div>", long_text).p,
		 "change-log-line words-cap!", "change-log-line words-cap",
		 "change-log-line words-cap+"},
		{"a long comment", "Rest.", str_fmt(a, "Rest. <!-- %sx -->", long_text).p,
		 "change-log-line words-cap!", "change-log-line words-cap",
		 "change-log-line words-cap+"},
		{"a long list of definitions", "Rest.\n",
		 str_fmt(a, "Rest.\n\n%s", repeat("[a b c]: d 'e'\n", 81)).p,
		 "change-log-line words-cap!", "change-log-line words-cap",
		 "change-log-line words-cap+"},
		{"a long section with other blanks", "Rest.", repeat("word\xc2\xa0", 401),
		 "change-log-line words-cap!", "change-log-line words-cap",
		 "change-log-line words-cap+"},
		{"a section that is just not too long", "Rest.",
		 str_fmt(a, "1. > %sx", repeat("word ", 399)).p, "change-log-line",
		 "change-log-line", "change-log-line"},
		{"a long extension", "extensions v1 -->\n",
		 str_fmt(a, "extensions v1 -->\n%sx\n", long_text).p, "change-log-line",
		 "change-log-line", "change-log-line"},
		{"blanks", "Rest.\n", "Rest. \n", "whitespace", "whitespace", "whitespace"},
		{"emptied", profile, FRONT "\n\n", "empty!", "empty!", "empty+"},
		{"not UTF-8", "Rest.", "Rest\xff.", "text!", "text!", "text!"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str before = str_of(profile);
		struct garden_ask q = {.path = STR(ADA_P1),
				       .user = STR("ada"),
				       .before = before,
				       .after = replaced(before, rows[i].old, rows[i].new)};

		is_str(policy(&q), str_of(rows[i].tool), rows[i].what);
		q.person = true;
		is_str(policy(&q), str_of(rows[i].person), "… by a person");
		q.rationale = STR("it must be");
		is_str(policy(&q), str_of(rows[i].trusted), "… with a rationale");
	}
}

/* What the text before had does not block, unless the change makes it worse. */
static void old_faults(void)
{
	const struct {
		const char *what, *old, *new; /* the fault */
		const char *from, *to;        /* the change of the text with the fault */
		const char *want;
	} rows[] = {
		{"items over the cap stay", ITEM, repeat(ITEM, 9), "Rest.", "Rest.",
		 "evidence-cap~"},
		{"one item less", ITEM, repeat(ITEM, 9), ITEM ITEM, ITEM,
		 "change-log-line evidence-cap~"},
		{"one item more", ITEM, repeat(ITEM, 9), ITEM, ITEM ITEM,
		 "change-log-line evidence-cap!"},
		{"no title", "# Watcher\n", "", "Rest.\n", "Rest.\n", "title~"},
		{"broken front matter", "id: p1", "id: [p1", "Rest.\n", "Rest.\n", "front-matter~"},
		{"broken front matter mended", "id: p1", "id: [p1", "id: [p1", "id: p1", ""},
		{"broken front matter mended badly", "id: p1", "id: [p1", "id: [p1", "id: p2",
		 "identity!"},
		{"an id that was wrong", "id: p1", "id: p2", "Rest.\n", "Rest.\n", "identity~"},
		{"an id put right", "id: p1", "id: p2", "id: p2", "id: p1", "change-log-line"},
		{"an anchor that was there twice", "Rest.\n",
		 "Rest.\n\n<!-- @anchor: role v1 -->\n", "Loud", "Less loud",
		 "anchor-moved~ anchor-twice~ change-log-line"},
		{"… and once now", "Rest.\n", "Rest.\n\n<!-- @anchor: role v1 -->\n",
		 "\n\n<!-- @anchor: role v1 -->\n\n## Concerns", "\n\n## Concerns", ""},
		{"a renamed heading comes back", "## Needs", "## Wants", "## Wants", "## Needs",
		 ""},
		{"an anchor comes home", "<!-- @anchor: needs v1 -->\nRest.\n\n## Concerns\n",
		 "Rest.\n\n## Concerns\n<!-- @anchor: needs v1 -->\n\n",
		 "## Needs\nRest.\n\n## Concerns\n<!-- @anchor: needs v1 -->\n\n",
		 "## Needs\n<!-- @anchor: needs v1 -->\nRest.\n\n## Concerns\n", ""},
		{"blanks", "Rest.\n", "Rest. \n", "Loud", "Less loud",
		 "change-log-line whitespace~"},
		{"a second line of blanks", "Rest.\n", "Rest. \n", "rooms.\n", "rooms. \n",
		 "whitespace"},
		{"not UTF-8", "Rest.", "Rest\xff.", "Loud", "Less loud", "text~"},
		{"UTF-8 again", "Rest.", "Rest\xff.", "Rest\xff.", "Rest.", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str before = replaced(str_of(profile), rows[i].old, rows[i].new);
		const struct garden_ask q = {.path = STR(ADA_P1),
					     .before = before,
					     .after = replaced(before, rows[i].from, rows[i].to)};

		is_str(policy(&q), str_of(rows[i].want), rows[i].what);
	}
}

/* Changes of whole files. flags: p a person, r with a rationale, m a maintainer, s a snapshot. */
static void files(void)
{
	static const char hash_of_x[] =
		"users/ada/history/20260131T120000.000Z-2d711642b726-notes.md";
	static const struct {
		const char *what, *path, *user, *before, *after, *flags, *want;
	} rows[] = {
		{"a new profile", ADA_P1, "ada", NULL, profile, "", ""},
		{"another id than the path's", "users/ada/parts/p2/profile.md", "ada", NULL,
		 profile, "", "identity!"},
		{"an id that is an option", "users/ada/parts/--help/notes.md", "ada", NULL, "x\n",
		 "", "id!"},
		{"… by a person", "users/ada/parts/--help/notes.md", "ada", NULL, "x\n", "p",
		 "id!"},
		{"… with a rationale", "users/ada/parts/--help/notes.md", "ada", NULL, "x\n", "pr",
		 "id+"},
		{"… in a file that is there", "users/ada/parts/--help/notes.md", "ada", "x\n",
		 "y\n", "", ""},
		{"a user in form NFD", "users/e\xcc\x81/notes.md", "e\xcc\x81", NULL, "x\n", "",
		 "id!"},
		{"another user than the path's", "users/bob/parts/p1/profile.md", "bob", NULL,
		 profile, "", "identity!"},
		{"a new file without a title", ADA_P1, "", NULL, FRONT "text\n", "",
		 "section-missing title!"},
		{"an empty profile", ADA_P1, "", NULL, "", "",
		 "front-matter! section-missing title!"},
		{"another user's folder", ADA_P1, "bob", profile, profile, "", "other-user!"},
		{"… for a person", ADA_P1, "bob", profile, profile, "p", ""},
		{"… for a maintainer", ADA_P1, "bob", profile, profile, "m", ""},
		{"deleted", ADA_P1, "", profile, NULL, "", "delete!"},
		{"deleted with a rationale", ADA_P1, "", profile, NULL, "r", "delete!"},
		{"deleted by a person", ADA_P1, "", profile, NULL, "p", "delete!"},
		{"… who says why", ADA_P1, "", profile, NULL, "pr", "delete+"},
		{"deleted by a maintainer", ADA_P1, "", profile, NULL, "m", "delete+"},
		{"nothing at all", ADA_P1, "", NULL, NULL, "", ""},
		{"notes", "users/ada/notes.md", "", NULL, "- a theme\n", "", ""},
		{"empty notes", "users/ada/notes.md", "", NULL, "", "", ""},
		{"notes emptied", "users/ada/notes.md", "", "- a theme\n", " \n", "", "empty!"},
		{"notes with a comment", "users/ada/notes.md", "", "- a theme\n", "<!-- x -->\n",
		 "", "empty!"},
		{"notes with an open comment", "users/ada/notes.md", "", "- a theme\n",
		 "<!-- x\n\ny\n", "", "empty!"},
		{"notes with tags", "users/ada/notes.md", "", "- a theme\n",
		 "<div class=\"x\">\n<br></div>\n", "", "empty!"},
		{"notes with text in tags", "users/ada/notes.md", "", "- a theme\n",
		 "<div>a theme</div>\n", "", ""},
		{"notes with hidden characters", "users/ada/notes.md", "", "- a theme\n",
		 "\xc2\xa0\xe2\x80\x8b\n", "", "empty!"},
		{"notes with front matter only", "users/ada/notes.md", "", "- a theme\n",
		 "---\na: b\n---", "", "empty!"},
		{"notes with marks only", "users/ada/notes.md", "", "- a theme\n",
		 "- \n\n***\n\n> \n\n##\n", "", "empty!"},
		{"notes with a definition only", "users/ada/notes.md", "", "- a theme\n",
		 "[x]: y 'z'\n", "", "empty!"},
		{"notes with one letter", "users/ada/notes.md", "", "- a theme\n", "\xc5\xbe\n", "",
		 ""},
		{"notes with code", "users/ada/notes.md", "", "- a theme\n", "```\nx\n```\n", "",
		 ""},
		{"notes that were empty", "users/ada/notes.md", "", "\n", "", "", ""},
		{"notes with a rule first", "users/ada/notes.md", "", NULL, "---\n- a theme\n", "",
		 ""},
		{"notes with broken front matter", "users/ada/notes.md", "", NULL,
		 "---\na: [\n---\n", "", "front-matter!"},
		{"notes with their own anchors", "users/ada/notes.md", "",
		 "## A\n<!-- @anchor: a v1 -->\nx\n", "## A\nx\n", "", "anchor!"},
		{"the schema of notes", "users/ada/notes.md", "", "---\nschema: n/1\n---\nx\n",
		 "---\nschema: n/2\n---\nx\n", "", "identity!"},
		{"a path outside", "users/ada/todo.md", "", NULL, "x\n", "", "path!"},
		{"… by a person", "users/ada/todo.md", "", NULL, "x\n", "p", "path!"},
		{"… who says why", "users/ada/todo.md", "", NULL, "x\n", "pr", "path+"},
		{"a stray file is edited", "users/ada/todo.md", "", "x\n", "y\n", "", "path!"},
		{"… by a person", "users/ada/todo.md", "", "x\n", "y\n", "p", "path~"},
		{"a stray file is deleted", "users/ada/todo.md", "", "x\n", NULL, "", "path!"},
		{"… by a person", "users/ada/todo.md", "", "x\n", NULL, "p", ""},
		{"a copy by a tool", hash_of_x, "", NULL, "x", "", "history!"},
		{"a copy by a snapshot", hash_of_x, "", NULL, "x", "s", ""},
		{"a copy that a person commits", hash_of_x, "", NULL, "x", "p", ""},
		{"a forged copy", hash_of_x, "", NULL, "y", "p", "history!"},
		{"a forged copy by a snapshot", hash_of_x, "", NULL, "y", "s", "history!"},
		{"a copy changed", hash_of_x, "", "x", "y", "pr", "history! history!"},
		{"a copy deleted", hash_of_x, "", "x", NULL, "pr", "delete+"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *f = rows[i].flags;
		const struct garden_ask q = {
			.path = str_of(rows[i].path),
			.user = str_of(rows[i].user),
			.before = rows[i].before ? str_of(rows[i].before) : (struct str){0},
			.after = rows[i].after ? str_of(rows[i].after) : (struct str){0},
			.rationale = strchr(f, 'r') ? STR("why") : STR(""),
			.person = strchr(f, 'p') != NULL,
			.maintainer = strchr(f, 'm') != NULL,
			.snapshot = strchr(f, 's') != NULL,
		};

		is_str(policy(&q), str_of(rows[i].want), rows[i].what);
	}
	{
		const struct garden_ask q = {.path = STR(ADA_P1), .rationale = STR("a\nb")};
		struct garden_diagnostics d;

		fails(garden_judge_change(a, &q, &d), E_BAD_ARGUMENT, "a rationale of two lines");
	}
}

static void places(void)
{
	struct str text = replaced(str_of(profile), "Rest.", "Rest. ev:1");
	struct garden_diagnostics d = {0};
	struct err *e;

	garden_lint_text(a, STR(ADA_P1), text, &d);
	if (ok(d.n == 1, "one fault")) {
		is_int(d.p[0].line, 23, "its line");
		is_int(d.p[0].column, 7, "its column");
		ok(d.p[0].severity == GARDEN_WARNING, "a warning");
	}
	garden_lint_text(a, STR(ADA_P1),
			 replaced(str_of(profile), "status: active\n", "status: [\n"), &d);
	if (ok(d.n == 1 && d.p[0].rule == GARDEN_RULE_FRONT_MATTER, "broken front matter"))
		is_int(d.p[0].line, 8, "its line");
	garden_lint_text(a, STR("users/ada/x.md"), STR("x"), &d);
	ok(d.n == 1 && d.p[0].severity == GARDEN_ERROR, "a path outside is an error");
	{
		const struct garden_ask q = {
			.path = STR(ADA_P1),
			.before = str_of(profile),
			.after = replaced(replaced(str_of(profile), ITEM, repeat(ITEM, 8)),
					  "## Needs\n<!-- @anchor: needs v1 -->", "## Needs"),
		};

		works(garden_judge_change(a, &q, &d), "the policy judges");
		e = garden_refusal(a, q.path, &d);
		fails(e, E_GARDEN_POLICY, "a refusal");
		ok(strstr(err_message(e), "2 faults block the change; the first: 'users/ada/parts/"
					  "p1/profile.md': line 21: garden-anchor: the anchor "
					  "'needs v1' of 'Needs' was removed; put back '<!-- "
					  "@anchor: needs v1 -->' on the line below 'Needs'"),
		   "it says what to do: %s", err_message(e));
	}
}

static void fixes(void)
{
	static const struct {
		const char *what, *old, *new, *want_old, *want_new;
	} rows[] = {
		{"nothing", NULL, NULL, NULL, NULL},
		{"a missing anchor", "## Needs\n<!-- @anchor: needs v1 -->\n", "## Needs\n", NULL,
		 NULL},
		{"a heading in another case", "## Needs\n<!-- @anchor: needs v1 -->\n",
		 "##  NEEDS ##  \n", NULL, NULL},
		{"punctuation behind a heading", "## Change Log\n", "## change  log:\n", NULL,
		 NULL},
		{"a heading that says something else than its anchor", "## Needs", "## Wants", "",
		 ""},
		{"a heading of another section than its anchor", "## Needs\n", "## role\n", "", ""},
		{"a text above a rule, a heading by its form", "## Needs\n",
		 "My dear text.\nIt goes on.\n---\n", "", ""},
		{"a heading of two lines", "## Needs\n", "needs\n-----\n", "", ""},
		{"a definition above a heading of two lines", "## Change Log\n",
		 "[x]: /u\nChange log\n---\n", "", ""},
		{"an anchor's definition above a heading of two lines", "Rest.\n",
		 "Rest.\n\n[//]: # (anchor: other v1)\nchange log\n---\n", "", ""},
		{"words in parentheses", "## Identity\n",
		 "## Identity (call her mother on Friday)\n", "", ""},
		{"a tag", "## Polarizations\n", "## polarizations <a id=\"x\"></a>\n", "", ""},
		{"a link", "## Open Questions\n", "## [open questions][oq]\n", "", ""},
		{"a comment", "## Needs\n", "## needs <!-- soon -->\n", "", ""},
		{"blanks and line ends", "Rest.\n", "Rest. \r\n", NULL, NULL},
		{"no last line end", "extensions v1 -->\n", "extensions v1 -->", NULL, NULL},
		{"a last heading", "## Extensions\n<!-- @anchor: extensions v1 -->\n",
		 "## extensions", NULL, NULL},
		{"two of a kind stay", "Rest.\n", "Rest.\n\n## needs\n", "", ""},
		{"an anchor elsewhere stays", "## Needs\n<!-- @anchor: needs v1 -->\n",
		 "## Needs\n\nA\n\n<!-- @anchor: needs v1 -->\n", "", ""},
		{"a line end that is a CR stays", "Rest.\n", "Rest.\rMore.\n", "", ""},
		{"blanks in code stay", "Rest.\n", "Rest.\n\n```\nx  \n```\n", "", ""},
	};

	static const struct {
		const char *text, *want;
	} ends[] = {
		{"# A\r## needs\rx\r", "# A\r## Needs\r<!-- @anchor: needs v1 -->\rx\r"},
		{"# A\n## needs\rx \r", "# A\n## Needs\r<!-- @anchor: needs v1 -->\rx \r"},
		{"# A\r## needs", "# A\r## Needs\n<!-- @anchor: needs v1 -->\n"},
		{"# A\r\n## needs \r\n", "# A\r\n## Needs\r\n<!-- @anchor: needs v1 -->\r\n"},
		{"# A\r\n## needs\n", "# A\n## Needs\n<!-- @anchor: needs v1 -->\n"},
		{"# A\r\n\r\n## needs\n", "# A\r\n\r\n## Needs\r\n<!-- @anchor: needs v1 -->\r\n"},
		{"# A\n\nx\r", "# A\n\nx\r"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str text = replaced(str_of(profile), rows[i].old, rows[i].new);
		struct garden_edits e;

		garden_fix(a, STR(ADA_P1), text, &e);
		is_str(garden_edits_apply(a, text, &e), rows[i].want_old ? text : str_of(profile),
		       rows[i].what);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct str text = str_of(ends[i].text), once;
		struct garden_edits e;

		garden_fix(a, STR(ADA_P1), text, &e);
		once = garden_edits_apply(a, text, &e);
		is_str(once, str_of(ends[i].want), ends[i].text);
		garden_fix(a, STR(ADA_P1), once, &e);
		ok(!e.n, "a second time nothing is left to mend in row %zu", i);
	}
}

int main(void)
{
	a = arena_new();
	edits();
	old_faults();
	files();
	places();
	fixes();
	all_seen();
	arena_free(a);
	return tap_done();
}
