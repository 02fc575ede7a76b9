/* Finds a setting in a file as the reader does, and changes it there. */
#include "conf/edit.h"
#include "conf/internal.h"
#include "json/edit_text.h"
#include "os/os.h"

#define LOCK_MS 10000

/* A member of the file that sets the key, and the objects around it, the outermost first. */
struct conf_place {
	const struct val *in[JSON_DEPTH_MAX];
	size_t depth; /* number of objects; the last one has the member */
	const struct val *member;
};
struct conf_places VEC(struct conf_place);

struct editing {
	struct arena *a;
	const struct conf_edit *q;
	const struct conf_setting *row; /* NULL: no setting has this key */
	struct str text;
	struct val *root;
	struct conf_places places; /* in the order of the reader: the last one counts */
	struct conf_edited *out;
};

/* ---- finding ---- */

/* A member's name is the key or its first parts: {"a": {"b": …}}, {"a.b": …}. */
static void edit_find(struct editing *t, const struct conf_place *at, const struct val *map,
		      struct str key)
{
	VAL_EACH(map, m) {
		struct conf_place here = *at;

		if (here.depth == ARRAY_SIZE(here.in))
			return;
		here.in[here.depth++] = map;
		here.member = m;
		if (str_eq(m->key, key))
			*VEC_PUSH(t->a, &t->places) = here;
		else if (m->type == VAL_MAP && str_starts(key, m->key) && key.p[m->key.n] == '.')
			edit_find(t, &here, m, str_sub(key, m->key.n + 1, key.n));
	}
}

static struct err *edit_parse(struct editing *t)
{
	const struct json_limits limits = {.bytes = CONF_BYTES_MAX};
	const struct conf_place none = {0};
	struct err *e = json_read(t->a, t->text, &limits, &t->root);

	if (e)
		return err_help(err_add_context(e, "%s", t->q->path),
				"correct the file first: ikm changes one setting in it and keeps "
				"the rest");
	if (t->root->type != VAL_MAP)
		return err_help(err_new(E_BAD_CONFIG, "%s: must hold an object, not %s", t->q->path,
					val_type_name(t->root->type)),
				"write {} into the file, or move it away");
	t->places = (struct conf_places){0};
	edit_find(t, &none, t->root, t->q->key);
	return NULL;
}

static struct err *edit_splice_in(struct editing *t, struct str text)
{
	t->text = text;
	t->out->changed = true;
	return edit_parse(t);
}

static const struct conf_place *edit_last(const struct editing *t)
{
	return t->places.n ? &t->places.p[t->places.n - 1] : NULL;
}

/* The member v, which the file calls `name`, is not what the edit needs. */
static struct err *edit_in_the_way(const struct editing *t, const struct val *v, struct str name,
				   const char *want)
{
	struct place at = str_place_of_offset(t->text, v->at.from);
	struct err *e = err_new(E_BAD_CONFIG, "%s, line %zu: '%.*s' is %s, not %s", t->q->path,
				at.line, STR_ARG(name), val_type_name(v->type), want);

	return err_help(err_detail_int(e, "line", (int64_t)at.line),
			"remove it with 'ikm config unset %.*s'", STR_ARG(name));
}

/* The setting as the file has it: for a list that adds up, the members from all places. */
static const struct val *edit_value(const struct editing *t)
{
	const struct conf_place *last = edit_last(t);
	struct val *all;

	if (!last)
		return NULL;
	if (!t->row || t->row->type != CONF_PARTS || t->places.n == 1)
		return val_copy_shallow(t->a, last->member);
	all = val_list(t->a);
	for (size_t i = 0; i < t->places.n; i++)
		VAL_EACH(t->places.p[i].member, m)
			val_add(all, val_copy_shallow(t->a, m));
	return all;
}

/* ---- changes of the text ---- */

static struct err *edit_cut_all_but(struct editing *t, size_t keep)
{
	while (t->places.n > keep) {
		const struct conf_place *at = &t->places.p[0];
		const struct val *member = at->member;
		size_t depth = at->depth;

		/* Removes the member, and the objects that become empty with it. */
		while (depth > 1 && at->in[depth - 1]->n == 1)
			member = at->in[--depth];
		TRY(edit_splice_in(t, json_edit_cut(t->a, t->text, at->in[depth - 1], member)));
	}
	return NULL;
}

