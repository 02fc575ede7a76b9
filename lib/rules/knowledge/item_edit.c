/*
 * Changes a status in the text of an item, or in both texts of a retired one and its successor, and
 * reads the result again before anybody writes it. The words around a status and a date stay.
 */
#include "knowledge/item_edit.h"
#include "knowledge/field_edit.h"
#include "os/os.h"

struct err *knowledge_file(struct arena *a, const struct kn_item *item, const char **path)
{
	const struct kn_source *s = item->source;

	if (!s->folder)
		return err_help(err_new(E_BAD_ARGUMENT,
					"'%.*s' is read from '%.*s', which is no folder on disk",
					STR_ARG(item->id), STR_ARG(s->name)),
				"change it in a working tree of its own repository");
	*path = os_join(a, s->folder, str_c(a, item->path));
	return NULL;
}

/* ---- transitions ---- */

#define NEXT(status) (1u << KN_STATUS_##status)
static const unsigned next_statuses[] = {
	[KN_STATUS_DRAFT] = NEXT(PROPOSED) | NEXT(REJECTED),
	[KN_STATUS_PROPOSED] = NEXT(ACCEPTED) | NEXT(REJECTED),
	[KN_STATUS_ACCEPTED] = NEXT(DEPRECATED) | NEXT(SUPERSEDED),
	[KN_STATUS_DEPRECATED] = NEXT(ACCEPTED),
	[KN_STATUS_SUPERSEDED] = 0,
	[KN_STATUS_REJECTED] = 0,
};

unsigned knowledge_next_statuses(enum kn_status from)
{
	return next_statuses[from];
}

struct err *rewrite_broken_item_error(const struct knowledge *k, const struct kn_item *item)
{
	const struct kn_note *n = kn_broken_note(k, item);

	if (n)
		return err_help(err_new(E_BAD_MARKDOWN,
					"%.*s:%zu: the item is broken knowledge: %.*s",
					STR_ARG(n->path), n->line, STR_ARG(n->message)),
				"correct the file first");
	return err_new(E_BAD_MARKDOWN, "'%.*s' is broken knowledge: correct the file first",
		       STR_ARG(item->shown_path));
}

struct err *knowledge_may_become(struct arena *a, const struct knowledge *k,
				 const struct kn_item *item, enum kn_status to)
{
	struct strs allowed = {0};
	struct err *e;

	if (item->broken)
		return rewrite_broken_item_error(k, item);
	if (next_statuses[item->status] & 1u << to)
		return NULL;
	if (item->status == KN_STATUS_SUPERSEDED && item->superseded_by.n)
		return err_help(err_new(E_SUPERSEDED, "'%.*s' is superseded by '%.*s' already",
					STR_ARG(item->id), STR_ARG(item->superseded_by.p[0])),
				"'ikm know show %.*s' shows the successor",
				STR_ARG(item->superseded_by.p[0]));
	for (int s = 0; kn_statuses[s]; s++)
		if (next_statuses[item->status] & 1u << s)
			strs_push(a, &allowed, str_of(kn_statuses[s]));
	e = err_for_param(E_BAD_ARGUMENT, STR("status"),
			  "'%.*s' is %s, and cannot become %s; %s%.*s", STR_ARG(item->id),
			  kn_statuses[item->status], kn_statuses[to],
			  allowed.n ? "allowed: " : "no status follows this one",
			  STR_ARG(str_join(a, &allowed, ", ")));
	err_add_detail(e, "from", str_of(kn_statuses[item->status]));
	err_detail_list(e, "allowed", &allowed);
	return err_help(e, allowed.n ? "give a status that is allowed"
				     : "write a new item: 'ikm know new --help'");
}

/* ---- reading again ---- */

struct err *rewrite_parse_item(struct arena *a, const struct kn_item *as, struct str text,
			       struct knowledge *k, size_t *at)
{
	struct kn_reading r = {.a = a,
			       .k = k,
			       .text = text,
			       .in_tree = as->in_tree,
			       .layer_fixed = true,
			       .type_fixed = true,
			       .named = as->source->files != NULL};

	*at = k->items.n;
	if (!kn_read(&r, as->source, as->path, as->layer, as->owner, as->type))
		return err_new(E_BAD_ARGUMENT, "a file named '%.*s' is no item: ikm passes over it",
			       STR_ARG(as->path));
	return NULL;
}

