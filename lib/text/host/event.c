/* One event: whose it is, what it is about, what the tool is asked to do. */
#include "host/internal.h"
#include "json/json.h"
#include "os/os.h"

static const struct str mark = STR_INIT("\xef\xbb\xbf");
/* Hosts in Node escape half of a cut emoji so, and their tools write U+FFFD for it. */
static const struct json_limits event_limits = {.halves = true};

/* ---- members ---- */

static const struct val *words_get(const struct val *v, const struct host_words *w)
{
	const struct val *m = NULL;

	for (size_t i = 0; i < HOST_NAMES_MAX && w->p[i] && !m; i++)
		m = val_get(v, w->p[i]);
	return m;
}

/* The first of them that is a string with text. */
static struct str words_text(const struct val *v, const struct host_words *w)
{
	struct str s = {"", 0};

	for (size_t i = 0; i < HOST_NAMES_MAX && w->p[i] && !s.n; i++)
		s = val_get_str(v, w->p[i]);
	return s;
}

static bool words_have(const struct host_words *w, struct str name)
{
	for (size_t i = 0; i < HOST_NAMES_MAX && w->p[i]; i++)
		if (str_is(name, w->p[i]))
			return true;
	return false;
}

static bool words_hold(const struct val *v, const struct host_words *w, bool all)
{
	bool any = false;

	for (size_t i = 0; i < HOST_NAMES_MAX && w->p[i]; i++) {
		bool has = val_get(v, w->p[i]);

		if (all && !has)
			return false;
		any |= has;
	}
	return all || any;
}

/* ---- whose event it is ---- */

static bool sign_fits(const struct host_sign *s, const struct val *v, bool marked)
{
	static const struct host_words event = {{"hook_event_name", "hookEventName", "event"}};

	if ((s->mark && !marked) || !words_hold(v, &s->has, true) ||
	    words_hold(v, &s->lacks, false))
		return false;
	if (s->named.p[0] && !words_have(&s->named, words_text(v, &event)))
		return false;
	return !s->input.p[0] || words_hold(val_get(v, "tool_input"), &s->input, false);
}

static const struct host_moment_row *moment_named(const struct host_dialect *d, struct str name)
{
	for (const struct host_moment_row *m = d->moments; m && m->name; m++)
		if (str_is(name, m->name))
			return m;
	return NULL;
}

static const struct host_moment_row *moment_of(const struct host_dialect *d, const struct val *v,
					       struct str name)
{
	const struct host_moment_row *found = NULL;

	if (name.n && d->moments)
		return moment_named(d, name);
	for (size_t i = 0; name.n && host_dialects[i] && !found; i++)
		found = moment_named(host_dialects[i], name);
	if (name.n)
		return found;
	for (const struct host_moment_row *m = d->moments; m && m->name; m++)
		if (m->has.p[0] && words_hold(v, &m->has, false))
			return m;
	return NULL;
}

/* ---- what the tool is asked to do ---- */

/* The words of a program and its arguments, where the host gives a list. */
static struct str command_text(struct arena *a, const struct val *v)
{
	struct strs words = {0};

	if (v->type != VAL_LIST)
		return v->s;
	VAL_EACH(v, m)
		if (m->type == VAL_STR)
			strs_push(a, &words, m->s);
	/* sh -c TEXT */
	if (words.n == 3 && str_starts(words.p[1], STR("-")))
		return words.p[2];
	return str_join(a, &words, " ");
}

static bool means_all(const struct val *v)
{
	int64_t n;

	if (!v)
		return false;
	return v->type == VAL_BOOL ? v->b : val_as_int(v, &n) && n > 1;
}

static void add_replacement(struct arena *a, struct host_event *e, const struct host_tool_row *row,
			    const struct val *v, struct str path)
{
	const struct val *old = words_get(v, &row->old), *new = words_get(v, &row->new);

	if (!new || new->type != VAL_STR || (old && old->type != VAL_STR)) {
		e->doubt = str_fmt(a, "the input of %.*s has no text to put in", STR_ARG(e->tool));
		return;
	}
	if (!old)
		e->doubt = str_fmt(a, "the input of %.*s does not say where its text goes",
				   STR_ARG(e->tool));
	*VEC_PUSH(a, &e->edits) =
		(struct host_replacement){.path = path,
					  .old = old ? old->s : STR(""),
					  .new = new->s,
					  .all = means_all(words_get(v, &row->all))};
}

