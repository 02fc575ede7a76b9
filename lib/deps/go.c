#include "deps/reader.h"

/*
 * go.mod. A replaced module is listed by its replacement, at the place of the replacement. A module
 * replaced by a folder keeps its own name, because its code is still compiled.
 */

#define WORDS_MAX 16 /* more than any form has, so longer lines match no form */

struct word {
	struct str s; /* without quotes */
	struct span at;
};

struct line {
	struct word w[WORDS_MAX];
	size_t n;
	bool indirect; /* its comment says so */
};

struct module {
	struct word path, version; /* version.s empty: any */
	struct word new_path, new_version;
	bool used, indirect;
};

struct modules {
	struct module *p;
	size_t n, cap;
};

struct go {
	struct reader *r;
	struct str self;
	struct modules requires, replaces, tools;
	bool indirect; /* the line that is read */
};

static bool ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '"' || c == '`' || c == '(' || c == ')' ||
	       c == '[' || c == ']' || c == ',';
}

/* "// indirect": another module asks for it. A reason may stand behind it. */
static bool go_is_indirect(struct str comment)
{
	comment = str_trim(comment);
	return str_is(comment, "indirect") || str_starts(comment, STR("indirect;"));
}

/* Splits a line into words; a quoted word ends at its quote, a parenthesis is a word. */
static struct err *go_split(struct reader *r, struct str line, size_t offset, struct line *out)
{
	size_t i = 0;

	out->n = 0;
	out->indirect = false;
	while (i < line.n) {
		size_t from = i;
		char c = line.p[i];
		struct word w;

		if (c == ' ' || c == '\t' || c == '\r') {
			i++;
			continue;
		}
		if (c == '/' && i + 1 < line.n && line.p[i + 1] == '/') {
			out->indirect = go_is_indirect(str_sub(line, i + 2, line.n));
			break;
		}
		if (c == '"' || c == '`') {
			i = str_find_char(line, c, from + 1);
			if (i == SIZE_MAX)
				return reader_bad(r, offset + from, "the quoted text has no end");
			w.s = str_sub(line, from + 1, i);
			w.at = (struct span){offset + from + 1, offset + i};
			i++;
		} else if (ends_word(c)) {
			i++;
			w.s = str_sub(line, from, i);
			w.at = (struct span){offset + from, offset + i};
		} else {
			while (i < line.n && !ends_word(line.p[i]) &&
			       !(line.p[i] == '/' && i + 1 < line.n && line.p[i + 1] == '/'))
				i++;
			w.s = str_sub(line, from, i);
			w.at = (struct span){offset + from, offset + i};
		}
		if (out->n < WORDS_MAX)
			out->w[out->n++] = w;
	}
	return NULL;
}

static struct err *bad_line(struct go *g, const struct word *w, const char *form)
{
	return reader_bad(g->r, w->at.from, "the form is: %s", form);
}

static struct err *read_require(struct go *g, const struct word *w, size_t n)
{
	struct module *m;

	if (n != 2)
		return bad_line(g, w, "require PATH VERSION");
	m = VEC_PUSH(g->r->a, &g->requires);
	m->path = w[0];
	m->version = w[1];
	m->indirect = g->indirect;
	return NULL;
}

static bool is_folder_path(struct str path)
{
	return str_starts(path, STR("./")) || str_starts(path, STR("../")) ||
	       str_starts(path, STR("/")) || str_is(path, ".") || str_is(path, "..") ||
	       (path.n > 2 && path.p[1] == ':') || str_find_char(path, '\\', 0) != SIZE_MAX;
}

static struct err *go_replace(struct go *g, const struct word *w, size_t n)
{
	static const char form[] = "replace PATH [VERSION] => PATH VERSION, or => ./FOLDER";
	size_t arrow = 0, right;
	struct module *m;

	while (arrow < n && !str_is(w[arrow].s, "=>"))
		arrow++;
	right = n - arrow;
	if ((arrow != 1 && arrow != 2) || (right != 2 && right != 3) ||
	    (right == 2 && !is_folder_path(w[arrow + 1].s)))
		return bad_line(g, w, form);
	m = VEC_PUSH(g->r->a, &g->replaces);
	m->path = w[0];
	if (arrow == 2)
		m->version = w[1];
	m->new_path = w[arrow + 1];
	if (right == 3)
		m->new_version = w[arrow + 2];
	return NULL;
}

/* "go 1.22", "toolchain go1.22.3": a name that is no version, as "default", may be any. */
static void go_runtime(struct go *g, struct word verb, struct str version)
{
	if (str_starts(version, STR("go")))
		version = str_sub(version, 2, version.n);
	if (!version.n || !ascii_is_digit(version.p[0]))
		version = STR("");
	reader_runtime(g->r, verb.s, STR(""), version, verb.at);
}

static struct err *read_directive(struct go *g, struct word verb, const struct word *w, size_t n)
{
	/* Directives that name no used module. */
	static const char *const others[] = {"exclude", "retract", "godebug", "ignore"};

	if (str_is(verb.s, "require"))
		return read_require(g, n ? w : &verb, n);
	if (str_is(verb.s, "replace"))
		return go_replace(g, n ? w : &verb, n);
	if (str_is(verb.s, "module") || str_is(verb.s, "tool")) {
		if (n != 1)
			return bad_line(g, n ? w : &verb,
					str_is(verb.s, "tool") ? "tool PACKAGE" : "module PATH");
		if (str_is(verb.s, "tool"))
			VEC_PUSH(g->r->a, &g->tools)->path = w[0];
		else
			g->self = w[0].s;
		return NULL;
	}
	if (str_is(verb.s, "go") || str_is(verb.s, "toolchain")) {
		if (n)
			go_runtime(g, verb, w[0].s);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (str_is(verb.s, others[i]))
			return NULL;
	/* In go.work: a folder of the workspace, with a go.mod of its own. */
	if (str_is(verb.s, "use") && str_ends(g->r->path, STR("go.work")))
		return NULL;
	/* A later Go may know the directive; the packages that it asks for are unknown. */
	reader_unresolved(g->r, verb.s, verb.at, "ikm does not know this directive");
	return NULL;
}

static struct err *go_parse(struct go *g)
{
	struct str rest = g->r->text, text;
	struct word block = {0};
	bool in_block = false;
	struct line line;