/* A file that writes some key with a dot gets this one so too. */
static bool edit_is_dotted(const struct val *root)
{
	VAL_EACH(root, m)
		if (str_find_char(m->key, '.', 0) != SIZE_MAX)
			return true;
	return false;
}

static struct err *edit_insert(struct editing *t, const struct val *value)
{
	struct str key = t->q->key, group, name;
	size_t dot = str_find_char(key, '.', 0);
	const struct val *in = t->root;
	struct val *wrapped;

	group = str_sub(key, 0, dot);
	name = dot == SIZE_MAX ? key : str_sub(key, dot + 1, key.n);
	if (dot != SIZE_MAX && val_get_key(t->root, group)) {
		in = val_get_key(t->root, group);
		if (in->type != VAL_MAP)
			return edit_in_the_way(t, in, group, "an object");
	} else if (dot != SIZE_MAX && !edit_is_dotted(t->root)) {
		wrapped = val_map(t->a);
		val_set_key(wrapped, name, val_copy_shallow(t->a, value));
		value = wrapped;
		name = group;
	} else {
		name = key;
	}
	return edit_splice_in(t, json_edit_insert(t->a, t->text, t->root, in,
						  json_edit_format_member(t->a, t->text, t->root,
									  in, name, value)));
}

static struct err *edit_set(struct editing *t, const struct val *value)
{
	const struct conf_place *last = edit_last(t);

	if (!last)
		return edit_insert(t, value);
	if (!val_eq(last->member, value))
		TRY(edit_splice_in(t,
				   json_edit_replace(t->a, t->text, last->member,
						     json_edit_format_value(t->a, t->text, t->root,
									    last->member, value))));
	return edit_cut_all_but(t, 1);
}

static bool edit_has(const struct val *list, const struct val *v)
{
	VAL_EACH(list, m)
		if (val_eq(m, v))
			return true;
	return false;
}

static struct err *edit_lists(const struct editing *t)
{
	for (size_t i = 0; i < t->places.n; i++)
		if (t->places.p[i].member->type != VAL_LIST)
			return edit_in_the_way(t, t->places.p[i].member, t->q->key, "a list");
	return NULL;
}

static struct err *edit_add(struct editing *t, const struct val *values)
{
	TRY(edit_lists(t));
	if (!t->places.n) {
		/* Else the members of the default would count no more. */
		struct val *list = conf_typed(t->a, t->row, str_of(t->row->def));
		size_t n = list->n;

		VAL_EACH(values, v)
			if (edit_has(list, v))
				strs_push(t->a, &t->out->present, json_text(t->a, v));
			else
				val_add(list, val_copy_shallow(t->a, v));
		return list->n > n ? edit_insert(t, list) : NULL;
	}
	VAL_EACH(values, v) {
		const struct val *list = edit_last(t)->member;
		struct val *alone = val_list(t->a);

		if (edit_has(edit_value(t), v)) {
			strs_push(t->a, &t->out->present, json_text(t->a, v));
			continue;
		}
		val_add(alone, val_copy_shallow(t->a, v));
		TRY(edit_splice_in(
			t,
			list->n ? json_edit_insert(
					  t->a, t->text, t->root, list,
					  json_edit_format_member(t->a, t->text, t->root, list,
								  (struct str){NULL, 0}, v))
				: json_edit_replace(t->a, t->text, list,
						    json_edit_format_value(t->a, t->text, t->root,
									   list, alone))));
	}
	return NULL;
}

/* Removes one member that is equal. *found: there was one. */
static struct err *edit_remove_one(struct editing *t, const struct val *v, bool *found)
{
	*found = true;
	for (size_t i = 0; i < t->places.n; i++)
		VAL_EACH(t->places.p[i].member, m)
			if (val_eq(m, v))
				return edit_splice_in(
					t, json_edit_cut(t->a, t->text, t->places.p[i].member, m));
	*found = false;
	return NULL;
}

static struct err *edit_remove(struct editing *t, const struct val *values)
{
	TRY(edit_lists(t));
	VAL_EACH(values, v) {
		bool found, again;

		TRY(edit_remove_one(t, v, &found));
		if (!found)
			strs_push(t->a, &t->out->missing, json_text(t->a, v));
		for (again = found; again;)
			TRY(edit_remove_one(t, v, &again));
	}
	return NULL;
}

/* ---- values ---- */

