#include "deps/pypi.h"
#include "deps/range.h"

/* environment.yml of conda: packages of conda, and below "pip:" requirements of pip. */

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
	if (v.n && (v.p[0] == '\'' || v.p[0] == '"')) {
		end = str_find_char(v, v.p[0], 1);
		return end == SIZE_MAX ? STR("") : str_trim(str_sub(v, 1, end));
	}
	end = size_min(str_find_char(v, ',', 0), str_find_char(v, ']', 0));
	return str_trim(str_sub(v, 0, end));
}

struct err *conda_spec(struct reader *r, const struct val *v)
{
	struct str s = str_trim(v->s), name, version;
	size_t channel = str_find(s, STR("::"), 0), n = 0;
	struct str brackets = conda_brackets(s);
	struct dep *d;

	if (channel != SIZE_MAX)
		s = str_sub(s, channel + 2, s.n);
	if (url_has_scheme(s)) {
		reader_unresolved(r, s, reader_span(r, v->at, v->s, s),
				  "an address, which does not name its package");
		return NULL;
	}
	while (n < s.n && !strchr(" =<>!~[#", s.p[n]))
		n++;
	name = str_sub(s, 0, n);
	if (!name.n)
		return reader_bad(r, v->at.from, "'%.*s' begins with no package name",
				  STR_ARG(str_sub(s, 0, 200)));
	d = reader_add(r, name, reader_span(r, v->at, v->s, name));
	d->reach = DEPS_DIRECT;
	version = str_trim(str_sub(s, n, str_find_char(s, '[', n)));
	version = str_trim(str_sub(version, 0, str_find_char(version, '#', 0)));
	/* The build behind a second "=": name=1.2=py39_0. */
	if (version.n > 1 && version.p[0] == '=' && version.p[1] != '=')
		version = str_sub(version, 0, str_find_char(version, '=', 1));
	d->version = brackets.n ? brackets : version;
	return NULL;
}

static struct err *conda_pip(struct reader *r, const struct val *list)
{
	r->ecosystem = DEPS_PYPI;
	VAL_EACH(list, v) {
		struct origin o;

		TRY(reader_want(r, v, VAL_STR, "an item of pip"));
		o = origin_of(r, v);
		TRY(pypi_line(r, &o, v->s));
	}
	r->ecosystem = DEPS_CONDA;
	return NULL;
}

struct err *conda_environment(struct reader *r)
{
	struct val *top, *list;

	TRY(reader_yaml(r, &top));
	TRY(reader_member(r, top, "", "dependencies", VAL_LIST, &list));
	VAL_EACH(list, v) {
		if (v->type != VAL_MAP) {
			TRY(reader_want(r, v, VAL_STR, "an item of dependencies"));
			TRY(conda_spec(r, v));
			continue;
		}
		VAL_EACH(v, m) {
			if (!str_is(m->key, "pip"))
				return reader_bad(
					r, m->key_at.from,
					"ikm does not know the member '%.*s'; it knows 'pip'",
					STR_ARG(m->key));
			TRY(reader_want(r, m, VAL_LIST, "pip"));
			TRY(conda_pip(r, m));
		}
	}
	return NULL;
}

/* ---- ranges: as PEP 440, but "=1.2" is 1.2 and all below it, "1.2" is exact, "|" is "or" ---- */

bool conda_key(struct arena *a, struct str text, struct str *key)
{
	return pep440_key(a, text, key);
}

struct err *conda_range(struct arena *a, struct str text, struct deps_range *r)
{
	struct buf b = buf_in(a);
	bool begins = true;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		bool operator= c && strchr("=<>!~^", c);

		if (c == '|') {
			buf_puts(&b, "||");
			i += i + 1 < text.n && text.p[i + 1] == '|';
		} else if (begins && c == '=' && !(i + 1 < text.n && text.p[i + 1] == '=')) {
			size_t to = i + 1;

			while (to < text.n && !strchr(",| ", text.p[to]))
				to++;
			buf_fmt(&b, "==%.*s%s", STR_ARG(str_sub(text, i + 1, to)),
				str_ends(str_sub(text, i + 1, to), STR("*")) ? "" : ".*");
			i = to - 1;
		} else {
			if (begins && ascii_is_digit(c))
				buf_puts(&b, "==");
			buf_putc(&b, c);
		}
		begins = c == ',' || c == '|' || (begins && (c == ' ' && !operator));
	}
	return pep440_range(a, buf_str(&b), r);
}