struct err *rewrite_read_before(struct arena *a, const struct kn_item *item, struct str text,
				struct kn_item *out)
{
	struct knowledge k = {0};
	size_t i;

	TRY(rewrite_parse_item(a, item, text, &k, &i));
	*out = k.items.p[i];
	if (str_eq(k.items.p[i].id, item->id) &&
	    str_eq(k.items.p[i].status_text, item->status_text) &&
	    k.items.p[i].constraints_n == item->constraints_n)
		return NULL;
	return err_help(
		err_new(E_CHANGED, "'%.*s' was changed meanwhile", STR_ARG(item->shown_path)),
		"run the command again");
}

/* The error for a file in which an edit did not have its effect. */
static struct err *rewrite_failed_error(const struct kn_item *item, const struct kn_text *t,
					const struct kn_spot *spot, const char *what)
{
	size_t line = str_place_of_offset(t->text, spot->value.from).line;

	return err_help(err_new(E_BAD_MARKDOWN,
				"'%.*s' was not changed: ikm cannot write %s at line %zu, in this "
				"form of the file",
				STR_ARG(item->shown_path), what, line),
			"change that line by hand");
}

bool rewrite_same_strs(const struct strs *one, const struct strs *two)
{
	size_t i = 0;

	while (i < one->n && i < two->n && str_eq(one->p[i], two->p[i]))
		i++;
	return i == one->n && i == two->n;
}

/* Whether an edit kept what every edit should keep. */
static bool rewrite_kept_rest(const struct kn_item *was, const struct kn_item *now)
{
	return !now->broken && str_eq(was->id, now->id) && str_eq(was->title, now->title) &&
	       str_eq(was->summary, now->summary) && was->constraints_n == now->constraints_n;
}

struct err *knowledge_edit_kept(struct arena *a, const struct kn_item *item, struct str before,
				struct str after, bool *kept)
{
	struct knowledge k = {0};
	const struct kn_item *was, *now;
	size_t i, j;

	TRY(rewrite_parse_item(a, item, before, &k, &i));
	TRY(rewrite_parse_item(a, item, after, &k, &j));
	was = &k.items.p[i];
	now = &k.items.p[j];
	*kept = now->broken == was->broken && str_eq(was->id, now->id) &&
		str_eq(was->title, now->title) && str_eq(was->summary, now->summary) &&
		was->status == now->status && was->constraints_n == now->constraints_n &&
		rewrite_same_strs(&was->supersedes, &now->supersedes) &&
		rewrite_same_strs(&was->superseded_by, &now->superseded_by);
	return NULL;
}

/* ---- the status ---- */

/* Adds a line "KEY: VALUE" to the front matter, before its closing fence. */
static void rewrite_front_add(struct arena *a, const struct kn_text *t, const char *key,
			      struct str value, struct kn_edits *edits)
{
	kn_edit_add(a, edits, (struct span){t->front_end, t->front_end},
		    str_fmt(a, "%s: %.*s%s", key, STR_ARG(value), t->nl));
}

/* The file has no status: a member of its front matter, else a section behind the title. */
static void rewrite_first_status(struct arena *a, const struct kn_text *t, const char *status,
				 struct kn_edits *edits)
{
	size_t at = t->text.n;
	struct str word = kn_word_in_case_of(a, status, STR("A"));
	bool ends = at && t->text.p[at - 1] == '\n';

	if (t->body) {
		rewrite_front_add(a, t, "status", str_of(status), edits);
		return;
	}
	for (size_t i = t->md.n; i-- > 0;)
		if (t->md.p[i].type == MD_HEADING && !t->md.p[i].depth && t->md.p[i].level > 1)
			at = t->md.p[i].at.from;
	if (at < t->text.n)
		kn_edit_add(a, edits, (struct span){at, at},
			    str_fmt(a, "## Status%s%s%.*s%s%s", t->nl, t->nl, STR_ARG(word), t->nl,
				    t->nl));
	else
		kn_edit_add(a, edits, (struct span){at, at},
			    str_fmt(a, "%s%s## Status%s%s%.*s%s", ends ? "" : t->nl, t->nl, t->nl,
				    t->nl, STR_ARG(word), t->nl));
}

