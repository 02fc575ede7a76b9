/* Adds rules to the file of an item, in the style of the rules that it has, and removes one. */
#include "knowledge/field_edit.h"
#include "knowledge/item_edit.h"
#include "yaml/yaml.h"

/* ---- one rule as YAML ---- */

/* A scalar. Single quotes keep the backslashes of a pattern readable. */
static struct str rule_scalar(struct arena *a, struct str s)
{
	struct str plain = kn_yaml_scalar_text(a, s);
	struct buf b = buf_in(a);

	if (str_eq(plain, s) || !str_holds(s, "\\") || !str_is_text(s) || str_holds(s, "\n") ||
	    str_holds(s, "\t"))
		return plain;
	buf_putc(&b, '\'');
	for (size_t i = 0; i < s.n; i++)
		buf_puts(&b, s.p[i] == '\'' ? "''" : (char[]){s.p[i], 0});
	buf_putc(&b, '\'');
	return buf_as_str(&b);
}

static struct str rule_list(struct arena *a, const struct strs *list)
{
	struct strs parts = {0};

	for (size_t i = 0; i < list->n; i++)
		strs_push(a, &parts, rule_scalar(a, list->p[i]));
	return str_fmt(a, "[%.*s]", STR_ARG(str_join(a, &parts, ", ")));
}

static struct str rule_examples(struct arena *a, const struct kn_examples *x)
{
	struct strs parts = {0};

	if (x->stops.n)
		strs_push(a, &parts, str_fmt(a, "stops: %.*s", STR_ARG(rule_list(a, &x->stops))));
	if (x->passes.n)
		strs_push(a, &parts, str_fmt(a, "passes: %.*s", STR_ARG(rule_list(a, &x->passes))));
	return parts.n ? str_fmt(a, "{%.*s}", STR_ARG(str_join(a, &parts, ", "))) : STR("");
}

/* "operator: must_use" and so on, each a string. */
static void rule_members(struct arena *a, const struct kn_constraint *c, struct strs *out)
{
	struct str applies = c->applies_to.n == 1 ? rule_scalar(a, c->applies_to.p[0])
						  : rule_list(a, &c->applies_to);
	const struct {
		const char *key;
		struct str value;
	} rows[] = {
		{"operator", str_of(kn_operators[c->op])},
		{"target", str_of(kn_targets[c->target])},
		{"pattern", rule_scalar(a, c->pattern)},
		{"appliesTo", c->applies_to.n ? applies : STR("")},
		{"version", c->version.n ? rule_scalar(a, c->version) : STR("")},
		{"severity", str_of(kn_severities[c->severity])},
		{"message", c->message.n ? rule_scalar(a, c->message) : STR("")},
		{"useInstead", c->use_instead.n ? rule_scalar(a, c->use_instead) : STR("")},
		{"examples", rule_examples(a, &c->examples)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].value.n)
			strs_push(a, out,
				  str_fmt(a, "%s: %.*s", rows[i].key, STR_ARG(rows[i].value)));
}

static struct str rule_flow(struct arena *a, const struct kn_constraint *c)
{
	struct strs members = {0};

	rule_members(a, c, &members);
	return str_fmt(a, "{%.*s}", STR_ARG(str_join(a, &members, ", ")));
}

/* The lines of a list's items; lead: what stands before an item, such as "  - ". */
static struct str rule_lines(struct arena *a, const struct kn_constraint *rules, size_t n,
			     struct str lead, bool flow, const char *nl)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < n; i++) {
		struct strs members = {0};

		if (flow)
			strs_push(a, &members, rule_flow(a, &rules[i]));
		else
			rule_members(a, &rules[i], &members);
		for (size_t m = 0; m < members.n; m++) {
			if (m)
				buf_fmt(&b, "%*s", (int)lead.n, "");
			else
				buf_put(&b, lead);
			buf_fmt(&b, "%.*s%s", STR_ARG(members.p[m]), nl);
		}
	}
	return buf_as_str(&b);
}

