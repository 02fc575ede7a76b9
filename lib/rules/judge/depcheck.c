/* Rules on the packages of manifests and lockfiles. */
#include "judge/internal.h"

struct err *check_validate_given_deps(struct arena *a, const struct check_dep *deps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (deps[i].ecosystem.n &&
		    deps_ecosystem_by_name(deps[i].ecosystem) == DEPS_UNKNOWN)
			return err_not_in_enum(a, str_fmt(a, "dependencies[%zu].ecosystem", i),
					       deps[i].ecosystem, deps_ecosystems + 1);
	for (size_t i = 0; i < n; i++) {
		struct deps_readings readings;
		struct str member = str_fmt(a, "dependencies[%zu].name", i);
		struct err *e =
			deps_read_install_argument(a, deps_ecosystem_by_name(deps[i].ecosystem),
						   deps[i].name, deps[i].version, &readings);

		if (e)
			return err_help(err_add_context(err_add_detail(e, "parameter", member),
							"%s", member.p),
					"give name, version and ecosystem apart: {\"name\": "
					"\"mysql2\", \"version\": \"^3\", \"ecosystem\": \"npm\"}");
	}
	return NULL;
}

/* NULL: the rule has none, or the ecosystem cannot read it. */
static const struct deps_range *dep_range(const struct rule *r, const struct dep *d)
{
	return r->range[(unsigned)d->ecosystem < DEPS_ECOSYSTEMS ? d->ecosystem : DEPS_UNKNOWN];
}

/*
 * Whether the rule judges the entry at all. A runtime is no package: allow-lists do not have it,
 * and a pattern for all packages does not mean it. So the pattern must name it, unless the rule
 * says "runtimes: true".
 */
static bool dep_is_seen(struct worker *w, const struct rule *r, const struct dep *d)
{
	/* Names that nobody gives to a package: only a pattern for any name matches one. */
	const struct str made_up[] = {STR("\1"), STR("zqxj"), STR("zq9-xj.q_")};
	struct span m;

	if (d->kind != DEPS_RUNTIME || r->c->runtimes)
		return true;
	if (r->c->op != KN_OP_MUST_USE && r->c->op != KN_OP_MUST_NOT_USE)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(made_up); i++)
		if (pattern_find(w, r, made_up[i], 0, &m) != RE_NO)
			return false;
	return true;
}

/*
 * Matches the raw or the normalised name. Rules that forbid also match the local alias of the
 * package. Other rules do not, or an alias could satisfy them. Of a runtime it is no alias:
 * "requires-python" is written by the format.
 */
static enum re_answer dep_match_names(struct worker *w, struct arena *scratch, const struct rule *r,
				      const struct dep *d, bool *named)
{
	struct str names[5] = {d->name, d->normal, {0}, {0}, d->brief};
	bool limit = false;
	struct span m;

	*named = false;
	if (r->forbids || d->kind == DEPS_RUNTIME)
		names[2] = d->written;
	if (d->ecosystem == DEPS_UNKNOWN)
		names[3] = deps_normal(scratch, DEPS_PYPI, d->name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		enum re_answer answer;

		if (!names[i].n || (i && str_eq(names[i], names[0])))
			continue;
		answer = pattern_find(w, r, names[i], 0, &m);
		limit |= answer == RE_LIMIT;
		if (answer == RE_YES) {
			const struct deps_range *range = dep_range(r, d);

			*named = true;
			/* Where the ecosystem cannot read the range, no version is excluded. */
			return !range || deps_range_overlaps(range, scratch, d) ? RE_YES : RE_NO;
		}
	}
	return limit ? RE_LIMIT : RE_NO;
}

/* An entry that the rule does not judge breaks nothing, and satisfies nothing. */
static enum re_answer dep_match(struct worker *w, struct arena *scratch, const struct rule *r,
				const struct facts *f, const struct fact *one)
{
	bool named;

	(void)f;
	if (!dep_is_seen(w, r, one->of))
		return r->forbids || r->presence ? RE_NO : RE_YES;
	return dep_match_names(w, scratch, r, one->of, &named);
}

