#include "garden/path.h"
#include "words/words.h"

#define PATH_ID_MAX ((size_t)128)
#define HASH_DIGITS ((size_t)12)
/* "20260131T120000.000Z": a d stands for a digit. */
#define COPY_TIME "ddddddddTdddddd.dddZ"

/* Ranges above ASCII that are no letters of an id: readers do not see them. */
static const struct {
	uint32_t from, to;
} path_hidden[] = {
	{0x80, 0xa0},       {0xad, 0xad},     {0x34f, 0x34f},     {0x61c, 0x61c},
	{0x115f, 0x1160},   {0x1680, 0x1680}, {0x17b4, 0x17b5},   {0x180b, 0x180f},
	{0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f},   {0x2800, 0x2800},
	{0x3000, 0x3000},   {0x3164, 0x3164}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
	{0xffa0, 0xffa0},   {0xfff0, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
	{0xe0000, 0xe0fff},
};

bool garden_char_is_invisible(uint32_t c)
{
	for (size_t i = 0; i < ARRAY_SIZE(path_hidden); i++)
		if (c >= path_hidden[i].from && c <= path_hidden[i].to)
			return true;
	return false;
}

static bool path_is_id(struct str s)
{
	uint32_t c;

	if (!s.n || s.n > PATH_ID_MAX || s.p[0] == '.')
		return false;
	for (size_t i = 0, n; i < s.n; i += n) {
		n = str_utf8_char(s.p + i, s.n - i, &c);
		if (!n || !(c < 0x80 ? ascii_is_alnum((char)c) || (c && strchr("._-@+~", (int)c))
				     : !garden_char_is_invisible(c)))
			return false;
	}
	return true;
}

bool garden_id_check(struct arena *a, struct str id, struct str *why, struct str *fix)
{
	static const char *const devices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
	struct str stem = str_sub(id, 0, str_find_char(id, '.', 0)), nfc;
	bool numbered = stem.n == 4 && ascii_is_digit(stem.p[3]);
	struct buf b = buf_in(a);
	uint32_t c;

	*fix = STR("");
	if (strchr("-~+@", id.p[0])) {
		*why = str_fmt(a, "begins with '%c', which commands read in another way", id.p[0]);
		return false;
	}
	if (id.p[id.n - 1] == '.') {
		*why = STR("ends with a dot, which some systems drop");
		return false;
	}
	/* Windows cannot have these names as files or folders, also with an extension. */
	for (size_t i = 0; i < ARRAY_SIZE(devices) && (stem.n == 3 || numbered); i++)
		if (str_ieq(str_sub(stem, 0, 3), str_of(devices[i])) && numbered == (i >= 4)) {
			*why = STR("is the name of a device on Windows");
			return false;
		}
	if (!words_nfc(a, id, &nfc)) {
		buf_puts(&b, "has the character");
		for (size_t i = 0, n; i < nfc.n; i += n) {
			n = size_max(str_utf8_char(nfc.p + i, nfc.n - i, &c), 1);
			buf_fmt(&b, " U+%04X", (unsigned)c);
		}
		buf_puts(&b, ", which Unicode writes in another way");
		*why = buf_as_str(&b);
		return false;
	}
	if (str_eq(nfc, id))
		return true;
	*why = STR("has a letter and its mark as two characters, or marks in another order");
	*fix = str_fmt(a, "write '%.*s', in form NFC", STR_ARG(nfc));
	return false;
}

/* Reads "TIME-HASH-FILE". */
static bool path_copy(const struct garden_place *place, struct str name, struct garden_path *out)
{
	const char *form = COPY_TIME;
	size_t i = 0;
	struct str folder;

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
	/* A file of this name can lie in the folder of the form: "profile.md" in a part's. */
	folder = str_of(place->path);
	folder.n = str_find(folder, STR("history/"), 0);
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++)
			if (!garden_grammar[kind].frozen && str_starts(str_of(p->path), folder) &&
			    str_is(out->file, p->path + folder.n))
				return true;
	return false;
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
	while (str_next_part(&form, '/', &want)) {
		if (!str_next_part(&rest, '/', &part))
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

struct str garden_field_value_from_path(const struct garden_path *path,
					const struct garden_field *f)
{
	return f->flags & GARDEN_IS_ID     ? path->id
	       : f->flags & GARDEN_IS_USER ? path->user
					   : STR("");
}

static bool path_folder_matches(const struct garden_place *place, struct str path,
				struct garden_path *out)
{
	struct str form = str_of(place->path), rest = path, want, part;
	bool more = str_next_part(&form, '/', &want);

	while (str_next_part(&rest, '/', &part)) {
		if (!more || !part.n || !path_part_matches(place, want, part, out))
			return false;
		more = str_next_part(&form, '/', &want);
	}
	/* The last part of the form is a file's. */
	return more;
}

bool garden_path_is_folder(struct str path, struct garden_path *out)
{
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++) {
			*out = (struct garden_path){.kind = (enum garden_kind)kind};
			if (path_folder_matches(p, path, out))
				return true;
		}
	return false;
}

/* The form with the user and the id of the path. p NULL: it has another number of parts. */
static struct str path_of_form(struct arena *a, struct str form, struct str path)
{
	struct buf b = buf_in(a);
	struct str want, part;

	while (str_next_part(&form, '/', &want)) {
		if (!str_next_part(&path, '/', &part))
			return (struct str){NULL, 0};
		if (want.p[0] == '{' && !path_is_id(part))
			return (struct str){NULL, 0};
		part = want.p[0] == '{' ? part : want;
		buf_fmt(&b, "%s%.*s", b.n ? "/" : "", STR_ARG(part));
	}
	return path.n ? (struct str){NULL, 0} : buf_as_str(&b);
}

struct str garden_path_meant(struct arena *a, struct str path)
{
	struct garden_path ignored;
	struct strs near = {0};

	if (garden_path_read(path, &ignored))
		return path;
	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++) {
			struct str other = path_of_form(a, str_of(p->path), path);

			if (other.p && !garden_grammar[kind].frozen)
				strs_push(a, &near, other);
		}
	return str_nearest(path, &near);
}

struct str garden_path_forms(struct arena *a)
{
	struct buf b = buf_in(a);

	for (int kind = 0; kind < GARDEN_KINDS; kind++)
		for (const struct garden_place *p = garden_grammar[kind].places; p->path; p++)
			if (!garden_grammar[kind].frozen)
				buf_fmt(&b, "%s%s", b.n ? ", " : "", p->path);
	return buf_as_str(&b);
}
