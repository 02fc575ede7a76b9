/* Events of agents' hosts: the signs, the members of every tool, the answers, patches. */
#include "base/base.h"
#include "host/host.h"
#include "json/json.h"
#include "tap.h"

static struct arena *a;

static struct host_event event_of(const char *text, enum host by_default)
{
	struct host_event e;

	host_event_read(a, str_of(text), by_default, STR(""), &e);
	return e;
}

/* ---- whose event it is ---- */

#define CLAUDE_TOP                                                                                 \
	"{\"session_id\":\"s\",\"transcript_path\":\"/t\",\"cwd\":\"/w\",\"prompt_id\":\"p\","     \
	"\"permission_mode\":\"default\",\"tool_use_id\":\"u\","
#define CODEX_TOP                                                                                  \
	"{\"session_id\":\"s\",\"turn_id\":\"1\",\"transcript_path\":null,\"cwd\":\"/w\","         \
	"\"model\":\"m\",\"permission_mode\":\"default\",\"tool_use_id\":\"u\","
#define GEMINI_TOP                                                                                 \
	"{\"session_id\":\"s\",\"transcript_path\":\"/t\",\"cwd\":\"/w\","                         \
	"\"timestamp\":\"2026-01-01T00:00:00Z\","
#define COPILOT_TOP "{\"sessionId\":\"s\",\"timestamp\":1,\"cwd\":\"/w\","
#define COPILOT_NESTED_TOP                                                                         \
	"{\"session_id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"cwd\":\"/w\","
#define CURSOR_TOP                                                                                 \
	"\xef\xbb\xbf{\"conversation_id\":\"s\",\"generation_id\":\"g\",\"model\":\"m\","          \
	"\"cursor_version\":\"3.9\",\"workspace_roots\":[\"/w\"],\"cwd\":\"\","
#define OPENCODE_TOP "{\"sessionID\":\"s\",\"callID\":\"c\",\"directory\":\"/w\","
#define VSCODE_TOP                                                                                 \
	"{\"timestamp\":\"2026-01-01T00:00:00Z\",\"cwd\":\"/w\",\"sessionId\":\"s\","              \
	"\"transcript_path\":\"/t\",\"tool_use_id\":\"u\","
#define PRE "\"hook_event_name\":\"PreToolUse\","

