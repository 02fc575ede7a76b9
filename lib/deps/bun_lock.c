#include "deps/npm_locked.h"
#include "json/json.h"

/*
 * bun.lock: JSON with trailing commas and comments. "packages" has a list for each package, and its
 * first item is "NAME@VERSION", or "NAME@ADDRESS".
 */

struct err *reader_jsonc(struct reader *r, struct val **out)
{
	struct str raw = r->text;
	struct err *e;

	r->text = json_uncommented(r->a, raw);
	e = reader_json(r, out);
	r->text = raw;
	return e;
}

/* The name that a project requests: the last part of a path "parent/name". */
static struct str bun_requested(struct str key)
{
	size_t slash = str_rfind_char(key, '/'), before;

	if (slash == SIZE_MAX)
		return key;
	before = str_rfind_char(str_sub(key, 0, slash), '/');
	before = before == SIZE_MAX ? 0 : before + 1;
	return key.p[before] == '@' ? str_sub(key, before, key.n) : str_sub(key, slash + 1, key.n);
}

static struct err *bun_package(struct reader *r, const struct val *v)
{
	struct npm_locked l = {.name = bun_requested(v->key)};
	struct str version;
	const struct val *first, *second;

	TRY(reader_want(r, v, VAL_LIST, "packages.%.*s", STR_ARG(v->key)));
	first = v->first;
	if (!first || first->type != VAL_STR || !npm_split(first->s, &l.real, &version))
		return reader_bad(r, v->at.from, "packages.%.*s has no name with a version",
				  STR_ARG(v->key));
	if (str_starts(version, STR("workspace:")) || str_starts(version, STR("root:")))
		return NULL;
	l.at = reader_span(r, first->at, first->s, l.real);
	second = first->next;
	if (ascii_is_digit(version.n ? version.p[0] : 0)) {
		l.version = version;
		if (second && second->type == VAL_STR && second->s.n) {
			l.resolved = second->s;
			l.resolved_at = second->at;
		}
	} else {
		l.resolved = version;
		l.resolved_at = reader_span(r, first->at, first->s, version);
	}
	return npm_locked_add(r, l);
}

struct err *bun_lock(struct reader *r)
{
	struct val *top, *packages;

	TRY(reader_jsonc(r, &top));
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &packages));
	VAL_EACH(packages, v)
		TRY(bun_package(r, v));
	return NULL;
}
