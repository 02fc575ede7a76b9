/* Any bytes as a pack, of which four places are looked at through an index made for it. */
#include "base/base.h"
#include "git/pack.h"
#include "os/os.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OBJECTS 4
#define HASH    20

static void put32(struct buf *b, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_putc(b, (char)(n >> shift));
}

/* Object i has an id of bytes i, and lies where the input's ith two bytes say. */
static struct str make_idx(struct arena *a, const uint8_t *data, size_t size)
{
	struct buf b = buf_in(a);

	buf_put(&b, STR("\377tOc\0\0\0\2"));
	for (unsigned i = 0; i < 256; i++)
		put32(&b, i < OBJECTS ? i + 1 : OBJECTS);
	for (unsigned i = 0; i < OBJECTS * HASH; i++)
		buf_putc(&b, (char)(i / HASH));
	for (unsigned i = 0; i < OBJECTS; i++)
		put32(&b, 0);
	for (unsigned i = 0; i < OBJECTS; i++)
		put32(&b, 2 * i + 1 < size ? (uint32_t)data[2 * i] << 8 | data[2 * i + 1] : 0);
	for (unsigned i = 0; i < 2 * HASH; i++)
		buf_putc(&b, 0);
	return buf_as_str(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct pack pack = {.name = "x", .tried = true};
	struct pack *list[] = {&pack};
	struct git g = {.arena = a, .id_len = HASH};
	struct str text;
	enum object_type type;
	size_t n;
	bool found;

	packs_new(&g);
	pack.idx = make_idx(a, data, size);
	if (size > 2 * OBJECTS)
		pack.pack = str_dup(
			a, (struct str){(const char *)data + 2 * OBJECTS, size - 2 * OBJECTS});
	else
		pack.pack = STR("PACK");
	if (!pack_parse_idx(&pack, HASH))
		BUG("the index is not read");
	git_packs_replace_for_test(&g, list, 1);
	for (unsigned i = 0; i < 2 * OBJECTS; i++) {
		unsigned char id[HASH];

		memset(id, (int)i / 2, sizeof(id));
		if (!pack_read(&g, a, id, 1 << 20, &type, &n, i % 2 ? &text : NULL, &found) &&
		    found && i % 2 && text.n != n)
			BUG("another size");
	}
	arena_free(a);
	return 0;
}
