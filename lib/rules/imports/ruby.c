/* Ruby: the files that require, require_relative, load and autoload name. */
#include "imports/internal.h"

#define RUBY_ITEMS 60

static bool ruby_is(const struct lexer *l, const char *word)
{
	return !l->now.dot && lexer_is_named(l, word);
}

/* ---- paths ---- */

/* A path that a few methods make of literals and the place of the file. */
struct ruby_path {
	struct ruby_item {
		enum { RUBY_WORDS, RUBY_PATH, RUBY_FILE } what;
		struct str text; /* WORDS: a word or mark; PATH: the path */
	} p[RUBY_ITEMS];
	size_t n;
};

static bool ruby_item_is(const struct ruby_path *e, size_t at, const char *word)
{
	return at < e->n && e->p[at].what == RUBY_WORDS && lexer_same(e->p[at].text, word);
}

/* Whether "File.name(" stands before the argument at `at`. */
static bool ruby_item_call(const struct ruby_path *e, size_t at, const char *name)
{
	return at >= 4 && ruby_item_is(e, at - 1, "(") && ruby_item_is(e, at - 2, name) &&
	       ruby_item_is(e, at - 3, ".") && ruby_item_is(e, at - 4, "File");
}

static void ruby_item_put(struct ruby_path *e, size_t at, struct str path)
{
	e->p[at] = (struct ruby_item){RUBY_PATH, path};
	e->n = at + 1;
}

static struct str ruby_joined(struct arena *a, struct str x, const char *between, struct str y)
{
	return str_fmt(a, "%.*s%s%.*s", STR_ARG(x), between, STR_ARG(y));
}

/* Whether an item is a path that begins where the file lies. */
static bool ruby_item_beside(const struct ruby_path *e, size_t at)
{
	return at < e->n && e->p[at].what == RUBY_PATH &&
	       str_starts(e->p[at].text, STR(IMPORTS_RUBY_BESIDE));
}

/* Whether an item is a path that may stand behind another one. */
static bool ruby_item_below(const struct ruby_path *e, size_t at)
{
	return at < e->n && e->p[at].what == RUBY_PATH && !ruby_item_beside(e, at);
}

/* expand_path(x) and expand_path(x, y). The file counts as a folder: "../a" lies beside it. */
static bool ruby_path_expand(struct arena *a, struct ruby_path *e, size_t at)
{
	struct str path = e->p[at].text;

	if (e->p[at].what != RUBY_PATH)
		return false;
	if (e->n == at + 1) {
		ruby_item_put(e, at - 4, path);
		return true;
	}
	if (e->n != at + 3 || !ruby_item_is(e, at + 1, ",") || ruby_item_beside(e, at))
		return false;
	if (ruby_item_beside(e, at + 2))
		path = ruby_joined(a, e->p[at + 2].text, "/", path);
	else if (e->p[at + 2].what == RUBY_FILE && str_starts(path, STR("../")))
		path = ruby_joined(a, STR(IMPORTS_RUBY_BESIDE), "", str_sub(path, 2, path.n));
	else
		return false;
	ruby_item_put(e, at - 4, path);
	return true;
}

/* The last item closes a parenthesis: the call or (x) becomes a path. False: it is none. */
static bool ruby_path_close(struct arena *a, struct ruby_path *e)
{
	size_t at = --e->n;

	while (at && !ruby_item_is(e, at - 1, "("))
		at--;
	if (!at || at == e->n)
		return false;
	if (ruby_item_call(e, at, "dirname")) {
		/* dirname(x), whose argument is the item at `at`. */
		if (e->n != at + 1 || (e->p[at].what != RUBY_FILE && !ruby_item_beside(e, at)))
			return false;
		ruby_item_put(e, at - 4,
			      e->p[at].what == RUBY_FILE
				      ? STR(IMPORTS_RUBY_BESIDE)
				      : ruby_joined(a, e->p[at].text, "/.", STR(".")));
		return true;
	}
	if (ruby_item_call(e, at, "expand_path"))
		return ruby_path_expand(a, e, at);
	if (ruby_item_call(e, at, "join")) {
		struct str path = e->p[at].text;

		/* join(x, y, z) */
		if (e->p[at].what != RUBY_PATH)
			return false;
		for (size_t i = at + 1; i < e->n; i += 2) {
			if (!ruby_item_is(e, i, ",") || !ruby_item_below(e, i + 1))
				return false;
			path = ruby_joined(a, path, "/", e->p[i + 1].text);
		}
		ruby_item_put(e, at - 4, path);
		return true;
	}
	if (e->n != at + 1 || e->p[at].what != RUBY_PATH)
		return false;
	ruby_item_put(e, at - 1, e->p[at].text);
	return at == 1 || e->p[at - 2].what != RUBY_WORDS ||
	       !lexer_is_word_byte(e->p[at - 2].text.p[0]);
}

