/* Unicode's normalization form C, by utf8proc. */
#include "words/words.h"
#include <utf8proc.h>

/* The text is UTF-8. The buffer has numbers of characters first, then their UTF-8 and a NUL. */
static struct str nfc_mapped(struct arena *a, struct str text, utf8proc_option_t form)
{
	const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text.p;
	utf8proc_ssize_t n = utf8proc_decompose(p, (utf8proc_ssize_t)text.n, NULL, 0, form);
	utf8proc_int32_t *chars;

	if (n >= 0) {
		chars = arena_array(a, (size_t)n + 1, sizeof(*chars));
		utf8proc_decompose(p, (utf8proc_ssize_t)text.n, chars, n, form);
		n = utf8proc_reencode(chars, n, form);
	}
	if (n < 0)
		BUG("utf8proc: %s", utf8proc_errmsg(n));
	return (struct str){(const char *)chars, (size_t)n};
}

static struct str nfc_of(struct arena *a, struct str text)
{
	return nfc_mapped(a, text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

/* Without what readers of a key may overlook. */
static struct str words_key_folded(struct arena *a, struct str key)
{
	struct buf b = buf_in(a);

	key = nfc_mapped(a, key,
			 UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
				 UTF8PROC_IGNORE | UTF8PROC_STRIPMARK);
	for (size_t i = 0; i < key.n; i++)
		if (!strchr("-_ ", key.p[i]))
			buf_putc(&b, key.p[i]);
	return buf_as_str(&b);
}

bool words_key_is_like(struct arena *a, struct str key, struct str name)
{
	return !str_eq(key, name) && str_is_utf8(key) &&
	       str_eq(words_key_folded(a, key), words_key_folded(a, name));
}

struct str words_normalize_file_name(struct arena *a, struct str name)
{
	struct buf b = buf_in(a);

	if (!str_is_utf8(name))
		return name;
	for (size_t i = 0, n; i < name.n; i += n) {
		uint32_t c;

		n = str_utf8_char(name.p + i, name.n - i, &c);
		if (utf8proc_category((utf8proc_int32_t)c) == UTF8PROC_CATEGORY_ZS)
			buf_putc(&b, ' ');
		else
			buf_put(&b, str_sub(name, i, i + n));
	}
	return nfc_of(a, buf_as_str(&b));
}

struct str words_plain_letters(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);
	bool plain = true;

	for (size_t i = 0; i < text.n; i++)
		plain = plain && (unsigned char)text.p[i] < 0x80;
	if (plain || !str_is_utf8(text))
		return text;
	for (size_t i = 0, n; i < text.n; i += n) {
		for (n = 0; i + n < text.n && (unsigned char)text.p[i + n] >= 0x80; n++)
			;
		if (n)
			buf_put(&b, nfc_mapped(a, str_sub(text, i, i + n),
					       UTF8PROC_STABLE | UTF8PROC_COMPOSE |
						       UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK));
		else
			buf_putc(&b, text.p[i + n++]);
	}
	return buf_as_str(&b);
}

bool words_nfc(struct arena *a, struct str text, struct str *out)
{
	uint32_t c;

	for (size_t i = 0, n; i < text.n; i += n) {
		n = str_utf8_char(text.p + i, text.n - i, &c);
		*out = str_sub(text, i, i + size_max(n, 1));
		if (!n || !str_eq(nfc_of(a, *out), *out))
			return false;
	}
	*out = nfc_of(a, text);
	return true;
}
