#include "tap.h"
#include "garden/path.h"

static struct arena *a;

/* New ids: the reason why they are refused, and what to write. */
static void ids(void)
{
	static const struct {
		const char *id, *why, *fix;
	} rows[] = {
		{"p1", NULL, ""},
		{"7", NULL, ""},
		{"_x", NULL, ""},
		{"Štít", NULL, ""},
		{"a@b.org", NULL, ""},
		{"\u65e5\u672c", NULL, ""},
		{"\u0995\u09be\u09b2\u09cb", NULL, ""}, /* Bengali: marks that stay apart */
		{"\u1ecd\u0300", NULL, ""},             /* Yoruba: no character has both marks */
		{"console", NULL, ""},
		{"com", NULL, ""},
		{"com10", NULL, ""},
		{"con-x", NULL, ""},
		{"--help", "begins with '-'", ""},
		{"-x", "begins with '-'", ""},
		{"~", "begins with '~'", ""},
		{"~ada", "begins with '~'", ""},
		{"@x", "begins with '@'", ""},
		{"+x", "begins with '+'", ""},
		{"x.", "ends with a dot", ""},
		{"CON", "device", ""},
		{"con.txt", "device", ""},
		{"Lpt1", "device", ""},
		{"nul", "device", ""},
		{"e\u0301", "two characters", "write '\u00e9', in form NFC"},
		{"se\u0323\u0302t", "two characters", "write 's\u1ec7t', in form NFC"},
		{"a\u0302\u0323", "another order", "write '\u1ead', in form NFC"},
		{"\u00e2\u0323", "another order", "write '\u1ead', in form NFC"},
		{"\u1112\u1161\u11ab", "two characters", "write '\ud55c', in form NFC"},
		{"\u304b\u3099", "two characters", "write '\u304c', in form NFC"},
		{"\u09c7\u09be", "two characters", "write '\u09cb', in form NFC"},
		{"\u212bb", "character U+212B", ""},
		{"\U0002f800", "character U+2F800", ""},
	};
	struct str why, fix;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool good = garden_id_check(a, str_of(rows[i].id), &why, &fix);

		if (!ok(good == !rows[i].why, "the id '%s'", rows[i].id) || good)
			continue;
		ok(str_find(why, str_of(rows[i].why), 0) != SIZE_MAX, "'%.*s' has '%s'",
		   STR_ARG(why), rows[i].why);
		is_str(fix, str_of(rows[i].fix), "what to write");
	}
}