/* Whether l->now is "...", open at code that it begins with. <<"..." names a text that follows. */
static bool ruby_path_begins(const struct lexer *l)
{
	const struct ruby_open *o = l->ruby.open.n > 1 ? &l->ruby.open.p[l->ruby.open.n - 2] : NULL;

	return l->now.kind == LEX_STRING && o && o->what == RUBY_TEXT && o->open == '"' &&
	       o->at + 1 == l->now.at.from && o[1].at == l->now.at.from;
}

/* "#{__dir__}/a", whose code was not read yet: its text, and the place behind its quote. */
static bool ruby_path_string(const struct lexer *l, struct str *rest, size_t *behind)
{
	static const char *const heads[] = {"#{__dir__}", "#{File.dirname(__FILE__)}"};
	size_t from = l->now.at.from, at;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		if (!lexer_is(l, from, heads[i]))
			continue;
		at = from + strlen(heads[i]);
		for (*behind = at;
		     *behind < l->text.n && !memchr("\"#\\\n", l->text.p[*behind], 4);)
			++*behind;
		*rest = lexer_slice(l, at, *behind);
		return lexer_char_at(l, (*behind)++) == '"' && rest->n;
	}
	return false;
}

/* The item that l->now is. False: a program decides. */
static bool ruby_path_item(struct lexer *l, struct ruby_path *e)
{
	struct ruby_item *i = &e->p[e->n++];
	struct str rest;
	size_t behind;

	*i = (struct ruby_item){RUBY_WORDS, l->now.word};
	if (l->now.kind == LEX_STRING && !l->now.program) {
		*i = (struct ruby_item){RUBY_PATH, ruby_string_content(l)};
	} else if (ruby_path_begins(l) && ruby_path_string(l, &rest, &behind)) {
		*i = (struct ruby_item){RUBY_PATH,
					ruby_joined(l->a, STR(IMPORTS_RUBY_BESIDE), "", rest)};
		/* Its text is known, so its code is passed over. */
		l->ruby.braces = l->ruby.open.p[l->ruby.open.n - 1].depth;
		l->ruby.open.n -= 2;
		l->at = behind;
		l->ruby.after = RUBY_VALUE;
	} else if (ruby_is(l, "__dir__")) {
		*i = (struct ruby_item){RUBY_PATH, STR(IMPORTS_RUBY_BESIDE)};
	} else if (ruby_is(l, "__FILE__")) {
		i->what = RUBY_FILE;
	} else if (l->now.kind == LEX_MARK) {
		i->text = (struct str){&l->text.p[l->now.at.from], 1};
		if (!strchr("(),.+", l->now.mark))
			return false;
	} else if (l->now.kind != LEX_WORD) {
		return false;
	}
	return true;
}

/* Whether the argument ends here: what follows is no part of it. */
static bool ruby_argument_ends(const struct lexer *l, bool brackets)
{
	if (l->now.kind == LEX_END || (l->now.kind == LEX_LINE && !brackets) ||
	    (l->now.kind == LEX_MARK && strchr(brackets ? ",)" : ",;)}]", l->now.mark)))
		return true;
	return !brackets && l->now.kind == LEX_WORD && !l->now.dot &&
	       lexer_word_is_one_of(l->now.word,
				    "if unless while until rescue and or then do end ensure "
				    "when else in");
}

/* Reads one argument from l->now to the token behind it. False: a program decides. */
static bool ruby_argument(struct lexer *l, bool brackets, struct str *path, struct span *at)
{
	struct ruby_path e = {.n = 0};
	size_t depth = 0;

	*at = l->now.at;
	while (e.n < RUBY_ITEMS - 1) {
		size_t last;

		if (!depth && ruby_argument_ends(l, brackets))
			break;
		if (l->now.kind == LEX_LINE && (depth || brackets)) {
			lexer_next(l);
			continue;
		}
		depth += lexer_is_mark(l, '(');
		if (!ruby_path_item(l, &e))
			return false;
		at->to = l->now.at.to;
		if (lexer_is_mark(l, ')')) {
			depth--;
			if (!ruby_path_close(l->a, &e))
				return false;
		}
		/* "a" + "b", at the end of the items. */
		last = e.n - 3;
		if (e.n >= 3 && e.p[last].what == RUBY_PATH && ruby_item_is(&e, last + 1, "+") &&
		    ruby_item_below(&e, last + 2))
			ruby_item_put(&e, last,
				      ruby_joined(l->a, e.p[last].text, "", e.p[last + 2].text));
		lexer_next(l);
	}
	if (e.n == 1 && e.p[0].what == RUBY_FILE)
		ruby_item_put(
			&e, 0,
			ruby_joined(l->a, STR(IMPORTS_RUBY_BESIDE "/"), "", str_base(l->path)));
	*path = e.p[0].text;
	return e.n == 1 && e.p[0].what == RUBY_PATH && !depth;
}

