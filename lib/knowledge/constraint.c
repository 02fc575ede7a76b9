/* Reads constraints from the front matter, and from fenced yaml under "## Constraints". */
#include "knowledge/read.h"
#include "yaml/yaml.h"

#define CONSTRAINTS_MAX 1000

/* The place of a list of constraints in the file. */
struct place_of {
	const struct md_block *block; /* NULL: the front matter */
	bool shifted;                 /* the fence is indented: offsets are into the block's text */
};

struct loader {
	struct kn_reading *r;
	struct place_of in;
	unsigned index; /* of the constraint that is being read */
	bool bad;
	struct {
		struct kn_constraint *p;
		size_t n, cap;
	} list;
};

static const char *const members[] = {"operator", "target",  "pattern",    "appliesTo", "severity",
				      "message",  "version", "useInstead", "waivable",  NULL};

/* The offset behind the next `lines` newlines after `at`. */
static size_t lines_below(struct str text, size_t at, size_t lines)
{
	while (lines--) {
		size_t nl = str_find_char(text, '\n', at);

		if (nl == SIZE_MAX)
			break;
		at = nl + 1;
	}
	return at;
}

/*
 * Converts an offset in the YAML to one in the file. In an indented block the result is the start
 * of the line.
 */
static size_t in_file(const struct loader *l, size_t at)
{
	if (!l->in.shifted)
		return at;
	return lines_below(l->r->text, l->in.block->at.from, str_place(l->in.block->text, at).line);
}

PRINTF(3, 4)
static void constraint_broken(struct loader *l, const struct val *v, const char *fmt, ...)
{
	struct buf b = buf_in(l->r->a);
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	kn_note(l->r, KN_BROKEN, in_file(l, v->at.from), "constraint %u: %.*s", l->index,
		STR_ARG(buf_str(&b)));
	l->bad = true;
}

/* ---- members ---- */

static const struct val *constraint_required(struct loader *l, const struct val *map,
					     const char *key)
{
	const struct val *v = val_get(map, key);

	if (!v)
		constraint_broken(l, map, "'%s' is missing", key);
	return v;
}

/* Reads a string; a number gives its text. */
static bool constraint_text_of(struct loader *l, const struct val *v, struct str name,
			       struct str *out)
{
	if (v->type != VAL_STR && v->type != VAL_NUM) {
		constraint_broken(l, v, "'%.*s' must be a string, not %s%s", STR_ARG(name),
				  val_type_name(v->type),
				  v->type == VAL_BOOL ? ": put it in quotes" : "");
		return false;
	}
	if (!v->s.n) {
		constraint_broken(l, v, "'%.*s' is empty", STR_ARG(name));
		return false;
	}
	*out = v->s;
	return true;
}

/* The words must be in lower case, as in the manual. */
static int constraint_word_of(struct loader *l, const struct val *v, const char *const *list)
{
	struct str word = {"", 0};
	int n = -1;

	if (!v || !constraint_text_of(l, v, v->key, &word))
		return -1;
	n = kn_word(list, word);
	if (n >= 0 && str_is(word, list[n]))
		return n;
	constraint_broken(l, v, "%.*s '%.*s' is unknown; allowed: %.*s", STR_ARG(v->key),
			  STR_ARG(word), STR_ARG(kn_choices(l->r->a, list)));
	return -1;
}

static void read_applies(struct loader *l, const struct val *v, struct kn_constraint *c)
{
	struct err *e;
	struct str s;

	if (v->type == VAL_LIST) {
		VAL_EACH(v, m) {
			if (constraint_text_of(l, m, v->key, &s))
				strs_push(l->r->a, &c->applies_to, s);
		}
	} else if (constraint_text_of(l, v, v->key, &s)) {
		strs_push(l->r->a, &c->applies_to, s);
	}
	e = globs_new(l->r->a, &c->applies_to, &c->applies);
	if (e)
		constraint_broken(l, v, "appliesTo: %s", err_message(e));
}

static void read_optional(struct loader *l, const struct val *map, struct kn_constraint *c)
{
	const struct val *v;
	int n;

	if ((v = val_get(map, "severity")) && (n = constraint_word_of(l, v, kn_severities)) >= 0)
		c->severity = (enum kn_severity)n;
	if ((v = val_get(map, "appliesTo")))
		read_applies(l, v, c);
	if ((v = val_get(map, "message")))
		constraint_text_of(l, v, v->key, &c->message);
	if ((v = val_get(map, "useInstead")))
		constraint_text_of(l, v, v->key, &c->use_instead);
	if ((v = val_get(map, "version"))) {
		constraint_text_of(l, v, v->key, &c->version);
		if (c->target != KN_TARGET_DEPENDENCY)
			constraint_broken(l, v, "'version' is for target dependency only");
	}
	if ((v = val_get(map, "waivable"))) {
		if (v->type == VAL_BOOL)
			c->waivable = v->b;
		else
			constraint_broken(l, v, "'waivable' must be true or false, not %s",
					  val_type_name(v->type));
	}
}