void rewrite_set_status(struct arena *a, const struct kn_text *t, const struct kn_spot *s,
			const char *status, struct kn_edits *edits)
{
	struct str was = str_sub(t->text, s->value.from, s->value.to);
	bool front = s->style == KN_FRONT;

	if (s->style == KN_NOWHERE)
		rewrite_first_status(a, t, status, edits);
	else
		kn_spot_set_value(
			a, s, front && !was.n ? str_of(status) : kn_word_in_case_of(a, status, was),
			edits);
}

static bool rewrite_in_word(struct str s, size_t at)
{
	unsigned char c = at < s.n ? (unsigned char)s.p[at] : ' ';

	return ascii_is_alnum((char)c) || c == '_' || c >= 0x80;
}

/* How often the phrase stands in s as words; *at: where first. */
static size_t rewrite_count(struct str s, struct str phrase, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i + phrase.n <= s.n; i++) {
		if (!str_ieq(str_sub(s, i, i + phrase.n), phrase) ||
		    (i && rewrite_in_word(s, i - 1)) || rewrite_in_word(s, i + phrase.n))
			continue;
		if (!n++)
			*at = i;
	}
	return n;
}

/* A value of one word that is no status of ikm's. */
static bool rewrite_is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_letter(s.p[i]))
			return false;
	return s.n > 0;
}

/*
 * The word of the status in the value at the spot; an empty value: its place. Errors: BAD_MARKDOWN
 * when it does not stand there once.
 */
static struct err *rewrite_find_status_word(struct arena *a, const struct kn_item *was,
					    const struct kn_text *t, const struct kn_spot *s,
					    struct span *out)
{
	struct str raw = str_sub(t->text, s->value.from, s->value.to), inner = raw;
	enum kn_status status;
	bool partly;
	const char *phrase = kn_status_parse(a, was->status_text, &status, &partly);
	size_t at = 0, n = 0, from = s->value.from;
	bool shared = s->style == KN_FRONT && raw.n && strchr("&!*", raw.p[0]) && raw.p[0];

	*out = s->value;
	if (!raw.n)
		return NULL;
	if (s->quote && raw.n >= 2) {
		inner = str_sub(raw, 1, raw.n - 1);
		from++;
	}
	if (phrase)
		n = rewrite_count(inner, str_of(phrase), &at);
	else if (rewrite_is_word(inner))
		n = 1;
	if (n != 1 || shared)
		return err_help(
			err_new(E_BAD_MARKDOWN,
				"'%.*s' was not changed: in '%.*s' at line %zu ikm cannot tell "
				"what to replace%s%s",
				STR_ARG(was->shown_path), STR_ARG(str_utf8_head(raw, 80)),
				str_place_of_offset(t->text, s->value.from).line,
				shared   ? ", which has a tag or is used elsewhere"
				: phrase ? ", where the word does not stand once: "
					 : "",
				shared || !phrase ? "" : phrase),
			"change that line by hand");
	*out = (struct span){from + at, from + at + (phrase ? strlen(phrase) : inner.n)};
	return NULL;
}

/* Replaces the word of the status alone; KN_NOWHERE: writes it where the file should have one. */
static struct err *rewrite_replace_status_word(struct arena *a, const struct kn_item *was,
					       const struct kn_text *t, const struct kn_spot *s,
					       const char *status, struct kn_edits *edits)
{
	struct span at;

	if (s->style == KN_NOWHERE || s->value.from == s->value.to) {
		rewrite_set_status(a, t, s, status, edits);
		return NULL;
	}
	TRY(rewrite_find_status_word(a, was, t, s, &at));
	kn_edit_add(a, edits, at, kn_word_in_case_of(a, status, str_sub(t->text, at.from, at.to)));
	return NULL;
}

/* ---- the date ---- */

static struct str rewrite_digits(struct str *s)
{
	struct str whole = *s;
	size_t n = 0;

	while (n < s->n && ascii_is_digit(s->p[n]))
		n++;
	*s = str_sub(*s, n, s->n);
	return str_sub(whole, 0, n);
}

