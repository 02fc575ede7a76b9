/* UTF-16, UTF-32, ISO 8859-1 and Windows-1252 are built in; iconv knows the others. */
#include "file/backend.h"
#include "file/charset.h"
#include "os/os.h"
#include "re/re.h"
#include <errno.h>
#include <iconv.h>

#define UTF16LE      "utf-16le"
#define UTF16BE      "utf-16be"
#define UTF32LE      "utf-32le"
#define UTF32BE      "utf-32be"
#define LATIN1       "iso-8859-1"
#define WINDOWS      "windows-1252"
#define CONFIG_MAX   ((size_t)1 << 20)
#define PLANE        0x10000u
#define SAMPLE_BYTES 4096 /* of content without a mark that may be UTF-16 */

/* Encodings with several bytes for each letter, and their byte order marks. */
struct charset_wide {
	const char *name;
	size_t width;
	bool big;
	struct str mark;
};
/* The mark of UTF-32 begins with that of UTF-16. */
static const struct charset_wide charset_wides[] = {
	{UTF32LE, 4, false, STR_INIT("\xff\xfe\0\0")},
	{UTF32BE, 4, true, STR_INIT("\0\0\xfe\xff")},
	{UTF16LE, 2, false, STR_INIT("\xff\xfe")},
	{UTF16BE, 2, true, STR_INIT("\xfe\xff")},
};

static const struct charset_wide *charset_wide_of(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(charset_wides); i++)
		if (str_is(name, charset_wides[i].name))
			return &charset_wides[i];
	return NULL;
}

/* The one whose mark the content begins with; NULL: none. */
static const struct charset_wide *charset_marked(struct str s)
{
	for (size_t i = 0; i < ARRAY_SIZE(charset_wides); i++)
		if (str_starts(s, charset_wides[i].mark))
			return &charset_wides[i];
	return NULL;
}

