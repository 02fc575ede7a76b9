#include "tap.h"
#include "knowledge/knowledge.h"
#include "knowledge/read.h"

static struct arena *a;
static const struct kn_source source = {.layer = KN_LAYER_PROJECT, .name = STR_INIT("docs/adr/")};

/* The item of a file, with all notes in *k. */
static const struct kn_item *read(const char *path, const char *text, struct knowledge *k)
{
	bool is_item;

	*k = (struct knowledge){0};
	works(knowledge_read_item(a, &source, str_of(path), KN_LAYER_PROJECT, STR(""), KN_TYPE_ADR,
				  str_of(text), k, &is_item),
	      path);
	return is_item ? &k->items.p[0] : NULL;
}

/* One note: "broken 7: message", or nothing. */
static struct str only_note(const struct knowledge *k)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < k->notes.n; i++)
		buf_fmt(&b, "%s%s %zu: %.*s", i ? "\n" : "",
			k->notes.p[i].kind == KN_BROKEN ? "broken" : "warning", k->notes.p[i].line,
			STR_ARG(k->notes.p[i].message));
	return buf_str(&b);
}

static void names(void)
{
	static const struct {
		const char *path;
		bool item;
	} rows[] = {
		{"0001-a.md", true},          {"x/README.md", false},
		{"readme.de.md", false},      {"index.md", false},
		{"template.md", false},       {"adr-template-bare-minimal.md", false},
		{"0000-template.md", false},  {"ADR_Template.md", false},
		{"use-template-engine.md", true}, {"adr-template-engine.md", true},
		{"template-rendering.md", true},  {"indexing.md", true},
		{"templates.md", true},
	};
	struct knowledge k;
	const struct kn_item *i;

	for (size_t n = 0; n < ARRAY_SIZE(rows); n++)
		ok(!read(rows[n].path, "# x\n", &k) == !rows[n].item, "%s", rows[n].path);
	i = read("a/b/0007-foo.bar.md", "no heading\n", &k);
	is_str(i->id, STR("0007-foo.bar"), "the id is the file's name");
	is_str(i->title, STR("0007-foo.bar"), "and the title, without a heading");
	is_str(i->shown_path, STR("docs/adr/a/b/0007-foo.bar.md"), "the path has its source");
	is_str(i->summary, STR("no heading"), "the first paragraph");
}

static void full(void)
{
	static const char text[] =
		"\xef\xbb\xbf---\r\n"
		"id: adr-042-db\r\ntype: policy\r\nlayer: org\r\ntitle: Database \xe2\x9c\x85\r\n"
		"summary: |\r\n  Use\r\n  Postgres\r\nstatus: Approved\r\nseverity: block\r\n"
		"tags: [db, 12, infra]\r\nmetadata:\r\n  authors: [ada]\r\ndeciders: [bob]\r\n"
		"createdAt: 2024-01-02T10:20:00Z\r\nupdated: 3/4/2024\r\nversion: 1.10\r\n"
		"overridable: true\r\nsupersedes: [adr-001]\r\n"
		"constraints:\r\n"
		"  - operator: must_not_use\r\n    target: dependency\r\n    pattern: mysql|mysql2\r\n"
		"    version: 1.50\r\n    useInstead: pg\r\n"
		"  - {operator: must_exist, target: config, pattern: db.url, severity: info,\r\n"
		"     appliesTo: ['*.yaml', '!x/'], message: set it, waivable: false}\r\n"
		"---\r\n# Other title\r\n";
	struct knowledge k;
	const struct kn_item *i = read("adr-042-db.md", text, &k);
	const struct kn_constraint *c = i->constraints;

	is_str(only_note(&k), STR("warning 3: type is policy, but its folder says adr\n"
				  "warning 4: layer is org, but its folder says project"),
	       "the folder wins, and it is said");
	is_str(i->title, STR("Database \xe2\x9c\x85"), "title");
	is_str(i->summary, STR("Use Postgres"), "summary");
	is_int(i->status, KN_STATUS_ACCEPTED, "status");
	is_str(i->status_text, STR("Approved"), "as written");
	is_int(i->severity, KN_SEVERITY_BLOCK, "severity");
	is_str(str_join(a, &i->tags, "+"), STR("db+12+infra"), "tags");
	ok(val_get(i->metadata, "authors") && val_get(i->metadata, "deciders") && i->metadata->n == 2,
	   "metadata, and what other tools write");
	is_str(i->created_at, STR("2024-01-02T10:20:00Z"), "a date-time");
	is_str(i->updated_at, STR("2024-04-03"), "a date");
	is_str(i->version, STR("1.10"), "a version keeps its text");
	is_str(i->supersedes, STR("adr-001"), "supersedes");
	ok(i->overridable && i->type == KN_TYPE_ADR && i->layer == KN_LAYER_PROJECT, "the rest");
	is_str(i->content, STR("# Other title\r\n"), "the content has no frontmatter");
	is_int((long long)i->constraints_n, 2, "both constraints");
	ok(c[0].op == KN_OP_MUST_NOT_USE && c[0].target == KN_TARGET_DEPENDENCY && c[0].index == 1 &&
		   c[0].severity == KN_SEVERITY_BLOCK && c[0].waivable && c[0].re && !c[0].glob,
	   "the first");
	is_str(c[0].version, STR("1.50"), "its version");
	is_str(c[0].use_instead, STR("pg"), "what to use instead");
	ok(str_starts(str_sub(str_of(text), c[0].at.from, c[0].at.to), STR("operator: must_not")) &&
		   str_ends(str_sub(str_of(text), c[0].at.from, c[0].at.to), STR("useInstead: pg")),
	   "its place is in the file");
	ok(c[1].severity == KN_SEVERITY_INFO && !c[1].waivable && c[1].applies_to.n == 2 &&
		   c[1].applies.n == 2 && !c[1].re && !c[1].glob,
	   "the second: a key path has no pattern");
}

