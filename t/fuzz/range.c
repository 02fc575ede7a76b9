/*
 * Ranges: the first byte picks the ecosystem, a line end separates two ranges. If a overlaps b,
 * then b overlaps a. The texts are also a typed name and its version, of each ecosystem in turn.
 */
#include "base/base.h"
#include "deps/deps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum deps_ecosystem ecosystems[] = {DEPS_NPM,   DEPS_PYPI,     DEPS_GO,
							 DEPS_CARGO, DEPS_GEM,      DEPS_MAVEN,
							 DEPS_NUGET, DEPS_COMPOSER, DEPS_CONDA};
	struct arena *a;
	struct str rest, x = {"", 0};
	struct deps_range *r, *s;
	struct deps_readings readings;

	if (!size)
		return 0;
	a = arena_new();
	rest = (struct str){(const char *)data + 1, size - 1};
	if (str_next_part(&rest, '\n', &x)) {
		enum deps_ecosystem e = ecosystems[data[0] % ARRAY_SIZE(ecosystems)];
		struct dep one = {.ecosystem = e, .version = x},
			   two = {.ecosystem = e, .version = rest};
		struct dep locked = {.ecosystem = e, .version = rest, .locked = true};
		bool both = !deps_range_new(a, e, x, &r);

		if (both)
			deps_range_overlaps(r, a, &locked);
		both = both && !deps_range_new(a, e, rest, &s);
		/* An empty version of a dependency is an unknown one, not a range. */
		if (both && str_trim(x).n && str_trim(rest).n &&
		    deps_range_overlaps(r, a, &two) != deps_range_overlaps(s, a, &one))
			BUG("one range meets the other, but not the other way round");
		if (deps_read_install_argument(a, (enum deps_ecosystem)(data[0] % DEPS_ECOSYSTEMS),
					       x, rest, &readings))
			readings.n = 0;
		for (size_t i = 0; i < readings.n; i++)
			if (!readings.p[i].n || !readings.p[i].p[0].name.n)
				BUG("a reading has no package");
	}
	arena_free(a);
	return 0;
}
