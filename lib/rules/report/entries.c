#include "report/entries.h"
#include "base/sort.h"
#include "judge/judge.h"
#include "knowledge/rule_change_text.h"
#include "report/show.h"
#include "crypt/crypt.h"

/* ---- the rules that have findings ---- */

/* The item of the project comes first, so it keeps the plain id. */
ORDER_OF(by_entry_rule, struct check_entry,
	 ORDER_STR(finding->item->id) || ORDER_UP(finding->constraint->index) ||
		 ORDER_DOWN(finding->item->layer) || ORDER_STR(finding->item->shown_path))

/* Gives each finding its rule. The same rule of several trees counts once. */
static void entries_set_rules(struct arena *a, struct check_entries *out)
{
	struct check_entry **p =
		sort_into_pointers(a, out->p, out->n, sizeof(*out->p), by_entry_rule);
	struct check_entry_rule *rule = NULL;

	out->rules = arena_array(a, out->n, sizeof(*out->rules));
	for (size_t i = 0; i < out->n; i++) {
		const struct check_violation *v = p[i]->finding;

		if (!i || by_entry_rule(p[i - 1], p[i])) {
			const struct check_violation *last = i ? p[i - 1]->finding : NULL;
			bool same = last && str_eq(last->item->id, v->item->id) &&
				    last->constraint->index == v->constraint->index;
			struct str other = same ? v->item->shown_path : STR("");

			rule = &out->rules[out->rules_n++];
			*rule = (struct check_entry_rule){
				str_fmt(a, "%.*s/%u%s%.*s", STR_ARG(v->item->id),
					v->constraint->index, same ? "@" : "", STR_ARG(other)),
				v->item, v->constraint, v->severity};
		}
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

/* Every format asks for the path of a file: the settings stand in for what has none. */
static void entry_place(struct check_entry *e, struct str path, size_t line, size_t column)
{
	e->path = path.n ? path : STR(".ikm/config.json");
	e->line = path.n ? line : 0;
	e->column = e->line ? column : 0;
}

/* ---- fingerprints ---- */

/* The fingerprint of an entry that is no finding, from its kind, place and message. */
static struct str entry_own_fingerprint(struct arena *a, const struct check_entry *e)
{
	unsigned char digest[SHA256_BYTES];
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, e->id);
	sha256_add_part(&h, e->path);
	sha256_add_part(&h, check_entry_message(scratch, e, false));
	sha256_end(&h, digest);
	return crypt_hex(a, digest, 6);
}

ORDER_OF(by_entry_fingerprint, struct check_entry, ORDER_STR(fingerprint))
ORDER_OF(by_entry_severity, struct check_entry, ORDER_DOWN(severity))

/*
 * Equal findings of a file have one fingerprint, which 'ikm why' accepts. The second one of the
 * list gets "-2" behind it, and so on.
 */
static void entries_set_fingerprints(struct arena *a, struct check_entries *out)
{
	struct check_entry **p;
	struct str last = {0};
	size_t ordinal = 0;

	for (size_t i = 0; i < out->n; i++)
		out->p[i].fingerprint = out->p[i].kind == ENTRY_FINDING
						? out->p[i].finding->fingerprint
						: entry_own_fingerprint(a, &out->p[i]);
	p = sort_into_pointers(a, out->p, out->n, sizeof(*out->p), by_entry_fingerprint);
	for (size_t i = 0; i < out->n; i++) {
		ordinal = i && str_eq(last, p[i]->fingerprint) ? ordinal + 1 : 1;
		last = p[i]->fingerprint;
		if (ordinal > 1)
			p[i]->fingerprint = str_fmt(a, "%.*s-%zu", STR_ARG(last), ordinal);
	}
}

void check_entries_of_report(struct arena *a, const struct check_report *r, bool harmful,
			     struct check_entries *out)
{
	struct check_entries all = {0};
	struct check_entry **p, *e;

	VEC_EACH(const struct check_violation, v, &r->violations) {
		if (v->existing)
			continue;
		e = entry_add(a, &all, ENTRY_FINDING, v->severity,
			      v->severity == KN_SEVERITY_BLOCK);
		e->finding = v;
		e->title = v->item->title;
		/* Of a retired rule the reviewer should read the decision. */
		if (v->file.n && !v->retired)
			entry_place(e, v->file, v->line, v->column);
		else
			entry_place(e, v->item->in_tree ? v->item->tree_path : STR(""), 0, 0);
	}
	entries_set_rules(a, &all);
	VEC_EACH(const struct check_note, n, &r->notes) {
		e = entry_add(a, &all, ENTRY_NOTE, KN_SEVERITY_WARN, n->blocks);
		e->note = n;
		e->id = str_fmt(a, "ikm/%s", check_note_kinds[n->kind]);
		e->title = n->kind == CHECK_BROKEN   ? STR("broken knowledge")
			   : n->kind == CHECK_GARDEN ? STR("garden")
						     : STR("ikm");
		entry_place(e, n->path, n->line, 0);
	}
	VEC_EACH(const struct rule_change, c, &r->rule_changes) {
		bool lost = c->kind == RULE_LOST;

		e = entry_add(a, &all, ENTRY_CHANGE, lost ? KN_SEVERITY_WARN : KN_SEVERITY_INFO,
			      c->blocks);
		e->change = c;
		e->told = !lost && !c->blocks;
		e->id = str_fmt(a, "ikm/rule-%s", rule_change_kinds[c->kind]);
		e->title =
			str_fmt(a, "rule %s: %.*s", rule_change_kinds[c->kind], STR_ARG(c->item));
		entry_place(e, c->path, 0, 0);
	}
	VEC_EACH(const struct check_unjudged, u, &r->named) {
		e = entry_add(a, &all, ENTRY_UNJUDGED, KN_SEVERITY_WARN, u->blocks);
		e->unjudged = u;
		e->id = str_fmt(a, "ikm/%s", check_reasons[u->reason]);
		e->title = STR("ikm: not judged");
		entry_place(e, u->path, u->line, u->column);
	}
	if (r->nothing.n) {
		struct check_unjudged *u = ARENA_NEW(a, struct check_unjudged);

		u->message = str_fmt(a, "nothing was judged: %.*s", STR_ARG(r->nothing));
		e = entry_add(a, &all, ENTRY_UNJUDGED, KN_SEVERITY_WARN, false);
		e->unjudged = u;
		e->id = STR("ikm/no-rule");
		e->title = STR("ikm: nothing was judged");
		entry_place(e, STR(""), 0, 0);
	}
	p = sort_into_pointers(a, all.p, all.n, sizeof(*all.p), by_entry_severity);
	*out = (struct check_entries){.rules = all.rules, .rules_n = all.rules_n};
	for (size_t i = 0; i < all.n; i++)
		*VEC_PUSH(a, out) = *p[i];
	/* Those that are left out count, or the others would change with the format. */
	entries_set_fingerprints(a, out);
	all.n = 0;
	for (size_t i = 0; i < out->n; i++)
		if (!harmful || !out->p[i].told)
			out->p[all.n++] = out->p[i];
	out->n = all.n;
}

/* ---- words ---- */

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

static void entry_finding_words(struct arena *a, struct entry_words *w,
				const struct check_violation *v)
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
	entry_part(w, "more", str_fmt(a, "ikm why %.*s", STR_ARG(v->fingerprint)));
}

struct str check_entry_message(struct arena *a, const struct check_entry *e, bool lines)
{
	struct entry_words w = {.b = buf_in(a), .lines = lines};

	switch (e->kind) {
	case ENTRY_FINDING: entry_finding_words(a, &w, e->finding); break;
	case ENTRY_NOTE: buf_put(&w.b, e->note->message); break;
	case ENTRY_CHANGE: buf_put(&w.b, rule_change_sentence(a, e->change)); break;
	case ENTRY_UNJUDGED:
		buf_put(&w.b, e->unjudged->message);
		buf_put(&w.b, check_rule_ids_text(a, e->unjudged));
		break;
	}
	buf_puts(&w.b, w.parts && !lines ? ")" : "");
	for (size_t i = 0; i < w.b.n && !lines; i++)
		if (w.b.p[i] == '\n' || w.b.p[i] == '\r')
			w.b.p[i] = ' ';
	return buf_as_str(&w.b);
}
