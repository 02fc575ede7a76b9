/* memories: what the commands over memories share: who asks, what a memory is in a result. */
#ifndef IKM_COMMON_MEMORIES_H
#define IKM_COMMON_MEMORIES_H

#include "app/app.h"
#include "memory/memory.h"

/*
 * Opens nothing yet, but for a repository without an origin. The command needs NEED_CONF | MAY_GIT.
 * Who asks: the settings user, agent.id and session; project: memory.project, else the repository's
 * origin as HOST/PATH, else its root commit; team, org, company: the settings memory.*.
 */
struct err *mem_open(struct call *c, struct memories **out) MUST_USE;
/* The same for who names these layers (bits): of project it is known whose, if anybody can know. */
struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out) MUST_USE;
/* For who is about to store something in the layer project; mem_open() may have saved the
 * effort. */
struct err *mem_need_project(struct call *c, struct memories *m) MUST_USE;
/* A remote's URL without what differs between ways to it; empty for what names no place. */
struct str mem_remote_id(struct arena *a, struct str url);

/* One line of a list. */
void mem_print(struct call *c, const struct memory *one);
/* All that is known of it, and its content. */
void mem_print_all(struct call *c, const struct memory *one);

/* For a member `memoryId` of that struct. */
#define PARAM_MEMORY(object)                                                                       \
	PARAM_OF(object, memoryId, .flags = ARG | REQUIRED, .meta = "id", .min = 1, .max = 256,    \
		 .help = "the memory's id, or a beginning of it that no other has")
/* Several take an id and nothing else. */
struct mem_args {
	struct str memoryId;
};
extern const struct param mem_params[];

#endif
