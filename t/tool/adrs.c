/*
 * adrs: what knowledge makes of Markdown files. FOLDER as argument, paths below it on standard
 * input, one a line; for each a line as t/conformance/adrs.tsv has them: path, item or skip,
 * status, date, title. What is broken is told on standard error.
 */
#include "base/base.h"
#include "knowledge/knowledge.h"

static struct str file(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);
	FILE *f = fopen(path, "rb");
	char *room;
	size_t n;

	if (!f) {
		fprintf(stderr, "cannot open %s\n", path);
		exit(2);
	}
	do {
		room = buf_room(&b, 65536);
		n = fread(room, 1, 65536, f);
		b.n += n;
	} while (n);
	fclose(f);
	return buf_as_str(&b);
}

static void print(struct str path, const struct kn_item *i)
{
	if (!i) {
		printf("%.*s\tskip\t-\t-\t-\n", STR_ARG(path));
		return;
	}
	printf("%.*s\titem\t%s\t%.*s\t%.*s\n", STR_ARG(path), kn_statuses[i->status],
	       STR_ARG(i->created_at.n ? i->created_at : STR("-")), STR_ARG(i->title));
	if (getenv("ADRS_SUMMARY"))
		printf("\t%.*s\n", STR_ARG(i->summary));
}

int main(int argc, char **argv)
{
	static const struct kn_source source = {.layer = KN_LAYER_PROJECT,
						.name = STR_INIT("adrs")};
	struct arena *a = arena_new();
	struct knowledge k = {0};
	char line[4096];

	if (argc != 2)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		struct str path = str_dup(a, str_trim(str_of(line)));
		struct str text = file(a, str_fmt(a, "%s/%s", argv[1], path.p).p);
		bool is_item;
		struct err *e = knowledge_parse_item(a, &source, path, KN_LAYER_PROJECT, STR(""),
						     KN_TYPE_ADR, text, &k, &is_item);

		if (e) {
			fprintf(stderr, "%s: %s\n", path.p, err_message(e));
			return 1;
		}
		print(path, is_item ? &k.items.p[k.items.n - 1] : NULL);
	}
	knowledge_finish(a, &k);
	for (size_t i = 0; i < k.notes.n; i++)
		fprintf(stderr, "%s\t%.*s\t%zu\t%.*s\n",
			k.notes.p[i].kind == KN_BROKEN ? "broken" : "warning",
			STR_ARG(k.notes.p[i].path), k.notes.p[i].line,
			STR_ARG(k.notes.p[i].message));
	arena_free(a);
	return 0;
}
