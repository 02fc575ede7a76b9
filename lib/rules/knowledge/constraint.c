/* Reads constraints from the front matter, and from fenced yaml under "## Constraints". */
#include "knowledge/read.h"
#include "yaml/yaml.h"

#define CONSTRAINTS_MAX 1000

struct loader {
	struct kn_reading *r;
	const struct md_block *block; /* of the list; NULL: the front matter */
	bool shifted;                 /* the fence is indented: offsets are into the block's text */
	unsigned index;               /* of the constraint that is being read */
	bool bad;
	struct VEC(struct kn_constraint) list;
};

/*
 * Converts an offset in the YAML to one in the file. In an indented block the result is the start
 * of the line.
 */
static size_t in_file(const struct loader *l, size_t at)
{
	struct str text = l->r->text;
	size_t lines, from, nl;

	if (!l->shifted)
		return at;
	lines = str_place_of_offset(l->block->text, at).line;
	for (from = l->block->at.from;
	     lines-- && (nl = str_find_char(text, '\n', from)) != SIZE_MAX;)
		from = nl + 1;
	return from;
}

PRINTF(4, 5)
static void constraint_broken(struct loader *l, enum kn_rule rule, const struct val *v,
			      const char *fmt, ...)
{
	struct buf b = buf_in(l->r->a);

	BUF_ARGS(&b, fmt);
	kn_note(l->r, KN_BROKEN, rule, in_file(l, v->at.from), "constraint %u: %.*s", l->index,
		STR_ARG(buf_as_str(&b)));
	l->bad = true;
}

/* ---- members ---- */

/* One constraint as it is written. */
struct constraint_written {
	struct kn_constraint c;
	int op, target, severity; /* -1: not given, or wrong */
};
#define W    struct constraint_written
#define TEXT .min = 1, .max = INT64_MAX, .flags = OR_NUMBER
/* Words are in lower case, as the manual has them. */
static const struct field example_rows[] = {
	FIELD_OF(struct kn_examples, stops, "what the rule stops", TEXT | OPTIONAL | OR_ONE),
	FIELD_OF(struct kn_examples, passes, "what it lets pass", TEXT | OPTIONAL | OR_ONE),
	{0},
};
static const struct field constraint_rows[] = {
	FIELD_NAMED(W, op, "operator", kn_operators, "the kind of demand", TEXT),
	FIELD_NAMED(W, target, "target", kn_targets, "what the rule looks at", TEXT),
	FIELD_AS(W, c.pattern, "pattern", "the pattern that the target is compared with", TEXT),
	FIELD_AS(W, c.applies_to, "appliesTo", "globs of files", TEXT | OPTIONAL | OR_ONE),
	FIELD_NAMED(W, severity, "severity", kn_severities, "the severity of a violation",
		    TEXT | OPTIONAL),
	FIELD_AS(W, c.message, "message", "the message of a violation", TEXT | OPTIONAL),
	FIELD_AS(W, c.version, "version", "a range of versions, for a dependency", TEXT | OPTIONAL),
	FIELD_AS(W, c.use_instead, "useInstead", "what to use instead", TEXT | OPTIONAL),
	FIELD_RECORD(W, c.examples, "examples", example_rows, "what the rule stops and lets pass",
		     .flags = OPTIONAL),
	FIELD_AS(W, c.runtimes, "runtimes", "whether runtimes count as packages",
		 .flags = OPTIONAL),
	FIELD_AS(W, c.waivable, "waivable", "whether a change may waive it", .flags = OPTIONAL),
	{0},
};
#undef W
#undef TEXT

/* Notes the problem. Reading continues. */
static struct err *constraint_wrong(void *ctx, const struct record_problem *p)
{
	struct loader *l = ctx;
	struct arena *a = l->r->a;
	struct str name = p->field ? str_of(p->field->name) : p->at->key, near;
	struct strs allowed;
	const char *want = !p->in ? "a mapping with operator, target and pattern"
			   : !p->field || p->field->type == F_OBJ
				   ? "a mapping with stops and passes"
			   : p->field->type == F_BOOL ? "true or false"
						      : "a string";