/* ---- what is broken, and where ---- */

#define RULE "operator: must_use\ntarget: code\npattern: x\n"

static void broken(void)
{
	static const struct {
		const char *text, *notes;
		int constraints;
	} rows[] = {
		{"---\na: [\n---\n", "broken 3: the frontmatter is not valid YAML: column 1: ", -1},
		{"---\na: 1\n", "broken 1: the frontmatter has no closing line '---'", 0},
		{"---\njust text\n---\n",
		 "broken 2: the frontmatter must be a mapping, not a string", 0},
		{"---\n---\n# ok\n", "", 0},
		{"---\nparent: x\nnav_order: 3\ndate: 2019-01-02\n---\n# ok\n", "", 0},
		{"---\nconstraints:\n---\n", "", 0},
		{"---\nconstraints: []\n---\n", "", 0},
		{"---\nconstraints: x\n---\n", "broken 2: constraints must be a list, not a string", 0},
		{"---\nconstraints: [x]\n---\n",
		 "broken 2: constraint 1: it must be a mapping with operator, target and pattern, not "
		 "a string", 0},
		{"---\nconstraints:\n  - operator: must-use\n    target: code\n    pattern: x\n---\n",
		 "broken 3: constraint 1: operator 'must-use' is unknown; allowed: must_use, "
		 "must_not_use, must_match, must_not_match, must_exist, must_not_exist", 0},
		{"---\nconstraints:\n  - operator: MUST_USE\n    target: code\n    pattern: x\n---\n",
		 "broken 3: constraint 1: operator 'MUST_USE' is unknown; allowed: must_use, "
		 "must_not_use, must_match, must_not_match, must_exist, must_not_exist", 0},
		{"---\nconstraints:\n  - operator: must_use\n    pattern: x\n---\n",
		 "broken 3: constraint 1: 'target' is missing", 0},
		{"---\nconstraints:\n  - operator: must_exist\n    target: code\n    pattern: x\n---\n",
		 "broken 3: constraint 1: must_exist is for targets config and file; for code use "
		 "must_use", 0},
		{"---\nconstraints:\n  - operator: must_use\n    target: code\n    pattern: ''\n---\n",
		 "broken 5: constraint 1: 'pattern' is empty", 0},
		{"---\nconstraints:\n  - operator: must_use\n    target: code\n    pattern: true\n---\n",
		 "broken 5: constraint 1: 'pattern' must be a string, not a boolean: put it in quotes", 0},
		{"---\nconstraints:\n  - operator: must_use\n    target: code\n    pattern: 3306\n---\n", "",
		 1},
		{"---\nconstraints:\n  - operator: must_use\n    target: code\n    pattern: '('\n---\n",
		 "broken 5: constraint 1: pattern '(': ", 0},
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, severty: block}\n"
		 "---\n",
		 "broken 3: constraint 1: 'severty' is unknown: did you mean 'severity'?", 0},
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, version: '1'}\n"
		 "---\n",
		 "broken 3: constraint 1: 'version' is for target dependency only", 0},
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, waivable: 1}\n---\n",
		 "broken 3: constraint 1: 'waivable' must be true or false, not a number", 0},
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, "
		 "appliesTo: [a, 1, {}]}\n---\n",
		 "broken 3: constraint 1: 'appliesTo' must be a string, not an object", 0},
		{"---\nseverity: high\nconstraints:\n  - {operator: must_use, target: code, pattern: x}\n"
		 "---\n",
		 "broken 2: severity 'high' is unknown; allowed: info, warn, block", 1},
		{"---\nseverity: high\n---\n",
		 "warning 2: severity 'high' is unknown; allowed: info, warn, block", 0},
		{"---\nstatus: nope\nconstraints:\n  - {operator: must_use, target: code, pattern: x}\n---\n",
		 "broken 2: status 'nope' is unknown, so it counts as draft; known: ", 1},
		{"---\nstatus: [a]\n---\n", "warning 2: 'status' must be a string, not a list", 0},
		{"---\nstatus:\ndate:\n---\n", "", 0},
		{"# T\n\n## Status\n\nFloating\n",
		 "warning 5: status 'Floating' is unknown, so it counts as draft; known: ", 0},
		{"---\nconstrains: []\n---\n",
		 "warning 2: 'constrains' is not read: did you mean 'constraints'?", 0},
		{"---\nsverity: x\n---\n", "", 0},
		{"---\nsverity: x\nconstraints:\n  - {operator: must_use, target: code, pattern: x}\n---\n",
		 "warning 2: 'sverity' is not read: did you mean 'severity'?", 1},
		{"---\nid: y\n---\n",
		 "warning 2: id is 'y', but the file's name says 'x', and that counts", 0},
		{"---\ndate: 2019-02-30\n---\n",
		 "warning 2: date '2019-02-30' is not understood: write it as 2019-01-31", 0},
		/* The section. */
		{"# T\n\n## Constraints\n\n```yaml\n- " "operator: must_use\n  target: code\n  pattern: '['\n"
		 "```\n", "broken 8: constraint 1: pattern '[': ", 0},
		{"---\na: b\n---\n# T\n\n## constraints:\n\n~~~YML\nconstraints:\n- {operator: must_use, "
		 "target: file, pattern: a}\n~~~\n### More\n\n```yaml x\n- {operator: must_match, target: "
		 "file, pattern: '\\.c$'}\n```\n## End\n```yaml\nnot: ours\n```\n", "", 2},
		{"# T\n\n## Constraints\n\n```yaml\n" RULE "```\n", "", 1},
		{"# T\n\n## Constraints\n\n```yaml\na: [\n```\n",
		 "broken 7: the constraints block is not valid YAML: column 1: ", -1},
		{"# T\n\n## Constraints\n\n- x\n\n  ```yaml\n  - 1\n  - {operator: must_use, target: file, "
		 "pattern: a}\n  - a: [\n  ```\n",
		 "broken 11: the constraints block is not valid YAML: column 1: ", -1},
		{"# T\n\n## Constraints\n\n- x\n\n  ```yaml\n  - {operator: must_use, target: file, "
		 "pattern: a}\n  - 1\n  ```\n",
		 "broken 9: constraint 2: it must be a mapping with operator, target and pattern, not a "
		 "number", 1},
		{"# T\n\n## Constraints\n\nMust run on Linux.\n",
		 "warning 3: the section 'Constraints' has no yaml block, so it enforces nothing", 0},
		{"# T\n\n### Constraints\n\nMust run on Linux.\n", "", 0},
		{"# T\n\n## Constraints\n\n```\n- operator: must_use\n```\n",
		 "broken 3: the section 'Constraints' has no yaml block: open it with ```yaml", 0},
		{"# T\n\n## Constraints\n\n- operator: must_use\n",
		 "broken 3: the section 'Constraints' has no yaml block: open it with ```yaml", 0},
		{"# T\n\n## Constrains\n\n```yaml\n- operator: must_use\n```\n",
		 "warning 3: the section 'Constrains' is not read: did you mean '## Constraints'?", 0},
		{"# T\n\n    ## Constraints\n\n> ## Constraints\n>\n> ```yaml\n> - x\n> ```\n", "", 0},
		/* Bytes. */
		{"# T\xff\n", "warning 1: the file is not UTF-8 here: what cannot be read is replaced", 0},
		{"\xff\xfe-", "broken 0: the file is UTF-16: save it as UTF-8", 0},
		{"---\na: \xff\n---\n",
		 "warning 2: the file is not UTF-8 here: what cannot be read is replaced\n"
		 "broken 2: the frontmatter is not valid YAML: column 4: this byte is not UTF-8", 0},
	};

	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		struct knowledge k;
		const struct kn_item *i = read("x.md", rows[n].text, &k);
		struct str notes = only_note(&k), want = str_of(rows[n].notes);

		/* Rows that end in a blank leave the rest to a library's words. */
		if (str_ends(want, STR(" ")))
			notes = str_sub(notes, 0, want.n);
		is_str(notes, want, str_fmt(a, "notes of row %zu", n).p);
		if (rows[n].constraints >= 0)
			is_int((long long)i->constraints_n, rows[n].constraints, "constraints left");
	}
}

