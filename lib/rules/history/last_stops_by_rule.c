#include "history/last_stops_by_rule.h"
#include "crypt/crypt.h"
#include "json/json.h"
#include "os/os.h"
#include "record/record.h"

#define STOPS_FOLDER "stops"
#define STOPS_BYTES  ((size_t)1 << 20)
#define STOPS_RULES  1024 /* further rules are not noted */
#define STOPS_WAIT   500  /* milliseconds */

static const struct field stop_fields[] = {
	FIELD_OF(struct stop, rule, "its item and what it says"),
	FIELD_TIME(struct stop, at, "at", "when it last stopped somebody"),
	FIELD_OF(struct stop, times, "how often it did"),
	{0},
};
struct stops_file {
	struct stops stops;
};
static const struct field stops_fields[] = {
	FIELD_RECORDS(struct stops_file, stops, "stops", stop_fields, "by rule"),
	{0},
};

static struct str stops_rule(struct arena *a, const struct kn_item *item,
			     const struct kn_constraint *c)
{
	return str_fmt(a, "%.*s %s %s %.*s", STR_ARG(item->id), kn_operators[c->op],
		       kn_targets[c->target], STR_ARG(c->pattern));
}

/* The folder of the records; NULL: there is no home, and a commit makes none. */
static const char *stops_folder(struct arena *a)
{
	const char *home = os_ikigai_home(a);
	struct os_stat st;

	return home && !os_stat(home, true, &st) && st.kind == OS_DIR
		       ? os_join(a, home, STOPS_FOLDER)
		       : NULL;
}

/* The file of a clone, by a digest of the path of its Git folder. */
static const char *stops_path(struct arena *a, const char *folder, struct git *g)
{
	struct str digest = crypt_content_hash(a, str_of(git_common_dir(g)));

	return os_join(a, folder, str_fmt(a, "%.*s.json", STR_ARG(str_sub(digest, 7, 39))).p);
}

static struct err *stops_load(struct arena *a, const char *path, struct stops *out)
{
	struct record_reader how = {.what = "the record of stops", .unknown = RECORD_IGNORED};
	struct stops_file file = {0};
	struct str text;
	struct val *v;

	TRY(os_read_path(a, path, STOPS_BYTES, &text));
	TRY(json_read(a, text, NULL, &v));
	TRY(record_from_val(a, &how, stops_fields, v, &file));
	*out = file.stops;
	/* The list has no spare room: a push must copy it. */
	out->cap = out->n;
	return NULL;
}

struct str stops_read_blocked_rules(struct arena *a, struct git *g, struct stops *out)
{
	const char *folder = stops_folder(a), *path = folder ? stops_path(a, folder, g) : NULL;
	struct err *e;

	*out = (struct stops){0};
	if (!folder)
		return STR("ikm counts stops in its home, and there is none: ikm init --home-only");
	e = stops_load(a, path, out);
	if (!e || err_reason(e) == E_FILE_NOT_FOUND)
		return STR("");
	*out = (struct stops){0};
	return str_fmt(a, "ikm cannot read its record of stops, %s; to begin anew: rm '%s'",
		       err_message(e), path);
}

static struct stop *stops_named(const struct stops *s, struct str rule)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->p[i].rule, rule))
			return &s->p[i];
	return NULL;
}

const struct stop *stops_find_by_rule(struct arena *a, const struct stops *s,
				      const struct kn_item *item, const struct kn_constraint *rule)
{
	return s->n ? stops_named(s, stops_rule(a, item, rule)) : NULL;
}

void stops_note(struct arena *a, struct git *g, const struct check_report *r)
{
	struct strs seen = {0};
	struct stops_file file;
	struct stops *s = &file.stops;
	struct os_lock *lock;
	const char *folder;

	VEC_EACH(const struct check_violation, v, &r->violations) {
		struct str rule = stops_rule(a, v->item, v->constraint);

		if (!v->existing && v->severity == KN_SEVERITY_BLOCK && !strs_has(&seen, rule))
			strs_push(a, &seen, rule);
	}
	folder = seen.n ? stops_folder(a) : NULL;
	if (!folder || os_mkdirs(folder, 0700) || os_lock_dir(a, folder, STOPS_WAIT, &lock))
		return;
	stops_read_blocked_rules(a, g, s);
	for (size_t i = 0; i < seen.n; i++) {
		struct stop *stop = stops_named(s, seen.p[i]);

		if (!stop && s->n < STOPS_RULES) {
			stop = VEC_PUSH(a, s);
			*stop = (struct stop){.rule = seen.p[i]};
		}
		if (stop) {
			stop->at = os_now();
			stop->times++;
		}
	}
	(void)!os_write(stops_path(a, folder, g), json_text(a, record_val(a, stops_fields, &file)),
			OS_MODE(0600));
	os_unlock(lock);
}
