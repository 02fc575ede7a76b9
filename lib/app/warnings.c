#include "warnings.h"

void warnings_print(struct call *c, const struct strs *warnings)
{
	for (size_t i = 0; i < warnings->n; i++) {
		out_styled(c->err, OUT_YELLOW, STR("ikm"));
		out_puts(c->err, ": warning: ");
		out_safe(c->err, warnings->p[i], false);
		out_puts(c->err, "\n");
	}
}

void warnings_error(struct call *c, struct arena *a, const struct err *e)
{
	const struct val *help = val_get(err_envelope(a, e), "help");

	out_styled(c->err, OUT_RED, STR("ikm"));
	out_puts(c->err, ": ");
	out_safe(c->err, str_of(err_message(e)), true);
	out_puts(c->err, "\n");
	if (c->json || !help)
		return;
	VAL_EACH(val_get(help, "steps"), step) {
		out_puts(c->err, "  ");
		out_safe(c->err, step->s, false);
		out_puts(c->err, "\n");
	}
}

struct err *warnings_none(struct call *c, size_t n, enum err_reason why,
			  const struct strs *warnings)
{
	struct err *e;

	c->negative = true;
	if (!n)
		return NULL;
	if (!c->json)
		warnings_print(c, warnings);
	e = err_new(why, "nothing was found, but %zu %s could not be read%s%.*s", n,
		    n == 1 ? "file or folder" : "files or folders", c->json ? ": " : "",
		    STR_ARG(c->json ? warnings->p[0] : STR("")));
	return err_detail_list(e, "warnings", warnings);
}