static void broken_front(void)
{
	struct knowledge k;
	const struct kn_item *i = read("x.md",
				       "---\nstatus: [\n---\n# T\n\n## Status\n\nAccepted\n\n"
				       "## Constraints\n\n```yaml\n" RULE "```\n", &k);

	is_str(i->title, STR("T"), "the body is read where the frontmatter is not");
	is_int(i->status, KN_STATUS_DRAFT, "but nothing is enforced on a guess");
	i = read("x.md",
		 "---\nstatus: accepted\nconstraints:\n  - " "{operator: must_use, target: code, pattern: a}\n"
		 "  - {operator: must_use, target: code, pattern: '('}\n"
		 "  - {operator: must_use, target: code, pattern: b}\n---\n", &k);
	ok(i->constraints_n == 2 && i->constraints[1].index == 3,
	   "what is right is enforced beside what is broken, under its own number");
	is_int((long long)k.notes.n, 1, "and that is told");
}

/* What would take quadratic time or screens is cut short, and says so. */
static void much(void)
{
	struct buf b = buf_in(a);
	const struct kn_item *i;
	struct knowledge k;

	buf_puts(&b, "---\nconstraints:\n");
	for (int n = 0; n < 5000; n++)
		buf_puts(&b, n < 200 ? "- 1\n" : "- {operator: must_use, target: file, pattern: a}\n");
	buf_puts(&b, "---\n");
	for (int n = 0; n < 5000; n++)
		buf_puts(&b, "Date: x\n\nSuperseded by ADR-1\n\n");
	i = read("x.md", buf_c(&b), &k);
	is_int((long long)i->constraints_n, 800, "a thousand constraints are read");
	is_int((long long)i->superseded_by.n, 20, "and twenty names");
	is_int((long long)k.notes.n, 102, "fifty notes of each kind, and that there are more");
	is_str(k.notes.p[50].message, STR("there is more wrong with this file than is shown"), "said");
	b = buf_in(a);
	buf_puts(&b, "---\n");
	for (int n = 0; n < 50000; n++)
		buf_fmt(&b, "k%d: 1\n", n);
	buf_puts(&b, "metadata: {a: 1}\n---\n");
	i = read("x.md", buf_c(&b), &k);
	is_int((long long)i->metadata->n, 1, "thousands of foreign keys are not shown");
}

