/*
 * The table of the ecosystems, and what its rows name: how names are compared and shortened, and
 * the grammar of what people type to install a package: "npm install NAME@RANGE", "pip install
 * 'NAME[EXTRA]>=1'". The readers of manifests do the work where a manifest has the same grammar.
 */
#include "deps/ecosystem.h"
#include "deps/npm.h"
#include "deps/pypi_requirement.h"

/* ---- how names are compared ---- */

static struct str name_exact(struct arena *a, struct str name)
{
	(void)a;
	return name;
}

static struct str name_lower(struct arena *a, struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (ascii_is_upper(name.p[i]))
			return str_lower(a, name);
	return name;
}

/* PEP 503: runs of - _ . become one dash, in lower case. Most names already have this form. */
static struct str name_pypi(struct arena *a, struct str name)
{
	size_t i = 0, n = 0;
	char *p;

	while (i < name.n && !ascii_is_upper(name.p[i]) && name.p[i] != '_' && name.p[i] != '.' &&
	       !(name.p[i] == '-' && i && name.p[i - 1] == '-'))
		i++;
	if (i == name.n)
		return name;
	p = arena_alloc(a, name.n);
	for (i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (c != '-' && c != '_' && c != '.')
			p[n++] = ascii_lower(c);
		else if (!n || p[n - 1] != '-')
			p[n++] = '-';
	}
	return (struct str){p, n};
}

static struct str name_cargo(struct arena *a, struct str name)
{
	return str_holds(name, "-") ? reader_replace_chars(a, str_lower(a, name), "-", '_')
				    : name_lower(a, name);
}

/* "example.org/m/v2" and "gopkg.in/m.v2" are major versions of one module. */
static struct str name_go(struct arena *a, struct str name)
{
	size_t i = name.n;
	char before;

	(void)a;
	while (i && ascii_is_digit(name.p[i - 1]))
		i--;
	if (i == name.n || i < 3 || name.p[i - 1] != 'v' || name.p[i] == '0')
		return name;
	before = name.p[i - 2];
	return (before == '/' && !str_is(str_sub(name, i, name.n), "1")) ||
			       (before == '.' && str_starts(name, STR("gopkg.in/")))
		       ? str_sub(name, 0, i - 2)
		       : name;
}

/* Docker's own registry, and its official images, may be named or left out. */
static struct str name_docker(struct arena *a, struct str name)
{
	(void)a;
	name = reader_skip_prefix(name, "docker.io/|index.docker.io/|registry-1.docker.io/");
	return reader_skip_prefix(name, "library/");
}

/* The registries of Terraform and OpenTofu may be named or left out. */
static struct str name_terraform(struct arena *a, struct str name)
{
	return name_lower(
		a, reader_skip_prefix(name, "registry.terraform.io/|registry.opentofu.org/"));
}

/* ---- shorter names ---- */

static struct str brief_none(struct str name)
{
	(void)name;
	return STR("");
}

/* "group:artifact" */
static struct str brief_artifact(struct str name)
{
	size_t at = str_find_char(name, ':', 0);

	return at == SIZE_MAX ? STR("") : str_sub(name, at + 1, name.n);
}

/* The last part of a path or an address. */
static struct str brief_last(struct str name)
{
	size_t at = str_rfind_char(name, '/');

	return at == SIZE_MAX ? STR("") : str_sub(name, at + 1, name.n);
}

/* ---- what people type ---- */

/* Letters, digits, and the characters of `more`; all of them. */
static bool typed_is_all(struct str s, const char *more)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && (!s.p[i] || !strchr(more, s.p[i])))
			return false;
	return true;
}

/* The same, behind a letter or a digit. */
static bool typed_is_name(struct str s, const char *more)
{
	return s.n && ascii_is_alnum(s.p[0]) && typed_is_all(s, more);
}

/* A range of the ecosystem, or one word: a tag, a branch. */
static bool typed_is_version(struct reader *r, struct str s)
{
	struct deps_range *range;

	return typed_is_all(s, "._+-/!") ? s.n > 0 : !deps_range_new(r->a, r->ecosystem, s, &range);
}

