/* backup: everything in ikm's home as one file. */
#include "app/app.h"
#include "app/print_warnings.h"
#include "backup/backup.h"

struct args {
	struct str file;
	bool check, overwrite;
};

static const struct param params[] = {
	PARAM(file, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the file to write"),
	PARAM(check, .help = "write nothing; read the file, and say whether it is whole"),
	PARAM(overwrite, .letter = 'f', .help = "replace an older file"),
	{0},
};

struct result {
	struct str home;
	struct backup done;
};

static const struct field result[] = {
	FIELD(home, "ikm's home"),
	FIELD_AS(struct result, done.files, "files", "the number of files in the backup"),
	FIELD_AS(struct result, done.bytes, "bytes", "their bytes"),
	FIELD_AS(struct result, done.skipped, "skipped",
		 "what is in the home and is no file, such as a link: it is not in the backup"),
	{0},
};

static struct err *backup_cmd_run(struct call *c, const void *p, void *out)
{
	const char *home = os_ikigai_home(c->a);
	const struct args *args = p;
	struct result *r = out;
	struct err *e;

	if (!home)
		return err_new(E_NO_HOME, "there is no home folder");
	r->home = str_of(home);
	if (args->check)
		return backup_check(c->a, str_c(c->a, args->file), &r->done);
	e = backup_write(c->a, app_store(c), home, str_c(c->a, args->file), args->overwrite,
			 &r->done);
	if (e && err_reason(e) == E_EXISTS)
		return err_help(e, "to replace it, give --overwrite");
	return e;
}

const struct cmd cmd_backup = {
	.name = "backup",
	.summary = "save everything in ikm's home in one file",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = backup_cmd_run,
	.template = "{?@check:whole|saved}: {files} {?files=1:file|files}, {bytes} bytes\n"
		    "{/skipped:{2:{~'ikm'}: '{.}' is no file, and is not in the backup\n}}",
};