static const struct {
	const char *what, *event;
	enum host host;
	enum host_moment moment;
} signs[] = {
	{"a byte order mark", "\xef\xbb\xbf{\"hook_event_name\":\"preToolUse\",\"tool_input\":{}}",
	 HOST_CURSOR, HOST_BEFORE},
	{"cursor_version", "{\"cursor_version\":\"3\",\"hook_event_name\":\"preToolUse\"}",
	 HOST_CURSOR, HOST_BEFORE},
	{"Cursor that runs Claude's file", CURSOR_TOP PRE "\"tool_name\":\"Shell\"}", HOST_CURSOR,
	 HOST_BEFORE},
	{"toolName", COPILOT_TOP "\"toolName\":\"view\",\"toolArgs\":{}}", HOST_COPILOT,
	 HOST_BEFORE},
	{"hookEventName", VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"x\"}",
	 HOST_VSCODE, HOST_BEFORE},
	{"turn_id and model", CODEX_TOP PRE "\"tool_name\":\"x\"}", HOST_CODEX, HOST_BEFORE},
	{"BeforeTool", GEMINI_TOP "\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"x\"}",
	 HOST_GEMINI, HOST_BEFORE},
	{"AfterTool", GEMINI_TOP "\"hook_event_name\":\"AfterTool\",\"tool_name\":\"x\"}",
	 HOST_GEMINI, HOST_AFTER},
	{"AfterAgent", GEMINI_TOP "\"hook_event_name\":\"AfterAgent\"}", HOST_GEMINI, HOST_STOP},
	{"PreToolUse with Copilot's members",
	 COPILOT_NESTED_TOP PRE "\"tool_name\":\"Write\",\"tool_input\":{\"path\":\"a\","
				"\"file_text\":\"t\"}}",
	 HOST_COPILOT, HOST_BEFORE},
	{"PreToolUse of Copilot with a shell command",
	 COPILOT_NESTED_TOP PRE "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}",
	 HOST_COPILOT, HOST_BEFORE},
	{"PreToolUse and tool_use_id", "{" PRE "\"tool_use_id\":\"u\"}", HOST_CLAUDE, HOST_BEFORE},
	{"PreToolUse and prompt_id", "{" PRE "\"prompt_id\":\"u\"}", HOST_CLAUDE, HOST_BEFORE},
	{"PreToolUse and permission_mode", "{" PRE "\"permission_mode\":\"plan\"}", HOST_CLAUDE,
	 HOST_BEFORE},
	{"anything else", "{" PRE "\"tool_name\":\"Write\"}", HOST_UNKNOWN, HOST_BEFORE},
	{"an empty object", "{}", HOST_UNKNOWN, HOST_OTHER},
	{"opencode's plugin", OPENCODE_TOP "\"tool\":\"bash\",\"args\":{\"command\":\"ls\"}}",
	 HOST_OPENCODE, HOST_BEFORE},
	{"opencode after a tool", OPENCODE_TOP "\"event\":\"tool.execute.after\"}", HOST_OPENCODE,
	 HOST_AFTER},
	{"Claude after a tool", CLAUDE_TOP "\"hook_event_name\":\"PostToolUse\"}", HOST_CLAUDE,
	 HOST_AFTER},
	{"Claude at the end of a turn", CLAUDE_TOP "\"hook_event_name\":\"Stop\"}", HOST_CLAUDE,
	 HOST_STOP},
	{"Claude at the end of a subagent", CLAUDE_TOP "\"hook_event_name\":\"SubagentStop\"}",
	 HOST_CLAUDE, HOST_STOP},
	{"Claude at the start", CLAUDE_TOP "\"hook_event_name\":\"SessionStart\"}", HOST_CLAUDE,
	 HOST_START},
	{"Codex at the end of a turn", CODEX_TOP "\"hook_event_name\":\"Stop\"}", HOST_CODEX,
	 HOST_STOP},
	{"Gemini at the start",
	 GEMINI_TOP "\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}", HOST_GEMINI,
	 HOST_START},
	{"Copilot after a tool", COPILOT_TOP "\"toolName\":\"bash\",\"toolResult\":{}}",
	 HOST_COPILOT, HOST_AFTER},
	{"Copilot at the end of a turn", COPILOT_TOP "\"stop_hook_active\":false}", HOST_COPILOT,
	 HOST_STOP},
	{"Copilot at the start", COPILOT_TOP "\"source\":\"new\",\"initialPrompt\":\"hello\"}",
	 HOST_COPILOT, HOST_START},
	{"VS Code at the end of a turn", VSCODE_TOP "\"hookEventName\":\"Stop\"}", HOST_VSCODE,
	 HOST_STOP},
	{"an event that ikm does not answer", CLAUDE_TOP "\"hook_event_name\":\"PreCompact\"}",
	 HOST_CLAUDE, HOST_OTHER},
};

static void test_signs(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		struct host_event e = event_of(signs[i].event, HOST_UNKNOWN);

		is_str(str_of(host_names[e.host]), str_of(host_names[signs[i].host]),
		       signs[i].what);
		is_str(str_of(host_moments[e.moment]), str_of(host_moments[signs[i].moment]),
		       signs[i].what);
		/* What --host says does not change what the event shows. */
		if (signs[i].host != HOST_UNKNOWN) {
			e = event_of(signs[i].event, HOST_GEMINI);
			is_int(e.host, signs[i].host, signs[i].what);
		}
	}
}

/* ---- what the tool is asked to do ---- */

