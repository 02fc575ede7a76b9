#include "deps/range.h"
#include "deps/reader.h"

static bool nuget_label(struct arena *a, struct str s, struct buf *b)
{
	struct str part, digits, word;
	bool number;

	if (!s.n || s.p[s.n - 1] == '.')
		return false;
	while (str_split(&s, '.', &part)) {
		for (size_t i = 0; i < part.n; i++)
			if (!ascii_is_alnum(part.p[i]) && part.p[i] != '-')
				return false;
		word = part;
		if (!part.n)
			return false;
		number = number_parse(&word, &digits) && !word.n;
		key_part(b, number ? 1 : 2, number ? digits : str_lower(a, part), number);
	}
	return true;
}

bool nuget_key(struct arena *a, struct str text, struct str *key)
{
	struct buf b = buf_in(a);
	struct str digits;
	unsigned n = 0;

	text = reader_until(reader_behind(text, "v|V"), "+");
	do {
		if (n == 4 || !number_parse(&text, &digits))
			return false;
		key_number(&b, digits);
		n++;
		digits = text;
		text = reader_behind(text, ".");
	} while (text.n < digits.n);
	for (; n < 4; n++)
		key_number(&b, STR("0"));
	if (text.n && text.p[0] != '-')
		return false;
	buf_putc(&b, text.n ? 1 : 2);
	if (text.n && !nuget_label(a, str_sub(text, 1, text.n), &b))
		return false;
	buf_putc(&b, 0);
	*key = buf_str(&b);
	return true;
}

/* "1.2.*", and "1.2.3-*" for all pre-releases and the release. */
static bool nuget_prefix(struct arena *a, struct str text, struct str *lo, struct str *hi)
{
	struct buf b = buf_in(a);
	struct str rest = text, part, last = {"", 0};
	size_t before = 0;

	if (text.n && text.p[text.n - 1] == '-')
		rest = str_sub(text, 0, text.n - 1);
	for (unsigned n = 0; str_split(&rest, '.', &part); n++) {
		struct str s = part;

		before = b.n;
		if (n == 4 || !number_parse(&s, &last) || s.n)
			return false;
		key_number(&b, last);
	}
	if (!last.n)
		return false;
	*lo = str_dup(a, buf_str(&b));
	b.n = before;
	key_number(&b, number_next(a, last));
	*hi = buf_str(&b);
	return true;
}

bool nuget_cuts(struct arena *a, struct str text, struct cuts *out)
{
	if (str_is(text, "*")) {
		*out = (struct cuts){
			.lo = STR(""), .hi = CUT_HIGHEST, .equal = true, .whole = true};
		return true;
	}
	if (text.n > 1 && str_ends(text, STR("*")) &&
	    nuget_prefix(a, str_sub(text, 0, text.n - 1 - str_ends(text, STR(".*"))), &out->lo,
			 &out->hi))
		return true;
	if (!nuget_key(a, text, &out->lo))
		return false;
	out->hi = cut_after(a, out->lo);
	out->bare = ">="; /* alone it is the lowest version, and not the only one */
	return true;
}
