/*
 * SHA-1 (FIPS 180-4), which libsodium does not have: the checksum at the end of Git's index. It
 * guards against accidents only. Ids of objects come from libgit2, which detects collisions.
 */
#include "crypt/crypt.h"

static uint32_t sha1_rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t sha1_round(unsigned i, uint32_t b, uint32_t c, uint32_t d)
{
	switch (i / 20) {
	case 0: return 0x5a827999u + ((b & c) | (~b & d));
	case 1: return 0x6ed9eba1u + (b ^ c ^ d);
	case 2: return 0x8f1bbcdcu + ((b & c) | (b & d) | (c & d));
	default: return 0xca62c1d6u + (b ^ c ^ d);
	}
}

static void sha1_block(uint32_t h[5], const unsigned char *p)
{
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (unsigned i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	for (unsigned i = 16; i < 80; i++)
		w[i] = sha1_rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (unsigned i = 0; i < 80; i++) {
		uint32_t t = sha1_rotate(a, 5) + sha1_round(i, b, c, d) + e + w[i];

		e = d;
		d = c;
		c = sha1_rotate(b, 30);
		b = a;
		a = t;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void crypt_sha1(struct str s, unsigned char out[SHA1_BYTES])
{
	uint32_t h[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
	const unsigned char *p = (const unsigned char *)s.p;
	unsigned char last[128] = {0};
	size_t whole = s.n & ~(size_t)63, rest = s.n - whole, end = rest < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)s.n * 8;

	for (size_t i = 0; i < whole; i += 64)
		sha1_block(h, p + i);
	if (rest)
		memcpy(last, p + whole, rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[end - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < end; i += 64)
		sha1_block(h, last + i);
	for (unsigned i = 0; i < SHA1_BYTES; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}