static const struct {
	const char *event;
	enum host_kind kind;
	const char *path,
		*text;   /* text: of the content, the patch, the command, or the first old */
	const char *new; /* of the first replacement */
	bool all;
} tools[] = {
	{CLAUDE_TOP PRE
	 "\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"/w/a\",\"content\":\"c\"}}",
	 HOST_WRITE, "/w/a", "c", NULL, false},
	{CLAUDE_TOP PRE
	 "\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"/w/a\",\"old_string\":\"o\","
	 "\"new_string\":\"n\",\"replace_all\":true}}",
	 HOST_EDIT, "/w/a", "o", "n", true},
	{CLAUDE_TOP PRE "\"tool_name\":\"MultiEdit\",\"tool_input\":{\"file_path\":\"/w/"
			"a\",\"edits\":[{\"old_string\":\"o\",\"new_string\":\"n\"}]}}",
	 HOST_MULTI_EDIT, "/w/a", "o", "n", false},
	{CLAUDE_TOP PRE "\"tool_name\":\"NotebookEdit\",\"tool_input\":{\"notebook_path\":\"/w/"
			"a.ipynb\",\"cell_id\":\"c1\",\"new_source\":\"x\"}}",
	 HOST_NOTEBOOK, "/w/a.ipynb", "x", NULL, false},
	{CLAUDE_TOP PRE "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}", HOST_SHELL,
	 "", "ls", NULL, false},
	{CLAUDE_TOP PRE "\"tool_name\":\"mcp__fs__write\",\"tool_input\":{\"path\":\"a\"}}",
	 HOST_SERVER, "", "", NULL, false},
	{CLAUDE_TOP PRE "\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"a\"}}",
	 HOST_ANY_TOOL, "", "", NULL, false},
	{CODEX_TOP PRE "\"tool_name\":\"apply_patch\",\"tool_input\":{\"command\":\"P\"}}",
	 HOST_PATCH, "", "P", NULL, false},
	{CODEX_TOP PRE "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}", HOST_SHELL,
	 "", "ls", NULL, false},
	{CODEX_TOP PRE
	 "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":[\"bash\",\"-lc\",\"ls -l\"]}}",
	 HOST_SHELL, "", "ls -l", NULL, false},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"write_file\",\"tool_input\""
		    ":{\"file_path\":\"a\",\"content\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"replace\",\"tool_input\":{"
		    "\"file_path\":\"a\",\"old_string\":\"o\",\"new_string\":\"n\",\"instruction\":"
		    "\"i\"}}",
	 HOST_EDIT, "a", "o", "n", false},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"run_shell_command\","
		    "\"tool_input\":{\"command\":\"ls\",\"dir_path\":\"sub\"}}",
	 HOST_SHELL, "sub", "ls", NULL, false},
	{COPILOT_TOP "\"toolName\":\"create\",\"toolArgs\":{\"path\":\"a\",\"file_text\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{COPILOT_TOP "\"toolName\":\"create\",\"toolArgs\":\"{\\\"path\\\":\\\"a\\\","
		     "\\\"file_text\\\":\\\"c\\\"}\"}",
	 HOST_WRITE, "a", "c", NULL, false},
	{COPILOT_TOP "\"toolName\":\"edit\",\"toolArgs\":{\"path\":\"a\",\"old_str\":\"o\","
		     "\"new_str\":\"n\"}}",
	 HOST_EDIT, "a", "o", "n", false},
	{COPILOT_TOP "\"toolName\":\"bash\",\"toolArgs\":{\"command\":\"ls\"}}", HOST_SHELL, "",
	 "ls", NULL, false},
	{COPILOT_TOP "\"toolName\":\"powershell\",\"toolArgs\":{\"command\":\"ls\"}}", HOST_SHELL,
	 "", "ls", NULL, false},
	{COPILOT_TOP "\"toolName\":\"apply_patch\",\"toolArgs\":{\"input\":\"P\"}}", HOST_PATCH, "",
	 "P", NULL, false},
	{COPILOT_NESTED_TOP PRE "\"tool_name\":\"Write\",\"tool_input\":{\"path\":\"a\","
				"\"file_text\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{COPILOT_NESTED_TOP PRE "\"tool_name\":\"Edit\",\"tool_input\":{\"path\":\"a\","
				"\"old_str\":\"o\",\"new_str\":\"n\"}}",
	 HOST_EDIT, "a", "o", "n", false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Write\",\"tool_input\":{"
		    "\"path\":\"a\",\"contents\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_input\":{\"file_path\":\"a\","
		    "\"content\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Write\",\"tool_input\":{"
		    "\"file_path\":\"a\",\"old_string\":\"o\",\"new_string\":\"n\"}}",
	 HOST_EDIT, "a", "o", "n", false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Delete\",\"tool_input\":{"
		    "\"file_path\":\"a\"}}",
	 HOST_DELETE, "a", "", NULL, false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Shell\",\"tool_input\":{"
		    "\"command\":\"ls\",\"working_directory\":\"/x\"}}",
	 HOST_SHELL, "/x", "ls", NULL, false},
	{CURSOR_TOP "\"hook_event_name\":\"beforeShellExecution\",\"command\":\"ls\"}", HOST_SHELL,
	 "", "ls", NULL, false},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"MCP:write\"}", HOST_SERVER,
	 "", "", NULL, false},
	{OPENCODE_TOP "\"tool\":\"write\",\"args\":{\"filePath\":\"a\",\"content\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{OPENCODE_TOP "\"tool\":\"edit\",\"args\":{\"filePath\":\"a\",\"oldString\":\"o\","
		      "\"newString\":\"n\",\"replaceAll\":true}}",
	 HOST_EDIT, "a", "o", "n", true},
	{OPENCODE_TOP "\"tool\":\"apply_patch\",\"args\":{\"patchText\":\"P\"}}", HOST_PATCH, "",
	 "P", NULL, false},
	{OPENCODE_TOP "\"tool\":\"bash\",\"args\":{\"command\":\"ls\"}}", HOST_SHELL, "", "ls",
	 NULL, false},
	{VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"create_file\",\"tool_input\":"
		    "{\"filePath\":\"a\",\"content\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"multi_replace_string_in_"
		    "file\",\"tool_input\":{\"replacements\":[{\"filePath\":\"a\",\"oldString\":"
		    "\"o\",\"newString\":\"n\"}]}}",
	 HOST_MULTI_EDIT, "", "o", "n", false},
	/* A host without a sign: the tools of all. */
	{"{" PRE "\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"a\",\"content\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
	{"{" PRE "\"tool_name\":\"Write\",\"tool_input\":{\"path\":\"a\",\"file_text\":\"c\"}}",
	 HOST_WRITE, "a", "c", NULL, false},
};

