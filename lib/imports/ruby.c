/* Ruby: the files that require, require_relative, load and autoload name. */
#include "lexer/ruby.h"
#include "imports/tree.h"

#define RUBY_ITEMS  60
#define RUBY_BESIDE "__dir__"

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
	       str_starts(e->p[at].text, STR(RUBY_BESIDE));
}

/* Whether an item is a path that may stand behind another one. */
static bool ruby_item_below(const struct ruby_path *e, size_t at)
{
	return at < e->n && e->p[at].what == RUBY_PATH && !ruby_item_beside(e, at);
}

/* dirname(x), whose argument is the item at `at`. */
static bool ruby_path_dirname(struct arena *a, struct ruby_path *e, size_t at)
{
	if (e->n != at + 1 || (e->p[at].what != RUBY_FILE && !ruby_item_beside(e, at)))
		return false;
	ruby_item_put(e, at - 4,
		      e->p[at].what == RUBY_FILE ? STR(RUBY_BESIDE)
						 : ruby_joined(a, e->p[at].text, "/.", STR(".")));
	return true;
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
		path = ruby_joined(a, STR(RUBY_BESIDE), "", str_sub(path, 2, path.n));
	else
		return false;
	ruby_item_put(e, at - 4, path);
	return true;
}

/* join(x, y, z) */
static bool ruby_path_join(struct arena *a, struct ruby_path *e, size_t at)
{
	struct str path = e->p[at].text;

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

/* The last item closes a parenthesis: the call or (x) becomes a path. False: it is none. */
static bool ruby_path_close(struct arena *a, struct ruby_path *e)
{
	size_t at = --e->n;

	while (at && !ruby_item_is(e, at - 1, "("))
		at--;
	if (!at || at == e->n)
		return false;
	if (ruby_item_call(e, at, "dirname"))
		return ruby_path_dirname(a, e, at);
	if (ruby_item_call(e, at, "expand_path"))
		return ruby_path_expand(a, e, at);
	if (ruby_item_call(e, at, "join"))
		return ruby_path_join(a, e, at);
	if (e->n != at + 1 || e->p[at].what != RUBY_PATH)
		return false;
	ruby_item_put(e, at - 1, e->p[at].text);
	return at == 1 || e->p[at - 2].what != RUBY_WORDS || !lexer_is_word(e->p[at - 2].text.p[0]);
}

/* "a" + "b", at the end of the items. */
static void ruby_path_sum(struct arena *a, struct ruby_path *e)
{
	size_t at = e->n - 3;

	if (e->n >= 3 && e->p[at].what == RUBY_PATH && ruby_item_is(e, at + 1, "+") &&
	    ruby_item_below(e, at + 2))
		ruby_item_put(e, at, ruby_joined(a, e->p[at].text, "", e->p[at + 2].text));
}

/* Whether y->now is "...", open at code that it begins with. <<"..." names a text that follows. */
static bool ruby_path_begins(const struct ruby *y)
{
	const struct ruby_open *o = y->open.n > 1 ? &y->open.p[y->open.n - 2] : NULL;

	return y->now.kind == LEX_STRING && o && o->what == RUBY_TEXT && o->open == '"' &&
	       o->at + 1 == y->now.at.from && o[1].at == y->now.at.from;
}

/* "#{__dir__}/a", whose code was not read yet: its text, and the place behind its quote. */
static bool ruby_path_string(const struct ruby *y, struct str *rest, size_t *behind)
{
	static const char *const heads[] = {"#{__dir__}", "#{File.dirname(__FILE__)}"};
	const struct lexer *r = y->r;
	size_t from = y->now.at.from, at;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		if (!lexer_is(r, from, heads[i]))
			continue;
		at = from + strlen(heads[i]);
		for (*behind = at;
		     *behind < r->text.n && !memchr("\"#\\\n", r->text.p[*behind], 4);)
			++*behind;
		*rest = lexer_slice(r, at, *behind);
		return lexer_char(r, (*behind)++) == '"' && rest->n;
	}
	return false;
}

