#include "judge/internal.h"
#include "crypt/crypt.h"

/* The length of the match in the quoted line, when the line has it as it was found. */
static size_t quote_length(const struct check_quote *q, const struct finding *f)
{
	const struct str found[] = {f->text, f->name};
	struct str rest = str_sub(q->text, q->at, q->text.n), line;

	for (size_t i = 0; i < ARRAY_SIZE(found); i++) {
		struct str s = found[i];

		if (!str_next_line(&s, &line) || !line.n)
			continue;
		/* A match longer than the quoted part ends with it. */
		if (str_starts(rest, line) || (q->after && str_starts(line, rest)))
			return size_min(line.n, rest.n);
	}
	return 0;
}

/*
 * The parts that survive moved lines, a raised severity, a reworded sentence and a renamed
 * decision. So a finding keeps its fingerprint between base and change, on every machine, and in
 * every version of ikm.
 */
static struct str fingerprint(struct arena *a, const struct rule *r, struct str path,
			      struct str text)
{
	unsigned char digest[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, str_of(kn_operators[r->c->op]));
	sha256_add_part(&h, str_of(kn_targets[r->c->target]));
	sha256_add_part(&h, r->c->pattern);
	sha256_add_part(&h, r->c->version);
	sha256_add_part(&h, path);
	sha256_add_part(&h, text);
	sha256_end(&h, digest);
	return crypt_hex(a, digest, 6);
}

struct str finding_cut(struct arena *a, struct str s)
{
	size_t n = CHECK_FOUND_MAX - 3;

	if (s.n <= CHECK_FOUND_MAX)
		return str_dup(a, s);
	for (size_t back = 0; back < 3 && ((unsigned char)s.p[n] & 0xc0) == 0x80; back++)
		n--;
	return str_fmt(a, "%.*s...", STR_ARG(str_sub(s, 0, n)));
}

/* For a constraint without a message: "must not use 'x' (pattern mysql, version <3, in src/)". */
static void default_message(struct arena *a, struct buf *b, const struct rule *r, struct str name)
{
	const struct kn_constraint *c = r->c;
	const struct target *t = targets[c->target];

	if (c->op == KN_OP_MUST_CHANGE_TOGETHER) {
		buf_fmt(b, "it changes, and no file that matches %.*s does", STR_ARG(c->pattern));
		return;
	}
	buf_puts(b, r->change     ? "the change must not make the matches fewer"
		    : r->presence ? t->words.presence
		    : r->forbids  ? t->words.forbids
				  : t->words.lacks);
	if (!r->presence && name.n)
		buf_fmt(b, " '%.*s'", STR_ARG(name));
	buf_fmt(b, " (pattern %.*s", STR_ARG(c->pattern));
	if (c->version.n)
		buf_fmt(b, ", version %.*s", STR_ARG(c->version));
	if (c->applies_to.n)
		buf_fmt(b, ", in %.*s", STR_ARG(str_join(a, &c->applies_to, ", ")));
	buf_putc(b, ')');
}

static struct str message_of(struct arena *a, const struct rule *r, const struct finding *f,
			     struct str shown, size_t more)
{
	struct str name = f->name.n ? finding_cut(a, f->name) : shown;
	struct buf b = buf_in(a);

	if (f->limit_hit)
		buf_fmt(&b,
			"pattern %.*s reached its match limit, so what it would find here is "
			"not known",
			STR_ARG(r->c->pattern));
	else if (r->c->message.n)
		buf_put(&b, r->c->message);
	else
		default_message(a, &b, r, name);
	if (f->places > 1)
		buf_fmt(&b, " (in %zu places)", f->places);
	if (f->note)
		buf_fmt(&b, " (%s)", f->note);
	if (f->refused.n)
		buf_fmt(&b, " (%.*s)", STR_ARG(f->refused));
	if (more)
		buf_fmt(&b, " (and %zu more in this file)", more);
	return buf_as_str(&b);
}

static struct check_violation *finding_list_one(struct worker *w, const struct rule *r,
						struct str path, const struct finding *f,
						struct place at, size_t more)
{
	struct check_violation *v = VEC_PUSH(w->a, f->waived ? &w->waived : &w->violations);
	struct str first = f->shown, line;

	if (str_next_line(&first, &line))
		first = line;
	v->item = r->item;
	v->constraint = r->c;
	v->severity = r->severity;
	v->file = str_dup(w->a, path);
	v->line = at.line;
	v->column = at.column;
	v->found = finding_cut(w->a, first);
	v->message = message_of(w->a, r, f, v->found, more);
	v->fingerprint = fingerprint(w->a, r, path, f->limit_hit ? STR("match limit") : f->text);
	v->existing = f->existing;
	v->from_base = r->from_base;
	v->waiver = f->waiver;
	return v;
}

ORDER_OF(finding_by_place, struct finding, ORDER_UP(at) || ORDER_STR(text))

void findings_add(struct worker *w, const struct rule *r, struct str path, struct str text,
		  struct findings *f)
{
	struct code_places places = {.raw = text, .encoding = f->encoding};
	struct code_quotes quotes = {.raw = text, .encoding = f->encoding};
	size_t most = w->run->in->list_all ? SIZE_MAX : CHECK_PER_FILE;
	enum { FINDING_NEW, FINDING_EXISTING, FINDING_WAIVED, FINDING_KINDS };
	size_t total[FINDING_KINDS] = {0}, listed[FINDING_KINDS] = {0};
	const struct subject *s = w->subject;
	struct outcome o = {.from = w->violations.n,
			    .waived_from = w->waived.n,
			    .existing = w->existing,
			    .waived = w->waived_count};

	if (!f->n)
		return;
	qsort(f->p, f->n, sizeof(*f->p), finding_by_place);
	waive_findings(w, r, path, text, f);
	if (s && targets[r->c->target]->reads == READS_TEXT)
		for (size_t i = 0; i < f->n; i++)
			if (!f->p[i].refused.n)
				f->p[i].refused = s->exempt_refused;
	for (size_t i = 0; i < f->n; i++)
		total[f->p[i].waived     ? FINDING_WAIVED
		      : f->p[i].existing ? FINDING_EXISTING
					 : FINDING_NEW] += !f->p[i].limit_hit;
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->p[i];
		struct check_violation *v;
		struct place at = {0, 0};
		bool e = x->existing;
		int kind = x->waived ? FINDING_WAIVED : e ? FINDING_EXISTING : FINDING_NEW;

		w->waived_count += x->waived;

		/* A pattern over its limit is reported however many findings are listed. */
		if (!x->limit_hit && listed[kind]++ >= most)
			continue;
		w->existing += e;
		if (x->at != SIZE_MAX)
			at = code_place_of_offset(&places, x->at);
		if (e && !w->run->in->want_existing)
			continue;
		v = finding_list_one(w, r, path, x, at,
				     listed[kind] == most ? total[kind] - listed[kind] : 0);
		if (!at.line)
			continue;
		code_quote_at(w->a, &quotes, x->at, &v->quote);
		v->quote.n = quote_length(&v->quote, x);
	}
	o.rule = (size_t)(r - w->run->rules.p);
	o.at = w->at;
	o.n = w->violations.n - o.from;
	o.waived_n = w->waived.n - o.waived_from;
	o.existing = w->existing - o.existing;
	o.waived = w->waived_count - o.waived;
	*VEC_PUSH(w->a, &w->outcomes) = o;
}
