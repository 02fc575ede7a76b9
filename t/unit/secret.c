#include "secret/secret.h"
#include "tap.h"

/* The literals are in parts, so that no scanner of the sources takes them for real ones. */
static void forms(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"AKIA"
		 "ZQ3DRSTUV7WXYB2K",
		 "an access key of AWS"},
		{"key=ASIA"
		 "ZQ3DRSTUV7WXYB2K.",
		 "an access key of AWS"},
		{"AIza"
		 "SyD3f5G7hJ9kL1mN3pQ5rS7tU9vW1xY3z_-",
		 "a key of Google"},
		{"(gh"
		 "p_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2)",
		 "a token of GitHub"},
		{"github"
		 "_pat_11ABCDEFG0abcdefghijkl_mnop",
		 "a token of GitHub"},
		{"gl"
		 "pat-aB3dE5gH7jK9mN1pQ2rS",
		 "a token of GitLab"},
		{"hf"
		 "_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1b",
		 "a token of Hugging Face"},
		{"np"
		 "m_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2",
		 "a token of npm"},
		{"sk"
		 "_live_aB3dE5gH7jK9mN1p",
		 "a key of Stripe"},
		{"sk"
		 "-ant-api03-aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2",
		 "a key of Anthropic"},
		{"xo"
		 "xb-123456789012-abcdEFGH12345",
		 "a token of Slack"},
		{"-----BEGIN RSA PRIV"
		 "ATE KEY-----\nMIIBPAIBAAJBANPQbQ92nlbeg1Q5MIIBPAIB",
		 "a private key"},
		{"-----BEGIN PGP PRIV"
		 "ATE KEY BLOCK-----\r\n\r\nlQVYBGV0MIIBPAIBAAJBANPQbQ92",
		 "a private key"},
		{"ey"
		 "JhbGciOiJIUzI1NiJ9.ey"
		 "JzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
		 "a JSON Web Token"},
		{"DB_PASSWORD=h7Gk29sLqP", "a password or a key"},
		{"password: 'h7Gk29sLqP'", "a password or a key"},
		{"{\"api_key\": \"h7Gk29sLqP\"}", "a password or a key"},
		{"clientSecret and client_secret = h7Gk29sLqP", "a password or a key"},
		{"postgres://app:h7Gk29@db/x", "a password in a URL"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t at;
		const char *what = secret_find(str_of(rows[i].text), &at);

		is_str(str_of(what ? what : "nothing"), str_of(rows[i].want), rows[i].text);
	}
}

static void no_forms(void)
{
	static const char *const rows[] = {
		"",
		"AKIA"
		"IOSFODNN7EXAMPLE",
		"XAKIA"
		"ZQ3DRSTUV7WXYB2K",
		"AKIA"
		"ZQ3",
		"gh"
		"p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"gh"
		"p_ tokens begin so",
		"password: required, at least 8 characters",
		"password = os.environ['DB_PASSWORD_1']",
		"password=$DB_PASSWORD1",
		"secret: ${{ secrets.NPM_TOKEN_2 }}",
		"api_key: <your-key-01>",
		"the password policy: rotate every 90 days",
		"my password is long",
		"postgres://user:password@localhost/db",
		"https://example.org:8443/a@b1",
		"git@github.com:a/b1.git",
		"-----BEGIN PUBLIC KEY-----\nMIIBPAIBAAJBANPQbQ92nlbeg1Q5MIIBPAIB",
		"'-----BEGIN RSA PRIV"
		"ATE KEY-----' begins a file of OpenSSL, as everyone knows",
		"eyJ is base64 for an opening brace. eyJ.eyJ.x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t at;
		const char *what = secret_find(str_of(rows[i]), &at);

		is_str(str_of(what ? what : "nothing"), STR("nothing"), rows[i]);
	}
}

/* The whole name is told, and not the shorter one that it ends with; nor the sign behind it. */
static void places(void)
{
	static const char *const names[] = {"client_secret", "SECRET", "secret_key", "api-key",
					    "access_token"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char text[64];
		size_t at = 0;

		snprintf(text, sizeof(text), "a: b, \"my%s\" = h7Gk29sLqP", names[i]);
		ok(secret_find(str_of(text), &at) && at == 9, "%s", text);
	}
}

int main(void)
{
	forms();
	places();
	no_forms();
	return tap_done();
}
