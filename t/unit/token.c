#include "tap.h"
#include "token/token.h"

static struct arena *arena;

static size_t count(struct str text, enum token_model model)
{
	return token_estimate(text, model);
}

static long long apart(size_t a, size_t b)
{
	return (long long)(a > b ? a - b : b - a);
}

/* Real counts by gpt-tokenizer 4.0.0, o200k and cl100k. */
static const struct {
	struct str text;
	size_t real[2];
} known[] = {
	{STR_INIT(
		 "The budget is counted in tokens, but nobody wants to wait for a tokenizer. So the "
		 "length of each word, the letters it is made of and a short list of common words "
		 "have to do."),
	 {40, 40}},
	{STR_INIT(
		 "static int add(const char *name, size_t n)\n{\n\tif (!name || n > MAX_NAME_LENGTH)\n"
		 "\t\treturn -EINVAL;\n\tfor (size_t i = 0; i < n; i++)\n\t\ttable[i] = name[i];\n"
		 "\treturn 0;\n}\n"),
	 {56, 56}},
	{STR_INIT("{\"name\": \"widget\", \"version\": \"1.4.2\", \"dependencies\": {\"left-pad\": "
		  "\"^1.3.0\"}, \"private\": true, \"sizes\": [10, 200, 3000]}"),
	 {48, 48}},
	{STR_INIT(
		 "2026-03-01T12:30:45.123Z INFO worker-7 request finished path=/api/v1/users/18234 "
		 "status=200 ms=17.4 trace=9f8a7c6b5d4e3f21\n"),
	 {56, 56}},
	{STR_INIT("本地文件和存储的资料用同一个命令读写。超过预算的写入会失败，并说明原因。"),
	 {27, 33}},
	{STR_INIT("ファイルを書き込む前に、予算を確認します。足りない場合はエラーになります。"),
	 {24, 41}},
	{STR_INIT(
		 "Перед записью файла проверяется бюджет. Если его не хватает, команда сообщает об "
		 "ошибке."),
	 {19, 31}},
	{STR_INIT("Don't say it's theirs if they've said we'll see: I'd rather you're sure. "
		  "HTTPServer parseXMLFile getElementById MAX_SIZE\n"),
	 {27, 31}},
	{STR_INIT("<|endoftext|> is plain text here, and so is <|im_start|>."), {21, 20}},
};

/* Short texts may be a sixth off; a sentence stays well within that. */
static void near_the_truth(void)
{

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		for (enum token_model m = TOKEN_O200K; m <= TOKEN_CL100K; m++) {
			size_t n = count(known[i].text, m), real = known[i].real[m];

			ok((size_t)apart(n, real) <= 1 + real / 6,
			   "text %zu for %s: %zu, really %zu", i, token_models[m], n, real);
		}
}

static void exact(void)
{
	struct {
		struct str text;
		size_t real[2];
	} cases[] = {
		{STR_INIT(""), {0, 0}},         {STR_INIT("1"), {1, 1}},
		{STR_INIT("1234567"), {3, 3}},  {STR_INIT("\n"), {1, 1}},
		{STR_INIT("1 2"), {3, 3}},      {STR_INIT("a"), {1, 1}},
		{STR_INIT("\xff"), {1, 1}},     {STR_INIT("\xff\xfe\x80"), {3, 3}},
		{STR_INIT("\xe4\xb8"), {2, 2}}, {STR_INIT("\0"), {1, 1}},
		{STR_INIT("\0\xc3"), {2, 2}},   {STR_INIT("1-\xe0"), {3, 3}},
		{STR_INIT("12\xc3"), {2, 2}},   {STR_INIT("12\xed\xa0\x80"), {4, 4}},
	};
	unsigned odd = 0;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (enum token_model m = TOKEN_O200K; m <= TOKEN_CL100K; m++)
			is_int((long long)count(cases[i].text, m), (long long)cases[i].real[m],
			       "what can be known is exact");
	is_int((long long)token_estimate((struct str){0}, TOKEN_O200K), 0, "no text at all");
	for (unsigned a = 0; a < 256; a++)
		for (unsigned b = 0; b < 256; b++) {
			char two[] = {(char)a, (char)b};
			size_t n = count((struct str){two, 2}, (enum token_model)(a & 1));

			odd += n < 1 || n > 2 || count((struct str){two, 1}, TOKEN_O200K) != 1;
		}
	is_int(odd, 0, "a byte is one token, two are one or two");
}

