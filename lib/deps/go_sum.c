#include "deps/reader.h"

/*
 * go.sum, go.work.sum and vendor/modules.txt. go.sum has the content of a module that a build uses,
 * or only its go.mod file, which Go reads for the graph of modules: such a line is no package.
 */

static struct err *go_sum_line(struct reader *r, struct str line)
{
	struct str name, rest, version, sum;

	if (!line.n)
		return NULL;
	reader_cut(line, ' ', 0, &name, &rest);
	reader_cut(rest, ' ', 0, &version, &sum);
	if (!name.n || !str_starts(sum, STR("h1:")))
		return reader_bad_line(r, line, "is no module with its version and checksum");
	if (!str_ends(version, STR("/go.mod"))) {
		reader_add_slice(r, name)->version = version;
		r->out->p[r->out->n - 1].locked = true;
	}
	return NULL;
}

struct err *go_sum(struct reader *r)
{
	return reader_lines(r, go_sum_line);
}

/* ---- vendor/modules.txt ---- */

/* The next word of the line; empty: none. */
static struct str go_vendor_word(struct str *rest)
{
	struct str word = {"", 0};

	while (rest->n && !word.n)
		str_split(rest, ' ', &word);
	return word;
}

static bool go_vendor_is_version(struct str s)
{
	return s.n > 1 && s.p[0] == 'v' && ascii_is_digit(s.p[1]);
}

static void go_vendor_add(struct reader *r, struct str name, struct str version, struct str written)
{
	struct dep *d = reader_add_slice(r, name);

	d->reach = DEPS_TRANSITIVE; /* until a line says "explicit" */
	d->written = written;
	reader_lock(d, version);
}

/*
 * "MODULE VERSION", "MODULE VERSION => MODULE VERSION", "MODULE => ./FOLDER". Go skips a line in
 * any other form, and so does ikm.
 */
static void go_vendor_module(struct reader *r, struct str line)
{
	struct str name = go_vendor_word(&line), version = go_vendor_word(&line), arrow = version;
	struct str to, to_version;

	if (go_vendor_is_version(version))
		arrow = go_vendor_word(&line);
	else
		version = STR("");
	to = go_vendor_word(&line);
	to_version = go_vendor_word(&line);
	if (!str_is(arrow, "=>") || !to.n) {
		if (version.n)
			go_vendor_add(r, name, version, STR(""));
	} else if (!to_version.n && (to.p[0] == '.' || to.p[0] == '/')) {
		/* A folder replaces the module: its code is compiled under the module's name. */
		go_vendor_add(r, name, version, STR(""));
	} else if (go_vendor_is_version(to_version)) {
		go_vendor_add(r, to, to_version, str_eq(to, name) ? STR("") : name);
	} else if (version.n) {
		go_vendor_add(r, name, version, STR(""));
	}
}

/* "# MODULE …", "## explicit; go 1.20", packages */
struct err *go_vendor(struct reader *r)
{
	struct str rest = r->text, line;
	size_t last = 0;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("## "))) {
			for (; str_find(line, STR("explicit"), 0) != SIZE_MAX && last < r->out->n;
			     last++)
				r->out->p[last].reach = DEPS_DIRECT;
		} else if (str_starts(line, STR("# "))) {
			last = r->out->n;
			go_vendor_module(r, str_sub(line, 2, line.n));
		}
	}
	return NULL;
}
