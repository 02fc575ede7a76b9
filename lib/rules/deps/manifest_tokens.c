/* The lexemes of a program as one array, for readers that look ahead. */
#include "deps/manifest_tokens.h"
#include "lexer/lexer.h"

struct program {
	struct reader *r;
	struct lexer lexer;
	struct lexer_unknowns unknown; /* literals that do not end */
	enum program_language language;
	struct tokens *out;
	struct VEC(size_t) open; /* indices of brackets that are open */
	size_t end;              /* of the last lexeme */
	size_t coded;            /* one more than the index of a string whose code is passed over */
};

static struct token *program_add(struct program *x, enum token_type type, size_t from, size_t to)
{
	struct token *t = VEC_PUSH(x->r->a, x->out);

	*t = (struct token){.type = (uint8_t)type,
			    .s = str_sub(x->r->text, from, to),
			    .at = {(uint32_t)from, (uint32_t)to},
			    .plain = true,
			    .spaced = x->lexer.from > x->end,
			    .depth = (uint32_t)x->open.n};
	x->end = size_max(x->end, x->lexer.from);
	return t;
}

static void program_mark(struct program *x, char c, size_t at)
{
	if (c && strchr(")]}", c) && x->open.n)
		x->out->p[x->open.p[--x->open.n]].close = (uint32_t)x->out->n + 1;
	program_add(x, TOKEN_MARK, at, at + 1);
	if (c && strchr("([{", c))
		*VEC_PUSH(x->r->a, &x->open) = x->out->n - 1;
}

/* Only escapes of punctuation are resolved; a name has no others. */
static void program_string(struct program *x)
{
	const struct lexeme *now = &x->lexer.now;
	struct token *t = program_add(x, TOKEN_STRING, now->at.from, now->at.to);
	struct buf b;

	t->plain = !now->program && !(now->raw && x->language == PROGRAM_PYTHON);
	if (x->language == PROGRAM_RUBY && !now->raw)
		t->plain &= !str_holds(t->s, "#@") && !str_holds(t->s, "#$");
	if ((now->raw && x->language != PROGRAM_RUBY) || !t->plain ||
	    str_find_char(t->s, '\\', 0) == SIZE_MAX)
		return;
	b = buf_in(x->r->a);
	for (size_t i = 0; i < t->s.n; i++) {
		if (t->s.p[i] == '\\' && i + 1 < t->s.n)
			t->plain &= !ascii_is_alnum(t->s.p[++i]);
		buf_putc(&b, t->s.p[i]);
	}
	t->s = buf_as_str(&b);
}

/* Ruby: ":a" and "a:" are a word and a colon, "a?" is a word and a mark. */
static void program_word(struct program *x, struct span at)
{
	const char *p = x->r->text.p;
	char last = at.to > at.from ? p[at.to - 1] : 0;

	if (p[at.from] == ':')
		program_mark(x, ':', at.from++);
	if (last == '?' || last == '!')
		at.to--;
	program_add(x, TOKEN_WORD, at.from, at.to);
	if (last == '?' || last == '!')
		program_mark(x, last, at.to++);
	if (x->lexer.now.label)
		program_mark(x, ':', at.to);
}

static void program_lexeme(struct program *x)
{
	const struct lexeme *now = &x->lexer.now;

	switch (now->kind) {
	case LEX_END: break;
	case LEX_LINE: program_add(x, TOKEN_LINE, now->at.from, now->at.from); break;
	case LEX_STRING: program_string(x); break;
	case LEX_MARK:
		for (size_t at = now->at.from; at < now->at.to; at++)
			program_mark(x, x->r->text.p[at], at);
		break;
	case LEX_SYMBOL:
		if (x->r->text.p[now->at.from] != ':') {
			/* :"a" has its quotes around it. */
			program_mark(x, ':', x->lexer.from);
			program_string(x);
			break;
		}
		/* fallthrough */
	default: program_word(x, now->at);
	}
}

