#include "garden/path.h"

#define PATH_ID_MAX ((size_t)128)
#define HASH_DIGITS ((size_t)12)
/* "20260131T120000.000Z": a d stands for a digit. */
#define COPY_TIME "ddddddddTdddddd.dddZ"

/* Ranges above ASCII that are no letters of an id: readers do not see them. */
static const struct {
	uint32_t from, to;
} path_hidden[] = {
	{0x80, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},     {0x1680, 0x1680}, {0x180e, 0x180e},
	{0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f},   {0x3000, 0x3000}, {0xfe00, 0xfe0f},
	{0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff},
};

bool garden_is_hidden(uint32_t c)
{
	for (size_t i = 0; i < ARRAY_SIZE(path_hidden); i++)
		if (c >= path_hidden[i].from && c <= path_hidden[i].to)
			return true;
	return false;
}

static bool path_is_letter(uint32_t c)
{
	return c < 0x80 ? ascii_is_alnum((char)c) || (c && strchr("._-@+~", (int)c))
			: !garden_is_hidden(c);
}

static bool path_is_id(struct str s)
{
	uint32_t c;

	if (!s.n || s.n > PATH_ID_MAX || s.p[0] == '.')
		return false;
	for (size_t i = 0, n; i < s.n; i += n) {
		n = str_utf8_char(s.p + i, s.n - i, &c);
		if (!n || !path_is_letter(c))
			return false;
	}
	return true;
}

/* Whether a file of this name can lie in the folder of the form: "profile.md" in a part's. */
static bool path_is_copied(const struct garden_place *history, struct str file)
{
	struct str folder = str_of(history->path);

	folder.n = str_find(folder, STR("history/"), 0);
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++)
			if (!garden_grammar[kind].frozen && str_starts(str_of(p->path), folder) &&
			    str_is(file, p->path + folder.n))
				return true;
	return false;
}

/* Reads "TIME-HASH-FILE". */
static bool path_copy(const struct garden_place *place, struct str name, struct garden_path *out)
{
	const char *form = COPY_TIME;
	size_t i = 0;

	for (; form[i]; i++)
		if (i >= name.n ||
		    (form[i] == 'd' ? !ascii_is_digit(name.p[i]) : name.p[i] != form[i]))
			return false;
	if (i >= name.n || name.p[i++] != '-')
		return false;
	out->hash = str_sub(name, i, i + HASH_DIGITS);
	for (size_t k = 0; k < HASH_DIGITS; k++, i++)
		if (i >= name.n ||
		    !(ascii_is_digit(name.p[i]) || (name.p[i] >= 'a' && name.p[i] <= 'f')))
			return false;
	if (i >= name.n || name.p[i++] != '-')
		return false;
	out->file = str_sub(name, i, name.n);
	return path_is_copied(place, out->file);
}

/* A part of a path against a part of the form, which is a name or a placeholder. */
static bool path_part_matches(const struct garden_place *place, struct str want, struct str part,
			      struct garden_path *out)
{
	if (str_is(want, "{copy}"))
		return path_copy(place, part, out);
	if (want.p[0] != '{')
		return str_eq(want, part);
	*(str_is(want, "{user}") ? &out->user : &out->id) = part;
	return path_is_id(part);
}

static bool path_matches(const struct garden_place *place, struct str path, struct garden_path *out)
{
	struct str form = str_of(place->path), rest = path, want, part, last = {"", 0};

	out->id = out->hash = (struct str){"", 0};
	while (str_split(&form, '/', &want)) {
		if (!str_split(&rest, '/', &part))
			return false;
		last = part;
		if (!path_part_matches(place, want, part, out))
			return false;
	}
	if (last.p + last.n != path.p + path.n)
		return false;
	if (!out->hash.n)
		out->file = last;
	out->folder = str_sub(path, 0, (size_t)(last.p - path.p) - 1);
	if (out->hash.n)
		out->folder.n -= sizeof("/history") - 1;
	out->id = out->id.n ? out->id : out->user;
	return true;
}

bool garden_path_read(struct str path, struct garden_path *out)
{
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++) {
			*out = (struct garden_path){.kind = (enum garden_kind)kind};
			if (!path_matches(p, path, out))
				continue;
			out->entity_type = str_of(p->entity_type);
			out->entity_id = out->id;
			return true;
		}
	*out = (struct garden_path){0};
	return false;
}

static bool path_folder_matches(const struct garden_place *place, struct str path,
				struct garden_path *out)
{
	struct str form = str_of(place->path), rest = path, want, part;
	bool more = str_split(&form, '/', &want);

	while (str_split(&rest, '/', &part)) {
		if (!more || !part.n || !path_part_matches(place, want, part, out))
			return false;
		more = str_split(&form, '/', &want);
	}
	/* The last part of the form is a file's. */
	return more;
}

bool garden_path_folder(struct str path, struct str *user)
{
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++) {
			struct garden_path at = {0};

			if (!path_folder_matches(p, path, &at))
				continue;
			*user = at.user;
			return true;
		}
	return false;
}

struct str garden_path_forms(struct arena *a)
{
	struct buf b = buf_in(a);

	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++)
			if (!garden_grammar[kind].frozen)
				buf_fmt(&b, "%s%s", b.n ? ", " : "", p->path);
	return buf_str(&b);
}
