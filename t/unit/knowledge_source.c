#include "tap.h"
#include "knowledge/knowledge.h"
#include "notes.h"

static struct arena *a;
static const struct kn_source source = {.layer = KN_LAYER_PROJECT, .name = STR_INIT("docs/adr/")};

static struct knowledge *load(const struct tree_mem_file *files, size_t n, enum kn_type type)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);

	works(knowledge_read_tree(a, &source, tree_mem(a, STR("a test"), files, n), type, true, k),
	      "read a source");
	knowledge_finish(a, k);
	return k;
}

/* "layer/owner type id", one a line. */
static struct str listed(const struct knowledge *k)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < k->items.n; i++) {
		const struct kn_item *x = &k->items.p[i];

		buf_fmt(&b, "%s%s/%.*s %s %.*s", i ? "\n" : "", kn_layers[x->layer],
			STR_ARG(x->owner), kn_types[x->type], STR_ARG(x->id));
	}
	return buf_as_str(&b);
}

/* clang-format off */
#define FILE(path, text) {STR_INIT(path), STR_INIT(text), TREE_FILE}
/* clang-format on */

static void sources(void)
{
	/* clang-format off */
	static const struct tree_mem_file layout[] = {
		FILE("README.md", "x"),
		FILE("company/adrs/2024/c.md", "---\nlayer: team\n---\n"),
		FILE("company/notes.md", "x"),
		FILE("orgs/acme/policies/o.md", "x"),
		FILE("projects/web/patterns/p.md", "---\ntype: spec\n---\n"),
		FILE("teams/core/specs/t.md", "x"),
		FILE("teams/core/specs/t.txt", "x"),
	};
	/* clang-format on */
	/* clang-format off */
	static const struct tree_mem_file direct[] = {
		FILE("adrs/a.md", "---\nlayer: org\ntype: adr\n---\n"),
		FILE("policies/p.md", "x"),
		{STR_INIT("specs/l.md"), STR_INIT("../x.md"), TREE_LINK},
		FILE("stray.md", "x"),
	};
	/* clang-format on */
	static const struct tree_mem_file flat[] = {
		FILE("a.md", "---\ntype: policy\nlayer: company\n---\n"),
		FILE("deep/er/b.MD", "x"),
		FILE("index.md", "x"),
	};
	struct knowledge *k = load(layout, ARRAY_SIZE(layout), KN_TYPE_ADR);

	is_str(listed(k),
	       STR("company/ adr c\norg/acme policy o\nteam/core spec t\nproject/ adr notes\n"
		   "project/web pattern p"),
	       "the layout with layers");
	is_str(notes_of(a, k),
	       STR("warning 2: layer is team, but its folder says company\n"
		   "warning 0: it is read as adr of layer project: a file gets its type and layer "
		   "from its folders only in adrs, policies, patterns and specs\n"
		   "warning 2: type is spec, but its folder says pattern"),
	       "what contradicts the layout is told");
	ok(k->notes.p[0].in_tree, "and that a change can touch it");
	is_str(passed_of(a, k), STR("README.md name\nteams/core/specs/t.txt not_markdown"),
	       "each file that is no item is listed, with the reason");
	k = load(direct, ARRAY_SIZE(direct), KN_TYPE_SPEC);
	is_str(listed(k), STR("org/ adr a\nproject/ policy p\nproject/ spec stray"),
	       "the four folders, and a file beside them");
	is_str(notes_of(a, k),
	       STR("warning 0: it is not read: it is a symbolic link: put the file itself there"),
	       "a link is told");
	k = load(flat, ARRAY_SIZE(flat), KN_TYPE_SPEC);
	is_str(listed(k), STR("company/ policy a\nproject/ spec b"), "a flat folder");
	is_str(notes_of(a, k), STR(""), "has nothing to contradict");
	k = load(NULL, 0, KN_TYPE_ADR);
	is_int((long long)k->items.n, 0, "an empty source");

	char *big = arena_alloc(a, (1 << 20) + 1);
	struct tree_mem_file huge = {STR("big.md"), {big, (1 << 20) + 1}, TREE_FILE};

	memset(big, 'x', (1 << 20) + 1);
	k = load(&huge, 1, KN_TYPE_ADR);
	ok(k->notes.n == 1 && k->notes.p[0].kind == KN_BROKEN && !k->items.n,
	   "a file of over 1 MiB");
}

static const struct kn_item *by_id(const struct knowledge *k, const char *id)
{
	return knowledge_find(k, str_of(id), -1);
}

