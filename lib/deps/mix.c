#include "deps/program.h"

/*
 * mix.exs, which is Elixir. Tuples with a literal name are read in functions whose name has "deps",
 * and in a literal list of the key "deps"; any other member of such a list is unresolved.
 * Conditions do not matter: all branches count.
 */

#define MIX_COMPUTED "a program computes it"

static bool mix_has(const struct token *t, const char *word)
{
	return t->type == TOKEN_WORD && str_find(t->s, str_of(word), 0) != SIZE_MAX;
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
	size_t end = program_close(v, i), hex, at = i + 1;
	const struct token *name, *real = NULL;
	struct dep *d;

	at = program_skip_lines(v, at);
	name = mix_atom(v, at);
	if (!name) {
		reader_unresolved(r, program_source(r, v, i, size_min(end, i + 32)),
				  token_at(&v->p[i]), "a program computes the name");
		return;
	}
	at += 3;
	if (program_option(v, at, end, v->p[at].depth + 1, "in_umbrella"))
		return;
	hex = program_option(v, at, end, v->p[at].depth + 1, "hex");
	if (hex)
		real = v->p[hex].type == TOKEN_STRING && v->p[hex].plain ? &v->p[hex]
									 : mix_atom(v, hex);
	if (hex && !real) {
		program_unknown(r, v, i, MIX_COMPUTED);
		return;
	}
	d = reader_add(r, real ? real->s : name->s, token_at(real ? real : name));
	d->reach = DEPS_DIRECT;
	if (real && !str_eq(real->s, name->s))
		d->written = name->s;
	while (at < end && v->p[at].type == TOKEN_LINE)
		at++;
	if (at < end && token_is(&v->p[at - 1], ",") && token_is_literal(&v->p[at]))
		d->version = v->p[at].s;
}

/* Words that control the flow; what they choose from counts. */
static bool mix_is_flow(const struct token *t)
{
	static const char *const words[] = {"if",  "unless", "case", "cond", "do", "else",
					    "end", "when",   "nil",  "_",    NULL};

	return token_is_one(t, words);
}

/* Whether the word is a key: "name:" without a blank. */
static bool mix_is_key(const struct token *t)
{
	return t->type == TOKEN_WORD && token_is(t + 1, ":") && t[1].at.from == t->at.to &&
	       !token_is(t + 2, ":");
}

/* name: "~> 1.0", which is short for { :name, "~> 1.0" }. Returns the index of its last token. */
static size_t mix_key(struct reader *r, const struct tokens *v, size_t i)
{
	struct dep *d = reader_add(r, v->p[i].s, token_at(&v->p[i]));
	const struct token *value = &v->p[i + 2];

	d->reach = DEPS_DIRECT;
	if (token_is_literal(value))
		d->version = value->s;
	else if (token_is(value, "[") && value->close)
		return value->close - 1;
	return i + 2;
}

/* The tokens [i, end) of a list or a function's body. */
static void mix_body(struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	bool member = true; /* a member of a list, or a value, may begin here */
	size_t told = 0;    /* up to here something is unresolved already */

	for (; i < end; i++) {
		const struct token *t = &v->p[i];

		if (t->type == TOKEN_LINE)
			continue;
		if (token_is(t, "{") && t->close && (!i || !token_is(&v->p[i - 1], "%"))) {
			mix_tuple(r, v, i);
			i = t->close - 1;
			member = false;
		} else if (member && !mix_is_flow(t) && mix_is_key(t)) {
			i = mix_key(r, v, i);
			member = false;
		} else if (t->type == TOKEN_WORD && member && !mix_is_flow(t) &&
			   !mix_has(t, "deps") && !mix_has(t, "dependencies")) {
			if (i >= told)
				program_unknown(r, v, i, MIX_COMPUTED);
			told = size_max(told, program_near_end(v, i));
			member = false;
		} else if (token_is(t, "if") || token_is(t, "unless") || token_is(t, "case")) {
			while (i + 1 < end && !token_is(&v->p[i], "do") &&
			       v->p[i + 1].type != TOKEN_LINE)
				i++;
			member = true;
		} else {
			if (token_is(t, "{") && !t->close)
				program_unknown(r, v, i, MIX_COMPUTED);
			member = token_is(t, "[") || token_is(t, ",") || token_is(t, "do") ||
				 token_is(t, "else") || token_is(t, ">") ||
				 (token_is(t, "+") && i && token_is(&v->p[i - 1], "+"));
		}
	}
}

/* The index of the "end" of the body that begins behind the "do" at i. */
static size_t mix_end(const struct tokens *v, size_t i)
{
	unsigned open = 1;

	for (i++; i + 1 < v->n; i++) {
		bool key = token_is(&v->p[i + 1], ":") && v->p[i + 1].at.from == v->p[i].at.to;

		if ((token_is(&v->p[i], "do") || token_is(&v->p[i], "fn")) && !key)
			open++;
		else if (token_is(&v->p[i], "end") && !key && !--open)
			break;
	}
	return i;
}

/* def deps do … end; def deps, do: […]. Returns the index of the last token. */
static size_t mix_function(struct reader *r, const struct tokens *v, size_t i)
{
	size_t at = i + 2, end;

	if (token_is(&v->p[at], "("))
		at = program_close(v, at);
	while (at + 1 < v->n && v->p[at].type != TOKEN_LINE && !token_is(&v->p[at], "do") &&
	       !token_is(&v->p[at], "def"))
		at++;
	if (!token_is(&v->p[at], "do"))
		return i;
	if (token_is(&v->p[at + 1], ":")) {
		end = program_statement_end(v, at + 2);
		mix_body(r, v, at + 2, end);
	} else {
		end = mix_end(v, at);
		mix_body(r, v, at + 1, end);
	}
	return size_max(end, i + 1) - 1;
}

struct err *mix_manifest(struct reader *r)
{
	struct tokens v = {0};

	program_tokens(r, PROGRAM_ELIXIR, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *t = &v.p[i];

		if ((token_is(t, "def") || token_is(t, "defp")) &&
		    (mix_has(t + 1, "deps") || mix_has(t + 1, "dependencies"))) {
			i = mix_function(r, &v, i);
		} else if (token_is(t, "deps") && token_is(t + 1, ":") &&
			   t[1].at.from == t->at.to && token_is(t + 2, "[")) {
			size_t end = program_close(&v, i + 2);

			mix_body(r, &v, i + 2, end);
			i = size_max(end, i + 1) - 1;
		} else if (token_is(t, "deps") && token_is(t + 1, ":") &&
			   t[1].at.from == t->at.to && !mix_has(t + 2, "deps") &&
			   !mix_has(t + 2, "dependencies")) {
			program_unknown(r, &v, i + 2, MIX_COMPUTED);
		}
	}
	return NULL;
}
