#include "report/entries.h"
#include "judge/check.h"
#include "knowledge/ruleshow.h"
#include "report/show.h"
#include "crypt/crypt.h"

/* ---- the rules that have findings ---- */

static int by_entry_rule(const struct check_violation *a, const struct check_violation *b)
{
	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY(a->constraint->index, b->constraint->index);
	/* The item of the project comes first, so it keeps the plain id. */
	ORDER_BY(b->item->layer, a->item->layer);
	ORDER_BY_STR(a->item->shown_path, b->item->shown_path);
	return 0;
}

static int by_entry_rule_ptr(const void *x, const void *y)
{
	const struct check_entry *a = *(struct check_entry *const *)x;
	const struct check_entry *b = *(struct check_entry *const *)y;
	int c = by_entry_rule(a->finding, b->finding);

	return c ? c : (a > b) - (a < b);
}

static struct str entry_rule_id(struct arena *a, const struct check_violation *v, bool plain)
{
	if (plain)
		return str_fmt(a, "%.*s/%u", STR_ARG(v->item->id), v->constraint->index);
	return str_fmt(a, "%.*s/%u@%.*s", STR_ARG(v->item->id), v->constraint->index,
		       STR_ARG(v->item->shown_path));
}

/* Gives each finding its rule. The same rule of several trees counts once. */
static void entries_set_rules(struct arena *a, struct check_entries *out, size_t findings)
{
	struct check_entry **p = arena_array(a, findings, sizeof(*p));
	struct check_entry_rule *rule = NULL;
	const struct check_violation *last = NULL;

	for (size_t i = 0; i < findings; i++)
		p[i] = &out->p[i];
	if (findings)
		qsort(p, findings, sizeof(*p), by_entry_rule_ptr);
	out->rules = arena_array(a, findings, sizeof(*out->rules));
	for (size_t i = 0; i < findings; i++) {
		const struct check_violation *v = p[i]->finding;

		if (!last || by_entry_rule(last, v)) {
			bool plain = !last || !str_eq(last->item->id, v->item->id) ||
				     last->constraint->index != v->constraint->index;

			rule = &out->rules[out->rules_n++];
			*rule = (struct check_entry_rule){entry_rule_id(a, v, plain), v->item,
							  v->constraint, v->severity};
		}
		last = v;
		rule->severity = v->severity > rule->severity ? v->severity : rule->severity;
		p[i]->rule = (size_t)(rule - out->rules);
		p[i]->id = rule->id;
	}
}

/* ---- the entries ---- */

static struct check_entry *entry_add(struct arena *a, struct check_entries *out,
				     enum check_entry_kind kind, enum kn_severity severity,
				     bool blocks)
{
	struct check_entry *e = VEC_PUSH(a, out);

	e->kind = kind;
	e->blocks = blocks;
	e->severity = blocks ? KN_SEVERITY_BLOCK : severity;
	return e;
}

static void entry_place(struct check_entry *e, struct str path, size_t line, size_t column)
{
	e->path = path.n ? path : STR(".");
	e->line = path.n ? line : 0;
	e->column = e->line ? column : 0;
}

static void entries_add_finding(struct arena *a, struct check_entries *out,
				const struct check_violation *v)
{
	struct check_entry *e;

	if (v->existing)
		return;
	e = entry_add(a, out, ENTRY_FINDING, v->severity, v->severity == KN_SEVERITY_BLOCK);
	e->finding = v;
	e->title = v->item->title;
	/* Of a retired rule the reviewer should read the decision. */
	if (v->file.n && !v->retired)
		entry_place(e, v->file, v->line, v->column);
	else
		entry_place(e, v->item->in_tree ? v->item->tree_path : STR(""), 0, 0);
}

static void entries_add_note(struct arena *a, struct check_entries *out, const struct check_note *n)
{
	struct check_entry *e = entry_add(a, out, ENTRY_NOTE, KN_SEVERITY_WARN, n->blocks);

	e->note = n;
	e->id = str_fmt(a, "ikm/%s", check_note_kinds[n->kind]);
	e->title = n->kind == CHECK_BROKEN   ? STR("broken knowledge")
		   : n->kind == CHECK_GARDEN ? STR("garden")
					     : STR("ikm");
	entry_place(e, n->path, n->line, 0);
}

static void entries_add_change(struct arena *a, struct check_entries *out,
			       const struct rule_change *c)
{
	bool lost = c->kind == RULE_LOST;
	struct check_entry *e = entry_add(a, out, ENTRY_CHANGE,
					  lost ? KN_SEVERITY_WARN : KN_SEVERITY_INFO, c->blocks);

	e->change = c;
	e->told = !lost && !c->blocks;
	e->id = str_fmt(a, "ikm/rule-%s", rule_change_kinds[c->kind]);
	e->title = str_fmt(a, "rule %s: %.*s", rule_change_kinds[c->kind], STR_ARG(c->item));
	entry_place(e, c->path, 0, 0);
}

static void entries_add_unjudged(struct arena *a, struct check_entries *out,
				 const struct check_unjudged *u)
{
	struct check_entry *e = entry_add(a, out, ENTRY_UNJUDGED, KN_SEVERITY_WARN, u->blocks);

	e->unjudged = u;
	e->id = str_fmt(a, "ikm/%s", check_reasons[u->reason]);
	e->title = STR("ikm: not judged");
	entry_place(e, u->path, u->line, u->column);
}

/* ---- fingerprints ---- */

/* The fingerprint of an entry that is no finding, from its kind, place and message. */
static struct str entry_own_fingerprint(struct arena *a, const struct check_entry *e)
{
	unsigned char digest[SHA256_BYTES];
	struct arena *scratch = arena_new();
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, e->id);
	sha256_add_part(&h, e->path);
	sha256_add_part(&h, check_entry_text(scratch, e, false));
	sha256_end(&h, digest);
	arena_free(scratch);
	return crypt_hex(a, digest, 6);
}

