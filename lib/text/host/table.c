/*
 * All that differs between hosts. Measured with the versions that ikm-hook(1) names; Cursor and VS
 * Code by their documentation. A row is one fact: a host that changes is a change of rows.
 */
#include "host/internal.h"

/* clang-format off */
const char *const host_names[] = {HOSTS(ENUM_NAME) NULL};
const char *const host_moments[] = {HOST_MOMENTS(ENUM_NAME) NULL};
const char *const host_choices[] = {HOSTS_INSTALLED(ENUM_NAME) NULL};

/* ---- answers ---- */

#define NESTED(decision)                                                                            \
	"{\"hookSpecificOutput\":{\"hookEventName\":$E,\"permissionDecision\":\"" decision          \
	"\",\"permissionDecisionReason\":$R}}"
#define NESTED_CONTEXT "{\"hookSpecificOutput\":{\"hookEventName\":$E,\"additionalContext\":$R}}"
#define FLAT(decision)                                                                              \
	"{\"permissionDecision\":\"" decision "\",\"permissionDecisionReason\":$R}"
#define FLAT_CONTEXT "{\"additionalContext\":$R}"
#define BLOCK "{\"decision\":\"block\",\"reason\":$R}"
#define DENY "{\"decision\":\"deny\",\"reason\":$R}"
#define OWN_CONTEXT "{\"context\":$R}"