/* ---- status, dates ---- */

static void statuses(void)
{
	static const struct {
		const char *text;
		int status;
		bool partly;
	} rows[] = {
		{"accepted", KN_STATUS_ACCEPTED, false},
		{"\xe2\x9c\x85 Accepted", KN_STATUS_ACCEPTED, false},
		{":white_check_mark: Accepted", KN_STATUS_ACCEPTED, false},
		{"**Approved**", KN_STATUS_ACCEPTED, false},
		{"Done.", KN_STATUS_ACCEPTED, false},
		{"Accepted (documenting an existing thing)", KN_STATUS_ACCEPTED, false},
		{"\xf0\x9f\xa4\x94 Incomplete", KN_STATUS_PROPOSED, false},
		{"on  hold", KN_STATUS_PROPOSED, false},
		{"In Review", KN_STATUS_PROPOSED, false},
		{"Pending", KN_STATUS_PROPOSED, false},
		{"\xe2\x8c\x9b\xef\xb8\x8f Superseded by [036](036-x.md)", KN_STATUS_SUPERSEDED, false},
		{"Superceded by ADR-3", KN_STATUS_SUPERSEDED, false},
		{"Partly superseded", KN_STATUS_ACCEPTED, true},
		{"\xe2\x9d\x8c Rejected (see 019)", KN_STATUS_REJECTED, false},
		{"deprecated", KN_STATUS_DEPRECATED, false},
		{"Draft", KN_STATUS_DRAFT, false},
		{"acceptedish", -1, false},
		{"not accepted", -1, false},
		{"proposed | rejected | accepted", -1, false},
		{"{proposed", -1, false},
		{"accept\xc3\xa9", -1, false},
		{"", -1, false},
		{"\xff\xfe", -1, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum kn_status status = KN_STATUS_DRAFT;
		bool partly, known = kn_status_of(a, str_of(rows[i].text), &status, &partly);

		ok(known == (rows[i].status >= 0) && (!known || (int)status == rows[i].status) &&
			   partly == rows[i].partly,
		   "status '%s'", rows[i].text);
	}
}

static void dates(void)
{
	static const struct {
		const char *text, *iso;
	} rows[] = {
		{"2019-01-31", "2019-01-31"},
		{"2019/1/5", "2019-01-05"},
		{"20190131", "2019-01-31"},
		{"31/12/2018", "2018-12-31"},
		{"09/04/2018", "2018-04-09"},
		{"10/04/18", "2018-04-10"},
		{"1.2.2019", "2019-02-01"},
		{"03/26/2018", "2018-03-26"},
		{"2 January 2019", "2019-01-02"},
		{"2nd of Jan 2019", "2019-01-02"},
		{"31-Dec-2018", "2018-12-31"},
		{"January 2nd, 2019", "2019-01-02"},
		{"Sept. 3, 2020", "2020-09-03"},
		{"Monday, 7 June 2021", "2021-06-07"},
		{"Mon June 7 2021", "2021-06-07"},
		{"2020-02-29", "2020-02-29"},
		{"2019-01-31 (amended)", "2019-01-31"},
		{"[2021-03-12]", "2021-03-12"},
		{"2019-01-31T10:20", "2019-01-31T10:20:00"},
		{"2019-01-31 10:20:30.5+0130", "2019-01-31T10:20:30+01:30"},
		{"2019-01-31T10:20:30Z", "2019-01-31T10:20:30Z"},
		{"2019-01-31 10:20:30 -05", "2019-01-31T10:20:30-05:00"},
		{"2019-02-29", NULL}, {"2019-13-01", NULL}, {"31/11/2019", NULL}, {"1/2/019", NULL},
		{"2019-01-021", NULL}, {"1.2.2019.4", NULL}, {"2019", NULL}, {"1/2-2019", NULL},
		{"YYYY-MM-DD", NULL}, {"", NULL}, {"99999999999999", NULL}, {"32 January 2019", NULL},
		{"0000-01-01", NULL}, {"yesterday", NULL}, {"2 Marchember 2019", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str iso = {"", 0};
		bool found = kn_date(a, str_of(rows[i].text), &iso);

		ok(found == !!rows[i].iso, "date '%s'", rows[i].text);
		is_str(iso, str_of(rows[i].iso), rows[i].text);
	}
}

/* ---- the body ---- */

static void bodies(void)
{
	static const struct {
		const char *name, *text, *status, *date, *summary;
	} rows[] = {
		{"adr-tools", "# 1. T\n\nDate: 2019-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nc\n\n"
		 "## Decision\n\nWe *will* do\nit.\n\nMore.\n", "accepted", "2019-01-02", "We will do it."},
		{"one paragraph", "# T\nDate 9/4/2018\n**Status:** approved\n**Deciders**: x\n\nText\n",
		 "accepted", "2018-04-09", "Text"},
		{"a list", "# T\n\n* Status: on hold\n* Date: 2 May 2020\n* Deciders: a\n\nTechnical Story: s\n"
		 "\nText\n", "proposed", "2020-05-02", "Text"},
		{"a table", "# T\n\n| Status | Rejected |\n| Date | 2020-01-02 |\n\n## Decision outcome\n"
		 "### Sub\nChosen\n", "rejected", "2020-01-02", "Chosen"},
		{"struck", "# T\n\n## Status\n\n~~Accepted~~ Deprecated\n", "deprecated", "", ""},
		{"struck alone", "# T\n\n## Status\n\n~~Proposed~~\n\nAccepted\n", "accepted", "", ""},
		{"frontmatter first", "---\nstatus: rejected\ndate: 2020-01-01\n---\n# T\n- Status: accepted\n"
		 "- Date: 2021-01-01\n\n## Status\nproposed\n", "rejected", "2020-01-01", ""},
		{"frontmatter in Markdown", "---\nstatus: '~~proposed~~ **accepted**'\n---\n# T\n", "accepted",
		 "", ""},
		{"further down", "# T\n\n## A\n\nStatus: rejected\nDate: 2020-01-01\n\n### Status\n\nrejected\n",
		 "draft", "", ""},
		{"in code", "# T\n\n```\nStatus: rejected\n```\n", "draft", "", ""},
		{"drivers", "# T\n\n## Decision drivers\n\nno\n\n## Factors in the decision\n\nno\n\n"
		 "## The decision\n\nyes\n", "draft", "", "yes"},
		{"to be done", "# T\n\n## Decision\n\nTBD\n\n## What\xe2\x80\x99s proposed\n\nthis\n", "draft", "",
		 "this"},
		{"a list follows", "# T\n\n## Decisions:\n\nWe will:\n\n- a\n  - deep\n- b\n\nMore\n", "draft", "",
		 "We will: a; b"},
		{"because", "# T\n\n## Decision Outcome\n\nChosen: x, because\n\n* good\n", "draft", "",
		 "Chosen: x, because good"},
		{"a list first", "# T\n\n## Decision <!-- why -->\n\n- one\n- two\n", "draft", "", "one"},
		{"an HTML title", "# <!-- nothing -->\n\ntext\n", "draft", "", "text"},
		{"a later superseding", "# T\n\n## Status\n\nAccepted\n\nSuperseded by [2. X](0002-x.md)\n",
		 "superseded", "", ""},
		{"a sentence", "# T\n\nSupersedes what we had.\n\n## Status\n\nAccepted\n", "accepted", "", ""},
		{"status word in line", "# T\n\n## Status\n\nStatus: Accepted\n", "accepted", "", ""},
	};
	struct knowledge k;

	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		const struct kn_item *i = read("x.md", rows[n].text, &k);

		is_str(str_of(kn_statuses[i->status]), str_of(rows[n].status), rows[n].name);
		is_str(i->created_at, str_of(rows[n].date), "its date");
		is_str(i->summary, str_of(rows[n].summary), "its summary");
	}
	is_str(read("20201016-x.md", "# T\n", &k)->created_at, STR("2020-10-16"),
	       "the date in a file's name");
	is_str(read("20201316-x.md", "# T\n", &k)->created_at, STR(""), "that is none");
	is_str(str_join(a, &read("x.md", "# T\n- Tags: a, b c ,\n", &k)->tags, "+"), STR("a+b c"), "tags");
	is_str(str_join(a, &read("x.md", "---\ntags: a b\n---\n", &k)->tags, "+"), STR("a+b"),
	       "tags in one string");
}

/* ---- sources ---- */

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

		buf_fmt(&b, "%s%s/%.*s %s %.*s", i ? "\n" : "", kn_layers[x->layer], STR_ARG(x->owner),
			kn_types[x->type], STR_ARG(x->id));
	}
	return buf_str(&b);
}

