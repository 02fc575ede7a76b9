/*
 * app: between main and the commands. Finds the command that the words or the program's name ask
 * for, opens what it needs, runs it, and in test builds compares its result with the table. The
 * rows themselves are main's: see cmd_table.
 */
#ifndef IKM_APP_H
#define IKM_APP_H

#include "cmd/cmd.h"
#include "conf/conf.h"
#include "db/db.h"
#include "git/git.h"
#include "os/os.h"

/* The repository's configuration, in the folder where we stand or the nearest above. */
#define APP_CONF_NAME ".ikm/config.json"

/* One call of the program. */
struct app {
	struct call call;
	struct cmd_common common;
	void *args;
	struct val *result;
};

/*
 * What the program's name and its words ask for, done: result is set, or what there is to say was
 * said. call.a, out and err are set.
 */
struct err *app_face(struct app *app, char **argv, size_t n) MUST_USE;
/* Opens c->cmd's needs and runs it; c->a, face, out, err, json and the options are set. */
struct err *app_run(struct call *c, const struct cmd_common *common, const void *args,
		    struct val **result) MUST_USE;
/* The same for a tool's input: reads it into the row's arguments by their table. Sets c->cmd. */
struct err *app_run_json(struct call *c, const struct cmd_common *common, const struct cmd *cmd,
			 const struct val *input, struct val **result) MUST_USE;
/* In test builds: writes the command's name into the file that IKM_RAN names. Else nothing. */
void app_ran(const struct cmd *cmd);
/* The same with the error's reason, for tests of refusals: the last one is in IKM_REFUSED. */
void app_refused(const struct err *e);
/* c->set, from the options that every command has. */
void app_settings(struct call *c, const struct cmd_common *common);
/* NO_ROOTS: no folder is open to this call, why, and what to do about it. See roots.h. */
struct err *app_rootless(const struct call *c) MUST_USE;
/* The settings of the person alone: what no repository may set is in them. */
struct err *app_person_conf(struct call *c, struct conf **out) MUST_USE;
/* c->conf, for a command that has no NEED_CONF because it can mostly do without: it costs time. */
struct err *app_conf(struct call *c) MUST_USE;
/* Reads the repository's settings again for a tool that wrote: it may have broken or mended
 * them. */
void app_conf_again(struct call *c);
/* Adds c->warnings to the result's own. */
void app_conf_warn(struct call *c, struct val *result);
/* The handle of the home's store: one of a call, whatever asks. Opens nothing yet. */
struct db *app_store(struct call *c);
/* c->git if there is one, conf and roots, of a call that is limited to roots. */
struct err *app_open_limited(struct call *c, const struct cmd_common *common) MUST_USE;
/* The repository's configuration as its working tree has it, into the input of conf_load. */
struct err *app_repo_conf(struct arena *a, struct git *g, struct conf_input *in) MUST_USE;

#endif
