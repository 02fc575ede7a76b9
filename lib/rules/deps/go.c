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

struct modules VEC(struct module);

struct go {
	struct reader *r;
	struct str self;
	struct modules requires, replaces, tools;
	bool indirect; /* the line that is read */
};

/* Splits a line into words; a quoted word ends at its quote, a parenthesis is a word. */
static struct err *go_split(struct reader *r, struct str line, size_t offset, struct line *out)
{
	static const char ends[] = " \t\r\"`()[],";

	out->n = 0;
	out->indirect = false;
	for (size_t i = 0; i < line.n;) {
		struct str rest = str_sub(line, i, line.n), s = reader_until(rest, ends);
		char quote = rest.p[0];

		if (quote == ' ' || quote == '\t' || quote == '\r') {
			i++;
			continue;
		}
		if (str_starts(rest, STR("//"))) {
			/* Another module asks for it. A reason may stand behind the word. */
			rest = str_trim(str_sub(rest, 2, rest.n));
			out->indirect =
				str_is(rest, "indirect") || str_starts(rest, STR("indirect;"));
			break;
		}
		if (quote == '"' || quote == '`') {
			size_t end = str_find_char(rest, quote, 1);

			if (end == SIZE_MAX)
				return reader_error_at(r, offset + i, "the quoted text has no end");
			s = str_sub(rest, 1, end);
			i += end + 1;
		} else {
			s = s.n ? str_sub(s, 0, str_find(s, STR("//"), 0)) : str_sub(rest, 0, 1);
			i += s.n;
		}
		if (out->n < WORDS_MAX)
			out->w[out->n++] = (struct word){s,
							 {offset + (size_t)(s.p - line.p),
							  offset + (size_t)(s.p - line.p) + s.n}};
	}
	return NULL;
}

static struct err *bad_line(struct go *g, const struct word *w, const char *form)
{
	return reader_error_at(g->r, w->at.from, "the form is: %s", form);
}

static struct err *go_replace(struct go *g, const struct word *w, size_t n)
{
	static const char form[] = "replace PATH [VERSION] => PATH VERSION, or => ./FOLDER";
	size_t arrow = 0, right;
	struct str to;
	struct module *m;

	while (arrow < n && !str_is(w[arrow].s, "=>"))
		arrow++;
	right = n - arrow;
	if ((arrow != 1 && arrow != 2) || (right != 2 && right != 3))
		return bad_line(g, w, form);
	to = w[arrow + 1].s;
	if (right == 2 && !reader_starts_with_any_of(to, "./|../|/") &&
	    !reader_is_any_of_words(to, ".|..") && !(to.n > 2 && to.p[1] == ':') &&
	    !str_holds(to, "\\"))
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

static struct err *read_directive(struct go *g, struct word verb, const struct word *w, size_t n)
{
	if (str_is(verb.s, "require")) {
		if (n != 2)
			return bad_line(g, n ? w : &verb, "require PATH VERSION");
		*VEC_PUSH(g->r->a, &g->requires) =
			(struct module){.path = w[0], .version = w[1], .indirect = g->indirect};
		return NULL;
	}
	if (str_is(verb.s, "replace"))
		return go_replace(g, n ? w : &verb, n);
	if (reader_is_any_of_words(verb.s, "module|tool")) {
		if (n != 1)
			return bad_line(g, n ? w : &verb,
					str_is(verb.s, "tool") ? "tool PACKAGE" : "module PATH");
		if (str_is(verb.s, "tool"))
			VEC_PUSH(g->r->a, &g->tools)->path = w[0];
		else
			g->self = w[0].s;
		return NULL;
	}
	if (reader_is_any_of_words(verb.s, "go|toolchain")) {
		/* "go 1.22", "toolchain go1.22.3"; a name such as "default" may be any version. */
		struct str version = reader_skip_prefix(n ? w[0].s : STR(""), "go");

		if (n)
			reader_add_runtime(g->r, verb.s, STR(""),
					   version.n && ascii_is_digit(version.p[0]) ? version
										     : STR(""),
					   verb.at);
		return NULL;
	}
	/* Directives that name no used module. In go.work a folder has a go.mod of its own. */
	if (reader_is_any_of_words(verb.s, "exclude|retract|godebug|ignore") ||
	    (str_is(verb.s, "use") && str_ends(g->r->path, STR("go.work"))))
		return NULL;
	/* A later Go may know the directive; the packages that it asks for are unknown. */
	return reader_add_unresolved(g->r, verb.s, verb.at, "ikm does not know this directive");
}

static struct err *go_parse(struct go *g)
{
	struct str rest = g->r->text, text;
	struct word block = {0};
	bool in_block = false;
	struct line line;

	while (rest.n) {
		size_t offset = (size_t)(rest.p - g->r->text.p);

		str_next_part(&rest, '\n', &text);
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
				return reader_error_at(g->r, line.w[2].at.from,
						       "a line end must follow the parenthesis");
			continue;
		}
		TRY(read_directive(g, line.w[0], line.w + 1, line.n - 1));
	}
	if (in_block)
		return reader_error_at(g->r, block.at.from, "the block has no closing parenthesis");
	return NULL;
}

/* Replacements of one version first: they take precedence over those of all versions. */
ORDER_OF(by_path, struct module,
	 ORDER_STR(path.s) || (c = (b->version.s.n > 0) - (a->version.s.n > 0)))

static struct module *find_replacement(struct go *g, const struct module *m)
{
	size_t lo = 0;

