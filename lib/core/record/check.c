/* Checks a value against its rows, so schemas cannot be wrong while the tests pass. */
#include "record/record.h"

static bool record_fits(const struct field *f, const struct val *v)
{
	int64_t n;

	switch (f->type) {
	case F_STR: return v->type == VAL_STR;
	case F_INT: return val_as_int(v, &n);
	case F_NUM: return v->type == VAL_NUM;
	case F_BOOL: return v->type == VAL_BOOL;
	case F_STRS:
	case F_LIST: return v->type == VAL_LIST;
	case F_OBJ: return v->type == VAL_MAP;
	case F_ANY: return true;
	}
	return false;
}

static void record_check_members(const char *cmd, const char *at, const struct field *fields,
				 const struct val *v);

static void record_check_member(const char *cmd, const struct field *f, const struct val *v)
{
	if (v->type == VAL_NULL && f->flags & NULLABLE)
		return;
	if (!record_fits(f, v))
		BUG("%s: the result's '%s' is %s", cmd, f->name, val_type_name(v->type));
	if (f->type == F_STR && f->choices) {
		size_t i = 0;

		while (f->choices[i] && !str_is(v->s, f->choices[i]))
			i++;
		if (!f->choices[i])
			BUG("%s: the result's '%s' is '%.*s'", cmd, f->name, STR_ARG(v->s));
	}
	if (f->type == F_STRS)
		VAL_EACH(v, s)
			if (s->type != VAL_STR)
				BUG("%s: '%s' holds %s", cmd, f->name, val_type_name(s->type));
	if (f->type == F_OBJ && f->sub)
		record_check_members(cmd, f->name, f->sub, v);
	if (f->type == F_LIST && f->sub)
		VAL_EACH(v, o) {
			if (o->type != VAL_MAP)
				BUG("%s: '%s' holds %s", cmd, f->name, val_type_name(o->type));
			record_check_members(cmd, f->name, f->sub, o);
		}
}

static void record_check_members(const char *cmd, const char *at, const struct field *fields,
				 const struct val *v)
{
	for (const struct field *f = fields; f->name; f++) {
		const struct val *m = val_get(v, f->name);

		if (m)
			record_check_member(cmd, f, m);
		else if (!(f->flags & (OPTIONAL | EMITTED)))
			BUG("%s: the result lacks '%s' in %s", cmd, f->name, at);
	}
	VAL_EACH(v, m) {
		const struct field *f = fields;

		while (f->name && !str_is(m->key, f->name))
			f++;
		if (!f->name)
			BUG("%s: the result has '%.*s' in %s, which is not declared", cmd,
			    STR_ARG(m->key), at);
	}
}

void record_check(const char *cmd, const struct field *fields, const struct val *result)
{
	if (result->type != VAL_MAP)
		BUG("%s: the result is %s", cmd, val_type_name(result->type));
	record_check_members(cmd, "the top", fields, result);
}
