/* Packages of a family that a pattern misses: "mysql" does not stop PyMySQL. */
#include "lint/run.h"
#include "judge/examples.h"

static const struct {
	const char *name, *packages;
} families[] = {
#define FAMILY(name, packages) {name, packages},
#include "lint/families.h"
#undef FAMILY
};

/*
 * Ecosystems, and the globs of their manifests. Packages of an ecosystem that the repository does
 * not use are not missed.
 */
static const struct {
	const char *name, *manifests;
} ecosystems[] = {
	{"npm", "package.json"},
	{"pypi",
	 "*requirements*.txt pyproject.toml setup.py setup.cfg Pipfile poetry.lock uv.lock"},
	{"go", "go.mod"},
	{"cargo", "Cargo.toml"},
	{"gem", "Gemfile Gemfile.lock *.gemspec"},
	{"maven", "pom.xml build.gradle build.gradle.kts *.versions.toml"},
	{"nuget", "*.csproj *.fsproj *.vbproj packages.config Directory.Packages.props"},
};

/* The index of the package's ecosystem. *name: the package without it. */
static size_t lint_ecosystem(struct str package, struct str *name)
{
	size_t colon = str_find_char(package, ':', 0);

	for (size_t i = 0; i < ARRAY_SIZE(ecosystems); i++)
		if (str_is(str_sub(package, 0, colon), ecosystems[i].name)) {
			*name = str_sub(package, colon + 1, package.n);
			return i;
		}
	BUG("'%.*s' has no ecosystem", STR_ARG(package));
}

/* All packages of all families, as check_try() reads them: one list, so that one run tries all. */
static struct strs lint_all_packages(struct arena *a)
{
	struct strs all = {0};

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		struct str rest = str_of(families[i].packages), package;

		while (str_split(&rest, ' ', &package))
			strs_push(a, &all, package);
	}
	return all;
}

/*
 * The ecosystems, as bits, of which the rule covers a manifest in the repository; all of them for a
 * repository without manifests, and for a rule of another repository.
 */
static struct err *lint_ecosystems(struct lint *l, const struct kn_item *item,
				   const struct kn_constraint *c, unsigned *used)
{
	const struct strs *paths;

	*used = 0;
	TRY(lint_paths(l, &paths));
	for (size_t e = 0; item->in_tree && e < ARRAY_SIZE(ecosystems); e++) {
		struct str rest = str_of(ecosystems[e].manifests), text;
		struct strs texts = {0};
		struct globs globs = {0};

		while (str_split(&rest, ' ', &text))
			strs_push(l->a, &texts, text);
		TRY(globs_new(l->a, &texts, &globs));
		for (size_t i = 0; i < paths->n; i++)
			if (globs_match(&globs, paths->p[i]) &&
			    globs_match(&c->applies, paths->p[i])) {
				*used |= 1u << e;
				break;
			}
	}
	if (!*used)
		*used = ~0u;
	return NULL;
}

/* Whether an example says that the rule lets the package pass: with its ecosystem, or without. */
static bool lint_passes(const struct kn_constraint *c, struct str package)
{
	size_t colon = str_find_char(package, ':', 0);
	struct str name = str_sub(package, colon == SIZE_MAX ? 0 : colon + 1, package.n);

	for (size_t i = 0; i < c->examples.passes.n; i++)
		if (str_ieq(c->examples.passes.p[i], package) ||
		    str_ieq(c->examples.passes.p[i], name))
			return true;
	return false;
}

static bool lint_forbids_packages(const struct kn_constraint *c)
{
	return c->target == KN_TARGET_DEPENDENCY && !c->version.n &&
	       (c->op == KN_OP_MUST_NOT_USE || c->op == KN_OP_MUST_NOT_MATCH);
}

/*
 * For each package whether some rule of the item stops it, or lets it pass on purpose: another rule
 * may have the rest of a family.
 */
static struct err *lint_is_settled(struct lint *l, const struct kn_item *item,
				   const struct strs *all, bool *settled)
{
	for (size_t i = 0; i < item->constraints_n; i++) {
		const struct kn_constraint *c = &item->constraints[i];

		if (lint_forbids_packages(c))
			TRY(check_try_packages(l->a, item, c, all, settled));
		for (size_t k = 0; c->examples.passes.n && k < all->n; k++)
			settled[k] = settled[k] || lint_passes(c, all->p[k]);
	}
	return NULL;
}

#define LINT_MISSES_SHOWN 6

static void lint_say_missed(struct lint *l, const struct lint_file *f,
			    const struct kn_constraint *c, const char *family, struct str stops,
			    struct strs *misses)
{
	struct str more = {"", 0};

	if (misses->n > LINT_MISSES_SHOWN) {
		more = str_fmt(l->a, " and %zu more", misses->n - LINT_MISSES_SHOWN);
		misses->n = LINT_MISSES_SHOWN;
	}
	lint_say(l, f, LINT_FAMILY, c->place,
		 "constraint %u: pattern '%.*s' stops %.*s, and not these other packages for %s: "
		 "%.*s%.*s; add them to the pattern, or to examples.passes",
		 c->index, STR_ARG(c->pattern), STR_ARG(stops), family,
		 STR_ARG(str_join(l->a, misses, ", ")), STR_ARG(more));
}

static struct err *lint_family_rule(struct lint *l, const struct lint_file *f,
				    const struct kn_constraint *c, const struct strs *all,
				    const bool *settled)
{
	bool *stopped = arena_array(l->a, all->n, sizeof(*stopped));
	size_t at = 0;
	unsigned used;

	TRY(lint_ecosystems(l, f->item, c, &used));
	TRY(check_try_packages(l->a, f->item, c, all, stopped));
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		struct str rest = str_of(families[i].packages), package, name;
		struct str stops = {"", 0};
		struct strs misses = {0};

		for (; str_split(&rest, ' ', &package); at++) {
			size_t e = lint_ecosystem(package, &name);

			if (stopped[at] && !stops.n)
				stops = name;
			else if (!settled[at] && used & 1u << e && !strs_has(&misses, name))
				strs_push(l->a, &misses, name);
		}
		if (stops.n && misses.n)
			lint_say_missed(l, f, c, families[i].name, stops, &misses);
	}
	return NULL;
}

struct err *lint_family(struct lint *l, const struct lint_file *f)
{
	const struct kn_item *item = f->item;
	struct strs all = {0};
	bool *settled = NULL;

	if (!lint_wants(l, LINT_FAMILY) || f->off[LINT_FAMILY])
		return NULL;
	for (size_t i = 0; i < item->constraints_n; i++) {
		if (!lint_forbids_packages(&item->constraints[i]))
			continue;
		if (!settled) {
			all = lint_all_packages(l->a);
			settled = arena_array(l->a, all.n, sizeof(*settled));
			TRY(lint_is_settled(l, item, &all, settled));
		}
		TRY(lint_family_rule(l, f, &item->constraints[i], &all, settled));
	}
	return NULL;
}
