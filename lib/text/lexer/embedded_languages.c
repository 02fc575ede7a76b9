/*
 * Containers: files with parts in other languages. Each is cut into regions by the reader that
 * exists for it, and the reader of the region's language reads its text. Places are those of the
 * file.
 */
#include "json/json.h"
#include "lexer/lexer.h"
#include "md/md.h"

void lexer_each_region(struct lexer *l, void (*each)(struct lexer *region))
{
	if (l->form->cut)
		l->form->cut(l, each);
	else
		each(l);
}

/* The text from l->at to `end`, in the form of a file with this name. */
static void region_read(const struct lexer *l, const char *name, size_t end,
			void (*each)(struct lexer *region))
{
	struct lexer part = *l;

	part.file = l->form;
	part.path = str_of(name);
	part.form = lexer_form(part.path, STR(""));
	part.text.n = end;
	each(&part);
}

static void region_uncut(struct lexer *l, const char *reason)
{
	lexer_note_unknown(l, (struct span){l->at, size_min(l->at + 20, l->text.n)}, reason);
	if (l->comments)
		*VEC_PUSH(l->a, l->comments) =
			(struct lexer_comment){.at = {l->at, l->text.n}, .unread = reason};
}

/* ---- HTML, and components of Vue, Svelte and Astro ---- */

struct tag {
	struct span lang, type, src; /* to 0: none */
	bool empty;                  /* <script src="a" /> */
};

static bool tag_is_html(const struct lexer *l)
{
	return !strcmp(l->form->name, "HTML");
}

static bool tag_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* Whether the tag `name` begins at `at`, in any case; `open` is "<" or "</". */
static bool tag_is(const struct lexer *l, size_t at, const char *open, const char *name)
{
	size_t from = at + strlen(open), end = from + strlen(name);

	return lexer_is(l, at, open) && str_ieq(lexer_slice(l, from, end), str_of(name)) &&
	       (end >= l->text.n || strchr(" \t\r\n\f/>", l->text.p[end]));
}

static void tag_blanks(struct lexer *l)
{
	while (tag_is_blank(lexer_char_at(l, l->at)))
		l->at++;
}

/* Behind the name of a tag: attributes up to ">". Of a name the first one counts. */
static struct tag tag_read(struct lexer *l)
{
	struct tag tag = {0};

	while (l->at < l->text.n && l->text.p[l->at] != '>') {
		size_t from = l->at;
		struct str name;
		struct span value, *of;
		char quote, c;

		while (l->at < l->text.n && !tag_is_blank(l->text.p[l->at]) &&
		       !memchr("=/>", l->text.p[l->at], 3))
			l->at++;
		name = lexer_slice(l, from, l->at);
		tag_blanks(l);
		if (lexer_char_at(l, l->at) != '=') {
			tag.empty = lexer_is(l, l->at, "/>");
			l->at += lexer_char_at(l, l->at) == '/';
			continue;
		}
		l->at++;
		tag_blanks(l);
		quote = lexer_char_at(l, l->at);
		if (quote == '"' || quote == '\'') {
			value.from = l->at + 1;
			value.to = lexer_find_byte(l, quote, value.from);
			l->at = size_min(value.to + 1, l->text.n);
		} else {
			for (value.from = l->at;
			     (c = lexer_char_at(l, l->at)) && c != '>' && !tag_is_blank(c);)
				l->at++;
			value.to = l->at;
		}
		/* A script within SVG has a "href". */
		of = str_ieq(name, STR("lang"))   ? &tag.lang
		     : str_ieq(name, STR("type")) ? &tag.type
		     : lexer_name_matches_list("src href xlink:href", str_lower(l->a, name))
			     ? &tag.src
			     : NULL;
		if (of && !of->to)
			*of = value;
	}
	l->at = size_min(l->at + 1, l->text.n);
	return tag;
}