/* Windows-1252 from 0x80 on; 0: it has no letter there. */
static const uint16_t windows[32] = {
	0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
	0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

struct str charset_shown(struct arena *a, const struct charset *c)
{
	return str_fmt(a, "%.*s%s", STR_ARG(c->name), c->guessed ? " (guessed)" : "");
}

/* The name that this file uses, for one that others write; else the name itself. */
static struct str charset_own(struct str name)
{
	static const char *const names[][2] = {
		{"latin1", LATIN1},  {"latin-1", LATIN1},       {"iso8859-1", LATIN1},
		{"cp1252", WINDOWS}, {"utf16le", UTF16LE},      {"utf16be", UTF16BE},
		{"utf-16", UTF16LE}, {"utf-16le-bom", UTF16LE}, {"utf-16be-bom", UTF16BE},
		{LATIN1, LATIN1},    {WINDOWS, WINDOWS},        {"utf-32", UTF32LE},
		{UTF32LE, UTF32LE},  {UTF32BE, UTF32BE},        {UTF16LE, UTF16LE},
		{UTF16BE, UTF16BE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_ieq(name, str_of(names[i][0])))
			return str_of(names[i][1]);
	return name;
}

static bool charset_is_utf8(struct str name)
{
	return str_ieq(name, STR("utf-8")) || str_ieq(name, STR("utf8")) ||
	       str_ieq(name, STR("utf-8-bom"));
}

/* ---- the encodings that are built in ---- */

static uint32_t charset_unit(const struct charset_wide *w, const char *p)
{
	uint32_t code = 0;

	for (size_t i = 0; i < w->width; i++)
		code = code << 8 | (unsigned char)p[w->big ? i : w->width - 1 - i];
	return code;
}

/* False for what is no text in this encoding; NUL is none. */
static bool charset_from_wide(const struct charset_wide *w, struct str s, struct buf *out)
{
	if (s.n % w->width)
		return false;
	for (size_t i = 0; i < s.n; i += w->width) {
		uint32_t code = charset_unit(w, s.p + i), low;

		if (w->width == 2 && code >= 0xd800 && code < 0xdc00) {
			low = i + 2 < s.n ? charset_unit(w, s.p + i + 2) : 0;
			if (low < 0xdc00 || low > 0xdfff)
				return false;
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
			i += 2;
		}
		if (!code || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
			return false;
		buf_utf8(out, code);
	}
	return true;
}

static void charset_put_unit(struct buf *out, const struct charset_wide *w, uint32_t unit)
{
	for (size_t i = 0; i < w->width; i++)
		buf_putc(out, (char)(unit >> 8 * (w->big ? w->width - 1 - i : i)));
}

static bool charset_from_bytes(struct str s, bool is_windows, struct buf *out)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		uint32_t code = is_windows && c >= 0x80 && c < 0xa0 ? windows[c - 0x80] : c;

		if (!code)
			return false;
		buf_utf8(out, code);
	}
	return true;
}

/* One letter; false: the encoding does not have it. */
static bool charset_put(struct str name, uint32_t code, struct buf *out)
{
	const struct charset_wide *wide = charset_wide_of(name);

	if (wide) {
		if (wide->width == 2 && code >= 0x10000) {
			charset_put_unit(out, wide, 0xd800 + ((code - 0x10000) >> 10));
			code = 0xdc00 + ((code - 0x10000) & 0x3ff);
		}
		charset_put_unit(out, wide, code);
		return true;
	}
	if (str_is(name, WINDOWS))
		for (size_t i = 0; i < ARRAY_SIZE(windows); i++)
			if (windows[i] == code) {
				buf_putc(out, (char)(0x80 + i));
				return true;
			}
	if (code > 0xff || (str_is(name, WINDOWS) && code >= 0x80 && code < 0xa0))
		return false;
	buf_putc(out, (char)code);
	return true;
}

static bool charset_is_built_in(struct str name)
{
	return charset_wide_of(name) || str_is(name, LATIN1) || str_is(name, WINDOWS);
}

/* ---- the others ---- */

static struct err *charset_by_iconv(struct arena *a, struct str text, const char *from,
				    const char *to, bool *good, struct str *out)
{
	iconv_t cd = iconv_open(to, from);
	size_t cap = text.n * 4 + 16, left = text.n, room = cap;
	char *in = (char *)(uintptr_t)text.p, *p = arena_alloc(a, cap), *end = p;

	if (cd == (iconv_t)-1)
		return err_help(err_new(E_BAD_ARGUMENT, "the encoding '%s' is not known here",
					strcmp(from, "UTF-8") ? from : to),
				"ikm knows utf-8, " UTF16LE ", " UTF16BE ", " UTF32LE ", " UTF32BE
				", " LATIN1 " and " WINDOWS "; iconv -l lists others");
	*good = !iconv(cd, &in, &left, &end, &room) && !left && !iconv(cd, NULL, NULL, &end, &room);
	iconv_close(cd);
	*out = (struct str){p, cap - room};
	return NULL;
}

/* ---- decoding ---- */

/* Letters, marks and blanks of languages that are written today, but no controls. */
static bool charset_is_common(uint32_t code)
{
	return code < 0x20 ? code && strchr("\t\n\r\f\033", (int)code)
			   : code < 0xd7b0 || (code >= 0xf900 && code < 0xfffe) ||
				     (code >= 0x1f000 && code < 0x30000);
}

/* Whether bytes with NUL are text in this encoding, as their beginning shows. */
static bool charset_looks_wide(const struct charset_wide *w, struct str s)
{
	size_t plain = 0, pairs = 0, units = size_min(s.n, SAMPLE_BYTES) / w->width;

	for (size_t i = 0; i < units; i++) {
		uint32_t code = charset_unit(w, s.p + i * w->width);
		bool half = w->width == 2 && code >= 0xd800 && code < 0xe000;

		if (!half && !charset_is_common(code))
			return false;
		plain += code < 0x80;
		/* Two letters of ASCII, which as one of UTF-16 are Chinese. */
		pairs += code >= 0x2020 && code <= 0x7e7e && (code & 0xff) >= 0x20 &&
			 (code & 0xff) <= 0x7e;
	}
	return units > 3 && s.n % w->width == 0 && plain * 20 >= units &&
	       pairs * 4 <= (units - plain) * 3;
}

/* The encoding that the bytes look like; empty: they are no text. */
static struct str charset_guess(struct str s)
{
	bool high = false;

	for (size_t i = 0; i < ARRAY_SIZE(charset_wides) && str_has_nul(s); i++)
		if (charset_looks_wide(&charset_wides[i], s))
			return str_of(charset_wides[i].name);
	if (str_has_nul(s))
		return STR("");
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x20 && !strchr("\t\n\r\f\033", c)) || c == 0x7f)
			return STR("");
		high = high || (c >= 0x80 && c < 0xa0);
	}
	return high ? STR(WINDOWS) : STR(LATIN1);
}

