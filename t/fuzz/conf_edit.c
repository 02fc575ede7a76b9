/* Any bytes as a file of settings that is edited: the edit has its effect, and a second one none.
 */
#include "conf/edit.h"
#include "json/json.h"

static struct conf_edit fuzz_edit(enum conf_edit_op op, const char *key, struct str *value)
{
	return (struct conf_edit){.op = op,
				  .key = str_of(key),
				  .values = {value, value->n ? 1 : 0, 1},
				  .origin = CONF_USER,
				  .path = "f"};
}

/* Edits twice. False when the text was refused. */
static bool fuzz_twice(struct arena *a, const struct conf_edit *q, struct str *text,
		       struct conf_edited *done)
{
	struct conf_edited again;
	struct str was = *text, once;
	struct val *v;

	if (conf_edit_text(a, q, text, done)) {
		if (!str_eq(was, *text))
			BUG("a refused edit changed the text");
		return false;
	}
	if (done->changed == str_eq(was, *text))
		BUG("a change is not told");
	once = *text;
	if (str_trim(once).n && json_read(a, once, NULL, &v))
		BUG("the text is no JSON now");
	/* An unknown key is an error once it is gone. */
	if (!conf_edit_text(a, q, text, &again) && (again.changed || !str_eq(once, *text)))
		BUG("the second edit changes something");
	return true;
}

static void fuzz_set(struct arena *a, const char *key, const char *value, struct str text)
{
	struct str want = str_of(value), none = {"", 0};
	struct conf_edit set = fuzz_edit(CONF_SET, key, &want);
	struct conf_edit unset = fuzz_edit(CONF_UNSET, key, &none);
	struct conf_edited done;

	if (!fuzz_twice(a, &set, &text, &done))
		return;
	if (!done.now || !str_eq(want, done.now->s))
		BUG("the value is not there");
	if (!fuzz_twice(a, &unset, &text, &done) || done.now || !str_eq(want, done.was->s))
		BUG("the value is not taken away");
}

static void fuzz_list(struct arena *a, struct str text)
{
	struct str want = STR("name");
	struct conf_edit add = fuzz_edit(CONF_ADD, "lint.disable", &want);
	struct conf_edit cut = fuzz_edit(CONF_REMOVE, "lint.disable", &want);
	struct conf_edited done;

	if (!fuzz_twice(a, &add, &text, &done))
		return;
	if (!fuzz_twice(a, &cut, &text, &done) || done.missing.n)
		BUG("the member is not taken away");
}

/* Settings of other types, and edits that are refused. */
static void fuzz_others(struct arena *a, struct str text)
{
	static const struct {
		enum conf_edit_op op;
		const char *key, *values[2];
		enum conf_origin origin;
	} edits[] = {
		{CONF_SET, "check.retire", {"COMMIT"}, CONF_USER},
		{CONF_SET, "sync.url", {"postgresql://ada@h/d"}, CONF_USER},
		{CONF_SET, "sync.url", {"postgresql://ada:secret@h/d"}, CONF_USER},
		{CONF_SET, "sync.url", {"x"}, CONF_USER},
		{CONF_SET, "undo.days", {"7", "8"}, CONF_USER},
		{CONF_SET, "undo.days", {"x"}, CONF_USER},
		{CONF_SET, "undo.days", {NULL}, CONF_USER},
		{CONF_ADD, "undo.days", {"7"}, CONF_USER},
		{CONF_SET, "user", {""}, CONF_USER},
		{CONF_SET, "user", {"ada"}, CONF_REPO},
		{CONF_SET, "sync.layers", {"TEAM", "org"}, CONF_USER},
		{CONF_ADD, "sync.layers", {"company", "team"}, CONF_USER},
		{CONF_ADD, "knowledge.sources", {"{\"path\": \"docs/adr\"}"}, CONF_REPO},
		{CONF_ADD, "knowledge.sources", {"{"}, CONF_REPO},
		{CONF_REMOVE, "knowledge.sources", {"{\"path\": \"docs/adr\"}"}, CONF_REPO},
		{CONF_SET, "no.such", {"x"}, CONF_USER},
		{CONF_UNSET, "no.such", {NULL}, CONF_USER},
		{CONF_UNSET, "undo", {NULL}, CONF_USER},
		{CONF_UNSET, "undo.bytes", {NULL}, CONF_USER},
	};

	for (size_t i = 0; i < ARRAY_SIZE(edits); i++) {
		struct conf_edit q = {.op = edits[i].op,
				      .key = str_of(edits[i].key),
				      .origin = edits[i].origin,
				      .path = "f"};
		struct conf_edited done;
		struct str copy = text;

		for (size_t k = 0; k < 2 && edits[i].values[k]; k++)
			strs_push(a, &q.values, str_of(edits[i].values[k]));
		fuzz_twice(a, &q, &copy, &done);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str text = {(const char *)data, size};

	fuzz_set(a, "undo.days", "7", text);
	fuzz_set(a, "user", "ada", text);
	fuzz_list(a, text);
	fuzz_others(a, text);
	arena_free(a);
	return 0;
}
