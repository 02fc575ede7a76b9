/*
 * Splits text into runs of one kind of script, and runs into words. It also makes the compounds of
 * adjacent words. words.h has the rules.
 */
#include "words/internal.h"

enum { HUMPS = 6, HUMPED_BYTES = 40 };

/* The compound of the words that stand together without a blank. */
struct compound {
	char p[WORD_BYTES];
	size_t n;
	size_t parts;
	struct span at;
	size_t last;   /* length of the last part, folded */
	bool numbers;  /* digits only */
	bool initials; /* single letters with dots */
	bool over;     /* longer than a word */
};

struct split {
	struct db_words *tokenizers;
	struct str text;
	void (*fn)(void *ctx, const struct found *f);
	void *ctx;
	size_t run; /* start of the run of letters */
	struct compound made;
};

static void split_give(struct split *s, struct str word, size_t from, size_t to)
{
	struct found f = {word, {from, to}, WORDS_LETTERS, true, false};

	s->fn(s->ctx, &f);
}

static bool alnum(char c)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

static bool split_digits(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] < '0' || word.p[i] > '9')
			return false;
	return word.n;
}

/* ---- compounds ---- */

/* The length of the signs of c++ and c#, when they follow a short word; else 0. */
static size_t signs(struct str text, size_t to, size_t n)
{
	struct str rest = str_sub(text, to, text.n);
	size_t len;

	if (n > 2)
		return 0;
	len = str_starts(rest, STR("++")) ? 2 : str_starts(rest, STR("#")) ? 1 : 0;
	return len == rest.n || !alnum(rest.p[len]) ? len : 0;
}

static void end_compound(struct split *s)
{
	struct compound *c = &s->made;

	if (c->parts == 1 && !c->over) {
		size_t len = signs(s->text, c->at.to, c->n);

		memcpy(c->p + c->n, s->text.p + c->at.to, len);
		c->at.to += len;
		if (len)
			split_give(s, (struct str){c->p, c->n + len}, c->at.from, c->at.to);
	} else if (c->parts && !c->over) {
		split_give(s, (struct str){c->p, c->n}, c->at.from, c->at.to);
	}
	c->parts = 0;
}

static void add_part(struct compound *c, struct str part, size_t from, size_t to)
{
	bool one = part.n == 1 && ascii_is_lower(part.p[0]);

	if (!c->parts)
		*c = (struct compound){.at.from = from, .numbers = true, .initials = true};
	c->over = c->over || c->n + part.n > WORD_BYTES;
	if (!c->over) {
		memcpy(c->p + c->n, part.p, part.n);
		c->n += part.n;
	}
	c->numbers = c->numbers && split_digits(part);
	c->initials = c->initials && one;
	c->parts++;
	c->last = part.n;
	c->at.to = to;
}

static bool contracted(struct str part)
{
	return str_is(part, "ll") || str_is(part, "re") || str_is(part, "ve");
}

enum joint { APART, KEPT, DROPPED };

/* The relation of the part to the compound before it. */
static enum joint joint(const struct compound *c, struct str between, struct str part)
{
	char sign = between.n == 1 ? between.p[0] : 0;

	if (!between.n || between.n > 3 || sign == ' ')
		return APART;
	if (str_eq(between, STR("\xc2\xad")) || str_eq(between, STR("\xe2\x80\x8c")))
		return DROPPED;
	if (str_eq(between, STR("\xe2\x80\x99")))
		sign = '\'';
	if (c->initials && c->parts > 1)
		return sign == '.' && part.n == 1 ? DROPPED : APART;
	if (c->numbers && split_digits(part)) {
		if ((sign == ',' || sign == '\'') && c->last <= 3 && part.n == 3)
			return DROPPED;
		if (sign && strchr(".:-/", sign))
			return KEPT;
	}
	if (c->initials && (sign == '-' || sign == '\'') && part.n > 1 && !contracted(part))
		return DROPPED;
	if (sign == '.')
		return c->initials && part.n == 1 && ascii_is_lower(part.p[0]) ? DROPPED : KEPT;
	return sign == '_' || sign == '@' ? KEPT : APART;
}

/* Removes the v of v1.2, which is not part of the number. */
static void words_split_version(struct compound *c, struct str part)
{
	if (c->parts == 1 && !c->over && c->p[0] == 'v' && split_digits(part) &&
	    split_digits((struct str){c->p + 1, c->n - 1})) {
		memmove(c->p, c->p + 1, --c->n);
		c->numbers = true;
	}
}

