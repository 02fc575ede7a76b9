#include "check/engine.h"

static enum re_answer path_match(struct worker *w, const struct rule *r, const struct subject *s,
				 bool old)
{
	struct span m;

	if (r->glob)
		return glob_match(r->glob, old ? s->old_glob : s->now_glob) ? RE_YES : RE_NO;
	return giveup_find(w, r, old ? s->old.path : s->now.path, 0, &m);
}

void file_rule_judge(struct worker *w, const struct subject *s)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];
		enum re_answer fine = r->forbids ? RE_NO : RE_YES, now, old = fine;
		struct finding f = {.text = s->now.path, .shown = s->now.path, .at = SIZE_MAX};

		if (r->c->target != KN_TARGET_FILE || r->presence || !w->scoped[r->scope] ||
		    giveup_is(w, r))
			continue;
		now = path_match(w, r, s, false);
		if (now == fine)
			continue;
		if (s->touched && s->has_old && !r->added && w->was_scoped[r->scope])
			old = path_match(w, r, s, true);
		f.limit_hit = now == RE_LIMIT;
		f.existing = !s->touched || old == now;
		if (now == RE_LIMIT && old == RE_LIMIT)
			unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
		findings_add(w, r, s->now.path, STR(""), &(struct findings){&f, 1, 1, CODE_BYTES});
	}
}

void file_presence(struct worker *w, const struct subject *s, bool old, const bool *pending,
		   bool *found)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];

		if (r->c->target != KN_TARGET_FILE || !r->presence || found[i] ||
		    !w->scoped[r->scope] || (pending && !pending[i]) || giveup_is(w, r))
			continue;
		found[i] = path_match(w, r, s, old) == RE_YES;
		if (found == w->present && found[i])
			w->present_at[i] = w->at;
	}
}
