/*
 * result_template: the form in which people and models read a result. A template is text that names
 * the members of a record by its rows:
 *
 *   "{*path} has {size%7} bytes{?pinned:, pinned}\n"
 *
 *   {name}              a member; of a record in the record {a.b}; of the arguments {@name}
 *   {a|b|'none'}        the first of them that is not empty
 *   {#list}             the number of its elements; {a-b}: a difference
 *   {name%-10}          with a width, to the left; {name%.60}: at most 60 bytes. A letter behind
 *                       it says how text is written; see enum template_letter in result_template.c
 *   {*name}             bold; ! red, ~ yellow, + green, _ dim; {_:BODY}: all of it
 *   {?CONDITION:A|B}    A when it holds, else B. A condition is a member that is not empty, 0 or
 *                       false, or ^a: that is not absent, or !a, a=b, a<b, a>b, joined by &.
 *                       Words stand between ' and '.
 *   {/list:BODY}        BODY for each element ({/list%9: for nine at most), or for an object, whose
 * members come before those around it. {.} is an element that is a string, {,:BODY} stands behind
 * all but the last. {2:BODY} on standard error
 *   {=list:BODY}        the same as {/list:BODY}, but a terminal gets a table. Its columns are the
 *                       parts {;NAME:BODY} of the body, and {;NAME%12e:BODY} is one that may be cut
 *                       down to 12 columns at its end; p: in its middle, > one with numbers. The
 * last part {;:BODY} is lines below the row. Other text of the body is for pipes only
 *
 * A list of strings is joined by ", ". Text from outside is made safe for a terminal. A name that
 * no row has is a BUG: `ikm --templates` tries all branches of each template.
 */
#pragma once

#include "cmd/cmd.h"

/* Prints a record for people. The rows may also be those of a part of the result. */
void template_print_record(struct call *c, const char *template, const struct field *rows,
			   const void *record);
/* The result of a command for a model, from its value tree: no text is escaped. */
struct str template_render_text(struct arena *a, const char *template, const struct field *rows,
				const struct val *v);
/* Tries all branches of the template of c->cmd. */
void template_try_all_branches(struct call *c);
/* Tries all branches of a template for models. Returns the rows that the template names, as bits: 1
 * << index. */
uint64_t template_used_fields(struct arena *a, const char *template, const struct field *rows);
