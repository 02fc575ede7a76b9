/* The waiver file, the comment ikm:allow, and what each of them waives. */
#include "check.h"
#include "waive/waive.h"

#define TODAY 20000 /* 2024-10-04 */

static struct str problems_text(struct arena *a, const struct waivers *w, size_t *n)
{
	struct buf b = buf_in(a);

	for (size_t i = *n = 0; i < w->n; i++)
		if (w->p[i].problem.n)
			buf_fmt(&b, "%zu: %.*s\n", w->p[i].line, STR_ARG(w->p[i].problem));
		else
			++*n;
	return b.n ? buf_as_str(&b) : STR("");
}

#define ENTRY(item, paths, more)                                                                   \
	"- item: " item "\n  paths: " paths "\n  reason: why\n  owner: Ada\n" more
#define END "  expires: 2024-12-31\n"

static const struct {
	const char *what, *text;
	size_t n;
	const char *problems;
} files[] = {
	{"an empty file", "", 0, ""},
	{"comments only", "# none\n", 0, ""},
	{"one waiver", ENTRY("a", "x/", END), 1, ""},
	{"several paths, a number, texts",
	 ENTRY("7", "[x, 'y/**']", END) "  constraint: 2\n  found: mysql2\n", 1, ""},
	{"a wrong one beside a right one", ENTRY("a", "x", "") ENTRY("b", "x", END), 1,
	 "1: expires is missing: the last day, in UTC\n"},
	{"an unknown member", ENTRY("a", "x", END) "  until: x\n", 0,
	 "6: a waiver has no member 'until'; allowed: item, constraint, paths, found, reason, "
	 "owner, expires\n"},
	{"a date that does not exist", ENTRY("a", "x", "  expires: 2024-11-31\n"), 0,
	 "5: 'expires' is '2024-11-31', not a date such as 2026-12-31\n"},
	{"a time", ENTRY("a", "x", "  expires: 2024-11-30T00:00:00Z\n"), 0,
	 "5: 'expires' is '2024-11-30T00:00:00Z', not a date such as 2026-12-31\n"},
	{"366 days", ENTRY("a", "x", "  expires: 2025-10-05\n"), 1, ""},
	{"367 days", ENTRY("a", "x", "  expires: 2025-10-06\n"), 0,
	 "5: 'expires' is 367 days ahead; a waiver may last 366 days from today\n"},
	{"an end in the past", ENTRY("a", "x", "  expires: 2020-01-01\n"), 1, ""},
	{"no path", ENTRY("a", "[]", END), 0, "2: paths has 0 members; allowed: 1 to 4096\n"},
	{"an empty path", ENTRY("a", "''", END), 0, "2: paths has 0 bytes; allowed: 1 to 4096\n"},
	{"all but a path", ENTRY("a", "['!x']", END), 0,
	 "2: 'paths' must begin with a glob that includes files, not with '!'\n"},
	{"constraint 0", ENTRY("a", "x", END) "  constraint: 0\n", 0,
	 "6: constraint is 0; allowed: 1 to 2147483647\n"},
	{"no list", "item: a\n", 0,
	 "1: the file must be a list of waivers, each beginning with '- item:', not an object\n"},
	{"a text in the list", "- a\n", 0, "1: a waiver must be an object, not a string\n"},
	{"no YAML", "- item: a\n  paths: [x\n  b: c\n", 0, NULL},
};

static void reads(void)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct waivers w = {0};
		struct str text;
		size_t n;

		waivers_read_yaml(a, str_of(files[i].text), TODAY, false, &w);
		text = problems_text(a, &w, &n);
		if (files[i].problems)
			is_str(text, str_of(files[i].problems), files[i].what);
		else
			ok(w.n == 1 && w.p[0].line == 3, "%s: %.*s", files[i].what, STR_ARG(text));
		is_int((long long)n, (long long)files[i].n, files[i].what);
	}
	arena_free(a);
}

/* ---- the comment ---- */

