/* Rust: "use" with its tree of names, "extern crate", files that a macro or attribute names. */
#include "imports/internal.h"

/* The tree of one "use". */
struct rust_tree {
	struct buf path;           /* from the root to the name that is read */
	size_t module;             /* the entry of the part before the first brace */
	size_t root;               /* its length with "::" behind it */
	struct span at;            /* of the name that is read */
	struct VEC(size_t) braces; /* the length of the path where each open brace stands */
	bool alias;                /* behind "as" */
};

static struct str rust_path(const struct rust_tree *u)
{
	struct str path = buf_as_str(&u->path);

	return str_ends(path, STR("::")) ? str_sub(path, 0, path.n - 2) : path;
}

/* A name ends: at a comma, a closing brace or the end of the statement. */
static void rust_leaf(struct lexer *l, struct rust_tree *u)
{
	size_t from = u->braces.n ? u->braces.p[u->braces.n - 1] : 0;
	struct str path = rust_path(u), member;

	u->alias = false;
	if (u->path.n > from && u->at.to) {
		if (u->module == SIZE_MAX) {
			imports_add(l, IMPORTS_STATIC, str_dup(l->a, path), u->at);
		} else {
			member = str_sub(path, u->root, path.n);
			/* "a::{self}" is the module itself. */
			if (member.n && !str_is(member, "self"))
				imports_add_imported_name(l, u->module, member, "::", u->at);
		}
	}
	u->path.n = from;
	u->at = (struct span){0, 0};
}

/* Behind "use". */
static void rust_use(struct lexer *l)
{
	struct rust_tree u = {.path = buf_in(l->a), .module = SIZE_MAX};

	while (lexer_next(l)) {
		if (l->now.kind == LEX_WORD && lexer_same(l->now.word, "as")) {
			u.alias = true;
		} else if (l->now.kind == LEX_WORD) {
			if (u.alias)
				continue;
			/* $crate is the crate that the macro is from. */
			if (str_starts(l->now.word, STR("$")))
				l->now.word = str_sub(l->now.word, 1, l->now.word.n);
			buf_put(&u.path, l->now.word);
			if (!u.at.to)
				u.at.from = l->now.at.from;
			u.at.to = l->now.at.to;
		} else if (lexer_is_mark(l, ':')) {
			if (u.path.n)
				buf_putc(&u.path, ':');
		} else if (lexer_is_mark(l, '*')) {
			u.at.from = u.at.to ? u.at.from : l->now.at.from;
			u.at.to = l->now.at.to;
		} else if (lexer_is_mark(l, '{')) {
			struct str module = rust_path(&u);

			if (!u.braces.n && module.n) {
				u.module =
					imports_add(l, IMPORTS_STATIC, str_dup(l->a, module), u.at);
				u.root = u.path.n;
			}
			*VEC_PUSH(l->a, &u.braces) = u.path.n;
			u.at = (struct span){0, 0};
		} else if (lexer_is_mark(l, ',') && u.braces.n) {
			rust_leaf(l, &u);
		} else if (lexer_is_mark(l, '}') && u.braces.n) {
			rust_leaf(l, &u);
			u.path.n = u.braces.p[--u.braces.n];
		} else {
			break;
		}
	}
	if (!lexer_is_mark(l, '<'))
		rust_leaf(l, &u);
}

/* Behind "include!(", or "path =" in an attribute: a file. */
static void rust_file(struct lexer *l, size_t from)
{
	if (l->now.kind == LEX_STRING)
		imports_add(l, IMPORTS_INCLUDE,
			    lexer_unescape(l->a, lexer_slice(l, l->now.at.from, l->now.at.to)),
			    l->now.at);
	else
		lexer_note_unknown(l, (struct span){from, size_min(l->at + 40, l->text.n)},
				   "a program decides which file this is");
}

void imports_read_rust(struct lexer *l)
{
	bool attribute = false; /* behind "#[" */
	struct lexer_name name;
	char last = 0;

	while (lexer_next(l)) {
		size_t from = l->now.at.from;

		if (lexer_is_named(l, "use")) {
			rust_use(l);
		} else if (lexer_is_named(l, "extern")) {
			if (lexer_next(l) && lexer_is_named(l, "crate") && lexer_next(l)) {
				name = (struct lexer_name){.at = {0, 0}};
				lexer_name_append(l, &name);
				if (l->now.kind == LEX_WORD)
					imports_add(l, IMPORTS_STATIC, l->now.word, name.at);
			}
		} else if (lexer_is_named(l, "include")) {
			if (lexer_is(l, l->at, "!") && lexer_next(l) && lexer_next(l) &&
			    l->now.kind == LEX_MARK && lexer_next(l))
				rust_file(l, from);
		} else if (attribute && lexer_is_named(l, "path")) {
			if (lexer_next(l) && lexer_is_mark(l, '=') && lexer_next(l) &&
			    l->now.kind == LEX_STRING)
				rust_file(l, from);
		}
		if (lexer_is_mark(l, '['))
			attribute = last == '#' || last == '!';
		else if (lexer_is_mark(l, ']'))
			attribute = false;
		last = l->now.kind == LEX_MARK ? l->now.mark : 0;
	}
}
