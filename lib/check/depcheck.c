#include "check/engine.h"

struct err *check_deps_known(struct arena *a, const struct check_dep *deps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (deps[i].ecosystem.n && deps_ecosystem_of(deps[i].ecosystem) == DEPS_UNKNOWN)
			return record_not_in(a, str_fmt(a, "dependencies[%zu].ecosystem", i),
					     deps[i].ecosystem, deps_ecosystems + 1);
	for (size_t i = 0; i < n; i++) {
		struct deps_readings readings;
		struct err *e = deps_typed(a, deps_ecosystem_of(deps[i].ecosystem), deps[i].name,
					   deps[i].version, &readings);

		if (e)
			return err_help(err_in(err_detail(e, "parameter", STR("dependencies")),
					       "dependencies[%zu].name", i),
					"give name, version and ecosystem apart: {\"name\": "
					"\"mysql2\", \"version\": \"^3\", \"ecosystem\": \"npm\"}");
	}
	return NULL;
}

/* How a rule answers a dependency, beside yes and no. */
struct dep_how {
	bool named;  /* the pattern matches the name, whatever the version is */
	bool unread; /* its ecosystem cannot read the rule's range, so no version is excluded */
};

/* Whether a version that the dependency allows lies in the rule's range. */
static bool version_counts(struct arena *scratch, const struct rule *r, const struct dep *d,
			   struct dep_how *how)
{
	unsigned e = (unsigned)d->ecosystem < DEPS_ECOSYSTEMS ? d->ecosystem : DEPS_UNKNOWN;

	how->named = true;
	if (!r->ranged)
		return true;
	if (!r->range[e])
		return how->unread = true;
	return deps_range_overlaps(r->range[e], scratch, d);
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
		if (giveup_find(w, r, made_up[i], 0, &m) != RE_NO)
			return false;
	return true;
}

/*
 * Matches the raw or the normalised name. Rules that forbid also match the local alias of the
 * package. Other rules do not, or an alias could satisfy them. Of a runtime it is no alias:
 * "requires-python" is written by the format.
 */
static enum re_answer dep_match(struct worker *w, struct arena *scratch, const struct rule *r,
				const struct dep *d, struct dep_how *how)
{
	struct str names[5] = {d->name, d->normal, {0}, {0}, d->brief};
	bool limit = false;
	struct span m;

	*how = (struct dep_how){0};
	if (r->forbids || d->kind == DEPS_RUNTIME)
		names[2] = d->written;
	if (d->ecosystem == DEPS_UNKNOWN)
		names[3] = deps_normal(scratch, DEPS_PYPI, d->name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		enum re_answer answer;

		if (!names[i].n || (i && str_eq(names[i], names[0])))
			continue;
		answer = giveup_find(w, r, names[i], 0, &m);
		limit |= answer == RE_LIMIT;
		if (answer == RE_YES)
			return version_counts(scratch, r, d, how) ? RE_YES : RE_NO;
	}
	return limit ? RE_LIMIT : RE_NO;
}

struct hit {
	const struct dep *d;
	struct str key; /* the package name as its ecosystem compares names */
	bool unread;
};

struct hits {
	struct hit *p;
	size_t n, cap;
	bool limit_hit;
};

static int by_package(const void *x, const void *y)
{
	const struct hit *a = x, *b = y;
	int c = str_cmp(a->key, b->key);

	if (!c)
		c = (int)a->d->ecosystem - (int)b->d->ecosystem;
	if (!c)
		c = (a->d->at.from > b->d->at.from) - (a->d->at.from < b->d->at.from);
	return c ? c : str_cmp(a->d->version, b->d->version);
}

static int same_package(const struct hit *a, const struct hit *b)
{
	return str_eq(a->key, b->key) && a->d->ecosystem == b->d->ecosystem;
}

/*
 * Names of one manifest in which a pattern may reach its match limit. ikm does not try it with the
 * rest: the finding says that the result is not known.
 */
#define NAME_LIMITS 2

/* The entries that break the rule, by package and place. */
static void dep_find_hits(struct worker *w, struct arena *scratch, const struct rule *r,
			  const struct deps *deps, struct hits *out)
{
	unsigned limits = 0;

	for (size_t i = 0; i < deps->n; i++) {
		const struct dep *d = &deps->p[i];
		struct dep_how how;
		enum re_answer answer;

		if (!dep_is_seen(w, r, d))
			continue;
		answer = dep_match(w, scratch, r, d, &how);
		if (answer == RE_LIMIT) {
			out->limit_hit = true;
			if (++limits == NAME_LIMITS)
				break;
		} else if ((answer == RE_YES) == r->forbids)
			*VEC_PUSH(scratch, out) =
				(struct hit){d, d->normal.n ? d->normal : d->name, how.unread};
	}
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), by_package);
}

