#include "tap.h"
#include "knowledge/read.h"
#include "notes.h"

static struct arena *a;
static const struct kn_source source = {.layer = KN_LAYER_PROJECT, .name = STR_INIT("docs/adr/")};

/* The item of a file, with all notes in *k. */
static const struct kn_item *read(const char *path, const char *text, struct knowledge *k)
{
	bool is_item;

	*k = (struct knowledge){0};
	works(knowledge_parse_item(a, &source, str_of(path), KN_LAYER_PROJECT, STR(""), KN_TYPE_ADR,
				   str_of(text), k, &is_item),
	      path);
	return is_item ? &k->items.p[0] : NULL;
}

static void names(void)
{
	/* clang-format off */
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
		{"adr000-template.md", false}, {"ADR-000-template.md", false},
		{"adr_0000_template.md", false}, {"template-adr000.md", false},
		{"adrtemplate.md", false},     {"NNNN-title-template.md", false},
		{"YYYY-MM-DD-template.md", false}, {"adr-template-2.md", false},
		{"templates/adr000.md", false}, {"template/NNNN-title.md", false},
		{"templates/use-postgres.md", true}, {"adr000.md", true},
		{"adr000-use-template.md", true},
	};
	/* clang-format on */
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

	is_str(notes_of(a, &k),
	       STR("warning 3: type is policy, but its folder says adr\n"
		   "warning 4: layer is org, but its folder says project"),
	       "the folder wins, and it is said");
	is_str(i->title, STR("Database \xe2\x9c\x85"), "title");
	is_str(i->summary, STR("Use Postgres"), "summary");
	is_int(i->status, KN_STATUS_ACCEPTED, "status");
	is_str(i->status_text, STR("Approved"), "as written");
	is_int(i->severity, KN_SEVERITY_BLOCK, "severity");
	is_str(str_join(a, &i->tags, "+"), STR("db+12+infra"), "tags");
	ok(val_get(i->metadata, "authors") && val_get(i->metadata, "deciders") &&
		   i->metadata->n == 2,
	   "metadata, and what other tools write");
	is_str(i->created_at, STR("2024-01-02T10:20:00Z"), "a date-time");
	is_str(i->updated_at, STR("2024-04-03"), "a date");
	is_str(i->version, STR("1.10"), "a version keeps its text");
	is_str(str_join(a, &i->supersedes, "+"), STR("adr-001"), "supersedes");
	ok(i->overridable && i->type == KN_TYPE_ADR && i->layer == KN_LAYER_PROJECT, "the rest");
	is_str(i->content, STR("# Other title\r\n"), "the content has no frontmatter");
	is_int((long long)i->constraints_n, 2, "both constraints");
	ok(c[0].op == KN_OP_MUST_NOT_USE && c[0].target == KN_TARGET_DEPENDENCY &&
		   c[0].index == 1 && c[0].severity == KN_SEVERITY_BLOCK && c[0].waivable &&
		   c[0].re && !c[0].glob,
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
	/* clang-format off */
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
		 "must_not_use, must_match, must_not_match, must_exist, must_not_exist, "
		 "must_not_shrink, must_change_together", 0},
		{"---\nconstraints:\n  - operator: must_not_shrink\n    target: import\n    pattern: x\n---\n",
		 "broken 3: constraint 1: must_not_shrink is for targets code and file", 0},
		{"---\nconstraints:\n  - operator: MUST_USE\n    target: code\n    pattern: x\n---\n",
		 "broken 3: constraint 1: operator 'MUST_USE' is unknown; allowed: must_use, "
		 "must_not_use, must_match, must_not_match, must_exist, must_not_exist, "
		 "must_not_shrink, must_change_together", 0},
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
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, appliesTo: []}\n---\n",
		 "", 1},
		{"---\nconstraints:\n  - {operator: must_use, target: code, pattern: x, "
		 "appliesTo: ['']}\n---\n",
		 "broken 3: constraint 1: 'appliesTo' is empty", 0},
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
		{"---\nid: y\n---\n", "", 0},
		{"---\nid: a b\n---\n",
		 "warning 2: id 'a b' is not valid, so the file's name 'x' is the id: an id is one "
		 "word ", 0},
		{"---\ndate: 2019-02-30\n---\n",
		 "warning 2: date '2019-02-30' is not understood: write it as 2019-01-31", 0},
		/* The section. */
		{"# T\n\n## Constraints\n\n```yaml\n- " "operator: must_use\n  target: code\n  pattern: '['\n"
		 "```\n", "broken 8: constraint 1: pattern '[': ", 0},
		{"---\na: b\n---\n# T\n\n## constraints:\n\n~~~YML\nconstraints:\n- {operator: must_use, "
		 "target: file, pattern: a}\n~~~\n### More\n\n```yaml x\n- {operator: must_match, target: "
		 "file, pattern: '\\.c$'}\n```\n## End\n```yaml\nnot: ours\n```\n", "", 2},
		{"# T\n\n## Constraints\n\n```yaml\n" RULE "```\n", "", 1},
		{"# T\n\n## Constraints\n\n```yaml\na: [\n```\n", "", 0},
		{"# T\n\n## Constraints\n\n```yaml\n- {operator: must_use, a: [\n```\n",
		 "broken 7: the constraints block is not valid YAML: column 1: ", -1},
		{"# T\n\n## Constraints\n\n```json\n{\"a\": 1}\n```\n\n```\ntext\n```\n\n"
		 "```yaml\nreplicas: 3\nmatchExpressions:\n- {key: a, operator: In, values: [b]}\n"
		 "```\n\n```yaml\n- {key: target, operator: Exists}\n```\n", "", 0},
		{"# T\n\n## Constraints\n\n```json\n[{\"operator\": \"must_use\", \"target\": \"code\", "
		 "\"pattern\": \"x\"}]\n```\n",
		 "warning 5: this block looks like rules and is not read: begin it with ```yaml", 0},
		{"# T\n\n## Constraints\n\n```yaml\nconstraints:\n- {operater: must_use}\n```\n",
		 "warning 5: this block has no rule with an 'operator', so it enforces nothing", 0},
		{"# T\n\n## Rules\n\n```yaml\n- {operator: must_use, target: code, pattern: x}\n```\n",
		 "warning 5: the rules in this block are not read: put them into the front matter, or "
		 "into ```yaml below '## Constraints'", 0},
		{"# Constraints\n\n```yaml\n- {operator: must_use, target: code, pattern: x}\n```\n",
		 "warning 1: the section 'Constraints' is not read: did you mean '## Constraints'?", 0},
		{"# T\n\n## Constraints\n\n- x\n\n  ```yaml\n  - 1\n  - {operator: must_use, target: file, "
		 "pattern: a}\n  - a: [\n  ```\n",
		 "broken 11: the constraints block is not valid YAML: column 1: ", -1},
		{"# T\n\n## Constraints\n\n- x\n\n  ```yaml\n  - {operator: must_use, target: file, "
		 "pattern: a}\n  - 1\n  ```\n",
		 "broken 9: constraint 2: it must be a mapping with operator, target and pattern, not a "
		 "number", 1},
		{"# T\n\n## Constraints\n\nMust run on Linux.\n",
		 "", 0},
		{"# T\n\n### Constraints\n\nMust run on Linux.\n", "", 0},
		{"# T\n\n## Constraints\n\n```\n- operator: must_use\n```\n",
		 "warning 5: this block looks like rules and is not read: begin it with ```yaml", 0},
		{"# T\n\n## Constraints\n\n- operator: must_use\n",
		 "broken 5: these rules are not read: the block that has them must begin with ```yaml", 0},
		{"# T\n\n## Constrains\n\n```yaml\n- operator: must_use\n```\n",
		 "warning 3: the section 'Constrains' is not read: did you mean '## Constraints'?", 0},
		{"# T\n\n    ## Constraints\n\n> ## Constraints\n>\n> ```yaml\n> - x\n> ```\n", "", 0},
		/* Bytes. */
		{"# T\xff\n", "warning 1: the file is not UTF-8 here: the invalid bytes are replaced", 0},
		{"\xff\xfe-", "broken 0: the file is UTF-16: save it as UTF-8", 0},
		{"---\na: \xff\n---\n",
		 "warning 2: the file is not UTF-8 here: the invalid bytes are replaced\n"
		 "broken 2: the frontmatter is not valid YAML: column 4: this byte is not UTF-8", 0},
	};
	/* clang-format on */

	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		struct knowledge k;
		const struct kn_item *i = read("x.md", rows[n].text, &k);
		struct str notes = notes_of(a, &k), want = str_of(rows[n].notes);

		/* A row that ends in a blank does not compare the rest, which a library writes. */
		if (str_ends(want, STR(" ")))
			notes = str_sub(notes, 0, want.n);
		is_str(notes, want, str_fmt(a, "notes of row %zu", n).p);
		if (rows[n].constraints >= 0)
			is_int((long long)i->constraints_n, rows[n].constraints,
			       "constraints left");
	}
}

