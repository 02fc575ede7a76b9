#include "deps/reader.h"

#define BYTES_MAX ((size_t)64 << 20)

const char *const deps_ecosystems[] = {DEPS_ECOSYSTEM_NAMES(ENUM_NAME) NULL};

static const struct {
	const char *name;
	enum deps_ecosystem e;
} other_names[] = {
	{"node", DEPS_NPM},         {"nodejs", DEPS_NPM},         {"javascript", DEPS_NPM},
	{"python", DEPS_PYPI},      {"pip", DEPS_PYPI},           {"golang", DEPS_GO},
	{"crates.io", DEPS_CARGO},  {"crates", DEPS_CARGO},       {"rust", DEPS_CARGO},
	{"java", DEPS_MAVEN},       {"gradle", DEPS_MAVEN},       {"dart", DEPS_PUB},
	{"elixir", DEPS_HEX},       {"dotnet", DEPS_NUGET},       {"csharp", DEPS_NUGET},
	{"php", DEPS_COMPOSER},     {"packagist", DEPS_COMPOSER}, {"rubygems", DEPS_GEM},
	{"ruby", DEPS_GEM},         {"bundler", DEPS_GEM},        {"oci", DEPS_DOCKER},
	{"container", DEPS_DOCKER}, {"opentofu", DEPS_TERRAFORM}, {"tofu", DEPS_TERRAFORM}};

enum deps_ecosystem deps_ecosystem_of(struct str name)
{
	for (unsigned e = 0; e < DEPS_ECOSYSTEMS; e++)
		if (str_ieq(name, str_of(deps_ecosystems[e])))
			return e;
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++)
		if (str_ieq(name, str_of(other_names[i].name)))
			return other_names[i].e;
	return DEPS_UNKNOWN;
}

/* npm, pip and cargo all skip a byte order mark. Blanks in its place keep every offset. */
static struct str without_bom(struct arena *a, struct str text)
{
	char *p;

	if (!str_starts(text, STR("\xef\xbb\xbf")))
		return text;
	p = str_c(a, text);
	memset(p, ' ', 3);
	return (struct str){p, text.n};
}

static int unresolved_cmp(const void *a, const void *b)
{
	const struct deps_unresolved *x = a, *y = b;
	int c = (x->at.from > y->at.from) - (x->at.from < y->at.from);

	return c ? c : str_cmp(x->name, y->name);
}

/* In the order of the file, each with its line and column. */
static void unresolved_settle(struct deps *out, struct str text)
{
	struct places w = {.text = text};

	if (out->unresolved.n)
		qsort(out->unresolved.p, out->unresolved.n, sizeof(*out->unresolved.p),
		      unresolved_cmp);
	for (size_t i = 0; i < out->unresolved.n; i++)
		out->unresolved.p[i].place = str_places(&w, out->unresolved.p[i].at.from);
}

/* Other texts have such names too, so a text that does not parse is unresolved and no error. */
static void unresolved_text(struct reader *r, size_t max)
{
	struct str rest = r->text, line;
	size_t at;

	for (size_t n = r->bad.line; n > 1 && str_line(&rest, &line);)
		n--;
	at = size_min((size_t)(rest.p - r->text.p) + r->bad.column - 1, max);
	*r->out = (struct deps){0};
	reader_unresolved(r, STR(""), (struct span){at, at},
			  "the file does not read as its name says: %.*s", STR_ARG(r->why));
}

struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out)
{
	struct reader r = {.a = a, .path = path, .out = out, .files = files};
	struct err *e;
	bool sure;
	reader_fn *read = format_reader(path, &r.ecosystem, &sure);

	*out = (struct deps){0};
	if (!read)
		return err_new(E_BAD_MANIFEST,
			       "'%.*s' is no manifest or lockfile that ikm can read: %s",
			       STR_ARG(path), deps_manifests());
	if (!deps_fits(path, text))
		return NULL;
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_BIG, "'%.*s' has %zu bytes; a manifest may have at most %zu",
			       STR_ARG(path), text.n, BYTES_MAX);
	r.text = without_bom(a, text);
	r.begin = r.text.p == text.p ? 0 : 3;
	/* Growing copies, and what is not used costs nothing: few packages take fewer bytes. */
	out->cap = size_min(text.n / 24, (size_t)1 << 20) + 1;
	out->p = arena_array(a, out->cap, sizeof(*out->p));
	e = read(&r);
	if (e && !sure && r.bad.line) {
		unresolved_text(&r, text.n);
		e = NULL;
	}
	if (e)
		*out = (struct deps){0}; /* do not return half of the list */
	unresolved_settle(out, text);
	return e;
}

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

