#include "deps/pypi_requirement.h"

/*
 * conda and pixi: environment.yml with packages of conda, and below "pip:" requirements of pip;
 * pixi.toml; conda-lock.yml, pixi.lock and conda's explicit lockfiles.
 */

/* The value of version='…' in the brackets behind a name; empty: none. */
static struct str conda_brackets(struct str s)
{
	size_t open = str_find_char(s, '[', 0), at = str_find(s, STR("version"), open), end;
	struct str v;

	if (open == SIZE_MAX || at == SIZE_MAX)
		return STR("");
	v = str_trim(str_sub(s, at + 7, s.n));
	if (!str_starts(v, STR("=")))
		return STR("");
	v = str_trim(str_sub(v, 1, v.n));
	if (!v.n || (v.p[0] != '\'' && v.p[0] != '"'))
		return str_trim(reader_until(v, ",]"));
	end = str_find_char(v, v.p[0], 1);
	return end == SIZE_MAX ? STR("") : str_trim(str_sub(v, 1, end));
}

struct err *conda_spec(struct reader *r, const struct val *v)
{
	struct str s = str_trim(v->s), brackets = conda_brackets(s), name, version;
	size_t channel = str_find(s, STR("::"), 0);
	struct dep *d;

	if (channel != SIZE_MAX)
		s = str_sub(s, channel + 2, s.n);
	if (url_has_scheme(s))
		return reader_add_unresolved(r, s, reader_part_span(r, v, s),
					     "an address, which does not name its package");
	name = reader_until(s, " =<>!~[#");
	if (!name.n)
		return reader_error_at(r, v->at.from, "'%.*s' begins with no package name",
				       STR_ARG(str_sub(s, 0, 200)));
	d = reader_add_dep(r, name, reader_part_span(r, v, name));
	d->reach = DEPS_DIRECT;
	version = str_trim(reader_until(str_sub(s, name.n, s.n), "[#"));
	/* The build behind a second "=": name=1.2=py39_0. */
	if (version.n > 1 && version.p[0] == '=' && version.p[1] != '=')
		version = str_sub(version, 0, str_find_char(version, '=', 1));
	d->version = brackets.n ? brackets : version;
	return NULL;
}

/* A requirement of pip, which is all of o. */
static struct err *conda_pip_line(struct reader *r, struct origin o)
{
	r->ecosystem = DEPS_PYPI;
	TRY(pypi_line(r, &o, o.whole));
	r->ecosystem = DEPS_CONDA;
	return NULL;
}

static struct err *conda_pip(struct reader *r, const struct val *v)
{
	TRY(reader_require_entry_type(r, v, VAL_STR));
	return conda_pip_line(r, origin_of_toml_string(r, v));
}

static struct err *conda_dependency(struct reader *r, const struct val *v)
{
	static const struct tree_row pip = {"pip[]", .read = conda_pip};

	if (v->type != VAL_MAP) {
		TRY(reader_require_entry_type(r, v, VAL_STR));
		return conda_spec(r, v);
	}
	VAL_EACH(v, m)
		if (!str_is(m->key, "pip"))
			return reader_error_at(
				r, m->key_at.from,
				"ikm does not know the member '%.*s'; it knows 'pip'",
				STR_ARG(m->key));
	return reader_read_deps_by_table(r, v, &pip, 1);
}

TREE_READER(conda_environment, yaml, {"dependencies[]", .read = conda_dependency})

/* ---- pixi.toml ---- */

/* A range, or a table with "version". */
#define PIXI_ENTRY(of)                                                                             \
	.version = "version", .any = "*", .own = "path=.", .is = TREE_DIRECT | TREE_TEXT,          \
	.ecosystem = DEPS_##of

/* clang-format off */
TREE_TABLE(pixi_target,
	{"dependencies{}", PIXI_ENTRY(CONDA)},
	{"host-dependencies{}", PIXI_ENTRY(CONDA)},
	{"build-dependencies{}", PIXI_ENTRY(CONDA)},
	{"run-dependencies{}", PIXI_ENTRY(CONDA)},
	{"run-constraints{}", PIXI_ENTRY(CONDA)},
	{"constraints{}", PIXI_ENTRY(CONDA)},
	{"pypi-dependencies{}", PIXI_ENTRY(PYPI)})
/* clang-format on */

/* The tables, and those of each platform: target.linux-64.dependencies. */
TREE_TABLE(pixi_feature, {"", .read = pixi_target}, {"target{}", .read = pixi_target})

