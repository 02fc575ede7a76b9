/* ecosystem: the facts of deps/ecosystems.h as a table. Private to deps. */
#ifndef IKM_DEPS_ECOSYSTEM_H
#define IKM_DEPS_ECOSYSTEM_H

#include "deps/range.h"
#include "deps/typed.h"

struct ecosystem {
	const char *other_names; /* with blanks between */
	struct str (*normal)(struct arena *a, struct str name);
	struct str (*brief)(struct str name);
	const struct versions *versions;
	typed_fn *typed;
};
extern const struct ecosystem ecosystems[DEPS_ECOSYSTEMS];

#endif
