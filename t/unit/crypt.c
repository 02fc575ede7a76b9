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

int main(void)
{
	a = arena_new();
	hashes();
	base64();
	arena_free(a);
	return tap_done();
}