static struct err *edit_not_allowed(const struct editing *t, const struct val *v)
{
	struct err *e = err_new(E_BAD_CONFIG, "'%s' cannot be %.*s; allowed: %.*s", t->row->key,
				STR_ARG(conf_shown(t->a, t->row, v)),
				STR_ARG(conf_allowed_values_text(t->a, t->row)));

	return err_add_detail(e, "setting", str_of(t->row->key));
}

/* Lists of processes, copies of the file and 'ikm config list' would show a password. So might the
 * message, if it showed the value. */
static struct err *edit_no_server(const struct editing *t, enum conf_server why)
{
	struct err *e;

	if (why == CONF_SERVER_BAD) {
		e = err_new(E_BAD_CONFIG, "the value of '%s' is no URL of a PostgreSQL server",
			    t->row->key);
		err_add_detail(e, "setting", str_of(t->row->key));
		return err_help(e, "write it as postgresql://ROLE@HOST/DATABASE");
	}
	e = err_new(E_NOT_ALLOWED, "'%s' cannot have a password, which others would see",
		    t->row->key);
	err_add_detail(e, "setting", str_of(t->row->key));
	err_help(e, CONF_PASSWORD_HELP);
	return err_help(e,
			"or give it to libpq by PGPASSFILE or PGPASSWORD, and leave it out here");
}

/* Words are written as the table has them, whatever the case was. */
static struct val *edit_word(const struct editing *t, struct val *v)
{
	int word = t->row->choices ? conf_choice_index(t->row, v) : -1;

	return word < 0 ? v : val_str(t->a, str_of(t->row->choices[word]));
}

/* One member of a list, as typed: an object is JSON. */
static struct err *edit_typed_member(struct editing *t, struct str text, struct val **out)
{
	struct err *e;

	*out = val_str(t->a, text);
	if (!t->row->objects)
		return NULL;
	e = json_read(t->a, text, NULL, out);
	if (!e)
		return NULL;
	return err_help(err_add_context(e, "'%.*s' is no JSON", STR_ARG(str_utf8_head(text, 64))),
			"write an object, such as '{\"path\": \"docs/adr\"}'");
}

static struct err *edit_typed(struct editing *t, struct val **out)
{
	const struct strs *given = &t->q->values;
	bool list = t->row->type >= CONF_STRS;
	struct val *v, *words;

	if (!given->n)
		return err_new(E_BAD_ARGUMENT, "'%s' needs a value; allowed: %.*s", t->row->key,
			       STR_ARG(conf_allowed_values_text(t->a, t->row)));
	if (!list && given->n > 1)
		return err_help(err_new(E_BAD_ARGUMENT, "'%s' takes one value, not %zu",
					t->row->key, given->n),
				"put quotes around a value with blanks");
	if (!list && t->q->op != CONF_SET)
		return err_help(err_new(E_BAD_ARGUMENT, "'%s' is no list", t->row->key),
				"run 'ikm config set %s VALUE'", t->row->key);
	v = given->n == 1 && t->q->op == CONF_SET ? conf_typed(t->a, t->row, given->p[0]) : NULL;
	if (!v || (t->row->objects && v->type != VAL_LIST)) {
		v = val_list(t->a);
		for (size_t i = 0; i < given->n; i++) {
			struct val *m;

			TRY(edit_typed_member(t, given->p[i], &m));
			val_add(v, m);
		}
	}
	if (t->row->type == CONF_STR && v->type == VAL_STR && v->s.n < (uint64_t)t->row->min)
		return err_help(edit_not_allowed(t, v), "to remove it: ikm config unset %s",
				t->row->key);
	if (!conf_setting_allows_value(t->row, v))
		return edit_not_allowed(t, v);
	if (t->row->server && conf_server_check_url(v->s) != CONF_SERVER_GOOD)
		return edit_no_server(t, conf_server_check_url(v->s));
	*out = list ? v : edit_word(t, v);
	if (!list || !t->row->choices)
		return NULL;
	words = val_list(t->a);
	VAL_EACH(v, m)
		val_add(words, val_copy_shallow(t->a, edit_word(t, m)));
	*out = words;
	return NULL;
}

/* ---- the whole edit ---- */

static struct err *edit_row(struct editing *t)
{
	const struct conf_edit *q = t->q;
	const struct conf_place *last = str_starts(q->key, STR("$")) ? NULL : edit_last(t);
	struct err *e = conf_find(t->a, q->key, &t->row);

