#include "deps/reader.h"

#define BYTES_MAX ((size_t)64 << 20)

/* Every format: the file's name (a slash: with its folder; * within one part), whose it is, and
 * who reads it. Here and nowhere else. */
#define FORMATS(X)                                                                                 \
	X("package.json", NPM, npm_manifest)                                                       \
	X("package-lock.json", NPM, npm_lock)                                                      \
	X("npm-shrinkwrap.json", NPM, npm_lock)                                                    \
	X("yarn.lock", NPM, yarn_lock)                                                             \
	X("pnpm-lock.yaml", NPM, pnpm_lock)                                                        \
	X("requirements*.txt", PYPI, pypi_requirements)                                            \
	X("*-requirements.txt", PYPI, pypi_requirements)                                           \
	X("*_requirements.txt", PYPI, pypi_requirements)                                           \
	X("requirements/*.txt", PYPI, pypi_requirements)                                           \
	X("requirements*.in", PYPI, pypi_requirements)                                             \
	X("requirements/*.in", PYPI, pypi_requirements)                                            \
	X("constraints*.txt", PYPI, pypi_requirements)                                             \
	X("pyproject.toml", PYPI, pypi_pyproject)                                                  \
	X("poetry.lock", PYPI, pypi_lock)                                                          \
	X("uv.lock", PYPI, pypi_lock)                                                              \
	X("pdm.lock", PYPI, pypi_lock)                                                             \
	X("pylock*.toml", PYPI, pypi_lock)                                                         \
	X("go.mod", GO, go_mod)                                                                    \
	X("Cargo.toml", CARGO, cargo_manifest)                                                     \
	X("Cargo.lock", CARGO, cargo_lock)                                                         \
	X("Gemfile.lock", GEM, gem_lock)                                                           \
	X("*.gemfile.lock", GEM, gem_lock)                                                         \
	X("gems.locked", GEM, gem_lock)

static const struct format {
	const char *pattern;
	enum deps_ecosystem ecosystem;
	reader_fn *read;
} formats[] = {
#define X(pattern, eco, read) {pattern, DEPS_##eco, read},
	FORMATS(X)
#undef X
};

static const struct {
	const char *name;
	enum deps_ecosystem e;
} names[] = {
	/* The first of each is its name. */
	{"npm", DEPS_NPM},        {"node", DEPS_NPM},        {"nodejs", DEPS_NPM},
	{"javascript", DEPS_NPM}, {"pypi", DEPS_PYPI},       {"python", DEPS_PYPI},
	{"pip", DEPS_PYPI},       {"go", DEPS_GO},           {"golang", DEPS_GO},
	{"cargo", DEPS_CARGO},    {"crates.io", DEPS_CARGO}, {"crates", DEPS_CARGO},
	{"rust", DEPS_CARGO},     {"gem", DEPS_GEM},         {"rubygems", DEPS_GEM},
	{"ruby", DEPS_GEM},       {"bundler", DEPS_GEM},
};

const char *deps_ecosystem_name(enum deps_ecosystem e)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].e == e)
			return names[i].name;
	return "";
}

enum deps_ecosystem deps_ecosystem_of(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_ieq(name, str_of(names[i].name)))
			return names[i].e;
	return DEPS_UNKNOWN;
}

/* At most one star in a pattern, so no backtracking. */
static bool matches(const char *pattern, struct str s)
{
	struct str p = str_of(pattern), head, tail;
	size_t star = str_find_char(p, '*', 0);

	if (star == SIZE_MAX)
		return str_eq(p, s);
	head = str_sub(p, 0, star);
	tail = str_sub(p, star + 1, p.n);
	return s.n >= head.n + tail.n && str_starts(s, head) && str_ends(s, tail) &&
	       str_find_char(str_sub(s, head.n, s.n - tail.n), '/', 0) == SIZE_MAX;
}

