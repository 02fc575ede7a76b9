#include "check/show.h"
#include "check/ruleshow.h"
#include "knowledge/show.h"

/* GitHub shows ten annotations of each kind for a step; the last one counts the rest. */
#define GITHUB_MAX 10
/* Lines about changed rules, besides those that block. */
#define RULES_SHOWN 10
/* Places listed for one rule, or for one reason of unjudged files, in text. */
#define PLACES_MAX 10
#define RULES_MAX  3

static struct val *check_show_text(struct arena *a, struct str s)
{
	return val_str(a, str_utf8(a, s));
}

static struct val *violation_val(struct arena *a, const struct check_violation *x)
{
	struct val *v = val_map(a), *at;

	val_set(a, v, "knowledgeItemId", check_show_text(a, x->item->id));
	val_set(a, v, "knowledgeItemTitle", check_show_text(a, x->item->title));
	val_set(a, v, "constraint", record_val(a, knowledge_constraint_fields, x->constraint));
	val_set(a, v, "severity", val_str(a, str_of(kn_severities[x->severity])));
	val_set(a, v, "message", check_show_text(a, x->message));
	if (x->file.n) {
		at = val_set(a, v, "location", val_map(a));
		val_set(a, at, "file", check_show_text(a, x->file));
		if (x->line)
			val_set(a, at, "line", val_int(a, (int64_t)x->line));
		if (x->line && x->column)
			val_set(a, at, "column", val_int(a, (int64_t)x->column));
	}
	if (x->found.n)
		val_set(a, v, "found", check_show_text(a, x->found));
	if (x->constraint->use_instead.n)
		val_set(a, v, "useInstead", check_show_text(a, x->constraint->use_instead));
	val_set(a, v, "layer", val_str(a, str_of(kn_layers[x->item->layer])));
	if (x->item->summary.n)
		val_set(a, v, "knowledgeItemSummary", check_show_text(a, x->item->summary));
	val_set(a, v, "knowledgeItemPath", check_show_text(a, x->item->shown_path));
	val_set(a, v, "fingerprint", check_show_text(a, x->fingerprint));
	val_set(a, v, "existing", val_bool(a, x->existing));
	val_set(a, v, "fromBase", val_bool(a, x->from_base));
	return v;
}

static void check_show_count(struct arena *a, struct val *v, const char *key, unsigned n)
{
	val_set(a, v, key, val_int(a, n));
}

static struct val *unjudged_val(struct arena *a, const struct check_unjudged *u)
{
	struct val *v = val_map(a), *list, *m;

	val_set(a, v, "path", check_show_text(a, u->path));
	if (u->line)
		val_set(a, v, "line", val_int(a, (int64_t)u->line));
	if (u->line && u->column)
		val_set(a, v, "column", val_int(a, (int64_t)u->column));
	val_set(a, v, "reason", val_str(a, str_of(check_reasons[u->reason])));
	if (u->name.n)
		val_set(a, v, "name", check_show_text(a, u->name));
	val_set(a, v, "message", check_show_text(a, check_unjudged_message(a, u)));
	list = val_set(a, v, "rules", val_list(a));
	for (size_t i = 0; i < u->rules_n; i++) {
		m = val_add(list, val_map(a));
		val_set(a, m, "knowledgeItemId", check_show_text(a, u->rules[i].item->id));
		val_set(a, m, "constraint", val_int(a, u->rules[i].constraint->index));
	}
	val_set(a, v, "severity", val_str(a, str_of(kn_severities[u->severity])));
	val_set(a, v, "blocks", val_bool(a, u->blocks));
	return v;
}

static int by_skipped(const void *x, const void *y)
{
	const struct check_unjudged *a = *(const struct check_unjudged *const *)x;
	const struct check_unjudged *b = *(const struct check_unjudged *const *)y;
	int c = str_cmp(a->path, b->path);

	return c ? c : (int)a->reason - (int)b->reason;
}

/* The member `skipped` of 0.1.0: whole files that were not judged, named or counted. */
static void skipped_vals(struct arena *a, struct val *list, const struct check_report *r)
{
	const struct check_unjudged **p = arena_array(a, r->unjudged.n, sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; i < r->unjudged.n; i++)
		if (check_is_skipped(&r->unjudged.p[i]))
			p[n++] = &r->unjudged.p[i];
	qsort(p, n, sizeof(*p), by_skipped);
	for (size_t i = 0; i < n; i++) {
		struct val *m = val_add(list, val_map(a));
		bool blocking = p[i]->severity == KN_SEVERITY_BLOCK && !p[i]->counted;

		val_set(a, m, "file", check_show_text(a, p[i]->path));
		val_set(a, m, "why", val_str(a, str_of(check_skipped_name(p[i]->reason))));
		val_set(a, m, "detail", check_show_text(a, p[i]->detail));
		val_set(a, m, "blocking", val_bool(a, blocking));
		val_set(a, m, "added", val_bool(a, p[i]->added));
	}
}

