/* restore: fills an empty home from a backup. */
#include "app/app.h"
#include "backup/backup.h"

struct args {
	struct str file;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the backup"),
	{0},
};

struct result {
	struct str home;
	struct backup done;
};

static const struct field result[] = {
	FIELD(home, "ikm's home, which was filled"),
	FIELD_AS(struct result, done.files, "files", "the number of its files"),
	FIELD_AS(struct result, done.bytes, "bytes", "their bytes"),
	{0},
};

static struct err *restore_cmd_run(struct call *c, const void *p, void *out)
{
	const char *home = os_ikigai_home(c->a);
	struct result *r = out;

	if (!home)
		return err_new(E_NO_HOME, "there is no home folder");
	r->home = str_of(home);
	return backup_restore(c->a, str_c(c->a, ((const struct args *)p)->file), home, &r->done);
}

const struct cmd cmd_restore = {
	.name = "restore",
	.summary = "fill an empty home from a backup",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = restore_cmd_run,
	.template = "restored {files} {?files=1:file|files}, {bytes} bytes to {*home}\n",
};