static unsigned rnd(unsigned n)
{
	static uint32_t state = 1;

	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

/* The properties that a budget needs: parts add up, and a longer text never costs much less. */
static void parts(void)
{
	struct buf b = buf_in(arena);
	struct str text;
	long long worst_part = 0, worst_line = 0, worst_fall = 0;

	for (int i = 0; i < 300; i++)
		switch (rnd(4)) {
		case 0:
			buf_put(&b, known[rnd(ARRAY_SIZE(known))].text);
			buf_puts(&b, "\n");
			break;
		case 1: buf_putc(&b, (char)rnd(256)); break;
		case 2: buf_puts(&b, "  "); break;
		default: buf_fmt(&b, "%u.", rnd(100000));
		}
	text = buf_as_str(&b);
	for (enum token_model m = TOKEN_O200K; m <= TOKEN_CL100K; m++) {
		size_t all = count(text, m), before = 0;

		for (size_t at = 0; at <= text.n; at++) {
			struct str head = str_sub(text, 0, at);
			size_t n = count(head, m);
			long long off = apart(n + count(str_sub(text, at, text.n), m), all);

			if (off > worst_part)
				worst_part = off;
			if (at && text.p[at - 1] == '\n' && off > worst_line)
				worst_line = off;
			if (n < before && (long long)(before - n) > worst_fall)
				worst_fall = (long long)(before - n);
			before = n;
		}
	}
	ok(worst_part <= 6, "cut anywhere, two parts are within %lld tokens of the whole",
	   worst_part);
	ok(worst_line <= 2, "cut after a line, within %lld", worst_line);
	ok(worst_fall <= 4, "a byte more takes away at most %lld", worst_fall);
}

/* The loop reads eight letters at a time, but not at the end of a text. */
static void at_the_end(void)
{
	unsigned odd = 0;

	for (size_t n = 1; n < 40; n++)
		for (unsigned k = 0; k < 50; k++) {
			char text[80];

			for (size_t i = 0; i < n; i++)
				text[i] = (char)((rnd(8) ? 'a' : 'A') + rnd(26));
			memset(text + n, '1', 30);
			odd += count((struct str){text, n}, TOKEN_O200K) + 10 !=
			       count((struct str){text, n + 30}, TOKEN_O200K);
			odd += count((struct str){text, n}, TOKEN_CL100K) + 10 !=
			       count((struct str){text, n + 30}, TOKEN_CL100K);
		}
	is_int(odd, 0, "a word counts the same at the end and in the middle");
}

/* The test is that this ends soon. */
static void long_pieces(void)
{
	static const char *const pieces[] = {"a",  "Aa",   " ",  "\n",   "\n ",  "  \n",  "-",
					     "1",  "'",    "\t", "/",    "ab ",  "é",     "中",
					     "、", "、\n", "😀",  "\xff", "\xc3", " \xc3", "word"};
	enum { LONG = 10 << 20 };
	char *p = arena_alloc(arena, LONG);

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		for (enum token_model m = TOKEN_O200K; m <= TOKEN_CL100K; m++) {
			size_t n = strlen(pieces[i]), tokens;

			for (size_t k = 0; k < LONG; k++)
				p[k] = pieces[i][k % n];
			tokens = count((struct str){p, LONG}, m);
			ok(tokens > LONG / 1000 && tokens <= LONG, "10 MiB of piece %zu: %zu", i,
			   tokens);
		}
	for (size_t k = 0; k < LONG; k++)
		p[k] = (char)('a' + rnd(26));
	ok(count((struct str){p, 1 << 20}, TOKEN_O200K) > 1 << 18,
	   "a word of 1 MiB is many tokens");
}

int main(void)
{
	arena = arena_new();
	exact();
	near_the_truth();
	parts();
	at_the_end();
	long_pieces();
	arena_free(arena);
	return tap_done();
}
