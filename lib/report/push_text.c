/* Texts about pushed refs, and about the commits of a history. */
#include "report/show.h"
#include "os/os.h"

#define REFS_SHOWN     10 /* of each kind */
#define FINDINGS_SHOWN 3  /* of a commit */

static bool doorshow_has_text(const struct check_ref *ref, size_t refs)
{
	return ref->action != CHECK_REF_JUDGED || (refs > 1 && ref->block);
}

static void doorshow_ref(struct out *o, const struct check_ref *ref)
{
	out_safe(o, ref->ref, false);
	if (ref->action == CHECK_REF_JUDGED) {
		out_fmt(o, ": %u blocking", ref->block);
	} else {
		out_puts(o, ": not judged: ");
		out_safe(o, ref->why, false);
	}
	out_puts(o, "\n");
}

bool check_refs_unjudged(const struct check_report *r)
{
	for (size_t i = 0; i < r->refs.n; i++)
		if (r->refs.p[i].action == CHECK_REF_JUDGED)
			return false;
	return r->refs.n > 0;
}

void check_refs_text(struct out *o, const struct check_report *r)
{
	for (enum check_ref_action action = 0; check_ref_actions[action]; action++) {
		size_t n = 0;

		for (size_t i = 0; i < r->refs.n; i++) {
			const struct check_ref *ref = &r->refs.p[i];

			if (ref->action == action && doorshow_has_text(ref, r->refs.n) &&
			    n++ < REFS_SHOWN)
				doorshow_ref(o, ref);
		}
		if (n > REFS_SHOWN)
			out_fmt(o, "and %zu more refs: %s\n", n - REFS_SHOWN,
				action == CHECK_REF_JUDGED    ? "stopped"
				: action == CHECK_REF_DELETED ? "deleted"
							      : "not judged");
	}
}

/* ---- commits ---- */

static void doorshow_count(struct out *o, size_t n, const char *noun)
{
	out_fmt(o, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

static void doorshow_violation(struct out *o, const struct check_violation *v)
{
	out_puts(o, "  ");
	out_safe(o, v->file, false);
	if (v->line)
		out_fmt(o, ":%zu:%zu", v->line, v->column);
	out_puts(o, v->file.n ? "  " : "");
	if (v->found.n) {
		out_safe(o, str_trim(v->found), false);
		out_puts(o, "  ");
	}
	out_safe(o, v->item->id, false);
	out_puts(o, ": ");
	out_safe(o, v->message, false);
	out_puts(o, "\n");
}

/* The first findings, and a count of the rest. */
static void doorshow_findings(struct out *o, const struct check_commit *c, const char *rest)
{
	size_t n = c->violations.n + c->reasons.n, shown = 0;

	for (size_t i = 0; i < c->violations.n && shown < FINDINGS_SHOWN; i++, shown++)
		doorshow_violation(o, &c->violations.p[i]);
	for (size_t i = 0; i < c->reasons.n && shown < FINDINGS_SHOWN; i++, shown++) {
		out_puts(o, "  ");
		out_safe(o, c->reasons.p[i], false);
		out_puts(o, "\n");
	}
	if (n > shown)
		out_fmt(o, "  and %zu more (%s)\n", n - shown, rest);
}

/* "broken 4f2a91c0d3e1 2026-01-02 Ada: orders: read the old shop (2 findings)" and its findings. */
static void doorshow_commit(struct out *o, const struct check_commit *c)
{
	struct arena *a = arena_new();
	size_t n = c->violations.n + c->reasons.n;

	out_styled(o, c->verdict == CHECK_COMMIT_RETIRED ? OUT_YELLOW : OUT_RED,
		   c->verdict == CHECK_COMMIT_NOT_JUDGED ? STR("not judged")
							 : str_of(check_verdicts[c->verdict]));
	out_puts(o, " ");
	out_safe(o, str_sub(c->id, 0, 12), false);
	if (c->time) {
		out_puts(o, " ");
		out_safe(o, str_sub(os_time_text(a, c->time, false), 0, 10), false);
	}
	out_puts(o, " ");
	out_safe(o, c->author, false);
	out_puts(o, ": ");
	out_styled(o, OUT_BOLD, c->subject);
	if (c->verdict != CHECK_COMMIT_NOT_JUDGED) {
		out_puts(o, " (");
		doorshow_count(o, n, "finding");
		out_puts(o, ")");
	}
	out_puts(o, "\n");
	doorshow_findings(o, c, "--json lists all");
	arena_free(a);
}

void check_commit_told(struct out *o, const struct check_commit *c, bool brief)
{
	const struct check_violation *v = c->violations.p;
	size_t n = c->violations.n + c->reasons.n;

	out_puts(o, "ikm: ");
	out_safe(o, str_sub(c->id, 0, 12), false);
	if (c->verdict == CHECK_COMMIT_NOT_JUDGED || (!c->violations.n && brief)) {
		out_puts(o, c->verdict == CHECK_COMMIT_NOT_JUDGED
				    ? " could not be judged: "
				    : " is made, and breaks a rule: ");
		out_safe(o, c->reasons.n ? c->reasons.p[0] : STR(""), false);
		out_puts(o, "\n");
	} else if (c->verdict == CHECK_COMMIT_RETIRED) {
		out_puts(o, " is made, and retires a rule and breaks it: ");
		out_safe(o, v->item->id, false);
		out_puts(o, "\n");
	} else if (brief) {
		out_puts(o, " is made, and breaks ");
		out_safe(o, v->item->id, false);
		out_puts(o, v->file.n ? " in " : "");
		out_safe(o, v->file, false);
		if (v->line)
			out_fmt(o, ":%zu", v->line);
		if (n > 1)
			out_fmt(o, ", and %zu more", n - 1);
		out_puts(o, "\n");
	} else {
		out_puts(o, " is made, and no hook stopped what it breaks:\n");
		doorshow_findings(o, c, "ikm check --verify HEAD~1.. --json lists all");
		out_puts(o, "next: fix it, git add it, and git commit --amend; the pre-push hook "
			    "and CI check it too\n");
	}
}

void check_commits_text(struct out *o, const struct check_report *r)
{
	for (size_t i = 0; i < r->commits.n; i++)
		doorshow_commit(o, &r->commits.p[i]);
	if (r->commits.n)
		out_puts(o, "\n");
	doorshow_count(o, r->verified.commits, "commit");
	out_puts(o, " verified: ");
	if (r->verified.broken) {
		out_style(o, OUT_RED);
		out_fmt(o, "%u broke a rule", r->verified.broken);
		out_style(o, OUT_PLAIN);
	} else {
		out_puts(o, "none broke a rule");
	}
	if (r->verified.retired)
		out_fmt(o, "; %u retired a rule and broke it", r->verified.retired);
	if (r->verified.not_judged)
		out_fmt(o, "; %u could not be judged", r->verified.not_judged);
	if (r->garden)
		out_fmt(o, "; %u change%s of the garden judged", r->garden,
			r->garden == 1 ? "" : "s");
	else if (r->no_knowledge)
		out_puts(o, "; none of them has knowledge to judge by (see ikm-knowledge(5))");
	out_puts(o, "\n");
}
