/* formats: the table of all manifests and lockfiles that ikm knows by name. Private to deps. */
#ifndef IKM_DEPS_FORMATS_H
#define IKM_DEPS_FORMATS_H

#include "deps/reader.h"

/*
 * The reader of a path, or NULL. *sure: only this format has such names, so a text that does not
 * parse is an error.
 */
reader_fn *format_reader(struct str path, enum deps_ecosystem *ecosystem, bool *sure);

#endif