static const struct {
	const char *path, *text, *want;
} comments[] = {
	{"a.c", "x(); // ikm:allow a until 2024-12-31: why\n", "1 a 'x();' Dec: why"},
	{"a.c", "// ikm:allow a#2 until 2024-12-31 by Ada L.: why: so\nx();\n",
	 "1,2 a#2 'x();' Dec by Ada L.: why: so"},
	{"a.c", "// ikm:allow a until 2024-12-31 why\nx();\n", "1,2 a 'x();' Dec: why"},
	{"a.c", "/*\n * ikm:allow a until 2024-12-31: why\n */\nx();\n", "2,4 a 'x();' Dec: why"},
	{"a.c", "// ikm:allow a until 2024-12-31: 1\n// ikm:allow b until 2024-12-31: 2\nx();\n",
	 "1,3 a 'x();' Dec: 1\n2,3 b 'x();' Dec: 2"},
	{"a.c", "// ikm:allow a until 2024-12-31: why\n\nx();\n", "1,2 a '' Dec: why"},
	{"a.c", "x(); /* ikm:allow a until 2024-12-31: why */ y();\n", "1 a 'x(); y();' Dec: why"},
	{"a.html", "<!-- ikm:allow a until 2024-12-31: why -->\r\n<p>\r\n", "1,2 a '<p>' Dec: why"},
	{"a.c", "// see ikm:allow\n// ikm:allowed a\n", ""},
	{"a.c", "// ikm:allow\n", "1 broken"},
	{"a.c", "// ikm:allow a: why\n", "1 broken"},
	{"a.c", "// ikm:allow a until never: why\n", "1 broken"},
	{"a.c", "// ikm:allow a until 2024-12-31:\n", "1 broken"},
	{"a.c", "// ikm:allow a until 2024-12-31 by Ada\n", "1 broken"},
	{"a.c", "// ikm:allow a# until 2024-12-31: x\n", "1 broken"},
	{"a.c", "// ikm:allow a#0 until 2024-12-31: x\n", "1 broken"},
	{"a.c", "// ikm:allow a until 2026-12-31: x\n", "1 broken"},
	{"a.lua", "--[==[ ikm:allow a until 2024-12-31: why ]==]\nx()\n", "1,2 a 'x()' Dec: why"},
	{"a.cmake", "x() #[[ ikm:allow a until 2024-12-31: why ]] y()\n", "1 a 'x() y()' Dec: why"},
	{"a.lua", "--[[ ikm:allow a until 2024-12-31: why\n",
	 "1 broken: line 1: the comment that begins here does not end"},
	{"a.ini", "[a]\nb = c ; ikm:allow a until 2024-12-31: why\n",
	 "2 broken: line 2: ikm knows comments of such a file at the start of a line only"},
	{"a.json", "{\"a\": \"ikm:allow a until 2024-12-31: x\"}\n", "1 broken"},
	{"a.txt", "the word ikm:allow is told\n", ""},
	/* What stands in a part that ikm cannot read is told, also before one that counts. */
	{"a.vue",
	 "<script>\na = `\n// ikm:allow a until 2024-12-31: x\n</script>\n<p></p>\n"
	 "<!-- ikm:allow b until 2024-12-31: why -->\n<p>\n",
	 "3 broken: line 2: the template that begins here does not end\n6,7 b '<p>' Dec: why"},
	{"a.ipynb",
	 "{\"cells\": [\n{\"cell_type\": \"code\", \"source\": [\n\"'''\\n\",\n"
	 "\"# ikm:allow a until 2024-12-31: x\"]},\n{\"cell_type\": \"code\", \"source\": [\n"
	 "\"# ikm:allow b until 2024-12-31: why\"]}]}",
	 "4 broken: line 3: the string that begins here does not end\n"
	 "6 b '\" \"]}]}' Dec: why"},
	{"a.c",
	 "// ikm:allow b until 2024-12-31: why\n\"x\n// ikm:allow c until 2024-12-31: why\n\n",
	 "1,2 b '\"x' Dec: why\n3,4 c '' Dec: why"},
};