	switch (p->reason) {
	case E_UNKNOWN_PARAMETER:
		allowed = record_field_names(a, p->fields);
		near = str_nearest(name, &allowed);
		constraint_broken(l, KN_RULE_CONSTRAINT_KEY, p->at, "'%.*s' is unknown%s%.*s%s",
				  STR_ARG(name), near.n ? ": did you mean '" : "; allowed: ",
				  STR_ARG(near.n ? near : str_join(a, &allowed, ", ")),
				  near.n ? "'?" : "");
		break;
	case E_MISSING_PARAMETER:
		constraint_broken(l, KN_RULE_CONSTRAINT, p->at, "'%.*s' is missing", STR_ARG(name));
		break;
	case E_NOT_IN_ENUM:
		constraint_broken(l, KN_RULE_CONSTRAINT, p->at,
				  "%.*s '%.*s' is unknown; allowed: %.*s", STR_ARG(name),
				  STR_ARG(p->at->s), STR_ARG(kn_choices(a, p->field->choices)));
		break;
	case E_OUT_OF_RANGE:
		/* appliesTo: [] restricts nothing. */
		if (p->at->type != VAL_LIST)
			constraint_broken(l, KN_RULE_CONSTRAINT, p->at, "'%.*s' is empty",
					  STR_ARG(name));
		break;
	default:
		constraint_broken(l, KN_RULE_CONSTRAINT, p->at, "%.*s must be %s, not %s%s",
				  STR_ARG(p->in ? str_fmt(a, "'%.*s'", STR_ARG(name)) : STR("it")),
				  want, val_type_name(p->at->type),
				  p->at->type == VAL_BOOL ? ": put it in quotes" : "");
	}
	return NULL;
}

/* ---- patterns ---- */

struct err *knowledge_compile_pattern(struct arena *a, struct kn_constraint *c)
{
	bool must_match = c->op == KN_OP_MUST_MATCH || c->op == KN_OP_MUST_NOT_MATCH;
	bool exist = c->op == KN_OP_MUST_EXIST || c->op == KN_OP_MUST_NOT_EXIST;

	switch (c->target) {
	case KN_TARGET_DEPENDENCY:
	case KN_TARGET_IMPORT: return re_new(a, c->pattern, RE_ICASE | RE_WHOLE, &c->re);
	case KN_TARGET_CODE:
		return re_new(a, c->pattern, RE_MULTILINE | RE_ANY_END | RE_CRLF, &c->re);
	case KN_TARGET_CONFIG: return exist ? NULL : re_new(a, c->pattern, 0, &c->re);
	case KN_TARGET_FILE: break;
	}
	return must_match ? re_new(a, c->pattern, 0, &c->re) : glob_new(a, c->pattern, &c->glob);
}

static void constraint_read_pattern(struct loader *l, const struct val *v, struct kn_constraint *c)
{
	struct err *e;

	if (c->pattern.n > RE_PATTERN_MAX)
		constraint_broken(l, KN_RULE_PATTERN, v,
				  "the pattern has %zu bytes, and %zu are allowed", c->pattern.n,
				  RE_PATTERN_MAX);
	else if ((e = knowledge_compile_pattern(l->r->a, c)))
		constraint_broken(l, KN_RULE_PATTERN, v, "pattern '%.*s': %s",
				  STR_ARG(str_sub(c->pattern, 0, 200)), err_message(e));
}

/* ---- examples ---- */

/* The place of each text of a list that record_from_val() has read, wrong members left out. */
static const struct place *constraint_places(struct loader *l, const struct val *v, size_t n)
{
	struct place *places = arena_array(l->r->a, n, sizeof(*places));
	bool alone = n && v->type != VAL_LIST;
	size_t i = 0;

	for (const struct val *m = alone ? v : n ? v->first : NULL; m; m = alone ? NULL : m->next)
		if (i < n && (m->type == VAL_STR || m->type == VAL_NUM) && m->s.n)
			places[i++] = kn_place_of_offset(l->r, in_file(l, m->at.from));
	return places;
}