static unsigned data_files(const struct check_report *r)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->unjudged.n; i++)
		n += r->unjudged.p[i].counted && (r->unjudged.p[i].reason == CHECK_BINARY ||
						  r->unjudged.p[i].reason == CHECK_LFS_POINTER ||
						  r->unjudged.p[i].reason == CHECK_TOO_BIG);
	return n;
}

struct val *check_val(struct arena *a, const struct check_report *r)
{
	struct check_note_list notes = check_notes(a, r);
	struct val *v = val_map(a), *list, *m;

	val_set(a, v, "success", val_bool(a, true));
	val_set(a, v, "passed", val_bool(a, r->passed));
	list = val_set(a, v, "violations", val_list(a));
	for (size_t i = 0; i < r->violations.n; i++)
		val_add(list, violation_val(a, &r->violations.p[i]));
	m = val_set(a, v, "summary", val_map(a));
	check_show_count(a, m, "info", r->info);
	check_show_count(a, m, "warn", r->warn);
	check_show_count(a, m, "block", r->block);
	m = val_set(a, v, "checked", val_map(a));
	check_show_count(a, m, "files", r->files);
	check_show_count(a, m, "manifests", r->manifests);
	check_show_count(a, m, "items", r->items);
	check_show_count(a, m, "activeItems", r->active);
	check_show_count(a, m, "constraints", r->constraints);
	check_show_count(a, m, "broken", r->broken);
	check_show_count(a, m, "existing", r->existing);
	check_show_count(a, m, "notJudged", r->not_judged);
	check_show_count(a, m, "unsupported", r->unsupported);
	check_show_count(a, m, "unresolved", r->unresolved);
	check_show_count(a, m, "unjudged", (unsigned)check_named(r));
	check_show_count(a, m, "data", data_files(r));
	val_set(a, m, "noKnowledge", val_bool(a, r->no_knowledge));
	check_show_count(a, m, "rules", r->rules);
	if (r->compared)
		check_show_count(a, m, "rulesBefore", r->rules_before);
	val_set(a, v, "ruleChanges", rule_changes_val(a, &r->rule_changes));
	list = val_set(a, v, "unjudged", val_list(a));
	for (size_t i = 0; i < check_named(r); i++)
		val_add(list, unjudged_val(a, &r->unjudged.p[i]));
	skipped_vals(a, val_set(a, v, "skipped", val_list(a)), r);
	list = val_set(a, v, "notes", val_list(a));
	for (size_t i = 0; i < notes.n; i++) {
		const struct check_note *n = &notes.p[i];

		m = val_add(list, val_map(a));
		val_set(a, m, "kind", val_str(a, str_of(check_note_name(n->kind))));
		val_set(a, m, "file", check_show_text(a, n->path));
		if (n->line)
			val_set(a, m, "line", val_int(a, (int64_t)n->line));
		val_set(a, m, "message", check_show_text(a, n->message));
		val_set(a, m, "blocks", val_bool(a, n->blocks));
	}
	return v;
}

/* ---- text ---- */

static bool val_is_true(const struct val *v, const char *key)
{
	const struct val *m = val_get(v, key);

	return m && m->b;
}

static void check_show_place(struct out *o, const struct val *at)
{
	out_safe(o, val_get_str(at, "file"), false);
	if (val_get(at, "line"))
		out_fmt(o, ":%lld", (long long)val_get_int(at, "line"));
	if (val_get(at, "column"))
		out_fmt(o, ":%lld", (long long)val_get_int(at, "column"));
}

static void show_label(struct out *o, const char *text)
{
	out_style(o, OUT_DIM);
	out_fmt(o, "  %-12s", text);
	out_style(o, OUT_PLAIN);
}

static void show_labelled(struct out *o, const char *name, struct str s)
{
	if (!s.n)
		return;
	show_label(o, name);
	out_safe(o, s, false);
	out_puts(o, "\n");
}

