/* asset_result: what the commands over stored assets share. */
#ifndef IKM_COMMON_ASSET_RESULT_H
#define IKM_COMMON_ASSET_RESULT_H

#include "files.h"

/* The row of params for a member `path` of that struct. */
#define PARAM_ASSET(object)                                                                        \
	PARAM_OF(object, path, .flags = ARG | REQUIRED, .min = 1, .max = OS_PATH_MAX,              \
		 .help = "the asset, as blocks/decisions or ikigai:///blocks/decisions.md")

/* Most take a path and nothing else. */
struct asset_args {
	struct str path;
};
extern const struct param asset_params[];
/* Opens the store, and finds what a bare name means. */
struct err *asset_open(struct call *c, struct str text, struct files **f,
		       struct str *path) MUST_USE;
/* The same for what was removed too, which is known by its versions: all that are kept. */
struct err *asset_former(struct call *c, struct assets *s, struct str text, struct str *path,
			 struct asset_versions *all) MUST_USE;
/* One line of a list. */
void asset_print(struct out *o, const struct asset *it);
void asset_print_budget(struct out *o, const struct asset_budget *b);

#endif
