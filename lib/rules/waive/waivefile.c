/* Reads .ikm/waivers.yaml, finds the item of each waiver, and adds an entry to the file. */
#include "waive/waive.h"
#include "json/json.h"
#include "knowledge/former_id.h"
#include "os/os.h"
#include "yaml/yaml.h"

/* ---- days ---- */

int64_t waive_today(void)
{
	return os_now() / DAY_MS;
}

bool waive_day_read(struct str text, int64_t *day)
{
	char midnight[32];
	int64_t ms;

	/* In UTC: an exception ends at the same moment on every machine. */
	snprintf(midnight, sizeof(midnight), "%.10sT00:00:00Z", text.n == 10 ? text.p : "");
	if (!os_time_read(str_of(midnight), &ms))
		return false;
	*day = ms / DAY_MS;
	return true;
}

int64_t waive_days_left(const struct waiver *w, int64_t today)
{
	return w->ends - today;
}

struct str waive_end_text(struct arena *a, const struct waiver *w, int64_t today)
{
	int64_t left = waive_days_left(w, today);

	if (left < 0)
		return str_fmt(a, "ended on %.*s", STR_ARG(w->expires));
	if (!left)
		return STR("ends today");
	return str_fmt(a, "%lld day%s left", (long long)left, PLURAL(left));
}

struct str waive_entry_place_text(struct arena *a, const struct waiver *w)
{
	return str_fmt(a, "%.*s:%zu", STR_ARG(w->file), w->line);
}

/* ---- reading ---- */

#define W    struct waiver
#define TEXT .min = 1, .max = 4096
/* A row for each member that is written into the file; JSON has the same names. */
static const struct field waiver_fields[] = {
	FIELD_OF(W, item, "the item whose rules it waives", TEXT, .flags = OR_NUMBER),
	FIELD_OF(W, constraint, "the number of the rule within the item; without it all rules",
		 .min = 1, .max = INT32_MAX, .flags = IF_ANY),
	FIELD_OF(W, paths, "globs of the files, as in .gitignore", TEXT, .flags = OR_ONE),
	FIELD_OF(W, found, "packages or matched texts; without it everything that the rules find",
		 TEXT, .flags = OR_ONE | IF_ANY),
	FIELD_OF(W, reason, "why", TEXT),
	FIELD_OF(W, owner, "the person or team that answers for it", TEXT),
	FIELD_OF(W, expires, "the last day, in UTC", TEXT),
	{0},
};
#undef W
#undef TEXT

struct waive_reading {
	struct arena *a;
	struct str text;
	int64_t today;
	bool lower;
	struct waivers *out;
	bool bad;             /* the entry has a mistake */
	struct places places; /* of the entries */
	size_t from, line;    /* where the entry begins */
};

static void waive_broken(struct arena *a, size_t line, struct str problem, struct waivers *out)
{
	*VEC_PUSH(a, out) =
		(struct waiver){.file = STR(WAIVE_FILE), .line = line, .problem = problem};
}

PRINTF(3, 4)
static void waive_problem(struct waive_reading *r, size_t at, const char *fmt, ...)
{
	struct buf b = buf_in(r->a);
	size_t line;

	BUF_ARGS(&b, fmt);
	/* What an alias stands for is before the entry. */
	if (at >= r->from)
		line = r->line +
		       str_place_of_offset(str_sub(r->text, r->from, r->text.n), at - r->from)
			       .line -
		       1;
	else
		line = str_place_of_offset(r->text, at).line;
	waive_broken(r->a, line, str_utf8(r->a, buf_as_str(&b)), r->out);
	r->bad = true;
}

static struct err *waive_wrong(void *ctx, const struct record_problem *p)
{
	struct waive_reading *r = ctx;

	waive_problem(r, p->at->at.from, "%s", err_message(record_error(r->a, "a waiver", p)));
	return NULL;
}