/* A name with the suffix of the language; NULL: data, a template, or what ikm does not know. */
static const char *tag_language(struct lexer *l, bool script, const struct tag *tag, size_t end)
{
	static const char known[] = "js jsx ts tsx mjs mts javascript typescript babel";
	static const char unread[] = "ikm does not read the language of this script";
	struct str lang = lexer_slice(l, tag->lang.from, tag->lang.to);
	struct str type = lexer_slice(l, tag->type.from, tag->type.to);
	bool babel;

	type = str_lower(l->a, str_trim(type));
	babel = str_holds(type, "babel");
	if (!script)
		return lexer_name_matches_list("css postcss", lang) || !lang.n ? "x.css"
		       : str_ieq(lang, STR("sass"))                            ? "x.sass"
									       : "x.scss";
	if (str_is(type, "importmap"))
		return "x.importmap";
	if (type.n && !str_is(type, "module") && !babel && !str_holds(type, "script"))
		return NULL;
	if (lang.n && !lexer_name_matches_list(known, lang)) {
		lexer_note_unknown(l, (struct span){l->from, l->at}, unread);
		lexer_note_unreadable(l, (struct span){l->at, end}, unread);
		return NULL;
	}
	return babel || str_ends(lang, STR("sx")) ? "x.tsx" : "x.ts";
}

/* At the tag of an element whose content is no markup. */
static void tag_content(struct lexer *l, const char *name, void (*each)(struct lexer *region))
{
	bool script = !strcmp(name, "script"), style = !strcmp(name, "style");
	const char *language;
	struct tag tag;
	size_t end;

	l->from = l->at;
	l->at += 1 + strlen(name);
	tag = tag_read(l);
	/* To a browser "/>" is ">"; to a program that reads XHTML it is the end. */
	tag.empty = tag.empty && (!tag_is_html(l) || str_ends(l->path, STR(".xhtml")));
	for (end = l->at; !tag.empty && end < l->text.n && !tag_is(l, end, "</", name);)
		end = lexer_find_byte(l, '<', end + 1);
	if (end == l->text.n && !tag.empty)
		lexer_unended(l, l->at,
			      script ? "the script that begins here does not end"
				     : "the text that begins here does not end");
	language = script || style ? tag_language(l, script, &tag, end) : NULL;
	if (language && (script || !tag_is_html(l)))
		l->src = tag.src;
	if (language)
		region_read(l, language, end, each);
	l->src = (struct span){0, 0};
	l->at = end;
}

/* A template of Vue in another language than HTML: a call in it may import. */
static void tag_template(struct lexer *l)
{
	static const char *const calls[] = {"require(", "import("};
	size_t end, at;
	struct tag tag;

	l->at++;
	tag = tag_read(l);
	if (!tag.lang.to || str_ieq(lexer_slice(l, tag.lang.from, tag.lang.to), STR("html")))
		return;
	for (end = l->at; end < l->text.n && !tag_is(l, end, "</", "template");)
		end = lexer_find_byte(l, '<', end + 1);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		at = str_find(lexer_slice(l, l->at, end), str_of(calls[i]), 0);
		if (at == SIZE_MAX)
			continue;
		at += l->at;
		lexer_note_unknown(l, (struct span){at, size_min(at + 20, end)},
				   "ikm does not read the language of this template");
		break;
	}
	l->at = end;
}

static void tag_markup(struct lexer *l, size_t from, void (*each)(struct lexer *region))
{
	struct lexer part = *l;

	part.at = from;
	part.text.n = l->at;
	part.file = l->form;
	each(&part);
}

const char *lexer_html_comment_closer(const struct lexer *l)
{
	size_t end = str_find(l->text, STR("-->"), l->at + 2);

	/* To a browser a comment also ends so; "<!-->" is a whole one. */
	return tag_is_html(l) && str_find(str_sub(l->text, 0, end), STR("--!>"), l->at) != SIZE_MAX
		       ? "--!>"
		       : "-->";
}

