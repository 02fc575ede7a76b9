/*
 * Runs when ikm is built. It makes an empty store by all migrations, and writes as C what the store
 * then has: objects, and the statements that make the same store at once.
 *
 * A line "-- copy: A B" of a migration is a comment here: an empty table has no rows to copy.
 */
#include "db/migrations.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static sqlite3 *store;

static void check(int rc)
{
	if (rc == SQLITE_OK)
		return;
	fprintf(stderr, "sql/new_store.c: %s\n", sqlite3_errmsg(store));
	exit(1);
}

static sqlite3_stmt *query(const char *sql)
{
	sqlite3_stmt *stmt;

	check(sqlite3_prepare_v2(store, sql, -1, &stmt, NULL));
	return stmt;
}

static const char *text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column);
}

static void print_string(const char *s, const char *end)
{
	putchar('"');
	for (; *s; s++)
		if (*s == '\n')
			fputs("\\n\"\n\t \"", stdout);
		else if (*s == '\\' || *s == '"')
			printf("\\%c", *s);
		else
			putchar(*s);
	printf("\"%s", end);
}

/* The statements of one kind, in the order in which the migrations made them. */
static void print_made(const char *type)
{
	sqlite3_stmt *made =
		query("select sql || ';' from sqlite_schema "
		      "where type = ?1 and substr(name, 1, 7) <> 'sqlite_' order by rowid");

	check(sqlite3_bind_text(made, 1, type, -1, SQLITE_STATIC));
	while (sqlite3_step(made) == SQLITE_ROW) {
		fputs("\t", stdout);
		print_string(text(made, 0), "\n");
	}
	check(sqlite3_finalize(made));
}

/* Some tables have a row from the beginning. */
static void print_inserts(void)
{
	sqlite3_stmt *tables = query(
		"select printf('select ''insert into \"%w\" values ('' || %s || '');'' from \"%w\"', "
		"t.name, group_concat(printf('quote(\"%w\")', c.name), ' || '', '' || '), t.name) "
		"from sqlite_schema t, pragma_table_info(t.name) c "
		"where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_' "
		"group by t.rowid");

	while (sqlite3_step(tables) == SQLITE_ROW) {
		sqlite3_stmt *rows = query(text(tables, 0));

		while (sqlite3_step(rows) == SQLITE_ROW) {
			fputs("\t", stdout);
			print_string(text(rows, 0), "\n");
		}
		check(sqlite3_finalize(rows));
	}
	check(sqlite3_finalize(tables));
}

/* PRAGMAs of the file: whose it is, and how many migrations it has. */
static void print_pragma(const char *name)
{
	char *sql = sqlite3_mprintf("pragma %s", name);
	sqlite3_stmt *stmt = query(sql);

	sqlite3_step(stmt);
	printf("\t\"pragma %s = %d;\"\n", name, sqlite3_column_int(stmt, 0));
	check(sqlite3_finalize(stmt));
	sqlite3_free(sql);
}

static void print_objects(void)
{
	sqlite3_stmt *objects = query(
		"select type, name, tbl_name, sql from sqlite_schema "
		"where substr(name, 1, 7) <> 'sqlite_' order by case type "
		"when 'table' then 0 when 'index' then 1 when 'view' then 2 else 3 end, rowid");

	while (sqlite3_step(objects) == SQLITE_ROW) {
		fputs("\t{", stdout);
		for (int i = 0; i < 4; i++)
			print_string(text(objects, i), i < 3 ? ",\n\t " : "},\n");
	}
	check(sqlite3_finalize(objects));
}

int main(void)
{
	check(sqlite3_open(":memory:", &store));
	for (size_t i = 0; i < sizeof(migrations) / sizeof(*migrations); i++)
		check(sqlite3_exec(store, migrations[i], NULL, NULL, NULL));

	puts("/* Made by sql/new_store.c from the migrations. */\nstatic const char new_store[] =");
	print_made("table");
	print_inserts();
	print_made("index");
	print_made("view");
	print_made("trigger");
	print_pragma("application_id");
	print_pragma("user_version");
	puts(";\n\nstatic const struct { const char *type, *name, *table, *sql; } new_objects[] = {");
	print_objects();
	puts("};");
	return sqlite3_close(store);
}