static void add_list(struct arena *a, struct host_event *e, const struct host_tool_row *row,
		     const struct val *input)
{
	const struct val *list = val_get(input, row->list);

	if (!list || list->type != VAL_LIST || !list->n) {
		e->doubt = str_fmt(a, "the input of %.*s has no list '%s'", STR_ARG(e->tool),
				   row->list);
		return;
	}
	VAL_EACH(list, m)
		add_replacement(a, e, row, m, words_text(m, &row->path));
}

static bool tool_fits(const struct host_tool_row *row, const struct val *input)
{
	if (row->path.p[0] && row->kind != HOST_SHELL && !row->list &&
	    !words_text(input, &row->path).n)
		return false;
	if (row->list)
		return val_get(input, row->list);
	return words_get(input, row->content.p[0] ? &row->content : &row->new) ||
	       (row->new.p[0] && words_get(input, &row->new)) || row->kind == HOST_DELETE;
}

/* Of several tools of one name the one whose members are there; without a name any that fits. */
static const struct host_tool_row *tool_find(const struct host_dialect *d, struct str name,
					     const struct val *input,
					     const struct host_tool_row *found)
{
	for (const struct host_tool_row *t = d->tools; t && t->kind; t++) {
		bool fits = tool_fits(t, input);

		if (name.n && !words_have(&t->names, name))
			continue;
		if (fits && (name.n || t->kind != HOST_DELETE))
			return t;
		if (name.n && !found)
			found = t;
	}
	return found;
}

static const struct host_tool_row *tool_of(const struct host_dialect *d, struct str name,
					   const struct val *input)
{
	const struct host_tool_row *t = NULL;

	if (d->tools)
		return tool_find(d, name, input, NULL);
	for (size_t i = 0; host_dialects[i] && name.n; i++) {
		t = tool_find(host_dialects[i], name, input, t);
		if (t && tool_fits(t, input))
			break;
	}
	return t;
}

static void read_tool(struct arena *a, struct host_event *e, const struct val *v,
		      const struct host_moment_row *moment)
{
	const struct host_dialect *d = e->dialect;
	const struct val *input = moment->kind ? v : words_get(v, &d->input);
	const struct host_tool_row *row = NULL;
	const struct val *text;
	struct val *inner;

	/* Older versions of Copilot give the text of a JSON object. */
	if (!moment->kind && input && input->type == VAL_STR &&
	    !json_read(a, input->s, &event_limits, &inner))
		input = inner;
	e->tool = words_text(v, &d->tool);
	if (moment->kind == HOST_SHELL)
		e->command = val_get_str(v, "command");
	e->kind = moment->kind;
	if (e->kind)
		return;
	if (d->server && str_starts(e->tool, str_of(d->server))) {
		e->kind = HOST_SERVER;
		return;
	}
	if (input && input->type == VAL_MAP)
		row = tool_of(d, e->tool, input);
	else if (!e->tool.n)
		e->doubt = STR("it names no tool and has no input of one");
	if (!row)
		return;
	text = words_get(input, &row->content);
	e->kind = row->kind;
	e->path = words_text(input, &row->path);
	if (e->kind == HOST_WRITE && !text && words_get(input, &row->old))
		e->kind = HOST_EDIT;
	if (row->content.p[0] && e->kind != HOST_EDIT &&
	    (!text ||
	     (text->type != VAL_STR && (e->kind != HOST_SHELL || text->type != VAL_LIST)))) {
		/* To delete a cell takes no source. */
		if (e->kind != HOST_NOTEBOOK)
			e->doubt = str_fmt(a, "the input of %.*s has no '%s'", STR_ARG(e->tool),
					   row->content.p[0]);
		text = NULL;
	}
	if (e->kind == HOST_EDIT)
		add_replacement(a, e, row, input, STR(""));
	else if (e->kind == HOST_MULTI_EDIT)
		add_list(a, e, row, input);
	else if (e->kind == HOST_SHELL)
		e->command = text ? command_text(a, text) : STR("");
	else if (e->kind == HOST_PATCH)
		e->patch = text ? text->s : STR("");
	else
		e->content = text ? text->s : STR("");
	e->cell = words_text(input, &row->cell);
	e->cell_mode = words_text(input, &row->cell_mode);
	if (row->path.p[0] && !e->path.n && e->kind != HOST_SHELL && !row->list)
		e->doubt = str_fmt(a, "the input of %.*s has no '%s'", STR_ARG(e->tool),
				   row->path.p[0]);
}

