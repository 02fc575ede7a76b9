/* Reads one file: its name, then the members of its front matter, then the other steps in order. */
#include "knowledge/read.h"
#include "yaml/yaml.h"

/* ---- names ---- */

struct str kn_shown_path(struct arena *a, const struct kn_source *s, struct str path)
{
	struct str name = s->name;

	while (str_ends(name, STR("/")) && name.n > 1)
		name = str_sub(name, 0, name.n - 1);
	if (!path.n)
		return name.n ? name : STR(".");
	if (!name.n || str_is(name, "."))
		return path;
	return str_fmt(a, "%.*s/%.*s", STR_ARG(name), STR_ARG(path));
}

struct str kn_tree_path(struct arena *a, const struct kn_source *s, struct str path)
{
	return s->prefix.n ? str_fmt(a, "%.*s%.*s", STR_ARG(s->prefix), STR_ARG(path)) : path;
}

/* The length of a Markdown file's extension; 0: another file. Only ".md" has the length 3. */
static size_t markdown_extension(struct str path)
{
	static const char *const extensions[] = {".md",   ".markdown", ".mdx",  ".mdown",
						 ".mdwn", ".mkd",      ".mkdn", NULL};

	for (size_t i = 0; extensions[i]; i++) {
		size_t n = strlen(extensions[i]);

		if (path.n > n && str_ieq(str_sub(path, path.n - n, path.n), str_of(extensions[i])))
			return n;
	}
	return 0;
}

bool kn_is_markdown(struct str path, bool any)
{
	size_t n = markdown_extension(path);

	return n && (any || n == 3);
}

static struct str knowledge_item_stem(struct str path)
{
	struct str name = str_base(path);

	return str_sub(name, 0, name.n - markdown_extension(name));
}

/* Whether the name of a template may have this word, in lower case, beside "template". */
static bool is_template_word(struct str word)
{
	static const char *const words[] = {"adr",     "madr",    "nygard", "decision", "record",
					    "policy",  "pattern", "spec",   "bare",     "minimal",
					    "short",   "long",    "full",   "simple",   "extended",
					    "default", "kep",     "rfc",    "eip",      "pep",
					    "title",   "yyyy",    "mm",     "dd",       NULL};
	bool placeholder = true; /* "nnnn", "xxx" */

	for (size_t i = 0; i < word.n; i++)
		placeholder = placeholder && (word.p[i] == 'n' || word.p[i] == 'x');
	return placeholder || kn_word_index(words, word) >= 0;
}

/* Takes the next word of a name in lower case: "adr000-template" is adr and template. */
static bool template_word(struct str *name, struct str *word)
{
	size_t n = 0;

	while (name->n && (ascii_is_digit(*name->p) || strchr("-_. ", *name->p)))
		*name = str_sub(*name, 1, name->n);
	while (n < name->n && !ascii_is_digit(name->p[n]) && !strchr("-_. ", name->p[n]))
		n++;
	*word = str_sub(*name, 0, n);
	*name = str_sub(*name, n, name->n);
	return n > 0;
}

/*
 * adr-template-bare-minimal, 0000-template and adr000-template are templates, and so is adr000 in a
 * folder of templates. use-template-engine is a decision, so every other word of the name must be
 * in the list above.
 */
static bool is_template(struct arena *a, struct str name, struct str folder)
{
	struct str rest = str_lower(a, name), word, own = STR("template");
	bool template = str_ieq(folder, own) || str_ieq(folder, STR("templates"));

	while (template_word(&rest, &word)) {
		if (str_starts(word, own) || str_ends(word, own)) {
			template = true;
			word = str_starts(word, own) ? str_sub(word, own.n, word.n)
						     : str_sub(word, 0, word.n - own.n);
		}
		if (!is_template_word(word))
			return false;
	}
	return template;
}

bool kn_is_numbered(struct str path)
{
	struct str s = str_base(path);
	size_t n = 0;

	while (s.n && ascii_is_alnum(*s.p) && !ascii_is_digit(*s.p))
		s = str_sub(s, 1, s.n);
	if (s.n && strchr("-_", *s.p))
		s = str_sub(s, 1, s.n);
	while (n < s.n && ascii_is_digit(s.p[n]))
		n++;
	/* "2026-11-02-a-post" has a date. */
	return n >= 3 && n <= 5 && n < s.n && strchr("-_. ", s.p[n]) &&
	       !(n == 4 && n + 1 < s.n && ascii_is_digit(s.p[n + 1]));
}