/* ---- lists ---- */

static void constraint_wrong_target(struct loader *l, const struct val *v,
				    const struct kn_constraint *c)
{
	bool exist = c->op == KN_OP_MUST_EXIST || c->op == KN_OP_MUST_NOT_EXIST;
	struct buf other = buf_in(l->r->a);
	struct strs targets = {0};

	for (int i = 0; kn_targets[i]; i++)
		if (kn_operator_rows[c->op].targets & 1U << i)
			strs_push(l->r->a, &targets, str_of(kn_targets[i]));
	if (exist)
		buf_fmt(&other, "; for %s use %s", kn_targets[c->target],
			c->op == KN_OP_MUST_EXIST ? "must_use" : "must_not_use");
	constraint_broken(l, KN_RULE_CONSTRAINT, v, "%s is for target%s %.*s%.*s",
			  kn_operators[c->op], targets.n > 1 ? "s" : "",
			  STR_ARG(str_join(l->r->a, &targets, " and ")),
			  STR_ARG(buf_as_str(&other)));
}

static void constraint_read_one(struct loader *l, const struct val *map)
{
	const struct record_reader how = {
		.unknown = RECORD_REFUSED, .wrong = constraint_wrong, .ctx = l};
	struct constraint_written w = {.op = -1, .target = -1, .severity = -1};
	const struct val *examples = val_get(map, "examples");
	struct kn_constraint *c = &w.c;
	struct err *e;

	l->bad = false;
	c->message = c->version = c->use_instead = (struct str){"", 0};
	c->index = ++l->index;
	c->at = l->shifted ? l->block->at : map->at;
	c->place = kn_place_of_offset(l->r, in_file(l, map->at.from));
	c->waivable = true;
	if (record_from_val(l->r->a, &how, constraint_rows, map, &w))
		return;
	c->examples.stops_at =
		constraint_places(l, val_get(examples, "stops"), c->examples.stops.n);
	c->examples.passes_at =
		constraint_places(l, val_get(examples, "passes"), c->examples.passes.n);
	c->severity = w.severity < 0 ? l->r->item->severity : (enum kn_severity)w.severity;
	e = globs_new(l->r->a, &c->applies_to, &c->applies);
	if (e)
		constraint_broken(l, KN_RULE_PATTERN, val_get(map, "appliesTo"), "appliesTo: %s",
				  err_message(e));
	if (w.op < 0 || w.target < 0)
		return;
	c->op = (enum kn_operator)w.op;
	c->target = (enum kn_target)w.target;
	if (c->version.n && c->target != KN_TARGET_DEPENDENCY)
		constraint_broken(l, KN_RULE_CONSTRAINT, val_get(map, "version"),
				  "'version' is for target dependency only");
	if (val_get(map, "runtimes") && c->target != KN_TARGET_DEPENDENCY)
		constraint_broken(l, KN_RULE_CONSTRAINT, val_get(map, "runtimes"),
				  "'runtimes' is for target dependency only");
	if (!(kn_operator_rows[w.op].targets & 1U << w.target))
		constraint_wrong_target(l, val_get(map, "operator"), c);
	else if (c->pattern.p)
		constraint_read_pattern(l, val_get(map, "pattern"), c);
	if (!l->bad)
		*VEC_PUSH(l->r->a, &l->list) = *c;
}

