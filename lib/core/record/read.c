/* Reads a value tree into a struct by the rows of its record. */
#include "record/record.h"
#include "json/json.h"
#include "os/os.h"
#include <limits.h>

struct record_reading {
	struct arena *a;
	const struct record_reader *how;
};

/* ---- what is wrong ---- */

int record_choice_index(const char *const *choices, struct str word)
{
	for (int i = 0; choices[i]; i++)
		if (str_is(word, choices[i]))
			return i;
	return -1;
}

struct str record_path_of_problem(struct arena *a, const struct record_problem *p)
{
	struct str in, name = p->field ? str_of(p->field->name) : p->at->key;
	size_t i = 0;

	if (!p->in)
		return (struct str){0};
	in = record_path_of_problem(a, p->in);
	if (p->in->at->type != VAL_LIST)
		return in.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(in), STR_ARG(name)) : name;
	for (const struct val *m = p->in->at->first; m != p->at; m = m->next)
		i++;
	return str_fmt(a, "%.*s[%zu]", STR_ARG(in), i);
}

struct strs record_field_names(struct arena *a, const struct field *fields)
{
	struct strs names = {0};

	for (const struct field *f = fields; f->name; f++)
		strs_push(a, &names, str_of(f->name));
	return names;
}

static void record_range(const struct field *f, int64_t *least, int64_t *most)
{
	*least = f->kind == K_INT ? INT_MIN : INT64_MIN;
	*most = f->kind == K_INT ? INT_MAX : f->kind == K_UNSIGNED ? UINT_MAX : INT64_MAX;
	if (f->max || f->kind == K_UNSIGNED || f->kind == K_SIZE)
		*least = f->min;
	if (f->max)
		*most = f->max;
}

static struct err *record_out_of_range(struct arena *a, const struct record_problem *p)
{
	const struct val *v = p->at;
	bool number = p->field->type == F_INT || p->field->type == F_NUM;
	struct str shown = record_path_of_problem(a, p), is = str_fmt(a, "is %.*s", STR_ARG(v->s));
	int64_t least, most;

	if (!number)
		is = v->type == VAL_LIST ? str_fmt(a, "has %zu members", v->n)
					 : str_fmt(a, "has %zu bytes", v->s.n);
	record_range(p->field, &least, &most);
	return err_for_param(E_OUT_OF_RANGE, shown, "%.*s %.*s; allowed: %jd to %jd",
			     STR_ARG(shown), STR_ARG(is), (intmax_t)least, (intmax_t)most);
}

static struct err *record_unknown(struct arena *a, const char *what, const struct record_problem *p)
{
	struct strs names = record_field_names(a, p->fields);
	struct str name = p->at->key, meant = str_did_you_mean(a, str_nearest(name, &names));
	struct err *e;

	if (!meant.n)
		meant = str_fmt(a, "; allowed: %.*s", STR_ARG(str_join(a, &names, ", ")));
	e = err_for_param(E_UNKNOWN_PARAMETER, name, "%s has no member '%.*s'%.*s", what,
			  STR_ARG(name), STR_ARG(meant));

	return err_detail_list(e, "allowed", &names);
}

struct err *record_error(struct arena *a, const char *what, const struct record_problem *p)
{
	const char *found = val_type_name(p->at->type);

	/* A malformed time is a string too, so its type says nothing. */
	if (p->field && p->field->kind == K_TIME && p->at->type == VAL_STR)
		found = str_c(a, str_fmt(a, "'%.*s'", STR_ARG(p->at->s)));
	switch (p->reason) {
	case E_UNKNOWN_PARAMETER: return record_unknown(a, what, p);
	case E_MISSING_PARAMETER:
		return err_missing(a, record_path_of_problem(a, p), p->field->help,
				   p->field->choices);
	case E_NOT_IN_ENUM:
		return err_not_in_enum(a, record_path_of_problem(a, p), p->at->s,
				       p->field->choices);
	case E_OUT_OF_RANGE: return record_out_of_range(a, p);
	default:
		return p->in ? err_wrong_type(record_path_of_problem(a, p), p->want, found)
			     : err_new(E_WRONG_TYPE, "%s must be %s, not %s", what, p->want, found);
	}
}

/* Reports the problem to the reader. NULL: reading goes on. */
static struct err *record_tell(const struct record_reading *r, const struct record_problem *p)
{
	return r->how->wrong ? r->how->wrong(r->how->ctx, p) : record_error(r->a, r->how->what, p);
}