	/* 'config unset check' must not remove all settings of the group: that is rarely meant. */
	if (e && q->op == CONF_UNSET && last &&
	    !(conf_is_group(q->key) && last->member->type == VAL_MAP))
		return NULL;
	TRY(e);
	if (q->origin == CONF_REPO && !t->row->repo && q->op != CONF_UNSET)
		return err_help(
			err_new(E_UNTRUSTED_CONFIG, "a repository may not set '%s'", t->row->key),
			"leave out --repo: 'ikm config set %s' sets it for you alone", t->row->key);
	return NULL;
}

struct err *conf_edit_text(struct arena *a, const struct conf_edit *q, struct str *text,
			   struct conf_edited *out)
{
	struct editing t = {.a = a, .q = q, .text = *text, .out = out};
	struct val *v = NULL;

	*out = (struct conf_edited){0};
	if (!str_trim(t.text).n)
		t.text = STR("{}\n");
	TRY(edit_parse(&t));
	TRY(edit_row(&t));
	if (q->op != CONF_UNSET)
		TRY(edit_typed(&t, &v));
	out->was = edit_value(&t);
	switch (q->op) {
	case CONF_SET: TRY(edit_set(&t, v)); break;
	case CONF_ADD: TRY(edit_add(&t, v)); break;
	case CONF_REMOVE: TRY(edit_remove(&t, v)); break;
	case CONF_UNSET: TRY(edit_cut_all_but(&t, 0)); break;
	}
	out->now = edit_value(&t);
	if (out->changed)
		*text = t.text;
	return NULL;
}

/* p is empty for a missing file, and *exists is false. */
static struct err *edit_read(struct arena *a, const char *path, struct str *text, bool *exists)
{
	struct err *e = os_read_path(a, path, CONF_BYTES_MAX, text);

	*exists = !e;
	if (e && err_reason(e) == E_FILE_NOT_FOUND) {
		*text = STR("");
		return NULL;
	}
	return e;
}

static struct err *edit_locked(struct arena *a, const struct conf_edit *q, struct conf_edited *out)
{
	struct str was, text, again;
	bool exists;

	TRY(edit_read(a, q->path, &was, &exists));
	text = was;
	TRY(conf_edit_text(a, q, &text, out));
	if (!out->changed)
		return NULL;
	if (text.n > CONF_BYTES_MAX)
		return err_new(E_TOO_BIG, "'%s' would be over %zu bytes", q->path, CONF_BYTES_MAX);
	/* An editor does not know the lock. */
	TRY(edit_read(a, q->path, &again, &exists));
	if (!str_eq(was, again))
		return err_help(err_new(E_CHANGED, "'%s' has changed in the meantime", q->path),
				"try again");
	return os_write(q->path, text, 0);
}

/* A repository is foreign: a link in it must not make ikm change a file elsewhere. */
static struct err *edit_check_inside(struct arena *a, const struct conf_edit *q)
{
	struct str path = str_of(q->path);
	struct strs top = {0}, none = {0};
	struct os_roots *roots;
	const char *name;
	struct err *e;
	int dirfd;

	if (!q->top)
		return NULL;
	strs_push(a, &top, str_of(q->top));
	TRY(os_roots_new(a, &top, &none, &roots));
	e = os_roots_parent(roots, a, NULL, path, &dirfd, &name);
	if (!e || err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	if (err_reason(e) != E_OUTSIDE_ROOTS)
		return e;
	return err_help(
		err_new(E_UNTRUSTED_CONFIG, "'%s' leads out of the repository by a link", q->path),
		"replace the link by a folder or file, and try again");
}

struct err *conf_edit_file(struct arena *a, const struct conf_edit *q, struct conf_edited *out)
{
	struct os_lock *lock;
	const char *folder, *real;
	struct str text;
	struct err *e;
	bool exists;

	TRY(edit_check_inside(a, q));
	/* Without the lock first: an edit that is refused, or changes nothing, leaves no folder. */
	TRY(edit_read(a, q->path, &text, &exists));
	TRY(conf_edit_text(a, q, &text, out));
	if (!out->changed || q->dry)
		return NULL;
	/* The folder whose lock guards the file: that of a link's target, which is what is
	 * replaced. */
	if (os_realpath(a, q->path, &real))
		real = q->path;
	folder = str_parent(a, real);
	TRY(os_mkdirs(folder, q->folder_mode));
	TRY(os_lock_dir(a, folder, LOCK_MS, &lock));
	e = edit_locked(a, q, out);
	os_unlock(lock);
	return e;
}
