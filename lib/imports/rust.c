/* Rust: "use" with its tree of names, "extern crate", files that a macro or attribute names. */
#include "imports/lexer.h"
#include "lexer/lexeme.h"

/* The tree of one "use". */
struct rust_tree {
	struct buf path; /* from the root to the name that is read */
	size_t module;   /* the entry of the part before the first brace */
	size_t root;     /* its length with "::" behind it */
	struct span at;  /* of the name that is read */
	struct {
		size_t *p;
		size_t n, cap;
	} braces;   /* the length of the path where each open brace stands */
	bool alias; /* behind "as" */
};

static struct str rust_path(const struct rust_tree *u, size_t from)
{
	struct str path = str_sub(buf_str(&u->path), from, u->path.n);

	return str_ends(path, STR("::")) ? str_sub(path, 0, path.n - 2) : path;
}

/* A name ends: at a comma, a closing brace or the end of the statement. */
static void rust_leaf(struct lexer *r, struct rust_tree *u)
{
	size_t from = u->braces.n ? u->braces.p[u->braces.n - 1] : 0;
	struct str path = rust_path(u, 0), member;

	u->alias = false;
	if (u->path.n > from && u->at.to) {
		if (u->module == SIZE_MAX) {
			imports_add(r, IMPORTS_STATIC, str_dup(r->a, path), u->at);
		} else {
			member = str_sub(path, u->root, path.n);
			/* "a::{self}" is the module itself. */
			if (member.n && !str_is(member, "self"))
				imports_add_member(r, u->module, member, "::", u->at);
		}
	}
	u->path.n = from;
	u->at = (struct span){0, 0};
}

static void rust_open(struct lexer *r, struct rust_tree *u)
{
	struct str module = rust_path(u, 0);

	if (!u->braces.n && module.n) {
		u->module = imports_add(r, IMPORTS_STATIC, str_dup(r->a, module), u->at);
		u->root = u->path.n;
	}
	*VEC_PUSH(r->a, &u->braces) = u->path.n;
	u->at = (struct span){0, 0};
}

/* Behind "use". */
static void rust_use(struct lexemes *t)
{
	struct rust_tree u = {.path = buf_in(t->r->a), .module = SIZE_MAX};

	while (lexeme_next(t)) {
		if (t->now.kind == LEX_WORD && lexer_same(t->now.word, "as")) {
			u.alias = true;
		} else if (t->now.kind == LEX_WORD) {
			if (u.alias)
				continue;
			/* $crate is the crate that the macro is from. */
			if (str_starts(t->now.word, STR("$")))
				t->now.word = str_sub(t->now.word, 1, t->now.word.n);
			buf_put(&u.path, t->now.word);
			if (!u.at.to)
				u.at.from = t->now.at.from;
			u.at.to = t->now.at.to;
		} else if (lexeme_mark(t, ':')) {
			if (u.path.n)
				buf_putc(&u.path, ':');
		} else if (lexeme_mark(t, '*')) {
			u.at.from = u.at.to ? u.at.from : t->now.at.from;
			u.at.to = t->now.at.to;
		} else if (lexeme_mark(t, '{')) {
			rust_open(t->r, &u);
		} else if (lexeme_mark(t, ',') && u.braces.n) {
			rust_leaf(t->r, &u);
		} else if (lexeme_mark(t, '}') && u.braces.n) {
			rust_leaf(t->r, &u);
			u.path.n = u.braces.p[--u.braces.n];
		} else {
			break;
		}
	}
	if (!lexeme_mark(t, '<'))
		rust_leaf(t->r, &u);
}

/* Behind "include!(", or "path =" in an attribute: a file. */
static void rust_file(struct lexemes *t, size_t from)
{
	struct lexer *r = t->r;

	if (t->now.kind == LEX_STRING)
		imports_add(r, IMPORTS_INCLUDE,
			    lexer_unescape(r->a, lexer_slice(r, t->now.at.from, t->now.at.to)),
			    t->now.at);
	else
		lexer_unknown(r, (struct span){from, size_min(r->at + 40, r->text.n)},
			      "a program decides which file this is");
}

void imports_read_rust(struct lexer *r)
{
	struct lexemes t = lexemes_of(r);
	bool attribute = false; /* behind "#[" */
	struct lexeme_name name;
	char last = 0;

	while (lexeme_next(&t)) {
		size_t from = t.now.at.from;

		if (lexeme_is(&t, "use")) {
			rust_use(&t);
		} else if (lexeme_is(&t, "extern")) {
			if (lexeme_next(&t) && lexeme_is(&t, "crate") && lexeme_next(&t)) {
				name = (struct lexeme_name){.at = {0, 0}};
				lexeme_name_add(&t, &name);
				if (t.now.kind == LEX_WORD)
					imports_add(r, IMPORTS_STATIC, t.now.word, name.at);
			}
		} else if (lexeme_is(&t, "include")) {
			if (lexer_is(r, r->at, "!") && lexeme_next(&t) && lexeme_next(&t) &&
			    t.now.kind == LEX_MARK && lexeme_next(&t))
				rust_file(&t, from);
		} else if (attribute && lexeme_is(&t, "path")) {
			if (lexeme_next(&t) && lexeme_mark(&t, '=') && lexeme_next(&t) &&
			    t.now.kind == LEX_STRING)
				rust_file(&t, from);
		}
		if (lexeme_mark(&t, '['))
			attribute = last == '#' || last == '!';
		else if (lexeme_mark(&t, ']'))
			attribute = false;
		last = t.now.kind == LEX_MARK ? t.now.mark : 0;
	}
}

/*
 * "crate::db" below src/ is src/db. "self" is the module of the file, and "super" the one above:
 * src/ui/page.rs is the module crate::ui::page, and src/ui/mod.rs is crate::ui.
 */
void imports_resolve_rust(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out)
{
	struct str rest = m->module, folder = imports_folder(path), file, part, to;
	struct buf b = buf_in(a);
	size_t src;

	(void)t;
	if (m->kind == IMPORTS_INCLUDE) {
		if (imports_join(a, folder, m->module, &to))
			imports_name_add(out, to, true);
		return;
	}
	file = str_sub(path, folder.n + (folder.n > 0), path.n);
	if (str_starts(rest, STR("crate::"))) {
		src = str_starts(path, STR("src/")) ? 0 : str_find(path, STR("/src/"), 0);
		if (src == SIZE_MAX)
			return;
		folder = str_sub(path, 0, src ? src + 4 : 3);
		rest = str_sub(rest, 7, rest.n);
	} else if (str_starts(rest, STR("self::")) || str_starts(rest, STR("super::"))) {
		if (!str_is(file, "mod.rs") && !str_is(file, "lib.rs") && !str_is(file, "main.rs"))
			folder = str_sub(path, 0, path.n - 3);
		if (str_starts(rest, STR("self::")))
			rest = str_sub(rest, 6, rest.n);
		while (str_starts(rest, STR("super::"))) {
			folder = imports_folder(folder);
			rest = str_sub(rest, 7, rest.n);
		}
	} else {
		return;
	}
	while (str_split(&rest, ':', &part)) {
		if (part.n && b.n)
			buf_putc(&b, '/');
		buf_put(&b, part);
	}
	if (imports_join(a, folder, buf_str(&b), &to))
		imports_name_add(out, to, true);
}
