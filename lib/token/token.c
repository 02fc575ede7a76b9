#include "token/token.h"

enum { BLANK, NEWLINE, LETTER, DIGIT, MARK, WIDE };

static unsigned class_of(unsigned char c)
{
	if (c == '\n' || c == '\r')
		return NEWLINE;
	if (c == ' ' || c == '\t' || c == '\v' || c == '\f')
		return BLANK;
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return LETTER;
	if (c >= '0' && c <= '9')
		return DIGIT;
	return c < 0x80 ? MARK : WIDE;
}

/* Of a run of one class, in 1/64 tokens. */
static size_t of_run(unsigned class, size_t n, const unsigned char *p, enum token_model model)
{
	switch (class) {
	case BLANK: /* One before a word belongs to it. */
		return n > 1 ? 64 : 0;
	case NEWLINE:
		return 56;
	case LETTER:
		return n < 7 ? 68 : 68 + (n - 6) * 10;
	case DIGIT:
		return (n + 2) / 3 * 64;
	case MARK:
		return 40 + n * 12;
	default:
		if (*p >= 0xe0)
			return n / 3 * (model == TOKEN_O200K ? 50 : 80) + 16;
		return n / 2 * (model == TOKEN_O200K ? 18 : 32) + 16;
	}
}

size_t token_estimate(struct str text, enum token_model model)
{
	const unsigned char *p = (const unsigned char *)text.p, *end = p + text.n;
	size_t sum = 0;

	while (p < end) {
		const unsigned char *from = p;
		unsigned class = class_of(*p);

		do
			p++;
		while (p < end && class_of(*p) == class);
		sum += of_run(class, (size_t)(p - from), from, model);
	}
	return size_min((sum + 63) / 64 + (text.n && !sum), text.n);
}

struct err *token_model_of(struct str name, enum token_model *out)
{
	static const char *const models[] = TOKEN_MODELS;

	for (size_t i = 0; models[i]; i++)
		if (str_is(name, models[i])) {
			*out = (enum token_model)i;
			return NULL;
		}
	return err_help(err_new(E_BAD_CONFIG, "tokens.model is '%.*s': it can be o200k or cl100k",
				STR_ARG(name)),
			"say IKM_TOKENS_MODEL=o200k, or see `ikm config list` for where it comes "
			"from");
}