static void check_members(struct loader *l, const struct val *map)
{
	VAL_EACH(map, m) {
		struct strs known = {0};
		struct str near;
		size_t i = 0;

		for (i = 0; members[i] && !str_is(m->key, members[i]); i++)
			strs_push(l->r->a, &known, str_of(members[i]));
		if (members[i])
			continue;
		near = str_nearest(m->key, &known);
		if (near.n)
			constraint_broken(l, m, "'%.*s' is unknown: did you mean '%.*s'?",
					  STR_ARG(m->key), STR_ARG(near));
		else
			constraint_broken(l, m, "'%.*s' is unknown; allowed: %.*s", STR_ARG(m->key),
					  STR_ARG(kn_choices(l->r->a, members)));
	}
}

/* ---- patterns ---- */

static struct err *constraint_compile(struct arena *a, struct kn_constraint *c)
{
	bool must_match = c->op == KN_OP_MUST_MATCH || c->op == KN_OP_MUST_NOT_MATCH;
	bool exist = c->op == KN_OP_MUST_EXIST || c->op == KN_OP_MUST_NOT_EXIST;

	switch (c->target) {
	case KN_TARGET_DEPENDENCY:
	case KN_TARGET_IMPORT:
		return re_new(a, c->pattern, RE_ICASE | RE_WHOLE, &c->re);
	case KN_TARGET_CODE:
		return re_new(a, c->pattern, RE_MULTILINE, &c->re);
	case KN_TARGET_CONFIG:
		return exist ? NULL : re_new(a, c->pattern, 0, &c->re);
	case KN_TARGET_FILE:
		break;
	}
	return must_match ? re_new(a, c->pattern, 0, &c->re) : glob_new(a, c->pattern, &c->glob);
}

static void constraint_read_pattern(struct loader *l, const struct val *v, struct kn_constraint *c)
{
	struct err *e;

	if (!constraint_text_of(l, v, v->key, &c->pattern))
		return;
	if (c->pattern.n > RE_PATTERN_MAX) {
		constraint_broken(l, v, "the pattern has %zu bytes, and %zu are allowed",
				  c->pattern.n, RE_PATTERN_MAX);
		return;
	}
	e = constraint_compile(l->r->a, c);
	if (e)
		constraint_broken(l, v, "pattern '%.*s': %s", STR_ARG(str_sub(c->pattern, 0, 200)),
				  err_message(e));
}

/* ---- lists ---- */

static void constraint_read_one(struct loader *l, const struct val *map)
{
	struct kn_constraint c = {.severity = l->r->item->severity, .waivable = true};
	const struct val *v;
	int op, target;

	l->index++;
	l->bad = false;
	if (map->type != VAL_MAP) {
		constraint_broken(l, map,
				  "it must be a mapping with operator, target and pattern, not %s",
				  val_type_name(map->type));
		return;
	}
	c.message = c.version = c.use_instead = (struct str){"", 0};
	c.index = l->index;
	c.at = l->in.shifted ? l->in.block->at : map->at;
	check_members(l, map);
	op = constraint_word_of(l, constraint_required(l, map, "operator"), kn_operators);
	target = constraint_word_of(l, constraint_required(l, map, "target"), kn_targets);
	v = constraint_required(l, map, "pattern");
	if (op < 0 || target < 0)
		return;
	c.op = (enum kn_operator)op;
	c.target = (enum kn_target)target;
	if ((c.op == KN_OP_MUST_EXIST || c.op == KN_OP_MUST_NOT_EXIST) &&
	    c.target != KN_TARGET_CONFIG && c.target != KN_TARGET_FILE)
		constraint_broken(l, val_get(map, "operator"),
				  "%s is for targets config and file; for %s use %s",
				  kn_operators[op], kn_targets[target],
				  c.op == KN_OP_MUST_EXIST ? "must_use" : "must_not_use");
	else if (v)
		constraint_read_pattern(l, v, &c);
	read_optional(l, map, &c);
	if (!l->bad)
		*VEC_PUSH(l->r->a, &l->list) = c;
}