#define FILE(path, text) {STR_INIT(path), STR_INIT(text), TREE_FILE}

static void sources(void)
{
	static const struct tree_mem_file layout[] = {
		FILE("README.md", "x"),
		FILE("company/adrs/2024/c.md", "---\nlayer: team\n---\n"),
		FILE("company/notes.md", "x"),
		FILE("orgs/acme/policies/o.md", "x"),
		FILE("projects/web/patterns/p.md", "---\ntype: spec\n---\n"),
		FILE("teams/core/specs/t.md", "x"),
		FILE("teams/core/specs/t.txt", "x"),
	};
	static const struct tree_mem_file direct[] = {
		FILE("adrs/a.md", "---\nlayer: org\ntype: adr\n---\n"),
		FILE("policies/p.md", "x"),
		{STR_INIT("specs/l.md"), STR_INIT("../x.md"), TREE_LINK},
		FILE("stray.md", "x"),
	};
	static const struct tree_mem_file flat[] = {
		FILE("a.md", "---\ntype: policy\nlayer: company\n---\n"),
		FILE("deep/er/b.MD", "x"),
		FILE("index.md", "x"),
	};
	struct knowledge *k = load(layout, ARRAY_SIZE(layout), KN_TYPE_ADR);

	is_str(listed(k), STR("company/ adr c\norg/acme policy o\nteam/core spec t\nproject/web pattern p"),
	       "the layout with layers");
	is_str(only_note(k), STR("warning 2: layer is team, but its folder says company\n"
				 "warning 0: it is not read: it is in none of the folders adrs, policies, "
				 "patterns and specs\n"
				 "warning 2: type is spec, but its folder says pattern"),
	       "what contradicts the layout is told");
	ok(k->notes.p[0].in_tree, "and that a change can touch it");
	k = load(direct, ARRAY_SIZE(direct), KN_TYPE_SPEC);
	is_str(listed(k), STR("org/ adr a\nproject/ policy p"), "the four folders");
	is_int((long long)k->notes.n, 2, "a link and a stray file are told");
	k = load(flat, ARRAY_SIZE(flat), KN_TYPE_SPEC);
	is_str(listed(k), STR("company/ policy a\nproject/ spec b"), "a flat folder");
	is_str(only_note(k), STR(""), "has nothing to contradict");
	k = load(NULL, 0, KN_TYPE_ADR);
	is_int((long long)k->items.n, 0, "an empty source");

	char *big = arena_alloc(a, (1 << 20) + 1);
	struct tree_mem_file huge = {STR("big.md"), {big, (1 << 20) + 1}, TREE_FILE};

	memset(big, 'x', (1 << 20) + 1);
	k = load(&huge, 1, KN_TYPE_ADR);
	ok(k->notes.n == 1 && k->notes.p[0].kind == KN_BROKEN && !k->items.n, "a file of over 1 MiB");
}

