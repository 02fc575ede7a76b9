/* The entries that ikm adds to the settings of each host. */
#include "host/internal.h"

/* clang-format off */
static const struct host_hook claude_hooks[] = {
	{"PreToolUse", "Edit|Write|MultiEdit|NotebookEdit|Bash", 5},
	{"PostToolUse", "Bash|mcp__.*", 60},
	{"Stop", NULL, 60},
	{"SessionStart", NULL, 10},
	{0},
};
static const struct host_hook codex_hooks[] = {
	{"PreToolUse", "apply_patch|Bash", 5},
	{"PostToolUse", "Bash|mcp__.*", 60},
	{"Stop", NULL, 60},
	{"SessionStart", NULL, 10},
	{0},
};
/* After an edit too: a warning has no place before a tool. */
static const struct host_hook gemini_hooks[] = {
	{"BeforeTool", "write_file|replace|run_shell_command", 5},
	{"AfterTool", "write_file|replace|run_shell_command|mcp_.*", 60},
	{"AfterAgent", NULL, 60},
	{"SessionStart", NULL, 10},
	{0},
};
static const struct host_hook copilot_hooks[] = {
	{"preToolUse", "create|edit|bash|apply_patch", 5},
	{"postToolUse", "bash", 60},
	{"agentStop", NULL, 60},
	{"sessionStart", NULL, 10},
	{0},
};
static const struct host_hook cursor_hooks[] = {
	{"preToolUse", "Shell|Write|Delete", 5},
	{"stop", NULL, 60},
	{"sessionStart", NULL, 10},
	{0},
};

#define SKIPS "git commit --no-verify"
#define CLAUDE_ENTRY "{$M\"hooks\":[{\"type\":\"command\",\"command\":$C,\"timeout\":$T$F}]}"
#define GEMINI_ENTRY                                                                                \
	"{$M\"hooks\":[{\"name\":\"ikm\",\"type\":\"command\",\"command\":$C,\"timeout\":$T$F}]}"

static const struct host_install host_installs[] = {
	{HOST_CLAUDE, CLAUDE_ENTRY, "\"matcher\":$V,", ",\"onFailure\":\"block\"", NULL, NULL, 1,
	 claude_hooks,
	 "{\"session_id\":\"ikm\",\"transcript_path\":\"\",\"cwd\":$D,\"permission_mode\":\"default\","
	 "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\""
	 SKIPS "\"},\"tool_use_id\":\"ikm\"}",
	 "\"permissionDecision\":\"deny\"", NULL},
	{HOST_CODEX, CLAUDE_ENTRY, "\"matcher\":$V,", NULL, NULL, NULL, 1, codex_hooks,
	 "{\"session_id\":\"ikm\",\"turn_id\":\"1\",\"cwd\":$D,\"hook_event_name\":\"PreToolUse\","
	 "\"model\":\"none\",\"permission_mode\":\"default\",\"tool_name\":\"Bash\",\"tool_input\":"
	 "{\"command\":\"" SKIPS "\"},\"tool_use_id\":\"ikm\"}",
	 "\"permissionDecision\":\"deny\"",
	 "Codex runs it when you trust the folder and the hook: start codex there, and run /hooks"},
	{HOST_GEMINI, GEMINI_ENTRY, "\"matcher\":$V,", NULL, NULL, NULL, 1000, gemini_hooks,
	 "{\"session_id\":\"ikm\",\"transcript_path\":\"\",\"cwd\":$D,\"hook_event_name\":"
	 "\"BeforeTool\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"tool_name\":\"run_shell_command\","
	 "\"tool_input\":{\"command\":\"" SKIPS "\"}}",
	 "\"decision\":\"deny\"", NULL},
	{HOST_COPILOT, "{\"type\":\"command\",\"bash\":$C,\"timeoutSec\":$T$M}", ",\"matcher\":$V", NULL,
	 "\"version\": 1", NULL, 1, copilot_hooks,
	 "{\"sessionId\":\"ikm\",\"timestamp\":1,\"cwd\":$D,\"toolName\":\"bash\",\"toolArgs\":"
	 "{\"command\":\"" SKIPS "\"}}",
	 "\"permissionDecision\":\"deny\"", "Copilot runs it in folders that you have trusted"},
	{HOST_CURSOR, "{\"command\":$C,\"timeout\":$T$M$F}", ",\"matcher\":$V",
	 ",\"failClosed\":true", "\"version\": 1", "{\"permission\":\"allow\"}", 1, cursor_hooks,
	 "{\"conversation_id\":\"ikm\",\"cursor_version\":\"0\",\"workspace_roots\":[$D],"
	 "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Shell\",\"tool_input\":{\"command\":\""
	 SKIPS "\"}}",
	 "\"permission\":\"deny\"", "Cursor runs it in workspaces that you have trusted"},
	{HOST_OPENCODE, NULL, NULL, NULL, NULL, NULL, 1, NULL,
	 "{\"event\":\"tool.execute.before\",\"sessionID\":\"ikm\",\"callID\":\"ikm\",\"directory\":$D,"
	 "\"tool\":\"bash\",\"args\":{\"command\":\"" SKIPS "\"}}",
	 "\"decision\":\"deny\"", NULL},
};
/* clang-format on */

const struct host_install *host_hook_settings(enum host h)
{
	for (size_t i = 0; i < ARRAY_SIZE(host_installs); i++)
		if (host_installs[i].host == h)
			return &host_installs[i];
	return NULL;
}

const struct host_file *host_settings_file(enum host h, bool user)
{
	const struct host_file *found = NULL;

	for (const struct host_file *f = host_files; f->path && !found; f++)
		if (f->host == h && f->user == user)
			found = f;
	return found;
}

/* opencode has plugins, not commands: this one asks ikm and throws what it says. */
const char host_plugin[] =
	"// Written by 'ikm hook install --agent opencode', taken away by 'ikm hook uninstall'.\n"
	"import { spawnSync } from \"node:child_process\"\n"
	"\n"
	"export const Ikm = async ({ directory }) => {\n"
	"  const start = new Map()\n"
	"  const ask = (event, timeout) => {\n"
	"    const r = spawnSync(\"ikm\", [\"hook\", \"run\", \"agent\", \"--host\", \"opencode\"],\n"
	"      { cwd: directory, input: JSON.stringify({ directory, ...event }), encoding: \"utf8\",\n"
	"        timeout })\n"
	"    if (r.status === 2) throw new Error(r.stderr.trim() || \"stopped by ikm\")\n"
	"    try { return JSON.parse(r.stdout).context } catch { return undefined }\n"
	"  }\n"
	"  return {\n"
	"    \"tool.execute.before\": async ({ tool, sessionID, callID }, { args }) => {\n"
	"      ask({ event: \"tool.execute.before\", tool, sessionID, callID, args }, 5000)\n"
	"    },\n"
	"    \"tool.execute.after\": async ({ tool, sessionID, callID, args }, output) => {\n"
	"      const text = ask({ event: \"tool.execute.after\", tool, sessionID, callID, args: args "
	"?? {} },\n"
	"        60000)\n"
	"      if (text) output.output += \"\\n\" + text\n"
	"    },\n"
	"    \"experimental.chat.system.transform\": async ({ sessionID }, output) => {\n"
	"      const id = sessionID ?? \"\"\n"
	"      if (!start.has(id)) start.set(id, ask({ event: \"session.start\", sessionID: id }, 10000))\n"
	"      if (start.get(id)) output.system.push(start.get(id))\n"
	"    },\n"
	"  }\n"
	"}\n";