/* " 10:20", "T10:20:30Z": in the same form. Only UTC is known. False: another form. */
static bool rewrite_time(struct str *s, struct str now, struct buf *out)
{
	struct str rest = *s, h, m;
	bool has_seconds;

	if (!str_take_char(&rest, 'T') && !str_take_char(&rest, ' '))
		return true;
	h = rewrite_digits(&rest);
	if (h.n != 2 || !str_take_char(&rest, ':'))
		return s->p[0] == ' ' && !(h.n && rest.n && rest.p[0] == ':');
	m = rewrite_digits(&rest);
	has_seconds = str_take_char(&rest, ':');
	if (m.n != 2 || (has_seconds && rewrite_digits(&rest).n != 2) || !str_take_char(&rest, 'Z'))
		return false;
	buf_putc(out, s->p[0]);
	buf_put(out, str_sub(now, 11, has_seconds ? 19 : 16));
	buf_putc(out, 'Z');
	*s = rest;
	return true;
}

/* Today's date in the form of the one at the front of s; *n is that one's length. */
static bool rewrite_date(struct arena *a, struct str s, size_t *n, struct str *out)
{
	struct str now, rest = s, one, two, three, iso;
	int64_t y, m, d, first = 0, second = 0;
	struct buf b = buf_in(a);
	char sep;

	one = rewrite_digits(&rest);
	sep = rest.n ? rest.p[0] : ' ';
	if ((sep != '-' && sep != '/' && sep != '.') || !str_take_char(&rest, sep))
		return false;
	two = rewrite_digits(&rest);
	if (!two.n || two.n > 2 || !str_take_char(&rest, sep))
		return false;
	three = rewrite_digits(&rest);
	/* A time follows, which is in UTC, so the day is too. */
	now = rest.n > 1 && strchr("T ", rest.p[0]) && ascii_is_digit(rest.p[1])
		      ? os_time_text(a, os_now(), false)
		      : os_day_text(a, os_now());
	str_int(str_sub(now, 0, 4), &y);
	str_int(str_sub(now, 5, 7), &m);
	str_int(str_sub(now, 8, 10), &d);
	if (one.n == 4 && three.n && three.n <= 2) {
		buf_fmt(&b, "%04d%c%0*d%c%0*d", (int)y, sep, (int)two.n, (int)m, sep, (int)three.n,
			(int)d);
	} else if (one.n && one.n <= 2 && (three.n == 4 || three.n == 2)) {
		str_int(one, &first);
		str_int(two, &second);
		/* The day comes first, unless only the other order is a date. */
		if (second > 12 && first <= 12)
			buf_fmt(&b, "%0*d%c%0*d", (int)one.n, (int)m, sep, (int)two.n, (int)d);
		else
			buf_fmt(&b, "%0*d%c%0*d", (int)one.n, (int)d, sep, (int)two.n, (int)m);
		buf_fmt(&b, "%c%0*d", sep, (int)three.n, (int)(three.n == 2 ? y % 100 : y));
	} else {
		return false;
	}
	if (!rewrite_time(&rest, now, &b) ||
	    (rest.n && (ascii_is_alnum(rest.p[0]) || strchr("-/.", rest.p[0])) && rest.n > 1 &&
	     ascii_is_alnum(rest.p[1])))
		return false;
	*n = s.n - rest.n;
	*out = buf_as_str(&b);
	/* It has to read as today: 12/05 may be another day than was meant. */
	return kn_date(a, *out, &iso) && str_starts(iso, str_sub(now, 0, 10));
}

/* Sets the date in updatedAt, in its own form, when the file has it. *notes says when it stays. */
static void rewrite_updated(struct arena *a, const struct kn_text *t, struct kn_edits *edits,
			    struct strs *notes)
{
	struct kn_spot s = kn_spot_of_member(t, KN_UPDATED);
	struct str raw = str_sub(t->text, s.value.from, s.value.to), now;
	size_t at = 0, n;

	if (s.style == KN_NOWHERE)
		return;
	if (!raw.n) {
		kn_spot_set_value(a, &s, os_day_text(a, os_now()), edits);
		return;
	}
	if (s.style == KN_FRONT)
		at = s.quote != 0;
	else
		while (at < raw.n && raw.p[at] && strchr(" [(\"'`*_", raw.p[at]))
			at++;
	if (rewrite_date(a, str_sub(raw, at, raw.n), &n, &now))
		kn_edit_add(a, edits, (struct span){s.value.from + at, s.value.from + at + n}, now);
	else
		strs_push(a, notes,
			  str_fmt(a,
				  "'%.*s' at line %zu stays: ikm cannot write today's date in this "
				  "form",
				  STR_ARG(str_utf8(a, str_utf8_head(raw, 80))),
				  str_place_of_offset(t->text, s.value.from).line));
}

