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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str text = {(const char *)data, size};

	fuzz_set(a, "undo.days", "7", text);
	fuzz_set(a, "user", "ada", text);
	fuzz_list(a, text);
	arena_free(a);
	return 0;
}
