/* The parameters of a call as a value tree, to find out whether it is a repeat. */
#include "cmd/cmd.h"
#include "crypt/crypt.h"

static struct val *payload_text(struct arena *a, struct str s)
{
	return val_str(a, str_is_text(s) ? s : crypt_content_hash(a, s));
}

/* NULL: the parameter is absent. */
static struct val *payload_of(struct arena *a, const struct param *p, const void *at)
{
	const struct str *s = at;
	const struct cmd_bits *bits = at;
	const struct cmd_list *list = at;
	const struct strs *strs = at;
	struct val *all = NULL;
	const struct val *v;

	switch (p->type) {
	case P_STR: return s->p ? payload_text(a, *s) : NULL;
	case P_STRS:
		all = strs->p ? val_list(a) : NULL;
		for (size_t i = 0; i < strs->n; i++)
			val_add(all, payload_text(a, strs->p[i]));
		return all;
	case P_INT: return val_int(a, *(const int64_t *)at);
	case P_NUM:
		return isnan(*(const double *)at)
			       ? NULL
			       : val_str(a, str_fmt(a, "%.17g", *(const double *)at));
	case P_BOOL: return *(const bool *)at ? val_bool(a, true) : NULL;
	case P_CHOICE:
		return *(const int *)at < 0 ? NULL
					    : val_str(a, str_of(p->choices[*(const int *)at]));
	case P_CHOICES: return bits->bits ? record_choices_val(a, p->choices, bits->bits) : NULL;
	case P_JSON: v = *(const struct val *const *)at; return v ? val_copy_shallow(a, v) : NULL;
	case P_LIST:
		all = list->p ? val_list(a) : NULL;
		for (size_t i = 0; i < list->n; i++)
			val_add(all, cmd_params_to_compare_calls(
					     a, p->sub, (const char *)list->p + i * p->sub_size));
		return all;
	}
	BUG("parameter '%s' has an unknown type", p->name);
}

struct val *cmd_params_to_compare_calls(struct arena *a, const struct param *params,
					const void *args)
{
	struct val *all = val_map(a);

	for (const struct param *p = params; p && p->name; p++) {
		struct val *v =
			p->flags & AUDIT ? NULL : payload_of(a, p, (const char *)args + p->offset);

		if (v)
			val_set(a, all, p->name, v);
	}
	return all;
}
