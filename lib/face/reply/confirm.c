#include "confirm.h"
#include <unistd.h>

bool confirm_can_ask(const struct call *c)
{
	return cmd_emits_text(c) && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

struct err *confirm(struct call *c, const char *question, bool *yes)
{
	char answer = 0, p;

	TRY(out_paging_end(c->out));
	out_fmt(c->err, "%s [y/N] ", question);
	TRY(out_flush(c->err));
	for (size_t n = 0; read(STDIN_FILENO, &p, 1) == 1 && p != '\n'; n++)
		answer = n ? answer : p;
	*yes = answer == 'y' || answer == 'Y';
	return NULL;
}
