/*
 * Reads Markdown notes. An item "- [category] text #tag (context)" is an observation, an item
 * "- relation [[Target]]" a relation, as basic-memory writes them. Of the rest each section is a
 * memory. The index of an agent's memory folder, MEMORY.md, only names the other files.
 */
#include "json/json.h"
#include "md/md.h"
#include "memory/foreign.h"
#include "os/os.h"
#include "yaml/yaml.h"

struct note {
	struct memory_foreign *f;
	struct str title, type, permalink;
	struct strs tags;
	int64_t created;    /* ms; 0: the front matter tells no time */
	bool index;         /* it is MEMORY.md */
	struct str heading; /* of the section */
	size_t from;        /* where the section's text begins, for messages */
	struct buf text;    /* the section's text so far */
	char fence;         /* the mark of an open code fence, or 0 */
};

/* ---- front matter ---- */

static void note_tags(struct note *n, const struct val *v)
{
	struct str rest, one;

	if (v && v->type == VAL_LIST)
		VAL_EACH(v, t)
			if (t->type == VAL_STR && str_trim(t->s).n)
				strs_push(n->f->a, &n->tags, foreign_name(n->f->a, t->s));
	if (!v || v->type != VAL_STR)
		return;
	rest = v->s;
	while (str_split(&rest, ',', &one))
		if (str_trim(one).n)
			strs_push(n->f->a, &n->tags, foreign_name(n->f->a, one));
}

static void note_time(struct note *n, const struct val *v)
{
	int64_t ms;

	if (v->type == VAL_STR && os_time_read(v->s, &ms) && ms <= os_now())
		n->created = ms;
	else
		foreign_leave(n->f, v->at.from, false, "'%.*s' is no past time in ISO 8601",
			      STR_ARG(v->key));
}

static void note_front(struct note *n, struct str yaml)
{
	struct memory_foreign *f = n->f;
	size_t at = (size_t)(yaml.p - f->text.p);
	struct val *v;
	struct err *e = yaml_read(f->a, yaml, f->text, at, &v);

	if (e || v->type != VAL_MAP) {
		if (e || v->type != VAL_NULL)
			foreign_leave(f, at, false, "the front matter is not read: %s",
				      e ? err_message(e) : "it is no mapping");
		return;
	}
	VAL_EACH(v, m) {
		bool text = m->type == VAL_STR && str_trim(m->s).n;

		if (str_is(m->key, "tags"))
			note_tags(n, m);
		else if (str_is(m->key, "created") || str_is(m->key, "date"))
			note_time(n, m);
		else if (text && (str_is(m->key, "title") || str_is(m->key, "name")))
			n->title = foreign_name(f->a, m->s);
		else if (text && str_is(m->key, "type"))
			n->type = foreign_name(f->a, m->s);
		else if (text && str_is(m->key, "permalink"))
			n->permalink = foreign_name(f->a, m->s);
		else if (text && str_is(m->key, "description"))
			buf_fmt(&n->text, "%.*s\n", STR_ARG(m->s));
		else
			foreign_leave(f, m->key_at.from, false,
				      "the member '%.*s' of the front matter is not kept",
				      STR_ARG(foreign_name(f->a, m->key)));
	}
}

/* ---- memories ---- */

static void note_add(struct note *n, size_t at, struct memory *one, const char *member,
		     struct str value)
{
	struct memory_foreign *f = n->f;
	struct val *meta = val_map(f->a);
	struct str place = n->permalink.n ? n->permalink : f->file;

	val_set(f->a, meta, "title", val_str(f->a, n->title));
	if (n->permalink.n)
		val_set(f->a, meta, "permalink", val_str(f->a, n->permalink));
	if (n->type.n)
		val_set(f->a, meta, "noteType", val_str(f->a, n->type));
	if (value.n)
		val_set(f->a, meta, member, val_str(f->a, value));
	for (size_t i = 0; i < n->tags.n; i++)
		strs_push(f->a, &one->tags, n->tags.p[i]);
	one->metadata = json_text(f->a, meta);
	one->source = str_fmt(f->a, "notes:%.*s", STR_ARG(f->file));
	one->created = n->created;
	foreign_add(f, at, place, one);
}

/* The section's text becomes a memory, unless there is none. */
static void note_end_section(struct note *n)
{
	struct memory one = foreign_memory(n->f);
	struct str text = str_trim(buf_str(&n->text));
	struct buf b = buf_in(n->f->a);

	if (text.n) {
		buf_put(&b, n->title);
		if (n->heading.n && !str_eq(n->heading, n->title))
			buf_fmt(&b, ", %.*s", STR_ARG(n->heading));
		buf_fmt(&b, ":\n%.*s", STR_ARG(text));
		one.content = buf_str(&b);
		note_add(n, n->from, &one, "section", n->heading);
	}
	n->text = buf_in(n->f->a);
}

/* ---- items ---- */

