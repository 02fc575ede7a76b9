/*
 * json/edit_text: changes a JSON text by the places of its values. Every other byte stays as a
 * person wrote it: order, layout, unknown names. Used for the settings of ikm and of agents' hosts.
 *
 * Values are those that json_read() made of the same text. Each function returns a new text in the
 * arena, so the caller reads it again before the next change.
 */
#pragma once

#include "json/json.h"

/* Puts `by` in the place of the value. */
struct str json_edit_replace(struct arena *a, struct str text, const struct val *v, struct str by);
/*
 * Puts one more member behind the others of the list or object `in`: its JSON, or "name": and its
 * JSON. It gets a line of its own when the members before it have one, and the line ends of the
 * text.
 */
struct str json_edit_insert(struct arena *a, struct str text, const struct val *root,
			    const struct val *in, struct str member);
/* Removes a member of `in`, with its comma. */
struct str json_edit_cut(struct arena *a, struct str text, const struct val *in,
			 const struct val *member);
/*
 * The JSON of a value for the place of `old`, or for a new member of `in` with the name `key` (p
 * NULL: of a list), in the layout of the text. A list or object of scalars stands on one line.
 */
struct str json_edit_format_value(struct arena *a, struct str text, const struct val *root,
				  const struct val *old, const struct val *value);
struct str json_edit_format_member(struct arena *a, struct str text, const struct val *root,
				   const struct val *in, struct str key, const struct val *value);