/* PEP 503: runs of - _ . become one dash, in lower case. Most names already have this form. */
static struct str normal_pypi(struct arena *a, struct str name)
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

		if (!is_separator(c))
			p[n++] = ascii_lower(c);
		else if (!n || p[n - 1] != '-')
			p[n++] = '-';
	}
	return (struct str){p, n};
}

static struct str normal_cargo(struct arena *a, struct str name)
{
	size_t i = 0;
	char *p;

	while (i < name.n && !ascii_is_upper(name.p[i]) && name.p[i] != '-')
		i++;
	if (i == name.n)
		return name;
	p = (char *)str_lower(a, name).p; /* a copy of its own, which may be changed */
	for (; i < name.n; i++)
		if (p[i] == '-')
			p[i] = '_';
	return (struct str){p, name.n};
}

/* "example.org/m/v2" and "gopkg.in/m.v2" are major versions of one module. */
static struct str normal_go(struct str name)
{
	size_t i = name.n;

	while (i && ascii_is_digit(name.p[i - 1]))
		i--;
	if (i == name.n || i < 3 || name.p[i - 1] != 'v' || name.p[i] == '0')
		return name;
	if (name.p[i - 2] == '/' && !str_is(str_sub(name, i, name.n), "1"))
		return str_sub(name, 0, i - 2);
	if (name.p[i - 2] == '.' && str_starts(name, STR("gopkg.in/")))
		return str_sub(name, 0, i - 2);
	return name;
}

/* Docker's own registry, and its official images, may be named or left out. */
static struct str normal_docker(struct str name)
{
	static const char *const heads[] = {"docker.io/", "index.docker.io/",
					    "registry-1.docker.io/"};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (str_starts(name, str_of(heads[i]))) {
			name = str_sub(name, strlen(heads[i]), name.n);
			break;
		}
	return str_starts(name, STR("library/")) ? str_sub(name, 8, name.n) : name;
}

/* The registries of Terraform and OpenTofu may be named or left out. */
static struct str normal_terraform(struct str name)
{
	static const char *const heads[] = {"registry.terraform.io/", "registry.opentofu.org/"};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (str_starts(name, str_of(heads[i])))
			return str_sub(name, strlen(heads[i]), name.n);
	return name;
}

struct str deps_normal(struct arena *a, enum deps_ecosystem e, struct str name)
{
	switch (e) {
	case DEPS_PYPI: return normal_pypi(a, name);
	case DEPS_CARGO: return normal_cargo(a, name);
	case DEPS_GO: return normal_go(name);
	case DEPS_DOCKER: return normal_docker(name);
	case DEPS_TERRAFORM: name = normal_terraform(name); break;
	case DEPS_GITHUB:
	case DEPS_SWIFT:
	case DEPS_GIT:
	case DEPS_CONDA:
	case DEPS_NUGET:
	case DEPS_COMPOSER:
	case DEPS_NPM: break;
	case DEPS_GEM:
	case DEPS_MAVEN:
	case DEPS_PUB:
	case DEPS_HEX:
	case DEPS_VCPKG:
	case DEPS_CONAN:
	case DEPS_MESON:
	case DEPS_UNKNOWN:
	case DEPS_ECOSYSTEMS: return name;
	}
	for (size_t i = 0; i < name.n; i++)
		if (ascii_is_upper(name.p[i]))
			return str_lower(a, name);
	return name;
}

struct str deps_brief(enum deps_ecosystem e, struct str name)
{
	size_t at = SIZE_MAX;

	if (e == DEPS_MAVEN)
		at = str_find_char(name, ':', 0);
	else if (e == DEPS_SWIFT || e == DEPS_GIT || e == DEPS_DOCKER || e == DEPS_GITHUB ||
		 e == DEPS_TERRAFORM)
		at = str_rfind_char(name, '/');
	return at == SIZE_MAX ? STR("") : str_sub(name, at + 1, name.n);
}