/* Findings of one rule with the same message share a block: the message once, then the places. */
static bool check_show_same_rule(const struct val *a, const struct val *b)
{
	static const char *const members[] = {"knowledgeItemId", "layer", "severity", "message",
					      "useInstead"};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!str_eq(val_get_str(a, members[i]), val_get_str(b, members[i])))
			return false;
	return val_is_true(a, "existing") == val_is_true(b, "existing") &&
	       val_is_true(a, "fromBase") == val_is_true(b, "fromBase") &&
	       val_eq(val_get(a, "constraint"), val_get(b, "constraint"));
}

static void show_location(struct out *o, const char *name, const struct val *v)
{
	const struct val *at = val_get(v, "location");

	if (!at && !val_get(v, "found"))
		return;
	show_label(o, name);
	if (at)
		check_show_place(o, at);
	if (val_get(v, "found")) {
		out_puts(o, at ? "  " : "");
		out_safe(o, str_trim(val_get_str(v, "found")), false);
	}
	out_puts(o, "\n");
}

static void show_rule_findings(struct out *o, const struct val *const *v, size_t n)
{
	const struct val *first = v[0];
	struct str severity = val_get_str(first, "severity"),
		   message = val_get_str(first, "message");
	bool blocks = str_is(severity, kn_severities[KN_SEVERITY_BLOCK]);

	out_styled(o,
		   blocks                     ? OUT_RED
		   : str_is(severity, "warn") ? OUT_YELLOW
					      : OUT_CYAN,
		   severity);
	out_puts(o, val_is_true(first, "existing") ? " (existing) " : " ");
	out_styled(o, OUT_BOLD, val_get_str(first, "knowledgeItemTitle"));
	out_puts(o, "\n");
	for (size_t i = 0; i < n && i < PLACES_MAX; i++)
		show_location(o, i ? "" : val_get(first, "location") ? "where" : "found", v[i]);
	if (n > PLACES_MAX) {
		show_label(o, "");
		out_fmt(o, "and %zu more (--json lists all)\n", n - PLACES_MAX);
	}
	show_labelled(o, "reason", message);
	if (!str_eq(message, val_get_str(first, "knowledgeItemSummary")))
		show_labelled(o, "decision", val_get_str(first, "knowledgeItemSummary"));
	show_labelled(o, "use instead", val_get_str(first, "useInstead"));
	show_labelled(o, "decided in", val_get_str(first, "knowledgeItemPath"));
	if (val_is_true(first, "fromBase"))
		show_labelled(
			o, "",
			STR("as it was before this change, which cannot switch off its judge"));
	show_label(o, "more");
	out_fmt(o, "ikm why %.*s\n\n", STR_ARG(val_get_str(first, "fingerprint")));
}

/* In the order of each rule's first finding. */
static void show_violations(struct out *o, const struct val *list, bool existing)
{
	struct arena *a = arena_new();
	const struct val **all = arena_array(a, list->n + 1, sizeof(*all));
	const struct val **of = arena_array(a, list->n + 1, sizeof(*of));
	size_t n = 0;

	VAL_EACH(list, v)
		if (existing || !val_is_true(v, "existing"))
			all[n++] = v;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		if (!all[i])
			continue;
		of[k++] = all[i];
		for (size_t j = i + 1; j < n; j++)
			if (all[j] && check_show_same_rule(all[i], all[j])) {
				of[k++] = all[j];
				all[j] = NULL;
			}
		show_rule_findings(o, of, k);
	}
	arena_free(a);
}

static void plural(struct out *o, int64_t n, const char *noun)
{
	out_fmt(o, "%lld %s%s", (long long)n, noun, n == 1 ? "" : "s");
}

/* check_notes() makes these from the unjudged entries, for readers of JSON. */
static bool is_unjudged_note(struct str kind)
{
	return str_is(kind, check_note_name(CHECK_NOTE_UNREADABLE)) ||
	       str_is(kind, check_note_name(CHECK_NOTE_NOT_JUDGED));
}

/* "(rule 0001-no-mysql)": the items of the rules, each once. */
static void show_rule_ids(struct out *o, const struct val *rules)
{
	struct strs ids = {0};
	struct arena *a = arena_new();

	VAL_EACH(rules, r)
		if (!strs_has(&ids, val_get_str(r, "knowledgeItemId")))
			strs_push(a, &ids, val_get_str(r, "knowledgeItemId"));
	for (size_t i = 0; i < ids.n && i < RULES_MAX; i++) {
		out_puts(o, i ? ", " : ids.n > 1 ? " (rules " : " (rule ");
		out_safe(o, ids.p[i], false);
	}
	if (ids.n > RULES_MAX)
		out_fmt(o, " and %zu more", ids.n - RULES_MAX);
	out_puts(o, ids.n ? ")" : "");
	arena_free(a);
}