/* Whether the beginning of a content is UTF-16 or UTF-32, by its mark or by its looks. */
static bool charset_is_wide(struct str head)
{
	head.n -= head.n % 4;
	return charset_marked(head) || (str_has_nul(head) && charset_guess(head).n);
}

struct err *charset_decode(struct arena *a, struct str content, struct str name, struct str *text,
			   struct charset *out)
{
	bool named = name.p != NULL, good = false;
	struct str decoded, again;
	struct buf b = buf_in(a);

	*text = content;
	*out = (struct charset){.name = STR("")};
	name = charset_own(name);
	if (charset_marked(content))
		name = str_of(charset_marked(content)->name);
	else if (named ? charset_is_utf8(name) && str_is_utf8(content) : str_is_text(content))
		return NULL;
	else if (!named)
		out->guessed = true;
	if (out->guessed)
		name = charset_guess(content);
	if (!name.n)
		return NULL;
	if (charset_is_built_in(name)) {
		good = charset_wide_of(name)
			       ? charset_from_wide(charset_wide_of(name), content, &b)
			       : charset_from_bytes(content, str_is(name, WINDOWS), &b);
		decoded = buf_as_str(&b);
	} else if (!charset_is_utf8(name)) {
		TRY(charset_by_iconv(a, content, str_c(a, name), "UTF-8", &good, &decoded));
	}
	/* Each byte comes back as it was. */
	if (good && str_is_text(decoded)) {
		const struct charset c = {name, false};

		good = !charset_encode(a, &c, decoded, decoded, &again) && str_eq(again, content);
	} else {
		good = false;
	}
	if (!good && named)
		return err_help(
			err_new(E_NOT_TEXT, "it is not text in the encoding '%.*s'", STR_ARG(name)),
			"give the encoding that the file has; 'file -i' guesses it");
	if (!good)
		return NULL;
	*text = decoded;
	out->name = name;
	return NULL;
}

/* ---- what the files of a project say ---- */

static bool charset_glob_matches(struct arena *a, struct str pattern, struct str path)
{
	struct glob *glob;

	return pattern.n && !glob_new(a, pattern, &glob) && glob_match(glob, path);
}

/* What a file says of a path, in its words. p NULL: nothing; empty: that there is none. */
struct charset_words {
	struct str charset, end;
	bool root; /* no file of a folder above counts */
};

/* What .gitattributes says: the last line for the path counts. */
static void charset_by_attributes(struct arena *a, struct str text, struct str path,
				  struct charset_words *out)
{
	static const struct str charset = STR_INIT("working-tree-encoding="),
				end = STR_INIT("eol=");
	struct str line, pattern, word;

	while (str_next_line(&text, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("#")) || !str_next_part(&line, ' ', &pattern) ||
		    !charset_glob_matches(a, pattern, path))
			continue;
		while (str_next_part(&line, ' ', &word)) {
			if (str_starts(word, charset))
				out->charset = str_sub(word, charset.n, word.n);
			else if (str_starts(word, end))
				out->end = str_sub(word, end.n, word.n);
			else if (str_is(word, "-text") || str_is(word, "binary"))
				out->end = STR("");
		}
	}
}