/* The item that y->now is. False: a program decides. */
static bool ruby_path_item(struct ruby *y, struct ruby_path *e)
{
	struct ruby_item *i = &e->p[e->n++];
	struct str rest;
	size_t behind;

	*i = (struct ruby_item){RUBY_WORDS, y->now.word};
	if (y->now.kind == LEX_STRING && !y->now.program) {
		*i = (struct ruby_item){RUBY_PATH, ruby_text(y)};
	} else if (ruby_path_begins(y) && ruby_path_string(y, &rest, &behind)) {
		*i = (struct ruby_item){RUBY_PATH,
					ruby_joined(y->r->a, STR(RUBY_BESIDE), "", rest)};
		/* Its text is known, so its code is passed over. */
		y->braces = ruby_top(y)->depth;
		y->open.n -= 2;
		y->r->at = behind;
		y->state = RUBY_VALUE;
	} else if (ruby_is(y, "__dir__")) {
		*i = (struct ruby_item){RUBY_PATH, STR(RUBY_BESIDE)};
	} else if (ruby_is(y, "__FILE__")) {
		i->what = RUBY_FILE;
	} else if (y->now.kind == LEX_MARK) {
		i->text = (struct str){&y->r->text.p[y->now.at.from], 1};
		if (!strchr("(),.+", y->now.mark))
			return false;
	} else if (y->now.kind != LEX_WORD) {
		return false;
	}
	return true;
}

/* Whether the argument ends here: what follows is no part of it. */
static bool ruby_argument_ends(const struct ruby *y, bool brackets)
{
	static const char *const words[] = {"if",     "unless", "while", "until", "rescue",
					    "and",    "or",     "then",  "do",    "end",
					    "ensure", "when",   "else",  "in",    NULL};

	if (y->now.kind == LEX_END || (y->now.kind == LEX_LINE && !brackets) ||
	    (y->now.kind == LEX_MARK && strchr(brackets ? ",)" : ",;)}]", y->now.mark)))
		return true;
	for (size_t i = 0; words[i] && !brackets; i++)
		if (ruby_is(y, words[i]))
			return true;
	return false;
}

static struct str ruby_base(struct str path)
{
	size_t folder = imports_folder(path).n;

	return str_sub(path, folder + (folder > 0), path.n);
}

/* Reads one argument from y->now to the token behind it. False: a program decides. */
static bool ruby_argument(struct ruby *y, bool brackets, struct str *path, struct span *at)
{
	struct ruby_path e = {.n = 0};
	size_t depth = 0;

	*at = y->now.at;
	while (e.n < RUBY_ITEMS - 1) {
		if (!depth && ruby_argument_ends(y, brackets))
			break;
		if (y->now.kind == LEX_LINE && (depth || brackets)) {
			ruby_next(y);
			continue;
		}
		depth += ruby_mark(y, '(');
		if (!ruby_path_item(y, &e))
			return false;
		at->to = y->now.at.to;
		if (ruby_mark(y, ')')) {
			depth--;
			if (!ruby_path_close(y->r->a, &e))
				return false;
		}
		ruby_path_sum(y->r->a, &e);
		ruby_next(y);
	}
	if (e.n == 1 && e.p[0].what == RUBY_FILE)
		ruby_item_put(
			&e, 0,
			ruby_joined(y->r->a, STR(RUBY_BESIDE "/"), "", ruby_base(y->r->path)));
	*path = e.p[0].text;
	return e.n == 1 && e.p[0].what == RUBY_PATH && !depth;
}

/* ---- calls ---- */

static void ruby_decided(struct ruby *y, size_t from)
{
	struct lexer *r = y->r;
	struct str rest = lexer_slice(r, y->now.at.from, size_min(y->now.at.to + 40, r->text.n));

	rest = str_sub(rest, 0, str_find_char(rest, '\n', 0));
	lexer_unknown(r, (struct span){from, y->now.at.from + rest.n},
		      "a program decides which file this is");
}

/* Behind the name of a call: whether an argument follows that may name a file. */
static bool ruby_has_argument(struct ruby *y, bool *brackets)
{
	/* "require (a) + b" has the argument (a) + b. */
	*brackets = ruby_mark(y, '(') && !y->now.blank;
	if (*brackets) {
		do
			ruby_next(y);
		while (y->now.kind == LEX_LINE);
		return !ruby_mark(y, ')') && y->now.kind != LEX_END;
	}
	if (!y->now.blank || ruby_argument_ends(y, false) || ruby_is(y, "do"))
		return false;
	/* "load *files" has an argument, "load * 2" and "load = 2" have none. */
	return y->now.kind != LEX_MARK || y->now.mark == '(' ||
	       (y->now.mark == '*' && !y->now.blank_next);
}

