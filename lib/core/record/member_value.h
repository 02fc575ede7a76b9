/* Reads one member of a record by its row: for writers of other forms than JSON. */
#pragma once

#include "record/record.h"

/* The row of this name; NULL: there is none. */
const struct field *record_find_field(const struct field *fields, struct str name);
/* The member's place in the struct; NULL: its pointer (FIELD_VIA) is NULL, or it is not given. */
const void *record_member_address(const struct field *f, const void *record);
/* The member as in record_val(); NULL: it is absent. */
struct val *record_member_to_val(struct arena *a, const struct field *f, const void *record);
