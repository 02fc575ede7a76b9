/*
 * Rules on settings. A file is read once for all rules. A rule is tried with the lines
 * "key.path=value" only when what its pattern requires occurs among them. A finding is a line, or
 * the path of a map or list that must not exist.
 */
#include "judge/internal.h"
#include "keyval/keyval.h"

/* Lines of so many bytes are searched at once: aliases can make a small file long. */
#define CONFIG_CHUNK ((size_t)64 << 10)

struct config_line {
	size_t from, n, key, at; /* from: in the text of the scan */
	bool inner;
};

struct config_scan {
	struct worker *w;
	struct arena *a;
	const struct rule_kind *kind;
	bool *wanted, *inside; /* by rule; inside: the map or list that was found goes on */
	struct hits *found;    /* by rule */
	struct buf text;       /* the lines that are not tried yet */
	struct VEC(struct config_line) lines;
};

/* ---- matching ---- */

static void config_hit(struct config_scan *x, const struct rule *r, struct hits *out,
		       const struct keyval *k)
{
	out->satisfied = true;
	if (r->forbids)
		*VEC_PUSH(x->a, out) = (struct hit){.key = str_dup(x->a, k->line), .at = k->at};
}

static void config_try(struct config_scan *x, size_t rule)
{
	const struct rule *r = &x->w->run->rules.p[rule];
	struct hits *out = &x->found[rule];
	struct span m;

	for (size_t i = 0; i < x->lines.n; i++) {
		const struct config_line *l = &x->lines.p[i];
		struct keyval k = {.line = str_sub(buf_as_str(&x->text), l->from, l->from + l->n),
				   .key = l->key,
				   .inner = l->inner,
				   .at = l->at};
		enum re_answer answer;

		if (r->c->op == KN_OP_MUST_EXIST || r->c->op == KN_OP_MUST_NOT_EXIST) {
			struct str path = str_sub(k.line, 0, k.key), want = r->c->pattern;
			bool *inside = &x->inside[rule];
			bool exact = path.n == want.n;
			bool fits = str_starts(path, want) &&
				    (exact || path.p[want.n] == '.' || path.p[want.n] == '[');

			/*
			 * The members of what was found are no findings. An exact path inside is
			 * the next one of a list, or of a document.
			 */
			if (fits && (exact || !*inside))
				config_hit(x, r, out, &k);
			if (!fits || exact || !*inside)
				*inside = fits && exact && k.inner;
			continue;
		}
		if (k.inner || out->limits || (out->satisfied && !r->forbids))
			continue;
		answer = pattern_find(x->w, r, k.line, 0, &m);
		out->limits += answer == RE_LIMIT;
		if (answer == RE_YES)
			config_hit(x, r, out, &k);
	}
}

/* Tries the rules with the lines that are left. */
static void config_flush(struct config_scan *x)
{
	const struct rule_kind *k = x->kind;

	if (k->set_n)
		re_set_scan(k->set, buf_as_str(&x->text), x->w->may_too);
	for (size_t j = 0; j < k->n; j++)
		if (x->wanted[k->rule[j]] && (j >= k->set_n || x->w->may_too[j]))
			config_try(x, k->rule[j]);
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

static struct config_scan config_scan_new(struct worker *w, struct arena *a, struct facts *f)
{
	const struct rules *rules = &w->run->rules;
	struct config_scan x = {.w = w,
				.a = a,
				.kind = &rules->kind[KN_TARGET_CONFIG],
				.wanted = arena_array(a, rules->n, sizeof(bool)),
				.inside = arena_array(a, rules->n, sizeof(bool)),
				.found = arena_array(a, rules->n, sizeof(struct hits)),
				.text = buf_in(a)};

	for (size_t j = 0; j < x.kind->n; j++) {
		size_t i = x.kind->rule[j];

		x.wanted[i] = w->scoped[rules->p[i].scope] &&
			      (!f->side.pending || f->side.pending[i]) &&
			      !pattern_limit_reached(w, &rules->p[i]);
	}
	f->found = x.found;
	return x;
}

/* ---- the row ---- */

static bool config_wants(struct str path)
{
	return keyval_kind(path) != KEYVAL_NONE;
}

static bool config_names(struct str path)
{
	return keyval_kind(path) == KEYVAL_READ;
}

static struct err *config_read(struct worker *w, struct arena *a, struct facts *f)
{
	struct config_scan x = config_scan_new(w, a, f);

	if (!config_names(f->side.path)) {
		f->unread = STR("");
		return NULL;
	}
	if (skip_is_lfs(f->side.raw))
		return err_new(E_BAD_CONFIG, "it is a Git LFS pointer");
	TRY(keyval_read(a, f->side.path, f->side.raw, config_line, &x));
	config_flush(&x);
	return NULL;
}

static void config_find(struct worker *w, struct arena *a, const struct rule *r,
			const struct facts *f, struct hits *out)
{
	*out = f->found[r - w->run->rules.p];
	if (!r->forbids && !out->satisfied && !out->limits)
		*VEC_PUSH(a, out) = (struct hit){.at = SIZE_MAX};
}

static struct err *config_input(struct run *run, struct facts *f)
{
	const struct strs *settings = &run->in->settings;
	struct config_scan x = config_scan_new(&run->workers[0], run->a, f);

	for (size_t i = 0; i < settings->n; i++) {
		struct str line = settings->p[i];

		config_line(&x,
			    &(struct keyval){.line = line,
					     .key = size_min(str_find_char(line, '=', 0), line.n)});
	}
	config_flush(&x);
	return NULL;
}

const struct target config_target = {
	.reads = READS_BYTES,
	.wants = config_wants,
	.names = config_names,
	.read = config_read,
	.given = offsetof(struct check_input, settings.n),
	.input = config_input,
	.find = config_find,
	.unreadable = CHECK_UNREADABLE_CONFIG,
	.unread_as = CHECK_UNREAD_CONFIG,
	.unread_only = BLIND_NAMED | BLIND_ABSENCE,
	.words = {"no setting matches, and one must", "must not have the setting",
		  "must have a setting that it lacks", .looks = "it has settings"},
};
