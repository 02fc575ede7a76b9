/* Finds links, paths and URIs in a text. */
#include "expand/code_spans.h"
#include "expand/resolve_refs.h"

struct scan {
	struct arena *a;
	struct str text;
	struct refs_links *out;
	struct VEC(size_t) open; /* offsets of "[" without a "]" since the last fence */
};

static char at(const struct scan *s, size_t i)
{
	return i < s->text.n ? s->text.p[i] : 0;
}

static size_t links_skip_blanks(const struct scan *s, size_t i)
{
	while (i < s->text.n && ascii_is_any_space(s->text.p[i]))
		i++;
	return i;
}

/* ---- destinations ---- */

/* The length of a scheme such as "https:", or 0. One letter is a drive of another system. */
static size_t links_scheme_of(struct str s)
{
	size_t n = 0;

	while (n < s.n && (ascii_is_alnum(s.p[n]) || (n && prose_is_one_of(s.p[n], "+-."))))
		n++;
	return n > 1 && n < s.n && s.p[n] == ':' && !ascii_is_digit(s.p[0]) ? n + 1 : 0;
}

/* Decodes backslashes before punctuation, and %XX. */
static struct str decoded(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	uint32_t byte;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] > ' ' &&
		    !ascii_is_alnum(s.p[i + 1])) {
			buf_putc(&b, s.p[++i]);
		} else if (s.p[i] == '%' && i + 2 < s.n &&
			   str_parse_hex(str_sub(s, i + 1, i + 3), &byte)) {
			buf_putc(&b, (char)byte);
			i += 2;
		} else {
			buf_putc(&b, s.p[i]);
		}
	}
	return buf_as_str(&b);
}

static void links_push(struct scan *s, enum refs_kind kind, struct str raw, size_t from)
{
	struct refs_link l = {.kind = kind, .at = {from, from + raw.n}};
	size_t hash = str_find_char(raw, '#', 0), query;

	/* A template's placeholder, a page's own top and an empty text are no destinations. */
	if (!raw.n || str_is(raw, "#") || str_holds(raw, "{{") || str_holds(raw, "${") ||
	    str_holds(raw, "<%"))
		return;
	if (str_starts(raw, STR(ASSET_SCHEME))) {
		l.kind = REFS_ASSET;
	} else if (links_scheme_of(raw) || str_starts(raw, STR("//"))) {
		l.kind = REFS_EXTERNAL;
		hash = SIZE_MAX;
	}
	if (hash != SIZE_MAX)
		l.fragment = decoded(s->a, str_sub(raw, hash + 1, raw.n));
	l.dest = str_sub(raw, 0, hash);
	if (kind == REFS_LINK || kind == REFS_IMAGE) {
		query = str_find_char(l.dest, '?', 0);
		if (l.kind == kind)
			l.dest = decoded(s->a, str_sub(l.dest, 0, query));
	}
	*VEC_PUSH(s->a, s->out) = l;
}

/*
 * Reads a link's destination at *i, in "<…>" or bare, and moves *i behind it. A bare destination
 * may have pairs of parentheses. False: there is none, or it is longer than a path may be (data:
 * URLs).
 */
static bool destination(const struct scan *s, size_t *i, struct str *dest)
{
	size_t from = *i, depth = 0, end = size_min(s->text.n, from + OS_PATH_MAX);

	if (at(s, from) == '<') {
		for (*i = ++from; *i < end && !prose_is_one_of(at(s, *i), "<>\n"); ++*i)
			if (at(s, *i) == '\\')
				++*i;
		*dest = str_sub(s->text, from, *i);
		return at(s, (*i)++) == '>';
	}
	for (; *i < end && (unsigned char)at(s, *i) > ' '; ++*i) {
		if (at(s, *i) == '\\' && (unsigned char)at(s, *i + 1) > ' ')
			++*i;
		else if (at(s, *i) == '(')
			depth++;
		else if (at(s, *i) == ')' && !depth--)
			break;
	}
	*dest = str_sub(s->text, from, *i);
	return *i < from + OS_PATH_MAX;
}