static const struct kn_item *by_id(const struct knowledge *k, const char *id)
{
	return knowledge_find(k, str_of(id), -1);
}

static void superseding(void)
{
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
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	is_str(str_join(a, &by_id(k, "0001-a")->superseded_by, "+"), STR("0002-b"), "adr-tools, by its link");
	is_str(by_id(k, "0002-b")->supersedes, STR("0001-a"), "and the other side");
	is_str(str_join(a, &by_id(k, "0003-c")->superseded_by, "+"), STR("0004-d"), "MADR, by its number");
	is_str(by_id(k, "0004-d")->supersedes, STR("0003-c"), "and the other side, which said nothing");
	is_str(str_join(a, &by_id(k, "0005-e")->superseded_by, "+"), STR("0004-d"), "a link with a path");
	is_str(by_id(k, "0006-f")->supersedes, STR("0007-g"), "by number, to the older one");
	is_str(str_join(a, &by_id(k, "0007-g")->superseded_by, "+"), STR("0006-f"), "which knows it now");
	is_str(str_join(a, &by_id(k, "0008-h")->superseded_by, "+"), STR("ADR-0099+0004-d+0002-b"),
	       "several, one of which is not here");
	is_str(str_join(a, &by_id(k, "log4j2")->superseded_by, "+"), STR("0002-b+gone"), "a list of ids");
	is_str(str_join(a, &by_id(k, "0009-i")->superseded_by, "+"), STR("0004-d2"),
	       "of one number, the item in the same folder");
	is_str(only_note(k),
	       STR("warning 0: '0006-f' supersedes it, but its own status is accepted\n"
		   "warning 0: it is superseded by 'ADR-0099', which is not here\n"
		   "warning 0: it is superseded by 'gone', which is not here"),
	       "what does not fit is told");
}