static struct err *record_read_members(const struct record_reading *r, const struct field *fields,
				       struct record_problem object, void *record);

/* ---- one member: `p` has its value and its row ---- */

/* The wanted type, for a message; NULL: the value has it. *n: the integer or time that it is. */
static const char *record_wanted(const struct record_problem *p, int64_t *n)
{
	const struct field *f = p->field;
	const struct val *v = p->at;
	bool text = v->type == VAL_STR || (f->flags & OR_NUMBER && v->type == VAL_NUM);
	bool list = v->type == VAL_LIST, in_list = p->in->at->type == VAL_LIST;
	double d;

	switch (f->kind) {
	case K_STRS:
	case K_SET:
		if (!in_list)
			return list || (text && f->flags & OR_ONE) ? NULL : "a list of strings";
		/* fall through */
	case K_STR:
	case K_CHARS: return text ? NULL : "a string";
	case K_INT:
	case K_UNSIGNED:
		if (f->choices)
			return text ? NULL : "a string";
		/* fall through */
	case K_INT64:
	case K_SIZE:
	case K_MAYBE_INT: return val_as_int(v, n) ? NULL : "an integer";
	case K_DOUBLE: return val_as_double(v, &d) ? NULL : "a number";
	case K_BOOL:
	case K_MAYBE_BOOL: return v->type == VAL_BOOL ? NULL : "a boolean";
	case K_TIME:
		if (v->type != VAL_STR || !os_time_read(v->s, n))
			return "a time such as 2026-01-31T12:00:00Z";
		/* A struct has 0 for no time: a memory that expires then would live for ever. */
		return *n ? NULL
			  : "a time other than 1970-01-01T00:00:00Z, which ikm takes for none";
	case K_VAL:
		if (f->type == F_LIST || f->type == F_STRS)
			return list ? NULL : "a list";
		return v->type == VAL_MAP || f->type != F_OBJ ? NULL : "an object";
	case K_JSON: return v->type == VAL_MAP ? NULL : "an object";
	case K_RECORDS: return list ? NULL : "a list of objects";
	case K_RECORD:
	case K_RECORD_AT:
	case K_NONE: break;
	}
	return NULL;
}

static bool record_in_range(const struct field *f, const struct val *v)
{
	int64_t least, most, n = (int64_t)(v->type == VAL_LIST ? v->n : v->s.n);
	double d;

	record_range(f, &least, &most);
	if (f->type == F_NUM)
		return !f->max || (val_as_double(v, &d) && d >= (double)least && d <= (double)most);
	return (f->type != F_INT || val_as_int(v, &n)) && n >= least && n <= most;
}

/* Returns the index of the name in the choices, or -1; 0 for a row without choices. */
static int record_chosen(const struct record_reading *r, const struct field *f, struct str name)
{
	if (f->choices && f->flags & ANY_CASE)
		name = str_lower(r->a, name);
	return f->choices ? record_choice_index(f->choices, name) : 0;
}

/* Sets reason and want when the value does not fit its row, else *n as record_wanted(). */
static bool record_is_wrong(const struct record_reading *r, struct record_problem *p, int64_t *n)
{
	p->want = record_wanted(p, n);
	if (p->want)
		p->reason = E_WRONG_TYPE;
	else if (!record_in_range(p->field, p->at))
		p->reason = E_OUT_OF_RANGE;
	else if (p->at->type != VAL_LIST && record_chosen(r, p->field, p->at->s) < 0)
		p->reason = E_NOT_IN_ENUM;
	else
		return false;
	return true;
}

/* Reads a list of strings, or of the names of bits. */
static struct err *record_read_texts(const struct record_reading *r, const struct record_problem *p,
				     void *to)
{
	const struct field *f = p->field;
	bool alone = p->at->type != VAL_LIST;
	struct strs texts = {.p = arena_alloc(r->a, 1)};
	unsigned bits = 0;
	int64_t n;

	for (const struct val *m = alone ? p->at : p->at->first; m; m = alone ? NULL : m->next) {
		struct record_problem one = {.at = m, .field = f, .in = alone ? p->in : p};

		if (record_is_wrong(r, &one, &n))
			TRY(record_tell(r, &one));
		else if (f->kind == K_SET)
			bits |= 1u << record_chosen(r, f, m->s);
		else
			strs_push(r->a, &texts, m->s);
	}
	if (f->kind == K_SET)
		*(unsigned *)to = bits;
	else
		*(struct strs *)to = texts;
	return NULL;
}

