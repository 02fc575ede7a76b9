#include "print_warnings.h"

void warnings_print(struct call *c, const struct strs *warnings)
{
	for (size_t i = 0; i < warnings->n; i++) {
		out_styled(c->err, OUT_YELLOW, STR("ikm"));
		out_puts(c->err, ": warning: ");
		out_safe_line(c->err, warnings->p[i]);
	}
}

void print_error_with_steps(struct call *c, struct arena *a, const struct err *e)
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
		out_safe_line(c->err, step->s);
	}
}

struct err *warnings_add_step_to_error(struct call *c, struct err *e)
{
	const char *step, *home;
	struct err *shut = NULL;
	enum err_reason r;

	if (!e || err_has_help(e))
		return e;
	r = err_reason(e);
	step = err_reason_help_step(r);
	home = os_ikigai_home(c->a);
	/* What the system refuses in the home has an owner or a mode that doctor names. */
	if ((r == E_PERMISSION || r == E_READ_ONLY || r == E_NOT_A_FILE) && home &&
	    strstr(err_message(e), home)) {
		shut = db_access_error(c->a, os_join(c->a, home, "ikm.db"), r, true);
		step = STEP_DOCTOR;
	} else if (c->client && (r == E_NOT_A_FILE || r == E_FILE_NOT_FOUND)) {
		/* A model cannot look at the folder, as a person would, and has this tool. */
		step = "'ikm search' without a pattern lists the files";
	}
	if (!shut && os_permission_help(c->a, e).n)
		return err_help(e, "%s", str_c(c->a, os_permission_help(c->a, e)));
	if (shut || !step)
		return shut ? shut : e;
	if (strcmp(step, STEP_USAGE) != 0)
		return err_help(e, "%s", step);
	if (!c->cmd || c->client)
		return e;
	if (c->face == FACE_ARGV)
		return err_help(e, "'ikm %s --help' says what it takes", c->cmd->name);
	return c->cmd->tool ? err_help(e, "to list its parameters: ikm tool show %s", c->cmd->tool)
			    : e;
}

struct err *warnings_report_no_match(struct call *c, size_t n, enum err_reason why,
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