static void test_tools(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		struct host_event e = event_of(tools[i].event, HOST_UNKNOWN);
		const char *what = tools[i].event;
		struct str text = e.patch.n     ? e.patch
				  : e.command.n ? e.command
				  : e.edits.n   ? e.edits.p[0].old
						: e.content;

		is_int(e.kind, tools[i].kind, what);
		is_str(e.path, str_of(tools[i].path), what);
		is_str(text, str_of(tools[i].text), what);
		is_str(e.doubt, STR(""), what);
		is_int(e.edits.n, tools[i].new ? 1 : 0, what);
		if (!e.edits.n || !tools[i].new)
			continue;
		is_str(e.edits.p[0].new, str_of(tools[i].new), what);
		is_int(e.edits.p[0].all, tools[i].all, what);
	}
}

static void test_members(void)
{
	struct host_event e = event_of(CURSOR_TOP "\"hook_event_name\":\"preToolUse\","
						  "\"tool_name\":\"Shell\",\"tool_input\":{}}",
				       HOST_UNKNOWN);

	is_str(e.cwd, STR("/w"), "an empty cwd: the first workspace root");
	is_str(e.session, STR("s"), "the conversation is the session");
	is_str(e.doubt, STR("the input of Shell has no 'command'"), "a member is missing");
	e = event_of(CLAUDE_TOP PRE "\"agent_id\":\"sub\"}", HOST_UNKNOWN);
	is_str(e.agent, STR("sub"), "a subagent");
	e = event_of(CLAUDE_TOP "\"hook_event_name\":\"Stop\",\"stop_hook_active\":true}",
		     HOST_UNKNOWN);
	ok(e.stop_active, "a turn that a hook prolonged");
	host_event_read(a, STR("{\"sessionId\":\"s\"}"), HOST_COPILOT, STR("agentStop"), &e);
	is_int(e.moment, HOST_STOP, "an event without a name has the one that is given");
}

