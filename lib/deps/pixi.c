#include "deps/pypi.h"

/* pixi.toml and pixi.lock, conda-lock.yml, and conda's explicit lockfiles. */

/* ---- pixi.toml ---- */

/* A member of a table of dependencies: a range, or a table with "version". */
static struct err *pixi_entry(struct reader *r, const struct val *v)
{
	struct val *version = NULL;
	struct dep *d;

	if (v->type == VAL_MAP)
		TRY(reader_member(r, v, "the package", "version", VAL_STR, &version));
	else
		TRY(reader_want(r, v, VAL_STR, "'%.*s'", STR_ARG(v->key)));
	if (str_is(val_get_str(v, "path"), ".")) /* the project itself */
		return NULL;
	d = reader_add(r, v->key, reader_key_span(r, v));
	d->reach = DEPS_DIRECT;
	d->version = v->type == VAL_STR ? v->s : version ? version->s : STR("");
	if (str_is(d->version, "*"))
		d->version = STR("");
	return NULL;
}

static struct err *pixi_table(struct reader *r, const struct val *in, const char *key,
			      enum deps_ecosystem ecosystem)
{
	struct val *table;

	TRY(reader_member(r, in, "", key, VAL_MAP, &table));
	r->ecosystem = ecosystem;
	VAL_EACH(table, v)
		TRY(pixi_entry(r, v));
	r->ecosystem = DEPS_CONDA;
	return NULL;
}

static struct err *pixi_tables(struct reader *r, const struct val *in)
{
	static const char *const keys[] = {"dependencies",       "host-dependencies",
					   "build-dependencies", "run-dependencies",
					   "run-constraints",    "constraints"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		TRY(pixi_table(r, in, keys[i], DEPS_CONDA));
	return pixi_table(r, in, "pypi-dependencies", DEPS_PYPI);
}

/* The tables, and those of each platform: target.linux-64.dependencies. */
static struct err *pixi_targets(struct reader *r, const struct val *in)
{
	struct val *targets;

	TRY(pixi_tables(r, in));
	TRY(reader_member(r, in, "", "target", VAL_MAP, &targets));
	VAL_EACH(targets, target) {
		TRY(reader_want(r, target, VAL_MAP, "target.%.*s", STR_ARG(target->key)));
		TRY(pixi_tables(r, target));
	}
	return NULL;
}

static struct err *pixi_tool_read(struct reader *r, const struct val *top)
{
	struct val *features, *package;
	const struct val *name, *backend;

	TRY(pixi_targets(r, top));
	TRY(reader_member(r, top, "", "feature", VAL_MAP, &features));
	VAL_EACH(features, feature) {
		TRY(reader_want(r, feature, VAL_MAP, "feature.%.*s", STR_ARG(feature->key)));
		TRY(pixi_targets(r, feature));
	}
	TRY(reader_member(r, top, "", "package", VAL_MAP, &package));
	TRY(pixi_targets(r, package));
	backend = val_get(val_get(package, "build"), "backend");
	name = val_get(backend, "name");
	if (name && name->type == VAL_STR) {
		struct dep *d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));

		d->reach = DEPS_DIRECT;
		d->version = val_get_str(backend, "version");
	}
	return NULL;
}

struct err *pixi_tool(struct reader *r, const struct val *top)
{
	enum deps_ecosystem own = r->ecosystem;

	r->ecosystem = DEPS_CONDA;
	TRY(pixi_tool_read(r, top));
	r->ecosystem = own;
	return NULL;
}

struct err *pixi_manifest(struct reader *r)
{
	struct val *top;

	TRY(reader_toml(r, &top));
	return pixi_tool(r, top);
}

/* ---- locks ---- */

/* NAME-VERSION-BUILD.conda or .tar.bz2, as the last part of an address. */
static bool pixi_archive(struct str url, struct str *name, struct str *version)
{
	size_t end = str_find_char(url, '#', 0), slash, dash, second;
	struct str s = str_sub(url, 0, end);

	slash = str_rfind_char(s, '/');
	s = slash == SIZE_MAX ? s : str_sub(s, slash + 1, s.n);
	if (str_ends(s, STR(".conda")))
		s.n -= 6;
	else if (str_ends(s, STR(".tar.bz2")))
		s.n -= 8;
	else
		return false;
	dash = str_rfind_char(s, '-');
	second = dash == SIZE_MAX ? dash : str_rfind_char(str_sub(s, 0, dash), '-');
	if (second == SIZE_MAX || !second)
		return false;
	*name = str_sub(s, 0, second);
	*version = str_sub(s, second + 1, dash);
	return true;
}

