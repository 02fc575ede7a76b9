/*
 * Parses the output of an embedder. It is untrusted: any other shape than the documented one is an
 * error with its place.
 */
#include "vector/vector.h"
#include "conf/run_configured_program.h"
#include <math.h>

#define NAME_MAX_BYTES 256

static struct err *vector_answer_expected(struct err *e)
{
	return err_help(
		e, "the program must print {\"model\": \"…\", \"version\": \"…\", \"vectors\": "
		   "[[…], …]}: for each text a list of numbers, all lists of one length");
}

#define WRONG(...) vector_answer_expected(err_new(E_PROGRAM_FAILED, __VA_ARGS__))

static struct err *vector_answer_read_name(const struct val *answer, const char *member,
					   bool required, struct str *out)
{
	const struct val *v = val_get(answer, member);

	*out = STR("");
	if (!v && !required)
		return NULL;
	if (!v || v->type != VAL_STR)
		return WRONG("%s is %s, not a string", member,
			     v ? val_type_name(v->type) : "missing");
	if ((required && !v->s.n) || v->s.n > NAME_MAX_BYTES || str_has_nul(v->s))
		return WRONG("%s must have %d to %d bytes without NUL", member, (int)required,
			     NAME_MAX_BYTES);
	*out = v->s;
	return NULL;
}

/*
 * Scales a vector to length 1, and rounds it to bytes. It divides by the largest number first,
 * because squares can overflow. False for a vector of zeros.
 */
static bool to_bytes(const double *x, size_t n, signed char *out)
{
	double most = 0, sum = 0, unit;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i]));
	if (most == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		sum += x[i] / most * (x[i] / most);
	unit = sqrt(sum);
	for (size_t i = 0; i < n; i++)
		out[i] = (signed char)lrint(x[i] / most / unit * 127);
	return true;
}

static struct err *read_vector(struct arena *a, const struct val *v, size_t at, double *numbers,
			       struct vector *out)
{
	size_t i = 0;

	VAL_EACH(v, number) {
		if (number->type != VAL_NUM)
			return WRONG("vectors[%zu][%zu] is %s, not a number", at, i,
				     val_type_name(number->type));
		if (!val_as_double(number, &numbers[i]) || !isfinite(numbers[i]))
			return WRONG("vectors[%zu][%zu] is %.*s, which is too large", at, i,
				     STR_ARG(str_sub(number->s, 0, 40)));
		i++;
	}
	*out = (struct vector){.p = arena_alloc(a, i), .n = i};
	if (!to_bytes(numbers, i, out->p))
		return WRONG("vectors[%zu] has only zeros, so it has no direction", at);
	return NULL;
}

struct err *vector_answer_read(struct arena *a, struct str text, size_t texts,
			       struct vector_list *out)
{
	const struct val *answer, *list;
	double *numbers = NULL;
	struct err *e;
	size_t at;

	*out = (struct vector_list){0};
	e = conf_parse_program_answer(a, text, VECTOR_ANSWER_MAX, &answer);
	if (e)
		return vector_answer_expected(e);
	TRY(vector_answer_read_name(answer, "model", true, &out->name));
	TRY(vector_answer_read_name(answer, "version", false, &out->version));
	list = val_get(answer, "vectors");
	if (!list || list->type != VAL_LIST)
		return WRONG("vectors is %s, not a list",
			     list ? val_type_name(list->type) : "missing");
	if (list->n != texts)
		return WRONG("it gave %zu vectors for %zu texts", list->n, texts);
	VAL_EACH(list, v) {
		if (v->type != VAL_LIST)
			return WRONG("vectors[%zu] is %s, not a list", out->n,
				     val_type_name(v->type));
		if (!v->n || v->n > VECTOR_DIMENSION_MAX)
			return WRONG("vectors[%zu] has %zu numbers; 1 to %d are allowed", out->n,
				     v->n, VECTOR_DIMENSION_MAX);
		if (out->n && v->n != out->dimension)
			return WRONG("vectors[%zu] has %zu numbers, vectors[0] has %zu", out->n,
				     v->n, out->dimension);
		if (!numbers)
			numbers = arena_array(a, v->n, sizeof(*numbers));
		out->dimension = v->n;
		at = out->n;
		TRY(read_vector(a, v, at, numbers, VEC_PUSH(a, out)));
	}
	return NULL;
}