/* ---- calls ---- */

static void ruby_decided(struct lexer *l, size_t from)
{
	struct str rest = lexer_slice(l, l->now.at.from, size_min(l->now.at.to + 40, l->text.n));

	rest = str_sub(rest, 0, str_find_char(rest, '\n', 0));
	lexer_note_unknown(l, (struct span){from, l->now.at.from + rest.n},
			   "a program decides which file this is");
}

/* Behind the name of a call: whether an argument follows that may name a file. */
static bool ruby_has_argument(struct lexer *l, bool *brackets)
{
	/* "require (a) + b" has the argument (a) + b. */
	*brackets = lexer_is_mark(l, '(') && !l->now.blank;
	if (*brackets) {
		do
			lexer_next(l);
		while (l->now.kind == LEX_LINE);
		return !lexer_is_mark(l, ')') && l->now.kind != LEX_END;
	}
	if (!l->now.blank || ruby_argument_ends(l, false) || ruby_is(l, "do"))
		return false;
	/* "load *files" has an argument, "load * 2" and "load = 2" have none. */
	return l->now.kind != LEX_MARK || l->now.mark == '(' ||
	       (l->now.mark == '*' && !l->now.blank_next);
}

/* "autoload :A, 'a'": passes over the name of the constant. */
static bool ruby_constant(struct lexer *l)
{
	if (l->now.kind != LEX_SYMBOL && (l->now.kind != LEX_STRING || l->now.program))
		return false;
	lexer_next(l);
	if (!lexer_is_mark(l, ','))
		return false;
	do
		lexer_next(l);
	while (l->now.kind == LEX_LINE);
	return true;
}

/* Behind the name of the call, which begins at `from`. */
static void ruby_call(struct lexer *l, enum imports_kind kind, size_t from, bool receiver)
{
	bool brackets;
	struct str path;
	struct span at;

	if (!ruby_has_argument(l, &brackets))
		return;
	if (kind == IMPORTS_DYNAMIC) {
		bool constant = l->now.kind == LEX_SYMBOL || l->now.kind == LEX_STRING;

		if (!ruby_constant(l)) {
			if (constant || !receiver)
				ruby_decided(l, from);
			return;
		}
	} else if (l->now.kind == LEX_SYMBOL || l->now.label ||
		   (l->now.kind == LEX_OTHER && ascii_is_digit(l->text.p[l->now.at.from]))) {
		/* A method of the program: files are named by text. */
		return;
	}
	if (ruby_argument(l, brackets, &path, &at))
		imports_add(l, kind, path, at);
	else
		ruby_decided(l, from);
}

/* Whether l->now names a call that loads a file. */
static bool ruby_loads(const struct lexer *l, enum imports_kind *kind)
{
	static const struct {
		const char *name;
		enum imports_kind kind;
	} calls[] = {
		{"require", IMPORTS_REQUIRE},
		{"require_relative", IMPORTS_RELATIVE},
		{"load", IMPORTS_INCLUDE},
		{"autoload", IMPORTS_DYNAMIC},
	};

	if (l->now.kind != LEX_WORD || l->now.label || l->now.defined)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		*kind = calls[i].kind;
		if (lexer_same(l->now.word, calls[i].name))
			return !l->now.dot || lexer_same(l->ruby.receiver, "Kernel") ||
			       *kind == IMPORTS_DYNAMIC;
	}
	return false;
}

void imports_read_ruby(struct lexer *l)
{
	enum imports_kind kind;

	lexer_next(l);
	while (l->now.kind != LEX_END) {
		bool loads = ruby_loads(l, &kind), receiver = l->now.dot;
		size_t from = l->now.at.from;

		lexer_next(l);
		if (loads)
			ruby_call(l, kind, from, receiver);
	}
}
