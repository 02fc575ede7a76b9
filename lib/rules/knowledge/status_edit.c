/* Edits of a status and of a date within their values: the words around them stay. */
#include "knowledge/field_edit.h"
#include "os/os.h"

/* ---- the status ---- */

/* The file has no status: a member of its front matter, else a section behind the title. */
static void rewrite_first_status(struct arena *a, const struct kn_text *t, const char *status,
				 struct kn_edits *edits)
{
	size_t at = t->text.n;
	struct str word = kn_word_in_case_of(a, status, STR("A"));
	bool ends = at && t->text.p[at - 1] == '\n';

	if (t->body) {
		kn_front_add(a, t, "status", str_of(status), edits);
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

struct err *rewrite_find_status_word(struct arena *a, const struct kn_item *was,
				     const struct kn_text *t, const struct kn_spot *s,
				     struct span *out)
{
	struct str raw = str_sub(t->text, s->value.from, s->value.to), inner = raw;
	const char *phrase = kn_status_phrase_in_text(a, was->status_text);
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

struct err *rewrite_replace_status_word(struct arena *a, const struct kn_item *was,
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

void rewrite_updated(struct arena *a, const struct kn_text *t, struct kn_edits *edits,
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