static struct str depcheck_shown(struct arena *scratch, const struct dep *d)
{
	struct buf b = buf_in(scratch);

	buf_put(&b, d->name);
	if (d->version.n)
		buf_fmt(&b, " %.*s", STR_ARG(d->version));
	if (d->written.n && !str_eq(d->written, d->name))
		buf_fmt(&b, " (as %.*s)", STR_ARG(d->written));
	if (d->kind == DEPS_RUNTIME)
		buf_puts(&b, " (runtime)");
	if (d->reach == DEPS_TRANSITIVE)
		buf_puts(&b, " (transitive)");
	return buf_str(&b);
}

/* The first place whose version the base did not have: the place a person must look at. */
static const struct hit *depcheck_place_of(const struct hit *now, size_t m, const struct hit *old,
					   size_t n)
{
	for (size_t i = 0; i < m; i++) {
		bool had = false;

		/*
		 * Bounded: a package has few places in one file, but a hostile file may have many.
		 */
		for (size_t j = 0; j < n && j < 64 && !had; j++)
			had = str_eq(old[j].d->version, now[i].d->version);
		if (!had)
			return &now[i];
	}
	return now;
}

/* One finding for each package: a lockfile may have it in a hundred places. */
static void add_packages(struct arena *scratch, const struct hits *now, const struct hits *old,
			 bool touched, bool placed, struct findings *found)
{
	size_t j = 0, m, n;

	for (size_t i = 0; i < now->n; i += m) {
		const struct hit *first = &now->p[i];

		for (m = 1; i + m < now->n && same_package(first, first + m);)
			m++;
		while (j < old->n && by_package(&old->p[j], first) < 0 &&
		       !same_package(&old->p[j], first))
			j++;
		for (n = 0; j + n < old->n && same_package(&old->p[j + n], first);)
			n++;
		if (touched && m > n && n)
			first = depcheck_place_of(first, m, &old->p[j], n);
		*VEC_PUSH(scratch, found) = (struct finding){
			.text = first->key,
			.shown = depcheck_shown(scratch, first->d),
			.name = first->d->name,
			.note = first->unread ? "its ecosystem does not write versions as the rule "
						"does, so any version counts"
					      : NULL,
			.at = placed ? first->d->at.from : SIZE_MAX,
			.places = m,
			.existing = !touched || m <= n,
		};
		j += n;
	}
}

/*
 * The manifest of the base, parsed when the first rule asks. A manifest that does not parse has no
 * dependencies.
 */
struct deps_base {
	bool asked;
	bool included; /* judged as a requirements file, whatever its name */
	struct deps deps;
};

static const struct deps *deps_of_base(struct worker *w, struct arena *scratch,
				       const struct subject *s, struct str now, struct deps_base *b)
{
	struct str text, path = s->old.path;

	if (b->asked || !s->has_old)
		return &b->deps;
	b->asked = true;
	if (b->included)
		path = deps_as_requirements(scratch, path);
	if (!deps_is_manifest(path) ||
	    !worker_old_text(w, scratch, s, now, CHECK_MANIFEST_MAX, &text) ||
	    deps_read(scratch, path, text, w->run->old_files, &b->deps))
		b->deps = (struct deps){0};
	return &b->deps;
}

static const struct deps *deps_before(struct worker *w, struct arena *scratch, const struct rule *r,
				      const struct subject *s, struct str now, struct deps_base *b)
{
	static const struct deps none;

	if (r->added || !s->has_old || !w->was_scoped[r->scope])
		return &none;
	return deps_of_base(w, scratch, s, now, b);
}

static struct spots dep_spots(struct arena *a, const struct deps *d)
{
	struct spots s = {0};

	for (size_t i = 0; i < d->unresolved.n; i++)
		*VEC_PUSH(a, &s) = (struct spot){
			.text = d->unresolved.p[i].name,
			.reason = d->unresolved.p[i].reason,
			.which = i,
		};
	return s;
}

/*
 * Names that the file does not tell. Each may be a package that a rule forbids, or a package that
 * an allow-list lacks. Names that the base had are reported only to rules that the change adds.
 */