static const struct host_form claude_forms[] = {
	{HOST_BEFORE, HOST_DENY, NESTED("deny"), false, 0},
	{HOST_BEFORE, HOST_ASK, NESTED("ask"), false, 0},
	{HOST_BEFORE, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY, BLOCK, false, 0},
	{HOST_START, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{0},
};
/* Codex lets the tool run when it cannot use an answer: it takes no "ask" and no other key. */
static const struct host_form codex_forms[] = {
	{HOST_BEFORE, HOST_DENY, NESTED("deny"), false, 0},
	{HOST_BEFORE, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY, BLOCK, false, 0},
	{HOST_START, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{0},
};
static const struct host_form gemini_forms[] = {
	{HOST_BEFORE, HOST_DENY, DENY, false, 0},
	{HOST_AFTER, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY, DENY, false, 0},
	{HOST_START, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{0},
};
static const struct host_form copilot_forms[] = {
	{HOST_BEFORE, HOST_DENY, FLAT("deny"), false, 0},
	{HOST_BEFORE, HOST_ASK, FLAT("ask"), false, 0},
	{HOST_BEFORE, HOST_CONTEXT, FLAT_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, FLAT_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY, BLOCK, false, 0},
	{HOST_START, HOST_CONTEXT, FLAT_CONTEXT, false, 0},
	{0},
};
/* Copilot with an event in Claude's spelling: nested before a tool, flat in other events. */
static const struct host_form copilot_nested_forms[] = {
	{HOST_BEFORE, HOST_DENY, NESTED("deny"), false, 0},
	{HOST_BEFORE, HOST_ASK, NESTED("ask"), false, 0},
	{HOST_BEFORE, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, FLAT_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY, BLOCK, false, 0},
	{HOST_START, HOST_CONTEXT, FLAT_CONTEXT, false, 0},
	{0},
};
/* Cursor blocks the call when the answer is empty: to allow takes words. */
static const struct host_form cursor_forms[] = {
	{HOST_BEFORE, HOST_ALLOW, "{\"permission\":\"allow\"}", false, 0},
	{HOST_BEFORE, HOST_DENY,
	 "{\"permission\":\"deny\",\"user_message\":$R,\"agent_message\":$R}", false, 0},
	{HOST_BEFORE, HOST_CONTEXT, "{\"permission\":\"allow\",\"agent_message\":$R}", false, 0},
	{HOST_AFTER, HOST_ALLOW, "{}", false, 0},
	{HOST_STOP, HOST_ALLOW, "{}", false, 0},
	{HOST_STOP, HOST_DENY, "{\"followup_message\":$R}", false, 0},
	{HOST_START, HOST_ALLOW, "{}", false, 0},
	{HOST_START, HOST_CONTEXT, "{\"additional_context\":$R}", false, 0},
	{HOST_OTHER, HOST_ALLOW, "{}", false, 0},
	{0},
};
/* ikm's own plugin stands between opencode and ikm: it throws when the status is 2. */
static const struct host_form opencode_forms[] = {
	{HOST_BEFORE, HOST_DENY, DENY, true, 2},
	{HOST_BEFORE, HOST_CONTEXT, OWN_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, OWN_CONTEXT, false, 0},
	{HOST_START, HOST_CONTEXT, OWN_CONTEXT, false, 0},
	{0},
};
static const struct host_form vscode_forms[] = {
	{HOST_BEFORE, HOST_DENY, NESTED("deny"), false, 0},
	{HOST_BEFORE, HOST_ASK, NESTED("ask"), false, 0},
	{HOST_BEFORE, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_AFTER, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{HOST_STOP, HOST_DENY,
	 "{\"hookSpecificOutput\":{\"hookEventName\":$E,\"decision\":\"block\",\"reason\":$R}}", false,
	 0},
	{HOST_START, HOST_CONTEXT, NESTED_CONTEXT, false, 0},
	{0},
};
/* Stops the tool in every host that was tried. */
static const struct host_form unknown_forms[] = {
	{HOST_BEFORE, HOST_DENY, BLOCK, true, 2},
	{0},
};

/* ---- events ---- */

#define WORDS(...) {{__VA_ARGS__}}

static const struct host_moment_row claude_moments[] = {
	{"PreToolUse", HOST_BEFORE, {{0}}, 0},
	{"PostToolUse", HOST_AFTER, {{0}}, 0},
	{"Stop", HOST_STOP, {{0}}, 0},
	{"SubagentStop", HOST_STOP, {{0}}, 0},
	{"SessionStart", HOST_START, {{0}}, 0},
	{0},
};
static const struct host_moment_row codex_moments[] = {
	{"PreToolUse", HOST_BEFORE, {{0}}, 0},
	{"PostToolUse", HOST_AFTER, {{0}}, 0},
	{"Stop", HOST_STOP, {{0}}, 0},
	{"SessionStart", HOST_START, {{0}}, 0},
	{0},
};
static const struct host_moment_row gemini_moments[] = {
	{"BeforeTool", HOST_BEFORE, {{0}}, 0},
	{"AfterTool", HOST_AFTER, {{0}}, 0},
	{"AfterAgent", HOST_STOP, {{0}}, 0},
	{"SessionStart", HOST_START, {{0}}, 0},
	{0},
};
/* Copilot's own events have no name in the input: their members tell them. */
static const struct host_moment_row copilot_moments[] = {
	{"postToolUse", HOST_AFTER, WORDS("toolResult"), 0},
	{"preToolUse", HOST_BEFORE, WORDS("toolName"), 0},
	{"agentStop", HOST_STOP, WORDS("stop_hook_active", "stopHookActive", "stopReason"), 0},
	{"sessionStart", HOST_START, WORDS("initialPrompt", "source"), 0},
	{0},
};
static const struct host_moment_row cursor_moments[] = {
	{"preToolUse", HOST_BEFORE, WORDS("tool_input"), 0},
	{"PreToolUse", HOST_BEFORE, {{0}}, 0},
	{"beforeShellExecution", HOST_BEFORE, WORDS("command"), HOST_SHELL},
	{"beforeMCPExecution", HOST_BEFORE, {{0}}, HOST_SERVER},
	{"postToolUse", HOST_AFTER, {{0}}, 0},
	{"PostToolUse", HOST_AFTER, {{0}}, 0},
	{"stop", HOST_STOP, {{0}}, 0},
	{"Stop", HOST_STOP, {{0}}, 0},
	{"sessionStart", HOST_START, {{0}}, 0},
	{"SessionStart", HOST_START, {{0}}, 0},
	{0},
};
static const struct host_moment_row opencode_moments[] = {
	{"tool.execute.before", HOST_BEFORE, WORDS("args"), 0},
	{"tool.execute.after", HOST_AFTER, {{0}}, 0},
	{"session.start", HOST_START, {{0}}, 0},
	{0},
};

/* ---- tools ---- */

static const struct host_tool_row claude_tools[] = {
	{WORDS("Write"), HOST_WRITE, .path = WORDS("file_path"), .content = WORDS("content")},
	{WORDS("Edit"), HOST_EDIT, .path = WORDS("file_path"), .old = WORDS("old_string"),
	 .new = WORDS("new_string"), .all = WORDS("replace_all")},
	{WORDS("MultiEdit"), HOST_MULTI_EDIT, .path = WORDS("file_path"), .list = "edits",
	 .old = WORDS("old_string"), .new = WORDS("new_string"), .all = WORDS("replace_all")},
	{WORDS("NotebookEdit"), HOST_NOTEBOOK, .path = WORDS("notebook_path"),
	 .content = WORDS("new_source"), .cell = WORDS("cell_id"), .cell_mode = WORDS("edit_mode")},
	{WORDS("Bash"), HOST_SHELL, .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};
static const struct host_tool_row codex_tools[] = {
	{WORDS("apply_patch"), HOST_PATCH, .content = WORDS("command", "input")},
	{WORDS("Bash"), HOST_SHELL, .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};
static const struct host_tool_row gemini_tools[] = {
	{WORDS("write_file"), HOST_WRITE, .path = WORDS("file_path"), .content = WORDS("content")},
	{WORDS("replace"), HOST_EDIT, .path = WORDS("file_path"), .old = WORDS("old_string"),
	 .new = WORDS("new_string"),
	 .all = WORDS("replace_all", "allow_multiple", "expected_replacements")},
	{WORDS("run_shell_command"), HOST_SHELL, .path = WORDS("dir_path"),
	 .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};
/* In Claude's spelling of the event the tools' names are Claude's, their members are not. */
static const struct host_tool_row copilot_tools[] = {
	{WORDS("create", "Write"), HOST_WRITE, .path = WORDS("path"), .content = WORDS("file_text")},
	{WORDS("edit", "Edit"), HOST_EDIT, .path = WORDS("path"), .old = WORDS("old_str"),
	 .new = WORDS("new_str")},
	{WORDS("apply_patch"), HOST_PATCH, .content = WORDS("input")},
	{WORDS("bash", "powershell", "Bash"), HOST_SHELL, .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};
static const struct host_tool_row cursor_tools[] = {
	{WORDS("Write"), HOST_WRITE, .path = WORDS("file_path", "path"),
	 .content = WORDS("content", "contents"), .old = WORDS("old_string"),
	 .new = WORDS("new_string")},
	{WORDS("Shell"), HOST_SHELL, .path = WORDS("cwd", "working_directory"),
	 .content = WORDS("command")},
	{WORDS("Delete"), HOST_DELETE, .path = WORDS("file_path", "path")},
	{.kind = HOST_ANY_TOOL},
};
static const struct host_tool_row opencode_tools[] = {
	{WORDS("write"), HOST_WRITE, .path = WORDS("filePath"), .content = WORDS("content")},
	{WORDS("edit"), HOST_EDIT, .path = WORDS("filePath"), .old = WORDS("oldString"),
	 .new = WORDS("newString"), .all = WORDS("replaceAll")},
	{WORDS("apply_patch", "patch"), HOST_PATCH, .content = WORDS("patchText")},
	{WORDS("bash"), HOST_SHELL, .path = WORDS("workdir"), .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};
static const struct host_tool_row vscode_tools[] = {
	{WORDS("create_file"), HOST_WRITE, .path = WORDS("filePath"), .content = WORDS("content")},
	{WORDS("replace_string_in_file"), HOST_EDIT, .path = WORDS("filePath"),
	 .old = WORDS("oldString"), .new = WORDS("newString")},
	{WORDS("multi_replace_string_in_file"), HOST_MULTI_EDIT, .list = "replacements",
	 .path = WORDS("filePath"), .old = WORDS("oldString"), .new = WORDS("newString")},
	/* Only new text, and where it goes is left to a model. */
	{WORDS("insert_edit_into_file"), HOST_EDIT, .path = WORDS("filePath"), .new = WORDS("code")},
	{WORDS("apply_patch"), HOST_PATCH, .content = WORDS("input")},
	{WORDS("run_in_terminal"), HOST_SHELL, .content = WORDS("command")},
	{.kind = HOST_ANY_TOOL},
};

/* ---- dialects ---- */

static const struct host_dialect claude = {
	HOST_CLAUDE, WORDS("hook_event_name"), WORDS("session_id"), WORDS("cwd"), WORDS("agent_id"),
	WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"), NULL, "mcp__",
	claude_moments, claude_tools, claude_forms,
};
static const struct host_dialect codex = {
	HOST_CODEX, WORDS("hook_event_name"), WORDS("session_id"), WORDS("cwd"), WORDS("agent_id"),
	WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"), NULL, "mcp__",
	codex_moments, codex_tools, codex_forms,
};
static const struct host_dialect gemini = {
	HOST_GEMINI, WORDS("hook_event_name"), WORDS("session_id"), WORDS("cwd"), WORDS("agent_id"),
	WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"), NULL, "mcp_",
	gemini_moments, gemini_tools, gemini_forms,
};
static const struct host_dialect copilot = {
	HOST_COPILOT, WORDS("hookEventName"), WORDS("sessionId"), WORDS("cwd"), WORDS("agentId"),
	WORDS("toolName"), WORDS("toolArgs"), WORDS("stop_hook_active", "stopHookActive"), NULL,
	NULL, copilot_moments, copilot_tools, copilot_forms,
};
static const struct host_dialect copilot_nested = {
	HOST_COPILOT, WORDS("hook_event_name"), WORDS("session_id"), WORDS("cwd"), WORDS("agent_id"),
	WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"), NULL, NULL,
	claude_moments, copilot_tools, copilot_nested_forms,
};
static const struct host_dialect cursor = {
	HOST_CURSOR, WORDS("hook_event_name"), WORDS("conversation_id", "session_id"), WORDS("cwd"),
	WORDS("agent_id"), WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"),
	"workspace_roots", "MCP:", cursor_moments, cursor_tools, cursor_forms,
};
static const struct host_dialect opencode = {
	HOST_OPENCODE, WORDS("event"), WORDS("sessionID"), WORDS("directory"), WORDS("agent"),
	WORDS("tool"), WORDS("args"), WORDS("stop_hook_active"), NULL, NULL, opencode_moments,
	opencode_tools, opencode_forms,
};
static const struct host_dialect vscode = {
	HOST_VSCODE, WORDS("hookEventName"), WORDS("sessionId"), WORDS("cwd"), WORDS("agent_id"),
	WORDS("tool_name"), WORDS("tool_input"), WORDS("stop_hook_active"), NULL, "mcp_",
	claude_moments, vscode_tools, vscode_forms,
};
/* Any of the names; its tools are those of all hosts. */
static const struct host_dialect unknown = {
	HOST_UNKNOWN, WORDS("hook_event_name", "hookEventName", "event"),
	WORDS("session_id", "sessionId", "sessionID"), WORDS("cwd", "directory"), WORDS("agent_id"),
	WORDS("tool_name", "toolName", "tool"), WORDS("tool_input", "toolArgs", "args"),
	WORDS("stop_hook_active"), NULL, "mcp_", NULL, NULL, unknown_forms,
};

const struct host_dialect *const host_dialects[] = {
	&claude, &codex, &gemini, &copilot, &copilot_nested, &cursor, &opencode, &vscode, &unknown,
	NULL,
};

const struct host_dialect *host_default_dialect(enum host h)
{
	for (size_t i = 0; host_dialects[i]; i++)
		if (host_dialects[i]->host == h)
			return host_dialects[i];
	return &unknown;
}

/* ---- signs, in order ---- */

const struct host_sign host_signs[] = {
	{&cursor, .mark = true},
	{&cursor, .has = WORDS("cursor_version")},
	{&copilot, .has = WORDS("toolName")},
	{&vscode, .has = WORDS("hookEventName", "tool_name")},
	{&codex, .has = WORDS("turn_id", "model")},
	{&gemini, .named = WORDS("BeforeTool", "AfterTool", "AfterAgent")},
	{&copilot_nested, .named = WORDS("PreToolUse"), .has = WORDS("timestamp", "tool_input"),
	 .lacks = WORDS("tool_use_id"), .input = WORDS("file_text", "old_str")},
	{&claude, .named = WORDS("PreToolUse"), .has = WORDS("tool_use_id")},
	{&claude, .named = WORDS("PreToolUse"), .has = WORDS("prompt_id")},
	{&claude, .named = WORDS("PreToolUse"), .has = WORDS("permission_mode")},
	/* The same hosts in their other events, and with tools that are no edit. */
	{&opencode, .has = WORDS("sessionID", "directory")},
	{&vscode, .has = WORDS("hookEventName")},
	{&copilot, .has = WORDS("sessionId"), .lacks = WORDS("hook_event_name")},
	{&cursor, .has = WORDS("conversation_id", "workspace_roots")},
	{&gemini, .has = WORDS("hook_event_name", "timestamp", "transcript_path")},
	{&copilot_nested, .has = WORDS("hook_event_name", "timestamp"),
	 .lacks = WORDS("tool_use_id", "transcript_path")},
	{&claude, .has = WORDS("hook_event_name", "permission_mode")},
	{&claude, .has = WORDS("hook_event_name", "session_id", "transcript_path")},
	{0},
};

/* ---- variables ---- */

/* CLAUDE_PROJECT_DIR is no sign: Gemini sets it too. */
const struct host_variables host_variables[] = {
	{HOST_CLAUDE, WORDS("CLAUDECODE", "CLAUDE_CODE_SESSION_ID"),
	 WORDS("CLAUDE_CODE_SESSION_ID")},
	{HOST_CODEX, WORDS("CODEX_THREAD_ID", "CODEX_SANDBOX"), WORDS("CODEX_THREAD_ID")},
	{HOST_GEMINI, WORDS("GEMINI_CLI", "GEMINI_SESSION_ID"), WORDS("GEMINI_SESSION_ID")},
	{HOST_COPILOT, WORDS("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
	 WORDS("COPILOT_AGENT_SESSION_ID")},
	{HOST_CURSOR, WORDS("CURSOR_AGENT"), {{NULL}}},
	{HOST_OPENCODE, WORDS("OPENCODE"), WORDS("OPENCODE_SESSION_ID")},
	{HOST_UNKNOWN, {{NULL}}, {{NULL}}},
};

/* ---- files ---- */

const struct host_file host_files[] = {
	{HOST_CLAUDE, false, NULL, ".claude/settings.json", HOST_JSON, {"hooks", "disableAllHooks"}},
	{HOST_CLAUDE, false, NULL, ".claude/settings.local.json", HOST_JSON,
	 {"hooks", "disableAllHooks"}},
	{HOST_CLAUDE, true, "CLAUDE_CONFIG_DIR", ".claude/settings.json", HOST_JSON,
	 {"hooks", "disableAllHooks"}},
	{HOST_CODEX, false, NULL, ".codex/hooks.json", HOST_JSON, {0}},
	{HOST_CODEX, false, NULL, ".codex/config.toml", HOST_TOML, {"hooks", "features"}},
	{HOST_CODEX, true, "CODEX_HOME", ".codex/hooks.json", HOST_JSON, {0}},
	{HOST_CODEX, true, "CODEX_HOME", ".codex/config.toml", HOST_TOML,
	 {"hooks", "features", "projects"}},
	{HOST_GEMINI, false, NULL, ".gemini/settings.json", HOST_JSON, {"hooks", "hooksConfig"}},
	{HOST_GEMINI, true, NULL, ".gemini/settings.json", HOST_JSON, {"hooks", "hooksConfig"}},
	{HOST_COPILOT, false, NULL, ".github/hooks/*.json", HOST_JSON, {0}},
	{HOST_COPILOT, false, NULL, ".github/copilot/settings.json", HOST_JSON,
	 {"hooks", "disableAllHooks"}},
	{HOST_COPILOT, false, NULL, ".github/copilot/settings.local.json", HOST_JSON,
	 {"hooks", "disableAllHooks"}},
	{HOST_COPILOT, true, NULL, ".copilot/hooks/*.json", HOST_JSON, {0}},
	{HOST_COPILOT, true, NULL, ".copilot/settings.json", HOST_JSON,
	 {"hooks", "disableAllHooks"}},
	{HOST_CURSOR, false, NULL, ".cursor/hooks.json", HOST_JSON, {0}},
	{HOST_CURSOR, true, NULL, ".cursor/hooks.json", HOST_JSON, {0}},
	{HOST_OPENCODE, false, NULL, ".opencode/plugins/ikm.js", HOST_TEXT, {0}},
	{HOST_OPENCODE, true, NULL, ".config/opencode/plugins/ikm.js", HOST_TEXT, {0}},
	{.path = NULL},
};

bool host_file_matches_path(const struct host_file *f, struct str path)
{
	struct str want = str_of(f->path);
	size_t star = str_find_char(want, '*', 0), slash;

	if (star == SIZE_MAX)
		return str_eq(path, want);
	slash = str_rfind_char(path, '/');
	return slash != SIZE_MAX && slash + 1 == star &&
	       str_eq(str_sub(path, 0, star), str_sub(want, 0, star)) &&
	       str_ends(path, str_sub(want, star + 1, want.n));
}
/* clang-format on */
