/* Makes a value tree of a record by its rows. */
#include "record/member_value.h"
#include "json/json.h"
#include "os/os.h"

struct record_writer {
	struct arena *a;
	bool copy; /* copy strings, because the tree outlives them */
};

static struct val *record_fields_val(const struct record_writer *w, const struct field *fields,
				     const void *record);

static struct val *record_str_val(const struct record_writer *w, struct str s)
{
	struct str text = str_utf8(w->a, s);

	return val_str(w->a, w->copy && text.p == s.p ? str_dup(w->a, text) : text);
}

static struct val *record_strs_val(const struct record_writer *w, const struct strs *v)
{
	struct val *list = val_list(w->a);

	for (size_t i = 0; i < v->n; i++)
		val_add(list, record_str_val(w, v->p[i]));
	return list;
}

static struct val *record_tree_val(const struct record_writer *w, const struct val *v)
{
	struct val *out = val_copy_shallow(w->a, v);

	if (!w->copy)
		return out;
	out->s = str_dup(w->a, v->s);
	out->key = str_dup(w->a, v->key);
	out->first = out->last = NULL;
	out->n = 0;
	VAL_EACH(v, it)
		val_add(out, record_tree_val(w, it));
	return out;
}

static struct val *record_json_val(const struct record_writer *w, struct str text)
{
	struct val *v;
	struct err *e = json_read(w->a, w->copy ? str_dup(w->a, text) : text, NULL, &v);

	if (e)
		BUG("JSON in a record: %s", err_message(e));
	return v;
}

struct val *record_choices_val(struct arena *a, const char *const *choices, unsigned bits)
{
	struct val *list = val_list(a);

	for (unsigned i = 0; choices[i]; i++)
		if (bits & 1u << i)
			val_add(list, val_str(a, str_of(choices[i])));
	return list;
}

static struct val *record_list_val(const struct record_writer *w, const struct field *f,
				   const char *p, size_t n)
{
	struct val *list = val_list(w->a);

	for (size_t i = 0; i < n; i++)
		val_add(list, record_fields_val(w, f->sub, p + i * f->size));
	return list;
}

/* Gets the member's number; false when it is absent. */
static bool record_number(const struct field *f, const void *at, int64_t *out)
{
	const struct maybe_int *maybe = at;

	switch (f->kind) {
	case K_INT64:
	case K_TIME: *out = *(const int64_t *)at; return f->kind == K_INT64 || *out;
	case K_SIZE: *out = (int64_t)(*(const size_t *)at); return true;
	case K_INT: *out = *(const int *)at; return *out >= 0 || !f->choices;
	case K_UNSIGNED:
	case K_SET: *out = *(const unsigned *)at; return true;
	default: *out = maybe->n; return maybe->given;
	}
}

const struct field *record_find_field(const struct field *fields, struct str name)
{
	for (const struct field *f = fields; f->name; f++)
		if (str_is(name, f->name))
			return f;
	return NULL;
}

const void *record_member_address(const struct field *f, const void *record)
{
	if (f->given && !f->given(record))
		return NULL;
	if (f->has_via)
		record = *(const void *const *)(const void *)((const char *)record + f->via);
	return record ? (const char *)record + f->offset : NULL;
}