/* Past a comment, or one byte. */
static void tag_pass(struct lexer *l)
{
	struct str end;

	if (!lexer_is(l, l->at, "<!--")) {
		l->at++;
		return;
	}
	end = str_of(lexer_html_comment_closer(l));
	l->at = size_min(str_find(l->text, end, l->at + 2), l->text.n);
}

/* Between the fences of Astro stands TypeScript. No tag stands before them, but comments may. */
static void tag_fences(struct lexer *l, void (*each)(struct lexer *region))
{
	size_t begin = l->at, end;

	if (!str_ends(l->path, STR(".astro")))
		return;
	while (l->at < l->text.n && !lexer_is(l, l->at, "---") &&
	       (l->text.p[l->at] != '<' || lexer_is(l, l->at, "<!")))
		tag_pass(l);
	if (!lexer_is(l, l->at, "---")) {
		l->at = begin;
		return;
	}
	tag_markup(l, begin, each);
	begin = l->at;
	l->at += 3;
	end = str_find(l->text, STR("\n---"), l->at);
	if (end == SIZE_MAX)
		lexer_unended(l, begin, "the script that begins here does not end");
	region_read(l, "x.ts", size_min(end, l->text.n), each);
	l->at = end == SIZE_MAX ? l->text.n : end + 4;
}

void lexer_cut_tagged_regions(struct lexer *l, void (*each)(struct lexer *region))
{
	static const char *const raw[] = {"script", "style",   "textarea", "title",    "xmp",
					  "iframe", "noembed", "noframes", "plaintext"};
	/* The text of the others may have braces in components. */
	size_t from, which, n = tag_is_html(l) ? ARRAY_SIZE(raw) : 2;

	tag_fences(l, each);
	from = l->at;
	while ((l->at = lexer_find_byte(l, '<', l->at)) < l->text.n) {
		/* Most tags begin with another letter. */
		which = memchr("sStTxXiInNpP", lexer_char_at(l, l->at + 1), 12) ? 0 : n;
		while (which < n && !tag_is(l, l->at, "<", raw[which]))
			which++;
		if (which < n) {
			tag_markup(l, from, each);
			tag_content(l, raw[which], each);
			from = l->at;
		} else if (!tag_is_html(l) && tag_is(l, l->at, "<", "template")) {
			tag_template(l);
		} else if (ascii_is_letter(lexer_char_at(l, l->at + 1))) {
			/* An attribute may have "<script>" in quotes. */
			l->at++;
			tag_read(l);
		} else {
			tag_pass(l);
		}
	}
	tag_markup(l, from, each);
}

/* ---- Markdown and MDX ---- */

static void region_blank(struct buf *b, size_t from, size_t to)
{
	for (; from < to; from++)
		if (b->p[from] != '\n' && b->p[from] != '\r')
			b->p[from] = ' ';
}

/* Blanks out frontmatter and blocks of code. False: told. MDX has no code by indentation. */
static bool markdown_read(struct lexer *l, bool mdx, struct md *md)
{
	size_t body = md_body_offset(l->text);
	struct buf b = buf_in(l->a);

	if (md_read(l->a, str_sub(l->text, body, l->text.n), body, md)) {
		region_uncut(l, "the file is too long or too deep for the reader of Markdown");
		return false;
	}
	buf_put(&b, l->text);
	region_blank(&b, 0, body);
	if (l->at)
		b.p[l->at - 1] = '\n'; /* a statement may stand behind a byte order mark */
	VEC_EACH(const struct md_block, m, md) {
		struct str code = str_trim(lexer_slice(l, m->at.from, m->at.to));

		if (m->type == MD_CODE &&
		    (!mdx || str_starts(code, STR("```")) || str_starts(code, STR("~~~"))))
			region_blank(&b, m->at.from, m->at.to);
	}
	l->text = buf_as_str(&b);
	return true;
}