/* ---- what is no event ---- */

static void test_doubts(void)
{
	struct host_event e = event_of(CLAUDE_TOP PRE "\"tool_name\":\"Wri", HOST_CLAUDE);

	is_int(e.host, HOST_CLAUDE, "a cut event is that of --host");
	is_int(e.moment, HOST_BEFORE, "and must be answered");
	ok(str_starts(e.doubt, STR("it cannot be read: ")), "with the reason");
	is_str(e.name, STR("PreToolUse"), "by the name of the event before a tool");
	e = event_of("\xef\xbb\xbf{\"hook_event_name\":", HOST_CLAUDE);
	is_int(e.host, HOST_CURSOR, "a cut event with a byte order mark is Cursor's");
	e = event_of("", HOST_UNKNOWN);
	ok(e.doubt.n, "an empty event");
	e = event_of("[1]", HOST_UNKNOWN);
	ok(e.doubt.n, "a list");
	e = event_of(CLAUDE_TOP PRE "\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"a\","
				    "\"content\":\"\xff\"}}",
		     HOST_UNKNOWN);
	is_str(e.doubt, STR("it has bytes that are not UTF-8"), "bytes that are not UTF-8");
	is_str(e.content, STR("\xef\xbf\xbd"), "are replaced");
	e = event_of(CLAUDE_TOP PRE "\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"a\"}}",
		     HOST_UNKNOWN);
	is_str(e.doubt, STR("the input of Write has no 'content'"), "a Write without content");
	e = event_of(CLAUDE_TOP PRE "\"tool_name\":\"Write\",\"tool_input\":{\"content\":\"c\"}}",
		     HOST_UNKNOWN);
	is_str(e.doubt, STR("the input of Write has no 'file_path'"), "a Write without a path");
	e = event_of(VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"insert_edit_into_"
				"file\",\"tool_input\":{\"filePath\":\"a\",\"code\":\"c\"}}",
		     HOST_UNKNOWN);
	is_str(e.edits.p[0].new, STR("c"), "text whose place is left open");
	ok(e.doubt.n, "is not understood");
}

/* ---- answers ---- */

#define NESTED_R(d)                                                                                \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"" d    \
	"\",\"permissionDecisionReason\":\"R\"}}\n"
#define NESTED_C(e)                                                                                \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"" e "\",\"additionalContext\":\"R\"}}\n"