/* ---- all of it ---- */

static void event_read_val(struct arena *a, const struct val *v, bool marked, struct str name,
			   struct host_event *e)
{
	const struct host_sign *sign = host_signs;
	const struct host_moment_row *moment;
	const struct val *roots;
	const struct host_dialect *d;

	while (sign->dialect && !sign_fits(sign, v, marked))
		sign++;
	d = sign->dialect ? sign->dialect : host_default_dialect(HOST_UNKNOWN);
	e->dialect = d;
	e->host = d->host;
	e->session = words_text(v, &d->session);
	e->agent = words_text(v, &d->agent);
	e->cwd = words_text(v, &d->cwd);
	roots = d->roots ? val_get(v, d->roots) : NULL;
	if (!e->cwd.n && roots && roots->type == VAL_LIST && roots->first &&
	    roots->first->type == VAL_STR)
		e->cwd = roots->first->s;
	e->name = words_text(v, &d->event);
	e->stop_active = means_all(words_get(v, &d->stop_active));
	if (!e->name.n)
		e->name = name;
	moment = moment_of(d, v, e->name);
	if (!moment)
		return;
	e->moment = moment->moment;
	if (!e->name.n)
		e->name = str_of(moment->name);
	if (e->moment == HOST_BEFORE || e->moment == HOST_AFTER)
		read_tool(a, e, v, moment);
}

void host_event_read(struct arena *a, struct str text, enum host by_default, struct str name,
		     struct host_event *out)
{
	bool marked = str_starts(text, mark), replaced = false;
	struct val *v;
	struct err *e = json_read(a, text, &event_limits, &v);

	*out = (struct host_event){.moment = HOST_OTHER, .kind = HOST_ANY_TOOL};
	if (e && err_reason(e) == E_BAD_UTF8) {
		/* A host that passes bytes on: the event is still to be told and answered. */
		e = json_read(a, str_utf8(a, text), &event_limits, &v);
		replaced = true;
	}
	if (!e && v->type != VAL_MAP)
		e = err_new(E_BAD_JSON, "it is %s, not an object", val_type_name(v->type));
	if (e) {
		const struct host_moment_row *m;

		/* The event before a tool must be answered, so a text without JSON counts as it. */
		out->dialect = host_default_dialect(marked ? HOST_CURSOR : by_default);
		out->host = out->dialect->host;
		m = out->dialect->moments;
		while (m && m->name && m->moment != HOST_BEFORE)
			m++;
		out->moment = HOST_BEFORE;
		out->name = m && m->name ? str_of(m->name) : STR("");
		out->doubt = str_fmt(a, "it cannot be read: %s", err_message(e));
		return;
	}
	event_read_val(a, v, marked, name, out);
	/* Without a sign --host tells in which words to allow and to warn. */
	if (out->host == HOST_UNKNOWN && by_default != HOST_UNKNOWN)
		out->host = by_default;
	if (replaced)
		out->doubt = STR("it has bytes that are not UTF-8");
}

/* ---- the environment ---- */

static struct str event_variable(const struct host_words *names)
{
	for (size_t i = 0; i < HOST_NAMES_MAX && names->p[i]; i++) {
		const char *value = os_env(names->p[i]);

		if (value && *value)
			return str_of(value);
	}
	return (struct str){0};
}

enum host host_running(struct str *session)
{
	const struct host_variables *v = host_variables;

	while (v->host != HOST_UNKNOWN && !event_variable(&v->set).p)
		v++;
	*session = event_variable(&v->session);
	return v->host;
}
