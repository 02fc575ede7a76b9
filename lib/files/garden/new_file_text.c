/* The texts of new files, and the names of history copies. */
#include "garden/text_edit.h"
#include "crypt/crypt.h"

#define HASH_DIGITS 12

/* ---- new files ---- */

const char *const garden_new_kinds[] = {[GARDEN_OVERVIEW] = "overview",
					[GARDEN_PART] = "part",
					[GARDEN_RELATIONSHIP] = "relationship",
					[GARDEN_NOTES] = "notes",
					NULL};

/* A plain word stays as it is; other texts are put in double quotes for YAML. */
static struct str text_yaml(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	bool plain = s.n && ascii_is_letter(s.p[0]);

	for (size_t i = 0; i < s.n; i++)
		plain = plain && (ascii_is_alnum(s.p[i]) || s.p[i] == '_' || s.p[i] == '-' ||
				  (s.p[i] == ' ' && i + 1 < s.n));
	/* For YAML these words are no texts. */
	for (const char *const *w = (const char *const[]){"true", "false", "yes", "no", "on", "off",
							  "null", "y", "n", NULL};
	     *w; w++)
		plain = plain && !str_ieq(s, str_of(*w));
	if (plain)
		return s;
	buf_putc(&b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_putc(&b, '\\');
		if (s.p[i] == '\t')
			buf_puts(&b, "\\t");
		else
			buf_putc(&b, s.p[i]);
	}
	buf_putc(&b, '"');
	return buf_as_str(&b);
}

static struct str text_field(struct arena *a, const struct garden_new *n,
			     const struct garden_field *f)
{
	struct str kind = str_of(garden_kinds[n->kind]);
	struct strs list = {0};

	if (f->flags & GARDEN_IS_USER)
		return text_yaml(a, n->user);
	if (f->flags & GARDEN_IS_ID)
		return text_yaml(a, n->id);
	if (f->flags & GARDEN_DATE)
		return os_time_text(a, n->now, false);
	if (f->flags & GARDEN_LIST) {
		for (size_t i = 0; i < n->participants.n; i++)
			strs_push(a, &list, text_yaml(a, n->participants.p[i]));
		return str_fmt(a, "[%.*s]", STR_ARG(str_join(a, &list, ", ")));
	}
	if (str_is(str_of(f->name), "schema"))
		return text_yaml(a,
				 str_fmt(a, "%.*s v1",
					 STR_ARG(str_sub(kind, 0, str_find_char(kind, ' ', 0)))));
	if (str_is(str_of(f->name), "name"))
		return text_yaml(a, n->title.n ? n->title : n->id);
	if (str_is(str_of(f->name), "status"))
		return text_yaml(a, n->status.n ? n->status : STR("active"));
	if (str_is(str_of(f->name), "type"))
		return text_yaml(a, n->type.n ? n->type : STR("open"));
	return text_yaml(a, n->polarity_level);
}

static struct err *text_new_check(const struct garden_new *n)
{
	const struct {
		const char *name;
		struct str value;
	} all[] = {{"user", n->user}, {"id", n->id},         {"title", n->title},
		   {"type", n->type}, {"status", n->status}, {"polarityLevel", n->polarity_level}};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (!all[i].value.n)
			continue;
		TRY(text_check_one_line(all[i].value, all[i].name));
		if (str_holds(all[i].value, "<!--"))
			return err_help(err_for_param(E_BAD_ARGUMENT, str_of(all[i].name),
						      "%s must not begin a comment, '<!--'",
						      all[i].name),
					"leave out '<!--'");
	}
	for (size_t i = 0; i < n->participants.n; i++) {
		struct str one = n->participants.p[i];
		const struct strs before = {.p = n->participants.p, .n = i};

		TRY(text_check_one_line(one, "participants"));
		if (strs_has(&before, one))
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("participants"),
						      "the participant '%.*s' is named twice",
						      STR_ARG(one)),
					"name each participant once");
	}
	if (n->kind == GARDEN_RELATIONSHIP && n->participants.n < 2)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("participants"),
					      "a relationship needs at least two participants"),
				"name each of them as a participant");
	return NULL;
}

struct err *garden_text_new(struct arena *a, const struct garden_new *n, struct str *out)
{
	const struct garden_form *form = &garden_grammar[n->kind];
	struct buf b = buf_in(a);
	struct str title;

