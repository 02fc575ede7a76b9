#include "deps/reader.h"

/*
 * go.sum, go.work.sum and vendor/modules.txt. go.sum has the content of a module that a build uses,
 * or only its go.mod file, which Go reads for the graph of modules: such a line is no package.
 */

static struct err *go_sum_line(struct reader *r, struct str line)
{
	size_t from = (size_t)(line.p - r->text.p), one = str_find_char(line, ' ', 0);
	size_t two = one == SIZE_MAX ? one : str_find_char(line, ' ', one + 1);
	struct str name = str_sub(line, 0, one), version;
	struct dep *d;

	if (two == SIZE_MAX || !one || !str_starts(str_sub(line, two + 1, line.n), STR("h1:")))
		return reader_bad(r, from, "'%.*s' is no module with its version and checksum",
				  STR_ARG(str_sub(line, 0, 200)));
	version = str_sub(line, one + 1, two);
	if (str_ends(version, STR("/go.mod")))
		return NULL;
	d = reader_add(r, name, (struct span){from, from + name.n});
	d->version = version;
	d->locked = true;
	return NULL;
}

struct err *go_sum(struct reader *r)
{
	struct str rest = r->text, line;

	while (str_line(&rest, &line))
		if (str_trim(line).n)
			TRY(go_sum_line(r, str_trim(line)));
	return NULL;
}

/* "MODULE VERSION", "MODULE", or "./FOLDER" */
static void go_vendor_add(struct reader *r, struct str s, struct str written)
{
	size_t blank = str_find_char(s, ' ', 0), from = (size_t)(s.p - r->text.p);
	struct str name = str_sub(s, 0, blank);
	struct dep *d;

	if (!name.n || name.p[0] == '.' || name.p[0] == '/')
		return;
	d = reader_add(r, name, (struct span){from, from + name.n});
	d->reach = DEPS_TRANSITIVE; /* until a line says "explicit" */
	d->written = str_eq(name, written) ? STR("") : written;
	if (blank != SIZE_MAX) {
		d->version = str_trim(str_sub(s, blank, s.n));
		d->locked = true;
	}
}

/* "# MODULE VERSION", "# MODULE VERSION => MODULE VERSION", "## explicit; go 1.20", packages */
struct err *go_vendor(struct reader *r)
{
	struct str rest = r->text, line;
	size_t last = 0;

	while (str_line(&rest, &line)) {
		size_t arrow;
		struct str old;

		line = str_trim(line);
		if (str_starts(line, STR("## "))) {
			for (; str_find(line, STR("explicit"), 0) != SIZE_MAX && last < r->out->n;
			     last++)
				r->out->p[last].reach = DEPS_DIRECT;
			continue;
		}
		if (!str_starts(line, STR("# ")))
			continue;
		last = r->out->n;
		line = str_sub(line, 2, line.n);
		arrow = str_find(line, STR(" => "), 0);
		old = str_sub(line, 0, arrow);
		if (arrow == SIZE_MAX) {
			go_vendor_add(r, line, STR(""));
			continue;
		}
		/* A folder replaces the module: its code is compiled under the module's name. */
		if (line.p[arrow + 4] == '.' || line.p[arrow + 4] == '/')
			go_vendor_add(r, old, STR(""));
		else
			go_vendor_add(r, str_sub(line, arrow + 4, line.n),
				      str_sub(old, 0, str_find_char(old, ' ', 0)));
	}
	return NULL;
}
