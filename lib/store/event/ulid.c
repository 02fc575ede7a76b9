#include "event/ulid.h"
#include "os/os.h"

#define BYTES      ((size_t)16)
#define TIME_BYTES ((size_t)6)

/* Crockford's base 32: without I, L, O and U. */
static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* Writes 128 bits as 26 digits of five bits; the first digit has only three. */
static struct str encode(struct arena *a, const unsigned char *p)
{
	char *s = arena_alloc(a, ULID_LENGTH + 1);

	for (size_t i = 0; i < ULID_LENGTH; i++) {
		unsigned value = 0;

		for (size_t bit = i * 5; bit < i * 5 + 5; bit++)
			value = value << 1 |
				(bit < 2 ? 0u
					 : (unsigned)p[(bit - 2) / 8] >> (7 - (bit - 2) % 8) & 1u);
		s[i] = digits[value];
	}
	return (struct str){s, ULID_LENGTH};
}

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') ||
	       (c >= 'A' && c <= 'Z' && c != 'I' && c != 'L' && c != 'O' && c != 'U');
}

/* A search or an import checks an id in each row, so this does not compute the bits. */
bool ulid_is(struct str s)
{
	if (s.n != ULID_LENGTH || s.p[0] > '7')
		return false;
	for (size_t i = 0; i < ULID_LENGTH; i++)
		if (!is_digit(s.p[i]))
			return false;
	return true;
}

struct str ulid_normalize_input(struct arena *a, struct str s)
{
	return str_upper(a, s);
}

static bool decode_utf8_char(struct str s, unsigned char *p)
{
	memset(p, 0, BYTES);
	if (!ulid_is(s))
		return false;
	for (size_t i = 0; i < ULID_LENGTH; i++) {
		const char *digit = strchr(digits, s.p[i]);

		for (size_t bit = size_max(i * 5, 2); bit < i * 5 + 5; bit++)
			if ((digit - digits) >> (i * 5 + 4 - bit) & 1)
				p[(bit - 2) / 8] |= (unsigned char)(1u << (7 - (bit - 2) % 8));
	}
	return true;
}

static void put_time(unsigned char *p, int64_t ms)
{
	uint64_t t = ms > 0 ? (uint64_t)ms : 0;

	for (size_t i = 0; i < TIME_BYTES; i++)
		p[i] = (unsigned char)(t >> (8 * (TIME_BYTES - 1 - i)));
}

struct str ulid_of(struct arena *a, int64_t ms, const unsigned char random[ULID_RANDOM])
{
	unsigned char p[BYTES];

	put_time(p, ms);
	memcpy(p + TIME_BYTES, random, ULID_RANDOM);
	return encode(a, p);
}

struct str ulid_new(struct arena *a, int64_t ms, struct str last)
{
	unsigned char random[ULID_RANDOM], now[BYTES], before[BYTES];

	put_time(now, ms);
	os_random(random, ULID_RANDOM);
	memcpy(now + TIME_BYTES, random, ULID_RANDOM);
	if (decode_utf8_char(last, before) && memcmp(before, now, TIME_BYTES) >= 0) {
		for (size_t i = BYTES; i-- > 0 && !++before[i];)
			;
		return encode(a, before);
	}
	return encode(a, now);
}
