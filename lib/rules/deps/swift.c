#include "deps/manifest_tokens.h"

/*
 * Package.swift, which is Swift: each .package( call with literal arguments, wherever it stands.
 * Ranges become those of semantic versions, for Swift reads "from" in its own way.
 */

/* The value of the argument LABEL: in the call whose bracket is at i; 0: it has none. */
static size_t swift_argument(const struct tokens *v, size_t i, const char *label)
{
	return program_call_option(v, i + 1, program_closing_bracket(v, i) + 1, v->p[i].depth + 1,
				   label);
}

/* A literal that is the whole argument. */
static const struct token *swift_literal(const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *next;

	if (!i || !token_is_literal(t))
		return NULL;
	next = &v->p[program_skip_line_ends(v, i + 1)];
	return token_is(next, ",|)|.") ? t : NULL;
}

/* ">=FROM <NEXT", where NEXT counts the part up: 0 the major version, 1 the minor one. */
static struct str swift_up_to(struct reader *r, struct str from, unsigned part)
{
	int64_t n[2] = {0, 0};
	struct str rest = from, one;

	for (unsigned i = 0; i <= part; i++)
		if (!str_next_part(&rest, '.', &one) || !str_int(one, &n[i]) || n[i] == INT64_MAX)
			return STR("");
	if (part)
		return str_fmt(r->a, ">=%.*s <%lld.%lld.0", STR_ARG(from), (long long)n[0],
			       (long long)n[1] + 1);
	return str_fmt(r->a, ">=%.*s <%lld.0.0", STR_ARG(from), (long long)n[0] + 1);
}

/* .upToNextMajor(from: "1.0.0"), .exact("1.0.0") among the arguments. */
static const struct token *swift_requirement(const struct tokens *v, size_t i, const char *word)
{
	size_t end = program_closing_bracket(v, i);

	for (size_t k = i + 1; k + 3 < end; k++) {
		size_t at = k + 2;

		if (!token_is(&v->p[k], word) || !token_is(&v->p[k - 1], ".") ||
		    !token_is(&v->p[k + 1], "("))
			continue;
		if (token_is(&v->p[at], "from") && token_is(&v->p[at + 1], ":"))
			at += 2;
		return swift_literal(v, at);
	}
	return NULL;
}

static struct str swift_version(struct reader *r, const struct tokens *v, size_t i)
{
	size_t end = program_closing_bracket(v, i);
	const struct token *t;

	if ((t = swift_literal(v, swift_argument(v, i, "from"))) ||
	    (t = swift_requirement(v, i, "upToNextMajor")))
		return swift_up_to(r, t->s, 0);
	if ((t = swift_requirement(v, i, "upToNextMinor")))
		return swift_up_to(r, t->s, 1);
	if ((t = swift_literal(v, swift_argument(v, i, "exact"))) ||
	    (t = swift_requirement(v, i, "exact")))
		return t->s;
	/* A literal range "1.0.0"..<"2.0.0" or "1.0.0"..."1.9.9" among the arguments. */
	for (t = &v->p[i + 1]; t + 4 < &v->p[end]; t++)
		if (token_is_literal(t) && token_is(t + 1, ".") && token_is(t + 2, ".") &&
		    token_is(t + 3, "<|.") && token_is_literal(t + 4))
			return str_fmt(r->a, ">=%.*s <%s%.*s", STR_ARG(t->s),
				       token_is(t + 3, ".") ? "=" : "", STR_ARG(t[4].s));
	return STR("");
}

static void swift_unknown(struct reader *r, const struct tokens *v, size_t i, const char *why)
{
	size_t end = program_statement_end_near(v, i);

	if (v->p[i + 1].close)
		end = size_min(v->p[i + 1].close, i + 32);
	reader_add_unresolved(r, program_tokens_text(r, v, i, end), token_span(&v->p[i]), "%s",
			      why);
}

/* i: the bracket of .package( */
static void swift_package(struct reader *r, const struct tokens *v, size_t i)
{
	size_t url = swift_argument(v, i, "url"), id = swift_argument(v, i, "id");
	size_t path = swift_argument(v, i, "path");
	const struct token *t = swift_literal(v, url ? url : id);
	struct str name, outside;

	if (!url && !id && path) {
		t = swift_literal(v, path);
		if (!t || !reader_resolve_path(r, t->s, &outside))
			swift_unknown(r, v, i - 1,
				      "its folder is not in the repository, or is computed");
		return;
	}
	if (!t) {
		swift_unknown(r, v, i - 1, "a program computes the address");
		return;
	}
	if (!url || !url_repo_address(r->a, t->s, &name))
		name = t->s;
	reader_add_dep(r, name, reader_span_of_slice_or(r, name, token_span(t)))->version =
		swift_version(r, v, i);
}

struct err *swift_manifest(struct reader *r)
{
	struct tokens v = {0};

	r->reach = DEPS_DIRECT;
	program_tokens(r, PROGRAM_SWIFT, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *t = &v.p[i];

		if (!token_is(t, ".") || !token_is(t + 1, "package|binaryTarget") ||
		    !token_is(t + 2, "("))
			continue;
		/* No call is an argument of another, and so each token is looked at once. */
		if (!t[2].close)
			swift_unknown(r, &v, i + 1, "its bracket is not closed");
		else if (token_is(t + 1, "package"))
			swift_package(r, &v, i + 2);
		else if (swift_argument(&v, i + 2, "url"))
			swift_unknown(r, &v, i + 1,
				      "an archive of a program, which does not name its package");
		i = size_max(t[2].close, i + 1) - 1;
	}
	return NULL;
}