static void allows(void)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(comments); i++) {
		struct buf b = buf_in(a);
		struct allows list;

		allows_read_comments(a, str_of(comments[i].path), str_of(comments[i].text), TODAY,
				     &list);
		for (size_t k = 0; k < list.n; k++) {
			const struct allow *x = &list.p[k];

			buf_fmt(&b, "%s%zu", k ? "\n" : "", x->w.line);
			if (x->w.problem.n) {
				buf_fmt(&b, " broken%.*s",
					STR_ARG(str_sub(x->w.problem,
							str_find(x->w.problem, STR(": line"), 0),
							str_find_char(x->w.problem, ';', 0))));
				continue;
			}
			if (x->next)
				buf_fmt(&b, ",%zu", x->next);
			buf_fmt(&b, " %.*s", STR_ARG(x->w.item));
			if (x->w.constraint)
				buf_fmt(&b, "#%d", (int)x->w.constraint);
			buf_fmt(&b, " '%.*s' %s", STR_ARG(x->covered),
				str_is(x->w.expires, "2024-12-31") ? "Dec" : "?");
			if (x->w.owner.n)
				buf_fmt(&b, " by %.*s", STR_ARG(x->w.owner));
			buf_fmt(&b, ": %.*s", STR_ARG(x->w.reason));
		}
		is_str(b.n ? buf_as_str(&b) : STR(""), str_of(comments[i].want), comments[i].text);
	}
	arena_free(a);
}

/* ---- adding ---- */

static void adds(void)
{
	static const struct {
		const char *text, *want; /* want NULL: it is refused */
	} cases[] = {
		{"# mine\n", "# mine\n- item: \"a b:\"\n  paths: [\"x/\", \"*.c\"]\n"
			     "  reason: \"it's: \\\"so\\\" # yes\"\n  owner: Ada\n"
			     "  expires: 2024-12-31\n"},
		{"- {item: 1, paths: x, reason: r, owner: o, expires: 2024-12-31}",
		 "- {item: 1, paths: x, reason: r, owner: o, expires: 2024-12-31}\n"
		 "- item: \"a b:\"\n  paths: [\"x/\", \"*.c\"]\n"
		 "  reason: \"it's: \\\"so\\\" # yes\"\n  owner: Ada\n  expires: 2024-12-31\n"},
		{"  - item: 1 # one\r\n    paths: x\r\n    reason: r\r\n    owner: o\r\n"
		 "    expires: 2024-12-31\r\n\r\n# end\r\n",
		 "  - item: 1 # one\r\n    paths: x\r\n    reason: r\r\n    owner: o\r\n"
		 "    expires: 2024-12-31\r\n\r\n# end\r\n"
		 "  - item: \"a b:\"\r\n    paths: [\"x/\", \"*.c\"]\r\n"
		 "    reason: \"it's: \\\"so\\\" # yes\"\r\n    owner: Ada\r\n"
		 "    expires: 2024-12-31\r\n"},
		{"[]\n", NULL},
		{"[{item: 1, paths: x, reason: r, owner: o, expires: 2024-12-31}]\n", NULL},
		{"- item: 1\n  paths: x\n  reason: r\n  owner: o\n  expires: 2024-12-31\n...\n",
		 NULL},
		{"- item: 1\n", NULL},
		{"a: b\n", NULL},
	};
	struct arena *a = arena_new();
	struct waiver w = {.item = STR("a b:"),
			   .reason = STR("it's: \"so\" # yes"),
			   .owner = STR("Ada"),
			   .expires = STR("2024-12-31")};

	strs_push(a, &w.paths, STR("x/"));
	strs_push(a, &w.paths, STR("*.c"));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str out = {0};
		struct err *e = waivers_yaml_add(a, str_of(cases[i].text), &w, TODAY, &out);

		if (!cases[i].want)
			fails(e, E_BAD_YAML, cases[i].text);
		else if (works(e, "an entry is added"))
			is_str(out, str_of(cases[i].want), "all other bytes stay");
	}
	arena_free(a);
}

/* ---- judging ---- */

#define UNTIL "until 2024-12-31: why"

static struct waiver *waiver(struct arena *a, struct waivers *list, const char *item,
			     const char *paths, const char *end)
{
	struct waiver *w = VEC_PUSH(a, list);

	*w = (struct waiver){.item = str_of(item), .file = STR(WAIVE_FILE), .line = list->n};
	w->paths = words(a, paths);
	w->expires = str_of(end);
	if (!waive_day_read(w->expires, &w->ends) || globs_new(a, &w->paths, &w->globs))
		BUG("a wrong waiver");
	w->everywhere = globs_match(&w->globs, STR("\1/\1"));
	strs_push(a, &w->ids, w->item);
	return w;
}

