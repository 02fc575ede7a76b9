#include "event/schema_compare.h"

/* The tables of the record. */
static const struct {
	const char *name, *lost; /* lost: what it means when it is missing */
} schema_tables[] = {
	{"events", "all events are lost"},
	{"event_head",
	 "nothing marks the end of the record, so a tail that is cut off does not show"},
	{"event_open", "changes that are not settled are not found; it is derived from the events"},
	{"idempotency_records", "a repeated call is not known, and runs again"},
	{"former_contents", "the former contents that undo restores are lost"},
	{"former_size", "former contents are kept without a limit; it is derived from them"},
	{"meta", "the id of the machine, which the events name, is lost"},
};

/* What else belongs to them; an index that is not here makes reading faster. */
static const struct {
	const char *name, *lost;
} schema_parts[] = {
	{"events_no_update", "rows can be changed"},
	{"events_no_delete", "rows can be removed"},
	{"events_no_replace", "rows can be replaced"},
	{"events_opened", "changes that are not settled are not found later"},
	{"events_ended", "settled changes are looked at again and again"},
	{"events_step", "an event can have two rows for the same step"},
	{"former_grows", "former contents are kept without a limit"},
	{"former_shrinks", "former contents are given up too early"},
};

static const char *schema_table(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(schema_tables); i++)
		if (str_is(name, schema_tables[i].name))
			return schema_tables[i].lost;
	return NULL;
}

static const char *schema_lost(const struct db_difference *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(schema_parts); i++)
		if (str_is(d->name, schema_parts[i].name))
			return schema_parts[i].lost;
	return str_is(d->type, "index")     ? "rows are found slowly"
	       : str_is(d->type, "trigger") ? "rows are not handled as they should be"
					    : "its rows are lost";
}

struct err *event_schema_compare(struct db *db, struct arena *a, struct db_differences *out)
{
	struct db_differences all;

	*out = (struct db_differences){0};
	TRY(db_schema_compare(db, a, &all));
	for (size_t i = 0; i < all.n; i++)
		if (schema_table(all.p[i].name) || schema_table(all.p[i].table))
			*VEC_PUSH(a, out) = all.p[i];
	return NULL;
}

static void schema_put_columns(struct buf *b, struct arena *a, const char *what,
			       const struct strs *columns)
{
	if (columns->n)
		buf_fmt(b, "; %s %s: %.*s", columns->n == 1 ? "column" : "columns", what,
			STR_ARG(str_join(a, columns, ", ")));
}

struct str event_schema_difference_text(struct arena *a, const struct db_difference *d)
{
	struct buf b = buf_in(a);
	const char *lost;

	buf_fmt(&b, "the %.*s '%.*s' ", STR_ARG(d->type), STR_ARG(d->name));
	switch (d->how) {
	case DB_IS_MISSING:
		lost = schema_table(d->name);
		buf_fmt(&b, "is missing: %s", lost ? lost : schema_lost(d));
		break;
	case DB_IS_ADDED:
		if (str_is(d->type, "view")) {
			buf_fmt(&b, "was added: ikm does not use it");
			break;
		}
		buf_fmt(&b, "of the table '%.*s' was added: %s", STR_ARG(d->table),
			str_is(d->type, "trigger") ? "it may change what is recorded"
						   : "it may refuse what ikm records");
		break;
	case DB_IS_CHANGED:
		buf_fmt(&b, "is not as ikm made it");
		schema_put_columns(&b, a, "missing", &d->missing);
		schema_put_columns(&b, a, "changed", &d->changed);
		schema_put_columns(&b, a, "added", &d->added);
		break;
	}
	return buf_as_str(&b);
}

bool event_schema_table_readable(const struct db_differences *of, const char *table)
{
	VEC_EACH(const struct db_difference, d, of)
		if (str_is(d->name, table) && (d->how == DB_IS_MISSING || d->missing.n))
			return false;
	return true;
}

bool event_schema_is_mendable(const struct db_difference *d)
{
	return !str_is(d->type, "table") || (d->how == DB_IS_MISSING && schema_table(d->name));
}

struct err *event_schema_mend(struct db *db, struct arena *a, struct strs *done)
{
	struct db_differences all;
	struct err *e;

	TRY(db_schema_compare(db, a, &all));
	VEC_EACH(const struct db_difference, d, &all) {
		if (!event_schema_is_mendable(d))
			continue;
		e = db_schema_mend(db, d);
		if (e)
			return err_help(err_add_context(e, "cannot make the %.*s '%.*s' again",
							STR_ARG(d->type), STR_ARG(d->name)),
					"move the rows that it does not allow aside, into a new "
					"store: ikm doctor --salvage");
		strs_push(a, done,
			  d->how == DB_IS_ADDED
				  ? str_fmt(a, "removed the %.*s '%.*s': %.*s", STR_ARG(d->type),
					    STR_ARG(d->name), STR_ARG(d->now))
				  : str_fmt(a, "made the %.*s '%.*s' again", STR_ARG(d->type),
					    STR_ARG(d->name)));
	}
	TRY(db_do(db, Q_SALVAGE_NO_OPEN, NULL));
	TRY(db_do(db, Q_SALVAGE_OPEN, NULL));
	TRY(db_do(db, Q_SALVAGE_NO_SIZE, NULL));
	return db_do(db, Q_SALVAGE_SIZE, NULL);
}
