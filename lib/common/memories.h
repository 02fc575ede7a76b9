/* memories: the identity of the caller, and the text form of memories, for the commands over
 * memories. */
#ifndef IKM_COMMON_MEMORIES_H
#define IKM_COMMON_MEMORIES_H

#include "app/app.h"
#include "memory/memory.h"

/*
 * Opens nothing yet, except for a repository without an origin. The command needs NEED_CONF |
 * MAY_GIT. The settings user, agent.id and session identify the caller. The project is
 * memory.project, else the repository's origin as HOST/PATH, else its root commit. The settings
 * memory.* give team, org and company.
 */
struct err *mem_open(struct call *c, struct memories **out) MUST_USE;
/* mem_open() for a command that uses these layers (bits). With the layer project it also finds the
 * project, if possible. */
struct err *mem_open_layers(struct call *c, unsigned layers, struct memories **out) MUST_USE;
/* Finds the project before a memory is stored in the layer project; mem_open() may have skipped
 * that work. */
struct err *mem_need_project(struct call *c, struct memories *m) MUST_USE;
/* For param.offers of a parameter with memory_layers: whether its identifier is known. */
bool mem_offers_layer(const struct conf *conf, size_t layer);
/* A remote's URL without scheme, user, port and the like, so that all ways to a repository give the
 * same id. Empty when the URL names no place. */
struct str mem_remote_id(struct arena *a, struct str url);

/* One line of a list. */
void mem_print(struct call *c, const struct memory *one);
/* Prints all facts about a memory, and its content. */
void mem_print_all(struct call *c, const struct memory *one);

/* The row for a member `memoryId` of a struct. */
#define PARAM_MEMORY(object)                                                                       \
	PARAM_OF(object, memoryId, .flags = ARG | REQUIRED, .meta = "id", .min = 1, .max = 256,    \
		 .help = "the memory's id, or a unique prefix of it")
/* The arguments of commands that take only an id. */
struct mem_args {
	struct str memoryId;
};
extern const struct param mem_params[];

#endif