/* Lists `name`; behind one of the marks follows its version. */
static const char *typed_add(struct reader *r, struct str s, const char *more, const char *marks,
			     const char *why)
{
	struct str name = reader_until(s, marks), version = str_sub(s, name.n + 1, s.n);
	bool given = name.n < s.n;

	if (given) {
		name = str_trim(name);
		version = str_trim(version);
	}
	if (!typed_is_name(name, more) || (given && !typed_is_version(r, version)))
		return why;
	reader_add_dep(r, name, (struct span){0, name.n})->version = version;
	return NULL;
}

/* "NAME -v VERSION", "NAME --version=VERSION": the version becomes "NAME@VERSION" of `mark`. */
static struct str typed_option(struct reader *r, struct str s, char mark)
{
	static const char *const options[] = {" --version=", " --version ", " --vers ", " -v "};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		size_t at = str_find(s, str_of(options[i]), 0);

		if (at != SIZE_MAX)
			return str_fmt(r->a, "%.*s%c%.*s", STR_ARG(str_trim(str_sub(s, 0, at))),
				       mark,
				       STR_ARG(str_trim(str_sub(s, at + strlen(options[i]), s.n))));
	}
	return s;
}

static const char *typed_word(struct reader *r, struct str s)
{
	return typed_add(r, s, "._-", "@", "a package is written NAME or NAME@VERSION");
}

static const char *typed_cargo(struct reader *r, struct str s)
{
	return typed_add(r, typed_option(r, s, '@'), "_-", "@",
			 "a crate is written NAME or NAME@VERSION");
}

static const char *typed_gem(struct reader *r, struct str s)
{
	return typed_add(r, typed_option(r, s, ':'), "._-", ":",
			 "a gem is written NAME, NAME:VERSION or NAME -v VERSION");
}

static const char *typed_nuget(struct reader *r, struct str s)
{
	return typed_add(r, typed_option(r, s, '@'), "._-", "@/,",
			 "a package is written NAME, NAME@VERSION or NAME/VERSION");
}

static const char *typed_pub(struct reader *r, struct str s)
{
	return typed_add(r, reader_skip_prefix(s, "dev:|override:"), "_", ":",
			 "a package is written NAME or NAME:VERSION");
}

/* The brackets behind a name, if there are any, have names: extras and features. */
static bool typed_has_names(struct str s)
{
	size_t open = str_find_char(s, '[', 0), end = str_find_char(s, ']', 0);

	return open == SIZE_MAX ||
	       (end != SIZE_MAX &&
		typed_is_all(str_sub(s, open + 1, size_max(open + 1, end)), "._-,* "));
}

/* NAME[FEATURES]:TRIPLET */
static const char *typed_vcpkg(struct reader *r, struct str s)
{
	static const char why[] = "a port is written NAME, NAME[FEATURE] or NAME:TRIPLET";
	size_t open = str_find_char(s, '[', 0), end = str_find_char(s, ']', 0), colon;
	struct str triplet;

	if (open != SIZE_MAX) {
		if (end == SIZE_MAX || end < open || !typed_has_names(s))
			return why;
		s = str_fmt(r->a, "%.*s%.*s", STR_ARG(str_sub(s, 0, open)),
			    STR_ARG(str_sub(s, end + 1, s.n)));
	}
	colon = str_find_char(s, ':', 0);
	triplet = colon == SIZE_MAX ? STR("x-y") : str_sub(s, colon + 1, s.n);
	/* "20-alpine" and "v20-alpine" are tags of images. */
	if (!typed_is_name(triplet, "-") || str_find_char(triplet, '-', 0) == SIZE_MAX ||
	    !ascii_is_letter(triplet.p[0]) || (triplet.p[0] == 'v' && ascii_is_digit(triplet.p[1])))
		return why;
	return typed_add(r, str_sub(s, 0, colon), "-", "@", why);
}

