#include "deps/manifest_tokens.h"

/*
 * mix.exs, which is Elixir. Tuples with a literal name are read in functions whose name has "deps",
 * and in a literal list of the key "deps"; any other member of such a list is unresolved.
 * Conditions do not matter: all branches count.
 */

#define MIX_COMPUTED "a program computes it"

/* Whether it is a word about dependencies. */
static bool mix_has(const struct token *t)
{
	return t->type == TOKEN_WORD &&
	       (str_holds(t->s, "deps") || str_holds(t->s, "dependencies"));
}

/* The literal name of an atom at i: ':' and a word or a string. */
static const struct token *mix_atom(const struct tokens *v, size_t i)
{
	const struct token *name = &v->p[i + 1];

	if (!token_is(&v->p[i], ":") || (name->type != TOKEN_WORD && name->type != TOKEN_STRING))
		return NULL;
	return name->plain && name->s.n && name->at.from <= v->p[i].at.to + 1 ? name : NULL;
}

/* { :name, "~> 1.0", only: :dev }; i: the brace. */
static void mix_tuple(struct reader *r, const struct tokens *v, size_t i)
{
	size_t end = program_closing_bracket(v, i), hex, at = program_skip_line_ends(v, i + 1);
	const struct token *name = mix_atom(v, at), *real = name;
	struct dep *d;

	if (!name) {
		reader_add_unresolved(r, program_tokens_text(r, v, i, size_min(end, i + 32)),
				      token_span(&v->p[i]), "a program computes the name");
		return;
	}
	at += 3;
	if (program_call_option(v, at, end, v->p[at].depth + 1, "in_umbrella"))
		return;
	hex = program_call_option(v, at, end, v->p[at].depth + 1, "hex");
	if (hex)
		real = token_is_literal(&v->p[hex]) ? &v->p[hex] : mix_atom(v, hex);
	if (!real) {
		program_add_unresolved(r, v, i, MIX_COMPUTED);
		return;
	}
	d = reader_add_dep(r, real->s, token_span(real));
	if (!str_eq(real->s, name->s))
		d->written = name->s;
	while (at < end && v->p[at].type == TOKEN_LINE)
		at++;
	if (at < end && token_is(&v->p[at - 1], ",") && token_is_literal(&v->p[at]))
		d->version = v->p[at].s;
}

/* Whether a colon stands directly behind the word, as behind a key. */
static bool mix_is_key(const struct token *t)
{
	return token_is(t + 1, ":") && t[1].at.from == t->at.to;
}

/* The tokens [i, end) of a list or a function's body. */
static void mix_body(struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	bool member = true; /* a member of a list, or a value, may begin here */
	size_t told = 0;    /* up to here something is unresolved already */

	for (; i < end; i++) {
		const struct token *t = &v->p[i];
		/* What controls the flow; that from which it chooses counts. */
		bool name = member && t->type == TOKEN_WORD &&
			    !token_is(t, "if|unless|case|cond|do|else|end|when|nil|_");

		if (t->type == TOKEN_LINE)
			continue;
		if (token_is(t, "{") && t->close && (!i || !token_is(t - 1, "%"))) {
			mix_tuple(r, v, i);
			i = t->close - 1;
			member = false;
		} else if (name && mix_is_key(t) && !token_is(t + 2, ":")) {
			/* name: "~> 1.0", which is short for { :name, "~> 1.0" } */
			struct dep *d = reader_add_dep(r, t->s, token_span(t));

			if (token_is_literal(t + 2))
				d->version = t[2].s;
			i = token_is(t + 2, "[") && t[2].close ? t[2].close - 1 : i + 2;
			member = false;
		} else if (name && !mix_has(t)) {
			if (i >= told)
				program_add_unresolved(r, v, i, MIX_COMPUTED);
			told = size_max(told, program_statement_end_near(v, i));
			member = false;
		} else if (token_is(t, "if|unless|case")) {
			while (i + 1 < end && !token_is(&v->p[i], "do") &&
			       v->p[i + 1].type != TOKEN_LINE)
				i++;
			member = true;
		} else {
			if (token_is(t, "{") && !t->close)
				program_add_unresolved(r, v, i, MIX_COMPUTED);
			member = token_is(t, "[|,|do|else|>") ||
				 (token_is(t, "+") && i && token_is(t - 1, "+"));
		}
	}
}

/* def deps do … end; def deps, do: […]. Returns the index of the last token. */
static size_t mix_function(struct reader *r, const struct tokens *v, size_t i)
{
	size_t at = i + 2, end;
	unsigned open = 1;

	if (token_is(&v->p[at], "("))
		at = program_closing_bracket(v, at);
	while (at + 1 < v->n && v->p[at].type != TOKEN_LINE && !token_is(&v->p[at], "do|def"))
		at++;
	if (!token_is(&v->p[at], "do"))
		return i;
	at++;
	if (token_is(&v->p[at], ":")) {
		at++;
		end = program_statement_end(v, at);
	} else {
		for (end = at; end + 1 < v->n; end++) {
			bool key = mix_is_key(&v->p[end]);

			if (token_is(&v->p[end], "do|fn") && !key)
				open++;
			else if (token_is(&v->p[end], "end") && !key && !--open)
				break;
		}
	}
	mix_body(r, v, at, end);
	return size_max(end, i + 1) - 1;
}

struct err *mix_manifest(struct reader *r)
{
	struct tokens v = {0};

	r->reach = DEPS_DIRECT;
	program_tokens(r, PROGRAM_ELIXIR, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *t = &v.p[i];

		if (token_is(t, "def|defp") && mix_has(t + 1)) {
			i = mix_function(r, &v, i);
		} else if (token_is(t, "deps") && mix_is_key(t) && token_is(t + 2, "[")) {
			size_t end = program_closing_bracket(&v, i + 2);

			mix_body(r, &v, i + 2, end);
			i = size_max(end, i + 1) - 1;
		} else if (token_is(t, "deps") && mix_is_key(t) && !mix_has(t + 2)) {
			program_add_unresolved(r, &v, i + 2, MIX_COMPUTED);
		}
	}
	return NULL;
}
