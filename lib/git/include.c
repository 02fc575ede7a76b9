/*
 * The paths that a configuration file includes (git-config(1), "Syntax"). libgit2 and git open them
 * while they parse, so ikm must know the paths before.
 */
#include "git/internal.h"

struct config_text {
	struct arena *a;
	struct str rest;
	bool including; /* in [include] or [includeIf "…"] */
};

/* The next character; config_next() also removes it. -1 at the end. */
static int config_peek(const struct config_text *t)
{
	return t->rest.n ? (unsigned char)t->rest.p[0] : -1;
}

static int config_next(struct config_text *t)
{
	int c = config_peek(t);

	if (c >= 0)
		t->rest = str_sub(t->rest, 1, t->rest.n);
	return c;
}

static bool config_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void config_skip_line(struct config_text *t)
{
	int c;

	do
		c = config_next(t);
	while (c >= 0 && c != '\n');
}

static struct str config_word(struct config_text *t)
{
	size_t n = 0;

	while (n < t->rest.n && (str_find_char(STR("abcdefghijklmnopqrstuvwxyz"
						   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."),
					       t->rest.p[n], 0) != SIZE_MAX))
		n++;
	t->rest = str_sub(t->rest, n, t->rest.n);
	return (struct str){t->rest.p - n, n};
}

/* After the "[": a name, and optionally a quoted name. */
static void config_section(struct config_text *t)
{
	struct str name = config_word(t);
	bool quoted = false;
	int c;

	t->including = str_ieq(name, STR("include")) || str_ieq(name, STR("includeif"));
	while ((c = config_next(t)) >= 0 && c != '\n' && (quoted || c != ']')) {
		if (c == '"')
			quoted = !quoted;
		else if (c == '\\')
			config_next(t);
	}
}

/* After the "=". Trailing blanks count only within quotes. */
static struct str config_value(struct config_text *t)
{
	struct buf b = buf_in(t->a);
	bool quoted = false;
	size_t end = 0;
	int c;

	while (config_is_blank(config_peek(t)))
		config_next(t);
	while ((c = config_next(t)) >= 0 && c != '\n') {
		if (!quoted && (c == '#' || c == ';')) {
			config_skip_line(t);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			end = b.n;
			continue;
		}
		if (c == '\\') {
			c = config_next(t);
			if (c == '\r' && config_peek(t) == '\n')
				c = config_next(t);
			if (c == '\n')
				continue;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'b' ? '\b' : c;
			if (c < 0)
				break;
			buf_putc(&b, (char)c);
			end = b.n;
			continue;
		}
		buf_putc(&b, (char)c);
		if (quoted || !config_is_blank(c))
			end = b.n;
	}
	return str_sub(buf_str(&b), 0, end);
}

void config_includes(struct arena *a, struct str text, struct strs *paths)
{
	struct config_text t = {a, text, false};
	struct str key, value;
	int c;

	if (str_starts(text, STR("\xef\xbb\xbf")))
		t.rest = str_sub(text, 3, text.n);
	while ((c = config_peek(&t)) >= 0) {
		if (c == '\n' || config_is_blank(c)) {
			config_next(&t);
			continue;
		}
		if (c == '[') {
			config_next(&t);
			config_section(&t);
			continue;
		}
		key = config_word(&t);
		while (config_is_blank(config_peek(&t)))
			config_next(&t);
		/* A comment, a key without a value, or text that is no configuration. */
		if (!key.n || config_peek(&t) != '=') {
			config_skip_line(&t);
			continue;
		}
		config_next(&t);
		value = config_value(&t);
		if (t.including && str_ieq(key, STR("path")) && value.n && !str_has_nul(value))
			strs_push(a, paths, value);
	}
}
