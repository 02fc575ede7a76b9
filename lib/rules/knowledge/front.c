/*
 * Finds and reads the front matter, and reports text that looks like front matter and is not.
 * Without the report, rules would be lost while the item still looks accepted.
 */
#include "knowledge/read.h"
#include "yaml/yaml.h"

#define BOM "\xef\xbb\xbf"

/* ---- before the front matter ---- */

/* Blanks, and the invisible characters that editors leave. */
static bool is_blank_line(struct str s)
{
	static const char *const blanks[] = {" ",  "\t", "\r",       "\n",           "\f",
					     "\v", BOM,  "\xc2\xa0", "\xe2\x80\x8b", "\xe2\x81\xa0",
					     NULL};
	size_t i = 0;

	while (blanks[i])
		if (str_starts(s, str_of(blanks[i]))) {
			s = str_sub(s, strlen(blanks[i]), s.n);
			i = 0;
		} else {
			i++;
		}
	return !s.n;
}

/*
 * The length of a comment at the front, to the end of its line: "<!-- … -->" or "[//]: # (…)". 0:
 * no comment.
 */
static size_t front_comment(struct str s)
{
	struct str rest = s, line;
	size_t end;

	if (str_starts(s, STR("<!--"))) {
		end = str_find(s, STR("-->"), 4);
		if (end == SIZE_MAX)
			return 0;
		rest = str_sub(s, end + 3, s.n);
		if (str_next_line(&rest, &line) && !is_blank_line(line))
			return 0;
		return s.n - rest.n;
	}
	if (!str_starts(s, STR("[//]: #")) && !str_starts(s, STR("[comment]:")))
		return 0;
	str_next_line(&rest, &line);
	return s.n - rest.n;
}

/* The text from the first line that is neither blank nor part of a comment. */
static struct str front_skip(struct str text)
{
	struct str rest = text, line;
	size_t n;

	while (rest.n) {
		struct str next = rest;

		str_next_line(&next, &line);
		if (is_blank_line(line))
			rest = next;
		else if ((n = front_comment(rest)))
			rest = str_sub(rest, n, rest.n);
		else
			break;
	}
	return rest;
}

/* ---- its content ---- */

static bool front_parse(struct kn_reading *r, struct str yaml, bool first, bool *is_front)
{
	struct val *v;
	struct err *e = yaml_read(r->a, yaml, r->text, (size_t)(yaml.p - r->text.p), &v);

	*is_front = first || kn_looks_like_rules(yaml);
	if (e) {
		if (*is_front)
			kn_add_skipped_yaml(r, "the frontmatter", e);
		return false;
	}
	/* A "---" below line 1 may be a thematic break; only known members make it front matter. */
	if (v->type == VAL_MAP)
		VAL_EACH(v, m)
			*is_front = *is_front || kn_is_front_member(m->key);
	if (*is_front && v->type != VAL_MAP && v->type != VAL_NULL) {
		kn_add_skipped_item(r, KN_PASSED_FRONT_MATTER, v->at.from,
				    "the frontmatter must be a mapping, not %s",
				    val_type_name(v->type));
		return false;
	}
	if (*is_front)
		r->front = v->type == VAL_MAP ? v : NULL;
	return true;
}

/*
 * Reports TOML front matter (Hugo's "+++"), which ikm does not read. True when it may have rules,
 * so the item is unreadable. Without rules ikm only warns.
 */
static bool front_toml(struct kn_reading *r, struct str text)
{
	static const char message[] = "its front matter is TOML (+++): write it as YAML between "
				      "lines of '---'";
	size_t at = (size_t)(text.p - r->text.p);
	struct str rest = text, line;
	bool closed = false;

	if (!str_next_line(&rest, &line) || !str_is(str_trim(line), "+++"))
		return false;
	while (!closed && str_next_line(&rest, &line))
		closed = str_is(str_trim(line), "+++");
	text = str_sub(text, 0, (size_t)(rest.p - text.p));
	if (str_holds(text, "constraints") || str_holds(text, "operator")) {
		kn_add_skipped_item(r, KN_PASSED_FRONT_MATTER, at, "%s", message);
		return true;
	}
	if (closed)
		kn_note(r, KN_WARNING, KN_RULE_FRONT_MATTER, at, "%s", message);
	return false;
}

bool kn_read_front(struct kn_reading *r, struct str *body)
{
	struct str text = front_skip(r->text), yaml;
	bool unclosed, is_front, readable, first;

	*body = r->text;
	first = md_frontmatter(r->text, &yaml, body, &unclosed);
	if (!first && front_toml(r, text))
		return false;
	if (!first && !md_frontmatter(text, &yaml, body, &unclosed)) {
		*body = r->text;
		return true;
	}
	if (unclosed && (first || kn_looks_like_rules(yaml))) {
		kn_add_skipped_item(r, KN_PASSED_FRONT_MATTER, (size_t)(text.p - r->text.p),
				    "the frontmatter has no closing line '---'");
		return false;
	}
	if (!unclosed) {
		readable = front_parse(r, yaml, first, &is_front);
		if (is_front)
			return readable;
	}
	*body = r->text;
	return true;
}

/* ---- rules that are not read ---- */

