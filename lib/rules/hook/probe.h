/* The probe that `hook status` sends to a shim, and the answer of `ikm hook run`. The answer has
 * exit status 1, so that git stops if the variable is set by mistake. */
#pragma once

#define HOOK_PROBE_ENV    "IKM_HOOK_PROBE"
#define HOOK_PROBE_ANSWER "ikm-hook-probe " /* then the token, a blank, and the program's path */