void program_tokens(struct reader *r, enum program_language language, struct tokens *out)
{
	static const char *const files[] = {"a.rb",  "a.gradle", "a.kts", "a.py",
					    "a.exs", "a.swift",  "a.tf"};
	struct str path = str_of(files[language]);
	struct program x = {.r = r, .language = language, .out = out};

	/* Growing copies, and what is not used costs nothing. Most tokens have three bytes or more.
	 */
	out->cap = size_min(r->text.n / 3, (size_t)1 << 20) + 16;
	out->p = arena_array(r->a, out->cap, sizeof(*out->p));
	x.lexer.unknown = &x.unknown;
	lexer_begin(&x.lexer, r->a, lexer_form(path, STR("")), path, r->text);
	for (bool more = true; more;) {
		size_t told = x.unknown.n;

		more = lexer_next(&x.lexer);
		/* A string with code in it goes on behind the code. */
		if (!x.lexer.nested && x.coded) {
			struct token *t = &out->p[x.coded - 1];

			t->at.to = (uint32_t)size_max(x.lexer.string_end, t->at.to);
			t->s = str_sub(r->text, t->at.from, t->at.to);
			x.end = size_max(x.end, t->at.to + 1);
			x.coded = 0;
		}
		if (x.unknown.n > told) {
			struct token *t =
				program_add(&x, TOKEN_BROKEN, x.unknown.p[told].at.from,
					    size_min(x.unknown.p[told].at.from + 1, r->text.n));

			reader_add_unresolved(r, STR(""), token_span(t),
					      "a string or comment begins here and does not end");
		} else if (!x.lexer.nested)
			program_lexeme(&x);
		x.lexer.told = false;
		if (x.lexer.nested)
			continue;
		x.end = x.lexer.at;
		if (x.lexer.now.kind == LEX_STRING && x.lexer.now.program && out->n)
			x.coded = out->n;
	}
	program_add(&x, TOKEN_END, r->text.n, r->text.n);
}

struct span token_span(const struct token *t)
{
	return (struct span){t->at.from, t->at.to};
}

size_t program_closing_bracket(const struct tokens *v, size_t i)
{
	return v->p[i].close ? v->p[i].close : v->n - 1;
}

/* A line end inside of brackets, or behind a comma, does not end a statement. */
size_t program_statement_end(const struct tokens *v, size_t i)
{
	unsigned depth = v->p[i].depth;

	for (; i + 1 < v->n; i++) {
		const struct token *t = &v->p[i];

		if (t->depth < depth || t->type == TOKEN_BROKEN)
			return i;
		if (t->depth > depth)
			continue;
		if (token_is(t, ";"))
			return i;
		if (t->type == TOKEN_LINE && i && !token_is(&v->p[i - 1], ","))
			return i;
	}
	return i;
}

size_t program_skip_line_ends(const struct tokens *v, size_t i)
{
	while (v->p[i].type == TOKEN_LINE)
		i++;
	return i;
}

size_t program_call_argument(const struct tokens *v, size_t i)
{
	return token_is(&v->p[i + 1], "(") ? program_skip_line_ends(v, i + 2) : i + 1;
}

size_t program_call_option(const struct tokens *v, size_t i, size_t end, unsigned depth,
			   const char *name)
{
	for (; i + 2 < end; i++) {
		const struct token *t = &v->p[i];
		bool named = token_is(t, name) || (token_is_literal(t) && str_is(t->s, name));

		if (t->depth <= depth && named && (token_is(t + 1, ":") || token_is(t + 1, "=")))
			return program_skip_line_ends(v, i + 2);
	}
	return 0;
}

void program_add_unresolved(struct reader *r, const struct tokens *v, size_t i, const char *why)
{
	reader_add_unresolved(r, program_tokens_text(r, v, i, program_statement_end_near(v, i)),
			      token_span(&v->p[i]), "%s", why);
}

size_t program_statement_end_near(const struct tokens *v, size_t i)
{
	struct tokens near = {.p = v->p, .n = size_min(v->n, i + 32)};

	return program_statement_end(&near, i);
}

struct str program_tokens_text(const struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	const struct token *first = &v->p[i], *last = end > i ? &v->p[end - 1] : first;
	size_t from = first->at.from, to = last->at.to;

	/* With the quotes of strings. */
	if (first->type == TOKEN_STRING && from)
		from--;
	if (last->type == TOKEN_STRING)
		to++;
	return str_utf8(r->a, str_trim(str_utf8_head(str_sub(r->text, from, to), 80)));
}
