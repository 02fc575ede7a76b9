/*
 * The core schema of YAML 1.2: what a scalar without quotes means. Private to yaml.
 */
#ifndef IKM_YAML_SCHEMA_H
#define IKM_YAML_SCHEMA_H

#include "base/base.h"

/*
 * Sets type, s and b of v from the text of a plain scalar. Numbers that JSON could not write (0x1F,
 * 1_000, .5, .inf) stay strings, so that a number's text is always JSON.
 */
void yaml_resolve(struct val *v, struct str text);

#endif