static void superseding(void)
{
	/* clang-format off */
	static const struct tree_mem_file files[] = {
		FILE("0001-a.md", "# T\n\n## Status\n\nSuperceded by [2. B](0002-b.md)\n"),
		FILE("0002-b.md", "# T\n\n## Status\n\nAccepted\n\nSupercedes [1. A](0001-a.md)\n"),
		FILE("0003-c.md", "---\nstatus: superseded by ADR-0004\n---\n"),
		FILE("0004-d.md", "---\nstatus: accepted\n---\n"),
		FILE("0005-e.md", "---\nstatus: superseded by [ADR 4](x/0004-d.md?a#b) and me\n---\n"),
		FILE("0006-f.md", "---\nstatus: accepted\nsupersedes: '7'\n---\n"),
		FILE("0007-g.md", "---\nstatus: accepted\n---\n"),
		FILE("0008-h.md", "# T\n\n## Status\n\nSuperseded by ADR-0099, 0004-d and [2. B]\n"),
		FILE("log4j2.md", "---\nstatus: superseded\nsupersededBy: [0002-b, gone]\n---\n"),
		FILE("other/0004-d2.md", "---\nstatus: accepted\n---\n"),
		FILE("other/0009-i.md", "---\nstatus: superseded by 4\n---\n"),
	};
	/* clang-format on */
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	is_str(str_join(a, &by_id(k, "0001-a")->superseded_by, "+"), STR("0002-b"),
	       "adr-tools, by its link");
	is_str(str_join(a, &by_id(k, "0002-b")->supersedes, "+"), STR("0001-a"),
	       "and the other side");
	is_str(str_join(a, &by_id(k, "0003-c")->superseded_by, "+"), STR("0004-d"),
	       "MADR, by its number");
	is_str(str_join(a, &by_id(k, "0004-d")->supersedes, "+"), STR("0003-c"),
	       "and the other side, which said nothing");
	is_str(str_join(a, &by_id(k, "0005-e")->superseded_by, "+"), STR("0004-d"),
	       "a link with a path");
	is_str(str_join(a, &by_id(k, "0006-f")->supersedes, "+"), STR("0007-g"),
	       "by number, to the older one");
	is_str(str_join(a, &by_id(k, "0007-g")->superseded_by, "+"), STR("0006-f"),
	       "which knows it now");
	is_str(str_join(a, &by_id(k, "0008-h")->superseded_by, "+"), STR("ADR-0099+0004-d+0002-b"),
	       "several, one of which is not here");
	is_str(str_join(a, &by_id(k, "log4j2")->superseded_by, "+"), STR("0002-b+gone"),
	       "a list of ids");
	is_str(str_join(a, &by_id(k, "0009-i")->superseded_by, "+"), STR("0004-d2"),
	       "of one number, the item in the same folder");
	is_str(notes_of(a, k),
	       STR("warning 2: it is still in force, but superseded by '0006-f', which names it by its number: "
		   "write the whole id to retire it\n"
		   "warning 5: it is superseded by 'ADR-0099', which no source has\n"
		   "warning 3: it is superseded by 'gone', which no source has"),
	       "what does not fit is told");
}

/* "id by", one a line: what is retired. */
static struct str retired(const struct knowledge *k)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < k->items.n; i++)
		if (k->items.p[i].retired_by)
			buf_fmt(&b, "%s%.*s %.*s", b.n ? "\n" : "", STR_ARG(k->items.p[i].id),
				STR_ARG(k->items.p[i].retired_by->id));
	return buf_as_str(&b);
}

#define FRONT(status, more) "---\nstatus: " status "\n" more "---\n"
#define BAD                 "constraints: x\n"