/* ---- their place ---- */

/* The offset behind the last scalar or bracket of a value: libyaml's ends run into what follows. */
static size_t rules_end(struct str text, const struct val *v)
{
	while ((v->type == VAL_LIST || v->type == VAL_MAP) && v->last &&
	       !strchr("[{", text.p[v->at.from]))
		v = v->last;
	return v->at.to;
}

/* The start of the line behind the offset. No line follows: *nl is put before what is inserted. */
static size_t rules_line_behind(struct str text, size_t at, size_t end, bool *ends)
{
	size_t lf = str_find_char(text, '\n', at && text.p[at - 1] == '\n' ? at - 1 : at);

	*ends = lf != SIZE_MAX && lf < end;
	return *ends ? lf + 1 : end;
}

/* What stands before the first member of the last item in its line: "  - ". */
static struct str rules_lead(struct str text, const struct val *last)
{
	size_t at = last->at.from;

	if (last->type == VAL_MAP && last->first && text.p[at] != '{')
		at = last->first->key_at.from;
	return str_sub(text, kn_line_at(text, last->at.from).from, at);
}

/* The offset of the colon behind the key of the list. */
static size_t rules_colon(const struct kn_text *t, const struct val *v, size_t end)
{
	size_t at = v->key_at.to;

	while (at < end && t->text.p[at] != ':')
		at++;
	return at;
}

/* Adds rules to the list v; end: of the YAML that has it. */
static void rules_append(struct arena *a, const struct kn_text *t, const struct val *v, size_t end,
			 const struct kn_constraint *rules, size_t n, struct kn_edits *edits)
{
	struct strs flow = {0};
	struct str lines;
	bool ends;
	size_t at;

	if (v->type == VAL_LIST && v->n && t->text.p[v->at.from] == '[') {
		for (size_t i = 0; i < n; i++)
			strs_push(a, &flow, rule_flow(a, &rules[i]));
		kn_edit_add(a, edits, (struct span){v->at.to - 1, v->at.to - 1},
			    str_fmt(a, ", %.*s", STR_ARG(str_join(a, &flow, ", "))));
		return;
	}
	if (v->type == VAL_LIST && v->n) {
		at = rules_line_behind(t->text, rules_end(t->text, v), end, &ends);
		lines = rule_lines(a, rules, n, rules_lead(t->text, v->last),
				   t->text.p[v->last->at.from] == '{', t->nl);
		kn_edit_add(a, edits, (struct span){at, at},
			    ends ? lines : str_fmt(a, "%s%.*s", t->nl, STR_ARG(lines)));
		return;
	}
	/* "constraints:" or "constraints: []" */
	at = rules_colon(t, v, end);
	lines = rule_lines(a, rules, n, STR("  - "), false, t->nl);
	kn_edit_add(
		a, edits,
		(struct span){at + 1,
			      size_max(at + 1, v->n || v->type == VAL_LIST ? v->at.to : at + 1)},
		str_fmt(a, "%s%.*s", t->nl, STR_ARG(str_sub(lines, 0, lines.n - strlen(t->nl)))));
}

/* Removes the rule that begins at the offset from the list v; false: the list does not have it. */
static bool rules_cut(struct arena *a, const struct kn_text *t, const struct val *v, size_t end,
		      size_t from, struct kn_edits *edits)
{
	const struct val *before = NULL, *one = v ? v->first : NULL;
	struct str lead;
	struct span at;
	bool ends;

	for (; one && one->at.from != from; one = one->next)
		before = one;
	if (!one)
		return false;
	if (t->text.p[v->at.from] == '[') {
		at = (struct span){before && !one->next ? before->at.to : one->at.from,
				   one->next ? one->next->at.from : one->at.to};
		kn_edit_add(a, edits, at, STR(""));
		return true;
	}
	lead = rules_lead(t->text, one);
	at.from = (size_t)(lead.p - t->text.p);
	at.to = rules_line_behind(t->text, rules_end(t->text, one), end, &ends);
	if (v->n > 1) {
		kn_edit_add(a, edits, at, STR(""));
		return true;
	}
	/* "constraints: []", or "[]" in a block of its own. */
	if (v->key.n)
		at.from = rules_colon(t, v, end) + 1;
	kn_edit_add(a, edits, at, str_fmt(a, "%s[]%s", v->key.n ? " " : "", ends ? t->nl : ""));
	return true;
}

