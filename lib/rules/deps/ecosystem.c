#include "deps/ecosystem.h"

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