/* The words "#tag" become tags, and stay in the text. */
static void note_hashtags(struct note *n, struct str text, struct memory *one)
{
	struct str rest = text, word;

	while (str_split(&rest, ' ', &word))
		if (word.n > 1 && word.p[0] == '#' && word.p[1] != '#')
			strs_push(n->f->a, &one->tags,
				  foreign_name(n->f->a, str_sub(word, 1, word.n)));
}

/* "[ ]" and "[x]" are check boxes, and "[text](target)" is a link. */
static bool note_observation(struct note *n, struct str item, size_t at)
{
	size_t end = item.n && item.p[0] == '[' ? str_find_char(item, ']', 1) : SIZE_MAX;
	struct memory one = foreign_memory(n->f);
	struct str category, text;

	if (end == SIZE_MAX || end < 2 || (end + 1 < item.n && item.p[end + 1] != ' '))
		return false;
	category = str_trim(str_sub(item, 1, end));
	text = str_trim(str_sub(item, end + 1, item.n));
	if (!category.n || !text.n || category.p[0] == '[' || str_is(category, "x") ||
	    str_is(category, "X") || str_is(category, "-"))
		return false;
	one.type = foreign_name(n->f->a, category);
	one.content = str_fmt(n->f->a, "%.*s: %.*s", STR_ARG(n->title), STR_ARG(text));
	note_hashtags(n, text, &one);
	note_add(n, at, &one, "category", one.type);
	return true;
}

static bool note_relation(struct note *n, struct str item, size_t at)
{
	size_t open = str_find(item, STR("[["), 0), end;
	struct memory one = foreign_memory(n->f);
	struct str how, target, behind;

	end = open == SIZE_MAX ? SIZE_MAX : str_find(item, STR("]]"), open);
	if (end == SIZE_MAX)
		return false;
	how = str_trim(str_sub(item, 0, open));
	target = str_trim(str_sub(item, open + 2, end));
	behind = str_trim(str_sub(item, end + 2, item.n));
	if (!target.n || (behind.n && behind.p[0] != '('))
		return false;
	one.type = STR("relation");
	one.content = str_fmt(n->f->a, "%.*s %.*s %.*s%s%.*s", STR_ARG(n->title),
			      STR_ARG(how.n ? how : STR("relates to")), STR_ARG(target),
			      behind.n ? " " : "", STR_ARG(behind));
	note_add(n, at, &one, "target", target);
	return true;
}

/* Items of MEMORY.md that link to another file are its index. */
static bool note_is_index(const struct note *n, struct str item)
{
	return n->index && item.n && item.p[0] == '[' && str_find(item, STR(".md)"), 0) != SIZE_MAX;
}

static bool note_item(struct note *n, struct str line, size_t at)
{
	struct str item = str_trim(line);

	if (item.n < 2 || !strchr("-*+", item.p[0]) || item.p[1] != ' ')
		return false;
	item = str_trim(str_sub(item, 2, item.n));
	if (note_is_index(n, item)) {
		foreign_leave(n->f, at, false, "an entry of the index; its file is read by itself");
		return true;
	}
	return note_observation(n, item, at) || note_relation(n, item, at);
}

/* ---- lines ---- */

static bool note_is_fence(struct note *n, struct str line)
{
	struct str s = str_trim(line);
	char mark = str_starts(s, STR("```")) ? '`' : str_starts(s, STR("~~~")) ? '~' : 0;

	if (!mark || (n->fence && n->fence != mark))
		return false;
	n->fence = n->fence ? 0 : mark;
	return true;
}

static bool note_heading(struct note *n, struct str line, size_t at)
{
	size_t level = 0;

	while (level < line.n && line.p[level] == '#')
		level++;
	if (!level || level > 6 || (level < line.n && line.p[level] != ' '))
		return false;
	note_end_section(n);
	n->heading = foreign_name(n->f->a, str_sub(line, level, line.n));
	n->from = at;
	return true;
}

static void note_line(struct note *n, struct str line)
{
	size_t at = (size_t)(line.p - n->f->text.p);

	if (!note_is_fence(n, line) && !n->fence &&
	    (note_heading(n, line, at) || note_item(n, line, at)))
		return;
	if (!n->text.n)
		n->from = at;
	buf_fmt(&n->text, "%.*s\n", STR_ARG(line));
}

void foreign_read_notes(struct memory_foreign *f, struct str text)
{
	struct str yaml, body, line, name = f->file;
	size_t slash = str_rfind_char(name, '/'), dot;
	struct note n = {.f = f, .text = buf_in(f->a)};
	bool unclosed = false;

	if (slash != SIZE_MAX)
		name = str_sub(name, slash + 1, name.n);
	n.index = str_is(name, "MEMORY.md");
	dot = str_rfind_char(name, '.');
	n.title = foreign_name(f->a, dot == SIZE_MAX || !dot ? name : str_sub(name, 0, dot));
	if (!md_frontmatter(text, &yaml, &body, &unclosed))
		body = text;
	else if (unclosed)
		foreign_leave(f, 0, false, "the front matter never ends");
	else
		note_front(&n, yaml);
	if (unclosed)
		body = text;
	while (str_line(&body, &line))
		note_line(&n, line);
	note_end_section(&n);
}
