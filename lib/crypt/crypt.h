/* crypt: hashes and base64, with libsodium; SHA-1 is its own. */
#ifndef IKM_CRYPT_H
#define IKM_CRYPT_H

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

#endif