/* The first rule in a value, at any depth. The YAML reader bounds depth and size. */
static const struct val *front_rule(const struct val *v)
{
	const struct val *found = NULL;

	if (v->type != VAL_MAP && v->type != VAL_LIST)
		return NULL;
	if (v->type == VAL_MAP && str_starts(val_get_str(v, "operator"), STR("must")) &&
	    (val_get(v, "target") || val_get(v, "pattern")))
		found = v;
	VAL_EACH(v, m)
		if (!found)
			found = front_rule(m);
	return found;
}

/*
 * Finds the next key "operator" from *at, with or without quotes. *value: the text behind its
 * colon.
 */
static bool next_operator(struct str text, size_t *at, struct str *value)
{
	for (size_t i = *at; (i = str_find(text, STR("operator"), i)) != SIZE_MAX; i++) {
		struct str rest = str_sub(text, i + 8, i + 72);

		if (rest.n && (rest.p[0] == '"' || rest.p[0] == '\''))
			rest = str_sub(rest, 1, rest.n);
		while (rest.n && (rest.p[0] == ' ' || rest.p[0] == '\t'))
			rest = str_sub(rest, 1, rest.n);
		if ((i && (ascii_is_word(text.p[i - 1]) || text.p[i - 1] == '-')) ||
		    !str_starts(rest, STR(":")))
			continue;
		*value = str_trim(str_sub(rest, 1, rest.n));
		*at = i;
		return true;
	}
	return false;
}

static bool is_rule_word(struct str value)
{
	if (value.n && (value.p[0] == '"' || value.p[0] == '\''))
		value = str_sub(value, 1, value.n);
	return str_starts(value, STR("must_")) || str_starts(value, STR("must-"));
}

bool kn_looks_like_rules(struct str text)
{
	struct str value;
	size_t at = 0;
	bool parts = str_holds(text, "pattern") || str_holds(text, "target");

	for (; next_operator(text, &at, &value); at++)
		if (parts || is_rule_word(value))
			return true;
	return false;
}

/*
 * Whether only markup of lists, quotes, tables and flow maps stands before the offset on its line.
 */
static bool begins_line(struct str text, size_t at)
{
	while (at && text.p[at - 1] != '\n')
		if (!strchr(" \t\r-*+>|{[\"',", text.p[--at]) || !text.p[at])
			return false;
	return true;
}

/*
 * The block of code or HTML that holds the offset, or NULL. Callers pass offsets in ascending
 * order; *i keeps the position.
 */
static const struct md_block *knowledge_front_block_at(const struct md *md, size_t at, size_t *i)
{
	for (; *i < md->n && md->p[*i].at.from <= at; ++*i) {
		const struct md_block *b = &md->p[*i];

		if ((b->type == MD_CODE || b->type == MD_HTML) && at < b->at.to)
			return b;
	}
	return NULL;
}

/*
 * Reports rules in the text: front matter at a wrong place, or a list without a fence. Code blocks
 * are left to kn_read_constraints.
 */
static void front_text(struct kn_reading *r, struct str body)
{
	size_t offset = (size_t)(body.p - r->text.p), i = 0;
	bool parts = str_holds(body, "pattern:") || str_holds(body, "\"pattern\"");
	size_t seen = 0;
	bool span = false; /* code in backquotes: "write `operator: must_use`" */
	struct str value;

	for (size_t at = 0; next_operator(body, &at, &value); at++) {
		size_t place = at + offset;
		const struct md_block *b = knowledge_front_block_at(&r->md, place, &i);

		for (; seen < at; seen++)
			span = body.p[seen] != '\n' && span ^ (body.p[seen] == '`');
		if ((b && b->type == MD_CODE) || span ||
		    !(is_rule_word(value) || (parts && begins_line(body, at))))
			continue;
		if (b && str_starts(str_trim(b->text), STR("<!--")))
			kn_note(r, KN_WARNING, KN_RULE_RULES_UNREAD, place,
				"the rules in this comment are not read, so they do not apply");
		else if (kn_in_constraints(r, place))
			kn_note(r, KN_BROKEN, KN_RULE_RULES_UNREAD, place,
				"these rules are not read: the block that has them must begin with "
				"```yaml");
		else if (r->front)
			kn_note(r, KN_BROKEN, KN_RULE_RULES_UNREAD, place,
				"these rules are not read: put them into the front matter, or into "
				"a block ```yaml below '## Constraints'");
		else
			kn_add_skipped_item(
				r, KN_PASSED_FRONT_MATTER, place,
				"its front matter must begin on line 1, with a line that is '---'");
		return;
	}
}

void kn_check_unread_rules(struct kn_reading *r, struct str body, bool readable)
{
	/*
	 * Reports rules under a member other than constraints, or behind a merge key. If the item
	 * has constraints too, ikm only warns: an alias in them may name this list.
	 */
	VAL_EACH(r->front, m) {
		const struct val *v;

		if (str_is(m->key, "constraints") || !(v = front_rule(m)))
			continue;
		kn_note(r, val_get(r->front, "constraints") ? KN_WARNING : KN_BROKEN,
			KN_RULE_RULES_UNREAD, m->key_at.from,
			str_is(m->key, "<<")
				? "the rules behind the merge key '%.*s' are not read: write them "
				  "under 'constraints'"
				: "the rules under '%.*s' are not read: the member's name is "
				  "'constraints'",
			STR_ARG(m->key));
	}
	if (readable)
		front_text(r, body);
}