static void waive_read_one(struct waive_reading *r, const struct val *v)
{
	const struct record_reader how = {.what = "a waiver", .wrong = waive_wrong, .ctx = r};
	struct waiver w = {.file = STR(WAIVE_FILE)};
	struct strs globs = {0};
	const struct val *at;
	struct err *e;

	r->bad = false;
	r->from = v->at.from;
	r->line = w.line = str_place_of_next_offset(&r->places, v->at.from).line;
	e = record_from_val(r->a, &how, waiver_fields, v, &w);
	if (e)
		waive_problem(r, v->at.from, "%s", err_message(e));
	at = val_get(v, "expires");
	if (at && w.expires.n && !waive_day_read(w.expires, &w.ends))
		waive_problem(r, at->at.from, "'expires' is '%.*s', not a date such as 2026-12-31",
			      STR_ARG(w.expires));
	else if (at && w.expires.n && waive_days_left(&w, r->today) > WAIVE_DAYS_MAX)
		waive_problem(r, at->at.from,
			      "'expires' is %lld days ahead; a waiver may last %d days from today",
			      (long long)waive_days_left(&w, r->today), WAIVE_DAYS_MAX);
	at = val_get(v, "paths");
	if (at && w.paths.n) {
		for (size_t i = 0; i < w.paths.n; i++)
			strs_push(r->a, &globs,
				  r->lower ? str_lower(r->a, w.paths.p[i]) : w.paths.p[i]);
		e = globs_new(r->a, &globs, &w.globs);
		if (e)
			waive_problem(r, at->at.from, "paths: %s", err_message(e));
		else /* a path that no file has */
			w.everywhere = globs_match(&w.globs, STR("\1/\1"));
	} else if (at && !r->bad) {
		waive_problem(r, at->at.from, "'paths' is empty; \"*\" is every file");
	}
	if (w.paths.n && !r->bad && str_starts(w.paths.p[0], STR("!")))
		waive_problem(r, at->at.from,
			      "'paths' must begin with a glob that includes files, not with '!'");
	if (!r->bad)
		*VEC_PUSH(r->a, r->out) = w;
}

void waivers_read_yaml(struct arena *a, struct str text, int64_t today, bool lower,
		       struct waivers *out)
{
	struct waive_reading r = {.a = a,
				  .text = text,
				  .today = today,
				  .lower = lower,
				  .out = out,
				  .places = {.text = text},
				  .line = 1};
	struct val *v;
	struct err *e = yaml_read(a, text.p ? text : STR(""), STR(""), 0, &v);

	if (e) {
		struct str message = str_dup(a, str_of(err_message(e)));
		size_t colon = str_find(message, STR(": "), 0);
		struct str rest = message, at = STR("");
		int64_t line = 1;

		/* The error of the parser begins with "line L, column C: ". */
		if (str_starts(message, STR("line "))) {
			rest = str_sub(message, colon == SIZE_MAX ? 0 : colon + 2, message.n);
			message = str_sub(message, 5, message.n);
			str_next_part(&message, ',', &at);
			line = str_int(at, &line) && line > 0 ? line : 1;
		}
		waive_broken(a, (size_t)line, rest, out);
		return;
	}
	if (v->type == VAL_NULL)
		return;
	if (v->type != VAL_LIST) {
		waive_problem(&r, v->at.from,
			      "the file must be a list of waivers, each beginning with '- item:', "
			      "not %s",
			      val_type_name(v->type));
		return;
	}
	VAL_EACH(v, entry)
		waive_read_one(&r, entry);
}

struct err *waivers_read_yaml_of_tree(struct arena *a, struct tree *t, int64_t today, bool lower,
				      struct waivers *out)
{
	struct tree_file f;
	struct str text;
	struct err *e;
	bool found;

