/* Versions and ranges, with expectations from the specifications: node-semver's README, PEP 440,
 * the Cargo book ("Specifying Dependencies"), semver.org's item 11, go.dev/ref/mod. */
#include "tap.h"
#include "deps/deps.h"

#define NPM   DEPS_NPM
#define PYPI  DEPS_PYPI
#define GO    DEPS_GO
#define CARGO DEPS_CARGO
#define GEM   DEPS_GEM
#define MAVEN DEPS_MAVEN
#define NUGET DEPS_NUGET
#define PHP   DEPS_COMPOSER

/* Each lower than the next. */
static const struct {
	enum deps_ecosystem e;
	const char *v[12];
} orders[] = {
	{NUGET,
	 {"1.0.0-alpha", "1.0.0-ALPHA.1", "1.0-beta", "1.0-beta.2", "1.0-beta.11", "1.0", "1.0.0.1",
	  "1.0.1", "1.10", "2"}},
	{PHP, {"1.0-dev", "1.0.0-alpha1", "1.0a2", "v1.0.0-beta", "1.0-RC1"}},
	{PHP, {"1.0", "1.0.0.0-p1", "1.0.1", "1.10"}},
	{MAVEN,
	 {"1-alpha-1", "1.0-alpha2", "1-beta", "1.0.0-m1", "1-rc", "1-SNAPSHOT", "1.0", "1-sp",
	  "1-foo", "1-1", "1.1", "1.10"}},
	{MAVEN, {"0.9", "1.0-rc1", "1.0-rc-2", "1.0.0.Final", "1.0.1-SNAPSHOT", "1.0.1", "2"}},
	{NPM,
	 {"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
	  "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"}},
	{NPM,
	 {"0.0.0-0", "0.0.0-0.0", "0.0.0--", "0.0.0", "0.0.9", "9007199254740993.0.0",
	  "9007199254740994.0.0", "10000000000000000000000.0.0"}},
	{PYPI,
	 {"1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2",
	  "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0"}},
	{PYPI,
	 {"1.0", "1.0+abc.5", "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.0.15",
	  "1.1.dev1", "1.10", "2024.1", "1!0.1", "1!1"}},
	{GO,
	 {"v0.0.0-20191109021931-daa7c04131f5", "v0.0.0-20200101000000-000000000000", "v1.2.3-pre",
	  "v1.2.3", "v1.2.4-0.20191109021931-daa7c04131f5", "v1.2.4", "v2.0.0+incompatible"}},
	{GEM,
	 {"0.a", "0", "0.0.0.1", "1.0.a.2", "1.0.a10", "1.0.b1", "1.0.rc1", "1.0", "1.0.0.1",
	  "1.0.1", "1.10", "2-1"}},
	{GEM, {"2-1", "2", "2.0.1"}},
	{CARGO,
	 {"0.0.1", "0.1.0-rc.1", "0.1.0", "1.0.0", "1.0.1-alpha.2", "1.0.1-alpha.10", "1.0.1"}},
};

