#include "git_hook_fields.h"

/* clang-format off */
#define PREVIOUS(object)                                                                           \
	FIELD_AS(object, previous.path, "previous",                                                \
		 "the path of the earlier hook", .flags = OPTIONAL),                               \
	FIELD_AS(object, previous.runs, "previousRuns", "whether the earlier hook is " \
					"executable, " \
							"and so runs first",                       \
		 .flags = OPTIONAL)
/* clang-format on */

#define R struct hook_change
const struct field hook_change_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "its file, or its section of git's configuration"),
	FIELD_OF(R, configuration,
		 "the scope of git's configuration, local or global; absent: it is a file",
		 .flags = OPTIONAL),
	FIELD_NAMED(R, action, "action", hook_actions, "the action"),
	FIELD_OF(R, why, "why ikm did not change it, or git does not run it", .flags = OPTIONAL),
	PREVIOUS(R),
	{0},
};
#undef R
#define R struct hook_found
const struct field hook_found_fields[] = {
	FIELD_NAMED(R, name, "name", hook_names, "the hook"),
	FIELD_OF(R, path, "the path where git looks for it"),
	FIELD_NAMED(R, state, "state", hook_states, "the file at this path"),
	FIELD_OF(R, executable, "whether git would run it"),
	PREVIOUS(R),
	FIELD_OF(R, configured, "the scope of git's configuration that calls ikm",
		 .flags = OPTIONAL),
	FIELD_OF(R, program, "the ikm that answered", .flags = OPTIONAL),
	FIELD_OF(R, why, "why git does not call ikm, or why this is not proven", .flags = OPTIONAL),
	FIELD_NAMED(R, fires, "fires", hook_proofs, "whether git got an answer from ikm"),
	{0},
};
#undef R
