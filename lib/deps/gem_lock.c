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
	size_t blank = str_find_char(line, ' ', 0), from = (size_t)(line.p - r->text.p);
	struct str name = str_sub(line, 0, blank), rest = str_sub(line, blank, line.n), version;
	struct dep *d;

	if (!name.n || str_ends(name, STR(":")) || !str_starts(rest, STR(" (")) ||
	    !str_ends(rest, STR(")")))
		return reader_bad(r, from, "'%.*s' is no gem with its version",
				  STR_ARG(str_sub(line, 0, 200)));
	version = str_sub(rest, 2, rest.n - 1);
	d = reader_add(r, name, (struct span){from, from + name.n});
	d->version = str_sub(version, 0, str_find_char(version, '-', 0));
	d->locked = true;
	return NULL;
}

struct err *gem_lock(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};
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
				return reader_bad(r, from, "'%.*s' is not a section of Bundler",
						  STR_ARG(str_sub(line, 0, 200)));
			section = line;
			specs = own = false;
		} else if (has_gems(section) && indent == 2) {
			specs = str_is(str_sub(line, 2, line.n), "specs:") && !own;
			own = own || (str_is(section, "PATH") &&
				      str_is(str_sub(line, 2, line.n), "remote: ."));
		} else if (specs && indent == 4) {
			TRY(gem_lock_add(r, str_sub(line, 4, line.n)));
		} else if (specs && indent != 6) {
			return reader_bad(
				r, from,
				"a gem must stand behind four blanks, as Bundler writes it");
		}
	}
	return NULL;
}