static void split_join(struct split *s, struct str part, size_t from, size_t to)
{
	struct compound *c = &s->made;
	struct str between = str_sub(s->text, c->at.to, from);
	enum joint how;

	if (between.n == 1 && between.p[0] == '.')
		words_split_version(c, part);
	how = c->parts ? joint(c, between, part) : APART;
	if (how == APART) {
		end_compound(s);
	} else if (how == KEPT) {
		if (c->numbers && c->parts > 1 && !c->over)
			split_give(s, (struct str){c->p, c->n}, c->at.from, c->at.to);
		c->over = c->over || c->n == WORD_BYTES;
		if (!c->over)
			c->p[c->n++] = between.p[0];
	}
	add_part(c, part, from, to);
}

/* ---- words of a run of letters ---- */

static bool hump(struct str word, size_t i)
{
	if (!i || i == word.n || !ascii_is_upper(word.p[i]))
		return false;
	/* URLs and PCs have no parts; HTTPServer has two. */
	return ascii_is_lower(word.p[i - 1]) ||
	       (ascii_is_upper(word.p[i - 1]) && i + 2 < word.n && ascii_is_lower(word.p[i + 1]) &&
		ascii_is_lower(word.p[i + 2]));
}

/* Emits the parts of a camelCase word of ASCII, from its source text and its folded text. */
static void give_humps(struct split *s, struct str word, const char *folded, size_t from)
{
	size_t humps = 0;

	if (word.n > HUMPED_BYTES)
		return;
	for (size_t i = 0; i < word.n; i++)
		humps += hump(word, i);
	if (!humps || humps >= HUMPS)
		return;
	for (size_t i = 1, start = 0; i <= word.n; i++) {
		if (i < word.n && !hump(word, i))
			continue;
		if (i - start > 1)
			split_give(s, (struct str){folded + start, i - start}, from + start,
				   from + i);
		start = i;
	}
}

/* True for the "don" of "don't", which is not a word. */
static bool negated(struct str text, size_t to)
{
	size_t t = to;

	if (!to || (text.p[to - 1] | 0x20) != 'n')
		return false;
	if (to < text.n && text.p[to] == '\'')
		t = to + 1;
	else if (str_starts(str_sub(text, to, text.n), STR("\xe2\x80\x99")))
		t = to + 3;
	return t > to && t < text.n && (text.p[t] | 0x20) == 't' &&
	       (t + 1 == text.n || !alnum(text.p[t + 1]));
}

/* True when a blank follows, as after most words: nothing can be joined to the word. */
static bool stands_alone(struct str text, size_t to)
{
	return to == text.n || text.p[to] == ' ' || text.p[to] == '\n';
}

/* capitals: the word has capitals behind its first letter. */
static void give_letters(struct split *s, struct str word, size_t from, size_t to, bool capitals)
{
	struct found f = {word, {from, to}, WORDS_LETTERS, false, false};
	bool alone = stands_alone(s->text, to);

	if (s->made.parts || !alone) {
		split_join(s, word, from, to);
		f.stop = negated(s->text, to);
	}
	if (capitals)
		give_humps(s, str_sub(s->text, from, to), word.p, from);
	s->fn(s->ctx, &f);
	if (alone && s->made.parts)
		end_compound(s);
}

static void letters(void *ctx, struct str token, size_t from, size_t to)
{
	struct split *s = ctx;
	const char *written = s->text.p + s->run + from;
	char folded[WORD_BYTES];
	unsigned char bits = 0, other = 0;

	for (size_t i = 0; i < token.n; i++)
		bits |= (unsigned char)token.p[i];
	if (bits >= 0x80 || token.n > WORD_BYTES)
		token = (struct str){folded, word_fold(token, folded)};
	if (!token.n)
		return;
	for (size_t i = 1; i < token.n && to - from == token.n && bits < 0x80; i++)
		other |= (unsigned char)(written[i] ^ token.p[i]);
	give_letters(s, token, s->run + from, s->run + to, other);
}

/* The folding of unicode61 for ASCII; 0: the byte separates words, or is not ASCII. */
static const unsigned char ascii[0x100] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "0123456789\0\0\0\0\0\0"
					  "\0abcdefghijklmno"
					  "pqrstuvwxyz\0\0\0\0\0"
					  "\0abcdefghijklmno"
					  "pqrstuvwxyz\0\0\0\0\0";

/*
 * Reads a word of ASCII, as most words are, like unicode61, but in a third of the time. Returns
 * where the word ends. Returns `from` when a character that is not ASCII follows: unicode61 must
 * then split the text.
 */
static size_t ascii_letters(struct split *s, size_t from)
{
	const unsigned char *p = (const unsigned char *)s->text.p;
	const size_t full = size_min(s->text.n, from + WORD_BYTES);
	char word[WORD_BYTES];
	unsigned char c, other = 0;
	size_t to = from, n;

	for (; to < full && (c = ascii[p[to]]); to++) {
		word[to - from] = (char)c;
		other |= to > from ? c ^ p[to] : 0;
	}
	n = to - from;
	while (to < s->text.n && ascii[p[to]])
		to++;
	if (to < s->text.n && p[to] >= 0x80)
		return from;
	give_letters(s, (struct str){word, n}, from, to, other && n == to - from);
	return to;
}