/* The list in the block below "## Constraints", or NULL. *end: where its YAML ends. */
static const struct val *rules_in_section(struct arena *a, const struct kn_text *t, size_t *end)
{
	const struct kn_reading r = {.a = a, .scratch = a, .text = t->text, .md = t->md};
	const struct md_block *b = kn_rules_block(&r);
	size_t at = b && b->body.n ? (size_t)(b->body.p - t->text.p) : 0;
	struct val *v;

	if (!at || yaml_read(a, b->body, t->text, at, &v))
		return NULL;
	*end = at + b->body.n;
	return v->type == VAL_MAP ? val_get(v, "constraints") : v;
}

static void rules_place(struct arena *a, const struct kn_text *t, const struct kn_item *was,
			const struct kn_constraint *rules, size_t n, struct kn_edits *edits)
{
	const struct val *v = val_get(t->front, "constraints");
	size_t end = t->front_end;
	struct str lines;

	if (!v && was->constraints_n)
		v = rules_in_section(a, t, &end);
	if (v) {
		rules_append(a, t, v, end, rules, n, edits);
		return;
	}
	lines = rule_lines(a, rules, n, STR("  - "), false, t->nl);
	lines = str_fmt(a, "constraints:%s%.*s", t->nl, STR_ARG(lines));
	if (!t->body)
		lines = str_fmt(a, "---%s%.*s---%s%s", t->nl, STR_ARG(lines), t->nl, t->nl);
	kn_edit_add(a, edits, (struct span){t->front_end, t->front_end}, lines);
}

/* ---- the text ---- */

static bool rules_same(const struct kn_constraint *x, const struct kn_constraint *y)
{
	return x->op == y->op && x->target == y->target && x->severity == y->severity &&
	       str_eq(x->pattern, y->pattern) && str_eq(x->version, y->version) &&
	       str_eq(x->message, y->message) && str_eq(x->use_instead, y->use_instead) &&
	       rewrite_same_strs(&x->applies_to, &y->applies_to) &&
	       rewrite_same_strs(&x->examples.stops, &y->examples.stops) &&
	       rewrite_same_strs(&x->examples.passes, &y->examples.passes);
}

/* Rules of the front matter come before those of a section, so the new ones may be in between. */
static bool rules_read_as_meant(const struct kn_item *was, const struct kn_item *now,
				const struct kn_constraint *rules, size_t n, size_t *first)
{
	size_t same = 0;

	if (now->constraints_n != was->constraints_n + n || now->status != was->status ||
	    now->broken || !str_eq(was->id, now->id) || !str_eq(was->title, now->title) ||
	    !str_eq(was->summary, now->summary))
		return false;
	for (*first = 0; *first + n <= now->constraints_n; ++*first) {
		for (same = 0; same < n; same++)
			if (!rules_same(&now->constraints[*first + same], &rules[same]))
				break;
		if (same == n)
			return true;
	}
	return false;
}

struct err *knowledge_add_rules(struct arena *a, const struct knowledge *k,
				const struct kn_item *item, struct str text,
				const struct kn_constraint *rules, size_t n, struct str *out,
				struct kn_item *now, size_t *first)
{
	struct kn_edits edits = {0};
	struct knowledge after = {0};
	struct kn_item was;
	struct kn_text t;
	size_t i;