/* NAME/VERSION@USER/CHANNEL#REVISION, NAME/[RANGE] */
static const char *typed_conan(struct reader *r, struct str s)
{
	static const char why[] = "a recipe is written NAME, NAME/VERSION or NAME/[RANGE]";
	size_t slash = str_find_char(s, '/', 0), end = slash;
	struct str version;

	if (slash == SIZE_MAX)
		return typed_add(r, s, "_+.-", "", why);
	version = str_sub(s, slash + 1, s.n);
	if (str_starts(version, STR("["))) {
		end = str_find_char(version, ']', 0);
		version = str_sub(version, 1, end);
		if (end == SIZE_MAX)
			return why;
	} else {
		for (end = 0; end < version.n && !strchr("@#%", version.p[end]);)
			end++;
		version = str_sub(version, 0, end);
	}
	return typed_add(
		r, str_fmt(r->a, "%.*s/%.*s", STR_ARG(str_sub(s, 0, slash)), STR_ARG(version)),
		"_+.-", "/", why);
}

/* ---- what people type: npm ---- */

static bool typed_is_npm_name(struct str s)
{
	size_t slash = str_find_char(s, '/', 0);

	if (!str_starts(s, STR("@")))
		return typed_is_name(s, "._~!'()*-");
	return slash != SIZE_MAX && typed_is_name(str_sub(s, 1, slash), "._~!'()*-") &&
	       typed_is_name(str_sub(s, slash + 1, s.n), "._~!'()*-");
}

/* NAME@SPEC, where SPEC may name another package; an address gives the name of its repository. */
static const char *typed_npm(struct reader *r, struct str s)
{
	static const char why[] = "a package is written NAME, @SCOPE/NAME, NAME@RANGE or "
				  "ALIAS@npm:NAME@RANGE";
	struct deps_range *range;
	struct npm_spec spec = {0};
	struct str name, value;

	s = reader_skip_prefix(s, "jsr:");
	npm_split_at(s, &name, &value);
	if (!typed_is_npm_name(name)) {
		/* Places that npm installs from: URLs, and OWNER/NAME of a host. */
		size_t slash = str_find_char(s, '/', 0);

		if (!reader_starts_with_any_of(s, "github:|gitlab:|bitbucket:") &&
		    !url_has_scheme(s) && !url_is_scp(s) &&
		    (slash == SIZE_MAX || !typed_is_name(str_sub(s, 0, slash), "-_.") ||
		     !typed_is_name(str_sub(s, slash + 1, s.n), "-_.#")))
			return why;
		name = url_repo_name(url_decoded(r->a, s));
		value = s;
		if (!typed_is_npm_name(name))
			return why;
	} else if (name.n < s.n && !value.n) {
		return why;
	}
	spec.key = name;
	if (!value.n) {
		reader_add_dep(r, name, (struct span){0});
		return NULL;
	}
	for (size_t i = 0; i < value.n; i++)
		if (ascii_is_any_space(value.p[i]) && deps_range_new(r->a, DEPS_NPM, value, &range))
			return why;
	spec.value = val_str(r->a, value);
	if (npm_spec_add(r, &spec))
		return why;
	for (size_t i = 0; i < r->out->n; i++)
		if (!typed_is_npm_name(r->out->p[i].name))
			return why;
	return NULL;
}

/* ---- what people type: PyPI ---- */

/* PEP 508, addresses, and Poetry's NAME@RANGE. */
static const char *typed_pypi(struct reader *r, struct str s)
{
	static const char why[] =
		"a requirement is written NAME, NAME[EXTRA]>=VERSION or NAME @ URL";
	struct origin o = {.whole = s, .at = {0, s.n}, .exact = true};
	size_t at = str_find_char(s, '@', 0);
	struct str version = at == SIZE_MAX ? STR("") : str_trim(str_sub(s, at + 1, s.n));
	bool address = pypi_is_address(s), range;

	range = !address && version.n && !pypi_is_address(version) && typed_is_version(r, version);
	if (version.n && !range && !address && !pypi_is_address(version))
		return why;
	if (!address && !typed_has_names(str_sub(s, 0, at)))
		return why;
	if (address ? !!pypi_add_address(r, &o, s)
		    : !!pypi_requirement(r, &o, range ? str_sub(s, 0, at) : s))
		return why;
	for (size_t i = 0; i < r->out->n; i++)
		if (range)
			r->out->p[i].version = version;
	return NULL;
}