static void layers(void)
{
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
	};
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);

	ok(!knowledge_is_active(k, knowledge_find(k, STR("a"), KN_LAYER_COMPANY)), "overridden");
	ok(knowledge_is_active(k, knowledge_find(k, STR("a"), KN_LAYER_TEAM)), "by this");
	ok(knowledge_is_active(k, knowledge_find(k, STR("b"), KN_LAYER_COMPANY)), "may not be overridden");
	ok(knowledge_is_active(k, knowledge_find(k, STR("c"), KN_LAYER_COMPANY)),
	   "a rejected item overrides nothing");
	ok(!knowledge_is_active(k, knowledge_find(k, STR("c"), KN_LAYER_ORG)), "nor is it active");
	ok(knowledge_is_active(k, knowledge_find(k, STR("d"), -1)), "proposed ones inform");
	is_int(knowledge_find(k, STR("a"), -1)->layer, KN_LAYER_TEAM, "the most specific is found");
	ok(!knowledge_find(k, STR("a"), KN_LAYER_PROJECT) && !knowledge_find(k, STR("z"), -1) &&
		   !knowledge_find(k, STR(""), -1),
	   "what is not there is not found");
	is_str(only_note(k), STR("warning 0: its id 'a' is also that of docs/adr/company/adrs/a.md"),
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
	return buf_str(&b);
}