/* ---- front matter that is not where it belongs ---- */

#define LIST    "constraints:\n  - {operator: must_use, target: code, pattern: x}\n"
#define MEMBERS "status: accepted\n" LIST

static void misplaced(void)
{
	/* clang-format off */
	static const struct {
		const char *what, *text, *notes;
		int constraints;
	} rows[] = {
		{"blank lines before it", "\n \t\n---\n" MEMBERS "---\n# T\n", "", 1},
		{"a comment before it",
		 "<!-- SPDX-License-Identifier: MIT -->\n---\n" MEMBERS "---\n# T\n", "", 1},
		{"comments of several lines", "\n<!--\nLicence\n-->\n<!-- b -->\n\n---\n" MEMBERS "---\n", "",
		 1},
		{"a comment that Markdown hides", "[//]: # (licence)\n\n---\n" MEMBERS "---\n", "", 1},
		{"BOM", "\xef\xbb\xbf---\n" MEMBERS "---\n", "", 1},
		{"BOM and a blank line", "\xef\xbb\xbf\n---\n" MEMBERS "---\n", "", 1},
		{"a BOM behind a comment", "<!-- a -->\n\xef\xbb\xbf---\n" MEMBERS "---\n", "", 1},
		{"a line of nothing to be seen", "\xc2\xa0\xe2\x80\x8b\n---\n" MEMBERS "---\n", "", 1},
		{"blanks behind the fence", "---  \t\n" MEMBERS "--- \n", "", 1},
		{"CR as line end", "---\rstatus: accepted\rconstraints:\r  - operator: must_use\r    target: "
		 "code\r    pattern: x\r---\r# T\r", "", 1},
		{"CR in some lines", "---\rstatus: accepted\r\n" LIST "---\n# T\n", "", 1},
		{"TOML", "+++\nstatus = 'accepted'\n[[constraints]]\noperator = 'must_use'\n+++\n# T\n",
		 "broken 1: its front matter is TOML (+++): write it as YAML between lines of '---'", 0},
		{"TOML without an end", "\n+++\nstatus: accepted\n[[constraints]]\n",
		 "broken 2: its front matter is TOML (+++): write it as YAML between lines of '---'", 0},
		{"TOML without rules", "+++\ntitle = 'x'\n+++\n# T\n",
		 "warning 1: its front matter is TOML (+++): write it as YAML between lines of '---'", 0},
		{"a fence of four", "----\n" MEMBERS "----\n# T\n",
		 "broken 4: its front matter must begin on line 1, with a line that is '---'", 0},
		{"a fence with a word", "---yaml\n" MEMBERS "---\n# T\n",
		 "broken 4: its front matter must begin on line 1, with a line that is '---'", 0},
		{"an indented fence", " ---\n" MEMBERS " ---\n# T\n",
		 "broken 4: its front matter must begin on line 1, with a line that is '---'", 0},
		{"dashes that are none", "\xe2\x80\x94-\n" MEMBERS "---\n# T\n",
		 "broken 4: its front matter must begin on line 1, with a line that is '---'", 0},
		{"text before it", "Hello\n\n---\n" MEMBERS "---\n# T\n",
		 "broken 6: its front matter must begin on line 1, with a line that is '---'", 0},
		{"a title before it", "# T\n\n---\n" MEMBERS "---\n",
		 "broken 6: its front matter must begin on line 1, with a line that is '---'", 0},
		{"no fence at all", MEMBERS "\n# T\n",
		 "broken 3: its front matter must begin on line 1, with a line that is '---'", 0},
		{"a table", "| status | accepted |\n|---|---|\n| operator: must_use | pattern: x |\n",
		 "broken 3: its front matter must begin on line 1, with a line that is '---'", 0},
		{"JSON", "{\"status\": \"accepted\",\n \"constraints\": [{\"operator\": \"must_use\", "
		 "\"target\": \"code\"}]}\n\n# T\n",
		 "broken 2: its front matter must begin on line 1, with a line that is '---'", 0},
		{"a second document", "---\nstatus: accepted\n---\n" LIST "---\n# T\n",
		 "broken 5: these rules are not read: put them into the front matter, or into a block "
		 "```yaml below '## Constraints'", 0},
		{"an end that comes early", "---\nstatus: accepted\n...\n" LIST "---\n# T\n",
		 "broken 5: these rules are not read: put them into the front matter, or into a block "
		 "```yaml below '## Constraints'", 0},
		{"no end", "<!-- a -->\n---\n" MEMBERS "# T\n",
		 "broken 2: the frontmatter has no closing line '---'", 0},
		{"a tab", "---\nstatus: accepted\nconstraints:\n\t- {operator: must_use}\n---\n",
		 "broken 4: the frontmatter is not valid YAML: column 1: ", 0},
		{"YAML that is none, not on line 1", "\n---\nstatus: [accepted\n" LIST "---\n",
		 "broken 4: the frontmatter is not valid YAML: column ", 0},
		{"a code block", "```yaml\n---\n" MEMBERS "---\n```\n# T\n",
		 "warning 1: the rules in this block are not read: put them into the front matter, or "
		 "into ```yaml below '## Constraints'", 0},
		{"an indented block", "    ---\n    operator: must_use\n    ---\n# T\n",
		 "warning 1: the rules in this block are not read: put them into the front matter, or "
		 "into ```yaml below '## Constraints'", 0},
		{"a comment around it", "<!--\n---\n" MEMBERS "---\n-->\n# T\n",
		 "warning 5: the rules in this comment are not read, so they do not apply", 0},
		{"a merge key", "---\nstatus: accepted\n<<: {" "constraints: [{operator: must_use, target: code, "
		 "pattern: x}]}\n---\n",
		 "broken 3: the rules behind the merge key '<<' are not read: write them under "
		 "'constraints'", 0},
		{"another member", "---\nstatus: accepted\nrules:\n  - {operator: must_use, target: code}\n---\n",
		 "broken 3: the rules under 'rules' are not read: the member's name is 'constraints'", 0},
		{"a member of a member", "---\nstatus: accepted\nikm: {a: [{b: {operator: must_use, pattern: "
		 "x}}]}\n---\n",
		 "broken 3: the rules under 'ikm' are not read: the member's name is 'constraints'", 0},
		{"another member that an alias names",
		 "---\nstatus: accepted\nx: &r [{operator: must_use, target: code, pattern: x}]\n"
		 "constraints: *r\n---\n",
		 "warning 3: the rules under 'x' are not read: the member's name is 'constraints'", 1},
		{"UTF-16 without a mark", "-\0-\0-\0\n\0",
		 "broken 1: the file has NUL bytes, so it is no text: save it as UTF-8", 0},
		{"UTF-16, the other end first", "\xfe\xff\0-", "broken 0: the file is UTF-16: save it as UTF-8", 0},
		/* Texts with none of these defects. */
		{"a thematic break", "\n---\n\nText.\n\n---\n\nMore: text.\n", "", 0},
		{"a thematic break and a colon", "\n---\nNote: text.\n\n---\n", "", 0},
		{"a thematic break alone", "\n---\n# T\n", "", 0},
		{"prose about rules", "---\nstatus: accepted\n---\n# T\n\nWrite `operator: must_use` and "
		 "`pattern: x`.\nThe operator: must be licensed, in this pattern: a, b.\n", "", 0},
	};
	/* clang-format on */

	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		struct knowledge k = {0};
		bool is_item;
		size_t len = strlen(rows[n].text);
		struct str notes, want = str_of(rows[n].notes);
		const struct kn_item *i;

		if (str_starts(str_of(rows[n].what), STR("UTF-16")))
			len = 8 - 4 * (rows[n].text[0] == '\xfe');
		works(knowledge_parse_item(a, &source, STR("x.md"), KN_LAYER_PROJECT, STR(""),
					   KN_TYPE_ADR, (struct str){rows[n].text, len}, &k,
					   &is_item),
		      rows[n].what);
		i = &k.items.p[0];
		notes = notes_of(a, &k);
		if (str_ends(want, STR(" ")))
			notes = str_sub(notes, 0, want.n);
		is_str(notes, want, rows[n].what);
		is_int((long long)i->constraints_n, rows[n].constraints, rows[n].what);
		if (str_find(want, STR("its front matter"), 0) != SIZE_MAX)
			is_int(i->status, KN_STATUS_DRAFT, "it does not look accepted");
		is_int(i->broken, str_starts(want, STR("broken")), rows[n].what);
	}
}