/*
 * Reads "(dest "title")" behind "]". *i becomes the offset of dest. A title may have TITLE_MAX
 * bytes.
 */
#define TITLE_MAX 1000

static bool inline_link(const struct scan *s, size_t *i, struct str *dest)
{
	size_t k = links_skip_blanks(s, *i + 1), from = k, end;
	char close;

	if (!destination(s, &k, dest))
		return false;
	*i = from + (at(s, from) == '<');
	k = links_skip_blanks(s, k);
	if (prose_is_one_of(at(s, k), "\"'(")) {
		close = at(s, k) == '(' ? ')' : at(s, k);
		end = size_min(s->text.n, k + TITLE_MAX);
		for (k++; k < end && at(s, k) != close; k++)
			if (at(s, k) == '\\')
				k++;
		k = links_skip_blanks(s, k + 1);
	}
	return at(s, k) == ')';
}

/* Handles a "]": of a link, of a definition, or of neither. Returns the offset to go on from. */
static size_t links_bracket(struct scan *s, size_t i)
{
	size_t from, k = i + 1, line;
	struct str dest;
	bool image;

	if (!s->open.n)
		return k;
	from = s->open.p[--s->open.n];
	if (at(s, k) == '(' && inline_link(s, &k, &dest)) {
		image = from && at(s, from - 1) == '!';
		/* A path in the link's text names the link's target: drop it. */
		while (s->out->n && s->out->p[s->out->n - 1].at.from > from &&
		       s->out->p[s->out->n - 1].kind == REFS_PATH)
			s->out->n--;
		links_push(s, image ? REFS_IMAGE : REFS_LINK, dest, k);
		return k + dest.n;
	}
	for (line = from; line && at(s, line - 1) == ' '; line--)
		;
	k = i + 1;
	if (at(s, k) == ':' && (!line || at(s, line - 1) == '\n') && at(s, from + 1) != '^') {
		k = links_skip_blanks(s, k + 1);
		from = k + (at(s, k) == '<');
		if (destination(s, &k, &dest)) {
			links_push(s, REFS_LINK, dest, from);
			return k;
		}
	}
	return i + 1;
}

/* Reads href="…" and src="…". Returns the offset to go on from, or 0. */
static size_t attribute(struct scan *s, size_t i)
{
	struct str rest = str_sub(s->text, i, s->text.n), dest;
	size_t n = str_starts(rest, STR("href=")) ? 5 : str_starts(rest, STR("src=")) ? 4 : 0, end;
	char quote = at(s, i + n);

	if (!n || (quote != '"' && quote != '\''))
		return 0;
	end = i + n + 1;
	while (end < s->text.n && at(s, end) != quote && at(s, end) != '\n' && at(s, end) != '>')
		end++;
	if (at(s, end) != quote)
		return 0;
	dest = str_sub(s->text, i + n + 1, end);
	links_push(s, n == 4 ? REFS_IMAGE : REFS_LINK, dest, i + n + 1);
	return end + 1;
}

/* ---- words ---- */

/* The length of the character at i if a path in a text may have it, else 0. */
static size_t path_char(const struct scan *s, size_t i)
{
	char c = at(s, i);
	uint32_t code;
	size_t n;

	if (!(c & 0x80))
		return ascii_is_alnum(c) || prose_is_one_of(c, "_./-+@~");
	n = str_utf8_char(s->text.p + i, s->text.n - i, &code);
	return prose_is_punctuation(code) || prose_is_unspaced_script(code) ? 0 : n;
}

