/* Any bytes as a checkpoint, and as a public key: what is taken is in the one form of its kind. */
#include "event/checkpoint.h"

/* The public key of RFC 8032, 7.1, test 1. */
#define PEM                                                                                        \
	"-----BEGIN PUBLIC KEY-----\n"                                                             \
	"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"                           \
	"-----END PUBLIC KEY-----\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct event_checkpoint c;
	struct err *e;

	e = event_checkpoint_read(a, text, STR(PEM), &c);
	if (!e)
		BUG("a signature without the secret key");
	if (err_reason(e) != E_BAD_CHECKPOINT && err_reason(e) != E_NOT_ALLOWED)
		BUG("%s", err_message(e));
	if (err_reason(e) == E_NOT_ALLOWED && (c.seq < 1 || !str_starts(c.chain, STR("hmac:"))))
		BUG("a checkpoint without its end");
	/* The same bytes as a public key. */
	e = event_checkpoint_read(a, STR("ikm checkpoint 1\nsignature AA==\n"), text, &c);
	if (!e || err_reason(e) != E_BAD_CHECKPOINT)
		BUG("a checkpoint of nothing");
	arena_free(a);
	return 0;
}