static int by_entry_fingerprint(const void *x, const void *y)
{
	const struct check_entry *a = *(struct check_entry *const *)x;
	const struct check_entry *b = *(struct check_entry *const *)y;

	ORDER_BY_STR(a->fingerprint, b->fingerprint);
	return (a > b) - (a < b);
}

/*
 * Equal findings of a file have one fingerprint, which 'ikm why' accepts. The second one of the
 * list gets "-2" behind it, and so on.
 */
static void entries_set_fingerprints(struct arena *a, struct check_entries *out)
{
	struct check_entry **p = arena_array(a, out->n, sizeof(*p));
	struct str last = {0};
	size_t ordinal = 0;

	for (size_t i = 0; i < out->n; i++) {
		p[i] = &out->p[i];
		p[i]->fingerprint = p[i]->kind == ENTRY_FINDING ? p[i]->finding->fingerprint
								: entry_own_fingerprint(a, p[i]);
	}
	if (out->n)
		qsort(p, out->n, sizeof(*p), by_entry_fingerprint);
	for (size_t i = 0; i < out->n; i++) {
		ordinal = i && str_eq(last, p[i]->fingerprint) ? ordinal + 1 : 1;
		last = p[i]->fingerprint;
		if (ordinal > 1)
			p[i]->fingerprint = str_fmt(a, "%.*s-%zu", STR_ARG(last), ordinal);
	}
}

/* Keeps the order within a severity. */
static void entries_strictest_first(struct arena *a, struct check_entries *out)
{
	struct check_entry *p = arena_array(a, out->n, sizeof(*p));
	size_t n = 0;

	for (int s = KN_SEVERITY_BLOCK; s >= (int)KN_SEVERITY_INFO; s--)
		for (size_t i = 0; i < out->n; i++)
			if ((int)out->p[i].severity == s)
				p[n++] = out->p[i];
	out->p = p;
	out->cap = out->n;
}

void check_entries_of(struct arena *a, const struct check_report *r, bool harmful,
		      struct check_entries *out)
{
	size_t n = 0;

	*out = (struct check_entries){0};
	for (size_t i = 0; i < r->violations.n; i++)
		entries_add_finding(a, out, &r->violations.p[i]);
	entries_set_rules(a, out, out->n);
	for (size_t i = 0; i < r->notes.n; i++)
		entries_add_note(a, out, &r->notes.p[i]);
	for (size_t i = 0; i < r->rule_changes.n; i++)
		entries_add_change(a, out, &r->rule_changes.p[i]);
	for (size_t i = 0; i < r->named.n; i++)
		entries_add_unjudged(a, out, &r->named.p[i]);
	entries_strictest_first(a, out);
	entries_set_fingerprints(a, out);
	for (size_t i = 0; i < out->n; i++)
		if (!harmful || !out->p[i].told)
			out->p[n++] = out->p[i];
	out->n = n;
}

/* ---- words ---- */

struct str check_entry_found(const struct check_entry *e)
{
	return e->kind == ENTRY_FINDING ? str_trim(e->finding->found) : STR("");
}

struct entry_words {
	struct buf b;
	bool lines;
	unsigned parts;
};

/* "MESSAGE (found: X; use instead: Y)", or a line for each part. */
static void entry_part(struct entry_words *w, const char *label, struct str s)
{
	if (!s.n)
		return;
	buf_fmt(&w->b, "%s%s: ", w->lines ? "\n" : w->parts ? "; " : " (", label);
	buf_put(&w->b, s);
	w->parts++;
}

static void entry_finding_words(struct entry_words *w, const struct check_violation *v)
{
	if (v->retired) {
		buf_fmt(&w->b, "retired in %.*s, and broken since",
			STR_ARG(str_sub(v->retired_by, 0, 12)));
		if (v->file.n)
			buf_fmt(&w->b, " in %.*s", STR_ARG(v->file));
		if (v->file.n && v->line)
			buf_fmt(&w->b, ":%zu", v->line);
		buf_puts(&w->b, ": ");
	}
	buf_put(&w->b, v->message);
	entry_part(w, "found", str_trim(v->found));
	entry_part(w, "use instead", v->constraint->use_instead);
	entry_part(w, "decided in", v->item->shown_path);
	if (v->from_base && !v->retired)
		entry_part(w, "rule",
			   STR("as it was before this change, which cannot switch off "
			       "its judge"));
	entry_part(w, "next", v->next);
	buf_fmt(&w->b, "%smore: ikm why %.*s",
		w->lines   ? "\n"
		: w->parts ? "; "
			   : " (",
		STR_ARG(v->fingerprint));
	w->parts++;
}

struct str check_entry_text(struct arena *a, const struct check_entry *e, bool lines)
{
	struct entry_words w = {.b = buf_in(a), .lines = lines};

	switch (e->kind) {
	case ENTRY_FINDING: entry_finding_words(&w, e->finding); break;
	case ENTRY_NOTE: buf_put(&w.b, e->note->message); break;
	case ENTRY_CHANGE: buf_put(&w.b, rule_change_sentence(a, e->change)); break;
	case ENTRY_UNJUDGED:
		buf_put(&w.b, e->unjudged->message);
		buf_put(&w.b, check_rule_ids(a, e->unjudged));
		break;
	}
	buf_puts(&w.b, w.parts && !lines ? ")" : "");
	for (size_t i = 0; i < w.b.n && !lines; i++)
		if (w.b.p[i] == '\n' || w.b.p[i] == '\r')
			w.b.p[i] = ' ';
	return buf_str(&w.b);
}