/* ---- the file with another status ---- */

struct err *knowledge_write_status(struct arena *a, const struct kn_item *item, struct str text,
				   enum kn_status to, struct str *out, struct strs *notes)
{
	struct kn_edits edits = {0};
	struct knowledge k = {0};
	struct kn_item was;
	struct kn_text t, now;
	struct kn_spot s;
	size_t i;

	TRY(rewrite_read_before(a, item, text, &was));
	TRY(kn_text_parse(a, text, &t));
	s = kn_spot_of_member(&t, KN_STATUS);
	TRY(rewrite_replace_status_word(a, &was, &t, &s, kn_statuses[to], &edits));
	rewrite_updated(a, &t, &edits, notes);
	*out = kn_edits_apply(a, text, &edits);
	TRY(rewrite_parse_item(a, item, *out, &k, &i));
	TRY(kn_text_parse(a, *out, &now));
	/*
	 * A file without a status reads as a draft, and one with a successor as superseded. So the
	 * written status has to be there: a comment that nothing ends would swallow it.
	 */
	if (k.items.p[i].status != to || !k.items.p[i].status_text.n ||
	    kn_spot_of_member(&now, KN_STATUS).style == KN_NOWHERE ||
	    !rewrite_kept_rest(&was, &k.items.p[i]) ||
	    !rewrite_same_strs(&was.supersedes, &k.items.p[i].supersedes))
		return rewrite_failed_error(item, &t, &s, "the status");
	return NULL;
}

/* ---- retirement: "superseded by" in the old item, "supersedes" in the new one ---- */

/* Whether item `from` supersedes `to`, directly or through others. */
static bool pair_reaches(const struct knowledge *k, const struct kn_item *from,
			 const struct kn_item *to, struct strs *seen, struct arena *a)
{
	for (size_t i = 0; i < from->supersedes.n; i++) {
		struct str id = from->supersedes.p[i];
		const struct kn_item *next;

		if (str_eq(id, to->id))
			return true;
		if (strs_has(seen, id))
			continue;
		strs_push(a, seen, id);
		next = knowledge_find(k, id, -1);
		if (next && pair_reaches(k, next, to, seen, a))
			return true;
	}
	return false;
}

struct err *knowledge_may_supersede(struct arena *a, const struct knowledge *k,
				    const struct kn_item *old, const struct kn_item *successor)
{
	struct strs seen = {0};

	if (old == successor || str_eq(old->id, successor->id))
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("successor"),
					      "'%.*s' cannot supersede itself", STR_ARG(old->id)),
				"give two items; to begin the new one: ikm know new adr 'TITLE'");
	if (pair_reaches(k, old, successor, &seen, a))
		return err_help(
			err_for_param(
				E_BAD_ARGUMENT, STR("successor"),
				"'%.*s' supersedes '%.*s' already, so the other way round would be "
				"a cycle",
				STR_ARG(old->id), STR_ARG(successor->id)),
			"if that is right, nothing is to be done; else correct 'supersedes' and "
			"the status in '%.*s' and '%.*s' first",
			STR_ARG(old->shown_path), STR_ARG(successor->shown_path));
	TRY(knowledge_may_become(a, k, old, KN_STATUS_SUPERSEDED));
	if (successor->broken)
		return knowledge_may_become(a, k, successor, successor->status);
	if (successor->status != KN_STATUS_ACCEPTED && successor->status != KN_STATUS_PROPOSED)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("successor"),
				      "'%.*s' is %s; allowed for a successor: accepted, "
				      "proposed",
				      STR_ARG(successor->id), kn_statuses[successor->status]),
			"'ikm know status %.*s' shows what may follow", STR_ARG(successor->id));
	return NULL;
}

/* ---- links ---- */

/* The second path as a link in the first file. */
static struct str pair_link(struct arena *a, const char *from, const char *to)
{
	struct str base = str_sub(str_of(from), 0, str_rfind_char(str_of(from), '/') + 1),
		   path = str_of(to), rest;
	struct buf b = buf_in(a);
	size_t same = 0;