static void paths(void)
{
	static const struct {
		const char *path;
		int kind; /* -1: the grammar does not have it */
		const char *user, *id, *type, *folder, *file, *hash;
	} rows[] = {
		{"users/ada/overview.md", GARDEN_OVERVIEW, "ada", "ada", "user", "users/ada",
		 "overview.md", ""},
		{"users/ada/notes.md", GARDEN_NOTES, "ada", "ada", "note", "users/ada", "notes.md",
		 ""},
		{"users/a@b.org/parts/p-1/profile.md", GARDEN_PART, "a@b.org", "p-1", "part",
		 "users/a@b.org/parts/p-1", "profile.md", ""},
		{"users/ada/parts/Štít/notes.md", GARDEN_NOTES, "ada", "Štít", "note",
		 "users/ada/parts/Štít", "notes.md", ""},
		{"users/ada/relationships/r1/profile.md", GARDEN_RELATIONSHIP, "ada", "r1",
		 "relationship", "users/ada/relationships/r1", "profile.md", ""},
		{"users/ada/parts/p1/history/20260131T120000.123Z-0123456789ab-profile.md",
		 GARDEN_HISTORY, "ada", "p1", "part", "users/ada/parts/p1", "profile.md",
		 "0123456789ab"},
		{"users/ada/history/20260131T120000.123Z-0123456789ab-overview.md", GARDEN_HISTORY,
		 "ada", "ada", "user", "users/ada", "overview.md", "0123456789ab"},
		/* no such file in that folder, a bad time, a bad hash, a tail */
		{"users/ada/history/20260131T120000.123Z-0123456789ab-profile.md", -1},
		{"users/ada/history/20260131T120000Z-0123456789ab-overview.md", -1},
		{"users/ada/history/20260131T120000.123Z-0123456789AB-overview.md", -1},
		{"users/ada/history/20260131T120000.123Z-0123456789-overview.md", -1},
		{"users/ada/history/20260131T120000.123Z", -1},
		{"users/ada/history/20260131T120000.123Z-0123456789ab-overview.md/x", -1},
		{"users/ada/parts/p1/profile.md/", -1},
		{"users/ada/parts/p1/profile.md/x", -1},
		{"users/ada/parts/p1/Profile.md", -1},
		{"users/ada/parts/p1/q/profile.md", -1},
		{"users/ada/parts/profile.md", -1},
		{"users/ada/parts/p1", -1},
		{"users/ada/profile.md", -1},
		{"users//overview.md", -1},
		{"users/ada//overview.md", -1},
		{"/users/ada/overview.md", -1},
		{"./users/ada/overview.md", -1},
		{"users/../overview.md", -1},
		{"users/.git/overview.md", -1},
		{"users/a b/overview.md", -1},
		{"users/a:b/overview.md", -1},
		{"users/a\\b/overview.md", -1},
		{"users/a\xe2\x80\x8b/overview.md", -1},
		{"users/a\xff/overview.md", -1},
		{"users/ada/parts/\u3164/profile.md", -1},
		{"users/README.md", -1},
		{"users/{user}/notes.md", -1},
		{"users/ada/parts/{id}/notes.md", -1},
		{"users/ada/history/{copy}", -1},
		{"users", -1},
		{"", -1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct garden_path p;
		bool found = garden_path_read(str_of(rows[i].path), &p);

		if (!ok(found == (rows[i].kind >= 0), "path '%s'", rows[i].path) || !found)
			continue;
		is_int(p.kind, rows[i].kind, "its kind");
		is_str(p.user, str_of(rows[i].user), "its user");
		is_str(p.id, str_of(rows[i].id), "its id");
		is_str(p.entity_type, str_of(rows[i].type), "the entity's type");
		is_str(p.entity_id, str_of(rows[i].id), "the entity's id");
		is_str(p.folder, str_of(rows[i].folder), "its folder");
		is_str(p.file, str_of(rows[i].file), "its file");
		is_str(p.hash, str_of(rows[i].hash), "its hash");
	}
	{
		struct buf b = buf_in(a);
		struct garden_path p;

		buf_puts(&b, "users/");
		for (int i = 0; i < 128; i++)
			buf_putc(&b, 'x');
		ok(garden_path_read(str_fmt(a, "%s/notes.md", buf_as_cstr(&b)), &p),
		   "an id of 128");
		buf_putc(&b, 'x');
		ok(!garden_path_read(str_fmt(a, "%s/notes.md", buf_as_cstr(&b)), &p),
		   "an id of 129");
	}
	ok(str_find(garden_path_forms(a), STR("users/{user}/parts/{id}/profile.md, "), 0) !=
		   SIZE_MAX,
	   "the forms name a part's profile");
	ok(str_find(garden_path_forms(a), STR("history"), 0) == SIZE_MAX,
	   "the forms name no history copy");
}

static void grammar(void)
{
	static const struct {
		enum garden_kind kind;
		const char *sections;
	} rows[] = {
		{GARDEN_OVERVIEW, "identity current_focus confirmed_parts active_themes "
				  "working_agreements recent_highlights open_questions change_log "
				  "extensions "},
		{GARDEN_PART, "identity role triggers needs concerns allies polarizations evidence "
			      "working_agreements evolution open_questions change_log extensions "},
		{GARDEN_RELATIONSHIP, "participants type dynamics evidence_of_interplay tensions "
				      "agreements evolution open_questions change_log extensions "},
		{GARDEN_NOTES, "inbox focus parking_lot research drafts "},
		{GARDEN_HISTORY, ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b = buf_in(a);

		for (const struct garden_section *s = garden_grammar[rows[i].kind].sections;
		     s->heading; s++) {
			struct str anchor = garden_anchor(a, str_of(s->heading));

			ok(str_ends(anchor, STR(" v1")), "'%s' has a version", s->heading);
			buf_fmt(&b, "%.*s ", (int)anchor.n - 3, anchor.p);
		}
		is_str(buf_as_str(&b), str_of(rows[i].sections), garden_kinds[rows[i].kind]);
	}
	ok(garden_form_find_section(&garden_grammar[GARDEN_PART], STR("Evidence (curated)"),
				    STR(""))
			   ->flags == GARDEN_EVIDENCE,
	   "a section by its heading");
	ok(garden_form_find_section(&garden_grammar[GARDEN_PART], STR("x"), STR("evidence v1")) !=
		   NULL,
	   "a section by its anchor");
	ok(!garden_form_find_section(&garden_grammar[GARDEN_PART], STR("evidence"), STR("")),
	   "another heading has no section");
}

int main(void)
{
	a = arena_new();
	paths();
	ids();
	grammar();
	arena_free(a);
	return tap_done();
}