static const struct {
	const char *event;
	enum host_verdict verdict;
	const char *out, *err; /* out NULL: the host does not take it */
	int status;
} answers[] = {
	{CLAUDE_TOP PRE "\"a\":1}", HOST_ALLOW, "", "", 0},
	{CLAUDE_TOP PRE "\"a\":1}", HOST_DENY, NESTED_R("deny"), "", 0},
	{CLAUDE_TOP PRE "\"a\":1}", HOST_ASK, NESTED_R("ask"), "", 0},
	{CLAUDE_TOP PRE "\"a\":1}", HOST_CONTEXT, NESTED_C("PreToolUse"), "", 0},
	{CLAUDE_TOP "\"hook_event_name\":\"PostToolUse\"}", HOST_CONTEXT, NESTED_C("PostToolUse"),
	 "", 0},
	{CLAUDE_TOP "\"hook_event_name\":\"PostToolUse\"}", HOST_DENY, NULL, "", 0},
	{CLAUDE_TOP "\"hook_event_name\":\"Stop\"}", HOST_DENY,
	 "{\"decision\":\"block\",\"reason\":\"R\"}\n", "", 0},
	{CLAUDE_TOP "\"hook_event_name\":\"SessionStart\"}", HOST_CONTEXT, NESTED_C("SessionStart"),
	 "", 0},
	{CODEX_TOP PRE "\"a\":1}", HOST_ALLOW, "", "", 0},
	{CODEX_TOP PRE "\"a\":1}", HOST_DENY, NESTED_R("deny"), "", 0},
	{CODEX_TOP PRE "\"a\":1}", HOST_ASK, NULL, "", 0},
	{CODEX_TOP PRE "\"a\":1}", HOST_CONTEXT, NESTED_C("PreToolUse"), "", 0},
	{CODEX_TOP "\"hook_event_name\":\"Stop\"}", HOST_DENY,
	 "{\"decision\":\"block\",\"reason\":\"R\"}\n", "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\"}", HOST_ALLOW, "", "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\"}", HOST_DENY,
	 "{\"decision\":\"deny\",\"reason\":\"R\"}\n", "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\"}", HOST_ASK, NULL, "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"BeforeTool\"}", HOST_CONTEXT, NULL, "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"AfterTool\"}", HOST_CONTEXT, NESTED_C("AfterTool"), "",
	 0},
	{GEMINI_TOP "\"hook_event_name\":\"AfterAgent\"}", HOST_DENY,
	 "{\"decision\":\"deny\",\"reason\":\"R\"}\n", "", 0},
	{GEMINI_TOP "\"hook_event_name\":\"SessionStart\"}", HOST_CONTEXT, NESTED_C("SessionStart"),
	 "", 0},
	{COPILOT_TOP "\"toolName\":\"bash\"}", HOST_ALLOW, "", "", 0},
	{COPILOT_TOP "\"toolName\":\"bash\"}", HOST_DENY,
	 "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"R\"}\n", "", 0},
	{COPILOT_TOP "\"toolName\":\"bash\"}", HOST_ASK,
	 "{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"R\"}\n", "", 0},
	{COPILOT_TOP "\"toolName\":\"bash\"}", HOST_CONTEXT, "{\"additionalContext\":\"R\"}\n", "",
	 0},
	{COPILOT_TOP "\"toolName\":\"bash\",\"toolResult\":{}}", HOST_CONTEXT,
	 "{\"additionalContext\":\"R\"}\n", "", 0},
	{COPILOT_TOP "\"stop_hook_active\":false}", HOST_DENY,
	 "{\"decision\":\"block\",\"reason\":\"R\"}\n", "", 0},
	{COPILOT_TOP "\"source\":\"new\"}", HOST_CONTEXT, "{\"additionalContext\":\"R\"}\n", "", 0},
	{COPILOT_NESTED_TOP PRE "\"tool_input\":{\"path\":\"a\",\"old_str\":\"o\"}}", HOST_DENY,
	 NESTED_R("deny"), "", 0},
	{COPILOT_NESTED_TOP PRE "\"tool_input\":{\"path\":\"a\",\"old_str\":\"o\"}}", HOST_CONTEXT,
	 NESTED_C("PreToolUse"), "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\"}", HOST_ALLOW,
	 "{\"permission\":\"allow\"}\n", "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\"}", HOST_DENY,
	 "{\"permission\":\"deny\",\"user_message\":\"R\",\"agent_message\":\"R\"}\n", "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\"}", HOST_ASK, NULL, "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"preToolUse\"}", HOST_CONTEXT,
	 "{\"permission\":\"allow\",\"agent_message\":\"R\"}\n", "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"stop\"}", HOST_DENY, "{\"followup_message\":\"R\"}\n",
	 "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"sessionStart\"}", HOST_CONTEXT,
	 "{\"additional_context\":\"R\"}\n", "", 0},
	{CURSOR_TOP "\"hook_event_name\":\"beforeSubmitPrompt\"}", HOST_ALLOW, "{}\n", "", 0},
	{OPENCODE_TOP "\"tool\":\"bash\",\"args\":{}}", HOST_ALLOW, "", "", 0},
	{OPENCODE_TOP "\"tool\":\"bash\",\"args\":{}}", HOST_DENY,
	 "{\"decision\":\"deny\",\"reason\":\"R\"}\n", "R\n", 2},
	{OPENCODE_TOP "\"event\":\"tool.execute.after\"}", HOST_CONTEXT, "{\"context\":\"R\"}\n",
	 "", 0},
	{VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"x\"}", HOST_DENY,
	 NESTED_R("deny"), "", 0},
	{VSCODE_TOP "\"hookEventName\":\"PreToolUse\",\"tool_name\":\"x\"}", HOST_ASK,
	 NESTED_R("ask"), "", 0},
	{"{" PRE "\"tool_name\":\"Write\"}", HOST_ALLOW, "", "", 0},
	{"{" PRE "\"tool_name\":\"Write\"}", HOST_DENY,
	 "{\"decision\":\"block\",\"reason\":\"R\"}\n", "R\n", 2},
	{"{" PRE "\"tool_name\":\"Write\"}", HOST_ASK, NULL, "", 0},
	{"{" PRE "\"tool_name\":\"Write\"}", HOST_CONTEXT, NULL, "", 0},
};