static struct check_report judge(struct arena *a, const struct con *c, const struct file *base,
				 const struct file *now, struct check_waive k)
{
	k.today = TODAY;
	return run(a, (struct check_input){.now = tree_of(a, "now", now),
					   .base = base ? tree_of(a, "base", base) : NULL,
					   .rules = knowledge_of(a, c),
					   .complete = true,
					   .waive = k});
}

static void counts(struct check_report r, unsigned block, unsigned waived, const char *what)
{
	ok(r.block == block && r.waived_count == waived && r.waived.n == waived,
	   "%s: %u block, %u waived", what, r.block, r.waived_count);
}

static void files_waive(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {DEP(MUST_NOT_USE, "mysql.*"), B}, {0}};
	struct file now[] = {F("old/a.js", "eval(1)"),
			     F("a.js", "eval(2)"),
			     F("old/package.json", PKG("\"mysql\": \"1\", \"mysql2\": \"1\"")),
			     {0}};
	struct check_waive k = {0};
	struct waiver *w = waiver(a, &k.now, "adr", "old", "2024-10-04");
	struct check_report r = judge(a, c, NULL, now, k);

	counts(r, 1, 3, "on its last day it counts, below its path");
	is_str(r.waived.p[0].waiver->expires, STR("2024-10-04"), "the finding names it");
	w->constraint = 2;
	counts(judge(a, c, NULL, now, k), 2, 2, "one rule of the item");
	w->found = words(a, "mysql2");
	counts(judge(a, c, NULL, now, k), 3, 1, "one package");
	w->found = (struct strs){0};
	w->ends--;
	r = judge(a, c, NULL, now, k);
	counts(r, 4, 0, "the day after it has ended");
	ok(str_ends(r.violations.p[3].message,
		    STR("(the exception at .ikm/waivers.yaml:1 ended on 2024-10-04)")),
	   "and the finding says so: %.*s", STR_ARG(r.violations.p[3].message));
	w->ends++;
	strs_push(a, &w->ids, STR("other"));
	w->ids.p[0] = STR("other");
	counts(judge(a, c, NULL, now, k), 4, 0, "another item's");
	arena_free(a);
}

static void presence_waived(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{PATH(MUST_EXIST, "LICENSE"), B}, {0}};
	struct file now[] = {F("a.js", ""), {0}};
	struct check_waive k = {0};
	struct waiver *w = waiver(a, &k.now, "adr", "a.js", "2024-12-31");

	counts(judge(a, c, NULL, now, k), 1, 0, "a finding without a file is below no path");
	w->paths = words(a, "*");
	works(globs_new(a, &w->paths, &w->globs), "a glob");
	w->everywhere = true;
	counts(judge(a, c, NULL, now, k), 0, 1, "\"*\" is everything");
	arena_free(a);
}

static void not_waivable(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct file now[] = {F("a.js", "eval(1) // ikm:allow adr " UNTIL), {0}};
	struct knowledge *k = knowledge_of(a, c);
	struct check_report r;

	k->items.p[0].constraints[0].waivable = false;
	r = run(a, (struct check_input){
			   .now = tree_of(a, "now", now), .rules = k, .waive = {.today = TODAY}});
	counts(r, 1, 0, "a rule that says waivable: false");
	ok(str_ends(r.violations.p[0].message,
		    STR("(this rule cannot be waived, so a.js:1 does not count)")),
	   "and the finding says so");
	arena_free(a);
}