static void broken_front(void)
{
	struct knowledge k;
	const struct kn_item *i = read("x.md",
				       "---\nstatus: [\n---\n# T\n\n## Status\n\nAccepted\n\n"
				       "## Constraints\n\n```yaml\n" RULE "```\n",
				       &k);

	is_str(i->title, STR("T"), "the body is read where the frontmatter is not");
	is_int(i->status, KN_STATUS_DRAFT, "but nothing is enforced on a guess");
	i = read("x.md",
		 "---\nstatus: accepted\nconstraints:\n  - "
		 "{operator: must_use, target: code, pattern: a}\n"
		 "  - {operator: must_use, target: code, pattern: '('}\n"
		 "  - {operator: must_use, target: code, pattern: b}\n---\n",
		 &k);
	ok(i->constraints_n == 2 && i->constraints[1].index == 3,
	   "what is right is enforced beside what is broken, under its own number");
	is_int((long long)k.notes.n, 1, "and that is told");
}

/* Input that would take quadratic time, or fill screens, is cut, and the report says so. */
static void much(void)
{
	struct buf b = buf_in(a);
	const struct kn_item *i;
	struct knowledge k;

	buf_puts(&b, "---\nconstraints:\n");
	for (int n = 0; n < 5000; n++)
		buf_puts(&b,
			 n < 200 ? "- 1\n" : "- {operator: must_use, target: file, pattern: a}\n");
	buf_puts(&b, "---\n");
	for (int n = 0; n < 5000; n++)
		buf_puts(&b, "Date: x\n\nSuperseded by ADR-1\n\n");
	i = read("x.md", buf_as_cstr(&b), &k);
	is_int((long long)i->constraints_n, 800, "a thousand constraints are read");
	is_int((long long)i->superseded_by.n, 20, "and twenty names");
	is_int((long long)k.notes.n, 102, "fifty notes of each kind, and that there are more");
	is_str(k.notes.p[50].message, STR("this file has more mistakes than are shown"), "said");
	b = buf_in(a);
	buf_puts(&b, "---\n");
	for (int n = 0; n < 50000; n++)
		buf_fmt(&b, "k%d: 1\n", n);
	buf_puts(&b, "metadata: {a: 1}\n---\n");
	i = read("x.md", buf_as_cstr(&b), &k);
	is_int((long long)i->metadata->n, 1, "thousands of foreign keys are not shown");
}

