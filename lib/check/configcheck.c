/*
 * Rules on settings. A file is read once for all rules. A rule is tried with the lines
 * "key.path=value" only when what its pattern requires occurs among them. A finding is a line, or
 * the path of a map or list that must not exist.
 */
#include "check/engine.h"
#include "keyval/keyval.h"

/* Lines of so many bytes are searched at once: aliases can make a small file long. */
#define CONFIG_CHUNK ((size_t)64 << 10)

struct config_hit {
	struct str line;
	size_t at;
};

/* What one rule finds in a file. */
struct config_found {
	struct config_hit *p;
	size_t n, cap;
	bool matched, limit_hit;
	bool inside; /* the map or list that was found goes on: its members are no findings */
};

struct config_line {
	size_t from, n, key, at; /* from: in the text of the scan */
	bool inner;
};

struct config_scan {
	struct worker *w;
	struct arena *a;
	const bool *wanted;         /* by rule */
	struct config_found *found; /* by rule */
	bool *may;                  /* by member of the set of rules on settings */
	struct buf text;            /* the lines that are not tried yet */
	struct {
		struct config_line *p;
		size_t n, cap;
	} lines;
};

/* ---- matching ---- */

static bool config_exists(const struct kn_constraint *c)
{
	return c->op == KN_OP_MUST_EXIST || c->op == KN_OP_MUST_NOT_EXIST;
}

/* Whether the path is the rule's, or lies below it. */
static bool config_path_fits(const struct rule *r, const struct keyval *k, bool *exact)
{
	struct str path = str_sub(k->line, 0, k->key), want = r->c->pattern;

	*exact = path.n == want.n;
	return str_starts(path, want) && (*exact || path.p[want.n] == '.' || path.p[want.n] == '[');
}

static void config_hit(struct config_scan *x, struct config_found *f, const struct keyval *k)
{
	*VEC_PUSH(x->a, f) = (struct config_hit){str_dup(x->a, k->line), k->at};
}

static void config_exist(struct config_scan *x, const struct rule *r, struct config_found *f,
			 const struct keyval *k)
{
	bool exact, fits = config_path_fits(r, k, &exact);

	if (fits && !f->inside) {
		f->matched = true;
		f->inside = exact && k->inner;
		if (r->forbids)
			config_hit(x, f, k);
	} else if (!fits) {
		f->inside = false;
	} else if (exact) {
		/* The next one of a list, or of a document. */
		f->inside = k->inner;
		if (r->forbids)
			config_hit(x, f, k);
	}
}

static struct keyval config_nth(const struct config_scan *x, size_t i)
{
	const struct config_line *l = &x->lines.p[i];

	return (struct keyval){.line = str_sub(buf_str(&x->text), l->from, l->from + l->n),
			       .key = l->key,
			       .inner = l->inner,
			       .at = l->at};
}

static void config_try(struct config_scan *x, const struct rule *r, struct config_found *f)
{
	struct span m;

	for (size_t i = 0; i < x->lines.n; i++) {
		struct keyval k = config_nth(x, i);
		enum re_answer answer;

		if (config_exists(r->c)) {
			config_exist(x, r, f, &k);
			continue;
		}
		if (k.inner || f->limit_hit || (f->matched && !r->forbids))
			continue;
		answer = giveup_find(x->w, r, k.line, 0, &m);
		f->limit_hit = answer == RE_LIMIT;
		if (answer != RE_YES)
			continue;
		f->matched = true;
		if (r->forbids)
			config_hit(x, f, &k);
	}
}

/* Tries the rules with the lines that are left. */
static void config_flush(struct config_scan *x)
{
	const struct rules *rules = &x->w->run->rules;

	if (rules->config_n)
		re_set_scan(rules->config_set, buf_str(&x->text), x->may);
	for (size_t j = 0; j < rules->config_n; j++)
		if (x->wanted[rules->config[j]] && x->may[j])
			config_try(x, &rules->p[rules->config[j]], &x->found[rules->config[j]]);
	for (size_t i = 0; i < rules->n; i++)
		if (x->wanted[i] && config_exists(rules->p[i].c))
			config_try(x, &rules->p[i], &x->found[i]);
	x->text.n = 0;
	x->lines.n = 0;
}