/* "autoload :A, 'a'": passes over the name of the constant. */
static bool ruby_constant(struct ruby *y)
{
	if (y->now.kind != LEX_SYMBOL && (y->now.kind != LEX_STRING || y->now.program))
		return false;
	ruby_next(y);
	if (!ruby_mark(y, ','))
		return false;
	do
		ruby_next(y);
	while (y->now.kind == LEX_LINE);
	return true;
}

/* Behind the name of the call, which begins at `from`. */
static void ruby_call(struct ruby *y, enum imports_kind kind, size_t from, bool receiver)
{
	bool brackets;
	struct str path;
	struct span at;

	if (!ruby_has_argument(y, &brackets))
		return;
	if (kind == IMPORTS_DYNAMIC) {
		bool constant = y->now.kind == LEX_SYMBOL || y->now.kind == LEX_STRING;

		if (!ruby_constant(y)) {
			if (constant || !receiver)
				ruby_decided(y, from);
			return;
		}
	} else if (y->now.kind == LEX_SYMBOL || y->now.label ||
		   (y->now.kind == LEX_OTHER && ascii_is_digit(y->r->text.p[y->now.at.from]))) {
		/* A method of the program: files are named by text. */
		return;
	}
	if (ruby_argument(y, brackets, &path, &at))
		imports_add(y->r, kind, path, at);
	else
		ruby_decided(y, from);
}

/* Whether y->now names a call that loads a file. */
static bool ruby_loads(const struct ruby *y, enum imports_kind *kind)
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

	if (y->now.kind != LEX_WORD || y->now.label || y->now.defined)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		*kind = calls[i].kind;
		if (lexer_same(y->now.word, calls[i].name))
			return !y->now.dot || lexer_same(y->receiver, "Kernel") ||
			       *kind == IMPORTS_DYNAMIC;
	}
	return false;
}

void imports_read_ruby(struct lexer *r)
{
	struct ruby y = ruby_of(r);
	enum imports_kind kind;

	ruby_next(&y);
	while (y.now.kind != LEX_END) {
		bool loads = ruby_loads(&y, &kind), receiver = y.now.dot;
		size_t from = y.now.at.from;

		ruby_next(&y);
		if (loads)
			ruby_call(&y, kind, from, receiver);
	}
}

/* ---- names ---- */

/* "a/b" is lib/a/b of the folder of the file, or of one above it, when the tree has that file. */
static void ruby_resolve_lib(struct arena *a, struct imports_tree *t, struct str path,
			     struct str module, struct imports_names *out)
{
	struct str folder = path, to;
	const char *end = str_ends(module, STR(".rb")) ? "" : ".rb";

	do {
		folder = imports_folder(folder);
		if (imports_join(a, folder, ruby_joined(a, STR("lib/"), "", module), &to) &&
		    imports_has_file(a, t, str_fmt(a, "%.*s%s", STR_ARG(to), end))) {
			imports_name_add(out, to, true);
			return;
		}
	} while (folder.n);
}

void imports_resolve_ruby(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out)
{
	struct str folder = imports_folder(path), module = m->module, to;

	if (str_starts(module, STR(RUBY_BESIDE))) {
		module = ruby_joined(a, folder, "", str_sub(module, strlen(RUBY_BESIDE), module.n));
		if (imports_join(a, STR(""), module, &to))
			imports_name_add(out, to, true);
		return;
	}
	if (memchr("/~", module.p[0], 2))
		return;
	if ((m->kind == IMPORTS_RELATIVE || m->kind == IMPORTS_INCLUDE) &&
	    imports_join(a, folder, module, &to))
		imports_name_add(out, to, true);
	if (m->kind == IMPORTS_RELATIVE)
		return;
	/* A path that begins in the folder where the program was started. */
	if ((m->kind == IMPORTS_INCLUDE || str_starts(module, STR("."))) &&
	    imports_join(a, STR(""), module, &to))
		imports_name_add(out, to, true);
	ruby_resolve_lib(a, t, path, module, out);
}