	TRY(text_new_check(n));
	if (!form->free) {
		buf_puts(&b, "---\n");
		for (const struct garden_field *f = form->fields; f->name; f++)
			if (!(f->flags & GARDEN_OPTIONAL) || n->polarity_level.n)
				buf_fmt(&b, "%s: %.*s\n", f->name, STR_ARG(text_field(a, n, f)));
		buf_puts(&b, "---\n");
	}
	title = n->title.n                       ? n->title
		: n->kind == GARDEN_RELATIONSHIP ? str_join(a, &n->participants, " and ")
		: n->kind == GARDEN_OVERVIEW     ? str_fmt(a, "Overview of %.*s", STR_ARG(n->user))
		: n->kind == GARDEN_NOTES && n->id.n ? str_fmt(a, "Notes on %.*s", STR_ARG(n->id))
		: n->kind == GARDEN_NOTES            ? STR("Notes")
						     : n->id;
	buf_fmt(&b, "# %.*s\n", STR_ARG(title));
	for (const struct garden_section *s = form->sections; s->heading; s++) {
		struct str heading;

		buf_fmt(&b, "\n## %s\n<!-- @anchor: %.*s -->\n", s->heading,
			STR_ARG(garden_anchor(a, str_of(s->heading))));
		/* What a section of a new file says already: the participants, and the type of a
		 * relationship. */
		heading = str_of(s->heading);
		if (s->flags & GARDEN_CHANGE_LOG)
			buf_fmt(&b, "\n- %.*s: created\n", STR_ARG(os_time_text(a, n->now, false)));
		if (str_is(heading, "Participants") && n->participants.n) {
			buf_puts(&b, "\n");
			for (size_t i = 0; i < n->participants.n; i++)
				buf_fmt(&b, "- %.*s\n", STR_ARG(n->participants.p[i]));
		}
		if (str_is(heading, "Type") && n->type.n)
			buf_fmt(&b, "\n%.*s\n", STR_ARG(n->type));
	}
	*out = buf_as_str(&b);
	return NULL;
}

/* The folder of a path's form, with its slash: "users/{user}/parts/{id}/". */
static struct str text_folder(const char *path)
{
	struct str form = str_of(path);

	return str_sub(form, 0, str_rfind_char(form, '/') + 1);
}

struct err *garden_new_file_path(struct arena *a, enum garden_kind kind, enum garden_kind beside,
				 struct str user, struct str id, struct str *out)
{
	const struct garden_place *place = garden_grammar[kind].places;
	struct str want = text_folder(garden_grammar[beside].places[0].path), form, part;
	struct buf b = buf_in(a);
	struct garden_path at;

	while (place->path && !str_eq(text_folder(place->path), want))
		place++;
	if (!place->path)
		BUG("a %s has no %s", garden_kinds[beside], garden_kinds[kind]);
	form = str_of(place->path);
	while (str_next_part(&form, '/', &part)) {
		if (b.n)
			buf_putc(&b, '/');
		buf_put(&b, str_is(part, "{user}") ? user : str_is(part, "{id}") ? id : part);
	}
	*out = buf_as_str(&b);
	if (!garden_path_read(*out, &at) || at.kind != kind)
		return err_help(
			err_new(E_BAD_ARGUMENT, "'%.*s' is no path of the garden", STR_ARG(*out)),
			GARDEN_ID_FORM);
	return NULL;
}

/* ---- history copies ---- */

struct str garden_text_history_path(struct arena *a, struct str path, struct str content,
				    int64_t now)
{
	size_t slash = str_rfind_char(path, '/'), from = slash == SIZE_MAX ? 0 : slash + 1;
	struct str time = os_time_text(a, now, true), hash = crypt_content_hash(a, content);
	struct buf b = buf_in(a);

	buf_put(&b, str_sub(path, 0, from));
	buf_puts(&b, "history/");
	/* Without the signs that some file systems refuse in names: "20260131T120000.000Z". */
	for (size_t i = 0; i < time.n; i++)
		if (time.p[i] != '-' && time.p[i] != ':')
			buf_putc(&b, time.p[i]);
	hash = str_sub(hash, hash.n - 64, hash.n - 64 + HASH_DIGITS);
	buf_fmt(&b, "-%.*s-", STR_ARG(hash));
	buf_put(&b, str_sub(path, from, path.n));
	return buf_as_str(&b);
}

bool garden_text_is_history_path(struct str copy, struct str name, struct str content)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str want = garden_text_history_path(a, name, content, 0);
	size_t dash = sizeof("20260131T120000.000Z") - 1, slash = str_rfind_char(want, '/');

	want = str_sub(want, slash + 1, want.n);
	if (copy.n != want.n || !str_eq(str_sub(copy, dash, copy.n), str_sub(want, dash, want.n)))
		return false;
	for (size_t i = 0; i < dash; i++)
		if (ascii_is_digit(want.p[i]) ? !ascii_is_digit(copy.p[i]) : copy.p[i] != want.p[i])
			return false;
	return true;
}
