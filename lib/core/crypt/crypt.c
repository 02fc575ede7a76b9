#include "crypt/crypt.h"
#include <sodium.h>

/*
 * No function here needs sodium_init(). It opens /dev/urandom and inspects the processor, which
 * would slow down the start-up. Random numbers would need it; os_random() gives them. Signatures
 * of Ed25519 are deterministic, and do without it.
 */

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(struct sha256), "the state fits");
_Static_assert(_Alignof(crypto_hash_sha256_state) <= _Alignof(struct sha256), "and is aligned");
_Static_assert(crypto_hash_sha256_BYTES == SHA256_BYTES, "a digest's size");
_Static_assert(sizeof(crypto_auth_hmacsha256_state) <= sizeof(struct hmac), "the state fits");
_Static_assert(_Alignof(crypto_auth_hmacsha256_state) <= _Alignof(struct hmac), "and is aligned");
_Static_assert(crypto_auth_hmacsha256_BYTES == HMAC_BYTES, "a MAC's size");
_Static_assert(crypto_auth_hmacsha256_KEYBYTES == HMAC_BYTES, "a key's size");
_Static_assert(crypto_sign_ed25519_SEEDBYTES == ED25519_KEY_BYTES, "a seed's size");
_Static_assert(crypto_sign_ed25519_PUBLICKEYBYTES == ED25519_KEY_BYTES, "a public key's size");
_Static_assert(crypto_sign_ed25519_BYTES == ED25519_SIGNATURE_BYTES, "a signature's size");

static crypto_hash_sha256_state *state(struct sha256 *h)
{
	return (crypto_hash_sha256_state *)(void *)h->state;
}

void sha256_init(struct sha256 *h)
{
	crypto_hash_sha256_init(state(h));
}

void sha256_add(struct sha256 *h, struct str s)
{
	if (s.n)
		crypto_hash_sha256_update(state(h), (const unsigned char *)s.p, s.n);
}

void sha256_add_part(struct sha256 *h, struct str s)
{
	unsigned char n[8];

	/* Big-endian on every machine, because the hashes are kept in files. */
	for (int i = 0; i < 8; i++)
		n[i] = (unsigned char)((uint64_t)s.n >> (56 - 8 * i));
	sha256_add(h, (struct str){(const char *)n, sizeof(n)});
	sha256_add(h, s);
}

void sha256_end(struct sha256 *h, unsigned char out[SHA256_BYTES])
{
	crypto_hash_sha256_final(state(h), out);
}

static crypto_auth_hmacsha256_state *hmac_state(struct hmac *h)
{
	return (crypto_auth_hmacsha256_state *)(void *)h->state;
}

void hmac_init(struct hmac *h, const unsigned char key[HMAC_BYTES])
{
	crypto_auth_hmacsha256_init(hmac_state(h), key, HMAC_BYTES);
}

void hmac_add(struct hmac *h, struct str s)
{
	if (s.n)
		crypto_auth_hmacsha256_update(hmac_state(h), (const unsigned char *)s.p, s.n);
}

void hmac_end(struct hmac *h, unsigned char out[HMAC_BYTES])
{
	crypto_auth_hmacsha256_final(hmac_state(h), out);
}

struct str hmac_to_text(struct arena *a, const unsigned char mac[HMAC_BYTES])
{
	return str_fmt(a, HMAC_PREFIX "%s", crypt_hex(a, mac, HMAC_BYTES).p);
}

void crypt_wipe(void *p, size_t n)
{
	sodium_memzero(p, n);
}

void ed25519_public(const unsigned char seed[ED25519_KEY_BYTES],
		    unsigned char public_key[ED25519_KEY_BYTES])
{
	unsigned char secret[crypto_sign_ed25519_SECRETKEYBYTES];

	crypto_sign_ed25519_seed_keypair(public_key, secret, seed);
	crypt_wipe(secret, sizeof(secret));
}