#define ALL .type = -1, .layer = -1, .statuses = ~0u
#define ASK(text) ((struct knowledge_filter){ALL, .query = STR(text)})

static void queries(void)
{
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
	struct knowledge *k = load(files, ARRAY_SIZE(files), KN_TYPE_ADR);
	struct knowledge_filter f = {ALL};

	is_str(found(k, f), STR("adr-042-database-selection cache logging \xe6\x97\xa5"),
	       "without a query by id, the most specific of one id");
	is_str(found(k, ASK("database selection")), STR("adr-042-database-selection cache"),
	       "the seed's example first");
	is_str(found(k, ASK("Which databases did we select?")), STR("adr-042-database-selection cache"),
	       "a question finds the same");
	is_str(found(k, ASK("use of PostgreSQL")), STR("adr-042-database-selection"), "stop words are dropped");
	is_str(found(k, ASK("are we")), STR("cache"), "unless there is nothing else");
	is_str(found(k, ASK("cached policy")), STR("cache"), "stems meet");
	is_str(found(k, ASK("\xc3\xbc" "BER")), STR("cache"), "case of other letters");
	is_str(found(k, ASK("ADR 42")), STR("adr-042-database-selection"), "numbers without zeros");
	is_str(found(k, ASK("\xe8\xa8\xad\xe5\xae\x9a")), STR("\xe6\x97\xa5"), "a pair of characters");
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

static void words(void)
{
	is_int(kn_word(kn_types, STR("SPEC")), KN_TYPE_SPEC, "words ignore case");
	is_int(kn_word(kn_layers, STR("user")), -1, "an unknown word");
	is_int(kn_word(kn_statuses, STR("")), -1, "no word");
	is_str(kn_choices(a, kn_severities), STR("info, warn, block"), "lists are printed");
}

int main(void)
{
	a = arena_new();
	words();
	names();
	full();
	broken();
	broken_front();
	much();
	statuses();
	dates();
	bodies();
	sources();
	superseding();
	layers();
	queries();
	arena_free(a);
	return tap_done();
}
