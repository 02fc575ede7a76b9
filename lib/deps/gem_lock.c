#include "deps/reader.h"

/*
 * Gemfile.lock, as Bundler writes it: sections without indent, and below "specs:" one gem with its
 * version per line, behind four blanks. PATH has gems in folders; the folder "." is the project.
 */

static bool has_gems(struct str section)
{
	return str_is(section, "GEM") || str_is(section, "GIT") || str_is(section, "PATH") ||
	       str_is(section, "PLUGIN SOURCE");
}

/* "name (1.2.3)" or "name (1.2.3-x86_64-linux)" */
static struct err *gem_lock_add(struct reader *r, struct str line)
{
	struct str name, version;
	struct dep *d;

	reader_cut(line, ' ', 0, &name, &version);
	if (!name.n || str_ends(name, STR(":")) || !str_starts(version, STR("(")) ||
	    !str_ends(version, STR(")")))
		return reader_bad_line(r, line, "is no gem with its version");
	version = str_sub(version, 1, version.n - 1);
	d = reader_add_slice(r, name);
	d->version = str_sub(version, 0, str_find_char(version, '-', 0));
	d->locked = true;
	return NULL;
}

/* A gem that the project itself asks for: "name", "name (~> 1.0)", "name!" of a source. */
static void gem_lock_direct(struct reader *r, struct val *direct, struct str line)
{
	struct str name = str_sub(line, 0, str_find_char(line, ' ', 0));

	if (str_ends(name, STR("!")))
		name.n--;
	val_set_key(direct, name, val_null(r->a));
}

/* Below DEPENDENCIES stand the direct gems; a lockfile without it does not tell. */
static void gem_lock_reach(struct reader *r, const struct val *direct)
{
	for (size_t i = 0; i < r->out->n && direct->n; i++)
		r->out->p[i].reach =
			reader_find(r, direct, r->out->p[i].name) ? DEPS_DIRECT : DEPS_TRANSITIVE;
}

/* "ruby 3.2.2p53": the patch level is no part of the version. */
static void gem_lock_ruby(struct reader *r, size_t at, struct str line)
{
	struct str version = str_trim(str_sub(line, 5, line.n));
	size_t n = 0;

	while (n < version.n && (ascii_is_digit(version.p[n]) || version.p[n] == '.'))
		n++;
	reader_runtime(r, str_sub(line, 0, 4), STR(""), str_sub(version, 0, n),
		       (struct span){at, at + 4})
		->locked = true;
}

struct err *gem_lock(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};
	struct val *direct = val_map(r->a);
	bool specs = false, own = false;

	while (str_line(&rest, &line)) {
		size_t indent = 0, from = (size_t)(line.p - r->text.p);

		while (indent < line.n && line.p[indent] == ' ')
			indent++;
		if (indent == line.n)
			continue;
		if (line.p[indent] == '\t')
			return reader_bad(r, from + indent, "a tab, where only blanks may be");
		if (!indent) {
			/*
			 * Sections are words in capitals; conflict markers of a merge are no
			 * sections.
			 */
			if (line.p[0] < 'A' || line.p[0] > 'Z')
				return reader_bad_line(r, line, "is not a section of Bundler");
			section = line;
			specs = own = false;
		} else if (has_gems(section) && indent == 2) {
			specs = str_is(str_sub(line, 2, line.n), "specs:") && !own;
			own = own || (str_is(section, "PATH") &&
				      str_is(str_sub(line, 2, line.n), "remote: ."));
		} else if (str_is(section, "DEPENDENCIES") && indent == 2) {
			gem_lock_direct(r, direct, str_sub(line, 2, line.n));
		} else if (own && !specs && has_gems(section) && indent == 6) {
			/* The project's own gem asks for it. */
			gem_lock_direct(r, direct, str_sub(line, 6, line.n));
		} else if (str_is(section, "RUBY VERSION") &&
			   str_starts(str_sub(line, indent, line.n), STR("ruby "))) {
			gem_lock_ruby(r, from + indent, str_sub(line, indent, line.n));
		} else if (specs && indent == 4) {
			TRY(gem_lock_add(r, str_sub(line, 4, line.n)));
		} else if (specs && indent != 6) {
			return reader_bad(
				r, from,
				"a gem must stand behind four blanks, as Bundler writes it");
		}
	}
	gem_lock_reach(r, direct);
	return NULL;
}