static void constraint_read_list(struct loader *l, const struct val *v)
{
	/* A block may repeat the key before the list. */
	if (l->block && v->type == VAL_MAP && v->n == 1 && val_get(v, "constraints"))
		v = val_get(v, "constraints");
	if (v->type == VAL_NULL)
		return;
	if (l->block && val_get(v, "operator")) {
		constraint_read_one(l, v);
	} else if (v->type != VAL_LIST) {
		kn_note(l->r, KN_BROKEN, KN_RULE_CONSTRAINT, in_file(l, v->at.from),
			"constraints must be a list, not %s", val_type_name(v->type));
	} else {
		VAL_EACH(v, m) {
			if (l->index == CONSTRAINTS_MAX) {
				constraint_broken(
					l, KN_RULE_CONSTRAINT, m,
					"the constraints after it are not read: an item has at most %u",
					CONSTRAINTS_MAX);
				return;
			}
			constraint_read_one(l, m);
		}
	}
}

/* ---- the section ---- */

static bool is_yaml(const struct md_block *b)
{
	struct str info = b->info, word;

	return b->type == MD_CODE && str_next_part(&info, ' ', &word) &&
	       (str_ieq(word, STR("yaml")) || str_ieq(word, STR("yml")));
}

/* Whether a line of the text begins with the key, without indentation. */
static bool has_key(struct str text, const char *key)
{
	struct str line;

	while (str_next_line(&text, &line))
		if (str_starts(line, str_of(key)))
			return true;
	return false;
}

static bool is_section(const struct md_block *b)
{
	return b->type == MD_HEADING && !b->depth && b->level > 1 &&
	       str_ieq(kn_heading_text(b), STR("constraints"));
}

/* A section, and the last block of yaml in it that looks like rules; NULL: there is none. */
struct section {
	size_t from, end;
	const struct md_block *rules;
};

static bool next_section(const struct kn_reading *r, size_t *i, struct section *s)
{
	while (*i < r->md.n && !is_section(&r->md.p[*i]))
		++*i;
	if (*i == r->md.n)
		return false;
	*s = (struct section){.from = *i, .end = kn_section_end(&r->md, *i)};
	for (size_t j = s->from + 1; j < s->end; j++)
		if (is_yaml(&r->md.p[j]) && kn_looks_like_rules(r->md.p[j].text))
			s->rules = &r->md.p[j];
	*i = s->end;
	return true;
}

bool kn_in_constraints(const struct kn_reading *r, size_t at)
{
	struct section s;
	size_t i = 0;

	while (next_section(r, &i, &s))
		if (at >= r->md.p[s.from].at.from &&
		    (s.end == r->md.n || at < r->md.p[s.end].at.from))
			return true;
	return false;
}

/* Whether the value has no rule of ikm's: it may be a sample, or another program's constraints. */
static bool is_sample(const struct val *v)
{
	if (v->type == VAL_MAP)
		return !val_get(v, "operator") && !val_get(v, "constraints");
	if (v->type != VAL_LIST)
		return true;
	VAL_EACH(v, m)
		if (val_get(m, "operator") && (val_get(m, "target") || val_get(m, "pattern") ||
					       str_starts(val_get_str(m, "operator"), STR("must"))))
			return false;
	return true;
}

static void read_block(struct loader *l, const struct md_block *b)
{
	struct kn_reading *r = l->r;
	struct str whole = r->text, text = b->body;
	size_t at = 0, line = 0;
	struct val *v;
	struct err *e;

	l->block = b;
	l->shifted = !b->body.n && b->text.n;
	if (l->shifted) {
		/* The text has the file's lines without indentation, so notes give lines only. */
		text = b->text;
		whole = (struct str){"", 0};
		line = str_place_of_offset(r->text, b->at.from).line;
	} else {
		at = (size_t)(b->body.p - r->text.p);
	}
	if (!text.n)
		return;
	e = yaml_read(r->a, text, whole, at, &v);
	if (e)
		kn_note_yaml(r, b, line, e);
	else if (!is_sample(v))
		constraint_read_list(l, v);
}

const struct md_block *kn_rules_block(const struct kn_reading *r)
{
	const struct md_block *found = NULL;
	struct section s;
	size_t i = 0;

	while (next_section(r, &i, &s))
		found = s.rules ? s.rules : found;
	return found;
}