static const struct {
	enum deps_ecosystem e;
	const char *range;
	bool locked; /* other is one version, else a range */
	const char *other;
	bool want;
} cases[] = {
	{DEPS_HEX, "~> 1.2", true, "1.9.0", true},
	{DEPS_HEX, ">= 1.0.0 and < 2.0.0", true, "2.0.0", false},
	{DEPS_HEX, "~> 1.0 or ~> 3.0", true, "3.1.0", true},
	{DEPS_CONDA, "=1.2", true, "1.2.9", true},
	{DEPS_CONDA, "1.2", true, "1.2.9", false},
	{DEPS_CONDA, "<1|>=2,<3", true, "2.5", true},
	{DEPS_CONDA, "<1|>=2,<3", true, "1.5", false},
	/* NuGet: a version alone is the lowest one. */
	{NUGET, "1.0", true, "3.0", true},
	{NUGET, "1.0", true, "0.9", false},
	{NUGET, "(,13.0.1)", true, "12.0.3", true},
	{NUGET, "(,13.0.1)", true, "13.0.1", false},
	{NUGET, "[1.0]", true, "1.0.0.0", true},
	{NUGET, "[1.0,2.0)", true, "1.5-beta", true},
	{NUGET, "1.*", true, "1.9.1", true},
	{NUGET, "1.*", false, "[2,3]", false},
	{NUGET, "<2", false, "[1.0, )", true},
	{NUGET, "1.0.1-*", false, "[1.0.1]", true},
	/* Composer */
	{PHP, "^1.2", true, "v1.9.0", true},
	{PHP, "^1.2", true, "2.0.0", false},
	{PHP, "^0.3", true, "0.4.0", false},
	{PHP, "~1.2", true, "1.9.0", true},
	{PHP, "~1.2.3", true, "1.3.0", false},
	{PHP, "1.2.*", true, "1.2.7", true},
	{PHP, "1.2.*", true, "1.3.0", false},
	{PHP, ">=1.0 <1.1 || >=1.2", true, "1.1.5", false},
	{PHP, ">= 1.0, < 1.1 | 2.*", true, "2.3", true},
	{PHP, "1.0 - 2.0", true, "2.0.9", true},
	{PHP, "1.0.0 - 2.1.0", true, "2.1.1", false},
	{PHP, "<2.0", true, "2.0.0-beta1", false},
	{PHP, "^1", true, "dev-main", true},
	{PHP, "^1", true, "2.x-dev", false},
	{PHP, "2.*", true, "2.x-dev", true},
	{PHP, "!=1.5", true, "1.5.0", false},
	{PHP, "^1", false, "dev-main", true},
	/* Maven: version ranges; Gradle's own forms; comparators. */
	{MAVEN, "[1.0,2.0)", true, "1.5.Final", true},
	{MAVEN, "[1.0,2.0)", true, "2.0", false},
	{MAVEN, "(1.0,2.0]", true, "1.0.0", false},
	{MAVEN, "(,2.17.1)", true, "2.14.0", true},
	{MAVEN, "(,2.17.1)", true, "2.17.1", false},
	{MAVEN, "(,1.0],[1.2,)", true, "1.1", false},
	{MAVEN, "(,1.0],[1.2,)", true, "1.3", true},
	{MAVEN, "[1.0]", true, "1.0.0", true},
	{MAVEN, "1.0", true, "1.0-ga", true},
	{MAVEN, "[1,2[", true, "2", false},
	{MAVEN, "]1,2]", true, "2", true},
	{MAVEN, "1.2.+", true, "1.2.9-rc1", true},
	{MAVEN, "1.2.+", true, "1.3", false},
	{MAVEN, "1.+", true, "2-alpha", false},
	{MAVEN, ">=1 <2", true, "1.9", true},
	{MAVEN, "<1 || >=3", true, "2", false},
	{MAVEN, "[1,2)", false, "[1.5,3)", true},
	{MAVEN, "[1,2)", false, "latest.release", true},
	/* RubyGems: "Patterns: Specifying Gem Versions" */
	{GEM, "~> 1.2.3", true, "1.2.3", true},
	{GEM, "~> 1.2.3", true, "1.2.99", true},
	{GEM, "~> 1.2.3", true, "1.3.0", false},
	{GEM, "~> 1.2.3", true, "1.3.0.rc1", false},
	{GEM, "~> 1.2", true, "1.9", true},
	{GEM, "~> 1.2", true, "2.0.a", false},
	{GEM, "~> 1", true, "1.99", true},
	{GEM, "~> 1", true, "2", false},
	{GEM, "~> 2.0.a", true, "2.0.b", true},
	{GEM, "~> 2.0.a", true, "2.9", true},
	{GEM, "~> 9", true, "10", false},
	{GEM, ">= 1.0, < 2.0", true, "1.5", true},
	{GEM, ">= 1.0, < 2.0", true, "2.0.0", false},
	{GEM, "1.0", true, "1.0.0", true},
	{GEM, "= 1.0", true, "1.0.0.1", false},
	{GEM, "!= 1.0", true, "1", false},
	{GEM, "!= 1.0", true, "1.0.1", true},
	{GEM, "> 1", true, "1.0.1", true},
	{GEM, "<= 1", true, "1.0.0", true},
	{GEM, "", true, "3", true},
	{GEM, ">= 2", false, "~> 1.2", false},
	{GEM, ">= 1.5 || < 1", false, "~> 1.2", true},
	/* npm: carets and tildes */
	{NPM, "^1.2.3", true, "1.2.3", true},
	{NPM, "^1.2.3", true, "1.99.0", true},
	{NPM, "^1.2.3", true, "2.0.0", false},
	{NPM, "^1.2.3", true, "2.0.0-rc.1", false},
	{NPM, "^0.2.3", true, "0.2.9", true},
	{NPM, "^0.2.3", true, "0.3.0", false},
	{NPM, "^0.0.3", true, "0.0.4", false},
	{NPM, "^0.0", true, "0.0.9", true},
	{NPM, "^0.0", true, "0.1.0", false},
	{NPM, "^0.x", true, "0.9.0", true},
	{NPM, "^0.x", true, "1.0.0", false},
	{NPM, "~1.2.3", true, "1.2.9", true},
	{NPM, "~1.2.3", true, "1.3.0", false},
	{NPM, "~1", true, "1.9.0", true},
	{NPM, "~> 1.2", true, "1.2.0", true},
	/* x-ranges, hyphens, unions, blanks */
	{NPM, "1.2.x", true, "1.2.0", true},
	{NPM, "1.2", true, "1.3.0", false},
	{NPM, "*", true, "0.0.0", true},
	{NPM, "", true, "5.0.0", true},
	{NPM, "1.2.3 - 2.3", true, "2.3.9", true},
	{NPM, "1.2.3 - 2.3", true, "2.4.0", false},
	{NPM, "1.2.3 - 2.3.4", true, "2.3.5", false},
	{NPM, ">1.2", true, "1.2.9", false},
	{NPM, ">1.2", true, "1.3.0", true},
	{NPM, "<=1.2", true, "1.2.9", true},
	{NPM, "<1.2", true, "1.2.0", false},
	{NPM, ">= 1.2.3  < 1.5 || =v3.0.0", true, "1.4.9", true},
	{NPM, ">= 1.2.3  < 1.5 || =v3.0.0", true, "3.0.0", true},
	{NPM, ">= 1.2.3  < 1.5||=v3.0.0", true, "2.0.0", false},
	{NPM, ">*", true, "1.0.0", false},
	{NPM, "1.2.3", true, "v1.2.3+build.5", true},
	/* A pre-release that is there counts, though npm would not choose it. */
	{NPM, "<2.0.0", true, "2.0.0-rc.1", true},
	{NPM, ">=1.0.0", true, "1.0.0-rc.1", false},
	{NPM, "1.x", true, "1.0.0-rc.1", true},
	/* overlap */
	{NPM, "<1.2.0", false, "^1.2.0", false},
	{NPM, "<1.2.0", false, "~1.1", true},
	{NPM, "<4.17.21", false, "^4.17.20", true},
	{NPM, "<=1.0.0", false, ">=1.0.0", true},
	{NPM, "<1.0.0", false, ">=1.0.0", false},
	{NPM, "1.x || 3.x", false, "2.x", false},
	{NPM, "1.x || 3.x", false, "2.x || >3.5", true},
	{NPM, "2.0.0 - 1.0.0", false, "*", false},
	{NPM, "<0.0.0-0", false, "*", false},
	/* what cannot be read, and what is not said, excludes nothing */
	{NPM, "<1", true, "", true},
	{NPM, "<1", false, "latest", true},
	{NPM, "<1", true, "1.2", true},
	{NPM, "<1", false, "git+https://example.org/x", true},
	/* PEP 440 */
	{PYPI, "==1.0", true, "1.0.0", true},
	{PYPI, "==1.0", true, "1.0+ubuntu.1", true},
	{PYPI, "==1.0+ubuntu.1", true, "1.0", false},
	{PYPI, "==1.0", true, "1.0.post1", false},
	{PYPI, "==1.1.*", true, "1.1a1", true},
	{PYPI, "==1.1.*", true, "1.1.post1", true},
	{PYPI, "==1.1.*", true, "1.10", false},
	{PYPI, "==1.0.*", true, "1.dev1", true},
	{PYPI, "!=1.1.*", true, "1.1.5", false},
	{PYPI, "!=1.1", true, "1.1.post1", true},
	{PYPI, "~=2.2", true, "2.9", true},
	{PYPI, "~=2.2", true, "3.0", false},
	{PYPI, "~=2.2", true, "3.0.dev1", false},
	{PYPI, "~=1.4.5", true, "1.5.0", false},
	{PYPI, "~=2.2.post3", true, "2.2", false},
	{PYPI, "~=2.2.post3", true, "2.3", true},
	{PYPI, ">1.7", true, "1.7.0.post1", false},
	{PYPI, ">1.7", true, "1.7.1", true},
	{PYPI, ">1.7", true, "1.7+local", false},
	{PYPI, ">1.7.post2", true, "1.7.post3", true},
	{PYPI, "<1.0", true, "1.0rc1", false},
	{PYPI, "<1.0rc2", true, "1.0rc1", true},
	{PYPI, "<1.0.post1", true, "1.0.post1.dev0", false},
	{PYPI, "<1.0.post1", true, "1.0", true},
	{PYPI, "<=1.0", true, "1.0+abc", true},
	{PYPI, ">=1.0,<2.0,!=1.5", true, "1.5.0", false},
	{PYPI, ">=1.0", true, "v1.0.0-ALPHA.1", false},
	{PYPI, "===1.0", true, "1.0", true},
	{PYPI, "<1!0", true, "2024.1", true},
	{PYPI, ">=1.0,<1.5", false, "==1.5.*", false},
	{PYPI, "<2", false, ">=1.26,<3", true},
	{PYPI, "!=1.5", false, "==1.5", false},
	{PYPI, "<1", false, "dev-branch", true},
	/* Poetry's */
	{PYPI, "<2", false, "^2.1", false},
	{PYPI, "<2.5", false, "^2.1", true},
	{PYPI, "^0.2.3", true, "0.3", false},
	{PYPI, "^0.0.3", true, "0.0.4", false},
	{PYPI, "~1.2", true, "1.2.9", true},
	{PYPI, "~1.2", true, "1.3", false},
	{PYPI, "1.2.3", true, "1.2.3", true},
	{PYPI, "^1.0 || ^3.0", true, "2.0", false},
	{PYPI, "*", true, "0.1", true},
	{PYPI, "1.2.*", true, "1.2.5", true},
	{PYPI, ">=1.0 <2.0", true, "2.0", false},
	/* Cargo: a caret where nothing stands */
	{CARGO, "1.2.3", true, "1.9.0", true},
	{CARGO, "1.2.3", true, "2.0.0", false},
	{CARGO, "0.2", true, "0.2.9", true},
	{CARGO, "0.2", true, "0.3.0", false},
	{CARGO, "0", true, "0.9.0", true},
	{CARGO, "~1.2", true, "1.3.0", false},
	{CARGO, "1.*", true, "1.9.0", true},
	{CARGO, "1.2.*", true, "1.3.0", false},
	{CARGO, "*", true, "7.0.0", true},
	{CARGO, "=1.2", true, "1.2.7", true},
	{CARGO, "=1.2.3", true, "1.2.4", false},
	{CARGO, ">=1.2, <1.5", true, "1.5.0", false},
	{CARGO, ">=1.2, <1.5", true, "1.4.0", true},
	{CARGO, "<1", false, "0.58.2", true},
	{CARGO, "<1", false, "1", false},
	/* Go: exact, and npm's comparators */
	{GO, "v1.2.3", true, "v1.2.3", true},
	{GO, "v1.2.3", true, "v1.2.4", false},
	{GO, "<v1.5.0", true, "v1.4.9", true},
	{GO, ">=v2 <v3", true, "v2.0.0+incompatible", true},
	{GO, "<v0.1.0", true, "v0.0.0-20191109021931-daa7c04131f5", true},
	{GO, "<1.5", true, "v1.4.0", true},
	{GO, "^v1.2", false, "v2.0.0", false},
	{DEPS_UNKNOWN, "^1.2", true, "1.3.0", true},
};

