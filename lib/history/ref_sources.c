/*
 * Sources of knowledge at a ref of the same repository. Every branch reads them as they are now, so
 * a push to that ref changes the rules of all branches, and no commit of theirs shows it.
 */
#include "history/sides.h"
#include "knowledge/load.h"

/* Whether git finds the pushed ref under this name: "refs/heads/know", "heads/know", "know". */
static bool refsource_is(struct arena *a, struct str name, const struct check_ref *ref)
{
	static const char *const places[] = {"", "refs/", "refs/heads/", "refs/tags/"};

	if (str_is(name, "HEAD"))
		return ref->is_default;
	for (size_t i = 0; name.n && i < ARRAY_SIZE(places); i++)
		if (str_eq(str_fmt(a, "%s%.*s", places[i], STR_ARG(name)), ref->ref))
			return true;
	return false;
}

/* The part of a source that names the ref, without "~1" and "^{}". */
static struct str refsource_name(struct str revision)
{
	size_t n = size_min(str_find_char(revision, '~', 0), str_find_char(revision, '^', 0));

	return str_sub(revision, 0, size_min(n, revision.n));
}

/* The same source at another commit. */
static const struct val *refsource_at(struct arena *a, const struct val *source, struct str id)
{
	struct val *map = val_map(a);

	for (const struct val *v = source->first; v; v = v->next) {
		struct str now = v->s, name = refsource_name(now);

		if (!str_is(v->key, "ref")) {
			val_set_key(map, v->key, val_copy(a, v));
			continue;
		}
		now = str_fmt(a, "%.*s%.*s", STR_ARG(id), STR_ARG(str_sub(now, name.n, now.n)));
		val_set_key(map, v->key, val_str(a, now));
	}
	return map;
}

/*
 * The settings as they would be read after the push. moved: the refs of the push that a source
 * names, by index.
 */
static bool refsource_after(struct arena *a, const struct check_report *out,
			    const struct conf *before, struct conf *after, bool *moved)
{
	const struct conf_parts *parts = &before->knowledge_sources;
	bool any = false;

	*after = *before;
	after->knowledge_sources = (struct conf_parts){0};
	for (size_t i = 0; i < parts->n; i++) {
		struct conf_part part = parts->p[i];
		struct str name = refsource_name(val_get_str(part.value, "ref"));
		bool gone = false;

		for (size_t k = 0; part.origin == CONF_REPO && k < out->refs.n; k++) {
			const struct check_ref *ref = &out->refs.p[k];

			if (!refsource_is(a, name, ref))
				continue;
			any = moved[k] = true;
			gone = str_is_zeros(ref->new);
			if (!gone)
				part.value = refsource_at(a, parts->p[i].value, ref->new);
		}
		if (!gone)
			*VEC_PUSH(a, &after->knowledge_sources) = part;
	}
	return any;
}

struct err *judge_ref_sources(struct arena *a, const struct judge *j, struct str default_id,
			      struct check_report *out)
{
	bool *moved = arena_array(a, out->refs.n, sizeof(*moved));
	struct side old = {.ref = str_c(a, default_id)}, new;
	struct strs missing = {0};
	struct rule_changes found = {0};
	struct conf after;
	unsigned lost = 0;
	struct err *e;

	if (!default_id.n)
		return NULL;
	TRY(git_tree_at(j->git, old.ref, &old.tree));
	e = knowledge_tree_conf(a, old.tree, &j->args, &old.conf);
	/* The judgement of each branch tells what is wrong with the settings of its base. */
	if (e)
		return err_code(e) == CODE_INVALID_INPUT || err_reason(e) == E_TOO_BIG ? NULL : e;
	if (!refsource_after(a, out, old.conf, &after, moved))
		return NULL;
	new = old;
	new.conf = &after;
	TRY(side_load(a, j, &old, &missing));
	TRY(side_load(a, j, &new, &missing));
	TRY(rulechange_find(a, &(struct rulechange_side){old.knowledge, old.conf, NULL},
			    &(struct rulechange_side){new.knowledge, old.conf, NULL}, NULL, true,
			    &found));
	if (!found.n)
		return NULL;
	for (size_t i = 0; i < found.n; i++) {
		if (rule_changes_has(&out->rule_changes, &found.p[i]))
			continue;
		lost += found.p[i].blocks;
		*VEC_PUSH(a, &out->rule_changes) = found.p[i];
	}
	for (size_t i = 0; i < out->refs.n; i++) {
		if (!moved[i])
			continue;
		out->refs.p[i].block += lost;
		check_warn(a, out, false, out->refs.p[i].ref,
			   STR("the default branch reads decisions from this ref "
			       "(knowledge.sources), so the push changes the rules of every "
			       "branch"));
	}
	out->compared = true;
	out->no_knowledge = false;
	reports_count(out);
	return NULL;
}