/* Whether the last part of the path has an extension with a letter. */
static bool has_extension(struct str s)
{
	size_t dot = str_rfind_char(s, '.'), slash = str_rfind_char(s, '/');
	bool letter = false;

	if (dot == SIZE_MAX || !dot || (slash != SIZE_MAX && dot <= slash + 1) || s.n - dot > 11 ||
	    s.n - dot < 2)
		return false;
	for (size_t i = dot + 1; i < s.n; i++) {
		if (!ascii_is_alnum(s.p[i]))
			return false;
		letter = letter || s.p[i] > '9';
	}
	return letter;
}

static void path(struct scan *s, struct str word, char next)
{
	size_t from;
	bool slash;

	/* A marker of a prompt begins with @. */
	while (word.n && word.p[0] == '@')
		word = str_sub(word, 1, word.n);
	while (word.n && prose_is_one_of(word.p[word.n - 1], ".-+@~_"))
		word.n--;
	from = (size_t)(word.p - s->text.p);
	slash = str_find_char(word, '/', 0) != SIZE_MAX;
	/* An absolute path holds on one machine only; a pattern is no path. */
	if (!word.n || prose_is_one_of(word.p[0], "/~+-") || str_holds(word, "//") ||
	    (str_ends(word, STR("/")) && prose_is_one_of(next, "*{$<[?")))
		return;
	if (slash || has_extension(word))
		*VEC_PUSH(s->a, s->out) = (struct refs_link){
			.kind = REFS_PATH,
			.dest = word,
			.at = {from, from + word.n},
			.file = slash && has_extension(word),
		};
}

/* Reads the word at `from`: a URI, or perhaps a path. Returns its end. */
static size_t links_word(struct scan *s, size_t from)
{
	struct str rest = str_sub(s->text, from, size_min(s->text.n, from + OS_PATH_MAX + 1));
	size_t end = from, n = links_scheme_of(str_sub(rest, 0, 32));

	if (n && (at(s, from + n) == '/' || str_starts(rest, STR("mailto:")))) {
		while (end < s->text.n && (unsigned char)at(s, end) > ' ' &&
		       !prose_is_one_of(at(s, end), "\"'`<>()[]{},;|\\"))
			end++;
		while (prose_is_one_of(at(s, end - 1), ".:!?*_~"))
			end--;
		if (!str_is(str_sub(s->text, from, end), ASSET_SCHEME) &&
		    !str_is(str_sub(s->text, from, end), ASSET_SCHEME "/"))
			links_push(s, REFS_EXTERNAL, str_sub(s->text, from, end), from);
		return end;
	}
	while (end < s->text.n && (n = path_char(s, end)))
		end += n;
	if (end - from <= OS_PATH_MAX)
		path(s, str_sub(s->text, from, end), at(s, end));
	return end;
}

static void links_plain(struct scan *s, size_t from, size_t to, bool links)
{
	size_t i = from;

	while (i < to) {
		char c = at(s, i);
		size_t next = 0;

		if (links && c == '\\') {
			next = i + 2;
		} else if (links && c == '[') {
			*VEC_PUSH(s->a, &s->open) = i;
		} else if (links && c == ']') {
			next = links_bracket(s, i);
		} else if (path_char(s, i)) {
			if (links && (c == 'h' || c == 's'))
				next = attribute(s, i);
			if (!next)
				next = links_word(s, i);
		}
		i = next > i ? next : i + 1;
	}
}

void refs_find_in_text(struct arena *a, struct str text, bool markdown, struct refs_links *out)
{
	struct scan s = {.a = a, .text = text, .out = out};
	struct prose_codes code = {0};
	size_t done = 0;

	if (markdown)
		prose_code_spans(a, text, &code);
	for (size_t i = 0; i < code.n; i++) {
		if (done < code.p[i].at.from)
			links_plain(&s, done, code.p[i].at.from, true);
		if (code.p[i].fence)
			s.open.n = 0;
		else
			links_plain(&s, code.p[i].at.from, code.p[i].at.to, false);
		done = size_max(done, code.p[i].at.to);
	}
	links_plain(&s, done, text.n, markdown);
}