void ed25519_sign(const unsigned char seed[ED25519_KEY_BYTES], struct str text,
		  unsigned char signature[ED25519_SIGNATURE_BYTES])
{
	unsigned char secret[crypto_sign_ed25519_SECRETKEYBYTES], public_key[ED25519_KEY_BYTES];

	crypto_sign_ed25519_seed_keypair(public_key, secret, seed);
	crypto_sign_ed25519_detached(signature, NULL, (const unsigned char *)text.p, text.n,
				     secret);
	crypt_wipe(secret, sizeof(secret));
}

bool ed25519_verify(const unsigned char public_key[ED25519_KEY_BYTES], struct str text,
		    const unsigned char signature[ED25519_SIGNATURE_BYTES])
{
	return crypto_sign_ed25519_verify_detached(signature, (const unsigned char *)text.p, text.n,
						   public_key) == 0;
}

bool crypt_hex_decode(struct str hex, unsigned char *out, size_t n)
{
	size_t got = 0;

	return hex.n == 2 * n && !sodium_hex2bin(out, n, hex.p, hex.n, NULL, &got, NULL) &&
	       got == n;
}

bool crypt_hex_same(const unsigned char *p, size_t n, struct str hex)
{
	char is[2 * SHA256_BYTES + 1];

	if (n > SHA256_BYTES)
		BUG("crypt_hex_same() of %zu bytes", n);
	sodium_bin2hex(is, sizeof(is), p, n);
	return hex.n == 2 * n && !sodium_memcmp(is, hex.p, hex.n);
}

struct str crypt_hex(struct arena *a, const unsigned char *p, size_t n)
{
	char *hex = arena_array(a, n + 1, 2);

	sodium_bin2hex(hex, n * 2 + 1, p, n);
	return (struct str){hex, n * 2};
}

struct str crypt_content_hash(struct arena *a, struct str bytes)
{
	unsigned char digest[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, bytes);
	sha256_end(&h, digest);
	return str_fmt(a, "sha256:%s", crypt_hex(a, digest, sizeof(digest)).p);
}

uint64_t crypt_short_hash(char class, struct str bytes)
{
	static const unsigned char key[crypto_shorthash_KEYBYTES];
	unsigned char in[128], out[crypto_shorthash_BYTES], *p = in;
	struct arena *a = NULL;
	uint64_t n = 0;

	if (bytes.n >= sizeof(in))
		p = arena_alloc(a = arena_new(), bytes.n + 1);
	p[0] = (unsigned char)class;
	if (bytes.n)
		memcpy(p + 1, bytes.p, bytes.n);
	crypto_shorthash(out, p, bytes.n + 1, key);
	arena_free(a);
	for (int i = 7; i >= 0; i--)
		n = n << 8 | out[i];
	return n;
}

struct str crypt_base64(struct arena *a, struct str bytes)
{
	size_t size = sodium_base64_ENCODED_LEN(bytes.n, sodium_base64_VARIANT_ORIGINAL);
	char *text = arena_alloc(a, size);

	sodium_bin2base64(text, size, (const unsigned char *)bytes.p, bytes.n,
			  sodium_base64_VARIANT_ORIGINAL);
	return (struct str){text, size - 1};
}

bool crypt_base64_decode(struct arena *a, struct str text, struct str *bytes)
{
	size_t max = text.n / 4 * 3, n = 0;
	unsigned char *out = arena_alloc(a, max);
	const char *end = text.p;

	if (text.n % 4)
		return false;
	/* A trap: libsodium 1.0.18 reads 0xFF and similar bytes as '+' where char is signed. */
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] >= 0x80)
			return false;
	/* libsodium returns success when it stops at a byte that is not base64, so compare the end.
	 */
	if (text.n && sodium_base642bin(out, max, text.p, text.n, NULL, &n, &end,
					sodium_base64_VARIANT_ORIGINAL) != 0)
		return false;
	*bytes = (struct str){(char *)out, n};
	return end == text.p + text.n;
}