static const struct format *format_of(struct str path)
{
	size_t slash = str_rfind_char(path, '/'), up;
	struct str base = path, with_folder = path;

	if (slash != SIZE_MAX) {
		base = str_sub(path, slash + 1, path.n);
		up = str_rfind_char(str_sub(path, 0, slash), '/');
		if (up != SIZE_MAX)
			with_folder = str_sub(path, up + 1, path.n);
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (matches(formats[i].pattern,
			    strchr(formats[i].pattern, '/') ? with_folder : base))
			return &formats[i];
	return NULL;
}

bool deps_is_manifest(struct str path)
{
	return format_of(path) != NULL;
}

const char *deps_manifests(void)
{
#define X(pattern, eco, read) ", " pattern
	return &FORMATS(X)[2];
#undef X
}

/* npm, pip and cargo all skip a byte order mark. Blanks in its place keep every offset right. */
static struct str without_bom(struct arena *a, struct str text)
{
	char *p;

	if (!str_starts(text, STR("\xef\xbb\xbf")))
		return text;
	p = str_c(a, text);
	memset(p, ' ', 3);
	return (struct str){p, text.n};
}

struct err *deps_read(struct arena *a, struct str path, struct str text, struct deps *out)
{
	const struct format *f = format_of(path);
	struct reader r = {.a = a, .path = path, .out = out};
	struct err *e;

	*out = (struct deps){0};
	if (!f)
		return err_new(E_BAD_MANIFEST,
			       "'%.*s' is no manifest or lockfile that is known: %s", STR_ARG(path),
			       deps_manifests());
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_BIG, "'%.*s' has %zu bytes; a manifest may have at most %zu",
			       STR_ARG(path), text.n, BYTES_MAX);
	r.ecosystem = f->ecosystem;
	r.text = without_bom(a, text);
	e = f->read(&r);
	if (e)
		*out = (struct deps){0}; /* not half of it */
	return e;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

/* PEP 503: runs of - _ . are one dash, lower case. Most names are written so already. */
static struct str normal_pypi(struct arena *a, struct str name)
{
	size_t i = 0, n = 0;
	char *p;

	while (i < name.n && !is_upper(name.p[i]) && name.p[i] != '_' && name.p[i] != '.' &&
	       !(name.p[i] == '-' && i && name.p[i - 1] == '-'))
		i++;
	if (i == name.n)
		return name;
	p = arena_alloc(a, name.n);
	for (i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (!is_separator(c))
			p[n++] = is_upper(c) ? (char)(c | 0x20) : c;
		else if (!n || p[n - 1] != '-')
			p[n++] = '-';
	}
	return (struct str){p, n};
}

static struct str normal_cargo(struct arena *a, struct str name)
{
	size_t i = 0;
	char *p;

	while (i < name.n && !is_upper(name.p[i]) && name.p[i] != '-')
		i++;
	if (i == name.n)
		return name;
	p = (char *)str_lower(a, name).p; /* our own copy */
	for (; i < name.n; i++)
		if (p[i] == '-')
			p[i] = '_';
	return (struct str){p, name.n};
}

/* "example.org/m/v2" and "gopkg.in/m.v2" are major versions of one module. */
static struct str normal_go(struct str name)
{
	size_t i = name.n;

	while (i && name.p[i - 1] >= '0' && name.p[i - 1] <= '9')
		i--;
	if (i == name.n || i < 3 || name.p[i - 1] != 'v' || name.p[i] == '0')
		return name;
	if (name.p[i - 2] == '/' && !str_is(str_sub(name, i, name.n), "1"))
		return str_sub(name, 0, i - 2);
	if (name.p[i - 2] == '.' && str_starts(name, STR("gopkg.in/")))
		return str_sub(name, 0, i - 2);
	return name;
}

struct str deps_normal(struct arena *a, enum deps_ecosystem e, struct str name)
{
	switch (e) {
	case DEPS_PYPI:
		return normal_pypi(a, name);
	case DEPS_CARGO:
		return normal_cargo(a, name);
	case DEPS_GO:
		return normal_go(name);
	case DEPS_NPM:
		break;
	case DEPS_GEM:
	case DEPS_UNKNOWN:
	case DEPS_ECOSYSTEMS:
		return name;
	}
	for (size_t i = 0; i < name.n; i++)
		if (is_upper(name.p[i]))
			return str_lower(a, name);
	return name;
}