static enum kn_name lead_name(struct str name)
{
	if (str_ieq(name, STR("index")))
		return KN_NAME_INDEX;
	/* README.de too */
	if (str_ieq(name, STR("readme")) || str_ieq(str_sub(name, 0, 7), STR("readme.")))
		return KN_NAME_README;
	return KN_NAME_ITEM;
}

enum kn_name kn_file_kind_by_name(struct arena *a, struct str path, bool named)
{
	enum kn_name name = lead_name(knowledge_item_stem(path));

	if (is_template(a, name && named ? str_base(str_dir(path)) : knowledge_item_stem(path),
			name && named ? STR("") : str_base(str_dir(path))))
		return KN_NAME_TEMPLATE;
	return named ? KN_NAME_ITEM : name;
}

/* ---- the front matter ---- */

#define BOM "\xef\xbb\xbf"

static const char *const ours[] = {"id",       "type",        "layer",       "title",
				   "summary",  "status",      "severity",    "tags",
				   "metadata", "created",     "createdAt",   "date",
				   "updated",  "updatedAt",   "supersedes",  "supersededBy",
				   "version",  "overridable", "constraints", NULL};

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

static bool front_parse(struct kn_reading *r, struct str yaml, bool first, bool *is_front)
{
	struct val *v;
	struct err *e = yaml_read(r->a, yaml, r->text, (size_t)(yaml.p - r->text.p), &v);

	*is_front = first || kn_looks_like_rules(yaml);
	if (e) {
		if (*is_front)
			kn_note_yaml(r, NULL, 0, e);
		return false;
	}
	/* A "---" below line 1 may be a thematic break; only known members make it front matter. */
	if (v->type == VAL_MAP)
		VAL_EACH(v, m)
			*is_front = *is_front || str_is_any(m->key, ours);
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

/* Makes each CR without LF an LF, as YAML and Markdown read it. Offsets stay the same. */
static void front_replace_lone_cr(struct kn_reading *r)
{
	char *p = NULL;

	for (size_t i = 0; i < r->text.n; i++) {
		if (r->text.p[i] != '\r' || (i + 1 < r->text.n && r->text.p[i + 1] == '\n'))
			continue;
		if (!p)
			p = str_c(r->a, r->text);
		p[i] = '\n';
	}
	if (p)
		r->text.p = p;
}

bool kn_read_front(struct kn_reading *r, struct str *body)
{
	struct str text, yaml;
	bool unclosed, is_front, readable, first;

	front_replace_lone_cr(r);
	text = front_skip(r->text);
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
static const struct md_block *front_block_at(const struct md *md, size_t at, size_t *i)
{
	for (; *i < md->n && md->p[*i].at.from <= at; ++*i) {
		const struct md_block *b = &md->p[*i];

		if ((b->type == MD_CODE || b->type == MD_HTML) && at < b->at.to)
			return b;
	}
	return NULL;
}

/*
 * Reports rules in the text: front matter at a wrong place, or a list without a fence. Without the
 * report, rules would be lost while the item still looks accepted. Code blocks are left to
 * kn_read_constraints.
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
		const struct md_block *b = front_block_at(&r->md, place, &i);

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

/* Adds notes for rules at places that ikm does not read. readable: the result of kn_read_front. */
static void front_check_unread_rules(struct kn_reading *r, struct str body, bool readable)
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

/* ---- members ---- */

/* Front matter may have this many keys; beyond, ikm does not check or keep unknown ones. */
#define FOREIGN_MAX 100

/* Keys of Jekyll, Hugo, MADR, log4brains and others that resemble ikm's keys. */
static const char *const theirs[] = {"layout",      "name",  "author",   "authors",    "state",
				     "slug",        "tag",   "category", "categories", "weight",
				     "parent",      "draft", "template", "types",      "related",
				     "description", NULL};

/* Warns of misspelled keys, which would switch something off without a word. */
static void check_keys(struct kn_reading *r)
{
	struct strs known = strs_of(r->scratch, ours);
	size_t n = 0;

	VAL_EACH(r->front, m) {
		struct str near;

		if (n++ == FOREIGN_MAX)
			return;
		if (str_is_any(m->key, ours) || str_is_any(m->key, theirs))
			continue;
		near = str_nearest(m->key, &known);
		if (near.n && (r->rules || str_is(near, "constraints")))
			kn_note(r, KN_WARNING, KN_RULE_FRONT_MATTER_KEY, m->key_at.from,
				"'%.*s' is not read: did you mean '%.*s'?", STR_ARG(m->key),
				STR_ARG(near));
	}
}

/*
 * The member as text; a number gives its text. Empty when it is missing, null or of another type.
 */
static struct str knowledge_item_text_of(struct kn_reading *r, const char *key)
{
	const struct val *v = val_get(r->front, key);

	if (!v || v->type == VAL_NULL)
		return (struct str){"", 0};
	if (v->type == VAL_STR || v->type == VAL_NUM)
		return str_trim(v->s);
	kn_wrong(r, KN_RULE_FRONT_MATTER_VALUE, v->at.from, "'%s' must be a string, not %s", key,
		 val_type_name(v->type));
	return (struct str){"", 0};
}

static size_t knowledge_item_place_of(struct kn_reading *r, const char *key)
{
	const struct val *v = val_get(r->front, key);

	return v ? v->at.from : KN_WHOLE_FILE;
}

/* The index of the member's word in the list, or -1. */
static int knowledge_item_word_of(struct kn_reading *r, const char *key, const char *const *list)
{
	struct str word = knowledge_item_text_of(r, key);
	int n = kn_word_index(list, word);

	if (word.n && n < 0)
		kn_wrong(r, KN_RULE_FRONT_MATTER_VALUE, knowledge_item_place_of(r, key),
			 "%s '%.*s' is unknown; allowed: %.*s", key, STR_ARG(str_sub(word, 0, 80)),
			 STR_ARG(kn_choices(r->a, list)));
	return n;
}

/*
 * Reads a list of strings, or one string. split: the string is split at commas or, if it has none,
 * at blanks.
 */
static void strings_of(struct kn_reading *r, const char *key, bool split, struct strs *out)
{
	const struct val *v = val_get(r->front, key);
	struct str rest, part;
	char sep;

	if (!v || v->type == VAL_NULL)
		return;
	if (v->type != VAL_LIST) {
		rest = knowledge_item_text_of(r, key);
		sep = str_find_char(rest, ',', 0) != SIZE_MAX ? ',' : ' ';
		if (!split && rest.n)
			strs_push(r->a, out, rest);
		while (split && str_next_part(&rest, sep, &part))
			if (str_trim(part).n)
				strs_push(r->a, out, str_trim(part));
		return;
	}
	VAL_EACH(v, m) {
		if (m->type != VAL_STR && m->type != VAL_NUM)
			kn_note(r, KN_WARNING, KN_RULE_FRONT_MATTER_VALUE, m->at.from,
				"'%s' must hold strings, not %s", key, val_type_name(m->type));
		else if (str_trim(m->s).n)
			strs_push(r->a, out, str_trim(m->s));
	}
}

static struct str date_of(struct kn_reading *r, const char *const *keys)
{
	for (; *keys; keys++) {
		struct str text = knowledge_item_text_of(r, *keys), iso;

		if (!text.n)
			continue;
		if (kn_date(r->a, text, &iso))
			return iso;
		kn_note(r, KN_WARNING, KN_RULE_DATE, knowledge_item_place_of(r, *keys),
			"%s '%.*s' is not understood: write it as 2019-01-31", *keys,
			STR_ARG(str_sub(text, 0, 80)));
	}
	return (struct str){"", 0};
}

/*
 * A status may be Markdown: "superseded by [ADR-0005](0005-example.md)", "~~proposed~~ accepted".
 */
static void read_status(struct kn_reading *r)
{
	struct str text = knowledge_item_text_of(r, "status"), link = {"", 0};
	struct md md;

	if (!text.n)
		return;
	if (!md_read(r->scratch, text, 0, &md) && md.n && md.p[0].type == MD_PARAGRAPH &&
	    md.p[0].text.n) {
		text = md.p[0].text;
		link = md.p[0].link;
	}
	kn_status_from_text(r, text, link, knowledge_item_place_of(r, "status"));
}

/* Types of proposals in other processes; none of them corresponds to a type of ikm's. */
static const char *const their_types[] = {
	"standards track", "standards", "standard", "informational", "meta", "process", "core",
	"networking",      "interface", "erc",      "feature",       NULL};

static void read_type_and_layer(struct kn_reading *r)
{
	bool theirs_too = kn_word_index(their_types, str_trim(val_get_str(r->front, "type"))) >= 0;
	int type = theirs_too ? -1 : knowledge_item_word_of(r, "type", kn_types);
	int layer = knowledge_item_word_of(r, "layer", kn_layers);

	if (type >= 0 && r->type_fixed && type != (int)r->item->type)
		kn_note(r, KN_WARNING, KN_RULE_FOLDER, knowledge_item_place_of(r, "type"),
			"type is %s, but its folder says %s", kn_types[type],
			kn_types[r->item->type]);
	else if (type >= 0)
		r->item->type = (enum kn_type)type;
	if (layer >= 0 && r->layer_fixed && layer != (int)r->item->layer)
		kn_note(r, KN_WARNING, KN_RULE_FOLDER, knowledge_item_place_of(r, "layer"),
			"layer is %s, but its folder says %s", kn_layers[layer],
			kn_layers[r->item->layer]);
	else if (layer >= 0)
		r->item->layer = (enum kn_layer)layer;
}

static void knowledge_item_read_metadata(struct kn_reading *r)
{
	const struct val *v = val_get(r->front, "metadata");
	struct val *all = val_map(r->a);

	if (v && v->type != VAL_MAP && v->type != VAL_NULL)
		kn_note(r, KN_WARNING, KN_RULE_FRONT_MATTER_VALUE, v->at.from,
			"'metadata' must be a mapping, not %s", val_type_name(v->type));
	if (v && v->type == VAL_MAP)
		VAL_EACH(v, m)
			val_set_key(all, m->key, val_copy_shallow(r->a, m));
	/*
	 * Keys of other tools (deciders, consulted) are worth showing, but not thousands of them.
	 */
	if (r->front && r->front->n <= FOREIGN_MAX)
		VAL_EACH(r->front, m)
			if (!str_is_any(m->key, ours) && !val_get_key(v, m->key))
				val_set_key(all, m->key, val_copy_shallow(r->a, m));
	r->item->metadata = all;
}

#define ID_MAX 128

/* Ids are used in command lines and lists of names: one word, without the parts of a path. */
static void read_id(struct kn_reading *r)
{
	struct str id = knowledge_item_text_of(r, "id");
	bool ok = id.n <= ID_MAX && str_is_utf8(id);

	if (!id.n)
		return;
	for (size_t i = 0; i < id.n; i++)
		ok &= (unsigned char)id.p[i] > ' ' && id.p[i] != 0x7f &&
		      !strchr("/\\,\"'`", id.p[i]);
	if (ok && id.p[0] != '-')
		r->item->id = id;
	else
		kn_wrong(
			r, KN_RULE_ID, knowledge_item_place_of(r, "id"),
			"id '%.*s' is not valid, so the file's name '%.*s' is the id: an id is one "
			"word of at most %d bytes without / \\ , or quotes, and does not begin "
			"with -",
			STR_ARG(str_sub(id, 0, 80)), STR_ARG(r->item->id), ID_MAX);
}

static void knowledge_item_read_members(struct kn_reading *r)
{
	static const char *const created[] = {"createdAt", "created", "date", NULL};
	static const char *const updated[] = {"updatedAt", "updated", NULL};
	struct kn_item *item = r->item;
	const struct val *v = val_get(r->front, "overridable");
	int n;

	read_id(r);
	read_type_and_layer(r);
	item->title = kn_one_line(r->a, knowledge_item_text_of(r, "title"), SIZE_MAX);
	item->summary = kn_one_line(r->a, knowledge_item_text_of(r, "summary"), SIZE_MAX);
	item->version = knowledge_item_text_of(r, "version");
	if ((n = knowledge_item_word_of(r, "severity", kn_severities)) >= 0)
		item->severity = (enum kn_severity)n;
	strings_of(r, "tags", true, &item->tags);
	knowledge_item_read_metadata(r);
	item->created_at = date_of(r, created);
	item->updated_at = date_of(r, updated);
	strings_of(r, "supersedes", false, &item->supersedes);
	strings_of(r, "supersededBy", false, &item->superseded_by);
	item->supersedes_at = kn_place_of_offset(r, knowledge_item_place_of(r, "supersedes"));
	item->superseded_by_at = kn_place_of_offset(r, knowledge_item_place_of(r, "supersededBy"));
	if (v && v->type == VAL_BOOL)
		item->overridable = v->b;
	else if (v && v->type != VAL_NULL)
		kn_wrong(r, KN_RULE_FRONT_MATTER_VALUE, v->at.from,
			 "'overridable' must be true or false, not %s", val_type_name(v->type));
	read_status(r);
	check_keys(r);
}

/* ---- the file ---- */

static void check_encoding(struct kn_reading *r)
{
	size_t at = 0, len;
	uint32_t code;

	/* Of the first two ikm cannot know whether the file has rules. */
	if (str_starts(r->text, STR("\xff\xfe")) || str_starts(r->text, STR("\xfe\xff"))) {
		kn_add_skipped_item(r, KN_PASSED_ENCODING, KN_WHOLE_FILE,
				    "the file is UTF-16: save it as UTF-8");
	} else if (str_has_nul(r->text)) {
		kn_add_skipped_item(r, KN_PASSED_ENCODING, str_find_char(r->text, 0, 0),
				    "the file has NUL bytes, so it is no text: save it as UTF-8");
	} else if (!str_is_utf8(r->text)) {
		while ((len = str_utf8_char(r->text.p + at, r->text.n - at, &code)))
			at += len;
		kn_note(r, KN_WARNING, KN_RULE_UTF8, at,
			"the file is not UTF-8 here: the invalid bytes are replaced");
	}
}

bool kn_read(struct kn_reading *r, const struct kn_source *s, struct str path, enum kn_layer layer,
	     struct str owner, enum kn_type type)
{
	struct kn_item item = {
		.type = type,
		.layer = layer,
		.owner = owner,
		.severity = KN_SEVERITY_WARN,
		.status = KN_STATUS_DRAFT,
		.source = s,
		.path = path,
		.in_tree = r->in_tree,
	};
	struct str empty = {"", 0}, folder = str_base(str_dir(path)), body;
	struct err *e;
	bool readable;

	if (kn_file_kind_by_name(r->a, path, r->named) != KN_NAME_ITEM)
		return false;
	/* A README or index file that stands for its folder has the folder's name as its id. */
	item.id = knowledge_item_stem(path);
	if (r->named && lead_name(item.id) && folder.n)
		item.id = folder;
	item.shown_path = kn_shown_path(r->a, s, path);
	item.tree_path = kn_tree_path(r->a, s, path);
	item.title = item.summary = item.status_text = item.version = empty;
	item.created_at = item.updated_at = empty;
	item.metadata = val_map(r->a);
	r->item = &item;
	r->scratch = arena_new();
	if (!r->text.n)
		r->text = empty;
	check_encoding(r);
	readable = kn_read_front(r, &body);
	item.content = body;
	e = md_read(r->scratch, body, (size_t)(body.p - r->text.p), &r->md);
	/* The body may have had rules if the word occurs; without it a warning is enough. */
	if (e) {
		kn_note(r, str_holds(body, "onstraints") ? KN_BROKEN : KN_WARNING, KN_RULE_MARKDOWN,
			KN_WHOLE_FILE, "the Markdown cannot be read: %s", err_message(e));
		r->md = (struct md){0};
	}
	r->rules = kn_has_rules(r);
	knowledge_item_read_members(r);
	kn_read_body(r);
	kn_read_constraints(r);
	front_check_unread_rules(r, body, readable);
	/* An item without its rules must not look accepted. */
	if (!readable || (item.broken && !r->front && !item.constraints_n))
		item.status = KN_STATUS_DRAFT;
	*VEC_PUSH(r->a, &r->k->items) = item;
	arena_free(r->scratch);
	r->item = NULL;
	return true;
}

struct err *knowledge_parse_item(struct arena *a, const struct kn_source *s, struct str path,
				 enum kn_layer layer, struct str owner, enum kn_type type,
				 struct str text, struct knowledge *k, bool *is_item)
{
	struct kn_reading r = {
		.a = a, .k = k, .text = text, .layer_fixed = true, .type_fixed = true};

	*is_item = kn_read(&r, s, path, layer, owner, type);
	return NULL;
}
