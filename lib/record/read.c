/* Reads a value tree into a struct by the rows of its record. */
#include "record/record.h"
#include "json/json.h"
#include "os/os.h"
#include <limits.h>

struct record_reading {
	struct arena *a;
	const struct record_reader *how;
};

struct err *record_wrong_type(struct str shown, const char *want, const char *found)
{
	return err_detail(
		err_new(E_WRONG_TYPE, "%.*s must be %s, not %s", STR_ARG(shown), want, found),
		"parameter", shown);
}

struct err *record_not_in(struct arena *a, struct str shown, struct str found,
			  const char *const *choices)
{
	struct strs all = strs_of(a, choices);
	struct err *e = err_new(E_NOT_IN_ENUM, "%.*s is '%.*s'; allowed: %.*s", STR_ARG(shown),
				STR_ARG(found), STR_ARG(str_join(a, &all, ", ")));

	return err_detail_list(err_detail(e, "parameter", shown), "allowed", &all);
}

struct err *record_missing(struct str shown, const char *help)
{
	return err_detail(err_new(E_MISSING_PARAMETER, "%.*s is missing: %s", STR_ARG(shown), help),
			  "parameter", shown);
}

int record_choice(const char *const *choices, struct str word)
{
	for (int i = 0; choices[i]; i++)
		if (str_is(word, choices[i]))
			return i;
	return -1;
}

/*
 * Reports the error to how->wrong and returns NULL, so that reading goes on. Without how->wrong,
 * returns the error.
 */
static struct err *record_told(const struct record_reading *r, const struct val *at, struct err *e)
{
	if (!e || !r->how->wrong)
		return e;
	r->how->wrong(r->how->ctx, at, e);
	return NULL;
}

static struct err *record_read_members(const struct record_reading *r, const struct field *fields,
				       const struct val *v, struct str shown, void *record);

/* ---- one member ---- */

static struct err *record_read_int(const struct field *f, const struct val *v, struct str shown,
				   void *to)
{
	struct maybe_int *maybe = to;
	int64_t n, least = INT64_MIN, most = INT64_MAX;

	if (!val_as_int(v, &n))
		return record_wrong_type(shown, "an integer", val_type_name(v->type));
	if (f->kind == K_INT) {
		least = INT_MIN;
		most = INT_MAX;
	} else if (f->kind == K_UNSIGNED || f->kind == K_SIZE) {
		least = 0;
		most = f->kind == K_UNSIGNED ? UINT_MAX : INT64_MAX;
	}
	if (n < least || n > most)
		return err_detail(err_new(E_OUT_OF_RANGE, "%.*s is %jd; allowed: %jd to %jd",
					  STR_ARG(shown), (intmax_t)n, (intmax_t)least,
					  (intmax_t)most),
				  "parameter", shown);
	if (f->kind == K_INT)
		*(int *)to = (int)n;
	else if (f->kind == K_UNSIGNED)
		*(unsigned *)to = (unsigned)n;
	else if (f->kind == K_SIZE)
		*(size_t *)to = (size_t)n;
	else if (f->kind == K_INT64)
		*(int64_t *)to = n;
	else
		*maybe = (struct maybe_int){n, true};
	return NULL;
}

static struct err *record_read_name(const struct record_reading *r, const struct field *f,
				    const struct val *v, struct str shown, void *to)
{
	int i;

	if (v->type != VAL_STR)
		return record_wrong_type(shown, "a string", val_type_name(v->type));
	i = f->choices ? record_choice(f->choices, v->s) : 0;
	if (i < 0)
		return record_not_in(r->a, shown, v->s, f->choices);
	if (f->kind == K_STR)
		*(struct str *)to = v->s;
	else if (f->kind == K_CHARS)
		*(const char **)to = f->choices ? f->choices[i] : str_c(r->a, v->s);
	else
		*(int *)to = i;
	return NULL;
}

/* Reads a list of strings, or of the names of bits. */
static struct err *record_read_strings(const struct record_reading *r, const struct field *f,
				       const struct val *v, struct str shown, void *to)
{
	struct strs strs = {.p = arena_alloc(r->a, 1)};
	unsigned bits = 0;

	if (v->type != VAL_LIST)
		return record_wrong_type(shown, "a list of strings", val_type_name(v->type));
	VAL_EACH(v, m) {
		int i = f->choices && m->type == VAL_STR ? record_choice(f->choices, m->s) : 0;

		if (m->type != VAL_STR)
			return record_wrong_type(shown, "a list of strings",
						 val_type_name(v->type));
		if (i < 0)
			return record_not_in(r->a, shown, m->s, f->choices);
		if (f->kind == K_SET)
			bits |= 1u << i;
		else
			strs_push(r->a, &strs, m->s);
	}
	if (f->kind == K_SET)
		*(unsigned *)to = bits;
	else
		*(struct strs *)to = strs;
	return NULL;
}

static struct err *record_read_tree(const struct field *f, const struct val *v, struct str shown,
				    void *to)
{
	if (f->type == F_OBJ && v->type != VAL_MAP)
		return record_wrong_type(shown, "an object", val_type_name(v->type));
	if ((f->type == F_LIST || f->type == F_STRS) && v->type != VAL_LIST)
		return record_wrong_type(shown, "a list", val_type_name(v->type));
	*(const struct val **)to = v;
	return NULL;
}

static struct err *record_read_list(const struct record_reading *r, const struct field *f,
				    const struct val *v, struct str shown, void *record)
{
	char *p;
	size_t i = 0;

	if (v->type != VAL_LIST)
		return record_wrong_type(shown, "a list of objects", val_type_name(v->type));
	p = arena_array(r->a, size_max(v->n, 1), f->size);
	VAL_EACH(v, m) {
		TRY(record_read_members(r, f->sub, m, str_fmt(r->a, "%.*s[%zu]", STR_ARG(shown), i),
					p + i * f->size));
		i++;
	}
	*(void **)(void *)((char *)record + f->offset) = p;
	*(size_t *)(void *)((char *)record + f->count) = i;
	return NULL;
}