/* The same for .editorconfig. */
static void charset_by_editorconfig(struct arena *a, struct str text, struct str path,
				    struct charset_words *out)
{
	bool matches = false, top = true;
	struct str line, key, value;

	while (str_next_line(&text, &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("[")) && str_ends(line, STR("]"))) {
			matches = charset_glob_matches(a, str_sub(line, 1, line.n - 1), path);
			top = false;
			continue;
		}
		if (!str_next_part(&line, '=', &key))
			continue;
		key = str_trim(key);
		value = str_ieq(str_trim(line), STR("unset")) ? STR("") : str_trim(line);
		if (top && str_ieq(key, STR("root")))
			out->root = str_ieq(value, STR("true"));
		else if (matches && str_ieq(key, STR("charset")))
			out->charset = value;
		else if (matches && str_ieq(key, STR("end_of_line")))
			out->end = value;
	}
}

/* Looks in the folders from that of the file up to that of the repository. */
static struct charset_words charset_words_of(struct arena *a, struct str whole)
{
	struct charset_words all = {0};
	size_t slash = whole.n;
	struct os_stat st;
	struct str text;

	while ((slash = str_rfind_char(str_sub(whole, 0, slash), '/')) != SIZE_MAX) {
		struct str folder = str_sub(whole, 0, slash);
		struct str below = str_sub(whole, slash + 1, whole.n);
		struct charset_words here = {0};

		if (!all.root &&
		    !os_read_path(a, str_c(a, str_fmt(a, "%.*s/.editorconfig", STR_ARG(folder))),
				  CONFIG_MAX, &text))
			charset_by_editorconfig(a, text, below, &here);
		if (!os_read_path(a, str_c(a, str_fmt(a, "%.*s/.gitattributes", STR_ARG(folder))),
				  CONFIG_MAX, &text))
			charset_by_attributes(a, text, below, &here);
		all.charset = all.charset.p ? all.charset : here.charset;
		all.end = all.end.p ? all.end : here.end;
		all.root = all.root || here.root;
		if (!os_stat(str_c(a, str_fmt(a, "%.*s/.git", STR_ARG(folder))), true, &st) &&
		    st.kind != OS_NONE)
			break;
	}
	return all;
}

/* What .gitattributes and .editorconfig say of the file with this path; empty: nothing. */
static struct str charset_configured_for_path(struct arena *a, struct str path)
{
	struct str name = {0};
	const char *full;

	if (!os_realpath(a, str_c(a, path), &full))
		name = charset_words_of(a, str_of(full)).charset;
	/* UTF-8 needs no word. */
	return !name.n || charset_is_utf8(name) ? (struct str){0} : name;
}

bool charset_is_other(struct str path, struct str head, bool utf8)
{
	struct arena *a ARENA_LOCAL = NULL;

	if (charset_is_wide(head))
		return true;
	if (utf8 && !str_has_nul(head))
		return false;
	a = arena_new();
	return charset_configured_for_path(a, path).n;
}

/* Encodings whose name says that the text begins with a byte order mark. */
static bool charset_is_marked(struct str name)
{
	return str_ieq(name, STR("utf-16")) ||
	       str_ieq(str_sub(name, size_max(name.n, 4) - 4, name.n), STR("-bom"));
}

struct err *charset_encode_new_file(struct arena *a, const struct file_item *to, struct str said,
				    struct str text, enum file_ends *ends, struct str *out)
{
	struct charset_words words;
	struct charset charset = {0};
	struct err *e;