static void report_unresolved(struct worker *w, struct arena *scratch, const struct subject *s,
			      struct str text, const struct deps *deps, struct deps_base *b)
{
	struct spots now = dep_spots(scratch, deps), old = {0};

	if (now.n && s->touched && s->has_old)
		old = dep_spots(scratch, deps_of_base(w, scratch, s, text, b));
	spots_compare(&now, &old);
	for (size_t i = 0; i < now.n; i++) {
		const struct spot *x = &now.p[i];
		const struct deps_unresolved *d = &deps->unresolved.p[x->which];
		struct check_unjudged *u;

		unjudged_clear(w);
		if (!unjudged_blind(w, KN_TARGET_DEPENDENCY,
				    BLIND_ABSENCE | (x->was ? BLIND_ADDED : 0)))
			continue;
		u = unjudged_add(w, s, CHECK_UNRESOLVED, x->reason);
		u->name = str_dup(w->a, x->text);
		u->line = d->place.line;
		u->column = d->place.column;
	}
}

static bool is_dep_rule(const struct rule *r, bool presence)
{
	return r->c->target == KN_TARGET_DEPENDENCY && r->presence == presence;
}

void dep_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text,
	       const struct deps *deps, bool included)
{
	struct deps_base before = {.included = included};

	report_unresolved(w, scratch, s, text, deps, &before);
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];
		struct hits now = {0}, old = {0};
		struct findings found = {0};

		if (!is_dep_rule(r, false) || !w->scoped[r->scope] || giveup_is(w, r))
			continue;
		dep_find_hits(w, scratch, r, deps, &now);
		if (!now.n && !now.limit_hit)
			continue;
		if (s->touched)
			dep_find_hits(w, scratch, r, deps_before(w, scratch, r, s, text, &before),
				      &old);
		add_packages(scratch, &now, &old, s->touched, true, &found);
		if (now.limit_hit)
			*VEC_PUSH(scratch, &found) =
				(struct finding){.at = SIZE_MAX,
						 .limit_hit = true,
						 .existing = !s->touched || old.limit_hit};
		if (now.limit_hit && old.limit_hit)
			unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
		findings_add(w, r, s->now.path, text, &found);
	}
}

bool dep_finds(struct worker *w, struct arena *scratch, const struct deps *deps)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		struct hits now = {0};

		if (!is_dep_rule(&w->run->rules.p[i], false) || giveup_is(w, &w->run->rules.p[i]))
			continue;
		dep_find_hits(w, scratch, &w->run->rules.p[i], deps, &now);
		if (now.n || now.limit_hit)
			return true;
	}
	return false;
}

void dep_presence(struct worker *w, struct arena *scratch, const struct deps *deps,
		  const bool *pending, bool *found)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];
		unsigned limits = 0;

		if (!is_dep_rule(r, true) || !w->scoped[r->scope] || (pending && !pending[i]) ||
		    found[i] || giveup_is(w, r))
			continue;
		for (size_t j = 0; j < deps->n && !found[i] && limits < NAME_LIMITS; j++) {
			const struct dep *d = &deps->p[j];
			struct dep_how how;
			enum re_answer a =
				dep_is_seen(w, r, d) ? dep_match(w, scratch, r, d, &how) : RE_NO;

			found[i] = a == RE_YES;
			limits += a == RE_LIMIT;
		}
		if (found == w->present && found[i])
			w->present_at[i] = w->at;
		if (limits && found == w->present)
			w->limit_hit[i]++;
	}
}

/* ---- the dependencies of an input ---- */

/*
 * The name of an input may be read in several ways. One way, against one rule: a rule that forbids
 * finds any of its packages, a rule that allows must find all of them.
 */
static enum re_answer input_match_reading(struct worker *w, struct arena *scratch,
					  const struct rule *r, const struct deps *reading,
					  struct hit *hit, struct dep_how *how)
{
	bool any = r->forbids || r->presence;
	enum re_answer answer = any ? RE_NO : RE_YES;

	*hit = (struct hit){.d = reading->p};
	for (size_t i = 0; i < reading->n; i++) {
		const struct dep *d = &reading->p[i];

		if (!dep_is_seen(w, r, d))
			continue;
		answer = dep_match(w, scratch, r, d, how);
		*hit = (struct hit){.d = d, .unread = how->unread};
		if ((answer == RE_YES) == any || answer == RE_LIMIT)
			break;
	}
	hit->key = hit->d->normal;
	return answer;
}

