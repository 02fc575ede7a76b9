/* know pause: lets commits of this clone break a decision for a while. */
#include "app/print_warnings.h"
#include "decisions/know_write_common.h"
#include "history/paused_decisions.h"
#include "host/host.h"
#include "os/os.h"

struct args {
	struct str id, time, reason;
	bool end;
	struct strs knowledge;
};

static const struct param pause_params[] = {
	PARAM(id, .flags = ARG, .min = 1, .max = 4096, .complete = know_complete,
	      .help = "the decision: its id, path, number, or the start of its id; default: list "
		      "what is paused"),
	PARAM(time, .option = "for", .letter = 'f', .meta = "TIME", .min = 2, .max = 16,
	      .help = "how long: 30m or 2h; at most 24h"),
	PARAM(reason, .letter = 'm', .meta = "TEXT", .min = 1, .max = 4096, .help = "why"),
	PARAM(end, .help = "end the pause now"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success;
	struct str item;
	struct maybe_bool ended;
	struct pauses pauses;
};
static const struct field pause_result[] = {
	FIELD(success, "it was done"),
	FIELD(item, "the decision that was named", .flags = IF_ANY),
	FIELD(ended, "with --end: whether it was paused", .flags = OPTIONAL),
	FIELD_RECORDS(struct result, pauses, "pauses", pause_fields, "what is paused now"),
	FIELD_AS(struct result, pauses.warnings, "warnings", "pauses that do not count",
		 .flags = IF_ANY),
	{0},
};

/* "30m" and "2h" in milliseconds. */
static struct err *pause_time(struct str text, int64_t *ms)
{
	int64_t n;
	char unit = text.n ? text.p[text.n - 1] : 0;

	*ms = 0;
	if ((unit == 'm' || unit == 'h') && str_int(str_sub(text, 0, text.n - 1), &n) && n > 0 &&
	    n <= 24 * 60)
		*ms = n * (unit == 'h' ? HOUR_MS : 60 * 1000);
	if (*ms > 0 && *ms <= PAUSE_MOST_MS)
		return NULL;
	return err_for_param(
		E_OUT_OF_RANGE, STR("time"),
		"'%.*s' is no time for a pause; allowed: 30m, 2h and the like, at most 24h",
		STR_ARG(text));
}

static struct err *pause_set_one(struct call *c, const struct args *args, struct result *r)
{
	struct pause p = {.reason = str_trim(args->reason)};
	const struct kn_item *item;
	const char *name = NULL;
	struct knowledge *k;
	struct str session;
	enum host host;
	int64_t ms = 0;
	bool had;

	if (!args->end && (!args->time.n || !p.reason.n))
		return err_help(err_for_param(E_MISSING_PARAMETER,
					      str_of(args->time.n ? "reason" : "time"),
					      "a pause needs a time and a reason"),
				"ikm know pause %.*s --for 30m --reason WHY",
				STR_ARG(str_shell_word(c->a, args->id)));
	if (!args->end)
		TRY(pause_time(args->time, &ms));
	else
		p.reason = (struct str){0};
	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve_item_name(c->a, k, args->id, -1, &item));
	/* A person at a terminal, and no agent. */
	host = host_running(&session);
	if (host != HOST_UNKNOWN)
		return err_help(err_new(E_PERSON_DECIDES,
					"a pause is for people, and %s started this command",
					host_names[host]),
				"ask a person");
	if (c->face != FACE_ARGV || !out_is_terminal(c->err))
		return err_help(err_new(E_PERSON_DECIDES, "a pause is for people"),
				"run the command in a terminal");
	TRY(git_setting(c->git, c->a, "user.name", &name));
	p.item = item->id;
	p.by = name && *name ? str_of(name) : os_user(c->a);
	p.until = os_now() + ms;
	TRY(pause_set(c->a, c->git, &p, &had));
	r->item = item->id;
	if (args->end)
		r->ended = (struct maybe_bool){had, true};
	return NULL;
}

static struct err *know_pause_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const char *with = args->time.n ? "--for" : args->reason.n ? "--reason" : NULL;
	const char *any = args->end ? "--end" : with;
	struct result *r = out;

	r->success = true;
	/* Options that would do nothing. */
	if (args->end)
		TRY(ERR_EXCLUSIVE("--end", with));
	if (any && !args->id.n)
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("id"), "%s needs a decision", any),
			"%s",
			args->end ? "'ikm know pause' lists what is paused; ikm know pause ID --end"
				  : "ikm know pause ID --for 30m --reason WHY");
	if (args->id.n)
		TRY(pause_set_one(c, args, r));
	pauses_read(c->a, c->git, &r->pauses);
	return NULL;
}

const struct cmd cmd_know_pause = {
	.name = "know pause",
	.summary = "let commits of this clone break a decision for a while",
	.expose = EXPOSE_PERSON,
	.need = NEED_GIT,
	CMD_PARAMS(struct args, pause_params),
	CMD_RESULT(struct result, pause_result),
	.run = know_pause_run,
	.template = "{?ended:the pause of {*item} ended\n}{?^ended&!ended:{*item} was not paused\n}"
		    "{/pauses:{*item} is paused until {until} by {by}: {reason}\n}"
		    "{?!pauses:nothing is paused\n}" TEMPLATE_WARNINGS,
};