	for (size_t i = 0; i < base.n && i < path.n && base.p[i] == path.p[i]; i++)
		if (base.p[i] == '/')
			same = i + 1;
	for (size_t i = same; i < base.n; i++)
		if (base.p[i] == '/')
			buf_puts(&b, "../");
	rest = str_sub(path, same, path.n);
	for (size_t i = 0; i < rest.n; i++)
		if ((unsigned char)rest.p[i] <= ' ' || strchr("()<>%#?\\", rest.p[i]))
			buf_fmt(&b, "%%%02X", (unsigned char)rest.p[i]);
		else
			buf_putc(&b, rest.p[i]);
	return buf_as_str(&b);
}

/*
 * "[5. Title](0005-title.md)", or the id alone. The reader takes the first link of a paragraph for
 * all of its lines, so only an item of a list and a section's text get a link.
 */
static struct str pair_named(struct arena *a, const struct knowledge_side *from,
			     const struct knowledge_side *to, const struct kn_spot *s)
{
	struct str text = s->style == KN_SECTION ? to->item->title : to->item->id;
	struct buf b = buf_in(a);

	if (s->style == KN_LINE && (!s->marker.n || s->marker.p[0] == '|'))
		return to->item->id;

	buf_putc(&b, '[');
	for (size_t i = 0; i < text.n; i++) {
		if (strchr("[]\\`*_<", text.p[i]) && text.p[i])
			buf_putc(&b, '\\');
		buf_putc(&b, text.p[i]);
	}
	buf_fmt(&b, "](%.*s)", STR_ARG(pair_link(a, from->path, to->path)));
	return buf_as_str(&b);
}

/* ---- a list in the front matter ---- */

/* Adds an id to a member that is missing, empty, one id, or a list in either form. */
static void pair_front_add(struct arena *a, const struct kn_text *t, const char *key, struct str id,
			   struct kn_edits *edits)
{
	const struct val *v = val_get(t->front, key);
	struct str scalar = kn_yaml_scalar_text(a, id);
	const char *const keys[] = {key, NULL};
	struct kn_spot s = kn_spot_in_front(t, keys);
	struct span at = s.value;
	struct str lead;

	if (!v) {
		rewrite_front_add(a, t, key, scalar, edits);
	} else if (v->type == VAL_LIST && at.to > at.from && t->text.p[at.from] == '[') {
		kn_edit_add(a, edits, (struct span){at.to - 1, at.to - 1},
			    str_fmt(a, "%s%.*s", v->n ? ", " : "", STR_ARG(scalar)));
	} else if (v->type == VAL_LIST && v->n) {
		lead = str_sub(t->text, kn_line_at(t->text, v->last->at.from).from,
			       v->last->at.from);
		kn_edit_add(a, edits, (struct span){v->last->at.to, v->last->at.to},
			    str_fmt(a, "%s%.*s%.*s", t->nl, STR_ARG(lead), STR_ARG(scalar)));
	} else if (v->type == VAL_NULL || !str_trim(v->s).n) {
		kn_spot_set_value(a, &s, id, edits);
	} else {
		kn_edit_add(a, edits, at,
			    str_fmt(a, "[%.*s, %.*s]", STR_ARG(str_sub(t->text, at.from, at.to)),
				    STR_ARG(scalar)));
	}
}

/* ---- the two files ---- */

static struct err *pair_old(struct arena *a, struct knowledge_side *old,
			    const struct knowledge_side *successor, struct kn_text *t,
			    struct kn_spot *s, struct kn_item *before)
{
	struct kn_edits edits = {0};
	struct str was, rest;
	struct span at;

	TRY(rewrite_read_before(a, old->item, old->text, before));
	TRY(kn_text_parse(a, old->text, t));
	*s = kn_spot_of_member(t, KN_STATUS);
	if (s->style == KN_LINE || s->style == KN_SECTION) {
		bool more;

		TRY(rewrite_find_status_word(a, before, t, s, &at));
		was = str_sub(t->text, at.from, at.to);
		rest = str_trim(str_sub(t->text, at.to, s->value.to));
		/* "accepted by Ada": the sentence stays whole behind the new status. */
		more = rest.n && (ascii_is_alnum(rest.p[0]) || (unsigned char)rest.p[0] >= 0x80);
		kn_edit_add(a, &edits, more ? (struct span){at.from, at.from} : at,
			    str_fmt(a, "%s%.*s %.*s%s", s->before,
				    STR_ARG(kn_word_in_case_of(a, "superseded by", was)),
				    STR_ARG(pair_named(a, old, successor, s)), more ? "; " : ""));
	} else {
		TRY(rewrite_replace_status_word(a, before, t, s, kn_statuses[KN_STATUS_SUPERSEDED],
						&edits));
		pair_front_add(a, t, "supersededBy", successor->item->id, &edits);
	}
	rewrite_updated(a, t, &edits, &old->notes);
	old->out = kn_edits_apply(a, old->text, &edits);
	return NULL;
}

