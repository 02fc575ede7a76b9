/*
 * image: names of container images, and texts with variables, as Dockerfiles and Compose files have
 * them. Private to deps.
 */
#ifndef IKM_DEPS_IMAGE_H
#define IKM_DEPS_IMAGE_H

#include "deps/reader.h"

/* Stands for a variable that has no known value, in an expanded text. No image's name has it. */
#define IMAGE_UNKNOWN '\x01'

/* The value of a variable; false: it is not known. */
typedef bool image_value_fn(void *ctx, struct str name, struct str *value);

/*
 * Replaces $X, ${X}, ${X-default} and ${X:-default}. Every other form, and a variable without a
 * value and a default, becomes IMAGE_UNKNOWN. `escape` before a dollar sign keeps it, and is
 * removed.
 */
struct str image_expand(struct reader *r, struct str s, char escape, image_value_fn *value,
			void *ctx);
/*
 * Lists the image that an expanded text names. `at` is the text in the file, before it was
 * expanded. Unresolved when the name is not known; a tag that is not known is no version.
 */
struct dep *image_add(struct reader *r, struct str expanded, struct span at);

/* The images of a Dockerfile that is the text [at.from, at.to) of the file. */
struct err *docker_text(struct reader *r, struct span at) MUST_USE;

#endif