	*out = text;
	*ends = FILE_ENDS_NONE;
	if (!text.n || to->ref.backend != &backend_fs || !str_is_text(text))
		return NULL;
	words = charset_words_of(a, to->where);
	if (str_ieq(words.end, STR("crlf")) || str_ieq(words.end, STR("lf")))
		text = file_ends_convert(a, text, str_ieq(words.end, STR("crlf")), ends);
	if (said.p)
		words.charset = said;
	if (charset_is_marked(words.charset) && !str_starts(text, STR(FILE_BOM)))
		text = str_fmt(a, FILE_BOM "%.*s", STR_ARG(text));
	if (words.charset.n && !charset_is_utf8(words.charset))
		charset.name = charset_own(words.charset);
	e = charset_encode(a, &charset, STR(""), text, out);
	return !e || said.p
		       ? e
		       : err_help(
				 e,
				 ".gitattributes or .editorconfig say the encoding; 'encoding' can say another one");
}

struct str file_disk_path(const struct file_ref *r)
{
	return r->backend == &backend_asset ? STR("") : r->path;
}

struct err *charset_decode_file(struct arena *a, struct str path, struct str content,
				struct str said, struct str *text, struct charset *out)
{
	struct str name = said.p ? said : charset_configured_for_path(a, path);
	struct err *e = charset_decode(a, content, name.n ? name : said, text, out);

	return e && !said.p ? charset_decode(a, content, said, text, out) : e;
}

/* ---- encoding ---- */

/* How often the text has each letter of the first plane. */
static uint32_t *charset_counts(struct arena *a, struct str text)
{
	uint32_t *counts = arena_array(a, PLANE, sizeof(*counts)), code;

	for (size_t i = 0, n; i < text.n; i += size_max(n, 1)) {
		n = str_utf8_char(text.p + i, text.n - i, &code);
		if (n)
			counts[code % PLANE]++;
	}
	return counts;
}

static struct err *charset_help(struct err *e, const struct charset *c)
{
	err_add_detail(e, "guess", c->name);
	return err_help(e,
			"give the file's encoding as 'encoding', such as cp932, gbk or big5, or "
			"%.*s if each letter has one byte",
			STR_ARG(c->name.n ? c->name : STR(LATIN1)));
}

static struct err *charset_letter(const struct charset *c, struct str letter)
{
	struct err *e;

	if (!c->guessed)
		return err_help(err_new(E_BAD_ARGUMENT,
					"the file's encoding, %.*s, has no letter '%.*s'",
					STR_ARG(c->name), STR_ARG(letter)),
				"write it with letters of that encoding, or convert the file to "
				"UTF-8 first: iconv -f %.*s -t UTF-8",
				STR_ARG(c->name));
	e = err_new(E_BAD_ARGUMENT,
		    "the file is not UTF-8, and its encoding is %s%.*s, so the new text may have "
		    "ASCII alone, and not '%.*s'",
		    c->name.n ? "only guessed as " : "not known", STR_ARG(c->name),
		    STR_ARG(letter));
	return charset_help(e, c);
}

/* The letters of bytes in Shift_JIS, or else in GBK or Big5, where a letter has one byte or two. */
struct charset_pairs {
	bool japanese;
	bool good;        /* there are no other bytes */
	size_t all, sure; /* letters beyond ASCII; those that one-byte text hardly has */
	uint32_t *counts; /* of each letter of two bytes */
};

static bool charset_is_mark(unsigned char c)
{
	return c < 0x80 && !ascii_is_alnum((char)c);
}

static void charset_pairs_of(struct arena *a, struct str s, struct charset_pairs *out)
{
	unsigned char last = out->japanese ? 0xfc : 0xfe;

	out->good = true;
	out->counts = arena_array(a, PLANE, sizeof(*out->counts));
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i], trail;

		out->all += c >= 0x80;
		if (c < 0x80 || (out->japanese && c > 0xa0 && c < 0xe0))
			continue;
		trail = ++i < s.n ? (unsigned char)s.p[i] : 0;
		out->good = out->good && c > 0x80 && c <= last && trail >= 0x40 && trail != 0x7f &&
			    trail <= last;
		out->sure += trail >= 0x80 || (c < 0xc0 && charset_is_mark(trail));
		out->counts[c << 8 | trail]++;
	}
}