/* A span of code ends in its block at the latest; in a block of HTML there is none. */
void lexer_cut_markdown(struct lexer *l, void (*each)(struct lexer *region))
{
	struct md md;

	if (!markdown_read(l, false, &md))
		return;
	VEC_EACH(const struct md_block, m, &md) {
		if (m->type != MD_PARAGRAPH && m->type != MD_HEADING && m->type != MD_HTML)
			continue;
		l->at = m->at.from;
		region_read(l, m->type == MD_HTML ? "x.xml" : "x.md",
			    size_min(lexer_find_byte(l, '\n', m->at.to) + 1, l->text.n), each);
	}
}

/*
 * Without its frontmatter and its fenced code MDX is the text between the tags of JSX, in which
 * statements of JavaScript may stand too: lexer_next() knows them.
 */
void lexer_cut_mdx(struct lexer *l, void (*each)(struct lexer *region))
{
	struct md md;

	if (!markdown_read(l, true, &md))
		return;
	l->js.markdown = true;
	lexer_push_bracket(l, JS_CHILDREN);
	each(l);
}

/* ---- notebooks of Jupyter ---- */

#define CELL_PYTHON "python* ipython*"

/* The text of a cell, and where its bytes stand in the file. */
static void cell_add(struct lexer *part, struct buf *b, const struct lexer *l, const struct val *v)
{
	size_t at = v->at.from + 1, n;
	uint32_t code;

	if (v->type != VAL_STR)
		return;
	*VEC_PUSH(l->a, &part->outer) = (struct lexer_shift){b->n, at};
	for (size_t i = 0; i < v->s.n; i += n) {
		n = 1;
		if (l->text.p[at] != '\\') {
			at++;
		} else {
			bool number = l->text.p[at + 1] == 'u';

			n = number ? str_utf8_char(v->s.p + i, v->s.n - i, &code) : 1;
			at += !number ? 2 : code > 0xffff ? 12 : 6;
			*VEC_PUSH(l->a, &part->outer) = (struct lexer_shift){b->n + n, at};
		}
		buf_put(b, str_sub(v->s, i, i + n));
	}
}

#define CELL_STATEMENTS "time timeit prun memit"

/* The next word, and the blanks behind it. */
static struct str cell_word(struct str *rest)
{
	size_t n = 0;
	struct str word;

	while (n < rest->n && !ascii_is_any_space(rest->p[n]))
		n++;
	word = str_sub(*rest, 0, n);
	while (n < rest->n && ascii_is_any_space(rest->p[n]))
		n++;
	*rest = str_sub(*rest, n, rest->n);
	return word;
}

/* Where Python begins in a command of IPython: behind the options of one that takes a statement. */
static size_t cell_statement(struct str command)
{
	struct str rest = command, word = cell_word(&rest);
	char option = 0;

	word = str_sub(word, str_starts(word, STR("%%")) ? 2 : 1, word.n);
	if (!lexer_name_matches_list(CELL_STATEMENTS, word))
		return command.n;
	for (;;) {
		struct str before = rest;
		bool value;

		word = cell_word(&rest);
		/* "-n 10", "-s time"; "-r" has a number, or nothing. */
		value = word.n && option && (strchr("lsTD", option) || ascii_is_digit(word.p[0]));
		if (!value && !str_starts(word, STR("-")))
			return (size_t)(before.p - command.p);
		option = !value && word.n == 2 ? word.p[1] : 0;
	}
}

/*
 * Blanks out the commands of IPython, which are no Python: lines that begin with "!", or with "%"
 * and a letter. Behind "%time" and its like stands Python. "%%bash" at the beginning, perhaps
 * behind "%%time", gives the cell another language.
 */