	while (rest.n) {
		size_t offset = (size_t)(rest.p - g->r->text.p);

		str_split(&rest, '\n', &text);
		TRY(go_split(g->r, text, offset, &line));
		if (!line.n)
			continue;
		g->indirect = line.indirect;
		if (in_block && str_is(line.w[0].s, ")")) {
			in_block = false;
			continue;
		}
		if (in_block) {
			TRY(read_directive(g, block, line.w, line.n));
			continue;
		}
		if (line.n >= 2 && str_is(line.w[1].s, "(")) {
			bool empty = line.n == 3 && str_is(line.w[2].s, ")");

			block = line.w[0];
			in_block = !empty;
			if (line.n > 2 && !empty)
				return reader_bad(g->r, line.w[2].at.from,
						  "a line end must follow the parenthesis");
			continue;
		}
		TRY(read_directive(g, line.w[0], line.w + 1, line.n - 1));
	}
	if (in_block)
		return reader_bad(g->r, block.at.from, "the block has no closing parenthesis");
	return NULL;
}

static int by_path(const void *a, const void *b)
{
	const struct module *x = a, *y = b;
	int c = str_cmp(x->path.s, y->path.s);

	/* Replacements of one version first: they take precedence over those of all versions. */
	return c ? c : (y->version.s.n > 0) - (x->version.s.n > 0);
}

static struct module *find_replacement(struct go *g, const struct module *m)
{
	size_t lo = 0, hi = g->replaces.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (str_cmp(g->replaces.p[mid].path.s, m->path.s) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < g->replaces.n && str_eq(g->replaces.p[lo].path.s, m->path.s); lo++) {
		struct module *x = &g->replaces.p[lo];

		if (!x->version.s.n || str_eq(x->version.s, m->version.s))
			return x;
	}
	return NULL;
}

static void add_locked(struct go *g, struct word path, struct word version)
{
	struct dep *d = reader_add(g->r, path.s, path.at);

	d->version = version.s;
	d->locked = version.s.n > 0;
}

/* The folder may hold another module than the one that it replaces. */
static struct err *go_add_folder(struct go *g, const struct module *m, struct word at)
{
	struct str path, text, line, word;
	bool found = false;
	struct dep *d;

	reader_add(g->r, at.s, at.at);
	if (reader_beside(g->r, m->new_path.s, &path))
		TRY(reader_file(g->r, reader_inside(g->r, path, "go.mod"), &text, &found));
	while (found && str_line(&text, &line)) {
		line = str_trim(line);
		if (!str_starts(line, STR("module")))
			continue;
		word = str_trim(str_sub(line, 6, line.n));
		word.n = size_min(word.n, str_find(word, STR("//"), 0));
		word = str_trim(word);
		if (word.n > 1 && (word.p[0] == '"' || word.p[0] == '`'))
			word = str_sub(word, 1, word.n - 1);
		if (word.n && !str_eq(word, at.s)) {
			d = reader_add(g->r, word, m->new_path.at);
			d->written = at.s;
		}
		break;
	}
	return NULL;
}

static struct err *add_replacement(struct go *g, const struct module *m)
{
	if (m->new_version.s.n) {
		add_locked(g, m->new_path, m->new_version);
		if (!str_eq(m->new_path.s, m->path.s))
			g->r->out->p[g->r->out->n - 1].written = m->path.s;
		return NULL;
	}
	return go_add_folder(g, m, m->path); /* of any version */
}

static bool go_contains(struct str module, struct str package)
{
	return module.n && str_starts(package, module) &&
	       (package.n == module.n || package.p[module.n] == '/');
}

/* Usually a tool is a package of a required module; otherwise only this line names it. */
static void add_tool(struct go *g, const struct word *tool)
{
	if (go_contains(g->self, tool->s))
		return;
	for (size_t i = 0; i < g->requires.n; i++)
		if (go_contains(g->requires.p[i].path.s, tool->s))
			return;
	reader_add(g->r, tool->s, tool->at);
}

struct err *go_mod(struct reader *r)
{
	struct go g = {.r = r};

	TRY(go_parse(&g));
	if (g.replaces.n)
		qsort(g.replaces.p, g.replaces.n, sizeof(*g.replaces.p), by_path);
	for (size_t i = 0; i < g.requires.n; i++) {
		const struct module *m = &g.requires.p[i];
		struct module *x = find_replacement(&g, m);

		if (!x) {
			add_locked(&g, m->path, m->version);
			r->out->p[r->out->n - 1].reach =
				m->indirect ? DEPS_TRANSITIVE : DEPS_DIRECT;
		} else if (!x->new_version.s.n) {
			TRY(go_add_folder(&g, x, m->path));
		}
		if (x)
			x->used = true;
	}
	/*
	 * A replacement of an indirect module, or of another version: it counts when the build
	 * meets it.
	 */
	for (size_t i = 0; i < g.replaces.n; i++)
		if (!g.replaces.p[i].used || g.replaces.p[i].new_version.s.n)
			TRY(add_replacement(&g, &g.replaces.p[i]));
	for (size_t i = 0; i < g.tools.n; i++)
		add_tool(&g, &g.tools.p[i].path);
	return NULL;
}