	if (item->broken)
		return rewrite_broken_item_error(k, item);
	TRY(rewrite_read_before(a, item, text, &was));
	for (size_t r = 0; r < n; r++)
		for (size_t j = 0; j < was.constraints_n; j++) {
			const struct kn_constraint *x = &was.constraints[j];

			if (x->op == rules[r].op && x->target == rules[r].target &&
			    str_eq(x->pattern, rules[r].pattern) &&
			    str_eq(x->version, rules[r].version) &&
			    rewrite_same_strs(&x->applies_to, &rules[r].applies_to))
				return err_help(err_new(E_EXISTS,
							"rule %u of '%.*s' says this already: %s "
							"%s %.*s",
							x->index, STR_ARG(was.id),
							kn_operators[x->op], kn_targets[x->target],
							STR_ARG(x->pattern)),
						"'ikm know test %.*s' shows what it stops",
						STR_ARG(was.id));
		}
	TRY(kn_text_parse(a, text, &t));
	rules_place(a, &t, &was, rules, n, &edits);
	*out = kn_edits_apply(a, text, &edits);
	TRY(rewrite_parse_item(a, item, *out, &after, &i));
	*now = after.items.p[i];
	if (rules_read_as_meant(&was, now, rules, n, first))
		return NULL;
	return err_help(err_new(E_BAD_MARKDOWN,
				"'%.*s' was not changed: ikm cannot add a rule in this form of the "
				"file",
				STR_ARG(item->shown_path)),
			"write it by hand: man ikm-knowledge, 'Constraints'");
}

struct err *knowledge_no_such_rule_error(struct arena *a, const struct kn_item *item,
					 const char *parameter, int64_t number)
{
	struct buf all = buf_in(a);

	for (size_t i = 0; i < item->constraints_n; i++)
		buf_fmt(&all, "%s%u", i ? ", " : "; allowed: ", item->constraints[i].index);
	return err_help(
		err_for_param(E_OUT_OF_RANGE, str_of(parameter), "'%.*s' has no rule %jd%.*s",
			      STR_ARG(item->id), (intmax_t)number,
			      STR_ARG(all.n ? buf_as_str(&all) : STR(", and no other rule"))),
		"'ikm know %s %.*s' shows %s", all.n ? "test" : "show", STR_ARG(item->id),
		all.n ? "its rules with their numbers" : "the item");
}

struct err *knowledge_remove_rule(struct arena *a, const struct knowledge *k,
				  const struct kn_item *item, struct str text, unsigned index,
				  struct kn_constraint *removed, struct str *out)
{
	struct kn_edits edits = {0};
	struct knowledge after = {0};
	struct kn_item was;
	struct kn_text t;
	const struct val *v;
	size_t i, end = 0, at;

	if (item->broken)
		return rewrite_broken_item_error(k, item);
	TRY(rewrite_read_before(a, item, text, &was));
	for (i = 0; i < was.constraints_n && was.constraints[i].index != index; i++)
		;
	if (i == was.constraints_n)
		return knowledge_no_such_rule_error(a, &was, "remove", index);
	*removed = was.constraints[i];
	TRY(kn_text_parse(a, text, &t));
	v = val_get(t.front, "constraints");
	if (!rules_cut(a, &t, v, t.front_end, removed->at.from, &edits)) {
		v = rules_in_section(a, &t, &end);
		rules_cut(a, &t, v, end, removed->at.from, &edits);
	}
	*out = kn_edits_apply(a, text, &edits);
	TRY(rewrite_parse_item(a, item, *out, &after, &i));
	/* With the rule added the new text reads as the old one. */
	if (!after.items.p[i].broken &&
	    rules_read_as_meant(&after.items.p[i], &was, removed, 1, &at))
		return NULL;
	return err_help(err_new(E_BAD_MARKDOWN,
				"'%.*s' was not changed: ikm cannot remove a rule in this form of "
				"the file",
				STR_ARG(item->shown_path)),
			"remove it by hand: the rule begins in line %zu", removed->place.line);
}
