#include "secret/secret.h"

#define WINDOW ((size_t)1024) /* bytes of a text that one form is looked for in */

/* The characters behind a prefix; each set has those before it. */
enum secret_set { SECRET_UPPER, SECRET_ALNUM, SECRET_NAME };

/* The forms are those of the makers' documentation. least: characters behind the prefix. */
static const struct {
	struct str prefix;
	size_t least;
	enum secret_set set;
	const char *what;
} prefixes[] = {
	{STR_INIT("AKIA"), 16, SECRET_UPPER, "an access key of AWS"},
	{STR_INIT("ASIA"), 16, SECRET_UPPER, "an access key of AWS"},
	{STR_INIT("AIza"), 35, SECRET_NAME, "a key of Google"},
	{STR_INIT("AGE-SECRET-KEY-1"), 50, SECRET_UPPER, "a secret key of age"},
	{STR_INIT("dop_v1_"), 64, SECRET_ALNUM, "a token of DigitalOcean"},
	{STR_INIT("ghp_"), 36, SECRET_ALNUM, "a token of GitHub"},
	{STR_INIT("gho_"), 36, SECRET_ALNUM, "a token of GitHub"},
	{STR_INIT("ghu_"), 36, SECRET_ALNUM, "a token of GitHub"},
	{STR_INIT("ghs_"), 36, SECRET_ALNUM, "a token of GitHub"},
	{STR_INIT("ghr_"), 36, SECRET_ALNUM, "a token of GitHub"},
	{STR_INIT("github_pat_"), 22, SECRET_NAME, "a token of GitHub"},
	{STR_INIT("glpat-"), 20, SECRET_NAME, "a token of GitLab"},
	{STR_INIT("hf_"), 34, SECRET_ALNUM, "a token of Hugging Face"},
	{STR_INIT("npm_"), 36, SECRET_ALNUM, "a token of npm"},
	{STR_INIT("pypi-AgEIcHlwaS5vcmc"), 50, SECRET_NAME, "a token of PyPI"},
	{STR_INIT("rk_live_"), 16, SECRET_ALNUM, "a key of Stripe"},
	{STR_INIT("shpat_"), 32, SECRET_ALNUM, "a token of Shopify"},
	{STR_INIT("sk_live_"), 16, SECRET_ALNUM, "a key of Stripe"},
	{STR_INIT("sk-ant-"), 32, SECRET_NAME, "a key of Anthropic"},
	{STR_INIT("sk-proj-"), 32, SECRET_NAME, "a key of OpenAI"},
	{STR_INIT("sk-"), 48, SECRET_ALNUM, "a key of OpenAI"},
	{STR_INIT("SG."), 60, SECRET_NAME, "a key of SendGrid"},
	{STR_INIT("xapp-"), 20, SECRET_NAME, "a token of Slack"},
	{STR_INIT("xoxa-"), 20, SECRET_NAME, "a token of Slack"},
	{STR_INIT("xoxb-"), 20, SECRET_NAME, "a token of Slack"},
	{STR_INIT("xoxp-"), 20, SECRET_NAME, "a token of Slack"},
	{STR_INIT("xoxr-"), 20, SECRET_NAME, "a token of Slack"},
	{STR_INIT("xoxs-"), 20, SECRET_NAME, "a token of Slack"},
};

/* Names that a value is assigned to, in any case, or ends of such names; the longer one first. */
static const struct str names[] = {
	STR_INIT("password"),      STR_INIT("passwd"),     STR_INIT("passphrase"),
	STR_INIT("api_key"),       STR_INIT("apikey"),     STR_INIT("api-key"),
	STR_INIT("client_secret"), STR_INIT("secret"),     STR_INIT("secret_key"),
	STR_INIT("access_token"),  STR_INIT("auth_token"),
};

static bool secret_is_in(char c, enum secret_set set)
{
	if (ascii_is_digit(c) || ascii_is_upper(c))
		return true;
	return set >= SECRET_ALNUM &&
	       (ascii_is_lower(c) || (set == SECRET_NAME && (c == '_' || c == '-' || c == '.')));
}

static struct str secret_run(struct str text, enum secret_set set)
{
	size_t n = 0;

	while (n < text.n && secret_is_in(text.p[n], set))
		n++;
	return str_sub(text, 0, n);
}

/* Letters and digits mixed, as nobody writes words; placeholders repeat one character. */
static bool secret_is_random(struct str value, size_t least)
{
	bool seen[256] = {false}, digit = false, letter = false;
	size_t kinds = 0;

	for (size_t i = 0; i < value.n; i++) {
		unsigned char c = (unsigned char)value.p[i];

		kinds += !seen[c];
		seen[c] = true;
		digit = digit || ascii_is_digit((char)c);
		letter = letter || ascii_is_letter((char)c);
	}
	return value.n >= least && digit && letter && kinds >= 6 && !str_holds(value, "EXAMPLE") &&
	       !str_holds(value, "example");
}

