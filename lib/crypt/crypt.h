/*
 * crypt: hashes. (Signatures and MACs come with the garden.) libsodium.
 */
#ifndef IKM_CRYPT_H
#define IKM_CRYPT_H

#include "base/base.h"

#define SHA256_BYTES 32

struct sha256 {
	_Alignas(16) unsigned char state[128];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, struct str s);
/* The length first, so that ("ab","c") and ("a","bc") differ. */
void sha256_add_part(struct sha256 *h, struct str s);
void sha256_end(struct sha256 *h, unsigned char out[SHA256_BYTES]);
/* Lower-case hexadecimal. */
struct str crypt_hex(struct arena *a, const unsigned char *p, size_t n);
/* "sha256:" and 64 hexadecimal digits, over the bytes. */
struct str crypt_content_hash(struct arena *a, struct str bytes);
/*
 * SipHash-2-4 over the class and the bytes with a key of zeros, little-endian: the same everywhere
 * and always, because it is kept on disk. Not against who makes collisions on purpose.
 */
uint64_t crypt_short_hash(char class, struct str bytes);
/* RFC 4648 with padding. */
struct str crypt_base64(struct arena *a, struct str bytes);
bool crypt_base64_decode(struct arena *a, struct str text, struct str *bytes);

#endif