static struct err *record_read_json(const struct record_reading *r, const struct val *v,
				    struct str shown, struct str *to)
{
	struct buf b = buf_in(r->a);

	if (v->type != VAL_MAP)
		return record_wrong_type(shown, "an object", val_type_name(v->type));
	json_write(&b, v, 0);
	*to = buf_str(&b);
	return NULL;
}

static struct err *record_read_bool(const struct field *f, const struct val *v, struct str shown,
				    void *to)
{
	if (v->type != VAL_BOOL)
		return record_wrong_type(shown, "a boolean", val_type_name(v->type));
	if (f->kind == K_BOOL)
		*(bool *)to = v->b;
	else
		*(struct maybe_bool *)to = (struct maybe_bool){v->b, true};
	return NULL;
}

static struct err *record_read_member(const struct record_reading *r, const struct field *f,
				      const struct val *v, struct str shown, void *record)
{
	void *to = (char *)record + f->offset;

	switch (f->has_via ? K_NONE : f->kind) {
	case K_STR:
	case K_CHARS:
		return record_read_name(r, f, v, shown, to);
	case K_STRS:
	case K_SET:
		return record_read_strings(r, f, v, shown, to);
	case K_INT:
	case K_UNSIGNED:
		return f->choices ? record_read_name(r, f, v, shown, to)
				  : record_read_int(f, v, shown, to);
	case K_INT64:
	case K_SIZE:
	case K_MAYBE_INT:
		return record_read_int(f, v, shown, to);
	case K_DOUBLE:
		return v->type == VAL_NUM && val_as_double(v, to)
			       ? NULL
			       : record_wrong_type(shown, "a number", val_type_name(v->type));
	case K_BOOL:
	case K_MAYBE_BOOL:
		return record_read_bool(f, v, shown, to);
	case K_TIME:
		return v->type == VAL_STR && os_time_read(v->s, to)
			       ? NULL
			       : record_wrong_type(shown, "a time as 2026-01-31T12:00:00Z",
						   val_type_name(v->type));
	case K_JSON:
		return record_read_json(r, v, shown, to);
	case K_VAL:
		return record_read_tree(f, v, shown, to);
	case K_RECORD:
		return record_read_members(r, f->sub, v, shown, to);
	case K_RECORDS:
		return record_read_list(r, f, v, shown, record);
	case K_RECORD_AT: /* only results have it: the row has no size of the struct */
	case K_NONE:      /* or a row with FIELD_VIA */
		break;
	}
	BUG("'%s' cannot be read", f->name);
}

/* ---- an object ---- */

static struct err *record_unknown_name(const struct record_reading *r, const struct field *fields,
				       const struct val *m)
{
	const struct record_reader *how = r->how;
	struct strs names = {0};
	struct str near;
	struct err *e;

	if (how->unknown == RECORD_KEPT)
		strs_push(r->a, how->rest, m->key);
	if (how->unknown != RECORD_REFUSED)
		return NULL;
	for (const struct field *f = fields; f->name; f++)
		strs_push(r->a, &names, str_of(f->name));
	near = str_nearest(m->key, &names);
	e = err_new(E_UNKNOWN_PARAMETER, "%s has no member '%.*s'%s%.*s%s", how->what,
		    STR_ARG(m->key), near.n ? "; did you mean '" : "", STR_ARG(near),
		    near.n ? "'?" : "");
	return err_detail_list(err_detail(e, "parameter", m->key), "allowed", &names);
}

/* True for a missing member, and for a null that counts as missing. */
static bool record_is_missing(const struct record_reading *r, const struct field *f,
			      const struct val *m)
{
	return !m || (m->type == VAL_NULL && (r->how->nulls || f->flags & NULLABLE));
}

static struct err *record_read_members(const struct record_reading *r, const struct field *fields,
				       const struct val *v, struct str shown, void *record)
{
	if (v->type != VAL_MAP)
		return record_told(r, v,
				   record_wrong_type(shown, "an object", val_type_name(v->type)));
	VAL_EACH(v, m) {
		const struct field *f = fields;
		struct str at = m->key;

		while (f->name && !str_is(m->key, f->name))
			f++;
		if (!f->name) {
			TRY(record_told(r, m, record_unknown_name(r, fields, m)));
			continue;
		}
		if (record_is_missing(r, f, m))
			continue;
		if (shown.n)
			at = str_fmt(r->a, "%.*s.%.*s", STR_ARG(shown), STR_ARG(m->key));
		TRY(record_told(r, m, record_read_member(r, f, m, at, record)));
	}
	for (const struct field *f = fields; f->name && !r->how->partial; f++) {
		const struct val *m = val_get(v, f->name);
		struct str at = shown.n ? str_fmt(r->a, "%.*s.%s", STR_ARG(shown), f->name)
					: str_of(f->name);

		if (!(f->flags & (OPTIONAL | NULLABLE)) && record_is_missing(r, f, m))
			TRY(record_told(r, v, record_missing(at, f->help)));
	}
	return NULL;
}

struct err *record_read(struct arena *a, const struct record_reader *how,
			const struct field *fields, const struct val *v, void *record)
{
	struct record_reading r = {.a = a, .how = how};
	struct err *e;

	if (v->type == VAL_MAP)
		return record_read_members(&r, fields, v, (struct str){0}, record);
	e = err_new(E_WRONG_TYPE, "%s must be an object, not %s", how->what,
		    val_type_name(v->type));
	return record_told(&r, v, e);
}
