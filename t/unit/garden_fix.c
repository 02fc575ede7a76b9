/*
 * lint --fix over many broken profiles: doing it again changes nothing, lint then finds no fault
 * that --fix mends, and the policy accepts what it accepted before. The faults are drawn from a
 * list with a fixed seed.
 */
#include "tap.h"
#include "garden/garden.h"
#include "garden/section_edit.h"

#define ROUNDS 500

static struct arena *a;
static uint64_t state = 0x9e3779b97f4a7c15u;

static size_t fix_random(size_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % below);
}

/* The offset where a random line of the text begins. */
static size_t fix_line_start(struct str text)
{
	size_t at = str_rfind_char(str_sub(text, 0, fix_random(text.n + 1)), '\n');

	return at == SIZE_MAX ? 0 : at + 1;
}

static struct str fix_spliced(struct str text, size_t from, size_t to, struct str new)
{
	return str_fmt(a, "%.*s%.*s%.*s", (int)from, text.p, STR_ARG(new),
		       STR_ARG(str_sub(text, to, text.n)));
}

/* One fault, such as people and their editors make. */
static struct str fix_break(struct str text)
{
	static const char *const lines[] = {
		"\n",
		" \n",
		"text \n",
		"text\r\n",
		"a\rb\n",
		"---\n",
		"===\n",
		"## \n",
		"##\n",
		"## needs\n",
		"##  Needs:\n",
		"## ROLE ##\n",
		"   ## concerns\n",
		"    ## code\n",
		"# Title\n",
		"Allies\n------\n",
		"```\n",
		"~~~\n",
		"<div>\n",
		"</div>\n",
		"<!--\n",
		"-->\n",
		"<!-- @anchor: needs v1 -->\n",
		"<!-- @anchor: zzz v1 -->\n",
		"<!-- @anchor: role v1 --> ## Fake\n",
		"[//]: # (anchor: allies v1)\n",
		"- 2026-01-31T12:00:00Z: x\n",
		"- item ev:1  \n",
		"> ## Needs\n",
		"- ## Needs\n",
		"\xc2\xa0\n",
		"\xef\xbb\xbf",
		"last_updated: soon \n",
		"id: p1 \n",
		"\\\n",
		"x  \ny\n",
		"## Evidence\n",
		"## Change log\n",
		"## [Needs](x)\n",
		"&#35; x\n",
		"\t\n",
	};
	size_t at = fix_line_start(text), next = str_find_char(text, '\n', at);
	struct str line;

	next = next == SIZE_MAX ? text.n : next + 1;
	line = str_sub(text, at, next);
	switch (fix_random(8)) {
	case 0: return fix_spliced(text, at, next, STR(""));
	case 1: return fix_spliced(text, at, at, line);
	case 2: return fix_spliced(text, next ? next - 1 : 0, next ? next - 1 : 0, STR("  "));
	case 3: return fix_spliced(text, next ? next - 1 : 0, next ? next - 1 : 0, STR("\r"));
	case 4: line = str_upper(a, line); return fix_spliced(text, at, next, line);
	case 5: return str_sub(text, 0, next - (next > 0));
	default: return fix_spliced(text, at, at, str_of(lines[fix_random(ARRAY_SIZE(lines))]));
	}
}

static bool fix_accepts(struct str path, struct str before, struct str after, bool person)
{
	const struct garden_ask q = {
		.path = path, .before = before, .after = after, .person = person};
	struct garden_diagnostics d;

	if (garden_judge_change(a, &q, &d))
		BUG("the policy fails");
	return !garden_diagnostics_any_blocks(&d);
}

struct fix_counts {
	size_t fixed, again, left, refused;
};

static void fix_one(struct str path, struct str before, struct str text, struct fix_counts *n)
{
	struct garden_diagnostics found;
	struct garden_edits edits;
	struct str done;

	garden_fix(a, path, text, &edits);
	done = garden_edits_apply(a, text, &edits);
	n->fixed += edits.n > 0;
	garden_fix(a, path, done, &edits);
	n->again += edits.n > 0;
	garden_lint_text(a, path, done, &found);
	garden_mark_fixable(a, path, done, &found);
	for (size_t i = 0; i < found.n; i++)
		n->left += found.p[i].fixable;
	for (int person = 0; person < 2; person++) {
		if (!fix_accepts(path, text, done, person))
			n->refused++;
		if (fix_accepts(path, before, text, person) &&
		    !fix_accepts(path, before, done, person))
			n->refused++;
		if (fix_accepts(path, (struct str){0}, text, person) &&
		    !fix_accepts(path, (struct str){0}, done, person))
			n->refused++;
	}
	if (n->again + n->left + n->refused == 1)
		printf("# the first text that fails:\n%.*s\n---- fixed:\n%.*s\n", STR_ARG(text),
		       STR_ARG(done));
}

static void fix_kind(enum garden_kind kind, struct str id)
{
	struct garden_new n = {.kind = kind, .user = STR("ada"), .id = id};
	struct fix_counts counts = {0};
	struct str path, whole;

	strs_push(a, &n.participants, STR("p1"));
	strs_push(a, &n.participants, STR("p2"));
	if (garden_new_file_path(a, kind, kind, n.user, id, &path) ||
	    garden_text_new(a, &n, &whole))
		BUG("no new file");
	for (int i = 0; i < ROUNDS; i++) {
		struct arena *outer = a;
		struct str text = whole;

		a = arena_new();
		for (size_t k = fix_random(6) + 1; k; k--)
			text = fix_break(text);
		fix_one(path, whole, text, &counts);
		arena_free(a);
		a = outer;
	}
	ok(counts.fixed > ROUNDS / 20, "%s: %zu of %d texts were mended", garden_kinds[kind],
	   counts.fixed, ROUNDS);
	is_int((int64_t)counts.again, 0, "a second run finds nothing");
	is_int((int64_t)counts.left, 0, "nothing that it mends is left");
	is_int((int64_t)counts.refused, 0, "the policy refuses nothing that it accepted");
}

int main(void)
{
	a = arena_new();
	fix_kind(GARDEN_PART, STR("p1"));
	fix_kind(GARDEN_OVERVIEW, STR(""));
	fix_kind(GARDEN_RELATIONSHIP, STR("r1"));
	fix_kind(GARDEN_NOTES, STR(""));
	arena_free(a);
	return tap_done();
}
