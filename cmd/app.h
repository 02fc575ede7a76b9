/* app: between main and the commands: opens what a command needs, runs it, holds its result to the
 * table. For cmd/ only. */
#ifndef IKM_APP_H
#define IKM_APP_H

#include "cmd/cmd.h"
#include "conf/conf.h"
#include "git/git.h"
#include "os/os.h"

/* Opens c->cmd's needs and runs it; c->a, face, out, err, json and the options are set. */
struct err *app_run(struct call *c, const struct cmd_common *common, const void *args,
		    struct val **result) MUST_USE;
/* The repository's configuration as its working tree has it, into the input of conf_load. */
struct err *app_repo_conf(struct arena *a, struct git *g, struct conf_input *in) MUST_USE;

#define CMD(name) extern const struct cmd cmd_##name;
#include "list.h"
#undef CMD

#endif