static void retiring(void)
{
	/* clang-format off */
	static const struct tree_mem_file files[] = {
		FILE("01-a.md", FRONT("accepted", "")),
		FILE("01-b.md", FRONT("accepted", "supersedes: [01-a, ./01-c.md, nothing]\n")),
		FILE("01-c.md", FRONT("proposed", "")),
		FILE("02-a.md", FRONT("accepted", "")),
		FILE("02-b.md", FRONT("proposed", "supersedes: 02-a\n")),
		FILE("02-c.md", FRONT("rejected", "supersedes: 02-a\n")),
		FILE("02-d.md", FRONT("accepted", "supersedes: 02-a\n" BAD)),
		FILE("02-e.md", "# T\n\nsupersedes: 02-a\n"),
		FILE("03-a.md", FRONT("accepted", "")),
		FILE("03-b.md", FRONT("deprecated", "supersedes: 03-a\n")),
		FILE("04-a.md", FRONT("accepted", "supersedes: 04-b\n")),
		FILE("04-b.md", FRONT("accepted", "supersedes: 04-c\n")),
		FILE("04-c.md", FRONT("accepted", "supersedes: 04-a\n")),
		FILE("04-d.md", FRONT("accepted", "supersedes: 04-a\n")),
		FILE("05-a.md", FRONT("superseded by 05-b", "supersedes: 05-b\n")),
		FILE("05-b.md", FRONT("accepted", "")),
		FILE("06-a.md", FRONT("accepted", "")),
		FILE("06-b.md", FRONT("accepted", "supersedes: 06-a\n")),
		FILE("06-c.md", FRONT("accepted", "supersedes: 06-b\n")),
		FILE("07-a.md", FRONT("accepted", "supersedes: 07-a\n")),
		FILE("company/adrs/08-a.md", FRONT("accepted", "")),
		FILE("company/adrs/08-b.md", FRONT("accepted", "overridable: true\n")),
		FILE("teams/x/adrs/08-c.md", FRONT("accepted", "supersedes: [08-a, 08-b, 08-e]\n")),
		FILE("teams/x/adrs/08-d.md", FRONT("accepted", "overridable: true\n")),
		FILE("teams/y/adrs/08-e.md", FRONT("accepted", "")),
		FILE("company/adrs/08-f.md", FRONT("accepted", "supersedes: 08-d\n")),
	};
	/* clang-format on */
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	is_str(retired(k),
	       STR("08-b 08-c\n01-a 01-b\n01-c 01-b\n03-a 03-b\n04-a 04-d\n06-a 06-b\n06-b 06-c"),
	       "what an item that was accepted names by its id is retired");
	is_int(by_id(k, "01-a")->status, KN_STATUS_SUPERSEDED, "its status says so");
	is_str(by_id(k, "01-a")->status_text, STR("accepted"), "beside what is written");
	is_str(str_join(a, &by_id(k, "01-b")->supersedes, "+"), STR("01-a+01-c+nothing"),
	       "a list is read whole");
	is_int(by_id(k, "05-b")->status, KN_STATUS_ACCEPTED,
	       "a successor of its own successor retires nothing, whatever the statuses");
	is_str(notes_of(a, k),
	       STR("broken 4: constraints must be a list, not a string\n"
		   "warning 2: it is still in force, but superseded by '08-f', which lies in another layer or "
		   "source, and this one is not overridable\n"
		   "warning 2: it is still in force, but superseded by '08-c', which lies in another layer or "
		   "source, and this one is not overridable\n"
		   "warning 2: it is still in force, but superseded by '08-c', which lies in another layer or "
		   "source, and this one is not overridable\n"
		   "warning 3: it supersedes 'nothing', which no source has\n"
		   "warning 2: it is still in force, but superseded by '02-d', which is broken knowledge\n"
		   "warning 3: it supersedes '07-a', which no source has\n"
		   "warning 3: it supersedes '04-a', which supersedes it: neither retires the other\n"
		   "warning 3: it supersedes '04-b', which supersedes it: neither retires the other\n"
		   "warning 3: it supersedes '04-c', which supersedes it: neither retires the other\n"
		   "warning 2: it supersedes '05-a', which supersedes it: neither retires the other"),
	       "what does not fit is told");
}