	BISECT(lo, mid, g->replaces.n, str_cmp(g->replaces.p[mid].path.s, m->path.s) < 0);
	for (; lo < g->replaces.n && str_eq(g->replaces.p[lo].path.s, m->path.s); lo++)
		if (!g->replaces.p[lo].version.s.n ||
		    str_eq(g->replaces.p[lo].version.s, m->version.s))
			return &g->replaces.p[lo];
	return NULL;
}

/* The folder may hold another module than the one that it replaces. */
static struct err *go_add_folder(struct go *g, const struct module *m, struct word at)
{
	struct str path, text, line, word;
	bool found = false;

	reader_add_dep(g->r, at.s, at.at);
	if (reader_resolve_path(g->r, m->new_path.s, &path))
		TRY(reader_read_other_file(g->r, reader_join_path(g->r, path, "go.mod"), &text,
					   &found));
	while (found && str_next_line(&text, &line)) {
		line = str_trim(line);
		if (!str_starts(line, STR("module")))
			continue;
		word = str_trim(str_sub(line, 6, str_find(line, STR("//"), 6)));
		if (word.n > 1 && (word.p[0] == '"' || word.p[0] == '`'))
			word = str_sub(word, 1, word.n - 1);
		if (word.n && !str_eq(word, at.s))
			reader_add_dep(g->r, word, m->new_path.at)->written = at.s;
		break;
	}
	return NULL;
}

static bool go_contains(struct str module, struct str package)
{
	return module.n && str_is_below(package, module);
}

struct err *go_mod(struct reader *r)
{
	struct go g = {.r = r};
	struct dep *d;

	TRY(go_parse(&g));
	VEC_SORT(&g.replaces, by_path);
	VEC_EACH(const struct module, m, &g.requires) {
		struct module *x = find_replacement(&g, m);

		if (!x) {
			d = reader_add_dep(r, m->path.s, m->path.at);
			d->reach = m->indirect ? DEPS_TRANSITIVE : DEPS_DIRECT;
			reader_set_locked_version(d, m->version.s);
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
	VEC_EACH(const struct module, m, &g.replaces)
		if (m->new_version.s.n) {
			d = reader_add_dep(r, m->new_path.s, m->new_path.at);
			reader_set_locked_version(d, m->new_version.s);
			if (!str_eq(m->new_path.s, m->path.s))
				d->written = m->path.s;
		} else if (!m->used) {
			TRY(go_add_folder(&g, m, m->path)); /* of any version */
		}
	/* Usually a tool is a package of a required module; otherwise only its line names it. */
	for (size_t i = 0; i < g.tools.n; i++) {
		struct word tool = g.tools.p[i].path;
		bool known = go_contains(g.self, tool.s);

		for (size_t k = 0; k < g.requires.n && !known; k++)
			known = go_contains(g.requires.p[k].path.s, tool.s);
		if (!known)
			reader_add_dep(r, tool.s, tool.at);
	}
	return NULL;
}

static struct err *go_sum_line(struct reader *r, struct str line)
{
	struct str name, rest, version, sum;

	if (!line.n)
		return NULL;
	reader_split_at(line, ' ', 0, &name, &rest);
	reader_split_at(rest, ' ', 0, &version, &sum);
	if (!name.n || !str_starts(sum, STR("h1:")))
		return reader_bad_line(r, line, "is no module with its version and checksum");
	if (!str_ends(version, STR("/go.mod"))) {
		reader_add_dep_slice(r, name)->version = version;
		r->out->p[r->out->n - 1].locked = true;
	}
	return NULL;
}

LINE_READER(go_sum, go_sum_line)

/* ---- vendor/modules.txt ---- */

/* The next word of the line; empty: none. */
static struct str go_vendor_word(struct str *rest)
{
	struct str word = {"", 0};

	while (rest->n && !word.n)
		str_next_part(rest, ' ', &word);
	return word;
}

static bool go_vendor_is_version(struct str s)
{
	return s.n > 1 && s.p[0] == 'v' && ascii_is_digit(s.p[1]);
}

static void go_vendor_add(struct reader *r, struct str name, struct str version, struct str written)
{
	struct dep *d = reader_add_dep_slice(r, name);

	d->reach = DEPS_TRANSITIVE; /* until a line says "explicit" */
	d->written = written;
	reader_set_locked_version(d, version);
}

/*
 * "# MODULE VERSION", "# MODULE VERSION => MODULE VERSION", "# MODULE => ./FOLDER", "## explicit;
 * go 1.20", packages. Go skips a module's line in any other form, and so does ikm.
 */
struct err *go_vendor(struct reader *r)
{
	struct str rest = r->text, line;
	size_t last = 0;

	while (str_next_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("## "))) {
			for (; str_holds(line, "explicit") && last < r->out->n; last++)
				r->out->p[last].reach = DEPS_DIRECT;
		} else if (str_starts(line, STR("# "))) {
			struct str words = str_sub(line, 2, line.n), name = go_vendor_word(&words);
			struct str version = go_vendor_word(&words), arrow = version, to,
				   to_version;
			bool replaced;

			last = r->out->n;
			if (go_vendor_is_version(version))
				arrow = go_vendor_word(&words);
			else
				version = STR("");
			to = go_vendor_word(&words);
			to_version = go_vendor_word(&words);
			replaced = str_is(arrow, "=>") && to.n;
			if (replaced && go_vendor_is_version(to_version))
				go_vendor_add(r, to, to_version, str_eq(to, name) ? STR("") : name);
			else if (version.n || (replaced && !to_version.n &&
					       reader_starts_with_any_of(to, ".|/")))
				/* A folder replaces the module: its code is compiled under the
				 * module's name. */
				go_vendor_add(r, name, version, STR(""));
		}
	}
	return NULL;
}