static void config_line(void *ctx, const struct keyval *k)
{
	struct config_scan *x = ctx;

	*VEC_PUSH(x->a, &x->lines) =
		(struct config_line){x->text.n, k->line.n, k->key, k->at, k->inner};
	buf_put(&x->text, k->line);
	buf_putc(&x->text, '\n');
	if (x->text.n > CONFIG_CHUNK)
		config_flush(x);
}

static struct config_scan config_scan_new(struct worker *w, struct arena *a, const bool *wanted)
{
	const struct rules *rules = &w->run->rules;

	return (struct config_scan){.w = w,
				    .a = a,
				    .wanted = wanted,
				    .found = arena_array(a, rules->n, sizeof(struct config_found)),
				    .may = arena_array(a, rules->config_n, sizeof(bool)),
				    .text = buf_in(a)};
}

/* ---- files ---- */

/* Rules on settings of the scopes that hold the file. */
static bool *config_wanted(struct worker *w, struct arena *a, const bool *scoped,
			   const bool *pending)
{
	const struct rules *rules = &w->run->rules;
	bool *wanted = arena_array(a, rules->n, sizeof(*wanted));

	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->p[i];

		wanted[i] = r->c->target == KN_TARGET_CONFIG && scoped[r->scope] &&
			    (!pending || pending[i]) && (config_exists(r->c) || !giveup_is(w, r));
	}
	return wanted;
}

static struct err *config_scan(struct worker *w, struct arena *a, const bool *wanted,
			       struct str path, struct str text, struct config_found **found)
{
	struct config_scan x = config_scan_new(w, a, wanted);

	*found = x.found;
	if (skip_is_lfs(text))
		return err_new(E_BAD_CONFIG, "it is a Git LFS pointer");
	TRY(keyval_read(a, path, text, config_line, &x));
	config_flush(&x);
	return NULL;
}

bool config_wants(const struct run *run, struct str path)
{
	return run->rules.has_config && keyval_kind(path) == KEYVAL_READ;
}

void config_unreadable(struct worker *w, const struct subject *s, struct str why)
{
	unjudged_clear(w);
	unjudged_blind(w, KN_TARGET_CONFIG, 0);
	unjudged_add(w, s, CHECK_UNREADABLE_CONFIG, why);
}

void config_unread(struct worker *w, const struct subject *s)
{
	unjudged_clear(w);
	if (w->run->rules.has_config && keyval_kind(s->now.path) == KEYVAL_UNREAD &&
	    unjudged_blind(w, KN_TARGET_CONFIG, BLIND_NAMED | BLIND_ABSENCE))
		unjudged_add(w, s, CHECK_UNREAD_CONFIG, STR(""));
}

/* The findings of the file in the base, by rule; NULL: it had none that could be read. */
static struct config_found *config_before(struct worker *w, struct arena *a,
					  const struct subject *s, struct str now,
					  const bool *wanted)
{
	struct config_found *found;
	struct str text;

	if (!s->touched || !s->has_old || keyval_kind(s->old.path) != KEYVAL_READ ||
	    !worker_old_text(w, a, s, now, CHECK_MANIFEST_MAX, &text) ||
	    config_scan(w, a, wanted, s->old.path, text, &found))
		return NULL;
	return found;
}

static int config_hit_cmp(const void *x, const void *y)
{
	const struct config_hit *a = x, *b = y;
	int c = str_cmp(a->line, b->line);

	return c ? c : (a->at > b->at) - (a->at < b->at);
}

/* One line occurs m times now and n times before, so the last m - n are new. */
static void config_report(struct worker *w, struct arena *a, const struct rule *r,
			  const struct subject *s, struct str text, struct config_found *now,
			  struct config_found *old)
{
	struct findings found = {.encoding = CODE_BYTES};
	size_t j = 0, n = 0;