/*
 * Whether the new bytes have the first byte of a letter with another second one. prose: the old
 * bytes may be Latin-1 or Windows-1252, where most letters beyond ASCII stand before one of ASCII.
 */
static bool charset_cuts(struct arena *a, struct str old, struct str new, bool japanese, bool prose)
{
	struct charset_pairs was = {.japanese = japanese}, is = was;

	charset_pairs_of(a, old, &was);
	if (!was.good || (prose && was.sure * 2 <= was.all))
		return false;
	charset_pairs_of(a, new, &is);
	for (size_t lead = 0x80; lead < 0x100; lead++) {
		bool lost = false, gained = false;

		for (size_t i = lead << 8; i < (lead + 1) << 8; i++) {
			lost = lost ||
			       (is.counts[i] < was.counts[i] && charset_is_mark((unsigned char)i));
			gained = gained || is.counts[i] > was.counts[i];
		}
		if (lost && gained)
			return true;
	}
	return false;
}

/* Where a guess of one byte for each letter is wrong, ASCII may be half of a letter. */
static struct err *charset_check(struct arena *a, const struct charset *c, struct str old,
				 struct str new)
{
	bool prose = c->name.n;
	struct err *e;

	if (!charset_cuts(a, old, new, true, prose) && !charset_cuts(a, old, new, false, prose))
		return NULL;
	e = err_new(E_BAD_ARGUMENT,
		    "the file is not UTF-8, and its encoding is %s%.*s; if it is Shift_JIS, GBK or "
		    "Big5, the change cuts a letter of two bytes",
		    c->name.n ? "only guessed as " : "not known", STR_ARG(c->name));
	return charset_help(e, c);
}

/* Bytes of an encoding that is not known: text beyond ASCII would be in another one. */
static struct err *charset_keep(struct arena *a, const struct charset *c, struct str old,
				struct str new)
{
	uint32_t *left = charset_counts(a, old), code;

	for (size_t i = 0, n; i < new.n; i += size_max(n, 1)) {
		n = str_utf8_char(new.p + i, new.n - i, &code);
		if (n > 1 && !left[code % PLANE]--)
			return charset_letter(c, str_sub(new, i, i + n));
	}
	return charset_check(a, c, old, new);
}

struct err *charset_encode(struct arena *a, const struct charset *c, struct str old, struct str new,
			   struct str *out)
{
	const struct charset known = {c->name, false};
	struct buf b = buf_in(a);
	uint32_t *left;
	bool good;

	*out = new;
	if (!c->name.n)
		return c->guessed && !str_has_nul(old) ? charset_keep(a, c, old, new) : NULL;
	left = c->guessed ? charset_counts(a, old) : NULL;
	for (size_t i = 0, n; i < new.n; i += n) {
		uint32_t code = 0;
		struct str letter;

		n = str_utf8_char(new.p + i, new.n - i, &code);
		letter = str_sub(new, i, i + size_max(n, 1));
		if (!n)
			return err_new(E_BAD_ARGUMENT, "the new text is not UTF-8");
		if (n > 1 && left && !left[code % PLANE]--)
			return charset_letter(c, letter);
		if (charset_is_built_in(c->name) && !charset_put(c->name, code, &b))
			return charset_letter(c, letter);
	}
	*out = buf_as_str(&b);
	if (c->guessed && !charset_wide_of(c->name)) {
		TRY(charset_encode(a, &known, old, old, &old));
		return charset_check(a, c, old, *out);
	}
	if (charset_is_built_in(c->name))
		return NULL;
	TRY(charset_by_iconv(a, new, "UTF-8", str_c(a, c->name), &good, out));
	return good ? NULL
		    : err_help(err_new(E_BAD_ARGUMENT,
				       "the new text has letters that %.*s does not have",
				       STR_ARG(c->name)),
			       "convert the file to UTF-8 first: iconv -f %.*s -t UTF-8",
			       STR_ARG(c->name));
}
