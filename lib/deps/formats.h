/* formats: the table of every manifest and lockfile that ikm knows by name. Private to deps. */
#ifndef IKM_DEPS_FORMATS_H
#define IKM_DEPS_FORMATS_H

#include "deps/reader.h"

/*
 * The reader of a path, or NULL. *sure: the name is written as the format's tools write it, and
 * other texts do not have it. Then a text that does not parse is an error.
 */
reader_fn *format_reader(struct str path, enum deps_ecosystem *ecosystem, bool *sure);

#endif