static bool dep_is_unread(const struct rule *r, const struct dep *d)
{
	return r->ranged && !dep_range(r, d);
}

/* "mysql2 ^3 (as db) (transitive)" */
static void dep_show(struct arena *a, const struct rule *r, const struct facts *f,
		     const struct hit *h, struct finding *out)
{
	const struct dep *d = h->of;
	struct buf b = buf_in(a);

	(void)f;
	buf_put(&b, d->name);
	if (d->version.n)
		buf_fmt(&b, " %.*s", STR_ARG(d->version));
	if (d->written.n && !str_eq(d->written, d->name))
		buf_fmt(&b, " (as %.*s)", STR_ARG(d->written));
	if (d->kind == DEPS_RUNTIME)
		buf_puts(&b, " (runtime)");
	if (d->reach == DEPS_TRANSITIVE)
		buf_puts(&b, " (transitive)");
	out->shown = buf_as_str(&b);
	out->name = d->name;
	if (r->forbids && dep_is_unread(r, d))
		out->note = "its ecosystem does not write versions as the rule does, so any "
			    "version counts";
}

static struct err *dep_read(struct worker *w, struct arena *a, struct facts *f)
{
	const struct file_side *s = &f->side;
	const struct deps_format *unread = deps_unread_format(s->path);
	struct deps deps = {0};

	if (unread && deps_unread_format_fits(unread, s->raw))
		f->unread = str_of(unread->name);
	f->foreign = unread || !deps_text_is_manifest(s->path, s->raw);
	if (unread)
		return NULL;
	if (skip_is_lfs(s->raw) && deps_is_always_manifest(s->path))
		return err_new(E_BAD_MANIFEST, "it is a Git LFS pointer");
	if (f->foreign)
		return NULL;
	TRY(deps_read(a, s->path, s->raw, s->old ? w->run->old_files : w->run->now_files, &deps));
	for (size_t i = 0; i < deps.n; i++) {
		const struct dep *d = &deps.p[i];

		*VEC_PUSH(a, f) = (struct fact){.key = d->normal.n ? d->normal : d->name,
						.kind = d->ecosystem,
						.line = d->version.p ? d->version : STR(""),
						.at = d->at.from,
						.of = d};
	}
	for (size_t i = 0; i < deps.unresolved.n; i++) {
		const struct deps_unresolved *u = &deps.unresolved.p[i];

		*VEC_PUSH(a, &f->spots) = (struct spot){
			.text = u->name, .reason = u->reason, .which = i, .place = u->place};
	}
	return NULL;
}

static bool dep_may(struct worker *w, const struct rule *r, const struct facts *f, struct str *word)
{
	(void)w;
	return pretest_may_match(r, f->side.raw, NULL, NULL, word);
}

static bool dep_wants(struct str path)
{
	return deps_is_manifest(path) || deps_unread_format(path);
}

/* ---- the dependencies of an input ---- */

/*
 * The name of an input may be read in several ways. One way, against one rule: a rule that forbids
 * finds any of its packages, a rule that allows must find all of them. *found: the package that
 * decides.
 */
static enum re_answer input_match_reading(struct worker *w, struct arena *a, const struct rule *r,
					  const struct deps *reading, const struct dep **found,
					  bool *named)
{
	bool any = r->forbids || r->presence;
	enum re_answer answer = any ? RE_NO : RE_YES;

	*found = reading->p;
	for (size_t i = 0; i < reading->n; i++) {
		if (!dep_is_seen(w, r, &reading->p[i]))
			continue;
		*found = &reading->p[i];
		answer = dep_match_names(w, a, r, *found, named);
		if ((answer == RE_YES) == any || answer == RE_LIMIT)
			break;
	}
	return answer;
}

/*
 * Yes in any way is yes. A way whose ecosystem cannot read the rule's range excludes no version, so
 * it counts only when no other way reads the range.
 */
