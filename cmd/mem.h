/* mem: what the commands over memories work with, made from the settings and the repository. */
#ifndef IKM_CMD_MEM_H
#define IKM_CMD_MEM_H

#include "app.h"
#include "memory/memory.h"

/*
 * Opens nothing yet. The command needs NEED_CONF | MAY_GIT. Who asks: the settings user, agent.id and
 * session; project: memory.project, else the repository's origin URL without scheme, user and ".git",
 * else its root commit; team, org, company: the settings memory.*.
 */
struct err *mem_open(struct call *c, struct memories **out) MUST_USE;

#endif
