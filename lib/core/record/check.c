/* Checks a value against its rows, so schemas cannot be wrong while the tests pass. */
#include "record/member_value.h"

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
				 const struct val *v)
{
	for (const struct field *f = fields; f->name; f++) {
		const struct val *m = val_get(v, f->name);

		if (!m && !(f->flags & (OPTIONAL | EMITTED)))
			BUG("%s: the result lacks '%s' in %s", cmd, f->name, at);
		if (!m || (m->type == VAL_NULL && f->flags & NULLABLE))
			continue;
		if (!record_fits(f, m))
			BUG("%s: the result's '%s' is %s", cmd, f->name, val_type_name(m->type));
		if (f->type == F_STR && f->choices && record_choice_index(f->choices, m->s) < 0)
			BUG("%s: the result's '%s' is '%.*s'", cmd, f->name, STR_ARG(m->s));
		if (f->type == F_OBJ && f->sub)
			record_check_members(cmd, f->name, f->sub, m);
		VAL_EACH(f->type == F_STRS || (f->type == F_LIST && f->sub) ? m : NULL, one) {
			if (one->type != (f->type == F_STRS ? VAL_STR : VAL_MAP))
				BUG("%s: '%s' holds %s", cmd, f->name, val_type_name(one->type));
			if (f->type == F_LIST)
				record_check_members(cmd, f->name, f->sub, one);
		}
	}
	VAL_EACH(v, m)
		if (!record_find_field(fields, m->key))
			BUG("%s: the result has '%.*s' in %s, which is not declared", cmd,
			    STR_ARG(m->key), at);
}

void record_check(const char *cmd, const struct field *fields, const struct val *result)
{
	if (result->type != VAL_MAP)
		BUG("%s: the result is %s", cmd, val_type_name(result->type));
	record_check_members(cmd, "the top", fields, result);
}