/* ---- what people type: addresses ---- */

/* A path such as "example.org/owner/name", or a URL of it; "@" or "#" and a version behind it. */
static const char *typed_path(struct reader *r, struct str s, const char *why)
{
	size_t at = str_find(s, STR("://"), 0), end;
	struct str name = s, version = {"", 0};

	end = url_is_scp(s) ? str_find_char(s, ':', 0)
			    : str_find_char(s, '/', at == SIZE_MAX ? 0 : at + 3);
	end = end == SIZE_MAX ? 0 : end;
	while (end < s.n && s.p[end] != '@' && s.p[end] != '#')
		end++;
	if (end < s.n) {
		name = str_sub(s, 0, end);
		version = str_sub(s, end + 1, s.n);
	}
	name.n -= reader_suffix_word_length(name, "/...");
	if ((url_has_scheme(s) || url_is_scp(s)) && !url_repo_address(r->a, name, &name))
		return why;
	name.n -= reader_suffix_word_length(name, ".git");
	if (!typed_is_name(name, "._~/:+-") || str_ends(name, STR("/")) ||
	    str_find(name, STR("//"), 0) != SIZE_MAX ||
	    (end < s.n && !typed_is_version(r, version)))
		return why;
	reader_add_dep(r, name, (struct span){0})->version = version;
	return NULL;
}

static const char *typed_address(struct reader *r, struct str s)
{
	return typed_path(r, s, "a package is written as its address, HOST/OWNER/NAME");
}

static const char *typed_go(struct reader *r, struct str s)
{
	static const char why[] = "a module is written PATH or PATH@VERSION";

	return str_find_char(s, ':', 0) != SIZE_MAX && !url_has_scheme(s) ? why
									  : typed_path(r, s, why);
}

/* OWNER/NAME[/PATH]@REF */
static const char *typed_github(struct reader *r, struct str s)
{
	static const char why[] = "an action is written OWNER/NAME@REF";
	const char *wrong = typed_path(r, s, why);
	struct dep *d = r->out->p;
	size_t slash;

	if (wrong)
		return wrong;
	d->name = reader_skip_prefix(d->name, "github.com/");
	slash = str_find_char(d->name, '/', 0);
	if (slash == SIZE_MAX || str_find_char(d->name, ':', 0) != SIZE_MAX)
		return why;
	slash = str_find_char(d->name, '/', slash + 1);
	if (slash != SIZE_MAX)
		d->written = d->name;
	d->name = str_sub(d->name, 0, slash);
	return NULL;
}

/* [HOST/]NAMESPACE/NAME of a provider, [HOST/]NAMESPACE/NAME/PROVIDER of a module. */
static const char *typed_terraform(struct reader *r, struct str s)
{
	static const char why[] = "a provider is written NAMESPACE/NAME, a module "
				  "NAMESPACE/NAME/PROVIDER";

	return typed_path(r, reader_until(reader_skip_prefix(s, "git::"), "?"), why);
}

/* [REGISTRY/]PATH[:TAG][@DIGEST] */
static const char *typed_docker(struct reader *r, struct str s)
{
	static const char why[] = "an image is written [REGISTRY/]NAME[:TAG][@DIGEST]";
	struct str image, digest;
	struct dep *d;

	if (reader_split_at(s, '@', 0, &image, &digest) &&
	    !reader_starts_with_any_of(digest, "sha256:|sha512:"))
		return why;
	s = reader_skip_prefix(s, "docker://|oci://");
	d = image_add_dependency(r, s, (struct span){0, r->text.n});
	if (!d || !typed_is_name(d->name, "._/:-"))
		return why;
	return !typed_is_all(d->version, "._-") || str_ends(s, STR(":")) ? why : NULL;
}

/* ---- what people type: the others ---- */

/* GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION of Maven; Gradle has the classifier last. */
static const char *typed_maven(struct reader *r, struct str s)
{
	static const char why[] = "an artifact is written GROUP:ARTIFACT or GROUP:ARTIFACT:VERSION";
	struct str rest = str_sub(s, 0, str_find_char(s, '@', 0)), part[5], version = {"", 0};
	size_t n = 0;

	while (str_next_part(&rest, ':', &part[n]))
		if (!part[n].n || ++n == ARRAY_SIZE(part))
			break;
	if (!n || rest.n || str_ends(s, STR(":")) || str_ends(s, STR("@")) ||
	    (n < 3 && str_find_char(s, '@', 0) != SIZE_MAX))
		return why;
	for (size_t i = 0; i < n && i < 2; i++)
		if (!typed_is_name(part[i], "._-"))
			return why;
	if (n == 3 || (n == 4 && ascii_is_digit(part[2].p[0])))
		version = part[2];
	else if (n > 3)
		version = part[n - 1];
	if (!typed_is_all(version, "._+-[](),!"))
		return why;
	reader_add_dep(r, n > 1 ? str_sub(s, 0, part[0].n + 1 + part[1].n) : part[0],
		       (struct span){0})
		->version = version;
	return NULL;
}

/* VENDOR/NAME, or a part of PHP, before one of ":", "=", "@" and a blank, and the version. */
static const char *typed_composer(struct reader *r, struct str s)
{
	static const char why[] =
		"a package is written VENDOR/NAME or VENDOR/NAME:VERSION, a part of PHP ext-NAME";
	struct dep *d;
	size_t slash;

	if (typed_add(r, s, "._/-", ":=@ ", why))
		return why;
	d = r->out->p;
	d->kind = composer_kind(d->name);
	slash = str_find_char(d->name, '/', 0);
	if (slash == SIZE_MAX ? !composer_is_platform(d->name)
			      : str_find_char(d->name, '/', slash + 1) != SIZE_MAX)
		return why;
	return NULL;
}

/* CHANNEL::NAME=VERSION=BUILD, "NAME>=VERSION", "NAME VERSION" */
static const char *typed_conda(struct reader *r, struct str s)
{
	static const char why[] = "a package is written NAME, NAME=VERSION or CHANNEL::NAME";
	size_t open = str_find_char(s, '[', 0);
	struct str version;

	/* Brackets end the name, and have members: NAME[version='>=1']. */
	if (open != SIZE_MAX && (!str_ends(s, STR("]")) || str_find_char(s, '=', open) == SIZE_MAX))
		return why;
	if (conda_spec(r, val_str(r->a, s)) || r->out->n != 1 ||
	    !typed_is_name(r->out->p[0].name, "._-"))
		return why;
	version = r->out->p[0].version;
	/* A word behind a blank is prose. */
	return version.n && (ascii_is_letter(version.p[0]) || !typed_is_version(r, version)) ? why
											     : NULL;
}

/* ---- the table ---- */

const char *const deps_ecosystems[] = {
#define X(e, name, ...) name,
	DEPS_ECOSYSTEM_ROWS(X)
#undef X
		NULL};

const char *const deps_kinds[] = {DEPS_KINDS(ENUM_NAME) NULL};

const struct ecosystem ecosystems[DEPS_ECOSYSTEMS] = {
#define X(e, name, other, compares, brief, versions, typed)                                        \
	{other, name_##compares, brief_##brief, &versions_##versions, typed_##typed},
	DEPS_ECOSYSTEM_ROWS(X)
#undef X
};

enum deps_ecosystem deps_ecosystem_by_name(struct str name)
{
	for (unsigned e = 0; e < DEPS_ECOSYSTEMS; e++) {
		struct str others = str_of(ecosystems[e].other_names), other;

		if (str_ieq(name, str_of(deps_ecosystems[e])))
			return e;
		while (str_next_part(&others, ' ', &other))
			if (str_ieq(name, other))
				return e;
	}
	return DEPS_UNKNOWN;
}

struct str deps_normal(struct arena *a, enum deps_ecosystem e, struct str name)
{
	return ecosystems[e].normal(a, name);
}

struct str deps_short_name(enum deps_ecosystem e, struct str name)
{
	return ecosystems[e].brief(name);
}
