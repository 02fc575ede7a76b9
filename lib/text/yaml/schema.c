#include "yaml/yaml.h"

static size_t yaml_schema_digits(struct str s, size_t i)
{
	while (i < s.n && ascii_is_digit(s.p[i]))
		i++;
	return i;
}

/* The grammar of a JSON number, which is a subset of YAML's grammar. */
static bool is_number(struct str s)
{
	size_t i = s.n && s.p[0] == '-', from = i;

	i = yaml_schema_digits(s, i);
	if (i == from || (s.p[from] == '0' && i > from + 1))
		return false;
	if (i < s.n && s.p[i] == '.') {
		from = ++i;
		i = yaml_schema_digits(s, i);
		if (i == from)
			return false;
	}
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		i++;
		if (i < s.n && (s.p[i] == '+' || s.p[i] == '-'))
			i++;
		from = i;
		i = yaml_schema_digits(s, i);
		if (i == from)
			return false;
	}
	return i == s.n;
}

void yaml_resolve(struct val *v, struct str text)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const yes[] = {"true", "True", "TRUE", NULL};
	static const char *const no[] = {"false", "False", "FALSE", NULL};

	v->s = text;
	v->b = false;
	if (text.n > sizeof("false") - 1 || (text.n && !strchr("~nNtTfF", text.p[0]))) {
		v->type =
			is_number(text) ? VAL_NUM : VAL_STR; /* most texts, and none of the words */
		return;
	}
	v->b = str_is_any(text, yes);
	if (str_is_any(text, nulls))
		v->type = VAL_NULL;
	else
		v->type = v->b || str_is_any(text, no) ? VAL_BOOL : VAL_STR;
}
