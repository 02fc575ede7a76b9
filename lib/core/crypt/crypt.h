/* crypt: hashes, MACs, signatures and base64, with libsodium; SHA-1 is its own. */
#pragma once

#include "base/base.h"

#define SHA256_BYTES 32

struct sha256 {
	_Alignas(16) unsigned char state[128];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, struct str s);
/* Adds the length and then the bytes, so ("ab","c") and ("a","bc") give different hashes. */
void sha256_add_part(struct sha256 *h, struct str s);
void sha256_end(struct sha256 *h, unsigned char out[SHA256_BYTES]);
/*
 * HMAC-SHA256 (RFC 2104). A state that hmac_init() has made may be copied, so that many texts under
 * one key cost the two blocks of the key only once.
 */
#define HMAC_BYTES 32
struct hmac {
	_Alignas(16) unsigned char state[256];
};
void hmac_init(struct hmac *h, const unsigned char key[HMAC_BYTES]);
void hmac_add(struct hmac *h, struct str s);
void hmac_end(struct hmac *h, unsigned char out[HMAC_BYTES]);
#define HMAC_PREFIX "hmac:"
/* The prefix and 64 hexadecimal digits. */
struct str hmac_to_text(struct arena *a, const unsigned char mac[HMAC_BYTES]);
/* Overwrites a secret; the compiler does not remove the call. */
void crypt_wipe(void *p, size_t n);

/* Ed25519 (RFC 8032). A secret key is its seed of 32 random bytes. */
#define ED25519_KEY_BYTES       32
#define ED25519_SIGNATURE_BYTES 64
void ed25519_public(const unsigned char seed[ED25519_KEY_BYTES],
		    unsigned char public_key[ED25519_KEY_BYTES]);
void ed25519_sign(const unsigned char seed[ED25519_KEY_BYTES], struct str text,
		  unsigned char signature[ED25519_SIGNATURE_BYTES]);
bool ed25519_verify(const unsigned char public_key[ED25519_KEY_BYTES], struct str text,
		    const unsigned char signature[ED25519_SIGNATURE_BYTES]);

/* Reads hexadecimal digits of either case, exactly n bytes. */
bool crypt_hex_decode(struct str hex, unsigned char *out, size_t n);
/* Whether hex is what crypt_hex() gives for at most SHA256_BYTES bytes. Takes the same time always.
 */
bool crypt_hex_same(const unsigned char *p, size_t n, struct str hex);
/* The bytes in lower-case hexadecimal. */
struct str crypt_hex(struct arena *a, const unsigned char *p, size_t n);
/* "sha256:" and the SHA-256 of the bytes in 64 hexadecimal digits. */
struct str crypt_content_hash(struct arena *a, struct str bytes);
/*
 * SipHash-2-4 of the class and the bytes, with a key of zeros, in little-endian order. It is kept
 * on disk, so it is the same on every machine. It does not protect against an attacker who makes
 * collisions.
 */
uint64_t crypt_short_hash(char class, struct str bytes);
#define SHA1_BYTES 20
/* For checksums in Git's formats only. */
void crypt_sha1(struct str s, unsigned char out[SHA1_BYTES]);
/* Base64 of RFC 4648, with padding. The decoder returns false for any other text. */
struct str crypt_base64(struct arena *a, struct str bytes);
bool crypt_base64_decode(struct arena *a, struct str text, struct str *bytes);
