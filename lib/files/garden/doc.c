#include "garden/doc.h"
#include "yaml/yaml.h"

/* ---- frontmatter ---- */

static void doc_front(struct arena *a, struct garden_doc *d)
{
	struct str yaml, body, message;
	int64_t line;
	bool unclosed;
	struct val *v;
	struct err *e;

	if (!md_frontmatter(d->text, &yaml, &body, &unclosed))
		return;
	/* Text that begins with a line "---" is a thematic break in a file of free form. */
	if (unclosed && d->form->free)
		return;
	d->has_front = true;
	if (unclosed) {
		d->front_wrong = STR("the front matter has no closing line '---'");
		d->front_line = 1;
		return;
	}
	d->body = (size_t)(body.p - d->text.p);
	if (yaml.n > GARDEN_FRONT_MAX) {
		d->front_wrong = str_fmt(a,
					 "the front matter has %zu bytes; at most %zu are "
					 "allowed",
					 yaml.n, GARDEN_FRONT_MAX);
		return;
	}
	e = yaml_read(a, yaml, d->text, (size_t)(yaml.p - d->text.p), &v);
	if (e) {
		d->front_wrong = str_fmt(a, "the front matter cannot be read: %s", err_message(e));
		message = str_of(err_message(e));
		/* The message begins with the line. */
		if (str_starts(message, STR("line ")) &&
		    str_int(str_sub(message, 5, str_find_char(message, ',', 0)), &line) && line > 0)
			d->front_line = (size_t)line;
	} else if (v->type != VAL_MAP) {
		d->front_wrong = str_fmt(a, "the front matter must be a mapping, not %s",
					 val_type_name(v->type));
	} else {
		d->front = v;
	}
}

void garden_doc_read(struct arena *a, const struct garden_form *form, struct str text,
		     struct garden_doc *d)
{
	struct err *e;

	*d = (struct garden_doc){.form = form, .text = text.n ? text : STR("")};
	d->unreadable = d->front_wrong = STR("");
	if (!str_is_text(text)) {
		d->unreadable =
			str_has_nul(text)
				? str_fmt(a, "the file has a NUL byte in line %zu",
					  str_place_of_offset(text, str_find_char(text, '\0', 0))
						  .line)
				: STR("the file is not UTF-8");
		return;
	}
	doc_front(a, d);
	e = md_read(a, str_sub(text, d->body, text.n), d->body, &d->md);
	if (e) {
		d->unreadable = str_dup(a, str_of(err_message(e)));
		d->md = (struct md){0};
		return;
	}
	md_hidden_anchors_of_parsed(a, text, &d->md, &d->anchors);
	md_sections_of_parsed(a, text, &d->md, &d->anchors, &d->sections);
}

/* ---- sections ---- */

bool garden_doc_has_anchor(const struct garden_doc *d, struct str name)
{
	VEC_EACH(const struct md_anchor, at, &d->anchors)
		if (str_eq(at->name, name))
			return true;
	return false;
}

/* Tools use the anchor, so a section with the log's anchor is the log before one with its heading.
 */
const struct md_section *garden_doc_log(const struct garden_doc *d)
{
	const struct garden_section *log = d->form->sections;
	const struct md_section *found = NULL;

	while (log->heading && !(log->flags & GARDEN_CHANGE_LOG))
		log++;
	if (!log->heading)
		return NULL;
	VEC_EACH(const struct md_section, s, &d->sections) {
		if (s->nested)
			continue;
		if (s->anchor.n && garden_form_find_section(d->form, STR(""), s->anchor) == log)
			return s;
		if (!found && s->level == 2 && str_is(s->heading, log->heading))
			found = s;
	}
	return found;
}

void garden_doc_items(struct arena *a, const struct garden_doc *d, struct span at,
		      struct garden_items *out)
{
	size_t i = 0;

	*out = (struct garden_items){0};
	/* Blocks begin in order, also those inside others. */
	BISECT(i, mid, d->md.n, d->md.p[mid].at.from < at.from);
	for (; i < d->md.n && d->md.p[i].at.from < at.to; i++)
		if (d->md.p[i].type == MD_ITEM && !d->md.p[i].depth)
			*VEC_PUSH(a, out) = &d->md.p[i];
}

/* ---- problems ---- */

struct garden_problem *garden_problem_add(struct arena *a, struct garden_problems *out,
					  enum garden_rule rule, size_t at, struct str subject,
					  const char *fmt, ...)
{
	struct garden_problem *p;
	struct buf b = buf_in(a);

	/*
	 * An id that was changed is wrong by itself, and as a change. That is one fault, unless the
	 * text before had it.
	 */
	for (size_t i = 0; i < out->n && rule == GARDEN_RULE_IDENTITY; i++)
		if (out->p[i].d.rule == rule && !out->p[i].d.old &&
		    str_eq(out->p[i].subject, subject))
			return &out->spare;
	if (out->count[rule]++ >= GARDEN_PROBLEMS_MAX) {
		/* Counts the problem in the one that stands for the rest of its rule. */
		if (!out->rest[rule]) {
			p = VEC_PUSH(a, out);
			*p = (struct garden_problem){
				.d = {.rule = rule, .severity = garden_rules[rule].severity},
				.subject = STR("the rest"),
				.at = SIZE_MAX,
			};
			p->d.message =
				STR("the file has more faults of this rule than are listed here");
			p->d.fix = STR("mend those that are listed first");
			out->rest[rule] = out->n;
		}
		out->p[out->rest[rule] - 1].measure++;
		return &out->spare;
	}
	p = VEC_PUSH(a, out);
	BUF_ARGS(&b, fmt);
	*p = (struct garden_problem){
		.d = {.rule = rule,
		      .severity = garden_rules[rule].severity,
		      .message = str_utf8(a, buf_as_str(&b)),
		      .fix = str_of(garden_rules[rule].fix)},
		.subject = subject,
		.measure = 1,
		.at = at,
	};
	return p;
}

/* ---- names ---- */

ORDER_OF(garden_name_cmp, struct garden_name, ORDER_STR(name) || ORDER_UP(i))

void garden_names_sort(struct garden_names *v)
{
	VEC_SORT(v, garden_name_cmp);
}

/* The first entry that is not before the name; after: that is behind it. */
static size_t names_bound(const struct garden_names *v, struct str name, bool after)
{
	size_t low = 0;

	BISECT(low, mid, v->n, str_cmp(v->p[mid].name, name) < (after ? 1 : 0));
	return low;
}

const struct garden_name *garden_names_find(const struct garden_names *v, struct str name,
					    size_t *n)
{
	size_t first = names_bound(v, name, false);

	*n = names_bound(v, name, true) - first;
	return *n ? &v->p[first] : NULL;
}