static void explained(void)
{
	/* clang-format off */
	static const struct tree_mem_file files[] = {
		FILE("1.md", FRONT("accepted", "constraints:\n- {operator: must_use, target: code, pattern: x}\n")),
		FILE("2.md", "+++\nconstraints = []\n+++\n"),
		FILE("3.md", FRONT("accepted", BAD)),
		FILE("4.md", FRONT("accepted", "")),
		FILE("5.md", FRONT("accepted", "supersedes: 4.md\n")),
		FILE("6.md", "# T\n"),
		FILE("7.md", FRONT("deprecated", "")),
		FILE("8.mdx", FRONT("accepted", "constraints:\n- {operator: must_use, target: code, pattern: x}\n")),
		FILE("README.md", FRONT("accepted", "constraints:\n- {operator: must_use, target: code, pattern: x}\n")),
		FILE("index.md", "# T\n"),
		{STR_INIT("link.md"), STR_INIT("1.md"), TREE_LINK},
		FILE("x.png", "\x89PNG"),
	};
	/* clang-format on */
	/* clang-format off */
	static const struct {
		const char *path, *want;
	} rows[] = {
		{"1.md", ""},
		{"2.md", "docs/adr/2.md is not read: its front matter is TOML (+++): write it as YAML between "
			 "lines of '---'"},
		{"3.md", "docs/adr/3.md is broken knowledge: line 3: constraints must be a list, not a string"},
		{"4.md", "docs/adr/4.md is superseded by '5'"},
		{"6.md", "docs/adr/6.md has no status, so it is a draft: add 'status: accepted'"},
		{"7.md", "docs/adr/7.md is deprecated"},
		{"8.mdx", "docs/adr/8.mdx is not read: only files named *.md are items: rename it"},
		{"README.md", "docs/adr/README.md is not read: README files are no items: give it another name"},
		{"link.md", "docs/adr/link.md is not read: it is a symbolic link: put the file itself there"},
		{"x.png", "docs/adr/x.png is not read: only files named *.md are items: rename it"},
		{"gone.md", ""},
	};
	/* clang-format on */
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		is_str(knowledge_why_inactive(a, k, str_of(rows[i].path)), str_of(rows[i].want),
		       rows[i].path);
	is_str(notes_of(a, k),
	       STR("warning 0: it is not read: it is a symbolic link: put the file itself there\n"
		   "broken 1: its front matter is TOML (+++): write it as YAML between lines of '---'\n"
		   "broken 3: constraints must be a list, not a string\n"
		   "warning 0: it has rules, and only *.md files are items, no other: rename it\n"
		   "warning 0: it has rules, and README files are no items: give it another name"),
	       "rules in a file that is no item are told");
}

static void layers(void)
{
	/* clang-format off */
	static const struct tree_mem_file files[] = {
		FILE("company/adrs/a.md", "---\nstatus: accepted\noverridable: true\n---\n"),
		FILE("company/adrs/b.md", "---\nstatus: accepted\n---\n"),
		FILE("company/adrs/c.md", "---\nstatus: accepted\noverridable: true\n---\n"),
		FILE("company/adrs/d.md", "---\nstatus: proposed\n---\n"),
		FILE("company/policies/a.md", "---\nstatus: draft\n---\n"),
		FILE("orgs/x/adrs/c.md", "---\nstatus: rejected\n---\n"),
		FILE("teams/x/adrs/a.md", "---\nstatus: accepted\n---\n"),
		FILE("teams/x/adrs/b.md", "---\nstatus: accepted\n---\n"),
		FILE("teams/y/adrs/a.md", "---\nstatus: draft\n---\n"),
		FILE("company/adrs/e.md", "---\nstatus: accepted\noverridable: true\n---\n"),
		FILE("teams/x/adrs/e.md", "---\nstatus: accepted\nconstraints: [x]\n---\n"),
	};
	/* clang-format on */
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	ok(!knowledge_is_active(k, knowledge_find(k, STR("a"), KN_LAYER_COMPANY)), "overridden");
	ok(knowledge_is_active(k, knowledge_find(k, STR("a"), KN_LAYER_TEAM)), "by this");
	ok(knowledge_is_active(k, knowledge_find(k, STR("b"), KN_LAYER_COMPANY)),
	   "may not be overridden");
	ok(knowledge_is_active(k, knowledge_find(k, STR("c"), KN_LAYER_COMPANY)),
	   "a rejected item overrides nothing");
	ok(!knowledge_is_active(k, knowledge_find(k, STR("c"), KN_LAYER_ORG)), "nor is it active");
	ok(knowledge_is_active(k, knowledge_find(k, STR("d"), -1)), "proposed ones inform");
	ok(knowledge_is_active(k, knowledge_find(k, STR("e"), KN_LAYER_COMPANY)),
	   "broken knowledge replaces nothing");
	is_int(knowledge_find(k, STR("a"), -1)->layer, KN_LAYER_TEAM, "the most specific is found");
	ok(!knowledge_find(k, STR("a"), KN_LAYER_PROJECT) && !knowledge_find(k, STR("z"), -1) &&
		   !knowledge_find(k, STR(""), -1),
	   "what is not there is not found");
	is_str(notes_of(a, k),
	       STR("broken 3: constraint 1: it must be a mapping with operator, target and pattern, not a string\n"
		   "warning 0: it has the same id as 'docs/adr/company/adrs/a.md'"),
	       "an id given twice in one layer");
}