static struct err *record_read_list(const struct record_reading *r, const struct record_problem *p,
				    void *record)
{
	const struct field *f = p->field;
	char *list = arena_array(r->a, size_max(p->at->n, 1), f->size);
	size_t i = 0;

	VAL_EACH(p->at, m)
		TRY(record_read_members(r, f->sub,
					(struct record_problem){.at = m, .field = f, .in = p},
					list + i++ * f->size));
	*(void **)(void *)((char *)record + f->offset) = list;
	*(size_t *)(void *)((char *)record + f->count) = i;
	return NULL;
}

static struct err *record_read_member(const struct record_reading *r, struct record_problem p,
				      void *record)
{
	const struct field *f = p.field;
	const struct val *v = p.at;
	void *to = (char *)record + f->offset;
	int64_t n = 0;

	if (f->kind != K_RECORD && record_is_wrong(r, &p, &n))
		return record_tell(r, &p);
	if (f->choices)
		n = record_chosen(r, f, v->s);
	switch (f->has_via ? K_NONE : f->kind) {
	case K_STR: *(struct str *)to = v->s; break;
	case K_CHARS: *(const char **)to = f->choices ? f->choices[n] : str_c(r->a, v->s); break;
	case K_STRS:
	case K_SET: return record_read_texts(r, &p, to);
	case K_INT: *(int *)to = (int)n; break;
	case K_UNSIGNED: *(unsigned *)to = (unsigned)n; break;
	case K_INT64: *(int64_t *)to = n; break;
	case K_SIZE: *(size_t *)to = (size_t)n; break;
	case K_MAYBE_INT: *(struct maybe_int *)to = (struct maybe_int){n, true}; break;
	case K_DOUBLE: val_as_double(v, to); break;
	case K_BOOL: *(bool *)to = v->b; break;
	case K_MAYBE_BOOL: *(struct maybe_bool *)to = (struct maybe_bool){v->b, true}; break;
	case K_TIME: *(int64_t *)to = n; break;
	case K_JSON: *(struct str *)to = json_text(r->a, v); break;
	case K_VAL: *(const struct val **)to = v; break;
	case K_RECORD: return record_read_members(r, f->sub, p, to);
	case K_RECORDS: return record_read_list(r, &p, record);
	case K_RECORD_AT:
		*(void **)to = arena_array(r->a, 1, f->size);
		return record_read_members(r, f->sub, p, *(void **)to);
	case K_NONE: /* or a row with FIELD_VIA */ BUG("'%s' cannot be read", f->name);
	}
	return NULL;
}

/* ---- an object ---- */

/* True for a missing member, and for a null that counts as missing. */
static bool record_is_missing(const struct record_reading *r, const struct field *f,
			      const struct val *m)
{
	return !m || (m->type == VAL_NULL && (r->how->nulls || f->flags & NULLABLE));
}

static struct err *record_read_members(const struct record_reading *r, const struct field *fields,
				       struct record_problem object, void *record)
{
	const struct record_reader *how = r->how;
	const struct val *v = object.at;

	object.fields = fields;
	if (v->type != VAL_MAP) {
		object.reason = E_WRONG_TYPE;
		object.want = "an object";
		return record_tell(r, &object);
	}
	VAL_EACH(v, m) {
		struct record_problem one = {.at = m, .field = fields, .in = &object};

		while (one.field->name && !str_is(m->key, one.field->name))
			one.field++;
		if (one.field->name) {
			if (!record_is_missing(r, one.field, m))
				TRY(record_read_member(r, one, record));
			continue;
		}
		one = (struct record_problem){E_UNKNOWN_PARAMETER, m, NULL, fields, NULL, &object};
		if (how->unknown == RECORD_KEPT)
			strs_push(r->a, how->rest, m->key);
		else if (how->unknown == RECORD_REFUSED)
			TRY(record_tell(r, &one));
	}
	for (const struct field *f = fields; f->name && !how->partial; f++) {
		const struct record_problem one = {
			.reason = E_MISSING_PARAMETER, .at = v, .field = f, .in = &object};

		if (!(f->flags & (OPTIONAL | NULLABLE | DEFAULTED)) &&
		    record_is_missing(r, f, val_get(v, f->name)))
			TRY(record_tell(r, &one));
	}
	return NULL;
}

struct err *record_from_val(struct arena *a, const struct record_reader *how,
			    const struct field *fields, const struct val *v, void *record)
{
	const struct record_reading r = {.a = a, .how = how};

	return record_read_members(&r, fields, (struct record_problem){.at = v}, record);
}
