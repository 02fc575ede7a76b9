/*
 * parse json|toml FILE: a helper of the shell tests. Reads the file; exits 0 and prints what was
 * read, or exits 1 and says why not. JSON comes out as JSON, TOML as toml-test's tagged JSON.
 */
#include "base/base.h"
#include "json/json.h"
#include "toml/toml.h"

static struct str read_file(struct arena *a, const char *path)
{
	struct buf b = buf_in(a);
	FILE *f = fopen(path, "rb");
	size_t n = 1;

	if (!f) {
		perror(path);
		exit(2);
	}
	while (n) {
		n = fread(buf_room(&b, 4096), 1, 4096, f);
		b.n += n;
	}
	fclose(f);
	return buf_as_str(&b);
}

static const char *time_tag(struct str s)
{
	if (s.p[2] == ':')
		return "time-local";
	if (s.n == 10)
		return "date-local";
	/* Behind the date and "hh:mm" only an offset has one of these. */
	for (size_t i = 16; i < s.n; i++)
		if (strchr("Zz+-", s.p[i]))
			return "datetime";
	return "datetime-local";
}

static const char *number_tag(struct str s)
{
	int64_t n;

	return str_int(s, &n) ? "integer" : "float";
}

static struct val *leaf(struct arena *a, const char *type, struct str value)
{
	struct val *v = val_map(a);

	val_set(a, v, "type", val_str(a, str_of(type)));
	val_set(a, v, "value", val_str(a, value));
	return v;
}

static struct val *tagged(struct arena *a, const struct val *v)
{
	struct val *out;

	switch (v->type) {
	case VAL_BOOL: return leaf(a, "bool", v->b ? STR("true") : STR("false"));
	case VAL_NUM: return leaf(a, number_tag(v->s), v->s);
	case VAL_STR: return leaf(a, "string", v->s);
	case VAL_TIME: return leaf(a, time_tag(v->s), v->s);
	case VAL_LIST:
		out = val_list(a);
		VAL_EACH(v, m)
			val_add(out, tagged(a, m));
		return out;
	case VAL_MAP:
		out = val_map(a);
		VAL_EACH(v, m)
			val_set_key(out, m->key, tagged(a, m));
		return out;
	case VAL_NULL: break;
	}
	BUG("TOML has no null");
}

int main(int argc, char **argv)
{
	bool toml = argc == 3 && !strcmp(argv[1], "toml");
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	struct str text;
	struct val *v;
	struct err *e;

	if (!toml && (argc != 3 || strcmp(argv[1], "json") != 0)) {
		fprintf(stderr, "usage: parse json|toml FILE\n");
		return 2;
	}
	text = read_file(a, argv[2]);
	e = toml ? toml_read(a, text, &v) : json_read(a, text, NULL, &v);
	if (e) {
		printf("%s\n", err_message(e));
	} else {
		json_write(&b, toml ? tagged(a, v) : v, 1);
		buf_putc(&b, '\n');
		fwrite(b.p, 1, b.n, stdout);
	}
	arena_free(a);
	return e != NULL;
}