static void unjudged_line(struct out *o, const struct val *u)
{
	bool blocks = val_is_true(u, "blocks");

	out_styled(o, blocks ? OUT_RED : OUT_YELLOW,
		   blocks ? STR("not judged (blocks)") : STR("not judged"));
	out_puts(o, ": ");
	out_safe(o, val_get_str(u, "path"), false);
	if (val_get(u, "line"))
		out_fmt(o, ":%lld", (long long)val_get_int(u, "line"));
	if (val_get(u, "column"))
		out_fmt(o, ":%lld", (long long)val_get_int(u, "column"));
	out_puts(o, ": ");
	out_safe(o, val_get_str(u, "message"), false);
	show_rule_ids(o, val_get(u, "rules"));
	out_puts(o, "\n");
}

/*
 * The first entries of each reason. Blocking entries are among them, since the strictest come
 * first.
 */
static bool show_unjudged(struct out *o, const struct val *list)
{
	for (const char *const *reason = check_reasons; *reason; reason++) {
		size_t n = 0;

		VAL_EACH(list, u)
			if (str_is(val_get_str(u, "reason"), *reason) && n++ < PLACES_MAX)
				unjudged_line(o, u);
		if (n > PLACES_MAX) {
			out_styled(o, OUT_YELLOW, STR("not judged"));
			out_fmt(o, ": %zu more of reason %s (--json lists all)\n", n - PLACES_MAX,
				*reason);
		}
	}
	return list && list->n;
}

static void show_notes(struct out *o, const struct val *report)
{
	bool any = false;

	VAL_EACH(val_get(report, "notes"), n) {
		struct str kind = val_get_str(n, "kind");

		if (is_unjudged_note(kind))
			continue;
		out_styled(o, val_is_true(n, "blocks") ? OUT_RED : OUT_YELLOW,
			   str_is(kind, "broken") ? STR("broken knowledge") : STR("warning"));
		if (val_is_true(n, "blocks"))
			out_puts(o, " (blocks)");
		out_puts(o, " ");
		check_show_place(o, n);
		out_puts(o, ": ");
		out_safe(o, val_get_str(n, "message"), false);
		out_puts(o, "\n");
		any = true;
	}
	any |= show_unjudged(o, val_get(report, "unjudged"));
	if (any)
		out_puts(o, "\n");
}

/* Says what was judged, so that a pass differs from a check of nothing. */
static void check_show_done(struct out *o, const struct val *report, bool existing)
{
	const struct val *c = val_get(report, "checked");
	size_t skipped = val_get(report, "skipped") ? val_get(report, "skipped")->n : 0;

	if (val_is_true(c, "noKnowledge")) {
		out_puts(
			o,
			"no knowledge is configured: nothing to judge by (see ikm-knowledge(5))\n");
		return;
	}
	if (!val_get_int(c, "files") && !val_get_int(c, "manifests"))
		out_styled(o, OUT_YELLOW, STR("0 files were checked: "));
	else
		out_puts(o, "checked ");
	plural(o, val_get_int(c, "files"), "file");
	out_puts(o, ", ");
	plural(o, val_get_int(c, "manifests"), "manifest");
	out_puts(o, " against ");
	plural(o, val_get_int(c, "constraints"), "constraint");
	out_puts(o, " of ");
	plural(o, val_get_int(c, "items"), "item");
	if (val_get_int(c, "items") && !val_get_int(c, "constraints"))
		out_puts(o, ": none of them has rules that judge");
	if (skipped) {
		out_puts(o, "; skipped ");
		plural(o, (int64_t)skipped, "file");
	}
	if (val_get_int(c, "broken")) {
		out_puts(o, "; broken: ");
		plural(o, val_get_int(c, "broken"), "item");
	}
	if (val_get_int(c, "notJudged") || val_get_int(c, "unjudged")) {
		out_puts(o, "; not judged: ");
		if (val_get_int(c, "unjudged"))
			plural(o, val_get_int(c, "unjudged"), "place");
		if (val_get_int(c, "notJudged")) {
			out_puts(o, val_get_int(c, "unjudged") ? ", " : "");
			plural(o, val_get_int(c, "notJudged"), "constraint");
		}
	}
	if (val_get_int(c, "unresolved")) {
		out_puts(o, "; unresolved: ");
		plural(o, val_get_int(c, "unresolved"), "dependency name");
	}
	if (val_get_int(c, "existing") && !existing)
		out_fmt(o, "; %lld existing not shown (--existing)",
			(long long)val_get_int(c, "existing"));
	out_puts(o, "\n");
}

