/* Adds an entry to .ikm/waivers.yaml. */
#include "waive/waive.h"
#include "json/json.h"
#include "yaml/yaml.h"

#define HEAD                                                                                       \
	"# Exceptions from decisions, each with an owner and an end: see ikm-knowledge(5).\n"      \
	"# 'ikm know waive' adds one, and 'ikm know list --waivers' lists all of them.\n"

/* A text that YAML reads as a string without quotes. */
static bool waive_is_plain(struct str s)
{
	if (!s.n || !ascii_is_letter(s.p[0]) || str_ieq(s, STR("true")) ||
	    str_ieq(s, STR("false")) || str_ieq(s, STR("null")))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && !strchr("-_./@", s.p[i]) &&
		    !(s.p[i] == ' ' && i + 1 < s.n))
			return false;
	return true;
}

static void waive_put_text(struct arena *a, struct buf *b, struct str s)
{
	if (waive_is_plain(s))
		buf_put(b, s);
	else
		json_write(b, val_str(a, s), 0);
}

static void waive_put_list(struct arena *a, struct buf *b, const struct strs *list)
{
	buf_putc(b, '[');
	for (size_t i = 0; i < list->n; i++) {
		buf_puts(b, i ? ", " : "");
		json_write(b, val_str(a, list->p[i]), 0);
	}
	buf_putc(b, ']');
}

static struct str waive_entry(struct arena *a, const struct waiver *w, size_t indent,
			      const char *nl)
{
	struct buf b = buf_in(a);
	int in = (int)indent;

	buf_fmt(&b, "%*s- item: ", in, "");
	/* Numbers are read as the item's name too, and "1" needs no quotes. */
	if (waive_is_plain(w->item) || (w->item.n && ascii_is_digit(w->item.p[0]) &&
					waive_is_plain(str_fmt(a, "a%.*s", STR_ARG(w->item)))))
		buf_put(&b, w->item);
	else
		json_write(&b, val_str(a, w->item), 0);
	if (w->constraint)
		buf_fmt(&b, "%s%*s  constraint: %lld", nl, in, "", (long long)w->constraint);
	buf_fmt(&b, "%s%*s  paths: ", nl, in, "");
	waive_put_list(a, &b, &w->paths);
	if (w->found.n) {
		buf_fmt(&b, "%s%*s  found: ", nl, in, "");
		waive_put_list(a, &b, &w->found);
	}
	buf_fmt(&b, "%s%*s  reason: ", nl, in, "");
	waive_put_text(a, &b, w->reason);
	buf_fmt(&b, "%s%*s  owner: ", nl, in, "");
	waive_put_text(a, &b, w->owner);
	buf_fmt(&b, "%s%*s  expires: %.*s%s", nl, in, "", STR_ARG(w->expires), nl);
	return buf_str(&b);
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
	return err_help(err_new(E_BAD_YAML, "nothing can be added to '" WAIVE_FILE "': %s", why),
			"add it by hand: %.*s", STR_ARG(waive_entry(a, w, 0, "\n")));
}

struct err *waivers_add(struct arena *a, struct str text, const struct waiver *w, int64_t today,
			struct str *out)
{
	struct waivers before = {0}, after = {0};
	struct waive_problems problems = {0};
	size_t first = size_min(str_find_char(text, '\n', 0), text.n), indent = 0;
	const char *nl = first && first < text.n && text.p[first - 1] == '\r' ? "\r\n" : "\n";
	struct buf b = buf_in(a);
	struct val *v;

	waivers_read(a, text, today, false, &before, &problems);
	if (problems.n)
		return err_help(err_new(E_BAD_YAML, WAIVE_FILE ":%zu: %.*s", problems.p[0].line,
					STR_ARG(problems.p[0].message)),
				"correct it first");
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
	*out = buf_str(&b);
	if (out->n > WAIVE_FILE_MAX)
		return err_help(err_new(E_TOO_BIG,
					"'" WAIVE_FILE "' would have more than %zu bytes",
					WAIVE_FILE_MAX),
				"remove entries that have ended: ikm know list --waivers");
	waivers_read(a, *out, today, false, &after, &problems);
	if (problems.n || after.n != before.n + 1)
		return waive_by_hand(a, w, "its end is no place for a further entry");
	return NULL;
}