	TRY(tree_find(t, STR(WAIVE_FILE), &f, &found));
	if (!found) {
		struct tree_changes below = {0};

		/* A tree lists files only: what is below a folder tells that it is one. */
		TRY(tree_diff(a, NULL, tree_sub(a, t, STR(WAIVE_FILE)), &below));
		if (below.n)
			waive_broken(a, 1,
				     STR("it is no regular file but a folder, so no waiver is read "
					 "from it"),
				     out);
		return NULL;
	}
	if (f.kind != TREE_FILE && f.kind != TREE_EXEC) {
		waive_broken(a, 1, STR("it is no regular file, so no waiver is read from it"), out);
		return NULL;
	}
	e = tree_read(t, a, &f, WAIVE_FILE_MAX, &text);
	if (e && err_reason(e) != E_TOO_BIG)
		return e;
	if (e)
		waive_broken(a, 1, str_fmt(a, "it has more than %zu bytes", WAIVE_FILE_MAX), out);
	else
		waivers_read_yaml(a, text, today, lower, out);
	return NULL;
}

/* ---- the item that a waiver names ---- */

void waive_resolve(struct arena *a, const struct knowledge *now, const struct knowledge *base,
		   const struct tree_changes *renames, struct waiver *w)
{
	const struct kn_item *item = NULL, *old = NULL;
	struct str message;
	struct err *e;

	if (w->problem.n)
		return;
	e = knowledge_resolve_item_name(a, now, w->item, -1, &item);
	message = e ? str_dup(a, str_of(err_message(e))) : STR("");
	w->ids = (struct strs){0};
	w->by_history = false;
	w->unknown = STR("");
	if (!e)
		strs_push(a, &w->ids, item->id);
	/* A name that fits several items now must not be settled by the base. */
	if (e && err_reason(e) != E_NO_SUCH_ITEM)
		base = NULL;
	if (base && base != now && !knowledge_resolve_item_name(a, base, w->item, -1, &old) &&
	    (!item || !str_eq(item->id, old->id))) {
		strs_push(a, &w->ids, old->id);
		for (size_t i = 0; renames && old->in_tree && i < renames->n; i++) {
			const struct tree_change *c = &renames->p[i];

			if (!c->has_old || !c->has_new || !str_eq(c->old.path, old->tree_path))
				continue;
			for (size_t k = 0; k < now->items.n; k++)
				if (now->items.p[k].in_tree &&
				    str_eq(now->items.p[k].tree_path, c->new.path))
					strs_push(a, &w->ids, now->items.p[k].id);
		}
	}
	if (!w->ids.n)
		w->unknown = message;
}

struct err *waive_resolve_former(struct arena *a, struct git *g, const char *tip, struct tree *now,
				 const struct knowledge *k, struct waiver *w)
{
	const struct kn_item *item;

	if (!w->unknown.n || !g)
		return NULL;
	TRY(former_id_find_item(a, g, tip, now, k, w->item, &item));
	if (!item)
		return NULL;
	strs_push(a, &w->ids, item->id);
	w->unknown = STR("");
	w->by_history = true;
	return NULL;
}

size_t waive_bases_count_waivers(const struct waive_bases *bases)
{
	size_t n = 0;

	for (size_t i = 0; i < bases->n; i++)
		n += bases->p[i].list.n;
	return n;
}

/* Whether all of x are in y. */
static bool waive_subset(const struct strs *x, const struct strs *y)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strs_has(y, x->p[i]))
			return false;
	return true;
}

bool waive_is_in_base(const struct waiver *w, const struct waivers *base)
{
	VEC_EACH(const struct waiver, b, base) {
		bool excludes = false;

		/* Globs that exclude belong together with the others: no part may be missing. */
		for (size_t k = 0; k < b->paths.n; k++)
			excludes |= str_starts(b->paths.p[k], STR("!"));
		/* The item may have another id in the change. */
		if (((w->ids.n && waive_subset(&w->ids, &b->ids)) || str_eq(w->item, b->item)) &&
		    (!b->constraint || b->constraint == w->constraint) &&
		    waive_subset(&w->paths, &b->paths) &&
		    (!excludes || waive_subset(&b->paths, &w->paths)) &&
		    (!b->found.n || (w->found.n && waive_subset(&w->found, &b->found))) &&
		    b->ends >= w->ends)
			return true;
	}
	return false;
}

/* ---- one entry more ---- */

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
