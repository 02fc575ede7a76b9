/* The parameters of a call as a value tree, to find out whether it is a repeat. */
#include "cmd/cmd.h"
#include "crypt/crypt.h"

static struct val *payload_text(struct arena *a, struct str s)
{
	return val_str(a, str_is_text(s) ? s : crypt_content_hash(a, s));
}

static struct val *payload_choices(struct arena *a, const struct param *p, unsigned bits)
{
	struct val *list = val_list(a);

	for (unsigned i = 0; p->choices[i]; i++)
		if (bits & 1u << i)
			val_add(list, val_str(a, str_of(p->choices[i])));
	return list;
}

static struct val *payload_list(struct arena *a, const struct param *p, const struct cmd_list *l)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < l->n; i++)
		val_add(list, cmd_params_to_compare_calls(a, p->sub,
							  (const char *)l->p + i * p->sub_size));
	return list;
}

static struct val *payload_strs(struct arena *a, const struct strs *s)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < s->n; i++)
		val_add(list, payload_text(a, s->p[i]));
	return list;
}

/* NULL: the parameter is absent. */
static struct val *payload_of(struct arena *a, const struct param *p, const void *at)
{
	const struct str *s = at;
	const struct cmd_bits *bits = at;
	const struct cmd_list *list = at;
	const struct val *v;

	switch (p->type) {
	case P_STR: return s->p ? payload_text(a, *s) : NULL;
	case P_STRS: return ((const struct strs *)at)->p ? payload_strs(a, at) : NULL;
	case P_INT: return val_int(a, *(const int64_t *)at);
	case P_NUM:
		return isnan(*(const double *)at)
			       ? NULL
			       : val_str(a, str_fmt(a, "%.17g", *(const double *)at));
	case P_BOOL: return *(const bool *)at ? val_bool(a, true) : NULL;
	case P_CHOICE:
		return *(const int *)at < 0 ? NULL
					    : val_str(a, str_of(p->choices[*(const int *)at]));
	case P_CHOICES: return bits->bits ? payload_choices(a, p, bits->bits) : NULL;
	case P_JSON: v = *(const struct val *const *)at; return v ? val_copy_shallow(a, v) : NULL;
	case P_LIST: return list->p ? payload_list(a, p, list) : NULL;
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