bool kn_has_rules(struct kn_reading *r)
{
	const struct val *v = val_get(r->front, "constraints");

	return (v && v->type != VAL_NULL && !(v->type == VAL_LIST && !v->n)) || kn_rules_block(r);
}

/* Warns once per file, because a file that explains rules has many samples. */
static void check_blocks(struct kn_reading *r)
{
	const struct md_block *head = NULL;
	size_t end = 0; /* of the section of constraints */

	for (size_t i = 0; i < r->md.n; i++) {
		const struct md_block *b = &r->md.p[i];

		if (b->type == MD_HEADING && !b->depth)
			head = b;
		if (i >= end && is_section(b))
			end = kn_section_end(&r->md, i);
		if (i >= end && b->type == MD_CODE && kn_looks_like_rules(b->text)) {
			struct strs known = {0};

			/* Warns of rules under a misspelled heading ("## Constrains"), or outside
			 * any such section. */
			strs_push(r->scratch, &known, STR("constraints"));
			if (head &&
			    str_nearest(str_lower(r->scratch, kn_heading_text(head)), &known).n)
				kn_note(r, KN_WARNING, KN_RULE_RULES_UNREAD, head->at.from,
					"the section '%.*s' is not read: did you mean "
					"'## Constraints'?",
					STR_ARG(head->text));
			else
				kn_note(r, KN_WARNING, KN_RULE_RULES_UNREAD, b->at.from,
					"the rules in this block are not read: put them into the "
					"front matter, or into ```yaml below '## Constraints'");
			return;
		}
	}
}

void kn_read_constraints(struct kn_reading *r)
{
	struct loader l = {.r = r};
	const struct val *v = val_get(r->front, "constraints");
	struct section s;
	size_t i = 0;

	if (v)
		constraint_read_list(&l, v);
	while (next_section(r, &i, &s))
		for (size_t j = s.from + 1; j < s.end; j++) {
			const struct md_block *b = &r->md.p[j];

			if (b->type != MD_CODE)
				continue;
			if (is_yaml(b) && kn_looks_like_rules(b->text))
				read_block(&l, b);
			else if (kn_looks_like_rules(b->text))
				kn_note(r, KN_WARNING, KN_RULE_RULES_UNREAD, b->at.from,
					"this block looks like rules and is not read: begin it "
					"with ```yaml");
			else if (is_yaml(b) && has_key(b->text, "constraints:"))
				kn_note(r, KN_WARNING, KN_RULE_RULES_UNREAD, b->at.from,
					"this block has no rule with an 'operator', so it enforces "
					"nothing");
		}
	check_blocks(r);
	r->item->constraints = l.list.p;
	r->item->constraints_n = l.list.n;
}

struct strs knowledge_globs_prefix_folder(struct arena *a, struct str folder,
					  const struct strs *globs)
{
	struct buf quoted = buf_in(a);
	struct strs out = {0};

	if (!folder.n)
		return *globs;
	for (size_t i = 0; i < folder.n; i++) {
		if (strchr("*?[]{}!\\", folder.p[i]))
			buf_putc(&quoted, '\\');
		buf_putc(&quoted, folder.p[i]);
	}
	for (size_t i = 0; i < globs->n; i++) {
		bool negated = str_starts(globs->p[i], STR("!"));
		struct str s = str_sub(globs->p[i], negated, globs->p[i].n);
		size_t slash = str_find_char(s, '/', 0);
		/* As in .gitignore: a glob without a slash fits at any depth. */
		bool deep = slash == SIZE_MAX || slash + 1 == s.n;

		strs_push(a, &out,
			  str_fmt(a, "%s%.*s/%s%.*s", negated ? "!" : "",
				  STR_ARG(buf_as_str(&quoted)), deep ? "**/" : "",
				  STR_ARG(str_sub(s, !slash, s.n))));
	}
	return out;
}