void check_rules_text(struct out *o, const struct val *report)
{
	const struct val *c = val_get(report, "checked");

	rule_changes_text(o, val_get(report, "ruleChanges"), val_get_int(c, "rulesBefore"),
			  val_get_int(c, "rules"), RULES_SHOWN);
}

/* With a base, how the rules differ; without a base, how many there are. */
static void show_rules(struct out *o, const struct val *report)
{
	const struct val *c = val_get(report, "checked");

	if (val_get(c, "rulesBefore"))
		check_rules_text(o, report);
	else if (!val_is_true(c, "noKnowledge"))
		out_fmt(o, "rules: %lld\n", (long long)val_get_int(c, "rules"));
}

void check_text(struct out *o, const struct val *report, const char *what, bool existing)
{
	const struct val *sum = val_get(report, "summary");

	show_violations(o, val_get(report, "violations"), existing);
	show_notes(o, report);
	show_rules(o, report);
	if (!val_is_true(report, "passed")) {
		out_style(o, OUT_RED);
		plural(o, val_get_int(sum, "block"), "blocking violation");
		out_style(o, OUT_PLAIN);
		if (*what)
			out_fmt(o, ": %s was stopped", what);
		out_puts(o, "; ");
	}
	if (val_get_int(sum, "warn")) {
		plural(o, val_get_int(sum, "warn"), "warning");
		out_puts(o, "; ");
	}
	check_show_done(o, report, existing);
}

/* ---- GitHub ---- */

static void github_unjudged(struct out *o, enum out_level level, const struct val *u)
{
	struct out *message = NULL;
	struct arena *a = arena_new();

	message = out_memory(a);
	out_bytes(message, val_get_str(u, "message"));
	show_rule_ids(message, val_get(u, "rules"));
	out_github(o, level, val_get_str(u, "path"), (size_t)val_get_int(u, "line"),
		   (size_t)val_get_int(u, "column"), STR("ikm: not judged"), out_taken(message));
	arena_free(a);
}

void check_github(struct out *o, const struct val *report)
{
	static const enum out_level levels[] = {
		[KN_SEVERITY_INFO] = OUT_NOTICE,
		[KN_SEVERITY_WARN] = OUT_WARNING,
		[KN_SEVERITY_BLOCK] = OUT_ERROR,
	};
	size_t told[3] = {0}, cut = 0;

	/* Blocking findings sort first, so the least important ones are cut. */
	VAL_EACH(val_get(report, "violations"), v) {
		int s = kn_word(kn_severities, val_get_str(v, "severity"));
		const struct val *at = val_get(v, "location");

		if (val_is_true(v, "existing"))
			continue;
		if (s < 0 || told[s]++ >= GITHUB_MAX - 1) {
			cut++;
			continue;
		}
		out_github(o, levels[s], val_get_str(at, "file"), (size_t)val_get_int(at, "line"),
			   (size_t)val_get_int(at, "column"), val_get_str(v, "knowledgeItemTitle"),
			   val_get_str(v, "message"));
	}
	VAL_EACH(val_get(report, "notes"), n) {
		int s = val_is_true(n, "blocks") ? KN_SEVERITY_BLOCK : KN_SEVERITY_WARN;

		if (is_unjudged_note(val_get_str(n, "kind")))
			continue;
		if (told[s]++ >= GITHUB_MAX - 1) {
			cut++;
			continue;
		}
		out_github(o, levels[s], val_get_str(n, "file"), (size_t)val_get_int(n, "line"), 0,
			   STR("ikm"), val_get_str(n, "message"));
	}
	rule_changes_github(o, val_get(report, "ruleChanges"), told, GITHUB_MAX - 1, &cut);
	VAL_EACH(val_get(report, "unjudged"), u) {
		int s = val_is_true(u, "blocks") ? KN_SEVERITY_BLOCK : KN_SEVERITY_WARN;

		if (told[s]++ < GITHUB_MAX - 1)
			github_unjudged(o, levels[s], u);
		else
			cut++;
	}
	if (cut) {
		struct arena *a = arena_new();

		out_github(o, OUT_NOTICE, (struct str){0}, 0, 0, STR("ikm"),
			   str_fmt(a, "%zu more are not shown here; 'ikm check' lists all", cut));
		arena_free(a);
	}
	check_show_done(o, report, false);
}
