/* How much a text of the garden says: its words, and whether it says anything. */
#include "garden/doc.h"

/* Blanks above ASCII. A character that joins, or has no width inside a word, is none. */
static bool measure_is_blank(uint32_t c)
{
	return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) ||
	       c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Characters of scripts that are written without blanks count as a word each. */
static bool measure_is_wide(uint32_t c)
{
	return (c >= 0x3041 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
	       (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

struct measure {
	size_t words;
	struct str word; /* the one that is being read */
	bool says;       /* it has more than marks of Markdown */
	bool begun;      /* the line has more than markers */
};

static void measure_end_word(struct measure *m)
{
	size_t i = 0;
	bool number;

	while (i < m->word.n && ascii_is_digit(m->word.p[i]))
		i++;
	/* "12." or "12)": the marker of a list, where a line begins. */
	number = i && i + 1 == m->word.n && (m->word.p[i] == '.' || m->word.p[i] == ')');
	if (m->says && (m->begun || !number)) {
		m->words++;
		m->begun = true;
	}
	m->word.n = 0;
	m->says = false;
}

static void measure_text(struct measure *m, struct str s)
{
	uint32_t c;

	for (size_t i = 0, n; i < s.n; i += n) {
		n = size_max(str_utf8_char(s.p + i, s.n - i, &c), 1);
		if (n == 1 ? ascii_is_any_space(s.p[i]) : measure_is_blank(c)) {
			measure_end_word(m);
			m->begun = m->begun && s.p[i] != '\n';
		} else if (n > 1 && measure_is_wide(c)) {
			measure_end_word(m);
			m->words++;
			m->begun = true;
		} else {
			if (!m->word.n)
				m->word.p = s.p + i;
			m->word.n += n;
			m->says = m->says || n > 1 || ascii_is_alnum(s.p[i]);
		}
	}
	measure_end_word(m);
}

size_t garden_doc_word_count(const struct garden_doc *d, struct span at)
{
	struct measure m = {0};
	size_t low = 0, from = at.from;

	BISECT(low, mid, d->anchors.n, d->anchors.p[mid].at.to <= at.from);
	for (; low < d->anchors.n && d->anchors.p[low].at.from < at.to; low++) {
		struct span anchor = d->anchors.p[low].at;

		measure_text(&m, str_sub(d->text, from, size_max(from, anchor.from)));
		from = size_max(from, anchor.to);
	}
	if (from < at.to)
		measure_text(&m, str_sub(d->text, from, at.to));
	return m.words;
}

/* ---- whether it says anything ---- */

static bool measure_shows(struct str s)
{
	uint32_t c;

	for (size_t i = 0, n; i < s.n; i += n) {
		n = size_max(str_utf8_char(s.p + i, s.n - i, &c), 1);
		if (n == 1 ? !ascii_is_any_space(s.p[i]) : !garden_char_is_invisible(c))
			return true;
	}
	return false;
}

/* Whether HTML has text outside of its comments and tags. */
static bool measure_html_shows(struct str s)
{
	for (size_t i = 0; i < s.n;) {
		bool comment = str_starts(str_sub(s, i, s.n), STR("<!--"));
		size_t end = str_find_char(s, '<', i);

		if (s.p[i] == '<') {
			end = comment ? str_find(s, STR("-->"), i + 4) : str_find_char(s, '>', i);
			if (end == SIZE_MAX)
				return false;
			i = end + (comment ? 3 : 1);
			continue;
		}
		end = end == SIZE_MAX ? s.n : end;
		if (measure_shows(str_sub(s, i, end)))
			return true;
		i = end;
	}
	return false;
}

bool garden_doc_is_empty(const struct garden_doc *d)
{
	if (d->unreadable.n)
		return false;
	VEC_EACH(const struct md_block, b, &d->md)
		if (b->type == MD_HTML
			    ? measure_html_shows(b->text)
			    : b->link.n || measure_shows(b->text) || measure_shows(b->struck))
			return false;
	return true;
}
