/* agent_result: ikm in the settings of agents' hosts, as results and as text. */
#ifndef IKM_COMMON_AGENT_RESULT_H
#define IKM_COMMON_AGENT_RESULT_H

#include "agent/agent.h"
#include "app/app.h"

extern const struct field agent_change_fields[], agent_found_fields[];

/* --agent of install and uninstall: adds to the settings, or takes out. */
struct err *agent_change_make(struct call *c, bool install, const struct agent_options *o,
			      const struct agent_change **out) MUST_USE;
void agent_change_print(struct out *o, const struct agent_change *x);

/* The choices of --agent for status: host_choices, and "all". */
extern const char *const agent_choices[];
struct err *agent_found_make(struct call *c, int choice, struct agent_founds *out) MUST_USE;

#endif