/* NULL when the member is absent, or empty with OMIT_EMPTY. */
static struct val *record_member_val(const struct record_writer *w, const struct field *f,
				     const void *record)
{
	const char *at;
	bool if_any = f->flags & OMIT_EMPTY, b;
	const struct maybe_bool *maybe;
	const struct strs *strs;
	struct str s;
	const void *p;
	int64_t n;
	size_t count;

	at = record_member_address(f, record);
	if (!at)
		return NULL;
	switch (f->kind) {
	case K_STR:
		s = *(const struct str *)(const void *)at;
		return !s.p || (if_any && !s.n) ? NULL : record_str_val(w, s);
	case K_JSON:
		s = *(const struct str *)(const void *)at;
		return s.n ? record_json_val(w, s) : NULL;
	case K_CHARS:
		p = *(const char *const *)(const void *)at;
		return !p || (if_any && !*(const char *)p) ? NULL : record_str_val(w, str_of(p));
	case K_STRS:
		strs = (const void *)at;
		return !strs->p || (if_any && !strs->n) ? NULL : record_strs_val(w, strs);
	case K_DOUBLE: {
		double d = *(const double *)(const void *)at;

		return !isfinite(d) || (if_any && d == 0) ? NULL : val_double(w->a, d);
	}
	case K_BOOL: b = *(const bool *)at; return if_any && !b ? NULL : val_bool(w->a, b);
	case K_MAYBE_BOOL:
		maybe = (const void *)at;
		return !maybe->given || (if_any && !maybe->b) ? NULL : val_bool(w->a, maybe->b);
	case K_INT64:
	case K_SIZE:
	case K_INT:
	case K_UNSIGNED:
	case K_MAYBE_INT:
	case K_TIME:
	case K_SET:
		if (!record_number(f, at, &n) || (if_any && !n && !f->choices))
			return NULL;
		if (f->kind == K_TIME)
			return val_str(w->a, os_time_text(w->a, n, true));
		if (f->kind == K_SET)
			return !n && if_any ? NULL
					    : record_choices_val(w->a, f->choices, (unsigned)n);
		return f->choices ? val_str(w->a, str_of(f->choices[n])) : val_int(w->a, n);
	case K_VAL:
		p = *(const struct val *const *)(const void *)at;
		return p ? record_tree_val(w, p) : NULL;
	case K_RECORD: return record_fields_val(w, f->sub, at);
	case K_RECORD_AT:
		p = *(const void *const *)(const void *)at;
		return p ? record_fields_val(w, f->sub, p) : NULL;
	case K_RECORDS:
		p = *(const void *const *)(const void *)at;
		count = *(const size_t *)(const void *)(at - f->offset + f->count);
		return (f->flags & OPTIONAL) && (!p || (if_any && !count))
			       ? NULL
			       : record_list_val(w, f, p, count);
	case K_NONE: break;
	}
	return NULL;
}

static struct val *record_empty_val(struct arena *a, enum field_type type)
{
	switch (type) {
	case F_STR: return val_str(a, STR(""));
	case F_STRS:
	case F_LIST: return val_list(a);
	case F_OBJ: return val_map(a);
	case F_BOOL: return val_bool(a, false);
	case F_INT:
	case F_NUM: return val_int(a, 0);
	case F_ANY: break;
	}
	return val_null(a);
}

static struct val *record_fields_val(const struct record_writer *w, const struct field *fields,
				     const void *record)
{
	struct val *out = val_map(w->a);

	for (const struct field *f = fields; f->name; f++) {
		struct val *v;

		if (f->kind == K_NONE || (f->given && !f->given(record)))
			continue;
		v = record_member_val(w, f, record);
		if (!v && f->flags & NULLABLE)
			v = val_null(w->a);
		else if (!v && !(f->flags & OPTIONAL))
			v = record_empty_val(w->a, f->type);
		if (v)
			val_set(w->a, out, f->name, v);
	}
	return out;
}

struct val *record_member_to_val(struct arena *a, const struct field *f, const void *record)
{
	return record_member_val(&(struct record_writer){.a = a}, f, record);
}

struct val *record_val(struct arena *a, const struct field *fields, const void *record)
{
	return record_fields_val(&(struct record_writer){.a = a}, fields, record);
}

struct val *record_val_with_copies(struct arena *a, const struct field *fields, const void *record)
{
	return record_fields_val(&(struct record_writer){.a = a, .copy = true}, fields, record);
}

void record_deep_copy_in_place(struct arena *a, const struct field *fields, void *record)
{
	const struct record_writer copy = {.a = a, .copy = true};

	for (const struct field *f = fields; f->name; f++) {
		void *at = (char *)record + f->offset;
		struct str *s = at;
		struct strs *strs = at, own = {0};
		const char **chars = at;
		const struct val **tree = at;

		switch (f->has_via ? K_NONE : f->kind) {
		case K_STR:
		case K_JSON: *s = s->p ? str_dup(a, *s) : *s; break;
		case K_CHARS: *chars = *chars ? str_c(a, str_of(*chars)) : NULL; break;
		case K_STRS:
			own.p = strs->p ? arena_alloc(a, 1) : NULL;
			for (size_t i = 0; i < strs->n; i++)
				strs_push(a, &own, str_dup(a, strs->p[i]));
			*strs = own;
			break;
		case K_VAL: *tree = *tree ? record_tree_val(&copy, *tree) : NULL; break;
		case K_RECORD: record_deep_copy_in_place(a, f->sub, at); break;
		case K_RECORD_AT:
		case K_RECORDS: BUG("record_copy_members does not copy '%s'", f->name);
		default: break;
		}
	}
}