static const struct {
	enum deps_ecosystem e;
	const char *range, *says;
} wrong[] = {
	{NUGET, "^1", "is not a version"},
	{NUGET, "[1.0", "does not end"},
	{PHP, "1.0 || ", "nothing on a side"},
	{PHP, ">=x1", "is not a version"},
	{MAVEN, "[1,2", "does not end"},
	{MAVEN, "(1)", "must be written [1.0]"},
	{MAVEN, "[1,2)x", "is not an interval"},
	{MAVEN, "^1", "is not a version"},
	{NPM, "^1..2", "'^1..2'"},
	{NPM, "1.2.3.4", "'1.2.3.4'"},
	{NPM, "01.2.3", "'01.2.3'"},
	{NPM, "latest", "'latest' is not a version"},
	{NPM, ">=1 <two", "'<two'"},
	{NPM, "1.2.3-", "'1.2.3-'"},
	{NPM, "1.2.3-a..b", "'1.2.3-a..b'"},
	{NPM, "1.2.3-01", "'1.2.3-01'"},
	{NPM, "1 | 2", "'|'"},
	{NPM, ">=1,<2", "'>=1,<2'"},
	{PYPI, ">=1.0,<two", "'<two' is not a version"},
	{PYPI, "~=1", "'~=1'"},
	{PYPI, ">=1.*", "'>=1.*'"},
	{PYPI, "==1.0a1.*", "'==1.0a1.*'"},
	{PYPI, "1.0+", "'1.0+'"},
	{PYPI, "===nonsense", "'===nonsense'"},
	{PYPI, ">", "'>'"},
	{CARGO, "", "is empty"},
	{CARGO, ">=1 <2", "'>=1 <2' is not a version"},
	{CARGO, ">=1,", "'>=1,' is not a version"},
	{CARGO, "1 || 2", "'1 || 2' is not a version"},
	{GO, "v1.x.y", "'v1.x.y'"},
};

