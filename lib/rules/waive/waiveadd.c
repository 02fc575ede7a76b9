/* Adds an entry to .ikm/waivers.yaml. */
#include "waive/waive.h"
#include "json/json.h"
#include "yaml/yaml.h"

#define HEAD                                                                                       \
	"# Exceptions from decisions, each with an owner and an end: see ikm-knowledge(5).\n"      \
	"# 'ikm know waive' adds one, and 'ikm know list --waivers' lists all of them.\n"

/* A text that needs no quotes in YAML. digits: it may begin with one, as an id and a date do. */
static bool waive_is_plain(struct str s, bool digits)
{
	if (!s.n || !(ascii_is_letter(s.p[0]) || (digits && ascii_is_digit(s.p[0]))) ||
	    str_ieq(s, STR("true")) || str_ieq(s, STR("false")) || str_ieq(s, STR("null")))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && !strchr("-_./@", s.p[i]) &&
		    !(s.p[i] == ' ' && i + 1 < s.n))
			return false;
	return true;
}

static struct str waive_entry(struct arena *a, const struct waiver *w, size_t indent,
			      const char *nl)
{
	const struct val *entry = record_val(a, waiver_fields, w);
	struct buf b = buf_in(a);

	VAL_EACH(entry, v) {
		bool digits = str_is(v->key, "item") || str_is(v->key, "expires");

		buf_fmt(&b, "%*s%s%.*s: ", (int)indent, "", v == entry->first ? "- " : "  ",
			STR_ARG(v->key));
		if (v->type == VAL_STR && waive_is_plain(v->s, digits))
			buf_put(&b, v->s);
		else if (v->type != VAL_LIST)
			json_write(&b, v, 0);
		VAL_EACH(v->type == VAL_LIST ? v : NULL, one) {
			buf_puts(&b, one == v->first ? "[" : ", ");
			json_write(&b, one, 0);
		}
		buf_fmt(&b, "%s%s", v->type == VAL_LIST ? "]" : "", nl);
	}
	return buf_as_str(&b);
}

/* Where the dash of the first entry is; SIZE_MAX: the list is not written with dashes. */
static size_t waive_indent(struct str text, const struct val *list)
{
	size_t nl, from, at;

	if (!list->first)
		return SIZE_MAX;
	at = list->first->at.from;
	nl = str_rfind_char(str_sub(text, 0, at), '\n');
	from = at = nl == SIZE_MAX ? 0 : nl + 1;
	/* A byte order mark is no part of the first line. */
	if (!from && str_starts(text, STR("\xef\xbb\xbf")))
		from = at = 3;
	while (at < text.n && text.p[at] == ' ')
		at++;
	return at < text.n && text.p[at] == '-' ? at - from : SIZE_MAX;
}

static struct err *waive_by_hand(struct arena *a, const struct waiver *w, const char *why)
{
	struct buf b = buf_in(a);

	/* JSON is YAML of one line, and fits each form of a list. */
	json_write(&b, record_val(a, waiver_fields, w), 0);
	return err_help(err_new(E_BAD_YAML, "nothing can be added to '" WAIVE_FILE "': %s", why),
			"add it to the list by hand: %.*s", STR_ARG(buf_as_str(&b)));
}

struct err *waivers_yaml_add(struct arena *a, struct str text, const struct waiver *w,
			     int64_t today, struct str *out)
{
	struct waivers before = {0}, after = {0};
	size_t first = size_min(str_find_char(text, '\n', 0), text.n), indent = 0;
	const char *nl = first && first < text.n && text.p[first - 1] == '\r' ? "\r\n" : "\n";
	struct buf b = buf_in(a);
	struct val *v;

	waivers_read_yaml(a, text, today, false, &before);
	for (size_t i = 0; i < before.n; i++)
		if (before.p[i].problem.n)
			return err_help(err_new(E_BAD_YAML, WAIVE_FILE ":%zu: %.*s",
						before.p[i].line, STR_ARG(before.p[i].problem)),
					"correct this line of " WAIVE_FILE " first");
	TRY(yaml_read(a, text.p ? text : STR(""), STR(""), 0, &v));
	if (v->type == VAL_LIST) {
		indent = waive_indent(text, v);
		if (indent == SIZE_MAX)
			return waive_by_hand(a, w,
					     "its list is not written with a dash in a line "
					     "of its own for each entry");
	}
	buf_put(&b, text.p ? text : STR(HEAD));
	if (b.n && b.p[b.n - 1] != '\n')
		buf_puts(&b, nl);
	buf_put(&b, waive_entry(a, w, indent, nl));
	*out = buf_as_str(&b);
	if (out->n > WAIVE_FILE_MAX)
		return err_help(err_new(E_TOO_BIG,
					"'" WAIVE_FILE "' would have more than %zu bytes",
					WAIVE_FILE_MAX),
				"remove entries that have ended: ikm know list --waivers");
	waivers_read_yaml(a, *out, today, false, &after);
	if (after.n != before.n + 1 || after.p[before.n].problem.n)
		return waive_by_hand(a, w, "its end is no place for a further entry");
	return NULL;
}