static void test_answers(void)
{
	struct host_answer got;
	struct host_event e;
	struct val *v;

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		const char *what = answers[i].event;

		e = event_of(what, HOST_UNKNOWN);
		ok(host_takes_verdict(&e, answers[i].verdict) == !!answers[i].out, "taken: %s",
		   what);
		if (!answers[i].out)
			continue;
		host_answer(a, &e, answers[i].verdict, STR("R"), &got);
		is_str(got.out, str_of(answers[i].out), what);
		is_str(got.err, str_of(answers[i].err), what);
		is_int(got.status, answers[i].status, what);
		ok(!got.out.n || !json_read(a, got.out, NULL, &v), "one object: %s", what);
	}
	e = event_of("{" PRE "\"tool_name\":\"Write\"}", HOST_CURSOR);
	host_answer(a, &e, HOST_ALLOW, STR(""), &got);
	is_str(got.out, STR("{\"permission\":\"allow\"}\n"),
	       "without a sign --host tells how to allow");
	host_answer(a, &e, HOST_DENY, STR("a \"b\"\n"), &got);
	is_str(got.out, STR("{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\\n\"}\n"),
	       "and not how to deny; the reason is a string of JSON");
	is_int(got.status, 2, "with status 2");
}

/* ---- patches ---- */

static struct host_patch patch_of(const char *text)
{
	struct host_patch p;

	works(host_patch_read(a, str_of(text), &p), "a patch is read");
	return p;
}

static void applies(const char *hunks, const char *old, const char *want, const char *what)
{
	struct host_patch p = patch_of(
		str_fmt(a, "*** Begin Patch\n*** Update File: a\n%s*** End Patch", hunks).p);
	struct str new = {"", 0};
	struct err *e = host_patch_apply(a, &p.p[0], str_of(old), &new);

	if (want) {
		works(e, what);
		is_str(new, str_of(want), what);
	} else {
		fails(e, E_HUNK_FAILED, what);
	}
}