/* The text behind the value on its line: a hard line break, or a table's bar. */
static struct str pair_rest(const struct kn_text *t, const struct kn_spot *s)
{
	struct str rest = str_sub(t->text, s->value.to, s->line.to);

	for (size_t i = 0; i < rest.n; i++)
		if (!strchr(" \t\\|", rest.p[i]) || !rest.p[i])
			return STR("");
	return rest;
}

static struct err *pair_new(struct arena *a, struct knowledge_side *successor,
			    const struct knowledge_side *old, struct kn_text *t, struct kn_spot *s,
			    struct kn_item *before)
{
	struct kn_edits edits = {0};

	TRY(rewrite_read_before(a, successor->item, successor->text, before));
	TRY(kn_text_parse(a, successor->text, t));
	*s = kn_spot_of_member(t, KN_STATUS);
	successor->out = successor->text;
	if (strs_has(&successor->item->supersedes, old->item->id))
		return NULL;
	if (s->style == KN_LINE) {
		bool row = str_starts(s->marker, STR("|"));
		size_t at = row ? s->end : s->line.to;

		kn_edit_add(a, &edits, (struct span){at, at},
			    str_fmt(a, "%s%.*s%.*sSupersedes%s%.*s%s%.*s%.*s", t->nl,
				    STR_ARG(s->marker), STR_ARG(s->emphasis), row ? "" : ":",
				    STR_ARG(s->emphasis), row ? " | " : " ",
				    STR_ARG(pair_named(a, successor, old, s)),
				    STR_ARG(pair_rest(t, s))));
	}
	if (s->style == KN_SECTION)
		kn_edit_add(a, &edits, (struct span){s->end, s->end},
			    str_fmt(a, "%s%s%.*sSupersedes %.*s", t->nl, s->marker.n ? "" : t->nl,
				    STR_ARG(s->marker), STR_ARG(pair_named(a, successor, old, s))));
	if (s->style == KN_FRONT || s->style == KN_NOWHERE)
		pair_front_add(a, t, "supersedes", old->item->id, &edits);
	rewrite_updated(a, t, &edits, &successor->notes);
	successor->out = kn_edits_apply(a, successor->text, &edits);
	return NULL;
}

static const struct kn_item *pair_item(const struct knowledge *k, const struct kn_item *like)
{
	for (size_t i = 0; i < k->items.n; i++)
		if (str_eq(k->items.p[i].path, like->path) && k->items.p[i].source == like->source)
			return &k->items.p[i];
	BUG("an item that was read is not there");
}

struct err *knowledge_write_superseding(struct arena *a, struct knowledge_side *old,
					struct knowledge_side *successor)
{
	struct kn_text old_text, new_text;
	struct kn_spot old_spot, new_spot;
	struct kn_item old_before, new_before;
	const struct kn_item *was, *now;
	struct knowledge k = {0};
	bool kept;
	size_t i;

	TRY(pair_old(a, old, successor, &old_text, &old_spot, &old_before));
	TRY(pair_new(a, successor, old, &new_text, &new_spot, &new_before));
	TRY(rewrite_parse_item(a, old->item, old->out, &k, &i));
	kept = rewrite_same_strs(&k.items.p[i].supersedes, &old_before.supersedes);
	TRY(rewrite_parse_item(a, successor->item, successor->out, &k, &i));
	knowledge_finish(a, &k);
	was = pair_item(&k, old->item);
	now = pair_item(&k, successor->item);
	if (!kept || was->status != KN_STATUS_SUPERSEDED || !rewrite_kept_rest(&old_before, was) ||
	    !strs_has(&was->superseded_by, successor->item->id) ||
	    was->superseded_by.n > old_before.superseded_by.n + 1)
		return rewrite_failed_error(old->item, &old_text, &old_spot, "its successor");
	if (now->status != successor->item->status || !rewrite_kept_rest(&new_before, now) ||
	    !strs_has(&now->supersedes, old->item->id))
		return rewrite_failed_error(successor->item, &new_text, &new_spot,
					    "what it supersedes");
	return NULL;
}