static const char *secret_prefixed(struct str text)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		struct str prefix = prefixes[i].prefix;

		if (*prefix.p == *text.p && str_starts(text, prefix) &&
		    secret_is_random(secret_run(str_sub(text, prefix.n, text.n), prefixes[i].set),
				     prefixes[i].least))
			return prefixes[i].what;
	}
	return NULL;
}

static bool secret_is_private_key(struct str text)
{
	struct str line;

	if (!str_starts(text, STR("-----BEGIN ")) || !str_next_line(&text, &line))
		return false;
	line = str_trim(line);
	return str_ends(line, STR("-----")) && text.n > 16 && str_holds(line, "PRIVATE KEY");
}

/* Header, payload and signature of a JSON Web Token; the first two are JSON objects in base64. */
static bool secret_is_jwt(struct str text)
{
	struct str all, part;

	if (!str_starts(text, STR("eyJ")))
		return false;
	all = secret_run(text, SECRET_NAME);
	for (int i = 0; i < 3; i++)
		if (!str_next_part(&all, '.', &part) || part.n < 16 ||
		    (i < 2 && !str_starts(part, STR("eyJ"))))
			return false;
	return true;
}

/* The value behind a sign of assignment: "password = 'x'", "token: x", "{"api_key": "x"}". */
static bool secret_is_assigned(struct str text)
{
	size_t i = 0, from;

	while (i < text.n && text.p[i] == ' ')
		i++;
	i += i < text.n && (text.p[i] == '"' || text.p[i] == '\'');
	/* A call, a variable or a template is the way to keep a secret out of a text. */
	for (from = i; i < text.n && (unsigned char)text.p[i] > ' ' && !strchr("\"',;", text.p[i]);
	     i++)
		if (strchr("()[]{}<>$%`\\/", text.p[i]))
			return false;
	return secret_is_random(str_sub(text, from, i), 8);
}

/* scheme://user:password@host */
static bool secret_is_in_url(struct str text)
{
	size_t colon = 0, i = 3;

	if (!str_starts(text, STR("://")))
		return false;
	for (; i < text.n && (unsigned char)text.p[i] > ' ' && text.p[i] != '@'; i++) {
		if (strchr("/<>{}$\"'`", text.p[i]))
			return false;
		colon = !colon && text.p[i] == ':' ? i + 1 : colon;
	}
	return colon && i < text.n && text.p[i] == '@' &&
	       secret_is_random(str_sub(text, colon, i), 6);
}

/* Whether a name stands before the sign of assignment, and a value behind it. *at: of the name. */
static bool secret_is_named(struct str text, size_t sign, size_t *at)
{
	size_t end = sign;

	while (end && text.p[end - 1] == ' ')
		end--;
	end -= end && (text.p[end - 1] == '"' || text.p[end - 1] == '\'');
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		*at = end - size_min(end, names[i].n);
		if (str_ieq(str_sub(text, *at, end), names[i]))
			return secret_is_assigned(str_sub(text, sign + 1, *at + WINDOW));
	}
	return false;
}

/* The bytes with which a form begins, or is assigned: most of a text is passed over by these. */
static const bool begins_form[256] = {
	['A'] = true, ['d'] = true, ['e'] = true, ['g'] = true, ['h'] = true,
	['n'] = true, ['p'] = true, ['r'] = true, ['S'] = true, ['s'] = true,
	['x'] = true, ['-'] = true, [':'] = true, ['='] = true,
};

const char *secret_find(struct str text, size_t *at)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		const char *what = NULL;
		struct str rest;

		if (!begins_form[(unsigned char)c] ||
		    (i && ascii_is_alnum(c) && ascii_is_alnum(text.p[i - 1])))
			continue;
		/* No form is longer than the window, but for a token that has a long payload. */
		rest = str_sub(text, i, i + WINDOW);
		*at = i;
		if (c == '-')
			what = secret_is_private_key(rest) ? "a private key" : NULL;
		else if (c == ':' && secret_is_in_url(rest))
			what = "a password in a URL";
		else if (c == ':' || c == '=')
			what = secret_is_named(text, i, at) ? "a password or a key" : NULL;
		else
			what = c == 'e' ? secret_is_jwt(rest) ? "a JSON Web Token" : NULL
					: secret_prefixed(rest);
		if (what)
			return what;
	}
	return NULL;
}