static bool overlaps(struct arena *a, enum deps_ecosystem e, const char *range, const char *other,
		     bool locked)
{
	struct deps_range *r;
	struct dep d = {.ecosystem = e, .version = str_of(other), .locked = locked};

	return works(deps_range_new(a, e, str_of(range), &r), range) &&
	       deps_range_overlaps(r, a, &d);
}

static void order(struct arena *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		for (size_t j = 0; j + 1 < ARRAY_SIZE(orders[i].v) && orders[i].v[j + 1]; j++) {
			const char *low = orders[i].v[j], *high = orders[i].v[j + 1];
			const char *op = orders[i].e == PYPI ? "===" : "=";
			struct str below = str_fmt(a, "<=%s", low),
				   above = str_fmt(a, ">=%s", high);

			/* PEP 440 has no order with local versions but in ==, so keys are asked. */
			if (orders[i].e != PYPI || !strchr(low, '+'))
				ok(strchr(high, '+') ||
					   !overlaps(a, orders[i].e, below.p, high, true),
				   "%s is not below %s", high, low);
			if (orders[i].e != PYPI || !strchr(high, '+'))
				ok(!overlaps(a, orders[i].e, above.p, low, true), "%s is below %s",
				   low, high);
			ok(!overlaps(a, orders[i].e, str_fmt(a, "%s%s", op, low).p, high, true),
			   "%s is not %s", high, low);
			ok(overlaps(a, orders[i].e, str_fmt(a, "%s%s", op, low).p, low, true),
			   "%s is itself", low);
		}
}

int main(void)
{
	struct arena *a = arena_new();
	struct deps_range *r;
	struct buf b = buf_in(a);

	order(a);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ok(overlaps(a, cases[i].e, cases[i].range, cases[i].other, cases[i].locked) ==
			   cases[i].want,
		   "%s '%s' %s '%s'", deps_ecosystems[cases[i].e], cases[i].range,
		   cases[i].want ? "meets" : "does not meet", cases[i].other);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct err *e = deps_range_new(a, wrong[i].e, str_of(wrong[i].range), &r);

		fails(e, E_BAD_PATTERN, wrong[i].range);
		ok(e && strstr(err_message(e), wrong[i].says), "it says %s: %s", wrong[i].says,
		   e ? err_message(e) : "success");
	}
	for (int i = 0; i < 3000; i++)
		buf_puts(&b, "!=1,");
	fails(deps_range_new(a, PYPI, buf_as_str(&b), &r), E_BAD_PATTERN, "a range without end");
	arena_free(a);
	return tap_done();
}