static void pixi_locked(struct reader *r, enum deps_ecosystem ecosystem, struct str name,
			struct str version, struct span at)
{
	struct dep *d;

	r->ecosystem = ecosystem;
	d = reader_add(r, name, at);
	r->ecosystem = DEPS_CONDA;
	d->version = version;
	d->locked = version.n > 0;
}

/* An address, when the entry itself does not name its package. */
static void pixi_address(struct reader *r, enum deps_ecosystem ecosystem, struct str url,
			 struct span at)
{
	struct str name, version;
	bool known = ecosystem == DEPS_PYPI ? url_pypi_file(url, &name, &version)
					    : pixi_archive(url, &name, &version);

	if (!known) {
		reader_unresolved(r, url, at, "an address, which does not name its package");
		return;
	}
	if (at.to - at.from == url.n) {
		at.from += (size_t)(name.p - url.p);
		at.to = at.from + name.n;
	}
	pixi_locked(r, ecosystem, name, version, at);
}

/* - conda: URL, - pypi: URL; before version 6 "kind", "name" and "url". */
static struct err *pixi_package(struct reader *r, const struct val *v)
{
	const struct val *conda, *pypi, *name, *url;
	bool python;

	TRY(reader_want(r, v, VAL_MAP, "an item of packages"));
	conda = val_get(v, "conda");
	pypi = val_get(v, "pypi");
	name = val_get(v, "name");
	python = pypi || str_is(val_get_str(v, "kind"), "pypi");
	url = conda ? conda : pypi ? pypi : val_get(v, "url");
	if (name && name->type == VAL_STR) {
		pixi_locked(r, python ? DEPS_PYPI : DEPS_CONDA, name->s, val_get_str(v, "version"),
			    reader_span(r, name->at, name->s, name->s));
		return NULL;
	}
	if (!url || url->type != VAL_STR)
		return reader_bad(r, v->at.from, "a package has no name and no address");
	/* A folder of the project itself. */
	if (str_starts(url->s, STR(".")))
		return NULL;
	pixi_address(r, python ? DEPS_PYPI : DEPS_CONDA, url->s,
		     reader_span(r, url->at, url->s, url->s));
	return NULL;
}

struct err *pixi_lock(struct reader *r)
{
	struct val *top, *packages;

	TRY(reader_yaml(r, &top));
	TRY(reader_member(r, top, "", "packages", VAL_LIST, &packages));
	VAL_EACH(packages, v)
		TRY(pixi_package(r, v));
	return NULL;
}

struct err *conda_lock(struct reader *r)
{
	struct val *top, *packages, *name;

	TRY(reader_yaml(r, &top));
	TRY(reader_member(r, top, "", "package", VAL_LIST, &packages));
	VAL_EACH(packages, v) {
		TRY(reader_want(r, v, VAL_MAP, "an item of package"));
		TRY(reader_member(r, v, "package", "name", VAL_STR, &name));
		if (!name)
			return reader_bad(r, v->at.from, "a package has no name");
		pixi_locked(r, str_is(val_get_str(v, "manager"), "pip") ? DEPS_PYPI : DEPS_CONDA,
			    name->s, val_get_str(v, "version"),
			    reader_span(r, name->at, name->s, name->s));
	}
	return NULL;
}

/* One address a line; packages of pip stand in comments: "# pip NAME @ URL". */
struct err *conda_explicit(struct reader *r)
{
	struct str rest = r->text, line;

	while (str_line(&rest, &line)) {
		size_t from;

		line = str_trim(line);
		from = (size_t)(line.p - r->text.p);
		if (str_starts(line, STR("# pip "))) {
			struct str s = str_sub(line, 6, line.n);
			struct origin o = {
				.whole = s, .at = {from + 6, from + line.n}, .exact = true};

			r->ecosystem = DEPS_PYPI;
			TRY(pypi_line(r, &o, s));
			r->ecosystem = DEPS_CONDA;
		} else if (line.n && line.p[0] != '#' && line.p[0] != '@') {
			pixi_address(r, DEPS_CONDA, line, (struct span){from, from + line.n});
		}
	}
	return NULL;
}