/* ---- queries ---- */

static struct str found(const struct knowledge *k, struct knowledge_filter f)
{
	const struct kn_item **items;
	struct buf b = buf_in(a);
	size_t n;

	works(knowledge_query(a, k, &f, &items, &n), "query");
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b, "%s%.*s", i ? " " : "", STR_ARG(items[i]->id));
	return buf_as_str(&b);
}

#define ALL       .type = -1, .layer = -1, .statuses = ~0u
#define ASK(text) ((struct knowledge_filter){ALL, .query = STR(text)})

static void queries(void)
{
	/* clang-format off */
	static const struct tree_mem_file files[] = {
		FILE("company/policies/logging.md",
		     "---\nstatus: accepted\ntags: [Ops, db]\n---\n# Structured logging\n\nLog as JSON. Never "
		     "log a database password.\n"),
		FILE("orgs/x/adrs/adr-042-database-selection.md",
		     "---\nstatus: accepted\ntags: [database, infra]\n---\n# Database Selection for New "
		     "Services\n\n## Decision\n\nUse PostgreSQL for all new services.\n"),
		FILE("orgs/x/adrs/cache.md",
		     "---\nstatus: proposed\n---\n# Caching\n\nCaches are not databases. We tried caching "
		     "policies \xc3\x9c" "ber all.\n"),
		FILE("projects/p/adrs/logging.md",
		     "---\nstatus: draft\n---\n# Project logging\n\nMore logs.\n"),
		FILE("projects/p/specs/\xe6\x97\xa5.md",
		     "# \xe3\x83\x87\xe3\x83\xbc\xe3\x82\xbf\xe3\x83\x99\xe3\x83\xbc\xe3\x82\xb9\xe3\x81\xae"
		     "\xe8\xa8\xad\xe5\xae\x9a\n"),
	};
	/* clang-format on */
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);
	struct knowledge_filter f = {ALL};

	is_str(found(k, f), STR("adr-042-database-selection cache logging \xe6\x97\xa5"),
	       "without a query by id, the most specific of one id");
	is_str(found(k, ASK("database selection")), STR("adr-042-database-selection cache"),
	       "the requirement's example first");
	is_str(found(k, ASK("Which databases did we select?")),
	       STR("adr-042-database-selection cache"), "a question finds the same");
	is_str(found(k, ASK("use of PostgreSQL")), STR("adr-042-database-selection"),
	       "stop words are dropped");
	is_str(found(k, ASK("are we")), STR("cache"), "unless there is nothing else");
	is_str(found(k, ASK("cached policy")), STR("cache"), "stems meet");
	is_str(found(k, ASK("\xc3\xbc"
			    "BER")),
	       STR("cache"), "case of other letters");
	is_str(found(k, ASK("ADR 42")), STR("adr-042-database-selection"), "numbers without zeros");
	is_str(found(k, ASK("\xe8\xa8\xad\xe5\xae\x9a")), STR("\xe6\x97\xa5"),
	       "a pair of characters");
	is_str(found(k, ASK("\xe8\xa8\xad")), STR("\xe6\x97\xa5"), "one character");
	is_str(found(k, ASK("\xe8\xa8\xad\xe8\xa8\xad")), STR(""), "a pair that is not there");
	is_str(found(k, ASK("nothing-such")), STR(""), "no match");
	is_str(found(k, ASK("?!\0\xff\xc3")), STR(""), "no word at all");
	f.layer = KN_LAYER_COMPANY;
	is_str(found(k, f), STR("logging"), "a layer shows what another hides");
	f = (struct knowledge_filter){ALL};
	f.statuses = 1u << KN_STATUS_ACCEPTED;
	is_str(found(k, f), STR("adr-042-database-selection logging"),
	       "a draft does not hide the accepted one");
	f.type = KN_TYPE_POLICY;
	is_str(found(k, f), STR("logging"), "by type");
	f = (struct knowledge_filter){ALL};
	strs_push(a, &f.tags, STR("DATABASE"));
	is_str(found(k, f), STR("adr-042-database-selection"), "by tag");
	strs_push(a, &f.tags, STR("ops"));
	is_str(found(k, f), STR(""), "all tags must be there");
	f = (struct knowledge_filter){.type = -1, .layer = -1};
	is_str(found(k, f), STR(""), "no status, no item");
}

int main(void)
{
	a = arena_new();
	sources();
	superseding();
	retiring();
	explained();
	layers();
	queries();
	arena_free(a);
	return tap_done();
}
