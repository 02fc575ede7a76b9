/* The scripts through which shells complete ikm's command line. */
#include "app/app.h"
#include "cmd/complete_text.h"

struct args {
	int shell;
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static const char *const scripts[] = {complete_bash, complete_zsh, complete_fish};

static const struct param params[] = {
	PARAM(shell, .flags = ARG | REQUIRED, .choices = shells,
	      .help = "the shell that reads the script"),
	{0},
};

static struct err *completion_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;

	(void)out;
	out_puts(c->out, scripts[args->shell]);
	return NULL;
}

const struct cmd cmd_completion = {
	.name = "completion",
	.summary = "print the script through which a shell completes ikm's words",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	.run = completion_run,
};