static struct err *pixi_backend(struct reader *r, const struct val *v)
{
	static const struct tree_row row = {"", .name = "name", .version = "version",
					    .is = TREE_DIRECT, .ecosystem = DEPS_CONDA};

	return reader_get_str(v, "name") ? reader_read_deps_by_table(r, v, &row, 1) : NULL;
}

struct err *pixi_tables(struct reader *r, const struct val *v)
{
	static const struct tree_row rows[] = {{"", .read = pixi_feature},
					       {"feature{}", .read = pixi_feature},
					       {"package", .read = pixi_feature},
					       {"package.build.backend", .read = pixi_backend}};

	return reader_read_deps_by_table(r, v, rows, ARRAY_SIZE(rows));
}

TREE_READER(pixi_manifest, toml, {"", .read = pixi_tables})

/* ---- locks ---- */

/* An address, when the entry itself does not name its package. */
static struct err *pixi_address(struct reader *r, enum deps_ecosystem ecosystem, struct str url,
				struct span at)
{
	struct str name, version, s = reader_until(url, "#");
	bool known;

	if (ecosystem == DEPS_PYPI) {
		known = url_pypi_file(url, &name, &version);
	} else {
		/* NAME-VERSION-BUILD.conda or .tar.bz2, as the last part of the address. */
		size_t end = reader_suffix_word_length(s, ".conda|.tar.bz2"), dash, second;

		s = str_sub(s, str_rfind_char(s, '/') + 1, s.n - end);
		dash = str_rfind_char(s, '-');
		second = dash == SIZE_MAX ? 0 : str_rfind_char(str_sub(s, 0, dash), '-');
		known = end && second && second != SIZE_MAX;
		name = str_sub(s, 0, second);
		version = str_sub(s, second + 1, dash);
	}
	if (!known)
		return reader_add_unresolved(r, url, at,
					     "an address, which does not name its package");
	if (at.to - at.from == url.n) {
		at.from += (size_t)(name.p - url.p);
		at.to = at.from + name.n;
	}
	reader_set_locked_version(reader_add_dep_in_ecosystem(r, ecosystem, name, at), version);
	return NULL;
}

/* - conda: URL, - pypi: URL; before version 6 "kind", "name" and "url". */
static struct err *pixi_package(struct reader *r, const struct val *v)
{
	const struct val *name = reader_get_str(v, "name"), *url = val_get(v, "conda");
	enum deps_ecosystem ecosystem = DEPS_CONDA;

	TRY(reader_require_entry_type(r, v, VAL_MAP));
	if (val_get(v, "pypi") || str_is(val_get_str(v, "kind"), "pypi"))
		ecosystem = DEPS_PYPI;
	if (!url)
		url = val_get(v, "pypi");
	if (!url)
		url = val_get(v, "url");
	if (name)
		reader_set_locked_version(reader_add_dep_in_ecosystem(r, ecosystem, name->s,
								      reader_val_span(r, name)),
					  val_get_str(v, "version"));
	else if (!url || url->type != VAL_STR)
		return reader_error_at(r, v->at.from, "a package has no name and no address");
	else if (!str_starts(url->s, STR("."))) /* a folder of the project itself */
		return pixi_address(r, ecosystem, url->s, reader_val_span(r, url));
	return NULL;
}

TREE_READER(pixi_lock, yaml, {"packages[]", .read = pixi_package})

static struct err *conda_locked(struct reader *r, const struct val *v, struct dep *d)
{
	if (str_is(val_get_str(v, "manager"), "pip")) {
		d->ecosystem = DEPS_PYPI;
		d->normal = deps_normal(r->a, DEPS_PYPI, d->name);
	}
	return NULL;
}

TREE_READER(conda_lock, yaml,
	    {"package[]", .name = "name", .version = "version", .is = TREE_LOCKED,
	     .each = conda_locked})

/* One address a line; packages of pip stand in comments: "# pip NAME @ URL". */
static struct err *conda_address(struct reader *r, struct str line)
{
	struct span at = reader_slice_span(r, line);

	if (str_starts(line, STR("# pip ")))
		return conda_pip_line(r, (struct origin){.whole = str_sub(line, 6, line.n),
							 .at = {at.from + 6, at.to},
							 .exact = true});
	return line.n && line.p[0] != '#' && line.p[0] != '@'
		       ? pixi_address(r, DEPS_CONDA, line, at)
		       : NULL;
}

LINE_READER(conda_explicit, conda_address)