	if (now->n)
		qsort(now->p, now->n, sizeof(*now->p), config_hit_cmp);
	if (old->n)
		qsort(old->p, old->n, sizeof(*old->p), config_hit_cmp);
	for (size_t i = 0; i < now->n; i++) {
		struct str line = now->p[i].line;

		if (!i || !str_eq(now->p[i - 1].line, line)) {
			while (j < old->n && str_cmp(old->p[j].line, line) < 0)
				j++;
			for (n = 0; j < old->n && str_eq(old->p[j].line, line); j++)
				n++;
		}
		*VEC_PUSH(a, &found) = (struct finding){
			.text = line,
			.shown = line,
			.at = now->p[i].at,
			.existing = !s->touched || n > 0,
		};
		n -= n > 0;
	}
	if (now->limit_hit)
		*VEC_PUSH(a, &found) = (struct finding){.at = SIZE_MAX,
							.limit_hit = true,
							.existing = !s->touched || old->limit_hit};
	if (now->limit_hit && old->limit_hit)
		unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
	findings_add(w, r, s->now.path, text, &found);
}

/* No line matches, and one must. */
static void config_lacking(struct worker *w, const struct rule *r, const struct subject *s,
			   struct str text, const struct config_found *now, bool was_lacking)
{
	struct finding f = {.at = SIZE_MAX,
			    .limit_hit = now->limit_hit,
			    .existing = !s->touched || was_lacking};

	findings_add(w, r, s->now.path, text, &(struct findings){&f, 1, 1, CODE_BYTES});
}

static void config_satisfied(struct worker *w, const struct config_found *found, bool *present)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		if (!w->run->rules.p[i].presence ||
		    w->run->rules.p[i].c->target != KN_TARGET_CONFIG)
			continue;
		if (found[i].matched && !present[i]) {
			present[i] = true;
			if (present == w->present)
				w->present_at[i] = w->at;
		}
		if (found[i].limit_hit && present == w->present)
			w->limit_hit[i]++;
	}
}

void config_judge(struct worker *w, struct arena *scratch, const struct subject *s, struct str text)
{
	const bool *wanted = config_wanted(w, scratch, w->scoped, NULL);
	struct config_found *now, *old = NULL, none = {.matched = true};
	bool asked = false;
	struct err *e = config_scan(w, scratch, wanted, s->now.path, text, &now);

	if (e) {
		config_unreadable(w, s, str_of(err_message(e)));
		return;
	}
	config_satisfied(w, now, w->present);
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];
		bool found = r->forbids ? now[i].n || now[i].limit_hit : !now[i].matched;
		struct config_found *before = &none;

		if (!wanted[i] || r->presence || !found)
			continue;
		if (!asked)
			old = config_before(w, scratch, s, text, wanted);
		asked = true;
		if (old && !r->added && w->was_scoped[r->scope])
			before = &old[i];
		if (r->forbids)
			config_report(w, scratch, r, s, text, &now[i], before);
		else
			config_lacking(w, r, s, text, &now[i], !before->matched);
	}
}

void config_presence(struct worker *w, struct arena *scratch, struct str path, struct str text,
		     const bool *pending, bool *found)
{
	struct config_found *now;

	if (!config_scan(w, scratch, config_wanted(w, scratch, w->scoped, pending), path, text,
			 &now))
		config_satisfied(w, now, found);
}

/* Lines that belong to no file; appliesTo does not restrict them. */
void config_judge_input(struct run *run)
{
	struct worker *w = &run->workers[0];
	const struct check_input *in = run->in;
	struct subject s = {.has_now = true, .touched = true};
	struct arena *a ARENA_LOCAL = arena_new();
	struct config_found none = {.matched = true};
	struct config_scan x;

	if (!in->settings.n || !run->rules.has_config)
		return;
	memset(w->scoped, true, run->rules.scopes.n * sizeof(*w->scoped));
	x = config_scan_new(w, a, config_wanted(w, a, w->scoped, NULL));
	for (size_t i = 0; i < in->settings.n; i++) {
		struct str line = in->settings.p[i];

		config_line(&x,
			    &(struct keyval){.line = line,
					     .key = size_min(str_find_char(line, '=', 0), line.n),
					     .at = SIZE_MAX});
	}
	config_flush(&x);
	config_satisfied(w, x.found, w->present);
	for (size_t i = 0; i < run->rules.n; i++) {
		const struct rule *r = &run->rules.p[i];

		if (!x.wanted[i] || r->presence)
			continue;
		if (r->forbids)
			config_report(w, a, r, &s, STR(""), &x.found[i], &none);
		else if (!x.found[i].matched)
			config_lacking(w, r, &s, STR(""), &x.found[i], false);
	}
}