/* ---- status, dates ---- */

static void statuses(void)
{
	/* clang-format off */
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
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum kn_status status = KN_STATUS_DRAFT;
		bool partly, known = kn_status_parse(a, str_of(rows[i].text), &status, &partly);

		ok(known == (rows[i].status >= 0) && (!known || (int)status == rows[i].status) &&
			   partly == rows[i].partly,
		   "status '%s'", rows[i].text);
	}
}

static void dates(void)
{
	/* clang-format off */
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
	/* clang-format on */

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
	/* clang-format off */
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
		{"a template's line", "# T\n- Status: accepted\n- Superseded by: n/a\n- Superseded by:\n"
		 "- Superseded by: {ADR-x}\n- Supersedes: none\n", "accepted", "", ""},
		{"a line of metadata", "# T\n- Superseded by: ADR-7\n- Status: accepted\n", "superseded", "",
		 ""},
		{"a sentence", "# T\n\nSupersedes what we had.\n\n## Status\n\nAccepted\n", "accepted", "", ""},
		{"status word in line", "# T\n\n## Status\n\nStatus: Accepted\n", "accepted", "", ""},
	};
	/* clang-format on */
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
	is_str(str_join(a, &read("x.md", "# T\n- Tags: a, b c ,\n", &k)->tags, "+"), STR("a+b c"),
	       "tags");
	is_str(str_join(a, &read("x.md", "---\ntags: a b\n---\n", &k)->tags, "+"), STR("a+b"),
	       "tags in one string");
}

static void words(void)
{
	is_int(kn_word_index(kn_types, STR("SPEC")), KN_TYPE_SPEC, "words ignore case");
	is_int(kn_word_index(kn_layers, STR("user")), -1, "an unknown word");
	is_int(kn_word_index(kn_statuses, STR("")), -1, "no word");
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
	misplaced();
	much();
	statuses();
	dates();
	bodies();
	arena_free(a);
	return tap_done();
}