static void test_patches(void)
{
	struct host_patch p = patch_of("*** Begin Patch\n*** Add File: a b\n+x\n+\n+y\n"
				       "*** Delete File: gone\n*** Update File: src/c\n"
				       "*** Move to: src/d\n@@ def f\n old\n-o\n+n\n"
				       "*** End of File\n*** End Patch\n");
	struct str cwd, patch;

	is_int(p.n, 3, "three files");
	is_str(p.p[0].path, STR("a b"), "a name with a space");
	is_str(p.p[0].content, STR("x\n\ny\n"), "the content of a new file");
	is_int(p.p[1].kind, HOST_PATCH_DELETE, "a file goes");
	is_str(p.p[2].move_to, STR("src/d"), "a file moves");
	is_str(p.p[2].p[0].anchors.p[0], STR("def f"), "an anchor");
	ok(p.p[2].p[0].at_end, "a hunk at the end");
	is_str(host_patch_added(a, &p.p[2]), STR("n\n"), "what it adds");
	fails(host_patch_read(a, STR("no patch"), &p), E_BAD_PATCH, "no patch");
	fails(host_patch_read(a, STR("*** Begin Patch\n*** Add File: a\n+x\n"), &p), E_BAD_PATCH,
	      "a patch that is cut");
	fails(host_patch_read(a, STR("*** Begin Patch\n*** Update File: a\n@@\n*** End Patch"), &p),
	      E_BAD_PATCH, "a hunk without lines");
	fails(host_patch_read(a, STR("*** Begin Patch\nx\n*** End Patch"), &p), E_BAD_PATCH,
	      "a line of no file");
	fails(host_patch_read(a, STR("*** Begin Patch\n*** Update File: a\n@@\n?x\n*** End Patch"),
			      &p),
	      E_BAD_PATCH, "a line of no kind");

	applies("@@\n a\n-b\n+B\n", "a\nb\nc\n", "a\nB\nc\n", "a hunk");
	applies(" a\n-b\n+B\n", "a\nb\nc\n", "a\nB\nc\n", "a first hunk without @@");
	applies("@@ g\n-x\n+y\n", "f\nx\ng\nx\n", "f\nx\ng\ny\n", "behind an anchor");
	applies("@@ f\n@@ g\n-x\n+y\n", "g\nx\nf\nx\ng\nx\n", "g\nx\nf\nx\ng\ny\n",
		"behind two anchors");
	applies("@@\n-x\n+y\n*** End of File\n", "x\nz\nx\n", "x\nz\ny\n", "the last lines");
	applies("@@\n+z\n", "a\n", "a\nz\n", "a hunk that only adds goes to the end");
	applies("@@\n+z\n@@\n-a\n+A\n", "a\nb\n", "A\nb\nz\n", "also when another follows");
	applies("@@\n-x\n+y\n", "  x  \n", "y\n", "other spaces around a line");
	applies("@@\n-say \"x\" - y\n+z\n", "say \u201cx\u201d \u2013 y\n", "z\n",
		"other quotes and dashes");
	applies("@@\n-no\n+z\n", "a\n", NULL, "no such lines");
	applies("@@ no\n-a\n+z\n", "a\n", NULL, "no such anchor");
	applies("@@\n-a\n+b\n", "a", "b\n", "a file without an end of line gets one");

	applies("@@ -2 +2,3 @@ f\n-x\n+y\n", "x\n", "y\n", "a header with line numbers");
	p = patch_of("*** Begin Patch\r\n*** Update File: a\r\n@@ -2 +2 @@\r\n x\r\n\r\n+y\r\n"
		     "*** Add File: b\r\n+z\r\n*** End Patch");
	is_int(p.p[0].p[0].line, 2, "the line of the header");
	is_str(p.p[0].p[0].p[2].text, STR("y"), "a line of a text with CR LF");
	is_str(p.p[1].content, STR("z\r\n"), "and of a new file in it");

	ok(host_patch_in_command(STR("apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF"),
				 &cwd, &patch),
	   "a patch in a here-document");
	ok(host_patch_in_command(STR("cd 'a b' && apply_patch <<EOF\n*** Begin Patch\nEOF"), &cwd,
				 &patch),
	   "behind cd");
	is_str(cwd, STR("a b"), "with its folder");
	ok(!host_patch_in_command(STR("echo apply_patch; ls"), &cwd, &patch), "another command");
	ok(!host_patch_in_command(STR("cd a; apply_patch"), &cwd, &patch), "cd without &&");
}

int main(void)
{
	a = arena_new();
	test_signs();
	test_tools();
	test_members();
	test_doubts();
	test_answers();
	test_patches();
	arena_free(a);
	return tap_done();
}