/*
 * Yes in any way is yes. A way whose ecosystem cannot read the rule's range excludes no version, so
 * it counts only when no other way reads the range.
 */
static enum re_answer input_match(struct worker *w, struct arena *scratch, const struct rule *r,
				  const struct deps_readings *all, struct hit *hit)
{
	bool limit = false, excluded = false;
	struct hit unread = {0};

	for (size_t i = 0; i < all->n; i++) {
		struct dep_how how = {0};
		struct hit one;
		enum re_answer answer = input_match_reading(w, scratch, r, &all->p[i], &one, &how);

		limit |= answer == RE_LIMIT;
		excluded |= answer == RE_NO && how.named;
		if (answer == RE_YES && how.unread)
			unread = unread.d ? unread : one;
		else if (answer == RE_YES || !hit->d)
			*hit = one;
		if (answer == RE_YES && !how.unread)
			return RE_YES;
	}
	if (unread.d && !excluded) {
		*hit = unread;
		return RE_YES;
	}
	return limit ? RE_LIMIT : RE_NO;
}

/* The entries of the input that break the rule, or of a presence rule: satisfy it. */
static void input_find_hits(struct worker *w, struct arena *scratch, const struct rule *r,
			    const struct deps_readings *entries, size_t n, struct hits *out)
{
	unsigned limits = 0;

	for (size_t i = 0; i < n && limits < NAME_LIMITS; i++) {
		struct hit hit = {0};
		enum re_answer answer = input_match(w, scratch, r, &entries[i], &hit);

		limits += answer == RE_LIMIT;
		if (answer != RE_LIMIT && (answer == RE_YES) == (r->forbids || r->presence))
			*VEC_PUSH(scratch, out) = hit;
	}
	out->limit_hit = limits;
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), by_package);
}

/* What the names do not tell, as for a manifest: "foo" at an address may be any package. */
static void input_report_unresolved(struct worker *w, const struct deps_readings *all, size_t i)
{
	struct subject s = {.now.path = str_fmt(w->a, "dependencies[%zu]", i), .touched = true};

	for (size_t j = 0; j < all->n; j++)
		for (size_t k = 0; k < all->p[j].unresolved.n; k++) {
			const struct deps_unresolved *d = &all->p[j].unresolved.p[k];
			struct check_unjudged *u;

			unjudged_clear(w);
			if (!unjudged_blind(w, KN_TARGET_DEPENDENCY, BLIND_ABSENCE))
				continue;
			u = unjudged_add(w, &s, CHECK_UNRESOLVED, d->reason);
			u->name = str_dup(w->a, d->name);
		}
}

static struct err *input_read(struct arena *a, const struct check_input *in,
			      struct deps_readings *entries)
{
	for (size_t i = 0; i < in->deps_n; i++) {
		const struct check_dep *d = &in->deps[i];
		struct deps_readings *all = &entries[i];

		TRY(deps_typed(a, deps_ecosystem_of(d->ecosystem), d->name, d->version, all));
		for (size_t j = 0; j < all->n; j++)
			for (size_t k = 0; k < all->p[j].n; k++)
				all->p[j].p[k].at = (struct span){i, i};
	}
	return NULL;
}

struct err *dep_judge_input(struct run *run)
{
	const struct check_input *in = run->in;
	struct worker *w = &run->workers[0];
	struct arena *scratch = run->a;
	struct deps_readings *entries = arena_array(scratch, in->deps_n, sizeof(*entries));

	TRY(input_read(scratch, in, entries));
	for (size_t i = 0; i < run->rules.scopes.n; i++)
		w->scoped[i] = true;
	for (size_t i = 0; i < in->deps_n; i++)
		input_report_unresolved(w, &entries[i], i);
	for (size_t i = 0; i < run->rules.n; i++) {
		const struct rule *r = &run->rules.p[i];
		struct hits now = {0}, none = {0};
		struct findings found = {0};

		if (r->c->target != KN_TARGET_DEPENDENCY)
			continue;
		input_find_hits(w, scratch, r, entries, in->deps_n, &now);
		if (r->presence) {
			w->present[i] |= now.n > 0;
			w->limit_hit[i] += now.limit_hit;
			continue;
		}
		add_packages(scratch, &now, &none, true, false, &found);
		if (now.limit_hit)
			*VEC_PUSH(scratch, &found) =
				(struct finding){.at = SIZE_MAX, .limit_hit = true};
		findings_add(w, r, STR(""), STR(""), &found);
	}
	return NULL;
}
