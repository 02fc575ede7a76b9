#include "tap.h"
#include "crypt/crypt.h"

static struct arena *a;

static void hash_is(struct str bytes, const char *hex, const char *name)
{
	is_str(crypt_content_hash(a, bytes), str_fmt(a, "sha256:%s", hex), name);
}

static struct str digest(const struct strs *parts, void (*add)(struct sha256 *, struct str))
{
	unsigned char out[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	for (size_t i = 0; i < parts->n; i++)
		add(&h, parts->p[i]);
	sha256_end(&h, out);
	return crypt_hex(a, out, sizeof(out));
}

static void sha1_is(struct str bytes, const char *hex, const char *name)
{
	unsigned char out[SHA1_BYTES];

	crypt_sha1(bytes, out);
	is_str(crypt_hex(a, out, sizeof(out)), str_of(hex), name);
}

/* The vectors of FIPS 180-2, appendix A, and each length around the end of a block. */
static void sha1(void)
{
	static const char letters[] =
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	sha1_is(STR(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709", "SHA-1 of nothing");
	sha1_is(STR("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d", "SHA-1 of abc");
	sha1_is(STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		"84983e441c3bd26ebaae4aa1f95129e5e54670f1", "SHA-1 of 448 bits");
	sha1_is((struct str){letters, 55}, "c1c8bbdc22796e28c0e15163d20899b65621d65a", "55 bytes");
	sha1_is((struct str){letters, 64}, "0098ba824b5c16427bd7a1122a5a442a25ec644d", "64 bytes");
}

/* The vectors of FIPS 180-2, appendix B, and of NIST's example files. */
static void hashes(void)
{
	struct strs one = {0}, two = {0}, other = {0};
	char *million = arena_alloc(a, 1000000);

	memset(million, 'a', 1000000);
	hash_is(STR("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"abc");
	hash_is(STR(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"nothing");
	hash_is((struct str){0}, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"no bytes at all");
	hash_is(STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "448 bits");
	hash_is((struct str){million, 1000000},
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "a million");

	strs_push(a, &one, STR("abc"));
	strs_push(a, &two, STR("a"));
	strs_push(a, &two, STR("bc"));
	strs_push(a, &other, STR("ab"));
	strs_push(a, &other, STR("c"));
	is_str(digest(&two, sha256_add), digest(&one, sha256_add), "bytes may come in pieces");
	ok(!str_eq(digest(&two, sha256_add_part), digest(&other, sha256_add_part)),
	   "parts are kept apart");
	is_str(digest(&one, sha256_add_part),
	       STR("c3494ca1a2cf8eeb8a11ded316fb55b83c3bbbedb6313cd50415251e5d09e12f"),
	       "a part is eight bytes of length, the most significant first, and its bytes");
}

static bool decodes(const char *text, struct str want)
{
	struct str bytes;

	return crypt_base64_decode(a, str_of(text), &bytes) && str_eq(bytes, want);
}

/* The vectors of RFC 4648, section 10. */
static void base64(void)
{
	static const char *const coded[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
					    "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
	static const char *const bad[] = {
		"Z",    "Zg",   "Zg=",  "Zg===",    "Zm9v\n", "Zm 9v",    "Zm-_",
		"Zh==", "Zm9=", "=Zg=", "Zg==Zg==", "====",   "Zm9v====", "Z==="};
	struct str bytes, all = STR("foobar");
	unsigned char every[256];
	char text[4] = "AAAA";
	int alphabet = 0;

	for (size_t n = 0; n < ARRAY_SIZE(coded); n++) {
		is_str(crypt_base64(a, str_sub(all, 0, n)), str_of(coded[n]), "encode");
		ok(decodes(coded[n], str_sub(all, 0, n)), "decode %s", coded[n]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ok(!crypt_base64_decode(a, str_of(bad[i]), &bytes), "refuse bad text %zu", i);
	for (int c = 0; c < 256; c++) {
		text[1] = (char)c;
		alphabet += crypt_base64_decode(a, (struct str){text, 4}, &bytes);
	}
	is_int(alphabet, 64, "64 characters, and no other byte, are base64");
	for (size_t i = 0; i < sizeof(every); i++)
		every[i] = (unsigned char)i;
	all = (struct str){(char *)every, sizeof(every)};
	ok(crypt_base64_decode(a, crypt_base64(a, all), &bytes) && str_eq(bytes, all),
	   "every byte");
	is_str(crypt_base64(a, STR("\xfb\xff\xfe")), STR("+//+"), "the alphabet with + and /");
	is_str(crypt_base64(a, (struct str){0}), STR(""), "no bytes at all");
	is_str(crypt_hex(a, every + 250, 6), STR("fafbfcfdfeff"), "hexadecimal");
	is_str(crypt_hex(a, every, 0), STR(""), "of nothing");
}

/* The vectors of RFC 4231 whose keys have 32 bytes or fewer: HMAC pads with zeros. */
static void macs(void)
{
	unsigned char key[HMAC_BYTES] = {0}, mac[HMAC_BYTES];
	struct hmac start, h;

	memset(key, 0x0b, 20);
	hmac_init(&start, key);
	h = start;
	hmac_add(&h, STR("Hi "));
	hmac_add(&h, STR("There"));
	hmac_end(&h, mac);
	is_str(hmac_to_text(a, mac),
	       STR("hmac:b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
	       "RFC 4231, case 1");
	h = start;
	hmac_add(&h, STR("Hi There"));
	hmac_end(&h, mac);
	is_str(hmac_to_text(a, mac),
	       STR("hmac:b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
	       "a copied state starts anew");
	memset(key, 0, sizeof(key));
	memcpy(key, "Jefe", 4);
	hmac_init(&h, key);
	hmac_add(&h, STR("what do ya want for nothing?"));
	hmac_end(&h, mac);
	is_str(hmac_to_text(a, mac),
	       STR("hmac:5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
	       "RFC 4231, case 2");
}

/* RFC 8032, 7.1, tests 1 and 3. */
static void signatures(void)
{
	static const struct {
		const char *seed, *public_key, *text, *signature;
	} vectors[] = {
		{"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
		 "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
		 "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc"
		 "61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
		{"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
		 "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
		 "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290a"
		 "e67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		unsigned char seed[32], public_key[32], text[8], signature[64];
		struct str t = {(char *)text, strlen(vectors[i].text) / 2};

		ok(crypt_hex_decode(str_of(vectors[i].seed), seed, 32) &&
			   crypt_hex_decode(str_of(vectors[i].text), text, t.n),
		   "the vector is read");
		ed25519_public(seed, public_key);
		is_str(crypt_hex(a, public_key, 32), str_of(vectors[i].public_key), "public key");
		ed25519_sign(seed, t, signature);
		is_str(crypt_hex(a, signature, 64), str_of(vectors[i].signature), "signature");
		ok(ed25519_verify(public_key, t, signature), "it holds");
		signature[3] ^= 1;
		ok(!ed25519_verify(public_key, t, signature), "a changed one does not");
		signature[3] ^= 1;
		ok(!ed25519_verify(public_key, STR("other"), signature), "nor for another text");
	}
}

static void hex(void)
{
	unsigned char out[2] = {0};

	ok(crypt_hex_decode(STR("0aFf"), out, 2) && out[0] == 10 && out[1] == 255, "both cases");
	ok(!crypt_hex_decode(STR("0aF"), out, 2), "too short");
	ok(!crypt_hex_decode(STR("0aff0"), out, 2), "too long");
	ok(!crypt_hex_decode(STR("0ag0"), out, 2), "no digit");
	ok(!crypt_hex_decode(STR("0a:f"), out, 2), "no separators");
}

int main(void)
{
	a = arena_new();
	hashes();
	sha1();
	macs();
	signatures();
	hex();
	base64();
	arena_free(a);
	return tap_done();
}
