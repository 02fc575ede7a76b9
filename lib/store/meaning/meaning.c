/* Reads the table of word vectors in place. */
#include "meaning/meaning.h"

/*
 * The table has little-endian numbers of 32 bits: words, numbers of a vector, and for each block of
 * words where it begins. Then come the words, sorted; then the vectors, from a multiple of 64. A
 * word is two bytes and letters: how many letters it shares with the word before in its block, and
 * how many follow.
 */
__asm__(".pushsection .rodata.meaning_table,\"a\",@progbits\n"
	".balign 64\n"
	"meaning_table:\n"
	".incbin \"lib/store/meaning/table.bin\"\n"
	".popsection\n");
extern const unsigned char meaning_table[] __attribute__((visibility("hidden")));

enum { BLOCK = 16, HEAD = 8, LETTERS = 20 };

static uint32_t meaning_number(size_t at)
{
	const unsigned char *p = meaning_table + at;

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static size_t meaning_words(void)
{
	return meaning_number(0);
}

static size_t meaning_blocks(void)
{
	return (meaning_words() + BLOCK - 1) / BLOCK;
}

static const unsigned char *meaning_block(size_t block)
{
	return meaning_table + HEAD + 4 * (meaning_blocks() + 1) + meaning_number(HEAD + 4 * block);
}

static const signed char *meaning_vectors(void)
{
	size_t at = (size_t)(meaning_block(meaning_blocks()) - meaning_table);

	return (const signed char *)meaning_table + (at + 63) / 64 * 64;
}

/* Reads the next word of a block over the word before it. */
static const unsigned char *meaning_next(const unsigned char *p, char word[LETTERS], size_t *n)
{
	memcpy(word + p[0], p + 2, p[1]);
	*n = (size_t)p[0] + p[1];
	return p + 2 + p[1];
}

static struct str meaning_first(size_t block)
{
	const unsigned char *p = meaning_block(block);

	return (struct str){(const char *)p + 2, p[1]};
}

const signed char *meaning_vector_of_word(struct str word)
{
	size_t block = 1, n;
	const unsigned char *p;
	char letters[LETTERS];

	/* The first block that begins behind the word; it is in the one before. */
	BISECT(block, mid, meaning_blocks(), str_cmp(meaning_first(mid), word) <= 0);
	p = meaning_block(--block);
	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < meaning_words(); i++) {
		p = meaning_next(p, letters, &n);
		if (str_eq((struct str){letters, n}, word))
			return meaning_vectors() + i * MEANING_NUMBERS;
	}
	return NULL;
}

/* Of a constant length, so that the compiler makes few instructions of it. */
static int32_t meaning_dot(const int16_t *restrict x, const signed char *restrict y)
{
	int32_t sum = 0;

	for (size_t i = 0; i < MEANING_NUMBERS; i++)
		sum += x[i] * (int16_t)y[i];
	return sum;
}

static void meaning_widen(const signed char *vector, int16_t wide[MEANING_NUMBERS])
{
	for (size_t i = 0; i < MEANING_NUMBERS; i++)
		wide[i] = vector[i];
}

double meaning_cosine(const signed char *x, const signed char *y)
{
	int16_t wide[MEANING_NUMBERS];

	meaning_widen(x, wide);
	return meaning_dot(wide, y) / (MEANING_ONE * MEANING_ONE);
}

ORDER_OF(meaning_nearer, struct meaning_near, ORDER_DOWN(cosine) || ORDER_STR(word))

static struct str meaning_word(struct arena *a, size_t i)
{
	const unsigned char *p = meaning_block(i / BLOCK);
	char letters[LETTERS];
	size_t n = 0;

	for (size_t k = 0; k <= i % BLOCK; k++)
		p = meaning_next(p, letters, &n);
	return str_dup(a, (struct str){letters, n});
}

void meaning_nearest_words(struct arena *a, const signed char *vector, double least, size_t max,
			   struct meaning_nears *out)
{
	const int32_t above = (int32_t)(least * MEANING_ONE * MEANING_ONE);
	const signed char *vectors = meaning_vectors();
	int16_t wide[MEANING_NUMBERS];

	*out = (struct meaning_nears){0};
	meaning_widen(vector, wide);
	for (size_t i = 0, n = meaning_words(); i < n; i++) {
		const signed char *other = vectors + i * MEANING_NUMBERS;
		int32_t dot = meaning_dot(wide, other);

		if (dot > above && other != vector)
			*VEC_PUSH(a, out) = (struct meaning_near){
				meaning_word(a, i), dot / (MEANING_ONE * MEANING_ONE)};
	}
	VEC_SORT(out, meaning_nearer);
	out->n = size_min(out->n, max);
}