static enum re_answer input_match(struct worker *w, struct arena *a, const struct rule *r,
				  const struct deps_readings *all, const struct dep **found)
{
	bool limit = false, excluded = false;
	const struct dep *unread = NULL;

	*found = NULL;
	for (size_t i = 0; i < all->n; i++) {
		bool named = false;
		const struct dep *d;
		enum re_answer answer = input_match_reading(w, a, r, &all->p[i], &d, &named);
		bool guess = answer == RE_YES && named && dep_is_unread(r, d);

		limit |= answer == RE_LIMIT;
		excluded |= answer == RE_NO && named;
		if (guess)
			unread = unread ? unread : d;
		else if (answer == RE_YES || !*found)
			*found = d;
		if (answer == RE_YES && !guess)
			return RE_YES;
	}
	if (unread && !excluded) {
		*found = unread;
		return RE_YES;
	}
	return limit ? RE_LIMIT : RE_NO;
}

static void dep_find(struct worker *w, struct arena *a, const struct rule *r, const struct facts *f,
		     struct hits *out)
{
	if (!f->side.input)
		facts_breaking_rule(w, a, r, f, out);
	for (size_t i = 0; f->side.input && i < f->n && out->limits < FACT_LIMITS; i++) {
		const struct dep *d;
		enum re_answer answer = input_match(w, a, r, f->p[i].of, &d);

		out->limits += answer == RE_LIMIT;
		out->satisfied |= answer == RE_YES;
		if (d && answer != RE_LIMIT && (answer == RE_YES) == r->forbids)
			*VEC_PUSH(a, out) = (struct hit){.key = d->normal,
							 .kind = d->ecosystem,
							 .line = d->version,
							 .at = i,
							 .of = d};
	}
}

/* What the names do not tell, as for a manifest: "foo" at an address may be any package. */
static void input_report_unresolved(struct worker *w, const struct deps_readings *all, size_t i)
{
	struct subject s = {.now.path = str_fmt(w->a, "dependencies[%zu]", i), .touched = true};

	for (size_t j = 0; j < all->n; j++)
		for (size_t k = 0; k < all->p[j].unresolved.n; k++) {
			const struct deps_unresolved *d = &all->p[j].unresolved.p[k];
			struct check_unjudged *u;

			unjudged_clear_blind_rules(w);
			if (!unjudged_mark_blind_rules(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE))
				continue;
			u = unjudged_add(w, &s, CHECK_UNRESOLVED, d->reason);
			u->name = str_dup(w->a, d->name);
		}
}

static struct err *dep_input(struct run *run, struct facts *f)
{
	for (size_t i = 0; i < run->in->deps_n; i++) {
		const struct check_dep *d = &run->in->deps[i];
		struct deps_readings *all = ARENA_NEW(run->a, struct deps_readings);

		TRY(deps_read_install_argument(run->a, deps_ecosystem_by_name(d->ecosystem),
					       d->name, d->version, all));
		*VEC_PUSH(run->a, f) = (struct fact){.of = all};
		input_report_unresolved(&run->workers[0], all, i);
	}
	return NULL;
}

const struct target dep_target = {
	.reads = READS_BYTES,
	.manifest = true,
	.grouped = true,
	.wants = dep_wants,
	.names = deps_is_manifest,
	.read = dep_read,
	.given = offsetof(struct check_input, deps_n),
	.input = dep_input,
	.match = dep_match,
	.find = dep_find,
	.show = dep_show,
	.unreadable = CHECK_UNREADABLE,
	/* Other files have some of the names, so such a file is told and stops nothing. */
	.stops = deps_is_always_manifest,
	.unread_as = CHECK_UNREAD_MANIFEST,
	.unread_only = BLIND_ABSENCE,
	.may = dep_may,
	.words = {"no dependency matches, and one must",
		  "must not use dependency",
		  "must use allowed dependencies only, not",
		  "a package is not known",
		  {"the package of", " is not known"},
		  "it lists packages"},
};