static void comments_waive(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {0}};
	struct check_waive new = {.has_base = true, .tells = true, .asks = "ask"};
	struct file old[] = {F("a.js", "eval(1) // ikm:allow adr " UNTIL), {0}};
	struct file none[] = {F("a.js", ""), {0}};
	struct file moved[] = {F("b.js", "x\n\neval(1) // ikm:allow adr until 2024-12-30: other"),
			       {0}};
	struct file copied[] = {
		F("a.js", "eval(1) // ikm:allow adr " UNTIL "\neval(1) // ikm:allow adr " UNTIL),
		{0}};
	struct file longer[] = {
		F("a.js", "eval(1)\neval(1) // ikm:allow adr until 2025-01-01: why"), {0}};
	struct file many[] = {F("a.js", ""), {0}};
	struct buf b = buf_in(a);
	struct check_report r;

	counts(judge(a, c, NULL, old, (struct check_waive){0}), 0, 1, "without a base");
	r = judge(a, c, none, old, new);
	counts(r, 1, 0, "a new one, where new ones do not count");
	ok(str_ends(r.violations.p[0].message,
		    STR("(the exception at a.js:1 is new and does not count: ask)")),
	   "and the finding says so");
	new.trusts = true;
	r = judge(a, c, none, old, new);
	counts(r, 0, 1, "a new one, where new ones count");
	ok(r.notes.n == 1 && r.notes.p[0].kind == CHECK_WAIVER && r.notes.p[0].line == 1 &&
		   str_is(r.notes.p[0].path, "a.js"),
	   "and it is told on its line");
	new.trusts = false;
	counts(judge(a, c, old, moved, new), 1, 0, "another file's, without a rename");
	r = judge(a, c, old, copied, new);
	ok(r.block == 1 && r.existing == 1, "a copy of an allowed line is a new exception: %u, %u",
	   r.block, r.existing);
	counts(judge(a, c, none, copied, new), 2, 0, "two new ones");
	r = judge(a, c, old, longer, new);
	ok(r.block == 1 && r.existing == 1, "a later end is a new exception");
	for (int i = 0; i < 250; i++)
		buf_puts(&b, "eval(1) // ikm:allow adr " UNTIL "\n");
	buf_puts(&b, "eval(2)\n");
	many[0].text = buf_as_cstr(&b);
	r = judge(a, c, NULL, many, (struct check_waive){0});
	ok(r.block == 1 && r.waived_count == 250 && r.waived.n == 100 &&
		   r.violations.p[0].line == 251,
	   "what is behind many waived findings is found");
	arena_free(a);
}

static void told(void)
{
	struct arena *a = arena_new();
	struct con c[] = {{CODE(MUST_NOT_USE, "eval"), B}, {DEP(MUST_NOT_USE, "x"), INFO}, {0}};
	struct file now[] = {F("a.js", "// ikm:allow adr " UNTIL "\n// ikm:allow nix " UNTIL
				       "\n// ikm:allow adr\neval(1)"),
			     {0}};
	struct check_waive k = {.audits = true};
	struct buf b = buf_in(a);
	struct check_report r;

	waiver(a, &k.now, "adr", "b.js", "2024-10-18");
	waiver(a, &k.now, "adr", "a.js", "2024-10-18");
	waiver(a, &k.now, "adr", "a.js", "2024-10-19");
	waiver(a, &k.now, "adr", "b.js", "2024-10-01");
	waiver(a, &k.now, "nix", "b.js", "2024-10-19")->unknown = STR("no 'nix'");
	r = judge(a, c, NULL, now, k);
	for (size_t i = 0; i < r.notes.n; i++)
		buf_fmt(&b, "%.*s:%zu %.*s\n", STR_ARG(r.notes.p[i].path), r.notes.p[i].line,
			STR_ARG(r.notes.p[i].message));
	is_str(buf_as_str(&b),
	       STR(".ikm/waivers.yaml:1 this exception for adr matches nothing: remove it, or "
		   "correct it\n"
		   ".ikm/waivers.yaml:2 this exception for adr is not needed: what it covers is "
		   "waived by another one, until the same day or longer; remove it\n"
		   ".ikm/waivers.yaml:3 this exception for adr is not needed: what it covers is "
		   "waived by another one, until the same day or longer; remove it\n"
		   ".ikm/waivers.yaml:4 this exception ended on 2024-10-01 and matches nothing: "
		   "remove it\n"
		   ".ikm/waivers.yaml:5 this exception waives nothing: no 'nix'\n"
		   "a.js:2 this exception waives nothing: Knowledge item 'nix' not found\n"
		   "a.js:3 this ikm:allow does not count: 'until' and the end are missing; write "
		   "'ikm:allow ITEM until YYYY-MM-DD: reason'\n"),
	       "what matches nothing, ends or is wrong is told");
	arena_free(a);
}

int main(void)
{
	reads();
	allows();
	adds();
	files_waive();
	presence_waived();
	not_waivable();
	comments_waive();
	told();
	return tap_done();
}
