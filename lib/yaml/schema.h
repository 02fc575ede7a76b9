/* The core schema of YAML 1.2, which gives each plain scalar its type. Private to yaml. */
#ifndef IKM_YAML_SCHEMA_H
#define IKM_YAML_SCHEMA_H

#include "base/base.h"

/*
 * Sets type, s and b of v from the text of a plain scalar. A number that is not a JSON number
 * (0x1F, 1_000, .5, .inf) stays a string, so the text of every VAL_NUM is valid JSON.
 */
void yaml_resolve(struct val *v, struct str text);

#endif