/* ---- runs without blanks ---- */

struct character {
	char p[4];
	size_t n;
	struct span at;
	enum char_class class;
};

static bool next_character(struct str text, size_t *at, struct character *c)
{
	uint32_t code;

	if (!str_utf8_char(text.p + *at, text.n - *at, &code))
		return false;
	c->class = char_class(code);
	if (c->class < CHAR_HAN || c->class > CHAR_UNSPACED)
		return false;
	c->at.from = *at;
	code = char_compose(text, at);
	c->at.to = *at;
	c->n = code < 0x10000 ? 3 : 4;
	for (size_t i = c->n; --i; code >>= 6)
		c->p[i] = (char)(0x80 | (code & 0x3f));
	c->p[0] = (char)((c->n == 3 ? 0xe0 : 0xf0) | code);
	return true;
}

static void give_char(struct split *s, const struct character *c, bool alone)
{
	struct found f = {
		{c->p, c->n}, c->at, WORDS_CHAR, !alone, !alone || c->class == CHAR_HIRAGANA};

	if (alone || c->class == CHAR_HAN || c->class == CHAR_HANGUL)
		s->fn(s->ctx, &f);
}

static void give_pair(struct split *s, const struct character *a, const struct character *b)
{
	char both[8];
	struct found f = {{both, a->n + b->n}, {a->at.from, b->at.to}, WORDS_PAIR};

	memcpy(both, a->p, a->n);
	memcpy(both + a->n, b->p, b->n);
	f.stop = a->class == CHAR_HIRAGANA && b->class == CHAR_HIRAGANA;
	s->fn(s->ctx, &f);
}

static size_t unspaced_run(struct split *s, size_t at)
{
	struct character last, c;
	bool alone = true;

	next_character(s->text, &at, &last);
	while (next_character(s->text, &at, &c)) {
		give_char(s, &last, false);
		give_pair(s, &last, &c);
		last = c;
		alone = false;
	}
	give_char(s, &last, alone);
	return at;
}

static size_t symbol(struct split *s, size_t at, size_t n, enum char_class class)
{
	uint32_t next;
	struct found f = {.at = {at, at + n}, .script = WORDS_SYMBOL};

	if (class == CHAR_FLAG && str_utf8_char(s->text.p + at + n, s->text.n - at - n, &next) &&
	    char_class(next) == CHAR_FLAG)
		f.at.to += n;
	f.text = str_sub(s->text, f.at.from, f.at.to);
	s->fn(s->ctx, &f);
	return f.at.to;
}

/* The class of the character, and its length; 0: it is not UTF-8. */
static size_t class_at(struct str text, size_t at, enum char_class *class)
{
	uint32_t code;
	size_t n = str_utf8_char(text.p + at, text.n - at, &code);

	*class = n ? char_class(code) : CHAR_BREAK;
	return n;
}

/* Reads text up to a character that is not text, or up to a word that may be only ASCII. */
static size_t other_letters(struct split *s, size_t from)
{
	struct str text = s->text;
	enum char_class class;
	bool parted = false;
	size_t to = from, n;

	while (to < text.n) {
		unsigned char c = (unsigned char)text.p[to];

		if (c < 0x80) {
			if (parted && ascii[c])
				break;
			parted = parted || !ascii[c];
			to++;
			continue;
		}
		n = class_at(text, to, &class);
		if (class != CHAR_TEXT)
			break;
		parted = false;
		to += n;
	}
	if (to > from) {
		s->run = from;
		db_words_split(s->tokenizers, str_sub(text, from, to), letters, s);
	}
	return to;
}

static size_t no_letters(struct split *s, size_t at)
{
	enum char_class class;
	size_t n = class_at(s->text, at, &class);

	end_compound(s);
	if (class == CHAR_BREAK)
		return at + size_max(n, 1);
	return class >= CHAR_SYMBOL ? symbol(s, at, n, class) : unspaced_run(s, at);
}

void words_split(struct db_words *tokenizers, struct str text,
		 void (*fn)(void *ctx, const struct found *f), void *ctx)
{
	struct split s = {.tokenizers = tokenizers, .text = text, .fn = fn, .ctx = ctx};

	for (size_t at = 0, to; at < text.n; at = to) {
		unsigned char c = (unsigned char)text.p[at];

		if (c < 0x80 && !ascii[c]) {
			to = at + 1;
			continue;
		}
		to = ascii[c] ? ascii_letters(&s, at) : at;
		if (to == at)
			to = other_letters(&s, at);
		if (to == at)
			to = no_letters(&s, at);
	}
	end_compound(&s);
}