static void constraint_read_list(struct loader *l, const struct val *v)
{
	/* A block may repeat the key before the list. */
	if (l->in.block && v->type == VAL_MAP && v->n == 1 && val_get(v, "constraints"))
		v = val_get(v, "constraints");
	if (v->type == VAL_NULL)
		return;
	if (l->in.block && val_get(v, "operator")) {
		constraint_read_one(l, v);
	} else if (v->type != VAL_LIST) {
		kn_note(l->r, KN_BROKEN, in_file(l, v->at.from),
			"constraints must be a list, not %s", val_type_name(v->type));
	} else {
		VAL_EACH(v, m) {
			if (l->index == CONSTRAINTS_MAX) {
				constraint_broken(
					l, m,
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

	if (b->type != MD_CODE || !str_split(&info, ' ', &word))
		return false;
	return str_ieq(word, STR("yaml")) || str_ieq(word, STR("yml"));
}

/* Whether a line of the text begins with the key, without indentation. */
static bool has_key(struct str text, const char *key)
{
	struct str line;

	while (str_line(&text, &line))
		if (str_starts(line, str_of(key)))
			return true;
	return false;
}

static bool is_section(const struct md_block *b)
{
	return b->type == MD_HEADING && !b->depth && b->level > 1 &&
	       str_ieq(kn_heading(b), STR("constraints"));
}

/* A section, and how many code blocks in it look like rules: in yaml, in other languages. */
struct section {
	size_t from, end, yaml, code;
};

static bool next_section(const struct kn_reading *r, size_t *i, struct section *s)
{
	while (*i < r->md.n && !is_section(&r->md.p[*i]))
		++*i;
	if (*i == r->md.n)
		return false;
	*s = (struct section){.from = *i, .end = kn_section_end(&r->md, *i)};
	for (size_t j = s->from + 1; j < s->end; j++) {
		const struct md_block *b = &r->md.p[j];

		if (b->type != MD_CODE || !kn_looks_like_rules(b->text))
			continue;
		if (is_yaml(b))
			s->yaml++;
		else
			s->code++;
	}
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

	l->in = (struct place_of){.block = b, .shifted = !b->body.n && b->text.n};
	if (l->in.shifted) {
		/* The text has the file's lines without indentation, so notes give lines only. */
		text = b->text;
		whole = (struct str){"", 0};
		line = str_place(r->text, b->at.from).line;
	} else {
		at = (size_t)(b->body.p - r->text.p);
	}
	if (!text.n)
		return;
	e = yaml_read(r->a, text, whole, at, &v);
	if (e)
		kn_note_yaml(r, "the constraints block", line, e);
	else if (!is_sample(v))
		constraint_read_list(l, v);
}

static void constraint_read_section(struct loader *l, const struct section *s)
{
	struct kn_reading *r = l->r;

	for (size_t i = s->from + 1; i < s->end; i++) {
		const struct md_block *b = &r->md.p[i];

		if (b->type != MD_CODE)
			continue;
		if (is_yaml(b) && kn_looks_like_rules(b->text))
			read_block(l, b);
		else if (kn_looks_like_rules(b->text))
			kn_note(r, KN_WARNING, b->at.from,
				"this block looks like rules and is not read: begin it with ```yaml");
		else if (is_yaml(b) && has_key(b->text, "constraints:"))
			kn_note(r, KN_WARNING, b->at.from,
				"this block has no rule with an 'operator', so it enforces nothing");
	}
}

bool kn_has_rules(struct kn_reading *r)
{
	const struct val *v = val_get(r->front, "constraints");
	struct section s;
	size_t i = 0;

	if (v && v->type != VAL_NULL && !(v->type == VAL_LIST && !v->n))
		return true;
	while (next_section(r, &i, &s))
		if (s.yaml)
			return true;
	return false;
}

/* Warns of rules under a misspelled heading ("## Constrains"), or outside any such section. */
static void check_block(struct kn_reading *r, const struct md_block *head, const struct md_block *b)
{
	struct strs known = {0};

	strs_push(r->scratch, &known, STR("constraints"));
	if (head && str_nearest(str_lower(r->scratch, kn_heading(head)), &known).n)
		kn_note(r, KN_WARNING, head->at.from,
			"the section '%.*s' is not read: did you mean '## Constraints'?",
			STR_ARG(head->text));
	else
		kn_note(r, KN_WARNING, b->at.from,
			"the rules in this block are not read: put them into the front matter, or "
			"into ```yaml below '## Constraints'");
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
			check_block(r, head, b);
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
		constraint_read_section(&l, &s);
	check_blocks(r);
	r->item->constraints = l.list.p;
	r->item->constraints_n = l.list.n;
}
