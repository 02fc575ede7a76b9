/*
 * Every setting, once: key, type, default (JSON), whether a repository may say it, help.
 * A type may be narrowed: WORD("block", "warn") is a string that is one of these, WITHIN(0, 9) an
 * integer of that range. Any other value is BAD_CONFIG wherever it is said.
 * The environment's name is derived: check.minSeverity is IKM_CHECK_MIN_SEVERITY.
 */
#define CONF_SETTINGS(X)                                                                           \
	X("agent.id", STR, "\"default\"", false, "who is asking: whose pins and budget count")     \
	X("assets.budget", INT, "100000", false, "tokens that an agent may pin")                   \
	X("assets.keepDays", INT, "365", false, "how long former versions of assets are kept")     \
	X("assets.keepVersions", INT, "100", false,                                                \
	  "how many former versions of an asset are kept")                                         \
	X("check.lostRules", WORD("block", "warn"), "\"block\"", true,                             \
	  "what a change meets that loses a rule of severity block without retiring it")           \
	X("check.maxFileSize", INT, "8388608", true,                                               \
	  "code rules skip files of more bytes, and say so")                                       \
	X("check.minRules", WITHIN(0, 1000000), "0", true,                                         \
	  "fewer rules than this block; 0 asks for none")                                          \
	X("check.minSeverity", STR, "\"warn\"", true, "report violations from this severity on")   \
	X("check.unjudged", WORD("warn", "block"), "\"warn\"", true,                               \
	  "what a change meets that a blocking rule cannot look into")                             \
	X("expand.maxBytes", INT, "1048576", false, "bytes that one marker may expand to")         \
	X("expand.maxTotal", INT, "8388608", false, "bytes that a prompt may expand to")           \
	X("files.roots", STRS, "[]", false, "folders that tools may touch")                        \
	X("knowledge.requires", STRS, "[]", true,                                                  \
	  "layers that must have a source that can be read")                                       \
	X("knowledge.sources", OBJECTS, "[]", true,                                                \
	  "where decisions are: a list of {layer, path, ref, type, files}")                        \
	X("mcp.resultTokens", WITHIN(1000, 100000), "20000", false,                                \
	  "tokens that an answer over MCP may have; the rest is cut")                              \
	X("memory.company", STR, "\"\"", false, "whose the company layer's memories are")          \
	X("memory.embedder", STRS, "[]", false,                                                    \
	  "a program that makes embeddings, and its arguments")                                    \
	X("memory.embedderTimeout", INT, "2000", false, "milliseconds that it may take")           \
	X("memory.maxBytes", INT, "65536", false, "bytes of one memory's content")                 \
	X("memory.org", STR, "\"\"", false, "whose the org layer's memories are")                  \
	X("memory.project", STR, "\"\"", false,                                                    \
	  "whose the project layer's memories are; else the repository's origin")                  \
	X("memory.recencyConversation", INT, "7", false,                                           \
	  "days until the age of such a memory counts a third: conversation")                      \
	X("memory.recencyEpisodic", INT, "30", false,                                              \
	  "days until the age of such a memory counts a third: episodic")                          \
	X("memory.recencyScratch", INT, "3", false,                                                \
	  "days until the age of such a memory counts a third: scratch")                           \
	X("memory.recencySemantic", INT, "365", false,                                             \
	  "days until the age of such a memory counts a third: semantic")                          \
	X("memory.recencyWorking", INT, "1", false,                                                \
	  "days until the age of such a memory counts a third: working")                           \
	X("memory.team", STR, "\"\"", false, "whose the team layer's memories are")                \
	X("session", STR, "\"\"", false, "the conversation that a change belongs to")              \
	X("tokens.model", STR, "\"o200k\"", false, "whose tokens are estimated: o200k or cl100k")  \
	X("tools.bash", BOOL, "false", false, "tools may run shell commands")                      \
	X("tools.external", BOOL, "false", false, "programs are offered as tools, over MCP too")   \
	X("tools.override", STRS, "[]", false, "ikm's own tools that a program may replace")       \
	X("tools.timeout", INT, "30000", false,                                                    \
	  "milliseconds that a tool or shell command may take")                                    \
	X("trace.keepDays", INT, "30", false, "how long the turn trace is kept")                   \
	X("undo.bytes", INT, "268435456", false, "how much former content is kept for undo")       \
	X("undo.days", INT, "30", false, "how long it is kept; 0 records no changes of tools")     \
	X("user", STR, "\"\"", false, "who is asking; else the login name")
