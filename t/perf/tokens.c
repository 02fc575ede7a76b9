/*
 * tokens: estimates files, for tokens.mjs. Names come on standard input, one a line; the estimate
 * of each goes out, then the megabytes a second of processor time, the best of some passes over
 * all. Usage: tokens MODEL <NAMES
 */
#include "base/base.h"
#include "token/token.h"

enum { PASSES = 7 };

static struct str slurp(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	if (!f)
		BUG("cannot read %s", path);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(&b, (struct str){part, n});
	fclose(f);
	return buf_as_str(&b);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct strs texts = {0};
	unsigned model;
	char line[4096];
	double best = 0;

	for (model = 0; argc == 2 && token_models[model] && strcmp(argv[1], token_models[model]);)
		model++;
	if (argc != 2 || !token_models[model])
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		strs_push(a, &texts, slurp(a, line));
		printf("%zu\n", token_estimate(texts.p[texts.n - 1], model));
	}
	for (int i = 0; i < PASSES; i++) {
		clock_t from = clock();
		size_t bytes = 0, sum = 0;
		double speed;

		for (size_t k = 0; k < texts.n; k++) {
			sum += token_estimate(texts.p[k], model);
			bytes += texts.p[k].n;
		}
		speed = (double)bytes / 1e6 / ((double)(clock() - from + !sum) / CLOCKS_PER_SEC);
		best = speed > best ? speed : best;
	}
	printf("%.1f\n", best);
	arena_free(a);
	return 0;
}