static void cell_commands(struct buf *b, struct str *language)
{
	struct str text = buf_as_str(b), rest = text, line;
	bool goes_on = false, begins = true;

	while (lexer_name_matches_list(CELL_PYTHON, *language) && str_next_line(&rest, &line)) {
		struct str word = str_trim(line);
		bool command = str_starts(word, STR("!")) || str_starts(word, STR("%%")) ||
			       (word.n > 1 && word.p[0] == '%' && ascii_is_letter(word.p[1]));
		bool more = (command || goes_on) && str_ends(word, STR("\\"));
		size_t at = (size_t)(line.p - text.p), n = line.n;

		if (begins && str_starts(line, STR("%%"))) {
			word = str_sub(word, 2, str_find_char(word, ' ', 2));
			if (!lexer_name_matches_list("time timeit capture prun", word))
				*language = str_dup(b->arena, word);
		} else {
			begins = begins && !word.n;
		}
		if (command && !goes_on)
			n = (size_t)(word.p - line.p) + cell_statement(word);
		if (command || goes_on)
			region_blank(b, at, at + n);
		goes_on = more;
	}
}

static void cell_read(struct lexer *l, const struct val *cell, struct str language,
		      void (*each)(struct lexer *region))
{
	static const char unread[] = "ikm does not know the language of this cell";
	const struct val *source = val_get(cell, "source");
	struct lexer part = *l;
	struct buf b = buf_in(l->a);
	const struct lexer_form *form = lexer_forms;
	struct str own;

	source = source ? source : val_get(cell, "input"); /* before version 4 */
	if (!source || !str_is(val_get_str(cell, "cell_type"), "code"))
		return;
	cell_add(&part, &b, l, source);
	VAL_EACH(source, line)
		cell_add(&part, &b, l, line);
	if (val_get_str(cell, "language").n)
		language = val_get_str(cell, "language");
	own = val_get_str(val_get(val_get(cell, "metadata"), "vscode"), "languageId");
	language = own.n ? own : language;
	cell_commands(&b, &language);
	/* The form of the files of a language, by its name or that of its program. */
	while (form->suffixes && !(form->name && str_ieq(language, str_of(form->name))) &&
	       !lexer_name_matches_list(form->programs, language) &&
	       !lexer_name_matches_list(form->suffixes, language))
		form++;
	if (!language.n || !form->suffixes) {
		if (!l->told)
			lexer_note_unknown(l, (struct span){source->at.from, source->at.from + 20},
					   unread);
		l->told = true;
		lexer_note_unreadable(l, source->at, unread);
		return;
	}
	part.file = l->form;
	part.told = false;
	lexer_begin(&part, l->a, form,
		    str_fmt(l->a, "x.%.*s", (int)strcspn(form->suffixes, " "), form->suffixes),
		    buf_as_str(&b));
	lexer_each_region(&part, each);
}

void lexer_cut_notebook(struct lexer *l, void (*each)(struct lexer *region))
{
	const struct val *about, *kernel, *cells, *sheets;
	struct str language;
	struct val *top;

	if (json_read(l->a, l->source, &(struct json_limits){.halves = true}, &top)) {
		region_uncut(l, "the notebook is no JSON");
		return;
	}
	about = val_get(top, "metadata");
	kernel = val_get(about, "kernelspec");
	language = val_get_str(kernel, "language");
	if (!language.n)
		language = val_get_str(val_get(about, "language_info"), "name");
	if (!language.n)
		language = val_get_str(kernel, "name");
	if (!language.n)
		language = STR("python");
	cells = val_get(top, "cells");
	sheets = val_get(top, "worksheets"); /* before version 4 */
	if (cells ? cells->type != VAL_LIST : !sheets || sheets->type != VAL_LIST) {
		region_uncut(l, "the notebook has no list of cells");
		return;
	}
	VAL_EACH(cells, cell)
		cell_read(l, cell, language, each);
	VAL_EACH(cells ? NULL : sheets, sheet)
		VAL_EACH(val_get(sheet, "cells"), cell)
			cell_read(l, cell, language, each);
}
